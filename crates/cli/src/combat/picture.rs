//! A battle to look at: as text, frame by frame, and as one picture that moves.
//!
//! The picture is an SVG file with SMIL animation, at the speed of the game (24 frames a second),
//! without scripts or anything from elsewhere. A viewer that shows no animation shows the end:
//! the paths that units took, all shots faintly, the dead pale.

use std::fmt::Write;

use foregone_combat::state::{Action, MAX_UNITS, State};
use foregone_combat::{Kind, Record};
use foregone_model::Side;

/// Frames a second, as in the game.
const RATE: f64 = 24.0;

/// The smallest box that holds every place that a living unit was at.
#[derive(Clone, Copy)]
struct Extent {
    left: i32,
    right: i32,
    low: i32,
    high: i32,
}

impl Extent {
    fn of(record: &Record) -> Extent {
        let mut e = Extent { left: i32::MAX, right: i32::MIN, low: i32::MAX, high: i32::MIN };
        for s in states(record) {
            for side in [Side::Max, Side::Min] {
                for (_, u) in s.living(side) {
                    e.left = e.left.min(u.x);
                    e.right = e.right.max(u.x);
                    e.low = e.low.min(u.y);
                    e.high = e.high.max(u.y);
                }
            }
        }
        // A battle always begins with living units, but may end without a step.
        e
    }
}

/// All states of a record, the last one too.
fn states(record: &Record) -> impl Iterator<Item = &State> {
    record.moments.iter().map(|m| &m.state).chain([&record.end])
}

/// Text pictures of a battle, one for every `every` frames of time and one of the end: a grid of
/// this size with a letter for each unit, capitals for Max, above the hit points of all.
pub fn frames(record: &Record, columns: usize, rows: usize, every: u32) -> Vec<String> {
    let extent = Extent::of(record);
    let mut pictures = Vec::new();
    let mut due = 0;
    for moment in &record.moments {
        if moment.state.time >= due {
            pictures.push(text(&moment.state, extent, columns.max(1), rows.max(1)));
            due = moment.state.time + every.max(1);
        }
    }
    pictures.push(text(&record.end, extent, columns.max(1), rows.max(1)));
    pictures
}

fn text(s: &State, extent: Extent, columns: usize, rows: usize) -> String {
    let mut grid = vec![vec![' '; columns]; rows];
    let cell = |at: i32, from: i32, to: i32, cells: usize| {
        let share = f64::from(at - from) / f64::from((to - from).max(1));
        (share * (cells - 1) as f64).round() as usize
    };
    let mut lines = String::new();
    for side in [Side::Max, Side::Min] {
        let name = if side == Side::Max { "MAX" } else { "min" };
        let _ = write!(lines, "{name}");
        for (_, u) in s.living(side) {
            let column = cell(u.x, extent.left, extent.right, columns);
            let row = rows - 1 - cell(u.y, extent.low, extent.high, rows);
            let letter = letter(u.kind, side);
            grid[row][column] = letter;
            let _ = write!(lines, "  {letter} {}", u.hit_points);
        }
        lines.push('\n');
    }
    let mut out = format!("{:.1} s\n+{}+\n", f64::from(s.time) / RATE, "-".repeat(columns));
    for row in grid {
        let _ = writeln!(out, "|{}|", row.into_iter().collect::<String>());
    }
    let _ = write!(out, "+{}+\n{lines}", "-".repeat(columns));
    out
}

/// The letter of a unit: capitals for Max.
fn letter(kind: Kind, side: Side) -> char {
    match side {
        Side::Max => kind.letter().to_ascii_uppercase(),
        Side::Min => kind.letter(),
    }
}

/// What happened to one unit: where it was and how it was hit, by time.
#[derive(Default)]
struct Track {
    places: Vec<(u32, i32, i32)>,
    hit_points: Vec<(u32, i16)>,
}

/// The colours of Max and Min.
const COLOURS: [&str; 2] = ["#1f6fb2", "#c2452d"];

/// How long a shot is seen, in seconds.
const FLASH: f64 = 0.25;

/// The whole battle as one SVG file. `title` is what it is called.
pub fn svg(record: &Record, title: &str) -> String {
    let extent = Extent::of(record);
    let margin = 40;
    let (width, height) =
        (extent.right - extent.left + 2 * margin, extent.high - extent.low + 2 * margin + 24);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\">",
        extent.left - margin,
        -extent.high - margin
    );
    let title = escaped(title);
    let _ = writeln!(out, "<title>{title}</title>\n<desc>{}</desc>", summary(record));
    let _ = writeln!(
        out,
        "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" fill=\"#f7f5ef\"/>",
        extent.left - margin,
        -extent.high - margin
    );
    // A last time of 0 would make no animation at all.
    let last = record.end.time.max(1);
    for side in [Side::Max, Side::Min] {
        for index in 0..MAX_UNITS {
            if record.moments.first().is_some_and(|m| m.state.unit(side, index).hit_points > 0) {
                path(&mut out, &track(record, side, index), side);
            }
        }
    }
    shots(&mut out, record);
    for side in [Side::Max, Side::Min] {
        for index in 0..MAX_UNITS {
            if record.moments.first().is_some_and(|m| m.state.unit(side, index).hit_points > 0) {
                let kind = record.end.unit(side, index).kind;
                unit(&mut out, &track(record, side, index), side, kind, last);
            }
        }
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" font-size=\"14\"><tspan fill=\"{}\">Max</tspan> and \
         <tspan fill=\"{}\">Min</tspan>: {}</text>\n</svg>",
        extent.left - margin + 8,
        height - extent.high - margin - 10,
        COLOURS[0],
        COLOURS[1],
        summary(record)
    );
    out
}

