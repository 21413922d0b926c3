//! Values that everybody knows, and how many there are.

use crate::{Class, Dyadic, Plain, Value, Values};

/// All values whose options are among these.
fn next_day(values: &mut Values, before: &[Value]) -> Vec<Value> {
    // Only antichains of options matter.
    let mut chains: Vec<Vec<Value>> = vec![vec![]];
    for &value in before {
        for i in 0..chains.len() {
            let apart = |values: &mut Values, other| {
                !values.le(value, other).unwrap() && !values.le(other, value).unwrap()
            };
            if chains[i].iter().all(|&other| apart(values, other)) {
                let mut longer = chains[i].clone();
                longer.push(value);
                chains.push(longer);
            }
        }
    }
    let mut born = vec![];
    for left in &chains {
        for right in &chains {
            born.push(values.form(left, right).unwrap());
        }
    }
    born.sort_unstable();
    born.dedup();
    born
}

#[test]
fn days_have_1_4_22_1474_values() {
    let mut values = Values::new();
    let mut born = vec![Value::ZERO];
    for (day, expected) in [(1, 4), (2, 22), (3, 1474)] {
        born = next_day(&mut values, &born);
        assert_eq!(born.len(), expected, "day {day}");
        assert!(born.iter().all(|&value| values.birthday(value) <= day));
    }
}

#[test]
fn ups_and_stars() {
    let mut values = Values::new();
    let v = &mut values;
    let zero = v.zero();
    let star = v.form(&[zero], &[zero]).unwrap();
    assert_eq!(v.nimber(1), Ok(star));
    let up = v.form(&[zero], &[star]).unwrap();
    assert_eq!(v.up(1), Ok(up));
    let up_star = v.form(&[zero, star], &[zero]).unwrap();
    assert_eq!(v.add(up, star), Ok(up_star));
    assert_eq!(v.add(star, star), Ok(zero));
    let double = v.add(up, up).unwrap();
    assert_eq!(v.form(&[zero], &[up_star]), Ok(double));
    assert_eq!(v.up(2), Ok(double));
    let wide = v.form(&[zero], &[up]).unwrap();
    assert_eq!(v.as_plain(wide), Some(Plain { ups: 2, nim: 1, ..Plain::default() }));
    assert_eq!(v.compare(up, star), Ok(None));
    assert_eq!(v.le(star, double), Ok(true));
    assert_eq!(v.outcome(up), Class::Left);
    assert_eq!(v.outcome(up_star), Class::Next);
    assert!(v.is_all_small(up_star) && v.is_infinitesimal(up_star));
    assert_eq!((v.as_nimber(star), v.as_nimber(up)), (Some(1), None));
}

#[test]
fn plain_values_are_what_their_options_make() {
    let mut values = Values::new();
    let v = &mut values;
    for quarter in -6..=6 {
        let number = Dyadic::new(quarter, 2).unwrap();
        for ups in -4..=4 {
            for nim in 0..6 {
                let plain = Plain { number, ups, nim };
                let value = v.plain(plain).unwrap();
                let left = v.left(value).unwrap().to_vec();
                let right = v.right(value).unwrap().to_vec();
                let days = left.iter().chain(&right).map(|&o| v.birthday(o) + 1).max();
                assert_eq!(v.birthday(value), days.unwrap_or(0), "{plain:?}");
                assert_eq!(v.form(&left, &right), Ok(value), "{plain:?}");
            }
        }
    }
}

#[test]
fn plain_sums_and_orders_are_those_of_play() {
    let mut values = Values::new();
    let v = &mut values;
    let mut plain = vec![];
    for half in -2..=2 {
        for ups in -2..=2 {
            for nim in 0..4 {
                plain.push(Plain { number: Dyadic::new(half, 1).unwrap(), ups, nim });
            }
        }
    }
    for &a in &plain {
        for &b in &plain {
            let (x, y) = (v.plain(a).unwrap(), v.plain(b).unwrap());
            // By the options alone: no left option of x is at least y, and so on.
            let left = v.left(x).unwrap().to_vec();
            let right = v.right(y).unwrap().to_vec();
            let bad = left.iter().any(|&option| v.le(y, option).unwrap())
                || right.iter().any(|&option| v.le(option, x).unwrap());
            assert_eq!(v.le(x, y), Ok(!bad), "{a:?} {b:?}");
            let sum = v.add(x, y).unwrap();
            let mut sides = [vec![], vec![]];
            for (moved, stays) in [(x, y), (y, x)] {
                for option in v.left(moved).unwrap().to_vec() {
                    sides[0].push(v.add(option, stays).unwrap());
                }
                for option in v.right(moved).unwrap().to_vec() {
                    sides[1].push(v.add(option, stays).unwrap());
                }
            }
            assert_eq!(v.form(&sides[0], &sides[1]), Ok(sum), "{a:?} {b:?}");
        }
    }
}

#[test]
fn switches() {
    let mut values = Values::new();
    let v = &mut values;
    let switch = |v: &mut Values, x: i64, y: i64| {
        let (x, y) = (v.integer(x).unwrap(), v.integer(y).unwrap());
        v.form(&[x], &[y]).unwrap()
    };
    let hot = switch(v, 3, 1);
    assert_eq!((v.left_stop(hot), v.right_stop(hot)), (Dyadic::whole(3), Dyadic::whole(1)));
    let one = switch(v, 1, -1);
    let two = v.integer(2).unwrap();
    assert_eq!(v.add(one, two), Ok(hot), "a switch is its mean and a fair switch");
    assert_eq!(v.add(one, one), Ok(Value::ZERO));
    assert_eq!(v.multiple(3, hot), v.integer(4).and_then(|four| v.add(four, hot)));
    // {2|0} + {1|-1} = {2+{1|-1}, 1+{2|0} | ...}: Left takes the larger gain first.
    let (a, b) = (switch(v, 4, 0), switch(v, 1, -1));
    let sum = v.add(a, b).unwrap();
    let (high, low) = (switch(v, 5, 3), switch(v, 1, -1));
    assert_eq!(v.form(&[high], &[low]), Ok(sum));
    // {1|0} + {1|0} = 1, and {1|0} + 1/2 is a switch around 1.
    let c = switch(v, 1, 0);
    assert_eq!(v.add(c, c), v.integer(1));
    let number = switch(v, 0, 1);
    assert_eq!(v.as_number(number), Dyadic::new(1, 1).ok());
}
