//! The checker: replays a certificate against the rules, as a stream.
//!
//! It keeps the states whose blocks are open and those of labelled claims, nothing else, so its
//! memory does not grow with the file. It shares no code with any search.

use std::collections::HashMap;
use std::fmt;
use std::io::{BufRead, Read};

use super::mixed::Arithmetic;
use super::{Checksum, MAGIC};
use crate::game::{Side, Turn};
use crate::notation::Notation;
use crate::space::Claim;

/// A line longer than this is damage, not a claim.
const LONGEST_LINE: u64 = 1 << 16;

/// Why a certificate was refused, and at which line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError {
    /// The line, counted from 1.
    pub line: u64,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What can be wrong with a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The bytes could not be read.
    Unreadable(String),
    /// The file ends before the proof does.
    Truncated,
    /// This is not the line that the format wants here.
    Expected(&'static str),
    /// The header names a game that does not exist.
    BadGame(String),
    /// The header names a formula or an agent that the game does not have.
    BadFormula(String),
    /// The header names a position that the game cannot read.
    BadPosition(String),
    /// The header names somebody who does not play this game.
    UnknownPlayer(String),
    /// The header names an outcome that the game does not have, or one that claims nothing.
    BadOutcome(String),
    /// The line says that the game is over, and it is not.
    NotOver,
    /// The game is over, and the line says that somebody moves.
    IsOver,
    /// The game is over with an outcome that does not meet the claim.
    WrongOutcome(String),
    /// The line lets the wrong side choose.
    WrongTurn,
    /// This text is not a legal move here.
    IllegalMove(String),
    /// The opponent has another number of moves than the line says.
    WrongCount {
        /// By the rules.
        legal: usize,
    },
    /// The opponent's move is not one of those still to be answered.
    NotAReply(String),
    /// A label was given twice.
    LabelTwice(u64),
    /// A reference to a label that does not exist (yet).
    UnknownLabel(u64),
    /// A reference to another position than the one at hand.
    OtherPosition(u64),
    /// A reference to a claim that is still being proved: the proof would go in a circle.
    Circular(u64),
    /// A claim by static knowledge that does not say so, or that strict checking refuses.
    Knowledge(String),
    /// The number of claims at the end is not the number of claims in the file.
    WrongTotal {
        /// Counted.
        counted: u64,
    },
    /// The checksum does not fit: the file was damaged.
    Damaged,
    /// A mixed strategy tells twice what is played in a position.
    TwicePosition,
    /// A mixed strategy leads to a position that no earlier line speaks of.
    Unclaimed(String),
    /// The last line of a mixed strategy is not about the position of the claim.
    NotTheClaim,
    /// A mixed strategy guarantees this, which is worse than the claim.
    WrongBound(String),
    /// Numbers are too large for rounded arithmetic.
    TooLarge,
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unreadable(e) => write!(f, "the file can't be read: {e}"),
            Problem::Truncated => f.write_str("the file ends before the proof does"),
            Problem::Expected(what) => write!(f, "expected {what}"),
            Problem::BadGame(e) => write!(f, "the game can't be read: {e}"),
            Problem::BadFormula(e) => write!(f, "the formula can't be read: {e}"),
            Problem::BadPosition(e) => write!(f, "the position can't be read: {e}"),
            Problem::UnknownPlayer(p) => write!(f, "`{p}` is no player of this game"),
            Problem::BadOutcome(o) => write!(f, "`{o}` is no outcome that can be claimed here"),
            Problem::NotOver => f.write_str("the game is not over here"),
            Problem::IsOver => f.write_str("the game is over here, nobody moves"),
            Problem::WrongOutcome(o) => write!(f, "the game ends in a {o} here, against the claim"),
            Problem::WrongTurn => f.write_str("the other side is to move here"),
            Problem::IllegalMove(m) => write!(f, "`{m}` is not a legal move here"),
            Problem::WrongCount { legal } => write!(f, "the opponent has {legal} moves here"),
            Problem::NotAReply(m) => {
                write!(f, "`{m}` is not a move of the opponent that is still to be answered")
            }
            Problem::LabelTwice(k) => write!(f, "the label #{k} was given before"),
            Problem::UnknownLabel(k) => write!(f, "there is no claim #{k} before this line"),
            Problem::OtherPosition(k) => write!(f, "claim #{k} is about another position"),
            Problem::Circular(k) => {
                write!(f, "claim #{k} is still being proved: the proof goes in a circle")
            }
            Problem::Knowledge(k) => write!(f, "static knowledge `{k}` is not accepted here"),
            Problem::WrongTotal { counted } => write!(f, "the file holds {counted} claims"),
            Problem::TwicePosition => f.write_str("an earlier line speaks of this position"),
            Problem::Unclaimed(p) => write!(f, "no line before this one speaks of {p}"),
            Problem::NotTheClaim => {
                f.write_str("the last line is not about the position of the claim")
            }
            Problem::WrongBound(b) => write!(f, "the strategy guarantees {b}, against the claim"),
            Problem::TooLarge => f.write_str("the numbers are too large for rounded arithmetic"),
            Problem::Damaged => f.write_str("the checksum does not fit: the file was damaged"),
        }
    }
}

