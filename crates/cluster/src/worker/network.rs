//! What a worker does on the network: finds solves, fetches jobs, says that it is alive, sends results.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message, context};
use bytes::Bytes;
use futures_util::StreamExt;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::Receiver;

use super::Note;
use super::pool::{Outgoing, Pool, Solve, Stage};
use crate::Result;
use crate::blobs::Blobs;
use crate::coordinator::SETUP;
use crate::link::Link;
use crate::names::{CONSUMER, digest};
use crate::wire::{Control, JobHead, Live, News, NewsHead, ResultHead, ResultKind, pack, unpack};

/// How often a worker looks for solves and says that it is there.
const LOOK: Duration = Duration::from_secs(1);
/// The largest setup.
const MAX_SETUP: usize = 1 << 30;

fn news(pool: &Pool, news: News, payload: &[u8]) -> Bytes {
    pack(&NewsHead { worker: pool.worker.clone(), info: pool.info.clone(), news }, payload)
}

/// Looks for solves, for ever.
pub(crate) async fn find(link: Link, pool: Arc<Pool>) {
    while !pool.ended() {
        // Without a server there is nothing to do but to look again.
        if let Ok(Ok(())) = tokio::time::timeout(Duration::from_secs(30), look(&link, &pool)).await
        {
            let solves: Vec<Arc<Solve>> = pool.state().solves.values().cloned().collect();
            for solve in solves {
                link.say(solve.names.news(), news(&pool, News::Hello, b"")).await;
            }
        }
        tokio::time::sleep(LOOK).await;
    }
}

async fn look(link: &Link, pool: &Arc<Pool>) -> Result<()> {
    let bucket = link.bucket().await?;
    let mut there = BTreeMap::new();
    for id in link.ids(&bucket, "live").await? {
        let names = link.names.solve(&id)?;
        // One that cannot be read is of another version, or vanishes at this moment.
        if let Ok(Some((live, _))) = link.read::<Live>(&bucket, &names.key("live")).await {
            there.insert(id, live);
        }
    }
    let known: Vec<Arc<Solve>> = pool.state().solves.values().cloned().collect();
    for solve in known {
        let id = &solve.live.info.id;
        if there.get(id).is_none_or(|live| live.nonce != solve.live.nonce)
            && pool.close(id).is_some()
        {
            (pool.log)(Note::Over { solve: id.clone() });
        }
    }
    for (id, live) in there {
        enter(link, pool, &id, live).await?;
    }
    Ok(())
}

/// Takes part in a solve, or says why not.
async fn enter(link: &Link, pool: &Arc<Pool>, id: &str, live: Live) -> Result<()> {
    let names = link.names.solve(id)?;
    let known = pool.solve(id);
    if known.as_ref().is_some_and(|solve| solve.live.epoch == live.epoch)
        || pool.state().refused.contains(&live.nonce)
    {
        return Ok(());
    }
    let why = match () {
        () if live.info.version != pool.info.version => Some(format!(
            "worker {} has version {}, and this solve needs {}",
            pool.worker, pool.info.version, live.info.version
        )),
        () if live.banned.contains(&pool.worker) => {
            Some(format!("worker {} is banned", pool.worker))
        }
        () => None,
    };
    if let Some(message) = why {
        pool.state().refused.insert(live.nonce);
        link.say(names.news(), news(pool, News::Refuse(message.clone()), b"")).await;
        (pool.log)(Note::Refused { solve: id.to_owned(), message });
        return Ok(());
    }
    let setup = match &known {
        Some(solve) => solve.setup.clone(),
        None => match Blobs::open(link, &names, 1).await?.get(SETUP, MAX_SETUP).await? {
            Some(setup) => setup,
            None => return Ok(()),
        },
    };
    let joined = known.is_none().then(|| live.info.clone());
    let solve = Arc::new(Solve { live, names, setup, closed: AtomicBool::new(false) });
    link.say(solve.names.news(), news(pool, News::Hello, b"")).await;
    // Jobs of an older epoch go on: their results are as good.
    pool.state().solves.insert(id.to_owned(), solve);
    pool.room.notify_one();
    if let Some(solve) = joined {
        (pool.log)(Note::Joined { solve });
    }
    Ok(())
}

