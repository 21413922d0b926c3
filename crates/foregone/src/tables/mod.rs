//! Tables: what every position of a game, or of a class of its positions, is worth.
//!
//! A table is built backwards from the ends ([`build`]), kept in a file, looked up ([`Tables`]), and
//! verified by the trusted checker, which shares the rules and the numbering with the builder and
//! nothing else ([`check()`]). Games that number their positions have a table for each class; of all
//! others the positions that can be reached are listed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foregone_games::erased::{AnyTabled, Erased};
use foregone_model::cell::Layout;
use foregone_model::table::Window;
use foregone_model::tabled::with_all_below_of;
use foregone_model::{Agent, Class, Game, Notation, Outcome};
use foregone_search::retrograde;
use foregone_tables::{FileError, TableFile};
use serde::Serialize;

use self::listed::{Listed, NotListed};
use crate::error::Error;
use crate::game::AnyGame;

mod build;
mod check;
mod elsewhere;
mod helper;
mod info;
mod journal;
mod listed;
mod lookup;
mod make;
mod material;
mod share;
mod table;

pub use build::{BuildAnswer, BuildSettings, BuiltTable, build, build_by};
pub use check::{CheckAnswer, CheckedTable, check};
pub use helper::TableHelper;
pub use info::{Distribution, InfoAnswer, Longest, Share, info};
pub(crate) use lookup::for_search;
pub use lookup::{Probed, ProbedMove, RULE, Tables, Worth, probe};
pub use material::{MaterialAnswer, MaterialRow, PrintedRow, RelationRow, material};
pub use share::{TableCrew, TableSetup, TableStore};

/// How the names of table files end.
pub const ENDING: &str = "table";

/// Where the tables of a game stand: a folder with a folder for each game.
#[derive(Clone, Debug)]
struct Folder {
    path: PathBuf,
}

impl Folder {
    fn new(dir: &Path, game: &Erased) -> Folder {
        Folder { path: dir.join(file_name(&game.name())) }
    }

    /// The file of a class.
    fn table(&self, class: &str) -> PathBuf {
        self.path.join(format!("{class}.{ENDING}"))
    }

    /// Whether the table of a class is there; else how to build it.
    fn has_table(&self, game: &Erased, class: &str) -> Result<(), Error> {
        if self.table(class).exists() {
            return Ok(());
        }
        let (path, name) = (self.path.display(), game.name());
        let dir = self.path.parent().map(|dir| dir.display().to_string()).unwrap_or_default();
        Err(Error::input(format!("there is no table of {class} in {path}"))
            .help(format!("foregone table build {name} {class} --dir {dir}")))
    }

    /// A file that a build works on.
    fn work(&self, class: &str, ending: &str) -> PathBuf {
        self.path.join(format!("{class}.{ending}"))
    }
}

/// The name of a game as one of a folder.
fn file_name(game: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".,-".contains(c);
    game.chars().map(|c| if plain(c) { c } else { '_' }).collect()
}

/// The numbering of the positions of a game.
#[derive(Clone)]
enum Numbering {
    /// The game's own.
    Own(Erased),
    /// A list of the positions that can be reached.
    Listed(Arc<Listed>),
}

impl Numbering {
    fn get(&self) -> &dyn AnyTabled {
        match self {
            // Made only of games that have one.
            Numbering::Own(game) => match game.tables() {
                Some(numbering) => numbering,
                None => unreachable!("the game has a numbering"),
            },
            Numbering::Listed(listed) => &**listed,
        }
    }

    /// The game's own numbering, or the list in the file of its table, if it has one.
    fn of_files(game: &Erased, folder: &Folder) -> Result<Option<Numbering>, Error> {
        if game.tables().is_some() {
            return Ok(Some(Numbering::Own(game.clone())));
        }
        let path = folder.table(listed::NAME);
        if !path.exists() {
            return Ok(None);
        }
        let file = open_file(&path, game, listed::NAME)?;
        Ok(Some(Numbering::Listed(Arc::new(Listed::in_file(game, Arc::new(file))))))
    }
}

/// A game must be one of two players, or of one, without chance.
fn tabled_game(game: &Erased) -> Result<(), Error> {
    let problem = match () {
        () if game.has_chance() => "chance moves, and tables are for games without it",
        () if game.agents() > 2 => "more than two play, and tables are for games of two",
        () => return Ok(()),
    };
    Err(Error::input(format!("in {} {problem}", game.name())))
}

/// The classes that a person means, each behind all that it leads to.
fn wanted(numbering: &dyn AnyTabled, text: &str) -> Result<Vec<Class>, Error> {
    let classes = numbering.wanted(text).map_err(|e| Error::text("class", text, e))?;
    Ok(with_all_below_of(&classes, &mut |class| numbering.leads_to(class)))
}

