//! Jobs that are interrupted again and again, and resumed: the answer, the counts and the certificate
//! are those of a job without a break.

use std::cell::RefCell;
use std::io::Cursor;
use std::rc::Rc;
use std::time::Duration;

use foregone::model::Rng;
use foregone::search::all_guidances;
use foregone::{
    Answer, Budget, Cancel, Checkpoints, Engine, Error, Event, Finished, Job, Keeper, Observer,
    Proof, WriteOut,
};

use crate::common::{guided, job, root};

/// How a job ends before its time.
#[derive(Clone, Copy)]
enum End {
    /// It is asked to end, and keeps a last checkpoint.
    Asked,
    /// It is killed; a checkpoint is kept each time it was looked at so often.
    Killed(u64),
}

/// Keeps the last checkpoint, and ends the job after so many looks.
struct Memory {
    kept: Rc<RefCell<Option<Vec<u8>>>>,
    looks: u64,
    cancel: Cancel,
    end: End,
}

impl Keeper for Memory {
    fn due(&mut self, _elapsed: Duration) -> bool {
        self.looks = self.looks.saturating_sub(1);
        if self.looks == 0 {
            self.cancel.cancel();
        }
        matches!(self.end, End::Killed(every) if self.looks.is_multiple_of(every))
    }

    fn keep(&mut self, write: &mut WriteOut<'_>) {
        let mut bytes = Vec::new();
        let killed = matches!(self.end, End::Killed(_)) && self.cancel.is_cancelled();
        if write(&mut bytes).unwrap() && !killed {
            *self.kept.borrow_mut() = Some(bytes);
        }
    }
}

struct Kept(Checkpoints);

impl Observer for Kept {
    fn event(&mut self, _event: &Event) {}

    fn checkpoints(&mut self) -> Option<&mut Checkpoints> {
        Some(&mut self.0)
    }
}

/// Runs a job for so many looks, from a checkpoint if there is one. What it found, and a checkpoint.
fn leg(
    job: &Job,
    from: Option<Vec<u8>>,
    looks: u64,
    end: End,
) -> (Result<Finished, Error>, Option<Vec<u8>>, bool) {
    let (cancel, kept) = (Cancel::new(), Rc::new(RefCell::new(from.clone())));
    let keeper = Box::new(Memory { kept: Rc::clone(&kept), looks, cancel: cancel.clone(), end });
    let checkpoints = match from {
        None => Checkpoints::new(keeper),
        Some(bytes) => Checkpoints::resumed(keeper, Box::new(Cursor::new(bytes))).unwrap(),
    };
    let finished = Engine::default().run(job, &mut Kept(checkpoints), &cancel);
    let last = kept.borrow_mut().take();
    (finished, last, cancel.is_cancelled())
}

/// What must be the same, as text.
fn essence(finished: &Finished) -> (String, String) {
    let mut answer = finished.answer.clone();
    *answer.peak_bytes_mut() = 0;
    match &mut answer {
        Answer::Turn(turn) => turn.seconds = 0.0,
        Answer::Formula(formula) => {
            formula.seconds = 0.0;
            // Questions to the game are counted by the process.
            formula.queries = Default::default();
        }
        Answer::Joint(joint) => joint.seconds = 0.0,
        other => panic!("{other:?}"),
    }
    (serde_json::to_string(&answer).unwrap(), finished.certificate.clone())
}

/// Interrupts a job at random moments, so often, and compares. How many legs it took.
fn same_as_without_a_break(job: &Job, rng: &mut Rng, longest: u64, end: End) -> u32 {
    let whole = Engine::bare().run(job, &mut (), &Cancel::new()).unwrap();
    let mut from = None;
    for legs in 1..400 {
        // Sooner or later it has to come to its end.
        let looks = 1 + rng.below_wide(longest) * u64::from(legs / 8 + 1);
        let (finished, next, cancelled) = leg(job, from, looks, end);
        let finished = finished.unwrap_or_else(|e| panic!("{job}, leg {legs}: {e}"));
        if !cancelled {
            assert_eq!(essence(&finished), essence(&whole), "{job}, leg {legs}");
            return legs;
        }
        from = next;
    }
    panic!("{job} does not come to its end");
}

