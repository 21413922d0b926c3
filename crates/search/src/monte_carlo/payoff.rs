//! What outcomes are worth to the players of a Monte Carlo search.

use foregone_model::{Agent, Endless, Game, Outcome};

/// Payoffs are whole numbers, as far above the worst of the scale as a score is, so that sums of them
/// are exact and the order of summing does not show.
pub(super) struct Payoffs {
    /// A row an agent: what each outcome is worth.
    table: Vec<f64>,
    outcomes: usize,
    /// The best payoff of each agent, at least 1.
    pub(super) best: Vec<f64>,
    /// What a play is worth that does not end.
    endless: Vec<f64>,
    /// Whether what one agent gets is what the other one does not: then outcomes have one order.
    pub(super) opposed: bool,
    /// The place of each outcome in the order for the first agent; equal payoffs have one.
    ranks: Vec<u16>,
    /// An outcome of each rank.
    of_rank: Vec<Outcome>,
}

impl Payoffs {
    pub(super) fn new<G: Game>(game: &G) -> Payoffs {
        let last = game.scale().best();
        let (agents, outcomes) = (usize::from(game.agents()), usize::from(last.0) + 1);
        let (mut table, mut best) = (Vec::with_capacity(agents * outcomes), Vec::new());
        for agent in 0..game.agents() {
            let score = |o| i128::from(game.score(Outcome(o), Agent(agent)));
            let least = (0..=last.0).map(score).min().unwrap_or(0);
            table.extend((0..=last.0).map(|o| (score(o) - least) as f64));
            let row = &table[usize::from(agent) * outcomes..];
            best.push(row.iter().copied().fold(0.0, f64::max).max(1.0));
        }
        let opposed = match agents {
            1 => true,
            2 => (0..outcomes).all(|o| table[o] + table[outcomes + o] == best[0]),
            _ => false,
        };
        let endless = match game.endless() {
            Endless::Scores(o) => {
                (0..agents).map(|agent| table[agent * outcomes + usize::from(o.0)]).collect()
            }
            Endless::Impossible | Endless::Undetermined => best.iter().map(|b| b / 2.0).collect(),
        };
        let (mut ranks, mut of_rank): (Vec<u16>, Vec<Outcome>) = (Vec::new(), Vec::new());
        for o in 0..outcomes {
            // Along the scale the first agent's worth never falls.
            if o == 0 || table[o] > table[o - 1] {
                of_rank.push(Outcome(o as u16));
            }
            ranks.push(of_rank.len() as u16 - 1);
        }
        Payoffs { table, outcomes, best, endless, opposed, ranks, of_rank }
    }

    /// What an outcome is worth to an agent; nothing is the outcome of a play without an end.
    #[inline]
    pub(super) fn of(&self, outcome: Option<Outcome>, agent: Agent) -> f64 {
        let agent = usize::from(agent.0);
        match outcome {
            Some(o) => self.table[agent * self.outcomes + usize::from(o.0)],
            None => self.endless[agent],
        }
    }

    #[inline]
    pub(super) fn rank(&self, o: Outcome) -> u16 {
        self.ranks[usize::from(o.0)]
    }

    /// The highest rank.
    pub(super) fn best_rank(&self) -> u16 {
        self.of_rank.len() as u16 - 1
    }

    #[inline]
    pub(super) fn of_rank(&self, rank: u16) -> Outcome {
        self.of_rank[usize::from(rank)]
    }
}
