//! Sums: that a side wins a sum of positions when the other one is to move, shown part by part.
//! `docs/certificates.md`, section "Parts", has the format.
//!
//! **What is used** of the theory (J. H. Conway, *On Numbers and Games*, 1976). Say that a sum is
//! *good* if the prover P wins it when the opponent O is to move.
//!
//! * The sum of good sums is good: P answers in the one in which O moved.
//! * Whether a sum is good depends only on its value: a position is the sum of its parts, a
//!   position and its negative are worth nothing together, numbers add up as numbers, and heaps of
//!   Nim as binary numbers without carry.
//! * A sum is good if P has an answer to each move of O behind which it is good again.
//!
//! **The words** are a list of *facts*, sums that are good. A fact names its parts, and for each
//! move of O an answer and the facts whose sum is what is then left. Those stand before it, so no
//! fact rests on itself. The position is the sum of facts that the last words name. Nothing is
//! searched, and the work has a limit that grows with the words ([`WORK`]).

mod value;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

pub use value::{DEEPEST, LARGEST_HEAP, NUMBER_BITS, Value};

use crate::game::Side;
use crate::normal_play::Summand;
use crate::notation::Notation;

/// The name of the rule in certificates.
pub const RULE: &str = "parts";

/// What stands between facts, answers and the last words.
pub const BETWEEN: &str = " ; ";

/// What stands between the parts of a fact.
pub const AND: &str = " & ";

/// A fact has so many parts at most.
pub const MOST_PARTS: usize = 100;

/// So much work may go into a line, and so much more for each byte of its words. A part that is looked
/// at is one, a value as much as its options written out, and a move that is looked for is one.
pub const WORK: (u64, u64) = (1 << 20, 128);

/// A part of a sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part<S> {
    /// A position, Max to move.
    Position(S),
    /// A value.
    Value(Value),
}

/// A sum as far as its value goes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bag<S: Eq + std::hash::Hash> {
    /// How often which part is there, after parts and their negatives have been taken away.
    parts: HashMap<Part<S>, u64>,
    /// The numbers together, as a number of parts of 2^-[`NUMBER_BITS`], and the heaps together.
    number: i128,
    heap: u32,
}

/// A fact that was read: its parts as they are written, and its value.
struct Fact<S: Eq + std::hash::Hash> {
    parts: Vec<Part<S>>,
    /// Which moves of the opponent have been answered so far.
    answered: HashSet<(usize, String)>,
    bag: Bag<S>,
}

/// A move in a part: of the game, or to an option of a value.
enum Move<G: Notation> {
    By(G::Move),
    To(Value),
}

struct Verifier<'a, G: Notation> {
    game: &'a G,
    summand: &'a dyn Summand<G::State>,
    prover: Side,
    facts: Vec<Fact<G::State>>,
    /// How much more work may be done.
    work: Cell<u64>,
}

/// Whether the words show that `prover` wins `s`, in which the other side is to move; or else what is
/// wrong with them.
pub fn shows<G: Notation>(
    game: &G,
    summand: &dyn Summand<G::State>,
    s: &G::State,
    prover: Side,
    words: &str,
) -> Result<(), String> {
    let work = Cell::new(WORK.0 + WORK.1 * words.len() as u64);
    let mut verifier = Verifier { game, summand, prover, facts: Vec::new(), work };
    let mut entries = words.split(BETWEEN).enumerate().peekable();
    while let Some((i, entry)) = entries.next() {
        let fail = |problem| format!("entry {} of the parts: {problem}", i + 1);
        let last = if entry == "=" { Some("") } else { entry.strip_prefix("= ") };
        if let Some(parts) = entry.strip_prefix("~ ") {
            verifier.all_answered().map_err(fail)?;
            verifier.open(parts).map_err(fail)?;
        } else if let Some(named) = last {
            verifier.all_answered().map_err(fail)?;
            if entries.peek().is_some() {
                return Err(fail("nothing stands behind the facts of the position".to_owned()));
            }
            let mut bag = Bag::new();
            verifier.add(s, &mut bag).map_err(fail)?;
            return verifier.is_sum(bag, named, verifier.facts.len()).map_err(fail);
        } else {
            verifier.answer(entry).map_err(fail)?;
        }
    }
    Err("expected `= FACT …` at the end of the parts".to_owned())
}

impl<S: Eq + std::hash::Hash> Bag<S> {
    fn new() -> Bag<S> {
        Bag { parts: HashMap::new(), number: 0, heap: 0 }
    }

