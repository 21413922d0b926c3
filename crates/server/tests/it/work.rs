//! Work that is listened to, left, stopped, paused and broken.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use foregone::{Cancel, Clock, Engine, Job, SystemClock};
use foregone_desk::Limits;
use foregone_server::Options;
use serde_json::{Value, json};

use crate::client::Client;
use crate::{impatient, limits, start, start_with};

/// A game that no test is long enough for.
fn hard() -> Value {
    json!({ "game": "connect-four:6x7", "scheme": "pn", "driver": "dag" })
}

/// Nodes that a search creates when nobody listens and nothing else goes on.
fn nodes_of(job: &Value) -> u64 {
    let job: Job = serde_json::from_value(job.clone()).unwrap();
    Engine::default().run(&job, &mut (), &Cancel::new()).unwrap().answer.nodes()
}

fn nodes_in(event: &Value) -> u64 {
    event["answer"]["nodes"].as_u64().unwrap_or_else(|| panic!("{event}"))
}

fn stop(client: &Client, id: &str) {
    assert_eq!(client.post(&format!("/api/work/{id}/stop"), "{}").status, 200);
}

/// Waits until this holds.
fn soon(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(20), "{what} does not happen");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_search_tells_how_far_it_is() {
    let (_server, client) = start();
    let id = client.search(&hard());
    let mut events = client.listen(&id);
    let (first, started) = events.next().unwrap();
    assert_eq!((first, &started["event"]), (1, &json!("started")));
    let (one, progress) = events.until("progress");
    let (two, later) = events.until("progress");
    assert!(two > one);
    assert!(later["nodes"].as_u64() > progress["nodes"].as_u64(), "{progress} {later}");
    assert_eq!(later["moves"].as_array().map(Vec::len), Some(7), "{later}");
    stop(&client, &id);
    let (_, last) = events.until("solved");
    assert_eq!(last["answer"]["stop"], "interrupted");
    assert_eq!(events.next(), None, "the stream ends with the last event");
    // Stopping what has ended changes nothing.
    stop(&client, &id);
}

#[test]
fn who_comes_back_goes_on_where_they_left() {
    let (_server, client) = start();
    let job = json!({ "game": "tic-tac-toe", "moves": true, "scheme": "pn" });
    let id = client.search(&job);
    let all: Vec<(u64, Value)> = client.listen(&id).collect();
    assert!(all.len() > 9, "{all:?}");
    assert!(all.windows(2).all(|two| two[0].0 < two[1].0), "{all:?}");
    let valued = all.iter().filter(|(_, event)| event["event"] == "move-valued").count();
    assert_eq!(valued, 9);
    let middle = all[all.len() / 2].0;
    let rest: Vec<(u64, Value)> = client.listen_after(&id, Some(middle)).collect();
    let expected: Vec<_> = all.iter().filter(|(number, _)| *number > middle).cloned().collect();
    assert_eq!(rest, expected);
    let again: Vec<(u64, Value)> = client.listen(&id).collect();
    assert_eq!(again, all, "who has lost all hears all");
    let none: Vec<_> = client.listen_after(&id, all.last().map(|(number, _)| *number)).collect();
    assert_eq!(none, []);
    let liar: Vec<_> = client.listen_after(&id, Some(u64::MAX)).collect();
    assert_eq!(liar.last(), all.last(), "who claims too much gets all");
}

#[test]
fn work_that_is_left_ends() {
    let options = Options { patience: impatient(), ..Options::default() };
    let (_server, client) = start_with(SystemClock::new(), limits(), options);
    // One that nobody has ever listened to, and one that was left.
    let never = client.search(&hard());
    let left = client.search(&hard());
    let mut events = client.listen(&left);
    events.until("progress");
    thread::sleep(Duration::from_millis(1500));
    let (_, progress) = events.until("progress");
    assert!(progress["nodes"].as_u64() > Some(0), "it goes on while somebody listens");
    let ended = |id: &str| {
        // A look takes less than the server's patience, and is not listening.
        let answer = client.get(&format!("/api/work/{id}/events"));
        answer.text().contains("\"stop\":\"interrupted\"")
    };
    assert!(ended(&never));
    drop(events);
    thread::sleep(Duration::from_millis(1500));
    assert!(ended(&left));
}

#[test]
fn the_silent_are_told_that_the_server_is_there() {
    let options = Options { patience: impatient(), ..Options::default() };
    let (_server, client) = start_with(SystemClock::new(), Limits { jobs: 1, ..limits() }, options);
    let first = client.search(&hard());
    let mut running = client.listen(&first);
    running.until("started");
    // This one waits, and has nothing to tell.
    let second = client.search(&hard());
    let mut waiting = client.listen(&second);
    waiting.until("queued");
    let stopping = thread::spawn({
        let (client, second) = (client.clone(), second.clone());
        move || {
            thread::sleep(Duration::from_millis(900));
            stop(&client, &second);
        }
    });
    let (_, last) = waiting.until("failed");
    assert!(waiting.signs >= 2, "{} signs of life", waiting.signs);
    assert_eq!(last["failure"]["kind"], "stopped", "{last}");
    stopping.join().unwrap();
    stop(&client, &first);
}

