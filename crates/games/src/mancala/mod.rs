//! What games of sowing share: two rows of pits with a store each, their texts and their pictures.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Side, TextError};

use crate::board::read_mover;

use self::numbering::{Numbering, Ring};

pub mod numbering;

/// The most pits in a row.
pub const MOST_PITS: usize = 6;

/// The most seeds on a board.
pub const MOST_SEEDS: u32 = 120;

/// The players: the first one sows to the right, the other one, who sits opposite, to the left.
pub(crate) const PLAYERS: [&str; 2] = ["south", "north"];

/// The seeds, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// South's and North's pits, each from its owner's left.
    pub(crate) rows: [[u8; MOST_PITS]; 2],
    pub(crate) stores: [u8; 2],
    pub(crate) turn: Side,
}

foregone_model::stored!(State { rows, stores, turn });

/// Tables of more positions than this are not made unless somebody asks for so many seeds.
const MANY: u64 = 100_000_000;

/// The number of seeds up to which a person wants tables, by the text for it: no more than `total`.
pub(crate) fn classes_up_to(
    numbering: &Numbering,
    total: u32,
    text: &str,
) -> Result<u32, TextError> {
    let error = |message: String| Err(TextError::new(message, 0..text.len()));
    match text.parse::<u32>() {
        _ if text.is_empty() && numbering.size(total) <= MANY => Ok(total),
        _ if text.is_empty() => error(format!(
            "say up to how many seeds: 10, say; with all {total} there are {} positions",
            numbering.size(total)
        )),
        Ok(seeds) if seeds <= total && seeds.to_string() == text => Ok(seeds),
        _ => error(format!("`{text}` is not a number of seeds, expected 0 to {total}")),
    }
}

/// How many seeds there are.
pub(crate) fn count(seeds: &[u8]) -> u32 {
    seeds.iter().map(|&n| u32::from(n)).sum()
}

impl State {
    /// So many seeds in each of so many pits a side, South to move.
    pub(crate) fn start(pits: usize, seeds: u8) -> State {
        let mut row = [0; MOST_PITS];
        row[..pits].fill(seeds);
        State { rows: [row; 2], stores: [0; 2], turn: Side::Max }
    }

    /// The pits of a side that hold seeds, as a set.
    #[inline]
    pub(crate) fn filled(&self, side: Side) -> u64 {
        let row = self.rows[side.index()].iter().enumerate();
        row.fold(0, |set, (pit, &seeds)| set | u64::from(seeds > 0) << pit)
    }

    /// The seeds in the pits.
    pub(crate) fn on_board(&self) -> u32 {
        count(&self.rows[0]) + count(&self.rows[1])
    }

    /// South's store less North's.
    pub(crate) fn ahead(&self) -> i32 {
        i32::from(self.stores[0]) - i32::from(self.stores[1])
    }

    /// The pits of both sides in the order of sowing, those of who is to move first.
    pub(crate) fn ring(&self, pits: usize) -> Ring {
        let mut ring = [0; 2 * MOST_PITS];
        let (own, other) = (self.turn.index(), self.turn.other().index());
        ring[..pits].copy_from_slice(&self.rows[own][..pits]);
        ring[pits..2 * pits].copy_from_slice(&self.rows[other][..pits]);
        ring
    }

    /// A position with these seeds, South to move, and empty stores.
    pub(crate) fn of_ring(ring: &Ring, pits: usize) -> State {
        let mut s = State::start(pits, 0);
        s.rows[0][..pits].copy_from_slice(&ring[..pits]);
        s.rows[1][..pits].copy_from_slice(&ring[pits..2 * pits]);
        s
    }

    /// South's pits and store, North's, who is to move: `2,0,1+4/0,3,1+1 south`.
    pub(crate) fn write(&self, pits: usize, out: &mut String) {
        for (i, (row, store)) in self.rows.iter().zip(self.stores).enumerate() {
            let words: Vec<String> = row[..pits].iter().map(u8::to_string).collect();
            out.push_str(if i == 0 { "" } else { "/" });
            out.push_str(&format!("{}+{store}", words.join(",")));
        }
        out.push(' ');
        out.push_str(PLAYERS[self.turn.index()]);
    }

