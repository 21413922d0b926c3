//! Answers about games of three and more players: one of them stands against all others.

use foregone::{Shown, Status, TurnAnswer};

use crate::print;

/// What stands between the names of those who win together.
const TOGETHER: char = '+';

/// A list in words: `a, b and c`.
fn listed(names: &[&str], and: &str) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}

/// Who stands against whom.
pub(crate) fn against(players: &[String], max: &str) -> String {
    let others: Vec<&str> = players.iter().map(String::as_str).filter(|p| *p != max).collect();
    format!("{max} against {}", listed(&others, "and"))
}

/// An end in words. The names of ends are usually those of the winners.
pub(crate) fn end(players: &[String], name: &str) -> String {
    let winners: Vec<&str> = name.split(TOGETHER).collect();
    let known = |name: &&str| *name == "nobody" || players.iter().any(|p| p == name);
    match (&winners[..], winners.iter().all(known)) {
        ([one], true) => format!("{one} wins"),
        (_, true) => format!("{} win", listed(&winners, "and")),
        (_, false) => name.to_owned(),
    }
}

/// What was found for one player against all others.
pub(crate) fn outcome(shown: &Shown, answer: &TurnAnswer, max: &str) -> String {
    let ends = |names: &str| {
        let all: Vec<String> = names.split(" or ").map(|name| end(&shown.players, name)).collect();
        listed(&all.iter().map(String::as_str).collect::<Vec<_>>(), "or")
    };
    let [least, most] = [ends(&answer.bounds[0]), ends(&answer.bounds[1])];
    if answer.status == Status::Undecided {
        let stop = answer.stop.word();
        return format!(
            "undecided, for {max} at worst {least} and at best {most} (stopped: {stop})"
        );
    }
    if answer.undetermined() {
        return print::undetermined(&least, &most);
    }
    match &answer.winner {
        Some(winner) if winner == max && !shown.numbers => format!("{max} wins"),
        _ if least == most && shown.numbers => format!("{least} for {max}"),
        _ if least == most => format!("the best for {max} is that {least}"),
        _ if answer.holds == Some(true) => format!("{max} gets this or better: {least}"),
        _ => format!("{max} gets no better than this: {most}"),
    }
}
