//! The picture of a proof: a tree that grows to the right.
//!
//! Every leaf has a row of its own, and what leads to several leaves stands in the middle of them, as
//! in a family tree. All that is answered in the same way is one branch.

use std::fmt::Write as _;

use crate::answer::Drawings;
use crate::draw::{Answered, Branch, NodeKind, Outline, ProofTree, end_text, names};
use crate::picture::{FAINT, FONT, INK, PAPER, escaped, number, width_of};

/// A picture has at most so many rows; a deeper tree is cut.
const MOST_ROWS: usize = 100;

const ROW: f64 = 26.0;
const LETTER: f64 = 13.0;
const MARGIN: f64 = 20.0;
/// Between a column and the next.
const GAP: f64 = 26.0;
/// Around the words of a box.
const PADDING: f64 = 8.0;

/// Max's moves and Min's: the ground, its edge.
const BOXES: [(&str, &str); 2] = [("#d9e4f0", "#8aa6c6"), ("#f3dcd6", "#cf9a8d")];

/// A branch with its place.
struct Placed<'a> {
    branch: &'a Branch,
    column: usize,
    row: f64,
    parent: Option<usize>,
}

/// Where the parts of a column stand.
#[derive(Clone, Copy, Default)]
struct Column {
    replies: f64,
    boxes: f64,
    left: f64,
}

impl Drawings {
    /// The proof as a picture, an SVG document. What does not fit is left out, and counted.
    pub fn svg(&self) -> String {
        let mut body = String::new();
        let (mut width, mut y) = (0.0, MARGIN);
        for half in &self.halves {
            let (wide, high) = draw_half(half, y, &mut body);
            width = f64::max(width, wide);
            y += high + ROW;
        }
        let (width, height) = (number(width + 2.0 * MARGIN), number(y - ROW + MARGIN));
        let title: Vec<&str> = self.halves.iter().map(|half| half.proves.as_str()).collect();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONT}\" font-size=\"{LETTER}\">\n\
             <title>{}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"{PAPER}\"/>\n{body}</svg>\n",
            escaped(&title.join("; "))
        )
    }
}

/// How many rows an answer takes.
fn rows(answered: &Answered) -> usize {
    answered.branches.iter().map(|branch| rows(&branch.answer)).sum::<usize>().max(1)
}

/// The words in the box of an answer.
fn words(answered: &Answered) -> String {
    let end = answered.end.filter(|end| *end != NodeKind::Over);
    let words = answered.plays.iter().map(String::as_str).chain(end.map(end_text));
    words.collect::<Vec<_>>().join(" ")
}

fn text_width(text: &str) -> f64 {
    width_of(text) * LETTER
}

/// Gives a branch and all below it their places; `row` is the first free row.
fn place<'a>(
    branch: &'a Branch,
    column: usize,
    parent: Option<usize>,
    row: &mut f64,
    placed: &mut Vec<Placed<'a>>,
) -> f64 {
    let own = placed.len();
    placed.push(Placed { branch, column, row: 0.0, parent });
    let below = &branch.answer.branches;
    let places: Vec<f64> =
        below.iter().map(|b| place(b, column + 1, Some(own), row, placed)).collect();
    let middle = match (places.first(), places.last()) {
        (Some(first), Some(last)) => (first + last) / 2.0,
        _ => {
            *row += 1.0;
            *row - 1.0
        }
    };
    placed[own].row = middle;
    middle
}

