//! What the searches inside another one learned, written down and read back.

use std::io;

use foregone_model::Space;
use foregone_model::stored::Stored;

use super::{Facts, Nested};
use crate::saved::{Reader, Writer};

impl<Sp: Space> Nested<'_, Sp> {
    pub(super) fn save_to(&self, space: &Sp, out: &mut Writer<'_>) -> io::Result<()> {
        out.put(&self.counts)?;
        self.facts.save_to(space, out)
    }

    pub(super) fn restore_from(&mut self, space: &Sp, from: &mut Reader<'_>) -> Option<()> {
        self.counts = from.get()?;
        self.facts.restore_from(space, from)
    }
}

impl<Sp: Space> Facts<'_, Sp> {
    pub(super) fn save_to(&self, space: &Sp, out: &mut Writer<'_>) -> io::Result<()> {
        self.0.save(out, |key, bounds, (), bytes| {
            space.store_packed(key, bytes);
            bounds.store(bytes);
        })
    }

    pub(super) fn restore_from(&mut self, space: &Sp, from: &mut Reader<'_>) -> Option<()> {
        self.0.restore(from, |bytes| {
            let key = space.restore_packed(bytes)?;
            Some((key, Stored::restore(bytes)?, ()))
        })
    }
}
