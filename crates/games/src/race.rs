//! The race to a number (C. G. Bachet de Méziriac, 1612).
//!
//! Both add 1 up to the largest step to a common total, in turn. Who brings it to the target or
//! beyond has won; in the misère form, has lost.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Side, TextError, Turn};

use crate::board::read_mover;
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "race",
    "TARGET,STEP[,misere] (100,10)",
    "Add 1 to STEP in turn; whoever reaches TARGET wins, or loses in the misere form",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let values = options.values();
    let number = |i: usize, default: u32, high: u32| {
        values.get(i).map_or(Ok(default), |value| value.number(1, high))
    };
    let misere = match values.get(2) {
        None => false,
        Some(value) if value.text == "misere" => true,
        Some(value) => {
            let message = format!("`{}` is not a form of the race", value.text);
            return Err(GameError::Spec(value.not_among(&["misere"], message)));
        }
    };
    if values.len() > 3 {
        let message = "a race has at most three options: TARGET,STEP,misere";
        return Err(GameError::Spec(options.error(message)));
    }
    let game = Race::new(number(0, 100, 1_000_000)?, number(1, 10, 1000)?, misere);
    Ok(Opened::pictured(game, Race::scene))
}

/// A race to a target.
#[derive(Clone, Debug)]
pub struct Race {
    target: u32,
    step: u32,
    misere: bool,
}

/// The total so far and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    total: u32,
    turn: Side,
}

foregone_model::stored!(State { total, turn });

const PLAYERS: [&str; 2] = ["first", "second"];

impl Race {
    /// A race to `target` in steps of 1 to `step`.
    pub fn new(target: u32, step: u32, misere: bool) -> Race {
        Race { target, step, misere }
    }
}

impl Game for Race {
    type State = State;
    /// The number added.
    type Move = u16;

    fn start(&self) -> State {
        State { total: 0, turn: Side::Max }
    }

    fn turn(&self, s: &State) -> Turn {
        if s.total >= self.target { Turn::Over } else { Turn::Agent(s.turn.agent()) }
    }

    fn moves(&self, _s: &State, _agent: Agent, out: &mut Vec<u16>) {
        out.extend((1..=self.step).map(|n| n as u16));
    }

    fn play(&self, s: &mut State, agent: Agent, m: u16) {
        s.total += u32::from(m);
        s.turn = Side::of(agent).other();
    }

    fn outcome(&self, s: &State) -> Outcome {
        // The player who is not on turn made the last step.
        let max_was_last = s.turn == Side::Min;
        if max_was_last != self.misere { Outcome::WIN } else { Outcome::LOSS }
    }
}

impl Guide for Race {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }
}

impl Race {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::new();
        // Ten rows of ten numbers, from the row before the total.
        let first = (s.total / 10).saturating_sub(1) * 10;
        let last = (first + 99).min((self.target + self.step - 1) / 10 * 10 + 9);
        for number in first..=last {
            let place = (number - first) as usize;
            let at = [(place % 10) as f64, (place / 10) as f64];
            let paint = match number {
                n if n == self.target => Paint::Yellow,
                n if n < s.total => Paint::Dark,
                n if n > self.target => Paint::None,
                _ => Paint::Plain,
            };
            let cell = scene.square(number.to_string(), at, paint);
            match number == s.total {
                true => scene.piece(cell, Glyph::Disc, Paint::Blue),
                false => scene.piece(cell, Glyph::Word(number.to_string()), Paint::Faint),
            }
            if number > s.total && number <= s.total + self.step {
                let step = (number - s.total).to_string();
                scene.touch(PLAYERS[s.turn.index()], step, [cell], false);
            }
        }
        scene.notes.push(format!("total {} of {}", s.total, self.target));
        scene
    }
}

impl Notation for Race {
    fn name(&self) -> String {
        let misere = if self.misere { ",misere" } else { "" };
        format!("race:{},{}{misere}", self.target, self.step)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State, m: u16, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _s: &State, text: &str) -> Option<u16> {
        text.parse().ok().filter(|n: &u16| n.to_string() == text)
    }

    fn write_position(&self, s: &State, out: &mut String) {
        out.push_str(&format!("{} {}", s.total, PLAYERS[s.turn.index()]));
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (total, turn) = read_mover(text, &PLAYERS)?;
        let highest = self.target + self.step - 1;
        match total.parse() {
            Ok(total) if total <= highest => {
                Ok(State { total, turn: [Side::Max, Side::Min][turn] })
            }
            _ => {
                let message = format!("`{total}` is not a total, expected 0 to {highest}");
                Err(TextError::new(message, 0..total.len()))
            }
        }
    }

    fn draw(&self, s: &State) -> String {
        format!("total {} of {}\n", s.total, self.target)
    }
}
