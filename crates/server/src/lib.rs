//! The browser's door: pages, and the requests of [`foregone_desk`] over HTTP.
//!
//! Everything is in the program, and no path from the network reaches a file. The server is on loopback
//! unless it is told otherwise, and then only who has its token may ask. What comes from the network is
//! bounded in size, number and time; long work is bounded in number, memory and time, and ends when nobody
//! listens any more. Whoever listens slowly, or not at all, costs a search nothing.
//!
//! ```
//! use foregone::SystemClock;
//! use foregone_desk::{Desk, Limits};
//! use foregone_server::{Options, Server};
//!
//! let desk = Desk::new(SystemClock::new(), Limits::default());
//! let server = Server::start(desk, &Options { port: 0, ..Options::default() })?;
//! assert!(server.address().starts_with("http://127.0.0.1:"));
//! server.stop();
//! # Ok::<(), std::io::Error>(())
//! ```

mod assets;
mod connections;
mod events;
mod guard;
mod jobs;
mod mailbox;
mod patient;
mod proofs;
mod refusal;
mod routes;
mod short;

use std::fs::File;
use std::io::{self, Read};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use foregone_desk::Desk;
use tokio::runtime::{Builder, Runtime};

use assets::Assets;
use guard::Guard;
use jobs::Jobs;
use proofs::{Arriving, Indexer, Uploads};
use short::Short;

/// Where the server is, and how patient it is.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on. Any but loopback makes a token.
    pub host: String,
    /// The port; 0 takes a free one.
    pub port: u16,
    /// Whether a token is asked for on loopback, too: others may use the same machine.
    pub token: bool,
    /// How long it waits for others.
    pub patience: Patience,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            host: "127.0.0.1".to_owned(),
            port: 7117,
            token: false,
            patience: Patience::default(),
        }
    }
}

/// How long the server waits for others.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For a request to arrive, and for a piece of an upload.
    pub arrival: Duration,
    /// For who reads nothing of what is written to them.
    pub reading: Duration,
    /// For somebody who listens to work: it ends when nobody does for so long.
    pub unheard: Duration,
    /// For somebody who comes back to hear how work ended.
    pub ended: Duration,
    /// For who is asked whether paused work goes on.
    pub paused: Duration,
    /// Between signs of life to who listens, when there is nothing to tell.
    pub silence: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            arrival: Duration::from_secs(30),
            reading: Duration::from_secs(60),
            unheard: Duration::from_secs(15),
            ended: Duration::from_secs(60),
            paused: Duration::from_secs(600),
            silence: Duration::from_secs(10),
        }
    }
}

/// What all requests share.
struct Shared {
    desk: Arc<Desk>,
    jobs: Arc<Jobs>,
    guard: Guard,
    assets: Assets,
    short: Short,
    bodies: Arriving,
    uploads: Uploads,
    indexer: Arc<Indexer>,
    patience: Patience,
}

/// A server that runs.
pub struct Server {
    runtime: Option<Runtime>,
    shared: Arc<Shared>,
    closing: Arc<AtomicBool>,
    local: SocketAddr,
}

/// Threads that carry requests. They only wait: what takes time has threads of its own.
const CARRIERS: usize = 2;
/// Threads for short requests, uploads and indexes at most.
const MOST_BLOCKING: usize = 16;
/// The stack of each, as large as that of a program's first thread. Searches get more.
const STACK: usize = 8 << 20;
/// Bytes of short requests that arrive at a time.
const MOST_ARRIVING: u64 = 256 << 20;
/// How long the end of all work is awaited when the server ends.
const FAREWELL: Duration = Duration::from_millis(500);

impl Server {
    /// Begins to listen.
    pub fn start(desk: Desk, options: &Options) -> io::Result<Server> {
        let listener = TcpListener::bind((options.host.as_str(), options.port))?;
        let local = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let open = local.ip().is_loopback() && !options.token;
        let token = if open { None } else { Some(random_token()?) };
        let runtime = Builder::new_multi_thread()
            .worker_threads(CARRIERS)
            .max_blocking_threads(MOST_BLOCKING)
            .thread_stack_size(STACK)
            .thread_name("server")
            .enable_all()
            .build()?;
        let run = run_name();
        let (desk, patience) = (Arc::new(desk.named(&format!("{run}-"))), options.patience);
        let closing = Arc::new(AtomicBool::new(false));
        let indexer = Indexer::new(&desk, &closing, runtime.handle());
        let indexer = Arc::new(indexer);
        let jobs = Jobs::new(&desk, &indexer, patience, run);
        let shared = Arc::new(Shared {
            bodies: Arriving::new(MOST_ARRIVING),
            uploads: Uploads::new(desk.limits().all_certificates),
            desk,
            jobs: Arc::new(jobs),
            guard: Guard::new(local, token),
            assets: Assets::new(),
            short: Short::default(),
            indexer,
            patience,
        });
        runtime.spawn(connections::accept(listener, routes::router(&shared), patience));
        runtime.spawn(sweep(Arc::clone(&shared.jobs)));
        Ok(Server { runtime: Some(runtime), shared, closing, local })
    }

    /// The address to type into a browser, with the token where there is one.
    pub fn address(&self) -> String {
        let host = SocketAddr::new(reachable(self.local.ip()), self.local.port());
        match self.shared.guard.token() {
            None => format!("http://{host}/"),
            Some(token) => format!("http://{host}/?token={token}"),
        }
    }

    /// Where it listens.
    pub fn local(&self) -> SocketAddr {
        self.local
    }

    /// The desk that answers.
    pub fn desk(&self) -> &Desk {
        &self.shared.desk
    }

    /// Ends all work and the server, within a second.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        self.closing.store(true, Ordering::Relaxed);
        self.shared.jobs.close();
        // Who listens still hears how their work ended.
        let step = Duration::from_millis(10);
        for _ in 0..FAREWELL.as_millis() / step.as_millis() {
            if !self.shared.jobs.busy() {
                break;
            }
            std::thread::sleep(step);
        }
        runtime.shutdown_timeout(FAREWELL / 2);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// Looks again and again for work that nobody listens to.
async fn sweep(jobs: Arc<Jobs>) {
    let mut ticks = tokio::time::interval(Duration::from_millis(200));
    loop {
        ticks.tick().await;
        jobs.sweep();
    }
}

/// Bytes that nobody can guess.
fn random_bytes() -> io::Result<[u8; 16]> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// 128 bits as hexadecimal digits. Without them there is no server: a token that can be guessed is none.
fn random_token() -> io::Result<String> {
    Ok(random_bytes()?.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A name for this run, so that names of work from before a restart mean nothing. It is no secret.
fn run_name() -> String {
    let by_time = || {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        since.as_nanos() as u64
    };
    let number = random_bytes().map_or_else(
        |_| by_time(),
        |bytes| bytes.iter().fold(0u64, |all, &byte| all.rotate_left(8) ^ u64::from(byte)),
    );
    format!("{number:016x}")
}

/// An address that others can reach, where the server listens on all that the machine has.
fn reachable(ip: IpAddr) -> IpAddr {
    if !ip.is_unspecified() {
        return ip;
    }
    // Nothing is sent: the system only says from which address it would be. The other end is one that is
    // reserved for documentation.
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0));
    let from = socket.and_then(|socket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    });
    from.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |from| from.ip())
}
