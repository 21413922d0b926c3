//! How many points a board of SameGame can still bring.
//!
//! Two groups of a and b cells bring (a - 2)² + (b - 2)² points, 2ab - 4 fewer than one group of all
//! of them. So no colour brings more than all its cells in a single group.

use super::points_for;

/// The name of the rule in certificates.
pub const RULE: &str = "colours";

/// The most points of a board with so many cells of each colour.
#[inline]
pub fn most_points(counts: impl Iterator<Item = u32>) -> u32 {
    counts.map(points_for).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::{Agent, Game, Guide, Rng, Turn};

    use super::*;
    use crate::same_game::SameGame;
    use crate::testing;

    #[test]
    fn bounds_hold_on_solved_boards() {
        let mut rng = Rng::new(1);
        let mut reached = 0;
        for seed in 0..12 {
            let game = SameGame::<u64>::new(4, 4, 2 + seed % 2, seed);
            let mut memo = HashMap::new();
            for _ in 0..10 {
                for s in testing::random_play(&game, &mut rng) {
                    if game.turn(&s) != Turn::Agent(Agent(0)) {
                        continue;
                    }
                    let known = game.known(&s).unwrap();
                    let value = testing::solve(&game, &s, &mut memo);
                    assert!(known.at_least <= value && value <= known.at_most, "{s:?}");
                    reached += u32::from(value == known.at_most);
                }
            }
        }
        assert!(reached > 100, "{reached}");
    }

    #[test]
    fn a_group_brings_more_than_its_parts() {
        assert_eq!(most_points([5, 2, 1, 0].into_iter()), 9);
        for a in 2..20 {
            for b in 2..20 {
                assert!(points_for(a) + points_for(b) < points_for(a + b));
            }
        }
    }
}
