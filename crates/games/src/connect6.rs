//! Connect6 (I-Chen Wu and Dei-Yen Huang, *A New Family of k-in-a-row Games*, 2005).
//!
//! Black, who begins, and White place stones of their colour on the empty cells of a square board.
//! Black's first turn has one stone, every later turn of either side two, or as many as the options
//! say. Who first has six or more in an unbroken row, a column or a diagonal wins, at once; a full
//! board without such a line is a draw. A move here is one stone, so a turn is two moves.

use foregone_model::scene::Scene;
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Rng, Scale, Side, TextError, Turn};

use crate::board::{Word, sort_by_rank};
use crate::gomoku::{self, Gomoku};
use crate::options::Options;
use crate::picture::stone;
use crate::placement;
use crate::registry::{Entry, GameError, Opened};
use crate::stones::PLAYERS;
use crate::wide::{Quad, Wide};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("connect6:4,4"),
    ..Entry::in_turn(
        "connect6",
        "SIZE[,LENGTH[,STONES]] (6,6,2)",
        "Place one stone, then STONES a turn; LENGTH in a line win, a full board is a draw",
        open,
    )
};

/// How many stones a turn may have.
const MOST_STONES: u32 = 9;
/// The line that wins where nothing else is said and the board is large enough.
const USUAL: u32 = 6;

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (shortest, largest) = (gomoku::SHORTEST, gomoku::LARGEST);
    let forms = [(6, shortest, largest), (USUAL, shortest, largest), (2, 1, MOST_STONES)];
    let [size, mut length, stones] = options.numbers(forms)?;
    if options.values().len() < 2 {
        length = length.min(size);
    }
    if length > size {
        let message = format!("a line of {length} does not fit on a board of {size}x{size}");
        return Err(options.error(message).into());
    }
    Ok(match size * size {
        0..=64 => opened::<u64>(size, length, stones),
        65..=128 => opened::<u128>(size, length, stones),
        129..=256 => opened::<Quad>(size, length, stones),
        _ => opened::<Wide>(size, length, stones),
    })
}

fn opened<W: Word>(size: u32, length: u32, stones: u32) -> Opened {
    Opened::pictured(Connect6::<W>::new(size, length, stones), Connect6::scene)
}

/// Connect6 on a square board.
#[derive(Clone, Debug)]
pub struct Connect6<W> {
    /// The board and its lines, which are those of Gomoku.
    board: Gomoku<W>,
    /// How many stones a turn has.
    stones: u8,
}

/// The stones, who is to move, and how many stones that player still has in this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    placed: placement::State<W>,
    left: u8,
}

foregone_model::stored!(State<W: Word> { placed, left });

const DRAW: Outcome = Outcome(1);
const WIN: Outcome = Outcome(2);

impl<W: Word> Connect6<W> {
    /// A board of this size, which must fit into the word, how many in a row win, and how many
    /// stones a turn has.
    pub fn new(size: u32, length: u32, stones: u32) -> Connect6<W> {
        assert!((1..=MOST_STONES).contains(&stones), "a turn has 1 to 9 stones");
        Connect6 { board: Gomoku::new(size, length), stones: stones as u8 }
    }

    fn free(&self, s: &State<W>) -> W {
        s.placed.free(self.board.grid.full)
    }

    /// Who has a line.
    #[inline]
    fn winner(&self, s: &State<W>) -> Option<Side> {
        [Side::Max, Side::Min].into_iter().find(|side| {
            let stones = s.placed.stones[side.index()];
            self.board.lined(stones)
        })
    }

    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        self.board.grid.points(|cell| stone(s.placed.symbol(cell)))
    }
}

impl<W: Word> Game for Connect6<W> {
    type State = State<W>;
    /// The cell of the stone.
    type Move = u16;

    fn scale(&self) -> Scale {
        Scale::three()
    }

    fn start(&self) -> State<W> {
        State { placed: placement::State::start(), left: 1 }
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        if self.free(s).is_empty() || self.winner(s).is_some() {
            Turn::Over
        } else {
            Turn::Agent(s.placed.turn.agent())
        }
    }

