//! Pictures that games share: boards of squares, points and hexagons, strips, tables and graphs.
//!
//! A game says what stands on a cell; where the cell is, is said here.

use std::ops::Range;

use foregone_model::scene::{Anchor, Glyph, Paint, Point, Scene, hexagon_corners, place};

use crate::board::{Grid, Word, write_cell, write_column};

/// What stands on a cell, if something does.
pub(crate) type Stand = Option<(Glyph, Paint)>;

/// How far rows of hexagons are apart: the height of a triangle of side 1.
const ROW: f64 = 0.866_025_403_784_438_6;

/// The size of coordinates.
const SMALL: f64 = 0.34;

/// The letters of a column.
pub(crate) fn column_name(col: u32) -> String {
    let mut name = String::new();
    write_column(col, &mut name);
    name
}

/// The name of a cell.
fn cell_name(row: u32, col: u32) -> String {
    let mut name = String::new();
    write_cell(row, col, &mut name);
    name
}

/// A disc of this colour for the first or the second player, by the symbol of a cell.
pub(crate) fn discs(symbol: char, paints: [Paint; 2]) -> Stand {
    match symbol {
        'x' => Some((Glyph::Disc, paints[0])),
        'o' => Some((Glyph::Disc, paints[1])),
        _ => None,
    }
}

/// A stone of Go, by the symbol of a point.
pub(crate) fn stone(symbol: char) -> Stand {
    discs(symbol, [Paint::Black, Paint::White])
}

/// A mark of tic-tac-toe, by the symbol of a cell.
pub(crate) fn noughts(symbol: char) -> Stand {
    match symbol {
        'x' => Some((Glyph::Cross, Paint::Blue)),
        'o' => Some((Glyph::Ring, Paint::Red)),
        _ => None,
    }
}

fn put(scene: &mut Scene, cell: usize, stand: Stand) {
    if let Some((glyph, paint)) = stand {
        scene.piece(cell, glyph, paint);
    }
}

impl<W: Word> Grid<W> {
    /// A board of squares, painted by row and column.
    pub(crate) fn painted(
        &self,
        paint: impl Fn(u32, u32) -> Paint,
        stand: impl Fn(u32) -> Stand,
    ) -> Scene {
        let mut scene = Scene::new();
        for cell in 0..self.rows * self.cols {
            let (row, col) = (cell / self.cols, cell % self.cols);
            let at = self.middle(cell);
            let number = scene.square(cell_name(row, col), at, paint(row, col));
            put(&mut scene, number, stand(cell));
        }
        self.coordinates(&mut scene, 0.78);
        scene
    }

    /// A board of squares.
    pub(crate) fn squares(&self, stand: impl Fn(u32) -> Stand) -> Scene {
        self.painted(|_, _| Paint::Plain, stand)
    }

    /// A board of dark and light squares, the first one dark.
    pub(crate) fn checkered(&self, stand: impl Fn(u32) -> Stand) -> Scene {
        self.painted(|row, col| [Paint::Dark, Paint::Light][(row + col) as usize % 2], stand)
    }

    /// A board of lines, with stones on their crossings.
    pub(crate) fn points(&self, stand: impl Fn(u32) -> Stand) -> Scene {
        let mut scene = Scene::new();
        let (right, down) = (f64::from(self.cols - 1), f64::from(self.rows - 1));
        let edge = 0.75;
        let corner = |x: f64, y: f64| [x, y];
        scene.area(
            [
                corner(-edge, -edge),
                corner(right + edge, -edge),
                corner(right + edge, down + edge),
                corner(-edge, down + edge),
            ],
            Paint::Wood,
        );
        for row in 0..self.rows {
            scene.line([[0.0, f64::from(row)], [right, f64::from(row)]], 0.03, Paint::Ink);
        }
        for col in 0..self.cols {
            scene.line([[f64::from(col), 0.0], [f64::from(col), down]], 0.03, Paint::Ink);
        }
        for row in stars(self.rows) {
            for col in stars(self.cols) {
                scene.dot([f64::from(col), f64::from(row)], 0.09, Paint::Ink);
            }
        }
        for cell in 0..self.rows * self.cols {
            let name = cell_name(cell / self.cols, cell % self.cols);
            let number = scene.square(name, self.middle(cell), Paint::None);
            put(&mut scene, number, stand(cell));
        }
        self.coordinates(&mut scene, 1.05);
        scene
    }

