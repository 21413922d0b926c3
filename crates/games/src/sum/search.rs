//! Who wins a sum: proof numbers with thresholds (A. Nagai, 2002) over what is left of the parts.
//!
//! A position is taken apart, and stands in the table as its parts, however they lie on the board. Small
//! parts are replaced by their values; a part and its negative are taken away; cold values, in which
//! nobody is in a hurry, are added up. Hot ones are not, as the sum of many is soon large: they are bounded by
//! their stops. That sums are searched with a table of what is left of the parts is the idea of MCGS.

use foregone_cgt::{Class, Dyadic, Value};
use foregone_model::{Effort, Side};
use rustc_hash::FxHashMap;

use super::arena::{Arena, Id, Step};
use crate::erased::{AnyState, Erased};

/// Infinitely many.
const ENDLESS: u32 = 1_000_000_000;
/// The table is emptied when it holds so many positions.
const MOST_HELD: usize = 1 << 23;
/// Between two looks at the limits.
const PACE: u64 = 16;
/// So many moves may follow each other. Longer plays are left to searches that keep them in memory.
const DEEPEST: u32 = 1_000;
/// So many hot values are added up before stops and a search are asked.
const FEW: usize = 2;

/// Somebody wants the search to end.
#[derive(Debug)]
pub(super) struct Stopped;

/// Something that one can move in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Piece {
    /// A part whose value is not used.
    Part(Id),
    /// A value.
    Value(Value),
}

/// A sum as the table knows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bag {
    pub(super) parts: Vec<Id>,
    pub(super) hot: Vec<Value>,
    pub(super) cold: Value,
}

impl Bag {
    /// What one can move in.
    pub(super) fn pieces(&self) -> impl Iterator<Item = Piece> + '_ {
        let parts = self.parts.iter().map(|&id| Piece::Part(id));
        let values = self.hot.iter().chain((self.cold != Value::ZERO).then_some(&self.cold));
        parts.chain(values.map(|&value| Piece::Value(value)))
    }

    /// Two different bags have different keys, but for an accident: what is found is proved anyway.
    fn key(&self, mover: Side) -> u128 {
        let mut key = mix(u64::from(self.cold.index()) << 2 | mover.index() as u64);
        for &id in &self.parts {
            key = key.wrapping_add(mix(u64::from(id) << 2 | 2));
        }
        for value in &self.hot {
            key = key.wrapping_add(mix(u64::from(value.index()) << 2 | 3));
        }
        key
    }
}

fn mix(x: u64) -> u128 {
    let a = (u128::from(x) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    let a = (a ^ (a >> 61)).wrapping_mul(0xbf58_476d_1ce4_e5b9_94d0_49bb_1331_11eb);
    a ^ (a >> 67)
}

/// Proof numbers: of the side to move winning, and losing.
#[derive(Clone, Copy, Debug)]
struct Entry {
    win: u32,
    loss: u32,
}

const WON: Entry = Entry { win: 0, loss: ENDLESS };
const LOST: Entry = Entry { win: ENDLESS, loss: 0 };

/// Finds who wins, and remembers it.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) arena: Arena,
    table: FxHashMap<u128, Entry>,
    looked: u64,
}

impl Memory {
    pub(super) fn new(game: &Erased) -> Memory {
        Memory { arena: Arena::new(game), table: FxHashMap::default(), looked: 0 }
    }
}

/// One search.
pub(super) struct Search<'a> {
    pub(super) game: &'a Erased,
    pub(super) memory: &'a mut Memory,
    /// How many positions others have looked at.
    before: u64,
    /// How many moves the search is away from its root, and how much was done since it last asked.
    depth: u32,
    done: u64,
    goes_on: &'a mut dyn FnMut(Effort) -> bool,
}

