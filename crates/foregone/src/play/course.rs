//! A play while it goes on: its moves, where it stands, and the way back.

use foregone_games::erased::{AnyMove, AnyState, Erased};
use foregone_model::guide::draw;
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Rng, Turn, Typed, Viewpoint};

use super::seat::Known;
use crate::error::{Error, suggest};
use crate::scale::Ranking;

/// A play of a game.
#[derive(Clone, Debug)]
pub struct Course {
    game: Erased,
    /// Where it began, and where each move led.
    states: Vec<AnyState>,
    made: Vec<Made>,
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// By whom; [`Agent::CHANCE`] for what happened.
    pub agent: Agent,
    /// Its number in the order of the rules.
    pub number: usize,
    /// Its text.
    pub text: String,
    /// As people who know the game write it, where that is something else.
    pub usual: Option<String>,
}

impl Course {
    /// A play from a position: the game's own text, `start`, or `moves:a1,b2,…`.
    pub fn new(game: Erased, position: &str) -> Result<Course, Error> {
        let start = crate::game::read(&game, position)?;
        Ok(Course { game, states: vec![start], made: Vec::new() })
    }

    /// The game.
    pub fn game(&self) -> &Erased {
        &self.game
    }

    /// Where it began.
    pub fn start(&self) -> &AnyState {
        &self.states[0]
    }

    /// Where it stands.
    pub fn state(&self) -> &AnyState {
        &self.states[self.made.len()]
    }

    /// The moves so far.
    pub fn made(&self) -> &[Made] {
        &self.made
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Turn {
        self.game.turn(self.state())
    }

    /// The outcome, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        (self.turn() == Turn::Over).then(|| self.game.outcome(self.state()))
    }

    /// What the outcome is called and who won, if it is over.
    pub fn end(&self) -> Option<Known> {
        let outcome = self.outcome()?;
        let ranking = Ranking::new(&self.game, Agent::FIRST);
        let rank = Viewpoint::new(&self.game, Agent::FIRST).rank(outcome);
        Some(Known {
            value: Some(ranking.name(rank)),
            winner: ranking.winner(&self.game, (rank, rank)),
        })
    }

    fn legal(&self) -> (Option<Agent>, Vec<AnyMove>) {
        let mut moves = Vec::new();
        let mover = self.turn().mover();
        if let Some(agent) = mover {
            self.game.moves(self.state(), agent, &mut moves);
        }
        (mover, moves)
    }

    /// The texts of the moves here, in the order of the rules.
    pub fn moves(&self) -> Vec<String> {
        let texts = self.legal().1.into_iter();
        texts.map(|m| self.game.move_text(self.state(), m)).collect()
    }

    /// The move of a number as people who know the game write it.
    pub fn usual_text(&self, number: usize) -> String {
        let (mover, moves) = self.legal();
        let usual =
            mover.and_then(|agent| self.game.usual_text(self.state(), agent, moves[number]));
        usual.unwrap_or_else(|| self.game.move_text(self.state(), moves[number]))
    }

    /// The number of the move that a person means.
    pub fn read(&self, text: &str) -> Result<usize, Error> {
        let moves = self.legal().1;
        // Who knows the game may write its moves as such people do.
        let usual = (0..moves.len()).find(|&n| self.usual_text(n) == text);
        if let Some(number) = usual {
            return Ok(number);
        }
        match self.game.read_move(self.state(), text) {
            Ok(m) => moves
                .iter()
                .position(|&other| other == m)
                .ok_or_else(|| Error::input(format!("`{text}` is not a move here"))),
            Err(error) => {
                let help = suggest(text, &error.choices).unwrap_or_default();
                Err(Error::input(error.message).help(help))
            }
        }
    }

    /// Makes the move of a number. False if there is none.
    pub fn play(&mut self, number: usize) -> bool {
        let (Some(agent), moves) = self.legal() else { return false };
        let Some(&m) = moves.get(number) else { return false };
        let text = self.game.move_text(self.state(), m);
        let usual = match agent {
            Agent::CHANCE => None,
            _ => self.game.usual_text(self.state(), agent, m),
        };
        let mut next = self.state().clone();
        self.game.play(&mut next, agent, m);
        self.states.push(next);
        self.made.push(Made { agent, number, text, usual });
        true
    }

    /// What chance does here, by its weights.
    pub fn draw(&self, rng: &mut Rng) -> Option<usize> {
        let moves = match self.turn() {
            Turn::Chance => self.legal().1,
            Turn::Agent(_) | Turn::Over => return None,
        };
        let drawn = draw(&self.game, self.state(), &moves, rng);
        moves.iter().position(|&m| m == drawn)
    }

    /// Takes the last move back. False if there is none.
    pub fn undo(&mut self) -> bool {
        if self.made.pop().is_none() {
            return false;
        }
        self.states.pop();
        true
    }
}
