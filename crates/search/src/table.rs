//! Tables of positions within a budget of memory, and the hashing of positions.

use std::hash::{BuildHasherDefault, Hasher};
use std::num::NonZeroU8;

use crate::chunks::Chunks;

mod held;
mod saved;
mod shared;

pub(crate) use held::Held;
pub(crate) use shared::SharedTable;

/// A hash builder without a secret: the same run twice does the same. Tables compare whole
/// positions, so a collision costs time, never truth.
pub(crate) type Quick = BuildHasherDefault<QuickHasher>;

/// Multiply and fold, a word at a time (as in W. Yi's wyhash): positions are a few words long. The
/// crate rustc-hash multiplies once a word and does not fold: on boards whose bits stand close
/// together, entries crowd, and `solve atari-go:4x5` took a third more time, `connect-four:6x6` 4 %.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct QuickHasher(u64);

impl QuickHasher {
    #[inline]
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from(0xa076_1d64_78bd_642f_u64);
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}

impl Hasher for QuickHasher {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        // Mostly words: positions are made of them.
        let (words, rest) = bytes.as_chunks::<8>();
        for &word in words {
            self.mix(u64::from_le_bytes(word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.mix(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.mix(u64::from(n));
    }

    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.mix(u64::from(n));
    }

    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.mix(u64::from(n));
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.mix(n);
    }

    #[inline]
    fn write_u128(&mut self, n: u128) {
        self.mix(n as u64);
        self.mix((n >> 64) as u64);
    }

    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.mix(n as u64);
    }

    #[inline]
    fn write_isize(&mut self, n: isize) {
        self.mix(n as u64);
    }
}

/// How many slots stand beside one another, to be chosen among.
const WAYS: usize = 4;
/// How many slots are moved between two questions whether to go on.
const AT_ONCE: usize = 1 << 15;
/// The smallest table.
const SMALLEST: usize = 1 << 12;

/// A table of positions that never takes more than its budget. It grows while it may; when it
/// may not, a new entry replaces the one in its bucket that took the least work to find out. An
/// entry may be the answer to one question `Q` of several about its position.
pub(crate) struct Table<K, V, Q = ()> {
    /// Those before the first bucket, and then a power of two of them.
    slots: Slots<K, V, Q>,
    /// How many come before the first bucket.
    skipped: usize,
    /// How many there are in buckets.
    len: usize,
    used: usize,
    most: usize,
    /// Entries are never given up: a full table takes no more.
    keep: bool,
}

type Slots<K, V, Q> = Vec<Option<Slot<K, V, Q>>>;

#[derive(Clone)]
struct Slot<K, V, Q> {
    key: K,
    value: V,
    about: Q,
    /// The logarithm of the work, in quarters: it only ranks entries. Never 0, so that a free
    /// slot takes no more than a used one.
    work: NonZeroU8,
}

/// What the machine gets from memory at once.
const LINE: usize = 64;

/// Room for so many slots, and how many of them to skip so that buckets begin where lines of memory
/// do: a bucket that lies across two of them costs twice.
fn room_for<K, V, Q>(slots: usize) -> (Slots<K, V, Q>, usize) {
    let room: Slots<K, V, Q> = Vec::with_capacity(slots + WAYS);
    let (start, size) = (room.as_ptr().addr(), size_of::<Option<Slot<K, V, Q>>>());
    let skipped = (0..WAYS).find(|i| (start + i * size).is_multiple_of(LINE));
    (room, skipped.unwrap_or(0))
}

fn rank(work: u64) -> NonZeroU8 {
    let n = work.max(1);
    let octave = 63 - n.leading_zeros();
    let quarter = if octave >= 2 { (n >> (octave - 2)) & 3 } else { 0 };
    NonZeroU8::MIN.saturating_add((octave * 4).min(248) as u8 + quarter as u8)
}

