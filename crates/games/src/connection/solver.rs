//! Decides positions by connections, must-play regions and a search.
//!
//! After R. Hayward and others, *Solving 7x7 Hex with domination, fill-in, and virtual connections*
//! (2005), and B. Arneson, R. Hayward and P. Henderson, *Solving Hex: beyond humans* (2010): who is to
//! move has lost if the opponent is strongly connected, has won if it is weakly connected itself, and
//! otherwise only the cells are worth a move that all weak connections of the opponent need. What is
//! left is searched by proof numbers with thresholds (A. Nagai, 2002), the moves with the most current
//! (`current.rs`) first. Ours: each proof has a carrier,
//! too, so a move that was refuted is one more weak connection of the opponent, and the must-play
//! region shrinks to what that one needs.

use foregone_model::Effort;
use rustc_hash::FxHashMap;

use super::current::Currents;
use super::inferior::{dominated, fill};
use super::links::{Goal, Links};
use super::{Board, Stones};
use crate::board::Word;

/// What connections say of a position, for who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<W> {
    /// It wins.
    Won,
    /// It loses.
    Lost,
    /// Every other move than these loses.
    Open(W),
}

/// Infinitely many.
const ENDLESS: u32 = 1_000_000_000;
/// The table is emptied when it holds so many positions.
const MOST_HELD: usize = 1 << 21;

/// A position with all fill-in, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key<W> {
    pub(super) stones: Stones<W>,
    pub(super) mover: u8,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<W> {
    /// Proof numbers for the mover to win, and to lose.
    pub(super) win: u32,
    pub(super) loss: u32,
    /// The cells that the winner's proof needs.
    pub(super) carrier: W,
    /// The moves that no weak connection of the opponent refutes, so far.
    pub(super) must: W,
    /// Where [`Solver::orders`] holds those moves, the most promising first, and how many they were.
    order: (u32, u8),
}

impl<W: Word> Entry<W> {
    fn won(carrier: W) -> Entry<W> {
        Entry { win: 0, loss: ENDLESS, carrier, must: W::ZERO, order: (0, 0) }
    }

    fn lost(carrier: W) -> Entry<W> {
        Entry { win: ENDLESS, loss: 0, carrier, must: W::ZERO, order: (0, 0) }
    }

    pub(super) fn is_won(&self) -> bool {
        self.win == 0
    }

    pub(super) fn is_lost(&self) -> bool {
        self.loss == 0
    }
}

/// Somebody wants the search to end.
struct Stopped;

/// A position after a move.
#[derive(Clone, Copy)]
struct Child<W> {
    key: Key<W>,
    /// What each side got by capturing.
    captured: [W; 2],
}

/// The numbers of the moves that are looked at together.
struct Survey<W> {
    /// The child with the least number of losing, that number, and the second one.
    best: Key<W>,
    least: u32,
    second: u32,
    /// The greatest number of winning, and how many children there are beside that one. Moves are played
    /// in any order, so a sum would count most positions many times (T. Ueda and others, 2008).
    most: u32,
    others: u32,
}

impl<W: Word> Survey<W> {
    fn new(key: Key<W>, win: u32, loss: u32) -> Survey<W> {
        Survey { best: key, least: loss, second: ENDLESS, most: win, others: 0 }
    }

    fn add(&mut self, key: Key<W>, win: u32, loss: u32) {
        self.most = self.most.max(win);
        self.others += 1;
        if loss < self.least {
            (self.best, self.second, self.least) = (key, self.least, loss);
        } else {
            self.second = self.second.min(loss);
        }
    }
}

/// Decides positions of one board, and remembers them.
#[derive(Debug)]
pub struct Solver<W> {
    pub(super) board: Board<W>,
    pub(super) links: Links<W>,
    table: FxHashMap<Key<W>, Entry<W>>,
    /// The moves of positions of the table.
    orders: Vec<u8>,
    currents: Currents,
    /// How many positions were looked at: so far, and before this solve.
    looked: u64,
    before: u64,
}

impl<W: Word> Solver<W> {
    /// A solver for a board.
    pub fn new(board: Board<W>) -> Solver<W> {
        let links = Links::new(&board);
        Solver {
            board,
            links,
            table: FxHashMap::default(),
            orders: Vec::new(),
            currents: Currents::default(),
            looked: 0,
            before: 0,
        }
    }

