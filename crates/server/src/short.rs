//! Short requests: a few at a time, a few more that wait, each within its time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::refusal::Refusal;

/// Requests that are answered at a time, and that wait for it.
const AT_A_TIME: usize = 4;
const MOST_WAITING: usize = 256;
/// How long one may take, with waiting.
const LONGEST: Duration = Duration::from_secs(30);

/// Requests that read through a proof, at a time.
const HEAVY_AT_A_TIME: usize = 2;

/// How much a request may take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Hardly anything: what there is to choose from.
    Light,
    /// A position, or a place in a proof.
    Usual,
    /// Looking for something in a whole proof, or drawing a part of it.
    Heavy,
}

impl Weight {
    /// The weight of a request by its name.
    pub(crate) fn of(name: &str) -> Weight {
        match name {
            "words" | "games" | "outline" => Weight::Light,
            "find" | "export" => Weight::Heavy,
            _ => Weight::Usual,
        }
    }
}

/// Places for short requests, by their weight: who asks for little does not wait for who asks for much.
pub(crate) struct Short {
    places: [Arc<Semaphore>; 3],
    waiting: Arc<AtomicUsize>,
}

impl Default for Short {
    fn default() -> Short {
        let places = [AT_A_TIME, AT_A_TIME, HEAVY_AT_A_TIME].map(|n| Arc::new(Semaphore::new(n)));
        Short { places, waiting: Arc::default() }
    }
}

/// One that waits or is answered; it counts until it is dropped.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Short {
    /// Does something that takes a while, on a thread that may wait.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        weight: Weight,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let counted = Counted(Arc::clone(&self.waiting));
        if before >= MOST_WAITING {
            return Err(Refusal::busy("too many requests at a time"));
        }
        let done = timeout(LONGEST, async {
            let Ok(place) = Arc::clone(&self.places[weight as usize]).acquire_owned().await else {
                return Err(Refusal::busy("the server ends"));
            };
            // Who is late goes on holding a place until done: the next one does not make it worse.
            let answered = spawn_blocking(move || {
                let answer = work();
                drop((place, counted));
                answer
            });
            answered.await.map_err(|_| Refusal::broken("the request made the server stumble"))
        });
        done.await.unwrap_or_else(|_| Err(Refusal::busy("this takes longer than a request may")))
    }
}
