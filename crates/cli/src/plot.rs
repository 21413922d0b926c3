//! Plots as SVG: points and lines over logarithmic axes, numbers or groups.

use std::fmt::Write;

/// What stands along an axis.
#[derive(Clone, Debug)]
pub(crate) enum Scale {
    /// Powers of ten.
    Decades,
    /// Numbers from 0 on.
    Numbers,
    /// Groups beside each other: the first one from 0 to 1, the next one to 2, and so on.
    Groups(Vec<String>),
}

/// An axis.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// What it shows.
    pub(crate) name: String,
    /// What stands along it.
    pub(crate) scale: Scale,
}

impl Axis {
    /// An axis of powers of ten.
    pub(crate) fn decades(name: impl Into<String>) -> Axis {
        Axis { name: name.into(), scale: Scale::Decades }
    }
}

/// A point; above zero where an axis has powers of ten.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    /// To the right.
    pub(crate) x: f64,
    /// Upwards.
    pub(crate) y: f64,
    /// A point that is only a lower bound.
    pub(crate) faint: bool,
}

/// Points that belong together, of one shape and colour.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    /// What they are.
    pub(crate) name: String,
    /// The points.
    pub(crate) points: Vec<Point>,
    /// Whether a line joins them.
    pub(crate) joined: bool,
}

/// A plot.
#[derive(Debug)]
pub(crate) struct Plot {
    /// What it shows.
    pub(crate) title: String,
    /// To the right.
    pub(crate) x: Axis,
    /// Upwards.
    pub(crate) y: Axis,
    /// What is drawn.
    pub(crate) series: Vec<Series>,
    /// Whether both axes have the same range, so that points on the diagonal are equal in both.
    pub(crate) square: bool,
}

const SIZE: f64 = 480.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;
/// The least width of a group.
const GROUP: f64 = 90.0;
/// The width of a letter, roughly.
const LETTER: f64 = 7.0;
/// Shorter times than this are noise.
const LEAST: f64 = 1e-6;

