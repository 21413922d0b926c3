//! What the building of tables needs beyond numbers for positions ([`Indexed`]): moves in terms of
//! numbers, quick, and moves taken back. Nothing here is believed: a table is verified by the rules.

use std::collections::HashSet;

use foregone_proof::table::{Window, middle};
use foregone_proof::{Class, Endless, Game, Indexed, Outcome, Side, TextError, Turn};

use crate::rows::RowMoves;

/// A game whose tables can be built.
pub trait Tabled: Indexed {
    /// The classes that a person means by `text`, each behind all that it leads to. No text means
    /// all classes of the game, or an error that says what to type. Spans are places in `text`.
    fn wanted(&self, text: &str) -> Result<Vec<Class>, TextError>;

    /// The moves of a class in terms of numbers: by the rules alone, unless the game has something
    /// quicker.
    fn class_moves(&self, class: Class) -> Box<dyn ClassMoves + '_>
    where
        Self: Sized,
    {
        Box::new(PlainMoves::new(self, class))
    }
}

/// All of `classes` with those that they lead to, each behind all that it leads to.
pub fn with_all_below<G: Indexed + ?Sized>(game: &G, classes: &[Class]) -> Vec<Class> {
    with_all_below_of(classes, &mut |class| game.leads_to(class))
}

/// The same where `leads_to` says where classes lead.
pub fn with_all_below_of(
    classes: &[Class],
    leads_to: &mut dyn FnMut(Class) -> Vec<Class>,
) -> Vec<Class> {
    fn add(
        class: Class,
        leads_to: &mut dyn FnMut(Class) -> Vec<Class>,
        seen: &mut HashSet<Class>,
        out: &mut Vec<Class>,
    ) {
        if seen.insert(class) {
            for below in leads_to(class) {
                add(below, leads_to, seen, out);
            }
            out.push(class);
        }
    }
    let (mut seen, mut out) = (HashSet::new(), Vec::new());
    for &class in classes {
        add(class, leads_to, &mut seen, &mut out);
    }
    out
}

/// What is open in a class is worth, for positions of its table; nothing if it is worth nothing.
pub fn open_value<G: Indexed>(game: &G, class: Class, window: Window) -> Option<Outcome> {
    match game.endless() {
        Endless::Scores(_) => {
            let mut positions = (0..game.size(class)).filter_map(|i| game.position(class, i));
            match game.endless_from(&positions.next()?) {
                Endless::Scores(o) => Some(window.clamp(o)),
                Endless::Impossible | Endless::Undetermined => None,
            }
        }
        Endless::Impossible | Endless::Undetermined => middle(game, class, window),
    }
}

/// What stands at a number of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// No position.
    Hole,
    /// A final position with this outcome.
    Over(Outcome),
    /// This side moves. Max is the first agent.
    Choice(Side),
}

/// A move in terms of numbers: where it leads, and how what is true there is true before it
/// (`foregone_proof::Place`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// 0 for the class itself, 1 for the first class that it leads to, and so on.
    pub slot: u16,
    /// The players are exchanged.
    pub flip: bool,
    /// Outcomes are shifted by this, after the exchange.
    pub shift: i16,
    /// The number.
    pub index: u64,
}

/// A move taken back: where it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmove {
    /// The number, in the same class.
    pub index: u64,
    /// The players are exchanged between the two.
    pub flip: bool,
}

/// The moves of one class in terms of numbers.
pub trait ClassMoves: Sync {
    /// How many numbers there are.
    fn size(&self) -> u64;

    /// What stands at a number. Appends its moves if it is a choice, in any order; several that lead to
    /// one place may be one.
    fn look(&self, index: u64, out: &mut Vec<Step>) -> Node;

    /// The same with the moves to other classes only, and whether there are moves within the class.
    fn exits(&self, index: u64, out: &mut Vec<Step>) -> (Node, bool) {
        let first = out.len();
        let node = self.look(index, out);
        let all = out.len();
        let mut kept = first;
        for at in first..all {
            if out[at].slot != 0 {
                out[kept] = out[at];
                kept += 1;
            }
        }
        out.truncate(kept);
        (node, kept < all)
    }

