//! Rulesheets that somebody wrote to hang, to crash or to mislead: odd goals, odd names, bombs, and
//! rules whose meaning is open.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use foregone_gdl::{
    Backend, Interpreter, JointSheet, Kind, Limits, LoadError, Loaded, Program, Sheet, StopCheck,
    check as check_rulesheet,
};
use foregone_model::certificate::{
    Arithmetic, Mixed, Reader, RulesOnly, check, check_mixed, write, write_mixed,
};
use foregone_model::formula::{Check, Language, Reading};
use foregone_model::{
    Agent, Claim, Game, Joint, JointNotation, Line, Notation, Side, Turn, Typed, WeakSolution,
};

fn load(text: &str) -> Arc<Loaded> {
    Arc::new(Loaded::new(text, None).unwrap())
}

fn sheet(text: &str, hero: Option<&str>) -> Sheet {
    Sheet::new("gdl:test", load(text), hero).unwrap()
}

/// One player chooses, the other waits, and the goals are these: `ends` are the choices and what
/// both get.
fn choice(ends: &[(&str, i32, i32)]) -> String {
    let mut text = String::from(
        "(role a) (role b) (init begin) (<= (legal b noop) (true begin))
         (<= terminal (not (true begin)))",
    );
    for (name, a, b) in ends {
        let _ = write!(
            text,
            "(<= (legal a {name}) (true begin)) (<= (next (chosen {name})) (does a {name}))
             (<= (goal a {a}) (true (chosen {name}))) (<= (goal b {b}) (true (chosen {name})))",
        );
    }
    text
}

/// The name of the outcome of each choice, and whether it is a win for either player.
fn outcomes(game: &Sheet) -> Vec<(String, bool, bool)> {
    let (start, mut moves) = (game.start(), Vec::new());
    let Some(agent) = game.turn(&start).mover() else { panic!("the game is over") };
    game.moves(&start, agent, &mut moves);
    let outcome = |&m: &u32| {
        let mut s = start.clone();
        game.play(&mut s, agent, m);
        let o = game.outcome(&s);
        (game.scale().name(o).to_owned(), game.won(o, Agent(0)), game.won(o, Agent(1)))
    };
    moves.iter().map(outcome).collect()
}

#[test]
fn win_and_loss_follow_from_comparing_the_roles() {
    let said = |ends: &[(&str, i32, i32)], hero: Option<&str>| {
        let game = sheet(&choice(ends), hero);
        let found = outcomes(&game);
        assert_eq!(game.rules_violation(), None);
        let independent = game.independent_rules().unwrap();
        assert_eq!(outcomes(&independent), found);
        assert_eq!(independent.rules_violation(), None);
        found.into_iter().map(|(name, a, b)| format!("{name} {a} {b}")).collect::<Vec<_>>()
    };
    let uneven = [("x", 100, 50), ("y", 50, 100)];
    assert_eq!(said(&uneven, None), ["win true false", "loss false true"]);
    let drawn = [("x", 80, 20), ("y", 50, 50), ("z", 20, 80)];
    let words = ["win true false", "draw false false", "loss false true"];
    assert_eq!(said(&drawn, None), words);
    let points = [("x", 90, 60), ("y", 80, 70), ("z", 70, 80)];
    assert_eq!(said(&points, None), ["90 true false", "80 true false", "70 false true"]);
    // One role against all others: what the others get does not count, so half is no win.
    assert_eq!(said(&uneven, Some("a")), ["100 true false", "50 false false"]);
    assert_eq!(said(&uneven, Some("b")), ["50 false false", "100 true false"]);
    // Two whose goals do not add up do not play against each other: each has a score of its own.
    let many = [("x", 100, 50), ("y", 30, 40), ("z", 0, 0)];
    assert_eq!(said(&many, None), ["100/50 true false", "30/40 false true", "0/0 false false"]);
    assert_eq!(said(&many, Some("a")), ["100 true false", "30 false false", "0 false true"]);
}

