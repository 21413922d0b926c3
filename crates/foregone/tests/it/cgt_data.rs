//! Positions of games under normal play with outcomes that others found: `../shared/data/cgt`.
//!
//! A row names a game, a position, who moves first, and whether that player wins. Here stands, game by
//! game, how it is called and written by us; what has no line here is counted and told.

use std::collections::BTreeMap;

use foregone::games::erased::Erased;
use foregone::model::Notation;
use foregone::{Budget, Job};

use crate::common::{in_turn, job, root, run, turn};

/// A game of ours and the text of a position, without who is to move.
type Ours = (String, String);

/// How the position of a row is written here. Nothing where there is no such position.
type Translation = fn(&str) -> Option<Ours>;

/// By the name of a game in the data, in the order of the names.
const TRANSLATIONS: &[(&str, Translation)] = &[
    ("amazons", |text| stones(text, "amazons", "")),
    ("clobber", |text| stones(text, "clobber", "")),
    ("clobber_1xn", |text| stones(text, "clobber", "")),
    ("domineering", |text| stones(text, "domineering", "")),
    ("elephants", |text| strip(text, "elephants", "")),
    ("fission", |text| stones(text, "fission", "")),
    ("impartial clobber", |text| stones(text, "clobber", ",impartial")),
    ("impartial clobber_1xn", |text| stones(text, "clobber", ",impartial")),
    ("impartial elephants", |text| strip(text, "elephants", ",impartial")),
    ("nogo", |text| stones(text, "nogo", "")),
    ("nogo_1xn", |text| stones(text, "nogo", "")),
    ("sheep", herds),
];

/// A board of stones: rows between `|`, `X` for Left's and `O` for Right's.
fn stones(text: &str, game: &str, options: &str) -> Option<Ours> {
    let board = text.replace('|', "/").replace('X', "x").replace('O', "o");
    let lengths: Vec<usize> = board.split('/').map(str::len).collect();
    let (rows, cols) = (lengths.len(), lengths[0]);
    let whole = cols > 0 && lengths.iter().all(|&length| length == cols);
    whole.then(|| (format!("{game}:{rows}x{cols}{options}"), board))
}

/// One row of stones.
fn strip(text: &str, game: &str, options: &str) -> Option<Ours> {
    let (_, board) = stones(text, game, options)?;
    Some((format!("{game}:{}{options}", board.len()), board))
}

/// A board of numbers between commas: rows between `|`, all of it in brackets.
fn herds(text: &str) -> Option<Ours> {
    let text = text.strip_prefix('(')?.strip_suffix(')')?;
    let word = |word: &str| if word == "0" { ".".to_owned() } else { word.to_owned() };
    let rows: Vec<Vec<String>> =
        text.split('|').map(|row| row.split(',').map(|w| word(w.trim())).collect()).collect();
    let board: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
    Some((format!("sheep:{}x{},1", rows.len(), rows[0].len()), board.join("/")))
}

/// A row of the data.
struct Row<'t> {
    file: &'t str,
    game: &'t str,
    position: &'t str,
    /// Whether Left is to move, and whether it wins then.
    left: bool,
    left_wins: bool,
}

fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, _, what, first, result] = fields[..] else { panic!("{line}") };
        // A few rows come without their game: they stand for none.
        let (game, position) =
            what.strip_prefix('[').and_then(|what| what.split_once(']')).unwrap_or(("a sum", what));
        let left = first == "B";
        Row { file, game, position: position.trim(), left, left_wins: left == (result == "win") }
    })
}

/// What became of the rows of a game.
#[derive(Default)]
struct Tally {
    right: u32,
    open: u32,
    untold: u32,
}

/// The outcome of a position for Left, if the search finds it by so many nodes.
fn left_wins(game: &Erased, position: &str, nodes: u64) -> Option<bool> {
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    let asked = Job { position: position.to_owned(), budget, ..job(&game.name()) };
    let finished = run(&asked);
    turn(&finished).value.as_ref().map(|value| value == "win")
}

#[test]
fn positions_of_the_data_have_their_outcomes() {
    const NODES: u64 = 20_000;
    let path = root().join("../shared/data/cgt/outcomes.tsv");
    let Ok(text) = std::fs::read_to_string(path) else {
        let games = TRANSLATIONS.len();
        println!("SKIPPED: there are no positions in ../shared/data/cgt (1436 of {games} games)");
        return;
    };
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for row in rows(&text) {
        let tally = tallies.entry(row.game).or_default();
        let known = TRANSLATIONS.iter().find(|(name, _)| *name == row.game);
        let Some((spec, board)) = known.and_then(|(_, ours)| ours(row.position)) else {
            tally.untold += 1;
            continue;
        };
        let game = in_turn(&spec);
        let player = game.players()[usize::from(!row.left)];
        let position = format!("{board} {player}");
        match left_wins(&game, &position, NODES) {
            None => tally.open += 1,
            // The file shows what happens to a row that is wrong.
            Some(wins) if row.file == "wrong_value.test" => {
                assert_ne!(wins, row.left_wins, "{spec}: {position}");
                tally.right += 1;
            }
            Some(wins) => {
                assert_eq!(wins, row.left_wins, "{spec}: {position}");
                tally.right += 1;
            }
        }
    }
    for (game, Tally { right, open, untold }) in &tallies {
        println!("{game}: {right} right, {open} open after {NODES} nodes, {untold} not told");
    }
    for (name, _) in TRANSLATIONS {
        let Some(Tally { right, .. }) = tallies.get(name) else { panic!("no row of {name}") };
        assert!(*right > 0, "{name}");
    }
}
