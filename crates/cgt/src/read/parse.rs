//! What the words of a line mean together.
//!
//! Juxtaposed are only the parts of a plain value (`1/2^3*2`), without spaces. `*` is star and never
//! "times": a multiple is `3.G`. A sign before a number belongs to the number: `-1^` is -1 + up, while
//! `-{2|1}` and `-G` turn all of it. `+-1` where a value may begin is `±1`; elsewhere it is a plus and
//! a minus.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::error::TooLarge;
use crate::number::Dyadic;
use crate::plain::Plain;
use crate::read::calculator::Answer;
use crate::read::functions::Refusal;
use crate::read::words::{Compare, Kind, Sign, Word, words};
use crate::read::{ReadError, functions};
use crate::text::MOST_TEXT;
use crate::values::{Value, Values};

/// How deeply braces, signs and functions may be nested.
const MOST_NESTED: usize = 150;

/// Variables by name.
pub(crate) type Variables = BTreeMap<String, Value>;

/// What a text without an assignment means.
pub(crate) fn evaluate(
    values: &mut Values,
    variables: &Variables,
    text: &str,
) -> Result<Answer, ReadError> {
    if text.len() > MOST_TEXT {
        return Err(refused(TooLarge::Text, 0..text.len()));
    }
    let words = words(text)?;
    Reader::new(values, variables, &words, text.len()).line()
}

/// Can a variable have this name?
pub(crate) fn is_name(text: &str) -> bool {
    let words = words(text).unwrap_or_default();
    matches!(&words[..], [Word { kind: Kind::Name(name), .. }] if name == text)
}

/// `NAME = ...` at the beginning of a text: the name, its place, and where the rest begins.
pub(crate) fn assignment(text: &str) -> Option<(String, Range<usize>, usize)> {
    // Anything wrong in the words is said when all of them are read.
    let (name, _) = text.split_once('=')?;
    let words = words(name).ok()?;
    let rest = &text[name.len() + 1..];
    match &words[..] {
        [Word { kind: Kind::Name(_) | Kind::Ups(_), span }] if !rest.starts_with('=') => {
            Some((name[span.clone()].into(), span.clone(), name.len() + 1))
        }
        _ => None,
    }
}

pub(crate) fn refused(why: TooLarge, span: Range<usize>) -> ReadError {
    ReadError { message: why.to_string(), span }
}

/// The reader of one line.
pub(crate) struct Reader<'a> {
    pub(crate) values: &'a mut Values,
    variables: &'a Variables,
    words: &'a [Word],
    /// The next word.
    at: usize,
    /// Behind the last word that belongs to what is read now.
    end: usize,
    length: usize,
    nested: usize,
}

