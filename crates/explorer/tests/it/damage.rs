//! Whatever the bytes are, nothing panics, and nothing takes for ever.

use std::sync::Arc;

use foregone_explorer::Book;
use foregone_games::registry::Opened;
use foregone_model::Rng;

use crate::common::*;

/// So many damaged copies of every file.
const COPIES: u64 = 60;

fn damage(bytes: &mut Vec<u8>, rng: &mut Rng) {
    const BYTES: &[u8] = b"0129 .!?=@#~:/\nab\xff\x00-end";
    let mut at = |bytes: &[u8]| rng.below(bytes.len().max(1) as u32) as usize;
    let (a, b) = (at(bytes), at(bytes));
    let (from, to) = (a.min(b), a.max(b).min(a.min(b) + 200));
    let byte = BYTES[at(BYTES)];
    match at(&[0; 7]) {
        0 => bytes[a] = byte,
        1 => bytes.insert(a, byte),
        2 => bytes.truncate(a),
        3 => drop(bytes.drain(from..to)),
        4 => {
            let copy = bytes[from..to].to_vec();
            bytes.splice(b.min(bytes.len())..b.min(bytes.len()), copy);
        }
        5 => {
            // A line is put elsewhere.
            let mut lines: Vec<Vec<u8>> =
                bytes.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
            let line = lines.remove(at(&vec![0; lines.len()]));
            lines.insert(at(&vec![0; lines.len()]), line);
            *bytes = lines.join(&b'\n');
        }
        _ => {
            // A number becomes another one.
            if let Some(digit) = bytes[a..].iter().position(u8::is_ascii_digit) {
                bytes.splice(a + digit..=a + digit, b"18446744073709551615".iter().copied());
            }
        }
    }
}

/// Looks at a file as a person might: a few steps down, some of them wrong.
fn look(book: &Book, game: &Opened, rng: &mut Rng) -> u32 {
    let mut seen = 0;
    let _ = book.outline();
    for certificate in 0..3 {
        let mut path: Vec<String> = Vec::new();
        for _ in 0..12 {
            let Ok(node) = book.node(game, certificate, &path, rng.below(2) as usize, 40) else {
                break;
            };
            seen += 1;
            let moves = node.view.moves.concat();
            let children: Vec<&String> = node.children.iter().map(|child| &child.played).collect();
            let next = match (rng.below(8), children.is_empty()) {
                (0, _) | (_, true) => moves.get(rng.below(moves.len().max(1) as u32) as usize),
                _ => Some(children[rng.below(children.len() as u32) as usize]),
            };
            let Some(next) = next else { break };
            path.push(next.clone());
        }
        let mut patience = 20;
        let mut goes_on = |_: f64| {
            patience -= 1;
            patience > 0
        };
        if let Ok(header) = book.header(certificate) {
            let _ = book.find(game, certificate, &[], &header.position, &mut goes_on);
            path.pop();
            let _ = book.find(game, certificate, &path, "x", &mut goes_on);
        }
        let _ = book.part(game, certificate, &path, 3, 50);
    }
    seen
}

#[test]
fn damaged_certificates_do_no_harm() {
    let (mut rng, mut seen) = (Rng::new(7), 0);
    let made = made("nim:3,4,5");
    for (name, text) in TREES.iter().chain(KEYED).chain(&[("nim", made.as_str())]) {
        let game = game_of(&indexed(text));
        for copy in 0..COPIES {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..1 + copy % 3 {
                if !bytes.is_empty() {
                    damage(&mut bytes, &mut rng);
                }
            }
            let book = Book::new(Arc::new(bytes));
            seen += look(&book, &game, &mut rng);
            let indexed = (0..100).map(|_| book.index_more(1 << 14)).find(|r| *r != Ok(false));
            assert!(indexed.is_some(), "{name}, {copy}: the index comes to no end");
            seen += look(&book, &game, &mut rng);
        }
    }
    assert!(seen > 5000, "{seen}");
}

#[test]
fn random_bytes_do_no_harm() {
    let mut rng = Rng::new(3);
    let text = TREES[0].1;
    let game = game_of(&indexed(text));
    let head = text.find("\n\n").unwrap() + 2;
    for round in 0..300 {
        let few = |rng: &mut Rng| b"ab1 :#!?=.@\n\n"[rng.below(13) as usize];
        let any = |rng: &mut Rng| rng.bits() as u8;
        let mut bytes = if round % 3 == 0 { Vec::new() } else { text.as_bytes()[..head].to_vec() };
        for _ in 0..rng.below(2000) {
            bytes.push(if round % 2 == 0 { few(&mut rng) } else { any(&mut rng) });
        }
        let book = Book::new(Arc::new(bytes));
        while book.index_more(100) == Ok(false) {}
        look(&book, &game, &mut rng);
    }
}
