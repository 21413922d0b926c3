//! The list of games in which both players move at the same time.
//!
//! To add a game: one entry in [`JOINT_GAMES`], one arm in [`with_joint`].

use foregone_model::{JointNotation, TextError};

use crate::bidding_tic_tac_toe::{self, BiddingTicTacToe};
use crate::files::Files;
use crate::goofspiel::{self, Count, Goofspiel};
use crate::joint_file::{self, JointFile};
use crate::matrix::{self, MatrixGame};
use crate::options::{Options, number, size};
use crate::oshi_zumo::{self, OshiZumo};
use crate::pursuit::{self, Pursuit};
use crate::random_joint::{self, RandomJoint};
use crate::registry::{Entry, GameError, entry, from_file};
use crate::rulesheet;
use crate::tron::{self, Tron};

/// All games with joint moves, in the order of their names.
pub const JOINT_GAMES: &[Entry] = &[
    entry(
        "bidding-tic-tac-toe",
        "CHIPS (2)",
        "Bid for each mark, the higher bid pays the other player; three in a line win",
    ),
    entry(
        "goofspiel",
        "CARDS[,points][,ascending or PRIZE-PRIZE-…] (5)",
        "Play cards at once for a prize that lies open; the higher sum of prizes wins",
    ),
    Entry {
        name: "joint",
        options: "FILE",
        rules: "A game that you typed: states, moves of both sides, where pairs of them lead",
        needs_file: true,
    },
    Entry {
        name: "matrix",
        options: "FILE",
        rules: "A matrix of payoffs, comma separated: Max chooses a row, Min a column",
        needs_file: true,
    },
    entry(
        "oshi-zumo",
        "COINS,SIZE,MIN (10,3,1)",
        "Bid coins to push a wrestler along SIZE fields to either side; off the board it wins",
    ),
    entry(
        "pursuit",
        "ROWSxCOLUMNS,STEPS[,steps] (4x4,5)",
        "Two pursuers hunt an evader, all step at once; it wins if it is free after STEPS steps",
    ),
    entry(
        "random-joint",
        "DEPTH,ROWS,COLUMNS,STEP,SEED (4,3,3,10,0)",
        "A random game: each pair of moves brings up to STEP points, which add up",
    ),
    entry("rock-paper-scissors", "", "Rock beats scissors, scissors beat paper, paper beats rock"),
    entry(
        "tron",
        "ROWSxCOLUMNS (5x5)",
        "Two cycles move at once and leave walls; who crashes loses, both is a draw",
    ),
];

/// What is done with a game with joint moves once it is known which one it is.
pub trait JointVisitor {
    /// What comes out.
    type Output;
    /// The work.
    fn visit<J: JointNotation>(self, game: J) -> Self::Output;
}

/// Whether a game of this name has joint moves.
pub fn is_joint(spec: &str) -> bool {
    is_joint_from(&Files::default(), spec)
}

/// The same, its file looked for where one says.
pub fn is_joint_from(files: &Files, spec: &str) -> bool {
    let (name, options) = Options::split(spec, files);
    JOINT_GAMES.iter().any(|game| game.name == name)
        || (name == "gdl" && rulesheet::is_joint(spec, &options))
}

/// Finds the game that `spec` names and hands it to the visitor. Spans of errors are places in
/// `spec`.
pub fn with_joint<V: JointVisitor>(spec: &str, visitor: V) -> Result<V::Output, GameError> {
    with_joint_from(&Files::default(), spec, visitor)
}