/// Colours that people tell apart who see colours otherwise, too (M. Okabe and K. Ito, 2008), behind
/// two that are older here.
const COLOURS: [&str; 8] =
    ["#1f5fbf", "#c33", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#000", "#d55e00"];

/// The range of an axis, and where it lies on paper.
struct Range {
    low: f64,
    high: f64,
    decades: bool,
}

impl Range {
    fn of(scale: &Scale, values: &[f64]) -> Range {
        match scale {
            Scale::Groups(names) => {
                Range { low: 0.0, high: names.len().max(1) as f64, decades: false }
            }
            Scale::Numbers => {
                let most = values.iter().copied().fold(1.0, f64::max);
                Range { low: 0.0, high: most, decades: false }
            }
            Scale::Decades => {
                let all = || values.iter().map(|&v| v.max(LEAST).log10());
                let low = all().fold(f64::INFINITY, f64::min).floor();
                let high = all().fold(f64::NEG_INFINITY, f64::max).ceil();
                // Without points there is still a frame, and one point has a decade around it.
                let (low, high) = match (low.is_finite(), low < high) {
                    (false, _) => (-3.0, 0.0),
                    (true, false) => (low, low + 1.0),
                    (true, true) => (low, high),
                };
                Range { low, high, decades: true }
            }
        }
    }

    /// Where a value lies, from 0 to 1.
    fn place(&self, value: f64) -> f64 {
        let value = if self.decades { value.max(LEAST).log10() } else { value };
        (value - self.low) / (self.high - self.low)
    }

    /// The values that are written, each with its text.
    fn ticks(&self, scale: &Scale) -> Vec<(f64, String)> {
        match scale {
            Scale::Decades => {
                let text = |e: i32| format!("10<tspan dy=\"-5\" font-size=\"9\">{e}</tspan>");
                let exponents = self.low as i32..=self.high as i32;
                exponents.map(|e| (10f64.powi(e), text(e))).collect()
            }
            Scale::Numbers => {
                let step = (self.high / 8.0).ceil().max(1.0);
                let values = (0..).map(|i| f64::from(i) * step);
                values.take_while(|&v| v <= self.high).map(|v| (v, format!("{v}"))).collect()
            }
            Scale::Groups(names) => {
                let middle = |(i, name): (usize, &String)| (i as f64 + 0.5, escaped(name));
                names.iter().enumerate().map(middle).collect()
            }
        }
    }
}

/// Where things are on paper.
struct Paper {
    x: Range,
    y: Range,
    width: f64,
}

impl Paper {
    fn x(&self, value: f64) -> f64 {
        LEFT + self.x.place(value) * self.width
    }

    fn y(&self, value: f64) -> f64 {
        TOP + SIZE - self.y.place(value) * SIZE
    }
}

impl Plot {
    /// The plot as an SVG document.
    pub(crate) fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let (mut xs, mut ys): (Vec<f64>, Vec<f64>) = points().map(|p| (p.x, p.y)).unzip();
        if self.square {
            xs.extend_from_slice(&ys);
            ys.clone_from(&xs);
        }
        let width = match &self.x.scale {
            Scale::Groups(names) => SIZE.max(GROUP * names.len() as f64),
            Scale::Decades | Scale::Numbers => SIZE,
        };
        let (x, y) = (Range::of(&self.x.scale, &xs), Range::of(&self.y.scale, &ys));
        let paper = Paper { x, y, width };
        let longest = self.series.iter().map(|s| s.name.chars().count()).max().unwrap_or(0);
        let names = match &self.x.scale {
            Scale::Groups(names) => names.iter().map(|n| n.chars().count()).max().unwrap_or(0),
            Scale::Decades | Scale::Numbers => 0,
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" \
             height=\"{h}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"white\"/>\n",
            w = LEFT + width + 50.0 + LETTER * longest as f64,
            h = TOP + SIZE + 60.0 + 0.5 * LETTER * names as f64,
        );
        self.frame(&mut svg, &paper, 0.5 * LETTER * names as f64);
        for (number, series) in self.series.iter().enumerate() {
            draw(&mut svg, series, number, &paper);
            // The legend stands beside the frame, where no points are.
            let (x, y) = (LEFT + width + 20.0, TOP + 10.0 + 20.0 * number as f64);
            mark(&mut svg, number, x, y, false);
            let name = escaped(&series.name);
            let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{name}</text>", x + 14.0, y + 4.0);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// The title, the axes and the lines behind the points; names of groups take so much height.
    fn frame(&self, svg: &mut String, paper: &Paper, names: f64) {
        let (right, bottom) = (LEFT + paper.width, TOP + SIZE);
        let (middle, width) = (LEFT + paper.width / 2.0, paper.width);
        let centred = "text-anchor=\"middle\"";
        let grid = "stroke=\"#ccc\" stroke-width=\"0.5\"";
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"24\" {centred}>{}</text>\n\
             <rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{SIZE}\" fill=\"none\" \
             stroke=\"black\"/>",
            escaped(&self.title)
        );
        for (value, text) in paper.x.ticks(&self.x.scale) {
            let (x, below) = (paper.x(value), bottom + 20.0);
            let _ = match &self.x.scale {
                // Long names stand aslant, and lines between groups.
                Scale::Groups(_) => writeln!(
                    svg,
                    "<path d=\"M{edge:.1} {TOP}V{bottom}\" {grid}/>\n\
                     <text transform=\"translate({x:.1} {below:.1}) rotate(-25)\" \
                     text-anchor=\"end\">{text}</text>",
                    edge = paper.x(value - 0.5),
                ),
                Scale::Decades | Scale::Numbers => writeln!(
                    svg,
                    "<path d=\"M{x:.1} {TOP}V{bottom}\" {grid}/>\n\
                     <text x=\"{x:.1}\" y=\"{below:.1}\" {centred}>{text}</text>"
                ),
            };
        }
        for (value, text) in paper.y.ticks(&self.y.scale) {
            let y = paper.y(value);
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT} {y:.1}H{right}\" {grid}/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                LEFT - 8.0,
                y + 4.0,
            );
        }
        if self.square {
            let dashes = "stroke=\"#888\" stroke-dasharray=\"4 4\"";
            let _ = writeln!(svg, "<path d=\"M{LEFT} {bottom}L{right} {TOP}\" {dashes}/>");
        }
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" {centred}>{}</text>\n\
             <text transform=\"translate(18 {}) rotate(-90)\" {centred}>{}</text>",
            bottom + 45.0 + names,
            escaped(&self.x.name),
            TOP + SIZE / 2.0,
            escaped(&self.y.name),
        );
    }
}

fn draw(svg: &mut String, series: &Series, number: usize, paper: &Paper) {
    if series.joined && series.points.len() > 1 {
        let place = |p: &Point| format!("{:.1} {:.1}", paper.x(p.x), paper.y(p.y));
        let path: Vec<String> = series.points.iter().map(place).collect();
        let colour = COLOURS[number % COLOURS.len()];
        let _ = writeln!(
            svg,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" opacity=\"0.8\"/>",
            path.join("L")
        );
    }
    for p in &series.points {
        mark(svg, number, paper.x(p.x), paper.y(p.y), p.faint);
    }
}

/// The mark of a series: its shape and its colour follow from its number.
fn mark(svg: &mut String, number: usize, x: f64, y: f64, faint: bool) {
    let opacity = if faint { 0.25 } else { 0.8 };
    let colour = COLOURS[number % COLOURS.len()];
    let style = format!("fill=\"none\" stroke=\"{colour}\" opacity=\"{opacity}\"");
    let (left, top) = (x - 3.0, y - 3.0);
    let path = match number % 6 {
        0 => {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" {style}/>");
            return;
        }
        1 => format!("M{left:.1} {top:.1}l6 6m0 -6l-6 6"),
        2 => format!("M{left:.1} {top:.1}h6v6h-6z"),
        3 => format!("M{x:.1} {:.1}l4 7h-8z", y - 4.0),
        4 => format!("M{x:.1} {:.1}l4 4l-4 4l-4 -4z", y - 4.0),
        _ => format!("M{x:.1} {:.1}v8m-4 -4h8", y - 4.0),
    };
    let _ = writeln!(svg, "<path d=\"{path}\" {style}/>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
