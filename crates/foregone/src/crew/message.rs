//! Messages between who holds the outer tree and an assistant.

use foregone_model::{Goal, Guide, Notation, Outcome, Side, Space};
use foregone_search::drive::jobs::{Done, Looked, Part, wire};
use foregone_search::report::Counts;
use foregone_search::scheme::{Effort, Found};
use serde::{Deserialize, Serialize};

/// Which question of a game a leaf belongs to: the goal, in words and numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Terms {
    /// The root; nothing: the one that the job's formula is asked of.
    pub(crate) start: Option<String>,
    pub(crate) window: [u16; 2],
    /// Whether endless play that the rules leave open counts for Max.
    pub(crate) open_max: bool,
    pub(crate) max: u8,
    pub(crate) knowledge: bool,
    pub(crate) symmetry: bool,
}

impl Terms {
    pub(crate) fn of<G: Guide + Notation>(goal: &Goal<'_, G>, formula: bool) -> Terms {
        let view = goal.terms();
        Terms {
            start: (!formula).then(|| goal.game().position_text(&goal.root())),
            window: [view.low.0, view.high.0],
            open_max: view.open == Side::Max,
            max: view.max.0,
            knowledge: view.knowledge,
            symmetry: view.symmetry,
        }
    }

    /// The goal that is meant, about this root; nothing if it can be none of this game.
    pub(crate) fn goal<'g, G: Guide + Notation>(
        &self,
        game: &'g G,
        root: G::State,
    ) -> Option<Goal<'g, G>> {
        let [low, high] = self.window.map(Outcome);
        let max = foregone_model::Agent(self.max);
        if low >= high || high > game.scale().best() || self.max >= game.agents() {
            return None;
        }
        let open = if self.open_max { Side::Max } else { Side::Min };
        let goal = Goal::within(game, root, (low, high), open).with_max(max);
        Some(goal.with_knowledge(self.knowledge).with_symmetry(self.symmetry))
    }
}

/// A job for an assistant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Task {
    pub(crate) terms: Terms,
    /// The way from the root to the leaf: which of the steps is taken in each state.
    pub(crate) path: Vec<u32>,
    pub(crate) question: u16,
    pub(crate) nodes: u64,
}

/// What is known of a question: solved (0 or 1) or open (2), Max's chances, proof numbers.
type Told = (u8, f64, u32, u32);

fn told(found: &Found) -> Told {
    match *found {
        Found::Solved(outcome) => (u8::from(outcome == Outcome::WIN), 0.0, 0, 0),
        Found::Open { chance, effort } => {
            let Effort { proof, disproof } = effort.unwrap_or(Effort { proof: 0, disproof: 0 });
            (2, chance, proof, disproof)
        }
    }
}

