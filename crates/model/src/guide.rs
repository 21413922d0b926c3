//! What a game may tell a search beyond its rules: static knowledge, estimates and random plays.
//!
//! Nothing here decides truth. A wrong guide makes a search slow, and knowledge that is wrong ends
//! in a certificate that is refused: its reason is looked at by code that shares nothing with
//! what found it ([`Game::confirms`]).

use std::hash::Hash;

use foregone_proof::{Agent, Claim, Endless, Game, Outcome, Reach, Side, Turn};

use crate::zone::Zone;

/// Hints for searches. Every method has a plain default made of the rules alone; a game
/// overrides what it can answer faster.
pub trait Guide: Game {
    /// A position as tables keep it: the smaller, the more of them fit.
    type Packed: Clone + Eq + Hash + Send + Sync;

    /// A position in the form in which tables keep it. Two positions that come up in one search
    /// have the same form only when they are the same.
    fn pack(&self, s: &Self::State) -> Self::Packed;

    /// Whether the packed form tells whose turn it is, too. Where every search asks the agents in
    /// their turn it need not.
    const PACKS_TURN: bool = false;

    /// What static knowledge says of a state that is not over, if the game offers any. It stands
    /// in a file of its own. Max is the first agent here: questions with another Max do not ask.
    fn known(&self, _s: &Self::State) -> Option<Known> {
        None
    }

