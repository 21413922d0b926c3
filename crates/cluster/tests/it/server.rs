//! A real `nats-server` on a free port of this machine, with a store of its own.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use foregone_cluster::Connect;

/// The program: named by the environment, on the path, or where Python puts programs of its packages.
pub(crate) fn program() -> Option<&'static Path> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOUND
        .get_or_init(|| {
            let named = std::env::var_os("FOREGONE_NATS_SERVER").map(PathBuf::from);
            let scripts = || {
                let text = "import sysconfig; print(sysconfig.get_path('scripts'))";
                let output = Command::new("python3").args(["-c", text]).output().ok()?;
                Some(Path::new(String::from_utf8(output.stdout).ok()?.trim()).join("nats-server"))
            };
            let works = |path: &PathBuf| {
                Command::new(path).arg("--version").output().is_ok_and(|out| out.status.success())
            };
            // One that is named is the only one: whoever names it wants to know if it does not work.
            if named.is_some() {
                return named.filter(works);
            }
            let usual = ["nats-server", "/usr/sbin/nats-server"].map(PathBuf::from);
            usual.into_iter().find(works).or_else(|| scripts().filter(works))
        })
        .as_deref()
}

/// A running server. Its store goes with it.
pub(crate) struct Server {
    child: Option<Child>,
    port: u16,
    folder: PathBuf,
    config: String,
}

impl Server {
    /// A server, or nothing if there is no program; then the test says so.
    pub(crate) fn start(test: &str) -> Option<Self> {
        Self::with(test, "", "jetstream { store_dir: \"STORE\" }")
    }

    /// A server with more lines in its configuration. `STORE` there stands for its store.
    pub(crate) fn with(test: &str, lines: &str, jetstream: &str) -> Option<Self> {
        if program().is_none() {
            // Past the capture of tests that pass: nobody should think that it was run.
            let line = format!(
                "SKIPPED: {test} needs nats-server on the path or in FOREGONE_NATS_SERVER\n"
            );
            let _ = std::io::stderr().write_all(line.as_bytes());
            return None;
        }
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("foregone-nats-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let jetstream = jetstream.replace("STORE", &folder.join("store").display().to_string());
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let config = format!("host: 127.0.0.1\nport: {port}\n{jetstream}\n{lines}\n");
        let mut server = Self { child: None, port, folder, config };
        server.launch();
        Some(server)
    }

    /// Starts it, the first time or once more with the same store.
    pub(crate) fn launch(&mut self) {
        let file = self.folder.join("nats.conf");
        std::fs::write(&file, &self.config).unwrap();
        let mut child = Command::new(program().unwrap())
            .arg("-c")
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, ready) = std::sync::mpsc::channel();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if line.contains("Server is ready") {
                    let _ = sender.send(());
                }
            }
        });
        self.child = Some(child);
        ready.recv_timeout(Duration::from_secs(20)).expect("the server does not start");
    }

    /// As `kill -9`.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Everything it has stored is gone.
    pub(crate) fn wipe(&self) {
        let _ = std::fs::remove_dir_all(self.folder.join("store"));
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub(crate) fn connect(&self) -> Connect {
        Connect::new(format!("nats://{}", self.address()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Waits for something to become true, not for ever.
pub(crate) fn soon(what: &str, limit: Duration, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < limit, "not in time: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A door before a server: bytes go through until it is shut.
pub(crate) struct Door {
    port: u16,
    shut: std::sync::Arc<std::sync::atomic::AtomicBool>,
}

impl Door {
    pub(crate) fn to(server: &Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shut = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let (closed, target) = (shut.clone(), server.address());
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let Ok(other) = std::net::TcpStream::connect(&target) else { continue };
                for (mut from, mut to) in [
                    (stream.try_clone().unwrap(), other.try_clone().unwrap()),
                    (other.try_clone().unwrap(), stream.try_clone().unwrap()),
                ] {
                    let closed = closed.clone();
                    std::thread::spawn(move || {
                        use std::io::Read;
                        let mut buffer = [0; 16 << 10];
                        while let Ok(count @ 1..) = from.read(&mut buffer) {
                            // Nothing is lost, it only takes as long as the door is shut.
                            while closed.load(Ordering::SeqCst) {
                                std::thread::sleep(Duration::from_millis(10));
                            }
                            if to.write_all(&buffer[..count]).is_err() {
                                break;
                            }
                        }
                        let _ = to.shutdown(std::net::Shutdown::Both);
                    });
                }
            }
        });
        Self { port, shut }
    }

    pub(crate) fn shut(&self, shut: bool) {
        self.shut.store(shut, Ordering::SeqCst);
    }

    pub(crate) fn connect(&self) -> Connect {
        Connect::new(format!("nats://127.0.0.1:{}", self.port))
    }
}
