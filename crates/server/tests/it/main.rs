//! The server over real sockets, on loopback only: right requests and wrong ones, many and slow ones, work
//! that is left, stopped, paused and broken.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod client;
mod doors;
mod load;
mod requests;
mod work;

use std::time::Duration;

use foregone::{Clock, SystemClock};
use foregone_desk::{Desk, Limits};
use foregone_server::{Options, Patience, Server};

use client::Client;

/// Limits that a test ends within.
fn limits() -> Limits {
    Limits {
        seconds: 30.0,
        bytes: 256 << 20,
        jobs: 2,
        certificate: 1 << 20,
        all_certificates: 4 << 20,
        ..Limits::default()
    }
}

/// A server that is more impatient than usual.
fn impatient() -> Patience {
    Patience {
        arrival: Duration::from_millis(700),
        unheard: Duration::from_millis(700),
        ended: Duration::from_secs(20),
        silence: Duration::from_millis(200),
        ..Patience::default()
    }
}

fn start_with(clock: impl Clock + 'static, limits: Limits, options: Options) -> (Server, Client) {
    let server = Server::start(Desk::new(clock, limits), &Options { port: 0, ..options }).unwrap();
    let client = Client::new(server.local());
    (server, client)
}

fn start() -> (Server, Client) {
    start_with(SystemClock::new(), limits(), Options::default())
}
