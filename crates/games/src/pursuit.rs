//! Pursuit on a grid: two pursuers want to catch an evader within some steps.
//!
//! A usual test of algorithms for games with joint moves, as in B. Bošanský, V. Lisý, M. Lanctot,
//! J. Čermák and M. Winands, *Algorithms for computing strategies in two-player simultaneous move
//! games* (2016). Max moves the evader and Min both pursuers. All three step at once to a cell
//! above, below, left or right; nobody may stay. The evader is caught where a pursuer comes to the
//! same cell, and also when they exchange cells: then it does not get past, and stays where it was.
//! It wins if it is free after all steps; or the score is the number of steps it gets through.
//!
//! The evader starts in the upper left corner, the pursuers in the lower right one and the cell
//! before it. Cells of a grid have two colours, as on a chessboard, and everybody changes colour
//! with each step: so one pursuer can only meet the evader and the other only exchange cells.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Joint, JointNotation, Side, TextError};

use crate::board::{Grid, Word};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::joint(
    "pursuit",
    "ROWSxCOLUMNS,STEPS[,steps] (4x4,5)",
    "Two pursuers hunt an evader, all step at once; it wins if it is free after STEPS steps",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let values = options.values();
    let (rows, cols) = values.first().map_or(Ok((4, 4)), |value| value.size((4, 4)))?;
    options.check_cells((rows, cols), 3, MOST_CELLS)?;
    let steps = values.get(1).map_or(Ok(5), |value| value.number(1, MOST_STEPS))?;
    let count = match values.get(2).map(|value| (value.text, value)) {
        None | Some(("win", _)) => Count::Win,
        Some(("steps", _)) => Count::Steps,
        Some((text, value)) => {
            let message = format!("`{text}` cannot be counted, expected win or steps");
            return Err(GameError::Spec(value.not_among(&["win", "steps"], message)));
        }
    };
    if values.len() > 3 {
        let message = "a pursuit has at most three options: ROWSxCOLUMNS,STEPS,steps";
        return Err(GameError::Spec(options.error(message)));
    }
    Ok(Opened::pictured_joint(Pursuit::new(rows, cols, steps, count), Pursuit::scene))
}

/// The most cells of a grid.
pub const MOST_CELLS: u32 = 64;
/// The most steps.
pub const MOST_STEPS: u32 = 200;

/// What is counted at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Whether the evader is free: 1 or -1.
    Win,
    /// The steps that it gets through.
    Steps,
}

/// The rules for a size and a number of steps.
#[derive(Clone, Debug)]
pub struct Pursuit {
    grid: Grid<u64>,
    steps: u8,
    count: Count,
}

/// Where everybody is, and how many steps are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hunt {
    evader: u8,
    /// In rising order: the pursuers are alike.
    pursuers: [u8; 2],
    left: u8,
}

/// Where a side steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The evader's new cell.
    Evader(u8),
    /// The new cells of the first and the second pursuer.
    Pursuers(u8, u8),
}

impl Pursuit {
    /// The game on a grid of at least three cells.
    pub fn new(rows: u32, cols: u32, steps: u32, count: Count) -> Pursuit {
        assert!((3..=MOST_CELLS).contains(&(rows * cols)) && steps <= MOST_STEPS, "the size fits");
        Pursuit { grid: Grid::new(rows, cols), steps: steps as u8, count }
    }

    fn next(&self, cell: u8) -> impl Iterator<Item = u8> {
        self.grid.around(1 << cell).cells().map(|next| next as u8)
    }

    fn cell(&self, cell: u8) -> String {
        let mut out = String::new();
        self.grid.write_cell(cell.into(), &mut out);
        out
    }

    fn parse_cell(&self, text: &str) -> Option<u8> {
        let (cell, rest) = self.grid.parse_cell(text)?;
        rest.is_empty().then_some(cell as u8)
    }

    fn caught(&self, s: &Hunt) -> bool {
        s.pursuers.contains(&s.evader)
    }
}

impl Joint for Pursuit {
    type State = Hunt;
    type Move = Step;

    fn range(&self) -> (i64, i64) {
        match self.count {
            Count::Win => (-1, 1),
            Count::Steps => (0, self.steps.into()),
        }
    }

