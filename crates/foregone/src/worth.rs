//! What positions are worth in sums: values in canonical form, and the proof that they are right.
//!
//! That a position P is worth H is proved by two certificates: who begins loses the sum of P and the negative
//! of H, whether that is Left or Right. They are made and replayed like those of any other sum.

use foregone_cgt::{Class, Dyadic, Fate, Judged, Thermograph, TooLarge, Value, Values, Wall};
use foregone_games::erased::{AnyMove, AnyState, Erased};
use foregone_games::registry::Opened;
use foregone_games::sum::PLUS;
use foregone_games::sum::worth::{Appraiser, Worth};
use foregone_model::{Notation, OwnSearch, Side, sums};
use foregone_search::DriverSpec;
use serde::Serialize;

use crate::engine::Engine;
use crate::error::Error;
use crate::game::{AnyGame, read};
use crate::job::{Budget, Job, Proof};
use crate::observe::{Cancel, Observer, Stop};

/// Longer texts of values are left out.
const MOST_TEXT: usize = 2_000;

/// What a position is worth.
#[derive(Clone, Debug, Serialize)]
pub struct Appraisal {
    /// The game, in full.
    pub game: String,
    /// The position, in full.
    pub position: String,
    /// What Left and Right are called in this game.
    pub players: [String; 2],
    /// Why the work ended: solved, or what was used up.
    pub stop: Stop,
    /// What was found.
    pub found: Option<Found>,
    /// Why nothing was found, where it is not for the budget.
    pub problem: Option<String>,
    /// The proof of the value, which was replayed.
    pub proof: Option<Shows>,
    /// Why there is no proof.
    pub not_proved: Option<String>,
    /// The text of the certificates.
    #[serde(skip)]
    pub certificate: String,
}

/// The proof of a value.
#[derive(Clone, Debug, Serialize)]
pub struct Shows {
    /// The sum of which it says that who begins loses.
    pub sum: String,
    /// How many claims it has.
    pub claims: u64,
    /// Where it was written, if it was.
    pub file: Option<String>,
}

/// A value and what follows from it.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// The canonical form; nothing if it is too long to be written.
    pub value: Option<String>,
    /// Who wins: `left`, `right`, `next` or `previous`.
    pub outcome: &'static str,
    /// Who wins, in words.
    #[serde(skip)]
    pub wins: &'static str,
    /// The mean.
    pub mean: String,
    /// The temperature.
    pub temperature: String,
    /// Whether who moves gains something.
    pub hot: bool,
    /// The stops of Left and of Right.
    pub stops: [String; 2],
    /// Left's moves.
    pub left: Vec<MoveWorth>,
    /// Right's moves.
    pub right: Vec<MoveWorth>,
    /// Both walls.
    pub thermograph: Walls,
    /// The thermograph in lines of text.
    #[serde(skip)]
    pub drawing: Option<String>,
    /// The thermograph as a picture.
    #[serde(skip)]
    pub svg: Option<String>,
}

/// The walls of a thermograph: temperatures and numbers at which they turn.
#[derive(Clone, Debug, Serialize)]
pub struct Walls {
    /// The left wall.
    pub left: Vec<[String; 2]>,
    /// The right wall.
    pub right: Vec<[String; 2]>,
}

/// What a move is worth and good for.
#[derive(Clone, Debug, Serialize)]
pub struct MoveWorth {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The value of what it leads to; nothing if it is too long to be written.
    pub value: Option<String>,
    /// What becomes of it in the canonical form.
    pub mark: Mark,
    /// The move that is as good or better, or the value through which it is reversed.
    pub by: Option<String>,
    /// Whether it is a best move where moving is worth something.
    pub hot: bool,
}

/// What becomes of a move in the canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// It is there.
    Best,
    /// Another move leads to the same.
    Same,
    /// Another move is at least as good.
    Dominated,
    /// The other player has an answer that is as good as if nobody had moved.
    Reversible,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asks<'a> {
    /// The game.
    pub game: &'a AnyGame,
    /// The position.
    pub position: &'a str,
    /// What may be used.
    pub budget: Budget,
}

