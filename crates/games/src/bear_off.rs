//! The end of a backgammon race: both bear off the checkers of their home board, without contact.
//!
//! A player rolls two dice and uses them one after the other, in either order; doubles count four
//! times. A die moves a checker down by its number, or bears it off from that very point. Where no
//! checker stands on that point or a higher one, it bears off a checker of the highest point. Dice must
//! be used, and always can be. Who has borne off all checkers first has won.
//!
//! Where both dice bear off the same checker, the smaller one does: what is left of the turn is the
//! same.

use foregone_model::scene::{Anchor, Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Side, TextError, Turn};

use crate::board::as_written;
use crate::options::{Options, Value};
use crate::picture::die;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("bear-off:1-1-1"),
    ..Entry::in_turn(
        "bear-off",
        "CHECKERS-CHECKERS-…[,SIDES] (1-1-1-1,6)",
        "Bear off checkers from points 1, 2, … by two dice; the first without checkers wins",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let values = options.values();
    if values.len() > 2 {
        let message = "there are at most two options: CHECKERS-CHECKERS-…,SIDES";
        return Err(GameError::Spec(options.error(message)));
    }
    let checkers = match values.first() {
        None => Checkers::new(&[1, 1, 1, 1]),
        Some(value) => {
            let points = value.split('-');
            if points.len() > MOST_POINTS {
                let message =
                    format!("there are {} points, at most {MOST_POINTS} fit", points.len());
                return Err(GameError::Spec(value.error(message)));
            }
            let counts = points.iter().map(|point| point.number(0, MOST_CHECKERS));
            let counts = counts.collect::<Result<Vec<u32>, _>>()?;
            match counts.iter().sum() {
                1..=MOST_CHECKERS => Checkers::new(&counts),
                n => {
                    let message =
                        format!("there are {n} checkers, expected from 1 to {MOST_CHECKERS}");
                    return Err(GameError::Spec(value.error(message)));
                }
            }
        }
    };
    let points = values.first().map_or(4, |value| value.split('-').len());
    let sides = values.get(1).map_or(Ok(6), |value| value.number(1, MOST_SIDES))?;
    Ok(Opened::pictured(BearOff { checkers, points, sides: sides as u8 }, BearOff::scene))
}

/// The most points of a home board.
pub const MOST_POINTS: usize = 6;
/// The most checkers of a player.
pub const MOST_CHECKERS: u32 = 15;
/// The most sides of a die.
pub const MOST_SIDES: u32 = 7;

/// A race from the same checkers for both.
#[derive(Clone, Debug)]
pub struct BearOff {
    checkers: Checkers,
    points: usize,
    sides: u8,
}

/// How many checkers stand on each point, four bits each, the lowest point first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Checkers(u32);

foregone_model::stored!(Checkers(counts));

impl Checkers {
    fn new(counts: &[u32]) -> Checkers {
        Checkers(counts.iter().rev().fold(0, |all, count| all << 4 | count))
    }

    /// How many stand on a point, counted from 1.
    #[inline]
    fn on(self, point: u32) -> u32 {
        self.0 >> (4 * (point - 1)) & 15
    }

    /// The highest point with a checker; 0 without any.
    #[inline]
    fn highest(self) -> u32 {
        if self.0 == 0 { 0 } else { self.0.ilog2() / 4 + 1 }
    }

    /// Moves a checker down, or off the board to point 0.
    #[inline]
    fn advance(&mut self, from: u32, to: u32) {
        self.0 -= 1 << (4 * (from - 1));
        if to > 0 {
            self.0 += 1 << (4 * (to - 1));
        }
    }

    /// Where a die takes a checker from `point`, if it may.
    #[inline]
    fn target(self, point: u32, die: u32) -> Option<u32> {
        match point.checked_sub(die) {
            Some(to) => Some(to),
            None => (point == self.highest()).then_some(0),
        }
    }
}

/// The checkers of both, the dice that are still to be used, the largest first, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    checkers: [Checkers; 2],
    /// None are left when they are to be rolled.
    dice: [u8; 4],
    turn: Side,
}

