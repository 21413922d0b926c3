//! A table that several threads share.
//!
//! Every bucket has a lock of its own. Threads meet in one bucket of millions so seldom that a lock
//! costs what two atomic operations cost. The buckets as a whole stand behind a lock that each thread
//! holds for reading through its [`Handle`]; it gives it up for a moment where its search looks around
//! ([`Handle::rest`]), and only if the table is to grow. So nothing else is shared by an access.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use super::{AT_ONCE, Quick, SMALLEST, Slot, WAYS, find_in, give_up_least, rank, room_in};

/// New entries are counted by their thread, and told to the others when there are so many.
const TOLD: usize = 64;

type Bucket<K, V, Q> = Mutex<[Option<Slot<K, V, Q>>; WAYS]>;
type Buckets<K, V, Q> = Vec<Bucket<K, V, Q>>;

/// What several threads share; each has a [`Handle`] on it. Like [`super::Table`] it never takes more
/// than its budget, grows while it may, and then gives up what took the least work; or it keeps what
/// it has, and takes no more.
pub(crate) struct SharedTable<K, V, Q = ()> {
    /// A power of two of them.
    buckets: RwLock<Buckets<K, V, Q>>,
    /// How many entries there are, but for those that threads have not told yet.
    used: AtomicUsize,
    /// How many threads wait to make it larger. One that is done with it must not hide that another one
    /// still waits: nobody would rest for that one.
    wanted: AtomicUsize,
    /// The most buckets.
    most: usize,
    keep: bool,
}

impl<K, V, Q> SharedTable<K, V, Q>
where
    K: Clone + Eq + std::hash::Hash,
    V: Copy,
    Q: Copy + Eq + std::hash::Hash,
{
    /// A table of at most this many bytes.
    pub(crate) fn new(bytes: u64, keep: bool) -> SharedTable<K, V, Q> {
        // While it grows, the old table stands beside the new one.
        let fit = usize::try_from(bytes).unwrap_or(usize::MAX) / bucket::<K, V, Q>() * 2 / 3;
        let most = if fit < 2 { 1 } else { 1 << fit.ilog2() };
        let start = (SMALLEST / WAYS).min(most);
        SharedTable {
            buckets: RwLock::new((0..start).map(|_| empty()).collect()),
            used: AtomicUsize::new(0),
            wanted: AtomicUsize::new(0),
            most,
            keep,
        }
    }

    /// A hold on the table, for one thread. One of the threads `leads`: it makes the table larger, so
    /// that it can be asked meanwhile whether to go on; the others do so only if it does not come to
    /// it. A thread that waits for others, other than for a lock of the table, must not hold one
    /// ([`Handle::away`]).
    pub(crate) fn handle(&self, leads: bool) -> Handle<'_, K, V, Q> {
        let buckets = self.buckets.read().unwrap_or_else(PoisonError::into_inner);
        let used = self.used.load(Ordering::Relaxed);
        Handle { table: self, buckets: Some(buckets), added: 0, used, leads }
    }

    /// Puts an entry into buckets that nobody else sees. Whether it is one more.
    fn place(buckets: &mut Buckets<K, V, Q>, keep: bool, new: Slot<K, V, Q>) -> bool {
        let start = place_in(buckets.len(), &new.key, new.about);
        let mut at = start;
        loop {
            let bucket = buckets[at].get_mut().unwrap_or_else(PoisonError::into_inner);
            if let Some(i) = room_in(bucket, &new) {
                let more = bucket[i].is_none();
                bucket[i] = Some(new);
                return more;
            }
            if !keep {
                give_up_least(bucket, new);
                return false;
            }
            at = (at + 1) & (buckets.len() - 1);
            if at == start {
                return false;
            }
        }
    }
}

fn empty<K, V, Q>() -> Bucket<K, V, Q> {
    Mutex::new([const { None }; WAYS])
}

/// How many bytes a bucket takes.
fn bucket<K, V, Q>() -> usize {
    size_of::<Bucket<K, V, Q>>()
}

