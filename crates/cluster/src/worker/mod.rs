//! The side that works.

mod network;
mod pool;
mod slot;
mod store;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pool::Pool;
use store::Net;
pub use store::Store;

use crate::link::Link;
use crate::names::unique;
use crate::runtime::Engine;
use crate::{ClusterError, Connect, Result, SolveInfo, WorkerInfo};

/// What works. Every thread of a worker has one of its own.
///
/// It gets bytes and returns bytes. What they may do is its own affair; nothing here reads, writes or runs anything for
/// them.
pub trait Handler: Send + 'static {
    /// A solve that this handler has not seen. If it fails, the worker takes no jobs of this solve.
    ///
    /// # Errors
    /// Why it cannot work on this solve.
    fn setup(&mut self, solve: &SolveInfo, setup: &[u8]) -> std::result::Result<(), String>;

    /// A job. `report` must be called now and then: with a partial result, or with nothing to say that it goes on. Who
    /// does not call it for longer than [`crate::Terms::stall`] counts as hanging. When `stop` is set nobody
    /// wants the result any more, and what is returned is dropped. In the store is what the coordinator put there for
    /// all, and what is too large for a result goes there.
    ///
    /// # Errors
    /// Why there is no result. The coordinator gets the text.
    fn work(
        &mut self,
        solve: &str,
        payload: &[u8],
        store: &Store<'_>,
        report: &mut dyn FnMut(Vec<u8>),
        stop: &AtomicBool,
    ) -> std::result::Result<Vec<u8>, String>;

    /// A solve is over.
    fn forget(&mut self, solve: &str);
}

/// What a worker tells its own user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// It is connected, under this name.
    Connected {
        /// The address, without secrets.
        url: String,
        /// Its name in the coordinator's events.
        worker: String,
    },
    /// The connection is gone or cannot be made; it is tried again.
    Waiting {
        /// Why.
        reason: String,
    },
    /// It takes part in a solve.
    Joined {
        /// What is solved.
        solve: SolveInfo,
    },
    /// It does not take part in a solve.
    Refused {
        /// The name of the solve.
        solve: String,
        /// Why.
        message: String,
    },
    /// A solve is over.
    Over {
        /// The name of the solve.
        solve: String,
    },
    /// A job hangs and is left to others.
    Hangs {
        /// The name of the solve.
        solve: String,
        /// The job.
        job: u64,
    },
    /// A job has no result.
    Failed {
        /// The name of the solve.
        solve: String,
        /// The job.
        job: u64,
        /// Why.
        message: String,
    },
}

/// How a worker works.
#[derive(Clone)]
pub struct WorkerOptions {
    /// Who it is. `cores` is set to the number of handlers.
    pub info: WorkerInfo,
    /// Gets what its user should know.
    pub log: Arc<dyn Fn(Note) + Send + Sync>,
    /// Set it to end the worker.
    pub stop: Arc<AtomicBool>,
    /// How long to wait for a server that is not there at the beginning. Later it is waited for without end.
    pub patience: Duration,
}

impl WorkerOptions {
    /// A worker that says nothing and waits for a server for a minute.
    #[must_use]
    pub fn new(info: WorkerInfo) -> Self {
        Self {
            info,
            log: Arc::new(|_| ()),
            stop: Arc::default(),
            patience: Duration::from_secs(60),
        }
    }
}

/// A worker.
pub struct Worker;

impl Worker {
    /// Works on all solves under the prefix, with one thread a handler, until it is stopped.
    ///
    /// # Errors
    /// There is no server, or it does not let us in.
    pub fn run<H: Handler>(
        connect: &Connect,
        options: WorkerOptions,
        handlers: Vec<H>,
    ) -> Result<()> {
        let mut info = options.info.clone();
        info.cores = u32::try_from(handlers.len()).unwrap_or(u32::MAX);
        let engine = Engine::start()?;
        let (wire, mut wires) = tokio::sync::mpsc::unbounded_channel();
        let link = Self::connect(&engine, connect, &options, &wire)?;
        let worker = format!("{}-{}", clean(&info.name), unique());
        (options.log)(Note::Connected { url: link.url.clone(), worker: worker.clone() });
        let (sender, outgoing) = tokio::sync::mpsc::channel(1024);
        let pool = Arc::new(Pool::new(worker, info, handlers.len(), options.log.clone(), sender));
        let threads: Vec<_> = engine
            .caller()
            .into_iter()
            .cycle()
            .zip(handlers)
            .map(|(caller, handler)| {
                let (pool, net) = (pool.clone(), Net { caller, link: link.clone() });
                std::thread::spawn(move || slot::run(&pool, &net, handler))
            })
            .collect();
        let log = options.log.clone();
        engine.spawn(async move {
            while let Some(wire) = wires.recv().await {
                if wire == crate::link::Wire::Down {
                    log(Note::Waiting { reason: "the connection is gone".into() });
                }
            }
        });
        engine.spawn(network::control(link.clone(), pool.clone()));
        engine.spawn(network::find(link.clone(), pool.clone()));
        engine.spawn(network::fetch(link.clone(), pool.clone()));
        engine.spawn(network::beat(pool.clone()));
        engine.spawn(network::send(link.clone(), pool.clone(), outgoing));
        while !options.stop.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_millis(50));
        }
        pool.end();
        let _ = engine.call("leaving", Duration::from_secs(3), network::leave(link, pool));
        // A handler that does not obey is left behind.
        let begun = Instant::now();
        while threads.iter().any(|thread| !thread.is_finished())
            && begun.elapsed() < Duration::from_secs(5)
        {
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    fn connect(
        engine: &Engine,
        connect: &Connect,
        options: &WorkerOptions,
        wire: &tokio::sync::mpsc::UnboundedSender<crate::link::Wire>,
    ) -> Result<Link> {
        let begun = Instant::now();
        loop {
            let (to, wire, name) =
                (connect.clone(), wire.clone(), format!("worker {}", options.info.name));
            let link = engine.call("connecting", Duration::from_secs(20), async move {
                Link::open(&to, &name, move |state| {
                    let _ = wire.send(state);
                })
                .await
            });
            match link {
                Err(error @ (ClusterError::NoServer { .. } | ClusterError::Timeout { .. })) => {
                    if begun.elapsed() >= options.patience || options.stop.load(Ordering::Acquire) {
                        return Err(error);
                    }
                    (options.log)(Note::Waiting { reason: error.to_string() });
                    std::thread::sleep(Duration::from_secs(1).min(options.patience));
                }
                other => return other,
            }
        }
    }
}

/// A name of a machine as a part of ours: short, and of plain letters.
fn clean(name: &str) -> String {
    let good = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    let name: String = name.chars().take(40).map(good).collect();
    if name.is_empty() { "worker".into() } else { name }
}
