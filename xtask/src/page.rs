//! The page of the site: the server's page, which names the worker as its backend and brings the
//! policy that a server would send along.

use anyhow::{Result, bail};

/// What the page of the server says about where its answers come from.
const OF_SERVER: &str = r#"<meta name="foregone-backend" content="server">"#;
const OF_WORKER: &str = r#"<meta name="foregone-backend" content="worker">"#;
const CHARSET: &str = r#"<meta charset="utf-8">"#;

/// As the server's, with leave to compile WebAssembly. `frame-ancestors` has no meaning in a page.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; font-src 'self'; \
    base-uri 'none'; form-action 'none'";

/// The page of the site, made of the server's.
pub(crate) fn of_site(page: &str) -> Result<String> {
    for part in [OF_SERVER, CHARSET] {
        if page.matches(part).count() != 1 {
            bail!("index.html must have `{part}` once");
        }
    }
    let policy = format!(
        "{CHARSET}\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">"
    );
    Ok(page.replace(CHARSET, &policy).replace(OF_SERVER, OF_WORKER))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../crates/server/assets/index.html");

    #[test]
    fn the_page_of_the_server_becomes_the_one_of_the_site() {
        let page = of_site(PAGE).unwrap_or_default();
        assert!(page.contains(OF_WORKER) && !page.contains(OF_SERVER));
        let policy = page.find("Content-Security-Policy");
        assert!(policy.is_some() && policy < page.find("<script"), "before anything is loaded");
        assert!(page.contains("'wasm-unsafe-eval'") && !page.contains("unsafe-inline"));
    }

    #[test]
    fn addresses_are_relative_so_that_any_path_will_do() {
        for (at, _) in PAGE.match_indices("src=\"").chain(PAGE.match_indices("href=\"")) {
            let address = PAGE[at..].split('"').nth(1).unwrap_or_default();
            assert!(!address.starts_with('/') && !address.contains(':'), "{address}");
        }
    }

    #[test]
    fn a_page_that_does_not_say_where_its_answers_come_from_is_refused() {
        assert!(of_site(&PAGE.replace("foregone-backend", "backend")).is_err());
        assert!(of_site(&PAGE.replace("utf-8", "latin-1")).is_err());
    }
}
