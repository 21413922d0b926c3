//! Evaluation of a network for many states at once, one in each bit of a word: a *lane*. What a
//! gate costs is the same for one state and for as many as a word has bits (bit slicing, Biham
//! 1997), and the gates are evaluated without a branch.

use foregone_model::Rng;

use super::network::{Network, Op, Signal, Slice};
use crate::machine::Tally;

/// The values of all slots, `W` words of 64 lanes each.
pub(crate) type Values<const W: usize> = Vec<[u64; W]>;

#[inline(always)]
fn value<const W: usize>(values: &[[u64; W]], op: &Op) -> [u64; W] {
    let (a, b) = (op.a.read(values), op.b.read(values));
    let mut out = a;
    for n in 0..W {
        out[n] &= b[n];
    }
    out
}

/// Evaluates a slice.
pub(crate) fn evaluate<const W: usize>(slice: &Slice, values: &mut [[u64; W]]) {
    for &slot in &slice.cleared {
        values[slot as usize] = [0; W];
    }
    for segment in &slice.segments {
        let ops = &slice.ops[segment.from..segment.to];
        if !segment.is_loop {
            for op in ops {
                values[(op.to >> 1) as usize] = value(values, op);
            }
            continue;
        }
        loop {
            let mut changed = 0;
            for op in ops {
                let new = value(values, op);
                let slot = &mut values[(op.to >> 1) as usize];
                if op.to & 1 == 1 {
                    (0..W).for_each(|n| changed |= new[n] ^ slot[n]);
                }
                *slot = new;
            }
            if changed == 0 {
                break;
            }
        }
    }
}

/// The slices that a machine runs.
#[derive(Debug)]
pub(crate) struct Slices {
    /// Whether the game is over, and the legal moves.
    pub(crate) view: Slice,
    /// The goals, after `view`.
    pub(crate) goals: Slice,
    /// The next state, after `view`.
    pub(crate) next: Slice,
    /// The next state alone.
    pub(crate) only_next: Slice,
    /// The legal moves of each role alone.
    pub(crate) legal: Vec<Slice>,
}

impl Slices {
    pub(crate) fn new(network: &Network) -> Slices {
        let mut outputs: Vec<Signal> = network.legal.iter().flatten().copied().collect();
        outputs.push(network.terminal);
        let (view, viewed) = network.slice(&outputs, &[]);
        let goals: Vec<Signal> = network.goals.iter().flatten().map(|g| g.1).collect();
        let (goals, _) = network.slice(&goals, &viewed);
        let (next, _) = network.slice(&network.next, &viewed);
        let (only_next, _) = network.slice(&network.next, &[]);
        let legal = network.legal.iter().map(|l| network.slice(l, &[]).0).collect();
        Slices { view, goals, next, only_next, legal }
    }
}

