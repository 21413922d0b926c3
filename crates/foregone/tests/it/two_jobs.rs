//! Jobs that run side by side, what they tell while they run, and how they are ended.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use foregone::games::erased::Erased;
use foregone::games::files::Files;
use foregone::model::{Game, Notation, Outcome, Turn, Typed};
use foregone::search::all_guidances;
use foregone::search::strong::{StrongSolution, Verdict};
use foregone::{
    Answer, Cancel, Clock, Engine, Event, Finished, Job, MoveValue, Observer, Progress, Stop,
};

use crate::common::{guided, in_turn, job, run};

/// An answer without what may differ from run to run.
fn lasting(finished: Finished) -> Finished {
    let mut finished = Finished { check_time: Duration::ZERO, ..finished };
    match &mut finished.answer {
        Answer::Turn(answer) => answer.seconds = 0.0,
        Answer::Formula(answer) => answer.seconds = 0.0,
        Answer::Joint(answer) => answer.seconds = 0.0,
        Answer::Expected(answer) => answer.seconds = 0.0,
        Answer::Many(answer) => answer.seconds = 0.0,
    }
    finished
}

/// Runs one job while another one, which would take very long, begins, and is cancelled.
#[test]
fn a_cancelled_job_does_not_disturb_another() {
    let engine = Engine::default();
    let long = [
        "connect-four:6x7 knowledge=no",
        "hex:9",
        "domineering:9x9 driver=tree scheme=pp",
        "nogo:6x6 driver=squared scheme=pn threads=2",
        "chess question=\"formula omega(9)\"",
        "goofspiel:10 solver=bi(tree)",
    ];
    let short = [
        "domineering:5x6 driver=dag scheme=pn knowledge=no proof=always",
        "tic-tac-toe driver=tree scheme=mcts seed=3 proof=always",
        "goofspiel:6 proof=always",
    ];
    for (at, text) in long.into_iter().enumerate() {
        let other = job(short[at % short.len()]);
        let alone = lasting(run(&other));
        assert!(alone.answer.solved() && !alone.certificate.is_empty());
        let (cancel, (started, wait)) = (Cancel::new(), mpsc::channel());
        let token = cancel.clone();
        std::thread::scope(|scope| {
            let endless = scope.spawn(|| {
                let mut tell = |event: &Event| {
                    if let Event::Started { .. } = event {
                        started.send(()).unwrap();
                    }
                };
                engine.run(&job(text), &mut tell, &token).unwrap()
            });
            wait.recv().unwrap();
            let beside = scope.spawn(|| engine.run(&other, &mut (), &Cancel::new()).unwrap());
            std::thread::sleep(Duration::from_millis(30));
            assert!(!cancel.cancel(), "nobody cancelled it before");
            let asked = Instant::now();
            let ended = endless.join().unwrap();
            assert_eq!(ended.answer.stop(), Stop::Interrupted, "{text}");
            assert!(!ended.answer.solved() && ended.certificate.is_empty(), "{text}");
            // In milliseconds, on a machine that has nothing else to do.
            assert!(asked.elapsed() < Duration::from_secs(20), "{text}: {:?}", asked.elapsed());
            assert_eq!(lasting(beside.join().unwrap()), alone, "{other} beside {text}");
        });
        assert!(cancel.is_cancelled() && cancel.cancel());
    }
}

/// A token that was used before the job begins ends it at the first look, whatever searches.
#[test]
fn every_search_looks_at_its_token() {
    let engine = Engine::default();
    let cancel = Cancel::new();
    cancel.cancel();
    let mut jobs: Vec<Job> = all_guidances(false)
        .into_iter()
        .map(|by| guided(Job::new("breakthrough:6x6"), by))
        .collect();
    for algorithm in ["alphabeta", "dfps", "pnps", "mcps", "mps", "dfmps", "ppps", "dfpn", "pn2"] {
        jobs.push(job(&format!("hex:7 question=\"formula omega(7)\" algorithm={algorithm}")));
    }
    for solver in ["bi", "bi(tree)", "smab", "do", "do(tree)", "sequence", "maxmin", "alt", "rab"] {
        jobs.push(job(&format!("goofspiel:11 solver={solver}")));
    }
    for job in jobs {
        let finished = engine.run(&job, &mut (), &cancel);
        let finished = finished.unwrap_or_else(|e| panic!("{job}: {e}"));
        assert_eq!(finished.answer.stop(), Stop::Interrupted, "{job}");
    }
}

