//! Strong solutions: what either side can force from every state that can be reached.
//!
//! Definition 4 and Theorem 1 of *Solving Games and All That*, extended to cycles: what a side can
//! force is the least fixpoint of equations 2.7 to 2.9. It visits every state and keeps them all,
//! so it is for small games; the tests measure every search by it.

use std::collections::{HashMap, VecDeque};

use foregone_model::{Agent, Endless, Game, Outcome, Side, Turn, Viewpoint};

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
        let open = match view.endless(game.endless()) {
            Endless::Impossible | Endless::Undetermined => Verdict::Undetermined,
            Endless::Scores(o) if o >= at_least => Verdict::Won,
            Endless::Scores(_) => Verdict::Lost,
        };
        let verdict = |i: usize| match (won[i], lost[i]) {
            (Some(moves), _) => (Verdict::Won, Some(moves)),
            (_, Some(moves)) => (Verdict::Lost, Some(moves)),
            _ => (open, None),
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

/// The states from which `prover` can force its goal, and in how many moves: backwards from the
/// final ones, a choice of the prover with one such successor, a choice of the opponent when all
/// successors are such.
fn attractor(kinds: &[Kind], parents: &[Vec<usize>], prover: Side) -> Vec<Option<u32>> {
    let mut inside = vec![None; kinds.len()];
    let mut missing: Vec<usize> = kinds
        .iter()
        .map(|k| match k {
            Kind::Choice(side, n) if *side != prover => *n,
            _ => 1,
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
