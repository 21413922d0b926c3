//! Which block of a file is what.

use crate::codec;
use crate::error::Part;
use crate::header::Header;
use crate::texts;

/// The order of the blocks of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    planes: u64,
    size: u64,
    /// How many blocks of cells a plane has.
    of_plane: u64,
    /// How many blocks of texts there are; nothing without texts.
    of_texts: Option<u64>,
}

impl Layout {
    /// The blocks of a table with such a header.
    pub(crate) fn of(header: &Header) -> Layout {
        Layout {
            planes: header.planes.len() as u64,
            size: header.size,
            of_plane: header.size.div_ceil(codec::BLOCK as u64),
            of_texts: header.texts.then(|| header.size.div_ceil(texts::BLOCK as u64)),
        }
    }

    /// How many blocks there are, if that is a number.
    pub(crate) fn count(self) -> Option<u64> {
        let of_texts = self.of_texts.map_or(0, |blocks| blocks + 1);
        (self.of_plane + 1).checked_mul(self.planes)?.checked_add(of_texts)
    }

    /// The model of a plane.
    pub(crate) fn model(self, plane: usize) -> usize {
        (plane as u64 * (self.of_plane + 1)) as usize
    }

    /// A block of cells of a plane.
    pub(crate) fn cells(self, plane: usize, block: u64) -> usize {
        self.model(plane) + 1 + block as usize
    }

    /// How many cells a block has.
    pub(crate) fn size(self, block: u64) -> usize {
        (self.size - block * codec::BLOCK as u64).min(codec::BLOCK as u64) as usize
    }

    /// A block of texts.
    pub(crate) fn texts(self, block: u64) -> usize {
        self.model(self.planes as usize) + block as usize
    }

    /// How many texts a block has.
    pub(crate) fn texts_size(self, block: u64) -> usize {
        (self.size - block * texts::BLOCK as u64).min(texts::BLOCK as u64) as usize
    }

    /// The first texts of blocks, and how many there are.
    pub(crate) fn heads(self) -> Option<(usize, usize)> {
        let blocks = self.of_texts?;
        Some((self.texts(blocks), blocks as usize))
    }

    /// What a block is.
    pub(crate) fn part(self, number: usize) -> Part {
        let number = number as u64;
        let plane = number / (self.of_plane + 1);
        if plane >= self.planes {
            let block = number - self.planes * (self.of_plane + 1);
            let last = self.of_texts.is_none_or(|blocks| block >= blocks);
            return if last { Part::Heads } else { Part::Texts { block } };
        }
        let plane = plane as usize;
        match (number % (self.of_plane + 1)).checked_sub(1) {
            None => Part::Model { plane },
            Some(block) => {
                let first = block * codec::BLOCK as u64;
                let last = first + self.size(block) as u64 - 1;
                Part::Block { plane, block, first, last }
            }
        }
    }
}
