//! What Gomoku tells a search beyond its rules.

use foregone_model::{
    Agent, Claim, Effort, Game, Guide, Known, Outcome, OwnFound, OwnSearch, Rng, Side, Zone,
};

use super::space::Search;
use super::{Gomoku, State};
use crate::board::{Word, sort_by_rank};
use crate::zones::{lines, zone_of};

impl<W: Word> Guide for Gomoku<W> {
    type Packed = [W; 2];

    foregone_model::stored_by_parts!();

    fn on_cells(&self) -> bool {
        true
    }

    /// Colours that are asked out of turn can reach the same stones with either of them to move.
    /// No cell has two stones, so the two complements are not a position with Black to move; full
    /// boards could be mistaken, if no bit is left over, but they are over.
    #[inline]
    fn pack(&self, s: &State<W>) -> [W; 2] {
        match s.turn {
            Side::Max => s.stones,
            Side::Min => s.stones.map(|w| !w),
        }
    }

    #[inline]
    fn mobility(&self, s: &State<W>, _agent: Agent) -> u32 {
        s.free(self.grid.full).count()
    }

    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        State { stones: self.grid.least_image(s.stones), turn: s.turn }
    }

    #[inline]
    fn known(&self, s: &State<W>) -> Option<Known> {
        self.by_fours(s)
    }

    fn reason(&self, s: &State<W>, _claim: Claim, out: &mut String) {
        self.told_by_fours(s, Some(out));
    }

    /// Cells that complete a line, one's own or the opponent's, then those of fours and threes; among
    /// equals the central ones, as more lines run through them.
    fn order(&self, s: &State<W>, agent: Agent, moves: &mut [u16]) {
        let [own, other, free] = self.seen_by(s, agent);
        let mine = self.needing(own, free);
        let theirs = self.needing(other, free);
        sort_by_rank(moves, |m| {
            let cell = u32::from(m);
            let worth = |cells: &[W; 3], worths: [i16; 3]| {
                let held = cells.iter().zip(worths).filter(|(cells, _)| cells.has(cell));
                held.map(|(_, worth)| worth).max().unwrap_or(0)
            };
            let rank = worth(&mine, [20_000, 4_000, 1_000]) + worth(&theirs, [10_000, 2_000, 700]);
            rank + self.nearness[usize::from(m)]
        });
    }

    /// Where the opponent can complete a line, and nothing comes first, only what prevents that.
    fn promising(&self, s: &State<W>, agent: Agent, out: &mut Vec<u16>) {
        let [own, other, free] = self.seen_by(s, agent);
        let threats = self.completing(other, free);
        if threats.is_empty() || !self.completing(own, free).is_empty() {
            return self.in_order(s, agent, out);
        }
        out.extend(threats.cells().map(|c| c as u16));
    }

    /// The cells that complete a line.
    #[inline]
    fn finishing(&self, s: &State<W>, agent: Agent, out: &mut Vec<u16>) {
        let [own, _, free] = self.seen_by(s, agent);
        out.extend(self.completing(own, free).cells().map(|c| c as u16));
    }

    #[inline]
    fn forced(&self, s: &State<W>, agent: Agent) -> Option<u16> {
        let [own, other, free] = self.seen_by(s, agent);
        let threats = self.completing(other, free);
        let alone = threats.count() == 1 && self.completing(own, free).is_empty();
        alone.then(|| threats.lowest() as u16)
    }

    fn own_search(&self) -> Option<OwnSearch> {
        Some(OwnSearch::Threats)
    }

    fn search_own(
        &self,
        s: &State<W>,
        goes_on: &mut dyn FnMut(Effort) -> bool,
    ) -> Option<OwnFound<u16>> {
        let found = Search::win(self, s, &mut |positions| goes_on(Effort { positions, bytes: 0 }))?;
        Some(found.map_or(OwnFound::Open, OwnFound::Won))
    }

    /// Of higher orders, what makes the most of a line comes first.
    fn threatening(&self, s: &State<W>, agent: Agent, order: u32, out: &mut Vec<u16>) {
        let first = out.len();
        match order {
            0..=2 => Gomoku::threatening(self, s, agent, order, out),
            _ => self.in_order(s, agent, out),
        }
        let [own, _, free] = self.seen_by(s, agent);
        let [_, two, three] = self.needing(own, free);
        out[first..].sort_by_key(|&m| {
            let cell = u32::from(m);
            (!two.has(cell), !three.has(cell))
        });
    }

    fn touched(&self, _s: &State<W>, _agent: Agent, m: u16) -> Option<Zone> {
        Some(Zone::cell(u32::from(m)))
    }

    /// Lines that the agent can fill within so many moves.
    fn counters(&self, s: &State<W>, agent: Agent, moves: u32) -> Zone {
        let [own, other, _] = self.seen_by(s, agent);
        zone_of(lines::within(&self.lines, own, other, moves))
    }

    fn move_class(&self, _s: &State<W>, _agent: Agent, m: u16) -> Option<u16> {
        Some(m)
    }

    fn playout(&self, mut s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        let mut free = s.free(self.grid.full);
        while !free.is_empty() && !self.lined(s.of_last()) {
            let cell = free.pick(rng);
            let agent = s.turn.agent();
            self.play(&mut s, agent, cell as u16);
            free = free ^ W::bit(cell);
        }
        Some(self.outcome(&s))
    }
}
