//! Who is let in, and what every answer says of itself.

use foregone::SystemClock;
use foregone_server::Options;
use serde_json::json;

use crate::client::Client;
use crate::{limits, start, start_with};

const JSON: &str = "Content-Type: application/json\r\n";

#[test]
fn every_answer_is_dressed() {
    let (_server, client) = start();
    let foreign = Client { head: "Host: example.org\r\n".to_owned(), ..client.clone() };
    for answer in [
        client.get("/"),
        client.get("/app.js"),
        client.get("/nothing"),
        client.get("/api/work/7/events"),
        client.post("/api/words", "{}"),
        client.post("/api/words", "{"),
        client.send("PUT", "/api/words", "", b""),
        client.send("POST", "/api/words", "", b"{}"),
        foreign.get("/"),
    ] {
        let head = &answer.head;
        for line in [
            "content-security-policy: default-src 'none'; script-src 'self'; ",
            "frame-ancestors 'none'\r\n",
            "x-content-type-options: nosniff\r\n",
            "referrer-policy: no-referrer\r\n",
            "cross-origin-opener-policy: same-origin\r\n",
            "cross-origin-resource-policy: same-origin\r\n",
            "cache-control: no-",
        ] {
            assert!(head.contains(line), "{line} is not in {head}");
        }
        assert!(!head.contains("access-control-"), "{head}");
        assert!(!head.contains("unsafe"), "{head}");
    }
    assert!(client.post("/api/words", "{}").head.contains("cache-control: no-store\r\n"));
}

#[test]
fn the_files_of_the_page_are_served_once() {
    let (_server, client) = start();
    let page = client.get("/");
    assert_eq!(page.status, 200);
    assert!(page.text().starts_with("<!doctype html>"));
    assert_eq!(client.get("/index.html").body, page.body);
    for (path, kind) in [
        ("/", "text/html; charset=utf-8"),
        ("/app.js", "text/javascript; charset=utf-8"),
        ("/app.css", "text/css; charset=utf-8"),
        ("/samples.json", "application/json"),
        ("/favicon.svg", "image/svg+xml"),
    ] {
        let answer = client.get(path);
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.head.contains(&format!("content-type: {kind}\r\n")), "{}", answer.head);
        let tag = answer.head.split("etag: ").nth(1).unwrap().split('\r').next().unwrap();
        let again = client.send("GET", path, &format!("If-None-Match: {tag}\r\n"), b"");
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
        let other = client.send("GET", path, "If-None-Match: \"other\"\r\n", b"");
        assert_eq!(other.status, 200);
    }
}

#[test]
fn foreign_names_and_pages_are_refused() {
    let (server, client) = start();
    let port = server.local().port();
    let named = |host: &str| Client { head: format!("Host: {host}\r\n"), ..client.clone() };
    for host in ["localhost", "127.0.0.1", "[::1]", "LocalHost"] {
        let client = named(&format!("{host}:{port}"));
        assert_eq!(client.post("/api/words", "{}").status, 200, "{host}");
    }
    for host in [
        format!("example.org:{port}"),
        format!("127.0.0.1.example.org:{port}"),
        format!("localhost.example.org:{port}"),
        format!("localhost:{}", port ^ 1),
        "localhost".to_owned(),
        String::new(),
    ] {
        for path in ["/", "/api/work/1/events"] {
            assert_eq!(named(&host).get(path).status, 403, "{host}");
        }
        let answer = named(&host).post("/api/words", "{}");
        assert_eq!((answer.status, answer.kind().as_str()), (403, "input"), "{host}");
    }
    let none = Client { head: String::new(), ..client.clone() };
    assert_eq!(none.get("/").status, 403);

    let words =
        |more: &str| client.send("POST", "/api/words", &format!("{JSON}{more}"), b"{}").status;
    assert_eq!(words(&format!("Origin: http://127.0.0.1:{port}\r\n")), 200);
    for origin in [
        "http://example.org".to_owned(),
        "null".to_owned(),
        format!("http://localhost:{port}"),
        format!("http://127.0.0.1:{}", port ^ 1),
        format!("http://127.0.0.1:{port}.example.org"),
        format!("http://127.0.0.1:{port}/"),
    ] {
        assert_eq!(words(&format!("Origin: {origin}\r\n")), 403, "{origin}");
    }
    assert_eq!(words("Sec-Fetch-Site: same-origin\r\n"), 200);
    assert_eq!(words("Sec-Fetch-Site: cross-site\r\n"), 403);
    assert_eq!(words("Sec-Fetch-Site: same-site\r\n"), 403);
    // A link from elsewhere may lead to the page.
    assert_eq!(client.send("GET", "/", "Sec-Fetch-Site: cross-site\r\n", b"").status, 200);
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
        let kind = format!("Content-Type: {kind}\r\n");
        assert_eq!(client.send("POST", "/api/words", &kind, b"{}").status, 415, "{kind}");
    }
    let kind = "Content-Type: Application/JSON; charset=utf-8\r\n";
    assert_eq!(client.send("POST", "/api/words", kind, b"{}").status, 200);
    let form = "Content-Type: multipart/form-data\r\n";
    assert_eq!(client.send("POST", "/api/proofs", form, b"x").status, 415);
}

#[test]
fn without_the_token_nobody_is_answered() {
    let options = Options { token: true, ..Options::default() };
    let (server, client) = start_with(SystemClock::new(), limits(), options);
    let address = server.address();
    let token = address.split("/?token=").nth(1).unwrap();
    assert_eq!(token.len(), 32);
    assert!(token.bytes().all(|b| b.is_ascii_hexdigit()));
    assert_eq!(client.get("/").status, 200, "the page itself holds nothing");
    let mut wrong = token.to_owned();
    wrong.replace_range(31.., if token.ends_with('0') { "1" } else { "0" });
    for said in ["", &token[..31], &format!("{token}0"), &wrong] {
        let head = format!("{JSON}X-Foregone-Token: {said}\r\n");
        let answer = client.send("POST", "/api/words", &head, b"{}");
        assert_eq!((answer.status, answer.kind().as_str()), (401, "input"), "{said}");
        assert_eq!(client.get(&format!("/api/work/1/events?token={said}")).status, 401);
        assert_eq!(client.get(&format!("/api/proofs/1?token={said}")).status, 401);
    }
    assert_eq!(client.post("/api/words", "{}").status, 401);
    let head = format!("{}X-Foregone-Token: {token}\r\n", client.head);
    let insider = Client { head, ..client.clone() };
    let id = insider.search(&json!({ "game": "tic-tac-toe" }));
    assert_eq!(client.get(&format!("/api/work/{id}/events")).status, 401);
    assert_eq!(insider.hear(&id).pop().unwrap()["event"], "solved");
    // As a browser listens, which can't send a line of its own.
    let heard = client.get(&format!("/api/work/{id}/events?token={token}"));
    assert!(heard.text().contains("\"event\":\"solved\""));
    // Another run has another token.
    let options = Options { token: true, ..Options::default() };
    let (other, _) = start_with(SystemClock::new(), limits(), options);
    assert_ne!(other.address().split("token=").nth(1), Some(token));
}
