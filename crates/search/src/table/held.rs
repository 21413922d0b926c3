//! The table that a search holds: its own, or one that it shares with other threads.

use std::io;

use super::Table;
use super::shared::Handle;
use crate::saved::{Reader, Writer};

/// A table of one's own or a shared one. Which of them is asked at every access: a branch that always
/// goes the same way costs nothing, and searches need not be compiled twice.
pub(crate) enum Held<'t, K, V, Q = ()> {
    /// Nobody else sees it.
    Own(Table<K, V, Q>),
    /// Other threads have handles on it, too.
    Shared(Handle<'t, K, V, Q>),
}

impl<K, V, Q> Held<'_, K, V, Q>
where
    K: Clone + Eq + std::hash::Hash,
    V: Copy,
    Q: Copy + Eq + std::hash::Hash,
{
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Held::Own(table) => table.bytes(),
            Held::Shared(table) => table.bytes(),
        }
    }

    /// The place where a position is looked for. It is good until the table grows, or rests.
    #[inline]
    pub(crate) fn place_of(&self, key: &K, about: Q) -> usize {
        match self {
            Held::Own(table) => table.place_of(key, about),
            Held::Shared(table) => table.place_of(key, about),
        }
    }

    /// Sends for places in memory. Nothing waits for them, so that all are on their way at once.
    #[inline]
    pub(crate) fn fetch(&self, places: impl Iterator<Item = usize>) {
        match self {
            Held::Own(table) => places.for_each(|place| table.fetch(place)),
            Held::Shared(table) => places.for_each(|place| table.fetch(place)),
        }
    }

    #[inline]
    pub(crate) fn get(&self, key: &K, about: Q) -> Option<V> {
        match self {
            Held::Own(table) => table.get(key, about),
            Held::Shared(table) => table.get(key, about),
        }
    }

    /// The same for a position whose place is known.
    #[inline]
    pub(crate) fn get_at(&self, place: usize, key: &K, about: Q) -> Option<V> {
        match self {
            Held::Own(table) => table.get_at(place, key, about),
            Held::Shared(table) => table.get_at(place, key, about),
        }
    }

    /// Puts an entry in. Only a table of one's own grows by that, if it is crowded.
    #[inline]
    pub(crate) fn put(&mut self, key: K, about: Q, value: V, work: u64) {
        match self {
            Held::Own(table) => table.put(key, about, value, work),
            Held::Shared(table) => table.put(key, about, value, work),
        }
    }

    /// Whether it is to be made larger, by this thread.
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        match self {
            Held::Own(table) => table.is_crowded(),
            Held::Shared(table) => table.is_crowded(),
        }
    }

    /// Makes it twice as large. Millions of entries take seconds: `goes_on` is asked now and then,
    /// and if the search is to end, entries may be lost.
    #[cold]
    pub(crate) fn grow(&mut self, goes_on: &mut dyn FnMut() -> bool) {
        match self {
            Held::Own(table) => table.grow(goes_on),
            Held::Shared(table) => table.grow(goes_on),
        }
    }

    /// Whether nobody else sees it.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self, Held::Own(_))
    }

    /// Writes the table down; `store` writes what an entry holds.
    pub(crate) fn save(
        &self,
        out: &mut Writer<'_>,
        store: impl Fn(&K, &V, Q, &mut Vec<u8>),
    ) -> io::Result<()> {
        match self {
            Held::Own(table) => table.save(out, store),
            Held::Shared(table) => table.save(out, store),
        }
    }

    /// Reads a table back in the place of this one. Nothing if it is damaged.
    pub(crate) fn restore(
        &mut self,
        from: &mut Reader<'_>,
        restore: impl Fn(&mut &[u8]) -> Option<(K, V, Q)>,
    ) -> Option<()> {
        match self {
            Held::Own(table) => table.restore(from, restore),
            Held::Shared(table) => table.restore(from, restore),
        }
    }

    /// Lets another thread make a shared table larger. To be called wherever a search looks around.
    #[inline]
    pub(crate) fn rest(&mut self) {
        if let Held::Shared(table) = self {
            table.rest();
        }
    }

    /// Does something that waits for other threads. A shared table may grow meanwhile.
    pub(crate) fn away<R>(&mut self, work: impl FnOnce() -> R) -> R {
        match self {
            Held::Own(_) => work(),
            Held::Shared(table) => table.away(work),
        }
    }
}
