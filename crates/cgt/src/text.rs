//! Values as text, in the usual notation.
//!
//! | text | value |
//! |---|---|
//! | `3/4`, `^`, `^3`, `v`, `v2`, `*`, `*2` | numbers, ups, downs, nimbers |
//! | `1/2^3*2`, `-1v*` | their sums, in this order; a sign belongs to the number |
//! | `{a,b\|c}` | a form with left options a and b, and the right option c |
//! | `{2\|\|1\|0}` | the same as `{2\|{1\|0}}`: the longest bar divides first |
//! | `±1`, `±(1,{2\|0})` | forms whose right options are the negatives of the left ones |
//! | `+_x`, `-_x` | tiny `{0\|\|0\|-x}` and miny `{x\|0\|\|0}` |

use rustc_hash::FxHashMap;

use crate::error::TooLarge;
use crate::number::Dyadic;
use crate::plain::Plain;
use crate::values::{Value, Values};

/// How long a text may be.
pub(crate) const MOST_TEXT: usize = 1 << 16;

/// Longer bars are not written: what is nested more deeply has braces.
const LONGEST_BAR: usize = 3;

/// A value as text, and what belongs around it where it stands.
struct Written {
    text: String,
    /// The length of its longest bar, if it has braces, which `text` leaves out.
    bar: usize,
}

impl Written {
    fn whole(text: String) -> Written {
        Written { text, bar: 0 }
    }

    /// With braces.
    fn closed(self) -> String {
        if self.bar > 0 { format!("{{{}}}", self.text) } else { self.text }
    }
}

/// A value, or its negative: the same with the sides exchanged.
#[derive(Clone, Copy)]
struct Seen {
    value: Value,
    turned: bool,
}

/// The writer of one text.
struct Writer<'a> {
    values: &'a Values,
    most: usize,
    mirrored: FxHashMap<(Value, Value), bool>,
}

impl Values {
    /// The value as text, which [`Values::read`] reads. Refused if it is longer than 65,536 bytes.
    pub fn text(&self, value: Value) -> Result<String, TooLarge> {
        self.text_up_to(value, MOST_TEXT)
    }

    /// The value as text of at most so many bytes.
    pub fn text_up_to(&self, value: Value, most: usize) -> Result<String, TooLarge> {
        let mut writer = Writer { values: self, most, mirrored: FxHashMap::default() };
        let text = writer.write(Seen { value, turned: false })?.closed();
        if text.len() > most { Err(TooLarge::Text) } else { Ok(text) }
    }
}

/// A plain value as text.
fn plain_text(plain: Plain) -> String {
    let Plain { number, ups, nim } = plain;
    let mut text = match number == Dyadic::ZERO && (ups, nim) != (0, 0) {
        true => String::new(),
        false => number.to_string(),
    };
    let counted = |sign: char, n: u32| match n {
        0 => String::new(),
        1 => sign.to_string(),
        n => format!("{sign}{n}"),
    };
    text += &counted(if ups > 0 { '^' } else { 'v' }, ups.unsigned_abs());
    text + &counted('*', nim)
}

