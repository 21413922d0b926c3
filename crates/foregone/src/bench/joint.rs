//! Joint moves and battles: how fast they are searched.

use std::time::{Duration, Instant};

use clap::Parser;
use foregone_combat::{Army, Evaluation, Scenario, Searcher, Settings};
use foregone_model::{Rng, Side};
use foregone_search::matrix::Solver;

use super::{Bench, wrong};
use crate::args::{Cli, Command, SolveArgs};
use crate::combat::fight;
use crate::failure::Failure;
use crate::joint::{Measured, measure};
use crate::print::grouped;
use crate::session::short;

/// The jobs of the signature: the words behind `solve`, and the value that must come out.
const JOBS: &[(&str, f64)] = &[
    ("goofspiel:5 --position moves:5/3 --scheme bi --driver tree", 17.0 / 32.0),
    ("goofspiel:6 --scheme bi --driver dag", 0.0),
    ("goofspiel:6 --scheme smab --driver tree --skip 0 --no-knowledge", 0.0),
    ("goofspiel:6 --scheme smab --driver dag", 0.0),
    ("goofspiel:6 --scheme do --driver tree", 0.0),
    ("goofspiel:4 --scheme sequence", 0.0),
    ("goofspiel:5 --scheme alt", 0.0),
    ("oshi-zumo:12,3,1 --scheme do --driver dag", 0.0),
    ("pursuit:4x4,5 --scheme smab --driver dag", -1.0 / 7.0),
    ("bidding-tic-tac-toe:1 --scheme bi --driver dag", 1.0),
    ("tic-tac-toe --scheme smab --driver dag", 0.0),
];

fn solve_args(words: &str) -> Result<SolveArgs, Failure> {
    let line = format!("foregone solve {words}");
    match Cli::try_parse_from(line.split_whitespace()) {
        Ok(Cli { command: Command::Solve(args) }) => Ok(args),
        _ => Err(wrong(format!("`{line}` is no command"))),
    }
}

fn solve(words: &str) -> Result<Measured, Failure> {
    let args = solve_args(words)?;
    measure(&args)
}

/// The sizes of the matrices that are timed, and what a throwaway solver took for them.
const SIZES: [(usize, f64); 6] = [(2, 0.06), (3, 0.16), (5, 0.56), (7, 1.65), (10, 3.6), (13, 7.0)];

/// Units a side, and what SparCraft searches there in a second: LTD2 at leaves, and playouts.
const BATTLES: [(&str, &str, &str); 3] = [
    ("2 marine", "420k", "19-39k"),
    ("2 marine, 2 zergling", "400k", "7-21k"),
    ("4 marine, 4 zergling", "290k", "3-9.5k"),
];

impl Bench<'_> {
    /// The part of the signature that joint moves and battles have.
    pub(super) fn joint_signature(&mut self) -> Result<u64, Failure> {
        let mut total = 0;
        for (words, value) in JOBS {
            let found = solve(words)?;
            // Approximations are in the list for their counts; they have no known value.
            let known = !words.contains("--scheme alt");
            if known && !found.value.is_some_and(|v| (v - value).abs() < 1e-9) {
                return Err(wrong(format!("`foregone solve {words}` gave {:?}", found.value)));
            }
            let nodes = found.counts.plain.nodes;
            self.say(&format!("  {:>12}  foregone solve {words}", grouped(nodes)));
            total += nodes;
        }
        let battle = "abcd:alt,playout,200nodes";
        let nodes = fight(battle, "nok-av", 8, 0, 1)?.effort[0].nodes;
        let words = format!("foregone combat {battle} nok-av --battles 8");
        self.say(&format!("  {:>12}  {words}", grouped(nodes)));
        Ok(total + nodes)
    }

    /// Goofspiel by the searches of joint moves, and matrices.
    pub(super) fn joint(&mut self) -> Result<(), Failure> {
        self.say("joint: goofspiel, the best of five runs in turn");
        for (cards, rounds) in [("6", 5), ("7", 5)] {
            let schemes = ["bi", "smab", "do"];
            let mut best = [f64::INFINITY; 3];
            let mut nodes = [0; 3];
            for _ in 0..rounds {
                for (at, scheme) in schemes.iter().enumerate() {
                    let words = format!("goofspiel:{cards} --scheme {scheme} --driver tree");
                    let found = solve(&words)?;
                    best[at] = best[at].min(found.time.as_secs_f64());
                    nodes[at] = found.counts.plain.expansions;
                }
            }
            for (at, scheme) in schemes.iter().enumerate() {
                self.say(&format!(
                    "  {cards} cards, tree  {scheme:<5} {:>9} matrices  {:.4} s  {:.2} of bi",
                    grouped(nodes[at]),
                    best[at],
                    best[at] / best[0],
                ));
            }
        }
        for cards in ["8", "9"] {
            let found = solve(&format!("goofspiel:{cards} --scheme bi --driver dag"))?;
            self.say(&format!(
                "  {cards} cards, dag   bi    {:>9} matrices  {:.4} s",
                grouped(found.counts.plain.expansions),
                found.time.as_secs_f64()
            ));
        }
        self.say("  random matrices n x n, microseconds each");
        for (n, other) in SIZES {
            let time = matrices(n);
            self.say(&format!("  n = {n:<2} {time:>6.2}   a throwaway simplex {other:.2}"));
        }
        Ok(())
    }

    /// How many states a second ABCD searches.
    pub(super) fn combat(&mut self) -> Result<(), Failure> {
        self.say("combat: nodes a second by leaf, beside SparCraft's on a comparable machine");
        for (army, ltd2, playout) in BATTLES {
            let speed = |evaluation| speed(army, evaluation);
            self.say(&format!(
                "  {army:<22} ltd2 {:>6} (SparCraft {ltd2})  playout {:>6} (SparCraft {playout})",
                short(speed(Evaluation::Ltd2)?),
                short(speed(Evaluation::Playout)?),
            ));
        }
        Ok(())
    }
}

/// Nodes a second in decisions of 20 ms at the starts of twenty battles.
fn speed(army: &str, evaluation: Evaluation) -> Result<f64, Failure> {
    let army = Army::parse(army).map_err(|e| wrong(e.to_string()))?;
    let time = Some(Duration::from_millis(20));
    let mut searcher = Searcher::new(Settings { evaluation, time, ..Settings::default() });
    let (mut nodes, clock) = (0, Instant::now());
    for seed in 0..20 {
        let scenario = Scenario::mirrored(&army, seed).map_err(|e| wrong(e.to_string()))?;
        searcher.forget();
        nodes += searcher.decide(&scenario.start, Side::Max).nodes;
    }
    Ok(nodes as f64 / clock.elapsed().as_secs_f64())
}

/// Microseconds for a random matrix, the best of some rounds.
fn matrices(n: usize) -> f64 {
    let mut rng = Rng::new(n as u64);
    let unit = |rng: &mut Rng| (rng.bits() >> 11) as f64 / (1u64 << 53) as f64;
    let games: Vec<Vec<f64>> =
        (0..2000).map(|_| (0..n * n).map(|_| unit(&mut rng)).collect()).collect();
    let mut solver = Solver::default();
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let clock = Instant::now();
        let sum: f64 = games.iter().map(|payoffs| solver.solve(n, payoffs).0).sum();
        std::hint::black_box(sum);
        best = best.min(clock.elapsed().as_secs_f64() / games.len() as f64);
    }
    best * 1e6
}
