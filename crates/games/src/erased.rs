//! A game whose type was forgotten.
//!
//! Searches are compiled for the game that they work on, which makes them fast and the program
//! large. Most games share one compiled search through this: a call goes through a table of
//! functions, and states and moves are held in place (`held.rs`).

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use foregone_model::{
    Agent, Atom, Character, Claim, Effort, Endless, Game, Guide, Known, Net, NormalPlay, Notation,
    OffTurn, Outcome, OwnFound, OwnSearch, Reach, Rng, Rules, Scale, Scene, Side, Summand,
    TableMove, Tabled, TextError, Turn, Zone,
};

pub use crate::held::{AnyMove, AnyState};
use crate::held::{MoveList, with_list};
pub use crate::numbered::AnyTabled;
use crate::sum::parts::Parts;

/// Any game, and tables of it where some were given.
#[derive(Clone)]
pub struct Erased(Arc<dyn AnyGame>, Option<Arc<dyn Lookup>>);

/// Tables, as a search asks them.
pub trait Lookup: Send + Sync {
    /// What tables say of a state that is not over.
    fn known(&self, s: &AnyState) -> Option<Known>;

    /// The best move for who is on turn, by tables.
    fn best_move(&self, s: &AnyState) -> Option<AnyMove>;
}

impl Debug for Erased {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.name())
    }
}