struct Child {
    bag: Bag,
    key: u128,
    entry: Entry,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        game: &'a Erased,
        memory: &'a mut Memory,
        goes_on: &'a mut dyn FnMut(Effort) -> bool,
    ) -> Search<'a> {
        let before = memory.looked;
        Search { game, memory, before, depth: 0, done: 0, goes_on }
    }

    pub(super) fn arena(&mut self) -> &mut Arena {
        &mut self.memory.arena
    }

    /// Counts a position, and ends the search if somebody wants that.
    pub(super) fn look(&mut self) -> Result<(), Stopped> {
        self.memory.looked += 1;
        self.works(1)
    }

    /// Asks whether to go on, once there was enough to do.
    fn works(&mut self, much: u64) -> Result<(), Stopped> {
        self.done += much;
        if self.done < PACE {
            return Ok(());
        }
        self.done = 0;
        let Memory { arena, table, looked } = &mut *self.memory;
        let entry = size_of::<(u128, Entry)>() as u64 + 1;
        let bytes = table.capacity() as u64 * entry * 8 / 7 + arena.bytes();
        match (self.goes_on)(Effort { positions: *looked - self.before, bytes }) {
            true => Ok(()),
            false => Err(Stopped),
        }
    }

    /// What all parts of a position are worth together; nothing if that is too large.
    pub(super) fn worth_of_all(&mut self, s: &AnyState) -> Result<Option<Value>, Stopped> {
        let (game, before) = (self.game, self.memory.looked);
        let mut ids = Vec::new();
        self.memory.arena.split(game, s, &mut ids);
        let mut sum = Value::ZERO;
        let mut stopped = false;
        for id in ids {
            let mut goes_on = |bytes| {
                let positions = before - self.before;
                stopped = !(self.goes_on)(Effort { positions, bytes });
                !stopped
            };
            let value = self.memory.arena.patiently(game, id, &mut goes_on);
            if stopped {
                return Err(Stopped);
            }
            let Ok(value) = value else { return Ok(None) };
            match self.memory.arena.add_for_proof(sum, value) {
                Some(both) => sum = both,
                None => return Ok(None),
            }
        }
        Ok(Some(sum))
    }

    /// Appends the parts of a position.
    pub(super) fn split(&mut self, s: &AnyState, out: &mut Vec<Piece>) {
        let mut ids = Vec::new();
        self.memory.arena.split(self.game, s, &mut ids);
        out.extend(ids.into_iter().map(Piece::Part));
    }

    /// The sum of these.
    pub(super) fn bag(&mut self, pieces: impl IntoIterator<Item = Piece>) -> Bag {
        let mut bag = Bag { parts: Vec::new(), hot: Vec::new(), cold: Value::ZERO };
        for piece in pieces {
            self.put(&mut bag, piece);
        }
        bag.parts.sort_unstable();
        bag.hot.sort_unstable();
        bag
    }

    /// Adds a piece. What is in the bag need not be in order.
    fn put(&mut self, bag: &mut Bag, piece: Piece) {
        let game = self.game;
        let arena = self.arena();
        let value = match piece {
            Piece::Value(value) => value,
            Piece::Part(id) => match arena.worth(game, id) {
                Some(value) => value,
                None => {
                    let other = arena.negative(id);
                    match bag.parts.iter().position(|&there| Some(there) == other) {
                        Some(at) => drop(bag.parts.swap_remove(at)),
                        None => bag.parts.push(id),
                    }
                    return;
                }
            },
        };
        if value == Value::ZERO {
            return;
        }
        if is_cold(arena, value)
            && let Some(sum) = arena.add(bag.cold, value)
            && arena.is_light(sum)
        {
            bag.cold = sum;
            return;
        }
        let other = arena.neg(value);
        match bag.hot.iter().position(|&there| Some(there) == other) {
            Some(at) => drop(bag.hot.swap_remove(at)),
            None => bag.hot.push(value),
        }
    }

    /// Whether the side to move wins, if that is seen without a search.
    pub(super) fn seen(&mut self, bag: &Bag, mover: Side) -> Option<bool> {
        if !bag.parts.is_empty() {
            return None;
        }
        if let Some(sum) = self.total(bag) {
            let class = self.arena().values.outcome(sum);
            return Some(match mover {
                Side::Max => matches!(class, Class::Left | Class::Next),
                Side::Min => matches!(class, Class::Right | Class::Next),
            });
        }
        self.by_stops(bag, mover)
    }

    /// The value of a bag without parts, if it is soon found.
    pub(super) fn total(&mut self, bag: &Bag) -> Option<Value> {
        if bag.hot.len() > FEW {
            return None;
        }
        let mut sum = bag.cold;
        for &value in &bag.hot {
            sum = self.arena().add(sum, value)?;
        }
        Some(sum)
    }

    /// Left stops at no more than the sum of Left stops, and at no less than one of them and all other Right stops.
    fn by_stops(&mut self, bag: &Bag, mover: Side) -> Option<bool> {
        let (least, most, jump) = self.stops(bag)?;
        let zero = Dyadic::default();
        match mover {
            Side::Max if least.plus(jump).ok()? > zero => Some(true),
            Side::Max if most < zero => Some(false),
            Side::Min if most.minus(jump).ok()? < zero => Some(true),
            Side::Min if least > zero => Some(false),
            _ => None,
        }
    }

    /// The sums of the Right stops and of the Left stops, and the largest difference of the two in one value.
    pub(super) fn stops(&mut self, bag: &Bag) -> Option<(Dyadic, Dyadic, Dyadic)> {
        let values = &self.memory.arena.values;
        let (mut least, mut most, mut jump) = Default::default();
        for &value in bag.hot.iter().chain([&bag.cold]) {
            let (left, right) = (values.left_stop(value), values.right_stop(value));
            least = right.plus(least).ok()?;
            most = left.plus(most).ok()?;
            jump = left.minus(right).ok()?.max(jump);
        }
        Some((least, most, jump))
    }

    /// Whether the side to move wins.
    pub(super) fn wins(&mut self, bag: &Bag, mover: Side) -> Result<bool, Stopped> {
        if let Some(wins) = self.seen(bag, mover) {
            return Ok(wins);
        }
        loop {
            let entry = self.deepen(bag, bag.key(mover), mover, (ENDLESS, ENDLESS))?;
            if entry.win == 0 || entry.loss == 0 {
                return Ok(entry.win == 0);
            }
        }
    }

    /// The same, if it is known.
    pub(super) fn known(&mut self, bag: &Bag, mover: Side) -> Option<bool> {
        if let Some(wins) = self.seen(bag, mover) {
            return Some(wins);
        }
        let entry = self.memory.table.get(&bag.key(mover))?;
        (entry.win == 0 || entry.loss == 0).then_some(entry.win == 0)
    }

    fn store(&mut self, key: u128, entry: Entry) -> Entry {
        let table = &mut self.memory.table;
        if table.len() >= MOST_HELD {
            table.clear();
        }
        table.insert(key, entry);
        entry
    }

    /// What is known of a bag, or guessed.
    fn entry(&mut self, bag: &Bag, key: u128, mover: Side) -> Entry {
        if let Some(&entry) = self.memory.table.get(&key) {
            return entry;
        }
        match self.seen(bag, mover) {
            Some(true) => WON,
            Some(false) => LOST,
            None => {
                let ahead = self.ahead(bag);
                let ahead = if mover == Side::Max { ahead } else { -ahead };
                let guess = |x: f32| 1 + x.clamp(0.0, 30.0) as u32;
                Entry { win: guess(-ahead), loss: guess(ahead) }
            }
        }
    }

    /// By how much Left is ahead, about.
    fn ahead(&mut self, bag: &Bag) -> f32 {
        let game = self.game;
        let arena = self.arena();
        let mut ahead = 0.0;
        for &id in &bag.parts {
            ahead += arena.ahead(game, id);
        }
        for &value in bag.hot.iter().chain([&bag.cold]) {
            let (left, right) = (arena.values.left_stop(value), arena.values.right_stop(value));
            ahead += (left.to_f64() + right.to_f64()) as f32;
        }
        ahead
    }

    /// All that a side can do, each result once.
    fn children(&mut self, bag: &Bag, mover: Side) -> Result<Vec<Child>, Stopped> {
        let mut children: Vec<Child> = Vec::new();
        let (mut last, mut rest) = (None, Vec::new());
        for (at, piece) in bag.pieces().enumerate() {
            if last == Some(piece) {
                continue;
            }
            last = Some(piece);
            for result in self.results(piece, mover)? {
                self.works(u64::from(children.len() % 8 == 7))?;
                rest.clear();
                rest.extend(bag.pieces().enumerate().filter(|&(i, _)| i != at).map(|(_, p)| p));
                let next = self.bag(rest.drain(..).chain(result));
                let key = next.key(mover.other());
                if !children.iter().any(|child| child.key == key) {
                    let entry = self.entry(&next, key, mover.other());
                    children.push(Child { bag: next, key, entry });
                    if entry.loss == 0 {
                        return Ok(children);
                    }
                }
            }
        }
        Ok(children)
    }

    /// What is left of a piece behind each move of a side.
    fn results(&mut self, piece: Piece, side: Side) -> Result<Vec<Vec<Piece>>, Stopped> {
        let game = self.game;
        match piece {
            Piece::Part(id) => {
                let steps = self.arena().steps(game, id, side);
                let parts = |step: &Step| step.iter().map(|&id| Piece::Part(id)).collect();
                Ok(steps.iter().map(parts).collect())
            }
            Piece::Value(value) => {
                // Values that are used have all their options in memory, so there is room.
                let options = self.arena().options(value, side).map_err(|_| Stopped)?;
                Ok(options.into_iter().map(|value| vec![Piece::Value(value)]).collect())
            }
        }
    }

    /// Searches below a bag until its numbers reach the limits.
    fn deepen(
        &mut self,
        bag: &Bag,
        key: u128,
        mover: Side,
        (most_win, most_loss): (u32, u32),
    ) -> Result<Entry, Stopped> {
        self.look()?;
        if self.depth >= DEEPEST {
            return Err(Stopped);
        }
        let mut children = self.children(bag, mover)?;
        if children.is_empty() {
            return Ok(self.store(key, LOST));
        }
        loop {
            // Moves can be played in any order, so the same position is behind many of them: the
            // greatest number counts, and one for each of the others (T. Ueda and others, 2008).
            let (mut best, mut least, mut second) = (0, u32::MAX, u32::MAX);
            let (mut most, mut others) = (0, 0);
            for (i, child) in children.iter().enumerate() {
                let Entry { win, loss } = child.entry;
                if loss < least {
                    (best, second, least) = (i, least, loss);
                } else {
                    second = second.min(loss);
                }
                if win > 0 {
                    most = most.max(win);
                    others += 1;
                }
            }
            let loss = match others {
                0 => 0,
                n => {
                    if most >= ENDLESS {
                        ENDLESS
                    } else {
                        most + n - 1
                    }
                }
            };
            let entry =
                Entry { win: least.min(ENDLESS), loss: if least == 0 { ENDLESS } else { loss } };
            if entry.win == 0 || entry.loss == 0 || entry.win >= most_win || entry.loss >= most_loss
            {
                let entry = if entry.loss == 0 { LOST } else { entry };
                return Ok(self.store(key, entry));
            }
            let enough = second.saturating_add(1 + second / 4).min(most_win);
            let child_win = most_loss.saturating_sub(others - 1).min(ENDLESS);
            let Child { bag, key, .. } = &children[best];
            let (bag, key) = (bag.clone(), *key);
            self.depth += 1;
            let entry = self.deepen(&bag, key, mover.other(), (child_win, enough));
            self.depth -= 1;
            children[best].entry = entry?;
        }
    }
}

/// Whether nobody is in a hurry to move in a value.
pub(super) fn is_cold(arena: &Arena, value: Value) -> bool {
    arena.values.left_stop(value) == arena.values.right_stop(value)
}
