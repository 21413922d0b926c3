//! Dominoes with open hands and nothing to draw from.
//!
//! Bones have two numbers of pips each, from 0 to SPOTS, and there is one of each pair. Two players hold
//! HAND bones each, dealt by a seed, and see all of them. They put bones to a line, at either end, where
//! numbers that touch are the same; the first bone is any. Who has no bone that fits passes. Who is out of
//! bones first wins. Where nobody can play the game is blocked: the fewest pips in hand win, or it is a
//! draw if the options say so.

use foregone_model::scene::{Anchor, Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Rng, Scale, Side, TextError, Turn};

use self::numbering::Lists;
use crate::board::{Word as _, as_written};
use crate::options::{Options, Value};
use crate::registry::{Entry, GameError, Opened};

mod numbering;
mod symmetry;

pub use symmetry::{ByBone, ByValue};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "dominoes",
    "SPOTS,HAND,SEED[,draw] (6,5,1)",
    "Open hands, put bones to either end of a line; out first wins, then the fewest pips",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let values = options.values();
    if values.len() > 4 {
        let message = "there are at most four options: SPOTS,HAND,SEED,draw";
        return Err(GameError::Spec(options.error(message)));
    }
    let number = |at: usize, default: u32, least: u32, most: u32| {
        values.get(at).map_or(Ok(default), |value| value.number(least, most))
    };
    let spots = number(0, 6, 1, MOST_SPOTS)?;
    let most = bones(spots) / 2;
    let hand = number(1, most.min(5), 1, most)?;
    let seed = number(2, 1, 0, u32::MAX)?;
    let draw = match values.get(3).map(|value| value.text) {
        None => false,
        Some("draw") => true,
        Some(other) => {
            let message = format!("`{other}` is not an option, expected `draw` or nothing");
            return Err(GameError::Spec(values[3].not_among(&["draw"], message)));
        }
    };
    let game = Dominoes::new(spots, hand, seed, draw);
    // The numbering renames pips, so they must not count.
    Ok(match draw && hand <= numbering::MOST {
        true => Opened::tabled(game, Dominoes::scene),
        false => Opened::pictured(game, Dominoes::scene),
    })
}

/// The most pips of one half of a bone.
pub const MOST_SPOTS: u32 = 9;

/// How many bones there are.
fn bones(spots: u32) -> u32 {
    (spots + 1) * (spots + 2) / 2
}

/// The number of a bone: 0-0, 0-1, 1-1, 0-2, … so that it does not depend on how many there are.
#[inline]
fn bone(a: u32, b: u32) -> u32 {
    let (low, high) = (a.min(b), a.max(b));
    high * (high + 1) / 2 + low
}

/// The halves of a bone, the lower one first.
fn halves(bone: u32) -> (u32, u32) {
    let high = (0..).take_while(|&high| high * (high + 1) / 2 <= bone).last().unwrap_or(0);
    (bone - high * (high + 1) / 2, high)
}

/// A set of bones, what is dealt, and what a blocked game is worth.
#[derive(Clone, Debug)]
pub struct Dominoes {
    spots: u32,
    hand: u32,
    seed: u32,
    /// Whether a blocked game is a draw; otherwise the fewest pips win.
    draw: bool,
    lists: Lists,
}

/// The bones of both, the ends of the line and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// A bit for each bone.
    hands: [u64; 2],
    /// The lower one first; [`NONE`] twice before the first bone.
    ends: [u8; 2],
    /// Whether the second player is to move.
    second: bool,
}

foregone_model::stored!(State { hands, ends, second });

const NONE: u8 = u8::MAX;
/// To put no bone to the line. Other moves are the half that meets the line times 16 and the other one.
const PASS: u8 = u8::MAX;

const PLAYERS: [&str; 2] = ["first", "second"];
const LOSS: Outcome = Outcome(0);
const DRAW: Outcome = Outcome(1);
const WIN: Outcome = Outcome(2);

impl State {
    fn turn(&self) -> Side {
        if self.second { Side::Min } else { Side::Max }
    }

    fn begun(&self) -> bool {
        self.ends[0] != NONE
    }

    fn put_ends(&mut self, a: u32, b: u32) {
        self.ends = [a.min(b) as u8, a.max(b) as u8];
    }
}

impl Dominoes {
    /// The bones up to double SPOTS, so many for each hand, dealt by a seed. At most half of all bones
    /// are in a hand.
    pub fn new(spots: u32, hand: u32, seed: u32, draw: bool) -> Dominoes {
        assert!(spots <= MOST_SPOTS && 2 * hand <= bones(spots), "there are enough bones");
        Dominoes { spots, hand, seed, draw, lists: Lists::default() }
    }

