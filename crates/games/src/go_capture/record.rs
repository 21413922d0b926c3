//! Positions out of game records.

use std::path::Path;

use foregone_model::number::counted;
use foregone_model::{Side, TextError};

use super::sgf::{self, What};
use super::{GoCapture, LARGEST, NOWHERE, State};
use crate::board::Word;
use crate::files::Loader;
use crate::stones::PLAYERS;

/// Files are not read beyond this; records are much smaller.
const LONGEST_FILE: u64 = 1 << 24;

/// The text of a file. Comments may be in any encoding, so what is not UTF-8 is replaced.
pub(super) fn read_file(loader: &dyn Loader, path: &str) -> std::io::Result<String> {
    let bytes = loader.read(Path::new(path), LONGEST_FILE)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl<W: Word> GoCapture<W> {
    /// A record in SGF, or `sgf:` and the file that holds one, then `@` and the target, then
    /// optionally `#` and the number of the move before which to stop.
    pub(super) fn read_record(&self, text: &str) -> Result<State<W>, TextError> {
        let Some((record, rest)) = text.rsplit_once('@') else {
            let message = "a game record is followed by `@` and the target, such as `@C4`";
            return Err(TextError::new(message, text.len()..text.len()));
        };
        let target_at = record.len() + 1..text.len();
        let (name, number) = match rest.split_once('#') {
            Some((name, number)) => (name, Some(number)),
            None => (rest, None),
        };
        let stop = match number.map(|n| n.trim().parse::<usize>()) {
            None => usize::MAX,
            Some(Ok(n)) if n > 0 => n - 1,
            Some(_) => {
                let message = "expected the number of the move before which to stop, from 1";
                return Err(TextError::new(message, target_at.start + name.len() + 1..text.len()));
            }
        };
        let (mut s, moves) = match record.strip_prefix("sgf:") {
            None => self.replay(record, stop)?,
            Some(path) => {
                // Places in the file are none in what was typed.
                let error =
                    |e: String| TextError::new(format!("{path}: {e}"), "sgf:".len()..record.len());
                let file = read_file(&*self.loader, path).map_err(|e| error(e.to_string()))?;
                self.replay(&file, stop).map_err(|e| error(e.message))?
            }
        };
        let Some(target) = self.gtp_point(name.trim()) else {
            let message = format!(
                "`{name}` is not a point of this board, expected one such as C4: a letter, without \
                 I, and a row counted from the bottom"
            );
            return Err(TextError::new(message, target_at.start..target_at.start + name.len()));
        };
        if stop != usize::MAX && moves < stop {
            let message = format!("the record has only {}", counted(moves as u64, "move"));
            return Err(TextError::new(message, target_at));
        }
        s.target = target;
        let there = match s.stones.map(|w| w.has(u32::from(target))) {
            [false, false] => "no stone",
            [true, _] if self.hunted == Side::Min => "a black stone",
            [_, true] if self.hunted == Side::Max => "a white stone",
            _ => return Ok(s),
        };
        let hunted = self.hunted.index();
        let message = format!(
            "there is {there} on the target, expected one of {}; {} hunts the other colour",
            PLAYERS[hunted],
            self.named(self.grid.rows, self.grid.cols, self.hunted.other())
        );
        Err(TextError::new(message, target_at))
    }

    /// The position before a move of a record's main line, without a target, and how many moves
    /// there were. All errors are about the record.
    fn replay(&self, record: &str, stop: usize) -> Result<(State<W>, usize), TextError> {
        let read = sgf::read(record)?;
        let (rows, cols) = read.size;
        if (rows, cols) != (self.grid.rows, self.grid.cols) {
            let mut message = format!("this record is for a {rows}x{cols} board");
            if rows.max(cols) <= LARGEST && rows.min(cols) >= 2 {
                message.push_str(": type ");
                message.push_str(&self.named(rows, cols, self.hunted));
            }
            return Err(TextError::new(message, read.size_at));
        }
        let mut s = State { stones: [W::ZERO; 2], turn: Side::Max, target: 0, ko: NOWHERE };
        let mut moves = 0;
        for step in &read.steps {
            if matches!(step.what, What::Move(..)) {
                if moves == stop {
                    break;
                }
                moves += 1;
            }
            self.follow(&mut s, step)?;
        }
        self.check(&s, |_| 0..record.len(), 0..record.len())?;
        Ok((s, moves))
    }

    fn follow(&self, s: &mut State<W>, step: &sgf::Step) -> Result<(), TextError> {
        let number = |(row, col): (u32, u32)| row * self.grid.cols + col;
        let error = |message: &str| Err(TextError::new(message, step.at.clone()));
        match step.what {
            What::Set(point, stone) => {
                let cell = W::bit(number(point));
                s.stones = s.stones.map(|w| w & !cell);
                if let Some(side) = stone {
                    s.stones[side.index()] = s.stones[side.index()] | cell;
                }
                s.ko = NOWHERE;
            }
            What::ToMove(side) => {
                if side != s.turn {
                    s.ko = NOWHERE;
                }
                s.turn = side;
            }
            What::Move(side, None) => {
                s.turn = side.other();
                s.ko = NOWHERE;
            }
            What::Move(side, Some(point)) => {
                let cell = number(point);
                let view = self.view(s, side);
                if !view.empty.has(cell) {
                    return error("this move of the record is on an occupied point");
                }
                if view.suicide(&self.grid, cell) && !view.captures(&self.grid, cell) {
                    return error("this move of the record is suicide");
                }
                self.place(s, side, cell);
            }
        }
        Ok(())
    }

    /// A point as Go programs name it: a letter without I, and a row counted from the bottom.
    pub(super) fn gtp_point(&self, text: &str) -> Option<u16> {
        let letter = text.chars().next()?.to_ascii_lowercase();
        let col = "abcdefghjklmnopqrstuvwxyz".find(letter)? as u32;
        let row = &text[letter.len_utf8()..];
        if !row.bytes().all(|b| b.is_ascii_digit()) || row.starts_with('0') {
            return None;
        }
        let row: u32 = row.parse().ok()?;
        let fits = col < self.grid.cols && (1..=self.grid.rows).contains(&row);
        fits.then(|| ((row - 1) * self.grid.cols + col) as u16)
    }
}
