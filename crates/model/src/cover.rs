//! Which moves of the opponent are covered in a certificate: answered like another one (`*: as K`).
//!
//! The idea is Kawano's simulation (1996): where a move does not disturb what answers another one, the
//! same answers will do, and one line says so. Here whole certificates are made of it, from the
//! leaves up, so that an inner line about all other moves helps an outer one; the checker goes
//! through the same text behind each of the moves, and so does this, with the same steps.

use std::collections::{HashMap, HashSet};

use foregone_proof::{Agent, Claim, Notation, Turn, Viewpoint};

use crate::guide::Guide;
use crate::solution::{Line, WeakSolution};
use crate::write::NONE;

/// At a state, trying what covers other moves takes so many steps for each line that is to be
/// written below it, and these.
const STEPS: (u64, u64) = (4, 256);
/// All in all, for each line of the solution.
const MOST_STEPS: u64 = 48;
/// So many answers are tried at a state.
const MOST_TRIED: usize = 3;

/// What is covered.
pub(crate) struct Covers {
    /// For each line of replies, the block that all other moves are answered like: it stands last.
    pub(crate) like: Vec<u32>,
    /// For each line that begins the block of a reply, whether another one covers it.
    pub(crate) covered: Vec<bool>,
    /// For each line the one behind its block.
    pub(crate) ends: Vec<u32>,
    /// For lines of replies where moves are covered, how many lines the checker replays there.
    pub(crate) replayed: HashMap<u32, u64>,
}

/// A block that is not complete: its line, its state, and the moves of the opponent there.
struct Open<S, M> {
    at: u32,
    state: S,
    moves: Vec<M>,
    /// The blocks that answer them, as far as there are some.
    answers: Vec<u32>,
}

pub(crate) struct Planner<'a, G: Guide + Notation> {
    game: &'a G,
    view: Viewpoint,
    claim: Claim,
    lines: &'a [Line<G::Move>],
    /// For each line the one that speaks of its state first, or [`NONE`].
    same: &'a [u32],
    covers: Covers,
    /// The move that leads to each line.
    by: Vec<Option<G::Move>>,
    /// How many lines each block takes.
    cost: Vec<u32>,
    /// The words of knowledge at lines of states that are not over.
    known: HashMap<u32, String>,
    seen: HashSet<(u32, G::State)>,
    /// How many steps are left in all.
    left: u64,
}