impl<K, V, Q> Table<K, V, Q>
where
    K: Clone + Eq + std::hash::Hash,
    V: Copy,
    Q: Copy + Eq + std::hash::Hash,
{
    /// A table of at most this many bytes.
    pub(crate) fn new(bytes: u64, keep: bool) -> Table<K, V, Q> {
        let slot = size_of::<Option<Slot<K, V, Q>>>();
        // While it grows, the old table stands beside the new one.
        let fit = usize::try_from(bytes).unwrap_or(usize::MAX) / slot * 2 / 3;
        let most = if fit < 2 { 1 } else { 1 << fit.ilog2() };
        let start = SMALLEST.min(most).max(WAYS);
        let (mut slots, skipped) = room_for(start);
        slots.resize(skipped + start, None);
        Table { slots, skipped, len: start, used: 0, most: most.max(WAYS), keep }
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.len * size_of::<Option<Slot<K, V, Q>>>()) as u64
    }

    /// The place where a position is looked for.
    #[inline]
    pub(crate) fn place_of(&self, key: &K, about: Q) -> usize {
        use std::hash::BuildHasher;
        (Quick::default().hash_one((key, about)) as usize & (self.len - 1)) & !(WAYS - 1)
    }

    #[inline]
    fn bucket(&self, place: usize) -> &[Option<Slot<K, V, Q>>] {
        &self.slots[self.skipped + place..self.skipped + place + WAYS]
    }

    /// Sends for a place in memory. Nothing waits for it, so that several can be on their way at
    /// once.
    #[inline]
    pub(crate) fn fetch(&self, place: usize) {
        for slot in self.bucket(place) {
            std::hint::black_box(slot.is_some());
        }
    }

    #[inline]
    pub(crate) fn get(&self, key: &K, about: Q) -> Option<V> {
        self.get_at(self.place_of(key, about), key, about)
    }

    /// The same for a position whose place is known.
    #[inline]
    pub(crate) fn get_at(&self, mut at: usize, key: &K, about: Q) -> Option<V> {
        loop {
            let bucket = self.bucket(at);
            if let Some(value) = find_in(bucket, key, about) {
                return Some(value);
            }
            // Where entries are kept, those that did not fit stand in the next bucket.
            if !self.keep || bucket.iter().any(Option::is_none) {
                return None;
            }
            at = (at + WAYS) & (self.len - 1);
        }
    }

    pub(crate) fn put(&mut self, key: K, about: Q, value: V, work: u64) {
        if self.is_crowded() {
            self.grow(&mut || true);
        }
        // A free slot must stay, even in the smallest table: it is where looking ends.
        let full = self.used * 8 > self.len * 7 || self.used + 1 >= self.len;
        if self.keep && full {
            return;
        }
        self.place(Slot { key, value, about, work: rank(work) });
    }

    fn place(&mut self, new: Slot<K, V, Q>) {
        let mut at = self.place_of(&new.key, new.about);
        loop {
            let first = self.skipped + at;
            let bucket = &mut self.slots[first..first + WAYS];
            if let Some(i) = room_in(bucket, &new) {
                self.used += usize::from(bucket[i].is_none());
                bucket[i] = Some(new);
                return;
            }
            if !self.keep {
                return give_up_least(bucket, new);
            }
            at = (at + WAYS) & (self.len - 1);
        }
    }

    /// Whether the next entry makes it larger.
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        // Half full, one bucket in twenty is already too small.
        self.used * 2 > self.len && self.len < self.most
    }

    /// Makes it twice as large. Millions of entries take seconds: `goes_on` is asked now and then,
    /// and if the search is to end, entries may be lost.
    #[cold]
    pub(crate) fn grow(&mut self, goes_on: &mut dyn FnMut() -> bool) {
        let larger = self.len * 2;
        let (mut slots, skipped) = room_for(larger);
        // What is skipped depends on the allocator. How often `goes_on` is asked must not.
        slots.resize(skipped, None);
        while slots.len() < skipped + larger {
            slots.resize((skipped + larger).min(slots.len() + AT_ONCE), None);
            if !goes_on() {
                return;
            }
        }
        let old = std::mem::replace(&mut self.slots, slots);
        let old = old.into_iter().skip(self.skipped);
        (self.used, self.len, self.skipped) = (0, larger, skipped);
        for (at, slot) in old.enumerate() {
            if at.is_multiple_of(AT_ONCE) && !goes_on() {
                return;
            }
            if let Some(slot) = slot {
                self.place(slot);
            }
        }
    }
}

