//! Certificates of games with joint moves: a mixed strategy for every position that it can meet,
//! checked by best responses in whole numbers.
//!
//! The minimax theorem of J. von Neumann (1928) read as a proof format: what Max gets at least
//! with a strategy, whatever Min answers, is a lower bound of the value. No linear program is
//! needed to see that, only sums.
//!
//! ```text
//! foregone certificate 2
//! game goofspiel:3
//! rules 1
//! mixed exact
//! position 123/123/0
//! claim Max at-least 0
//!
//! 2 1 @ 12/12/3
//! 1 2 2 1 @ 12/12/0
//! …
//! end 8 0123456789abcdef
//! ```
//!
//! A line `MOVE WEIGHT … @ POSITION` says with which weights the prover mixes its moves in this
//! position. Every position that the prover's moves and any moves of the opponent lead to must be
//! over or stand on an earlier line, so no loop can prove itself. What the position is worth at
//! least (for Min: at most) follows; the last position is the one that the claim is about.
//!
//! `mixed exact` sums up fractions as they are. `mixed K` rounds every position's bound to a
//! multiple of 2^-K, down for Max and up for Min, so that numbers do not grow: what is proved is
//! then a little less than the strategy is worth, and never more.

use std::collections::HashMap;
use std::fmt;
use std::io::BufRead;

use super::check::other_rules;
use super::reader::{CheckError, Header, Reader, number, shown};
use crate::game::Side;
use crate::joint::JointNotation;
use crate::ratio::{Big, Ratio, bits, fraction, whole};

/// How the bounds of positions are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// In fractions, without any rounding.
    Exact,
    /// In multiples of 2^-K, rounded to the safe side.
    Rounded(u32),
}

/// The finest rounding: payoffs of some bits and weights of 53 still fit beside it.
pub const FINEST: u32 = 60;

/// The weights of a position may sum up to this when bounds are rounded.
pub const MOST_WEIGHT: u64 = 1 << 53;

impl Arithmetic {
    pub(super) fn read(text: &str) -> Option<Arithmetic> {
        let bits = number(text).and_then(|k| u32::try_from(k).ok()).filter(|k| *k <= FINEST);
        if text == "exact" { Some(Arithmetic::Exact) } else { bits.map(Arithmetic::Rounded) }
    }
}

/// The longest weight of exact arithmetic, in digits.
const MOST_DIGITS: usize = 200;

/// The longest bound of exact arithmetic, numerator and denominator together, in bits.
const MOST_BITS: usize = 1 << 16;

/// What a mixed strategy was found to guarantee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedMixed {
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// The name of whose strategy it is.
    pub name: String,
    /// Whose strategy it is.
    pub prover: Side,
    /// What the header claims, in points, and what therefore is proved.
    pub bound: Ratio,
    /// What the strategy guarantees in the position: at least as good as the claim.
    pub found: Ratio,
    /// How many positions were replayed.
    pub claims: u64,
}

impl fmt::Display for ProvedMixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let does = if self.prover == Side::Max { "gets at least" } else { "pays at most" };
        let (position, game, name) = (shown(&self.position), shown(&self.game), shown(&self.name));
        write!(f, "{position} in {game}: {name} {does} {}", shown(&self.bound.to_string()))
    }
}

/// Replays the certificate whose header was just read: nothing is believed but the rules, which
/// are independent of those that searched where the game has such.
pub fn check_mixed<J: JointNotation, R: BufRead>(
    game: &J,
    header: &Header,
    reader: &mut Reader<R>,
) -> Result<ProvedMixed, CheckError> {
    let independent = game.independent_rules();
    let game = independent.as_ref().unwrap_or(game);
    let proved = match header.mixed {
        Some(Arithmetic::Rounded(bits)) => check_with(game, header, reader, Rounded(bits)),
        Some(Arithmetic::Exact) => check_with(game, header, reader, Exact),
        None => Err(reader.error("expected `mixed exact` or `mixed BITS`")),
    };
    reader.rules_hold(game.rules_violation())?;
    proved
}

