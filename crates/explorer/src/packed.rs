//! Places in a file, five bytes each: a file has less than 2^40 bytes.

/// The largest number that fits.
pub(crate) const MOST: u64 = (1 << 40) - 1;

/// A list of numbers below 2^40.
#[derive(Default)]
pub(crate) struct Packed(Vec<[u8; 5]>);

impl Packed {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn push(&mut self, value: u64) {
        self.0.push(pack(value));
    }

    pub(crate) fn pop(&mut self) {
        self.0.pop();
    }

    pub(crate) fn set(&mut self, at: usize, value: u64) {
        if let Some(place) = self.0.get_mut(at) {
            *place = pack(value);
        }
    }

    pub(crate) fn get(&self, at: usize) -> Option<u64> {
        self.0.get(at).map(unpack)
    }

    /// Where a number stands in a list that rises.
    pub(crate) fn find(&self, value: u64) -> Option<usize> {
        self.0.binary_search_by_key(&value, unpack).ok()
    }

    pub(crate) fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity() * 5
    }
}

fn pack(value: u64) -> [u8; 5] {
    let [a, b, c, d, e, ..] = value.min(MOST).to_le_bytes();
    [a, b, c, d, e]
}

fn unpack(&[a, b, c, d, e]: &[u8; 5]) -> u64 {
    u64::from_le_bytes([a, b, c, d, e, 0, 0, 0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_they_were() {
        let mut list = Packed::default();
        for value in [0, 255, 256, MOST - 1, MOST, u64::MAX] {
            list.push(value);
        }
        let all: Vec<_> = (0..list.len()).filter_map(|at| list.get(at)).collect();
        assert_eq!(all, [0, 255, 256, MOST - 1, MOST, MOST]);
        list.pop();
        list.set(4, 1 << 39);
        assert_eq!((list.get(4), list.find(256), list.find(7)), (Some(1 << 39), Some(2), None));
    }
}
