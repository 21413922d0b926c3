//! Jobs into the queue, in the order in which they were submitted, many of them on the way at once.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::message::PublishMessage;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedReceiver;

use super::state::Shared;
use crate::wire::{JobHead, pack};

/// How many jobs are on the way to the server at once.
const ON_THE_WAY: usize = 1024;

/// Publishes until the lease is lost.
pub(crate) async fn publish(shared: Arc<Shared>, mut jobs: UnboundedReceiver<u64>) {
    let room = Arc::new(Semaphore::new(ON_THE_WAY));
    while let Some(job) = jobs.recv().await {
        if shared.lost() {
            return;
        }
        let Ok(permit) = room.clone().acquire_owned().await else { return };
        let Some((attempt, subject, message)) = message(&shared, job) else { continue };
        let sent = shared.link.js.send_publish(subject, message).await;
        let shared = shared.clone();
        tokio::spawn(async move {
            let _permit = permit;
            let stored = match sent {
                Ok(ack) => ack.await,
                Err(error) => Err(error),
            };
            match stored {
                Ok(ack) => {
                    let mut state = shared.state();
                    if let Some(open) =
                        state.open.get_mut(&job).filter(|open| open.attempt == attempt)
                    {
                        open.stored = Some(ack.sequence);
                    } else if state.cancelled.remove(&attempt) {
                        state.useless.push(ack.sequence);
                    }
                }
                Err(error) => {
                    trouble(&shared, &error);
                    tokio::time::sleep(Duration::from_millis(500)).await;
                    // The same message id: if it did arrive, the second one is dropped.
                    let _ = shared.publish.send(job);
                }
            }
        });
    }
}

/// A queue that is gone is made again; other trouble is told.
fn trouble(shared: &Shared, error: &async_nats::jetstream::context::PublishError) {
    use async_nats::jetstream::context::PublishErrorKind as Kind;
    match error.kind() {
        Kind::StreamNotFound | Kind::WrongLastSequence => shared.look.notify_one(),
        Kind::TimedOut | Kind::BrokenPipe => {}
        _ => shared.trouble(&shared.link.failed("handing out a job", error)),
    }
}

/// The message of a job that is still open and not stored.
fn message(shared: &Shared, job: u64) -> Option<(u64, String, PublishMessage)> {
    let state = shared.state();
    let open = state.open.get(&job).filter(|open| open.stored.is_none())?;
    let head = JobHead { epoch: shared.epoch, job, attempt: open.attempt, digest: open.digest };
    let id = format!("{}/{}/{job}/{}", shared.live().info.id, shared.epoch, open.attempt);
    let message = PublishMessage::build().payload(pack(&head, &open.payload)).message_id(id);
    Some((open.attempt, shared.names.job(shared.epoch, job), message))
}
