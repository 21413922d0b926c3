//! Thermographs as pictures. As usual, larger numbers stand to the left, and warm is up.

use std::fmt::Write;

use crate::error::TooLarge;
use crate::number::Dyadic;
use crate::thermograph::Thermograph;

/// How many rows a text has below the top of the mast, about.
const ROWS: i64 = 12;

/// The width of a picture within its margins, in pixels.
const WIDTH: f64 = 360.0;

/// The space around it.
const MARGIN: f64 = 40.0;

/// The line of both walls and of the mast.
const INK: &str = "fill='none' stroke='currentColor' stroke-width='2'";

impl Thermograph {
    /// Where pictures begin: hot games at 0, others at -1.
    fn base(&self) -> Dyadic {
        let hot = self.temperature() > Dyadic::ZERO;
        Dyadic::whole(if hot { 0 } else { -1 })
    }

    /// A drawing of a few lines: temperatures at the left, the walls, and below them the stops and the
    /// mean.
    pub fn drawing(&self) -> Result<String, TooLarge> {
        let base = self.base();
        let height = self.temperature().minus(base)?;
        // A row is a power of two high.
        let mut step = Dyadic::ONE;
        while step.to_f64() * (ROWS as f64) < height.to_f64() {
            step = step.plus(step)?;
        }
        let finest = if height == Dyadic::ZERO { 1 } else { 20 };
        while step.to_f64() * (ROWS as f64) >= height.to_f64() * 2.0 && step.exponent() < finest {
            step = step.half()?;
        }
        let (left_most, right_most) = (self.left.at(base)?, self.right.at(base)?);
        // A column a row, so that slopes are diagonals.
        let unit = step.to_f64();
        let column = |number: Dyadic| {
            ((left_most.to_f64() - number.to_f64()) / unit).round().max(0.0) as usize
        };
        let mut rows = vec![];
        let mut at = base;
        let top = self.temperature().plus(step)?.plus(step)?;
        while at <= top {
            let (left, right) = (self.left.at(at)?, self.right.at(at)?);
            let marks = match left == right {
                true => vec![(column(left), '|')],
                false => vec![
                    (column(left), mark(left, self.left.at(at.plus(step)?)?)),
                    (column(right), mark(right, self.right.at(at.plus(step)?)?)),
                ],
            };
            let mut row = String::new();
            for (column, mark) in marks {
                while row.chars().count() < column {
                    row.push(' ');
                }
                row.push(mark);
            }
            rows.push(format!("{:>8}  {row}\n", at.to_string()));
            at = at.plus(step)?;
        }
        rows.reverse();
        let mut text = rows.concat();
        let mean = self.mean();
        let _ = match left_most == right_most {
            true => writeln!(text, "          {mean}"),
            false => writeln!(text, "          from {left_most} to {right_most}, mean {mean}"),
        };
        Ok(text)
    }

    /// An SVG picture. Text and lines have the colour of what is around it.
    pub fn svg(&self) -> Result<String, TooLarge> {
        let base = self.base();
        let (left, right) = (self.left.at(base)?, self.right.at(base)?);
        let (high, low) = (left.to_f64(), right.to_f64());
        let tall = (self.temperature().to_f64() - base.to_f64()).max(0.25);
        // One degree is as long as one point: slopes are diagonals.
        let scale = WIDTH / (high - low).max(tall * 1.3).max(0.5);
        let bottom = MARGIN + tall * 1.3 * scale;
        let middle = (high + low) / 2.0;
        let x = |number: Dyadic| MARGIN + WIDTH / 2.0 + (middle - number.to_f64()) * scale;
        let y = |at: Dyadic| bottom - (at.to_f64() - base.to_f64()) * scale;
        let (wide, deep) = (WIDTH + 2.0 * MARGIN, bottom + MARGIN);
        let mut svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {wide:.0} {deep:.0}' \
             font-family='sans-serif' font-size='13' text-anchor='middle'>\n\
             <title>Thermograph: {self}</title>\n\
             <line x1='0' x2='{wide:.0}' y1='{bottom:.1}' y2='{bottom:.1}' stroke='currentColor' \
             stroke-opacity='0.3'/>\n"
        );
        for wall in [&self.left, &self.right] {
            let mut points = format!("{:.1},{:.1}", x(wall.at(base)?), y(base));
            for corner in wall.corners().iter().filter(|corner| corner.temperature > base) {
                let _ = write!(points, " {:.1},{:.1}", x(corner.number), y(corner.temperature));
            }
            let _ = write!(points, " {:.1},{:.1}", x(self.mean()), MARGIN / 2.0);
            let _ = writeln!(svg, "<polyline {INK} points='{points}'/>");
        }
        let mut label = |number: Dyadic, at: f64| {
            let _ = writeln!(
                svg,
                "<text x='{:.1}' y='{at:.1}' fill='currentColor'>{number}</text>",
                x(number)
            );
        };
        label(left, bottom + 18.0);
        if right != left {
            label(right, bottom + 18.0);
            label(self.mean(), MARGIN / 2.0 - 6.0);
        }
        let (at, temperature) = (y(self.temperature()), self.temperature());
        let _ = writeln!(
            svg,
            "<line x1='{MARGIN:.0}' x2='{:.1}' y1='{at:.1}' y2='{at:.1}' stroke='currentColor' \
             stroke-opacity='0.3' stroke-dasharray='4'/>\n<text x='{:.1}' y='{:.1}' \
             fill='currentColor'>{temperature}</text>\n</svg>",
            x(self.mean()),
            MARGIN / 2.0,
            at + 4.0,
        );
        Ok(svg)
    }
}

/// The piece of a wall between two rows: larger numbers stand to the left.
fn mark(number: Dyadic, above: Dyadic) -> char {
    match number.cmp(&above) {
        std::cmp::Ordering::Less => '\\',
        std::cmp::Ordering::Equal => '|',
        std::cmp::Ordering::Greater => '/',
    }
}
