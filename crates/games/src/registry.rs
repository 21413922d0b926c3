//! The list of games: from what a person types to a game.
//!
//! To add a game: one entry in [`GAMES`], one arm in [`with_game`].

use foregone_model::{Guide, Notation, Side, TextError};

use crate::atari_go::AtariGo;
use crate::breakthrough::Breakthrough;
use crate::chess::Chess;
use crate::chinese_checkers::{self, ChineseCheckers};
use crate::connect_four::ConnectFour;
use crate::domineering::Domineering;
use crate::erased::Erased;
use crate::explicit::{self, Explicit};
use crate::files::Files;
use crate::go_capture::{self, GoCapture};
use crate::gomoku::{self, Gomoku};
use crate::hex::Hex;
use crate::joint_registry::{JOINT_GAMES, is_joint};
use crate::kalah::{self, Kalah};
use crate::left_right::{LeftRight, MOST_STEPS};
use crate::nim::{MOST_HEAPS, Nim};
use crate::nogo::NoGo;
use crate::options::{Options, number, size};
use crate::othello::{self, Othello};
use crate::race::Race;
use crate::rulesheet;
use crate::same_game::{MOST_COLOURS, SameGame};
use crate::seki::{MOST_LIBERTIES, Seki};
use crate::tic_tac_toe::TicTacToe;
use crate::wide::Wide;
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

pub(crate) const fn entry(name: &'static str, options: &'static str, rules: &'static str) -> Entry {
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
    entry("chess", "", "Mate wins, stalemate is a draw; a position is a FEN"),
    entry(
        "chinese-checkers",
        "SIZE,PLAYERS (1,3)",
        "2, 3, 4 or 6 players step and hop across a star; who fills the opposite point wins",
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
    Entry {
        name: "gdl",
        options: "FILE[,for=ROLE][,backend=NAME]",
        rules: "A rulesheet in the Game Description Language; ROLE against all others, if given",
        needs_file: true,
    },
    entry(
        "go-capture",
        "ROWSxCOLUMNS[,ESCAPE[,HUNTED]] (9x9,3,white)",
        "Hunt a block of Go stones along its liberties; ESCAPE liberties save it",
    ),
    entry(
        "gomoku",
        "SIZE[,LENGTH] (7,5)",
        "Place stones; LENGTH in a row, a column or a diagonal win, a full board is a draw",
    ),
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
    fn visit<G: Guide + Notation + Send + 'static>(self, game: G) -> Self::Output;
}

/// Hands a visitor a game without its type, so that nothing is compiled for this one: for games
/// that are rarely searched as they are.
struct Forget<V>(V);

impl<V: Visitor> Visitor for Forget<V> {
    type Output = V::Output;

    fn visit<G: Guide + Notation + Send + 'static>(self, game: G) -> V::Output {
        self.0.visit(Erased::new(game))
    }
}

/// Takes the game itself.
struct Take;

impl Visitor for Take {
    type Output = Erased;

    fn visit<G: Guide + Notation + Send + 'static>(self, game: G) -> Erased {
        Erased::new(game)
    }
}

/// The game without its type.
pub fn erased(spec: &str) -> Result<Erased, GameError> {
    erased_from(&Files::default(), spec)
}

/// The same, its file looked for where one says.
pub fn erased_from(files: &Files, spec: &str) -> Result<Erased, GameError> {
    with_game_from(files, spec, Take)
}

/// What is to be said about the rules of a game before an answer, a line each. Built-in rules are
/// above suspicion; those of a file may break what their language demands.
pub fn warnings(files: &Files, spec: &str) -> Vec<String> {
    match Options::split(spec, files) {
        ("gdl", options) => rulesheet::warnings(spec, &options),
        _ => Vec::new(),
    }
}

/// Hands a visitor the game for questions in logic: these are compiled once for all games, and
/// once more for chess, whose problems they are made for.
pub fn with_logic<V: Visitor>(spec: &str, visitor: V) -> Result<V::Output, GameError> {
    with_logic_from(&Files::default(), spec, visitor)
}

/// The same, its file looked for where one says.
pub fn with_logic_from<V: Visitor>(
    files: &Files,
    spec: &str,
    visitor: V,
) -> Result<V::Output, GameError> {
    match erased_from(files, spec)? {
        game if game.name() == "chess" => Ok(visitor.visit(Chess::new())),
        game => Ok(visitor.visit(game)),
    }
}

