//! A picture of a position, as plain data: cells, what stands on them, and what a move touches.
//!
//! A game makes a scene in a few lines, one renderer draws it, and a program that a person clicks in
//! finds in it which cells make which move. Nothing here is believed, and no search asks for it.
//!
//! One unit is the width of a cell. The first coordinate grows to the right, the second one down.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// A place: to the right, and down.
pub type Point = [f64; 2];

/// A picture of a position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// What can be clicked: squares, hexagons, points of a Go board, nodes of a graph.
    pub cells: Vec<Cell>,
    /// Lines and areas below the pieces: the lines of a Go board, edges of a graph, borders.
    pub shapes: Vec<Shape>,
    /// What stands on cells.
    pub pieces: Vec<Piece>,
    /// Words of the board itself, such as coordinates.
    pub labels: Vec<Label>,
    /// The legal moves, each with the cells that it touches.
    pub moves: Vec<Touch>,
    /// What is said about the position: the last move, good moves, values.
    pub marks: Vec<Mark>,
    /// Lines of text below the board.
    pub notes: Vec<String>,
}

/// A cell of the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Its name, as moves spell it where they do. No two cells of a scene share one.
    pub name: String,
    /// Where a piece stands.
    pub at: Point,
    /// Its corners, in order.
    pub outline: Vec<Point>,
    /// What it is painted with.
    pub paint: Paint,
}

/// A line or an area that is not a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Shape {
    /// A line through some places.
    Line {
        /// The places.
        points: Vec<Point>,
        /// How thick it is.
        width: f64,
        /// Whether it ends in an arrow head.
        arrow: bool,
        /// What it is painted with.
        paint: Paint,
    },
    /// A polygon.
    Area {
        /// Its corners.
        points: Vec<Point>,
        /// What it is painted with.
        paint: Paint,
    },
    /// A filled circle.
    Dot {
        /// Its middle.
        at: Point,
        /// Its radius.
        radius: f64,
        /// What it is painted with.
        paint: Paint,
    },
}

/// What stands on a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// The cell, by its place in [`Scene::cells`].
    pub cell: usize,
    /// What it looks like.
    pub glyph: Glyph,
    /// What it is painted with.
    pub paint: Paint,
}

/// What a piece looks like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "shape", content = "of")]
pub enum Glyph {
    /// A stone.
    Disc,
    /// So many small stones.
    Seeds(u32),
    /// An `x`.
    Cross,
    /// An `o`.
    Ring,
    /// The whole cell, filled.
    Block,
    /// A few characters in the colour of the piece, with an outline: chessmen.
    Figure(String),
    /// A few characters as they are: a number of seeds, the payoff of a pair of moves.
    Word(String),
}

/// A word of the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Label {
    /// Its place.
    pub at: Point,
    /// What it says.
    pub text: String,
    /// The height of its letters' line.
    pub size: f64,
    /// On which side of the place it stands.
    pub anchor: Anchor,
    /// Whether all letters have the same width.
    pub mono: bool,
    /// What it is painted with.
    pub paint: Paint,
}

/// On which side of its place a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// A colour by its name. Which colour that is, a renderer decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Paint {
    /// Nothing: it is not seen.
    None,
    /// An empty cell.
    Plain,
    /// A light square of a checkered board.
    Light,
    /// A dark square of a checkered board.
    Dark,
    /// The wood of a Go board.
    Wood,
    /// The cloth of an Othello board.
    Felt,
    /// The frame that stones are dropped into.
    Frame,
    /// A cell that nobody can use any more.
    Wall,
    /// Lines and text.
    Ink,
    /// Lines and text that stay behind.
    Faint,
    /// What belongs to the first player, pale enough for a word on it.
    PaleBlue,
    /// What belongs to the second player, pale enough for a word on it.
    PaleRed,
    /// A red stone.
    Red,
    /// A blue stone.
    Blue,
    /// A yellow stone.
    Yellow,
    /// A green stone.
    Green,
    /// An orange stone.
    Orange,
    /// A violet stone.
    Violet,
    /// A black stone.
    Black,
    /// A white stone.
    White,
}

