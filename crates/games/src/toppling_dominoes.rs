//! Toppling Dominoes (M. H. Albert, R. J. Nowakowski and D. Wolfe, *Lessons in Play*, 2007).
//!
//! Dominoes stand in rows: black ones, white ones and green ones. A player chooses a domino of the own
//! colour or a green one and topples it to the left or to the right: it falls, and so do all dominoes
//! that way which stand without a gap. Fallen dominoes are gone. Who cannot move loses.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Character, Game, Guide, NormalPlay, Notation, Outcome, Side, TextError, Turn,
};

use crate::board::Word;
use crate::board::rows::{self, Rows};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "toppling-dominoes",
    "ROW/ROW/… (xoxgoxoo)",
    "Topple an own or green domino and all to one side of it; a player who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let text = options.text().unwrap_or("xoxgoxoo");
    let error = |message| GameError::Spec(options.error(message));
    Ok(match text.len() {
        0..=64 => {
            let game = TopplingDominoes::<u64>::new(text).map_err(error)?;
            Opened::normal_play(game, TopplingDominoes::scene)
        }
        _ => {
            let game = TopplingDominoes::<u128>::new(text).map_err(error)?;
            Opened::normal_play(game, TopplingDominoes::scene)
        }
    })
}

/// Toppling Dominoes with rows that were typed.
#[derive(Clone, Debug)]
pub struct TopplingDominoes<W> {
    rows: Rows<W>,
    start: [W; 2],
}

/// The dominoes that stand, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    /// Those that Black can topple, and White: green ones are in both.
    standing: [W; 2],
    turn: Side,
}

foregone_model::stored!(State<W: Word> { standing, turn });

const PLAYERS: [&str; 2] = ["black", "white"];
const SYMBOLS: [char; 4] = ['.', 'x', 'o', 'g'];
const WAYS: [&str; 2] = ["left", "right"];

impl<W: Word> TopplingDominoes<W> {
    /// Rows separated by `/`: `x` for a black domino, `o` for a white one, `g` for a green one, `.` for
    /// a gap. They must fit into the word; the message says what is wrong.
    pub fn new(text: &str) -> Result<TopplingDominoes<W>, String> {
        let (rows, sets) = rows::read_start(text, &SYMBOLS)?;
        Ok(TopplingDominoes { rows, start: [sets[1] | sets[3], sets[2] | sets[3]] })
    }

    fn symbol(&self, [black, white]: [W; 2], cell: u32) -> char {
        SYMBOLS[usize::from(black.has(cell)) + 2 * usize::from(white.has(cell))]
    }

    /// The dominoes that fall by a move.
    #[inline]
    fn falling(&self, s: &State<W>, m: u8) -> W {
        let standing = s.standing[0] | s.standing[1];
        let mut fallen = W::bit(u32::from(m / 2));
        loop {
            let next =
                if m.is_multiple_of(2) { self.rows.west(fallen) } else { self.rows.east(fallen) };
            let more = next & standing & !fallen;
            if more.is_empty() {
                return fallen;
            }
            fallen = fallen | more;
        }
    }

    /// A run of dominoes as a part: at the beginning of a row, or its mirror image there.
    fn part(&self, symbols: &[[bool; 2]]) -> State<W> {
        let home = self.rows.home(symbols.len() as u32);
        let place = |symbols: &mut dyn Iterator<Item = &[bool; 2]>| {
            let mut standing = [W::ZERO; 2];
            for (cell, colours) in (home..).zip(symbols) {
                for (set, &colour) in standing.iter_mut().zip(colours) {
                    *set = if colour { *set | W::bit(cell) } else { *set };
                }
            }
            standing
        };
        let images = [place(&mut symbols.iter()), place(&mut symbols.iter().rev())];
        State { standing: images[0].min(images[1]), turn: Side::Max }
    }
}

impl<W: Word> Game for TopplingDominoes<W> {
    type State = State<W>;
    /// Twice the domino, and 1 more if it falls to the right.
    type Move = u8;

    fn start(&self) -> State<W> {
        State { standing: self.start, turn: Side::Max }
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        let over = s.standing[s.turn.index()].is_empty();
        if over { Turn::Over } else { Turn::Agent(s.turn.agent()) }
    }

