//! Formulas: what is known of what they need to be reached, against the definition of
//! satisfaction; one spelling for each; and texts that would take all time, memory or stack.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod automaton;

use automaton::Automaton;
use foregone_model::formula::{
    Check, Formula, Id, Language, Node, Part, Point, Proposition, ReadError, Reading, Step, Text,
    canonical, name_is_usable, read,
};
use foregone_model::{Agent, Game, Guide, OffTurn, Outcome, Rng, Turn};

/// The moves of an agent as section 4.5 has them; nothing is a pass.
fn moves(game: &Automaton, s: u16, agent: Agent, a: Agent) -> Vec<Option<u8>> {
    let state = game.at(s);
    match state.over {
        Some(winner) if agent != a && winner != Some(a.0) => return vec![None],
        Some(_) => return Vec::new(),
        None => {}
    }
    let on_turn = state.turn == agent.0;
    let many = state.next[usize::from(agent.0)].len() as u8;
    match !on_turn && (game.off_turn == OffTurn::Passes || many == 0) {
        true => vec![None],
        false => (0..many).map(Some).collect(),
    }
}

/// Definition 23, with the moves of section 4.5.
fn satisfies(game: &Automaton, f: &Formula, s: u16, id: Id) -> bool {
    let state = game.at(s);
    let mut after = moves_after(game, f, s, id).into_iter();
    match f.node(id) {
        Node::Constant(value) | Node::Stuck(_, value) => value,
        Node::Literal(p, positive) => {
            let value = match p {
                Proposition::Game(atom) => game.holds(&s, atom),
                Proposition::Won(a) => state.over == Some(Some(a.0)),
                Proposition::Lost(a) => state.over.is_some_and(|winner| winner != Some(a.0)),
                Proposition::Draw => state.over == Some(None),
                Proposition::Over => state.over.is_some(),
                Proposition::Turn(a) => state.over.is_none() && state.turn == a.0,
                Proposition::AtLeast(o) => state.over.is_some() && game.outcome(&s) >= o,
            };
            value == positive
        }
        Node::And(a, b) => satisfies(game, f, s, a) && satisfies(game, f, s, b),
        Node::Or(a, b) => satisfies(game, f, s, a) || satisfies(game, f, s, b),
        Node::Box(_, g) => after.all(|t| satisfies(game, f, t, g)),
        Node::Diamond(_, g) => after.any(|t| satisfies(game, f, t, g)),
    }
}

fn moves_after(game: &Automaton, f: &Formula, s: u16, id: Id) -> Vec<u16> {
    let (Node::Box(agent, _) | Node::Diamond(agent, _)) = f.node(id) else { return Vec::new() };
    let after =
        |m: Option<u8>| m.map_or(s, |m| game.at(s).next[usize::from(agent.0)][usize::from(m)]);
    moves(game, s, agent, f.protagonist).into_iter().map(after).collect()
}

/// Whether Verifier wins the evaluation game, with knowledge or without, and how often that said
/// something.
fn verified(
    check: &Check<'_, Automaton>,
    s: &Point<u16>,
    knowledge: bool,
    known: &mut u32,
) -> bool {
    let agent = match check.turn(s) {
        Turn::Over => return check.outcome(s) == Outcome::WIN,
        Turn::Chance => unreachable!("no chance here"),
        Turn::Agent(agent) => agent,
    };
    if knowledge && let Some(found) = check.known(s) {
        *known += 1;
        return found.at_least == Outcome::WIN;
    }
    let mut steps: Vec<Step<u8>> = Vec::new();
    check.moves(s, agent, &mut steps);
    assert!(!steps.is_empty(), "who is to choose has a choice");
    let wanted = agent == Agent(0);
    let found = steps.into_iter().any(|step| {
        let mut next = s.clone();
        check.play(&mut next, agent, step);
        verified(check, &next, knowledge, known) == wanted
    });
    found == wanted
}

