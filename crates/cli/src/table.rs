//! A table as text, Markdown or CSV.

use crate::args::FormatWord;

/// Heads and rows of text, all of one width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// The heads.
    pub(crate) heads: Vec<String>,
    /// How many columns at the left are labels, the others being figures.
    pub(crate) labels: usize,
    /// The rows.
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// The table in a format, each line ended.
    pub(crate) fn render(&self, format: FormatWord) -> String {
        match format {
            FormatWord::Text => self.text(),
            FormatWord::Markdown => self.markdown(),
            FormatWord::Csv => self.csv(),
        }
    }

    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.heads).chain(&self.rows)
    }

    fn text(&self) -> String {
        let width = |i: usize| self.lines().map(|l| l[i].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.heads.len()).map(width).collect();
        let mut out = String::new();
        for line in self.lines() {
            let pad = |(i, cell): (usize, &String)| match i < self.labels {
                true => format!("{cell:<0$}", widths[i]),
                false => format!("{cell:>0$}", widths[i]),
            };
            let cells: Vec<String> = line.iter().enumerate().map(pad).collect();
            out.push_str(cells.join("  ").trim_end());
            out.push('\n');
        }
        out
    }

    fn markdown(&self) -> String {
        let mut out = String::new();
        let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        out.push_str(&row(&self.heads));
        let rule = |i: usize| if i < self.labels { "---" } else { "---:" }.to_owned();
        out.push_str(&row(&(0..self.heads.len()).map(rule).collect::<Vec<_>>()));
        for line in &self.rows {
            out.push_str(&row(line));
        }
        out
    }

    fn csv(&self) -> String {
        let mut out = String::new();
        for line in self.lines() {
            let cells: Vec<String> = line.iter().map(|c| csv_cell(c)).collect();
            out.push_str(&cells.join(","));
            out.push('\n');
        }
        out
    }
}

/// Programs read numbers without groups of digits; everything else is quoted where it must be.
fn csv_cell(cell: &str) -> String {
    let number = cell.strip_prefix("> ").unwrap_or(cell);
    if number.chars().all(|c| c.is_ascii_digit() || c == ',' || c == '.') {
        return cell.replace(',', "");
    }
    match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}
