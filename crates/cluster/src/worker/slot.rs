//! A thread that works.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::pool::{Next, Outgoing, Pool, Task};
use super::store::{Net, Store};
use super::{Handler, Note};
use crate::wire::ResultKind;

/// Partial results come no closer than this.
const PARTIALS: Duration = Duration::from_millis(50);

/// Works until the worker ends.
pub(crate) fn run<H: Handler>(pool: &Pool, net: &Net, mut handler: H) {
    // Solves that the handler knows, and which one of that name it is.
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    loop {
        let next = pool.next();
        let over: Vec<String> = known
            .iter()
            .filter(|(id, nonce)| pool.solve(id).is_none_or(|solve| solve.live.nonce != **nonce))
            .map(|(id, _)| id.clone())
            .collect();
        for id in over {
            known.remove(&id);
            handler.forget(&id);
        }
        match next {
            Next::End => return,
            Next::Look => {}
            Next::Work(task) => {
                if prepare(pool, &mut handler, &mut known, &task) {
                    work(pool, net, &mut handler, &mut known, task);
                } else {
                    pool.send(Outgoing::Back { key: task.key });
                }
            }
        }
    }
}

/// Makes the solve of a job known to the handler.
fn prepare<H: Handler>(
    pool: &Pool,
    handler: &mut H,
    known: &mut BTreeMap<String, String>,
    task: &Task,
) -> bool {
    let live = &task.solve.live;
    let id = &live.info.id;
    if known.get(id) == Some(&live.nonce) {
        return true;
    }
    let ready = catch_unwind(AssertUnwindSafe(|| handler.setup(&live.info, &task.solve.setup)));
    match ready.unwrap_or_else(|_| Err("the handler broke down".into())) {
        Ok(()) => {
            known.insert(id.clone(), live.nonce.clone());
            true
        }
        Err(message) => {
            pool.state().refused.insert(live.nonce.clone());
            if pool.close(id).is_some() {
                (pool.log)(Note::Refused { solve: id.clone(), message: message.clone() });
                pool.send(Outgoing::Refuse { solve: task.solve.clone(), message });
            }
            false
        }
    }
}

/// Does one job.
fn work<H: Handler>(
    pool: &Pool,
    net: &Net,
    handler: &mut H,
    known: &mut BTreeMap<String, String>,
    task: Task,
) {
    let Task { key, solve, head, payload, stop } = task;
    let id = solve.live.info.id.clone();
    pool.send_if_room(Outgoing::Started { solve: solve.clone(), head: head.clone() });
    let begun = Instant::now();
    let mut told = begun;
    let mut report = |payload: Vec<u8>| {
        pool.progress(key);
        if !payload.is_empty() && told.elapsed() >= PARTIALS {
            told = Instant::now();
            pool.send_if_room(Outgoing::Partial {
                solve: solve.clone(),
                head: head.clone(),
                payload,
            });
        }
    };
    let store = Store { net, solve: &solve, worker: &pool.worker };
    let done =
        catch_unwind(AssertUnwindSafe(|| handler.work(&id, &payload, &store, &mut report, &stop)));
    pool.finished(key, begun.elapsed());
    let done = done.unwrap_or_else(|_| {
        // Whatever state it is in, it begins anew.
        known.remove(&id);
        handler.forget(&id);
        Err("the handler broke down".into())
    });
    if stop.load(Ordering::Acquire) {
        // It may be half a result.
        return pool.send(Outgoing::Back { key });
    }
    let limit = solve.live.terms.max_result;
    let (kind, payload) = match done {
        Ok(payload) if payload.len() <= limit => (ResultKind::Done, payload),
        Ok(payload) => {
            let message =
                format!("its result has {} bytes, and at most {limit} are allowed", payload.len());
            (ResultKind::Failed, message.into_bytes())
        }
        Err(message) => {
            (ResultKind::Failed, message.chars().take(4000).collect::<String>().into_bytes())
        }
    };
    if kind == ResultKind::Failed {
        let message = String::from_utf8_lossy(&payload).into_owned();
        (pool.log)(Note::Failed { solve: id, job: head.job, message });
    }
    pool.send(Outgoing::Result { key, solve, head, kind, payload });
}
