//! Figures for Prometheus, as plain text over HTTP.
//!
//! One thread answers one request after the other. It reads at most a few kilobytes of a request and waits at most a second
//! for them, so nobody can hold it for long.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::{ClusterError, Result};

/// The most bytes of a request that are read.
const MAX_REQUEST: usize = 8 << 10;
/// The longest time for a request and its answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// Makes the text of all figures.
pub type Source = Arc<dyn Fn() -> String + Send + Sync>;

/// A server of figures; it ends with this value.
pub struct Handle {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Handle {
    /// Where it listens: with port 0 the system has chosen one.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            // It looks at the flag several times a second.
            let _ = thread.join();
        }
    }
}

/// Serves figures at `/metrics`. `address` is `HOST:PORT`, `:PORT` or `PORT`; without a host it is this machine alone.
///
/// # Errors
/// The address cannot be read or is taken.
pub fn serve(address: &str, source: Source) -> Result<Handle> {
    let failed = |reason: &dyn std::fmt::Display| ClusterError::Server {
        what: format!("serving figures at {address}"),
        reason: reason.to_string(),
    };
    let full = match address.strip_prefix(':').unwrap_or(address) {
        port if port.chars().all(|c| c.is_ascii_digit()) => format!("127.0.0.1:{port}"),
        _ => address.to_owned(),
    };
    let place = full.to_socket_addrs().map_err(|error| failed(&error))?.next();
    let listener = TcpListener::bind(place.ok_or_else(|| failed(&"there is no such address"))?);
    let listener = listener.map_err(|error| failed(&error))?;
    listener.set_nonblocking(true).map_err(|error| failed(&error))?;
    let address = listener.local_addr().map_err(|error| failed(&error))?;
    let stop = Arc::new(AtomicBool::new(false));
    let ended = stop.clone();
    let thread = std::thread::spawn(move || {
        while !ended.load(Ordering::Acquire) {
            match listener.accept() {
                // A client that goes away is its own affair.
                Ok((stream, _)) => drop(answer(stream, &source)),
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    });
    Ok(Handle { address, stop, thread: Some(thread) })
}

fn answer(mut stream: TcpStream, source: &Source) -> std::io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let begun = Instant::now();
    let mut request = Vec::new();
    let mut buffer = [0; 1024];
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        let left = PATIENCE.saturating_sub(begun.elapsed());
        if request.len() > MAX_REQUEST || left.is_zero() {
            return reply(&mut stream, "400 Bad Request", "this request is too long\n");
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut buffer)? {
            0 => return Ok(()),
            count => request.extend_from_slice(&buffer[..count]),
        }
    }
    let line = request.split(|&byte| byte == b'\r').next().unwrap_or_default();
    match String::from_utf8_lossy(line).split(' ').collect::<Vec<_>>()[..] {
        ["GET", "/metrics", _] => reply(&mut stream, "200 OK", &source()),
        ["GET", _, _] => reply(&mut stream, "404 Not Found", "figures are at /metrics\n"),
        _ => reply(&mut stream, "405 Method Not Allowed", "only GET\n"),
    }
}

fn reply(stream: &mut TcpStream, status: &str, body: &str) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}

/// The text of figures, as Prometheus reads it.
#[derive(Clone, Debug, Default)]
pub struct Text {
    text: String,
    last: String,
}

impl Text {
    /// No figures.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A figure that only grows. Its name should end with `_total`.
    #[must_use]
    pub fn counter(self, name: &str, help: &str, labels: &[(&str, &str)], value: u64) -> Self {
        self.line("counter", name, help, labels, &value.to_string())
    }

    /// A figure that goes up and down.
    #[must_use]
    pub fn gauge(self, name: &str, help: &str, labels: &[(&str, &str)], value: f64) -> Self {
        let text = match value {
            value if value.is_nan() => "NaN".to_owned(),
            value if value.is_infinite() => if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned(),
            value => value.to_string(),
        };
        self.line("gauge", name, help, labels, &text)
    }

    /// All of it.
    #[must_use]
    pub fn finish(self) -> String {
        self.text
    }

    fn line(
        mut self,
        kind: &str,
        name: &str,
        help: &str,
        labels: &[(&str, &str)],
        value: &str,
    ) -> Self {
        // Once for all lines of one name, which must stand together.
        if self.last != name {
            let help = help.replace('\\', "\\\\").replace('\n', "\\n");
            let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
            self.last = name.to_owned();
        }
        self.text.push_str(name);
        for (place, (label, value)) in labels.iter().enumerate() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            let _ = write!(self.text, "{}{label}=\"{value}\"", if place == 0 { '{' } else { ',' });
        }
        if !labels.is_empty() {
            self.text.push('}');
        }
        let _ = writeln!(self.text, " {value}");
        self
    }
}
