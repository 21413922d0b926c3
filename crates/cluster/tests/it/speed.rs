//! How many jobs a second go through. Nothing is asserted: run it by hand in a release build.

use std::time::{Duration, Instant};

use foregone_cluster::Coordinator;

use crate::server::Server;
use crate::work::{Running, collect, info, jobs, quick, submit};

#[test]
#[ignore = "measures: cargo test --release -p foregone-cluster --test it -- --ignored --nocapture speed"]
fn jobs_a_second() {
    let Some(server) = Server::start("jobs_a_second") else { return };
    let connect = server.connect();
    let coordinator = Coordinator::create(&connect, info("speed"), b"s".to_vec(), quick()).unwrap();
    let workers = [Running::start(&connect, "a", 1), Running::start(&connect, "b", 1)];
    std::thread::sleep(Duration::from_secs(2));
    for count in [1000, 5000, 20_000] {
        let all = jobs(count, "x");
        let begun = Instant::now();
        submit(&coordinator, &all);
        collect(&coordinator, b"s", &all, Duration::from_secs(120));
        let seconds = begun.elapsed().as_secs_f64();
        // Every job was really done by a worker, in this round.
        let worked: u64 = workers
            .iter()
            .map(|worker| worker.seen.worked.swap(0, std::sync::atomic::Ordering::SeqCst))
            .sum();
        assert!(worked >= count, "{worked} of {count}");
        println!(
            "{worked} times worked, {count} jobs in {seconds:.2} s: {:.0} a second",
            count as f64 / seconds
        );
    }
    let begun = Instant::now();
    let blob = vec![5; 64 << 20];
    coordinator.put_blob("blob", blob.clone()).unwrap();
    let put = begun.elapsed();
    assert!(coordinator.get_blob("blob").unwrap() == blob);
    println!("64 MiB stored in {put:.2?}, read in {:.2?}", begun.elapsed() - put);
    coordinator.finish(serde_json::json!(0)).unwrap();
}