#[test]
fn too_much_work_waits_in_a_row() {
    let (_server, client) =
        start_with(SystemClock::new(), Limits { jobs: 1, ..limits() }, Options::default());
    let first = client.search(&hard());
    let small = json!({ "game": "tic-tac-toe" });
    let row: Vec<String> = (0..64).map(|_| client.search(&small)).collect();
    let work = json!({ "work": "solve", "job": small }).to_string();
    let answer = client.post("/api/work", &work);
    assert_eq!((answer.status, answer.kind().as_str()), (503, "limit"));
    let mut third = client.listen(&row[2]);
    assert_eq!(third.next().unwrap().1, json!({ "event": "queued", "ahead": 3 }));
    // Who leaves the row lets the others move up, and there is a place again.
    stop(&client, &row[0]);
    assert_eq!(client.hear(&row[0]).pop().unwrap()["failure"]["kind"], "stopped");
    assert_eq!(third.next().unwrap().1, json!({ "event": "queued", "ahead": 2 }));
    let late = client.search(&small);
    stop(&client, &first);
    assert_eq!(third.until("solved").1["answer"]["value"], "draw");
    assert_eq!(client.hear(&late).pop().unwrap()["event"], "solved");
    for id in &row[1..] {
        assert_eq!(client.hear(id).pop().unwrap()["event"], "solved");
    }
}

#[test]
fn work_side_by_side_finds_what_it_finds_alone() {
    let (_server, client) = start();
    let jobs = [
        json!({ "game": "connect-four:5x4", "scheme": "pn", "driver": "dag" }),
        json!({ "game": "domineering:5x5", "scheme": "pp", "driver": "tree" }),
    ];
    let ids: Vec<String> = jobs.iter().map(|job| client.search(job)).collect();
    let listening: Vec<_> = ids.iter().map(|id| client.listen(id)).collect();
    for (job, mut events) in jobs.iter().zip(listening) {
        let (_, last) = events.until("solved");
        assert_eq!(last["answer"]["status"], "solved", "{job}");
        assert_eq!(nodes_in(&last), nodes_of(job), "{job}");
    }
}

