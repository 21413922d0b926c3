//! Hostile texts: a clean error, or a value, and soon.

use crate::testing::{Random, random_value};
use crate::{Answer, Calculator, Values};

fn survives(calculator: &mut Calculator, line: &str) {
    match calculator.evaluate(line) {
        Ok(answer) => {
            if let (Answer::Value(value), Ok(text)) = (&answer, calculator.text(&answer)) {
                assert_eq!(calculator.values_mut().read(&text), Ok(*value), "{line}");
            }
        }
        Err(error) => {
            assert!(!error.message.is_empty());
            assert!(line.get(error.span.clone()).is_some(), "{line}: {error:?}");
        }
    }
}

#[test]
fn deep_long_and_huge_texts() {
    let mut calculator = Calculator::new(Values::with_limit(1 << 26));
    let c = &mut calculator;
    c.set_steps(100_000);
    let many = 20_000;
    for piece in ["{", "(", "-", "+", "±", "+-", "+_", "|", "{|", "{0|", "1.", "-{", "birthday("] {
        survives(c, &piece.repeat(many));
        survives(c, &(piece.repeat(many) + "1"));
    }
    for depth in [10, 70, 100, 140, 149, 200, 5000] {
        survives(c, &("{0|".repeat(depth) + "-1" + &"}".repeat(depth)));
        survives(c, &("{5|".repeat(depth) + "*" + &"|-5}".repeat(depth)));
        survives(c, &("(".repeat(depth) + "^" + &")".repeat(depth)));
        survives(c, &("birthday(".repeat(depth) + "^" + &")".repeat(depth)));
        let bars: String = (1..depth.min(300)).map(|n| "1".to_string() + &"|".repeat(n)).collect();
        survives(c, &format!("{{{bars}0}}"));
    }
    survives(c, &("1+".repeat(many) + "1"));
    survives(c, &("±1+".repeat(many) + "1"));
    survives(c, &format!("{{{}0|0}}", "*2,".repeat(many)));
    survives(c, &"v".repeat(60_000));
    survives(c, &"9".repeat(60_000));
    survives(c, &"x".repeat(100_000));
    survives(c, &"=".repeat(100_000));
    for line in [
        "9223372036854775807.^",
        "9223372036854775807.±1",
        "9223372036854775807.{2||1|0}",
        "*4294967295",
        "*4294967296",
        "^2147483647",
        "^2147483648",
        "v2147483648",
        "{*4294967295|^2147483647}",
        "{0|1/4611686018427387904}",
        "1/9223372036854775808",
        "-9223372036854775808",
        "{9223372036854775807|}",
        "1000000.+_1",
        "100.{3||2|0}",
        "{9223372036854775807|-9223372036854775807}.1",
        "atomic_weight(500.{^|*2})",
        "thermograph(^100000)",
        "heat(^100000,1)",
        "cool(^9999,-1)",
        "overheat(9223372036854775807,±1,^)",
        "norton(1000000,{2||1|0})",
        "mean({9223372036854775807|0})",
        "heat({9223372036854775807|0},9223372036854775807)",
        "atomic_weight({*400000|*500000})",
        "500.{^|*2}",
        "300.{5,{7|3}|-1,{1|-9}}",
    ] {
        survives(c, line);
    }
    // Many switches of different sizes: their sum has an enormous form.
    let sum: Vec<String> = (1..200).map(|n| format!("±{}", n * n)).collect();
    survives(c, &sum.join("+"));
    assert!(c.evaluate(&"{1|".repeat(30_000)).is_err());
}

#[test]
fn random_and_mutated_texts() {
    let mut random = Random::new(7);
    let mut calculator = Calculator::new(Values::with_limit(1 << 27));
    let c = &mut calculator;
    c.set_steps(20_000);
    let pieces = [
        "0",
        "1",
        "2",
        "-3",
        "1/2",
        "*",
        "*2",
        "^",
        "v",
        "^3",
        "{",
        "}",
        "|",
        "||",
        "|||",
        "(",
        ")",
        ",",
        "+",
        "-",
        "±",
        "+-",
        "+_",
        "-_",
        ".",
        "=",
        "==",
        ">=",
        "<",
        "<>",
        "G",
        "H",
        "outcome(",
        "birthday(",
        "nim(",
        " ",
        "é",
        "↑",
        "·",
        "_",
        "/",
        "x1",
        "99999999999999999999",
    ];
    for _ in 0..20_000 {
        let count = 1 + random.below(14);
        let text: String = (0..count).map(|_| pieces[random.below(pieces.len())]).collect();
        survives(c, &text);
    }
    for round in 0..4000 {
        let v = c.values_mut();
        let Ok(value) = random_value(v, &mut random, 1 + round % 4) else { continue };
        let mut text: Vec<char> = v.text(value).unwrap().chars().collect();
        for _ in 0..=random.below(3) {
            let at = random.below(text.len().max(1));
            let piece = pieces[random.below(pieces.len())].chars();
            match random.below(3) {
                0 if at < text.len() => _ = text.remove(at),
                1 if at < text.len() => _ = text.splice(at..=at, piece),
                _ => _ = text.splice(at..at, piece),
            }
        }
        survives(c, &text.into_iter().collect::<String>());
    }
}
