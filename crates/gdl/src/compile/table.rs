//! A relation's facts: rows of term numbers, found whole or by some of their columns. No key is
//! ever allocated: a bucket is a chain of rows whose hashes are equal, and rows are compared.

use rustc_hash::FxHashMap;

const NONE: u32 = u32::MAX;

/// Rows by the values of some columns.
#[derive(Clone, Debug, Default)]
struct Index {
    columns: Vec<usize>,
    first: FxHashMap<u64, (u32, u32)>,
    next: Vec<u32>,
}

/// Facts of one relation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    width: usize,
    count: usize,
    rows: Vec<u32>,
    whole: FxHashMap<u64, u32>,
    /// The next row with the same hash.
    same: Vec<u32>,
    indexes: Vec<Index>,
}

fn hash(values: impl Iterator<Item = u32>) -> u64 {
    values.fold(0x9e37_79b9_7f4a_7c15, |h: u64, v| {
        (h.rotate_left(23) ^ u64::from(v)).wrapping_mul(0x2545_f491_4f6c_dd1d)
    })
}

impl Table {
    pub(crate) fn new(width: usize) -> Table {
        Table { width, ..Table::default() }
    }

    /// Sees to it that rows can be found by these columns. Before any row is there.
    pub(crate) fn index(&mut self, columns: &[usize]) -> usize {
        if let Some(found) = self.indexes.iter().position(|i| i.columns == columns) {
            return found;
        }
        self.indexes.push(Index { columns: columns.to_vec(), ..Index::default() });
        self.indexes.len() - 1
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn row(&self, n: usize) -> &[u32] {
        &self.rows[n * self.width..(n + 1) * self.width]
    }

    pub(crate) fn find(&self, row: &[u32]) -> Option<u32> {
        let mut at = *self.whole.get(&hash(row.iter().copied()))?;
        while at != NONE {
            if self.row(at as usize) == row {
                return Some(at);
            }
            at = self.same[at as usize];
        }
        None
    }

    /// Adds a row. Its number, and whether it is new.
    pub(crate) fn insert(&mut self, row: &[u32]) -> (u32, bool) {
        if let Some(found) = self.find(row) {
            return (found, false);
        }
        let number = self.count as u32;
        self.rows.extend_from_slice(row);
        self.count += 1;
        let before = self.whole.insert(hash(row.iter().copied()), number);
        self.same.push(before.unwrap_or(NONE));
        for index in &mut self.indexes {
            let key = hash(index.columns.iter().map(|&c| row[c]));
            index.next.push(NONE);
            let entry = index.first.entry(key).or_insert((number, number));
            // Rows come out in the order in which they came in.
            if entry.1 != number {
                index.next[entry.1 as usize] = number;
                entry.1 = number;
            }
        }
        (number, true)
    }

    /// The first row whose columns of an index have these values, if any; see [`Table::after`].
    pub(crate) fn first(&self, index: usize, key: &[u32]) -> Option<u32> {
        let i = &self.indexes[index];
        let at = i.first.get(&hash(key.iter().copied()))?.0;
        self.matching(index, key, at)
    }

    /// The next such row.
    pub(crate) fn after(&self, index: usize, key: &[u32], row: u32) -> Option<u32> {
        self.matching(index, key, self.indexes[index].next[row as usize])
    }

    fn matching(&self, index: usize, key: &[u32], mut at: u32) -> Option<u32> {
        let i = &self.indexes[index];
        while at != NONE {
            let row = self.row(at as usize);
            if i.columns.iter().zip(key).all(|(&c, &k)| row[c] == k) {
                return Some(at);
            }
            at = i.next[at as usize];
        }
        None
    }

    pub(crate) fn clear(&mut self) {
        self.count = 0;
        self.rows.clear();
        self.whole.clear();
        self.same.clear();
        for index in &mut self.indexes {
            index.first.clear();
            index.next.clear();
        }
    }
}
