//! The text of claims with covered moves. Blocks that nobody needs any more are left out, and what
//! they were the first to prove is proved where it comes up next.

use std::fmt::Write as _;

use foregone_proof::{Agent, Claim, Notation};

use crate::cover::Covers;
use crate::guide::Guide;
use crate::solution::{Line, WeakSolution};
use crate::write::{NONE, PIECE, Pieces, write_end};

/// The checker replays so many lines for each line that it has read, and these; half of that is plenty.
const REPLAYED: (u64, u64) = (1 << 11, 1 << 19);

/// A certificate with covered moves on its way.
pub(crate) struct Covered<'a, G: Guide + Notation> {
    pub(crate) game: &'a G,
    pub(crate) claim: Claim,
    pub(crate) solution: &'a WeakSolution<G::Move>,
    /// For each line the one that speaks of its state first, or [`NONE`].
    pub(crate) same: &'a [u32],
    pub(crate) covers: &'a Covers,
}

/// What is written next: a block, or the line about all other moves below this one.
#[derive(Clone, Copy)]
enum Next {
    Block(u32),
    Others(u32),
}

/// The labels of lines, 0 for those without, and whether their text is to be kept.
pub(crate) struct Labels {
    label: Vec<u32>,
    kept: Vec<bool>,
}

impl Labels {
    pub(crate) fn bytes(&self) -> usize {
        self.label.capacity() * size_of::<u32>() + self.kept.capacity()
    }
}

impl<G: Guide + Notation> Covered<'_, G> {
    /// How much finding out what is covered takes for each line of the solution.
    pub(crate) fn bytes_a_line(&self) -> usize {
        4 * size_of::<u32>() + 1 + size_of::<Option<G::Move>>()
    }

    fn line(&self, at: u32) -> Line<G::Move> {
        self.solution.lines[at as usize]
    }

    fn target(&self, at: u32) -> u32 {
        let same = self.same[at as usize];
        if same == NONE { at } else { same }
    }

    /// What follows a line, in the order of the text.
    fn below(&self, at: u32, out: &mut Vec<Next>) {
        match self.line(at) {
            Line::Plays(_) => out.push(Next::Block(at + 1)),
            Line::Replies(n) => {
                let (mut line, like) = (at + 1, self.covers.like[at as usize]);
                for _ in 0..n {
                    if line != like && !self.covers.covered[line as usize] {
                        out.push(Next::Block(line));
                    }
                    line = self.covers.ends[line as usize];
                }
                out.push(Next::Block(like));
                if self.covers.replayed.contains_key(&at) {
                    out.push(Next::Others(at));
                }
            }
            Line::Over | Line::Repeats | Line::Same(_) => {}
        }
    }

    /// Which lines need a label, and which texts are to be kept. Nothing if the checker would have to
    /// replay more than it does.
    pub(crate) fn labels(&self) -> Option<Labels> {
        let count = self.solution.lines.len();
        let (mut label, mut kept) = (vec![0u32; count], vec![false; count]);
        let (mut done, mut next) = (vec![false; count], Vec::new());
        let (mut labels, mut claims, mut replayed) = (0u32, 0u64, 0u64);
        let mut wanted = Vec::new();
        let mut name = |at: u32| {
            if label[at as usize] == 0 {
                labels += 1;
                label[at as usize] = labels;
            }
        };
        let mut todo = vec![Next::Block(0)];
        while let Some(item) = todo.pop() {
            claims += 1;
            match item {
                Next::Others(at) => {
                    let like = self.target(self.covers.like[at as usize]);
                    name(like);
                    wanted.push(like);
                    replayed += self.covers.replayed.get(&at).copied().unwrap_or_default();
                    if replayed > claims * REPLAYED.0 + REPLAYED.1 {
                        return None;
                    }
                }
                Next::Block(at) if self.line(at) == Line::Over => {}
                Next::Block(at) => {
                    let at = self.target(at);
                    if std::mem::replace(&mut done[at as usize], true) {
                        name(at);
                        continue;
                    }
                    next.clear();
                    self.below(at, &mut next);
                    todo.extend(next.iter().rev());
                }
            }
        }
        // What is replayed, and all that it refers to.
        while let Some(at) = wanted.pop() {
            if !std::mem::replace(&mut kept[at as usize], true) {
                next.clear();
                self.below(at, &mut next);
                wanted.extend(next.iter().filter_map(|item| match item {
                    Next::Block(line) => Some(self.target(*line)),
                    Next::Others(_) => None,
                }));
            }
        }
        Some(Labels { label, kept })
    }

    /// The text of the claims. Returns how many there are.
    pub(crate) fn emit(
        &self,
        start: &G::State,
        labels: &Labels,
        pieces: &mut Pieces<'_>,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Option<u64> {
        let mut claims = 0u64;
        let mut done = vec![false; self.solution.lines.len()];
        let mut next = Vec::new();
        let mut moves = Vec::new();
        // Each with its state, and the text of the move that leads there.
        let mut todo = vec![(Next::Block(0), start.clone(), String::new())];
        while let Some((item, mut s, by)) = todo.pop() {
            if !goes_on(claims as usize) {
                return None;
            }
            if pieces.text.len() >= PIECE {
                pieces.hand_on()?;
            }
            claims += 1;
            let text = &mut pieces.text;
            text.push_str(&by);
            let at = match item {
                Next::Others(at) => {
                    let like = self.target(self.covers.like[at as usize]);
                    let _ = writeln!(text, "*: as {}", labels.label[like as usize]);
                    continue;
                }
                Next::Block(at) => self.target(at),
            };
            let label = labels.label[at as usize];
            let over = self.line(at) == Line::Over;
            if !over && std::mem::replace(&mut done[at as usize], true) {
                let _ = writeln!(text, "= {label}");
                continue;
            }
            if label != 0 {
                let sign = if labels.kept[at as usize] { '@' } else { '#' };
                let _ = write!(text, "{sign}{label} ");
            }
            let agent = self.game.turn(&s).mover();
            match (self.line(at), agent) {
                (Line::Over, _) => write_end(self.game, &s, self.claim, text),
                (Line::Plays(m), Some(agent)) => {
                    text.push_str("! ");
                    self.game.write_move(&s, m, text);
                    text.push('\n');
                    self.game.play(&mut s, agent, m);
                    todo.push((Next::Block(at + 1), s, String::new()));
                }
                (Line::Replies(n), Some(agent)) => {
                    let _ = writeln!(text, "? {n}");
                    moves.clear();
                    self.game.moves(&s, agent, &mut moves);
                    next.clear();
                    self.below(at, &mut next);
                    for &item in next.iter().rev() {
                        todo.push(self.pending(item, at, &s, agent, &moves));
                    }
                }
                _ => {}
            }
        }
        Some(claims)
    }

    /// What is to be written below a line of replies, with its state and the text of its move.
    fn pending(
        &self,
        item: Next,
        at: u32,
        s: &G::State,
        agent: Agent,
        moves: &[G::Move],
    ) -> (Next, G::State, String) {
        let mut next = s.clone();
        let mut by = String::new();
        if let Next::Block(line) = item {
            let (mut number, mut block) = (0, at + 1);
            while block < line {
                (number, block) = (number + 1, self.covers.ends[block as usize]);
            }
            if let Some(&m) = moves.get(number) {
                self.game.write_move(s, m, &mut by);
                by.push_str(": ");
                self.game.play(&mut next, agent, m);
            }
        }
        (item, next, by)
    }
}