    /// The name of a rule by which an end cannot be reached from `s`, which is not over, if static
    /// knowledge of the game has one.
    fn out_of_reach(&self, _s: &Self::State, _end: Reach) -> Option<&'static str> {
        None
    }

    /// Appends the reason why [`Guide::known`] says that the claim holds in `s`: words with single
    /// spaces between them that [`Game::confirms`] accepts. There may be nothing to say.
    fn reason(&self, _s: &Self::State, _claim: Claim, _out: &mut String) {}

    /// The same for what [`Guide::out_of_reach`] says.
    fn reason_out_of_reach(&self, _s: &Self::State, _end: Reach, _out: &mut String) {}

    /// Appends `RULE REASON…`, the words that show by [`Game::confirms`] that `claim` holds after
    /// every move of its prover's opponent in `s` that [`Guide::promising`] leaves out, and says
    /// whether there are such words. Only asked where [`Guide::leaves_out`] says so.
    fn reason_for_others(&self, _s: &Self::State, _claim: Claim, _out: &mut String) -> bool {
        false
    }

    /// Which search of its own the game has, if any ([`Guide::search_own`]).
    fn own_search(&self) -> Option<OwnSearch> {
        None
    }

    /// Whether that search is the one to use where nobody says how to search.
    fn prefers_own_search(&self) -> bool {
        true
    }

    /// Who wins `s`, which is not over, by a search of the game's own, as long as `goes_on` says so;
    /// nothing if it did not. What it finds is known from then on: `promising` and `reason_for_others`,
    /// or `known` and `reason`, tell it of positions in which the side to move has lost.
    fn search_own(
        &self,
        _s: &Self::State,
        _goes_on: &mut dyn FnMut(Effort) -> bool,
    ) -> Option<OwnFound<Self::Move>> {
        None
    }

    /// How the prover of a claim goes on in a state that is not over, where tables say that the claim
    /// holds there. What tables say is not a reason that certificates have, so proofs go on with it.
    fn table_move(&self, _s: &Self::State, _claim: Claim) -> Option<TableMove<Self::Move>> {
        None
    }

    /// Whether tables were given to the game ([`Guide::table_move`]).
    fn has_tables(&self) -> bool {
        false
    }

    /// How many moves `agent` has, or would have were it its turn.
    fn mobility(&self, s: &Self::State, agent: Agent) -> u32 {
        let mut moves = Vec::new();
        self.moves(s, agent, &mut moves);
        moves.len() as u32
    }

    /// An estimate in (0, 1) of Max's chances in a state that is not over, if the game has one.
    fn evaluate(&self, _s: &Self::State) -> Option<f64> {
        None
    }

    /// Whether [`Guide::evaluate`] answers.
    fn evaluates(&self) -> bool {
        false
    }

    /// Whether searches that prove are guided better by [`Guide::evaluate`] than by counting moves.
    fn prefers_evaluation(&self) -> bool {
        false
    }

    /// What kind of game this is to a search, where nobody says how to search it.
    fn character(&self) -> Character {
        Character::Plain
    }

    /// The position that stands for `s` and all its mirror images: the least of them in some
    /// fixed order. What is true of one is true of all, for the same side.
    fn canonical(&self, s: &Self::State) -> Self::State {
        s.clone()
    }

    /// Sorts the moves of `agent`, the most promising first.
    fn order(&self, _s: &Self::State, _agent: Agent, _moves: &mut [Self::Move]) {}

    /// What a move does, as a small number: moves that do the same thing in different positions,
    /// such as taking the same cell, share what the history heuristic learns of them.
    fn move_class(&self, _s: &Self::State, _agent: Agent, _m: Self::Move) -> Option<u16> {
        None
    }

    /// Appends all moves of `agent`, the most promising first.
    fn in_order(&self, s: &Self::State, agent: Agent, out: &mut Vec<Self::Move>) {
        let first = out.len();
        self.moves(s, agent, out);
        self.order(s, agent, &mut out[first..]);
    }

    /// Appends the moves of `agent` that are worth trying, the most promising first. Only moves
    /// may be left out after which [`Guide::known`] says that `agent` gets the worst outcome.
    fn promising(&self, s: &Self::State, agent: Agent, out: &mut Vec<Self::Move>) {
        self.in_order(s, agent, out);
    }

    /// Whether proofs take what [`Guide::promising`] leaves out as known without asking
    /// [`Guide::known`]: worth saying where knowledge takes long to find.
    fn leaves_out(&self) -> bool {
        false
    }

    /// Appends the moves of `agent` after which it may have won, the most promising first. Only
    /// moves may be left out after which it has not.
    fn finishing(&self, s: &Self::State, agent: Agent, out: &mut Vec<Self::Move>) {
        self.in_order(s, agent, out);
    }

    /// Appends the moves of `agent`, who may not be on turn, that may threaten to win, the most
    /// promising first. Only moves may be left out after which `agent`, were it to move again, could
    /// not win by threats of an order below this one: at once where it is 1. In states in which
    /// `agent` wins by such threats already, anything may be left out.
    fn threatening(&self, s: &Self::State, agent: Agent, _order: u32, out: &mut Vec<Self::Move>) {
        self.in_order(s, agent, out);
    }

    /// The cells that a move of `agent`, who may not be on turn, changes. Nothing where the game has
    /// no cells, or does not tell.
    fn touched(&self, _s: &Self::State, _agent: Agent, _m: Self::Move) -> Option<Zone> {
        None
    }

    /// The cells where `agent` can upset what the other side proves in `s` by something else than by
    /// changing a cell that the proof changes: where it may win within so many moves of its own, or
    /// make a move of the other side illegal.
    fn counters(&self, _s: &Self::State, _agent: Agent, _moves: u32) -> Zone {
        Zone::ALL
    }

    /// A move of `agent`, who may not be on turn, as people who know the game write it, where that is
    /// not the text that certificates have: Standard Algebraic Notation in chess.
    fn usual_text(&self, _s: &Self::State, _agent: Agent, _m: Self::Move) -> Option<String> {
        None
    }

    /// Whether moves take cells and mostly do not disturb each other, so that what answers one of them
    /// often answers others, too: then certificates try to say so in one line. A move is written the
    /// same in every position.
    fn on_cells(&self) -> bool {
        false
    }

    /// Whether every move in `s` ends the game.
    #[inline]
    fn every_move_ends(&self, _s: &Self::State) -> bool {
        false
    }

    /// What kind of choice or end a state is, as a small number, where a game has kinds that a
    /// scheme may tell apart.
    #[inline]
    fn shape(&self, _s: &Self::State) -> u32 {
        0
    }

    /// The only move that [`Guide::promising`] lists, where there is just one and that is quickly
    /// seen.
    fn forced(&self, _s: &Self::State, _agent: Agent) -> Option<Self::Move> {
        None
    }

    /// The outcome of one random play from `s` (Algorithm 3), in which agents choose all their moves
    /// equally often and chance makes its moves by their weights, or nothing when it did
    /// not end within a very large number of moves. An override must have the same distribution.
    fn playout(&self, s: Self::State, rng: &mut Rng) -> Option<Outcome> {
        plain_playout(self, s, rng)
    }

    /// The same, telling the moves of agents and a state in which each can be made. They may come
    /// in any order, and where nothing changes any more, others may follow.
    fn playout_told(
        &self,
        s: Self::State,
        rng: &mut Rng,
        told: &mut Told<'_, Self::State, Self::Move>,
    ) -> Option<Outcome> {
        plain_playout_told(self, s, rng, told)
    }

    /// Whether searches of this game can be kept in checkpoints: its states, moves and packed states
    /// are written by the methods below, all of which [`stored_by_parts!`](crate::stored_by_parts)
    /// provides.
    fn stores(&self) -> bool {
        false
    }

    /// Appends a state as bytes. Another process that has the same game must read the same state.
    fn store_state(&self, _s: &Self::State, _out: &mut Vec<u8>) {}

    /// Takes a state from the front of such bytes, if they are those of a state.
    fn restore_state(&self, _from: &mut &[u8]) -> Option<Self::State> {
        None
    }

    /// The same for a move.
    fn store_move(&self, _m: Self::Move, _out: &mut Vec<u8>) {}

    /// Takes a move from the front of such bytes.
    fn restore_move(&self, _from: &mut &[u8]) -> Option<Self::Move> {
        None
    }

    /// The same for a packed state.
    fn store_packed(&self, _p: &Self::Packed, _out: &mut Vec<u8>) {}

    /// Takes a packed state from the front of such bytes.
    fn restore_packed(&self, _from: &mut &[u8]) -> Option<Self::Packed> {
        None
    }
}

