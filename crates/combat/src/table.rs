//! What a search remembers of states that it has met (section 5.4.4).
//!
//! A fixed number of entries, allocated once and kept from one decision to the next. An entry is
//! found by a hash of 64 bits that is not verified: two states that share one, which no battle of
//! a few million nodes is likely to see, would spoil an estimate, never a proof. A move from the
//! table is only a suggestion and is tested for legality before it is played.

use crate::state::Move;

/// What the value in an entry says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is this or more.
    Least,
    /// The value is this or less.
    Most,
}

/// What is remembered of a state.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    key: u64,
    /// The value found.
    pub value: i32,
    /// How deep the search was.
    pub depth: u8,
    /// What the value means.
    pub bound: Bound,
    /// The best move of the side that chooses.
    pub best: Move,
}

/// The table.
#[derive(Clone, Debug)]
pub struct Table {
    entries: Vec<Option<Entry>>,
    /// Mixed into every key: changing it invalidates all entries without touching them.
    salt: u64,
}

impl Table {
    /// A table for this many states.
    pub fn new(entries: usize) -> Table {
        Table { entries: vec![None; entries], salt: 0 }
    }

    /// Forgets everything. What was stored before has no influence on what comes after.
    pub fn forget(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    /// The place of a key: the upper half of a product, so that any size will do.
    #[inline]
    fn place(&self, key: u64) -> Option<usize> {
        let n = self.entries.len();
        (n > 0).then(|| ((u128::from(key) * n as u128) >> 64) as usize)
    }

    /// What is known of a state with this hash.
    #[inline]
    pub fn find(&self, hash: u64) -> Option<&Entry> {
        let key = hash ^ self.salt;
        self.entries[self.place(key)?].as_ref().filter(|e| e.key == key)
    }

    /// Remembers a state. The newer one stays: it is nearer to what is searched now.
    #[inline]
    pub fn store(&mut self, hash: u64, value: i32, depth: u32, bound: Bound, best: Move) {
        let key = hash ^ self.salt;
        if let Some(place) = self.place(key) {
            self.entries[place] = Some(Entry { key, value, depth: depth as u8, bound, best });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Table};
    use crate::state::{Action, MAX_UNITS};

    #[test]
    fn remembers_and_forgets() {
        let best = [Action::Wait; MAX_UNITS];
        let mut table = Table::new(8);
        assert!(table.find(5).is_none());
        table.store(5, -7, 3, Bound::Least, best);
        let entry = table.find(5).expect("stored");
        assert_eq!(
            (entry.value, entry.depth, entry.bound, entry.best),
            (-7, 3, Bound::Least, best)
        );
        table.forget();
        assert!(table.find(5).is_none());
        let mut none = Table::new(0);
        none.store(5, 0, 1, Bound::Exact, best);
        assert!(none.find(5).is_none());
    }
}
