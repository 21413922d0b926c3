//! Payoffs that a person types, as whole numbers over one denominator.
//!
//! A payoff is a whole number, a decimal or a fraction like `1/3`. Games with joint moves count in
//! whole numbers, of which [`foregone_model::Joint::unit`] make one point.

use std::ops::Range;

use foregone_model::number::{gcd, read_number};
use foregone_model::ratio::{Big, Ratio};
use foregone_model::{Fraction, TextError};

/// A number of more characters than this is refused.
const LONGEST: usize = 100;

/// The denominator and all numerators stay below this power of two: sums and differences of some
/// of them fit 64 bits.
const BITS: usize = 40;

/// A number and where it stands.
pub(crate) struct Payoff {
    number: Ratio,
    span: Range<usize>,
}

impl Payoff {
    /// Reads the number that begins at byte `at` of the text.
    pub(crate) fn read(word: &str, at: usize) -> Result<Payoff, TextError> {
        let span = at..at + word.len();
        if word.is_empty() {
            return Err(TextError::new("a payoff is missing", span));
        }
        if word.len() > LONGEST {
            let message = format!("the payoff has more than {LONGEST} characters");
            return Err(TextError::new(message, span));
        }
        match read_number(word) {
            Ok(number) => Ok(Payoff { number, span }),
            Err(error) => Err(TextError::new(format!("`{word}` {error}"), span)),
        }
    }
}

/// The least common denominator, and the numerators over it.
pub(crate) fn numerators(payoffs: &[Payoff]) -> Result<(i64, Vec<i64>), TextError> {
    let largest = Big::ONE << BITS;
    let small = |n: &Big| *n < largest && -n.clone() < largest;
    let mut common = Big::ONE;
    for payoff in payoffs {
        let own = &payoff.number.den();
        common = own / gcd(&common, own) * common;
        if !small(&common) {
            let message =
                format!("the payoffs up to here have no common denominator below 2^{BITS}");
            return Err(TextError::new(message, payoff.span.clone()));
        }
    }
    let mut whole = Vec::with_capacity(payoffs.len());
    for payoff in payoffs {
        let numerator = &common / payoff.number.den() * payoff.number.numerator();
        match i64::try_from(&numerator) {
            Ok(n) if small(&numerator) => whole.push(n),
            _ => {
                let message = if common == Big::ONE {
                    format!("the payoff is too large, expected less than 2^{BITS}")
                } else {
                    format!("the payoff is too large: over {common} it is not below 2^{BITS}")
                };
                return Err(TextError::new(message, payoff.span.clone()));
            }
        }
    }
    // `small` holds for it.
    let unit = i64::try_from(&common).unwrap_or(i64::MAX);
    Ok((unit, whole))
}

/// How a payoff of so many of `unit` is written.
pub(crate) fn text(payoff: i64, unit: i64) -> String {
    Ratio::new(payoff, unit).map_or_else(String::new, |ratio| ratio.to_string())
}

/// A drawing of a table: every column is as wide as its widest entry, two blanks before it.
pub(crate) fn table(lines: &[Vec<String>]) -> String {
    let mut widths = Vec::new();
    for line in lines {
        widths.resize(line.len().max(widths.len()), 0);
        for (width, text) in widths.iter_mut().zip(line) {
            *width = text.chars().count().max(*width);
        }
    }
    let mut out = String::new();
    for line in lines {
        for (text, width) in line.iter().zip(&widths) {
            out.push_str(&format!("  {text:>width$}"));
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<(i64, Vec<i64>), TextError> {
        let payoffs: Result<Vec<Payoff>, _> =
            words.iter().enumerate().map(|(i, word)| Payoff::read(word, i)).collect();
        numerators(&payoffs?)
    }

    #[test]
    fn fractions_come_to_one_denominator() {
        assert_eq!(read(&["3", "-0.25", "1/6"]), Ok((12, vec![36, -3, 2])));
        assert_eq!(read(&["4/2", "-7"]), Ok((1, vec![2, -7])));
        assert_eq!(text(-3, 12), "-1/4");
        assert_eq!(text(24, 12), "2");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (words, at, what) in [
            (vec!["1", ""], 1..1, "missing"),
            (vec!["x"], 0..1, "is not a number"),
            (vec!["1/0"], 0..3, "denominator 0"),
            (vec!["1099511627775", "1099511627776"], 1..14, "too large"),
            (vec!["0", "-1099511627776"], 1..15, "too large"),
            (vec!["1/3", "1e12"], 1..5, "over 3"),
            (vec!["1/1048573", "1", "1/1048571", "1/3"], 3..6, "no common denominator"),
            (vec!["1e400"], 0..5, "too large"),
            (vec!["1e-400"], 0..6, "no common denominator"),
        ] {
            let error = read(&words).unwrap_err();
            assert_eq!(error.span, at, "{words:?}");
            assert!(error.message.contains(what), "{}", error.message);
        }
        let long = "1".repeat(LONGEST + 1);
        assert!(read(&[&long]).unwrap_err().message.contains("more than 100"));
    }
}
