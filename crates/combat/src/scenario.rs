//! Armies and where they start (section 5.5.2).

use std::fmt;

use foregone_model::{Rng, TextError};

use crate::state::{ArmyError, MAX_UNITS, State, Unit};
use crate::unit::Kind;

/// How far from the origin units start, at most.
pub const SPREAD: i32 = 256;

/// How many units of each kind; written `4 marine, 2 zergling`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Army(Vec<(usize, Kind)>);

impl Army {
    /// The army that a text describes: numbers and kinds, with commas between them.
    pub fn parse(text: &str) -> Result<Army, TextError> {
        let mut groups = Vec::new();
        let mut start = 0;
        let mut size = 0;
        for part in text.split(',') {
            let end = start + part.len();
            let (count, kind) = read_group(part).map_err(|e| e.shifted(start))?;
            size += count;
            if size > MAX_UNITS {
                let message = format!("this makes more than {MAX_UNITS} units");
                return Err(TextError::new(message, trimmed(part, start)));
            }
            groups.push((count, kind));
            start = end + 1;
        }
        Ok(Army(groups))
    }

    /// The kinds of its units, in order.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.0.iter().flat_map(|&(n, kind)| std::iter::repeat_n(kind, n))
    }

    /// How many units it has.
    pub fn size(&self) -> usize {
        self.0.iter().map(|g| g.0).sum()
    }
}

/// The bytes of a part that are not blank, or all of it if it is blank.
fn trimmed(part: &str, start: usize) -> std::ops::Range<usize> {
    let from = part.len() - part.trim_start().len();
    match part.trim().len() {
        0 => start..start + part.len(),
        n => start + from..start + from + n,
    }
}

/// One group such as `4 marine`; a number may be left out for one unit.
fn read_group(part: &str) -> Result<(usize, Kind), TextError> {
    let span = trimmed(part, 0);
    let text = part.trim();
    if text.is_empty() {
        let message = "units are missing here, expected for example '4 marine, 2 zergling'";
        let choices = Kind::ALL.iter().map(|k| k.name().to_owned()).collect();
        return Err(TextError::new(message, span).with_choices(choices));
    }
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, word) = text.split_at(digits);
    let count = match number {
        "" => 1,
        _ => number.parse().ok().filter(|n| (1..=MAX_UNITS).contains(n)).ok_or_else(|| {
            let message = format!("an army has 1 to {MAX_UNITS} units, not {number}");
            TextError::new(message, span.start..span.start + digits)
        })?,
    };
    let name = word.trim_start();
    let at = span.end - name.len();
    if name.is_empty() {
        let choices = Kind::ALL.iter().map(|k| k.name().to_owned()).collect();
        let message = "the kind of unit is missing";
        return Err(TextError::new(message, span).with_choices(choices));
    }
    Ok((count, Kind::named(name, at..span.end)?))
}

impl fmt::Display for Army {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (n, kind)) in self.0.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}{n} {}", kind.name())?;
        }
        Ok(())
    }
}

/// The four types of armies, with all their armies from small to large: up to four units of each
/// kind and at least one, two units or more in all.
pub fn armies() -> [Vec<Army>; 4] {
    use Kind::{Dragoon, Marine, Zealot, Zergling};
    let mixed = |a, b| {
        let mut all: Vec<Army> =
            (1..=4).flat_map(|n| (1..=4).map(move |m| Army(vec![(n, a), (m, b)]))).collect();
        all.sort_by_key(Army::size);
        all
    };
    [
        (2..=4).map(|n| Army(vec![(n, Marine)])).collect(),
        mixed(Marine, Zergling),
        mixed(Dragoon, Zealot),
        mixed(Dragoon, Marine),
    ]
}

/// The names of the four types of [`armies`].
pub const ARMY_TYPES: [&str; 4] =
    ["marine", "marine + zergling", "dragoon + zealot", "dragoon + marine"];

/// Where a battle starts.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The state at time 0.
    pub start: State,
    /// What belongs to this battle alone is drawn from this.
    pub seed: u64,
}

impl Scenario {
    /// The same army twice: Max's units anywhere within [`SPREAD`] pixels of the origin, Min's
    /// at the mirror images of the same places. No side has an advantage.
    pub fn mirrored(army: &Army, seed: u64) -> Result<Scenario, ArmyError> {
        let mut rng = Rng::new(seed);
        let max: Vec<Unit> = army.kinds().map(|kind| place(kind, &mut rng)).collect();
        let min: Vec<Unit> = max.iter().map(|u| Unit { x: -u.x, y: -u.y, ..*u }).collect();
        Ok(Scenario { start: State::new(&max, &min)?, seed: rng.bits() })
    }

