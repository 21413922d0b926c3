//! The seven scripted ways to fight (section 5.4.1).
//!
//! Ours, where the text leaves a choice: ties go to the unit with the lower index; a unit goes
//! towards or away from an enemy along the axis on which they are farther apart. Both are the same
//! for mirrored armies, so a script draws against itself. Appendix A lets no unit wait that could
//! attack, so a unit for which No Overkill leaves no target steps towards the closest enemy that
//! is not yet doomed, and attacks all the same if all are.

use std::ops::Range;

use foregone_model::{Rng, Side, TextError};

use crate::state::{Action, Direction, MAX_UNITS, Move, State, Unit};
use crate::words::look_up;

/// A fixed way to fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Script {
    /// Any legal action, uniformly for each unit.
    Random,
    /// The closest enemy.
    Closest,
    /// The enemy in range with the least hit points.
    Weakest,
    /// The closest enemy, and away from it while reloading.
    Kiting,
    /// The enemy in range with the most damage per frame for its hit points.
    AttackValue,
    /// Attack-Value, but no shot at a unit that this round's shots kill already.
    NokAv,
    /// Attack-Value, and away from the closest enemy while reloading.
    KitingAv,
}

impl Script {
    /// All scripts.
    pub const ALL: [Script; 7] = [
        Script::Random,
        Script::Closest,
        Script::Weakest,
        Script::Kiting,
        Script::AttackValue,
        Script::NokAv,
        Script::KitingAv,
    ];

    /// Its name, as a user types it.
    pub fn name(self) -> &'static str {
        match self {
            Script::Random => "random",
            Script::Closest => "closest",
            Script::Weakest => "weakest",
            Script::Kiting => "kiting",
            Script::AttackValue => "attack-value",
            Script::NokAv => "nok-av",
            Script::KitingAv => "kiting-av",
        }
    }

    /// The script of this name. `span` is where the word stands.
    pub fn named(word: &str, span: Range<usize>) -> Result<Script, TextError> {
        look_up("script", word, span, &Script::ALL, Script::name)
    }

    /// What the units of a side do now. Only [`Script::Random`] uses the random numbers.
    pub fn choose(self, s: &State, side: Side, rng: &mut Rng) -> Move {
        let mut orders = [Action::Idle; MAX_UNITS];
        if self == Script::Random {
            for (i, _) in s.acting(side) {
                let actions = s.actions(side, i);
                let list = actions.as_slice();
                orders[i] = list[rng.below(list.len() as u32) as usize];
            }
            return orders;
        }
        // The hit points that the enemies have left after the shots so far.
        let mut left = [0; MAX_UNITS];
        if self == Script::NokAv {
            for (i, enemy) in s.living(side.other()) {
                left[i] = enemy.hit_points;
            }
        }
        for (i, unit) in s.acting(side) {
            orders[i] = if self == Script::NokAv {
                no_overkill(s, side, unit, &mut left)
            } else if unit.attack_at <= s.time {
                self.shoot(s, side, unit)
            } else {
                self.reload(s, side, unit)
            };
        }
        orders
    }

    /// What a unit does that could attack: it does so, or goes towards the closest enemy.
    #[inline]
    fn shoot(self, s: &State, side: Side, unit: &Unit) -> Action {
        let (closest, near) = closest(s, side, unit);
        let range = unit.kind.stats().range;
        if near > range * range {
            return Action::Step(towards(unit, s.unit(side.other(), closest), side));
        }
        let target = match self {
            Script::Weakest => best_in_range(s, side, unit, |a, b| a.hit_points < b.hit_points),
            Script::AttackValue | Script::KitingAv => best_in_range(s, side, unit, worth_more),
            _ => None,
        };
        Action::Attack(target.unwrap_or(closest) as u8)
    }

    /// What a unit does that has not reloaded: it waits when somebody is in range and comes
    /// closer otherwise, or runs if it is a kiting one.
    #[inline]
    fn reload(self, s: &State, side: Side, unit: &Unit) -> Action {
        let (closest, near) = closest(s, side, unit);
        let enemy = s.unit(side.other(), closest);
        let range = unit.kind.stats().range;
        if matches!(self, Script::Kiting | Script::KitingAv) {
            Action::Step(opposite(towards(unit, enemy, side)))
        } else if near <= range * range {
            Action::Wait
        } else {
            Action::Step(towards(unit, enemy, side))
        }
    }
}

