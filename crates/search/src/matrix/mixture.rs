//! The best mixture of some actions that is good enough in all columns but one: the linear
//! programs of Figures 5.6 to 5.10 of *Solving Games and All That* (A. Saffidine, 2013).
//!
//! Written for Max: the largest sum of x_i e_i over mixtures x with sum of x_i p_ij >= f_j in every
//! column j. For Min turn all signs round. Whether there is any such mixture is the question of
//! Figures 5.6 and 5.8; its best gain is that of Figures 5.9 and 5.10.
//!
//! Ours: the dual program is solved, as there a feasible start is one pivot away: with nothing
//! asked in any column, the best mixture is the action of the largest gain. And since no payoff is
//! below the least one, the mixture may as well fall short of a whole.

use super::simplex::{NOTHING, Tableau};

/// Solves such programs, one after the other, in memory that is used again.
#[derive(Clone, Debug, Default)]
pub struct Mixtures {
    tableau: Tableau,
}

impl Mixtures {
    /// The largest gain of a mixture, if any mixture is good enough. Gains and payoffs lie between
    /// `low` and `low + range`. What `needs` and `pays` say is asked for columns from 0 on, what
    /// `gains` says for actions from 0 on, of which there is at least one.
    pub fn best(
        &mut self,
        (low, range): (f64, f64),
        (actions, columns): (usize, usize),
        gains: impl Fn(usize) -> f64,
        pays: impl Fn(usize, usize) -> f64,
        needs: impl Fn(usize) -> f64,
    ) -> Option<f64> {
        let part = |x: f64| (x - low) / range;
        let Tableau { width, cells, basic, other } = &mut self.tableau;
        // Columns: one for each price of a need, one for the price of the whole.
        *width = columns + 2;
        cells.clear();
        let mut top = 0;
        for i in 0..actions {
            cells.extend((0..columns).map(|j| part(pays(i, j))));
            cells.extend([-1.0, -part(gains(i))]);
            if gains(i) > gains(top) {
                top = i;
            }
        }
        cells.extend((0..columns).map(|j| -part(needs(j))));
        cells.extend([1.0, 0.0]);
        basic.clear();
        basic.extend(columns + 1..columns + 1 + actions);
        other.clear();
        other.extend(0..=columns);
        self.tableau.pivot(top, columns);
        // Prices without a bound: what is needed cannot be had.
        if !self.tableau.run() {
            return None;
        }
        let gain = -self.tableau.cells[self.tableau.cells.len() - 1];
        // A program that was given up has nothing to say.
        (-NOTHING..=1.0 + 1e-9).contains(&gain).then_some(low + gain * range)
    }
}
