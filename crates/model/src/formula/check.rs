//! A formula on a game is a game.
//!
//! The evaluation game of J. Hintikka, on the pairs (state, subformula) of Definition 24: Verifier
//! chooses at ∨ and ◇, Falsifier at ∧ and □, and Verifier wins at a literal that holds. The state
//! satisfies the formula exactly when Verifier wins, and a weak solution of this game is a proof
//! or a disproof in the sense of Definition 25. So every scheme, every driver and the checker of
//! certificates work on formulas without a change.
//!
//! Final states are as section 4.5 has them: in one that A has won nobody has a move; in one that
//! A has not won A has no move, and every other agent has a pass that stays there. So a stalemate
//! does not make `[B] f` true for want of moves.
//!
//! Ours: a literal beside another formula is asked at once, so that `w | <A> f` is either true or
//! a choice of moves, and no node is spent on the ∨; nor on a □ or ◇ whose agent can only pass.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Formula, Id, Node, Proposition};
use crate::game::{Agent, Endless, Game, Known, OffTurn, Outcome, Side, Turn};
use crate::guide::{Guide, Rng};
use crate::notation::{Notation, TextError};

/// A state with what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Point<S> {
    /// The state of the game.
    pub state: S,
    /// The subformula: a constant, ∧ or ∨ (of two that are no literals, where those are asked at
    /// once), or a □ or ◇ whose agent has a move.
    pub asked: Id,
}

/// A step of the evaluation game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step<M> {
    /// The first or the second part of ∧ or ∨.
    Part(bool),
    /// A move of the agent of □ or ◇.
    Move(M),
    /// The agent passes, the state stays.
    Pass,
}

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

#[derive(Debug, Default)]
struct Counter(AtomicU64);

impl Counter {
    /// Not an atomic addition, which would cost more than what is counted: with several threads
    /// some may get lost.
    #[inline]
    fn add(&self, n: u64) {
        self.0.store(self.0.load(Ordering::Relaxed) + n, Ordering::Relaxed);
    }
}

/// A game under a formula.
#[derive(Debug)]
pub struct Check<'g, G> {
    game: &'g G,
    formula: Formula,
    /// The formula as it was asked, for headers of certificates.
    text: String,
    /// Literals beside another formula are asked at once.
    eager: bool,
    atomic: Counter,
    listmoves: Counter,
    play: Counter,
}

/// What stands behind the agent's name in a certificate where ∧ and ∨ are always choices.
pub const STEP_BY_STEP: &str = ", step by step";

const PLAYERS: [&str; 2] = ["verifier", "falsifier"];

impl<'g, G: Game> Check<'g, G> {
    /// The evaluation game of a formula, which was written like this.
    pub fn new(game: &'g G, formula: Formula, text: String) -> Check<'g, G> {
        Check {
            game,
            formula,
            text,
            eager: true,
            atomic: Counter::default(),
            listmoves: Counter::default(),
            play: Counter::default(),
        }
    }

    /// The same game with a choice at every ∧ and ∨, as Definition 24 has it: minimal proofs count
    /// the literals that they ask.
    pub fn step_by_step(self) -> Check<'g, G> {
        Check { eager: false, ..self }
    }

