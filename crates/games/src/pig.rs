//! Pig: roll on, or hold what you have (J. Scarne, 1945; solved by T. W. Neller and C. G. M. Presser,
//! *Optimal Play of the Dice Game Pig*, 2004).
//!
//! A turn begins with a roll of one die. A 1 ends the turn, and it brings nothing. Any other number
//! adds to the turn's total, and the player rolls again or holds: then the total is scored, and it is
//! the other player's turn. Who has the target, the turn's total counted, has won at once: to hold
//! there is best.
//!
//! A turn that brings nothing leads back to scores that were there before, so positions come up
//! again. No play is endless but with probability zero, whatever the players do: a turn cannot
//! bring nothing for ever.

use foregone_model::scene::{Paint, Scene};
use foregone_model::{Agent, Endless, Game, Guide, Notation, Outcome, Side, TextError, Turn};

use crate::board::{as_written, read_mover};
use crate::options::{Options, Value};
use crate::picture::{counter, die};
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("pig:20"),
    ..Entry::in_turn(
        "pig",
        "TARGET[,SIDES] (100,6)",
        "Roll on or hold the turn's total, a 1 loses it; the first to TARGET wins",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let [target, sides] = options.numbers([(100, 2, MOST_TARGET), (6, 2, MOST_SIDES)])?;
    Ok(Opened::pictured(Pig::new(target as u16, sides as u8), Pig::scene))
}

/// The highest target.
pub const MOST_TARGET: u32 = 1000;

/// The most sides of the die.
pub const MOST_SIDES: u32 = 100;

/// Pig to a target.
#[derive(Clone, Debug)]
pub struct Pig {
    target: u16,
    sides: u8,
}

/// The scores, the turn's total, whose turn it is, and whether the die rolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    scores: [u16; 2],
    total: u16,
    turn: Side,
    rolls: bool,
}

foregone_model::stored!(State { scores, total, turn, rolls });

const PLAYERS: [&str; 2] = ["first", "second"];
/// Who decides, or whose die rolls.
const MOVERS: [&str; 4] = ["first", "second", "first-rolls", "second-rolls"];

/// Moves that are not a number of the die.
const HOLD: u8 = 0;
const ROLL: u8 = u8::MAX;

impl Pig {
    /// Pig to `target`, at least 2, with a die of at least two sides.
    pub fn new(target: u16, sides: u8) -> Pig {
        assert!(target >= 2 && sides >= 2, "a game that ends");
        Pig { target, sides }
    }

    /// What the player on turn would have.
    #[inline]
    fn reached(&self, s: &State) -> u16 {
        s.scores[s.turn.index()] + s.total
    }

    fn faces(&self) -> impl Iterator<Item = String> + use<> {
        (1..=self.sides).map(|face| face.to_string())
    }
}

impl Game for Pig {
    type State = State;
    /// A number of the die, `HOLD` or `ROLL`.
    type Move = u8;

    fn endless(&self) -> Endless {
        Endless::Undetermined
    }

    fn start(&self) -> State {
        State { scores: [0, 0], total: 0, turn: Side::Max, rolls: true }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if s.rolls {
            Turn::Chance
        } else if self.reached(s) >= self.target {
            Turn::Over
        } else {
            Turn::Agent(s.turn.agent())
        }
    }

    #[inline]
    fn moves(&self, s: &State, _agent: Agent, out: &mut Vec<u8>) {
        match s.rolls {
            true => out.extend(1..=self.sides),
            false => out.extend([ROLL, HOLD]),
        }
    }

    #[inline]
    fn play(&self, s: &mut State, _agent: Agent, m: u8) {
        match m {
            ROLL => s.rolls = true,
            HOLD => {
                s.scores[s.turn.index()] += s.total;
                self.pass(s);
            }
            1 => self.pass(s),
            face => {
                s.total += u16::from(face);
                s.rolls = false;
            }
        }
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        if s.turn == Side::Max { Outcome::WIN } else { Outcome::LOSS }
    }

    fn has_chance(&self) -> bool {
        true
    }
}

impl Pig {
    /// The other player's turn begins.
    #[inline]
    fn pass(&self, s: &mut State) {
        s.total = 0;
        s.turn = s.turn.other();
        s.rolls = true;
    }
}

impl Guide for Pig {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }
}

impl Pig {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::new();
        for (i, player) in PLAYERS.into_iter().enumerate() {
            let paint = match s.turn.index() == i {
                true => [Paint::PaleBlue, Paint::PaleRed][i],
                false => Paint::Plain,
            };
            counter(&mut scene, player, [i as f64 * 2.2, 0.0], 2.0, s.scores[i].to_string(), paint);
        }
        let total = s.total.to_string();
        let total = counter(&mut scene, "total", [0.0, 2.0], 2.0, total, Paint::Plain);
        let air = die(&mut scene, "die", [2.2, 2.0], None, self.faces());
        let player = PLAYERS[s.turn.index()];
        scene.touch(player, "roll", [air], false);
        scene.touch(player, "hold", [total], false);
        scene.notes.push(format!("to {}", self.target));
        scene
    }
}

impl Notation for Pig {
    fn name(&self) -> String {
        format!("pig:{},{}", self.target, self.sides)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State, m: u8, out: &mut String) {
        match m {
            ROLL => out.push_str("roll"),
            HOLD => out.push_str("hold"),
            face => out.push_str(&face.to_string()),
        }
    }

    fn parse_move(&self, _s: &State, text: &str) -> Option<u8> {
        match text {
            "roll" => Some(ROLL),
            "hold" => Some(HOLD),
            _ => (1..=self.sides).find(|face| face.to_string() == text),
        }
    }

