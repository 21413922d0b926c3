//! Answers as text for people.

use foregone::{Answer, FormulaAnswer, ProofSummary, Shown, Status, TurnAnswer};

use crate::print_joint;

/// An answer for people; `shown` is the position that it is about.
///
/// `asked` says whether a proof was asked for, whatever it takes.
pub(crate) fn text(shown: &Shown, answer: &Answer, asked: bool) -> String {
    match answer {
        Answer::Turn(answer) => solve_text(shown, answer, asked),
        Answer::Formula(answer) => formula_text(shown, answer, asked),
        Answer::Joint(answer) => print_joint::text(shown, answer, asked),
    }
}

/// A row below the headline.
fn row(out: &mut String, key: &str, text: &str) {
    out.push_str(&format!("  {key:<10} {text}\n"));
}

/// How many moves of a line are shown.
const SHOWN: usize = 16;

/// The answer about a game in turn.
fn solve_text(shown: &Shown, answer: &TurnAnswer, asked: bool) -> String {
    let mut out = format!("{}\n{}\n", shown.drawing, headline(shown, answer));
    if let Some(first) = &answer.best_move {
        row(&mut out, "best move", first);
        let line: Vec<&str> = answer.line.iter().take(SHOWN).map(String::as_str).collect();
        let more = if answer.line.len() > SHOWN { " …" } else { "" };
        row(&mut out, "line", &(line.join(" ") + more));
    }
    if answer.status == Status::Solved {
        row(&mut out, "proof", &proof_text(answer.proof.as_ref(), asked));
    }
    let scheme = answer.scheme.as_ref().map(|s| format!("{s} + ")).unwrap_or_default();
    let seconds = answer.seconds;
    let speed = match seconds > 0.1 {
        true => format!(", {} nodes/s", short(answer.nodes as f64 / seconds)),
        false => String::new(),
    };
    let search = format!(
        "{scheme}{}, {}, {}, {seconds:.2} s{speed}, {}",
        answer.driver,
        counted(answer.expansions, "expansion"),
        counted(answer.nodes, "node"),
        bytes_text(answer.peak_bytes),
    );
    row(&mut out, "search", &search);
    out
}

/// Why there is no proof.
pub(crate) fn no_proof(asked: bool) -> &'static str {
    match asked {
        true => "not made: the job was stopped before",
        false => "not kept: --proof FILE makes one, however long it takes",
    }
}

/// What became of the proof of an answer.
fn proof_text(proof: Option<&ProofSummary>, asked: bool) -> String {
    let Some(proof) = proof else {
        return no_proof(asked).to_owned();
    };
    let kept = match &proof.file {
        Some(path) => format!("written to {path}"),
        None => "not kept: --proof FILE writes it".to_owned(),
    };
    let claims = counted(proof.claims, "claim");
    let by_reason = match proof.by_reason {
        0 => String::new(),
        n => format!(", {} by knowledge whose reason was checked", grouped(n)),
    };
    match proof.recomputed {
        0 => format!("proved, {claims}{by_reason} ({kept})"),
        n => {
            let (n, names) = (grouped(n), proof.recomputed_names.join(", "));
            format!(
                "replayed, {claims}{by_reason}, {n} by knowledge that was recomputed, not proved: \
                 {names} ({kept})"
            )
        }
    }
}

/// The answer in a sentence.
fn headline(shown: &Shown, answer: &TurnAnswer) -> String {
    let name = &answer.game;
    let at = match &shown.to_move {
        Some(mover) => format!("{name}, {mover} to move"),
        None if shown.over.is_some() => format!("{name}, game over"),
        None => name.clone(),
    };
    let said = match shown.one_player {
        true => describe_points(shown, answer),
        false => describe_outcome(shown, answer),
    };
    format!("{at}: {said}.")
}

/// What was found, where two sides play.
fn describe_outcome(shown: &Shown, answer: &TurnAnswer) -> String {
    let max = &shown.players[0];
    let [least, most] = &answer.bounds;
    if answer.player.is_some() || shown.players.len() > 2 {
        return describe_for(shown, answer, answer.player.as_ref().unwrap_or(max));
    }
    if answer.status == Status::Undecided {
        let stop = answer.stop.word();
        return format!("undecided, between {least} and {most} for {max} (stopped: {stop})");
    }
    if answer.undetermined() {
        return "not determined by the rules: neither side can force an end".to_owned();
    }
    match &answer.winner {
        Some(name) if !shown.numbers => format!("{name} wins"),
        _ if least == most && least == "draw" => "a draw".to_owned(),
        _ if least == most => format!("{least} for {max}"),
        _ if answer.holds == Some(true) => format!("{max} reaches at least {least}"),
        _ if answer.holds == Some(false) => format!("{max} reaches at most {most}"),
        _ => format!("between {least} and {most} for {max}"),
    }
}

