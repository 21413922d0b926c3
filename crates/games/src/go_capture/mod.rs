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
//! The wide game has more moves, so that there are nets and loose ladders:
//!
//! - both sides may also play on empty points at most two steps from a liberty of the hunted block,
//!   going along the lines from one empty point to the next;
//! - the hunter may save blocks beside the hunted one that have two liberties or only one: by a stone on
//!   one of these, or by taking a block that touches one of them and has one liberty left.
//!
//! Stones are taken as in Go. Suicide is illegal, but a stone that captures is not suicide. The
//! ko rule is the simple one: a stone that has just taken a single stone, and could be taken back
//! alone, is safe for one move. A hunter who cannot move has lost, and so has one who hunts
//! without end: positions can come up again when there is more than one ko.

use std::sync::Arc;

use foregone_model::{
    Agent, Atom, Endless, Game, Guide, OffTurn, Outcome, Side, TextError, Turn, Zone,
};

use crate::board::{Grid, Word, sort_by_rank};
use crate::files::{FromMemory, Loader};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};
use crate::stones::{PLAYERS, View};
use crate::wide::Wide;

mod notation;
mod record;
mod sgf;
mod zones;

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "go-capture",
    "ROWSxCOLUMNS[,ESCAPE[,HUNTED[,wide]]] (9x9,3,white)",
    "Hunt a block of Go stones along its liberties; ESCAPE liberties save it",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let hunt = read_options(options)?;
    if hunt.rows * hunt.cols > 128 {
        return Ok(opened::<Wide>(options, hunt));
    }
    Ok(match options.fits_64((hunt.rows, hunt.cols), |rows, cols| rows * cols)? {
        true => opened::<u64>(options, hunt),
        false => opened::<u128>(options, hunt),
    })
}

fn opened<W: Word>(options: &Options<'_>, hunt: Hunt) -> Opened {
    let loader = options.files().loader.clone();
    let game = GoCapture::<W>::new(hunt.rows, hunt.cols, hunt.escape, hunt.hunted);
    let game = if hunt.wide { game.widely() } else { game };
    Opened::pictured(game.with_loader(loader), GoCapture::scene)
}

/// What the options say: the size, how many liberties save the hunted block, whose it is, and
/// whether moves farther away are considered.
#[derive(Clone, Copy)]
struct Hunt {
    rows: u32,
    cols: u32,
    escape: u32,
    hunted: Side,
    wide: bool,
}

fn read_options(options: &Options<'_>) -> Result<Hunt, TextError> {
    let values = options.values();
    let (rows, cols) = values.first().map_or(Ok((9, 9)), |value| value.size((9, 9)))?;
    let fits = |side| (2..=LARGEST).contains(&side);
    if !fits(rows) || !fits(cols) {
        return Err(options.error(format!("a board has 2 to {LARGEST} rows and columns")));
    }
    let escape = values.get(1).map_or(Ok(3), |value| value.number(2, MOST_LIBERTIES))?;
    let hunted = match values.get(2).map(|value| (value.text, value)) {
        None | Some(("white", _)) => Side::Min,
        Some(("black", _)) => Side::Max,
        Some((text, value)) => {
            let message = format!("`{text}` is not a colour, expected black or white");
            return Err(value.not_among(&PLAYERS, message));
        }
    };
    let wide = match values.get(3) {
        None => false,
        Some(value) if value.text == WIDE => true,
        Some(value) => {
            let message = format!("`{}` is not a rule, expected {WIDE} or nothing", value.text);
            return Err(value.not_among(&[WIDE], message));
        }
    };
    if values.len() > 4 {
        let form = "ROWSxCOLUMNS,ESCAPE,HUNTED,wide";
        return Err(options.error(format!("a hunt has at most four options: {form}")));
    }
    Ok(Hunt { rows, cols, escape, hunted, wide })
}

