//! Thermographs: what a game is worth, to who begins, when each move costs a tax.
//!
//! The left wall shows the left stop of G cooled by t, for every t from -1 on; the right wall its right
//! stop. They meet at the temperature, and above it stands the mast, on the mean. Whole numbers have
//! the temperature -1, and m/2^n has -1/2^n: what it costs to move in them. Nothing else is below 0.
//!
//! All corners are at dyadic rationals, because walls are vertical or rise at 45 degrees.

use std::fmt;
use std::sync::Arc;

use crate::error::TooLarge;
use crate::number::Dyadic;
use crate::plain::Plain;
use crate::values::{Value, Values};

/// Where a wall turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner {
    /// How high it is.
    pub temperature: Dyadic,
    /// Where the wall is at this temperature.
    pub number: Dyadic,
    /// What is added to the number for each degree up to the next corner.
    pub slope: i8,
}

/// One wall, from the temperature -1 up. Behind its last corner is the mast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wall(Vec<Corner>);

/// Both walls of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thermograph {
    /// The left wall.
    pub left: Wall,
    /// The right wall.
    pub right: Wall,
}

impl Corner {
    fn at(self, temperature: Dyadic) -> Result<Dyadic, TooLarge> {
        let by = temperature.minus(self.temperature)?;
        match self.slope {
            0 => Ok(self.number),
            1 => self.number.plus(by),
            _ => self.number.minus(by),
        }
    }
}

impl Wall {
    fn mast(number: Dyadic) -> Wall {
        Wall(vec![Corner { temperature: Dyadic::whole(-1), number, slope: 0 }])
    }

    /// The corners, from below. The first is at -1, and behind the last one nothing changes.
    pub fn corners(&self) -> &[Corner] {
        &self.0
    }

    /// Where the wall is at a temperature; below -1 it is where it is at -1.
    pub fn at(&self, temperature: Dyadic) -> Result<Dyadic, TooLarge> {
        let temperature = temperature.max(Dyadic::whole(-1));
        let behind = self.0.partition_point(|corner| corner.temperature <= temperature);
        self.0[behind.saturating_sub(1)].at(temperature)
    }

    /// The wall if the one who moves there has to pay (or is paid) the tax once more.
    fn taxed(&self, by: i8) -> Result<Wall, TooLarge> {
        let corner = |corner: &Corner| {
            let Corner { temperature, number, slope } = *corner;
            let number =
                if by > 0 { number.plus(temperature)? } else { number.minus(temperature)? };
            Ok(Corner { temperature, number, slope: slope + by })
        };
        Ok(Wall(self.0.iter().map(corner).collect::<Result<_, _>>()?))
    }

    /// What it is from each of its corners and those of another wall on, together with the other.
    fn beside<'a>(
        &'a self,
        other: &'a Wall,
    ) -> impl Iterator<Item = Result<(Corner, Corner, Option<Dyadic>), TooLarge>> + 'a {
        let (mut i, mut j) = (0, 0);
        let mut done = false;
        std::iter::from_fn(move || {
            if done {
                return None;
            }
            let (a, b) = (self.0[i], other.0[j]);
            let start = a.temperature.max(b.temperature);
            let next = [self.0.get(i + 1), other.0.get(j + 1)];
            let next = next.into_iter().flatten().map(|corner| corner.temperature).min();
            match next {
                None => done = true,
                Some(next) => {
                    let reached = |at: Option<&Corner>| at.is_some_and(|it| it.temperature == next);
                    i += usize::from(reached(self.0.get(i + 1)));
                    j += usize::from(reached(other.0.get(j + 1)));
                }
            }
            let moved = |corner: Corner| {
                Ok(Corner { temperature: start, number: corner.at(start)?, ..corner })
            };
            Some(moved(a).and_then(|a| Ok((a, moved(b)?, next))))
        })
    }

    /// The larger of two walls, or the smaller one, at each temperature.
    fn better(&self, other: &Wall, larger: bool) -> Result<Wall, TooLarge> {
        let mut corners = vec![];
        for both in self.beside(other) {
            let (a, b, next) = both?;
            // Of equal ones the one that is better a little later.
            let first = match larger {
                true => (a.number, a.slope) >= (b.number, b.slope),
                false => (a.number, a.slope) <= (b.number, b.slope),
            };
            let (best, rest) = if first { (a, b) } else { (b, a) };
            push(&mut corners, best);
            let crossing = crossing(best, rest)?.filter(|&at| next.is_none_or(|next| at < next));
            if let Some(at) = crossing {
                push(&mut corners, Corner { temperature: at, number: rest.at(at)?, ..rest });
            }
        }
        Ok(Wall(corners))
    }

    /// The wall up to a temperature, and the mast behind it.
    fn cut(mut self, temperature: Dyadic, mean: Dyadic) -> Wall {
        self.0.retain(|corner| corner.temperature < temperature);
        push(&mut self.0, Corner { temperature, number: mean, slope: 0 });
        self
    }
}

/// Puts a corner behind others, if the wall turns there.
fn push(corners: &mut Vec<Corner>, corner: Corner) {
    if corners.last().is_none_or(|last| last.slope != corner.slope) {
        corners.push(corner);
    }
}

/// The temperature above that of both corners at which their lines cross, if they come closer.
fn crossing(a: Corner, b: Corner) -> Result<Option<Dyadic>, TooLarge> {
    let apart = a.number.minus(b.number)?;
    let closing = b.slope - a.slope;
    if apart == Dyadic::ZERO || (apart > Dyadic::ZERO) != (closing > 0) || closing == 0 {
        return Ok(None);
    }
    let way = if closing.abs() == 2 { apart.abs().half()? } else { apart.abs() };
    a.temperature.plus(way).map(Some)
}

