//! Every driver and scheme on thousands of random game graphs, with and without cycles, against
//! the strong solution found by brute force. Every certificate is replayed on the way, before the
//! answer is there.

use foregone::games::explicit::Explicit;
use foregone::model::{Game, Notation, Outcome, Rng};
use foregone::search::strong::{StrongSolution, Verdict};
use foregone::search::{Guidance, all_guidances};
use foregone::{AnyGame, Job, Outcomes, Question, TurnAnswer};

use crate::common::{bounds, guided, line_is_true, root, run_on, turn};

pub(crate) const TWO: &[&str] = &["loss", "win"];
pub(crate) const MANY: &[&str] = &["awful", "bad", "even", "good", "great"];

/// A random graph with these outcomes. In an acyclic one, successors have higher numbers.
pub(crate) fn random_graph(rng: &mut Rng, cyclic: bool, outcomes: &[&str]) -> String {
    let states = 2 + rng.below(if cyclic { 6 } else { 9 });
    let ends = 1 + rng.below(states.min(if outcomes == TWO { 3 } else { 5 }));
    let mut text = format!("outcomes {}\n", outcomes.join(" "));
    if cyclic && rng.below(2) == 0 {
        text.push_str(&format!(
            "endless {}\n",
            outcomes[rng.below(outcomes.len() as u32) as usize]
        ));
    }
    for s in 0..states {
        let lowest = if cyclic { 0 } else { s + 1 };
        if s + ends >= states {
            let outcome = outcomes[rng.below(outcomes.len() as u32) as usize];
            text.push_str(&format!("end s{s} {outcome}\n"));
            continue;
        }
        let side = ["max", "min"][rng.below(2) as usize];
        let mut successors: Vec<String> = Vec::new();
        for _ in 0..1 + rng.below(3) {
            let name = format!("s{}", lowest + rng.below(states - lowest));
            if !successors.contains(&name) {
                successors.push(name);
            }
        }
        text.push_str(&format!("{side} s{s} -> {}\n", successors.join(" ")));
    }
    text
}

/// The same graph with the successors of every state in the opposite order.
fn turned(text: &str) -> String {
    let turn = |line: &str| match line.split_once(" -> ") {
        Some((state, successors)) => {
            let backwards: Vec<&str> = successors.split(' ').rev().collect();
            format!("{state} -> {}\n", backwards.join(" "))
        }
        None => format!("{line}\n"),
    };
    text.lines().map(turn).collect()
}

/// Runs a job about a typed game.
fn solve(game: &AnyGame, job: Job, by: Guidance, text: &str) -> TurnAnswer {
    let finished = run_on(game, &guided(job, by));
    let finished = finished.unwrap_or_else(|e| panic!("{e} for {by} on\n{text}"));
    assert!(finished.answer.solved(), "{by} stopped on\n{text}");
    turn(&finished).clone()
}

fn agree(seed: u64, games: u32, cyclic: bool) -> [u32; 3] {
    let mut rng = Rng::new(seed);
    let mut seen = [0; 3];
    for number in 0..games {
        let text = random_graph(&mut rng, cyclic, TWO);
        // Both move orders in turn: the answer may not depend on it.
        let text = if number % 2 == 0 { text } else { turned(&text) };
        let game = Explicit::read("explicit:random", &text).unwrap();
        let any = AnyGame::in_turn(game.clone());
        let strong = StrongSolution::of(&game, game.start(), Outcome::WIN, 1000).unwrap();
        let expected = strong.verdict(&game.start()).unwrap();
        seen[expected as usize] += 1;
        for guidance in all_guidances(false) {
            let job = Job { seed: u64::from(number), ..Job::default() }.ask(Question::Win);
            let answer = solve(&any, job, guidance, &text);
            let found = match (answer.undetermined(), bounds(&game, &answer).0) {
                (true, _) => Verdict::Undetermined,
                (false, Outcome::WIN) => Verdict::Won,
                (false, _) => Verdict::Lost,
            };
            assert_eq!(found, expected, "{guidance} on\n{text}");
            // No move of the line throws the value away.
            let keeps = |s: &_| assert_eq!(strong.verdict(s), Some(expected), "{guidance}\n{text}");
            assert!(line_is_true(&game, &answer, keeps), "{guidance} on\n{text}");
        }
    }
    seen
}

#[test]
fn acyclic_games_agree_with_brute_force() {
    let [won, lost, undetermined] = agree(1, 2000, false);
    assert!(won > 300 && lost > 300 && undetermined == 0, "{won} {lost} {undetermined}");
}

#[test]
fn cyclic_games_agree_with_brute_force() {
    let [won, lost, undetermined] = agree(2, 2000, true);
    assert!(won > 200 && lost > 200 && undetermined > 50, "{won} {lost} {undetermined}");
}

