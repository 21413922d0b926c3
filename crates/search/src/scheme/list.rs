//! The list of schemes that are chosen by a word. A new scheme is one line here.

use foregone_model::{Outcome, Side, Space};

use super::{
    Blind, Effort, Found, Listed, Mcts, MinMax, OptionValue, Pn, Pp, Sbmcts, Scheme, Slot,
};
use crate::drive::jobs::Inside;
use crate::drive::{DfInside, Team, df, df_by_threads};
use crate::leaves::{Init, Leaf, Leaves};
use crate::report::{Limits, Report, Watch};

/// Makes [`AnyScheme`] out of the list.
macro_rules! schemes {
    ($dollar:tt $($name:ident,)*) => {
        /// One of the listed schemes, with its options.
        ///
        /// It is a scheme itself. A search by it costs a `match` for every value, and saves
        /// compiling the search for each scheme.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum AnyScheme {
            $(
                #[doc = concat!("See [`", stringify!($name), "`].")]
                $name($name),
            )*
        }

        $(
            impl From<$name> for AnyScheme {
                fn from(scheme: $name) -> AnyScheme {
                    AnyScheme::$name(scheme)
                }
            }
        )*

        impl AnyScheme {
            /// All schemes, with their default options.
            pub fn all() -> Vec<AnyScheme> {
                vec![$(AnyScheme::$name($name::default()),)*]
            }

            /// The scheme with its default options.
            pub fn plain(self) -> AnyScheme {
                match self {
                    $(AnyScheme::$name(_) => AnyScheme::$name($name::default()),)*
                }
            }
        }

        /// Evaluates an expression for the scheme at hand.
        macro_rules! each {
            ($dollar any:expr, $dollar scheme:ident => $dollar body:expr) => {
                match $dollar any {
                    $(AnyScheme::$name($dollar scheme) => $dollar body,)*
                }
            };
        }
    };
}

schemes! { $
    MinMax,
    Pn,
    Pp,
    Mcts,
    Blind,
    Sbmcts,
}

/// Makes [`DepthFirst`] out of the list of schemes with thresholds.
macro_rules! depth_first {
    ($($name:ident,)*) => {
        /// A listed scheme that the driver `df` takes: one with thresholds.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum DepthFirst {
            $(
                #[doc = concat!("See [`", stringify!($name), "`].")]
                $name($name),
            )*
        }

        impl DepthFirst {
            /// The scheme, if it has thresholds.
            pub fn new(scheme: AnyScheme) -> Option<DepthFirst> {
                match scheme {
                    $(AnyScheme::$name(scheme) => Some(DepthFirst::$name(scheme)),)*
                    _ => None,
                }
            }

            /// The scheme as one of all.
            pub fn any(self) -> AnyScheme {
                match self {
                    $(DepthFirst::$name(scheme) => AnyScheme::$name(scheme),)*
                }
            }

            /// Searches by it with the driver `df`.
            pub(crate) fn search<Sp: Space>(
                self,
                space: &Sp,
                leaves: &mut Leaves,
                limits: Limits,
                proof_nodes: u64,
                watch: &mut dyn Watch<Sp::Step>,
            ) -> Report<Sp::Step> {
                match self {
                    $(DepthFirst::$name(s) => df(space, &s, leaves, limits, proof_nodes, watch),)*
                }
            }

            /// Looks into leaves by it, with a table of so many bytes.
            pub(crate) fn inside<'a, Sp: Space>(
                &'a self,
                space: &'a Sp,
                leaves: &'a mut Leaves,
                bytes: u64,
            ) -> Box<dyn Inside<Sp> + 'a> {
                match self {
                    $(DepthFirst::$name(s) => Box::new(DfInside::new(space, s, leaves, bytes)),)*
                }
            }

            /// The same by several threads.
            pub(crate) fn search_by_threads<Sp: Space>(
                self,
                space: &Sp,
                team: Team<'_>,
                limits: Limits,
                proof_nodes: u64,
                watch: &mut dyn Watch<Sp::Step>,
            ) -> Report<Sp::Step> {
                match self {
                    $(DepthFirst::$name(s) => {
                        df_by_threads(space, &s, team, limits, proof_nodes, watch)
                    })*
                }
            }
        }
    };
}

depth_first! {
    Pn,
    Pp,
}

