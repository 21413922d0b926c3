//! Whole numbers of any size and fractions of them: those of the crates `dashu-int` and
//! `dashu-ratio`, which keep small numbers in place. Fractions are in lowest terms, so equal numbers
//! are written equally.

use dashu_int::ops::BitTest;

/// A whole number of any size.
pub type Big = dashu_int::IBig;

/// A fraction in lowest terms, with a positive denominator.
pub type Ratio = dashu_ratio::RBig;

/// The longest number that is read, in digits: reading takes the square of it.
pub const MOST_DIGITS: usize = 20_000;

/// A whole number of digits and nothing else.
pub fn whole(text: &str) -> Option<Big> {
    // The crate would also take signs and underscores.
    let plain = !text.is_empty() && text.len() <= MOST_DIGITS;
    let digits = plain && text.bytes().all(|b| b.is_ascii_digit());
    if digits { Big::from_str_radix(text, 10).ok() } else { None }
}

/// A fraction as it is written: `-1/3`, or a whole number.
pub fn fraction(text: &str) -> Option<Ratio> {
    let size = text.strip_prefix('-').unwrap_or(text);
    let (num, den) = size.split_once('/').unwrap_or((size, "1"));
    let (num, den) = (whole(num)?, whole(den)?);
    let num = if size.len() < text.len() { -num } else { num };
    let ratio = (den > Big::ZERO).then(|| Ratio::from_parts_signed(num, den));
    ratio.filter(|ratio| ratio.to_string() == text)
}

/// How many bits the numerator and the denominator have together.
pub fn bits(ratio: &Ratio) -> usize {
    ratio.numerator().bit_len() + ratio.denominator().bit_len()
}
