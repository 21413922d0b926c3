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
//! Games with chance are not asked: what a formula means where nobody chooses is not defined. A game
//! that gives chance the turn though it says that it has none breaks its rules, and
//! [`Game::rules_violation`] says so.
//!
//! Ours: a literal beside another formula is asked at once, so that `w | <A> f` is either true or
//! a choice of moves, and no node is spent on the ∨; nor on a □ or ◇ whose agent can only pass.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::node::{Formula, Id, Node, Proposition};
use crate::certificate::{Header, UNTOLD_CHANCE};
use crate::game::{Agent, Claim, Endless, Game, OffTurn, Outcome, Side, Turn};
use crate::notation::{Notation, Rules, TextError};

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

/// A game under a formula.
#[derive(Debug)]
pub struct Check<'g, G: Game> {
    game: &'g G,
    formula: Formula,
    /// Literals beside another formula are asked at once.
    eager: bool,
    /// Where the first moves are asked for, and those behind which the rest holds, and no others.
    keys: Option<(Id, Vec<G::Move>)>,
    /// What stands behind the agent's name in a certificate.
    how: String,
    /// How often the game was asked about propositions, for lists of moves, and to play one.
    pub asked: [AtomicU64; 3],
    /// Chance had the turn in some state.
    met_chance: AtomicBool,
}

/// What stands behind the agent's name in a certificate where ∧ and ∨ are always choices.
pub const STEP_BY_STEP: &str = ", step by step";

/// The same where it is asked which first moves there are. They follow, with blanks between them.
pub const KEYS: &str = ", exactly these keys: ";

impl<'g, G: Game> Check<'g, G> {
    /// The evaluation game of a formula on a game without chance; with chance this panics.
    pub fn new(game: &'g G, formula: Formula) -> Check<'g, G> {
        assert!(!game.has_chance(), "formulas are not asked of games with chance");
        let (met_chance, keys, how) = (AtomicBool::new(false), None, String::new());
        Check { game, formula, eager: true, keys, how, asked: Default::default(), met_chance }
    }

    /// The same game with a choice at every ∧ and ∨, as Definition 24 has it: minimal proofs count
    /// the literals that they ask.
    pub fn step_by_step(self) -> Check<'g, G> {
        Check { eager: false, how: STEP_BY_STEP.to_owned(), ..self }
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
        let asked = self.settle(&state, self.formula.root);
        Point { state, asked }
    }

    /// Who is to move in the game. That is chance only if the rules are broken, which is noted:
    /// nothing that is found counts then.
    #[inline]
    pub fn turn_in_game(&self, s: &G::State) -> Turn {
        let turn = self.game.turn(s);
        if turn == Turn::Chance {
            self.met_chance.store(true, Ordering::Relaxed);
        }
        turn
    }

    /// Counts a question. This is not an atomic addition, which would cost more than what is
    /// counted: with several threads some may get lost.
    #[inline]
    pub fn count(&self, what: usize) {
        let asked = &self.asked[what];
        asked.store(asked.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Whether a subformula holds, if that can be said without moving and without a choice.
    #[inline]
    fn holds(&self, s: &G::State, id: Id, turn: &mut Option<Turn>) -> Option<bool> {
        let (p, positive) = match self.formula.node(id) {
            Node::Literal(p, positive) => (p, positive),
            Node::Constant(value) => return Some(value),
            _ => return None,
        };
        self.count(0);
        let mut over = || *turn.get_or_insert_with(|| self.turn_in_game(s)) == Turn::Over;
        let won = |agent| self.game.won(self.game.outcome(s), agent);
        let holds = match p {
            Proposition::Game(atom) => self.game.holds(s, atom),
            Proposition::Won(agent) => over() && won(agent),
            Proposition::Lost(agent) => over() && !won(agent),
            Proposition::Over => over(),
            Proposition::Draw => over() && !(0..self.game.agents()).any(|a| won(Agent(a))),
            Proposition::Turn(agent) => self.turn_in_game(s) == Turn::Agent(agent),
            Proposition::AtLeast(outcome) => over() && self.game.outcome(s) >= outcome,
        };
        Some(holds == positive)
    }

    /// What is left of a formula once the literals that are asked at once are answered.
    #[inline]
    fn settle(&self, s: &G::State, mut id: Id) -> Id {
        let mut turn = None;
        let constant = |value| if value { Id::TRUE } else { Id::FALSE };
        loop {
            if let Some(value) = self.holds(s, id, &mut turn) {
                return constant(value);
            }
            let node = self.formula.node(id);
            match node {
                Node::Or(a, b) | Node::And(a, b) if self.eager => {
                    let (literal, rest) = if self.formula.is_literal(a) { (a, b) } else { (b, a) };
                    // What holds decides ∨, what does not decides ∧.
                    let decides = matches!(node, Node::Or(..));
                    match self.holds(s, literal, &mut turn) {
                        Some(value) if value == decides => return constant(value),
                        Some(_) => id = rest,
                        None => return id,
                    }
                }
                Node::Box(agent, f) | Node::Diamond(agent, f) => {
                    let turn = *turn.get_or_insert_with(|| self.turn_in_game(s));
                    let is_box = matches!(node, Node::Box(..));
                    match self.passes(s, agent, turn) {
                        // Nothing to choose: what is asked is asked here.
                        true if self.eager => id = f,
                        // Without a move everything is true of all moves, nothing of some.
                        false if turn == Turn::Over => return Id::stuck(agent, is_box),
                        _ => return id,
                    }
                }
                _ => return id,
            }
        }
    }

    /// Whether all that an agent can do is to pass. In a final state all but A do where A has not
    /// won.
    pub fn passes(&self, s: &G::State, agent: Agent, turn: Turn) -> bool {
        let a = self.formula.protagonist;
        match turn {
            Turn::Over => agent != a && !self.game.won(self.game.outcome(s), a),
            Turn::Agent(turn) => turn != agent && self.game.off_turn() == OffTurn::Passes,
            Turn::Chance => true,
        }
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
                self.count(1);
                let (turn, mut moves) = (self.turn_in_game(&s.state), Vec::with_capacity(64));
                if !self.passes(&s.state, agent, turn) {
                    self.game.moves(&s.state, agent, &mut moves);
                }
                // Out of turn there may be nothing to do.
                if moves.is_empty() && turn != Turn::Agent(agent) {
                    out.push(Step::Pass);
                }
                out.extend(moves.into_iter().map(Step::Move));
            }
            Node::Constant(_) | Node::Stuck(..) | Node::Literal(..) => {}
        }
    }

