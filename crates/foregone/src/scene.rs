//! Pictures of positions of any game, and what an answer says on them.

use foregone_games::erased::{AnyState, Erased};
use foregone_games::erased_joint::ErasedJoint;
use foregone_model::scene::{MoveMark, Quality};
use foregone_model::{Game, JointNotation, JointTyped, Notation, Scene, Side, Turn, Typed};

use crate::answer::{Answer, ExpectedMove, MoveAnswer, PlayerScore, Status, TurnAnswer};
use crate::error::Error;
use crate::game::{AnyGame, Shown, called, read, read_joint};
use crate::scale::own_scores;
use crate::{Opened, picture};

/// So many moves of a line are marked; more would cover each other.
const MOST_MARKED: usize = 5;
/// So many of them are arrows.
const MOST_ARROWS: usize = 3;

impl AnyGame {
    /// A picture of a position. Where the position is a list of moves, the last one is marked.
    pub fn scene(&self, position: &str) -> Result<Scene, Error> {
        let mut scene = match self.opened() {
            Opened::InTurn(game) => {
                let mut scene = game.scene(&read(game, position)?);
                if let Some((before, last)) = last_move(position) {
                    mark_last(game, &before, last, &mut scene)?;
                }
                scene
            }
            Opened::Joint(game) => {
                let mut scene = game.scene(&read_joint(game, position)?);
                if let Some((before, last)) = last_move(position) {
                    mark_last_joint(game, &before, last, &mut scene)?;
                }
                scene
            }
        };
        scene.notes.extend(state_of_play(&self.show(position)?));
        Ok(scene)
    }

    /// A picture of the position behind some moves from a position, the last of them marked.
    pub fn scene_after(&self, position: &str, moves: &[String]) -> Result<Scene, Error> {
        let Some((last, before)) = moves.split_last() else { return self.scene(position) };
        let before = self.after(position, before)?;
        let mut scene = self.scene(&self.after(position, moves)?)?;
        match self.opened() {
            Opened::InTurn(game) => mark_last(game, &before, last, &mut scene)?,
            Opened::Joint(game) => mark_last_joint(game, &before, last, &mut scene)?,
        }
        Ok(scene)
    }

    /// The same with what an answer about the position says: the values of moves, if it has them, or
    /// the line, or how often each player makes which move.
    pub fn scene_with(&self, position: &str, answer: &Answer) -> Result<Scene, Error> {
        let mut scene = self.scene(position)?;
        match (self.opened(), answer) {
            (Opened::InTurn(game), Answer::Turn(answer)) => {
                let s = read(game, position)?;
                match &answer.moves {
                    Some(moves) => mark_values(game, &s, answer, moves, &mut scene),
                    None => {
                        let quality = quality_for(game, &s, answer, answer.winner.as_ref());
                        mark_line(game, &s, &answer.line, quality, &mut scene);
                    }
                }
                scene.notes.extend(answer.value.as_ref().map(|value| {
                    // Of two sides, outcomes have their names for the first one, whoever was asked
                    // about.
                    let max = answer.player.as_deref().filter(|_| own_scores(game));
                    format!("value for {}: {value}", max.unwrap_or(game.players()[0]))
                }));
            }
            (Opened::InTurn(game), Answer::Many(answer)) => {
                let quality = Quality::Neutral;
                mark_line(game, &read(game, position)?, &answer.line, quality, &mut scene);
                let one = |p: &PlayerScore| format!("{} {}", p.player, p.score);
                let scores: Vec<String> = answer.scores.iter().map(one).collect();
                scene.notes.push(format!("by max^n: {}", scores.join(", ")));
            }
            (Opened::InTurn(game), Answer::Formula(answer)) => {
                let quality = match answer.holds {
                    Some(true) => Quality::Good,
                    Some(false) => Quality::Bad,
                    None => Quality::Neutral,
                };
                mark_line(game, &read(game, position)?, &answer.line, quality, &mut scene);
                let holds = answer.holds.map(|holds| if holds { "holds" } else { "does not hold" });
                scene.notes.extend(holds.map(|word| format!("{} {word}", answer.formula)));
            }
            (Opened::Joint(game), Answer::Joint(answer)) => {
                for (player, strategy) in game.players().into_iter().zip(&answer.strategies) {
                    let played = strategy.0.iter().filter(|(_, often)| often != "0");
                    let marks: Vec<MoveMark> = played
                        .map(|(text, often)| MoveMark {
                            player: Some(player.to_owned()),
                            text: text.clone(),
                            label: often.clone(),
                            quality: Quality::Neutral,
                            best: answer.status == Status::Solved,
                        })
                        .collect();
                    scene.mark_moves(&marks);
                }
                let max = game.players()[0];
                let value = answer.value.as_ref();
                scene.notes.extend(value.map(|value| format!("value for {max}: {value}")));
            }
            (Opened::InTurn(_), Answer::Expected(answer)) => {
                let mark = |m: &ExpectedMove| MoveMark {
                    player: None,
                    text: m.text.clone(),
                    label: m.value.clone().unwrap_or_else(|| m.bounds.join(" to ")),
                    quality: Quality::Neutral,
                    best: m.best == Some(true),
                };
                let marks: Vec<MoveMark> = answer.moves.iter().flatten().map(mark).collect();
                scene.mark_moves(&marks);
                let value = answer.value.as_ref();
                scene.notes.extend(value.map(|v| format!("value for {}: {v}", answer.player)));
            }
            // An answer about another game says nothing here.
            _ => {}
        }
        Ok(scene)
    }