    /// Shows the moves of a hand that put a bone to the line to `see` until it says that it has seen enough.
    fn visit(&self, s: &State, side: Side, mut see: impl FnMut(u8) -> bool) -> bool {
        let hand = s.hands[side.index()];
        hand.cells().any(|bone| {
            let (low, high) = halves(bone);
            let [meets_low, meets_high] = [low, high].map(|half| s.ends.contains(&(half as u8)));
            let m = |meets: u32, other: u32| (meets << 4 | other) as u8;
            ((meets_low || !s.begun()) && see(m(low, high)))
                || (meets_high && low != high && see(m(high, low)))
        })
    }

    fn can_play(&self, s: &State, side: Side) -> bool {
        self.visit(s, side, |_| true)
    }

    fn pips(hand: u64) -> u32 {
        hand.cells().map(halves).map(|(low, high)| low + high).sum()
    }

    /// The outcome, if it is over.
    fn ended(&self, s: &State) -> Option<Outcome> {
        match s.hands {
            [0, _] => return Some(WIN),
            [_, 0] => return Some(LOSS),
            _ if [Side::Max, Side::Min].iter().any(|&side| self.can_play(s, side)) => return None,
            _ => {}
        }
        let [own, other] = s.hands.map(Self::pips);
        Some(match own.cmp(&other) {
            _ if self.draw => DRAW,
            std::cmp::Ordering::Less => WIN,
            std::cmp::Ordering::Equal => DRAW,
            std::cmp::Ordering::Greater => LOSS,
        })
    }
}

impl Game for Dominoes {
    type State = State;
    type Move = u8;

    fn scale(&self) -> Scale {
        Scale::three()
    }

    fn start(&self) -> State {
        // In the order in which people list them: 0-0, 0-1, 0-2, …
        let low = |low: u32| (low..=self.spots).map(move |high| bone(low, high));
        let mut left: Vec<u32> = (0..=self.spots).flat_map(low).collect();
        let mut rng = Rng::new(self.seed.into());
        let hand = self.hand as usize;
        for at in 0..2 * hand {
            let other = at + rng.below((left.len() - at) as u32) as usize;
            left.swap(at, other);
        }
        let dealt = |bones: &[u32]| bones.iter().fold(0, |hand, &bone| hand | u64::bit(bone));
        let hands = [dealt(&left[..hand]), dealt(&left[hand..2 * hand])];
        State { hands, ends: [NONE; 2], second: false }
    }

    fn turn(&self, s: &State) -> Turn {
        match self.ended(s) {
            Some(_) => Turn::Over,
            None => Turn::Agent(s.turn().agent()),
        }
    }

    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<u8>) {
        let before = out.len();
        self.visit(s, Side::of(agent), |m| {
            out.push(m);
            false
        });
        if out.len() == before {
            out.push(PASS);
        }
    }

    fn play(&self, s: &mut State, agent: Agent, m: u8) {
        let side = Side::of(agent);
        s.second = side == Side::Max;
        if m == PASS {
            return;
        }
        let (meets, new) = (u32::from(m >> 4), u32::from(m & 15));
        s.hands[side.index()] &= !u64::bit(bone(meets, new));
        let [low, high] = s.ends.map(u32::from);
        match s.begun() {
            false => s.put_ends(meets, new),
            true if meets == low => s.put_ends(new, high),
            true => s.put_ends(new, low),
        }
    }

    fn outcome(&self, s: &State) -> Outcome {
        self.ended(s).unwrap_or(DRAW)
    }
}

impl Guide for Dominoes {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }
}

/// The text of a bone.
fn bone_text(bone: u32) -> String {
    let (low, high) = halves(bone);
    format!("{low}-{high}")
}

/// The bones of a hand as people sort them: 0-0, 0-1, 0-2, …
fn sorted(hand: u64) -> Vec<String> {
    let mut texts: Vec<String> = hand.cells().map(bone_text).collect();
    texts.sort_unstable();
    texts
}

fn hand_text(hand: u64) -> String {
    let texts = sorted(hand);
    if texts.is_empty() { "-".to_owned() } else { texts.join(",") }
}

fn line_text(s: &State) -> String {
    if s.begun() { format!("{}|{}", s.ends[0], s.ends[1]) } else { "-".to_owned() }
}

