//! A depth first search with a table, written down and read back.
//!
//! It may be asked many questions one after the other. The answers so far are written down, too: who goes
//! on asks again from the beginning, and is told them without a search.

use std::io;

use foregone_model::Space;
use foregone_model::stored::Stored;

use super::{Bounds, Entry, Frame, Search, Stamp};
use crate::report::Counts;
use crate::saved::{Reader, Writer, get_steps, put_steps};

foregone_model::stored!(Bounds(low, high));

impl<Sp: Space, W: Stamp> Search<'_, Sp, W> {
    fn store_step(&self, step: Option<Sp::Step>, bytes: &mut Vec<u8>) {
        step.is_some().store(bytes);
        if let Some(step) = step {
            self.space.store_step(step, bytes);
        }
    }

    fn store_entry(&self, entry: &Entry<Sp::Step, W>, bytes: &mut Vec<u8>) {
        entry.bounds.store(bytes);
        entry.stamp.store(bytes);
        self.store_step(entry.best, bytes);
    }

    /// Writes the search down. It can't between two questions.
    pub(super) fn save_to(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        if !self.space.stores() || (self.over.is_none() && self.path.is_empty()) {
            return Ok(false);
        }
        out.put(&self.over)?;
        out.put(&self.counts_of_all())?;
        out.put(&(self.facts, self.depth))?;
        out.put(&self.answers.len())?;
        self.answers.iter().try_for_each(|answer| out.put(answer))?;
        self.history.iter().flatten().try_for_each(|score| out.put(score))?;
        self.table.save(out, |key, entry, (), bytes| {
            self.space.store_packed(key, bytes);
            self.store_entry(entry, bytes);
        })?;
        out.put(&self.killers.len())?;
        for pair in &self.killers {
            let bytes = out.room()?;
            pair.iter().for_each(|&step| self.store_step(step, bytes));
        }
        // Threads that search together begin at the root again: what they found out is in the table.
        if self.over.is_some() || !self.table.is_own() {
            return Ok(true);
        }
        put_steps(out, self.space, &self.steps)?;
        out.put(&self.path.len())?;
        for frame in &self.path {
            let bytes = out.room()?;
            self.space.store_state(&frame.state, bytes);
            (frame.side, frame.window, frame.left, frame.value).store(bytes);
            self.store_step(frame.best, bytes);
            (frame.first, frame.current, frame.rests_on).store(bytes);
            (frame.depth, frame.work, frame.known.is_some()).store(bytes);
            if let Some(entry) = &frame.known {
                self.store_entry(entry, bytes);
            }
        }
        Ok(true)
    }

    /// Goes on from what was written down. Nothing if that is damaged.
    pub(super) fn restore_from(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let space = self.space;
        let step = |bytes: &mut &[u8]| match bool::restore(bytes)? {
            true => space.restore_step(bytes).map(Some),
            false => Some(None),
        };
        let entry = |bytes: &mut &[u8]| {
            let (bounds, stamp) = Stored::restore(bytes)?;
            Some(Entry { bounds, stamp, best: step(bytes)? })
        };
        self.over = from.get::<Option<Counts>>()?;
        self.counts = from.get()?;
        (self.facts, self.depth) = from.get()?;
        self.answers.clear();
        for _ in 0..from.get::<usize>()? {
            self.answers.push(from.get()?);
        }
        self.told = 0;
        for score in self.history.iter_mut().flatten() {
            *score = from.get()?;
        }
        self.table.restore(from, |bytes| {
            let key = space.restore_packed(bytes)?;
            Some((key, entry(bytes)?, ()))
        })?;
        self.killers.clear();
        for _ in 0..from.get::<usize>()? {
            self.killers.push([from.next(step)?, from.next(step)?]);
        }
        if self.over.is_some() || !self.table.is_own() {
            return Some(());
        }
        self.steps = get_steps(from, self.space)?;
        let length = from.count(self.steps.len())?;
        self.path.clear();
        for _ in 0..length {
            let state = from.next(|bytes| space.restore_state(bytes))?;
            let (side, window, left, value) = from.get()?;
            let best = from.next(step)?;
            let (first, current, rests_on) = from.get::<(usize, usize, [u32; 2])>()?;
            let (depth, work, known) = from.get::<(u16, u64, bool)>()?;
            let known = if known { Some(from.next(entry)?) } else { None };
            if first > current || current >= self.steps.len() || work > self.counts.nodes {
                return None;
            }
            let packed = space.pack(&state);
            self.path.push(Frame {
                state,
                packed,
                side,
                window,
                left,
                value,
                best,
                first,
                current,
                rests_on,
                depth,
                work,
                known,
            });
        }
        self.goes_on = true;
        (length > 0).then_some(())
    }
}