/// Who hears of the moves of a random play.
pub type Told<'a, S, M> = dyn FnMut(&S, Agent, M) + 'a;

/// What kind of game something is to a search. It says nothing about which search is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Character {
    /// Nothing is known.
    #[default]
    Plain,
    /// Who has more moves is better off, up to the end.
    Mobile,
    /// The graph is large, and a state is quickly looked at.
    Large,
    /// The game orders moves well ([`Guide::promising`]).
    Ordered,
    /// Both: moves are what it is about, and the game orders them well.
    MobileAndOrdered,
}

/// What static knowledge says of a state: bounds of its value, and the name of the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Max reaches at least this.
    pub at_least: Outcome,
    /// Max reaches at most this.
    pub at_most: Outcome,
    /// The name of the rule, one word.
    pub by: &'static str,
}

impl Known {
    /// Max wins a two-outcome game, by this rule.
    pub fn won(by: &'static str) -> Known {
        Known { at_least: Outcome::WIN, at_most: Outcome::WIN, by }
    }

    /// Max loses a two-outcome game, by this rule.
    pub fn lost(by: &'static str) -> Known {
        Known { at_least: Outcome::LOSS, at_most: Outcome::LOSS, by }
    }

    /// Whether this is what a claim promises.
    #[inline]
    pub fn meets(self, claim: Claim) -> bool {
        match claim.prover {
            Side::Max => self.at_least >= claim.at_least,
            Side::Min => self.at_most < claim.at_least,
        }
    }
}

/// What a search of the game's own has used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// How many positions it has looked at.
    pub positions: u64,
    /// How many bytes it holds.
    pub bytes: u64,
}

/// What a search of the game's own found, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnFound<M> {
    /// It wins by this move: the game gets its best outcome for it.
    Won(M),
    /// It loses.
    Lost,
    /// It may be either.
    Open,
}

