//! Search by threats (`lambda`): λ-search without a limit of depth.
//!
//! After T. Thomsen, *Lambda-search in game trees* (2000), as the lecture on solving games by
//! T. Cazenave (2018) has it. One side attacks. It wins with order 0 by one move. It wins with order
//! n if it wins with a lower one, or by a move after which
//!
//! - it would win with an order below n were it to move again (the threat: the defender passes), and
//! - it wins with an order of at most n after every reply.
//!
//! A win is a win whatever a pass would be worth: the threat only chooses which moves are tried. So
//! "no" means that there is no win by threats of these orders, and nothing else.
//!
//! Inside it is a depth first proof number search, as in *Lambda depth-first proof number search* by
//! K. Yoshizoe, A. Kishimoto and M. Müller (2007): proof numbers of a threat are those of the move
//! that makes it, and orders widen at each node (step by step, lower ones first). A reply that
//! touches nothing that the proof of the threat rests on is not searched: its answer is the threat
//! (relevance zones, of the lecture).
//!
//! Ours: zones are not believed. When the root is proved, the proof is walked with all replies, and
//! those outside a zone are answered by playing the threat's proof there (simulation, after
//! Y. Kawano, 1996; `simulate.rs`). Where that fails, the reply is searched, and if it is a good one the
//! zone of this position is not used again and the search begins anew. A reply that wins at once for
//! the defender refutes a move before its threat is looked at (a dual search of order 0, after
//! S. Soeda, T. Kaneko and T. Tanaka, 2005); what else the defender may threaten meanwhile stands in
//! [`Space::counters`].
//!
//! Where positions can come up again, one that does counts against the attacker, and what rests on
//! that is not kept. So a proof never rests on a repetition.

use std::collections::HashSet;
use std::ops::ControlFlow;

use foregone_model::{Look, Outcome, Side, Space, Zone};

use super::tree::over;
use crate::report::{Counts, Limits, Progress, Report, Solution, StopReason, View, Watch};
use crate::table::{OnPath, Quick, Table};

mod simulate;

/// The watch is asked after so many expansions.
const TICK: u64 = 16;
/// A number that no sum reaches.
const INFINITE: u32 = u32::MAX / 4;
/// A result that rests on no state of the path.
const FREE: u32 = u32::MAX;
/// Longer paths are given up: the search calls itself for each state of the path.
const LONGEST: usize = 4096;

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threats {
    /// The largest order.
    pub order: u32,
    /// Whether replies outside of zones are left out.
    pub zones: bool,
}

impl Threats {
    /// The largest order when nobody says: loose ladders and nets.
    pub const ORDER: u32 = 3;
    /// No larger order can be asked for.
    pub const LARGEST: u32 = 30;
    /// The usual ones.
    pub const USUAL: Threats = Threats { order: Threats::ORDER, zones: true };
}

/// What the table holds of a node.
#[derive(Clone, Copy)]
struct Entry<M> {
    pn: u32,
    dn: u32,
    /// When it was proved.
    when: u32,
    /// The move that proves it, where the attacker moves.
    best: Option<M>,
    zone: Zone,
}

/// What is known of a node.
#[derive(Clone, Copy)]
struct Found {
    pn: u32,
    dn: u32,
    /// The lowest place of the path that a refutation rests on.
    rests_on: u32,
    /// What a proof changes or looks at.
    zone: Zone,
}

impl Found {
    const UNKNOWN: Found = Found { pn: 1, dn: 1, rests_on: FREE, zone: Zone::NONE };

    fn proved(zone: Zone) -> Found {
        Found { pn: 0, dn: INFINITE, rests_on: FREE, zone }
    }

    fn refuted(rests_on: u32) -> Found {
        Found { pn: INFINITE, dn: 0, rests_on, zone: Zone::NONE }
    }

    fn is_proved(&self) -> bool {
        self.pn == 0
    }

    fn is_refuted(&self) -> bool {
        self.dn == 0
    }

    fn is_open(&self) -> bool {
        self.pn > 0 && self.dn > 0
    }

