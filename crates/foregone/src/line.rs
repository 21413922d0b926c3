//! The principal variation: a play in which either side does what the answer says it can.
//!
//! Who is said to reach something has a strategy: a proof, or what a table still remembers. A play
//! by both strategies ends in the value. A side that nothing is claimed for has lost all it can
//! lose, so it plays what resists longest against the other one's proof. Where a strategy ends
//! before the game does, because static knowledge took its place or a table forgot, a search from
//! there goes on with it; it may not take long, and then the line says that it stops.

use std::collections::HashSet;

use foregone_model::{Agent, Claim, Follower, Game, Outcome, Says, Side, Viewpoint, WeakSolution};

use crate::answer::LineEnd;

/// A line may take a quarter of the nodes that the answer took, but at least the first and at most
/// the second of these.
const LINE_NODES: (u64, u64) = (20_000, 2_000_000);

/// How many nodes the searches for a line may take, behind an answer that took so many.
pub(crate) fn line_nodes(answer: u64) -> u64 {
    (answer / 4).clamp(LINE_NODES.0, LINE_NODES.1)
}

/// How a side does what is claimed for it.
pub(crate) struct Strategy<M> {
    pub(crate) claim: Claim,
    way: Way<M>,
}

enum Way<M> {
    Proof(Box<Follower<M>>),
    /// The moves of both sides, the next one last.
    Remembered(Vec<M>),
    /// What was played is not in it.
    Lost,
}

impl<M: Copy + PartialEq> Strategy<M> {
    /// A strategy that a proof spells out.
    pub(crate) fn proof(claim: Claim, solution: WeakSolution<M>) -> Strategy<M> {
        Strategy { claim, way: Way::Proof(Box::new(Follower::new(solution))) }
    }

    /// A strategy of which a play is known.
    pub(crate) fn remembered(claim: Claim, mut play: Vec<M>) -> Strategy<M> {
        play.reverse();
        Strategy { claim, way: Way::Remembered(play) }
    }

    /// Which of these moves it plays, or against which of them it takes longest, if it says so.
    pub(crate) fn number(&self, moves: &[M], own: bool) -> Option<usize> {
        let place = |m: M| moves.iter().position(|&other| other == m);
        match &self.way {
            Way::Proof(follower) => match (follower.says(), own) {
                (Says::Plays(m), true) => place(m),
                (Says::Replies, false) => Some(follower.longest_reply()),
                _ => None,
            },
            Way::Remembered(play) => play.last().and_then(|&m| place(m)),
            Way::Lost => None,
        }
    }

    /// Goes along with a move.
    pub(crate) fn follow(&mut self, moves: &[M], number: usize) {
        let follows = match &mut self.way {
            Way::Proof(follower) => follower.follow(moves, number),
            Way::Remembered(play) => play.pop() == Some(moves[number]),
            Way::Lost => false,
        };
        if !follows {
            self.way = Way::Lost;
        }
    }
}

/// What a search from a state in the middle of a line is for.
pub(crate) struct Wanted {
    pub(crate) claim: Claim,
    pub(crate) knowledge: bool,
    pub(crate) nodes: u64,
}

/// Searches for a proof from a state, and says how many nodes that took.
pub(crate) type GoOn<'a, G> =
    dyn FnMut(&<G as Game>::State, Wanted) -> (Option<WeakSolution<<G as Game>::Move>>, u64) + 'a;

/// A line in the making.
pub(crate) struct Lines<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) max: Agent,
    /// Whether the game's static knowledge may be used.
    pub(crate) knowledge: bool,
    /// What searches may take in all.
    pub(crate) nodes: u64,
    pub(crate) search: &'a mut GoOn<'a, G>,
}

impl<G: Game> Lines<'_, G> {
    /// The line that these strategies make, those of Max and of Min, and how it ends.
    pub(crate) fn play(
        &mut self,
        start: &G::State,
        mut strategies: [Option<Strategy<G::Move>>; 2],
    ) -> (Vec<G::Move>, LineEnd) {
        let view = Viewpoint::new(self.game, self.max);
        let mut s = start.clone();
        let mut line = Vec::new();
        let mut visited = HashSet::new();
        let mut moves = Vec::new();
        while let Some(agent) = self.game.turn(&s).mover() {
            if !visited.insert(s.clone()) {
                return (line, LineEnd::Repetition);
            }
            moves.clear();
            self.game.moves(&s, agent, &mut moves);
            // Step 1: who says what is played here.
            let side = view.side(agent);
            let own = strategies[side.index()].is_some();
            let decides = if own { side } else { side.other() };
            let Some(strategy) = &mut strategies[decides.index()] else {
                return (line, LineEnd::Open);
            };
            // Step 2: the move, by a search where the strategy has ended.
            let mut number = strategy.number(&moves, own);
            if number.is_none() {
                self.go_on(&s, strategy);
                number = strategy.number(&moves, own);
            }
            let Some(number) = number else { return (line, LineEnd::Open) };
            // Step 3: both go along.
            for strategy in strategies.iter_mut().flatten() {
                strategy.follow(&moves, number);
            }
            self.game.play(&mut s, agent, moves[number]);
            line.push(moves[number]);
        }
        (line, LineEnd::Final)
    }

    /// Goes on with a strategy that ends here: by rules alone if that does not take long, so that
    /// the line reaches the end of the game, and otherwise for a move at least.
    fn go_on(&mut self, s: &G::State, strategy: &mut Strategy<G::Move>) {
        let ways: &[(bool, u64)] = match self.knowledge {
            true => &[(false, 4), (true, 2)],
            false => &[(false, 2)],
        };
        for &(knowledge, part) in ways {
            let nodes = self.nodes / part;
            if nodes == 0 {
                return;
            }
            let wanted = Wanted { claim: strategy.claim, knowledge, nodes };
            let (solution, took) = (self.search)(s, wanted);
            self.nodes = self.nodes.saturating_sub(took);
            if let Some(solution) = solution {
                *strategy = Strategy::proof(strategy.claim, solution);
                return;
            }
        }
    }
}

/// The window of the question behind a claim, and for whom open ends of endless play count in it.
pub(crate) fn question(claim: Claim) -> ((Outcome, Outcome), Side) {
    let open = if claim.or_endless { claim.prover } else { claim.prover.other() };
    ((Outcome(claim.at_least.0 - 1), claim.at_least), open)
}