/// Listens to coordinators.
pub(crate) async fn control(link: Link, pool: Arc<Pool>) {
    let Ok(any) = link.names.solve("any") else { return };
    let subject = any.control().replace(".any.", ".*.");
    while !pool.ended() {
        let Ok(mut messages) = link.client.subscribe(subject.clone()).await else {
            tokio::time::sleep(LOOK).await;
            continue;
        };
        while let Some(message) = messages.next().await {
            let id = message.subject.split('.').nth(1).unwrap_or_default().to_owned();
            if let (Some(solve), Some((control, _))) =
                (pool.solve(&id), unpack::<Control>(&message.payload))
            {
                obey(&link, &pool, &solve, control).await;
            }
        }
    }
}

async fn obey(link: &Link, pool: &Pool, solve: &Arc<Solve>, control: Control) {
    let id = &solve.live.info.id;
    match control {
        Control::Cancel { epoch, attempt } => {
            pool.state().cancel(&solve.live.nonce, epoch, attempt)
        }
        Control::Ban { worker, reason } if worker == pool.worker => {
            pool.state().refused.insert(solve.live.nonce.clone());
            if pool.close(id).is_some() {
                let message = format!("worker {worker} is banned: {reason}");
                (pool.log)(Note::Refused { solve: id.clone(), message });
            }
        }
        Control::Ban { .. } => {}
        Control::Over => {
            if pool.close(id).is_some() {
                (pool.log)(Note::Over { solve: id.clone() });
            }
        }
        Control::Roll => link.say(solve.names.news(), news(pool, News::Hello, b"")).await,
    }
}

/// Fetches jobs, of all solves in turn.
pub(crate) async fn fetch(link: Link, pool: Arc<Pool>) {
    let mut consumers: BTreeMap<String, PullConsumer> = BTreeMap::new();
    let mut turn = 0;
    // The solve that had jobs last: some may have no coordinator any more.
    let mut busy = String::new();
    while !pool.ended() {
        let solves: Vec<Arc<Solve>> = pool.state().solves.values().cloned().collect();
        let want = pool.demand();
        if solves.is_empty() || want == 0 {
            let _ = tokio::time::timeout(Duration::from_millis(100), pool.room.notified()).await;
            continue;
        }
        turn += 1;
        let mut got = 0;
        for place in 0..solves.len() {
            let solve = &solves[(turn + place) % solves.len()];
            if got < want {
                let more = some(&link, &pool, &mut consumers, solve, want - got, None).await;
                if more > 0 {
                    busy.clone_from(&solve.live.nonce);
                }
                got += more;
            }
        }
        if got == 0 {
            // Nothing there: wait at one of them. Others are looked at again soon.
            let wait = LOOK / u32::try_from(solves.len().min(10)).unwrap_or(1);
            let last = solves.iter().find(|solve| solve.live.nonce == busy);
            let solve = last.unwrap_or(&solves[turn % solves.len()]);
            if some(&link, &pool, &mut consumers, solve, want, Some(wait)).await > 0 {
                busy.clone_from(&solve.live.nonce);
            }
        }
        let names: Vec<String> =
            solves.iter().map(|solve| solve.names.jobs_stream(solve.live.epoch)).collect();
        consumers.retain(|name, _| names.contains(name));
    }
}