    /// Hands the moves of a position within the class to `visit`, as where they lead and whether the
    /// players are exchanged, until it says to stop. Whether it saw all. `steps` is for use.
    fn within(
        &self,
        index: u64,
        steps: &mut Vec<Step>,
        visit: &mut dyn FnMut(u64, bool) -> bool,
    ) -> bool {
        steps.clear();
        self.look(index, steps);
        steps.iter().filter(|step| step.slot == 0).all(|step| visit(step.index, step.flip))
    }

    /// What stands at a number, without its moves.
    fn node(&self, index: u64) -> Node {
        self.look(index, &mut Vec::new())
    }

    /// Who moves at a number that is a choice; any side where it is not.
    fn mover(&self, index: u64) -> Side {
        match self.node(index) {
            Node::Choice(side) => side,
            Node::Hole | Node::Over(_) => Side::Max,
        }
    }

    /// Whether moves can be taken back ([`ClassMoves::predecessors`]).
    fn takes_back(&self) -> bool {
        false
    }

    /// Appends all numbers of the class from which a move leads to this one, which is a position, and
    /// no others. One may come several times.
    fn predecessors(&self, _index: u64, _out: &mut Vec<Unmove>) {}

    /// The same moves by rows, where outcomes are words and the game can do it: much quicker.
    fn by_rows(&self) -> Option<&dyn RowMoves> {
        None
    }
}

/// The moves of a class by the rules alone.
pub struct PlainMoves<'g, G: Indexed> {
    game: &'g G,
    class: Class,
    below: Vec<Class>,
    size: u64,
}

impl<'g, G: Indexed> PlainMoves<'g, G> {
    /// Those of this class.
    pub fn new(game: &'g G, class: Class) -> PlainMoves<'g, G> {
        PlainMoves { game, class, below: game.leads_to(class), size: game.size(class) }
    }

    /// A position as where a move leads to. Panics if the numbering is wrong.
    pub fn step(&self, s: &<G as Game>::State) -> Step {
        let place = self.game.place(s).unwrap_or_else(|| panic!("{s:?} is in no class"));
        let slot = if place.class == self.class {
            0
        } else {
            let name = || self.game.class_name(place.class);
            let found = self.below.iter().position(|&below| below == place.class);
            1 + found.unwrap_or_else(|| panic!("a move leads to {}, which is not told", name()))
        };
        let shift = i16::try_from(place.shift).unwrap_or_else(|_| panic!("too large a shift"));
        Step { slot: slot as u16, flip: place.flip, shift, index: place.index }
    }
}

impl<G: Indexed> ClassMoves for PlainMoves<'_, G> {
    fn size(&self) -> u64 {
        self.size
    }

    fn look(&self, index: u64, out: &mut Vec<Step>) -> Node {
        let Some(s) = self.game.position(self.class, index) else { return Node::Hole };
        let agent = match self.game.turn(&s) {
            Turn::Over => return Node::Over(self.game.outcome(&s)),
            Turn::Agent(agent) => agent,
            Turn::Chance => panic!("tables are for games without chance"),
        };
        let mut moves = Vec::new();
        self.game.moves(&s, agent, &mut moves);
        for &m in &moves {
            let mut next = s.clone();
            self.game.play(&mut next, agent, m);
            out.push(self.step(&next));
        }
        Node::Choice(Side::of(agent))
    }

    fn node(&self, index: u64) -> Node {
        let Some(s) = self.game.position(self.class, index) else { return Node::Hole };
        match self.game.turn(&s) {
            Turn::Over => Node::Over(self.game.outcome(&s)),
            Turn::Agent(agent) => Node::Choice(Side::of(agent)),
            Turn::Chance => panic!("tables are for games without chance"),
        }
    }
}