    fn start(&self) -> Hunt {
        let (rows, cols) = (self.grid.rows as u8, self.grid.cols as u8);
        let corner = cols - 1;
        let before = if cols > 1 { corner - 1 } else { corner + cols };
        let pursuers = [corner.min(before), corner.max(before)];
        Hunt { evader: (rows - 1) * cols, pursuers, left: self.steps }
    }

    fn payoff(&self, s: &Hunt) -> Option<i64> {
        let caught = self.caught(s);
        if !caught && s.left > 0 {
            return None;
        }
        Some(match self.count {
            Count::Win => 1 - 2 * i64::from(caught),
            // The step in which it is caught does not count.
            Count::Steps => (i64::from(self.steps - s.left) - i64::from(caught)).max(0),
        })
    }

    fn moves(&self, s: &Hunt, side: Side, out: &mut Vec<Step>) {
        if side == Side::Max {
            out.extend(self.next(s.evader).map(Step::Evader));
            return;
        }
        let [first, second] = s.pursuers;
        for a in self.next(first) {
            // From one cell, the same two steps the other way round are the same move.
            let cells = self.next(second).filter(|&b| first != second || a <= b);
            out.extend(cells.map(|b| Step::Pursuers(a, b)));
        }
    }

    fn play(&self, s: &mut Hunt, max: Step, min: Step) {
        let (Step::Evader(to), Step::Pursuers(a, b)) = (max, min) else { return };
        let [first, second] = s.pursuers;
        let passed = [(first, a), (second, b)].contains(&(to, s.evader));
        s.evader = if passed { s.evader } else { to };
        s.pursuers = [a.min(b), a.max(b)];
        s.left -= 1;
    }

    fn bounds(&self, s: &Hunt) -> (i64, i64) {
        match self.count {
            Count::Win => (-1, 1),
            Count::Steps => ((self.steps - s.left).into(), self.steps.into()),
        }
    }
}

impl Pursuit {
    /// A picture of a position.
    fn scene(&self, s: &Hunt) -> Scene {
        let mut scene = self.grid.squares(|_| None);
        let evader = usize::from(s.evader);
        for pursuer in s.pursuers.map(usize::from) {
            scene.piece(pursuer, Glyph::Disc, Paint::Red);
        }
        scene.piece(evader, Glyph::Disc, Paint::Green);
        let (mut runs, mut hunts) = (Vec::new(), Vec::new());
        self.moves(s, Side::Max, &mut runs);
        self.moves(s, Side::Min, &mut hunts);
        for m in runs {
            let Step::Evader(to) = m else { continue };
            let text = self.move_text(s, Side::Max, m);
            scene.touch(self.players()[0], text, [evader, usize::from(to)], true);
        }
        for m in hunts {
            let Step::Pursuers(a, b) = m else { continue };
            let text = self.move_text(s, Side::Min, m);
            scene.touch(self.players()[1], text, [a, b].map(usize::from), false);
        }
        scene.notes.push(format!("steps left: {}", s.left));
        scene
    }
}

impl JointNotation for Pursuit {
    fn name(&self) -> String {
        let count = if self.count == Count::Steps { ",steps" } else { "" };
        format!("pursuit:{}x{},{}{count}", self.grid.rows, self.grid.cols, self.steps)
    }

    fn players(&self) -> [&str; 2] {
        ["evader", "pursuers"]
    }

    /// The new cell, or both: `a2`, `b1-c2`.
    fn write_move(&self, _s: &Hunt, _side: Side, m: Step, out: &mut String) {
        match m {
            Step::Evader(to) => out.push_str(&self.cell(to)),
            Step::Pursuers(a, b) => {
                out.push_str(&format!("{}-{}", self.cell(a), self.cell(b)));
            }
        }
    }

    fn parse_move(&self, s: &Hunt, side: Side, text: &str) -> Option<Step> {
        if side == Side::Max {
            return self.parse_cell(text).map(Step::Evader);
        }
        let (a, b) = text.split_once('-')?;
        let (a, b) = (self.parse_cell(a)?, self.parse_cell(b)?);
        let [first, second] = s.pursuers;
        Some(if first == second {
            Step::Pursuers(a.min(b), a.max(b))
        } else {
            Step::Pursuers(a, b)
        })
    }

