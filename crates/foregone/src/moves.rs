//! What each legal move is worth: the positions behind them, one after the other.
//!
//! What the answer says of the position itself leaves little to find out: no move is better than
//! the best one, and where the game is lost every move loses.

use foregone_model::{Agent, Guide, Notation, Outcome, Side, Turn, Viewpoint};
use foregone_search::StopReason;
use foregone_search::strong::StrongSolution;

use crate::answer::{MoveAnswer, UNDETERMINED};
use crate::error::Error;
use crate::observe::{Context, Event};
use crate::scale::Ranking;
use crate::session::{Replay, Run, work_off};
use crate::task::{Findings, Part, Task};

/// Distances are counted in games with no more states than this below the position.
const SMALL: usize = 100_000;

/// What was found out about a move.
struct Valued<M> {
    step: M,
    bounds: (Outcome, Outcome),
    undetermined: bool,
    proved: bool,
    distance: Option<u32>,
}

/// Finds out what each move is worth with what is left of the budget. The certificates go behind
/// those of the position itself.
pub(crate) fn values<'g, G: Guide + Notation>(
    game: &'g G,
    task: &Task<G::State>,
    whole: &mut Findings<G::Move>,
    context: &mut Context<'_>,
    run: &Run<'_, 'g, G>,
    replay: &Replay<'_>,
) -> Result<Vec<MoveAnswer>, Error> {
    let (view, ranking) = (Viewpoint::new(game, task.max), Ranking::new(game, task.max));
    let Turn::Agent(agent) = game.turn(&task.start) else { return Ok(Vec::new()) };
    let mover = view.side(agent);
    // Step 1: what is known of every move. No move is better than the best one.
    let mut known = match (whole.undetermined, mover) {
        (true, _) => (Outcome(0), ranking.best()),
        (false, Side::Max) => (Outcome(0), whole.bounds.1),
        (false, Side::Min) => (whole.bounds.0, ranking.best()),
    };
    if task.at_least.is_some_and(|o| known.1 < o || known.0 >= o) {
        // The question is the same behind every move, and so is its answer.
        known = whole.bounds;
    }
    let whole_proved = whole.proof().is_some_and(|proof| proof.proved);
    let nothing_known = known == (Outcome(0), ranking.best());
    // The first move of the line is the one by which the answer itself is reached.
    let best_move = whole.line.first().copied().filter(|_| whole.solved() && !whole.undetermined);

    let names = |(low, high): (Outcome, Outcome)| [ranking.name(low), ranking.name(high)];
    let in_words = |value: &Valued<G::Move>, best: Option<bool>| MoveAnswer {
        text: game.move_text(&task.start, value.step),
        value: match value.undetermined {
            true => Some(UNDETERMINED.to_owned()),
            false => (value.bounds.0 == value.bounds.1).then(|| ranking.name(value.bounds.0)),
        },
        winner: ranking.winner(game, value.bounds).filter(|_| !value.undetermined),
        bounds: names(value.bounds),
        holds: match task.at_least {
            Some(o) if value.bounds.0 >= o => Some(true),
            Some(o) if value.bounds.1 < o => Some(false),
            _ => None,
        },
        best,
        distance: value.distance,
        proved: value.proved,
    };

    // Step 2: the positions behind the moves. Each is told as soon as it is known.
    let mut moves = Vec::new();
    game.moves(&task.start, agent, &mut moves);
    let mut valued: Vec<Valued<G::Move>> = Vec::new();
    for &step in &moves {
        let mut next = task.start.clone();
        game.play(&mut next, agent, step);
        let mut value =
            Valued { step, bounds: known, undetermined: false, proved: false, distance: None };
        let decided = match task.at_least {
            _ if best_move == Some(step) => {
                value.bounds = whole.bounds;
                true
            }
            _ if known.0 == known.1 => true,
            Some(o) => known.0 >= o || known.1 < o,
            None => false,
        };
        if game.turn(&next) == Turn::Over {
            let outcome = view.rank(game.outcome(&next));
            (value.bounds, value.proved) = ((outcome, outcome), true);
        } else if decided {
            value.proved = whole_proved;
        } else if whole.stop == StopReason::Solved {
            let text = game.move_text(&task.start, step);
            context.observer.event(&Event::MoveStarted { text });
            let behind = Task { start: next, wants_line: false, ..task.clone() };
            let part = Part { bounds: known, ..whole.part() };
            let mut found = work_off(game, &behind, part, context, run, replay)?;
            value.bounds = found.bounds;
            value.undetermined = found.undetermined;
            value.proved =
                found.proof().is_some_and(|proof| proof.proved) && (whole_proved || nothing_known);
            whole.add(&mut found);
        }
        context.observer.event(&Event::MoveValued { value: in_words(&value, None) });
        valued.push(value);
    }
    if task.max == Agent::FIRST {
        count_distances(game, task, &ranking, agent, &mut valued);
    }

    // Step 3: how they compare.
    let best = |value: &Valued<G::Move>| is_best(value, &valued, mover, task.at_least);
    Ok(valued.iter().map(|value| in_words(value, best(value))).collect())
}

/// Whether no move is better, if that is known. Where it is only asked whether Max reaches an
/// outcome, moves that do are equally good.
fn is_best<M>(
    value: &Valued<M>,
    all: &[Valued<M>],
    mover: Side,
    at_least: Option<Outcome>,
) -> Option<bool> {
    let rank = |o: Outcome| at_least.map_or(i32::from(o.0), |least| i32::from(o >= least));
    // The least and the most that a move is worth to the mover.
    let worth = |v: &Valued<M>| {
        let (low, high) = (rank(v.bounds.0), rank(v.bounds.1));
        if mover == Side::Max { (low, high) } else { (-high, -low) }
    };
    if all.iter().any(|other| other.undetermined) {
        return None;
    }
    let (least, most) = worth(value);
    if all.iter().all(|other| worth(other).1 <= least || std::ptr::eq(other, value)) {
        Some(true)
    } else if all.iter().any(|other| worth(other).0 > most) {
        Some(false)
    } else {
        None
    }
}

/// Counts how long it takes to win behind each move that decides the game, if the game is small.
fn count_distances<G: Guide>(
    game: &G,
    task: &Task<G::State>,
    ranking: &Ranking,
    agent: Agent,
    valued: &mut [Valued<G::Move>],
) {
    let edges = [ranking.best(), Outcome(0)];
    for edge in edges {
        let decides = |v: &Valued<G::Move>| v.bounds == (edge, edge) && !v.undetermined;
        if !valued.iter().any(decides) {
            continue;
        }
        // The best outcome is what Max reaches, the worst one what Min keeps it below.
        let at_least = Outcome(edge.0.max(1));
        let strong = StrongSolution::of(game, task.start.clone(), at_least, SMALL);
        let Some(strong) = strong else { return };
        for value in valued.iter_mut().filter(|v| decides(v)) {
            let mut next = task.start.clone();
            game.play(&mut next, agent, value.step);
            value.distance = strong.distance(&next).map(|moves| moves + 1);
        }
    }
}
