//! Many at a time, slow ones, and those who do nothing.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use foregone::SystemClock;
use foregone_server::{Options, Patience};
use serde_json::json;

use crate::client::read_answer;
use crate::{impatient, limits, start, start_with};

#[test]
fn a_hundred_at_once_are_all_answered() {
    let (_server, client) = start();
    let threads: Vec<_> = (0..100)
        .map(|n| {
            let client = client.clone();
            thread::spawn(move || {
                let heap = n + 1;
                let game = format!("nim:{heap},2");
                let view = client.ask("view", &json!({ "game": game, "position": "start" }));
                assert_eq!(view["position"], format!("{heap},2 first"));
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn a_slow_reader_slows_nothing() {
    let (_server, client) = start();
    let job = json!({ "game": "connect-four:5x5", "scheme": "pn", "driver": "dag" });
    let alone = client.hear(&client.search(&job)).pop().unwrap();
    let id = client.search(&job);
    // It asks, and then reads nothing.
    let mut slow = client.connect();
    write!(slow, "GET /api/work/{id}/events HTTP/1.1\r\n{}\r\n", client.head).unwrap();
    let told = client.hear(&id).pop().unwrap();
    assert_eq!(told["answer"]["nodes"], alone["answer"]["nodes"]);
    assert_eq!(told["answer"]["value"], alone["answer"]["value"]);
    // When it does read, the answer is there.
    slow.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let (mut text, mut piece) = (Vec::new(), [0; 64]);
    for _ in 0..100_000 {
        let read = slow.read(&mut piece).unwrap();
        text.extend_from_slice(&piece[..read]);
        if text.ends_with(b"\r\n0\r\n\r\n") {
            break;
        }
    }
    assert!(String::from_utf8_lossy(&text).contains("\"event\":\"solved\""));
}

/// How many connections this process may make to itself, a thousand at most.
fn connections() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let files = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    let soft = files.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    // Both ends are in this process, and other tests have some of their own.
    (soft.unwrap_or(256).saturating_sub(200) / 2).min(1000)
}

#[test]
fn a_thousand_who_do_nothing_harm_nobody() {
    let (_server, client) = start();
    let idle: Vec<TcpStream> = (0..connections())
        .map(|n| {
            let mut stream = client.connect();
            // Half of them begin a request and leave it there.
            if n % 2 == 0 {
                stream.write_all(b"POST /api/view HTTP/1.1\r\nHost: ").unwrap();
            }
            stream
        })
        .collect();
    let began = Instant::now();
    let id = client.search(&json!({ "game": "connect-four:4x4", "scheme": "pn" }));
    assert_eq!(client.hear(&id).pop().unwrap()["answer"]["value"], "draw");
    assert_eq!(client.get("/app.js").status, 200);
    assert!(began.elapsed() < Duration::from_secs(15), "it took {:?}", began.elapsed());
    drop(idle);
    assert_eq!(client.get("/").status, 200);
}

#[test]
fn who_does_not_get_on_is_left() {
    let options = Options { patience: impatient(), ..Options::default() };
    let (_server, client) = start_with(SystemClock::new(), limits(), options);
    // A head that does not end: the connection is closed.
    let mut head = client.connect();
    head.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    let began = Instant::now();
    let mut closed = false;
    for _ in 0..100 {
        thread::sleep(Duration::from_millis(100));
        if head.write_all(b"X-Slow: 1\r\n").is_err() {
            closed = true;
            break;
        }
    }
    assert!(closed, "drop by drop for {:?}", began.elapsed());
    // A connection that says nothing.
    let mut nothing = client.connect();
    assert_eq!(nothing.read(&mut [0; 10]).unwrap(), 0);
    // Bodies that do not end: a short request in all, an upload piece by piece.
    for (path, more) in [("view", "Content-Type: application/json\r\n"), ("proofs", "")] {
        let mut body = client.connect();
        let head = &client.head;
        write!(body, "POST /api/{path} HTTP/1.1\r\n{head}{more}Content-Length: 100\r\n\r\n{{")
            .unwrap();
        let answer = read_answer(body);
        assert_eq!((answer.status, answer.kind().as_str()), (408, "limit"), "{path}");
    }
    let mut body = client.connect();
    let head = &client.head;
    let kind = "Content-Type: application/json\r\n";
    write!(body, "POST /api/view HTTP/1.1\r\n{head}{kind}Content-Length: 100\r\n\r\n").unwrap();
    let began = Instant::now();
    for _ in 0..50 {
        thread::sleep(Duration::from_millis(100));
        if began.elapsed() > Duration::from_secs(3) || body.write_all(b" ").is_err() {
            break;
        }
    }
    assert_eq!(read_answer(body).status, 408);
}

#[test]
fn who_reads_nothing_is_left() {
    let patience = Patience { reading: Duration::from_millis(300), ..Patience::default() };
    let options = Options { patience, ..Options::default() };
    let limits =
        foregone_desk::Limits { certificate: 64 << 20, all_certificates: 128 << 20, ..limits() };
    let (_server, client) = start_with(SystemClock::new(), limits, options);
    // More than the buffers between the two ends hold.
    let large = vec![b'x'; 48 << 20];
    let kept = client.send("POST", "/api/proofs", "", &large).json();
    let path = format!("/api/proofs/{}", kept["proof"].as_str().unwrap());
    let mut reader = client.connect();
    write!(reader, "GET {path} HTTP/1.1\r\n{}\r\n", client.head).unwrap();
    thread::sleep(Duration::from_millis(1500));
    let mut read = 0;
    let mut piece = vec![0; 1 << 16];
    for _ in 0..100_000 {
        match reader.read(&mut piece) {
            Ok(0) | Err(_) => break,
            Ok(n) => read += n,
        }
    }
    assert!(read < large.len(), "the server waited, and sent all {read} bytes");
    assert_eq!(client.get(&path).body.len(), large.len(), "who reads gets all");
}

#[test]
fn uploads_at_a_time_are_bounded() {
    let options = Options { patience: impatient(), ..Options::default() };
    let (_server, client) = start_with(SystemClock::new(), limits(), options);
    let begin = || {
        let mut stream = client.connect();
        let head = &client.head;
        write!(stream, "POST /api/proofs HTTP/1.1\r\n{head}Content-Length: 9\r\n\r\nx").unwrap();
        stream
    };
    let held: Vec<TcpStream> = (0..4).map(|_| begin()).collect();
    thread::sleep(Duration::from_millis(100));
    // The fifth waits for a place, and gets it when the others have used up their time.
    assert_eq!(client.send("POST", "/api/proofs", "", b"foregone").status, 200);
    for stream in held {
        assert_eq!(read_answer(stream).status, 408);
    }
}
