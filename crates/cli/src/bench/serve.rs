//! `foregone bench serve`: what the server costs a search, and how fast it answers.
//!
//! Server and client are in this process, and what the client does counts as well: a page that listens is
//! part of what a search costs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use foregone::text::{grouped, short};
use foregone::{Cancel, Error, Job, SystemClock, plain};
use foregone_desk::{Desk, Limits};
use foregone_server::{Options, Server};
use serde_json::{Value, json};

use super::{Bench, wrong};
use crate::memory::cpu_time;

/// A search of some seconds, without its proof.
const JOB: &str = "connect-four:5x6 scheme=pn driver=dag proof=never";
/// How often it is made in each way; the quickest counts, since others may use the machine.
const RUNS: usize = 5;
/// How long requests are counted.
const SPAN: Duration = Duration::from_secs(2);
/// A position that is asked for.
const WHERE: &str =
    r#"{"game":"connect-four:6x7","position":"start","moves":["4","4","4","3","5"]}"#;
/// A proof that is walked through, and how many steps.
const PROOF: &str = "connect-four:5x5 scheme=pn driver=dag proof=always";
const STEPS: usize = 200;

/// A connection that stays open.
struct Asker {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
}

fn failed(error: std::io::Error) -> Error {
    Error::input(format!("the server can't be asked: {}", plain(&error)))
}

fn unreadable(error: serde_json::Error) -> Error {
    wrong(format!("the server's answer can't be read: {error}"))
}

impl Asker {
    fn new(address: SocketAddr) -> Result<Asker, Error> {
        let stream = TcpStream::connect(address).map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        Ok(Asker { stream: BufReader::new(stream), address })
    }

    fn ask(&mut self, name: &str, body: &str) -> Result<String, Error> {
        let (address, length) = (self.address, body.len());
        let request = format!(
            "POST /api/{name} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        self.stream.get_mut().write_all(request.as_bytes()).map_err(failed)?;
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.stream.read_line(&mut head).map_err(failed)? == 0 {
                return Err(wrong(format!("the server hung up at {name}")));
            }
        }
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).map_err(failed)?;
        let body = String::from_utf8_lossy(&body).into_owned();
        match head.starts_with("HTTP/1.1 200 ") {
            true => Ok(body),
            false => Err(wrong(format!("{name} was answered by {body}"))),
        }
    }

    /// Makes a search and listens to its end. Returns the last event, and how many there were.
    fn search(&mut self, job: &Job) -> Result<(Value, usize), Error> {
        let work = json!({ "work": "solve", "job": job }).to_string();
        let begun: Value = serde_json::from_str(&self.ask("work", &work)?).map_err(unreadable)?;
        let id = begun["id"].as_str().unwrap_or_default();
        let mut stream = TcpStream::connect(self.address).map_err(failed)?;
        let host = self.address;
        // By the older version of HTTP the answer is the events and nothing between them.
        let request = format!("GET /api/work/{id}/events HTTP/1.0\r\nHost: {host}\r\n\r\n");
        stream.write_all(request.as_bytes()).map_err(failed)?;
        let (mut last, mut events) = (String::new(), 0);
        for line in BufReader::new(stream).lines() {
            if let Some(event) = line.map_err(failed)?.strip_prefix("data: ") {
                last = event.to_owned();
                events += 1;
            }
        }
        Ok((serde_json::from_str(&last).map_err(unreadable)?, events))
    }
}

/// What something took: seconds of the processor, where the system tells, else by the clock.
fn took<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<(T, f64), Error> {
    let (clock, before) = (Instant::now(), cpu_time());
    let done = work()?;
    let seconds = match (before, cpu_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before).as_secs_f64(),
        _ => clock.elapsed().as_secs_f64(),
    };
    Ok((done, seconds))
}

/// The middle one and the largest, in milliseconds.
fn spread(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort_unstable();
    let of = |time: Option<&Duration>| time.map_or(0.0, Duration::as_secs_f64) * 1000.0;
    (of(times.get(times.len() / 2)), of(times.last()))
}

