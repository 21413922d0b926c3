//! Random games with joint moves, for measurements and tests: a tree of some depth in which every
//! pair of moves brings Max a random number of points, up to a limit, of either sign.
//!
//! As the random games in B. Bošanský and others, *Algorithms for computing strategies in
//! two-player simultaneous move games* (2016): points add up along the way, so that neighbouring
//! positions are worth about the same, as in games that people play.

use foregone_model::scene::Scene;
use foregone_model::{Joint, JointNotation, Rng, Side, TextError};

use crate::options::Options;
use crate::picture::table;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::joint(
    "random-joint",
    "DEPTH,ROWS,COLUMNS,STEP,SEED (4,3,3,10,0)",
    "A random game: each pair of moves brings up to STEP points, which add up",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let moves = (3, 1, MOST_MOVES);
    let forms = [(4, 1, DEEPEST), moves, moves, (10, 1, LARGEST_STEP), (0, 0, u32::MAX)];
    let [depth, rows, columns, step, seed] = options.numbers(forms)?;
    let game = RandomJoint { depth, rows, columns, step, seed };
    Ok(Opened::pictured_joint(game, RandomJoint::scene))
}

/// The sizes of a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomJoint {
    /// How many pairs of moves are played.
    pub depth: u32,
    /// How many moves Max has.
    pub rows: u32,
    /// How many moves Min has.
    pub columns: u32,
    /// The most points that a pair of moves brings.
    pub step: u32,
    /// Which game it is.
    pub seed: u32,
}

/// A position: how it was reached, as a number that leads to all random numbers below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    key: u64,
    points: i32,
    left: u32,
}

/// The most moves of a side.
pub const MOST_MOVES: u32 = 64;

/// The most pairs of moves.
pub const DEEPEST: u32 = 20;

/// The most points of a pair of moves.
pub const LARGEST_STEP: u32 = 1_000_000;

impl Joint for RandomJoint {
    type State = Place;
    type Move = u8;

    fn range(&self) -> (i64, i64) {
        let most = i64::from(self.depth) * i64::from(self.step);
        (-most, most)
    }

    fn start(&self) -> Place {
        Place { key: u64::from(self.seed), points: 0, left: self.depth }
    }

    fn payoff(&self, s: &Place) -> Option<i64> {
        (s.left == 0).then_some(i64::from(s.points))
    }

    fn moves(&self, _s: &Place, side: Side, out: &mut Vec<u8>) {
        out.extend(0..if side == Side::Max { self.rows } else { self.columns } as u8);
    }

    fn play(&self, s: &mut Place, max: u8, min: u8) {
        let pair = u64::from(max) << 8 | u64::from(min);
        let mut rng = Rng::new(s.key.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ pair);
        s.key = rng.bits();
        s.points += rng.below(2 * self.step + 1) as i32 - self.step as i32;
        s.left -= 1;
    }

    fn bounds(&self, s: &Place) -> (i64, i64) {
        let most = i64::from(s.left) * i64::from(self.step);
        (i64::from(s.points) - most, i64::from(s.points) + most)
    }
}

impl RandomJoint {
    /// A picture of a position: the points that pairs of moves bring.
    fn scene(&self, s: &Place) -> Scene {
        let moves = [self.rows, self.columns].map(|n| (1..=n).map(|m| m.to_string()).collect());
        let [max, min]: [Vec<String>; 2] = moves;
        let entry = |row: usize, column: usize| {
            let mut next = *s;
            self.play(&mut next, row as u8, column as u8);
            format!("{:+}", next.points - s.points)
        };
        if s.left == 0 {
            return Scene::of_text(&self.draw(s));
        }
        let mut scene = table([&max, &min], entry, self.players());
        scene.notes.push(self.draw(s).trim_end().to_owned());
        scene
    }
}

impl JointNotation for RandomJoint {
    fn name(&self) -> String {
        let RandomJoint { depth, rows, columns, step, seed } = self;
        format!("random-joint:{depth},{rows},{columns},{step},{seed}")
    }

    fn players(&self) -> [&str; 2] {
        ["Max", "Min"]
    }

    fn write_move(&self, _s: &Place, _side: Side, m: u8, out: &mut String) {
        out.push_str(&(m + 1).to_string());
    }

    fn parse_move(&self, _s: &Place, side: Side, text: &str) -> Option<u8> {
        let most = if side == Side::Max { self.rows } else { self.columns };
        let m: u32 = text.parse().ok()?;
        (1..=most).contains(&m).then(|| m as u8 - 1)
    }

    /// How many pairs of moves are left, the points so far, and the key: `2 -3 9e3779b97f4a7c15`.
    fn write_position(&self, s: &Place, out: &mut String) {
        out.push_str(&format!("{} {} {:016x}", s.left, s.points, s.key));
    }

    fn read_position(&self, text: &str) -> Result<Place, TextError> {
        let words: Vec<&str> = text.split(' ').collect();
        let read = || {
            let [left, points, key] = words[..] else { return None };
            let left: u32 = left.parse().ok().filter(|left| *left <= self.depth)?;
            let most = i64::from(self.depth - left) * i64::from(self.step);
            let points: i32 =
                points.parse().ok().filter(|points| i64::from(*points).abs() <= most)?;
            let key = (key.len() == 16).then(|| u64::from_str_radix(key, 16).ok()).flatten()?;
            Some(Place { key, points, left })
        };
        read().ok_or_else(|| {
            let message = "expected how many pairs of moves are left, the points, and a key of 16 \
                           digits, as `foregone show` writes them";
            TextError::new(message, 0..text.len())
        })
    }

    fn draw(&self, s: &Place) -> String {
        let left = if s.left == 1 { "1 pair" } else { &format!("{} pairs", s.left) };
        format!("{left} of moves left, points for Max: {}\n", s.points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{joint_texts_round_trip, joint_tree};

    #[test]
    fn trees_are_as_large_as_they_say() {
        let game = RandomJoint { depth: 3, rows: 2, columns: 3, step: 5, seed: 7 };
        assert_eq!(joint_tree(&game, &game.start(), None), 1 + 6 + 36);
    }

    #[test]
    fn texts_are_read_back() {
        joint_texts_round_trip(&RandomJoint { depth: 4, rows: 3, columns: 2, step: 2, seed: 1 });
        let game = RandomJoint { depth: 2, rows: 2, columns: 2, step: 1, seed: 0 };
        for bad in ["", "3 0 0000000000000000", "1 2 0000000000000000", "1 1 0", "1 1 x y"] {
            assert!(game.read_position(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn seeds_make_different_games() {
        let points = |seed| {
            let game = RandomJoint { depth: 1, rows: 1, columns: 1, step: 1000, seed };
            let mut s = game.start();
            game.play(&mut s, 0, 0);
            s.points
        };
        assert_ne!(points(1), points(2));
    }
}
