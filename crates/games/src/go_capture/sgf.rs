//! Game records in SGF, the Smart Game Format of Anders Kierulf, version FF[4] and what older
//! ones have in common with it: the main line of a record, as far as stones go.
//!
//! The crate `sgf-parse` (4.2) would not do: its values do not say where they stood in the text and
//! its errors about them have no place, while every message here shows the word at fault, in moves
//! that are well-formed and off the board, too.

use std::ops::Range;

use foregone_model::{Side, TextError};

/// The main line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Rows and columns of the board, and where the record says so.
    pub(crate) size: (u32, u32),
    pub(crate) size_at: Range<usize>,
    /// What happens to the board, in its order. A node that has a move begins with it.
    pub(crate) steps: Vec<Step>,
}

/// Something that happens to the board, and where the record says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) what: What,
    pub(crate) at: Range<usize>,
}

/// Points are rows and columns, the first row at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A point becomes empty or gets a stone, and nothing is captured.
    Set((u32, u32), Option<Side>),
    /// A move, or a pass.
    Move(Side, Option<(u32, u32)>),
    /// This player is to move.
    ToMove(Side),
}

/// A property of a node: its name and its values with their places.
type Property = (String, Vec<(String, Range<usize>)>);

/// The largest side of a board that can be named with one letter a coordinate.
const LARGEST: u32 = 52;

/// Reads the first record of a text. Must not panic.
pub(crate) fn read(text: &str) -> Result<Record, TextError> {
    let nodes = Reader { text, at: 0 }.main_line()?;
    let named = |name: &'static str| move |p: &&Property| p.0 == name;
    let sized = nodes.iter().flatten().find(named("SZ")).and_then(|p| p.1.first());
    let (size, size_at) = match sized {
        None => ((19, 19), 0..0),
        Some((value, at)) => (board_size(value, at)?, at.clone()),
    };
    let mut steps = Vec::new();
    for node in &nodes {
        // The order within a node means nothing. Moves come first, so that they can be counted
        // without taking the rest of their node for that of the node before.
        for name in ["B", "W", "AB", "AW", "AE", "PL"] {
            for (value, at) in node.iter().filter(named(name)).flat_map(|p| &p.1) {
                let side = if name.ends_with('B') { Side::Max } else { Side::Min };
                let mut step = |what| steps.push(Step { what, at: at.clone() });
                match name {
                    "B" | "W" => step(What::Move(side, move_point(value, size, at)?)),
                    "PL" => step(What::ToMove(player(value, at)?)),
                    _ => {
                        let stone = (name != "AE").then_some(side);
                        for point in points(value, size, at)? {
                            step(What::Set(point, stone));
                        }
                    }
                }
            }
        }
    }
    Ok(Record { size, size_at, steps })
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    /// The nodes of the first variation: with variations in the order of the text, all nodes up
    /// to the first bracket that closes.
    fn main_line(&mut self) -> Result<Vec<Vec<Property>>, TextError> {
        let mut nodes: Vec<Vec<Property>> = Vec::new();
        let (mut depth, mut main) = (0u32, true);
        loop {
            self.skip(|b| b.is_ascii_whitespace());
            let at = self.at;
            match self.peek() {
                Some(b'(') => {
                    self.at += 1;
                    depth += 1;
                }
                _ if depth == 0 => {
                    return Err(self.error("a game record in SGF begins with `(;`", at));
                }
                Some(b')') => {
                    self.at += 1;
                    (depth, main) = (depth - 1, false);
                    if depth == 0 {
                        return Ok(nodes);
                    }
                }
                Some(b';') => {
                    self.at += 1;
                    if main {
                        nodes.push(Vec::new());
                    }
                }
                Some(b) if b.is_ascii_alphabetic() => {
                    let property = self.property()?;
                    match nodes.last_mut() {
                        None => return Err(self.error("a property stands in a node, `;`", at)),
                        Some(node) if main => node.push(property),
                        Some(_) => {}
                    }
                }
                Some(_) => {
                    let expected = "expected a property, `;`, `(` or `)` of SGF here";
                    return Err(self.error(expected, at));
                }
                None => return Err(self.error("the SGF ends before its last `)`", at)),
            }
        }
    }

    fn property(&mut self) -> Result<Property, TextError> {
        let start = self.at;
        self.skip(|b| b.is_ascii_alphabetic());
        // Old versions may have small letters in between, which mean nothing.
        let name: String =
            self.text[start..self.at].chars().filter(char::is_ascii_uppercase).collect();
        let mut values = Vec::new();
        loop {
            self.skip(|b| b.is_ascii_whitespace());
            if self.peek() != Some(b'[') {
                break;
            }
            values.push(self.value()?);
        }
        if values.is_empty() {
            return Err(self.error("a property of SGF has a value, `[…]`", start));
        }
        Ok((name, values))
    }

    /// A value without its brackets. A backslash takes the meaning from what follows it.
    fn value(&mut self) -> Result<(String, Range<usize>), TextError> {
        let open = self.at;
        let mut value = String::new();
        let mut escaped = false;
        for (i, c) in self.text[open + 1..].char_indices() {
            match c {
                _ if escaped => {
                    value.push(c);
                    escaped = false;
                }
                '\\' => escaped = true,
                ']' => {
                    let end = open + 1 + i;
                    self.at = end + 1;
                    return Ok((value, open + 1..end));
                }
                _ => value.push(c),
            }
        }
        self.at = self.text.len();
        Err(TextError::new("this bracket of the SGF is not closed", open..open + 1))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Goes on over ASCII characters, so that the place stays between characters.
    fn skip(&mut self, ascii: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&ascii) {
            self.at += 1;
        }
    }

    /// An error about the character at this place.
    fn error(&self, message: &str, at: usize) -> TextError {
        let length = self.text[at..].chars().next().map_or(0, char::len_utf8);
        TextError::new(message, at..at + length)
    }
}