/// The word of the rule that moves farther away are considered, too.
const WIDE: &str = "wide";
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
    /// Moves farther away are considered, too.
    wide: bool,
    /// What reads game records that a position names.
    loader: Arc<dyn Loader>,
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

foregone_model::stored!(State<W: Word> { stones, turn, target, ko });

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

const CAPTURED: Atom = Atom(u32::MAX);
const ATARI: Atom = Atom(u32::MAX - 1);

impl<W: Word> GoCapture<W> {
    /// A board of this size, which must fit into the word, the liberties that are enough to
    /// escape, and who is hunted.
    pub fn new(rows: u32, cols: u32, escape: u32, hunted: Side) -> GoCapture<W> {
        let fits = |side| (2..=LARGEST).contains(&side);
        assert!(fits(rows) && fits(cols), "boards have sides of 2 to 19");
        assert!((2..=MOST_LIBERTIES).contains(&escape), "escaping takes some liberties");
        let loader = Arc::new(FromMemory::default());
        GoCapture { grid: Grid::new(rows, cols), escape, hunted, wide: false, loader }
    }

    /// The same with the moves of the wide game.
    pub fn widely(self) -> GoCapture<W> {
        GoCapture { wide: true, ..self }
    }

    /// The same with files: a position may be a game record in one of them.
    pub fn with_loader(self, loader: Arc<dyn Loader>) -> GoCapture<W> {
        GoCapture { loader, ..self }
    }

    #[inline]
    fn view(&self, s: &State<W>, side: Side) -> View<W> {
        let (own, enemy) = (s.stones[side.index()], s.stones[side.other().index()]);
        View { own, enemy, empty: self.grid.full & !(own | enemy), safe: W::ZERO }
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
        if self.wide {
            let step = |x: W| x | (self.grid.around(x) & view.empty);
            points = step(step(points));
        }
        if side == self.hunted {
            let weak = self.weak_beside(block, view.enemy, view.empty);
            points = points | (self.grid.around(weak) & view.empty);
        } else if self.wide {
            let weak = self.weak_beside(block, view.own, view.empty);
            points = points | (self.grid.around(weak) & view.empty);
            points = points | self.last_liberties(weak, view.enemy, view.empty);
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

    /// The blocks of `stones` beside some point of `block` that have few liberties.
    #[inline]
    fn weak_beside(&self, block: W, stones: W, empty: W) -> W {
        let mut rest = self.grid.around(block) & stones;
        let mut weak = W::ZERO;
        while !rest.is_empty() {
            let beside = self.grid.flood(W::bit(rest.lowest()), stones);
            if (self.grid.around(beside) & empty).count() <= FEW {
                weak = weak | beside;
            }
            rest = rest & !beside;
        }
        weak
    }

    /// The last liberties of the blocks of `stones` that touch `block`.
    fn last_liberties(&self, block: W, stones: W, empty: W) -> W {
        let mut rest = self.grid.around(block) & stones;
        let mut last = W::ZERO;
        while !rest.is_empty() {
            let beside = self.grid.flood(W::bit(rest.lowest()), stones);
            let liberties = self.grid.around(beside) & empty;
            if liberties.count() == 1 {
                last = last | liberties;
            }
            rest = rest & !beside;
        }
        last
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
}

fn won_by(side: Side) -> Outcome {
    match side {
        Side::Max => Outcome::WIN,
        Side::Min => Outcome::LOSS,
    }
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

    foregone_model::stored_by_parts!();

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

    fn touched(&self, s: &State<W>, agent: Agent, m: u16) -> Option<Zone> {
        Some(zones::touched(self, s, Side::of(agent), m))
    }

    fn counters(&self, s: &State<W>, agent: Agent, moves: u32) -> Zone {
        zones::counters(self, s, Side::of(agent), moves)
    }

    fn move_class(&self, _s: &State<W>, _agent: Agent, m: u16) -> Option<u16> {
        Some(m.min((self.grid.rows * self.grid.cols) as u16))
    }
}

#[cfg(test)]
mod tests;
