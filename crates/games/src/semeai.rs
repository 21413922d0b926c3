//! Random play in a semeai, the race of two strings to capture each other (T. Cazenave and
//! A. Saffidine, *Score bounded Monte-Carlo tree search*, 2010).
//!
//! Not a game to solve but the chances of random play in one, by dynamic programming: they show
//! why playouts guide a search badly here. No liberty is shared. A player fills any of the
//! liberties, the own ones included, each with the same chance; a string with one liberty is
//! captured at once by who is to move. With some chance a move goes elsewhere instead.

/// The chances that the player to move captures first in random play: row `i` and column `j` are
/// for `i + 1` own liberties and `j + 1` of the opponent's, up to `most`. `elsewhere` is the chance
/// of a move outside of the fight, below 1.
///
/// A string in atari is taken even when moves go elsewhere, and the fight is symmetric, so that the
/// chances do not depend on `elsewhere`: tables 4.1 and 4.2 of the authors are the same.
pub fn chances(most: usize, elsewhere: f64) -> Vec<Vec<f64>> {
    assert!((0.0..1.0).contains(&elsewhere), "a chance, and the fight goes on at times");
    let mut table = vec![vec![0.0; most]; most];
    let liberties = |i: usize, j: usize| (i + j + 2) as f64;
    for sum in 0..(2 * most).saturating_sub(1) {
        for i in sum.saturating_sub(most - 1)..most.min(sum + 1) {
            let j = sum - i;
            table[i][j] = if j == 0 {
                1.0
            } else if i == 0 {
                0.0
            } else {
                // A move in the fight takes a liberty of the opponent or an own one, and the
                // opponent is then who captures first or not.
                let fight = |i: usize, j: usize| {
                    let theirs = (j + 1) as f64 * (1.0 - table[j - 1][i]);
                    let own = (i + 1) as f64 * (1.0 - table[j][i - 1]);
                    (theirs + own) / liberties(i, j)
                };
                // Elsewhere, the opponent is to move in the same fight:
                // p(i, j) = elsewhere (1 - p(j, i)) + (1 - elsewhere) fight(i, j), and the same
                // with i and j exchanged; two equations with two unknowns.
                (elsewhere + fight(i, j) - elsewhere * fight(j, i)) / (1.0 + elsewhere)
            };
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;

    use super::*;

    /// Tables 4.1 and 4.2: rows are own liberties, columns the opponent's, in hundredths.
    const PRINTED: [[i32; 9]; 9] = [
        [100, 0, 0, 0, 0, 0, 0, 0, 0],
        [100, 50, 30, 20, 14, 11, 8, 7, 5],
        [100, 70, 50, 37, 29, 23, 18, 15, 13],
        [100, 80, 63, 50, 40, 33, 28, 24, 20],
        [100, 86, 71, 60, 50, 42, 36, 31, 27],
        [100, 89, 77, 67, 58, 50, 44, 38, 34],
        [100, 92, 82, 72, 64, 56, 50, 45, 40],
        [100, 93, 85, 76, 69, 62, 55, 50, 45],
        [100, 95, 87, 80, 73, 66, 60, 55, 50],
    ];

    #[test]
    fn the_tables_are_those_that_were_printed() {
        for elsewhere in [0.0, 0.8] {
            let table = chances(9, elsewhere);
            for (i, row) in PRINTED.iter().enumerate() {
                for (j, &printed) in row.iter().enumerate() {
                    let found = table[i][j] * 100.0;
                    // Rounded to the nearest hundredth, halves either way.
                    let off = (found - f64::from(printed)).abs();
                    assert!(off <= 0.5 + 1e-9, "{} {}: {found}", i + 1, j + 1);
                }
            }
        }
    }

    #[test]
    fn the_chances_are_those_of_random_plays() {
        let mut rng = Rng::new(1);
        for (own, other, elsewhere) in [(2, 3, 0), (4, 4, 0), (5, 3, 0), (3, 5, 8), (4, 2, 8)] {
            let n = 20_000;
            let mut won = 0;
            for _ in 0..n {
                let (mut liberties, mut mover) = ([own, other], 0);
                let winner = loop {
                    let opponent = 1 - mover;
                    if liberties[opponent] == 1 {
                        break mover;
                    }
                    if liberties[mover] == 1 {
                        break opponent;
                    }
                    if rng.below(10) >= elsewhere {
                        let filled = rng.below(liberties[0] + liberties[1]);
                        liberties[usize::from(filled >= liberties[0])] -= 1;
                    }
                    mover = opponent;
                };
                won += u32::from(winner == 0);
            }
            let p = chances(5, f64::from(elsewhere) / 10.0)[own as usize - 1][other as usize - 1];
            let sigma = (p * (1.0 - p) / f64::from(n)).sqrt();
            let off = (f64::from(won) / f64::from(n) - p).abs();
            assert!(off <= 5.0 * sigma, "{own} {other}: {won} of {n} against {p}");
        }
    }

    #[test]
    fn small_tables_are_whole() {
        assert_eq!(chances(0, 0.0), Vec::<Vec<f64>>::new());
        assert_eq!(chances(1, 0.5), [[1.0]]);
        assert_eq!(chances(2, 0.5), [[1.0, 0.0], [1.0, 0.5]]);
    }
}
