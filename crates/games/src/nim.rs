//! Nim (C. L. Bouton, 1901).
//!
//! Players take any number of things from one heap; who cannot move loses. The position is lost
//! for the player to move exactly when the binary sum of the heaps is zero.

use foregone_model::number::counted;
use foregone_model::scene::{Anchor, Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, NormalPlay, Notation, Outcome, Side, TextError, Turn};

use crate::board::read_mover;
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "nim",
    "HEAP,HEAP,… (1,3,5,7)",
    "Take any number from one heap; a player who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let values = options.values();
    if values.is_empty() {
        return Ok(Opened::normal_play(Nim::new(vec![1, 3, 5, 7]), Nim::scene));
    }
    if values.len() > MOST_HEAPS {
        let message = format!("there are {} heaps, at most {MOST_HEAPS} fit", values.len());
        return Err(GameError::Spec(options.error(message)));
    }
    let heaps = values.iter().map(|value| value.number(0, 255).map(|n| n as u8));
    Ok(Opened::normal_play(Nim::new(heaps.collect::<Result<_, _>>()?), Nim::scene))
}

/// How many heaps there can be.
pub const MOST_HEAPS: usize = 14;

/// Nim from given heaps.
#[derive(Clone, Debug)]
pub struct Nim {
    heaps: Vec<u8>,
}

/// What is left of each heap, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    heaps: [u8; MOST_HEAPS],
    turn: Side,
}

foregone_model::stored!(State { heaps, turn });

/// Takes so many from one heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Take {
    heap: u8,
    number: u8,
}

foregone_model::stored!(Take { heap, number });

const PLAYERS: [&str; 2] = ["first", "second"];

impl Nim {
    /// Nim from these heaps, at least one and at most [`MOST_HEAPS`].
    pub fn new(heaps: Vec<u8>) -> Nim {
        assert!((1..=MOST_HEAPS).contains(&heaps.len()), "a number of heaps that fits");
        Nim { heaps }
    }

    fn list(&self, heaps: &[u8]) -> String {
        let words: Vec<String> = heaps[..self.heaps.len()].iter().map(u8::to_string).collect();
        words.join(",")
    }
}

impl Game for Nim {
    type State = State;
    type Move = Take;

    fn start(&self) -> State {
        let mut heaps = [0; MOST_HEAPS];
        heaps[..self.heaps.len()].copy_from_slice(&self.heaps);
        State { heaps, turn: Side::Max }
    }

    fn turn(&self, s: &State) -> Turn {
        if s.heaps.iter().all(|&h| h == 0) { Turn::Over } else { Turn::Agent(s.turn.agent()) }
    }

    fn moves(&self, s: &State, _agent: Agent, out: &mut Vec<Take>) {
        for (heap, &size) in s.heaps.iter().enumerate() {
            out.extend((1..=size).map(|number| Take { heap: heap as u8, number }));
        }
    }

    fn play(&self, s: &mut State, agent: Agent, m: Take) {
        s.heaps[usize::from(m.heap)] -= m.number;
        s.turn = Side::of(agent).other();
    }

    fn outcome(&self, s: &State) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl Guide for Nim {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }

    /// A few small heaps are soon gone through, which shows how a search works.
    fn prefers_own_search(&self) -> bool {
        const FEW: u64 = 10_000;
        let sizes = self.heaps.iter().map(|&heap| u64::from(heap) + 1);
        sizes.fold(1, u64::saturating_mul) > FEW
    }
}

impl Nim {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::new();
        // Long heaps get thin things.
        let longest = self.heaps.iter().chain(&s.heaps).max().map_or(1, |&n| n.max(1));
        let width = f64::min(0.5, 24.0 / f64::from(longest));
        for (heap, (&now, &before)) in s.heaps.iter().zip(&self.heaps).enumerate() {
            let y = heap as f64 * 1.2;
            scene.anchored([-0.5, y], (heap + 1).to_string(), 0.36, Anchor::End, Paint::Faint);
            let first = scene.cells.len();
            for number in 0..now.max(before) {
                let at = [f64::from(number) * width, y];
                let name = format!("{}.{}", heap + 1, number + 1);
                let cell = scene.rectangle(name, at, [width * 0.56, 0.9], Paint::Plain);
                if number < now {
                    scene.piece(cell, Glyph::Block, Paint::Orange);
                }
            }
            for number in 1..=now {
                let text = format!("{}-{number}", heap + 1);
                let cells = (now - number..now).map(|n| first + usize::from(n));
                scene.touch(PLAYERS[s.turn.index()], text, cells, false);
            }
        }
        scene
    }
}

impl Notation for Nim {
    fn name(&self) -> String {
        format!("nim:{}", self.list(&self.heaps))
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State, m: Take, out: &mut String) {
        out.push_str(&format!("{}-{}", m.heap + 1, m.number));
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<Take> {
        let (heap, number) = text.split_once('-')?;
        let heap = heap
            .parse::<u8>()
            .ok()
            .filter(|h| (1..=self.heaps.len()).contains(&usize::from(*h)))?;
        let m = Take { heap: heap - 1, number: number.parse().ok()? };
        // One text a move: no signs, no leading zeros.
        (self.move_text(s, m) == text).then_some(m)
    }

    fn write_position(&self, s: &State, out: &mut String) {
        out.push_str(&self.list(&s.heaps));
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (list, turn) = read_mover(text, &PLAYERS)?;
        let words: Vec<&str> = list.split(',').collect();
        if words.len() != self.heaps.len() {
            let expected = counted(self.heaps.len() as u64, "heap");
            let message = format!("expected {expected}, found {}", words.len());
            return Err(TextError::new(message, 0..list.len()));
        }
        let mut heaps = [0; MOST_HEAPS];
        let mut at = 0;
        for (heap, word) in heaps.iter_mut().zip(words) {
            *heap = word.parse().map_err(|_| {
                let message = format!("`{word}` is not a heap, expected a number up to 255");
                TextError::new(message, at..at + word.len())
            })?;
            at += word.len() + 1;
        }
        Ok(State { heaps, turn: [Side::Max, Side::Min][turn] })
    }

    fn draw(&self, s: &State) -> String {
        let mut out = String::new();
        for (i, &heap) in s.heaps[..self.heaps.len()].iter().enumerate() {
            out.push_str(&format!("{:>3}: {} ({heap})\n", i + 1, "I".repeat(usize::from(heap))));
        }
        out
    }
}

impl NormalPlay for Nim {
    fn with_turn(&self, s: &State, side: Side) -> State {
        State { turn: side, ..*s }
    }

    /// Heap by heap, each in the first place.
    fn split(&self, s: &State, out: &mut Vec<State>) {
        for heap in s.heaps.into_iter().filter(|&heap| heap > 0) {
            let mut heaps = [0; MOST_HEAPS];
            heaps[0] = heap;
            out.push(State { heaps, turn: Side::Max });
        }
    }

    fn negative(&self, part: &State) -> Option<State> {
        Some(*part)
    }

    fn impartial(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal_play_testing as normal_play;

    #[test]
    fn heaps_add_up() {
        for heaps in [vec![0], vec![7], vec![1, 3, 5, 7], vec![4, 4, 4, 0, 9, 2]] {
            normal_play::laws_hold(&Nim::new(heaps), 5);
        }
    }
}
