//! `foregone play`: a game against the machine, or between people, in the terminal.

use std::io::{BufRead, IsTerminal};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use foregone::games::erased::Erased;
use foregone::model::{Agent, Game, Notation, Rng, Turn};
use foregone::play::{
    Choice, Course, Ending, Known, Meta, MoveBudget, Player, Seat, in_turn, written,
};
use foregone::{Answer, AnyGame, Budget, Context, Error, Job, suggest};
use serde_json::{Value, json};

use crate::args::{DiceWord, PlayArgs};
use crate::commands::{has_folder, open};
use crate::ggp;
use crate::program::Program;
use crate::report::write_file;
use crate::signals;

/// What can be typed beside moves.
const COMMANDS: [(&str, &str); 9] = [
    ("hint", "what the machine would play here"),
    ("undo", "take your last move back"),
    ("moves", "the legal moves"),
    ("values", "the value of every move, where it can be proved in the time of a move"),
    ("show", "draw the board"),
    ("save FILE", "write the game so far to a file"),
    ("resign", "give up"),
    ("help", "this list"),
    ("quit", "leave the game"),
];

/// Runs the command.
pub(crate) fn run(program: &mut Program<'_>, args: &PlayArgs) -> Result<u8, Error> {
    args.save.as_deref().map_or(Ok(()), has_folder)?;
    let any = open(program, &args.game)?;
    let game = in_turn(&any)?;
    let people = people(game, args.person.as_deref())?;
    let course = Course::new(game.clone(), &args.position)?;
    program.catch_interrupts();
    let mut table = Table {
        any: &any,
        game,
        people,
        seat: None,
        hints: None,
        lines: lines(),
        echo: !std::io::stdin().is_terminal(),
        rng: Rng::new(args.seed),
        budget: args.budget.budget(),
        said: None,
        course,
        args,
        program,
    };
    let end = table.play()?;
    table.finish(end)
}

/// Which agents are people.
fn people(game: &Erased, word: Option<&str>) -> Result<Vec<bool>, Error> {
    let agents: Vec<Agent> = (0..game.agents()).map(Agent).collect();
    // Who plays alone has nobody to play against.
    let agents = if game.one_player() { &agents[..1] } else { &agents[..] };
    let word = word.unwrap_or(game.agent_name(Agent::FIRST));
    match word {
        "both" | "all" => return Ok(vec![true; agents.len()]),
        "nobody" | "none" => return Ok(vec![false; agents.len()]),
        _ => {}
    }
    let names: Vec<String> = agents.iter().map(|&a| game.agent_name(a).to_owned()).collect();
    match names.iter().any(|name| name.eq_ignore_ascii_case(word)) {
        true => Ok(names.iter().map(|name| name.eq_ignore_ascii_case(word)).collect()),
        false => {
            let words = [names, vec!["both".to_owned(), "nobody".to_owned()]].concat();
            Err(Error::input(format!("`{word}` does not play {}", game.name()))
                .at("--as", word, 0..word.len())
                .help(suggest(word, &words).unwrap_or_default()))
        }
    }
}

/// The lines of standard input. Another thread waits for them, so that Ctrl-C ends the game at once.
fn lines() -> Receiver<String> {
    let (tell, hear) = mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    hear
}

/// How a game ended.
enum End {
    /// By the rules.
    Over(Known),
    /// This agent gave up.
    Resigned(Agent),
    /// It was left.
    Left,
    /// Ctrl-C.
    Interrupted,
}

/// What a person wants.
enum Wish {
    Plays(usize),
    Resigns,
    Leaves,
    Interrupts,
    /// The position has changed, or nothing is to be done.
    Looks,
}

struct Table<'t, 'p, 'o> {
    any: &'t AnyGame,
    game: &'t Erased,
    /// Which agents are people.
    people: Vec<bool>,
    /// The machine, from its first move on.
    seat: Option<Box<dyn Seat + 't>>,
    /// Who gives hints.
    hints: Option<Box<dyn Seat + 't>>,
    lines: Receiver<String>,
    /// Whether what is typed is written, too: nobody sees it otherwise.
    echo: bool,
    rng: Rng,
    budget: MoveBudget,
    /// What the machine said last about the end of the game.
    said: Option<Known>,
    course: Course,
    args: &'t PlayArgs,
    program: &'p mut Program<'o>,
}

impl<'t> Table<'t, '_, '_> {
    fn say(&mut self, text: &str) {
        if !self.args.json {
            self.program.say(text);
        }
    }

