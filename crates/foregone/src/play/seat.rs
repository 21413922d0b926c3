//! Seats: players that sit in a play, hear of its moves and choose.

use std::time::Duration;

use foregone_games::erased::{AnyState, Erased};
use foregone_games::registry::Opened;
use foregone_model::{Agent, Game, Notation, Rng};
use serde::{Deserialize, Serialize};

use super::player::{Player, Thinker};
use super::prove::SearchSeat;
use super::think;
use crate::error::Error;
use crate::game::AnyGame;
use crate::observe::Context;

/// What may be used for one move. With nothing said a search that proves goes on until it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MoveBudget {
    /// Time.
    #[serde(with = "crate::job::seconds")]
    pub time: Option<Duration>,
    /// Random plays; nodes, where nothing is played at random.
    pub playouts: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Bytes that may be held.
    pub memory: Option<u64>,
}

/// What a player chose, and what it knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The move, by its number in the order of the rules.
    pub number: usize,
    /// What a proof that was checked says of the position before it.
    pub known: Option<Known>,
    /// What share of the points the mover expects, from 0 to 1, where the player has an opinion.
    pub expects: Option<f64>,
    /// Random plays that it took.
    pub playouts: u64,
    /// Nodes that it took.
    pub nodes: u64,
}

impl Choice {
    /// A choice without a reason.
    pub fn of(number: usize) -> Choice {
        Choice { number, known: None, expects: None, playouts: 0, nodes: 0 }
    }
}

/// What is proved of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// The outcome with best play, in the words of the game, if more is proved than who wins.
    pub value: Option<String>,
    /// Who wins, if somebody does.
    pub winner: Option<String>,
}

/// A player in a play. It is at the position where the play stands.
pub trait Seat: Send {
    /// Chooses a move for whoever is to move.
    fn choose(&mut self, budget: &MoveBudget, context: &mut Context<'_>) -> Result<Choice, Error>;

    /// Somebody, or chance, made the move of this number.
    fn follow(&mut self, number: usize);
}

/// How players take their seats: in a game, at a position, with a seed.
pub type Seating<'a> = dyn for<'g> Fn(&Player, &'g Erased, &AnyState, u64) -> Result<Box<dyn Seat + 'g>, Error>
    + Sync
    + 'a;

/// Seats a player of this library.
pub fn sit<'g>(
    player: &Player,
    game: &'g Erased,
    start: &AnyState,
    seed: u64,
) -> Result<Box<dyn Seat + 'g>, Error> {
    match player {
        Player::Random => Ok(Box::new(RandomSeat::new(game, start, seed))),
        Player::Default => think::seat(&Thinker::strongest(game), game, start, seed),
        Player::Thinker(thinker) => think::seat(thinker, game, start, seed),
        Player::Search(_) if game.has_chance() => Err(Error::input(format!(
            "`{player}` does not take chance, and {} has it",
            game.name()
        ))),
        Player::Search(search) => Ok(Box::new(SearchSeat::new(search, game, start, seed))),
        Player::Ggp(address) => Err(Error::input(format!(
            "the player at {address} is on a network, and there is none here"
        ))),
    }
}

/// The game, if it is one that players can play here.
pub fn in_turn(game: &AnyGame) -> Result<&Erased, Error> {
    match game.opened() {
        Opened::InTurn(game) => Ok(game),
        Opened::Joint(game) => {
            use foregone_model::JointNotation;
            Err(Error::input(format!(
                "in {} both players move at the same time: playing is for games in turn",
                game.name()
            )))
        }
    }
}

/// Where a play stands, for a seat.
pub(super) struct Place<'g> {
    pub(super) game: &'g Erased,
    pub(super) state: AnyState,
    /// Moves since the seat was taken.
    pub(super) plies: u64,
}

impl<'g> Place<'g> {
    pub(super) fn new(game: &'g Erased, start: &AnyState) -> Place<'g> {
        Place { game, state: start.clone(), plies: 0 }
    }

    /// The moves here, and whose they are.
    pub(super) fn moves(&self) -> (Option<Agent>, Vec<<Erased as Game>::Move>) {
        let mut moves = Vec::new();
        let mover = self.game.turn(&self.state).mover();
        if let Some(agent) = mover {
            self.game.moves(&self.state, agent, &mut moves);
        }
        (mover, moves)
    }

    pub(super) fn follow(&mut self, number: usize) {
        if let (Some(agent), moves) = self.moves() {
            self.game.play(&mut self.state, agent, moves[number]);
            self.plies += 1;
        }
    }
}

/// Plays at random.
struct RandomSeat<'g> {
    place: Place<'g>,
    rng: Rng,
}

impl<'g> RandomSeat<'g> {
    fn new(game: &'g Erased, start: &AnyState, seed: u64) -> RandomSeat<'g> {
        RandomSeat { place: Place::new(game, start), rng: Rng::new(seed) }
    }
}

impl Seat for RandomSeat<'_> {
    fn choose(
        &mut self,
        _budget: &MoveBudget,
        _context: &mut Context<'_>,
    ) -> Result<Choice, Error> {
        let count = self.place.moves().1.len() as u32;
        Ok(Choice::of(self.rng.below(count) as usize))
    }

    fn follow(&mut self, number: usize) {
        self.place.follow(number);
    }
}
