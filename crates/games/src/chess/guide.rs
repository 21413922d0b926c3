//! What chess tells a search beyond its rules.

use cozy_chess::{Color, File, Move, Piece, Square, get_king_moves};
use foregone_model::stored::Stored;
use foregone_model::{Agent, Guide, Notation, Reach};

use super::{Checks, Chess, State, color, is_pass, list, reach, san};

impl Guide for Chess {
    /// Three bits that number the kinds of pieces and one for the colour, a board of each; then
    /// the turn, castling rights and the en-passant file.
    type Packed = ([u64; 4], u32);

    const PACKS_TURN: bool = true;

    fn pack(&self, s: &State) -> ([u64; 4], u32) {
        let b = &s.0;
        let of = |piece: Piece| b.pieces(piece).0;
        let planes = [
            of(Piece::Pawn) | of(Piece::Bishop) | of(Piece::Queen),
            of(Piece::Knight) | of(Piece::Bishop) | of(Piece::King),
            of(Piece::Rook) | of(Piece::Queen) | of(Piece::King),
            b.colors(Color::White).0,
        ];
        let side = b.side_to_move();
        let file = |f: Option<File>| f.map_or(8, |f| f as u32);
        let rights = |c: Color| {
            let rights = b.castle_rights(c);
            file(rights.short) | file(rights.long) << 4
        };
        let rest = side as u32
            | rights(Color::White) << 4
            | rights(Color::Black) << 12
            | file(b.en_passant()) << 20;
        (planes, rest)
    }

    #[inline]
    fn out_of_reach(&self, s: &State, end: Reach) -> Option<&'static str> {
        let Reach { agent, own, others, helped } = end;
        // A side that does not help mostly shows by its next move that there is no mate.
        if !helped && (own, others) != (1, 0) || self.only_passes(&s.0) {
            return None;
        }
        reach::out_of_reach(&self.memory, &s.0, color(agent), own, others).then_some(reach::RULE)
    }

    fn mobility(&self, s: &State, agent: Agent) -> u32 {
        let mut count = 0;
        if let Some(board) = s.for_side(color(agent)) {
            board.generate_moves(|moves| {
                count += moves.len() as u32;
                false
            });
        }
        count
    }

    /// Checks first, then captures, then what moves near the other king.
    fn order(&self, s: &State, agent: Agent, moves: &mut [Move]) {
        let side = color(agent);
        let Some(board) = s.for_side(side) else { return };
        let checks = Checks::new(&board);
        let them = board.colors(!side);
        let near = get_king_moves(board.king(!side));
        moves.sort_by_cached_key(|m| {
            let piece = board.piece_on(m.from).unwrap_or(Piece::King);
            let check = checks.may(piece, *m);
            let victim = if them.has(m.to) { board.piece_on(m.to) } else { None };
            let gain = victim.map_or(0, |v| 1 + v as i32);
            -(i32::from(check) * 20 + gain * 2 + i32::from(near.has(m.to)))
        });
    }

    fn usual_text(&self, s: &State, agent: Agent, m: Move) -> Option<String> {
        let board = s.for_side(color(agent)).filter(|_| !is_pass(m))?;
        Some(san::written(&board, m))
    }

    /// Only a check can mate.
    fn finishing(&self, s: &State, agent: Agent, out: &mut Vec<Move>) {
        if let Some(board) = s.for_side(color(agent)) {
            let checks = Checks::new(&board);
            list(&board, out, |piece, m| checks.may(piece, m));
        }
    }

    fn stores(&self) -> bool {
        true
    }

    /// Boards are those of another crate, so they go by their text.
    fn store_state(&self, s: &State, out: &mut Vec<u8>) {
        let text = s.0.to_string();
        out.push(text.len() as u8);
        out.extend_from_slice(text.as_bytes());
    }

    fn restore_state(&self, from: &mut &[u8]) -> Option<State> {
        let length = usize::from(u8::restore(from)?);
        let (text, rest) = from.split_at_checked(length)?;
        *from = rest;
        self.read_position(std::str::from_utf8(text).ok()?).ok()
    }

    fn store_move(&self, m: Move, out: &mut Vec<u8>) {
        out.extend([m.from as u8, m.to as u8, m.promotion.map_or(u8::MAX, |piece| piece as u8)]);
    }

    fn restore_move(&self, from: &mut &[u8]) -> Option<Move> {
        let [start, end, promotion] = <[u8; 3]>::restore(from)?.map(usize::from);
        let promotion = match promotion == usize::from(u8::MAX) {
            true => None,
            false => Some(*Piece::ALL.get(promotion)?),
        };
        Some(Move { from: *Square::ALL.get(start)?, to: *Square::ALL.get(end)?, promotion })
    }

    fn store_packed(&self, p: &([u64; 4], u32), out: &mut Vec<u8>) {
        p.store(out);
    }

    fn restore_packed(&self, from: &mut &[u8]) -> Option<([u64; 4], u32)> {
        Stored::restore(from)
    }
}