impl Dominoes {
    /// A picture of a position: both hands, and the ends of the line between them.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::new();
        let rows = [s.hands[0], 0, s.hands[1]];
        for (row, (hand, name)) in rows.into_iter().zip(["first", "line", "second"]).enumerate() {
            let y = row as f64 * 1.4;
            scene.anchored([-1.2, y], name, 0.36, Anchor::End, Paint::Ink);
            let mut texts = sorted(hand);
            if row == 1 && s.begun() {
                texts.push(line_text(s));
            }
            for (at, text) in texts.into_iter().enumerate() {
                let place = [at as f64 * 2.2, y];
                let cell = scene.rectangle(text.clone(), place, [2.0, 1.0], Paint::Plain);
                // A bone is played either way round; its own name has the lower half first.
                if let Some((low, high)) = text.split_once('-') {
                    scene.touch(name, format!("{high}-{low}"), [cell], false);
                    scene.touch(name, text.clone(), [cell], false);
                }
                scene.piece(cell, Glyph::Word(text), Paint::Ink);
            }
        }
        scene
    }

    fn read_bone(&self, word: &Value<'_>) -> Result<u32, TextError> {
        let halves = word.split('-');
        let [low, high] = halves[..] else {
            let message = format!("`{}` is not a bone, expected one such as `0-2`", word.text);
            return Err(word.error(message));
        };
        Ok(bone(low.number(0, self.spots)?, high.number(0, self.spots)?))
    }

    fn read_hand(&self, word: &Value<'_>, seen: &mut u64) -> Result<u64, TextError> {
        let mut hand = 0;
        if word.text == "-" {
            return Ok(hand);
        }
        for word in word.split(',') {
            let bone = self.read_bone(&word)?;
            if seen.has(bone) {
                return Err(word.error("this bone is there twice"));
            }
            hand |= u64::bit(bone);
            *seen |= u64::bit(bone);
        }
        Ok(hand)
    }
}

impl Notation for Dominoes {
    fn name(&self) -> String {
        let draw = if self.draw { ",draw" } else { "" };
        format!("dominoes:{},{},{}{draw}", self.spots, self.hand, self.seed)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// The half that meets the line comes first.
    fn write_move(&self, _s: &State, m: u8, out: &mut String) {
        match m {
            PASS => out.push_str("pass"),
            _ => out.push_str(&format!("{}-{}", m >> 4, m & 15)),
        }
    }

    fn parse_move(&self, _s: &State, text: &str) -> Option<u8> {
        if text == "pass" {
            return Some(PASS);
        }
        let (meets, other) = text.split_once('-')?;
        let half = |text: &str| {
            let number = text.parse::<u8>().ok().filter(|n| n.to_string() == text);
            number.filter(|&n| u32::from(n) <= self.spots)
        };
        Some(half(meets)? << 4 | half(other)?)
    }

    /// Both hands, the ends of the line, and who is to move: `0-2,5-6 1-2 0|1 first`.
    fn write_position(&self, s: &State, out: &mut String) {
        let [first, second] = s.hands.map(hand_text);
        out.push_str(&format!("{first} {second} {} {}", line_text(s), PLAYERS[s.turn().index()]));
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let words = Value { text, at: 0 }.split(' ');
        let [first, second, line, mover] = words[..] else {
            let message = "expected both hands, the ends of the line and who is to move, such as \
                           `0-2,5-6 1-2 0|1 first`";
            return Err(TextError::new(message, 0..text.len()));
        };
        let mut seen = 0;
        let hands = [self.read_hand(&first, &mut seen)?, self.read_hand(&second, &mut seen)?];
        if hands == [0, 0] {
            return Err(TextError::new("both hands are empty", first.at..line.at - 1));
        }
        let mut s = State { hands, ends: [NONE; 2], second: false };
        if line.text != "-" {
            let ends = line.split('|');
            let [low, high] = ends[..] else {
                let message =
                    format!("`{}` is not a line, expected its ends such as `0|1`", line.text);
                return Err(line.error(message));
            };
            s.put_ends(low.number(0, self.spots)?, high.number(0, self.spots)?);
        }
        let Some(player) = PLAYERS.iter().position(|name| *name == mover.text) else {
            let message = format!("`{}` is not a player, expected `first` or `second`", mover.text);
            return Err(mover.not_among(&PLAYERS, message));
        };
        s.second = player == 1;
        as_written(self, s, text)
    }

    fn draw(&self, s: &State) -> String {
        let [first, second] = s.hands.map(|hand| hand_text(hand).replace(',', " "));
        format!("first   {first}\nline    {}\nsecond  {second}\n", line_text(s))
    }
}

#[cfg(test)]
mod tests;