    /// The formula.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The game.
    pub fn game(&self) -> &'g G {
        self.game
    }

    /// The question whether this state satisfies the formula.
    pub fn ask(&self, state: G::State) -> Point<G::State> {
        self.point(state, self.formula.root)
    }

    /// The question whether this state satisfies a subformula.
    pub fn point(&self, state: G::State, asked: Id) -> Point<G::State> {
        let asked = self.settle(&state, asked);
        Point { state, asked }
    }

    /// How often the game was asked so far.
    pub fn queries(&self) -> Queries {
        let get = |c: &Counter| c.0.load(Ordering::Relaxed);
        Queries {
            atomic: get(&self.atomic),
            listmoves: get(&self.listmoves),
            play: get(&self.play),
        }
    }

    fn holds(&self, s: &G::State, p: Proposition, turn: &mut Option<Turn>) -> bool {
        self.atomic.add(1);
        let mut turn = || *turn.get_or_insert_with(|| self.game.turn(s));
        let over = |turn: Turn| turn == Turn::Over;
        match p {
            Proposition::Game(atom) => self.game.holds(s, atom),
            Proposition::Won(agent) => over(turn()) && self.game.won(self.game.outcome(s), agent),
            Proposition::Lost(agent) => over(turn()) && !self.game.won(self.game.outcome(s), agent),
            Proposition::Over => over(turn()),
            Proposition::Draw => {
                over(turn())
                    && (0..self.game.agents())
                        .all(|a| !self.game.won(self.game.outcome(s), Agent(a)))
            }
            Proposition::Turn(agent) => turn() == Turn::Agent(agent),
            Proposition::AtLeast(outcome) => over(turn()) && self.game.outcome(s) >= outcome,
        }
    }

    /// What is left of a formula once the literals that are asked at once are answered.
    #[inline]
    fn settle(&self, s: &G::State, mut id: Id) -> Id {
        let mut turn = None;
        loop {
            match self.formula.node(id) {
                Node::Constant(_) | Node::Stuck(..) => return id,
                Node::Or(..) | Node::And(..) if !self.eager => return id,
                Node::Literal(p, positive) => {
                    let holds = self.holds(s, p, &mut turn) == positive;
                    return if holds { Id::TRUE } else { Id::FALSE };
                }
                Node::Or(a, b) | Node::And(a, b) => {
                    let (literal, rest) = match () {
                        () if self.formula.is_literal(a) => (a, b),
                        () if self.formula.is_literal(b) => (b, a),
                        () => return id,
                    };
                    // What holds decides ∨, what does not decides ∧.
                    let deciding = matches!(self.formula.node(id), Node::Or(..));
                    if self.literal(s, literal, &mut turn) == deciding {
                        return if deciding { Id::TRUE } else { Id::FALSE };
                    }
                    id = rest;
                }
                Node::Box(agent, f) | Node::Diamond(agent, f) => {
                    let turn = *turn.get_or_insert_with(|| self.game.turn(s));
                    let passes = match turn {
                        Turn::Over => self.passes_at_end(s, agent),
                        Turn::Agent(on_turn) => {
                            on_turn != agent && self.game.off_turn() == OffTurn::Passes
                        }
                    };
                    if passes && self.eager {
                        // Nothing to choose: what is asked is asked here.
                        id = f;
                        continue;
                    }
                    if passes || turn != Turn::Over {
                        return id;
                    }
                    // Without a move everything is true of all moves, nothing of some.
                    return Id::stuck(agent, matches!(self.formula.node(id), Node::Box(..)));
                }
            }
        }
    }

    fn literal(&self, s: &G::State, id: Id, turn: &mut Option<Turn>) -> bool {
        match self.formula.node(id) {
            Node::Literal(p, positive) => self.holds(s, p, turn) == positive,
            _ => id == Id::TRUE,
        }
    }

    /// Whether an agent passes in a final state, for ever: all but A do where A has not won.
    fn passes_at_end(&self, s: &G::State, agent: Agent) -> bool {
        let a = self.formula.protagonist;
        agent != a && !self.game.won(self.game.outcome(s), a)
    }

    /// Appends the moves of the agent of □ or ◇.
    fn list(
        &self,
        s: &G::State,
        agent: Agent,
        out: &mut Vec<Step<G::Move>>,
        list: impl Fn(&mut Vec<G::Move>),
    ) {
        self.listmoves.add(1);
        let passes = match self.game.turn(s) {
            Turn::Over => true,
            Turn::Agent(turn) => turn != agent && self.game.off_turn() == OffTurn::Passes,
        };
        if passes {
            out.push(Step::Pass);
            return;
        }
        let mut moves = Vec::with_capacity(64);
        list(&mut moves);
        out.extend(moves.into_iter().map(Step::Move));
    }
}

