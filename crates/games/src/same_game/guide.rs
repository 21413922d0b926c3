//! What SameGame tells a search beyond its rules.

use foregone_model::{Agent, Guide, Known, Outcome};

use super::{SameGame, State, bounds, points_for};
use crate::board::{Word, least, sort_by_rank};

impl<W: Word> Guide for SameGame<W> {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }

    #[inline]
    fn known(&self, s: &State<W>) -> Option<Known> {
        let more = bounds::most_points(self.counts(s)) as u16;
        Some(Known {
            at_least: Outcome(s.score),
            at_most: Outcome(s.score + more),
            by: bounds::RULE,
        })
    }

    #[inline]
    fn mobility(&self, s: &State<W>, _agent: Agent) -> u32 {
        self.groups(s).count() as u32
    }

    /// Which colour is which does not matter, nor which side is left: empty columns are closed
    /// from either side alike.
    fn canonical(&self, s: &State<W>) -> State<W> {
        let taken = s.taken();
        if taken.is_empty() {
            return *s;
        }
        let rows = self.upright.rows;
        let used = (W::BITS - 1 - taken.reversed().lowest()) / rows + 1;
        let mut mirrored = *s;
        self.lying.mirror_rows(&mut mirrored.digits);
        mirrored.digits = mirrored.digits.map(|d| d >> ((self.upright.cols - used) * rows));
        let digits = least([self.renumbered(s), self.renumbered(&mirrored)]);
        State { digits, score: s.score }
    }

    /// By what stays within reach: the points that all cells of a colour would make in one group,
    /// less those that are lost by taking the group now.
    fn order(&self, s: &State<W>, _agent: Agent, moves: &mut [u8]) {
        sort_by_rank(moves, |m| {
            let all = s.of_colour(s.colour_at(u32::from(m))).count();
            let group = self.group(s, u32::from(m)).count();
            let lost = points_for(all) - points_for(group) - points_for(all - group);
            -(lost as i16)
        });
    }
}