/// The same, its file looked for where one says.
pub fn with_joint_from<V: JointVisitor>(
    files: &Files,
    spec: &str,
    visitor: V,
) -> Result<V::Output, GameError> {
    let (name, options) = Options::split(spec, files);
    match name {
        "bidding-tic-tac-toe" => {
            let chips = options.number(2, 0, bidding_tic_tac_toe::MOST_CHIPS)?;
            Ok(visitor.visit(BiddingTicTacToe::new(chips)))
        }
        "gdl" => Ok(visitor.visit(rulesheet::joint(spec, &options)?)),
        "goofspiel" => Ok(visitor.visit(goofspiel(&options)?)),
        "joint" => {
            Ok(visitor.visit(from_file(spec, &options, joint_file::looks_right, JointFile::read)?))
        }
        "matrix" => {
            Ok(visitor.visit(from_file(spec, &options, matrix::looks_right, MatrixGame::read)?))
        }
        "oshi-zumo" => Ok(visitor.visit(oshi_zumo(&options)?)),
        "pursuit" => Ok(visitor.visit(pursuit(&options)?)),
        "random-joint" => {
            let moves = (3, 1, random_joint::MOST_MOVES);
            let forms = [
                (4, 1, random_joint::DEEPEST),
                moves,
                moves,
                (10, 1, random_joint::LARGEST_STEP),
                (0, 0, u32::MAX),
            ];
            let [depth, rows, columns, step, seed] = options.numbers(forms)?;
            Ok(visitor.visit(RandomJoint { depth, rows, columns, step, seed }))
        }
        "rock-paper-scissors" => {
            options.none()?;
            Ok(visitor.visit(MatrixGame::rock_paper_scissors()))
        }
        "tron" => {
            let size = options.size((5, 5))?;
            let (rows, cols) = cells(&options, size, 2, tron::MOST_CELLS)?;
            Ok(visitor.visit(Tron::new(rows, cols)))
        }
        _ => {
            let choices = JOINT_GAMES.iter().map(|g| g.name.to_owned()).collect();
            let message = format!("there is no game with joint moves called `{name}`");
            Err(GameError::Spec(TextError::new(message, 0..name.len()).with_choices(choices)))
        }
    }
}

fn goofspiel(options: &Options<'_>) -> Result<Goofspiel, TextError> {
    let mut words = options.words().into_iter();
    let cards = match words.next() {
        None => 5,
        Some((word, at)) => number(word, at, 1, goofspiel::MOST_CARDS)?,
    };
    let (mut prizes, mut count) = (Goofspiel::descending(cards), Count::Win);
    for (word, at) in words {
        match word {
            "points" => count = Count::Points,
            "win" => count = Count::Win,
            "descending" => prizes = Goofspiel::descending(cards),
            "ascending" => prizes = (1..=cards).collect(),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => {
                prizes = order_of_prizes(word, at, cards)?;
            }
            _ => {
                let choices = ["win", "points", "ascending", "descending"];
                let message = format!(
                    "`{word}` is no option, expected win, points, or the prizes in their order"
                );
                return Err(TextError::new(message, at..at + word.len())
                    .with_choices(choices.map(str::to_owned).to_vec()));
            }
        }
    }
    Ok(Goofspiel::new(prizes, count))
}

/// `3-1-2`: each prize of 1 to the number of cards once.
fn order_of_prizes(text: &str, at: usize, cards: u32) -> Result<Vec<u32>, TextError> {
    let mut prizes = Vec::new();
    let mut place = at;
    for word in text.split('-') {
        let prize = number(word, place, 1, cards)?;
        if prizes.contains(&prize) {
            let message = format!("the prize {prize} is there twice");
            return Err(TextError::new(message, place..place + word.len()));
        }
        prizes.push(prize);
        place += word.len() + 1;
    }
    if prizes.len() != cards as usize {
        let message = format!("there are {} prizes for {cards} cards", prizes.len());
        return Err(TextError::new(message, at..at + text.len()));
    }
    Ok(prizes)
}

fn oshi_zumo(options: &Options<'_>) -> Result<OshiZumo, TextError> {
    let most = oshi_zumo::MOST_COINS;
    let forms = [(10, 1, most), (3, 0, oshi_zumo::MOST_FIELDS), (1, 1, most)];
    let [coins, fields, least] = options.numbers(forms)?;
    Ok(OshiZumo::new(coins, fields, least))
}

fn pursuit(options: &Options<'_>) -> Result<Pursuit, TextError> {
    let words = options.words();
    let board = match words.first() {
        None => (4, 4),
        Some(&(word, at)) => size(word, at, (4, 4))?,
    };
    let (rows, cols) = cells(options, board, 3, pursuit::MOST_CELLS)?;
    let steps = match words.get(1) {
        None => 5,
        Some(&(word, at)) => number(word, at, 1, pursuit::MOST_STEPS)?,
    };
    let count = match words.get(2) {
        None | Some(&("win", _)) => pursuit::Count::Win,
        Some(&("steps", _)) => pursuit::Count::Steps,
        Some(&(word, at)) => {
            let message = format!("`{word}` is not counted, expected win or steps");
            let choices = vec!["win".to_owned(), "steps".to_owned()];
            return Err(TextError::new(message, at..at + word.len()).with_choices(choices));
        }
    };
    if words.len() > 3 {
        return Err(options.error("a pursuit has at most three options: ROWSxCOLUMNS,STEPS,steps"));
    }
    Ok(Pursuit::new(rows, cols, steps, count))
}

