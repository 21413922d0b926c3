//! Kayles (H. E. Dudeney, 1908; solved by P. M. Grundy, C. A. B. Smith and R. K. Guy).
//!
//! Pins stand in rows. A player knocks down one pin, or two that stand side by side. Who cannot move
//! loses.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, NormalPlay, Notation, Outcome, Side, TextError, Turn};

use crate::board::Word;
use crate::board::rows::{self, Rows};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "kayles",
    "PINS,PINS,… (5,7)",
    "Knock down a pin, or two side by side, in rows of pins; a player who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let values = options.values();
    if values.is_empty() {
        return Ok(Opened::normal_play(Kayles::<u64>::new(vec![5, 7]), Kayles::scene));
    }
    let lengths = values.iter().map(|value| value.number(1, u128::BITS));
    let lengths = lengths.collect::<Result<Vec<u32>, TextError>>()?;
    let pins = lengths.iter().map(|&length| length as usize).collect::<Vec<_>>();
    rows::check(&pins).map_err(|message| options.error(message))?;
    Ok(match lengths.iter().sum() {
        0..=64 => Opened::normal_play(Kayles::<u64>::new(lengths), Kayles::scene),
        _ => Opened::normal_play(Kayles::<u128>::new(lengths), Kayles::scene),
    })
}

/// Kayles with rows of pins.
#[derive(Clone, Debug)]
pub struct Kayles<W> {
    rows: Rows<W>,
}

/// The pins that stand, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    standing: W,
    turn: Side,
}

foregone_model::stored!(State<W: Word> { standing, turn });

const PLAYERS: [&str; 2] = ["left", "right"];
const SYMBOLS: [char; 2] = ['.', 'i'];

impl<W: Word> Kayles<W> {
    /// Rows of so many pins, at least 1 in each. They must fit into the word.
    pub fn new(lengths: Vec<u32>) -> Kayles<W> {
        Kayles { rows: Rows::new(lengths) }
    }

    /// The first ones of two pins side by side.
    #[inline]
    fn pairs(&self, s: &State<W>) -> W {
        s.standing & self.rows.west(s.standing)
    }

    #[inline]
    fn hit(&self, m: u8) -> W {
        let pin = W::bit(u32::from(m / 2));
        if m.is_multiple_of(2) { pin } else { pin | self.rows.east(pin) }
    }

    fn symbol(&self, s: &State<W>, cell: u32) -> char {
        SYMBOLS[usize::from(s.standing.has(cell))]
    }
}

impl<W: Word> Game for Kayles<W> {
    type State = State<W>;
    /// Twice the first pin, and 1 more if the next one falls, too.
    type Move = u8;

    fn start(&self) -> State<W> {
        State { standing: self.rows.full, turn: Side::Max }
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        if s.standing.is_empty() { Turn::Over } else { Turn::Agent(s.turn.agent()) }
    }

    #[inline]
    fn moves(&self, s: &State<W>, _agent: Agent, out: &mut Vec<u8>) {
        out.extend(s.standing.cells().map(|pin| pin as u8 * 2));
        out.extend(self.pairs(s).cells().map(|pin| pin as u8 * 2 + 1));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u8) {
        s.standing = s.standing & !self.hit(m);
        s.turn = Side::of(agent).other();
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl<W: Word> Guide for Kayles<W> {
    type Packed = State<W>;

    const PACKS_TURN: bool = true;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &State<W>) -> State<W> {
        *s
    }

    #[inline]
    fn mobility(&self, s: &State<W>, _agent: Agent) -> u32 {
        s.standing.count() + self.pairs(s).count()
    }
}

impl<W: Word> Kayles<W> {
    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        let stand = |cell| s.standing.has(cell).then_some((Glyph::Disc, Paint::Orange));
        let mut scene = self.rows.squares(stand);
        let mut moves = Vec::new();
        self.moves(s, s.turn.agent(), &mut moves);
        for m in moves {
            let cells = self.hit(m).cells().map(|c| c as usize);
            scene.touch(PLAYERS[s.turn.index()], self.move_text(s, m), cells, false);
        }
        scene
    }
}

impl<W: Word> Notation for Kayles<W> {
    fn name(&self) -> String {
        let lengths = self.rows.ranges().iter().map(|row| row.len().to_string());
        format!("kayles:{}", lengths.collect::<Vec<_>>().join(","))
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// The pins that fall: `c1`, or `c1d1`.
    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        for pin in self.hit(m).cells() {
            self.rows.write_cell(pin, out);
        }
    }

    fn parse_move(&self, s: &State<W>, text: &str) -> Option<u8> {
        let (pin, rest) = self.rows.parse_cell(text)?;
        let m = pin as u8 * 2 + u8::from(!rest.is_empty());
        (self.move_text(s, m) == text).then_some(m)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        self.rows.write(|cell| self.symbol(s, cell), out);
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let (sets, mover) = self.rows.read(text, &SYMBOLS, &PLAYERS)?;
        Ok(State { standing: sets[1], turn: [Side::Max, Side::Min][mover] })
    }

    fn draw(&self, s: &State<W>) -> String {
        self.rows.draw(|cell| self.symbol(s, cell))
    }
}

impl<W: Word> NormalPlay for Kayles<W> {
    fn with_turn(&self, s: &State<W>, side: Side) -> State<W> {
        State { turn: side, ..*s }
    }

    /// Pins that stand side by side.
    fn split(&self, s: &State<W>, out: &mut Vec<State<W>>) {
        for run in self.rows.runs(s.standing) {
            let length = run.end - run.start;
            let standing = W::first(length) << self.rows.home(length);
            out.push(State { standing, turn: Side::Max });
        }
    }

    fn negative(&self, part: &State<W>) -> Option<State<W>> {
        Some(*part)
    }

    fn impartial(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::normal_play_testing as normal_play;
    use crate::testing;

    #[test]
    fn parts_add_up() {
        for lengths in [vec![1], vec![8], vec![5, 7], vec![3, 1, 4, 1, 5]] {
            normal_play::laws_hold(&Kayles::<u64>::new(lengths), 2);
        }
        normal_play::laws_hold(&Kayles::<u128>::new(vec![50, 30]), 1);
    }

    #[test]
    fn texts_round_trip() {
        for lengths in [vec![1], vec![9, 2], vec![128]] {
            testing::texts_round_trip(&Kayles::<u128>::new(lengths), 5);
        }
        testing::nonsense_is_refused(&Kayles::<u64>::new(vec![3, 4]));
        let game = Kayles::<u64>::new(vec![3, 2]);
        let s = game.read_position("i.i/ii right").unwrap();
        assert_eq!(testing::ordered_names(&game, &s), ["a1", "c1", "a2", "b2", "a2b2"]);
    }

    #[test]
    fn a_row_is_won_in_the_middle() {
        // What is left and right of the middle is alike, and the second player copies.
        for length in 1..13 {
            let game = Kayles::<u64>::new(vec![length]);
            let value = testing::solve(&game, &game.start(), &mut HashMap::new());
            assert_eq!(value, Outcome::WIN, "{length}");
            let game = Kayles::<u64>::new(vec![length, length]);
            if length < 9 {
                let value = testing::solve(&game, &game.start(), &mut HashMap::new());
                assert_eq!(value, Outcome::LOSS, "{length}");
            }
        }
    }
}
