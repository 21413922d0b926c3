//! Chinese dark chess, or banqi, on small boards.
//!
//! All pieces lie face down. A player turns one up, or moves one of the own ones that lie face up. The
//! colour of the first piece is that of who turned it. Nobody knows what lies face down, so that turning
//! is what chance decides.
//!
//! A piece moves one square along a row or a column, to an empty square or onto a piece of the other
//! colour that it takes. General, advisor, elephant, chariot, horse, cannon and soldier take what is of
//! their own rank or below it; but a general does not take a soldier, and a soldier takes a general. A
//! cannon takes in another way: along a row or a column, over exactly one other piece, whatever lies
//! behind it face up. These are the rules of Taiwan.
//!
//! Who has no piece or no move left has lost. After LIMIT moves in a row without a piece taken or turned
//! up it is a draw, so no position comes up again.

use foregone_model::number::counted;
use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Scale, Side, TextError, Turn};

use self::pieces::{
    Colour, EMPTY, FIRST_PIECE, HIDDEN, KINDS, LETTERS, SYMBOLS, piece, visit_piece,
};
use crate::board::{Grid, as_written, read_cells};
use crate::options::{Options, Value};
use crate::registry::{Entry, GameError, Opened};

pub(crate) mod pieces;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "dark-chess",
    "ROWSxCOLUMNS[,PIECES[,LIMIT]] (2x2,KC,10)",
    "Turn up pieces or take what ranks no higher; who cannot move loses, LIMIT quiet moves draw",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let values = options.values();
    if values.len() > 3 {
        let message = "there are at most three options: ROWSxCOLUMNS,PIECES,LIMIT";
        return Err(GameError::Spec(options.error(message)));
    }
    let size = values.first().map_or(Ok((2, 2)), |value| value.size((2, 2)))?;
    options.check_cells(size, 2, MOST_CELLS)?;
    let most = (size.0 * size.1 / 2) as usize;
    let mut pieces = [0; KINDS];
    let letters = values.get(1).map_or(&USUAL[..most], |value| value.text);
    for (at, letter) in letters.char_indices() {
        let Some(kind) = LETTERS.iter().position(|&l| l == letter) else {
            let message = format!("`{letter}` is not a piece, expected letters of KAERHCP");
            let at = values[1].at + at;
            return Err(GameError::Spec(TextError::new(message, at..at + letter.len_utf8())));
        };
        pieces[kind] += 1;
    }
    if !(1..=most).contains(&letters.chars().count()) {
        let found = counted(letters.chars().count() as u64, "piece");
        let message = format!("{found} a side, expected from 1 to {most} on this board");
        return Err(GameError::Spec(values[1].error(message)));
    }
    let limit = values.get(2).map_or(Ok(10), |value| value.number(1, 100))? as u8;
    let game = DarkChess { grid: Grid::new(size.0, size.1), pieces, limit };
    Ok(Opened::pictured(game, DarkChess::scene))
}

/// The most cells of a board.
pub const MOST_CELLS: u32 = 16;
/// The pieces of a side where none are named: as many of these as half of the board holds.
const USUAL: &str = "KCPAPEHR";

/// A board, the pieces of a side, and how many quiet moves make a draw.
#[derive(Clone, Debug)]
pub struct DarkChess {
    grid: Grid<u64>,
    pieces: [u32; KINDS],
    limit: u8,
}

/// What lies on the cells and what is still face down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Four bits each: `EMPTY`, `HIDDEN`, or a piece.
    cells: u64,
    /// How many of each piece lie face down, four bits each, by piece.
    hidden: u64,
    /// Moves in a row without a piece taken or turned up.
    quiet: u8,
    /// The cell that is being turned up, or `NONE`.
    flip: u8,
    /// The colour of the first player, once it is known.
    first: Option<Colour>,
    turn: Side,
}

foregone_model::stored!(State { cells, hidden, quiet, flip, first, turn });

