//! Definition 7 of *Solving Games and All That* as property tests, for every scheme: equations
//! 2.10 to 2.14, with values that floating point would round to solved ones among the samples.

use foregone_model::{Outcome, Side};
use foregone_search::Scheme;
use foregone_search::scheme::{
    Blind, Effort, Mcts, MinMax, Pn, Pp, Range, Sample, Sbmcts, Tally, Thresholds,
};
use proptest::prelude::*;

const SIDES: [Side; 2] = [Side::Max, Side::Min];

/// The outcome that is good for a side.
fn good(side: Side) -> Outcome {
    if side == Side::Max { Outcome::WIN } else { Outcome::LOSS }
}

fn update<S: Scheme>(scheme: &S, side: Side, values: &[S::Value]) -> Option<Outcome> {
    scheme.outcome(scheme.update(side, values.iter().copied()))
}

/// All laws, for some values that are not solved.
fn laws<S: Scheme>(scheme: &S, open: &[S::Value]) {
    let won = scheme.solved(Outcome::WIN);
    let lost = scheme.solved(Outcome::LOSS);
    // Solved values are solved, and top and bottom do not overlap (2.10).
    assert_eq!(scheme.outcome(won), Some(Outcome::WIN));
    assert_eq!(scheme.outcome(lost), Some(Outcome::LOSS));
    for &v in open {
        assert_eq!(scheme.outcome(v), None, "{v:?} is solved");
    }
    for side in SIDES {
        let best = scheme.solved(good(side));
        let worst = scheme.solved(good(side.other()));
        // The selection avoids values that are lost for the side (2.11), in every context.
        for &context in open {
            let key = |v| scheme.key(side, context, v);
            for &v in open.iter().chain([&best]) {
                assert!(key(v) > key(worst), "{side:?} does not avoid a lost child beside {v:?}");
            }
            // A preorder is total: keys compare.
            for &v in open {
                for &w in open {
                    assert!(key(v).partial_cmp(&key(w)).is_some(), "{v:?} and {w:?}");
                }
            }
        }
        for n in 1..=open.len() {
            // One good child decides (2.12, 2.13), wherever it stands.
            let mut with_best = open[..n].to_vec();
            with_best.insert(n / 2, best);
            with_best.push(worst);
            assert_eq!(update(scheme, side, &with_best), Some(good(side)));
            // Children that are all bad decide (2.12, 2.13).
            let all_worst = vec![worst; n];
            assert_eq!(update(scheme, side, &all_worst), Some(good(side.other())));
            // Nothing is solved without a reason (2.14), beside bad children either.
            assert_eq!(update(scheme, side, &open[..n]), None, "{side:?} {:?}", &open[..n]);
            let mut with_worst = open[..n].to_vec();
            with_worst.push(worst);
            assert_eq!(update(scheme, side, &with_worst), None, "{side:?} {with_worst:?}");
            // Updates of updates: a few levels up, values are as far out as they can get.
            let mut v = scheme.update(side, open[..n].iter().copied());
            for level in 0..64 {
                let turn = if level % 2 == 0 { side } else { side.other() };
                v = scheme.update(turn, std::iter::repeat_n(v, n));
                assert_eq!(scheme.outcome(v), None, "after {level} levels: {v:?}");
            }
        }
    }
}

/// The laws of Definition 16, for some values of a scheme for many outcomes, solved or not.
/// Positive and negative sets are told by the bounds, so that they are increasing, decreasing and
/// apart by construction.
fn laws_of_many<S: Scheme>(scheme: &S, best: u16, values: &[S::Value]) {
    for o in 0..=best {
        assert_eq!(scheme.bounds(scheme.solved(Outcome(o))), (Outcome(o), Outcome(o)));
    }
    for &v in values {
        let (low, high) = scheme.bounds(v);
        assert!(low <= high && high.0 <= best, "{v:?}");
        assert_eq!(scheme.outcome(v), (low == high).then_some(low));
    }
    for side in SIDES {
        let updated = scheme.update(side, values.iter().copied());
        let bounds: Vec<(Outcome, Outcome)> = values.iter().map(|&v| scheme.bounds(v)).collect();
        let pick = |of: fn(&(Outcome, Outcome)) -> Outcome| {
            let all = bounds.iter().map(of);
            let picked = if side == Side::Max { all.max() } else { all.min() };
            picked.unwrap_or(Outcome(u16::MAX))
        };
        // Updates are justified and complete (Proposition 16).
        assert_eq!(scheme.bounds(updated), (pick(|b| b.0), pick(|b| b.1)), "{side:?} {values:?}");
        // The selection avoids dominated values: beside a child that promises more, what is
        // solved is not followed.
        for &v in values {
            for &w in values {
                let ((_, v_high), (w_low, w_high)) = (scheme.bounds(v), scheme.bounds(w));
                let (v_low, _) = scheme.bounds(v);
                let open = v_low < v_high;
                let more = match side {
                    Side::Max => v_high > w_high,
                    Side::Min => v_low < w_low,
                };
                // A context as a search has it: at least as good as each child.
                let context = scheme.update(side, [v, w].into_iter());
                if w_low == w_high && open && more {
                    let key = |x| scheme.key(side, context, x);
                    assert!(key(v) > key(w), "{side:?} prefers {w:?} to {v:?}");
                }
            }
        }
    }
}

fn ranges(best: u16) -> impl Strategy<Value = Range> {
    (0..=best, 0..=best)
        .prop_map(|(a, b)| Range { low: Outcome(a.min(b)), high: Outcome(a.max(b)) })
}

