//! Lists that grow without being moved.
//!
//! A list that doubles its room stands in memory twice while it is moved. Where a search is to keep
//! to a number of bytes that is too much: these lists grow by chunks.

/// A list of rows of values, all of the same width.
pub(crate) struct Chunks<T> {
    chunks: Vec<Vec<T>>,
    width: usize,
    length: usize,
}

/// The logarithm of the number of rows of a chunk.
const BITS: usize = 14;
const ROWS: usize = 1 << BITS;

impl<T> Chunks<T> {
    pub(crate) fn new() -> Chunks<T> {
        Chunks::of_width(1)
    }

    pub(crate) fn of_width(width: usize) -> Chunks<T> {
        Chunks { chunks: vec![Vec::new()], width, length: 0 }
    }

    /// How many rows there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Adds a row of one value.
    #[inline]
    pub(crate) fn push(&mut self, value: T) {
        self.begin_row().push(value);
        debug_assert_eq!(self.width, 1, "the row has its width");
    }

    /// Adds a row; it must have the width of the list.
    #[inline]
    pub(crate) fn push_row(&mut self, row: impl IntoIterator<Item = T>) {
        let width = self.width;
        let chunk = self.begin_row();
        for value in row {
            chunk.push(value);
        }
        debug_assert_eq!(chunk.len() % width, 0, "the row has its width");
    }

    /// The chunk that the next row goes to.
    #[inline]
    fn begin_row(&mut self) -> &mut Vec<T> {
        // The first chunk grows as it is needed: most searches are small.
        if self.length & (ROWS - 1) == 0 && self.length > 0 {
            self.add_chunk();
        }
        self.length += 1;
        let last = self.chunks.len() - 1;
        &mut self.chunks[last]
    }

    #[cold]
    fn add_chunk(&mut self) {
        self.chunks.push(Vec::with_capacity(ROWS * self.width));
    }

    /// One value of a row.
    #[inline]
    pub(crate) fn at(&self, row: u32, column: usize) -> &T {
        let row = row as usize;
        &self.chunks[row >> BITS][(row & (ROWS - 1)) * self.width + column]
    }

    #[inline]
    pub(crate) fn row(&self, at: u32) -> &[T] {
        let at = at as usize;
        &self.chunks[at >> BITS][(at & (ROWS - 1)) * self.width..][..self.width]
    }

    #[inline]
    pub(crate) fn row_mut(&mut self, at: u32) -> &mut [T] {
        let at = at as usize;
        &mut self.chunks[at >> BITS][(at & (ROWS - 1)) * self.width..][..self.width]
    }

    /// All values, in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flatten()
    }

    /// The bytes of the values.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.length * self.width * size_of::<T>()
    }
}

/// For lists of width 1.
impl<T> std::ops::Index<u32> for Chunks<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: u32) -> &T {
        let at = at as usize;
        &self.chunks[at >> BITS][at & (ROWS - 1)]
    }
}

impl<T> std::ops::IndexMut<u32> for Chunks<T> {
    #[inline]
    fn index_mut(&mut self, at: u32) -> &mut T {
        let at = at as usize;
        &mut self.chunks[at >> BITS][at & (ROWS - 1)]
    }
}

/// Lists of different lengths, each of which stands in one piece.
pub(crate) struct Runs<T> {
    chunks: Vec<Vec<T>>,
    /// How many values there are.
    length: usize,
}

impl<T: Copy> Runs<T> {
    pub(crate) fn new() -> Runs<T> {
        Runs { chunks: vec![Vec::new()], length: 0 }
    }

    /// No place is above this one after a run was added.
    #[inline]
    pub(crate) fn next_end(&self) -> u64 {
        ((self.chunks.len() + 1) * ROWS) as u64
    }

    /// Adds a run. The place where it begins.
    #[inline]
    pub(crate) fn push(&mut self, run: &[T]) -> u32 {
        // What is left of a chunk is not used where the run does not fit in. One that fits into
        // none has a chunk of its own.
        if self.chunks[self.chunks.len() - 1].len() + run.len() >= ROWS {
            self.chunks.push(Vec::with_capacity(run.len().max(ROWS)));
        }
        let last = self.chunks.len() - 1;
        let place = last << BITS | self.chunks[last].len();
        self.chunks[last].extend_from_slice(run);
        self.length += run.len();
        place as u32
    }

    /// The run of this length that begins at this place.
    #[inline]
    pub(crate) fn get(&self, place: u32, length: usize) -> &[T] {
        let place = place as usize;
        &self.chunks[place >> BITS][place & (ROWS - 1)..][..length]
    }

    /// The pieces in which they stand.
    pub(crate) fn pieces(&self) -> &[Vec<T>] {
        &self.chunks
    }

    /// Adds to the last piece, or begins another one: how pieces are read back, the first being there.
    pub(crate) fn add(&mut self, value: Option<T>) {
        match value {
            Some(value) => {
                self.length += 1;
                let last = self.chunks.len() - 1;
                self.chunks[last].push(value);
            }
            None => self.chunks.push(Vec::with_capacity(ROWS)),
        }
    }

    /// The run of this length that begins at this place, if there is one.
    pub(crate) fn find(&self, place: u32, length: usize) -> Option<&[T]> {
        let place = place as usize;
        self.chunks.get(place >> BITS)?.get(place & (ROWS - 1)..)?.get(..length)
    }

    /// The bytes of the values.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.length * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_where_they_were_put_and_chunks_are_not_moved() {
        let mut list = Chunks::of_width(3);
        let n = ROWS as u32 * 3 + 5;
        let mut chunk = None;
        for i in 0..n {
            list.push_row([i, i + 1, i + 2]);
            if i == ROWS as u32 {
                chunk = Some(list.row(i).as_ptr());
            }
        }
        assert_eq!(chunk, Some(list.row(ROWS as u32).as_ptr()));
        list.row_mut(7)[1] = 99;
        assert!((0..n).all(|i| list.row(i) == [i, if i == 7 { 99 } else { i + 1 }, i + 2]));
        assert_eq!((list.len(), list.bytes()), (n as usize, n as usize * 12));
        assert_eq!(list.iter().count(), n as usize * 3);
    }
    #[test]
    fn runs_are_found_whole_however_long_they_are() {
        for first in [1, ROWS - 1, ROWS, ROWS + 1] {
            let mut runs = Runs::new();
            let lengths = [first, 3, 0, ROWS - 4, 0, 9, 2 * ROWS + 1, 0, 7, ROWS, ROWS - 1, 2, 4];
            let mut places = Vec::new();
            for (i, &length) in lengths.iter().enumerate() {
                let run: Vec<usize> = (0..length).map(|at| i * 1_000_000 + at).collect();
                let end = runs.next_end();
                let place = runs.push(&run);
                assert!(u64::from(place) < end);
                assert_eq!(runs.get(place, length), run);
                places.push((place, run));
            }
            assert!(places.iter().all(|(place, run)| runs.get(*place, run.len()) == run));
            assert_eq!(runs.bytes(), lengths.iter().sum::<usize>() * size_of::<usize>());
        }
    }
}
