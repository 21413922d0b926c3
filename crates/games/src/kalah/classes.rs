//! The tables of Kalah: a class for each number of seeds outside the stores.
//!
//! In the table the stores hold as many seeds each: other seeds in the stores shift the score, and
//! players are exchanged where North is to move. All seeds are there, so of an odd number in the stores
//! North has one more. Players are not exchanged then, and each has its own numbers.

use foregone_model::{Class, Indexed, Outcome, Place, Side, Tabled, TextError};

use super::Kalah;
use crate::mancala::{State, classes_up_to};

impl Kalah {
    /// What is in the stores of positions of the table that have so many seeds in their pits.
    fn stores(&self, class: Class) -> [u8; 2] {
        let stored = self.total() - class.0 as u32;
        [(stored / 2) as u8, stored.div_ceil(2) as u8]
    }

    /// Whether players are exchanged in a class.
    fn exchanges(&self, class: Class) -> bool {
        class.0.is_multiple_of(2)
    }
}

impl Indexed for Kalah {
    fn class_name(&self, class: Class) -> String {
        class.0.to_string()
    }

    fn size(&self, class: Class) -> u64 {
        let rings = self.numbering.size(class.0 as u32);
        if self.exchanges(class) { rings } else { 2 * rings }
    }

    /// Both rows hold seeds, or none does, so there is no class of one seed.
    fn leads_to(&self, class: Class) -> Vec<Class> {
        (0..class.0).filter(|&seeds| seeds != 1).map(Class).collect()
    }

    fn place(&self, s: &State) -> Option<Place> {
        let class = Class(s.on_board().into());
        let ring = self.numbering.index(&s.ring(self.pits), 0);
        let (index, flip) = match self.exchanges(class) {
            true => (ring, s.turn == Side::Min),
            false => (2 * ring + s.turn.index() as u64, false),
        };
        // All differences are even, or all are odd.
        let [south, north] = self.stores(class).map(i32::from);
        Some(Place { class, index, flip, shift: (s.ahead() - (south - north)) / 2 })
    }

    fn position(&self, class: Class, index: u64) -> Option<State> {
        let (index, turn) = match self.exchanges(class) {
            true => (index, Side::Max),
            false => (index / 2, [Side::Max, Side::Min][index as usize % 2]),
        };
        let ring = self.numbering.ring(class.0 as u32, index);
        let mut s = State { stores: self.stores(class), ..State::of_ring(&ring, self.pits) };
        if turn == Side::Min {
            s.rows.swap(0, 1);
            s.turn = turn;
        }
        let empty = [Side::Max, Side::Min].map(|side| s.filled(side) == 0);
        (empty[0] == empty[1]).then_some(s)
    }

    fn outcomes(&self, class: Class) -> (Outcome, Outcome) {
        let [south, north] = self.stores(class).map(i32::from);
        let (ahead, seeds) = (south - north, class.0 as i32);
        (self.scores().outcome(ahead - seeds), self.scores().outcome(ahead + seeds))
    }
}

impl Tabled for Kalah {
    fn wanted(&self, text: &str) -> Result<Vec<Class>, TextError> {
        let most = classes_up_to(&self.numbering, self.total(), text)?;
        Ok((0..=most.into()).filter(|&seeds| seeds != 1).map(Class).collect())
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::{Game as _, Notation as _};

    use super::*;
    use crate::table_testing::{numbers_are_positions, places_are_equivalent};
    use crate::testing;

    #[test]
    fn numbers_are_positions_of_small_boards() {
        for (pits, seeds, most) in [(1, 10, 20), (2, 4, 12), (3, 2, 8), (6, 1, 4)] {
            let game = Kalah::new(pits, seeds);
            for n in (0..=most).filter(|&n| n != 1) {
                numbers_are_positions(&game, Class(n), 0..game.size(Class(n)));
            }
        }
    }

    #[test]
    fn all_positions_of_a_play_have_a_place() {
        let mut rng = foregone_model::Rng::new(1);
        let mut odd = 0;
        for (pits, seeds) in [(1, 3), (2, 2), (3, 3), (6, 4)] {
            let game = Kalah::new(pits, seeds);
            for _ in 0..30 {
                for s in testing::random_play(&game, &mut rng) {
                    let place = game.place(&s).unwrap();
                    if place.flip {
                        // Odd classes have other numbers for the other player, so that moves do not lead to
                        // the same ones.
                        let there = game.position(place.class, place.index).unwrap();
                        let exchanged = ([s.rows[1], s.rows[0]], s.turn.other());
                        assert_eq!((there.rows, there.turn), exchanged, "{s:?}");
                    } else {
                        places_are_equivalent(&game, &s);
                    }
                    let (worst, best) = game.outcomes(place.class);
                    odd += s.on_board() % 2;
                    assert!(worst <= best && best <= game.scale().best(), "{}", game.name());
                }
            }
        }
        assert!(odd > 100, "{odd}");
    }

    #[test]
    fn tables_are_asked_for_by_seeds() {
        let game = Kalah::new(6, 4);
        let wanted = |text| game.wanted(text).map(|classes| classes.len());
        assert_eq!((wanted("0"), wanted("2"), wanted("12")), (Ok(1), Ok(2), Ok(12)));
        assert!(wanted("").is_err() && wanted("49").is_err());
        assert_eq!(Kalah::new(2, 2).wanted("").unwrap().len(), 8);
    }
}
