//! What is too large is refused, and what is merely deep is not.

use crate::{Dyadic, Plain, TooLarge, Value, Values};

#[test]
fn long_numbers_cost_nothing() {
    let mut values = Values::new();
    let v = &mut values;
    let far = v.integer(1_000_000_000_000).unwrap();
    let near = v.integer(-10_000).unwrap();
    let hot = v.form(&[far], &[near]).unwrap();
    let sum = v.add(hot, hot).unwrap();
    assert_eq!(v.left_stop(sum), Dyadic::whole(999_999_990_000));
    let mut deep = Value::ZERO;
    let one = v.integer(1).unwrap();
    for n in 1..=10_000 {
        deep = v.form(&[deep], &[]).unwrap();
        assert_eq!(v.as_number(deep), Some(Dyadic::whole(n)));
        assert_eq!(v.outcome(deep), crate::Class::Left);
    }
    let back = v.multiple(-10_000, one).unwrap();
    assert_eq!(v.add(deep, back), Ok(Value::ZERO));
    assert!(v.len() < 60_000, "{}", v.len());
    let ups = v.up(1_000_000).unwrap();
    let star = v.nimber(1 << 30).unwrap();
    assert_eq!(v.add(ups, star).and_then(|sum| v.le(star, sum)), Ok(true));
}

#[test]
fn what_is_too_large_is_refused() {
    let mut values = Values::new();
    let v = &mut values;
    assert_eq!(v.integer(i64::MIN), Err(TooLarge::Number));
    let most = v.integer(i64::MAX).unwrap();
    let one = v.integer(1).unwrap();
    assert_eq!(v.add(most, one), Err(TooLarge::Number));
    assert_eq!(v.form(&[most], &[]), Err(TooLarge::Number));
    assert_eq!(v.up(i32::MIN), Err(TooLarge::Number));
    let ups = v.up(i32::MAX).unwrap();
    assert_eq!(v.add(ups, ups), Err(TooLarge::Number));
    let heap = v.nimber(u32::MAX).unwrap();
    assert_eq!(v.left(heap).map(<[Value]>::len), Err(TooLarge::Depth));
    let long = v.up(100_000).unwrap();
    assert_eq!(v.form(&[long], &[heap]), Err(TooLarge::Depth));
    let tiny = Plain { number: Dyadic::new(1, 62).unwrap(), ..Plain::default() };
    let tiny = v.plain(tiny).unwrap();
    assert_eq!(v.form(&[Value::ZERO], &[tiny]), Err(TooLarge::Number));
}

/// A form nested in itself over and over: {n | -n || ...}.
fn nested(values: &mut Values, depth: usize) -> Result<Value, TooLarge> {
    let mut value = Value::ZERO;
    for n in 0..depth {
        let (high, low) = (values.integer(2 * n as i64 + 9)?, values.integer(-2 * n as i64 - 9)?);
        value = match n % 2 {
            0 => values.form(&[high], &[value])?,
            _ => values.form(&[value], &[low])?,
        };
    }
    Ok(value)
}

#[test]
fn depth_is_bounded_and_fits_the_stack() {
    let mut values = Values::new();
    let v = &mut values;
    v.set_budget(2_000_000);
    assert_eq!(nested(v, 10_000), Err(TooLarge::Depth));
    let deep = nested(v, 480).unwrap();
    let minus = v.neg(deep).unwrap();
    assert_eq!(v.add(deep, minus), Ok(Value::ZERO));
    assert!(v.le(deep, minus).is_ok());
    // Large sums end with a reason.
    assert!(matches!(v.add(deep, deep), Err(TooLarge::Depth | TooLarge::Steps)));
    let ups = v.up(480).unwrap();
    let sum = v.add(ups, deep);
    assert!(matches!(sum, Ok(_) | Err(TooLarge::Depth | TooLarge::Steps)), "{sum:?}");
}

#[test]
fn all_work_on_deep_values_fits_a_small_stack() {
    let work = || {
        let mut values = Values::new();
        let v = &mut values;
        v.set_budget(3_000_000);
        let up = v.up(490).unwrap();
        let one = v.integer(1).unwrap();
        let half = Dyadic::new(-1, 1).unwrap();
        for value in [nested(v, 480).unwrap(), up] {
            // The corners of the first have denominators beyond 2^62.
            let warm = [v.thermograph(value).err(), v.cool(value, half).err()];
            assert!(warm == [None; 2] || warm == [Some(TooLarge::Number); 2], "{warm:?}");
            let works = [v.heat(value, one), v.overheat(value, up, one), v.add(value, up)];
            assert!(works.iter().all(|it| !matches!(it, Err(TooLarge::Text | TooLarge::Forms))));
            let product = v.norton(value, one);
            assert!(matches!(product, Ok(Some(_)) | Err(TooLarge::Depth | TooLarge::Steps)));
            assert!(v.text(value).is_ok() && v.listing(&[value]).is_ok());
            let judged = v.judge(&[value, up], &[up, value]).err();
            assert!(matches!(judged, None | Some(TooLarge::Number)), "{judged:?}");
        }
        let (heated, minus) = (v.heat(up, Value::ZERO).unwrap(), v.up(-490).unwrap());
        assert_eq!(heated, up);
        let deep = v.form(&[up], &[minus]).unwrap();
        assert!(v.atomic_weight(deep).is_ok());
        for text in ["{0|", "(", "-(", "birthday(", "±(", "2.", "{5,{1|-1}|"] {
            assert!(v.read(&text.repeat(149)).is_err());
            assert!(v.read(&(text.repeat(74) + "-1" + &")".repeat(74))).is_err() || text != "{0|");
        }
        let bars: String = (1..148).map(|n| format!("{n}{}", "|".repeat(n))).collect();
        assert!(v.read(&format!("{{{bars}0}}")).is_ok());
    };
    // Half of what a thread of the web has.
    let thread = std::thread::Builder::new().stack_size(1 << 19);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn memory_and_steps_are_bounded() {
    let mut small = Values::with_limit(40_000);
    let mut last = Ok(Value::ZERO);
    for n in 0..10_000 {
        last = small.integer(n);
        if last.is_err() {
            break;
        }
    }
    assert_eq!(last, Err(TooLarge::Forms));
    assert_eq!(small.add(Value::ZERO, Value::ZERO), Ok(Value::ZERO));
    let mut nothing = Values::with_limit(0);
    assert_eq!(nothing.zero(), Value::ZERO);
    assert_eq!(nothing.as_number(Value::ZERO), Some(Dyadic::ZERO));
    assert_eq!(nothing.integer(1), Err(TooLarge::Forms));
    let mut values = Values::new();
    let a = nested(&mut values, 20).unwrap();
    values.set_budget(10);
    assert_eq!(values.add(a, a), Err(TooLarge::Steps));
    assert_eq!(values.budget(), 0);
    values.set_budget(u64::MAX);
    assert!(values.add(a, a).is_ok());
    let used = values.bytes();
    values.forget();
    assert!(values.bytes() < used);
}