/// A random formula of so many levels, in odd spellings.
fn random_formula(agents: u8, levels: u32, rng: &mut Rng) -> String {
    let one_of = |all: &[&str], rng: &mut Rng| all[rng.below(all.len() as u32) as usize].to_owned();
    if levels == 0 || rng.below(8) == 0 {
        let atoms =
            ["p", "q ( 1 )", "w", "w", "w", "l", "over", "draw", "turn(A)", "turn(B)", "true"];
        let classes = ["omega(1)", "path( 01+1 )", "zugzwang(w)", "APS(2)", "PA(2,0)"];
        return if rng.below(4) == 0 { one_of(&classes, rng) } else { one_of(&atoms, rng) };
    }
    let part = |rng: &mut Rng| random_formula(agents, levels - 1, rng);
    let agent = match rng.below(u32::from(agents) + 2) {
        0 => "A".to_owned(),
        i if i < u32::from(agents) => format!("B{i}"),
        i if i == u32::from(agents) => one_of(&["B*", "B?", "B(k)", "B( 2 - 1 )"], rng),
        _ => "agent1".to_owned(),
    };
    match rng.below(12) {
        0 => format!("!({})", part(rng)),
        1 => format!("¬ {}", part(rng)),
        2 | 3 => format!("({}) {} ({})", part(rng), one_of(&["&", "∧", "&&"], rng), part(rng)),
        4 | 5 => format!("({})\n{} {}", part(rng), one_of(&["|", "∨", "||"], rng), part(rng)),
        6 => format!("({}) -> //why\r\n{}", part(rng), part(rng)),
        7 => format!("zugzwang( {} )", part(rng)),
        8 | 9 => format!("< {agent} >({})", part(rng)),
        10 if !agent.contains(' ') => format!("◇_{agent} ({})", part(rng)),
        _ => format!("[{agent}]({})", part(rng)),
    }
}

fn reading(game: &Automaton, definitions: &str, text: &str, a: u8) -> Result<Formula, ReadError> {
    let (protagonist, turn) = (Some(Agent(a)), Agent(0));
    Reading { text, definitions, protagonist, turn }.read(&Language::of(game))
}

/// What is known never changes an answer, and it is not asked of a state that is over.
#[test]
fn knowledge_of_what_a_formula_needs_agrees_with_the_definition_of_satisfaction() {
    let mut rng = Rng::new(23);
    let (mut known, mut ends, mut held) = (0, [0u32; 2], [0u32; 2]);
    for round in 0..3000 {
        let agents = 2 + (round % 3) as u8;
        let game = Automaton::random(agents, 3 + rng.below(6) as u16, &mut rng);
        let text = random_formula(agents, 1 + rng.below(4), &mut rng);
        let a = rng.below(u32::from(agents)) as u8;
        let f = reading(&game, "", &text, a).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        let mut check = Check::new(&game, f);
        if rng.below(2) == 0 {
            check = check.step_by_step();
        }
        let f = check.formula();
        for s in 0..game.states.len() as u16 {
            for id in (0..f.len() as u32).map(Id) {
                let truth = satisfies(&game, f, s, id);
                assert_eq!(satisfies(&game, f, s, id.negated()), !truth, "{text}: {id:?}");
                let Some(end) = f.end(id) else { continue };
                let reached = game.within(s, end.agent, end.own, end.others);
                assert!(!truth || reached, "{} of {text} in {s}", f.text(id, true, 1000));
                ends[usize::from(reached)] += 1;
            }
            let (point, truth) = (check.ask(s), satisfies(&game, f, s, f.root));
            held[usize::from(truth)] += 1;
            for knowledge in [false, true] {
                let found = verified(&check, &point, knowledge, &mut known);
                assert_eq!(found, truth, "{text} in {s}, round {round}, {knowledge}");
            }
        }
    }
    assert!(held.iter().chain(&ends).all(|&n| n > 3000) && known > 2000, "{held:?} {known}");
}

/// A formula and its parts as plain data, to compare.
fn shape(f: &Formula, id: Id) -> String {
    f.text(id, true, 100_000)
}

