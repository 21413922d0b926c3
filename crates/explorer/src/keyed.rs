//! Certificates whose lines speak of positions, `… @ POSITION`: mixed strategies, expected values,
//! scores.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use foregone_proof::certificate::shown;

use crate::book::Question;
use crate::data::{BookError, Child, Found, Node, NodeKind, Part};
use crate::line;
use crate::look::cut;
use crate::part::Sketch;
use crate::positions::{Positions, Says};
use crate::text::Cursor;
use crate::words;

/// So many bytes are read for a first screen before the index is there.
const FIRST_LOOK: u64 = 1 << 16;

/// How many positions are gone through between two questions whether to go on.
const TICK: usize = 256;

/// Such a certificate, with its game.
pub(crate) struct Keyed<'q, P: Positions> {
    question: &'q Question<'q>,
    game: &'q P,
    setting: P::Setting,
    start: P::State,
}

/// Where a path leads.
enum Place {
    /// To a position of the strategy.
    Covered,
    /// To one that the proof does not need.
    NotCovered(String),
    /// To where the index has to come first.
    Pending,
}

/// A line that was found.
struct Line {
    offset: u64,
    text: String,
    says: Says,
}

/// What is known of a position.
enum Known {
    Over(String),
    Line(Box<Line>),
    /// No line speaks of it, as far as the index has come.
    Nothing,
}

