//! Atari-Go, also called Capture Go (made known by Yasutoshi Yasuda for teaching Go).
//!
//! Black, who moves first, and White place stones on the points of a Go board. Who first takes
//! the last liberty of an enemy block wins. Suicide is illegal, but a stone that captures is not
//! suicide. There is no passing: a player who cannot move loses.
//!
//! Captured stones stay on the board. So a final position shows how it ended: the player who is
//! to move has a block without liberties, or else has no move.

use foregone_model::{Agent, Character, Game, Guide as _, OffTurn, Outcome, Rng, TextError, Zone};

use crate::board::{Grid, Word, sort_by_rank};
use crate::options::Options;
use crate::registry::{Entry, GameError, Opened};
use crate::stones::{self, Rule, State, StoneGame, View};
use crate::zones::{liberties, zone_of};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "atari-go",
    "ROWSxCOLUMNS (4x4)",
    "Black and White place stones; the first to capture wins, a player who cannot move loses",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let (rows, cols) = options.size((4, 4))?;
    Ok(match options.fits_64((rows, cols), |rows, cols| rows * cols)? {
        true => Opened::pictured(AtariGo::<u64>::new(rows, cols), AtariGo::scene),
        false => Opened::pictured(AtariGo::<u128>::new(rows, cols), AtariGo::scene),
    })
}

/// Atari-Go on a rectangular board.
pub type AtariGo<W> = StoneGame<CaptureWins, W>;

/// Whether both players still have a move after so many stones more: an empty point with an empty
/// neighbour is legal for both, and a stone spoils at most five of them.
fn roomy<W: Word>(grid: &Grid<W>, view: &View<W>, stones: u32) -> bool {
    (view.empty & grid.around(view.empty)).count() > 5 * stones
}

/// Who captures first wins.
#[derive(Clone, Debug)]
pub struct CaptureWins;

impl<W: Word> Rule<W> for CaptureWins {
    const NAME: &'static str = "atari-go";
    const CHARACTER: Character = Character::Large;

    const ON_CELLS: bool = true;

    /// Points next to an empty point: no suicide, and a capture is as good as any move.
    #[inline]
    fn plain(grid: &Grid<W>, view: &View<W>) -> W {
        view.empty & grid.around(view.empty)
    }

    #[inline]
    fn legal(grid: &Grid<W>, view: &View<W>, cell: u32) -> bool {
        !view.suicide(grid, cell) || view.captures(grid, cell)
    }

    /// Whether the player who is to move has lost a block.
    #[inline]
    fn lost(grid: &Grid<W>, view: &View<W>) -> bool {
        !stones::breathe(grid, view.own, view.own, view.empty, view.safe)
    }

    fn check(grid: &Grid<W>, s: &State<W>) -> Result<(), TextError> {
        let View { own, enemy, empty, safe } = View::of(grid, s, s.turn.agent());
        // The points of captured stones are liberties of the stones that captured them.
        let captured = own
            .cells()
            .map(W::bit)
            .filter(|&stone| !stones::breathe(grid, stone, own, empty, safe))
            .fold(W::ZERO, |captured, stone| captured | stone);
        match stones::choked(grid, enemy, empty | captured, safe) {
            None => Ok(()),
            Some(cell) => Err(stones::choked_error(
                grid,
                cell,
                "and its owner is not to move: only the player to move can have lost a block",
            )),
        }
    }

    /// The liberties of the enemy block that has the fewest, then the rest. Among the liberties
    /// first those where a stone of the enemy's would give the block the most: the move denies
    /// them (T. Cazenave's lecture on solving games, 2018).
    fn order(game: &AtariGo<W>, s: &State<W>, agent: Agent, moves: &mut [u8]) {
        let grid = &game.grid;
        let view = View::of(grid, s, agent);
        let Some(liberties) = view.fewest_liberties(grid) else {
            return;
        };
        sort_by_rank(moves, |m| {
            let stone = W::bit(u32::from(m));
            if (liberties & stone).is_empty() {
                return -1;
            }
            let block = grid.flood(stone, view.enemy);
            (grid.around(block) & view.empty & !stone).count() as i16
        });
    }

    /// Before, formulas that asked a player out of turn let it pass.
    const VERSION: u32 = 2;
    const OFF_TURN: OffTurn = OffTurn::Moves;

