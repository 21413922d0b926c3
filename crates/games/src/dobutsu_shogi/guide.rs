//! What searches may know beyond the rules: mirror images, the order of moves, an estimate.

use foregone_model::{Agent, Character, Guide, Side};

use super::{Act, COLS, DobutsuShogi, HELD, Kind, SQUARES, State, last_row};
use crate::board::{likelihood, sort_by_rank};

/// What a piece is worth on the board, in chicks.
fn worth(kind: Kind) -> i16 {
    match kind {
        Kind::Lion => 100,
        Kind::Giraffe => 4,
        Kind::Elephant => 3,
        Kind::Chick => 1,
        Kind::Hen => 5,
    }
}

/// The same position with left and right exchanged.
pub(super) fn mirrored(s: &State) -> State {
    let mut board = s.board;
    for (square, there) in board.iter_mut().enumerate() {
        *there = s.board[square / COLS * COLS + COLS - 1 - square % COLS];
    }
    State { board, ..*s }
}

/// A position as a list of numbers, to compare it by.
fn key(s: &State) -> [usize; SQUARES] {
    s.board.map(|there| there.map_or(0, |p| 1 + p.kind as usize * 2 + p.side.index()))
}

impl Guide for DobutsuShogi {
    type Packed = State;

    foregone_model::stored_by_parts!();
    const PACKS_TURN: bool = true;

    fn pack(&self, s: &State) -> State {
        *s
    }

    fn character(&self) -> Character {
        Character::Large
    }

    fn canonical(&self, s: &State) -> State {
        let mirrored = mirrored(s);
        if key(&mirrored) < key(s) { mirrored } else { *s }
    }

    /// A move that catches the lion, one that walks the lion home, then captures and hens, then the
    /// rest.
    fn order(&self, s: &State, agent: Agent, moves: &mut [Act]) {
        let last = last_row(Side::of(agent));
        sort_by_rank(moves, |m| {
            let Act::Step { from, to } = m else { return 0 };
            let (from, to) = (usize::from(from), usize::from(to));
            let captured = s.board[to].map_or(0, |piece| 1 + worth(piece.kind));
            let home = match s.board[from].map(|piece| piece.kind) {
                Some(Kind::Lion) if to / COLS == last => 50,
                Some(Kind::Chick) if to / COLS == last => 3,
                _ => 0,
            };
            captured + home
        });
    }

    /// The pieces of both, those in the hand a little less.
    fn evaluate(&self, s: &State) -> Option<f64> {
        let mut ahead = 0.0;
        for piece in s.board.iter().flatten().filter(|piece| piece.kind != Kind::Lion) {
            let sign = if piece.side == Side::Max { 1.0 } else { -1.0 };
            ahead += sign * f64::from(worth(piece.kind));
        }
        for (kind, place) in HELD.into_iter().zip(0..) {
            let held = s.hands.map(|hand| f64::from(hand[place]));
            ahead += 0.9 * f64::from(worth(kind)) * (held[0] - held[1]);
        }
        let tempo = if s.turn == Side::Max { 0.3 } else { -0.3 };
        Some(likelihood((ahead + tempo) / 4.0))
    }

    fn evaluates(&self) -> bool {
        true
    }
}