/// The number of the bucket, of so many, in which a position is looked for.
#[inline]
fn place_in<K: std::hash::Hash, Q: std::hash::Hash>(buckets: usize, key: &K, about: Q) -> usize {
    use std::hash::BuildHasher;
    // The same bucket as in a table of one's own.
    (Quick::default().hash_one((key, about)) as usize / WAYS) & (buckets - 1)
}

/// A thread's hold on a table that it shares. Places that it tells are good until it rests, is away,
/// or makes the table larger.
pub(crate) struct Handle<'t, K, V, Q = ()> {
    table: &'t SharedTable<K, V, Q>,
    /// Always there, but for a moment.
    buckets: Option<RwLockReadGuard<'t, Buckets<K, V, Q>>>,
    /// Entries that it has not told of.
    added: usize,
    /// How many entries there were when it last told.
    used: usize,
    leads: bool,
}

/// Nothing that searches ask is inlined, and all of it stands out of the way: it would make the loops of
/// searches by one thread slower.
impl<'t, K, V, Q> Handle<'t, K, V, Q>
where
    K: Clone + Eq + std::hash::Hash,
    V: Copy,
    Q: Copy + Eq + std::hash::Hash,
{
    /// The table that it holds.
    pub(crate) fn table(&self) -> &'t SharedTable<K, V, Q> {
        self.table
    }

    #[inline]
    fn buckets(&self) -> &[Bucket<K, V, Q>] {
        self.buckets.as_ref().map_or(&[], |buckets| buckets.as_slice())
    }

    /// How many buckets there are.
    pub(super) fn len(&self) -> usize {
        self.buckets().len()
    }

    /// Looks at the entries of a bucket.
    pub(super) fn look_into(&self, number: usize, look: impl FnMut(&Slot<K, V, Q>)) {
        lock(&self.buckets()[number]).iter().flatten().for_each(look);
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.buckets().len() * bucket::<K, V, Q>()) as u64
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn place_of(&self, key: &K, about: Q) -> usize {
        place_in(self.buckets().len(), key, about)
    }

    /// Sends for a place in memory: questions that need no lock, whose answers nobody waits for.
    #[cold]
    #[inline(never)]
    pub(crate) fn fetch(&self, place: usize) {
        let buckets = self.buckets();
        // The next bucket's lock stands where this one ends, and mostly in its last line of memory. The
        // operations of a lock wait for what was read before them, so no line is to be missing then.
        for bucket in buckets[place..].iter().take(2) {
            std::hint::black_box(bucket.is_poisoned());
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn get(&self, key: &K, about: Q) -> Option<V> {
        self.get_at(self.place_of(key, about), key, about)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn get_at(&self, place: usize, key: &K, about: Q) -> Option<V> {
        let buckets = self.buckets();
        let mut at = place;
        loop {
            let bucket = lock(&buckets[at]);
            let found = find_in(bucket.as_slice(), key, about);
            if found.is_some() || !self.table.keep || bucket.iter().any(Option::is_none) {
                return found;
            }
            // Where entries are kept, those that did not fit stand in the next bucket. The number of
            // entries is not known to the last one: the table may be full.
            at = (at + 1) & (buckets.len() - 1);
            if at == place {
                return None;
            }
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn put(&mut self, key: K, about: Q, value: V, work: u64) {
        self.put_slot(Slot { key, value, about, work: rank(work) });
    }

    #[inline]
    pub(super) fn put_slot(&mut self, new: Slot<K, V, Q>) {
        let buckets = self.buckets.as_ref().map_or(&[][..], |buckets| buckets.as_slice());
        let (slots, used) = (buckets.len() * WAYS, self.used + self.added);
        if self.table.keep && (used * 8 > slots * 7 || used + 1 >= slots) {
            return;
        }
        let place = place_in(buckets.len(), &new.key, new.about);
        let mut at = place;
        loop {
            let mut bucket = lock(&buckets[at]);
            if let Some(i) = room_in(bucket.as_slice(), &new) {
                self.added += usize::from(bucket[i].is_none());
                bucket[i] = Some(new);
                break;
            }
            if !self.table.keep {
                give_up_least(bucket.as_mut_slice(), new);
                break;
            }
            at = (at + 1) & (buckets.len() - 1);
            if at == place {
                break;
            }
        }
        if self.added >= TOLD {
            self.tell();
        }
    }

    /// Tells the others of new entries, and hears of theirs.
    fn tell(&mut self) {
        let added = std::mem::take(&mut self.added);
        self.used = self.table.used.fetch_add(added, Ordering::Relaxed) + added;
    }

    /// Whether this thread is to make it larger.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_crowded(&self) -> bool {
        // Half full, or three quarters.
        let (of, full) = if self.leads { (2, 1) } else { (4, 3) };
        let buckets = self.buckets().len();
        self.used * of > buckets * WAYS * full && buckets < self.table.most
    }

    /// Lets the table grow if it is to. To be called often: the others wait for it.
    #[cold]
    #[inline(never)]
    pub(crate) fn rest(&mut self) {
        if self.table.wanted.load(Ordering::Relaxed) > 0 {
            self.away(|| ());
        } else if self.leads {
            self.tell();
        }
    }

    /// Does something that takes long, or waits for other threads. The table may grow meanwhile.
    #[cold]
    pub(crate) fn away<R>(&mut self, work: impl FnOnce() -> R) -> R {
        self.tell();
        self.buckets = None;
        let result = work();
        self.buckets = Some(self.table.buckets.read().unwrap_or_else(PoisonError::into_inner));
        result
    }

    /// Makes it twice as large when all others rest, if it still is crowded and may grow. `goes_on` is
    /// asked now and then; if the search is to end, entries may be lost.
    #[cold]
    pub(crate) fn grow(&mut self, goes_on: &mut dyn FnMut() -> bool) {
        let table = self.table;
        self.away(|| {
            table.wanted.fetch_add(1, Ordering::Relaxed);
            let mut buckets = table.buckets.write().unwrap_or_else(PoisonError::into_inner);
            table.wanted.fetch_sub(1, Ordering::Relaxed);
            let crowded = table.used.load(Ordering::Relaxed) * 2 > buckets.len() * WAYS;
            if !crowded || buckets.len() >= table.most {
                return;
            }
            if let Some(used) = table.make_larger(&mut buckets, goes_on) {
                table.used.store(used, Ordering::Relaxed);
            }
        });
        self.used = table.used.load(Ordering::Relaxed);
    }
}

impl<K, V, Q> SharedTable<K, V, Q>
where
    K: Clone + Eq + std::hash::Hash,
    V: Copy,
    Q: Copy + Eq + std::hash::Hash,
{
    /// Twice as many buckets, and how many entries they hold; nothing if it is to end before that.
    fn make_larger(
        &self,
        buckets: &mut Buckets<K, V, Q>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<usize> {
        let larger = buckets.len() * 2;
        let mut new = Vec::with_capacity(larger);
        while new.len() < larger {
            new.resize_with(larger.min(new.len() + AT_ONCE / WAYS), empty);
            if !goes_on() {
                return None;
            }
        }
        let old = std::mem::replace(buckets, new);
        let mut used = 0;
        for (at, bucket) in old.into_iter().enumerate() {
            if at.is_multiple_of(AT_ONCE / WAYS) && !goes_on() {
                break;
            }
            let bucket = bucket.into_inner().unwrap_or_else(PoisonError::into_inner);
            for slot in bucket.into_iter().flatten() {
                used += usize::from(Self::place(buckets, self.keep, slot));
            }
        }
        Some(used)
    }
}

impl<K, V, Q> Drop for Handle<'_, K, V, Q> {
    fn drop(&mut self) {
        self.table.used.fetch_add(self.added, Ordering::Relaxed);
    }
}

#[inline]
fn lock<T>(bucket: &Mutex<T>) -> MutexGuard<'_, T> {
    // A bucket is whole at every moment: who panics with its lock has not begun to write.
    bucket.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads put and look up keys of a common range, the first one making room.
    fn hammer(bytes: u64, keep: bool, keys: u64, rounds: u64) -> SharedTable<u64, u64, u16> {
        let table: SharedTable<u64, u64, u16> = SharedTable::new(bytes, keep);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    let mut handle = table.handle(thread == 0);
                    let mut rng = foregone_model::Rng::new(thread);
                    for round in 0..rounds {
                        let key = u64::from(rng.below(keys as u32));
                        let about = (key % 3) as u16;
                        let found = handle.get(&key, about);
                        assert!(found.is_none_or(|v| v == key * 7), "{key}: {found:?}");
                        assert_eq!(handle.get(&key, about + 1), None);
                        handle.put(key, about, key * 7, round);
                        if handle.is_crowded() {
                            handle.grow(&mut || true);
                        }
                        if round % 16 == 0 {
                            handle.rest();
                            assert!(handle.bytes() <= bytes);
                        }
                    }
                });
            }
        });
        table
    }

    #[test]
    fn threads_share_a_table_that_grows_and_never_see_a_wrong_value() {
        let table = hammer(1 << 24, false, 100_000, 200_000);
        let handle = table.handle(true);
        // It grew, and holds nearly all of them.
        assert!(handle.bytes() > 1 << 21, "{}", handle.bytes());
        let held = (0..100_000u64).filter(|k| handle.get(k, (k % 3) as u16) == Some(k * 7));
        assert!(held.count() > 95_000);
    }

    #[test]
    fn a_shared_table_keeps_its_budget() {
        let table = hammer(1 << 17, false, 100_000, 50_000);
        let handle = table.handle(true);
        assert!(handle.bytes() <= 1 << 17);
        assert!((0..100_000u64).any(|k| handle.get(&k, (k % 3) as u16).is_some()));
    }

    #[test]
    fn a_shared_table_that_keeps_loses_nothing_while_it_may_grow() {
        let table: SharedTable<u64, u64> = SharedTable::new(1 << 26, true);
        std::thread::scope(|scope| {
            for thread in 0..3u64 {
                let table = &table;
                scope.spawn(move || {
                    let mut handle = table.handle(thread == 0);
                    for key in 0..30_000 {
                        handle.put(key * 3 + thread, (), key, 1);
                        if handle.is_crowded() {
                            handle.grow(&mut || true);
                        }
                        handle.rest();
                    }
                });
            }
        });
        let handle = table.handle(false);
        let held = |key: u64| (0..3).all(|t| handle.get(&(key * 3 + t), ()) == Some(key));
        assert!((0..30_000u64).all(held));
    }

    #[test]
    fn looking_ends_in_the_smallest_shared_tables() {
        for bytes in [1, 100, 400, 1000] {
            let table: SharedTable<u64, u64> = SharedTable::new(bytes, true);
            let (mut one, mut other) = (table.handle(true), table.handle(false));
            for key in 0..100u64 {
                one.put(key, (), key, 1);
                other.put(key + 1000, (), key, 1);
            }
            assert!((0..100u64).any(|key| other.get(&key, ()) == Some(key)));
            assert_eq!(one.get(&5000, ()), None);
        }
    }

    #[test]
    fn a_shared_table_that_is_to_end_does_not_grow() {
        let table: SharedTable<u64, u64> = SharedTable::new(1 << 26, false);
        let mut handle = table.handle(true);
        let mut key = 0;
        while !handle.is_crowded() {
            handle.put(key, (), key, 1);
            key += 1;
        }
        let before = handle.bytes();
        handle.grow(&mut || false);
        assert_eq!(handle.bytes(), before);
        let held = |handle: &Handle<'_, u64, u64>| {
            (0..key).filter(|key| handle.get(key, ()) == Some(*key)).count()
        };
        let found = held(&handle);
        assert!(found * 10 > key as usize * 9, "{found} of {key}");
        handle.grow(&mut || true);
        assert_eq!(handle.bytes(), 2 * before);
        assert_eq!(held(&handle), found);
        // No longer crowded, it stays.
        handle.grow(&mut || true);
        assert_eq!(handle.bytes(), 2 * before);
    }
}