impl Thermograph {
    fn of_whole(number: Dyadic) -> Thermograph {
        Thermograph { left: Wall::mast(number), right: Wall::mast(number) }
    }

    /// The walls below the point at which two scaffolds meet, and the mast above it.
    fn of_scaffolds(left: Wall, right: Wall) -> Result<Thermograph, TooLarge> {
        let mut top = None;
        for both in left.beside(&right) {
            let (a, b, next) = both?;
            let meeting = if a.number <= b.number { Some(a.temperature) } else { crossing(a, b)? };
            if let Some(at) = meeting.filter(|&at| next.is_none_or(|next| at < next)) {
                top = Some((at, a.at(at)?));
                break;
            }
        }
        // Scaffolds of a game meet: above all corners the left one falls and the right one rises.
        let (temperature, mean) = top.ok_or(TooLarge::Number)?;
        Ok(Thermograph { left: left.cut(temperature, mean), right: right.cut(temperature, mean) })
    }

    fn last(&self) -> Corner {
        self.left.0[self.left.0.len() - 1]
    }

    /// Where the mast stands: the average of a move in many copies.
    pub fn mean(&self) -> Dyadic {
        // A wall without a corner at the mast is vertical down to it.
        self.last().number
    }

    /// Where the mast begins.
    pub fn temperature(&self) -> Dyadic {
        let right = self.right.0[self.right.0.len() - 1];
        self.last().temperature.max(right.temperature)
    }

    fn negative(&self) -> Thermograph {
        let turn = |wall: &Wall| {
            let turned = |c: &Corner| Corner { number: -c.number, slope: -c.slope, ..*c };
            Wall(wall.0.iter().map(turned).collect())
        };
        Thermograph { left: turn(&self.right), right: turn(&self.left) }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Thermograph>() + (self.left.0.len() + self.right.0.len()) * size_of::<Corner>()
    }
}

impl fmt::Display for Thermograph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wall = |wall: &Wall| {
            let corner = |c: &Corner| format!("{} at {}", c.number, c.temperature);
            wall.0.iter().map(corner).collect::<Vec<_>>().join(", ")
        };
        let (left, right) = (wall(&self.left), wall(&self.right));
        let (mean, temperature) = (self.mean(), self.temperature());
        write!(f, "left: {left}; right: {right}; mean {mean}, temperature {temperature}")
    }
}

impl Values {
    /// The thermograph.
    pub fn thermograph(&mut self, value: Value) -> Result<Arc<Thermograph>, TooLarge> {
        if let Some(known) = self.thermographs.get(&value) {
            return Ok(known.clone());
        }
        self.step()?;
        let made = match self.as_plain(value) {
            None => self.thermograph_by_options(value)?,
            Some(plain) => match (plain.as_number(), plain.number.as_whole()) {
                (Some(number), Some(_)) => Thermograph::of_whole(number),
                (Some(_), None) => self.thermograph_by_options(value)?,
                (None, _) => self.thermograph_of_plain(plain)?,
            },
        };
        let made = Arc::new(made);
        self.heat_bytes += made.bytes() + size_of::<(Value, Arc<Thermograph>)>() + 16;
        self.make_room();
        self.thermographs.insert(value, made.clone());
        Ok(made)
    }

    pub(crate) fn thermograph_by_options(&mut self, value: Value) -> Result<Thermograph, TooLarge> {
        self.expand(value)?;
        let mut scaffolds = [None, None];
        for (right, best) in [false, true].into_iter().zip(&mut scaffolds) {
            for i in 0..self.store.options(value, right).len() {
                let option = self.store.options(value, right)[i];
                let below = self.thermograph(option)?;
                let taxed = match right {
                    false => below.right.taxed(-1)?,
                    true => below.left.taxed(1)?,
                };
                *best = Some(match best.take() {
                    None => taxed,
                    Some(best) => taxed.better(&best, !right)?,
                });
            }
        }
        match scaffolds {
            [Some(left), Some(right)] => Thermograph::of_scaffolds(left, right),
            // Only whole numbers lack options on a side.
            _ => Ok(Thermograph::of_whole(self.left_stop(value))),
        }
    }

    /// A number with ups or a nimber, which is no number. Its options all lead to the number, so its
    /// walls are those of {x|x}, except for the right one of {x|x*} and what lies above it.
    fn thermograph_of_plain(&mut self, plain: Plain) -> Result<Thermograph, TooLarge> {
        if plain.ups < 0 {
            let value = self.plain(plain.negative())?;
            return Ok(self.thermograph(value)?.negative());
        }
        let number = self.number(plain.number)?;
        let below = self.thermograph(number)?;
        let left = below.right.taxed(-1)?;
        let right = match (plain.ups, plain.nim) {
            (0, _) | (1, 1) => below.left.taxed(1)?,
            _ => below.right.clone(),
        };
        Thermograph::of_scaffolds(left, right)
    }

    /// The mean: the average value of many copies.
    pub fn mean(&mut self, value: Value) -> Result<Dyadic, TooLarge> {
        Ok(self.thermograph(value)?.mean())
    }

    /// The temperature: what a move is worth. It is -1 for whole numbers, -1/2^n for m/2^n, 0 for what
    /// is infinitely close to a number, and positive for hot games.
    pub fn temperature(&mut self, value: Value) -> Result<Dyadic, TooLarge> {
        Ok(self.thermograph(value)?.temperature())
    }
}
