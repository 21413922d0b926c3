//! Whether the stores of Kalah bound the outcome: the check of `stores`.
//!
//! This file shares nothing with the one that sets the bounds. It rests on three facts of the rules:
//! no move takes a seed out of a store, no move adds or removes a seed, and at the end all seeds are
//! in the stores. So a player ends with at least what his store holds now, and South with at most
//! all seeds but those in North's store. An outcome's place is South's store at the end.

use foregone_model::{Outcome, Side};

/// Whether South ends with at least so much if the prover is Max, or with less if it is Min. The
/// pits and stores are those of South and North, `total` is how many seeds the game has. The reason
/// has no words: the position says it all.
pub fn confirms(
    pits: [&[u8]; 2],
    stores: [u8; 2],
    total: u32,
    prover: Side,
    at_least: Outcome,
    reason: &str,
) -> bool {
    let seeds = |pits: &[u8]| pits.iter().map(|&n| u32::from(n)).sum::<u32>();
    let rows = pits.map(seeds);
    let [south, north] = stores.map(u32::from);
    // When a row is empty the game is over, and then the score says how it ended.
    let over = rows.contains(&0);
    if !reason.is_empty() || over || rows[0] + rows[1] + south + north != total {
        return false;
    }
    let wanted = u32::from(at_least.0);
    match prover {
        Side::Max => south >= wanted,
        Side::Min => total - north < wanted,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::{Game, Guide, Notation, Rng, Turn};

    use super::*;
    use crate::kalah::Kalah;
    use crate::testing;

    /// A position in numbers: pits and stores, read from its text `2,0,1+4/0,3,1+1 south`.
    fn numbers(text: &str) -> ([Vec<u8>; 2], [u8; 2]) {
        let board = text.split(' ').next().unwrap();
        let (south, north) = board.split_once('/').unwrap();
        let half = |half: &str| {
            let (pits, store) = half.split_once('+').unwrap();
            let pits = pits.split(',').map(|n| n.parse().unwrap()).collect();
            (pits, store.parse().unwrap())
        };
        let ((south, a), (north, b)) = (half(south), half(north));
        ([south, north], [a, b])
    }

    fn confirmed(text: &str, total: u32, prover: Side, at_least: u16, reason: &str) -> bool {
        let ([south, north], stores) = numbers(text);
        confirms([&south, &north], stores, total, prover, Outcome(at_least), reason)
    }

    #[test]
    fn what_is_confirmed_is_true_and_bounds_are_confirmed() {
        let mut rng = Rng::new(2);
        let (mut tight, mut over) = (0, 0);
        for (pits, seeds) in [(1, 1), (1, 6), (2, 2), (2, 3), (3, 2)] {
            let game = Kalah::new(pits, seeds);
            let total = 2 * pits * seeds;
            let mut memo = HashMap::new();
            for _ in 0..60 {
                for s in testing::random_play(&game, &mut rng) {
                    let mut text = String::new();
                    game.write_position(&s, &mut text);
                    let value = testing::solve(&game, &s, &mut memo).0;
                    let is_over = game.turn(&s) == Turn::Over;
                    let known = game.known(&s).unwrap();
                    over += u32::from(is_over);
                    for place in 0..=total as u16 + 2 {
                        let max = confirmed(&text, total, Side::Max, place, "");
                        let min = confirmed(&text, total, Side::Min, place, "");
                        assert!(!max || value >= place, "{text} {place}");
                        assert!(!min || value < place, "{text} {place}");
                        assert!(!is_over || (!max && !min), "{text} {place}");
                        if !is_over {
                            assert_eq!(max, known.at_least >= Outcome(place), "{text} {place}");
                            assert_eq!(min, known.at_most < Outcome(place), "{text} {place}");
                        }
                        tight += u32::from(max && value == place || min && value + 1 == place);
                    }
                }
            }
        }
        assert!(tight > 10 && over > 50, "{tight} {over}");
    }

    #[test]
    fn words_and_boards_that_do_not_add_up_are_refused() {
        let text = "2,0,1+4/0,3,1+1 south";
        assert!(confirmed(text, 12, Side::Max, 4, "") && !confirmed(text, 12, Side::Max, 5, ""));
        assert!(confirmed(text, 12, Side::Min, 12, "") && !confirmed(text, 12, Side::Min, 11, ""));
        for reason in [" ", "4", "stores", "\u{b1}"] {
            assert!(!confirmed(text, 12, Side::Max, 4, reason), "{reason:?}");
        }
        for total in [0, 11, 13, u32::MAX] {
            for (prover, place) in [(Side::Max, 0), (Side::Min, u16::MAX)] {
                assert!(!confirmed(text, total, prover, place, ""), "{total}");
            }
        }
        // One row is empty, which no text of a position may say.
        for text in ["0,0,0+4/0,3,1+4 south", "2,0,1+4/0,0,0+5 south", "0,0,0+4/0,0,0+8 north"] {
            for (prover, place) in [(Side::Max, 0), (Side::Min, u16::MAX)] {
                assert!(!confirmed(text, 12, prover, place, ""), "{text}");
            }
        }
    }
}
