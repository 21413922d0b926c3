//! Scenes as SVG: the one renderer of all games.
//!
//! The picture brings its own paper, so that it looks the same on light and dark pages. It is made of
//! plain shapes and needs no style sheet, no script and no font that a system does not have.

use foregone_model::scene::{
    Anchor, Cell, Glyph, Label, Mark, Paint, Piece, Point, Quality, Scene, Shape,
};

/// A picture as an SVG document; `title` is what a screen reader says.
pub fn svg(scene: &Scene, title: &str) -> String {
    Renderer::new(scene).render(scene, title)
}

/// The paper.
pub(crate) const PAPER: &str = "#fbfaf6";
/// Text and lines on it.
pub(crate) const INK: &str = "#3b3f46";
/// Lines and text that stay behind.
pub(crate) const FAINT: &str = "#8d939b";
/// The letters of all words.
pub(crate) const FONT: &str = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
const MONO: &str = "ui-monospace, 'DejaVu Sans Mono', Consolas, monospace";
const FIGURES: &str = "'DejaVu Sans', 'Segoe UI Symbol', 'Apple Symbols', 'Noto Sans Symbols2'";
/// The last move.
const LAST: &str = "#d9822b";

/// A colour and that of its outline.
fn colours(paint: Paint) -> (&'static str, &'static str) {
    match paint {
        Paint::None => ("none", "none"),
        Paint::Plain => ("#f2eee4", "#cdc5b4"),
        Paint::Light => ("#efe7d8", "#cdc0a8"),
        Paint::Dark => ("#c9b393", "#b39d7c"),
        Paint::Wood => ("#e8cfa0", "#c9ab74"),
        Paint::Felt => ("#8fb39a", "#74997f"),
        Paint::Frame => ("#5d7fa8", "#4d6d94"),
        Paint::Wall => ("#6f757e", "#5a6068"),
        Paint::Ink => (INK, INK),
        Paint::Faint => (FAINT, FAINT),
        Paint::PaleBlue => ("#d9e4f0", "#8aa6c6"),
        Paint::PaleRed => ("#f3dcd6", "#cf9a8d"),
        Paint::Red => ("#c8553d", "#96392a"),
        Paint::Blue => ("#3f70a8", "#2b5180"),
        Paint::Yellow => ("#e9bf4d", "#b88f25"),
        Paint::Green => ("#5f9c6c", "#41754d"),
        Paint::Orange => ("#d98a48", "#a8642b"),
        Paint::Violet => ("#8c70ae", "#664d86"),
        Paint::Black => ("#33363b", "#15171a"),
        Paint::White => ("#fefefc", "#4a4e55"),
    }
}

fn quality_colour(quality: Quality) -> &'static str {
    match quality {
        Quality::Good => "#2f8a57",
        Quality::Even => "#a07c22",
        Quality::Bad => "#bb4a3c",
        Quality::Neutral => "#6b7280",
    }
}

/// A text as XML has it. Characters that XML does not know are replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A number with two decimals at most.
pub(crate) fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// How wide a text is, about, in units of its size.
pub(crate) fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * 0.56
}

/// How far a picture is larger than what is on it.
const MARGIN: f64 = 0.4;
/// How far lines of text below the board are apart.
const NOTE: f64 = 0.48;
/// The size of their letters.
const NOTE_SIZE: f64 = 0.36;

/// How large a cell is, and where the picture begins.
struct Renderer {
    scale: f64,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    out: String,
}