impl std::error::Error for CheckError {}

/// What a certificate says it proves, as text: one needs it to know which game to check it with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game and its options.
    pub game: String,
    /// The formula that is asked of the position, and the agent that it calls A. Then the claims
    /// are about the evaluation game of the formula.
    pub formula: Option<(String, String)>,
    /// Whether both players move at the same time, and how bounds are computed then.
    pub mixed: Option<Arithmetic>,
    /// The position.
    pub position: String,
    /// Who can force the claim: a player's name.
    pub prover: String,
    /// `at-least` for Max, `below` for Min.
    pub relation: String,
    /// The outcome that the relation speaks of.
    pub outcome: String,
    /// Whether an endless play meets the claim too.
    pub or_endless: bool,
}

/// What was proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The claim that holds in the header's position.
    pub claim: Claim,
    /// How many claims were replayed.
    pub claims: u64,
    /// How many of them rest on static knowledge. Strict checking leaves none.
    pub known: u64,
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
        Reader { input, buffer: Vec::new(), line: 0, sum: Checksum::new() }
    }

    /// The header of the next certificate, or nothing at the end of the file.
    pub fn header(&mut self) -> Result<Option<Header>, CheckError> {
        self.sum = Checksum::new();
        // The last line of the certificate before this one is no part of this one's sum.
        self.buffer.clear();
        match self.next_line()? {
            None => return Ok(None),
            Some(MAGIC) => {}
            Some(_) => {
                return Err(self.error(Problem::Expected("`foregone certificate 1`")));
            }
        }
        let game = self.field("game ", "`game NAME`")?;
        let (mut formula, mut line) = (None, self.need_line()?.to_owned());
        if let Some(text) = line.strip_prefix("formula ") {
            formula = Some((text.to_owned(), self.field("as ", "`as AGENT`")?));
            line = self.need_line()?.to_owned();
        }
        let mut mixed = None;
        if let Some(text) = line.strip_prefix("mixed ") {
            let Some(arithmetic) = Arithmetic::read(text) else {
                return Err(self.error(Problem::Expected("`mixed exact` or `mixed BITS`")));
            };
            mixed = Some(arithmetic);
            line = self.need_line()?.to_owned();
        }
        let Some(position) = line.strip_prefix("position ").map(str::to_owned) else {
            return Err(self.error(Problem::Expected("`position TEXT`")));
        };
        let form = "`claim PLAYER at-least|below OUTCOME [or-endless]`";
        let claim = self.field("claim ", form)?;
        let words: Vec<&str> = claim.split(' ').collect();
        let (prover, relation, outcome, or_endless) = match words[..] {
            [prover, relation, outcome] => (prover, relation, outcome, false),
            [prover, relation, outcome, "or-endless"] => (prover, relation, outcome, true),
            _ => return Err(self.error(Problem::Expected(form))),
        };
        let header = Header {
            game,
            formula,
            mixed,
            position,
            prover: prover.to_owned(),
            relation: relation.to_owned(),
            outcome: outcome.to_owned(),
            or_endless,
        };
        if !self.need_line()?.is_empty() {
            return Err(self.error(Problem::Expected("an empty line")));
        }
        Ok(Some(header))
    }

    fn field(&mut self, key: &str, what: &'static str) -> Result<String, CheckError> {
        match self.need_line()?.strip_prefix(key) {
            Some(value) => Ok(value.to_owned()),
            None => Err(self.error(Problem::Expected(what))),
        }
    }

    pub(super) fn need_line(&mut self) -> Result<&str, CheckError> {
        let line = self.line + 1;
        match self.next_line()? {
            Some(text) => Ok(text),
            None => Err(CheckError { line, problem: Problem::Truncated }),
        }
    }

    fn next_line(&mut self) -> Result<Option<&str>, CheckError> {
        // The line before belongs to the sum only once another one follows: the last line of a
        // certificate holds the sum of those before it.
        self.sum.add(&self.buffer);
        self.buffer.clear();
        self.line += 1;
        let line = self.line;
        let fail = move |problem| CheckError { line, problem };
        let mut limited = self.input.by_ref().take(LONGEST_LINE);
        limited
            .read_until(b'\n', &mut self.buffer)
            .map_err(|e| fail(Problem::Unreadable(e.to_string())))?;
        if self.buffer.is_empty() {
            return Ok(None);
        }
        match self.buffer.split_last() {
            Some((b'\n', text)) => match std::str::from_utf8(text) {
                Ok(text) => Ok(Some(text)),
                Err(_) => Err(fail(Problem::Unreadable("it is not UTF-8 text".to_owned()))),
            },
            _ => Err(fail(Problem::Truncated)),
        }
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
            return Err(self.error(Problem::Expected("`end CLAIMS CHECKSUM`")));
        };
        if number(total) != Some(claims) {
            return Err(self.error(Problem::WrongTotal { counted: claims }));
        }
        if sum != format!("{:016x}", self.sum.0) {
            return Err(self.error(Problem::Damaged));
        }
        Ok(())
    }

    /// What is wrong with the certificate as far as it was read.
    pub fn error(&self, problem: Problem) -> CheckError {
        CheckError { line: self.line, problem }
    }
}

