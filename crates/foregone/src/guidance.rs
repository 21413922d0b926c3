//! Scheme and driver of a job: what was said, and what is picked where nothing was said.

use clap::ValueEnum;
use foregone_model::{Guide, Notation};
use foregone_search::Init;
use foregone_search::drive::{Find, Inner, Order, OrderBy, Walk};
use foregone_search::scheme::{Mcts, Sbmcts};

use crate::args::{DriverWord, InitWord, OrderWord, SchemeWord, SolveArgs, WalkWord};
use crate::failure::Failure;

/// What guides a search: a driver, and a scheme if it takes one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guidance {
    /// Best first over a tree, by a scheme whose leaves are valued in this way.
    Tree(SchemeChoice, Init),
    /// Best first over a graph.
    Dag(SchemeChoice, Init),
    /// Best first over a tree whose leaves are valued by inner searches of the second scheme.
    Squared(SchemeChoice, SchemeChoice, Init),
    /// Depth first.
    Dfs,
    /// Depth first with a table, its moves in this order.
    AlphaBeta(Order),
    /// Depth first with thresholds and a table, by `pn` or `pp`, multized or not.
    Df(SchemeChoice, Init),
}

/// A scheme with its options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SchemeChoice {
    /// A scheme for two outcomes.
    Two(Base),
    /// One of these, multized: all outcomes in one search.
    Mo(Base),
    /// Bounds alone.
    Blind,
    /// Score bounded MCTS. What its best outcome is says the game.
    Sbmcts(Sbmcts),
}

/// A scheme for two outcomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Base {
    /// Best first minimax.
    MinMax,
    /// Proof numbers.
    Pn,
    /// Product propagation.
    Pp,
    /// MCTS Solver with this exploration constant.
    Mcts(f64),
}

impl Guidance {
    /// The driver's word.
    pub fn driver(self) -> &'static str {
        match self {
            Guidance::Tree(..) => "tree",
            Guidance::Dag(..) => "dag",
            Guidance::Squared(..) => "squared",
            Guidance::Dfs => "dfs",
            Guidance::AlphaBeta(_) => "alphabeta",
            Guidance::Df(..) => "df",
        }
    }

    /// Whether one search tells more than two outcomes apart.
    pub fn many_outcomes(self) -> bool {
        match self {
            Guidance::AlphaBeta(order) => order.walk != Walk::Deepen,
            Guidance::Tree(scheme, _)
            | Guidance::Dag(scheme, _)
            | Guidance::Df(scheme, _)
            | Guidance::Squared(scheme, ..) => scheme.many_outcomes(),
            Guidance::Dfs => false,
        }
    }

    /// The scheme's word, if there is a scheme.
    pub fn scheme(self) -> Option<&'static str> {
        match self {
            Guidance::Dfs | Guidance::AlphaBeta(_) => None,
            Guidance::Tree(scheme, _)
            | Guidance::Dag(scheme, _)
            | Guidance::Df(scheme, _)
            | Guidance::Squared(scheme, ..) => Some(scheme.word()),
        }
    }
}

impl SchemeChoice {
    /// The scheme's word.
    pub fn word(self) -> &'static str {
        match self {
            SchemeChoice::Two(Base::MinMax) => "minmax",
            SchemeChoice::Two(Base::Pn) => "pn",
            SchemeChoice::Two(Base::Pp) => "pp",
            SchemeChoice::Two(Base::Mcts(_)) => "mcts",
            SchemeChoice::Mo(Base::MinMax) => "mo(minmax)",
            SchemeChoice::Mo(Base::Pn) => "mo(pn)",
            SchemeChoice::Mo(Base::Pp) => "mo(pp)",
            SchemeChoice::Mo(Base::Mcts(_)) => "mo(mcts)",
            SchemeChoice::Blind => "blind",
            SchemeChoice::Sbmcts(..) => "sbmcts",
        }
    }

    /// Whether one search tells more than two outcomes apart.
    pub fn many_outcomes(self) -> bool {
        matches!(self, SchemeChoice::Mo(_) | SchemeChoice::Blind | SchemeChoice::Sbmcts(..))
    }

    /// The scheme as one of inner searches, which are multized where the outer one is.
    pub fn inner(self) -> Inner {
        match self {
            SchemeChoice::Two(base) | SchemeChoice::Mo(base) => match base {
                Base::MinMax => Inner::MinMax,
                Base::Pn => Inner::Pn,
                Base::Pp => Inner::Pp,
                Base::Mcts(exploration) => Inner::Mcts(exploration),
            },
            // Bounds alone do not guide an inner search.
            SchemeChoice::Blind => Inner::Pn,
            SchemeChoice::Sbmcts(scheme) => Inner::Mcts(scheme.exploration),
        }
    }
}

