//! The lease, and what keeps a solve whole: streams that are gone are made again, jobs that are gone are handed out again.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use async_nats::jetstream::kv;
use futures_util::{StreamExt, TryStreamExt};

use super::state::{Event, Place, Shared};
use crate::wire::{Control, Lease, News, NewsHead, pack, unpack, value};
use crate::{ClusterError, Result};

/// Whether the lease is still ours after an attempt to renew it.
enum Renewal {
    Ours,
    Theirs,
    Unknown,
}

/// Renews the lease until it is lost. Reads on the way whether somebody asks for the end.
pub(crate) async fn lease(shared: Arc<Shared>) {
    let every = shared.live().terms.lease / 4;
    let mut asked = false;
    loop {
        tokio::time::sleep(every).await;
        // Before the request: the lease lasts from when it was asked for.
        let begun = Instant::now();
        match tokio::time::timeout(every.max(Duration::from_secs(2)), renew(&shared)).await {
            Ok(Ok(Renewal::Ours)) => shared.state().renewed = Some(begun),
            Ok(Ok(Renewal::Theirs)) => {
                shared.lose();
                return;
            }
            _ => continue,
        }
        if !asked && let Ok(bucket) = shared.link.bucket().await {
            let key = shared.names.key("cancel");
            if let Ok(Some(_)) = shared.link.read::<serde_json::Value>(&bucket, &key).await {
                asked = true;
                shared.tell(Event::CancelRequested);
            }
        }
    }
}

async fn renew(shared: &Shared) -> Result<Renewal> {
    let bucket = shared.link.bucket().await?;
    let key = shared.names.key("lease");
    let lease = Lease { owner: shared.owner.clone(), epoch: shared.epoch, released: false };
    let revision = shared.lease_revision.load(Ordering::Acquire);
    if let Ok(revision) = bucket.update(&key, value(&lease), revision).await {
        shared.lease_revision.store(revision, Ordering::Release);
        return Ok(Renewal::Ours);
    }
    // Perhaps an earlier renewal arrived and its answer did not; perhaps the server lost all it had.
    match shared.link.read::<Lease>(&bucket, &key).await? {
        Some((lease, revision)) if lease.owner == shared.owner => {
            shared.lease_revision.store(revision, Ordering::Release);
            Ok(Renewal::Unknown)
        }
        Some(_) => Ok(Renewal::Theirs),
        None => match bucket.create(&key, value(&lease)).await {
            Ok(revision) => {
                shared.lease_revision.store(revision, Ordering::Release);
                shared.look.notify_one();
                Ok(Renewal::Ours)
            }
            Err(_) => Ok(Renewal::Unknown),
        },
    }
}

/// Takes a lease that nobody renews. Whoever holds it is watched by our own clock: no two machines' clocks are compared.
pub(crate) async fn seize(
    link: &crate::link::Link,
    bucket: &kv::Store,
    names: &crate::names::SolveNames,
    owner: &str,
    least_epoch: u64,
    lease: Duration,
    wait: Duration,
) -> Result<(u64, u64)> {
    let key = &names.key("lease");
    let begun = Instant::now();
    let mut seen: Option<(u64, Instant)> = None;
    loop {
        let found = link.read::<Lease>(bucket, key).await?;
        let (old, revision) = match found {
            Some((old, revision)) => (Some(old), revision),
            None => (None, 0),
        };
        let now = Instant::now();
        let since = match seen {
            Some((same, since)) if same == revision => since,
            Some(_) if begun.elapsed() >= wait => {
                let owner = old.map_or_else(String::new, |old| old.owner);
                return Err(ClusterError::CoordinatorAlive { id: names.id().into(), owner });
            }
            _ => now,
        };
        seen = Some((revision, since));
        let free = old.as_ref().is_none_or(|old| old.released);
        if free || since.elapsed() > lease + lease / 4 {
            let epoch = old.as_ref().map_or(0, |old| old.epoch).max(least_epoch) + 1;
            let mine = value(&Lease { owner: owner.into(), epoch, released: false });
            let taken = match old {
                Some(_) => bucket.update(key, mine, revision).await.ok(),
                None => bucket.create(key, mine).await.ok(),
            };
            if let Some(revision) = taken {
                return Ok((epoch, revision));
            }
        }
        tokio::time::sleep(
            (lease / 10).clamp(Duration::from_millis(20), Duration::from_millis(500)),
        )
        .await;
    }
}