    #[inline]
    fn moves(&self, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
        let own = s.standing[Side::of(agent).index()];
        out.extend(own.cells().flat_map(|cell| [cell as u8 * 2, cell as u8 * 2 + 1]));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u8) {
        let fallen = self.falling(s, m);
        s.standing = s.standing.map(|set| set & !fallen);
        s.turn = Side::of(agent).other();
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl<W: Word> Guide for TopplingDominoes<W> {
    type Packed = State<W>;

    const PACKS_TURN: bool = true;

    foregone_model::stored_by_parts!();

    fn character(&self) -> Character {
        Character::Mobile
    }

    #[inline]
    fn pack(&self, s: &State<W>) -> State<W> {
        *s
    }

    #[inline]
    fn mobility(&self, s: &State<W>, agent: Agent) -> u32 {
        2 * s.standing[Side::of(agent).index()].count()
    }
}

impl<W: Word> TopplingDominoes<W> {
    /// A picture of a position.
    fn scene(&self, s: &State<W>) -> Scene {
        let mut scene = self.rows.squares(|cell| {
            let paint = match self.symbol(s.standing, cell) {
                'x' => Paint::Black,
                'o' => Paint::White,
                'g' => Paint::Green,
                _ => return None,
            };
            Some((Glyph::Disc, paint))
        });
        let mut moves = Vec::new();
        self.moves(s, s.turn.agent(), &mut moves);
        for m in moves {
            // From the domino that is toppled to the last one that falls.
            let mut cells: Vec<usize> = self.falling(s, m).cells().map(|c| c as usize).collect();
            if m.is_multiple_of(2) {
                cells.reverse();
            }
            let travels = cells.len() > 1;
            scene.touch(PLAYERS[s.turn.index()], self.move_text(s, m), cells, travels);
        }
        scene
    }
}

impl<W: Word> Notation for TopplingDominoes<W> {
    fn name(&self) -> String {
        let mut name = "toppling-dominoes:".to_owned();
        self.rows.write(|cell| self.symbol(self.start, cell), &mut name);
        name
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// The domino, and the way it falls: `c1right`.
    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        self.rows.write_cell(u32::from(m / 2), out);
        out.push_str(WAYS[usize::from(m % 2)]);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        let (cell, way) = self.rows.parse_cell(text)?;
        let way = WAYS.iter().position(|&word| word == way)?;
        Some(cell as u8 * 2 + way as u8)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        self.rows.write(|cell| self.symbol(s.standing, cell), out);
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let (sets, mover) = self.rows.read(text, &SYMBOLS, &PLAYERS)?;
        let standing = [sets[1] | sets[3], sets[2] | sets[3]];
        Ok(State { standing, turn: [Side::Max, Side::Min][mover] })
    }

    fn draw(&self, s: &State<W>) -> String {
        self.rows.draw(|cell| self.symbol(s.standing, cell))
    }
}

impl<W: Word> NormalPlay for TopplingDominoes<W> {
    fn with_turn(&self, s: &State<W>, side: Side) -> State<W> {
        State { turn: side, ..*s }
    }

    /// Dominoes that stand without a gap.
    fn split(&self, s: &State<W>, out: &mut Vec<State<W>>) {
        for run in self.rows.runs(s.standing[0] | s.standing[1]) {
            let symbols: Vec<[bool; 2]> =
                run.map(|cell| s.standing.map(|set| set.has(cell))).collect();
            out.push(self.part(&symbols));
        }
    }

    /// Black dominoes for white ones.
    fn negative(&self, part: &State<W>) -> Option<State<W>> {
        let [black, white] = part.standing;
        let cells = (black | white).cells();
        let symbols: Vec<[bool; 2]> =
            cells.map(|cell| [white.has(cell), black.has(cell)]).collect();
        Some(self.part(&symbols))
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;

    use super::*;
    use crate::normal_play_testing as normal_play;
    use crate::testing;

    fn game(text: &str) -> TopplingDominoes<u64> {
        TopplingDominoes::new(text).unwrap()
    }

    #[test]
    fn parts_add_up() {
        let mut rng = Rng::new(4);
        for text in ["x", "xog", "xoxgoxoo", "xx.og/ogx.o/g", "ggxoxoxogoxgo"] {
            let game = game(text);
            normal_play::laws_hold(&game, 3);
            let random = |rng: &mut Rng| {
                let [a, b] = [rng.bits(), rng.bits()].map(|set| set & game.rows.full);
                State { standing: [a, b], turn: Side::Max }
            };
            let positions: Vec<State<u64>> = (0..20).map(|_| random(&mut rng)).collect();
            normal_play::laws(&game, &positions);
        }
        let long = TopplingDominoes::<u128>::new(&"xogo".repeat(25)).unwrap();
        normal_play::laws_hold(&long, 1);
    }

    #[test]
    fn dominoes_fall_up_to_a_gap() {
        let game = game("xxo.xgo/oxo");
        let s = game.start();
        let after = |name: &str| {
            let mut after = s;
            game.play(&mut after, Agent(0), game.parse_move(&s, name).unwrap());
            game.position_text(&after)
        };
        assert_eq!(after("b1right"), "x...xgo/oxo white");
        assert_eq!(after("b1left"), "..o.xgo/oxo white");
        assert_eq!(after("f1left"), "xxo...o/oxo white");
        assert_eq!(after("b2right"), "xxo.xgo/o.. white");
    }

    #[test]
    fn texts_round_trip() {
        for text in ["g", "xoxgoxoo", "xx.og/ogx.o"] {
            testing::texts_round_trip(&game(text), 10);
        }
        testing::nonsense_is_refused(&game("xo.g/gg"));
        assert!(TopplingDominoes::<u64>::new("xo//x").is_err());
        assert!(TopplingDominoes::<u64>::new("xa").is_err());
        assert!(TopplingDominoes::<u128>::new(&"x".repeat(129)).is_err());
    }
}
