//! Certificates that are kept, and walks through them.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, Mutex};

use foregone::{Drawings, NodeKind, Opened, ProofNode, ProofTree};
use foregone_explorer::{Book, Found, Node, Outline, Part, PartKind, PartNode, Text};
use serde::{Deserialize, Serialize};

use crate::Desk;
use crate::failure::Failure;
use crate::games::Texts;
use crate::view::check_size;

/// A certificate file that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofHandle {
    /// Its name.
    pub proof: String,
    /// How many bytes it has.
    pub bytes: u64,
}

struct Kept {
    name: String,
    text: Arc<dyn Text>,
    book: Arc<Book>,
}

/// Certificates, the one asked for last at the end.
pub(crate) struct Proofs {
    /// What names begin with.
    pub(crate) run: String,
    most: u64,
    kept: Mutex<Shelf>,
}

#[derive(Default)]
struct Shelf {
    next: u64,
    books: VecDeque<Kept>,
}

/// So many certificates are kept, however small they are.
const MOST_BOOKS: usize = 1000;

impl Proofs {
    pub(crate) fn new(most: u64) -> Proofs {
        Proofs { run: String::new(), most, kept: Mutex::default() }
    }

    /// Keeps a certificate. Those that nobody asked for the longest time make room.
    pub(crate) fn keep(&self, text: Arc<dyn Text>) -> Result<ProofHandle, Failure> {
        let bytes = text.len();
        let mut shelf = self.shelf()?;
        let held = |books: &VecDeque<Kept>| books.iter().map(|kept| kept.text.len()).sum::<u64>();
        while !shelf.books.is_empty()
            && (held(&shelf.books) + bytes > self.most || shelf.books.len() >= MOST_BOOKS)
        {
            shelf.books.pop_front();
        }
        shelf.next += 1;
        let name = format!("{}{}", self.run, shelf.next);
        let book = Arc::new(Book::new(Arc::clone(&text)));
        shelf.books.push_back(Kept { name: name.clone(), text, book });
        Ok(ProofHandle { proof: name, bytes })
    }

    fn shelf(&self) -> Result<std::sync::MutexGuard<'_, Shelf>, Failure> {
        self.kept.lock().map_err(|_| Failure::gone("the certificates are lost"))
    }

    fn with<T>(&self, name: &str, take: impl FnOnce(&Kept) -> T) -> Result<T, Failure> {
        let mut shelf = self.shelf()?;
        let at = shelf.books.iter().position(|kept| kept.name == name);
        let kept = at.and_then(|at| shelf.books.remove(at)).ok_or_else(|| {
            Failure::gone("this proof is not kept any more").help("ask the question again")
        })?;
        let taken = take(&kept);
        shelf.books.push_back(kept);
        Ok(taken)
    }

    pub(crate) fn text_of(&self, name: &str) -> Result<Arc<dyn Text>, Failure> {
        self.with(name, |kept| Arc::clone(&kept.text))
    }

    pub(crate) fn book(&self, name: &str) -> Result<Arc<Book>, Failure> {
        self.with(name, |kept| Arc::clone(&kept.book))
    }
}

/// A certificate as a stream.
pub(crate) struct TextReader {
    text: Arc<dyn Text>,
    at: u64,
}

impl TextReader {
    pub(crate) fn new(text: Arc<dyn Text>) -> TextReader {
        TextReader { text, at: 0 }
    }
}

impl Read for TextReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read_at(self.at, buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}

#[derive(Deserialize)]
pub(crate) struct OfProof {
    proof: String,
}

/// A place in a proof.
#[derive(Deserialize)]
pub(crate) struct Place {
    proof: String,
    certificate: usize,
    path: Vec<String>,
    #[serde(default)]
    files: Texts,
    #[serde(default)]
    from: usize,
    #[serde(default = "usual_page")]
    most: usize,
}

#[derive(Deserialize)]
pub(crate) struct FindRequest {
    #[serde(flatten)]
    place: Place,
    position: String,
}

#[derive(Deserialize)]
pub(crate) struct ExportRequest {
    #[serde(flatten)]
    place: Place,
    format: Format,
    depth: u32,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Format {
    Text,
    Dot,
    Svg,
}

#[derive(Serialize)]
pub(crate) struct Exported {
    text: String,
}

#[derive(Serialize)]
pub(crate) struct ProofOutline {
    proof: String,
    #[serde(flatten)]
    outline: Outline,
}

fn usual_page() -> usize {
    100
}

/// Claims that are drawn, and moves in a row.
const MOST_DRAWN: usize = 5000;
const DEEPEST: u32 = 400;
/// Moves that lead to a place.
const MOST_PATH: usize = 5000;
/// Children of a node in one answer.
const MOST_CHILDREN: usize = 500;

impl Desk {
    pub(crate) fn outline(&self, of: &OfProof) -> Result<ProofOutline, Failure> {
        let outline = self.book(&of.proof)?.outline()?;
        Ok(ProofOutline { proof: of.proof.clone(), outline })
    }

    /// The book of a place, and the game that its certificate is about.
    fn at(&self, place: &Place) -> Result<(Arc<Book>, Opened), Failure> {
        if place.path.len() > MOST_PATH {
            return Err(Failure::limit(format!("a path has at most {MOST_PATH} moves here")));
        }
        let book = self.book(&place.proof)?;
        let header = book.header(place.certificate)?;
        let open = self.open(&header.game, &place.files, || false)?;
        check_size(&open.about.start)?;
        Ok((book, open.game.opened().clone()))
    }

    pub(crate) fn node(&self, place: &Place) -> Result<Node, Failure> {
        let (book, game) = self.at(place)?;
        let most = place.most.clamp(1, MOST_CHILDREN);
        Ok(book.node(&game, place.certificate, &place.path, place.from, most)?)
    }

    pub(crate) fn find(&self, request: &FindRequest) -> Result<Found, Failure> {
        let place = &request.place;
        let (book, game) = self.at(place)?;
        let began = self.clock.now();
        let mut goes_on = |_: f64| self.clock.now().saturating_sub(began) < self.limits.finding;
        let position = &request.position;
        Ok(book.find(&game, place.certificate, &place.path, position, &mut goes_on)?)
    }

    pub(crate) fn export(&self, request: &ExportRequest) -> Result<Exported, Failure> {
        let place = &request.place;
        let (book, game) = self.at(place)?;
        let depth = request.depth.clamp(1, DEEPEST);
        let part = book.part(&game, place.certificate, &place.path, depth, MOST_DRAWN)?;
        let drawings = Drawings { halves: vec![tree(part)] };
        let text = match request.format {
            Format::Text => drawings.tree(Some(depth)),
            Format::Dot => drawings.dot(),
            Format::Svg => drawings.svg(),
        };
        Ok(Exported { text })
    }
}

/// A part of a certificate as the library draws proofs.
fn tree(part: Part) -> ProofTree {
    let kind = |kind: PartKind| match kind {
        PartKind::Plays => NodeKind::Plays,
        PartKind::Replies => NodeKind::Replies,
        PartKind::Over => NodeKind::Over,
        PartKind::Known => NodeKind::Known,
        PartKind::Again => NodeKind::Again,
        PartKind::AsBefore => NodeKind::AsBefore,
        PartKind::Cut(claims) => NodeKind::Cut(claims),
    };
    let node = |PartNode { parent, depth, text, kind: what }: PartNode| ProofNode {
        parent,
        depth,
        text,
        kind: kind(what),
    };
    ProofTree {
        proves: part.proves,
        of_max: part.of_max,
        position: part.position,
        claims: part.claims,
        nodes: part.nodes.into_iter().map(node).collect(),
    }
}
