//! `foregone gdl`: rulesheets checked, compiled, replayed and played at random; and
//! `foregone player`, which sits down at matches.

use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use foregone::text::counted;
use foregone::{Error, plain, suggest};
use foregone_gdl::play::{Finding, PlayReport, play};
use foregone_gdl::{
    Backend, Machine, MachineError, Problem, Program as Rulesheet, Step, Steps, View, check,
    line_and_column, trace,
};
use foregone_player::{Clock, Player, Settings, serve};
use serde_json::{Value, json};

use crate::args::{BackendWord, GdlCommand, PlayerArgs, StepWord};
use crate::program::Program;
use crate::report::{BAD_INPUT, read_file};
use crate::signals;

impl BackendWord {
    fn backend(self) -> Backend {
        match self {
            BackendWord::Gates => Backend::Gates,
            BackendWord::Chain => Backend::Chain,
            BackendWord::Plain => Backend::Plain,
        }
    }
}

/// Runs the command and returns the exit code.
pub(crate) fn run(program: &mut Program<'_>, command: GdlCommand) -> Result<u8, Error> {
    match command {
        GdlCommand::Check { file, playouts, backend, json } => {
            check_file(&Sheet::read(&file)?, playouts, backend, json, program)
        }
        GdlCommand::Show { file, step } => show(&Sheet::read(&file)?, step, program),
        GdlCommand::Replay { file, moves, backend } => {
            replay(&Sheet::read(&file)?, &moves, backend, program)
        }
        GdlCommand::Random { file, seed, playouts, longest, backend } => {
            let sheet = Sheet::read(&file)?;
            let mut machine = sheet.machine(backend)?;
            program.say(&(trace::title(&machine, &sheet.stem, &reference(&machine)) + "\n"));
            for number in 0..playouts {
                let seed = seed.wrapping_add(number.into());
                let lines = trace::playout(&mut machine, number as usize, seed, longest as usize);
                for line in lines.map_err(|t| sheet.machine_error(t))? {
                    program.say(&(line + "\n"));
                }
                if program.is_unheard() {
                    break;
                }
            }
            Ok(0)
        }
    }
}

/// Who made a trace.
fn reference(machine: &Machine) -> String {
    format!("foregone {}", machine.backend().name())
}

/// A rulesheet that was read.
struct Sheet {
    path: String,
    stem: String,
    text: String,
    program: Rulesheet,
}

impl Sheet {
    fn read(path: &Path) -> Result<Sheet, Error> {
        let shown = path.display().to_string();
        let text = read_file(path)?;
        let wrong = |e: foregone_model::TextError| match foregone_gdl::file::is_rulesheet(&text) {
            true => Error::text(&shown, &text, e),
            false => {
                let (line, column) = foregone_gdl::line_and_column(&text, e.span.start);
                Error::input(format!(
                    "{shown} is not a rulesheet: line {line}, column {column}: {e}"
                ))
            }
        };
        let program = Rulesheet::read(&text).map_err(wrong)?;
        if !foregone_gdl::file::is_rulesheet(&text) {
            return Err(Error::input(format!("{shown} is not a rulesheet: it has no role")));
        }
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Sheet { path: shown, stem, text, program })
    }

    fn machine(&self, backend: Option<BackendWord>) -> Result<Machine, Error> {
        let backend = backend.map(BackendWord::backend);
        Machine::new(&self.program, backend).map_err(|t| self.machine_error(t))
    }

    /// Why the rules gave no answer, with its place if it has one.
    fn machine_error(&self, error: MachineError) -> Error {
        let failure = Error::input(format!("{}: {error}", self.path));
        match &error {
            MachineError::Fault(fault) => match fault.span() {
                Some(span) => failure.at(&self.path, &self.text, span),
                None => failure,
            },
            MachineError::Refused(_) => {
                failure.help("another back end may take it: --backend plain")
            }
            MachineError::NeverLegal(_) | MachineError::Stopped => failure,
        }
    }
}

/// What `gdl check --json` prints of a rulesheet.
pub fn check_json(path: &Path, playouts: u64) -> Result<Value, Error> {
    let sheet = Sheet::read(path)?;
    Ok(report_json(&sheet, &check(&sheet.program), &played(&sheet, playouts, None)))
}

/// Plays at random by the rules of a sheet. One that breaks a demand may still be one that can be played.
fn played(sheet: &Sheet, playouts: u64, backend: Option<BackendWord>) -> Played {
    sheet
        .machine(backend)
        .and_then(|mut machine| {
            let played =
                play(&mut machine, playouts, LONGEST, 1).map_err(|t| sheet.machine_error(t))?;
            Ok((machine, played))
        })
        .map_err(|failure| failure.to_string())
}

/// Lists all problems of a rulesheet, and what random plays show.
fn check_file(
    sheet: &Sheet,
    playouts: u64,
    backend: Option<BackendWord>,
    as_json: bool,
    program: &mut Program<'_>,
) -> Result<u8, Error> {
    let problems = check(&sheet.program);
    let played = played(sheet, playouts, backend);
    let code = if problems.is_empty() && wrong_in(&played) == 0 { 0 } else { BAD_INPUT };
    let text = match as_json {
        true => report_json(sheet, &problems, &played).to_string() + "\n",
        false => report_text(sheet, &problems, &played),
    };
    program.say(&text);
    Ok(code)
}