impl<G: Game> Game for Check<'_, G> {
    type State = Point<G::State>;
    type Move = Step<G::Move>;

    /// A formula is finite, and every step goes to a smaller part of it.
    fn endless(&self) -> Endless {
        Endless::Impossible
    }

    fn start(&self) -> Point<G::State> {
        self.ask(self.game.start())
    }

    #[inline]
    fn turn(&self, s: &Point<G::State>) -> Turn {
        match self.formula.node(s.asked) {
            Node::Constant(_) | Node::Stuck(..) | Node::Literal(..) => Turn::Over,
            Node::Or(..) | Node::Diamond(..) => Turn::Agent(Side::Max.agent()),
            Node::And(..) | Node::Box(..) => Turn::Agent(Side::Min.agent()),
        }
    }

    #[inline]
    fn moves(&self, s: &Point<G::State>, _agent: Agent, out: &mut Vec<Step<G::Move>>) {
        match self.formula.node(s.asked) {
            Node::Or(..) | Node::And(..) => out.extend([Step::Part(false), Step::Part(true)]),
            Node::Box(agent, _) | Node::Diamond(agent, _) => {
                let before = out.len();
                self.list(&s.state, agent, out, |moves| self.game.moves(&s.state, agent, moves));
                // Out of turn there may be nothing to do.
                if out.len() == before && self.game.turn(&s.state) != Turn::Agent(agent) {
                    out.push(Step::Pass);
                }
            }
            Node::Constant(_) | Node::Stuck(..) | Node::Literal(..) => {}
        }
    }

    #[inline]
    fn play(&self, s: &mut Point<G::State>, _agent: Agent, m: Step<G::Move>) {
        let next = match (self.formula.node(s.asked), m) {
            (Node::Or(a, b) | Node::And(a, b), Step::Part(second)) => {
                if second {
                    b
                } else {
                    a
                }
            }
            (Node::Box(agent, f) | Node::Diamond(agent, f), Step::Move(m)) => {
                self.play.add(1);
                self.game.play(&mut s.state, agent, m);
                f
            }
            (Node::Box(_, f) | Node::Diamond(_, f), _) => f,
            _ => s.asked,
        };
        s.asked = self.settle(&s.state, next);
    }

    #[inline]
    fn outcome(&self, s: &Point<G::State>) -> Outcome {
        match self.formula.node(s.asked) {
            Node::Constant(true) | Node::Stuck(_, true) => Outcome::WIN,
            _ => Outcome::LOSS,
        }
    }

    /// What the formula needs to be reached, and cannot.
    #[inline]
    fn known(&self, s: &Point<G::State>) -> Option<Known> {
        self.game.out_of_reach(&s.state, self.formula.end(s.asked)?).map(Known::lost)
    }
}

impl<G: Guide> Guide for Check<'_, G> {
    /// Whoever is asked to move stands in the formula; whose turn it is must stand in the packed
    /// state, because agents may be asked out of turn.
    type Packed = (G::Packed, Id);

    #[inline]
    fn pack(&self, s: &Point<G::State>) -> (G::Packed, Id) {
        const { assert!(G::PACKS_TURN, "agents are asked out of turn") };
        (self.game.pack(&s.state), s.asked)
    }

    const PACKS_TURN: bool = true;

    #[inline]
    fn mobility(&self, s: &Point<G::State>, side: Agent) -> u32 {
        match (self.formula.node(s.asked), Side::of(side)) {
            (Node::Or(..), Side::Max) | (Node::And(..), Side::Min) => 2,
            (Node::Diamond(agent, _), Side::Max) | (Node::Box(agent, _), Side::Min) => {
                self.game.mobility(&s.state, agent).max(1)
            }
            _ => 1,
        }
    }

    #[inline]
    fn last(&self, s: &Point<G::State>) -> bool {
        match self.formula.node(s.asked) {
            Node::Box(_, f) | Node::Diamond(_, f) => self.formula.is_literal(f),
            _ => false,
        }
    }

    #[inline]
    fn shape(&self, s: &Point<G::State>) -> u32 {
        s.asked.0
    }

    fn order(&self, s: &Point<G::State>, _agent: Agent, moves: &mut [Step<G::Move>]) {
        if let Node::Box(agent, _) | Node::Diamond(agent, _) = self.formula.node(s.asked) {
            let mut plain: Vec<G::Move> = Vec::with_capacity(moves.len());
            plain.extend(moves.iter().filter_map(|m| match m {
                Step::Move(m) => Some(*m),
                _ => None,
            }));
            if plain.len() == moves.len() {
                self.game.order(&s.state, agent, &mut plain);
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
            self.formula.node(f) == Node::Literal(Proposition::Won(agent), wanted)
        };
        match self.formula.node(s.asked) {
            Node::Diamond(agent, f) if last(agent, f, true) => {
                self.list(&s.state, agent, out, |m| self.game.finishing(&s.state, agent, m));
            }
            Node::Box(agent, f) if last(agent, f, false) => {
                self.list(&s.state, agent, out, |m| self.game.finishing(&s.state, agent, m));
            }
            _ => self.in_order(s, side, out),
        }
    }

    /// A probe (Algorithm 9): a random subtree with the shape of the formula. It goes through
    /// both parts of ∧ and ∨, and one move of □ and ◇.
    fn playout(&self, s: Point<G::State>, rng: &mut Rng) -> Option<Outcome> {
        let holds = self.probe(s, rng, &mut Vec::with_capacity(64));
        Some(if holds { Outcome::WIN } else { Outcome::LOSS })
    }
}