/// What the cells of the tables of a class mean, a window each.
fn layouts(game: &Erased, numbering: &dyn AnyTabled, class: Class) -> Vec<(Window, Layout)> {
    let (scale, (least, _)) = (game.scale(), numbering.outcomes(class));
    let windows = retrograde::windows(&scale, game.endless());
    windows.into_iter().map(|w| (w, retrograde::layout(&scale, w, least))).collect()
}

/// Whether a person may mean classes of this game by this text.
pub fn is_class(game: &AnyGame, text: &str) -> bool {
    let numbering = game.in_turn_game().ok().and_then(Erased::tables);
    numbering.is_some_and(|numbering| numbering.wanted(text).is_ok())
}

/// The game and the class that a table's file names.
pub fn named_by(path: &Path) -> Result<(String, String), Error> {
    let file = TableFile::open(path).map_err(unreadable)?;
    Ok((file.header().game.clone(), file.header().class.clone()))
}

/// The folder for tables in which a file stands.
pub fn folder_of(path: &Path) -> PathBuf {
    let parent = |path: &Path| match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let games = parent(path);
    if games.as_os_str() == "." { PathBuf::from("..") } else { parent(&games) }
}

/// Opens the file of a class, if it is one of this game by these rules.
fn open_file(path: &Path, game: &Erased, class: &str) -> Result<TableFile, Error> {
    let file = TableFile::open(path).map_err(unreadable)?;
    let header = file.header();
    let other = |what: &str, found: &str, wanted: &str| {
        let path = path.display();
        Err(Error::input(format!("{path} is a table of {what} {found}, not of {wanted}")))
    };
    let rules = game.rules().to_string();
    match () {
        () if header.game != game.name() => other("the game", &header.game, &game.name()),
        () if header.rules != rules => other("rules", &header.rules, &rules),
        () if header.class != class => other("the class", &header.class, class),
        () => Ok(file),
    }
}

fn unreadable(error: FileError) -> Error {
    Error::input(error.to_string())
}

fn io_error(path: &Path, what: &str, error: &std::io::Error) -> Error {
    Error::input(format!("{} can't be {what}: {}", path.display(), crate::error::plain(error)))
}

/// A table of a folder.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListedTable {
    /// The game.
    pub game: String,
    /// The class.
    pub class: String,
    /// The file.
    pub file: String,
    /// How many numbers the class has.
    pub numbers: u64,
    /// How many positions.
    pub positions: u64,
    /// How many bytes the file has.
    pub bytes: u64,
    /// Why it can't be read, if it can't.
    pub problem: Option<String>,
}

/// All tables of a folder, in the order of games and classes.
pub fn list(dir: &Path) -> Result<Vec<ListedTable>, Error> {
    let mut found = BTreeMap::new();
    let entries = |path: &Path| -> Result<Vec<PathBuf>, Error> {
        let entries = fs::read_dir(path).map_err(|e| io_error(path, "read", &e))?;
        Ok(entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
    };
    for folder in entries(dir)?.into_iter().filter(|path| path.is_dir()) {
        for path in entries(&folder)? {
            if path.extension().is_some_and(|ending| ending == ENDING) {
                let table = listed_table(&path);
                let key = (table.game.clone(), table.class.len(), table.class.clone());
                found.insert((key, path), table);
            }
        }
    }
    Ok(found.into_values().collect())
}

fn listed_table(path: &Path) -> ListedTable {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let file = path.display().to_string();
    match TableFile::open(path) {
        Ok(table) => {
            let header = table.header();
            let positions = header.counts.iter().map(|(_, count)| count).sum();
            ListedTable {
                game: header.game.clone(),
                class: header.class.clone(),
                file,
                numbers: header.size,
                positions,
                bytes: table.bytes(),
                problem: None,
            }
        }
        Err(error) => ListedTable {
            game: String::new(),
            class: stem,
            file,
            numbers: 0,
            positions: 0,
            bytes: fs::metadata(path).map_or(0, |data| data.len()),
            problem: Some(error.to_string()),
        },
    }
}

/// The name of an outcome.
fn outcome_name(game: &Erased, o: Outcome) -> String {
    game.scale().name(o).to_owned()
}

/// Who has won by an outcome, if anybody.
fn winner(game: &Erased, o: Outcome) -> Option<Agent> {
    (0..game.agents().max(2)).map(Agent).find(|&agent| game.won(o, agent))
}

/// Why positions could not be listed.
fn not_listed(game: &Erased, bytes: u64, problem: NotListed) -> Option<Error> {
    let name = game.name();
    match problem {
        NotListed::Stopped => None,
        NotListed::Memory(found) => {
            let found = foregone_model::number::counted(found, "position");
            let message = format!(
                "{name} has more positions than fit into {} MB: {found} were found",
                bytes >> 20
            );
            let help = "allow more memory (--memory), or take a smaller game";
            Some(Error::input(message).help(help))
        }
        NotListed::SameText(text) => Some(Error::input(format!(
            "in {name} two different positions are written {text}: they can't be listed"
        ))),
    }
}