/// How a battle ended, in words.
fn summary(record: &Record) -> String {
    let end = match record.winner {
        Some(Side::Max) => "Max wins",
        Some(Side::Min) => "Min wins",
        None => "a draw",
    };
    let halted = if record.halted() { ", halted" } else { "" };
    format!("{end} after {:.1} s{halted}", f64::from(record.end.time) / RATE)
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Not allowed in XML, not even escaped.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

fn track(record: &Record, side: Side, index: usize) -> Track {
    let mut track = Track::default();
    for s in states(record) {
        let u = s.unit(side, index);
        if track.hit_points.last().is_none_or(|&(_, hp)| hp != u.hit_points) {
            track.hit_points.push((s.time, u.hit_points));
        }
    }
    for moment in &record.moments {
        let s = &moment.state;
        let u = s.unit(side, index);
        if track.places.is_empty() {
            track.places.push((s.time, u.x, u.y));
        }
        let order = moment.moves[side.index()].map_or(Action::Idle, |m| m[index]);
        if let Action::Step(d) = order {
            // The model moves a unit at once; here it takes the time of the step.
            let (dx, dy) = d.step();
            track.places.push((s.time, u.x, u.y));
            track.places.push((s.time + u.kind.stats().step, u.x + dx, u.y + dy));
        }
    }
    track.places.dedup();
    track
}

fn path(out: &mut String, track: &Track, side: Side) {
    let points: Vec<String> = track.places.iter().map(|(_, x, y)| format!("{x},{}", -y)).collect();
    let _ = writeln!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"0.25\"/>",
        points.join(" "),
        COLOURS[side.index()]
    );
}

fn shots(out: &mut String, record: &Record) {
    for moment in &record.moments {
        let s = &moment.state;
        for side in [Side::Max, Side::Min] {
            let Some(orders) = moment.moves[side.index()] else { continue };
            for (i, order) in orders.iter().enumerate() {
                let Action::Attack(target) = *order else { continue };
                let (from, to) = (s.unit(side, i), s.unit(side.other(), target as usize));
                let _ = writeln!(
                    out,
                    "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" \
                     stroke-width=\"1.5\" opacity=\"0.06\"><set attributeName=\"opacity\" \
                     to=\"0.9\" begin=\"{:.3}s\" dur=\"{FLASH}s\"/></line>",
                    from.x,
                    -from.y,
                    to.x,
                    -to.y,
                    COLOURS[side.index()],
                    f64::from(s.time) / RATE
                );
            }
        }
    }
}

/// An animation of some attribute through values at times; `last` is when the battle ends.
fn animate(out: &mut String, tag: &str, values: &[(u32, String)], last: u32) {
    // Times must not go beyond the end, must begin with 0 and never fall.
    let share = |t: u32| f64::from(t.min(last)) / f64::from(last);
    let times: Vec<String> = values.iter().map(|(t, _)| format!("{:.5}", share(*t))).collect();
    let list: Vec<&str> = values.iter().map(|(_, v)| v.as_str()).collect();
    let _ = write!(
        out,
        "<{tag} dur=\"{:.3}s\" fill=\"freeze\" keyTimes=\"{}\" values=\"{}\"/>",
        f64::from(last) / RATE,
        times.join(";"),
        list.join(";")
    );
}

fn unit(out: &mut String, track: &Track, side: Side, kind: Kind, last: u32) {
    let colour = COLOURS[side.index()];
    let (_, x, y) = track.places.last().copied().unwrap_or_default();
    let alive = track.hit_points.last().is_some_and(|h| h.1 > 0);
    let pale = if alive { 1.0 } else { 0.25 };
    let _ = write!(out, "<g transform=\"translate({x} {})\" opacity=\"{pale}\">", -y);
    let _ = write!(out, "<title>{}</title>", kind.name());
    let mut places: Vec<(u32, String)> =
        track.places.iter().map(|(t, x, y)| (*t, format!("{x} {}", -y))).collect();
    places.push((last, format!("{x} {}", -y)));
    let tag = "animateTransform attributeName=\"transform\" type=\"translate\"";
    animate(out, tag, &places, last);
    let opacities: Vec<(u32, String)> = track
        .hit_points
        .iter()
        .map(|&(t, hp)| (t, if hp > 0 { "1" } else { "0.25" }.to_owned()))
        .collect();
    animate(out, "animate attributeName=\"opacity\" calcMode=\"discrete\"", &opacities, last);
    let _ = match kind {
        Kind::Marine => write!(out, "<circle r=\"6\" fill=\"{colour}\"/>"),
        Kind::Zergling => write!(out, "<path d=\"M0 -6 L6 5 L-6 5 Z\" fill=\"{colour}\"/>"),
        Kind::Dragoon => {
            write!(out, "<rect x=\"-7\" y=\"-7\" width=\"14\" height=\"14\" fill=\"{colour}\"/>")
        }
        Kind::Zealot => write!(out, "<path d=\"M0 -8 L8 0 L0 8 L-8 0 Z\" fill=\"{colour}\"/>"),
    };
    // What is left of its hit points, as a bar below it.
    let whole = f64::from(kind.stats().hit_points);
    let bar = |hp: i16| format!("{:.1}", 16.0 * f64::from(hp) / whole);
    let bars: Vec<(u32, String)> = track.hit_points.iter().map(|&(t, hp)| (t, bar(hp))).collect();
    let end = bars.last().map_or("0", |b| b.1.as_str());
    let _ = write!(out, "<rect x=\"-8\" y=\"10\" width=\"{end}\" height=\"3\" fill=\"#4a7a3a\">");
    animate(out, "animate attributeName=\"width\" calcMode=\"discrete\"", &bars, last);
    let _ = writeln!(out, "</rect></g>");
}
