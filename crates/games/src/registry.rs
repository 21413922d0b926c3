//! The list of games: from what a person types to a game.
//!
//! To add a game: one entry in [`GAMES`], one arm in [`with_game`].

use foregone_model::{Guide, Notation, TextError};

use crate::atari_go::AtariGo;
use crate::breakthrough::Breakthrough;
use crate::connect_four::ConnectFour;
use crate::domineering::Domineering;
use crate::explicit::Explicit;
use crate::hex::Hex;
use crate::kalah::{self, Kalah};
use crate::left_right::{LeftRight, MOST_STEPS};
use crate::nim::{MOST_HEAPS, Nim};
use crate::nogo::NoGo;
use crate::options::{Options, number};
use crate::othello::{self, Othello};
use crate::race::Race;
use crate::same_game::{MOST_COLOURS, SameGame};
use crate::seki::{MOST_LIBERTIES, Seki};
use crate::tic_tac_toe::TicTacToe;
use crate::woodpush::{self, Woodpush};
use crate::y::Y;
use crate::y_reduction;

/// A game of the list.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What one types.
    pub name: &'static str,
    /// The options behind the colon, as a form, and their default.
    pub options: &'static str,
    /// The rules in one line.
    pub rules: &'static str,
    /// Whether there is no game without options, because they name a file.
    pub needs_file: bool,
}

const fn entry(name: &'static str, options: &'static str, rules: &'static str) -> Entry {
    Entry { name, options, rules, needs_file: false }
}

/// All games, in the order of their names.
pub const GAMES: &[Entry] = &[
    entry(
        "atari-go",
        "ROWSxCOLUMNS (4x4)",
        "Black and White place stones; who captures first wins, who cannot move loses",
    ),
    entry(
        "breakthrough",
        "ROWSxCOLUMNS (5x4)",
        "March forward, capture diagonally; reach the far row or capture everything to win",
    ),
    entry(
        "connect-four",
        "ROWSxCOLUMNS (6x7)",
        "Drop stones into columns; four in a line win, a full board is a draw",
    ),
    entry(
        "domineering",
        "ROWSxCOLUMNS (6x6)",
        "Vertical and Horizontal place dominoes in turn; who cannot move loses",
    ),
    Entry {
        name: "explicit",
        options: "FILE",
        rules: "A game graph that you typed: states, who moves, successors, outcomes",
        needs_file: true,
    },
    entry(
        "hex",
        "SIZE (4)",
        "Place stones on a rhombus; Red connects top and bottom, Blue left and right",
    ),
    entry(
        "kalah",
        "PITS,SEEDS (3,2)",
        "Sow seeds round the board and capture; the score is the difference of the stores",
    ),
    entry(
        "left-right",
        "STEPS (20)",
        "One player steps left or right; the score is the steps left",
    ),
    entry("nim", "HEAP,HEAP,… (1,3,5,7)", "Take any number from one heap; who cannot move loses"),
    entry(
        "nogo",
        "ROWSxCOLUMNS (4x4)",
        "Black and White place stones and may never capture; who cannot move loses",
    ),
    entry(
        "othello",
        "ROWSxCOLUMNS (4x4)",
        "Enclose rows of discs to turn them over; the score is the difference in discs",
    ),
    entry(
        "race",
        "TARGET,STEP[,misere] (100,10)",
        "Add 1 to STEP in turn; who reaches TARGET wins, or loses in the misere form",
    ),
    entry(
        "same-game",
        "ROWSxCOLUMNS,COLOURS,SEED (4x4,3,1)",
        "One player removes groups of one colour; n cells score (n - 2) squared",
    ),
    entry(
        "seki",
        "BLACK,WHITE (3,3)",
        "Fill liberties, own, shared or the opponent's, or pass; capture wins, two passes draw",
    ),
    entry("tic-tac-toe", "", "Three in a line win, a full board is a draw"),
    entry(
        "woodpush",
        "SQUARES,PIECES (8,3)",
        "Slide off the strip or push back; the last on the board scores the moves left to it",
    ),
    entry("y", "SIDE (5)", "Place stones on a triangle; who connects all three sides wins"),
];

/// What is done with a game once it is known which one it is. The call is generic, so that
/// everything below it is compiled for the game at hand.
pub trait Visitor {
    /// What comes out.
    type Output;
    /// The work.
    fn visit<G: Guide + Notation>(self, game: G) -> Self::Output;
}

/// Hands the visitor a board game on the smallest word that its board fits.
macro_rules! on_board {
    ($visitor:expr, $options:expr, $bits:expr, $game:ident($($argument:expr),*)) => {
        Ok(if $options.fits_64($bits)? {
            $visitor.visit($game::<u64>::new($($argument),*))
        } else {
            $visitor.visit($game::<u128>::new($($argument),*))
        })
    };
}