/// A legal move and the cells that it touches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touch {
    /// Who may make it.
    pub player: String,
    /// The move as it is written.
    #[serde(rename = "move")]
    pub text: String,
    /// The cells, by their places in [`Scene::cells`]. A pass touches none.
    pub cells: Vec<usize>,
    /// Whether something goes from the first cell to the last; otherwise all are taken together.
    pub travels: bool,
}

/// Something that is said about the position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Mark {
    /// The cells of the last move.
    Last {
        /// The cells.
        cells: Vec<usize>,
    },
    /// A move from cell to cell.
    Arrow {
        /// Where it begins.
        from: usize,
        /// Where it ends.
        to: usize,
        /// What it is worth, or its number in a line.
        text: String,
        /// How good it is.
        quality: Quality,
        /// Whether no move is better.
        best: bool,
    },
    /// A move that takes cells, with what it is worth written there.
    Value {
        /// The cells.
        cells: Vec<usize>,
        /// What it is worth, or its number in a line.
        text: String,
        /// How good it is.
        quality: Quality,
        /// Whether no move is better.
        best: bool,
    },
}

impl Mark {
    /// Whether it marks a move that no other is better than.
    pub fn is_best(&self) -> bool {
        matches!(self, Mark::Arrow { best: true, .. } | Mark::Value { best: true, .. })
    }
}

/// How good a move is for who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quality {
    /// It wins.
    Good,
    /// Nobody wins.
    Even,
    /// It loses.
    Bad,
    /// It is not known, or this only counts moves.
    Neutral,
}

/// What is to be said about a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveMark {
    /// Who makes it; anybody where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The move as it is written.
    #[serde(rename = "move")]
    pub text: String,
    /// What it is worth, in a word.
    pub label: String,
    /// How good it is.
    pub quality: Quality,
    /// Whether no move is better.
    pub best: bool,
}

fn clean(x: f64) -> f64 {
    let x = (x * 1000.0).round() / 1000.0;
    // There is no negative zero.
    x + 0.0
}

/// A place whose coordinates have three decimals: the same on every machine.
pub fn place([x, y]: Point) -> Point {
    [clean(x), clean(y)]
}

impl Scene {
    /// Nothing yet.
    pub fn new() -> Scene {
        Scene::default()
    }

    /// A text of several lines, for games that have no picture of their own.
    pub fn of_text(text: &str) -> Scene {
        let mut scene = Scene::new();
        let lines = text.trim_end_matches('\n').lines().flat_map(|line| wrapped(line, 80));
        for (row, line) in lines.enumerate() {
            scene.labels.push(Label {
                at: [0.0, clean(row as f64 * 0.5)],
                text: line,
                size: 0.4,
                anchor: Anchor::Start,
                mono: true,
                paint: Paint::Ink,
            });
        }
        scene
    }

    /// Adds a cell, and returns its place in the list.
    pub fn cell(
        &mut self,
        name: impl Into<String>,
        at: Point,
        outline: impl IntoIterator<Item = Point>,
        paint: Paint,
    ) -> usize {
        let outline = outline.into_iter().map(place).collect();
        self.cells.push(Cell { name: name.into(), at: place(at), outline, paint });
        self.cells.len() - 1
    }

    /// Adds a rectangle around a place.
    pub fn rectangle(
        &mut self,
        name: impl Into<String>,
        [x, y]: Point,
        [width, height]: Point,
        paint: Paint,
    ) -> usize {
        let (w, h) = (width / 2.0, height / 2.0);
        let corners = [[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]];
        self.cell(name, [x, y], corners, paint)
    }

    /// Adds a square of side 1 around a place.
    pub fn square(&mut self, name: impl Into<String>, at: Point, paint: Paint) -> usize {
        self.rectangle(name, at, [1.0, 1.0], paint)
    }

    /// Adds a hexagon of width 1 around a place, two of its edges upright.
    pub fn hexagon(&mut self, name: impl Into<String>, at: Point, paint: Paint) -> usize {
        self.cell(name, at, hexagon_corners(at), paint)
    }

    /// Adds a line.
    pub fn line(&mut self, points: impl IntoIterator<Item = Point>, width: f64, paint: Paint) {
        let points = points.into_iter().map(place).collect();
        self.shapes.push(Shape::Line { points, width, arrow: false, paint });
    }

