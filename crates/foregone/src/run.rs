//! The commands: each one meets its game here and says what it found.

use std::io::Write;

use clap::CommandFactory;
use foregone_games::files::Files;
use foregone_games::joint_registry::{JOINT_GAMES, is_joint};
use foregone_games::registry::{Entry, GAMES, Visitor, warnings, with_game};
use foregone_model::certificate::shown;
use foregone_model::{Agent, Game, Guide, Notation, OffTurn, Scale, Turn, Typed};
use foregone_search::StopReason;
use serde_json::json;

use crate::args::{Cli, Command, SchemeWord, SolveArgs};
use crate::failure::{Failure, suggest};
use crate::job::Job;
use crate::print::{grouped, solve_json, solve_text, whose_turn};
use crate::{bench, joint, session};

/// Exit code for a question that the budget did not suffice for.
const UNDECIDED: u8 = 1;
/// Exit code after Ctrl-C.
pub(crate) const STOPPED: u8 = 130;

/// Runs a command and returns the exit code.
pub fn run(cli: Cli, out: &mut dyn Write) -> Result<u8, Failure> {
    match cli.command {
        Command::Games { name } => games(name.as_deref(), out),
        Command::Solve(args) => {
            session::catch_interrupts();
            let spec = args.game.clone();
            warn(&Files::default(), &spec);
            match is_joint(&spec) || args.scheme.is_some_and(SchemeWord::joint) {
                true => joint::solve(args, out),
                false => with(&spec, Solve { args, out })?,
            }
        }
        Command::Check(args) => crate::check::run(args, out),
        Command::Concepts { name } => crate::check::concepts(name.as_deref(), out),
        Command::Combat(args) => {
            session::catch_interrupts();
            crate::combat::run(&args, out)
        }
        Command::Gdl(command) => crate::gdl::run(command, out),
        Command::Player(args) => crate::gdl::player(&args, out),
        Command::Matrix { file, json } => crate::matrix::run(&file, json, out),
        Command::Verify(args) => crate::verify::run(&args, out),
        Command::Show { game, position } if is_joint(&game) => joint::show(&game, &position, out),
        Command::Show { game, position } => with(&game, Show { position, out })?,
        Command::Perft { game, depth, position, json } if is_joint(&game) => {
            joint::perft(&game, depth, &position, json, out)
        }
        Command::Perft { game, depth, position, json } => {
            with(&game, Perft { depth, position, json, out })?
        }
        Command::Bench { parts } => bench::run(&parts, out),
        Command::Reproduce(args) => {
            session::catch_interrupts();
            crate::reproduce::run(&args, out)
        }
        Command::Completions { shell } => {
            // The script goes through memory: the generator panics where a pipe was closed.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "foregone", &mut script);
            say(out, &String::from_utf8_lossy(&script));
            Ok(0)
        }
    }
}

/// Says on standard error what is wrong with rules that can still be played.
#[expect(clippy::print_stderr, reason = "warnings are no part of the answer")]
pub(crate) fn warn(files: &Files, spec: &str) {
    for warning in warnings(files, spec) {
        eprintln!("warning: {}", shown(&warning));
    }
}

fn with<V: Visitor>(spec: &str, visitor: V) -> Result<V::Output, Failure> {
    with_game(spec, visitor).map_err(|e| Failure::game(spec, e))
}

/// Writing to a closed pipe is the reader's wish to stop, not a failure worth a message.
pub(crate) fn say(out: &mut dyn Write, text: &str) {
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn games(name: Option<&str>, out: &mut dyn Write) -> Result<u8, Failure> {
    match name {
        None => {
            let mut all: Vec<&Entry> = GAMES.iter().chain(JOINT_GAMES).collect();
            all.sort_by_key(|game| game.name);
            let width = all.iter().map(|g| g.name.len()).max().unwrap_or(0);
            for game in all {
                say(out, &format!("{:<width$}  {}\n", game.name, game.rules));
                if !game.options.is_empty() {
                    say(out, &format!("{:width$}    options: {}\n", "", game.options));
                }
            }
            Ok(0)
        }
        Some(name) => {
            let all = || GAMES.iter().chain(JOINT_GAMES);
            let Some(entry) = all().find(|g| g.name == name) else {
                let names: Vec<String> = all().map(|g| g.name.to_owned()).collect();
                return Err(Failure::input(format!("there is no game called `{name}`"))
                    .at("game", name, 0..name.len())
                    .help(suggest(name, &names).unwrap_or_default()));
            };
            say(out, &format!("{}: {}\n", entry.name, entry.rules));
            let options = if entry.options.is_empty() { "none" } else { entry.options };
            say(out, &format!("options: {options}\n"));
            if entry.needs_file {
                return Ok(0);
            }
            match is_joint(entry.name) {
                true => joint::describe(entry.name, out),
                false => with(entry.name, Describe { out }),
            }
        }
    }
}

/// Players, outcomes and the start of a game.
struct Describe<'a> {
    out: &'a mut dyn Write,
}

impl Visitor for Describe<'_> {
    type Output = u8;

    fn visit<G: Guide + Notation>(self, game: G) -> u8 {
        let [max, min] = game.players();
        let scale = game.scale();
        let players = match game.one_player() {
            true => format!("players: {max}, alone\n"),
            false => format!("players: {max} (Max, moves first), {min} (Min)\n"),
        };
        let players = match game.agents() {
            2 => players,
            n => {
                let names: Vec<&str> = (0..n).map(|a| game.agent_name(Agent(a))).collect();
                format!(
                    "players: {}; solve asks what {max} can do against all others\n",
                    names.join(", ")
                )
            }
        };
        let start = game.start();
        let mut moves = Vec::new();
        if let Turn::Agent(agent) = game.turn(&start) {
            game.moves(&start, agent, &mut moves);
        }
        let shown: Vec<String> = moves.iter().take(8).map(|&m| game.move_text(&start, m)).collect();
        say(
            self.out,
            &format!(
                "{players}outcomes for {max}: {}\nstart of {}: {}\nfirst moves: {}{}\n{}",
                outcomes(&scale),
                game.name(),
                game.position_text(&start),
                if shown.is_empty() { "none, it is over".to_owned() } else { shown.join(" ") },
                if moves.len() > shown.len() { " …" } else { "" },
                game.draw(&start),
            ),
        );
        say(self.out, &propositions(&game));
        0
    }
}

