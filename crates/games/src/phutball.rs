//! Phutball, the philosopher's football (John Conway; E. Berlekamp, J. Conway and R. Guy, *Winning
//! Ways*, 1982).
//!
//! A ball and men stand on the points of a board; there are no sides among the men. Black and White
//! in turn either place a man on an empty point, or move the ball by jumps. A jump goes in one of the
//! eight directions over an unbroken row of one or more men next to the ball, to the first point
//! behind them, which must be empty, and takes these men off. After a jump more may follow within the
//! same move. Black's goal line is the lowest row, White's the highest. Who brings the ball onto or
//! over the opponent's goal line wins, whoever moved it there: only where it rests at the end of a
//! move counts, but a ball that went over a goal line has left the board. At the other edges it cannot.
//! The ball begins in the middle; of an even number of rows or columns in the lower one.
//!
//! Positions can come up again, and the rules give endless play no outcome. A player who cannot move,
//! which is possible on full boards only, has lost. A move has at most 19 jumps here.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Endless, Game, Guide, Notation, OffTurn, Outcome, Side, TextError, Turn,
};

use crate::board::{Grid, Word, read_mover, read_sets, sort_by_rank};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};
use crate::stones::PLAYERS;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("phutball:3x3"),
    ..Entry::in_turn(
        "phutball",
        "ROWSxCOLUMNS (5x5)",
        "Place men, or jump the ball over them; who brings it to the opponent's goal line wins",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (rows, cols) = options.size((5, 5))?;
    if rows < 3 {
        return Err(options.error("a board has at least three rows: two are goal lines").into());
    }
    Ok(match options.fits_64((rows, cols), |rows, cols| rows * cols)? {
        true => Opened::pictured(Phutball::<u64>::new(rows, cols), Phutball::scene),
        false => Opened::pictured(Phutball::<u128>::new(rows, cols), Phutball::scene),
    })
}

/// Phutball on a rectangular board.
#[derive(Clone, Debug)]
pub struct Phutball<W> {
    grid: Grid<W>,
}

/// The men, the point of the ball, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    men: W,
    ball: u8,
    turn: Side,
}

foregone_model::stored!(State<W: Word> { men, ball, turn });

/// The ball went over the highest or the lowest row.
const ABOVE: u8 = u8::MAX;
const BELOW: u8 = u8::MAX - 1;

/// A point where a man is placed, or jumps: with the highest bit, their number, and then the
/// direction of each, three bits, the first one lowest.
pub type Act = u64;
const JUMPS: u64 = 1 << 63;
const NUMBER: u32 = 57;
const MOST_JUMPS: u32 = NUMBER / 3;

/// Up and to the right, for each direction, with its name.
const DIRECTIONS: [(i32, i32, &str); 8] = [
    (1, 0, "n"),
    (1, 1, "ne"),
    (0, 1, "e"),
    (-1, 1, "se"),
    (-1, 0, "s"),
    (-1, -1, "sw"),
    (0, -1, "w"),
    (1, -1, "nw"),
];

const SYMBOLS: [char; 3] = ['.', 'x', '@'];
/// How positions tell that the ball is over a goal line.
const OVER: [(u8, &str); 2] = [(ABOVE, "over-top"), (BELOW, "over-bottom")];

impl<W: Word> Phutball<W> {
    /// A board of this size, which must fit into the word.
    pub fn new(rows: u32, cols: u32) -> Phutball<W> {
        assert!(rows >= 3, "two rows are goal lines");
        Phutball { grid: Grid::new(rows, cols) }
    }

    /// The points with neither a man nor the ball.
    fn empty(&self, s: &State<W>) -> W {
        let ball = if s.ball < BELOW { W::bit(u32::from(s.ball)) } else { W::ZERO };
        self.grid.full & !(s.men | ball)
    }

    /// Jumps once in a direction, if that is possible.
    fn jump(&self, men: W, ball: u8, direction: usize) -> Option<(W, u8)> {
        let (rows, cols) = (self.grid.rows as i32, self.grid.cols as i32);
        let (up, right, _) = DIRECTIONS[direction];
        let (mut row, mut col) = (i32::from(ball) / cols + up, i32::from(ball) % cols + right);
        let mut left = men;
        loop {
            // Beyond a corner the ball has crossed the side line, which it must not.
            if !(0..cols).contains(&col) || left == men && !(0..rows).contains(&row) {
                return None;
            }
            if row < 0 || row >= rows {
                return Some((left, if row < 0 { BELOW } else { ABOVE }));
            }
            let cell = (row * cols + col) as u32;
            if !men.has(cell) {
                return (left != men).then_some((left, cell as u8));
            }
            left = left & !W::bit(cell);
            row += up;
            col += right;
        }
    }

