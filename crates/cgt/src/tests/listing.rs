//! Values that are written down and read again.

use crate::testing::{Random, random_value};
use crate::{Calculator, Value, Values};

#[test]
fn a_listing_gives_the_same_values_elsewhere() {
    let (mut values, mut random) = (Values::new(), Random::new(16));
    let roots: Vec<Value> =
        (0..300).map(|n| random_value(&mut values, &mut random, 1 + n % 5).unwrap()).collect();
    let listing = values.listing(&roots).unwrap();
    let mut other = Values::new();
    other.integer(77).unwrap();
    let read = other.read_listing(&listing).unwrap();
    assert_eq!(read.len(), roots.len());
    for (&a, &b) in roots.iter().zip(&read) {
        assert_eq!(values.text(a), other.text(b));
    }
    assert_eq!(values.read_listing(&listing), Ok(roots));
    assert_eq!(Values::new().listing(&[]).unwrap(), "foregone-values 1\nroots \n");
}

#[test]
fn damaged_listings_are_refused() {
    let mut values = Values::new();
    for (body, line, says) in [
        ("0\n2\n#1|#0\n", 5, "missing"),
        ("0\n2\n#0|#1\nroots #2\n", 4, "not canonical"),
        ("0\n#0|#0\nroots #1\n", 3, "not canonical"),
        ("0\n1\n2\n#1,#2|#0\nroots #3\n", 5, "not canonical"),
        ("0\n#1|#0\nroots #1\n", 3, "`#1` is no line"),
        ("0\nroots #1\n", 3, "`#1` is no line"),
        ("0\nroots 0\n", 3, "`0` is no line"),
        ("0\nroots #0\n0\n", 4, "nothing follows"),
        ("{2||1|0}\nroots #0\n", 2, "no line"),
        ("±1\nroots #0\n", 2, "neither"),
        ("hello\nroots #0\n", 2, "hello"),
    ] {
        let error = values.read_listing(&format!("foregone-values 1\n{body}")).unwrap_err();
        assert_eq!(error.line, line, "{body}: {error}");
        assert!(error.message.contains(says), "{body}: {error}");
    }
    assert_eq!(values.read_listing("").unwrap_err().line, 1);
    assert_eq!(values.read_listing("1\n").unwrap_err().line, 1);
    // Changed letters never make a panic, and what is read is what it says.
    let mut random = Random::new(17);
    let roots: Vec<Value> =
        (0..10).map(|_| random_value(&mut values, &mut random, 3).unwrap()).collect();
    let listing = values.listing(&roots).unwrap();
    for _ in 0..2000 {
        let mut text: Vec<char> = listing.chars().collect();
        let at = random.below(text.len());
        text[at] = ['#', '0', '7', ',', '|', '\n', '*', ' ', 'r'][random.below(9)];
        let mut fresh = Values::with_limit(1 << 24);
        fresh.set_budget(100_000);
        if let Ok(read) = fresh.read_listing(&text.iter().collect::<String>()) {
            let again = fresh.listing(&read).unwrap();
            assert_eq!(fresh.read_listing(&again), Ok(read));
        }
    }
}

#[test]
fn a_full_calculator_can_be_cleaned() {
    let mut calculator = Calculator::new(Values::with_limit(200_000));
    calculator.evaluate("G = {5||2|0}").unwrap();
    calculator.evaluate("H = ±1").unwrap();
    let mut n = 0;
    while calculator.evaluate(&format!("{{{n}|-{n}/4}}")).is_ok() {
        n += 4;
        assert!(n < 100_000);
    }
    calculator.clean().unwrap();
    assert!(calculator.values().len() < 20);
    let answer = calculator.evaluate("G + H").unwrap();
    let sum = calculator.text(&answer).unwrap();
    let mut values = Values::new();
    let expected = values.read("{5||2|0} + ±1").unwrap();
    assert_eq!(values.text(expected), Ok(sum));
}