/// The value by every driver and scheme, and by every way to ask a scheme for two outcomes.
fn values_agree(seed: u64, games: u32, cyclic: bool) -> [u32; 6] {
    let mut rng = Rng::new(seed);
    let mut seen = [0; 6];
    for number in 0..games {
        let text = random_graph(&mut rng, cyclic, MANY);
        let game = Explicit::read("explicit:random", &text).unwrap();
        let any = AnyGame::in_turn(game.clone());
        let strong: Vec<_> = (1..MANY.len() as u16)
            .map(|at_least| StrongSolution::of(&game, game.start(), Outcome(at_least), 1000))
            .map(Option::unwrap)
            .collect();
        let of = |s: &_| strong.iter().map(|t| t.verdict(s).unwrap()).collect::<Vec<Verdict>>();
        let verdicts = of(&game.start());
        let count = |v: Verdict| verdicts.iter().filter(|&&w| w == v).count() as u16;
        let undetermined = count(Verdict::Undetermined) > 0;
        let low = Outcome(count(Verdict::Won));
        seen[if undetermined { 5 } else { usize::from(low.0) }] += 1;
        for guidance in all_guidances(false) {
            for outcomes in [Outcomes::Dichotomic, Outcomes::Iterative, Outcomes::Doubling] {
                if outcomes != Outcomes::Dichotomic && guidance.many_outcomes() {
                    continue;
                }
                let job = Job { seed: u64::from(number), outcomes, ..Job::default() };
                let answer = solve(&any, job, guidance, &text);
                assert!(answer.proof.is_some(), "{guidance} proves nothing on\n{text}");
                assert_eq!(answer.undetermined(), undetermined, "{guidance} on\n{text}");
                if !undetermined {
                    assert_eq!(bounds(&game, &answer), (low, low), "{guidance} on\n{text}");
                }
                // No move of the line throws the value away.
                let keeps =
                    |s: &_| assert!(undetermined || of(s) == verdicts, "{guidance}\n{text}");
                assert!(line_is_true(&game, &answer, keeps), "{guidance} on\n{text}");
            }
        }
    }
    seen
}

#[test]
fn values_of_acyclic_games_agree_with_brute_force() {
    let seen = values_agree(3, 400, false);
    assert!(seen[..5].iter().all(|&n| n > 20) && seen[5] == 0, "{seen:?}");
}

#[test]
fn values_of_cyclic_games_agree_with_brute_force() {
    let seen = values_agree(4, 500, true);
    assert!(seen.iter().all(|&n| n > 20), "{seen:?}");
}

/// The graph history interaction of the lecture: A is won under both rules for loops, in every
/// order of moves.
#[test]
fn a_table_does_not_carry_a_loop_to_another_path() {
    for (file, rule) in [("loop-draws.game", "endless draw"), ("loop-wins.game", "endless loss")] {
        let text = std::fs::read_to_string(root().join("examples").join(file)).unwrap();
        assert!(text.contains(rule));
        for order in 0..8 {
            let mut text = text.clone();
            for (bit, (line, turned)) in
                [("A -> B C", "A -> C B"), ("B -> D E", "B -> E D"), ("D -> G H", "D -> H G")]
                    .into_iter()
                    .enumerate()
            {
                assert!(text.contains(line));
                if order >> bit & 1 == 1 {
                    text = text.replace(line, turned);
                }
            }
            let game = Explicit::read(file, &text).unwrap();
            let (any, best) = (AnyGame::in_turn(game.clone()), game.scale().best());
            for guidance in all_guidances(false) {
                let answer = solve(&any, Job::default(), guidance, &text);
                let found = bounds(&game, &answer);
                assert_eq!(found, (best, best), "{guidance} on {file}, order {order}");
                let claims = answer.proof.map_or(0, |proof| proof.claims);
                assert!(claims > 0, "{guidance} gives no certificate");
            }
        }
    }
}

/// The figures of the thesis, as files that people can solve.
#[test]
fn the_figures_have_the_strong_solutions_of_the_thesis() {
    let read = |name: &str| {
        let text = std::fs::read_to_string(root().join("examples").join(name)).unwrap();
        Explicit::read(name, &text).unwrap()
    };
    let cases = [
        ("figure-2-1a.game", "s0", "undetermined"),
        ("figure-2-1a.game", "s1", "undetermined"),
        ("figure-2-1a.game", "s2", "loss"),
        ("figure-2-1a.game", "s3", "win"),
        ("figure-2-1b.game", "even", "undetermined"),
        ("figure-2-1b.game", "odd", "undetermined"),
        ("figure-2-2.game", "s0", "win"),
        ("figure-2-2.game", "s1", "undetermined"),
        ("figure-2-2.game", "s2", "win"),
        ("figure-2-2.game", "s3", "undetermined"),
        ("figure-2-2.game", "s6", "loss"),
    ];
    for (file, state, value) in cases {
        let any = AnyGame::in_turn(read(file));
        for guidance in all_guidances(false) {
            let answer = solve(&any, Job::default().at(state), guidance, file);
            assert_eq!(answer.value.as_deref(), Some(value), "{file} {state} by {guidance}");
            let claims = answer.proof.map_or(0, |proof| proof.claims);
            assert!(claims > 0, "{file} {state}: no certificate");
        }
    }
    // Both strong solutions of Example 3, and no other: equations 2.7 to 2.9 by trying all sets.
    let game = read("figure-2-2.game");
    let states: Vec<_> = (0..8).map(|i| game.read_position(&format!("s{i}")).unwrap()).collect();
    let mut solutions = Vec::new();
    for set in 0u32..256 {
        let inside = |s| states.iter().position(|t| *t == s).is_some_and(|i| set >> i & 1 == 1);
        let fits = states.iter().all(|&s| {
            let Some(agent) = game.turn(&s).mover() else {
                return inside(s) == (game.outcome(&s) == Outcome::WIN);
            };
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            let mut next = moves.iter().map(|&m| {
                let mut next = s;
                game.play(&mut next, agent, m);
                inside(next)
            });
            inside(s) == if agent.0 == 0 { next.any(|x| x) } else { next.all(|x| x) }
        });
        if fits {
            solutions.push(set);
        }
    }
    assert_eq!(solutions, [0b1011_0101, 0b1011_1111]);
}
