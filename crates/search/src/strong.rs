//! Strong solutions: what either side can force from every state that can be reached.
//!
//! Definition 4 and Theorem 1 of *Solving Games and All That*, extended to cycles: what a side can
//! force is the least fixpoint of equations 2.7 to 2.9. It visits every state and keeps them all,
//! so it is for small games; the tests measure every search by it.

use std::collections::{HashMap, VecDeque};

use foregone_model::{Agent, Endless, Game, Outcome, Side, Turn, Viewpoint};

use crate::components::components;

/// What is true of a state, under the question whether Max reaches at least some outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Max can force it.
    Won,
    /// Min can prevent it, and the play ends.
    Lost,
    /// Neither can force anything, and the rules give endless play no outcome.
    Undetermined,
}

/// A partition of the states that can be reached from a start.
#[derive(Clone, Debug)]
pub struct StrongSolution<S> {
    verdicts: HashMap<S, (Verdict, Option<u32>)>,
}

impl<S: Clone + Eq + std::hash::Hash> StrongSolution<S> {
    /// The strong solution of the part of a game below `start`; nothing when it has more than
    /// `most` states, or when chance moves there: what neither side can force for sure would not
    /// be for the other one. Max is the first agent, and outcomes rank as they do for that one.
    pub fn of<G: Game<State = S>>(
        game: &G,
        start: S,
        at_least: Outcome,
        most: usize,
    ) -> Option<StrongSolution<S>> {
        let view = Viewpoint::new(game, Agent::FIRST);
        // Step 1: all states, numbered as they are found.
        let mut numbers: HashMap<S, usize> = HashMap::from([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut parents: Vec<Vec<usize>> = vec![Vec::new()];
        let mut kinds: Vec<Kind> = Vec::new();
        let mut moves = Vec::new();
        while kinds.len() < states.len() {
            let at = kinds.len();
            let s = states[at].clone();
            let agent = match game.turn(&s) {
                Turn::Agent(agent) => agent,
                Turn::Over => {
                    kinds.push(Kind::Over(view.rank(game.outcome(&s)) >= at_least));
                    continue;
                }
                Turn::Chance => return None,
            };
            moves.clear();
            game.moves(&s, agent, &mut moves);
            for &m in &moves {
                let mut next = s.clone();
                game.play(&mut next, agent, m);
                let number = *numbers.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    parents.push(Vec::new());
                    states.len() - 1
                });
                parents[number].push(at);
            }
            kinds.push(Kind::Choice(Side::of(agent), moves.len()));
            if states.len() > most {
                return None;
            }
        }
        // Step 2: what each side can force, and what is left.
        let won = attractor(&kinds, &parents, Side::Max);
        let lost = attractor(&kinds, &parents, Side::Min);
        // Step 3: what endless play is worth to the rest.
        let forced = |i: usize| won[i].is_some() || lost[i].is_some();
        let endless = |i: usize| match view.endless(game.endless_from(&states[i])) {
            Endless::Impossible | Endless::Undetermined => None,
            Endless::Scores(o) => Some(o >= at_least),
        };
        let rest: Vec<Option<bool>> =
            (0..states.len()).map(|i| if forced(i) { None } else { endless(i) }).collect();
        let rest = around(kinds, &parents, rest);
        let verdict = |i: usize| match (won[i], lost[i], rest[i]) {
            (Some(moves), ..) => (Verdict::Won, Some(moves)),
            (_, Some(moves), _) => (Verdict::Lost, Some(moves)),
            (.., Some(true)) => (Verdict::Won, None),
            (.., Some(false)) => (Verdict::Lost, None),
            (.., None) => (Verdict::Undetermined, None),
        };
        let verdicts = states.into_iter().enumerate().map(|(i, s)| (s, verdict(i))).collect();
        Some(StrongSolution { verdicts })
    }

    /// The verdict on a state that can be reached.
    pub fn verdict(&self, s: &S) -> Option<Verdict> {
        self.verdicts.get(s).map(|&(verdict, _)| verdict)
    }

