//! What guides a search, as plain data: driver, scheme and leaves, their words, which of them go
//! together, and the one place where they meet a space.

use std::fmt;

use foregone_model::{OwnSearch, Space, TextError};

use crate::drive::jobs::{Inside, TreeInside};
use crate::drive::{
    Find, Inner, Order, OrderBy, StopCheck, Team, Threats, Walk, alphabeta, dag, dfs, lambda, own,
    squared, tree,
};
use crate::leaves::{Init, Leaves};
use crate::report::{Limits, Report, Watch};
use crate::scheme::{AnyScheme, Blind, DepthFirst, Mcts, MinMax, Pn, Pp, Sbmcts, Scheme};

pub(crate) mod text;

/// A scheme with its options, as it is or multized.
///
/// Its text is its word, with the options that are not the default: `pn`, `mo(pp)`,
/// `mcts(exploration=0.4)`, `sbmcts(gamma=0.5,cuts=no)`, `mo(mcts(exploration=2))`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SchemeSpec {
    scheme: AnyScheme,
    multized: bool,
}

impl SchemeSpec {
    /// A scheme as it is.
    pub fn new(scheme: impl Into<AnyScheme>) -> SchemeSpec {
        SchemeSpec { scheme: scheme.into(), multized: false }
    }

    /// A scheme for two outcomes, multized: all outcomes in one search. A scheme for many outcomes
    /// is left as it is.
    pub fn mo(scheme: impl Into<AnyScheme>) -> SchemeSpec {
        let scheme = scheme.into();
        SchemeSpec { scheme, multized: !scheme.many() }
    }

    /// The scheme itself, multized or not.
    pub fn scheme(self) -> AnyScheme {
        self.scheme
    }

    /// Whether it is a scheme for two outcomes that is multized.
    pub fn multized(self) -> bool {
        self.multized
    }

    /// All schemes with their default options, multized where they can be.
    pub fn all() -> Vec<SchemeSpec> {
        let schemes = AnyScheme::all();
        let multized = schemes.iter().filter(|scheme| !scheme.many());
        let multized: Vec<SchemeSpec> = multized.map(|&scheme| SchemeSpec::mo(scheme)).collect();
        schemes.into_iter().map(SchemeSpec::new).chain(multized).collect()
    }

    /// The scheme's word, without options: `mo(mcts)`.
    pub fn word(self) -> String {
        let plain = SchemeSpec { scheme: self.scheme.plain(), ..self };
        plain.to_string()
    }

    /// What it is, in a few words.
    pub fn about(self) -> String {
        let all = if self.multized { ", all outcomes in one search" } else { "" };
        format!("{}{all}", self.scheme.about())
    }

    /// Whether one search tells more than two outcomes apart.
    pub fn many_outcomes(self) -> bool {
        self.multized || self.scheme.many()
    }

    /// Where the values of its leaves may come from, the best choice first.
    pub fn leaves(self) -> &'static [Init] {
        self.scheme.leaves()
    }

    /// Where the values of its leaves come from when nobody says: the game's own evaluation where
    /// it has one and the scheme would count moves otherwise, else the best choice.
    pub fn default_leaves(self, evaluates: bool) -> Init {
        let leaves = self.leaves();
        match leaves[0] {
            Init::Mobility if evaluates && leaves.contains(&Init::Evaluation) => Init::Evaluation,
            best => best,
        }
    }
}

impl<S: Into<AnyScheme>> From<S> for SchemeSpec {
    fn from(scheme: S) -> SchemeSpec {
        SchemeSpec::new(scheme)
    }
}

/// How a space is walked, with the driver's own options.
///
/// Its text is its word, with the options that are not the default: `dag`, `squared(inner=pp)`,
/// `alphabeta(order=montecarlo,walk=deepen,plays=100)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DriverSpec {
    /// Best first over a tree.
    Tree,
    /// Best first over a graph.
    Dag,
    /// Best first over a tree whose leaves are valued by inner searches of this scheme, or of the
    /// scheme of the outer search.
    Squared {
        /// A scheme for two outcomes.
        inner: Option<AnyScheme>,
    },
    /// Depth first.
    Dfs,
    /// Depth first with a table.
    AlphaBeta {
        /// In which order moves are tried.
        by: OrderBy,
        /// How it goes through a space.
        walk: Walk,
    },
    /// Depth first with thresholds and a table.
    Df,
    /// By the game's own search, and proof numbers where that finds nothing.
    Own(OwnSearch),
    /// Wins by threats.
    Lambda(Threats),
}

