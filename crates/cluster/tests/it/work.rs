//! Workers and coordinators for tests.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use foregone_cluster::{
    Connect, Coordinator, Event, Handler, Note, Options, SolveInfo, Store, Terms, Worker,
    WorkerInfo, WorkerOptions,
};

pub(crate) const VERSION: &str = "test/1";

pub(crate) fn info(id: &str) -> SolveInfo {
    SolveInfo { id: id.into(), version: VERSION.into(), title: "a test".into() }
}

/// Terms that do not let tests wait long.
pub(crate) fn quick() -> Options {
    let terms = Terms {
        lease: Duration::from_millis(1500),
        ack_wait: Duration::from_millis(1500),
        stall: Duration::from_secs(20),
        ..Terms::default()
    };
    Options { terms, ..Options::default() }
}

/// What a handler has seen.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) worked: AtomicU64,
    pub(crate) forgotten: AtomicU64,
    pub(crate) stopped: AtomicU64,
    pub(crate) notes: Mutex<Vec<Note>>,
}

/// Returns `setup + payload` backwards. Payloads can ask for more: `sleep:MS`, `hang`, `fail`, `large:BYTES`, `panic`,
/// `double`: what the coordinator stored as `given` is left as `twice`, twice.
pub(crate) struct Echo {
    setup: Vec<u8>,
    seen: Arc<Seen>,
}

impl Handler for Echo {
    fn setup(&mut self, _: &SolveInfo, setup: &[u8]) -> Result<(), String> {
        if setup == b"impossible" {
            return Err("this cannot be set up".into());
        }
        self.setup = setup.to_vec();
        Ok(())
    }

    fn work(
        &mut self,
        _: &str,
        payload: &[u8],
        store: &Store<'_>,
        report: &mut dyn FnMut(Vec<u8>),
        stop: &AtomicBool,
    ) -> Result<Vec<u8>, String> {
        self.seen.worked.fetch_add(1, Ordering::SeqCst);
        let text = String::from_utf8_lossy(payload).into_owned();
        let order = text.split('/').next().unwrap_or_default();
        let number = |name: &str| {
            order
                .strip_prefix(name)
                .and_then(|n| n.strip_prefix(':'))
                .and_then(|n| n.parse::<u64>().ok())
        };
        if let Some(ms) = number("sleep") {
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(ms) {
                report(b"part".to_vec());
                if stop.load(Ordering::SeqCst) {
                    self.seen.stopped.fetch_add(1, Ordering::SeqCst);
                    return Ok(b"half".to_vec());
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        if let Some(bytes) = number("large") {
            return Ok(vec![7; bytes as usize]);
        }
        match order {
            "fail" => return Err("as it was asked to".into()),
            "wedge" => std::thread::sleep(Duration::from_secs(25)),
            "stuck" => std::thread::sleep(Duration::from_secs(5)),
            "double" => {
                let given = store.get("given", 100).unwrap().ok_or("nothing is given")?;
                store.put("twice", [&given[..], &given].concat()).unwrap();
            }
            "panic" => panic!("as it was asked to"),
            // Hangs once, for a bounded time, without a report; whoever gets it next does not.
            "hang" if self.seen.worked.load(Ordering::SeqCst) == 1 => {
                std::thread::sleep(Duration::from_secs(8))
            }
            _ => {}
        }
        Ok(answer(&self.setup, payload))
    }

    fn forget(&mut self, _: &str) {
        self.seen.forgotten.fetch_add(1, Ordering::SeqCst);
    }
}

/// What the handler answers.
pub(crate) fn answer(setup: &[u8], payload: &[u8]) -> Vec<u8> {
    setup.iter().chain(payload).rev().copied().collect()
}

/// A worker in a thread; it ends with this value.
pub(crate) struct Running {
    pub(crate) seen: Arc<Seen>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<foregone_cluster::Result<()>>>,
}

impl Running {
    pub(crate) fn start(connect: &Connect, name: &str, cores: usize) -> Self {
        Self::versioned(connect, name, cores, VERSION)
    }

    pub(crate) fn versioned(connect: &Connect, name: &str, cores: usize, version: &str) -> Self {
        let seen: Arc<Seen> = Arc::default();
        let mut options =
            WorkerOptions::new(WorkerInfo { version: version.into(), name: name.into(), cores: 0 });
        let stop = options.stop.clone();
        let notes = seen.clone();
        options.log = Arc::new(move |note| notes.notes.lock().unwrap().push(note));
        options.patience = Duration::from_secs(2);
        let handlers: Vec<Echo> =
            (0..cores).map(|_| Echo { setup: Vec::new(), seen: seen.clone() }).collect();
        let connect = connect.clone();
        let thread = std::thread::spawn(move || Worker::run(&connect, options, handlers));
        Self { seen, stop, thread: Some(thread) }
    }

    /// Waits for one that ends by itself.
    pub(crate) fn join(&mut self) -> foregone_cluster::Result<()> {
        self.thread.take().map_or(Ok(()), |thread| thread.join().unwrap())
    }

    pub(crate) fn stop(&mut self) -> foregone_cluster::Result<()> {
        self.stop.store(true, Ordering::SeqCst);
        self.thread.take().map_or(Ok(()), |thread| thread.join().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.stop();
    }
}

/// Events until all of these jobs are done; every result is right and none comes twice.
pub(crate) fn collect(
    coordinator: &Coordinator,
    setup: &[u8],
    jobs: &[(u64, Vec<u8>)],
    limit: Duration,
) -> Vec<Event> {
    let mut left: std::collections::BTreeMap<u64, &[u8]> =
        jobs.iter().map(|(job, payload)| (*job, payload.as_slice())).collect();
    let begun = Instant::now();
    let mut events = Vec::new();
    while !left.is_empty() {
        assert!(
            begun.elapsed() < limit,
            "{} jobs without a result, {:?}",
            left.len(),
            events.iter().rev().take(20).collect::<Vec<_>>()
        );
        let Some(event) = coordinator.next(Duration::from_millis(200)) else { continue };
        if let Event::Done { job, payload, .. } = &event {
            let asked = left.remove(job).expect("a result that nobody waits for");
            assert_eq!(payload, &answer(setup, asked), "job {job}");
        }
        if let Event::Failed { job, message, .. } = &event {
            panic!("job {job} failed: {message}");
        }
        events.push(event);
    }
    events
}

/// Jobs with small different payloads.
pub(crate) fn jobs(count: u64, order: &str) -> Vec<(u64, Vec<u8>)> {
    (1..=count).map(|job| (job, format!("{order}/{job}").into_bytes())).collect()
}

pub(crate) fn submit(coordinator: &Coordinator, jobs: &[(u64, Vec<u8>)]) {
    for (job, payload) in jobs {
        coordinator.submit(*job, payload.clone()).unwrap();
    }
}

/// A worker in a process of its own, which can be killed.
pub(crate) struct Child(std::process::Child);

impl Child {
    /// Runs the test `child::worker` of this very program.
    pub(crate) fn worker(server: &crate::server::Server) -> Self {
        Self::start("child::worker", &server.connect().url)
    }

    /// Runs the test `child::coordinator` of this very program.
    pub(crate) fn coordinator(server: &crate::server::Server) -> Self {
        Self::start("child::coordinator", &server.connect().url)
    }

    fn start(test: &str, url: &str) -> Self {
        let program = std::env::current_exe().unwrap();
        let child = std::process::Command::new(program)
            .args(["--exact", test, "--ignored"])
            .env("FOREGONE_TEST_URL", url)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        Self(child)
    }

    /// As `kill -9`.
    pub(crate) fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}
