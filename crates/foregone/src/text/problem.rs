//! Problems as text for people, in the layout of problemists: keys with `!`, tries with `?` and what
//! refutes them, threats in brackets, variations below, set play.

use crate::problem::written::Style;
use crate::problem::{Attack, Line, Ply, Problem, Variation};
use foregone_model::formula::{Play, Stipulation};

/// A problem is written with at most so many lines; what is left out is counted.
const MOST_LINES: usize = 400;

/// Writes a problem in a style of notation.
pub struct Layout {
    /// How moves are written.
    pub style: Style,
    /// What was asked, where that is a stipulation: it tells who begins.
    pub stipulation: Option<Stipulation>,
}

impl Layout {
    /// All that was found besides keys, with a blank line before each part.
    pub fn text(&self, problem: &Problem, tree: bool) -> String {
        let mut lines = Vec::new();
        if let Some(set_play) = &problem.set_play {
            lines.push("set play:".to_owned());
            if set_play.variations.is_empty() && set_play.lines.is_empty() {
                lines.push("  none".to_owned());
            }
            self.variations(&mut lines, 1, 1, &set_play.variations);
            lines.extend(set_play.lines.iter().map(|line| format!("  {}", self.set_line(line))));
            lines.push(String::new());
        }
        if let Some(tries) = &problem.tries {
            lines.push("tries:".to_owned());
            if tries.is_empty() {
                lines.push("  none".to_owned());
            }
            for attack in tries {
                self.attack(&mut lines, 1, 1, attack, "?");
            }
            lines.push(String::new());
        }
        if tree && !problem.keys.is_empty() {
            lines.push("solution:".to_owned());
            for attack in &problem.keys {
                self.attack(&mut lines, 1, 1, attack, "!");
            }
        }
        if problem.incomplete {
            lines.push("this is not all: the budget was used up, or there is too much".to_owned());
        }
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        let more = lines.len().saturating_sub(MOST_LINES);
        lines.truncate(MOST_LINES);
        if more > 0 {
            lines.push(format!("… {more} lines more, which --json has"));
        }
        lines.join("\n")
    }

    /// A move in the style.
    pub fn ply(&self, ply: &Ply) -> String {
        ply.written(self.style)
    }

    fn plies(&self, plies: &[Ply], before: &str, after: &str) -> String {
        let texts = plies.iter().map(|ply| format!("{before}{}{after}", self.ply(ply)));
        texts.collect::<Vec<_>>().join(" ")
    }

    /// A move of the attack with its number, and what follows it, below.
    fn attack(&self, lines: &mut Vec<String>, depth: usize, n: u32, attack: &Attack, mark: &str) {
        let indent = "  ".repeat(depth);
        let mut head = format!("{indent}{n}.{}{mark}", self.ply(&attack.ply));
        let deep = attack.threats.iter().any(|threat| !is_last(threat));
        if !attack.threats.is_empty() && !deep {
            let threats: Vec<Ply> = attack.threats.iter().map(|t| t.ply.clone()).collect();
            head.push_str(&format!(" ({})", self.plies(&threats, &format!("{}.", n + 1), "")));
        } else if attack.zugzwang {
            head.push_str(" zugzwang");
        } else if deep {
            head.push_str(" threat:");
        }
        if !attack.refutations.is_empty() && attack.variations.is_empty() && !deep {
            let refutations = self.plies(&attack.refutations, &format!("{n}..."), "!");
            lines.push(format!("{head} but {refutations}"));
            return;
        }
        lines.push(head);
        if deep {
            for threat in &attack.threats {
                self.attack(lines, depth + 3, n + 1, threat, "");
            }
        }
        self.variations(lines, depth + 1, n, &attack.variations);
        if !attack.refutations.is_empty() {
            let refutations = self.plies(&attack.refutations, &format!("{n}..."), "!");
            lines.push(format!("{indent}  but {refutations}"));
        }
    }

    /// Defences, those with the same answers together.
    fn variations(&self, lines: &mut Vec<String>, depth: usize, n: u32, list: &[Variation]) {
        let indent = "  ".repeat(depth);
        let mut groups: Vec<(Vec<String>, &Variation)> = Vec::new();
        for variation in list {
            let name = format!("{n}...{}", self.ply(&variation.ply));
            let last = variation.continuations.iter().all(is_last);
            let same = |v: &Variation| last && v.continuations == variation.continuations;
            match groups.iter_mut().find(|(_, v)| same(v)) {
                Some((names, _)) => names.push(name),
                None => groups.push((vec![name], variation)),
            }
        }
        for (names, variation) in groups {
            let dual = if variation.dual { "  (dual)" } else { "" };
            let names = names.join(", ");
            if variation.continuations.iter().all(is_last) {
                let answers: Vec<Ply> =
                    variation.continuations.iter().map(|a| a.ply.clone()).collect();
                let answers = self.plies(&answers, &format!("{}.", n + 1), "");
                lines.push(format!("{indent}{names} {answers}{dual}").trim_end().to_owned());
                continue;
            }
            lines.push(format!("{indent}{names}{dual}"));
            for attack in &variation.continuations {
                self.attack(lines, depth + 2, n + 1, attack, "");
            }
        }
    }

    /// A solution that is a line, with numbers.
    pub fn line(&self, line: &Line) -> String {
        let Some(stipulation) = self.stipulation else { return self.plies(&line.moves, "", "") };
        match (stipulation.series, stipulation.half) {
            (true, _) => {
                // The last move is the other side's, unless one side does it all.
                let alone = stipulation.play == Play::Direct;
                let numbered = line.moves.len() - usize::from(!alone && !line.moves.is_empty());
                let text = |(i, ply): (usize, &Ply)| match i < numbered {
                    true => format!("{}.{}", i + 1, self.ply(ply)),
                    false => self.ply(ply),
                };
                line.moves.iter().enumerate().map(text).collect::<Vec<_>>().join(" ")
            }
            (false, half) => self.numbered(&line.moves, usize::from(half)),
        }
    }

    /// A line of set play: the first half of a move is left out.
    fn set_line(&self, line: &Line) -> String {
        let half = self.stipulation.is_some_and(|s| s.half);
        self.numbered(&line.moves, if half { 2 } else { 1 })
    }

    /// Moves with numbers, the first so many halves of moves left out.
    fn numbered(&self, moves: &[Ply], left_out: usize) -> String {
        let text = |(i, ply): (usize, &Ply)| {
            let (n, second) = ((i + left_out) / 2 + 1, (i + left_out) % 2 == 1);
            match (second, i) {
                (false, _) => format!("{n}.{}", self.ply(ply)),
                (true, 0) => format!("{n}...{}", self.ply(ply)),
                (true, _) => self.ply(ply),
            }
        };
        moves.iter().enumerate().map(text).collect::<Vec<_>>().join(" ")
    }
}

/// Whether nothing follows a move.
fn is_last(attack: &Attack) -> bool {
    attack.threats.is_empty() && attack.variations.is_empty()
}
