//! Thermographs, cooling and heating, Norton's product, atomic weights.

use crate::testing::{Random, random_value};
use crate::{Dyadic, Plain, TooLarge, Value, Values};

fn d(num: i64, exp: u32) -> Dyadic {
    Dyadic::new(num, exp).unwrap()
}

#[test]
fn known_means_and_temperatures() {
    let mut values = Values::new();
    for (text, mean, temperature) in [
        ("0", d(0, 0), d(-1, 0)),
        ("7", d(7, 0), d(-1, 0)),
        ("1/2", d(1, 1), d(-1, 1)),
        ("-5/8", d(-5, 3), d(-1, 3)),
        ("*", d(0, 0), d(0, 0)),
        ("^", d(0, 0), d(0, 0)),
        ("3/4v2*", d(3, 2), d(0, 0)),
        ("+_2", d(0, 0), d(0, 0)),
        ("{3|1}", d(2, 0), d(1, 0)),
        ("{1|0}", d(1, 1), d(1, 1)),
        ("±5", d(0, 0), d(5, 0)),
        // Right's scaffold is 1 up to 1/2, then 1/2 + t, which 4 - t meets.
        ("{4||1|0}", d(9, 2), d(7, 2)),
        // A threat that must be answered: Left's scaffold is 0 up to 5, and -2 + t meets it.
        ("{10|0||-2}", d(0, 0), d(2, 0)),
        // A threat too small: 0 up to 1, then 1 - t, which meets -5 + t.
        ("{2|0||-5}", d(-2, 0), d(3, 0)),
        ("{2||-1|-5}", d(-1, 1), d(5, 1)),
        ("{{3|2}|{1|0}}", d(3, 1), d(1, 0)),
        ("{1|*}", d(1, 1), d(1, 1)),
    ] {
        let value = values.read(text).unwrap();
        assert_eq!(values.mean(value), Ok(mean), "{text}");
        assert_eq!(values.temperature(value), Ok(temperature), "{text}");
    }
}

/// Temperatures at corners, and between and above them.
fn samples(values: &mut Values, value: Value) -> Vec<Dyadic> {
    let thermograph = values.thermograph(value).unwrap();
    let mut all = vec![d(0, 0), d(1, 2), d(1, 0), d(7, 1)];
    for wall in [&thermograph.left, &thermograph.right] {
        for corner in wall.corners() {
            for by in [d(-1, 2), d(0, 0), d(1, 3)] {
                all.push(corner.temperature.plus(by).unwrap());
            }
        }
    }
    all.retain(|&at| at >= Dyadic::ZERO);
    all
}

#[test]
fn walls_are_the_stops_of_cooled_games() {
    let (mut values, mut random) = (Values::new(), Random::new(8));
    let v = &mut values;
    for round in 0..1500 {
        let value = random_value(v, &mut random, 1 + round % 4).unwrap();
        let thermograph = v.thermograph(value).unwrap();
        for at in samples(v, value) {
            let cooled = v.cool(value, at).unwrap();
            assert_eq!(thermograph.left.at(at), Ok(v.left_stop(cooled)), "at {at}");
            assert_eq!(thermograph.right.at(at), Ok(v.right_stop(cooled)), "at {at}");
            assert_eq!(v.as_number(cooled).is_some(), at > thermograph.temperature());
        }
        assert_eq!(v.cool(value, Dyadic::ZERO), Ok(value));
        assert_eq!(v.temperature(value).unwrap() < d(0, 0), v.as_number(value).is_some());
    }
}

#[test]
fn means_are_additive_and_sums_no_hotter() {
    let (mut values, mut random) = (Values::new(), Random::new(9));
    let v = &mut values;
    for _ in 0..3000 {
        let [a, b] = [0; 2].map(|_| random_value(v, &mut random, 3).unwrap());
        let sum = v.add(a, b).unwrap();
        let means = v.mean(a).unwrap().plus(v.mean(b).unwrap()).unwrap();
        assert_eq!(v.mean(sum), Ok(means));
        let hotter = v.temperature(a).unwrap().max(v.temperature(b).unwrap());
        assert!(v.temperature(sum).unwrap() <= hotter);
        // Cooling is a homomorphism.
        let t = d(random.below(9) as i64, 2);
        let (x, y) = (v.cool(a, t).unwrap(), v.cool(b, t).unwrap());
        let cooled = v.cool(sum, t).unwrap();
        assert_eq!(v.add(x, y), Ok(cooled));
        let minus = v.neg(a).unwrap();
        assert_eq!(v.mean(minus).unwrap(), -v.mean(a).unwrap());
        assert_eq!(v.temperature(minus), v.temperature(a));
    }
}

#[test]
fn the_mean_is_that_of_many_copies() {
    let (mut values, mut random) = (Values::new(), Random::new(10));
    let v = &mut values;
    for _ in 0..200 {
        let value = random_value(v, &mut random, 2).unwrap();
        let (mean, temperature) = (v.mean(value).unwrap(), v.temperature(value).unwrap());
        let copies = v.multiple(8, value).unwrap();
        let exact = mean.to_f64() * 8.0;
        // The stops of n copies stay within the temperature of n means.
        assert!((v.left_stop(copies).to_f64() - exact).abs() <= temperature.to_f64().max(0.0));
        assert!((v.right_stop(copies).to_f64() - exact).abs() <= temperature.to_f64().max(0.0));
    }
}