/// A board whose number of cells is between bounds.
fn cells(
    options: &Options<'_>,
    size: (u32, u32),
    least: u32,
    most: u32,
) -> Result<(u32, u32), TextError> {
    let (rows, cols) = size;
    if !(least..=most).contains(&(rows * cols)) {
        let message = format!("a board has {least} to {most} cells, not {}", rows * cols);
        return Err(options.error(message));
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl JointVisitor for Name {
        type Output = String;

        fn visit<J: JointNotation>(self, game: J) -> String {
            game.name()
        }
    }

    #[test]
    fn games_stand_in_the_order_of_their_names() {
        assert!(JOINT_GAMES.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn options_that_are_left_out_have_their_defaults() {
        for (spec, name) in [
            ("goofspiel", "goofspiel:5"),
            ("random-joint:2,1", "random-joint:2,1,3,10,0"),
            ("goofspiel:4,win", "goofspiel:4"),
            ("goofspiel:4,points", "goofspiel:4,points"),
            ("goofspiel:3,1-3-2", "goofspiel:3,1-3-2"),
            ("goofspiel:3,ascending,points", "goofspiel:3,points,1-2-3"),
            ("bidding-tic-tac-toe", "bidding-tic-tac-toe:2"),
            ("bidding-tic-tac-toe:0", "bidding-tic-tac-toe:0"),
            ("oshi-zumo", "oshi-zumo:10,3,1"),
            ("oshi-zumo:5", "oshi-zumo:5,3,1"),
            ("oshi-zumo:5,0,9", "oshi-zumo:5,0,9"),
            ("pursuit", "pursuit:4x4,5"),
            ("pursuit:3x5", "pursuit:3x5,5"),
            ("pursuit:3x5,4,win", "pursuit:3x5,4"),
            ("pursuit:3x5,4,steps", "pursuit:3x5,4,steps"),
            ("rock-paper-scissors", "rock-paper-scissors"),
            ("tron", "tron:5x5"),
            ("tron:1x2", "tron:1x2"),
        ] {
            assert_eq!(with_joint(spec, Name).unwrap(), name);
            // The full name names the same game.
            assert_eq!(with_joint(name, Name).unwrap(), name);
        }
    }

    #[test]
    fn wrong_options_are_shown() {
        for (spec, at) in [
            ("goofspiel:14", 10..12),
            ("goofspiel:4,point", 12..17),
            ("goofspiel:3,1-1-2", 14..15),
            ("goofspiel:3,1-2", 12..15),
            ("goofspiel:3,1-2-4", 16..17),
            ("gofspiel", 0..8),
            ("bidding-tic-tac-toe:101", 20..23),
            ("joint", 5..5),
            ("matrix", 6..6),
            ("oshi-zumo:0", 10..11),
            ("oshi-zumo:5,101", 12..15),
            ("oshi-zumo:5,3,0", 14..15),
            ("oshi-zumo:5,3,1,1", 10..17),
            ("pursuit:4", 8..9),
            ("pursuit:1x2", 8..11),
            ("pursuit:9x8,2", 8..13),
            ("pursuit:4x4,0", 12..13),
            ("pursuit:4x4,5,points", 14..20),
            ("pursuit:4x4,5,steps,1", 8..21),
            ("rock-paper-scissors:3", 20..21),
            ("tron:1x1", 5..8),
            ("tron:8x9", 5..8),
        ] {
            match with_joint(spec, Name) {
                Err(GameError::Spec(error)) => assert_eq!(error.span, at, "{spec}"),
                other => panic!("{spec}: {other:?}"),
            }
        }
    }

    #[test]
    fn files_are_named_by_their_path() {
        let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
        for (game, file) in [("joint", "example-11.joint"), ("matrix", "rock-paper-scissors.csv")] {
            let spec = format!("{game}:{examples}/{file}");
            assert_eq!(with_joint(&spec, Name).unwrap(), spec);
            let missing = with_joint(&format!("{game}:{examples}/no-such-file"), Name);
            assert!(matches!(missing, Err(GameError::Unreadable { .. })));
            let other = with_joint(&format!("{game}:{examples}/figure-2-2.game"), Name);
            assert!(matches!(other, Err(GameError::File { .. } | GameError::OtherFile { .. })));
        }
    }
}
