//! Answers as text for people.

mod expected;
mod joint;
mod many;
mod problem;

use std::collections::BTreeSet;

use foregone_model::formula::Stipulation;
pub use foregone_model::number::{counted, grouped};

use self::many::Found;
pub use self::problem::Layout;
use crate::problem::Ply;
use crate::problem::written::Style;
use crate::{
    Answer, FormulaAnswer, LineEnd, MoveAnswer, ProofSummary, Replayed, Shown, Status, Stop,
    TurnAnswer, UNDETERMINED, called,
};

/// What a person asked for, and how a proof is kept where the person is.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// A proof, whatever it takes.
    pub proof: bool,
    /// A role for A, which a stipulation gives to a side by itself.
    pub protagonist: bool,
    /// How to get a proof that was not made.
    pub makes_proof: &'static str,
    /// How to keep one that was made.
    pub keeps_proof: &'static str,
    /// How to keep one of which there is only a drawing.
    pub keeps_text: &'static str,
}

/// An answer for people; `shown` is the position that it is about.
pub fn text(shown: &Shown, answer: &Answer, style: Style, asked: Asked) -> String {
    match answer {
        Answer::Turn(answer) => solve_text(shown, answer, asked),
        Answer::Many(answer) => many::text(shown, answer, asked),
        Answer::Formula(answer) => formula_text(shown, answer, style, asked),
        Answer::Joint(answer) => joint::text(shown, answer, asked),
        Answer::Expected(answer) => expected::text(shown, answer, asked),
    }
}

/// A row below the headline.
pub fn row(out: &mut String, key: &str, text: &str) {
    out.push_str(&format!("  {key:<10} {text}\n"));
}

/// How many moves of a line are shown.
const SHOWN: usize = 100;

/// No row of several words is wider than this.
const WIDTH: usize = 80;

/// Words behind a title, in as many lines as it takes; further ones begin below the first word.
pub fn wrapped<T: AsRef<str>>(
    title: &str,
    indent: usize,
    words: impl IntoIterator<Item = T>,
) -> String {
    let mut out = title.to_owned();
    let mut column = title.chars().count();
    for word in words {
        let word = word.as_ref();
        let width = 1 + word.chars().count();
        if column + width > WIDTH && column > indent {
            out.push_str(&format!("\n{:indent$}", ""));
            column = indent;
        }
        out.push_str(&format!(" {word}"));
        column += width;
    }
    out + "\n"
}

/// Rows of words below the headline.
pub fn rows<T: AsRef<str>>(out: &mut String, key: &str, words: impl IntoIterator<Item = T>) {
    out.push_str(&wrapped(&format!("  {key:<10}"), 12, words));
}

/// The answer about a game in turn.
fn solve_text(shown: &Shown, answer: &TurnAnswer, asked: Asked) -> String {
    let mut out = format!("{}\n{}\n", shown.drawing, in_turn(shown, answer));
    if let Some(first) = &answer.best_move {
        row(&mut out, "best move", first);
        let shown = answer.line.iter().take(SHOWN).map(String::as_str);
        rows(&mut out, "line", shown.chain(line_end(answer)));
    }
    if let Some(moves) = &answer.moves {
        moves_rows(&mut out, shown, answer, moves);
    }
    if answer.status == Status::Solved {
        row(&mut out, "proof", &proof_text(answer.proof.as_ref(), asked));
    }
    if let Some(game) = &answer.estimate_of {
        row(
            &mut out,
            "estimate",
            &format!(
                "in {} one of the others replies to each move; of {game} nothing is proved",
                answer.game
            ),
        );
    }
    let scheme = answer.scheme.as_ref().map(|s| format!("{s} + ")).unwrap_or_default();
    let search = Effort {
        expansions: answer.expansions,
        nodes: answer.nodes,
        seconds: answer.seconds,
        peak_bytes: answer.peak_bytes,
    };
    row(&mut out, "search", &format!("{scheme}{}, {}", answer.driver, search.text()));
    out
}

/// What a search took.
struct Effort {
    expansions: u64,
    nodes: u64,
    seconds: f64,
    peak_bytes: u64,
}

