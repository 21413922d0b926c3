//! A game whose type was forgotten.
//!
//! Searches are compiled for every game they work on, which makes them fast and the program large.
//! Games that are asked rarely, and all games where the question is a formula, share one compiled
//! search through this. It costs an allocation for each state.

use std::any::Any;
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use foregone_model::{
    Agent, Atom, Claim, Endless, Game, Guide, Known, Notation, OffTurn, Outcome, Reach, Rng, Rules,
    Scale, TextError, Turn,
};

/// Any game.
#[derive(Clone)]
pub struct Erased(Arc<dyn AnyGame>);

impl Debug for Erased {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.name())
    }
}

/// A state of any game.
pub struct AnyState(Box<dyn AnyValue>);

/// A move of any game: its place in the list of moves that came up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnyMove(u32);

/// What a state must be able to do.
trait AnyValue: Send + Sync {
    fn any(&self) -> &dyn Any;
    fn any_mut(&mut self) -> &mut dyn Any;
    fn copy(&self) -> Box<dyn AnyValue>;
    fn same(&self, other: &dyn AnyValue) -> bool;
    fn add_to(&self, hasher: &mut dyn Hasher);
    fn show(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result;
}

impl<T: Any + Clone + Eq + Hash + Debug + Send + Sync> AnyValue for T {
    fn any(&self) -> &dyn Any {
        self
    }

    fn any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn copy(&self) -> Box<dyn AnyValue> {
        Box::new(self.clone())
    }

    fn same(&self, other: &dyn AnyValue) -> bool {
        other.any().downcast_ref::<T>() == Some(self)
    }

    fn add_to(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn show(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.fmt(f)
    }
}

impl Clone for AnyState {
    fn clone(&self) -> AnyState {
        AnyState((*self.0).copy())
    }
}

impl PartialEq for AnyState {
    fn eq(&self, other: &AnyState) -> bool {
        (*self.0).same(&*other.0)
    }
}

impl Eq for AnyState {}

impl Hash for AnyState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (*self.0).add_to(state);
    }
}

impl Debug for AnyState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (*self.0).show(f)
    }
}

/// What is asked of a game behind its back.
trait AnyGame: Send + Sync {
    fn scale(&self) -> Scale;
    fn endless(&self) -> Endless;
    fn start(&self) -> AnyState;
    fn turn(&self, s: &AnyState) -> Turn;
    fn moves(&self, s: &AnyState, agent: Agent, list: Listing, out: &mut Vec<AnyMove>);
    fn play(&self, s: &mut AnyState, agent: Agent, m: AnyMove);
    fn outcome(&self, s: &AnyState) -> Outcome;
    fn agents(&self) -> u8;
    fn off_turn(&self) -> OffTurn;
    fn won(&self, outcome: Outcome, agent: Agent) -> bool;
    fn holds(&self, s: &AnyState, atom: Atom) -> bool;
    fn rules_violation(&self) -> Option<String>;
    fn independent_rules(&self) -> Option<Erased>;
    fn confirms(&self, s: &AnyState, claim: Claim, rule: &str, reason: &str) -> bool;
    fn confirms_out_of_reach(&self, s: &AnyState, end: Reach, rule: &str, reason: &str) -> bool;
    fn known(&self, s: &AnyState) -> Option<Known>;
    fn out_of_reach(&self, s: &AnyState, end: Reach) -> Option<&'static str>;
    fn reason(&self, s: &AnyState, claim: Claim, out: &mut String);
    fn reason_out_of_reach(&self, s: &AnyState, end: Reach, out: &mut String);
    fn move_class(&self, s: &AnyState, agent: Agent, m: AnyMove) -> Option<u16>;
    fn every_move_ends(&self, s: &AnyState) -> bool;
    fn shape(&self, s: &AnyState) -> u32;
    fn forced(&self, s: &AnyState, agent: Agent) -> Option<AnyMove>;
    fn order(&self, s: &AnyState, agent: Agent, moves: &mut [AnyMove]);
    fn mobility(&self, s: &AnyState, agent: Agent) -> u32;
    fn evaluate(&self, s: &AnyState) -> Option<f64>;
    fn evaluates(&self) -> bool;
    fn canonical(&self, s: &AnyState) -> AnyState;
    fn playout(&self, s: AnyState, rng: &mut Rng) -> Option<Outcome>;
    fn name(&self) -> String;
    fn rules(&self) -> Rules;
    fn question(&self) -> Option<(String, String)>;
    fn players(&self) -> [&str; 2];
    fn agent_name(&self, agent: Agent) -> &str;
    fn atoms(&self) -> &[(&'static str, &'static str)];
    fn read_atom(&self, text: &str) -> Option<Atom>;
    fn one_player(&self) -> bool;
    fn write_move(&self, s: &AnyState, agent: Option<Agent>, m: AnyMove, out: &mut String);
    fn parse_move(&self, s: &AnyState, agent: Option<Agent>, text: &str) -> Option<AnyMove>;
    fn parse_typed(&self, s: &AnyState, text: &str) -> Option<AnyMove>;
    fn write_position(&self, s: &AnyState, out: &mut String);
    fn read_position(&self, text: &str) -> Result<AnyState, TextError>;
    fn draw(&self, s: &AnyState) -> String;
}