/// Finds the value of a position, and proves it.
pub fn appraise(
    engine: &Engine,
    asks: Asks<'_>,
    observer: &mut dyn Observer,
    cancel: &Cancel,
) -> Result<Appraisal, Error> {
    let game = under_normal_play(asks.game)?;
    let s = read(game, asks.position)?;
    let began = engine.clock().now();
    let mut stop = Stop::Solved;
    let mut goes_on = |bytes: u64| {
        let late = |time| engine.clock().now().saturating_sub(began) >= time;
        if cancel.is_cancelled() {
            stop = Stop::Interrupted;
        } else if asks.budget.time.is_some_and(late) {
            stop = Stop::Time;
        } else if asks.budget.memory.is_some_and(|most| bytes > most) {
            stop = Stop::Memory;
        }
        stop == Stop::Solved
    };
    let memory = asks.budget.memory.unwrap_or(u64::MAX);
    let mut appraiser = Appraiser::new(game, memory).ok_or_else(|| refused(game))?;
    let worth = look(game, &s, &mut appraiser, &mut goes_on);
    let mut appraisal = Appraisal {
        game: game.name(),
        position: game.position_text(&s),
        players: game.players().map(str::to_owned),
        stop,
        found: None,
        problem: None,
        proof: None,
        not_proved: None,
        certificate: String::new(),
    };
    let value = match worth {
        Ok((value, found)) => {
            appraisal.found = Some(found);
            value
        }
        Err(TooLarge::Forms) => {
            appraisal.stop = Stop::Memory;
            return Ok(appraisal);
        }
        Err(_) if stop != Stop::Solved => return Ok(appraisal),
        Err(why) => {
            appraisal.stop = Stop::Memory;
            appraisal.problem = Some(why.to_string());
            return Ok(appraisal);
        }
    };
    let negative = appraiser.negative(value);
    drop(appraiser);
    let spent = engine.clock().now().saturating_sub(began);
    let time = asks.budget.time.map(|time| time.saturating_sub(spent));
    let budget = Budget { time, ..asks.budget };
    match negative {
        None => appraisal.not_proved = Some("the value is too large to be played in".to_owned()),
        Some(negative) => prove(engine, &negative, budget, &mut appraisal, observer, cancel)?,
    }
    Ok(appraisal)
}

fn refused(game: &Erased) -> Error {
    let name = game.name();
    Error::input(format!(
        "{name} can't have a value: it is not a game under normal play, in which who cannot move loses"
    ))
    .help("`foregone solve` says who wins")
}

/// The game, if it is one of those that have values.
fn under_normal_play(game: &AnyGame) -> Result<&Erased, Error> {
    match game.opened() {
        Opened::InTurn(one) if one.parts().is_some() => Ok(one),
        Opened::InTurn(one) => Err(refused(one)),
        Opened::Joint(_) => {
            let name = game.name();
            Err(Error::input(format!(
                "{name} can't have a value: both players move at the same time"
            ))
            .help("`foregone solve` finds the Nash value"))
        }
    }
}

/// The value, and what is told of it.
fn look(
    game: &Erased,
    s: &AnyState,
    appraiser: &mut Appraiser<'_>,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Result<(Value, Found), TooLarge> {
    let Worth { value, moves } = appraiser.worth(s, goes_on)?;
    let thermograph = appraiser.arithmetic(goes_on, |values| values.thermograph(value))?;
    let hot = thermograph.temperature() > Dyadic::default();
    let values = appraiser.values();
    let [left, right] =
        [Side::Max, Side::Min].map(|side| told(game, s, side, &moves[side.index()], values, hot));
    let (outcome, wins) = match values.outcome(value) {
        Class::Left => ("left", "Left wins, whoever begins"),
        Class::Right => ("right", "Right wins, whoever begins"),
        Class::Next => ("next", "who begins wins"),
        Class::Previous => ("previous", "who begins loses"),
    };
    let found = Found {
        value: text(values, value),
        outcome,
        wins,
        mean: thermograph.mean().to_string(),
        temperature: thermograph.temperature().to_string(),
        hot,
        stops: [values.left_stop(value), values.right_stop(value)].map(|stop| stop.to_string()),
        left,
        right,
        thermograph: walls(&thermograph),
        drawing: thermograph.drawing().ok(),
        svg: thermograph.svg().ok(),
    };
    Ok((value, found))
}

