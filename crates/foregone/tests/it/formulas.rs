//! Formulas: the corpus crossed with every algorithm, and what is part of a certificate.

use foregone::formula::Algorithm;
use foregone::{Engine, ErrorKind, Finished, Job, Question};
use serde::Deserialize;

use crate::common::{accepted, formula, job, root, run};
use crate::seal::seal;

#[derive(Deserialize)]
struct Problems {
    formula: Vec<Problem>,
}

#[derive(Deserialize)]
struct Problem {
    game: String,
    #[serde(default = "start")]
    position: String,
    formula: String,
    holds: Option<bool>,
    keys: Option<Vec<String>>,
    source: String,
}

fn start() -> String {
    "start".to_owned()
}

impl Problem {
    /// Whether the formula holds: said, or by whether there are keys.
    fn holds(&self) -> bool {
        self.holds.unwrap_or_else(|| self.keys.as_ref().is_some_and(|keys| !keys.is_empty()))
    }
}

fn problems() -> Vec<Problem> {
    let text = std::fs::read_to_string(root().join("problems/formulas.toml")).unwrap();
    toml::from_str::<Problems>(&text).unwrap().formula
}

/// Asks a formula of a position, with these words.
fn ask(game: &str, text: &str, position: &str, words: &str) -> Finished {
    let job = Job { game: game.to_owned(), ..job(&format!("x {words}")) };
    run(&job.at(position).ask(Question::Formula(text.to_owned())))
}

const ALGORITHMS: [&str; 10] =
    ["alphabeta", "dfps", "pnps", "pnps(lambda)", "mcps", "mps", "dfmps", "ppps", "dfpn", "pn2"];

#[test]
fn every_algorithm_is_right_on_the_corpus_of_formulas() {
    for problem in problems() {
        let Problem { game, position, formula: text, source, .. } = &problem;
        assert!(!source.is_empty());
        for word in ALGORITHMS {
            let words = format!("algorithm={word} seed=3 nodes=3000000");
            let finished = ask(game, text, position, &words);
            let answer = formula(&finished);
            let place = format!("{text} in {position} by {word}");
            // The slower ones may run out of nodes, and say so; they are never wrong.
            if !finished.answer.solved() && !matches!(word, "alphabeta" | "dfpn") {
                assert_eq!(answer.holds, None, "{place}");
                continue;
            }
            assert_eq!(answer.holds, Some(problem.holds()), "{place}");
            assert!(answer.proof.as_ref().is_some_and(|proof| proof.checked), "{place}");
        }
        if let Some(keys) = &problem.keys {
            let finished = ask(game, text, position, "all=yes");
            assert_eq!(formula(&finished).keys.as_ref(), Some(keys), "{text} in {position}");
        }
    }
}

#[test]
fn algorithms_have_their_words() {
    for word in ALGORITHMS {
        assert_eq!(word.parse::<Algorithm>().unwrap().to_string(), word);
    }
    for (text, at) in [
        ("dfs", 0..3),
        ("mps(cost=time)", 9..13),
        ("pnps(cost=depth)", 5..15),
        ("mps(atom=x)", 9..10),
        ("dfps(lambda)", 5..11),
    ] {
        assert_eq!(text.parse::<Algorithm>().expect_err(text).span, at, "{text}");
    }
}

const MATE_IN_TWO: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

#[test]
fn a_is_the_side_to_move_unless_something_else_is_said() {
    let position = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let a =
        |text: &str, words: &str| formula(&ask("chess", text, position, words)).protagonist.clone();
    assert_eq!(a("omega(1)", ""), "white");
    assert_eq!(a("omega(1)", "player=black"), "black");
    assert_eq!(a("helpmate(1)", ""), "black");
    assert_eq!(a("s#1", ""), "black");
    assert_eq!(a("h#1.5", ""), "white");
    assert_eq!(a("<white> w", ""), "white");
}

