//! No damaged byte goes unseen, and none costs more than its block.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use foregone_model::Rng;

use super::{Scratch, Table, cells, one};
use crate::codec::BLOCK;
use crate::{Loaded, Part, Problem, TableFile};

/// Opens damaged bytes. All that can be read is right or refused, and it is noticed.
fn assert_found(scratch: &Scratch, table: &Table, bytes: &[u8], what: &str) {
    let path = scratch.file("damaged.table");
    fs::write(&path, bytes).unwrap();
    let seen = catch_unwind(AssertUnwindSafe(|| {
        let Ok(file) = TableFile::open(&path) else { return };
        assert!(file.check().is_err(), "the check sees nothing: {what}");
        assert_eq!(file.header(), &table.header);
        for (number, plane) in table.planes.iter().enumerate() {
            if let Ok(cells) = file.load(number) {
                assert!(cells == *plane, "a wrong plane: {what}");
            }
            let step = (table.header.size / 7).max(1);
            for index in (0..table.header.size).step_by(step as usize) {
                if let Ok(cell) = file.cell(number, index) {
                    assert_eq!(cell, plane.get(index), "a wrong cell: {what}");
                }
            }
        }
        for (index, text) in table.texts.iter().flatten().enumerate().step_by(5) {
            if let Ok(read) = file.text(index as u64) {
                assert_eq!(read, *text, "a wrong text: {what}");
            }
            if let Ok(found) = file.find(text) {
                assert_eq!(found, Some(index as u64), "a wrong number: {what}");
            }
        }
    }));
    assert!(seen.is_ok(), "{what}");
}

fn small_table() -> Table {
    let mut rng = Rng::new(6);
    let planes = vec![one(&cells(&mut rng, 60, 40)), one(&cells(&mut rng, 60, 2))];
    let texts = (0..60).map(|number| format!("x{number:03}")).collect();
    Table::new(planes).with_texts(texts)
}

#[test]
fn every_byte_of_a_small_file() {
    let scratch = Scratch::new();
    let path = scratch.file("a.table");
    let table = small_table();
    table.write(&path, 2);
    let good = fs::read(&path).unwrap();
    let mut rng = Rng::new(7);
    for at in 0..good.len() {
        let other = 1 + rng.below(255) as u8;
        for mask in [1, 2, 4, 8, 16, 32, 64, 128, other] {
            let mut bytes = good.clone();
            bytes[at] ^= mask;
            assert_found(&scratch, &table, &bytes, &format!("byte {at} changed by {mask}"));
        }
    }
}

#[test]
fn every_length_of_a_small_file() {
    let scratch = Scratch::new();
    let path = scratch.file("a.table");
    let table = small_table();
    table.write(&path, 2);
    let good = fs::read(&path).unwrap();
    for length in 0..good.len() {
        let half = scratch.file("half.table");
        fs::write(&half, &good[..length]).unwrap();
        let error = TableFile::open(&half).unwrap_err();
        assert!(matches!(error.problem, Problem::HalfWritten), "{length} bytes: {error}");
    }
    let longer = [&good[..], b"x"].concat();
    fs::write(&path, longer).unwrap();
    assert!(TableFile::open(&path).is_err());
}

#[test]
fn random_bits_of_larger_files() {
    let mut rng = Rng::new(8);
    let plane = one(&cells(&mut rng, 5 * BLOCK + 9, 60));
    let two = Loaded::Two(cells(&mut rng, 5 * BLOCK, 5000));
    let texts = (0..5000).map(|number| format!("{:06}", number * 7)).collect();
    let listed = Table::new(vec![one(&cells(&mut rng, 5000, 9))]).with_texts(texts);
    for table in [Table::new(vec![plane]), Table::new(vec![two]), listed] {
        let scratch = Scratch::new();
        let path = scratch.file("a.table");
        table.write(&path, 2);
        let good = fs::read(&path).unwrap();
        for _ in 0..150 {
            let mut bytes = good.clone();
            let at = rng.below(good.len() as u32) as usize;
            for _ in 0..=rng.below(3) {
                let at = (at + rng.below(40) as usize).min(good.len() - 1);
                bytes[at] ^= 1 << rng.below(8);
            }
            if bytes != good {
                assert_found(&scratch, &table, &bytes, &format!("near byte {at}"));
            }
            let cut = rng.below(good.len() as u32) as usize;
            assert_found(&scratch, &table, &good[..cut], &format!("{cut} bytes left"));
        }
    }
}

#[test]
fn a_damaged_block_loses_nothing_else() {
    let scratch = Scratch::new();
    let path = scratch.file("a.table");
    let mut rng = Rng::new(9);
    let planes = vec![one(&cells(&mut rng, 6 * BLOCK, 60)), one(&cells(&mut rng, 6 * BLOCK, 60))];
    let table = Table::new(planes);
    table.write(&path, 2);
    let mut bytes = fs::read(&path).unwrap();
    // A byte of block 3 of plane 1, where an intact reading says it is.
    let at = TableFile::open(&path).unwrap().block_range(1, 3).start as usize;
    bytes[at + 2] ^= 16;
    fs::write(&path, bytes).unwrap();
    let file = TableFile::open(&path).unwrap();
    assert!(file.load(0).unwrap() == table.planes[0]);
    let (first, last) = (3 * BLOCK as u64, 4 * BLOCK as u64 - 1);
    let damaged = Part::Block { plane: 1, block: 3, first, last };
    for index in 0..6 * BLOCK as u64 {
        match file.cell(1, index) {
            Ok(cell) => assert_eq!(cell, table.planes[1].get(index)),
            Err(error) => {
                assert!((first..=last).contains(&index), "{error}");
                assert!(matches!(error.problem, Problem::Damaged(part) if part == damaged));
            }
        }
    }
    for error in [file.load(1).unwrap_err(), file.check().unwrap_err()] {
        let text = error.to_string();
        assert!(text.contains("a.table: block 3 of plane 1 (cells 12288 to 16383)"), "{text}");
    }
}