    /// What takes a block, and near the end of the game what may leave the other player no move.
    fn finishing(game: &AtariGo<W>, s: &State<W>, agent: Agent, out: &mut Vec<u8>) {
        let view = View::of(&game.grid, s, agent);
        match roomy(&game.grid, &view, 1) {
            // Taking a block is always legal.
            true => {
                let last = liberties::few(&game.grid, view.enemy, view.empty, 1);
                out.extend(last.cells().map(|cell| cell as u8));
            }
            false => game.in_order(s, agent, out),
        }
    }

    /// What takes one of two liberties threatens to take a block. Beyond that, liberties of weak blocks
    /// come first, as usual.
    fn threatening(game: &AtariGo<W>, s: &State<W>, agent: Agent, order: u32, out: &mut Vec<u8>) {
        let first = out.len();
        game.in_order(s, agent, out);
        let view = View::of(&game.grid, s, agent);
        if order < 2 && roomy(&game.grid, &view, 2) {
            let near = liberties::few(&game.grid, view.enemy, view.empty, 2);
            let mut at = 0;
            out.retain(|&m| {
                at += 1;
                at <= first || near.has(u32::from(m))
            });
        }
    }

    /// Blocks of the other player's that can be taken in time.
    fn counters(grid: &Grid<W>, view: &View<W>, moves: u32) -> Zone {
        zone_of(liberties::few(grid, view.enemy, view.empty, moves))
    }