    /// Two armies, each on its own half of the plane.
    pub fn opposed(max: &Army, min: &Army, seed: u64) -> Result<Scenario, ArmyError> {
        let mut rng = Rng::new(seed);
        let left = |u: Unit| Unit { x: -u.x.abs(), ..u };
        let right = |u: Unit| Unit { x: u.x.abs(), ..u };
        let max: Vec<Unit> = max.kinds().map(|kind| left(place(kind, &mut rng))).collect();
        let min: Vec<Unit> = min.kinds().map(|kind| right(place(kind, &mut rng))).collect();
        Ok(Scenario { start: State::new(&max, &min)?, seed: rng.bits() })
    }

    /// `n` mirrored battles, the same number of each of the four types and, within a type, of
    /// each army, as far as `n` allows.
    pub fn balanced(n: usize, seed: u64) -> Vec<Scenario> {
        let types = armies();
        let mut rng = Rng::new(seed);
        (0..n)
            .filter_map(|i| {
                let all = &types[i % types.len()];
                // Steps of five through the sixteen armies of a type meet all of them and small
                // and large ones early.
                let army = &all[i / types.len() * 5 % all.len()];
                Scenario::mirrored(army, rng.bits()).ok()
            })
            .collect()
    }
}

/// A unit at a random place of the disc.
fn place(kind: Kind, rng: &mut Rng) -> Unit {
    loop {
        let mut axis = || rng.below(2 * SPREAD as u32 + 1) as i32 - SPREAD;
        let (x, y) = (axis(), axis());
        if x * x + y * y <= SPREAD * SPREAD {
            return Unit::new(kind, x, y);
        }
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Side;

    use super::{Army, Scenario, armies};

    #[test]
    fn armies_are_read_and_written() {
        for (text, written) in [
            ("4 marine, 2 zergling", "4 marine, 2 zergling"),
            ("dragoon,3zealots", "1 dragoon, 3 zealot"),
            (" 8   marines ", "8 marine"),
        ] {
            let army = Army::parse(text).unwrap();
            assert_eq!(army.to_string(), written);
            assert_eq!(Army::parse(written), Ok(army));
        }
    }

    #[test]
    fn damaged_armies_are_refused_where_they_are_wrong() {
        for (text, span, choices) in [
            ("4 marine, 2 zerglin", 12..19, true),
            ("4 marine, 2", 10..11, true),
            ("4 marine,", 9..9, true),
            ("", 0..0, true),
            ("  ", 0..2, true),
            ("9 marine", 0..1, false),
            ("0 marine", 0..1, false),
            ("99999999999999999999999 marine", 0..23, false),
            ("4 marine, 5 dragoon", 10..19, false),
            ("4 marine; 2 zergling", 2..20, true),
            ("-1 marine", 0..9, true),
            ("2 märine", 2..9, true),
        ] {
            let e = Army::parse(text).unwrap_err();
            assert_eq!(e.span, span, "{text}: {e}");
            assert_eq!(e.choices.len(), if choices { 4 } else { 0 }, "{text}: {e}");
            assert!(text.get(e.span).is_some());
        }
    }

    #[test]
    fn the_armies_of_the_thesis() {
        let all = armies();
        assert_eq!(all.each_ref().map(Vec::len), [3, 16, 16, 16]);
        for army in all.iter().flatten() {
            assert!((2..=8).contains(&army.size()), "{army}");
        }
        assert_eq!(all[3].last().map(Army::to_string).as_deref(), Some("4 dragoon, 4 marine"));
    }

    #[test]
    fn scenarios_are_mirrored_and_balanced() {
        let all = Scenario::balanced(64, 5);
        assert_eq!(all.len(), 64);
        let mut sizes = [0; 9];
        for scenario in &all {
            let s = &scenario.start;
            for (i, u) in s.living(Side::Max) {
                let v = s.unit(Side::Min, i);
                assert_eq!((v.x, v.y, v.kind), (-u.x, -u.y, u.kind));
                assert!(u.x * u.x + u.y * u.y <= 256 * 256);
            }
            assert_eq!(s.living(Side::Max).count(), s.living(Side::Min).count());
            sizes[s.living(Side::Max).count()] += 1;
        }
        // 16 armies of Marines only, and three times the 1, 2, 3, 4, 3, 2, 1 mixed ones.
        assert_eq!(sizes, [0, 0, 3 + 6, 6 + 5, 9 + 5, 12, 9, 6, 3]);
        assert_eq!(all[7].start, Scenario::balanced(64, 5)[7].start);
        assert_ne!(all[7].start, Scenario::balanced(64, 6)[7].start);
    }
}