    /// Appends all moves of the ball that go on from these jumps.
    fn jumps(&self, men: W, ball: u8, (done, number): (u64, u32), out: &mut Vec<Act>) {
        if ball >= BELOW || number == MOST_JUMPS {
            return;
        }
        for direction in 0..DIRECTIONS.len() {
            if let Some((men, ball)) = self.jump(men, ball, direction) {
                let jumps = done | (direction as u64) << (3 * number);
                out.push(JUMPS | u64::from(number + 1) << NUMBER | jumps);
                self.jumps(men, ball, (jumps, number + 1), out);
            }
        }
    }

    /// The directions of a move of the ball.
    fn directions(m: Act) -> impl Iterator<Item = usize> {
        let number = (m & !JUMPS) >> NUMBER;
        (0..number).map(move |i| (m >> (3 * i) & 7) as usize)
    }

    /// Who has won, if the ball is at or behind a goal line.
    fn winner(&self, s: &State<W>) -> Option<Side> {
        match s.ball {
            ABOVE => Some(Side::Max),
            BELOW => Some(Side::Min),
            ball if u32::from(ball) / self.grid.cols == self.grid.rows - 1 => Some(Side::Max),
            ball if u32::from(ball) < self.grid.cols => Some(Side::Min),
            _ => None,
        }
    }

    fn symbol(&self, s: &State<W>, cell: u32) -> char {
        match (s.men.has(cell), u32::from(s.ball) == cell) {
            (true, _) => SYMBOLS[1],
            (_, true) => SYMBOLS[2],
            _ => SYMBOLS[0],
        }
    }

    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        self.grid.points(|cell| match self.symbol(s, cell) {
            'x' => Some((Glyph::Disc, Paint::Black)),
            '@' => Some((Glyph::Disc, Paint::White)),
            _ => None,
        })
    }
}

impl<W: Word> Game for Phutball<W> {
    type State = State<W>;
    type Move = Act;

    fn endless(&self) -> Endless {
        Endless::Undetermined
    }

    fn start(&self) -> State<W> {
        let [row, col] = [self.grid.rows, self.grid.cols].map(|n| (n - 1) / 2);
        State { men: W::ZERO, ball: (row * self.grid.cols + col) as u8, turn: Side::Max }
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }

    fn turn(&self, s: &State<W>) -> Turn {
        let stuck = || {
            let jumps = |d: usize| self.jump(s.men, s.ball, d).is_some();
            self.empty(s).is_empty() && !(0..DIRECTIONS.len()).any(jumps)
        };
        if self.winner(s).is_some() || stuck() {
            return Turn::Over;
        }
        Turn::Agent(s.turn.agent())
    }

    fn moves(&self, s: &State<W>, _agent: Agent, out: &mut Vec<Act>) {
        out.extend(self.empty(s).cells().map(u64::from));
        self.jumps(s.men, s.ball, (0, 0), out);
    }

    fn play(&self, s: &mut State<W>, agent: Agent, m: Act) {
        s.turn = Side::of(agent).other();
        if m & JUMPS == 0 {
            s.men = s.men | W::bit(m as u32);
            return;
        }
        for direction in Self::directions(m) {
            if let Some((men, ball)) = self.jump(s.men, s.ball, direction) {
                (s.men, s.ball) = (men, ball);
            }
        }
    }

    fn outcome(&self, s: &State<W>) -> Outcome {
        match self.winner(s).unwrap_or(s.turn.other()) {
            Side::Max => Outcome::WIN,
            Side::Min => Outcome::LOSS,
        }
    }
}

impl<W: Word> Guide for Phutball<W> {
    type Packed = State<W>;
    const PACKS_TURN: bool = true;

    foregone_model::stored_by_parts!();

    fn pack(&self, s: &State<W>) -> State<W> {
        *s
    }

