//! Games in which stones are placed on a Go board and stay there, and who cannot move loses. They
//! differ in their [`Rule`] alone.

use std::fmt::Debug;
use std::marker::PhantomData;

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{
    Agent, Character, Game, Guide, Notation, OffTurn, Outcome, Rng, Rules, TextError, Turn, Zone,
};

use super::{PLAYERS, State, View};
use crate::board::{Grid, Word};
use crate::picture::stone;

/// Where stones may be placed, and what else makes one such game differ from another.
pub trait Rule<W: Word>: Clone + Debug + Send + Sync + 'static {
    /// The name of the game.
    const NAME: &'static str;

    /// Whether a position may hold points that take no part in the game.
    const FIXED: bool = false;

    /// See [`Guide::character`].
    const CHARACTER: Character;

    /// See [`Guide::on_cells`].
    const ON_CELLS: bool;

    /// Points that are seen at a glance to be legal.
    fn plain(grid: &Grid<W>, view: &View<W>) -> W;

    /// Whether a stone may be placed on an empty point.
    fn legal(grid: &Grid<W>, view: &View<W>, cell: u32) -> bool;

    /// Whether the player who is to move has lost, moves or not.
    #[inline]
    fn lost(_grid: &Grid<W>, _view: &View<W>) -> bool {
        false
    }

    /// Refuses positions that cannot come up.
    fn check(grid: &Grid<W>, s: &State<W>) -> Result<(), TextError>;

    /// See [`Guide::order`].
    fn order(game: &StoneGame<Self, W>, s: &State<W>, agent: Agent, moves: &mut [u8]);

    /// See [`Notation::rules`].
    const VERSION: u32 = 1;

    /// See [`Game::off_turn`].
    const OFF_TURN: OffTurn = OffTurn::Passes;

    /// See [`Guide::finishing`].
    fn finishing(game: &StoneGame<Self, W>, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
        game.in_order(s, agent, out);
    }

    /// See [`Guide::threatening`].
    fn threatening(
        game: &StoneGame<Self, W>,
        s: &State<W>,
        agent: Agent,
        _order: u32,
        out: &mut Vec<u8>,
    ) {
        game.in_order(s, agent, out);
    }

    /// See [`Guide::counters`].
    fn counters(_grid: &Grid<W>, _view: &View<W>, _moves: u32) -> Zone {
        Zone::ALL
    }

    /// See [`Guide::playout`].
    fn playout(game: &StoneGame<Self, W>, s: State<W>, rng: &mut Rng) -> Option<Outcome>;
}

/// Such a game on a rectangular board.
#[derive(Clone, Debug)]
pub struct StoneGame<R, W> {
    pub(crate) grid: Grid<W>,
    rule: PhantomData<R>,
}

impl<R: Rule<W>, W: Word> StoneGame<R, W> {
    /// A board of this size; it must fit into the word.
    pub fn new(rows: u32, cols: u32) -> StoneGame<R, W> {
        StoneGame { grid: Grid::new(rows, cols), rule: PhantomData }
    }

    /// The points where `agent` can move.
    #[inline]
    pub(crate) fn places(&self, s: &State<W>, agent: Agent) -> W {
        self.places_among(s, agent, self.grid.full)
    }

    /// Those of some points where `agent` can move.
    #[inline]
    pub(crate) fn places_among(&self, s: &State<W>, agent: Agent, points: W) -> W {
        let view = View::of(&self.grid, s, agent);
        let plain = R::plain(&self.grid, &view) & points;
        (view.empty & points & !plain)
            .cells()
            .filter(|&cell| R::legal(&self.grid, &view, cell))
            .fold(plain, |places, cell| places | W::bit(cell))
    }
}

impl<R: Rule<W>, W: Word> Game for StoneGame<R, W> {
    type State = State<W>;
    /// The point of the stone.
    type Move = u8;

    fn start(&self) -> State<W> {
        State::start()
    }

    fn off_turn(&self) -> OffTurn {
        R::OFF_TURN
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        let agent = s.turn.agent();
        let view = View::of(&self.grid, s, agent);
        if R::lost(&self.grid, &view) {
            return Turn::Over;
        }
        let plain = R::plain(&self.grid, &view);
        if !plain.is_empty() || view.empty.cells().any(|cell| R::legal(&self.grid, &view, cell)) {
            Turn::Agent(agent)
        } else {
            Turn::Over
        }
    }

