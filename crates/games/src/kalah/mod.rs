//! Kalah (William Julius Champion, 1940; solved for small boards by G. Irving, J. Donkers and
//! J. Uiterwijk, *Solving Kalah*, 2000).
//!
//! South, who moves first, and North each have a row of pits and, at its right end as they see it,
//! a store. A move takes all seeds out of an own pit and sows them one by one into the next pits,
//! round the board to the right, into one's own store but not into the opponent's. If the last seed
//! falls into the own store, the same player moves again. If it falls into an own pit that was
//! empty, and the pit on the other side holds seeds, both go into the own store; if that pit is
//! empty nothing is captured. The game is over as soon as one row is empty; the seeds of the other
//! row go into its owner's store. The score is South's store less North's.

use foregone_model::scene::Scene;
use foregone_model::{
    Agent, Claim, Game, Guide, Known, Notation, Outcome, Rng, Scale, Side, TextError, Turn,
};

use crate::board::{Word, sort_by_rank};
use crate::mancala::numbering::Numbering;
use crate::mancala::{MOST_PITS, MOST_SEEDS, PLAYERS, State, count};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};
use crate::scores::Scores;

pub mod bounds;
mod classes;
pub mod witness;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "kalah",
    "PITS,SEEDS (3,2)",
    "Sow seeds round the board and capture; the score is the difference of the stores",
    open,
)
.knowing(&[bounds::RULE]);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let most = MOST_SEEDS / 2;
    let [pits, seeds] = options.numbers([(3, 1, MOST_PITS as u32), (2, 1, most)])?;
    if pits * seeds > most {
        let message = format!(
            "two rows of {pits} pits with {seeds} seeds each are more than {MOST_SEEDS} seeds"
        );
        return Err(GameError::Spec(options.error(message)));
    }
    Ok(Opened::tabled(Kalah::new(pits, seeds), Kalah::scene))
}

/// Kalah with so many pits a side.
#[derive(Clone, Debug)]
pub struct Kalah {
    pits: usize,
    /// In each pit at the start.
    seeds: u8,
    numbering: Numbering,
}

impl Kalah {
    /// So many pits a side and seeds in each, at least one; no more than [`MOST_PITS`] pits and
    /// [`MOST_SEEDS`] seeds in all.
    pub fn new(pits: u32, seeds: u32) -> Kalah {
        assert!(
            pits > 0 && seeds > 0 && 2 * pits * seeds <= MOST_SEEDS,
            "the seeds can be counted"
        );
        let numbering = Numbering::new(pits as usize);
        Kalah { pits: pits as usize, seeds: seeds as u8, numbering }
    }

    /// All seeds of the board.
    fn total(&self) -> u32 {
        2 * self.pits as u32 * u32::from(self.seeds)
    }

    fn scores(&self) -> Scores {
        // All seeds are in the stores at the end, so that no difference is odd.
        Scores { most: self.total() as i32, step: 2 }
    }

    /// Takes the seeds out of a pit, sows and captures. Says whether the same side moves again.
    #[inline]
    fn sow(&self, s: &mut State, side: Side, from: usize) -> bool {
        let (own, other) = (side.index(), side.other().index());
        let mut hand = std::mem::take(&mut s.rows[own][from]);
        let mut pit = from + 1;
        loop {
            // Step 1: the rest of the own row.
            while pit < self.pits && hand > 0 {
                s.rows[own][pit] += 1;
                hand -= 1;
                pit += 1;
            }
            if hand == 0 {
                break;
            }
            // Step 2: the own store.
            s.stores[own] += 1;
            hand -= 1;
            if hand == 0 {
                return true;
            }
            // Step 3: the opponent's row, and round again.
            for seeds in &mut s.rows[other][..self.pits] {
                if hand == 0 {
                    return false;
                }
                *seeds += 1;
                hand -= 1;
            }
            if hand == 0 {
                return false;
            }
            pit = 0;
        }
        // Step 4: the last seed fell into the own pit before `pit`.
        let (last, opposite) = (pit - 1, self.pits - pit);
        if s.rows[own][last] == 1 && s.rows[other][opposite] > 0 {
            s.stores[own] += 1 + std::mem::take(&mut s.rows[other][opposite]);
            s.rows[own][last] = 0;
        }
        false
    }
}

impl Game for Kalah {
    type State = State;
    /// The pit, counted from 0 at its owner's left.
    type Move = u8;

    fn scale(&self) -> Scale {
        self.scores().scale()
    }

    fn start(&self) -> State {
        State::start(self.pits, self.seeds)
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        // When one row is empty the other is emptied, too.
        if s.filled(s.turn) == 0 { Turn::Over } else { Turn::Agent(s.turn.agent()) }
    }