    /// What this solve has used so far.
    pub fn effort(&self) -> Effort {
        let entry = size_of::<(Key<W>, Entry<W>)>() as u64 + 1;
        Effort {
            positions: self.looked - self.before,
            bytes: self.table.capacity() as u64 * entry * 8 / 7 + self.orders.capacity() as u64,
        }
    }

    /// What connections alone say, or what was found out before.
    ///
    /// A move into a pair that the opponent captured is answered in the pair, and then nothing has changed:
    /// it is no better than others, but it does not lose at once.
    pub fn verdict(&mut self, stones: [W; 2], mover: usize) -> Verdict<W> {
        let (key, captured) = self.filled(Stones { of: stones, dead: W::ZERO }, mover);
        let entry = self.entry(key);
        match (entry.is_won(), entry.is_lost()) {
            (true, _) => Verdict::Won,
            (_, true) => Verdict::Lost,
            _ => {
                let must = self.must_play(&entry);
                // Nothing is left out where no connection of the opponent says why.
                let all = must == key.stones.empty(&self.board);
                let free = self.board.full & !(stones[0] | stones[1]);
                Verdict::Open(if all { free } else { must | captured[1 - mover] })
            }
        }
    }

    /// The must-play region by connections alone. A search makes it smaller, by refutations that no
    /// connection shows.
    fn must_play(&self, entry: &Entry<W>) -> W {
        let (first, count) = (entry.order.0 as usize, usize::from(entry.order.1));
        let cells = self.orders[first..first + count].iter();
        cells.fold(W::ZERO, |set, &cell| set | W::bit(u32::from(cell)))
    }

    /// Searches until it is known whether the mover wins, as long as `goes_on` says so, which hears
    /// what was used. A move that wins, if there is one.
    pub fn solve(
        &mut self,
        stones: [W; 2],
        mover: usize,
        goes_on: &mut dyn FnMut(Effort) -> bool,
    ) -> Option<Option<u32>> {
        if self.table.len() >= MOST_HELD {
            self.table = FxHashMap::default();
            self.orders = Vec::new();
        }
        self.before = self.looked;
        let (key, _) = self.filled(Stones { of: stones, dead: W::ZERO }, mover);
        let entry = self.decide(key, goes_on)?;
        if entry.is_lost() {
            return goes_on(self.effort()).then_some(None);
        }
        let (strong, weak) = self.goals(&key.stones, mover);
        // Where it is connected strongly any cell will do, one that it needs first. Captured cells are
        // empty on the board, too.
        let free = self.board.full & !(stones[0] | stones[1]);
        let linked = strong.first().map(|goal| goal.carrier.cells().chain(free.cells()).next());
        let best = match (weak.first(), linked) {
            (Some(goal), _) => Some(self.links.key_of(goal)),
            (None, Some(cell)) => cell,
            (None, None) => Some(self.winning_move(key, !W::ZERO, goes_on)?),
        };
        goes_on(self.effort()).then_some(best)
    }

    /// The same for a position with fill-in: what is known of it when it is decided.
    pub(super) fn decide(
        &mut self,
        key: Key<W>,
        goes_on: &mut dyn FnMut(Effort) -> bool,
    ) -> Option<Entry<W>> {
        self.search(key, ENDLESS, ENDLESS, goes_on).ok()
    }

    /// A move that wins a position which a search has won, and whose proof needs no cells but those that
    /// are allowed.
    pub(super) fn winning_move(
        &mut self,
        key: Key<W>,
        allowed: W,
        goes_on: &mut dyn FnMut(Effort) -> bool,
    ) -> Option<u32> {
        let empty = key.stones.empty(&self.board);
        let order: Vec<u32> = self.board.order.iter().map(|&cell| u32::from(cell)).collect();
        let moves: Vec<u32> = order.into_iter().filter(|&cell| empty.has(cell)).collect();
        // What is remembered first.
        for again in [false, true] {
            for &cell in &moves {
                let child = self.child(&key, cell);
                let known = match (self.table.get(&child.key), again) {
                    (Some(&known), _) => known,
                    (None, false) => continue,
                    (None, true) => self.decide(child.key, goes_on)?,
                };
                let captured = child.captured[usize::from(key.mover)];
                let needed = known.carrier | captured | W::bit(cell);
                if known.is_lost() && (needed & !allowed).is_empty() {
                    return Some(cell);
                }
            }
        }
        None
    }

