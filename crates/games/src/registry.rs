//! The list of games: from what a person types to a game.
//!
//! Every game has an [`Entry`] in its own file, and one line in [`GAMES`]. A program with games of
//! its own adds their entries to the list and opens games by [`open_among`].

use foregone_model::{Guide, JointNotation, NormalPlay, Notation, Tabled, TextError};

use crate::best_reply;
use crate::erased::{self, Erased};
use crate::erased_joint::{self, ErasedJoint};
use crate::files::Files;
use crate::options::Options;
use crate::sum;

/// All games, in the order of their names.
pub const GAMES: &[Entry] = &[
    crate::tiles_2048::ENTRY,
    crate::amazons::ENTRY,
    crate::atari_go::ENTRY,
    crate::awari::ENTRY,
    crate::bear_off::ENTRY,
    crate::bidding_tic_tac_toe::ENTRY,
    crate::breakthrough::ENTRY,
    crate::cant_stop::ENTRY,
    crate::chess::ENTRY,
    crate::chinese_checkers::ENTRY,
    crate::clobber::ENTRY,
    crate::col::ENTRY,
    crate::connect_four::ENTRY,
    crate::connect6::ENTRY,
    crate::cram::ENTRY,
    crate::dark_chess::ENTRY,
    crate::dark_chess_ending::ENTRY,
    crate::dice_race::ENTRY,
    crate::dobutsu_shogi::ENTRY,
    crate::domineering::ENTRY,
    crate::domineering_three::ENTRY,
    crate::dominoes::ENTRY,
    crate::einstein::ENTRY,
    crate::elephants::ENTRY,
    crate::explicit::ENTRY,
    crate::fission::ENTRY,
    crate::rulesheet::ENTRY,
    crate::go_capture::ENTRY,
    crate::gomoku::ENTRY,
    crate::goofspiel::ENTRY,
    crate::hackenbush::ENTRY,
    crate::havannah::ENTRY,
    crate::hex::ENTRY,
    crate::joint_file::ENTRY,
    crate::kalah::ENTRY,
    crate::kayles::ENTRY,
    crate::konane::ENTRY,
    crate::left_right::ENTRY,
    crate::lines_of_action::ENTRY,
    crate::matrix::ENTRY,
    crate::nim::ENTRY,
    crate::nogo::ENTRY,
    crate::octal::ENTRY,
    crate::oshi_zumo::ENTRY,
    crate::othello::ENTRY,
    crate::phutball::ENTRY,
    crate::pig::ENTRY,
    crate::pursuit::ENTRY,
    crate::race::ENTRY,
    crate::random_chance::ENTRY,
    crate::random_joint::ENTRY,
    crate::matrix::ROCK_PAPER_SCISSORS,
    crate::same_game::ENTRY,
    crate::seki::ENTRY,
    crate::sheep::ENTRY,
    crate::snort::ENTRY,
    crate::tic_tac_toe::ENTRY,
    crate::toads_and_frogs::ENTRY,
    crate::toppling_dominoes::ENTRY,
    crate::tron::ENTRY,
    crate::value::ENTRY,
    crate::woodpush::ENTRY,
    crate::y::ENTRY,
];

