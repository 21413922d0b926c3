//! Weak solutions in memory: what a search hands over when it has an answer.

use foregone_proof::{Game, Side};

/// One claim of a weak solution: why the prover reaches its goal from the state at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<M> {
    /// The state is final, with an outcome that meets the claim (equations 2.1 and 2.4), or
    /// static knowledge of the game says that it is as good as that.
    Over,
    /// The prover plays this move; the next line speaks of the state after it (2.2 and 2.6).
    Plays(M),
    /// The opponent, or chance, has this many moves; a block of lines for each follows, in the order of the
    /// rules (2.3 and 2.5).
    Replies(u32),
    /// The state came up before on the way here, and endless play meets the claim.
    Repeats,
    /// The state is that of the line with this number, whose block is complete or, where endless
    /// play meets the claim, still open.
    Same(u32),
}

/// A weak solution (Definition 3) as a tree of claims in pre-order, beginning with the state
/// that was asked about. States are not stored: the moves lead to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeakSolution<M> {
    /// Whose solution it is.
    pub prover: Side,
    /// The claims.
    pub lines: Vec<Line<M>>,
}

impl<M> WeakSolution<M> {
    /// The index just behind the block of lines that begins at `at`.
    pub fn end_of_block(&self, mut at: usize) -> usize {
        let mut open = 1u64;
        while open > 0 {
            match &self.lines[at] {
                Line::Over | Line::Repeats | Line::Same(_) => open -= 1,
                Line::Plays(_) => {}
                Line::Replies(n) => open = open - 1 + u64::from(*n),
            }
            at += 1;
        }
        at
    }

    /// The same for every line, in one pass: asking for one block after the other would cost the
    /// square of the length of a long play.
    fn ends_of_blocks(&self) -> Vec<u32> {
        let mut ends = vec![0; self.lines.len()];
        for at in (0..self.lines.len()).rev() {
            let blocks = match &self.lines[at] {
                Line::Over | Line::Repeats | Line::Same(_) => 0,
                Line::Plays(_) => 1,
                Line::Replies(n) => *n,
            };
            let mut end = at as u32 + 1;
            for _ in 0..blocks {
                end = ends[end as usize];
            }
            ends[at] = end;
        }
        ends
    }
}

impl<M: Copy> WeakSolution<M> {
    /// A play out of the solution: the prover's moves, and against them the replies, and the moves
    /// of chance, that take the most lines to refute.
    pub fn line<G: Game<Move = M>>(&self, game: &G, start: &G::State) -> Vec<M> {
        let ends = self.ends_of_blocks();
        let mut s = start.clone();
        let mut at = 0;
        let mut play = Vec::new();
        let mut moves = Vec::new();
        let mut visited = std::collections::HashSet::new();
        while let Some(agent) = game.turn(&s).mover() {
            let m = match self.lines[at] {
                Line::Plays(m) => {
                    at += 1;
                    m
                }
                Line::Replies(_) => {
                    moves.clear();
                    game.moves(&s, agent, &mut moves);
                    let (mut longest, mut next) = (0, at + 1);
                    let mut hardest = moves[0];
                    for &m in &moves {
                        let end = ends[next] as usize;
                        if end - next > longest {
                            (longest, hardest, at) = (end - next, m, next);
                        }
                        next = end;
                    }
                    hardest
                }
                Line::Same(earlier) => {
                    // A play that comes round again need not be shown twice.
                    if !visited.insert(earlier) {
                        break;
                    }
                    at = earlier as usize;
                    continue;
                }
                Line::Over | Line::Repeats => break,
            };
            game.play(&mut s, agent, m);
            play.push(m);
        }
        play
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_end_where_they_should() {
        use Line::{Over, Plays, Replies};
        let lines = vec![Plays(1), Replies(2), Plays(2), Over, Replies(1), Over, Over];
        let solution = WeakSolution { prover: Side::Max, lines };
        assert_eq!(solution.end_of_block(0), 6);
        assert_eq!(solution.end_of_block(2), 4);
        assert_eq!(solution.end_of_block(4), 6);
    }

    #[test]
    fn all_ends_at_once_are_those_of_single_blocks() {
        use Line::{Over, Plays, Repeats, Replies, Same};
        let lines = vec![
            Replies(3),
            Plays(1),
            Replies(2),
            Over,
            Plays(2),
            Repeats,
            Same(1),
            Replies(1),
            Over,
        ];
        let solution = WeakSolution { prover: Side::Max, lines };
        let single: Vec<u32> = (0..9).map(|at| solution.end_of_block(at) as u32).collect();
        assert_eq!(solution.ends_of_blocks(), single);
    }
}
