//! Best reply: a game of many players as one of two sides.
//!
//! After M. Schadd and M. Winands, *Best Reply Search for Multiplayer Games* (2011). One player, here
//! called the hero, moves, and then all others together make one move, whichever of theirs they
//! like; the rest of them pass. That is another game, in which the hero moves as often as all others
//! together, and what is true of it need not be true of the game itself. So it has a name of its own,
//! `best-reply:GAME` or `best-reply:GAME,for=PLAYER`, and its certificates speak of that game.
//!
//! Only games in which any player can be asked to move at any time ([`OffTurn::Moves`]) can be seen
//! this way.

use foregone_model::stored::Stored;
use foregone_model::{
    Agent, Endless, Game, Guide, Notation, OffTurn, Outcome, Rules, Scale, Scene, TextError, Turn,
    Viewpoint,
};

use crate::erased::{AnyMove, AnyState, Erased};
use crate::files::Files;
use crate::registry::{Entry, GameError, Opened, open_among};

/// What stands before the name of a game that is seen this way.
pub const PREFIX: &str = "best-reply:";

/// What names the hero, behind the game.
const FOR: &str = ",for=";

/// What stands between the position of the game and who is to move.
const TO_MOVE: &str = "; ";

/// The side of all but the hero.
const OTHERS: &str = "others";

/// The hero and the side of all others, as agents.
const HERO: Agent = Agent::FIRST;
const REST: Agent = Agent(1);

/// A game of many players, seen as one of two sides.
#[derive(Clone, Debug)]
pub struct BestReply {
    game: Erased,
    hero: Agent,
    view: Viewpoint,
    /// The outcomes as they rank for the hero.
    scale: Scale,
}

/// A position of the game, and whether the others are to reply.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    inner: AnyState,
    replies: bool,
}

/// Whose move it is, and the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(Agent, AnyMove);

/// The name of the game that a spec wants to see this way.
pub(crate) fn inner_spec(spec: &str) -> Option<&str> {
    let rest = spec.strip_prefix(PREFIX)?;
    Some(rest.rsplit_once(FOR).map_or(rest, |(game, _)| game))
}

/// Opens `best-reply:GAME` or `best-reply:GAME,for=PLAYER`.
pub(crate) fn open(games: &[Entry], files: &Files, spec: &str) -> Result<Opened, GameError> {
    let wrong = |e: TextError| GameError::Spec(e.shifted(PREFIX.len()));
    let rest = &spec[PREFIX.len()..];
    let (inner, hero) = match rest.rsplit_once(FOR) {
        Some((game, hero)) => (game, Some(hero)),
        None => (rest, None),
    };
    let opened = open_among(games, files, inner).map_err(|error| match error {
        GameError::Spec(e) => wrong(e),
        other => other,
    })?;
    let game = opened.require_in_turn(inner).map_err(|error| match error {
        GameError::Spec(e) => wrong(e),
        other => other,
    })?;
    let names: Vec<String> =
        (0..game.agents()).map(|a| game.agent_name(Agent(a)).to_owned()).collect();
    let agent = match hero {
        None => Some(0),
        Some(hero) => names.iter().position(|name| name == hero),
    };
    let Some(agent) = agent else {
        let hero = hero.unwrap_or_default();
        let message = format!("`{hero}` does not play {}", game.name());
        let error = TextError::new(message, rest.len() - hero.len()..rest.len());
        return Err(wrong(error.with_choices(names)));
    };
    let found = BestReply::new(game, Agent(agent as u8));
    let found = found.map_err(|message| wrong(TextError::new(message, 0..inner.len())))?;
    Ok(Opened::pictured(found, BestReply::scene))
}

impl BestReply {
    /// The game as it is for this player. The error says why it cannot be seen this way.
    pub fn new(game: Erased, hero: Agent) -> Result<BestReply, String> {
        let name = game.name();
        if game.off_turn() == OffTurn::Passes || game.has_chance() || game.one_player() {
            return Err(format!(
                "best-reply lets any of the others move in each round, and in {name} players move \
                 only when it is their turn"
            ));
        }
        let view = Viewpoint::new(&game, hero);
        let mut scores: Vec<i64> =
            (0..=game.scale().best().0).map(|o| game.score(Outcome(o), hero)).collect();
        scores.sort_unstable();
        scores.dedup();
        let scale = match scores.len() {
            0 | 1 => return Err(format!("all outcomes of {name} are the same to this player")),
            2 => Scale::two(),
            3 => Scale::three(),
            _ => Scale::numbers(scores),
        };
        Ok(BestReply { game, hero, view, scale })
    }

