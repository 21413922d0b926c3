//! A scatter plot with logarithmic axes, as SVG.

use std::fmt::Write;

/// The shape of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A ring.
    Circle,
    /// A cross.
    Cross,
}

/// A point; both coordinates above zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// To the right.
    pub(super) x: f64,
    /// Upwards.
    pub(super) y: f64,
    /// Its shape.
    pub(super) mark: Mark,
    /// A point that is only a lower bound.
    pub(super) faint: bool,
}

/// A plot.
#[derive(Debug)]
pub(super) struct Plot {
    /// What it shows.
    pub(super) title: String,
    /// The name of the axis to the right.
    pub(super) x_name: String,
    /// The name of the axis upwards.
    pub(super) y_name: String,
    /// What the shapes mean.
    pub(super) legend: Vec<(Mark, String)>,
    /// The points.
    pub(super) points: Vec<Point>,
}

const SIZE: f64 = 480.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;
/// Shorter times than this are noise.
const LEAST: f64 = 1e-6;

impl Plot {
    /// The plot as an SVG document. Both axes have the same range, so that the diagonal is where
    /// both are equally fast.
    pub(super) fn svg(&self) -> String {
        let decade = |v: f64| v.max(LEAST).log10();
        let all = || self.points.iter().flat_map(|p| [decade(p.x), decade(p.y)]);
        let low = all().fold(f64::INFINITY, f64::min).floor();
        let high = all().fold(f64::NEG_INFINITY, f64::max).ceil();
        // Without points there is still a frame.
        let (low, high) = if low < high { (low, high) } else { (-3.0, 0.0) };
        let place = |v: f64| (decade(v) - low) / (high - low) * SIZE;
        let (x_at, y_at) = (|v| LEFT + place(v), |v| TOP + SIZE - place(v));

        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" \
             height=\"{h}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"white\"/>\n",
            w = LEFT + SIZE + 30.0,
            h = TOP + SIZE + 60.0,
        );
        let middle = LEFT + SIZE / 2.0;
        let centred = "text-anchor=\"middle\"";
        let title = escaped(&self.title);
        let _ = writeln!(svg, "<text x=\"{middle}\" y=\"24\" {centred}>{title}</text>");
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{SIZE}\" height=\"{SIZE}\" fill=\"none\" \
             stroke=\"black\"/>"
        );
        for exponent in low as i32..=high as i32 {
            let (x, y) = (x_at(10f64.powi(exponent)), y_at(10f64.powi(exponent)));
            let (right, bottom) = (LEFT + SIZE, TOP + SIZE);
            let grid = "stroke=\"#ccc\" stroke-width=\"0.5\"";
            let power = format!("10<tspan dy=\"-5\" font-size=\"9\">{exponent}</tspan>");
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {TOP}V{bottom}M{LEFT} {y:.1}H{right}\" {grid}/>\n\
                 <text x=\"{x:.1}\" y=\"{:.1}\" {centred}>{power}</text>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{power}</text>",
                bottom + 20.0,
                LEFT - 8.0,
                y + 4.0,
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {}L{} {TOP}\" stroke=\"#888\" stroke-dasharray=\"4 4\"/>",
            TOP + SIZE,
            LEFT + SIZE
        );
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" {centred}>{}</text>\n\
             <text transform=\"translate(18 {}) rotate(-90)\" {centred}>{}</text>",
            TOP + SIZE + 45.0,
            escaped(&self.x_name),
            TOP + SIZE / 2.0,
            escaped(&self.y_name),
        );
        for p in &self.points {
            mark(&mut svg, p.mark, x_at(p.x), y_at(p.y), p.faint);
        }
        for (i, (shape, name)) in self.legend.iter().enumerate() {
            let y = TOP + 18.0 + 18.0 * i as f64;
            mark(&mut svg, *shape, LEFT + 16.0, y, false);
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\">{}</text>",
                LEFT + 28.0,
                y + 4.0,
                escaped(name)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn mark(svg: &mut String, shape: Mark, x: f64, y: f64, faint: bool) {
    let opacity = if faint { 0.25 } else { 0.8 };
    let _ = match shape {
        Mark::Circle => writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"none\" stroke=\"#1f5fbf\" \
             opacity=\"{opacity}\"/>"
        ),
        Mark::Cross => writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}l6 6m0 -6l-6 6\" fill=\"none\" stroke=\"#c33\" \
             opacity=\"{opacity}\"/>",
            x - 3.0,
            y - 3.0
        ),
    };
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