/// Which moves are wanted, and in which order.
#[derive(Clone, Copy)]
enum Listing {
    Plain,
    Ordered,
    Promising,
    Finishing,
}

/// A game with the moves that came up, so that a number can stand for a move.
struct Holder<G: Game> {
    game: G,
    moves: RwLock<Moves<G::Move>>,
}

struct Moves<M> {
    list: Vec<M>,
    numbers: HashMap<M, u32>,
}

impl<G: Guide + Notation> Holder<G> {
    fn state<'s>(&self, s: &'s AnyState) -> &'s G::State {
        // Only states of this very game come here; another one would be a defect of the caller.
        (*s.0).any().downcast_ref().expect("a state of this game")
    }

    fn read(&self) -> RwLockReadGuard<'_, Moves<G::Move>> {
        self.moves.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn number(&self, m: G::Move) -> AnyMove {
        if let Some(&n) = self.read().numbers.get(&m) {
            return AnyMove(n);
        }
        let mut moves = self.moves.write().unwrap_or_else(PoisonError::into_inner);
        let next = moves.list.len() as u32;
        let n = *moves.numbers.entry(m).or_insert(next);
        if n == next {
            moves.list.push(m);
        }
        AnyMove(n)
    }

    fn plain(&self, m: AnyMove) -> G::Move {
        self.read().list[m.0 as usize]
    }
}

