//! Every request, right and wrong.

use std::io::Write;

use serde_json::{Value, json};

use crate::client::{Client, read_answer};
use crate::start;

/// A proof that the server has made.
fn proof(client: &Client) -> Value {
    let id =
        client.search(&json!({ "game": "connect-four:4x4", "scheme": "pn", "knowledge": false }));
    let events = client.hear(&id);
    let last = events.last().unwrap();
    assert_eq!(last["event"], "solved", "{last}");
    assert_eq!(last["answer"]["value"], "draw");
    assert_eq!(last["answer"]["proof"]["checked"], true);
    last["proof"].clone()
}

#[test]
fn every_request_is_answered() {
    let (_server, client) = start();
    let words = client.ask("words", &json!({}));
    assert_eq!(words["limits"]["jobs"], 2);
    assert!(words["schemes"].as_array().unwrap().iter().any(|s| s["word"] == "pn"));
    let games = client.ask("games", &json!({}));
    assert!(games.as_array().unwrap().iter().any(|g| g["name"] == "connect-four"));
    let at = json!({ "game": "connect-four:4x4", "position": "start", "moves": ["2", "2"] });
    let view = client.ask("view", &at);
    assert_eq!(view["history"].as_array().unwrap().len(), 2);
    assert_eq!(view["shown"]["to_move"], "red");

    let proof = proof(&client)["proof"].clone();
    let outline = client.ask("outline", &json!({ "proof": proof }));
    assert_eq!(outline["certificates"].as_array().unwrap().len(), 2, "{outline}");
    let place = json!({ "proof": proof, "certificate": 0, "path": [] });
    let node = client.ask("node", &place);
    assert_eq!(node["kind"], "plays", "{node}");
    let with = |more: Value| {
        let mut place = place.clone();
        place.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        place
    };
    let position = node["view"]["position"].clone();
    let found = client.ask("find", &with(json!({ "position": position })));
    assert_eq!(found["path"], json!([]), "{found}");
    for (format, begin) in [("text", "claims are not shown"), ("dot", "digraph"), ("svg", "<svg")] {
        let part = client.ask("export", &with(json!({ "format": format, "depth": 2 })));
        let text = part["text"].as_str().unwrap();
        assert!(text.contains(begin), "{format}: {text}");
    }

    let name = proof.as_str().unwrap();
    let text = client.get(&format!("/api/proofs/{name}"));
    assert_eq!(text.status, 200);
    assert!(text.text().starts_with("foregone certificate"), "{}", text.text());
    assert!(text.head.contains("content-disposition: attachment"), "{}", text.head);
    let kept = client.send("POST", "/api/proofs", "", &text.body).json();
    assert_eq!(kept["bytes"], text.body.len());
    assert_ne!(kept["proof"], proof);
    let id = client.begin(&json!({ "work": "verify", "proof": kept["proof"], "strict": true }));
    let verified = client.hear(&id).pop().unwrap();
    assert_eq!(verified["event"], "verified", "{verified}");

    // One sign is wrong, and the line is named.
    let damaged = text.text().replacen("position ....", "position ...o", 1);
    let plain = "Content-Type: text/plain\r\n";
    let kept = client.send("POST", "/api/proofs", plain, damaged.as_bytes()).json();
    let id = client.begin(&json!({ "work": "verify", "proof": kept["proof"] }));
    let refused = client.hear(&id).pop().unwrap();
    assert_eq!(refused["event"], "refused", "{refused}");
}

#[test]
fn other_work_is_done() {
    let (_server, client) = start();
    let at = json!({
        "work": "choose", "level": "perfect", "game": "tic-tac-toe", "position": "start",
        "moves": ["b2", "a1", "b1"],
    });
    let chosen = client.hear(&client.begin(&at)).pop().unwrap();
    assert_eq!((&chosen["event"], &chosen["move"]), (&json!("chosen"), &json!("b3")), "{chosen}");
    let values = json!({
        "work": "values", "game": "nim:1,2", "positions": ["1,2 first", "1,1 first"],
    });
    let events = client.hear(&client.begin(&values));
    let winners: Vec<&Value> = events.iter().map(|event| &event["winner"]).collect();
    assert_eq!(winners, [&json!("first"), &json!("second"), &Value::Null], "{events:?}");
    assert_eq!(events[2]["event"], "all-valued");
    let cross = json!({
        "subjects": [["tic-tac-toe", "start"]], "schemes": ["pn", "pp"], "drivers": ["tree"],
    });
    let compare = json!({ "work": "compare", "cross": cross });
    let compared = client.hear(&client.begin(&compare)).pop().unwrap();
    assert_eq!(compared["comparison"]["rows"].as_array().map(Vec::len), Some(2), "{compared}");
}

