//! The weak solution behind a win by threats, with every reply that the rules know.
//!
//! The search left replies out that touch no zone. Here each of them is played, and answered by the
//! moves that proved the threat without it (simulation, after Y. Kawano, *Using similar positions to
//! search game trees*, 1996). The rules say whether that works: so an answer never rests on a zone.

use std::collections::HashMap;

use foregone_model::{Line, Look, Side, Space, WeakSolution};

use super::{Bounds, Kind, Search};
use crate::report::StopReason;
use crate::table::Quick;

/// A proof to go by: that of a choice of the attacker in a state that may be another one than the
/// state at hand.
#[derive(Clone)]
struct Model<S> {
    state: S,
    kind: Kind,
    order: u32,
}

/// Where a walk can go back to.
#[derive(Clone, Copy)]
struct Mark {
    lines: usize,
    states: usize,
}

struct Walk<'w, 'a, Sp: Space> {
    search: &'w mut Search<'a, Sp>,
    lines: Vec<Line<Sp::Step>>,
    /// The lines of states, and whether their blocks are complete.
    seen: HashMap<Sp::Packed, (u32, bool), Quick>,
    /// The same states in the order in which they came up.
    states: Vec<Sp::Packed>,
    /// Choices of the defender with a reply that their zone should have had.
    wrong: Vec<Sp::Packed>,
}