    /// Where a cell is: row 1 at the bottom.
    fn middle(&self, cell: u32) -> Point {
        [f64::from(cell % self.cols), f64::from(self.rows - 1 - cell / self.cols)]
    }

    /// Letters below and numbers at the side, so far from the middles of the outer cells.
    fn coordinates(&self, scene: &mut Scene, away: f64) {
        for row in 0..self.rows {
            let at = [-away, f64::from(self.rows - 1 - row)];
            scene.label(at, (row + 1).to_string(), SMALL, Paint::Faint);
        }
        for col in 0..self.cols {
            let at = [f64::from(col), f64::from(self.rows - 1) + away];
            scene.label(at, column_name(col), SMALL, Paint::Faint);
        }
    }
}

/// Where a Go board of this length has its dots.
fn stars(length: u32) -> Vec<u32> {
    match length {
        0..9 => Vec::new(),
        9..13 => vec![2, length - 3],
        13..18 => vec![3, length - 4],
        _ => vec![3, length / 2, length - 4],
    }
}

/// Rows of hexagons from the top. A row begins so many half cells to the right; its cells have
/// these numbers in the game, and are named by row and place.
pub(crate) fn hexagons(
    rows: impl IntoIterator<Item = (i32, Range<u32>)>,
    stand: impl Fn(u32) -> Stand,
) -> Scene {
    let mut scene = Scene::new();
    for (row, (indent, cells)) in (0..).zip(rows) {
        for (place, cell) in (0..).zip(cells) {
            let at = [f64::from(indent) / 2.0 + f64::from(place), f64::from(row) * ROW];
            let number = scene.hexagon(cell_name(row, place), at, Paint::Plain);
            put(&mut scene, number, stand(cell));
        }
    }
    scene
}

/// The numbers of rows of hexagons, each to the left of its row.
pub(crate) fn number_rows(scene: &mut Scene, first_cells: impl IntoIterator<Item = usize>) {
    for (row, cell) in (1..).zip(first_cells) {
        let [x, y] = scene.cells[cell].at;
        scene.label([x - 0.85, y], row.to_string(), SMALL, Paint::Faint);
    }
}

/// The borders of a rhombus of hexagons whose sides have this length: one colour above and below,
/// one to the left and right.
pub(crate) fn rhombus_borders(scene: &mut Scene, size: usize, upright: Paint, level: Paint) {
    const WIDTH: f64 = 0.13;
    let corners = |row: usize, col: usize| hexagon_corners(scene.cells[row * size + col].at);
    let last = size - 1;
    let top: Vec<Point> = (0..size).flat_map(|c| [5, 0, 1].map(|i| corners(0, c)[i])).collect();
    let bottom: Vec<Point> =
        (0..size).flat_map(|c| [4, 3, 2].map(|i| corners(last, c)[i])).collect();
    // The slanted sides begin and end where the others do.
    let left: Vec<Point> = (0..size)
        .flat_map(|r| {
            [5, 4, 3].map(|i| corners(r, 0)[i]).into_iter().take(3 - usize::from(r == last))
        })
        .collect();
    let right: Vec<Point> = (0..size)
        .flat_map(|r| [0, 1, 2].map(|i| corners(r, last)[i]).into_iter().skip(usize::from(r == 0)))
        .collect();
    for (points, paint) in [(left, level), (right, level), (top, upright), (bottom, upright)] {
        scene.line(points, WIDTH, paint);
    }
}

/// A strip of squares named 1, 2, …, with their numbers below.
pub(crate) fn strip(length: u32, stand: impl Fn(u32) -> Stand) -> Scene {
    let mut scene = Scene::new();
    for cell in 0..length {
        let paint = [Paint::Light, Paint::Dark][cell as usize % 2];
        let number = scene.square((cell + 1).to_string(), [f64::from(cell), 0.0], paint);
        put(&mut scene, number, stand(cell));
        scene.label([f64::from(cell), 0.78], (cell + 1).to_string(), SMALL, Paint::Faint);
    }
    scene
}