fn walls(thermograph: &Thermograph) -> Walls {
    let corners = |wall: &Wall| {
        let corners = wall.corners().iter();
        corners.map(|c| [c.temperature.to_string(), c.number.to_string()]).collect()
    };
    Walls { left: corners(&thermograph.left), right: corners(&thermograph.right) }
}

fn text(values: &Values, value: Value) -> Option<String> {
    values.text_up_to(value, MOST_TEXT).ok()
}

/// The moves of a side, as they are told.
fn told(
    game: &Erased,
    s: &AnyState,
    side: Side,
    moves: &[(AnyMove, Judged)],
    values: &Values,
    hot: bool,
) -> Vec<MoveWorth> {
    let s = game.parts().map_or_else(|| s.clone(), |summand| summand.with_turn(s, side));
    let name = |i: usize| game.move_text(&s, moves[i].0);
    let told = moves.iter().enumerate().map(|(i, (_, judged))| {
        let (mark, by) = match judged.fate {
            Fate::Kept => (Mark::Best, None),
            Fate::Repeated(other) => (Mark::Same, Some(name(other))),
            Fate::Dominated(other) => (Mark::Dominated, Some(name(other))),
            Fate::Reversible(through) => (Mark::Reversible, text(values, through)),
        };
        let value = text(values, judged.value);
        MoveWorth { text: name(i), value, mark, by, hot: hot && judged.hot }
    });
    told.collect()
}

/// Shows that who begins loses the sum of the position and the negative of its value.
fn prove(
    engine: &Engine,
    negative: &sums::Value,
    budget: Budget,
    appraisal: &mut Appraisal,
    observer: &mut dyn Observer,
    cancel: &Cancel,
) -> Result<(), Error> {
    let name = format!("{}{PLUS}{negative}", appraisal.game);
    let sum = match engine.open(&name) {
        Ok(sum) => sum,
        Err(error) => {
            appraisal.not_proved = Some(error.message);
            return Ok(());
        }
    };
    let Opened::InTurn(game) = sum.opened() else { return Ok(()) };
    game.ask_values();
    let place = appraisal.position.rsplit_once(' ').map_or("", |(place, _)| place);
    let (mut claims, mut certificate) = (0, String::new());
    for (mover, loses) in [("left", "loss"), ("right", "win")] {
        let job = Job {
            game: name.clone(),
            position: format!("{place}{PLUS}{negative} {mover}"),
            driver: Some(DriverSpec::Own(OwnSearch::Parts)),
            proof: Proof::Always,
            budget,
            ..Job::default()
        };
        let finished = engine.run_on(&sum, &job, observer, cancel)?;
        let proof = finished.answer.proof().filter(|proof| proof.checked && proof.proved);
        match (finished.answer.value(), proof) {
            (Some(value), Some(proof)) if value == loses => claims += proof.claims,
            (Some(value), _) if value != loses => {
                let message = format!("a search contradicts the value of {}", appraisal.game);
                return Err(Error::proof(message)
                    .help("this is a defect of foregone: the answer is not to be trusted"));
            }
            _ => {
                let stop = finished.answer.stop();
                appraisal.not_proved =
                    Some(format!("no proof was made (stopped: {})", stop.word()));
                if stop == Stop::Interrupted {
                    appraisal.stop = stop;
                }
                return Ok(());
            }
        }
        certificate.push_str(&finished.certificate);
    }
    appraisal.certificate = certificate;
    appraisal.proof = Some(Shows { sum: sum.name(), claims, file: None });
    Ok(())
}
