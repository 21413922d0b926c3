//! Every way to run rules against the definition: random stratified programs over three constants,
//! whose models are also found by trying every value for every variable until nothing new follows.
//! The facts they begin with stand in the text, or in the state.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;

use foregone_gdl::{Backend, Machine, Program};
use foregone_model::Rng;

/// An argument: a variable 0 to 2, or a constant 3 to 5 that means 1 to 3.
type Args = [usize; 2];

/// A relation `p0` to `p5` of two arguments.
type Fact = (usize, [usize; 2]);

struct Rule {
    head: (usize, Args),
    body: Vec<(bool, usize, Args)>,
}

/// Mostly variables.
fn random_args(rng: &mut Rng) -> Args {
    [0, 0].map(|_| if rng.below(5) == 0 { 3 + rng.below(3) } else { rng.below(3) } as usize)
}

fn value(arg: usize, values: [usize; 3]) -> usize {
    if arg < 3 { values[arg] } else { arg - 2 }
}

fn show((relation, args): (usize, Args)) -> String {
    let arg = |a: usize| ["?x", "?y", "?z", "1", "2", "3"][a];
    format!("(p{relation} {} {})", arg(args[0]), arg(args[1]))
}

/// `p0` and `p1` are facts; `p2` and `p3` call each other, and so do `p4` and `p5`, which may also
/// negate the four below.
fn random_rules(rng: &mut Rng) -> Vec<Rule> {
    let mut rules = Vec::new();
    for _ in 0..4 + rng.below(8) {
        let stratum = 1 + rng.below(2);
        let head = ((2 * stratum + rng.below(2)) as usize, random_args(rng));
        let mut body: Vec<(bool, usize, Args)> = Vec::new();
        for _ in 0..1 + rng.below(3) {
            let negated = stratum == 2 && rng.below(3) == 0;
            let relation = rng.below(if negated { 4 } else { 2 * stratum + 2 }) as usize;
            body.push((negated, relation, random_args(rng)));
        }
        rules.push(Rule { head, body });
    }
    rules
}

fn naive(rules: &[Rule], mut facts: BTreeSet<Fact>) -> BTreeSet<Fact> {
    for stratum in 1..3 {
        loop {
            let before = facts.len();
            for rule in rules.iter().filter(|r| r.head.0 / 2 == stratum) {
                for n in 0..27 {
                    let values = [n % 3 + 1, n / 3 % 3 + 1, n / 9 + 1];
                    let ground = |args: Args| args.map(|a| value(a, values));
                    if rule.body.iter().all(|&(not, p, a)| facts.contains(&(p, ground(a))) != not) {
                        facts.insert((rule.head.0, ground(rule.head.1)));
                    }
                }
            }
            if facts.len() == before {
                break;
            }
        }
    }
    facts
}

/// The rules of the test as text, and the facts that they must make `word` hold for.
fn game(rules: &[Rule], facts: &BTreeSet<Fact>, in_state: bool, rng: &mut Rng) -> String {
    let mut text = String::from("(role a) (legal a go) (goal a 0) (<= terminal (true never))");
    text.push_str("(d 1) (d 2) (d 3)");
    for (relation, [a, b]) in facts {
        text.push_str(&match in_state {
            true => format!("(init (f {relation} {a} {b}))"),
            false => format!("(p{relation} {a} {b})"),
        });
    }
    if in_state {
        text.push_str("(<= (p0 ?x ?y) (true (f 0 ?x ?y))) (<= (p1 ?x ?y) (true (f 1 ?x ?y)))");
    }
    for Rule { head, body } in rules {
        text.push_str(&format!("\n(<= {}", show(*head)));
        let mut literals: Vec<String> = Vec::new();
        for &(negated, relation, args) in body {
            let atom = show((relation, args));
            literals.push(if negated { format!("(not {atom})") } else { atom });
        }
        // Now and then an `or` of a literal and what never holds, and the negation of two.
        match rng.below(4) {
            0 => literals[0] = format!("(or {} (d 4))", literals[0]),
            1 if body.iter().all(|l| !l.0) && body.len() > 1 => {
                let all = literals.join(" ");
                literals = vec![format!("(or (and {all}) (and (d 4) {all}))")];
            }
            _ => {}
        }
        // Safe, and last, so that tests have to wait.
        text.push_str(&format!(" {} (d ?x) (d ?y) (d ?z))", literals.join(" ")));
    }
    // Each relation is asked as a whole, by one argument, and about each pair.
    for p in 0..6 {
        text.push_str(&format!("\n(<= (next (all {p} ?x ?y)) (p{p} ?x ?y))"));
        text.push_str(&format!("(<= (next (half {p} ?x ?y)) (d ?y) (p{p} ?x ?y))"));
        text.push_str(&format!("(<= (next (one {p} ?x ?y)) (d ?x) (d ?y) (p{p} ?x ?y))"));
        text.push_str(&format!("(<= (next (no {p} ?x ?y)) (d ?x) (d ?y) (not (p{p} ?x ?y)))"));
        // A variable that nothing binds: there is no such pair.
        text.push_str(&format!("(<= (next (none {p} ?x)) (d ?x) (not (p{p} ?x ?y)))"));
    }
    text
}

#[test]
fn random_programs_have_the_models_of_their_definition() {
    let mut rng = Rng::new(3);
    let mut derived = 0;
    for round in 0..1500 {
        let rules = random_rules(&mut rng);
        let mut facts: BTreeSet<Fact> = BTreeSet::new();
        for _ in 0..3 + rng.below(7) {
            let args = [0, 0].map(|_| 1 + rng.below(3) as usize);
            facts.insert((rng.below(2) as usize, args));
        }
        let text = game(&rules, &facts, round % 2 == 0, &mut rng);
        let model = naive(&rules, facts.clone());
        derived += model.len() - facts.len();
        let mut wanted = Vec::new();
        for (p, n) in (0..6).flat_map(|p| (0..9).map(move |n| (p, n))) {
            let args = [n / 3 + 1, n % 3 + 1];
            let holds = model.contains(&(p, args));
            let words: &[&str] = if holds { &["all", "half", "one"] } else { &["no"] };
            let facts = words.iter().map(|word| format!("({word} {p} {} {})", args[0], args[1]));
            wanted.extend(facts);
            if n % 3 == 0 && (1..=3).all(|y| !model.contains(&(p, [args[0], y]))) {
                wanted.push(format!("(none {p} {})", args[0]));
            }
        }
        wanted.sort();
        let program = Program::read(&text).unwrap();
        for backend in Backend::ALL {
            let mut machine = Machine::new(&program, Some(backend)).unwrap();
            let start = machine.initial().unwrap();
            let go = machine.read("go").unwrap();
            let next = machine.next(&start, &[go]).unwrap();
            let found = machine.facts(&next);
            assert_eq!(found, wanted, "{} on program {round}:\n{text}", backend.name());
        }
    }
    assert!(derived > 10_000, "the programs should derive something: {derived}");
}
