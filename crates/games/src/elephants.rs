//! Elephants and rhinos (M. Albert, R. Nowakowski and D. Wolfe, *Lessons in Play*, 2007).
//!
//! On a strip of squares elephants, Black's, step to the right and rhinos, White's, to the left, onto
//! the next square if it is empty. A player who cannot move loses. With the option `impartial` both
//! players may move all animals.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Character, Game, Guide, NormalPlay, Notation, Outcome, Side, TextError, Turn,
};

use crate::board::{Grid, Word};
use crate::options::Options;
use crate::picture::{stone, strip};
use crate::pieces::{PLAYERS, State};
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "elephants",
    "SQUARES[,impartial] (12)",
    "Elephants step to the right, rhinos to the left; a player who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let values = options.values();
    if values.len() > 2 {
        let message = format!("there are {} values, this game has 2 options", values.len());
        return Err(GameError::Spec(options.error(message)));
    }
    let squares = values.first().map_or(Ok(12), |value| value.number(1, 64))?;
    let impartial = match values.get(1) {
        None => false,
        Some(value) if value.text == "impartial" => true,
        Some(value) => {
            let message = format!("`{}` is not an option here, expected `impartial`", value.text);
            return Err(GameError::Spec(value.not_among(&["impartial"], message)));
        }
    };
    Ok(Opened::normal_play(Elephants::new(squares, impartial), Elephants::scene))
}

/// Elephants and rhinos on a strip of squares.
#[derive(Clone, Debug)]
pub struct Elephants {
    grid: Grid<u64>,
    impartial: bool,
}

impl Elephants {
    /// A strip of so many squares, from 1 to 64; `impartial` lets both players move all animals.
    pub fn new(squares: u32, impartial: bool) -> Elephants {
        Elephants { grid: Grid::new(1, squares), impartial }
    }

    /// The elephants, or the rhinos, that can step.
    fn free(&self, s: &State<u64>, side: Side) -> u64 {
        let empty = s.empty(&self.grid);
        match side {
            Side::Max => s.pieces[0] & self.grid.west(empty),
            Side::Min => s.pieces[1] & self.grid.east(empty),
        }
    }

    /// The animals that an agent can move.
    fn places(&self, s: &State<u64>, agent: Agent) -> u64 {
        match self.impartial {
            true => self.free(s, Side::Max) | self.free(s, Side::Min),
            false => self.free(s, Side::of(agent)),
        }
    }

    /// Where an animal steps.
    fn target(&self, s: &State<u64>, from: u8) -> u8 {
        if s.pieces[0].has(u32::from(from)) { from + 1 } else { from.saturating_sub(1) }
    }

    /// The animals that will never step, and the blocked squares.
    fn walls(&self, s: &State<u64>) -> u64 {
        let (first, last) = (self.grid.left, self.grid.right);
        let [elephants, rhinos] = s.pieces;
        let mut walls = s.blocked;
        loop {
            let east = elephants & (self.grid.west(walls | rhinos) | last);
            let west = rhinos & (self.grid.east(walls | elephants) | first);
            if (east | west) & !walls == 0 {
                return walls;
            }
            walls |= east | west;
        }
    }

    /// A part in a normal place. Where both players may move all, a part and its negative are alike.
    fn part(&self, s: &State<u64>, cells: u64) -> State<u64> {
        let [max, min] = s.pieces.map(|set| set & cells);
        let lowest = cells.lowest();
        let [max, min, cells] = [max, min, cells].map(|set| set >> lowest);
        let normal = |[max, min, cells]: [u64; 3]| State {
            pieces: [max, min],
            blocked: self.grid.full & !cells,
            turn: Side::Max,
        };
        if !self.impartial {
            return normal([max, min, cells]);
        }
        normal([max, min, cells].min(self.turned([max, min, cells])))
    }

    /// The strip seen from the other side, with elephants and rhinos exchanged.
    fn turned(&self, [max, min, cells]: [u64; 3]) -> [u64; 3] {
        let mut sets = [min, max, cells];
        self.grid.mirror_columns(&mut sets);
        let lowest = sets[2].lowest();
        sets.map(|set| set >> lowest)
    }

    /// A picture of a position.
    fn scene(&self, s: &State<u64>) -> Scene {
        let mut scene = strip(self.grid.cols, |cell| match s.symbol(cell) {
            '#' => Some((Glyph::Block, Paint::Wall)),
            symbol => stone(symbol),
        });
        let mut moves = Vec::new();
        self.moves(s, s.turn.agent(), &mut moves);
        for m in moves {
            let cells = [usize::from(m), usize::from(self.target(s, m))];
            scene.touch(PLAYERS[s.turn.index()], self.move_text(s, m), cells, true);
        }
        scene
    }
}

impl Game for Elephants {
    type State = State<u64>;
    /// Where the animal stands that steps.
    type Move = u8;

    /// Elephants on the first square of every four, rhinos on the last.
    fn start(&self) -> State<u64> {
        let every_fourth = |first: u64| (first..64).step_by(4).fold(0, |set, cell| set | 1 << cell);
        State::of([every_fourth(0), every_fourth(3)].map(|set: u64| set & self.grid.full))
    }

    fn turn(&self, s: &State<u64>) -> Turn {
        let agent = s.turn.agent();
        if self.places(s, agent).is_empty() { Turn::Over } else { Turn::Agent(agent) }
    }

    fn moves(&self, s: &State<u64>, agent: Agent, out: &mut Vec<u8>) {
        out.extend(self.places(s, agent).cells().map(|c| c as u8));
    }

