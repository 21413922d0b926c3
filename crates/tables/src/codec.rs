//! How blocks of cells are compressed.
//!
//! A cell is likely to be what some cell before it is: the one a row above, say, or ten rows above.
//! Which cells those are depends on how positions are numbered, and is learned from the cells of the
//! plane. What is learned is the [`Model`] of the plane; it stands in the file once.
//!
//! Three cells before a cell are its context. The first is the *reference*: each 32 cells say which
//! of up to 32 strides leads to it, as films say for each part of a picture where in the picture
//! before it was. The two others have strides that are the same in all of the plane. What is known of a cell
//! stands in a class: from the reference comes a class, from that class and the second cell another one,
//! and from this and the third cell the *row*, a distribution of values. A cell is coded with the
//! distribution of its row by an asymmetric numeral system (J. Duda, *Asymmetric numeral systems*,
//! arXiv:1311.2540), four states in turn so that a processor can work on several at once.
//!
//! Planes with two bytes a cell have a context for the high byte and another for the low one, to which
//! the high byte may belong.
//!
//! # A block
//!
//! ```text
//! as many bytes as a cell has        all cells are this one
//! as many bytes as all cells have    the cells as they are
//! any other length                   four states of four bytes, and words of two bytes
//! ```

mod learn;
mod model;
mod row;

use self::row::{Row, SLOT_BITS, SLOTS, Step};
use crate::cells::Width;

/// How many cells a block has; the last one may have fewer.
pub(crate) const BLOCK: usize = 4096;

/// No stride is longer.
const FAR: usize = 2048;

/// How many cells share a reference.
const CHUNK: usize = 32;

/// How many strides a reference may have.
const STRIDES: usize = 32;

/// How many cells are in a context.
const LEVELS: usize = 3;

/// Room for the symbols of a part of the cells of a block, behind symbols that are [`ABSENT`].
const REGION: usize = FAR + BLOCK;

/// How many cells in a row are coded by different states.
const STATES: usize = 4;

/// States are never below this.
const LOW: u32 = 1 << 16;

/// The symbol of bytes that have none: the byte itself follows. Symbols are below it.
const ESCAPE: u8 = 254;

/// The symbol of cells before the block, in contexts.
const ABSENT: u8 = 255;

/// How many symbols a byte and a context may have.
const SYMBOLS: usize = 256;

/// What the blocks of a plane have in common.
#[derive(Debug)]
pub(crate) struct Model {
    width: Width,
    /// One for each byte of a cell, the high one first.
    parts: Vec<Part>,
}

/// What is known of a byte of the cells.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    /// How many bytes have symbols. Symbols are the numbers of these bytes in ascending order.
    known: usize,
    /// The bytes of symbols.
    values: [u8; SYMBOLS],
    /// The symbols of all bytes.
    symbols: [u8; SYMBOLS],
    /// Where references may lead to.
    strides: Vec<u16>,
    levels: [Level; LEVELS],
    rows: Vec<Row>,
    references: Row,
}

/// A cell of a context.
#[derive(Debug, PartialEq, Eq)]
struct Level {
    /// How far back it is in the symbols of a block: a stride, or [`REGION`] for the high byte of
    /// the same cell. Of no meaning in the first level, where the reference says it.
    back: usize,
    /// Which class, or row, comes from a class and a symbol.
    map: Vec<[u8; SYMBOLS]>,
}

impl Level {
    /// What comes from a class and a symbol.
    #[inline(always)]
    fn after(&self, class: u8, symbol: u8) -> u8 {
        self.map[usize::from(class)][usize::from(symbol)]
    }
}

impl Part {
    /// The row of the byte at a place of the symbols of a block.
    fn row(&self, symbols: &[u8], at: usize, stride: usize) -> &Row {
        let [first, second, third] = &self.levels;
        let class = first.after(0, symbols[at - stride]);
        let class = second.after(class, symbols[at - second.back]);
        &self.rows[usize::from(third.after(class, symbols[at - third.back]))]
    }

    /// Which of the strides are the references of the chunks of a block that starts at a place.
    fn choose(&self, symbols: &[u8], start: usize, cells: usize) -> Vec<u8> {
        let costs = &self.references.steps;
        let chunk = |from: usize| {
            let at = start + from;
            let cost = |&number: &usize| {
                let same = same(symbols, at, usize::from(self.strides[number]));
                (CHUNK - same) as u32 * row::UNLIKELY + costs[number].cost()
            };
            (0..self.strides.len()).min_by_key(cost).unwrap_or(0) as u8
        };
        (0..cells).step_by(CHUNK).map(chunk).collect()
    }
}

