//! `foregone value`: what a position is worth in sums, and a calculator for such values.

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use foregone::cgt::{Answer, Calculator};
use foregone::games::sum::PLUS;
use foregone::text::counted;
use foregone::worth::{Appraisal, Asks, Found, Mark, MoveWorth, appraise};
use foregone::{Budget, Error, Stop};
use serde_json::json;

use crate::args::ValueArgs;
use crate::commands::{has_folder, is_standard, one_output, open_within};
use crate::memory::memory_to_use;
use crate::program::{Program, UNDECIDED, exit_code};
use crate::report::{BAD_INPUT, write_file};

/// Runs the command and returns the exit code.
pub(crate) fn run(program: &mut Program<'_>, args: &ValueArgs) -> Result<u8, Error> {
    match &args.first {
        Some(game) if is_game(program, game, args) => of_game(program, game, args),
        Some(first) => {
            calculator_only(args)?;
            if let Some(option) = first.strip_prefix("--") {
                return Err(Error::input(format!("`--{option}` is not an option of `value`"))
                    .help("`foregone value --help` lists them"));
            }
            of_lines(program, first, args)
        }
        None => {
            calculator_only(args)?;
            of_input(program, args.json)
        }
    }
}

/// Whether this names a game, and is not a line for the calculator.
fn is_game(program: &Program<'_>, text: &str, args: &ValueArgs) -> bool {
    let known = |part: &str| {
        let name = part.split(':').next().unwrap_or_default();
        program.engine.games().iter().any(|entry| entry.name.eq_ignore_ascii_case(name))
    };
    args.position.is_some() || text.contains(':') || text.split(PLUS).any(known)
}

