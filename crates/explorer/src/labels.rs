//! Where the lines with labels stand, and the lines about positions.

use std::hash::{DefaultHasher, Hasher};

use rustc_hash::FxHashMap;

use crate::index::CHUNKS;

/// No line has this label.
const NONE: u16 = u16::MAX;
/// Labels whose numbers stand close together share a page. A page is made when one of them is given, so
/// that wild labels take no more than a page each.
const PAGE: u64 = 64;

/// The chunks of the lines with labels.
///
/// Labels are given in the order in which they are first referred to, so they do not rise along the
/// file, but nearly all numbers are used: pages by number are a small map.
#[derive(Default)]
pub(crate) struct Labels {
    pages: FxHashMap<u64, Box<[u16; PAGE as usize]>>,
    /// The places of lines that stand too far behind for a page.
    others: FxHashMap<u64, u64>,
}

impl Labels {
    #[inline]
    pub(crate) fn put(&mut self, label: u64, chunk: u64, offset: u64) -> Result<(), &'static str> {
        if self.get(label).is_some() {
            return Err(GIVEN);
        }
        if chunk > CHUNKS {
            self.others.insert(label, offset);
            return Ok(());
        }
        let page =
            self.pages.entry(label / PAGE).or_insert_with(|| Box::new([NONE; PAGE as usize]));
        page[(label % PAGE) as usize] = chunk as u16;
        Ok(())
    }

    fn listed(&self, label: u64) -> Option<usize> {
        let chunk = self.pages.get(&(label / PAGE))?[(label % PAGE) as usize];
        (chunk != NONE).then_some(usize::from(chunk))
    }

    /// The chunk of the line with a label, or its place.
    pub(crate) fn get(&self, label: u64) -> Option<Result<usize, u64>> {
        self.listed(label).map(Ok).or_else(|| self.others.get(&label).map(|&offset| Err(offset)))
    }

    pub(crate) fn shrink(&mut self) {
        self.pages.shrink_to_fit();
    }

    pub(crate) fn bytes(&self) -> usize {
        let pages = self.pages.len() * 2 * PAGE as usize + self.pages.capacity() * 17;
        pages + self.others.capacity() * 17
    }
}

const GIVEN: &str = "this label was given before";

/// A run of so many places is sorted.
const RUN: usize = 4096;

/// The chunks of the lines about positions, by a hash of the position. Sorted runs, each at least twice
/// as long as the next: eight bytes a line, whenever one looks.
#[derive(Default)]
pub(crate) struct Places {
    runs: Vec<Vec<(u32, u32)>>,
    /// What is not sorted so far.
    fresh: Vec<(u32, u32)>,
}

impl Places {
    pub(crate) fn put(&mut self, position: &[u8], chunk: u32) {
        self.fresh.push((hash(position), chunk));
        if self.fresh.len() >= RUN {
            let mut run = std::mem::take(&mut self.fresh);
            while let Some(mut before) = self.runs.pop_if(|before| before.len() < 2 * run.len()) {
                before.append(&mut run);
                run = before;
            }
            run.sort_unstable();
            self.runs.push(run);
        }
    }

    /// The chunks in which a line about this position may stand.
    pub(crate) fn chunks(&self, position: &[u8]) -> Vec<u32> {
        let wanted = hash(position);
        let mut found: Vec<u32> = Vec::new();
        for run in &self.runs {
            let from = run.partition_point(|&(hash, _)| hash < wanted);
            let same = run[from..].iter().take_while(|&&(hash, _)| hash == wanted);
            found.extend(same.map(|&(_, chunk)| chunk));
        }
        let fresh = self.fresh.iter().filter(|&&(hash, _)| hash == wanted);
        found.extend(fresh.map(|&(_, chunk)| chunk));
        found.sort_unstable();
        found.dedup();
        found
    }

    pub(crate) fn shrink(&mut self) {
        self.runs.iter_mut().for_each(Vec::shrink_to_fit);
        self.fresh.shrink_to_fit();
    }

    pub(crate) fn bytes(&self) -> usize {
        let runs: usize = self.runs.iter().map(Vec::capacity).sum();
        (runs + self.fresh.capacity()) * 8
    }
}

/// A hash for which nobody writes positions that all have the same.
fn hash(position: &[u8]) -> u32 {
    let mut hasher = DefaultHasher::new();
    hasher.write(position);
    hasher.finish() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_found_however_wild_they_are() {
        let mut labels = Labels::default();
        for (label, chunk, offset) in
            [(7, 3, 30), (0, 1, 10), (101, 4, 40), (u64::MAX, 5, 50), (9, CHUNKS + 1, 60)]
        {
            labels.put(label, chunk, offset).unwrap();
        }
        let found: Vec<_> = [7, 0, 101, u64::MAX, 9, 8].map(|label| labels.get(label)).into();
        let expected = [Some(Ok(3)), Some(Ok(1)), Some(Ok(4)), Some(Ok(5)), Some(Err(60)), None];
        assert_eq!(found, expected);
        for again in [7, 101, 9] {
            assert!(labels.put(again, 1, 70).is_err(), "{again}");
        }
        assert!(labels.bytes() < 4096, "wild labels take a page each and no more");
    }

    #[test]
    fn places_are_found_in_all_runs() {
        let mut places = Places::default();
        let text = |i: u32| format!("position {i}");
        for i in 0..29_000 {
            places.put(text(i).as_bytes(), i / 10);
        }
        assert!(places.runs.len() > 1 && !places.fresh.is_empty());
        for i in (0..29_000).step_by(7) {
            assert!(places.chunks(text(i).as_bytes()).contains(&(i / 10)), "{i}");
        }
        assert!(places.chunks(b"elsewhere").len() <= 1);
    }
}
