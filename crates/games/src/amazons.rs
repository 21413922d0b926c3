//! Amazons (Walter Zamkauskas, 1988), mostly on small boards.
//!
//! Each player has amazons, which move like a queen of chess. Who moves an amazon then shoots an arrow
//! from where it stands, which flies like a queen, too, and blocks the cell where it lands for good.
//! Nobody moves or shoots over an amazon or a blocked cell. A player who cannot move loses.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Character, Game, Guide, NormalPlay, Notation, Outcome, Side, TextError, Turn,
};

use crate::board::{Grid, Word};
use crate::options::Options;
use crate::picture::stone;
use crate::pieces::{PLAYERS, State};
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("amazons:3x4"),
    ..Entry::in_turn(
        "amazons",
        "ROWSxCOLUMNS (4x4)",
        "Move like a queen, then shoot an arrow that blocks a cell; a player who cannot move loses",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (rows, cols) = options.size((4, 4))?;
    Ok(match options.fits_64((rows, cols), |rows, cols| rows * cols)? {
        true => Opened::normal_play(Amazons::<u64>::new(rows, cols), Amazons::scene),
        false => Opened::normal_play(Amazons::<u128>::new(rows, cols), Amazons::scene),
    })
}

/// Amazons on a rectangular board.
#[derive(Clone, Debug)]
pub struct Amazons<W> {
    grid: Grid<W>,
}

/// Moves an amazon and shoots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shot {
    from: u8,
    to: u8,
    arrow: u8,
}

foregone_model::stored!(Shot { from, to, arrow });

impl<W: Word> Amazons<W> {
    /// A board of this size; it must fit into the word.
    pub fn new(rows: u32, cols: u32) -> Amazons<W> {
        Amazons { grid: Grid::new(rows, cols) }
    }

    /// The amazons of the first player: two in the first row, a third of it away from its ends, and on
    /// boards of at least 6x6 two at the edges, a third of the rows up. On 10x10 this is the usual board.
    fn first_amazons(&self) -> W {
        let Grid { rows, cols, .. } = self.grid;
        let (up, in_row) = ((rows - 1) / 3, (cols - 1) / 3);
        let below = W::bit(in_row) | W::bit(cols - 1 - in_row);
        match rows.min(cols) {
            0..6 => below,
            _ => below | W::bit(up * cols) | W::bit(up * cols + cols - 1),
        }
    }

    /// Calls for all moves of an amazon.
    fn shots(&self, s: &State<W>, from: u32, mut each: impl FnMut(Shot)) {
        let amazon = W::bit(from);
        let empty = s.empty(&self.grid);
        for to in self.grid.queen(amazon, empty).cells() {
            for arrow in self.grid.queen(W::bit(to), (empty | amazon) & !W::bit(to)).cells() {
                each(Shot { from: from as u8, to: to as u8, arrow: arrow as u8 });
            }
        }
    }

    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        let mut scene = self.grid.checkered(|cell| match s.symbol(cell) {
            '#' => Some((Glyph::Block, Paint::Wall)),
            symbol => stone(symbol),
        });
        let agent = s.turn.agent();
        let mut moves = Vec::new();
        self.moves(s, agent, &mut moves);
        for m in moves {
            let cells = [m.from, m.to, m.arrow].map(usize::from);
            scene.touch(PLAYERS[s.turn.index()], self.move_text(s, m), cells, true);
        }
        scene
    }
}

impl<W: Word> Game for Amazons<W> {
    type State = State<W>;
    type Move = Shot;

    fn start(&self) -> State<W> {
        let first = self.first_amazons();
        let mut second = [first];
        self.grid.mirror_rows(&mut second);
        State::of([first, second[0] & !first])
    }

    fn turn(&self, s: &State<W>) -> Turn {
        let own = s.pieces[s.turn.index()];
        // Who can step can also shoot back.
        match (self.grid.near(own) & s.empty(&self.grid)).is_empty() {
            true => Turn::Over,
            false => Turn::Agent(s.turn.agent()),
        }
    }

    fn moves(&self, s: &State<W>, agent: Agent, out: &mut Vec<Shot>) {
        for from in s.pieces[Side::of(agent).index()].cells() {
            self.shots(s, from, |m| out.push(m));
        }
    }

    fn play(&self, s: &mut State<W>, agent: Agent, m: Shot) {
        let side = Side::of(agent);
        let own = &mut s.pieces[side.index()];
        *own = *own ^ W::bit(u32::from(m.from)) ^ W::bit(u32::from(m.to));
        s.blocked = s.blocked | W::bit(u32::from(m.arrow));
        s.turn = side.other();
    }

