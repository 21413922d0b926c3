//! The text of a certificate: its lines, its header, its end.

use std::fmt;
use std::io::{BufRead, Read};

use super::expected::Expected;
use super::mixed::Arithmetic;
use super::{Checksum, MAGIC, SCORES};
use crate::notation::Rules;

/// A line longer than this is damage, not a claim.
const LONGEST_LINE: u64 = 1 << 22;

/// Why a certificate was refused, and at which line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError {
    /// The line, counted from 1.
    pub line: u64,
    /// What is wrong with it.
    pub problem: String,
    /// Whether the rules themselves turned out to be wrong, and not the certificate.
    pub rules_broken: bool,
}

impl CheckError {
    /// Something wrong with a line.
    pub fn new(line: u64, problem: impl Into<String>) -> CheckError {
        CheckError { line, problem: problem.into(), rules_broken: false }
    }

    /// Rules that turned out to be wrong by the time a line was read.
    pub fn rules_broken(line: u64, violation: &str) -> CheckError {
        let problem = format!("the rules break down: {}", shown(violation));
        CheckError { line, problem, rules_broken: true }
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for CheckError {}

/// Text from a file as messages show it: not too long, and nothing that a terminal would obey.
pub fn shown(text: &str) -> String {
    const MOST: usize = 200;
    let mut out: String = text.chars().take(MOST).flat_map(printable).collect();
    if text.chars().nth(MOST).is_some() {
        out.push('…');
    }
    out
}

fn printable(c: char) -> Box<dyn Iterator<Item = char>> {
    let direction =
        matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    match c.is_control() || direction || c == '\u{feff}' {
        true => Box::new(c.escape_unicode()),
        false => Box::new(std::iter::once(c)),
    }
}

/// What a certificate says it proves, as text: one needs it to know which game to check it with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game and its options.
    pub game: String,
    /// The rules that it was made with.
    pub rules: Rules,
    /// The formula that is asked of the position, and the agent that it calls A. Then the claims
    /// are about the evaluation game of the formula.
    pub formula: Option<(String, String)>,
    /// Whether both players move at the same time, and how bounds are computed then.
    pub mixed: Option<Arithmetic>,
    /// Whether the claim is about an expected value, and how that is computed.
    pub expected: Option<Expected>,
    /// Whether the claim is every agent's score by max^n. Then the outcome is those scores, and
    /// nobody proves anything against others.
    pub scores: bool,
    /// The name of the agent that is Max, where that is not the first one.
    pub max: Option<String>,
    /// The position.
    pub position: String,
    /// Who can force the claim: a player's name.
    pub prover: String,
    /// `at-least` for Max, `below` for Min; `at-most` for Min where payoffs are claimed, and
    /// `exactly` against an opponent who is known.
    pub relation: String,
    /// The outcome that the relation speaks of.
    pub outcome: String,
    /// Whether an endless play meets the claim too.
    pub or_endless: bool,
}

/// A certificate file being read: counts its lines and sums up its bytes.
pub struct Reader<R> {
    input: R,
    buffer: Vec<u8>,
    line: u64,
    sum: Checksum,
}

impl<R: BufRead> Reader<R> {
    /// Reads certificates, one after the other.
    pub fn new(input: R) -> Reader<R> {
        Reader { input, buffer: Vec::new(), line: 0, sum: Checksum::EMPTY }
    }

    /// The header of the next certificate, or nothing at the end of the file.
    pub fn header(&mut self) -> Result<Option<Header>, CheckError> {
        self.sum = Checksum::EMPTY;
        // The last line of the certificate before this one is no part of this one's sum.
        self.buffer.clear();
        match self.next_line()? {
            None => return Ok(None),
            Some(MAGIC) => {}
            Some(other) => {
                let message = match other.strip_prefix("foregone certificate ") {
                    Some(version) => format!(
                        "this is a certificate of format {}, and this program reads format 2: \
                         make it again",
                        shown(version)
                    ),
                    None => format!("expected `{MAGIC}`"),
                };
                return Err(self.error(message));
            }
        }
        let game = self.field("game ", "`game NAME`")?;
        let form = "`rules VERSION` or `rules VERSION sha256:DIGEST`";
        let rules = self.field("rules ", form)?;
        let rules = read_rules(&rules).ok_or_else(|| self.error(format!("expected {form}")))?;
        let (mut formula, mut line) = (None, self.need_line()?.to_owned());
        if let Some(text) = line.strip_prefix("formula ") {
            formula = Some((text.to_owned(), self.field("as ", "`as AGENT`")?));
            line = self.need_line()?.to_owned();
        }
        let mut mixed = None;
        if let Some(text) = line.strip_prefix("mixed ") {
            let Some(arithmetic) = Arithmetic::read(text) else {
                return Err(self.error("expected `mixed exact` or `mixed BITS`"));
            };
            mixed = Some(arithmetic);
            line = self.need_line()?.to_owned();
        }
        let mut expected = None;
        if let Some(text) = line.strip_prefix("expected ") {
            let form = "expected `expected exact`, `expected BITS` or `expected BITS leak N`, and `draw A/B`";
            expected = Some(Expected::read(text).ok_or_else(|| self.error(form))?);
            line = self.need_line()?.to_owned();
        }
        let scores = line == SCORES;
        if scores {
            line = self.need_line()?.to_owned();
        }
        let mut max = None;
        if let Some(name) = line.strip_prefix("max ") {
            max = Some(name.to_owned());
            line = self.need_line()?.to_owned();
        }
        let Some(position) = line.strip_prefix("position ").map(str::to_owned) else {
            return Err(self.error("expected `position TEXT`"));
        };
        let form = match scores {
            true => "`claim scores NUMBER NUMBER …`",
            false => "`claim PLAYER at-least|below|at-most|exactly OUTCOME [or-endless]`",
        };
        let claim = self.field("claim ", form)?;
        let words: Vec<&str> = claim.split(' ').collect();
        let (prover, relation, outcome, or_endless) = match words[..] {
            ["scores", _, ..] if scores => ("", "", &claim["scores ".len()..], false),
            [prover, relation, outcome] if !scores => (prover, relation, outcome, false),
            [prover, relation, outcome, "or-endless"] if !scores => {
                (prover, relation, outcome, true)
            }
            _ => return Err(self.error(format!("expected {form}"))),
        };
        if !self.need_line()?.is_empty() {
            return Err(self.error("expected an empty line"));
        }
        let [prover, relation, outcome] = [prover, relation, outcome].map(str::to_owned);
        let header = Header {
            game,
            rules,
            formula,
            mixed,
            expected,
            scores,
            max,
            position,
            prover,
            relation,
            outcome,
            or_endless,
        };
        Ok(Some(header))
    }

