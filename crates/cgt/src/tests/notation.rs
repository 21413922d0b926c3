//! Texts of values, and what the calculator makes of lines.

use crate::testing::{Random, random_value};
use crate::{Answer, Calculator, TooLarge, Value, Values};

#[test]
fn values_read_as_they_are_written() {
    let mut values = Values::new();
    for text in [
        "0",
        "1",
        "-3/4",
        "*",
        "*2",
        "^",
        "v",
        "^3*",
        "^*2",
        "v2*3",
        "3/2*",
        "-1^",
        "-1v4*",
        "±1",
        "±1*",
        "±1/2",
        "{3|1}",
        "{3|-1}",
        "{2||1|0}",
        "{3|2||1|0}",
        "{4||3|2||||1|||0||-1|-2}",
        "+_2",
        "-_2",
        "+_1/2",
        "+_{2|1}",
        "-_(1*)",
        "{+_1|*}",
        "±{2|1}",
        "±(1,{2|0})",
        "±(±1)",
        "{0,*|^}",
        "{1*,{2|0}|-1}",
        "{0|^,±1}",
        "{3||1|*}",
    ] {
        let value = values.read(text).unwrap_or_else(|it| panic!("{text}: {it}"));
        let written = values.text(value).unwrap();
        let again = values.read(&written).unwrap_or_else(|it| panic!("{written}: {it}"));
        assert_eq!(again, value, "{text} {written}");
    }
}

#[test]
fn canonical_texts() {
    let mut values = Values::new();
    for (text, expected) in [
        ("{0|*}", "^"),
        ("{0,*|0}", "^*"),
        ("{|}", "0"),
        ("{0||0|-3/4}", "+_3/4"),
        ("{0||0|{-1|-2}}", "+_{2|1}"),
        ("{2|0||0}", "-_2"),
        ("{1|-1}", "±1"),
        ("{1,{2|0}|{0|-2},-1}", "±(1,{2|0})"),
        ("{{3|2}|{1|0}}", "{3|2||1|0}"),
        ("{2|{1|0}}", "{2||1|0}"),
        ("{4|{3|{2|{1|{0|-1}}}}}", "{4||3|{2|||1||0|-1}}"),
        ("{5,6|7}", "13/2"),
        ("{0,1|-1}", "±1"),
        ("2.{1|0} + 1/2", "3/2"),
        ("3.^ - *", "^3*"),
        ("-3.^", "v3"),
        ("-1^", "-1^"),
        ("0-1^", "-1v"),
        ("- 1^", "-1^"),
        ("1+_2-+_2", "1"),
        ("1-_2+ +_2", "1"),
        ("1+-1", "0"),
        ("+-1", "±1"),
        ("0++-1", "±1"),
        ("+ -1", "-1"),
        ("^^ + vv", "0"),
        ("⇑ − ↑↑", "0"),
        ("3·↑⋆", "^3*"),
        ("±(1)", "±1"),
        ("(1+*)+(2+*)", "3"),
        ("2.(1/2)", "1"),
        ("1/2+2/4", "1"),
        ("nim(3,5,6)", "0"),
        ("nim(1,2,4)", "*7"),
        ("birthday(^)", "2"),
        ("left_stop({3|1})-right_stop({3|1})", "2"),
    ] {
        let value = values.read(text).unwrap_or_else(|it| panic!("{text}: {it}"));
        assert_eq!(values.text(value).unwrap(), expected, "{text}");
    }
}

#[test]
fn random_values_read_as_they_are_written() {
    let (mut values, mut random) = (Values::new(), Random::new(6));
    let v = &mut values;
    for round in 0..6000 {
        let value = random_value(v, &mut random, 1 + round % 5).unwrap();
        let text = v.text(value).unwrap();
        assert_eq!(v.read(&text), Ok(value), "{text}");
        let mut other = Values::new();
        let same = other.read(&text).unwrap();
        assert_eq!(other.text(same).unwrap(), text, "the text depends on the value alone");
        let minus = v.neg(value).unwrap();
        let negative = v.text(minus).unwrap();
        assert_eq!(v.read(&negative), Ok(minus));
        assert_eq!(v.read(&format!("-({text})")), Ok(minus));
    }
}

const THERMOGRAPH: &str = "left: 3 at -1, 1 at 1; right: -1 at -1, 1 at 1; mean 1, temperature 1";

fn answers(calculator: &mut Calculator, line: &str) -> String {
    let answer = calculator.evaluate(line).unwrap_or_else(|it| panic!("{line}: {it}"));
    calculator.text(&answer).unwrap()
}