#[test]
fn one_role_gets_points() {
    let text = "(role a) (init x) (legal a b) (legal a c) (<= (next (d ?m)) (does a ?m))
        (<= terminal (not (true x))) (<= (goal a 60) (true (d b))) (<= (goal a 40) (true (d c)))";
    let found = outcomes(&sheet(text, None));
    assert_eq!(found, [("60".to_owned(), false, false), ("40".to_owned(), false, false)]);
}

#[test]
fn the_scores_of_many_roles_are_their_goals() {
    let text = "(role a) (role b) (role c) (init x) (legal a u) (legal a v) (legal b n) (legal c n)
        (<= (next (d ?m)) (does a ?m)) (<= terminal (not (true x)))
        (<= (goal a 100) (true (d u))) (<= (goal b 0) (true (d u))) (<= (goal c 100) (true (d u)))
        (<= (goal a 0) (true (d v))) (<= (goal b 90) (true (d v))) (<= (goal c 50) (true (d v)))";
    let game = sheet(text, None);
    for (m, scores) in [("u", [100, 0, 100]), ("v", [0, 90, 50])] {
        let mut s = game.start();
        let parsed = game.parse_move(&s, m).unwrap();
        game.play(&mut s, Agent(0), parsed);
        let outcome = game.outcome(&s);
        assert_eq!([0, 1, 2].map(|a| game.score(outcome, Agent(a))), scores, "{m}");
    }
}

/// Names with a meaning in certificates, lists of moves and formulas.
const ODD: [&str; 14] = [
    "@",
    "stays",
    "1st",
    "2nd",
    "#1",
    "a:b",
    "x,y",
    "=",
    "!",
    ".",
    "%",
    "\"",
    "(go 1.5 [x])",
    "a/b",
];

#[test]
fn odd_moves_stand_in_certificates() {
    for name in ODD {
        let game = sheet(&choice(&[(name, 100, 0), ("plain", 0, 100)]), None);
        let start = game.start();
        let mut moves = Vec::new();
        game.moves(&start, Agent(0), &mut moves);
        let winning = |m: &u32| {
            let mut s = start.clone();
            game.play(&mut s, Agent(0), *m);
            game.outcome(&s) == game.scale().best()
        };
        let m = moves.into_iter().find(winning).unwrap();
        assert_eq!(game.parse_move(&start, &game.move_text(&start, m)), Some(m), "{name}");
        let list = format!("moves:{}", game.move_text(&start, m));
        let after = game.read_position_or_moves(&list).unwrap();
        assert_eq!(game.read_position(&game.position_text(&after)).unwrap(), after);

        // A proof that Max wins, by the rules of the interpreter.
        let solution = WeakSolution { prover: Side::Max, lines: vec![Line::Plays(m), Line::Over] };
        let at_least = game.scale().best();
        let claim = Claim { max: Agent::FIRST, prover: Side::Max, at_least, or_endless: false };
        let text = write(&game, &start, claim, &solution).text;
        let mut reader = Reader::new(text.as_bytes());
        let header = reader.header().unwrap().unwrap();
        let independent = game.independent_rules().unwrap();
        check(&game, &header, &mut reader, &mut RulesOnly).unwrap();
        assert_eq!(independent.rules_violation(), None);

        // The same of a formula.
        let language = Language::of(&game);
        let reading = Reading { text: "<A> w", definitions: "", protagonist: None, turn: Agent(0) };
        let question = Check::new(&game, reading.read(&language).unwrap());
        let begin = question.read_position(&game.position_text(&start)).unwrap();
        let Some(verifier) = question.turn(&begin).mover() else { panic!("{name}") };
        let mut steps = Vec::new();
        question.moves(&begin, verifier, &mut steps);
        for step in steps {
            let word = question.move_text(&begin, step);
            assert_eq!(question.parse_move(&begin, &word), Some(step), "{name}: {word}");
        }
    }
}

