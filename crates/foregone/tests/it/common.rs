//! What several tests need.

use std::collections::HashSet;
use std::path::PathBuf;

use foregone::games::erased::Erased;
use foregone::games::registry::{GAMES, Moves, Opened};
use foregone::model::{Endless, Notation, Outcome, Turn, Typed};
use foregone::search::Guidance;
use foregone::{
    Answer, AnyGame, Cancel, Engine, Error, Finished, FormulaAnswer, Job, JointAnswer, LineEnd,
    Trust, TurnAnswer,
};

/// The directory that holds README and problems.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A job as its text says.
pub(crate) fn job(text: &str) -> Job {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The same job, guided like this.
pub(crate) fn guided(job: Job, by: Guidance) -> Job {
    Job { driver: Some(by.driver()), scheme: by.scheme(), leaves: by.leaves(), ..job }
}

/// A game in turn.
pub(crate) fn in_turn(spec: &str) -> Erased {
    match Engine::default().open(spec).unwrap_or_else(|e| panic!("{spec}: {e}")).opened() {
        Opened::InTurn(game) => game.clone(),
        Opened::Joint(_) => panic!("in {spec} players move at the same time"),
    }
}

/// The numbers of sequences of moves from the start, up to a depth.
pub(crate) fn perft_counts(game: &AnyGame, depth: u32) -> Vec<u64> {
    let (clock, cancel) = (foregone::NoClock, Cancel::new());
    let nobody = &mut ();
    let mut context = foregone::Context::new(&clock, nobody, &cancel);
    game.perft("start", depth, None, &mut context, |_, _| {}).unwrap().0
}

/// A game of a type that is known, for the searches that all games share.
pub(crate) fn shared(game: &Erased) -> AnyGame {
    AnyGame::from(Opened::InTurn(game.clone()))
}

/// Runs a job about a game, unobserved.
pub(crate) fn run_on(game: &AnyGame, job: &Job) -> Result<Finished, Error> {
    Engine::default().run_on(game, job, &mut (), &Cancel::new())
}

/// Runs a job, unobserved.
pub(crate) fn run(job: &Job) -> Finished {
    let finished = Engine::default().run(job, &mut (), &Cancel::new());
    finished.unwrap_or_else(|e| panic!("{job}: {e}"))
}

/// The answer about a game in turn.
pub(crate) fn turn(finished: &Finished) -> &TurnAnswer {
    match &finished.answer {
        Answer::Turn(answer) => answer,
        other => panic!("{other:?}"),
    }
}

/// The answer about a formula.
pub(crate) fn formula(finished: &Finished) -> &FormulaAnswer {
    match &finished.answer {
        Answer::Formula(answer) => answer,
        other => panic!("{other:?}"),
    }
}

/// The answer about a game with joint moves.
pub(crate) fn joint(finished: &Finished) -> &JointAnswer {
    match &finished.answer {
        Answer::Joint(answer) => answer,
        other => panic!("{other:?}"),
    }
}

/// The bounds of an answer as outcomes of the game's scale.
pub(crate) fn bounds<G: Notation>(game: &G, answer: &TurnAnswer) -> (Outcome, Outcome) {
    let outcomes = || (0..=game.scale().best().0).map(Outcome);
    // Outcomes that are the same to Max stand for each other, by their names or by what Max gets.
    let named = |name: &str, o: Outcome| {
        name.split(" or ").any(|name| name == game.scale().name(o))
            || game.scale().find(name).is_none()
                && game.score(o, foregone::model::Agent::FIRST).to_string() == name
    };
    let [least, most] = &answer.bounds;
    let low = outcomes().find(|&o| named(least, o)).unwrap_or_else(|| panic!("{least}"));
    let high = outcomes().rfind(|&o| named(most, o)).unwrap_or_else(|| panic!("{most}"));
    (low, high)
}

/// Replays the line of an answer by the rules: it must end in what the answer says. True unless it
/// stops before, which it must say. `seen` is told every state on the way.
pub(crate) fn line_is_true<G: Notation>(
    game: &G,
    answer: &TurnAnswer,
    mut seen: impl FnMut(&G::State),
) -> bool {
    let place = || format!("{answer:?}");
    assert!(answer.player.is_none(), "{}", place());
    let mut s = game.read_position(&answer.position).unwrap();
    let mut visited = HashSet::new();
    for word in &answer.line {
        seen(&s);
        let agent = game.turn(&s).mover().unwrap_or_else(|| panic!("{}", place()));
        let m = game.read_move(&s, word).unwrap();
        let mut moves = Vec::new();
        game.moves(&s, agent, &mut moves);
        assert!(moves.contains(&m), "{word} in {}", place());
        assert!(visited.insert(s.clone()), "{}", place());
        game.play(&mut s, agent, m);
    }
    seen(&s);
    let over = game.turn(&s) == Turn::Over;
    assert_eq!(answer.best_move.as_ref(), answer.line.first());
    assert_eq!(answer.line_end == LineEnd::Undecided, !answer.solved(), "{}", place());
    let within = |o: Outcome| {
        let (low, high) = bounds(game, answer);
        assert!(low <= o && o <= high, "ends in {o:?}: {}", place());
    };
    match answer.line_end {
        LineEnd::Final => {
            assert!(over && !answer.undetermined(), "{}", place());
            within(game.outcome(&s));
            true
        }
        LineEnd::Repetition => {
            assert!(visited.contains(&s), "{}", place());
            match game.endless_from(&s) {
                Endless::Scores(o) => within(o),
                Endless::Undetermined => assert!(answer.undetermined(), "{}", place()),
                Endless::Impossible => panic!("{}", place()),
            }
            true
        }
        LineEnd::Open | LineEnd::Undecided => {
            assert!(!over || answer.line_end == LineEnd::Undecided, "{}", place());
            false
        }
    }
}

/// Whether an engine accepts the certificates of a text, by the rules and by reasons.
pub(crate) fn accepted(engine: &Engine, text: &str) -> bool {
    engine.verify(&mut text.as_bytes(), &mut Trust::default()).is_ok()
}

/// Every game of the registry on its default board, and boards that are odd: thin, small, and
/// too large for 64 bits.
pub(crate) fn boards() -> Vec<String> {
    let odd = [
        "2048:1x2",
        "2048:4x4,64",
        "amazons:1x5",
        "amazons:7x10",
        "atari-go:1x5",
        "atari-go:9x9",
        "bear-off:15,2",
        "bear-off:0-0-2-0-1-3,7",
        "breakthrough:4x1",
        "breakthrough:4x3",
        "breakthrough:8x9",
        "cant-stop:2,1,1,0",
        "clobber:1x7",
        "clobber:9x9",
        "clobber:3x4,impartial",
        "col:1x5",
        "col:9x9",
        "connect-four:1x1",
        "connect-four:3x2",
        "connect-four:8x9",
        "dark-chess:1x2,K,1",
        "dark-chess:3x3,KAPC,12",
        "dark-chess-ending:1x3",
        "dark-chess-ending:3x3",
        "dark-chess-ending:1x32",
        "dice-race:1,1,1,0",
        "dice-race:60,4,20,9",
        "dobutsu-shogi:L",
        "dobutsu-shogi:LGC",
        "domineering:2x3 + nim:2 + {1|*} + -1/2",
        "domineering:1x7",
        "domineering:7x1",
        "domineering:9x9",
        "connect6:3,3,1",
        "connect6:7",
        "cram:1x9",
        "cram:9x9",
        "domineering-three:1x1x1",
        "domineering-three:1x5x2",
        "domineering-three:4x4x4",
        "dominoes:1,1,0",
        "dominoes:2,3,4,draw",
        "dominoes:9,27,5",
        "einstein:3,1",
        "einstein:3",
        "einstein:4,6",
        "elephants:1",
        "elephants:9,impartial",
        "elephants:64",
        "fission:1x1",
        "fission:9x9",
        "go-capture:2x2",
        "go-capture:2x19,4,black",
        "go-capture:19x19",
        "go-capture:5x5,4,black,wide",
        "gomoku:3,3",
        "gomoku:8,8",
        "gomoku:11",
        "gomoku:6,4,exact",
        "gomoku:12",
        "hackenbush:0g0,0b0,0r0",
        "hackenbush:0b1,0b1,1r2,0g2,2g2,2b9",
        "havannah:2",
        "havannah:6",
        "hex:1",
        "hex:2",
        "hex:9",
        "kalah:1,1",
        "kalah:6,4",
        "kalah:1,60",
        "kayles:1",
        "kayles:3,60,2",
        "kayles:70,58",
        "konane:1x9",
        "konane:9x9",
        "left-right:1",
        "left-right:300",
        "lines-of-action:3",
        "lines-of-action:8",
        "nim:0",
        "nim:2,2,1,9,255",
        "nogo:1x1",
        "nogo:7x2",
        "nogo:9x9",
        "octal:4.0,9,0",
        "octal:0.07,100,28",
        "octal:0.0,3",
        "othello:2x2",
        "othello:8x8",
        "phutball:3x1",
        "phutball:6x5",
        "pig:2,2",
        "pig:20,100",
        "race:1,1",
        "race:21,3,misere",
        "random-chance:1,1,64",
        "random-chance:20,64,1,500,7",
        "same-game:1x1,1,0",
        "same-game:10x12,5,4",
        "seki:0,0",
        "seki:20,20",
        "sheep:1x1,1",
        "sheep:8x8,50",
        "snort:1x5",
        "snort:9x9",
        "toads-and-frogs:x.#o/xx...oo,1,2,1,1",
        "toads-and-frogs:xo.x.oo,2,3,2,0,impartial",
        "toppling-dominoes:g",
        "toppling-dominoes:xo.gg/oxoxg",
        "woodpush:2,1",
        "woodpush:32,16",
        "y:1",
        "y:2",
        "y:11",
    ];
    let mut all: Vec<String> = GAMES
        .iter()
        .filter(|g| g.file.is_none() && g.moves == Moves::InTurn)
        .map(|g| g.name.to_owned())
        .collect();
    all.extend(odd.map(str::to_owned));
    let figures = ["figure-2-1a", "figure-2-1b", "figure-2-2", "two-urns"];
    let path =
        |f: &str| format!("explicit:{}", root().join(format!("examples/{f}.game")).display());
    all.extend(figures.map(path));
    let sheets = ["tic-tac-toe", "breakthrough", "hanoi", "race-10-3-terms", "three-player-nim"];
    let path = |f: &str| format!("gdl:{}", root().join(format!("rulesheets/{f}.kif")).display());
    all.extend(sheets.map(path));
    all
}