    #[inline]
    fn moves(&self, s: &State<W>, _agent: Agent, out: &mut Vec<u16>) {
        out.extend(self.free(s).cells().map(|c| c as u16));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u16) {
        s.placed.place(agent, u32::from(m));
        if s.left > 1 {
            s.placed.turn = Side::of(agent);
            s.left -= 1;
        } else {
            s.left = self.stones;
        }
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        match self.winner(s) {
            None => DRAW,
            Some(Side::Max) => WIN,
            Some(Side::Min) => Outcome::LOSS,
        }
    }
}

impl<W: Word> Guide for Connect6<W> {
    type Packed = State<W>;
    const PACKS_TURN: bool = true;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &State<W>) -> State<W> {
        *s
    }

    #[inline]
    fn mobility(&self, s: &State<W>, _agent: Agent) -> u32 {
        self.free(s).count()
    }

    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        let stones = self.board.grid.least_image(s.placed.stones);
        State { placed: placement::State { stones, ..s.placed }, ..*s }
    }

    /// Cells of lines that need few more stones first, one's own before the opponent's; then those
    /// in the centre.
    fn order(&self, s: &State<W>, agent: Agent, moves: &mut [u16]) {
        let side = Side::of(agent);
        let free = self.free(s);
        let mine = self.board.needing(s.placed.stones[side.index()], free);
        let theirs = self.board.needing(s.placed.stones[side.other().index()], free);
        sort_by_rank(moves, |m| {
            let worth = |cells: &[W; 3], worths: [i16; 3]| {
                let held = cells.iter().zip(worths).filter(|(w, _)| w.has(u32::from(m)));
                held.map(|(_, worth)| worth).max().unwrap_or(0)
            };
            let rank = worth(&mine, [16_000, 8_000, 1_000]) + worth(&theirs, [6_000, 5_000, 700]);
            rank + self.board.nearness[usize::from(m)]
        });
    }

    /// The cells that complete a line.
    fn finishing(&self, s: &State<W>, agent: Agent, out: &mut Vec<u16>) {
        let own = s.placed.stones[Side::of(agent).index()];
        out.extend(self.board.completing(own, self.free(s)).cells().map(|c| c as u16));
    }

    fn move_class(&self, _s: &State<W>, _agent: Agent, m: u16) -> Option<u16> {
        Some(m)
    }

    fn playout(&self, mut s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        while let Turn::Agent(agent) = self.turn(&s) {
            let cell = self.free(&s).pick(rng);
            self.play(&mut s, agent, cell as u16);
        }
        Some(self.outcome(&s))
    }
}

