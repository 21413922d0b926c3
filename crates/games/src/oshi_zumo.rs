//! Oshi-Zumo: two players bid coins at the same time to push a wrestler off the board.
//!
//! After M. Buro, *Solving the Oshi-Zumo Game* (2003), who took it up from Y. Kotani. The board has
//! SIZE fields on either side of the middle, where the wrestler starts, and both players start with
//! COINS coins. Each turn both bid, and both pay what they bid; the higher bid pushes the wrestler
//! one field towards the other player, equal bids leave it where it is. The play ends when the
//! wrestler is off the board or nobody has coins. Then the player loses on whose side the wrestler
//! is; in the middle it is a draw.
//!
//! A bid is at least MIN; who has fewer coins bids all of them, as in OpenSpiel. Elsewhere MIN may
//! be 0: then two bids of nothing change nothing, and a play need not end. Here it is at least 1.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Joint, JointNotation, Side, TextError};

use crate::options::Options;
use crate::picture::boxes;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::joint(
    "oshi-zumo",
    "COINS,SIZE,MIN (10,3,1)",
    "Bid coins to push a wrestler along SIZE fields to either side; off the board it wins",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let forms = [(10, 1, MOST_COINS), (3, 0, MOST_FIELDS), (1, 1, MOST_COINS)];
    let [coins, fields, least] = options.numbers(forms)?;
    Ok(Opened::pictured_joint(OshiZumo::new(coins, fields, least), OshiZumo::scene))
}

/// The most coins that a player can have.
pub const MOST_COINS: u32 = 1000;
/// The most fields on either side of the middle.
pub const MOST_FIELDS: u32 = 100;

/// The rules for some numbers.
#[derive(Clone, Debug)]
pub struct OshiZumo {
    coins: u16,
    fields: i16,
    least: u16,
}

/// The coins of both, and how far the wrestler is from the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ring {
    coins: [u16; 2],
    /// Towards Min if positive; beyond the last field if off the board.
    place: i16,
}

impl OshiZumo {
    /// The game with so many coins, fields on either side of the middle, and least bid.
    pub fn new(coins: u32, fields: u32, least: u32) -> OshiZumo {
        assert!(coins <= MOST_COINS && fields <= MOST_FIELDS && least >= 1, "the numbers fit");
        OshiZumo { coins: coins as u16, fields: fields as i16, least: least as u16 }
    }

    /// How often a player with so many coins can bid some.
    fn bids(&self, coins: u16) -> i16 {
        coins.div_ceil(self.least) as i16
    }
}

impl Joint for OshiZumo {
    type State = Ring;
    type Move = u16;

    fn range(&self) -> (i64, i64) {
        (-1, 1)
    }

    fn start(&self) -> Ring {
        Ring { coins: [self.coins; 2], place: 0 }
    }

    #[inline]
    fn payoff(&self, s: &Ring) -> Option<i64> {
        let over = s.place.abs() > self.fields || s.coins == [0; 2];
        over.then(|| i64::from(s.place.signum()))
    }

    #[inline]
    fn moves(&self, s: &Ring, side: Side, out: &mut Vec<u16>) {
        let coins = s.coins[side.index()];
        out.extend(self.least.min(coins)..=coins);
    }

    #[inline]
    fn play(&self, s: &mut Ring, max: u16, min: u16) {
        s.place += i16::from(max > min) - i16::from(max < min);
        s.coins[0] -= max;
        s.coins[1] -= min;
    }

    /// A player pushes at most as often as it can bid.
    fn bounds(&self, s: &Ring) -> (i64, i64) {
        let [max, min] = s.coins.map(|coins| self.bids(coins));
        (i64::from((s.place - min).signum()), i64::from((s.place + max).signum()))
    }
}

impl OshiZumo {
    /// A picture of a position: the ring, and what can be bid.
    fn scene(&self, s: &Ring) -> Scene {
        let mut scene = Scene::new();
        let far = self.fields + 1;
        for place in -far..=far {
            let paint = match place {
                0 => Paint::Dark,
                p if p.abs() == far => Paint::None,
                _ => Paint::Light,
            };
            let at = [f64::from(place + far), 0.0];
            let cell = scene.square(format!("field {place}"), at, paint);
            if place == s.place {
                scene.piece(cell, Glyph::Disc, Paint::Orange);
            }
        }
        for (side, player) in ["Max", "Min"].into_iter().enumerate() {
            let coins = s.coins[side];
            scene.notes.push(format!("{player}: {coins} coins"));
            let bids = (self.least.min(coins)..=coins).map(|bid| bid.to_string());
            // The wrestler goes towards Min, at the right.
            boxes(&mut scene, player, bids, [1.3, 2.4][side], [Paint::Blue, Paint::Red][side]);
        }
        scene
    }
}

impl JointNotation for OshiZumo {
    fn name(&self) -> String {
        format!("oshi-zumo:{},{},{}", self.coins, self.fields, self.least)
    }

    fn players(&self) -> [&str; 2] {
        ["Max", "Min"]
    }

    fn write_move(&self, _s: &Ring, _side: Side, m: u16, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _s: &Ring, _side: Side, text: &str) -> Option<u16> {
        text.parse().ok().filter(|bid| *bid <= self.coins)
    }

    /// Max's coins, Min's coins, and how far the wrestler is from the middle: `3/5/-1`.
    fn write_position(&self, s: &Ring, out: &mut String) {
        out.push_str(&format!("{}/{}/{}", s.coins[0], s.coins[1], s.place));
    }

