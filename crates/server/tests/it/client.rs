//! A small client: enough of HTTP to ask rightly and wrongly.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// No answer takes so long.
const LONGEST: Duration = Duration::from_secs(30);

/// Asks a server.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    /// Lines that go into the head of every request.
    pub(crate) head: String,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        assert!(self.head.contains("content-type: application/json\r\n"), "{}", self.head);
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }

    /// The kind of the failure.
    pub(crate) fn kind(&self) -> String {
        let json = self.json();
        assert!(json["failure"]["message"].as_str().is_some_and(|m| !m.is_empty()), "{json}");
        json["failure"]["kind"].as_str().unwrap().to_owned()
    }
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Client {
        Client { address, head: format!("Host: {address}\r\n") }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(LONGEST)).unwrap();
        stream.set_write_timeout(Some(LONGEST)).unwrap();
        stream
    }

    /// Sends these very bytes. A server that has heard enough may close before they are all sent.
    pub(crate) fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        let _ = stream.write_all(request);
        read_answer(stream)
    }

    pub(crate) fn send(&self, method: &str, path: &str, more: &str, body: &[u8]) -> Answer {
        let head = &self.head;
        let length = body.len();
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\n{head}{more}Connection: close\r\n\
             Content-Length: {length}\r\n\r\n"
        )
        .into_bytes();
        request.extend_from_slice(body);
        self.raw(&request)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", b"")
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Answer {
        self.send("POST", path, "Content-Type: application/json\r\n", body.as_bytes())
    }

    /// A request that is answered.
    pub(crate) fn ask(&self, name: &str, body: &Value) -> Value {
        let answer = self.post(&format!("/api/{name}"), &body.to_string());
        assert_eq!(answer.status, 200, "{name} {body}: {}", answer.text());
        answer.json()
    }

    /// Begins work.
    pub(crate) fn begin(&self, work: &Value) -> String {
        self.ask("work", work)["id"].as_str().unwrap().to_owned()
    }

    /// Begins a search.
    pub(crate) fn search(&self, job: &Value) -> String {
        self.begin(&json!({ "work": "solve", "job": job }))
    }

    pub(crate) fn listen(&self, id: &str) -> Events {
        self.listen_after(id, None)
    }

    pub(crate) fn listen_after(&self, id: &str, last: Option<u64>) -> Events {
        let head = &self.head;
        let last = last.map_or(String::new(), |last| format!("Last-Event-ID: {last}\r\n"));
        let mut stream = self.connect();
        write!(stream, "GET /api/work/{id}/events HTTP/1.1\r\n{head}{last}\r\n").unwrap();
        let mut reader = BufReader::new(stream);
        let (status, head) = read_head(&mut reader);
        assert_eq!(status, 200, "{head}");
        assert!(head.contains("content-type: text/event-stream"), "{head}");
        assert!(head.contains("transfer-encoding: chunked"), "{head}");
        Events { reader, chunk: Vec::new(), ended: false, began: Instant::now(), signs: 0 }
    }

    /// Everything that work tells, to its end.
    pub(crate) fn hear(&self, id: &str) -> Vec<Value> {
        self.listen(id).map(|(_, event)| event).collect()
    }
}

fn read_head(reader: &mut impl BufRead) -> (u16, String) {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let read = reader.read_line(&mut head).unwrap_or_else(|e| panic!("{e} after `{head}`"));
        assert!(read > 0, "the server hung up after `{head}`");
    }
    let status = head.split(' ').nth(1).and_then(|s| s.parse().ok());
    (status.unwrap_or_else(|| panic!("{head}")), head.to_ascii_lowercase())
}

/// Reads an answer to its end.
pub(crate) fn read_answer(stream: TcpStream) -> Answer {
    let mut reader = BufReader::new(stream);
    let (status, head) = read_head(&mut reader);
    let length = head.split("content-length: ").nth(1).and_then(|l| l.split('\r').next());
    let mut body = Vec::new();
    match length {
        Some(length) => {
            body.resize(length.parse().unwrap(), 0);
            reader.read_exact(&mut body).unwrap();
        }
        None => drop(reader.read_to_end(&mut body)),
    }
    Answer { status, head, body }
}

/// Events with their numbers, as they come.
pub(crate) struct Events {
    reader: BufReader<TcpStream>,
    chunk: Vec<u8>,
    ended: bool,
    began: Instant,
    /// Comments, which say nothing but that the server is there.
    pub(crate) signs: usize,
}

impl Events {
    /// The next chunk is added; whether there was one.
    fn read_chunk(&mut self) -> bool {
        let mut size = String::new();
        self.reader.read_line(&mut size).unwrap();
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or_else(|_| panic!("`{size}`"));
        let mut bytes = vec![0; size + 2];
        self.reader.read_exact(&mut bytes).unwrap();
        bytes.truncate(size);
        self.chunk.extend(bytes);
        size > 0
    }

    /// Reads until there is an event of this name.
    pub(crate) fn until(&mut self, name: &str) -> (u64, Value) {
        let mut seen = Vec::new();
        for (number, event) in self.by_ref() {
            if event["event"] == name {
                return (number, event);
            }
            seen.push(event["event"].clone());
        }
        panic!("no {name} among {seen:?}");
    }
}

impl Iterator for Events {
    type Item = (u64, Value);

    fn next(&mut self) -> Option<(u64, Value)> {
        loop {
            assert!(self.began.elapsed() < 4 * LONGEST, "the work does not end");
            if let Some(end) = self.chunk.windows(2).position(|two| two == b"\n\n") {
                let event: Vec<u8> = self.chunk.drain(..end + 2).collect();
                let event = String::from_utf8(event).unwrap();
                if event.starts_with(':') {
                    self.signs += 1;
                    continue;
                }
                let mut lines = event.lines();
                let number = lines.next().unwrap().strip_prefix("id: ").unwrap().parse().unwrap();
                let data = lines.next().unwrap().strip_prefix("data: ").unwrap();
                assert_eq!(lines.next(), Some(""), "an event is one line: {event}");
                return Some((number, serde_json::from_str(data).unwrap()));
            }
            if self.ended || !self.read_chunk() {
                self.ended = true;
                assert!(self.chunk.is_empty(), "half an event");
                return None;
            }
        }
    }
}
