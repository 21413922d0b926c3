//! Everything that one can choose from.

use foregone::Solver;
use foregone::formula::Algorithm;
use foregone::games::registry::{GAMES, Moves};
use foregone::model::formula::CONCEPTS;
use foregone::search::{DriverSpec, SchemeSpec};
use serde::Serialize;

use crate::choose::LEVELS;
use crate::limits::Limits;

/// A game of the list.
#[derive(Serialize)]
pub(crate) struct GameEntry {
    name: &'static str,
    options: &'static str,
    rules: &'static str,
    moves: &'static str,
    file: Option<FileForm>,
    quick: Option<&'static str>,
    examples: Vec<&'static str>,
}

#[derive(Serialize)]
struct FileForm {
    ending: &'static str,
    about: &'static str,
    example: &'static str,
}

/// The games, in the order of their names.
pub(crate) fn games() -> Vec<GameEntry> {
    let entry = |entry: &foregone::Entry| {
        let mut examples: Vec<&'static str> = match entry.file {
            Some(_) => Vec::new(),
            None => entry.quick.into_iter().chain([entry.name]).collect(),
        };
        examples.dedup();
        GameEntry {
            name: entry.name,
            options: entry.options,
            rules: entry.rules,
            moves: match entry.moves {
                Moves::InTurn => "in-turn",
                Moves::Joint => "joint",
                Moves::Either => "either",
            },
            file: entry.file.map(|file| FileForm {
                ending: file.ending,
                about: file.about,
                example: file.example,
            }),
            quick: entry.quick,
            examples,
        }
    };
    GAMES.iter().map(entry).collect()
}

#[derive(Serialize)]
struct Word {
    word: String,
    about: String,
}

#[derive(Serialize)]
struct SchemeWord {
    word: String,
    about: String,
    leaves: Vec<String>,
}

#[derive(Serialize)]
struct DriverWord {
    word: String,
    about: String,
    takes: Vec<String>,
}

#[derive(Serialize)]
struct ConceptWord {
    form: &'static str,
    meaning: &'static str,
}

/// The words of the library, and what may be used.
#[derive(Serialize)]
pub(crate) struct Words<'a> {
    schemes: Vec<SchemeWord>,
    drivers: Vec<DriverWord>,
    joint: Vec<Word>,
    chance: Vec<Word>,
    many: Vec<Word>,
    algorithms: Vec<Word>,
    concepts: Vec<ConceptWord>,
    levels: Vec<Word>,
    version: &'static str,
    limits: &'a Limits,
}

pub(crate) fn words(limits: &Limits) -> Words<'_> {
    let solvers = |kind: fn(&Solver) -> bool| {
        let some = Solver::all().into_iter().filter(kind);
        some.map(|s| Word { word: s.word().to_owned(), about: s.about().to_owned() }).collect()
    };
    let scheme = |spec: SchemeSpec| SchemeWord {
        word: spec.word(),
        about: spec.about(),
        leaves: spec.leaves().iter().map(ToString::to_string).collect(),
    };
    let driver = |driver: DriverSpec| {
        let takes = SchemeSpec::all().into_iter().filter(|&scheme| driver.takes(scheme));
        DriverWord {
            word: driver.word().to_owned(),
            about: driver.about().to_owned(),
            takes: takes.map(SchemeSpec::word).collect(),
        }
    };
    let algorithm = |word: &&str| Word { word: (*word).to_owned(), about: String::new() };
    Words {
        schemes: SchemeSpec::all().into_iter().map(scheme).collect(),
        drivers: DriverSpec::ALL.into_iter().map(driver).collect(),
        joint: solvers(|s| matches!(s, Solver::Joint(_))),
        chance: solvers(|s| matches!(s, Solver::Expected(_))),
        many: solvers(|s| matches!(s, Solver::Many(_))),
        algorithms: Algorithm::WORDS.iter().map(algorithm).collect(),
        concepts: CONCEPTS
            .iter()
            .map(|concept| ConceptWord { form: concept.form, meaning: concept.meaning })
            .collect(),
        levels: LEVELS
            .iter()
            .map(|level| Word { word: level.word.to_owned(), about: level.about.to_owned() })
            .collect(),
        version: env!("CARGO_PKG_VERSION"),
        limits,
    }
}
