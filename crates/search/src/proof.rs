//! The weak solution behind an answer, found by walking the space again.
//!
//! Drivers that share nodes between paths, take mirror images as one, or forget nodes do not have
//! the solution at hand as a tree. They know, or find out again, which states are proved; this
//! walks from the root along proved states only, each state once.

use std::collections::HashMap;

use foregone_model::{Line, Look, Outcome, Side, Space, WeakSolution};

use crate::table::Quick;

/// Says whether a state is proved for the prover, and when it was: a higher number is later. In
/// a space with cycles a state must be proved later than what it rests on.
pub(crate) trait Proved<Sp: Space> {
    /// When `s` was proved, if it was. `s` is not final.
    fn when(&mut self, space: &Sp, s: &Sp::State) -> Option<u64>;

    /// A step to try first, where the prover is to choose.
    fn hint(&mut self, _space: &Sp, _s: &Sp::State) -> Option<Sp::Step> {
        None
    }
}

/// The weak solution for `outcome`, or nothing when some state could not be shown to be proved.
pub(crate) fn extract<Sp: Space>(
    space: &Sp,
    outcome: Outcome,
    proved: &mut impl Proved<Sp>,
) -> Option<WeakSolution<Sp::Step>> {
    let prover = if outcome == Outcome::WIN { Side::Max } else { Side::Min };
    let mut lines = Vec::new();
    let mut steps = Vec::new();
    let mut seen: HashMap<Sp::State, u32, Quick> = HashMap::default();
    let mut todo = vec![space.root()];
    while let Some(s) = todo.pop() {
        let Look::Choice(side) = space.look(&s) else {
            lines.push(Line::Over);
            continue;
        };
        if let Some(&line) = seen.get(&s) {
            lines.push(Line::Same(line));
            continue;
        }
        seen.insert(s.clone(), lines.len() as u32);
        steps.clear();
        space.steps(&s, side, &mut steps);
        let next = |step| {
            let mut next = s.clone();
            space.take(&mut next, side, step);
            next
        };
        if side == prover {
            // Without cycles any proved step will do, and asking for one may cost a search.
            let acyclic = space.repetition().is_none();
            if let Some(hint) = proved.hint(space, &s)
                && let Some(i) = steps.iter().position(|&step| step == hint)
            {
                steps.swap(0, i);
            }
            let mut earliest: Option<(u64, Sp::Step, Sp::State)> = None;
            for &step in &steps {
                let child = next(step);
                let when = match space.look(&child) {
                    Look::Over(o) if o == outcome => Some(0),
                    Look::Over(_) => None,
                    Look::Choice(_) => proved.when(space, &child),
                };
                if let Some(when) = when
                    && earliest.as_ref().is_none_or(|(t, ..)| when < *t)
                {
                    earliest = Some((when, step, child));
                    if when == 0 || acyclic {
                        break;
                    }
                }
            }
            let (_, step, child) = earliest?;
            lines.push(Line::Plays(step));
            todo.push(child);
        } else {
            lines.push(Line::Meets(steps.len() as u32));
            todo.extend(steps.iter().rev().map(|&step| next(step)));
        }
    }
    Some(WeakSolution { prover, lines })
}