foregone_model::stored!(State { checkers, dice, turn });

/// Two numbers of three bits: a point and where its checker goes, or two dice.
#[inline]
fn pair(a: u32, b: u32) -> u8 {
    (a << 3 | b) as u8
}

/// Moves of chance have this bit.
const ROLL: u8 = 128;

const PLAYERS: [&str; 2] = ["first", "second"];

impl BearOff {
    /// The dice left that take a checker from one point to another: the smallest of them, by its
    /// place among the dice.
    #[inline]
    fn die_for(s: &State, from: u32, to: u32) -> Option<usize> {
        let own = s.checkers[s.turn.index()];
        (0..4).rev().find(|&i| s.dice[i] > 0 && own.target(from, s.dice[i].into()) == Some(to))
    }

    fn list(&self, checkers: Checkers) -> String {
        let counts = (1..=self.points as u32).map(|point| checkers.on(point).to_string());
        counts.collect::<Vec<_>>().join("-")
    }

    /// The dice that are left, as a position has them: `rolls`, one or two numbers, or up to four that
    /// are the same.
    fn read_dice(&self, mover: &Value<'_>, words: &[Value<'_>]) -> Result<[u8; 4], TextError> {
        if words.len() == 1 && words[0].text == "rolls" {
            return Ok([0; 4]);
        }
        let mut dice = [0; 4];
        if !(1..=4).contains(&words.len()) {
            let message = "expected `rolls` or the dice that are left, such as `first-6-5`";
            return Err(mover.error(message));
        }
        for (die, word) in dice.iter_mut().zip(words) {
            *die = word.number(1, self.sides.into())? as u8;
        }
        // Only doubles leave more than two, or two that are the same.
        if words.len() > 2 && dice[..words.len()].iter().any(|&die| die != dice[0]) {
            return Err(mover.error("more than two dice are doubles, and all the same"));
        }
        dice.sort_unstable_by(|a, b| b.cmp(a));
        Ok(dice)
    }

    fn rolls(&self) -> impl Iterator<Item = u8> + use<> {
        let sides = u32::from(self.sides);
        (1..=sides).flat_map(move |a| (1..=a).map(move |b| ROLL | pair(a, b)))
    }
}

impl Game for BearOff {
    type State = State;
    /// A point and where its checker goes; with `ROLL`, two dice.
    type Move = u8;

    fn start(&self) -> State {
        State { checkers: [self.checkers; 2], dice: [0; 4], turn: Side::Max }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if s.checkers[0].0 == 0 || s.checkers[1].0 == 0 {
            Turn::Over
        } else if s.dice[0] == 0 {
            Turn::Chance
        } else {
            Turn::Agent(s.turn.agent())
        }
    }

    #[inline]
    fn moves(&self, s: &State, _agent: Agent, out: &mut Vec<u8>) {
        if s.dice[0] == 0 {
            return out.extend(self.rolls());
        }
        let own = s.checkers[s.turn.index()];
        let first = out.len();
        for (i, &die) in s.dice.iter().enumerate() {
            if die == 0 || i > 0 && s.dice[i - 1] == die {
                continue;
            }
            for point in (1..=own.highest()).rev().filter(|&point| own.on(point) > 0) {
                let Some(to) = own.target(point, die.into()) else { continue };
                let m = pair(point, to);
                if !out[first..].contains(&m) {
                    out.push(m);
                }
            }
        }
    }

    #[inline]
    fn play(&self, s: &mut State, _agent: Agent, m: u8) {
        let (a, b) = (m >> 3 & 7, m & 7);
        if m & ROLL != 0 {
            s.dice = if a == b { [a; 4] } else { [a, b, 0, 0] };
            return;
        }
        let (from, to) = (u32::from(a), u32::from(b));
        if let Some(used) = BearOff::die_for(s, from, to) {
            s.dice.copy_within(used + 1.., used);
            s.dice[3] = 0;
        }
        let own = &mut s.checkers[s.turn.index()];
        own.advance(from, to);
        if own.0 == 0 {
            s.dice = [0; 4];
        } else if s.dice[0] == 0 {
            s.turn = s.turn.other();
        }
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        if s.checkers[0].0 == 0 { Outcome::WIN } else { Outcome::LOSS }
    }

