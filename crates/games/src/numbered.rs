//! The numbering of a game whose type was forgotten.

use std::ops::Range;

use foregone_model::table::{Entries, TableError, Window, verify};
use foregone_model::tabled::open_value;
use foregone_model::{Class, ClassMoves, Outcome, Place, Tabled, TextError};

use crate::held::AnyState;

/// What is asked of a game that can have tables ([`Tabled`]) behind its back.
pub trait AnyTabled: Send + Sync {
    /// The classes that a person means ([`Tabled::wanted`]).
    fn wanted(&self, text: &str) -> Result<Vec<Class>, TextError>;
    /// The name of a class.
    fn class_name(&self, class: Class) -> String;
    /// How many numbers a class has.
    fn size(&self, class: Class) -> u64;
    /// The classes that a class leads to.
    fn leads_to(&self, class: Class) -> Vec<Class>;
    /// The worst and the best outcome of a class.
    fn outcomes(&self, class: Class) -> (Outcome, Outcome);
    /// Where a position stands.
    fn place(&self, s: &AnyState) -> Option<Place>;
    /// The position of a number.
    fn position(&self, class: Class, index: u64) -> Option<AnyState>;
    /// What is open in a class is worth ([`open_value`]).
    fn open_value(&self, class: Class, window: Window) -> Option<Outcome>;
    /// The moves of a class in terms of numbers.
    fn class_moves(&self, class: Class) -> Box<dyn ClassMoves + '_>;
    /// Checks entries of a table ([`verify`]).
    fn verify(
        &self,
        class: Class,
        window: Window,
        entries: &dyn Entries,
        range: Range<u64>,
    ) -> Result<u64, TableError>;
}

impl<G: Tabled + Send + 'static> AnyTabled for G {
    fn wanted(&self, text: &str) -> Result<Vec<Class>, TextError> {
        Tabled::wanted(self, text)
    }

    fn class_name(&self, class: Class) -> String {
        foregone_model::Indexed::class_name(self, class)
    }

    fn size(&self, class: Class) -> u64 {
        foregone_model::Indexed::size(self, class)
    }

    fn leads_to(&self, class: Class) -> Vec<Class> {
        foregone_model::Indexed::leads_to(self, class)
    }

    fn outcomes(&self, class: Class) -> (Outcome, Outcome) {
        foregone_model::Indexed::outcomes(self, class)
    }

    fn place(&self, s: &AnyState) -> Option<Place> {
        foregone_model::Indexed::place(self, s.get())
    }

    fn position(&self, class: Class, index: u64) -> Option<AnyState> {
        foregone_model::Indexed::position(self, class, index).map(AnyState::new)
    }

    fn open_value(&self, class: Class, window: Window) -> Option<Outcome> {
        open_value(self, class, window)
    }

    fn class_moves(&self, class: Class) -> Box<dyn ClassMoves + '_> {
        Tabled::class_moves(self, class)
    }

    fn verify(
        &self,
        class: Class,
        window: Window,
        entries: &dyn Entries,
        range: Range<u64>,
    ) -> Result<u64, TableError> {
        verify(self, class, window, entries, range)
    }
}