fn check_with<J: JointNotation, R: BufRead, N: Numbers>(
    game: &J,
    header: &Header,
    reader: &mut Reader<R>,
    numbers: N,
) -> Result<ProvedMixed, CheckError> {
    // Step 1: the header in the game's own words.
    let (prover, claimed, start) = understand(game, header).map_err(|e| reader.error(e))?;

    // Step 2: the positions, one after the other, each behind those that it leads to.
    let mut proved: HashMap<J::State, N::Bound> = HashMap::new();
    let (mut last, mut claims) = (None, 0);
    loop {
        let at = reader.next_number();
        let fail = |problem: String| CheckError::new(at, problem);
        let text = reader.need_line()?;
        // A move may be called `end`.
        let Some((mix, place)) = text.split_once(" @ ") else {
            reader.end(claims)?;
            break;
        };
        let s = position(game, place).map_err(fail)?;
        let bound = worth(game, &numbers, prover, &s, mix, &proved).map_err(fail)?;
        claims += 1;
        last = Some((s.clone(), bound.clone()));
        if proved.insert(s, bound).is_some() {
            return Err(fail("an earlier line speaks of this position".to_owned()));
        }
    }

    // Step 3: what the last one shows. A position that is over needs no line.
    let bound = match (game.payoff(&start), last) {
        (Some(payoff), None) => numbers.payoff(payoff),
        (None, Some((s, bound))) if s == start => bound,
        _ => return Err(reader.error("the last line is not about the position of the claim")),
    };
    let found = numbers.points(&bound, game.unit());
    if worse(prover, &found, &claimed) {
        let found = shown(&found.to_string());
        return Err(reader.error(format!("the strategy guarantees {found}, against the claim")));
    }
    let Header { game, position, prover: name, .. } = header.clone();
    Ok(ProvedMixed { game, position, name, prover, bound: claimed, found, claims })
}

/// Whether the first bound is worse for a side than the second.
pub(super) fn worse<T: Ord>(side: Side, a: &T, b: &T) -> bool {
    if side == Side::Max { a < b } else { a > b }
}

/// What a side guarantees itself in `s` by mixing its moves as a line says.
fn worth<J: JointNotation, N: Numbers>(
    game: &J,
    numbers: &N,
    prover: Side,
    s: &J::State,
    mix: &str,
    proved: &HashMap<J::State, N::Bound>,
) -> Result<N::Bound, String> {
    if game.payoff(s).is_some() {
        return Err("the game is over here, nobody moves".to_owned());
    }
    let mut own = Vec::new();
    game.moves(s, prover, &mut own);
    let mut mixed: Vec<(J::Move, N::Bound)> = Vec::new();
    let mut words = mix.split(' ');
    while let Some(word) = words.next() {
        // A move may be played once.
        let legal = |m: &J::Move| own.contains(m) && mixed.iter().all(|(other, _)| other != m);
        let plain = |m: &J::Move| game.move_text(s, prover, *m) == word;
        let m = game.parse_move(s, prover, word).filter(legal).filter(plain);
        let m = m.ok_or_else(|| format!("`{}` is not a legal move here", shown(word)))?;
        let plain = |text: &&str| text.len() <= MOST_DIGITS && !text.starts_with('0');
        let weight = words.next().filter(plain).and_then(whole);
        let weight = weight.and_then(|weight| numbers.weight(&weight));
        let wanted = || {
            format!(
                "expected a weight above 0 of at most {MOST_DIGITS} digits, 2^53 where bounds are rounded"
            )
        };
        mixed.push((m, weight.ok_or_else(wanted)?));
    }
    response(game, numbers, prover, s, &mixed, proved)
}

/// What a mixture of moves is worth against the best response of the other side.
pub fn response<J: JointNotation, N: Numbers>(
    game: &J,
    numbers: &N,
    prover: Side,
    s: &J::State,
    mixed: &[(J::Move, N::Bound)],
    proved: &HashMap<J::State, N::Bound>,
) -> Result<N::Bound, String> {
    let mut others = Vec::new();
    game.moves(s, prover.other(), &mut others);
    let mut worst: Option<N::Bound> = None;
    let mut terms = Vec::with_capacity(mixed.len());
    for &other in &others {
        terms.clear();
        for (own, weight) in mixed {
            let mut next = s.clone();
            match prover {
                Side::Max => game.play(&mut next, *own, other),
                Side::Min => game.play(&mut next, other, *own),
            }
            let bound = match game.payoff(&next) {
                Some(payoff) => Some(numbers.payoff(payoff)),
                None => proved.get(&next).cloned(),
            };
            let place = || shown(&game.position_text(&next));
            let unknown = || format!("no line before this one speaks of {}", place());
            terms.push((weight, bound.ok_or_else(unknown)?));
        }
        let mean = numbers.mean(prover, &terms).ok_or(N::TOO_LARGE)?;
        if worst.as_ref().is_none_or(|worst| worse(prover, &mean, worst)) {
            worst = Some(mean);
        }
    }
    worst.ok_or_else(|| "the opponent has no moves here".to_owned())
}

