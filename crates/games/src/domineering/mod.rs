//! Domineering (Göran Andersson, made known by M. Gardner, 1974).
//!
//! Vertical, who moves first, places dominoes upright; Horizontal places them flat. Who cannot
//! move loses.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Character, Claim, Game, Guide, Known, NormalPlay, Notation, Outcome, Rng, Side,
    TextError, Turn,
};

use crate::board::{Grid, Word, sort_by_rank};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

pub mod bounds;
pub mod reason;
pub mod witness;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "domineering",
    "ROWSxCOLUMNS (6x6)",
    "Vertical and Horizontal place dominoes in turn; a player who cannot move loses",
    open,
)
.knowing(&[bounds::RULE]);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (rows, cols) = options.size((6, 6))?;
    Ok(match options.fits_64((rows, cols), |rows, cols| rows * cols)? {
        true => Opened::normal_play(Domineering::<u64>::new(rows, cols), Domineering::scene),
        false => Opened::normal_play(Domineering::<u128>::new(rows, cols), Domineering::scene),
    })
}

/// Domineering on a rectangular board.
#[derive(Clone, Debug)]
pub struct Domineering<W> {
    grid: Grid<W>,
    /// For each side and the lower or left cell of a domino: see [`Plan`].
    plans: [Plan; 2],
}

/// The covered cells and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    covered: W,
    turn: Side,
}

foregone_model::stored!(State<W: Word> { covered, turn });

const PLAYERS: [&str; 2] = ["vertical", "horizontal"];

/// How good the place of a domino is on the empty board, by its lower or left cell: what decides
/// among moves that count the same. Below [`Plan::MOST`].
#[derive(Clone, Debug)]
struct Plan([u8; u128::BITS as usize]);

impl Plan {
    const MOST: i16 = 128;

    /// After N. Bullock (Obsequi, 2002): a line next to the edge first, since it leaves safe
    /// moves along the edge, and dominoes end to end, since they leave no gaps. That all plays
    /// follow one plan is worth as much as the plan itself: they meet in the same positions.
    ///
    /// `place` tells of a cell which of the `lines` its domino lies in, and where in a line of
    /// `length` cells it begins.
    fn new(cells: u32, lines: u32, length: u32, place: impl Fn(u32) -> (u32, u32)) -> Plan {
        let mut values = [0; u128::BITS as usize];
        for cell in 0..cells {
            let (line, start) = place(cell);
            if start + 2 > length {
                continue;
            }
            let edge = line.min(lines - 1 - line);
            let end = start.min(length - 2 - start);
            let kind = match (edge, end % 2) {
                (0, _) => 0,
                (_, odd) if edge % 2 == 0 => 2 - odd,
                (_, odd) => 4 - odd,
            };
            // Among those of a kind, from the outside in.
            let outside = 24 - (edge.min(4) * 5 + end.min(4));
            values[cell as usize] = (kind * 25 + outside) as u8;
        }
        Plan(values)
    }
}

impl<W: Word> Domineering<W> {
    /// A board of this size; it must fit into the word.
    pub fn new(rows: u32, cols: u32) -> Domineering<W> {
        let upright = Plan::new(rows * cols, cols, rows, |c| (c % cols, c / cols));
        let flat = Plan::new(rows * cols, rows, cols, |c| (c / cols, c % cols));
        Domineering { grid: Grid::new(rows, cols), plans: [upright, flat] }
    }

    /// The lower or left cells of the dominoes that `agent` can place.
    #[inline]
    fn places(&self, s: &State<W>, agent: Agent) -> W {
        let free = self.grid.full & !s.covered;
        match Side::of(agent) {
            Side::Max => free & self.grid.south(free),
            Side::Min => free & self.grid.west(free),
        }
    }

    /// How many dominoes fit on these cells at most, all upright or all flat.
    #[inline]
    fn fit(&self, cells: W, side: Side) -> u32 {
        let (stride, length) = match side {
            Side::Max => (self.grid.cols, self.grid.rows),
            Side::Min => (1, self.grid.cols),
        };
        // The cells that have one of the set before them, then two, four and so on.
        let mut behind = match side {
            Side::Max => cells & self.grid.north(cells),
            Side::Min => cells & self.grid.east(cells),
        };
        // Whether the cell is the first, third, ... of its run: the parity of the cells from the
        // beginning of the run up to it, of which the distances so far see the last few.
        let mut odd = cells;
        let mut distance = 1;
        while distance < length {
            odd = odd ^ (odd << (distance * stride) & behind);
            behind = behind & behind << (distance * stride);
            distance *= 2;
        }
        (cells & !odd).count()
    }