/// A choice that is not to be left does not leave the child that it prefers before that child has
/// changed, nor a root the question that it works at: else a depth first search would go to and
/// fro for ever.
fn thresholds<S: Thresholds>(scheme: &S, open: &[S::Value], bounds: S::Bounds) {
    for side in SIDES {
        let value = scheme.update(side, open.iter().copied());
        for &rival in open {
            let bounds = scheme.bounds_of_root(value, scheme.priority(rival));
            assert!(!scheme.reached(value, bounds), "{value:?} is left for {rival:?}");
        }
        if scheme.reached(value, bounds) {
            continue;
        }
        let keys: Vec<S::Key> = open.iter().map(|&v| scheme.key(side, value, v)).collect();
        let best = (0..open.len()).find(|&i| keys.iter().all(|k| keys[i] >= *k)).unwrap_or(0);
        let below = scheme.bounds_of_child(side, bounds, open.iter().copied(), best);
        assert!(!scheme.reached(open[best], below), "{side:?} leaves {:?} of {open:?}", open[best]);
    }
}

/// Chances that are not solved, the traps included: those that products and complements round
/// to 0 or 1.
fn chance() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => 1e-6..(1.0 - 1e-6),
        1 => Just(f64::MIN_POSITIVE),
        1 => Just(1e-300),
        1 => Just(1e-17),
        1 => Just(1.0 - f64::EPSILON),
        1 => Just(1.0 - f64::EPSILON / 2.0),
        1 => Just(0.5),
    ]
}

fn effort() -> impl Strategy<Value = Effort> {
    let number = || prop_oneof![4 => 1u32..100, 1 => Just(u32::MAX - 1), 1 => Just(u32::MAX / 2)];
    (number(), number()).prop_map(|(proof, disproof)| Effort { proof, disproof })
}

fn tally() -> impl Strategy<Value = Tally> {
    let count = prop_oneof![4 => 1u32..1000, 1 => Just(u32::MAX)];
    (count, 0.0..=1.0f64).prop_map(|(playouts, mean)| Tally {
        reward: mean * f64::from(playouts),
        playouts,
        status: 1,
    })
}

fn real() -> impl Strategy<Value = f64> {
    prop_oneof![4 => -100.0..100.0f64, 1 => Just(f64::MAX), 1 => Just(f64::MIN), 1 => Just(0.0)]
}

proptest! {
    #[test]
    fn pn_is_well_formed(open in prop::collection::vec(effort(), 1..12)) {
        laws(&Pn, &open);
    }

    #[test]
    fn pp_is_well_formed(open in prop::collection::vec(chance(), 1..60)) {
        laws(&Pp, &open);
    }

    #[test]
    fn mcts_is_well_formed(
        open in prop::collection::vec(tally(), 1..12),
        exploration in prop_oneof![Just(0.0), Just(Mcts::EXPLORATION), 0.0..10.0f64],
    ) {
        let mcts = Mcts { exploration, ..Mcts::PLAIN };
        laws(&mcts, &open);
        // Children that were not looked at are children like others.
        let mut some_unseen = open;
        some_unseen.insert(some_unseen.len() / 2, mcts.unseen());
        some_unseen.push(mcts.unseen());
        laws(&Mcts { one_node: true, ..mcts }, &some_unseen);
    }

    #[test]
    fn minmax_is_well_formed(open in prop::collection::vec(real(), 1..12)) {
        laws(&MinMax, &open);
    }

    #[test]
    fn blind_is_well_formed(values in prop::collection::vec(ranges(6), 1..12)) {
        laws_of_many(&Blind, 6, &values);
    }

    #[test]
    fn sbmcts_is_well_formed(
        values in prop::collection::vec((ranges(6), 1u32..1000, 0.0..=1.0f64), 1..12),
        exploration in prop_oneof![Just(0.0), Just(Mcts::EXPLORATION), 0.0..10.0f64],
        (gamma, delta) in (-1.0..1.0f64, -1.0..10_000.0f64),
    ) {
        let scheme = Sbmcts { best: Outcome(6), exploration, gamma, delta, ..Sbmcts::PLAIN };
        let values: Vec<Sample> = values
            .into_iter()
            .map(|(range, playouts, mean)| Sample {
                reward: mean * f64::from(playouts),
                playouts,
                range,
            })
            .collect();
        laws_of_many(&scheme, 6, &values);
    }

    #[test]
    fn pn_stays_below_the_best_child(
        open in prop::collection::vec(effort(), 1..12),
        bounds in effort(),
    ) {
        thresholds(&Pn, &open, bounds);
        thresholds(&Pn, &open, Pn::UNBOUNDED);
    }

    #[test]
    fn pp_stays_below_the_best_child(
        open in prop::collection::vec(chance(), 1..60),
        low in chance(),
        high in chance(),
    ) {
        thresholds(&Pp, &open, (low.min(high), low.max(high)));
        thresholds(&Pp, &open, Pp::UNBOUNDED);
    }

    /// A leaf's chance is never solved, whatever an evaluation says.
    #[test]
    fn a_chance_is_open(p in prop_oneof![chance(), Just(0.0), Just(1.0), -1.0..2.0f64]) {
        prop_assert_eq!(Pp.outcome(Pp::open(p)), None);
    }
}

/// The floats that plain product propagation would call solved.
#[test]
fn rounding_solves_nothing() {
    let almost_won = vec![0.5; 2000];
    assert_eq!(1.0 - almost_won.iter().map(|p| 1.0 - p).product::<f64>(), 1.0, "a trap no more");
    assert_eq!(update(&Pp, Side::Max, &almost_won), None);
    assert_eq!(almost_won.iter().product::<f64>(), 0.0, "a trap no more");
    assert_eq!(update(&Pp, Side::Min, &almost_won), None);
}