impl<'a, G: Guide + Notation> Planner<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        claim: Claim,
        solution: &'a WeakSolution<G::Move>,
        same: &'a [u32],
    ) -> Planner<'a, G> {
        let count = solution.lines.len();
        Planner {
            game,
            view: Viewpoint::new(game, claim.max),
            claim,
            lines: &solution.lines,
            same,
            covers: Covers {
                like: vec![NONE; count],
                covered: vec![false; count],
                ends: solution.ends(),
                replayed: HashMap::new(),
            },
            by: vec![None; count],
            cost: vec![1; count],
            known: HashMap::new(),
            seen: HashSet::new(),
            left: MOST_STEPS * count as u64,
        }
    }

    /// Goes through all blocks, each after those inside it. Nothing if nobody wants to go on, or where
    /// the lines do not fit the rules.
    pub(crate) fn plan(
        mut self,
        start: &G::State,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Covers> {
        let mut open: Vec<Open<G::State, G::Move>> = Vec::new();
        let (mut at, mut state) = (0u32, start.clone());
        loop {
            if !goes_on(at as usize) {
                return None;
            }
            // Step 1: down to a line without blocks.
            let line = self.lines[at as usize];
            let agent = self.game.turn(&state).mover();
            match (line, agent) {
                _ if self.same[at as usize] != NONE => {}
                (Line::Plays(m), Some(agent)) => {
                    let mut next = state.clone();
                    self.game.play(&mut next, agent, m);
                    open.push(Open { at, state, moves: Vec::new(), answers: vec![at + 1] });
                    (at, state) = (at + 1, next);
                    continue;
                }
                (Line::Replies(n), Some(agent)) if n > 0 => {
                    let mut moves = Vec::new();
                    self.game.moves(&state, agent, &mut moves);
                    if moves.len() != n as usize {
                        return None;
                    }
                    let next = self.after(&state, agent, moves[0]);
                    self.by[at as usize + 1] = Some(moves[0]);
                    open.push(Open { at, state, moves, answers: vec![at + 1] });
                    (at, state) = (at + 1, next);
                    continue;
                }
                (Line::Over, Some(_)) => self.learn(at, &state)?,
                (Line::Over, None) => {}
                _ => return None,
            }

            // Step 2: up to a state with a move that has no block yet.
            loop {
                let Some(block) = open.last_mut() else { return Some(self.covers) };
                let end = self.covers.ends[at as usize];
                let next = block.answers.len();
                if let Some(&m) = block.moves.get(next) {
                    block.answers.push(end);
                    self.by[end as usize] = Some(m);
                    let agent = self.game.turn(&block.state).mover()?;
                    let mut after = block.state.clone();
                    self.game.play(&mut after, agent, m);
                    (at, state) = (end, after);
                    break;
                }
                let block = open.pop()?;
                at = block.at;
                match block.moves.is_empty() {
                    true => self.cost[at as usize] = self.cost[at as usize + 1].saturating_add(1),
                    false => self.choose(&block)?,
                }
            }
        }
    }

    fn after(&self, s: &G::State, agent: Agent, m: G::Move) -> G::State {
        let mut next = s.clone();
        self.game.play(&mut next, agent, m);
        next
    }

    /// Notes what knowledge says of a state that is not over.
    fn learn(&mut self, at: u32, s: &G::State) -> Option<()> {
        // Such knowledge takes long, and has lines of its own about all other moves.
        if self.game.leaves_out() {
            return None;
        }
        let mut words = format!("{} ", self.game.known(s)?.by);
        self.game.reason(s, self.claim, &mut words);
        words.truncate(words.trim_end_matches(' ').len());
        self.known.insert(at, words);
        Some(())
    }

    /// The line that a line stands for.
    fn target(&self, at: u32) -> u32 {
        let same = self.same[at as usize];
        if same == NONE { at } else { same }
    }

    /// Which answer covers the most at a state whose blocks are all known.
    fn choose(&mut self, block: &Open<G::State, G::Move>) -> Option<()> {
        let agent = self.game.turn(&block.state).mover()?;
        let behind: Vec<G::State> =
            block.moves.iter().map(|&m| self.after(&block.state, agent, m)).collect();
        let all: u64 = block.answers.iter().map(|&line| u64::from(self.cost[line as usize])).sum();
        let mut budget = (all * STEPS.0 + STEPS.1).min(self.left);
        let tried = self.candidates(&block.answers);
        let mut best: Option<(u64, u32, Vec<u32>, u64)> = None;
        for &like in &tried {
            let (mut saved, mut covered, mut replayed) = (0, Vec::new(), 0);
            for (&line, s) in block.answers.iter().zip(&behind) {
                if line == like {
                    continue;
                }
                // What takes much longer to replay than to write is written.
                let own = u64::from(self.cost[line as usize]) * 16 + 64;
                let (held, steps) = self.replays(self.target(like), s, own.min(budget));
                (budget, self.left) = (budget - steps, self.left - steps);
                if held {
                    saved += u64::from(self.cost[line as usize]);
                    replayed += steps;
                    covered.push(line);
                }
            }
            if best.as_ref().is_none_or(|best| saved > best.0) {
                best = Some((saved, like, covered, replayed));
            }
        }
        let (mut saved, like, covered, replayed) = best?;
        let at = block.at as usize;
        self.covers.like[at] = like;
        // The line about them takes one itself.
        if saved > 1 {
            for line in covered {
                self.covers.covered[line as usize] = true;
            }
            self.covers.replayed.insert(block.at, replayed);
            saved -= 1;
        } else {
            saved = 0;
        }
        self.cost[at] = u32::try_from(all - saved + 1).unwrap_or(u32::MAX);
        Some(())
    }

    /// The answers that are likely to do for other moves, too: of the most frequent ones the shortest.
    fn candidates(&self, answers: &[u32]) -> Vec<u32> {
        let reply = |line: u32| match self.lines[self.target(line) as usize] {
            Line::Plays(m) => Some(m),
            _ => None,
        };
        let replies: Vec<Option<G::Move>> = answers.iter().map(|&line| reply(line)).collect();
        let mut order: Vec<(usize, u32, u32, u32)> = Vec::with_capacity(answers.len());
        for (i, &line) in answers.iter().enumerate() {
            let often = replies.iter().filter(|&&other| other == replies[i]).count();
            let ends = u32::from(replies[i].is_none());
            order.push((usize::MAX - often, ends, self.cost[self.target(line) as usize], line));
        }
        order.sort_unstable();
        order.iter().take(MOST_TRIED).map(|&(.., line)| line).collect()
    }

    /// Whether the block of a line holds in a state, as the checker sees it, and how many lines were
    /// looked at for that.
    fn replays(&mut self, line: u32, s: &G::State, most: u64) -> (bool, u64) {
        let mut steps = 0;
        let mut moves = Vec::new();
        let mut todo = vec![(line, s.clone())];
        self.seen.clear();
        while let Some((at, mut s)) = todo.pop() {
            if steps == most {
                return (false, steps);
            }
            steps += 1;
            let (agent, own) = match self.game.turn(&s) {
                Turn::Over => match self.claim.met_by(self.view.rank(self.game.outcome(&s))) {
                    true => continue,
                    false => return (false, steps),
                },
                Turn::Agent(agent) => (agent, self.view.side(agent) == self.claim.prover),
                Turn::Chance => (Agent::CHANCE, false),
            };
            if self.same[at as usize] != NONE {
                let target = self.target(at);
                if self.seen.insert((target, s.clone())) {
                    todo.push((target, s));
                }
                continue;
            }
            moves.clear();
            match self.lines[at as usize] {
                Line::Over => {
                    let words = self.known.get(&at).map(|words| words.as_str());
                    let (rule, reason) = words.and_then(|w| w.split_once(' ')).unwrap_or_default();
                    if words.is_none() || !self.game.confirms(&s, self.claim, rule, reason) {
                        return (false, steps);
                    }
                }
                Line::Plays(m) if own => {
                    self.game.moves(&s, agent, &mut moves);
                    if !moves.contains(&m) {
                        return (false, steps);
                    }
                    self.game.play(&mut s, agent, m);
                    todo.push((at + 1, s));
                }
                Line::Replies(n) if !own => {
                    self.game.moves(&s, agent, &mut moves);
                    let mut line = at + 1;
                    for _ in 0..n {
                        let named = self.by[line as usize].filter(|_| !self.is_covered(line));
                        if let Some(i) = named.and_then(|m| moves.iter().position(|&o| o == m)) {
                            let m = moves.swap_remove(i);
                            todo.push((line, self.after(&s, agent, m)));
                        }
                        line = self.covers.ends[line as usize];
                    }
                    let like = self.covers.like[at as usize];
                    todo.extend(moves.iter().map(|&m| (like, self.after(&s, agent, m))));
                }
                _ => return (false, steps),
            }
        }
        (true, steps)
    }

    fn is_covered(&self, line: u32) -> bool {
        self.covers.covered[line as usize]
    }
}
