//! The words that show that a sum is won: facts, each with an answer to every move of the loser.
//!
//! The checker of sums (`crates/proof/src/sums`) knows nothing of canonical forms and searches nothing, so
//! each step is a fact: that a part is worth what was found (`bridge`: the part less its value is good),
//! that values add up (`merge`), that a hot value is at least some number, and that what is left of a sum is
//! won. Which answer is good is known from the values, or from the search.

use foregone_cgt::{Class, Dyadic, Value};
use foregone_model::{Notation, Side, sums};
use rustc_hash::FxHashMap;

use super::arena::{PROOF_STEPS, moves_of};
use super::search::{Bag, Piece, Search, Stopped};
use crate::erased::AnyState;

/// No more bytes of words are made: a line of a certificate has a limit.
const MOST_BYTES: usize = 3 << 20;

/// So many facts can rest on each other.
const DEEPEST: u32 = 300;

/// Why there are no words.
#[derive(Debug)]
pub(super) enum Fail {
    /// Somebody wants the search to end.
    Stopped,
    /// There would be too many, or arithmetic is too much.
    TooLong,
}

impl From<Stopped> for Fail {
    fn from(Stopped: Stopped) -> Fail {
        Fail::Stopped
    }
}

/// How it is known that a sum is good for the prover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// The values of all its pieces were found.
    ByValue,
    BySearch,
}

/// The number of a fact, from 1.
type Fact = usize;

/// What is behind a move: a position that is not yet taken apart, or a value.
#[derive(Clone, Debug)]
enum Behind {
    Position(AnyState),
    Value(Value),
}

/// A move of the prover, as it is written, and the pieces behind it.
type Answer = (String, Vec<Piece>);

/// An answer, and what is left behind it.
struct Reply {
    /// The place of the piece in which it is.
    place: usize,
    text: String,
    left: Vec<Piece>,
}

/// An answer that leaves no more than this need not be compared with others.
const LITTLE: u32 = 3;

/// Makes the words of one position.
pub(super) struct Words<'s, 'a> {
    search: &'s mut Search<'a>,
    prover: Side,
    facts: Vec<String>,
    bytes: usize,
    made: FxHashMap<Vec<Piece>, Fact>,
    /// How many facts inside each other are being made.
    depth: u32,
    /// Where several facts together say that a bag is good.
    bags: FxHashMap<Bag, Vec<Fact>>,
}

/// The words that show that `prover` wins `s`, in which the other side is to move and loses.
pub(super) fn words(search: &mut Search<'_>, s: &AnyState, prover: Side) -> Result<String, Fail> {
    words_by(search, s, prover, Known::BySearch)
}

/// The same, where the values of all parts were found: without any search.
pub(super) fn words_by_value(
    search: &mut Search<'_>,
    s: &AnyState,
    prover: Side,
) -> Result<String, Fail> {
    words_by(search, s, prover, Known::ByValue)
}

fn words_by(
    search: &mut Search<'_>,
    s: &AnyState,
    prover: Side,
    how: Known,
) -> Result<String, Fail> {
    let mut pieces = Vec::new();
    search.split(s, &mut pieces);
    let (made, bags) = Default::default();
    let mut words = Words { search, prover, facts: Vec::new(), bytes: 0, depth: 0, made, bags };
    let named = words.sum(pieces, how)?;
    let mut text = words.facts.join(sums::BETWEEN);
    text.push_str(if text.is_empty() { "=" } else { " ; =" });
    for fact in named {
        text.push_str(&format!(" {fact}"));
    }
    Ok(text)
}

impl Words<'_, '_> {
    /// The facts whose sum these pieces are.
    fn sum(&mut self, pieces: Vec<Piece>, how: Known) -> Result<Vec<Fact>, Fail> {
        let mut named = Vec::new();
        let pieces = self.cancelled(pieces)?;
        let mut values = Vec::new();
        for &piece in &pieces {
            match piece {
                Piece::Value(value) => values.push(value),
                Piece::Part(id) => {
                    let game = self.search.game;
                    let arena = self.search.arena();
                    let value = match how {
                        Known::ByValue => Some(arena.found(game, id).ok_or(Fail::TooLong)?),
                        Known::BySearch => arena.worth(game, id),
                    };
                    if let Some(value) = value {
                        named.extend(self.bridge(piece, value)?);
                        values.push(value);
                    }
                }
            }
        }
        match how {
            Known::ByValue => named.extend(self.values(values)?),
            Known::BySearch => {
                let bag = self.search.bag(pieces);
                // What is not hot was added up.
                for value in &bag.hot {
                    if let Some(at) = values.iter().position(|v| v == value) {
                        values.swap_remove(at);
                    }
                }
                let cold = self.search.arena().neg(bag.cold).ok_or(Fail::TooLong)?;
                values.push(cold);
                named.extend(self.values(values)?);
                named.extend(self.left(&bag)?);
            }
        }
        Ok(named)
    }

