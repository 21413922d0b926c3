//! Pictures of thermographs, and moves with their fates.

use crate::testing::{Random, random_value};
use crate::{Fate, Values};

#[test]
fn thermographs_are_drawn() {
    let mut values = Values::new();
    let hot = values.read("{4||1|0}").unwrap();
    let thermograph = values.thermograph(hot).unwrap();
    let expected = concat!(
        "     9/4         |\n",
        "       2         |\n",
        "     7/4         |\n",
        "     3/2        / \\\n",
        "     5/4       /   \\\n",
        "       1      /     \\\n",
        "     3/4     /       \\\n",
        "     1/2    /         \\\n",
        "     1/4   /          |\n",
        "       0  /           |\n",
        "          from 4 to 1, mean 9/4\n",
    );
    assert_eq!(thermograph.drawing().unwrap(), expected);
    let svg = thermograph.svg().unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<polyline").count(), 2);
    let huge = "±2305843009213693952";
    for text in ["0", "1/2", "*", "^", "±1000000", "{1|1/2}", "{1/1024|0}", "+_2", huge] {
        let value = values.read(text).unwrap();
        let thermograph = values.thermograph(value).unwrap();
        match thermograph.drawing() {
            Ok(drawing) => assert!(drawing.contains("|\n")),
            Err(why) => assert_eq!((why, text), (crate::TooLarge::Number, huge)),
        }
        assert!(thermograph.svg().is_ok());
    }
    let mut random = Random::new(14);
    for _ in 0..500 {
        let value = random_value(&mut values, &mut random, 3).unwrap();
        let drawing = values.thermograph(value).unwrap().drawing().unwrap();
        assert!(drawing.lines().count() < 40 && drawing.lines().all(|line| line.len() < 100));
    }
}

#[test]
fn moves_are_judged() {
    let mut values = Values::new();
    let v = &mut values;
    let read = |v: &mut Values, texts: &[&str]| -> Vec<_> {
        texts.iter().map(|text| v.read(text).unwrap()).collect()
    };
    // {0, *, *, v | 0, ^}: v is dominated by 0; ^ by 0; star and zero are kept.
    let left = read(v, &["0", "*", "*", "v"]);
    let right = read(v, &["0", "^"]);
    let judged = v.judge(&left, &right).unwrap();
    assert_eq!(v.text(judged.value).unwrap(), "^*");
    let fates: Vec<Fate> = judged.left.iter().map(|it| it.fate).collect();
    assert_eq!(fates, [Fate::Kept, Fate::Kept, Fate::Repeated(1), Fate::Dominated(0)]);
    assert_eq!(judged.right[1].fate, Fate::Dominated(0));
    // Left's ^ in {^|^} is answered with *, no worse for Right than the game, so only 0 is left.
    let side = read(v, &["^"]);
    let judged = v.judge(&side, &side).unwrap();
    assert_eq!(v.text(judged.value).unwrap(), "^2*");
    let star = v.nimber(1).unwrap();
    assert_eq!(judged.left[0].fate, Fate::Reversible(star));
    assert_eq!(judged.right[0].fate, Fate::Kept);
    // The larger gain is hot, the other one is not.
    let (left, right) = (read(v, &["2", "{5|0}"]), read(v, &["-1"]));
    let judged = v.judge(&left, &right).unwrap();
    assert_eq!([judged.left[0].hot, judged.left[1].hot, judged.right[0].hot], [true, false, true]);
}

#[test]
fn what_is_kept_is_canonical() {
    let (mut values, mut random) = (Values::new(), Random::new(15));
    let v = &mut values;
    let mut reversible = 0;
    for _ in 0..2000 {
        let mut side = |v: &mut Values| {
            (0..1 + random.below(3))
                .map(|_| random_value(v, &mut random, 2).unwrap())
                .collect::<Vec<_>>()
        };
        let (left, right) = (side(v), side(v));
        let judged = v.judge(&left, &right).unwrap();
        for (side, is_right) in [(&judged.left, false), (&judged.right, true)] {
            let options = if is_right { v.right(judged.value) } else { v.left(judged.value) };
            let options = options.unwrap().to_vec();
            for it in side {
                match it.fate {
                    Fate::Kept => assert!(options.contains(&it.value)),
                    Fate::Repeated(i) => assert_eq!(side[i].value, it.value),
                    Fate::Dominated(i) => {
                        let (low, high) = (it.value, side[i].value);
                        let (low, high) = if is_right { (high, low) } else { (low, high) };
                        assert!(v.le(low, high).unwrap());
                        assert!(!matches!(side[i].fate, Fate::Dominated(_)));
                    }
                    Fate::Reversible(answer) => {
                        reversible += 1;
                        let answers = if is_right { v.left(it.value) } else { v.right(it.value) };
                        assert!(answers.unwrap().contains(&answer));
                    }
                }
            }
            if v.as_number(judged.value).is_none() {
                assert!(side.iter().any(|it| it.hot), "somebody reaches the mast");
            }
        }
    }
    assert!(reversible > 100);
}
