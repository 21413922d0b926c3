//! Any payoff matrix as a game of one step: Max chooses a row, Min a column, both at once.
//!
//! The simplest stacked-matrix games of *Solving Games and All That* (Definition 39): one internal
//! state. The matrix is read from comma separated values, a line for each row; a payoff is a whole
//! number, a decimal or a fraction like `1/3`. Empty lines are skipped, and so is what follows a
//! `#`. Rock, paper, scissors is one of them whose moves have names.

use foregone_model::number::{counted, read_number};
use foregone_model::scene::Scene;
use foregone_model::{Joint, JointNotation, Rules, Side, TextError, rules_of_text};

use crate::options::Options;
use crate::payoffs::{self, Payoff};
use crate::picture::table;
use crate::registry::{Entry, FileForm, GameError, Opened};

/// How matrices that stand in files are listed and opened.
pub const ENTRY: Entry = Entry {
    file: Some(FileForm {
        ending: ".csv",
        about: "A line for each row, payoffs of Max between commas: whole numbers, decimals or \
                fractions like 1/3.\n# begins a comment.",
        example: "# Rock, paper, scissors: what Min pays Max.\n\
                  0, -1, 1\n\
                  1, 0, -1\n\
                  -1, 1, 0\n",
    }),
    quick: None,
    ..Entry::joint(
        "matrix",
        "FILE",
        "A matrix of payoffs, comma separated: Max chooses a row, Min a column",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let game = options.file(looks_right, |name, text| MatrixGame::read(name, text))?;
    Ok(Opened::pictured_joint(game, MatrixGame::scene))
}

/// The best known matrix has a name of its own.
pub const ROCK_PAPER_SCISSORS: Entry = Entry::joint(
    "rock-paper-scissors",
    "",
    "Rock beats scissors, scissors beat paper, paper beats rock",
    |options| {
        options.none()?;
        Ok(Opened::pictured_joint(MatrixGame::rock_paper_scissors(), MatrixGame::scene))
    },
);

/// The game of a matrix.
#[derive(Clone, Debug)]
pub struct MatrixGame {
    name: String,
    rules: Rules,
    unit: i64,
    columns: usize,
    /// Row by row.
    payoffs: Vec<i64>,
    /// The names of the moves of both players; numbers where there are none.
    words: &'static [&'static str],
}

/// What was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// Nothing yet.
    Open,
    /// A row and a column, from 0.
    Cell(u32, u32),
}

/// Whether a line begins with a payoff.
pub fn looks_right(line: &str) -> bool {
    line.split(',').next().is_some_and(|word| read_number(word.trim()).is_ok())
}

/// The names of [`MatrixGame::rock_paper_scissors`].
const SHAPES: [&str; 3] = ["rock", "paper", "scissors"];

impl MatrixGame {
    /// Reads a matrix; `name` is what a person types to get it. Spans of errors are in `text`.
    pub fn read(name: impl Into<String>, text: &str) -> Result<MatrixGame, TextError> {
        let (mut cells, mut columns) = (Vec::new(), 0);
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            // Some spreadsheets mark the beginning of a file.
            let shown = if offset == 0 { line.trim_start_matches('\u{feff}') } else { line };
            let start = offset + line.len() - shown.len();
            offset += line.len();
            let row = shown.split('#').next().unwrap_or_default();
            if row.trim().is_empty() {
                continue;
            }
            let before = cells.len();
            let mut at = start;
            for word in row.split(',') {
                let blanks = word.len() - word.trim_start().len();
                // Where there is nothing, the comma before it is shown, and not the next line.
                let place = if word.trim().is_empty() { at.max(1) - 1 } else { at + blanks };
                cells.push(Payoff::read(word.trim(), place)?);
                at += word.len() + 1;
            }
            let found = cells.len() - before;
            if before == 0 {
                columns = found;
            }
            if found != columns {
                let found = counted(found as u64, "payoff");
                let message = format!("the row has {found}, the first one has {columns}");
                let lead = row.len() - row.trim_start().len();
                let span = start + lead..start + row.trim_end().len();
                return Err(TextError::new(message, span));
            }
        }
        if cells.is_empty() {
            let message = "a matrix needs at least one row, for example: 1, -1";
            return Err(TextError::new(message, 0..text.len()));
        }
        let (unit, payoffs) = payoffs::numerators(&cells)?;
        let rules = rules_of_text(text);
        Ok(MatrixGame { name: name.into(), rules, unit, columns, payoffs, words: &[] })
    }

    /// Rock beats scissors, scissors beat paper, paper beats rock.
    pub fn rock_paper_scissors() -> MatrixGame {
        MatrixGame {
            name: "rock-paper-scissors".to_owned(),
            rules: Rules::default(),
            unit: 1,
            columns: 3,
            payoffs: vec![0, -1, 1, 1, 0, -1, -1, 1, 0],
            words: &SHAPES,
        }
    }

    /// How many moves a side has.
    fn count(&self, side: Side) -> usize {
        match side {
            Side::Max => self.payoffs.len() / self.columns,
            Side::Min => self.columns,
        }
    }

    fn at(&self, row: u32, column: u32) -> i64 {
        self.payoffs[row as usize * self.columns + column as usize]
    }

    fn word(&self, m: u32) -> String {
        self.words.get(m as usize).map_or_else(|| (m + 1).to_string(), |&word| word.to_owned())
    }

    fn find(&self, side: Side, text: &str) -> Option<u32> {
        if !self.words.is_empty() {
            return self.words.iter().position(|&word| word == text).map(|m| m as u32);
        }
        let number = text.parse::<u32>().ok().filter(|_| !text.starts_with(['+', '0']))?;
        (1..=self.count(side)).contains(&(number as usize)).then(|| number - 1)
    }
}