    /// The position after a move, with fill-in.
    fn child(&self, key: &Key<W>, cell: u32) -> Child<W> {
        let mover = usize::from(key.mover);
        let mut stones = key.stones;
        stones.of[mover] = stones.of[mover] | W::bit(cell);
        let (next, captured) = self.filled(stones, 1 - mover);
        Child { key: next, captured }
    }

    /// A position with fill-in, and what each side got by it.
    pub(super) fn filled(&self, stones: Stones<W>, mover: usize) -> (Key<W>, [W; 2]) {
        let mut all = stones;
        fill(&self.board, &mut all, |_, _| {});
        let captured = [0, 1].map(|side| all.of[side] & !stones.of[side]);
        (Key { stones: all, mover: mover as u8 }, captured)
    }

    /// The strong and the weak connections of a side, each with the fewest cells first.
    pub(super) fn goals(
        &mut self,
        stones: &Stones<W>,
        side: usize,
    ) -> (Vec<Goal<W>>, Vec<Goal<W>>) {
        self.links.find(&self.board, stones.of[side], stones.closed_to(side), side);
        self.links.goals()
    }

    /// What the table holds of a position, or what connections say.
    fn entry(&mut self, key: Key<W>) -> Entry<W> {
        if let Some(entry) = self.table.get(&key) {
            return *entry;
        }
        let entry = self.look(&key);
        self.table.insert(key, entry);
        entry
    }

    fn look(&mut self, key: &Key<W>) -> Entry<W> {
        self.looked += 1;
        let mover = usize::from(key.mover);
        let (strong, weak) = self.goals(&key.stones, 1 - mover);
        if let Some(goal) = strong.first() {
            return Entry::lost(goal.carrier);
        }
        let empty = key.stones.empty(&self.board);
        let must = weak.iter().fold(empty, |w, goal| w & goal.carrier);
        // Captured cells may leave no empty one: then it is the mover who is connected.
        if must.is_empty() && !weak.is_empty() {
            let carriers: Vec<W> = weak.iter().map(|goal| goal.carrier).collect();
            let needed = enough(&carriers);
            return Entry::lost(needed.iter().fold(W::ZERO, |w, &i| w | carriers[i]));
        }
        let mut weights = [0.0; 128];
        self.currents.add(&self.board, &self.links, &mut weights);
        let (strong, weak) = self.goals(&key.stones, mover);
        if let Some(goal) = strong.iter().chain(&weak).min_by_key(|goal| goal.carrier.count()) {
            return Entry::won(goal.carrier);
        }
        self.currents.add(&self.board, &self.links, &mut weights);
        let order = self.in_order(key, must, weights);
        let loss = considered(must.count());
        Entry { win: 1, loss, carrier: W::ZERO, must, order }
    }

    /// Puts the moves of a position in order, and keeps them.
    fn in_order(&mut self, key: &Key<W>, must: W, weights: [f64; 128]) -> (u32, u8) {
        let pointless = dominated(&self.board, &key.stones, must, usize::from(key.mover));
        let first = self.orders.len();
        let moves = self.board.order.iter().filter(|&&cell| must.has(u32::from(cell)));
        self.orders.extend(moves);
        let rank = |cell: &u8| pointless.has(u32::from(*cell));
        let weight = |cell: &u8| weights[usize::from(*cell)];
        self.orders[first..]
            .sort_by(|a, b| rank(a).cmp(&rank(b)).then(weight(b).total_cmp(&weight(a))));
        (first as u32, (self.orders.len() - first) as u8)
    }

    /// Proof number search with thresholds: works at a position until one of its numbers reaches its
    /// threshold, or it is decided.
    fn search(
        &mut self,
        key: Key<W>,
        win: u32,
        loss: u32,
        goes_on: &mut dyn FnMut(Effort) -> bool,
    ) -> Result<Entry<W>, Stopped> {
        let mut entry = self.entry(key);
        if entry.is_won() || entry.is_lost() {
            return Ok(entry);
        }
        let mut children: Vec<Option<Child<W>>> = vec![None; usize::from(entry.order.1)];
        loop {
            let survey = match self.survey(&key, &mut entry, &mut children) {
                Ok(survey) => survey,
                Err(decided) => {
                    self.table.insert(key, decided);
                    return Ok(decided);
                }
            };
            (entry.win, entry.loss) = (survey.least, survey.most + survey.others);
            self.table.insert(key, entry);
            if entry.win >= win || entry.loss >= loss {
                return Ok(entry);
            }
            // A look takes milliseconds on large boards, so each one is asked about.
            if !goes_on(self.effort()) {
                return Err(Stopped);
            }
            // Down, with thresholds that end it when another child becomes better; a little later, which
            // saves coming back.
            let second = survey.second;
            let child_loss = win.min(second.saturating_add(second / 4).saturating_add(1));
            self.search(survey.best, loss - survey.others, child_loss, goes_on)?;
        }
    }

