//! The sequence form: all positions of a game in one linear program.
//!
//! After D. Koller, N. Megiddo and B. von Stengel, *Fast algorithms for finding randomized
//! strategies in game trees* (STOC 1994), which *Solving Games and All That* compares with
//! (Table 5.4). A variable for each move of Max in each position of the tree says how likely Max
//! makes the game go there as far as it is up to Max; one for each position is what Min then pays
//! there at most. Positions that come up again are positions of their own.
//!
//! It is here to be compared with: the program has as many rows as the tree has moves. The solver
//! is the crate `microlp`.

use std::time::Duration;

use foregone_model::Joint;
use microlp::{
    ComparisonOp, LinearExpr, OptimizationDirection, Problem, Solution, SolveOptions, SolveOutcome,
    Variable,
};

use super::{JointReport, Pair, Root, Walk};
use crate::report::{Limits, StopReason, Watch};

/// The value of `start`, and what Max plays there.
pub fn sequence<J: Joint>(
    game: &J,
    start: &J::State,
    limits: Limits,
    watch: &mut dyn Watch<Pair<J>>,
) -> JointReport<J::Move> {
    let mut walk = Walk::new(game, limits, watch);
    walk.counts.plain.nodes += 1;
    if let Some(payoff) = game.payoff(start) {
        return walk.report(start, Ok((payoff as f64, Root::default())));
    }
    let problem = Problem::new(OptimizationDirection::Maximize);
    let mut form = Form { walk, problem };
    let built = form.position(start, None);
    let Form { mut walk, problem } = form;
    let (_, plan) = match built {
        Ok(root) => root,
        Err(stop) => return walk.report(start, Err(stop)),
    };
    walk.counts.lp_calls += 1;
    walk.weigh(walk.counts.plain.nodes * BYTES_OF_CELL);
    let solution = match solve(&mut walk, problem) {
        Ok(solution) => solution,
        Err(stop) => return walk.report(start, Err(stop)),
    };
    let value = solution.objective();
    let moves = walk.open(start);
    let played = walk.moves[moves.first..].iter().copied().zip(&plan);
    let max = played
        .map(|(m, variable)| (m, solution[*variable]))
        .filter(|(_, weight)| *weight > 1e-12)
        .collect();
    let report = walk.report(start, Ok((value, Root::default())));
    JointReport { max, ..report }
}

/// Solves the program, looking up now and then.
fn solve<J: Joint>(walk: &mut Walk<'_, J>, problem: Problem) -> Result<Solution, StopReason> {
    let mut options = SolveOptions::default();
    options.time_limit = Some(SLICE);
    options.tolerances.feasibility = TOLERANCE;
    let mut outcome = problem.solve_with(options);
    loop {
        match outcome {
            Ok(SolveOutcome::Solution(solution)) => return Ok(solution),
            Ok(so_far @ SolveOutcome::Interrupted(_)) => {
                walk.look_up(walk.counts.plain.nodes * BYTES_OF_CELL)?;
                outcome = so_far.resume();
            }
            // The program has a solution by von Neumann's theorem: the solver gave up.
            Err(_) => return Err(StopReason::Memory),
        }
    }
}

struct Form<'a, J: Joint> {
    walk: Walk<'a, J>,
    problem: Problem,
}

/// How far a constraint may be missed: errors of many positions add up.
const TOLERANCE: f64 = 1e-10;

/// How long the solver works between two looks at the clock.
const SLICE: Duration = Duration::from_millis(20);

/// The bytes that a position takes in the program, roughly: some numbers for each of its cells.
const BYTES_OF_CELL: u64 = 200;

impl<J: Joint> Form<'_, J> {
    /// Adds a position that is not over, to which Max's moves lead with the likelihood `reached`.
    /// What Min pays there at most, and the likelihoods of Max's moves.
    fn position(
        &mut self,
        s: &J::State,
        reached: Option<Variable>,
    ) -> Result<(Variable, Vec<Variable>), StopReason> {
        self.walk.expand(self.walk.counts.plain.nodes * BYTES_OF_CELL)?;
        let moves = self.walk.open(s);

        // 1. Max's moves share the likelihood of the position.
        let plan: Vec<Variable> =
            (0..moves.rows).map(|_| self.problem.add_var(0.0, (0.0, 1.0))).collect();
        let mut all = LinearExpr::empty();
        for &variable in &plan {
            all.add(variable, 1.0);
        }
        match reached {
            None => self.problem.add_constraint(all, ComparisonOp::Eq, 1.0),
            Some(before) => {
                all.add(before, -1.0);
                self.problem.add_constraint(all, ComparisonOp::Eq, 0.0);
            }
        }

        // 2. Min pays at most what each of its moves costs.
        let goal = if reached.is_none() { 1.0 } else { 0.0 };
        let pays = self.problem.add_var(goal, (f64::NEG_INFINITY, f64::INFINITY));
        for column in 0..moves.columns {
            let mut cost = LinearExpr::empty();
            cost.add(pays, 1.0);
            for (row, &likely) in plan.iter().enumerate() {
                let next = self.walk.after(s, moves, row, column);
                match self.walk.game.payoff(&next) {
                    Some(payoff) => cost.add(likely, -(payoff as f64)),
                    None => {
                        let (below, _) = self.position(&next, Some(likely))?;
                        cost.add(below, -1.0);
                    }
                }
            }
            self.problem.add_constraint(cost, ComparisonOp::Le, 0.0);
        }
        self.walk.close(moves);
        Ok((pays, plan))
    }
}
