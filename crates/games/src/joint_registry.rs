//! The list of games in which both players move at the same time.
//!
//! To add a game: one entry in [`JOINT_GAMES`], one arm in [`with_joint`].

use foregone_model::{JointNotation, TextError};

use crate::goofspiel::{self, Count, Goofspiel};
use crate::joint_file::JointFile;
use crate::matrix::MatrixGame;
use crate::options::{Options, number};
use crate::registry::{Entry, GameError, entry, from_file};

/// All games with joint moves, in the order of their names.
pub const JOINT_GAMES: &[Entry] = &[
    entry(
        "goofspiel",
        "CARDS[,points][,PRIZE-PRIZE-…] (5)",
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
    entry("rock-paper-scissors", "", "Rock beats scissors, scissors beat paper, paper beats rock"),
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
    let (name, _) = Options::split(spec);
    JOINT_GAMES.iter().any(|game| game.name == name)
}

/// Finds the game that `spec` names and hands it to the visitor. Spans of errors are places in
/// `spec`.
pub fn with_joint<V: JointVisitor>(spec: &str, visitor: V) -> Result<V::Output, GameError> {
    let (name, options) = Options::split(spec);
    match name {
        "goofspiel" => Ok(visitor.visit(goofspiel(&options)?)),
        "joint" => Ok(visitor.visit(from_file(spec, &options, JointFile::read)?)),
        "matrix" => Ok(visitor.visit(from_file(spec, &options, MatrixGame::read)?)),
        "rock-paper-scissors" => {
            options.none()?;
            Ok(visitor.visit(MatrixGame::rock_paper_scissors()))
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
            ("goofspiel:4,win", "goofspiel:4"),
            ("goofspiel:4,points", "goofspiel:4,points"),
            ("goofspiel:3,1-3-2", "goofspiel:3,1-3-2"),
            ("goofspiel:3,ascending,points", "goofspiel:3,points,1-2-3"),
            ("rock-paper-scissors", "rock-paper-scissors"),
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
            ("joint", 5..5),
            ("matrix", 6..6),
            ("rock-paper-scissors:3", 20..21),
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
            assert!(matches!(other, Err(GameError::File { .. })));
        }
    }
}
