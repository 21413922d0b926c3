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

    #[inline]
    pub(crate) fn push(&mut self, value: T) {
        self.push_row([value]);
    }

    /// Adds a row; it must have the width of the list.
    #[inline]
    pub(crate) fn push_row(&mut self, row: impl IntoIterator<Item = T>) {
        // The first chunk grows as it is needed: most searches are small.
        if self.length & (ROWS - 1) == 0 && self.length > 0 {
            self.chunks.push(Vec::with_capacity(ROWS * self.width));
        }
        let last = self.chunks.len() - 1;
        self.chunks[last].extend(row);
        self.length += 1;
        debug_assert_eq!(self.chunks[last].len() % self.width, 0, "the row has its width");
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
}