    fn read_position(&self, text: &str) -> Result<Ring, TextError> {
        let parts: Vec<&str> = text.split('/').collect();
        let [max, min, place] = parts[..] else {
            let message = "expected Max's coins, Min's coins and the wrestler's place from the \
                middle, such as 3/5/-1";
            return Err(TextError::new(message, 0..text.len()));
        };
        let coins = |word: &str, at: usize| {
            word.parse::<u16>().ok().filter(|n| *n <= self.coins).ok_or_else(|| {
                let message =
                    format!("`{word}` is not a number of coins, expected 0 to {}", self.coins);
                TextError::new(message, at..at + word.len())
            })
        };
        let coins = [coins(max, 0)?, coins(min, max.len() + 1)?];
        // One field more: off the board.
        let far = self.fields + 1;
        match place.parse::<i16>() {
            Ok(place) if (-far..=far).contains(&place) => Ok(Ring { coins, place }),
            _ => {
                let message = format!("`{place}` is not a place, expected -{far} to {far}");
                let at = text.len() - place.len();
                Err(TextError::new(message, at..text.len()))
            }
        }
    }

    fn draw(&self, s: &Ring) -> String {
        let far = self.fields + 1;
        let field = |place: i16| match place {
            p if p == s.place => 'W',
            p if p.abs() == far => ' ',
            0 => '|',
            _ => '.',
        };
        let row: String = (-far..=far).map(field).collect();
        format!("Max {}{row}{} Min\n", s.coins[0], s.coins[1])
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::JointTyped as _;
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::joint_testing::{close, joint_value};
    use crate::testing::{joint_texts_round_trip, joint_tree};

    #[test]
    fn texts_are_read_back() {
        for (coins, fields, least) in [(10, 3, 1), (7, 2, 3), (50, 4, 2), (1, 0, 1)] {
            joint_texts_round_trip(&OshiZumo::new(coins, fields, least));
        }
    }

    #[test]
    fn rules_hold() {
        let game = OshiZumo::new(5, 1, 2);
        let after = |text| game.read_position_or_moves(text).unwrap();
        assert_eq!(after("moves:3/2"), Ring { coins: [2, 3], place: 1 });
        assert_eq!(after("moves:2/2"), Ring { coins: [3, 3], place: 0 });
        // Who has less than the least bid bids all of it.
        let s = after("moves:4/5");
        let mut moves = Vec::new();
        game.moves(&s, Side::Max, &mut moves);
        game.moves(&s, Side::Min, &mut moves);
        assert_eq!(moves, [1, 0]);
        assert_eq!(game.payoff(&s), None);
        assert_eq!(game.draw(&s), "Max 1 W|. 0 Min\n");
        // Max pushes it back, and then nobody has coins.
        assert_eq!(game.payoff(&after("moves:4/5,1/0")), Some(0));
        // Off the board.
        assert_eq!(game.payoff(&after("moves:2/3,2/2")), None);
        assert_eq!(game.payoff(&game.read_position("1/0/-2").unwrap()), Some(-1));
        assert_eq!(game.payoff(&game.read_position("0/0/1").unwrap()), Some(1));
    }

    #[test]
    fn who_cannot_push_far_enough_cannot_win() {
        let game = OshiZumo::new(9, 5, 2);
        let bounds = |text| game.bounds(&game.read_position(text).unwrap());
        assert_eq!(bounds("9/9/0"), (-1, 1));
        assert_eq!(bounds("5/0/-3"), (-1, 0));
        assert_eq!(bounds("4/0/-3"), (-1, -1));
        assert_eq!(bounds("0/1/2"), (1, 1));
    }

    #[test]
    fn sides_are_alike() {
        for (coins, fields, least) in [(6, 2, 1), (7, 1, 2)] {
            let game = OshiZumo::new(coins, fields, least);
            let mut memo = HashMap::new();
            let mut mixed = false;
            for max in 0..=coins as u16 {
                for min in 0..=coins as u16 {
                    for place in -(fields as i16)..=fields as i16 {
                        let mut value =
                            |coins, place| joint_value(&game, &Ring { coins, place }, &mut memo);
                        let (one, two) = (value([max, min], place), value([min, max], -place));
                        assert!(close(one, -two), "{max}/{min}/{place}: {one} {two}");
                        mixed |= !close(one, one.round());
                    }
                }
            }
            assert!(mixed, "chance is needed somewhere");
        }
    }

    #[test]
    fn positions_are_counted() {
        for ((coins, fields, least), states) in COUNTS {
            let game = OshiZumo::new(coins, fields, least);
            assert_eq!(joint_tree(&game, &game.start(), Some(&mut HashSet::new())), states);
        }
    }

    const COUNTS: [((u32, u32, u32), u64); 3] =
        [((3, 1, 1), 11), ((10, 3, 1), 340), ((10, 3, 2), 169)];

    #[test]
    fn bad_positions_are_shown() {
        let game = OshiZumo::new(4, 2, 1);
        for (text, span) in [
            ("1/2", 0..3),
            ("5/1/0", 0..1),
            ("1/x/0", 2..3),
            ("1/2/4", 4..5),
            ("1/2/-4", 4..6),
            ("1/2/", 4..4),
        ] {
            assert_eq!(game.read_position(text).unwrap_err().span, span, "{text}");
        }
    }
}