impl Renderer {
    fn new(scene: &Scene) -> Renderer {
        let mut extent = Renderer {
            scale: 1.0,
            left: f64::INFINITY,
            top: f64::INFINITY,
            right: f64::NEG_INFINITY,
            bottom: f64::NEG_INFINITY,
            out: String::new(),
        };
        scene.cells.iter().flat_map(|c| &c.outline).for_each(|&p| extent.hold(p, 0.0));
        for shape in &scene.shapes {
            match shape {
                Shape::Line { points, width, .. } => {
                    points.iter().for_each(|&p| extent.hold(p, width / 2.0));
                }
                Shape::Area { points, .. } => points.iter().for_each(|&p| extent.hold(p, 0.0)),
                Shape::Dot { at, radius, .. } => extent.hold(*at, *radius),
            }
        }
        for Label { at: [x, y], text, size, anchor, mono, .. } in &scene.labels {
            let width = if *mono { text.chars().count() as f64 * 0.61 } else { width_of(text) };
            let width = width * size;
            let begin = match anchor {
                Anchor::Start => *x,
                Anchor::Middle => x - width / 2.0,
                Anchor::End => x - width,
            };
            extent.hold([begin, y - size / 2.0], 0.0);
            extent.hold([begin + width, y + size / 2.0], 0.0);
        }
        if extent.left > extent.right {
            (extent.left, extent.right, extent.top, extent.bottom) = (0.0, 0.0, 0.0, 0.0);
        }
        for (line, note) in scene.notes.iter().enumerate() {
            let below = extent.bottom + if line == 0 { NOTE * 1.2 } else { NOTE };
            extent.hold([extent.left + width_of(note) * NOTE_SIZE, below], 0.0);
        }
        let size = f64::max(extent.right - extent.left, extent.bottom - extent.top);
        extent.scale = (480.0 / (size + 2.0 * MARGIN)).clamp(24.0, 56.0);
        extent
    }

    fn hold(&mut self, [x, y]: Point, around: f64) {
        self.left = self.left.min(x - around);
        self.right = self.right.max(x + around);
        self.top = self.top.min(y - around);
        self.bottom = self.bottom.max(y + around);
    }

    fn x(&self, x: f64) -> String {
        number((x - self.left + MARGIN) * self.scale)
    }

    fn y(&self, y: f64) -> String {
        number((y - self.top + MARGIN) * self.scale)
    }

    fn length(&self, length: f64) -> String {
        number(length * self.scale)
    }

    fn points(&self, points: &[Point]) -> String {
        let pairs: Vec<String> =
            points.iter().map(|&[x, y]| format!("{},{}", self.x(x), self.y(y))).collect();
        pairs.join(" ")
    }

    fn add(&mut self, element: &str) {
        self.out.push_str(element);
        self.out.push('\n');
    }