/// What a scheme says of itself, without its type.
impl AnyScheme {
    /// The scheme's word.
    pub fn word(self) -> &'static str {
        fn word<S: Listed>(_: S) -> &'static str {
            S::WORD
        }
        each!(self, scheme => word(scheme))
    }

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        fn about<S: Listed>(_: S) -> &'static str {
            S::ABOUT
        }
        each!(self, scheme => about(scheme))
    }

    /// Where the values of its leaves may come from, the best choice first.
    pub fn leaves(self) -> &'static [Init] {
        fn leaves<S: Listed>(_: S) -> &'static [Init] {
            S::LEAVES
        }
        each!(self, scheme => leaves(scheme))
    }

    /// Its options, to be read and to be set.
    pub fn options(&mut self) -> Vec<(&'static str, OptionValue<'_>)> {
        each!(self, scheme => scheme.options())
    }

    /// The scheme of inner searches where it guides the outer one and no other is named.
    pub fn inner(self) -> AnyScheme {
        each!(self, scheme => scheme.inner())
    }

    /// The scheme for a space with this best outcome.
    pub(crate) fn for_best(self, best: Outcome) -> AnyScheme {
        each!(self, scheme => scheme.for_best(best).into())
    }

    /// The same with bounds that are always kept, where an option would let it forget them.
    pub(crate) fn with_cuts(self) -> AnyScheme {
        match self {
            AnyScheme::Sbmcts(scheme) => Sbmcts { cuts: true, ..scheme }.into(),
            other => other,
        }
    }

    /// Whether it looks at which moves do well in random plays.
    pub fn wants_labels(self) -> bool {
        each!(self, scheme => scheme.wants_labels())
    }
}

fn key_of<S: Listed>(scheme: &S, side: Side, context: Slot, value: Slot) -> (i8, f64) {
    S::pair_key(scheme.key(side, context.into(), value.into()))
}

fn worth_of<S: Listed>(scheme: &S, side: Side, context: Slot, value: Slot) -> (i8, f64) {
    S::pair_key(scheme.worth(side, context.into(), value.into()))
}

fn update_of<S: Listed>(scheme: &S, side: Side, children: &mut dyn Iterator<Item = Slot>) -> Slot {
    scheme.update(side, children.map(S::Value::from)).into()
}

/// Nothing here is inlined, so that it is compiled once and not for every game.
impl AnyScheme {
    #[inline(never)]
    fn leaf_value(&self, mut leaf: &mut dyn Leaf) -> Slot {
        each!(self, scheme => scheme.leaf(&mut leaf).into())
    }

    #[inline(never)]
    fn updated(&self, side: Side, children: &mut dyn Iterator<Item = Slot>) -> Slot {
        each!(self, scheme => update_of(scheme, side, children))
    }
}

impl Scheme for AnyScheme {
    type Value = Slot;
    type Key = (i8, f64);

    fn shares(&self) -> bool {
        each!(self, scheme => scheme.shares())
    }

    fn many(&self) -> bool {
        each!(self, scheme => scheme.many())
    }

    #[inline]
    fn leaf<L: Leaf>(&self, leaf: &mut L) -> Slot {
        self.leaf_value(leaf)
    }

    fn one_node(&self) -> bool {
        each!(self, scheme => scheme.one_node())
    }

    fn unseen(&self) -> Slot {
        each!(self, scheme => scheme.unseen().into())
    }

    fn is_unseen(&self, value: Slot) -> bool {
        each!(self, scheme => scheme.is_unseen(value.into()))
    }

    fn counted(&self, before: Slot, proved: Slot, played: Slot) -> Slot {
        each!(self, scheme => scheme.counted(before.into(), proved.into(), played.into()).into())
    }

    fn of_chance(&self, chance: f64) -> Slot {
        each!(self, scheme => scheme.of_chance(chance).into())
    }

    fn chance(&self, value: Slot) -> f64 {
        each!(self, scheme => scheme.chance(value.into()))
    }

    fn effort(&self, value: Slot) -> Option<Effort> {
        each!(self, scheme => scheme.effort(value.into()))
    }

    fn take(&self, found: &[Found], at: usize) -> Slot {
        each!(self, scheme => scheme.take(found, at).into())
    }

    fn text(&self, value: Slot) -> String {
        each!(self, scheme => scheme.text(value.into()))
    }

    fn solved(&self, outcome: Outcome) -> Slot {
        each!(self, scheme => scheme.solved(outcome).into())
    }

    fn outcome(&self, value: Slot) -> Option<Outcome> {
        each!(self, scheme => scheme.outcome(value.into()))
    }

    fn bounds(&self, value: Slot) -> (Outcome, Outcome) {
        each!(self, scheme => scheme.bounds(value.into()))
    }

    fn solved_at(&self, outcome: Outcome, at: usize) -> Slot {
        each!(self, scheme => scheme.solved_at(outcome, at).into())
    }

    fn priority(&self, value: Slot) -> f64 {
        each!(self, scheme => scheme.priority(value.into()))
    }

    fn within(&self, value: Slot, low: Outcome, high: Outcome) -> Slot {
        each!(self, scheme => scheme.within(value.into(), low, high).into())
    }

    fn labelled(&self, value: Slot, mean: f64) -> Slot {
        each!(self, scheme => scheme.labelled(value.into(), mean).into())
    }

    fn key(&self, side: Side, context: Slot, value: Slot) -> (i8, f64) {
        each!(self, scheme => key_of(scheme, side, context, value))
    }

    fn worth(&self, side: Side, context: Slot, value: Slot) -> (i8, f64) {
        each!(self, scheme => worth_of(scheme, side, context, value))
    }

    #[inline]
    fn update(&self, side: Side, mut children: impl Iterator<Item = Slot>) -> Slot {
        self.updated(side, &mut children)
    }
}
