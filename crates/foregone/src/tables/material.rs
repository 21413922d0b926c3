//! What material symmetry saves: the table of reduction factors of the slides, and what it should be.

use foregone_games::material::reduction::{self, BoneClasses, Left};
use serde::Serialize;

use crate::error::{Error, suggest};

/// The table of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MaterialAnswer {
    /// The game.
    pub game: String,
    /// A row for each number of elements.
    pub rows: Vec<MaterialRow>,
}

/// Positions with so many elements.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MaterialRow {
    /// How many elements: pieces, or bones and the line.
    pub elements: u32,
    /// How many positions there are.
    pub total: u64,
    /// What the slides print.
    pub printed: PrintedRow,
    /// What is left by each relation between materials.
    pub relations: Vec<RelationRow>,
}

/// A row as it is printed in the slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PrintedRow {
    /// All positions.
    pub total: &'static str,
    /// Those of one material for each class.
    pub representatives: &'static str,
    /// How many times fewer these are, where it is printed.
    pub factor: Option<&'static str>,
}

/// What a relation between materials leaves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RelationRow {
    /// Its name.
    pub relation: &'static str,
    /// What materials have in common that are alike by it.
    pub about: &'static str,
    /// Whether positions that are alike by it are worth the same.
    pub sound: bool,
    /// How many classes of materials there are, where they are counted. Of bones: of sets that the line is
    /// one of.
    pub classes: Option<u64>,
    /// Of bones: how many classes of sets with one that is the same as the line.
    pub marked_classes: Option<u64>,
    /// How many positions are left.
    pub representatives: u64,
    /// How many times fewer these are.
    pub factor: f64,
}

const fn printed(
    total: &'static str,
    representatives: &'static str,
    factor: Option<&'static str>,
) -> PrintedRow {
    PrintedRow { total, representatives, factor }
}

/// The slides' rows for 2, 3, … pieces.
const DARK_CHESS: [PrintedRow; 7] = [
    printed("4.961·10^4", "7.936·10^3", Some("6.13")),
    printed("9.999·10^6", "1.131·10^6", Some("8.84")),
    printed("1.140·10^9", "1.142·10^8", Some("9.92")),
    printed("9.036·10^10", "1.013·10^10", Some("8.92")),
    printed("5.440·10^12", "8.002·10^11", Some("6.80")),
    printed("2.601·10^14", "5.247·10^13", Some("4.96")),
    printed("1.014·10^16", "2.756·10^15", Some("3.68")),
];

/// The slides' rows for 3, 4, … elements.
const DOMINOES: [PrintedRow; 4] = [
    printed("21,168", "92", None),
    printed("550,368", "996", Some("552.58")),
    printed("8,026,200", "7,854", Some("1021.93")),
    printed("82,556,550", "53,790", Some("1541.99")),
];

/// The games that are counted, each with the least and the largest number of elements.
const GAMES: [(&str, u32, u32); 2] = [("dark-chess", 2, 8), ("dominoes", 3, 6)];

/// Counts positions with up to so many elements of a game, `dark-chess` or `dominoes`.
pub fn material(game: &str, elements: u32) -> Result<MaterialAnswer, Error> {
    let found = GAMES.iter().find(|(name, ..)| name.eq_ignore_ascii_case(game));
    let Some(&(name, least, most)) = found else {
        let choices = GAMES.map(|(name, ..)| name.to_owned());
        let message =
            format!("materials are counted of dark-chess and of dominoes, not of `{game}`");
        return Err(Error { help: suggest(game, &choices), ..Error::input(message) });
    };
    if !(least..=most).contains(&elements) {
        let message =
            format!("materials of {name} have {least} to {most} elements, not {elements}");
        return Err(Error::input(message));
    }
    let row = if name == "dominoes" { dominoes_row } else { dark_chess_row };
    Ok(MaterialAnswer { game: name.to_owned(), rows: (least..=elements).map(row).collect() })
}

fn dark_chess_row(elements: u32) -> MaterialRow {
    let count = reduction::dark_chess(elements);
    let row = |relation, about, left: Left| RelationRow {
        relation,
        about,
        sound: true,
        classes: Some(left.classes),
        marked_classes: None,
        representatives: left.positions,
        factor: count.total as f64 / left.positions as f64,
    };
    let about_kinds =
        "as many of each kind, and the kinds take each other in the same way (the slides)";
    let about_pieces = "the pieces take each other in the same way, positions modulo automorphisms";
    MaterialRow {
        elements,
        total: count.total,
        printed: DARK_CHESS[elements as usize - 2],
        relations: vec![
            row("by kind", about_kinds, count.by_kind),
            row("by piece", about_pieces, count.by_piece),
        ],
    }
}

fn dominoes_row(elements: u32) -> MaterialRow {
    let count = reduction::dominoes(elements);
    let row = |relation, about, sound, left: BoneClasses| RelationRow {
        relation,
        about,
        sound,
        classes: Some(left.sets),
        marked_classes: Some(left.marked),
        representatives: left.positions,
        factor: count.total as f64 / left.positions as f64,
    };
    let about_bones = "the same bones have a number in common (the slides); values may differ";
    let about_values = "the numbers can be renamed";
    let renamed = RelationRow {
        relation: "by position",
        about: "the numbers can be renamed, hands and line included",
        sound: true,
        classes: None,
        marked_classes: None,
        representatives: count.renamed,
        factor: count.total as f64 / count.renamed as f64,
    };
    MaterialRow {
        elements,
        total: count.total,
        printed: DOMINOES[elements as usize - 3],
        relations: vec![
            row("by bone", about_bones, false, count.by_bone),
            row("by number", about_values, true, count.by_value),
            renamed,
        ],
    }
}
