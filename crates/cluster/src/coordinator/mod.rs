//! The side that hands out jobs.

mod keep;
mod publish;
mod results;
mod state;

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use bytes::Bytes;

pub use state::Event;
use state::{Open, Place, Shared};

use crate::blobs::{Blobs, of_worker, patience, shared as blob};
use crate::link::{Link, Wire};
use crate::names::{SolveNames, digest, unique};
use crate::runtime::Engine;
use crate::wire::{Control, Finished, Lease, Live, Terms, pack, value};
use crate::{ClusterError, Connect, Result, SolveInfo};

/// The object that holds the setup of a solve.
pub(crate) const SETUP: &str = "setup";

/// How long calls that ask the server a few things may take.
const CALL: Duration = Duration::from_secs(30);

/// When a result counts as taken, so that the server may forget it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Commit {
    /// With the next call of [`Coordinator::next`].
    #[default]
    OnNext,
    /// With the next call of [`Coordinator::commit`], for who writes a checkpoint first. A coordinator that takes over
    /// finds all results since then, and uses them as soon as their jobs are submitted again.
    Manual,
}

/// How a coordinator works.
#[derive(Clone, Debug)]
pub struct Options {
    /// What it agrees on with workers. A coordinator that takes over keeps what the first one agreed on.
    pub terms: Terms,
    /// When results count as taken.
    pub commit: Commit,
    /// How many jobs may be open at once.
    pub max_open: usize,
    /// On how many servers of a NATS cluster all is kept.
    pub replicas: usize,
    /// Who this is, for people.
    pub name: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            terms: Terms::default(),
            commit: Commit::default(),
            max_open: 100_000,
            replicas: 1,
            name: "coordinator".into(),
        }
    }
}

/// The coordinator of one solve. Dropping it is like killing it: the solve stays, and another one may take over when the
/// lease has ended.
pub struct Coordinator {
    shared: Arc<Shared>,
    inbox: Mutex<Inbox>,
    engine: Engine,
}

struct Inbox {
    events: mpsc::Receiver<(Option<Place>, Event)>,
    handed: Option<Place>,
}

/// What a new coordinator starts from.
struct Start {
    link: Link,
    names: SolveNames,
    live: Live,
    owner: String,
    revision: u64,
    setup: Bytes,
}

type Channel = (mpsc::Sender<Wire>, mpsc::Receiver<Wire>);

impl Coordinator {
    /// Begins a solve: a queue, a place for results, an entry that workers find, and the lease.
    ///
    /// # Errors
    /// No server, no JetStream, no room, or there is such a solve.
    pub fn create(
        connect: &Connect,
        info: SolveInfo,
        setup: Vec<u8>,
        options: Options,
    ) -> Result<Self> {
        let engine = Engine::start()?;
        let (wire, wires): Channel = mpsc::channel();
        let (connect, terms, name) = (connect.clone(), options.terms.clone(), options.name.clone());
        let replicas = options.replicas;
        let limit = CALL + options.terms.lease * 2;
        let start = engine.call("beginning the solve", limit, async move {
            let link = open(&connect, &name, wire).await?;
            let names = link.names.solve(&info.id)?;
            check_terms(&terms, &link)?;
            let bucket = link.bucket().await?;
            let key = names.key("live");
            let exists = || ClusterError::Exists { id: info.id.clone() };
            if link.read::<Live>(&bucket, &key).await?.is_some() {
                return Err(exists());
            }
            let owner = format!("{name}-{}", unique());
            // A lease without an entry is what a coordinator left that died between the two.
            let (epoch, revision) =
                keep::seize(&link, &bucket, &names, &owner, 0, terms.lease, Duration::ZERO).await?;
            link.jobs(&names, epoch, &terms, replicas).await?;
            link.results(&names, replicas).await?;
            Blobs::open(&link, &names, replicas).await?.put(SETUP, &setup).await?;
            for kind in ["cancel", "done", "status"] {
                link.erase(&bucket, &names, kind).await?;
            }
            let live = Live { info, terms, epoch, nonce: unique(), banned: Vec::new() };
            // Last of all: now workers find it.
            bucket
                .create(&key, value(&live))
                .await
                .map_err(|error| link.failed("announcing the solve", &error))?;
            Ok(Start { link, names, live, owner, revision, setup: setup.into() })
        })?;
        Ok(Self::start(engine, start, options, wires))
    }

