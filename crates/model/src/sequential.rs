//! A game in which players move in turn, as one in which they move at the same time: who is not on
//! turn has one move, to wait (*Solving Games and All That*, section 5.1.2: stacked-matrix games
//! are a super-class of the multi-outcome games of chapter 3).
//!
//! Searches of joint moves run on it. A proof of what they find is one of the game itself: in a
//! game in turn strategies need no mixing.

use foregone_proof::{
    Endless, Game, Joint, JointNotation, Notation, Outcome, Ratio, Rules, Side, TextError, Turn,
};

/// A game of two players whose plays end, seen as one with joint moves.
#[derive(Clone, Debug)]
pub struct Sequential<G> {
    game: G,
    /// What each outcome is worth.
    worth: Vec<i64>,
}

/// The text of the only move of who is not on turn.
const WAITS: &str = "-";

impl<G: Game> Sequential<G> {
    /// The same game, unless positions can come up again in it, it has chance, or its players are
    /// not two.
    pub fn new(game: G) -> Option<Sequential<G>> {
        if game.endless() != Endless::Impossible || game.agents() != 2 || game.has_chance() {
            return None;
        }
        let scale = game.scale();
        let best = i64::from(scale.best().0);
        // Scores are worth what they say; otherwise a loss is as bad as a win is good.
        let worth = scale.scores().map(<[i64]>::to_vec).unwrap_or_else(|| match best {
            1 => vec![-1, 1],
            2 => vec![-1, 0, 1],
            _ => (0..=best).collect(),
        });
        Some(Sequential { game, worth })
    }

    /// The game itself.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The outcome that is worth so much.
    pub fn outcome_worth(&self, payoff: &Ratio) -> Option<Outcome> {
        let place = self.worth.iter().position(|&worth| Ratio::from(worth) == *payoff)?;
        Some(Outcome(place as u16))
    }
}

impl<G: Game> Joint for Sequential<G> {
    type State = G::State;
    type Move = Option<G::Move>;

    fn range(&self) -> (i64, i64) {
        let worth = self.worth.iter().copied();
        (worth.clone().min().unwrap_or(0), worth.max().unwrap_or(0))
    }

    fn start(&self) -> G::State {
        self.game.start()
    }

    fn payoff(&self, s: &G::State) -> Option<i64> {
        match self.game.turn(s) {
            Turn::Over => {
                let Outcome(at) = self.game.outcome(s);
                Some(self.worth[usize::from(at)])
            }
            Turn::Agent(_) => None,
            Turn::Chance => panic!("chance is to move, in a game that says it has none"),
        }
    }

    fn moves(&self, s: &G::State, side: Side, out: &mut Vec<Option<G::Move>>) {
        if self.game.turn(s) == Turn::Agent(side.agent()) {
            let mut moves = Vec::new();
            self.game.moves(s, side.agent(), &mut moves);
            out.extend(moves.into_iter().map(Some));
        } else {
            out.push(None);
        }
    }

    fn play(&self, s: &mut G::State, max: Option<G::Move>, min: Option<G::Move>) {
        if let Some(m) = max {
            self.game.play(s, Side::Max.agent(), m);
        } else if let Some(m) = min {
            self.game.play(s, Side::Min.agent(), m);
        }
    }

    fn rules_violation(&self) -> Option<String> {
        self.game.rules_violation()
    }
}

impl<G: Notation> JointNotation for Sequential<G> {
    fn name(&self) -> String {
        self.game.name()
    }

    fn players(&self) -> [&str; 2] {
        self.game.players()
    }

    fn write_move(&self, s: &G::State, _side: Side, m: Option<G::Move>, out: &mut String) {
        match m {
            Some(m) => self.game.write_move(s, m, out),
            None => out.push_str(WAITS),
        }
    }

    fn parse_move(&self, s: &G::State, side: Side, text: &str) -> Option<Option<G::Move>> {
        match self.game.turn(s) == Turn::Agent(side.agent()) {
            true => self.game.parse_move(s, text).map(Some),
            false => (text == WAITS).then_some(None),
        }
    }

    fn write_position(&self, s: &G::State, out: &mut String) {
        self.game.write_position(s, out);
    }

    fn read_position(&self, text: &str) -> Result<G::State, TextError> {
        self.game.read_position(text)
    }

    fn draw(&self, s: &G::State) -> String {
        self.game.draw(s)
    }

    fn rules(&self) -> Rules {
        self.game.rules()
    }
}