/// A game of the list.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What a person types.
    pub name: &'static str,
    /// The options behind the colon, as a form, and their default.
    pub options: &'static str,
    /// The rules in one line.
    pub rules: &'static str,
    /// What the file holds that the options name, where there is no game without one.
    pub file: Option<FileForm>,
    /// The names of the rules of static knowledge that its certificates may rest on.
    pub knowledge: &'static [&'static str],
    /// How the players move, which decides what the game can be asked.
    pub moves: Moves,
    /// Opens the game.
    pub open: fn(&Options<'_>) -> Result<Opened, GameError>,
    /// What a person should know about the rules before an answer, a line each. Built-in rules need
    /// none; those of a file may break what their language demands.
    pub warnings: fn(&Options<'_>) -> Vec<String>,
    /// The same game, small enough to be solved within seconds, for who tries a larger one first:
    /// its default, unless something else is said.
    pub quick: Option<&'static str>,
}

impl Entry {
    /// A game whose players move in turn, with rules of its own.
    pub const fn in_turn(
        name: &'static str,
        options: &'static str,
        rules: &'static str,
        open: fn(&Options<'_>) -> Result<Opened, GameError>,
    ) -> Entry {
        let moves = Moves::InTurn;
        let warnings = |_: &Options<'_>| Vec::new();
        Entry {
            name,
            options,
            rules,
            file: None,
            knowledge: &[],
            moves,
            open,
            warnings,
            quick: Some(name),
        }
    }

    /// The same with static knowledge of these names.
    pub const fn knowing(self, knowledge: &'static [&'static str]) -> Entry {
        Entry { knowledge, ..self }
    }

    /// A game whose players move at the same time, with rules of its own.
    pub const fn joint(
        name: &'static str,
        options: &'static str,
        rules: &'static str,
        open: fn(&Options<'_>) -> Result<Opened, GameError>,
    ) -> Entry {
        Entry { moves: Moves::Joint, ..Entry::in_turn(name, options, rules, open) }
    }
}

/// A file that holds the rules of a game.
#[derive(Clone, Copy, Debug)]
pub struct FileForm {
    /// How the names of such files end by custom.
    pub ending: &'static str,
    /// How such a file is written, for people.
    pub about: &'static str,
    /// A whole file, as an example.
    pub example: &'static str,
}

/// How the players of a game move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// One at a time: outcomes and formulas.
    InTurn,
    /// All at the same time: Nash values.
    Joint,
    /// Its file says which of the two.
    Either,
}

/// A game that was opened.
#[derive(Clone, Debug)]
pub enum Opened {
    /// Players move in turn.
    InTurn(Erased),
    /// Both players move at the same time.
    Joint(ErasedJoint),
}

impl Opened {
    /// A game in turn.
    pub fn in_turn<G: Guide + Notation + Send + 'static>(game: G) -> Opened {
        Opened::InTurn(Erased::new(game))
    }

    /// A game with joint moves.
    pub fn joint<J: JointNotation + Send + 'static>(game: J) -> Opened {
        Opened::Joint(ErasedJoint::new(game))
    }

    /// A game in turn, and how it is pictured.
    pub fn pictured<G: Guide + Notation + Send + 'static>(
        game: G,
        picture: erased::Picture<G>,
    ) -> Opened {
        Opened::InTurn(Erased::pictured(game, picture))
    }

    /// A game in turn, how it is pictured, and the numbers of its positions.
    pub fn tabled<G: Guide + Notation + Tabled + Send + 'static>(
        game: G,
        picture: erased::Picture<G>,
    ) -> Opened {
        Opened::InTurn(Erased::tabled(game, picture))
    }

    /// A game in turn under normal play, which can be added to others, and how it is pictured.
    pub fn normal_play<G: Guide + NormalPlay + Send + 'static>(
        game: G,
        picture: erased::Picture<G>,
    ) -> Opened {
        Opened::InTurn(Erased::normal_play(game, picture))
    }

    /// A game with joint moves, and how it is pictured.
    pub fn pictured_joint<J: JointNotation + Send + 'static>(
        game: J,
        picture: erased_joint::Picture<J>,
    ) -> Opened {
        Opened::Joint(ErasedJoint::pictured(game, picture))
    }

    /// The game and its options, as a person types them.
    pub fn name(&self) -> String {
        match self {
            Opened::InTurn(game) => game.name(),
            Opened::Joint(game) => game.name(),
        }
    }

    /// The game, if its players move in turn; `spec` is what was typed.
    pub fn require_in_turn(self, spec: &str) -> Result<Erased, GameError> {
        match self {
            Opened::InTurn(game) => Ok(game),
            Opened::Joint(_) => {
                let message = format!(
                    "in {spec} both players move at the same time: this is for games in turn"
                );
                Err(GameError::Spec(TextError::new(message, 0..spec.len())))
            }
        }
    }
}

/// Opens the game that `spec` names (`name` or `name:options`). Spans of errors are places in
/// `spec`.
pub fn open(files: &Files, spec: &str) -> Result<Opened, GameError> {
    open_among(GAMES, files, spec)
}

/// The same with another list of games.
pub fn open_among(games: &[Entry], files: &Files, spec: &str) -> Result<Opened, GameError> {
    // Not a game of its own, but a way to see others.
    if spec.starts_with(best_reply::PREFIX) {
        return best_reply::open(games, files, spec);
    }
    if sum::is_sum(games, spec) {
        return sum::open(games, files, spec);
    }
    let entry = find(games, spec)?;
    (entry.open)(&Options::new(&in_its_spelling(entry, spec), files))
}