    fn tell(&mut self, event: Value) {
        if self.args.json {
            self.program.say(&(event.to_string() + "\n"));
        }
    }

    fn name(&self, agent: Agent) -> String {
        self.course.game().agent_name(agent).to_owned()
    }

    fn is_person(&self, agent: Agent) -> bool {
        self.people.get(usize::from(agent.0)).copied().unwrap_or(false)
    }

    /// Plays until somebody has won, or left.
    fn play(&mut self) -> Result<End, Error> {
        self.show();
        loop {
            if self.program.cancel.is_cancelled() {
                return Ok(End::Interrupted);
            }
            if self.program.is_unheard() {
                return Ok(End::Left);
            }
            match self.course.turn() {
                Turn::Over => return Ok(self.course.end().map_or(End::Left, End::Over)),
                Turn::Chance if self.args.dice == DiceWord::Drawn => {
                    let number = self.course.draw(&mut self.rng).unwrap_or(0);
                    self.make(number, "chance", None);
                }
                Turn::Agent(agent) if !self.is_person(agent) => {
                    let choice = self.think()?;
                    if self.program.cancel.is_cancelled() {
                        return Ok(End::Interrupted);
                    }
                    self.make(choice.number, "machine", choice.known.as_ref());
                    self.claim(agent, choice.known);
                    self.show();
                }
                turn => match self.ask(turn)? {
                    Wish::Plays(number) => {
                        let by = if turn == Turn::Chance { "chance" } else { "person" };
                        self.make(number, by, None);
                        // Who waits for the machine sees the board when it has moved.
                        if !matches!(self.course.turn(), Turn::Agent(a) if !self.is_person(a)) {
                            self.show();
                        }
                    }
                    Wish::Resigns => {
                        return Ok(turn.mover().map_or(End::Left, End::Resigned));
                    }
                    Wish::Leaves => return Ok(End::Left),
                    Wish::Interrupts => return Ok(End::Interrupted),
                    Wish::Looks => {}
                },
            }
        }
    }

    /// Draws the board.
    fn show(&mut self) {
        let drawing = self.course.game().draw(self.course.state());
        self.say(&format!("{drawing}\n"));
    }

    /// Makes a move, and lets everybody know.
    fn make(&mut self, number: usize, by: &str, known: Option<&Known>) {
        let mover = self.course.turn().mover().unwrap_or(Agent::CHANCE);
        let (text, usual) = (&self.course.moves()[number], self.course.usual_text(number));
        let event = json!({
            "event": "move", "player": self.name(mover), "by": by, "move": text, "known": known,
        });
        if mover == Agent::CHANCE && by == "chance" {
            self.say(&format!("chance: {usual}\n"));
        } else if by != "person" {
            let name = self.name(mover);
            self.say(&format!("{name} plays {usual}\n"));
        }
        self.tell(event);
        self.course.play(number);
        for seat in [&mut self.seat, &mut self.hints].into_iter().flatten() {
            seat.follow(number);
        }
    }

    /// Says what the machine has proved, once.
    fn claim(&mut self, agent: Agent, known: Option<Known>) {
        if let Some(known) = &known
            && self.said.as_ref() != Some(known)
        {
            let sentence = claim_text(known, &self.name(agent));
            self.say(&format!("{sentence}\n"));
        }
        self.said = known;
    }

    /// What the machine plays.
    fn think(&mut self) -> Result<Choice, Error> {
        if self.seat.is_none() {
            self.seat = Some(self.sit(&self.args.against)?);
        }
        let Table { seat, program, budget, .. } = self;
        choose(program, seat, budget)
    }

