//! LeftRight (the "left move" of T. Cazenave, *Nested Monte-Carlo search*, 2009).
//!
//! One player takes a number of steps, each to the left or to the right. The score is the number
//! of steps to the left. A position is the number of steps to either side: 2^n ways lead to only
//! (n + 1)(n + 2) / 2 of them, which makes the game a test of how a search treats transpositions.

use foregone_model::number::counted;
use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Rng, Scale, Side, TextError, Turn};

use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};
use crate::scores::points;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "left-right",
    "STEPS (20)",
    "One player steps left or right; the score is the steps left",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let steps = options.number(20, 1, MOST_STEPS)?;
    Ok(Opened::pictured(LeftRight::new(steps), LeftRight::scene))
}

/// The most steps.
pub const MOST_STEPS: u32 = 1000;

/// LeftRight with a number of steps.
#[derive(Clone, Debug)]
pub struct LeftRight {
    steps: u32,
}

/// The steps taken to the left and to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    left: u16,
    right: u16,
}

foregone_model::stored!(State { left, right });

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// One that scores.
    Left,
    /// One that does not.
    Right,
}

foregone_model::stored!(
    enum Step {
        Left,
        Right,
    }
);

/// There is nobody on the other side.
const PLAYERS: [&str; 2] = ["walker", "nobody"];

impl LeftRight {
    /// So many steps, at least one and at most [`MOST_STEPS`].
    pub fn new(steps: u32) -> LeftRight {
        assert!((1..=MOST_STEPS).contains(&steps), "a number of steps that fits");
        LeftRight { steps }
    }

    fn steps_left(&self, s: &State) -> u32 {
        self.steps - u32::from(s.left) - u32::from(s.right)
    }
}

impl Game for LeftRight {
    type State = State;
    type Move = Step;

    fn scale(&self) -> Scale {
        points(self.steps)
    }

    fn start(&self) -> State {
        State { left: 0, right: 0 }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if self.steps_left(s) == 0 { Turn::Over } else { Turn::Agent(Side::Max.agent()) }
    }

    #[inline]
    fn moves(&self, _s: &State, _agent: Agent, out: &mut Vec<Step>) {
        out.extend([Step::Left, Step::Right]);
    }

    #[inline]
    fn play(&self, s: &mut State, _agent: Agent, m: Step) {
        match m {
            Step::Left => s.left += 1,
            Step::Right => s.right += 1,
        }
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        Outcome(s.left)
    }
}

impl Guide for LeftRight {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }

    #[inline]
    fn mobility(&self, _s: &State, _agent: Agent) -> u32 {
        2
    }

    /// One random bit a step.
    fn playout(&self, s: State, rng: &mut Rng) -> Option<Outcome> {
        let mut score = u32::from(s.left);
        let mut steps = self.steps_left(&s);
        while steps > 0 {
            let now = steps.min(64);
            score += (rng.bits() >> (64 - now)).count_ones();
            steps -= now;
        }
        Some(Outcome(score as u16))
    }
}

impl LeftRight {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::new();
        for (x, name, steps) in [(0.0, "left", s.left), (2.2, "right", s.right)] {
            let cell = scene.rectangle(name, [x, 0.0], [2.0, 1.0], Paint::Plain);
            scene.piece(cell, Glyph::Word(steps.to_string()), Paint::Ink);
            scene.label([x, 0.8], name, 0.34, Paint::Faint);
        }
        scene.notes.push(format!("{} of {} steps to go", self.steps_left(s), self.steps));
        scene
    }
}

impl Notation for LeftRight {
    fn name(&self) -> String {
        format!("left-right:{}", self.steps)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn one_player(&self) -> bool {
        true
    }

    fn write_move(&self, _s: &State, m: Step, out: &mut String) {
        out.push_str(match m {
            Step::Left => "left",
            Step::Right => "right",
        });
    }

    fn parse_move(&self, _s: &State, text: &str) -> Option<Step> {
        match text {
            "left" => Some(Step::Left),
            "right" => Some(Step::Right),
            _ => None,
        }
    }

    /// The steps to the left, a comma, the steps to the right.
    fn write_position(&self, s: &State, out: &mut String) {
        out.push_str(&format!("{},{}", s.left, s.right));
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let Some((left, right)) = text.split_once(',') else {
            let message = format!("`{text}` is not a position, expected LEFT,RIGHT such as 3,1");
            return Err(TextError::new(message, 0..text.len()));
        };
        let number = |word: &str, at: usize| {
            // One text a position: no signs, no leading zeros.
            let number = word.parse::<u16>().ok().filter(|n| n.to_string() == word);
            number.filter(|&n| u32::from(n) <= self.steps).ok_or_else(|| {
                let message =
                    format!("`{word}` is not a number of steps, expected 0 to {}", self.steps);
                TextError::new(message, at..at + word.len())
            })
        };
        let s = State { left: number(left, 0)?, right: number(right, left.len() + 1)? };
        let taken = u32::from(s.left) + u32::from(s.right);
        if taken > self.steps {
            let taken = counted(taken.into(), "step");
            let message = format!("{taken} are more than the {} of the game", self.steps);
            return Err(TextError::new(message, 0..text.len()));
        }
        Ok(s)
    }

    fn draw(&self, s: &State) -> String {
        let State { left, right } = s;
        format!("{left} left, {right} right, {} to go\n", self.steps_left(s))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::testing;

    #[test]
    fn every_step_to_the_left_is_best() {
        for steps in [1, 2, 9, 40] {
            let game = LeftRight::new(steps);
            let value = testing::solve(&game, &game.start(), &mut HashMap::new());
            assert_eq!(game.scale().name(value), steps.to_string());
            assert_eq!(value, game.scale().best());
        }
        let game = LeftRight::new(12);
        let s = game.read_position("2,4").unwrap();
        assert_eq!(testing::solve(&game, &s, &mut HashMap::new()), Outcome(8));
    }

    #[test]
    fn ways_and_positions_are_counted() {
        let game = LeftRight::new(10);
        assert_eq!(testing::perft(&game, &game.start(), 10), 1024);
        assert_eq!(testing::perft(&game, &game.start(), 11), 0);
        let mut seen = HashMap::new();
        // After a step to the right the best outcome is out of reach: nothing is cut off, and
        // every position is looked at.
        let goes_right = game.read_position("0,1").unwrap();
        testing::solve(&game, &goes_right, &mut seen);
        assert_eq!(seen.len(), 10 * 11 / 2);
    }

    #[test]
    fn texts_round_trip() {
        for steps in [1, 20, 300] {
            testing::texts_round_trip(&LeftRight::new(steps), 20);
        }
        testing::nonsense_is_refused(&LeftRight::new(5));
        let game = LeftRight::new(5);
        for (text, span) in [
            ("3", 0..1),
            ("3,x", 2..3),
            ("6,0", 0..1),
            ("4,2", 0..3),
            ("03,1", 0..2),
            ("1,+1", 2..4),
            ("1,1,1", 2..5),
        ] {
            assert_eq!(game.read_position(text).unwrap_err().span, span, "{text}");
        }
    }

    #[test]
    fn playouts_are_uniform() {
        testing::playouts_are_uniform(&LeftRight::new(7), 1);
        testing::playouts_are_uniform(&LeftRight::new(70), 1);
    }
}
