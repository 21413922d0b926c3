//! As much of HTTP/1.1 (RFC 9112) as game managers use: POST with a body of known length, one
//! message a connection.
//!
//! Own code because a player keeps a clock: the libraries that are small enough have no time limit
//! on reading a request, so that a few silent clients could hold it up. Here a request has some
//! seconds in all, each connection has its thread, their number is bounded, and when there are too
//! many, the oldest one that still has not sent its request goes.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::player::Player;
use crate::worker::lock;

/// Bytes of the request line and the headers.
const MAX_HEAD: usize = 1 << 14;
/// Bytes of a body: ten times the longest rulesheet known.
const MAX_BODY: usize = 1 << 22;
/// How long a request may take to come in.
const READ_TIMEOUT: Duration = Duration::from_secs(10);
/// How long an answer may take to go out.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);
/// Connections at once before some are closed, …
const CROWDED: usize = 64;
/// … and before new ones have to queue.
const MAX_CONNECTIONS: usize = 2 * CROWDED;
/// How often to look for a connection, and whether to stop.
const POLL: Duration = Duration::from_millis(5);
/// A listener that fails this often in a row is broken.
const MAX_FAILURES: u32 = 1000;

/// Why a request gets no answer of the player: the status, and the reason in words.
#[derive(Debug)]
struct HttpError(&'static str, String);

/// Connections that have not sent their requests yet, the oldest first.
type Waiting = Arc<Mutex<Vec<(usize, TcpStream)>>>;

/// A place among them, given back when the request is there, or by a panic.
struct WaitingPlace {
    number: usize,
    waiting: Waiting,
}

impl Drop for WaitingPlace {
    fn drop(&mut self) {
        lock(&self.waiting).retain(|w| w.0 != self.number);
    }
}

/// Counts connections.
struct OpenConnection(Arc<AtomicUsize>);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Answers messages that come to a listener until it is told to stop. Connections that are open
/// then are still answered.
pub fn serve(listener: TcpListener, player: Arc<Player>, stop: &AtomicBool) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let waiting = Waiting::default();
    let open = Arc::<AtomicUsize>::default();
    let mut number = 0;
    let mut failures = 0;
    while !stop.load(Ordering::SeqCst) {
        if open.load(Ordering::SeqCst) >= MAX_CONNECTIONS {
            thread::sleep(POLL);
            continue;
        }
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            Err(e) if e.kind() == ErrorKind::WouldBlock => {
                failures = 0;
                thread::sleep(POLL);
                continue;
            }
            // The client is gone already, or there are too many open files: that passes.
            Err(e) => {
                failures += 1;
                if failures == MAX_FAILURES {
                    return Err(e);
                }
                thread::sleep(POLL);
                continue;
            }
        };
        failures = 0;
        number += 1;
        let count = open.fetch_add(1, Ordering::SeqCst);
        let open = OpenConnection(Arc::clone(&open));
        if count >= CROWDED {
            let mut waiting = lock(&waiting);
            if !waiting.is_empty() {
                // Its thread sees the end of the stream.
                let _ = waiting.remove(0).1.shutdown(Shutdown::Both);
            }
        }
        // A connection that cannot be served is closed: the client will see.
        if stream.set_nonblocking(false).is_err() {
            continue;
        }
        let Ok(copy) = stream.try_clone() else { continue };
        lock(&waiting).push((number, copy));
        let place = WaitingPlace { number, waiting: Arc::clone(&waiting) };
        let player = Arc::clone(&player);
        let thread = thread::Builder::new().name("connection".to_owned());
        // Nobody is left to tell if there is no thread, or if the answer cannot be sent.
        let _ = thread.spawn(move || {
            let _open = open;
            let _ = connection(stream, &player, place);
        });
    }
    Ok(())
}

fn connection(mut stream: TcpStream, player: &Player, place: WaitingPlace) -> io::Result<()> {
    stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
    let request = read_request(&mut stream, Instant::now() + READ_TIMEOUT);
    drop(place);
    let (status, text) = match request {
        Ok((message, received)) => match player.answer_since(&message, received) {
            Ok(answer) => ("200 OK", answer),
            Err(bad) => ("400 Bad Request", bad.reason),
        },
        Err(HttpError(status, reason)) => (status, reason),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        text.len()
    );
    stream.write_all(&[head.as_bytes(), text.as_bytes()].concat())?;
    stream.shutdown(Shutdown::Write)?;
    // What the client still sends is taken for a moment: to close before would reset the
    // connection, and the client might lose the answer.
    let until = Instant::now() + Duration::from_millis(500);
    let mut rest = [0; 4096];
    while read_some(&mut stream, &mut rest, until).is_ok_and(|n| n > 0) {}
    Ok(())
}

/// Reads some bytes, but not later than this.
fn read_some(stream: &mut TcpStream, into: &mut [u8], until: Instant) -> Result<usize, HttpError> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(HttpError(
                "408 Request Timeout",
                "the request arrived too slowly".to_owned(),
            ));
        }
        let read = stream.set_read_timeout(Some(left)).and_then(|()| stream.read(into));
        match read {
            Ok(n) => return Ok(n),
            Err(e) => match e.kind() {
                ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::TimedOut => {}
                _ => return Err(HttpError("400 Bad Request", e.to_string())),
            },
        }
    }
}