fn small() -> Budget {
    Budget { nodes: Some(40_000), ..Budget::default() }
}

/// Whether all that can be tried is tried: `FOREGONE_KILLS=20`.
fn thorough() -> bool {
    std::env::var_os("FOREGONE_KILLS").is_some()
}

/// Games of all kinds: without and with cycles, with two, three and many outcomes, held in place or not.
const GAMES: [&str; 7] = [
    "domineering:4x4",
    "tic-tac-toe position=moves:a1,c3",
    "connect-four:4x3",
    "chinese-checkers:1,2",
    "woodpush:7,2",
    "same-game:3x3",
    "lines-of-action:4",
];

#[test]
fn every_driver_and_scheme_goes_on_as_if_nothing_had_been() {
    let mut rng = Rng::new(5);
    let (mut legs, mut jobs) = (0, 0);
    for (number, game) in GAMES.into_iter().enumerate() {
        for (place, by) in all_guidances(false).into_iter().enumerate() {
            // Each of them with some games, and each game with some of them.
            if !thorough() && (number + place) % 4 != 0 {
                continue;
            }
            let job = Job { proof: Proof::Always, ..guided(job(game), by) };
            let quick = Job { budget: small(), ..job.clone() };
            let finished = Engine::bare().run(&quick, &mut (), &Cancel::new());
            if !finished.is_ok_and(|finished| finished.answer.solved()) {
                continue;
            }
            let end = if jobs % 2 == 0 { End::Asked } else { End::Killed(3) };
            legs += same_as_without_a_break(&job, &mut rng, 12, end);
            jobs += 1;
        }
    }
    println!("{legs} legs of {jobs} jobs");
    assert!(legs > 2 * jobs && jobs > 100, "{legs} legs of {jobs} jobs");
}

#[test]
fn jobs_of_many_searches_go_on() {
    let (mut rng, mut legs) = (Rng::new(6), 0);
    for text in [
        "tic-tac-toe moves=yes driver=df scheme=pn",
        "connect-four:4x4 moves=yes driver=dag scheme=pn",
        "same-game:3x4 outcomes=iterative driver=tree scheme=pn",
        "same-game:3x4 outcomes=doubling driver=df scheme=pp",
        "nim:2,3,4 moves=yes driver=alphabeta",
        "chinese-checkers:1,2 moves=yes driver=squared scheme=pn",
        "breakthrough:4x4 driver=squared scheme=pp",
        "domineering:5x5 driver=alphabeta player=horizontal",
    ] {
        let job = Job { proof: Proof::Always, ..job(text) };
        for end in [End::Asked, End::Killed(7)] {
            legs += same_as_without_a_break(&job, &mut rng, 30, end);
        }
    }
    assert!(legs > 60, "{legs}");
}

