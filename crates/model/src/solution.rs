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
    /// Whether every line that is announced is there, and no other. Only then can it be walked.
    pub fn is_whole(&self) -> bool {
        let mut open = 1usize;
        for line in &self.lines {
            if open == 0 {
                return false;
            }
            open = match line {
                Line::Plays(_) => open,
                Line::Replies(n) => open - 1 + *n as usize,
                Line::Same(n) if *n as usize >= self.lines.len() => return false,
                Line::Over | Line::Repeats | Line::Same(_) => open - 1,
            };
        }
        open == 0
    }
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
}

/// A place in a weak solution that moves along with a play.
#[derive(Clone, Debug)]
pub struct Follower<M> {
    solution: WeakSolution<M>,
    /// For every line, the index behind its block: asking for one block after the other would cost
    /// the square of the length of a long play.
    ends: Vec<u32>,
    /// For every line, how many moves the longest play from there takes.
    lengths: Vec<u32>,
    at: usize,
}

/// What a solution says of the state at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says<M> {
    /// The prover plays this move.
    Plays(M),
    /// Every reply is answered.
    Replies,
    /// Nothing more: the state is final, or static knowledge says that it is as good as that.
    Over,
    /// The state came up before, and endless play is good enough.
    Repeats,
}

impl<M: Copy + PartialEq> Follower<M> {
    /// At the state that the solution is about.
    pub fn new(solution: WeakSolution<M>) -> Follower<M> {
        let (ends, lengths) = solution.blocks();
        let mut follower = Follower { solution, ends, lengths, at: 0 };
        follower.go_to(0);
        follower
    }

    /// Whose solution it is.
    pub fn prover(&self) -> Side {
        self.solution.prover
    }

    /// The solution.
    pub fn solution(&self) -> &WeakSolution<M> {
        &self.solution
    }

    /// What the solution says here.
    pub fn says(&self) -> Says<M> {
        match self.solution.lines[self.at] {
            Line::Plays(m) => Says::Plays(m),
            Line::Replies(_) => Says::Replies,
            Line::Over => Says::Over,
            Line::Repeats | Line::Same(_) => Says::Repeats,
        }
    }

    /// Which of the replies resists longest against this solution, and of those the one that
    /// takes the most lines to answer.
    pub fn longest_reply(&self) -> usize {
        let Line::Replies(n) = self.solution.lines[self.at] else { return 0 };
        let mut next = self.at + 1;
        let (mut longest, mut hardest) = (None, 0);
        for i in 0..n as usize {
            let resists = (self.lengths[next], self.ends[next] - next as u32);
            if longest.is_none_or(|longest| resists > longest) {
                (longest, hardest) = (Some(resists), i);
            }
            next = self.ends[next] as usize;
        }
        hardest
    }

    /// Goes along with a move, the one of this number among `moves`, which are all that the rules
    /// allow. False if the solution says nothing of the state behind it.
    pub fn follow(&mut self, moves: &[M], number: usize) -> bool {
        match self.solution.lines[self.at] {
            Line::Plays(m) if m == moves[number] => self.go_to(self.at + 1),
            Line::Replies(n) if n as usize == moves.len() => {
                let first = self.at + 1;
                let block = (0..number).fold(first, |at, _| self.ends[at] as usize);
                self.go_to(block);
            }
            _ => return false,
        }
        true
    }

    fn go_to(&mut self, at: usize) {
        self.at = match self.solution.lines[at] {
            Line::Same(earlier) => earlier as usize,
            _ => at,
        };
    }
}

impl<M> WeakSolution<M> {
    /// For every line the index behind its block.
    pub(crate) fn ends(&self) -> Vec<u32> {
        self.blocks().0
    }

    /// For every line the index behind its block, and how many moves the longest play from there
    /// takes. A play that comes round again is not counted on.
    fn blocks(&self) -> (Vec<u32>, Vec<u32>) {
        let count = self.lines.len();
        let (mut ends, mut lengths) = (vec![0; count], vec![0; count]);
        // The blocks that are open: where each begins and how many blocks it waits for.
        let mut open: Vec<(usize, u32)> = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            match line {
                Line::Plays(_) => open.push((at, 1)),
                Line::Replies(n) if *n > 0 => open.push((at, *n)),
                Line::Same(earlier) => lengths[at] = lengths[*earlier as usize],
                Line::Replies(_) | Line::Over | Line::Repeats => {}
            }
            ends[at] = at as u32 + 1;
            if matches!(open.last(), Some(&(last, _)) if last == at) {
                continue;
            }
            let mut complete = at;
            while let Some((above, waits)) = open.last_mut() {
                lengths[*above] = lengths[*above].max(lengths[complete] + 1);
                *waits -= 1;
                if *waits > 0 {
                    break;
                }
                ends[*above] = at as u32 + 1;
                complete = *above;
                open.pop();
            }
        }
        (ends, lengths)
    }
}

impl<M: Copy + PartialEq> WeakSolution<M> {
    /// A play out of the solution: the prover's moves, and against them the replies, and the moves
    /// of chance, that resist longest.
    pub fn line<G: Game<Move = M>>(self, game: &G, start: &G::State) -> Vec<M> {
        let mut follower = Follower::new(self);
        let mut s = start.clone();
        let mut visited = std::collections::HashSet::new();
        let mut play = Vec::new();
        let mut moves = Vec::new();
        // A play that comes round again need not be shown twice.
        while let Some(agent) = game.turn(&s).mover()
            && visited.insert(s.clone())
        {
            moves.clear();
            game.moves(&s, agent, &mut moves);
            let number = match follower.says() {
                Says::Plays(m) => moves.iter().position(|&other| other == m),
                Says::Replies => Some(follower.longest_reply()),
                Says::Over | Says::Repeats => None,
            };
            let Some(number) = number else { break };
            if !follower.follow(&moves, number) {
                break;
            }
            game.play(&mut s, agent, moves[number]);
            play.push(moves[number]);
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
        let (ends, lengths) = solution.blocks();
        assert_eq!(ends, single);
        // The line that is the same as an earlier one takes as many moves as that.
        assert_eq!(lengths, [4, 3, 2, 0, 1, 0, 3, 1, 0]);
    }
}