const NONE: u8 = u8::MAX;

const PLAYERS: [&str; 2] = ["first", "second"];
const COLOURS: [&str; 3] = ["?", "red", "black"];
/// Moves of chance come with this bit: what a piece turns out to be.
const TURNS: u16 = 0x8000;

const LOSS: Outcome = Outcome(0);
const DRAW: Outcome = Outcome(1);
const WIN: Outcome = Outcome(2);

impl State {
    #[inline]
    fn at(self, cell: u32) -> u32 {
        (self.cells >> (4 * cell)) as u32 & 15
    }

    #[inline]
    fn put(&mut self, cell: u32, code: u32) {
        self.cells = self.cells & !(15 << (4 * cell)) | u64::from(code) << (4 * cell);
    }

    /// How many of a piece, by its code, lie face down.
    #[inline]
    fn hidden(self, code: u32) -> u32 {
        (self.hidden >> (4 * (code - FIRST_PIECE))) as u32 & 15
    }

    #[inline]
    fn hide(&mut self, code: u32, number: u32) {
        let at = 4 * (code - FIRST_PIECE);
        self.hidden = self.hidden & !(15 << at) | u64::from(number) << at;
    }

    /// The colour of a side, once it is known.
    #[inline]
    fn colour(self, side: Side) -> Option<Colour> {
        match side {
            Side::Max => self.first,
            Side::Min => self.first.map(Colour::other),
        }
    }
}

impl DarkChess {
    fn cells(&self) -> u32 {
        self.grid.rows * self.grid.cols
    }

    /// Whether a colour has a piece, face up or down.
    fn lives(&self, s: &State, colour: Colour) -> bool {
        let mut codes = FIRST_PIECE..SYMBOLS.len() as u32;
        let is = |code: u32| piece(code).is_some_and(|(_, c)| c == colour);
        (0..self.cells()).any(|cell| is(s.at(cell))) || codes.any(|c| is(c) && s.hidden(c) > 0)
    }

    /// Shows the moves of the player on turn to `see` until it says that it has seen enough.
    fn visit(&self, s: &State, mut see: impl FnMut(u16) -> bool) -> bool {
        let own = s.colour(s.turn);
        (0..self.cells()).any(|from| {
            let code = s.at(from);
            if code == HIDDEN {
                return see((from << 5 | from) as u16);
            }
            match piece(code) {
                Some(mover) if Some(mover.1) == own => {
                    let to_move = |to: u32| (from << 5 | to) as u16;
                    visit_piece(&self.grid, |cell| s.at(cell), from, mover, |to| see(to_move(to)))
                }
                _ => false,
            }
        })
    }

    /// The outcome, if it is over; no piece is being turned up.
    fn ended(&self, s: &State) -> Option<Outcome> {
        let lost = |side: Side| if side == Side::Max { LOSS } else { WIN };
        if let Some(first) = s.first {
            for (side, colour) in [(Side::Max, first), (Side::Min, first.other())] {
                if !self.lives(s, colour) {
                    return Some(lost(side));
                }
            }
        }
        if s.quiet >= self.limit {
            return Some(DRAW);
        }
        (!self.visit(s, |_| true)).then(|| lost(s.turn))
    }

    /// The pieces that lie face down, as letters.
    fn hidden_text(&self, s: &State) -> String {
        let mut out = String::new();
        let black = FIRST_PIECE + KINDS as u32;
        for code in (FIRST_PIECE..black).rev().chain((black..SYMBOLS.len() as u32).rev()) {
            out.extend((0..s.hidden(code)).map(|_| SYMBOLS[code as usize]));
        }
        if out.is_empty() { "-".to_owned() } else { out }
    }
}

impl Game for DarkChess {
    type State = State;
    /// The cell that a piece leaves times 32 and the one that it comes to, both the same to turn it up;
    /// or with `TURNS` what it turns out to be.
    type Move = u16;