/// With several threads counts are not the same twice, but the value is, it is proved, and what was found out
/// before a break is not found out again.
#[test]
fn several_threads_go_on() {
    let mut rng = Rng::new(10);
    let (mut legs, mut used, mut alone) = (0, 0, 0);
    for text in [
        "connect-four:5x4 driver=df scheme=pn threads=2 inner_nodes=200",
        "domineering:5x5 driver=df scheme=mo(pn) threads=2 inner_nodes=60",
        "same-game:3x4 driver=df scheme=mo(pp) threads=3 inner_nodes=20",
        "connect-four:5x4 driver=squared scheme=pn threads=2 inner_nodes=300",
        "breakthrough:4x4 driver=squared scheme=pp threads=3 inner_nodes=40",
        "connect-four:5x4 driver=alphabeta threads=2",
        "domineering:5x6 driver=alphabeta threads=3",
    ] {
        let job = Job { proof: Proof::Always, ..job(text) };
        let whole = Engine::bare().run(&job, &mut (), &Cancel::new()).unwrap();
        alone += whole.answer.nodes();
        for end in [End::Asked, End::Killed(4)] {
            let mut from = None;
            loop {
                legs += 1;
                let looks = 1 + rng.below_wide(12) * (legs / 60 + 1);
                let (finished, next, cancelled) = leg(&job, from, looks, end);
                let finished = finished.unwrap_or_else(|e| panic!("{job}: {e}"));
                if !cancelled {
                    assert_eq!(finished.answer.value(), whole.answer.value(), "{job}");
                    assert!(finished.answer.proof().is_some(), "{job}");
                    used += finished.answer.nodes();
                    break;
                }
                from = next;
            }
        }
    }
    println!("{legs} legs, {used} nodes, twice {alone} without a break");
    assert!(legs > 40 && used < 8 * alone, "{legs} legs, {used} nodes, twice {alone}");
}

#[test]
fn joint_moves_go_on() {
    let mut rng = Rng::new(9);
    let mut legs = 0;
    for text in ["goofspiel:4", "goofspiel:5", "tron:3x3", "oshi-zumo:5,2", "nim:2,3 question=nash"]
    {
        let job = Job { proof: Proof::Always, ..job(text) };
        for end in [End::Asked, End::Killed(5)] {
            legs += same_as_without_a_break(&job, &mut rng, 20, end);
        }
    }
    assert!(legs > 40, "{legs}");
}

#[test]
fn formulas_go_on_with_keys_tries_and_variations() {
    let mut rng = Rng::new(7);
    let mate = "chess position=\"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1\" question=\"formula omega(2)\"";
    let help =
        "chess position=\"4R3/8/8/8/1b2K3/8/8/6k1 b - - 0 1\" question=\"formula h#2\" all=yes";
    let mut texts: Vec<String> = ["dfps", "pnps", "pnps(lambda)", "mcps", "mps", "dfmps", "ppps"]
        .into_iter()
        .chain(["dfpn", "pn2", "alphabeta"])
        .map(|algorithm| format!("{mate} algorithm={algorithm}"))
        .collect();
    texts.push(help.to_owned());
    texts.push(format!("{mate} all=yes tries=1 set_play=yes variations=yes"));
    texts.push("hex:3 question=\"formula omega(3)\" algorithm=alphabeta".to_owned());
    let mut legs = 0;
    for text in texts {
        let job = Job { proof: Proof::Always, ..job(&text) };
        for end in [End::Asked, End::Killed(5)] {
            legs += same_as_without_a_break(&job, &mut rng, 20, end);
        }
    }
    assert!(legs > 60, "{legs}");
}

/// A checkpoint in the middle of a search.
fn checkpoint(job: &Job, looks: u64) -> Vec<u8> {
    leg(job, None, looks, End::Asked).1.unwrap_or_else(|| panic!("{job} was done before"))
}

#[test]
fn a_budget_that_ran_out_leaves_a_checkpoint_that_goes_on() {
    for driver in ["tree scheme=pn", "dag scheme=pn", "squared scheme=pn", "df scheme=pn"]
        .into_iter()
        .chain(["dfs", "alphabeta"])
    {
        let whole =
            Job { proof: Proof::Always, ..job(&format!("connect-four:4x4 driver={driver}")) };
        let budget = Budget { nodes: Some(700), ..Budget::default() };
        let short = Job { budget, ..whole.clone() };
        let (finished, kept, cancelled) = leg(&short, None, u64::MAX, End::Asked);
        assert!(!cancelled && !finished.unwrap().answer.solved(), "{driver}");
        let (finished, _, _) = leg(&whole, kept, u64::MAX, End::Asked);
        let (finished, whole) =
            (finished.unwrap(), Engine::bare().run(&whole, &mut (), &Cancel::new()).unwrap());
        assert!(
            finished.answer.value() == whole.answer.value() && finished.answer.proof().is_some()
        );
        // Searches inside others are smaller where few nodes are left.
        if !driver.starts_with("squared") {
            assert_eq!(essence(&finished), essence(&whole), "{driver}");
        }
    }
}

