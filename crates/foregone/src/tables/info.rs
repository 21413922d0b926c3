//! What a table holds, counted: outcomes by distance, and the longest win.

use std::collections::BTreeMap;
use std::path::Path;

use foregone_model::{Notation, Outcome, Side};
use serde::Serialize;

use super::lookup::{Tables, no_tables, worth};
use super::table::Table;
use super::{Folder, Numbering, outcome_name, wanted};
use crate::error::Error;
use crate::game::AnyGame;

/// What a table holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InfoAnswer {
    /// The game.
    pub game: String,
    /// The class.
    pub class: String,
    /// The file.
    pub file: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// Its digest.
    pub digest: String,
    /// How many numbers the class has.
    pub numbers: u64,
    /// How many positions.
    pub positions: u64,
    /// The classes that it was made from.
    pub rests_on: Vec<String>,
    /// Outcomes by who is to move, for the first player.
    pub shares: Vec<Share>,
    /// Positions by distance, for who is to move; those that are over left out.
    pub distances: Vec<Distribution>,
    /// The longest way to an end that somebody can force.
    pub longest: Option<Longest>,
}

/// How many positions with this player to move have which outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Share {
    /// Who is to move; nothing where the game is over.
    pub to_move: Option<String>,
    /// Outcomes for the first player, the worst first, and how many positions have each.
    pub outcomes: Vec<(String, u64)>,
}

/// How many positions are so far from what is forced.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Distribution {
    /// The distance.
    pub distance: u32,
    /// Won, or gained over endless play, by who is to move.
    pub wins: u64,
    /// Lost by who is to move.
    pub losses: u64,
}

/// The longest way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Longest {
    /// How many moves it takes.
    pub distance: u32,
    /// The first position that takes so long.
    pub position: String,
    /// The best play from there.
    pub line: Vec<String>,
}

/// Counts what the table of a class holds. The class may be left out if there is but one table.
pub fn info(game: &AnyGame, dir: &Path, class: &str) -> Result<InfoAnswer, Error> {
    let game = game.in_turn_game()?;
    let folder = Folder::new(dir, game);
    let numbering = Numbering::of_files(game, &folder)?.ok_or_else(|| no_tables(game, dir))?;
    let tabled = numbering.get();
    let classes = wanted(tabled, class)?;
    let Some(&class) = classes.last() else {
        return Err(Error::input("there is no such class"));
    };
    let table = Table::open(game, &folder, tabled, class)?;
    let (file, planes, opens) = (&table.file, &table.planes, &table.opens);
    let cells = table.cells()?;
    // Step 1: all cells.
    let moves = tabled.class_moves(class);
    let mut shares: BTreeMap<(Option<u8>, Option<Outcome>), u64> = BTreeMap::new();
    let mut distances: BTreeMap<u32, Distribution> = BTreeMap::new();
    let mut longest: Option<(u32, u64)> = None;
    let mut positions = 0;
    let even = opens.first().copied().flatten();
    for index in 0..file.header().size {
        let here = cells.iter().map(|plane| plane.get(index));
        let Some(found) = worth(planes, opens, here) else { continue };
        positions += 1;
        // A final position has no mover; it is at distance 0 or open.
        let over = found.moves.is_none_or(|moves| moves == 0)
            && !matches!(moves.node(index), foregone_model::Node::Choice(_));
        let mover = moves.mover(index);
        let value = (found.least == found.most).then_some(found.least);
        let key = if over { None } else { Some(mover.index() as u8) };
        *shares.entry((key, value)).or_default() += 1;
        if let (Some(distance), Some(value), false) = (found.moves, value, over) {
            let entry = distances.entry(distance).or_default();
            entry.distance = distance;
            let good = match even {
                Some(even) => value > even,
                None => value == planes[planes.len() - 1].0.high,
            };
            match good == (mover == Side::Max) {
                true => entry.wins += 1,
                false => entry.losses += 1,
            }
            if longest.is_none_or(|(most, _)| distance > most) {
                longest = Some((distance, index));
            }
        }
    }
    // Step 2: the longest way, played out.
    let longest = match (longest, Tables::open(game, dir, false)?) {
        (Some((distance, index)), Some(tables)) => {
            let start = tabled.position(class, index);
            start.map(|s| tables.longest(distance, &s)).transpose()?
        }
        _ => None,
    };
    Ok(InfoAnswer {
        game: game.name(),
        class: file.header().class.clone(),
        file: file.path().display().to_string(),
        bytes: file.bytes(),
        digest: file.digest().to_owned(),
        numbers: file.header().size,
        positions,
        rests_on: file.header().rests_on.iter().map(|(class, _)| class.clone()).collect(),
        shares: shares_of(game, &shares),
        distances: distances.into_values().collect(),
        longest,
    })
}

fn shares_of(
    game: &foregone_games::erased::Erased,
    counts: &BTreeMap<(Option<u8>, Option<Outcome>), u64>,
) -> Vec<Share> {
    let mut shares: Vec<Share> = Vec::new();
    // Those that are over come last.
    for mover in [Some(0), Some(1), None] {
        let outcomes: Vec<(String, u64)> = counts
            .iter()
            .filter(|((by, _), _)| *by == mover)
            .map(|((_, value), &count)| {
                let name = value.map(|o| outcome_name(game, o));
                (name.unwrap_or_else(|| "not determined".to_owned()), count)
            })
            .collect();
        if !outcomes.is_empty() {
            let to_move = mover.map(|side| game.agent_name(foregone_model::Agent(side)).to_owned());
            shares.push(Share { to_move, outcomes });
        }
    }
    shares
}

impl Tables {
    fn longest(
        &self,
        distance: u32,
        start: &foregone_games::erased::AnyState,
    ) -> Result<Longest, Error> {
        let probed = self.probe_state(start)?;
        Ok(Longest { distance, position: probed.position, line: probed.line })
    }
}
