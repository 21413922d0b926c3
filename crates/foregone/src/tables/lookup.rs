//! Looking positions up in tables.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use foregone_games::erased::{AnyMove, AnyState, AnyTabled, Erased, Lookup};
use foregone_model::cell::Layout;
use foregone_model::table::{Entry, Window};
use foregone_model::{Class, Game, Known, Notation, Outcome, Place, Side, Turn};
use serde::Serialize;

use super::table::Table;
use super::{Folder, Numbering, outcome_name, unreadable, winner};
use crate::error::Error;
use crate::game::{AnyGame, read};
use crate::job::Job;

/// What a position is worth to Max, who is the first agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// Max can force this.
    pub least: Outcome,
    /// Min can keep Max to this. It is more than `least` only where nothing is determined.
    pub most: Outcome,
    /// In how many moves, where somebody forces it: to the end of the game where outcomes are words,
    /// to the next class where they are scores.
    pub moves: Option<u32>,
}

/// What the cells of a number say; nothing if it is a hole.
pub(super) fn worth(
    planes: &[(Window, Layout)],
    opens: &[Option<Outcome>],
    cells: impl Iterator<Item = u16>,
) -> Option<Worth> {
    let (mut least, mut most) = (Outcome(0), planes.last()?.0.high);
    let (mut to_least, mut to_most) = (None, None);
    for ((&(window, layout), &open), cell) in planes.iter().zip(opens).zip(cells) {
        let (reached, kept, moves) = match (layout.entry(cell), open) {
            (Entry::Hole, _) => return None,
            (Entry::Forced(o, moves), _) => (Some(o), Some(o), Some(moves)),
            (Entry::Open, Some(o)) => (Some(o), Some(o), None),
            (Entry::Open, None) => (None, None, None),
        };
        // What counts as the edge of a window may be beyond it.
        if let Some(o) = reached.filter(|&o| o > window.low || window.low.0 == 0)
            && o >= least
        {
            (least, to_least) = (o, moves);
        }
        if let Some(o) =
            kept.filter(|&o| o < window.high || window.high == planes[planes.len() - 1].0.high)
            && o < most
        {
            (most, to_most) = (o, moves);
        } else if kept == Some(most) && to_most.is_none() {
            to_most = moves;
        }
    }
    // Who forces the best outcome hurries, and who forces the worst one.
    let moves = if least.0 > 0 { to_least } else { to_most };
    Some(Worth { least, most, moves: moves.filter(|_| least == most) })
}

/// The tables of a game in a folder. Files are opened when they are needed.
pub struct Tables {
    game: Erased,
    folder: Folder,
    numbering: Numbering,
    best: Outcome,
    /// Whether all cells of a table are read at once, so that looking up is quick.
    in_memory: bool,
    classes: RwLock<HashMap<Class, Option<Arc<Table>>>>,
    /// What went wrong while a search asked.
    problem: Mutex<Option<Error>>,
}

impl Tables {
    /// The tables of this game in a folder; nothing if it has none there. With `in_memory`, tables are
    /// read whole when they are needed first.
    pub fn open(game: &Erased, dir: &Path, in_memory: bool) -> Result<Option<Tables>, Error> {
        let folder = Folder::new(dir, game);
        if !folder.path.is_dir() {
            return Ok(None);
        }
        let numbering = match Numbering::of_files(game, &folder)? {
            Some(Numbering::Listed(listed)) if in_memory => {
                Some(Numbering::Listed(Arc::new(listed.in_memory(u64::MAX).map_err(unreadable)?)))
            }
            numbering => numbering,
        };
        Ok(numbering.map(|numbering| Tables {
            best: game.scale().best(),
            game: game.clone(),
            folder,
            numbering,
            in_memory,
            classes: RwLock::default(),
            problem: Mutex::new(None),
        }))
    }

    fn numbering(&self) -> &dyn AnyTabled {
        self.numbering.get()
    }

    /// The table of a class, if it is there.
    fn class(&self, class: Class) -> Result<Option<Arc<Table>>, Error> {
        if let Some(table) = self.classes.read().unwrap_or_else(PoisonError::into_inner).get(&class)
        {
            return Ok(table.clone());
        }
        let name = self.numbering().class_name(class);
        let path = self.folder.table(&name);
        let table = match path.exists() {
            false => None,
            true => {
                let table = Table::open(&self.game, &self.folder, self.numbering(), class)?;
                Some(Arc::new(table))
            }
        };
        let mut classes = self.classes.write().unwrap_or_else(PoisonError::into_inner);
        classes.insert(class, table.clone());
        Ok(table)
    }

    /// What a position is worth; nothing if no table has it.
    pub fn worth(&self, s: &AnyState) -> Result<Option<Worth>, Error> {
        let Some(place) = self.numbering().place(s) else { return Ok(None) };
        let Some(table) = self.class(place.class)? else { return Ok(None) };
        let found = worth_of(&table, place.index, self.in_memory)?.map(|w| self.seen(w, &place));
        // A number of a position that is a hole in the table: the numbering or the table is wrong.
        match found {
            Some(Some(worth)) => Ok(Some(worth)),
            Some(None) | None => Err(Error::input(format!(
                "{} has no entry for the position {}",
                table.file.path().display(),
                self.game.position_text(s)
            ))),
        }
    }