    /// Adds a line that ends in an arrow head.
    pub fn arrow(&mut self, points: impl IntoIterator<Item = Point>, width: f64, paint: Paint) {
        let points = points.into_iter().map(place).collect();
        self.shapes.push(Shape::Line { points, width, arrow: true, paint });
    }

    /// Adds a polygon.
    pub fn area(&mut self, points: impl IntoIterator<Item = Point>, paint: Paint) {
        self.shapes.push(Shape::Area { points: points.into_iter().map(place).collect(), paint });
    }

    /// Adds a filled circle.
    pub fn dot(&mut self, at: Point, radius: f64, paint: Paint) {
        self.shapes.push(Shape::Dot { at: place(at), radius, paint });
    }

    /// Adds a word whose middle is at this place.
    pub fn label(&mut self, at: Point, text: impl Into<String>, size: f64, paint: Paint) {
        self.anchored(at, text, size, Anchor::Middle, paint);
    }

    /// Adds a word that begins, ends or has its middle at this place.
    pub fn anchored(
        &mut self,
        at: Point,
        text: impl Into<String>,
        size: f64,
        anchor: Anchor,
        paint: Paint,
    ) {
        let (at, text) = (place(at), text.into());
        self.labels.push(Label { at, text, size, anchor, mono: false, paint });
    }

    /// Puts a piece on a cell.
    pub fn piece(&mut self, cell: usize, glyph: Glyph, paint: Paint) {
        self.pieces.push(Piece { cell, glyph, paint });
    }

    /// Says which cells a move touches.
    pub fn touch(
        &mut self,
        player: impl Into<String>,
        text: impl Into<String>,
        cells: impl IntoIterator<Item = usize>,
        travels: bool,
    ) {
        let cells = cells.into_iter().collect();
        self.moves.push(Touch { player: player.into(), text: text.into(), cells, travels });
    }

    /// Adds another scene to the right of this one. The names of its cells and the texts of its moves get
    /// these letters in front.
    pub fn add_beside(&mut self, mut other: Scene, front: &str) {
        const GAP: f64 = 1.0;
        let right = self.places().map(|p| p[0]).fold(f64::MIN, f64::max);
        let left = other.places().map(|p| p[0]).fold(f64::MAX, f64::min);
        let empty = self.cells.is_empty() && self.labels.is_empty() && self.shapes.is_empty();
        let shift = if empty || left == f64::MAX { 0.0 } else { right + GAP - left };
        let moved = |[x, y]: Point| [clean(x + shift), y];
        let cells = self.cells.len();
        for mut cell in other.cells.drain(..) {
            cell.name.insert_str(0, front);
            cell.at = moved(cell.at);
            cell.outline.iter_mut().for_each(|p| *p = moved(*p));
            self.cells.push(cell);
        }
        for mut shape in other.shapes.drain(..) {
            match &mut shape {
                Shape::Line { points, .. } | Shape::Area { points, .. } => {
                    points.iter_mut().for_each(|p| *p = moved(*p));
                }
                Shape::Dot { at, .. } => *at = moved(*at),
            }
            self.shapes.push(shape);
        }
        for mut label in other.labels.drain(..) {
            label.at = moved(label.at);
            self.labels.push(label);
        }
        self.pieces.extend(other.pieces.drain(..).map(|p| Piece { cell: p.cell + cells, ..p }));
        for mut touch in other.moves.drain(..) {
            touch.text.insert_str(0, front);
            touch.cells.iter_mut().for_each(|cell| *cell += cells);
            self.moves.push(touch);
        }
        self.notes.append(&mut other.notes);
    }