impl DriverSpec {
    /// All drivers with their default options.
    pub const ALL: [DriverSpec; 10] = [
        DriverSpec::Tree,
        DriverSpec::Dag,
        DriverSpec::Squared { inner: None },
        DriverSpec::Dfs,
        DriverSpec::ALPHA_BETA,
        DriverSpec::Df,
        DriverSpec::Own(OwnSearch::Connections),
        DriverSpec::Own(OwnSearch::Threats),
        DriverSpec::Own(OwnSearch::Parts),
        DriverSpec::Lambda(Threats::USUAL),
    ];

    /// `alphabeta` with its default options.
    pub const ALPHA_BETA: DriverSpec =
        DriverSpec::AlphaBeta { by: OrderBy::Game, walk: Walk::Null };

    /// The driver's word, without options.
    pub fn word(self) -> &'static str {
        match self {
            DriverSpec::Tree => "tree",
            DriverSpec::Dag => "dag",
            DriverSpec::Squared { .. } => "squared",
            DriverSpec::Dfs => "dfs",
            DriverSpec::AlphaBeta { .. } => "alphabeta",
            DriverSpec::Df => "df",
            DriverSpec::Own(own) => own.word(),
            DriverSpec::Lambda(_) => "lambda",
        }
    }

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            DriverSpec::Tree => "best first, the tree in memory",
            DriverSpec::Dag => "best first, one node a position",
            DriverSpec::Squared { .. } => "best first, a search at each leaf: PN², PP²",
            DriverSpec::Dfs => "depth first, no scheme",
            DriverSpec::AlphaBeta { .. } => "depth first with a table and move ordering, no scheme",
            DriverSpec::Df => {
                "depth first with thresholds and a table, for pn (df-pn), pp, mo(pn), mo(pp)"
            }
            DriverSpec::Own(OwnSearch::Connections) => {
                "by virtual connections, must-play regions and df-pn, for hex and y, no scheme"
            }
            DriverSpec::Own(OwnSearch::Threats) => {
                "threat-space search, then pn + dag, for gomoku, no scheme"
            }
            DriverSpec::Own(OwnSearch::Parts) => {
                "by the parts of a sum and their values, for games under normal play, no scheme"
            }
            DriverSpec::Lambda(_) => {
                "wins by threats, order by order, no scheme; may stay undecided"
            }
        }
    }

    /// Whether it is guided by a scheme.
    pub fn takes_scheme(self) -> bool {
        match self {
            DriverSpec::Tree | DriverSpec::Dag | DriverSpec::Squared { .. } | DriverSpec::Df => {
                true
            }
            DriverSpec::Dfs
            | DriverSpec::AlphaBeta { .. }
            | DriverSpec::Own(_)
            | DriverSpec::Lambda(_) => false,
        }
    }

    /// Whether it takes this scheme.
    pub fn takes(self, scheme: SchemeSpec) -> bool {
        match self {
            DriverSpec::Tree | DriverSpec::Dag | DriverSpec::Squared { .. } => true,
            DriverSpec::Df => DepthFirst::new(scheme.scheme).is_some(),
            DriverSpec::Dfs
            | DriverSpec::AlphaBeta { .. }
            | DriverSpec::Own(_)
            | DriverSpec::Lambda(_) => false,
        }
    }
}

/// What guides a search: a driver, and a scheme and leaves if it takes them. They go together.
///
/// Its text is that of its parts: `dag pn mobility`, `alphabeta`, `squared(inner=pn) pp mobility`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guidance(Plan);