    fn scale(&self) -> Scale {
        Scale::three()
    }

    fn start(&self) -> State {
        let mut s =
            State { cells: 0, hidden: 0, quiet: 0, flip: NONE, first: None, turn: Side::Max };
        let mut number = 0;
        for (kind, &count) in (FIRST_PIECE..).zip(&self.pieces) {
            s.hide(kind, count);
            s.hide(kind + KINDS as u32, count);
            number += 2 * count;
        }
        // Where the pieces do not fill the board, the last cells stay empty.
        (0..number).for_each(|cell| s.put(cell, HIDDEN));
        s
    }

    fn turn(&self, s: &State) -> Turn {
        if s.flip != NONE {
            Turn::Chance
        } else if self.ended(s).is_some() {
            Turn::Over
        } else {
            Turn::Agent(s.turn.agent())
        }
    }

    fn moves(&self, s: &State, _agent: Agent, out: &mut Vec<u16>) {
        if s.flip == NONE {
            self.visit(s, |m| {
                out.push(m);
                false
            });
        } else {
            let codes = (FIRST_PIECE..SYMBOLS.len() as u32).filter(|&code| s.hidden(code) > 0);
            out.extend(codes.map(|code| TURNS | code as u16));
        }
    }

    fn play(&self, s: &mut State, _agent: Agent, m: u16) {
        let (from, to) = (u32::from(m >> 5), u32::from(m & 31));
        if m & TURNS != 0 {
            let code = u32::from(m & !TURNS);
            s.put(u32::from(s.flip), code);
            s.hide(code, s.hidden(code) - 1);
            if let (None, Some((_, colour))) = (s.first, piece(code)) {
                s.first = Some(if s.turn == Side::Max { colour } else { colour.other() });
            }
            s.flip = NONE;
            s.quiet = 0;
            s.turn = s.turn.other();
        } else if from == to {
            s.flip = from as u8;
        } else {
            s.quiet = if s.at(to) == EMPTY { s.quiet + 1 } else { 0 };
            s.put(to, s.at(from));
            s.put(from, EMPTY);
            s.turn = s.turn.other();
        }
    }

    fn outcome(&self, s: &State) -> Outcome {
        self.ended(s).unwrap_or(DRAW)
    }

    fn has_chance(&self) -> bool {
        true
    }

    /// How many such pieces lie face down.
    fn weight(&self, s: &State, m: u16) -> u64 {
        s.hidden(u32::from(m & !TURNS)).into()
    }
}

impl Guide for DarkChess {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }
}

impl DarkChess {
    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        let turning = |row: u32, col: u32| match row * self.grid.cols + col == u32::from(s.flip) {
            true => Paint::Yellow,
            false => Paint::Wood,
        };
        let mut scene = self.grid.painted(turning, |cell| match s.at(cell) {
            EMPTY => None,
            HIDDEN => Some((Glyph::Disc, Paint::Wall)),
            code => {
                let paint = match piece(code) {
                    Some((_, Colour::Red)) => Paint::Red,
                    _ => Paint::Black,
                };
                let letter = SYMBOLS[code as usize].to_ascii_uppercase();
                Some((Glyph::Figure(letter.to_string()), paint))
            }
        });
        let flip = (s.flip != NONE).then_some(usize::from(s.flip));
        for code in FIRST_PIECE..SYMBOLS.len() as u32 {
            scene.touch("chance", SYMBOLS[code as usize].to_string(), flip, false);
        }
        scene.notes.extend(self.notes(s));
        scene
    }

    /// What the board does not show.
    fn notes(&self, s: &State) -> [String; 2] {
        let colour = match s.first {
            None => "the first piece decides who is red".to_owned(),
            Some(Colour::Red) => "first is red, second is black".to_owned(),
            Some(Colour::Black) => "first is black, second is red".to_owned(),
        };
        let quiet = format!("{} of {} quiet moves", s.quiet, self.limit);
        [format!("face down: {}", self.hidden_text(s)), format!("{colour}, {quiet}")]
    }
}

