//! Reading single lines of a proof in turn, and finding the ends of their blocks.

use foregone_proof::certificate::shown;

use crate::data::{BookError, NodeKind};
use crate::index::Index;
use crate::line::{self, Says};
use crate::text::{Cursor, TRUNCATED, Text};

/// Where the index does not help, so many lines are read through and no more.
const MOST_LINES: u64 = 4096;

/// For one request, so many lines are read and no more: about a second.
const MOST_READ: u64 = 1 << 20;

/// The place of a line, and whether it answers a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) offset: u64,
    pub(crate) answers: bool,
}

/// A line that was read.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) spot: Spot,
    /// Where the next line begins.
    pub(crate) next: u64,
    pub(crate) text: String,
    /// The move that it answers.
    pub(crate) by: String,
    pub(crate) label: Option<u64>,
    pub(crate) stands: Stands,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stands {
    Over,
    Plays(String),
    Replies(u64),
    Same(u64),
    Known {
        rule: String,
        reason: String,
    },
    /// All moves that have no block are answered by these words.
    Others(String),
}

impl Stands {
    pub(crate) fn kind(&self) -> NodeKind {
        match self {
            Stands::Over => NodeKind::Over,
            Stands::Plays(_) => NodeKind::Plays,
            Stands::Replies(_) => NodeKind::Replies,
            Stands::Same(_) => NodeKind::Same,
            Stands::Others(words) if words.starts_with("as ") => NodeKind::Same,
            Stands::Known { .. } | Stands::Others(_) => NodeKind::Known,
        }
    }
}

/// A block that was found: where it ends, and how many claims it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) end: u64,
    pub(crate) claims: u64,
}

/// What a line that may be a reference comes to.
pub(crate) struct Resolved {
    pub(crate) line: Line,
    /// The label that it referred to.
    pub(crate) same_as: Option<u64>,
}

/// Looks into a file with the help of its index.
pub(crate) struct Look<'a> {
    pub(crate) index: &'a Index,
    section: usize,
    cursor: Cursor<'a>,
    /// For looking aside, so that the other one keeps its place.
    aside: Cursor<'a>,
    /// Lines that may still be read.
    left: u64,
}

