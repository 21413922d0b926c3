//! Static knowledge of Connect Four: threats, and answers one cell above.
//!
//! * `threats`: a player who can complete four at once wins. A player who cannot loses when the
//!   opponent threatens to do so in two columns, or when every move lets the opponent complete
//!   four on the cell above.
//! * `follow-up`: the *claimeven* of J. Allen and V. Allis (*A Knowledge-based Approach of
//!   Connect-Four*, 1988), with its *baseinverse* for columns that do not pair up. Yellow answers
//!   every move by the cell above it, so that it gets every second cell of every column. Where a
//!   column has an odd number of empty cells its lowest one is paired with that of another such
//!   column: of each pair Yellow gets one. If Red completes no four whatever Red gets of the
//!   pairs, Red does not win; if the cells that are Yellow's for certain hold four, Yellow does.
//!   On a board with an odd number of cells it is Red who can answer so.

use foregone_model::{Known, Side};

use super::{DRAW, LOSS, Lines, WIN};
use crate::board::Word;

/// The name of the rule about immediate threats.
pub const THREATS: &str = "threats";
/// The name of the rule about answers one cell above.
pub const FOLLOW_UP: &str = "follow-up";

/// A position in which nobody has four and some column is open: the stones of the player to move
/// and of the other one, and the cells on which stones would land.
pub(crate) struct Position<W> {
    pub(crate) own: W,
    pub(crate) other: W,
    pub(crate) turn: Side,
    pub(crate) landing: W,
}

/// The landing cells that do not lose at once, when the player to move cannot win at once. `lose`
/// are the cells that complete four for the opponent.
#[inline]
pub(crate) fn not_losing<W: Word>(landing: W, lose: W) -> W {
    let forced = landing & lose;
    if !forced.without_lowest().is_empty() {
        return W::ZERO;
    }
    (if forced.is_empty() { landing } else { forced }) & !(lose >> 1)
}

/// What can be told of a position.
#[inline]
pub(crate) fn known<W: Word>(lines: &Lines<W>, p: &Position<W>) -> Option<Known> {
    let decided = |winner: Side| {
        let value = if winner == Side::Max { WIN } else { LOSS };
        Known { at_least: value, at_most: value, by: THREATS }
    };
    if !(lines.completing(p.own) & p.landing).is_empty() {
        return Some(decided(p.turn));
    }
    if not_losing(p.landing, lines.completing(p.other)).is_empty() {
        return Some(decided(p.turn.other()));
    }
    follow_up(lines, p)
}

/// What the player reaches who answers one cell above, if it is not everything that the other
/// reaches by that.
#[inline]
fn follow_up<W: Word>(lines: &Lines<W>, p: &Position<W>) -> Option<Known> {
    let open = p.landing & lines.odd;
    // The cells that are left over pair up when it is the leader's turn; when it is the
    // follower's, it takes one and the others pair up.
    let to_move_leads = open.count().is_multiple_of(2);
    let (leader, follower) = if to_move_leads { (p.own, p.other) } else { (p.other, p.own) };
    let empty = lines.full & !(leader | follower);
    // Counted from the top, the leader gets the even cells, and of the odd ones only lowest ones.
    let reach = leader | (empty & !lines.odd);
    if lines.four(reach) {
        return None;
    }
    let bad = |cells: W| lines.four(reach | cells);
    let mut cells = [W::ZERO; MOST_OPEN];
    let mut count = 0;
    for cell in open.cells() {
        *cells.get_mut(count)? = W::bit(cell);
        count += 1;
    }
    let open = &cells[..count];
    let holds = match *open {
        [] | [_] => true,
        [a, b] => !bad(a) && !bad(b),
        [a, b, c] => [a, b, c].into_iter().filter(|&cell| bad(cell)).count() <= 1,
        [a, b, c, d] => pairs_hold(&bad, [a, b, c, d]),
        _ => (0..count).any(|taken| {
            let mut left = [W::ZERO; 4];
            let rest = open.iter().enumerate().filter(|(i, _)| *i != taken);
            for (to, (_, &cell)) in left.iter_mut().zip(rest) {
                *to = cell;
            }
            pairs_hold(&bad, left)
        }),
    };
    if !holds {
        return None;
    }
    let wins = lines.four(follower | (empty & lines.odd & !p.landing));
    let follower = if to_move_leads { p.turn.other() } else { p.turn };
    let (at_least, at_most) = match (follower, wins) {
        (Side::Max, true) => (WIN, WIN),
        (Side::Max, false) => (DRAW, WIN),
        (Side::Min, true) => (LOSS, LOSS),
        (Side::Min, false) => (LOSS, DRAW),
    };
    Some(Known { at_least, at_most, by: FOLLOW_UP })
}