/// A clock that moves on by the same step each time somebody looks.
struct Steps {
    looked: AtomicU64,
    step: Duration,
}

impl Steps {
    fn of(step: Duration) -> Steps {
        Steps { looked: AtomicU64::new(0), step }
    }
}

impl Clock for Steps {
    fn now(&self) -> Duration {
        self.step * self.looked.fetch_add(1, Ordering::Relaxed) as u32
    }
}

/// Keeps all events, and wants to hear of progress each time that a search looks up.
#[derive(Default)]
struct Ears(Vec<Event>);

impl Observer for Ears {
    fn event(&mut self, event: &Event) {
        self.0.push(event.clone());
    }

    fn every(&self) -> Option<Duration> {
        Some(Duration::ZERO)
    }
}

/// Runs a job by a clock that moves on by a millisecond a look.
fn observed(job: &Job) -> (Finished, Vec<Event>) {
    let engine = Engine::new(Files::from_disk(), Steps::of(Duration::from_millis(1)));
    let mut ears = Ears::default();
    let finished = engine.run(job, &mut ears, &Cancel::new());
    (finished.unwrap_or_else(|e| panic!("{job}: {e}")), ears.0)
}

/// Events as letters: started, progress, a move begun and valued, proof made, work at it, checked, done.
fn letters(events: &[Event]) -> String {
    let letter = |event: &Event| match event {
        Event::Started { .. } => 's',
        Event::Progress(_) => 'p',
        Event::Working { .. } => 'w',
        Event::MoveStarted { .. } => 'b',
        Event::MoveValued { .. } => 'v',
        Event::ProofStarted => 'm',
        Event::ProofChecked { .. } => 'c',
        Event::Done { .. } => 'd',
    };
    events.iter().map(letter).collect()
}

/// The letters without those that come as often as they like.
fn order(events: &[Event]) -> String {
    let mut letters: Vec<char> = letters(events).chars().filter(|&c| c != 'w').collect();
    letters.dedup();
    letters.into_iter().collect()
}

#[test]
fn events_come_in_their_order() {
    for (text, expected) in [
        // One search, and one proof.
        ("domineering:5x6 question=win driver=dag scheme=pn leaves=one knowledge=no", "spmcd"),
        ("domineering:5x6 question=win driver=tree scheme=pp knowledge=no", "spmcd"),
        ("tic-tac-toe question=win driver=df scheme=pn", "spmcd"),
        ("tic-tac-toe driver=alphabeta", "spmcd"),
        ("tic-tac-toe driver=tree scheme=mo(pn)", "spmcd"),
        ("domineering:5x6 question=win driver=dag scheme=pn knowledge=no proof=never", "spd"),
        ("domineering:9x9 driver=dag scheme=pn nodes=20000", "spd"),
        ("hex:3 question=\"formula omega(3)\"", "spmcd"),
        // Too short to tell of.
        ("nim:1,2", "smcd"),
        ("goofspiel:3 proof=never", "sd"),
        // A proof of joint moves is made by a search of its own.
        ("goofspiel:3", "smpcd"),
        // Two searches, one after the other, each with its proof.
        ("tic-tac-toe driver=tree scheme=pn", "spmcpmcd"),
    ] {
        let (finished, events) = observed(&job(text));
        assert_eq!(order(&events), expected, "{text}");
        let Some(Event::Done { stop }) = events.last() else { panic!("{text}") };
        assert_eq!(*stop, finished.answer.stop(), "{text}");
        let claims = events.iter().map(|event| match event {
            Event::ProofChecked { claims } => *claims,
            _ => 0,
        });
        let told = claims.sum::<u64>();
        match finished.answer.proof() {
            // Those of a proof that another one replaced are told of, too.
            Some(proof) => assert!(told >= proof.claims && proof.claims > 0, "{text}"),
            None => assert_eq!(told, 0, "{text}"),
        }
        match (&events[0], &finished.answer) {
            (Event::Started { game, position, question, scheme, driver }, Answer::Turn(answer)) => {
                assert_eq!((game, position), (&answer.game, &answer.position));
                assert_eq!((question, scheme), (&answer.question, &answer.scheme));
                assert_eq!(driver, &answer.driver);
            }
            (Event::Started { game, driver, .. }, Answer::Joint(answer)) => {
                assert_eq!((game, driver), (&answer.game, &answer.driver));
            }
            (Event::Started { game, driver, .. }, Answer::Formula(answer)) => {
                assert_eq!((game, driver), (&answer.game, &answer.algorithm));
            }
            other => panic!("{other:?}"),
        }
        // Time and work go on.
        let of = |event: &Event| match event {
            Event::Progress(progress) => Some((progress.seconds, progress.nodes)),
            _ => None,
        };
        let steps: Vec<(f64, u64)> = events.iter().filter_map(of).collect();
        assert!(steps.is_sorted_by(|a, b| a.0 < b.0), "{text}: {steps:?}");
    }
}

