//! A file of certificates that is open.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foregone_games::erased::Erased;
use foregone_games::erased_joint::ErasedJoint;
use foregone_games::registry::Opened;
use foregone_proof::certificate::{Header, formula_of, shown};
use foregone_proof::formula::Check;
use foregone_proof::{Game, JointNotation, Notation, Rules};

use crate::data::{BookError, Found, Kind, Node, Outline, Part, Summary};
use crate::index::{Index, kind_of, read_header};
use crate::keyed::Keyed;
use crate::text::{Cursor, TRUNCATED, Text};
use crate::tree::Tree;
use crate::words;

/// Others may look at the index at least this often while it grows, by bytes that were read.
const SLICE: u64 = 256 << 10;
/// Who grows the index lets others look first, but does not wait for ever.
const PATIENCE: u32 = 1000;
/// A page of ways on has at most so many.
const MOST_CHILDREN: usize = 10_000;

/// Certificates that an outline lists.
const MOST_LISTED: usize = 500;

/// A file of certificates.
pub struct Book {
    text: Arc<dyn Text>,
    index: Mutex<Index>,
    /// How many wait to look at the index.
    waiting: AtomicUsize,
}

/// A question is put to one certificate of the file and its game.
pub(crate) struct Question<'b> {
    pub(crate) book: &'b Book,
    pub(crate) certificate: usize,
    pub(crate) header: Header,
    /// Where its claims begin.
    pub(crate) body: u64,
}

