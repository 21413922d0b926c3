//! Capture problems of Go: does the ladder work? (The game of Go is older than any record of it;
//! for what programs do about its tactics see M. Müller's survey *Computer Go*, 2002.)
//!
//! One stone is the target, and its block is hunted. The hunter, the other colour, wins by taking
//! it off the board. The hunted side wins when, after a move of its own, the block has as many
//! liberties as the rules ask for, usually three.
//!
//! This is the ladder game, not all of Go. Only these moves are considered:
//!
//! - the hunter plays on a liberty of the hunted block;
//! - the hunted side plays on a liberty of its block, or on a liberty of a block beside it that
//!   has two of them or only one, so as to take it or to threaten that, or passes.
//!
//! A ladder that works here may still fail on the real board because of a move that lies farther
//! away, and one that does not work may be saved by one, such as a net, or by saving a block of
//! the hunter's that is about to be taken.
//!
//! Stones are taken as in Go. Suicide is illegal, but a stone that captures is no suicide. The
//! ko rule is the simple one: a stone that has just taken a single stone, and could be taken back
//! alone, is safe for one move. A hunter who cannot move has lost, and so has one who hunts
//! without end: positions can come up again when there is more than one ko.

use std::ops::Range;
use std::path::Path;

use foregone_model::{
    Agent, Atom, Endless, Game, Guide, Notation, OffTurn, Outcome, Side, TextError, Turn,
};

use crate::board::{self, Grid, Word, sort_by_rank};
use crate::files::read_bytes;
use crate::sgf::{self, What};
use crate::stones::{self, PLAYERS, View};

/// The largest side of a board.
pub(crate) const LARGEST: u32 = 19;
/// How many liberties can be asked for.
pub(crate) const MOST_LIBERTIES: u32 = 20;

/// A hunt on a rectangular board.
#[derive(Clone, Debug)]
pub struct GoCapture<W> {
    grid: Grid<W>,
    /// With so many liberties the hunted block has escaped.
    escape: u32,
    hunted: Side,
}

/// The stones of Black and White, who is to move, where the target stands or stood, and the
/// point where the player to move may not take back, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    stones: [W; 2],
    turn: Side,
    target: u16,
    ko: u16,
}

/// The move that changes nothing.
const PASS: u16 = u16::MAX;
const PASS_NAME: &str = "pass";
/// A block of the hunter's with no more liberties can be attacked in turn.
const FEW: u32 = 2;
/// There is no ko.
const NOWHERE: u16 = u16::MAX;

/// Empty points, Black's stones and White's, the target of either colour, and where it was.
const SYMBOLS: [char; 6] = ['.', 'x', 'o', 'X', 'O', '*'];
const GONE: usize = 5;

/// Files are not read beyond this; records are much smaller.
const LONGEST_FILE: u64 = 1 << 24;

const CAPTURED: Atom = Atom(u32::MAX);
const ATARI: Atom = Atom(u32::MAX - 1);

impl<W: Word> GoCapture<W> {
    /// A board of this size, which must fit into the word, the liberties that are enough to
    /// escape, and who is hunted.
    pub fn new(rows: u32, cols: u32, escape: u32, hunted: Side) -> GoCapture<W> {
        let fits = |side| (2..=LARGEST).contains(&side);
        assert!(fits(rows) && fits(cols), "boards have sides of 2 to 19");
        assert!((2..=MOST_LIBERTIES).contains(&escape), "escaping takes some liberties");
        GoCapture { grid: Grid::new(rows, cols), escape, hunted }
    }

    #[inline]
    fn view(&self, s: &State<W>, side: Side) -> View<W> {
        let (own, enemy) = (s.stones[side.index()], s.stones[side.other().index()]);
        View { own, enemy, empty: self.grid.full & !(own | enemy) }
    }

    /// The hunted block and its liberties; nothing when it has been captured.
    #[inline]
    fn block(&self, s: &State<W>) -> (W, W) {
        let View { own, empty, .. } = self.view(s, self.hunted);
        if !own.has(u32::from(s.target)) {
            return (W::ZERO, W::ZERO);
        }
        let block = self.grid.flood(W::bit(u32::from(s.target)), own);
        (block, self.grid.around(block) & empty)
    }

    /// The points where `side` can play.
    #[inline]
    fn places(&self, s: &State<W>, side: Side, (block, liberties): (W, W)) -> W {
        let view = self.view(s, side);
        let mut points = liberties;
        if side == self.hunted {
            let mut rest = self.grid.around(block) & view.enemy;
            while !rest.is_empty() {
                let beside = self.grid.flood(W::bit(rest.lowest()), view.enemy);
                let last = self.grid.around(beside) & view.empty;
                if last.count() <= FEW {
                    points = points | last;
                }
                rest = rest & !beside;
            }
        }
        // A ko is closed to the player to move, whose stone was taken. The other one, asked out
        // of turn, may fill it.
        if s.ko != NOWHERE && side == s.turn {
            points = points & !W::bit(u32::from(s.ko));
        }
        let plain = points & self.grid.around(view.empty);
        (points & !plain)
            .cells()
            .filter(|&p| !view.suicide(&self.grid, p) || view.captures(&self.grid, p))
            .fold(plain, |places, p| places | W::bit(p))
    }

    /// The stones of the other colour that a stone of `side` on this point takes away.
    #[inline]
    fn taken(&self, s: &State<W>, side: Side, point: u32) -> W {
        let view = self.view(s, side);
        let stone = W::bit(point);
        let empty = view.empty & !stone;
        let mut touched = self.grid.around(stone) & view.enemy;
        let mut taken = W::ZERO;
        while !touched.is_empty() {
            let block = self.grid.flood(W::bit(touched.lowest()), view.enemy);
            if (self.grid.around(block) & empty).is_empty() {
                taken = taken | block;
            }
            touched = touched & !block;
        }
        taken
    }

