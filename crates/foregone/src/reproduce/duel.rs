//! Matches between two searches that play: the match of section 4.5 of the master thesis.

use foregone_games::registry::{Visitor, with_game};
use foregone_model::{Guide, Notation, Outcome, Side, Turn};

use super::definition::Duel;
use super::measure::{Ended, read};
use super::{Outcome as Made, Table};
use crate::args::{BudgetArgs, ReproduceArgs, SolveArgs};
use crate::failure::Failure;
use crate::job::Job;
use crate::print::grouped;
use crate::session;

/// Wins, draws and losses of the first player.
type Score = [u32; 3];

/// Plays a match; each player begins every other game.
pub(super) fn table(
    duel: &Duel,
    args: &ReproduceArgs,
    budget: &BudgetArgs,
) -> Result<Made, Failure> {
    let usual = if args.quick { duel.quick_games } else { duel.games };
    let games = args.sample.unwrap_or(usual);
    let playouts = if args.quick { duel.quick_playouts } else { duel.playouts };
    let words = |words: &str| {
        let args = read(&format!("{} {words}", duel.game))?;
        Ok::<_, Failure>(SolveArgs { budget: budget.clone(), ..args })
    };
    let players = [words(&duel.players[0].words)?, words(&duel.players[1].words)?];
    let (score, ended) = with_game(&duel.game, Match { players, games, playouts })
        .map_err(|e| Failure::game(&duel.game, e))?;
    let heads = ["player", "wins", "draws", "losses", "points ours"].map(str::to_owned);
    let heads = heads.into_iter().chain([format!("points {}", duel.by)]).collect();
    let mut table = Table { heads, labels: 1, rows: Vec::new() };
    let [wins, draws, losses] = score;
    for (player, [wins, draws, losses]) in
        duel.players.iter().zip([[wins, draws, losses], [losses, draws, wins]])
    {
        let points = f64::from(wins) + f64::from(draws) / 2.0;
        let mut row = vec![player.name.clone()];
        row.extend([wins, draws, losses].map(|n| grouped(n.into())));
        row.extend([format!("{points:.1}"), player.points.clone()]);
        table.rows.push(row);
    }
    let mut notes = duel.notes.clone();
    let (games, playouts) = (grouped(score.iter().sum::<u32>().into()), grouped(playouts));
    notes.push(format!("{games} games, {playouts} playouts before each move"));
    Ok(Made { table, notes, plot: None, ended })
}

struct Match {
    players: [SolveArgs; 2],
    games: u32,
    playouts: u64,
}

impl Visitor for Match {
    type Output = (Score, Option<Ended>);

    fn visit<G: Guide + Notation>(self, game: G) -> Self::Output {
        let mut score = [0; 3];
        for number in 0..self.games {
            let first_is_max = number % 2 == 0;
            match self.play(&game, number, first_is_max) {
                Err(ended) => return (score, Some(ended)),
                Ok(outcome) => {
                    let twice = u32::from(outcome.0) * 2;
                    let middle = u32::from(game.scale().best().0);
                    let by_max = [twice < middle, twice == middle, twice > middle];
                    let result = by_max.iter().position(|&is| is).unwrap_or(1);
                    score[if first_is_max { 2 - result } else { result }] += 1;
                }
            }
        }
        (score, None)
    }
}

impl Match {
    /// One game and its outcome.
    fn play<G: Guide + Notation>(
        &self,
        game: &G,
        number: u32,
        first_is_max: bool,
    ) -> Result<Outcome, Ended> {
        let mut state = game.start();
        let mut seed = u64::from(number) << 32;
        loop {
            let agent = match game.turn(&state) {
                Turn::Over => return Ok(game.outcome(&state)),
                Turn::Agent(agent) => agent,
            };
            let first = (Side::of(agent) == Side::Max) == first_is_max;
            let args = &self.players[usize::from(!first)];
            let mut job = Job { start: state.clone(), ..Job::new(game, args)? };
            job.budget.playouts = Some(self.playouts);
            job.budget.seed = args.budget.seed ^ seed;
            seed += 1;
            let answer = session::solve(game, &job, false)?;
            if session::interrupted() {
                return Err(Ended::Interrupted);
            }
            let mut moves = Vec::new();
            game.moves(&state, agent, &mut moves);
            let chosen = answer.line.first().copied().unwrap_or(moves[0]);
            game.play(&mut state, agent, chosen);
        }
    }
}
