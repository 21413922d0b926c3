//! Formulas as texts.

use super::*;
use crate::classes::holds;

/// What texts of formulas are made of, and what they are not.
const PIECES: [&str; 52] = [
    "def",
    "from",
    "B",
    "when",
    "f",
    "g",
    "omega",
    "reach",
    "zugzwang",
    "PA",
    "lambda",
    "n",
    "k",
    "w",
    "p",
    "true",
    "(",
    ")",
    ",",
    ";",
    "<",
    ">",
    "[",
    "]",
    "<A>",
    "[B*]",
    "[B(1)]",
    "[B(n",
    "◇_A",
    "□",
    "◇_B(2)",
    "=",
    "-",
    "+",
    "*",
    "!",
    "&",
    "|",
    "->",
    "0",
    "1",
    "2",
    "99999999999999999999",
    "#",
    "h#2.5",
    "s#1",
    "//",
    "é",
    "\n",
    " ",
    "turn(",
    "turn(A)",
];

#[test]
fn formulas_are_written_as_they_are_read() {
    let mut rng = Rng::new(77);
    let game = Automaton::random(3, 3, 3, &mut rng);
    for _ in 0..2000 {
        let text = random_formula(3, 5, &mut rng);
        let f = formula(&game, &text);
        let written = f.text(f.root, true, usize::MAX);
        let again = formula(&game, &written);
        assert_eq!(again.text(again.root, true, usize::MAX), written, "{text}");
        for s in 0..game.states.len() as u16 {
            let truth = satisfies(&game, &f, &s, f.root);
            assert_eq!(satisfies(&game, &again, &s, again.root), truth, "{text}: {written}");
        }
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    let mut rng = Rng::new(78);
    let game = Automaton::random(3, 3, 3, &mut rng);
    let language = Language::of(&game);
    let (mut read, mut refused) = (0, 0);
    let mut ask = |text: &str| {
        let (protagonist, turn) = (None, Agent(1));
        match (Reading { text, definitions: "", protagonist, turn }).read(&language) {
            Ok(f) => {
                read += 1;
                let _ = f.text(f.root, true, 1000);
            }
            Err(e) => {
                refused += 1;
                let span = e.error.span;
                assert!(span.start <= span.end, "{text}");
            }
        }
    };
    for _ in 0..20_000 {
        let count = 1 + rng.below(12);
        let text: String =
            (0..count).map(|_| PIECES[rng.below(PIECES.len() as u32) as usize]).collect();
        ask(&text);
        let mut text = random_formula(3, 3, &mut rng);
        let at = rng.below(text.len() as u32 + 1) as usize;
        text.insert_str(at, PIECES[rng.below(PIECES.len() as u32) as usize]);
        ask(&text);
    }
    // What would take all memory or all of the stack is refused.
    for text in [
        "(".repeat(100_000),
        "!".repeat(100_000),
        "<A>".repeat(100_000),
        vec!["w"; 100_000].join("&"),
        vec!["w"; 100_000].join("->"),
        format!("omega({})", vec!["1"; 100_000].join("+")),
        "omega(1000000)".to_owned(),
        "def f(n) = f(n) & f(n+1); f(0)".to_owned(),
        "def f(n) = <A> f(n+1) | [B] f(n+1); f(0)".to_owned(),
        "lambda(400, 400)".to_owned(),
    ] {
        ask(&text);
    }
    assert!(read > 1000 && refused > 1000, "{read} {refused}");
}

#[test]
fn every_and_some_opponent_are_what_they_say() {
    let mut rng = Rng::new(41);
    let mut seen = [0u32; 2];
    for _ in 0..300 {
        let game = Automaton::random(3, 4, 4, &mut rng);
        for (short, long) in [
            ("[B*] p", "[B1] p & [B2] p"),
            ("[B?] p", "[B1] p | [B2] p"),
            ("<B*> p", "<B1> p & <B2> p"),
            ("<B?> p", "<B1> p | <B2> p"),
            ("![B?] p", "<B1> !p & <B2> !p"),
            ("!<B*> p", "[B1] !p | [B2] !p"),
            ("[B(k)] p", "[B2] p"),
            ("◇_A □_B1 p", "<A>[B] p"),
            ("p -> q -> p", "true"),
            ("¬p ∨ q ∧ p", "!p | (q & p)"),
        ] {
            let truth = holds(&game, &0, long);
            assert_eq!(holds(&game, &0, short), truth, "{short} is {long}");
            seen[usize::from(truth)] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 300), "{seen:?}");
}
