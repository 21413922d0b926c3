//! Learning a model from the cells of a plane. All by integers and in a fixed order, so that the same
//! cells have the same model on all machines.

use super::model::symbols_of;
use super::row::{Row, Step, log2, shares};
use super::{
    ABSENT, BLOCK, CHUNK, ESCAPE, FAR, LEVELS, Level, Model, Part, REGION, STRIDES, SYMBOLS, byte,
    same, symbols,
};
use crate::cells::{Cells, Width};
use crate::parallel;

/// How many cells classes and rows are learned from, at most.
const CELLS: usize = 1 << 20;

/// How many chunks strides are learned from, at most.
const CHUNKS: usize = 1 << 11;

/// How many strides may become those of a context.
const CANDIDATES: usize = 24;

/// How many classes the levels have at most; those of the last are rows.
const CLASSES: [usize; LEVELS] = [128, 128, 255];

/// So many cells are worth a row of their own.
const CELLS_OF_ROW: usize = 1500;

/// How often classes are made anew.
const ROUNDS: usize = 6;

/// What a symbol costs that was not seen in a context before, in bits.
const NEW: u32 = 4;

/// What it costs to say that a context has another class than the one before.
const OTHER_CLASS: u64 = 6 * 256;

impl Model {
    /// The model of all cells of a plane.
    pub(crate) fn of(cells: Cells<'_>, threads: usize) -> Model {
        let width = cells.width();
        let sample = Sample::of(cells);
        let mut model = Model { width, parts: Vec::new() };
        for part in 0..width.bytes() as usize {
            model.parts.push(sample.part(part, cells.len(), threads));
        }
        model
    }
}

/// Some blocks of a plane.
struct Sample {
    /// The bytes that have symbols, of each part.
    known: Vec<Vec<u8>>,
    /// The symbols of the blocks, and how many cells each has.
    blocks: Vec<(Vec<u8>, usize)>,
}

impl Sample {
    /// Blocks all over the plane.
    fn of(cells: Cells<'_>) -> Sample {
        let width = cells.width();
        let all = cells.len().div_ceil(BLOCK);
        let count = all.min(CELLS / BLOCK);
        let block = |number: usize| {
            let from = number * all / count * BLOCK;
            let mut block = vec![0; BLOCK.min(cells.len() - from)];
            cells.copy(from, &mut block);
            block
        };
        let blocks: Vec<Vec<u16>> = (0..count).map(block).collect();
        let parts = 0..width.bytes() as usize;
        let known: Vec<_> = parts.map(|part| known(width, &blocks, part)).collect();
        let of_parts: Vec<_> = known.iter().map(|values| symbols_of(values)).collect();
        let of_parts: Vec<_> = of_parts.iter().collect();
        let coded = |block: &Vec<u16>| (symbols(width, &of_parts, block), block.len());
        Sample { blocks: blocks.iter().map(coded).collect(), known }
    }

    /// All places of chunks, or some of them: block, and place in its symbols.
    fn chunks(&self, part: usize, most: usize) -> Vec<(usize, usize)> {
        let chunks = self.blocks.iter().enumerate().flat_map(|(number, (_, cells))| {
            let starts = (0..*cells).step_by(CHUNK);
            starts.map(move |start| (number, part * REGION + FAR + start))
        });
        let all: usize = self.blocks.iter().map(|(_, cells)| cells.div_ceil(CHUNK)).sum();
        // An odd step, as rows have even numbers of chunks.
        chunks.step_by((all / most) | 1).collect()
    }

