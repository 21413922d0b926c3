//! What helps searches of formulas: the guide of the evaluation game, probes, and counts of what a
//! game was asked. Nothing here decides what is true.

use std::sync::atomic::Ordering;

use foregone_proof::formula::{Check, Id, Node, Point, Proposition, Step};
use foregone_proof::{Agent, Claim, Game, Outcome, Side, Turn};

use crate::guide::{Guide, Known, Rng};
use crate::stored::Stored;

/// How often the game was asked (Table 4.12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queries {
    /// Propositions.
    pub atomic: u64,
    /// Lists of moves.
    pub listmoves: u64,
    /// Moves played.
    pub play: u64,
}

/// What a game was asked.
pub trait Asked {
    /// How often the game was asked so far.
    fn queries(&self) -> Queries;
}

impl<G: Game> Asked for Check<'_, G> {
    fn queries(&self) -> Queries {
        let [atomic, listmoves, play] = [0, 1, 2].map(|i| self.asked[i].load(Ordering::Relaxed));
        Queries { atomic, listmoves, play }
    }
}

impl<G: Guide> Guide for Check<'_, G> {
    /// Whoever is asked to move stands in the formula; whose turn it is must stand in the packed
    /// state, because agents may be asked out of turn.
    type Packed = (G::Packed, Id);

    #[inline]
    fn pack(&self, s: &Point<G::State>) -> (G::Packed, Id) {
        const { assert!(G::PACKS_TURN, "agents are asked out of turn") };
        (self.game().pack(&s.state), s.asked)
    }

    const PACKS_TURN: bool = true;

    /// What the formula needs to be reached, and cannot. The game is asked only while it goes on.
    #[inline]
    fn known(&self, s: &Point<G::State>) -> Option<Known> {
        let end = self.formula().end(s.asked)?;
        match self.turn_in_game(&s.state) {
            Turn::Agent(_) => self.game().out_of_reach(&s.state, end).map(Known::lost),
            Turn::Chance | Turn::Over => None,
        }
    }

    fn reason(&self, s: &Point<G::State>, _claim: Claim, out: &mut String) {
        if let Some(end) = self.formula().end(s.asked) {
            self.game().reason_out_of_reach(&s.state, end, out);
        }
    }

    #[inline]
    fn mobility(&self, s: &Point<G::State>, side: Agent) -> u32 {
        match (self.formula().node(s.asked), Side::of(side)) {
            (Node::Or(..), Side::Max) | (Node::And(..), Side::Min) => 2,
            (Node::Diamond(agent, _), Side::Max) | (Node::Box(agent, _), Side::Min) => {
                self.game().mobility(&s.state, agent).max(1)
            }
            _ => 1,
        }
    }

    fn usual_text(&self, s: &Point<G::State>, _agent: Agent, m: Step<G::Move>) -> Option<String> {
        match (self.formula().node(s.asked), m) {
            (Node::Box(agent, _) | Node::Diamond(agent, _), Step::Move(m)) => {
                self.game().usual_text(&s.state, agent, m)
            }
            _ => None,
        }
    }

    #[inline]
    fn every_move_ends(&self, s: &Point<G::State>) -> bool {
        match self.formula().node(s.asked) {
            Node::Box(_, f) | Node::Diamond(_, f) => self.formula().is_literal(f),
            _ => false,
        }
    }

    #[inline]
    fn shape(&self, s: &Point<G::State>) -> u32 {
        s.asked.0
    }

    fn order(&self, s: &Point<G::State>, _agent: Agent, moves: &mut [Step<G::Move>]) {
        if let Node::Box(agent, _) | Node::Diamond(agent, _) = self.formula().node(s.asked) {
            let mut plain: Vec<G::Move> = Vec::with_capacity(moves.len());
            plain.extend(moves.iter().filter_map(|m| match m {
                Step::Move(m) => Some(*m),
                _ => None,
            }));
            if plain.len() == moves.len() {
                self.game().order(&s.state, agent, &mut plain);
                for (to, from) in moves.iter_mut().zip(plain) {
                    *to = Step::Move(from);
                }
            }
        }
    }

    #[inline]
    fn promising(&self, s: &Point<G::State>, side: Agent, out: &mut Vec<Step<G::Move>>) {
        // A move after which A has won, or the refutation of one that says that there is none.
        let last = |agent: Agent, f: Id, wanted: bool| {
            self.formula().node(f) == Node::Literal(Proposition::Won(agent), wanted)
        };
        let agent = match self.formula().node(s.asked) {
            Node::Diamond(agent, f) if last(agent, f, true) => agent,
            Node::Box(agent, f) if last(agent, f, false) => agent,
            _ => return self.in_order(s, side, out),
        };
        self.count(1);
        if self.passes(&s.state, agent, self.game().turn(&s.state)) {
            return out.push(Step::Pass);
        }
        let mut moves = Vec::with_capacity(64);
        self.game().finishing(&s.state, agent, &mut moves);
        out.extend(moves.into_iter().map(Step::Move));
    }

    /// A probe (Algorithm 9): a random subtree with the shape of the formula. It goes through
    /// both parts of ∧ and ∨, and one move of □ and ◇.
    fn playout(&self, s: Point<G::State>, rng: &mut Rng) -> Option<Outcome> {
        let holds = probe(self, s, rng, &mut Vec::with_capacity(64));
        Some(if holds { Outcome::WIN } else { Outcome::LOSS })
    }

    fn stores(&self) -> bool {
        self.game().stores()
    }

    fn store_state(&self, s: &Point<G::State>, out: &mut Vec<u8>) {
        self.game().store_state(&s.state, out);
        s.asked.store(out);
    }

    fn restore_state(&self, from: &mut &[u8]) -> Option<Point<G::State>> {
        let state = self.game().restore_state(from)?;
        Some(Point { state, asked: self.asked_again(from)? })
    }

    fn store_move(&self, m: Step<G::Move>, out: &mut Vec<u8>) {
        match m {
            Step::Part(second) => out.push(u8::from(second)),
            Step::Pass => out.push(2),
            Step::Move(m) => {
                out.push(3);
                self.game().store_move(m, out);
            }
        }
    }

    fn restore_move(&self, from: &mut &[u8]) -> Option<Step<G::Move>> {
        Some(match u8::restore(from)? {
            0 => Step::Part(false),
            1 => Step::Part(true),
            2 => Step::Pass,
            3 => Step::Move(self.game().restore_move(from)?),
            _ => return None,
        })
    }

    fn store_packed(&self, p: &(G::Packed, Id), out: &mut Vec<u8>) {
        self.game().store_packed(&p.0, out);
        p.1.store(out);
    }

    fn restore_packed(&self, from: &mut &[u8]) -> Option<(G::Packed, Id)> {
        let packed = self.game().restore_packed(from)?;
        Some((packed, self.asked_again(from)?))
    }
}

