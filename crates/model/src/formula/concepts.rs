//! What the classes of the library say and where they come from, for people.
//!
//! Definitions are numbered as in *Solving Games and All That*; where the paper (*A General
//! Multi-Agent Modal Logic K Framework for Game Tree Search*) counts otherwise, the thesis' index
//! is used here, and a test shows that both forms agree.

use foregone_proof::formula::LIBRARY;

/// A class of formulas of the library.
#[derive(Clone, Copy, Debug)]
pub struct Concept {
    /// How it is called, with its parameters.
    pub form: &'static str,
    /// Where it is defined.
    pub source: &'static str,
    /// What it says.
    pub meaning: &'static str,
}

impl Concept {
    /// Its name alone.
    pub fn name(&self) -> &'static str {
        self.form.split('(').next().unwrap_or_default()
    }

    /// The clauses of its definition.
    pub fn definition(&self) -> impl Iterator<Item = &'static str> + use<> {
        let name = self.name();
        LIBRARY.split(';').map(str::trim).filter(move |clause| {
            let head = clause.trim_start_matches("from B ").trim_start_matches("def ");
            head.split('(').next() == Some(name)
        })
    }
}

const fn concept(form: &'static str, source: &'static str, meaning: &'static str) -> Concept {
    Concept { form, source, meaning }
}

/// All of them.
pub const CONCEPTS: &[Concept] = &[
    concept(
        "reach(n, f)",
        "Definition 28",
        "A reaches a state where f holds by exactly n moves of its own; reach(n) is reach(n, w)",
    ),
    concept("path(n)", "Definition 33, π", "A wins by at most n moves of its own in a row"),
    concept(
        "omega(n)",
        "Definition 29, ω; WS of depth 2n-1 in the paper",
        "A has a winning strategy in at most n moves of its own: a mate in n",
    ),
    concept(
        "ladder(n)",
        "Definition 30, L",
        "A wins by moves that each threaten to win at once, in n moves of both sides (n is odd)",
    ),
    concept(
        "helpmate(n)",
        "section 4.5, H",
        "B, who is to move, helps A to win in n moves of each side",
    ),
    concept(
        "selfmate(n)",
        "section 4.5, S; ours: !l, since who cannot move does not mate",
        "B, who is to move, forces A to win within n moves",
    ),
    concept(
        "PT(n)",
        "Definition 31; PT of depth 2n-1 in the paper",
        "a progress tree: a strategy of n moves, each of which leaves A a winning path",
    ),
    concept(
        "lambda(d, n)",
        "Definition 34, λ",
        "a λ-tree of order d and depth n: each move threatens a tree of order d-1",
    ),
    concept(
        "counter(d, n)",
        "ours, for dual(d, n)",
        "the same for B, who is to move: what B could do instead of answering a threat",
    ),
    concept(
        "dual(d, n)",
        "dual λ-search, Soeda, Kaneko, Tanaka 2005",
        "a λ-tree of order d and depth n, none of whose moves leaves B one of a lower order",
    ),
    concept(
        "null(n)",
        "null moves, Donninger 1993; see zugzwang(f)",
        "A has a winning strategy in at most n moves of its own, and may pass instead of any of them",
    ),
    concept(
        "APS(n)",
        "Definition 35",
        "an abstract proof tree of order n: each move threatens one of order n-1",
    ),
    concept(
        "PA(n)",
        "Definition 36",
        "a paranoid win within n moves of all agents, all others playing against A",
    ),
    concept(
        "beta(n)",
        "Definition 37, β",
        "a best-reply win in n moves of A: after each, one of the others moves, whichever likes",
    ),
    concept(
        "zugzwang(f)",
        "Definition 38",
        "f does not hold, but would after any move of some opponent: A would rather not move",
    ),
    concept(
        "gagnant(n)",
        "threat orders of the lecture \"Recherche avec menaces\"",
        "A wins by a move, or by one to a state that is gagne(n)",
    ),
    concept(
        "gagne(n)",
        "threat orders of the lecture \"Recherche avec menaces\"",
        "B is to move, and whether it passes or moves, the state is gagnant(n-1)",
    ),
    concept(
        "reflex(n)",
        "chess problems, r#n",
        "a selfmate(n) in which both sides must win at once wherever they can",
    ),
    concept(
        "helpself(n)",
        "chess problems, hs#n",
        "both sides help for at most n-1 moves each, and then B, who is to move, forces A to win",
    ),
    concept(
        "drawn(n)",
        "chess problems, =n",
        "A forces a draw by its own last move, within n moves: a stalemate",
    ),
    concept(
        "helpdraw(n)",
        "chess problems, h=n",
        "B, who is to move, helps A to a draw by A's last move in n moves of each side",
    ),
    concept(
        "selfdraw(n)",
        "chess problems, s=n",
        "B, who is to move, forces A to make a draw by A's last move within n moves",
    ),
    concept(
        "series(n)",
        "chess problems, ser-#n; for chess:series",
        "A wins by at most n moves in a row, of which only the last gives check",
    ),
    concept(
        "serhelp(n)",
        "chess problems, ser-h#n; for chess:series",
        "B makes at most n moves in a row, only the last with check, and then A wins by a move",
    ),
    concept(
        "serself(n)",
        "chess problems, ser-s#n; for chess:series",
        "B makes at most n moves in a row, only the last with check, and then any move of A wins",
    ),
    concept(
        "serreflex(n)",
        "chess problems, ser-r#n; for chess:series",
        "B makes at most n moves in a row, never able to win by one, and then A can win by a move",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_of_the_library_is_explained_and_the_other_way_round() {
        let clauses: usize = CONCEPTS.iter().map(|c| c.definition().count()).sum();
        assert_eq!(clauses, LIBRARY.matches("def ").count());
        for concept in CONCEPTS {
            assert!(concept.definition().count() > 0, "{}", concept.form);
        }
        let beta = CONCEPTS.iter().find(|c| c.name() == "beta").map(|c| c.definition().collect());
        let expected = ["def beta(0) = w", "def beta(1) = w | <A> w"];
        assert_eq!(beta.map(|b: Vec<_>| b[..2].to_vec()), Some(expected.to_vec()));
    }
}
