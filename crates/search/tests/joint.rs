//! Every search of games with joint moves against every other one, on random games, and every
//! certificate replayed; damaged certificates are refused.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ops::ControlFlow;

use foregone_model::certificate::{
    Arithmetic, MOST_WEIGHT, Mixed, ProvedMixed, Reader, check_mixed, write_mixed,
};
use foregone_model::ratio::Big;
use foregone_model::{Fraction, Joint, JointNotation, Ratio, Rng, Side, TextError};
use foregone_search::joint::{
    Cells, Driver, JointReport, Policy, Smab, induce, oracle, proof, sequence, serial, smab,
};
use foregone_search::{Limits, Progress, StopReason, Watch};

/// A random game graph: state 0 is the start, and moves lead to states with higher numbers.
struct Random {
    states: Vec<State>,
    range: (i64, i64),
}

enum State {
    Over(i64),
    /// Rows, columns, and where each pair of moves leads.
    Inner(usize, usize, Vec<usize>),
}

impl Random {
    /// A game of so many inner states with up to `widest` moves of either side. With `turns`, only
    /// one side has a choice in each.
    fn new(rng: &mut Rng, inner: usize, widest: u32, payoffs: i64, turns: bool) -> Random {
        let ends = 2 * payoffs as usize + 1;
        let mut states = Vec::new();
        for at in 0..inner {
            let (mut rows, mut columns) =
                (1 + rng.below(widest) as usize, 1 + rng.below(widest) as usize);
            if turns {
                let side = rng.below(2) == 0;
                (rows, columns) = if side { (rows, 1) } else { (1, columns) };
            }
            let next = |rng: &mut Rng| {
                let left = inner - at - 1;
                match rng.below(3) {
                    0 | 1 if left > 0 => at + 1 + rng.below((left as u32).min(6)) as usize,
                    _ => inner + rng.below(ends as u32) as usize,
                }
            };
            let cells = (0..rows * columns).map(|_| next(rng)).collect();
            states.push(State::Inner(rows, columns, cells));
        }
        states.extend((-payoffs..=payoffs).map(State::Over));
        Random { states, range: (-payoffs, payoffs) }
    }
}

impl Joint for Random {
    type State = usize;
    type Move = usize;

    fn unit(&self) -> i64 {
        2
    }

    fn range(&self) -> (i64, i64) {
        self.range
    }

    fn start(&self) -> usize {
        0
    }

    fn payoff(&self, s: &usize) -> Option<i64> {
        match self.states[*s] {
            State::Over(payoff) => Some(payoff),
            State::Inner(..) => None,
        }
    }

    fn moves(&self, s: &usize, side: Side, out: &mut Vec<usize>) {
        if let State::Inner(rows, columns, _) = self.states[*s] {
            out.extend(0..if side == Side::Max { rows } else { columns });
        }
    }

    fn play(&self, s: &mut usize, max: usize, min: usize) {
        if let State::Inner(_, columns, next) = &self.states[*s] {
            *s = next[max * columns + min];
        }
    }
}

impl JointNotation for Random {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        ["Max", "Min"]
    }

    fn write_move(&self, _s: &usize, _side: Side, m: usize, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _s: &usize, _side: Side, text: &str) -> Option<usize> {
        text.parse().ok()
    }

    fn write_position(&self, s: &usize, out: &mut String) {
        out.push_str(&s.to_string());
    }

    fn read_position(&self, text: &str) -> Result<usize, TextError> {
        let known = text.parse().ok().filter(|s| *s < self.states.len());
        known.ok_or_else(|| TextError::new("no state", 0..text.len()))
    }

    fn draw(&self, s: &usize) -> String {
        format!("{s}\n")
    }
}

fn value(report: &JointReport<usize>) -> f64 {
    assert_eq!(report.stop, StopReason::Solved);
    report.value.unwrap()
}

/// What the strategies at the root are worth, given the value of every pair of moves there.
fn checks_out(game: &Random, report: &JointReport<usize>, name: &str) {
    let (mut max, mut min) = (Vec::new(), Vec::new());
    game.moves(&0, Side::Max, &mut max);
    game.moves(&0, Side::Min, &mut min);
    let cell = |a: usize, b: usize| {
        let mut s = 0;
        game.play(&mut s, a, b);
        value(&induce(game, &s, Driver::Dag, Limits::NONE, &mut ()))
    };
    let found = report.value.unwrap();
    for &b in &min {
        let got: f64 = report.max.iter().map(|&(a, p)| p * cell(a, b)).sum();
        assert!(got >= found - 1e-9, "{name}: Max gets {got} against {b}, not {found}");
    }
    for &a in &max {
        let paid: f64 = report.min.iter().map(|&(b, q)| q * cell(a, b)).sum();
        assert!(paid <= found + 1e-9, "{name}: Min pays {paid} against {a}, not {found}");
    }
}

