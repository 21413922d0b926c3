//! Octal games (R. K. Guy and C. A. B. Smith, *The G-values of various games*, 1956).
//!
//! There are heaps of counters. The code of a game, such as 0.77, tells by its digits how many counters
//! may be taken from a heap: the first digit behind the point is about one counter, the next about two,
//! and so on. A digit is a sum of 1, if that may be a whole heap; of 2, if one heap may be left; and of
//! 4, if what is left may be two heaps. A 4 before the point allows to make two heaps of one without
//! taking anything. Who cannot move loses. 0.77 is Kayles, 0.07 is Dawson's Kayles, 0.137 is Dawson's
//! Chess, 0.33 is a game of taking one or two.

use foregone_model::scene::{Anchor, Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, NormalPlay, Notation, Outcome, Side, TextError, Turn};

use crate::board::{Word, as_written, read_mover};
use crate::options::{Options, Value};
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "octal",
    "CODE,HEAP,… (0.77,5,7)",
    "Take counters from heaps and split them as the octal CODE says; who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let values = options.values();
    let Some((code, heaps)) = values.split_first() else {
        return Ok(Opened::normal_play(Octal::new(Code::kayles(), vec![5, 7]), Octal::scene));
    };
    let code = Code::read(code)?;
    if heaps.is_empty() {
        let message = format!("a game needs heaps: octal:{},5,7", code.text());
        return Err(GameError::Spec(options.error(message)));
    }
    let heaps = heaps.iter().map(|heap| heap.number(0, MOST).map(|n| n as u8));
    let heaps = heaps.collect::<Result<Vec<u8>, TextError>>()?;
    let counters: u32 = heaps.iter().map(|&heap| u32::from(heap)).sum();
    if counters > MOST {
        let message = format!("these heaps have {counters} counters: at most {MOST} fit");
        return Err(GameError::Spec(options.error(message)));
    }
    Ok(Opened::normal_play(Octal::new(code, heaps), Octal::scene))
}

/// How many counters there can be in all heaps.
pub const MOST: u32 = u128::BITS;

/// The rules of an octal game: the digits of its code, the one before the point first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code(Vec<u8>);

impl Code {
    /// Kayles.
    pub fn kayles() -> Code {
        Code(vec![0, 7, 7])
    }

    /// Reads `0.77`. A code has one text: zeros at the end say nothing.
    fn read(value: &Value<'_>) -> Result<Code, TextError> {
        let text = value.text;
        let Some((whole, digits)) = text.split_once('.') else {
            let message = format!("`{text}` is not the code of an octal game, such as 0.77");
            return Err(value.error(message));
        };
        let first = match whole {
            "" | "0" => 0,
            "4" => 4,
            _ => {
                let message = format!(
                    "`{whole}` stands before the point of `{text}`: a heap of which nothing is taken \
                     can only be split, so that is 0 or 4"
                );
                return Err(value.error(message));
            }
        };
        if digits.len() > MOST as usize {
            let message =
                format!("the code has {} digits behind the point, at most {MOST}", digits.len());
            return Err(value.error(message));
        }
        let mut code = vec![first];
        for c in digits.chars() {
            let digit = c.to_digit(8).ok_or_else(|| {
                value.error(format!("`{c}` in the code `{text}` is not a digit from 0 to 7"))
            })?;
            code.push(digit as u8);
        }
        while code.len() > 1 && code.ends_with(&[0]) {
            code.pop();
        }
        let code = Code(code);
        match code.text() {
            usual if usual == text => Ok(code),
            usual => Err(value.not_among(&[&usual], format!("this code is written `{usual}`"))),
        }
    }

    /// The code as people write it.
    fn text(&self) -> String {
        let digits: String = self.0[1..].iter().map(u8::to_string).collect();
        format!("{}.{}", self.0[0], if digits.is_empty() { "0" } else { &digits })
    }

    /// Calls with what can be made of a heap: two heaps, the larger one first, either of which may be
    /// empty.
    fn each(&self, heap: u8, mut found: impl FnMut(u8, u8)) {
        for (taken, &digit) in (0..=heap).zip(&self.0) {
            let left = heap - taken;
            match left {
                0 if digit & 1 == 1 => found(0, 0),
                0 => {}
                _ if taken > 0 && digit & 2 == 2 => found(left, 0),
                _ => {}
            }
            if digit & 4 == 4 {
                (1..=left / 2).for_each(|smaller| found(left - smaller, smaller));
            }
        }
    }

