//! Tables written down and read back: a table of one's own with each entry in its place, a shared one
//! entry by entry, while other threads go on.

use std::io;
use std::num::NonZeroU8;

use super::shared::Handle;
use super::{Slot, Table, WAYS};
use crate::saved::{Reader, Writer};

/// So many slots have one word that says which of them are used.
const GROUP: usize = u64::BITS as usize;

impl<K, V, Q> Table<K, V, Q>
where
    K: Clone + Eq + std::hash::Hash,
    V: Copy,
    Q: Copy + Eq + std::hash::Hash,
{
    /// Writes the table down; `store` writes what an entry holds.
    pub(crate) fn save(
        &self,
        out: &mut Writer<'_>,
        store: impl Fn(&K, &V, Q, &mut Vec<u8>),
    ) -> io::Result<()> {
        out.put(&self.len)?;
        for group in self.slots[self.skipped..].chunks(GROUP) {
            let used = |(at, slot): (usize, &Option<_>)| u64::from(slot.is_some()) << at;
            let bytes = out.room()?;
            let set: u64 = group.iter().enumerate().map(used).sum();
            bytes.extend_from_slice(&set.to_le_bytes());
            for slot in group.iter().flatten() {
                bytes.push(slot.work.get());
                store(&slot.key, &slot.value, slot.about, bytes);
            }
        }
        Ok(())
    }

    /// Reads a table back in the place of this one. Nothing if it is damaged.
    pub(crate) fn restore(
        &mut self,
        from: &mut Reader<'_>,
        restore: impl Fn(&mut &[u8]) -> Option<(K, V, Q)>,
    ) -> Option<()> {
        let length = from.get::<usize>()?;
        if !length.is_power_of_two() || length < WAYS {
            return None;
        }
        // Buckets may lie across lines of memory until the table grows next.
        (self.slots, self.skipped, self.len, self.used) = (Vec::new(), 0, length, 0);
        while self.slots.len() < length {
            let set = from.get::<u64>()?;
            let group = GROUP.min(length - self.slots.len());
            if group < GROUP && set >> group != 0 {
                return None;
            }
            if self.slots.len() == self.slots.capacity() {
                // It grows to its length by doubling, and no further: a forged length takes no room.
                let more = self.slots.len().max(GROUP).min(length - self.slots.len());
                self.slots.reserve_exact(more);
            }
            for at in 0..group {
                let slot = match set >> at & 1 {
                    0 => None,
                    _ => {
                        let work = NonZeroU8::new(from.get()?)?;
                        let (key, value, about) = from.next(&restore)?;
                        self.used += 1;
                        Some(Slot { key, value, about, work })
                    }
                };
                self.slots.push(slot);
            }
        }
        // Looking ends at a free slot.
        (self.used < length).then_some(())
    }
}

impl<K, V, Q> Handle<'_, K, V, Q>
where
    K: Clone + Eq + std::hash::Hash,
    V: Copy,
    Q: Copy + Eq + std::hash::Hash,
{
    /// Writes the entries down, each as it is when its turn comes.
    pub(crate) fn save(
        &self,
        out: &mut Writer<'_>,
        store: impl Fn(&K, &V, Q, &mut Vec<u8>),
    ) -> io::Result<()> {
        for number in 0..self.len() {
            let bytes = out.room()?;
            self.look_into(number, |slot| {
                bytes.push(slot.work.get());
                store(&slot.key, &slot.value, slot.about, bytes);
            });
        }
        out.put(&0u8)
    }

    /// Reads entries back into this table, on which nobody else has a handle. Nothing if they are damaged.
    pub(crate) fn restore(
        &mut self,
        from: &mut Reader<'_>,
        restore: impl Fn(&mut &[u8]) -> Option<(K, V, Q)>,
    ) -> Option<()> {
        while let Some(work) = NonZeroU8::new(from.get()?) {
            let (key, value, about) = from.next(&restore)?;
            self.put_slot(Slot { key, value, about, work });
            if self.is_crowded() {
                self.grow(&mut || true);
            }
        }
        Some(())
    }
}