/// What a person should know about the rules of a game before an answer, a line each.
pub fn warnings_among(games: &[Entry], files: &Files, spec: &str) -> Vec<String> {
    let spec = best_reply::inner_spec(spec).unwrap_or(spec);
    if sum::is_sum(games, spec) {
        return spec.split(sum::PLUS).flat_map(|part| warnings_among(games, files, part)).collect();
    }
    find(games, spec).map_or_else(
        |_| Vec::new(),
        |entry| (entry.warnings)(&Options::new(&in_its_spelling(entry, spec), files)),
    )
}

/// The entry of the game that `spec` names, in large or small letters.
pub fn find<'g>(games: &'g [Entry], spec: &str) -> Result<&'g Entry, TextError> {
    let name = spec.split_once(':').map_or(spec, |(name, _)| name);
    games.iter().find(|game| game.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        // Who names a file forgot to say what is in it.
        let ends = |form: &FileForm| spec.to_ascii_lowercase().ends_with(form.ending);
        let file = games.iter().find(|game| game.file.as_ref().is_some_and(ends));
        let file = file.filter(|_| !spec.contains(':'));
        let (typed, choices) = match file {
            Some(game) => (spec, vec![format!("{}:{spec}", game.name)]),
            None => (name, games.iter().map(|game| game.name.to_owned()).collect()),
        };
        let message = format!("there is no game called `{typed}`");
        TextError::new(message, 0..typed.len()).with_choices(choices)
    })
}