    /// Reads what [`State::write`] wrote, and says how long the text of the board is. No number is
    /// above `most`, but their sum may be.
    pub(crate) fn read(pits: usize, most: u32, text: &str) -> Result<(State, usize), TextError> {
        let (board, mover) = read_mover(text, &PLAYERS)?;
        let halves: Vec<&str> = board.split('/').collect();
        if halves.len() != 2 {
            let message = "expected two sides separated by `/`, South's first";
            return Err(TextError::new(message, 0..board.len()));
        }
        let mut s = State { turn: [Side::Max, Side::Min][mover], ..State::start(pits, 0) };
        let mut at = 0;
        for (side, half) in halves.into_iter().enumerate() {
            // A store behind the pits, and nothing but commas between them.
            let words: Vec<&str> = half.split(['+', ',']).collect();
            let in_pits = half.rsplit_once('+').map_or(half, |(pits, _)| pits);
            if words.len() != pits + 1 || in_pits.split(',').count() != pits {
                let message = format!(
                    "`{half}` is not a side, expected {pits} pits and a store such as {}+0",
                    vec!["2"; pits].join(",")
                );
                return Err(TextError::new(message, at..at + half.len()));
            }
            for (i, word) in words.into_iter().enumerate() {
                let number = word.parse::<u8>().ok().filter(|n| n.to_string() == word);
                let Some(number) = number.filter(|&n| u32::from(n) <= most) else {
                    let message =
                        format!("`{word}` is not a number of seeds, expected 0 to {most}");
                    return Err(TextError::new(message, at..at + word.len()));
                };
                *if i < pits { &mut s.rows[side][i] } else { &mut s.stores[side] } = number;
                at += word.len() + 1;
            }
        }
        Ok((s, board.len()))
    }

    /// North's row above South's, with the numbers of the pits.
    pub(crate) fn draw(&self, pits: usize) -> String {
        let line = |numbers: &mut dyn Iterator<Item = String>| {
            numbers.map(|n| format!("{n:>4}")).collect::<String>()
        };
        let all = 1..=pits;
        let [south, north] = self.rows.map(|row| row[..pits].iter().map(u8::to_string).collect());
        let (south, north): (Vec<String>, Vec<String>) = (south, north);
        let blank = " ".repeat(4);
        [
            format!("      {blank}{}", line(&mut all.clone().rev().map(|n| format!("({n})")))),
            format!("north {:>4}{}", self.stores[1], line(&mut north.into_iter().rev())),
            format!("south {blank}{}{:>4}", line(&mut south.into_iter()), self.stores[0]),
            format!("      {blank}{}", line(&mut all.map(|n| format!("({n})")))),
        ]
        .map(|line| line + "\n")
        .concat()
    }

    /// A picture, in which the pits of this set can be touched by who is to move.
    pub(crate) fn scene(&self, pits: usize, playable: u64) -> Scene {
        let mut scene = Scene::new();
        for (side, player) in PLAYERS.into_iter().enumerate() {
            // South sows to the right, North to the left.
            let (store, beside) = [(pits as f64, pits as f64 + 0.75), (-1.0, -1.75)][side];
            let name = format!("{player} store");
            let cell = scene.rectangle(name, [store, 0.5], [0.9, 1.9], Paint::Light);
            scene.piece(cell, Glyph::Seeds(self.stores[side].into()), Paint::Orange);
            scene.label([beside, 0.5], self.stores[side].to_string(), 0.34, Paint::Ink);
            for pit in 0..pits {
                let x = if side == 0 { pit } else { pits - 1 - pit } as f64;
                let (y, below) = [(1.0, 1.75), (0.0, -0.75)][side];
                let name = format!("{player} {}", pit + 1);
                let cell = scene.rectangle(name, [x, y], [0.9, 0.9], Paint::Plain);
                scene.piece(cell, Glyph::Seeds(self.rows[side][pit].into()), Paint::Orange);
                let text = format!("{}: {}", pit + 1, self.rows[side][pit]);
                scene.label([x, below], text, 0.3, Paint::Faint);
                if self.turn.index() == side && playable >> pit & 1 == 1 {
                    scene.touch(player, (pit + 1).to_string(), [cell], false);
                }
            }
        }
        scene
    }
}