    /// The evader, the pursuers and the steps left: `a3 b1 c1 5`.
    fn write_position(&self, s: &Hunt, out: &mut String) {
        let [first, second] = s.pursuers.map(|cell| self.cell(cell));
        out.push_str(&format!("{} {first} {second} {}", self.cell(s.evader), s.left));
    }

    fn read_position(&self, text: &str) -> Result<Hunt, TextError> {
        let words: Vec<&str> = text.split(' ').collect();
        let [evader, first, second, left] = words[..] else {
            let message = "expected the cells of the evader and of both pursuers and the steps \
                left, such as a3 b1 c1 5";
            return Err(TextError::new(message, 0..text.len()));
        };
        let mut at = 0;
        let mut cells = [0; 3];
        for (cell, word) in cells.iter_mut().zip([evader, first, second]) {
            *cell = self.parse_cell(word).ok_or_else(|| {
                let (rows, cols) = (self.grid.rows, self.grid.cols);
                let message = format!("`{word}` is not a cell of a {rows}x{cols} grid");
                TextError::new(message, at..at + word.len())
            })?;
            at += word.len() + 1;
        }
        let [evader, a, b] = cells;
        match left.parse::<u8>() {
            Ok(left) if left <= self.steps => {
                Ok(Hunt { evader, pursuers: [a.min(b), a.max(b)], left })
            }
            _ => {
                let message =
                    format!("`{left}` is not a number of steps left, expected 0 to {}", self.steps);
                Err(TextError::new(message, at..text.len()))
            }
        }
    }