/// What was found for a player among several, or not for the first one. Outcomes have their names in
/// the game, and of two players these are the first one's.
fn describe_for(shown: &Shown, answer: &TurnAnswer, max: &str) -> String {
    let first = &shown.players[0];
    let name = |outcome: &str| match shown.players.len() {
        2 => format!("{outcome} for {first}"),
        _ => outcome.to_owned(),
    };
    let [least, most] = [name(&answer.bounds[0]), name(&answer.bounds[1])];
    if answer.status == Status::Undecided {
        let stop = answer.stop.word();
        return format!(
            "undecided, {max} gets {least} at worst and {most} at best (stopped: {stop})"
        );
    }
    if answer.undetermined() {
        return "not determined by the rules: neither side can force an end".to_owned();
    }
    match &answer.winner {
        Some(winner) if !shown.numbers => format!("{winner} wins"),
        _ if least == most && answer.bounds[0] == "draw" => "a draw".to_owned(),
        _ if least == most => format!("the best that {max} can get is {least}"),
        _ if answer.holds == Some(true) => format!("{max} can get {least} or better"),
        _ => format!("{max} can't get better than {most}"),
    }
}

/// What was found, where one player collects points.
fn describe_points(shown: &Shown, answer: &TurnAnswer) -> String {
    let [least, most] = &answer.bounds;
    if answer.status == Status::Undecided {
        let stop = answer.stop.word();
        format!("undecided, between {least} and {most} points (stopped: {stop})")
    } else if answer.undetermined() {
        "not determined by the rules: play need not end".to_owned()
    } else if least == most {
        format!("{} {least}", if shown.over.is_some() { "score" } else { "best score" })
    } else if answer.holds == Some(true) {
        format!("best score at least {least}")
    } else {
        format!("best score at most {most}")
    }
}

/// The answer about a formula.
fn formula_text(shown: &Shown, answer: &FormulaAnswer, asked: bool) -> String {
    let mut out = shown.drawing.clone();
    let a = &answer.protagonist;
    let turn = shown.to_move.as_ref().map_or(String::new(), |m| format!(", {m} to move"));
    let said = match answer.holds {
        Some(true) => format!("holds for {a}"),
        Some(false) => format!("does not hold for {a}"),
        None => format!("is undecided for {a} (stopped: {})", answer.stop.word()),
    };
    out.push_str(&format!("\n{}{turn}: {} {said}.\n", answer.game, answer.formula.trim()));
    match &answer.keys {
        Some(keys) => {
            let more = if answer.more_keys { " and perhaps more" } else { "" };
            let lines = keys.iter().any(|k| k.contains(' '));
            let (word, sign) = if lines { ("lines", ", ") } else { ("keys", " ") };
            let list = if keys.is_empty() { "none".to_owned() } else { keys.join(sign) };
            row(&mut out, word, &format!("{list}{more}"));
        }
        None if !answer.line.is_empty() => row(&mut out, "line", &answer.line.join(" ")),
        None => {}
    }
    if let Some(cost) = answer.cost {
        row(&mut out, "cost", &format!("{cost}, and no proof costs less"));
    }
    if answer.status == Status::Solved {
        row(&mut out, "proof", &proof_text(answer.proof.as_ref(), asked));
    }
    let (queries, seconds) = (answer.queries, answer.seconds);
    let speed = match seconds > 0.1 {
        true => format!(", {} asked/s", short(queries.atomic as f64 / seconds)),
        false => String::new(),
    };
    let search = format!(
        "{}, {}, {}, {}, {}, {seconds:.3} s{speed}, {}",
        answer.algorithm,
        counted(answer.nodes, "node"),
        counted(queries.atomic, "atom"),
        counted(queries.listmoves, "list"),
        counted(queries.play, "move"),
        bytes_text(answer.peak_bytes),
    );
    row(&mut out, "search", &search);
    out
}

/// One claim, two claims.
pub fn counted(n: u64, word: &str) -> String {
    format!("{} {word}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// 1,234,567.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// 12.3M and the like.
pub fn short(n: f64) -> String {
    match n {
        n if n >= 1e9 => format!("{:.1}G", n / 1e9),
        n if n >= 1e6 => format!("{:.1}M", n / 1e6),
        n if n >= 1e4 => format!("{:.1}k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// 1.5 GB and the like.
pub fn bytes_text(n: u64) -> String {
    match n as f64 {
        n if n >= 1e9 => format!("{:.1} GB", n / 1e9),
        n if n >= 1e6 => format!("{:.0} MB", n / 1e6),
        n => format!("{:.0} kB", n / 1e3),
    }
}
