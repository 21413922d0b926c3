//! What the stores of Kalah decide.
//!
//! A seed in a store stays there, and at the end every seed is in one. So a side ends with at least
//! what it has, and with at most all that the other has not. Irving, Donkers and Uiterwijk (*Solving
//! Kalah*, 2000) prune by the same bounds.

use foregone_model::{Known, Outcome};

/// The name of the rule in certificates.
pub const RULE: &str = "stores";

/// The bounds that South's and North's stores set, `total` being the seeds of the board. On the
/// scale of the game an outcome's place is South's store at the end.
#[inline]
pub fn known([south, north]: [u8; 2], total: u32) -> Known {
    Known {
        at_least: Outcome(u16::from(south)),
        at_most: Outcome(total as u16 - u16::from(north)),
        by: RULE,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::{Game, Guide, Rng, Turn};

    use crate::kalah::Kalah;
    use crate::testing;

    #[test]
    fn bounds_hold_on_solved_boards() {
        let mut rng = Rng::new(1);
        let mut tight = 0;
        for (pits, seeds) in [(1, 6), (2, 3), (3, 2)] {
            let game = Kalah::new(pits, seeds);
            let mut memo = HashMap::new();
            for _ in 0..30 {
                for s in testing::random_play(&game, &mut rng) {
                    if game.turn(&s) == Turn::Over {
                        continue;
                    }
                    let known = game.known(&s).unwrap();
                    let value = testing::solve(&game, &s, &mut memo);
                    assert!(known.at_least <= value && value <= known.at_most, "{s:?}");
                    tight += u32::from(value == known.at_least || value == known.at_most);
                }
            }
        }
        assert!(tight > 10, "{tight}");
    }
}