/// What is asked of a game behind its back.
trait AnyGame: Send + Sync {
    fn any(&self) -> &dyn Any;
    fn scale(&self) -> Scale;
    fn endless(&self) -> Endless;
    fn endless_from(&self, s: &AnyState) -> Endless;
    fn start(&self) -> AnyState;
    fn turn(&self, s: &AnyState) -> Turn;
    fn moves(&self, s: &AnyState, agent: Agent, list: Listing, out: &mut Vec<AnyMove>);
    fn play(&self, s: &mut AnyState, agent: Agent, m: AnyMove);
    fn outcome(&self, s: &AnyState) -> Outcome;
    fn has_chance(&self) -> bool;
    fn weight(&self, s: &AnyState, m: AnyMove) -> u64;
    fn agents(&self) -> u8;
    fn off_turn(&self) -> OffTurn;
    fn score(&self, outcome: Outcome, agent: Agent) -> i64;
    fn won(&self, outcome: Outcome, agent: Agent) -> bool;
    fn holds(&self, s: &AnyState, atom: Atom) -> bool;
    fn rules_violation(&self) -> Option<String>;
    fn independent_rules(&self) -> Option<Erased>;
    fn confirms(&self, s: &AnyState, claim: Claim, rule: &str, reason: &str) -> bool;
    fn confirms_out_of_reach(&self, s: &AnyState, end: Reach, rule: &str, reason: &str) -> bool;
    fn net(&self, s: &AnyState, side: Side) -> Option<Net>;
    fn known(&self, s: &AnyState) -> Option<Known>;
    fn out_of_reach(&self, s: &AnyState, end: Reach) -> Option<&'static str>;
    fn reason(&self, s: &AnyState, claim: Claim, out: &mut String);
    fn reason_out_of_reach(&self, s: &AnyState, end: Reach, out: &mut String);
    fn reason_for_others(&self, s: &AnyState, claim: Claim, out: &mut String) -> bool;
    fn leaves_out(&self) -> bool;
    fn own_search(&self) -> Option<OwnSearch>;
    fn prefers_own_search(&self) -> bool;
    fn search_own(
        &self,
        s: &AnyState,
        goes_on: &mut dyn FnMut(Effort) -> bool,
    ) -> Option<OwnFound<AnyMove>>;
    fn on_cells(&self) -> bool;
    fn move_class(&self, s: &AnyState, agent: Agent, m: AnyMove) -> Option<u16>;
    fn usual_text(&self, s: &AnyState, agent: Agent, m: AnyMove) -> Option<String>;
    fn touched(&self, s: &AnyState, agent: Agent, m: AnyMove) -> Option<Zone>;
    fn counters(&self, s: &AnyState, agent: Agent, moves: u32) -> Zone;
    fn every_move_ends(&self, s: &AnyState) -> bool;
    fn shape(&self, s: &AnyState) -> u32;
    fn forced(&self, s: &AnyState, agent: Agent) -> Option<AnyMove>;
    fn order(&self, s: &AnyState, agent: Agent, moves: &mut [AnyMove]);
    fn mobility(&self, s: &AnyState, agent: Agent) -> u32;
    fn evaluate(&self, s: &AnyState) -> Option<f64>;
    fn evaluates(&self) -> bool;
    fn prefers_evaluation(&self) -> bool;
    fn character(&self) -> Character;
    fn canonical(&self, s: &AnyState) -> AnyState;
    fn playout(&self, s: AnyState, rng: &mut Rng) -> Option<Outcome>;
    fn playout_told(&self, s: AnyState, rng: &mut Rng, told: &mut Told<'_>) -> Option<Outcome>;
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
    fn scene(&self, s: &AnyState) -> Scene;
    fn tables(&self) -> Option<&dyn AnyTabled>;
    fn summand(&self) -> Option<&dyn Summand<AnyState>>;
    fn parts(&self) -> Option<&Parts>;
    fn stores(&self) -> bool;
    fn store_state(&self, s: &AnyState, out: &mut Vec<u8>);
    fn restore_state(&self, from: &mut &[u8]) -> Option<AnyState>;
    fn store_move(&self, m: AnyMove, out: &mut Vec<u8>);
    fn restore_move(&self, from: &mut &[u8]) -> Option<AnyMove>;
}

type Told<'a> = foregone_model::guide::Told<'a, AnyState, AnyMove>;

/// Which moves are wanted, and in which order.
#[derive(Clone, Copy)]
enum Listing {
    Plain,
    Ordered,
    Promising,
    Finishing,
    Threatening(u32),
}

/// How a position of a game is pictured.
pub type Picture<G> = fn(&G, &<G as Game>::State) -> Scene;

type AsSummand<G> = fn(&Holder<G>) -> &dyn Summand<AnyState>;

/// A game with its picture, and the moves that came up, for moves that are not held in place.
struct Holder<G: Game> {
    game: G,
    picture: Picture<G>,
    tables: Option<fn(&G) -> &dyn AnyTabled>,
    /// What adds positions, and what is known of their parts, of a game under normal play.
    sums: Option<(AsSummand<G>, Parts)>,
    list: MoveList<G::Move>,
}

impl<G: Guide + Notation + Send + 'static> Holder<G> {
    /// Its picture is its drawing in text.
    fn new(game: G) -> Holder<G> {
        let picture = |game: &G, s: &G::State| Scene::of_text(&game.draw(s));
        Holder { game, picture, tables: None, sums: None, list: MoveList::new() }
    }
}