/// What a search of a game's own goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnSearch {
    /// Connections that either side can make.
    Connections,
    /// Threats that have to be answered.
    Threats,
    /// Parts of a sum, and what they are worth.
    Parts,
}

impl OwnSearch {
    /// One word for it.
    pub fn word(self) -> &'static str {
        match self {
            OwnSearch::Connections => "connections",
            OwnSearch::Threats => "threats",
            OwnSearch::Parts => "parts",
        }
    }
}

/// How a proof goes on where tables say that a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableMove<M> {
    /// The prover plays this move.
    Plays(M),
    /// It is the opponent's turn, and every reply has an answer.
    Replies,
}

/// Plays longer than this are given up.
const LONGEST_PLAYOUT: u32 = 100_000;
/// The same where plays may be endless: most long ones are then going round.
const LONGEST_WITH_CYCLES: u32 = 2_000;

/// A random play by the rules alone: the default of [`Guide::playout`], and what overrides are
/// tested against.
pub fn plain_playout<G: Game + ?Sized>(game: &G, s: G::State, rng: &mut Rng) -> Option<Outcome> {
    plain_playout_told(game, s, rng, &mut |_, _, _| {})
}

/// The same, telling the moves of agents: the default of [`Guide::playout_told`].
pub fn plain_playout_told<G: Game + ?Sized, F: FnMut(&G::State, Agent, G::Move) + ?Sized>(
    game: &G,
    mut s: G::State,
    rng: &mut Rng,
    told: &mut F,
) -> Option<Outcome> {
    let mut moves = Vec::with_capacity(64);
    let longest = match game.endless() {
        Endless::Impossible => LONGEST_PLAYOUT,
        Endless::Scores(_) | Endless::Undetermined => LONGEST_WITH_CYCLES,
    };
    for _ in 0..longest {
        match game.turn(&s) {
            Turn::Over => return Some(game.outcome(&s)),
            Turn::Agent(agent) => {
                moves.clear();
                game.moves(&s, agent, &mut moves);
                let m = moves[rng.below(moves.len() as u32) as usize];
                told(&s, agent, m);
                game.play(&mut s, agent, m);
            }
            Turn::Chance => {
                moves.clear();
                game.moves(&s, Agent::CHANCE, &mut moves);
                let m = draw(game, &s, &moves, rng);
                game.play(&mut s, Agent::CHANCE, m);
            }
        }
    }
    None
}

/// What happens in `s`, where chance has these moves: one of them, by their weights.
pub fn draw<G: Game + ?Sized>(game: &G, s: &G::State, moves: &[G::Move], rng: &mut Rng) -> G::Move {
    let total: u64 = moves.iter().map(|&m| game.weight(s, m)).sum();
    let mut left = rng.below_wide(total);
    for &m in moves {
        match left.checked_sub(game.weight(s, m)) {
            Some(rest) => left = rest,
            None => return m,
        }
    }
    // Only weights that change from one question to the next lead here.
    moves[0]
}

/// A small deterministic random generator (SplitMix64 by Steele, Lea and Flood, 2014): the same
/// seed gives the same numbers everywhere.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator for this seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// What makes a generator that goes on like this one: the seed for [`Rng::new`].
    pub fn seed(&self) -> u64 {
        self.0
    }

    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, by multiplication (Lemire); the bias is below `n / 2^64`.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u32
    }

    /// The same for an `n` of any size. Small ones come out evenly; close to 2^64 some numbers come
    /// up to twice as often as others.
    #[inline]
    pub fn below_wide(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn the_generator_is_splitmix64() {
        // Reference values of the published generator for seed 1234567.
        let mut rng = Rng::new(1_234_567);
        assert_eq!(rng.bits(), 6_457_827_717_110_365_317);
        assert_eq!(rng.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn below_is_below_and_reaches_everything() {
        let mut rng = Rng::new(7);
        let mut seen = [0u32; 5];
        for _ in 0..5000 {
            seen[rng.below(5) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (900..1100).contains(&n)), "{seen:?}");
    }
}
