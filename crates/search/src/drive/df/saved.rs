//! A search with thresholds written down and read back: its table, and the path with the values
//! beside it. While a proof is made the path is that of a search which begins anew.

use std::io;

use foregone_model::stored::Stored;
use foregone_model::{Look, Space};

use super::{Child, Entry, Frame, Search};
use crate::report::{Counts, StopReason};
use crate::saved::{Reader, Writer};
use crate::scheme::Thresholds;

impl<Sp: Space, S: Thresholds> Search<'_, Sp, S> {
    /// Writes the search down. It can't between two questions.
    pub(super) fn save_to(&self, out: &mut Writer<'_>) -> io::Result<bool> {
        // Of threads that search together the outer tree is written, and their table.
        let under_way = !self.path.is_empty() && self.table.is_own();
        if !self.space.stores() || (self.over.is_none() && !under_way) {
            return Ok(false);
        }
        out.put(&self.over)?;
        out.put(&self.counts)?;
        out.put(&(self.question, self.facts, self.root))?;
        out.put(&self.values)?;
        out.put(&self.left)?;
        self.leaves.save(out)?;
        self.save_table(out)?;
        if self.over.is_some() {
            return Ok(true);
        }
        out.put(&self.children.len())?;
        for child in &self.children {
            let bytes = out.room()?;
            self.space.store_step(child.step, bytes);
            (child.value, child.rests_on).store(bytes);
        }
        out.put(&self.path.len())?;
        for frame in &self.path {
            out.put(&(frame.first, frame.current, frame.bounds, frame.work))?;
        }
        Ok(true)
    }

    /// Goes on from what was written down. Nothing if that is damaged.
    pub(super) fn restore_from(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let over = from.get()?;
        self.restore_rest(over, from)
    }

    /// Writes the table down.
    pub(super) fn save_table(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.table.save(out, |key, entry, question, bytes| {
            self.space.store_packed(key, bytes);
            (entry.value, entry.when, question).store(bytes);
        })
    }

    /// Reads the table back. Nothing if it is damaged.
    pub(super) fn restore_table(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let space = self.space;
        self.table.restore(from, |bytes| {
            let key = space.restore_packed(bytes)?;
            let (value, when, question) = Stored::restore(bytes)?;
            Some((key, Entry { value, when }, question))
        })
    }

    /// The same as [`Search::restore_from`] once it is known whether the search was over.
    pub(super) fn restore_rest(
        &mut self,
        over: Option<(StopReason, Counts)>,
        from: &mut Reader<'_>,
    ) -> Option<()> {
        self.over = over;
        self.counts = from.get()?;
        (self.question, self.facts, self.root) = from.get()?;
        let questions = usize::from(self.space.best().0);
        self.values = from.get()?;
        self.left = from.get()?;
        let fits = self.values.len() == questions
            && self.left.len() == questions
            && usize::from(self.question) < questions;
        if !fits {
            return None;
        }
        self.leaves.restore(from)?;
        self.restore_table(from)?;
        if self.over.is_some() {
            return Some(());
        }
        self.children.clear();
        for _ in 0..from.get::<usize>()? {
            let step = from.next(|bytes| self.space.restore_step(bytes))?;
            let (value, rests_on) = from.get()?;
            self.children.push(Child { step, value, rests_on });
        }
        self.restore_path(from)
    }

    /// The path, whose states are found by playing its steps.
    fn restore_path(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let length = from.count(self.children.len())?;
        let mut state = self.space.root();
        self.path.clear();
        for place in 0..length {
            let (first, current, bounds, work) = from.get::<(usize, usize, S::Bounds, u64)>()?;
            let looked = match place {
                0 => self.space.look_at_root(&state),
                _ => self.look(&state),
            };
            let Look::Choice(side) = looked else { return None };
            let mut legal = Vec::new();
            super::list(self.space, &state, side, &mut legal);
            let end = first.checked_add(legal.len())?;
            let own = self.children.get(first..end)?;
            let fits = own.iter().map(|child| child.step).eq(legal.iter().copied())
                && (first..end).contains(&current)
                && work <= self.counts.nodes
                && (place + 1 < length || end == self.children.len());
            if !fits {
                return None;
            }
            let key = self.key(&state);
            let here = state.clone();
            self.space.take(&mut state, side, self.children[current].step);
            self.path.push(Frame { state: here, key, side, first, current, bounds, work });
        }
        (length > 0).then_some(())
    }
}
