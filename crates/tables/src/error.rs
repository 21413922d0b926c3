//! What can be wrong with a table file.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

impl FileError {
    pub(crate) fn new(path: &Path, problem: impl Into<Problem>) -> FileError {
        FileError { path: path.to_owned(), problem: problem.into() }
    }
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// It is another kind of file.
    #[error("this is not a table")]
    NotATable,
    /// A version of the format that this program does not know.
    #[error("this is a table of version {0}, and this program reads version {version}", version = crate::header::VERSION)]
    OtherVersion(String),
    /// The end is missing.
    #[error("the table is only half written, or its end is lost")]
    HalfWritten,
    /// A checksum differs, or what has the right checksum makes no sense.
    #[error("{0} is damaged")]
    Damaged(Part),
    /// There is no such plane, cell or text.
    #[error("there is no {0}")]
    NoSuch(String),
    /// What should be written does not fit together.
    #[error("this can't be written: {0}")]
    Unfit(String),
    /// There is more in it than is allowed.
    #[error("its texts have more than {0} bytes")]
    TooLong(u64),
    /// The operating system says no.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The lines at the start.
    Header,
    /// The list of blocks.
    Index,
    /// All of it: each part has its checksum, but the digest is another.
    Whole,
    /// How the cells of a plane are compressed.
    Model {
        /// The plane.
        plane: usize,
    },
    /// A block of cells.
    Block {
        /// The plane.
        plane: usize,
        /// The number of the block in it.
        block: u64,
        /// Its first cell.
        first: u64,
        /// Its last cell.
        last: u64,
    },
    /// A block of texts.
    Texts {
        /// The number of the block.
        block: u64,
    },
    /// The list of the first texts of blocks.
    Heads,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Header => write!(f, "the header"),
            Part::Index => write!(f, "the list of blocks"),
            Part::Whole => write!(f, "the digest"),
            Part::Model { plane } => write!(f, "the model of plane {plane}"),
            Part::Block { plane, block, first, last } => {
                write!(f, "block {block} of plane {plane} (cells {first} to {last})")
            }
            Part::Texts { block } => write!(f, "block {block} of the texts"),
            Part::Heads => write!(f, "the list of first texts"),
        }
    }
}