    #[inline]
    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<u8>) {
        out.extend(s.filled(Side::of(agent)).cells().map(|pit| pit as u8));
    }

    #[inline]
    fn play(&self, s: &mut State, agent: Agent, m: u8) {
        let side = Side::of(agent);
        let again = self.sow(s, side, usize::from(m));
        s.turn = if again { side } else { side.other() };
        if s.rows.contains(&[0; MOST_PITS]) {
            for (row, store) in s.rows.iter_mut().zip(&mut s.stores) {
                *store += row.iter().sum::<u8>();
                *row = [0; MOST_PITS];
            }
        }
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        self.scores().outcome(s.ahead())
    }

    fn confirms(&self, s: &State, claim: Claim, rule: &str, reason: &str) -> bool {
        let Claim { prover, at_least, .. } = claim;
        let rows = [0, 1].map(|side| &s.rows[side][..self.pits]);
        rule == bounds::RULE
            && witness::confirms(rows, s.stores, self.total(), prover, at_least, reason)
    }
}

impl Guide for Kalah {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }

    #[inline]
    fn known(&self, s: &State) -> Option<Known> {
        Some(bounds::known(s.stores, self.total()))
    }

    #[inline]
    fn mobility(&self, s: &State, agent: Agent) -> u32 {
        s.filled(Side::of(agent)).count()
    }

    /// Moves that bring another one, then those that bring the most seeds; among equals the pits
    /// nearest to the store first, as Irving, Donkers and Uiterwijk do.
    fn order(&self, s: &State, agent: Agent, moves: &mut [u8]) {
        let side = Side::of(agent);
        let own = side.index();
        sort_by_rank(moves, |m| {
            let mut after = *s;
            let again = self.sow(&mut after, side, usize::from(m));
            let gain = i16::from(after.stores[own] - s.stores[own]);
            2000 * i16::from(again) + 8 * gain + i16::from(m)
        });
    }

    fn playout(&self, mut s: State, rng: &mut Rng) -> Option<Outcome> {
        loop {
            let (side, filled) = (s.turn, s.filled(s.turn));
            if filled == 0 {
                return Some(self.outcome(&s));
            }
            self.play(&mut s, side.agent(), filled.pick(rng) as u8);
        }
    }
}

impl Kalah {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        s.scene(self.pits, s.filled(s.turn))
    }
}

