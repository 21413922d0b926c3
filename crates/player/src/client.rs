//! The other side of the protocol: what a game manager does to ask a player over HTTP.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Nobody's answer to a message is longer.
const LONGEST: u64 = 1 << 16;

/// A player at an address, `HOST:PORT`.
#[derive(Clone, Debug)]
pub struct Client {
    address: String,
}

impl Client {
    /// The player at this address. Nothing is sent yet.
    pub fn new(address: impl Into<String>) -> Client {
        Client { address: address.into() }
    }

    /// Sends a message as ggp-base does and waits for the answer, but not longer than this.
    pub fn send(&self, message: &str, wait: Duration) -> io::Result<String> {
        let until = Instant::now() + wait;
        let left = || match until.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(io::Error::new(ErrorKind::TimedOut, "it did not answer in time")),
            left => Ok(left),
        };
        let place = self.address.to_socket_addrs()?.next();
        let place = place.ok_or_else(|| io::Error::other("the address leads nowhere"))?;
        let mut stream = TcpStream::connect_timeout(&place, left()?)?;
        let head = format!(
            "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {}\r\nSender: FOREGONE\r\n\
             Receiver: PLAYER\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n",
            self.address,
            message.len()
        );
        stream.set_write_timeout(Some(left()?))?;
        stream.write_all(&[head.as_bytes(), message.as_bytes()].concat())?;
        let mut answer = Vec::new();
        let mut some = [0; 4096];
        loop {
            stream.set_read_timeout(Some(left()?))?;
            match stream.read(&mut some) {
                Ok(0) => break,
                Ok(n) => answer.extend_from_slice(&some[..n]),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    left()?;
                }
                Err(e) => return Err(e),
            }
            if answer.len() as u64 > LONGEST {
                return Err(io::Error::other("its answer has no end"));
            }
        }
        body(&String::from_utf8_lossy(&answer))
    }
}

/// What an answer by HTTP says.
fn body(answer: &str) -> io::Result<String> {
    let parts = answer.split_once("\r\n\r\n").or_else(|| answer.split_once("\n\n"));
    let (head, body) = parts.ok_or_else(|| io::Error::other("its answer is not HTTP"))?;
    let status = head.lines().next().unwrap_or_default();
    match status.split(' ').nth(1) {
        Some("200") => Ok(body.trim().to_owned()),
        _ => Err(io::Error::other(format!("it answers `{status}`"))),
    }
}