/// Parts that go together.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Plan {
    Tree(SchemeSpec, Init),
    Dag(SchemeSpec, Init),
    /// The leaves are those of inner searches.
    Squared {
        outer: SchemeSpec,
        inner: Option<AnyScheme>,
        leaves: Init,
    },
    Dfs,
    AlphaBeta {
        by: OrderBy,
        walk: Walk,
    },
    Df {
        scheme: DepthFirst,
        multized: bool,
        leaves: Init,
    },
    Own(OwnSearch),
    Lambda(Threats),
}

impl Guidance {
    /// A driver, a scheme and leaves. A driver that takes a scheme gets `pn` where none is named,
    /// and a scheme the leaves that are best for it. The error names the part at fault and what
    /// would go with the rest.
    pub fn new(
        driver: DriverSpec,
        scheme: Option<SchemeSpec>,
        leaves: Option<Init>,
    ) -> Result<Guidance, TextError> {
        // Step 1: drivers without a scheme.
        if !driver.takes_scheme() {
            let message = |part: &dyn fmt::Display| {
                format!("the driver `{}` does not take `{part}`", driver.word())
            };
            let takes: Vec<String> = DriverSpec::ALL
                .into_iter()
                .filter(|driver| driver.takes_scheme())
                .map(|driver| driver.word().to_owned())
                .collect();
            if let Some(scheme) = scheme {
                return Err(at_fault(scheme, message(&scheme), takes));
            }
            if let Some(leaves) = leaves {
                return Err(at_fault(leaves, message(&leaves), takes));
            }
        }
        // Step 2: the scheme, and that of inner searches.
        let scheme = scheme.unwrap_or(SchemeSpec::new(Pn));
        let refused = || {
            let takes = SchemeSpec::all().into_iter().filter(|&scheme| driver.takes(scheme));
            let message =
                format!("the driver `{}` does not take the scheme `{scheme}`", driver.word());
            at_fault(scheme, message, takes.map(SchemeSpec::word).collect())
        };
        if driver.takes_scheme() && !driver.takes(scheme) {
            return Err(refused());
        }
        text::check_options(scheme.scheme)?;
        let inner = match driver {
            DriverSpec::Squared { inner: Some(inner) } => {
                text::check_options(inner)?;
                if inner.many() {
                    let inner = SchemeSpec::new(inner);
                    let message = format!("`{inner}` is not a scheme for two outcomes");
                    let two = AnyScheme::all().into_iter().filter(|scheme| !scheme.many());
                    let words = two.map(|scheme| scheme.word().to_owned()).collect();
                    return Err(at_fault(inner, message, words));
                }
                Some(inner)
            }
            _ => None,
        };
        // Step 3: what leaves are worth. In a squared search these are the leaves of inner
        // searches.
        let valued = inner.map_or(scheme, SchemeSpec::new);
        let fitting = valued.leaves();
        let leaves = leaves.unwrap_or(fitting[0]);
        if driver.takes_scheme() && !fitting.contains(&leaves) {
            let message =
                format!("leaves by `{leaves}` do not go with the scheme `{}`", valued.word());
            return Err(at_fault(leaves, message, words(fitting)));
        }
        let has_plays = matches!(driver, DriverSpec::Tree | DriverSpec::Dag);
        if scheme.scheme.wants_labels() && (!has_plays || leaves != Init::Playout) {
            let message = format!(
                "`{scheme}` looks at moves in random plays: it goes with the drivers `tree` and \
                `dag` and leaves by `playout`"
            );
            return Err(at_fault(scheme, message, vec![scheme.word()]));
        }
        if scheme.scheme.one_node() && driver != DriverSpec::Tree {
            let message =
                format!("`{scheme}` adds one node a playout: it goes with the driver `tree`");
            return Err(at_fault(scheme, message, vec![scheme.word()]));
        }
        // Step 4: they go together.
        Ok(Guidance(match driver {
            DriverSpec::Tree => Plan::Tree(scheme, leaves),
            DriverSpec::Dag => Plan::Dag(scheme, leaves),
            DriverSpec::Squared { inner } => Plan::Squared { outer: scheme, inner, leaves },
            DriverSpec::Dfs => Plan::Dfs,
            DriverSpec::Lambda(threats) => Plan::Lambda(threats),
            DriverSpec::AlphaBeta { by, walk } => Plan::AlphaBeta { by, walk },
            DriverSpec::Df => {
                let multized = scheme.multized;
                let scheme = DepthFirst::new(scheme.scheme).ok_or_else(refused)?;
                Plan::Df { scheme, multized, leaves }
            }
            DriverSpec::Own(own) => Plan::Own(own),
        }))
    }