    #[inline]
    fn moves(&self, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
        out.extend(self.places(s, agent).cells().map(|c| c as u8));
    }

    #[inline]
    fn play(&self, s: &mut State<W>, agent: Agent, m: u8) {
        s.place(agent, u32::from(m));
    }

    #[inline]
    fn outcome(&self, s: &State<W>) -> Outcome {
        s.won_by_last()
    }
}

impl<R: Rule<W>, W: Word> Guide for StoneGame<R, W> {
    type Packed = [W; 2];

    foregone_model::stored_by_parts!();

    /// A single line soon falls apart, a board does not.
    fn prefers_own_search(&self) -> bool {
        self.grid.rows.min(self.grid.cols) == 1
    }

    fn on_cells(&self) -> bool {
        R::ON_CELLS
    }

    fn character(&self) -> Character {
        R::CHARACTER
    }

    /// Who is to move follows from the number of stones in all positions of one search, and what is
    /// fixed stays.
    #[inline]
    fn pack(&self, s: &State<W>) -> [W; 2] {
        s.stones
    }

    #[inline]
    fn mobility(&self, s: &State<W>, agent: Agent) -> u32 {
        self.places(s, agent).count()
    }

    /// The least image of the position under the symmetries of the board. What is fixed stays where
    /// it is.
    #[inline]
    fn canonical(&self, s: &State<W>) -> State<W> {
        if !s.fixed.is_empty() {
            return *s;
        }
        State { stones: self.grid.least_image(s.stones), ..*s }
    }

    fn order(&self, s: &State<W>, agent: Agent, moves: &mut [u8]) {
        R::order(self, s, agent, moves);
    }

    fn finishing(&self, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
        R::finishing(self, s, agent, out);
    }

    fn threatening(&self, s: &State<W>, agent: Agent, order: u32, out: &mut Vec<u8>) {
        R::threatening(self, s, agent, order, out);
    }

    fn touched(&self, _s: &State<W>, _agent: Agent, m: u8) -> Option<Zone> {
        Some(Zone::cell(u32::from(m)))
    }

    fn counters(&self, s: &State<W>, agent: Agent, moves: u32) -> Zone {
        R::counters(&self.grid, &View::of(&self.grid, s, agent), moves)
    }

    fn playout(&self, s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        R::playout(self, s, rng)
    }
}

impl<R: Rule<W>, W: Word> StoneGame<R, W> {
    /// A picture of a position.
    pub(crate) fn scene(&self, s: &State<W>) -> Scene {
        self.grid.points(|cell| match s.symbol(cell) {
            '#' => Some((Glyph::Block, Paint::Wall)),
            'X' => Some((Glyph::Block, Paint::Black)),
            'O' => Some((Glyph::Block, Paint::White)),
            '*' => Some((Glyph::Ring, Paint::Ink)),
            symbol => stone(symbol),
        })
    }
}

impl<R: Rule<W>, W: Word> Notation for StoneGame<R, W> {
    fn name(&self) -> String {
        format!("{}:{}x{}", R::NAME, self.grid.rows, self.grid.cols)
    }

    fn rules(&self) -> Rules {
        Rules { version: R::VERSION, ..Rules::default() }
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State<W>, m: u8, out: &mut String) {
        self.grid.write_cell(u32::from(m), out);
    }

    fn parse_move(&self, _s: &State<W>, text: &str) -> Option<u8> {
        self.grid.parse_whole_cell(text).map(|cell| cell as u8)
    }

    fn write_position(&self, s: &State<W>, out: &mut String) {
        s.write(self.grid.rows_from_top(), out);
    }

    fn read_position(&self, text: &str) -> Result<State<W>, TextError> {
        let s = State::read(text, self.grid.rows_from_top(), R::FIXED)?;
        R::check(&self.grid, &s)?;
        Ok(s)
    }

    fn draw(&self, s: &State<W>) -> String {
        self.grid.draw(|c| s.symbol(c))
    }
}