/// Finds the game that `spec` names (`name` or `name:options`) and hands it to the visitor.
/// Spans of errors are places in `spec`.
pub fn with_game<V: Visitor>(spec: &str, visitor: V) -> Result<V::Output, GameError> {
    let (name, options) = Options::split(spec);
    match name {
        "atari-go" => {
            let (rows, cols) = options.size((4, 4))?;
            on_board!(visitor, options, rows * cols, AtariGo(rows, cols))
        }
        "breakthrough" => {
            let (rows, cols) = options.size((5, 4))?;
            if rows < 4 {
                let message = "both sides have two rows of pieces: a board has at least four rows";
                return Err(GameError::Spec(options.error(message)));
            }
            on_board!(visitor, options, rows * cols, Breakthrough(rows, cols))
        }
        "connect-four" => {
            let (rows, cols) = options.size((6, 7))?;
            let bits = ConnectFour::<u64>::bits(rows, cols);
            on_board!(visitor, options, bits, ConnectFour(rows, cols))
        }
        "domineering" => {
            let (rows, cols) = options.size((6, 6))?;
            on_board!(visitor, options, rows * cols, Domineering(rows, cols))
        }
        "explicit" => Ok(visitor.visit(explicit(spec, &options)?)),
        "hex" => {
            let size = options.number(4, 1, 11)?;
            on_board!(visitor, options, size * size, Hex(size))
        }
        "kalah" => Ok(visitor.visit(kalah(&options)?)),
        "left-right" => {
            let steps = options.number(20, 1, MOST_STEPS)?;
            Ok(visitor.visit(LeftRight::new(steps)))
        }
        "nim" => Ok(visitor.visit(nim(&options)?)),
        "nogo" => {
            let (rows, cols) = options.size((4, 4))?;
            on_board!(visitor, options, rows * cols, NoGo(rows, cols))
        }
        "othello" => {
            let (rows, cols) = options.size((4, 4))?;
            let fits = |n: u32| n.is_multiple_of(2) && n <= othello::LONGEST;
            if !fits(rows) || !fits(cols) {
                let message = format!(
                    "a board has an even number of rows and of columns, up to {}",
                    othello::LONGEST
                );
                return Err(GameError::Spec(options.error(message)));
            }
            Ok(visitor.visit(Othello::new(rows, cols)))
        }
        "race" => Ok(visitor.visit(race(&options)?)),
        "same-game" => {
            let forms = [(3, 1, MOST_COLOURS), (1, 0, u32::MAX)];
            let ((rows, cols), [colours, seed]) = options.size_and_numbers((4, 4), forms)?;
            on_board!(visitor, options, rows * cols, SameGame(rows, cols, colours, seed))
        }
        "seki" => {
            let form = (3, 0, MOST_LIBERTIES);
            let [black, white] = options.numbers([form, form])?;
            Ok(visitor.visit(Seki::new(black, white)))
        }
        "tic-tac-toe" => {
            options.none()?;
            Ok(visitor.visit(TicTacToe::new()))
        }
        "woodpush" => Ok(visitor.visit(woodpush(&options)?)),
        "y" => {
            let side = options.number(5, 1, y_reduction::MAX_SIDE)?;
            on_board!(visitor, options, side * side, Y(side))
        }
        _ => {
            let choices = GAMES.iter().map(|g| g.name.to_owned()).collect();
            let error = TextError::new(format!("there is no game called `{name}`"), 0..name.len());
            Err(GameError::Spec(error.with_choices(choices)))
        }
    }
}

fn kalah(options: &Options<'_>) -> Result<Kalah, TextError> {
    let most = kalah::MOST_SEEDS / 2;
    let [pits, seeds] = options.numbers([(3, 1, kalah::MOST_PITS as u32), (2, 1, most)])?;
    if pits * seeds > most {
        let message = format!(
            "two rows of {pits} pits with {seeds} seeds each are more than {} seeds",
            kalah::MOST_SEEDS
        );
        return Err(options.error(message));
    }
    Ok(Kalah::new(pits, seeds))
}

fn nim(options: &Options<'_>) -> Result<Nim, TextError> {
    let words = options.words();
    if words.is_empty() {
        return Ok(Nim::new(vec![1, 3, 5, 7]));
    }
    if words.len() > MOST_HEAPS {
        let message = format!("there are {} heaps, at most {MOST_HEAPS} fit", words.len());
        return Err(options.error(message));
    }
    let heap = |&(word, at): &(&str, usize)| number(word, at, 0, 255).map(|n| n as u8);
    Ok(Nim::new(words.iter().map(heap).collect::<Result<_, _>>()?))
}

fn race(options: &Options<'_>) -> Result<Race, TextError> {
    let words = options.words();
    let value = |i: usize, default: u32, high: u32| {
        words.get(i).map_or(Ok(default), |&(word, at)| number(word, at, 1, high))
    };
    let misere = match words.get(2) {
        None => false,
        Some(&("misere", _)) => true,
        Some(&(word, at)) => {
            let message = format!("`{word}` is not a form of the race");
            return Err(TextError::new(message, at..at + word.len())
                .with_choices(vec!["misere".to_owned()]));
        }
    };
    if words.len() > 3 {
        return Err(options.error("a race has at most three options: TARGET,STEP,misere"));
    }
    Ok(Race::new(value(0, 100, 1_000_000)?, value(1, 10, 1000)?, misere))
}

fn woodpush(options: &Options<'_>) -> Result<Woodpush, TextError> {
    let [squares, pieces] =
        options.numbers([(8, 2, woodpush::LONGEST), (3, 1, woodpush::LONGEST / 2)])?;
    if 2 * pieces > squares {
        let message = format!("two times {pieces} pieces do not fit on {squares} squares");
        return Err(options.error(message));
    }
    Ok(Woodpush::new(squares, pieces))
}

fn explicit(spec: &str, options: &Options<'_>) -> Result<Explicit, GameError> {
    let Some(path) = options.text() else {
        let error = options.error("an explicit game needs a file: explicit:FILE");
        return Err(GameError::Spec(error));
    };
    let text = std::fs::read_to_string(path)
        .map_err(|error| GameError::Unreadable { path: path.to_owned(), error })?;
    Explicit::read(spec, &text).map_err(|error| GameError::File {
        path: path.to_owned(),
        text,
        error,
    })
}

/// Why there is no game for what was typed.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// The name or its options are wrong.
    #[error("{0}")]
    Spec(#[from] TextError),
    /// The file that describes the game is wrong.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// What it holds.
        text: String,
        /// What is wrong with it.
        error: TextError,
    },
    /// The file that describes the game cannot be read.
    #[error("{path}: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
}
