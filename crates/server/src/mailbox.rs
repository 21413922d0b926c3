//! What work has told, kept for who listens.
//!
//! Who works never waits for who listens: an event is put down here and that is all. Of how far a search is
//! only the newest is kept, so that a slow reader misses some and falls behind by nothing.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use foregone::{Cancel, Event};
use foregone_desk::{Failure, More, OwnEvent, Work, WorkEvent};
use tokio::sync::Notify;

/// Events that are kept, the newest.
const MOST_EVENTS: usize = 2000;
/// Kinds of events of which only the newest is kept.
const QUEUED: usize = 0;
const PROGRESS: usize = 1;
const WORKING: usize = 2;

/// An event as it goes over the wire.
#[derive(Clone)]
struct Told {
    number: u64,
    text: Bytes,
}

/// What is known of work.
pub(crate) struct Mailbox {
    pub(crate) id: String,
    pub(crate) cancel: Cancel,
    state: Mutex<State>,
    /// Who listens waits here, and who is paused there.
    told: Notify,
    answered: Condvar,
}

struct State {
    /// What is to be done, until somebody does it.
    work: Option<Work>,
    last: u64,
    kept: VecDeque<Told>,
    newest: [Option<Told>; 3],
    listeners: usize,
    /// Since when nobody listens.
    alone: Instant,
    ended: Option<Instant>,
    more: Option<More>,
}

/// What a listener finds.
pub(crate) enum Found {
    /// Events, and the number of the last one.
    Events(Bytes, u64),
    /// Nothing new.
    Nothing,
    /// Nothing new, and nothing will come.
    End,
}

