//! Random trees with chance, for measurements and tests: Max and Min move in turn, chance moves after
//! each of them, and every step brings Max a random number of points, up to a limit, of either sign.
//!
//! Points add up along the way, so that neighbouring positions are worth about the same, as in games
//! that people play. What chance does has random weights from 1 to `HEAVIEST`.

use foregone_model::scene::{Paint, Scene};
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Rng, Scale, Side, TextError, Turn};

use crate::board::as_written;
use crate::options::{Options, Value};
use crate::picture::boxes;
use crate::registry::{Entry, GameError, Opened};
use crate::scores::Scores;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "random-chance",
    "DEPTH,MOVES,FACES,STEP,SEED (4,3,3,10,0)",
    "A random tree: chance moves after each player, and each step brings up to STEP points",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let moves = (3, 1, MOST_MOVES);
    let forms = [(4, 1, DEEPEST), moves, moves, (10, 1, LARGEST_STEP), (0, 0, u32::MAX)];
    let [depth, moves, faces, step, seed] = options.numbers(forms)?;
    let game = RandomChance { depth, moves, faces, step, seed };
    Ok(Opened::pictured(game, RandomChance::scene))
}

/// The sizes of a random tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomChance {
    /// How many moves the players make together.
    pub depth: u32,
    /// How many moves a player has.
    pub moves: u32,
    /// How many moves chance has.
    pub faces: u32,
    /// The most points that a step brings.
    pub step: u32,
    /// Which tree it is.
    pub seed: u32,
}

/// A position: how it was reached, as a number that leads to all random numbers below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    key: u64,
    points: i32,
    /// The steps left, those of chance included.
    left: u32,
}

foregone_model::stored!(State { key, points, left });

/// The most moves of a player and of chance.
pub const MOST_MOVES: u32 = 64;

/// The most moves that the players make together.
pub const DEEPEST: u32 = 20;

/// The most points of a step: there are fewer than 2^16 outcomes.
pub const LARGEST_STEP: u32 = 500;

/// The largest weight of what chance does.
pub const HEAVIEST: u32 = 4;

const PLAYERS: [&str; 2] = ["Max", "Min"];

impl RandomChance {
    fn scores(&self) -> Scores {
        Scores { most: (2 * self.depth * self.step) as i32, step: 1 }
    }

    /// The random numbers of a move.
    #[inline]
    fn random(s: &State, m: u8) -> Rng {
        Rng::new(s.key.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(m))
    }

    /// How many moves there are in a position.
    fn width(&self, s: &State) -> u32 {
        if self.turn(s) == Turn::Chance { self.faces } else { self.moves }
    }
}

impl Game for RandomChance {
    type State = State;
    type Move = u8;

    fn scale(&self) -> Scale {
        self.scores().scale()
    }

    fn start(&self) -> State {
        State { key: u64::from(self.seed), points: 0, left: 2 * self.depth }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        let made = 2 * self.depth - s.left;
        match made % 4 {
            _ if s.left == 0 => Turn::Over,
            0 => Turn::Agent(Side::Max.agent()),
            2 => Turn::Agent(Side::Min.agent()),
            _ => Turn::Chance,
        }
    }

    #[inline]
    fn moves(&self, s: &State, _agent: Agent, out: &mut Vec<u8>) {
        out.extend(0..self.width(s) as u8);
    }

    #[inline]
    fn play(&self, s: &mut State, _agent: Agent, m: u8) {
        let mut rng = RandomChance::random(s, m);
        s.key = rng.bits();
        s.points += rng.below(2 * self.step + 1) as i32 - self.step as i32;
        s.left -= 1;
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        self.scores().outcome(s.points)
    }

    fn has_chance(&self) -> bool {
        true
    }

    #[inline]
    fn weight(&self, s: &State, m: u8) -> u64 {
        let mut rng = RandomChance::random(s, m);
        // The first two numbers are those of the position behind the move.
        let (_, _) = (rng.bits(), rng.bits());
        u64::from(1 + rng.below(HEAVIEST))
    }
}

impl Guide for RandomChance {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }
}

impl RandomChance {
    /// A picture of a position: the moves, and the points that each brings.
    fn scene(&self, s: &State) -> Scene {
        let turn = self.turn(s);
        let Some(agent) = turn.mover() else {
            return Scene::of_text(&self.draw(s));
        };
        let mut scene = Scene::new();
        let words = (1..=self.width(s)).map(|m| m.to_string());
        let paint = if turn == Turn::Chance { Paint::Orange } else { Paint::Blue };
        boxes(&mut scene, self.agent_name(agent), words, 0.0, paint);
        for m in 0..self.width(s) as u8 {
            let mut next = *s;
            self.play(&mut next, agent, m);
            let weight = match turn {
                Turn::Chance => format!(" x{}", self.weight(s, m)),
                Turn::Agent(_) | Turn::Over => String::new(),
            };
            let word = format!("{:+}{weight}", next.points - s.points);
            scene.label([f64::from(m) * 0.85, 0.7], word, 0.24, Paint::Faint);
        }
        scene.notes.push(self.draw(s).trim_end().to_owned());
        scene
    }
}