fn calculator_only(args: &ValueArgs) -> Result<(), Error> {
    let given = [
        ("--position", args.position.is_some()),
        ("--all-moves", args.all_moves),
        ("--proof", args.proof.is_some()),
        ("--svg", args.svg.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => {
            Err(Error::input(format!("`{option}` goes with a game, not with the calculator"))
                .help("`foregone games` lists the games"))
        }
    }
}

fn of_game(program: &mut Program<'_>, spec: &str, args: &ValueArgs) -> Result<u8, Error> {
    if let Some(more) = args.lines.first() {
        return Err(Error::input(format!("`{more}` stands behind a game"))
            .help("one game at a time; a sum of games is in one word: 'nim:3 + domineering:3x3'"));
    }
    program.catch_interrupts();
    one_output(args.proof.as_deref(), args.json)?;
    one_output(args.svg.as_deref(), args.json)?;
    for path in [&args.proof, &args.svg].into_iter().flatten() {
        has_folder(path)?;
    }
    let mut time = args.time;
    let game = open_within(program, spec, &mut time)?;
    let memory = Some(args.memory.unwrap_or_else(memory_to_use));
    let budget = Budget { time, memory, ..Budget::default() };
    let start = game.show("start")?.position;
    let position = args.position.as_deref().unwrap_or("start");
    let asks = Asks { game: &game, position, budget };
    let mut screen = program.observer(args.json);
    let mut appraisal = appraise(&program.engine, asks, &mut screen, &program.cancel)?;
    drop(screen);
    if let (Some(path), Some(found)) = (&args.svg, &appraisal.found) {
        let Some(svg) = &found.svg else {
            return Err(Error::input("the thermograph is too large to be drawn"));
        };
        keep(program, path, svg)?;
    }
    if let (Some(path), Some(proof)) = (&args.proof, &mut appraisal.proof) {
        keep(program, path, &appraisal.certificate)?;
        let standard = is_standard(path);
        proof.file =
            Some(if standard { "standard output".to_owned() } else { path.display().to_string() });
    }
    let said = match args.json {
        true => {
            serde_json::to_string(&appraisal)
                .map_err(|e| Error::input(format!("the answer can't be written: {e}")))?
                + "\n"
        }
        false => said(&appraisal, &start, args),
    };
    program.say(&said);
    Ok(match appraisal.stop {
        Stop::Solved if appraisal.proof.is_none() => UNDECIDED,
        stop => exit_code(stop),
    })
}

/// Writes a text to a file, or to standard output; what is said then goes to standard error.
fn keep(program: &mut Program<'_>, path: &Path, text: &str) -> Result<(), Error> {
    if is_standard(path) {
        program.say(text);
        program.aside = true;
        return Ok(());
    }
    write_file(path, text)
}

/// What was found, in words.
fn said(appraisal: &Appraisal, start: &str, args: &ValueArgs) -> String {
    let Appraisal { game, position, players, .. } = appraisal;
    let place = position.rsplit_once(' ').map_or("", |(place, _)| place);
    let whole = start.rsplit_once(' ').is_some_and(|(start, _)| start == place);
    let name = if whole { game.clone() } else { format!("{game}, {place}") };
    let Some(found) = &appraisal.found else {
        let why = match &appraisal.problem {
            Some(problem) => problem.clone(),
            None => format!("stopped: {}", appraisal.stop.word()),
        };
        return format!("{name}: undecided ({why})\n");
    };
    let mut text = format!("{name}: {}, {}.\n", shown(found.value.as_deref()), found.wins);
    let mut line = |key: &str, what: &str| text.push_str(&format!("  {key:<11}  {what}\n"));
    line("mean", &found.mean);
    line("temperature", &found.temperature);
    for ((side, player), moves) in
        ["Left", "Right"].iter().zip(players).zip([&found.left, &found.right])
    {
        let who = match player == &side.to_ascii_lowercase() {
            true => String::new(),
            false => format!("{player}: "),
        };
        match args.all_moves {
            false => line(side, &(who + &best(moves))),
            true => {
                line(side, &(who + &counted(moves.len() as u64, "move")));
                for told in moves {
                    line("", &all(told));
                }
            }
        }
    }
    let proof = match (&appraisal.proof, &appraisal.not_proved) {
        (Some(proof), _) => {
            let claims = counted(proof.claims, "claim");
            let file = proof.file.as_ref().map_or(String::new(), |f| format!(" (written to {f})"));
            format!("proved, {claims}{file}")
        }
        (None, why) => format!("not proved: {}", why.as_deref().unwrap_or("no proof was made")),
    };
    line("proof", &proof);
    if let Some(drawing) = small(found) {
        text.push('\n');
        text.push_str(drawing);
    }
    text
}

/// The drawing of a thermograph that shows something and fits into a terminal.
fn small(found: &Found) -> Option<&str> {
    const LINES: usize = 24;
    const COLUMNS: usize = 78;
    let drawing = found.drawing.as_deref().filter(|_| found.hot)?;
    let fits = drawing.lines().count() <= LINES
        && drawing.lines().all(|line| line.chars().count() <= COLUMNS);
    fits.then_some(drawing)
}

fn shown(value: Option<&str>) -> String {
    /// Longer values fill a screen.
    const MOST: usize = 400;
    match value {
        None => "a value too long to be written".to_owned(),
        Some(value) if value.chars().count() <= MOST => value.to_owned(),
        Some(value) => format!("{}…", value.chars().take(MOST).collect::<String>()),
    }
}

/// The moves that are in the canonical form, those that lead to the same value together.
fn best(moves: &[MoveWorth]) -> String {
    /// So many moves to one value are named.
    const NAMED: usize = 5;
    let kept = moves.iter().filter(|told| told.mark == Mark::Best);
    let groups: Vec<String> = kept
        .map(|told| {
            let same = |other: &&MoveWorth| {
                other.mark == Mark::Same && other.by.as_ref() == Some(&told.text)
            };
            let names: Vec<&str> = std::iter::once(told)
                .chain(moves.iter().filter(same))
                .map(|told| told.text.as_str())
                .collect();
            let more = match names.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let names = names[..names.len().min(NAMED)].join(", ");
            let hot = if told.hot { ", hot" } else { "" };
            format!("{names}{more} to {}{hot}", shown(told.value.as_deref()))
        })
        .collect();
    match (groups.is_empty(), moves.is_empty()) {
        (_, true) => "no move".to_owned(),
        (true, false) => "no move that can't be reversed".to_owned(),
        (false, false) => groups.join("; "),
    }
}

/// One of all moves.
fn all(told: &MoveWorth) -> String {
    let by = told.by.as_deref().unwrap_or("…");
    let hot = if told.hot { ", hot" } else { "" };
    let mark = match told.mark {
        Mark::Best => format!("best{hot}"),
        Mark::Same => format!("as {by}{hot}"),
        Mark::Dominated => format!("dominated by {by}{hot}"),
        Mark::Reversible => format!("reversible through {by}{hot}"),
    };
    format!("{:<8} {:<12} {mark}", told.text, shown(told.value.as_deref()))
}

/// Works out lines that were given as words.
fn of_lines(program: &mut Program<'_>, first: &str, args: &ValueArgs) -> Result<u8, Error> {
    let mut calculator = Calculator::default();
    let mut answers = Vec::new();
    for word in std::iter::once(first).chain(args.lines.iter().map(String::as_str)) {
        answers.extend(worked_out(&mut calculator, program, word)?);
    }
    match args.json {
        true => {
            let answers: Vec<serde_json::Value> = answers
                .iter()
                .map(|(line, text)| json!({ "line": line, "answer": text }))
                .collect();
            program.say(&(json!({ "answers": answers }).to_string() + "\n"));
        }
        false => {
            for (_, text) in answers {
                program.say(&(text + "\n"));
            }
        }
    }
    Ok(0)
}

/// What the lines of a text mean, between which there are semicolons.
fn worked_out(
    calculator: &mut Calculator,
    program: &Program<'_>,
    text: &str,
) -> Result<Vec<(String, String)>, Error> {
    let mut answers = Vec::new();
    let mut at = 0;
    for line in text.split(';') {
        let here = at;
        at += line.len() + 1;
        if line.trim().is_empty() {
            continue;
        }
        let answer = calculator.evaluate(line).map_err(|error| {
            let span = error.span.start + here..error.span.end + here;
            let word = text.get(span.clone()).unwrap_or_default();
            let names: Vec<String> =
                program.engine.games().iter().map(|entry| entry.name.to_owned()).collect();
            let near = foregone::nearest(word, &names).filter(|_| word.len() > 3);
            let help = near.map_or(String::new(), |name| format!("a game? {name}"));
            Error::input(error.message).at("line", text, span).help(help)
        })?;
        let said = calculator.text(&answer).map_err(|why| Error::input(why.to_string()))?;
        let drawing = match &answer {
            Answer::Thermograph(thermograph) => thermograph.drawing().unwrap_or_default(),
            _ => String::new(),
        };
        let said = match drawing.is_empty() {
            true => said,
            false => format!("{said}\n{}", drawing.trim_end_matches('\n')),
        };
        answers.push((line.trim().to_owned(), said));
    }
    Ok(answers)
}

/// Works out lines of standard input, each when it comes. A line that is wrong is told, and the next one read.
fn of_input(program: &mut Program<'_>, json: bool) -> Result<u8, Error> {
    let mut calculator = Calculator::default();
    let prompt = std::io::stdin().is_terminal() && !json;
    let mut code = 0;
    let ask = |program: &mut Program<'_>| {
        if prompt {
            program.say("> ");
        }
    };
    ask(program);
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| {
            Error::input(format!("standard input can't be read: {}", foregone::plain(&e)))
        })?;
        match line.trim() {
            "quit" | "exit" => return Ok(code),
            comment if comment.starts_with('#') => {}
            _ => match worked_out(&mut calculator, program, &line) {
                Ok(answers) => {
                    for (line, text) in answers {
                        program.say(&match json {
                            true => json!({ "line": line, "answer": text }).to_string() + "\n",
                            false => text + "\n",
                        });
                    }
                }
                Err(error) => {
                    code = if prompt { 0 } else { BAD_INPUT };
                    tell(program, error, json);
                }
            },
        }
        if program.is_unheard() {
            break;
        }
        ask(program);
    }
    if prompt {
        program.say("\n");
    }
    Ok(code)
}

#[expect(clippy::print_stderr, reason = "errors are not part of the answer")]
fn tell(program: &mut Program<'_>, error: Error, json: bool) {
    if json {
        let text = crate::report::Reported { line: None, error: &error }.text();
        program.say(&text);
    }
    eprintln!("{:?}", crate::report::report(error));
}