    /// Puts a stone on an empty point, takes off what it captures, and notes a ko.
    #[inline]
    fn place(&self, s: &mut State<W>, side: Side, point: u32) {
        let taken = self.taken(s, side, point);
        let stone = W::bit(point);
        let [own, other] = [side.index(), side.other().index()];
        s.stones[own] = s.stones[own] | stone;
        s.stones[other] = s.stones[other] & !taken;
        s.turn = side.other();
        s.ko = NOWHERE;
        if taken.count() == 1 {
            let around = self.grid.around(stone);
            let empty = self.view(s, side).empty;
            // Alone, and where the captured stone was is its only liberty.
            if (around & s.stones[own]).is_empty() && (around & empty) == taken {
                s.ko = taken.lowest() as u16;
            }
        }
    }

    fn symbol(&self, s: &State<W>, cell: u32) -> char {
        let stone = match s.stones.map(|w| w.has(cell)) {
            [false, false] if cell == u32::from(s.target) => GONE,
            [false, false] => 0,
            [true, _] => 1,
            _ => 2,
        };
        let target = (1..=2).contains(&stone) && cell == u32::from(s.target);
        SYMBOLS[stone + if target { 2 } else { 0 }]
    }

    /// Blocks without liberties, a target that is not there and a ko that is none are refused.
    /// `place` says where in the text a point stands.
    fn check(
        &self,
        s: &State<W>,
        place: impl Fn(u32) -> Range<usize>,
        ko_at: Range<usize>,
    ) -> Result<(), TextError> {
        let View { own, enemy, empty } = self.view(s, s.turn);
        for stones in [own, enemy] {
            if let Some(cell) = stones::choked(&self.grid, stones, empty) {
                let message =
                    format!("the stone at {} has no liberty: it is captured", self.cell(cell));
                return Err(TextError::new(message, place(cell)));
            }
        }
        if s.ko == NOWHERE {
            return Ok(());
        }
        let ko = u32::from(s.ko);
        let closed = (self.grid.around(W::bit(ko)) & !enemy).is_empty();
        if !empty.has(ko) || !closed || self.taken(s, s.turn, ko).count() != 1 {
            let message = format!(
                "{} is no ko: a stone of {} there would not take back a single one",
                self.cell(ko),
                PLAYERS[s.turn.index()]
            );
            return Err(TextError::new(message, ko_at));
        }
        Ok(())
    }

    fn cell(&self, cell: u32) -> String {
        let mut name = String::new();
        self.grid.write_cell(cell, &mut name);
        name
    }

    fn read_rows(&self, text: &str) -> Result<State<W>, TextError> {
        let (board, ko) = match text.rsplit_once(' ') {
            Some((board, word)) if word.starts_with("ko:") => (board, Some(word)),
            _ => (text, None),
        };
        let (sets, mover) = self.grid.read_rows(board, &SYMBOLS, &PLAYERS)?;
        let turn = if mover == 0 { Side::Max } else { Side::Min };
        let rows = board.rfind(' ').unwrap_or(board.len());
        let marked = sets[3] | sets[4] | sets[GONE];
        let hunter = sets[3 + self.hunted.other().index()];
        if marked.count() != 1 || !hunter.is_empty() {
            let colour = PLAYERS[self.hunted.index()];
            let symbol = SYMBOLS[3 + self.hunted.index()];
            let message = format!(
                "one stone of {colour} must be marked as the target by `{symbol}`, or by `*` where \
                 it was captured"
            );
            return Err(TextError::new(message, 0..rows));
        }
        let mut s = State {
            stones: [sets[1] | sets[3], sets[2] | sets[4]],
            turn,
            target: marked.lowest() as u16,
            ko: NOWHERE,
        };
        let ko_at = (board.len() + 1).min(text.len())..text.len();
        if let Some(word) = ko {
            let Some(point) = self.point(&word["ko:".len()..]) else {
                let message = "expected `ko:` and a point of the board";
                return Err(TextError::new(message, ko_at));
            };
            s.ko = point;
        }
        let place = |cell: u32| {
            let (row, col) = (cell / self.grid.cols, cell % self.grid.cols);
            let at = ((self.grid.rows - 1 - row) * (self.grid.cols + 1) + col) as usize;
            at..at + 1
        };
        self.check(&s, place, ko_at)?;
        Ok(s)
    }