#[test]
fn paused_work_goes_on_with_more() {
    let (_server, client) = start();
    let mut job = hard();
    job["budget"] = json!({ "time": 0.3 });
    let id = client.search(&job);
    let mut events = client.listen(&id);
    let (_, paused) = events.until("paused");
    assert_eq!(paused["why"], "time", "{paused}");
    let before = paused["seconds"].as_f64().unwrap();
    assert!((0.3..5.0).contains(&before), "{paused}");
    thread::sleep(Duration::from_millis(700));
    let more = |seconds: f64| {
        let body = json!({ "seconds": seconds }).to_string();
        assert_eq!(client.post(&format!("/api/work/{id}/more"), &body).status, 200);
    };
    more(0.3);
    events.until("resumed");
    let (_, again) = events.until("paused");
    let gone = again["seconds"].as_f64().unwrap() - before;
    assert!((0.3..5.0).contains(&gone), "a pause takes no time of the search: {gone}");
    stop(&client, &id);
    let (_, last) = events.until("solved");
    assert_eq!(last["answer"]["status"], "undecided", "{last}");

    // A search that pauses on its way comes to the same end.
    let mut job = json!({ "game": "connect-four:5x5", "scheme": "pn", "driver": "dag" });
    let alone = nodes_of(&job);
    job["budget"] = json!({ "time": 0.2 });
    let id = client.search(&job);
    let mut events = client.listen(&id);
    let (_, first) =
        events.find(|(_, e)| e["event"] == "paused" || e["event"] == "solved").unwrap();
    assert_eq!(first["event"], "paused");
    client
        .post(&format!("/api/work/{id}/more"), r#"{"seconds":1e300,"bytes":18446744073709551615}"#);
    assert_eq!(nodes_in(&events.until("solved").1), alone);
}

#[test]
fn nobody_pauses_for_ever() {
    let patience = foregone_server::Patience { paused: Duration::from_millis(300), ..impatient() };
    let options = Options { patience, ..Options::default() };
    let (_server, client) = start_with(SystemClock::new(), limits(), options);
    let mut job = hard();
    job["budget"] = json!({ "time": 0.2 });
    let events = client.hear(&client.search(&job));
    let names: Vec<_> = events.iter().map(|e| e["event"].as_str().unwrap()).collect();
    assert!(names.contains(&"paused") && !names.contains(&"resumed"), "{names:?}");
    assert_eq!(events.last().unwrap()["answer"]["stop"], "interrupted");
}

/// A clock that breaks in the next thread that begins work once it is told to.
#[derive(Clone)]
struct Breaking {
    clock: SystemClock,
    armed: Arc<AtomicBool>,
    known: Arc<Mutex<HashSet<ThreadId>>>,
}

impl Clock for Breaking {
    fn now(&self) -> Duration {
        let thread = thread::current();
        if thread.name() == Some("work") {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if known.insert(thread.id()) && self.armed.swap(false, Ordering::Relaxed) {
                panic!("the clock is broken");
            }
        }
        self.clock.now()
    }
}

#[test]
fn a_mistake_of_ours_ends_one_work_only() {
    let clock =
        Breaking { clock: SystemClock::new(), armed: Arc::default(), known: Arc::default() };
    let (_server, client) = start_with(clock.clone(), limits(), Options::default());
    let job = json!({ "game": "connect-four:5x5", "scheme": "pn", "driver": "dag" });
    let other = client.search(&job);
    let mut others = client.listen(&other);
    others.until("progress");
    clock.armed.store(true, Ordering::Relaxed);
    let events = client.hear(&client.search(&json!({ "game": "tic-tac-toe" })));
    let failure = &events.last().unwrap()["failure"];
    assert!(failure["message"].as_str().unwrap().contains("the clock is broken"), "{events:?}");
    assert_eq!(nodes_in(&others.until("solved").1), nodes_of(&job), "the other went on");
    // Its place is free again: two at a time still work.
    let two = [client.search(&hard()), client.search(&hard())];
    for id in &two {
        let mut events = client.listen(id);
        assert_eq!(events.next().unwrap().1["event"], "started");
        events.until("progress");
    }
    for id in &two {
        stop(&client, id);
    }
}

#[test]
fn what_has_ended_is_forgotten_after_a_while() {
    let patience = foregone_server::Patience { ended: Duration::from_millis(500), ..impatient() };
    let options = Options { patience, ..Options::default() };
    let (_server, client) = start_with(SystemClock::new(), limits(), options);
    let id = client.search(&json!({ "game": "tic-tac-toe" }));
    let path = format!("/api/work/{id}/events");
    assert_eq!(client.get(&path).status, 200);
    soon("forgetting", || client.get(&path).status == 404);
}

#[test]
fn after_a_restart_old_work_is_gone() {
    let (server, client) = start();
    let id = client.search(&json!({ "game": "tic-tac-toe" }));
    let proof = client.hear(&id).pop().unwrap()["proof"]["proof"].clone();
    let outline = json!({ "proof": proof }).to_string();
    assert_eq!(client.post("/api/outline", &outline).status, 200);
    let running = client.search(&hard());
    let mut events = client.listen(&running);
    events.until("progress");
    let (port, began) = (server.local().port(), Instant::now());
    server.stop();
    assert!(began.elapsed() < Duration::from_secs(1), "it took {:?} to end", began.elapsed());
    assert_eq!(events.until("solved").1["answer"]["stop"], "interrupted", "who listens is told");
    let desk = foregone_desk::Desk::new(SystemClock::new(), limits());
    let again = foregone_server::Server::start(desk, &Options { port, ..Options::default() });
    let _again = again.unwrap();
    for id in [&id, &running] {
        let answer = client.get(&format!("/api/work/{id}/events"));
        assert_eq!((answer.status, answer.kind().as_str()), (404, "gone"));
    }
    // The first work of this run has not the name of the first one of that, and its proof neither.
    let other = client.search(&json!({ "game": "tic-tac-toe" }));
    assert_ne!(other, id);
    assert_eq!(client.hear(&other).pop().unwrap()["event"], "solved");
    assert_eq!(client.post("/api/outline", &outline).kind(), "gone");
}

#[test]
fn paused_work_gives_its_place_to_what_waits() {
    let limits = Limits { jobs: 1, ..limits() };
    let (_server, client) = start_with(SystemClock::new(), limits, Options::default());
    let mut job = hard();
    job["budget"] = json!({ "time": 0.3 });
    let paused = client.search(&job);
    let mut events = client.listen(&paused);
    let quick = client.search(&json!({ "game": "tic-tac-toe" }));
    let mut others = client.listen(&quick);
    let (_, solved) = others.until("solved");
    assert_eq!(solved["answer"]["value"], "draw");
    // What was paused is still there.
    events.until("paused");
    let more = json!({ "seconds": 0.2 }).to_string();
    assert_eq!(client.post(&format!("/api/work/{paused}/more"), &more).status, 200);
    events.until("resumed");
    stop(&client, &paused);
    assert_eq!(events.until("solved").1["answer"]["stop"], "interrupted");
}