/// Hands the visitor a board game on the smallest word that its board fits. Searches on boards of
/// more than 64 cells are compiled for Connect Four and Domineering only, which can be solved
/// there: for the others they would take as much building again, and rarely come to an end.
macro_rules! on_board {
    ($visitor:expr, $options:expr, $bits:expr, $game:ident($($argument:expr),*)) => {
        on_board!($visitor, Forget($visitor), $options, $bits, $game($($argument),*))
    };
    ($visitor:expr, $wide:expr, $options:expr, $bits:expr, $game:ident($($argument:expr),*)) => {
        Ok(if $options.fits_64($bits)? {
            $visitor.visit($game::<u64>::new($($argument),*))
        } else {
            $wide.visit($game::<u128>::new($($argument),*))
        })
    };
}

/// Finds the game that `spec` names (`name` or `name:options`) and hands it to the visitor.
/// Spans of errors are places in `spec`.
pub fn with_game<V: Visitor>(spec: &str, visitor: V) -> Result<V::Output, GameError> {
    with_game_from(&Files::default(), spec, visitor)
}

/// The same, its file looked for where one says.
pub fn with_game_from<V: Visitor>(
    files: &Files,
    spec: &str,
    visitor: V,
) -> Result<V::Output, GameError> {
    let (name, options) = Options::split(spec, files);
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
        "chinese-checkers" => {
            let (size, players) = chinese_checkers(&options)?;
            let cells = ChineseCheckers::<u64>::cells(size);
            on_board!(
                Forget(visitor),
                Forget(visitor),
                options,
                cells,
                ChineseCheckers(size, players)
            )
        }
        "chess" => {
            options.none()?;
            Ok(Forget(visitor).visit(Chess::new()))
        }
        "connect-four" => {
            let (rows, cols) = options.size((6, 7))?;
            let bits = ConnectFour::<u64>::bits(rows, cols);
            on_board!(visitor, visitor, options, bits, ConnectFour(rows, cols))
        }
        "domineering" => {
            let (rows, cols) = options.size((6, 6))?;
            on_board!(visitor, visitor, options, rows * cols, Domineering(rows, cols))
        }
        "explicit" => {
            Ok(visitor.visit(from_file(spec, &options, explicit::looks_right, Explicit::read)?))
        }
        "gdl" => Ok(visitor.visit(rulesheet::in_turn(spec, &options)?)),
        "go-capture" => {
            let (rows, cols, escape, hunted) = go_capture(&options)?;
            if rows * cols > 128 {
                return Ok(
                    Forget(visitor).visit(GoCapture::<Wide>::new(rows, cols, escape, hunted))
                );
            }
            on_board!(
                Forget(visitor),
                Forget(visitor),
                options,
                rows * cols,
                GoCapture(rows, cols, escape, hunted)
            )
        }
        "gomoku" => {
            let (size, length) = gomoku(&options)?;
            on_board!(Forget(visitor), Forget(visitor), options, size * size, Gomoku(size, length))
        }
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
            let choices = || GAMES.iter().chain(JOINT_GAMES).map(|g| g.name.to_owned()).collect();
            let error = match is_joint(name) {
                true => TextError::new(
                    format!(
                        "in {name} both players move at the same time: this is for games in turn"
                    ),
                    0..name.len(),
                ),
                false => TextError::new(format!("there is no game called `{name}`"), 0..name.len())
                    .with_choices(choices()),
            };
            Err(GameError::Spec(error))
        }
    }
}

fn chinese_checkers(options: &Options<'_>) -> Result<(u32, u32), TextError> {
    let [size, players] = options.numbers([(1, 1, chinese_checkers::MOST_SIZE), (3, 2, 6)])?;
    if !chinese_checkers::PLAYERS.contains(&players) {
        let message = format!("a star seats two, three, four or six players, not {players}");
        return Err(options.error(message));
    }
    Ok((size, players))
}