fn all_skips() -> impl Iterator<Item = (String, Smab)> {
    let drivers = [Driver::Tree, Driver::Dag];
    let cells = [Cells::LShaped, Cells::Lexicographic];
    (0..4).flat_map(move |skip| {
        drivers.into_iter().flat_map(move |driver| {
            cells.into_iter().map(move |cells| {
                let how = Smab { driver, cells, skip, knowledge: true };
                (format!("{how:?}"), how)
            })
        })
    })
}

/// Random games of all sorts: small matrices and large ones, few payoffs and many.
fn games() -> impl Iterator<Item = Random> {
    let mut rng = Rng::new(61);
    (0..400).map(move |at| {
        let inner = 1 + rng.below(14) as usize;
        let widest = 1 + rng.below(5);
        let payoffs = [1, 2, 10][at % 3];
        Random::new(&mut rng, inner, widest, payoffs, at % 7 == 0)
    })
}

#[test]
fn all_searches_find_the_same_value_and_strategies_that_reach_it() {
    let (mut mixed, mut saved) = (0, 0);
    for (at, game) in games().enumerate() {
        let tree = induce(&game, &0, Driver::Tree, Limits::NONE, &mut ());
        let expected = value(&tree);
        checks_out(&game, &tree, "tree");
        mixed += u32::from(tree.max.len() > 1);
        let agrees = |report: JointReport<usize>, name: &str| {
            let found = value(&report);
            // One large program is solved with a tolerance that suits its solver.
            let error = if name == "sequence" { 1e-7 } else { 1e-9 };
            assert!((found - expected).abs() < error, "game {at}, {name}: {found}, not {expected}");
            if !report.min.is_empty() || name == "dag" {
                checks_out(&game, &report, &format!("game {at}, {name}"));
            }
            report.counts
        };
        agrees(induce(&game, &0, Driver::Dag, Limits::NONE, &mut ()), "dag");
        for (name, how) in all_skips() {
            let counts = agrees(smab(&game, &0, how, Limits::NONE, &mut ()), &name);
            if how.driver == Driver::Tree && how.skip == 0 {
                assert!(counts.plain.expansions <= tree.counts.plain.expansions);
                saved += tree.counts.plain.expansions - counts.plain.expansions;
            }
        }
        for (name, driver) in [("oracle tree", Driver::Tree), ("oracle dag", Driver::Dag)] {
            agrees(oracle(&game, &0, driver, true, Limits::NONE, &mut ()), name);
        }
        if tree.counts.plain.expansions < 200 {
            agrees(sequence(&game, &0, Limits::NONE, &mut ()), "sequence");
        }
    }
    // Otherwise nothing was tested.
    assert!(mixed > 25 && saved > 10_000, "{mixed} {saved}");
}

#[test]
fn approximations_lie_where_propositions_35_and_36_say() {
    let (mut strict, mut between) = (0, 0);
    for (at, game) in games().enumerate() {
        let nash = value(&induce(&game, &0, Driver::Tree, Limits::NONE, &mut ()));
        let of = |policy| value(&serial(&game, &0, policy, at as u64, Limits::NONE, &mut ()));
        let (mini, maxi) = (of(Policy::Maxmin), of(Policy::Minmax));
        assert!(mini <= nash + 1e-9 && nash <= maxi + 1e-9, "{mini} {nash} {maxi}");
        // Pure optimal strategies everywhere leave no room between the bounds.
        strict += u32::from(mini + 1e-9 < nash && nash + 1e-9 < maxi);
        for policy in [Policy::Alt, Policy::AltLast, Policy::Rab, Policy::RabOnce] {
            let found = of(policy);
            assert!(mini <= found && found <= maxi, "{policy:?}: {mini} {found} {maxi}");
            between += u32::from(mini < found && found < maxi);
        }
    }
    assert!(strict > 50 && between > 50, "{strict} {between}");
}

/// A first step with so many moves, whatever they are, and then matching pennies.
fn pennies(rows: usize, columns: usize) -> Random {
    let states = vec![
        State::Inner(rows, columns, vec![1; rows * columns]),
        State::Inner(2, 2, vec![3, 2, 2, 3]),
        State::Over(-1),
        State::Over(1),
    ];
    Random { states, range: (-1, 1) }
}