impl<G: Guide + Notation + Send + 'static> AnyGame for Holder<G> {
    fn any(&self) -> &dyn Any {
        &self.game
    }

    fn scale(&self) -> Scale {
        self.game.scale()
    }

    fn endless(&self) -> Endless {
        self.game.endless()
    }

    fn endless_from(&self, s: &AnyState) -> Endless {
        self.game.endless_from(s.get())
    }

    fn start(&self) -> AnyState {
        AnyState::new(self.game.start())
    }

    fn turn(&self, s: &AnyState) -> Turn {
        self.game.turn(s.get())
    }

    fn moves(&self, s: &AnyState, agent: Agent, listing: Listing, out: &mut Vec<AnyMove>) {
        let s = s.get();
        with_list(|plain| {
            match listing {
                Listing::Plain => self.game.moves(s, agent, plain),
                Listing::Ordered => self.game.in_order(s, agent, plain),
                Listing::Promising => self.game.promising(s, agent, plain),
                Listing::Finishing => self.game.finishing(s, agent, plain),
                Listing::Threatening(order) => self.game.threatening(s, agent, order, plain),
            }
            out.extend(plain.iter().map(|&m| self.list.hold(m)));
        });
    }

    fn play(&self, s: &mut AnyState, agent: Agent, m: AnyMove) {
        self.game.play(s.get_mut(), agent, self.list.plain(m));
    }

    fn outcome(&self, s: &AnyState) -> Outcome {
        self.game.outcome(s.get())
    }

    fn has_chance(&self) -> bool {
        self.game.has_chance()
    }

    fn weight(&self, s: &AnyState, m: AnyMove) -> u64 {
        self.game.weight(s.get(), self.list.plain(m))
    }

    fn agents(&self) -> u8 {
        self.game.agents()
    }

    fn off_turn(&self) -> OffTurn {
        self.game.off_turn()
    }

    fn score(&self, outcome: Outcome, agent: Agent) -> i64 {
        self.game.score(outcome, agent)
    }

    fn won(&self, outcome: Outcome, agent: Agent) -> bool {
        self.game.won(outcome, agent)
    }

    fn holds(&self, s: &AnyState, atom: Atom) -> bool {
        self.game.holds(s.get(), atom)
    }

    fn rules_violation(&self) -> Option<String> {
        self.game.rules_violation()
    }

    fn independent_rules(&self) -> Option<Erased> {
        self.game.independent_rules().map(|game| Erased::pictured(game, self.picture))
    }

    fn confirms(&self, s: &AnyState, claim: Claim, rule: &str, reason: &str) -> bool {
        self.game.confirms(s.get(), claim, rule, reason)
    }

    fn confirms_out_of_reach(&self, s: &AnyState, end: Reach, rule: &str, reason: &str) -> bool {
        self.game.confirms_out_of_reach(s.get(), end, rule, reason)
    }

    fn net(&self, s: &AnyState, side: Side) -> Option<Net> {
        self.game.net(s.get(), side)
    }

    fn reason(&self, s: &AnyState, claim: Claim, out: &mut String) {
        self.game.reason(s.get(), claim, out);
    }

    fn reason_out_of_reach(&self, s: &AnyState, end: Reach, out: &mut String) {
        self.game.reason_out_of_reach(s.get(), end, out);
    }

    fn reason_for_others(&self, s: &AnyState, claim: Claim, out: &mut String) -> bool {
        self.game.reason_for_others(s.get(), claim, out)
    }

    fn leaves_out(&self) -> bool {
        self.game.leaves_out()
    }

    fn own_search(&self) -> Option<OwnSearch> {
        self.game.own_search()
    }

    fn prefers_own_search(&self) -> bool {
        self.game.prefers_own_search()
    }

    fn search_own(
        &self,
        s: &AnyState,
        goes_on: &mut dyn FnMut(Effort) -> bool,
    ) -> Option<OwnFound<AnyMove>> {
        Some(match self.game.search_own(s.get(), goes_on)? {
            OwnFound::Won(m) => OwnFound::Won(self.list.hold(m)),
            OwnFound::Lost => OwnFound::Lost,
            OwnFound::Open => OwnFound::Open,
        })
    }

    fn on_cells(&self) -> bool {
        self.game.on_cells()
    }

    fn move_class(&self, s: &AnyState, agent: Agent, m: AnyMove) -> Option<u16> {
        self.game.move_class(s.get(), agent, self.list.plain(m))
    }

    fn usual_text(&self, s: &AnyState, agent: Agent, m: AnyMove) -> Option<String> {
        self.game.usual_text(s.get(), agent, self.list.plain(m))
    }

    fn touched(&self, s: &AnyState, agent: Agent, m: AnyMove) -> Option<Zone> {
        self.game.touched(s.get(), agent, self.list.plain(m))
    }

    fn counters(&self, s: &AnyState, agent: Agent, moves: u32) -> Zone {
        self.game.counters(s.get(), agent, moves)
    }

    fn every_move_ends(&self, s: &AnyState) -> bool {
        self.game.every_move_ends(s.get())
    }

    fn shape(&self, s: &AnyState) -> u32 {
        self.game.shape(s.get())
    }

    fn forced(&self, s: &AnyState, agent: Agent) -> Option<AnyMove> {
        self.game.forced(s.get(), agent).map(|m| self.list.hold(m))
    }

    fn order(&self, s: &AnyState, agent: Agent, moves: &mut [AnyMove]) {
        with_list(|plain| {
            plain.extend(moves.iter().map(|&m| self.list.plain(m)));
            self.game.order(s.get(), agent, plain);
            for (to, &from) in moves.iter_mut().zip(&*plain) {
                *to = self.list.hold(from);
            }
        });
    }

    fn known(&self, s: &AnyState) -> Option<Known> {
        self.game.known(s.get())
    }

    fn out_of_reach(&self, s: &AnyState, end: Reach) -> Option<&'static str> {
        self.game.out_of_reach(s.get(), end)
    }

    fn mobility(&self, s: &AnyState, agent: Agent) -> u32 {
        self.game.mobility(s.get(), agent)
    }

    fn evaluate(&self, s: &AnyState) -> Option<f64> {
        self.game.evaluate(s.get())
    }

    fn evaluates(&self) -> bool {
        self.game.evaluates()
    }

    fn prefers_evaluation(&self) -> bool {
        self.game.prefers_evaluation()
    }

    fn character(&self) -> Character {
        self.game.character()
    }

    fn canonical(&self, s: &AnyState) -> AnyState {
        AnyState::new(self.game.canonical(s.get()))
    }

    fn playout(&self, s: AnyState, rng: &mut Rng) -> Option<Outcome> {
        self.game.playout(s.get::<G::State>().clone(), rng)
    }

    fn playout_told(&self, s: AnyState, rng: &mut Rng, told: &mut Told<'_>) -> Option<Outcome> {
        self.game.playout_told(s.get::<G::State>().clone(), rng, &mut |s, agent, m| {
            told(&AnyState::new(s.clone()), agent, self.list.hold(m));
        })
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
        let (s, m) = (s.get(), self.list.plain(m));
        match agent {
            Some(agent) => self.game.write_move_of(s, agent, m, out),
            None => self.game.write_move(s, m, out),
        }
    }

    fn parse_move(&self, s: &AnyState, agent: Option<Agent>, text: &str) -> Option<AnyMove> {
        let s = s.get();
        let m = match agent {
            Some(agent) => self.game.parse_move_of(s, agent, text),
            None => self.game.parse_move(s, text),
        };
        m.map(|m| self.list.hold(m))
    }

    fn parse_typed(&self, s: &AnyState, text: &str) -> Option<AnyMove> {
        self.game.parse_typed(s.get(), text).map(|m| self.list.hold(m))
    }

    fn write_position(&self, s: &AnyState, out: &mut String) {
        self.game.write_position(s.get(), out);
    }

    fn read_position(&self, text: &str) -> Result<AnyState, TextError> {
        self.game.read_position(text).map(AnyState::new)
    }

    fn draw(&self, s: &AnyState) -> String {
        self.game.draw(s.get())
    }

    fn scene(&self, s: &AnyState) -> Scene {
        (self.picture)(&self.game, s.get())
    }

    fn tables(&self) -> Option<&dyn AnyTabled> {
        self.tables.map(|tables| tables(&self.game))
    }

    fn summand(&self) -> Option<&dyn Summand<AnyState>> {
        self.sums.as_ref().map(|(summand, _)| summand(self))
    }

    fn parts(&self) -> Option<&Parts> {
        self.sums.as_ref().map(|(_, parts)| parts)
    }

    fn stores(&self) -> bool {
        self.game.stores()
    }

    fn store_state(&self, s: &AnyState, out: &mut Vec<u8>) {
        self.game.store_state(s.get(), out);
    }

    fn restore_state(&self, from: &mut &[u8]) -> Option<AnyState> {
        self.game.restore_state(from).map(AnyState::new)
    }

    fn store_move(&self, m: AnyMove, out: &mut Vec<u8>) {
        self.game.store_move(self.list.plain(m), out);
    }

    fn restore_move(&self, from: &mut &[u8]) -> Option<AnyMove> {
        self.game.restore_move(from).map(|m| self.list.hold(m))
    }
}

