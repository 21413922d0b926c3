//! ABCD against a plain minimax, and the laws of section 5.2.2.

use std::time::{Duration, Instant};

use foregone_model::{Rng, Side};

use super::{Searcher, coin};
use crate::evaluate::{WIN, decided, ltd, ltd2, playout};
use crate::scenario::{Army, Scenario};
use crate::script::Script;
use crate::settings::{Evaluation, Policy, Settings};
use crate::state::{Action, MAX_UNITS, Move, State, Unit};
use crate::unit::Kind;

/// A small state with weak units close to each other, so that shallow searches see deaths.
fn random_state(rng: &mut Rng, most: u32) -> State {
    let mut army = || -> Vec<Unit> {
        (0..1 + rng.below(most))
            .map(|_| {
                let kind = Kind::ALL[rng.below(4) as usize];
                let mut u = Unit::new(kind, rng.below(60) as i32, rng.below(60) as i32);
                u.hit_points = 1 + rng.below(25) as i16;
                u.move_at = rng.below(3);
                u.attack_at = u.move_at + rng.below(3);
                u
            })
            .collect()
    };
    let (max, min) = (army(), army());
    State::new(&max, &min).unwrap()
}

fn all_moves(s: &State, side: Side) -> Vec<Move> {
    let mut all = vec![[Action::Idle; MAX_UNITS]];
    for (i, _) in s.acting(side) {
        let actions = s.actions(side, i);
        all = all
            .iter()
            .flat_map(|m| {
                actions.as_slice().iter().map(move |&a| {
                    let mut m = *m;
                    m[i] = a;
                    m
                })
            })
            .collect();
    }
    all
}

/// The sequentialised tree as the text tells it: two levels for each simultaneous choice, no
/// pruning, no table, no order.
struct Plain {
    settings: Settings,
    end: u32,
}

impl Plain {
    fn estimate(&self, s: &State) -> i32 {
        match self.settings.evaluation {
            Evaluation::Ltd => decided(s, ltd(s)),
            Evaluation::Ltd2 => decided(s, ltd2(s)),
            Evaluation::Playout => {
                let scripts = [self.settings.playout; 2];
                playout(*s, scripts, &mut Rng::new(0), || false).unwrap()
            }
        }
    }

    fn value(&self, s: &State, depth: u32, turn: Side) -> i32 {
        if s.over() || depth == 0 || s.time >= self.end {
            return self.estimate(s);
        }
        let best = |side: Side, values: &mut dyn Iterator<Item = i32>| match side {
            Side::Max => values.max().unwrap(),
            Side::Min => values.min().unwrap(),
        };
        let both = s.can_act(Side::Max) && s.can_act(Side::Min);
        let first = match self.settings.policy {
            _ if !both && s.can_act(Side::Max) => Side::Max,
            _ if !both => Side::Min,
            Policy::Maxmin => Side::Max,
            Policy::Minmax => Side::Min,
            Policy::Random | Policy::RandomOnce => coin(s.hash(), self.settings.seed),
            Policy::Alternate | Policy::AlternateLast => turn,
        };
        let second = first.other();
        if !both || depth == 1 {
            let after = match self.settings.policy {
                Policy::AlternateLast => first,
                _ => turn,
            };
            return best(
                first,
                &mut all_moves(s, first).iter().map(|m| {
                    let mut next = *s;
                    next.give(first, m);
                    if both && self.settings.evaluation == Evaluation::Playout {
                        let script = self.settings.playout;
                        next.give(second, &script.choose(s, second, &mut Rng::new(0)));
                    }
                    next.settle();
                    self.value(&next, depth - 1, after)
                }),
            );
        }
        let replies = all_moves(s, second);
        best(
            first,
            &mut all_moves(s, first).iter().map(|m| {
                best(
                    second,
                    &mut replies.iter().map(|r| {
                        let mut next = *s;
                        // The other way round than the search does: it must not matter.
                        next.give(second, r);
                        next.give(first, m);
                        next.settle();
                        self.value(&next, depth - 2, second)
                    }),
                )
            }),
        )
    }
}

fn plain(settings: &Settings, s: &State, depth: u32) -> i32 {
    let end = settings.horizon.map_or(u32::MAX, |h| s.time + h);
    Plain { settings: settings.clone(), end }.value(s, depth, Side::Max)
}

