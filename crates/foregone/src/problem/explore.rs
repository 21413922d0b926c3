//! Finds out about a problem what its formula alone does not say.
//!
//! Everything is asked of the points of the formula's evaluation game. A ◇ is a choice of the attack, a
//! □ one of the defence. To pass at either, and stay in the same position, gives what problemists ask
//! about: what the attack would do if the defence did nothing is a threat, and what the defence would
//! do if the attack did nothing is set play. So both are there where a side may move out of turn.

use std::collections::BTreeSet;

use foregone_model::formula::{Check, Node, Point, Step};
use foregone_model::{Agent, Game, Guide, Notation, OffTurn, Side, Turn};
use foregone_search::StopReason;
use foregone_search::drive::Oracle;

use super::{Attack, Line, Ply, Problem, SetPlay, Variation};

/// No more moves of the attack than this are written down.
const MOST_ATTACKS: usize = 20_000;

/// What is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Whether solutions are lines instead of keys; and then, whether one that ends early is the only
    /// one that begins so.
    pub(crate) lines: Option<bool>,
    /// Tries with at most so many refutations.
    pub(crate) tries: u32,
    pub(crate) set_play: bool,
    /// Whether there is set play only if every move of the other side has an answer.
    pub(crate) complete_set_play: bool,
    pub(crate) variations: bool,
}

type At<G> = Point<<G as Game>::State>;
type StepOf<G> = Step<<G as Game>::Move>;
/// A move of the attack, its texts, and where it leads.
type Found<G> = (StepOf<G>, Ply, At<G>);
type Questions<'o, G> = &'o mut dyn Oracle<At<G>, StepOf<G>>;

/// Leaves out lines that go on where the last move of another one was forced already.
fn without_longer(lines: &mut Vec<Line>) {
    let ends: BTreeSet<Vec<Ply>> =
        lines.iter().filter_map(|line| Some(line.moves.split_last()?.1.to_vec())).collect();
    lines.retain(|line| {
        let before = line.moves.len().saturating_sub(1);
        (0..before).all(|n| !ends.contains(&line.moves[..n]))
    });
}

/// Goes through the points of a problem.
pub(crate) struct Explorer<'c, 'g, G: Guide + Notation> {
    check: &'c Check<'g, G>,
    wanted: Wanted,
    /// How many moves of the attack may still be written down.
    left: usize,
}

impl<'c, 'g, G: Guide + Notation> Explorer<'c, 'g, G> {
    pub(crate) fn new(check: &'c Check<'g, G>, wanted: Wanted) -> Explorer<'c, 'g, G> {
        Explorer { check, wanted, left: MOST_ATTACKS }
    }

    /// The keys or lines that were found, and nothing besides.
    pub(crate) fn found(&self, root: &At<G>, found: &[Vec<StepOf<G>>]) -> Problem {
        let mut problem = Problem::default();
        match self.wanted.lines {
            Some(stop_early) => {
                problem.lines = found.iter().flat_map(|play| self.lines(root, play)).collect();
                if stop_early {
                    without_longer(&mut problem.lines);
                }
                problem.lines.sort();
                problem.lines.dedup();
            }
            None => {
                problem.keys = found.iter().map(|play| self.key(root, play).0).collect();
                problem.keys.sort_by(|a, b| a.ply.cmp(&b.ply));
            }
        }
        problem
    }

    /// Everything that is wanted, as far as the oracle answers.
    pub(crate) fn explore(
        &mut self,
        root: &At<G>,
        found: &[Vec<StepOf<G>>],
        oracle: Questions<'_, G>,
    ) -> Problem {
        let mut problem = self.found(root, found);
        let whole = self
            .explore_keys(root, found, oracle, &mut problem)
            .and_then(|()| self.explore_tries(root, found, oracle, &mut problem))
            .and_then(|()| self.explore_set_play(root, oracle, &mut problem));
        problem.incomplete = whole.is_err() || self.left == 0;
        problem
    }

    /// A play from a point as a line. Where it ends with moves that are forced on the other side, there
    /// is one line for each.
    fn lines(&self, root: &At<G>, play: &[StepOf<G>]) -> Vec<Line> {
        let (mut at, mut moves) = (root.clone(), Vec::new());
        for &step in play {
            if let Step::Move(_) = step {
                moves.push(self.ply(&at, step));
            }
            at = self.after(&at, step);
        }
        let forced = match self.check.formula().node(at.asked) {
            Node::Box(..) => self.moves(&at),
            _ => Vec::new(),
        };
        if forced.is_empty() {
            return vec![Line { moves }];
        }
        let with = |&step: &StepOf<G>| {
            let mut moves = moves.clone();
            moves.push(self.ply(&at, step));
            Line { moves }
        };
        forced.iter().map(with).collect()
    }

