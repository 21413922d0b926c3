//! Why a side connects, in words: what `foregone_proof::connection` verifies.
//!
//! A derivation lists captured pairs, links and blocks. A block `(CELL … )` is a move of the prover
//! and what follows from it, so a whole search becomes one derivation: the answer to a refuted move is
//! a block that does without that move's cell.

use std::collections::HashMap;

use foregone_model::Effort;

use super::Stones;
use super::inferior::fill;
use super::links::{Goal, Links, Origin};
use super::solver::{Key, Reason, Solver, enough};
use crate::board::Word;

/// No derivation becomes longer than so many bytes.
const LONGEST: usize = 4_000_000;

/// What the verifier has at this place: the prover's stones, fill-in included, and the opponent's.
#[derive(Clone, Copy)]
struct Context<W> {
    own: W,
    closed: W,
}

/// How cells are written.
pub type Name<'a> = dyn Fn(u32) -> String + 'a;

/// Writes a derivation.
struct Deriver<'a, W: Word> {
    solver: &'a mut Solver<W>,
    prover: usize,
    name: &'a Name<'a>,
    goes_on: &'a mut dyn FnMut(Effort) -> bool,
    out: &'a mut String,
}

impl<W: Word> Solver<W> {
    /// Appends the words that show that `prover` wins a position, if that is so and it can be shown:
    /// by a search if `prover` is not to move and connections alone do not say it.
    pub fn show_win(
        &mut self,
        stones: [W; 2],
        mover: usize,
        prover: usize,
        name: &Name<'_>,
        goes_on: &mut dyn FnMut(Effort) -> bool,
        out: &mut String,
    ) -> bool {
        let start = out.len();
        let mut deriver = Deriver { solver: self, prover, name, goes_on, out };
        let raw = Stones { of: stones, dead: W::ZERO };
        let context = Context { own: stones[prover], closed: stones[1 - prover] };
        let shown = match mover == prover {
            true => deriver.weak(context, raw),
            false => deriver.strong(context, raw, Vec::new(), !W::ZERO),
        };
        finish(out, start, shown.is_some())
    }

    /// Appends the words that show that every move outside the must-play region loses, by links alone.
    pub fn show_must_play(
        &mut self,
        stones: [W; 2],
        mover: usize,
        name: &Name<'_>,
        out: &mut String,
    ) -> bool {
        let start = out.len();
        let prover = 1 - mover;
        let goes_on = &mut |_| true;
        let mut deriver = Deriver { solver: self, prover, name, goes_on, out };
        let raw = Stones { of: stones, dead: W::ZERO };
        let context = Context { own: stones[prover], closed: stones[1 - prover] };
        let shown = deriver.must_play(context, raw);
        finish(out, start, shown.is_some())
    }
}

/// Takes back what was written in vain, and the blank at the end of what was not.
fn finish(out: &mut String, start: usize, shown: bool) -> bool {
    if !shown {
        out.truncate(start);
    }
    out.truncate(out.trim_end_matches(' ').len().max(start));
    shown
}