impl Effort {
    /// For people.
    fn text(&self) -> String {
        let speed = match self.seconds > 0.1 {
            true => format!(", {} nodes/s", short(self.nodes as f64 / self.seconds)),
            false => String::new(),
        };
        format!(
            "{}, {}, {:.2} s{speed}, {}",
            counted(self.expansions, "expansion"),
            counted(self.nodes, "node"),
            self.seconds,
            bytes_text(self.peak_bytes),
        )
    }
}

/// What stands behind the moves of a line that does not show the end of the game.
fn line_end(answer: &TurnAnswer) -> Vec<&'static str> {
    match answer.line_end {
        _ if answer.line.len() > SHOWN => vec!["…"],
        LineEnd::Final => vec![],
        LineEnd::Repetition => vec!["(and", "so", "on)"],
        LineEnd::Open => vec!["… (not", "searched", "further)"],
        LineEnd::Undecided => vec!["(so", "far)"],
    }
}

/// The values of moves, the best for who moves first.
fn moves_rows(out: &mut String, shown: &Shown, answer: &TurnAnswer, moves: &[MoveAnswer]) {
    // The values in words, in the order in which they are shown.
    let mut values: Vec<(String, Vec<&MoveAnswer>)> = Vec::new();
    for best in [Some(true), None, Some(false)] {
        for m in moves.iter().filter(|m| m.best == best) {
            let said = describe_move(shown, answer, m);
            match values.iter_mut().find(|(other, _)| *other == said) {
                Some((_, same)) => same.push(m),
                None => values.push((said, vec![m])),
            }
        }
    }
    // Scores in their order; the best ones are at one end of it.
    let score = |(_, same): &(String, Vec<&MoveAnswer>)| same[0].bounds[0].parse::<i64>().ok();
    if shown.numbers && values.iter().all(|value| score(value).is_some()) {
        let best = values.first().and_then(score);
        values.sort_by_key(score);
        if values.last().and_then(score) == best {
            values.reverse();
        }
    }
    for (i, (said, same)) in values.iter().enumerate() {
        let text = |m: &&MoveAnswer| match m.distance {
            Some(distance) => format!("{} ({distance})", m.text),
            None => m.text.clone(),
        };
        let key = if i == 0 { "moves" } else { "" };
        let mut words: Vec<String> = same.iter().map(text).collect();
        words[0] = format!("{said}: {}", words[0]);
        let last = words.len() - 1;
        words[..last].iter_mut().for_each(|word| word.push(','));
        rows(out, key, words);
    }
    if moves.iter().any(|m| m.distance.is_some()) {
        row(
            out,
            "",
            "(in brackets: moves until the end, if one side hurries and the other resists)",
        );
    }
    let proved = moves.iter().filter(|m| m.proved).count();
    let decided = moves.iter().filter(|m| m.value.is_some() || m.holds.is_some()).count();
    if proved < decided {
        row(out, "", &format!("({proved} of {decided} values proved, the others only searched)"));
    }
}

/// What a move is worth, in words.
fn describe_move(shown: &Shown, answer: &TurnAnswer, m: &MoveAnswer) -> String {
    let max = answer.player.as_ref().unwrap_or(&shown.players[0]);
    let [least, most] = &m.bounds;
    if m.value.as_deref() == Some(UNDETERMINED) {
        return "not determined".to_owned();
    }
    if shown.against_others() {
        let found = Found { bounds: &m.bounds, winner: m.winner.as_deref(), holds: m.holds };
        return many::outcome(shown, max, found).unwrap_or_else(|[least, most]| {
            format!("undecided, {least} at worst and {most} at best")
        });
    }
    // Outcomes have their names in the game, and these are the first player's.
    let first = &shown.players[0];
    let name = |outcome: &String| format!("{outcome} for {first}");
    match &m.winner {
        Some(winner) if !shown.numbers => format!("{winner} wins"),
        _ if least == most && least == "draw" => "a draw".to_owned(),
        _ if least == most && shown.one_player => least.clone(),
        _ if answer.player.is_some() => match (least == most, m.holds) {
            (true, _) => name(least),
            (_, Some(true)) => format!("{max} can get {} or better", name(least)),
            (_, Some(false)) => format!("{max} can't get better than {}", name(most)),
            _ => format!("undecided, {} at worst and {} at best", name(least), name(most)),
        },
        _ if least == most => format!("{least} for {max}"),
        _ if m.holds == Some(true) => format!("{max} reaches at least {least}"),
        _ if m.holds == Some(false) => format!("{max} reaches at most {most}"),
        _ => format!("undecided, between {least} and {most} for {max}"),
    }
}

