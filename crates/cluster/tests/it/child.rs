//! Processes that other tests start in order to kill them. On their own they do nothing.

use std::time::{Duration, Instant};

use foregone_cluster::{Connect, Coordinator};

use crate::work::{Running, info, jobs, quick, submit};

fn connect() -> Option<Connect> {
    std::env::var("FOREGONE_TEST_URL").ok().map(Connect::new)
}

#[test]
#[ignore = "other tests start it"]
fn worker() {
    let Some(connect) = connect() else { return };
    let _worker = Running::start(&connect, "child", 2);
    // Long enough for any test; nobody kills it if the test itself is killed.
    std::thread::sleep(Duration::from_secs(90));
}

#[test]
#[ignore = "other tests start it"]
fn coordinator() {
    let Some(connect) = connect() else { return };
    let coordinator =
        Coordinator::create(&connect, info("orphan"), b"s".to_vec(), quick()).unwrap();
    submit(&coordinator, &jobs(60, "sleep:30"));
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(90) {
        let _ = coordinator.next(Duration::from_millis(100));
    }
}