impl<W: Word> Deriver<'_, W> {
    /// Fill-in: what is given away beside captured pairs, then the pairs, those first that were captured
    /// before. The stones with it.
    fn fill_in(
        &mut self,
        context: &mut Context<W>,
        raw: Stones<W>,
        mut pairs: Vec<[u32; 2]>,
    ) -> Stones<W> {
        let mut stones = raw;
        let prover = self.prover;
        fill(&self.solver.board, &mut stones, |side, pair| {
            if side == prover {
                pairs.push(pair);
            }
        });
        self.pairs(context, &stones, &pairs);
        stones
    }

    /// What is given away beside captured pairs, then the pairs.
    fn pairs(&mut self, context: &mut Context<W>, stones: &Stones<W>, pairs: &[[u32; 2]]) {
        let captured = pairs.iter().flatten().fold(W::ZERO, |w, &cell| w | W::bit(cell));
        let closed = stones.closed_to(self.prover) & !context.closed;
        let away = closed & self.solver.board.around(captured);
        for cell in away.cells() {
            self.word(&format!("-{}", (self.name)(cell)));
        }
        for &[a, b] in pairs {
            self.word(&format!("{}&{}", (self.name)(a), (self.name)(b)));
        }
        context.own = context.own | captured;
        context.closed = context.closed | away;
    }

    fn word(&mut self, word: &str) {
        self.out.push_str(word);
        self.out.push(' ');
    }

    /// The prover is to move and wins.
    fn weak(&mut self, mut context: Context<W>, raw: Stones<W>) -> Option<()> {
        let stones = self.fill_in(&mut context, raw, Vec::new());
        let (strong, weak) = self.solver.goals(&stones, self.prover);
        let goal = strong.iter().chain(&weak).min_by_key(|goal| goal.carrier.count());
        if let Some(goal) = goal {
            Items::new().goal(&self.solver.links, goal, self.name, self.out);
            return Some(());
        }
        self.move_and_rest(context, stones, !W::ZERO)
    }

    /// The other side is to move, and some of its moves lose.
    fn must_play(&mut self, mut context: Context<W>, raw: Stones<W>) -> Option<()> {
        let stones = self.fill_in(&mut context, raw, Vec::new());
        let (strong, weak) = self.solver.goals(&stones, self.prover);
        let mut items = Items::new();
        if let Some(goal) = strong.first() {
            items.goal(&self.solver.links, goal, self.name, self.out);
            return Some(());
        }
        let carriers: Vec<W> = weak.iter().map(|goal| goal.carrier).collect();
        let mut chosen = enough(&carriers);
        if chosen.is_empty() {
            chosen.extend((!weak.is_empty()).then_some(0));
        }
        let numbers: Vec<usize> = chosen
            .iter()
            .map(|&i| items.goal(&self.solver.links, &weak[i], self.name, self.out))
            .collect();
        (!numbers.is_empty()).then(|| items.or(&numbers, self.out))
    }

    /// The other side is to move and has lost: the last item joins all borders, strongly, and needs no
    /// cells but those that are allowed.
    fn strong(
        &mut self,
        mut context: Context<W>,
        raw: Stones<W>,
        pairs: Vec<[u32; 2]>,
        allowed: W,
    ) -> Option<()> {
        if self.out.len() > LONGEST {
            return None;
        }
        let stones = self.fill_in(&mut context, raw, pairs);
        let key = Key { stones, mover: 1 - self.prover as u8 };
        let (strong, _) = self.solver.goals(&stones, self.prover);
        let mut items = Items::new();
        if let Some(goal) = strong.iter().find(|goal| within(goal.carrier, allowed)) {
            items.goal(&self.solver.links, goal, self.name, self.out);
            return Some(());
        }
        if !self.solver.decide(key, self.goes_on)?.is_lost() {
            return None;
        }
        let mut reasons = self.solver.reasons_of_loss(&key);
        reasons.retain(|reason| within(reason.carrier(), allowed));
        let carriers: Vec<W> = reasons.iter().map(Reason::carrier).collect();
        let common = carriers.iter().fold(stones.empty(&self.solver.board), |w, &c| w & c);
        if !common.is_empty() {
            return None;
        }
        let mut numbers = Vec::new();
        let chosen: Vec<Reason<W>> = enough(&carriers).iter().map(|&i| reasons[i]).collect();
        // Links first: they are those of the search for connections that was made last.
        for reason in &chosen {
            if let Reason::Linked(goal) = reason {
                numbers.push(items.goal(&self.solver.links, goal, self.name, self.out));
            }
        }
        for reason in &chosen {
            if let Reason::Refuted(cell, carrier) = *reason {
                self.refutation(context, stones, cell, carrier)?;
                numbers.push(items.block());
            }
        }
        items.or(&numbers, self.out);
        Some(())
    }

    /// A block: what the prover does where the other side plays `cell`.
    fn refutation(
        &mut self,
        context: Context<W>,
        stones: Stones<W>,
        cell: u32,
        allowed: W,
    ) -> Option<()> {
        let mut raw = stones;
        raw.of[1 - self.prover] = raw.of[1 - self.prover] | W::bit(cell);
        self.move_and_rest(context, raw, allowed)
    }

    /// A block: a move of the prover that wins, and why, with no cells but those that are allowed.
    fn move_and_rest(&mut self, context: Context<W>, raw: Stones<W>, allowed: W) -> Option<()> {
        let (mut stones, mut pairs) = (raw, Vec::new());
        fill(&self.solver.board, &mut stones, |side, pair| {
            if side == self.prover {
                pairs.push(pair);
            }
        });
        let (strong, weak) = self.solver.goals(&stones, self.prover);
        let goals = weak.iter().map(|goal| (self.solver.links.key_of(goal), goal));
        let goals = goals.chain(strong.iter().map(|goal| {
            let spare = goal.carrier | stones.empty(&self.solver.board);
            (goal.carrier.cells().chain(spare.cells()).next().unwrap_or(u32::MAX), goal)
        }));
        let fitting = goals.filter(|(cell, goal)| {
            *cell < W::BITS && within(goal.carrier | W::bit(*cell), allowed)
        });
        if let Some((cell, goal)) = fitting.min_by_key(|(_, goal)| goal.carrier.count()) {
            // The words that say why it is a weak connection say why it is a strong one after the move.
            let goal = *goal;
            self.word(&format!("({}", (self.name)(cell)));
            let mut inner = Context { own: context.own | W::bit(cell), ..context };
            self.pairs(&mut inner, &stones, &pairs);
            Items::new().goal(&self.solver.links, &goal, self.name, self.out);
            self.word(")");
            return Some(());
        }
        let key = Key { stones, mover: self.prover as u8 };
        if !self.solver.decide(key, self.goes_on)?.is_won() {
            return None;
        }
        // Where captured cells alone connect, one of them is a move.
        let cell = match strong.is_empty() {
            true => self.solver.winning_move(key, allowed, self.goes_on)?,
            false => pairs.first()?[0],
        };
        self.word(&format!("({}", (self.name)(cell)));
        pairs.retain(|pair| !pair.contains(&cell));
        let mut next = stones;
        next.of[self.prover] = next.of[self.prover] | W::bit(cell);
        let context = Context { own: context.own | W::bit(cell), ..context };
        self.strong(context, next, pairs, allowed)?;
        self.word(")");
        Some(())
    }
}

