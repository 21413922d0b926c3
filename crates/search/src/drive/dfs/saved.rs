//! A depth first search written down and read back: its path, and the lines of the proof so far.

use std::io;

use foregone_model::{Line, Look, Space};

use super::{Frame, Search};
use crate::saved::{Reader, Writer, get_lines, get_steps, put_lines, put_steps};

impl<Sp: Space> Search<'_, Sp> {
    /// Writes the search down. It can't before the first choice is there.
    pub(super) fn save_to(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        if !self.space.stores() || self.path.is_empty() {
            return Ok(false);
        }
        out.put(&self.counts)?;
        out.put(&self.skipped)?;
        put_steps(out, self.space, &self.steps)?;
        put_lines(out, self.space, &self.lines)?;
        out.put(&self.path.len())?;
        for frame in &self.path {
            out.put(&(frame.first, frame.current))?;
            out.put(&(frame.line, frame.child_line, frame.skipped))?;
        }
        Ok(true)
    }

    /// Goes on from what was written down. Nothing if that is damaged.
    pub(super) fn restore_from(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.counts = from.get()?;
        self.skipped = from.get()?;
        self.steps = get_steps(from, self.space)?;
        self.lines = get_lines(from, self.space)?;
        let ahead = |(at, line): (usize, &Line<Sp::Step>)| match line {
            Line::Same(to) => *to as usize > at && *to as usize <= self.lines.len(),
            _ => true,
        };
        if !self.lines.iter().enumerate().all(ahead) {
            return None;
        }
        let length = from.count(self.steps.len())?;
        let mut state = self.space.root();
        self.path.clear();
        for place in 0..length {
            let (first, current) = from.get::<(usize, usize)>()?;
            let (line, child_line, skipped) = from.get::<(usize, usize, [usize; 2])>()?;
            let looked = match place {
                0 => self.space.look_at_root(&state),
                _ => self.space.look(&state),
            };
            let Look::Choice(side) = looked else { return None };
            let mut legal = Vec::new();
            self.space.steps(&state, side, &mut legal);
            let end = first.checked_add(legal.len())?;
            let own = self.steps.get(first..end)?;
            let fits = own == legal
                && (first..end).contains(&current)
                && line < child_line
                && child_line <= self.lines.len()
                && skipped.iter().all(|&n| n <= self.skipped)
                && skipped[0] <= skipped[1]
                && skipped[1] - skipped[0] <= child_line - line;
            if !fits {
                return None;
            }
            let here = state.clone();
            self.space.take(&mut state, side, self.steps[current]);
            self.path.push(Frame { state: here, side, first, current, line, child_line, skipped });
        }
        (length > 0).then_some(())
    }
}
