//! When things are killed, hang, come twice, or are not allowed.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use foregone_cluster::{ClusterError, Commit, Coordinator, Event, Note, Options, Phase, status};

use crate::server::{Server, soon};
use crate::work::{Child, Running, answer, collect, info, jobs, quick, submit};

const LIMIT: Duration = Duration::from_secs(60);

/// The first event of a kind, not waited for for ever.
fn wait_for<T>(
    coordinator: &Coordinator,
    what: &str,
    mut wanted: impl FnMut(&Event) -> Option<T>,
) -> T {
    let begun = Instant::now();
    while begun.elapsed() < LIMIT {
        if let Some(found) =
            coordinator.next(Duration::from_millis(200)).and_then(|event| wanted(&event))
        {
            return found;
        }
    }
    panic!("not in time: {what}");
}

#[test]
fn a_worker_that_is_killed_loses_no_job() {
    let Some(server) = Server::start("a_worker_that_is_killed_loses_no_job") else { return };
    let connect = server.connect();
    let coordinator =
        Coordinator::create(&connect, info("killed"), b"s".to_vec(), quick()).unwrap();
    let mut victim = Child::worker(&server);
    let all = jobs(6, "sleep:600");
    submit(&coordinator, &all);
    let worker = wait_for(&coordinator, "the victim begins", |event| match event {
        Event::Started { worker, .. } => Some(worker.clone()),
        _ => None,
    });
    assert!(worker.starts_with("child"), "{worker}");
    victim.kill();
    let _other = Running::start(&connect, "other", 2);
    let events = collect(&coordinator, b"s", &all, LIMIT);
    let done_by_victim = events
        .iter()
        .filter(|event| matches!(event, Event::Done { worker: by, .. } if *by == worker));
    assert!(done_by_victim.count() < 6);
}

#[test]
fn a_worker_that_hangs_loses_its_job_to_another() {
    let Some(server) = Server::start("a_worker_that_hangs_loses_its_job_to_another") else {
        return;
    };
    let connect = server.connect();
    let mut options = quick();
    options.terms.stall = Duration::from_millis(800);
    // Only the watchdog can help: the connection stays alive and keeps saying so.
    options.terms.ack_wait = Duration::from_secs(30);
    let coordinator = Coordinator::create(&connect, info("hangs"), Vec::new(), options).unwrap();
    let first = Running::start(&connect, "hangs", 1);
    let all = vec![(1, b"hang/1".to_vec())];
    submit(&coordinator, &all);
    soon("it begins", LIMIT, || first.seen.worked.load(Ordering::SeqCst) == 1);
    let second = Running::start(&connect, "second", 1);
    second.seen.worked.store(1, Ordering::SeqCst);
    let events = collect(&coordinator, b"", &all, Duration::from_secs(6));
    assert!(
        events.iter().any(
            |event| matches!(event, Event::Done { worker, .. } if worker.starts_with("second"))
        )
    );
    assert!(
        first
            .seen
            .notes
            .lock()
            .unwrap()
            .iter()
            .any(|note| matches!(note, Note::Hangs { job: 1, .. }))
    );
}

#[test]
fn a_long_job_that_reports_is_not_handed_out_twice() {
    let Some(server) = Server::start("a_long_job_that_reports_is_not_handed_out_twice") else {
        return;
    };
    let connect = server.connect();
    let mut options = quick();
    options.terms.ack_wait = Duration::from_millis(700);
    options.terms.stall = Duration::from_millis(700);
    let coordinator = Coordinator::create(&connect, info("long"), Vec::new(), options).unwrap();
    let workers = [Running::start(&connect, "a", 1), Running::start(&connect, "b", 1)];
    let all = jobs(2, "sleep:4000");
    submit(&coordinator, &all);
    let events = collect(&coordinator, b"", &all, LIMIT);
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::Partial { payload, .. } if payload == b"part"))
    );
    let worked: u64 = workers.iter().map(|worker| worker.seen.worked.load(Ordering::SeqCst)).sum();
    assert_eq!(worked, 2);
}

