//! Certificates of games with joint moves: a mixed strategy for every position that it can meet,
//! checked by best responses in whole numbers.
//!
//! The minimax theorem of J. von Neumann (1928) read as a proof format: what Max gets at least
//! with a strategy, whatever Min answers, is a lower bound of the value. No linear program is
//! needed to see that, only sums.
//!
//! ```text
//! foregone certificate 1
//! game goofspiel:3
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
use std::fmt::Write as _;
use std::io::BufRead;

use super::check::{CheckError, Header, Problem, Reader};
use super::{Checksum, MAGIC, Written};
use crate::game::Side;
use crate::joint::{Joint, JointNotation};
use crate::ratio::{Big, Ratio};

/// How the bounds of positions are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// In fractions, without any rounding.
    Exact,
    /// In multiples of 2^-K, rounded to the safe side.
    Rounded(u32),
}

/// The finest rounding: payoffs of some bits and weights of 53 still fit beside it.
const FINEST: u32 = 60;

/// The weights of a position may sum up to this when bounds are rounded.
pub const MOST_WEIGHT: u64 = 1 << 53;

impl Arithmetic {
    pub(super) fn read(text: &str) -> Option<Arithmetic> {
        match text {
            "exact" => Some(Arithmetic::Exact),
            _ => text.parse().ok().filter(|k| *k <= FINEST).map(Arithmetic::Rounded),
        }
    }
}

/// A strategy to be written: for each position, in an order in which a position stands behind all
/// that its moves lead to, the moves that are played and their weights.
#[derive(Clone, Debug)]
pub struct Mixed<S, M> {
    /// Whose strategy it is.
    pub prover: Side,
    /// How its bounds are computed.
    pub arithmetic: Arithmetic,
    /// The positions and what is played there.
    pub lines: Vec<(S, Vec<(M, Big)>)>,
}

/// Writes the certificate of what the strategy guarantees from `start`.
///
/// Lines that do not fit the rules are an error, or make a certificate that the checker refuses.
pub fn write_mixed<J: JointNotation>(
    game: &J,
    start: &J::State,
    strategy: &Mixed<J::State, J::Move>,
) -> Result<Written, Problem> {
    let bound = match strategy.arithmetic {
        Arithmetic::Exact => guarantee(game, start, strategy, Exact)?,
        Arithmetic::Rounded(bits) => guarantee(game, start, strategy, Rounded { bits })?,
    };
    let mut text = String::new();
    let prover = game.players()[strategy.prover.index()];
    let relation = relation(strategy.prover);
    let arithmetic = match strategy.arithmetic {
        Arithmetic::Exact => "exact".to_owned(),
        Arithmetic::Rounded(bits) => bits.to_string(),
    };
    let _ = writeln!(text, "{MAGIC}\ngame {}\nmixed {arithmetic}", game.name());
    let _ = writeln!(text, "position {}", game.position_text(start));
    let _ = writeln!(text, "claim {prover} {relation} {bound}\n");
    for (s, mix) in &strategy.lines {
        for (m, weight) in mix {
            game.write_move(s, strategy.prover, *m, &mut text);
            let _ = write!(text, " {weight} ");
        }
        text.push_str("@ ");
        game.write_position(s, &mut text);
        text.push('\n');
    }
    let mut sum = Checksum::new();
    sum.add(text.as_bytes());
    let claims = strategy.lines.len() as u64;
    let _ = writeln!(text, "end {claims} {:016x}", sum.0);
    let peak_bytes = text.capacity() as u64;
    Ok(Written { text, claims, peak_bytes })
}

/// What a strategy guarantees from `start`, in points.
fn guarantee<J: JointNotation, N: Numbers>(
    game: &J,
    start: &J::State,
    strategy: &Mixed<J::State, J::Move>,
    numbers: N,
) -> Result<Ratio, Problem> {
    if let Some(payoff) = game.payoff(start) {
        return Ok(numbers.points(&numbers.payoff(payoff), game.unit()));
    }
    let mut proved = HashMap::new();
    for (s, mix) in &strategy.lines {
        let weigh = |(m, weight): &(J::Move, Big)| Some((*m, numbers.whole(weight)?));
        let mixed: Option<Vec<_>> = mix.iter().map(weigh).collect();
        let mixed = mixed.ok_or(Problem::TooLarge)?;
        let bound = response(game, &numbers, strategy.prover, s, &mixed, &proved)?;
        proved.insert(s.clone(), bound);
    }
    let bound = proved.get(start).ok_or(Problem::NotTheClaim)?;
    Ok(numbers.points(bound, game.unit()))
}

fn relation(prover: Side) -> &'static str {
    match prover {
        Side::Max => "at-least",
        Side::Min => "at-most",
    }
}

/// What a mixed strategy was found to guarantee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedMixed {
    /// Whose strategy it is.
    pub prover: Side,
    /// What the header claims, in points, and what therefore is proved.
    pub bound: Ratio,
    /// What the strategy guarantees in the position: at least as good as the claim.
    pub found: Ratio,
    /// How many positions were replayed.
    pub claims: u64,
}

