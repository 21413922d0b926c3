//! Octal games: heaps from which players take, and which they may split; their Grundy values, and
//! proofs that these repeat forever.
//!
//! A code such as 0.77 (Kayles) has a digit for each number k of beans that one may take. The digit is
//! a sum: 1 if taking k may leave no heap, 2 if it may leave one, 4 if it may leave two. The digit
//! before the point is for taking none, which must split the heap: 0 or 4.
//!
//! The theorem of R. K. Guy and C. A. B. Smith (*The G-values of various games*, 1956): let k be the
//! number of digits behind the point. If G(n + p) = G(n) for all n from m up to and without
//! 2m + p + k, then for all n from m on. For take an n from 2m + p + k on. Every move from n + p leaves
//! at least n + p - k beans, so a heap of at least m + p, which may have p fewer: that is a move from
//! n, of the same value by induction. Every move from n leaves a heap of at least m, which may have
//! p more.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::error::TooLarge;

/// How many digits a code may have behind the point.
const MOST_DIGITS: usize = 1000;

/// How large a heap may be.
const MOST_BEANS: usize = 1 << 26;

/// The code of an octal game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// For taking 0, 1, 2, ... beans; behind the point the last one is not zero.
    digits: Vec<u8>,
}

/// What is wrong with a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeError {
    /// What is wrong, with the digit in question.
    pub message: String,
    /// The bytes of the text that it is about.
    pub span: Range<usize>,
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CodeError {}

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Code, CodeError> {
        let wrong = |message: String, span: Range<usize>| Err(CodeError { message, span });
        let Some((before, after)) = text.split_once('.') else {
            let message = "an octal code has a point, as in `0.77`".into();
            return wrong(message, 0..text.len());
        };
        let first = match before {
            "" | "0" => 0,
            "4" => 4,
            _ => {
                let shown: String = before.chars().take(20).collect();
                let message = format!(
                    "`{shown}` before the point: it is 0, or 4 if a heap may be split and nothing taken"
                );
                return wrong(message, 0..before.len());
            }
        };
        let mut digits = vec![first];
        for (at, digit) in after.char_indices() {
            let at = before.len() + 1 + at;
            let span = at..at + digit.len_utf8();
            if digits.len() > MOST_DIGITS {
                return wrong(format!("more than {MOST_DIGITS} digits"), span);
            }
            match digit {
                '0'..='7' => digits.push(digit as u8 - b'0'),
                '8' | '9' | 'a'..='f' | 'A'..='F' => {
                    let message = format!(
                        "`{digit}` would leave three heaps: octal digits are 0 to 7, \
                         1 for no heap, 2 for one, 4 for two, or their sum"
                    );
                    return wrong(message, span);
                }
                _ => return wrong(format!("`{digit}` is no digit from 0 to 7"), span),
            }
        }
        while digits.len() > 1 && digits.last() == Some(&0) {
            digits.pop();
        }
        Ok(Code { digits })
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.", self.digits[0])?;
        self.digits[1..].iter().try_for_each(|digit| write!(f, "{digit}"))
    }
}

impl Code {
    /// For taking 0, 1, 2, ... beans.
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// How many beans a move takes at most.
    pub fn most_taken(&self) -> usize {
        self.digits.len() - 1
    }

    /// The heaps that a move from a heap of `n` may leave: two of them, the smaller one first. A heap
    /// that is not there has no beans.
    pub fn moves(&self, n: usize) -> Vec<(usize, usize)> {
        let mut moves = vec![];
        for (taken, digit) in self.digits.iter().enumerate().take(n + 1) {
            let left = n - taken;
            if digit & 1 != 0 && left == 0 && taken > 0 || digit & 2 != 0 && left > 0 {
                moves.push((0, left));
            }
            if digit & 4 != 0 {
                moves.extend((1..=left / 2).map(|a| (a, left - a)));
            }
        }
        moves
    }
}

/// The Grundy values of a game's heaps, as far as they were asked for.
#[derive(Clone, Debug)]
pub struct Grundy {
    code: Code,
    values: Vec<u32>,
    /// For each value the last heap that has an option of it.
    seen: Vec<u32>,
}