/// How many symbols of a chunk are as those a stride before.
fn same(symbols: &[u8], at: usize, stride: usize) -> usize {
    let pairs = symbols[at..at + CHUNK].iter().zip(&symbols[at - stride..][..CHUNK]);
    usize::from(pairs.map(|(a, b)| u8::from(a == b)).sum::<u8>())
}

/// The bytes of a cell, the high one first.
fn byte(width: Width, cell: u16, part: usize) -> u8 {
    match (width, part) {
        (Width::Two, 0) => (cell >> 8) as u8,
        _ => cell as u8,
    }
}

/// The symbols of all parts of a block.
fn symbols(width: Width, parts: &[&[u8; SYMBOLS]], cells: &[u16]) -> Vec<u8> {
    let mut symbols = vec![ABSENT; REGION * parts.len()];
    for (part, known) in parts.iter().enumerate() {
        let region = &mut symbols[part * REGION + FAR..][..cells.len()];
        for (to, &cell) in region.iter_mut().zip(cells) {
            *to = known[usize::from(byte(width, cell, part))];
        }
    }
    symbols
}

impl Model {
    /// A block.
    pub(crate) fn encode(&self, cells: &[u16]) -> Vec<u8> {
        let plain = |cells: &[u16]| -> Vec<u8> {
            match self.width {
                Width::One => cells.iter().map(|&cell| cell as u8).collect(),
                Width::Two => cells.iter().flat_map(|cell| cell.to_le_bytes()).collect(),
            }
        };
        if cells.iter().all(|&cell| cell == cells[0]) {
            return plain(&cells[..cells.len().min(1)]);
        }
        let coded = code(&self.steps(cells));
        match coded.len() < cells.len() * self.width.bytes() as usize {
            true => coded,
            false => plain(cells),
        }
    }

    /// What is coded, and by which state.
    fn steps(&self, cells: &[u16]) -> Vec<(Step, u8)> {
        let known: Vec<_> = self.parts.iter().map(|part| &part.symbols).collect();
        let symbols = symbols(self.width, &known, cells);
        let start = |number: usize| number * REGION + FAR;
        let chosen = self.parts.iter().enumerate();
        let chosen: Vec<Vec<u8>> = chosen
            .map(|(number, part)| part.choose(&symbols, start(number), cells.len()))
            .collect();
        let mut steps = Vec::with_capacity(cells.len() * self.parts.len() * 9 / 8 + 2);
        for (chunk, cells) in cells.chunks(CHUNK).enumerate() {
            for (number, part) in self.parts.iter().enumerate() {
                let reference = usize::from(chosen[number][chunk]);
                steps.push((part.references.steps[reference], 0));
                let stride = usize::from(part.strides[reference]);
                for (index, &cell) in cells.iter().enumerate() {
                    let at = start(number) + chunk * CHUNK + index;
                    let row = &part.row(&symbols, at, stride).steps;
                    let state = (index % STATES) as u8;
                    match row[usize::from(symbols[at])] {
                        step if step.slots > 0 && symbols[at] != ESCAPE => {
                            steps.push((step, state))
                        }
                        _ => {
                            steps.push((row[usize::from(ESCAPE)], state));
                            steps.push((Step::plain(byte(self.width, cell, number)), state));
                        }
                    }
                }
            }
        }
        steps
    }

    /// The first cells of a block of `length` cells, as many as `cells` has. That the rest makes
    /// sense is seen only if these are all.
    pub(crate) fn decode(&self, bytes: &[u8], length: usize, cells: &mut [u16]) -> Option<()> {
        let width = self.width.bytes() as usize;
        let all = cells.len() == length;
        if bytes.len() == width || bytes.len() == length * width {
            let mut plain = bytes.chunks_exact(width).cycle();
            for cell in cells {
                *cell = match *plain.next()? {
                    [low] => u16::from(low),
                    [low, high] => u16::from_le_bytes([low, high]),
                    _ => return None,
                };
            }
            return Some(());
        }
        let mut decoder = Decoder::new(bytes)?;
        let mut symbols = [ABSENT; 2 * REGION];
        for (number, cells) in cells.chunks_mut(CHUNK).enumerate() {
            cells.fill(0);
            for (part_number, part) in self.parts.iter().enumerate() {
                let at = part_number * REGION + FAR + number * CHUNK;
                let mut bytes = [0; CHUNK];
                // All of the chunk, also where fewer are wanted: the other part is behind it.
                let chunk = CHUNK.min(length - number * CHUNK);
                part.decode(&mut decoder, &mut symbols, at, &mut bytes[..chunk]);
                for (cell, &byte) in cells.iter_mut().zip(&bytes) {
                    *cell = *cell << 8 | u16::from(byte);
                }
            }
        }
        (decoder.is_done() || !all).then_some(())
    }
}

