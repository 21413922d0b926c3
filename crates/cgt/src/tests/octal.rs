//! Octal games: Grundy values against values of play, and periods that are known.

use crate::octal::{Code, Grundy, Period};
use crate::testing::Random;
use crate::{TooLarge, Value, Values};

fn code(text: &str) -> Code {
    text.parse().unwrap()
}

fn period(text: &str, most: usize) -> Option<(usize, usize)> {
    let mut grundy = Grundy::new(code(text));
    let mut steps = u64::MAX;
    let found = grundy.find_period(most, &mut steps).unwrap()?;
    Some((found.period, found.start))
}

#[test]
fn codes_are_read_and_written() {
    for (text, written) in
        [("0.77", "0.77"), (".07", "0.07"), ("4.", "4."), ("0.3070", "0.307"), ("0.000", "0.")]
    {
        assert_eq!(code(text).to_string(), written);
    }
    for (text, word, says) in [
        ("77", "77", "has a point"),
        ("", "", "has a point"),
        ("0.78", "8", "three heaps"),
        ("0.7f7", "f", "three heaps"),
        ("0.7x", "x", "no digit"),
        ("0.7.7", ".", "no digit"),
        ("1.7", "1", "0, or 4"),
        ("7.0", "7", "0, or 4"),
        ("é.0", "é", "0, or 4"),
        ("0.é", "é", "no digit"),
    ] {
        let error = text.parse::<Code>().unwrap_err();
        assert!(error.message.contains(says), "{text}: {error}");
        assert_eq!(&text[error.span], word, "{text}");
    }
    let long = format!("0.{}", "7".repeat(2000));
    assert!(long.parse::<Code>().is_err());
}

#[test]
fn grundy_values_are_those_of_play() {
    for text in
        ["0.77", "0.07", "0.137", "4.", "4.3", "0.6", "0.3", "0.1", "0.", "0.1234567", "4.7"]
    {
        let code = code(text);
        let mut values = Values::new();
        let mut heaps = vec![Value::ZERO];
        for n in 1..40 {
            let mut options = vec![];
            for (a, b) in code.moves(n) {
                options.push(values.add(heaps[a], heaps[b]).unwrap());
            }
            heaps.push(values.form(&options, &options).unwrap());
        }
        let mut grundy = Grundy::new(code);
        grundy.extend(39, &mut 1_000_000).unwrap();
        let known: Vec<u32> = heaps.iter().map(|&heap| values.as_nimber(heap).unwrap()).collect();
        assert_eq!(grundy.values(), known, "{text}");
    }
}

#[test]
fn kayles_repeats_after_12_from_71_on() {
    let mut grundy = Grundy::new(code("0.77"));
    grundy.extend(13, &mut 10_000).unwrap();
    assert_eq!(grundy.values(), [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1]);
    let found = Period { start: 71, period: 12 };
    assert_eq!(grundy.find_period(10_000, &mut 1_000_000), Ok(Some(found)));
    assert_eq!(found.needs(grundy.code()), 2 * 71 + 2 * 12 + 2 - 1);
    let enough = found.needs(grundy.code()) + 1;
    let values = grundy.values().to_vec();
    assert!(found.is_proved(grundy.code(), &values[..enough]));
    // One value less, one exception more, or another period: nothing is proved.
    assert!(!found.is_proved(grundy.code(), &values[..enough - 1]));
    assert!(!Period { start: 70, period: 12 }.is_proved(grundy.code(), &values));
    assert!(!Period { start: 71, period: 11 }.is_proved(grundy.code(), &values));
    assert!(!Period { start: 0, period: 0 }.is_proved(grundy.code(), &values));
    for at in [71, 90, enough - 1] {
        let mut changed = values[..enough].to_vec();
        changed[at] ^= 1;
        assert!(!found.is_proved(grundy.code(), &changed));
    }
    grundy.extend(1000, &mut 10_000_000).unwrap();
    for heap in 0..=1000 {
        assert_eq!(found.value(&values, heap), Some(grundy.values()[heap]));
    }
    // 1,000,000,000 - 71 leaves 5 when divided by 12.
    assert_eq!(found.value(&values, 1_000_000_000), Some(values[71 + 5]));
    assert_eq!(found.value(&values[..50], 60), None);
}

#[test]
fn known_periods() {
    // With the last exception. Each is proved by the values that were found.
    for (text, length, last) in [
        ("0.07", 34, 52),
        ("0.137", 34, 51),
        ("0.15", 10, 0),
        ("0.26", 4, 0),
        ("0.34", 8, 6),
        ("0.44", 24, 142),
        ("0.45", 20, 497),
        ("0.055", 148, 258),
        ("0.115", 14, 0),
        ("0.152", 48, 1),
        ("0.153", 14, 15),
        ("0.156", 349, 3478),
        ("0.157", 6, 0),
        ("0.165", 1550, 5180),
        ("0.356", 142, 7314),
        ("0.644", 442, 3255),
        ("0.71", 2, 2),
        ("4.", 2, 0),
        ("4.3", 2, 1),
    ] {
        assert_eq!(period(text, 20_000), Some((length, last + 1)), "{text}");
    }
    for (text, length) in [("0.3", 2), ("0.33", 3), ("0.333", 4), ("0.", 1)] {
        assert_eq!(period(text, 1000), Some((length, 0)), "{text}");
    }
    // Officers has no known period.
    assert_eq!(period("0.6", 3000), None);
}

/// Dawson's Chess is Dawson's Kayles with a bean less in each heap.
#[test]
fn dawsons_games_are_one() {
    let [kayles, chess] = ["0.07", "0.137"].map(|text| {
        let mut grundy = Grundy::new(code(text));
        grundy.extend(500, &mut 1_000_000).unwrap();
        grundy
    });
    assert_eq!(kayles.values()[1..], chess.values()[..500]);
}

/// Values by mex alone.
fn slow(code: &Code, n: usize) -> Vec<u32> {
    let mut values: Vec<u32> = vec![0];
    for heap in 1..=n {
        let moves = code.moves(heap).into_iter();
        let options: Vec<u32> = moves.map(|(a, b)| values[a] ^ values[b]).collect();
        values.extend((0..).find(|value| !options.contains(value)));
    }
    values
}

#[test]
fn the_sparse_space_changes_no_value() {
    let mut random = Random::new(18);
    for round in 0..150 {
        let mut text = ["0.", "4."][random.below(2)].to_string();
        for _ in 0..=random.below(4) {
            text += ["0", "1", "2", "3", "4", "5", "6", "7"][random.below(8)];
        }
        let code = code(&text);
        let most = if round % 10 == 0 { 700 } else { 200 };
        let mut grundy = Grundy::new(code.clone());
        grundy.extend(most, &mut (1 << 40)).unwrap();
        assert_eq!(grundy.values(), slow(&code, most), "{text}");
    }
}

#[test]
fn long_periods() {
    for (text, length, start) in
        [("0.16", 149_459, 105_351), ("0.56", 144, 326_640), ("0.127", 4, 46_578)]
    {
        assert_eq!(period(text, 800_000), Some((length, start)), "{text}");
    }
}

#[test]
fn limits_are_kept() {
    let mut grundy = Grundy::new(code("0.007"));
    let mut steps = 2000;
    assert_eq!(grundy.extend(1_000_000, &mut steps), Err(TooLarge::Steps));
    assert!(grundy.values().len() > 50);
    assert_eq!(grundy.extend(usize::MAX, &mut steps), Err(TooLarge::Options));
    // James Bond's game has no known period.
    let mut steps = u64::MAX;
    assert_eq!(grundy.find_period(3000, &mut steps), Ok(None));
}