    /// What is known of a part.
    fn part(&self, number: usize, cells: usize, threads: usize) -> Part {
        let few = self.chunks(number, CHUNKS);
        let (strides, candidates) = self.strides(&few, threads);
        let count = strides.len();
        let mut counts = [0; SYMBOLS];
        // For now all references are alike.
        counts[..count].fill(1);
        let references = Row::of_counts(&counts, false);
        let levels = [0; LEVELS].map(|back| Level { back, map: Vec::new() });
        let mut part = Part::new(&self.known[number], strides, levels, Vec::new(), references);
        let start = number * REGION + FAR;
        let blocks = self.blocks.iter();
        let chosen: Vec<Vec<u8>> =
            blocks.map(|(symbols, cells)| part.choose(symbols, start, *cells)).collect();
        // Each may be needed somewhere else.
        counts[..count].fill(chosen.len() as u32 / 4 + 1);
        for &reference in chosen.iter().flatten() {
            counts[usize::from(reference)] += 1;
        }
        part.references = Row::of_counts(&counts, false);
        let stride = |block: usize, at: usize| {
            usize::from(part.strides[usize::from(chosen[block][(at - start) / CHUNK])])
        };
        let backs = Places::of(self, &few, stride).backs(&candidates, number, threads);
        let places = Places::of(self, &self.chunks(number, usize::MAX), stride);
        let (levels, rows) = places.levels(backs, (cells / CELLS_OF_ROW).max(2));
        part.levels = levels;
        part.rows = rows.iter().map(|counts| Row::of_counts(counts, true)).collect();
        part
    }

    /// Where references may lead to, and the strides with most cells that are the same.
    fn strides(&self, chunks: &[(usize, usize)], threads: usize) -> (Vec<u16>, Vec<usize>) {
        let longest = self.blocks.first().map_or(1, |&(_, cells)| cells.clamp(9, FAR));
        let all = parallel::map(threads, 1..longest as u64 + 1, |stride| -> Vec<u8> {
            let same = |&(block, at): &(usize, usize)| {
                same(&self.blocks[block].0, at, stride as usize) as u8
            };
            chunks.iter().map(same).collect()
        });
        let mut best = vec![0; chunks.len()];
        let mut strides = Vec::new();
        while strides.len() < STRIDES {
            let gain = |same: &[u8]| -> u64 {
                let more = same.iter().zip(&best).map(|(&a, &b): (&u8, &u8)| a.saturating_sub(b));
                more.map(u64::from).sum()
            };
            let gains = all.iter().map(|same| gain(same)).enumerate();
            let most = gains.max_by_key(|&(at, gain)| (gain, FAR - at));
            let Some((at, gain)) = most else { break };
            if gain * 50 < chunks.len() as u64 && !strides.is_empty() {
                break;
            }
            best.iter_mut().zip(&all[at]).for_each(|(best, &same)| *best = same.max(*best));
            strides.push(at as u16 + 1);
        }
        let mut order: Vec<usize> = (1..=all.len()).collect();
        let total = |same: &[u8]| -> u64 { same.iter().map(|&same| u64::from(same)).sum() };
        let totals: Vec<u64> = all.iter().map(|same| total(same)).collect();
        order.sort_by_key(|&stride| (stride > 8, std::cmp::Reverse(totals[stride - 1]), stride));
        order.truncate(CANDIDATES);
        (strides, order)
    }
}

/// Which bytes have symbols.
fn known(width: Width, blocks: &[Vec<u16>], part: usize) -> Vec<u8> {
    let mut counts = [0_u32; SYMBOLS];
    for &cell in blocks.iter().flatten() {
        counts[usize::from(byte(width, cell, part))] += 1;
    }
    let mut values: Vec<u8> = (0..=255).filter(|&byte| counts[usize::from(byte)] > 0).collect();
    values.sort_by_key(|&byte| (std::cmp::Reverse(counts[usize::from(byte)]), byte));
    values.truncate(usize::from(ESCAPE));
    values.sort_unstable();
    values
}

/// Cells with their contexts.
struct Places<'a> {
    /// The symbols of the block, the place in them, and the stride of the reference.
    all: Vec<(&'a [u8], u32, u32)>,
}