#[test]
fn the_canonical_text_is_the_same_formula_in_one_spelling() {
    let definitions = "// mine\ndef f(0)=w //at once\r\n\n from  B def g = p∧q(1)\ndef f(n) when n>01 =\n  ◇_A f(n - 1);;\ndef f(n)=[ agent1 ]f( n-1 );\n";
    let expected = "def f(0) = w; from B def g = p & q(1); def f(n) when n > 1 = <A>f(n-1); \
                    def f(n) = [agent1]f(n-1); f(2) -> !g";
    assert_eq!(canonical(definitions, " f(2)=>~g ;").as_deref(), Ok(expected));
    assert_eq!(canonical("", expected).as_deref(), Ok(expected));
    for (typed, expected) in [
        ("lambda(2,3)", "lambda(2, 3)"),
        ("#2", "omega(2)"),
        (" h#2.5\n", "<A>helpmate(2)"),
        ("s#03", "selfmate(3)"),
        ("on( P , e8 )|w", "on(P,e8) | w"),
        ("□_B(1+ 1) w", "[B(1+1)]w"),
        ("[ B? ] <a+b> ! (w)", "[B?]<a+b>!(w)"),
        ("true // #1", "true"),
        ("liberties(99999 99999)", "liberties(9999999999)"),
    ] {
        assert_eq!(canonical("", typed).as_deref(), Ok(expected), "{typed}");
        assert_eq!(canonical("", expected).as_deref(), Ok(expected), "{typed}");
    }
    let mut rng = Rng::new(5);
    let game = Automaton::random(3, 4, &mut rng);
    let own = "def mine(f) = <A> f | l; from B def other(n) = [B2] path(n);";
    for _ in 0..2000 {
        let mut text = random_formula(3, 4, &mut rng);
        if rng.below(3) == 0 {
            text = format!("mine({text}) & other(2)");
        }
        let once = canonical(own, &text).unwrap();
        assert_eq!(canonical("", &once).as_deref(), Ok(once.as_str()), "{text}");
        assert!(once.chars().all(|c| c.is_ascii_graphic() || c == ' '), "{once:?}");
        assert!(!once.contains("  ") && !once.contains("//"), "{once:?}");
        let typed = reading(&game, own, &text, 1).unwrap();
        let again = read(&Language::of(&game), &once, Agent(1)).unwrap();
        assert_eq!(typed.source(), once);
        assert_eq!(again.source(), once);
        assert_eq!(shape(&again, again.root), shape(&typed, typed.root), "{text}: {once}");
    }
}

#[test]
fn nothing_odd_is_part_of_a_canonical_text() {
    for text in ["\u{1b}[31mw", "w\u{0}", "<\u{1b}[0m> w", "<A\u{7}> w", "w \u{202e}", "<a b> w"] {
        assert!(canonical("", text).is_err(), "{text:?}");
    }
    let e = canonical("", "w \u{1b}").unwrap_err();
    assert!(e.error.message.chars().all(|c| !c.is_control()), "{e:?}");
    // A letter of another alphabet looks like the library's class.
    let e = canonical("", "def \u{43e}mega(n) = true; \u{43e}mega(1)").unwrap_err();
    assert!(e.error.message.contains("plain letters"), "{e:?}");
}

#[test]
fn a_definition_hides_nothing() {
    let game = Automaton::called(&["agent0", "agent1"]);
    for (definitions, text, message, word) in [
        (
            "",
            "def omega(n) = true; omega(3)",
            "`omega` can't be defined: it is a class of",
            "omega",
        ),
        ("def gagne(n) = w", "w", "it is a class of the library", "gagne"),
        ("", "def w = true; w", "`w` can't be defined: it is a proposition", "w"),
        ("", "def turn(x) = true; w", "it is a proposition", "turn"),
        ("", "def atleast(x) = true; w", "it is a proposition", "atleast"),
        ("", "def A = w; A", "it is a word of the language", "A"),
        ("", "def k = w; k", "it is a word of the language", "k"),
        ("", "def p = w; p", "it is a proposition of this game", "p"),
        ("", "def q(n) = w; q(1)", "it is a proposition of this game", "q"),
        ("", "def stone(x) = w; w", "it is a proposition of this game", "stone"),
        ("def f = w", "def f = l; f", "it is among the definitions already", "f"),
        ("", "def f(w) = w; f(true)", "`w` can't be defined", "w"),
        ("", "def f(p) = p; f(true)", "`p` can't be defined", "p"),
        ("", "def f(k) = w; f(1)", "`k` can't be defined", "k"),
        ("", "def f(path) = w; f(1)", "`path` can't be defined: it is a class", "path"),
        ("", "def f(n, n) = w; f(1, 2)", "it is a parameter already", "n"),
        ("", "def f(g) = g; def g = l; f(w)", "`g` can't be defined: it is a class", "g"),
    ] {
        let ReadError { part, error } = reading(&game, definitions, text, 0).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error:?}");
        let source = if part == Part::Formula { text } else { definitions };
        assert_eq!(&source[error.span], word, "{text}");
    }
    // Parameters of the library may have the name of a class of one's own.
    assert!(reading(&game, "def f = l; def n = w", "reach(2, f) | n | f", 0).is_ok());
}