/// Attack-Value that counts the shots of this round.
#[inline]
fn no_overkill(s: &State, side: Side, unit: &Unit, left: &mut [i16; MAX_UNITS]) -> Action {
    if unit.attack_at > s.time {
        return Script::AttackValue.reload(s, side, unit);
    }
    let range = unit.kind.stats().range;
    let mut best: Option<(usize, &Unit)> = None;
    let mut near = (0, i32::MAX);
    for (i, enemy) in s.living(side.other()) {
        if left[i] <= 0 {
            continue;
        }
        let distance = unit.distance2(enemy);
        if distance < near.1 {
            near = (i, distance);
        }
        if distance <= range * range && best.is_none_or(|(_, b)| worth_more(enemy, b)) {
            best = Some((i, enemy));
        }
    }
    match best {
        Some((i, enemy)) => {
            left[i] -= unit.kind.damage_to(enemy.kind);
            Action::Attack(i as u8)
        }
        None if near.1 < i32::MAX => {
            Action::Step(towards(unit, s.unit(side.other(), near.0), side))
        }
        None => Script::AttackValue.shoot(s, side, unit),
    }
}

/// Whether `a` does more damage per frame for its hit points than `b`.
#[inline]
fn worth_more(a: &Unit, b: &Unit) -> bool {
    let value = |u: &Unit, other: &Unit| u.kind.damage_per_frame() * i32::from(other.hit_points);
    value(a, b) > value(b, a)
}

/// The enemy closest to a unit, and the square of its distance.
#[inline]
fn closest(s: &State, side: Side, unit: &Unit) -> (usize, i32) {
    let mut near = (0, i32::MAX);
    for (i, enemy) in s.living(side.other()) {
        let distance = unit.distance2(enemy);
        if distance < near.1 {
            near = (i, distance);
        }
    }
    near
}

/// The first of the enemies in range that none is better than.
#[inline]
fn best_in_range(
    s: &State,
    side: Side,
    unit: &Unit,
    better: impl Fn(&Unit, &Unit) -> bool,
) -> Option<usize> {
    let mut best: Option<(usize, &Unit)> = None;
    for (i, enemy) in s.living(side.other()) {
        if unit.reaches(enemy) && best.is_none_or(|(_, b)| better(enemy, b)) {
            best = Some((i, enemy));
        }
    }
    best.map(|(i, _)| i)
}

/// The step that brings a unit closest to another. On the same spot the sides differ, as mirror
/// images do.
#[inline]
fn towards(unit: &Unit, other: &Unit, side: Side) -> Direction {
    let (dx, dy) = (other.x - unit.x, other.y - unit.y);
    let rightwards = dx > 0 || dx == 0 && side == Side::Max;
    match (dx.abs() >= dy.abs(), rightwards) {
        (true, true) => Direction::Right,
        (true, false) => Direction::Left,
        (false, _) if dy > 0 => Direction::Up,
        (false, _) => Direction::Down,
    }
}

