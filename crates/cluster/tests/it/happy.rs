//! When nothing goes wrong.

use std::sync::atomic::Ordering;
use std::time::Duration;

use foregone_cluster::{
    ClusterError, Connect, Coordinator, Event, Note, Phase, list, remove, request_cancel, status,
};

use crate::server::{Server, soon};
use crate::work::{Running, collect, info, jobs, quick, submit};

const LIMIT: Duration = Duration::from_secs(60);

#[test]
fn two_workers_do_all_jobs_once_and_the_solve_ends() {
    let Some(server) = Server::start("two_workers_do_all_jobs_once_and_the_solve_ends") else {
        return;
    };
    let connect = server.connect();
    // One worker is there before the solve, one comes later.
    let first = Running::start(&connect, "first", 2);
    let coordinator =
        Coordinator::create(&connect, info("happy"), b"set".to_vec(), quick()).unwrap();
    assert!(matches!(
        Coordinator::create(&connect, info("happy"), Vec::new(), quick()),
        Err(ClusterError::Exists { .. } | ClusterError::CoordinatorAlive { .. })
    ));
    let second = Running::start(&connect, "second", 1);
    let all = jobs(300, "sleep:1");
    submit(&coordinator, &all);
    coordinator.publish_status(serde_json::json!({"open": 300})).unwrap();
    let shown = status(&connect, "happy").unwrap();
    assert_eq!((shown.phase, &shown.status["open"]), (Phase::Running, &serde_json::json!(300)));
    let events = collect(&coordinator, b"set", &all, LIMIT);
    let count = |wanted: fn(&Event) -> bool| events.iter().filter(|event| wanted(event)).count();
    assert_eq!(count(|event| matches!(event, Event::Joined { .. })), 2);
    assert!(count(|event| matches!(event, Event::Started { .. })) >= 250);
    assert!(first.seen.worked.load(Ordering::SeqCst) > 0);
    assert!(second.seen.worked.load(Ordering::SeqCst) > 0);
    // Nothing was done twice.
    assert_eq!(
        first.seen.worked.load(Ordering::SeqCst) + second.seen.worked.load(Ordering::SeqCst),
        300
    );

    request_cancel(&connect, "happy").unwrap();
    soon("the request to end", LIMIT, || {
        coordinator.next(Duration::from_millis(100)) == Some(Event::CancelRequested)
    });
    coordinator.finish(serde_json::json!({"value": "win"})).unwrap();
    let all = list(&connect).unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!(
        (all[0].phase, &all[0].status["value"]),
        (Phase::Finished, &serde_json::json!("win"))
    );
    soon("workers hear of the end", LIMIT, || {
        let over = |worker: &Running| {
            worker.seen.notes.lock().unwrap().iter().any(|note| matches!(note, Note::Over { .. }))
        };
        over(&first) && over(&second) && first.seen.forgotten.load(Ordering::SeqCst) > 0
    });
    remove(&connect, "happy").unwrap();
    assert!(list(&connect).unwrap().is_empty());
    assert!(matches!(status(&connect, "happy"), Err(ClusterError::NoSuchSolve { .. })));
}

#[test]
fn blobs_are_stored_read_replaced_and_removed() {
    let Some(server) = Server::start("blobs_are_stored_read_replaced_and_removed") else { return };
    let coordinator =
        Coordinator::create(&server.connect(), info("blobs"), Vec::new(), quick()).unwrap();
    for size in [0_usize, 1, 200_000, 3_000_000] {
        let bytes: Vec<u8> = (0..size).map(|i| (i * 31 % 251) as u8).collect();
        coordinator.put_blob("a name/with: signs", bytes.clone()).unwrap();
        assert!(coordinator.get_blob("a name/with: signs").unwrap() == bytes, "{size}");
    }
    coordinator.drop_blob("a name/with: signs").unwrap();
    assert!(matches!(coordinator.get_blob("a name/with: signs"), Err(ClusterError::NoBlob { .. })));
}

#[test]
fn errors_say_what_to_do() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let connect = Connect::new(format!("nats://me:secret@{free}"));
    let error =
        Coordinator::create(&connect, info("x"), Vec::new(), quick()).err().unwrap().to_string();
    assert!(error.contains(&format!("no server answers at nats://{free}")), "{error}");
    assert!(error.contains("nats-server -js") && !error.contains("secret"), "{error}");
    let Some(server) = Server::with("errors_say_what_to_do", "", "") else { return };
    let error = Coordinator::create(&server.connect(), info("x"), Vec::new(), quick())
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("without JetStream"), "{error}");
    let error = Coordinator::create(&server.connect(), info("x.y"), Vec::new(), quick())
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("cannot name a solve"), "{error}");
}

#[test]
fn what_is_too_large_for_messages_goes_through_the_store() {
    let name = "what_is_too_large_for_messages_goes_through_the_store";
    let Some(server) = Server::start(name) else { return };
    let connect = server.connect();
    let _worker = Running::start(&connect, "only", 1);
    let coordinator = Coordinator::create(&connect, info("store"), b"s".to_vec(), quick()).unwrap();
    coordinator.put_blob("given", b"abc".to_vec()).unwrap();
    let all = jobs(1, "double");
    submit(&coordinator, &all);
    let events = collect(&coordinator, b"s", &all, LIMIT);
    let worker = events.iter().find_map(|event| match event {
        Event::Done { worker, .. } => Some(worker.clone()),
        _ => None,
    });
    let worker = worker.unwrap();
    assert!(matches!(
        coordinator.get_work(&worker, "twice", 5),
        Err(ClusterError::TooLarge { size: 6, limit: 5, .. })
    ));
    assert_eq!(coordinator.get_work(&worker, "twice", 6).unwrap(), b"abcabc");
    coordinator.drop_work(&worker, "twice").unwrap();
    for (who, name) in [(worker.as_str(), "twice"), ("nobody", "twice"), (&worker, "given")] {
        let found = coordinator.get_work(who, name, 100);
        assert!(matches!(found, Err(ClusterError::NoBlob { .. })), "{who} {name}: {found:?}");
    }
}