/// A row of boxes that belong to a player, each with a word on it: cards, or bids. Their names are
/// `PLAYER WORD`, and a move of the player with that word touches its box.
pub(crate) fn boxes(
    scene: &mut Scene,
    player: &str,
    words: impl IntoIterator<Item = String>,
    y: f64,
    paint: Paint,
) {
    scene.anchored([-0.9, y], player, 0.36, Anchor::End, Paint::Ink);
    for (place, word) in words.into_iter().enumerate() {
        let at = [place as f64 * 0.85, y];
        let cell = scene.rectangle(format!("{player} {word}"), at, [0.7, 0.9], Paint::Plain);
        scene.piece(cell, Glyph::Word(word.clone()), paint);
        scene.touch(player, word, [cell], false);
    }
}

/// A box of this width with a word on it and its name below it: a score, or how much is left.
pub(crate) fn counter(
    scene: &mut Scene,
    name: &str,
    at: Point,
    width: f64,
    word: impl Into<String>,
    paint: Paint,
) -> usize {
    let cell = scene.rectangle(name, at, [width, 1.0], paint);
    scene.piece(cell, Glyph::Word(word.into()), Paint::Ink);
    scene.label([at[0], at[1] + 0.8], name, SMALL, Paint::Faint);
    cell
}

/// A die that shows this number, or one in the air. What chance does touches it.
pub(crate) fn die(
    scene: &mut Scene,
    name: &str,
    at: Point,
    face: Option<u32>,
    rolls: impl IntoIterator<Item = String>,
) -> usize {
    let word = face.map_or_else(|| "?".to_owned(), |n| n.to_string());
    let cell = scene.rectangle(name, at, [0.8, 0.8], Paint::White);
    scene.piece(cell, Glyph::Word(word), Paint::Ink);
    for roll in rolls {
        scene.touch("chance", roll, [cell], false);
    }
    cell
}

/// Larger tables are shown in part.
const MOST_ROWS: usize = 16;

/// A table of what pairs of moves lead to: Max chooses a row, Min a column.
pub(crate) fn table(
    [rows, columns]: [&[String]; 2],
    entry: impl Fn(usize, usize) -> String,
    players: [&str; 2],
) -> Scene {
    let mut scene = Scene::new();
    let shown = [rows.len().min(MOST_ROWS), columns.len().min(MOST_ROWS)];
    let entries = (0..shown[0]).flat_map(|r| (0..shown[1]).map(move |c| (r, c)));
    let longest = |words: &mut dyn Iterator<Item = usize>| words.max().unwrap_or(1) as f64;
    let cell = longest(
        &mut entries
            .clone()
            .map(|(r, c)| entry(r, c).chars().count())
            .chain(columns[..shown[1]].iter().map(|w| w.chars().count())),
    );
    // A letter is about a fifth of a unit wide here.
    let width = f64::max(1.0, cell * 0.2 + 0.4);
    let margin = longest(&mut rows[..shown[0]].iter().map(|w| w.chars().count()));
    let margin = f64::max(1.0, margin * 0.2 + 0.4);
    let x = |column: usize| column as f64 * width;
    let side = -(width + margin) / 2.0 - 0.15;
    for (row, word) in rows[..shown[0]].iter().enumerate() {
        let at = [side, row as f64];
        let head =
            scene.rectangle(format!("{} {word}", players[0]), at, [margin, 0.86], Paint::Light);
        scene.piece(head, Glyph::Word(word.clone()), Paint::Blue);
        scene.touch(players[0], word, [head], false);
    }
    for (column, word) in columns[..shown[1]].iter().enumerate() {
        let at = [x(column), -1.1];
        let head = scene.rectangle(
            format!("{} {word}", players[1]),
            at,
            [width - 0.14, 0.86],
            Paint::Light,
        );
        scene.piece(head, Glyph::Word(word.clone()), Paint::Red);
        scene.touch(players[1], word, [head], false);
    }
    for (row, column) in entries {
        let at = [x(column), row as f64];
        let name = format!("{}/{}", rows[row], columns[column]);
        let number = scene.rectangle(name, at, [width, 1.0], Paint::Plain);
        scene.piece(number, Glyph::Word(entry(row, column)), Paint::Ink);
    }
    scene.label([side, -1.1], format!("{} / {}", players[0], players[1]), 0.26, Paint::Faint);
    if shown != [rows.len(), columns.len()] {
        let note = format!(
            "{} of {} rows and {} of {} columns",
            shown[0],
            rows.len(),
            shown[1],
            columns.len()
        );
        scene.notes.push(note);
    }
    scene
}