impl<W: Word> Notation for Connect6<W> {
    fn name(&self) -> String {
        format!("connect6:{},{},{}", self.board.grid.cols, self.board.length, self.stones)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State<W>, m: u16, out: &mut String) {
        self.board.grid.write_cell(u32::from(m), out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u16> {
        self.board.grid.parse_whole_cell(text).map(|cell| cell as u16)
    }

    /// The rows, who is to move, and how many stones are left in the turn.
    fn write_position(&self, s: &State<W>, out: &mut String) {
        s.placed.write(self.board.grid.rows_from_top(), &PLAYERS, out);
        out.push(' ');
        out.push((b'0' + s.left) as char);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let (before, left) = text.rsplit_once(' ').unwrap_or((text, ""));
        let stones = ('1'..=(b'0' + self.stones) as char).position(|c| left == c.to_string());
        let Some(stones) = stones else {
            let most = self.stones;
            let message = format!("a position ends with the stones left in the turn: 1 to {most}");
            return Err(TextError::new(message, text.len() - left.len()..text.len()));
        };
        let placed = placement::State::read(before, self.board.grid.rows_from_top(), &PLAYERS)?;
        let s = State { placed, left: stones as u8 + 1 };
        // Within a turn the opponent has not just moved; at its beginning the player has not.
        let begins = s.left == self.stones;
        let idle = if begins { placed.turn } else { placed.turn.other() };
        if self.board.lined(placed.stones[idle.index()]) {
            let who = PLAYERS[idle.index()];
            let message = format!("{who} has a line: the game was over before");
            return Err(TextError::new(message, 0..before.rfind(' ').unwrap_or(before.len())));
        }
        Ok(s)
    }

    fn draw(&self, s: &State<W>) -> String {
        self.board.grid.draw(|c| s.placed.symbol(c))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::Typed as _;

    use super::*;
    use crate::board::Grid;
    use crate::testing;

    #[test]
    fn turns_have_one_stone_and_then_two() {
        let game: Connect6<u64> = Connect6::new(4, 3, 2);
        let mut s = game.start();
        let mut movers = String::new();
        for name in ["a1", "d4", "a4", "b1", "c3", "d1", "d2"] {
            let Turn::Agent(agent) = game.turn(&s) else { panic!("it is not over") };
            movers.push_str(&agent.0.to_string());
            let m = game.read_move(&s, name).unwrap();
            game.play(&mut s, agent, m);
        }
        assert_eq!(movers, "0110011");
        assert_eq!(game.position_text(&s), "o..o/..x./...o/xx.o black 2");
        let mut s = game.read_position("oo.o/..x./...o/xx.o white 1").unwrap();
        let m = game.read_move(&s, "c4").unwrap();
        game.play(&mut s, Agent(1), m);
        assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, Outcome::LOSS));
    }

    #[test]
    fn one_stone_a_turn_is_gomoku() {
        let (one, two) = (Connect6::<u64>::new(4, 3, 1), Gomoku::<u64>::new(4, 3));
        for depth in 1..=5 {
            assert_eq!(
                testing::perft(&one, &one.start(), depth),
                testing::perft(&two, &two.start(), depth)
            );
        }
    }

    #[test]
    fn small_boards_have_their_values() {
        // The values of problems/oracle.py.
        for (size, length, value) in [(3, 3, "win"), (4, 4, "draw")] {
            let game: Connect6<u64> = Connect6::new(size, length, 2);
            let s = match size {
                3 => game.start(),
                _ => game.read_position_or_moves("moves:b2,c3,b3,c2,a1,d4,d1,a4").unwrap(),
            };
            let found = testing::solve(&game, &s, &mut HashMap::new());
            assert_eq!(game.scale().name(found), value, "{}", game.name());
        }
    }

    #[test]
    fn texts_round_trip() {
        for (size, length, stones) in [(3, 3, 2), (5, 4, 1), (8, 6, 3)] {
            testing::texts_round_trip(&Connect6::<u64>::new(size, length, stones), 20);
        }
        testing::texts_round_trip(&Connect6::<Wide>::new(19, 6, 2), 3);
        let game: Connect6<u64> = Connect6::new(4, 3, 2);
        testing::nonsense_is_refused(&game);
        for (text, at) in [
            ("..../..../..../.... black 3", 26..27),
            ("..../..../..../.... black", 20..25),
            ("xxx./..../..../.... black 2", 0..19),
            ("xxx./..../..../.... white 1", 0..19),
        ] {
            assert_eq!(game.read_position(text).unwrap_err().span, at, "{text}");
        }
        assert!(game.read_position("xxx./..../..../.... black 1").is_ok());
    }

    #[test]
    fn images_are_alike_and_words_too() {
        let game = Connect6::<u64>::new(4, 4, 2);
        let mut rng = Rng::new(1);
        for s in (0..20).flat_map(|_| testing::random_play(&game, &mut rng)) {
            for image in [Grid::mirror_columns, Grid::mirror_rows, Grid::transpose] {
                let mut t = s;
                image(&game.board.grid, &mut t.placed.stones);
                assert_eq!(game.canonical(&t), game.canonical(&s));
                assert_eq!(game.turn(&t), game.turn(&s));
            }
        }
        testing::same_game(&Connect6::<u64>::new(6, 5, 2), &Connect6::<Quad>::new(6, 5, 2), 20);
    }

    #[test]
    fn playouts_are_uniform() {
        testing::playouts_are_uniform(&Connect6::<u64>::new(3, 3, 2), 4);
    }
}
