//! The text of boards: names of cells, rows of symbols, who is to move.

use std::ops::Range;

use foregone_model::number::counted;
use foregone_model::{Notation, TextError};

use super::Word;

/// Appends the letters of a column: a … z, then aa, ab, …
pub fn write_column(col: u32, out: &mut String) {
    if col >= 26 {
        out.push((b'a' + (col / 26 - 1) as u8) as char);
    }
    out.push((b'a' + (col % 26) as u8) as char);
}

/// Appends `a1` for row 0 and column 0, and so on.
pub fn write_cell(row: u32, col: u32, out: &mut String) {
    write_column(col, out);
    let row = row + 1;
    if row >= 100 {
        out.push((b'0' + (row / 100) as u8) as char);
    }
    if row >= 10 {
        out.push((b'0' + (row / 10 % 10) as u8) as char);
    }
    out.push((b'0' + (row % 10) as u8) as char);
}

/// Reads `a1` from the front of a text: row, column and the rest. One name a cell: no capital
/// letters, no leading zeros.
pub fn parse_cell(text: &str) -> Option<(u32, u32, &str)> {
    let letters = text.bytes().take_while(u8::is_ascii_lowercase).count();
    let digits = text[letters..].bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=2).contains(&letters) || !(1..=3).contains(&digits) {
        return None;
    }
    let column = text[..letters].bytes().fold(0, |n, b| n * 26 + u32::from(b - b'a' + 1)) - 1;
    let number = &text[letters..letters + digits];
    if number.starts_with('0') {
        return None;
    }
    Some((number.parse::<u32>().ok()? - 1, column, &text[letters + digits..]))
}

/// Appends rows of symbols separated by `/`. Each row is given by its cells.
pub fn write_board(
    rows: impl Iterator<Item = Range<u32>>,
    symbol: impl Fn(u32) -> char,
    out: &mut String,
) {
    for (i, row) in rows.enumerate() {
        if i > 0 {
            out.push('/');
        }
        out.extend(row.map(&symbol));
    }
}

/// Reads what [`write_board`] wrote, then a space and who is to move: for each symbol the set of
/// its cells, and the place of the mover in `movers`.
pub fn read_board<W: Word>(
    text: &str,
    rows: impl Iterator<Item = Range<u32>>,
    symbols: &[char],
    movers: &[&str],
) -> Result<(Vec<W>, usize), TextError> {
    let (board, mover) = read_mover(text, movers)?;
    Ok((read_sets(board, rows, symbols)?, mover))
}

/// Reads what [`write_board`] wrote: for each symbol the set of its cells.
pub fn read_sets<W: Word>(
    board: &str,
    rows: impl Iterator<Item = Range<u32>>,
    symbols: &[char],
) -> Result<Vec<W>, TextError> {
    let rows: Vec<Range<u32>> = rows.collect();
    let lengths: Vec<usize> = rows.iter().map(ExactSizeIterator::len).collect();
    let found = read_cells(board, &lengths, symbols)?;
    let mut sets = vec![W::ZERO; symbols.len()];
    for (cell, symbol) in rows.into_iter().flatten().zip(found) {
        sets[symbol] = sets[symbol] | W::bit(cell);
    }
    Ok(sets)
}

/// Reads rows of symbols separated by `/`, then a space and the name of the player to move.
/// Returns the index of each cell's symbol, in reading order, and the index of the player.
pub fn read_rows(
    text: &str,
    lengths: &[usize],
    symbols: &[char],
    movers: &[&str],
) -> Result<(Vec<usize>, usize), TextError> {
    let (board, player) = read_mover(text, movers)?;
    Ok((read_cells(board, lengths, symbols)?, player))
}

/// Reads rows of symbols separated by `/`. Returns the index of each cell's symbol, in reading
/// order.
pub fn read_cells(
    board: &str,
    lengths: &[usize],
    symbols: &[char],
) -> Result<Vec<usize>, TextError> {
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != lengths.len() {
        let expected = counted(lengths.len() as u64, "row");
        let message = format!("expected {expected} separated by `/`, found {}", rows.len());
        return Err(TextError::new(message, 0..board.len()));
    }
    let mut cells = Vec::new();
    let mut offset = 0;
    for (row, &length) in rows.iter().zip(lengths) {
        let found = row.chars().count();
        if found != length {
            let found = counted(found as u64, "cell");
            let message = format!("this row has {found}, expected {length}");
            return Err(TextError::new(message, offset..offset + row.len()));
        }
        for (at, c) in row.char_indices() {
            let Some(symbol) = symbols.iter().position(|&s| s == c) else {
                let known: String = symbols.iter().collect();
                let message =
                    format!("`{c}` is not a cell of this game, expected one of `{known}`");
                return Err(TextError::new(message, offset + at..offset + at + c.len_utf8()));
            };
            cells.push(symbol);
        }
        offset += row.len() + 1;
    }
    Ok(cells)
}

/// Splits `… PLAYER` at the last space: what stands before it, and the index of the player.
pub fn read_mover<'t>(text: &'t str, movers: &[&str]) -> Result<(&'t str, usize), TextError> {
    let Some((rest, mover)) = text.rsplit_once(' ') else {
        let message = format!("a position ends with a space and who is to move: {}", list(movers));
        return Err(TextError::new(message, text.len()..text.len()));
    };
    let Some(player) = movers.iter().position(|&m| m == mover) else {
        let message = format!("`{mover}` is not a player, expected {}", list(movers));
        let choices = movers.iter().map(|&m| m.to_owned()).collect();
        return Err(TextError::new(message, rest.len() + 1..text.len()).with_choices(choices));
    };
    Ok((rest, player))
}

/// A position that was read, if this is how it is written: a position has one text.
pub(crate) fn as_written<G: Notation>(
    game: &G,
    s: G::State,
    text: &str,
) -> Result<G::State, TextError> {
    let written = game.position_text(&s);
    if written == text {
        return Ok(s);
    }
    let message = format!("this position is written `{written}`");
    Err(TextError::new(message, 0..text.len()).with_choices(vec![written]))
}

fn list(words: &[&str]) -> String {
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(" or ")
}
