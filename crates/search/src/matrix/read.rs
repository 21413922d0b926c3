//! Matrices as text: comma separated values, a line for each row.
//!
//! A payoff is a whole number, a decimal or a fraction like `1/3`. Empty lines are skipped, and so
//! is what follows a `#`.

use foregone_model::number::read_number;
use foregone_model::{Fraction, TextError};

use super::{ExactMatrix, Matrix, Ratio};
use foregone_model::number::{counted, gcd};
use foregone_model::ratio::Big;

/// A number of more characters than this is refused.
const LONGEST: usize = 1000;

/// So many bits are enough for a common denominator. Unrelated denominators would make numerators
/// as long as the text, each of them.
const DENOMINATOR_BITS: usize = 4096;

impl Matrix {
    /// Reads comma separated payoffs, and rounds each to the nearest floating point number.
    pub fn read(text: &str) -> Result<Matrix, TextError> {
        let cells = Cells::read(text)?;
        let payoffs = cells.list.iter().map(|cell| cell.payoff.as_f64()).collect();
        Ok(Matrix { columns: cells.columns, payoffs })
    }
}

impl ExactMatrix {
    /// Reads comma separated payoffs as they are written.
    pub fn read(text: &str) -> Result<ExactMatrix, TextError> {
        let cells = Cells::read(text)?;
        let largest = Big::ONE << DENOMINATOR_BITS;
        let mut common = Big::ONE;
        for (at, cell) in cells.list.iter().enumerate() {
            let own = &cell.payoff.den();
            common = own / gcd(&common, own) * common;
            if common > largest {
                let message = format!(
                    "{}: the denominators up to here have no common multiple of {DENOMINATOR_BITS} \
                     bits",
                    place(at / cells.columns, at % cells.columns)
                );
                return Err(TextError::new(message, cell.start..cell.end));
            }
        }
        let payoffs: Vec<Ratio> = cells.list.into_iter().map(|cell| cell.payoff).collect();
        Ok(ExactMatrix::of(cells.columns, &payoffs))
    }
}

struct Cells {
    columns: usize,
    list: Vec<Cell>,
}

struct Cell {
    payoff: Ratio,
    start: usize,
    end: usize,
}

/// How a message names a cell.
fn place(row: usize, column: usize) -> String {
    format!("row {}, column {}", row + 1, column + 1)
}

impl Cells {
    fn read(text: &str) -> Result<Cells, TextError> {
        let mut cells = Cells { columns: 0, list: Vec::new() };
        let mut row = 0;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let from = start;
            start += line.len();
            // Some spreadsheets mark the beginning of a file.
            let shown = if from == 0 { line.trim_start_matches('\u{feff}') } else { line };
            let from = from + line.len() - shown.len();
            let shown = shown.split('#').next().unwrap_or_default();
            if shown.trim().is_empty() {
                continue;
            }
            cells.read_row(row, shown, from)?;
            row += 1;
        }
        if row == 0 {
            let message = "a matrix needs at least one row, for example: 1, -1";
            return Err(TextError::new(message, 0..text.len()));
        }
        Ok(cells)
    }

    /// Reads a line that begins at byte `from`.
    fn read_row(&mut self, row: usize, line: &str, from: usize) -> Result<(), TextError> {
        let mut start = from;
        let mut found = 0;
        for (column, text) in line.split(',').enumerate() {
            let blanks = text.len() - text.trim_start().len();
            let word = text.trim();
            // Where there is nothing, the comma before it is shown, and not the next line.
            let begin = if word.is_empty() { start.max(from + 1) - 1 } else { start + blanks };
            self.list.push(read_cell(row, column, word, begin)?);
            start += text.len() + 1;
            found = column + 1;
        }
        if row == 0 {
            self.columns = found;
        }
        if found != self.columns {
            let at = place(row, found.min(self.columns));
            let found = counted(found as u64, "payoff");
            let message = format!("{at}: the row has {found}, the first one has {}", self.columns);
            return Err(TextError::new(message, from..from + line.trim_end().len()));
        }
        Ok(())
    }
}

fn read_cell(row: usize, column: usize, word: &str, start: usize) -> Result<Cell, TextError> {
    let end = start + word.len().max(1);
    let fail =
        |what: String| Err(TextError::new(format!("{}: {what}", place(row, column)), start..end));
    if word.is_empty() {
        return fail("a payoff is missing".to_owned());
    }
    if word.len() > LONGEST {
        return fail(format!("the payoff has more than {LONGEST} characters"));
    }
    match read_number(word) {
        Err(error) => fail(format!("`{word}` {error}")),
        Ok(payoff) if payoff.as_f64().abs() > Matrix::LARGEST => {
            fail(format!("`{word}` is too large: payoffs go up to {:e}", Matrix::LARGEST))
        }
        Ok(payoff) => Ok(Cell { payoff, start, end }),
    }
}