impl<'a> Reader<'a> {
    fn new(
        values: &'a mut Values,
        variables: &'a Variables,
        words: &'a [Word],
        length: usize,
    ) -> Reader<'a> {
        Reader { values, variables, words, at: 0, end: words.len(), length, nested: 0 }
    }

    fn next(&self) -> Option<&'a Word> {
        self.words[..self.end].get(self.at)
    }

    fn is_next(&self, sign: Sign) -> bool {
        self.next().is_some_and(|word| word.is(sign))
    }

    /// The place of the next word, or of the end.
    fn place(&self) -> Range<usize> {
        let end = self.length..self.length;
        self.words.get(self.at).map_or(end, |word| word.span.clone())
    }

    /// From a word up to the one before the next.
    fn since(&self, start: usize) -> Range<usize> {
        let first = self.words.get(start).map_or(self.length, |word| word.span.start);
        let last = self.words[..self.at].last().map_or(self.length, |word| word.span.end);
        first..last.max(first)
    }

    /// Does the next word touch the one before it?
    fn touches(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.words.get(at));
        before.zip(self.next()).is_some_and(|(a, b)| a.span.end == b.span.start)
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, ReadError> {
        Err(ReadError { message: message.into(), span: self.place() })
    }

    /// Goes one level down.
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        if self.nested == MOST_NESTED {
            return self.fail(format!("this is nested more than {MOST_NESTED} levels deep"));
        }
        self.nested += 1;
        let read = read(self);
        self.nested -= 1;
        read
    }

    fn line(mut self) -> Result<Answer, ReadError> {
        if self.words.is_empty() {
            return self.fail("there is nothing to work out");
        }
        let first = self.sum()?;
        let start = self.at;
        let compare = match self.next().map(|word| &word.kind) {
            None => return Ok(first),
            Some(Kind::Compare(compare)) => *compare,
            Some(Kind::Sign(Sign::Let)) => Compare::Equal,
            Some(_) => return self.unexpected(),
        };
        let a = self.value(first, 0)?;
        self.at += 1;
        let second = self.sum()?;
        let b = self.value(second, start + 1)?;
        if self.next().is_some() {
            return self.unexpected();
        }
        let known = self.values.le(a, b).and_then(|le| Ok((le, self.values.le(b, a)?)));
        let (le, ge) = known.map_err(|why| refused(why, 0..self.length))?;
        Ok(Answer::Truth(match compare {
            Compare::AtLeast => ge,
            Compare::AtMost => le,
            Compare::Above => ge && !le,
            Compare::Below => le && !ge,
            Compare::Equal => le && ge,
            Compare::Differs => !(le && ge),
            Compare::Confused => !le && !ge,
        }))
    }

    /// A word where none can follow.
    fn unexpected<T>(&self) -> Result<T, ReadError> {
        let Some(word) = self.next() else { return self.fail("something is missing here") };
        self.fail(match &word.kind {
            Kind::Star(_) => {
                "`*` is star and not \"times\": write `3.G` for a multiple, and `+` before a star"
                    .into()
            }
            Kind::Bar(_) => "a bar stands only between braces: `{a,b|c}`".to_string(),
            Kind::Sign(Sign::CloseBrace) => "this `}` has no `{`".into(),
            Kind::Sign(Sign::CloseParen) => "this `)` has no `(`".into(),
            Kind::Sign(Sign::Comma) => {
                "commas stand only between options and between what a function takes".into()
            }
            Kind::Compare(_) | Kind::Sign(Sign::Let) => "one comparison a line is enough".into(),
            Kind::Sign(Sign::Dot) => "a `.` follows a whole number: `3.G`".into(),
            _ => "there should be `+` or `-` before this".into(),
        })
    }

    /// The value that an answer is; it began at a word.
    pub(crate) fn value(&mut self, answer: Answer, start: usize) -> Result<Value, ReadError> {
        let span = self.since(start);
        match answer {
            Answer::Value(value) => Ok(value),
            Answer::Number(number) => self.checked(start, |values| values.number(number)),
            _ => Err(ReadError { message: "this is no value".into(), span }),
        }
    }

    /// Works on values; what began at a word is to blame if that is too much.
    pub(crate) fn checked<T>(
        &mut self,
        start: usize,
        work: impl FnOnce(&mut Values) -> Result<T, TooLarge>,
    ) -> Result<T, ReadError> {
        work(self.values).map_err(|why| refused(why, self.since(start)))
    }

    /// Operands between plus and minus.
    pub(crate) fn sum(&mut self) -> Result<Answer, ReadError> {
        let start = self.at;
        let mut sum = self.operand()?;
        loop {
            let minus = match self.next().map(|word| &word.kind) {
                Some(Kind::Sign(Sign::Plus)) => false,
                Some(Kind::Sign(Sign::Minus)) => true,
                // `1+_2` has its plus already.
                Some(Kind::Sign(Sign::Tiny | Sign::Miny)) => {
                    self.at -= 1;
                    false
                }
                _ => return Ok(sum),
            };
            let a = self.value(sum, start)?;
            self.at += 1;
            let second = self.at;
            let b = self.operand()?;
            let b = self.value(b, second)?;
            sum = Answer::Value(self.checked(start, |values| match minus {
                true => values.subtract(a, b),
                false => values.add(a, b),
            })?);
        }
    }

    /// A value with its sign and its count.
    fn operand(&mut self) -> Result<Answer, ReadError> {
        self.nested(|reader| {
            let start = reader.at;
            let first = reader.simple()?;
            if !reader.is_next(Sign::Dot) {
                return Ok(first);
            }
            let count = reader.value(first, start)?;
            let Some(count) = reader.values.as_number(count).and_then(Dyadic::as_whole) else {
                let message = "a multiple has a whole number before its `.`, as in `3.G`".into();
                return Err(ReadError { message, span: reader.since(start) });
            };
            reader.at += 1;
            let second = reader.at;
            let value = reader.operand()?;
            let value = reader.value(value, second)?;
            let product = reader.checked(start, |values| values.multiple(count, value))?;
            Ok(Answer::Value(product))
        })
    }

    fn simple(&mut self) -> Result<Answer, ReadError> {
        let start = self.at;
        let Some(word) = self.next() else { return self.fail("a value is missing here") };
        match &word.kind {
            Kind::Number(_) | Kind::Ups(_) | Kind::Star(_) => self.plain(false),
            Kind::Name(name) => self.name(name),
            Kind::Sign(Sign::PlusMinus) => {
                self.at += 1;
                self.switch(start)
            }
            Kind::Sign(Sign::Plus) => {
                self.at += 1;
                if self.is_next(Sign::Minus) && self.touches() {
                    self.at += 1;
                    return self.switch(start);
                }
                self.operand()
            }
            Kind::Sign(Sign::Minus) => {
                self.at += 1;
                if let Some(Kind::Number(_)) = self.next().map(|word| &word.kind) {
                    return self.plain(true);
                }
                let value = self.operand()?;
                let value = self.value(value, start)?;
                self.checked(start, |values| values.neg(value)).map(Answer::Value)
            }
            Kind::Sign(Sign::Tiny | Sign::Miny) => self.tiny(word.is(Sign::Miny)),
            Kind::Sign(Sign::OpenBrace) => self.braces().map(Answer::Value),
            Kind::Sign(Sign::OpenParen) => {
                self.at += 1;
                let inside = self.sum()?;
                self.close()?;
                Ok(inside)
            }
            _ => match word.kind {
                Kind::Sign(Sign::CloseParen | Sign::CloseBrace | Sign::Comma) | Kind::Bar(_) => {
                    self.fail("a value is missing before this")
                }
                _ => self.fail("there should be a value here"),
            },
        }
    }

    fn close(&mut self) -> Result<(), ReadError> {
        if !self.is_next(Sign::CloseParen) {
            return match self.next() {
                None => self.fail("a `)` is missing here"),
                Some(_) => self.unexpected(),
            };
        }
        self.at += 1;
        Ok(())
    }

    /// A number, ups and a nimber in a row.
    fn plain(&mut self, minus: bool) -> Result<Answer, ReadError> {
        let start = self.at;
        let mut plain = Plain::default();
        // Which part comes next: they stand in this order, and each at most once.
        let mut part = 0;
        while let Some(word) = self.next() {
            if self.at > start && !self.touches() {
                break;
            }
            match word.kind {
                Kind::Number(number) if part < 1 => {
                    (plain.number, part) = (if minus { -number } else { number }, 1);
                }
                Kind::Ups(ups) if part < 2 => (plain.ups, part) = (ups, 2),
                Kind::Star(nim) if part < 3 => (plain.nim, part) = (nim, 3),
                _ => break,
            }
            self.at += 1;
        }
        self.checked(start, |values| values.plain(plain)).map(Answer::Value)
    }

    /// `±` is read; what is doubled follows.
    fn switch(&mut self, start: usize) -> Result<Answer, ReadError> {
        let mut options = vec![];
        if self.is_next(Sign::OpenParen) {
            self.at += 1;
            options = self.list()?;
            self.close()?;
        } else {
            let (second, option) = (self.at, self.operand()?);
            options.push(self.value(option, second)?);
        }
        let switch = self.checked(start, |values| {
            let turned: Result<Vec<Value>, _> = options.iter().map(|&v| values.neg(v)).collect();
            values.form(&options, &turned?)
        })?;
        Ok(Answer::Value(switch))
    }

    /// `+_x` and `-_x`.
    fn tiny(&mut self, miny: bool) -> Result<Answer, ReadError> {
        let start = self.at;
        self.at += 1;
        let second = self.at;
        let weight = match self.next().map(|word| &word.kind) {
            Some(&Kind::Number(number)) => {
                self.at += 1;
                Answer::Number(number)
            }
            Some(Kind::Sign(Sign::OpenBrace | Sign::OpenParen) | Kind::Name(_)) => {
                self.nested(Reader::simple)?
            }
            _ => return self.fail("after `+_` and `-_` there is a number, or braces, or `(…)`"),
        };
        let weight = self.value(weight, second)?;
        let tiny = self.checked(start, |values| {
            let minus = values.neg(weight)?;
            let threat = values.form(&[Value::ZERO], &[minus])?;
            let tiny = values.form(&[Value::ZERO], &[threat])?;
            if miny { values.neg(tiny) } else { Ok(tiny) }
        })?;
        Ok(Answer::Value(tiny))
    }

    /// A form in braces.
    fn braces(&mut self) -> Result<Value, ReadError> {
        let open = self.at;
        let mut depth = 0usize;
        let close = (open..self.end).find(|&at| {
            match self.words[at].kind {
                Kind::Sign(Sign::OpenBrace) => depth += 1,
                Kind::Sign(Sign::CloseBrace) => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        let Some(close) = close else { return self.fail("this `{` has no `}`") };
        let end = self.end;
        (self.at, self.end) = (open + 1, close);
        let value = self.bars(open)?;
        (self.at, self.end) = (close + 1, end);
        Ok(value)
    }

    /// The bars between the next word and the end that stand in no inner braces.
    fn top_bars(&self) -> Vec<(usize, usize)> {
        let mut depth = 0usize;
        let mut bars = vec![];
        for at in self.at..self.end {
            match self.words[at].kind {
                Kind::Sign(Sign::OpenBrace | Sign::OpenParen) => depth += 1,
                Kind::Sign(Sign::CloseBrace | Sign::CloseParen) => depth = depth.saturating_sub(1),
                Kind::Bar(length) if depth == 0 => bars.push((length, at)),
                _ => {}
            }
        }
        bars
    }

    /// A form up to the end: its longest bar divides it.
    fn bars(&mut self, open: usize) -> Result<Value, ReadError> {
        let (start, end) = (self.at, self.end);
        let bars = self.top_bars();
        let longest = bars.iter().map(|&(length, _)| length).max();
        let mut dividing = bars.iter().filter(|&&(length, _)| Some(length) == longest);
        let Some(&(length, middle)) = dividing.next() else {
            let span = self.words[open].span.start..self.words[end - 1].span.end;
            let message = "there is no `|` between the options of Left and of Right".into();
            return Err(ReadError { message, span });
        };
        if let Some(&(_, second)) = dividing.next() {
            self.at = second;
            let bar = "|".repeat(length.min(20));
            return self.fail(format!(
                "there are two `{bar}` between the same braces: the outer one is longer, as in \
                 `{{2||1|0}}`"
            ));
        }
        self.nested(|reader| {
            (reader.at, reader.end) = (start, middle);
            let left = reader.side()?;
            (reader.at, reader.end) = (middle + 1, end);
            let right = reader.side()?;
            reader.checked(open, |values| values.form(&left, &right))
        })
    }

    /// One side of a form up to the end.
    fn side(&mut self) -> Result<Vec<Value>, ReadError> {
        if self.at == self.end {
            return Ok(vec![]);
        }
        if !self.top_bars().is_empty() {
            return Ok(vec![self.bars(self.at)?]);
        }
        let list = self.list()?;
        if self.at < self.end { self.unexpected() } else { Ok(list) }
    }

    /// Values with commas.
    fn list(&mut self) -> Result<Vec<Value>, ReadError> {
        let mut list = vec![];
        loop {
            let start = self.at;
            let answer = self.sum()?;
            list.push(self.value(answer, start)?);
            if !self.is_next(Sign::Comma) {
                return Ok(list);
            }
            self.at += 1;
        }
    }

    /// A variable, or a function and what it takes.
    fn name(&mut self, name: &str) -> Result<Answer, ReadError> {
        let start = self.at;
        self.at += 1;
        if !self.is_next(Sign::OpenParen) {
            if let Some(&value) = self.variables.get(name) {
                return Ok(Answer::Value(value));
            }
            self.at = start;
            let known = self.variables.keys().map(String::as_str);
            return self.fail(functions::unknown(name, known));
        }
        let Some(function) = functions::function(name) else {
            self.at = start;
            return self.fail(functions::unknown(name, std::iter::empty()));
        };
        self.at += 1;
        let mut taken = vec![];
        if !self.is_next(Sign::CloseParen) {
            taken = self.list()?;
        }
        self.close()?;
        if !function.takes.contains(&taken.len()) {
            let message = format!("this is used as `{}`", function.usage);
            return Err(ReadError { message, span: self.since(start) });
        }
        (function.work)(self.values, &taken).map_err(|why| {
            let span = self.since(start);
            match why {
                Refusal::TooLarge(why) => refused(why, span),
                Refusal::Unfit(why) => ReadError { message: why.into(), span },
            }
        })
    }
}
