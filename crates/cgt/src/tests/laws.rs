//! The group and its order against plain play, where no canonical form is in sight.

use std::cmp::Ordering;

use crate::testing::{Random, Tree, at_least, random_value, wins};
use crate::{Class, Value, Values};

#[test]
fn the_order_is_that_of_plain_play() {
    let (mut values, mut random) = (Values::new(), Random::new(1));
    let mut seen = [0; 4];
    for round in 0..3000 {
        let (depth, width) = if round % 2 == 0 { (3, 2) } else { (2, 3) };
        let a = Tree::random(&mut random, depth, width);
        let b = Tree::random(&mut random, depth, width);
        let (x, y) = (a.value(&mut values).unwrap(), b.value(&mut values).unwrap());
        let (above, below) = (at_least(&a, &b), at_least(&b, &a));
        assert_eq!(values.le(y, x), Ok(above));
        assert_eq!(values.le(x, y), Ok(below));
        assert_eq!(x == y, above && below, "equal values have one handle");
        let expected = match (above, below) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Greater),
            (false, true) => Some(Ordering::Less),
            (false, false) => None,
        };
        assert_eq!(values.compare(x, y), Ok(expected));
        let class = match (wins(std::slice::from_ref(&a), false), wins(&[a], true)) {
            (true, true) => Class::Next,
            (true, false) => Class::Left,
            (false, true) => Class::Right,
            (false, false) => Class::Previous,
        };
        assert_eq!(values.outcome(x), class);
        seen[class as usize] += 1;
    }
    assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
}

#[test]
fn a_sum_is_won_by_who_wins_it() {
    let (mut values, mut random) = (Values::new(), Random::new(2));
    for _ in 0..1000 {
        let trees = [0; 3].map(|_| Tree::random(&mut random, 2, 2));
        let mut sum = Value::ZERO;
        for tree in &trees {
            let value = tree.value(&mut values).unwrap();
            sum = values.add(sum, value).unwrap();
        }
        let class = values.outcome(sum);
        let left_first = matches!(class, Class::Left | Class::Next);
        let right_first = matches!(class, Class::Right | Class::Next);
        assert_eq!(left_first, wins(&trees, false));
        assert_eq!(right_first, wins(&trees, true));
    }
}

#[test]
fn values_are_an_ordered_group() {
    let (mut values, mut random) = (Values::new(), Random::new(3));
    let v = &mut values;
    for _ in 0..3000 {
        let [a, b, c] = [0; 3].map(|_| random_value(v, &mut random, 3).unwrap());
        let ab = v.add(a, b).unwrap();
        assert_eq!(v.add(b, a).unwrap(), ab);
        let bc = v.add(b, c).unwrap();
        assert_eq!(v.add(ab, c), v.add(a, bc));
        assert_eq!(v.add(a, Value::ZERO), Ok(a));
        assert_eq!(v.subtract(a, a), Ok(Value::ZERO));
        assert_eq!(v.subtract(ab, b), Ok(a));
        let minus = v.neg(a).unwrap();
        assert_eq!(v.neg(minus), Ok(a));
        assert_eq!(v.left_stop(a), -v.right_stop(minus));
        assert_eq!(v.birthday(a), v.birthday(minus));
        // Order is kept by sums, and is an order.
        let ac = v.add(a, c).unwrap();
        assert_eq!(v.compare(a, b), v.compare(ac, bc));
        if v.le(a, b).unwrap() && v.le(b, c).unwrap() {
            assert_eq!(v.le(a, c), Ok(true));
        }
        assert_eq!(v.le(a, b).unwrap() && v.le(b, a).unwrap(), a == b);
        let difference = v.subtract(b, a).unwrap();
        assert_eq!(v.le(a, b), v.le(Value::ZERO, difference));
    }
}

#[test]
fn a_sum_does_not_need_its_caches() {
    let mut random = Random::new(4);
    let mut small = Values::with_limit(1 << 20);
    for round in 0..200 {
        let a = random_value(&mut small, &mut random, 2).unwrap();
        let b = random_value(&mut small, &mut random, 2).unwrap();
        let sum = small.add(a, b).unwrap();
        if round % 3 == 0 {
            small.forget();
        }
        assert_eq!(small.add(b, a), Ok(sum));
        assert_eq!(small.subtract(sum, b), Ok(a));
    }
}

#[test]
fn canonical_forms_are_canonical() {
    let (mut values, mut random) = (Values::new(), Random::new(5));
    let v = &mut values;
    for _ in 0..2000 {
        let g = random_value(v, &mut random, 3).unwrap();
        let left = v.left(g).unwrap().to_vec();
        let right = v.right(g).unwrap().to_vec();
        assert_eq!(v.form(&left, &right), Ok(g), "the options make the value");
        let mut days = 0;
        for (side, is_right) in [(&left, false), (&right, true)] {
            for &option in side {
                days = days.max(v.birthday(option) + 1);
                for &other in side {
                    assert!(option == other || !v.le(option, other).unwrap(), "dominated");
                }
                let answers = if is_right { v.left(option) } else { v.right(option) };
                for answer in answers.unwrap().to_vec() {
                    let (low, high) = if is_right { (g, answer) } else { (answer, g) };
                    assert!(!v.le(low, high).unwrap(), "reversible");
                }
            }
        }
        assert_eq!(days, v.birthday(g));
        let stops = (v.left_stop(g), v.right_stop(g));
        assert!(stops.0 >= stops.1);
        if v.as_number(g).is_none() {
            let best = left.iter().map(|&o| v.right_stop(o)).max();
            assert_eq!(best, Some(stops.0));
            let best = right.iter().map(|&o| v.left_stop(o)).min();
            assert_eq!(best, Some(stops.1));
        }
    }
}