    fn has_chance(&self) -> bool {
        true
    }

    /// Two different dice fall in two ways.
    #[inline]
    fn weight(&self, _s: &State, m: u8) -> u64 {
        if m >> 3 & 7 == m & 7 { 1 } else { 2 }
    }
}

impl Guide for BearOff {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }
}

impl BearOff {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::new();
        for (i, player) in PLAYERS.into_iter().enumerate() {
            let y = i as f64 * 2.4;
            scene.anchored([-0.8, y], player, 0.36, Anchor::End, Paint::Ink);
            let off =
                scene.square(format!("{player} off"), [self.points as f64 + 0.3, y], Paint::None);
            let mut cells = vec![off];
            for point in 1..=self.points as u32 {
                // The highest point first: checkers go to the right.
                let x = f64::from(self.points as u32 - point);
                let paint = [Paint::Light, Paint::Dark][point as usize % 2];
                let cell = scene.square(format!("{player} {point}"), [x, y], paint);
                scene.label([x, y + 0.72], point.to_string(), 0.3, Paint::Faint);
                let glyph = match s.checkers[i].on(point) {
                    0 => None,
                    1 => Some(Glyph::Disc),
                    n => Some(Glyph::Seeds(n)),
                };
                if let Some(glyph) = glyph {
                    scene.piece(cell, glyph, [Paint::White, Paint::Black][i]);
                }
                cells.push(cell);
            }
            for from in 1..=self.points {
                for to in 0..from {
                    let text = self.move_text(s, pair(from as u32, to as u32));
                    scene.touch(player, text, [cells[from], cells[to]], true);
                }
            }
        }
        let dice = s.dice.iter().filter(|&&d| d > 0).map(|&d| Some(u32::from(d)));
        let dice: Vec<_> = if s.dice[0] == 0 { vec![None; 2] } else { dice.collect() };
        for (i, face) in dice.into_iter().enumerate() {
            let rolls = self.rolls().map(|m| self.move_text(s, m));
            die(&mut scene, &format!("die {}", i + 1), [i as f64, 4.4], face, rolls);
        }
        scene
    }
}

