//! The object store of a solve.
//!
//! A name has two places, and a new content goes to the one that is free: the old content stays until the new one is
//! there. What is left over is removed here and not by the client, because server 2.9 counts what the client's call removes
//! (a purge by subject) as used for ever: with checkpoints that replace each other its store would be full one day.

use std::collections::BTreeSet;
use std::time::Duration;

use async_nats::jetstream::object_store::{
    GetErrorKind, InfoErrorKind, ObjectInfo, ObjectMetadata, ObjectStore,
};
use async_nats::jetstream::{consumer, stream};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use tokio::io::AsyncReadExt;

use crate::link::{Link, stored};
use crate::names::SolveNames;
use crate::{ClusterError, Result};

/// The object store of one solve.
pub(crate) struct Blobs<'a> {
    link: &'a Link,
    store: ObjectStore,
    stream: stream::Stream,
    bucket: String,
}

impl<'a> Blobs<'a> {
    /// The store, made if it is not there.
    pub(crate) async fn open(link: &'a Link, names: &SolveNames, replicas: usize) -> Result<Self> {
        let bucket = names.blobs();
        let what = "making the object store";
        let config = stream::Config {
            name: format!("OBJ_{bucket}"),
            subjects: vec![format!("$O.{bucket}.C.>"), format!("$O.{bucket}.M.>")],
            discard: stream::DiscardPolicy::New,
            allow_rollup: true,
            num_replicas: replicas,
            ..stored()
        };
        let stream = link
            .js
            .get_or_create_stream(config)
            .await
            .map_err(|error| link.failed(what, &error))?;
        let store =
            link.js.get_object_store(&bucket).await.map_err(|error| link.failed(what, &error))?;
        Ok(Self { link, store, stream, bucket })
    }

    /// Both places of a name: how often it was written, and what is there.
    async fn places(&self, name: &str) -> Result<[Option<(u64, ObjectInfo)>; 2]> {
        let mut places = [None, None];
        for (place, found) in places.iter_mut().enumerate() {
            match self.store.info(at(name, place)).await {
                Ok(info) if info.deleted => {}
                Ok(info) => {
                    let count = info.description.as_deref().and_then(|count| count.parse().ok());
                    *found = Some((count.unwrap_or(0), info));
                }
                Err(error) if error.kind() == InfoErrorKind::NotFound => {}
                Err(error) => {
                    return Err(self.link.failed(&format!("looking for {name:?}"), &error));
                }
            }
        }
        Ok(places)
    }