    fn playout(game: &AtariGo<W>, mut s: State<W>, rng: &mut Rng) -> Option<Outcome> {
        let grid = &game.grid;
        if CaptureWins::lost(grid, &View::of(grid, &s, s.turn.agent())) {
            return Some(game.outcome(&s));
        }
        loop {
            let agent = s.turn.agent();
            let view = View::of(grid, &s, agent);
            // The first legal point of a random order is a random legal point.
            let mut points = view.empty;
            let (cell, captures) = loop {
                if points.is_empty() {
                    return Some(game.outcome(&s));
                }
                let cell = points.pick(rng);
                let captures = view.captures(grid, cell);
                if captures || !view.suicide(grid, cell) {
                    break (cell, captures);
                }
                points = points ^ W::bit(cell);
            };
            s.place(agent, cell);
            if captures {
                return Some(game.outcome(&s));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::{Guide as _, Notation as _, Turn, Typed as _};

    use super::*;
    use crate::stones::PLAYERS;
    use crate::stones::testing::Slow;
    use crate::testing::{self, COLUMNS, DIAGONAL, ROWS};

    #[test]
    fn small_boards_have_their_known_winners() {
        // The winner table of T. Cazenave's lecture on solving games, row by row.
        for (rows, winners) in [(1, "2211111111"), (2, "222212"), (3, "1211")] {
            for (cols, winner) in (1..).zip(winners.chars()) {
                let game: AtariGo<u64> = AtariGo::new(rows, cols);
                let value = testing::solve(&game, &game.start(), &mut HashMap::new());
                assert_eq!(value == Outcome::WIN, winner == '1', "{}", game.name());
            }
        }
    }

    /// Compares everything with the slow board in a position that can be read.
    fn agrees_with_the_slow_board(game: &AtariGo<u64>, slow: &Slow, s: &State<u64>) {
        let text = game.position_text(s);
        if slow.has_choked(['x', 'o'][s.turn.index()]) {
            assert_eq!(game.turn(s), Turn::Over, "{text}");
            return;
        }
        for (agent, symbol) in [(Agent(0), 'x'), (Agent(1), 'o')] {
            let expected = slow.legal(symbol, |captures, suicide| captures || !suicide);
            let mut moves = Vec::new();
            game.moves(s, agent, &mut moves);
            assert_eq!(moves, expected, "{text}");
            assert_eq!(game.mobility(s, agent) as usize, expected.len());
            if s.turn.agent() == agent {
                let over = game.turn(s) == Turn::Over;
                assert_eq!(over, expected.is_empty(), "{text}");
            }
        }
    }

    #[test]
    fn moves_agree_with_a_board_without_bits() {
        let mut rng = Rng::new(1);
        for (rows, cols) in [(1, 1), (1, 9), (9, 1), (2, 3), (4, 4), (5, 6), (8, 8)] {
            let game: AtariGo<u64> = AtariGo::new(rows, cols);
            for _ in 0..50 {
                for s in testing::random_play(&game, &mut rng) {
                    let slow = Slow::read(&game.position_text(&s));
                    agrees_with_the_slow_board(&game, &slow, &s);
                }
            }
            for i in 0..1000 {
                let slow = Slow::random(rows as usize, cols as usize, &mut rng);
                match game.read_position(&slow.text(PLAYERS[i % 2])) {
                    Ok(s) => agrees_with_the_slow_board(&game, &slow, &s),
                    Err(_) => assert!(slow.has_choked(['o', 'x'][i % 2])),
                }
            }
        }
    }

    #[test]
    fn texts_round_trip() {
        for (rows, cols) in [(1, 5), (4, 4), (7, 9)] {
            testing::texts_round_trip(&AtariGo::<u128>::new(rows, cols), 50);
        }
        testing::nonsense_is_refused(&AtariGo::<u64>::new(5, 5));
    }

    #[test]
    fn captured_stones_stay_and_end_the_game() {
        let game: AtariGo<u64> = AtariGo::new(2, 3);
        // White's stone at a1 captures in a corner where it has no liberty of its own.
        let mut s = game.read_position("xo./.x. white").unwrap();
        assert_eq!(game.turn(&s), Turn::Agent(Agent(1)));
        let m = game.read_move(&s, "a1").unwrap();
        game.play(&mut s, Agent(1), m);
        assert_eq!(game.position_text(&s), "xo./ox. black");
        assert_eq!(game.turn(&s), Turn::Over);
        assert_eq!(game.outcome(&s), Outcome::LOSS);
        assert_eq!(game.read_position("xo./ox. black").as_ref(), Ok(&s));
        assert_eq!(game.playout(s, &mut Rng::new(1)), Some(Outcome::LOSS));
        // Without a capture the same corner is suicide, and who just moved cannot have lost it.
        let s = game.read_position("x../.x. white").unwrap();
        assert!(game.read_move(&s, "a1").is_err());
        let error = game.read_position("x../ox. black").unwrap_err();
        assert_eq!(error.span, 4..5);
    }

    #[test]
    fn both_words_play_the_same_game() {
        for (rows, cols) in [(1, 12), (5, 5), (8, 8)] {
            testing::same_game(
                &AtariGo::<u64>::new(rows, cols),
                &AtariGo::<u128>::new(rows, cols),
                50,
            );
        }
    }

    #[test]
    fn images_are_alike() {
        let (upright, square) = ([COLUMNS, ROWS], [COLUMNS, ROWS, DIAGONAL]);
        for (rows, cols, most) in [(1, 6, 2), (3, 4, 4), (5, 6, 4)] {
            let solved = rows * cols <= 12;
            let game = AtariGo::<u64>::new(rows, cols);
            testing::images_are_alike(&game, 30, &upright, most, solved);
            let game = AtariGo::<u128>::new(rows, cols);
            testing::images_are_alike(&game, 30, &upright, most, solved);
        }
        for side in [3, 5, 8] {
            let game = AtariGo::<u64>::new(side, side);
            testing::images_are_alike(&game, 20, &square, 8, side == 3);
            let game = AtariGo::<u128>::new(side, side);
            testing::images_are_alike(&game, 20, &square, 8, side == 3);
        }
        testing::images_are_alike(&AtariGo::<u128>::new(11, 11), 3, &square, 8, false);
    }

    #[test]
    fn liberties_of_the_weakest_block_come_first() {
        let game: AtariGo<u64> = AtariGo::new(4, 4);
        // White's stone at a4 has one liberty, the two at c2 and d2 have five.
        let s = game.read_position("ox../..../..oo/x... black").unwrap();
        assert_eq!(testing::ordered_names(&game, &s)[0], "a3");
        let s = game.read_position(".x../..../..oo/x... black").unwrap();
        // With one more stone White would have 7 liberties, 6, twice 5, and 4.
        let names = testing::ordered_names(&game, &s);
        assert_eq!(names[..6], ["b2", "c3", "c1", "d3", "d1", "b1"]);
        // Without enemy stones nothing is known.
        let names = testing::ordered_names(&game, &game.start());
        assert_eq!(names[..5], ["a1", "b1", "c1", "d1", "a2"]);
    }

    #[test]
    fn playouts_are_uniform() {
        for (rows, cols) in [(1, 9), (3, 4)] {
            testing::playouts_are_uniform(&AtariGo::<u64>::new(rows, cols), 4);
        }
    }
}