/// Exchanges rows and columns of a square of bits (Warren, *Hacker's Delight*, section 7-3).
fn transpose(square: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, 0x0000_0000_ffff_ffffu64);
    while width > 0 {
        let mut row = 0;
        while row < 64 {
            let swap = ((square[row] >> width) ^ square[row + width]) & mask;
            square[row] ^= swap << width;
            square[row + width] ^= swap;
            row = (row + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

/// Signals by lanes: for each lane a set of the signals that are true in it.
#[derive(Debug, Default)]
pub(crate) struct ByLane {
    blocks: usize,
    /// `blocks` words for each lane.
    words: Vec<u64>,
}

impl ByLane {
    /// Takes the values of these signals.
    pub(crate) fn take<const W: usize>(&mut self, values: &[[u64; W]], signals: &[Signal]) {
        self.blocks = signals.len().div_ceil(64);
        self.words.clear();
        self.words.resize(self.blocks * 64 * W, 0);
        for (block, signals) in signals.chunks(64).enumerate() {
            let mut squares = [[0; 64]; W];
            let mut any = [0; W];
            for (row, signal) in signals.iter().enumerate() {
                for (word, bits) in signal.read(values).into_iter().enumerate() {
                    squares[word][row] = bits;
                    any[word] |= bits;
                }
            }
            for (word, mut square) in squares.into_iter().enumerate() {
                if any[word] == 0 {
                    continue;
                }
                transpose(&mut square);
                for (lane, &bits) in square.iter().enumerate() {
                    self.words[(word * 64 + lane) * self.blocks + block] = bits;
                }
            }
        }
    }

    /// The signals of a lane, as bits.
    pub(crate) fn lane(&self, lane: usize) -> &[u64] {
        &self.words[lane * self.blocks..(lane + 1) * self.blocks]
    }
}

/// The place of the `n`th bit of a set, from 0.
fn nth_bit(words: &[u64], mut n: u32) -> usize {
    for (place, &word) in words.iter().enumerate() {
        let count = word.count_ones();
        if n < count {
            let mut rest = word;
            for _ in 0..n {
                rest &= rest - 1;
            }
            return place * 64 + rest.trailing_zeros() as usize;
        }
        n -= count;
    }
    0
}

/// Random plays in all lanes at once.
#[derive(Debug)]
pub(crate) struct Playouts<const W: usize> {
    values: Values<W>,
    next: Vec<[u64; W]>,
    by_lane: ByLane,
    /// The move inputs that are set, by word.
    set: Vec<usize>,
}

impl<const W: usize> Playouts<W> {
    pub(crate) fn new(network: &Network) -> Playouts<W> {
        let values = vec![[0; W]; network.slots()];
        Playouts { values, next: Vec::new(), by_lane: ByLane::default(), set: Vec::new() }
    }

    /// `count` random plays from a state, each of at most `longest` moves.
    pub(crate) fn run(
        &mut self,
        network: &Network,
        slices: &Slices,
        start: &[u64],
        count: u64,
        longest: u32,
        rng: &mut Rng,
    ) -> Tally {
        let lanes = 64 * W;
        let roles = network.moves.len();
        let mut tally = Tally { goals: vec![0.0; roles], ..Tally::default() };
        let mut begun = vec![0u32; lanes];
        let mut left = count;
        // Lanes in which a play goes on, and those whose play is over and not counted yet.
        let (mut active, mut over) = ([0u64; W], [0u64; W]);
        let mut lost = [0u64; W];
        self.refill(network, start, &[!0; W], &mut active, &mut begun, 0, &mut left);
        let mut step = 0;
        loop {
            evaluate(&slices.view, &mut self.values);
            let terminal = network.terminal.read(&self.values);
            for n in 0..W {
                tally.states += u64::from(active[n].count_ones());
                over[n] |= terminal[n] & active[n];
                active[n] &= !terminal[n];
            }
            // Plays that take too long.
            for (lane, &begin) in begun.iter().enumerate() {
                let bit = 1u64 << (lane % 64);
                if step - begin >= longest && active[lane / 64] & bit != 0 {
                    lost[lane / 64] |= bit;
                }
            }
            self.choose(network, &active, &mut lost, rng);
            for n in 0..W {
                active[n] &= !lost[n];
            }
            let ended: u32 = (0..W).map(|n| (over[n] | lost[n]).count_ones()).sum();
            let going: u32 = active.iter().map(|a| a.count_ones()).sum();
            let full = ended as usize >= lanes / 8 || going == 0;
            if full {
                self.count(network, slices, &over, &mut tally);
                tally.lost += lost.iter().map(|l| u64::from(l.count_ones())).sum::<u64>();
            }
            if going > 0 {
                evaluate(&slices.next, &mut self.values);
                self.next.clear();
                self.next.extend(network.next.iter().map(|s| s.read(&self.values)));
                // A play that is over stays where it is until it is counted.
                for (slot, next) in self.values[1..].iter_mut().zip(&self.next) {
                    for n in 0..W {
                        slot[n] = (next[n] & active[n]) | (slot[n] & !active[n]);
                    }
                }
            }
            for slot in self.set.drain(..) {
                self.values[slot] = [0; W];
            }
            step += 1;
            if full {
                let mut free = [0; W];
                (0..W).for_each(|n| free[n] = !active[n]);
                (over, lost) = ([0; W], [0; W]);
                self.refill(network, start, &free, &mut active, &mut begun, step, &mut left);
                if active == [0; W] {
                    return tally;
                }
            }
        }
    }

    /// Begins new plays in free lanes, as many as are left.
    #[allow(clippy::too_many_arguments, reason = "the state of a run, used once")]
    fn refill(
        &mut self,
        network: &Network,
        start: &[u64],
        free: &[u64; W],
        active: &mut [u64; W],
        begun: &mut [u32],
        step: u32,
        left: &mut u64,
    ) {
        let mut taken = [0u64; W];
        for (lane, begin) in begun.iter_mut().enumerate() {
            if *left > 0 && free[lane / 64] >> (lane % 64) & 1 == 1 {
                taken[lane / 64] |= 1 << (lane % 64);
                *begin = step;
                *left -= 1;
            }
        }
        for fact in 0..network.facts.len() {
            let holds = start[fact / 64] >> (fact % 64) & 1 == 1;
            let slot = &mut self.values[1 + fact];
            for n in 0..W {
                slot[n] = if holds { slot[n] | taken[n] } else { slot[n] & !taken[n] };
            }
        }
        (0..W).for_each(|n| active[n] |= taken[n]);
    }

    /// A move for every role in every lane whose play goes on; a lane is lost where a role has
    /// none.
    fn choose(&mut self, network: &Network, active: &[u64; W], lost: &mut [u64; W], rng: &mut Rng) {
        for (moves, legal) in network.moves.iter().zip(&network.legal) {
            self.by_lane.take(&self.values, legal);
            for (word, &bits) in active.iter().enumerate() {
                let mut rest = bits & !lost[word];
                while rest != 0 {
                    let lane = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    let set = self.by_lane.lane(word * 64 + lane);
                    let count: u32 = set.iter().map(|w| w.count_ones()).sum();
                    let pick = match count {
                        0 => {
                            lost[word] |= 1 << lane;
                            continue;
                        }
                        1 => 0,
                        _ => rng.below(count),
                    };
                    let slot = moves[nth_bit(set, pick)].1;
                    if self.values[slot] == [0; W] {
                        self.set.push(slot);
                    }
                    self.values[slot][word] |= 1 << lane;
                }
            }
        }
    }

    /// Counts the goals of plays that are over.
    fn count(&mut self, network: &Network, slices: &Slices, over: &[u64; W], tally: &mut Tally) {
        if *over == [0; W] {
            return;
        }
        evaluate(&slices.goals, &mut self.values);
        // A goal counts where it is the only one of its role.
        let mut right = *over;
        let roles = network.goals.iter().enumerate();
        let players = roles.filter(|(role, _)| network.chance != Some(*role));
        for (_, goals) in players.clone() {
            let (mut once, mut twice) = ([0u64; W], [0u64; W]);
            for (goal, signal) in goals {
                let holds = signal.read(&self.values);
                for n in 0..W {
                    twice[n] |= holds[n] & once[n];
                    once[n] |= holds[n];
                    if goal.is_none() {
                        twice[n] |= holds[n];
                    }
                }
            }
            (0..W).for_each(|n| right[n] &= once[n] & !twice[n]);
        }
        let plays: u64 = right.iter().map(|w| u64::from(w.count_ones())).sum();
        tally.plays += plays;
        tally.lost += over.iter().map(|w| u64::from(w.count_ones())).sum::<u64>() - plays;
        for (role, goals) in players {
            for (goal, signal) in goals {
                let Some(goal) = goal else { continue };
                let holds = signal.read(&self.values);
                let count: u32 = (0..W).map(|n| (holds[n] & right[n]).count_ones()).sum();
                tally.goals[role] += f64::from(*goal) * f64::from(count);
            }
        }
    }
}