/// A node of a graph.
pub(crate) struct GraphNode {
    /// Its name; no two nodes share one.
    pub(crate) name: String,
    /// Where one goes from here, by places in the list, and what is written on the way.
    pub(crate) next: Vec<(usize, String)>,
    /// Its colour.
    pub(crate) paint: Paint,
    /// What stands below its name.
    pub(crate) caption: String,
}

/// A graph in layers: the first node alone, below it the nodes that it leads to, and so on. All nodes
/// must be reached from the first.
pub(crate) fn graph(nodes: &[GraphNode]) -> Scene {
    const APART: f64 = 1.7;
    /// Half the height of a node.
    const HALF: f64 = 0.42;
    let mut depth = vec![usize::MAX; nodes.len()];
    let mut layers: Vec<Vec<usize>> = Vec::new();
    let mut todo = std::collections::VecDeque::from([(0, 0)]);
    while let Some((node, at)) = todo.pop_front() {
        if depth[node] != usize::MAX {
            continue;
        }
        depth[node] = at;
        if layers.len() <= at {
            layers.push(Vec::new());
        }
        layers[at].push(node);
        todo.extend(nodes[node].next.iter().map(|&(next, _)| (next, at + 1)));
    }
    let widths: Vec<f64> =
        nodes.iter().map(|n| f64::max(1.0, n.name.chars().count() as f64 * 0.2 + 0.5)).collect();
    let mut middles = vec![[0.0, 0.0]; nodes.len()];
    for (y, layer) in layers.iter().enumerate() {
        let whole: f64 = layer.iter().map(|&n| widths[n] + 0.5).sum();
        let mut x = -whole / 2.0;
        for &node in layer {
            middles[node] = [x + (widths[node] + 0.5) / 2.0, y as f64 * APART];
            x += widths[node] + 0.5;
        }
    }
    let mut scene = Scene::new();
    // Edges that do not go to the next layer go round the whole graph, each in a lane of its own.
    let right = (0..nodes.len()).map(|n| middles[n][0] + widths[n] / 2.0).fold(0.0, f64::max);
    let mut lane = right;
    for (from, node) in nodes.iter().enumerate() {
        for &(to, ref word) in &node.next {
            let ([x1, y1], [x2, y2]) = (middles[from], middles[to]);
            if depth[to] == depth[from] + 1 {
                let (start, end) = ([x1, y1 + HALF], [x2, y2 - HALF - 0.08]);
                scene.arrow([start, end], 0.04, Paint::Faint);
                // Ways that leave one node are far enough apart near their ends.
                edge_word(&mut scene, word, [x1 + (x2 - x1) * 0.7 + 0.12, end[1] - 0.3]);
                continue;
            }
            lane += 0.3;
            let (out, into) = (y1 + HALF + 0.16, y2 - HALF - 0.2);
            let way = [
                [x1 + 0.25, y1 + HALF],
                [x1 + 0.25, out],
                [lane, out],
                [lane, into],
                [x2 + 0.2, into],
                [x2 + 0.2, y2 - HALF - 0.08],
            ];
            scene.arrow(way, 0.04, Paint::Faint);
            edge_word(&mut scene, word, [x1 + 0.37, out - 0.08]);
        }
    }
    for (i, node) in nodes.iter().enumerate() {
        let [x, y] = middles[i];
        let number = scene.rectangle(&*node.name, [x, y], [widths[i], 2.0 * HALF], node.paint);
        // The name stands a little higher, to leave room below it.
        scene.cells[number].at = place([x, y - 0.12]);
        scene.piece(number, Glyph::Word(node.name.clone()), Paint::Ink);
        scene.label([x, y + 0.24], &*node.caption, 0.24, Paint::Ink);
    }
    scene
}

/// A word beside the way from one node to another, if there is one.
fn edge_word(scene: &mut Scene, word: &str, at: Point) {
    if !word.is_empty() {
        scene.anchored(at, word, 0.26, Anchor::Start, Paint::Ink);
    }
}
