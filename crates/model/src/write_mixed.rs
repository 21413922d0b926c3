//! Writing a mixed strategy as a certificate.

use std::collections::HashMap;
use std::fmt::Write as _;

use foregone_proof::certificate::{
    Arithmetic, Checksum, Exact, FINEST, MAGIC, Numbers, Rounded, response,
};
use foregone_proof::ratio::Big;
use foregone_proof::{Joint, JointNotation, Ratio, Side};

use crate::write::Written;

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
) -> Result<Written, String> {
    let written = write_mixed_while(game, start, strategy, &mut |_, _| true)?;
    written.ok_or_else(|| unreachable!("nobody ends it"))
}

/// The same as long as `goes_on` says so, which is asked now and then with how many positions are
/// done, and how many there are.
pub fn write_mixed_while<J: JointNotation>(
    game: &J,
    start: &J::State,
    strategy: &Mixed<J::State, J::Move>,
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Option<Written>, String> {
    let Some(bound) = guarantee_while(game, start, strategy, goes_on)? else { return Ok(None) };
    let mut text = String::new();
    let prover = game.players()[strategy.prover.index()];
    let relation = if strategy.prover == Side::Max { "at-least" } else { "at-most" };
    let arithmetic = match strategy.arithmetic {
        Arithmetic::Exact => "exact".to_owned(),
        Arithmetic::Rounded(bits) => bits.to_string(),
    };
    let _ = writeln!(text, "{MAGIC}\ngame {}\nrules {}", game.name(), game.rules());
    let _ = writeln!(text, "mixed {arithmetic}");
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
    let mut sum = Checksum::EMPTY;
    sum.add(text.as_bytes());
    let claims = strategy.lines.len() as u64;
    let _ = writeln!(text, "end {claims} {:016x}", sum.0);
    let peak_bytes = text.capacity() as u64;
    Ok(Some(Written { text, claims, peak_bytes }))
}

/// What a strategy guarantees from `start`, in points, as long as `goes_on` says so.
pub fn guarantee_while<J: JointNotation>(
    game: &J,
    start: &J::State,
    strategy: &Mixed<J::State, J::Move>,
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Option<Ratio>, String> {
    match strategy.arithmetic {
        Arithmetic::Exact => guarantee_by(game, start, strategy, Exact, goes_on),
        Arithmetic::Rounded(bits) => guarantee_by(game, start, strategy, Rounded(bits), goes_on),
    }
}

fn guarantee_by<J: JointNotation, N: Numbers>(
    game: &J,
    start: &J::State,
    strategy: &Mixed<J::State, J::Move>,
    numbers: N,
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Option<Ratio>, String> {
    if let Some(payoff) = game.payoff(start) {
        return Ok(Some(numbers.points(&numbers.payoff(payoff), game.unit())));
    }
    let mut proved = HashMap::new();
    for (at, (s, mix)) in strategy.lines.iter().enumerate() {
        if at.is_multiple_of(16) && !goes_on(at as u64, strategy.lines.len() as u64) {
            return Ok(None);
        }
        let weigh = |(m, weight): &(J::Move, Big)| Some((*m, numbers.weight(weight)?));
        let mixed: Option<Vec<_>> = mix.iter().map(weigh).collect();
        let mixed = mixed.ok_or("a weight does not fit the arithmetic")?;
        let bound = response(game, &numbers, strategy.prover, s, &mixed, &proved)?;
        proved.insert(s.clone(), bound);
    }
    let bound = proved.get(start).ok_or("the strategy does not reach the position of the claim")?;
    Ok(Some(numbers.points(bound, game.unit())))
}

/// How fine rounding may be for the payoffs of a game, so that sums still fit.
pub fn rounding_for<J: Joint>(game: &J) -> u32 {
    let (low, high) = game.range();
    let size = low.unsigned_abs().max(high.unsigned_abs()).max(1);
    // Weights below 2^53, their sum times a payoff, a sign.
    FINEST.min(126 - 53 - (64 - size.leading_zeros()))
}
