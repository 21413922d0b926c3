//! How cells are compressed.

use foregone_model::Rng;

use super::{Scratch, Table, cells, one};
use crate::codec::{BLOCK, Model};
use crate::{Cells, Loaded, Part, Problem, TableFile, Width};

use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

/// Rows of 64 cells, each much like one of those before it, as tables of endings have them.
fn rows(rng: &mut Rng, size: usize, two: bool) -> Vec<u16> {
    let mut cells: Vec<u16> = Vec::new();
    while cells.len() < size {
        let back = 64 * (1 + rng.below(9)) as usize;
        for _ in 0..64 {
            let like = cells.len().checked_sub(back).map_or(30, |at| cells[at]);
            let other = (rng.below(50) + u32::from(two) * 256 * rng.below(5)) as u16;
            cells.push(if rng.below(10) == 0 { other } else { like });
        }
    }
    cells.truncate(size);
    cells
}

fn model(cells: &[u16], width: Width) -> Model {
    let one: Vec<_> = cells.iter().map(|&cell| AtomicU8::new(cell as u8)).collect();
    let two: Vec<_> = cells.iter().map(|&cell| AtomicU16::new(cell)).collect();
    let cells = if width == Width::One { Cells::One(&one) } else { Cells::Two(&two) };
    let model = Model::of(cells, 1);
    assert_eq!(model.to_bytes(), Model::of(cells, 3).to_bytes(), "threads do not matter");
    Model::from_bytes(&model.to_bytes(), width).unwrap()
}

#[test]
fn any_cells_can_be_coded_by_any_model() {
    let mut rng = Rng::new(20);
    for (width, values) in [(Width::One, 256), (Width::Two, 65_536)] {
        let learned = model(&rows(&mut rng, 5 * BLOCK, width == Width::Two), width);
        for length in [1, 2, 3, 31, 32, 33, 1000, BLOCK] {
            for values in [2, 40, values] {
                // Most of these were never seen when the model was learned.
                let wanted = cells(&mut rng, length, values);
                let bytes = learned.encode(&wanted);
                let plain = length * width.bytes() as usize;
                assert!(bytes.len() <= plain, "{} bytes for {plain}", bytes.len());
                let mut found = vec![7; length];
                learned.decode(&bytes, length, &mut found).unwrap();
                assert!(found == wanted, "{length} cells of {values} values");
                for first in [1, 5, length / 2, length - 1] {
                    let mut start = vec![7; first.min(length)];
                    learned.decode(&bytes, length, &mut start).unwrap();
                    assert!(start == wanted[..start.len()], "the first {first} of {length}");
                }
            }
        }
    }
}

#[test]
fn likeness_to_earlier_rows_is_found() {
    let mut rng = Rng::new(21);
    for width in [Width::One, Width::Two] {
        let cells = rows(&mut rng, 50 * BLOCK, width == Width::Two);
        let model = model(&cells, width);
        let bytes = cells.chunks(BLOCK).map(|block| model.encode(block).len()).sum::<usize>();
        let bytes = bytes + model.to_bytes().len();
        let deflated = cells.chunks(BLOCK).map(|block| {
            let cells = block.iter().flat_map(|cell| cell.to_le_bytes());
            let plain: Vec<u8> = cells.step_by(2 / width.bytes() as usize).collect();
            miniz_oxide::deflate::compress_to_vec(&plain, 6).len()
        });
        let deflated: usize = deflated.sum();
        assert!(bytes * 10 < deflated * 9, "{bytes} bytes, and {deflated} by another method");
    }
}

#[test]
fn bytes_that_make_no_sense_are_refused() {
    let mut rng = Rng::new(22);
    for width in [Width::One, Width::Two] {
        let all = rows(&mut rng, 3 * BLOCK, width == Width::Two);
        let learned = model(&all, width);
        let good = learned.encode(&all[..BLOCK]);
        let mut found = vec![0; BLOCK];
        let mut refused = 0;
        for round in 0..2000 {
            let mut bytes = good.clone();
            match round % 3 {
                0 => bytes.truncate(rng.below(good.len() as u32) as usize),
                1 => bytes.iter_mut().for_each(|byte| *byte = rng.below(256) as u8),
                _ => bytes[rng.below(good.len() as u32) as usize] ^= 1 << rng.below(8),
            }
            refused += usize::from(learned.decode(&bytes, BLOCK, &mut found).is_none());
        }
        // Those cut to the length of one cell, or changed where no state is reached, may be blocks.
        assert!(refused > 1950, "{refused}");
        let good = learned.to_bytes();
        let plain = miniz_oxide::inflate::decompress_to_vec(&good).unwrap();
        for _ in 0..3000 {
            let mut bytes = plain.clone();
            for _ in 0..=rng.below(3) {
                bytes[rng.below(plain.len() as u32) as usize] = rng.below(256) as u8;
            }
            bytes.truncate(plain.len() - rng.below(2) as usize);
            let bytes = miniz_oxide::deflate::compress_to_vec(&bytes, 1);
            // It is a model, or not; if it is one, it may read anything, but must not panic.
            if let Some(other) = Model::from_bytes(&bytes, width) {
                let _ = other.decode(&learned.encode(&all[..BLOCK]), BLOCK, &mut found);
            }
        }
        let long = miniz_oxide::deflate::compress_to_vec(&vec![0; 100 << 20], 6);
        assert!(Model::from_bytes(&long, width).is_none());
    }
}

#[test]
fn planes_can_be_unpacked() {
    let mut rng = Rng::new(23);
    let size = 7 * BLOCK + 100;
    let ones = vec![one(&cells(&mut rng, size, 60)), one(&rows(&mut rng, size, false))];
    let twos = vec![Loaded::Two(rows(&mut rng, size, true))];
    for planes in [ones, twos] {
        let scratch = Scratch::new();
        let path = scratch.file("a.table");
        Table::new(planes.clone()).write(&path, 2);
        let file = TableFile::open(&path).unwrap();
        for (number, plane) in planes.iter().enumerate() {
            // The second time over what the first one left.
            for _ in 0..2 {
                let unpacked = file.unpack(number, &scratch.file("a.work")).unwrap();
                let found = |index: usize| match unpacked.cells() {
                    Cells::One(cells) => u16::from(cells[index].load(Ordering::Relaxed)),
                    Cells::Two(cells) => cells[index].load(Ordering::Relaxed),
                };
                assert_eq!(unpacked.cells().len(), size);
                assert!((0..size).all(|index| found(index) == plane.get(index as u64)));
                let error = file.unpack(number, &scratch.file("a.work")).unwrap_err();
                assert!(error.to_string().contains("a.work"), "{error}");
            }
        }
        let error = file.unpack(planes.len(), &scratch.file("b.work")).unwrap_err();
        assert!(matches!(error.problem, Problem::NoSuch(_)), "{error}");
        let range = file.block_range(0, 2);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[range.start as usize] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let error = TableFile::open(&path).unwrap().unpack(0, &scratch.file("c.work")).unwrap_err();
        let damaged = matches!(error.problem, Problem::Damaged(Part::Block { block: 2, .. }));
        assert!(damaged, "{error}");
    }
}