#[test]
fn mistakes_are_shown_with_their_place() {
    let game = Automaton::called(&["agent0", "agent1"]);
    for (text, message, place) in [
        ("w | omga(2)", "no proposition or class called `omga`", "omga"),
        ("<Agent> w", "`Agent` is not an agent of this game", "Agent"),
        ("∧", "expected a formula, found `&`", "∧"),
        ("¬(w", "this bracket is never closed", "("),
        ("w ∧ w w", "expected the end of the formula, found `w`", "w"),
        ("w; w", "expected nothing behind the formula, found `w`", "w"),
        ("stone(Y)", "`stone(Y)` is not of the form stone(X)", "stone"),
        ("turn(me)", "`turn(me)` is not of the form turn(AGENT)", "turn"),
        ("omega(-1)", "-1 is too small: it must be at least 0", "-1"),
        (
            "omega(1-2)",
            "no clause of `omega` fits `omega(-1)`; it is written omega(n)",
            "omega(1-2)",
        ),
        ("◇_A omega(1, w)", "no clause of `omega` fits `omega(1,…)`", "omega(1, w)"),
        ("PA(w)", "`n` is a formula, not a number", "PA(w)"),
        ("def f(n) = n; f(0)", "`n` is a number, not a formula", "n"),
        ("def f(x) = omega(x+1); f(w)", "`x` is a formula, not a number", "x"),
        ("1 + 2", "`1 + 2` is a number, not a formula", "1 + 2"),
        ("w & 2", "`2` is a number, not a formula", "2"),
        (
            "def f(n) = <A> f(n+1); f(0)",
            "`f` goes more than 500 calls deep: does it end?",
            "f(n+1)",
        ),
        ("def f(n) when m < 1 = w; f(0)", "there is no parameter called `m`", "m"),
        ("def f(n) when <A> w = 1 = w; f(0)", "expected a number, found `<`", "<"),
        ("def f when k(1) = 1 = w; def f = l; f & [B(k(1))] w", "called `k`", "k"),
        ("def f(n) when n w = w; f(0)", "expected `<`, `=` or `>`, found `w`", "w"),
        ("<B3> w", "there is no opponent B3, only 1", "B3"),
        ("<B0> w", "there is no opponent B0, only 1", "B0"),
        ("[B(1+1)] w", "there is no opponent B2, only 1", "B(1+1)"),
        ("<A w", "`<` is never closed by `>`", "<"),
        ("<> w", "`<>` wants an agent inside: `<A>`", ""),
        ("w $ w", "`$` has no meaning in a formula", "$"),
        ("◇ w", "`◇` has no meaning in a formula", "◇"),
        ("", "there is no formula here", ""),
        ("h#x", "`#` has no meaning in a formula", "#"),
        ("9999999", "`9999999` is too large a number", "9999999"),
        ("stone(X", "this bracket is never closed", "("),
        ("w & def", "expected a formula, found `def`", "def"),
    ] {
        let Err(ReadError { error, .. }) = reading(&game, "", text, 0) else {
            panic!("{text} is read")
        };
        assert!(error.message.contains(message), "{text}: {error:?}");
        let shown = text.get(error.span.clone()).unwrap_or("?");
        assert_eq!(shown, place, "{text}: {error:?}");
    }
    let e = reading(&game, "w", "w", 0).unwrap_err();
    assert_eq!((e.part, e.error.span), (Part::Definitions, 0..1));
    let e = reading(&game, "def f = nix", "f", 0).unwrap_err();
    assert_eq!((e.part, e.error.span), (Part::Definitions, 8..11));
    // Nothing that definitions leave open goes on in the formula.
    for (definitions, text, message, span) in [
        ("def f = w; w | f", "f", "expected `def NAME(…) = …`, found `w`", 11..12),
        ("def f = (w", "w) & f", "this bracket is never closed", 8..9),
        ("def f = <A", "> f", "`<` is never closed by `>`", 8..9),
        ("def f = stone(X", ") | f", "this bracket is never closed", 13..14),
        ("def f = w &", "w; f", "expected a formula, but the text ends here", 11..11),
    ] {
        let e = reading(&game, definitions, text, 0).unwrap_err();
        assert!(e.error.message.contains(message), "{definitions}: {e:?}");
        assert_eq!((e.part, e.error.span), (Part::Definitions, span), "{definitions}");
    }
    for (definitions, text, message, span) in [
        ("def f = w", "f & g", "no proposition or class called `g`", 4..5),
        ("// ∧\ndef f = w ∧ w;\n", "f ∧ <C> w", "`C` is not an agent of this game", 7..8),
        ("def f(n) = omega(n-1)", "f(w)", "`n` is a formula, not a number", 0..0),
        ("def f = w", "def g = w", "there is no formula here", 9..9),
        ("def f = w", "from  B  def f = l; f", "it is among the definitions already", 13..14),
    ] {
        let e = reading(&game, definitions, text, 0).unwrap_err();
        assert!(e.error.message.contains(message), "{text}: {e:?}");
        if e.part == Part::Formula {
            assert_eq!(e.error.span, span, "{text}");
        } else {
            assert_eq!(&definitions[e.error.span], "n", "{text}");
        }
    }
    assert!(canonical("def f = w", "def g = w").is_err());
    assert!(canonical("def f = w", "def f = l; f").is_err());
}