/// The answer to a question about a position, if the bucket has it.
#[inline]
fn find_in<K: Eq, V: Copy, Q: Eq>(
    bucket: &[Option<Slot<K, V, Q>>],
    key: &K,
    about: Q,
) -> Option<V> {
    let same = |slot: &&Slot<K, V, Q>| slot.key == *key && slot.about == about;
    bucket.iter().flatten().find(same).map(|slot| slot.value)
}

/// Where an entry goes that is in the bucket already, or for which it has a free slot.
#[inline]
fn room_in<K: Eq, V, Q: Eq>(
    bucket: &[Option<Slot<K, V, Q>>],
    new: &Slot<K, V, Q>,
) -> Option<usize> {
    let is_same = |slot: &Slot<K, V, Q>| slot.key == new.key && slot.about == new.about;
    let same = bucket.iter().position(|s| s.as_ref().is_some_and(is_same));
    same.or_else(|| bucket.iter().position(Option::is_none))
}

/// Puts an entry in the place of the one that took the least work.
fn give_up_least<K, V, Q>(bucket: &mut [Option<Slot<K, V, Q>>], new: Slot<K, V, Q>) {
    let least = bucket.iter_mut().min_by_key(|s| s.as_ref().map(|s| s.work));
    if let Some(slot) = least {
        *slot = Some(new);
    }
    // Old entries wear off, so that a bucket does not fill with what is long past.
    for slot in bucket.iter_mut().flatten() {
        slot.work = NonZeroU8::new(slot.work.get() - 1).unwrap_or(NonZeroU8::MIN);
    }
}

/// Finds states that stand in a list of their own by their hash: a place holds the number of a
/// state and half of its hash. It is made anew from the list when it grows, the old one being gone
/// by then, so that there are never two of them.
pub(crate) struct Index {
    /// A power of two of them; 0 is a free one.
    places: Vec<u64>,
}

impl Index {
    pub(crate) fn new() -> Index {
        Index { places: vec![0; 64] }
    }

    /// How many places there are.
    pub(crate) fn places(&self) -> usize {
        self.places.len()
    }

    /// An index of so many places for these states, if so many can be.
    pub(crate) fn of<K: std::hash::Hash>(places: usize, list: &Chunks<K>) -> Option<Index> {
        let least = places_for(list.len());
        let fits = places.is_power_of_two() && places >= least && places / 64 <= least;
        let mut index = fits.then(|| Index { places: vec![0; places] })?;
        for (number, key) in list.iter().enumerate() {
            index.add(Index::hash(key), number as u32);
        }
        Some(index)
    }

    #[inline]
    pub(crate) fn hash<K: std::hash::Hash>(key: &K) -> u32 {
        use std::hash::BuildHasher;
        Quick::default().hash_one(key) as u32
    }

    /// The number of the state with this hash that `is_it`.
    #[inline]
    pub(crate) fn find(&self, hash: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let last = self.places.len() - 1;
        let mut at = hash as usize & last;
        loop {
            let place = self.places[at];
            if place == 0 {
                return None;
            }
            let number = place as u32 - 1;
            if (place >> 32) as u32 == hash && is_it(number) {
                return Some(number);
            }
            at = (at + 1) & last;
        }
    }

    /// How many bytes more it takes once it holds so many states.
    #[inline]
    pub(crate) fn growth(&self, states: usize) -> u64 {
        (places_for(states).saturating_sub(self.places.len()) * size_of::<u64>()) as u64
    }

    /// Makes room for so many states, of which these are there already.
    #[inline]
    pub(crate) fn reserve<K: std::hash::Hash>(&mut self, states: usize, list: &Chunks<K>) {
        let wanted = places_for(states);
        if wanted > self.places.len() {
            self.places = Vec::new();
            self.places = vec![0; wanted];
            for (number, key) in list.iter().enumerate() {
                self.add(Index::hash(key), number as u32);
            }
        }
    }