impl Writer<'_> {
    fn write(&mut self, seen: Seen) -> Result<Written, TooLarge> {
        if let Some(plain) = self.values.as_plain(seen.value) {
            return Ok(Written::whole(plain_text(if seen.turned {
                plain.negative()
            } else {
                plain
            })));
        }
        let written = match self.tiny(seen) {
            Some((sign, weight)) => {
                let text = match self.write(weight)? {
                    it if it.bar > 0 || self.values.as_number(weight.value).is_some() => {
                        it.closed()
                    }
                    it => format!("({})", it.text),
                };
                Written::whole(format!("{sign}_{text}"))
            }
            None if self.are_mirrored(seen.value, seen.value) => self.switch(seen)?,
            None => self.form(seen)?,
        };
        if written.text.len() > self.most { Err(TooLarge::Text) } else { Ok(written) }
    }

    fn options(&self, value: Value, right: bool) -> &[Value] {
        self.values.store.options(value, right)
    }

    fn count(&self, seen: Seen, right: bool) -> usize {
        self.options(seen.value, right != seen.turned).len()
    }

    fn option(&self, seen: Seen, right: bool, i: usize) -> Seen {
        Seen { value: self.options(seen.value, right != seen.turned)[i], ..seen }
    }

    /// The only option on one side.
    fn only(&self, seen: Seen, right: bool) -> Option<Seen> {
        (self.count(seen, right) == 1).then(|| self.option(seen, right, 0))
    }

    /// Is it `{0||0|-x}` or `{x|0||0}`? Then the sign, and x.
    fn tiny(&self, seen: Seen) -> Option<(char, Seen)> {
        let zero = |seen: Option<Seen>| seen.is_some_and(|seen| seen.value == Value::ZERO);
        [true, false].into_iter().find_map(|right| {
            let inner = self.only(seen, right)?;
            let plain = self.values.as_plain(inner.value).is_some();
            if plain || !zero(self.only(seen, !right)) || !zero(self.only(inner, !right)) {
                return None;
            }
            let threat = self.only(inner, right)?;
            let weight = Seen { turned: threat.turned != right, ..threat };
            Some((if right { '+' } else { '-' }, weight))
        })
    }

    /// A form whose right options are the negatives of its left ones.
    fn switch(&mut self, seen: Seen) -> Result<Written, TooLarge> {
        let text = match self.only(seen, false) {
            Some(option) => {
                let plain = self.values.as_plain(option.value).is_some();
                match self.write(option)? {
                    it if it.bar > 0 || plain => it.closed(),
                    it => format!("({})", it.text),
                }
            }
            None => format!("({})", self.side(seen, false)?.text),
        };
        Ok(Written::whole(format!("±{text}")))
    }

    fn form(&mut self, seen: Seen) -> Result<Written, TooLarge> {
        let left = self.side(seen, false)?;
        let right = self.side(seen, true)?;
        let bar = left.bar.max(right.bar) + 1;
        Ok(Written { text: format!("{}{}{}", left.text, "|".repeat(bar), right.text), bar })
    }

    /// One side of a form: its options with commas, or what is between the braces of the only one.
    fn side(&mut self, seen: Seen, right: bool) -> Result<Written, TooLarge> {
        if let Some(option) = self.only(seen, right) {
            return Ok(match self.write(option)? {
                it if it.bar < LONGEST_BAR => it,
                it => Written::whole(it.closed()),
            });
        }
        let mut texts = vec![];
        let mut length = 0;
        for i in 0..self.count(seen, right) {
            let option = self.option(seen, right, i);
            let text = self.write(option)?.closed();
            length += text.len() + 1;
            if length > self.most + 1 {
                return Err(TooLarge::Text);
            }
            texts.push((self.values.birthday(option.value), text));
        }
        texts.sort_unstable();
        let texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
        Ok(Written::whole(texts.join(",")))
    }

    /// Are they each other's negative? Asked of canonical forms, this is a look at the options.
    fn are_mirrored(&mut self, a: Value, b: Value) -> bool {
        if let (Some(a), Some(b)) = (self.values.as_plain(a), self.values.as_plain(b)) {
            return a == b.negative();
        }
        if let Some(negative) = self.values.store.negative(a) {
            return negative == b;
        }
        let (x, y) = (self.values.store.node(a), self.values.store.node(b));
        let counts = |value, right| self.options(value, right).len();
        let alike = x.left_stop() == y.right_stop().negative()
            && x.right_stop() == y.left_stop().negative()
            && (x.birthday, x.plain().is_some()) == (y.birthday, y.plain().is_some())
            && (counts(a, false), counts(a, true)) == (counts(b, true), counts(b, false));
        if !alike {
            return false;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.mirrored.get(&key) {
            return known;
        }
        let answer = [false, true].into_iter().all(|right| {
            (0..self.options(a, right).len()).all(|i| {
                let option = self.options(a, right)[i];
                (0..self.options(b, !right).len()).any(|j| {
                    let other = self.options(b, !right)[j];
                    self.are_mirrored(option, other)
                })
            })
        });
        self.mirrored.insert(key, answer);
        answer
    }
}