/// One state whose block is still to be read or to be finished.
enum Task<S, M> {
    /// The next line must prove this state.
    Prove(S),
    /// The following blocks must answer these moves of the opponent in this state.
    Answer(S, Vec<M>),
    /// The block of this labelled claim is complete.
    Finish(u64),
}

struct Labelled<S> {
    state: S,
    finished: bool,
}

/// Replays the certificate whose header was just read. Nothing is believed but the rules.
/// With `strict`, claims by static knowledge are refused.
pub fn check<G: Notation, R: BufRead>(
    game: &G,
    header: &Header,
    reader: &mut Reader<R>,
    strict: bool,
) -> Result<Checked, CheckError> {
    // Step 1: the header in the game's own words.
    let (claim, start) = understand(game, header).map_err(|problem| reader.error(problem))?;
    let loops_meet_claim = claim.met_by_endless(game.endless());

    // Step 2: the claims.
    let mut labels: HashMap<u64, Labelled<G::State>> = HashMap::new();
    let mut spare: Vec<Vec<G::Move>> = Vec::new();
    let mut moves: Vec<G::Move> = Vec::new();
    let mut todo = vec![Task::Prove(start)];
    let (mut claims, mut known) = (0u64, 0u64);
    while let Some(task) = todo.pop() {
        let (state, by) = match task {
            Task::Finish(k) => {
                if let Some(l) = labels.get_mut(&k) {
                    l.finished = true;
                }
                continue;
            }
            Task::Answer(_, pending) if pending.is_empty() => {
                spare.push(pending);
                continue;
            }
            Task::Prove(state) => (state, None),
            Task::Answer(state, pending) => (state, Some(pending)),
        };
        claims += 1;
        let at = reader.line + 1;
        let fail = |problem| CheckError { line: at, problem };
        let mut text = reader.need_line()?;

        // Step 3: which move of the opponent the block answers.
        let state = match by {
            None => state,
            Some(mut pending) => {
                let Some((name, rest)) = text.split_once(": ") else {
                    return Err(fail(Problem::Expected("`MOVE: …`, an answer to a move")));
                };
                text = rest;
                let found = game
                    .parse_move(&state, name)
                    .and_then(|m| pending.iter().position(|&p| p == m));
                let Some(i) = found else {
                    return Err(fail(Problem::NotAReply(name.to_owned())));
                };
                let m = pending.remove(i);
                let mut next = state.clone();
                if let Turn::Agent(agent) = game.turn(&state) {
                    game.play(&mut next, agent, m);
                }
                todo.push(Task::Answer(state, pending));
                next
            }
        };

        // Step 4: a label makes the claim one to remember.
        let mut label = None;
        if let Some(rest) = text.strip_prefix('#') {
            let Some((k, rest)) = rest.split_once(' ') else {
                return Err(fail(Problem::Expected("a claim behind the label")));
            };
            let k = number(k).ok_or_else(|| fail(Problem::Expected("a number behind `#`")))?;
            let labelled = Labelled { state: state.clone(), finished: false };
            if labels.insert(k, labelled).is_some() {
                return Err(fail(Problem::LabelTwice(k)));
            }
            todo.push(Task::Finish(k));
            label = Some(k);
            text = rest;
        }

        // Step 5: the claim itself.
        let turn = game.turn(&state);
        if text == "." {
            if turn != Turn::Over {
                return Err(fail(Problem::NotOver));
            }
            let outcome = game.outcome(&state);
            if !claim.met_by(outcome) {
                let name = game.scale().name(outcome).to_owned();
                return Err(fail(Problem::WrongOutcome(name)));
            }
        } else if let Some(name) = text.strip_prefix("! ") {
            let Turn::Agent(agent) = turn else {
                return Err(fail(Problem::IsOver));
            };
            if Side::of(agent) != claim.prover {
                return Err(fail(Problem::WrongTurn));
            }
            moves.clear();
            game.moves(&state, agent, &mut moves);
            match game.parse_move(&state, name).filter(|m| moves.contains(m)) {
                None => return Err(fail(Problem::IllegalMove(name.to_owned()))),
                Some(m) => {
                    let mut next = state;
                    game.play(&mut next, agent, m);
                    todo.push(Task::Prove(next));
                }
            }
        } else if let Some(n) = text.strip_prefix("? ") {
            let Turn::Agent(agent) = turn else {
                return Err(fail(Problem::IsOver));
            };
            if Side::of(agent) == claim.prover {
                return Err(fail(Problem::WrongTurn));
            }
            let mut pending = spare.pop().unwrap_or_default();
            pending.clear();
            game.moves(&state, agent, &mut pending);
            if number(n) != Some(pending.len() as u64) || pending.is_empty() {
                return Err(fail(Problem::WrongCount { legal: pending.len() }));
            }
            todo.push(Task::Answer(state, pending));
        } else if let Some(k) = text.strip_prefix("= ") {
            let k = number(k).ok_or_else(|| fail(Problem::Expected("a number behind `=`")))?;
            match labels.get(&k) {
                None => return Err(fail(Problem::UnknownLabel(k))),
                Some(l) if l.state != state => return Err(fail(Problem::OtherPosition(k))),
                Some(l) if !l.finished && !loops_meet_claim => {
                    return Err(fail(Problem::Circular(k)));
                }
                // A claim that is nothing but a reference to itself says nothing.
                Some(_) if label == Some(k) => {
                    return Err(fail(Problem::Circular(k)));
                }
                Some(_) => {}
            }
        } else if let Some(name) = text.strip_prefix("by ") {
            let Turn::Agent(_) = turn else { return Err(fail(Problem::IsOver)) };
            let says_so = game.known(&state).is_some_and(|k| k.by == name && claim.met_by_known(k));
            if strict || !says_so {
                return Err(fail(Problem::Knowledge(name.to_owned())));
            }
            known += 1;
        } else {
            return Err(fail(Problem::Expected("`.`, `! MOVE`, `? N`, `= K` or `by RULE`")));
        }
    }

    // Step 6: nothing missing, nothing damaged.
    reader.need_line()?;
    reader.end(claims)?;
    Ok(Checked { claim, claims, known })
}