#[test]
fn words_that_would_have_been_right_come_with_the_mistake() {
    let game = Automaton::called(&["agent0", "agent1"]);
    let choices = |definitions: &str, text: &str| {
        reading(&game, definitions, text, 0).unwrap_err().error.choices
    };
    for (definitions, text, right, wrong) in [
        ("", "w | omga(2)", "omega", "agent0"),
        ("", "w | omga(2)", "draw", "A"),
        ("def mine = w", "mins", "mine", "B"),
        ("def mine = mins", "mine", "mine", "B"),
        ("", "ston(X)", "stone(X)", "agent1"),
        ("", "stone(Y)", "stone(X)", "agent1"),
        ("", "<agent> w", "agent1", "omega"),
        ("", "[B3] w", "A", "omega"),
        ("", "def f(0, nn) when m < 1 = w; f(0, 0)", "nn", "omega"),
        ("def f(nn, i) = [B(n)] w", "f(0, 0)", "i", "f"),
    ] {
        let found = choices(definitions, text);
        assert!(found.iter().any(|c| c == right), "{text}: {found:?}");
        assert!(found.iter().all(|c| c != wrong), "{text}: {found:?}");
    }
    for text in ["w w", "omega(1, 2)", "def f(n) = w; [B(m)] w", "<A w", "$", ""] {
        assert_eq!(choices("", text), [""; 0], "{text}");
    }
}