    /// Whom the dominoes favour that fit on the board: those of Vertical less those of Horizontal.
    /// Dominoes that the opponent cannot hinder count once more.
    #[inline]
    fn favour(&self, free: W) -> i16 {
        let upright = free & !(self.grid.west(free) | self.grid.east(free));
        let flat = free & !(self.grid.south(free) | self.grid.north(free));
        let fit = |cells, side| self.fit(cells, side) as i16;
        fit(free, Side::Max) + fit(upright, Side::Max) - fit(free, Side::Min) - fit(flat, Side::Min)
    }

    #[inline]
    fn domino(&self, agent: Agent, cell: u32) -> W {
        let lower = W::bit(cell);
        match Side::of(agent) {
            Side::Max => lower | self.grid.north(lower),
            Side::Min => lower | self.grid.east(lower),
        }
    }
}

impl<W: Word> Game for Domineering<W> {
    type State = State<W>;
    /// The lower or left cell of the domino: who places it says how it lies.
    type Move = u8;

    fn start(&self) -> State<W> {
        State { covered: W::ZERO, turn: Side::Max }
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        let agent = s.turn.agent();
        if self.places(s, agent).is_empty() { Turn::Over } else { Turn::Agent(agent) }
    }

    #[inline]
    fn moves(&self, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
        out.extend(self.places(s, agent).cells().map(|c| c as u8));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u8) {
        s.covered = s.covered | self.domino(agent, u32::from(m));
        s.turn = Side::of(agent).other();
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }

    fn confirms(&self, s: &State<W>, claim: Claim, rule: &str, reason: &str) -> bool {
        let Grid { rows, cols, .. } = self.grid;
        let is_free = |row: u32, col: u32| !s.covered.has(row * cols + col);
        let Claim { prover, at_least, .. } = claim;
        rule == bounds::RULE
            && witness::confirms([rows, cols], is_free, s.turn, prover, at_least, reason)
    }
}

impl<W: Word> Guide for Domineering<W> {
    type Packed = W;

    foregone_model::stored_by_parts!();

    /// Empty boards do not fall apart for long, and what counts dominoes is faster there.
    fn prefers_own_search(&self) -> bool {
        false
    }

    fn character(&self) -> Character {
        Character::MobileAndOrdered
    }

    /// Who is to move follows from the number of dominoes in all positions of one search.
    #[inline]
    fn pack(&self, s: &State<W>) -> W {
        s.covered
    }

    #[inline]
    fn known(&self, s: &State<W>) -> Option<Known> {
        let free = self.grid.full & !s.covered;
        let max_moves = s.turn == Side::Max;
        let wins = bounds::mover_wins(&self.grid, free, max_moves)?;
        let known = if wins == max_moves { Known::won } else { Known::lost };
        Some(known(bounds::RULE))
    }

    fn reason(&self, s: &State<W>, _claim: Claim, out: &mut String) {
        let free = self.grid.full & !s.covered;
        out.extend(reason::reason(&self.grid, free, s.turn == Side::Max));
    }

    #[inline]
    fn mobility(&self, s: &State<W>, agent: Agent) -> u32 {
        self.places(s, agent).count()
    }

    /// Mirrors along the edges only: turning the board by a quarter would exchange the players.
    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        let [covered] = self.grid.least_upright([s.covered]);
        State { covered, turn: s.turn }
    }

    /// By the dominoes that fit on the board after the move, own ones less the opponent's, as
    /// Obsequi does (N. Bullock, 2002); then by a fixed plan. A move that is known to win comes
    /// before all others: counting alone often puts it second or third, and then a search has
    /// already been through what the first ones lead to.
    fn order(&self, s: &State<W>, agent: Agent, moves: &mut [u8]) {
        let free = self.grid.full & !s.covered;
        let side = Side::of(agent);
        let plan = &self.plans[side.index()].0;
        sort_by_rank(moves, |m| {
            let favour = self.favour(free & !self.domino(agent, u32::from(m)));
            let own = if side == Side::Max { favour } else { -favour };
            own * Plan::MOST + i16::from(plan[usize::from(m)])
        });
        let wins = |&m: &u8| {
            let after = free & !self.domino(agent, u32::from(m));
            bounds::has_won(&self.grid, after, side == Side::Max)
        };
        if let Some(place) = moves.iter().position(wins) {
            moves[..=place].rotate_right(1);
        }
    }

    fn playout(&self, mut s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        loop {
            let agent = s.turn.agent();
            let places = self.places(&s, agent);
            if places.is_empty() {
                return Some(self.outcome(&s));
            }
            self.play(&mut s, agent, places.pick(rng) as u8);
        }
    }
}