impl<'a> Places<'a> {
    fn of(
        sample: &'a Sample,
        chunks: &[(usize, usize)],
        stride: impl Fn(usize, usize) -> usize,
    ) -> Places<'a> {
        let mut all = Vec::with_capacity(chunks.len() * CHUNK);
        for &(block, start) in chunks {
            let symbols = &sample.blocks[block].0[..];
            let stride = stride(block, start) as u32;
            // Behind the last cell of a short block none has a symbol.
            let cells = symbols[start..start + CHUNK].iter().take_while(|&&s| s != ABSENT).count();
            all.extend((start..start + cells).map(|at| (symbols, at as u32, stride)));
        }
        Places { all }
    }

    /// The two cells that tell most of a cell, beside the reference, by how far back they are.
    fn backs(&self, candidates: &[usize], part: usize, threads: usize) -> [usize; LEVELS - 1] {
        let mut candidates = candidates.to_vec();
        if part == 1 {
            candidates.push(REGION);
        }
        let mut backs: Vec<usize> = Vec::new();
        while backs.len() < LEVELS - 1 {
            let costs = parallel::map(threads, 0..candidates.len() as u64, |number| {
                let back = candidates[number as usize];
                (self.cost(&[&backs[..], &[back]].concat()), back)
            });
            let new = costs.into_iter().filter(|(_, back)| !backs.contains(back)).min();
            backs.push(new.map_or(1, |(_, back)| back));
        }
        backs.sort_unstable();
        [backs[1], backs[0]]
    }

    /// About how many bits the cells take in the context of the reference and these.
    fn cost(&self, backs: &[usize]) -> u64 {
        let key = |&(symbols, at, stride): &(&[u8], u32, u32)| {
            let at = at as usize;
            let context =
                backs.iter().fold(u32::from(symbols[at - stride as usize]), |key, back| {
                    key << 8 | u32::from(symbols[at - back])
                });
            context << 8 | u32::from(symbols[at])
        };
        let mut keys: Vec<u32> = self.all.iter().map(key).collect();
        keys.sort_unstable();
        let weight = |count: usize| count as u64 * u64::from(log2(count as u32));
        let contexts = keys.chunk_by(|a, b| a >> 8 == b >> 8).map(|context| {
            let symbols = context.chunk_by(|a, b| a == b);
            let bits = symbols.map(|same| i64::from(NEW << 8) - weight(same.len()) as i64);
            weight(context.len()) as i64 + bits.sum::<i64>()
        });
        contexts.sum::<i64>().max(0) as u64
    }

    /// The classes of all levels, and what was counted in each row.
    fn levels(
        &self,
        backs: [usize; LEVELS - 1],
        most: usize,
    ) -> ([Level; LEVELS], Vec<[u32; SYMBOLS]>) {
        let mut classes = vec![0_u8; self.all.len()];
        let mut counts = vec![[0; SYMBOLS]];
        let backs = [0, backs[0], backs[1]];
        let mut level = 0;
        let levels = backs.map(|back| {
            let symbol = |&(symbols, at, stride): &(&[u8], u32, u32)| {
                let back = if level == 0 { stride as usize } else { back };
                usize::from(symbols[at as usize - back])
            };
            let key = |(place, &class): (&(&'a [u8], u32, u32), &u8)| {
                let own = place.0[place.1 as usize];
                u32::from(class) << 16 | (symbol(place) as u32) << 8 | u32::from(own)
            };
            let keys = self.all.iter().zip(&classes).map(key).collect();
            let map;
            (map, counts) = Contexts::of(keys).cluster(counts.len(), CLASSES[level].min(most));
            for (place, class) in self.all.iter().zip(&mut classes) {
                *class = map[usize::from(*class)][symbol(place)];
            }
            level += 1;
            Level { back, map }
        });
        (levels, counts)
    }
}

/// What was seen in which context.
struct Contexts {
    /// The context, the symbol, and how often.
    seen: Vec<(u16, u8, u32)>,
    /// The first of each context in `seen`, and how many follow.
    ranges: Vec<(usize, usize)>,
}