/// What was asked of a state that is read back.
trait AskedAgain {
    fn asked_again(&self, from: &mut &[u8]) -> Option<Id>;
}

impl<G: Game> AskedAgain for Check<'_, G> {
    /// A part of the formula, if there is one of that number.
    fn asked_again(&self, from: &mut &[u8]) -> Option<Id> {
        Id::restore(from).filter(|id| (id.0 as usize) < self.formula().len())
    }
}

fn probe<G: Guide>(
    check: &Check<'_, G>,
    mut s: Point<G::State>,
    rng: &mut Rng,
    moves: &mut Vec<Step<G::Move>>,
) -> bool {
    loop {
        let (agent, part) = match check.formula().node(s.asked) {
            Node::Constant(value) | Node::Stuck(_, value) => return value,
            Node::Literal(..) => return false,
            Node::Or(..) => (Side::Max.agent(), true),
            Node::And(..) => (Side::Min.agent(), true),
            Node::Box(..) => (Side::Min.agent(), false),
            Node::Diamond(..) => (Side::Max.agent(), false),
        };
        let m = if part {
            let mut first = s.clone();
            check.play(&mut first, agent, Step::Part(false));
            let is_or = agent == Side::Max.agent();
            if probe(check, first, rng, moves) == is_or {
                return is_or;
            }
            Step::Part(true)
        } else {
            moves.clear();
            check.moves(&s, agent, moves);
            moves[rng.below(moves.len() as u32) as usize]
        };
        check.play(&mut s, agent, m);
    }
}