/// Who knows what the other one does wins at matching pennies: the value tells who moved first.
#[test]
fn policies_say_who_moves_first() {
    let of = |(rows, columns), policy, seed| {
        value(&serial(&pennies(rows, columns), &0, policy, seed, Limits::NONE, &mut ()))
    };
    for (step, policy, expected) in [
        ((2, 2), Policy::Maxmin, -1.0),
        ((2, 2), Policy::Minmax, 1.0),
        // Max moved first at the first step, so it is Min's turn.
        ((2, 2), Policy::Alt, 1.0),
        ((2, 2), Policy::AltLast, 1.0),
        // The first step was no choice of both: for Alt the turn is still Max's.
        ((2, 1), Policy::Alt, -1.0),
        ((1, 2), Policy::Alt, -1.0),
        ((2, 1), Policy::AltLast, -1.0),
        ((1, 2), Policy::AltLast, 1.0),
    ] {
        assert_eq!(of(step, policy, 0), expected, "{step:?} {policy:?}");
    }
    let lots: Vec<f64> = (0..20).map(|seed| of((2, 2), Policy::RabOnce, seed)).collect();
    assert!(lots.contains(&1.0) && lots.contains(&-1.0), "{lots:?}");
    let mean = of((2, 2), Policy::Rab, 0);
    assert!(mean.abs() < 0.9, "{mean}");
}

#[test]
fn where_players_move_in_turn_smab_is_alpha_beta() {
    let mut rng = Rng::new(62);
    let mut saved = 0;
    for _ in 0..100 {
        let game = Random::new(&mut rng, 14, 4, 3, true);
        let how = Smab { driver: Driver::Tree, cells: Cells::LShaped, skip: 0, knowledge: true };
        let (all, ours) = (
            induce(&game, &0, Driver::Tree, Limits::NONE, &mut ()),
            smab(&game, &0, how, Limits::NONE, &mut ()),
        );
        let plain = serial(&game, &0, Policy::Maxmin, 0, Limits::NONE, &mut ());
        assert_eq!(value(&ours), value(&plain));
        assert_eq!(value(&ours), value(&all));
        assert_eq!(ours.counts.lp_calls, 0);
        // Successors that are over are seen first, so there is less to do, not more.
        assert!(ours.counts.plain.expansions <= plain.counts.plain.expansions);
        saved += all.counts.plain.expansions - ours.counts.plain.expansions;
    }
    assert!(saved > 1000, "{saved}");
}

/// The certificate of one side, and what it proves.
fn certificate(game: &Random, strategy: &Mixed<usize, usize>) -> (String, ProvedMixed) {
    let written = write_mixed(game, &0, strategy).unwrap();
    let checked = check(game, &written.text).unwrap();
    assert_eq!(checked.claims, written.claims);
    (written.text, checked)
}

fn check(game: &Random, text: &str) -> Result<ProvedMixed, String> {
    let mut reader = Reader::new(text.as_bytes());
    let header = reader.header().map_err(|e| e.problem)?.ok_or("nothing")?;
    check_mixed(game, &header, &mut reader).map_err(|e| e.problem)
}