/// What a message says of a question. What it calls solved counts as nearly so: only proofs prove.
fn heard(&(kind, chance, proof, disproof): &Told) -> Option<Found> {
    let open = |chance, effort| Some(Found::Open { chance, effort });
    match kind {
        0 => open(0.001, Some(Effort { proof: 1_000_000, disproof: 1 })),
        1 => open(0.999, Some(Effort { proof: 1, disproof: 1_000_000 })),
        _ => {
            let usual = 1..=u32::MAX - 1;
            let effort = usual.contains(&proof) && usual.contains(&disproof);
            let chance = Some(chance).filter(|chance| *chance > 0.0 && *chance < 1.0)?;
            open(chance, effort.then_some(Effort { proof, disproof }))
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    children: Vec<Vec<Told>>,
    parts: Vec<PartHead>,
    expansions: u64,
    nodes: u64,
    playouts: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartHead {
    child: Option<u32>,
    at_least: u16,
    by_max: bool,
    bytes: usize,
}

/// What an assistant found about a leaf, as bytes: how long the head is, the head, and the solutions.
pub(crate) fn write<Sp: Space>(
    space: &Sp,
    (state, side): (&Sp::State, Side),
    looked: &Looked<Sp::Step>,
) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    let mut parts = Vec::new();
    for part in &looked.parts {
        let about = match part.child {
            None => state.clone(),
            Some(at) => wire::child(space, state, side, at)?,
        };
        // A solution is one of the question about its outcome, for which more may be known.
        let bytes = wire::encode(&space.threshold(part.at_least), about, &part.weak)?;
        parts.push(PartHead {
            child: part.child,
            at_least: part.at_least.0,
            by_max: part.weak.prover == Side::Max,
            bytes: bytes.len(),
        });
        body.extend(bytes);
    }
    let children = looked.children.iter().map(|found| found.iter().map(told).collect());
    let Counts { expansions, nodes, playouts, .. } = looked.counts;
    let head = Head { children: children.collect(), parts, expansions, nodes, playouts };
    with_head(&head, &body)
}

fn with_head(head: &Head, body: &[u8]) -> Option<Vec<u8>> {
    let head = serde_json::to_vec(head).ok()?;
    let mut out = u32::try_from(head.len()).ok()?.to_le_bytes().to_vec();
    out.extend(head);
    out.extend(body);
    Some(out)
}

/// What bytes say about a leaf, every solution in them checked; or what is wrong with them.
pub(crate) fn read<Sp: Space>(
    space: &Sp,
    leaf: u32,
    (state, side): (&Sp::State, Side),
    bytes: &[u8],
) -> Result<(Done<Sp::Step>, Counts), &'static str> {
    let (head, mut body) = head_of(bytes).ok_or("a result that can't be read")?;
    let (best, steps) = (space.best(), wire::children(space, state, side));
    let mut done = Done::open(leaf, best);
    if !head.children.is_empty() && head.children.len() != steps {
        return Err("a result about another number of moves");
    }
    for told in &head.children {
        let found: Option<Vec<Found>> = told.iter().map(heard).collect();
        let found = found.filter(|found| found.len() == usize::from(best.0));
        done.children.push(found.ok_or("a result with impossible numbers")?);
    }
    for part in head.parts {
        let (own, others) = body.split_at_checked(part.bytes).ok_or("a proof that is cut off")?;
        body = others;
        let at_least = Outcome(part.at_least);
        if at_least == Outcome(0) || at_least > best {
            return Err("a proof of an outcome that there is not");
        }
        let prover = if part.by_max { Side::Max } else { Side::Min };
        let about = match part.child {
            None => Some(state.clone()),
            Some(at) => wire::child(space, state, side, at),
        };
        let about = about.ok_or("a proof about a move that there is not")?;
        let weak = wire::decode(&space.threshold(at_least), about, prover, own);
        let weak = weak.ok_or("a proof that does not hold")?;
        done.parts.push(Part { child: part.child, at_least, weak });
    }
    if !body.is_empty() {
        return Err("a result with something behind it");
    }
    if done.children.is_empty() && done.parts.is_empty() {
        return Err("a result that says nothing");
    }
    let counts = Counts {
        expansions: head.expansions,
        nodes: head.nodes,
        playouts: head.playouts,
        peak_bytes: 0,
    };
    Ok((done, counts))
}

/// What a job under way knows of its leaf.
pub(crate) fn write_partial(found: &[Found]) -> Vec<u8> {
    let found: Vec<Told> = found.iter().map(told).collect();
    serde_json::to_vec(&found).unwrap_or_default()
}

/// The same, heard; nothing if it can't be read.
pub(crate) fn read_partial(best: Outcome, bytes: &[u8]) -> Option<Vec<Found>> {
    let found: Vec<Told> = serde_json::from_slice(bytes).ok()?;
    let found: Option<Vec<Found>> = found.iter().map(heard).collect();
    found.filter(|found| found.len() == usize::from(best.0))
}

fn head_of(bytes: &[u8]) -> Option<(Head, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (head, body) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((serde_json::from_slice(head).ok()?, body))
}

/// How many nodes a result took, as it says.
pub(crate) fn nodes_of(bytes: &[u8]) -> u64 {
    head_of(bytes).map_or(0, |(head, _)| head.nodes)
}

/// A result that claims the opposite of what it proves: what a worker that lies may send.
pub(crate) fn swap_provers(bytes: &mut Vec<u8>) {
    let Some((mut head, body)) = head_of(bytes) else { return };
    for part in &mut head.parts {
        part.by_max = !part.by_max;
    }
    let body = body.to_vec();
    *bytes = with_head(&head, &body).unwrap_or_default();
}