    fn draw(&self, s: &Hunt) -> String {
        let symbol = |cell: u32| {
            let evader = cell == u32::from(s.evader);
            let pursuer = s.pursuers.iter().any(|&p| u32::from(p) == cell);
            match (evader, pursuer) {
                (true, true) => '*',
                (true, false) => 'E',
                (false, true) => 'P',
                (false, false) => '.',
            }
        };
        format!("{}steps left: {}\n", self.grid.draw(symbol), s.left)
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::JointTyped as _;
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::joint_testing::{close, joint_value, value_at_start};
    use crate::testing::{joint_texts_round_trip, joint_tree};

    #[test]
    fn texts_are_read_back() {
        for (rows, cols, steps) in [(3, 3, 6), (4, 5, 10), (1, 3, 3), (5, 1, 7), (8, 8, 9)] {
            for count in [Count::Win, Count::Steps] {
                joint_texts_round_trip(&Pursuit::new(rows, cols, steps, count));
            }
        }
    }

    #[test]
    fn rules_hold() {
        let game = Pursuit::new(3, 3, 5, Count::Win);
        assert_eq!(game.position_text(&game.start()), "a3 b1 c1 5");
        let drawn = "  3  E . .\n  2  . . .\n  1  . P P\n     a b c\nsteps left: 5\n";
        assert_eq!(game.draw(&game.start()), drawn);
        for (position, moves, result, payoff) in [
            ("a3 b1 c1 5", ("a2", "b2-b1"), "a2 b1 b2 4", None),
            // They meet.
            ("a3 a1 c1 5", ("a2", "a2-b1"), "a2 b1 a2 4", Some(-1)),
            // They exchange cells.
            ("a3 c1 a2 5", ("a2", "b1-a3"), "a3 b1 a3 4", Some(-1)),
            // It goes where a pursuer has been.
            ("a3 c1 a2 5", ("a2", "b1-b2"), "a2 b1 b2 4", None),
            ("a3 c1 a2 1", ("a2", "c2-a1"), "a2 a1 c2 0", Some(1)),
            ("a3 c1 a2 1", ("a2", "c2-a3"), "a3 c2 a3 0", Some(-1)),
        ] {
            let mut s = game.read_position(position).unwrap();
            let max = game.read_move(&s, Side::Max, moves.0).unwrap();
            let min = game.read_move(&s, Side::Min, moves.1).unwrap();
            game.play(&mut s, max, min);
            assert_eq!(s, game.read_position(result).unwrap(), "{position}");
            assert_eq!(game.payoff(&s), payoff, "{position}");
        }
    }

    #[test]
    fn pursuers_are_alike() {
        let game = Pursuit::new(3, 3, 5, Count::Win);
        let s = game.read_position("a3 c1 b1 5").unwrap();
        assert_eq!(s, game.start());
        // From one cell: two, three or both of the same.
        let s = game.read_position("a3 c1 c1 5").unwrap();
        let mut moves = Vec::new();
        game.moves(&s, Side::Min, &mut moves);
        assert_eq!(moves.len(), 3);
        assert_eq!(game.read_move(&s, Side::Min, "c2-b1"), game.read_move(&s, Side::Min, "b1-c2"));
    }

    #[test]
    fn steps_are_counted_until_it_is_caught() {
        let game = Pursuit::new(3, 3, 5, Count::Steps);
        for (position, payoff) in [
            ("a3 a3 c1 4", Some(0)),
            ("a3 a3 c1 0", Some(4)),
            ("a3 a2 c1 0", Some(5)),
            ("a3 a2 c1 1", None),
        ] {
            assert_eq!(game.payoff(&game.read_position(position).unwrap()), payoff, "{position}");
        }
        assert_eq!(game.bounds(&game.read_position("a3 a2 c1 1").unwrap()), (4, 5));
    }

    #[test]
    fn values_of_small_hunts() {
        // Three cells: the evader has one way, on which a pursuer comes.
        assert_eq!(value_at_start(&Pursuit::new(1, 3, 1, Count::Win)), -1.0);
        // A square: the evader is at a2 and steps to a1 or b2. The pursuer at b1 steps to one of
        // them, that at a1 to a2 or b1: it exchanges cells with an evader that steps to a1, so that
        // the other one can go to b2.
        assert_eq!(value_at_start(&Pursuit::new(2, 2, 1, Count::Win)), -1.0);
        // Without the second pursuer near, it is matching pennies.
        let game = Pursuit::new(2, 4, 1, Count::Win);
        let s = game.read_position("a2 b1 d1 1").unwrap();
        assert!(close(joint_value(&game, &s, &mut HashMap::new()), 0.0));
        // Computed elsewhere, too.
        assert!(close(value_at_start(&Pursuit::new(4, 4, 5, Count::Win)), -1.0 / 7.0));
        assert!(close(value_at_start(&Pursuit::new(4, 4, 5, Count::Steps)), 127.0 / 31.0));
        // Far away, it has its steps.
        assert_eq!(value_at_start(&Pursuit::new(4, 4, 2, Count::Win)), 1.0);
        assert_eq!(value_at_start(&Pursuit::new(4, 4, 2, Count::Steps)), 2.0);
    }

    #[test]
    fn positions_are_counted() {
        for ((rows, cols, steps), states) in COUNTS {
            let game = Pursuit::new(rows, cols, steps, Count::Win);
            assert_eq!(joint_tree(&game, &game.start(), Some(&mut HashSet::new())), states);
        }
    }

    const COUNTS: [((u32, u32, u32), u64); 3] = [((2, 2, 3), 8), ((3, 3, 3), 65), ((4, 4, 5), 661)];

    #[test]
    fn bad_positions_are_shown() {
        let game = Pursuit::new(3, 3, 5, Count::Win);
        for (text, span) in [
            ("a3 b1 c1", 0..8),
            ("a4 b1 c1 5", 0..2),
            ("a3 b1 c1x 5", 6..9),
            ("a3 b1 c1 6", 9..10),
            ("a3 b1 c1 ", 9..9),
        ] {
            assert_eq!(game.read_position(text).unwrap_err().span, span, "{text}");
        }
        for text in ["", "a4", "a2-b1", "A2"] {
            assert_eq!(game.parse_move(&game.start(), Side::Max, text), None, "{text}");
        }
        for text in ["", "a2", "a2-", "a2-b1-c1", "a2-b4"] {
            assert_eq!(game.parse_move(&game.start(), Side::Min, text), None, "{text}");
        }
    }
}