    /// A record in SGF, or `sgf:` and the file that holds one, then `@` and the target, then,
    /// maybe, `#` and the number of the move before which to stop.
    fn read_record(&self, text: &str) -> Result<State<W>, TextError> {
        let Some((record, rest)) = text.rsplit_once('@') else {
            let message = "a game record is followed by `@` and the target, such as `@C4`";
            return Err(TextError::new(message, text.len()..text.len()));
        };
        let target_at = record.len() + 1..text.len();
        let (name, number) = match rest.split_once('#') {
            Some((name, number)) => (name, Some(number)),
            None => (rest, None),
        };
        let stop = match number.map(|n| n.trim().parse::<usize>()) {
            None => usize::MAX,
            Some(Ok(n)) if n > 0 => n - 1,
            Some(_) => {
                let message = "expected the number of the move before which to stop, from 1";
                return Err(TextError::new(message, target_at.start + name.len() + 1..text.len()));
            }
        };
        let (mut s, moves) = match record.strip_prefix("sgf:") {
            None => self.replay(record, stop)?,
            Some(path) => {
                // Places in the file are none in what was typed.
                let error =
                    |e: String| TextError::new(format!("{path}: {e}"), "sgf:".len()..record.len());
                let file = read_file(path).map_err(|e| error(e.to_string()))?;
                self.replay(&file, stop).map_err(|e| error(e.message))?
            }
        };
        let Some(target) = self.gtp_point(name.trim()) else {
            let message = format!(
                "`{name}` is not a point of this board, expected one such as C4: a letter, without \
                 I, and a row counted from the bottom"
            );
            return Err(TextError::new(message, target_at.start..target_at.start + name.len()));
        };
        if stop != usize::MAX && moves < stop {
            let message = format!("the record has {moves} moves only");
            return Err(TextError::new(message, target_at));
        }
        s.target = target;
        let there = match s.stones.map(|w| w.has(u32::from(target))) {
            [false, false] => "no stone",
            [true, _] if self.hunted == Side::Min => "a black stone",
            [_, true] if self.hunted == Side::Max => "a white stone",
            _ => return Ok(s),
        };
        let hunted = self.hunted.index();
        let message = format!(
            "there is {there} on the target, expected one of {}; {} hunts the other colour",
            PLAYERS[hunted],
            self.named(self.grid.rows, self.grid.cols, self.hunted.other())
        );
        Err(TextError::new(message, target_at))
    }

    fn named(&self, rows: u32, cols: u32, hunted: Side) -> String {
        format!("go-capture:{rows}x{cols},{},{}", self.escape, PLAYERS[hunted.index()])
    }

    /// The position before a move of a record's main line, without a target, and how many moves
    /// there were. All errors are about the record.
    fn replay(&self, record: &str, stop: usize) -> Result<(State<W>, usize), TextError> {
        let read = sgf::read(record)?;
        let (rows, cols) = read.size;
        if (rows, cols) != (self.grid.rows, self.grid.cols) {
            let mut message = format!("this record is of a board of {rows}x{cols}");
            if rows.max(cols) <= LARGEST && rows.min(cols) >= 2 {
                message.push_str(": type ");
                message.push_str(&self.named(rows, cols, self.hunted));
            }
            return Err(TextError::new(message, read.size_at));
        }
        let mut s = State { stones: [W::ZERO; 2], turn: Side::Max, target: 0, ko: NOWHERE };
        let mut moves = 0;
        for step in &read.steps {
            if matches!(step.what, What::Move(..)) {
                if moves == stop {
                    break;
                }
                moves += 1;
            }
            self.follow(&mut s, step)?;
        }
        self.check(&s, |_| 0..record.len(), 0..record.len())?;
        Ok((s, moves))
    }

    fn follow(&self, s: &mut State<W>, step: &sgf::Step) -> Result<(), TextError> {
        let number = |(row, col): (u32, u32)| row * self.grid.cols + col;
        let error = |message: &str| Err(TextError::new(message, step.at.clone()));
        match step.what {
            What::Set(point, stone) => {
                let cell = W::bit(number(point));
                s.stones = s.stones.map(|w| w & !cell);
                if let Some(side) = stone {
                    s.stones[side.index()] = s.stones[side.index()] | cell;
                }
                s.ko = NOWHERE;
            }
            What::ToMove(side) => {
                if side != s.turn {
                    s.ko = NOWHERE;
                }
                s.turn = side;
            }
            What::Move(side, None) => {
                s.turn = side.other();
                s.ko = NOWHERE;
            }
            What::Move(side, Some(point)) => {
                let cell = number(point);
                let view = self.view(s, side);
                if !view.empty.has(cell) {
                    return error("this move of the record is on another stone");
                }
                if view.suicide(&self.grid, cell) && !view.captures(&self.grid, cell) {
                    return error("this move of the record is suicide");
                }
                self.place(s, side, cell);
            }
        }
        Ok(())
    }

    /// A point as Go programs name it: a letter without I, and a row counted from the bottom.
    fn gtp_point(&self, text: &str) -> Option<u16> {
        let letter = text.chars().next()?.to_ascii_lowercase();
        let col = "abcdefghjklmnopqrstuvwxyz".find(letter)? as u32;
        let row = &text[letter.len_utf8()..];
        if !row.bytes().all(|b| b.is_ascii_digit()) || row.starts_with('0') {
            return None;
        }
        let row: u32 = row.parse().ok()?;
        let fits = col < self.grid.cols && (1..=self.grid.rows).contains(&row);
        fits.then(|| ((row - 1) * self.grid.cols + col) as u16)
    }

    fn point(&self, text: &str) -> Option<u16> {
        let (row, col, rest) = board::parse_cell(text)?;
        let fits = rest.is_empty() && row < self.grid.rows && col < self.grid.cols;
        fits.then(|| (row * self.grid.cols + col) as u16)
    }
}

fn won_by(side: Side) -> Outcome {
    match side {
        Side::Max => Outcome::WIN,
        Side::Min => Outcome::LOSS,
    }
}