fn bad(reason: &str) -> HttpError {
    HttpError("400 Bad Request", reason.to_owned())
}

/// Reads a request, and returns its body and when its first bytes arrived. That is when the
/// manager's clock began, as far as can be known here.
fn read_request(stream: &mut TcpStream, until: Instant) -> Result<(String, Instant), HttpError> {
    let mut bytes = Vec::new();
    let mut received = Instant::now();
    let mut some = [0; 4096];
    let body = loop {
        if let Some(end) = head_end(&bytes) {
            break end;
        }
        if bytes.len() > MAX_HEAD {
            return Err(HttpError(
                "431 Request Header Fields Too Large",
                format!("more than {MAX_HEAD} bytes before the body"),
            ));
        }
        match read_some(stream, &mut some, until)? {
            0 => return Err(bad("the request ends before its body")),
            n => {
                if bytes.is_empty() {
                    received = Instant::now();
                }
                bytes.extend_from_slice(&some[..n]);
            }
        }
    };
    let head = String::from_utf8_lossy(&bytes[..body]).into_owned();
    let Head { length, expects } = read_head(&head)?;
    bytes.drain(..body);
    if expects && bytes.len() < length {
        let go_on = stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
        go_on.map_err(|e| bad(&e.to_string()))?;
    }
    while bytes.len() < length {
        match read_some(stream, &mut some, until)? {
            0 => return Err(bad("the body is shorter than its length says")),
            n => bytes.extend_from_slice(&some[..n]),
        }
    }
    bytes.truncate(length);
    // Rulesheets may have comments in any encoding; names are in ASCII.
    Ok((String::from_utf8_lossy(&bytes).into_owned(), received))
}

/// Where the body begins: behind the first empty line.
fn head_end(bytes: &[u8]) -> Option<usize> {
    let find = |end: &[u8]| bytes.windows(end.len()).position(|w| w == end).map(|n| n + end.len());
    [find(b"\r\n\r\n"), find(b"\n\n")].into_iter().flatten().min()
}

#[derive(Debug, PartialEq)]
struct Head {
    length: usize,
    expects: bool,
}

fn read_head(head: &str) -> Result<Head, HttpError> {
    let mut lines = head.lines();
    let first: Vec<&str> = lines.next().unwrap_or("").split_whitespace().collect();
    let [method, _, version] = first.as_slice() else { return Err(bad("this is not HTTP")) };
    if !version.starts_with("HTTP/1.") {
        return Err(bad("only HTTP/1.0 and HTTP/1.1 are supported"));
    }
    if *method != "POST" {
        let status = "405 Method Not Allowed\r\nAllow: POST";
        return Err(HttpError(status, "messages must be sent by POST".to_owned()));
    }
    let mut length = None;
    let mut expects = false;
    for line in lines.filter(|l| !l.is_empty()) {
        let Some((name, value)) = line.split_once(':') else {
            return Err(bad("a header without `:`"));
        };
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => {
                // `parse` would take a sign.
                let digits = value.bytes().all(|b| b.is_ascii_digit());
                let read = value.parse::<u64>().ok().filter(|_| digits);
                let read = read.ok_or_else(|| bad("Content-Length is not a number"))?;
                if length.is_some_and(|l| l != read) {
                    return Err(bad("there are two different Content-Lengths"));
                }
                length = Some(read);
            }
            "transfer-encoding" => {
                let reason = "the body needs a Content-Length".to_owned();
                return Err(HttpError("501 Not Implemented", reason));
            }
            "expect" => expects = value.eq_ignore_ascii_case("100-continue"),
            _ => {}
        }
    }
    match length {
        None => Err(HttpError("411 Length Required", "Content-Length is required".to_owned())),
        Some(length) if length > MAX_BODY as u64 => {
            Err(HttpError("413 Content Too Large", format!("more than {MAX_BODY} bytes")))
        }
        Some(length) => Ok(Head { length: length as usize, expects }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_or_refused() {
        let manager = "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: x\r\nSender: GAMESERVER\r\n\
                       Receiver: ME\r\nContent-Type: text/acl\r\nContent-Length: 8\r\n\r\n";
        assert_eq!(read_head(manager).unwrap(), Head { length: 8, expects: false });
        let curl = "POST / HTTP/1.1\ncontent-length:9\nEXPECT: 100-Continue\n\n";
        assert_eq!(read_head(curl).unwrap(), Head { length: 9, expects: true });
        for (head, status) in [
            ("", "400"),
            ("POST /\r\n", "400"),
            ("POST / FTP/1\r\n", "400"),
            ("GET / HTTP/1.1\r\n\r\n", "405"),
            ("POST / HTTP/1.1\r\n\r\n", "411"),
            ("POST / HTTP/1.1\r\nnonsense\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n", "413"),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "501"),
        ] {
            let HttpError(found, _) = read_head(head).unwrap_err();
            assert!(found.starts_with(status), "{head:?}: {found}");
        }
        assert_eq!(head_end(b"a\r\n\r\nb"), Some(5));
        assert_eq!(head_end(b"a\n\nb"), Some(3));
        assert_eq!(head_end(b"a\r\n"), None);
    }
}