impl<G: Guide + Notation + Send + 'static> AnyGame for Holder<G> {
    fn scale(&self) -> Scale {
        self.game.scale()
    }

    fn endless(&self) -> Endless {
        self.game.endless()
    }

    fn start(&self) -> AnyState {
        AnyState(Box::new(self.game.start()))
    }

    fn turn(&self, s: &AnyState) -> Turn {
        self.game.turn(self.state(s))
    }

    fn moves(&self, s: &AnyState, agent: Agent, list: Listing, out: &mut Vec<AnyMove>) {
        let s = self.state(s);
        let mut plain = Vec::with_capacity(64);
        match list {
            Listing::Plain => self.game.moves(s, agent, &mut plain),
            Listing::Ordered => self.game.in_order(s, agent, &mut plain),
            Listing::Promising => self.game.promising(s, agent, &mut plain),
            Listing::Finishing => self.game.finishing(s, agent, &mut plain),
        }
        let known = self.read();
        let mut numbers = plain.iter().map(|m| known.numbers.get(m).map(|&n| AnyMove(n)));
        if numbers.clone().all(|n| n.is_some()) {
            out.extend(numbers.by_ref().flatten());
            return;
        }
        drop(known);
        out.extend(plain.into_iter().map(|m| self.number(m)));
    }

    fn play(&self, s: &mut AnyState, agent: Agent, m: AnyMove) {
        let m = self.plain(m);
        if let Some(state) = (*s.0).any_mut().downcast_mut::<G::State>() {
            self.game.play(state, agent, m);
        }
    }

    fn outcome(&self, s: &AnyState) -> Outcome {
        self.game.outcome(self.state(s))
    }

    fn agents(&self) -> u8 {
        self.game.agents()
    }

    fn off_turn(&self) -> OffTurn {
        self.game.off_turn()
    }

    fn won(&self, outcome: Outcome, agent: Agent) -> bool {
        self.game.won(outcome, agent)
    }

    fn holds(&self, s: &AnyState, atom: Atom) -> bool {
        self.game.holds(self.state(s), atom)
    }

    fn rules_violation(&self) -> Option<String> {
        self.game.rules_violation()
    }

    fn independent_rules(&self) -> Option<Erased> {
        self.game.independent_rules().map(Erased::new)
    }

    fn confirms(&self, s: &AnyState, claim: Claim, rule: &str, reason: &str) -> bool {
        self.game.confirms(self.state(s), claim, rule, reason)
    }

    fn confirms_out_of_reach(&self, s: &AnyState, end: Reach, rule: &str, reason: &str) -> bool {
        self.game.confirms_out_of_reach(self.state(s), end, rule, reason)
    }

    fn reason(&self, s: &AnyState, claim: Claim, out: &mut String) {
        self.game.reason(self.state(s), claim, out);
    }

    fn reason_out_of_reach(&self, s: &AnyState, end: Reach, out: &mut String) {
        self.game.reason_out_of_reach(self.state(s), end, out);
    }

    fn move_class(&self, s: &AnyState, agent: Agent, m: AnyMove) -> Option<u16> {
        self.game.move_class(self.state(s), agent, self.plain(m))
    }

    fn every_move_ends(&self, s: &AnyState) -> bool {
        self.game.every_move_ends(self.state(s))
    }

    fn shape(&self, s: &AnyState) -> u32 {
        self.game.shape(self.state(s))
    }

    fn forced(&self, s: &AnyState, agent: Agent) -> Option<AnyMove> {
        self.game.forced(self.state(s), agent).map(|m| self.number(m))
    }

    fn order(&self, s: &AnyState, agent: Agent, moves: &mut [AnyMove]) {
        let mut plain: Vec<G::Move> = moves.iter().map(|&m| self.plain(m)).collect();
        self.game.order(self.state(s), agent, &mut plain);
        for (to, from) in moves.iter_mut().zip(plain) {
            *to = self.number(from);
        }
    }

    fn known(&self, s: &AnyState) -> Option<Known> {
        self.game.known(self.state(s))
    }

    fn out_of_reach(&self, s: &AnyState, end: Reach) -> Option<&'static str> {
        self.game.out_of_reach(self.state(s), end)
    }

    fn mobility(&self, s: &AnyState, agent: Agent) -> u32 {
        self.game.mobility(self.state(s), agent)
    }

    fn evaluate(&self, s: &AnyState) -> Option<f64> {
        self.game.evaluate(self.state(s))
    }

    fn evaluates(&self) -> bool {
        self.game.evaluates()
    }

    fn canonical(&self, s: &AnyState) -> AnyState {
        AnyState(Box::new(self.game.canonical(self.state(s))))
    }

    fn playout(&self, s: AnyState, rng: &mut Rng) -> Option<Outcome> {
        self.game.playout(self.state(&s).clone(), rng)
    }

    fn name(&self) -> String {
        self.game.name()
    }

    fn rules(&self) -> Rules {
        self.game.rules()
    }

    fn question(&self) -> Option<(String, String)> {
        self.game.question()
    }

    fn players(&self) -> [&str; 2] {
        self.game.players()
    }

    fn agent_name(&self, agent: Agent) -> &str {
        self.game.agent_name(agent)
    }

    fn atoms(&self) -> &[(&'static str, &'static str)] {
        self.game.atoms()
    }

    fn read_atom(&self, text: &str) -> Option<Atom> {
        self.game.read_atom(text)
    }

    fn one_player(&self) -> bool {
        self.game.one_player()
    }

    fn write_move(&self, s: &AnyState, agent: Option<Agent>, m: AnyMove, out: &mut String) {
        let (s, m) = (self.state(s), self.plain(m));
        match agent {
            Some(agent) => self.game.write_move_of(s, agent, m, out),
            None => self.game.write_move(s, m, out),
        }
    }

    fn parse_move(&self, s: &AnyState, agent: Option<Agent>, text: &str) -> Option<AnyMove> {
        let s = self.state(s);
        let m = match agent {
            Some(agent) => self.game.parse_move_of(s, agent, text),
            None => self.game.parse_move(s, text),
        };
        m.map(|m| self.number(m))
    }

    fn parse_typed(&self, s: &AnyState, text: &str) -> Option<AnyMove> {
        self.game.parse_typed(self.state(s), text).map(|m| self.number(m))
    }

    fn write_position(&self, s: &AnyState, out: &mut String) {
        self.game.write_position(self.state(s), out);
    }

    fn read_position(&self, text: &str) -> Result<AnyState, TextError> {
        self.game.read_position(text).map(|s| AnyState(Box::new(s)))
    }

    fn draw(&self, s: &AnyState) -> String {
        self.game.draw(self.state(s))
    }
}