    /// Whether a node with these numbers is to be left.
    fn reaches(&self, bounds: Bounds) -> bool {
        !self.is_open() || self.pn >= bounds.pn || self.dn >= bounds.dn
    }
}

/// A node is left when one of its numbers reaches these.
#[derive(Clone, Copy)]
struct Bounds {
    pn: u32,
    dn: u32,
}

impl Bounds {
    const NONE: Bounds = Bounds { pn: INFINITE, dn: INFINITE };
}

/// What kind of node a state is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The attacker moves, in its turn.
    Attack,
    /// The attacker moves, and the defender has passed.
    Again,
    /// The defender moves: the attacker wins if it has a threat and every reply loses.
    Defend,
}

/// A child of a node of the path.
struct Child<Sp: Space> {
    step: Sp::Step,
    state: Sp::State,
    found: Found,
}

type Key<Sp> = (<Sp as Space>::State, u16);

struct Search<'a, Sp: Space> {
    space: &'a Sp,
    watch: &'a mut dyn Watch<Sp::Step>,
    limits: Limits,
    /// Who attacks, and the outcome that it wants.
    attacker: Side,
    goal: Outcome,
    /// The order that the root is searched with.
    order: u32,
    zones: bool,
    table: Table<Sp::Packed, Entry<Sp::Step>, u16>,
    /// The choices of the attacker on the path, where states can come up again; else their number.
    path: Vec<Key<Sp>>,
    on_path: OnPath<Key<Sp>>,
    depth: usize,
    /// The last moves that proved something, by depth: killer moves.
    killers: Vec<Option<Sp::Step>>,
    /// Positions whose zones were found to be wrong.
    distrusted: HashSet<Sp::Packed, Quick>,
    failures: u64,
    /// Whether the defender had something to counter with: then zones depend on the order of the root.
    countered: bool,
    /// The move of the root that refuted the last attack of who is not on turn.
    saved_by: Option<Sp::Step>,
    facts: u32,
    counts: Counts,
}

/// What a watch sees.
struct Shown {
    order: u32,
    attacker: Side,
    bounds: (Outcome, Outcome),
}

impl<M> View<M> for Shown {
    fn bounds(&self) -> (Outcome, Outcome) {
        self.bounds
    }

    fn root_text(&self) -> String {
        let side = if self.attacker == Side::Max { "Max" } else { "Min" };
        format!("order {}, {side} attacks", self.order)
    }
}

/// Searches for a win by threats of either side, order by order, until there is one, or there is none
/// of the largest order, or the limits or the watch end it. The space has two outcomes, and both
/// sides can move out of turn there.
pub fn lambda<Sp: Space>(
    space: &Sp,
    threats: Threats,
    limits: Limits,
    proof_nodes: u64,
    watch: &mut dyn Watch<Sp::Step>,
) -> Report<Sp::Step> {
    lambda_told(space, threats, limits, proof_nodes, watch).0
}

/// The same, and how many zones were found to be too small: none if games tell them truly.
pub fn lambda_told<Sp: Space>(
    space: &Sp,
    threats: Threats,
    limits: Limits,
    proof_nodes: u64,
    watch: &mut dyn Watch<Sp::Step>,
) -> (Report<Sp::Step>, u64) {
    let root = space.root();
    let mover = match space.look_at_root(&root) {
        Look::Over(o) => return (over(space, o), 0),
        Look::Choice(side) => side,
    };
    let mut report = Report {
        stop: StopReason::Orders,
        bounds: (Outcome(0), space.best()),
        solutions: Vec::new(),
        line: Vec::new(),
        found: Vec::new(),
        cost: None,
        counts: Counts::default(),
    };
    if space.best() != Outcome::WIN || !space.moves_off_turn() {
        return (report, 0);
    }
    let mut search = Search::new(space, limits, watch);
    // Step 1: order by order, who is on turn attacks first.
    'orders: for order in 0..=threats.order {
        if search.countered {
            search.forget();
        }
        for attacker in [mover, mover.other()] {
            search.attack_with(attacker, order, threats.zones);
            match search.root(&root, mover, proof_nodes) {
                Ok(None) => {}
                Ok(Some(weak)) => {
                    // Step 2: the proof says it all.
                    let outcome = if attacker == Side::Max { Outcome::WIN } else { Outcome::LOSS };
                    report.stop = StopReason::Solved;
                    report.bounds = (outcome, outcome);
                    report.solutions.push(Solution { at_least: Outcome::WIN, weak });
                    break 'orders;
                }
                Err(stop) => {
                    report.stop = stop;
                    break 'orders;
                }
            }
        }
    }
    report.counts = Counts { peak_bytes: search.bytes(), ..search.counts };
    (report, search.failures)
}

