//! Answers about games of several players, as text for people: one of them against all others, or what
//! every one of them gets.

use crate::{ManyAnswer, Shown, Status, TurnAnswer, called, end_of_many};

use super::{Asked, Effort, row, rows};

/// The answer about every player's score in a sentence.
pub(super) fn headline(shown: &Shown, answer: &ManyAnswer) -> String {
    let mut at = answer.game.clone();
    match &answer.to_move {
        Some(mover) if !shown.one_player => at.push_str(&format!(", {} to move", called(mover))),
        None => at.push_str(", game over"),
        Some(_) => {}
    }
    let one = |score: &crate::PlayerScore| format!("{} {}", called(&score.player), score.score);
    let scores: Vec<String> = answer.scores.iter().map(one).collect();
    let scores = scores.join(", ");
    let said = match answer.status {
        // Of two sides, who wins says more than places in a scale.
        Status::Solved if !shown.own_scores && !shown.numbers && !shown.one_player => {
            let over = Shown { over: answer.outcome.clone(), ..shown.clone() };
            over.ended().unwrap_or_default()
        }
        Status::Solved => scores,
        Status::Undecided => format!("undecided (stopped: {})", answer.stop.word()),
    };
    format!("{at}, by max^n: {said}.")
}

/// The answer about every player's score.
pub(super) fn text(shown: &Shown, answer: &ManyAnswer, asked: Asked) -> String {
    let mut out = format!("{}\n{}\n", shown.drawing, headline(shown, answer));
    if let Some(first) = &answer.best_move {
        row(&mut out, "best move", first);
        let more = (answer.line.len() > super::SHOWN).then_some("…");
        let line = answer.line.iter().take(super::SHOWN).map(String::as_str);
        rows(&mut out, "line", line.chain(more));
    }
    row(&mut out, "ties", "of equally good moves the first one, in the order of the rules");
    if answer.status == Status::Solved {
        let proof = match answer.repeats {
            true => "none: positions come up again where no move of the answer leads".to_owned(),
            false => super::proof_text(answer.proof.as_ref(), asked),
        };
        row(&mut out, "proof", &proof);
    }
    let search = Effort {
        expansions: answer.expansions,
        nodes: answer.nodes,
        seconds: answer.seconds,
        peak_bytes: answer.peak_bytes,
    };
    let search = format!("{} + {}, {}", answer.scheme, answer.driver, search.text());
    row(&mut out, "search", &search);
    out
}

/// Who stands against whom.
pub(super) fn against(players: &[String], max: &str) -> String {
    let mut others = players.iter().filter(|p| *p != max);
    match (others.next(), others.next()) {
        (Some(other), None) if crate::called(other) == other => format!("{max} against {other}"),
        _ => format!("{max} against all others"),
    }
}

/// What was found for one player against all others.
pub(super) fn described(shown: &Shown, answer: &TurnAnswer, max: &str) -> String {
    let stop = answer.stop.word();
    if answer.undetermined() && answer.status == Status::Solved {
        let [least, most] = [&answer.bounds[0], &answer.bounds[1]].map(|b| ends(shown, max, b));
        return super::undetermined(&least, &most);
    }
    let (winner, holds) = (answer.winner.as_deref(), answer.holds);
    let solved = answer.status == Status::Solved;
    let found = Found { bounds: &answer.bounds, winner: winner.filter(|_| solved), holds };
    outcome(shown, max, found).unwrap_or_else(|[least, most]| {
        format!("undecided, at worst {least} and at best {most} (stopped: {stop})")
    })
}

/// What is known of a position or of a move.
pub(super) struct Found<'a> {
    pub(super) bounds: &'a [String; 2],
    pub(super) winner: Option<&'a str>,
    pub(super) holds: Option<bool>,
}

/// What a player can get, in words; if that is not known, the worst and the best that it may be.
pub(super) fn outcome(shown: &Shown, max: &str, found: Found<'_>) -> Result<String, [String; 2]> {
    let [least, most] = found.bounds;
    let say = |bound: &str| ends(shown, max, bound);
    let known = least == most;
    let worst = known && least == "loss";
    Ok(match (found.winner, found.holds) {
        (Some(winner), _) if winner == max && !shown.numbers => format!("{max} wins"),
        _ if worst || known && shown.numbers => say(least),
        _ if known && least == "draw" => "a draw".to_owned(),
        _ if known && most.split(" or ").any(|end| end == "nobody") => {
            format!("the best for {max} is that {}", say(least))
        }
        _ if known => format!("{max} can't prevent that {}", say(least)),
        (_, Some(true)) if shown.numbers => format!("{max} gets at least {least}"),
        (_, Some(false)) if shown.numbers => format!("{max} gets at most {most}"),
        (_, Some(true)) => format!("{max} gets this or better: {}", say(least)),
        (_, Some(false)) => format!("{max} gets no better than this: {}", say(most)),
        (_, None) => return Err([say(least), say(most)]),
    })
}

/// Outcomes that are the same to a player, in words.
fn ends(shown: &Shown, max: &str, names: &str) -> String {
    match names {
        "win" => return format!("{max} wins"),
        "loss" => return format!("{max} loses"),
        "draw" => return "it is a draw".to_owned(),
        _ if shown.numbers => return format!("{max} gets {names}"),
        _ => {}
    }
    let names: Vec<&str> = names.split(" or ").collect();
    let single = |name: &&str| *name == "nobody" || shown.players.iter().any(|p| p == name);
    match names.iter().all(single) {
        true => format!("{} wins", listed(&names)),
        false => {
            let all: Vec<String> =
                names.iter().map(|name| end_of_many(&shown.players, name, false)).collect();
            listed(&all.iter().map(String::as_str).collect::<Vec<_>>())
        }
    }
}

/// A list in words: `a, b or c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