    fn outcome(&self, s: &State<W>) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl<W: Word> Guide for Amazons<W> {
    type Packed = [W; 3];

    foregone_model::stored_by_parts!();

    fn character(&self) -> Character {
        Character::Mobile
    }

    /// Who is to move follows from the number of arrows in all positions of one search.
    fn pack(&self, s: &State<W>) -> [W; 3] {
        [s.pieces[0], s.pieces[1], s.blocked]
    }

    fn mobility(&self, s: &State<W>, agent: Agent) -> u32 {
        let mut count = 0;
        for from in s.pieces[Side::of(agent).index()].cells() {
            self.shots(s, from, |_| count += 1);
        }
        count
    }

    fn canonical(&self, s: &State<W>) -> State<W> {
        let [max, min, blocked] = self.grid.least_image([s.pieces[0], s.pieces[1], s.blocked]);
        State { pieces: [max, min], blocked, turn: s.turn }
    }
}

impl<W: Word> Notation for Amazons<W> {
    fn name(&self) -> String {
        format!("amazons:{}x{}", self.grid.rows, self.grid.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State<W>, m: Shot, out: &mut String) {
        self.grid.write_cell(u32::from(m.from), out);
        out.push('-');
        self.grid.write_cell(u32::from(m.to), out);
        out.push('/');
        self.grid.write_cell(u32::from(m.arrow), out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<Shot> {
        let (from, rest) = self.grid.parse_cell(text)?;
        let (to, rest) = self.grid.parse_cell(rest.strip_prefix('-')?)?;
        let arrow = self.grid.parse_whole_cell(rest.strip_prefix('/')?)?;
        Some(Shot { from: from as u8, to: to as u8, arrow: arrow as u8 })
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        s.write(&self.grid, PLAYERS, out);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        State::read(&self.grid, text, PLAYERS)
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|cell| s.symbol(cell))
    }
}

impl<W: Word> NormalPlay for Amazons<W> {
    fn with_turn(&self, s: &State<W>, side: Side) -> State<W> {
        State { turn: side, ..*s }
    }

    /// Cells that are not blocked, connected by edges and corners, if there is an amazon among them and
    /// an empty cell.
    fn split(&self, s: &State<W>, out: &mut Vec<State<W>>) {
        let grid = &self.grid;
        let mut rest = grid.full & !s.blocked;
        while !rest.is_empty() {
            let part = grid.flood_near(W::bit(rest.lowest()), rest);
            rest = rest & !part;
            if !(part & s.taken()).is_empty() && !(part & s.empty(grid)).is_empty() {
                out.push(s.part(grid, part, true));
            }
        }
    }

    fn negative(&self, part: &State<W>) -> Option<State<W>> {
        Some(part.exchanged(&self.grid, true))
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;

    use super::*;
    use crate::normal_play_testing::{laws, laws_hold, random_positions};
    use crate::testing::{self, COLUMNS, DIAGONAL, ROWS};

    #[test]
    fn parts_add_up() {
        laws_hold(&Amazons::<u64>::new(4, 4), 6);
        let game = Amazons::<u64>::new(6, 6);
        // Late enough for boards that fall apart, and not too many moves to look at.
        let late = |s: &State<u64>| s.blocked.count() >= 16;
        let positions = random_positions(&game, 6, &mut Rng::new(3));
        laws(&game, &positions.into_iter().filter(late).collect::<Vec<_>>());
    }

    #[test]
    fn moves_are_those_of_a_board_without_bits() {
        let game = Amazons::<u64>::new(4, 5);
        for s in random_positions(&game, 10, &mut Rng::new(1)) {
            let at = |row: i32, col: i32| {
                let inside = (0..4).contains(&row) && (0..5).contains(&col);
                if inside { s.symbol((row * 5 + col) as u32) } else { '#' }
            };
            let lines = |row: i32, col: i32, left: (i32, i32)| {
                let mut cells = Vec::new();
                for (down, right) in
                    (-1..2).flat_map(|r| (-1..2).map(move |c| (r, c))).filter(|&d| d != (0, 0))
                {
                    let mut there = (row + down, col + right);
                    while at(there.0, there.1) == '.' || there == left {
                        cells.push(there);
                        there = (there.0 + down, there.1 + right);
                    }
                }
                cells
            };
            let name =
                |(row, col): (i32, i32)| format!("{}{}", b"abcde"[col as usize] as char, row + 1);
            for (agent, own) in [(Agent(0), 'x'), (Agent(1), 'o')] {
                let mut expected = Vec::new();
                for from in (0..4).flat_map(|r| (0..5).map(move |c| (r, c))) {
                    if at(from.0, from.1) == own {
                        for to in lines(from.0, from.1, (-9, -9)) {
                            let arrows = lines(to.0, to.1, from);
                            let shot = |a| format!("{}-{}/{}", name(from), name(to), name(a));
                            expected.extend(arrows.into_iter().map(shot));
                        }
                    }
                }
                let mut moves = Vec::new();
                game.moves(&s, agent, &mut moves);
                let mut found: Vec<String> = moves.iter().map(|&m| game.move_text(&s, m)).collect();
                found.sort();
                expected.sort();
                assert_eq!(found, expected, "{}", game.position_text(&s));
            }
        }
    }

    #[test]
    fn texts_round_trip() {
        testing::texts_round_trip(&Amazons::<u64>::new(4, 4), 10);
        testing::texts_round_trip(&Amazons::<u128>::new(10, 10), 1);
        testing::nonsense_is_refused(&Amazons::<u64>::new(5, 5));
    }

    #[test]
    fn images_are_alike() {
        let square = [COLUMNS, ROWS, DIAGONAL];
        testing::images_are_alike(&Amazons::<u64>::new(4, 4), 5, &square, 8, false);
        testing::images_are_alike(&Amazons::<u64>::new(3, 4), 5, &square[..2], 4, false);
    }
}