impl Erased {
    /// Forgets the type of a game.
    pub fn new<G: Guide + Notation + Send + 'static>(game: G) -> Erased {
        let any: &dyn Any = &game;
        if let Some(erased) = any.downcast_ref::<Erased>() {
            return erased.clone();
        }
        let moves = RwLock::new(Moves { list: Vec::new(), numbers: HashMap::new() });
        Erased(Arc::new(Holder { game, moves }))
    }
}

impl Game for Erased {
    type State = AnyState;
    type Move = AnyMove;

    fn scale(&self) -> Scale {
        self.0.scale()
    }

    fn endless(&self) -> Endless {
        self.0.endless()
    }

    fn start(&self) -> AnyState {
        self.0.start()
    }

    fn turn(&self, s: &AnyState) -> Turn {
        self.0.turn(s)
    }

    fn moves(&self, s: &AnyState, agent: Agent, out: &mut Vec<AnyMove>) {
        self.0.moves(s, agent, Listing::Plain, out);
    }

    fn play(&self, s: &mut AnyState, agent: Agent, m: AnyMove) {
        self.0.play(s, agent, m);
    }

    fn outcome(&self, s: &AnyState) -> Outcome {
        self.0.outcome(s)
    }

    fn agents(&self) -> u8 {
        self.0.agents()
    }

    fn off_turn(&self) -> OffTurn {
        self.0.off_turn()
    }

    fn won(&self, outcome: Outcome, agent: Agent) -> bool {
        self.0.won(outcome, agent)
    }

    fn holds(&self, s: &AnyState, atom: Atom) -> bool {
        self.0.holds(s, atom)
    }

    fn rules_violation(&self) -> Option<String> {
        self.0.rules_violation()
    }

    fn confirms(&self, s: &AnyState, claim: Claim, rule: &str, reason: &str) -> bool {
        self.0.confirms(s, claim, rule, reason)
    }

    fn confirms_out_of_reach(&self, s: &AnyState, end: Reach, rule: &str, reason: &str) -> bool {
        self.0.confirms_out_of_reach(s, end, rule, reason)
    }
}

impl Guide for Erased {
    type Packed = AnyState;

    const PACKS_TURN: bool = true;

    fn pack(&self, s: &AnyState) -> AnyState {
        s.clone()
    }

    fn known(&self, s: &AnyState) -> Option<Known> {
        self.0.known(s)
    }

