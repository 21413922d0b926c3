//! Twins: positions that differ from a given one by a few men.
//!
//! `Kd4-e5` moves what stands on d4, `-a2` takes it away, `+wNb1` adds a white knight, `a1<->b2` lets
//! two squares change what stands on them. The letter of a man may stand before its square, where it is
//! compared with what stands there. Several changes are divided by commas or blanks.

use cozy_chess::{Board, BoardBuilder, Color, Piece, Rank, Square};
use foregone_model::TextError;

use super::fen;

/// The position after the changes, as a FEN. What was castled from or taken in passing before need not
/// make sense any more: rights that do not are left out.
pub(crate) fn edited(board: &Board, edits: &str) -> Result<Board, TextError> {
    let mut builder = BoardBuilder::from_board(board);
    builder.en_passant = None;
    let words = edits.split([',', ' ']).filter(|word| !word.is_empty());
    let mut changes = 0;
    for word in words {
        let start = word.as_ptr() as usize - edits.as_ptr() as usize;
        change(&mut builder, word).map_err(|message| {
            TextError::new(format!("`{word}`: {message}"), start..start + word.len())
        })?;
        changes += 1;
    }
    if changes == 0 {
        return Err(TextError::new(EXPECTED, 0..edits.len()));
    }
    for side in [Color::White, Color::Black] {
        let home = Rank::First.relative_to(side);
        let at = |builder: &BoardBuilder, file, piece| {
            builder.board[Square::new(file, home) as usize] == Some((piece, side))
        };
        let king = at(&builder, cozy_chess::File::E, Piece::King);
        let rights = builder.castle_rights[side as usize];
        let kept = |file: Option<_>| file.filter(|&f| king && at(&builder, f, Piece::Rook));
        let (short, long) = (kept(rights.short), kept(rights.long));
        builder.castle_rights[side as usize].short = short;
        builder.castle_rights[side as usize].long = long;
    }
    let built = builder.build().ok().map(|board| board.to_string());
    let impossible = || TextError::new("this leaves no possible position", 0..edits.len());
    fen::read(&built.ok_or_else(impossible)?).map_err(|e| {
        TextError::new(format!("this leaves no possible position: {}", e.message), 0..edits.len())
    })
}

const EXPECTED: &str =
    "expected a move such as Kd4-e5, -a2 to take away, +wNb1 to add, or a1<->b2 to exchange";

fn change(builder: &mut BoardBuilder, word: &str) -> Result<(), String> {
    if let Some(man) = word.strip_prefix('+') {
        let (side, man) = match (man.strip_prefix('w'), man.strip_prefix('b')) {
            (Some(man), _) => (Color::White, man),
            // A black bishop is `bB`; `b` alone is no side where a square follows.
            (_, Some(man)) if man.len() == 3 => (Color::Black, man),
            _ => return Err("say whose man it is: +wNb1 or +bNb1".to_owned()),
        };
        let (piece, square) = read(man)?;
        let piece = piece.ok_or("say which man it is: +wNb1")?;
        return match builder.square(square) {
            Some(_) => Err(format!("something stands on {square} already")),
            None => {
                *builder.square_mut(square) = Some((piece, side));
                Ok(())
            }
        };
    }
    if let Some(man) = word.strip_prefix('-') {
        let square = standing(builder, man)?;
        *builder.square_mut(square) = None;
        return Ok(());
    }
    if let Some((one, other)) = word.split_once("<->") {
        let (one, other) = (standing(builder, one)?, standing(builder, other)?);
        builder.board.swap(one as usize, other as usize);
        return Ok(());
    }
    let (from, to) = word.split_once("->").or_else(|| word.split_once('-')).ok_or(EXPECTED)?;
    let from = standing(builder, from)?;
    let (_, to) = read(to)?;
    if builder.square(to).is_some() {
        return Err(format!("something stands on {to} already"));
    }
    let man = builder.square_mut(from).take();
    *builder.square_mut(to) = man;
    Ok(())
}

/// The square of a man that is named by it, with its letter or without.
fn standing(builder: &mut BoardBuilder, text: &str) -> Result<Square, String> {
    let (piece, square) = read(text)?;
    match (builder.square(square), piece) {
        (None, _) => Err(format!("nothing stands on {square}")),
        (Some((there, _)), Some(piece)) if piece != there => {
            Err(format!("another man stands on {square}"))
        }
        _ => Ok(square),
    }
}

/// A square, and the letter of a man before it.
fn read(text: &str) -> Result<(Option<Piece>, Square), String> {
    let square = text.len().checked_sub(2).and_then(|at| text.get(at..));
    let square = square.and_then(|s| s.parse::<Square>().ok()).ok_or(EXPECTED)?;
    let letter = &text[..text.len() - 2];
    let piece = match letter {
        "" => None,
        // German problemists and others write S for a knight.
        "S" => Some(Piece::Knight),
        _ => {
            let piece = letter.to_ascii_lowercase().parse().ok();
            Some(piece.filter(|_| letter.len() == 1).ok_or(EXPECTED)?)
        }
    };
    Ok((piece, square))
}