    /// What is known of the moves that are worth a look now. Those that are refuted shrink the must-play
    /// region. The entry of the position if that decides it.
    fn survey(
        &mut self,
        key: &Key<W>,
        entry: &mut Entry<W>,
        children: &mut [Option<Child<W>>],
    ) -> Result<Survey<W>, Entry<W>> {
        let first = entry.order.0 as usize;
        'again: loop {
            let mut survey = None::<Survey<W>>;
            let mut left = considered(entry.must.count());
            for (i, child) in children.iter_mut().enumerate() {
                let cell = u32::from(self.orders[first + i]);
                if left == 0 {
                    break;
                }
                if !entry.must.has(cell) {
                    continue;
                }
                left -= 1;
                let child = child.get_or_insert_with(|| self.child(key, cell));
                let (win, loss) = match self.table.get(&child.key) {
                    Some(known) if known.is_lost() => {
                        let captured = child.captured[usize::from(key.mover)];
                        return Err(Entry::won(known.carrier | captured | W::bit(cell)));
                    }
                    Some(known) if known.is_won() => {
                        let captured = child.captured[usize::from(child.key.mover)];
                        entry.must = entry.must & (known.carrier | captured) & !W::bit(cell);
                        continue 'again;
                    }
                    Some(known) => (known.win, known.loss),
                    None => (1, 1),
                };
                match &mut survey {
                    Some(survey) => survey.add(child.key, win, loss),
                    None => survey = Some(Survey::new(child.key, win, loss)),
                }
            }
            return survey.ok_or_else(|| Entry::lost(self.carrier_of_loss(key)));
        }
    }

    /// The cells that the proof of a loss needs: those of weak connections of the opponent, found by
    /// links or by refutations, that have no cell in common.
    fn carrier_of_loss(&mut self, key: &Key<W>) -> W {
        let reasons = self.reasons_of_loss(key);
        let carriers: Vec<W> = reasons.iter().map(|reason| reason.carrier()).collect();
        enough(&carriers).iter().fold(W::ZERO, |w, &i| w | carriers[i])
    }

    /// The weak connections of the opponent of who is to move, as far as they are known.
    pub(super) fn reasons_of_loss(&mut self, key: &Key<W>) -> Vec<Reason<W>> {
        let opponent = usize::from(1 - key.mover);
        let (_, weak) = self.goals(&key.stones, opponent);
        let mut reasons: Vec<Reason<W>> = weak.into_iter().map(Reason::Linked).collect();
        for cell in key.stones.empty(&self.board).cells() {
            let child = self.child(key, cell);
            if let Some(known) = self.table.get(&child.key)
                && known.is_won()
            {
                reasons.push(Reason::Refuted(cell, known.carrier | child.captured[opponent]));
            }
        }
        reasons
    }
}

/// How many of the moves of a must-play region are looked at together, the most promising ones: others
/// come in when those are refuted (P. Henderson, 2010).
fn considered(moves: u32) -> u32 {
    moves.min(1 + moves.div_ceil(4))
}

/// A weak connection of the side that has won: why some moves of the other side lose.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reason<W> {
    /// By links.
    Linked(Goal<W>),
    /// This move was answered within these cells.
    Refuted(u32, W),
}

impl<W: Word> Reason<W> {
    pub(super) fn carrier(&self) -> W {
        match self {
            Reason::Linked(goal) => goal.carrier,
            Reason::Refuted(_, carrier) => *carrier,
        }
    }
}

/// Which of these sets have as few cells in common as all of them together: few sets, with few cells.
pub(super) fn enough<W: Word>(sets: &[W]) -> Vec<usize> {
    let all = sets.iter().fold(!W::ZERO, |w, &set| w & set);
    let (mut common, mut union) = (!W::ZERO, W::ZERO);
    let mut chosen = Vec::new();
    while common != all {
        let cost = |i: &usize| ((common & sets[*i]).count(), (union | sets[*i]).count());
        let Some(best) = (0..sets.len()).min_by_key(cost) else { break };
        common = common & sets[best];
        union = union | sets[best];
        chosen.push(best);
    }
    chosen
}
