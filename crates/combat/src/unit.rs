//! Kinds of units and what they do to each other.
//!
//! The figures are those of StarCraft: Brood War without upgrades. The model of Appendix A knows
//! neither shields nor armour; ours adds shields to the hit points, since nothing grows back, and
//! takes the armour off every single hit. Explosive damage is halved against small units. An
//! attack also holds the unit in place for some frames, as SparCraft's attack animation does:
//! without that, a unit that shoots and runs would lose nothing by running, and Zealots would
//! never catch a Dragoon. The frames are about three fifths of the cooldown, chosen so that the
//! scripts compare as in the thesis: No Overkill first, and running away sometimes useful.

use std::ops::Range;

use foregone_model::TextError;

use crate::words::look_up;

/// A kind of unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Terran infantry, shoots.
    Marine,
    /// Small, fast, bites.
    Zergling,
    /// Large, shoots explosives.
    Dragoon,
    /// Strikes twice with each attack.
    Zealot,
}

/// What is fixed for a kind of unit. Lengths are in pixels, times in frames (24 a second).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Hit points and shield together.
    pub hit_points: i16,
    /// What each hit against it loses.
    pub armour: i16,
    /// Whether explosive damage is halved.
    pub small: bool,
    /// The time of one step of [`STEP`] pixels, rounded up.
    pub step: u32,
    /// The damage of one hit.
    pub damage: i16,
    /// The hits of one attack.
    pub hits: i16,
    /// Whether its damage is explosive.
    pub explosive: bool,
    /// From one attack to the next.
    pub cooldown: u32,
    /// For how long an attack keeps the unit where it is.
    pub hold: u32,
    /// How far it reaches, from centre to centre.
    pub range: i32,
}

/// The length of one step: the shortest range of any unit, so that no step jumps over it.
pub const STEP: i32 = 15;

/// A step's time for a speed in hundredths of a pixel per frame.
const fn step_time(speed: i32) -> u32 {
    ((STEP * 100 + speed - 1) / speed) as u32
}

const STATS: [Stats; 4] = [
    Stats {
        hit_points: 40,
        armour: 0,
        small: true,
        step: step_time(400),
        damage: 6,
        hits: 1,
        explosive: false,
        cooldown: 15,
        hold: 10,
        range: 128,
    },
    Stats {
        hit_points: 35,
        armour: 0,
        small: true,
        step: step_time(549),
        damage: 5,
        hits: 1,
        explosive: false,
        cooldown: 8,
        hold: 5,
        range: 15,
    },
    Stats {
        hit_points: 180,
        armour: 1,
        small: false,
        step: step_time(500),
        damage: 20,
        hits: 1,
        explosive: true,
        cooldown: 30,
        hold: 18,
        range: 128,
    },
    Stats {
        hit_points: 160,
        armour: 1,
        small: true,
        step: step_time(400),
        damage: 8,
        hits: 2,
        explosive: false,
        cooldown: 22,
        hold: 12,
        range: 15,
    },
];

/// A number that every cooldown divides: damage per frame is an integer in units of one over
/// this, so that values are exact and the same on every machine.
pub const FRAME_SHARES: u32 = 1320;

/// The damage of one attack, by attacker and target.
const DAMAGE: [[i16; 4]; 4] = {
    let mut table = [[0; 4]; 4];
    let mut a = 0;
    while a < 4 {
        let mut t = 0;
        while t < 4 {
            let (attacker, target) = (&STATS[a], &STATS[t]);
            let mut hit = attacker.damage - target.armour;
            if attacker.explosive && target.small {
                hit /= 2;
            }
            table[a][t] = attacker.hits * hit;
            t += 1;
        }
        a += 1;
    }
    table
};

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Marine, Kind::Zergling, Kind::Dragoon, Kind::Zealot];

    /// Its figures.
    #[inline]
    pub fn stats(self) -> &'static Stats {
        &STATS[self as usize]
    }

    /// What one attack of this kind takes from a `target`.
    #[inline]
    pub fn damage_to(self, target: Kind) -> i16 {
        DAMAGE[self as usize][target as usize]
    }

    /// Damage per frame (5.6), times [`FRAME_SHARES`]: what the weapon does before armour.
    #[inline]
    pub fn damage_per_frame(self) -> i32 {
        const RATES: [i32; 4] = {
            let mut rates = [0; 4];
            let mut k = 0;
            while k < 4 {
                let s = &STATS[k];
                rates[k] = (s.damage * s.hits) as i32 * (FRAME_SHARES / s.cooldown) as i32;
                k += 1;
            }
            rates
        };
        RATES[self as usize]
    }

    /// Its name, as a user types it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Marine => "marine",
            Kind::Zergling => "zergling",
            Kind::Dragoon => "dragoon",
            Kind::Zealot => "zealot",
        }
    }

    /// Its letter in text pictures.
    pub fn letter(self) -> char {
        match self {
            Kind::Marine => 'm',
            Kind::Zergling => 'z',
            Kind::Dragoon => 'd',
            // Zealots share their first letter with Zerglings.
            Kind::Zealot => 't',
        }
    }

    /// The kind of this name, in the singular or the plural. `span` is where the word stands.
    pub fn named(word: &str, span: Range<usize>) -> Result<Kind, TextError> {
        let single = word.strip_suffix('s').unwrap_or(word);
        match Kind::ALL.iter().find(|k| k.name() == single) {
            Some(&kind) => Ok(kind),
            None => look_up("unit", word, span, &Kind::ALL, Kind::name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FRAME_SHARES, Kind};

    #[test]
    fn damage_by_hand() {
        use Kind::{Dragoon, Marine, Zealot, Zergling};
        let table = [
            (Marine, [6, 6, 5, 5]),
            (Zergling, [5, 5, 4, 4]),
            // 20, halved against small ones; armour first: (20 - 1) / 2 = 9 against a Zealot.
            (Dragoon, [10, 10, 19, 9]),
            // Two hits, each of which the armour weakens.
            (Zealot, [16, 16, 14, 14]),
        ];
        for (attacker, row) in table {
            for (target, damage) in Kind::ALL.into_iter().zip(row) {
                assert_eq!(attacker.damage_to(target), damage, "{attacker:?} on {target:?}");
            }
        }
    }

    #[test]
    fn times_are_whole_frames() {
        let steps = Kind::ALL.map(|k| k.stats().step);
        // 15 / 4.0, 15 / 5.49, 15 / 5.0 and 15 / 4.0, rounded up.
        assert_eq!(steps, [4, 3, 3, 4]);
        for kind in Kind::ALL {
            let s = kind.stats();
            assert_eq!(FRAME_SHARES % s.cooldown, 0, "{kind:?}");
            // A unit is never free to attack before it is free to move: see `State::can_act`.
            assert!(0 < s.hold && s.hold <= s.cooldown, "{kind:?}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for kind in Kind::ALL {
            assert_eq!(Kind::named(kind.name(), 0..0), Ok(kind));
            assert_eq!(Kind::named(&format!("{}s", kind.name()), 0..0), Ok(kind));
        }
        let wrong = Kind::named("zaelot", 3..9).unwrap_err();
        assert_eq!(wrong.span, 3..9);
        assert!(wrong.choices.contains(&"zealot".to_owned()));
    }
}