impl Contexts {
    fn of(mut keys: Vec<u32>) -> Contexts {
        keys.sort_unstable();
        let seen = keys.chunk_by(|a, b| a == b);
        let seen: Vec<_> =
            seen.map(|same| ((same[0] >> 8) as u16, same[0] as u8, same.len() as u32)).collect();
        let mut ranges = Vec::new();
        let mut first = 0;
        for context in seen.chunk_by(|a, b| a.0 == b.0) {
            ranges.push((first, context.len()));
            first += context.len();
        }
        Contexts { seen, ranges }
    }

    fn get(&self, number: usize) -> &[(u16, u8, u32)] {
        let (first, length) = self.ranges[number];
        &self.seen[first..first + length]
    }

    /// Puts contexts into classes so that few bits are needed: by turns, each context joins the class
    /// that suits it best, and the classes are counted again. Says the class of each context, and what
    /// was counted.
    fn cluster(&self, before: usize, most: usize) -> (Vec<[u8; SYMBOLS]>, Vec<[u32; SYMBOLS]>) {
        let often = |number: usize| -> u32 { self.get(number).iter().map(|seen| seen.2).sum() };
        let mut order: Vec<usize> = (0..self.ranges.len()).collect();
        order.sort_by_key(|&number| (std::cmp::Reverse(often(number)), number));
        order.truncate(most.max(1));
        let mut counts = vec![[0; SYMBOLS]; order.len().max(1)];
        for (counts, &number) in counts.iter_mut().zip(&order) {
            self.add(number, counts);
        }
        let mut classes = Vec::new();
        for round in 1..=ROUNDS {
            classes = self.assign(&counts, round == ROUNDS);
            counts.fill([0; SYMBOLS]);
            for (number, &class) in classes.iter().enumerate() {
                self.add(number, &mut counts[class]);
            }
        }
        // Classes that nobody joined are left out.
        let mut names = vec![0; counts.len()];
        let mut used = Vec::new();
        for (name, counts) in names.iter_mut().zip(counts) {
            *name = used.len() as u8;
            if counts != [0; SYMBOLS] || used.is_empty() {
                used.push(counts);
            }
        }
        let mut map = vec![[0; SYMBOLS]; before];
        let (mut next, mut class) = (0, 0);
        for context in 0..before * SYMBOLS {
            if self.ranges.get(next).is_some_and(|&(at, _)| usize::from(self.seen[at].0) == context)
            {
                class = names[classes[next]];
                next += 1;
            }
            // A context that was not seen is as the one before: that takes least room.
            map[context / SYMBOLS][context % SYMBOLS] = class;
        }
        (map, used)
    }

    fn add(&self, number: usize, counts: &mut [u32; SYMBOLS]) {
        for &(_, symbol, count) in self.get(number) {
            counts[usize::from(symbol)] += count;
        }
    }

    /// The best class of each context, where classes are such counts.
    fn assign(&self, counts: &[[u32; SYMBOLS]], last: bool) -> Vec<usize> {
        let classes = counts.len();
        let mut costs = vec![0_u32; SYMBOLS * classes];
        for (class, counts) in counts.iter().enumerate() {
            let slots = shares(counts, true).map(|slots| Step { first: 0, slots });
            let escape = slots[usize::from(ESCAPE)].cost() + (8 << 8);
            for (symbol, step) in slots.iter().enumerate() {
                costs[symbol * classes + class] = if step.slots > 0 { step.cost() } else { escape };
            }
        }
        let mut sums = vec![0_u64; classes];
        let mut before = None;
        let best = |number: usize| {
            sums.fill(0);
            for &(_, symbol, count) in self.get(number) {
                let costs = &costs[usize::from(symbol) * classes..][..classes];
                for (sum, &cost) in sums.iter_mut().zip(costs) {
                    *sum += u64::from(cost) * u64::from(count);
                }
            }
            if last {
                let others = (0..classes).filter(|&class| Some(class) != before);
                others.for_each(|class| sums[class] += OTHER_CLASS);
            }
            let best = (0..classes).min_by_key(|&class| sums[class]).unwrap_or(0);
            before = Some(best);
            best
        };
        (0..self.ranges.len()).map(best).collect()
    }
}
