//! Results out of their stream, in order, each job's first one.
//!
//! The reader keeps its own place. Whatever happens to the connection or to the consumer, it asks for what comes behind
//! that place again. The stream is cut off only behind what the caller has taken.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::jetstream::{Message, consumer, stream};
use bytes::Bytes;
use futures_util::StreamExt;

use super::state::{Event, MAX_WAITING, Place, Shared, Stray};
use crate::wire::{ResultHead, ResultKind, unpack};

/// What names of objects that hold results begin with: a worker cannot name any other.
const RESULT: &str = "result/";

/// Reads until the lease is lost.
pub(crate) async fn read(shared: Arc<Shared>) {
    let mut created = None;
    while !shared.lost() {
        let Ok(mut stream) = shared.link.results(&shared.names, shared.options.replicas).await
        else {
            tokio::time::sleep(Duration::from_millis(300)).await;
            continue;
        };
        if let Ok(info) = stream.info().await {
            let (new, last) = (info.created, info.state.last_sequence);
            if created.is_some_and(|created| created != new) || last < shared.state().read.sequence
            {
                // Another stream under the old name: its numbers begin again.
                let mut state = shared.state();
                state.read = Place { generation: state.read.generation + 1, sequence: 0 };
                state.taken = state.read;
            }
            created = Some(new);
            let _ = follow(&shared, &stream).await;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Reads what comes behind our place, until something goes wrong.
async fn follow(shared: &Arc<Shared>, stream: &stream::Stream) -> Result<(), async_nats::Error> {
    let begin = shared.state().read.sequence + 1;
    let config = consumer::pull::Config {
        ack_policy: consumer::AckPolicy::None,
        deliver_policy: consumer::DeliverPolicy::ByStartSequence { start_sequence: begin },
        inactive_threshold: Duration::from_secs(60),
        memory_storage: true,
        ..Default::default()
    };
    let consumer = stream.create_consumer(config).await?;
    let mut expected = 1;
    while !shared.lost() {
        while shared.waiting.load(Ordering::Relaxed) > MAX_WAITING {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let ask = consumer.batch().max_messages(512).expires(Duration::from_secs(2)).messages();
        let mut batch = tokio::time::timeout(Duration::from_secs(5), ask).await??;
        loop {
            let next = tokio::select! {
                next = tokio::time::timeout(Duration::from_secs(8), batch.next()) => next?,
                () = shared.reread.notified() => return Ok(()),
            };
            let Some(message) = next else { break };
            let message = message?;
            let info = message.info()?;
            if info.consumer_sequence != expected {
                // One got lost on the way: begin again behind the last one that came.
                return Ok(());
            }
            expected += 1;
            let sequence = info.stream_sequence;
            take(shared, &message, sequence).await;
        }
    }
    Ok(())
}

/// One result.
async fn take(shared: &Arc<Shared>, message: &Message, sequence: u64) {
    let place = Place { generation: shared.state().read.generation, sequence };
    if let Some((head, payload)) = unpack::<ResultHead>(&message.message.payload) {
        let payload = match head.kind {
            ResultKind::Stored => {
                let name = String::from_utf8_lossy(&payload).into_owned();
                let bytes = fetch(shared, &name).await;
                if name.starts_with(RESULT) {
                    shared.state().stored.push((place, name));
                }
                bytes
            }
            _ => Some(payload),
        };
        decide(shared, place, &head, payload);
    }
    shared.state().read = place;
}

/// A result that was too large for a message.
async fn fetch(shared: &Arc<Shared>, name: &str) -> Option<Bytes> {
    if !name.starts_with(RESULT) {
        return None;
    }
    let limit = shared.live().terms.max_result;
    for _ in 0..3 {
        let get = async { shared.blobs().await?.get(name, limit).await };
        match tokio::time::timeout(Duration::from_secs(120), get).await {
            Ok(Ok(bytes)) => return bytes,
            _ => tokio::time::sleep(Duration::from_millis(500)).await,
        }
    }
    None
}

/// Whether a result is handed on, kept, or dropped.
fn decide(shared: &Shared, place: Place, head: &ResultHead, payload: Option<Bytes>) {
    let (job, worker) = (head.job.job, head.worker.clone());
    let (version, nonce) = {
        let live = shared.live();
        (live.info.version.clone(), live.nonce.clone())
    };
    if head.nonce != nonce {
        // Of an earlier solve of the same name.
        return;
    }
    let mut state = shared.state();
    let wanted = state.open.get(&job).filter(|open| open.digest == head.job.digest);
    let Some(open) = wanted else {
        if head.kind != ResultKind::Failed
            && head.job.epoch < shared.epoch
            && head.version == version
            && !state.banned.contains(&worker)
            && let Some(payload) = payload
        {
            state.keep_stray(job, head.job.digest, Stray { worker, payload });
        }
        return;
    };
    // The job that this result is of has left the queue.
    let current = head.job.epoch == shared.epoch && head.job.attempt == open.attempt;
    if head.version != version {
        let message =
            format!("worker {worker} has version {}, and this solve needs {version}", head.version);
        if state.refused.insert(worker.clone()) {
            shared.tell(Event::Refused { worker, message });
        }
        if current {
            shared.again(&mut state, job);
        }
        return;
    }
    if state.banned.contains(&worker) {
        if current {
            shared.again(&mut state, job);
        }
        return;
    }
    match (head.kind, payload) {
        (ResultKind::Failed, message) => {
            if current {
                state.open.remove(&job);
                let message = String::from_utf8_lossy(&message.unwrap_or_default()).into_owned();
                shared.tell_at(Some(place), Event::Failed { job, worker, message });
            }
        }
        (_, Some(payload)) => {
            state.open.remove(&job);
            shared.tell_at(Some(place), Event::Done { job, worker, payload: payload.into() });
        }
        // The object is gone or too large.
        (_, None) if current => shared.again(&mut state, job),
        (_, None) => {}
    }
}