#[test]
fn odd_joint_moves_stand_in_certificates() {
    for name in ODD {
        let text = format!(
            "(role a) (role b) (init {name}) (<= (legal ?r {name}) (role ?r))
             (<= (legal ?r @@) (role ?r)) (<= (next (same)) (does a ?m) (does b ?m))
             (<= (next other) (does a ?m) (does b ?n) (distinct ?m ?n))
             (<= terminal (not (true {name}))) (<= (goal a 100) (true same)) (<= (goal b 0) (true same))
             (<= (goal a 0) (true other)) (<= (goal b 100) (true other))"
        );
        let game = JointSheet::new("gdl:test", load(&text)).unwrap();
        let start = game.start();
        for prover in [Side::Max, Side::Min] {
            let mut moves = Vec::new();
            game.moves(&start, prover, &mut moves);
            let mix = moves.iter().map(|&m| (m, 1u32.into())).collect();
            let lines = vec![(start.clone(), mix)];
            let written =
                write_mixed(&game, &start, &Mixed { prover, arithmetic: Arithmetic::Exact, lines });
            let text = written.unwrap().text;
            let mut reader = Reader::new(text.as_bytes());
            let header = reader.header().unwrap().unwrap();
            let independent = game.independent_rules().unwrap();
            let checked = check_mixed(&independent, &header, &mut reader).unwrap();
            assert_eq!(
                (checked.bound.to_string().as_str(), independent.rules_violation()),
                ("50", None),
                "{name}"
            );
        }
    }
}

#[test]
fn positions_that_look_like_other_words_are_read_back() {
    for fact in ["start", "moves:x", "@", "(f : , # %)"] {
        let text = format!(
            "(role a) (init go) (legal a m) (<= (next {fact}) (does a m))
             (<= terminal (not (true go))) (goal a 100)"
        );
        let game = sheet(&text, None);
        let after = game.read_position_or_moves("moves:m").unwrap();
        let line = game.position_text(&after);
        assert_ne!(after, game.start());
        for rules in [&game, &game.independent_rules().unwrap()] {
            let s = rules.read_position_or_moves(&line).unwrap();
            assert_eq!((rules.position_text(&s), rules.turn(&s)), (line.clone(), Turn::Over));
        }
    }
}

#[test]
fn odd_roles_are_refused_by_name() {
    let game = |role: &str| {
        let text = choice(&[("x", 100, 0), ("y", 0, 100)]);
        let text = text.replace("role b", &format!("role {role}"));
        let text = text.replace("legal b", &format!("legal {role}"));
        Loaded::new(&text.replace("goal b", &format!("goal {role}")), None)
    };
    assert_eq!(game("b-2").unwrap().kind(), Kind::Turns);
    for role in ["a+b", "others", "nobody", "b:c", "b,c", "#b", "@", "b\"", "b=c", "b%"] {
        let error = game(role).unwrap_err();
        assert!(error.message.contains(&format!("`{role}`")), "{error}");
    }
    assert!(game("(b c)").unwrap_err().message.contains("one constant"));
    assert!(game("?b").unwrap_err().message.contains("one constant"));
    let hidden = game("b\u{1b}[2J").unwrap_err();
    assert!(hidden.message.contains("U+001B"), "{hidden}");
    let many: String =
        (0..65).map(|n| format!("(role r{n}) (legal r{n} x) (goal r{n} 0)")).collect();
    assert!(Loaded::new(&many, None).unwrap_err().message.contains("65 roles, more than 64"));
}

/// What stands in every one of these rulesheets.
const BASE: &str = "(role a) (init x) (legal a m) (goal a 100)";

/// Numbers that a bomb counts with.
fn digits() -> String {
    (0..10).map(|n| format!("(d {n})")).collect()
}

/// Variables, and that each is a digit.
fn all_digits(count: usize) -> (String, String) {
    let names: Vec<String> = (0..count).map(|n| format!("?x{n}")).collect();
    let bodies: Vec<String> = names.iter().map(|v| format!("(d {v})")).collect();
    (names.join(" "), bodies.join(" "))
}