impl<G: Guide + NormalPlay + Send + 'static> Summand<AnyState> for Holder<G> {
    fn with_turn(&self, s: &AnyState, side: Side) -> AnyState {
        AnyState::new(NormalPlay::with_turn(&self.game, s.get(), side))
    }

    fn split(&self, s: &AnyState, out: &mut Vec<AnyState>) {
        let mut parts = Vec::new();
        NormalPlay::split(&self.game, s.get(), &mut parts);
        out.extend(parts.into_iter().map(AnyState::new));
    }

    fn negative(&self, part: &AnyState) -> Option<AnyState> {
        NormalPlay::negative(&self.game, part.get()).map(AnyState::new)
    }

    fn impartial(&self) -> bool {
        NormalPlay::impartial(&self.game)
    }
}

impl Erased {
    /// Forgets the type of a game, whose picture is its drawing in text.
    pub fn new<G: Guide + Notation + Send + 'static>(game: G) -> Erased {
        let any: &dyn Any = &game;
        if let Some(erased) = any.downcast_ref::<Erased>() {
            return erased.clone();
        }
        Erased::held(Holder::new(game))
    }

    /// Forgets the type of a game that is pictured in this way.
    pub fn pictured<G: Guide + Notation + Send + 'static>(game: G, picture: Picture<G>) -> Erased {
        Erased::held(Holder { picture, ..Holder::new(game) })
    }

    fn held<G: Guide + Notation + Send + 'static>(holder: Holder<G>) -> Erased {
        Erased(Arc::new(holder), None)
    }

    /// Forgets the type of a game that is pictured in this way and whose positions have numbers.
    pub fn tabled<G: Guide + Notation + Tabled + Send + 'static>(
        game: G,
        picture: Picture<G>,
    ) -> Erased {
        Erased::held(Holder { picture, tables: Some(|g| g), ..Holder::new(game) })
    }

    /// Forgets the type of a game that is pictured in this way and can be added to others.
    pub fn normal_play<G: Guide + NormalPlay + Send + 'static>(
        game: G,
        picture: Picture<G>,
    ) -> Erased {
        let sums = Some((as_summand as AsSummand<G>, Parts::new()));
        Erased::held(Holder { picture, sums, ..Holder::new(game) })
    }

    /// What makes sums of this game, if it is one under normal play.
    pub fn parts(&self) -> Option<&dyn Summand<AnyState>> {
        self.0.summand()
    }

    /// From now on the driver `parts` finds the exact values of all parts of a game under normal play,
    /// however long it takes, before it searches.
    pub fn ask_values(&self) {
        if let Some(parts) = self.0.parts() {
            parts.ask_values();
        }
    }

    /// The same game with tables, which searches ask.
    pub fn with_tables(&self, tables: Arc<dyn Lookup>) -> Erased {
        Erased(Arc::clone(&self.0), Some(tables))
    }

    /// The numbering of the positions, if they have one.
    pub fn tables(&self) -> Option<&dyn AnyTabled> {
        self.0.tables()
    }

    /// A picture of a position, with the cells that every legal move touches.
    pub fn scene(&self, s: &AnyState) -> Scene {
        let mut moves = Vec::new();
        if let Some(agent) = self.turn(s).mover() {
            self.moves(s, agent, &mut moves);
            let texts = moves.iter().map(|&m| self.move_text(s, m)).collect();
            return self.0.scene(s).with_moves(&[(self.agent_name(agent), texts)]);
        }
        self.0.scene(s).with_moves(&[])
    }

    /// The game itself, if it is of this type.
    pub fn get<G: Guide + Notation + Send + 'static>(&self) -> Option<&G> {
        self.0.any().downcast_ref()
    }
}

