//! A game whose guide hides good moves: searches that listen to it contradict those that do not.

use foregone::model::{Agent, Game, Guide, Notation, Outcome, TextError, Turn};
use foregone::{Entry, Opened};

/// Take one or two from a pile; who takes the last one wins. Its guide shows one move only.
pub(crate) struct Liar;

/// How it is listed.
pub(crate) fn liar() -> Entry {
    Entry::in_turn("liar", "", "Take one or two; the last one wins", |options| {
        options.none()?;
        Ok(Opened::in_turn(Liar))
    })
}

impl Game for Liar {
    /// How many are left, and who is to move.
    type State = (u8, u8);
    type Move = u8;

    fn start(&self) -> (u8, u8) {
        (2, 0)
    }

    fn turn(&self, s: &(u8, u8)) -> Turn {
        if s.0 == 0 { Turn::Over } else { Turn::Agent(Agent(s.1)) }
    }

    fn moves(&self, s: &(u8, u8), _: Agent, out: &mut Vec<u8>) {
        out.extend(1..=s.0.min(2));
    }

    fn play(&self, s: &mut (u8, u8), agent: Agent, m: u8) {
        *s = (s.0 - m, 1 - agent.0);
    }

    fn outcome(&self, s: &(u8, u8)) -> Outcome {
        if s.1 == 1 { Outcome::WIN } else { Outcome::LOSS }
    }
}

impl Guide for Liar {
    type Packed = (u8, u8);

    fn pack(&self, s: &(u8, u8)) -> (u8, u8) {
        *s
    }

    fn promising(&self, _: &(u8, u8), _: Agent, out: &mut Vec<u8>) {
        out.push(1);
    }
}

impl Notation for Liar {
    fn name(&self) -> String {
        "liar".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        ["first", "second"]
    }

    fn write_move(&self, _: &(u8, u8), m: u8, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _: &(u8, u8), text: &str) -> Option<u8> {
        text.parse().ok().filter(|m: &u8| m.to_string() == text)
    }

    fn write_position(&self, s: &(u8, u8), out: &mut String) {
        out.push_str(&format!("{},{}", s.0, s.1));
    }

    fn read_position(&self, text: &str) -> Result<(u8, u8), TextError> {
        let parts = text.split_once(',');
        let state = parts.and_then(|(pile, turn)| Some((pile.parse().ok()?, turn.parse().ok()?)));
        let fits = |s: &(u8, u8)| s.0 <= 9 && s.1 <= 1;
        state.filter(fits).ok_or_else(|| TextError::new("not like 2,0", 0..text.len()))
    }
}