    /// The driver.
    pub fn driver(self) -> DriverSpec {
        match self.0 {
            Plan::Tree(..) => DriverSpec::Tree,
            Plan::Dag(..) => DriverSpec::Dag,
            Plan::Squared { inner, .. } => DriverSpec::Squared { inner },
            Plan::Dfs => DriverSpec::Dfs,
            Plan::AlphaBeta { by, walk } => DriverSpec::AlphaBeta { by, walk },
            Plan::Df { .. } => DriverSpec::Df,
            Plan::Own(own) => DriverSpec::Own(own),
            Plan::Lambda(threats) => DriverSpec::Lambda(threats),
        }
    }

    /// The scheme, if there is one.
    pub fn scheme(self) -> Option<SchemeSpec> {
        match self.0 {
            Plan::Tree(scheme, _) | Plan::Dag(scheme, _) => Some(scheme),
            Plan::Squared { outer, .. } => Some(outer),
            Plan::Df { scheme, multized, .. } => {
                Some(SchemeSpec { scheme: scheme.any(), multized })
            }
            Plan::Dfs | Plan::AlphaBeta { .. } | Plan::Own(_) | Plan::Lambda(_) => None,
        }
    }

    /// Where the values of leaves come from, if there is a scheme.
    pub fn leaves(self) -> Option<Init> {
        match self.0 {
            Plan::Tree(_, leaves) | Plan::Dag(_, leaves) => Some(leaves),
            Plan::Squared { leaves, .. } | Plan::Df { leaves, .. } => Some(leaves),
            Plan::Dfs | Plan::AlphaBeta { .. } | Plan::Own(_) | Plan::Lambda(_) => None,
        }
    }

    /// The scheme of the outer tree of a job-level search, in a space with this best outcome.
    pub fn outer_scheme(self, best: foregone_model::Outcome) -> AnyScheme {
        self.scheme().map_or(Pn.into(), SchemeSpec::scheme).for_best(best)
    }

    /// What looks into the leaves of a job-level search: `df` with a table of so many bytes, or a tree
    /// for each leaf.
    pub fn inside<'a, Sp: Space>(
        &'a self,
        space: &'a Sp,
        leaves: &'a mut Leaves,
        seed: u64,
        bytes: u64,
    ) -> Box<dyn Inside<Sp> + 'a> {
        match &self.0 {
            Plan::Df { scheme, .. } => scheme.inside(space, leaves, bytes),
            plan => {
                let inner = match plan {
                    Plan::Squared { inner, .. } => *inner,
                    _ => None,
                };
                let scheme = inner.unwrap_or_else(|| self.outer_scheme(space.best()).inner());
                let init = self.leaves().unwrap_or(Init::One);
                Box::new(TreeInside { space, scheme, init, seed, bytes })
            }
        }
    }

    /// Whether one search tells more than two outcomes apart.
    pub fn many_outcomes(self) -> bool {
        match self.0 {
            Plan::AlphaBeta { walk, .. } => walk != Walk::Deepen,
            Plan::Dfs | Plan::Own(_) | Plan::Lambda(_) => false,
            Plan::Tree(scheme, _) | Plan::Dag(scheme, _) => scheme.many_outcomes(),
            Plan::Squared { outer, .. } => outer.many_outcomes(),
            Plan::Df { multized, .. } => multized,
        }
    }
}

/// An error about a part, which is the whole text.
fn at_fault(part: impl fmt::Display, message: String, choices: Vec<String>) -> TextError {
    TextError::new(message, 0..part.to_string().len()).with_choices(choices)
}

fn words(inits: &[Init]) -> Vec<String> {
    inits.iter().map(Init::to_string).collect()
}