    /// Goes on with a solve whose coordinator is gone. A live one is waited for, at most as long as `wait`; besides that it
    /// takes as long as the lease to see that nobody renews it.
    ///
    /// # Errors
    /// There is no such solve, or its coordinator is alive.
    pub fn take_over(
        connect: &Connect,
        id: &str,
        wait: Duration,
        options: Options,
    ) -> Result<(Self, SolveInfo, Vec<u8>)> {
        let engine = Engine::start()?;
        let (wire, wires): Channel = mpsc::channel();
        let (connect, id, name, replicas) =
            (connect.clone(), id.to_owned(), options.name.clone(), options.replicas);
        let begin = {
            let (connect, id, name) = (connect.clone(), id.clone(), name.clone());
            engine.call("finding the solve", CALL, async move {
                let link = open(&connect, &name, wire).await?;
                let names = link.names.solve(&id)?;
                let bucket = link.bucket().await?;
                let found = link.read::<Live>(&bucket, &names.key("live")).await?;
                let (live, _) = found.ok_or(ClusterError::NoSuchSolve { id })?;
                Ok((link, names, bucket, live))
            })?
        };
        let (link, names, bucket, mut live) = begin;
        let limit = wait + live.terms.lease * 3 + CALL;
        let start = engine.call("taking over the solve", limit, async move {
            let owner = format!("{name}-{}", unique());
            let lease = live.terms.lease;
            let (epoch, revision) =
                keep::seize(&link, &bucket, &names, &owner, live.epoch, lease, wait).await?;
            // What was written between our first look and the end of the lease counts.
            if let Some((now, _)) = link.read::<Live>(&bucket, &names.key("live")).await? {
                live = now;
            }
            let old = live.epoch;
            live.epoch = epoch;
            let setup = Blobs::open(&link, &names, replicas).await?.get(SETUP, usize::MAX).await?;
            let setup = setup.ok_or(ClusterError::NoBlob { name: SETUP.into() })?;
            link.jobs(&names, epoch, &live.terms, replicas).await?;
            link.results(&names, replicas).await?;
            link.write(&bucket, &names.key("live"), &live).await?;
            // Who asked the old one to end did not ask this one.
            link.erase(&bucket, &names, "cancel").await?;
            // The old coordinator can publish no more: its queue is gone.
            let _ = link.js.delete_stream(names.jobs_stream(old)).await;
            Ok(Start { link, names, live, owner, revision, setup })
        })?;
        let (info, setup) = (start.live.info.clone(), start.setup.to_vec());
        Ok((Self::start(engine, start, options, wires), info, setup))
    }

    fn start(engine: Engine, start: Start, options: Options, wires: mpsc::Receiver<Wire>) -> Self {
        let Start { link, names, live, owner, revision, setup } = start;
        let (sender, events) = mpsc::channel();
        let (publish, jobs) = tokio::sync::mpsc::unbounded_channel();
        let shared = Arc::new(Shared::new(
            link, names, options, live, owner, setup, revision, sender, publish,
        ));
        engine.spawn(publish::publish(shared.clone(), jobs));
        engine.spawn(results::read(shared.clone()));
        engine.spawn(keep::lease(shared.clone()));
        engine.spawn(keep::house(shared.clone()));
        engine.spawn(keep::news(shared.clone()));
        engine.spawn(keep::ping(shared.clone()));
        engine.spawn(connection(shared.clone(), wires));
        Self { shared, inbox: Mutex::new(Inbox { events, handed: None }), engine }
    }

