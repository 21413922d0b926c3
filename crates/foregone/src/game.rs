//! Any game, in terms of text: what can be asked of it without knowing its type.

use std::io::BufRead;
use std::time::Duration;

use foregone_games::chess::Chess;
use foregone_games::erased::Erased;
use foregone_games::erased_joint::ErasedJoint;
use foregone_games::registry::Opened;
use foregone_model::certificate::{
    CheckError, Header, OTHERS, Proved, ProvedExpected, ProvedMixed, ProvedScores, Reader, check,
    check_expected, check_formula, check_mixed, check_scores,
};
use foregone_model::{
    Agent, Game, Guide, Joint, JointNotation, JointTyped, Notation, OffTurn, Side, Turn, Typed,
};
use foregone_search::joint::Driver;
use serde::{Deserialize, Serialize};

use crate::answer::Finished;
use crate::error::Error;
use crate::job::{Job, Question};
use crate::joint::JointSolver;
use crate::observe::{Context, Meter, Pace, Stop, Work};
use crate::problem::Ply;
use crate::scale::{Ranking, named_by_scores, own_scores};
use crate::solver::Solver;
use crate::trust::Trust;
use crate::{expected, explain, formula, joint, many, session, specialised, tables};

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
    /// Whether every player has a score of its own: more than two play, or what one gets the other
    /// need not lose.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_scores: bool,
    /// Whether outcomes are numbers, or a number for every player.
    pub numbers: bool,
    /// Who is to move; nobody where all move at the same time, chance decides, or it is over.
    pub to_move: Option<String>,
    /// The outcome for Max, if it is over.
    pub over: Option<String>,
    /// The moves of who is to move or, of joint moves, of each player.
    pub moves: Vec<Vec<String>>,
    /// Where chance is to move, how often it makes each move, compared with the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<u64>,
}

impl Shown {
    /// Whether one player stands against several others: every player has a score of its own, or
    /// all but one are a side.
    pub fn against_others(&self) -> bool {
        self.own_scores || self.players.get(1).is_some_and(|name| name == OTHERS)
    }

    /// How the game ended, in words, if it is over.
    pub fn ended(&self) -> Option<String> {
        let end = self.over.as_ref()?;
        Some(match (&self.players[..], end.as_str()) {
            _ if self.one_player => format!("score {end}"),
            (players, _) if self.own_scores => end_of_many(players, end, self.numbers),
            ([max, _], _) if self.numbers => format!("{end} for {max}"),
            (_, "draw") => "a draw".to_owned(),
            ([max, _], "win") => format!("{max} wins"),
            ([max, min], "loss") if min == OTHERS => format!("{max} loses"),
            ([_, min], "loss") => format!("{min} wins"),
            (players, _) => format!("{end} for {}", players[0]),
        })
    }
}

/// What a player is called in a sentence: those who play against one of several have no name of
/// their own.
pub fn called(name: &str) -> &str {
    if name == OTHERS { "the others" } else { name }
}

/// An end of a game in which every player has a score of its own, in words: the scores, or else who
/// wins, which is what such ends are named by.
pub fn end_of_many(players: &[String], end: &str, scores: bool) -> String {
    if scores {
        let each = players.iter().zip(end.split('/'));
        let each: Vec<String> = each.map(|(name, score)| format!("{name} {score}")).collect();
        return each.join(", ");
    }
    let winners: Vec<&str> = end.split('+').collect();
    let known = |name: &&str| *name == "nobody" || players.iter().any(|p| p == name);
    match (&winners[..], winners.iter().all(known)) {
        ([one], true) => format!("{one} wins"),
        ([first @ .., last], true) => format!("{} and {last} win", first.join(", ")),
        _ => end.to_owned(),
    }
}

/// What there is to know of a game before a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The start of the game.
    pub start: Shown,
    /// The outcomes, the worst for Max first, those that are the same to it as one; of joint moves the least and the largest payoff.
    pub outcomes: Vec<String>,
    /// Whether players move at the same time.
    pub joint: bool,
    /// How many agents play.
    pub agents: u8,
    /// Whether there is chance.
    pub chance: bool,
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
    /// Of an expected value.
    Expected(ProvedExpected),
    /// Of every player's score.
    Scores(ProvedScores),
}

impl Replayed {
    /// How many claims were replayed.
    pub fn claims(&self) -> u64 {
        match self {
            Replayed::Turn(proved) => proved.claims,
            Replayed::Mixed(proved) => proved.claims,
            Replayed::Expected(proved) => proved.claims,
            Replayed::Scores(proved) => proved.claims,
        }
    }
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