impl Notation for Kalah {
    fn name(&self) -> String {
        format!("kalah:{},{}", self.pits, self.seeds)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// The number of the pit, from 1 at its owner's left.
    fn write_move(&self, _s: &State, m: u8, out: &mut String) {
        out.push_str(&(m + 1).to_string());
    }

    fn parse_move(&self, _s: &State, text: &str) -> Option<u8> {
        (0..self.pits as u8).find(|m| (m + 1).to_string() == text)
    }

    /// South's pits and store, North's, who is to move: `2,0,1+4/0,3,1+1 south`.
    fn write_position(&self, s: &State, out: &mut String) {
        s.write(self.pits, out);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (s, board) = State::read(self.pits, self.total(), text)?;
        let error = |message: String| TextError::new(message, 0..board);
        let found = s.on_board() + count(&s.stores);
        if found != self.total() {
            let (name, total) = (self.name(), self.total());
            return Err(error(format!("there are {found} seeds, and in {name} there are {total}")));
        }
        if (s.filled(Side::Max) == 0) != (s.filled(Side::Min) == 0) {
            let message = "one row is empty, so the seeds of the other belong in its store";
            return Err(error(message.to_owned()));
        }
        Ok(s)
    }

    fn draw(&self, s: &State) -> String {
        s.draw(self.pits)
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Typed as _;
    use std::collections::HashMap;

    use super::*;
    use crate::testing;

    /// The rules once more, on a ring: a player's pits, the store, the opponent's pits and store.
    struct Slow {
        ring: Vec<u32>,
        pits: usize,
    }

    impl Slow {
        fn read(game: &Kalah, s: &State, side: Side) -> Slow {
            let half = |side: Side| {
                let row = s.rows[side.index()][..game.pits].iter();
                row.chain([&s.stores[side.index()]]).map(|&n| u32::from(n)).collect::<Vec<u32>>()
            };
            Slow { ring: [half(side), half(side.other())].concat(), pits: game.pits }
        }

        /// Plays a pit of the player at the front; says whether the same one moves again.
        fn play(&mut self, pit: usize) -> bool {
            let places = self.ring.len();
            let mut at = pit;
            for _ in 0..std::mem::take(&mut self.ring[pit]) {
                at = (at + 1) % places;
                if at == places - 1 {
                    at = 0;
                }
                self.ring[at] += 1;
            }
            let opposite = 2 * self.pits - at.min(2 * self.pits);
            if at < self.pits && self.ring[at] == 1 && self.ring[opposite] > 0 {
                self.ring[self.pits] += 1 + self.ring[opposite];
                self.ring[at] = 0;
                self.ring[opposite] = 0;
            }
            let rows = [0..self.pits, self.pits + 1..2 * self.pits + 1];
            if rows.clone().into_iter().any(|row| self.ring[row].iter().all(|&n| n == 0)) {
                for row in rows {
                    let sum: u32 = self.ring[row.clone()].iter().sum();
                    self.ring[row.end] += sum;
                    self.ring[row].fill(0);
                }
            }
            at == self.pits
        }
    }

    #[test]
    fn plays_agree_with_a_ring() {
        let mut rng = Rng::new(1);
        let mut again = 0;
        for (pits, seeds) in [(1, 1), (1, 60), (2, 30), (3, 2), (4, 7), (6, 4), (6, 10)] {
            let game = Kalah::new(pits, seeds);
            for _ in 0..200 {
                let mut s = game.start();
                while let Some(agent) = game.turn(&s).mover() {
                    let side = Side::of(agent);
                    let mut moves = Vec::new();
                    game.moves(&s, agent, &mut moves);
                    let m = moves[rng.below(moves.len() as u32) as usize];
                    let mut slow = Slow::read(&game, &s, side);
                    let same = slow.play(usize::from(m));
                    let text = game.position_text(&s);
                    game.play(&mut s, agent, m);
                    assert_eq!(Slow::read(&game, &s, side).ring, slow.ring, "{text} {m}");
                    assert_eq!(s.turn == side, same, "{text} {m}");
                    again += u32::from(same);
                }
            }
        }
        assert!(again > 1000, "{again}");
    }

    #[test]
    fn small_boards_have_their_values() {
        // By problems/oracle.py and by trying everything here. Rows are pits, columns seeds.
        let table: [&[&str]; 4] = [
            &["0", "-2", "+6", "-2", "+2", "0", "-6", "0", "-4"],
            &["+2", "-2", "-2", "-10", "+6", "+8"],
            &["0", "+4", "+2"],
            &["+2"],
        ];
        for (pits, row) in (1..).zip(table) {
            for (seeds, &value) in (1..).zip(row) {
                let game = Kalah::new(pits, seeds);
                let found = testing::solve(&game, &game.start(), &mut HashMap::new());
                assert_eq!(game.scale().name(found), value, "{}", game.name());
            }
        }
    }

    #[test]
    fn the_last_seed_decides() {
        let game = Kalah::new(3, 2);
        for (text, name, after) in [
            // Into the store: the same player again.
            ("2,2,2+0/2,2,2+0 south", "2", "2,0,3+1/2,2,2+0 south"),
            // Into an empty pit: capture; nothing where the opposite pit is empty.
            ("1,0,3+1/2,1,1+3 south", "1", "0,0,3+3/2,0,1+3 north"),
            ("1,0,3+1/3,0,1+3 south", "1", "0,1,3+1/3,0,1+3 north"),
            // Once round the board, back into the pit it came from, which is then empty.
            ("7,0,1+0/1,1,1+1 south", "1", "0,1,2+4/2,2,0+1 north"),
            // The last seed of a row: the other side keeps what it has.
            ("0,0,1+5/1,2,0+3 south", "3", "0,0,0+6/0,0,0+6 south"),
            ("1,1,0+4/0,0,1+5 north", "3", "0,0,0+6/0,0,0+6 north"),
        ] {
            let mut s = game.read_position(text).unwrap();
            let m = game.read_move(&s, name).unwrap();
            let agent = s.turn.agent();
            game.play(&mut s, agent, m);
            assert_eq!(game.position_text(&s), after, "{text} {name}");
        }
    }

    #[test]
    fn texts_round_trip() {
        for (pits, seeds) in [(1, 1), (3, 2), (6, 4), (2, 30)] {
            testing::texts_round_trip(&Kalah::new(pits, seeds), 30);
        }
        testing::nonsense_positions_are_refused(&Kalah::new(3, 2));
        let game = Kalah::new(3, 2);
        for text in ["", "0", "4", "01", "+1", "a", "é", "1 "] {
            assert_eq!(game.parse_move(&game.start(), text), None, "{text}");
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Kalah::new(3, 2);
        for (text, span) in [
            ("2,2,2+0 south", 0..7),
            ("2,2+0/2,2,2+0 south", 0..5),
            ("2,2+2,0/2,2,2+0 south", 0..7),
            ("2,2,2+0/2,2,2,0 south", 8..15),
            ("2,2,2+0/2,x,2+0 south", 10..11),
            ("2,2,2+0/2,2,13+0 south", 12..14),
            ("2,2,2+0/2,2,2+00 south", 14..16),
            ("2,2,2+0/2,2,2+1 south", 0..15),
            ("0,0,0+6/0,1,2+3 north", 0..15),
            ("2,2,2+0/2,2,2+0 east", 16..20),
        ] {
            assert_eq!(game.read_position(text).unwrap_err().span, span, "{text}");
        }
    }

    #[test]
    fn moves_that_bring_another_come_first() {
        let game = Kalah::new(6, 4);
        assert_eq!(testing::ordered_names(&game, &game.start())[..2], ["3", "6"]);
        testing::images_are_alike(&game, 20, &[], 1, false);
    }

    #[test]
    fn north_sits_opposite() {
        let game = Kalah::new(3, 2);
        let s = game.read_position("2,0,3+1/2,2,1+1 south").unwrap();
        let drawing = "           (3) (2) (1)\nnorth    1   1   2   2\n\
                       south        2   0   3   1\n           (1) (2) (3)\n";
        assert_eq!(game.draw(&s), drawing);
    }

    #[test]
    fn playouts_are_uniform() {
        testing::playouts_are_uniform(&Kalah::new(2, 2), 4);
        testing::playouts_are_uniform(&Kalah::new(4, 3), 1);
    }
}
