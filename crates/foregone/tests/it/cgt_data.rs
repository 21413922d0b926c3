//! Positions of games under normal play with outcomes that others found: `../shared/data/cgt`.
//!
//! A row names a game, a position, who moves first, and whether that player wins. Here stands, game by
//! game, how it is called and written by us; what has no line here is counted and told.

use std::collections::{BTreeMap, HashMap, HashSet};

use foregone::games::erased::{AnyState, Erased};
use foregone::model::{Game, Notation, Side, Summand};
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
    ("gen_toads", |text| toads(text, "")),
    ("impartial clobber", |text| stones(text, "clobber", ",impartial")),
    ("impartial clobber_1xn", |text| stones(text, "clobber", ",impartial")),
    ("impartial elephants", |text| strip(text, "elephants", ",impartial")),
    ("impartial gen_toads", |text| toads(text, ",impartial")),
    ("kayles", kayles),
    ("nogo", |text| stones(text, "nogo", "")),
    ("nogo_1xn", |text| stones(text, "nogo", "")),
    ("sheep", herds),
    ("toppling_dominoes", dominoes),
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

/// Four parameters before a row of toads `X` and frogs `O`.
fn toads(text: &str, kind: &str) -> Option<Ours> {
    let (rules, row) = text.split_once(':')?;
    let row = row.replace('X', "x").replace('O', "o");
    Some((format!("toads-and-frogs:{row},{rules}{kind}"), row))
}

/// So many pins in a row. Without pins it is one that has fallen.
fn kayles(text: &str) -> Option<Ours> {
    let pins: usize = text.parse().ok()?;
    let row = if pins == 0 { ".".to_owned() } else { "i".repeat(pins) };
    Some((format!("kayles:{}", row.len()), row))
}

/// A row of dominoes: `#` are green.
fn dominoes(text: &str) -> Option<Ours> {
    let row = text.replace('X', "x").replace('O', "o").replace('#', "g");
    (!row.is_empty()).then(|| (format!("toppling-dominoes:{row}"), row))
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

/// Files whose positions are sums of three rows of dominoes: of these the data has the last one only.
const CUT: [&str; 2] = ["td_3x10.test", "td_3x20.test"];

/// What became of the rows of a game.
#[derive(Default)]
struct Tally {
    /// By the search, and by parts.
    right: [u32; 2],
    open: [u32; 2],
    untold: u32,
}

/// The outcome of a position for Left, if the search finds it by so many nodes.
fn left_wins(game: &Erased, position: &str, nodes: u64) -> Option<bool> {
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    let asked = Job { position: position.to_owned(), budget, ..job(&game.name()) };
    let finished = run(&asked);
    turn(&finished).value.as_ref().map(|value| value == "win")
}

/// Who wins a sum, part by part: a second opinion that knows what the parts of a game are and no more.
struct Sums<'g> {
    game: &'g Erased,
    rules: &'g dyn Summand<AnyState>,
    /// Each part has a number.
    parts: Vec<AnyState>,
    numbers: HashMap<AnyState, usize>,
    /// What a player can make of a part.
    options: HashMap<(usize, Side), Vec<Vec<usize>>>,
    wins: HashMap<(Vec<usize>, Side), bool>,
    grundy: HashMap<usize, usize>,
    /// How many more sums may be looked at.
    left: u64,
}