#[test]
fn wrong_requests_are_told_what_is_wrong() {
    let (_server, client) = start();
    // Path, body, status, kind.
    let cases = [
        ("/api/view", "{", 400, "input"),
        ("/api/view", "", 400, "input"),
        ("/api/view", "[]", 400, "input"),
        ("/api/view", r#"{"game":"hex:4"}"#, 400, "input"),
        ("/api/view", r#"{"game":"hax:4","position":"start"}"#, 400, "input"),
        ("/api/view", r#"{"game":"hex:4","position":"start","moves":["z9"]}"#, 400, "input"),
        ("/api/view", r#"{"game":"hex:4","position":"start","more":1}"#, 400, "input"),
        ("/api/nothing", "{}", 404, "gone"),
        ("/api/outline", r#"{"proof":"77"}"#, 404, "gone"),
        ("/api/node", r#"{"proof":"77","certificate":0,"path":[]}"#, 404, "gone"),
        ("/api/work", "{}", 400, "input"),
        ("/api/work", r#"{"work":"nothing"}"#, 400, "input"),
        ("/api/work", r#"{"work":"solve","job":{"game":7}}"#, 400, "input"),
        ("/api/work/77/stop", "{}", 404, "gone"),
        ("/api/work/77/more", r#"{"seconds":1}"#, 404, "gone"),
        ("/api/work/77/more", "{}", 400, "input"),
        ("/api/a/b/c", "{}", 404, "gone"),
    ];
    for (path, body, status, kind) in cases {
        let answer = client.post(path, body);
        assert_eq!((answer.status, answer.kind().as_str()), (status, kind), "{path} {body}");
    }
    for (method, path) in [
        ("GET", "/api/view"),
        ("GET", "/api/work"),
        ("POST", "/api/work/77/events"),
        ("DELETE", "/api/proofs/1"),
        ("OPTIONS", "/api/view"),
        ("PUT", "/"),
    ] {
        let answer = client.send(method, path, "Content-Type: application/json\r\n", b"");
        assert_eq!((answer.status, answer.kind().as_str()), (405, "input"), "{method} {path}");
    }
    for path in ["/api/work/77/events", "/api/proofs/77", "/nothing", "/assets/app.js"] {
        let answer = client.get(path);
        assert_eq!((answer.status, answer.kind().as_str()), (404, "gone"), "{path}");
    }
    // What is no text, and what is no HTTP.
    let json = "Content-Type: application/json\r\n";
    assert_eq!(client.send("POST", "/api/view", json, &[0xff, 0xfe]).kind(), "input");
    assert_eq!(client.send("POST", "/api/proofs", "", b"").kind(), "proof");
    assert_eq!(client.raw(b"\x16\x03\x01 hello\r\n\r\n").status, 400);
    // A game that can't be opened is told as the last event of its work.
    let events = client.hear(&client.search(&json!({ "game": "hax" })));
    assert_eq!(events[0]["failure"]["kind"], "input", "{events:?}");
}

#[test]
fn too_large_requests_are_refused() {
    let (_server, client) = start();
    let json = "Content-Type: application/json\r\n";
    let large = vec![b' '; (9 << 20) + 1];
    let answer = client.send("POST", "/api/view", json, &large);
    assert_eq!((answer.status, answer.kind().as_str()), (413, "limit"));
    // The same without saying so before.
    let mut stream = client.connect();
    let head = &client.head;
    write!(stream, "POST /api/view HTTP/1.1\r\n{head}{json}Transfer-Encoding: chunked\r\n\r\n")
        .unwrap();
    for _ in 0..10 {
        let sent = write!(stream, "{:x}\r\n", 1 << 20)
            .and_then(|()| stream.write_all(&large[..1 << 20]))
            .and_then(|()| stream.write_all(b"\r\n"));
        if sent.is_err() {
            break;
        }
    }
    assert_eq!(read_answer(stream).status, 413);
    // Certificates have a limit of their own: 1 MiB here.
    let answer = client.send("POST", "/api/proofs", "", &large[..(1 << 20) + 1]);
    assert_eq!((answer.status, answer.kind().as_str()), (413, "limit"));
    assert_eq!(client.send("POST", "/api/proofs", "", &large[..1 << 20]).status, 200);
    // Heads: one long line, and many short ones.
    let long = format!("X-Long: {}\r\n", "x".repeat(100_000));
    assert_eq!(client.send("GET", "/", &long, b"").status, 431);
    let many = "X-Many: x\r\n".repeat(200);
    assert_eq!(client.send("GET", "/", &many, b"").status, 431);
    // Rules that are too many, and a play that is too long.
    let files: serde_json::Map<String, Value> =
        (0..17).map(|n| (format!("{n}.kif"), json!(""))).collect();
    let at = json!({ "game": "hex:4", "position": "start", "files": files });
    assert_eq!(client.post("/api/view", &at.to_string()).kind(), "limit");
    let at = json!({ "game": "hex:4", "position": "start", "moves": vec!["a1"; 2001] });
    assert_eq!(client.post("/api/view", &at.to_string()).kind(), "limit");
    // Nothing of that has harmed anybody.
    assert_eq!(
        client.ask("view", &json!({ "game": "hex:4", "position": "start" }))["joint"],
        false
    );
}

#[test]
fn no_path_leads_to_a_file() {
    let (_server, client) = start();
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/%2e%2e%2fCargo.toml",
        "/app.js/../../Cargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/api/proofs/..%2f..%2fetc%2fpasswd",
        "/api/proofs/%2fetc%2fpasswd",
        "/app.js%00.html",
    ] {
        let answer = client.get(path);
        assert_eq!((answer.status, answer.kind().as_str()), (404, "gone"), "{path}");
    }
    for game in [
        "explicit:/etc/passwd",
        "gdl:/etc/hostname",
        "matrix:/etc/passwd",
        "joint:../../Cargo.toml",
        "gdl:../../rulesheets/nim.kif",
        "explicit:../../examples/two-leaves.game",
    ] {
        let answer =
            client.post("/api/view", &json!({ "game": game, "position": "start" }).to_string());
        assert_eq!((answer.status, answer.kind().as_str()), (400, "input"), "{game}");
        let told = answer.text();
        assert!(!told.contains("root:") && !told.contains("denied"), "{game}: {told}");
        let events = client.hear(&client.search(&json!({ "game": game })));
        assert_eq!(events.last().unwrap()["event"], "failed", "{game}");
    }
    let tables = json!({ "game": "chess:KQK", "tables": "/etc" });
    let events = client.hear(&client.search(&tables));
    assert!(events[0]["failure"]["message"].as_str().unwrap().contains("tables"), "{events:?}");
    let opponent = json!({ "game": "tic-tac-toe", "opponent": "proof:/etc/passwd" });
    let events = client.hear(&client.search(&opponent));
    assert_eq!(events.last().unwrap()["event"], "failed", "{events:?}");
    // The file of a request is found by its name, wherever that seems to be.
    let rules = "(role a) (init s) (legal a go) (next t) (<= terminal (true t)) (goal a 100)";
    let at =
        json!({ "game": "gdl:/etc/x.kif", "position": "start", "files": { "/etc/x.kif": rules } });
    assert_eq!(client.ask("view", &at)["shown"]["players"][0], "a");
}

#[test]
fn texts_that_nest_deeply_break_nothing() {
    let (_server, client) = start();
    let deep = 300_000;
    let rules = [
        "(".repeat(deep),
        format!("(role a) (<= terminal {}", "(not ".repeat(deep)),
        format!("(role {}a{})", "(f ".repeat(deep), ")".repeat(deep)),
    ];
    for text in rules {
        let at = json!({ "game": "gdl:x.kif", "position": "start", "files": { "x.kif": text } });
        assert_eq!(client.post("/api/view", &at.to_string()).kind(), "input");
    }
    for formula in ["(".repeat(deep), "!".repeat(deep), "<A>".repeat(deep)] {
        let job = json!({ "game": "hex:3", "question": format!("formula {formula}w") });
        let events = client.hear(&client.search(&job));
        assert_eq!(events.last().unwrap()["event"], "failed");
    }
    let nested = "[".repeat(deep);
    assert_eq!(client.post("/api/view", &nested).kind(), "input");
    let scheme = json!({ "game": "hex:3", "scheme": "mo(".repeat(deep) });
    let work = json!({ "work": "solve", "job": scheme }).to_string();
    assert_eq!(client.post("/api/work", &work).kind(), "input");
}