impl<G: Guide> Check<'_, G> {
    fn probe(&self, mut s: Point<G::State>, rng: &mut Rng, moves: &mut Vec<Step<G::Move>>) -> bool {
        loop {
            let (agent, part) = match self.formula.node(s.asked) {
                Node::Constant(value) | Node::Stuck(_, value) => return value,
                Node::Literal(..) => return false,
                Node::Or(..) => (Side::Max.agent(), true),
                Node::And(..) => (Side::Min.agent(), true),
                Node::Box(..) => (Side::Min.agent(), false),
                Node::Diamond(..) => (Side::Max.agent(), false),
            };
            let m = if part {
                let mut first = s.clone();
                self.play(&mut first, agent, Step::Part(false));
                let is_or = agent == Side::Max.agent();
                if self.probe(first, rng, moves) == is_or {
                    return is_or;
                }
                Step::Part(true)
            } else {
                moves.clear();
                self.moves(&s, agent, moves);
                moves[rng.below(moves.len() as u32) as usize]
            };
            self.play(&mut s, agent, m);
        }
    }
}

impl<G: Notation> Notation for Check<'_, G> {
    fn name(&self) -> String {
        self.game.name()
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn question(&self) -> Option<(String, String)> {
        let protagonist = self.game.agent_name(self.formula.protagonist);
        let how = if self.eager { "" } else { STEP_BY_STEP };
        Some((self.text.clone(), format!("{protagonist}{how}")))
    }

    fn write_move(&self, s: &Point<G::State>, m: Step<G::Move>, out: &mut String) {
        match m {
            Step::Part(false) => out.push_str("1st"),
            Step::Part(true) => out.push_str("2nd"),
            Step::Pass => out.push_str("stays"),
            Step::Move(m) => match self.formula.node(s.asked) {
                Node::Box(agent, _) | Node::Diamond(agent, _) => {
                    self.game.write_move_of(&s.state, agent, m, out);
                }
                _ => self.game.write_move(&s.state, m, out),
            },
        }
    }

    fn parse_move(&self, s: &Point<G::State>, text: &str) -> Option<Step<G::Move>> {
        match (self.formula.node(s.asked), text) {
            (Node::Or(..) | Node::And(..), "1st") => Some(Step::Part(false)),
            (Node::Or(..) | Node::And(..), "2nd") => Some(Step::Part(true)),
            (Node::Or(..) | Node::And(..), _) => None,
            (_, "stays") => Some(Step::Pass),
            (Node::Box(agent, _) | Node::Diamond(agent, _), _) => {
                self.game.parse_move_of(&s.state, agent, text).map(Step::Move)
            }
            _ => None,
        }
    }

    fn write_position(&self, s: &Point<G::State>, out: &mut String) {
        self.game.write_position(&s.state, out);
    }

    fn read_position(&self, text: &str) -> Result<Point<G::State>, TextError> {
        Ok(self.ask(self.game.read_position(text)?))
    }

    fn draw(&self, s: &Point<G::State>) -> String {
        self.game.draw(&s.state)
    }
}