impl Mailbox {
    pub(crate) fn new(id: String, work: Work) -> Mailbox {
        let state = State {
            work: Some(work),
            last: 0,
            kept: VecDeque::new(),
            newest: [None, None, None],
            listeners: 0,
            alone: Instant::now(),
            ended: None,
            more: None,
        };
        Mailbox {
            id,
            cancel: Cancel::new(),
            state: Mutex::new(state),
            told: Notify::new(),
            answered: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that can panic is done with it half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is to be done, once.
    pub(crate) fn take_work(&self) -> Option<Work> {
        self.state().work.take()
    }

    /// Puts down an event. After the last one there are no more.
    pub(crate) fn tell(&self, event: &WorkEvent) {
        let json = serde_json::to_string(event).unwrap_or_else(|error| {
            let failure = Failure::input(format!("the answer can't be written: {error}"));
            serde_json::json!({ "event": "failed", "failure": failure }).to_string()
        });
        let slot = match event {
            WorkEvent::Own(OwnEvent::Queued { .. }) => Some(QUEUED),
            WorkEvent::Told(Event::Progress(_)) => Some(PROGRESS),
            WorkEvent::Told(Event::Working { .. }) => Some(WORKING),
            _ => None,
        };
        let mut state = self.state();
        if state.ended.is_some() {
            return;
        }
        state.last += 1;
        let number = state.last;
        // JSON has no line breaks outside of its escapes, so an event is one line.
        let told = Told { number, text: format!("id: {number}\ndata: {json}\n\n").into() };
        if slot != Some(QUEUED) {
            state.newest[QUEUED] = None;
        }
        match slot {
            Some(slot) => state.newest[slot] = Some(told),
            None => {
                if state.kept.len() >= MOST_EVENTS {
                    state.kept.pop_front();
                }
                state.kept.push_back(told);
            }
        }
        if is_last(event) {
            state.ended = Some(Instant::now());
        }
        drop(state);
        self.told.notify_waiters();
    }

    /// Everything newer than this number, in order. Who claims to have seen what was never told gets all.
    pub(crate) fn after(&self, number: u64) -> Found {
        let state = self.state();
        let number = if number > state.last { 0 } else { number };
        let newest = state.newest.iter().flatten();
        let mut new: Vec<&Told> =
            state.kept.iter().chain(newest).filter(|told| told.number > number).collect();
        new.sort_unstable_by_key(|told| told.number);
        match (new.as_slice(), state.ended) {
            ([], None) => Found::Nothing,
            ([], Some(_)) => Found::End,
            ([one], _) => Found::Events(one.text.clone(), one.number),
            ([.., last], _) => {
                let all: Vec<u8> = new.iter().flat_map(|told| told.text.iter().copied()).collect();
                Found::Events(all.into(), last.number)
            }
        }
    }

    /// Ready when something is told after this call.
    pub(crate) fn told(&self) -> impl Future<Output = ()> {
        self.told.notified()
    }

    /// Ends the work, even if it is paused.
    pub(crate) fn stop(&self) {
        self.cancel.cancel();
        // With the lock, so that who is about to wait does not miss it.
        drop(self.state());
        self.answered.notify_all();
    }

    /// Raises the budget of work that is paused, or of the next pause.
    pub(crate) fn more(&self, more: More) {
        let mut state = self.state();
        state.more = Some(match state.more {
            None => more,
            Some(before) => More {
                seconds: before.seconds + more.seconds,
                bytes: before.bytes.saturating_add(more.bytes),
            },
        });
        drop(state);
        self.answered.notify_all();
    }

    /// Waits until the budget is raised; nothing if the work is to end.
    pub(crate) fn wait_for_more(&self, most: Duration) -> Option<More> {
        let goes_on = |state: &mut State| state.more.is_none() && !self.cancel.is_cancelled();
        let waited = self.answered.wait_timeout_while(self.state(), most, goes_on);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.more.take().filter(|_| !self.cancel.is_cancelled())
    }

    /// When the last event came.
    pub(crate) fn ended(&self) -> Option<Instant> {
        self.state().ended
    }

    /// Whether nobody has listened to work that goes on for so long.
    pub(crate) fn is_unheard(&self, most: Duration) -> bool {
        let state = self.state();
        state.ended.is_none() && state.listeners == 0 && state.alone.elapsed() >= most
    }
}

/// Whether nothing follows.
fn is_last(event: &WorkEvent) -> bool {
    use OwnEvent::{AllValued, Chosen, Compared, Failed, Refused, Solved, Verified};
    matches!(
        event,
        WorkEvent::Own(
            Solved { .. }
                | Verified { .. }
                | Refused { .. }
                | Compared { .. }
                | Chosen(_)
                | AllValued
                | Failed { .. }
        )
    )
}

/// Somebody who listens, as long as it is not dropped.
pub(crate) struct Listening(pub(crate) Arc<Mailbox>);

impl Listening {
    pub(crate) fn new(mailbox: &Arc<Mailbox>) -> Listening {
        mailbox.state().listeners += 1;
        Listening(Arc::clone(mailbox))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.listeners -= 1;
        state.alone = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use foregone::Progress;

    use super::*;

    fn mailbox() -> Mailbox {
        let work = serde_json::from_str(r#"{"work":"values","game":"nim:1","positions":[]}"#);
        Mailbox::new("1".to_owned(), work.unwrap())
    }

    fn progress(nodes: u64) -> WorkEvent {
        WorkEvent::Told(Event::Progress(Progress { nodes, ..Progress::default() }))
    }

    fn texts(found: Found) -> Vec<String> {
        let Found::Events(bytes, _) = found else { return Vec::new() };
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        text.split_terminator("\n\n").map(str::to_owned).collect()
    }

    #[test]
    fn a_reader_who_falls_behind_misses_progress_only() {
        let mailbox = mailbox();
        mailbox.tell(&WorkEvent::Own(OwnEvent::Queued { ahead: 1 }));
        mailbox.tell(&progress(0));
        mailbox.tell(&WorkEvent::Told(Event::ProofStarted));
        for nodes in 1..=100_000 {
            mailbox.tell(&progress(nodes));
        }
        let seen = texts(mailbox.after(0));
        assert_eq!(seen.len(), 2, "{seen:?}");
        assert_eq!(seen[0], "id: 3\ndata: {\"event\":\"proof-started\"}");
        assert!(seen[1].starts_with("id: 100003\n") && seen[1].contains("\"nodes\":100000"));
        assert_eq!(texts(mailbox.after(3)).len(), 1);
        assert!(matches!(mailbox.after(100_003), Found::Nothing));
    }

    #[test]
    fn nothing_follows_the_last_event() {
        let mailbox = mailbox();
        mailbox.tell(&WorkEvent::Own(OwnEvent::AllValued));
        mailbox.tell(&progress(1));
        assert_eq!(texts(mailbox.after(0)).len(), 1);
        assert!(matches!(mailbox.after(1), Found::End));
        assert!(mailbox.ended().is_some());
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mailbox = mailbox();
        for _ in 0..3 * MOST_EVENTS {
            mailbox.tell(&WorkEvent::Own(OwnEvent::Resumed));
        }
        assert_eq!(texts(mailbox.after(0)).len(), MOST_EVENTS);
    }

    #[test]
    fn listeners_are_counted() {
        let mailbox = Arc::new(mailbox());
        assert!(mailbox.is_unheard(Duration::ZERO));
        let (one, two) = (Listening::new(&mailbox), Listening::new(&mailbox));
        drop(one);
        assert!(!mailbox.is_unheard(Duration::ZERO));
        drop(two);
        assert!(mailbox.is_unheard(Duration::ZERO));
        assert!(!mailbox.is_unheard(Duration::from_secs(60)));
    }

    #[test]
    fn what_is_given_before_a_pause_counts() {
        let mailbox = mailbox();
        mailbox.more(More { seconds: 1.0, bytes: 2 });
        mailbox.more(More { seconds: 2.0, bytes: u64::MAX });
        let more = mailbox.wait_for_more(Duration::ZERO).unwrap();
        assert_eq!((more.seconds, more.bytes), (3.0, u64::MAX));
        assert!(mailbox.wait_for_more(Duration::from_millis(1)).is_none());
        mailbox.more(more);
        mailbox.stop();
        assert!(mailbox.wait_for_more(Duration::from_secs(9)).is_none());
    }
}
