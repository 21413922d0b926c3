//! Table files, and arrays of cells mapped into memory. Nothing here knows of games or searches:
//! a table is a header of names and counts, one or more planes of cells (numbers of one or two
//! bytes), and perhaps a sorted list of texts.
//!
//! A build works on [`WorkFile`]s, writes a table ([`write()`]) when it is done, and a [`TableFile`] reads
//! it: cell by cell through compressed blocks, a plane at once, or unpacked into a [`WorkFile`].
//!
//! # The file
//!
//! ```text
//! foregone table 1        the name of the format and its version
//! game chess              more lines: see `Header`
//! …
//! crc32 0f1e2d3c          of all lines above
//! BLOCKS                  of each plane its model (see `codec`), then its cells, 4096 a block;
//!                         of the texts: blocks of 256, then the first text of each block
//! INDEX                   of each block its length and its CRC-32, four bytes each
//! END                     the SHA-256 of all above, the CRC-32 of index and SHA-256, and `the end\n`
//! ```
//!
//! Numbers are little-endian. Every byte is covered by a CRC-32, which finds any change of up to
//! 32 bits in a row and is checked at each access: no value is read from a damaged block, and the
//! other blocks can still be read. CRC-32 is many times faster than decompression. The SHA-256 is
//! the name of a table: other tables that were made from it name it so.

mod cells;
mod codec;
mod error;
mod header;
mod layout;
mod map;
mod parallel;
mod read;
mod source;
#[cfg(test)]
mod tests;
mod texts;
mod write;

pub use cells::{Cells, Loaded, Width};
pub use error::{FileError, Part, Problem};
pub use header::Header;
pub use map::WorkFile;
pub use read::TableFile;
pub use write::{Unfinished, write};
