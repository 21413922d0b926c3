//! Writing strategies of games with chance as certificates.

use std::fmt::Write as _;

use foregone_proof::certificate::{Checksum, Expected, MAGIC};
use foregone_proof::{Agent, Notation, Ratio, Side};

use crate::write::Written;

/// A strategy to be written, and what it guarantees on average.
#[derive(Clone, Debug)]
pub struct Plan<S, M> {
    /// Whose strategy it is.
    pub prover: Side,
    /// How its bounds are computed.
    pub expected: Expected,
    /// Whether the opponent's weights are known: then the bound is what the best response gets.
    pub opponent_known: bool,
    /// What it guarantees, in points.
    pub bound: Ratio,
    /// What is played in each position; without loops, behind all that it leads to.
    pub lines: Vec<PlanLine<S, M>>,
}

/// What is played in a position.
#[derive(Clone, Debug)]
pub struct PlanLine<S, M> {
    /// The position.
    pub state: S,
    /// What is played.
    pub says: PlanMove<M>,
    /// What it is worth, where the file says so: games with loops.
    pub bound: Option<i128>,
}

/// What is played in a position of a strategy.
#[derive(Clone, Debug)]
pub enum PlanMove<M> {
    /// The prover plays this.
    Plays(M),
    /// So many moves of the opponent or of chance.
    All(usize),
    /// The weights of the moves of an opponent who is known.
    Weights(Vec<(M, u64)>),
}

/// Writes the certificate of what a strategy guarantees from `start` if this agent is Max, as long as
/// `goes_on` says so, which is asked now and then with how many positions are done, and how many
/// there are.
pub fn write_expected_while<G: Notation>(
    game: &G,
    max: Agent,
    start: &G::State,
    plan: &Plan<G::State, G::Move>,
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Option<Written> {
    let mut text = String::new();
    let _ = writeln!(text, "{MAGIC}\ngame {}\nrules {}", game.name(), game.rules());
    let _ = writeln!(text, "expected {}", plan.expected);
    let players = match max {
        Agent::FIRST => game.players(),
        other => {
            let _ = writeln!(text, "max {}", game.agent_name(other));
            [game.agent_name(other), "others"]
        }
    };
    let relation = match (plan.opponent_known, plan.prover) {
        (true, _) => "exactly",
        (false, Side::Max) => "at-least",
        (false, Side::Min) => "at-most",
    };
    let _ = writeln!(text, "position {}", game.position_text(start));
    let _ = writeln!(text, "claim {} {relation} {}\n", players[plan.prover.index()], plan.bound);
    let all = plan.lines.len() as u64;
    for (at, PlanLine { state, says, bound }) in plan.lines.iter().enumerate() {
        if at.is_multiple_of(256) && !goes_on(at as u64, all) {
            return None;
        }
        match says {
            PlanMove::Plays(m) => {
                text.push_str("! ");
                game.write_move(state, *m, &mut text);
            }
            PlanMove::All(count) => {
                let _ = write!(text, "? {count}");
            }
            PlanMove::Weights(weights) => {
                text.push('~');
                for (m, weight) in weights {
                    text.push(' ');
                    game.write_move(state, *m, &mut text);
                    let _ = write!(text, " {weight}");
                }
            }
        }
        if let Some(bound) = bound {
            let _ = write!(text, " = {bound}");
        }
        text.push_str(" @ ");
        game.write_position(state, &mut text);
        text.push('\n');
    }
    let mut sum = Checksum::EMPTY;
    sum.add(text.as_bytes());
    let _ = writeln!(text, "end {all} {:016x}", sum.0);
    let peak_bytes = text.capacity() as u64;
    Some(Written { text, claims: all, peak_bytes })
}