    /// Stores bytes under a name. What was stored before under this name stays until all of it is there.
    pub(crate) async fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let [first, second] = self.places(name).await?;
        let count =
            |place: &Option<(u64, ObjectInfo)>| place.as_ref().map_or(0, |(count, _)| *count);
        let (place, stale, old) =
            if count(&first) <= count(&second) { (0, first, second) } else { (1, second, first) };
        if let Some((_, info)) = stale {
            self.free(&info).await;
        }
        let meta = ObjectMetadata {
            name: at(name, place),
            description: Some((count(&old) + 1).to_string()),
            ..Default::default()
        };
        let mut reader = bytes;
        if let Err(error) = self.store.put(meta, &mut reader).await {
            // Chunks without an entry would fill a full store for ever.
            let _ = self.sweep().await;
            return Err(self
                .link
                .failed(&format!("storing {name:?} ({} bytes)", bytes.len()), &error));
        }
        if let Some((_, info)) = old {
            self.free(&info).await;
        }
        Ok(())
    }

    /// The bytes of a name, if there are any and no more than allowed.
    pub(crate) async fn get(&self, name: &str, limit: usize) -> Result<Option<Bytes>> {
        let newest = self.places(name).await?.into_iter().flatten().max_by_key(|(count, _)| *count);
        let Some((_, info)) = newest else { return Ok(None) };
        let size = info.size;
        if size > limit {
            return Err(ClusterError::TooLarge { what: format!("{name:?}"), size, limit });
        }
        if size == 0 {
            // It has no chunk that a reader could wait for.
            return Ok(Some(Bytes::new()));
        }
        let mut object = match self.store.get(&info.name).await {
            Ok(object) => object,
            Err(error) if error.kind() == GetErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.link.failed(&format!("reading {name:?}"), &error)),
        };
        let mut bytes = Vec::with_capacity(size);
        let read = object.read_to_end(&mut bytes).await;
        read.map_err(|error| self.link.failed(&format!("reading {name:?}"), &error))?;
        Ok(Some(bytes.into()))
    }

    /// The bytes that the last coordinator up to this epoch stored under a name, if one did.
    pub(crate) async fn shared(
        &self,
        name: &str,
        epoch: u64,
        limit: usize,
    ) -> Result<Option<Bytes>> {
        for epoch in (1..=epoch).rev() {
            if let Some(bytes) = self.get(&shared(name, epoch), limit).await? {
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }

    /// Whether there is something of this name.
    pub(crate) async fn has(&self, name: &str) -> Result<bool> {
        Ok(self.places(name).await?.iter().any(Option::is_some))
    }

    /// Removes a name.
    pub(crate) async fn remove(&self, name: &str) -> Result<()> {
        for (_, info) in self.places(name).await?.into_iter().flatten() {
            self.free(&info).await;
        }
        Ok(())
    }

    /// Removes an object. If that fails it is tried again when its place is needed.
    async fn free(&self, info: &ObjectInfo) {
        let _ = self.free_chunks(&format!("$O.{}.C.{}", self.bucket, info.nuid)).await;
        let _ = self.store.delete(&info.name).await;
    }

    /// Removes chunks that belong to no object.
    async fn sweep(&self) -> std::result::Result<(), async_nats::Error> {
        let mut list = self.store.list().await?;
        let mut known = BTreeSet::new();
        while let Some(info) = list.try_next().await? {
            known.insert(info.nuid);
        }
        let begin = format!("$O.{}.C.", self.bucket);
        let mut subjects = self.stream.info_with_subjects(format!("{begin}*")).await?;
        while let Some((subject, _)) = subjects.try_next().await? {
            if subject.strip_prefix(&begin).is_some_and(|nuid| !known.contains(nuid)) {
                self.free_chunks(&subject).await?;
            }
        }
        Ok(())
    }

    /// Removes all messages of a subject, so that every server counts their room as free.
    async fn free_chunks(&self, subject: &str) -> std::result::Result<(), async_nats::Error> {
        if self.link.client.is_server_compatible(2, 10, 0) {
            self.stream.purge().filter(subject).await?;
            return Ok(());
        }
        let config = consumer::pull::Config {
            filter_subject: subject.to_owned(),
            ack_policy: consumer::AckPolicy::None,
            headers_only: true,
            inactive_threshold: Duration::from_secs(30),
            memory_storage: true,
            ..Default::default()
        };
        let consumer = self.stream.create_consumer(config).await?;
        loop {
            let mut numbers = Vec::new();
            let mut messages = consumer.fetch().max_messages(500).messages().await?;
            while let Some(message) =
                tokio::time::timeout(Duration::from_secs(5), messages.next()).await?
            {
                numbers.push(message?.info()?.stream_sequence);
            }
            if numbers.is_empty() {
                return Ok(());
            }
            for number in numbers {
                self.stream.delete_message(number).await?;
            }
        }
    }
}

/// The object of a name and an epoch: a coordinator that was replaced cannot overwrite what its successor stored.
pub(crate) fn shared(name: &str, epoch: u64) -> String {
    format!("blob/{epoch}/{name}")
}

/// The object of a name that a worker stored: no worker has a name in common with another.
pub(crate) fn of_worker(worker: &str, name: &str) -> String {
    format!("work/{worker}/{name}")
}

/// How long bytes may be on their way: a minute, and a megabyte a second.
pub(crate) fn patience(bytes: usize) -> Duration {
    Duration::from_secs(60 + (bytes >> 20) as u64)
}

/// One of the two places of a name.
fn at(name: &str, place: usize) -> String {
    format!("{place}/{name}")
}
