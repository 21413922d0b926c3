//! Answers as text for people and as JSON for scripts.

use foregone_model::{Notation, Outcome, Scale, Side, Turn};
use serde::Serialize;

use crate::job::{Job, Question};
use crate::session::{Answer, bytes_text, moves_text, short};

/// `solve --json`: a contract.
#[derive(Debug, Serialize)]
pub struct SolveJson {
    game: String,
    position: String,
    question: String,
    scheme: Option<&'static str>,
    driver: &'static str,
    status: &'static str,
    value: Option<String>,
    winner: Option<String>,
    bounds: [String; 2],
    holds: Option<bool>,
    best_move: Option<String>,
    line: Vec<String>,
    expansions: u64,
    nodes: u64,
    playouts: u64,
    seconds: f64,
    peak_bytes: u64,
    seed: u64,
    stop: &'static str,
    proof: Option<ProofJson>,
}

/// The proof of an answer, for scripts.
#[derive(Debug, Serialize)]
pub struct ProofJson {
    file: Option<String>,
    claims: u64,
    /// Claims by static knowledge.
    known: u64,
    /// Those whose reason was checked.
    by_reason: u64,
    /// Those that were only recomputed.
    recomputed: u64,
    /// Whether every claim was checked, and none only recomputed.
    proved: bool,
    checked: bool,
}

impl ProofJson {
    /// What there is to say of the proof of an answer, and where it was written.
    pub fn of<M>(answer: &Answer<M>, file: Option<&std::path::Path>) -> Option<ProofJson> {
        (answer.solved() && answer.proved).then(|| ProofJson {
            file: file.map(|p| p.display().to_string()),
            claims: answer.claims,
            known: answer.by_reason + answer.recomputed,
            by_reason: answer.by_reason,
            recomputed: answer.recomputed,
            proved: answer.recomputed == 0,
            checked: true,
        })
    }
}

/// The word for a position whose value the rules do not determine.
pub const UNDETERMINED: &str = "undetermined";

/// A question in the words in which it is asked.
pub fn question_text(scale: &Scale, question: Question) -> String {
    match question {
        Question::Value => "value".to_owned(),
        Question::AtLeast(o) if o == scale.best() && !scores(scale) => "win".to_owned(),
        Question::AtLeast(o) => format!("at-least {}", scale.name(o)),
    }
}

/// Whether the outcomes are numbers: then the highest is a score like others, not a win.
fn scores(scale: &Scale) -> bool {
    scale.scores().is_some()
}

/// Whether the asked outcome is reached, if that was the question and is known.
fn holds<M>(question: Question, answer: &Answer<M>) -> Option<bool> {
    match question {
        Question::AtLeast(o) if answer.solved() && !answer.undetermined => {
            Some(answer.bounds.0 >= o)
        }
        _ => None,
    }
}

/// The winner's name. Scores that can be negative have a winner by their sign; otherwise it is
/// whoever is known to reach the end of the scale on their side. Who plays alone wins nothing.
fn winner<G: Notation, M>(game: &G, answer: &Answer<M>) -> Option<String> {
    if answer.undetermined || game.one_player() {
        return None;
    }
    let scale = game.scale();
    let (low, high) = answer.bounds;
    let sign = |o: Outcome| scale.score(o).unwrap_or(0).signum();
    let (max, min) = match scores(&scale) && sign(Outcome(0)) < 0 {
        true => (sign(low) > 0, sign(high) < 0),
        false => (low == scale.best(), high == Outcome(0)),
    };
    let side = match (max, min) {
        (true, _) => Side::Max,
        (_, true) => Side::Min,
        _ => return None,
    };
    Some(game.players()[side.index()].to_owned())
}

/// The answer for scripts.
pub fn solve_json<G: Notation>(
    game: &G,
    job: &Job<G::State>,
    answer: &Answer<G::Move>,
) -> SolveJson {
    let scale = game.scale();
    let name = |o: Outcome| scale.name(o).to_owned();
    let (low, high) = answer.bounds;
    let value = match answer.undetermined {
        true => Some(UNDETERMINED.to_owned()),
        false => (low == high).then(|| name(low)),
    };
    let line = moves_text(game, &job.start, &answer.line, usize::MAX);
    SolveJson {
        game: game.name(),
        position: game.position_text(&job.start),
        question: question_text(&scale, job.question),
        scheme: job.guidance.scheme(),
        driver: job.guidance.driver(),
        status: if answer.solved() { "solved" } else { "undecided" },
        value,
        winner: winner(game, answer),
        bounds: [name(low), name(high)],
        holds: holds(job.question, answer),
        best_move: line.first().cloned(),
        line,
        expansions: answer.counts.expansions,
        nodes: answer.counts.nodes,
        playouts: answer.counts.playouts,
        seconds: answer.time.as_secs_f64(),
        peak_bytes: answer.counts.peak_bytes,
        seed: job.budget.seed,
        stop: answer.stop.word(),
        proof: ProofJson::of(answer, job.proof.as_deref()),
    }
}