impl<W: Word> Domineering<W> {
    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        let mut scene =
            self.grid.squares(|cell| s.covered.has(cell).then_some((Glyph::Block, Paint::Wall)));
        let mut moves = Vec::new();
        self.moves(s, s.turn.agent(), &mut moves);
        for m in moves {
            let cells = self.domino(s.turn.agent(), u32::from(m)).cells().map(|c| c as usize);
            scene.touch(PLAYERS[s.turn.index()], self.move_text(s, m), cells, false);
        }
        scene
    }
}

impl<W: Word> Notation for Domineering<W> {
    fn name(&self) -> String {
        format!("domineering:{}x{}", self.grid.rows, self.grid.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, s: &State<W>, m: u8, out: &mut String) {
        for cell in self.domino(s.turn.agent(), u32::from(m)).cells() {
            self.grid.write_cell(cell, out);
        }
    }

    fn parse_move(&self, s: &State<W>, text: &str) -> Option<u8> {
        let (cell, rest) = self.grid.parse_cell(text)?;
        let (other, rest) = self.grid.parse_cell(rest)?;
        let whole = W::bit(cell) | W::bit(other);
        let fits = rest.is_empty() && cell < other && whole == self.domino(s.turn.agent(), cell);
        fits.then_some(cell as u8)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        self.grid.write_rows(|c| if s.covered.has(c) { '#' } else { '.' }, out);
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let (sets, mover) = self.grid.read_rows(text, &['.', '#'], &PLAYERS)?;
        let turn = if mover == 0 { Side::Max } else { Side::Min };
        Ok(State { covered: sets[1], turn })
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|c| if s.covered.has(c) { '#' } else { '.' })
    }
}

impl<W: Word> NormalPlay for Domineering<W> {
    fn with_turn(&self, s: &State<W>, side: Side) -> State<W> {
        State { turn: side, ..*s }
    }

    /// Connected free cells, without those that no domino can cover.
    fn split(&self, s: &State<W>, out: &mut Vec<State<W>>) {
        let grid = &self.grid;
        let mut free = grid.full & !s.covered;
        while !free.is_empty() {
            let part = grid.flood(W::bit(free.lowest()), free);
            free = free & !part;
            if part.count() > 1 {
                let [cells] = grid.least_in_corner([part], false);
                out.push(State { covered: grid.full & !cells, turn: Side::Max });
            }
        }
    }

