//! Whether a file is a rulesheet.

use crate::kif::{self, Shape, Symbol, Symbols};

/// Whether a text looks like a rulesheet: KIF with a role in it. A message may quote such a text;
/// of any other file it should give the place only, because it may be private.
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