#[test]
fn plain_thermographs_are_those_of_their_options() {
    let mut values = Values::new();
    let v = &mut values;
    for quarter in [-4, -3, -2, 0, 1, 2, 4, 7] {
        for ups in -4..=4 {
            for nim in 0..5 {
                let value = v.plain(Plain { number: d(quarter, 2), ups, nim }).unwrap();
                let known = v.thermograph(value).unwrap();
                let slow = v.thermograph_by_options(value).unwrap();
                assert_eq!(*known, slow, "{}", v.text(value).unwrap());
            }
        }
    }
}

#[test]
fn heating_is_taken_back_by_cooling() {
    let (mut values, mut random) = (Values::new(), Random::new(11));
    let v = &mut values;
    let one = v.integer(1).unwrap();
    for _ in 0..1000 {
        let a = random_value(v, &mut random, 3).unwrap();
        let heated = v.heat(a, one).unwrap();
        assert_eq!(v.cool(heated, d(1, 0)), Ok(a), "{}", v.text(a).unwrap());
    }
    for (heated, expected) in [
        ("heat(*,1)", "±1"),
        ("heat(^,1)", "{1||0|-2}"),
        ("heat(3/4,5)", "3/4"),
        // Heating does not keep the order: this was positive.
        ("heat({1|1/2},1)", "{2|-1/2}"),
        ("overheat(1/2,1,1)", "{1|0}"),
        ("overheat(3,^,*)", "^3"),
        ("cool({3|1},1/2)", "{5/2|3/2}"),
        ("cool({3|1},1)", "2*"),
        ("cool({3|1},9/8)", "2"),
    ] {
        let value = v.read(heated).unwrap();
        assert_eq!(Ok(value), v.read(expected), "{heated}: {}", v.text(value).unwrap());
    }
}

/// A random game that is all-small.
fn all_small(values: &mut Values, random: &mut Random, depth: usize) -> Result<Value, TooLarge> {
    if depth == 0 || random.below(4) == 0 {
        return match random.below(3) {
            0 => values.nimber(random.below(4) as u32),
            1 => values.up(random.below(5) as i32 - 2),
            _ => Ok(Value::ZERO),
        };
    }
    let mut sides = [vec![], vec![]];
    for side in &mut sides {
        for _ in 0..=random.below(2) {
            side.push(all_small(values, random, depth - 1)?);
        }
    }
    values.form(&sides[0], &sides[1])
}

#[test]
fn known_atomic_weights() {
    let mut values = Values::new();
    for (text, weight) in [
        ("0", "0"),
        ("*5", "0"),
        ("^", "1"),
        ("v3*2", "-3"),
        ("{^|v}", "0"),
        // More than one whole number fits between -1 and 2; it is above the remote star.
        ("{^|*}", "1"),
        ("{0|{0|{0|*2}}}", "3"),
        ("{^2|v2}", "*"),
        ("{^3|v3}", "±1"),
        ("{0|^,*2}", "1"),
        ("{0,*|^2}", "3"),
        ("{0,{^|v}|v}", "0"),
        ("3.{0|^,*2} - {^3|v3}", "3+±1"),
    ] {
        let value = values.read(text).unwrap();
        let found = values.atomic_weight(value).unwrap().unwrap();
        let weight = values.read(weight).unwrap();
        assert_eq!(found, weight, "{text}: {}", values.text(found).unwrap());
    }
    let one = values.integer(1).unwrap();
    assert_eq!(values.atomic_weight(one), Ok(None));
}

#[test]
fn atomic_weights_are_additive_and_decide() {
    let (mut values, mut random) = (Values::new(), Random::new(12));
    let v = &mut values;
    let mut odd = 0;
    for round in 0..2000 {
        let [a, b] = [0; 2].map(|_| all_small(v, &mut random, 2 + round % 2).unwrap());
        let (x, y) = (v.atomic_weight(a).unwrap().unwrap(), v.atomic_weight(b).unwrap().unwrap());
        let sum = v.add(a, b).unwrap();
        let weight = v.atomic_weight(sum).unwrap();
        assert_eq!(weight, v.add(x, y).ok());
        odd += usize::from(v.as_number(x).is_none());
        // Two ahead wins.
        let two = v.integer(2).unwrap();
        if v.le(two, x).unwrap() {
            assert!(a != Value::ZERO && v.le(Value::ZERO, a).unwrap());
        }
        // Within a weight of at least 1 who has to move loses nothing: it is not at most 0.
        let one = v.integer(1).unwrap();
        if v.le(one, x).unwrap() {
            assert!(!v.le(a, Value::ZERO).unwrap());
        }
    }
    assert!(odd > 20, "{odd}");
}

#[test]
fn nortons_product_distributes() {
    let (mut values, mut random) = (Values::new(), Random::new(13));
    let v = &mut values;
    let up = v.up(1).unwrap();
    let units = ["^", "1", "1/2", "^*2", "{2|1}", "+_1", "2"].map(|text| v.read(text).unwrap());
    for round in 0..1500 {
        let [a, b] = [0; 2].map(|_| random_value(v, &mut random, 2).unwrap());
        let unit = units[round % units.len()];
        let (x, y) = (v.norton(a, unit).unwrap().unwrap(), v.norton(b, unit).unwrap().unwrap());
        let sum = v.add(a, b).unwrap();
        assert_eq!(v.norton(sum, unit).unwrap(), v.add(x, y).ok());
        assert_eq!(v.compare(x, y), v.compare(a, b), "the product keeps the order");
        let weighed = v.norton(a, up).unwrap().unwrap();
        assert_eq!(v.atomic_weight(weighed), Ok(Some(a)), "G.up weighs G");
    }
    assert_eq!(v.norton(up, Value::ZERO), Ok(None));
    let star = v.nimber(1).unwrap();
    assert_eq!(v.norton(up, star), Ok(None));
}