/// Replays the certificate whose header was just read: nothing is believed but the rules.
pub fn check_mixed<J: JointNotation, R: BufRead>(
    game: &J,
    header: &Header,
    reader: &mut Reader<R>,
) -> Result<CheckedMixed, CheckError> {
    match header.mixed {
        Some(Arithmetic::Rounded(bits)) => check_with(game, header, reader, Rounded { bits }),
        Some(Arithmetic::Exact) => check_with(game, header, reader, Exact),
        None => Err(reader.error(Problem::Expected("`mixed exact` or `mixed BITS`"))),
    }
}

fn check_with<J: JointNotation, R: BufRead, N: Numbers>(
    game: &J,
    header: &Header,
    reader: &mut Reader<R>,
    numbers: N,
) -> Result<CheckedMixed, CheckError> {
    // Step 1: the header in the game's own words.
    let understood = understand(game, header);
    let (prover, claimed, start) = understood.map_err(|problem| reader.error(problem))?;

    // Step 2: the positions, one after the other, each behind those that it leads to.
    let mut proved: HashMap<J::State, N::Bound> = HashMap::new();
    let mut last = None;
    let mut claims = 0u64;
    loop {
        let at = reader.next_number();
        let fail = |problem| CheckError { line: at, problem };
        let text = reader.need_line()?;
        if text.starts_with("end ") {
            reader.end(claims)?;
            break;
        }
        let form = "`MOVE WEIGHT … @ POSITION`, or `end`";
        let (mix, place) = text.split_once(" @ ").ok_or(fail(Problem::Expected(form)))?;
        let s = game.read_position(place).map_err(|e| fail(Problem::BadPosition(e.to_string())))?;
        let bound = worth(game, &numbers, prover, &s, mix, &proved).map_err(fail)?;
        claims += 1;
        last = Some(s.clone());
        if proved.insert(s, bound).is_some() {
            return Err(fail(Problem::TwicePosition));
        }
    }

    // Step 3: what the last one shows. A position that is over needs no line.
    let shown = match (game.payoff(&start), last) {
        (Some(payoff), None) => numbers.payoff(payoff),
        (None, Some(s)) if s == start => match proved.remove(&s) {
            Some(bound) => bound,
            None => return Err(reader.error(Problem::Truncated)),
        },
        _ => return Err(reader.error(Problem::NotTheClaim)),
    };
    let found = numbers.points(&shown, game.unit());
    let good = match prover {
        Side::Max => found >= claimed,
        Side::Min => found <= claimed,
    };
    match good {
        true => Ok(CheckedMixed { prover, bound: claimed, found, claims }),
        false => Err(reader.error(Problem::WrongBound(found.to_string()))),
    }
}

/// What a side guarantees itself in `s` by mixing its moves as a line says.
fn worth<J: JointNotation, N: Numbers>(
    game: &J,
    numbers: &N,
    prover: Side,
    s: &J::State,
    mix: &str,
    proved: &HashMap<J::State, N::Bound>,
) -> Result<N::Bound, Problem> {
    if game.payoff(s).is_some() {
        return Err(Problem::IsOver);
    }
    let mut own = Vec::new();
    game.moves(s, prover, &mut own);
    let mut mixed: Vec<(J::Move, N::Weight)> = Vec::new();
    let mut words = mix.split(' ');
    while let Some(word) = words.next() {
        let known = game.parse_move(s, prover, word).filter(|m| own.contains(m));
        let m = known.ok_or_else(|| Problem::IllegalMove(word.to_owned()))?;
        let weight = words.next().and_then(|w| numbers.weight(w));
        let weight = weight.ok_or(Problem::Expected("a weight above 0 behind each move"))?;
        if mixed.iter().any(|&(other, _)| other == m) {
            return Err(Problem::IllegalMove(word.to_owned()));
        }
        mixed.push((m, weight));
    }
    response(game, numbers, prover, s, &mixed, proved)
}

/// What a mixture of moves is worth against the best response of the other side.
fn response<J: JointNotation, N: Numbers>(
    game: &J,
    numbers: &N,
    prover: Side,
    s: &J::State,
    mixed: &[(J::Move, N::Weight)],
    proved: &HashMap<J::State, N::Bound>,
) -> Result<N::Bound, Problem> {
    let mut others = Vec::new();
    game.moves(s, prover.other(), &mut others);
    let mut worst: Option<N::Bound> = None;
    let mut terms = Vec::with_capacity(mixed.len());
    for &other in &others {
        terms.clear();
        for (own, weight) in mixed {
            let (max, min) = match prover {
                Side::Max => (*own, other),
                Side::Min => (other, *own),
            };
            let mut next = s.clone();
            game.play(&mut next, max, min);
            let bound = match game.payoff(&next) {
                Some(payoff) => numbers.payoff(payoff),
                None => match proved.get(&next) {
                    Some(bound) => bound.clone(),
                    None => return Err(Problem::Unclaimed(game.position_text(&next))),
                },
            };
            terms.push((weight, bound));
        }
        let mean = numbers.mean(prover, &terms).ok_or(Problem::TooLarge)?;
        worst = Some(match worst {
            None => mean,
            Some(so_far) => match prover {
                Side::Max => so_far.min(mean),
                Side::Min => so_far.max(mean),
            },
        });
    }
    worst.ok_or(Problem::WrongCount { legal: 0 })
}