    /// What is true in the table, at the position.
    fn seen(&self, worth: Worth, place: &Place) -> Option<Worth> {
        let least = place.outcome(worth.least, self.best)?;
        let most = place.outcome(worth.most, self.best)?;
        let (least, most) = if place.flip { (most, least) } else { (least, most) };
        Some(Worth { least, most, moves: worth.moves })
    }

    /// The moves of a position that is not over, with what each leads to, the best first.
    pub fn moves(&self, s: &AnyState) -> Result<Option<Vec<(AnyMove, Worth)>>, Error> {
        let Turn::Agent(agent) = self.game.turn(s) else { return Ok(Some(Vec::new())) };
        let mut moves = Vec::new();
        self.game.moves(s, agent, &mut moves);
        let here = self.numbering().place(s).map(|place| place.class);
        let scores = self.game.scale().scores().is_some();
        let mut found = Vec::new();
        for m in moves {
            let mut next = s.clone();
            self.game.play(&mut next, agent, m);
            let Some(mut worth) = self.worth(&next)? else { return Ok(None) };
            // Distances of scores are those to the next class: one move if this one leads there.
            if scores && self.numbering().place(&next).map(|place| place.class) != here {
                worth.moves = Some(0);
            }
            found.push((m, worth));
        }
        let side = Side::of(agent);
        let open = self.open_worth(s);
        found.sort_by_key(|(_, worth)| std::cmp::Reverse(preference(side, open, *worth)));
        Ok(Some(found))
    }

    /// What endless play from a position is worth.
    fn open_worth(&self, s: &AnyState) -> Option<Outcome> {
        match self.game.endless_from(s) {
            foregone_model::Endless::Scores(o) => Some(o),
            _ => Some(Outcome(self.best.0 / 2)).filter(|_| self.best.0 > 1),
        }
    }

    /// The best play of both sides from a position: until the game is over, until a position comes up
    /// again, until a class is left that has no table, or for so many moves.
    pub fn line(&self, s: &AnyState, most: usize) -> Result<(Vec<AnyMove>, AnyState), Error> {
        let mut s = s.clone();
        let mut seen = std::collections::HashSet::new();
        let mut line = Vec::new();
        while line.len() < most && seen.insert(s.clone()) {
            let Turn::Agent(agent) = self.game.turn(&s) else { break };
            let Some(moves) = self.moves(&s)? else { break };
            let Some(&(m, _)) = moves.first() else { break };
            self.game.play(&mut s, agent, m);
            line.push(m);
        }
        Ok((line, s))
    }

    /// Looks up a position that a person typed: what it is worth, its moves, and the best line.
    pub fn probe(&self, position: &str) -> Result<Probed, Error> {
        self.probe_state(&read(&self.game, position)?)
    }

    /// The same for a position.
    pub(super) fn probe_state(&self, s: &AnyState) -> Result<Probed, Error> {
        let game = &self.game;
        let no_table = |s: &AnyState| {
            let class = self.numbering().place(s).map(|p| self.numbering().class_name(p.class));
            match class {
                Some(class) => match self.folder.has_table(game, &class) {
                    Err(error) => error,
                    Ok(()) => Error::input(format!("the table of {class} has no such position")),
                },
                None => Error::input("this position is in no class of the tables of the game"),
            }
        };
        let worth = self.worth(s)?.ok_or_else(|| no_table(s))?;
        let place = self.numbering().place(s).ok_or_else(|| no_table(s))?;
        let (mut moves, mut to_move) = (Vec::new(), None);
        if let Turn::Agent(agent) = game.turn(s) {
            to_move = Some(game.agent_name(agent).to_owned());
            let found = self
                .moves(s)?
                .ok_or_else(|| Error::input("a move leads to a class that has no table"))?;
            let best = found.first().map(|&(_, worth)| worth);
            moves.extend(found.iter().map(|&(m, worth)| ProbedMove {
                text: game.move_text(s, m),
                value: self.value_text(worth),
                distance: worth.moves.map(|moves| moves + 1),
                best: Some(worth) == best,
            }));
        }
        let (line, end) = self.line(s, LONGEST_LINE)?;
        let mut texts = Vec::new();
        let mut at = s.clone();
        for m in line {
            texts.push(game.move_text(&at, m));
            if let Turn::Agent(agent) = game.turn(&at) {
                game.play(&mut at, agent, m);
            }
        }
        let determined = (worth.least == worth.most).then_some(worth.least);
        let won = determined.and_then(|o| winner(game, o));
        let over = game.turn(&end) == Turn::Over;
        Ok(Probed {
            game: game.name(),
            position: game.position_text(s),
            class: self.numbering().class_name(place.class),
            number: place.index,
            to_move,
            value: self.value_text(worth),
            winner: won.map(|agent| game.agent_name(agent).to_owned()),
            distance: worth.moves,
            distance_to: if game.scale().scores().is_some() { "class" } else { "end" },
            best_move: texts.first().cloned(),
            moves,
            line: texts,
            line_end: over.then(|| outcome_name(game, game.outcome(&end))),
        })
    }