impl<'q, P: Positions> Keyed<'q, P> {
    pub(crate) fn new(question: &'q Question<'q>, game: &'q P) -> Result<Keyed<'q, P>, BookError> {
        let wrong = |problem: String| BookError::Input(format!("the header is wrong: {problem}"));
        let start = game
            .read(&question.header.position)
            .map_err(|problem| wrong(format!("the position can't be read: {}", shown(&problem))))?;
        let setting = game.setting(&question.header).map_err(wrong)?;
        Ok(Keyed { question, game, setting, start })
    }

    /// Whether the index can't become more than it is.
    fn ended(&self) -> bool {
        self.question.book.index().ended()
    }

    /// The line about a position.
    fn known(&self, s: &P::State, cursor: &mut Cursor<'_>) -> Result<Known, BookError> {
        if let Some(over) = self.game.over(s) {
            return Ok(Known::Over(over));
        }
        let position = self.game.text(s);
        let index = self.question.book.index();
        let mut found = index.place_of(self.question.certificate, &position, cursor)?;
        let ended = index.ended();
        drop(index);
        if found.is_none() && !ended {
            found = self.read_through(&position)?;
        }
        let Some(offset) = found else { return Ok(Known::Nothing) };
        cursor.seek(offset);
        let Some((_, bytes)) = cursor.line()? else { return Ok(Known::Nothing) };
        let fail = |problem: String| BookError::at(offset, problem);
        let text = std::str::from_utf8(bytes)
            .map_err(|_| fail("the line is not UTF-8 text".to_owned()))?;
        let (says, _) = text.split_once(" @ ").ok_or_else(|| fail("expected ` @ `".to_owned()))?;
        let says = self.game.says(&self.setting, s, says).map_err(fail)?;
        Ok(Known::Line(Box::new(Line { offset, text: text.to_owned(), says })))
    }

    /// The line about a position in the first lines of the certificate: small ones need no index.
    fn read_through(&self, position: &str) -> Result<Option<u64>, BookError> {
        let from = self.question.body;
        let mut cursor = Cursor::new(self.question.book.text(), from);
        while cursor.offset() - from < FIRST_LOOK {
            let Some((offset, bytes)) = cursor.line()? else { break };
            // The last line speaks of no position.
            let Some((_, place)) = line::keyed(bytes) else { break };
            if place == position.as_bytes() {
                return Ok(Some(offset));
            }
        }
        Ok(None)
    }

    /// The position behind a path, and whether the strategy comes there.
    fn walk(
        &self,
        path: &[String],
        cursor: &mut Cursor<'_>,
    ) -> Result<(P::State, Place), BookError> {
        let (mut s, mut place) = (self.start.clone(), Place::Covered);
        for word in path {
            let next = self.game.play(&s, word)?;
            if matches!(place, Place::Covered) {
                place = match self.known(&s, cursor)? {
                    Known::Line(line) if line.says.covers(word) => Place::Covered,
                    Known::Line(line) => Place::NotCovered(format!(
                        "the proof does not need this: {} there",
                        line.says.sentence
                    )),
                    Known::Over(_) | Known::Nothing if self.ended() => {
                        Place::NotCovered("no line speaks of the position before".to_owned())
                    }
                    Known::Over(_) | Known::Nothing => Place::Pending,
                };
            }
            s = next;
        }
        Ok((s, place))
    }

    /// What stands at the end of a path.
    pub(crate) fn node(
        &self,
        path: &[String],
        from: usize,
        most: usize,
    ) -> Result<Node, BookError> {
        let mut cursor = Cursor::new(self.question.book.text(), 0);
        let (s, place) = self.walk(path, &mut cursor)?;
        let mut node = self.bare(&s, path.is_empty(), from);
        let known = match place {
            Place::NotCovered(why) => {
                node.sentence = why;
                return Ok(node);
            }
            Place::Pending => Known::Nothing,
            Place::Covered => self.known(&s, &mut cursor)?,
        };
        match known {
            Known::Over(over) => {
                node.kind = NodeKind::Over;
                node.sentence = format!("over: {over}");
            }
            Known::Nothing => {
                let index = self.question.book.index();
                node.pending = !index.ended();
                node.sentence = match index.complete() {
                    true => "no line speaks of this position".to_owned(),
                    false => words::not_read(&index),
                };
            }
            Known::Line(line) => self.fill(&mut node, &s, *line, most, &mut cursor)?,
        }
        Ok(node)
    }

    fn bare(&self, s: &P::State, first: bool, from: usize) -> Node {
        let claimed = || cut(&self.question.header.outcome);
        Node {
            line: None,
            offset: self.question.body,
            text: String::new(),
            kind: NodeKind::NotCovered,
            to_move: self.game.to_move(s),
            sentence: String::new(),
            subformula: None,
            rule: None,
            reason: None,
            label: None,
            same_as: None,
            size: None,
            bound: first.then(claimed),
            view: self.game.view(s),
            children: Vec::new(),
            children_total: 0,
            from,
            pending: false,
        }
    }

    fn fill(
        &self,
        node: &mut Node,
        s: &P::State,
        line: Line,
        most: usize,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), BookError> {
        let index = self.question.book.index();
        node.line = index.line_at(line.offset, cursor)?;
        drop(index);
        node.offset = line.offset;
        node.text = cut(&line.text);
        node.kind = line.says.kind;
        node.bound = line.says.bound.or(node.bound.take());
        node.sentence = line.says.sentence;
        node.children_total = line.says.ways.len();
        let ended = self.ended();
        for way in line.says.ways.into_iter().skip(node.from).take(most) {
            let next = self.game.play(s, &way.played)?;
            let (mut kind, mut answer, mut answer_san) = (None, None, None);
            match self.known(&next, cursor)? {
                Known::Over(_) => kind = Some(NodeKind::Over),
                Known::Line(line) => {
                    kind = Some(line.says.kind);
                    let first = line.says.ways.into_iter().next();
                    if let (Some(NodeKind::Plays), Some(first)) = (kind, first) {
                        (answer, answer_san) = (Some(first.played), first.san);
                    }
                }
                Known::Nothing if ended => kind = Some(NodeKind::NotCovered),
                Known::Nothing => {}
            }
            node.children.push(Child {
                played: way.played,
                san: way.san,
                kind,
                answer,
                answer_san,
                size: None,
                weight: way.weight,
                same_as: None,
            });
        }
        node.pending = node.children.iter().any(|child| child.kind.is_none());
        Ok(())
    }

    /// Looks for a position that the strategy comes to from the end of a path: the shortest way.
    pub(crate) fn find(
        &self,
        path: &[String],
        position: &str,
        goes_on: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Found, BookError> {
        let wanted = self.game.read(position);
        let wanted = wanted
            .map_err(|e| BookError::Input(format!("the position can't be read: {}", shown(&e))))?;
        let wanted = self.game.text(&wanted);
        let mut cursor = Cursor::new(self.question.book.text(), 0);
        let (s, place) = self.walk(path, &mut cursor)?;
        match place {
            Place::Covered => {}
            Place::NotCovered(_) => return Ok(Found { path: None, share: 1.0 }),
            Place::Pending => return Err(BookError::NotYet),
        }
        let section_claims = {
            let index = self.question.book.index();
            index.sections.get(self.question.certificate).and_then(|s| s.end).map(|(_, n)| n)
        };
        let all = section_claims.unwrap_or(u64::MAX).max(1) as f64;
        // Where each position was come to from, and by which move.
        let mut from: FxHashMap<String, Option<(String, String)>> = FxHashMap::default();
        let first = self.game.text(&s);
        from.insert(first.clone(), None);
        let mut todo = VecDeque::from([(s, first)]);
        let mut looked = 0;
        while let Some((s, text)) = todo.pop_front() {
            let share = (looked as f64 / all).min(1.0);
            if text == wanted {
                let mut way = Vec::new();
                let mut at = text;
                while let Some(Some((before, played))) = from.get(&at) {
                    way.push(played.clone());
                    at = before.clone();
                }
                way.reverse();
                return Ok(Found { path: Some([path, &way].concat()), share });
            }
            looked += 1;
            if looked % TICK == 0 && !goes_on(share) {
                return Ok(Found { path: None, share });
            }
            let Known::Line(line) = self.known(&s, &mut cursor)? else { continue };
            for way in line.says.ways {
                let next = self.game.play(&s, &way.played)?;
                let place = self.game.text(&next);
                if !from.contains_key(&place) {
                    from.insert(place.clone(), Some((text.clone(), way.played)));
                    todo.push_back((next, place));
                }
            }
        }
        Ok(Found { path: None, share: 1.0 })
    }

    /// The upper part of the strategy from the end of a path on. Positions that came up before are not
    /// gone into again, and what is left out is counted as one claim each: there are no blocks.
    pub(crate) fn part(&self, path: &[String], depth: u32, most: usize) -> Result<Part, BookError> {
        let mut cursor = Cursor::new(self.question.book.text(), 0);
        let (s, place) = self.walk(path, &mut cursor)?;
        match place {
            Place::Covered => {}
            Place::NotCovered(why) => return Err(BookError::Input(why)),
            Place::Pending => return Err(BookError::NotYet),
        }
        let claims = {
            let index = self.question.book.index();
            let section = index.sections.get(self.question.certificate);
            section.and_then(|section| section.end).ok_or(BookError::NotYet)?.1
        };
        let mut sketch = Sketch::new(depth, most);
        let mut seen: FxHashSet<String> = FxHashSet::default();
        let drawing = self.game.drawing(&s);
        let mut todo = vec![(s, None, 0, String::new())];
        while let Some((s, parent, depth, text)) = todo.pop() {
            if sketch.is_full(depth) {
                sketch.cut(parent, depth, text, 1);
                continue;
            }
            match self.known(&s, &mut cursor)? {
                Known::Over(_) => {
                    sketch.claim(parent, depth, text, NodeKind::Over);
                }
                Known::Nothing => return Err(BookError::NotYet),
                Known::Line(_) if !seen.insert(self.game.text(&s)) => {
                    sketch.reference(parent, depth, text, false);
                }
                Known::Line(line) => {
                    let number = sketch.claim(parent, depth, text, line.says.kind);
                    for way in line.says.ways.into_iter().rev() {
                        let next = self.game.play(&s, &way.played)?;
                        todo.push((next, Some(number), depth + 1, way.played));
                    }
                }
            }
        }
        Ok(Part {
            proves: words::claims_that(&self.question.header),
            of_max: self.game.of_max(&self.setting),
            position: drawing,
            claims,
            nodes: sketch.nodes,
        })
    }
}
