//! The corpus: `problems/*.toml` crossed with every driver and scheme.

use crate::common::{guided, in_turn, job, line_is_true, root, run, run_on, shared, turn};
use foregone::games::registry::GAMES;
use foregone::model::{Guide, Typed};
use foregone::search::{DriverSpec, Guidance, all_guidances};
use foregone::{Job, Stop, default_guidance, perft};
use serde::Deserialize;

#[derive(Deserialize)]
struct Problems {
    #[serde(default)]
    perft: Vec<PerftProblem>,
    #[serde(default)]
    value: Vec<ValueProblem>,
}

#[derive(Deserialize)]
struct PerftProblem {
    game: String,
    #[serde(default = "start")]
    position: String,
    counts: Vec<u64>,
    source: String,
}

#[derive(Deserialize)]
struct ValueProblem {
    game: String,
    #[serde(default = "start")]
    position: String,
    value: String,
    source: String,
    size: String,
}

fn start() -> String {
    "start".to_owned()
}

fn problems() -> Vec<Problems> {
    let mut files: Vec<_> = std::fs::read_dir(root().join("problems"))
        .unwrap()
        .map(|f| f.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    assert!(files.len() >= 10, "{files:?}");
    files
        .iter()
        .map(|p| {
            toml::from_str(&std::fs::read_to_string(p).unwrap())
                .unwrap_or_else(|e| panic!("{}: {e}", p.display()))
        })
        .collect()
}

#[test]
fn every_game_of_the_corpus_is_in_the_list() {
    for file in problems() {
        let perft = file.perft.iter().map(|p| &p.game);
        for game in perft.chain(file.value.iter().map(|v| &v.game)) {
            let name = game.split(':').next().unwrap();
            assert!(GAMES.iter().any(|g| g.name == name), "{name} is not in the list of games");
        }
    }
}

#[test]
fn perft_counts_are_those_of_the_corpus() {
    let mut lists = 0;
    for problem in problems().iter().flat_map(|p| &p.perft) {
        assert!(!problem.source.is_empty(), "{} has no source", problem.game);
        let game = in_turn(&problem.game);
        let s = game.read_position_or_moves(&problem.position).unwrap();
        for (i, &count) in problem.counts.iter().enumerate() {
            // The last levels of the longest lists are left to `foregone perft`.
            if count <= 3_000_000 {
                assert_eq!(perft(&game, &s, i as u32 + 1), count, "{} at {}", problem.game, i + 1);
            }
        }
        lists += 1;
    }
    assert!(lists >= 40, "{lists}");
}

/// Solves a problem in several ways and says how many of them answered.
fn solve_one(problem: &ValueProblem, every_way: bool, nodes: u64) -> u32 {
    let game = in_turn(&problem.game);
    let ways: Vec<Guidance> = match every_way {
        true => all_guidances(game.evaluates()),
        false => vec![default_guidance(&game)],
    };
    let mut asked = Job::new(&problem.game).at(&problem.position);
    asked.budget.nodes = Some(nodes);
    let mut answered = 0;
    for guidance in ways {
        let finished = run_on(&shared(&game), &guided(asked.clone(), guidance)).unwrap();
        if !finished.answer.solved() {
            assert!(!every_way, "{guidance} did not solve {}", problem.game);
            continue;
        }
        let answer = turn(&finished);
        let place = format!("{guidance} on {} {}", problem.game, problem.position);
        assert_eq!(answer.value.as_deref(), Some(problem.value.as_str()), "{place}");
        let whole = line_is_true(&game, answer, |_| {});
        // A small game is played to its end.
        assert!(whole || !every_way, "{place}: {:?}", answer.line);
        answered += 1;
    }
    answered
}

fn solve_all(size: &str, every_way: bool, nodes: u64) -> (u32, u32) {
    let (mut asked, mut answered) = (0, 0);
    for problem in problems().iter().flat_map(|p| &p.value).filter(|v| v.size == size) {
        assert!(!problem.source.is_empty(), "{} has no source", problem.game);
        asked += 1;
        answered += solve_one(problem, every_way, nodes);
    }
    (asked, answered)
}

#[test]
fn small_problems_by_every_driver_and_scheme() {
    let (asked, answered) = solve_all("small", true, 20_000_000);
    assert!(asked >= 80 && answered >= 8 * asked, "{answered} answers to {asked}");
}

#[test]
fn larger_problems_by_default() {
    let (asked, answered) = solve_all("medium", false, 3_000_000);
    println!("medium: {answered} of {asked} within 3 million nodes");
    assert!(answered * 10 >= asked * 9, "{answered} of {asked}");
    let (asked, answered) = solve_all("large", false, 200_000);
    println!("large: {answered} of {asked} within 200 thousand nodes, the others unanswered");
    assert!(answered >= 8, "{answered} of {asked}");
}

#[test]
fn threads_change_no_value_of_the_corpus() {
    let problems = problems();
    let (mut asked, mut answered) = (0, 0);
    for problem in problems.iter().flat_map(|p| &p.value).filter(|v| v.size != "large") {
        for threads in [1, 2, 4] {
            let mut job = Job::new(&problem.game).at(&problem.position);
            (job.driver, job.budget.threads) = (Some(DriverSpec::ALPHA_BETA), threads);
            job.budget.nodes = Some(300_000);
            let finished = run(&job);
            asked += 1;
            if finished.answer.solved() {
                answered += 1;
                let value = turn(&finished).value.as_deref();
                assert_eq!(value, Some(problem.value.as_str()), "{job}");
            }
        }
    }
    assert!(answered * 10 >= asked * 7, "{answered} of {asked}");
}

/// Every driver and several schemes on two and on five threads, with and without cycles: the same values,
/// and proofs that were replayed.
#[test]
fn threads_change_no_value() {
    let mut asked = 0;
    for game in [
        "domineering:4x5",
        "connect-four:4x4",
        "hex:3",
        "breakthrough:4x4",
        "tic-tac-toe",
        "nogo:1x9",
        "kalah:2,2",
        "explicit:examples/loop-draws.game",
        "explicit:examples/figure-2-1a.game",
        "explicit:examples/figure-2-2.game",
        "gdl:rulesheets/chomp.kif",
    ] {
        for words in [
            "",
            "driver=df scheme=pn",
            "driver=df scheme=mo(pn)",
            "driver=df scheme=pp",
            "driver=tree scheme=pn",
            "driver=tree scheme=mo(pp)",
            "driver=dag scheme=pp",
            "driver=squared scheme=pn",
            "driver=squared scheme=mo(pn)",
            "driver=alphabeta",
        ] {
            let folder = |name: &str| format!(":{}/{name}/", root().display());
            let game = game.replace(":examples/", &folder("examples"));
            let game = game.replace(":rulesheets/", &folder("rulesheets"));
            // Small jobs, so that there are many of them.
            let text = |threads: u32| {
                format!(
                    "{game} {words} threads={threads} inner_nodes=50 nodes=3000000 proof=always"
                )
            };
            let one = run(&job(&text(1)));
            if one.answer.stop() != Stop::Solved {
                continue;
            }
            for threads in [2, 5] {
                let some = run(&job(&text(threads)));
                asked += 1;
                assert_eq!(some.answer.stop(), Stop::Solved, "{}", text(threads));
                let (some_turn, one_turn) = (turn(&some), turn(&one));
                assert_eq!(some_turn.value, one_turn.value, "{}", text(threads));
                let proved = some_turn.proof.as_ref().is_some_and(|proof| proof.checked);
                assert!(proved && !some.certificate.is_empty(), "{}", text(threads));
            }
        }
    }
    assert!(asked > 150, "{asked}");
}