/// What random plays showed and the machine that made them, or why there are none.
type Played = Result<(Machine, PlayReport), String>;

/// How many things random plays found wrong.
fn wrong_in(played: &Played) -> usize {
    match played {
        Ok((_, played)) => played.findings.len(),
        Err(_) => 1,
    }
}

fn report_json(sheet: &Sheet, problems: &[Problem], played: &Played) -> Value {
    let problems: Vec<Value> = problems
        .iter()
        .map(|p| {
            let (line, column) = line_and_column(&sheet.text, p.span.start);
            let kind = format!("{:?}", p.kind).to_lowercase();
            json!({ "line": line, "column": column, "kind": kind, "message": p.message })
        })
        .collect();
    let (backend, found) = match played {
        Ok((machine, played)) => {
            let wrong = played.findings.iter().map(|Finding { message, count, play, step }| {
                json!({ "message": message, "plays": count, "play": play, "step": step })
            });
            let found = json!({
                "playouts": played.plays, "states": played.states,
                "wrong": wrong.collect::<Vec<_>>(), "zero_sum": played.constant_sum,
                "simultaneous": played.simultaneous,
            });
            (machine.backend().name(), found)
        }
        Err(message) => ("none", json!({ "error": message })),
    };
    let roles: Vec<&str> = names(sheet);
    json!({
        "file": sheet.path, "roles": roles, "gdl2": sheet.program.is_gdl2(), "problems": problems,
        "backend": backend, "random_play": found,
    })
}

fn report_text(sheet: &Sheet, problems: &[Problem], played: &Played) -> String {
    let mut text = String::new();
    for problem in problems {
        let (line, column) = line_and_column(&sheet.text, problem.span.start);
        let kind = format!("{:?}", problem.kind).to_lowercase();
        text.push_str(&format!("{}:{line}:{column}: {kind}: {}\n", sheet.path, problem.message));
        if let Some(source) = sheet.text.lines().nth(line - 1).filter(|_| problem.span.end > 0) {
            let source = source.replace('\t', " ");
            let width = sheet.text.get(problem.span.clone()).unwrap_or_default();
            let width = width.lines().next().unwrap_or_default().chars().count().max(1);
            text.push_str(&format!("  {source}\n  {:1$}{2}\n", "", column - 1, "^".repeat(width)));
        }
    }
    let roles = names(sheet);
    text.push_str(&format!("roles: {}\n", roles.join(", ")));
    if sheet.program.chance().is_some() {
        text.push_str("GDL-II: the role `random` is chance.\n");
    }
    if sheet.program.hidden_information().is_some() {
        text.push_str(
            "GDL-II: players see only what `sees` tells them. Replays leave that out; such a game \
             is not solved.\n",
        );
    }
    match played {
        Ok((machine, played)) => {
            for Finding { message, count, play, step } in &played.findings {
                text.push_str(&format!(
                    "random play: {message} ({count} of {}, first in game {play} after {})\n",
                    counted(played.plays, "game"),
                    counted(*step as u64, "move"),
                ));
            }
            let turns =
                if played.simultaneous { "moves at the same time" } else { "moves in turn" };
            let players = roles.len() - usize::from(machine.chance().is_some());
            let sums = match (players, played.constant_sum) {
                (1, _) => "one role",
                (_, true) => "goals always add up to the same",
                (_, false) => "not zero-sum: goals add up to different numbers",
            };
            text.push_str(&format!(
                "random play: {}, {}, {turns}, {sums}\nback end: {} ({})\n",
                counted(played.plays, "game"),
                counted(played.states, "state"),
                machine.backend().name(),
                machine.size(),
            ));
        }
        Err(message) => text.push_str(&format!("random play: {message}\n")),
    }
    let found = problems.len() + wrong_in(played);
    text.push_str(&match found {
        0 => "no problems\n".to_owned(),
        n => counted(n as u64, "problem") + "\n",
    });
    text
}

/// Random plays of `gdl check` are given up after this many moves.
const LONGEST: usize = 2000;

fn names(sheet: &Sheet) -> Vec<&str> {
    sheet.program.roles().into_iter().map(|r| sheet.program.symbols.name(r)).collect()
}

/// A rulesheet after a step of the compiler.
fn show(sheet: &Sheet, step: StepWord, program: &mut Program<'_>) -> Result<u8, Error> {
    let step = match step {
        StepWord::Mini => Step::Mini,
        StepWord::Normal => Step::Normal,
        StepWord::Inverted => Step::Inverted,
        StepWord::Strata => Step::Strata,
        StepWord::Demand => Step::Demand,
        StepWord::Gates => {
            let machine = sheet.machine(Some(BackendWord::Gates))?;
            program.say(&(machine.size() + "\n"));
            return Ok(0);
        }
    };
    let steps =
        Steps::new(&sheet.program).map_err(|r| sheet.machine_error(MachineError::Refused(r)))?;
    program.say(&steps.text(step));
    Ok(0)
}

