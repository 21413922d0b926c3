//! The words of a line.

use std::ops::Range;

use crate::number::Dyadic;
use crate::read::ReadError;

/// A word, without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A number without a sign.
    Number(Dyadic),
    /// Ups, or downs if negative.
    Ups(i32),
    /// A star and its size.
    Star(u32),
    /// A variable or a function.
    Name(String),
    /// So many bars in a row.
    Bar(usize),
    /// `>=` and the like.
    Compare(Compare),
    /// Any other sign.
    Sign(Sign),
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    AtLeast,
    AtMost,
    Above,
    Below,
    Equal,
    Differs,
    Confused,
}

/// Signs that mean one thing each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    OpenBrace,
    CloseBrace,
    OpenParen,
    CloseParen,
    Comma,
    Dot,
    Plus,
    Minus,
    PlusMinus,
    Tiny,
    Miny,
    /// A single `=`.
    Let,
}

/// A word and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) kind: Kind,
    pub(crate) span: Range<usize>,
}

impl Word {
    pub(crate) fn is(&self, sign: Sign) -> bool {
        self.kind == Kind::Sign(sign)
    }
}

/// Signs of more than one letter come before those that they begin with.
const SIGNS: [(&str, Kind); 29] = {
    use {Compare as C, Kind as K, Sign as S};
    [
        (">=", K::Compare(C::AtLeast)),
        ("<=", K::Compare(C::AtMost)),
        ("==", K::Compare(C::Equal)),
        ("!=", K::Compare(C::Differs)),
        ("<>", K::Compare(C::Confused)),
        ("≥", K::Compare(C::AtLeast)),
        ("≤", K::Compare(C::AtMost)),
        ("≠", K::Compare(C::Differs)),
        ("∥", K::Compare(C::Confused)),
        (">", K::Compare(C::Above)),
        ("<", K::Compare(C::Below)),
        ("=", K::Sign(S::Let)),
        ("+_", K::Sign(S::Tiny)),
        ("-_", K::Sign(S::Miny)),
        ("−_", K::Sign(S::Miny)),
        ("±", K::Sign(S::PlusMinus)),
        ("+", K::Sign(S::Plus)),
        ("-", K::Sign(S::Minus)),
        ("−", K::Sign(S::Minus)),
        ("{", K::Sign(S::OpenBrace)),
        ("}", K::Sign(S::CloseBrace)),
        ("(", K::Sign(S::OpenParen)),
        (")", K::Sign(S::CloseParen)),
        (",", K::Sign(S::Comma)),
        (".", K::Sign(S::Dot)),
        ("·", K::Sign(S::Dot)),
        ("⇑", K::Ups(2)),
        ("⇓", K::Ups(-2)),
        ("⋆", K::Star(1)),
    ]
};

/// Signs of ups and downs, which a count may follow.
const ARROWS: [(char, i32); 3] = [('^', 1), ('↑', 1), ('↓', -1)];

/// The words of a text.
pub(crate) fn words(text: &str) -> Result<Vec<Word>, ReadError> {
    let mut words = vec![];
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = word(text, at)?;
        words.push(Word { kind, span: at..at + length });
        at += length;
    }
    Ok(words)
}

/// The word that begins at a place, and its length.
fn word(text: &str, at: usize) -> Result<(Kind, usize), ReadError> {
    let rest = &text[at..];
    let first = rest.chars().next().unwrap_or(' ');
    let counted = |sign: &str| -> Result<(i32, usize), ReadError> {
        let digits = digits(&rest[sign.len()..]);
        let length = sign.len() + digits.len();
        match digits {
            "" => Ok((1, length)),
            digits => {
                digits.parse().map(|n| (n, length)).map_err(|_| too_large(&rest[..length], at))
            }
        }
    };
    if first.is_ascii_digit() {
        return number(rest, at);
    }
    if let Some((sign, step)) = ARROWS.into_iter().find(|&(sign, _)| sign == first) {
        let run: String = rest.chars().take_while(|&c| c == sign).collect();
        if run.chars().count() > 1 {
            let count = run.chars().count() as i32;
            return Ok((Kind::Ups(step * count), run.len()));
        }
        return counted(&run).map(|(n, length)| (Kind::Ups(step * n), length));
    }
    if first == '*' {
        return counted("*").map(|(n, length)| (Kind::Star(n.unsigned_abs()), length));
    }
    if first == '|' {
        let length = rest.len() - rest.trim_start_matches('|').len();
        return Ok((Kind::Bar(length), length));
    }
    if first.is_alphabetic() {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = &rest[..end];
        if name.bytes().all(|byte| byte == b'v') {
            return Ok((Kind::Ups(-(end as i32)), end));
        }
        if name.strip_prefix('v').is_some_and(|it| it.bytes().all(|b| b.is_ascii_digit())) {
            return counted("v").map(|(n, length)| (Kind::Ups(-n), length));
        }
        return Ok((Kind::Name(name.into()), end));
    }
    let sign = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
    sign.map(|(sign, kind)| (kind.clone(), sign.len())).ok_or_else(|| ReadError {
        message: match first {
            '_' => "`_` belongs to tiny `+_x` and miny `-_x`".into(),
            '/' => "`/` stands only inside of a number, as in `3/4`".into(),
            '[' | ']' => format!("`{first}` means nothing here; a game is written `{{a,b|c}}`"),
            _ => format!("`{first}` means nothing here"),
        },
        span: at..at + first.len_utf8(),
    })
}

fn digits(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    &text[..end]
}

fn too_large(word: &str, at: usize) -> ReadError {
    let shown: String = word.chars().take(20).collect();
    let dots = if shown.len() < word.len() { "…" } else { "" };
    ReadError { message: format!("`{shown}{dots}` is too large"), span: at..at + word.len() }
}

fn number(rest: &str, at: usize) -> Result<(Kind, usize), ReadError> {
    let above = digits(rest);
    let mut length = above.len();
    let after = &rest[length..];
    let below = after.strip_prefix('/').map(digits);
    if let Some(below) = below {
        length += 1 + below.len();
    }
    let word = &rest[..length];
    let refuse = |message: String| ReadError { message, span: at..at + word.len() };
    let top: i64 = above.parse().map_err(|_| too_large(word, at))?;
    let exponent = match below {
        None => 0,
        Some("") => return Err(refuse("after `/` there is a denominator, as in `3/4`".into())),
        Some(below) => {
            let bottom: u64 = below.parse().map_err(|_| too_large(word, at))?;
            if !bottom.is_power_of_two() {
                let message = format!("`{word}` is no short game: denominators are powers of two");
                return Err(refuse(message));
            }
            bottom.trailing_zeros()
        }
    };
    if below.is_none() && after.starts_with('.') && !digits(&after[1..]).is_empty() {
        let message = format!("numbers are fractions, as in `1/2`; a multiple is `{above}.(…)`");
        return Err(ReadError { message, span: at..at + length + 1 });
    }
    let number = Dyadic::new(top, exponent).map_err(|_| too_large(word, at))?;
    Ok((Kind::Number(number), length))
}