/// The claim and the position that a header states.
fn understand<G: Notation>(game: &G, header: &Header) -> Result<(Claim, G::State), Problem> {
    if header.mixed.is_some() {
        return Err(Problem::Expected("no `mixed` where players move in turn"));
    }
    // A proof about a formula is no proof about the game, and the other way round.
    if game.question() != header.formula {
        return Err(Problem::BadFormula("it is not the formula that is being checked".to_owned()));
    }
    let start =
        game.read_position(&header.position).map_err(|e| Problem::BadPosition(e.message))?;
    let prover = match game.players().iter().position(|p| *p == header.prover) {
        Some(0) => Side::Max,
        Some(_) => Side::Min,
        None => return Err(Problem::UnknownPlayer(header.prover.clone())),
    };
    let relation = match prover {
        Side::Max => "at-least",
        Side::Min => "below",
    };
    if header.relation != relation {
        return Err(Problem::Expected("`at-least` for the first player, `below` for the other"));
    }
    // Everybody reaches the worst outcome: claiming it would prove nothing.
    match game.scale().find(&header.outcome) {
        Some(at_least) if at_least.0 > 0 => {
            Ok((Claim { prover, at_least, or_endless: header.or_endless }, start))
        }
        _ => Err(Problem::BadOutcome(header.outcome.clone())),
    }
}

/// A number as this format writes it: digits, no sign, no leading zero.
fn number(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}