    /// The fact that a part is worth so much.
    fn bridge(&mut self, part: Piece, value: Value) -> Result<Option<Fact>, Fail> {
        let negative = self.search.arena().neg(value).ok_or(Fail::TooLong)?;
        self.fact(vec![part, Piece::Value(negative)], Known::ByValue)
    }

    /// The fact that the sum of values is good, if it takes one.
    fn values(&mut self, values: Vec<Value>) -> Result<Option<Fact>, Fail> {
        self.fact(values.into_iter().map(Piece::Value).collect(), Known::ByValue)
    }

    /// The facts that say that what is left is won.
    fn left(&mut self, bag: &Bag) -> Result<Vec<Fact>, Fail> {
        if let Some(named) = self.bags.get(bag) {
            return Ok(named.clone());
        }
        let named = match bag.parts.is_empty() {
            true if self.search.total(bag).is_some() => self.known(bag, Known::ByValue)?,
            true => match self.by_numbers(bag)? {
                Some(named) => named,
                None => self.known(bag, Known::BySearch)?,
            },
            false => self.known(bag, Known::BySearch)?,
        };
        self.bags.insert(bag.clone(), named.clone());
        Ok(named)
    }

    fn known(&mut self, bag: &Bag, how: Known) -> Result<Vec<Fact>, Fail> {
        Ok(self.fact(bag.pieces().collect(), how)?.into_iter().collect())
    }

    /// Hot values of which numbers show enough: each is at least (for Right: at most) a number, and the numbers
    /// together are good.
    fn by_numbers(&mut self, bag: &Bag) -> Result<Option<Vec<Fact>>, Fail> {
        let (least, most, _) = self.search.stops(bag).ok_or(Fail::TooLong)?;
        let zero = Dyadic::default();
        let slack = match self.prover {
            Side::Max if least > zero => least,
            Side::Min if most < zero => zero.minus(most).map_err(|_| Fail::TooLong)?,
            _ => return Ok(None),
        };
        // So much may be lost with each value.
        let mut little = slack;
        let mut share = 1;
        while share <= 2 * bag.hot.len() {
            little = little.half().map_err(|_| Fail::TooLong)?;
            share *= 2;
        }
        let mut named = Vec::new();
        let mut numbers = vec![bag.cold];
        for &value in &bag.hot {
            let number = self.number_beside(value, little)?;
            let negative = self.search.arena().neg(number).ok_or(Fail::TooLong)?;
            named.extend(self.values(vec![value, negative])?);
            numbers.push(number);
        }
        named.extend(self.values(numbers)?);
        Ok(Some(named))
    }

    /// A number that is not better for the prover than a value, close to the stop.
    fn number_beside(&mut self, value: Value, little: Dyadic) -> Result<Value, Fail> {
        let prover = self.prover;
        let values = &mut self.search.arena().values;
        values.set_budget(PROOF_STEPS);
        let mut attempt = || {
            let stop = match prover {
                Side::Max => values.right_stop(value),
                Side::Min => values.left_stop(value),
            };
            let at = values.number(stop)?;
            let good = match prover {
                Side::Max => values.le(at, value)?,
                Side::Min => values.le(value, at)?,
            };
            match (good, prover) {
                (true, _) => Ok(at),
                (false, Side::Max) => values.number(stop.minus(little)?),
                (false, Side::Min) => values.number(stop.plus(little)?),
            }
        };
        attempt().map_err(|_: foregone_cgt::TooLarge| Fail::TooLong)
    }

    /// The pieces without those that are worth nothing together, numbers and heaps of nim added up: the checker
    /// does the same.
    fn cancelled(&mut self, pieces: Vec<Piece>) -> Result<Vec<Piece>, Fail> {
        let arena = self.search.arena();
        let mut out: Vec<Piece> = Vec::new();
        let (mut number, mut heap) = (Dyadic::default(), 0);
        for piece in pieces {
            let (piece, negative) = match piece {
                Piece::Part(id) => (piece, arena.negative(id).map(Piece::Part)),
                Piece::Value(value) => {
                    if let Some(n) = arena.values.as_number(value) {
                        number = number.plus(n).map_err(|_| Fail::TooLong)?;
                        continue;
                    }
                    if let Some(size) = arena.values.as_nimber(value) {
                        heap ^= size;
                        continue;
                    }
                    (piece, arena.neg(value).map(Piece::Value))
                }
            };
            match out.iter().position(|&there| Some(there) == negative) {
                Some(at) => drop(out.swap_remove(at)),
                None => out.push(piece),
            }
        }
        let values = &mut arena.values;
        let number = values.number(number).map_err(|_| Fail::TooLong)?;
        let heap = values.nimber(heap).map_err(|_| Fail::TooLong)?;
        out.extend([number, heap].into_iter().filter(|&v| v != Value::ZERO).map(Piece::Value));
        out.sort_unstable();
        Ok(out)
    }