    /// The number of this coordinator: the first one has 1, who takes over has more.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.shared.epoch
    }

    /// How many jobs have no result yet.
    #[must_use]
    pub fn open_jobs(&self) -> usize {
        self.shared.state().open.len()
    }

    /// Hands out a job. It returns at once; the job is published behind the scenes, again and again if need be. A job
    /// that is open already is not handed out twice. After its result a number may be used again.
    ///
    /// # Errors
    /// The lease is lost, the job is too large, too many are open, or its number is taken by another content.
    pub fn submit(&self, job: u64, payload: Vec<u8>) -> Result<()> {
        let shared = &self.shared;
        let (limit, id) = {
            let live = shared.live();
            (live.terms.max_job, live.info.id.clone())
        };
        if shared.lost() {
            return Err(ClusterError::LeaseLost { id });
        }
        if payload.len() > limit {
            return Err(ClusterError::TooLarge {
                what: format!("job {job}"),
                size: payload.len(),
                limit,
            });
        }
        let digest = digest(&payload);
        let mut state = shared.state();
        if let Some(open) = state.open.get(&job) {
            return if open.digest == digest {
                Ok(())
            } else {
                Err(ClusterError::JobTaken { job })
            };
        }
        if let Some(stray) = state.take_stray(job, digest) {
            shared.tell(Event::Done { job, worker: stray.worker, payload: stray.payload.into() });
            return Ok(());
        }
        if state.open.len() >= shared.options.max_open {
            return Err(ClusterError::TooManyJobs { limit: shared.options.max_open });
        }
        let attempt = state.attempt();
        state.open.insert(
            job,
            Open {
                digest,
                attempt,
                payload: payload.into(),
                stored: None,
                missed: None,
                worker: None,
            },
        );
        let _ = shared.publish.send(job);
        Ok(())
    }

    /// The next thing that happens, or nothing if nothing happens in time.
    pub fn next(&self, timeout: Duration) -> Option<Event> {
        let mut inbox = self.inbox.lock().unwrap_or_else(PoisonError::into_inner);
        if self.shared.options.commit == Commit::OnNext {
            self.take(inbox.handed);
        }
        let (place, event) = inbox.events.recv_timeout(timeout).ok()?;
        self.shared.waiting.fetch_sub(1, Ordering::Relaxed);
        inbox.handed = place.or(inbox.handed);
        Some(event)
    }

    /// All results that were handed out so far are safe with the caller: the server may forget them.
    pub fn commit(&self) {
        let inbox = self.inbox.lock().unwrap_or_else(PoisonError::into_inner);
        self.take(inbox.handed);
    }

    fn take(&self, handed: Option<Place>) {
        let Some(place) = handed else { return };
        let mut state = self.shared.state();
        if place.generation == state.taken.generation && place.sequence > state.taken.sequence {
            state.taken = place;
        }
    }

    /// Nobody wants this job any more: it leaves the queue, whoever works on it is told, and no event of it comes any more
    /// but those that wait already.
    pub fn cancel_job(&self, job: u64) {
        let shared = self.shared.clone();
        let attempt;
        {
            let mut state = shared.state();
            let Some(open) = state.open.remove(&job) else { return };
            attempt = open.attempt;
            match open.stored {
                Some(number) => state.useless.push(number),
                None => drop(state.cancelled.insert(open.attempt)),
            }
        }
        self.engine.spawn(async move {
            let cancel = Control::Cancel { epoch: shared.epoch, attempt };
            shared.link.say(shared.names.control(), pack(&cancel, b"")).await;
        });
    }

    /// Ignores all results of a worker from now on, tells it so, and hands out its jobs again.
    pub fn ban(&self, worker: &str, reason: &str) {
        let shared = self.shared.clone();
        {
            let mut state = shared.state();
            if !state.banned.insert(worker.to_owned()) {
                return;
            }
            let jobs: Vec<u64> = state
                .open
                .iter()
                .filter(|(_, open)| open.worker.as_deref() == Some(worker))
                .map(|(&job, _)| job)
                .collect();
            for job in jobs {
                shared.again(&mut state, job);
            }
            if state.workers.remove(worker).is_some() {
                shared.tell(Event::Left { worker: worker.to_owned() });
            }
        }
        shared.live().banned.push(worker.to_owned());
        // Written down with the next look.
        shared.look.notify_one();
        let ban = Control::Ban { worker: worker.to_owned(), reason: reason.to_owned() };
        self.engine
            .spawn(async move { shared.link.say(shared.names.control(), pack(&ban, b"")).await });
    }

    /// Stores bytes under a name, for this coordinator and those after it. What an older coordinator stores afterwards
    /// does not replace it.
    ///
    /// # Errors
    /// The store is full, the server does not answer in time, or the lease is not surely ours.
    pub fn put_blob(&self, name: &str, bytes: Vec<u8>) -> Result<()> {
        self.shared.sure()?;
        let (shared, name) = (self.shared.clone(), name.to_owned());
        self.engine.call(&format!("storing {name:?}"), patience(bytes.len()), async move {
            let blobs = shared.blobs().await?;
            blobs.put(&blob(&name, shared.epoch), &bytes).await?;
            for epoch in 1..shared.epoch {
                // It is not read any more; that it is there costs only room.
                let _ = blobs.remove(&blob(&name, epoch)).await;
            }
            Ok(())
        })
    }

    /// The bytes of a name, of this coordinator or the last one before it that stored some.
    ///
    /// # Errors
    /// There are none, or the server does not answer in time.
    pub fn get_blob(&self, name: &str) -> Result<Vec<u8>> {
        let (shared, name) = (self.shared.clone(), name.to_owned());
        self.engine.call(&format!("reading {name:?}"), patience(1 << 30), async move {
            let found = shared.blobs().await?.shared(&name, shared.epoch, usize::MAX).await?;
            found.map(Vec::from).ok_or(ClusterError::NoBlob { name })
        })
    }

    /// The bytes that a worker stored under a name while it worked ([`crate::Store::put`]), if there are no more than
    /// allowed.
    ///
    /// # Errors
    /// There are none or too many, or the server does not answer in time.
    pub fn get_work(&self, worker: &str, name: &str, limit: usize) -> Result<Vec<u8>> {
        let (shared, stored) = (self.shared.clone(), of_worker(worker, name));
        self.engine.call(&format!("reading {name:?}"), patience(limit), async move {
            let found = shared.blobs().await?.get(&stored, limit).await?;
            found.map(Vec::from).ok_or(ClusterError::NoBlob { name: stored })
        })
    }

    /// Removes what a worker stored under a name.
    ///
    /// # Errors
    /// The server does not answer in time.
    pub fn drop_work(&self, worker: &str, name: &str) -> Result<()> {
        self.shared.sure()?;
        let (shared, stored) = (self.shared.clone(), of_worker(worker, name));
        self.engine.call(&format!("removing {name:?}"), CALL, async move {
            shared.blobs().await?.remove(&stored).await
        })
    }

    /// Removes a name from the store.
    ///
    /// # Errors
    /// The server does not answer in time.
    pub fn drop_blob(&self, name: &str) -> Result<()> {
        self.shared.sure()?;
        let (shared, name) = (self.shared.clone(), name.to_owned());
        self.engine.call(&format!("removing {name:?}"), CALL, async move {
            let blobs = shared.blobs().await?;
            for epoch in 1..=shared.epoch {
                blobs.remove(&blob(&name, epoch)).await?;
            }
            Ok(())
        })
    }

    /// What `status` shows of this solve.
    ///
    /// # Errors
    /// The server does not answer in time, or the lease is not surely ours.
    pub fn publish_status(&self, json: serde_json::Value) -> Result<()> {
        self.shared.sure()?;
        let shared = self.shared.clone();
        self.engine.call("writing the status", CALL, async move {
            let bucket = shared.link.bucket().await?;
            shared.link.write(&bucket, &shared.names.key("status"), &json).await
        })
    }

    /// The solve is over: workers are told, all that the server holds of it is removed but the outcome.
    ///
    /// # Errors
    /// The lease is lost, or the server does not answer in time. The solve then stays and can be taken over.
    pub fn finish(self, outcome: serde_json::Value) -> Result<()> {
        let shared = self.shared.clone();
        if shared.lost() {
            return Err(ClusterError::LeaseLost { id: shared.live().info.id.clone() });
        }
        self.engine.call("ending the solve", CALL, async move {
            let (link, names) = (&shared.link, &shared.names);
            let bucket = link.bucket().await?;
            let info = shared.live().info.clone();
            match link.read::<Lease>(&bucket, &names.key("lease")).await? {
                Some((lease, _)) if lease.owner != shared.owner => {
                    return Err(ClusterError::LeaseLost { id: info.id });
                }
                _ => {}
            }
            link.write(&bucket, &names.key("done"), &Finished { info, outcome }).await?;
            // No task may make again what is removed now.
            shared.lost.store(true, Ordering::Release);
            crate::observe::clear(link, &bucket, names).await?;
            // Who misses this sees that the entry is gone.
            link.say(names.control(), pack(&Control::Over, b"")).await;
            let _ = tokio::time::timeout(Duration::from_secs(2), link.client.flush()).await;
            Ok(())
        })
    }

    /// Lets go of the lease and leaves the solve as it is: another coordinator may take over at once.
    ///
    /// # Errors
    /// The server does not answer in time; the lease then ends by itself.
    pub fn detach(self) -> Result<()> {
        let shared = self.shared.clone();
        if shared.lost.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        self.engine.call("letting go of the lease", CALL, async move {
            let bucket = shared.link.bucket().await?;
            let key = shared.names.key("lease");
            let mine = Lease { owner: shared.owner.clone(), epoch: shared.epoch, released: true };
            if let Some((lease, revision)) = shared.link.read::<Lease>(&bucket, &key).await?
                && lease.owner == shared.owner
            {
                let _ = bucket.update(&key, value(&mine), revision).await;
            }
            Ok(())
        })
    }
}

