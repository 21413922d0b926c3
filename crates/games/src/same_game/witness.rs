//! Whether the colours of SameGame bound the points: the check of `colours`.
//!
//! This file shares nothing with the one that sets the bounds. Points are never lost, so the player
//! ends with at least the points so far. For the most, take one colour of which `n` cells are left.
//! Its groups that are still to be taken have `a`, `b`, … cells, each at least two and together at
//! most `n`, and bring `(a - 2)² + (b - 2)² + …` points. That is at most `(a - 2) + (b - 2) + …`
//! times the largest of these numbers, and both are at most `n - 2`. So it is no more than `(n - 2)²`.
//! An outcome's place is the points at the end.

use foregone_model::{Outcome, Side};

/// Whether the player ends with at least so many points if the prover is Max, or with fewer if it is
/// Min. `cells` are the colours of all cells, 0 for an empty one; `points` are those so far. The
/// reason has no words: the position says it all.
pub fn confirms(
    cells: impl IntoIterator<Item = u32>,
    points: u16,
    prover: Side,
    at_least: Outcome,
    reason: &str,
) -> bool {
    let mut left = [0u64; 256];
    for colour in cells {
        match left.get_mut(colour as usize) {
            Some(count) => *count += 1,
            None => return false,
        }
    }
    let more = left[1..].iter().map(|n| n.saturating_sub(2).pow(2)).sum::<u64>();
    let most = u64::from(points) + more;
    // Points are counted in 16 bits: with more of them nothing is certain.
    if !reason.is_empty() || most > u64::from(u16::MAX) {
        return false;
    }
    match prover {
        Side::Max => points >= at_least.0,
        Side::Min => most < u64::from(at_least.0),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::{Game, Guide, Notation, Rng, Turn};

    use super::*;
    use crate::same_game::SameGame;
    use crate::testing;

    fn confirmed(text: &str, prover: Side, at_least: u16, reason: &str) -> bool {
        let (board, points) = text.split_once(' ').unwrap();
        let cells = board.chars().filter_map(|c| if c == '.' { Some(0) } else { c.to_digit(10) });
        confirms(cells, points.parse().unwrap(), prover, Outcome(at_least), reason)
    }

    #[test]
    fn what_is_confirmed_is_true_and_bounds_are_confirmed() {
        let mut rng = Rng::new(3);
        let (mut tight, mut over) = (0, 0);
        for seed in 0..12 {
            let (rows, cols) = [(4, 4), (3, 5), (1, 9), (5, 2)][seed as usize % 4];
            let game = SameGame::<u64>::new(rows, cols, 1 + seed % 3, seed);
            let mut memo = HashMap::new();
            for _ in 0..8 {
                for s in testing::random_play(&game, &mut rng) {
                    let mut text = String::new();
                    game.write_position(&s, &mut text);
                    let value = testing::solve(&game, &s, &mut memo).0;
                    let known = game.known(&s).unwrap();
                    over += u32::from(game.turn(&s) == Turn::Over);
                    for place in 0..=known.at_most.0 + 2 {
                        let max = confirmed(&text, Side::Max, place, "");
                        let min = confirmed(&text, Side::Min, place, "");
                        assert!(!max || value >= place, "{text} {place}");
                        assert!(!min || value < place, "{text} {place}");
                        assert_eq!(max, known.at_least >= Outcome(place), "{text} {place}");
                        assert_eq!(min, known.at_most < Outcome(place), "{text} {place}");
                        tight += u32::from(max && value == place || min && value + 1 == place);
                    }
                }
            }
        }
        assert!(tight > 100 && over > 50, "{tight} {over}");
    }

    #[test]
    fn words_and_boards_that_cannot_be_counted_are_refused() {
        let text = "11./112 7";
        assert!(confirmed(text, Side::Max, 7, "") && !confirmed(text, Side::Max, 8, ""));
        assert!(confirmed(text, Side::Min, 12, "") && !confirmed(text, Side::Min, 11, ""));
        for reason in [" ", "7", "colours", "\u{b1}"] {
            assert!(!confirmed(text, Side::Max, 7, reason), "{reason:?}");
            assert!(!confirmed(text, Side::Min, 12, reason), "{reason:?}");
        }
        assert!(!confirmed("1111 65532", Side::Max, 0, ""));
        assert!(confirmed("1111 65531", Side::Max, 0, ""));
        assert!(!confirms([256], 0, Side::Max, Outcome(0), ""));
        assert!(!confirms([u32::MAX], 0, Side::Max, Outcome(0), ""));
        assert!(confirms([], 0, Side::Max, Outcome(0), ""));
        assert!(confirms([], 0, Side::Min, Outcome(1), ""));
    }
}