/// The value of a position, by trying everything.
fn value(game: &Erased, s: &<Erased as Game>::State) -> Outcome {
    if game.turn(s) == Turn::Over {
        return game.outcome(s);
    }
    let reached = |&o: &u16| {
        let strong = StrongSolution::of(game, s.clone(), Outcome(o), 1_000_000).unwrap();
        strong.verdict(s) == Some(Verdict::Won)
    };
    Outcome((1..=game.scale().best().0).filter(reached).count() as u16)
}

/// Whether bounds that are told contain a value.
fn contain(game: &Erased, [low, high]: &[String; 2], value: Outcome) -> bool {
    let find = |name: &str| game.scale().find(name).unwrap();
    find(low) <= value && value <= find(high)
}

#[test]
fn progress_tells_the_truth_about_the_moves_of_the_root() {
    let (mut told, mut narrowed) = (0, 0);
    for (spec, position) in [
        ("tic-tac-toe", "start"),
        ("tic-tac-toe", "moves:a2"),
        ("connect-four:4x4", "1234"),
        ("kalah:3,2", "start"),
    ] {
        let game = in_turn(spec);
        let start = game.read_position_or_moves(position).unwrap();
        let Some(agent) = game.turn(&start).mover() else { panic!("{spec}") };
        let root = value(&game, &start);
        let mut moves = Vec::new();
        game.moves(&start, agent, &mut moves);
        let after = |&m: &<Erased as Game>::Move| {
            let mut next = start.clone();
            game.play(&mut next, agent, m);
            (game.move_text(&start, m), value(&game, &next))
        };
        let values: HashMap<String, Outcome> = moves.iter().map(after).collect();
        for by in all_guidances(false) {
            let question = if by.many_outcomes() { "value" } else { "win" };
            let asked = Job { knowledge: false, symmetry: false, ..Job::new(spec).at(position) };
            let asked = guided(asked.ask(question.parse().unwrap()), by);
            let (_, events) = observed(&asked);
            for event in events {
                let Event::Progress(progress) = event else { continue };
                let Progress { bounds, line, moves, .. } = &progress;
                assert!(contain(&game, bounds, root), "{asked}: {progress:?}");
                if !moves.is_empty() && !line.is_empty() {
                    assert!(values.contains_key(&line[0]), "{asked}: {line:?}");
                }
                for MoveValue { text, bounds, .. } in moves {
                    let truth = values[text];
                    assert!(
                        contain(&game, bounds, truth),
                        "{asked}: {text} is {truth:?}, {progress:?}"
                    );
                    told += 1;
                    narrowed += u32::from(bounds[0] == bounds[1]);
                }
            }
        }
    }
    assert!(told > 5000 && narrowed > 500, "{told} told, {narrowed} of them values");
}

