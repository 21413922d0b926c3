//! `foregone matrix`: the Nash value of a payoff matrix, and strategies that reach it.

use std::path::Path;

use foregone::Error;
use foregone::matrix::{found, json};
use foregone::text::counted;
use foregone_search::matrix::ExactMatrix;

use crate::program::Program;
use crate::report::read_file;

/// Solves the matrix in a file.
pub(crate) fn run(program: &mut Program<'_>, path: &Path, as_json: bool) -> Result<u8, Error> {
    let shown = path.display().to_string();
    let text = read_file(path)?;
    let wrong = |e| Error::in_file(&shown, &text, e, foregone_games::matrix::looks_right);
    let matrix = ExactMatrix::read(&text).map_err(wrong)?;
    let found = found(&matrix)?;
    if as_json {
        let mut object = serde_json::json!({ "file": shown });
        if let (Some(object), serde_json::Value::Object(found)) =
            (object.as_object_mut(), json(&matrix, &found))
        {
            object.extend(found);
        }
        program.say(&(object.to_string() + "\n"));
        return Ok(0);
    }
    let value = match found.exact {
        true => format!("value {}", found.low),
        false => format!("value between {} and {}", found.low, found.high),
    };
    let [rows, columns] = [matrix.rows(), matrix.columns()].map(|n| n as u64);
    let size = format!("{}, {}", counted(rows, "row"), counted(columns, "column"));
    let mut text = format!("{shown}, {size}: {value} for the row player.\n");
    for (who, strategy) in [("rows", &found.max), ("columns", &found.min)] {
        text.push_str(&format!("  {who:<8} {}\n", played(strategy)));
    }
    text.push_str("  checked  by the best response to each strategy, in exact arithmetic\n");
    program.say(&text);
    Ok(0)
}

/// A strategy in words: the moves that are played, counted from 1, and how often.
fn played(strategy: &[String]) -> String {
    let parts = strategy.iter().enumerate().filter(|(_, p)| *p != "0");
    let parts: Vec<String> = parts.map(|(i, p)| format!("{}: {p}", i + 1)).collect();
    parts.join(", ")
}
