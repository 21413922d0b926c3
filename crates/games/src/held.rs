//! States and moves of any game, held in place.
//!
//! A game whose type was forgotten ([`crate::erased`]) shares one compiled search with all others
//! like it. Its states and moves must then be of one type. Those of the games here are small and
//! plain, so they fit side by side into an enum: no allocation for a state, none for a move. Other
//! types, such as those of a game that a user brings, still work: a state goes into a box, and a
//! move is a number in a list of the moves that came up.
//!
//! Whether a type has a place of its own is decided by its `TypeId`, which the compiler knows: no
//! test of it is left in optimised code.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};

use foregone_model::Game;

use crate::{
    amazons, bear_off, bidding_tic_tac_toe, breakthrough, cant_stop, chess, chinese_checkers,
    clobber, colouring, connect_four, connect6, cram, dark_chess, dark_chess_ending, dice_race,
    dobutsu_shogi, domineering, dominoes, einstein, explicit, go_capture, goofspiel, joint_file,
    kayles, konane, left_right, mancala, matrix, nim, octal, oshi_zumo, othello, phutball, pieces,
    pig, placement, pursuit, race, random_chance, random_joint, same_game, seki, sheep, stones,
    tic_tac_toe, tiles_2048, toads_and_frogs, toppling_dominoes, tron, woodpush,
};

/// What a type must be able to do to be a state.
pub(crate) trait AnyValue: Send + Sync {
    fn any(&self) -> &dyn Any;
    fn any_mut(&mut self) -> &mut dyn Any;
    fn copy(&self) -> Box<dyn AnyValue>;
    fn same(&self, other: &dyn AnyValue) -> bool;
    fn add_to(&self, hasher: &mut dyn Hasher);
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl<T: Any + Clone + Eq + Hash + Debug + Send + Sync> AnyValue for T {
    fn any(&self) -> &dyn Any {
        self
    }

    fn any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn copy(&self) -> Box<dyn AnyValue> {
        Box::new(self.clone())
    }

    fn same(&self, other: &dyn AnyValue) -> bool {
        other.any().downcast_ref::<T>() == Some(self)
    }

    fn add_to(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt(f)
    }
}

/// An enum of types that are copied as they are, each found by its type.
macro_rules! in_place {
    ($(#[$doc:meta])* enum $name:ident { $($place:ident($type:ty),)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        enum $name {
            $($place($type),)+
        }

        impl $name {
            /// The value in its place, if its type has one.
            #[inline]
            fn hold<T: Any>(value: &T) -> Option<$name> {
                let any: &dyn Any = value;
                $(if let Some(value) = any.downcast_ref::<$type>() {
                    return Some($name::$place(*value));
                })+
                None
            }

            /// Whether a type has a place.
            #[inline(always)]
            fn has_place<T: Any>() -> bool {
                let wanted = TypeId::of::<T>();
                $(wanted == TypeId::of::<$type>())||+
            }

            #[inline]
            fn get<T: Any>(&self) -> Option<&T> {
                match self {
                    $($name::$place(value) => (value as &dyn Any).downcast_ref(),)+
                }
            }

            #[inline]
            #[allow(dead_code, reason = "moves are never changed in place")]
            fn get_mut<T: Any>(&mut self) -> Option<&mut T> {
                match self {
                    $($name::$place(value) => (value as &mut dyn Any).downcast_mut(),)+
                }
            }
        }

        impl Hash for $name {
            /// The place is left out: values of one game have the same.
            #[inline]
            fn hash<H: Hasher>(&self, hasher: &mut H) {
                match self {
                    $($name::$place(value) => value.hash(hasher),)+
                }
            }
        }

        impl Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $($name::$place(value) => value.fmt(f),)+
                }
            }
        }
    };
}

