//! Rulesheets as files: regular ones only, and no longer than any rulesheet is.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

use crate::kif::{self, MOST_BYTES, Shape, Symbol, Symbols};

/// The text of a file that should be a rulesheet. A folder, a pipe, a device and whatever else is not
/// a regular file is refused before it is opened: reading it may never end.
pub fn read_rulesheet(path: &Path) -> Result<String> {
    let refuse = |message: String| Err(Error::new(ErrorKind::InvalidInput, message));
    if !std::fs::metadata(path)?.is_file() {
        return refuse("it is not a regular file".to_owned());
    }
    let file = File::open(path)?;
    // It may have become another one since.
    if !file.metadata()?.is_file() {
        return refuse("it is not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MOST_BYTES {
        return refuse(format!("it has more than {MOST_BYTES} bytes"));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(_) => refuse("it is not text in UTF-8".to_owned()),
    }
}

/// Whether a text looks like a rulesheet: KIF with a role in it. A message may quote such a text;
/// of any other file it should give the place only, for it may be one that is nobody's business.
pub fn is_rulesheet(text: &str) -> bool {
    let is_role = |tree: &kif::Tree| match &tree.shape {
        Shape::List(list) => list.first().is_some_and(|t| t.shape == Shape::Name(Symbol::ROLE)),
        Shape::Name(_) => false,
    };
    kif::read(text, &mut Symbols::default()).is_ok_and(|trees| trees.iter().any(is_role))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rulesheet_has_a_role() {
        assert!(is_rulesheet("; a game\n(ROLE white) (init x)"));
        assert!(!is_rulesheet("root:x:0:0:root:/root:/bin/bash"));
        assert!(!is_rulesheet("role (role"));
        assert!(!is_rulesheet("(init (role white))"));
    }
}
