//! Bidding tic-tac-toe: both players bid chips at the same time for the right to mark a cell.
//!
//! After M. Develin and S. Payne, *Discrete Bidding Games* (2010): the higher bidder gives what it
//! bid to the other player and marks a cell (bids in the style of Richman, as chips are never
//! lost). One player holds the tie-breaking advantage, X at the start: when the bids are equal its
//! holder wins, pays, and hands the advantage over. In the paper the holder may also let the other
//! player win and keep it; here it may not.
//!
//! Without chips all bids are equal, and it is the usual tic-tac-toe.
//!
//! A bid comes together with the cell that it is for, so that a turn is one joint move. Who first
//! has three in a line wins. It is a draw as soon as no line can be filled by one player: on a full
//! board, or earlier.

use foregone_model::scene::Scene;
use foregone_model::{Joint, JointNotation, Side, TextError};

use crate::board::{Grid, Word, read_cells};
use crate::options::Options;
use crate::picture::noughts;
use crate::registry::{Entry, GameError, Opened};
use crate::tic_tac_toe::{FULL, LINES, lined};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::joint(
    "bidding-tic-tac-toe",
    "CHIPS (2)",
    "Bid for each mark, the higher bid pays the other player; three in a line win",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let chips = options.number(2, 0, MOST_CHIPS)?;
    Ok(Opened::pictured_joint(BiddingTicTacToe::new(chips), BiddingTicTacToe::scene))
}

/// The most chips that a player can start with.
pub const MOST_CHIPS: u32 = 100;

/// The rules for a number of chips.
#[derive(Clone, Debug)]
pub struct BiddingTicTacToe {
    grid: Grid<u64>,
    /// Of each player at the start.
    chips: u8,
}

/// The marks of X and O as sets of cells, the chips of X, and who holds the advantage. O has the
/// rest of the chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    marks: [u16; 2],
    chips: u8,
    advantage: Side,
}

/// A bid, and the cell to be marked if it wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bid {
    chips: u8,
    cell: u8,
}

const PLAYERS: [&str; 2] = ["x", "o"];
const SYMBOLS: [char; 3] = ['.', 'x', 'o'];

impl BiddingTicTacToe {
    /// The game in which each player starts with so many chips.
    pub fn new(chips: u32) -> BiddingTicTacToe {
        assert!(chips <= MOST_CHIPS, "twice as many fit a byte");
        BiddingTicTacToe { grid: Grid::new(3, 3), chips: chips as u8 }
    }

    fn chips(&self, s: &State) -> [u8; 2] {
        [s.chips, 2 * self.chips - s.chips]
    }
}

impl State {
    fn symbol(&self, cell: u32) -> char {
        match self.marks.map(|m| m >> cell & 1) {
            [0, 0] => SYMBOLS[0],
            [1, _] => SYMBOLS[1],
            _ => SYMBOLS[2],
        }
    }

    /// Whether a side can still fill a line: one without marks of the other.
    fn can_win(&self, side: Side) -> bool {
        let others = self.marks[1 - side.index()];
        LINES.iter().any(|line| others & line == 0)
    }
}

impl Joint for BiddingTicTacToe {
    type State = State;
    type Move = Bid;

    fn range(&self) -> (i64, i64) {
        (-1, 1)
    }

    fn start(&self) -> State {
        State { marks: [0; 2], chips: self.chips, advantage: Side::Max }
    }

    fn payoff(&self, s: &State) -> Option<i64> {
        let [x, o] = s.marks.map(lined);
        if x || o {
            return Some(i64::from(x) - i64::from(o));
        }
        (!s.can_win(Side::Max) && !s.can_win(Side::Min)).then_some(0)
    }

    /// The highest bid first: it is the one that matters most.
    fn moves(&self, s: &State, side: Side, out: &mut Vec<Bid>) {
        let free = u64::from(FULL & !(s.marks[0] | s.marks[1]));
        for chips in (0..=self.chips(s)[side.index()]).rev() {
            out.extend(free.cells().map(|cell| Bid { chips, cell: cell as u8 }));
        }
    }

    fn play(&self, s: &mut State, max: Bid, min: Bid) {
        let x_wins = max.chips > min.chips || max.chips == min.chips && s.advantage == Side::Max;
        if max.chips == min.chips {
            s.advantage = if x_wins { Side::Min } else { Side::Max };
        }
        if x_wins {
            s.marks[0] |= 1 << max.cell;
            s.chips -= max.chips;
        } else {
            s.marks[1] |= 1 << min.cell;
            s.chips += min.chips;
        }
    }