/// An `or` of so many parts.
fn wide(parts: usize) -> String {
    let parts: Vec<String> = (0..parts).map(|n| format!("t{n}")).collect();
    format!("(or {})", parts.join(" "))
}

/// Rulesheets that hung, crashed or ate all memory, each with what it does.
fn bombs() -> Vec<(&'static str, String)> {
    let (names, body) = all_digits(8);
    let (few, few_body) = all_digits(5);
    let digits = digits();
    let mut nested = wide(65);
    (0..45).for_each(|_| nested = format!("(and (or {nested} q) r)"));
    let equal: String =
        (0..40).map(|n| format!("(not (distinct ?x{n} (f ?x{} ?x{})))", n + 1, n + 1)).collect();
    let strata: String = (0..20_000).map(|n| format!("(<= p{n} (not p{}))", n + 1)).collect();
    let bits: Vec<String> = (0..24).map(|n| format!("?x{n}")).collect();
    let set: String = bits.iter().map(|b| format!("(bit {b})")).collect();
    let bits = bits.join(" ");
    vec![
        ("a body that becomes a relation of itself", {
            format!("{BASE} (<= terminal (and {} t))", wide(65))
        }),
        ("bodies inside of bodies", format!("{BASE} (<= terminal {nested})")),
        ("facts of eight digits", {
            let rest = "(role a) (legal a m) (goal a 100) (<= terminal (true (c 1)))";
            format!("{rest} {digits} (<= (init (c {names})) {body})")
        }),
        ("moves of eight digits", {
            let rest = "(role a) (init x) (goal a 100) (<= terminal (not (true x)))";
            format!("{rest} {digits} (<= (legal a (m {names})) {body})")
        }),
        ("states of 24 bits", {
            let rest = "(role a) (init x) (legal a m) (goal a 100) (<= terminal (true y))";
            format!("{rest} (bit 0) (bit 1) (<= (next (b {bits})) {set})")
        }),
        ("a product of facts that gives none", {
            let two = few.replace('x', "y");
            let pairs = format!("(e {few}) (e {two})");
            format!(
                "{BASE} {digits} (<= (e {few}) {few_body}) (<= (eq {few} {two}) {pairs})
                 (<= terminal {pairs} (not (eq {few} {two})))"
            )
        }),
        ("terms that double", {
            "(role a) (init (n 0)) (<= (next (n (s ?x ?x))) (true (n ?x))) (legal a m)
             (goal a 100) (<= terminal (true (n 1)))"
                .to_owned()
        }),
        ("terms that grow", {
            "(role a) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x))) (legal a m) (goal a 100)
             (<= terminal (true (n 1)))"
                .to_owned()
        }),
        ("states that double", {
            "(role a) (init (l nil)) (el 0) (el 1) (<= (next (l (cons ?e ?x))) (true (l ?x)) (el ?e))
             (legal a m) (goal a 100) (<= terminal (true (n 1)))"
                .to_owned()
        }),
        ("equalities that double", format!("{BASE} (p 1) (<= terminal {equal} (p ?x40))")),
        ("negations of negations", format!("{BASE} {strata} (<= terminal p0)")),
        ("a negation of many facts", {
            format!(
                "(role a) (legal a m) (goal a 100) {digits} (<= (init (c {few})) {few_body})
                 (<= (next (c {few})) (true (c {few})) (does a m)) (<= open (true (c {few})))
                 (<= terminal (not open))"
            )
        }),
        ("endless recursion", {
            format!("{BASE} (n 0) (<= (n (s ?x)) (n ?x)) (<= terminal (n ?x) (true (n ?x)))")
        }),
        ("a join of everything", {
            format!("{BASE} {digits} (<= terminal {body} (f {names})) (<= (f {names}) (f {names}))")
        }),
    ]
}

/// Each takes a second or two; tests may be slow, and many may run at once. What takes longer than
/// this would take forever.
const PATIENCE: Duration = Duration::from_secs(40);