impl Joint for MatrixGame {
    type State = Choice;
    type Move = u32;

    fn unit(&self) -> i64 {
        self.unit
    }

    fn range(&self) -> (i64, i64) {
        let least = self.payoffs.iter().min().copied().unwrap_or(0);
        (least, self.payoffs.iter().max().copied().unwrap_or(0))
    }

    fn start(&self) -> Choice {
        Choice::Open
    }

    fn payoff(&self, s: &Choice) -> Option<i64> {
        match *s {
            Choice::Open => None,
            Choice::Cell(row, column) => Some(self.at(row, column)),
        }
    }

    fn moves(&self, _s: &Choice, side: Side, out: &mut Vec<u32>) {
        out.extend(0..self.count(side) as u32);
    }

    fn play(&self, s: &mut Choice, max: u32, min: u32) {
        *s = Choice::Cell(max, min);
    }
}

impl MatrixGame {
    /// A picture of a position.
    fn scene(&self, s: &Choice) -> Scene {
        let names = |side| (0..self.count(side) as u32).map(|m| self.word(m)).collect();
        let moves: [Vec<String>; 2] = [Side::Max, Side::Min].map(names);
        let entry = |r: usize, c: usize| payoffs::text(self.at(r as u32, c as u32), self.unit);
        let mut scene = table([&moves[0], &moves[1]], entry, self.players());
        if let Choice::Cell(row, column) = *s {
            scene.mark_last(&[&format!("{}/{}", self.word(row), self.word(column))]);
        }
        scene
    }
}

impl JointNotation for MatrixGame {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn rules(&self) -> Rules {
        self.rules.clone()
    }

    fn players(&self) -> [&str; 2] {
        ["Max", "Min"]
    }

    fn write_move(&self, _s: &Choice, _side: Side, m: u32, out: &mut String) {
        out.push_str(&self.word(m));
    }

    fn parse_move(&self, _s: &Choice, side: Side, text: &str) -> Option<u32> {
        self.find(side, text)
    }

    /// `start`, or what was chosen: `1/2`.
    fn write_position(&self, s: &Choice, out: &mut String) {
        match *s {
            Choice::Open => out.push_str("start"),
            Choice::Cell(row, column) => {
                out.push_str(&format!("{}/{}", self.word(row), self.word(column)));
            }
        }
    }

    fn read_position(&self, text: &str) -> Result<Choice, TextError> {
        if text == "start" {
            return Ok(Choice::Open);
        }
        let Some((row, column)) = text.split_once('/') else {
            let message = "expected `start`, or Max's and Min's move as in MOVE/MOVE";
            return Err(TextError::new(message, 0..text.len()));
        };
        let read = |side, word: &str, at: usize| {
            self.find(side, word).ok_or_else(|| {
                let message = format!("`{word}` is not a move of {}", self.name);
                let choices = (0..self.count(side) as u32).map(|m| self.word(m)).collect();
                TextError::new(message, at..at + word.len()).with_choices(choices)
            })
        };
        Ok(Choice::Cell(read(Side::Max, row, 0)?, read(Side::Min, column, row.len() + 1)?))
    }

