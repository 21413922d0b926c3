//! Games for which a search is compiled alone.
//!
//! Every game shares the searches that are compiled for [`Erased`]. Where a game's usual search
//! visits many millions of nodes in a second, calls through a table of functions show; for these
//! pairs of a game and a driver, for formulas on chess, and for games with joint moves, whose rules
//! take a few nanoseconds, the search is compiled once more. Each costs seconds of building, so
//! there are few.

use foregone_games::atari_go::AtariGo;
use foregone_games::bidding_tic_tac_toe::BiddingTicTacToe;
use foregone_games::breakthrough::Breakthrough;
use foregone_games::chess::Chess;
use foregone_games::connect_four::ConnectFour;
use foregone_games::domineering::Domineering;
use foregone_games::erased::Erased;
use foregone_games::erased_joint::ErasedJoint;
use foregone_games::goofspiel::Goofspiel;
use foregone_games::hex::Hex;
use foregone_games::oshi_zumo::OshiZumo;
use foregone_games::pursuit::Pursuit;
use foregone_games::random_joint::RandomJoint;
use foregone_games::tron::Tron;
use foregone_model::formula::Stipulation;
use foregone_model::{Guide, Notation, Space};
use foregone_search::drive::{Find, Order, Team, alphabeta, df, df_by_threads};
use foregone_search::scheme::{AnyScheme, Pn};
use foregone_search::{DriverSpec, Guidance, Init, Leaves};

use crate::answer::Finished;
use crate::crew;
use crate::error::Error;
use crate::guidance::{pick, pick_for_crew};
use crate::job::Job;
use crate::observe::Context;
use crate::session::{Run, shared_search, solve_guided};
use crate::{formula, joint};

/// Goes on with the game itself where it is of one of these types.
macro_rules! of_type {
    ($game:expr; $($type:ty),+; $found:ident => $work:expr) => {
        {
            $(if let Some($found) = $game.get::<$type>() {
                return $work;
            })+
        }
    };
}

/// What is asked of a game in turn once it is known which searches are compiled for it.
pub(crate) trait Ask {
    /// What it finds.
    type Found;

    /// Asks, by a search that is what the guidance says. `of` finds the game behind its erased type.
    fn ask<'g, G: Guide + Notation + Send + 'static>(
        self,
        game: &'g G,
        of: fn(&Erased) -> Option<&G>,
        guidance: Guidance,
        run: &Run<'_, 'g, G>,
    ) -> Result<Self::Found, Error>;
}

/// Asks something of a game in turn, by searches that are compiled for it alone where there are such.
pub(crate) fn ask_erased<A: Ask>(game: &Erased, job: &Job, ask: A) -> Result<A::Found, Error> {
    let guidance = pick(game, job)?;
    // Only the shared searches ask tables.
    match guidance.driver() {
        _ if game.has_tables() => {}
        DriverSpec::AlphaBeta { by, walk } => of_type!(
            game; ConnectFour<u64>, ConnectFour<u128>, Domineering<u64>, Domineering<u128>;
            game => ask.ask(game, Erased::get, guidance, &|goal, key| {
                let threads = job.budget.threads as usize;
                let order = Order { by, walk, seed: job.seed, find: Find::One, threads };
                alphabeta(goal, order, key.limits, key.proof_nodes, key.watch)
            })
        ),
        DriverSpec::Df if guidance.scheme().is_some_and(|s| s.scheme() == AnyScheme::Pn(Pn)) => {
            of_type!(
                game; Hex<u64>, Breakthrough<u64>, AtariGo<u64>;
                game => ask.ask(game, Erased::get, guidance, &|goal, key| {
                    let init = guidance.leaves().unwrap_or(Init::Mobility);
                    if job.budget.threads > 1 && !goal.repeats() {
                        let team = Team {
                            threads: job.budget.threads as usize,
                            inner_nodes: job.budget.inner_nodes,
                            init,
                            seed: job.seed,
                            stop_check: key.stop_check,
                        };
                        return df_by_threads(
                            goal, &Pn, team, key.limits, key.proof_nodes, key.watch,
                        );
                    }
                    let mut leaves = Leaves::new(init, job.seed);
                    df(goal, &Pn, &mut leaves, key.limits, key.proof_nodes, key.watch)
                })
            );
        }
        _ => {}
    }
    ask.ask(game, |game| Some(game), guidance, &shared_search(guidance, job))
}

/// Runs a job about a game in turn.
pub(crate) fn solve_erased(
    game: &Erased,
    job: &Job,
    context: &mut Context<'_>,
) -> Result<Finished, Error> {
    if let Some(crew) = context.crew {
        let guidance = pick_for_crew(game, job)?;
        return solve_guided(game, job, guidance, context, &crew::search(job, guidance, crew));
    }
    ask_erased(game, job, Solve { job, context })
}

struct Solve<'a, 'c> {
    job: &'a Job,
    context: &'a mut Context<'c>,
}

impl Ask for Solve<'_, '_> {
    type Found = Finished;

    fn ask<'g, G: Guide + Notation + Send + 'static>(
        self,
        game: &'g G,
        _of: fn(&Erased) -> Option<&G>,
        guidance: Guidance,
        run: &Run<'_, 'g, G>,
    ) -> Result<Finished, Error> {
        solve_guided(game, self.job, guidance, self.context, run)
    }
}

/// What an assistant does with a game in turn, by searches that are compiled for it alone where there are
/// such.
pub(crate) trait Serve {
    /// Works.
    fn serve<G: Guide + Notation + Send + 'static>(self, game: &G);
}

/// Lets an assistant work on a game in turn.
pub(crate) fn serve_erased(game: &Erased, work: impl Serve) {
    of_type!(game; Hex<u64>, Breakthrough<u64>, AtariGo<u64>; game => work.serve(game));
    work.serve(game);
}

/// Runs a job about a game with joint moves.
pub(crate) fn solve_joint(
    game: &ErasedJoint,
    job: &Job,
    context: &mut Context<'_>,
) -> Result<Finished, Error> {
    of_type!(
        game; Goofspiel, OshiZumo, Tron, RandomJoint, Pursuit, BiddingTicTacToe;
        game => joint::solve(game, job, context)
    );
    joint::solve(game, job, context)
}

/// Runs a job that asks a formula of a game in turn.
pub(crate) fn check_erased(
    game: &Erased,
    job: &Job,
    text: &str,
    context: &mut Context<'_>,
) -> Result<Finished, Error> {
    if context.crew.is_some() {
        if Stipulation::read(text).is_some_and(|s| s.series) {
            return Err(Error::input("series problems are not solved by workers elsewhere"));
        }
        return formula::check(game, job, text, context);
    }
    of_type!(game; Chess; game => match Stipulation::read(text).is_some_and(|s| s.series) {
        // A side that has no move may wait for the other one.
        true if !game.is_series() => formula::check(&Chess::series(), job, text, context),
        _ => formula::check(game, job, text, context),
    });
    formula::check(game, job, text, context)
}
