//! The commands: each one meets its game here and says what it found.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

use clap::CommandFactory;
use foregone_games::joint_registry::{JOINT_GAMES, is_joint};
use foregone_games::registry::{Entry, GAMES, GameError, Visitor, with_game, with_logic};
use foregone_model::certificate::{self, CheckError, Checked, Header, Problem, Reader};
use foregone_model::{Agent, Game, Guide, Notation, OffTurn, Scale, Turn};
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
        Command::Verify { file, strict, json } => verify(&file, strict, json, out),
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

/// Checks every certificate in a file.
fn verify(path: &Path, strict: bool, as_json: bool, out: &mut dyn Write) -> Result<u8, Failure> {
    let shown = path.display().to_string();
    let file = File::open(path)
        .map_err(|e| Failure::input(format!("the file {shown} can't be read: {e}")))?;
    let mut reader = Reader::new(BufReader::with_capacity(1 << 16, file));
    let mut proved = Vec::new();
    loop {
        let header = match reader.header() {
            Ok(Some(header)) => header,
            Ok(None) => break,
            Err(e) => return rejected(&shown, &e, as_json, out),
        };
        let replayed = if header.mixed.is_some() {
            let mixed = joint::replay(&header, &mut reader);
            mixed.map(|checked| checked.map(|c| (c.claims, 0, false)))
        } else {
            let replay = Replay { header: &header, reader: &mut reader, strict };
            let checked = match header.formula {
                Some(_) => with_logic(&header.game, replay),
                None => with_game(&header.game, replay),
            };
            checked.map(|checked| checked.map(|(c, alone)| (c.claims, c.known, alone)))
        };
        match replayed {
            Ok(Ok((claims, known, alone))) => proved.push((header, claims, known, alone)),
            Ok(Err(e)) => return rejected(&shown, &e, as_json, out),
            Err(GameError::Spec(e)) => {
                let problem = Problem::BadGame(e.to_string());
                return rejected(&shown, &reader.error(problem), as_json, out);
            }
            Err(e) => return Err(Failure::game(&header.game, e)),
        }
    }
    if proved.is_empty() {
        return rejected(&shown, &reader.error(Problem::Truncated), as_json, out);
    }
    if as_json {
        let claims: Vec<serde_json::Value> = proved
            .iter()
            .map(|(h, claims, known, _)| {
                json!({
                    "game": h.game, "formula": h.formula.as_ref().map(|f| &f.0),
                    "position": h.position, "prover": h.prover,
                    "relation": h.relation, "outcome": h.outcome, "or_endless": h.or_endless,
                    "claims": claims, "known": known,
                })
            })
            .collect();
        let object =
            json!({ "file": shown, "status": "proved", "strict": strict, "proved": claims });
        say(out, &(object.to_string() + "\n"));
    } else {
        for (header, claims, known, alone) in &proved {
            let known = match *known {
                0 => String::new(),
                n => format!(", {} by static knowledge", grouped(n)),
            };
            let claims = grouped(*claims);
            let said = sentence(header, *alone);
            say(out, &format!("proved: {said} ({claims} claims{known})\n"));
        }
    }
    Ok(0)
}

/// What a header claims, in words; `alone` where there is one player only.
fn sentence(h: &Header, alone: bool) -> String {
    let at = format!("{} in {}", h.position, h.game);
    if let Some((formula, a)) = &h.formula {
        let holds = if h.relation == "below" { "does not hold" } else { "holds" };
        return format!("{at}: {formula} {holds} for {a}");
    }
    let (prover, outcome) = (&h.prover, &h.outcome);
    let what = match (h.relation.as_str(), alone) {
        ("at-most", _) => format!("pays at most {outcome}"),
        ("below", true) => return format!("{at}: the score stays below {outcome}"),
        ("below", false) => format!("keeps the other side below {outcome}"),
        _ if h.mixed.is_some() => format!("gets at least {outcome}"),
        _ => format!("reaches at least {outcome}"),
    };
    let endless = if h.or_endless { " or never ends the game" } else { "" };
    format!("{at}: {prover} {what}{endless}")
}

fn rejected(
    file: &str,
    error: &CheckError,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    if as_json {
        let object = json!({
            "file": file, "status": "rejected", "line": error.line,
            "reason": error.problem.to_string(),
        });
        say(out, &(object.to_string() + "\n"));
        return Ok(crate::failure::PROOF_REJECTED);
    }
    Err(Failure::proof(format!("{file}, {error}")))
}

struct Replay<'a, R> {
    header: &'a Header,
    reader: &'a mut Reader<R>,
    strict: bool,
}

impl<R: std::io::BufRead> Visitor for Replay<'_, R> {
    /// What was proved, and whether the game has one player only.
    type Output = Result<(Checked, bool), CheckError>;

    fn visit<G: Guide + Notation + Send + 'static>(self, game: G) -> Self::Output {
        let Replay { header, reader, strict } = self;
        let game = game.apart().unwrap_or(game);
        let checked = match &header.formula {
            None => certificate::check(&game, header, reader, strict)?,
            Some((text, protagonist)) => {
                let check = crate::check::read_back(&game, header, text, protagonist)
                    .map_err(|message| reader.error(Problem::BadFormula(message)))?;
                certificate::check(&check, header, reader, strict)?
            }
        };
        match game.trouble() {
            Some(trouble) => Err(reader.error(Problem::BadGame(trouble))),
            None => Ok((checked, game.one_player())),
        }
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
        if let Some(trouble) = game.trouble() {
            return Err(session::in_trouble(&game.name(), &trouble));
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