impl<'a> Look<'a> {
    pub(crate) fn new(index: &'a Index, section: usize, text: &'a dyn Text) -> Look<'a> {
        let (cursor, aside) = (Cursor::new(text, 0), Cursor::new(text, 0));
        Look { index, section, cursor, aside, left: MOST_READ }
    }

    pub(crate) fn line_number(&mut self, offset: u64) -> Result<Option<u64>, BookError> {
        self.index.line_at(offset, &mut self.aside)
    }

    /// Where the line with a label stands, and whether it answers a move; nothing where the index has not
    /// come to one.
    pub(crate) fn label(&mut self, label: u64) -> Result<Option<(u64, bool)>, BookError> {
        self.index.label(self.section, label, &mut self.aside)
    }

    /// Counts a line that is read. A walk through thousands of moves, each with thousands of replies, is
    /// given up: others wait meanwhile.
    fn spend(&mut self) -> Result<(), BookError> {
        self.left = self.left.checked_sub(1).ok_or_else(|| {
            BookError::Input("this place is too far from the start to be shown".to_owned())
        })?;
        Ok(())
    }

    pub(crate) fn read(&mut self, spot: Spot) -> Result<Line, BookError> {
        self.spend()?;
        self.cursor.seek(spot.offset);
        read_line(&mut self.cursor, spot.answers)
    }

    /// The line at this place, or the one that it refers to, over as many references as there are;
    /// nothing where the index has to come further.
    pub(crate) fn resolve(&mut self, spot: Spot) -> Result<Option<Resolved>, BookError> {
        let mut line = self.read(spot)?;
        let mut same_as = None;
        while let Stands::Same(k) = line.stands {
            let from = line.spot.offset;
            match self.label(k)? {
                // Labels stand before what refers to them, so this comes to an end.
                Some((offset, answers)) if offset < from => {
                    same_as = same_as.or(Some(k));
                    line = self.read(Spot { offset, answers })?;
                }
                None if from >= self.index.offset && !self.index.ended() => return Ok(None),
                _ => {
                    let problem = format!("there is no claim #{k} before this line");
                    return Err(BookError::at(from, problem));
                }
            }
        }
        Ok(Some(Resolved { line, same_as }))
    }

    /// The block of a line; nothing where the index has to come further, or where the block is damaged.
    /// Claims are counted only where they are wanted.
    pub(crate) fn block(&mut self, spot: Spot, count: bool) -> Result<Option<Block>, BookError> {
        let Spot { offset: mut at, mut answers } = spot;
        let (mut claims, mut lines) = (0u64, 0);
        // How many blocks each line waits for whose block is open.
        let mut left = vec![1u64];
        while let Some(last) = left.last_mut() {
            if *last == 0 {
                left.pop();
                continue;
            }
            self.spend()?;
            if let Some(end) = self.index.block_end(at) {
                if count {
                    let [from, to] = [self.line_number(at)?, self.line_number(end)?];
                    let (Some(from), Some(to)) = (from, to) else { return Ok(None) };
                    claims += to.saturating_sub(from);
                }
                (at, answers) = (end, true);
                *last -= 1;
                continue;
            }
            lines += 1;
            if lines > MOST_LINES {
                return Ok(None);
            }
            self.cursor.seek(at);
            // Damage further below must not hide what stands above it.
            let line = match self.cursor.line() {
                Err(BookError::Unreadable(e)) => return Err(BookError::Unreadable(e)),
                Err(_) | Ok(None) => return Ok(None),
                Ok(Some((_, line))) => line,
            };
            let Ok(read) = line::read(line, answers) else { return Ok(None) };
            claims += 1;
            match read.says {
                Says::Plays(_) => {}
                Says::Replies(count) => {
                    *last -= 1;
                    left.push(count);
                }
                Says::Over | Says::Same(_) | Says::Known(_) => *last -= 1,
                Says::Others(_) => *last = 0,
            }
            answers = !matches!(read.says, Says::Plays(_));
            at = self.cursor.offset();
        }
        Ok(Some(Block { end: at, claims }))
    }
}

/// Reads the next line.
pub(crate) fn read_line(cursor: &mut Cursor<'_>, answers: bool) -> Result<Line, BookError> {
    let at = cursor.offset();
    let (offset, bytes) = cursor.line()?.ok_or_else(|| BookError::at(at, TRUNCATED))?;
    let text = std::str::from_utf8(bytes)
        .map_err(|_| BookError::at(offset, "the line is not UTF-8 text"))?;
    let read = line::read(bytes, answers).map_err(|e| BookError::at(offset, e))?;
    // All of the line is text, so are its parts.
    let part = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let stands = match read.says {
        Says::Over => Stands::Over,
        Says::Plays(played) => Stands::Plays(part(played)),
        Says::Replies(count) => Stands::Replies(count),
        Says::Same(k) => Stands::Same(k),
        Says::Known(words) => {
            let words = part(words);
            let (rule, reason) = words.split_once(' ').unwrap_or((&words, ""));
            Stands::Known { rule: rule.to_owned(), reason: reason.to_owned() }
        }
        Says::Others(words) => Stands::Others(part(words)),
    };
    Ok(Line {
        spot: Spot { offset, answers },
        next: offset + bytes.len() as u64 + 1,
        by: read.by.map(part).unwrap_or_default(),
        text: text.to_owned(),
        label: read.label,
        stands,
    })
}

/// A line as one wants to see it: not too long.
pub(crate) fn cut(text: &str) -> String {
    const MOST: usize = 500;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}

/// The error for a move that can't be played.
pub(crate) fn no_move(word: &str, over: bool) -> BookError {
    let word = shown(word);
    BookError::Input(match over {
        true => format!("the game is over, `{word}` can't be played"),
        false => format!("`{word}` is not a legal move here"),
    })
}