/// Every text here would have taken more time, memory or stack than there is.
#[test]
fn what_grows_without_end_is_refused_by_a_limit() {
    let nested = |open: &str, inside: &str, times: usize| {
        format!("{}{inside}{}", open.repeat(times), ")".repeat(times))
    };
    let row = |sign: &str, part: &str, times: usize| vec![part; times].join(sign);
    let deep_row = format!("def f(0) = w; def f(n) = f(n-1) & {}; f(499)", row("&", "<A>p", 500));
    let deep_not = format!("def f(0) = w; def f(n) = {}f(n-1); f(499)", "!<A>".repeat(90));
    let parameters = (0..8000).map(|i| format!("a{i}")).collect::<Vec<_>>().join(",");
    let many = "p".repeat(60_000);
    let bombs: Vec<(String, Result<(), &str>)> = vec![
        // The formula doubles at each call: shared, it is small.
        ("def d(0, f) = f; def d(n, f) = d(n-1, <A> f & [B] f); d(60, w)".to_owned(), Ok(())),
        ("def d(0, f) = f; def d(n, f) = d(n-1, f & !f); d(400, w)".to_owned(), Ok(())),
        (nested("zugzwang(", "w", 60), Ok(())),
        (nested("zugzwang(", "omega(2)", 190), Ok(())),
        ("def z(0) = w; def z(n) = zugzwang(z(n-1)); z(240)".to_owned(), Ok(())),
        ("def f(n) = f(n) & f(n+1); f(0)".to_owned(), Err("`f` goes more than 500 calls deep")),
        ("def f(n) = <A> f(n+1) | [B] f(n+1); f(0)".to_owned(), Err("calls deep")),
        ("lambda(400, 400)".to_owned(), Ok(())),
        (
            "def f(0, m) = reach(m); def f(n, 0) = path(n); \
             def f(n, m) = <A> f(n-1, m) & [B] f(n, m-1); f(240, 240)"
                .to_owned(),
            Err("the formula has more than 100000 different parts"),
        ),
        ("omega(1000000)".to_owned(), Err("calls deep")),
        ("omega(500)".to_owned(), Ok(())),
        (
            "def f(0) = w; def f(n) = g(n-1, n); def g(n, m) = f(n) & f(n); f(240)".to_owned(),
            Ok(()),
        ),
        (
            "def f(0, i) = w; \
             def f(n, i) = f(n-1, i+i) & f(n-1, i+i+1); f(400, 0)"
                .to_owned(),
            Err("the formula takes more than 1000000 steps"),
        ),
        (deep_row, Err("the formula has more than 100000 different parts")),
        (deep_not, Ok(())),
        (format!("def f({parameters}) = w; w"), Ok(())),
        (format!("stone({many})"), Err("at most 50000 bytes, not 60007")),
        ("(".repeat(40_000), Err("more than 200 brackets inside each other")),
        (nested("(", "w", 40_000 / 2), Err("more than 200 brackets inside each other")),
        (nested("path(", "w", 8000), Err("more than 200 brackets inside each other")),
        ("!".repeat(40_000), Err("more than 200 brackets inside each other")),
        ("<A>".repeat(10_000), Err("more than 200 brackets inside each other")),
        ("[B(".repeat(10_000), Err("")),
        (row("&", "w", 20_000), Ok(())),
        (row("|", "p&w", 10_000), Ok(())),
        (row("->", "w", 10_000), Err("more than 200 brackets inside each other")),
        (format!("omega({})", row("+", "1", 20_000)), Err("calls deep")),
        (format!("omega({})", nested("(", "1", 10_000)), Err("brackets")),
        (row(" ", "def f(1) = w;", 3000) + "f(2)", Err("no clause of `f` fits `f(2)`")),
        (
            row(" ", "def f(1) = w;", 2000)
                + "def f(n) = l; def g(0) = w; \
                   def g(n) = f(n+1) & f(n+500) & f(n+1000) & g(n-1); g(400)",
            Err("the formula takes more than 1000000 steps"),
        ),
    ];
    let game = Automaton::called(&["agent0", "agent1"]);
    for (text, expected) in bombs {
        let short: String = text.chars().take(80).collect();
        let (game, text) = (&game, &text);
        // A stack much smaller than that of any thread.
        let found = std::thread::scope(|scope| {
            let work = move || {
                let clock = std::time::Instant::now();
                let found = reading(game, "", text, 0).map(|f| {
                    let shown = f.text(f.root, false, 1000) + &f.text(f.root, true, 1000);
                    (shown.len(), f.classes().len(), f.is_path(f.root), f.len())
                });
                (found, clock.elapsed().as_secs_f64())
            };
            let thread = std::thread::Builder::new().stack_size(512 << 10);
            thread.spawn_scoped(scope, work).unwrap().join().unwrap()
        });
        let (found, seconds) = found;
        println!("{seconds:.3} s {short}: {:?}", found.as_ref().map_err(|e| &e.error.message));
        match (found, expected) {
            (Ok((shown, ..)), Ok(())) => assert!(shown < 4000, "{short}: {shown}"),
            (Err(e), Err(message)) => assert!(e.error.message.contains(message), "{short}: {e:?}"),
            (found, expected) => panic!("{short}: {found:?} instead of {expected:?}"),
        }
    }
}

