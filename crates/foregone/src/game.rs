//! Any game, in terms of text: what can be asked of it without knowing its type.

use std::io::BufRead;

use foregone_games::erased::Erased;
use foregone_games::erased_joint::ErasedJoint;
use foregone_games::registry::Opened;
use foregone_model::certificate::{
    CheckError, Header, Proved, ProvedMixed, Reader, check, check_formula, check_mixed,
};
use foregone_model::{
    Agent, Game, Guide, Joint, JointNotation, JointTyped, Notation, OffTurn, Side, Turn, Typed,
};
use serde::{Deserialize, Serialize};

use crate::answer::Finished;
use crate::error::Error;
use crate::job::{Job, Question};
use crate::observe::Context;
use crate::trust::Trust;
use crate::{explain, formula, joint, session, specialised};

/// A game that was opened.
#[derive(Clone, Debug)]
pub struct AnyGame(Opened);

impl From<Opened> for AnyGame {
    fn from(opened: Opened) -> AnyGame {
        AnyGame(opened)
    }
}

/// A position, for people and scripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The game, in full.
    pub game: String,
    /// The position, in full.
    pub position: String,
    /// A drawing of several lines.
    pub drawing: String,
    /// The names of the agents; those of two sides are Max and Min.
    pub players: Vec<String>,
    /// Whether Max plays alone, for points.
    pub one_player: bool,
    /// Whether outcomes are numbers.
    pub numbers: bool,
    /// Who is to move; nobody where all move at the same time, chance decides, or it is over.
    pub to_move: Option<String>,
    /// The outcome for Max, if it is over.
    pub over: Option<String>,
    /// The moves of who is to move or, of joint moves, of each player.
    pub moves: Vec<Vec<String>>,
}

/// What there is to know of a game before a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The start of the game.
    pub start: Shown,
    /// The outcomes, the worst for Max first; of joint moves the least and the largest payoff.
    pub outcomes: Vec<String>,
    /// Whether players move at the same time.
    pub joint: bool,
    /// How many agents play.
    pub agents: u8,
    /// The propositions of formulas that only this game has, each with its meaning.
    pub atoms: Vec<(String, String)>,
    /// Whether an agent that a formula asks out of turn moves; otherwise it passes.
    pub moves_off_turn: bool,
}

/// A certificate that was replayed.
#[derive(Clone, Debug)]
pub enum Replayed {
    /// Of a game in turn or a formula.
    Turn(Proved),
    /// Of a mixed strategy.
    Mixed(ProvedMixed),
}

impl AnyGame {
    /// A game of your own, whose players move in turn. It shares the compiled searches of all
    /// others; [`session::solve`] compiles them for it alone.
    pub fn in_turn<G: Guide + Notation + Send + 'static>(game: G) -> AnyGame {
        AnyGame(Opened::in_turn(game))
    }

    /// A game of your own, whose players move at the same time.
    pub fn joint<J: JointNotation + Send + 'static>(game: J) -> AnyGame {
        AnyGame(Opened::joint(game))
    }

    /// The game without its type.
    pub fn opened(&self) -> &Opened {
        &self.0
    }

    /// The game and its options, in full.
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// Runs a job about this game, whatever game it names.
    pub fn run(&self, job: &Job, context: &mut Context<'_>) -> Result<Finished, Error> {
        job.check()?;
        match (&self.0, &job.question) {
            (Opened::InTurn(game), Question::Formula(text)) => {
                job.only("a formula", &["player", "definitions", "all", "algorithm"])?;
                specialised::check_erased(game, job, text, context)
            }
            (Opened::InTurn(game), Question::Nash) => {
                job.only("the Nash value", &["solver"])?;
                joint::solve_in_turn(game, job, context)
            }
            (Opened::InTurn(game), _) => {
                let fields = ["player", "scheme", "driver", "leaves", "outcomes", "window"];
                job.only("a game in turn", &fields)?;
                specialised::solve_erased(game, job, context)
            }
            (Opened::Joint(game), Question::Formula(_)) => Err(Error::input(format!(
                "in {} both players move at the same time: formulas are for games in turn",
                game.name()
            ))),
            (Opened::Joint(game), _) => {
                job.only("joint moves", &["solver"])?;
                specialised::solve_joint(game, job, context)
            }
        }
    }

    /// Replays the certificate behind a header that names this game.
    pub fn replay(
        &self,
        header: &Header,
        reader: &mut Reader<&mut dyn BufRead>,
        trust: &mut Trust<'_>,
    ) -> Result<Replayed, CheckError> {
        match (&self.0, &header.mixed) {
            (Opened::Joint(game), Some(_)) => {
                check_mixed(game, header, reader).map(Replayed::Mixed)
            }
            (Opened::Joint(_), None) => Err(reader.error(
                "in this game both players move at the same time: its \
                    certificates are mixed",
            )),
            (Opened::InTurn(_), Some(_)) => {
                Err(reader
                    .error("in this game players move in turn: its certificates are not mixed"))
            }
            (Opened::InTurn(game), None) => match header.formula {
                Some(_) => check_formula(game, header, reader, trust).map(Replayed::Turn),
                None => check(game, header, reader, trust).map(Replayed::Turn),
            },
        }
    }

    /// A position.
    pub fn show(&self, position: &str) -> Result<Shown, Error> {
        match &self.0 {
            Opened::InTurn(game) => Ok(show_in_turn(game, &read(game, position)?)),
            Opened::Joint(game) => Ok(show_joint(game, &read_joint(game, position)?)),
        }
    }

    /// What there is to know of the game.
    pub fn describe(&self) -> Description {
        match &self.0 {
            Opened::InTurn(game) => Description {
                start: show_in_turn(game, &game.start()),
                outcomes: game.scale().names().map(str::to_owned).collect(),
                joint: false,
                agents: game.agents(),
                atoms: game
                    .atoms()
                    .iter()
                    .map(|&(form, meaning)| (form.to_owned(), meaning.to_owned()))
                    .collect(),
                moves_off_turn: game.off_turn() == OffTurn::Moves,
            },
            Opened::Joint(game) => {
                let (low, high) = game.range();
                Description {
                    start: show_joint(game, &game.start()),
                    outcomes: vec![points(game, low), points(game, high)],
                    joint: true,
                    agents: 2,
                    atoms: Vec::new(),
                    moves_off_turn: false,
                }
            }
        }
    }

    /// The numbers of sequences of 1, 2, … moves, up to a depth; of pairs of moves where players
    /// move at the same time. Each is told as soon as it is known.
    pub fn perft(
        &self,
        position: &str,
        depth: u32,
        mut told: impl FnMut(u32, u64),
    ) -> Result<Vec<u64>, Error> {
        let mut counts = Vec::new();
        let mut count = |depth: u32, number: u64| {
            told(depth, number);
            counts.push(number);
        };
        let violation = match &self.0 {
            Opened::InTurn(game) => {
                let s = read(game, position)?;
                (1..=depth).for_each(|depth| count(depth, perft(game, &s, depth)));
                game.rules_violation()
            }
            Opened::Joint(game) => {
                let s = read_joint(game, position)?;
                (1..=depth).for_each(|depth| count(depth, pairs(game, &s, depth)));
                game.rules_violation()
            }
        };
        match violation {
            Some(violation) => Err(session::rules_error(&self.name(), &violation)),
            None => Ok(counts),
        }
    }

    /// A formula in words, as it is understood in a position.
    pub fn explain(&self, job: &Job, text: &str) -> Result<String, Error> {
        let Opened::InTurn(game) = &self.0 else {
            return Err(Error::input("formulas are for games in turn"));
        };
        let start = read(game, &job.position)?;
        let player = job.player.as_deref();
        let formula = formula::formula_of(game, &start, text, &job.definitions, player)?;
        Ok(explain::explain(game, &formula))
    }
}