in_place! {
    /// States of at most 32 bytes.
    enum SmallState {
        // The number of a position in a list: games that come from elsewhere.
        Number(u32),
        BearOff(bear_off::State),
        BiddingTicTacToe(bidding_tic_tac_toe::State),
        Breakthrough(breakthrough::State<u64>),
        CantStop(cant_stop::State),
        Colouring(colouring::State<u64>),
        Connect6(connect6::State<u64>),
        ConnectFour(connect_four::State<u64>),
        Cram(cram::State<u64>),
        DarkChess(dark_chess::State),
        DarkChessEnding(dark_chess_ending::State),
        DiceRace(dice_race::State),
        DobutsuShogi(dobutsu_shogi::State),
        Domineering(domineering::State<u64>),
        Dominoes(dominoes::State),
        Einstein(einstein::State),
        Explicit(explicit::State),
        GoCapture(go_capture::State<u64>),
        Goofspiel(goofspiel::Hands),
        JointFile(joint_file::State),
        Kayles(kayles::State<u64>),
        LeftRight(left_right::State),
        Mancala(mancala::State),
        Matrix(matrix::Choice),
        Nim(nim::State),
        Octal(octal::State),
        OshiZumo(oshi_zumo::Ring),
        Othello(othello::State),
        Phutball(phutball::State<u64>),
        Pieces(pieces::State<u64>),
        Pig(pig::State),
        Placement(placement::State<u64>),
        Pursuit(pursuit::Hunt),
        Race(race::State),
        RandomChance(random_chance::State),
        RandomJoint(random_joint::Place),
        SameGame(same_game::State<u64>),
        Seki(seki::State),
        Stones(stones::State<u64>),
        Tiles2048(tiles_2048::State),
        ToadsAndFrogs(toads_and_frogs::State<u64>),
        TopplingDominoes(toppling_dominoes::State<u64>),
        TicTacToe(tic_tac_toe::State),
        Tron(tron::Walls),
        Woodpush(woodpush::State),
    }
}

in_place! {
    /// Moves of at most four bytes.
    enum SmallMove {
        Byte(u8),
        Short(u16),
        Long(u32),
        Amazons(amazons::Shot),
        BiddingTicTacToe(bidding_tic_tac_toe::Bid),
        Breakthrough(breakthrough::Step),
        Chess(<chess::Chess as Game>::Move),
        ChineseCheckers(<chinese_checkers::ChineseCheckers<u64> as Game>::Move),
        Clobber(clobber::Step),
        DobutsuShogi(dobutsu_shogi::Act),
        Goofspiel(goofspiel::Card),
        Konane(konane::Jump),
        LeftRight(left_right::Step),
        Nim(nim::Take),
        Octal(octal::Taken),
        Pursuit(pursuit::Step),
        Sheep(sheep::Run),
        ToadsAndFrogs(toads_and_frogs::Hop),
        Tron(tron::Step),
        Woodpush(woodpush::Act),
    }
}

/// A state of any game.
#[derive(Clone, PartialEq, Eq)]
pub struct AnyState(Held);

#[derive(Clone, PartialEq, Eq)]
enum Held {
    Small(SmallState),
    Other(Boxed),
}

struct Boxed(Box<dyn AnyValue>);

impl Clone for Boxed {
    fn clone(&self) -> Boxed {
        Boxed((*self.0).copy())
    }
}

impl PartialEq for Boxed {
    fn eq(&self, other: &Boxed) -> bool {
        (*self.0).same(&*other.0)
    }
}

impl Eq for Boxed {}

impl Hash for AnyState {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        match &self.0 {
            Held::Small(state) => state.hash(hasher),
            Held::Other(state) => (*state.0).add_to(hasher),
        }
    }
}

impl Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Held::Small(state) => state.fmt(f),
            Held::Other(state) => (*state.0).show(f),
        }
    }
}

/// Only states of the game at hand come to it; another one would be a defect of the caller.
const FOREIGN: &str = "a state of this game";
const FOREIGN_MOVE: &str = "a move of this game";

impl AnyState {
    #[inline]
    pub(crate) fn new<S: Any + Clone + Eq + Hash + Debug + Send + Sync>(state: S) -> AnyState {
        if let Some(small) = SmallState::hold(&state) {
            return AnyState(Held::Small(small));
        }
        AnyState(Held::Other(Boxed(Box::new(state))))
    }

    #[inline]
    pub(crate) fn get<S: Any>(&self) -> &S {
        let found = match &self.0 {
            Held::Small(state) => state.get(),
            // Without the test a call would be left here, which costs all others something.
            Held::Other(_) if SmallState::has_place::<S>() => None,
            Held::Other(state) => (*state.0).any().downcast_ref(),
        };
        found.expect(FOREIGN)
    }