    /// A first move, and where it leads.
    fn key(&self, root: &At<G>, play: &[StepOf<G>]) -> (Attack, At<G>) {
        let (mut at, mut key) = (root.clone(), Attack::default());
        for &step in play {
            if let Step::Move(_) = step {
                key.ply = self.ply(&at, step);
            }
            at = self.after(&at, step);
        }
        (key, at)
    }

    /// The variations of all keys, where these are wanted.
    fn explore_keys(
        &mut self,
        root: &At<G>,
        found: &[Vec<StepOf<G>>],
        oracle: Questions<'_, G>,
        problem: &mut Problem,
    ) -> Result<(), StopReason> {
        if !self.wanted.variations || self.wanted.lines.is_some() {
            return Ok(());
        }
        for play in found {
            let (mut key, mut after) = self.key(root, play);
            // A key may do it in fewer moves than it has.
            for shorter in self.shorter(root).iter().rev() {
                let choices = self.choices(shorter, oracle)?;
                let steps =
                    choices.iter().flat_map(|c| self.moves(c).into_iter().map(move |m| (c, m)));
                let same =
                    steps.filter(|(_, step)| play.contains(step)).map(|(c, m)| self.after(c, m));
                let same: Vec<At<G>> = same.collect();
                if let Some(sooner) = same.first()
                    && oracle.wins(sooner)?
                {
                    after = sooner.clone();
                    break;
                }
            }
            self.expand(&after, &mut key, oracle)?;
            if let Some(known) = problem.keys.iter_mut().find(|known| known.ply == key.ply) {
                *known = key;
            }
        }
        Ok(())
    }

    fn explore_tries(
        &mut self,
        root: &At<G>,
        keys: &[Vec<StepOf<G>>],
        oracle: Questions<'_, G>,
        problem: &mut Problem,
    ) -> Result<(), StopReason> {
        if self.wanted.tries == 0 || self.wanted.lines.is_some() {
            return Ok(());
        }
        let tries = problem.tries.insert(Vec::new());
        for choice in self.choices(root, oracle)? {
            for step in self.moves(&choice) {
                let after = self.after(&choice, step);
                let key = keys.iter().any(|play| play.contains(&step));
                let Some(defence) = self.part(&after, true).filter(|_| !key) else { continue };
                // Where the other side is obliged by its last move, it has no other one.
                if self.part(&after, false).is_some() && self.is_last(&defence) {
                    continue;
                }
                let refutations = self.refutations(&defence, oracle)?;
                if refutations.is_empty() || refutations.len() > self.wanted.tries as usize {
                    continue;
                }
                let mut attack = Attack { ply: self.ply(&choice, step), ..Attack::default() };
                if self.wanted.variations {
                    self.expand(&after, &mut attack, oracle)?;
                }
                attack.refutations = refutations;
                tries.push(attack);
            }
        }
        Ok(())
    }

    /// The defences that refute; the search for them ends when there are too many.
    fn refutations(
        &mut self,
        defence: &At<G>,
        oracle: Questions<'_, G>,
    ) -> Result<Vec<Ply>, StopReason> {
        let mut found = Vec::new();
        let mut steps = Vec::new();
        self.check.in_order(defence, Side::Min.agent(), &mut steps);
        for step in steps {
            if !oracle.wins(&self.after(defence, step))? {
                found.push(self.ply(defence, step));
                if found.len() > self.wanted.tries as usize {
                    break;
                }
            }
        }
        Ok(found)
    }

    fn explore_set_play(
        &mut self,
        root: &At<G>,
        oracle: Questions<'_, G>,
        problem: &mut Problem,
    ) -> Result<(), StopReason> {
        if !self.wanted.set_play {
            return Ok(());
        }
        let set_play = problem.set_play.insert(SetPlay::default());
        let Some(choice) = self.choices(root, oracle)?.into_iter().next() else { return Ok(()) };
        let beginner = self.mover(&choice);
        let waiting = self.after(&choice, Step::Pass);
        // What follows may be a defence, or help; what the same side does in a row is neither.
        for part in self.parts(&waiting) {
            if self.mover(&part) == beginner || !self.moves_out_of_turn(&part) {
                continue;
            }
            let (variations, mut refutations) = (&mut set_play.variations, Vec::new());
            match self.check.formula().node(part.asked) {
                Node::Diamond(..) if self.wanted.lines.is_none() => {
                    // What the other side must do because it can.
                    if oracle.wins(&part)? {
                        return self.obliged(&part, oracle, variations);
                    }
                }
                Node::Diamond(..) => {
                    for play in oracle.lines(&part)? {
                        set_play.lines.extend(self.lines(&part, &play));
                    }
                }
                _ => self.variations(&part, &[], oracle, variations, &mut refutations)?,
            }
            if self.wanted.complete_set_play && !refutations.is_empty() {
                set_play.variations.clear();
            }
        }
        Ok(())
    }