    /// Adds a part so many times, unless it cancels what is there.
    fn put(&mut self, part: Part<S>, negative: Option<Part<S>>, mut times: u64) {
        match part {
            Part::Value(Value::Number(n, k)) => {
                self.number += i128::from(times) * (i128::from(n) << (NUMBER_BITS - k));
                return;
            }
            Part::Value(Value::Heap(size)) => {
                self.heap ^= if times % 2 == 1 { size } else { 0 };
                return;
            }
            _ => {}
        }
        // Of parts that are their own negatives two are worth nothing.
        if negative.as_ref() == Some(&part) {
            times = (times + self.parts.remove(&part).unwrap_or(0)) % 2;
        } else if let Some(negative) = negative
            && let Some(count) = self.parts.get_mut(&negative)
        {
            let pairs = times.min(*count);
            *count -= pairs;
            times -= pairs;
            if *count == 0 {
                self.parts.remove(&negative);
            }
        }
        if times > 0 {
            *self.parts.entry(part).or_default() += times;
        }
    }
}

impl<G: Notation> Verifier<'_, G> {
    fn opponent(&self) -> Side {
        self.prover.other()
    }

    /// Counts work.
    fn works(&self, much: u64) -> Result<(), String> {
        let left = self.work.get().checked_sub(much);
        self.work.set(left.unwrap_or(0));
        left.map(drop).ok_or_else(|| "the words are too much work to check".to_owned())
    }

    /// Adds the parts of a position.
    fn add(&self, s: &G::State, bag: &mut Bag<G::State>) -> Result<(), String> {
        let mut parts = Vec::new();
        self.summand.split(s, &mut parts);
        self.works(1 + parts.len() as u64)?;
        for part in parts {
            let negative = self.summand.negative(&part).map(Part::Position);
            bag.put(Part::Position(part), negative, 1);
        }
        Ok(())
    }

    fn add_part(&self, part: &Part<G::State>, bag: &mut Bag<G::State>) -> Result<(), String> {
        match part {
            Part::Position(s) => self.add(s, bag),
            Part::Value(value) => {
                self.works(value.size())?;
                bag.put(part.clone(), self.negative(part), 1);
                Ok(())
            }
        }
    }

    fn negative(&self, part: &Part<G::State>) -> Option<Part<G::State>> {
        match part {
            Part::Position(s) => self.summand.negative(s).map(Part::Position),
            Part::Value(value) => Some(Part::Value(value.negative())),
        }
    }

    /// Begins the next fact.
    fn open(&mut self, parts: &str) -> Result<(), String> {
        let parts: Vec<_> = parts.split(AND).map(|p| self.read(p)).collect::<Result<_, _>>()?;
        if parts.len() > MOST_PARTS {
            return Err(format!("the fact has {} parts, at most {MOST_PARTS} fit", parts.len()));
        }
        let mut bag = Bag::new();
        for part in &parts {
            self.add_part(part, &mut bag)?;
        }
        self.facts.push(Fact { parts, answered: HashSet::new(), bag });
        Ok(())
    }

    fn read(&self, text: &str) -> Result<Part<G::State>, String> {
        if let Some(value) = text.strip_prefix('=') {
            let value = Value::read(value);
            return value.map(Part::Value).ok_or_else(|| format!("`{text}` is not a value"));
        }
        let whole = format!("{text} {}", self.game.players()[0]);
        match self.game.read_position(&whole) {
            Ok(s) if self.game.position_text(&s) == whole => Ok(Part::Position(s)),
            Ok(_) => Err(format!("the part `{text}` is written in another way")),
            Err(e) => Err(format!("the part `{text}` can't be read: {}", e.message)),
        }
    }

    /// The names of the moves that a side has in a part, and what each leads to if that is asked.
    fn moves(&self, part: &Part<G::State>, side: Side) -> Result<Vec<(String, Move<G>)>, String> {
        let moves: Vec<_> = match part {
            Part::Value(value) => {
                let options = value.options(side).into_iter().enumerate();
                options.map(|(i, v)| ((i + 1).to_string(), Move::To(v))).collect()
            }
            Part::Position(s) => {
                let s = self.summand.with_turn(s, side);
                let mut moves = Vec::new();
                self.game.moves(&s, side.agent(), &mut moves);
                moves.into_iter().map(|m| (self.game.move_text(&s, m), Move::By(m))).collect()
            }
        };
        self.works(1 + moves.len() as u64)?;
        Ok(moves)
    }

    fn play(
        &self,
        part: &Part<G::State>,
        side: Side,
        text: &str,
    ) -> Result<Part<G::State>, String> {
        let moves = self.moves(part, side)?;
        let found = moves.into_iter().find(|(name, _)| name == text);
        match (found.map(|(_, m)| m), part) {
            (Some(Move::To(value)), _) => Ok(Part::Value(value)),
            (Some(Move::By(m)), Part::Position(s)) => {
                let mut next = self.summand.with_turn(s, side);
                self.game.play(&mut next, side.agent(), m);
                Ok(Part::Position(self.summand.with_turn(&next, Side::Max)))
            }
            _ => Err(format!("`{text}` is not a move there")),
        }
    }

    /// Reads an answer: `PART MOVE PART REPLY FACT …`.
    fn answer(&mut self, entry: &str) -> Result<(), String> {
        const FORM: &str = "expected `PART MOVE PART REPLY`, and facts";
        let mut words = entry.splitn(5, ' ');
        let mut word = || words.next().ok_or_else(|| FORM.to_owned());
        let (i, m, j, reply) = (word()?, word()?, word()?, word()?);
        let named = words.next().unwrap_or("");
        let (before, fact) = match self.facts.split_last() {
            Some((fact, before)) => (before.len(), fact),
            None => return Err("an answer stands before every fact".to_owned()),
        };
        let place = |text: &str| {
            let found = number(text).filter(|n| (1..=fact.parts.len()).contains(n));
            found.map(|n| n - 1).ok_or_else(|| format!("`{text}` is not a part of the fact"))
        };
        let (i, j) = (place(i)?, place(j)?);
        if fact.parts[..i].contains(&fact.parts[i]) {
            return Err("a part that is there twice is answered once".to_owned());
        }
        let mut after = fact.parts.clone();
        after[i] = self.play(&after[i], self.opponent(), m)?;
        after[j] = self.play(&after[j], self.prover, reply)?;
        let mut bag = Bag::new();
        for part in &after {
            self.add_part(part, &mut bag)?;
        }
        self.is_sum(bag, named, before)?;
        let m = m.to_owned();
        match self.facts.last_mut().is_some_and(|fact| fact.answered.insert((i, m))) {
            true => Ok(()),
            false => Err("the move was answered before".to_owned()),
        }
    }

    /// Whether what is left of the opponent's moves in the last fact is none.
    fn all_answered(&self) -> Result<(), String> {
        let Some(fact) = self.facts.last() else {
            return Ok(());
        };
        for (i, part) in fact.parts.iter().enumerate() {
            if fact.parts[..i].contains(part) {
                continue;
            }
            for (m, _) in self.moves(part, self.opponent())? {
                let key = (i, m);
                if !fact.answered.contains(&key) {
                    let (m, fact) = (key.1, self.facts.len());
                    return Err(format!("fact {fact} has no answer to `{m}` in part {}", i + 1));
                }
            }
        }
        Ok(())
    }

    /// Whether the bag is the sum of the facts that are named, which are among the first `known`.
    fn is_sum(&self, bag: Bag<G::State>, named: &str, known: usize) -> Result<(), String> {
        let mut sum = Bag::new();
        for name in named.split(' ').filter(|_| !named.is_empty()) {
            let found = number(name).filter(|n| (1..=known).contains(n));
            let Some(n) = found else {
                return Err(format!("`{name}` is not a fact before this one"));
            };
            let bag = &self.facts[n - 1].bag;
            for (part, &times) in &bag.parts {
                self.works(if let Part::Value(value) = part { value.size() } else { 1 })?;
                sum.put(part.clone(), self.negative(part), times);
            }
            self.works(1)?;
            sum.number += bag.number;
            sum.heap ^= bag.heap;
        }
        match sum == bag {
            true => Ok(()),
            false => Err("what is left is not the sum of these facts".to_owned()),
        }
    }
}

/// A number as this format writes it: digits, no sign, no leading zero.
fn number(text: &str) -> Option<usize> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
    if plain { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_however_many_there_are() {
        let value = |text| Part::Value(Value::read(text).unwrap_or(Value::ZERO));
        let (hot, cold) = (value("{2|*}"), value("{*|-2}"));
        let (mut one, mut many): (Bag<u8>, Bag<u8>) = (Bag::new(), Bag::new());
        one.put(hot.clone(), Some(cold.clone()), 1);
        many.put(hot.clone(), Some(cold.clone()), 1 << 32);
        many.put(hot.clone(), Some(cold.clone()), 1);
        assert!(one != many);
        many.put(cold, Some(hot), 1 << 32);
        assert!(one == many);
        // What is its own negative.
        let own = value("{1|-1}");
        many.put(own.clone(), Some(own.clone()), 3);
        one.put(own.clone(), Some(own), 1);
        assert!(one == many);
    }
}