    /// Rows and columns are exchanged, if there is room for that.
    fn negative(&self, part: &State<W>) -> Option<State<W>> {
        let grid = &self.grid;
        let mut cells = W::ZERO;
        for cell in (grid.full & !part.covered).cells() {
            let (row, col) = (cell / grid.cols, cell % grid.cols);
            if col >= grid.rows || row >= grid.cols {
                return None;
            }
            cells = cells | W::bit(col * grid.cols + row);
        }
        let [cells] = grid.least_in_corner([cells], false);
        Some(State { covered: grid.full & !cells, turn: Side::Max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal_play_testing as normal_play;
    use crate::testing::{self, COLUMNS, ROWS};

    #[test]
    fn parts_add_up() {
        for (rows, cols) in [(1, 5), (5, 1), (3, 3), (2, 7), (5, 6), (8, 8)] {
            normal_play::laws_hold(&Domineering::<u64>::new(rows, cols), 4);
        }
        normal_play::laws_hold(&Domineering::<u128>::new(9, 9), 2);
        let game = Domineering::<u64>::new(4, 5);
        for text in ["#.#.#/...../#.#.#/#...# vertical", "..#../..#../####./...#. horizontal"] {
            normal_play::laws(&game, &[game.read_position(text).unwrap()]);
        }
    }

    #[test]
    fn images_are_alike() {
        for (rows, cols, most) in [(2, 6, 4), (4, 4, 4), (3, 5, 4), (8, 8, 4)] {
            let solved = rows * cols <= 16;
            let images = [COLUMNS, ROWS];
            let game = Domineering::<u64>::new(rows, cols);
            testing::images_are_alike(&game, 30, &images, most, solved);
            let game = Domineering::<u128>::new(rows, cols);
            testing::images_are_alike(&game, 30, &images, most, solved);
        }
        testing::images_are_alike(&Domineering::<u128>::new(9, 11), 10, &[COLUMNS, ROWS], 4, false);
    }

    /// How many dominoes fit, found run by run.
    fn fit_in_runs(line: &[bool]) -> i32 {
        line.split(|&free| !free).map(|run| run.len() as i32 / 2).sum()
    }

    #[test]
    fn dominoes_that_fit_are_counted() {
        fn check<W: Word>(rows: u32, cols: u32, rng: &mut Rng) {
            let game = Domineering::<W>::new(rows, cols);
            for _ in 0..50 {
                // Three cells of four are free: runs of all lengths.
                let mut random = || W::from(rng.bits()) << (W::BITS - 64) ^ W::from(rng.bits());
                let free = (random() | random()) & game.grid.full;
                let has = |r: u32, c: u32| r < rows && c < cols && free.has(r * cols + c);
                let (mut favour, mut fit) = (0, [0, 0]);
                for c in 0..cols {
                    let all: Vec<bool> = (0..rows).map(|r| has(r, c)).collect();
                    let alone = |r| has(r, c) && !has(r, c.wrapping_sub(1)) && !has(r, c + 1);
                    let safe: Vec<bool> = (0..rows).map(alone).collect();
                    fit[0] += fit_in_runs(&all);
                    favour += fit_in_runs(&all) + fit_in_runs(&safe);
                }
                for r in 0..rows {
                    let all: Vec<bool> = (0..cols).map(|c| has(r, c)).collect();
                    let alone = |c| has(r, c) && !has(r.wrapping_sub(1), c) && !has(r + 1, c);
                    let safe: Vec<bool> = (0..cols).map(alone).collect();
                    fit[1] += fit_in_runs(&all);
                    favour -= fit_in_runs(&all) + fit_in_runs(&safe);
                }
                let found = [Side::Max, Side::Min].map(|side| game.fit(free, side) as i32);
                assert_eq!(found, fit, "{rows}x{cols}: {free:?}");
                assert_eq!(i32::from(game.favour(free)), favour, "{rows}x{cols}: {free:?}");
            }
        }
        let mut rng = Rng::new(3);
        for (rows, cols) in [(8, 8), (5, 6), (7, 3), (1, 64), (64, 1), (2, 32), (3, 1), (1, 1)] {
            check::<u64>(rows, cols, &mut rng);
            check::<u128>(rows, cols, &mut rng);
        }
        for (rows, cols) in [(11, 11), (1, 128), (128, 1), (9, 14), (2, 64)] {
            check::<u128>(rows, cols, &mut rng);
        }
    }

    #[test]
    fn moves_that_win_come_first_then_dominoes_that_fit() {
        let mut rng = Rng::new(7);
        let game = Domineering::<u64>::new(6, 7);
        let mut won = 0;
        for _ in 0..20 {
            let mut s = game.start();
            while let Some(agent) = game.turn(&s).mover() {
                let mut moves = Vec::new();
                game.moves(&s, agent, &mut moves);
                let picked = moves[rng.below(moves.len() as u32) as usize];
                game.order(&s, agent, &mut moves);
                let after = |m| {
                    let mut after = s;
                    game.play(&mut after, agent, m);
                    game.grid.full & !after.covered
                };
                let max = Side::of(agent) == Side::Max;
                let wins = |m| bounds::has_won(&game.grid, after(m), max);
                let rank = |m| {
                    let favour = game.favour(after(m));
                    let plan = game.plans[Side::of(agent).index()].0[usize::from(m)];
                    (if max { favour } else { -favour }, plan)
                };
                let (first, rest) = (moves[0], &moves[1..]);
                assert!(rest.iter().map(|&m| rank(m)).is_sorted_by(|a, b| a >= b), "{s:?}");
                if wins(first) {
                    // The best of those that win.
                    assert!(rest.iter().all(|&m| !wins(m) || rank(m) <= rank(first)), "{s:?}");
                    won += 1;
                } else {
                    assert!(rest.iter().all(|&m| !wins(m) && rank(m) <= rank(first)), "{s:?}");
                }
                game.play(&mut s, agent, picked);
            }
        }
        assert!(won > 20, "{won}");
    }

    #[test]
    fn the_plan_begins_beside_the_edge() {
        let game = Domineering::<u64>::new(8, 8);
        let first = |text: &str| testing::ordered_names(&game, &game.read_position(text).unwrap());
        let empty = ["........"; 8].join("/");
        assert_eq!(first(&format!("{empty} vertical"))[..4], ["b1b2", "g1g2", "b7b8", "g7g8"]);
        assert_eq!(first(&format!("{empty} horizontal"))[..4], ["a2b2", "g2h2", "a7b7", "g7h7"]);
        for (rows, cols) in [(1, 64), (64, 1), (8, 8), (7, 9)] {
            let game = Domineering::<u64>::new(rows, cols);
            let most = game.plans.iter().flat_map(|plan| plan.0).max();
            assert!(most.is_some_and(|most| i16::from(most) < Plan::MOST));
        }
    }
}
