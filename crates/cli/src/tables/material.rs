//! The table of what material symmetry saves.

use std::fmt::Write as _;

use foregone::tables::{MaterialAnswer, RelationRow};
use foregone::text::grouped;

use crate::args::FormatWord;
use crate::table::Table;

/// The rows of the slides, each with what was counted below it.
pub(super) fn text(answer: &MaterialAnswer) -> String {
    let heads = ["elements", "relation", "total", "classes", "representatives", "factor"];
    let mut table = Table { heads: heads.map(str::to_owned).to_vec(), labels: 2, rows: Vec::new() };
    for row in &answer.rows {
        let printed = &row.printed;
        table.rows.push(vec![
            row.elements.to_string(),
            "as printed".to_owned(),
            printed.total.to_owned(),
            String::new(),
            printed.representatives.to_owned(),
            printed.factor.unwrap_or_default().to_owned(),
        ]);
        for relation in &row.relations {
            table.rows.push(vec![
                String::new(),
                relation.relation.to_owned(),
                grouped(row.total),
                classes(relation),
                grouped(relation.representatives),
                // As in print, where half of the last digit is rounded up.
                format!("{:.2}", (relation.factor * 100.0).round() / 100.0),
            ]);
        }
    }
    let mut out = table.render(FormatWord::Text);
    out.push('\n');
    for relation in answer.rows.first().map_or(&[][..], |row| &row.relations) {
        let sound = if relation.sound { "" } else { ": not sound" };
        let _ = writeln!(out, "{:<13}{}{sound}", relation.relation, relation.about);
    }
    if answer.rows.iter().flat_map(|row| &row.relations).any(|r| r.marked_classes.is_some()) {
        out.push_str(
            "classes      of bones one of which is the line + with one that equals the line\n",
        );
    }
    out
}

fn classes(relation: &RelationRow) -> String {
    match (relation.classes, relation.marked_classes) {
        (Some(sets), Some(marked)) => format!("{} + {}", grouped(sets), grouped(marked)),
        (Some(classes), None) => grouped(classes),
        (None, _) => String::new(),
    }
}
