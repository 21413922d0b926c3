//! Scheme and driver of a job: what was said, and what is picked where nothing was said.

use foregone_model::{Character, Endless, Guide, Notation, OffTurn, OwnSearch};
use foregone_search::scheme::{Pn, Pp};
use foregone_search::{DriverSpec, Guidance, Init, Scheme, SchemeSpec};

use crate::error::Error;
use crate::job::{Budget, Job};

/// What to use when nothing is said. Measured: `experiments/README.md`.
pub fn default_guidance<G: Guide>(game: &G) -> Guidance {
    let (driver, scheme) = usual(game);
    let scheme = driver.takes_scheme().then_some(scheme);
    let leaves = scheme.map(|scheme| scheme.default_leaves(game.prefers_evaluation()));
    // The parts of `usual` go together; a test tries all of them.
    Guidance::new(driver, scheme, leaves).unwrap_or_else(|e| panic!("{e}"))
}

/// The usual driver of a game, and the usual scheme of drivers that take one.
fn usual<G: Guide>(game: &G) -> (DriverSpec, SchemeSpec) {
    match game.own_search() {
        Some(own) if game.prefers_own_search() => (DriverSpec::Own(own), SchemeSpec::new(Pn)),
        _ => usual_without_own(game),
    }
}

/// The same, but for a search of the game's own.
fn usual_without_own<G: Guide>(game: &G) -> (DriverSpec, SchemeSpec) {
    let (pn, pp) = (SchemeSpec::new(Pn), SchemeSpec::new(Pp));
    match game.character() {
        Character::Mobile => (DriverSpec::Dag, pp),
        _ if game.prefers_evaluation() => (DriverSpec::Dag, pp),
        Character::Large => (DriverSpec::Df, pn),
        Character::Ordered => (DriverSpec::ALPHA_BETA, pn),
        Character::MobileAndOrdered => (DriverSpec::ALPHA_BETA, pp),
        Character::Plain => (DriverSpec::Dag, pn),
    }
}

/// The driver that a job gets which names none. Who names a scheme or leaves wants a driver that
/// takes it.
pub fn default_driver<G: Guide>(game: &G, job: &Job) -> DriverSpec {
    match usual(game).0 {
        DriverSpec::AlphaBeta { .. } | DriverSpec::Dfs | DriverSpec::Own(_)
            if job.scheme.is_some() || job.leaves.is_some() =>
        {
            DriverSpec::Dag
        }
        DriverSpec::Df if job.scheme.is_some() => DriverSpec::Dag,
        DriverSpec::Own(own) if !may_search_own(game, job, own) => usual_without_own(game).0,
        usual => usual,
    }
}

/// Whether a search may be the game's own: that rests on knowledge, which is about the first player as
/// Max.
fn may_search_own<G: Guide>(game: &G, job: &Job, own: OwnSearch) -> bool {
    game.own_search() == Some(own) && job.knowledge && job.player.is_none()
}

/// The scheme that a job gets which names none, if its driver takes one.
pub fn default_scheme<G: Guide>(game: &G) -> SchemeSpec {
    usual(game).1
}

/// The driver for several threads: a tree or a graph of one thread is searched by jobs instead. Where
/// nobody named it, the jobs are `df` searches with one table, if the scheme goes with that.
fn by_threads<G: Guide>(game: &G, job: &Job, driver: DriverSpec) -> DriverSpec {
    let scheme = job.scheme.unwrap_or_else(|| default_scheme(game));
    let jobs = DriverSpec::Squared { inner: None };
    let whole = scheme.scheme().one_node() || scheme.scheme().wants_labels();
    match driver {
        DriverSpec::Tree | DriverSpec::Dag if job.budget.threads < 2 || whole => driver,
        DriverSpec::Dag
            if job.driver.is_none()
                && job.leaves.is_none()
                && game.endless() == Endless::Impossible
                && DriverSpec::Df.takes(scheme) =>
        {
            DriverSpec::Df
        }
        DriverSpec::Tree | DriverSpec::Dag => jobs,
        driver => driver,
    }
}

/// The same for a search that is spread over a crew: there is an outer tree, which needs a scheme, and
/// leaves that are searched by jobs, as with several threads.
pub(crate) fn pick_for_crew<G: Guide + Notation>(game: &G, job: &Job) -> Result<Guidance, Error> {
    let budget = Budget { threads: job.budget.threads.max(2), ..job.budget };
    let picked = pick(game, &Job { budget, ..job.clone() })?;
    if picked.driver().takes_scheme() {
        return Ok(picked);
    }
    let scheme = match picked.many_outcomes() {
        true => SchemeSpec::mo(Pn),
        false => SchemeSpec::new(Pn),
    };
    Ok(Guidance::new(DriverSpec::Df, Some(scheme), None).unwrap_or(picked))
}

/// Refuses a game in which there are no threats as `lambda` has them.
fn takes_threats<G: Guide + Notation>(game: &G) -> Result<(), Error> {
    let why = if game.agents() != 2 || game.one_player() {
        "two players"
    } else if game.off_turn() != OffTurn::Moves {
        "that both players can move out of turn"
    } else {
        return Ok(());
    };
    Err(Error::input(format!("the driver `lambda` needs {why}, unlike {}", game.name()))
        .help("a threat is what a player would do if the other one passed"))
}

/// Makes sense of what a job says, and picks the rest.
pub fn pick<G: Guide + Notation>(game: &G, job: &Job) -> Result<Guidance, Error> {
    let driver = by_threads(game, job, job.driver.unwrap_or_else(|| default_driver(game, job)));
    let scheme = match driver.takes_scheme() {
        true => Some(job.scheme.unwrap_or_else(|| default_scheme(game))),
        false => job.scheme,
    };
    // In a squared search the leaves are those of inner searches.
    let valued = match driver {
        DriverSpec::Squared { inner: Some(inner) } => Some(SchemeSpec::new(inner)),
        _ => scheme,
    };
    let leaves = match job.leaves {
        Some(leaves) => Some(leaves),
        None if driver.takes_scheme() => {
            valued.map(|s| s.default_leaves(game.prefers_evaluation()))
        }
        None => None,
    };
    if let DriverSpec::Own(own) = driver
        && !may_search_own(game, job, own)
    {
        let message = match game.own_search() == Some(own) {
            true => format!(
                "the driver `{own}` needs what the game knows, about its first player",
                own = own.word()
            ),
            false => {
                let (own, game) = (own.word(), game.name());
                format!("the driver `{own}` does not go with {game}, which has no search by {own}")
            }
        };
        return Err(Error::input(message).help("another driver: `df`, `dag`, `alphabeta`"));
    }
    if leaves == Some(Init::Evaluation) && !game.evaluates() {
        let message = format!("{} has no evaluation for leaves by `evaluation`", game.name());
        return Err(Error::input(message));
    }
    if let DriverSpec::Lambda(_) = driver {
        takes_threats(game)?;
    }
    Guidance::new(driver, scheme, leaves).map_err(|e| {
        let help = match e.choices.as_slice() {
            [] => String::new(),
            choices => format!("one of {}", choices.join(", ")),
        };
        Error::input(e.message).help(help)
    })
}
