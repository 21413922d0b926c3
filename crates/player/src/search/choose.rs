//! Which move to try, and which to make.
//!
//! In the tree each role takes the move with the largest upper confidence bound (UCB1, Auer,
//! Cesa-Bianchi and Fischer 2002), its mean held between what is proven. At the root the move is
//! made that is best by its lower confidence bound, the secure child of Chaslot et al. (2008):
//! that compares moves that were proven early, and so have few visits, with moves that were not.
//!
//! Ours: where several roles decide at once, one choice in eight is made by chance, because roles
//! with mirrored statistics fall into step and some pairs of moves never meet. And if nothing is
//! settled, the move to make is drawn by visits among those with at least half as many as the most
//! visited one: a move that is always made can be guessed.

use foregone_gdl::Move;
use foregone_model::Rng;

use super::{Choice, Node, Tree};

/// A move to make, and what speaks for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// The move.
    pub action: Move,
    /// The mean goal of plays with it.
    pub mean: f64,
    /// Visits of it.
    pub visits: u32,
    /// The goal that it is sure of.
    pub low: u8,
    /// The goal that it cannot exceed. In games of two roles whose goals added up to the same in
    /// all ends seen: against the best play.
    pub high: u8,
}

impl Tree {
    /// A move for each role to try at a node.
    pub(super) fn select(&self, node: &Node, rng: &mut Rng) -> Vec<usize> {
        let is_joint = node.deciders() > 1;
        let pick = |(role, moves): (usize, &Vec<Choice>)| match moves.len() {
            1 => 0,
            count if is_joint && rng.below(8) == 0 => rng.below(count as u32) as usize,
            _ => self.select_for(node, role, moves, rng),
        };
        node.choices.iter().enumerate().map(pick).collect()
    }

    fn select_for(&self, node: &Node, role: usize, moves: &[Choice], rng: &mut Rng) -> usize {
        let floor = node.bounds[role].low;
        // A move that cannot give more than the role is sure of teaches it nothing. If all are
        // such, the value is known, and one that is sure of it is followed.
        let is_open = moves.iter().any(|c| self.upper(c.bounds) > floor);
        let tries = |c: &Choice| match is_open {
            true => self.upper(c.bounds) > floor,
            false => c.bounds.low >= floor,
        };
        let log = f64::from(node.visits.max(1)).ln();
        let mut best = None;
        let mut unvisited = 0;
        for (at, choice) in moves.iter().enumerate().filter(|(_, c)| tries(c)) {
            if choice.visits == 0 {
                // By chance: roles that go through their moves in order would always meet in the
                // same pairs.
                unvisited += 1;
                if rng.below(unvisited) == 0 {
                    best = Some((f64::INFINITY, at));
                }
                continue;
            }
            let spread = (log / f64::from(choice.visits)).sqrt();
            let value = self.held(choice) / 100.0 + self.limits.exploration * spread;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, at));
            }
        }
        best.map_or(0, |(_, at)| at)
    }

    /// The mean of a move, between its bounds.
    fn held(&self, choice: &Choice) -> f64 {
        hold(choice.mean(), choice.bounds.low, self.upper(choice.bounds))
    }

    /// Whether more thinking cannot change the move of a role at the root: it has one move, or its
    /// goal is known, or no move can exceed what another is sure of.
    pub fn is_settled(&self, role: usize) -> bool {
        let root = &self.nodes[0];
        let Some(moves) = root.choices.get(role) else { return true };
        let bounds = root.bounds[role];
        moves.len() == 1
            || bounds.low >= self.upper(bounds)
            || moves.iter().all(|c| self.upper(c.bounds) <= bounds.low)
    }

    /// The moves of a role at the root that no other move is proven better than.
    fn sensible(&self, role: usize) -> Vec<&Choice> {
        let root = &self.nodes[0];
        let Some(moves) = root.choices.get(role) else { return Vec::new() };
        let floor = moves.iter().map(|c| c.bounds.low).max().unwrap_or(0);
        let is_known = floor >= self.upper(root.bounds[role]);
        let may_exceed = |c: &Choice| !is_known && self.upper(c.bounds) > floor;
        moves.iter().filter(|c| may_exceed(c) || c.bounds.low == floor).collect()
    }

    /// The best move of a role at the root so far, the first of equals; none at the end of the
    /// game.
    pub fn best(&self, role: usize) -> Option<Advice> {
        let log = f64::from(self.nodes[0].visits.max(1)).ln();
        let secure = |c: &Choice| {
            let spread = match c.visits {
                0 => f64::INFINITY,
                n => (log / f64::from(n)).sqrt(),
            };
            let value = c.mean() - 100.0 * self.limits.exploration * spread;
            hold(value, c.bounds.low, self.upper(c.bounds))
        };
        let mut best: Option<(&Choice, f64, f64)> = None;
        for choice in self.sensible(role) {
            // Between moves of one value, as when all are lost, the one that random plays like.
            let (value, mean) = (secure(choice), choice.mean());
            if best.is_none_or(|(_, v, m)| (value, mean) > (v, m)) {
                best = Some((choice, value, mean));
            }
        }
        best.map(|(choice, ..)| self.advice(choice))
    }

    /// The move to make for a role at the root: the best one, or one by chance among good ones
    /// where several roles decide at once and nothing is settled.
    pub fn choose(&self, role: usize, rng: &mut Rng) -> Option<Advice> {
        if self.nodes[0].deciders() < 2 || self.is_settled(role) {
            return self.best(role);
        }
        let mut moves = self.sensible(role);
        let most = moves.iter().map(|c| c.visits).max().unwrap_or(0);
        if most == 0 {
            return self.best(role);
        }
        moves.retain(|c| 2 * u64::from(c.visits) >= u64::from(most));
        let all: u32 = moves.iter().fold(0, |n, c| n.saturating_add(c.visits));
        let mut left = rng.below(all);
        for choice in moves {
            match left.checked_sub(choice.visits) {
                Some(rest) => left = rest,
                None => return Some(self.advice(choice)),
            }
        }
        self.best(role)
    }

    fn advice(&self, choice: &Choice) -> Advice {
        Advice {
            action: choice.action,
            mean: choice.mean(),
            visits: choice.visits,
            low: choice.bounds.low,
            high: self.upper(choice.bounds),
        }
    }
}

fn hold(value: f64, low: u8, high: u8) -> f64 {
    value.max(f64::from(low)).min(f64::from(high))
}