#[test]
fn a_server_that_is_killed_and_comes_back_loses_nothing() {
    let Some(mut server) = Server::start("a_server_that_is_killed_and_comes_back_loses_nothing")
    else {
        return;
    };
    let connect = server.connect();
    let coordinator =
        Coordinator::create(&connect, info("server"), b"s".to_vec(), quick()).unwrap();
    let _workers = [Running::start(&connect, "a", 2), Running::start(&connect, "b", 2)];
    let all = jobs(200, "sleep:40");
    submit(&coordinator, &all[..150]);
    wait_for(&coordinator, "work", |event| matches!(event, Event::Started { .. }).then_some(()));
    server.kill();
    // Jobs of these moments wait for the server.
    submit(&coordinator, &all[150..]);
    std::thread::sleep(Duration::from_millis(700));
    server.launch();
    let events = collect_rest(&coordinator, b"s", &all);
    assert!(events.contains(&Event::Disconnected) && events.contains(&Event::Reconnected));
    coordinator.finish(serde_json::json!(null)).unwrap();
}

#[test]
fn a_server_that_forgets_everything_is_told_again() {
    let Some(mut server) = Server::start("a_server_that_forgets_everything_is_told_again") else {
        return;
    };
    let connect = server.connect();
    let coordinator = Coordinator::create(&connect, info("wiped"), b"s".to_vec(), quick()).unwrap();
    let all = jobs(100, "sleep:20");
    submit(&coordinator, &all);
    let _worker = Running::start(&connect, "a", 2);
    wait_for(&coordinator, "work", |event| matches!(event, Event::Started { .. }).then_some(()));
    server.kill();
    server.wipe();
    server.launch();
    collect_rest(&coordinator, b"s", &all);
}

/// As `collect`, where some results may have come before.
fn collect_rest(coordinator: &Coordinator, setup: &[u8], all: &[(u64, Vec<u8>)]) -> Vec<Event> {
    let begun = Instant::now();
    let mut events = Vec::new();
    while coordinator.open_jobs() > 0 || events.is_empty() {
        assert!(begun.elapsed() < LIMIT, "{} jobs are open", coordinator.open_jobs());
        let Some(event) = coordinator.next(Duration::from_millis(200)) else { continue };
        if let Event::Done { job, payload, .. } = &event {
            let asked = &all.iter().find(|(number, _)| number == job).unwrap().1;
            assert_eq!(payload, &answer(setup, asked));
        }
        assert!(!matches!(event, Event::Failed { .. }), "{event:?}");
        events.push(event);
    }
    while let Some(event) = coordinator.next(Duration::from_millis(300)) {
        events.push(event);
    }
    let mut done: Vec<u64> = events
        .iter()
        .filter_map(|event| match event {
            Event::Done { job, .. } => Some(*job),
            _ => None,
        })
        .collect();
    let count = done.len();
    done.sort_unstable();
    done.dedup();
    assert_eq!(done.len(), count, "a result came twice");
    events
}

#[test]
fn a_second_coordinator_takes_over_and_the_first_one_notices() {
    let Some(server) = Server::start("a_second_coordinator_takes_over_and_the_first_one_notices")
    else {
        return;
    };
    let connect = server.connect();
    let manual = Options { commit: Commit::Manual, ..quick() };
    let first = Coordinator::create(&connect, info("two"), b"s".to_vec(), manual.clone()).unwrap();
    // While the first one is alive nobody can take over.
    let refused = Coordinator::take_over(&connect, "two", Duration::ZERO, manual.clone());
    assert!(matches!(refused, Err(ClusterError::CoordinatorAlive { .. })));
    let all = jobs(40, "sleep:10");
    submit(&first, &all);
    first.put_blob("checkpoint", b"of the first".to_vec()).unwrap();
    let worker = Running::start(&connect, "a", 1);
    collect(&first, b"s", &all, LIMIT);
    drop(first);
    assert_eq!(status(&connect, "two").unwrap().phase, Phase::Orphaned);
    let (second, info, setup) =
        Coordinator::take_over(&connect, "two", Duration::ZERO, manual).unwrap();
    assert_eq!((info.id.as_str(), setup.as_slice(), second.epoch()), ("two", &b"s"[..], 2));
    assert_eq!(second.get_blob("checkpoint").unwrap(), b"of the first");
    // It knows nothing of what the first one has seen, and submits all again: the results are there already.
    submit(&second, &all);
    collect(&second, b"s", &all, LIMIT);
    assert!(worker.seen.worked.load(Ordering::SeqCst) <= 42, "work was done again");
    second.finish(serde_json::json!(1)).unwrap();
}

