//! `foregone serve`: the same in a browser.

use std::io;
use std::process::{Command, Stdio};
use std::time::Duration;

use foregone::{Error, SystemClock, plain};
use foregone_desk::{Desk, Limits};
use foregone_server::{Options, Server};
use serde_json::json;

use crate::Program;
use crate::args::ServeArgs;
use crate::commands::warn;
use crate::memory::memory_to_use;
use crate::signals;

/// A search holds no more than this unless it is told to.
const USUAL_MEMORY: u64 = 4 << 30;
/// Certificates hold no more than this, and not more than that part of what is free.
const MOST_CERTIFICATES: u64 = 4 << 30;
const PART_FOR_CERTIFICATES: u64 = 4;
/// How often it is looked whether the server is to end.
const POLL: Duration = Duration::from_millis(50);

/// Serves until a signal comes.
pub(crate) fn run(program: &mut Program<'_>, args: &ServeArgs) -> Result<u8, Error> {
    program.catch_interrupts();
    let desk = Desk::new(SystemClock::new(), limits(args));
    let options = Options {
        host: args.host.clone(),
        port: args.port,
        token: args.token,
        ..Options::default()
    };
    let server = Server::start(desk, &options).map_err(|error| no_server(args, &error))?;
    let address = server.address();
    program.say(&match args.json {
        true => format!("{}\n", json!({ "address": address })),
        false => format!("Foregone is at {address} (Ctrl-C ends it)\n"),
    });
    if args.open
        && let Err(error) = open(&address)
    {
        warn(&format!("no browser could be started: {}", plain(&error)));
    }
    while !program.cancel.is_cancelled() {
        std::thread::sleep(POLL);
    }
    server.stop();
    Ok(signals::exit_code())
}

/// What requests may use: memory is shared out among the searches that may run at a time.
pub(crate) fn limits(args: &ServeArgs) -> Limits {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let jobs = args.jobs.map_or(cores.clamp(2, 8), |jobs| jobs as usize);
    let free = memory_to_use();
    let certificates = (free / PART_FOR_CERTIFICATES).min(MOST_CERTIFICATES);
    let searches = free - certificates;
    Limits {
        seconds: args.job_time.as_secs_f64(),
        bytes: args.job_memory.unwrap_or((searches / jobs as u64).min(USUAL_MEMORY)),
        jobs,
        certificate: certificates / 2,
        all_certificates: certificates,
        ..Limits::default()
    }
}

fn no_server(args: &ServeArgs, error: &io::Error) -> Error {
    let place = format!("{}:{}", args.host, args.port);
    match error.kind() {
        io::ErrorKind::AddrInUse => Error::input(format!(
            "port {} is in use: another program listens on {place}",
            args.port
        ))
        .help("--port 0 takes a free one"),
        io::ErrorKind::PermissionDenied => {
            Error::input(format!("this user may not listen on {place}"))
                .help("ports from 1024 on are for everybody")
        }
        _ => Error::input(format!("the server can't listen on {place}: {}", plain(error)))
            .help("--host takes an address of this machine, such as 127.0.0.1 or 0.0.0.0"),
    }
}

/// Starts the browser. It goes on by itself.
fn open(address: &str) -> io::Result<()> {
    let (program, words): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        // `start` takes the first quoted word for a title.
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(words).arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}