    fn draw(&self, s: &Choice) -> String {
        if let Choice::Cell(row, column) = *s {
            let payoff = payoffs::text(self.at(row, column), self.unit);
            return format!("{} against {}: {payoff}\n", self.word(row), self.word(column));
        }
        let mut table = vec![vec![String::new()]];
        table[0].extend((0..self.columns as u32).map(|m| self.word(m)));
        for (row, payoffs) in self.payoffs.chunks(self.columns).enumerate() {
            let mut line = vec![self.word(row as u32)];
            line.extend(payoffs.iter().map(|&payoff| payoffs::text(payoff, self.unit)));
            table.push(line);
        }
        payoffs::table(&table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint_testing::{close, value_at_start};
    use crate::testing::joint_texts_round_trip;
    use foregone_model::JointTyped as _;

    fn read(text: &str) -> Result<MatrixGame, TextError> {
        MatrixGame::read("matrix:test", text)
    }

    #[test]
    fn texts_are_read_back() {
        joint_texts_round_trip(&MatrixGame::rock_paper_scissors());
        joint_texts_round_trip(&read("1, 1/2, -3\n0.25, 0, 7\n").unwrap());
    }

    #[test]
    fn payoffs_share_a_unit() {
        let game = read("\u{feff}# two rows\r\n1, 1/2\r\n\r\n-0.25, 0 # the end\r\n").unwrap();
        assert_eq!((game.unit(), game.range()), (4, (-1, 4)));
        assert_eq!(game.payoffs, [4, 2, -1, 0]);
        assert_eq!(game.draw(&Choice::Open), "        1    2\n  1     1  1/2\n  2  -1/4    0\n");
        let s = game.read_position_or_moves("moves:2/1").unwrap();
        assert_eq!((game.payoff(&s), game.position_text(&s)), (Some(-1), "2/1".to_owned()));
        assert_eq!(game.draw(&s), "2 against 1: -1/4\n");
    }

    #[test]
    fn each_of_rock_paper_scissors_beats_one() {
        let game = MatrixGame::rock_paper_scissors();
        for (text, payoff) in [
            ("rock/scissors", 1),
            ("scissors/paper", 1),
            ("paper/rock", 1),
            ("rock/paper", -1),
            ("paper/paper", 0),
        ] {
            assert_eq!(game.payoff(&game.read_position(text).unwrap()), Some(payoff), "{text}");
        }
        let file = include_str!("../../../examples/rock-paper-scissors.csv");
        assert_eq!(read(file).unwrap().payoffs, game.payoffs);
    }

    #[test]
    fn values_are_those_of_the_matrices() {
        assert!(close(value_at_start(&MatrixGame::rock_paper_scissors()), 0.0));
        // Example 15 of the thesis: one equilibrium, although nothing is dominated.
        let example = include_str!("../../../examples/example-15.csv");
        assert!(close(value_at_start(&read(example).unwrap()), 3.0));
        // Row 1 with probability x gets 1 - x against column 1, 2x - 1/2 against column 2: both
        // are 1/2 for x = 1/2.
        let inspection = include_str!("../../../examples/inspection.csv");
        assert!(close(value_at_start(&read(inspection).unwrap()), 0.5));
    }

    #[test]
    fn mistakes_show_their_place() {
        for (text, at, message) in [
            ("", "", "at least one row"),
            ("# nothing\n", "# nothing\n", "at least one row"),
            ("1, 2\n3\n", "3", "the row has 1 payoff, the first one has 2"),
            ("1\n 3 , 4 # more\n", "3 , 4", "the row has 2 payoffs, the first one has 1"),
            ("1, x\n", "x", "is not a number"),
            ("1,, 2\n", "", "a payoff is missing"),
            ("1, 2/0\n", "2/0", "denominator 0"),
            ("1\n1e13\n", "1e13", "too large"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(&text[error.span.clone()], at, "{text}");
            assert!(error.message.contains(message), "{}", error.message);
        }
    }

    #[test]
    fn bad_positions_are_shown() {
        let game = read("1, 2\n3, 4\n5, 6\n").unwrap();
        for (text, span) in [("1", 0..1), ("4/1", 0..1), ("3/3", 2..3), ("0/1", 0..1)] {
            assert_eq!(game.read_position(text).unwrap_err().span, span, "{text}");
        }
        for text in ["", "0", "3", "01", "+1", "-1", "x"] {
            assert_eq!(game.parse_move(&Choice::Open, Side::Min, text), None, "{text}");
        }
    }
}