#[test]
fn the_calculator_has_variables_and_comparisons() {
    let mut calculator = Calculator::default();
    let c = &mut calculator;
    for (line, expected) in [
        ("G = {1|*}", "G = {1|*}"),
        ("H=G+G", "H = 1*"),
        ("H - 2.G", "0"),
        ("G >= 0", "yes"),
        ("G > *", "no"),
        ("G <> *", "yes"),
        ("^ <> *", "yes"),
        ("^ ≥ *2", "yes"),
        ("1/2 < 3/4", "yes"),
        ("*+* == 0", "yes"),
        ("1 = 1", "yes"),
        ("^ != ^2", "yes"),
        ("outcome(G)", "Left wins"),
        ("outcome(±1)", "who begins wins"),
        ("outcome(*+*)", "who begins loses"),
        ("outcome(v)", "Right wins"),
        ("n = birthday(G)", "n = 2"),
        ("n.*", "0"),
        ("mean({3|1}) + temperature(±1)", "3"),
        ("cool({3|1}, temperature({3|1}))", "2*"),
        ("atomic_weight(^3*)", "3"),
        ("norton(±1, ^)", "±^3*"),
        ("thermograph({2|0})", THERMOGRAPH),
        ("{G|-G} == {G|-G}", "yes"),
    ] {
        assert_eq!(answers(c, line), expected, "{line}");
    }
    assert!(answers(c, "help()").contains("outcome(G)"));
    assert_eq!(c.variables().map(|(name, _)| name).collect::<Vec<_>>(), ["G", "H", "n"]);
    assert_eq!(c.evaluate("G"), c.evaluate("H-G"));
    assert!(matches!(c.evaluate("n"), Ok(Answer::Value(_))));
}

#[test]
fn errors_name_the_word_at_fault() {
    let mut calculator = Calculator::default();
    let c = &mut calculator;
    answers(c, "Gold = {1|0}");
    for (line, word, says) in [
        ("1 + Gald", "Gald", "did you mean `Gold`"),
        ("birthdy(1)", "birthdy", "did you mean `birthday(…)`"),
        ("birthday", "birthday", "is a function"),
        ("foo", "foo", "means nothing"),
        ("2*{1|0}", "{", "before this"),
        ("2 * 3", "*", "not \"times\""),
        ("1 2", "2", "`+` or `-`"),
        ("{1|2|3}", "|", "two `|`"),
        ("{1||2|3||4}", "||", "two `||`"),
        ("{1,2}", "{1,2", "no `|`"),
        ("{1|2", "{", "no `}`"),
        ("1}", "}", "no `{`"),
        ("(1", "", "`)` is missing"),
        ("1)", ")", "no `(`"),
        ("1/3", "1/3", "powers of two"),
        ("1/0", "1/0", "powers of two"),
        ("1/", "1/", "denominator"),
        ("0.5", "0.", "fractions"),
        ("1 + ", "", "missing"),
        ("{1,|0}", "|", "missing"),
        ("", "", "nothing to work out"),
        ("a # b", "#", "means nothing"),
        ("99999999999999999999", "99999999999999999999", "too large"),
        ("*99999999999", "*99999999999", "too large"),
        ("v = 3", "v", "no name"),
        ("birthday = 3", "birthday", "is a function"),
        ("x = outcome(1)", " outcome(1)", "only values"),
        ("1 + outcome(1)", "outcome(1)", "no value"),
        ("outcome()", "outcome()", "`outcome(G)`"),
        ("outcome(1,2)", "outcome(1,2)", "`outcome(G)`"),
        ("1/2.^", "1/2", "whole number"),
        ("nim(1/2)", "nim(1/2)", "whole numbers"),
        ("atomic_weight(1 )", "atomic_weight(1 )", "all-small"),
        ("norton(1, *)", "norton(1, *)", "positive"),
        ("cool(1,*)", "cool(1,*)", "numbers"),
        ("temprature(1)", "temprature", "`temperature(…)`"),
        ("+_*", "*", "after `+_`"),
        ("1 > 0 > 2", ">", "one comparison"),
        ("x = 1 + Gald", "Gald", "did you mean"),
        ("9223372036854775807 + 1", "9223372036854775807 + 1", "too large"),
    ] {
        let error = c.evaluate(line).expect_err(line);
        assert!(error.message.contains(says), "{line}: {error}");
        assert_eq!(&line[error.span.clone()], word, "{line}: {error}");
    }
}

#[test]
fn long_texts_are_refused() {
    let mut values = Values::new();
    let v = &mut values;
    // Each level has both values of the level before, so the text doubles and the form does not.
    let (mut more, mut less) = (v.integer(1).unwrap(), Value::ZERO);
    for n in 2i64..42 {
        let mut level = |extra: i64| {
            let high = v.integer(100 * n * n + extra)?;
            let low = v.integer(-100 * n * n + extra)?;
            let (a, b) = (v.form(&[high], &[more])?, v.form(&[less], &[low])?);
            v.form(&[a], &[b])
        };
        (more, less) = (level(1).unwrap(), level(0).unwrap());
    }
    assert!(v.len() < 1000);
    assert_eq!(v.text(more), Err(TooLarge::Text));
    assert_eq!(v.text_up_to(Value::ZERO, 0), Err(TooLarge::Text));
}
