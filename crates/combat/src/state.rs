//! The state of a battle and what a side may do in it (Appendix A).
//!
//! Where the appendix is silent, ours: a step moves a unit at once and then takes its time; a
//! unit on the move cannot attack; a unit that waits neither moves nor attacks until it has
//! reloaded. Orders of both sides are given in the same state and then take effect together, so
//! that two units can kill each other.

use std::fmt;

use foregone_model::Side;

use crate::unit::{Kind, STEP};

/// The most units that a side can have.
pub const MAX_UNITS: usize = 8;

/// How far from the origin a unit may start, along each axis. Distances are squared in 32 bits.
pub const FARTHEST: i32 = 4096;

/// A unit `⟨p, hp, t_a, t_m, v, w⟩`; its speed and weapon are those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Where it is, in pixels.
    pub x: i32,
    /// Where it is, in pixels, growing upwards.
    pub y: i32,
    /// When it can next attack (t_a); never before it can move.
    pub attack_at: u32,
    /// When it can next move (t_m).
    pub move_at: u32,
    /// Hit points left; none for a dead unit.
    pub hit_points: i16,
    /// What it is.
    pub kind: Kind,
}

impl Unit {
    /// A unit that is whole and ready.
    pub fn new(kind: Kind, x: i32, y: i32) -> Unit {
        Unit { x, y, attack_at: 0, move_at: 0, hit_points: kind.stats().hit_points, kind }
    }

    /// The square of its distance from another.
    #[inline]
    pub fn distance2(&self, other: &Unit) -> i32 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        dx * dx + dy * dy
    }

    /// Whether it reaches another with its weapon.
    #[inline]
    pub fn reaches(&self, other: &Unit) -> bool {
        let range = self.kind.stats().range;
        self.distance2(other) <= range * range
    }
}

/// One of the four ways that a unit can step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Greater y.
    Up,
    /// Smaller y.
    Down,
    /// Smaller x.
    Left,
    /// Greater x.
    Right,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] =
        [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// The step in pixels.
    #[inline]
    pub fn step(self) -> (i32, i32) {
        match self {
            Direction::Up => (0, STEP),
            Direction::Down => (0, -STEP),
            Direction::Left => (-STEP, 0),
            Direction::Right => (STEP, 0),
        }
    }
}

/// What one unit does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Action {
    /// Nothing: the unit cannot act now.
    #[default]
    Idle,
    /// It attacks the enemy unit with this index.
    Attack(u8),
    /// It steps.
    Step(Direction),
    /// It stands still until it can attack.
    Wait,
}

impl Action {
    /// A number of its own, for hashing.
    #[inline]
    pub(crate) fn code(self) -> u8 {
        match self {
            Action::Idle => 0,
            Action::Wait => 1,
            Action::Step(d) => 2 + d as u8,
            Action::Attack(target) => 8 + target,
        }
    }
}

/// What a side does: an action for each of its units that can act, [`Action::Idle`] for others.
pub type Move = [Action; MAX_UNITS];

/// The legal actions of one unit.
#[derive(Clone, Copy, Debug)]
pub struct Actions {
    list: [Action; Actions::MOST],
    len: u8,
}

impl Actions {
    /// All targets, all directions; waiting is only legal when attacks are not.
    const MOST: usize = MAX_UNITS + 4;

    /// None yet.
    pub(crate) const NONE: Actions = Actions { list: [Action::Idle; Actions::MOST], len: 0 };

    #[inline]
    fn push(&mut self, a: Action) {
        self.list[self.len as usize] = a;
        self.len += 1;
    }

    /// The actions.
    #[inline]
    pub fn as_slice(&self) -> &[Action] {
        &self.list[..self.len as usize]
    }

    /// The actions, to be put into another order.
    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [Action] {
        &mut self.list[..self.len as usize]
    }
}

/// A state `⟨t, U_1, U_2⟩`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The time, in frames.
    pub time: u32,
    /// The units of Max and Min; the dead stay where they fell, so that indices stay valid.
    units: [[Unit; MAX_UNITS]; 2],
    /// Which units live, a bit each.
    alive: [u8; 2],
}

/// Why armies do not make a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArmyError {
    /// A side has no unit or more than [`MAX_UNITS`].
    Size(usize),
    /// A unit is farther out than [`FARTHEST`].
    Position(i32, i32),
}