    /// The mirror image with left and right exchanged is the same position.
    fn canonical(&self, s: &State<W>) -> State<W> {
        let ball = if s.ball < BELOW { W::bit(u32::from(s.ball)) } else { W::ZERO };
        let mut image = [s.men, ball];
        self.grid.mirror_columns(&mut image);
        if image >= [s.men, ball] {
            return *s;
        }
        let ball = if s.ball < BELOW { image[1].lowest() as u8 } else { s.ball };
        State { men: image[0], ball, ..*s }
    }

    /// Jumps first, those that end farthest ahead before others; then men near the ball.
    fn order(&self, s: &State<W>, agent: Agent, moves: &mut [Act]) {
        let cols = i32::from(self.grid.cols as u16);
        let ahead = if Side::of(agent) == Side::Max { 1 } else { -1 };
        sort_by_rank(moves, |m| {
            if m & JUMPS != 0 {
                let mut next = *s;
                self.play(&mut next, agent, m);
                let row = match next.ball {
                    ABOVE => self.grid.rows as i32,
                    BELOW => -1,
                    ball => i32::from(ball) / cols,
                };
                return (1_000 + 10 * ahead * (row - i32::from(s.ball) / cols)) as i16;
            }
            let (m, ball) = (m as i32, i32::from(s.ball));
            let (up, right) = (m / cols - ball / cols, m % cols - ball % cols);
            (ahead * up - 4 * up.abs().max(right.abs())) as i16
        });
    }
}