/// The header's claim: who gets how much from where.
fn understand<J: JointNotation>(
    game: &J,
    header: &Header,
) -> Result<(Side, Ratio, J::State), String> {
    if game.name() != header.game {
        return Err(format!("the game is written `{}`", shown(&game.name())));
    }
    if game.rules() != header.rules {
        return Err(other_rules(&game.rules().to_string(), header));
    }
    let side = match game.players().iter().position(|player| *player == header.prover) {
        Some(0) => Side::Max,
        Some(_) => Side::Min,
        None => return Err(format!("`{}` is not a player of this game", shown(&header.prover))),
    };
    if header.formula.is_some()
        || header.max.is_some()
        || header.expected.is_some()
        || header.or_endless
    {
        return Err("expected no formula, `max` or `or-endless` where moves are joint".to_owned());
    }
    if header.relation != if side == Side::Max { "at-least" } else { "at-most" } {
        return Err("expected `at-least` for the first player, `at-most` for the other".to_owned());
    }
    let bound = fraction(&header.outcome);
    let bound = bound.ok_or_else(|| format!("`{}` is not a number", shown(&header.outcome)))?;
    Ok((side, bound, position(game, &header.position)?))
}

fn position<J: JointNotation>(game: &J, text: &str) -> Result<J::State, String> {
    let read = game.read_position(text);
    let s = read.map_err(|e| format!("the position can't be read: {}", shown(&e.message)))?;
    match game.position_text(&s) {
        written if written == text => Ok(s),
        written => Err(format!("the position is written `{}`", shown(&written))),
    }
}

/// How bounds are added up.
pub trait Numbers {
    /// What a position is worth, or with which weight a move is played.
    type Bound: Clone + Ord;
    /// What is said where numbers grow too large.
    const TOO_LARGE: &str;
    /// The bound of a position that is over.
    fn payoff(&self, payoff: i64) -> Self::Bound;
    /// A weight above zero that is not too large.
    fn weight(&self, weight: &Big) -> Option<Self::Bound>;
    /// The mean of the bounds, rounded against the prover if at all; nothing if it is too large.
    fn mean(&self, prover: Side, terms: &[(&Self::Bound, Self::Bound)]) -> Option<Self::Bound>;
    /// A bound in points.
    fn points(&self, bound: &Self::Bound, unit: i64) -> Ratio;
}

/// In fractions, without any rounding.
pub struct Exact;

impl Numbers for Exact {
    type Bound = Ratio;
    const TOO_LARGE: &str = "a bound has more than 2^16 bits: rounded arithmetic keeps them short";

    fn payoff(&self, payoff: i64) -> Ratio {
        Ratio::from(payoff)
    }

    fn weight(&self, weight: &Big) -> Option<Ratio> {
        (*weight > Big::ZERO).then(|| Ratio::from(weight.clone()))
    }

    fn mean(&self, _prover: Side, terms: &[(&Ratio, Ratio)]) -> Option<Ratio> {
        // A pure strategy needs no arithmetic.
        if let [(_, bound)] = terms {
            return Some(bound.clone());
        }
        let (mut sum, mut weights) = (Ratio::ZERO, Ratio::ZERO);
        for (weight, bound) in terms {
            sum += *weight * bound;
            weights += *weight;
        }
        Some(sum / weights).filter(|mean| bits(mean) <= MOST_BITS)
    }

    fn points(&self, bound: &Ratio, unit: i64) -> Ratio {
        bound / Ratio::from(unit)
    }
}

/// In multiples of 2^-bits, rounded against the prover.
pub struct Rounded(pub u32);

impl Numbers for Rounded {
    /// A multiple of 2^-bits; a weight as it is.
    type Bound = i128;
    const TOO_LARGE: &str = "the numbers are too large for rounded arithmetic";

    fn payoff(&self, payoff: i64) -> i128 {
        i128::from(payoff) << self.0
    }

    fn weight(&self, weight: &Big) -> Option<i128> {
        u64::try_from(weight).ok().filter(|w| (1..=MOST_WEIGHT).contains(w)).map(i128::from)
    }

    fn mean(&self, prover: Side, terms: &[(&i128, i128)]) -> Option<i128> {
        let (mut sum, mut weights) = (0i128, 0i128);
        for (weight, bound) in terms {
            sum = sum.checked_add(weight.checked_mul(*bound)?)?;
            weights += *weight;
        }
        let up = prover == Side::Min && sum.rem_euclid(weights) != 0;
        Some(sum.div_euclid(weights) + i128::from(up))
    }

    fn points(&self, bound: &i128, unit: i64) -> Ratio {
        Ratio::from_parts_signed(Big::from(*bound), Big::from(unit) << self.0 as usize)
    }
}