impl Bench<'_, '_> {
    /// The server.
    pub(super) fn serve(&mut self) -> Result<(), Error> {
        self.say("serve: the server on loopback, with a client that listens");
        let limits = Limits { bytes: 2 << 30, ..Limits::default() };
        let desk = Desk::new(SystemClock::new(), limits);
        let options = Options { port: 0, ..Options::default() };
        let server = Server::start(desk, &options).map_err(failed)?;
        let address = server.local();
        self.overhead(address)?;
        self.views(address)?;
        self.steps(address)?;
        server.stop();
        Ok(())
    }

    /// The same search alone and through the server, in turns.
    fn overhead(&mut self, address: SocketAddr) -> Result<(), Error> {
        let job: Job = JOB.parse()?;
        let (mut alone, mut served) = (f64::INFINITY, f64::INFINITY);
        let (mut nodes, mut events) = (0, 0);
        for _ in 0..RUNS {
            let engine = &self.program.engine;
            let (finished, seconds) = took(|| engine.run(&job, &mut (), &Cancel::new()))?;
            (nodes, alone) = (finished.answer.nodes(), alone.min(seconds));
            drop(finished);
            let mut asker = Asker::new(address)?;
            let ((last, told), seconds) = took(|| asker.search(&job))?;
            (events, served) = (told, served.min(seconds));
            if last["answer"]["nodes"] != nodes {
                let other = &last["answer"]["nodes"];
                return Err(wrong(format!("{nodes} nodes alone, {other} through the server")));
            }
            if self.program.cancel.is_cancelled() {
                return Ok(());
            }
        }
        self.say(&format!(
            "  search      {} nodes: {alone:.2} s alone, {served:.2} s with {events} events, \
             {:+.1} % (the best of {RUNS})",
            grouped(nodes),
            (served / alone - 1.0) * 100.0
        ));
        Ok(())
    }

    /// Positions that are asked for, one after the other and by four at a time.
    fn views(&mut self, address: SocketAddr) -> Result<(), Error> {
        let asked = || -> Result<Vec<Duration>, Error> {
            let (mut asker, mut times) = (Asker::new(address)?, Vec::new());
            let began = Instant::now();
            while began.elapsed() < SPAN {
                let clock = Instant::now();
                asker.ask("view", WHERE)?;
                times.push(clock.elapsed());
            }
            Ok(times)
        };
        for clients in [1, 4] {
            let times = std::thread::scope(|scope| -> Result<Vec<Duration>, Error> {
                let threads: Vec<_> = (0..clients).map(|_| scope.spawn(asked)).collect();
                let mut all = Vec::new();
                for thread in threads {
                    let broken = |_| wrong("a client broke".to_owned());
                    all.extend(thread.join().map_err(broken)??);
                }
                Ok(all)
            })?;
            let rate = times.len() as f64 / SPAN.as_secs_f64();
            let (middle, most) = spread(times);
            self.say(&format!(
                "  view        {} a second by {clients} at a time, {middle:.2} ms each, \
                 {most:.1} ms at most",
                short(rate)
            ));
        }
        Ok(())
    }

    /// Steps through a proof.
    fn steps(&mut self, address: SocketAddr) -> Result<(), Error> {
        let mut asker = Asker::new(address)?;
        let (last, _) = asker.search(&PROOF.parse()?)?;
        let proof = &last["proof"]["proof"];
        let claims = last["answer"]["proof"]["claims"].as_u64().unwrap_or_default();
        let (mut path, mut times) = (Vec::<Value>::new(), Vec::new());
        for step in 0..STEPS {
            let place = json!({ "proof": proof, "certificate": 0, "path": path }).to_string();
            let clock = Instant::now();
            let answer = asker.ask("node", &place)?;
            times.push(clock.elapsed());
            let node: Value = serde_json::from_str(&answer).map_err(unreadable)?;
            let children = node["children"].as_array().map_or(&[][..], Vec::as_slice);
            match children.get(step % children.len().max(1)) {
                Some(child) => path.push(child["move"].clone()),
                None => path.clear(),
            }
        }
        let (middle, most) = spread(times);
        self.say(&format!(
            "  proof       a step {middle:.2} ms, {most:.1} ms at most: {STEPS} steps through {} claims",
            grouped(claims)
        ));
        Ok(())
    }
}