impl Grundy {
    /// Only that of no heap, which is 0.
    pub fn new(code: Code) -> Grundy {
        Grundy { code, values: vec![0], seen: vec![0; 64] }
    }

    /// The game.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// The values of the heaps 0, 1, 2, ... that are known.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Finds the values of all heaps of at most `n` beans, by mex. Each option costs a step; without
    /// enough of them what was found so far stays.
    pub fn extend(&mut self, n: usize, steps: &mut u64) -> Result<(), TooLarge> {
        if n > MOST_BEANS {
            return Err(TooLarge::Options);
        }
        while self.values.len() <= n {
            let heap = self.values.len();
            let cost = 1 + heap as u64 * self.code.digits.len().min(heap) as u64 / 2;
            *steps = steps.checked_sub(cost).ok_or(TooLarge::Steps)?;
            let value = self.mex(heap);
            self.values.push(value);
            // Sums of two known values stay below the next power of two.
            let room = (value as usize + 2).next_power_of_two() * 2;
            if self.seen.len() < room {
                self.seen.resize(room, 0);
            }
        }
        Ok(())
    }

    /// The value of a heap whose options are known.
    fn mex(&mut self, heap: usize) -> u32 {
        let mark = heap as u32;
        for (taken, digit) in self.code.digits.iter().enumerate().take(heap + 1) {
            let left = heap - taken;
            if digit & 1 != 0 && left == 0 {
                self.seen[0] = mark;
            }
            if digit & 2 != 0 && left > 0 && taken > 0 {
                self.seen[self.values[left] as usize] = mark;
            }
            if digit & 4 != 0 && left > 1 {
                let low = self.values[1..=left / 2].iter();
                let high = self.values[left - left / 2..left].iter().rev();
                for (a, b) in low.zip(high) {
                    self.seen[(a ^ b) as usize] = mark;
                }
            }
        }
        let free = self.seen.iter().position(|&seen| seen != mark);
        free.unwrap_or(self.seen.len()) as u32
    }

    /// The period that the known values prove, the shortest one. None if they prove none.
    pub fn period(&self) -> Option<Period> {
        let known = self.values.len();
        (1..=known / 2).find_map(|period| {
            let differs = |n: &usize| self.values[n + period] != self.values[*n];
            let start = (0..known - period).rev().find(differs).map_or(0, |n| n + 1);
            let found = Period { start, period };
            found.is_proved(&self.code, &self.values).then_some(found)
        })
    }

    /// Looks for a period among heaps of at most `most` beans: asks for more and more values until
    /// they prove one.
    pub fn find_period(
        &mut self,
        most: usize,
        steps: &mut u64,
    ) -> Result<Option<Period>, TooLarge> {
        let mut asked = 64.min(most);
        loop {
            self.extend(asked, steps)?;
            if let Some(period) = self.period() {
                return Ok(Some(period));
            }
            if asked == most {
                return Ok(None);
            }
            asked = (asked + asked / 4).min(most);
        }
    }
}

/// From one heap on, the values repeat forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// The first heap from which on they repeat. The one before it is the last exception.
    pub start: usize,
    /// After how many beans they repeat.
    pub period: usize,
}

impl Period {
    /// The largest heap whose value must be known, so that the theorem proves the period.
    pub fn needs(self, code: &Code) -> usize {
        // The last n that is compared is 2m + p + k - 1, with n + p.
        (2 * self.start + 2 * self.period + code.most_taken()).saturating_sub(1)
    }

    /// Do these values of the heaps 0, 1, 2, ... prove that they repeat so forever?
    pub fn is_proved(self, code: &Code, values: &[u32]) -> bool {
        let Period { start, period } = self;
        let end = 2 * start + period + code.most_taken();
        period > 0
            && self.needs(code) < values.len()
            && (start..end).all(|n| values[n + period] == values[n])
    }

    /// The value of any heap, by the values of the first ones; None if too few are given.
    pub fn value(self, values: &[u32], heap: usize) -> Option<u32> {
        let repeated = match heap.checked_sub(self.start) {
            Some(behind) if self.period > 0 => self.start + behind % self.period,
            _ => heap,
        };
        values.get(repeated).copied()
    }
}