impl fmt::Display for ArmyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArmyError::Size(n) => write!(f, "an army has 1 to {MAX_UNITS} units, not {n}"),
            ArmyError::Position(x, y) => write!(f, "({x}, {y}) is more than {FARTHEST} pixels out"),
        }
    }
}

impl std::error::Error for ArmyError {}

/// The indices of the bits that are set.
#[inline]
fn bits(mut mask: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let i = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (i < 8).then_some(i)
    })
}

impl State {
    /// Two armies at time 0.
    pub fn new(max: &[Unit], min: &[Unit]) -> Result<State, ArmyError> {
        let mut fallen = Unit::new(Kind::Marine, 0, 0);
        fallen.hit_points = 0;
        let mut s = State { time: 0, units: [[fallen; MAX_UNITS]; 2], alive: [0; 2] };
        for (side, army) in [max, min].into_iter().enumerate() {
            if army.is_empty() || army.len() > MAX_UNITS {
                return Err(ArmyError::Size(army.len()));
            }
            for (i, &unit) in army.iter().enumerate() {
                if unit.x.abs() > FARTHEST || unit.y.abs() > FARTHEST {
                    return Err(ArmyError::Position(unit.x, unit.y));
                }
                s.units[side][i] = unit;
            }
        }
        s.settle();
        Ok(s)
    }

    /// A unit, dead or alive.
    #[inline]
    pub fn unit(&self, side: Side, index: usize) -> &Unit {
        &self.units[side.index()][index]
    }

    /// The living units of a side with their indices.
    #[inline]
    pub fn living(&self, side: Side) -> impl Iterator<Item = (usize, &Unit)> {
        let units = &self.units[side.index()];
        bits(self.alive[side.index()]).map(move |i| (i, &units[i]))
    }

    /// Whether a side has lost all its units.
    #[inline]
    pub fn over(&self) -> bool {
        self.alive[0] == 0 || self.alive[1] == 0
    }

    /// Whether a unit has legal actions now. Since no unit can attack before it can move, the
    /// time of its next move decides.
    #[inline]
    fn ready(&self, unit: &Unit) -> bool {
        unit.move_at <= self.time
    }

    /// The living units of a side that can act now, with their indices.
    #[inline]
    pub fn acting(&self, side: Side) -> impl Iterator<Item = (usize, &Unit)> {
        self.living(side).filter(|(_, u)| self.ready(u))
    }

    /// Whether a side can do anything but pass now.
    #[inline]
    pub fn can_act(&self, side: Side) -> bool {
        self.acting(side).next().is_some()
    }

    /// The legal actions of a unit: attacks on every enemy in range when it has reloaded, else to
    /// wait until then; and steps. None if it is dead or busy.
    pub fn actions(&self, side: Side, index: usize) -> Actions {
        let mut out = Actions::NONE;
        let unit = self.unit(side, index);
        if unit.hit_points <= 0 {
            return out;
        }
        if unit.attack_at <= self.time {
            for (target, enemy) in self.living(side.other()) {
                if unit.reaches(enemy) {
                    out.push(Action::Attack(target as u8));
                }
            }
        }
        if unit.move_at <= self.time {
            if self.time < unit.attack_at {
                out.push(Action::Wait);
            }
            for d in Direction::ALL {
                out.push(Action::Step(d));
            }
        }
        out
    }

    /// Whether a move is one legal action for each unit that can act, and nothing for others.
    pub fn is_legal(&self, side: Side, m: &Move) -> bool {
        m.iter().enumerate().all(|(i, action)| {
            let legal = self.actions(side, i);
            match legal.as_slice() {
                [] => *action == Action::Idle,
                list => list.contains(action),
            }
        })
    }