async fn open(connect: &Connect, name: &str, wire: mpsc::Sender<Wire>) -> Result<Link> {
    let wire = Arc::new(Mutex::new(wire));
    Link::open(connect, name, move |state| {
        let _ = wire.lock().unwrap_or_else(PoisonError::into_inner).send(state);
    })
    .await
}

/// Tells of the connection's ups and downs. The first one is that of `open`.
async fn connection(shared: Arc<Shared>, wires: mpsc::Receiver<Wire>) {
    let mut up = true;
    loop {
        match wires.try_recv() {
            Ok(Wire::Up) if !up => {
                up = true;
                shared.reread.notify_one();
                shared.look.notify_one();
                shared.tell(Event::Reconnected);
            }
            Ok(Wire::Down) if up => {
                up = false;
                shared.tell(Event::Disconnected);
            }
            Ok(_) => {}
            Err(mpsc::TryRecvError::Empty) => tokio::time::sleep(Duration::from_millis(50)).await,
            Err(mpsc::TryRecvError::Disconnected) => return,
        }
    }
}

/// Terms that the server cannot keep.
fn check_terms(terms: &Terms, link: &Link) -> Result<()> {
    let limit = link.client.max_payload().saturating_sub(8 << 10);
    if limit > 0 && terms.max_job > limit {
        return Err(ClusterError::TooLarge {
            what: "the largest job".into(),
            size: terms.max_job,
            limit,
        });
    }
    Ok(())
}