/// Whether all cells of a set are allowed.
fn within<W: Word>(set: W, allowed: W) -> bool {
    (set & !allowed).is_empty()
}

/// The items of one context, numbered as they are written.
struct Items {
    written: HashMap<u32, usize>,
    count: usize,
}

impl Items {
    fn new() -> Items {
        Items { written: HashMap::new(), count: 0 }
    }

    /// A block that was written.
    fn block(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    fn push(&mut self, word: &str, out: &mut String) -> usize {
        out.push_str(word);
        out.push(' ');
        self.block()
    }

    fn or(&mut self, numbers: &[usize], out: &mut String) {
        if let [only] = numbers {
            // The last item is the one that counts.
            if *only == self.count {
                return;
            }
        }
        let words: Vec<String> = numbers.iter().map(usize::to_string).collect();
        self.push(&words.join("|"), out);
    }

    /// A connection of all borders, with what it rests on. Its number.
    fn goal<W: Word>(
        &mut self,
        links: &Links<W>,
        goal: &Goal<W>,
        name: &Name<'_>,
        out: &mut String,
    ) -> usize {
        match goal.count {
            0 => self.push("@1-@2", out),
            1 => self.link(links, goal.parts[0], name, out),
            count => {
                let parts = goal.parts[..count].iter();
                let words: Vec<String> =
                    parts.map(|&part| self.operand(links, part, name, out)).collect();
                self.push(&words.join("+"), out)
            }
        }
    }

    /// A link as part of an item: its number, or its two ends if they touch.
    fn operand<W: Word>(
        &mut self,
        links: &Links<W>,
        id: u32,
        name: &Name<'_>,
        out: &mut String,
    ) -> String {
        let link = &links.all[id as usize];
        match link.origin {
            Origin::Touch => {
                let [a, b] = link.ends.map(|node| links.name_of(node, name));
                format!("{a}-{b}")
            }
            _ => self.link(links, id, name, out).to_string(),
        }
    }

    /// A link that is not one of ends that touch, as an item. Its number.
    fn link<W: Word>(
        &mut self,
        links: &Links<W>,
        id: u32,
        name: &Name<'_>,
        out: &mut String,
    ) -> usize {
        if let Some(&number) = self.written.get(&id) {
            return number;
        }
        let (parts, sign) = match links.all[id as usize].origin {
            Origin::Touch => (vec![id], ""),
            Origin::And(a, b) => (vec![a, b], "+"),
            Origin::Or(first, end) => (links.members[first as usize..end as usize].to_vec(), "|"),
        };
        let words: Vec<String> =
            parts.iter().map(|&part| self.operand(links, part, name, out)).collect();
        let number = self.push(&words.join(sign), out);
        self.written.insert(id, number);
        number
    }
}