    fn bounds(&self, s: &State) -> (i64, i64) {
        (-i64::from(s.can_win(Side::Min)), i64::from(s.can_win(Side::Max)))
    }
}

impl BiddingTicTacToe {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = self.grid.squares(|cell| noughts(s.symbol(cell)));
        let chips = self.chips(s);
        for side in [Side::Max, Side::Min] {
            let star = if side == s.advantage { ", the advantage" } else { "" };
            scene.notes.push(format!(
                "{}: {} chips{star}",
                PLAYERS[side.index()],
                chips[side.index()]
            ));
        }
        scene
    }
}

impl JointNotation for BiddingTicTacToe {
    fn name(&self) -> String {
        format!("bidding-tic-tac-toe:{}", self.chips)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// The chips and the cell: `2@b3`.
    fn write_move(&self, _s: &State, _side: Side, m: Bid, out: &mut String) {
        out.push_str(&format!("{}@", m.chips));
        self.grid.write_cell(m.cell.into(), out);
    }

    fn parse_move(&self, _s: &State, _side: Side, text: &str) -> Option<Bid> {
        let (chips, cell) = text.split_once('@')?;
        let (cell, rest) = self.grid.parse_cell(cell)?;
        let chips = chips.parse::<u8>().ok().filter(|n| *n <= 2 * self.chips)?;
        rest.is_empty().then_some(Bid { chips, cell: cell as u8 })
    }

    /// The rows from the top, the chips of X and of O, and who holds the advantage:
    /// `.../.x./... 1 3 o`.
    fn write_position(&self, s: &State, out: &mut String) {
        self.grid.write_rows(|cell| s.symbol(cell), out);
        let [x, o] = self.chips(s);
        out.push_str(&format!(" {x} {o} {}", PLAYERS[s.advantage.index()]));
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let words: Vec<&str> = text.split(' ').collect();
        let [board, x, o, holder] = words[..] else {
            let message = "expected the rows, the chips of x and of o and who holds the advantage, \
                such as .../.x./... 1 3 o";
            return Err(TextError::new(message, 0..text.len()));
        };
        let cells = read_cells(board, &self.grid.row_lengths(), &SYMBOLS)?;
        let mut marks = [0; 2];
        for (i, &symbol) in cells.iter().enumerate().filter(|(_, symbol)| **symbol > 0) {
            // The highest row comes first.
            marks[symbol - 1] |= 1 << (6 - i / 3 * 3 + i % 3);
        }
        if marks.map(lined) == [true; 2] {
            let message = "both have a line: the game was over before";
            return Err(TextError::new(message, 0..board.len()));
        }
        let end = text.len() - holder.len();
        let advantage = match holder {
            "x" => Side::Max,
            "o" => Side::Min,
            _ => {
                let message = format!("`{holder}` cannot hold the advantage, expected x or o");
                return Err(TextError::new(message, end..text.len()));
            }
        };
        let all = 2 * self.chips;
        match (x.parse::<u8>(), o.parse::<u8>()) {
            (Ok(x), Ok(o)) if u32::from(x) + u32::from(o) == u32::from(all) => {
                Ok(State { marks, chips: x, advantage })
            }
            _ => {
                let message = format!("`{x} {o}` does not add up to {all} chips");
                Err(TextError::new(message, board.len() + 1..end - 1))
            }
        }
    }

    fn draw(&self, s: &State) -> String {
        let [x, o] = self.chips(s);
        let star = |side| if s.advantage == side { " and the advantage" } else { "" };
        format!(
            "{}x has {x} chips{}, o has {o}{}\n",
            self.grid.draw(|cell| s.symbol(cell)),
            star(Side::Max),
            star(Side::Min)
        )
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::JointTyped as _;
    use std::collections::{HashMap, HashSet};

    use foregone_model::Rng;

    use super::*;
    use crate::joint_testing::{close, joint_value};
    use crate::testing::{joint_moves, joint_texts_round_trip, joint_tree};

    #[test]
    fn texts_are_read_back() {
        for chips in [0, 1, 3, 12] {
            joint_texts_round_trip(&BiddingTicTacToe::new(chips));
        }
    }

    #[test]
    fn the_higher_bid_pays_and_marks() {
        let game = BiddingTicTacToe::new(3);
        for (moves, text) in [
            ("", ".../.../... 3 3 x"),
            ("2@b2/1@a1", ".../.x./... 1 5 x"),
            ("1@b2/2@a1", ".../.../o.. 5 1 x"),
            // Equal bids: the holder of the advantage wins and hands it over.
            ("1@b2/1@a1", ".../.x./... 2 4 o"),
            ("1@b2/1@a1,2@a1/2@a3", "o../.x./... 4 2 x"),
        ] {
            let s = game.read_position_or_moves(&format!("moves:{moves}")).unwrap();
            assert_eq!(game.position_text(&s), text, "{moves}");
        }
    }

    #[test]
    fn lines_win_and_no_line_is_a_draw() {
        let game = BiddingTicTacToe::new(1);
        for (text, payoff, bounds) in [
            ("xxx/oo./... 2 0 x", Some(1), (-1, 1)),
            ("o../.o./x.o 2 0 x", Some(-1), (-1, 0)),
            ("xox/oxo/oxo 1 1 o", Some(0), (0, 0)),
            // One cell is free, where only x can win.
            ("xox/oxo/ox. 1 1 o", None, (0, 1)),
            ("xox/xoo/oxx 1 1 o", Some(0), (0, 0)),
            (".ox/xoo/oxx 1 1 o", Some(0), (0, 0)),
            ("..o/.x./... 0 2 o", None, (-1, 1)),
        ] {
            let s = game.read_position(text).unwrap();
            assert_eq!(game.payoff(&s), payoff, "{text}");
            assert_eq!(game.bounds(&s), bounds, "{text}");
        }
    }

    #[test]
    fn without_chips_it_is_tic_tac_toe() {
        let game = BiddingTicTacToe::new(0);
        let mut memo = HashMap::new();
        for (text, value) in [
            (".../.../... 0 0 x", 0.0),
            (".../.../... 0 0 o", 0.0),
            // O opened in a corner, X answered on an edge and loses to a fork.
            (".x./.../..o 0 0 o", -1.0),
            ("x.o/.../..x 0 0 o", 1.0),
            (".../.x./o.. 0 0 x", 0.0),
        ] {
            let s = game.read_position(text).unwrap();
            assert_eq!(joint_value(&game, &s, &mut memo), value, "{text}");
        }
    }

    #[test]
    fn chips_decide() {
        let game = BiddingTicTacToe::new(2);
        let mut memo = HashMap::new();
        let mut value = |text| joint_value(&game, &game.read_position(text).unwrap(), &mut memo);
        // The advantage gives the first mark for nothing, then one costs a chip and one two.
        assert_eq!(value(".../.../... 4 0 x"), 1.0);
        assert_eq!(value(".../.../... 0 4 o"), -1.0);
        // Who has two in a line and at least as many chips with the advantage takes the third.
        assert_eq!(value("xx./oo./... 2 2 x"), 1.0);
        assert_eq!(value("xx./oo./... 2 2 o"), -1.0);
    }

    #[test]
    fn players_are_alike() {
        let game = BiddingTicTacToe::new(1);
        let mut memo = HashMap::new();
        let mut rng = Rng::new(9);
        for _ in 0..200 {
            let mut s = game.start();
            while game.payoff(&s).is_none() {
                let other = State {
                    marks: [s.marks[1], s.marks[0]],
                    chips: 2 - s.chips,
                    advantage: s.advantage.other(),
                };
                let value = joint_value(&game, &s, &mut memo);
                assert!(close(joint_value(&game, &other, &mut memo), -value), "{s:?}");
                let next = joint_moves(&game, &s);
                s = next[rng.below(next.len() as u32) as usize].2;
            }
        }
    }

    #[test]
    fn positions_are_counted() {
        for (chips, states) in COUNTS {
            let game = BiddingTicTacToe::new(chips);
            let mut seen = HashSet::new();
            assert_eq!(joint_tree(&game, &game.start(), Some(&mut seen)), states);
        }
    }

    /// 4520 positions of tic-tac-toe are not over; in 40 of them every line has both marks.
    const COUNTS: [(u32, u64); 2] = [(0, 4520 - 40), (1, 47_433)];

    #[test]
    fn bad_positions_are_shown() {
        let game = BiddingTicTacToe::new(2);
        for (text, span) in [
            ("", 0..0),
            (".../.../... 2 2", 0..15),
            (".../..y/... 2 2 x", 6..7),
            (".../.../... 2 3 x", 12..15),
            (".../.../... 2 z x", 12..15),
            (".../.../... 2 2 y", 16..17),
            ("xxx/ooo/... 2 2 x", 0..11),
        ] {
            assert_eq!(game.read_position(text).unwrap_err().span, span, "{text}");
        }
        for text in ["", "a1", "1@", "5@a1", "1@d1", "1@a1x", "@a1", "-1@a1"] {
            assert_eq!(game.parse_move(&game.start(), Side::Max, text), None, "{text}");
        }
    }
}