    /// Adds a number that is not there. There must be room.
    #[inline]
    pub(crate) fn add(&mut self, hash: u32, number: u32) {
        let last = self.places.len() - 1;
        let mut at = hash as usize & last;
        while self.places[at] != 0 {
            at = (at + 1) & last;
        }
        self.places[at] = u64::from(hash) << 32 | u64::from(number + 1);
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.places.len() * size_of::<u64>()) as u64
    }
}

/// At most three places of four are taken.
#[inline]
fn places_for(states: usize) -> usize {
    (states + states / 3 + 1).next_power_of_two()
}

/// Finds a state of the path. The hashes of a short one are looked through; of a long one there is
/// an index, or every step of a long play would cost its length.
pub(crate) struct OnPath<S> {
    /// Of the first states of the path.
    hashes: Vec<u32>,
    index: std::collections::HashMap<S, u32, Quick>,
    /// How many states of the path the index holds.
    holds: usize,
}

/// A path of so many states is looked through.
const SHORT: usize = 64;

impl<S: Clone + Eq + std::hash::Hash> OnPath<S> {
    pub(crate) fn new() -> OnPath<S> {
        OnPath { hashes: Vec::new(), index: std::collections::HashMap::default(), holds: 0 }
    }

    /// The place of a state among the first `length` ones of the path.
    #[inline]
    pub(crate) fn find<'p>(
        &mut self,
        s: &S,
        length: usize,
        state: impl Fn(usize) -> &'p S,
    ) -> Option<usize>
    where
        S: 'p,
    {
        if length <= SHORT {
            while self.hashes.len() < length {
                self.hashes.push(Index::hash(state(self.hashes.len())));
            }
            let hash = Index::hash(s);
            let hashes = self.hashes[..length].iter().enumerate();
            return hashes
                .filter(|&(_, &h)| h == hash)
                .map(|(at, _)| at)
                .find(|&at| state(at) == s);
        }
        while self.holds < length {
            self.index.insert(state(self.holds).clone(), self.holds as u32);
            self.holds += 1;
        }
        self.index.get(s).map(|&at| at as usize).filter(|&at| at < length)
    }

    /// Says that a state left the end of the path, which has this length now.
    #[inline]
    pub(crate) fn left(&mut self, s: &S, length: usize) {
        self.hashes.truncate(length);
        if self.holds > length {
            self.index.remove(s);
            self.holds = length;
        }
    }

    /// Says that the path begins anew.
    pub(crate) fn clear(&mut self) {
        self.hashes.clear();
        self.index.clear();
        self.holds = 0;
    }

    pub(crate) fn bytes(&self) -> u64 {
        let index = self.index.capacity() * (size_of::<(S, u32)>() + 1);
        (index + self.hashes.capacity() * size_of::<u32>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_its_budget_and_its_expensive_entries() {
        let mut table: Table<u64, u64> = Table::new(1 << 18, false);
        for key in 0..200u64 {
            table.put(key << 32, (), key, 1_000_000);
        }
        for key in 0..20_000u64 {
            table.put(key, (), key, 2);
            assert!(table.bytes() <= 1 << 18);
        }
        let kept = (0..200u64).filter(|key| table.get(&(key << 32), ()) == Some(*key)).count();
        assert!(kept > 190, "{kept}");
        for key in 0..20_000u64 {
            assert!(table.get(&key, ()).is_none_or(|v| v == key));
        }
    }

    #[test]
    fn a_table_that_keeps_loses_nothing_while_it_may_grow() {
        let mut table: Table<u64, u64> = Table::new(1 << 26, true);
        for key in 0..50_000u64 {
            table.put(key, (), key, 1);
        }
        assert!((0..50_000u64).all(|key| table.get(&key, ()) == Some(key)));
    }

    #[test]
    fn looking_ends_in_the_smallest_tables() {
        for bytes in [1, 100, 400, 1000] {
            let mut table: Table<u64, u64> = Table::new(bytes, true);
            for key in 0..100u64 {
                table.put(key, (), key, 1);
            }
            assert!((0..100u64).any(|key| table.get(&key, ()) == Some(key)));
            assert!(table.get(&1000, ()).is_none());
        }
    }

    #[test]
    fn questions_about_a_position_have_their_own_answers_and_cost_nothing() {
        let mut table: Table<u64, (u64, u32), u16> = Table::new(1 << 26, false);
        for about in 0..100u16 {
            table.put(7, about, (u64::from(about), 0), 1);
        }
        assert!((0..100).all(|about| table.get(&7, about) == Some((u64::from(about), 0))));
        assert_eq!(table.get(&8, 0), None);
        type With<Q> = Option<Slot<u64, (u32, u32, u32), Q>>;
        assert_eq!((size_of::<With<()>>(), size_of::<With<u16>>()), (24, 24));
    }

    #[test]
    fn more_work_ranks_higher() {
        let works = [1, 2, 3, 9, 40, 100, 1000, 1_000_000, u64::MAX];
        assert!(works.windows(2).all(|w| rank(w[0]) <= rank(w[1])), "{:?}", works.map(rank));
        assert!(rank(1) < rank(1000) && rank(1000) < rank(100_000));
    }

    #[test]
    fn an_index_finds_what_was_added_and_nothing_else() {
        let keys: Vec<u64> = (0..10_000).map(|i| i * i).collect();
        let (mut index, mut list) = (Index::new(), Chunks::new());
        for (number, key) in keys.iter().enumerate() {
            let before = index.bytes();
            let growth = index.growth(list.len() + 1);
            index.reserve(list.len() + 1, &list);
            assert_eq!(index.bytes(), before + growth);
            index.add(Index::hash(key), number as u32);
            list.push(*key);
        }
        let find = |key: u64| index.find(Index::hash(&key), |i| list[i] == key);
        assert!((0..10_000u64).all(|i| find(i * i) == Some(i as u32)));
        assert_eq!(find(2), None);
    }

    #[test]
    fn a_table_that_is_to_end_does_not_grow_on() {
        let mut table: Table<u64, u64> = Table::new(1 << 26, true);
        let mut key = 0;
        while table.len < 4 * AT_ONCE || !table.is_crowded() {
            table.put(key, (), key, 1);
            key += 1;
        }
        let before = table.len;
        // Asked at once, it stays as it is.
        table.grow(&mut || false);
        assert_eq!(table.len, before);
        assert!((0..key).all(|key| table.get(&key, ()) == Some(key)));
        // Asked while entries move, it loses some, and what it has is right.
        let mut questions = 0;
        table.grow(&mut || {
            questions += 1;
            questions < before / AT_ONCE * 2 + 3
        });
        assert_eq!(table.len, 2 * before);
        let found = (0..key).filter(|key| match table.get(key, ()) {
            Some(value) => value == *key,
            None => false,
        });
        let found = found.count() as u64;
        assert!(0 < found && found < key, "{found} of {key}");
    }

    /// It was so, and the same job twice did not have the same progress.
    #[test]
    fn how_often_a_growing_table_asks_does_not_depend_on_where_it_lies() {
        for _ in 0..20 {
            let mut table: Table<u64, u64> = Table::new(1 << 24, true);
            while table.len < 4 * AT_ONCE {
                let (before, mut questions) = (table.len, 0);
                // Half a line of memory further than it would be.
                let skipped = usize::from(table.skipped == 0);
                table.slots.splice(0..table.skipped, vec![None; skipped]);
                table.skipped = skipped;
                table.grow(&mut || {
                    questions += 1;
                    true
                });
                let asked = (2 * before).div_ceil(AT_ONCE) + before.div_ceil(AT_ONCE);
                assert_eq!(questions, asked, "{before}");
            }
        }
    }

    #[test]
    fn a_state_is_found_on_short_and_long_paths_alike() {
        let mut path: Vec<u64> = Vec::new();
        let mut on_path = OnPath::new();
        let mut rng = foregone_model::Rng::new(1);
        for _ in 0..100_000 {
            let s = u64::from(rng.below(500));
            let found = on_path.find(&s, path.len(), |at| &path[at]);
            assert_eq!(found, path.iter().position(|p| *p == s), "{s} on {path:?}");
            // Mostly down, at times up a few states.
            if found.is_none() && rng.below(10) > 0 {
                path.push(s);
            } else {
                for _ in 0..rng.below(12) {
                    let Some(last) = path.pop() else { break };
                    on_path.left(&last, path.len());
                }
            }
        }
    }
}