    /// The moves of a side that has to make one of them.
    fn obliged(
        &self,
        at: &At<G>,
        oracle: Questions<'_, G>,
        variations: &mut Vec<Variation>,
    ) -> Result<(), StopReason> {
        for step in self.moves(at) {
            if oracle.wins(&self.after(at, step))? {
                variations.push(Variation { ply: self.ply(at, step), ..Variation::default() });
            }
        }
        Ok(())
    }

    /// Whether the side that is to choose here is not on turn, and can move all the same.
    fn moves_out_of_turn(&self, at: &At<G>) -> bool {
        self.check.game().off_turn() == OffTurn::Moves && !self.moves(at).is_empty()
    }

    /// Writes down what a move of the attack leads to: threats, and the variations that meet them.
    fn expand(
        &mut self,
        after: &At<G>,
        attack: &mut Attack,
        oracle: Questions<'_, G>,
    ) -> Result<(), StopReason> {
        let Some(defence) = self.what_holds(after, oracle)? else { return Ok(()) };
        if let Node::Diamond(..) = self.check.formula().node(defence.asked) {
            // What the other side must do because it can.
            return self.obliged(&defence, oracle, &mut attack.variations);
        }
        let waiting = self.after(&defence, Step::Pass);
        let mut threats = Vec::new();
        // In check, or where a side never moves out of turn, nothing is threatened.
        let can_wait = self.part(&waiting, false).is_some_and(|c| self.moves_out_of_turn(&c));
        if can_wait {
            threats = self.shortest(&waiting, oracle)?;
        }
        let steps: Vec<StepOf<G>> = threats.iter().map(|(step, ..)| *step).collect();
        attack.threats = self.continued(threats, oracle)?;
        let (variations, refutations) = (&mut attack.variations, &mut attack.refutations);
        self.variations(&defence, &steps, oracle, variations, refutations)?;
        let goes_on = variations.iter().any(|v| !v.continuations.is_empty());
        attack.zugzwang = can_wait && attack.threats.is_empty() && goes_on;
        Ok(())
    }

    /// The moves of the defence that have an answer, those left out that meet none of the threats; and
    /// those that have none.
    fn variations(
        &mut self,
        defence: &At<G>,
        threats: &[StepOf<G>],
        oracle: Questions<'_, G>,
        variations: &mut Vec<Variation>,
        refutations: &mut Vec<Ply>,
    ) -> Result<(), StopReason> {
        for step in self.moves(defence) {
            let after = self.after(defence, step);
            if !oracle.wins(&after)? {
                refutations.push(self.ply(defence, step));
                continue;
            }
            if !threats.is_empty() && self.all_work(threats, &after, oracle)? {
                continue;
            }
            let found = self.shortest(&after, oracle)?;
            let continuations = self.continued(found, oracle)?;
            let dual = continuations.len() > 1;
            variations.push(Variation { ply: self.ply(defence, step), continuations, dual });
        }
        Ok(())
    }

