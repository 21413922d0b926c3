//! Positions as sums of their parts: who wins them, and the words that show it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use foregone_cgt::Class;
use foregone_model::{Effort, Game, Known, OwnFound, Side, Turn, sums};
use rustc_hash::FxHashMap;

use super::arena::moves_of;
use super::facts::{Fail, words, words_by_value};
use super::search::{Memory, Piece, Search, Stopped};
use crate::erased::{AnyMove, AnyState, Erased};

/// What was found about positions of one game.
#[derive(Debug, Default)]
pub struct Parts {
    /// Positions that the side to move loses, and the words that show it.
    lost: RwLock<FxHashMap<AnyState, Arc<str>>>,
    memory: Mutex<Option<Memory>>,
    /// Whether the exact values of all parts are asked before there is a search.
    by_values: AtomicBool,
}

impl Parts {
    /// Nothing is known yet.
    pub fn new() -> Parts {
        Parts::default()
    }

    /// From now on the exact values of all parts are found, however long it takes, before there is a
    /// search.
    pub(crate) fn ask_values(&self) {
        self.by_values.store(true, Ordering::Relaxed);
    }

    /// What is known of a position: only that the side to move has lost it.
    pub(crate) fn known(&self, game: &Erased, s: &AnyState) -> Option<Known> {
        let lost = self.lost.read().unwrap_or_else(PoisonError::into_inner);
        if lost.is_empty() || !lost.contains_key(s) {
            return None;
        }
        Some(match mover(game, s)? {
            Side::Max => Known::lost(sums::RULE),
            Side::Min => Known::won(sums::RULE),
        })
    }

    /// Appends the words that show what is known.
    pub(crate) fn reason(&self, s: &AnyState, out: &mut String) {
        let lost = self.lost.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(words) = lost.get(s) {
            out.push_str(words);
        }
    }

    /// Who wins a position that is not over. Nothing if the search was ended.
    pub(crate) fn decide(
        &self,
        game: &Erased,
        s: &AnyState,
        goes_on: &mut dyn FnMut(Effort) -> bool,
    ) -> Option<OwnFound<AnyMove>> {
        let mover = mover(game, s)?;
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let memory = memory.get_or_insert_with(|| Memory::new(game));
        let mut search = Search::new(game, memory, goes_on);
        self.find(&mut search, s, mover).ok()
    }

    fn find(
        &self,
        search: &mut Search<'_>,
        s: &AnyState,
        mover: Side,
    ) -> Result<OwnFound<AnyMove>, Stopped> {
        if self.by_values.load(Ordering::Relaxed) && self.lost_by_values(search, s, mover)? {
            return Ok(OwnFound::Lost);
        }
        let mut pieces = Vec::new();
        search.split(s, &mut pieces);
        let bag = search.bag(pieces);
        if !search.wins(&bag, mover)? {
            self.keep_words(search, s, mover)?;
            return Ok(OwnFound::Lost);
        }
        let Some((m, next)) = winning_move(search, s, mover)? else {
            return Ok(OwnFound::Open);
        };
        // Behind the last move there is nothing to say.
        if search.game.turn(&next) != Turn::Over {
            self.keep_words(search, &next, mover.other())?;
        }
        Ok(OwnFound::Won(m))
    }

    /// Whether `mover` loses by the values of all parts, and there are words that show it.
    fn lost_by_values(
        &self,
        search: &mut Search<'_>,
        s: &AnyState,
        mover: Side,
    ) -> Result<bool, Stopped> {
        let Some(sum) = search.worth_of_all(s)? else { return Ok(false) };
        let class = search.arena().values.outcome(sum);
        let lost = match mover {
            Side::Max => matches!(class, Class::Right | Class::Previous),
            Side::Min => matches!(class, Class::Left | Class::Previous),
        };
        if !lost {
            return Ok(false);
        }
        let words = match words_by_value(search, s, mover.other()) {
            Ok(words) => words,
            Err(Fail::TooLong) => return Ok(false),
            Err(Fail::Stopped) => return Err(Stopped),
        };
        let mut lost = self.lost.write().unwrap_or_else(PoisonError::into_inner);
        lost.insert(s.clone(), words.into());
        Ok(true)
    }

    /// Makes the words for a position that `mover` loses. Where there would be too many, the position
    /// is not known, and moves are looked at one by one.
    fn keep_words(
        &self,
        search: &mut Search<'_>,
        s: &AnyState,
        mover: Side,
    ) -> Result<(), Stopped> {
        match words(search, s, mover.other()) {
            Ok(words) => {
                let mut lost = self.lost.write().unwrap_or_else(PoisonError::into_inner);
                lost.insert(s.clone(), words.into());
                Ok(())
            }
            Err(Fail::TooLong) => Ok(()),
            Err(Fail::Stopped) => Err(Stopped),
        }
    }
}

/// A move that wins, if there is one: one that is known to, or else the first.
fn winning_move(
    search: &mut Search<'_>,
    s: &AnyState,
    mover: Side,
) -> Result<Option<(AnyMove, AnyState)>, Stopped> {
    let game = search.game;
    let mut open = Vec::new();
    for (m, next) in moves_of(game, s, mover) {
        let mut pieces: Vec<Piece> = Vec::new();
        search.split(&next, &mut pieces);
        let bag = search.bag(pieces);
        match search.known(&bag, mover.other()) {
            Some(false) => return Ok(Some((m, next))),
            Some(true) => {}
            None => open.push((m, next, bag)),
        }
    }
    for (m, next, bag) in open {
        if !search.wins(&bag, mover.other())? {
            return Ok(Some((m, next)));
        }
    }
    Ok(None)
}

fn mover(game: &Erased, s: &AnyState) -> Option<Side> {
    match game.turn(s) {
        Turn::Agent(agent) => Some(Side::of(agent)),
        _ => None,
    }
}
