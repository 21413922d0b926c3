//! A job: what to solve and how, as plain data without defaults left to guess.

use std::path::PathBuf;
use std::time::Duration;

use foregone_model::{Game, Guide, Notation, Outcome, Turn, Typed};
use foregone_search::Limits;

use crate::args::{OutcomesWord, SolveArgs};
use crate::failure::{Failure, suggest};
use crate::guidance::{Guidance, pick};

/// The question asked of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Does Max reach at least this outcome?
    AtLeast(Outcome),
    /// Which outcome does Max reach?
    Value,
}

/// How a search for two outcomes is asked about many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcomes {
    /// The middle of what is left.
    Dichotomic,
    /// One after the other, from the worst.
    Iterative,
    /// Twice as far up each time, then the middle of what is left.
    Doubling,
}

/// What may be used.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Nodes and bytes.
    pub limits: Limits,
    /// Time.
    pub time: Option<Duration>,
    /// Random plays.
    pub playouts: Option<u64>,
    /// The seed of everything random.
    pub seed: u64,
    /// Threads that a driver may use.
    pub threads: u32,
}

impl Budget {
    /// Whatever it takes.
    pub const UNLIMITED: Budget =
        Budget { limits: Limits::NONE, time: None, playouts: None, seed: 0, threads: 1 };
}

/// What to solve and how.
#[derive(Clone, Debug)]
pub struct Job<S> {
    /// The position.
    pub start: S,
    /// The question.
    pub question: Question,
    /// The outcomes between which one search for all of them looks for the value. If it is not
    /// inside, only the side on which it lies is found out. Nothing: all outcomes.
    pub window: Option<(Outcome, Outcome)>,
    /// Scheme and driver.
    pub guidance: Guidance,
    /// How a scheme for two outcomes is asked about many.
    pub outcomes: Outcomes,
    /// What may be used.
    pub budget: Budget,
    /// Whether what the game knows statically is used.
    pub knowledge: bool,
    /// Whether mirror images are taken as one.
    pub symmetry: bool,
    /// Where the certificate goes.
    pub proof: Option<PathBuf>,
    /// Whether the answer is to hold the proof itself, to be drawn.
    pub keeps_solution: bool,
}

impl<S> Job<S> {
    /// A job with everything that helps, and without limits.
    pub fn unlimited(start: S, question: Question, guidance: Guidance) -> Job<S> {
        Job {
            start,
            question,
            window: None,
            guidance,
            outcomes: Outcomes::Dichotomic,
            budget: Budget::UNLIMITED,
            knowledge: true,
            symmetry: true,
            proof: None,
            keeps_solution: false,
        }
    }

    /// Makes a job for this game out of words.
    pub fn new<G: Guide + Notation<State = S>>(
        game: &G,
        args: &SolveArgs,
    ) -> Result<Job<S>, Failure> {
        let start = game
            .read_position_or_moves(&args.position)
            .map_err(|e| Failure::text("position", &args.position, e))?;
        Ok(Job {
            start,
            question: question(game, args.question.as_deref())?,
            window: None,
            guidance: pick(game, args)?,
            outcomes: match args.outcomes {
                None | Some(OutcomesWord::Dichotomic) => Outcomes::Dichotomic,
                Some(OutcomesWord::Iterative) => Outcomes::Iterative,
                Some(OutcomesWord::Doubling) => Outcomes::Doubling,
            },
            budget: args.budget.budget(),
            knowledge: !args.no_knowledge,
            symmetry: !args.no_symmetry,
            proof: args.proof.clone(),
            keeps_solution: false,
        })
    }
}

/// Reads a question.
fn question<G: Notation>(game: &G, text: Option<&str>) -> Result<Question, Failure> {
    let scale = game.scale();
    let Some(text) = text else {
        return Ok(Question::Value);
    };
    let claimable = || scale.names().skip(1).map(str::to_owned).collect::<Vec<_>>();
    match text.split_once(' ') {
        None if text == "value" => Ok(Question::Value),
        None if text == "win" => Ok(Question::AtLeast(scale.best())),
        Some(("at-least", word)) => match scale.find(word) {
            Some(Outcome(0)) => Err(Failure::input(format!("everybody reaches at least {word}"))
                .at("question", text, 9..text.len())
                .help(suggest(word, &claimable()).unwrap_or_default())),
            Some(outcome) => Ok(Question::AtLeast(outcome)),
            None => Err(Failure::input(format!("{} has no outcome `{word}`", game.name()))
                .at("question", text, 9..text.len())
                .help(suggest(word, &claimable()).unwrap_or_default())),
        },
        _ => {
            let mut words = vec!["win".to_owned(), "value".to_owned()];
            words.extend(claimable().iter().map(|o| format!("at-least {o}")));
            Err(Failure::input(format!("`{text}` is not a question"))
                .at("question", text, 0..text.len())
                .help(suggest(text, &words).unwrap_or_default()))
        }
    }
}

/// All plays of so many moves, in the order of the rules, and where they lead. A position that
/// several plays lead to is there several times.
pub(crate) fn positions_after<G: Game>(game: &G, moves: u32) -> Vec<(Vec<G::Move>, G::State)> {
    let mut all = vec![(Vec::new(), game.start())];
    for _ in 0..moves {
        let mut next = Vec::new();
        for (played, s) in &all {
            let Turn::Agent(agent) = game.turn(s) else {
                continue;
            };
            let mut legal = Vec::new();
            game.moves(s, agent, &mut legal);
            for m in legal {
                let (mut played, mut after) = (played.clone(), s.clone());
                played.push(m);
                game.play(&mut after, agent, m);
                next.push((played, after));
            }
        }
        all = next;
    }
    all
}
