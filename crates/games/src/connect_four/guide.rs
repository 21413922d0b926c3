//! What Connect Four tells a search beyond its rules.

use foregone_model::{Agent, Character, Claim, Game, Guide, Known, Outcome, Rng};

use super::threats::{self, not_losing};
use super::{ConnectFour, State};
use crate::board::{Word, least, likelihood, sort_by_rank};

impl<W: Word> Guide for ConnectFour<W> {
    type Packed = W;

    foregone_model::stored_by_parts!();

    fn character(&self) -> Character {
        Character::Ordered
    }

    /// The stones of the player to move added to all stones: a carry never leaves its column, and
    /// the highest bit of a column tells its height. Who is to move follows from the number of
    /// stones in all positions of one search.
    #[inline]
    fn pack(&self, s: &State<W>) -> W {
        (s.own | s.other).plus(self.bottom).plus(s.own)
    }

    #[inline]
    fn known(&self, s: &State<W>) -> Option<Known> {
        threats::known(&self.lines, &self.position(s))
    }

    fn reason(&self, s: &State<W>, _claim: Claim, out: &mut String) {
        out.extend(self.stated_reason(s));
    }

    #[inline]
    fn mobility(&self, s: &State<W>, _agent: Agent) -> u32 {
        self.landing(s).count()
    }

    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        let mut mirrored = [s.own, s.other];
        self.mirror.apply(&mut mirrored);
        let [own, other] = least([[s.own, s.other], mirrored]);
        State { own, other, turn: s.turn }
    }

    /// A move that wins, then one that takes a cell where the opponent would win; last those
    /// that let the opponent win on the cell above. The others by their threats.
    fn order(&self, s: &State<W>, agent: Agent, moves: &mut [u8]) {
        let stones = self.seen_by(s, agent);
        let landing = self.landing(s);
        let [win, lose] = stones.map(|x| self.lines.completing(x));
        sort_by_rank(moves, |m| {
            let stone = landing & self.columns[usize::from(m)];
            if !(stone & win).is_empty() {
                return 30_000;
            }
            let rank = self.rank(stones, stone, m);
            if !(stone & lose).is_empty() {
                rank + 15_000
            } else if !((stone << 1) & lose).is_empty() {
                rank - 15_000
            } else {
                rank
            }
        });
    }

    /// Leaves out what loses at once. Nothing wins at once where the game knows nothing.
    fn promising(&self, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
        let stones = self.seen_by(s, agent);
        let landing = self.landing(s);
        if !(landing & self.lines.completing(stones[0])).is_empty() {
            return self.in_order(s, agent, out);
        }
        let fine = not_losing(landing, self.lines.completing(stones[1]));
        let first = out.len();
        let open = |(c, column): (usize, &W)| (!(fine & *column).is_empty()).then_some(c as u8);
        out.extend(self.columns.iter().enumerate().filter_map(open));
        sort_by_rank(&mut out[first..], |m| {
            self.rank(stones, landing & self.columns[usize::from(m)], m)
        });
    }

    #[inline]
    fn forced(&self, s: &State<W>, agent: Agent) -> Option<u8> {
        let [own, other] = self.seen_by(s, agent);
        let landing = self.landing(s);
        if !(landing & self.lines.completing(own)).is_empty() {
            return None;
        }
        let fine = not_losing(landing, self.lines.completing(other));
        if fine.is_empty() || !fine.without_lowest().is_empty() {
            return None;
        }
        self.columns.iter().position(|&column| !(fine & column).is_empty()).map(|c| c as u8)
    }

    /// The cell that is taken.
    #[inline]
    fn move_class(&self, s: &State<W>, _agent: Agent, m: u8) -> Option<u16> {
        Some((self.landing(s) & self.columns[usize::from(m)]).lowest() as u16)
    }

    /// Empty cells that complete four: they are worth more in the rows that a player gets when both fill
    /// up the board, and much where two lie above each other. Stones count by how central they are.
    fn evaluate(&self, s: &State<W>) -> Option<f64> {
        let stones = self.seen_by(s, Agent::FIRST);
        let empty = self.lines.full & !(s.own | s.other);
        // The first player gets the odd rows of a board with an even number of them, from below.
        let rows = [self.lines.full & !self.lines.odd, self.lines.odd];
        let worth = |side: usize| {
            let threats = self.lines.completing(stones[side]) & empty;
            let centre = |(c, column): (usize, &W)| {
                let far = (2 * c as u32 + 1).min(2 * (self.cols - c as u32) - 1);
                far * (stones[side] & *column).count()
            };
            let central: u32 = self.columns.iter().enumerate().map(centre).sum();
            f64::from(threats.count())
                + f64::from((threats & rows[side]).count())
                + 4.0 * f64::from((threats & (threats << 1)).count())
                + f64::from(central) / 20.0
        };
        let first_moves = if s.turn == foregone_model::Side::Max { 0.1 } else { -0.1 };
        Some(likelihood((worth(0) - worth(1) + first_moves) / 2.0))
    }

    fn evaluates(&self) -> bool {
        true
    }

    fn playout(&self, mut s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        loop {
            let landing = self.landing(&s);
            if self.just_won(&s) || landing.is_empty() {
                return Some(self.outcome(&s));
            }
            let stone = W::bit(landing.pick(rng));
            s = State { own: s.other, other: s.own | stone, turn: s.turn.other() };
        }
    }
}