    /// The fact that these pieces together are good, unless nothing is left of them.
    fn fact(&mut self, pieces: Vec<Piece>, how: Known) -> Result<Option<Fact>, Fail> {
        let pieces = self.cancelled(pieces)?;
        if pieces.is_empty() {
            return Ok(None);
        }
        if let Some(&fact) = self.made.get(&pieces) {
            return Ok(Some(fact));
        }
        if pieces.len() > sums::MOST_PARTS || self.depth >= DEEPEST {
            return Err(Fail::TooLong);
        }
        self.depth += 1;
        let text = self.fact_text(&pieces, how);
        self.depth -= 1;
        let text = text?;
        self.bytes += text.len();
        self.facts.push(text);
        self.made.insert(pieces, self.facts.len());
        Ok(Some(self.facts.len()))
    }

    /// The words of a fact.
    fn fact_text(&mut self, pieces: &[Piece], how: Known) -> Result<String, Fail> {
        let mut text = String::from("~ ");
        for (i, &piece) in pieces.iter().enumerate() {
            text.push_str(if i == 0 { "" } else { sums::AND });
            text.push_str(&self.piece_text(piece)?);
        }
        let opponent = self.prover.other();
        let mut answers = Vec::new();
        for &piece in pieces {
            answers.push(self.answers(&self.whole(piece))?);
        }
        for (i, &piece) in pieces.iter().enumerate() {
            if pieces[..i].contains(&piece) {
                continue;
            }
            for (name, behind) in self.moves(&self.whole(piece), opponent)? {
                let Reply { place, text: reply, left } =
                    self.reply((pieces, &answers), i, &behind, how)?;
                text.push_str(&format!(" ; {} {name} {} {reply}", i + 1, place + 1));
                for fact in self.sum(left, how)? {
                    text.push_str(&format!(" {fact}"));
                }
            }
            if self.bytes + text.len() > MOST_BYTES {
                return Err(Fail::TooLong);
            }
        }
        Ok(text)
    }

    fn piece_text(&mut self, piece: Piece) -> Result<String, Fail> {
        match piece {
            Piece::Part(id) => {
                let game = self.search.game;
                let mut text = game.position_text(self.search.arena().state(id));
                text.truncate(text.rfind(' ').unwrap_or(0));
                Ok(text)
            }
            Piece::Value(value) => {
                let written = self.search.arena().written(value).ok_or(Fail::TooLong)?;
                Ok(format!("={written}"))
            }
        }
    }

    fn whole(&self, piece: Piece) -> Behind {
        match piece {
            Piece::Part(id) => Behind::Position(self.search.memory.arena.state(id).clone()),
            Piece::Value(value) => Behind::Value(value),
        }
    }

    /// What a side can do there, as it is written, and what is behind it.
    fn moves(&mut self, place: &Behind, side: Side) -> Result<Vec<(String, Behind)>, Fail> {
        match place {
            Behind::Position(s) => {
                let game = self.search.game;
                let name = |m| game.parts().map(|p| game.move_text(&p.with_turn(s, side), m));
                let moves = moves_of(game, s, side);
                let moves = moves.map(|(m, next)| (name(m).unwrap_or_default(), next));
                Ok(moves.map(|(name, next)| (name, Behind::Position(next))).collect())
            }
            Behind::Value(value) => {
                let arena = self.search.arena();
                let options = arena.options(*value, side).map_err(|_| Fail::TooLong)?;
                let whole = arena.written(*value).ok_or(Fail::TooLong)?.options(side);
                let mut out = Vec::new();
                for option in options {
                    let written = arena.written(option).ok_or(Fail::TooLong)?;
                    let at = whole.iter().position(|w| *w == written).ok_or(Fail::TooLong)?;
                    out.push(((at + 1).to_string(), Behind::Value(option)));
                }
                Ok(out)
            }
        }
    }

    /// What is left there, in pieces.
    fn pieces(&mut self, behind: &Behind, out: &mut Vec<Piece>) {
        match behind {
            Behind::Position(s) => self.search.split(s, out),
            Behind::Value(value) => out.push(Piece::Value(*value)),
        }
    }

