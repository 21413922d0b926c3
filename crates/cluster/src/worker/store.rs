//! What a handler may fetch and leave while it works.

use std::sync::Arc;

use super::pool::Solve;
use crate::Result;
use crate::blobs::{Blobs, of_worker, patience};
use crate::link::Link;
use crate::runtime::Caller;

/// The object store of a solve, for the handler of a job.
pub struct Store<'a> {
    pub(crate) net: &'a Net,
    pub(crate) solve: &'a Arc<Solve>,
    pub(crate) worker: &'a str,
}

/// What a thread needs to reach the server.
#[derive(Clone)]
pub(crate) struct Net {
    pub(crate) caller: Caller,
    pub(crate) link: Link,
}

impl Store<'_> {
    /// The bytes that the coordinator stored under a name ([`crate::Coordinator::put_blob`]), if there are any and no
    /// more than allowed.
    ///
    /// # Errors
    /// There are too many, or the server does not answer in time.
    pub fn get(&self, name: &str, limit: usize) -> Result<Option<Vec<u8>>> {
        let (link, solve, name) = (self.net.link.clone(), self.solve.clone(), name.to_owned());
        self.net.caller.call(&format!("reading {name:?}"), patience(limit), async move {
            let blobs = Blobs::open(&link, &solve.names, 1).await?;
            Ok(blobs.shared(&name, solve.live.epoch, limit).await?.map(Vec::from))
        })
    }

    /// Stores bytes under a name of this worker's own, for the coordinator ([`crate::Coordinator::get_work`]). They are
    /// there until it removes them, or until the solve is over.
    ///
    /// # Errors
    /// The store is full, or the server does not answer in time.
    pub fn put(&self, name: &str, bytes: Vec<u8>) -> Result<()> {
        let (link, solve) = (self.net.link.clone(), self.solve.clone());
        let stored = of_worker(self.worker, name);
        self.net.caller.call(&format!("storing {name:?}"), patience(bytes.len()), async move {
            Blobs::open(&link, &solve.names, 1).await?.put(&stored, &bytes).await
        })
    }
}
