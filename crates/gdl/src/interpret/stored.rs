//! Stored relations: rows of ground terms, found by any of their columns (the join indexes of every
//! database; made when first asked for).

use rustc_hash::FxHashMap;

/// Rows of a relation that are stored, found by any of their columns.
#[derive(Debug, Default)]
pub(crate) struct Stored {
    width: usize,
    pub(crate) count: usize,
    rows: Vec<u32>,
    /// For some sets of columns, the rows by their values there.
    pub(crate) indexes: Vec<Index>,
}

#[derive(Debug)]
pub(crate) struct Index {
    columns: u64,
    pub(crate) buckets: FxHashMap<Box<[u32]>, usize>,
    pub(crate) rows: Vec<Vec<u32>>,
}

impl Stored {
    pub(crate) fn new(width: usize) -> Stored {
        Stored { width, ..Stored::default() }
    }

    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = u32>) {
        self.rows.extend(row);
        self.count += 1;
        // The rows come first and the questions later; an index that is there is out of date.
        self.indexes.clear();
    }

    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.indexes.clear();
        self.count = 0;
    }

    pub(crate) fn row(&self, n: usize) -> &[u32] {
        &self.rows[n * self.width..(n + 1) * self.width]
    }

    /// The index on these columns; made when first asked for.
    pub(crate) fn index(&mut self, columns: u64) -> usize {
        if let Some(found) = self.indexes.iter().position(|i| i.columns == columns) {
            return found;
        }
        let mut index = Index { columns, buckets: FxHashMap::default(), rows: Vec::new() };
        for n in 0..self.count {
            let key: Box<[u32]> = picked(self.row(n), columns).collect();
            let next = index.rows.len();
            let bucket = *index.buckets.entry(key).or_insert(next);
            if bucket == next {
                index.rows.push(Vec::new());
            }
            index.rows[bucket].push(n as u32);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }
}

fn picked(row: &[u32], columns: u64) -> impl Iterator<Item = u32> {
    row.iter().take(64).enumerate().filter(move |(n, _)| columns >> n & 1 == 1).map(|(_, &v)| v)
}
