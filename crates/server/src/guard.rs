//! Who may ask: pages of this server, and no others.
//!
//! A page from elsewhere that the same browser shows can send requests to loopback. It can do so under a
//! foreign name that leads here (DNS rebinding), or straight, without being able to read the answer. So the
//! name must be ours, where a browser says which page asks it must be one of ours, and what changes
//! anything must have a content type that forms can't send.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use foregone_desk::Failure;
use std::sync::Arc;

use crate::Shared;
use crate::refusal::Refusal;

/// Scripts, styles and data from here only; nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; font-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What every answer says of itself.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

const TOKEN: HeaderName = HeaderName::from_static("x-foregone-token");
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// Where requests go that are not for files of the page.
const API: &str = "/api/";

/// Decides who may ask.
pub(crate) struct Guard {
    /// Names of this server, where it has some: on loopback.
    names: Vec<String>,
    token: Option<String>,
}

impl Guard {
    pub(crate) fn new(local: SocketAddr, token: Option<String>) -> Guard {
        let port = local.port();
        let mut names = Vec::new();
        if local.ip().is_loopback() {
            let own = SocketAddr::new(local.ip(), 0).to_string();
            let own = own.trim_end_matches(":0");
            for host in ["localhost", "127.0.0.1", "[::1]", own] {
                names.push(format!("{host}:{port}"));
                // Browsers leave out the usual port.
                if port == 80 {
                    names.push(host.to_owned());
                }
            }
        }
        Guard { names, token }
    }

    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = text(headers, &header::HOST).unwrap_or_default().to_ascii_lowercase();
        if !self.names.is_empty() && !self.names.contains(&host) {
            return Err(forbidden("this server is not called by that name"));
        }
        if let Some(origin) = headers.get(header::ORIGIN) {
            let own = |origin: &str| {
                let name = origin.strip_prefix("http://").or(origin.strip_prefix("https://"));
                name.is_some_and(|name| name.eq_ignore_ascii_case(&host))
            };
            if !origin.to_str().is_ok_and(own) {
                return Err(forbidden("pages from elsewhere may not ask"));
            }
        }
        if !uri.path().starts_with(API) {
            return Ok(());
        }
        // Browsers say where a request comes from even where they leave out the origin.
        if text(headers, &FETCH_SITE).is_some_and(|site| site != "same-origin" && site != "none") {
            return Err(forbidden("pages from elsewhere may not ask"));
        }
        if let Some(token) = &self.token {
            let said = text(headers, &TOKEN).or_else(|| token_of(uri.query()));
            if !said.is_some_and(|said| same(said, token)) {
                let failure = Failure::input("the token of this server is missing or wrong")
                    .help("open the address that `foregone serve` printed");
                return Err(Refusal::new(StatusCode::UNAUTHORIZED, failure));
            }
        }
        if method == Method::POST {
            let kind = text(headers, &header::CONTENT_TYPE).unwrap_or_default();
            let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
            let fits = match uri.path() {
                // A file whose kind the browser doesn't know comes without one.
                "/api/proofs" => {
                    ["application/octet-stream", "text/plain", ""].contains(&kind.as_str())
                }
                _ => kind == "application/json",
            };
            if !fits {
                let failure = Failure::input("a request is `Content-Type: application/json`");
                return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, failure));
            }
        }
        Ok(())
    }
}

fn forbidden(message: &str) -> Refusal {
    Refusal::new(StatusCode::FORBIDDEN, Failure::input(message))
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The token in an address. It is hexadecimal, so nothing in it is escaped.
fn token_of(query: Option<&str>) -> Option<&str> {
    query?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Whether two texts are the same, in a time that does not depend on where they differ.
fn same(a: &str, b: &str) -> bool {
    let differ = a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    a.len() == b.len() && std::hint::black_box(differ) == 0
}

/// Checks a request before it goes anywhere, and dresses what is answered.
pub(crate) async fn watch(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let of_api = request.uri().path().starts_with(API);
    let allowed = shared.guard.check(request.method(), request.uri(), request.headers());
    let mut response = match allowed {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let keep = if of_api { "no-store" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    response
}

#[cfg(test)]
mod tests {
    use super::{same, token_of};

    #[test]
    fn tokens_are_compared_whole() {
        assert!(same("abc", "abc"));
        assert!(!same("abc", "abd"));
        assert!(!same("abc", "ab"));
        assert!(!same("", "abc"));
        assert_eq!(token_of(Some("a=1&token=xy&b")), Some("xy"));
        assert_eq!(token_of(Some("nottoken=xy")), None);
    }
}
