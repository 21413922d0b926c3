//! How good a state is for Max (section 5.4.3).
//!
//! Values are integers: damage per frame counts in shares of a frame ([`FRAME_SHARES`]), square
//! roots are rounded once, in a table. A battle that is over counts [`WIN`] for the winner on top
//! of what the winner has left, so that no estimate outweighs it. A playout adds the same when it
//! comes to an end.
//!
//! [`FRAME_SHARES`]: crate::unit::FRAME_SHARES

use std::sync::LazyLock;

use foregone_model::{Rng, Side};

use crate::script::Script;
use crate::state::State;
use crate::unit::Kind;

/// What a won battle counts for more than any estimate.
pub const WIN: i32 = 1 << 28;

/// The moves after which a playout is given up and judged by LTD2 as it stands: scripts can
/// dance around each other for ever.
pub const LONGEST_PLAYOUT: u32 = 400;

/// The life-time damage of both sides, Max's less Min's (5.7).
pub fn ltd(s: &State) -> i32 {
    difference(s, |kind, hit_points| i32::from(hit_points) * kind.damage_per_frame())
}

/// The fraction that LTD2 keeps of a square root.
const ROOT_PARTS: f64 = 32.0;

/// √hp · dpf by kind and hit points.
static ROOTS: LazyLock<[[i32; 256]; 4]> = LazyLock::new(|| {
    let mut table = [[0; 256]; 4];
    for kind in Kind::ALL {
        for (hp, value) in table[kind as usize].iter_mut().enumerate() {
            let root = (hp as f64).sqrt() * ROOT_PARTS;
            *value = (root * f64::from(kind.damage_per_frame())).round() as i32;
        }
    }
    table
});

/// LTD with the square roots of the hit points (5.8): two units with half their hit points are
/// worth more than a whole and a dead one.
pub fn ltd2(s: &State) -> i32 {
    let roots = &*ROOTS;
    difference(s, |kind, hit_points| roots[kind as usize][(hit_points as usize).min(255)])
}

#[inline]
fn difference(s: &State, worth: impl Fn(Kind, i16) -> i32) -> i32 {
    let sum = |side| s.living(side).map(|(_, u)| worth(u.kind, u.hit_points)).sum::<i32>();
    sum(Side::Max) - sum(Side::Min)
}

/// An estimate with what a decided battle counts for on top.
#[inline]
pub(crate) fn decided(s: &State, estimate: i32) -> i32 {
    if s.over() { estimate + WIN * estimate.signum() } else { estimate }
}

/// How the battle ends if both sides fight on by their scripts; nothing if `stop` says so, which
/// is asked every few moves.
pub fn playout(
    mut s: State,
    scripts: [Script; 2],
    rng: &mut Rng,
    mut stop: impl FnMut() -> bool,
) -> Option<i32> {
    let mut left = LONGEST_PLAYOUT;
    while !s.over() && left > 0 {
        let orders = [Side::Max, Side::Min]
            .map(|side| s.can_act(side).then(|| scripts[side.index()].choose(&s, side, rng)));
        s.play([orders[0].as_ref(), orders[1].as_ref()]);
        left = left.saturating_sub(orders.iter().flatten().count() as u32);
        if left % 32 < 2 && stop() {
            return None;
        }
    }
    Some(decided(&s, ltd2(&s)))
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;

    use super::{WIN, decided, ltd, ltd2, playout};
    use crate::script::Script;
    use crate::state::{State, Unit};
    use crate::unit::Kind;

    #[test]
    fn life_time_damage_by_hand() {
        let hurt = Unit { hit_points: 9, ..Unit::new(Kind::Zealot, 0, 0) };
        let s = State::new(&[hurt], &[Unit::new(Kind::Marine, 500, 0)]).unwrap();
        // 9 · 16/22 - 40 · 6/15, in parts of 1/1320.
        assert_eq!(ltd(&s), 9 * 960 - 40 * 528);
        // 3 · 16/22 - √40 · 6/15, in parts of 1/(1320 · 32).
        let root = (40f64.sqrt() * 528.0 * 32.0).round() as i32;
        assert_eq!(ltd2(&s), 3 * 960 * 32 - root);
        // LTD and LTD2 disagree about even hit points.
        let half = Unit { hit_points: 20, ..Unit::new(Kind::Marine, 0, 0) };
        let two = State::new(&[half, half], &[Unit::new(Kind::Marine, 0, 0)]).unwrap();
        assert_eq!(ltd(&two), 0);
        assert!(ltd2(&two) > 0);
    }

    #[test]
    fn ends_outweigh_estimates() {
        let army = [Unit::new(Kind::Dragoon, 0, 0); 8];
        let weak = Unit { hit_points: 1, ..Unit::new(Kind::Marine, 10, 0) };
        let most = State::new(&army, &[weak]).unwrap();
        assert!(ltd2(&most).max(ltd(&most)) < WIN / 8);
        assert_eq!(decided(&most, ltd2(&most)), ltd2(&most));
        // The Dragoons shoot first, or together with the Marine: eight whole ones but for 5 points.
        let value = playout(most, [Script::NokAv; 2], &mut Rng::new(0), || false);
        assert!(value > Some(WIN));
        let far = Unit::new(Kind::Marine, 2000, 0);
        let long = State::new(&army, &[far]).unwrap();
        assert_eq!(playout(long, [Script::Random; 2], &mut Rng::new(0), || true), None);
    }

    #[test]
    fn mirrored_armies_draw() {
        let max = [Unit::new(Kind::Marine, 70, 130), Unit::new(Kind::Zergling, -20, 60)];
        let min = max.map(|u| Unit { x: -u.x, y: -u.y, ..u });
        let s = State::new(&max, &min).unwrap();
        for script in Script::ALL.into_iter().skip(1) {
            assert_eq!(playout(s, [script; 2], &mut Rng::new(0), || false), Some(0), "{script:?}");
        }
    }
}