impl<'a, Sp: Space> Search<'a, Sp> {
    fn new(space: &'a Sp, limits: Limits, watch: &'a mut dyn Watch<Sp::Step>) -> Search<'a, Sp> {
        Search {
            space,
            watch,
            limits,
            attacker: Side::Max,
            goal: Outcome::WIN,
            order: 0,
            zones: true,
            // In a space with cycles a proof must know what was proved before what.
            table: Table::new(limits.bytes / 8 * 7, space.repeats()),
            path: Vec::new(),
            on_path: OnPath::new(),
            depth: 0,
            killers: Vec::new(),
            distrusted: HashSet::default(),
            failures: 0,
            countered: false,
            saved_by: None,
            facts: 0,
            counts: Counts::default(),
        }
    }

    fn attack_with(&mut self, attacker: Side, order: u32, zones: bool) {
        self.attacker = attacker;
        self.goal = if attacker == Side::Max { Outcome::WIN } else { Outcome::LOSS };
        self.zones = zones && self.space.plays_to_win(attacker);
        self.order = order;
        self.distrusted.clear();
    }

    /// Forgets what was proved.
    fn forget(&mut self) {
        self.table = Table::new(self.limits.bytes / 8 * 7, self.space.repeats());
        (self.countered, self.facts) = (false, 0);
    }

    /// The cells where the defender may counter within so many moves.
    fn counters(&mut self, s: &Sp::State, moves: u32) -> Zone {
        let zone = self.space.counters(s, self.attacker.other(), moves);
        self.countered |= zone != Zone::NONE;
        zone
    }

    fn bytes(&self) -> u64 {
        self.table.bytes() + self.on_path.bytes()
    }

    fn about(&self, kind: Kind, order: u32) -> u16 {
        self.attacker.index() as u16 | (kind as u16) << 1 | (order as u16) << 3
    }

    fn look_around(&mut self) -> Result<(), StopReason> {
        self.counts.expansions += 1;
        if self.counts.nodes >= self.limits.nodes {
            return Err(StopReason::Nodes);
        }
        if self.depth > LONGEST {
            return Err(StopReason::Memory);
        }
        if self.counts.expansions.is_multiple_of(TICK) {
            let counts = Counts { peak_bytes: self.bytes(), ..self.counts };
            let bounds = (Outcome(0), self.space.best());
            let view = Shown { order: self.order, attacker: self.attacker, bounds };
            if let ControlFlow::Break(stop) = self.watch.tick(&Progress::new(counts, &view)) {
                return Err(stop);
            }
        }
        Ok(())
    }

    fn next(&mut self, s: &Sp::State, side: Side, step: Sp::Step) -> Sp::State {
        self.counts.nodes += 1;
        let mut next = s.clone();
        self.space.take(&mut next, side, step);
        next
    }

    /// The cells that a step changes; all where zones are not used.
    fn touched(&self, s: &Sp::State, side: Side, step: Sp::Step) -> Zone {
        match self.zones {
            true => self.space.touched(s, side, step).unwrap_or(Zone::ALL),
            false => Zone::ALL,
        }
    }

    /// Whether a step of the attacker ends the game as it wants, and what that rests on.
    fn wins_by(&mut self, s: &Sp::State, step: Sp::Step) -> Option<Zone> {
        let next = self.next(s, self.attacker, step);
        match self.space.look(&next) {
            Look::Over(o) if o == self.goal => {}
            _ => return None,
        }
        // What knowledge says may rest on anything.
        let known = matches!(self.space.look_at_root(&next), Look::Choice(_));
        Some(if known { Zone::ALL } else { self.touched(s, self.attacker, step) })
    }

    /// A step by which the attacker wins at once.
    fn at_once(&mut self, s: &Sp::State) -> Option<(Sp::Step, Zone)> {
        let mut steps = Vec::new();
        self.space.finishing(s, self.attacker, &mut steps);
        steps.into_iter().find_map(|step| Some((step, self.wins_by(s, step)?)))
    }

    /// Whether the defender, who is to move, has a reply after which the attacker has not won and
    /// never will.
    fn is_refuted_at_once(&mut self, s: &Sp::State) -> bool {
        let defender = self.attacker.other();
        let mut steps = Vec::new();
        self.space.finishing(s, defender, &mut steps);
        steps.into_iter().any(|step| {
            let next = self.next(s, defender, step);
            matches!(self.space.look(&next), Look::Over(o) if o != self.goal)
        })
    }

    /// What is proved of a choice of the attacker, with the lowest order up to this one, or where
    /// states can come up again the one that was proved first.
    fn proof_of(&self, s: &Sp::State, kind: Kind, order: u32) -> Option<(u32, Entry<Sp::Step>)> {
        let packed = self.space.pack(s);
        let proofs = (0..=order).filter_map(|order| {
            let entry = self.table.get(&packed, self.about(kind, order))?;
            (entry.pn == 0).then_some((order, entry))
        });
        match self.space.repeats() {
            false => { proofs }.next(),
            true => proofs.min_by_key(|(_, entry)| entry.when),
        }
    }

    /// What is known of a choice of the attacker. Wins at once are seen here.
    fn look_up(&mut self, s: &Sp::State, kind: Kind, order: u32) -> Found {
        let about = self.about(kind, order);
        if self.space.repeats() {
            let (path, key) = (&self.path, (s.clone(), about));
            if let Some(place) = self.on_path.find(&key, path.len(), |at| &path[at]) {
                return Found::refuted(place as u32);
            }
        }
        if let Some((_, entry)) = self.proof_of(s, kind, order) {
            return Found::proved(entry.zone);
        }
        let packed = self.space.pack(s);
        let first = self.about(kind, 0);
        if self.table.get(&packed, first).is_none() {
            let (found, best) = match self.at_once(s) {
                Some((step, zone)) => (Found::proved(zone), Some(step)),
                None => (Found::refuted(FREE), None),
            };
            self.keep(packed.clone(), first, found, best, 1);
            if best.is_some() {
                return found;
            }
        }
        if order == 0 {
            return Found::refuted(FREE);
        }
        self.table.get(&packed, about).map_or(Found::UNKNOWN, |entry| Found {
            pn: entry.pn,
            dn: entry.dn,
            rests_on: FREE,
            zone: entry.zone,
        })
    }

    fn keep(
        &mut self,
        packed: Sp::Packed,
        about: u16,
        found: Found,
        best: Option<Sp::Step>,
        work: u64,
    ) {
        if found.is_refuted() && found.rests_on != FREE {
            return;
        }
        self.facts = self.facts.saturating_add(u32::from(found.is_proved()));
        let Found { pn, dn, zone, .. } = found;
        let entry = Entry { pn, dn, when: self.facts, best, zone };
        self.table.put(packed, about, entry, work);
    }

    /// Works at a choice of the attacker that is open, with an order of at least 1, until it is
    /// solved or reaches the bounds.
    fn attack(
        &mut self,
        s: &Sp::State,
        kind: Kind,
        order: u32,
        bounds: Bounds,
    ) -> Result<Found, StopReason> {
        self.look_around()?;
        let (about, work) = (self.about(kind, order), self.counts.nodes);
        let place = self.path.len();
        let repeats = self.space.repeats();
        if repeats {
            self.path.push((s.clone(), about));
        }
        self.depth += 1;
        let found = self.widen(s, kind, order, bounds);
        self.depth -= 1;
        if repeats && let Some(key) = self.path.pop() {
            self.on_path.left(&key, place);
        }
        let (mut found, best) = found?;
        // What rests on this state itself rests on nothing.
        if found.rests_on >= place as u32 {
            found.rests_on = FREE;
        }
        let work = self.counts.nodes - work;
        self.keep(self.space.pack(s), about, found, best, work);
        Ok(found)
    }

    /// The same without the table: lower orders first, then the moves of this one.
    fn widen(
        &mut self,
        s: &Sp::State,
        kind: Kind,
        order: u32,
        bounds: Bounds,
    ) -> Result<(Found, Option<Sp::Step>), StopReason> {
        // Step 1: the order below.
        let mut lower = self.look_up(s, kind, order - 1);
        if !lower.reaches(bounds) {
            lower = self.attack(s, kind, order - 1, bounds)?;
        }
        if !lower.is_refuted() {
            let best = match lower.is_proved() {
                true => self.proof_of(s, kind, order - 1).and_then(|(_, entry)| entry.best),
                false => None,
            };
            return Ok((lower, best));
        }
        // Step 2: the moves that may threaten something.
        let mut children = self.attacks(s, order);
        let killer = self.killers.get(self.depth).copied().flatten();
        if let Some(at) = children.iter().position(|child| Some(child.step) == killer) {
            children[..=at].rotate_right(1);
        }
        loop {
            // Step 3: the numbers of this node.
            let dn = children.iter().fold(0u32, |dn, child| (dn + child.found.dn).min(INFINITE));
            let least = (0..children.len()).min_by_key(|&i| children[i].found.pn);
            let Some(i) = least else { return Ok((Found::refuted(lower.rests_on), None)) };
            let pn = children[i].found.pn;
            if pn == 0 {
                let step = children[i].step;
                let zone = self.touched(s, self.attacker, step) | children[i].found.zone;
                if self.killers.len() <= self.depth {
                    self.killers.resize(self.depth + 1, None);
                }
                self.killers[self.depth] = Some(step);
                return Ok((Found::proved(zone), Some(step)));
            }
            if dn == 0 {
                let rests = children.iter().map(|child| child.found.rests_on);
                let rests_on = rests.fold(lower.rests_on, u32::min);
                return Ok((Found::refuted(rests_on), None));
            }
            let found = Found { pn, dn, rests_on: FREE, zone: Zone::NONE };
            if found.reaches(bounds) {
                return Ok((found, None));
            }
            // Step 4: into the child with the least proof number, and a little longer than until
            // another one has it.
            let others = children.iter().enumerate().filter(|(j, _)| *j != i);
            let second = others.map(|(_, child)| child.found.pn).min().unwrap_or(INFINITE);
            let below = Bounds {
                pn: bounds.pn.min(second.saturating_add(second / 4 + 1)),
                dn: (bounds.dn - dn).saturating_add(children[i].found.dn),
            };
            let child = children[i].state.clone();
            children[i].found = self.defend(&child, order, below)?;
        }
    }

    /// The moves of the attacker that may threaten something, with what is known of them.
    fn attacks(&mut self, s: &Sp::State, order: u32) -> Vec<Child<Sp>> {
        let mut steps = Vec::new();
        self.space.threatening(s, self.attacker, order, &mut steps);
        let mut children = Vec::with_capacity(steps.len());
        for step in steps {
            let state = self.next(s, self.attacker, step);
            // Wins at once were seen before, and who moves twice does not threaten.
            if self.space.look(&state) != Look::Choice(self.attacker.other()) {
                continue;
            }
            let about = self.about(Kind::Defend, order);
            let known = self.table.get(&self.space.pack(&state), about);
            let found = known.map_or(Found::UNKNOWN, |entry| Found {
                pn: entry.pn,
                dn: entry.dn,
                rests_on: FREE,
                zone: entry.zone,
            });
            children.push(Child { step, state, found });
        }
        children
    }

    /// Works at a choice of the defender that is open, until it is solved or reaches the bounds.
    fn defend(&mut self, s: &Sp::State, order: u32, bounds: Bounds) -> Result<Found, StopReason> {
        self.look_around()?;
        let work = self.counts.nodes;
        self.depth += 1;
        let found = self.answer(s, order, bounds);
        self.depth -= 1;
        let found = found?;
        let (about, work) = (self.about(Kind::Defend, order), self.counts.nodes - work);
        self.keep(self.space.pack(s), about, found, None, work);
        Ok(found)
    }

    /// The same without the table: the threat first, then the replies.
    fn answer(&mut self, s: &Sp::State, order: u32, bounds: Bounds) -> Result<Found, StopReason> {
        // Step 1: no threat is faster than a win.
        if self.is_refuted_at_once(s) {
            return Ok(Found::refuted(FREE));
        }
        // Step 2: the threat.
        let mut threat = self.look_up(s, Kind::Again, order - 1);
        if !threat.reaches(bounds) {
            threat = self.attack(s, Kind::Again, order - 1, bounds)?;
        }
        if !threat.is_proved() {
            return Ok(threat);
        }
        // Step 3: the replies that may be good.
        let Some(mut children) = self.replies(s, order, threat.zone) else {
            return Ok(Found::refuted(FREE));
        };
        loop {
            // Step 4: the numbers of this node.
            let pn = children.iter().fold(0u32, |pn, child| (pn + child.found.pn).min(INFINITE));
            // Of two that refute it, one that rests on nothing.
            let by = |i: &usize| (children[*i].found.dn, !children[*i].found.rests_on);
            let least = (0..children.len()).min_by_key(by);
            let Some(i) = least.filter(|_| pn > 0) else {
                let mut zone = threat.zone;
                if self.zones {
                    zone |= self.counters(s, self.order);
                }
                return Ok(Found::proved(children.iter().fold(zone, |z, c| z | c.found.zone)));
            };
            let dn = children[i].found.dn;
            if dn == 0 {
                return Ok(Found::refuted(children[i].found.rests_on));
            }
            let found = Found { pn, dn, rests_on: FREE, zone: Zone::NONE };
            if found.reaches(bounds) {
                return Ok(found);
            }
            // Step 5: into the reply that is easiest to hold.
            let others = children.iter().enumerate().filter(|(j, _)| *j != i);
            let second = others.map(|(_, child)| child.found.dn).min().unwrap_or(INFINITE);
            let below = Bounds {
                pn: (bounds.pn - pn).saturating_add(children[i].found.pn),
                dn: bounds.dn.min(second.saturating_add(second / 4 + 1)),
            };
            let child = children[i].state.clone();
            children[i].found = self.attack(&child, Kind::Attack, order, below)?;
        }
    }

    /// The replies that touch the zone of the threat or may be threats themselves, with what is known
    /// of them. Nothing if one of them is seen to be good.
    fn replies(&mut self, s: &Sp::State, order: u32, zone: Zone) -> Option<Vec<Child<Sp>>> {
        let defender = self.attacker.other();
        let mut steps = Vec::new();
        self.space.steps(s, defender, &mut steps);
        if self.zones && !self.distrusted.contains(&self.space.pack(s)) {
            let zone = zone | self.counters(s, order);
            steps.retain(|&step| self.touched(s, defender, step).meets(&zone));
        }
        let mut children = Vec::with_capacity(steps.len());
        for step in steps {
            let state = self.next(s, defender, step);
            let found = match self.space.look(&state) {
                Look::Over(o) if o == self.goal => Found::proved(Zone::ALL),
                Look::Choice(side) if side == self.attacker => {
                    self.look_up(&state, Kind::Attack, order)
                }
                Look::Over(_) | Look::Choice(_) => return None,
            };
            if found.is_refuted() && found.rests_on == FREE {
                return None;
            }
            children.push(Child { step, state, found });
        }
        Some(children)
    }
}