/// The size, how many liberties save the hunted block, and whose it is.
fn go_capture(options: &Options<'_>) -> Result<(u32, u32, u32, Side), TextError> {
    let words = options.words();
    let (rows, cols) = match words.first() {
        None => (9, 9),
        Some(&(word, at)) => size(word, at, (9, 9))?,
    };
    let fits = |side| (2..=go_capture::LARGEST).contains(&side);
    if !fits(rows) || !fits(cols) {
        let message = format!("a board has 2 to {} rows and columns", go_capture::LARGEST);
        return Err(options.error(message));
    }
    let escape = match words.get(1) {
        None => 3,
        Some(&(word, at)) => number(word, at, 2, go_capture::MOST_LIBERTIES)?,
    };
    let hunted = match words.get(2) {
        None | Some(&("white", _)) => Side::Min,
        Some(&("black", _)) => Side::Max,
        Some(&(word, at)) => {
            let message = format!("`{word}` is no colour, expected black or white");
            let choices = vec!["black".to_owned(), "white".to_owned()];
            return Err(TextError::new(message, at..at + word.len()).with_choices(choices));
        }
    };
    if words.len() > 3 {
        return Err(options.error("a hunt has at most three options: ROWSxCOLUMNS,ESCAPE,HUNTED"));
    }
    Ok((rows, cols, escape, hunted))
}

/// The size and the length, which is the usual one, or the size where it is less.
fn gomoku(options: &Options<'_>) -> Result<(u32, u32), TextError> {
    let (low, high) = (gomoku::SHORTEST, gomoku::LARGEST);
    let [size, length] = options.numbers([(7, low, high), (gomoku::USUAL, low, high)])?;
    if length <= size {
        return Ok((size, length));
    }
    if options.words().len() < 2 {
        return Ok((size, size));
    }
    Err(options.error(format!("a line of {length} does not fit on a board of {size}x{size}")))
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

/// A game that stands in a file: the options are its path, and its name is what was typed. A file
/// none of whose lines looks like one of such a game is something else, and is not shown.
pub(crate) fn from_file<'s, G>(
    spec: &'s str,
    options: &Options<'_>,
    looks_right: fn(&str) -> bool,
    read: impl FnOnce(&'s str, &str) -> Result<G, TextError>,
) -> Result<G, GameError> {
    let Some(path) = options.text() else {
        return Err(GameError::Spec(options.error(format!("this game needs a file: {spec}:FILE"))));
    };
    let text = options.files.read(path)?;
    read(spec, &text).map_err(|error| match text.lines().any(looks_right) {
        true => GameError::File { path: path.to_owned(), text, error },
        false => GameError::OtherFile { path: path.to_owned() },
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
    /// The file is not one that describes such a game. What it holds is not shown.
    #[error("{path}: no line of this file looks like one of such a game")]
    OtherFile {
        /// The file.
        path: String,
    },
    /// The file has another text than the one that is wanted.
    #[error("the file has the digest {found}, not {wanted}")]
    OtherRules {
        /// The digest that a certificate names.
        wanted: String,
        /// The digest of the file.
        found: String,
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

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl Visitor for Name {
        type Output = String;

        fn visit<G: Guide + Notation>(self, game: G) -> String {
            game.name()
        }
    }

    #[test]
    fn games_stand_in_the_order_of_their_names() {
        assert!(GAMES.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn options_that_are_left_out_have_their_defaults() {
        for (spec, name) in [
            ("gomoku", "gomoku:7,5"),
            ("gomoku:11", "gomoku:11,5"),
            ("gomoku:4", "gomoku:4,4"),
            ("gomoku:6,3", "gomoku:6,3"),
            ("go-capture", "go-capture:9x9,3,white"),
            ("go-capture:19x13", "go-capture:19x13,3,white"),
            ("go-capture:2x19,4", "go-capture:2x19,4,white"),
            ("go-capture:19x19,2,black", "go-capture:19x19,2,black"),
        ] {
            assert_eq!(with_game(spec, Name).unwrap(), name);
            // The full name names the same game.
            assert_eq!(with_game(name, Name).unwrap(), name);
        }
    }

    #[test]
    fn wrong_options_are_shown() {
        for (spec, at) in [
            ("gomoku:2", 7..8),
            ("gomoku:12", 7..9),
            ("gomoku:5,6", 7..10),
            ("gomoku:5,2", 9..10),
            ("gomoku:5,4,3", 7..12),
            ("go-capture:9", 11..12),
            ("go-capture:1x9", 11..14),
            ("go-capture:9x20", 11..15),
            ("go-capture:9x9,1", 15..16),
            ("go-capture:9x9,3,red", 17..20),
            ("go-capture:9x9,3,black,1", 11..24),
        ] {
            match with_game(spec, Name) {
                Err(GameError::Spec(error)) => assert_eq!(error.span, at, "{spec}"),
                other => panic!("{spec}: {other:?}"),
            }
        }
    }
}