/// Draws one half below a height; returns how wide and how high it is.
fn draw_half(half: &ProofTree, top: f64, out: &mut String) -> (f64, f64) {
    let Outline { top: answer, hidden } = half.outline_that(|o| rows(&o.top) <= MOST_ROWS);
    let root = Branch { replies: Vec::new(), answer };
    let mut placed = Vec::new();
    let mut count = 0.0;
    place(&root, 0, None, &mut count, &mut placed);
    // Where even the first moves are too many, the last of them are left out.
    let shown = count.min(MOST_ROWS as f64 * 2.0);

    // Step 1: how wide the columns are.
    let mut columns =
        vec![Column::default(); placed.iter().map(|p| p.column + 1).max().unwrap_or(1)];
    for Placed { branch, column, .. } in &placed {
        let column = &mut columns[*column];
        column.replies = column.replies.max(text_width(&names(&branch.replies)));
        let words = words(&branch.answer);
        let boxed = if words.is_empty() { 0.0 } else { text_width(&words) + 2.0 * PADDING };
        column.boxes = column.boxes.max(boxed + if ends(branch) { 16.0 } else { 0.0 });
    }
    let mut left = MARGIN;
    for column in &mut columns {
        column.left = left;
        left += column.replies + PADDING + column.boxes + GAP;
    }

    // Step 2: the heading, the lines, the words.
    let heading = format!("{}:", half.proves);
    text(out, MARGIN, top + LETTER, &heading, INK, " font-weight=\"600\"");
    let first = top + ROW * 1.6;
    let y = |row: f64| first + row * ROW;
    let box_left = |p: &Placed<'_>| columns[p.column].left + columns[p.column].replies + PADDING;
    for p in placed.iter().filter(|p| p.row < shown) {
        let Some(parent) = p.parent.map(|parent| &placed[parent]) else { continue };
        let (x1, y1) = (box_left(parent) + box_width(parent.branch), y(parent.row));
        let (x2, y2) = (columns[p.column].left - 4.0, y(p.row));
        let bend = columns[p.column].left - GAP / 2.0;
        let _ = writeln!(
            out,
            "<path d=\"M{} {}H{}V{}H{}\" fill=\"none\" stroke=\"#c4c8cd\" stroke-width=\"1.2\"/>",
            number(x1),
            number(y1),
            number(bend),
            number(y2),
            number(x2)
        );
    }
    for p in placed.iter().filter(|p| p.row < shown) {
        let (x, y) = (columns[p.column].left, y(p.row));
        text(out, x, y + LETTER * 0.35, &names(&p.branch.replies), INK, "");
        // From a short reply to its answer.
        let (from, to) = (x + text_width(&names(&p.branch.replies)) + 8.0, box_left(p) - 6.0);
        if p.parent.is_some() && from < to {
            let _ = writeln!(
                out,
                "<path d=\"M{} {}H{}\" stroke=\"#dcdfe3\" stroke-dasharray=\"1 4\"/>",
                number(from),
                number(y),
                number(to)
            );
        }
        draw_box(out, p.branch, half.of_max, box_left(p), y);
    }
    let mut notes = Vec::new();
    if shown < count {
        notes.push(format!("… and {} more rows", count - shown));
    }
    if hidden > 0 {
        notes.push(format!("… {hidden} of {} claims are not shown", half.claims));
    }
    for (line, note) in notes.iter().enumerate() {
        text(out, MARGIN, y(shown + line as f64) + LETTER * 0.35, note, FAINT, "");
    }
    let width = f64::max(left - GAP - MARGIN, text_width(&heading) * 1.08);
    (width, y(shown + notes.len() as f64) - ROW / 2.0 - top)
}

/// Whether a branch ends with the end of the game.
fn ends(branch: &Branch) -> bool {
    branch.answer.end == Some(NodeKind::Over)
}

fn box_width(branch: &Branch) -> f64 {
    let words = words(&branch.answer);
    let boxed = if words.is_empty() { 0.0 } else { text_width(&words) + 2.0 * PADDING };
    boxed + if ends(branch) { 16.0 } else { 0.0 }
}

/// The prover's moves in a box, and a dot where the game is over.
fn draw_box(out: &mut String, branch: &Branch, of_max: bool, x: f64, y: f64) {
    let words = words(&branch.answer);
    let mut right = x;
    if !words.is_empty() {
        let (fill, stroke) = BOXES[usize::from(!of_max)];
        let plain = branch.answer.plays.is_empty();
        let (fill, stroke) = if plain { ("none", "none") } else { (fill, stroke) };
        let width = text_width(&words) + 2.0 * PADDING;
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"20\" rx=\"4\" fill=\"{fill}\" \
             stroke=\"{stroke}\"/>",
            number(x),
            number(y - 10.0),
            number(width)
        );
        let colour = if plain { FAINT } else { INK };
        text(out, x + width / 2.0, y + LETTER * 0.35, &words, colour, " text-anchor=\"middle\"");
        right += width;
    }
    if ends(branch) {
        let _ = writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"{INK}\"/>",
            number(right + 9.0),
            number(y)
        );
    }
}

fn text(out: &mut String, x: f64, y: f64, text: &str, colour: &str, more: &str) {
    if !text.is_empty() {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" fill=\"{colour}\"{more}>{}</text>",
            number(x),
            number(y),
            escaped(text)
        );
    }
}