fn as_summand<G: Guide + NormalPlay + Send + 'static>(
    holder: &Holder<G>,
) -> &dyn Summand<AnyState> {
    holder
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

    fn endless_from(&self, s: &AnyState) -> Endless {
        self.0.endless_from(s)
    }

    fn start(&self) -> AnyState {
        self.0.start()
    }

    #[inline]
    fn turn(&self, s: &AnyState) -> Turn {
        self.0.turn(s)
    }

    #[inline]
    fn moves(&self, s: &AnyState, agent: Agent, out: &mut Vec<AnyMove>) {
        self.0.moves(s, agent, Listing::Plain, out);
    }

    #[inline]
    fn play(&self, s: &mut AnyState, agent: Agent, m: AnyMove) {
        self.0.play(s, agent, m);
    }

    #[inline]
    fn outcome(&self, s: &AnyState) -> Outcome {
        self.0.outcome(s)
    }

    fn has_chance(&self) -> bool {
        self.0.has_chance()
    }

    fn weight(&self, s: &AnyState, m: AnyMove) -> u64 {
        self.0.weight(s, m)
    }

    fn agents(&self) -> u8 {
        self.0.agents()
    }

    fn off_turn(&self) -> OffTurn {
        self.0.off_turn()
    }

    fn score(&self, outcome: Outcome, agent: Agent) -> i64 {
        self.0.score(outcome, agent)
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

    fn net(&self, s: &AnyState, side: Side) -> Option<Net> {
        self.0.net(s, side)
    }
}

impl Guide for Erased {
    type Packed = AnyState;

    const PACKS_TURN: bool = true;

    #[inline]
    fn pack(&self, s: &AnyState) -> AnyState {
        s.clone()
    }

    #[inline]
    fn known(&self, s: &AnyState) -> Option<Known> {
        let by_table = self.1.as_ref().and_then(|tables| tables.known(s));
        let by_game = || self.0.known(s);
        by_table.or_else(by_game).or_else(|| self.0.parts()?.known(self, s))
    }

    fn has_tables(&self) -> bool {
        self.1.is_some()
    }

    fn table_move(&self, s: &AnyState, claim: Claim) -> Option<TableMove<AnyMove>> {
        let tables = self.1.as_ref()?;
        tables.known(s).filter(|known| known.meets(claim))?;
        match self.turn(s) {
            Turn::Agent(agent) if Side::of(agent) == claim.prover => {
                tables.best_move(s).map(TableMove::Plays)
            }
            _ => Some(TableMove::Replies),
        }
    }

    fn out_of_reach(&self, s: &AnyState, end: Reach) -> Option<&'static str> {
        self.0.out_of_reach(s, end)
    }

    /// Words about parts stand where only those say that the claim holds.
    fn reason(&self, s: &AnyState, claim: Claim, out: &mut String) {
        match self.0.parts() {
            Some(parts) if !self.0.known(s).is_some_and(|known| known.meets(claim)) => {
                parts.reason(s, out);
            }
            _ => self.0.reason(s, claim, out),
        }
    }

    fn reason_out_of_reach(&self, s: &AnyState, end: Reach, out: &mut String) {
        self.0.reason_out_of_reach(s, end, out);
    }

    fn reason_for_others(&self, s: &AnyState, claim: Claim, out: &mut String) -> bool {
        self.0.reason_for_others(s, claim, out)
    }

    fn leaves_out(&self) -> bool {
        self.0.leaves_out()
    }

    /// Games under normal play are searched by their parts.
    fn own_search(&self) -> Option<OwnSearch> {
        self.0.own_search().or_else(|| self.0.parts().map(|_| OwnSearch::Parts))
    }

    fn prefers_own_search(&self) -> bool {
        self.0.prefers_own_search()
    }

    fn search_own(
        &self,
        s: &AnyState,
        goes_on: &mut dyn FnMut(Effort) -> bool,
    ) -> Option<OwnFound<AnyMove>> {
        match (self.0.own_search(), self.0.parts()) {
            (None, Some(parts)) => parts.decide(self, s, goes_on),
            _ => self.0.search_own(s, goes_on),
        }
    }

    fn on_cells(&self) -> bool {
        self.0.on_cells()
    }

    #[inline]
    fn move_class(&self, s: &AnyState, agent: Agent, m: AnyMove) -> Option<u16> {
        self.0.move_class(s, agent, m)
    }

    fn usual_text(&self, s: &AnyState, agent: Agent, m: AnyMove) -> Option<String> {
        self.0.usual_text(s, agent, m)
    }

    fn threatening(&self, s: &AnyState, agent: Agent, order: u32, out: &mut Vec<AnyMove>) {
        self.0.moves(s, agent, Listing::Threatening(order), out);
    }

    #[inline]
    fn touched(&self, s: &AnyState, agent: Agent, m: AnyMove) -> Option<Zone> {
        self.0.touched(s, agent, m)
    }

    fn counters(&self, s: &AnyState, agent: Agent, moves: u32) -> Zone {
        self.0.counters(s, agent, moves)
    }

    #[inline]
    fn every_move_ends(&self, s: &AnyState) -> bool {
        self.0.every_move_ends(s)
    }

    #[inline]
    fn shape(&self, s: &AnyState) -> u32 {
        self.0.shape(s)
    }

    #[inline]
    fn forced(&self, s: &AnyState, agent: Agent) -> Option<AnyMove> {
        self.0.forced(s, agent)
    }

    #[inline]
    fn order(&self, s: &AnyState, agent: Agent, moves: &mut [AnyMove]) {
        self.0.order(s, agent, moves);
    }

    #[inline]
    fn mobility(&self, s: &AnyState, agent: Agent) -> u32 {
        self.0.mobility(s, agent)
    }

    #[inline]
    fn evaluate(&self, s: &AnyState) -> Option<f64> {
        self.0.evaluate(s)
    }

    fn evaluates(&self) -> bool {
        self.0.evaluates()
    }

    fn prefers_evaluation(&self) -> bool {
        self.0.prefers_evaluation()
    }

    fn character(&self) -> Character {
        self.0.character()
    }

    #[inline]
    fn canonical(&self, s: &AnyState) -> AnyState {
        self.0.canonical(s)
    }

    #[inline]
    fn in_order(&self, s: &AnyState, agent: Agent, out: &mut Vec<AnyMove>) {
        self.0.moves(s, agent, Listing::Ordered, out);
    }

    #[inline]
    fn promising(&self, s: &AnyState, agent: Agent, out: &mut Vec<AnyMove>) {
        self.0.moves(s, agent, Listing::Promising, out);
    }

    #[inline]
    fn finishing(&self, s: &AnyState, agent: Agent, out: &mut Vec<AnyMove>) {
        self.0.moves(s, agent, Listing::Finishing, out);
    }

    fn playout(&self, s: AnyState, rng: &mut Rng) -> Option<Outcome> {
        self.0.playout(s, rng)
    }

    fn playout_told(&self, s: AnyState, rng: &mut Rng, told: &mut Told<'_>) -> Option<Outcome> {
        self.0.playout_told(s, rng, told)
    }

    fn stores(&self) -> bool {
        self.0.stores()
    }

    #[inline]
    fn store_state(&self, s: &AnyState, out: &mut Vec<u8>) {
        self.0.store_state(s, out);
    }

    #[inline]
    fn restore_state(&self, from: &mut &[u8]) -> Option<AnyState> {
        self.0.restore_state(from)
    }

    #[inline]
    fn store_move(&self, m: AnyMove, out: &mut Vec<u8>) {
        self.0.store_move(m, out);
    }

    #[inline]
    fn restore_move(&self, from: &mut &[u8]) -> Option<AnyMove> {
        self.0.restore_move(from)
    }

    /// Tables keep states as they are.
    #[inline]
    fn store_packed(&self, p: &AnyState, out: &mut Vec<u8>) {
        self.0.store_state(p, out);
    }

    #[inline]
    fn restore_packed(&self, from: &mut &[u8]) -> Option<AnyState> {
        self.0.restore_state(from)
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

    fn summand(&self) -> Option<&dyn Summand<AnyState>> {
        self.0.summand()
    }

    fn independent_rules(&self) -> Option<Erased> {
        self.0.independent_rules()
    }
}