/// Why [`known`] says what it says, in the words that stand behind the name of the rule: for a
/// win at once its column, for other threats nothing, and for a follow-up the pairs of columns,
/// and the one that the follower moves in first.
pub(crate) fn reason<W: Word>(lines: &Lines<W>, p: &Position<W>) -> Option<String> {
    let column = |cell: u32| (cell / lines.height + 1).to_string();
    let wins = lines.completing(p.own) & p.landing;
    if !wins.is_empty() {
        return Some(column(wins.lowest()));
    }
    if not_losing(p.landing, lines.completing(p.other)).is_empty() {
        return Some(String::new());
    }
    follow_up(lines, p)?;
    let open: Vec<u32> = (p.landing & lines.odd).cells().collect();
    let to_move_leads = open.len().is_multiple_of(2);
    let leader = if to_move_leads { p.own } else { p.other };
    let reach = leader | (lines.full & !(p.own | p.other | lines.odd));
    let bad = |cells: W| lines.four(reach | cells);
    let firsts = if to_move_leads { vec![None] } else { open.iter().copied().map(Some).collect() };
    for first in firsts {
        let left: Vec<u32> = open.iter().copied().filter(|&c| Some(c) != first).collect();
        if let Some(pairs) = pairings(&left).iter().find(|pairs| hold(&bad, pairs)) {
            let pairs = pairs.iter().map(|&[a, b]| format!("{}-{}", column(a), column(b)));
            let words: Vec<String> = pairs.chain(first.map(column)).collect();
            return Some(words.join(" "));
        }
    }
    None
}

/// All ways to pair up these cells, four at most.
fn pairings(cells: &[u32]) -> Vec<Vec<[u32; 2]>> {
    match *cells {
        [] => vec![vec![]],
        [a, b] => vec![vec![[a, b]]],
        [a, b, c, d] => {
            vec![vec![[a, b], [c, d]], vec![[a, c], [b, d]], vec![[a, d], [b, c]]]
        }
        _ => vec![],
    }
}

/// Whether the leader completes nothing with one cell of each pair.
fn hold<W: Word>(bad: &impl Fn(W) -> bool, pairs: &[[u32; 2]]) -> bool {
    (0..1 << pairs.len()).all(|choice: usize| {
        let cell = |(i, pair): (usize, &[u32; 2])| W::bit(pair[(choice >> i) & 1]);
        !bad(pairs.iter().enumerate().map(cell).fold(W::ZERO, |w, x| w | x))
    })
}

/// Columns with an odd number of empty cells that are looked at: two pairs, and one that the
/// follower takes at once.
const MOST_OPEN: usize = 5;

/// Whether four cells can be paired so that the leader completes nothing with one of each.
#[inline]
fn pairs_hold<W: Word>(bad: &impl Fn(W) -> bool, [a, b, c, d]: [W; 4]) -> bool {
    [[a, b, c, d], [a, c, b, d], [a, d, b, c]]
        .iter()
        .any(|&[a, b, c, d]| ![a | c, a | d, b | c, b | d].into_iter().any(bad))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::{Game, Guide, Notation, Rng, Turn};

    use crate::connect_four::{ConnectFour, State};
    use crate::testing;

    /// Compares with trying everything, on every position that can come up; how often either
    /// rule spoke.
    fn every_position(rows: u32, cols: u32) -> [usize; 2] {
        let game = ConnectFour::<u64>::new(rows, cols);
        let mut memo = HashMap::new();
        testing::solve(&game, &game.start(), &mut memo);
        let mut told = [0; 2];
        for (s, &value) in &memo {
            tell(&game, s, value, &mut told);
        }
        told
    }

    fn tell(
        game: &ConnectFour<u64>,
        s: &State<u64>,
        value: foregone_model::Outcome,
        told: &mut [usize; 2],
    ) {
        if game.turn(s) == Turn::Over {
            return;
        }
        if let Some(known) = game.known(s) {
            assert!(
                (known.at_least..=known.at_most).contains(&value),
                "{known:?} {value:?}\n{}",
                game.draw(s)
            );
            told[usize::from(known.by == super::FOLLOW_UP)] += 1;
        }
    }

    #[test]
    fn the_rules_are_right_wherever_they_speak() {
        for (rows, cols) in [(4, 4), (2, 6), (3, 5), (6, 3), (5, 3), (2, 7), (4, 2), (1, 8)] {
            let told = every_position(rows, cols);
            assert!(told.iter().sum::<usize>() > 0 || cols < 4, "{rows}x{cols}: {told:?}");
        }
        assert_eq!(every_position(4, 4).map(|n| n > 1000), [true; 2]);
    }

    #[test]
    fn the_rules_are_right_in_the_second_half_of_larger_boards() {
        for (rows, cols, stones) in [(6, 7, 28), (5, 6, 16), (4, 6, 12), (5, 5, 12)] {
            let game = ConnectFour::<u64>::new(rows, cols);
            let mut rng = Rng::new(3);
            let mut told = [0; 2];
            for _ in 0..60 {
                let play = testing::random_play(&game, &mut rng);
                let Some(s) = play.get(stones) else { continue };
                let mut memo = HashMap::new();
                testing::solve(&game, s, &mut memo);
                for (s, &value) in &memo {
                    tell(&game, s, value, &mut told);
                }
            }
            assert!(told.iter().all(|&n| n > 100), "{rows}x{cols}: {told:?}");
        }
    }

    #[test]
    fn moves_left_out_lose_at_once() {
        let mut rng = Rng::new(4);
        let game = ConnectFour::<u64>::new(6, 7);
        for _ in 0..300 {
            for s in testing::random_play(&game, &mut rng) {
                testing::left_out_is_lost(&game, &s);
            }
        }
    }
}