#[test]
fn definitions_of_ones_own_are_part_of_the_certificate() {
    let definitions = "// a mate in n\ndef mine(0) = w\ndef mine(n) = w | <A>[B] mine(n-1)\n";
    let asked = Job::new("chess").at(MATE_IN_TWO).ask(Question::Formula("mine(2)".to_owned()));
    let finished = run(&Job { definitions: definitions.to_owned(), ..asked });
    assert_eq!(formula(&finished).holds, Some(true));
    let (engine, text) = (Engine::default(), &finished.certificate);
    assert!(accepted(&engine, text));
    // Another formula, another agent, another position: no proof of those.
    for (from, to) in [
        ("mine(2)\n", "mine(1)\n"),
        ("as white", "as black"),
        ("as white", "as nobody"),
        ("<A>[B]", "[A][B]"),
        ("/R7 w", "/1R6 w"),
        ("verifier at-least win", "falsifier below win"),
    ] {
        let damaged = text.replace(from, to);
        assert_ne!(&damaged, text, "{from}");
        let lines: Vec<String> = damaged.lines().map(str::to_owned).collect();
        assert!(!accepted(&engine, &seal(&lines[..lines.len() - 1])), "{from} -> {to}");
    }
}

#[test]
fn minimal_proofs_say_what_they_cost() {
    for algorithm in ["mps", "dfmps"] {
        let cost = |options: &str| {
            let words = format!("algorithm={algorithm}({options})");
            formula(&ask("chess", "#2", MATE_IN_TWO, &words)).cost.unwrap()
        };
        assert_eq!(cost("cost=depth"), 3, "{algorithm}");
        let (atoms, queries) = (cost("cost=atoms"), cost("cost=queries"));
        assert!(0 < atoms && atoms < queries, "{atoms} {queries}");
        assert_eq!(cost("cost=queries,atom=1,moves=0"), atoms);
    }
}

#[test]
fn proofs_can_be_drawn() {
    let drawn = ask("chess", "#2", MATE_IN_TWO, "proof=drawn").drawings.unwrap();
    // The key, then Black's moves with what mates, those with the same answer together.
    let (tree, dot) = (drawn.tree(None), drawn.dot());
    assert!(tree.starts_with("a1a6\n"), "{tree}");
    assert!(tree.contains("b7a6: b6b7 ."), "{tree}");
    assert!(tree.contains("b8d6, b8c7: a6a7 ."), "{tree}");
    assert!(dot.starts_with("digraph proof {") && dot.ends_with("}\n"));
    assert!(dot.contains("label=\"a1a6\""), "{dot}");
    assert_eq!(ask("chess", "#2", MATE_IN_TWO, "proof=always").drawings, None);
}

#[test]
fn formulas_are_explained() {
    let explain = |game: &str, text: &str| {
        Engine::default().open(game).unwrap().explain(&Job::new(game), text).unwrap()
    };
    let out = explain("chess", "omega(2)");
    for part in [
        "A is white, B is black",
        "w | <A>[B](w | <A>w)",
        "omega(2) = w | <A>[B]omega(1)",
        "white has won, or white has a move after which whatever black plays, omega(1)",
        "moves as if it were its turn",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(explain("breakthrough", "omega(1)").contains("asked to move out of turn passes"));
}

#[test]
fn mistakes_in_formulas_are_told_with_their_place() {
    for (text, message, help) in [
        ("omga(2)", "no proposition or class called `omga`", "did you mean `omega`?"),
        ("<Whit> w", "`Whit` is ", "did you mean `white`?"),
        ("w |", "expected a formula, but the text ends here", ""),
        ("(w", "this bracket is never closed", ""),
        ("captured(X)", "`captured(X)` is not of the form captured(PIECE)", ""),
        ("def f(n) = <A> f(n+1); f(0)", "`f` goes more than 500 calls deep: does it end?", ""),
        ("", "there is no formula here", ""),
    ] {
        let asked = Job::new("chess").ask(Question::Formula(text.to_owned()));
        let error = Engine::default().run(&asked, &mut (), &foregone::Cancel::new());
        let error = error.expect_err(text);
        assert_eq!(error.kind, ErrorKind::Input);
        assert!(error.message.contains(message), "{text}: {error}");
        assert!(error.help.unwrap_or_default().contains(help), "{text}");
        let place = error.place.unwrap_or_else(|| panic!("{text}"));
        assert_eq!((place.name.as_str(), place.text.as_str()), ("formula", text));
    }
    for (words, part) in [
        ("question=\"formula w\" player=wite", "`wite` does not play"),
        ("question=\"formula <A> w\" algorithm=dfps all=yes", "does not find all first moves"),
        ("question=\"formula [A] w\" all=yes", "all first moves were asked for"),
    ] {
        let asked = job(&format!("chess {words}"));
        let error = Engine::default().run(&asked, &mut (), &foregone::Cancel::new());
        let error = error.expect_err(words);
        assert!(error.message.contains(part), "{words}: {error}");
    }
}