    /// Gives the orders of one side. They must have been legal in the state in which both sides
    /// chose; a unit that the other side's orders have killed in between still carries them out.
    /// [`State::settle`] follows when all orders are given.
    #[inline]
    pub fn give(&mut self, side: Side, m: &Move) {
        let time = self.time;
        let [max, min] = &mut self.units;
        let (own, enemies) = match side {
            Side::Max => (max, min),
            Side::Min => (min, max),
        };
        for (unit, action) in own.iter_mut().zip(m) {
            match *action {
                Action::Idle => {}
                Action::Wait => unit.move_at = unit.attack_at,
                Action::Step(d) => {
                    let (dx, dy) = d.step();
                    unit.x += dx;
                    unit.y += dy;
                    unit.move_at = time + unit.kind.stats().step;
                    unit.attack_at = unit.attack_at.max(unit.move_at);
                }
                Action::Attack(target) => {
                    let stats = unit.kind.stats();
                    unit.move_at = time + stats.hold;
                    unit.attack_at = time + stats.cooldown;
                    let enemy = &mut enemies[target as usize];
                    enemy.hit_points = (enemy.hit_points - unit.kind.damage_to(enemy.kind)).max(0);
                }
            }
        }
    }

    /// Counts the dead and moves the time on to the next state in which somebody can act
    /// (section 5.4.2). It stays where it is while a side can still act.
    #[inline]
    pub fn settle(&mut self) {
        let mut next = u32::MAX;
        for (units, alive) in self.units.iter().zip(&mut self.alive) {
            *alive = 0;
            for (i, unit) in units.iter().enumerate() {
                if unit.hit_points > 0 {
                    *alive |= 1 << i;
                    next = next.min(unit.move_at);
                }
            }
        }
        if !self.over() {
            self.time = self.time.max(next);
        }
    }

    /// Both sides act at once; a side that cannot act has no move.
    #[inline]
    pub fn play(&mut self, moves: [Option<&Move>; 2]) {
        for (side, m) in [Side::Max, Side::Min].into_iter().zip(moves) {
            if let Some(m) = m {
                self.give(side, m);
            }
        }
        self.settle();
    }

