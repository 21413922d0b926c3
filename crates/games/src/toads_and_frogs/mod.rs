//! Toads and Frogs (R. K. Guy; E. R. Berlekamp, J. H. Conway and R. K. Guy, *Winning Ways*, 1982), and
//! its generalization with four parameters.
//!
//! Toads (`x`) go to the right and belong to Left, frogs (`o`) go to the left and belong to Right. If
//! the square ahead is empty, an animal slides ahead over empty squares, from MIN up to MAX of them. If
//! it is not, the animal jumps over one animal or more, up to JUMP of them that stand without a gap,
//! onto the empty square behind them: over animals of the other kind only, or over any if FRIENDLY is
//! 1. In the classic game all slides and jumps are by one: 1,1,1,0. Who cannot move loses.
//!
//! In the impartial game either player may move toads and frogs.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Character, Game, Guide, NormalPlay, Notation, Outcome, Side, TextError, Turn,
};

use crate::board::rows::{self, Rows};
use crate::board::{Word, sort_by_rank};
use crate::options::{Options, Value};
use crate::registry::{Entry, GameError, Opened};

mod parts;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "toads-and-frogs",
    "ROW/ROW/…[,MIN,MAX,JUMP,FRIENDLY][,impartial] (xxx..ooo)",
    "Toads go right, frogs left, sliding or jumping over one; a player who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let mut values = options.values();
    let impartial = values.last().is_some_and(|value| value.text == IMPARTIAL) && values.len() > 1;
    if impartial {
        values.pop();
    }
    let (row, rules) = match &values[..] {
        [] => ("xxx..ooo", Rules::CLASSIC),
        [row] => (row.text, Rules::CLASSIC),
        [row, numbers @ ..] if numbers.len() == 4 => (row.text, Rules::read(numbers)?),
        _ => {
            let message = "expected one row or several, then MIN,MAX,JUMP,FRIENDLY or none of them, \
                           then `impartial` or not";
            return Err(GameError::Spec(options.error(message)));
        }
    };
    let rules = Rules { impartial, ..rules };
    let error = |message| GameError::Spec(options.error_about(row, message));
    Ok(match row.len() {
        0..=64 => {
            let game = ToadsAndFrogs::<u64>::new(row, rules).map_err(error)?;
            Opened::normal_play(game, ToadsAndFrogs::scene)
        }
        _ => {
            let game = ToadsAndFrogs::<u128>::new(row, rules).map_err(error)?;
            Opened::normal_play(game, ToadsAndFrogs::scene)
        }
    })
}

const IMPARTIAL: &str = "impartial";

/// How animals move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The least and the greatest number of squares of a slide.
    pub slides: [u32; 2],
    /// How many animals a jump goes over at most.
    pub jump: u32,
    /// Whether it may go over animals of the own kind.
    pub friendly: bool,
    /// Whether either player moves animals of both kinds.
    pub impartial: bool,
}

impl Rules {
    /// Slides by one square, jumps over one animal of the other kind.
    pub const CLASSIC: Rules = Rules { slides: [1, 1], jump: 1, friendly: false, impartial: false };

    fn read(values: &[Value<'_>]) -> Result<Rules, TextError> {
        let most = u128::BITS;
        let least = values[0].number(1, most)?;
        Ok(Rules {
            slides: [least, values[1].number(least, most)?],
            jump: values[2].number(0, most)?,
            friendly: values[3].number(0, 1)? == 1,
            impartial: false,
        })
    }
}

/// Toads and Frogs with rows that were typed.
#[derive(Clone, Debug)]
pub struct ToadsAndFrogs<W> {
    rows: Rows<W>,
    rules: Rules,
    start: [W; 2],
}

/// Where the animals are, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    /// Toads and frogs; a blocked square is in both.
    sets: [W; 2],
    turn: Side,
}

foregone_model::stored!(State<W: Word> { sets, turn });

/// An animal goes from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hop {
    from: u8,
    to: u8,
}

foregone_model::stored!(Hop { from, to });

const PLAYERS: [&str; 2] = ["left", "right"];
const SYMBOLS: [char; 4] = ['.', 'x', 'o', '#'];

impl<W: Word> ToadsAndFrogs<W> {
    /// Rows separated by `/`: `x` for a toad, `o` for a frog, `.` for an empty square, `#` for a blocked
    /// one. They must fit into the word; the message says what is wrong.
    pub fn new(text: &str, rules: Rules) -> Result<ToadsAndFrogs<W>, String> {
        let (rows, sets) = rows::read_start(text, &SYMBOLS)?;
        Ok(ToadsAndFrogs { rows, rules, start: [sets[1] | sets[3], sets[2] | sets[3]] })
    }

