//! Distributions of symbols.

use super::{ESCAPE, SYMBOLS};

/// The slots of a row are two to this.
pub(super) const SLOT_BITS: u32 = 10;

/// How many slots a row has.
pub(super) const SLOTS: usize = 1 << SLOT_BITS;

/// Costs are in parts of a bit, so many.
const BIT: u32 = 256;

/// About what a symbol costs that is not the one its reference has.
pub(super) const UNLIKELY: u32 = 3 * BIT;

/// The slots of a symbol: the more there are, the fewer bits it takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Step {
    /// The first slot.
    pub(super) first: u16,
    /// How many there are.
    pub(super) slots: u16,
}

impl Step {
    /// How many bytes have a slot in common where all bytes are alike: none, all have several.
    const OF_BYTE: u16 = (SLOTS / SYMBOLS) as u16;

    /// A byte where all bytes have as many slots.
    pub(super) fn plain(byte: u8) -> Step {
        Step { first: u16::from(byte) * Step::OF_BYTE, slots: Step::OF_BYTE }
    }

    /// The byte of a slot, there.
    pub(super) fn plain_byte(slot: usize) -> u8 {
        (slot / usize::from(Step::OF_BYTE)) as u8
    }

    /// What the symbol costs.
    pub(super) fn cost(self) -> u32 {
        match self.slots {
            0 => 16 * BIT,
            slots => SLOT_BITS * BIT - log2(u32::from(slots)),
        }
    }
}

/// How many bits of a number behind its first one tell its logarithm.
const FRACTION: u32 = 8;

/// The logarithms of 1 to 2, in parts of a bit. By integers, so that they are the same on all machines.
const LOGARITHMS: [u8; 1 << FRACTION] = {
    let mut logarithms = [0; 1 << FRACTION];
    let mut at = 0;
    while at < logarithms.len() {
        // Squaring doubles the logarithm: each time it goes over 1, that is a bit of it.
        let mut number = ((1 << FRACTION) + at as u64) << (31 - FRACTION);
        let mut bits = 0;
        let mut bit = 0;
        while bit < 8 {
            number = (number * number) >> 31;
            bits <<= 1;
            if number >= 1 << 32 {
                number >>= 1;
                bits |= 1;
            }
            bit += 1;
        }
        logarithms[at] = bits;
        at += 1;
    }
    logarithms
};

/// The logarithm of a number, in parts of a bit.
pub(super) fn log2(number: u32) -> u32 {
    let whole = number.max(1).ilog2();
    let mantissa = (u64::from(number.max(1)) << FRACTION >> whole) as usize % LOGARITHMS.len();
    whole * BIT + u32::from(LOGARITHMS[mantissa])
}

/// Shares the slots out in proportion to counts. Rare symbols have none where that is better: they
/// are escaped, so with `escape` there are slots for that.
pub(super) fn shares(counts: &[u32; SYMBOLS], escape: bool) -> [u16; SYMBOLS] {
    let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    let total = total.max(1);
    let mut shares = [0; SYMBOLS];
    for (share, &count) in shares.iter_mut().zip(counts) {
        let rounded = (u64::from(count) * SLOTS as u64 + total / 2) / total;
        // An escape takes about 18 bits; a slot that all others miss takes 3 bits of `SLOTS` symbols.
        let worth = u64::from(count) * 6 * SLOTS as u64 > total;
        *share = rounded.max(u64::from(worth)) as u16;
    }
    if escape {
        shares[usize::from(ESCAPE)] = shares[usize::from(ESCAPE)].max(1);
    }
    loop {
        let sum: usize = shares.iter().map(|&share| usize::from(share)).sum();
        let most = (0..SYMBOLS).max_by_key(|&symbol| (shares[symbol], SYMBOLS - symbol));
        let share = &mut shares[most.unwrap_or(0)];
        match sum {
            SLOTS => return shares,
            // Half of it at most: the next one may be the largest then.
            _ if sum > SLOTS => *share -= ((sum - SLOTS) as u16).min(*share / 2),
            _ => *share += (SLOTS - sum) as u16,
        }
    }
}

/// A distribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Which symbol has a slot. A state names a slot.
    pub(super) slots: [u8; SLOTS],
    /// The slots of each symbol.
    pub(super) steps: [Step; SYMBOLS],
}

impl Row {
    /// The row of such shares, if these are all slots.
    pub(super) fn of(shares: &[u16; SYMBOLS]) -> Option<Row> {
        let mut row = Row { slots: [0; SLOTS], steps: [Step::default(); SYMBOLS] };
        let mut first = 0;
        for (symbol, (&share, step)) in shares.iter().zip(&mut row.steps).enumerate() {
            let range = usize::from(first)..usize::from(first) + usize::from(share);
            row.slots.get_mut(range)?.fill(symbol as u8);
            *step = Step { first, slots: share };
            first += share;
        }
        (usize::from(first) == SLOTS).then_some(row)
    }

    /// The row of such counts.
    pub(super) fn of_counts(counts: &[u32; SYMBOLS], escape: bool) -> Row {
        // Shares are those of all slots, so they are a row.
        Row::of(&shares(counts, escape))
            .unwrap_or(Row { slots: [0; SLOTS], steps: [Step::default(); SYMBOLS] })
    }
}
