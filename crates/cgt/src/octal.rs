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
const MOST_BEANS: usize = 1 << 24;

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
///
/// They are found by mex, with an observation of *Winning Ways*, the sparse space: there is mostly a
/// set of bits such that few heaps have an even number of them in their value. Call these rare. The
/// sum of two values is odd if and only if one of the heaps is rare. So a look at the rare heaps tells
/// which odd values the options have. Then only the even values below the first free odd one are in
/// question, and they are soon met. The answer is exact for any set of bits; only the time depends on
/// it.
#[derive(Clone, Debug)]
pub struct Grundy {
    code: Code,
    values: Vec<u32>,
    /// For each value the last heap that has an option of it.
    seen: Vec<u32>,
    /// The bits that are counted.
    bits: u32,
    /// The heaps that have an even number of these bits in their value, without the empty one.
    rare: Vec<u32>,
    /// How many values are known when the bits are chosen anew.
    next_choice: usize,
}

impl Grundy {
    /// Only that of no heap, which is 0.
    pub fn new(code: Code) -> Grundy {
        let (values, seen) = (vec![0], vec![0; 64]);
        Grundy { code, values, seen, bits: 0, rare: vec![], next_choice: 32 }
    }

    /// The game.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// The values of the heaps 0, 1, 2, ... that are known.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Finds the values of all heaps of at most `n` beans. Each option that is looked at costs a step;
    /// without enough of them what was found so far stays.
    pub fn extend(&mut self, n: usize, steps: &mut u64) -> Result<(), TooLarge> {
        if n > MOST_BEANS {
            return Err(TooLarge::Options);
        }
        while self.values.len() <= n {
            if *steps == 0 {
                return Err(TooLarge::Steps);
            }
            if self.values.len() >= self.next_choice {
                self.choose_bits();
            }
            let heap = self.values.len();
            let (value, looks) = self.mex(heap);
            *steps = steps.saturating_sub(looks);
            self.values.push(value);
            if self.is_even(value) {
                self.rare.push(heap as u32);
            }
            // Sums of two known values stay below the next power of two.
            let room = (value as usize + 2).next_power_of_two() * 2;
            if self.seen.len() < room {
                self.seen.resize(room, 0);
            }
        }
        Ok(())
    }

    fn is_even(&self, value: u32) -> bool {
        (value & self.bits).count_ones().is_multiple_of(2)
    }

    /// Chooses the bits that make as few of the known heaps rare as there can be.
    fn choose_bits(&mut self) {
        // How many more heaps are even than odd, for every set of bits at once: the transform of
        // Walsh and Hadamard of the numbers of heaps of each value.
        let most = self.values.iter().max().map_or(0, |&value| value as usize);
        let mut excess = vec![0i64; (most + 1).next_power_of_two()];
        for &value in &self.values[1..] {
            excess[value as usize] += 1;
        }
        let mut half = 1;
        while half < excess.len() {
            for start in (0..excess.len()).step_by(2 * half) {
                for i in start..start + half {
                    let (a, b) = (excess[i], excess[i + half]);
                    (excess[i], excess[i + half]) = (a + b, a - b);
                }
            }
            half *= 2;
        }
        let best = (0..).zip(&excess).min_by_key(|&(_, &excess)| excess);
        self.bits = best.map_or(0, |(bits, _)| bits);
        let is_rare = |&heap: &u32| self.is_even(self.values[heap as usize]);
        self.rare = (1..self.values.len() as u32).filter(is_rare).collect();
        self.next_choice = self.values.len() * 2;
    }

    /// The value of a heap whose options are known, and how many of these were looked at.
    fn mex(&mut self, heap: usize) -> (u32, u64) {
        let mark = heap as u32;
        let mut looks = 1;
        // Step 1: moves that leave one heap or none, and those that leave a rare one.
        for (taken, digit) in self.code.digits.iter().enumerate().take(heap + 1) {
            let left = heap - taken;
            if digit & 1 != 0 && left == 0 {
                self.seen[0] = mark;
            }
            if digit & 2 != 0 && left > 0 && taken > 0 {
                self.seen[self.values[left] as usize] = mark;
            }
            if digit & 4 != 0 {
                for &rare in self.rare.iter().take_while(|&&rare| (rare as usize) < left) {
                    let (a, b) = (self.values[rare as usize], self.values[left - rare as usize]);
                    self.seen[(a ^ b) as usize] = mark;
                    looks += 1;
                }
            }
        }
        // Step 2: the first odd value that is free, and the even ones below it.
        let free = |value: &u32| self.seen.get(*value as usize) != Some(&mark);
        let end = self.seen.len() as u32;
        let odd = (0..end).find(|value| !self.is_even(*value) && free(value)).unwrap_or(end);
        let mut even = (0..odd).filter(|value| self.is_even(*value) && free(value)).count();
        // Step 3: other moves, until these even ones are met.
        for (taken, digit) in self.code.digits.iter().enumerate().take(heap + 1) {
            let left = heap - taken;
            if digit & 4 == 0 || left < 2 || even == 0 {
                continue;
            }
            let low = self.values[1..=left / 2].iter();
            let high = self.values[left - left / 2..left].iter().rev();
            for (a, b) in low.zip(high) {
                let sum = a ^ b;
                looks += 1;
                if self.seen[sum as usize] != mark {
                    self.seen[sum as usize] = mark;
                    // An odd one would have been met before.
                    even -= usize::from(sum < odd);
                    if even == 0 {
                        break;
                    }
                }
            }
        }
        let free = |value: &u32| self.seen.get(*value as usize) != Some(&mark);
        ((0..odd).find(free).unwrap_or(odd), looks)
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