#[test]
fn a_coordinator_that_was_cut_off_notices_and_cannot_spoil_anything() {
    let Some(server) =
        Server::start("a_coordinator_that_was_cut_off_notices_and_cannot_spoil_anything")
    else {
        return;
    };
    let connect = server.connect();
    // The first one reaches the server through a door that can be shut.
    let door = crate::server::Door::to(&server);
    let first = Coordinator::create(&door.connect(), info("cut"), b"s".to_vec(), quick()).unwrap();
    first.submit(1, b"x/1".to_vec()).unwrap();
    first.put_blob("checkpoint", b"first".to_vec()).unwrap();
    door.shut(true);
    let (second, _, _) = Coordinator::take_over(&connect, "cut", Duration::ZERO, quick()).unwrap();
    second.put_blob("checkpoint", b"second".to_vec()).unwrap();
    assert!(matches!(
        first.put_blob("checkpoint", b"late".to_vec()),
        Err(ClusterError::LeaseInDoubt { .. } | ClusterError::LeaseLost { .. })
    ));
    door.shut(false);
    wait_for(&first, "the first one notices", |event| (*event == Event::LeaseLost).then_some(()));
    assert!(matches!(first.submit(2, b"x/2".to_vec()), Err(ClusterError::LeaseLost { .. })));
    assert!(matches!(first.finish(serde_json::json!(0)), Err(ClusterError::LeaseLost { .. })));
    assert_eq!(second.get_blob("checkpoint").unwrap(), b"second");
    let _worker = Running::start(&connect, "a", 1);
    let all = jobs(10, "x");
    submit(&second, &all);
    collect(&second, b"s", &all, LIMIT);
}

#[test]
fn everything_is_killed_in_turn_and_nothing_is_lost() {
    let Some(mut server) = Server::start("everything_is_killed_in_turn_and_nothing_is_lost") else {
        return;
    };
    let connect = server.connect();
    let mut coordinator = Child::coordinator(&server);
    soon("the solve begins", LIMIT, || status(&connect, "orphan").is_ok());
    let mut victim = Child::worker(&server);
    std::thread::sleep(Duration::from_millis(1500));
    coordinator.kill();
    server.kill();
    victim.kill();
    server.launch();
    let _worker = Running::start(&connect, "a", 2);
    let (second, _, setup) =
        Coordinator::take_over(&connect, "orphan", Duration::ZERO, quick()).unwrap();
    assert_eq!(setup, b"s");
    let all = jobs(60, "sleep:30");
    submit(&second, &all);
    collect(&second, b"s", &all, LIMIT);
    second.finish(serde_json::json!(true)).unwrap();
}

#[test]
fn one_job_that_is_submitted_twice_is_one_job() {
    let Some(server) = Server::start("one_job_that_is_submitted_twice_is_one_job") else { return };
    let connect = server.connect();
    let coordinator = Coordinator::create(&connect, info("twice"), Vec::new(), quick()).unwrap();
    let all = jobs(5, "x");
    submit(&coordinator, &all);
    submit(&coordinator, &all);
    assert!(matches!(coordinator.submit(1, b"y".to_vec()), Err(ClusterError::JobTaken { job: 1 })));
    let worker = Running::start(&connect, "a", 2);
    collect(&coordinator, b"", &all, LIMIT);
    assert_eq!(worker.seen.worked.load(Ordering::SeqCst), 5);
    // After its result a number may be used again.
    submit(&coordinator, &all);
    collect(&coordinator, b"", &all, LIMIT);
    assert_eq!(worker.seen.worked.load(Ordering::SeqCst), 10);
}