/// Every driver with every scheme and every value of leaves that it can have: what the corpus is
/// crossed with.
pub fn all_guidances(evaluates: bool) -> Vec<Guidance> {
    use Base::{MinMax, Pn, Pp};
    use SchemeChoice::{Blind, Mo, Two};
    let mcts = Base::Mcts(Mcts::EXPLORATION);
    let sbmcts = SchemeChoice::Sbmcts(Sbmcts { delta: 0.5, ..Sbmcts::PLAIN });
    let plain = SchemeChoice::Sbmcts(Sbmcts { cuts: false, rave: 10.0, ..Sbmcts::PLAIN });
    let mut all = vec![Guidance::Dfs];
    for by in [OrderBy::Rules, OrderBy::Game, OrderBy::History, OrderBy::MonteCarlo(100)] {
        for walk in [Walk::Null, Walk::Full, Walk::Deepen, Walk::Minimax] {
            all.push(Guidance::AlphaBeta(Order { by, walk, seed: 0, find: Find::One }));
        }
    }
    for scheme in [Two(Pn), Two(Pp), Mo(Pn), Mo(Pp)] {
        all.extend([Init::Constant, Init::Mobility].map(|init| Guidance::Df(scheme, init)));
    }
    all.push(Guidance::Df(Mo(Pp), Init::Playout));
    all.push(Guidance::Tree(plain, Init::Playout));
    all.push(Guidance::Squared(Two(Pn), Two(Pp), Init::Mobility));
    all.push(Guidance::Squared(Two(Pp), Two(Pn), Init::Mobility));
    all.push(Guidance::Squared(Two(Pn), Two(mcts), Init::Playout));
    let inits = [Init::Constant, Init::Mobility, Init::Evaluation, Init::Playout];
    for init in inits.into_iter().filter(|&i| evaluates || i != Init::Evaluation) {
        let schemes: &[SchemeChoice] = match init {
            Init::Constant => &[Two(MinMax), Two(Pn), Two(Pp), Mo(Pn), Mo(Pp), Blind],
            Init::Mobility => &[Two(MinMax), Two(Pn), Two(Pp), Mo(MinMax), Mo(Pn), Mo(Pp)],
            Init::Evaluation => &[Two(MinMax), Two(Pp), Two(mcts), Mo(Pp), sbmcts],
            Init::Playout => &[Two(MinMax), Two(Pp), Two(mcts), Mo(mcts), sbmcts],
        };
        for &scheme in schemes {
            all.extend([Guidance::Tree(scheme, init), Guidance::Dag(scheme, init)]);
            all.push(Guidance::Squared(scheme, scheme, init));
        }
    }
    all
}

/// What to use when nothing is said: driver, scheme and leaves. Measured: `experiments/README.md`.
fn defaults<G: Guide + Notation>(game: &G) -> (DriverWord, SchemeWord, InitWord) {
    use {DriverWord as D, InitWord as I, SchemeWord as S};
    match game.name().split(':').next() {
        // Who cannot move loses: then moves are what the game is about.
        Some("nogo") => (D::Dag, S::Pp, I::Mobility),
        _ if game.evaluates() => (D::Dag, S::Pp, I::Evaluation),
        // Large graphs, in which a node must be cheap.
        Some("atari-go" | "breakthrough" | "hex") => (D::Df, S::Pn, I::Mobility),
        // A good order of moves makes the best of depth first search.
        Some("connect-four") => (D::Alphabeta, S::Pn, I::Mobility),
        Some("domineering") => (D::Alphabeta, S::Pp, I::Mobility),
        _ => (D::Dag, S::Pn, I::Mobility),
    }
}