    /// A player at the position where the game stands.
    fn sit(&self, player: &Player) -> Result<Box<dyn Seat + 't>, Error> {
        ggp::seat(player, self.game, self.course.state(), self.args.seed)
    }

    /// Asks a person.
    fn ask(&mut self, turn: Turn) -> Result<Wish, Error> {
        let name = turn.mover().map_or(String::new(), |agent| self.name(agent));
        self.say(&format!("{name}> "));
        let line = loop {
            match self.lines.recv_timeout(Duration::from_millis(50)) {
                Ok(line) => break line,
                Err(RecvTimeoutError::Timeout) if self.program.cancel.is_cancelled() => {
                    return Ok(Wish::Interrupts);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.say("\n");
                    return Ok(Wish::Leaves);
                }
            }
        };
        let line = line.trim().to_owned();
        if self.echo {
            self.say(&format!("{line}\n"));
        }
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match (word, rest.trim()) {
            ("", _) => {}
            ("hint", "") => self.hint()?,
            ("undo", "") => self.undo(),
            ("moves", "") => self.list_moves(),
            ("values", "") => self.values()?,
            ("show", "") => self.show(),
            ("save", path) => self.save_here(path),
            ("resign", "") => return Ok(Wish::Resigns),
            ("quit" | "exit", "") => return Ok(Wish::Leaves),
            ("help" | "?", "") => self.help(),
            _ => match self.course.read(&line) {
                Ok(number) => return Ok(Wish::Plays(number)),
                Err(error) => self.object(&error),
            },
        }
        Ok(Wish::Looks)
    }

    /// Says what is wrong with what was typed.
    fn object(&mut self, error: &Error) {
        let help = error.help.as_ref().map_or(String::new(), |help| format!(": {help}"));
        self.say(&format!("{}{help}\n", error.message));
        self.tell(json!({ "event": "error", "message": error.message, "help": error.help }));
    }

    fn help(&mut self) {
        let mut text = "Type a move, or one of these:\n".to_owned();
        for (word, about) in COMMANDS {
            text.push_str(&format!("  {word:<10} {about}\n"));
        }
        self.say(&text);
    }

    fn hint(&mut self) -> Result<(), Error> {
        if self.hints.is_none() {
            self.hints = Some(self.sit(&Player::Default)?);
        }
        let Table { hints, program, budget, .. } = self;
        let choice = choose(program, hints, budget)?;
        let usual = self.course.usual_text(choice.number);
        let mover = self.course.turn().mover().map_or(String::new(), |agent| self.name(agent));
        let why = choice.known.as_ref().map_or(String::new(), |known| match &known.winner {
            Some(winner) if *winner == mover => ", which wins".to_owned(),
            Some(winner) => format!(", though {winner} can force a win"),
            None => format!(": with best play {}", outcome(known)),
        });
        self.say(&format!("hint: {usual}{why}\n"));
        let text = &self.course.moves()[choice.number];
        self.tell(json!({ "event": "hint", "move": text, "known": choice.known }));
        Ok(())
    }

    /// Takes moves back until the same person is to move again.
    fn undo(&mut self) {
        let mover = self.course.turn().mover();
        let mut back = self.course.clone();
        let mut count = 0;
        while back.undo() {
            count += 1;
            if back.turn().mover() == mover {
                break;
            }
        }
        if count == 0 || back.turn().mover() != mover {
            self.object(&Error::input("there is no move of yours to take back"));
            return;
        }
        self.course = back;
        // They sit down again when they are asked.
        (self.seat, self.hints, self.said) = (None, None, None);
        self.tell(json!({ "event": "undo", "moves": count }));
        self.show();
    }

    fn list_moves(&mut self) {
        let count = self.course.moves().len();
        let moves: Vec<String> = (0..count).map(|number| self.course.usual_text(number)).collect();
        self.say(&format!("{}\n", moves.join(" ")));
        self.tell(json!({ "event": "moves", "moves": self.course.moves() }));
    }

    /// What every move is worth, where a search proves it within the time of a move.
    fn values(&mut self) -> Result<(), Error> {
        let position = self.course.game().position_text(self.course.state());
        let budget = Budget {
            time: self.budget.time,
            nodes: self.budget.nodes.or(self.budget.playouts),
            memory: self.budget.memory,
            ..Budget::default()
        };
        let job = Job { moves: true, budget, ..Job::default().at(position) };
        let found = self.program.engine.run_on(self.any, &job, &mut (), &self.program.cancel);
        let answer = match found.map(|finished| finished.answer) {
            Ok(Answer::Turn(answer)) => answer,
            Ok(_) => return Ok(()),
            // Some games are not solved this way, and can be played all the same.
            Err(error) => {
                self.object(&error);
                return Ok(());
            }
        };
        let told = answer.moves.unwrap_or_default();
        let proved: Vec<_> = told.iter().filter(|m| m.proved && m.value.is_some()).collect();
        let mut text = String::new();
        for told in &proved {
            let number = self.course.moves().iter().position(|text| *text == told.text);
            let usual = number.map_or(told.text.clone(), |n| self.course.usual_text(n));
            let value = match &told.winner {
                Some(winner) => format!("{winner} wins"),
                None => told.value.clone().unwrap_or_default(),
            };
            text.push_str(&format!("  {usual:<8} {value}\n"));
        }
        if proved.len() < told.len() || told.is_empty() {
            let open = told.len() - proved.len();
            text.push_str(&match proved.is_empty() {
                true => "nothing is proved within the time of a move\n".to_owned(),
                false => format!("  {open} more could not be proved in the time\n"),
            });
        }
        self.say(&text);
        self.tell(json!({ "event": "values", "moves": proved }));
        Ok(())
    }

    fn save_here(&mut self, path: &str) {
        if path.is_empty() {
            self.object(&Error::input("save needs the name of a file").help("save game.txt"));
            return;
        }
        match self.write(Path::new(path), &End::Left) {
            Ok(()) => {
                self.say(&format!("written to {path}\n"));
                self.tell(json!({ "event": "saved", "file": path }));
            }
            Err(error) => self.object(&error),
        }
    }

    /// Writes the game to a file.
    fn write(&self, path: &Path, end: &End) -> Result<(), Error> {
        let game = self.course.game();
        let players = self.people.iter().map(|&person| match person {
            true => "person".to_owned(),
            false => self.args.against.to_string(),
        });
        let won = |winner: &str| {
            let agent = (0..game.agents()).map(Agent).find(|&a| game.agent_name(a) == winner);
            agent.map_or(Ending::Draw, Ending::Won)
        };
        let (result, words) = match end {
            End::Over(known) => match &known.winner {
                Some(winner) => (won(winner), format!("{winner} wins")),
                None => (Ending::Draw, known.value.clone().unwrap_or_default()),
            },
            End::Resigned(agent) => {
                let name = game.agent_name(*agent);
                let others: Vec<usize> =
                    (0..self.people.len()).filter(|&a| a != usize::from(agent.0)).collect();
                let ending = match others[..] {
                    [only] => Ending::Won(Agent(only as u8)),
                    _ => Ending::Open,
                };
                (ending, format!("{name} resigns"))
            }
            End::Left | End::Interrupted => (Ending::Open, "not finished".to_owned()),
        };
        let meta = Meta { round: 1, players: players.collect(), end: words, result };
        write_file(path, &written(&self.course, &meta))
    }

    /// Says how it ended, and keeps the game.
    fn finish(mut self, end: End) -> Result<u8, Error> {
        if let Some(path) = &self.args.save {
            self.write(path, &end)?;
        }
        let (text, event) = match &end {
            End::Over(known) => {
                let result = match &known.winner {
                    Some(winner) => format!("{winner} wins"),
                    None => known.value.clone().unwrap_or_default(),
                };
                let event = json!({ "event": "end", "value": known.value, "winner": known.winner });
                (format!("The game is over: {result}"), event)
            }
            End::Resigned(agent) => {
                let name = self.name(*agent);
                let event = json!({ "event": "resigned", "player": name });
                (format!("The game is over: {name} resigns"), event)
            }
            End::Left => ("The game is not finished".to_owned(), json!({ "event": "left" })),
            End::Interrupted => {
                ("The game was interrupted".to_owned(), json!({ "event": "interrupted" }))
            }
        };
        let moves: Vec<String> =
            self.course.made().iter().map(|m| m.usual.clone().unwrap_or(m.text.clone())).collect();
        self.say(&format!("{text}.\n"));
        if !moves.is_empty() {
            self.say(&format!("  moves  {}\n", moves.join(" ")));
        }
        self.tell(event);
        Ok(if matches!(end, End::Interrupted) { signals::exit_code() } else { 0 })
    }
}

/// Lets a player choose.
fn choose(
    program: &mut Program<'_>,
    seat: &mut Option<Box<dyn Seat + '_>>,
    budget: &MoveBudget,
) -> Result<Choice, Error> {
    let Some(seat) = seat else { return Ok(Choice::of(0)) };
    let clock = program.engine.clock();
    seat.choose(budget, &mut Context::new(clock, &mut (), &program.cancel))
}

/// What the machine has proved, in its words.
fn claim_text(known: &Known, machine: &str) -> String {
    match &known.winner {
        Some(winner) if winner == machine => "I can force a win.".to_owned(),
        Some(winner) => format!("{winner} can force a win."),
        None => format!("With best play {}.", outcome(known)),
    }
}

/// What comes out, in words.
fn outcome(known: &Known) -> String {
    match known.value.as_deref() {
        Some("draw") => "it is a draw".to_owned(),
        Some(value) => format!("the outcome is {value}"),
        None => "nobody wins".to_owned(),
    }
}