/// One tenth of what a person gets, so that unoptimised tests are as fast.
const LIMITS: Limits = Limits {
    facts: 300_000,
    instances: 600_000,
    joins: 10_000_000,
    steps: 5_000_000,
    plays: 10_000_000,
};

#[test]
fn bombs_are_refused_or_harmless_in_little_time() {
    for (what, text) in bombs() {
        for backend in [None, Some(Backend::Chain), Some(Backend::Plain)] {
            let clock = Instant::now();
            if let Ok(loaded) = Loaded::with_limits(&text, backend, LIMITS, &StopCheck::NEVER) {
                let game = Sheet::new("gdl:bomb", Arc::new(loaded), None).unwrap();
                let start = game.start();
                assert!(game.position_text(&start).len() < 10_000_000, "{what}");
            }
            assert!(clock.elapsed() < PATIENCE, "{what} {backend:?}: {:?}", clock.elapsed());
        }
    }
}

#[test]
fn loading_can_be_stopped_at_any_time() {
    // How often the check is asked until it says yes, and what comes of that.
    let asked = |text: &str, backend, stops_at: u64| {
        let count = Arc::new(AtomicU64::new(0));
        let counted = count.clone();
        let stop = StopCheck::new(move || counted.fetch_add(1, Ordering::Relaxed) + 1 == stops_at);
        let loaded = Loaded::with_limits(text, backend, LIMITS, &stop);
        (count.load(Ordering::Relaxed), loaded.err())
    };
    let bombs = bombs();
    for (what, backend, often) in [
        ("facts of eight digits", Some(Backend::Gates), 50),
        ("states of 24 bits", Some(Backend::Chain), 50),
        ("states of 24 bits", Some(Backend::Plain), 50),
        // Random plays of small states.
        ("terms that grow", None, 200),
    ] {
        let text = &bombs.iter().find(|b| b.0 == what).unwrap().1;
        let (count, error) = asked(text, backend, u64::MAX);
        assert!(count > often && error != Some(LoadError::Stopped), "{what}: {count}");
        for stops_at in [1, count / 2, count] {
            let stopped = (stops_at, Some(LoadError::Stopped));
            assert_eq!(asked(text, backend, stops_at), stopped, "{what} {backend:?}");
        }
    }
}

#[test]
fn the_plain_interpreter_has_limits_of_its_own() {
    for (what, text) in bombs() {
        let clock = Instant::now();
        let mut game = Interpreter::new(&Program::read(&text).unwrap()).with_limit(5_000_000);
        let mut played = || {
            let mut state = game.initial()?;
            for _ in 0..20 {
                if game.terminal(&state)? {
                    break;
                }
                let Some(&m) = game.legal(&state, 0)?.first() else { break };
                state = game.next(&state, &[m])?;
            }
            Ok::<_, foregone_gdl::Fault>(state)
        };
        match played() {
            Ok(state) => assert!(game.show_state(&state).join(" ").len() < 10_000_000, "{what}"),
            // The message names a limit, or what is wrong.
            Err(fault) => assert!(
                fault.to_string().contains(char::is_numeric) || fault.span().is_some(),
                "{what}: {fault}"
            ),
        }
        assert!(clock.elapsed() < PATIENCE, "{what}: {:?}", clock.elapsed());
    }
}

#[test]
fn limits_are_named() {
    let said = |text: &str, backend| {
        let loaded = Loaded::new(text, backend).and_then(|l| {
            let game = Sheet::new("gdl:limits", Arc::new(l), None).unwrap();
            let mut s = game.start();
            for _ in 0..2000 {
                let Some(agent) = game.turn(&s).mover() else { break };
                let m = game.parse_move(&s, "m").unwrap();
                game.play(&mut s, agent, m);
            }
            let message = game.rules_violation().unwrap_or_default();
            Err::<(), _>(foregone_model::TextError::new(message, 0..0))
        });
        loaded.unwrap_err().message
    };
    let bombs = bombs();
    let bomb = |what: &str| bombs.iter().find(|b| b.0 == what).unwrap().1.as_str();
    let plain = Some(Backend::Plain);
    assert!(said(bomb("terms that double"), plain).contains("more than 10000 names"));
    assert!(said(bomb("terms that grow"), plain).contains("deeper than 1000"));
    assert!(said(bomb("states that double"), plain).contains("more than 1000000 names"));
    assert!(said(bomb("endless recursion"), plain).contains("deeper than 1000"));
}