    /// Where something is, texts by about how long they are.
    fn places(&self) -> impl Iterator<Item = Point> + '_ {
        let cells = self.cells.iter().flat_map(|cell| cell.outline.iter().copied());
        let shapes = self.shapes.iter().flat_map(|shape| match shape {
            Shape::Line { points, .. } | Shape::Area { points, .. } => points.clone(),
            Shape::Dot { at, .. } => vec![*at],
        });
        let labels = self.labels.iter().flat_map(|label| {
            let width = label.text.chars().count() as f64 * label.size * 0.6;
            let start = match label.anchor {
                Anchor::Start => label.at[0],
                Anchor::Middle => label.at[0] - width / 2.0,
                Anchor::End => label.at[0] - width,
            };
            [[start, label.at[1]], [start + width, label.at[1]]]
        });
        cells.chain(shapes).chain(labels)
    }

    /// The cell of this name.
    pub fn named(&self, name: &str) -> Option<usize> {
        self.cells.iter().position(|cell| cell.name == name)
    }

    /// The scene with these legal moves of each player and no others. Where the game has not said
    /// which cells a move touches, they are those whose names stand in its text.
    pub fn with_moves(mut self, legal: &[(&str, Vec<String>)]) -> Scene {
        let said = std::mem::take(&mut self.moves);
        let said: HashMap<(&str, &str), &Touch> =
            said.iter().rev().map(|m| ((m.player.as_str(), m.text.as_str()), m)).collect();
        let names = Names::of(&self.cells);
        let mut moves = Vec::new();
        for (player, texts) in legal {
            for text in texts {
                moves.push(match said.get(&(*player, text.as_str())) {
                    Some(&touch) => touch.clone(),
                    None => {
                        let cells = names.within(text);
                        let travels = cells.len() > 1;
                        Touch { player: (*player).to_owned(), text: text.clone(), cells, travels }
                    }
                });
            }
        }
        self.moves = moves;
        self
    }

    /// The cells that a move touches, by the names that they have: in another scene of the same
    /// game they may have other places.
    pub fn touched(&self, player: Option<&str>, text: &str) -> Option<(Vec<&str>, bool)> {
        let same = |m: &&Touch| m.text == text && player.is_none_or(|p| p == m.player);
        let touch = self.moves.iter().find(same)?;
        let names = touch.cells.iter().map(|&cell| self.cells[cell].name.as_str());
        Some((names.collect(), touch.travels))
    }

    /// Marks the cells of these names as those of the last move. Cells that are gone are not marked.
    pub fn mark_last(&mut self, names: &[&str]) {
        let cells: Vec<usize> = names.iter().filter_map(|name| self.named(name)).collect();
        if !cells.is_empty() {
            self.marks.push(Mark::Last { cells });
        }
    }

    /// Says something about a move that touches the cells of these names. What touches no cell, such
    /// as a pass, is said in a line below the board.
    pub fn mark_move(&mut self, mark: &MoveMark, names: &[&str], travels: bool) {
        let cells: Vec<usize> = names.iter().filter_map(|name| self.named(name)).collect();
        let MoveMark { quality, best, .. } = *mark;
        let text = mark.label.clone();
        match cells[..] {
            [] => self.notes.push(match text.as_str() {
                "" => mark.text.clone(),
                label => format!("{}: {label}", mark.text),
            }),
            [from, .., to] if travels => {
                self.marks.push(Mark::Arrow { from, to, text, quality, best });
            }
            _ => self.marks.push(Mark::Value { cells, text, quality, best }),
        }
    }

    /// Says what legal moves of this position are worth.
    pub fn mark_moves(&mut self, marks: &[MoveMark]) {
        for mark in marks {
            let touched = self.touched(mark.player.as_deref(), &mark.text);
            let (names, travels) = touched.unwrap_or_default();
            let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.mark_move(mark, &names, travels);
        }
    }
}

/// The names of cells, to be found in texts.
struct Names<'s> {
    places: HashMap<&'s str, usize>,
    /// How long names are, the longest first.
    lengths: Vec<usize>,
}

impl<'s> Names<'s> {
    fn of(cells: &'s [Cell]) -> Names<'s> {
        let named = cells.iter().enumerate().filter(|(_, cell)| !cell.name.is_empty());
        let places: HashMap<&str, usize> =
            named.rev().map(|(place, cell)| (cell.name.as_str(), place)).collect();
        let mut lengths: Vec<usize> = places.keys().map(|name| name.len()).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths.dedup();
        Names { places, lengths }
    }

    /// The cells whose names stand in a text, from left to right. Where several names begin at a
    /// place, the longest counts.
    fn within(&self, text: &str) -> Vec<usize> {
        let mut found = Vec::new();
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let here = |&length: &usize| {
                let name = rest.get(..length)?;
                Some((*self.places.get(name)?, length))
            };
            match self.lengths.iter().find_map(here) {
                Some((cell, length)) => {
                    found.push(cell);
                    rest = &rest[length..];
                }
                None => rest = &rest[letter.len_utf8()..],
            }
        }
        found
    }
}