impl Notation for DarkChess {
    fn name(&self) -> String {
        let Grid { rows, cols, .. } = self.grid;
        let kinds = LETTERS.iter().zip(self.pieces).rev();
        let pieces: String = kinds.flat_map(|(&l, n)| (0..n).map(move |_| l)).collect();
        format!("dark-chess:{rows}x{cols},{pieces},{}", self.limit)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// `a1` turns a piece up, `a1-b1` moves it; of chance, the letter of the piece.
    fn write_move(&self, _s: &State, m: u16, out: &mut String) {
        let (from, to) = (u32::from(m >> 5), u32::from(m & 31));
        if m & TURNS != 0 {
            out.push(SYMBOLS[usize::from(m & !TURNS)]);
            return;
        }
        self.grid.write_cell(from, out);
        if from != to {
            out.push('-');
            self.grid.write_cell(to, out);
        }
    }

    fn parse_move(&self, _s: &State, text: &str) -> Option<u16> {
        let codes = FIRST_PIECE as usize..SYMBOLS.len();
        if let Some(code) = codes.into_iter().find(|&code| SYMBOLS[code].to_string() == text) {
            return Some(TURNS | code as u16);
        }
        let (from, rest) = self.grid.parse_cell(text)?;
        let to = match rest.strip_prefix('-') {
            None if rest.is_empty() => from,
            None => return None,
            Some(cell) => self.grid.parse_whole_cell(cell).filter(|&to| to != from)?,
        };
        Some((from << 5 | to) as u16)
    }

    /// The rows from the top, Red in capital letters, what lies face down, the quiet moves, the colour
    /// of the first player, and who is to move or turns up which cell: `K?/?p Pk 0 red second`.
    fn write_position(&self, s: &State, out: &mut String) {
        self.grid.write_rows(|cell| SYMBOLS[s.at(cell) as usize], out);
        let colour = match s.first {
            None => COLOURS[0],
            Some(Colour::Red) => COLOURS[1],
            Some(Colour::Black) => COLOURS[2],
        };
        let player = PLAYERS[s.turn.index()];
        out.push_str(&format!(" {} {} {colour} {player}", self.hidden_text(s), s.quiet));
        if s.flip != NONE {
            out.push_str("-turns-");
            self.grid.write_cell(s.flip.into(), out);
        }
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let words = Value { text, at: 0 }.split(' ');
        let [board, hidden, quiet, colour, mover] = words[..] else {
            let message = "expected the board, what lies face down, the quiet moves, the colour of the \
                           first player and who is to move, such as `K?/?p Pk 0 red second`";
            return Err(TextError::new(message, 0..text.len()));
        };
        let mut s =
            State { cells: 0, hidden: 0, quiet: 0, flip: NONE, first: None, turn: Side::Max };
        let codes = read_cells(board.text, &self.grid.row_lengths(), &SYMBOLS)?;
        for (cell, code) in self.grid.rows_from_top().flatten().zip(codes) {
            s.put(cell, code as u32);
        }
        self.read_hidden(&mut s, &hidden)?;
        s.quiet = quiet.number(0, self.limit.into())? as u8;
        s.first = match colour.text {
            "?" => None,
            "red" => Some(Colour::Red),
            "black" => Some(Colour::Black),
            other => {
                let message = format!("`{other}` is not a colour, expected `red`, `black` or `?`");
                return Err(colour.not_among(&COLOURS, message));
            }
        };
        let up = (0..self.cells()).any(|cell| piece(s.at(cell)).is_some());
        if up && s.first.is_none() {
            return Err(colour.error("a piece lies face up, so the colours are known"));
        }
        if !up && s.hidden == 0 {
            return Err(board.error("there are no pieces"));
        }
        let (player, turned) = match mover.text.split_once("-turns-") {
            None => (mover, None),
            Some((player, cell)) => (Value { text: player, at: mover.at }, Some(cell)),
        };
        let Some(turn) = PLAYERS.iter().position(|name| *name == player.text) else {
            let message =
                format!("`{}` is not a player, expected `first` or `second`", player.text);
            return Err(player.not_among(&PLAYERS, message));
        };
        s.turn = [Side::Max, Side::Min][turn];
        if let Some(name) = turned {
            let cell = self.grid.parse_whole_cell(name).filter(|&cell| s.at(cell) == HIDDEN);
            let message = format!("no piece lies face down on `{name}`");
            s.flip = cell.ok_or_else(|| mover.error(message))? as u8;
        }
        as_written(self, s, text)
    }

    fn draw(&self, s: &State) -> String {
        let mut out = self.grid.draw(|cell| SYMBOLS[s.at(cell) as usize]);
        for note in self.notes(s) {
            out.push_str(&note);
            out.push('\n');
        }
        if s.flip != NONE {
            let mut cell = String::new();
            self.grid.write_cell(s.flip.into(), &mut cell);
            out.push_str(&format!("{cell} is turned up\n"));
        }
        out
    }
}

impl DarkChess {
    fn read_hidden(&self, s: &mut State, word: &Value<'_>) -> Result<(), TextError> {
        let letters = if word.text == "-" { "" } else { word.text };
        for (at, letter) in letters.char_indices() {
            let code = (FIRST_PIECE..SYMBOLS.len() as u32).find(|&c| SYMBOLS[c as usize] == letter);
            let Some(code) = code.filter(|&code| s.hidden(code) < 15) else {
                let message =
                    format!("`{letter}` is not a piece, expected letters of KAERHCPkaerhcp");
                let at = word.at + at;
                return Err(TextError::new(message, at..at + letter.len_utf8()));
            };
            s.hide(code, s.hidden(code) + 1);
        }
        let down = (0..self.cells()).filter(|&cell| s.at(cell) == HIDDEN).count();
        if letters.chars().count() != down {
            let message = format!("{down} lie face down on the board, {} are named", letters.len());
            return Err(word.error(message));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance_testing::{after, end, laws, listed, value_at_start};
    use crate::{chance_testing, testing};

    fn game(rows: u32, cols: u32, letters: &str, limit: u8) -> DarkChess {
        let mut pieces = [0; KINDS];
        for letter in letters.chars() {
            pieces[LETTERS.iter().position(|&l| l == letter).unwrap()] += 1;
        }
        DarkChess { grid: Grid::new(rows, cols), pieces, limit }
    }

    #[test]
    fn positions_keep_the_laws_of_chance() {
        for (rows, cols, letters) in [
            (1, 2, "K"),
            (2, 2, "KP"),
            (2, 3, "KPA"),
            (3, 3, "KPAC"),
            (4, 4, "KPAPCEHR"),
            (1, 16, "CCCCCCCC"),
        ] {
            laws(&game(rows, cols, letters, 6), 20);
        }
        let cases = [
            ("??/??", 0..5),
            ("??/? KPkp 0 ? first", 3..4),
            ("??/?x KPkp 0 ? first", 4..5),
            ("??/?? KPk 0 ? first", 6..9),
            ("??/?? KPkx 0 ? first", 9..10),
            ("??/?? KPkp 7 ? first", 11..12),
            ("??/?? KPkp 0 blue first", 13..17),
            ("K?/?? Pkp 0 ? first", 12..13),
            ("../.. - 0 red first", 0..5),
            ("??/?? KPkp 0 ? third", 15..20),
            ("K?/?? Pkp 0 red first-turns-a2", 16..30),
            ("??/?? PKkp 0 ? first", 0..20),
        ];
        chance_testing::mistakes_show_their_place(&game(2, 2, "KP", 6), &cases);
    }

    #[test]
    fn pieces_are_turned_up() {
        let game = game(2, 2, "KP", 6);
        let start = game.position_text(&game.start());
        assert_eq!(start, "??/?? KPkp 0 ? first");
        assert_eq!(listed(&game, &start), "a1 b1 a2 b2");
        assert_eq!(listed(&game, "??/?? KPkp 0 ? first-turns-b1"), "Px1 Kx1 px1 kx1");
        assert_eq!(after(&game, &start, "b1 k"), "??/?k KPp 0 black second");
        assert_eq!(after(&game, &start, "b1 k a1 P"), "??/Pk Kp 0 black first");
        assert_eq!(after(&game, "??/.k KP 0 black first", "b1-a1"), "??/k. KP 1 black second");
        let two = "??/?? PPpp 0 ? first-turns-a1";
        assert_eq!(listed(&game, two), "Px2 px2");
    }

    #[test]
    fn ranks_decide_what_is_taken() {
        let game = game(3, 3, "KPAC", 6);
        let taken = |own: char, other: char| {
            let text = format!("{own}{other}./.../..? k 0 red first");
            listed(&game, &text).contains("a3-b3")
        };
        let order = "PCHREAK";
        for (i, own) in order.chars().enumerate() {
            for (j, other) in order.to_ascii_lowercase().chars().enumerate() {
                let expected = match (own, other) {
                    ('C', _) | ('K', 'p') => false,
                    ('P', 'k') => true,
                    _ => i >= j,
                };
                assert_eq!(taken(own, other), expected, "{own} {other}");
            }
        }
        // Own pieces and those face down are not taken.
        assert_eq!(listed(&game, "KA./?../..p k 0 red first"), "a2 b3-c3 b3-b2");
    }

    #[test]
    fn cannons_jump() {
        let board = game(3, 3, "KPAC", 6);
        // Over a piece face down, and over one of either colour; not over none or two.
        assert_eq!(listed(&board, "C?k/A../p.. P 0 red first"), "a2-b2 a2-a1 a3-c3 a3-a1 b3");
        assert_eq!(listed(&board, "C.k/.../p.. - 0 red first"), "a3-b3 a3-a2");
        let row = game(1, 5, "KP", 6);
        assert!(listed(&row, "C?p.k P 0 red first").contains("a1-c1"));
        assert!(!listed(&row, "C?pk. P 0 red first").contains("a1-d1"));
        assert_eq!(listed(&row, "C.p.k - 0 red first"), "a1-b1 a1-e1");
    }

    #[test]
    fn games_end() {
        let board = game(2, 2, "KP", 2);
        assert_eq!(end(&board, "Kk/.. - 0 red first", "a2-b2"), "win");
        assert_eq!(end(&board, "Kk/.. - 0 red second", "b2-a2"), "loss");
        assert_eq!(end(&board, "K./.p - 1 red first", "a2-a1"), "draw");
        // A piece that is taken begins the count anew; who cannot move loses.
        assert_eq!(end(&board, "Kk/.. - 1 red first", "a2-b2"), "win");
        let row = game(1, 3, "KP", 9);
        assert_eq!(end(&row, "K.p - 0 black first", "c1-b1"), "win");
    }

    /// The values of problems/chance.py.
    #[test]
    fn boards_are_worth_what_they_were() {
        for (rows, cols, letters, limit, value) in
            [(1, 2, "K", 4, "1"), (2, 2, "K", 4, "1"), (2, 2, "KP", 4, "0"), (2, 2, "KC", 3, "1/3")]
        {
            let game = game(rows, cols, letters, limit);
            assert_eq!(value_at_start(&game), value, "{}", game.name());
        }
        let game = game(2, 2, "KP", 10);
        let counts = [1, 2, 3, 4, 5].map(|n| testing::perft(&game, &game.start(), n));
        assert_eq!(counts, [4, 16, 48, 144, 336]);
    }
}