fn read(game: &Erased, text: &str) -> Result<<Erased as Game>::State, Error> {
    game.read_position_or_moves(text).map_err(|e| Error::text("position", text, e))
}

fn read_joint(game: &ErasedJoint, text: &str) -> Result<<ErasedJoint as Joint>::State, Error> {
    game.read_position_or_moves(text).map_err(|e| Error::text("position", text, e))
}

/// A payoff in points.
fn points<J: Joint>(game: &J, payoff: i64) -> String {
    joint::decimal(payoff as f64 / game.unit() as f64)
}

fn show_in_turn(game: &Erased, s: &<Erased as Game>::State) -> Shown {
    let (mut to_move, mut over, mut moves) = (None, None, Vec::new());
    match game.turn(s) {
        Turn::Over => over = Some(game.scale().name(game.outcome(s)).to_owned()),
        Turn::Agent(agent) => {
            game.moves(s, agent, &mut moves);
            to_move = (!game.one_player()).then(|| game.agent_name(agent).to_owned());
        }
        Turn::Chance => game.moves(s, Agent::CHANCE, &mut moves),
    }
    let players = match game.agents() {
        2 => game.players().map(str::to_owned).to_vec(),
        n => (0..n).map(|a| game.agent_name(Agent(a)).to_owned()).collect(),
    };
    Shown {
        game: game.name(),
        position: game.position_text(s),
        drawing: game.draw(s),
        players,
        one_player: game.one_player(),
        numbers: game.scale().scores().is_some(),
        to_move,
        over,
        moves: vec![moves.iter().map(|&m| game.move_text(s, m)).collect()],
    }
}

fn show_joint(game: &ErasedJoint, s: &<ErasedJoint as Joint>::State) -> Shown {
    let over = game.payoff(s).map(|payoff| points(game, payoff));
    let texts = |side: Side| {
        let mut moves = Vec::new();
        if over.is_none() {
            game.moves(s, side, &mut moves);
        }
        moves.iter().map(|&m| game.move_text(s, side, m)).collect()
    };
    Shown {
        game: game.name(),
        position: game.position_text(s),
        drawing: game.draw(s),
        players: game.players().map(str::to_owned).to_vec(),
        one_player: false,
        numbers: true,
        to_move: None,
        moves: vec![texts(Side::Max), texts(Side::Min)],
        over,
    }
}

/// The number of move sequences of this length. A game that ends earlier has none.
pub fn perft<G: Game>(game: &G, s: &G::State, depth: u32) -> u64 {
    let agent = match game.turn(s) {
        Turn::Over => return u64::from(depth == 0),
        Turn::Agent(agent) => agent,
        Turn::Chance => Agent::CHANCE,
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

/// The number of sequences of so many pairs of moves.
fn pairs<J: Joint>(game: &J, s: &J::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.payoff(s).is_some() {
        return 0;
    }
    let (mut max, mut min) = (Vec::new(), Vec::new());
    game.moves(s, Side::Max, &mut max);
    game.moves(s, Side::Min, &mut min);
    if depth == 1 {
        return (max.len() * min.len()) as u64;
    }
    let mut count = 0;
    for &a in &max {
        for &b in &min {
            let mut next = s.clone();
            game.play(&mut next, a, b);
            count += pairs(game, &next, depth - 1);
        }
    }
    count
}
