//! Answers about joint moves, as text for people and as JSON for scripts.

use std::collections::BTreeMap;

use foregone_model::number::read_number;
use foregone_model::ratio::Big;
use foregone_model::{Fraction, JointNotation, Ratio, Side};
use foregone_search::StopReason;
use foregone_search::joint::Policy;
use serde::Serialize;

use super::{How, JointAnswer, JointJob};
use crate::failure::Failure;
use crate::guidance::word;
use crate::print::grouped;
use crate::session::{bytes_text, short};

/// `solve --json` of joint moves: what `solve` says elsewhere, and strategies.
#[derive(Serialize)]
struct JointJson {
    game: String,
    position: String,
    question: &'static str,
    scheme: String,
    driver: String,
    status: &'static str,
    value: Option<String>,
    winner: Option<String>,
    bounds: [String; 2],
    holds: Option<bool>,
    approximation: Option<f64>,
    error: Option<f64>,
    strategies: [BTreeMap<String, String>; 2],
    best_move: Option<String>,
    line: Vec<String>,
    expansions: u64,
    nodes: u64,
    playouts: u64,
    lp_calls: u64,
    pure: u64,
    seconds: f64,
    peak_bytes: u64,
    seed: u64,
    stop: &'static str,
    proof: Option<ProofJson>,
}

#[derive(Serialize)]
struct ProofJson {
    file: Option<String>,
    claims: u64,
    checked: bool,
}