    /// A value in words: an outcome, or what it lies between.
    pub fn value_text(&self, worth: Worth) -> String {
        let scale = self.game.scale();
        match worth.least == worth.most {
            true => scale.name(worth.least).to_owned(),
            false => {
                format!("not determined, {} to {}", scale.name(worth.least), scale.name(worth.most))
            }
        }
    }
}

impl Tables {
    /// Why a table could not be read that a search asked, if one could not.
    pub fn problem(&self) -> Option<Error> {
        self.problem.lock().ok().and_then(|problem| problem.clone())
    }

    /// What was found, unless something went wrong, which is remembered.
    fn told<T>(&self, found: Result<Option<T>, Error>) -> Option<T> {
        found.unwrap_or_else(|error| {
            if let Ok(mut problem) = self.problem.lock() {
                problem.get_or_insert(error);
            }
            None
        })
    }
}

/// The name of what tables know.
pub const RULE: &str = "table";

impl Lookup for Tables {
    fn known(&self, s: &AnyState) -> Option<Known> {
        let worth = self.told(self.worth(s))?;
        Some(Known { at_least: worth.least, at_most: worth.most, by: RULE })
    }

    fn best_move(&self, s: &AnyState) -> Option<AnyMove> {
        self.told(self.moves(s))?.first().map(|&(m, _)| m)
    }
}

/// The tables that a job names, if there are some of its game.
pub(crate) fn for_search(game: &Erased, job: &Job) -> Result<Option<Arc<Tables>>, Error> {
    let Some(dir) = job.tables.as_deref().filter(|_| job.knowledge) else { return Ok(None) };
    if !Path::new(dir).is_dir() {
        return Err(Error::input(format!("there is no folder {dir} with tables")));
    }
    Ok(Tables::open(game, Path::new(dir), true)?.map(Arc::new))
}

/// A line of endless play is cut after so many moves.
const LONGEST_LINE: usize = 1000;

/// How much a side likes what a move leads to: outcomes first, then distances.
fn preference(side: Side, open: Option<Outcome>, worth: Worth) -> (i64, i64) {
    let twice = i64::from(worth.least.0) + i64::from(worth.most.0);
    let gain = if side == Side::Max { twice } else { -twice };
    let even = open.map_or(1, |o| 2 * i64::from(o.0));
    let moves = worth.moves.map_or(0, i64::from);
    let good = if side == Side::Max { twice > even } else { twice < even };
    (gain, if good { -moves } else { moves })
}

/// Larger tables are not read whole: cells come out of their blocks.
const MOST_LOADED: u64 = 1 << 30;

/// What a table says of a number; nothing if it is a hole.
fn worth_of(table: &Table, index: u64, in_memory: bool) -> Result<Option<Worth>, Error> {
    let (planes, opens) = (&table.planes, &table.opens);
    if !in_memory || table.bytes() > MOST_LOADED {
        let cells = (0..planes.len()).map(|plane| table.file.cell(plane, index));
        let cells = cells.collect::<Result<Vec<u16>, _>>().map_err(unreadable)?;
        return Ok(worth(planes, opens, cells.into_iter()));
    }
    Ok(worth(planes, opens, table.cells()?.iter().map(|plane| plane.get(index))))
}

/// What tables say of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Probed {
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// Its class.
    pub class: String,
    /// Its number in the class.
    pub number: u64,
    /// Who is to move, unless the game is over.
    pub to_move: Option<String>,
    /// What it is worth to the first player.
    pub value: String,
    /// Who wins, if anybody.
    pub winner: Option<String>,
    /// In how many moves, where somebody forces it.
    pub distance: Option<u32>,
    /// What the distance is one to: the `end` of the game, or the next `class`, where outcomes are
    /// scores.
    pub distance_to: &'static str,
    /// The best move.
    pub best_move: Option<String>,
    /// All moves, the best first.
    pub moves: Vec<ProbedMove>,
    /// The best play of both sides.
    pub line: Vec<String>,
    /// The outcome that the line ends with, if it ends.
    pub line_end: Option<String>,
}

/// A move and what it leads to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProbedMove {
    /// The move.
    pub text: String,
    /// What it is worth to the first player.
    pub value: String,
    /// In how many moves, this one counted.
    pub distance: Option<u32>,
    /// Whether no move is better.
    pub best: bool,
}

/// Looks up a position of a game.
pub fn probe(game: &AnyGame, dir: &Path, position: &str) -> Result<Probed, Error> {
    let game = game.in_turn_game()?;
    match Tables::open(game, dir, false)? {
        Some(tables) => tables.probe(position),
        None => Err(no_tables(game, dir)),
    }
}

/// There are no tables of a game.
pub(super) fn no_tables(game: &Erased, dir: &Path) -> Error {
    let (name, dir) = (game.name(), dir.display());
    Error::input(format!("there are no tables of {name} in {dir}"))
        .help(format!("foregone table build {name} --dir {dir}"))
}