/// Plays given moves. A trace can be given back: lines without a move are skipped.
fn replay(
    sheet: &Sheet,
    path: &Path,
    backend: Option<BackendWord>,
    program: &mut Program<'_>,
) -> Result<u8, Error> {
    let shown = path.display().to_string();
    let text = read_file(path)?;
    let mut machine = sheet.machine(backend)?;
    let failed = |t| sheet.machine_error(t);
    let mut game: Option<(u64, usize, foregone_gdl::State)> = None;
    let finish = |machine: &mut Machine, game: Option<(u64, usize, foregone_gdl::State)>| {
        let Some((p, step, state)) = game else { return Ok(String::new()) };
        let view = machine.view(&state)?;
        Ok(trace::line(machine, p as usize, step, &state, &view, None) + "\n")
    };
    for (number, line) in text.lines().enumerate() {
        let wrong = |message: String| {
            Error::input(message).before(&format!("{shown}, line {}", number + 1))
        };
        if line.trim().is_empty() {
            continue;
        }
        let object: Value =
            serde_json::from_str(line).map_err(|e| wrong(format!("this is not JSON: {e}")))?;
        let (Some(p), Some(moves)) = (object.get("p"), object.get("move")) else {
            if object.is_object() {
                continue;
            }
            return Err(wrong("expected an object with `p` and `move`".to_owned()));
        };
        let p = p.as_u64().ok_or_else(|| wrong("`p` is the number of a game".to_owned()))?;
        let texts: Option<Vec<&str>> =
            moves.as_array().map(|m| m.iter().filter_map(Value::as_str).collect());
        let roles = machine.roles().len();
        let texts = texts.filter(|t| t.len() == roles).ok_or_else(|| {
            let moves = counted(roles as u64, "move");
            wrong(format!("`move` is a list of {moves}, one of each role"))
        })?;
        if game.as_ref().is_none_or(|g| g.0 != p) {
            program.say(&finish(&mut machine, game.take()).map_err(failed)?);
            game = Some((p, 0, machine.initial().map_err(failed)?));
        }
        let Some((_, step, state)) = &mut game else { continue };
        let view = machine.view(state).map_err(failed)?;
        let mut joint = Vec::new();
        for (role, text) in texts.iter().enumerate() {
            joint.push(legal(&mut machine, &view, role, text).map_err(|(message, help)| {
                let failure = wrong(message);
                match help {
                    Some(help) => failure.help(help),
                    None => failure,
                }
            })?);
        }
        let line = trace::line(&machine, p as usize, *step, state, &view, Some(&joint));
        program.say(&(line + "\n"));
        *state = machine.next(state, &joint).map_err(failed)?;
        *step += 1;
    }
    program.say(&finish(&mut machine, game).map_err(failed)?);
    Ok(0)
}

/// A legal move of a role by its text; else what is wrong, and a hint.
fn legal(
    machine: &mut Machine,
    view: &View,
    role: usize,
    text: &str,
) -> Result<foregone_gdl::Move, (String, Option<String>)> {
    let name = machine.roles()[role].clone();
    if view.terminal {
        return Err((format!("the game is over, {name} cannot play `{text}`"), None));
    }
    let read = machine.read(text).ok();
    match read.filter(|m| view.legal[role].contains(m)) {
        Some(m) => Ok(m),
        None => {
            let choices: Vec<String> = view.legal[role].iter().map(|&m| machine.show(m)).collect();
            Err((format!("`{text}` is not a legal move of {name}"), suggest(text, &choices)))
        }
    }
}

/// Listens for matches until it is stopped.
pub(crate) fn player(program: &mut Program<'_>, args: &PlayerArgs) -> Result<u8, Error> {
    program.catch_interrupts();
    let blank = |c: char| c.is_whitespace() || "();?".contains(c);
    if args.name.is_empty() || args.name.contains(blank) {
        return Err(Error::input(format!("`{}` is not a name: it must be one word", args.name)));
    }
    let address = (args.host.as_str(), args.port);
    let listener = TcpListener::bind(address).map_err(|e| {
        Error::input(format!("cannot listen on {}:{}: {}", args.host, args.port, plain(&e)))
            .help("another program may hold the port: choose another one with --port")
    })?;
    let place = listener.local_addr().map(|a| a.to_string()).unwrap_or_default();
    program.say(&format!("{} listens on {place}\n", args.name));
    let clock = Clock { margin: args.margin, ..Clock::default() };
    let settings = Settings {
        name: args.name.clone(),
        clock,
        seed: args.seed,
        ponder: !args.no_ponder,
        ..Settings::default()
    };
    let log = |event: &foregone_player::Event| {
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{event}").and_then(|()| out.flush());
    };
    let player = Arc::new(Player::new(settings).with_log(log));
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !program.cancel.is_cancelled() && !stop.load(std::sync::atomic::Ordering::Relaxed)
            {
                std::thread::sleep(Duration::from_millis(50));
            }
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let served = serve(listener, player, &stop);
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        served
    })
    .map_err(|e| Error::input(format!("the network failed: {e}")))?;
    Ok(signals::exit_code())
}