/// The text of a file. Comments may be in any encoding, so what is not UTF-8 is replaced.
fn read_file(path: &str) -> std::io::Result<String> {
    let bytes = read_bytes(Path::new(path), LONGEST_FILE)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl<W: Word> Game for GoCapture<W> {
    type State = State<W>;
    /// The point of the stone, or the number that stands for a pass.
    type Move = u16;

    fn endless(&self) -> Endless {
        Endless::Scores(won_by(self.hunted))
    }

    /// Problems come with their positions. This one is a hunt along the edge: the target at c1,
    /// or b1 where there is no c1, and one stone of the hunter's to the left of it.
    fn start(&self) -> State<W> {
        let target = 2.min(self.grid.cols - 1);
        let mut stones = [W::ZERO; 2];
        stones[self.hunted.index()] = W::bit(target);
        stones[self.hunted.other().index()] = W::bit(target - 1);
        State { stones, turn: Side::Max, target: target as u16, ko: NOWHERE }
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        let (block, liberties) = self.block(s);
        let goes_on = match s.turn {
            _ if block.is_empty() => false,
            // There is always a pass.
            side if side == self.hunted => true,
            side => {
                liberties.count() < self.escape
                    && !self.places(s, side, (block, liberties)).is_empty()
            }
        };
        if goes_on { Turn::Agent(s.turn.agent()) } else { Turn::Over }
    }

    #[inline]
    fn moves(&self, s: &State<W>, agent: Agent, out: &mut Vec<u16>) {
        let side = Side::of(agent);
        out.extend(self.places(s, side, self.block(s)).cells().map(|c| c as u16));
        if side == self.hunted {
            out.push(PASS);
        }
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u16) {
        let side = Side::of(agent);
        if m == PASS {
            s.turn = side.other();
            s.ko = NOWHERE;
        } else {
            self.place(s, side, u32::from(m));
        }
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        let gone = !s.stones[self.hunted.index()].has(u32::from(s.target));
        won_by(if gone { self.hunted.other() } else { self.hunted })
    }

    fn holds(&self, s: &State<W>, atom: Atom) -> bool {
        let (block, liberties) = self.block(s);
        match atom {
            CAPTURED => block.is_empty(),
            ATARI => liberties.count() == 1,
            Atom(most) => liberties.count() <= most,
        }
    }
}

impl<W: Word> Guide for GoCapture<W> {
    type Packed = Self::State;

    #[inline]
    fn pack(&self, s: &State<W>) -> State<W> {
        *s
    }

    #[inline]
    fn mobility(&self, s: &State<W>, agent: Agent) -> u32 {
        let side = Side::of(agent);
        self.places(s, side, self.block(s)).count() + u32::from(side == self.hunted)
    }

    /// The points first where a stone of the hunted side gives its block the most liberties,
    /// whoever is to move: one wants them and the other denies them. The pass comes last.
    fn order(&self, s: &State<W>, _agent: Agent, moves: &mut [u16]) {
        let target = W::bit(u32::from(s.target));
        sort_by_rank(moves, |m| {
            if m == PASS {
                return -1;
            }
            let mut next = *s;
            self.place(&mut next, self.hunted, u32::from(m));
            let View { own, empty, .. } = self.view(&next, self.hunted);
            let block = self.grid.flood(target, own);
            (self.grid.around(block) & empty).count() as i16
        });
    }

    fn move_class(&self, _s: &State<W>, _agent: Agent, m: u16) -> Option<u16> {
        Some(m.min((self.grid.rows * self.grid.cols) as u16))
    }
}

impl<W: Word> Notation for GoCapture<W> {
    fn name(&self) -> String {
        self.named(self.grid.rows, self.grid.cols, self.hunted)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn atoms(&self) -> &[(&'static str, &'static str)] {
        &[
            ("captured", "the target is gone"),
            ("atari", "the target's block has one liberty"),
            ("liberties(N)", "the target's block has at most N liberties, or is gone"),
        ]
    }

    fn read_atom(&self, text: &str) -> Option<Atom> {
        match text {
            "captured" => Some(CAPTURED),
            "atari" => Some(ATARI),
            _ => {
                let number = text.strip_prefix("liberties(")?.strip_suffix(')')?;
                let most: u32 = number.trim().parse().ok()?;
                (most <= self.grid.rows * self.grid.cols).then_some(Atom(most))
            }
        }
    }

    fn write_move(&self, _s: &State<W>, m: u16, out: &mut String) {
        if m == PASS {
            out.push_str(PASS_NAME);
        } else {
            self.grid.write_cell(u32::from(m), out);
        }
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u16> {
        if text == PASS_NAME { Some(PASS) } else { self.point(text) }
    }

    /// The rows with the target as a capital letter, who is to move, and the ko, if there is one:
    /// `.xo./xO.o/.xo. black ko:c2`.
    fn write_position(&self, s: &State<W>, out: &mut String) {
        self.grid.write_rows(|c| self.symbol(s, c), out);
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
        if s.ko != NOWHERE {
            out.push_str(" ko:");
            self.grid.write_cell(u32::from(s.ko), out);
        }
    }

    /// Reads a game record in SGF as well: `(;…)@C4`, where C4 is the target as Go programs name
    /// points, `(;…)@C4#28` for the position before move 28, and `sgf:FILE@C4#28`.
    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        if text.starts_with('(') || text.starts_with("sgf:") {
            self.read_record(text)
        } else {
            self.read_rows(text)
        }
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|c| self.symbol(s, c))
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Typed as _;
    use std::collections::BTreeSet;
    use std::path::Path;

    use foregone_model::Rng;

    use super::*;
    use crate::stones::testing::Slow;
    use crate::testing;
    use crate::wide::Wide;

    type Point = (usize, usize);

    /// Blocks and captures on a board of symbols, without bits; row 1 is the first.
    struct Board(Vec<Vec<char>>);

    impl Board {
        fn around(&self, (r, c): Point) -> Vec<Point> {
            let steps = [(r + 1, c), (r.wrapping_sub(1), c), (r, c + 1), (r, c.wrapping_sub(1))];
            let inside = |&(r, c): &Point| r < self.0.len() && c < self.0[0].len();
            steps.into_iter().filter(inside).collect()
        }

        fn at(&self, (r, c): Point) -> char {
            self.0[r][c]
        }

        /// The block of a stone and its liberties.
        fn block(&self, stone: Point) -> (BTreeSet<Point>, BTreeSet<Point>) {
            let (mut block, mut liberties) = (BTreeSet::from([stone]), BTreeSet::new());
            let mut todo = vec![stone];
            while let Some(p) = todo.pop() {
                for q in self.around(p) {
                    if self.at(q) == '.' {
                        liberties.insert(q);
                    } else if self.at(q) == self.at(stone) && block.insert(q) {
                        todo.push(q);
                    }
                }
            }
            (block, liberties)
        }

        /// The board after a move and what it took; nothing if it is illegal, leaving ko aside.
        fn after(&self, colour: char, p: Point) -> Option<(Board, BTreeSet<Point>)> {
            let mut next = Board(self.0.clone());
            next.0[p.0][p.1] = colour;
            let mut taken = BTreeSet::new();
            for q in self.around(p) {
                if ![colour, '.'].contains(&self.at(q)) && next.block(q).1.is_empty() {
                    taken.extend(next.block(q).0);
                }
            }
            for &(r, c) in &taken {
                next.0[r][c] = '.';
            }
            (!next.block(p).1.is_empty()).then_some((next, taken))
        }
    }

    /// Compares moves and what they do with the slow board, for both colours.
    fn agrees_with_the_slow_board<W: Word>(game: &GoCapture<W>, s: &State<W>) {
        let text = game.position_text(s);
        let cols = game.grid.cols as usize;
        let point = |m: u16| (usize::from(m) / cols, usize::from(m) % cols);
        let board = Board(Slow::read(&text.to_lowercase().replace('*', ".")).0);
        let (hunted, hunter) = if game.hunted == Side::Max { ('x', 'o') } else { ('o', 'x') };
        let target = point(s.target);
        let gone = board.at(target) != hunted;
        assert_eq!(game.holds(s, CAPTURED), gone, "{text}");
        if gone {
            assert_eq!(game.turn(s), Turn::Over, "{text}");
            assert_eq!(game.outcome(s), won_by(game.hunted.other()));
            return;
        }
        let (block, liberties) = board.block(target);
        for n in 0..=4 {
            let atom = game.read_atom(&format!("liberties({n})")).unwrap();
            assert_eq!(game.holds(s, atom), liberties.len() <= n, "{text}");
        }
        assert_eq!(game.holds(s, ATARI), liberties.len() == 1, "{text}");
        for side in [Side::Max, Side::Min] {
            let own = if side == game.hunted { hunted } else { hunter };
            let mut wanted = liberties.clone();
            if own == hunted {
                for q in block.iter().flat_map(|&p| board.around(p)) {
                    if board.at(q) == hunter && board.block(q).1.len() <= 2 {
                        wanted.extend(board.block(q).1);
                    }
                }
            }
            if side == s.turn && s.ko != NOWHERE {
                wanted.remove(&point(s.ko));
            }
            wanted.retain(|&p| board.after(own, p).is_some());
            let mut moves = Vec::new();
            game.moves(s, side.agent(), &mut moves);
            assert_eq!(moves.last() == Some(&PASS), own == hunted, "{text}");
            let places: Vec<u16> = moves.iter().copied().filter(|&m| m != PASS).collect();
            let found: Vec<Point> = places.iter().map(|&m| point(m)).collect();
            assert_eq!(found, wanted.into_iter().collect::<Vec<_>>(), "{text}");
            if s.turn == side {
                let over =
                    own == hunter && (liberties.len() >= game.escape as usize || places.is_empty());
                assert_eq!(game.turn(s) == Turn::Over, over, "{text}");
                assert!(!over || game.outcome(s) == won_by(game.hunted), "{text}");
            }
            for m in places {
                let mut next = *s;
                game.play(&mut next, side.agent(), m);
                let (after, taken) = board.after(own, point(m)).unwrap();
                let mut expected: Vec<Vec<char>> = after.0.clone();
                let (r, c) = target;
                expected[r][c] = match expected[r][c] {
                    '.' => '*',
                    stone => stone.to_ascii_uppercase(),
                };
                let mut expected = Slow(expected).text(PLAYERS[side.other().index()]);
                let (own_block, own_liberties) = after.block(point(m));
                if taken.len() == 1 && own_block.len() == 1 && own_liberties == taken {
                    let &(r, c) = taken.first().unwrap();
                    expected.push_str(" ko:");
                    board::write_cell(r as u32, c as u32, &mut expected);
                }
                assert_eq!(game.position_text(&next), expected, "{text}");
                assert_eq!(game.read_position(&expected), Ok(next), "{text}");
            }
        }
    }

    /// A position of stones thrown at random, one of them marked, or nothing.
    fn random_position<W: Word>(game: &GoCapture<W>, rng: &mut Rng) -> Option<State<W>> {
        let (rows, cols) = (game.grid.rows as usize, game.grid.cols as usize);
        let mut slow = Slow::random(rows, cols, rng);
        let own = if game.hunted == Side::Max { 'x' } else { 'o' };
        let stones: Vec<Point> =
            slow.points().into_iter().filter(|&(r, c)| slow.0[r][c] == own).collect();
        if stones.is_empty() {
            return None;
        }
        let (r, c) = stones[rng.below(stones.len() as u32) as usize];
        slow.0[r][c] = own.to_ascii_uppercase();
        game.read_position(&slow.text(PLAYERS[rng.below(2) as usize])).ok()
    }

    #[test]
    fn moves_agree_with_a_board_without_bits() {
        fn check<W: Word>(sizes: &[(u32, u32)]) {
            let mut rng = Rng::new(1);
            let (mut seen, mut kos) = (0, 0);
            for (&(rows, cols), escape) in sizes.iter().zip([3, 2, 4, 3, 5]) {
                for hunted in [Side::Max, Side::Min] {
                    let game: GoCapture<W> = GoCapture::new(rows, cols, escape, hunted);
                    for _ in 0..400 {
                        let Some(mut s) = random_position(&game, &mut rng) else { continue };
                        for _ in 0..12 {
                            agrees_with_the_slow_board(&game, &s);
                            seen += 1;
                            kos += u32::from(s.ko != NOWHERE);
                            let Turn::Agent(agent) = game.turn(&s) else { break };
                            let mut moves = Vec::new();
                            game.moves(&s, agent, &mut moves);
                            let m = moves[rng.below(moves.len() as u32) as usize];
                            game.play(&mut s, agent, m);
                        }
                    }
                }
            }
            assert!(seen > 1000 && kos > 5, "{seen} {kos}");
        }
        check::<u64>(&[(2, 2), (3, 3), (4, 5), (7, 9)]);
        check::<u128>(&[(2, 7), (5, 5), (9, 9), (11, 11)]);
        check::<Wide>(&[(3, 4), (5, 5), (13, 13), (19, 19)]);
    }

    #[test]
    fn texts_round_trip() {
        for hunted in [Side::Max, Side::Min] {
            testing::texts_round_trip(&GoCapture::<u64>::new(2, 2, 3, hunted), 20);
            testing::texts_round_trip(&GoCapture::<u128>::new(9, 9, 3, hunted), 100);
            testing::texts_round_trip(&GoCapture::<Wide>::new(19, 19, 4, hunted), 100);
            testing::nonsense_is_refused(&GoCapture::<u64>::new(5, 5, 3, hunted));
        }
    }

    #[test]
    fn all_words_play_the_same_game() {
        let small = GoCapture::<u64>::new(7, 8, 4, Side::Min);
        let middle = GoCapture::<u128>::new(7, 8, 4, Side::Min);
        let large = GoCapture::<Wide>::new(7, 8, 4, Side::Min);
        testing::same_game(&small, &middle, 50);
        testing::same_game(&small, &large, 50);
    }

    fn value<W: Word>(game: &GoCapture<W>, position: &str) -> Outcome {
        testing::solve_with_loops(game, &game.read_position(position).unwrap())
    }

    #[test]
    fn small_hunts_by_hand() {
        let game: GoCapture<u64> = GoCapture::new(5, 5, 3, Side::Min);
        let (caught, escaped) = (Outcome::WIN, Outcome::LOSS);
        for (position, expected) in [
            // A stone in atari is taken, or runs into the open.
            ("...../..x../.xOx./...../..... black", caught),
            ("...../..x../.xOx./...../..... white", escaped),
            // Along the edge there is nowhere to run, unless the stone in the corner can be taken.
            ("...../...../...../xx.../xO... white", caught),
            ("...../...../...../.x.../xO... white", escaped),
            // The stone beside it can be taken first.
            ("...../...../oo.../.xx../xO... white", escaped),
        ] {
            assert_eq!(value(&game, position), expected, "{position}");
        }
        // The same with the colours exchanged.
        let game: GoCapture<u64> = GoCapture::new(5, 5, 3, Side::Max);
        assert_eq!(value(&game, "...../..o../.oXo./...../..... white"), Outcome::LOSS);
        assert_eq!(value(&game, "...../..o../.oXo./...../..... black"), Outcome::WIN);
    }

    #[test]
    fn plays_are_counted() {
        // The counts of problems/oracle.py.
        fn check<W: Word>(game: &GoCapture<W>, position: &str, counts: &[u64]) {
            let s = game.read_position_or_moves(position).unwrap();
            for (depth, &count) in (1..).zip(counts) {
                assert_eq!(testing::perft(game, &s, depth), count, "{}", game.name());
            }
        }
        let ko = ".xo../x.xo./.xO../...../..... white";
        check(&GoCapture::<u64>::new(5, 5, 3, Side::Min), ko, &[4, 2, 8, 6, 12, 14, 32, 32]);
        let (start, nine) = ("start", GoCapture::<u128>::new(9, 9, 3, Side::Min));
        check(&nine, start, &[2, 10, 10, 10, 12, 21, 23, 31]);
        let nine = GoCapture::<Wide>::new(9, 9, 3, Side::Max);
        check(&nine, start, &[5, 6, 28, 28, 47, 57, 115]);
        check(&GoCapture::<u64>::new(7, 9, 4, Side::Min), start, &[2, 10, 13, 23, 38, 117]);
        check(&GoCapture::<Wide>::new(19, 19, 3, Side::Min), start, &[2, 10, 10, 10, 12, 21]);
    }

    #[test]
    fn a_ko_is_closed_for_one_move() {
        let game: GoCapture<u64> = GoCapture::new(3, 4, 3, Side::Min);
        let mut s = game.read_position(".xo./x.Xo/.xo. white");
        assert!(s.is_err(), "the target is white");
        s = game.read_position(".xo./xO.o/.xo. black");
        let mut s = s.unwrap();
        let m = game.read_move(&s, "c2").unwrap();
        game.play(&mut s, Agent(0), m);
        assert_eq!(game.position_text(&s), ".xo./x*xo/.xo. white ko:b2");
        assert_eq!(game.turn(&s), Turn::Over);
        // A ko beside the target: White takes, and Black may not take back at once.
        let game: GoCapture<u64> = GoCapture::new(3, 5, 3, Side::Min);
        let mut s = game.read_position(".xo../x.xo./.xO.. white").unwrap();
        let m = game.read_move(&s, "b2").unwrap();
        game.play(&mut s, Agent(1), m);
        assert_eq!(game.position_text(&s), ".xo../xo.o./.xO.. black ko:c2");
        assert!(game.read_move(&s, "c2").is_err());
        assert!(game.read_move(&s, "d1").is_ok());
        // Without the ko there is no such ban. Out of turn White may fill it.
        let open = game.read_position(".xo../xo.o./.xO.. black").unwrap();
        assert!(game.read_move(&open, "c2").is_ok());
        let mut moves = Vec::new();
        game.moves(&s, Agent(1), &mut moves);
        assert!(moves.contains(&game.parse_move(&s, "c2").unwrap()));
        for bad in ["ko:a3", "ko:b2", "ko:z9", "ko:", "ko:c2 ", "ko"] {
            let text = format!(".xo../xo.o./.xO.. black {bad}");
            let error = game.read_position(&text).unwrap_err();
            assert!(text.get(error.span).is_some(), "{text}");
        }
    }

    #[test]
    fn positions_that_are_none_are_refused() {
        let game: GoCapture<u64> = GoCapture::new(2, 3, 3, Side::Min);
        for (text, at) in [
            (".../.o. black", 0..7),
            ("..O/.O. black", 0..7),
            ("..O/.X. black", 0..7),
            ("..O/*.. black", 0..7),
            (".../.X. black", 0..7),
            ("Ox./x.. black", 0..1),
            ("O../.x. black ko:b1", 14..19),
        ] {
            assert_eq!(game.read_position(text).unwrap_err().span, at, "{text}");
        }
        let s = game.read_position("x../.O. white").unwrap();
        assert_eq!(game.draw(&s), "  2  x . .\n  1  . O .\n     a b c\n");
    }

    #[test]
    fn records_are_read() {
        let game: GoCapture<u64> = GoCapture::new(3, 4, 3, Side::Min);
        let text = "(;SZ[4:3]AB[aa:bb]AE[ba]AW[cc]PL[W];W[db];B[ca](;W[];B[cb])(;W[cb]))";
        for (suffix, position) in [
            ("@C1", "x.x./xxxo/..O. white"),
            ("@c1#1", "x.../xx../..O. white"),
            ("@C1#2", "x.../xx.o/..O. black"),
            ("@D2#3", "x.x./xx.O/..o. white"),
            ("@D2#4", "x.x./xx.O/..o. black"),
            ("@D2#5", "x.x./xxxO/..o. white"),
        ] {
            let s = game.read_position(&format!("{text}{suffix}")).unwrap();
            assert_eq!(game.position_text(&s), position, "{suffix}");
        }
        // Captures are made, and a ko is seen.
        let ko = "(;SZ[4:3]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb])@C3";
        let s = game.read_position(ko).unwrap();
        assert_eq!(game.position_text(&s), ".xO./x.xo/.xo. white ko:b2");
        for bad in [
            "(;SZ[4:3]AW[aa])",
            "(;SZ[4:3]AW[aa])@",
            "(;SZ[4:3]AW[aa])@E3",
            "(;SZ[4:3]AW[aa])@A4",
            "(;SZ[4:3]AW[aa])@A03",
            "(;SZ[4:3]AW[aa])@A3#",
            "(;SZ[4:3]AW[aa])@A3#0",
            "(;SZ[4:3]AW[aa])@A3#2",
            "(;SZ[4:3]AW[aa])@A1",
            "(;SZ[4:3]AB[aa])@A3",
            "(;SZ[4:3]AW[aa];B[aa])@A3",
            "(;SZ[4:3]AW[aa]AB[ba][ab])@A3",
            "(;SZ[4:3]AW[ba][ab]AB[dc];B[aa])@B3",
            "(;AW[aa])@A19",
            "sgf:@A1",
            "sgf:no/such/file.sgf@A1",
            "sgf:no/such/file.sgf",
        ] {
            let error = game.read_position(bad).unwrap_err();
            assert!(bad.get(error.span).is_some() && !error.message.is_empty(), "{bad}");
        }
        let error = game.read_position("(;SZ[9]AW[aa])@A9").unwrap_err();
        assert!(error.message.ends_with("type go-capture:9x9,3,white"), "{error}");
        assert_eq!(error.span, 5..6);
        let error = game.read_position("(;SZ[4:3]AB[aa])@A3").unwrap_err();
        assert!(error.message.contains("go-capture:3x4,3,black hunts"), "{error}");
        // A file, whose comments may be in any encoding, and whose name may have an `@`.
        let file = std::env::temp_dir().join(format!("foregone@{}.sgf", std::process::id()));
        let path = file.display();
        std::fs::write(&file, b"(;SZ[4:3]C[\xe9]AB[aa:bb]AW[cc];B[ca];W[db])").unwrap();
        let s = game.read_position(&format!("sgf:{path}@C1#2")).unwrap();
        assert_eq!(game.position_text(&s), "xxx./xx../..O. white");
        std::fs::write(&file, "(;SZ[4:3]AW[cc];B[cc])").unwrap();
        let text = format!("sgf:{path}@C1");
        let error = game.read_position(&text).unwrap_err();
        assert_eq!(text[error.span.clone()], path.to_string(), "{error}");
        std::fs::remove_file(&file).unwrap();
        let wide: GoCapture<Wide> = GoCapture::new(19, 19, 3, Side::Min);
        let s = wide.read_position("(;FF[4]AB[bs]AW[cs]PL[B])@C1").unwrap();
        assert!(wide.position_text(&s).ends_with("/.xO................ black"));
    }

    #[test]
    fn mangled_texts_are_no_harm() {
        let game: GoCapture<u128> = GoCapture::new(9, 9, 3, Side::Min);
        let start = game.position_text(&game.start());
        let good = [
            start.as_str(),
            "(;FF[4]SZ[9]C[a\\]b]AB[ba:bc]AW[aa];B[ee];W[];B[cc](;W[dd])(;W[ee]))@A9#3",
            "sgf:no/such/file@A1#2",
        ];
        let bits: Vec<char> = "()[];:\\@#aAiI109xXoO*./ ékB".chars().collect();
        let mut rng = Rng::new(4);
        let mut read = 0;
        for i in 0..30_000 {
            let mut text: Vec<char> = good[i % good.len()].chars().collect();
            for _ in 0..=rng.below(3) {
                let at = rng.below(text.len() as u32 + 1) as usize;
                let new = bits[rng.below(bits.len() as u32) as usize];
                match rng.below(4) {
                    0 => text.insert(at, new),
                    1 if at < text.len() => text[at] = new,
                    2 if at < text.len() => drop(text.remove(at)),
                    _ => text.truncate(at.max(1)),
                }
                if text.is_empty() {
                    text.push(new);
                }
            }
            let text: String = text.into_iter().collect();
            match game.read_position(&text) {
                Err(error) => assert!(text.get(error.span).is_some(), "{text}"),
                Ok(s) => {
                    read += 1;
                    let written = game.position_text(&s);
                    assert_eq!(game.read_position(&written), Ok(s), "{text}");
                    if let Turn::Agent(agent) = game.turn(&s) {
                        let mut moves = Vec::new();
                        game.moves(&s, agent, &mut moves);
                        assert!(!moves.is_empty(), "{text}");
                    }
                }
            }
            let _ = (game.parse_move(&game.start(), &text), game.read_atom(&text));
        }
        assert!(read > 500, "{read}");
    }

    #[test]
    fn the_best_liberties_come_first() {
        let game: GoCapture<u64> = GoCapture::new(5, 5, 3, Side::Min);
        let s = game.read_position("...../..x../.xOx./...../..... white").unwrap();
        assert_eq!(testing::ordered_names(&game, &s), ["c2", "pass"]);
        let s = game.read_position("...../...../.x.../xO.../..... black").unwrap();
        assert_eq!(testing::ordered_names(&game, &s), ["c2", "b1"]);
        for text in ["", "liberties", "liberties()", "liberties(x)", "liberties(26)", "Atari"] {
            assert_eq!(game.read_atom(text), None, "{text}");
        }
    }

    /// What is asked of a position of the ladder tests.
    struct Question {
        number: String,
        point: String,
        answer: String,
    }

    /// Whether the hunter captures the stone on a point of a record when this side moves first.
    fn ladder(record: &str, point: &str, plays: &[String], hunter_first: bool) -> bool {
        let (path, number) = record.split_once('@').unwrap_or((record, ""));
        let (rows, cols) = sgf::read(&read_file(path).unwrap()).unwrap().size;
        let read = |hunted| {
            let game: GoCapture<Wide> = GoCapture::new(rows, cols, 3, hunted);
            let s = game.read_position(&format!("sgf:{path}@{point}{number}"));
            s.map(|s| (game, s))
        };
        let (game, mut s) = read(Side::Max).or_else(|_| read(Side::Min)).unwrap();
        for play in plays {
            let (colour, point) = play.split_once(' ').unwrap();
            let side = if colour == "b" { Side::Max } else { Side::Min };
            let point = game.gtp_point(point).unwrap();
            game.place(&mut s, side, u32::from(point));
        }
        let turn = if hunter_first { game.hunted.other() } else { game.hunted };
        if s.turn != turn {
            s.turn = turn;
            s.ko = NOWHERE;
        }
        testing::solve_with_loops(&game, &s) == won_by(game.hunted.other())
    }

    /// The ladder tests of the program Fuego, if they are there. Each position is asked twice,
    /// as either side may move first. Test 100 is why the hunted side may also threaten a block:
    /// with captures alone it has no defence there.
    #[test]
    fn ladders_have_their_known_answers() {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/go/regression");
        let Ok(tests) = std::fs::read_to_string(folder.join("ladder.tst")) else {
            eprintln!("skipped: all ladder tests, there is no {}", folder.display());
            return;
        };
        let (mut record, mut plays) = (String::new(), Vec::new());
        let mut open: Option<Question> = None;
        let (mut right, mut skipped) = (0, 0);
        for line in tests.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["loadsgf", path] => {
                    record = folder.join(path).display().to_string();
                    plays.clear();
                }
                ["loadsgf", path, number] => {
                    record = format!("{}@#{number}", folder.join(path).display());
                    plays.clear();
                }
                ["play", colour, point] => plays.push(format!("{colour} {point}")),
                [number, "go_ladder" | "go_static_ladder", point] => {
                    let (number, point) = (number.to_owned(), point.to_owned());
                    open = Some(Question { number, point, answer: String::new() });
                }
                ["#?", answer] => {
                    let Some(mut question) = open.take() else {
                        skipped += 1;
                        continue;
                    };
                    question.answer = answer.trim_matches(['[', ']']).to_owned();
                    let first = ladder(&record, &question.point, &plays, true);
                    let second = ladder(&record, &question.point, &plays, false);
                    let found = match (first, second) {
                        (true, true) => "captured",
                        (true, false) => "unsettled",
                        _ => "escaped",
                    };
                    assert_eq!(found, question.answer, "test {} of {record}", question.number);
                    right += 1;
                }
                _ => {}
            }
        }
        eprintln!("{right} ladder tests right, {skipped} skipped");
        assert!(right >= 10, "{right}");
    }
}