#[test]
fn ambiguous_rules_prove_nothing() {
    let game = choice(&[("x", 100, 0), ("y", 0, 100)]);
    let violation = |more: &str| {
        let game = sheet(&format!("{game}{more}"), None);
        // Searches go on; only what checks proofs sees a violation.
        assert_eq!(game.rules_violation(), None, "{more}");
        (game.independent_rules().unwrap().rules_violation(), game.warnings())
    };
    assert_eq!(violation(""), (None, Vec::new()));
    for (more, said) in [
        ("(<= p (not (q ?x)))", "is not in any positive literal"),
        ("(<= (q ?x) (p ?x) (distinct ?x ?y))", "`?y` of `distinct`"),
        ("(<= (goal a) (true begin))", "`goal` has 1 argument here"),
        ("(<= p (init begin))", "may only be used in heads"),
        ("(goal a 101)", "from 0 to 100"),
        ("(<= (not p) q)", "cannot be negative"),
    ] {
        // Rules that the game does not ask, so that nothing else shows.
        let more = more.replace("(goal a 101)", "(<= (goal a 101) (true never))");
        let (violation, warnings) = violation(&more);
        let violation = violation.unwrap();
        assert!(violation.contains(said) && violation.contains("ambiguous"), "{more}: {violation}");
        assert!(violation.starts_with("line "), "{violation}");
        assert!(warnings.contains(&violation), "{warnings:?}");
    }
    // A fact that depends on its own negation, where the game asks for it.
    let knot = "(<= terminal (not p)) (<= p (not q)) (<= q (not p))";
    let refused = Loaded::new(&format!("{game}{knot}"), None).unwrap_err();
    assert!(refused.message.contains("negation depends on itself"), "{refused}");
    // Style: the meaning is the same for all.
    let (none, warnings) = violation("(<= (p 1) (not (p 2))) (<= terminal (p 3))");
    assert!(none.is_none() && warnings[0].contains("depends on its own negation"), "{warnings:?}");
    let (none, warnings) = violation("(p 1) (p 1 2) (<= (p ?x) (p (f ?x)))");
    assert_eq!((none, warnings.len()), (None, 2), "{warnings:?}");
    // How many problems there are, and how many of them make the meaning ambiguous.
    let count = |text: &str| {
        let problems = check_rulesheet(&Program::read(text).unwrap());
        (problems.len(), problems.iter().filter(|p| p.is_ambiguous).count())
    };
    assert_eq!(count(&format!("{game} (p 1) (p 1 2)")), (1, 0));
    assert_eq!(count("(role a)"), (3, 3), "no legal moves, no goals, no end");
}

#[test]
fn the_interpreter_finds_the_kind_by_itself() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulesheets");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "kif") {
            continue;
        }
        let loaded = load(&std::fs::read_to_string(&path).unwrap());
        let violation = match loaded.kind() {
            Kind::Joint => {
                JointSheet::new("x", loaded).unwrap().independent_rules().unwrap().rules_violation()
            }
            Kind::ManyJoint => continue,
            _ => {
                let game = Sheet::new("x", loaded, None).unwrap();
                let independent = game.independent_rules().unwrap();
                let names = |g: &Sheet| g.scale().names().map(str::to_owned).collect::<Vec<_>>();
                assert_eq!(names(&independent), names(&game), "{path:?}");
                assert_eq!(independent.players(), game.players(), "{path:?}");
                assert_eq!(
                    independent.turn(&independent.start()),
                    game.turn(&game.start()),
                    "{path:?}"
                );
                independent.rules_violation()
            }
        };
        assert_eq!(violation, None, "{path:?}");
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}