    fn is_dead(&self, heap: u8) -> bool {
        let mut dead = true;
        self.each(heap, |_, _| dead = false);
        dead
    }
}

/// An octal game from given heaps.
#[derive(Clone, Debug)]
pub struct Octal {
    code: Code,
    heaps: Vec<u8>,
    /// Whether there is no move in a heap of this size.
    dead: Vec<bool>,
}

/// The heaps, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The last counters of all heaps, if all counters lie in a row, the smallest heaps first: a set of
    /// counters, its lower half first.
    ends: [u64; 2],
    turn: Side,
}

foregone_model::stored!(State { ends, turn });

/// Makes two heaps of one, either of which may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Taken {
    heap: u8,
    larger: u8,
    smaller: u8,
}

foregone_model::stored!(Taken { heap, larger, smaller });

const PLAYERS: [&str; 2] = ["left", "right"];

impl State {
    /// The heaps, the smallest first.
    fn heaps(&self) -> impl Iterator<Item = u8> + use<> {
        let mut last = 0;
        let [low, high] = self.ends.map(u128::from);
        (low | high << u64::BITS).cells().map(move |end| {
            let heap = end + 1 - last;
            last = end + 1;
            heap as u8
        })
    }

    /// Heaps of any order, some of which may be empty.
    fn of(heaps: impl IntoIterator<Item = u8>, turn: Side) -> State {
        let mut heaps: Vec<u8> = heaps.into_iter().filter(|&heap| heap > 0).collect();
        heaps.sort_unstable();
        let mut counters = 0;
        let mut ends = [0; 2];
        for heap in heaps {
            counters += u32::from(heap);
            let last = counters - 1;
            ends[(last / u64::BITS) as usize] |= u64::bit(last % u64::BITS);
        }
        State { ends, turn }
    }
}

impl Octal {
    /// The game of a code with these heaps of at most [`MOST`] counters in all.
    pub fn new(code: Code, heaps: Vec<u8>) -> Octal {
        let counters: u32 = heaps.iter().map(|&heap| u32::from(heap)).sum();
        assert!(counters <= MOST, "the counters fit");
        let dead = (0..=MOST as u8).map(|heap| code.is_dead(heap)).collect();
        Octal { code, heaps, dead }
    }

    fn list(heaps: impl Iterator<Item = u8>) -> String {
        let words: Vec<String> = heaps.map(|heap| heap.to_string()).collect();
        if words.is_empty() { "0".to_owned() } else { words.join(",") }
    }
}

impl Game for Octal {
    type State = State;
    type Move = Taken;

    fn start(&self) -> State {
        State::of(self.heaps.iter().copied(), Side::Max)
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        let over = s.heaps().all(|heap| self.dead[usize::from(heap)]);
        if over { Turn::Over } else { Turn::Agent(s.turn.agent()) }
    }

    /// Heaps of one size are the same: there is a move in one of them only.
    fn moves(&self, s: &State, _agent: Agent, out: &mut Vec<Taken>) {
        let mut last = 0;
        for heap in s.heaps().filter(|&heap| std::mem::replace(&mut last, heap) != heap) {
            self.code.each(heap, |larger, smaller| out.push(Taken { heap, larger, smaller }));
        }
    }