/// Why there is no proof.
fn no_proof(asked: Asked) -> String {
    match asked.proof {
        true => "not made: the job was stopped before, or there was no room for it".to_owned(),
        false => format!("not kept: {}", asked.makes_proof),
    }
}

/// What became of the proof of an answer.
fn proof_text(proof: Option<&ProofSummary>, asked: Asked) -> String {
    let Some(proof) = proof else {
        return no_proof(asked);
    };
    let kept = match &proof.file {
        Some(path) if path.ends_with(".svg") || path.ends_with(".dot") => {
            format!("drawn in {path}; {}", asked.keeps_text)
        }
        Some(path) => format!("written to {path}"),
        None => format!("not kept: {}", asked.keeps_proof),
    };
    let claims = counted(proof.claims, "claim");
    let mut by_reason = String::new();
    for (count, how) in [
        (proof.connections, "by connections"),
        (proof.parts, "by parts"),
        (proof.by_reason, "by knowledge whose reason was checked"),
    ] {
        if count > 0 {
            by_reason.push_str(&format!(", {} {how}", grouped(count)));
        }
    }
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

/// An answer in a sentence; `shown` is the position that it is about.
pub fn headline(shown: &Shown, answer: &Answer) -> String {
    match answer {
        Answer::Turn(answer) => in_turn(shown, answer),
        Answer::Many(answer) => many::headline(shown, answer),
        Answer::Formula(answer) => formula_headline(shown, answer, true),
        Answer::Joint(answer) => joint::headline(shown, answer),
        Answer::Expected(answer) => expected::headline(shown, answer),
    }
}

/// The answer about a game in turn in a sentence.
fn in_turn(shown: &Shown, answer: &TurnAnswer) -> String {
    let name = &answer.game;
    let mut at = match &shown.to_move {
        Some(mover) => format!("{name}, {} to move", called(mover)),
        None if shown.over.is_some() => format!("{name}, game over"),
        None => name.clone(),
    };
    if shown.against_others() {
        let max = answer.player.as_ref().unwrap_or(&shown.players[0]);
        at.push_str(&format!(", {}", many::against(&shown.players, max)));
    }
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
    let asked = answer.player.as_ref().unwrap_or(max);
    if shown.against_others() {
        return many::described(shown, answer, asked);
    }
    if answer.player.is_some() {
        return describe_for(shown, answer, asked);
    }
    if answer.status == Status::Undecided {
        let stop = stopped(answer);
        return format!("undecided, between {least} and {most} for {max} ({stop})");
    }
    if answer.undetermined() {
        return undetermined(least, &format!("{most} for {max}"));
    }
    match &answer.winner {
        Some(name) if !shown.numbers => wins(name),
        _ if least == most && least == "draw" => "a draw".to_owned(),
        _ if least == most => format!("{least} for {max}"),
        _ if answer.holds == Some(true) => format!("{max} reaches at least {least}"),
        _ if answer.holds == Some(false) && answer.question == "win" => {
            format!("{max} can't force a win")
        }
        _ if answer.holds == Some(false) => format!("{max} reaches at most {most}"),
        _ => format!("between {least} and {most} for {max}"),
    }
}

/// What was found for another player than the first of two. Outcomes have their names in the game,
/// and these are the first one's.
fn describe_for(shown: &Shown, answer: &TurnAnswer, max: &str) -> String {
    let first = &shown.players[0];
    let name = |outcome: &str| format!("{outcome} for {first}");
    let [least, most] = [name(&answer.bounds[0]), name(&answer.bounds[1])];
    if answer.status == Status::Undecided {
        let stop = stopped(answer);
        return format!("undecided, {max} gets {least} at worst and {most} at best ({stop})");
    }
    if answer.undetermined() {
        return undetermined(&least, &most);
    }
    match &answer.winner {
        Some(winner) if !shown.numbers => wins(winner),
        _ if least == most && answer.bounds[0] == "draw" => "a draw".to_owned(),
        _ if least == most => format!("the best that {max} can get is {least}"),
        _ if answer.holds == Some(true) => format!("{max} can get {least} or better"),
        _ => format!("{max} can't get better than {most}"),
    }
}

/// Why there is no answer. That there are no threats says nothing of who wins.
fn stopped(answer: &TurnAnswer) -> String {
    match (answer.stop, answer.threats) {
        (Stop::Orders, Some(order)) => format!("no λ-win up to order {order}"),
        (stop, _) => format!("stopped: {}", stop.word()),
    }
}

/// Who wins, in a sentence.
fn wins(name: &str) -> String {
    format!("{name} wins")
}

/// A position with its moves.
pub fn position(shown: &Shown) -> String {
    let mut out = format!("{}\n", shown.drawing);
    match (shown.ended(), &shown.to_move) {
        (Some(end), _) => out.push_str(&format!("over: {end}\n")),
        (None, Some(mover)) => out.push_str(&format!("{} to move\n", called(mover))),
        (None, None) if !shown.weights.is_empty() => out.push_str("chance to move\n"),
        (None, None) => {}
    }
    out.push_str(&format!("position: {}\n", shown.position));
    if shown.over.is_some() {
        return out;
    }
    match &shown.moves[..] {
        // Where some moves of chance are more likely than others, it is said how much.
        [moves] if shown.weights.iter().any(|weight| *weight != shown.weights[0]) => {
            let weighed = moves.iter().zip(&shown.weights).map(|(m, w)| format!("{m} (x{w})"));
            out.push_str(&wrapped("moves:", 1, weighed));
        }
        [moves] => out.push_str(&wrapped("moves:", 1, moves)),
        both => {
            for (player, moves) in shown.players.iter().zip(both) {
                out.push_str(&wrapped(&format!("moves of {player}:"), 1, moves));
            }
        }
    }
    out
}

/// What there is to say of a value that the rules do not determine: what each side is sure of.
fn undetermined(least: &str, most: &str) -> String {
    format!(
        "not determined by the rules: between {least} and {most}, and neither side can force more"
    )
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

/// The answer about a formula in a sentence.
fn formula_headline(shown: &Shown, answer: &FormulaAnswer, usual_roles: bool) -> String {
    let turn = shown.to_move.as_ref().map(|m| format!(", {} to move", called(m)));
    let said = formula_said(shown, answer, usual_roles);
    format!("{}{}: {said}.", answer.game, turn.unwrap_or_default())
}

/// The answer about a formula.
fn formula_text(shown: &Shown, answer: &FormulaAnswer, style: Style, asked: Asked) -> String {
    let headline = formula_headline(shown, answer, !asked.protagonist);
    let mut out = format!("{}\n{headline}\n", shown.drawing);
    let layout = Layout { style, stipulation: Stipulation::read(&answer.formula) };
    let more = if answer.more_keys { " and perhaps more" } else { "" };
    match &answer.problem {
        Some(problem) if !problem.lines.is_empty() => {
            let lines: Vec<String> = problem.lines.iter().map(|line| layout.line(line)).collect();
            let word = if lines.len() == 1 { "line" } else { "lines" };
            row(&mut out, word, &format!("{}{more}", lines.join("\n             ")));
        }
        Some(problem) => {
            let keys: Vec<String> = problem.keys.iter().map(|key| layout.ply(&key.ply)).collect();
            let list = if keys.is_empty() { "none".to_owned() } else { keys.join(" ") };
            row(&mut out, if keys.len() == 1 { "key" } else { "keys" }, &format!("{list}{more}"));
        }
        // What both sides do where neither can help the other says nothing.
        None if answer.holds == Some(false)
            && layout.stipulation.is_some_and(|s| s.has_lines()) => {}
        None if !answer.line.is_empty() => {
            let mut usual = answer.line_san.iter().cloned();
            let plies =
                answer.line.iter().map(|text| Ply { text: text.clone(), san: usual.next() });
            let line: Vec<String> = plies.map(|ply| layout.ply(&ply)).collect();
            row(&mut out, "line", &line.join(" "));
        }
        None => {}
    }
    if let Some(cost) = answer.cost {
        row(&mut out, "cost", &format!("{cost}, and no proof costs less"));
    }
    if answer.status == Status::Solved {
        let lines = answer.problem.as_ref().is_some_and(|problem| !problem.lines.is_empty());
        let exactly = match (answer.keys_proved, lines) {
            (true, true) => "exactly these first moves: ",
            (true, false) => "exactly these keys: ",
            (false, _) => "",
        };
        let proof = proof_text(answer.proof.as_ref(), asked);
        row(&mut out, "proof", &format!("{exactly}{proof}"));
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

/// Whether a formula holds, in words; a chess problem in those of problemists.
fn formula_said(shown: &Shown, answer: &FormulaAnswer, usual_roles: bool) -> String {
    let (formula, a) = (answer.formula.trim(), called(&answer.protagonist));
    let problem = usual_roles && answer.game.starts_with("chess");
    let stipulation = Stipulation::read(formula).filter(|_| problem);
    let other = |name: &String| shown.players.iter().find(|p| *p != name);
    let sides = shown.to_move.as_ref().and_then(|mover| Some((mover, other(mover)?)));
    let (Some(problem), Some((mover, other)), Some(holds)) = (stipulation, sides, answer.holds)
    else {
        return match answer.holds {
            Some(true) => format!("{formula} holds for {a}"),
            Some(false) => format!("{formula} does not hold for {a}"),
            None => format!("{formula} is undecided for {a} (stopped: {})", answer.stop.word()),
        };
    };
    let said = problem.in_words(mover, other, holds);
    match (holds, answer.holds_for_other_side) {
        (true, _) => format!("{problem}: {said}"),
        (false, Some(true)) => {
            let (w, b) = (mover.chars().next(), other.chars().next());
            let [now, then] = [w, b].map(|letter| letter.map_or(String::new(), String::from));
            format!(
                "no {problem}: {said}. If {other} begins, there is a solution: the position says \
                 that {mover} does; write `{then}` instead of `{now}` behind the board"
            )
        }
        (false, _) => format!("no {problem}: {said}"),
    }
}

/// What a certificate was found to show. `recomputed` are the names of knowledge that was trusted.
pub fn proved_text(one: &Replayed, recomputed: &BTreeSet<String>) -> String {
    let plain = |proved: &dyn std::fmt::Display, claims: u64| {
        format!("proved: {proved} ({})", counted(claims, "claim"))
    };
    match one {
        Replayed::Mixed(proved) => plain(proved, proved.claims),
        Replayed::Scores(proved) => plain(proved, proved.claims),
        Replayed::Expected(proved) => plain(proved, proved.claims),
        Replayed::Turn(proved) => {
            let mut rests = counted(proved.claims, "claim");
            for (count, how) in [
                (proved.connections, "by connections"),
                (proved.parts, "by parts"),
                (proved.by_reason, "by knowledge whose reason was checked"),
                (proved.expanded, "by knowledge that a search proved"),
                (proved.recomputed, "by knowledge that was recomputed, not proved"),
            ] {
                if count > 0 {
                    rests.push_str(&format!(", {} {how}", grouped(count)));
                }
            }
            match proved.recomputed {
                0 => format!("proved: {proved} ({rests})"),
                _ => {
                    let names: Vec<&str> = recomputed.iter().map(String::as_str).collect();
                    format!("replayed, trusting {}: {proved} ({rests})", names.join(", "))
                }
            }
        }
    }
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
        n if n >= 1e3 => format!("{:.0} kB", n / 1e3),
        n => format!("{n:.0} B"),
    }
}