/// The same text with a checksum that fits.
fn resealed(text: &str) -> String {
    let body = &text[..text.rfind("end ").unwrap()];
    let lines = body.split_once("\n\n").unwrap().1.lines().count();
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    body.bytes().for_each(|b| sum = (sum ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    format!("{body}end {lines} {sum:016x}\n")
}

#[test]
fn certificates_prove_the_value_exactly() {
    for (at, game) in games().enumerate() {
        let nash = value(&induce(&game, &0, Driver::Tree, Limits::NONE, &mut ()));
        let made = proof::strategies(&game, &0, Limits::NONE, &mut ()).unwrap();
        assert_eq!(made.max.arithmetic, Arithmetic::Exact);
        let (max, min) = (certificate(&game, &made.max).1, certificate(&game, &made.min).1);
        assert_eq!(max.bound, min.bound, "game {at}");
        assert!((max.bound.as_f64() * 2.0 - nash).abs() < 1e-9, "game {at}");
        assert_eq!((max.prover, min.prover), (Side::Max, Side::Min));
    }
}

/// Rounded arithmetic never claims more than the strategies are worth, and hardly less.
#[test]
fn rounded_certificates_enclose_the_value() {
    let mut rounded = 0;
    for game in games() {
        let exact = proof::strategies(&game, &0, Limits::NONE, &mut ()).unwrap();
        let small = |weight: &Big| u64::try_from(weight).is_ok_and(|w| w <= MOST_WEIGHT);
        let fits = |mixed: &Mixed<usize, usize>| {
            mixed.lines.iter().all(|(_, mix)| mix.iter().all(|(_, weight)| small(weight)))
        };
        if !fits(&exact.max) || !fits(&exact.min) {
            continue;
        }
        let bounds = |mixed: &Mixed<usize, usize>| {
            let exactly = certificate(&game, mixed).1.bound;
            let coarse = Mixed { arithmetic: Arithmetic::Rounded(20), ..mixed.clone() };
            (exactly, certificate(&game, &coarse).1.bound)
        };
        let ((low, below), (high, above)) = (bounds(&exact.max), bounds(&exact.min));
        assert!(below <= low && low == high && high <= above);
        let width = (&above - &below).as_f64();
        assert!(width <= 40.0 / f64::from(1 << 20), "{width}");
        rounded += u32::from(below < low);
    }
    assert!(rounded > 30, "{rounded}");
}

#[test]
fn damaged_certificates_are_refused() {
    let mut rng = Rng::new(63);
    let mut kinds = std::collections::BTreeMap::new();
    for game in games().filter(|game| game.states.len() > 6) {
        let made = proof::strategies(&game, &0, Limits::NONE, &mut ()).unwrap();
        for strategy in [&made.max, &made.min] {
            let (text, checked) = certificate(&game, strategy);
            // 1. A byte of it.
            let mut bytes = text.clone().into_bytes();
            let at = rng.below(bytes.len() as u32) as usize;
            bytes[at] = bytes[at].wrapping_add(1 + rng.below(9) as u8) & 0x7f;
            let damaged = String::from_utf8(bytes).unwrap();
            let refused = check(&game, &damaged);
            assert!(refused.is_err() || damaged == text, "{damaged}");

            // 2. A line that is missing, or there twice, or in the wrong place, well sealed.
            let (head, body) = text.split_once("\n\n").unwrap();
            let mut lines: Vec<&str> = body.lines().collect();
            lines.pop();
            if lines.len() < 2 {
                continue;
            }
            let at = rng.below(lines.len() as u32) as usize;
            let mut without = lines.clone();
            without.remove(at);
            let mut twice = lines.clone();
            twice.insert(at, lines[at]);
            let mut moved = lines.clone();
            let last = moved.pop().unwrap();
            moved.insert(0, last);
            for changed in [without, twice, moved] {
                let text = resealed(&format!("{head}\n\n{}\nend ", changed.join("\n")));
                let problem = check(&game, &text).expect_err(&text);
                *kinds
                    .entry(format!("{problem:?}").chars().take(8).collect::<String>())
                    .or_insert(0) += 1;
            }

            // 3. A claim that says a little more than the strategy is worth.
            let step = Ratio::new(1, 1_000_000).unwrap();
            let more = match checked.prover {
                Side::Max => &checked.bound + &step,
                Side::Min => &checked.bound - &step,
            };
            let old = format!(" {}\n\n", checked.bound);
            let bold = resealed(&text.replacen(&old, &format!(" {more}\n\n"), 1));
            assert!(check(&game, &bold).unwrap_err().contains("guarantees"), "{bold}");

            // 4. Weights that are no weights, and moves that are no moves.
            let line = lines[lines.len() - 1];
            for bad in ["0 0", "0 -1", "99 1", "0 1 0 1", "0", "0 1/2", "0 1.5", ""] {
                let wrong = format!("{bad} @ {}", line.split_once(" @ ").unwrap().1);
                let text = resealed(&text.replacen(line, &wrong, 1));
                assert!(check(&game, &text).is_err(), "{bad}");
            }
            // 5. Weights that are not written as they should be, or too long, in both arithmetics.
            let (long, longest) = (format!("0 1{}", "0".repeat(200)), "9".repeat(200));
            let large = format!("0 {}", MOST_WEIGHT + 1);
            for (arithmetic, bad) in [("exact", "0 01"), ("exact", "0 1_0"), ("exact", &long)]
                .into_iter()
                .chain([("20", "0 01"), ("20", "0 +1"), ("20", &large), ("20", &long)])
            {
                let last = line.split_once(" @ ").unwrap().1;
                let wrong = format!("{head}\n\n{bad} @ {last}\nend ");
                let wrong = wrong.replacen("mixed exact", &format!("mixed {arithmetic}"), 1);
                let problem = check(&game, &resealed(&wrong)).unwrap_err();
                assert!(problem.contains("expected a weight"), "{bad}: {problem}");
            }
            let fits =
                format!("{head}\n\n0 {longest} @ {}\nend ", line.split_once(" @ ").unwrap().1);
            let problem = check(&game, &resealed(&fits)).err().unwrap_or_default();
            assert!(!problem.contains("expected a weight"), "{problem}");
        }
    }
    assert!(kinds.len() >= 3, "{kinds:?}");
}

#[test]
fn searches_stop_at_their_limits() {
    let mut rng = Rng::new(64);
    let game = Random::new(&mut rng, 40, 4, 10, false);
    let few = Limits { nodes: 50, ..Limits::NONE };
    let how = Smab { driver: Driver::Tree, cells: Cells::LShaped, skip: 0, knowledge: true };
    for report in [
        induce(&game, &0, Driver::Dag, few, &mut ()),
        smab(&game, &0, how, few, &mut ()),
        oracle(&game, &0, Driver::Tree, true, few, &mut ()),
        sequence(&game, &0, few, &mut ()),
        serial(&game, &0, Policy::Alt, 0, few, &mut ()),
    ] {
        assert_eq!((report.stop, report.value), (StopReason::Nodes, None));
    }
    let stopped = proof::strategies(&game, &0, few, &mut ()).err();
    assert_eq!(stopped, Some(StopReason::Nodes));
}

/// Strategies are memory, too, and somebody may be in a hurry while they are made.
#[test]
fn strategies_stop_at_their_limits() {
    struct Count(u32, u32);

    impl<M> Watch<M> for Count {
        fn tick(&mut self, _: &Progress<'_, M>) -> ControlFlow<StopReason> {
            self.0 += 1;
            if self.0 > self.1 {
                ControlFlow::Break(StopReason::Time)
            } else {
                ControlFlow::Continue(())
            }
        }
    }

    // A strip of positions that the players walk down in turn, a step to the side or not.
    let (length, width) = (80, 80);
    let step = |at: usize| {
        let (row, place) = (at / width + 1, at % width);
        let next = vec![row * width + place, row * width + (place + 1) % width];
        if row % 2 == 0 { State::Inner(2, 1, next) } else { State::Inner(1, 2, next) }
    };
    let mut states: Vec<State> = (0..length * width).map(step).collect();
    states.extend((0..width as i64).map(State::Over));
    let game = Random { states, range: (0, width as i64) };
    let mut all = Count(0, u32::MAX);
    let made = proof::strategies(&game, &0, Limits::NONE, &mut all);
    let lines = made.map(|made| made.max.lines.len() + made.min.lines.len()).unwrap();
    assert!(lines > 2000 && all.0 > 4, "{lines} {}", all.0);
    // The last look up falls into the making of strategies.
    let late = proof::strategies(&game, &0, Limits::NONE, &mut Count(0, all.0 - 1)).err();
    assert_eq!(late, Some(StopReason::Time));
    let small = Limits { bytes: 200_000, ..Limits::NONE };
    assert_eq!(proof::strategies(&game, &0, small, &mut ()).err(), Some(StopReason::Memory));
}

/// Plays of any length are no crash: the stack is memory that may not suffice.
#[test]
fn deep_games_run_out_of_memory_not_of_stack() {
    let chain = |length: usize| {
        let inner = |at: usize| State::Inner(2, 2, vec![at + 1, length, length + 1, length]);
        let mut states: Vec<State> = (0..length).map(inner).collect();
        states.extend([State::Over(0), State::Over(1)]);
        Random { states, range: (0, 1) }
    };
    let how = Smab { driver: Driver::Dag, cells: Cells::LShaped, skip: 0, knowledge: true };
    for (length, stop) in [(900, StopReason::Solved), (100_000, StopReason::Memory)] {
        let game = chain(length);
        let all = induce(&game, &0, Driver::Dag, Limits::NONE, &mut ());
        assert_eq!(all.stop, stop, "{length}");
        // What prunes may find the value higher up.
        for report in [
            smab(&game, &0, how, Limits::NONE, &mut ()),
            oracle(&game, &0, Driver::Dag, true, Limits::NONE, &mut ()),
            serial(&game, &0, Policy::Maxmin, 0, Limits::NONE, &mut ()),
        ] {
            assert!([stop, StopReason::Solved].contains(&report.stop), "{length}");
        }
        let made = proof::strategies(&game, &0, Limits::NONE, &mut ());
        assert_eq!(made.is_ok(), stop == StopReason::Solved);
    }
}