/// What a search may use and whom it tells.
pub struct Run<'a, M> {
    /// What it may use.
    pub limits: Limits,
    /// How many nodes the proof may take besides, where it is made by a second walk.
    pub proof_nodes: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// How many threads work at it. With one, none is started.
    pub threads: usize,
    /// How many nodes the search of a leaf may create, where leaves are searched; nothing: what is
    /// usual for the driver.
    pub inner_nodes: Option<u64>,
    /// What is to be found besides the answer. Only `alphabeta` looks for more than a proof.
    pub find: Find,
    /// Asked by the inner searches of `squared`, from any thread.
    pub stop_check: StopCheck<'a>,
    /// Looks at the search and may end it.
    pub watch: &'a mut dyn Watch<M>,
}

impl<'a, M> Run<'a, M> {
    /// Without limits, on one thread, seen by this watch.
    pub fn new(watch: &'a mut dyn Watch<M>) -> Run<'a, M> {
        Run {
            limits: Limits::NONE,
            proof_nodes: u64::MAX,
            seed: 0,
            threads: 1,
            inner_nodes: None,
            find: Find::One,
            stop_check: &|| None,
            watch,
        }
    }
}

/// Searches a space as the guidance says until the root is solved or the limits or the watch end
/// it. This is where a space meets drivers and schemes.
///
/// Everything behind it is compiled once for every type of space. `tree` and `dag` are compiled
/// for `pn` and for `pp`, which must be fast, and for all other schemes together.
pub fn search<Sp: Space>(
    space: &Sp,
    guidance: &Guidance,
    run: Run<'_, Sp::Step>,
) -> Report<Sp::Step> {
    let Run { limits, proof_nodes, seed, threads, inner_nodes, find, stop_check, watch } = run;
    match guidance.0 {
        Plan::Tree(SchemeSpec { scheme, .. }, init) => {
            let leaves = &mut Leaves::new(init, seed).with_labels(scheme.wants_labels());
            match scheme.for_best(space.best()) {
                AnyScheme::Pn(scheme) => tree(space, &scheme, leaves, limits, watch),
                AnyScheme::Pp(scheme) => tree(space, &scheme, leaves, limits, watch),
                scheme => tree(space, &scheme, leaves, limits, watch),
            }
        }
        Plan::Dag(SchemeSpec { scheme, .. }, init) => {
            let leaves = &mut Leaves::new(init, seed).with_labels(scheme.wants_labels());
            // What goes round in circles is told from what is known by bounds, so these must be kept.
            let scheme = if space.repeats() { scheme.with_cuts() } else { scheme };
            match scheme.for_best(space.best()) {
                AnyScheme::Pn(scheme) => dag(space, &scheme, leaves, limits, watch),
                AnyScheme::Pp(scheme) => dag(space, &scheme, leaves, limits, watch),
                scheme => dag(space, &scheme, leaves, limits, watch),
            }
        }
        Plan::Squared { outer, inner, leaves } => {
            let outer = outer.scheme.for_best(space.best());
            let scheme = inner.unwrap_or_else(|| outer.inner());
            let inner = Inner { scheme, init: leaves, seed, threads, inner_nodes, stop_check };
            squared(space, &outer, inner, limits, watch)
        }
        Plan::Dfs => dfs(space, limits, watch),
        Plan::Own(by) => own(space, by, limits, watch),
        Plan::Lambda(threats) => lambda(space, threats, limits, proof_nodes, watch),
        Plan::AlphaBeta { by, walk } => {
            let order = Order { by, walk, seed, find, threads };
            alphabeta(space, order, limits, proof_nodes, watch)
        }
        Plan::Df { scheme, leaves, .. } if threads > 1 && !space.repeats() => {
            let team = Team { threads, inner_nodes, init: leaves, seed, stop_check };
            scheme.search_by_threads(space, team, limits, proof_nodes, watch)
        }
        Plan::Df { scheme, leaves, .. } => {
            let leaves = &mut Leaves::new(leaves, seed);
            scheme.search(space, leaves, limits, proof_nodes, watch)
        }
    }
}

/// Every driver with every scheme and all leaves that it can have: what the corpus is crossed
/// with. `lambda` is not among them: it leaves questions open, and does not take every game. Leaves by evaluation are left out where the game does not evaluate.
pub fn all_guidances(evaluates: bool) -> Vec<Guidance> {
    let (minmax, pn, pp) = (SchemeSpec::new(MinMax), SchemeSpec::new(Pn), SchemeSpec::new(Pp));
    let (mo_minmax, mo_pn, mo_pp) =
        (SchemeSpec::mo(MinMax), SchemeSpec::mo(Pn), SchemeSpec::mo(Pp));
    let (mcts, mo_mcts) = (SchemeSpec::new(Mcts::default()), SchemeSpec::mo(Mcts::default()));
    let blind = SchemeSpec::new(Blind);
    let sbmcts = SchemeSpec::new(Sbmcts { delta: 0.5, ..Sbmcts::PLAIN });
    let solver = SchemeSpec::new(Sbmcts { cuts: false, rave: 10.0, ..Sbmcts::PLAIN });
    let one = Mcts { one_node: true, rave: 20.0, ..Mcts::PLAIN };
    let (one, mo_one) = (SchemeSpec::new(one), SchemeSpec::mo(one));
    let bounded_one = SchemeSpec::new(Sbmcts { one_node: true, ..Sbmcts::PLAIN });
    let squared = |inner: AnyScheme| DriverSpec::Squared { inner: Some(inner) };

    let mut parts: Vec<(DriverSpec, Option<SchemeSpec>, Option<Init>)> =
        vec![(DriverSpec::Dfs, None, None)];
    for by in [OrderBy::Rules, OrderBy::Game, OrderBy::History, OrderBy::MonteCarlo(100)] {
        for walk in [Walk::Null, Walk::Full, Walk::Deepen, Walk::Minimax] {
            parts.push((DriverSpec::AlphaBeta { by, walk }, None, None));
        }
    }
    for (scheme, constant) in
        [(pn, Init::One), (pp, Init::Half), (mo_pn, Init::One), (mo_pp, Init::Half)]
    {
        for init in [constant, Init::Mobility] {
            parts.push((DriverSpec::Df, Some(scheme), Some(init)));
        }
    }
    parts.extend([
        (DriverSpec::Df, Some(mo_pp), Some(Init::Playout)),
        (DriverSpec::Tree, Some(solver), Some(Init::Playout)),
        (DriverSpec::Dag, Some(solver), Some(Init::Playout)),
        (DriverSpec::Tree, Some(one), Some(Init::Playout)),
        (DriverSpec::Tree, Some(mo_one), Some(Init::Playout)),
        (DriverSpec::Tree, Some(bounded_one), Some(Init::Playout)),
        (squared(Pp.into()), Some(pn), Some(Init::Mobility)),
        (squared(Pn.into()), Some(pp), Some(Init::Mobility)),
        (squared(Mcts::default().into()), Some(pn), Some(Init::Playout)),
    ]);
    let mut best_first: Vec<(SchemeSpec, Init)> = vec![
        (minmax, Init::Zero),
        (pn, Init::One),
        (pp, Init::Half),
        (mo_pn, Init::One),
        (mo_pp, Init::Half),
        (blind, Init::One),
    ];
    let by_mobility = [minmax, pn, pp, mo_minmax, mo_pn, mo_pp];
    best_first.extend(by_mobility.map(|scheme| (scheme, Init::Mobility)));
    if evaluates {
        let by_evaluation = [minmax, pp, mcts, mo_pp, sbmcts];
        best_first.extend(by_evaluation.map(|scheme| (scheme, Init::Evaluation)));
    }
    best_first.extend([minmax, pp, mcts, mo_mcts, sbmcts].map(|scheme| (scheme, Init::Playout)));
    for (scheme, init) in best_first {
        for driver in [DriverSpec::Tree, DriverSpec::Dag, DriverSpec::Squared { inner: None }] {
            parts.push((driver, Some(scheme), Some(init)));
        }
    }
    let guidance = |(driver, scheme, leaves)| Guidance::new(driver, scheme, leaves).ok();
    parts.into_iter().filter_map(guidance).collect()
}