    /// A scene of this game as an SVG document.
    pub fn svg(&self, scene: &Scene) -> String {
        picture::svg(scene, &self.name())
    }
}

/// The list of moves before the last one, and that one.
fn last_move(position: &str) -> Option<(String, &str)> {
    let list = position.strip_prefix("moves:").filter(|list| !list.trim().is_empty())?;
    Some(match list.rsplit_once(',') {
        Some((before, last)) => (format!("moves:{before}"), last.trim()),
        None => ("start".to_owned(), list.trim()),
    })
}

fn mark_last(game: &Erased, before: &str, last: &str, scene: &mut Scene) -> Result<(), Error> {
    let s = read(game, before)?;
    let Ok(m) = game.read_move(&s, last) else { return Ok(()) };
    let earlier = game.scene(&s);
    let touched = earlier.touched(None, &game.move_text(&s, m));
    scene.mark_last(&touched.map(|(names, _)| names).unwrap_or_default());
    Ok(())
}

fn mark_last_joint(
    game: &ErasedJoint,
    before: &str,
    last: &str,
    scene: &mut Scene,
) -> Result<(), Error> {
    let s = read_joint(game, before)?;
    let earlier = game.scene(&s);
    for (place, side) in [Side::Max, Side::Min].into_iter().enumerate() {
        // A single word is the move of the only player that had a choice.
        let word = if last.contains('/') { last.split('/').nth(place) } else { Some(last) };
        let Some(Ok(m)) = word.map(|word| game.read_move(&s, side, word.trim())) else { continue };
        let player = game.players()[side.index()];
        let touched = earlier.touched(Some(player), &game.move_text(&s, side, m));
        scene.mark_last(&touched.map(|(names, _)| names).unwrap_or_default());
    }
    Ok(())
}

/// How good it is for who is to move that this player wins, or nobody.
fn quality_for(
    game: &Erased,
    s: &AnyState,
    answer: &TurnAnswer,
    winner: Option<&String>,
) -> Quality {
    let mover = game.turn(s).mover().map(|agent| game.agent_name(agent));
    match (winner, mover) {
        _ if answer.status != Status::Solved => Quality::Neutral,
        (Some(winner), Some(mover)) if winner == mover => Quality::Good,
        (Some(_), _) => Quality::Bad,
        (None, _) => Quality::Even,
    }
}

/// Writes on each move what it is worth. Wins and losses are those of who moves.
fn mark_values(
    game: &Erased,
    s: &AnyState,
    answer: &TurnAnswer,
    moves: &[MoveAnswer],
    scene: &mut Scene,
) {
    let many = own_scores(game);
    let is_plain = many || game.scale().scores().is_some();
    let marks: Vec<MoveMark> = moves
        .iter()
        .map(|m| {
            let quality = match &m.value {
                Some(_) => quality_for(game, s, answer, m.winner.as_ref()),
                None => Quality::Neutral,
            };
            let label = match (&m.value, quality) {
                (None, _) => "?",
                (Some(value), _) if is_plain => value.as_str(),
                (Some(_), Quality::Good) => "win",
                (Some(_), Quality::Bad) => "loss",
                (Some(value), _) => value.as_str(),
            };
            MoveMark {
                player: None,
                text: m.text.clone(),
                label: label.to_owned(),
                quality,
                best: m.best == Some(true),
            }
        })
        .collect();
    scene.mark_moves(&marks);
    if many {
        let max = answer.player.as_deref().unwrap_or(game.players()[0]);
        scene.notes.push(format!("values of moves: for {max}, against all others"));
    } else if let (Turn::Agent(agent), false) = (game.turn(s), is_plain) {
        scene.notes.push(format!("values of moves: for {}", game.agent_name(agent)));
    }
}

/// Marks the moves of a line: the first one by its colour, the others by their numbers.
fn mark_line(
    game: &Erased,
    start: &AnyState,
    line: &[String],
    quality: Quality,
    scene: &mut Scene,
) {
    let mut s = start.clone();
    let mut marked: Vec<String> = Vec::new();
    for (number, text) in line.iter().take(MOST_MARKED).enumerate() {
        let (Some(agent), Ok(m)) = (game.turn(&s).mover(), game.read_move(&s, text)) else {
            return;
        };
        let here = game.scene(&s);
        let (names, travels) = here.touched(None, text).unwrap_or_default();
        // What lies over an earlier mark says nothing any more, and many arrows say nothing at all.
        let end = names.first();
        let fresh = end.is_some_and(|name| !marked.iter().any(|m| m == name));
        if number == 0 || (travels && number < MOST_ARROWS) || (!travels && fresh) {
            let mark = MoveMark {
                player: None,
                text: text.clone(),
                label: (number + 1).to_string(),
                quality: if number == 0 { quality } else { Quality::Neutral },
                best: number == 0 && quality != Quality::Neutral,
            };
            scene.mark_move(&mark, &names, travels);
        }
        marked.extend(end.map(|&name| name.to_owned()));
        game.play(&mut s, agent, m);
    }
}

/// Who is to move, or how it ended.
fn state_of_play(shown: &Shown) -> Option<String> {
    match shown.ended() {
        Some(end) => Some(format!("over: {end}")),
        None => shown.to_move.as_ref().map(|mover| format!("{} to move", called(mover))),
    }
}