    #[inline]
    fn play(&self, s: &mut Point<G::State>, _agent: Agent, m: Step<G::Move>) {
        let next = match (self.formula.node(s.asked), m) {
            (Node::Or(a, b) | Node::And(a, b), Step::Part(second)) => [a, b][usize::from(second)],
            (Node::Box(agent, f) | Node::Diamond(agent, f), Step::Move(m)) => {
                self.count(2);
                self.game.play(&mut s.state, agent, m);
                match &self.keys {
                    Some((at, keys)) if *at == s.asked && !keys.contains(&m) => f.negated(),
                    _ => f,
                }
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

    fn rules_violation(&self) -> Option<String> {
        let met_chance = self.met_chance.load(Ordering::Relaxed);
        self.game.rules_violation().or_else(|| met_chance.then(|| UNTOLD_CHANCE.to_owned()))
    }

    /// What the formula needs to be reached, and cannot. The game is asked only while it goes on.
    fn confirms(&self, s: &Point<G::State>, claim: Claim, rule: &str, reason: &str) -> bool {
        let confirms = |end| self.game.confirms_out_of_reach(&s.state, end, rule, reason);
        claim.prover == Side::Min
            && self.turn_in_game(&s.state) != Turn::Over
            && self.formula.end(s.asked).is_some_and(confirms)
    }
}

impl<G: Notation> Check<'_, G> {
    /// The same game, asked as the words behind the agent's name in the header of a certificate have
    /// it. Keys are moves of the side to move; that they are not these cannot be claimed.
    pub fn asked_how(mut self, how: &str, header: &Header) -> Result<Self, String> {
        let claimed = header.relation == "at-least";
        let texts = match (how, how.strip_prefix(KEYS)) {
            ("", _) => return Ok(self),
            (STEP_BY_STEP, _) => return Ok(self.step_by_step()),
            (_, texts) => texts.filter(|_| claimed).ok_or("expected no such words here")?,
        };
        let state = self.game.read_position(&header.position).map_err(|e| e.message)?;
        let (at, mut legal, mut keys) = (Id(self.formula.len() as u32), Vec::new(), Vec::new());
        let root = self.formula.keyed(self.formula.root).ok_or("it has no first moves")?;
        let first = |a: &Agent| matches!(self.formula.node(at), Node::Box(b, _) if *a == b);
        let agent = self.game.turn(&state).mover().filter(first);
        self.game.moves(&state, agent.ok_or("its first mover is not to move")?, &mut legal);
        for text in texts.split(' ') {
            let key = self.game.parse_move(&state, text).filter(|m| legal.contains(m));
            keys.push(key.ok_or("a key is not a legal move")?);
        }
        (self.formula.root, self.keys, self.how) = (root, Some((at, keys)), how.to_owned());
        Ok(self)
    }
}

impl<G: Notation> Notation for Check<'_, G> {
    fn name(&self) -> String {
        self.game.name()
    }

    fn players(&self) -> [&str; 2] {
        ["verifier", "falsifier"]
    }

    fn question(&self) -> Option<(String, String)> {
        let protagonist = self.game.agent_name(self.formula.protagonist);
        Some((self.formula.source().to_owned(), format!("{protagonist}{}", self.how)))
    }

    fn write_move(&self, s: &Point<G::State>, m: Step<G::Move>, out: &mut String) {
        match m {
            Step::Part(false) => out.push_str("1st"),
            Step::Part(true) => out.push_str("2nd"),
            Step::Pass => out.push_str("stays"),
            Step::Move(m) => {
                if let Node::Box(agent, _) | Node::Diamond(agent, _) = self.formula.node(s.asked) {
                    self.game.write_move_of(&s.state, agent, m, out);
                }
            }
        }
    }

    fn parse_move(&self, s: &Point<G::State>, text: &str) -> Option<Step<G::Move>> {
        match (self.formula.node(s.asked), text) {
            (Node::Or(..) | Node::And(..), "1st") => Some(Step::Part(false)),
            (Node::Or(..) | Node::And(..), "2nd") => Some(Step::Part(true)),
            (Node::Box(..) | Node::Diamond(..), "stays") => Some(Step::Pass),
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

    fn rules(&self) -> Rules {
        self.game.rules()
    }

    fn draw(&self, s: &Point<G::State>) -> String {
        self.game.draw(&s.state)
    }
}