    /// The position in which this one of the game itself is looked at.
    pub fn at(&self, inner: AnyState) -> State {
        let replies = self.game.turn(&inner) != Turn::Agent(self.hero);
        State { inner, replies }
    }

    fn scene(&self, s: &State) -> Scene {
        self.game.scene(&s.inner)
    }

    /// All but the hero.
    fn rest(&self) -> impl Iterator<Item = Agent> {
        let hero = self.hero;
        (0..self.game.agents()).map(Agent).filter(move |&agent| agent != hero)
    }
}

impl Game for BestReply {
    type State = State;
    type Move = Move;

    fn scale(&self) -> Scale {
        self.scale.clone()
    }

    fn endless(&self) -> Endless {
        self.view.endless(self.game.endless())
    }

    fn endless_from(&self, s: &State) -> Endless {
        self.view.endless(self.game.endless_from(&s.inner))
    }

    fn start(&self) -> State {
        self.at(self.game.start())
    }

    fn turn(&self, s: &State) -> Turn {
        match self.game.turn(&s.inner) {
            Turn::Over => Turn::Over,
            Turn::Chance => Turn::Chance,
            Turn::Agent(_) => Turn::Agent(if s.replies { REST } else { HERO }),
        }
    }

    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<Move>) {
        let mut own = Vec::new();
        let mut add = |agent: Agent| {
            own.clear();
            self.game.moves(&s.inner, agent, &mut own);
            out.extend(own.iter().map(|&m| Move(agent, m)));
        };
        match agent {
            HERO => add(self.hero),
            _ => self.rest().for_each(add),
        }
    }

    fn play(&self, s: &mut State, _agent: Agent, Move(agent, m): Move) {
        self.game.play(&mut s.inner, agent, m);
        s.replies = agent == self.hero;
    }

    fn outcome(&self, s: &State) -> Outcome {
        self.view.rank(self.game.outcome(&s.inner))
    }

    fn rules_violation(&self) -> Option<String> {
        self.game.rules_violation()
    }
}

impl Guide for BestReply {
    type Packed = State;

    const PACKS_TURN: bool = true;

    fn pack(&self, s: &State) -> State {
        s.clone()
    }

    fn stores(&self) -> bool {
        self.game.stores()
    }

    fn store_state(&self, s: &State, out: &mut Vec<u8>) {
        self.game.store_state(&s.inner, out);
        s.replies.store(out);
    }

    fn restore_state(&self, from: &mut &[u8]) -> Option<State> {
        let inner = self.game.restore_state(from)?;
        Some(State { inner, replies: bool::restore(from)? })
    }

    fn store_move(&self, Move(agent, m): Move, out: &mut Vec<u8>) {
        agent.store(out);
        self.game.store_move(m, out);
    }

    fn restore_move(&self, from: &mut &[u8]) -> Option<Move> {
        let agent = Agent::restore(from)?;
        Some(Move(agent, self.game.restore_move(from)?))
    }

    fn store_packed(&self, p: &State, out: &mut Vec<u8>) {
        self.store_state(p, out);
    }

    fn restore_packed(&self, from: &mut &[u8]) -> Option<State> {
        self.restore_state(from)
    }
}

impl Notation for BestReply {
    fn name(&self) -> String {
        let name = self.game.name();
        match self.hero {
            Agent::FIRST => format!("{PREFIX}{name}"),
            hero => format!("{PREFIX}{name}{FOR}{}", self.game.agent_name(hero)),
        }
    }

    fn players(&self) -> [&str; 2] {
        [self.game.agent_name(self.hero), OTHERS]
    }