/// What formulas about a game are made of.
fn propositions<G: Notation>(game: &G) -> String {
    let common = [
        ("w", "it is over, and A has won"),
        ("l", "it is over, and A has not won"),
        ("draw", "it is over, and nobody has won"),
        ("over", "it is over"),
        ("turn(AGENT)", "it is the agent's turn"),
        ("won(AGENT)", "it is over, and the agent has won"),
        ("atleast(OUTCOME)", "it is over with at least this outcome for the first player"),
    ];
    let mut out = "\npropositions for formulas (foregone check):\n".to_owned();
    for (form, meaning) in common.iter().chain(game.atoms()) {
        out.push_str(&format!("  {form:<18} {meaning}\n"));
    }
    out.push_str(match game.off_turn() {
        OffTurn::Moves => "an agent that a formula asks to move out of turn moves as usual\n",
        OffTurn::Passes => "an agent that a formula asks to move out of turn passes\n",
    });
    out
}

/// The outcomes, from the worst to the best; of many, those at the ends.
fn outcomes(scale: &Scale) -> String {
    let mut names: Vec<&str> = scale.names().collect();
    if names.len() > 8 {
        names.splice(3..names.len() - 3, ["…"]);
    }
    names.join(" < ")
}

struct Solve<'a> {
    args: SolveArgs,
    out: &'a mut dyn Write,
}

impl Visitor for Solve<'_> {
    type Output = Result<u8, Failure>;

    fn visit<G: Guide + Notation>(self, game: G) -> Result<u8, Failure> {
        let job = Job::new(&game, &self.args)?;
        let answer = session::solve(&game, &job, !self.args.json)?;
        if let Some(path) = &job.proof
            && answer.solved()
            && answer.proved
        {
            std::fs::write(path, &answer.certificates).map_err(|e| {
                Failure::input(format!("the file {} can't be written: {e}", path.display()))
            })?;
        }
        if self.args.json {
            // Written from the struct, because a `json!` object would sort the contract's keys.
            let text = serde_json::to_string(&solve_json(&game, &job, &answer))
                .map_err(|e| Failure::input(format!("the answer can't be written: {e}")))?;
            say(self.out, &(text + "\n"));
        } else {
            say(self.out, &solve_text(&game, &job, &answer));
        }
        Ok(exit_code(answer.stop))
    }
}

/// The exit code for why a search stopped.
pub(crate) fn exit_code(stop: StopReason) -> u8 {
    match stop {
        StopReason::Solved => 0,
        StopReason::Interrupted => STOPPED,
        StopReason::Nodes | StopReason::Memory | StopReason::Time => UNDECIDED,
    }
}

struct Show<'a> {
    position: String,
    out: &'a mut dyn Write,
}

impl Visitor for Show<'_> {
    type Output = Result<u8, Failure>;

    fn visit<G: Guide + Notation>(self, game: G) -> Result<u8, Failure> {
        let s = read_position(&game, &self.position)?;
        let over = (game.turn(&s) == Turn::Over).then(|| {
            let score = game.scale().name(game.outcome(&s)).to_owned();
            match game.one_player() {
                true => format!("over: score {score}"),
                false => format!("over: {score} for {}", game.players()[0]),
            }
        });
        let state = over.or_else(|| whose_turn(&game, &s)).map_or_else(String::new, |l| l + "\n");
        let text = game.position_text(&s);
        say(self.out, &format!("{}\n{state}position: {text}\n", game.draw(&s)));
        Ok(0)
    }
}

fn read_position<G: Notation>(game: &G, text: &str) -> Result<G::State, Failure> {
    game.read_position_or_moves(text).map_err(|e| Failure::text("position", text, e))
}

struct Perft<'a> {
    depth: u32,
    position: String,
    json: bool,
    out: &'a mut dyn Write,
}

impl Visitor for Perft<'_> {
    type Output = Result<u8, Failure>;

    fn visit<G: Guide + Notation>(self, game: G) -> Result<u8, Failure> {
        let s = read_position(&game, &self.position)?;
        let mut counts = Vec::new();
        for depth in 1..=self.depth {
            let count = perft(&game, &s, depth);
            if !self.json {
                say(self.out, &format!("{depth:>3}  {}\n", grouped(count)));
            }
            counts.push(count);
        }
        if let Some(violation) = game.rules_violation() {
            return Err(session::rules_failure(&game.name(), &violation));
        }
        if self.json {
            let position = game.position_text(&s);
            let object = json!({ "game": game.name(), "position": position, "counts": counts });
            say(self.out, &(object.to_string() + "\n"));
        }
        Ok(0)
    }
}

/// The number of move sequences of this length. A game that ends earlier has none.
pub fn perft<G: Game>(game: &G, s: &G::State, depth: u32) -> u64 {
    let Turn::Agent(agent) = game.turn(s) else {
        return u64::from(depth == 0);
    };
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    game.moves(s, agent, &mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |&m: &G::Move| {
        let mut next = s.clone();
        game.play(&mut next, agent, m);
        perft(game, &next, depth - 1)
    };
    moves.iter().map(after).sum()
}