    fn symbol(&self, [one, two]: [W; 2], cell: u32) -> char {
        SYMBOLS[usize::from(one.has(cell)) + 2 * usize::from(two.has(cell))]
    }

    /// The square ahead of one, for animals of this kind.
    #[inline]
    fn ahead(&self, square: W, kind: Side) -> W {
        match kind {
            Side::Max => self.rows.east(square),
            Side::Min => self.rows.west(square),
        }
    }

    /// Calls with the squares where the animal of this kind on a square may go.
    #[inline]
    fn each_target(&self, sets: [W; 2], kind: Side, from: u32, mut found: impl FnMut(u32)) {
        let [toads, frogs] = [sets[0] & !sets[1], sets[1] & !sets[0]];
        let empty = self.rows.full & !(sets[0] | sets[1]);
        let own = if kind == Side::Max { toads } else { frogs };
        let mut square = self.ahead(W::bit(from), kind);
        if !(square & empty).is_empty() {
            for slid in 1..=self.rules.slides[1] {
                if (square & empty).is_empty() {
                    return;
                }
                if slid >= self.rules.slides[0] {
                    found(square.lowest());
                }
                square = self.ahead(square, kind);
            }
            return;
        }
        let over = if self.rules.friendly { toads | frogs } else { (toads | frogs) & !own };
        for _ in 0..self.rules.jump {
            if (square & over).is_empty() {
                return;
            }
            square = self.ahead(square, kind);
            if !(square & empty).is_empty() {
                return found(square.lowest());
            }
        }
    }

    /// Calls with the moves of a player.
    #[inline]
    fn each_move(&self, s: &State<W>, side: Side, mut found: impl FnMut(Hop)) {
        let [one, two] = s.sets;
        let kinds = [(Side::Max, one & !two), (Side::Min, two & !one)];
        for (kind, animals) in kinds.into_iter().filter(|&(kind, _)| self.moves_kind(side, kind)) {
            for from in animals.cells() {
                self.each_target(s.sets, kind, from, |to| {
                    found(Hop { from: from as u8, to: to as u8 });
                });
            }
        }
    }

    #[inline]
    fn moves_kind(&self, side: Side, kind: Side) -> bool {
        side == kind || self.rules.impartial
    }
}

impl<W: Word> Game for ToadsAndFrogs<W> {
    type State = State<W>;
    type Move = Hop;

    fn start(&self) -> State<W> {
        State { sets: self.start, turn: Side::Max }
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        let mut over = true;
        self.each_move(s, s.turn, |_| over = false);
        if over { Turn::Over } else { Turn::Agent(s.turn.agent()) }
    }