/// A line broken at blanks, so that each part has so many characters at most where that can be.
pub fn wrapped(line: &str, most: usize) -> Vec<String> {
    let mut parts = vec![String::new()];
    for word in line.split_inclusive(' ') {
        let last = parts.len() - 1;
        let length = parts[last].chars().count();
        match length > 0 && length + word.trim_end().chars().count() > most {
            true => parts.push(word.to_owned()),
            false => parts[last].push_str(word),
        }
    }
    parts.iter_mut().for_each(|part| part.truncate(part.trim_end().len()));
    parts
}

/// The corners of a hexagon of width 1, two of its edges upright, the top first.
pub fn hexagon_corners([x, y]: Point) -> [Point; 6] {
    let (long, short) = (HEXAGON, HEXAGON / 2.0);
    [
        [x, y - long],
        [x + 0.5, y - short],
        [x + 0.5, y + short],
        [x, y + long],
        [x - 0.5, y + short],
        [x - 0.5, y - short],
    ]
}

/// How far a corner of such a hexagon is from its middle: the root of a third.
pub const HEXAGON: f64 = 0.577_350_269_189_625_8;

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Scene {
        let mut scene = Scene::new();
        for (i, name) in ["a1", "a11", "b2"].into_iter().enumerate() {
            scene.square(name, [i as f64, 0.0], Paint::Plain);
        }
        scene
    }

    fn moves(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn names_of_cells_are_found_in_moves_the_longest_first() {
        let mut scene = board();
        // What the game says itself stays, unless the move is not legal.
        scene.touch("o", "b2", [0], false);
        scene.touch("o", "a1", [0], false);
        let legal = [("x", moves(&["a11-b2", "a1b2", "pass", "b2=Q"])), ("o", moves(&["b2"]))];
        let scene = scene.with_moves(&legal);
        let cells: Vec<_> = scene.moves.iter().map(|m| (m.cells.clone(), m.travels)).collect();
        let expected = [
            (vec![1, 2], true),
            (vec![0, 2], true),
            (Vec::new(), false),
            (vec![2], false),
            (vec![0], false),
        ];
        assert_eq!(cells, expected);
        assert_eq!(scene.touched(Some("o"), "b2"), Some((vec!["a1"], false)));
        assert_eq!(scene.touched(Some("o"), "a1"), None);
    }

    #[test]
    fn long_lines_are_broken_at_blanks() {
        assert_eq!(wrapped("  3  x . .", 80), ["  3  x . ."]);
        assert_eq!(wrapped("(a 1) (b 2) (c 3)", 11), ["(a 1) (b 2)", "(c 3)"]);
        assert_eq!(wrapped("toolongaword x", 4), ["toolongaword", "x"]);
        assert_eq!(wrapped("", 4), [""]);
        let scene = Scene::of_text(&format!("{}\nend\n", "fact ".repeat(40)));
        let texts: Vec<&str> = scene.labels.iter().map(|l| l.text.as_str()).collect();
        assert_eq!((texts.len(), texts[3]), (4, "end"));
    }

    #[test]
    fn marks_go_to_cells_or_below_the_board() {
        let mut scene = board().with_moves(&[("x", moves(&["a1b2", "b2", "pass"]))]);
        let mark = |text: &str| MoveMark {
            player: None,
            text: text.to_owned(),
            label: "win".to_owned(),
            quality: Quality::Good,
            best: true,
        };
        scene.mark_moves(&[mark("a1b2"), mark("b2"), mark("pass")]);
        let (text, quality, best) = ("win".to_owned(), Quality::Good, true);
        let arrow = Mark::Arrow { from: 0, to: 2, text: text.clone(), quality, best };
        assert_eq!(scene.marks, [arrow, Mark::Value { cells: vec![2], text, quality, best }]);
        assert_eq!(scene.notes, ["pass: win"]);
        scene.mark_last(&["gone", "a11"]);
        assert_eq!(scene.marks[2], Mark::Last { cells: vec![1] });
    }
}