#[inline]
fn opposite(d: Direction) -> Direction {
    match d {
        Direction::Up => Direction::Down,
        Direction::Down => Direction::Up,
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::{Rng, Side};

    use super::Script;
    use crate::state::{Action, Direction, State, Unit};
    use crate::unit::Kind;

    fn first_order(script: Script, s: &State) -> Action {
        script.choose(s, Side::Max, &mut Rng::new(1))[0]
    }

    /// A Marine at the origin; a near whole Marine, a far hurt one, a Zergling, a Dragoon.
    fn choice() -> State {
        let unit = |kind, x, hit_points| Unit { hit_points, ..Unit::new(kind, x, 0) };
        let enemies = [
            unit(Kind::Marine, 50, 40),
            unit(Kind::Dragoon, 60, 20),
            unit(Kind::Marine, 100, 15),
            unit(Kind::Zergling, 70, 16),
            unit(Kind::Zergling, 129, 1),
        ];
        State::new(&[Unit::new(Kind::Marine, 0, 0)], &enemies).unwrap()
    }

    #[test]
    fn targets_by_hand() {
        let s = choice();
        let expected = [
            (Script::Closest, 0),
            (Script::Kiting, 0),
            (Script::Weakest, 2),
            // 825 / 16 for the Zergling, 880 / 20 for the Dragoon, 528 / 15 for the Marine.
            (Script::AttackValue, 3),
            (Script::NokAv, 3),
            (Script::KitingAv, 3),
        ];
        for (script, target) in expected {
            assert_eq!(first_order(script, &s), Action::Attack(target), "{script:?}");
        }
    }

    #[test]
    fn reloading_units_wait_come_closer_or_run() {
        let mut marine = Unit::new(Kind::Marine, 0, 0);
        marine.attack_at = 10;
        let at = |x, y| State::new(&[marine], &[Unit::new(Kind::Marine, x, y)]).unwrap();
        let near = at(20, -100);
        let far = at(20, -200);
        for script in Script::ALL.into_iter().skip(1) {
            let kites = matches!(script, Script::Kiting | Script::KitingAv);
            let (in_range, out) = if kites {
                (Action::Step(Direction::Up), Action::Step(Direction::Up))
            } else {
                (Action::Wait, Action::Step(Direction::Down))
            };
            assert_eq!(first_order(script, &near), in_range, "{script:?}");
            assert_eq!(first_order(script, &far), out, "{script:?}");
        }
    }

    #[test]
    fn on_one_spot_the_sides_run_apart() {
        let marine = Unit { attack_at: 10, ..Unit::new(Kind::Marine, 3, 3) };
        let s = State::new(&[marine], &[marine]).unwrap();
        let order = |side| Script::Kiting.choose(&s, side, &mut Rng::new(1))[0];
        assert_eq!(order(Side::Max), Action::Step(Direction::Left));
        assert_eq!(order(Side::Min), Action::Step(Direction::Right));
    }

    #[test]
    fn no_overkill_assigns_no_more_than_is_lethal() {
        let mut rng = Rng::new(3);
        let mut shared = 0;
        for _ in 0..2000 {
            let mut army = |n: u32| -> Vec<Unit> {
                (0..1 + rng.below(n))
                    .map(|_| {
                        let kind = Kind::ALL[rng.below(4) as usize];
                        let place = |rng: &mut Rng| rng.below(90) as i32;
                        let mut unit = Unit::new(kind, place(&mut rng), place(&mut rng));
                        unit.hit_points = 1 + rng.below(unit.hit_points as u32) as i16;
                        unit
                    })
                    .collect()
            };
            let (own, enemies) = (army(8), army(8));
            let s = State::new(&own, &enemies).unwrap();
            let orders = Script::NokAv.choose(&s, Side::Max, &mut Rng::new(1));
            let mut left: Vec<i16> = enemies.iter().map(|e| e.hit_points).collect();
            for (unit, order) in own.iter().zip(orders) {
                if let Action::Attack(t) = order {
                    let t = t as usize;
                    // Only when every enemy is doomed already.
                    assert!(left[t] > 0 || left.iter().all(|&l| l <= 0), "{s:?} {orders:?}");
                    shared += u32::from(left[t] < enemies[t].hit_points);
                    left[t] -= unit.kind.damage_to(enemies[t].kind);
                }
            }
        }
        assert!(shared > 1000, "the cases are too easy: {shared}");
    }

    #[test]
    fn names_are_read_back() {
        for script in Script::ALL {
            assert_eq!(Script::named(script.name(), 0..0), Ok(script));
        }
        let wrong = Script::named("nokav", 2..7).unwrap_err();
        assert_eq!((wrong.span, wrong.choices.len()), (2..7, 7));
    }
}