    /// The others' moves say whose they are: `green.d4c3`.
    fn write_move(&self, s: &State, Move(agent, m): Move, out: &mut String) {
        if agent != self.hero {
            out.push_str(self.game.agent_name(agent));
            out.push('.');
        }
        self.game.write_move_of(&s.inner, agent, m, out);
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<Move> {
        if !s.replies {
            let m = self.game.parse_move_of(&s.inner, self.hero, text)?;
            return Some(Move(self.hero, m));
        }
        self.rest().find_map(|agent| {
            let text = text.strip_prefix(self.game.agent_name(agent))?.strip_prefix('.')?;
            Some(Move(agent, self.game.parse_move_of(&s.inner, agent, text)?))
        })
    }

    fn write_position(&self, s: &State, out: &mut String) {
        self.game.write_position(&s.inner, out);
        out.push_str(TO_MOVE);
        out.push_str(self.players()[usize::from(s.replies)]);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let Some((place, mover)) = text.rsplit_once(TO_MOVE) else {
            return Ok(self.at(self.game.read_position(text)?));
        };
        let players = self.players();
        let Some(side) = players.iter().position(|name| *name == mover) else {
            let message = format!("`{mover}` is neither {} nor {}", players[0], players[1]);
            return Err(TextError::new(message, text.len() - mover.len()..text.len()));
        };
        Ok(State { inner: self.game.read_position(place)?, replies: side == 1 })
    }

    fn draw(&self, s: &State) -> String {
        self.game.draw(&s.inner)
    }

    fn rules(&self) -> Rules {
        self.game.rules()
    }

    fn independent_rules(&self) -> Option<BestReply> {
        let game = self.game.independent_rules()?;
        Some(BestReply { game, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Typed;

    use super::*;
    use crate::registry::GAMES;

    fn opened(spec: &str) -> Result<Erased, GameError> {
        open_among(GAMES, &Files::from_memory::<&str, &str>([]), spec)?.require_in_turn(spec)
    }

    #[test]
    fn one_of_the_others_moves_in_each_round() {
        let game = opened("best-reply:chinese-checkers:1,3").unwrap();
        assert_eq!(game.name(), "best-reply:chinese-checkers:1,3");
        assert_eq!(game.players(), ["red", "others"]);
        assert_eq!(game.scale().names().collect::<Vec<_>>(), ["loss", "draw", "win"]);
        assert_eq!(game.endless(), Endless::Scores(Outcome(1)));
        let mut s = game.start();
        let texts = |s: &AnyState| {
            let mut moves = Vec::new();
            let Turn::Agent(agent) = game.turn(s) else { panic!("{s:?}") };
            game.moves(s, agent, &mut moves);
            moves.iter().map(|&m| game.move_text(s, m)).collect::<Vec<_>>()
        };
        assert_eq!(texts(&s), ["a1b2", "a1c2"]);
        // Either of the others, and then the hero again.
        for (text, mover) in [("a1b2", 0), ("blue.a4a3", 1), ("b2b3", 0), ("green.d4c4", 1)] {
            assert_eq!(game.turn(&s), Turn::Agent(Agent(mover)), "{text}");
            assert!(texts(&s).contains(&text.to_owned()), "{text}: {:?}", texts(&s));
            let m = game.read_move(&s, text).unwrap();
            game.play(&mut s, Agent(mover), m);
            let written = game.position_text(&s);
            assert_eq!(game.read_position(&written).as_ref(), Ok(&s), "{written}");
        }
        let replies = game.read_position("r/..../.../b..g/. red; others").unwrap();
        let names = texts(&replies);
        assert!(names.iter().any(|t| t.starts_with("green.")), "{names:?}");
        assert!(names.iter().any(|t| t.starts_with("blue.")), "{names:?}");
        assert!(game.read_position("r/..../.../b..g/. red; green").is_err());
    }

    #[test]
    fn any_player_can_be_the_hero_of_a_game_that_takes_it() {
        let game = opened("best-reply:chinese-checkers:1,3,for=green").unwrap();
        assert_eq!(game.name(), "best-reply:chinese-checkers:1,3,for=green");
        assert_eq!(game.turn(&game.start()), Turn::Agent(Agent(1)));
        assert_eq!(opened(&game.name()).unwrap().name(), game.name());
        for (spec, said, at) in [
            ("best-reply:chinese-checkers:1,3,for=pink", "does not play", 36..40),
            ("best-reply:nim:1,2", "only when it is their turn", 11..18),
            ("best-reply:nimm", "no game called", 11..15),
            ("best-reply:goofspiel:3", "at the same time", 11..22),
        ] {
            match opened(spec) {
                Err(GameError::Spec(e)) => {
                    assert!(e.message.contains(said), "{spec}: {e}");
                    assert_eq!(e.span, at, "{spec}");
                }
                other => panic!("{spec}: {other:?}"),
            }
        }
    }
}