    /// How many moves it takes until the game is over, if who can force the verdict hurries and the
    /// other side resists; nothing where endless play decides, or nobody can force anything.
    pub fn distance(&self, s: &S) -> Option<u32> {
        self.verdicts.get(s).and_then(|&(_, distance)| distance)
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.verdicts.len()
    }
}

enum Kind {
    Over(bool),
    Choice(Side, usize),
}

/// Whether Max reaches its goal from states from which no side can force anything, by what endless play
/// from each is worth: a play that goes round for ever does so in one component of them. Nothing of the
/// other states, or where endless play is worth nothing.
fn around(
    mut kinds: Vec<Kind>,
    parents: &[Vec<usize>],
    endless: Vec<Option<bool>>,
) -> Vec<Option<bool>> {
    let mut known = vec![None; kinds.len()];
    loop {
        let open = |i: usize| endless[i].is_some() && known[i].is_none();
        let rest: Vec<usize> = (0..kinds.len()).filter(|&i| open(i)).collect();
        let Some(&first) = rest.first() else { return known };
        if rest.iter().all(|&i| endless[i] == endless[first]) {
            rest.iter().for_each(|&i| known[i] = endless[i]);
            return known;
        }
        // Against the moves; components are the same.
        let all = components(kinds.len(), rest.iter().map(|&i| i as u32), |i, out| {
            let before = parents[i as usize].iter().filter(|&&p| open(p));
            out.extend(before.map(|&p| p as u32));
        });
        let mut component = vec![0; kinds.len()];
        for (number, states) in all.iter().enumerate() {
            states.iter().for_each(|&i| component[i as usize] = number);
        }
        // A play that is in a component that no open state follows stays there.
        let mut last = vec![true; all.len()];
        for &i in &rest {
            for &p in parents[i].iter().filter(|&&p| open(p) && component[p] != component[i]) {
                last[component[p]] = false;
            }
        }
        let circles = all.iter().zip(last).filter(|(_, last)| *last).flat_map(|(states, _)| states);
        for i in circles.map(|&i| i as usize) {
            known[i] = endless[i];
            kinds[i] = Kind::Over(endless[i] == Some(true));
        }
        let (won, lost) =
            (attractor(&kinds, parents, Side::Max), attractor(&kinds, parents, Side::Min));
        for i in rest {
            match (won[i], lost[i]) {
                (Some(_), _) => known[i] = Some(true),
                (_, Some(_)) => known[i] = Some(false),
                (None, None) => {}
            }
        }
    }
}

/// The states from which `prover` can force its goal, and in how many moves: backwards from the
/// final ones, a choice of the prover with one such successor, a choice of the opponent when all
/// successors are such.
fn attractor(kinds: &[Kind], parents: &[Vec<usize>], prover: Side) -> Vec<Option<u32>> {
    let mut inside = vec![None; kinds.len()];
    let mut missing: Vec<usize> = kinds
        .iter()
        .map(|k| match k {
            Kind::Choice(side, n) if *side != prover => *n,
            Kind::Choice(..) => 1,
            // Moves do not count where a play is taken as over.
            Kind::Over(_) => usize::MAX,
        })
        .collect();
    let mut todo: VecDeque<usize> = VecDeque::new();
    for (i, kind) in kinds.iter().enumerate() {
        if matches!(kind, Kind::Over(reached) if *reached == (prover == Side::Max)) {
            inside[i] = Some(0);
            todo.push_back(i);
        }
    }
    // First come, first served: states are reached in the order of their distances, so the first
    // successor of a choice is the quickest, and the last one the slowest.
    while let Some(i) = todo.pop_front() {
        for &p in &parents[i] {
            if inside[p].is_some() {
                continue;
            }
            missing[p] -= 1;
            if missing[p] == 0 {
                inside[p] = inside[i].map(|moves| moves + 1);
                todo.push_back(p);
            }
        }
    }
    inside
}
