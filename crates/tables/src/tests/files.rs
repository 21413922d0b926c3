//! What is written is read again.

use std::fs;
use std::path::Path;

use foregone_model::Rng;

use super::{Scratch, Table, cells, one};
use crate::codec::BLOCK;
use crate::write::write_with;
use crate::{FileError, Loaded, Problem, TableFile};

/// All that can be read of a table is what was written.
fn assert_reads(path: &Path, table: &Table, digest: &str) {
    let file = TableFile::open(path).unwrap();
    assert_eq!(file.header(), &table.header);
    assert_eq!(file.digest(), digest);
    assert_eq!(file.bytes(), fs::metadata(path).unwrap().len());
    assert_eq!(file.path(), path);
    file.check().unwrap();
    for (number, plane) in table.planes.iter().enumerate() {
        assert!(file.load(number).unwrap() == *plane, "plane {number}");
        for index in 0..table.header.size {
            assert_eq!(file.cell(number, index).unwrap(), plane.get(index), "cell {index}");
        }
        assert!(file.cell(number, table.header.size).is_err());
    }
    assert!(file.cell(table.planes.len(), 0).is_err());
    assert!(file.load(table.planes.len()).is_err());
    match &table.texts {
        Some(texts) => {
            for (index, text) in texts.iter().enumerate() {
                assert_eq!(file.text(index as u64).unwrap(), *text);
                assert_eq!(file.find(text).unwrap(), Some(index as u64), "{text:?}");
                for other in [format!("{text}\0"), format!("{text}x")] {
                    let wanted = texts.binary_search(&other).ok().map(|index| index as u64);
                    assert_eq!(file.find(&other).unwrap(), wanted, "{other:?}");
                }
            }
            assert!(file.text(texts.len() as u64).is_err());
        }
        None => {
            assert!(file.text(0).is_err());
            assert!(file.find("").is_err());
        }
    }
}

/// Writes a table with one, two and five threads and reads it. Says its bytes.
fn round_trip(table: &Table) -> Vec<u8> {
    let scratch = Scratch::new();
    let path = scratch.file("a.table");
    let digest = table.write(&path, 1);
    let bytes = fs::read(&path).unwrap();
    for threads in [2, 5] {
        assert_eq!(table.write(&path, threads), digest);
        assert!(fs::read(&path).unwrap() == bytes, "{threads} threads write other bytes");
    }
    assert_reads(&path, table, &digest);
    let names: Vec<_> = fs::read_dir(&scratch.0).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["a.table"], "nothing else is left");
    bytes
}

#[test]
fn sizes_around_block_borders() {
    let mut rng = Rng::new(1);
    for size in [0, 1, 2, 63, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 5 * BLOCK + 17] {
        for values in [1, 2, 3, 20, 256] {
            round_trip(&Table::new(vec![one(&cells(&mut rng, size, values))]));
        }
        for values in [1, 300, 5000, 65536] {
            let planes = vec![Loaded::Two(cells(&mut rng, size, values))];
            round_trip(&Table::new(planes));
        }
    }
}

#[test]
fn several_planes() {
    let mut rng = Rng::new(2);
    let mut plane = |values| one(&cells(&mut rng, 10_000, values));
    round_trip(&Table::new(vec![plane(3), plane(256), plane(1)]));
    let mut plane = |values| Loaded::Two(cells(&mut rng, 10_000, values));
    round_trip(&Table::new(vec![plane(3), plane(65536)]));
    let mut none = Table::new(vec![one(&[])]);
    none.planes.clear();
    none.header.planes.clear();
    none.header.size = 5;
    round_trip(&none.with_texts(["", "a", "b", "c", "d"].map(str::to_owned).to_vec()));
}

#[test]
fn batches_of_blocks() {
    let mut rng = Rng::new(3);
    let size = 600 * BLOCK + 5;
    let bytes = round_trip(&Table::new(vec![one(&cells(&mut rng, size, 3))]));
    assert!(bytes.len() < size / 4, "{} bytes for {size} cells", bytes.len());
}

#[test]
fn constant_planes_are_small() {
    for cells in [one(&vec![200; 1 << 20]), Loaded::Two(vec![60_000; 1 << 20])] {
        let bytes = round_trip(&Table::new(vec![cells]));
        let blocks = (1 << 20) / BLOCK;
        assert!(bytes.len() < 1000 + 48 * blocks, "{} bytes", bytes.len());
    }
}

#[test]
fn lists_of_texts() {
    let mut rng = Rng::new(4);
    for size in [0, 1, 2, 255, 256, 257, 1000] {
        let mut texts: Vec<String> = vec!["\n".repeat(300), "é".to_owned(), "è".to_owned()];
        texts.extend(["", " ", "\0", "x", "\u{10ffff}"].map(str::to_owned));
        while texts.len() < 2 * size + 10 {
            let length = rng.below(12);
            texts.push(
                (0..length).map(|_| ["x", "o", ".", "/", "字"][rng.below(5) as usize]).collect(),
            );
        }
        texts.sort();
        texts.dedup();
        texts.truncate(size);
        assert_eq!(texts.len(), size);
        let table = Table::new(vec![one(&cells(&mut rng, size, 9))]);
        round_trip(&table.with_texts(texts));
    }
}