    /// Whether all these moves of the attack still lead on, or nothing is left to do.
    fn all_work(
        &self,
        threats: &[StepOf<G>],
        at: &At<G>,
        oracle: Questions<'_, G>,
    ) -> Result<bool, StopReason> {
        let choices = self.choices(at, oracle)?;
        if choices.is_empty() {
            return Ok(true);
        }
        for threat in threats {
            let mut works = false;
            for choice in &choices {
                works |= self.moves(choice).contains(threat)
                    && oracle.wins(&self.after(choice, *threat))?;
            }
            if !works {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Moves of the attack with all that follows them, where that is wanted.
    fn continued(
        &mut self,
        found: Vec<Found<G>>,
        oracle: Questions<'_, G>,
    ) -> Result<Vec<Attack>, StopReason> {
        let mut attacks = Vec::new();
        for (_, ply, after) in found {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let mut attack = Attack { ply, ..Attack::default() };
            if self.wanted.variations {
                self.expand(&after, &mut attack, oracle)?;
            }
            attacks.push(attack);
        }
        Ok(attacks)
    }

    /// The moves of the attack by which it wins from here in the fewest moves.
    fn shortest(&self, at: &At<G>, oracle: Questions<'_, G>) -> Result<Vec<Found<G>>, StopReason> {
        for at in self.shorter(at).iter().rev() {
            let mut found: Vec<Found<G>> = Vec::new();
            for choice in self.choices(at, oracle)? {
                for step in self.moves(&choice) {
                    let after = self.after(&choice, step);
                    if oracle.wins(&after)? && found.iter().all(|(known, ..)| *known != step) {
                        found.push((step, self.ply(&choice, step), after));
                    }
                }
            }
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// The same question, and with one move less for each side, and so on.
    fn shorter(&self, at: &At<G>) -> Vec<At<G>> {
        let mut shorter = vec![at.clone()];
        while let Some(next) = shorter.last().and_then(|at| self.with_a_move_less(at)) {
            shorter.push(next);
        }
        shorter
    }

    /// The same question with one move less for each side, if that is what both passing leads to.
    fn with_a_move_less(&self, at: &At<G>) -> Option<At<G>> {
        let choice = self.part(at, false)?;
        // Where sides pass out of turn, the second one has passed already.
        let waiting = self.after(&choice, Step::Pass);
        let less = match self.part(&waiting, true) {
            Some(defence) => self.after(&defence, Step::Pass),
            None => waiting,
        };
        let next = self.part(&less, false)?;
        (self.mover(&next) == self.mover(&choice) && less.asked < at.asked).then_some(less)
    }

    /// Where the attack chooses, if all holds that must hold besides.
    fn choices(&self, at: &At<G>, oracle: Questions<'_, G>) -> Result<Vec<At<G>>, StopReason> {
        match self.check.formula().node(at.asked) {
            Node::Diamond(..) => Ok(vec![at.clone()]),
            node @ (Node::Or(..) | Node::And(..)) => {
                let mut found = Vec::new();
                for second in [false, true] {
                    let part = self.after(at, Step::Part(second));
                    match self.part(&part, false) {
                        Some(_) => found.extend(self.choices(&part, oracle)?),
                        None if matches!(node, Node::And(..)) && !oracle.wins(&part)? => {
                            return Ok(Vec::new());
                        }
                        None => {}
                    }
                }
                Ok(found)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The part of what holds here that goes on: a choice of the defence; or of the attack, where it is
    /// the other side's that is wanted.
    fn what_holds(
        &self,
        at: &At<G>,
        oracle: Questions<'_, G>,
    ) -> Result<Option<At<G>>, StopReason> {
        match self.check.formula().node(at.asked) {
            Node::Box(..) | Node::Diamond(..) => Ok(Some(at.clone())),
            Node::And(..) => Ok(self.part(at, true)),
            Node::Or(..) => {
                for second in [false, true] {
                    let part = self.after(at, Step::Part(second));
                    if oracle.wins(&part)? {
                        return self.what_holds(&part, oracle);
                    }
                }
                // A try: what would be left to do is to defend.
                Ok(self.part(at, true))
            }
            _ => Ok(None),
        }
    }

    /// The first □, or else ◇, that a point consists of.
    fn part(&self, at: &At<G>, is_box: bool) -> Option<At<G>> {
        let wanted = |node: Node| match node {
            Node::Box(..) => is_box,
            Node::Diamond(..) => !is_box,
            _ => false,
        };
        let mut parts = self.parts(at).into_iter();
        parts.find(|part| wanted(self.check.formula().node(part.asked)))
    }

    /// All □ and ◇ that a point consists of.
    fn parts(&self, at: &At<G>) -> Vec<At<G>> {
        match self.check.formula().node(at.asked) {
            Node::Box(..) | Node::Diamond(..) => vec![at.clone()],
            Node::And(..) | Node::Or(..) => {
                let parts = [false, true].map(|second| self.after(at, Step::Part(second)));
                parts.iter().flat_map(|part| self.parts(part)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether nothing is asked behind a choice but what is true there.
    fn is_last(&self, at: &At<G>) -> bool {
        match self.check.formula().node(at.asked) {
            Node::Box(_, f) | Node::Diamond(_, f) => self.check.formula().is_literal(f),
            _ => true,
        }
    }

    fn mover(&self, at: &At<G>) -> Option<Agent> {
        match self.check.formula().node(at.asked) {
            Node::Box(agent, _) | Node::Diamond(agent, _) => Some(agent),
            _ => None,
        }
    }

    /// The moves at a □ or ◇, passing not included.
    fn moves(&self, at: &At<G>) -> Vec<StepOf<G>> {
        let mut steps = Vec::new();
        if let Turn::Agent(side) = self.check.turn(at) {
            self.check.moves(at, side, &mut steps);
        }
        steps.retain(|step| matches!(step, Step::Move(_)));
        steps
    }

    fn after(&self, at: &At<G>, step: StepOf<G>) -> At<G> {
        let mut next = at.clone();
        self.check.play(&mut next, Side::Max.agent(), step);
        next
    }

    fn ply(&self, at: &At<G>, step: StepOf<G>) -> Ply {
        Ply {
            text: self.check.move_text(at, step),
            san: self.check.usual_text(at, Side::Max.agent(), step),
        }
    }
}
