//! Answers about joint moves, as text for people.

use crate::{JointAnswer, Shown, Status, Strategy};
use foregone_model::Fraction;
use foregone_model::number::read_number;

use super::{Asked, bytes_text, counted, short};

/// The answer in a sentence.
pub(super) fn headline(shown: &Shown, answer: &JointAnswer) -> String {
    format!("{}: {}.", answer.game, described(&shown.players[0], answer))
}

/// The answer for people.
pub(super) fn text(shown: &Shown, answer: &JointAnswer, asked: Asked) -> String {
    let [max, min] = [&shown.players[0], &shown.players[1]];
    let mut out = format!("{}\n{}\n", shown.drawing, headline(shown, answer));
    let width = max.len().max(min.len()).max(4) + 6;
    let mut row = |key: &str, text: String| out.push_str(&format!("  {key:<width$} {text}\n"));
    for (player, strategy) in [max, min].into_iter().zip(&answer.strategies) {
        if !strategy.0.is_empty() {
            row(&format!("{player} plays"), played(strategy));
        }
    }
    if answer.status == Status::Solved {
        row("proof", proof(answer, max, min, asked));
    }
    let seconds = answer.seconds;
    let speed = match seconds > 0.1 {
        true => format!(", {} nodes/s", short(answer.nodes as f64 / seconds)),
        false => String::new(),
    };
    let pure = match answer.expansions {
        0 => String::new(),
        n => format!(" ({:.0} % without mixing)", 100.0 * answer.pure as f64 / n as f64),
    };
    let expansions = counted(answer.expansions, "expansion");
    row(
        "search",
        format!(
            "{} + {}, {expansions}{pure}, {}, {}, {seconds:.2} s{speed}, {}",
            answer.scheme,
            answer.driver,
            counted(answer.nodes, "node"),
            counted(answer.lp_calls, "linear program"),
            bytes_text(answer.peak_bytes),
        ),
    );
    out
}

/// What was found, in a sentence.
fn described(max: &str, answer: &JointAnswer) -> String {
    let [low, high] = &answer.bounds;
    match (&answer.value, answer.approximation, answer.error) {
        (None, Some(_), _) if answer.scheme == "maxmin" => {
            format!("at least {low} for {max}, who moves first here")
        }
        (None, Some(_), _) if answer.scheme == "minmax" => {
            format!("at most {high} for {max}, who moves last here")
        }
        (None, Some(value), _) => {
            format!("about {} for {max}, an approximation", crate::joint::decimal(value))
        }
        (None, None, _) => {
            let stop = answer.stop.word();
            format!("undecided ({stop}), between {low} and {high} for {max}")
        }
        (Some(value), _, Some(0.0)) => format!("value {} for {max}", readable(value)),
        (Some(value), _, Some(error)) => format!("value {value} for {max}, up to {error:.1e}"),
        (Some(value), _, None) => format!("value {value} for {max}, up to rounding"),
    }
}

/// A fraction for people: with a decimal number behind it where it is long.
pub(super) fn readable(fraction: &str) -> String {
    match read_number(fraction) {
        Ok(x) if fraction.len() > 9 => format!("{fraction} ({:.6})", x.as_f64()),
        _ => fraction.to_owned(),
    }
}

/// What became of the proof.
fn proof(answer: &JointAnswer, max: &str, min: &str, asked: Asked) -> String {
    let Some(proof) = &answer.proof else {
        return super::no_proof(asked);
    };
    let kept = match &proof.file {
        Some(path) => format!("written to {path}"),
        None => format!("not kept: {}", asked.keeps_proof),
    };
    let [of_max, of_min] = proof.by_side.unwrap_or_default().map(|n| counted(n, "position"));
    format!("checked, strategies of {max} for {of_max}, of {min} for {of_min} ({kept})")
}

/// A probability for people: a fraction that can be read, or a decimal number.
fn short_part(p: &str) -> String {
    match read_number(p) {
        Ok(x) if p.len() > 11 => format!("{:.6}", x.as_f64()),
        _ => p.to_owned(),
    }
}

/// A strategy in words.
fn played(Strategy(strategy): &Strategy) -> String {
    if let [(m, _)] = &strategy[..] {
        return m.clone();
    }
    let parts: Vec<String> =
        strategy.iter().map(|(m, p)| format!("{m}: {}", short_part(p))).collect();
    parts.join(", ")
}