#[test]
fn the_header_is_text() {
    let bytes = round_trip(&Table::new(vec![one(&[1, 2, 3])]));
    let text = "foregone table 1\ngame chess:Überzug\nrules 1 sha256:00ff\nclass KQ KR\nsize 3\n\
                width 1\nleast 7\nplane 0 1\ncount 18446744073709551615 win in 3\ncount 0 \n\
                rests-on abc K K\nrests-on  KQ\ntexts no\ncrc32 ";
    assert_eq!(String::from_utf8_lossy(&bytes[..text.len()]), text);
    let long = "x".repeat(100_000);
    let mut table = Table::new(vec![one(&[1, 2, 3])]);
    table.header.counts = (0..5000).map(|count| (format!("{count}"), count)).collect();
    table.header.class = long;
    round_trip(&table);
}

#[test]
fn what_does_not_fit_is_not_written() {
    let scratch = Scratch::new();
    let path = scratch.file("a.table");
    let table = Table::new(vec![one(&[1, 2, 3])]);
    let digest = table.write(&path, 1);
    let refused = |change: &dyn Fn(&mut Table), word: &str| {
        let mut other = table.clone();
        change(&mut other);
        let Loaded::One(cells) = &other.planes[0] else { panic!() };
        let cells: Vec<_> = cells.iter().map(|&c| std::sync::atomic::AtomicU8::new(c)).collect();
        let mut texts = other.texts.iter().flatten().cloned();
        let texts = other.texts.is_some().then_some(&mut texts as &mut dyn Iterator<Item = String>);
        let planes = [crate::Cells::One(&cells)];
        let error = write_with(2, &path, &other.header, &planes, texts, &mut |_| true).unwrap_err();
        assert!(matches!(error.problem, Problem::Unfit(_)), "{error}");
        assert!(error.to_string().contains(word), "{error}");
        // What was there is there still.
        assert_reads(&path, &table, &digest);
    };
    refused(&|t| t.header.size = 4, "number of cells");
    refused(&|t| t.header.width = crate::Width::Two, "width");
    refused(&|t| t.header.planes.clear(), "planes");
    refused(&|t| t.header.game.push('\n'), "line");
    refused(&|t| t.header.counts[0].0.push('\n'), "line");
    refused(&|t| t.header.rests_on[0].1.push(' '), "digest");
    refused(&|t| t.header.texts = true, "texts");
    let texts = |texts: [&str; 3]| texts.map(str::to_owned).to_vec();
    refused(&|t| *t = t.clone().with_texts(texts(["a", "c", "b"])), "\"b\"");
    refused(&|t| *t = t.clone().with_texts(texts(["a", "b", "b"])), "\"b\"");
    refused(&|t| *t = t.clone().with_texts(texts(["a", "b", "c"])[1..].to_vec()), "2 texts");
    assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 1);
}

#[test]
fn writing_can_be_given_up() {
    let scratch = Scratch::new();
    let path = scratch.file("a.table");
    let cells: Vec<_> = (0..3_000_000).map(|_| std::sync::atomic::AtomicU8::new(1)).collect();
    let table = Table::new(vec![one(&vec![1; cells.len()]); 2]);
    let planes = [crate::Cells::One(&cells); 2];
    let mut heard = Vec::new();
    let mut stop = |done| {
        heard.push(done);
        done < 4_000_000
    };
    let written = write_with(2, &path, &table.header, &planes, None, &mut stop).unwrap();
    assert_eq!(written, None);
    assert!(heard.is_sorted() && *heard.last().unwrap() < 6_000_000, "{heard:?}");
    assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 0);
}

#[test]
fn many_threads_read_one_table() {
    let scratch = Scratch::new();
    let path = scratch.file("a.table");
    let mut rng = Rng::new(5);
    let plane = one(&cells(&mut rng, 500 * BLOCK, 200));
    Table::new(vec![plane.clone()]).write(&path, 2);
    let file = TableFile::open(&path).unwrap();
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let (file, plane) = (&file, &plane);
            scope.spawn(move || {
                let mut rng = Rng::new(seed);
                for _ in 0..20_000 {
                    let index = rng.below_wide(500 * BLOCK as u64);
                    assert_eq!(file.cell(0, index).unwrap(), plane.get(index));
                }
            });
        }
    });
}

#[test]
fn other_files_are_refused_by_name() {
    let scratch = Scratch::new();
    let path = scratch.file("a.table");
    let open = |bytes: &[u8]| -> FileError {
        fs::write(&path, bytes).unwrap();
        TableFile::open(&path).unwrap_err()
    };
    let error = open(b"foregone certificate 2\n");
    assert!(matches!(error.problem, Problem::NotATable), "{error}");
    assert!(error.to_string().contains("a.table"), "{error}");
    let error = open(b"foregone table 2\ngame chess\n");
    assert!(error.to_string().contains("version 2"), "{error}");
    assert!(error.to_string().contains("version 1"), "{error}");
    assert!(matches!(open(b"").problem, Problem::HalfWritten));
    assert!(matches!(open(b"foregone ta").problem, Problem::HalfWritten));
    let error = TableFile::open(&scratch.file("missing.table")).unwrap_err();
    assert!(matches!(error.problem, Problem::Io(_)), "{error}");
    assert!(error.to_string().contains("missing.table"), "{error}");
}