/// Everything on the server that a solve needs.
pub(crate) async fn restore(shared: &Shared) -> Result<()> {
    let link = &shared.link;
    let bucket = link.bucket().await?;
    let live = shared.live().clone();
    let key = shared.names.key("live");
    match link.read::<crate::wire::Live>(&bucket, &key).await? {
        Some((there, _)) if there.epoch > shared.epoch => {
            shared.lose();
            return Err(ClusterError::LeaseLost { id: live.info.id });
        }
        Some((there, _))
            if there.epoch == live.epoch
                && there.nonce == live.nonce
                && there.banned == live.banned => {}
        _ => link.write(&bucket, &key, &live).await?,
    }
    link.jobs(&shared.names, shared.epoch, &live.terms, shared.options.replicas).await?;
    link.results(&shared.names, shared.options.replicas).await?;
    let blobs = shared.blobs().await?;
    if !blobs.has(super::SETUP).await? {
        blobs.put(super::SETUP, &shared.setup).await?;
    }
    Ok(())
}

/// Looks after the solve until the lease is lost.
pub(crate) async fn house(shared: Arc<Shared>) {
    let every = (shared.live().terms.ack_wait / 4)
        .clamp(Duration::from_millis(200), Duration::from_secs(5));
    let mut cut = Place::default();
    let mut looked = Instant::now();
    while !shared.lost() {
        let called = tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(200)) => false,
            () = shared.look.notified() => true,
        };
        forget_silent(&shared);
        cut_results(&shared, &mut cut).await;
        remove_useless(&shared).await;
        if called || looked.elapsed() > every {
            looked = Instant::now();
            if let Err(error @ ClusterError::StoreFull { .. }) = restore(&shared).await {
                shared.trouble(&error);
            }
            let _ = find_missing(&shared).await;
        }
    }
}

/// Removes results that the caller has taken.
async fn cut_results(shared: &Shared, cut: &mut Place) {
    let taken = {
        let state = shared.state();
        if state.taken.generation != state.read.generation { return } else { state.taken }
    };
    if taken == *cut || taken.sequence == 0 || shared.sure().is_err() {
        return;
    }
    let Ok(stream) = shared.link.js.get_stream_no_info(shared.names.results_stream()).await else {
        return;
    };
    // The sequence is the first one that stays.
    if stream.purge().sequence(taken.sequence + 1).await.is_err() {
        return;
    }
    *cut = taken;
    let old: Vec<(Place, String)> = {
        let mut state = shared.state();
        let behind =
            |place: &Place| place.generation == taken.generation && place.sequence > taken.sequence;
        let (keep, old) =
            std::mem::take(&mut state.stored).into_iter().partition(|(place, _)| behind(place));
        state.stored = keep;
        old
    };
    if !old.is_empty()
        && let Ok(blobs) = shared.blobs().await
    {
        for (_, name) in old {
            let _ = blobs.remove(&name).await;
        }
    }
}

/// Removes messages from the queue that nobody needs.
async fn remove_useless(shared: &Shared) {
    let useless = std::mem::take(&mut shared.state().useless);
    if useless.is_empty() {
        return;
    }
    let Ok(stream) =
        shared.link.js.get_stream_no_info(shared.names.jobs_stream(shared.epoch)).await
    else {
        return;
    };
    for number in useless {
        // One that a worker has acknowledged is gone already.
        let _ = stream.delete_message(number).await;
    }
}

/// Workers that say nothing have left.
fn forget_silent(shared: &Shared) {
    let limit = silence(shared);
    let mut state = shared.state();
    let silent: Vec<String> = state
        .workers
        .iter()
        .filter(|(_, seen)| seen.elapsed() > limit)
        .map(|(worker, _)| worker.clone())
        .collect();
    for worker in silent {
        state.workers.remove(&worker);
        shared.tell(Event::Left { worker });
    }
}

/// How long a worker may say nothing.
fn silence(shared: &Shared) -> Duration {
    shared.live().terms.ack_wait.max(Duration::from_secs(2))
}