    fn field(&mut self, key: &str, what: &str) -> Result<String, CheckError> {
        match self.need_line()?.strip_prefix(key) {
            Some(value) => Ok(value.to_owned()),
            None => Err(self.error(format!("expected {what}"))),
        }
    }

    pub(super) fn need_line(&mut self) -> Result<&str, CheckError> {
        let line = self.line + 1;
        match self.next_line()? {
            Some(text) => Ok(text),
            None => Err(CheckError::new(line, TRUNCATED)),
        }
    }

    fn next_line(&mut self) -> Result<Option<&str>, CheckError> {
        // The line before belongs to the sum only once another one follows: the last line of a
        // certificate holds the sum of those before it.
        self.sum.add(&self.buffer);
        self.buffer.clear();
        self.line += 1;
        let line = self.line;
        let fail = move |problem: String| CheckError::new(line, problem);
        let read = self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.buffer);
        read.map_err(|e| fail(format!("the file can't be read: {e}")))?;
        match self.buffer.split_last() {
            None => Ok(None),
            Some((b'\n', text)) => match std::str::from_utf8(text) {
                Ok(text) => Ok(Some(text)),
                Err(_) => Err(fail("the line is not UTF-8 text".to_owned())),
            },
            Some(_) if self.buffer.len() as u64 == LONGEST_LINE => {
                Err(fail(format!("the line has more than {LONGEST_LINE} bytes")))
            }
            Some(_) => Err(fail(TRUNCATED.to_owned())),
        }
    }

    /// The rules turned out to be wrong by now, if they did.
    pub(super) fn rules_hold(&self, violation: Option<String>) -> Result<(), CheckError> {
        violation.map_or(Ok(()), |v| Err(CheckError::rules_broken(self.line, &v)))
    }

    /// The number of the line that is read next.
    pub(super) fn next_number(&self) -> u64 {
        self.line + 1
    }

    /// Whether the line that was read last ends a certificate of so many claims, undamaged.
    pub(super) fn end(&self, claims: u64) -> Result<(), CheckError> {
        let text = std::str::from_utf8(&self.buffer).unwrap_or_default();
        let parts = text.trim_end_matches('\n').strip_prefix("end ");
        let Some((total, sum)) = parts.and_then(|t| t.split_once(' ')) else {
            return Err(self.error("expected `end CLAIMS CHECKSUM`"));
        };
        if number(total) != Some(claims) {
            return Err(self.error(format!("the number of claims here is {claims}")));
        }
        if sum != format!("{:016x}", self.sum.0) {
            return Err(self.error("the checksum does not fit: the file was damaged"));
        }
        Ok(())
    }

    /// What is wrong with the certificate as far as it was read.
    pub fn error(&self, problem: impl Into<String>) -> CheckError {
        CheckError::new(self.line, problem)
    }
}

const TRUNCATED: &str = "the file ends before the proof does";

/// A number as this format writes it: digits, no sign, no leading zero.
pub(super) fn number(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

fn read_rules(text: &str) -> Option<Rules> {
    let (version, digest) = match text.split_once(" sha256:") {
        Some((version, digest)) => (version, Some(digest.to_owned())),
        None => (text, None),
    };
    let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    let fits = digest.as_ref().is_none_or(|d| d.len() == 64 && d.bytes().all(hex));
    let version = number(version).and_then(|v| u32::try_from(v).ok())?;
    fits.then_some(Rules { version, digest })
}
