//! Fractions of whole numbers of any size, for payoffs, probabilities and values that are exact.
//!
//! The whole numbers are those of the crate `dashu-int`, which keeps them in place up to 128 bits:
//! the small numbers of small games cost no memory on the heap. No other file names the crate.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Sub};
use std::str::FromStr;

use dashu_int::ops::{Abs, BitTest, DivRem, Gcd};

/// A whole number of any size.
pub type Big = dashu_int::IBig;

/// A fraction in lowest terms, with a positive denominator. So equal numbers are written equally.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    num: Big,
    den: Big,
}

/// The greatest common divisor, which is not negative.
pub fn gcd(a: &Big, b: &Big) -> Big {
    // The crate has no divisor for two zeros.
    if a.is_zero() && b.is_zero() { Big::ZERO } else { Big::from(a.gcd(b)) }
}

impl Ratio {
    /// The number 0.
    pub const ZERO: Ratio = Ratio { num: Big::ZERO, den: Big::ONE };
    /// The number 1.
    pub const ONE: Ratio = Ratio { num: Big::ONE, den: Big::ONE };

    /// A fraction, if its denominator is not 0.
    pub fn new(numerator: i64, denominator: i64) -> Option<Ratio> {
        (denominator != 0).then(|| Ratio::lowest(numerator.into(), denominator.into()))
    }

    /// A fraction whose denominator is not 0, in lowest terms.
    pub fn lowest(num: Big, den: Big) -> Ratio {
        debug_assert!(!den.is_zero());
        let common = gcd(&num, &den);
        let common = if den < Big::ZERO { -common } else { common };
        if common.is_one() {
            return Ratio { num, den };
        }
        Ratio { num: num / &common, den: den / common }
    }

    /// What a floating point number stands for exactly, if it is finite.
    pub fn from_f64(x: f64) -> Option<Ratio> {
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
            Ratio { num: num * power, den: Big::ONE }
        })
    }

    /// The nearest floating point number.
    pub fn to_f64(&self) -> f64 {
        if self.num.is_zero() {
            return 0.0;
        }
        // A quotient of 66 bits or more, whose last bit stands for all that is lost after it, is
        // rounded as the fraction itself would be.
        let length = |n: &Big| n.bit_len() as i64;
        let shift = 66 + length(&self.den) - length(&self.num);
        let by = shift.unsigned_abs() as usize;
        let (num, den) = ((&self.num).abs(), self.den.clone());
        let (num, den) = if shift < 0 { (num, den << by) } else { (num << by, den) };
        let (mut quotient, rest) = num.div_rem(den);
        if !rest.is_zero() {
            quotient |= Big::ONE;
        }
        // Two steps, for a power of two that no floating point number holds.
        let power = (-shift).clamp(-4000, 4000) as i32;
        let size = quotient.to_f64().value() * 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
        if self.num < Big::ZERO { -size } else { size }
    }

    /// This number divided by another one that is not 0.
    pub fn over(&self, other: &Ratio) -> Option<Ratio> {
        let zero = other.num.is_zero();
        (!zero).then(|| Ratio::lowest(&self.num * &other.den, &self.den * &other.num))
    }

    /// How many bits the numerator and the denominator have together.
    pub fn bits(&self) -> usize {
        self.num.bit_len() + self.den.bit_len()
    }

    /// Whether the number is below 0.
    pub fn is_negative(&self) -> bool {
        self.num < Big::ZERO
    }

    /// The numerator, in lowest terms.
    pub fn numerator(&self) -> &Big {
        &self.num
    }

    /// The denominator, in lowest terms: positive.
    pub fn denominator(&self) -> &Big {
        &self.den
    }
}

impl From<i64> for Ratio {
    fn from(n: i64) -> Ratio {
        Ratio { num: n.into(), den: Big::ONE }
    }
}

impl Add for &Ratio {
    type Output = Ratio;

    fn add(self, other: &Ratio) -> Ratio {
        Ratio::lowest(&self.num * &other.den + &other.num * &self.den, &self.den * &other.den)
    }
}

impl Sub for &Ratio {
    type Output = Ratio;

    fn sub(self, other: &Ratio) -> Ratio {
        Ratio::lowest(&self.num * &other.den - &other.num * &self.den, &self.den * &other.den)
    }
}

impl Mul for &Ratio {
    type Output = Ratio;

    fn mul(self, other: &Ratio) -> Ratio {
        Ratio::lowest(&self.num * &other.num, &self.den * &other.den)
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        (&self.num * &other.den).cmp(&(&other.num * &self.den))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den.is_one() {
            return write!(f, "{}", self.num);
        }
        write!(f, "{}/{}", self.num, self.den)
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
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NumberError::Form => "is not a number like 3, -0.25 or 1/3",
            NumberError::Zero => "has the denominator 0",
            NumberError::Exponent => "has an exponent that is too large",
        })
    }
}

impl std::error::Error for NumberError {}

/// Exponents beyond this one are refused: ten letters could ask for a gigabyte of digits.
const EXPONENT: i32 = 400;

/// Whole numbers, decimals (with an exponent, too) and fractions of whole numbers.
impl FromStr for Ratio {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Ratio, NumberError> {
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
}

/// A number without a sign, of digits and nothing else.
fn digits(text: &str) -> Result<Big, NumberError> {
    // The crate would also take signs and underscores.
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NumberError::Form);
    }
    Big::from_str_radix(text, 10).map_err(|_| NumberError::Form)
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