fn exact(policy: Policy, evaluation: Evaluation) -> Settings {
    let (time, width, table) = (None, None, 0);
    Settings { policy, evaluation, time, width, table, ..Settings::default() }
}

#[test]
fn equals_plain_minimax_at_every_depth() {
    let mut rng = Rng::new(20);
    let mut decided = 0;
    for round in 0..160 {
        // Two against two have up to 36 moves each, so they are searched less deep.
        let (units, depth) = if round % 4 == 0 { (2, 3) } else { (1, 5) };
        let s = random_state(&mut rng, units);
        let policy = Policy::ALL[round % Policy::ALL.len()];
        let evaluation = Evaluation::ALL[round % 3];
        for depth in 1..=depth {
            let settings = exact(policy, evaluation);
            let expected = plain(&settings, &s, depth);
            decided += u32::from(expected.abs() > WIN);
            let unordered = Settings { ordering: false, ..settings.clone() };
            for settings in [settings, unordered] {
                let mut searcher = Searcher::new(settings.clone());
                let value = searcher.value(&s, depth);
                assert_eq!(value, expected, "{policy:?} {evaluation:?} {depth} {s:?}");
                // Any window that holds the value gives it; others say on which side it is.
                assert_eq!(searcher.value_within(&s, depth, expected - 1, expected + 1), expected);
                assert!(searcher.value_within(&s, depth, expected, expected + 9) <= expected);
                assert!(searcher.value_within(&s, depth, expected - 9, expected) >= expected);
            }
        }
    }
    assert!(decided > 40, "too few ends seen: {decided}");
}

#[test]
fn the_table_changes_no_value() {
    // Up to a horizon a value does not depend on the depth left, so the table must be exact.
    let mut rng = Rng::new(21);
    for round in 0..200 {
        let s = random_state(&mut rng, 1 + u32::from(round % 8 == 0));
        let policy = Policy::ALL[round % Policy::ALL.len()];
        let horizon = Some(if round % 8 == 0 { 5 } else { 10 });
        let without = Settings { horizon, ..exact(policy, Evaluation::Ltd2) };
        let expected = plain(&without, &s, 64);
        assert_eq!(Searcher::new(without.clone()).value(&s, 64), expected, "{policy:?}");
        for table in [1, 7, 1 << 12] {
            let mut searcher = Searcher::new(Settings { table, ..without.clone() });
            // Windows beside the value leave bounds in the table, which are not values.
            let (low, high) = (expected - 900_000, expected + 900_000);
            assert!(searcher.value_within(&s, 64, high - 1, high) < high);
            assert!(searcher.value_within(&s, 64, low, low + 1) > low);
            assert_eq!(searcher.value(&s, 64), expected, "{policy:?} {table} {s:?}");
            // And again, with the table full of what the first search has found.
            assert_eq!(searcher.value(&s, 64), expected, "{policy:?} {table} {s:?}");
        }
    }
}

/// Proposition 36: Maxmin and Minmax bound the other sequentialisations. The trees must be cut
/// where the cut does not depend on the order of the players: at a time.
#[test]
fn other_orders_lie_between_maxmin_and_minmax() {
    let mut rng = Rng::new(22);
    let mut apart = 0;
    for round in 0..150 {
        let s = random_state(&mut rng, 1 + u32::from(round % 4 == 0));
        let horizon = Some(if round % 4 == 0 { 6 } else { 14 });
        let value = |policy, seed| {
            let settings = Settings { horizon, seed, ..exact(policy, Evaluation::Playout) };
            Searcher::new(Settings { table: 1 << 12, ..settings }).value(&s, 64)
        };
        let (low, high) = (value(Policy::Maxmin, 0), value(Policy::Minmax, 0));
        assert!(low <= high);
        apart += u32::from(low < high);
        for policy in [Policy::Alternate, Policy::AlternateLast] {
            assert!((low..=high).contains(&value(policy, 0)), "{policy:?} {s:?}");
        }
        for seed in 0..3 {
            assert!((low..=high).contains(&value(Policy::RandomOnce, seed)), "{s:?}");
        }
    }
    assert!(apart > 5, "the bounds are never apart: {apart}");
}

