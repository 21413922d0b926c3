//! Walks through certificates piece by piece: the tree of a proof of millions of claims is never in
//! memory, only an index of a few percent of the file's size, and the first screen does not wait for
//! that.
//!
//! Nothing here proves anything. A [`Book`] shows what a text says, and follows it by the rules of the
//! game: positions come from moves that are legal, and a line that does not fit is an error that names
//! it. Whether the whole is a proof, the checkers of `foregone-proof` decide.
//!
//! ```
//! use std::sync::Arc;
//! use foregone_explorer::Book;
//! use foregone_games::{files::Files, registry};
//!
//! let text = "foregone certificate 2\ngame nim:1,2\nrules 1\nposition 1,2 first\n\
//!     claim first at-least win\n\n! 2-1\n? 2\n1-1: ! 2-1\n.\n2-1: ! 1-1\n.\n\
//!     end 6 aadea135ce2f32d1\n";
//! let book = Book::new(Arc::new(text.to_owned()));
//! let files = Files::from_memory::<&str, &str>([]);
//! let game = registry::open(&files, &book.header(0)?.game)?;
//! while !book.index_more(1 << 20)? {}
//! let node = book.node(&game, 0, &["2-1".to_owned()], 0, 100)?;
//! assert_eq!(node.children[0].answer.as_deref(), Some("2-1"));
//! assert_eq!(node.children[0].size, Some(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod book;
mod data;
mod index;
mod keyed;
mod labels;
mod line;
mod look;
mod packed;
mod part;
mod positions;
mod subject;
mod text;
mod tree;
mod words;

pub use book::Book;
pub use data::{
    BookError, Child, Found, Kind, Node, NodeKind, Outline, Part, PartKind, PartNode, Summary, View,
};
pub use foregone_proof::certificate::Header;
pub use text::Text;