    fn render(mut self, scene: &Scene, title: &str) -> String {
        let (width, height) = (
            self.length(self.right - self.left + 2.0 * MARGIN),
            self.length(self.bottom - self.top + 2.0 * MARGIN),
        );
        self.add(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONT}\">"
        ));
        self.add(&format!("<title>{}</title>", escaped(title)));
        let round = self.length(0.2);
        self.add(&format!(
            "<rect width=\"{width}\" height=\"{height}\" rx=\"{round}\" fill=\"{PAPER}\"/>"
        ));
        let areas = |s: &&Shape| matches!(s, Shape::Area { .. });
        scene.shapes.iter().filter(areas).for_each(|shape| self.shape(shape));
        scene.cells.iter().for_each(|cell| self.cell(cell));
        scene.shapes.iter().filter(|s| !areas(s)).for_each(|shape| self.shape(shape));
        scene.labels.iter().for_each(|label| self.label(label));
        for mark in &scene.marks {
            self.below(mark, &scene.cells);
        }
        for piece in &scene.pieces {
            if let Some(cell) = scene.cells.get(piece.cell) {
                self.piece(piece, cell);
            }
        }
        // The best moves lie over all others.
        for top in [false, true] {
            for mark in scene.marks.iter().filter(|mark| mark.is_best() == top) {
                self.above(mark, &scene.cells);
            }
        }
        let first = self.bottom - NOTE * (scene.notes.len() as f64 - 1.0);
        for (line, note) in scene.notes.iter().enumerate() {
            let at = [self.left, first + line as f64 * NOTE];
            self.text(at, note, NOTE_SIZE, "start", INK, "");
        }
        self.add("</svg>");
        self.out
    }

    fn cell(&mut self, cell: &Cell) {
        let (fill, stroke) = colours(cell.paint);
        // What is not seen can still be clicked.
        let clickable = if fill == "none" { " pointer-events=\"all\"" } else { "" };
        self.add(&format!(
            "<polygon data-cell=\"{}\" points=\"{}\" fill=\"{fill}\" stroke=\"{stroke}\" \
             stroke-width=\"{}\" stroke-linejoin=\"round\"{clickable}/>",
            escaped(&cell.name),
            self.points(&cell.outline),
            self.length(0.03),
        ));
    }

    fn shape(&mut self, shape: &Shape) {
        let element = match shape {
            Shape::Area { points, paint } => {
                let (fill, stroke) = colours(*paint);
                let (points, width) = (self.points(points), self.length(0.03));
                format!(
                    "<polygon points=\"{points}\" fill=\"{fill}\" stroke=\"{stroke}\" \
                     stroke-width=\"{width}\" stroke-linejoin=\"round\"/>"
                )
            }
            Shape::Dot { at: [x, y], radius, paint } => format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>",
                self.x(*x),
                self.y(*y),
                self.length(*radius),
                colours(*paint).0
            ),
            Shape::Line { points, width, arrow, paint } => {
                let colour = colours(*paint).0;
                if let (true, [.., before, last]) = (*arrow, &points[..]) {
                    let head = self.head(*before, *last, f64::max(0.16, width * 2.5));
                    self.add(&format!("<polygon points=\"{head}\" fill=\"{colour}\"/>"));
                }
                format!(
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" \
                     stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
                    self.points(points),
                    self.length(*width)
                )
            }
        };
        self.add(&element);
    }

    /// The corners of an arrow head of this length whose tip is a little beyond `to`.
    fn head(&self, from: Point, to: Point, length: f64) -> String {
        let [dx, dy] = direction(from, to);
        let tip = [to[0] + dx * length * 0.5, to[1] + dy * length * 0.5];
        let back = [to[0] - dx * length * 0.5, to[1] - dy * length * 0.5];
        let half = length * 0.5;
        self.points(&[
            tip,
            [back[0] - dy * half, back[1] + dx * half],
            [back[0] + dy * half, back[1] - dx * half],
        ])
    }

    fn label(&mut self, label: &Label) {
        let anchor = match label.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let mono = format!(" font-family=\"{MONO}\" xml:space=\"preserve\"");
        let more = if label.mono { mono.as_str() } else { "" };
        self.text(label.at, &label.text, label.size, anchor, colours(label.paint).0, more);
    }

    /// A line of text whose letters stand around the height of a place.
    fn text(&mut self, [x, y]: Point, text: &str, size: f64, anchor: &str, fill: &str, more: &str) {
        self.add(&format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\" \
             fill=\"{fill}\"{more}>{}</text>",
            self.x(x),
            self.y(y + size * 0.35),
            self.length(size),
            escaped(text)
        ));
    }

    fn piece(&mut self, piece: &Piece, cell: &Cell) {
        let ([x, y], size) = (cell.at, cell_size(cell));
        let (fill, stroke) = colours(piece.paint);
        match &piece.glyph {
            Glyph::Disc => {
                // Stones on lines touch each other.
                let radius = size * if cell.paint == Paint::None { 0.46 } else { 0.38 };
                self.circle([x, y], radius, fill, stroke, 0.035);
            }
            Glyph::Ring => self.circle([x, y], size * 0.27, "none", fill, size * 0.09),
            Glyph::Cross => {
                let (r, width) = (size * 0.25, self.length(size * 0.1));
                for points in [[[x - r, y - r], [x + r, y + r]], [[x - r, y + r], [x + r, y - r]]] {
                    self.add(&format!(
                        "<polyline points=\"{}\" fill=\"none\" stroke=\"{fill}\" \
                         stroke-width=\"{width}\" stroke-linecap=\"round\"/>",
                        self.points(&points)
                    ));
                }
            }
            Glyph::Block => {
                let points = self.points(&inset(cell, 0.1));
                self.add(&format!(
                    "<polygon points=\"{points}\" fill=\"{fill}\" stroke=\"{fill}\" \
                     stroke-width=\"{}\" stroke-linejoin=\"round\"/>",
                    self.length(0.08)
                ));
            }
            Glyph::Seeds(count) => self.seeds(*count, [x, y], cell, piece.paint),
            Glyph::Figure(text) => {
                // The outline stands behind the figure; the last character asks for a plain
                // figure where a system has a coloured one.
                let width = if piece.paint == Paint::Black { 0.03 } else { 0.05 };
                let outline = if piece.paint == Paint::Black { PAPER } else { stroke };
                let more = format!(
                    " font-family=\"{FIGURES}\" stroke=\"{outline}\" stroke-width=\"{}\" \
                     stroke-linejoin=\"round\" paint-order=\"stroke\"",
                    self.length(size * width)
                );
                let text = format!("{text}\u{fe0e}");
                self.text([x, y], &text, size * 0.82, "middle", fill, &more);
            }
            Glyph::Word(text) => {
                let room = cell_width(cell) * 0.88;
                let size = f64::min(0.38, room / width_of(text).max(0.5));
                self.text([x, y], text, size, "middle", fill, "");
            }
        }
    }

    fn circle(&mut self, [x, y]: Point, radius: f64, fill: &str, stroke: &str, width: f64) {
        self.add(&format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{fill}\" stroke=\"{stroke}\" \
             stroke-width=\"{}\"/>",
            self.x(x),
            self.y(y),
            self.length(radius),
            self.length(width)
        ));
    }

    /// Small stones as a sunflower has its seeds: none covers another.
    fn seeds(&mut self, count: u32, [x, y]: Point, cell: &Cell, paint: Paint) {
        const MOST: u32 = 60;
        let (fill, stroke) = colours(paint);
        if count > MOST {
            return self.text([x, y], &count.to_string(), 0.38, "middle", INK, "");
        }
        // The golden angle.
        const TURN: f64 = 2.399_963_229_728_653;
        let size = cell_size(cell);
        let apart = f64::min(0.14, 0.37 / f64::from(count.max(1)).sqrt()) * size;
        for seed in 0..count {
            let (angle, away) = (f64::from(seed) * TURN, (f64::from(seed) + 0.4).sqrt() * apart);
            let away = if count == 1 { 0.0 } else { away };
            let at = [x + away * angle.cos(), y + away * angle.sin()];
            self.circle(at, apart * 0.68, fill, stroke, 0.02);
        }
    }

    /// What lies between a cell and its piece.
    fn below(&mut self, mark: &Mark, cells: &[Cell]) {
        match mark {
            Mark::Last { cells: touched } => {
                for cell in touched.iter().filter_map(|&c| cells.get(c)) {
                    if cell.paint == Paint::None {
                        self.circle(cell.at, cell_size(cell) * 0.52, "none", LAST, 0.07);
                    } else {
                        self.outlined(cell, LAST, 0.16);
                    }
                }
            }
            Mark::Value { cells: touched, quality, best: true, .. } => {
                for cell in touched.iter().filter_map(|&c| cells.get(c)) {
                    self.outlined(cell, quality_colour(*quality), 0.2);
                }
            }
            Mark::Value { .. } | Mark::Arrow { .. } => {}
        }
    }

    /// The inside of a cell, tinted and with a thick edge.
    fn outlined(&mut self, cell: &Cell, colour: &str, opacity: f64) {
        let points = self.points(&inset(cell, 0.04));
        self.add(&format!(
            "<polygon points=\"{points}\" fill=\"{colour}\" fill-opacity=\"{opacity}\" \
             stroke=\"{colour}\" stroke-width=\"{}\" stroke-linejoin=\"round\"/>",
            self.length(0.06)
        ));
    }

    /// What lies over the pieces.
    fn above(&mut self, mark: &Mark, cells: &[Cell]) {
        match mark {
            Mark::Last { .. } => {}
            Mark::Value { cells: touched, text, quality, .. } => {
                if let Some(cell) = touched.first().and_then(|&c| cells.get(c)) {
                    let room = f64::max(cell_width(cell), 0.45);
                    self.badge(cell.at, text, *quality, room);
                }
            }
            Mark::Arrow { from, to, text, quality, best } => {
                let (Some(from), Some(to)) = (cells.get(*from), cells.get(*to)) else { return };
                let (colour, [dx, dy]) = (quality_colour(*quality), direction(from.at, to.at));
                let width = if *best { 0.11 } else { 0.06 };
                let begin = [from.at[0] + dx * 0.12, from.at[1] + dy * 0.12];
                let end = [to.at[0] - dx * 0.22, to.at[1] - dy * 0.22];
                let (line, head) = (self.points(&[begin, end]), self.head(begin, end, 0.36));
                self.add(&format!(
                    "<g opacity=\"0.85\"><polyline points=\"{line}\" fill=\"none\" \
                     stroke=\"{colour}\" stroke-width=\"{}\" stroke-linecap=\"round\"/>\
                     <polygon points=\"{head}\" fill=\"{colour}\"/></g>",
                    self.length(width)
                ));
                // On the cell that it leads to, on the side that it comes from: the arrows of one piece
                // begin together, and those of several may end together.
                let at = [to.at[0] - dx * 0.34, to.at[1] - dy * 0.34];
                self.badge(at, text, *quality, 0.44);
            }
        }
    }

    /// A word on a coloured ground, which fits the room.
    fn badge(&mut self, [x, y]: Point, text: &str, quality: Quality, room: f64) {
        if text.is_empty() {
            return;
        }
        // Thick letters are a little wider.
        let wide = width_of(text) * 1.1 + 0.7;
        let size = f64::min(0.3, room * 0.92 / wide);
        let height = size * 1.45;
        let width = f64::max(wide * size, height);
        self.add(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{}\" \
             stroke=\"{PAPER}\" stroke-width=\"{}\"/>",
            self.x(x - width / 2.0),
            self.y(y - height / 2.0),
            self.length(width),
            self.length(height),
            self.length(height / 2.0),
            quality_colour(quality),
            self.length(0.03)
        ));
        self.text([x, y], text, size, "middle", "#ffffff", " font-weight=\"600\"");
    }
}

fn direction(from: Point, to: Point) -> Point {
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let length = (dx * dx + dy * dy).sqrt();
    if length == 0.0 { [0.0, 1.0] } else { [dx / length, dy / length] }
}

fn span(cell: &Cell, axis: usize) -> f64 {
    let least = cell.outline.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
    let most = cell.outline.iter().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max);
    f64::max(most - least, 0.0)
}

fn cell_width(cell: &Cell) -> f64 {
    span(cell, 0)
}

fn cell_size(cell: &Cell) -> f64 {
    f64::min(span(cell, 0), span(cell, 1))
}

/// The corners of a cell, this far inside of it.
fn inset(cell: &Cell, by: f64) -> Vec<Point> {
    let shrink = |axis: usize, p: &Point| {
        let half = span(cell, axis) / 2.0;
        let kept = if half > 0.0 { 1.0 - f64::min(by, half * 0.4) / half } else { 1.0 };
        cell.at[axis] + (p[axis] - cell.at[axis]) * kept
    };
    cell.outline.iter().map(|p| [shrink(0, p), shrink(1, p)]).collect()
}
