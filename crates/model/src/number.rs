//! Numbers as people type and read them: decimals, exponents, floating point.
//!
//! Nothing of this is needed to check a proof, whose numbers are fractions.

use std::fmt;

use dashu_int::ops::{Abs, BitTest, DivRem, Gcd};
use foregone_proof::ratio::{Big, MOST_DIGITS, Ratio, whole};

/// 1,234,567.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// One claim, two claims.
pub fn counted(n: u64, word: &str) -> String {
    format!("{} {word}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// What is done with fractions beyond checking proofs.
pub trait Fraction: Sized {
    /// A fraction, if its denominator is not 0.
    fn new(numerator: i64, denominator: i64) -> Option<Self>;
    /// A fraction whose denominator is not 0, in lowest terms.
    fn lowest(num: Big, den: Big) -> Self;
    /// The denominator, as a number with a sign: positive.
    fn den(&self) -> Big;
    /// Whether the number is below 0.
    fn is_negative(&self) -> bool;
    /// What a floating point number stands for exactly, if it is finite.
    fn from_f64(x: f64) -> Option<Self>;
    /// The nearest floating point number.
    fn as_f64(&self) -> f64;
}

/// The greatest common divisor, which is not negative.
pub fn gcd(a: &Big, b: &Big) -> Big {
    // The crate has no divisor for two zeros.
    if a.is_zero() && b.is_zero() { Big::ZERO } else { Big::from(a.gcd(b)) }
}

impl Fraction for Ratio {
    fn new(numerator: i64, denominator: i64) -> Option<Ratio> {
        (denominator != 0).then(|| Ratio::lowest(numerator.into(), denominator.into()))
    }

    fn lowest(num: Big, den: Big) -> Ratio {
        Ratio::from_parts_signed(num, den)
    }

    fn den(&self) -> Big {
        Big::from(self.denominator().clone())
    }

    fn is_negative(&self) -> bool {
        *self.numerator() < Big::ZERO
    }

    fn from_f64(x: f64) -> Option<Ratio> {
        if !x.is_finite() {
            return None;
        }
        // Sign, eleven bits of exponent, 52 of mantissa; the smallest exponent has no hidden bit.
        let bits = x.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        let shift = exponent.max(1) - 1075;
        let num = if x < 0.0 { -Big::from(mantissa) } else { Big::from(mantissa) };
        let power = Big::ONE << shift.unsigned_abs() as usize;
        Some(if shift < 0 {
            Ratio::lowest(num, power)
        } else {
            Ratio::lowest(num * power, Big::ONE)
        })
    }

    fn as_f64(&self) -> f64 {
        if self.numerator().is_zero() {
            return 0.0;
        }
        // A quotient of 66 bits or more, whose last bit stands for all that is lost after it, is
        // rounded as the fraction itself would be.
        let length = |n: &Big| n.bit_len() as i64;
        let shift = 66 + length(&self.den()) - length(self.numerator());
        let by = shift.unsigned_abs() as usize;
        let (num, den) = (self.numerator().abs(), self.den());
        let (num, den) = if shift < 0 { (num, den << by) } else { (num << by, den) };
        let (mut quotient, rest) = num.div_rem(den);
        if !rest.is_zero() {
            quotient |= Big::ONE;
        }
        // Two steps, for a power of two that no floating point number holds.
        let power = (-shift).clamp(-4000, 4000) as i32;
        let size = quotient.to_f64().value() * 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
        if self.is_negative() { -size } else { size }
    }
}

/// Why a text is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// It has none of the forms of a number.
    Form,
    /// It is a fraction with denominator 0.
    Zero,
    /// Its power of ten is out of bounds.
    Exponent,
    /// It has too many digits.
    Long,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NumberError::Long => return write!(f, "has more than {MOST_DIGITS} digits"),
            NumberError::Form => "is not a number like 3, -0.25 or 1/3",
            NumberError::Zero => "has the denominator 0",
            NumberError::Exponent => "has an exponent that is too large",
        })
    }
}

impl std::error::Error for NumberError {}

/// Exponents beyond this one are refused: ten letters could ask for a gigabyte of digits.
const EXPONENT: i32 = 400;

/// Reads a whole number, a decimal (with an exponent, too) or a fraction of whole numbers.
pub fn read_number(text: &str) -> Result<Ratio, NumberError> {
    let (minus, size) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let (num, den) = match size.split_once('/') {
        Some((num, den)) => (digits(num)?, digits(den)?),
        None => decimal(size)?,
    };
    if den.is_zero() {
        return Err(NumberError::Zero);
    }
    Ok(Ratio::lowest(if minus { -num } else { num }, den))
}

/// A number without a sign, of digits and nothing else.
fn digits(text: &str) -> Result<Big, NumberError> {
    match whole(text) {
        Some(number) => Ok(number),
        None if text.len() > MOST_DIGITS => Err(NumberError::Long),
        None => Err(NumberError::Form),
    }
}

/// A decimal number without a sign, as a fraction.
fn decimal(text: &str) -> Result<(Big, Big), NumberError> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            let number = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
            digits(number)?;
            let size = number.parse().unwrap_or(i32::MAX);
            if size > EXPONENT {
                return Err(NumberError::Exponent);
            }
            (mantissa, if exponent.starts_with('-') { -size } else { size })
        }
        None => (text, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let num = digits(&[whole, part].concat())?;
    let ten = |power: usize| Big::from(10).pow(power);
    let (up, down) = (exponent.max(0) as usize, part.len() + (-exponent).max(0) as usize);
    Ok((num * ten(up), ten(down)))
}
