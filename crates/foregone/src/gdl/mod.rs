//! `foregone gdl`: rulesheets checked, compiled, replayed and played at random; and
//! `foregone player`, which sits down at matches.

use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use foregone_gdl::play::play;
use foregone_gdl::{
    Backend, Machine, Program, Step, Steps, Trouble, View, check, line_and_column, trace,
};
use foregone_player::{Clock, Player, Settings, serve};
use serde_json::{Value, json};

use crate::args::{BackendWord, GdlCommand, PlayerArgs, StepWord};
use crate::failure::{BAD_INPUT, Failure, read_file, suggest};
use crate::run::say;
use crate::session;

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
pub(crate) fn run(command: GdlCommand, out: &mut dyn Write) -> Result<u8, Failure> {
    match command {
        GdlCommand::Check { file, playouts, backend, json } => {
            check_file(&Sheet::read(&file)?, playouts, backend, json, out)
        }
        GdlCommand::Show { file, step } => show(&Sheet::read(&file)?, step, out),
        GdlCommand::Replay { file, moves, backend } => {
            replay(&Sheet::read(&file)?, &moves, backend, out)
        }
        GdlCommand::Random { file, seed, playouts, longest, backend } => {
            let sheet = Sheet::read(&file)?;
            let mut machine = sheet.machine(backend)?;
            say(out, &(trace::title(&machine, &sheet.stem, &reference(&machine)) + "\n"));
            for number in 0..playouts {
                let seed = seed.wrapping_add(number as u64);
                let lines = trace::playout(&mut machine, number, seed, longest);
                for line in lines.map_err(|t| sheet.trouble(t))? {
                    say(out, &(line + "\n"));
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
    program: Program,
}

impl Sheet {
    fn read(path: &Path) -> Result<Sheet, Failure> {
        let shown = path.display().to_string();
        let text = read_file(path)?;
        let wrong = |e: foregone_model::TextError| match foregone_gdl::file::is_rulesheet(&text) {
            true => Failure::text(&shown, &text, e),
            false => {
                let (line, column) = foregone_gdl::line_and_column(&text, e.span.start);
                Failure::input(format!(
                    "{shown} is not a rulesheet: line {line}, column {column}: {e}"
                ))
            }
        };
        let program = Program::read(&text).map_err(wrong)?;
        if !foregone_gdl::file::is_rulesheet(&text) {
            return Err(Failure::input(format!("{shown} is not a rulesheet: it has no role")));
        }
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Sheet { path: shown, stem, text, program })
    }

    fn machine(&self, backend: Option<BackendWord>) -> Result<Machine, Failure> {
        let backend = backend.map(BackendWord::backend);
        Machine::new(&self.program, backend).map_err(|t| self.trouble(t))
    }

    /// Why the rules gave no answer, with its place if it has one.
    fn trouble(&self, trouble: Trouble) -> Failure {
        let failure = Failure::input(format!("{}: {trouble}", self.path));
        match &trouble {
            Trouble::Fault(fault) => match fault.span() {
                Some(span) => failure.at(&self.path, &self.text, span),
                None => failure,
            },
            Trouble::Refused(_) => failure.help("another back end may take it: --backend plain"),
            Trouble::NeverLegal(_) => failure,
        }
    }
}

/// Lists all problems of a rulesheet, and what random plays show.
fn check_file(
    sheet: &Sheet,
    playouts: u64,
    backend: Option<BackendWord>,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let problems = check(&sheet.program);
    // A rulesheet that breaks a demand may still be one that can be played.
    let played = sheet
        .machine(backend)
        .and_then(|mut machine| {
            let played = play(&mut machine, playouts, LONGEST, 1).map_err(|t| sheet.trouble(t))?;
            Ok((machine, played))
        })
        .map_err(|failure| failure.to_string());
    let gdl2 = sheet.program.is_gdl2();
    let wrong = match &played {
        Ok((_, played)) => played.wrong.len(),
        Err(_) => 1,
    };
    let code = if problems.is_empty() && wrong == 0 { 0 } else { BAD_INPUT };
    if as_json {
        let problems: Vec<Value> = problems
            .iter()
            .map(|p| {
                let (line, column) = line_and_column(&sheet.text, p.span.start);
                let kind = format!("{:?}", p.kind).to_lowercase();
                json!({ "line": line, "column": column, "kind": kind, "message": p.message })
            })
            .collect();
        let (backend, found) = match &played {
            Ok((machine, played)) => {
                let wrong = played.wrong.iter().map(|(message, count, play, step)| {
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
        let object = json!({
            "file": sheet.path, "roles": roles, "gdl2": gdl2, "problems": problems,
            "backend": backend, "random_play": found,
        });
        say(out, &(object.to_string() + "\n"));
        return Ok(code);
    }
    let mut text = String::new();
    for problem in &problems {
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
    if gdl2 {
        text.push_str(
            "GDL-II: `sees` or `random` is used. Replays take `random` for a role like any other \
             and leave `sees` out; such a game is not solved.\n",
        );
    }
    match &played {
        Ok((machine, played)) => {
            for (message, count, play, step) in &played.wrong {
                text.push_str(&format!(
                    "random play: {message} ({count} of {} games, first in game {play} after \
                     {step} moves)\n",
                    played.plays
                ));
            }
            let turns =
                if played.simultaneous { "moves at the same time" } else { "moves in turn" };
            let sums = match (roles.len(), played.constant_sum) {
                (1, _) => "one role",
                (_, true) => "goals always add up to the same",
                (_, false) => "not zero-sum: goals add up to different numbers",
            };
            text.push_str(&format!(
                "random play: {} games, {} states, {turns}, {sums}\nback end: {} ({})\n",
                played.plays,
                played.states,
                machine.backend().name(),
                machine.size(),
            ));
        }
        Err(message) => text.push_str(&format!("random play: {message}\n")),
    }
    let found = problems.len() + wrong;
    text.push_str(&match found {
        0 => "no problems\n".to_owned(),
        1 => "1 problem\n".to_owned(),
        n => format!("{n} problems\n"),
    });
    say(out, &text);
    Ok(code)
}

/// Random plays of `gdl check` are given up after this many moves.
const LONGEST: usize = 2000;

fn names(sheet: &Sheet) -> Vec<&str> {
    sheet.program.roles().into_iter().map(|r| sheet.program.symbols.name(r)).collect()
}

/// A rulesheet after a step of the compiler.
fn show(sheet: &Sheet, step: StepWord, out: &mut dyn Write) -> Result<u8, Failure> {
    let step = match step {
        StepWord::Mini => Step::Mini,
        StepWord::Normal => Step::Normal,
        StepWord::Inverted => Step::Inverted,
        StepWord::Strata => Step::Strata,
        StepWord::Demand => Step::Demand,
        StepWord::Gates => {
            let machine = sheet.machine(Some(BackendWord::Gates))?;
            say(out, &(machine.size() + "\n"));
            return Ok(0);
        }
    };
    let steps = Steps::new(&sheet.program).map_err(|r| sheet.trouble(Trouble::Refused(r)))?;
    say(out, &steps.text(step));
    Ok(0)
}

/// Plays given moves. A trace can be given back: lines without a move are skipped.
fn replay(
    sheet: &Sheet,
    path: &Path,
    backend: Option<BackendWord>,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let shown = path.display().to_string();
    let text = read_file(path)?;
    let mut machine = sheet.machine(backend)?;
    let trouble = |t| sheet.trouble(t);
    let mut game: Option<(u64, usize, foregone_gdl::State)> = None;
    let finish = |machine: &mut Machine, game: Option<(u64, usize, foregone_gdl::State)>| {
        let Some((p, step, state)) = game else { return Ok(String::new()) };
        let view = machine.view(&state)?;
        Ok(trace::line(machine, p as usize, step, &state, &view, None) + "\n")
    };
    for (number, line) in text.lines().enumerate() {
        let wrong = |message: String| {
            Failure::input(message).before(&format!("{shown}, line {}", number + 1))
        };
        if line.trim().is_empty() {
            continue;
        }
        let object: Value =
            serde_json::from_str(line).map_err(|e| wrong(format!("this is no JSON: {e}")))?;
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
        let texts = texts
            .filter(|t| t.len() == roles)
            .ok_or_else(|| wrong(format!("`move` is a list of {roles} moves, one of each role")))?;
        if game.as_ref().is_none_or(|g| g.0 != p) {
            say(out, &finish(&mut machine, game.take()).map_err(trouble)?);
            game = Some((p, 0, machine.initial().map_err(trouble)?));
        }
        let Some((_, step, state)) = &mut game else { continue };
        let view = machine.view(state).map_err(trouble)?;
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
        say(out, &(line + "\n"));
        *state = machine.next(state, &joint).map_err(trouble)?;
        *step += 1;
    }
    say(out, &finish(&mut machine, game).map_err(trouble)?);
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
pub(crate) fn player(args: &PlayerArgs, out: &mut dyn Write) -> Result<u8, Failure> {
    session::catch_interrupts();
    let blank = |c: char| c.is_whitespace() || "();?".contains(c);
    if args.name.is_empty() || args.name.contains(blank) {
        return Err(Failure::input(format!("`{}` is no name: it has to be one word", args.name)));
    }
    let address = (args.host.as_str(), args.port);
    let listener = TcpListener::bind(address).map_err(|e| {
        Failure::input(format!("nobody can listen on {}:{}: {e}", args.host, args.port))
            .help("another program may hold the port: choose another one with --port")
    })?;
    let place = listener.local_addr().map(|a| a.to_string()).unwrap_or_default();
    say(out, &format!("{} listens on {place}\n", args.name));
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
            while !session::interrupted() && !stop.load(std::sync::atomic::Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(50));
            }
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let served = serve(listener, player, &stop);
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        served
    })
    .map_err(|e| Failure::input(format!("the network failed: {e}")))?;
    Ok(crate::run::STOPPED)
}
