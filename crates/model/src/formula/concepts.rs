//! The library of solution concepts, in the language of formulas itself.
//!
//! Definitions are numbered as in *Solving Games and All That*; where the paper (*A General
//! Multi-Agent Modal Logic K Framework for Game Tree Search*) counts otherwise, the thesis' index
//! is used here, and a test shows that both forms agree.

/// A class of formulas of the library.
#[derive(Clone, Copy, Debug)]
pub struct Concept {
    /// How it is called, with its parameters.
    pub form: &'static str,
    /// Where it is defined.
    pub source: &'static str,
    /// What it says.
    pub meaning: &'static str,
    /// Its definition.
    pub definition: &'static str,
}

const fn concept(
    form: &'static str,
    source: &'static str,
    meaning: &'static str,
    definition: &'static str,
) -> Concept {
    Concept { form, source, meaning, definition }
}

/// All of them.
pub const CONCEPTS: &[Concept] = &[
    concept(
        "reach(n, f)",
        "Definition 28",
        "A reaches a state where f holds by exactly n moves of its own; reach(n) is reach(n, w)",
        "def reach(n) = reach(n, w); def reach(0, f) = f; def reach(n, f) = <A> reach(n-1, f)",
    ),
    concept(
        "path(n)",
        "Definition 33, π",
        "A wins by at most n moves of its own in a row",
        "def path(0) = w; def path(n) = w | <A> path(n-1)",
    ),
    concept(
        "omega(n)",
        "Definition 29, ω; WS of depth 2n-1 in the paper",
        "A has a winning strategy in at most n moves of its own: a mate in n",
        "def omega(0) = w; def omega(1) = w | <A> w; def omega(n) = w | <A>[B] omega(n-1)",
    ),
    concept(
        "ladder(n)",
        "Definition 30, L",
        "A wins by moves that each threaten to win at once, in n moves of both sides (n is odd)",
        "def ladder(0) = w; def ladder(1) = w | <A> w; \
         def ladder(n) = w | <A>((w | <A> w) & [B] ladder(n-2))",
    ),
    concept(
        "helpmate(n)",
        "section 4.5, H",
        "B, who is to move, helps A to win in n moves of each side",
        "from B def helpmate(0) = w; def helpmate(n) = w | <B><A> helpmate(n-1)",
    ),
    concept(
        "selfmate(n)",
        "section 4.5, S; ours: !l, since who cannot move does not mate",
        "B, who is to move, forces A to win within n moves",
        "from B def selfmate(0) = w; def selfmate(n) = w | <B>(!l & [A] selfmate(n-1))",
    ),
    concept(
        "PT(n)",
        "Definition 31; PT of depth 2n-1 in the paper",
        "a progress tree: a strategy of n moves, each of which leaves A a winning path",
        "def PT(0) = w; def PT(1) = w | <A> w; def PT(n) = w | <A>(path(n-1) & [B] PT(n-1))",
    ),
    concept(
        "lambda(d, n)",
        "Definition 34, λ",
        "a λ-tree of order d and depth n: each move threatens a tree of order d-1",
        "def lambda(0, n) = w; def lambda(d, 0) = w; def lambda(d, 1) = w | <A> w; \
         def lambda(d, n) = w | <A>(lambda(d-1, n-1) & [B] lambda(d, n-2))",
    ),
    concept(
        "APS(n)",
        "Definition 35",
        "an abstract proof tree of order n: each move threatens one of order n-1",
        "def APS(0) = w; def APS(1) = w | <A> w; def APS(n) = w | <A>(APS(n-1) & [B] APS(n-1))",
    ),
    concept(
        "PA(n)",
        "Definition 36",
        "a paranoid win within n moves of all agents, all others playing against A",
        "def PA(n) = PA(n, 0); def PA(0, i) = w; def PA(n, 0) = w | <A> PA(n-1, 1); \
         def PA(n, i) when i < k = [B(i)] PA(n-1, i+1); def PA(n, i) = [B(i)] PA(n-1, 0)",
    ),
    concept(
        "beta(n)",
        "Definition 37, β",
        "a best-reply win in n moves of A: after each, one of the others moves, whichever likes",
        "def beta(0) = w; def beta(1) = w | <A> w; def beta(n) = w | <A>[B*] beta(n-1)",
    ),
    concept(
        "zugzwang(f)",
        "Definition 38",
        "f does not hold, but would after any move of some opponent: A would rather not move",
        "def zugzwang(f) = !f & [B?] f",
    ),
    concept(
        "gagnant(k)",
        "threat orders of the lecture \"Recherche avec menaces\"",
        "A wins by a move, or by one to a state that is gagne(k)",
        "def gagnant(0) = <A> w; def gagnant(k) = <A> w | <A> gagne(k)",
    ),
    concept(
        "gagne(k)",
        "threat orders of the lecture \"Recherche avec menaces\"",
        "B is to move, and whether it passes or moves, the state is gagnant(k-1)",
        "def gagne(0) = w; def gagne(k) = gagnant(k-1) & [B] gagnant(k-1)",
    ),
];

/// The definitions of all concepts, as a text of the language.
pub fn library() -> String {
    CONCEPTS.iter().map(|c| c.definition).collect::<Vec<_>>().join("; ")
}
