//! Values of games under normal play, as games: `value:{1|-1}`.
//!
//! One moves from a value to one of its options (J. H. Conway, *On Numbers and Games*, 1976). Alone this is
//! no game to play, but a sum may hold it: who wins `domineering:4x4 + -1/2` says how much the board is worth.

use foregone_model::scene::Paint;
use foregone_model::stored::Stored;
use foregone_model::sums::Value;
use foregone_model::{
    Agent, Game, Guide, NormalPlay, Notation, Outcome, Scene, Side, Summand, TextError, Turn,
};

use crate::board::read_mover;
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "value",
    "VALUE ({1|-1})",
    "Move to an option of the value; a player who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let value = match options.text() {
        None => Value::of(vec![one(1)], vec![one(-1)]),
        Some(text) => read(text).map_err(|e| options.error_about(text, e.message))?,
    };
    Ok(Opened::normal_play(Written { value }, Written::scene))
}

fn one(n: i64) -> Value {
    Value::Number(n, 0)
}

/// Reads a value. The error is about all of it.
pub(crate) fn read(text: &str) -> Result<Value, TextError> {
    Value::read(text).ok_or_else(|| {
        let form =
            "a number like `-3/4`, a heap of nim like `*2`, or options like `{1,*|0,{0|-1}}`";
        TextError::new(format!("`{text}` is not a value, expected {form}"), 0..text.len())
    })
}

/// A value that one plays in.
#[derive(Clone, Debug)]
pub struct Written {
    value: Value,
}

/// The beginning of a text that is too long for a picture.
fn shortened(text: &str) -> String {
    const MOST: usize = 18;
    match text.len() > MOST {
        true => format!("{}…", &text[..MOST - 1]),
        false => text.to_owned(),
    }
}

/// What is left of it, and who is to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    value: Value,
    turn: Side,
}

const PLAYERS: [&str; 2] = ["left", "right"];

impl State {
    /// What is left.
    pub fn value(&self) -> &Value {
        &self.value
    }
}

impl Written {
    /// The game that begins with this value.
    pub fn new(value: Value) -> Written {
        Written { value }
    }

    /// The value in the middle, the options of Left and of Right beside it.
    pub(crate) fn scene(&self, s: &State) -> Scene {
        const SIZE: [f64; 2] = [5.0, 0.9];
        const ACROSS: f64 = 5.6;
        let mut scene = Scene::new();
        let mut place = |name: String, at: [f64; 2], value: &Value, paint| {
            scene.label(at, shortened(&value.to_string()), 0.4, Paint::Ink);
            scene.rectangle(name, at, SIZE, paint)
        };
        place("value".to_owned(), [0.0, 0.0], &s.value, Paint::Plain);
        let mut own = Vec::new();
        for (side, x) in [(Side::Max, -ACROSS), (Side::Min, ACROSS)] {
            for (i, option) in s.value.options(side).iter().enumerate() {
                let name = format!("{} {}", PLAYERS[side.index()], i + 1);
                let cell = place(name, [x, i as f64 * 1.1], option, Paint::Plain);
                if side == s.turn {
                    own.push((i, cell));
                }
            }
        }
        for (i, cell) in own {
            scene.touch(PLAYERS[s.turn.index()], (i + 1).to_string(), [cell], false);
        }
        scene
    }
}

impl Game for Written {
    type State = State;
    /// The number of the option, from 0.
    type Move = u32;

    fn start(&self) -> State {
        State { value: self.value.clone(), turn: Side::Max }
    }

    fn turn(&self, s: &State) -> Turn {
        match s.value.options(s.turn).is_empty() {
            true => Turn::Over,
            false => Turn::Agent(s.turn.agent()),
        }
    }

    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<u32>) {
        out.extend(0..s.value.options(Side::of(agent)).len() as u32);
    }

    fn play(&self, s: &mut State, agent: Agent, m: u32) {
        let side = Side::of(agent);
        let options = s.value.options(side);
        *s = State { value: options[m as usize].clone(), turn: side.other() };
    }

    fn outcome(&self, s: &State) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl Guide for Written {
    type Packed = State;

    const PACKS_TURN: bool = true;

    fn pack(&self, s: &State) -> State {
        s.clone()
    }

    fn stores(&self) -> bool {
        true
    }

    fn store_state(&self, s: &State, out: &mut Vec<u8>) {
        let text = s.value.to_string();
        (text.len() as u32).store(out);
        out.extend_from_slice(text.as_bytes());
        s.turn.store(out);
    }

    fn restore_state(&self, from: &mut &[u8]) -> Option<State> {
        let length = u32::restore(from)? as usize;
        let (text, rest) = from.split_at_checked(length)?;
        *from = rest;
        let value = Value::read(std::str::from_utf8(text).ok()?)?;
        Some(State { value, turn: Side::restore(from)? })
    }

    fn store_move(&self, m: u32, out: &mut Vec<u8>) {
        m.store(out);
    }

    fn restore_move(&self, from: &mut &[u8]) -> Option<u32> {
        u32::restore(from)
    }

    fn store_packed(&self, p: &State, out: &mut Vec<u8>) {
        self.store_state(p, out);
    }

    fn restore_packed(&self, from: &mut &[u8]) -> Option<State> {
        self.restore_state(from)
    }
}

impl Notation for Written {
    fn name(&self) -> String {
        format!("value:{}", self.value)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// The number of the option, from 1: numbers stand first, then heaps.
    fn write_move(&self, _s: &State, m: u32, out: &mut String) {
        out.push_str(&(m + 1).to_string());
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<u32> {
        let plain = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
        let m = if plain { text.parse::<u32>().ok()?.checked_sub(1)? } else { return None };
        ((m as usize) < s.value.options(s.turn).len()).then_some(m)
    }

    fn parse_move_of(&self, s: &State, agent: Agent, text: &str) -> Option<u32> {
        self.parse_move(&NormalPlay::with_turn(self, s, Side::of(agent)), text)
    }

    fn write_position(&self, s: &State, out: &mut String) {
        out.push_str(&format!("{} {}", s.value, PLAYERS[s.turn.index()]));
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (value, turn) = read_mover(text, &PLAYERS)?;
        Ok(State { value: read(value)?, turn: [Side::Max, Side::Min][turn] })
    }

    fn draw(&self, s: &State) -> String {
        format!("{}\n", s.value)
    }

    fn summand(&self) -> Option<&dyn Summand<State>> {
        Some(self)
    }
}

impl NormalPlay for Written {
    fn with_turn(&self, s: &State, side: Side) -> State {
        State { value: s.value.clone(), turn: side }
    }

    fn split(&self, s: &State, out: &mut Vec<State>) {
        let nobody = [Side::Max, Side::Min].iter().all(|&side| s.value.options(side).is_empty());
        if !nobody {
            out.push(State { value: s.value.clone(), turn: Side::Max });
        }
    }

    fn negative(&self, part: &State) -> Option<State> {
        Some(State { value: part.value.negative(), turn: Side::Max })
    }
}