/// Fetches some jobs of one solve; returns how many came.
async fn some(
    link: &Link,
    pool: &Arc<Pool>,
    consumers: &mut BTreeMap<String, PullConsumer>,
    solve: &Arc<Solve>,
    want: usize,
    wait: Option<Duration>,
) -> usize {
    let name = solve.names.jobs_stream(solve.live.epoch);
    let mut got = 0;
    let fetched = batch(link, pool, consumers, solve, &name, want.min(512), wait, &mut got).await;
    if fetched.is_err() {
        // The queue is gone, or the server. The next look at the solves tells.
        consumers.remove(&name);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    got
}

#[expect(clippy::too_many_arguments, reason = "what is fetched, from where, for whom")]
async fn batch(
    link: &Link,
    pool: &Arc<Pool>,
    consumers: &mut BTreeMap<String, PullConsumer>,
    solve: &Arc<Solve>,
    name: &str,
    want: usize,
    wait: Option<Duration>,
    got: &mut usize,
) -> std::result::Result<(), async_nats::Error> {
    if !consumers.contains_key(name) {
        let consumer: PullConsumer = link.js.get_consumer_from_stream(CONSUMER, name).await?;
        consumers.insert(name.to_owned(), consumer);
    }
    let Some(consumer) = consumers.get(name) else { return Ok(()) };
    let mut messages = match wait {
        None => consumer.fetch().max_messages(want).messages().await?,
        Some(wait) => consumer.batch().max_messages(want).expires(wait).messages().await?,
    };
    let limit = wait.unwrap_or_default() + Duration::from_secs(3);
    // To its end: what is asked for and not read would be lost until its time is over.
    while let Some(message) = tokio::time::timeout(limit, messages.next()).await? {
        *got += 1;
        accept(pool, solve, message?).await;
    }
    Ok(())
}

/// One job from the server.
async fn accept(pool: &Arc<Pool>, solve: &Arc<Solve>, message: Message) {
    let times = message.info().map_or(1, |info| info.delivered);
    let (message, acker) = message.split();
    let read = unpack::<JobHead>(&message.payload).filter(|(head, payload)| {
        payload.len() <= solve.live.terms.max_job && digest(payload) == head.digest
    });
    let read = read.filter(|(head, _)| !pool.state().is_cancelled(solve, head));
    let Some((head, payload)) = read else {
        // Nobody wants it, or nobody can read it: then the coordinator misses it and hands it out again.
        let _ = acker.ack_with(AckKind::Term).await;
        return;
    };
    if times > i64::from(solve.live.terms.attempts) {
        let message = format!("it was handed out {} times and no result came", times - 1);
        let key = pool.hold(solve.clone(), head.clone(), acker);
        let (solve, kind, payload) = (solve.clone(), ResultKind::Failed, message.into_bytes());
        let _ = pool.outgoing.send(Outgoing::Result { key, solve, head, kind, payload }).await;
        return;
    }
    pool.add(solve.clone(), head, payload, acker);
}

/// Says of every job that we hold that it is worked on, unless its handler hangs.
pub(crate) async fn beat(pool: Arc<Pool>) {
    while !pool.ended() {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let mut beats = Vec::new();
        let mut back = Vec::new();
        let mut hung = Vec::new();
        {
            let mut state = pool.state();
            for held in state.held.values_mut() {
                let terms = &held.solve.live.terms;
                match held.stage {
                    Stage::Running(heard) if heard.elapsed() > terms.stall => {
                        held.stage = Stage::Hung;
                        held.stop.store(true, Ordering::Release);
                        back.push(held.acker.clone());
                        hung.push((held.solve.live.info.id.clone(), held.head.job));
                    }
                    // All our threads are busy for longer than we thought: others may be idle.
                    Stage::Queued if held.since.elapsed() > terms.ack_wait => {
                        held.stage = Stage::GivenUp;
                        held.stop.store(true, Ordering::Release);
                        back.push(held.acker.clone());
                    }
                    stage if !stage.others() && held.beaten.elapsed() > terms.ack_wait / 3 => {
                        held.beaten = Instant::now();
                        beats.push(held.acker.clone());
                    }
                    _ => {}
                }
            }
        }
        let limit = Duration::from_secs(1);
        for acker in beats {
            let _ = tokio::time::timeout(limit, acker.ack_with(AckKind::Progress)).await;
        }
        for acker in back {
            let _ = tokio::time::timeout(limit, acker.ack_with(AckKind::Nak(None))).await;
        }
        for (solve, job) in hung {
            (pool.log)(Note::Hangs { solve, job });
        }
    }
}

/// Sends what the threads have to say.
pub(crate) async fn send(link: Link, pool: Arc<Pool>, mut outgoing: Receiver<Outgoing>) {
    let room = Arc::new(Semaphore::new(512));
    while let Some(message) = outgoing.recv().await {
        match message {
            Outgoing::Started { solve, head } => {
                link.say(solve.names.news(), news(&pool, News::Started(head), b"")).await;
            }
            Outgoing::Partial { solve, head, payload } => {
                if payload.len() + (8 << 10) <= link.client.max_payload() {
                    link.say(solve.names.news(), news(&pool, News::Partial(head), &payload)).await;
                }
            }
            Outgoing::Refuse { solve, message } => {
                link.say(solve.names.news(), news(&pool, News::Refuse(message), b"")).await;
            }
            Outgoing::Back { key } => {
                let (held, cancelled) = {
                    let mut state = pool.state();
                    let held = state.held.remove(&key);
                    let cancelled = held
                        .as_ref()
                        .is_some_and(|held| state.is_cancelled(&held.solve, &held.head));
                    (held, cancelled)
                };
                if let Some(held) = held.filter(|held| !held.stage.others()) {
                    let ack = if cancelled { AckKind::Term } else { AckKind::Nak(None) };
                    let _ = held.acker.ack_with(ack).await;
                }
            }
            Outgoing::Result { key, solve, head, kind, payload } => {
                let Ok(permit) = room.clone().acquire_owned().await else { return };
                let (link, pool) = (link.clone(), pool.clone());
                tokio::spawn(async move {
                    let safe = deliver(&link, &pool, &solve, head, kind, payload).await;
                    drop(permit);
                    let held = pool.state().held.remove(&key);
                    if let Some(held) = held {
                        // A job leaves the queue when its result is safe, not before.
                        let ack = if safe { AckKind::Ack } else { AckKind::Nak(None) };
                        let _ = held.acker.ack_with(ack).await;
                    }
                });
            }
        }
    }
}

/// Puts a result into its stream, again and again until it is there or nobody wants it; says which.
async fn deliver(
    link: &Link,
    pool: &Pool,
    solve: &Solve,
    job: JobHead,
    kind: ResultKind,
    payload: Vec<u8>,
) -> bool {
    let id = format!("{}/{}/{}/{}", job.epoch, job.job, job.attempt, pool.worker);
    let mut head = ResultHead {
        job,
        worker: pool.worker.clone(),
        version: pool.info.version.clone(),
        nonce: solve.live.nonce.clone(),
        kind,
    };
    let mut payload = payload;
    while payload.len() + (8 << 10) > link.client.max_payload() {
        let name = format!("result/{id}");
        let stored = async { Blobs::open(link, &solve.names, 1).await?.put(&name, &payload).await };
        match stored.await {
            Ok(()) => {
                head.kind = ResultKind::Stored;
                payload = name.into_bytes();
            }
            Err(crate::ClusterError::StoreFull { what, reason }) => {
                head.kind = ResultKind::Failed;
                payload = format!("the server has no room for {what}: {reason}").into_bytes();
            }
            Err(_) if solve.closed.load(Ordering::Acquire) => return false,
            Err(_) => tokio::time::sleep(LOOK).await,
        }
    }
    let message = pack(&head, &payload);
    loop {
        let message = PublishMessage::build().payload(message.clone()).message_id(&id);
        let sent = match link.js.send_publish(solve.names.results(), message).await {
            Ok(ack) => ack.await,
            Err(error) => Err(error),
        };
        match sent {
            Ok(_) => return true,
            Err(error) => {
                let gone = error.kind() == context::PublishErrorKind::StreamNotFound;
                if solve.closed.load(Ordering::Acquire) && gone || pool.ended() {
                    return false;
                }
            }
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
}

/// Gives back what we hold and says goodbye.
pub(crate) async fn leave(link: Link, pool: Arc<Pool>) -> Result<()> {
    let held: Vec<_> = {
        let mut state = pool.state();
        let held = std::mem::take(&mut state.held);
        held.into_values().filter(|held| !held.stage.others()).collect()
    };
    for held in held {
        let _ = held.acker.ack_with(AckKind::Nak(None)).await;
    }
    let solves: Vec<Arc<Solve>> = pool.state().solves.values().cloned().collect();
    for solve in solves {
        link.say(solve.names.news(), news(&pool, News::Bye, b"")).await;
    }
    let _ = link.client.flush().await;
    Ok(())
}