impl<Sp: Space> Search<'_, Sp> {
    /// Searches the root with the attacker and the order at hand. The proof, if it wins.
    pub(super) fn root(
        &mut self,
        root: &Sp::State,
        mover: Side,
        proof_nodes: u64,
    ) -> Result<Option<WeakSolution<Sp::Step>>, StopReason> {
        loop {
            if !self.root_is_won(root, mover)? {
                return Ok(None);
            }
            let limits = self.limits;
            self.limits.nodes = self.counts.nodes.saturating_add(proof_nodes);
            let counts = self.counts;
            let walked = self.walk(root, mover);
            // What the proof takes is not what the search took.
            (self.limits, self.counts) = (limits, counts);
            let (weak, wrong) = walked?;
            if weak.is_some() {
                return Ok(weak);
            }
            // What was proved rests on a zone that is too small.
            if !self.zones {
                return Ok(None);
            }
            self.failures += 1;
            let known = self.distrusted.len();
            self.distrusted.extend(wrong);
            self.zones = self.distrusted.len() > known;
            self.forget();
        }
    }

    fn root_is_won(&mut self, root: &Sp::State, mover: Side) -> Result<bool, StopReason> {
        if mover == self.attacker {
            return self.settle(root, Kind::Attack, self.order);
        }
        let mut steps = Vec::new();
        self.space.steps(root, mover, &mut steps);
        // What refuted the attack before is likely to do so again.
        if let Some(at) = steps.iter().position(|&step| Some(step) == self.saved_by) {
            steps[..=at].rotate_right(1);
        }
        for step in steps {
            let next = self.next(root, mover, step);
            let won = match self.space.look(&next) {
                Look::Over(o) => o == self.goal,
                Look::Choice(side) if side == self.attacker => {
                    self.settle(&next, Kind::Attack, self.order)?
                }
                Look::Choice(_) => false,
            };
            if !won {
                self.saved_by = Some(step);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the attacker wins from a choice of its own with this order.
    fn settle(&mut self, s: &Sp::State, kind: Kind, order: u32) -> Result<bool, StopReason> {
        let mut found = self.look_up(s, kind, order);
        if found.is_open() {
            found = self.attack(s, kind, order, Bounds::NONE)?;
        }
        Ok(found.is_proved())
    }

    /// The weak solution, or the choices of the defender whose zones were too small.
    fn walk(&mut self, root: &Sp::State, mover: Side) -> Result<Walked<Sp>, StopReason> {
        let prover = self.attacker;
        let order = self.order;
        let mut walk = Walk {
            search: self,
            lines: Vec::new(),
            seen: HashMap::default(),
            states: Vec::new(),
            wrong: Vec::new(),
        };
        let model = Model { state: root.clone(), kind: Kind::Attack, order };
        let whole = match mover == prover {
            true => walk.attack(root, &model)?,
            false => walk.replies(root, root, order)?,
        };
        let Walk { lines, wrong, .. } = walk;
        Ok((whole.then_some(WeakSolution { prover, lines }), wrong))
    }
}

type Walked<Sp> = (Option<WeakSolution<<Sp as Space>::Step>>, Vec<<Sp as Space>::Packed>);

impl<Sp: Space> Walk<'_, '_, Sp> {
    fn mark(&self) -> Mark {
        Mark { lines: self.lines.len(), states: self.states.len() }
    }

    fn back_to(&mut self, mark: Mark) {
        self.lines.truncate(mark.lines);
        for packed in self.states.drain(mark.states..) {
            self.seen.remove(&packed);
        }
    }

    /// Begins the block of a state. If it came up before, whether that is good enough: a state that
    /// comes up again on its own path is not.
    fn begin(&mut self, s: &Sp::State) -> Result<Option<bool>, StopReason> {
        self.search.look_around()?;
        let held = self.lines.capacity() * size_of::<Line<Sp::Step>>()
            + self.seen.capacity() * (2 * size_of::<Sp::Packed>() + 9);
        if held as u64 > self.search.limits.bytes || self.lines.len() >= u32::MAX as usize {
            return Err(StopReason::Memory);
        }
        let packed = self.search.space.pack(s);
        match self.seen.get(&packed) {
            Some(&(line, true)) => {
                self.lines.push(Line::Same(line));
                Ok(Some(true))
            }
            Some(_) => Ok(Some(false)),
            None => {
                self.seen.insert(packed.clone(), (self.lines.len() as u32, false));
                self.states.push(packed);
                Ok(None)
            }
        }
    }

    fn end(&mut self, s: &Sp::State) {
        if let Some((_, complete)) = self.seen.get_mut(&self.search.space.pack(s)) {
            *complete = true;
        }
    }

    /// The block of a choice of the attacker, by what is proved of it, or else by the model.
    fn attack(&mut self, s: &Sp::State, model: &Model<Sp::State>) -> Result<bool, StopReason> {
        if let Some(done) = self.begin(s)? {
            return Ok(done);
        }
        let mark = self.mark();
        let (kind, order) = (Kind::Attack, self.search.order);
        let own = self.search.proof_of(s, kind, order);
        let own = own.map(|(order, _)| Model { state: s.clone(), kind, order });
        for model in own.iter().chain([model]) {
            if self.play(s, model)? {
                self.end(s);
                return Ok(true);
            }
            self.back_to(mark);
        }
        Ok(false)
    }

    /// The move that the model has here, and what follows.
    fn play(&mut self, s: &Sp::State, model: &Model<Sp::State>) -> Result<bool, StopReason> {
        let Model { state, kind, order } = model;
        let mut proof = self.search.proof_of(state, *kind, *order);
        // The table may have forgotten it.
        if proof.is_none() && self.search.settle(state, *kind, *order)? {
            proof = self.search.proof_of(state, *kind, *order);
        }
        let Some((order, Some(step))) = proof.map(|(order, entry)| (order, entry.best)) else {
            return Ok(false);
        };
        let attacker = self.search.attacker;
        let mut steps = Vec::new();
        self.search.space.steps(s, attacker, &mut steps);
        if !steps.contains(&step) {
            return Ok(false);
        }
        let next = self.search.next(s, attacker, step);
        self.lines.push(Line::Plays(step));
        match self.search.space.look(&next) {
            Look::Over(o) if o == self.search.goal => {
                self.lines.push(Line::Over);
                Ok(true)
            }
            Look::Choice(side) if side != attacker && order > 0 => {
                let model = self.search.next(state, attacker, step);
                self.replies(&next, &model, order)
            }
            Look::Over(_) | Look::Choice(_) => Ok(false),
        }
    }

    /// The block of a choice of the defender, by the proof of another one, or its own.
    fn replies(
        &mut self,
        s: &Sp::State,
        model: &Sp::State,
        order: u32,
    ) -> Result<bool, StopReason> {
        if let Some(done) = self.begin(s)? {
            return Ok(done);
        }
        let defender = self.search.attacker.other();
        let mut steps = Vec::new();
        self.search.space.steps(s, defender, &mut steps);
        let mut of_model = Vec::new();
        self.search.space.steps(model, defender, &mut of_model);
        self.lines.push(Line::Replies(steps.len() as u32));
        for step in steps {
            let next = self.search.next(s, defender, step);
            let holds = match self.search.space.look(&next) {
                Look::Over(o) => {
                    self.lines.push(Line::Over);
                    o == self.search.goal
                }
                Look::Choice(side) if side == defender => false,
                Look::Choice(_) => {
                    let has = of_model.contains(&step);
                    let after = has.then(|| self.search.next(model, defender, step));
                    self.reply(s, &next, (model, after), order)?
                }
            };
            if !holds {
                if s == model {
                    self.wrong.push(self.search.space.pack(s));
                }
                return Ok(false);
            }
        }
        self.end(s);
        Ok(true)
    }

    /// The answer to a reply: what is proved after the same reply in the model, or what the model
    /// threatens. In its own position it is searched if need be.
    fn reply(
        &mut self,
        s: &Sp::State,
        next: &Sp::State,
        (model, after): (&Sp::State, Option<Sp::State>),
        order: u32,
    ) -> Result<bool, StopReason> {
        let (mark, kind) = (self.mark(), Kind::Attack);
        if let Some(state) = after
            && self.search.space.look(&state) == Look::Choice(self.search.attacker)
            && self.search.proof_of(&state, kind, order).is_some()
        {
            if self.attack(next, &Model { state, kind, order })? {
                return Ok(true);
            }
            self.back_to(mark);
        }
        if let Some(below) = order.checked_sub(1) {
            let threat = Model { state: model.clone(), kind: Kind::Again, order: below };
            if self.attack(next, &threat)? {
                return Ok(true);
            }
            self.back_to(mark);
        }
        if s == model && self.search.settle(next, kind, order)? {
            return self.attack(next, &Model { state: next.clone(), kind, order });
        }
        Ok(false)
    }
}