#[test]
fn best_first_searches_tell_of_every_move_and_its_numbers() {
    for (text, form) in [
        ("tic-tac-toe question=win driver=tree scheme=pn knowledge=no symmetry=no", "/"),
        ("tic-tac-toe question=win driver=dag scheme=pn knowledge=no symmetry=no", "/"),
        ("tic-tac-toe question=win driver=tree scheme=pp knowledge=no symmetry=no", "0."),
    ] {
        let (_, events) = observed(&job(text));
        let last = events.iter().rev().find_map(|event| match event {
            Event::Progress(progress) if !progress.moves.is_empty() => Some(progress),
            _ => None,
        });
        let last = last.unwrap_or_else(|| panic!("{text}: {}", letters(&events)));
        assert_eq!(last.moves.len(), 9, "{text}: {last:?}");
        assert!(last.moves.iter().any(|m| m.value.contains(form)), "{text}: {:?}", last.moves);
        assert!(!last.root.is_empty() && last.nodes > 0 && last.bytes > 0, "{text}: {last:?}");
    }
}

#[test]
fn a_clock_that_jumps_ends_a_job() {
    let jobs = [
        "connect-four:6x7 time=3600",
        "connect-four:6x7 driver=dag scheme=pn time=3600",
        "hex:9 time=3600",
        "nogo:6x6 driver=squared scheme=pn time=3600",
        "chess question=\"formula omega(9)\" time=3600",
        "goofspiel:10 solver=bi(tree) time=3600",
    ];
    for text in jobs {
        let engine = Engine::new(Files::from_disk(), Steps::of(Duration::from_secs(1000)));
        let finished = engine.run(&job(text), &mut (), &Cancel::new()).unwrap();
        assert_eq!(finished.answer.stop(), Stop::Time, "{text}");
        assert!(!finished.answer.solved(), "{text}");
    }
    // A clock that stands still ends none.
    let finished = Engine::bare().run(&job("tic-tac-toe time=0.001"), &mut (), &Cancel::new());
    assert_eq!(finished.unwrap().answer.stop(), Stop::Solved);
}

#[test]
fn the_same_job_twice_gives_the_same_bytes() {
    for text in [
        "tic-tac-toe driver=tree scheme=mcts seed=3 proof=drawn",
        "tic-tac-toe driver=tree scheme=sbmcts(rave=10) seed=4",
        "domineering:5x5 driver=squared scheme=pn seed=5",
        "kalah:2,3",
        "hex:4 question=\"formula omega(3)\" algorithm=mcps seed=5",
        "hex:4 question=\"formula omega(3)\" algorithm=dfmps seed=5",
        "goofspiel:5 solver=smab seed=3",
        "goofspiel:5 solver=rab seed=3",
    ] {
        // By a clock that is a part of the job, not even the times differ.
        let [one, two] = [(); 2].map(|()| observed(&job(text)));
        let json = |(finished, events): &(Finished, Vec<Event>)| {
            let both = (lasting(finished.clone()), events);
            serde_json::to_string(&both).unwrap()
        };
        assert_eq!(json(&one), json(&two), "{text}");
    }
}

/// Budgets are counted for each job.
#[test]
fn budgets_end_jobs_by_their_names() {
    for (text, stop) in [
        ("connect-four:6x7 nodes=2000 driver=dag scheme=pn", Stop::Nodes),
        ("connect-four:6x7 nodes=2000", Stop::Nodes),
        ("connect-four:6x7 memory=100000 driver=dag scheme=pn", Stop::Memory),
        ("connect-four:6x7 playouts=500 driver=tree scheme=mcts", Stop::Nodes),
        ("hex:5 memory=100000 driver=tree scheme=pn knowledge=no", Stop::Memory),
    ] {
        let finished = run(&job(text));
        assert_eq!(finished.answer.stop(), stop, "{text}");
        if let (Stop::Nodes, true) = (stop, text.contains("nodes=")) {
            assert!(finished.answer.nodes() <= 2200, "{text}: {}", finished.answer.nodes());
        }
    }
}