#[test]
fn jobs_can_fail_break_down_and_be_cancelled() {
    let Some(server) = Server::start("jobs_can_fail_break_down_and_be_cancelled") else { return };
    let connect = server.connect();
    let coordinator = Coordinator::create(&connect, info("fails"), Vec::new(), quick()).unwrap();
    let worker = Running::start(&connect, "a", 1);
    for (job, order, says) in
        [(1, "fail", "as it was asked to"), (2, "panic", "the handler broke down")]
    {
        coordinator.submit(job, order.into()).unwrap();
        let (failed, message) = wait_for(&coordinator, order, |event| match event {
            Event::Failed { job, message, .. } => Some((*job, message.clone())),
            _ => None,
        });
        assert_eq!((failed, message.as_str()), (job, says));
    }
    coordinator.submit(3, b"sleep:30000".to_vec()).unwrap();
    coordinator.submit(4, b"sleep:30000".to_vec()).unwrap();
    wait_for(&coordinator, "it begins", |event| {
        matches!(event, Event::Started { job: 3, .. }).then_some(())
    });
    coordinator.cancel_job(3);
    coordinator.cancel_job(4);
    soon("it stops", LIMIT, || worker.seen.stopped.load(Ordering::SeqCst) >= 1);
    // The thread is free again, and nothing of the cancelled jobs comes.
    let all = vec![(5, b"x/5".to_vec())];
    submit(&coordinator, &all);
    collect(&coordinator, b"", &all, Duration::from_secs(15));
    // The same number, for something else.
    let all = vec![(3, b"x/3".to_vec())];
    submit(&coordinator, &all);
    collect(&coordinator, b"", &all, LIMIT);
}

#[test]
fn a_job_that_kills_every_worker_fails_in_the_end() {
    let Some(server) = Server::start("a_job_that_kills_every_worker_fails_in_the_end") else {
        return;
    };
    let connect = server.connect();
    let mut options = quick();
    options.terms.attempts = 2;
    options.terms.stall = Duration::from_millis(300);
    let coordinator = Coordinator::create(&connect, info("poison"), Vec::new(), options).unwrap();
    let workers = [
        Running::start(&connect, "a", 1),
        Running::start(&connect, "b", 1),
        Running::start(&connect, "c", 1),
    ];
    // It hangs with everyone who gets it.
    coordinator.submit(1, b"stuck".to_vec()).unwrap();
    let message = wait_for(&coordinator, "it fails", |event| match event {
        Event::Failed { job: 1, message, .. } => Some(message.clone()),
        _ => None,
    });
    assert!(message.contains("handed out 2 times"), "{message}");
    let worked: u64 = workers.iter().map(|worker| worker.seen.worked.load(Ordering::SeqCst)).sum();
    assert_eq!(worked, 2);
}

#[test]
fn a_banned_worker_is_told_and_its_jobs_go_to_others() {
    let Some(server) = Server::start("a_banned_worker_is_told_and_its_jobs_go_to_others") else {
        return;
    };
    let connect = server.connect();
    let coordinator = Coordinator::create(&connect, info("ban"), Vec::new(), quick()).unwrap();
    let liar = Running::start(&connect, "liar", 1);
    let all = jobs(4, "sleep:1000");
    submit(&coordinator, &all);
    let name = wait_for(&coordinator, "the liar begins", |event| match event {
        Event::Started { worker, .. } => Some(worker.clone()),
        _ => None,
    });
    coordinator.ban(&name, "its results are wrong");
    let _honest = Running::start(&connect, "honest", 2);
    let events = collect(&coordinator, b"", &all, LIMIT);
    assert!(
        !events.iter().any(|event| matches!(event, Event::Done { worker, .. } if *worker == name))
    );
    let notes = liar.seen.notes.lock().unwrap();
    assert!(
        notes.iter().any(|note| matches!(note, Note::Refused { message, .. } if message.contains("results are wrong")))
    );
}

#[test]
fn a_worker_of_another_version_is_refused_by_name() {
    let Some(server) = Server::start("a_worker_of_another_version_is_refused_by_name") else {
        return;
    };
    let connect = server.connect();
    let coordinator = Coordinator::create(&connect, info("version"), Vec::new(), quick()).unwrap();
    coordinator.submit(1, b"x".to_vec()).unwrap();
    let old = Running::versioned(&connect, "old", 1, "test/0");
    let (worker, message) = wait_for(&coordinator, "the refusal", |event| match event {
        Event::Refused { worker, message } => Some((worker.clone(), message.clone())),
        _ => None,
    });
    assert!(worker.starts_with("old-"));
    assert!(
        message.contains("worker old-") && message.contains("test/0") && message.contains("test/1"),
        "{message}"
    );
    assert_eq!(old.seen.worked.load(Ordering::SeqCst), 0);
    assert!(old.seen.notes.lock().unwrap().iter().any(|note| matches!(note, Note::Refused { .. })));
    // One that cannot set it up takes no jobs either.
    let other =
        Coordinator::create(&connect, info("setup"), b"impossible".to_vec(), quick()).unwrap();
    other.submit(1, b"x".to_vec()).unwrap();
    let _new = Running::start(&connect, "new", 1);
    let message = wait_for(&other, "the refusal", |event| match event {
        Event::Refused { message, .. } => Some(message.clone()),
        _ => None,
    });
    assert_eq!(message, "this cannot be set up");
    collect(&coordinator, b"", &[(1, b"x".to_vec())], LIMIT);
}