/// Whatever bytes there are, a search says that it can't read them, or proves what it says.
#[test]
fn damaged_checkpoints_never_prove_anything_wrong() {
    let mut rng = Rng::new(8);
    let (mut refused, mut answered) = (0, 0);
    for driver in ["tree scheme=pn", "dag scheme=mo(pp)", "squared scheme=pn", "df scheme=mo(pn)"]
        .into_iter()
        .chain(["dfs", "alphabeta", "df scheme=mo(pn) threads=2 inner_nodes=9", "dag scheme=pn"])
    {
        let game = match driver {
            // Where play may be endless, an answer may take two searches.
            "dag scheme=pn" => format!("explicit:{}/examples/figure-2-2.game", root().display()),
            _ => "connect-four:4x3".to_owned(),
        };
        let text = format!("{game} driver={driver}");
        let whole = Job { proof: Proof::Always, ..job(&text) };
        let soon = ["squared", "alphabeta"].iter().any(|d| driver.starts_with(d));
        let looks = if soon { 1 } else { 9 };
        // Where a lie leads a search astray for long, it ends.
        let budget = Budget { nodes: Some(200_000), ..Budget::default() };
        let whole = Job { budget, ..whole };
        let value = Engine::default().run(&whole, &mut (), &Cancel::new()).unwrap();
        let value = value.answer.value().map(str::to_owned);
        let bytes = match driver {
            // It is solved before anybody looks.
            "dag scheme=pn" => {
                let budget = Budget { nodes: Some(6), ..Budget::default() };
                leg(&Job { budget, ..whole.clone() }, None, u64::MAX, End::Asked).1.unwrap()
            }
            _ => checkpoint(&whole, looks),
        };
        for round in 0..120 {
            let mut bytes = bytes.clone();
            let at = rng.below(bytes.len() as u32) as usize;
            match round % 3 {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 1 << rng.below(8),
                _ => bytes[at..].iter_mut().take(8).for_each(|byte| *byte = u8::MAX),
            }
            let job = whole.clone();
            // Rules may panic that are asked about states that can't be; the program says so.
            let found = std::panic::catch_unwind(move || {
                let cancel = Cancel::new();
                let kept = Rc::new(RefCell::new(None));
                let looks = 100_000;
                let keeper =
                    Box::new(Memory { kept, looks, cancel: cancel.clone(), end: End::Asked });
                let checkpoints =
                    Checkpoints::resumed(keeper, Box::new(Cursor::new(bytes))).ok()?;
                let engine = Engine::default();
                engine.run(&job, &mut Kept(checkpoints), &cancel).ok()
            });
            match found {
                // An answer was told that nothing proved.
                Ok(Some(finished)) if finished.answer.solved() => {
                    assert!(finished.answer.proof().is_some(), "{driver}: {:?}", finished.answer);
                    assert_eq!(finished.answer.value().map(str::to_owned), value, "{driver}");
                    answered += 1;
                }
                _ => refused += 1,
            }
        }
    }
    assert!(refused > 100 && answered > 10, "{refused} refused, {answered} answered");
}

#[test]
fn what_cannot_be_kept_is_refused_before_it_begins() {
    for (text, said) in [
        ("goofspiel:4 solver=smab", "joint moves by other solvers"),
        ("pig:20", "expected values"),
        ("woodpush:7,2 driver=squared scheme=pn threads=2", "several threads"),
    ] {
        let (finished, kept, _) = leg(&job(text), None, u64::MAX, End::Asked);
        let error = finished.unwrap_err();
        assert!(error.message.contains(said), "{text}: {error}");
        assert!(kept.is_none(), "{text}");
    }
}