#[test]
fn a_best_response_is_at_least_as_good_as_the_script_expects() {
    // Against a script the search is a maximum over own moves alone: no worse than any of the
    // scripts that it could follow itself, and than its value against all moves.
    let mut rng = Rng::new(23);
    for round in 0..60 {
        let s = random_state(&mut rng, 2);
        let script = Script::ALL[1 + round % 6];
        let horizon = Some(6);
        let settings = Settings { horizon, ..exact(Policy::Maxmin, Evaluation::Ltd2) };
        let response = Settings { against: Some(script), ..settings.clone() };
        let against_all = Searcher::new(settings).value(&s, 64);
        let against_one = Searcher::new(response).value(&s, 64);
        assert!(against_one >= against_all, "{script:?} {s:?}");
        for own in Script::ALL {
            let mut fought = s;
            while !fought.over() && fought.time < s.time + 6 {
                let orders = [(Side::Max, own), (Side::Min, script)].map(|(side, script)| {
                    let mut rng = Rng::new(fought.hash());
                    fought.can_act(side).then(|| script.choose(&fought, side, &mut rng))
                });
                fought.play([orders[0].as_ref(), orders[1].as_ref()]);
            }
            assert!(against_one >= decided(&fought, ltd2(&fought)), "{own:?} {script:?}");
        }
    }
}

#[test]
fn decisions_are_legal_and_repeat() {
    for (i, army) in ["2 marine", "1 dragoon, 3 zealot", "4 marine, 4 zergling"].iter().enumerate()
    {
        let army = Army::parse(army).unwrap();
        let s = Scenario::mirrored(&army, i as u64).unwrap().start;
        for policy in Policy::ALL {
            for evaluation in Evaluation::ALL {
                let settings = Settings {
                    time: None,
                    nodes: Some(400),
                    policy,
                    evaluation,
                    ..Settings::default()
                };
                let mut searcher = Searcher::new(settings.clone());
                for side in [Side::Max, Side::Min] {
                    searcher.forget();
                    let decision = searcher.decide(&s, side);
                    assert!(s.is_legal(side, &decision.orders), "{policy:?} {evaluation:?}");
                    assert!(decision.nodes <= 400 && decision.depth > 0);
                    assert_eq!(decision.playouts > 0, evaluation == Evaluation::Playout);
                    searcher.forget();
                    assert_eq!(searcher.decide(&s, side), decision);
                }
            }
        }
    }
}

#[test]
fn a_kill_is_seen() {
    // One shot decides who is left: hold still and be shot, or shoot first.
    let weak = |x| Unit { hit_points: 5, ..Unit::new(Kind::Marine, x, 0) };
    let late = Unit { attack_at: 8, move_at: 8, ..weak(100) };
    let s = State::new(&[weak(0)], &[late]).unwrap();
    for evaluation in Evaluation::ALL {
        let settings = Settings { time: None, nodes: Some(200), evaluation, ..Settings::default() };
        let decision = Searcher::new(settings).decide(&s, Side::Max);
        assert_eq!(decision.orders[0], Action::Attack(0), "{evaluation:?}");
        assert!(decision.value > WIN);
    }
}

#[test]
fn time_limits_are_kept() {
    let army = Army::parse("4 dragoon, 4 zealot").unwrap();
    let s = Scenario::mirrored(&army, 1).unwrap().start;
    for evaluation in Evaluation::ALL {
        for policy in Policy::ALL {
            let depth = Some(64);
            let settings = Settings { evaluation, policy, depth, ..Settings::default() };
            let mut searcher = Searcher::new(settings);
            // A busy machine may take the thread off its core for some time, but not always.
            let limit = Duration::from_millis(25);
            let (mut time, mut tries) = (Duration::MAX, 0);
            while time >= limit && tries < 20 {
                tries += 1;
                searcher.forget();
                let start = Instant::now();
                let decision = searcher.decide(&s, Side::Max);
                time = time.min(start.elapsed());
                assert!(s.is_legal(Side::Max, &decision.orders));
            }
            assert!(time < limit, "{evaluation:?} {policy:?}: {time:?}");
        }
    }
}