    fn play(&self, s: &mut State<u64>, agent: Agent, m: u8) {
        let step = 1 << m | 1 << self.target(s, m);
        let own = if s.pieces[0].has(u32::from(m)) { 0 } else { 1 };
        s.pieces[own] ^= step;
        s.turn = Side::of(agent).other();
    }

    fn outcome(&self, s: &State<u64>) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl Guide for Elephants {
    type Packed = [u64; 2];

    foregone_model::stored_by_parts!();

    fn character(&self) -> Character {
        Character::Mobile
    }

    /// Who is to move follows from how far all have come in all positions of one search.
    fn pack(&self, s: &State<u64>) -> [u64; 2] {
        s.pieces
    }

    fn mobility(&self, s: &State<u64>, agent: Agent) -> u32 {
        self.places(s, agent).count()
    }
}

impl Notation for Elephants {
    fn name(&self) -> String {
        let impartial = if self.impartial { ",impartial" } else { "" };
        format!("elephants:{}{impartial}", self.grid.cols)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, s: &State<u64>, m: u8, out: &mut String) {
        out.push_str(&format!("{}-{}", m + 1, self.target(s, m) + 1));
    }

    fn parse_move(&self, s: &State<u64>, text: &str) -> Option<u8> {
        let (from, _) = text.split_once('-')?;
        let from: u8 =
            from.parse().ok().filter(|n| (1..=self.grid.cols).contains(&u32::from(*n)))?;
        // One text a move: no signs, no leading zeros, and the square where it steps.
        (self.move_text(s, from - 1) == text).then_some(from - 1)
    }

    fn write_position(&self, s: &State<u64>, out: &mut String) {
        s.write(&self.grid, PLAYERS, out);
    }

    fn read_position(&self, text: &str) -> Result<State<u64>, TextError> {
        State::read(&self.grid, text, PLAYERS)
    }

    fn draw(&self, s: &State<u64>) -> String {
        let row: String = (0..self.grid.cols).map(|cell| s.symbol(cell)).collect();
        format!("  {row}\n")
    }
}

impl NormalPlay for Elephants {
    fn with_turn(&self, s: &State<u64>, side: Side) -> State<u64> {
        State { turn: side, ..*s }
    }

    /// Between walls, elephants and the rhinos that they run towards, with nothing behind them.
    fn split(&self, s: &State<u64>, out: &mut Vec<State<u64>>) {
        let mut rest = self.grid.full & !self.walls(s);
        while rest != 0 {
            let run = self.grid.flood(1 << rest.lowest(), rest);
            rest &= !run;
            let (mut from, mut animals) = (run.lowest(), run & s.taken());
            while animals != 0 {
                // Elephants first, if there are any, then rhinos up to the next elephant.
                let first = animals.lowest();
                let elephants = s.pieces[0].has(first);
                let start = if elephants { first } else { from };
                let beyond = |cell: u32| !0u64 << cell;
                let rhino = (animals & s.pieces[1]).cells().next();
                let next = rhino.and_then(|r| (animals & s.pieces[0] & beyond(r)).cells().next());
                let group = animals & next.map_or(!0, |next| !beyond(next));
                let last = group.cells().last().unwrap_or(first);
                let end = if rhino.is_some() { last } else { run.cells().last().unwrap_or(last) };
                let cells = run & beyond(start) & (u64::first(end + 1));
                out.push(self.part(s, cells));
                animals &= !group;
                from = end;
            }
        }
    }

    /// The strip seen from the other side, with elephants and rhinos exchanged.
    fn negative(&self, part: &State<u64>) -> Option<State<u64>> {
        let [max, min] = part.pieces;
        let [max, min, cells] = self.turned([max, min, self.grid.full & !part.blocked]);
        Some(self.part(&State::of([max, min]), cells))
    }

    fn impartial(&self) -> bool {
        self.impartial
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;

    use super::*;
    use crate::normal_play_testing::{laws, laws_hold};
    use crate::testing;

    fn random(game: &Elephants, rng: &mut Rng) -> State<u64> {
        let symbols = ['.', '.', '.', 'x', 'o', '#'];
        // Walls in one of two.
        let kinds = 5 + rng.below(2);
        let row: String = (0..game.grid.cols).map(|_| symbols[rng.below(kinds) as usize]).collect();
        game.read_position(&format!("{row} black")).unwrap()
    }

    #[test]
    fn parts_add_up() {
        let mut rng = Rng::new(4);
        for impartial in [false, true] {
            for squares in [1, 2, 9, 20, 64] {
                let game = Elephants::new(squares, impartial);
                laws_hold(&game, 5);
                laws(&game, &(0..200).map(|_| random(&game, &mut rng)).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn animals_that_never_meet_are_apart() {
        let split = |text: &str, impartial| {
            let game = Elephants::new(text.find(' ').unwrap() as u32, impartial);
            let mut parts = Vec::new();
            game.split(&game.read_position(text).unwrap(), &mut parts);
            parts.iter().map(|part| game.position_text(part)).collect::<Vec<_>>()
        };
        assert_eq!(split("..o.x.. black", false), ["..o#### black", "x..#### black"]);
        assert_eq!(split("..x.ox.xo black", false), ["x.o###### black", "x.####### black"]);
        assert_eq!(split("..o.x.. black", true), ["..o#### black"; 2]);
        assert_eq!(split("oxox black", false), [""; 0]);
    }

    #[test]
    fn texts_round_trip() {
        testing::texts_round_trip(&Elephants::new(12, false), 20);
        testing::texts_round_trip(&Elephants::new(64, true), 3);
        testing::nonsense_is_refused(&Elephants::new(12, false));
    }
}