/// Makes sense of what was said, and picks the rest.
pub fn pick<G: Guide + Notation>(game: &G, args: &SolveArgs) -> Result<Guidance, Failure> {
    let (usual_driver, usual_scheme, usual_init) = defaults(game);
    // A scheme for joint moves has a session of its own; here it can only be an inner one.
    if let Some(scheme) = args.inner.filter(|scheme| scheme.joint()) {
        let message = format!("`--inner {}` is a scheme for joint moves", word(scheme));
        return Err(Failure::input(message).help("one of minmax, pn, pp, mcts"));
    }
    for (given, option) in [(args.skip.is_some(), "--skip"), (args.cells.is_some(), "--cells")] {
        if given {
            let message = format!("`{option}` goes with joint moves only");
            return Err(Failure::input(message).help("it is an option of `--scheme smab`"));
        }
    }
    // Who names a scheme wants a driver that takes it.
    let driver = args.driver.unwrap_or(match (args.scheme, usual_driver) {
        (Some(_), DriverWord::Alphabeta | DriverWord::Dfs | DriverWord::Df) => DriverWord::Dag,
        _ => usual_driver,
    });
    const DEPTH_FIRST: [SchemeWord; 4] =
        [SchemeWord::Pn, SchemeWord::Pp, SchemeWord::MoPn, SchemeWord::MoPp];

    // Step 1: options that the driver does not have.
    let refuse = |given: bool, option: &str, takes: &[DriverWord]| {
        if given && !takes.contains(&driver) {
            let message = format!("`{option}` does not go with `--driver {}`", word(driver));
            let names: Vec<String> = takes.iter().map(|&d| word(d)).collect();
            return Err(Failure::input(message).help(format!("for {}", names.join(", "))));
        }
        Ok(())
    };
    use DriverWord::{Alphabeta, Dag, Df, Dfs, Squared, Tree};
    refuse(args.order.is_some(), "--order", &[Alphabeta])?;
    refuse(args.walk.is_some(), "--walk", &[Alphabeta])?;
    refuse(args.inner.is_some(), "--inner", &[Squared])?;
    refuse(args.scheme.is_some(), "--scheme", &[Tree, Dag, Squared, Df])?;
    refuse(args.init.is_some(), "--init", &[Tree, Dag, Squared, Df])?;
    refuse(args.exploration.is_some(), "--exploration", &[Tree, Dag, Squared])?;
    refuse(args.rave.is_some(), "--rave", &[Tree])?;

    // Step 2: drivers without a scheme.
    if driver == Dfs {
        return Ok(Guidance::Dfs);
    }
    if driver == Alphabeta {
        let by = match args.order.unwrap_or(OrderWord::Game) {
            OrderWord::Rules => OrderBy::Rules,
            OrderWord::Game => OrderBy::Game,
            OrderWord::History => OrderBy::History,
            OrderWord::Montecarlo => OrderBy::MonteCarlo(100_000),
        };
        let walk = match args.walk.unwrap_or(WalkWord::Null) {
            WalkWord::Null => Walk::Null,
            WalkWord::Full => Walk::Full,
            WalkWord::Deepen => Walk::Deepen,
            WalkWord::Minimax => Walk::Minimax,
        };
        let seed = args.budget.seed;
        return Ok(Guidance::AlphaBeta(Order { by, walk, seed, find: Find::One }));
    }

    // Step 3: the scheme, and that of inner searches.
    let outer = args.scheme.unwrap_or(usual_scheme);
    if driver == Df && !DEPTH_FIRST.contains(&outer) {
        let message = format!("`--driver df` does not go with `--scheme {}`", word(outer));
        let names = DEPTH_FIRST.map(word).join(", ");
        return Err(Failure::input(message).help(format!("df takes {names}")));
    }
    let inner = args.inner.unwrap_or(outer);
    let of = |given: bool, option: &str, schemes: &[SchemeWord]| {
        if given && !schemes.contains(&outer) && !schemes.contains(&inner) {
            let message = format!("`{option}` does not go with `--scheme {}`", word(outer));
            let names: Vec<String> = schemes.iter().map(|&s| word(s)).collect();
            let help = format!("it is an option of {}", names.join(", "));
            return Err(Failure::input(message).help(help));
        }
        Ok(())
    };
    let explores = [SchemeWord::Mcts, SchemeWord::MoMcts, SchemeWord::Sbmcts];
    of(args.exploration.is_some(), "--exploration", &explores)?;
    of(args.gamma.is_some(), "--gamma", &[SchemeWord::Sbmcts])?;
    of(args.delta.is_some(), "--delta", &[SchemeWord::Sbmcts])?;
    of(args.no_cuts, "--no-cuts", &[SchemeWord::Sbmcts])?;
    of(args.rave.is_some(), "--rave", &[SchemeWord::Sbmcts])?;
    let exploration = args.exploration.unwrap_or(Mcts::EXPLORATION);
    if !(exploration.is_finite() && exploration >= 0.0) {
        let message = format!("`{exploration}` is not an exploration constant");
        return Err(Failure::input(message).help("a number from 0 up"));
    }
    let (gamma, delta) = (args.gamma.unwrap_or(0.0), args.delta.unwrap_or(0.0));
    if let Some(weight) = [gamma, delta].into_iter().find(|w| !w.is_finite()) {
        return Err(Failure::input(format!("`{weight}` is not a weight")).help("a finite number"));
    }
    let rave = args.rave.unwrap_or(0.0);
    if !(rave.is_finite() && rave >= 0.0) {
        let message = format!("`{rave}` is not a number of playouts");
        return Err(Failure::input(message).help("a number from 0 up"));
    }
    if args.inner.is_some_and(many) {
        let message = format!("`--inner {}` is not a scheme for two outcomes", word(inner));
        return Err(Failure::input(message).help("one of minmax, pn, pp, mcts"));
    }
    let choice = |scheme: SchemeWord| match scheme {
        SchemeWord::Minmax => SchemeChoice::Two(Base::MinMax),
        SchemeWord::Pn => SchemeChoice::Two(Base::Pn),
        SchemeWord::Pp => SchemeChoice::Two(Base::Pp),
        SchemeWord::Mcts => SchemeChoice::Two(Base::Mcts(exploration)),
        SchemeWord::MoMinmax => SchemeChoice::Mo(Base::MinMax),
        SchemeWord::MoPn => SchemeChoice::Mo(Base::Pn),
        SchemeWord::MoPp => SchemeChoice::Mo(Base::Pp),
        SchemeWord::MoMcts => SchemeChoice::Mo(Base::Mcts(exploration)),
        SchemeWord::Blind => SchemeChoice::Blind,
        SchemeWord::Sbmcts => {
            let cuts = !args.no_cuts;
            SchemeChoice::Sbmcts(Sbmcts { exploration, gamma, delta, cuts, rave, ..Sbmcts::PLAIN })
        }
        joint => unreachable!("{joint:?} has a session of its own"),
    };

    if args.outcomes.is_some() && many(outer) {
        let message = format!("`--outcomes` does not go with `--scheme {}`", word(outer));
        return Err(Failure::input(message).help("it finds all outcomes in one search"));
    }

    // Step 4: what leaves are worth. In a squared search these are the leaves of inner searches.
    let (scheme, init) = (choice(outer), leaves(game, args, inner, usual_scheme, usual_init)?);
    if args.rave.is_some() && init != Init::Playout {
        let message = "`--rave` does not go without random plays".to_owned();
        return Err(Failure::input(message).help("it goes with `--init playout`"));
    }
    Ok(match driver {
        Tree => Guidance::Tree(scheme, init),
        Squared => Guidance::Squared(scheme, choice(inner), init),
        Df => Guidance::Df(scheme, init),
        _ => Guidance::Dag(scheme, init),
    })
}