#[test]
fn sizes_are_limited_and_large_results_go_through_the_store() {
    let Some(server) = Server::start("sizes_are_limited_and_large_results_go_through_the_store")
    else {
        return;
    };
    let connect = server.connect();
    let mut options = quick();
    options.terms.max_job = 1000;
    options.terms.max_result = 4_000_000;
    let coordinator =
        Coordinator::create(&connect, info("sizes"), Vec::new(), options.clone()).unwrap();
    let error = coordinator.submit(1, vec![0; 1001]).err().unwrap().to_string();
    assert_eq!(error, "job 1 has 1001 bytes, and at most 1000 are allowed");
    options.terms.max_job = 100_000_000;
    assert!(matches!(
        Coordinator::create(&connect, info("sizes2"), Vec::new(), options),
        Err(ClusterError::TooLarge { .. })
    ));
    let _worker = Running::start(&connect, "a", 1);
    coordinator.submit(2, b"large:3000000".to_vec()).unwrap();
    let size = wait_for(&coordinator, "the large result", |event| match event {
        Event::Done { job: 2, payload, .. } => Some(payload.len()),
        _ => None,
    });
    assert_eq!(size, 3_000_000);
    coordinator.submit(3, b"large:4000001".to_vec()).unwrap();
    let message = wait_for(&coordinator, "the refusal", |event| match event {
        Event::Failed { job: 3, message, .. } => Some(message.clone()),
        _ => None,
    });
    assert!(message.contains("4000001 bytes"), "{message}");
}

#[test]
fn a_full_object_store_is_an_error_and_room_can_be_made() {
    let jetstream =
        "jetstream { store_dir: \"STORE\", max_file_store: 4MB, max_memory_store: 1MB }";
    let Some(server) =
        Server::with("a_full_object_store_is_an_error_and_room_can_be_made", "", jetstream)
    else {
        return;
    };
    let connect = server.connect();
    let coordinator = Coordinator::create(&connect, info("full"), Vec::new(), quick()).unwrap();
    coordinator.put_blob("small", vec![1; 1_000_000]).unwrap();
    for _ in 0..3 {
        let error = coordinator.put_blob("large", vec![2; 6_000_000]).err().unwrap();
        assert!(matches!(error, ClusterError::StoreFull { .. }), "{error}");
    }
    // What a failed attempt left behind is gone: there is room for what fits, and what was there is there.
    coordinator.put_blob("other", vec![3; 1_000_000]).unwrap();
    // Nor does it fill up by contents that replace each other.
    for round in 0..10 {
        coordinator.put_blob("other", vec![round; 1_000_000]).unwrap();
    }
    assert_eq!(coordinator.get_blob("other").unwrap(), vec![9; 1_000_000]);
    assert_eq!(coordinator.get_blob("small").unwrap(), vec![1; 1_000_000]);
    assert!(matches!(coordinator.get_blob("large"), Err(ClusterError::NoBlob { .. })));
}

#[test]
fn jobs_in_the_store_of_a_worker_that_hangs_go_to_others() {
    let Some(server) = Server::start("jobs_in_the_store_of_a_worker_that_hangs_go_to_others")
    else {
        return;
    };
    let connect = server.connect();
    let mut options = quick();
    options.terms.stall = Duration::from_millis(500);
    let coordinator = Coordinator::create(&connect, info("store"), Vec::new(), options).unwrap();
    let first = Running::start(&connect, "first", 1);
    // Short jobs, so that it takes many at once.
    let short = jobs(200, "x");
    submit(&coordinator, &short);
    collect(&coordinator, b"", &short, LIMIT);
    coordinator.submit(1000, b"wedge".to_vec()).unwrap();
    submit(&coordinator, &short);
    soon("it hangs", LIMIT, || {
        first.seen.notes.lock().unwrap().iter().any(|note| matches!(note, Note::Hangs { .. }))
    });
    coordinator.cancel_job(1000);
    let _second = Running::start(&connect, "second", 1);
    // The first one hangs for longer than this.
    collect(&coordinator, b"", &short, Duration::from_secs(15));
}