    /// The scores and the turn's total, and who decides or whose die rolls: `12,30,5 first`.
    fn write_position(&self, s: &State, out: &mut String) {
        let State { scores: [first, second], total, .. } = s;
        let mover = MOVERS[s.turn.index() + if s.rolls { 2 } else { 0 }];
        out.push_str(&format!("{first},{second},{total} {mover}"));
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (numbers, mover) = read_mover(text, &MOVERS)?;
        let parts = Value { text: numbers, at: 0 }.split(',');
        let [first, second, total] = parts[..] else {
            let message = "expected the scores of both and the turn's total, such as `12,30,5`";
            return Err(TextError::new(message, 0..numbers.len()));
        };
        let most = u32::from(self.target) - 1;
        let scores = [first.number(0, most)? as u16, second.number(0, most)? as u16];
        let (turn, rolls) = ([Side::Max, Side::Min][mover % 2], mover >= 2);
        // Who has the target rolls no more. A number above 1 came up, or the die would roll.
        let open = most - u32::from(scores[turn.index()]);
        let highest = if rolls { open } else { open + u32::from(self.sides) };
        let total = total.number(if rolls { 0 } else { 2 }, highest)? as u16;
        as_written(self, State { scores, total, turn, rolls }, text)
    }

    fn draw(&self, s: &State) -> String {
        let State { scores: [first, second], total, .. } = s;
        let air = if s.rolls { ", the die rolls" } else { "" };
        format!("first {first}, second {second}, of {}\nturn total {total}{air}\n", self.target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chance_testing, testing};

    #[test]
    fn turns_are_played_by_the_rules() {
        let game = Pig::new(20, 6);
        let play = |words: &str| chance_testing::after(&game, "0,0,0 first-rolls", words);
        for (words, position) in [
            ("1", "0,0,0 second-rolls"),
            ("6", "0,0,6 first"),
            ("6 roll", "0,0,6 first-rolls"),
            ("6 roll 1", "0,0,0 second-rolls"),
            ("6 hold", "6,0,0 second-rolls"),
            ("6 hold 5 roll 4 hold", "6,9,0 first-rolls"),
            ("6 hold 5 hold 6 roll 6 roll 2", "6,5,14 first"),
        ] {
            assert_eq!(play(words), position, "{words}");
        }
        assert_eq!(chance_testing::end(&game, "6,5,12 first-rolls", "2"), "win");
        assert_eq!(chance_testing::end(&game, "6,18,0 second-rolls", "6"), "loss");
        let counts = [1, 2, 3, 4].map(|n| testing::perft(&game, &game.start(), n));
        // 6; then 5 x roll or hold and 6 of the other; then 5 x (6 + 6) and 5 x 2 and 6.
        assert_eq!(counts, [6, 16, 76, 5 * (5 * 2 + 6) * 2 + 5 * 12 + 16]);
    }

    #[test]
    fn positions_keep_the_laws_of_chance() {
        for (target, sides) in [(2, 2), (10, 6), (30, 3), (100, 6)] {
            let game = Pig::new(target, sides);
            chance_testing::laws(&game, 10);
        }
        let cases = [
            ("0,0,0", 5..5),
            ("0,0 first", 0..3),
            ("20,0,0 first-rolls", 0..2),
            ("0,x,0 first-rolls", 2..3),
            ("0,0,0 first", 4..5),
            ("0,0,1 first", 4..5),
            ("0,0,26 first", 4..6),
            ("0,0,20 first-rolls", 4..6),
            ("0,0,02 first", 0..12),
            ("0,0,2 third", 6..11),
        ];
        chance_testing::mistakes_show_their_place(&Pig::new(20, 6), &cases);
    }

    /// The chance to win for who is to roll with `i` points against `j` and a total of `k`, by the
    /// equations of Neller and Presser: `p[i][j][k]`.
    fn by_equations(target: usize, sides: usize) -> f64 {
        let mut p: Vec<Vec<Vec<f64>>> = vec![vec![Vec::new(); target]; target];
        // Scores only rise, so pairs of scores are solved from the highest sum down.
        for sum in (0..=2 * (target - 1)).rev() {
            for i in sum.saturating_sub(target - 1)..=sum / 2 {
                let j = sum - i;
                p[i][j] = vec![0.5; target - i];
                p[j][i] = vec![0.5; target - j];
                loop {
                    let mut change = 0.0f64;
                    for (a, b) in [(i, j), (j, i)] {
                        for k in (0..target - a).rev() {
                            let other = |p: &Vec<Vec<Vec<f64>>>, k: usize| 1.0 - p[b][a + k][0];
                            let roll = (2..=sides).map(|d| match a + k + d >= target {
                                true => 1.0,
                                false => p[a][b][k + d].max(other(&p, k + d)),
                            });
                            let value = (roll.sum::<f64>() + other(&p, 0)) / sides as f64;
                            change = change.max((value - p[a][b][k]).abs());
                            p[a][b][k] = value;
                        }
                    }
                    if change < 1e-14 {
                        break;
                    }
                }
            }
        }
        p[0][0][0]
    }

    #[test]
    fn the_first_player_has_the_chances_that_are_known() {
        let known = by_equations(100, 6);
        assert!((known - 0.5306).abs() < 5e-5, "{known}");
        for (target, sides) in [(2, 2), (5, 2), (10, 6), (15, 3), (20, 6)] {
            let (value, _) = chance_testing::iterated(&Pig::new(target, sides));
            let known = by_equations(target.into(), sides.into());
            assert!((value - known).abs() < 1e-9, "{target},{sides}: {value} {known}");
        }
        // A coin to 2: who rolls first wins with 1/2 + 1/8 + … = 2/3.
        assert!((by_equations(2, 2) - 2.0 / 3.0).abs() < 1e-9);
    }
}
