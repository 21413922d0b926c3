//! Endings: positions with few pieces, whose values can stand in tables.

use foregone_model::rows::RowMoves;
use foregone_model::tabled::{PlainMoves, with_all_below};
use foregone_model::{Class, ClassMoves, Node, Side, Step, Tabled, TextError};

use self::numbering::{KINDS, MOST, Material};
use self::rows::Rows;
use super::Chess;

mod attacks;
mod exits;
mod numbering;
mod passing;
mod placer;
mod rows;

/// What to type.
const EXPECTED: &str = "say which endings: KQKR, say, or 4 for all endings with up to four pieces";

impl Tabled for Chess {
    fn wanted(&self, text: &str) -> Result<Vec<Class>, TextError> {
        if self.is_series() {
            let message = "series movers have no tables: they are for ordinary chess";
            return Err(TextError::new(message, 0..text.len()));
        }
        let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let named = match text.parse::<u32>() {
            _ if !is_number => vec![named(text)?],
            Ok(pieces) if (2..=MOST).contains(&pieces) => all(pieces),
            _ => {
                let message = format!("endings have 2 to {MOST} pieces, kings included");
                return Err(TextError::new(message, 0..text.len()));
            }
        };
        Ok(with_all_below(self, &named))
    }

    fn class_moves(&self, class: Class) -> Box<dyn ClassMoves + '_> {
        Box::new(EndingMoves {
            plain: PlainMoves::new(self, class),
            rows: Rows::new(self, class),
            material: Material::of_class(class),
        })
    }
}

/// The moves of a class: by rows where that is possible, and one by one by the rules alone.
struct EndingMoves<'g> {
    plain: PlainMoves<'g, Chess>,
    rows: Option<Rows>,
    material: Option<Material>,
}

impl ClassMoves for EndingMoves<'_> {
    fn size(&self) -> u64 {
        self.plain.size()
    }

    fn look(&self, index: u64, out: &mut Vec<Step>) -> Node {
        self.plain.look(index, out)
    }

    fn node(&self, index: u64) -> Node {
        self.plain.node(index)
    }

    fn mover(&self, index: u64) -> Side {
        self.material.map_or(Side::Max, |material| material.mover(index))
    }

    fn by_rows(&self) -> Option<&dyn RowMoves> {
        self.rows.as_ref().map(|rows| rows as &dyn RowMoves)
    }
}

/// All classes with up to so many pieces, the small ones first.
fn all(pieces: u32) -> Vec<Class> {
    let mut materials = vec![Material([[0; 5]; 2])];
    let mut last = materials.clone();
    for _ in 2..pieces {
        // One piece more, each material once: it is put behind those that stand there.
        let mut next = Vec::new();
        for m in last {
            let behind = (0..10).rfind(|at| m.0[at / 5][at % 5] > 0).unwrap_or(0);
            for at in behind..10 {
                let mut more = m;
                more.0[at / 5][at % 5] += 1;
                next.push(more);
            }
        }
        materials.extend(&next);
        last = next;
    }
    materials.into_iter().filter_map(Material::class).collect()
}

/// The class that a text names: `KQKR`, `kqvkr`, or either with colours exchanged.
fn named(text: &str) -> Result<Class, TextError> {
    let error = |message: String, span| Err(TextError::new(message, span));
    if text.is_empty() {
        return error(EXPECTED.to_owned(), 0..0);
    }
    let (mut material, mut side) = (Material([[0; 5]; 2]), None);
    for (at, letter) in text.char_indices() {
        let span = at..at + letter.len_utf8();
        let kind = KINDS.iter().position(|&kind| char::from(kind) == letter.to_ascii_lowercase());
        match (letter, side, kind) {
            ('K' | 'k', None, _) => side = Some(0),
            ('K' | 'k', Some(0), _) => side = Some(1),
            ('K' | 'k', ..) => return error("each side has one king".to_owned(), span),
            (_, None, _) => return error(format!("an ending begins with K: {EXPECTED}"), span),
            // Before the second king only.
            ('v' | 'V', Some(0), _) if text[span.end..].starts_with(['K', 'k']) => {}
            (_, Some(side), Some(kind)) => material.0[side][kind] += 1,
            _ => {
                let shown = letter.escape_debug();
                return error(format!("`{shown}` is not a piece: they are K Q R B N P"), span);
            }
        }
        if material.pieces() > MOST {
            return error(format!("endings have up to {MOST} pieces, kings included"), span);
        }
    }
    if side != Some(1) {
        return error(format!("the other side has a king, too: {text}K"), 0..text.len());
    }
    let material = if material.black_has_more() { material.flipped() } else { material };
    material.class().map_or_else(|| error(EXPECTED.to_owned(), 0..text.len()), Ok)
}

#[cfg(test)]
mod tests;