#[test]
fn agents_are_called_by_names_that_mean_nothing_else() {
    let letters = |names: &[&str], text: &str, a: u8| {
        let game = Automaton::called(names);
        reading(&game, "", text, a).map(|f| match f.node(f.root) {
            Node::Diamond(agent, _) => agent.0,
            node => panic!("{text}: {node:?}"),
        })
    };
    let plus = ["a+b", "others"];
    assert_eq!(letters(&plus, "<a+b> w", 0), Ok(0));
    assert_eq!(letters(&plus, "<others> w", 0), Ok(1));
    assert_eq!(letters(&["walker", "nobody"], "<nobody> w", 0), Ok(1));
    assert_eq!(letters(&["a", "b"], "<b> w", 1), Ok(1));
    assert_eq!(letters(&["a", "b"], "<B> w", 1), Ok(0));
    // The letters of formulas are names of agents only where both mean the same.
    assert_eq!(letters(&["A", "B"], "<B> w", 0), Ok(1));
    assert_eq!(letters(&["x", "B1", "B2"], "<B2> w", 0), Ok(2));
    for (names, a) in [
        (&["A", "B"][..], 1),
        (&["B", "A"], 0),
        (&["x", "B2"], 0),
        (&["x", "B*"], 0),
        (&["x", "B?"], 0),
        (&["x", "X"], 0),
        (&["x", "x"], 0),
        (&["x", "y, step by step"], 0),
        (&["x", "y,z"], 0),
        (&["x y", "z"], 0),
        (&["", "z"], 0),
        (&["\u{1b}[0m", "z"], 0),
    ] {
        let e = letters(names, "<A> w", a).unwrap_err();
        assert!(e.error.message.contains("can't tell which agent"), "{names:?}: {e:?}");
        assert!(e.error.message.chars().all(|c| !c.is_control()), "{names:?}: {e:?}");
    }
    let game = Automaton::called(&["a+b", "white"]);
    let f = reading(&game, "", "turn(a+b) & won(B1) & turn(WHITE)", 0).unwrap();
    let literal = |p| Node::Literal(p, true);
    let has = |p| (0..f.len() as u32).any(|id| f.node(Id(id)) == literal(p));
    assert!(has(Proposition::Turn(Agent(0))) && has(Proposition::Won(Agent(1))));
    assert!(has(Proposition::Turn(Agent(1))));
}

#[test]
fn names_are_usable_or_not() {
    for name in ["white", "a+b", "x-1", "Weiß", "白", "a1h8", "7", "nobody", "a.b/c", "1sts"] {
        assert!(name_is_usable(name), "{name}");
    }
    for name in ["", " ", "a b", "a,b", "a;b", "a:", "#1", "=", "@", "!", "?", "<a>", "[", "(", ")"]
        .into_iter()
        .chain(["|", "&", "stays", "1st", "2nd", "a\n", "\u{1b}", "\u{200b}", "\u{202e}x"])
    {
        assert!(!name_is_usable(name), "{name:?}");
    }
}

#[test]
fn a_is_the_side_to_move_unless_b_is_to_move_first() {
    let game = Automaton::called(&["agent0", "agent1", "agent2"]);
    for (text, definitions, expected) in [
        ("omega(1)", "", 1),
        ("helpmate(1)", "", 0),
        ("w | !(l & selfmate(2))", "", 0),
        ("h#2", "", 0),
        ("h#2.5", "", 1),
        ("<B> helpmate(1)", "", 1),
        ("<B>[A](w & helpmate(1)) | w", "", 1),
        ("<B>!(w & helpmate(1)) | helpmate(2)", "", 0),
        ("reach(2, helpmate(1))", "", 1),
        ("zugzwang(helpmate(1)) & s(1)", "from B def s(n) = w", 0),
        ("t", "def t = helpmate(1)", 1),
        ("t", "from B def t = w", 0),
    ] {
        let reading = Reading { text, definitions, protagonist: None, turn: Agent(1) };
        let f = reading.read(&Language::of(&game)).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        assert_eq!(f.protagonist, Agent(expected), "{text}");
    }
}

/// A test on a formula is not met, and it leaves nothing behind that others could take for theirs.
#[test]
fn a_test_that_is_not_about_numbers_is_not_met() {
    let game = Automaton::called(&["agent0", "agent1"]);
    let shape_of = |text: &str| {
        let f = reading(&game, "", text, 0).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        shape(&f, f.root)
    };
    let classes = "def g(1, f) = w; def g(2, f) = f; def g(3, f) = !f;";
    for test in ["x > 0", "1 + x > 0", "x + 1 + 1 > 0", "0 < 1 + 3 * x", "3 + (2 + x) = x"] {
        let own = format!("{classes} def h(x) when {test} = l; def h(x) = x;");
        for (formula, expected) in
            [("g(2, h(p))", "p"), ("g(3, h(p))", "!p"), ("w & h(p)", "w & p")]
        {
            assert_eq!(shape_of(&format!("{own} {formula}")), expected, "{test}: {formula}");
        }
    }
    let own = "def t(x, y) when 2 * x - 1 > y + k = w; def t(x, y) = l;";
    for (x, y, expected) in [(3, 3, "w"), (3, 4, "l"), (0, 0, "l"), (1, 0, "l"), (2, 1, "w")] {
        assert_eq!(shape_of(&format!("{own} t({x}, {y})")), expected, "{x} {y}");
    }
}