    fn play(&self, s: &mut State, agent: Agent, m: Taken) {
        let mut heaps: Vec<u8> = s.heaps().collect();
        if let Some(place) = heaps.iter().position(|&heap| heap == m.heap) {
            heaps.swap_remove(place);
        }
        heaps.extend([m.larger, m.smaller]);
        *s = State::of(heaps, Side::of(agent).other());
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl Guide for Octal {
    type Packed = State;

    const PACKS_TURN: bool = true;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &State) -> State {
        *s
    }
}

impl Octal {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::new();
        let heaps: Vec<u8> = s.heaps().collect();
        if heaps.is_empty() {
            scene.label([0.0, 0.0], "no heaps", 0.36, Paint::Faint);
        }
        let longest = heaps.iter().chain(&self.heaps).max().map_or(1, |&n| n.max(1));
        let width = f64::min(0.5, 24.0 / f64::from(longest));
        let player = PLAYERS[s.turn.index()];
        let mut moves = Vec::new();
        self.moves(s, s.turn.agent(), &mut moves);
        for (row, &heap) in heaps.iter().enumerate() {
            let y = row as f64 * 1.2;
            scene.anchored([-0.5, y], heap.to_string(), 0.36, Anchor::End, Paint::Faint);
            let first = scene.cells.len();
            for number in 0..heap {
                let at = [f64::from(number) * width, y];
                let name = format!("{}.{}", row + 1, number + 1);
                let cell = scene.rectangle(name, at, [width * 0.56, 0.9], Paint::Plain);
                scene.piece(cell, Glyph::Block, Paint::Orange);
            }
            // Of heaps of one size the first one is touched.
            if row > 0 && heaps[row - 1] == heap {
                continue;
            }
            for &m in moves.iter().filter(|m| m.heap == heap) {
                let taken = usize::from(heap - m.larger - m.smaller);
                let from = first + usize::from(m.larger);
                let cells = if taken == 0 { from - 1..from + 1 } else { from..from + taken };
                scene.touch(player, self.move_text(s, m), cells, false);
            }
        }
        scene
    }
}