    /// All that the prover can do there.
    fn answers(&mut self, place: &Behind) -> Result<Vec<Answer>, Fail> {
        let moves = self.moves(place, self.prover)?;
        let mut with_pieces = |(text, next): (String, Behind)| {
            let mut left = Vec::new();
            self.pieces(&next, &mut left);
            (text, left)
        };
        Ok(moves.into_iter().map(&mut with_pieces).collect())
    }

    /// The answer to a move of the opponent in this place. `answers` are those in each piece.
    fn reply(
        &mut self,
        (pieces, answers): (&[Piece], &[Vec<Answer>]),
        moved: usize,
        behind: &Behind,
        how: Known,
    ) -> Result<Reply, Fail> {
        self.search.look()?;
        let mut behind_pieces = Vec::new();
        self.pieces(behind, &mut behind_pieces);
        let behind_answers = self.answers(behind)?;
        // That a part is worth so much can't rest on itself. A value in its lowest form has no option
        // that the other side can take back, so there is an answer in the part.
        let part = pieces.iter().position(|piece| matches!(piece, Piece::Part(_)));
        let part = part.filter(|&part| how == Known::ByValue && part != moved);
        let (mut open, mut left) = (Vec::new(), Vec::new());
        let mut best: Option<(u32, usize, usize, Vec<Piece>)> = None;
        'places: for (j, &piece) in pieces.iter().enumerate() {
            // In a part that is there twice it does not matter in which.
            let twice = pieces[..j].iter().enumerate().any(|(k, &p)| p == piece && k != moved);
            if part.is_some_and(|part| part != j) || j != moved && twice {
                continue;
            }
            let there = if j == moved { &behind_answers } else { &answers[j] };
            for (at, (_, after)) in there.iter().enumerate() {
                let others = pieces.iter().enumerate().filter(|&(k, _)| k != moved && k != j);
                left.clear();
                left.extend(others.map(|(_, &piece)| piece));
                if j != moved {
                    left.extend(&behind_pieces);
                }
                left.extend(after);
                let size = match how {
                    Known::ByValue => self.size_by_value(&left)?,
                    Known::BySearch => match self.size_by_search(&left) {
                        Ok(size) => size,
                        Err(bag) => {
                            open.push((j, at, bag, left.clone()));
                            None
                        }
                    },
                };
                if let Some(size) = size
                    && best.as_ref().is_none_or(|&(least, ..)| size < least)
                {
                    best = Some((size, j, at, left.clone()));
                    if size <= LITTLE {
                        break 'places;
                    }
                }
            }
        }
        if best.is_none() {
            for (j, at, bag, left) in open {
                if !self.search.wins(&bag, self.prover.other())? {
                    best = Some((0, j, at, left));
                    break;
                }
            }
        }
        let (_, place, at, left) = best.ok_or(Fail::TooLong)?;
        let there = if place == moved { &behind_answers } else { &answers[place] };
        Ok(Reply { place, text: there[at].0.clone(), left })
    }

    /// How much is left if its value is good for the prover.
    fn size_by_value(&mut self, left: &[Piece]) -> Result<Option<u32>, Fail> {
        if !self.is_good(left)? {
            return Ok(None);
        }
        let left = self.cancelled(left.to_vec())?;
        let mut size = left.len() as u32;
        for piece in left {
            if let Piece::Value(value) = piece {
                size = size.saturating_add(self.search.arena().weight(value));
            }
        }
        Ok(Some(size))
    }

    /// The same if it is known who wins; or else what is left.
    fn size_by_search(&mut self, left: &[Piece]) -> Result<Option<u32>, Bag> {
        let bag = self.search.bag(left.iter().copied());
        match self.search.known(&bag, self.prover.other()) {
            Some(false) => Ok(Some((bag.parts.len() * 4 + bag.hot.len()) as u32)),
            Some(true) => Ok(None),
            None => Err(bag),
        }
    }

    /// Whether the sum of values that were found is good for the prover, who is second.
    fn is_good(&mut self, pieces: &[Piece]) -> Result<bool, Fail> {
        let (game, prover) = (self.search.game, self.prover);
        let arena = self.search.arena();
        let mut sum = Value::ZERO;
        for &piece in pieces {
            let value = match piece {
                Piece::Value(value) => value,
                Piece::Part(id) => arena.found(game, id).ok_or(Fail::TooLong)?,
            };
            sum = arena.add_for_proof(sum, value).ok_or(Fail::TooLong)?;
        }
        let class = arena.values.outcome(sum);
        Ok(match prover {
            Side::Max => matches!(class, Class::Left | Class::Previous),
            Side::Min => matches!(class, Class::Right | Class::Previous),
        })
    }
}
