//! Random and mutated texts, the same ones every time. The tests of the program use it, too.

use std::time::{Duration, Instant};

use foregone::model::Rng;

/// Says which input it was, when one makes the program panic.
pub(crate) struct Trying<'a> {
    pub(crate) what: &'a str,
    pub(crate) input: &'a [u8],
}

impl Drop for Trying<'_> {
    #[expect(clippy::print_stdout, reason = "this is how a failed test shows its input")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("{}: {:?}", self.what, String::from_utf8_lossy(self.input));
        }
    }
}

/// The source of inputs, and how many there were.
pub(crate) struct Fuzz {
    pub(crate) rng: Rng,
    pub(crate) tried: u64,
    /// Those that were read, or accepted.
    pub(crate) taken: u64,
    until: Instant,
    /// Every loop goes round so often, however short the time.
    least: u32,
}

impl Fuzz {
    pub(crate) fn new(name: &str, time: Duration) -> Fuzz {
        let seed = name.bytes().fold(2013, |h: u64, b| h.wrapping_mul(31).wrapping_add(b.into()));
        Fuzz { rng: Rng::new(seed), tried: 0, taken: 0, until: Instant::now() + time, least: 20 }
    }

    pub(crate) fn goes_on(&mut self) -> bool {
        self.least = self.least.saturating_sub(1);
        self.least > 0 || Instant::now() < self.until
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u32) as usize
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }

    /// A character that means something somewhere, or one that hardly anything expects.
    pub(crate) fn character(&mut self) -> char {
        const PLAIN: &[u8] = b" .#xowb/,:-+=!?@_[]()'\"0123456789abcdehilmnrstvxyABXZ";
        const ODD: &[char] = &[
            'é', 'ß', '☃', '𝄞', '٣', 'İ', '\0', '\n', '\r', '\t', '\u{202e}', '\u{feff}', '\u{a0}',
            '\u{301}', '…', '×',
        ];
        if self.one_in(6) { *self.pick(ODD) } else { *self.pick(PLAIN) as char }
    }

    /// A text that differs from this one in some small ways; `others` are good for pieces.
    pub(crate) fn mutate(&mut self, text: &str, others: &[String]) -> String {
        const NUMBERS: &[&str] =
            &["", "0", "1", "-1", "00", "007", "+3", "255", "256", "65536", "4294967296", "1e9"];
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..1 + self.below(3) {
            let at = self.below(chars.len() + 1);
            let end = at + self.below((chars.len() - at).min(12) + 1);
            match self.below(10) {
                0 => chars.insert(at, self.character()),
                1 if at < chars.len() => chars[at] = self.character(),
                2 => drop(chars.drain(at..end)),
                3 => {
                    let copy = chars[at..end].to_vec();
                    chars.splice(at..at, copy);
                }
                4 if end > at => chars.swap(at, end - 1),
                5 if self.one_in(4) => chars.truncate(at),
                6 => {
                    let other: Vec<char> = self.pick(others).chars().collect();
                    let from = self.below(other.len() + 1);
                    let to = from + self.below(other.len() - from + 1);
                    chars.splice(at..end, other[from..to].iter().copied());
                }
                7 => {
                    let digit = |c: &char| c.is_ascii_digit();
                    let first = at + chars[at..].iter().take_while(|c| !digit(c)).count();
                    let last = first + chars[first..].iter().take_while(|c| digit(c)).count();
                    chars.splice(first..last, self.pick(NUMBERS).chars());
                }
                8 if self.one_in(20) => {
                    let long = vec![self.character(); 1 + self.below(3000)];
                    chars.splice(at..at, long);
                }
                _ => chars.push(self.character()),
            }
        }
        chars.into_iter().collect()
    }

    /// A text that has nothing to do with anything.
    pub(crate) fn noise(&mut self) -> String {
        (0..self.below(24)).map(|_| self.character()).collect()
    }

    /// One of the texts, as it is, mutated, or noise instead of it.
    pub(crate) fn input(&mut self, texts: &[String]) -> String {
        self.tried += 1;
        let text = self.pick(texts).clone();
        match self.below(16) {
            0 => text,
            1 => self.noise(),
            _ => self.mutate(&text, texts),
        }
    }
}