impl<W: Word> Notation for Phutball<W> {
    fn name(&self) -> String {
        format!("phutball:{}x{}", self.grid.rows, self.grid.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// The point of a man, or the directions of the jumps: `n-ne-e`.
    fn write_move(&self, _s: &State<W>, m: Act, out: &mut String) {
        if m & JUMPS == 0 {
            return self.grid.write_cell(m as u32, out);
        }
        for (i, direction) in Self::directions(m).enumerate() {
            if i > 0 {
                out.push('-');
            }
            out.push_str(DIRECTIONS[direction].2);
        }
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<Act> {
        if let Some(cell) = self.grid.parse_whole_cell(text) {
            return Some(u64::from(cell));
        }
        let mut jumps = 0;
        let mut number = 0;
        for word in text.split('-') {
            let direction = DIRECTIONS.iter().position(|&(_, _, name)| name == word)?;
            if number == MOST_JUMPS {
                return None;
            }
            jumps |= (direction as u64) << (3 * number);
            number += 1;
        }
        Some(JUMPS | u64::from(number) << NUMBER | jumps)
    }

    /// The rows and who is to move, and where the ball is if it has left the board.
    fn write_position(&self, s: &State<W>, out: &mut String) {
        self.grid.write_rows(|cell| self.symbol(s, cell), out);
        out.push(' ');
        if let Some((_, word)) = OVER.iter().find(|&&(ball, _)| ball == s.ball) {
            out.push_str(word);
            out.push(' ');
        }
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let (rows, mover) = read_mover(text, &PLAYERS)?;
        let (rows, over) = OVER
            .into_iter()
            .find_map(|(ball, word)| {
                Some((rows.strip_suffix(word)?.strip_suffix(' ')?, Some(ball)))
            })
            .unwrap_or((rows, None));
        let sets: Vec<W> = read_sets(rows, self.grid.rows_from_top(), &SYMBOLS)?;
        let turn = [Side::Max, Side::Min][mover];
        let ball = match (over, sets[2].count()) {
            (None, 1) => sets[2].lowest() as u8,
            (Some(ball), 0) => ball,
            _ => {
                let at = 0..text.find(' ').unwrap_or(text.len());
                let message = "there is one ball `@`, unless it is over-top or over-bottom";
                return Err(TextError::new(message, at));
            }
        };
        let s = State { men: sets[1], ball, turn };
        crate::board::as_written(self, s, text)
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|c| self.symbol(s, c))
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::{Rng, Typed as _};

    use super::*;
    use crate::testing;

    fn names(game: &Phutball<u64>, position: &str) -> Vec<String> {
        let s = game.read_position(position).unwrap();
        let mut moves = Vec::new();
        game.moves(&s, Agent(0), &mut moves);
        let jumps = moves.into_iter().filter(|m| m & JUMPS != 0);
        jumps.map(|m| game.move_text(&s, m)).collect()
    }

    fn after(game: &Phutball<u64>, position: &str, name: &str) -> String {
        let mut s = game.read_position(position).unwrap();
        let m = game.read_move(&s, name).unwrap();
        game.play(&mut s, Agent(0), m);
        game.position_text(&s)
    }

    #[test]
    fn the_ball_jumps_over_men() {
        let game: Phutball<u64> = Phutball::new(5, 4);
        // To the right the men reach the side line.
        let position = "..../..x./.@xx/.x../.... black";
        assert_eq!(names(&game, position), ["ne", "s"]);
        assert_eq!(after(&game, position, "ne"), "...@/..../..xx/.x../.... white");
        // Jumps go on, and the men that were jumped over are gone by then.
        let position = "..../.x../.@x./.x../.... black";
        assert_eq!(names(&game, position), ["n", "e", "s"]);
        let position = "..../..../@xx./...x/.... black";
        assert_eq!(names(&game, position), ["e", "e-s"]);
        assert_eq!(names(&game, "..../..../@x.x/..../.... black"), ["e"]);
        let position = "..x./..x./@x../.x../.... black";
        assert_eq!(names(&game, position), ["e", "e-n", "e-sw", "se"]);
        assert_eq!(after(&game, position, "e-n"), "..../..../..../.x../.... over-top white");
        assert_eq!(after(&game, position, "e-sw"), "..x./..x./..../..../@... white");
    }

    #[test]
    fn where_the_ball_rests_counts() {
        let game: Phutball<u64> = Phutball::new(4, 3);
        for (position, over, outcome) in [
            (".@./.../.../... black", true, Outcome::WIN),
            (".../.../.../@.. white", true, Outcome::LOSS),
            (".../.../.../... over-top black", true, Outcome::WIN),
            (".../xxx/.../... over-bottom black", true, Outcome::LOSS),
        ] {
            let s = game.read_position(position).unwrap();
            assert_eq!((game.turn(&s) == Turn::Over, game.outcome(&s)), (over, outcome));
        }
        for bad in
            [".../.../.../... black", "@@./.../.../... black", "@../.../.../... over-top black"]
        {
            assert!(game.read_position(bad).is_err(), "{bad}");
        }
        // The place of an error is a place of the text as it was typed.
        let error = game.read_position(".../.../.../..y over-top black").unwrap_err();
        assert_eq!(error.span, 14..15);
        let error = game.read_position(".../.../.../... over-top whi\u{202e}te").unwrap_err();
        assert_eq!(error.span, 25..33);
        // Along the goal line and back: the game goes on.
        let game: Phutball<u64> = Phutball::new(5, 5);
        let position = "...x./..xx./..@../...../..... black";
        assert!(names(&game, position).contains(&"n-e-sw".to_owned()));
        let back = after(&game, position, "n-e-sw");
        assert_eq!(back, "...../...../..@../...../..... white");
        let s = game.read_position(&back).unwrap();
        assert_eq!(game.turn(&s), Turn::Agent(Agent(1)));
    }

    #[test]
    fn texts_round_trip() {
        for (rows, cols) in [(3, 1), (3, 3), (5, 5), (7, 9)] {
            testing::texts_round_trip(&Phutball::<u64>::new(rows, cols), 20);
        }
        testing::texts_round_trip(&Phutball::<u128>::new(11, 11), 3);
        testing::nonsense_is_refused(&Phutball::<u64>::new(5, 4));
        testing::same_game(&Phutball::<u64>::new(5, 4), &Phutball::<u128>::new(5, 4), 30);
    }

    #[test]
    fn images_are_alike() {
        let game = Phutball::<u64>::new(5, 4);
        let mut rng = Rng::new(1);
        for s in (0..20).flat_map(|_| testing::random_play(&game, &mut rng)) {
            let on_board = s.ball < BELOW;
            let mut image = [s.men, if on_board { u64::bit(u32::from(s.ball)) } else { 0 }];
            game.grid.mirror_columns(&mut image);
            let ball = if on_board { image[1].lowest() as u8 } else { s.ball };
            let t = State { men: image[0], ball, ..s };
            assert_eq!(game.canonical(&t), game.canonical(&s));
            assert_eq!(game.mobility(&t, Agent(0)), game.mobility(&s, Agent(0)));
            assert!([s, t].contains(&game.canonical(&s)));
        }
    }
}