    /// The game, if its players move in turn.
    pub(crate) fn in_turn_game(&self) -> Result<&Erased, Error> {
        match &self.0 {
            Opened::InTurn(game) => Ok(game),
            Opened::Joint(game) => Err(Error::input(format!(
                "in {} both players move at the same time: tables are for games in turn",
                game.name()
            ))),
        }
    }

    /// The game and its options, in full.
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// Runs a job about this game, whatever game it names.
    pub fn run(&self, job: &Job, context: &mut Context<'_>) -> Result<Finished, Error> {
        job.check()?;
        self.can_be_kept(job, context)?;
        match (&self.0, &job.question) {
            (Opened::InTurn(game), Question::Formula(text)) => {
                let problem = ["all", "tries", "set_play", "variations"];
                let fields = ["player", "definitions", "algorithm"];
                job.only("a formula", &[&fields[..], &problem[..]].concat())?;
                specialised::check_erased(game, job, text, context)
            }
            (Opened::InTurn(game), Question::Nash) => {
                job.only("the Nash value", &["solver"])?;
                joint::solve_in_turn(game, job, context)
            }
            (Opened::InTurn(game), _) if matches!(job.solver, Some(Solver::Many(_))) => {
                many::solve(game, job, context)
            }
            (Opened::InTurn(game), _)
                if game.has_chance()
                    || job.opponent.is_some()
                    || job.contempt.is_some()
                    || matches!(job.solver, Some(Solver::Expected(_))) =>
            {
                let what = if game.has_chance() { "chance" } else { "what one gets on average" };
                job.only(
                    what,
                    &["player", "moves", "solver", "opponent", "opponent_proof", "contempt"],
                )?;
                expected::solve(game, job, context)
            }
            (Opened::InTurn(game), _) => {
                let fields = [
                    "player", "moves", "scheme", "driver", "leaves", "outcomes", "window", "tables",
                ];
                job.only("a game in turn", &fields)?;
                let tables = tables::for_search(game, job)?;
                let with_tables = tables.as_ref().map(|tables| game.with_tables(tables.clone()));
                let finished =
                    specialised::solve_erased(with_tables.as_ref().unwrap_or(game), job, context);
                // A table that could not be read was not asked: that is not the search's fault.
                match tables.and_then(|tables| tables.problem()) {
                    Some(problem) => Err(problem),
                    None => finished,
                }
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

    /// Refuses to keep checkpoints of what has no search that can be written down.
    fn can_be_kept(&self, job: &Job, context: &mut Context<'_>) -> Result<(), Error> {
        let what = match (&self.0, &job.question) {
            _ if context.observer.checkpoints().is_none() => return Ok(()),
            (_, Question::Formula(_)) => return Ok(()),
            (Opened::Joint(_), _) | (_, Question::Nash) => match job.solver {
                None | Some(Solver::Joint(JointSolver::Induce(Driver::Dag))) => return Ok(()),
                Some(_) => "joint moves by other solvers than `bi` with a table",
            },
            _ if matches!(job.solver, Some(Solver::Many(_))) => "what each of many players gets",
            (Opened::InTurn(game), _)
                if game.has_chance()
                    || job.opponent.is_some()
                    || job.contempt.is_some()
                    || job.solver.is_some() =>
            {
                "expected values"
            }
            _ => return Ok(()),
        };
        Err(Error::input(format!("searches for {what} can't be kept in checkpoints"))
            .help("those of games in turn by schemes and drivers can, and formulas"))
    }

    /// Replays the certificate behind a header that names this game.
    pub fn replay(
        &self,
        header: &Header,
        reader: &mut Reader<&mut dyn BufRead>,
        trust: &mut Trust<'_>,
    ) -> Result<Replayed, CheckError> {
        match (&self.0, &header.mixed) {
            (Opened::Joint(_), _) if header.scores => {
                Err(reader.error("scores by max^n are those of games in turn"))
            }
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
            (Opened::InTurn(game), None) if header.scores => {
                check_scores(game, header, reader).map(Replayed::Scores)
            }
            (Opened::InTurn(game), None) if header.expected.is_some() => {
                check_expected(game, header, reader).map(Replayed::Expected)
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
                outcomes: Ranking::new(game, Agent::FIRST).all_names(),
                joint: false,
                agents: game.agents(),
                chance: game.has_chance(),
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
                    chance: false,
                    atoms: Vec::new(),
                    moves_off_turn: false,
                }
            }
        }
    }

    /// The numbers of sequences of 1, 2, … moves, up to a depth; of pairs of moves where players
    /// move at the same time. Each is told as soon as it is known; why there are fewer, if there
    /// are. No moves make one sequence.
    pub fn perft(
        &self,
        position: &str,
        depth: u32,
        time: Option<Duration>,
        context: &mut Context<'_>,
        mut told: impl FnMut(u32, u64),
    ) -> Result<(Vec<u64>, Option<Stop>), Error> {
        let (clock, cancel, began) = (context.clock, context.cancel, context.clock.now());
        let mut pace = Pace::new(context.observer);
        let (pace, observer) = (&mut pace, &mut *context.observer);
        let mut meter = Meter { clock, cancel, began, time, pace, observer };
        let mut counts = Vec::new();
        let mut stop = None;
        for depth in depth.min(1)..=depth {
            let mut counter = Counter::new(|done, share| {
                stop = meter.stopped(Work::Counting, done, share);
                stop.is_none()
            });
            let whole = Part::WHOLE;
            let number = match &self.0 {
                Opened::InTurn(game) => counter.moves(game, &read(game, position)?, depth, whole),
                Opened::Joint(game) => {
                    counter.pairs(game, &read_joint(game, position)?, depth, whole)
                }
            };
            let Some(number) = number else { break };
            told(depth, number);
            counts.push(number);
        }
        let violation = match &self.0 {
            Opened::InTurn(game) => game.rules_violation(),
            Opened::Joint(game) => game.rules_violation(),
        };
        match violation {
            Some(violation) => Err(session::rules_error(&self.name(), &violation)),
            None => Ok((counts, stop.map(Stop::from))),
        }
    }

    /// The position of a chess problem with some changes: `Kd4-e5`, `-a2`, `+wNb1`, `a1<->b2`.
    pub fn twin(&self, position: &str, edits: &str) -> Result<String, Error> {
        let chess = match &self.0 {
            Opened::InTurn(game) => game.get::<Chess>(),
            Opened::Joint(_) => None,
        };
        let Some(chess) = chess else {
            return Err(Error::input(format!("twins are for chess, not for {}", self.name())));
        };
        let text = |e| Error::text("position", position, e);
        let start = chess.read_position_or_moves(position).map_err(text)?;
        let twin = chess.twin(&start, edits).map_err(|e| Error::text("twin", edits, e))?;
        Ok(chess.position_text(&twin))
    }

    /// Moves of a play, in the texts of certificates, and as people who know the game write them. What
    /// is not a play from the position is left as it is.
    pub fn plies(&self, position: &str, moves: &[String]) -> Vec<Ply> {
        let mut plies: Vec<Ply> =
            moves.iter().map(|text| Ply { text: text.clone(), san: None }).collect();
        let Opened::InTurn(game) = &self.0 else { return plies };
        let Ok(mut s) = read(game, position) else { return plies };
        for ply in &mut plies {
            let (Some(agent), Some(m)) = (game.turn(&s).mover(), game.parse_move(&s, &ply.text))
            else {
                break;
            };
            let mut legal = Vec::new();
            game.moves(&s, agent, &mut legal);
            if !legal.contains(&m) {
                break;
            }
            ply.san = game.usual_text(&s, agent, m);
            game.play(&mut s, agent, m);
        }
        plies
    }

    /// The position behind some moves from a position, in the game's own text. Moves are typed as people
    /// type them: those of joint moves with a slash between them.
    pub fn after(&self, position: &str, moves: &[String]) -> Result<String, Error> {
        let fault = |text: &str, e| Error::text("move", text, e);
        match &self.0 {
            Opened::InTurn(game) => {
                let mut s = read(game, position)?;
                for text in moves {
                    let m = game.read_move(&s, text).map_err(|e| fault(text, e))?;
                    if let Some(agent) = game.turn(&s).mover() {
                        game.play(&mut s, agent, m);
                    }
                }
                Ok(game.position_text(&s))
            }
            Opened::Joint(game) => {
                let mut s = read_joint(game, position)?;
                for text in moves {
                    let (max, min) = game.read_pair(&s, text).map_err(|e| fault(text, e))?;
                    game.play(&mut s, max, min);
                }
                Ok(game.position_text(&s))
            }
        }
    }

    /// The legal moves of who is to move as people who know the game write them, where that is something
    /// else, in the order of the rules.
    pub fn usual_moves(&self, position: &str) -> Result<Vec<Option<String>>, Error> {
        let Opened::InTurn(game) = &self.0 else { return Ok(Vec::new()) };
        let s = read(game, position)?;
        let Some(agent) = game.turn(&s).mover() else { return Ok(Vec::new()) };
        let mut moves = Vec::new();
        game.moves(&s, agent, &mut moves);
        Ok(moves.into_iter().map(|m| game.usual_text(&s, agent, m)).collect())
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

pub(crate) fn read(game: &Erased, text: &str) -> Result<<Erased as Game>::State, Error> {
    game.read_position_or_moves(text).map_err(|e| Error::text("position", text, e))
}

pub(crate) fn read_joint(
    game: &ErasedJoint,
    text: &str,
) -> Result<<ErasedJoint as Joint>::State, Error> {
    game.read_position_or_moves(text).map_err(|e| Error::text("position", text, e))
}

/// A payoff in points.
fn points<J: Joint>(game: &J, payoff: i64) -> String {
    joint::decimal(payoff as f64 / game.unit() as f64)
}

fn show_in_turn(game: &Erased, s: &<Erased as Game>::State) -> Shown {
    let (mut to_move, mut over, mut moves, mut weights) = (None, None, Vec::new(), Vec::new());
    match game.turn(s) {
        Turn::Over => over = Some(game.scale().name(game.outcome(s)).to_owned()),
        Turn::Agent(agent) => {
            game.moves(s, agent, &mut moves);
            to_move = (!game.one_player()).then(|| game.agent_name(agent).to_owned());
        }
        Turn::Chance => {
            game.moves(s, Agent::CHANCE, &mut moves);
            weights.extend(moves.iter().map(|&m| game.weight(s, m)));
        }
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
        own_scores: own_scores(game),
        numbers: game.scale().scores().is_some() || named_by_scores(game),
        to_move,
        over,
        moves: vec![moves.iter().map(|&m| game.move_text(s, m)).collect()],
        weights,
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
        own_scores: false,
        numbers: true,
        to_move: None,
        moves: vec![texts(Side::Max), texts(Side::Min)],
        weights: Vec::new(),
        over,
    }
}

/// The number of move sequences of this length. A game that ends earlier has none.
pub fn perft<G: Game>(game: &G, s: &G::State, depth: u32) -> u64 {
    Counter::new(|_, _| true).moves(game, s, depth, Part::WHOLE).unwrap_or(0)
}

/// A part of all the work, taken to be the same for all moves of a position.
#[derive(Clone, Copy)]
struct Part {
    from: f64,
    width: f64,
}

impl Part {
    const WHOLE: Part = Part { from: 0.0, width: 1.0 };

    /// The part of one of so many moves.
    fn of(self, at: usize, moves: usize) -> Part {
        let width = self.width / moves as f64;
        Part { from: self.from + width * at as f64, width }
    }
}

/// Counts sequences of moves as long as it is to go on.
struct Counter<F> {
    found: u64,
    passed: u64,
    goes_on: F,
}

impl<F: FnMut(u64, f64) -> bool> Counter<F> {
    fn new(goes_on: F) -> Counter<F> {
        Counter { found: 0, passed: 0, goes_on }
    }

    /// Notes so many sequences, and whether to go on.
    fn note(&mut self, number: u64, part: Part) -> Option<u64> {
        self.found += number;
        self.passed += 1;
        let asks = self.passed.is_multiple_of(256);
        (!asks || (self.goes_on)(self.found, part.from)).then_some(number)
    }

    /// The number of sequences of so many moves.
    fn moves<G: Game>(&mut self, game: &G, s: &G::State, depth: u32, part: Part) -> Option<u64> {
        let agent = match game.turn(s) {
            Turn::Over => return self.note(u64::from(depth == 0), part),
            Turn::Agent(agent) => agent,
            Turn::Chance => Agent::CHANCE,
        };
        if depth == 0 {
            return Some(1);
        }
        let mut moves = Vec::new();
        game.moves(s, agent, &mut moves);
        if depth == 1 {
            return self.note(moves.len() as u64, part);
        }
        let mut count = 0;
        for (at, &m) in moves.iter().enumerate() {
            let mut next = s.clone();
            game.play(&mut next, agent, m);
            count += self.moves(game, &next, depth - 1, part.of(at, moves.len()))?;
        }
        Some(count)
    }

    /// The number of sequences of so many pairs of moves.
    fn pairs<J: Joint>(&mut self, game: &J, s: &J::State, depth: u32, part: Part) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        if game.payoff(s).is_some() {
            return self.note(0, part);
        }
        let (mut max, mut min) = (Vec::new(), Vec::new());
        game.moves(s, Side::Max, &mut max);
        game.moves(s, Side::Min, &mut min);
        if depth == 1 {
            return self.note((max.len() * min.len()) as u64, part);
        }
        let mut count = 0;
        for (row, &a) in max.iter().enumerate() {
            for (column, &b) in min.iter().enumerate() {
                let mut next = s.clone();
                game.play(&mut next, a, b);
                let part = part.of(row * min.len() + column, max.len() * min.len());
                count += self.pairs(game, &next, depth - 1, part)?;
            }
        }
        Some(count)
    }
}