/// The answer for people.
pub fn solve_text<G: Notation>(game: &G, job: &Job<G::State>, answer: &Answer<G::Move>) -> String {
    let mut out = game.draw(&job.start);
    out.push('\n');
    out.push_str(&headline(game, job, answer));
    out.push('\n');

    let mut row = |key: &str, text: String| out.push_str(&format!("  {key:<10} {text}\n"));
    const SHOWN: usize = 16;
    let line = moves_text(game, &job.start, &answer.line, SHOWN);
    if let Some(first) = line.first() {
        row("best move", first.clone());
        let more = if answer.line.len() > SHOWN { " …" } else { "" };
        row("line", line.join(" ") + more);
    }
    if answer.solved() {
        row("proof", proof_text(answer, job.proof.as_deref()));
    }
    let scheme = job.guidance.scheme().map(|s| format!("{s} + ")).unwrap_or_default();
    let seconds = answer.time.as_secs_f64();
    let speed = match seconds > 0.1 {
        true => format!(", {} nodes/s", short(answer.counts.nodes as f64 / seconds)),
        false => String::new(),
    };
    row(
        "search",
        format!(
            "{scheme}{}, {} expansions, {} nodes, {seconds:.2} s{speed}, {}",
            job.guidance.driver(),
            grouped(answer.counts.expansions),
            grouped(answer.counts.nodes),
            bytes_text(answer.counts.peak_bytes),
        ),
    );
    out
}

/// What became of the proof of an answer, and where it was written.
pub fn proof_text<M>(answer: &Answer<M>, file: Option<&std::path::Path>) -> String {
    if !answer.proved {
        return "not kept: --proof FILE makes one, however long it takes".to_owned();
    }
    let kept = match file {
        Some(path) => format!("written to {}", path.display()),
        None => "not kept: --proof FILE writes it".to_owned(),
    };
    let claims = counted(answer.claims, "claim");
    let by_reason = match answer.by_reason {
        0 => String::new(),
        n => format!(", {} by knowledge whose reason was checked", grouped(n)),
    };
    match answer.recomputed {
        0 => format!("proved, {claims}{by_reason} ({kept})"),
        n => {
            let names: Vec<&str> = answer.recomputed_names.iter().map(String::as_str).collect();
            let (n, names) = (grouped(n), names.join(", "));
            format!(
                "replayed, {claims}{by_reason}, {n} by knowledge that was recomputed, not proved: \
                 {names} ({kept})"
            )
        }
    }
}

/// One claim, two claims.
pub fn counted(n: u64, word: &str) -> String {
    format!("{} {word}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// The answer in a sentence.
fn headline<G: Notation>(game: &G, job: &Job<G::State>, answer: &Answer<G::Move>) -> String {
    let name = game.name();
    let over = game.turn(&job.start) == Turn::Over;
    let at = match whose_turn(game, &job.start) {
        Some(mover) => format!("{name}, {mover}"),
        None if over => format!("{name}, game over"),
        None => name,
    };
    let said = match game.one_player() {
        true => said_of_points(game, job, answer, over),
        false => said_of_sides(game, job, answer),
    };
    format!("{at}: {said}.")
}

/// Who is to move, where that is a question.
pub fn whose_turn<G: Notation>(game: &G, s: &G::State) -> Option<String> {
    match game.turn(s) {
        Turn::Agent(agent) if !game.one_player() => {
            Some(format!("{} to move", game.agent_name(agent)))
        }
        _ => None,
    }
}

/// What was found, where two sides play.
fn said_of_sides<G: Notation>(game: &G, job: &Job<G::State>, answer: &Answer<G::Move>) -> String {
    let scale = game.scale();
    let first = game.players()[0];
    let (low, high) = answer.bounds;
    let (least, most) = (scale.name(low), scale.name(high));
    if !answer.solved() {
        let stop = answer.stop.word();
        return format!("undecided, between {least} and {most} for {first} (stopped: {stop})");
    }
    if answer.undetermined {
        return "not determined by the rules: neither side can force an end".to_owned();
    }
    match winner(game, answer) {
        Some(name) if !scores(&scale) => format!("{name} wins"),
        _ if low == high && least == "draw" => "a draw".to_owned(),
        _ if low == high => format!("{least} for {first}"),
        _ if holds(job.question, answer) == Some(true) => {
            format!("{first} reaches at least {least}")
        }
        _ => format!("{first} reaches at most {most}"),
    }
}

/// What was found, where one player collects points.
fn said_of_points<G: Notation>(
    game: &G,
    job: &Job<G::State>,
    answer: &Answer<G::Move>,
    over: bool,
) -> String {
    let scale = game.scale();
    let (low, high) = answer.bounds;
    let (least, most) = (scale.name(low), scale.name(high));
    if !answer.solved() {
        let stop = answer.stop.word();
        format!("undecided, between {least} and {most} points (stopped: {stop})")
    } else if low == high {
        format!("{} {least}", if over { "score" } else { "best score" })
    } else if holds(job.question, answer) == Some(true) {
        format!("best score at least {least}")
    } else {
        format!("best score at most {most}")
    }
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