impl Notation for RandomChance {
    fn name(&self) -> String {
        let RandomChance { depth, moves, faces, step, seed } = self;
        format!("random-chance:{depth},{moves},{faces},{step},{seed}")
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State, m: u8, out: &mut String) {
        out.push_str(&(m + 1).to_string());
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<u8> {
        let m: u32 = text.parse().ok().filter(|m: &u32| m.to_string() == text)?;
        (1..=self.width(s)).contains(&m).then(|| m as u8 - 1)
    }

    /// How many steps are left, the points so far, and the key: `3 -3 9e3779b97f4a7c15`.
    fn write_position(&self, s: &State, out: &mut String) {
        out.push_str(&format!("{} {} {:016x}", s.left, s.points, s.key));
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let words = Value { text, at: 0 }.split(' ');
        let [left, points, key] = words[..] else {
            let message = "expected how many steps are left, the points, and a key of 16 digits, as \
                           `foregone show` writes them";
            return Err(TextError::new(message, 0..text.len()));
        };
        let steps = left.number(0, 2 * self.depth)?;
        let most = (2 * self.depth - steps) * self.step;
        let read = points.text.parse().ok().filter(|n: &i32| n.unsigned_abs() <= most);
        let points = read.ok_or_else(|| {
            let message =
                format!("`{}` cannot be the points, expected -{most} to {most}", points.text);
            points.error(message)
        })?;
        let read = u64::from_str_radix(key.text, 16).ok().filter(|_| key.text.len() == 16);
        let key = read.ok_or_else(|| key.error("a key has 16 hexadecimal digits"))?;
        as_written(self, State { key, points, left: steps }, text)
    }

    fn draw(&self, s: &State) -> String {
        let left = if s.left == 1 { "1 step" } else { &format!("{} steps", s.left) };
        format!("{left} left, points for Max: {}\n", s.points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chance_testing, testing};

    #[test]
    fn trees_are_as_large_as_they_say() {
        let game = RandomChance { depth: 3, moves: 2, faces: 3, step: 5, seed: 7 };
        let counts = [1, 2, 3, 4, 5, 6, 7].map(|n| testing::perft(&game, &game.start(), n));
        assert_eq!(counts, [2, 6, 12, 36, 72, 216, 0]);
        let turns: Vec<Turn> =
            testing::random_play(&game, &mut Rng::new(1)).iter().map(|s| game.turn(s)).collect();
        let [max, min] = [Turn::Agent(Agent(0)), Turn::Agent(Agent(1))];
        let chance = Turn::Chance;
        assert_eq!(turns, [max, chance, min, chance, max, chance, Turn::Over]);
    }

    #[test]
    fn trees_keep_the_laws_of_chance() {
        for (depth, moves, faces) in [(4, 3, 2), (1, 1, 64), (20, 64, 1)] {
            let game = RandomChance { depth, moves, faces, step: 2, seed: 1 };
            chance_testing::laws(&game, 20);
        }
        let game = RandomChance { depth: 1, moves: 2, faces: 2, step: 1, seed: 0 };
        let cases = [
            ("", 0..0),
            ("3 0 0000000000000000", 0..1),
            ("1 2 0000000000000000", 2..3),
            ("1 1 0", 4..5),
            ("1 x 0000000000000000", 2..3),
            ("1 +1 0000000000000000", 0..21),
            ("1 -2147483648 0000000000000000", 2..13),
        ];
        chance_testing::mistakes_show_their_place(&game, &cases);
        assert!(game.read_position("1 1 0000000000000000").is_ok());
    }

    #[test]
    fn values_stay_what_they_are() {
        // The values of problems/chance.py; with one face a tree is a plain game.
        let value = |depth, moves, faces, seed| {
            chance_testing::value_at_start(&RandomChance { depth, moves, faces, step: 10, seed })
        };
        assert_eq!(value(4, 3, 3, 0), "10538909/1746360");
        assert_eq!(value(3, 4, 2, 1), "96/175");
        assert_eq!(value(4, 3, 1, 2), "3");
    }

    #[test]
    fn weights_are_of_all_sizes() {
        let game = RandomChance { depth: 1, moves: 1, faces: 64, step: 1, seed: 3 };
        let mut s = game.start();
        game.play(&mut s, Agent(0), 0);
        let mut seen = [0; HEAVIEST as usize];
        for (weight, _) in chance_testing::weighed(&game, &s) {
            seen[weight as usize - 1] += 1;
        }
        assert!(seen.iter().all(|&n| n >= 5), "{seen:?}");
    }
}