/// What was typed, the name of the game as it is listed. Places stay where they are.
fn in_its_spelling(entry: &Entry, spec: &str) -> String {
    format!("{}{}", entry.name, &spec[entry.name.len()..])
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
    /// It was given up before the game was made.
    #[error("{path}: the rules were not read to their end")]
    Stopped {
        /// The file.
        path: String,
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

    fn name(spec: &str) -> Result<String, GameError> {
        open(&Files::from_disk(), spec).map(|game| game.name())
    }

    #[test]
    fn games_stand_in_the_order_of_their_names() {
        assert!(GAMES.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn every_entry_is_listed() {
        let list = include_str!("registry.rs");
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut found = 0;
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let module = path.file_stem().unwrap().to_str().unwrap();
            let source = if path.is_dir() { path.join("mod.rs") } else { path.clone() };
            if module != "registry"
                && std::fs::read_to_string(source).unwrap().contains("const ENTRY: Entry")
            {
                assert!(list.contains(&format!("    crate::{module}::ENTRY,")), "{module}");
                found += 1;
            }
        }
        // Rock, paper, scissors has its entry beside that of all matrices.
        assert_eq!(found + 1, GAMES.len());
    }

    #[test]
    fn entries_say_how_their_games_move() {
        for entry in GAMES.iter().filter(|entry| entry.file.is_none()) {
            let opened = open(&Files::from_memory::<&str, &str>([]), entry.name).unwrap();
            let moves = match opened {
                Opened::InTurn(_) => Moves::InTurn,
                Opened::Joint(_) => Moves::Joint,
            };
            assert_eq!(entry.moves, moves, "{}", entry.name);
            let name = opened.name();
            assert_eq!(name.split(':').next(), Some(entry.name));
            // A name in full spells the options out, but for chess, which hardly ever has one.
            let spelled = !entry.options.is_empty() && entry.name != "chess";
            assert_eq!(name.contains(':'), spelled, "{name}");
        }
    }

    #[test]
    fn games_of_a_program_of_its_own_stand_in_its_list() {
        let own = Entry::in_turn("empty-heaps", "", "The first player loses at once", |options| {
            options.none()?;
            Ok(Opened::in_turn(crate::nim::Nim::new(vec![0])))
        });
        let files = Files::from_disk();
        let games = [GAMES, &[own]].concat();
        assert_eq!(open_among(&games, &files, "empty-heaps").unwrap().name(), "nim:0");
        assert_eq!(open_among(&games, &files, "nim").unwrap().name(), "nim:1,3,5,7");
        assert!(open_among(&games, &files, "empty-heaps:2").is_err());
        match open_among(&[own], &files, "nim:2") {
            Err(GameError::Spec(error)) => {
                assert_eq!((error.span, error.choices), (0..3, vec!["empty-heaps".to_owned()]));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn games_with_joint_moves_are_not_taken_for_games_in_turn() {
        let files = Files::from_disk();
        let turn = |spec| open(&files, spec).unwrap().require_in_turn(spec);
        assert_eq!(turn("nim").unwrap().name(), "nim:1,3,5,7");
        match turn("tron:3x3") {
            Err(GameError::Spec(error)) => {
                assert!(error.message.starts_with("in tron:3x3 both players"), "{error}");
                assert_eq!(error.span, 0..8);
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn options_that_are_left_out_have_their_defaults() {
        for (spec, full) in [
            ("gomoku", "gomoku:7,5"),
            ("gomoku:11", "gomoku:11,5"),
            ("gomoku:4", "gomoku:4,4"),
            ("gomoku:6,3", "gomoku:6,3"),
            ("gomoku:19", "gomoku:19,5"),
            ("gomoku:15,5,exact", "gomoku:15,5,exact"),
            ("go-capture", "go-capture:9x9,3,white"),
            ("go-capture:19x13", "go-capture:19x13,3,white"),
            ("go-capture:2x19,4", "go-capture:2x19,4,white"),
            ("go-capture:19x19,2,black", "go-capture:19x19,2,black"),
            ("go-capture:5x5,3,white,wide", "go-capture:5x5,3,white,wide"),
            ("amazons:3x5", "amazons:3x5"),
            ("elephants", "elephants:12"),
            ("elephants:5,impartial", "elephants:5,impartial"),
            ("hackenbush:2g1,0b2", "hackenbush:2g1,0b2"),
            ("sheep", "sheep:4x4,4"),
            ("sheep:2x3", "sheep:2x3,4"),
            ("sheep:2x3,7", "sheep:2x3,7"),
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
            ("pig", "pig:100,6"),
            ("pig:20", "pig:20,6"),
            ("einstein", "einstein:5,6"),
            ("einstein:4", "einstein:4,3"),
            ("einstein:4,6", "einstein:4,6"),
            ("bear-off", "bear-off:1-1-1-1,6"),
            ("bear-off:0-2", "bear-off:0-2,6"),
            ("cant-stop", "cant-stop:3,2,1,1"),
            ("cant-stop:2", "cant-stop:2,2,1,1"),
            ("dark-chess", "dark-chess:2x2,KC,10"),
            ("dark-chess:2x3", "dark-chess:2x3,KCP,10"),
            ("dark-chess:3x3,PAK", "dark-chess:3x3,KAP,10"),
            ("dice-race", "dice-race:10,2,6,1"),
            ("dice-race:5", "dice-race:5,2,6,1"),
            ("random-chance:2,1", "random-chance:2,1,3,10,0"),
            ("2048", "2048:2x2,32"),
            ("clobber", "clobber:4x5"),
            ("kayles", "kayles:5,7"),
            ("kayles:128", "kayles:128"),
            ("toppling-dominoes:xo./gg", "toppling-dominoes:xo./gg"),
            ("clobber:1x9,impartial", "clobber:1x9,impartial"),
            ("2048:1x2", "2048:1x2,8"),
            ("2048:4x4,2048", "2048:4x4,2048"),
        ] {
            assert_eq!(name(spec).unwrap(), full);
            // The full name names the same game.
            assert_eq!(name(full).unwrap(), full);
        }
    }

    #[test]
    fn wrong_options_are_shown() {
        for (spec, at) in [
            ("gomoku:2", 7..8),
            ("gomoku:20", 7..9),
            ("gomoku:5,6", 7..10),
            ("gomoku:5,2", 9..10),
            ("gomoku:5,4,3", 11..12),
            ("gomoku:5,4,exact,1", 7..18),
            ("go-capture:9", 11..12),
            ("go-capture:1x9", 11..14),
            ("go-capture:9x20", 11..15),
            ("go-capture:9x9,1", 15..16),
            ("go-capture:9x9,3,red", 17..20),
            ("go-capture:9x9,3,black,1", 23..24),
            ("go-capture:9x9,3,black,wide,1", 11..29),
            ("amazons:12x12", 8..13),
            ("elephants:65", 10..12),
            ("elephants:5,partial", 12..19),
            ("elephants:5,impartial,1", 10..23),
            ("hackenbush:0b1,2r3", 15..18),
            ("hackenbush:0b1,1y2", 15..18),
            ("konane:3", 7..8),
            ("sheep:9x8", 6..9),
            ("sheep:3x3,51", 10..12),
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
            ("pig:1", 4..5),
            ("pig:100,1", 8..9),
            ("pig:100,6,1", 4..11),
            ("einstein:6", 9..10),
            ("einstein:5,4", 11..12),
            ("einstein:3,6", 11..12),
            ("einstein:5,6,1", 9..14),
            ("bear-off:", 9..9),
            ("bear-off:0-0", 9..12),
            ("bear-off:9-9", 9..12),
            ("bear-off:1-x", 11..12),
            ("bear-off:1-1-1-1-1-1-1", 9..22),
            ("bear-off:1,8", 11..12),
            ("bear-off:1,6,1", 9..14),
            ("cant-stop:7", 10..11),
            ("cant-stop:2,3", 12..13),
            ("cant-stop:6,4", 12..13),
            ("cant-stop:3,2,6", 14..15),
            ("cant-stop:3,2,1,1,1", 10..19),
            ("dark-chess:4", 11..12),
            ("dark-chess:4x5", 11..14),
            ("dark-chess:2x2,KX", 16..17),
            ("dark-chess:2x2,KAP", 15..18),
            ("dark-chess:2x2,KP,0", 18..19),
            ("dark-chess:2x2,KP,9,1", 11..21),
            ("dice-race:61", 10..12),
            ("dice-race:5,5", 12..13),
            ("dice-race:5,2,6,1,1", 10..19),
            ("random-chance:21", 14..16),
            ("2048:5x4", 5..8),
            ("clobber:12x12", 8..13),
            ("kayles:0", 7..8),
            ("kayles:100,29", 7..13),
            ("toppling-dominoes:xy", 18..20),
            ("clobber:3x3,fair", 12..16),
            ("clobber:3x3,impartial,1", 8..23),
            ("2048:2x2,24", 9..11),
            ("2048:2x2,64", 9..11),
            ("2048:2x2,4", 9..10),
        ] {
            match name(spec) {
                Err(GameError::Spec(error)) => assert_eq!(error.span, at, "{spec}"),
                other => panic!("{spec}: {other:?}"),
            }
        }
    }

    #[test]
    fn files_are_named_by_their_path() {
        let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
        for (game, file, other) in [
            ("joint", "example-11.joint", "figure-2-2.game"),
            ("matrix", "rock-paper-scissors.csv", "figure-2-2.game"),
            ("explicit", "figure-2-2.game", "example-11.joint"),
        ] {
            let spec = format!("{game}:{examples}/{file}");
            assert_eq!(name(&spec).unwrap(), spec);
            let missing = name(&format!("{game}:{examples}/no-such-file"));
            assert!(matches!(missing, Err(GameError::Unreadable { .. })));
            let other = name(&format!("{game}:{examples}/{other}"));
            assert!(matches!(other, Err(GameError::File { .. } | GameError::OtherFile { .. })));
        }
    }

    #[test]
    fn a_file_decides_how_players_move_and_needs_no_disk() {
        let role = |moves: &str| {
            format!(
                "(role a) (role b) (init (step 0)) {moves} (<= (next (step 1)) (true (step 0)))
                 (<= terminal (true (step 1))) (goal a 50) (goal b 50)"
            )
        };
        let joint = role("(legal a x) (legal a y) (legal b x) (legal b y)");
        let turns = role("(legal a x) (legal a y) (legal b wait)");
        let files = Files::from_memory([("joint.kif", joint), ("turns.kif", turns)]);
        let opened = |spec| open(&files, spec);
        assert!(matches!(opened("gdl:joint.kif"), Ok(Opened::Joint(_))));
        assert!(matches!(opened("gdl:turns.kif"), Ok(Opened::InTurn(_))));
        assert!(matches!(opened("gdl:turns.kif,for=b"), Ok(Opened::InTurn(_))));
        assert!(matches!(opened("gdl:nothing.kif"), Err(GameError::Unreadable { .. })));
        for (spec, at) in [
            ("gdl:turns.kif,for=c", 18..19),
            ("gdl:turns.kif,backend=x", 22..23),
            ("gdl:joint.kif,for=a", 0..19),
            ("gdl", 3..3),
        ] {
            match opened(spec) {
                Err(GameError::Spec(error)) => assert_eq!(error.span, at, "{spec}"),
                other => panic!("{spec}: {other:?}"),
            }
        }
    }
}