/// Hands out again what is open but neither in the queue nor among the results: the server has lost it.
async fn find_missing(shared: &Shared) -> std::result::Result<(), async_nats::Error> {
    let open: Vec<u64> = shared
        .state()
        .open
        .iter()
        .filter(|(_, open)| open.stored.is_some())
        .map(|(&job, _)| job)
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    let stream = shared.link.js.get_stream(shared.names.jobs_stream(shared.epoch)).await?;
    if stream.cached_info().state.messages >= open.len() as u64 {
        // As a rule. If jobs whose results are here already hide that others are gone, the next look sees it.
        return Ok(());
    }
    let begin = shared.names.jobs_subjects(shared.epoch);
    let mut there = BTreeSet::new();
    let mut subjects = stream.info_with_subjects(format!("{begin}*")).await?;
    while let Some((subject, _)) = subjects.try_next().await? {
        there.extend(subject.strip_prefix(&begin).and_then(|job| job.parse::<u64>().ok()));
    }
    // A job that has left the queue has its result before this place.
    let mut results = shared.link.js.get_stream(shared.names.results_stream()).await?;
    let last = results.info().await?.state.last_sequence;
    let mut state = shared.state();
    let read = state.read;
    let mut gone = Vec::new();
    for job in open {
        let Some(open) = state.open.get_mut(&job).filter(|open| open.stored.is_some()) else {
            continue;
        };
        match open.missed {
            _ if there.contains(&job) => open.missed = None,
            None => open.missed = Some(Place { generation: read.generation, sequence: last }),
            Some(place)
                if read.generation != place.generation || read.sequence >= place.sequence =>
            {
                gone.push(job)
            }
            Some(_) => {}
        }
    }
    for job in gone {
        shared.again(&mut state, job);
    }
    Ok(())
}

/// Plain messages of workers.
pub(crate) async fn news(shared: Arc<Shared>) {
    while !shared.lost() {
        let Ok(mut messages) = shared.link.client.subscribe(shared.names.news()).await else {
            tokio::time::sleep(Duration::from_millis(300)).await;
            continue;
        };
        shared.link.say(shared.names.control(), pack(&Control::Roll, b"")).await;
        while let Some(message) = messages.next().await {
            if let Some((head, payload)) = unpack::<NewsHead>(&message.payload) {
                heard(&shared, head, &payload);
            }
        }
    }
}

fn heard(shared: &Shared, head: NewsHead, payload: &[u8]) {
    let NewsHead { worker, info, news } = head;
    let version = shared.live().info.version.clone();
    let mut state = shared.state();
    if state.banned.contains(&worker) {
        return;
    }
    if let News::Refuse(message) = news {
        if state.refused.insert(worker.clone()) {
            shared.tell(Event::Refused { worker, message });
        }
        return;
    }
    if info.version != version {
        let message = format!(
            "worker {} has version {}, and this solve needs {version}",
            worker, info.version
        );
        if state.refused.insert(worker.clone()) {
            shared.tell(Event::Refused { worker, message });
        }
        return;
    }
    if matches!(news, News::Bye) {
        if state.workers.remove(&worker).is_some() {
            shared.tell(Event::Left { worker });
        }
        return;
    }
    if state.workers.insert(worker.clone(), Instant::now()).is_none() {
        shared.tell(Event::Joined { worker: worker.clone(), info });
    }
    let known = |head: &crate::wire::JobHead, state: &super::state::State| {
        head.epoch == shared.epoch
            && state.open.get(&head.job).is_some_and(|open| open.digest == head.digest)
    };
    match news {
        News::Started(head) if known(&head, &state) => {
            if let Some(open) = state.open.get_mut(&head.job) {
                open.worker = Some(worker.clone());
            }
            shared.tell_if_room(Event::Started { job: head.job, worker });
        }
        News::Partial(head) if known(&head, &state) => {
            shared.tell_if_room(Event::Partial {
                job: head.job,
                worker,
                payload: payload.to_vec(),
            });
        }
        _ => {}
    }
}

/// Answers whoever asks whether this coordinator is alive.
pub(crate) async fn ping(shared: Arc<Shared>) {
    while !shared.lost() {
        let Ok(mut messages) = shared.link.client.subscribe(shared.names.ping()).await else {
            tokio::time::sleep(Duration::from_millis(300)).await;
            continue;
        };
        while let Some(message) = messages.next().await {
            if let Some(reply) = message.reply.filter(|_| !shared.lost()) {
                shared.link.say(reply.to_string(), shared.owner.clone().into()).await;
            }
        }
    }
}