/// What is done with the game of a certificate, whatever its kind.
enum Asked<'g> {
    Tree(&'g Erased),
    Formula(Box<Check<'g, Erased>>),
    InTurn(&'g Erased),
    Joint(&'g ErasedJoint),
}

impl Book {
    /// Opens a file. Nothing is read so far.
    pub fn new(text: Arc<dyn Text>) -> Book {
        let index = Mutex::new(Index::new(&*text));
        Book { text, index, waiting: AtomicUsize::new(0) }
    }

    pub(crate) fn text(&self) -> &dyn Text {
        &*self.text
    }

    /// The index as it is now.
    pub(crate) fn index(&self) -> MutexGuard<'_, Index> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        index
    }

    /// Goes on with the index for about so many bytes; whether it is complete. Others may ask
    /// meanwhile. An error says what is wrong with the file; what stands before can still be seen.
    pub fn index_more(&self, bytes: u64) -> Result<bool, BookError> {
        let mut left = bytes.max(1);
        loop {
            let slice = left.min(SLICE);
            left -= slice;
            let complete = {
                let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
                index.more(self.text(), slice)?
            };
            if complete || left == 0 {
                return Ok(complete);
            }
            let mut turns = 0;
            while self.waiting.load(Ordering::Relaxed) > 0 && turns < PATIENCE {
                std::thread::yield_now();
                turns += 1;
            }
        }
    }

    /// How many bytes the index takes.
    pub fn index_bytes(&self) -> usize {
        self.index().bytes()
    }

    /// What the file holds, as far as the index has come.
    pub fn outline(&self) -> Result<Outline, BookError> {
        let index = self.index();
        let mut certificates: Vec<Summary> = (index.sections.iter().take(MOST_LISTED))
            .map(|section| words::summary(&section.header, section.end.map(|(_, claims)| claims)))
            .collect();
        let problem = index.problem.as_ref().map(ToString::to_string);
        let (indexed, claims) = (index.share(), index.all_claims());
        drop(index);
        if certificates.is_empty() {
            certificates.push(words::summary(&self.first_header()?.0, None));
        }
        Ok(Outline { bytes: self.text.len(), indexed, claims, certificates, problem })
    }

    /// What a certificate says of itself.
    pub fn header(&self, certificate: usize) -> Result<Header, BookError> {
        Ok(self.find_header(certificate)?.0)
    }

    /// The header of a certificate, and where its claims begin.
    fn find_header(&self, certificate: usize) -> Result<(Header, u64), BookError> {
        let index = self.index();
        if let Some(section) = index.sections.get(certificate) {
            return Ok((section.header.clone(), section.body));
        }
        let (count, ended) = (index.sections.len(), index.ended());
        drop(index);
        match (certificate, ended) {
            (0, _) => self.first_header(),
            (_, false) => Err(BookError::NotYet),
            (_, true) => {
                let message = format!("there are {count} certificates, no number {certificate}");
                Err(BookError::Input(message))
            }
        }
    }

    fn first_header(&self) -> Result<(Header, u64), BookError> {
        let at = |line, problem| BookError::Line { line: Some(line), offset: 0, problem };
        match read_header(self.text(), 0) {
            Ok(Some((header, body, _))) => Ok((header, body)),
            Ok(None) => Err(at(1, TRUNCATED.to_owned())),
            Err((line, problem)) => Err(at(line, problem)),
        }
    }

    fn question<'g>(
        &self,
        game: &'g Opened,
        certificate: usize,
    ) -> Result<(Question<'_>, Asked<'g>), BookError> {
        let (header, body) = self.find_header(certificate)?;
        let kind = kind_of(&header);
        let subject = match (game, kind) {
            (Opened::InTurn(game), Kind::InTurn) => Asked::Tree(game),
            (Opened::InTurn(game), Kind::Formula) => {
                if game.has_chance() {
                    let problem = "formulas are not asked of games with chance";
                    return Err(BookError::Input(problem.to_owned()));
                }
                let check = formula_of(game, &header).map_err(BookError::Input)?;
                Asked::Formula(Box::new(check))
            }
            (Opened::InTurn(game), Kind::Expected | Kind::Scores) => Asked::InTurn(game),
            (Opened::Joint(game), Kind::Mixed) => Asked::Joint(game),
            (Opened::InTurn(_), Kind::Mixed) => {
                return Err(other_game("players move in turn here, and the proof mixes moves"));
            }
            (Opened::Joint(_), _) => {
                return Err(other_game(
                    "players move at the same time here, and the proof in turn",
                ));
            }
        };
        let (name, rules) = match game {
            Opened::InTurn(game) => (game.name(), game.rules()),
            Opened::Joint(game) => (game.name(), game.rules()),
        };
        same_rules(&header, &name, &rules)?;
        Ok((Question { book: self, certificate, header, body }, subject))
    }

    /// What stands at the end of a path of moves: from the start of the certificate, of joint moves
    /// `a/b`, of formulas the steps of the evaluation game. `game` is the one that the header names.
    /// Ways on are listed from number `from`, at most `most`.
    pub fn node(
        &self,
        game: &Opened,
        certificate: usize,
        path: &[String],
        from: usize,
        most: usize,
    ) -> Result<Node, BookError> {
        let most = most.min(MOST_CHILDREN);
        let (question, subject) = self.question(game, certificate)?;
        let node = match &subject {
            Asked::Tree(game) => Tree::new(&question, *game)?.node(path, from, most),
            Asked::Formula(game) => Tree::new(&question, &**game)?.node(path, from, most),
            Asked::InTurn(game) => Keyed::new(&question, *game)?.node(path, from, most),
            Asked::Joint(game) => Keyed::new(&question, *game)?.node(path, from, most),
        };
        node.map_err(|e| self.with_line(e))
    }

    /// Looks for a position below a path until `goes_on` says no, which is asked now and then with how
    /// much was looked at. Or for the line with a label, `#17`, anywhere in the certificate.
    pub fn find(
        &self,
        game: &Opened,
        certificate: usize,
        path: &[String],
        position: &str,
        goes_on: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Found, BookError> {
        let (question, subject) = self.question(game, certificate)?;
        let found = match &subject {
            Asked::Tree(game) => Tree::new(&question, *game)?.find(path, position, goes_on),
            Asked::Formula(game) => Tree::new(&question, &**game)?.find(path, position, goes_on),
            Asked::InTurn(game) => Keyed::new(&question, *game)?.find(path, position, goes_on),
            Asked::Joint(game) => Keyed::new(&question, *game)?.find(path, position, goes_on),
        };
        found.map_err(|e| self.with_line(e))
    }

    /// The upper part of the block at the end of a path, to be drawn: at most so many moves deep, and at
    /// most so many claims. What is left out is counted, so the index must have come that far.
    pub fn part(
        &self,
        game: &Opened,
        certificate: usize,
        path: &[String],
        depth: u32,
        most: usize,
    ) -> Result<Part, BookError> {
        let (question, subject) = self.question(game, certificate)?;
        let part = match &subject {
            Asked::Tree(game) => Tree::new(&question, *game)?.part(path, depth, most),
            Asked::Formula(game) => Tree::new(&question, &**game)?.part(path, depth, most),
            Asked::InTurn(game) => Keyed::new(&question, *game)?.part(path, depth, most),
            Asked::Joint(game) => Keyed::new(&question, *game)?.part(path, depth, most),
        };
        part.map_err(|e| self.with_line(e))
    }

    /// The same error with the number of its line, where the index knows it.
    fn with_line(&self, error: BookError) -> BookError {
        match error {
            BookError::Line { line: None, offset, problem } => {
                let mut cursor = Cursor::new(self.text(), 0);
                let line = self.index().line_at(offset, &mut cursor).unwrap_or(None);
                BookError::Line { line, offset, problem }
            }
            other => other,
        }
    }
}

fn other_game(message: &str) -> BookError {
    BookError::OtherGame(message.to_owned())
}

fn same_rules(header: &Header, name: &str, rules: &Rules) -> Result<(), BookError> {
    if name != header.game {
        let (name, written) = (shown(name), shown(&header.game));
        return Err(other_game(&format!("the proof is about `{written}`, and this is `{name}`")));
    }
    if *rules != header.rules {
        let written = &header.rules;
        return Err(other_game(&format!(
            "the proof is about rules {written}, and these are rules {rules}"
        )));
    }
    Ok(())
}