/// A number for people: short, and never more digits than there are.
pub(super) fn decimal(x: f64) -> String {
    let text = format!("{x:.12}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A fraction for people: with a decimal number behind it where it is long.
fn readable(fraction: &str) -> String {
    match read_number(fraction) {
        Ok(x) if fraction.len() > 9 => format!("{fraction} ({:.6})", x.as_f64()),
        _ => fraction.to_owned(),
    }
}

/// A mixture of moves with its weights as fractions of their sum.
pub(super) fn mixture<J: JointNotation>(
    game: &J,
    s: &J::State,
    side: Side,
    mix: &[(J::Move, Big)],
) -> Vec<(String, String)> {
    let sum = mix.iter().fold(Big::ZERO, |sum, (_, weight)| sum + weight);
    let part = |weight: &Big| Ratio::lowest(weight.clone(), sum.clone()).to_string();
    mix.iter().map(|(m, weight)| (game.move_text(s, side, *m), part(weight))).collect()
}

/// The bounds of the value, in points: proved ones, or those that the search leaves.
fn bounds<J: JointNotation>(game: &J, how: How, answer: &JointAnswer) -> [String; 2] {
    if let Some((low, high)) = &answer.proved {
        return [low.to_string(), high.to_string()];
    }
    let unit = game.unit() as f64;
    let (low, high) = game.range();
    let (mut low, mut high) = (decimal(low as f64 / unit), decimal(high as f64 / unit));
    match (how, answer.value) {
        (How::Serial(Policy::Maxmin), Some(value)) => low = decimal(value),
        (How::Serial(Policy::Minmax), Some(value)) => high = decimal(value),
        (How::Serial(_), _) | (_, None) => {}
        (_, Some(value)) => (low, high) = (decimal(value), decimal(value)),
    }
    [low, high]
}

/// By how much the value may be off, if strategies show it.
fn error(answer: &JointAnswer) -> Option<f64> {
    answer.proved.as_ref().map(|(low, high)| (high - low).as_f64())
}

/// The value in words: a fraction, or a decimal number that lies between the proved bounds.
fn value(answer: &JointAnswer) -> Option<String> {
    match &answer.proved {
        Some((low, high)) if low == high => Some(low.to_string()),
        Some((low, high)) => Some(decimal(0.5 * low.as_f64() + 0.5 * high.as_f64())),
        None => answer.value.map(decimal),
    }
}

/// Who is sure of the best payoff that there is.
fn winner<J: JointNotation>(game: &J, answer: &JointAnswer) -> Option<String> {
    let (low, high) = answer.proved.as_ref()?;
    let (least, most) = game.range();
    let points = |payoff| Ratio::new(payoff, game.unit());
    let side = if least == most {
        return None;
    } else if Some(low) == points(most).as_ref() {
        Side::Max
    } else if Some(high) == points(least).as_ref() {
        Side::Min
    } else {
        return None;
    };
    Some(game.players()[side.index()].to_owned())
}

/// The answer for scripts.
pub(super) fn json<J: JointNotation>(
    game: &J,
    job: &JointJob<J::State>,
    answer: &JointAnswer,
) -> Result<String, Failure> {
    let solved = answer.stop == StopReason::Solved && job.how.exact();
    let object = JointJson {
        game: game.name(),
        position: game.position_text(&job.start),
        question: "value",
        scheme: word(job.scheme),
        driver: word(job.driver),
        status: if solved { "solved" } else { "undecided" },
        value: if solved { value(answer) } else { None },
        winner: winner(game, answer),
        bounds: bounds(game, job.how, answer),
        holds: None,
        approximation: if job.how.exact() { None } else { answer.value },
        error: error(answer),
        strategies: answer.strategies.clone().map(|list| list.into_iter().collect()),
        best_move: None,
        line: Vec::new(),
        expansions: answer.counts.plain.expansions,
        nodes: answer.counts.plain.nodes,
        playouts: 0,
        lp_calls: answer.counts.lp_calls,
        pure: answer.counts.pure,
        seconds: answer.time.as_secs_f64(),
        peak_bytes: answer.counts.plain.peak_bytes,
        seed: job.budget.seed,
        stop: answer.stop.word(),
        proof: answer.proved.is_some().then(|| ProofJson {
            file: job.proof.as_ref().map(|p| p.display().to_string()),
            claims: answer.claims[0] + answer.claims[1],
            checked: true,
        }),
    };
    let text = serde_json::to_string(&object)
        .map_err(|e| Failure::input(format!("the answer can't be written: {e}")))?;
    Ok(text + "\n")
}

/// The answer for people.
pub(super) fn text<J: JointNotation>(
    game: &J,
    job: &JointJob<J::State>,
    answer: &JointAnswer,
) -> String {
    let [max, min] = game.players();
    let mut out =
        format!("{}\n{}: {}.\n", game.draw(&job.start), game.name(), said(game, job, answer));
    let width = max.len().max(min.len()).max(4) + 6;
    let mut row = |key: &str, text: String| out.push_str(&format!("  {key:<width$} {text}\n"));
    for (player, strategy) in game.players().iter().zip(&answer.strategies) {
        if !strategy.is_empty() {
            row(&format!("{player} plays"), played(strategy));
        }
    }
    if answer.stop == StopReason::Solved && job.how.exact() {
        row("proof", proof(job, answer, max, min));
    }
    let counts = &answer.counts;
    let seconds = answer.time.as_secs_f64();
    let speed = match seconds > 0.1 {
        true => format!(", {} nodes/s", short(counts.plain.nodes as f64 / seconds)),
        false => String::new(),
    };
    let pure = match counts.plain.expansions {
        0 => String::new(),
        n => format!(" ({:.0} % without mixing)", 100.0 * counts.pure as f64 / n as f64),
    };
    row(
        "search",
        format!(
            "{} + {}, {} expansions{pure}, {} nodes, {} linear programs, {seconds:.2} s{speed}, {}",
            word(job.scheme),
            word(job.driver),
            grouped(counts.plain.expansions),
            grouped(counts.plain.nodes),
            grouped(counts.lp_calls),
            bytes_text(counts.plain.peak_bytes),
        ),
    );
    out
}

/// What was found, in a sentence.
fn said<J: JointNotation>(game: &J, job: &JointJob<J::State>, answer: &JointAnswer) -> String {
    let max = game.players()[0];
    let [low, high] = bounds(game, job.how, answer);
    let Some(value) = value(answer) else {
        let stop = answer.stop.word();
        return format!("undecided ({stop}), between {low} and {high} for {max}");
    };
    if let How::Serial(policy) = job.how {
        return match policy {
            Policy::Maxmin => format!("at least {value} for {max}, who moves first here"),
            Policy::Minmax => format!("at most {value} for {max}, who moves last here"),
            _ => format!("about {value} for {max}, an approximation"),
        };
    }
    match error(answer) {
        Some(0.0) => format!("value {} for {max}", readable(&value)),
        Some(error) => format!("value {value} for {max}, up to {error:.1e}"),
        None => format!("value {value} for {max}, up to rounding"),
    }
}

/// What became of the proof.
fn proof<S>(job: &JointJob<S>, answer: &JointAnswer, max: &str, min: &str) -> String {
    if answer.proved.is_none() {
        return "not kept: --proof FILE makes one, however long it takes".to_owned();
    }
    let kept = match &job.proof {
        Some(path) => format!("written to {}", path.display()),
        None => "not kept: --proof FILE writes it".to_owned(),
    };
    let [of_max, of_min] = answer.claims.map(grouped);
    format!("checked, strategies of {max} for {of_max} positions, of {min} for {of_min} ({kept})")
}

/// A probability for people: a fraction that can be read, or a decimal number.
fn short_part(p: &str) -> String {
    match read_number(p) {
        Ok(x) if p.len() > 11 => format!("{:.6}", x.as_f64()),
        _ => p.to_owned(),
    }
}

/// A strategy in words.
fn played(strategy: &[(String, String)]) -> String {
    if let [(m, _)] = strategy {
        return m.clone();
    }
    let parts: Vec<String> =
        strategy.iter().map(|(m, p)| format!("{m}: {}", short_part(p))).collect();
    parts.join(", ")
}