/// `19`, or `19:13` for 19 columns and 13 rows.
fn board_size(value: &str, at: &Range<usize>) -> Result<(u32, u32), TextError> {
    let (cols, rows) = value.split_once(':').unwrap_or((value, value));
    let side = |text: &str| text.trim().parse().ok().filter(|n| (1..=LARGEST).contains(n));
    match (side(rows), side(cols)) {
        (Some(rows), Some(cols)) => Ok((rows, cols)),
        _ => Err(TextError::new(format!("`{value}` is not a board size of SGF"), at.clone())),
    }
}

fn player(value: &str, at: &Range<usize>) -> Result<Side, TextError> {
    match value.trim().to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::Max),
        "w" | "white" => Ok(Side::Min),
        _ => Err(TextError::new(format!("`{value}` is not a player, expected B or W"), at.clone())),
    }
}

/// The point of a move. Nothing is a pass, and so is `tt` where there is no such point.
fn move_point(
    value: &str,
    size: (u32, u32),
    at: &Range<usize>,
) -> Result<Option<(u32, u32)>, TextError> {
    match value.trim() {
        "" => Ok(None),
        "tt" if size.0 <= 19 && size.1 <= 19 => Ok(None),
        name => point(name, size, at).map(Some),
    }
}

/// One point, or the rectangle between two corners, `aa:cc`.
fn points(value: &str, size: (u32, u32), at: &Range<usize>) -> Result<Vec<(u32, u32)>, TextError> {
    let (one, two) = value.split_once(':').unwrap_or((value, value));
    let (one, two) = (point(one.trim(), size, at)?, point(two.trim(), size, at)?);
    let rows = one.0.min(two.0)..=one.0.max(two.0);
    let cols = one.1.min(two.1)..=one.1.max(two.1);
    Ok(rows.flat_map(|row| cols.clone().map(move |col| (row, col))).collect())
}

/// A column from the left and a row from the top, a letter each: a to z, then A to Z.
fn point(name: &str, size: (u32, u32), at: &Range<usize>) -> Result<(u32, u32), TextError> {
    let number = |b: u8| match b {
        b'a'..=b'z' => Some(u32::from(b - b'a')),
        b'A'..=b'Z' => Some(u32::from(b - b'A') + 26),
        _ => None,
    };
    let (rows, cols) = size;
    if let &[col, row] = name.as_bytes()
        && let (Some(col), Some(row)) = (number(col), number(row))
        && col < cols
        && row < rows
    {
        return Ok((rows - 1 - row, col));
    }
    let message = format!("`{name}` is not a point of SGF on a board of {rows}x{cols}");
    Err(TextError::new(message, at.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Vec<What> {
        read(text).unwrap().steps.into_iter().map(|s| s.what).collect()
    }

    #[test]
    fn the_main_line_is_read() {
        let text = "(;FF[4]C[a \\] b ( ; \\\\]SZ[3:2]AB[aa][ca:cb]AW[ab] PL[W]\n;W[ba];B[]\
            (;W[bb]C[x];B[tt](;W[aa])(;W[zz]))(;W[zz]))";
        let record = read(text).unwrap();
        assert_eq!(record.size, (2, 3));
        assert_eq!(&text[record.size_at], "3:2");
        let (black, white) = (Some(Side::Max), Some(Side::Min));
        let expected = [
            What::Set((1, 0), black),
            What::Set((0, 2), black),
            What::Set((1, 2), black),
            What::Set((0, 0), white),
            What::ToMove(Side::Min),
            What::Move(Side::Min, Some((1, 1))),
            What::Move(Side::Max, None),
            What::Move(Side::Min, Some((0, 1))),
            What::Move(Side::Max, None),
            What::Move(Side::Min, Some((1, 0))),
        ];
        assert_eq!(steps(text), expected);
        let last = read(text).unwrap().steps.pop().unwrap();
        assert_eq!(&text[last.at], "aa");
        assert_eq!(read("(;)").unwrap().size, (19, 19));
        let old = [What::Move(Side::Max, Some((0, 0))), What::Set((18, 18), None)];
        assert_eq!(steps("(;Black[as]AddEmpty[sa])"), old);
    }

    #[test]
    fn what_is_wrong_is_shown() {
        for (text, at) in [
            ("", 0..0),
            ("x", 0..1),
            ("(", 1..1),
            ("(;", 2..2),
            ("(AB[aa])", 1..2),
            ("(;AB)", 2..3),
            ("(;AB[aa)", 4..5),
            ("(;AB[aa\\]", 4..5),
            ("(;AB[aé])", 5..8),
            ("(;AB[aa:])", 5..8),
            ("(;SZ[9]B[jj])", 9..11),
            ("(;SZ[0])", 5..6),
            ("(;SZ[99])", 5..7),
            ("(;PL[red])", 5..8),
            ("(;é)", 2..4),
        ] {
            assert_eq!(read(text).unwrap_err().span, at, "{text}");
        }
    }
}