    /// A hash of all that matters for what follows. Times count from now, so that the same
    /// situation at another time is the same. Different states may share a hash: it may only
    /// steer a search whose values are estimates anyway.
    pub fn hash(&self) -> u64 {
        let mut h = 0u64;
        let mut add = |word: u64| {
            h = (h.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        };
        for side in [Side::Max, Side::Min] {
            for (i, u) in self.living(side) {
                add(u64::from(u.x as u32) << 32 | u64::from(u.y as u32));
                let times = u64::from(u.attack_at.saturating_sub(self.time)) << 16
                    | u64::from(u.move_at.saturating_sub(self.time));
                let place = (side.index() * MAX_UNITS + i) as u64;
                add(times << 24 | (u.hit_points as u64) << 8 | place << 4 | u.kind as u64);
            }
        }
        h ^ h >> 29
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Side;

    use super::{Action, ArmyError, Direction, MAX_UNITS, Move, State, Unit};
    use crate::unit::Kind;

    const STEPS: [Action; 4] = [
        Action::Step(Direction::Up),
        Action::Step(Direction::Down),
        Action::Step(Direction::Left),
        Action::Step(Direction::Right),
    ];

    fn orders(first: Action) -> Move {
        let mut m = [Action::Idle; MAX_UNITS];
        m[0] = first;
        m
    }

    /// A Marine at the origin with these times; enemies on the edge of its range, just beyond,
    /// and dead.
    fn case(attack_at: u32, move_at: u32) -> State {
        let own = Unit { attack_at, move_at, ..Unit::new(Kind::Marine, 0, 0) };
        let ready = Unit::new(Kind::Zergling, 128, 0);
        let dead = Unit { hit_points: 0, ..Unit::new(Kind::Zealot, 1, 0) };
        State::new(&[own], &[ready, Unit::new(Kind::Zealot, 128, 1), dead]).unwrap()
    }

    #[test]
    fn legal_actions_are_those_of_appendix_a() {
        // t_a ≤ t: attack what is in range; t_m ≤ t: move; no waiting.
        let mut all = vec![Action::Attack(0)];
        all.extend(STEPS);
        assert_eq!(case(0, 0).actions(Side::Max, 0).as_slice(), all);
        // t_m ≤ t < t_a: move or wait.
        let mut all = vec![Action::Wait];
        all.extend(STEPS);
        assert_eq!(case(7, 0).actions(Side::Max, 0).as_slice(), all);
        // Both later: nothing.
        assert_eq!(case(7, 3).actions(Side::Max, 0).as_slice(), []);
        assert!(!case(7, 3).can_act(Side::Max));
        assert!(case(7, 3).can_act(Side::Min));
        // The dead do nothing; out of reach there is only moving.
        assert_eq!(case(0, 0).actions(Side::Min, 2).as_slice(), []);
        assert_eq!(case(0, 0).actions(Side::Min, 0).as_slice(), STEPS);
        assert_eq!(case(0, 0).acting(Side::Min).count(), 2);
    }

    #[test]
    fn a_move_is_one_legal_action_for_each_unit_that_can_act() {
        let s = case(0, 0);
        assert!(s.is_legal(Side::Max, &orders(Action::Attack(0))));
        assert!(!s.is_legal(Side::Max, &orders(Action::Attack(1))));
        assert!(!s.is_legal(Side::Max, &orders(Action::Attack(2))));
        assert!(!s.is_legal(Side::Max, &orders(Action::Wait)));
        assert!(!s.is_legal(Side::Max, &orders(Action::Idle)));
        assert!(!s.is_legal(Side::Min, &orders(STEPS[0])), "the Zealot has no order");
        assert!(case(7, 3).is_legal(Side::Max, &orders(Action::Idle)));
    }

    #[test]
    fn actions_take_their_time() {
        let times = |s: &State| {
            let u = s.unit(Side::Max, 0);
            (u.attack_at, u.move_at)
        };
        let stats = Kind::Marine.stats();
        let mut s = case(0, 0);
        s.give(Side::Max, &orders(Action::Attack(0)));
        assert_eq!(times(&s), (stats.cooldown, stats.hold));
        assert_eq!(s.unit(Side::Min, 0).hit_points, 35 - 6);
        let mut s = case(0, 0);
        s.give(Side::Max, &orders(Action::Step(Direction::Left)));
        assert_eq!((times(&s), s.unit(Side::Max, 0).x), ((4, 4), -15));
        let mut s = case(7, 0);
        s.give(Side::Max, &orders(Action::Step(Direction::Up)));
        assert_eq!((times(&s), s.unit(Side::Max, 0).y), ((7, 4), 15));
        let mut s = case(7, 0);
        s.give(Side::Max, &orders(Action::Wait));
        assert_eq!(times(&s), (7, 7));
    }

    #[test]
    fn both_sides_act_together_and_may_both_die() {
        let weak = |x| Unit { hit_points: 6, ..Unit::new(Kind::Marine, x, 0) };
        let mut s = State::new(&[weak(0)], &[weak(100)]).unwrap();
        let shoot = orders(Action::Attack(0));
        s.play([Some(&shoot), Some(&shoot)]);
        assert!(s.over());
        assert_eq!((s.living(Side::Max).count(), s.living(Side::Min).count()), (0, 0));
    }

    #[test]
    fn empty_frames_are_skipped() {
        let mut s = case(0, 0);
        s.give(Side::Max, &orders(Action::Attack(0)));
        s.settle();
        // Min has yet to choose at this time.
        assert_eq!((s.time, s.can_act(Side::Max), s.can_act(Side::Min)), (0, false, true));
        let mut both = orders(STEPS[0]);
        both[1] = STEPS[0];
        s.give(Side::Min, &both);
        s.settle();
        // A Zergling's step takes 3 frames, a Zealot's 4.
        assert_eq!(s.time, 3);
        assert_eq!(s.acting(Side::Min).map(|(i, _)| i).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn hashes_do_not_see_the_clock() {
        let s = case(7, 3);
        let mut later = s;
        later.time += 10;
        for side in &mut later.units {
            for unit in side {
                unit.attack_at += 10;
                unit.move_at += 10;
            }
        }
        assert_eq!(s.hash(), later.hash());
        assert_ne!(s.hash(), case(8, 3).hash());
        assert_ne!(s.hash(), case(7, 2).hash());
    }

    #[test]
    fn unfit_armies_are_refused() {
        let unit = Unit::new(Kind::Marine, 0, 0);
        assert_eq!(State::new(&[], &[unit]), Err(ArmyError::Size(0)));
        assert_eq!(State::new(&[unit], &[unit; 9]), Err(ArmyError::Size(9)));
        let far = Unit::new(Kind::Marine, 0, -5000);
        assert_eq!(State::new(&[far], &[unit]), Err(ArmyError::Position(0, -5000)));
    }
}