    #[inline]
    fn moves(&self, s: &State<W>, agent: Agent, out: &mut Vec<Hop>) {
        self.each_move(s, Side::of(agent), |m| out.push(m));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: Hop) {
        let [from, to] = [m.from, m.to].map(|square| W::bit(u32::from(square)));
        let kind = usize::from((s.sets[0] & from).is_empty());
        s.sets[kind] = (s.sets[kind] & !from) | to;
        s.turn = Side::of(agent).other();
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl<W: Word> Guide for ToadsAndFrogs<W> {
    type Packed = State<W>;

    const PACKS_TURN: bool = true;

    foregone_model::stored_by_parts!();

    fn character(&self) -> Character {
        if self.rules.impartial { Character::Plain } else { Character::MobileAndOrdered }
    }

    #[inline]
    fn pack(&self, s: &State<W>) -> State<W> {
        *s
    }

    #[inline]
    fn mobility(&self, s: &State<W>, agent: Agent) -> u32 {
        let mut count = 0;
        self.each_move(s, Side::of(agent), |_| count += 1);
        count
    }

    /// By the moves that are left, own ones less the opponent's. Where those are the same it is worth
    /// something to go slowly: moves that are not made now can be made later.
    fn order(&self, s: &State<W>, agent: Agent, moves: &mut [Hop]) {
        if self.rules.impartial {
            return;
        }
        // More does not fit the rank.
        const MOST: i16 = 200;
        let other = Side::of(agent).other().agent();
        sort_by_rank(moves, |m| {
            let mut after = *s;
            self.play(&mut after, agent, m);
            let [own, theirs] = [agent, other].map(|a| self.mobility(&after, a) as i16);
            (own - theirs).clamp(-MOST, MOST) * 128 - i16::from(m.from.abs_diff(m.to))
        });
    }
}

impl<W: Word> ToadsAndFrogs<W> {
    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        self.rows.squares(|cell| match self.symbol(s.sets, cell) {
            'x' => Some((Glyph::Figure("▶".to_owned()), Paint::Blue)),
            'o' => Some((Glyph::Figure("◀".to_owned()), Paint::Red)),
            '#' => Some((Glyph::Block, Paint::Wall)),
            _ => None,
        })
    }
}

impl<W: Word> Notation for ToadsAndFrogs<W> {
    fn name(&self) -> String {
        let mut name = "toads-and-frogs:".to_owned();
        self.rows.write(|cell| self.symbol(self.start, cell), &mut name);
        let Rules { slides: [least, most], jump, friendly, impartial } = self.rules;
        name.push_str(&format!(",{least},{most},{jump},{}", u8::from(friendly)));
        if impartial {
            name.push_str(&format!(",{IMPARTIAL}"));
        }
        name
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State<W>, m: Hop, out: &mut String) {
        self.rows.write_cell(u32::from(m.from), out);
        self.rows.write_cell(u32::from(m.to), out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<Hop> {
        let (from, rest) = self.rows.parse_cell(text)?;
        let (to, rest) = self.rows.parse_cell(rest)?;
        let m = Hop { from: from as u8, to: to as u8 };
        (rest.is_empty() && from != to).then_some(m)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        self.rows.write(|cell| self.symbol(s.sets, cell), out);
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let (sets, mover) = self.rows.read(text, &SYMBOLS, &PLAYERS)?;
        let sets = [sets[1] | sets[3], sets[2] | sets[3]];
        Ok(State { sets, turn: [Side::Max, Side::Min][mover] })
    }

    fn draw(&self, s: &State<W>) -> String {
        self.rows.draw(|cell| self.symbol(s.sets, cell))
    }
}

impl<W: Word> NormalPlay for ToadsAndFrogs<W> {
    fn with_turn(&self, s: &State<W>, side: Side) -> State<W> {
        State { turn: side, ..*s }
    }

    /// Stretches of a row that nothing leaves or enters any more; see `parts.rs`.
    fn split(&self, s: &State<W>, out: &mut Vec<State<W>>) {
        let [one, two] = s.sets;
        for run in self.rows.runs(self.rows.full & !(one & two)) {
            let row: Vec<char> = run.map(|cell| self.symbol(s.sets, cell)).collect();
            for stretch in parts::of(&row, &self.rules) {
                let part = self.part(&stretch);
                if [Side::Max, Side::Min].iter().any(|&side| self.can_move(&part, side)) {
                    out.push(part);
                }
            }
        }
    }

    /// The mirror image, toads for frogs.
    fn negative(&self, part: &State<W>) -> Option<State<W>> {
        let [one, two] = part.sets;
        let cells = (self.rows.full & !(one & two)).cells();
        let row: Vec<char> = cells.map(|cell| self.symbol(part.sets, cell)).collect();
        Some(self.part(&parts::mirrored(&row)))
    }

    fn impartial(&self) -> bool {
        self.rules.impartial
    }
}

impl<W: Word> ToadsAndFrogs<W> {
    fn can_move(&self, s: &State<W>, side: Side) -> bool {
        let mut can = false;
        self.each_move(s, side, |_| can = true);
        can
    }

    /// A stretch of squares at the beginning of a row, all others blocked. Where everybody moves all
    /// animals, the mirror image with toads for frogs is the same game.
    fn part(&self, row: &[char]) -> State<W> {
        let home = self.rows.home(row.len() as u32);
        let place = |row: &[char]| {
            let mut sets = [self.rows.full; 2];
            for (cell, symbol) in (home..).zip(row) {
                let square = W::bit(cell);
                sets[0] = if *symbol == 'x' { sets[0] } else { sets[0] & !square };
                sets[1] = if *symbol == 'o' { sets[1] } else { sets[1] & !square };
            }
            sets
        };
        let sets = match self.rules.impartial {
            true => place(row).min(place(&parts::mirrored(row))),
            false => place(row),
        };
        State { sets, turn: Side::Max }
    }
}

#[cfg(test)]
mod tests;