    #[inline]
    pub(crate) fn get_mut<S: Any>(&mut self) -> &mut S {
        let found = match &mut self.0 {
            Held::Small(state) => state.get_mut(),
            Held::Other(_) if SmallState::has_place::<S>() => None,
            Held::Other(state) => (*state.0).any_mut().downcast_mut(),
        };
        found.expect(FOREIGN)
    }
}

/// A move of any game.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct AnyMove(HeldMove);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum HeldMove {
    Small(SmallMove),
    /// Its number in a list of those that came up.
    Numbered(u32),
}

impl Debug for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            HeldMove::Small(m) => m.fmt(f),
            HeldMove::Numbered(n) => write!(f, "#{n}"),
        }
    }
}

/// The moves of a game that came up and have no place of their own.
pub(crate) struct MoveList<M> {
    moves: std::sync::RwLock<Moves<M>>,
}

struct Moves<M> {
    list: Vec<M>,
    numbers: std::collections::HashMap<M, u32>,
}

impl<M: Any + Copy + Eq + Hash> MoveList<M> {
    pub(crate) fn new() -> MoveList<M> {
        let moves = Moves { list: Vec::new(), numbers: std::collections::HashMap::new() };
        MoveList { moves: std::sync::RwLock::new(moves) }
    }

    #[inline]
    pub(crate) fn hold(&self, m: M) -> AnyMove {
        match SmallMove::hold(&m) {
            Some(small) => AnyMove(HeldMove::Small(small)),
            None => AnyMove(HeldMove::Numbered(self.number(m))),
        }
    }

    #[inline]
    pub(crate) fn plain(&self, m: AnyMove) -> M {
        let found = match m.0 {
            HeldMove::Small(small) => small.get().copied(),
            HeldMove::Numbered(_) if SmallMove::has_place::<M>() => None,
            HeldMove::Numbered(n) => Some(self.numbered(n)),
        };
        found.expect(FOREIGN_MOVE)
    }

    /// Apart from [`MoveList::plain`], so that moves held in place are read where they are played.
    #[inline(never)]
    fn numbered(&self, n: u32) -> M {
        let moves = self.moves.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        moves.list[n as usize]
    }

    #[inline(never)]
    fn number(&self, m: M) -> u32 {
        let known = self.moves.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(&n) = known.numbers.get(&m) {
            return n;
        }
        drop(known);
        let mut moves = self.moves.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let next = moves.list.len() as u32;
        let n = *moves.numbers.entry(m).or_insert(next);
        if n == next {
            moves.list.push(m);
        }
        n
    }
}

thread_local! {
    /// A list of moves that is used again and again, so that listing moves does not allocate.
    static SPARE: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// Lends an empty list.
#[inline]
pub(crate) fn with_list<M: Any, R>(work: impl FnOnce(&mut Vec<M>) -> R) -> R {
    let spare = SPARE.with(|spare| spare.borrow_mut().take());
    let mut list: Box<Vec<M>> =
        spare.and_then(|spare| spare.downcast().ok()).unwrap_or_else(|| Box::new(Vec::new()));
    let result = work(&mut list);
    list.clear();
    SPARE.with(|spare| *spare.borrow_mut() = Some(list));
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_and_moves_are_small() {
        assert!(size_of::<AnyState>() <= 40, "{}", size_of::<AnyState>());
        assert!(size_of::<AnyMove>() <= 8, "{}", size_of::<AnyMove>());
    }

    #[test]
    fn what_goes_in_comes_out() {
        let large = [7u64; 9];
        let mut state = AnyState::new(large);
        assert_eq!(state.get::<[u64; 9]>(), &large);
        state.get_mut::<[u64; 9]>()[3] = 1;
        assert_ne!(state, AnyState::new(large));
        assert_eq!(state.clone(), state);
        let list = MoveList::new();
        let moves = [(1u64, 2u64), (3, 4), (1, 2)].map(|m| list.hold(m));
        assert_eq!(moves[0], moves[2]);
        assert_eq!(moves.map(|m| list.plain(m)), [(1, 2), (3, 4), (1, 2)]);
        let bytes = MoveList::new();
        assert_eq!(bytes.plain(bytes.hold(9u8)), 9);
    }
}