impl<'g> Sums<'g> {
    fn new(game: &'g Erased, left: u64) -> Sums<'g> {
        let rules = game.parts().expect("a game under normal play");
        Sums {
            game,
            rules,
            parts: Vec::new(),
            numbers: HashMap::new(),
            options: HashMap::new(),
            wins: HashMap::new(),
            grundy: HashMap::new(),
            left,
        }
    }

    fn number(&mut self, part: AnyState) -> usize {
        let next = self.parts.len();
        let number = *self.numbers.entry(part.clone()).or_insert(next);
        if number == next {
            self.parts.push(part);
        }
        number
    }

    fn split(&mut self, s: &AnyState) -> Vec<usize> {
        let mut parts = Vec::new();
        self.rules.split(s, &mut parts);
        parts.into_iter().map(|part| self.number(part)).collect()
    }

    fn options(&mut self, part: usize, side: Side) -> Vec<Vec<usize>> {
        if let Some(known) = self.options.get(&(part, side)) {
            return known.clone();
        }
        let s = self.parts[part].clone();
        let mut moves = Vec::new();
        self.game.moves(&s, side.agent(), &mut moves);
        let mut found = HashSet::new();
        for m in moves {
            let mut next = s.clone();
            self.game.play(&mut next, side.agent(), m);
            let mut parts = self.split(&next);
            parts.sort_unstable();
            found.insert(parts);
        }
        let mut found: Vec<Vec<usize>> = found.into_iter().collect();
        found.sort_unstable();
        self.options.insert((part, side), found.clone());
        found
    }

    /// A sum without parts that stand beside their negatives.
    fn reduced(&mut self, mut sum: Vec<usize>) -> Vec<usize> {
        let mut kept: Vec<usize> = Vec::new();
        while let Some(part) = sum.pop() {
            let negative = self.rules.negative(&self.parts[part]);
            let negative = negative.map(|negative| self.number(negative));
            match kept.iter().position(|&other| Some(other) == negative) {
                Some(place) => drop(kept.swap_remove(place)),
                None => kept.push(part),
            }
        }
        kept.sort_unstable();
        kept
    }

    fn spend(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    /// Whether the player who is to move wins a sum.
    fn wins(&mut self, sum: Vec<usize>, side: Side) -> Option<bool> {
        let sum = self.reduced(sum);
        if let Some(&known) = self.wins.get(&(sum.clone(), side)) {
            return Some(known);
        }
        self.spend()?;
        let mut wins = false;
        for (i, &part) in sum.iter().enumerate() {
            if i > 0 && sum[i - 1] == part {
                continue;
            }
            for option in self.options(part, side) {
                let rest = [&sum[..i], &sum[i + 1..], &option].concat();
                wins = !self.wins(rest, side.other())?;
                if wins {
                    break;
                }
            }
            if wins {
                break;
            }
        }
        self.wins.insert((sum, side), wins);
        Some(wins)
    }

    /// The Grundy value of a part of an impartial game.
    fn grundy(&mut self, part: usize) -> Option<usize> {
        if let Some(&known) = self.grundy.get(&part) {
            return Some(known);
        }
        self.spend()?;
        let mut values = HashSet::new();
        for option in self.options(part, Side::Max) {
            values.insert(self.grundy_of_sum(&option)?);
        }
        let value = (0..).find(|value| !values.contains(value))?;
        self.grundy.insert(part, value);
        Some(value)
    }

    fn grundy_of_sum(&mut self, sum: &[usize]) -> Option<usize> {
        sum.iter().try_fold(0, |value, &part| Some(value ^ self.grundy(part)?))
    }
}

/// The same as [`left_wins`], part by part.
fn left_wins_by_parts(game: &Erased, position: &str, left: bool, sums: u64) -> Option<bool> {
    let s = game.read_position(position).unwrap();
    let mut by_parts = Sums::new(game, sums);
    let parts = by_parts.split(&s);
    let side = if left { Side::Max } else { Side::Min };
    let mover_wins = match by_parts.rules.impartial() {
        true => by_parts.grundy_of_sum(&parts)? != 0,
        false => by_parts.wins(parts, side)?,
    };
    Some(mover_wins == left)
}

#[test]
fn positions_of_the_data_have_their_outcomes() {
    const NODES: u64 = 10_000;
    const SUMS: u64 = 10_000;
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
        let known = known.filter(|_| !CUT.contains(&row.file));
        let Some((spec, board)) = known.and_then(|(_, ours)| ours(row.position)) else {
            tally.untold += 1;
            continue;
        };
        let game = in_turn(&spec);
        let player = game.players()[usize::from(!row.left)];
        let position = format!("{board} {player}");
        let found = [
            left_wins(&game, &position, NODES),
            game.parts().and_then(|_| left_wins_by_parts(&game, &position, row.left, SUMS)),
        ];
        for (found, (right, open)) in
            found.into_iter().zip(tally.right.iter_mut().zip(&mut tally.open))
        {
            let Some(wins) = found else {
                *open += 1;
                continue;
            };
            // The file shows what happens to a row that is wrong.
            let expected = row.left_wins != (row.file == "wrong_value.test");
            assert_eq!(wins, expected, "{spec}: {position}");
            *right += 1;
        }
    }
    for (game, Tally { right, open, untold }) in &tallies {
        println!(
            "{game}: {} right and {} open after {NODES} nodes, {} right and {} open by parts, \
             {untold} not told",
            right[0], open[0], right[1], open[1]
        );
    }
    for (name, _) in TRANSLATIONS {
        let Some(Tally { right, .. }) = tallies.get(name) else { panic!("no row of {name}") };
        assert!(right.iter().any(|&right| right > 0), "{name}");
    }
}
