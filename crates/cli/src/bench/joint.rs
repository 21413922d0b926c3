//! Joint moves and battles: how fast they are searched.

use std::time::{Duration, Instant};

use foregone::model::{Rng, Side};
use foregone::search::matrix::Solver;
use foregone::text::{grouped, short};
use foregone::{Answer, Error, Job, JointAnswer, Proof};
use foregone_combat::{Army, Evaluation, Scenario, Searcher, Settings};

use super::{Bench, wrong};
use crate::combat::fight;
use crate::reproduce::command;

/// The jobs of the signature, and the value that must come out.
const JOBS: &[(&str, f64)] = &[
    ("goofspiel:5 position=moves:5/3 solver=bi(tree)", 17.0 / 32.0),
    ("goofspiel:6 solver=bi", 0.0),
    ("goofspiel:6 solver=smab(tree,skip=0) knowledge=no", 0.0),
    ("goofspiel:6 solver=smab", 0.0),
    ("goofspiel:6 solver=do(tree)", 0.0),
    ("goofspiel:4 solver=sequence", 0.0),
    ("goofspiel:5 solver=alt", 0.0),
    ("oshi-zumo:12,3,1 solver=do", 0.0),
    ("pursuit:4x4,5 solver=smab", -1.0 / 7.0),
    ("bidding-tic-tac-toe:1 solver=bi", 1.0),
    ("tic-tac-toe question=nash solver=smab", 0.0),
];

/// The sizes of the matrices that are timed, and what a throwaway solver took for them.
const SIZES: [(usize, f64); 6] = [(2, 0.06), (3, 0.16), (5, 0.56), (7, 1.65), (10, 3.6), (13, 7.0)];

/// Units a side, and what SparCraft searches there in a second: LTD2 at leaves, and playouts.
const BATTLES: [(&str, &str, &str); 3] = [
    ("2 marine", "420k", "19-39k"),
    ("2 marine, 2 zergling", "400k", "7-21k"),
    ("4 marine, 4 zergling", "290k", "3-9.5k"),
];

/// A search of joint moves, without a proof: searches alone are measured.
fn job(text: &str) -> Result<Job, Error> {
    Ok(Job { proof: Proof::Never, ..text.parse()? })
}

/// The jobs of the signature.
pub(super) fn jobs() -> Result<Vec<Job>, Error> {
    JOBS.iter().map(|&(text, _)| job(text)).collect()
}

impl Bench<'_, '_> {
    /// The part of the signature that joint moves and battles have.
    pub(super) fn joint_signature(&mut self) -> Result<u64, Error> {
        let mut total = 0;
        for &(text, value) in JOBS {
            let (job, found) = self.measure(text)?;
            // Approximations are in the list for their counts; they have no known value.
            let known = found.approximation.is_none();
            let near = |v: &String| v.parse().is_ok_and(|v: f64| (v - value).abs() < 1e-9);
            if known && !found.value.as_ref().is_some_and(near) {
                return Err(wrong(format!("`{}` gave {:?}", command(&job), found.value)));
            }
            self.say(&format!("  {:>12}  {}", grouped(found.nodes), command(&job)));
            total += found.nodes;
        }
        let battle = "abcd:alt,playout,200nodes";
        let nodes = fight(self.program, battle, "nok-av", 8, 0, 1)?.effort[0].nodes;
        let words = format!("foregone combat {battle} nok-av --battles 8");
        self.say(&format!("  {:>12}  {words}", grouped(nodes)));
        Ok(total + nodes)
    }

    /// Runs a search of joint moves.
    fn measure(&self, text: &str) -> Result<(Job, JointAnswer), Error> {
        let job = job(text)?;
        match self.finish(&job)?.answer {
            Answer::Joint(answer) => Ok((job, answer)),
            Answer::Turn(_) | Answer::Formula(_) | Answer::Expected(_) | Answer::Many(_) => {
                Err(wrong(format!("`{text}` is not about joint moves")))
            }
        }
    }

    /// Goofspiel by the searches of joint moves, and matrices.
    pub(super) fn joint(&mut self) -> Result<(), Error> {
        self.say("joint: goofspiel, the best of five runs in turn");
        for (cards, rounds) in [("6", 5), ("7", 5)] {
            let solvers = ["bi", "smab", "do"];
            let mut best = [f64::INFINITY; 3];
            let mut nodes = [0; 3];
            for _ in 0..rounds {
                for (at, solver) in solvers.iter().enumerate() {
                    let text = format!("goofspiel:{cards} solver={solver}(tree)");
                    let (_, found) = self.measure(&text)?;
                    best[at] = best[at].min(found.seconds);
                    nodes[at] = found.expansions;
                }
            }
            for (at, solver) in solvers.iter().enumerate() {
                self.say(&format!(
                    "  {cards} cards, tree  {solver:<5} {:>9} matrices  {:.4} s  {:.2} of bi",
                    grouped(nodes[at]),
                    best[at],
                    best[at] / best[0],
                ));
            }
        }
        for cards in ["8", "9"] {
            let (_, found) = self.measure(&format!("goofspiel:{cards} solver=bi"))?;
            self.say(&format!(
                "  {cards} cards, dag   bi    {:>9} matrices  {:.4} s",
                grouped(found.expansions),
                found.seconds
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
    pub(super) fn combat(&mut self) -> Result<(), Error> {
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
fn speed(army: &str, evaluation: Evaluation) -> Result<f64, Error> {
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