/// How a scheme's leaves are valued.
fn leaves<G: Guide + Notation>(
    game: &G,
    args: &SolveArgs,
    scheme: SchemeWord,
    usual_scheme: SchemeWord,
    usual_init: InitWord,
) -> Result<Init, Failure> {
    use {InitWord as I, SchemeWord as S};
    let fitting: &[InitWord] = match scheme {
        S::Pn | S::MoPn => &[I::One, I::Mobility],
        S::Pp | S::MoPp => &[I::Half, I::Mobility, I::Evaluation, I::Playout],
        S::Minmax | S::MoMinmax => &[I::Zero, I::Mobility, I::Evaluation, I::Playout],
        S::Mcts | S::MoMcts | S::Sbmcts => &[I::Playout, I::Evaluation],
        _ => &[I::One],
    };
    let init = match args.init {
        Some(init) => init,
        None if two(scheme) == usual_scheme => usual_init,
        None => fitting[0],
    };
    if !fitting.contains(&init) {
        let message = format!("`--init {}` does not go with scheme {}", word(init), word(scheme));
        let names: Vec<String> = fitting.iter().map(|&i| word(i)).collect();
        return Err(Failure::input(message).help(format!("one of {}", names.join(", "))));
    }
    if init == I::Evaluation && !game.evaluates() {
        let message = format!("{} has no evaluation for `--init evaluation`", game.name());
        return Err(Failure::input(message));
    }
    Ok(match init {
        I::One | I::Half | I::Zero => Init::Constant,
        I::Mobility => Init::Mobility,
        I::Evaluation => Init::Evaluation,
        I::Playout => Init::Playout,
    })
}

/// Whether a scheme tells many outcomes apart in one search.
fn many(scheme: SchemeWord) -> bool {
    two(scheme) != scheme || matches!(scheme, SchemeWord::Blind | SchemeWord::Sbmcts)
}

/// The scheme that is multized, or the scheme itself.
fn two(scheme: SchemeWord) -> SchemeWord {
    match scheme {
        SchemeWord::MoMinmax => SchemeWord::Minmax,
        SchemeWord::MoPn => SchemeWord::Pn,
        SchemeWord::MoPp => SchemeWord::Pp,
        SchemeWord::MoMcts => SchemeWord::Mcts,
        other => other,
    }
}

/// The word for a choice on the command line.
pub(crate) fn word<T: ValueEnum>(value: T) -> String {
    value.to_possible_value().map(|v| v.get_name().to_owned()).unwrap_or_default()
}
