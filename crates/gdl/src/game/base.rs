//! What games in turn and games of joint moves share: the rulesheet, what its rules turned out to
//! break, and the same game by the rules that check proofs.

use std::sync::{Arc, OnceLock};

use foregone_model::TextError;

use super::kernel::Words;
use super::{Loaded, read_facts};
use crate::stop::StopCheck;

/// A game that is made of a rulesheet.
pub(super) trait OfRulesheet: Clone {
    /// What all such games have.
    fn base(&self) -> &Base<Self>;

    /// The same game with another base.
    fn with_base(&self, base: Base<Self>) -> Self;

    /// The same game of a rulesheet that another machine runs, which finds out for itself what kind
    /// of game it is. The error says why there is no such game.
    fn of_machine(&self, loaded: Arc<Loaded>) -> Result<Self, String>;
}

/// What all games that are made of a rulesheet have.
#[derive(Clone, Debug)]
pub(super) struct Base<G> {
    /// The name, as the user typed it.
    pub(super) name: String,
    pub(super) loaded: Arc<Loaded>,
    /// The first thing that the rules turned out to break.
    violation: Arc<OnceLock<String>>,
    /// The same game by independent rules, once it was asked for.
    independent: Arc<OnceLock<Box<G>>>,
    /// Whether to give up making that game.
    pub(super) stop: StopCheck,
}

impl<G> Base<G> {
    pub(super) fn new(name: &str, loaded: Arc<Loaded>) -> Base<G> {
        let (violation, independent) = Default::default();
        Base { name: name.to_owned(), loaded, violation, independent, stop: StopCheck::NEVER }
    }

    /// Notes what the rules break. Only the first one is kept.
    pub(super) fn report(&self, message: &str) {
        let _ = self.violation.set(message.to_owned());
    }

    /// What the rules turned out to break.
    pub(super) fn violation(&self) -> Option<String> {
        self.violation.get().cloned()
    }
}

/// The position of a text. What the rules break there says nothing about other positions.
pub(super) fn read_position<G: OfRulesheet, P>(
    game: &G,
    text: &str,
    position: impl Fn(&G, Words) -> P,
) -> Result<P, TextError> {
    let words = read_facts(&game.base().loaded, text)?;
    let own = game.with_base(Base { violation: Arc::default(), ..game.base().clone() });
    let position = position(&own, words);
    match own.base().violation() {
        Some(message) => Err(TextError::new(message, 0..text.len())),
        None => Ok(position),
    }
}

/// The same game by the plain interpreter. What one proof finds wrong does not count for the next
/// one, so each has its own copy.
pub(super) fn independent_rules<G: OfRulesheet>(game: &G) -> G {
    let found = game.base().independent.get_or_init(|| Box::new(by_interpreter(game)));
    let violation = Arc::new((*found.base().violation).clone());
    found.with_base(Base { violation, ..found.base().clone() })
}

fn by_interpreter<G: OfRulesheet>(game: &G) -> G {
    let (loaded, problem) = game.base().loaded.independent(&game.base().stop);
    let loaded = Arc::new(loaded);
    let (found, problem) = match game.of_machine(loaded.clone()) {
        Ok(found) => (found, problem),
        // A game that only carries the message: nothing is proved by it.
        Err(message) => {
            (game.with_base(Base::new(&game.base().name, loaded)), problem.or(Some(message)))
        }
    };
    if let Some(message) = problem {
        found.base().report(&message);
    }
    found
}