/// The header's claim: who gets how much from where.
fn understand<J: JointNotation>(
    game: &J,
    header: &Header,
) -> Result<(Side, Ratio, J::State), Problem> {
    let side = [Side::Max, Side::Min]
        .into_iter()
        .find(|side| game.players()[side.index()] == header.prover)
        .ok_or_else(|| Problem::UnknownPlayer(header.prover.clone()))?;
    if header.formula.is_some() || header.or_endless {
        return Err(Problem::Expected("neither a formula nor `or-endless` in a game that ends"));
    }
    if header.relation != relation(side) {
        return Err(Problem::Expected("`at-least` for the first player, `at-most` for the other"));
    }
    let bad = || Problem::BadOutcome(header.outcome.clone());
    let bound = header.outcome.parse().map_err(|_| bad())?;
    let start =
        game.read_position(&header.position).map_err(|e| Problem::BadPosition(e.to_string()))?;
    Ok((side, bound, start))
}

/// How bounds are added up.
trait Numbers {
    type Weight;
    type Bound: Clone + Ord;
    fn payoff(&self, payoff: i64) -> Self::Bound;
    /// A weight above zero as it is written.
    fn weight(&self, text: &str) -> Option<Self::Weight>;
    /// The same of a whole number.
    fn whole(&self, weight: &Big) -> Option<Self::Weight>;
    /// The mean of the bounds, rounded against the prover if at all; nothing if it is too large.
    fn mean(&self, prover: Side, terms: &[(&Self::Weight, Self::Bound)]) -> Option<Self::Bound>;
    /// A bound in points.
    fn points(&self, bound: &Self::Bound, unit: i64) -> Ratio;
}

struct Exact;

impl Numbers for Exact {
    type Weight = Ratio;
    type Bound = Ratio;

    fn payoff(&self, payoff: i64) -> Ratio {
        Ratio::from(payoff)
    }

    fn weight(&self, text: &str) -> Option<Ratio> {
        let whole = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        whole.then(|| text.parse().ok()).flatten().filter(|w| *w > Ratio::ZERO)
    }

    fn whole(&self, weight: &Big) -> Option<Ratio> {
        (*weight > Big::ZERO).then(|| Ratio::lowest(weight.clone(), Big::ONE))
    }

    fn mean(&self, _prover: Side, terms: &[(&Ratio, Ratio)]) -> Option<Ratio> {
        // A pure strategy needs no arithmetic.
        if let [(_, bound)] = terms {
            return Some(bound.clone());
        }
        let (mut sum, mut weights) = (Ratio::ZERO, Ratio::ZERO);
        for (weight, bound) in terms {
            sum = &sum + &(*weight * bound);
            weights = &weights + weight;
        }
        sum.over(&weights)
    }

    fn points(&self, bound: &Ratio, unit: i64) -> Ratio {
        bound.over(&Ratio::from(unit)).unwrap_or(Ratio::ZERO)
    }
}

struct Rounded {
    bits: u32,
}

impl Numbers for Rounded {
    type Weight = u64;
    /// A multiple of 2^-bits.
    type Bound = i128;

    fn payoff(&self, payoff: i64) -> i128 {
        i128::from(payoff) << self.bits
    }

    fn weight(&self, text: &str) -> Option<u64> {
        let whole = text.bytes().all(|b| b.is_ascii_digit());
        whole.then(|| text.parse().ok()).flatten().filter(|w| (1..=MOST_WEIGHT).contains(w))
    }

    fn whole(&self, weight: &Big) -> Option<u64> {
        u64::try_from(weight).ok().filter(|w| (1..=MOST_WEIGHT).contains(w))
    }

    fn mean(&self, prover: Side, terms: &[(&u64, i128)]) -> Option<i128> {
        let (mut sum, mut weights) = (0i128, 0i128);
        for (weight, bound) in terms {
            sum = sum.checked_add(i128::from(**weight).checked_mul(*bound)?)?;
            weights += i128::from(**weight);
        }
        let down = sum.div_euclid(weights);
        let up = down + i128::from(sum.rem_euclid(weights) != 0);
        Some(match prover {
            Side::Max => down,
            Side::Min => up,
        })
    }

    fn points(&self, bound: &i128, unit: i64) -> Ratio {
        Ratio::lowest(Big::from(*bound), Big::from(unit) << self.bits as usize)
    }
}

/// How fine rounding may be for the payoffs of a game, so that sums still fit.
pub fn rounding_for<J: Joint>(game: &J) -> u32 {
    let (low, high) = game.range();
    let size = low.unsigned_abs().max(high.unsigned_abs()).max(1);
    // Weights below 2^53, their sum times a payoff, a sign.
    FINEST.min(126 - 53 - (64 - size.leading_zeros()))
}
