//! No text whatever makes the reader, the checks, the compiler or a machine panic, hang or overflow
//! the stack: random bytes, and rulesheets with bytes and brackets changed.

use foregone_gdl::{
    Backend, Limits, Loaded, Machine, Program, Step, Steps, StopCheck, check, line_and_column,
    trace,
};
use foregone_model::Rng;

const GAME: &str = "(role x) (role o) (init (cell 1 1 b)) (init (cell 1 2 b)) (init (control x))
    (<= (legal ?w (mark ?m ?n)) (true (cell ?m ?n b)) (true (control ?w)))
    (<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
    (<= (next (cell ?m ?n ?w)) (does ?w (mark ?m ?n)) (true (cell ?m ?n b)))
    (<= (next (cell ?m ?n ?w)) (true (cell ?m ?n ?w)) (distinct ?w b))
    (<= (next (cell ?m ?n b)) (does ?w (mark ?j ?k)) (true (cell ?m ?n b))
        (or (distinct ?m ?j) (distinct ?n ?k)))
    (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
    (<= open (true (cell ?m ?n b))) (<= (far ?a ?c) (far ?a ?b) (far ?b ?c)) (far 1 2) (far 2 3)
    (<= (goal ?r 50) (role ?r) (far 1 3)) (<= terminal (not open))";

fn try_text(text: &str) {
    let program = match Program::read(text) {
        Ok(program) => program,
        Err(error) => {
            line_and_column(text, error.span.start);
            assert!(text.get(error.span).is_some());
            return;
        }
    };
    for problem in check(&program) {
        assert!(text.get(problem.span).is_some());
    }
    if let Ok(steps) = Steps::new(&program) {
        for step in [Step::Mini, Step::Normal, Step::Inverted, Step::Strata, Step::Demand] {
            steps.text(step);
        }
    }
    // MachineError is an answer, too; but where two back ends answer, they say the same.
    let limits =
        Limits { facts: 3000, instances: 5000, joins: 20_000, steps: 20_000, plays: 1_000_000 };
    let play = |backend| {
        let mut machine =
            Machine::with_limits(&program, Some(backend), limits, &StopCheck::NEVER).ok()?;
        trace::playout(&mut machine, 0, 1, 5).ok()
    };
    let answers: Vec<_> = Backend::ALL.into_iter().filter_map(play).collect();
    assert!(answers.windows(2).all(|w| w[0] == w[1]), "{text}\n{answers:#?}");
    let _ = Loaded::with_limits(text, None, limits, &StopCheck::NEVER);
}

#[test]
fn random_bytes() {
    let mut rng = Rng::new(1);
    for _ in 0..3000 {
        let length = rng.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| rng.below(256) as u8).collect();
        try_text(&String::from_utf8_lossy(&bytes));
        let signs = ["(", ")", "?x", "p", "<=", "not", "or", "true", "does", "(role a)", ";", "\n"];
        let text: Vec<&str> = (0..length).map(|_| signs[rng.below(12) as usize]).collect();
        try_text(&text.join(" "));
    }
}

#[test]
fn changed_rulesheets() {
    let mut rng = Rng::new(2);
    let words: Vec<&str> = GAME.split(' ').filter(|w| !w.is_empty()).collect();
    for round in 0..3000 {
        let mut changed = words.clone();
        for _ in 0..=round % 5 {
            let (at, from) = (rng.below(words.len() as u32), rng.below(words.len() as u32));
            changed[at as usize] = words[from as usize];
        }
        try_text(&changed.join(" "));
        let mut bytes = GAME.as_bytes().to_vec();
        for _ in 0..=round % 3 {
            let (at, from) = (rng.below(bytes.len() as u32), rng.below(bytes.len() as u32));
            match rng.below(3) {
                0 => drop(bytes.remove(at as usize)),
                1 => bytes[at as usize] = bytes[from as usize],
                _ => bytes.insert(at as usize, rng.below(256) as u8),
            }
        }
        try_text(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn long_and_deep_texts() {
    try_text(&"(".repeat(1_000_000));
    try_text(&"(a ".repeat(100_000));
    try_text(&")".repeat(100_000));
    try_text(&format!("(<= p {}q{})", "(not ".repeat(90), ")".repeat(90)));
    try_text(&format!("(<= (init x) {}q{}) q", "(or ".repeat(90), ")".repeat(90)));
    try_text(&format!("(p {}a{})", "(f ".repeat(90), ")".repeat(90)));
    try_text(&"?".repeat(100_000));
    try_text(&"(role r)".repeat(10_000));
}
