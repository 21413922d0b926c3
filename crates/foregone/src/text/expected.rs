//! Answers about expected values, as text for people.

use crate::{ExpectedAnswer, Shown, Status, Stop, ValueIs};

use super::joint::readable;
use super::{Asked, Effort, counted};

/// The answer in a sentence.
pub(super) fn headline(shown: &Shown, answer: &ExpectedAnswer) -> String {
    format!("{}: {}.", answer.game, described(shown, answer))
}

/// The answer for people.
pub(super) fn text(shown: &Shown, answer: &ExpectedAnswer, asked: Asked) -> String {
    let mut out = format!("{}\n{}\n", shown.drawing, headline(shown, answer));
    let mut row = |key: &str, text: String| out.push_str(&format!("  {key:<10} {text}\n"));
    if let Some(opponent) = &answer.opponent {
        row("opponent", opponent.clone());
    }
    if let Some(draw) = &answer.draw {
        row("draw", format!("worth {draw}"));
    }
    if let Some(first) = &answer.best_move {
        row("best move", first.clone());
    }
    for (at, m) in answer.moves.iter().flatten().enumerate() {
        let key = if at == 0 { "moves" } else { "" };
        let best = if m.best == Some(true) { " (best)" } else { "" };
        let chance = m.chance.as_ref().map(|p| format!(", with chance {p}")).unwrap_or_default();
        let [low, high] = m.bounds.each_ref().map(|bound| readable(bound));
        let value = m.value.as_ref().map_or_else(|| format!("{low} to {high}"), |v| readable(v));
        row(key, format!("{:<8} {value}{best}{chance}", m.text));
    }
    if answer.status == Status::Solved {
        row("proof", proof(shown, answer, asked));
    }
    let search = Effort {
        expansions: answer.expansions,
        nodes: answer.nodes,
        seconds: answer.seconds,
        peak_bytes: answer.peak_bytes,
    };
    row("search", format!("{} + {}, {}", answer.scheme, answer.driver, search.text()));
    out
}

/// What was found, in a sentence.
fn described(shown: &Shown, answer: &ExpectedAnswer) -> String {
    let player = &answer.player;
    let [low, high] = answer.bounds.each_ref().map(|bound| readable(bound));
    let gets = match (answer.value_is, shown.one_player) {
        (ValueIs::ChanceToWin, true) => "success has the chance".to_owned(),
        (ValueIs::ChanceToWin, false) => format!("{player} wins with chance"),
        (ValueIs::Points, true) => "the expected score is".to_owned(),
        (ValueIs::Points, false) => format!("{player} gets, on average,"),
    };
    let said = match (&answer.value, answer.approximation, answer.error) {
        (None, Some(value), _) => {
            format!("{gets} about {}, an approximation", crate::joint::decimal(value))
        }
        (None, None, _) => {
            let why = match answer.stop {
                Stop::Solved => "the bounds of both sides do not meet",
                stop => stop.word(),
            };
            return format!("undecided ({why}): {gets} {low} to {high}");
        }
        (Some(value), _, Some(0.0)) => format!("{gets} {}", readable(value)),
        (Some(value), _, Some(error)) => format!("{gets} {value}, up to {error:.1e}"),
        (Some(value), _, None) => format!("{gets} {value}, up to rounding"),
    };
    match shown.players.len() {
        0..=2 => said,
        _ => format!("{said}, against all others"),
    }
}

/// What became of the proof.
fn proof(shown: &Shown, answer: &ExpectedAnswer, asked: Asked) -> String {
    let Some(proof) = &answer.proof else {
        let none = "none: a best response is proved in short fractions only, and without loops";
        return match &answer.opponent {
            Some(_) => none.to_owned(),
            None => super::no_proof(asked),
        };
    };
    let kept = match &proof.file {
        Some(path) => format!("written to {path}"),
        None => format!("not kept: {}", asked.keeps_proof),
    };
    match proof.by_side {
        None => {
            format!("checked, a best response for {} ({kept})", counted(proof.claims, "position"))
        }
        Some(_) if shown.one_player => {
            format!("checked, {} ({kept})", counted(proof.claims, "position"))
        }
        Some([max, min]) => {
            let others =
                match shown.players.iter().filter(|p| **p != answer.player).collect::<Vec<_>>()[..]
                {
                    [other] => other.clone(),
                    _ => "the others".to_owned(),
                };
            let [max, min] = [max, min].map(|n| counted(n, "position"));
            let player = &answer.player;
            format!("checked, strategies of {player} for {max}, of {others} for {min} ({kept})")
        }
    }
}