/// States and words of a block: what [`Decoder`] reads.
fn code(steps: &[(Step, u8)]) -> Vec<u8> {
    let mut states = [LOW; STATES];
    let mut words = Vec::with_capacity(steps.len() / 2);
    // What is read last is written first.
    for &(step, state) in steps.iter().rev() {
        let state = &mut states[usize::from(state)];
        let slots = u32::from(step.slots);
        if *state >> (32 - SLOT_BITS) >= slots {
            words.push(*state as u16);
            *state >>= 16;
        }
        *state = ((*state / slots) << SLOT_BITS) + *state % slots + u32::from(step.first);
    }
    let states = states.iter().flat_map(|state| state.to_le_bytes());
    states.chain(words.iter().rev().flat_map(|word| word.to_le_bytes())).collect()
}

/// Reads what [`code`] wrote. Behind the end there are zeros.
struct Decoder<'a> {
    states: [u32; STATES],
    words: &'a [[u8; 2]],
    /// How many words were read.
    read: usize,
}

impl<'a> Decoder<'a> {
    fn new(bytes: &'a [u8]) -> Option<Decoder<'a>> {
        let (states, words) = bytes.split_at_checked(4 * STATES)?;
        let (states, _) = states.as_chunks::<4>();
        let (words, []) = words.as_chunks::<2>() else { return None };
        let states: &[[u8; 4]; STATES] = states.try_into().ok()?;
        Some(Decoder { states: states.map(u32::from_le_bytes), words, read: 0 })
    }

    /// The slot that a state names.
    #[inline(always)]
    fn slot(&self, state: usize) -> usize {
        self.states[state] as usize % SLOTS
    }

    /// Goes on behind a symbol with these slots.
    #[inline(always)]
    fn step(&mut self, state: usize, step: Step) {
        let slot = self.slot(state) as u32;
        let old = self.states[state];
        let new = u32::from(step.slots) * (old >> SLOT_BITS) + slot - u32::from(step.first);
        // Whether a word follows can't be foreseen, so this is written without a branch.
        let word = self.words.get(self.read).map_or(0, |&word| u16::from_le_bytes(word));
        let more = new < LOW;
        self.states[state] = if more { new << 16 | u32::from(word) } else { new };
        self.read += usize::from(more);
    }

    /// Whether all was read, and nothing else.
    fn is_done(&self) -> bool {
        self.read == self.words.len() && self.states == [LOW; STATES]
    }
}

impl Part {
    /// Reads the bytes of a chunk whose symbols are to stand at a place.
    fn decode(&self, from: &mut Decoder<'_>, all: &mut [u8], at: usize, bytes: &mut [u8]) {
        let reference = self.references.slots[from.slot(0)];
        from.step(0, self.references.steps[usize::from(reference)]);
        let stride = usize::from(self.strides[usize::from(reference)]);
        let [first, second, third] = &self.levels;
        let mut classes = [0; CHUNK];
        let mut look_up = |level: &Level, back: usize| {
            for (class, &symbol) in classes.iter_mut().zip(&all[at - back..at - back + CHUNK]) {
                *class = level.after(*class, symbol);
            }
        };
        // As far as the cells of the context are before the chunk, all of it is looked up at once.
        if stride < CHUNK {
            self.decode_with(from, all, at, bytes, |at, all| {
                let class = first.after(0, all[at - stride]);
                let class = second.after(class, all[at - second.back]);
                third.after(class, all[at - third.back])
            });
            return;
        }
        look_up(first, stride);
        if second.back < CHUNK {
            self.decode_with(from, all, at, bytes, |place, all| {
                let class = second.after(classes[place - at], all[place - second.back]);
                third.after(class, all[place - third.back])
            });
            return;
        }
        look_up(second, second.back);
        if third.back < CHUNK {
            self.decode_with(from, all, at, bytes, |place, all| {
                third.after(classes[place - at], all[place - third.back])
            });
            return;
        }
        look_up(third, third.back);
        self.decode_with(from, all, at, bytes, |place, _| classes[place - at]);
    }

    /// The same, where `row` says the row of a place.
    #[inline(always)]
    fn decode_with(
        &self,
        from: &mut Decoder<'_>,
        all: &mut [u8],
        at: usize,
        bytes: &mut [u8],
        row: impl Fn(usize, &[u8]) -> u8,
    ) {
        for (index, byte) in bytes.iter_mut().enumerate() {
            let row = &self.rows[usize::from(row(at + index, all))];
            let state = index % STATES;
            let mut symbol = row.slots[from.slot(state)];
            from.step(state, row.steps[usize::from(symbol)]);
            *byte = self.values[usize::from(symbol)];
            if symbol == ESCAPE {
                *byte = Step::plain_byte(from.slot(state));
                from.step(state, Step::plain(*byte));
                symbol = self.symbols[usize::from(*byte)];
            }
            all[at + index] = symbol;
        }
    }
}