    fn out_of_reach(&self, s: &AnyState, end: Reach) -> Option<&'static str> {
        self.0.out_of_reach(s, end)
    }

    fn reason(&self, s: &AnyState, claim: Claim, out: &mut String) {
        self.0.reason(s, claim, out);
    }

    fn reason_out_of_reach(&self, s: &AnyState, end: Reach, out: &mut String) {
        self.0.reason_out_of_reach(s, end, out);
    }

    fn move_class(&self, s: &AnyState, agent: Agent, m: AnyMove) -> Option<u16> {
        self.0.move_class(s, agent, m)
    }

    fn every_move_ends(&self, s: &AnyState) -> bool {
        self.0.every_move_ends(s)
    }

    fn shape(&self, s: &AnyState) -> u32 {
        self.0.shape(s)
    }

    fn forced(&self, s: &AnyState, agent: Agent) -> Option<AnyMove> {
        self.0.forced(s, agent)
    }

    fn order(&self, s: &AnyState, agent: Agent, moves: &mut [AnyMove]) {
        self.0.order(s, agent, moves);
    }

    fn mobility(&self, s: &AnyState, agent: Agent) -> u32 {
        self.0.mobility(s, agent)
    }

    fn evaluate(&self, s: &AnyState) -> Option<f64> {
        self.0.evaluate(s)
    }

    fn evaluates(&self) -> bool {
        self.0.evaluates()
    }

    fn canonical(&self, s: &AnyState) -> AnyState {
        self.0.canonical(s)
    }

    fn in_order(&self, s: &AnyState, agent: Agent, out: &mut Vec<AnyMove>) {
        self.0.moves(s, agent, Listing::Ordered, out);
    }

    fn promising(&self, s: &AnyState, agent: Agent, out: &mut Vec<AnyMove>) {
        self.0.moves(s, agent, Listing::Promising, out);
    }

    fn finishing(&self, s: &AnyState, agent: Agent, out: &mut Vec<AnyMove>) {
        self.0.moves(s, agent, Listing::Finishing, out);
    }

    fn playout(&self, s: AnyState, rng: &mut Rng) -> Option<Outcome> {
        self.0.playout(s, rng)
    }
}

impl Notation for Erased {
    fn name(&self) -> String {
        self.0.name()
    }

    fn rules(&self) -> Rules {
        self.0.rules()
    }

    fn question(&self) -> Option<(String, String)> {
        self.0.question()
    }

    fn players(&self) -> [&str; 2] {
        self.0.players()
    }

    fn agent_name(&self, agent: Agent) -> &str {
        self.0.agent_name(agent)
    }

    fn atoms(&self) -> &[(&'static str, &'static str)] {
        self.0.atoms()
    }

    fn read_atom(&self, text: &str) -> Option<Atom> {
        self.0.read_atom(text)
    }

    fn one_player(&self) -> bool {
        self.0.one_player()
    }

    fn write_move(&self, s: &AnyState, m: AnyMove, out: &mut String) {
        self.0.write_move(s, None, m, out);
    }

    fn parse_move(&self, s: &AnyState, text: &str) -> Option<AnyMove> {
        self.0.parse_move(s, None, text)
    }

    fn write_move_of(&self, s: &AnyState, agent: Agent, m: AnyMove, out: &mut String) {
        self.0.write_move(s, Some(agent), m, out);
    }

    fn parse_move_of(&self, s: &AnyState, agent: Agent, text: &str) -> Option<AnyMove> {
        self.0.parse_move(s, Some(agent), text)
    }

    fn parse_typed(&self, s: &AnyState, text: &str) -> Option<AnyMove> {
        self.0.parse_typed(s, text)
    }

    fn write_position(&self, s: &AnyState, out: &mut String) {
        self.0.write_position(s, out);
    }

    fn read_position(&self, text: &str) -> Result<AnyState, TextError> {
        self.0.read_position(text)
    }

    fn draw(&self, s: &AnyState) -> String {
        self.0.draw(s)
    }

    fn independent_rules(&self) -> Option<Erased> {
        self.0.independent_rules()
    }
}