impl Notation for BearOff {
    fn name(&self) -> String {
        format!("bear-off:{},{}", self.list(self.checkers), self.sides)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// The point and where the checker goes, `6/2` or `3/off`; the dice, `6-5`.
    fn write_move(&self, _s: &State, m: u8, out: &mut String) {
        let (a, b) = (m >> 3 & 7, m & 7);
        out.push_str(&match (m & ROLL != 0, b) {
            (true, _) => format!("{a}-{b}"),
            (false, 0) => format!("{a}/off"),
            (false, _) => format!("{a}/{b}"),
        });
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<u8> {
        let points = self.points as u32;
        let steps = (1..=points).flat_map(|from| (0..from).map(move |to| pair(from, to)));
        steps.chain(self.rolls()).find(|&m| self.move_text(s, m) == text)
    }

    /// The smaller die may be typed first.
    fn parse_typed(&self, s: &State, text: &str) -> Option<u8> {
        let turned = || text.split_once('-').map(|(a, b)| format!("{b}-{a}"));
        self.parse_move(s, text).or_else(|| self.parse_move(s, &turned()?))
    }

    /// The checkers of both, a number for each point from the lowest on, and who is to roll or has
    /// which dice left: `1-0-2 0-1-1 first-rolls`, `… second-6-5`.
    fn write_position(&self, s: &State, out: &mut String) {
        let [first, second] = s.checkers.map(|checkers| self.list(checkers));
        out.push_str(&format!("{first} {second} {}", PLAYERS[s.turn.index()]));
        if s.dice[0] == 0 {
            out.push_str("-rolls");
        }
        for die in s.dice.iter().filter(|&&die| die > 0) {
            out.push_str(&format!("-{die}"));
        }
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let words = Value { text, at: 0 }.split(' ');
        let [first, second, mover] = words[..] else {
            let message = "expected the checkers of both and who is to move, such as \
                           `1-0-1 0-1-1 first-rolls`";
            return Err(TextError::new(message, 0..text.len()));
        };
        let mut checkers = [Checkers(0); 2];
        for (own, word) in checkers.iter_mut().zip([first, second]) {
            let points = word.split('-');
            if points.len() != self.points {
                let message = format!("expected {} points, found {}", self.points, points.len());
                return Err(word.error(message));
            }
            let counts = points.iter().map(|point| point.number(0, MOST_CHECKERS));
            let counts = counts.collect::<Result<Vec<u32>, _>>()?;
            if counts.iter().sum::<u32>() > MOST_CHECKERS {
                return Err(word.error(format!("there are at most {MOST_CHECKERS} checkers")));
            }
            *own = Checkers::new(&counts);
        }
        if checkers.iter().all(|own| own.0 == 0) {
            let message = "one of the players has checkers left";
            return Err(TextError::new(message, 0..first.text.len() + 1 + second.text.len()));
        }
        let parts = mover.split('-');
        let player = &parts[0];
        let Some(turn) = PLAYERS.iter().position(|name| *name == player.text) else {
            let message =
                format!("`{}` is not a player, expected `first` or `second`", player.text);
            return Err(player.not_among(&PLAYERS, message));
        };
        let dice = self.read_dice(&mover, &parts[1..])?;
        as_written(self, State { checkers, dice, turn: [Side::Max, Side::Min][turn] }, text)
    }

    fn draw(&self, s: &State) -> String {
        let mut out = String::from("point ");
        for point in (1..=self.points).rev() {
            out.push_str(&format!("{point:>3}"));
        }
        for (player, checkers) in PLAYERS.iter().zip(s.checkers) {
            out.push_str(&format!("\n{player:<6}"));
            for point in (1..=self.points as u32).rev() {
                out.push_str(&format!("{:>3}", checkers.on(point)));
            }
        }
        let dice: Vec<String> =
            s.dice.iter().filter(|&&die| die > 0).map(|die| die.to_string()).collect();
        match dice.is_empty() {
            true => out.push_str("\nthe dice roll\n"),
            false => out.push_str(&format!("\ndice {}\n", dice.join(" "))),
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chance_testing, testing};

    fn game(counts: &[u32], sides: u8) -> BearOff {
        BearOff { checkers: Checkers::new(counts), points: counts.len(), sides }
    }

    #[test]
    fn positions_keep_the_laws_of_chance() {
        for (counts, sides) in [
            (&[1, 1, 1, 1][..], 6),
            (&[15], 2),
            (&[3, 2, 0, 1, 4, 5], 6),
            (&[0, 2], 1),
            (&[2, 2, 2], 7),
        ] {
            let game = game(counts, sides);
            chance_testing::laws(&game, 20);
        }
        let cases = [
            ("1-1-1 1-1-1", 0..11),
            ("1-1 1-1-1 first-rolls", 0..3),
            ("1-1-1 1-x-1 first-rolls", 8..9),
            ("9-9-1 1-1-1 first-rolls", 0..5),
            ("0-0-0 0-0-0 first-rolls", 0..11),
            ("1-1-1 1-1-1 third-rolls", 12..17),
            ("1-1-1 1-1-1 first", 12..17),
            ("1-1-1 1-1-1 first-7", 18..19),
            ("1-1-1 1-1-1 first-6-6-5", 12..23),
            ("1-1-1 1-1-1 first-5-6", 0..21),
            ("1-1-1 01-1-1 first-5", 0..20),
        ];
        chance_testing::mistakes_show_their_place(&game(&[1, 1, 1], 6), &cases);
    }

    #[test]
    fn dice_move_checkers_by_the_rules() {
        let game = game(&[1, 0, 1, 0, 2, 0], 6);
        let behind = |mover: &str| format!("1-0-1-0-2-0 1-0-0-0-0-0 {mover}");
        let moves = |mover: &str| chance_testing::listed(&game, &behind(mover));
        // A 6 bears off from the highest point, a 4 moves down, a 3 does either.
        assert_eq!(moves("first-6"), "5/off");
        assert_eq!(moves("first-4"), "5/1");
        assert_eq!(moves("first-3"), "5/2 3/off");
        assert_eq!(moves("first-6-5"), "5/off");
        assert_eq!(moves("first-2-1"), "5/3 3/1 5/4 3/2 1/off");
        assert_eq!(moves("second-4-4-4-4"), "1/off");
        assert_eq!(moves("first-rolls").split(' ').count(), 21);
        assert!(moves("first-rolls").starts_with("1-1x1 2-1x2 2-2x1 3-1x2"));
        let play = |mover: &str, words: &str| chance_testing::after(&game, &behind(mover), words);
        assert_eq!(play("first-rolls", "5-6"), behind("first-6-5"));
        assert_eq!(play("first-rolls", "3-3"), behind("first-3-3-3-3"));
        // The smaller die bears off.
        assert_eq!(play("first-6-5", "5/off"), "1-0-1-0-1-0 1-0-0-0-0-0 first-6");
        assert_eq!(play("first-6-5", "5/off 5/off"), "1-0-1-0-0-0 1-0-0-0-0-0 second-rolls");
        assert_eq!(play("first-2-1", "5/4"), "1-0-1-1-1-0 1-0-0-0-0-0 first-2");
        assert_eq!(play("second-4-4-4-4", "1/off"), "1-0-1-0-2-0 0-0-0-0-0-0 second-rolls");
    }

    /// The chances to bear off by one roll, in 36ths: all positions of one and two checkers, as books
    /// on backgammon have them.
    #[test]
    fn one_roll_bears_off_as_often_as_books_say() {
        let game = game(&[0, 0, 0, 0, 0, 1], 6);
        let chance = |points: &[usize]| {
            let mut counts = [0; 6];
            points.iter().for_each(|point| counts[point - 1] += 1);
            let own = game.list(Checkers::new(&counts));
            // The other one bears off the last checker by any roll.
            chance_testing::value_of(&game, &format!("{own} 1-0-0-0-0-0 first-rolls"))
        };
        let lowest = |ways: u32| {
            let common = [36, 18, 12, 9, 6, 4, 3, 2]
                .into_iter()
                .find(|&n| ways.is_multiple_of(n))
                .unwrap_or(1);
            if ways == 36 { "1".to_owned() } else { format!("{}/{}", ways / common, 36 / common) }
        };
        for (point, ways) in (1..).zip([36, 36, 36, 34, 31, 27]) {
            assert_eq!(chance(&[point]), lowest(ways), "{point}");
        }
        let pairs: [&[u32]; 6] = [
            &[36],
            &[36, 26],
            &[34, 25, 17],
            &[29, 23, 17, 11],
            &[23, 19, 14, 10, 6],
            &[15, 13, 10, 8, 6, 4],
        ];
        for (high, row) in (1..).zip(pairs) {
            for (low, &ways) in (1..).zip(row) {
                assert_eq!(chance(&[high, low]), lowest(ways), "{high} and {low}");
            }
        }
    }

    /// By hand: three checkers on the lowest point go with doubles, or else in the second turn, if
    /// the other one has none. The others by problems/chance.py.
    #[test]
    fn races_are_worth_what_they_were() {
        for (counts, sides, value) in [
            (&[1][..], 6, "1"),
            (&[3], 6, "31/36"),
            (&[1, 1, 1], 6, "1141/1296"),
            (&[1, 1], 2, "1"),
            (&[0, 0, 2], 3, "67/81"),
        ] {
            let game = game(counts, sides);
            assert_eq!(chance_testing::value_at_start(&game), value, "{counts:?}");
        }
        let game = game(&[1, 1, 1, 1], 6);
        let counts = [1, 2, 3, 4].map(|n| testing::perft(&game, &game.start(), n));
        assert_eq!(counts, [21, 69, 109, 1849]);
    }
}