impl Notation for Octal {
    fn name(&self) -> String {
        let heaps: Vec<String> = self.heaps.iter().map(u8::to_string).collect();
        format!("octal:{},{}", self.code.text(), heaps.join(","))
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// A heap, and what is left of it: `7to0`, `7to5`, `7to4-1`.
    fn write_move(&self, _s: &State, m: Taken, out: &mut String) {
        out.push_str(&format!("{}to{}", m.heap, m.larger));
        if m.smaller > 0 {
            out.push_str(&format!("-{}", m.smaller));
        }
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<Taken> {
        let (heap, left) = text.split_once("to")?;
        let (larger, smaller) = left.split_once('-').unwrap_or((left, "0"));
        let number = |text: &str| text.parse::<u8>().ok();
        let m = Taken { heap: number(heap)?, larger: number(larger)?, smaller: number(smaller)? };
        // One text a move: no signs, no leading zeros.
        (self.move_text(s, m) == text).then_some(m)
    }

    fn write_position(&self, s: &State, out: &mut String) {
        out.push_str(&Octal::list(s.heaps()));
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (list, mover) = read_mover(text, &PLAYERS)?;
        let mut heaps = Vec::new();
        let (mut at, mut counters) = (0, 0);
        for word in list.split(',') {
            let heap = word.parse::<u8>().ok().filter(|&heap| u32::from(heap) <= MOST);
            let heap = heap.ok_or_else(|| {
                let message = format!("`{word}` is not a heap, expected a number up to {MOST}");
                TextError::new(message, at..at + word.len())
            })?;
            at += word.len() + 1;
            counters += u32::from(heap);
            heaps.push(heap);
        }
        if counters > MOST {
            let message = format!("these heaps have {counters} counters: at most {MOST} fit");
            return Err(TextError::new(message, 0..list.len()));
        }
        as_written(self, State::of(heaps, [Side::Max, Side::Min][mover]), text)
    }

    fn draw(&self, s: &State) -> String {
        let mut out = String::new();
        for heap in s.heaps() {
            out.push_str(&format!("{heap:>3}: {}\n", "I".repeat(usize::from(heap))));
        }
        if out.is_empty() { "no heaps\n".to_owned() } else { out }
    }
}

impl NormalPlay for Octal {
    fn with_turn(&self, s: &State, side: Side) -> State {
        State { turn: side, ..*s }
    }

    /// Heap by heap.
    fn split(&self, s: &State, out: &mut Vec<State>) {
        let live = s.heaps().filter(|&heap| !self.dead[usize::from(heap)]);
        out.extend(live.map(|heap| State::of([heap], Side::Max)));
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
    use std::collections::{BTreeSet, HashMap};

    use super::*;
    use crate::files::Files;
    use crate::normal_play_testing as normal_play;
    use crate::registry::open;
    use crate::testing;

    fn octal(code: &str, heaps: &[u8]) -> Octal {
        let code = Code::read(&Value { text: code, at: 0 }).unwrap();
        Octal::new(code, heaps.to_vec())
    }

    #[test]
    fn heaps_add_up() {
        for code in ["0.77", "0.07", "0.137", "4.0", "4.3", "0.6", "0.0", "0.4567"] {
            for heaps in [&[9][..], &[1, 4, 4, 7], &[12, 0, 2]] {
                normal_play::laws_hold(&octal(code, heaps), 2);
            }
        }
        normal_play::laws_hold(&octal("0.77", &[30, 30]), 1);
        normal_play::laws_hold(&octal("4.0", &[40]), 1);
    }

    /// Grundy values by the definition, of all heaps up to one.
    fn grundy(code: &str, most: u8) -> Vec<u8> {
        let game = octal(code, &[0]);
        let mut values: Vec<u8> = Vec::new();
        for heap in 0..=most {
            let mut options = BTreeSet::new();
            game.code.each(heap, |a, b| {
                options.insert(values[usize::from(a)] ^ values[usize::from(b)]);
            });
            values.push((0..).find(|value| !options.contains(value)).unwrap());
        }
        values
    }

    #[test]
    fn well_known_games_have_their_values() {
        let kayles = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7];
        assert_eq!(grundy("0.77", 23), kayles);
        let dawson = [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1];
        assert_eq!(grundy("0.07", 23), dawson);
        assert_eq!(grundy("0.137", 22)[1..], dawson[2..]);
        assert_eq!(grundy("0.33", 6), [0, 1, 2, 0, 1, 2, 0]);
    }

    #[test]
    fn searches_agree_with_values() {
        for code in ["0.77", "0.07", "4.3"] {
            let values = grundy(code, 8);
            for a in 0..=8 {
                for b in 0..=a {
                    let game = octal(code, &[a, b]);
                    let value = testing::solve(&game, &game.start(), &mut HashMap::new());
                    let equal = values[usize::from(a)] == values[usize::from(b)];
                    assert_eq!(value == Outcome::LOSS, equal, "{code} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn texts_round_trip() {
        for code in ["0.77", "4.07"] {
            testing::texts_round_trip(&octal(code, &[5, 3, 9]), 10);
        }
        let game = octal("0.77", &[5, 7]);
        testing::nonsense_is_refused(&game);
        assert!(game.read_position("0 left").is_ok());
        let error = game.read_position("7,5 left").unwrap_err();
        assert_eq!(error.choices, ["5,7 left"]);
        assert!(game.read_position("100,29 left").is_err());
        let s = game.read_position("2,2 left").unwrap();
        assert_eq!(testing::ordered_names(&game, &s), ["2to1", "2to0"]);
    }

    #[test]
    fn wrong_codes_are_named() {
        let open = |spec: &str| open(&Files::from_memory::<&str, &str>([]), spec);
        assert_eq!(open("octal:4.07,3,0").unwrap().name(), "octal:4.07,3,0");
        for (code, usual) in [(".77", "0.77"), ("0.770", "0.77"), ("4.", "4.0"), ("0.00", "0.0")] {
            let spec = format!("octal:{code},3");
            match open(&spec) {
                Err(GameError::Spec(error)) => assert_eq!(error.choices, [usual]),
                other => panic!("{code}: {other:?}"),
            }
        }
        for (spec, at, words) in [
            ("octal:77,3", 6..8, "not the code"),
            ("octal:2.7,3", 6..9, "0 or 4"),
            ("octal:0.78,3", 6..10, "`8`"),
            ("octal:0.77", 6..10, "needs heaps"),
            ("octal:0.77,x", 11..12, "whole number"),
            ("octal:0.77,100,29", 6..17, "129 counters"),
        ] {
            match open(spec) {
                Err(GameError::Spec(error)) => {
                    assert_eq!(error.span, at, "{spec}");
                    assert!(error.message.contains(words), "{}", error.message);
                }
                other => panic!("{spec}: {other:?}"),
            }
        }
    }
}
