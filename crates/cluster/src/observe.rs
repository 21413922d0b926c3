//! Looking at solves from outside.

use std::time::Duration;

use async_nats::jetstream::kv;
use serde::{Deserialize, Serialize};

use crate::link::Link;
use crate::names::SolveNames;
use crate::runtime::Engine;
use crate::wire::{Finished, Live};
use crate::{ClusterError, Connect, Result, SolveInfo};

const CALL: Duration = Duration::from_secs(30);

/// How a solve stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// It has a coordinator that answers.
    Running,
    /// Its coordinator does not answer: another one may take over.
    Orphaned,
    /// It is over.
    Finished,
}

/// What the server knows of a solve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveStatus {
    /// What is solved.
    pub info: SolveInfo,
    /// How it stands.
    pub phase: Phase,
    /// How many coordinators it has had.
    pub epoch: u64,
    /// Somebody has asked for its end.
    pub cancel_requested: bool,
    /// What its coordinator published last, or the outcome if it is over.
    pub status: serde_json::Value,
}

/// All solves under the prefix, by name.
///
/// # Errors
/// No server, or it does not answer in time.
pub fn list(connect: &Connect) -> Result<Vec<SolveStatus>> {
    with(connect, |link, bucket| async move {
        let mut all = Vec::new();
        for kind in ["live", "done"] {
            for id in link.ids(&bucket, kind).await? {
                let names = link.names.solve(&id)?;
                // One that can't be read is of another version, or vanishes at this moment.
                if let Ok(found) = one(&link, &bucket, &names).await {
                    all.extend(found);
                }
            }
        }
        all.sort_by(|a: &SolveStatus, b| a.info.id.cmp(&b.info.id));
        all.dedup_by(|a, b| a.info.id == b.info.id);
        Ok(all)
    })
}

/// One solve.
///
/// # Errors
/// There is none of this name, no server, or it does not answer in time.
pub fn status(connect: &Connect, id: &str) -> Result<SolveStatus> {
    let id = id.to_owned();
    with(connect, |link, bucket| async move {
        let names = link.names.solve(&id)?;
        one(&link, &bucket, &names).await?.ok_or(ClusterError::NoSuchSolve { id })
    })
}

/// Asks the coordinator of a solve to end it.
///
/// # Errors
/// There is none of this name, no server, or it does not answer in time.
pub fn request_cancel(connect: &Connect, id: &str) -> Result<()> {
    let id = id.to_owned();
    with(connect, |link, bucket| async move {
        let names = link.names.solve(&id)?;
        if link.read::<Live>(&bucket, &names.key("live")).await?.is_none() {
            return Err(ClusterError::NoSuchSolve { id });
        }
        link.write(&bucket, &names.key("cancel"), &true).await
    })
}

/// Removes all that the server holds of a solve: a finished one's outcome, or a solve whose coordinator is gone.
///
/// # Errors
/// There is none of this name, its coordinator is alive, no server, or it does not answer in time.
pub fn remove(connect: &Connect, id: &str) -> Result<()> {
    let id = id.to_owned();
    with(connect, |link, bucket| async move {
        let names = link.names.solve(&id)?;
        match one(&link, &bucket, &names).await? {
            None => return Err(ClusterError::NoSuchSolve { id }),
            Some(status) if status.phase == Phase::Running => {
                return Err(ClusterError::CoordinatorAlive { id, owner: "it answers".into() });
            }
            Some(_) => {}
        }
        clear(&link, &bucket, &names).await?;
        link.erase(&bucket, &names, "done").await
    })
}

/// Runs something with a connection of its own.
fn with<T, F, Fut>(connect: &Connect, task: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce(Link, kv::Store) -> Fut + Send + 'static,
    Fut: Future<Output = Result<T>> + Send,
{
    let engine = Engine::start()?;
    let connect = connect.clone();
    engine.call("asking the server", CALL, async move {
        let link = Link::open(&connect, "foregone", |_| ()).await?;
        let bucket = link.bucket().await?;
        task(link, bucket).await
    })
}

async fn one(link: &Link, bucket: &kv::Store, names: &SolveNames) -> Result<Option<SolveStatus>> {
    if let Some((live, _)) = link.read::<Live>(bucket, &names.key("live")).await? {
        // Nobody listening is told at once; nobody answering after a second.
        let ask = link.client.request(names.ping(), bytes::Bytes::new());
        let alive = matches!(tokio::time::timeout(Duration::from_secs(1), ask).await, Ok(Ok(_)));
        let status = link.read(bucket, &names.key("status")).await?.map(|(status, _)| status);
        let cancel = link.read::<serde_json::Value>(bucket, &names.key("cancel")).await?;
        return Ok(Some(SolveStatus {
            info: live.info,
            phase: if alive { Phase::Running } else { Phase::Orphaned },
            epoch: live.epoch,
            cancel_requested: cancel.is_some(),
            status: status.unwrap_or(serde_json::Value::Null),
        }));
    }
    let done = link.read::<Finished>(bucket, &names.key("done")).await?;
    Ok(done.map(|(done, _)| SolveStatus {
        info: done.info,
        phase: Phase::Finished,
        epoch: 0,
        cancel_requested: false,
        status: done.outcome,
    }))
}

/// Removes everything of a solve but its outcome.
pub(crate) async fn clear(link: &Link, bucket: &kv::Store, names: &SolveNames) -> Result<()> {
    let live = link.read::<Live>(bucket, &names.key("live")).await?;
    // First of all: nobody finds it any more.
    for kind in ["live", "status", "cancel", "lease"] {
        link.erase(bucket, names, kind).await?;
    }
    if let Some((live, _)) = live {
        for epoch in live.epoch.saturating_sub(1)..=live.epoch {
            // That of the epoch before is gone as a rule.
            let _ = link.js.delete_stream(names.jobs_stream(epoch)).await;
        }
    }
    let _ = link.js.delete_stream(names.results_stream()).await;
    let _ = link.js.delete_object_store(names.blobs()).await;
    Ok(())
}
