//! The corpus: `problems/*.toml` crossed with every driver and scheme.

use crate::common::root;
use foregone::guidance::{Guidance, all_guidances};
use foregone::job::{Job, Question};
use foregone::run::perft;
use foregone::session;
use foregone_games::registry::{GAMES, Visitor, with_game};
use foregone_model::{Guide, Notation, Typed};
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

struct Perft<'a>(&'a PerftProblem);

impl Visitor for Perft<'_> {
    type Output = ();

    fn visit<G: Guide + Notation>(self, game: G) {
        let s = game.read_position_or_moves(&self.0.position).unwrap();
        for (i, &count) in self.0.counts.iter().enumerate() {
            // The last levels of the longest lists are left to `foregone perft`.
            if count > 3_000_000 {
                continue;
            }
            assert_eq!(perft(&game, &s, i as u32 + 1), count, "{} at {}", self.0.game, i + 1);
        }
    }
}

#[test]
fn perft_counts_are_those_of_the_corpus() {
    let mut lists = 0;
    for problem in problems().iter().flat_map(|p| &p.perft) {
        assert!(!problem.source.is_empty(), "{} has no source", problem.game);
        with_game(&problem.game, Perft(problem)).unwrap();
        lists += 1;
    }
    assert!(lists >= 40, "{lists}");
}

/// Solves a problem in several ways and says how many of them answered.
struct Value<'a> {
    problem: &'a ValueProblem,
    every_way: bool,
    nodes: u64,
}

impl Visitor for Value<'_> {
    type Output = u32;

    fn visit<G: Guide + Notation>(self, game: G) -> u32 {
        let problem = self.problem;
        let start = game.read_position_or_moves(&problem.position).unwrap();
        let words = crate::common::solve_args(&problem.game);
        let default = Job::new(&game, &words).unwrap().guidance;
        let ways: Vec<Guidance> =
            if self.every_way { all_guidances(game.evaluates()) } else { vec![default] };
        let mut answered = 0;
        for guidance in ways {
            let mut job = Job::unlimited(start.clone(), Question::Value, guidance);
            job.budget.limits.nodes = self.nodes;
            let answer = session::solve(&game, &job, false).unwrap();
            if !answer.solved() {
                assert!(!self.every_way, "{guidance:?} did not solve {}", problem.game);
                continue;
            }
            let value = game.scale().name(answer.bounds.0).to_owned();
            assert_eq!(
                value, problem.value,
                "{guidance:?} on {} {}",
                problem.game, problem.position
            );
            answered += 1;
        }
        answered
    }
}

fn solve_all(size: &str, every_way: bool, nodes: u64) -> (u32, u32) {
    let (mut asked, mut answered) = (0, 0);
    for problem in problems().iter().flat_map(|p| &p.value).filter(|v| v.size == size) {
        assert!(!problem.source.is_empty(), "{} has no source", problem.game);
        asked += 1;
        answered += with_game(&problem.game, Value { problem, every_way, nodes }).unwrap();
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

/// Solves with so many threads: value, counts and certificate.
struct Threads(u32);

impl Visitor for Threads {
    type Output = (foregone_model::Outcome, u64, u64, String);

    fn visit<G: Guide + Notation>(self, game: G) -> Self::Output {
        let words = "domineering:5x6 --driver squared --scheme pn --no-knowledge --no-symmetry";
        let mut job = Job::new(&game, &crate::common::solve_args(words)).unwrap();
        job.budget.threads = self.0;
        let answer = session::solve(&game, &job, false).unwrap();
        assert!(answer.proved && !answer.certificates.is_empty());
        let counts = answer.counts;
        (answer.bounds.0, counts.expansions, counts.nodes, answer.certificates)
    }
}

#[test]
fn threads_change_no_value() {
    let one = with_game("domineering:5x6", Threads(1)).unwrap();
    let three = with_game("domineering:5x6", Threads(3)).unwrap();
    assert_eq!(one.0, three.0);
    // They do more, but not as many times more as there are threads: most of it was needed.
    assert!(one.2 > 1_000_000 && three.2 < 2 * one.2, "{} and {} nodes", one.2, three.2);
    // The same number of threads does the same.
    assert_eq!(three, with_game("domineering:5x6", Threads(3)).unwrap());
}
