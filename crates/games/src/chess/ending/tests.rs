//! Tests of the tables of endings.

use std::collections::BTreeSet;

use cozy_chess::{BoardBuilder, Color, Piece, Rank, Square};
use foregone_model::rows::{Plane, RowMoves as _};
use foregone_model::tabled::PlainMoves;
use foregone_model::{
    Class, ClassMoves as _, Indexed as _, Notation as _, Place, Rng, Tabled as _,
};

use super::numbering::{MOST, WITH_PAWNS, WITHOUT_PAWNS};
use super::placer::{MEN, Spot};
use super::rows::Rows;
use crate::chess::{Chess, State};
use crate::table_testing::{
    numbers_are_positions, places_are_equivalent, row_agrees, rows_are_moves,
};

fn class(name: &str) -> Class {
    *Chess::new().wanted(name).unwrap().last().unwrap()
}

/// Some of the numbers of a class, one in ten of them at its end, where pawns are taken in
/// passing.
fn numbers(class: Class, count: u64, rng: &mut Rng) -> Vec<u64> {
    let size = Chess::new().size(class);
    let number = |i| match i % 10 {
        0 => size - 1 - rng.below_wide(size / 100 + 1),
        _ => rng.below_wide(size),
    };
    (0..count).map(number).collect()
}

const CLASSES: [&str; 22] = [
    "KQKR", "KRKN", "KBBK", "KNNK", "KBNK", "KRKR", "KPKP", "KPPK", "KQKP", "KRPK", "KNKP",
    "KRPKR", "KPPKP", "KBPKP", "KQQQK", "KPPPK", "KRRKB", "KBNKQ", "KBNPK", "KPPKPP", "KQQQQK",
    "KRPKRP",
];

#[test]
fn two_kings_have_462_places() {
    assert_eq!(WITHOUT_PAWNS.places.len(), 462);
    assert_eq!(WITH_PAWNS.places.len(), 1806);
}

/// As many positions as Syzygy's generator has, for each side to move.
#[test]
fn as_many_positions_as_syzygy_has() {
    let game = Chess::new();
    for (name, white, black) in [
        ("KQK", 18081, 2896 + 25160),
        ("KRK", 21959, 2796 + 25260),
        ("KPK", 62480 + 19184, 35210 + 48802),
        ("KBNK", 1352913 + 6665, 309147 + 1398741),
        ("KQKR", 1108111 + 8963 + 2142, 386313 + 78518 + 883075),
    ] {
        let (class, mut count) = (class(name), [0; 2]);
        for s in (0..game.size(class)).filter_map(|index| game.position(class, index)) {
            count[s.0.side_to_move() as usize] += 1;
        }
        assert_eq!(count, [white, black], "{name}");
    }
}

#[test]
fn numbers_of_small_classes_are_positions() {
    let game = Chess::new();
    for name in ["KK", "KQK", "KRK", "KBK", "KNK", "KPK"] {
        let class = class(name);
        numbers_are_positions(&game, class, 0..game.size(class));
    }
}

#[test]
fn numbers_of_large_classes_are_positions() {
    let (game, mut rng) = (Chess::new(), Rng::new(1));
    for name in CLASSES {
        let class = class(name);
        numbers_are_positions(&game, class, numbers(class, 20_000, &mut rng).into_iter());
    }
}

#[test]
fn rows_of_small_classes_are_moves() {
    let game = Chess::new();
    for name in ["KQK", "KRK", "KBK", "KNK", "KPK"] {
        rows_are_moves(&game, class(name), 1);
    }
}

/// Two men of a kind, the same men on both sides, and pawns that meet.
#[test]
fn rows_of_four_pieces_are_moves() {
    let game = Chess::new();
    for (name, every) in [("KQKR", 997), ("KBBK", 997), ("KNKN", 997), ("KQKP", 4999)] {
        rows_are_moves(&game, class(name), every);
    }
    for (name, every) in [("KRPK", 4999), ("KPPK", 4999), ("KPKP", 1499)] {
        rows_are_moves(&game, class(name), every);
    }
}

/// All places of a position among the rows of its class, each as a row and a set.
fn places(rows: &Rows, s: &State) -> BTreeSet<(u64, u64)> {
    let kings = Color::ALL.map(|color| s.0.king(color) as u8);
    let mut spot = Spot { side: s.0.side_to_move(), kings, men: [0; MEN] };
    for (man, &(color, kind)) in rows.men.iter().enumerate() {
        let before = rows.men[..man].iter().filter(|&&other| other == (color, kind)).count();
        let square = s.0.colored_pieces(color, kind).into_iter().nth(before);
        spot.men[man] = square.unwrap() as u8;
    }
    if let Some(file) = s.0.en_passant() {
        let end = Square::new(file, Rank::Fifth.relative_to(spot.side));
        return [(rows.passing_row(&spot, end as u8), 1)].into();
    }
    let (seen, mut out) = (rows.seen(&spot), BTreeSet::new());
    for man in (0..=rows.last).filter(|&man| rows.men[man] == rows.men[rows.last]) {
        let mut spot = spot;
        spot.men.swap(man, rows.last);
        let last = spot.men[rows.last];
        out.insert((rows.row_seen(&spot, seen), 1 << seen.square(last)));
        if seen.twofold {
            let seen = seen.mirrored();
            out.insert((rows.row_seen(&spot, seen), 1 << seen.square(last)));
        }
    }
    out
}

/// With five pieces: every move is found from both ends, and what is found backwards is a move.
#[test]
fn rows_of_five_pieces_are_moves() {
    let (game, mut rng) = (Chess::new(), Rng::new(3));
    for name in ["KRPKR", "KPPKP", "KBPKP", "KQQQK", "KPPPK", "KRRKB", "KBNKQ"] {
        let class = class(name);
        let (rows, plain) = (Rows::new(&game, class).unwrap(), PlainMoves::new(&game, class));
        let [only, all, out] = [(); 3].map(|()| Plane::new(rows.rows()));
        (0..rows.rows()).for_each(|row| all.set(row, !0));
        let (mut numbers_of_row, mut steps, mut passing) = ([0; 64], Vec::new(), 0);
        for index in numbers(class, 60, &mut rng) {
            let Some(s) = game.position(class, index) else { continue };
            passing += usize::from(s.0.en_passant().is_some());
            steps.clear();
            let node = plain.look(index, &mut steps);
            let here = places(&rows, &s);
            for &(row, set) in &here {
                assert_eq!(rows.positions(row) & set, set, "{name} {index}");
                rows.numbers(row, set, &mut numbers_of_row);
                let at = set.trailing_zeros() as usize;
                assert_eq!(numbers_of_row[at], index, "{name}");
                row_agrees(&game, class, &rows, (row, at), node, &steps);
            }
            for step in steps.iter().filter(|step| step.slot == 0) {
                let next = places(&rows, &game.position(class, step.index).unwrap());
                next.iter().for_each(|&(row, set)| only.add(row, set));
                let leads = |&(row, set)| rows.leading_to(row, set, &only) == set;
                assert!(here.iter().all(leads), "{name} {index} to {}", step.index);
                next.iter().for_each(|&(row, _)| only.set(row, 0));
                next.iter().for_each(|&(row, set)| rows.add_before(row, set, &all, &out));
                let found = here.iter().all(|&(row, set)| out.get(row) & set == set);
                assert!(found, "{name} {index} from {}", step.index);
            }
            // What was found backwards is all from places after this position.
            let after: BTreeSet<u64> =
                steps.iter().filter(|s| s.slot == 0).map(|s| s.index).collect();
            for row in (0..rows.rows()).filter(|&row| out.get(row) != 0) {
                let set = out.get(row) & rows.positions(row);
                out.set(row, 0);
                rows.numbers(row, set, &mut numbers_of_row);
                for at in (0..64).filter(|at| set >> at & 1 == 1).take(2) {
                    steps.clear();
                    plain.look(numbers_of_row[at], &mut steps);
                    let leads = steps.iter().any(|s| s.slot == 0 && after.contains(&s.index));
                    assert!(leads, "{name} {} does not lead there", numbers_of_row[at]);
                }
            }
        }
        assert_eq!(passing > 0, name[1..].split('K').all(|side| side.contains('P')), "{name}");
    }
}

/// A position turned, mirrored in the diagonal, and with colours exchanged.
fn image(s: &State, flip: bool, turn: usize, diagonal: bool) -> State {
    let from = BoardBuilder::from_board(&s.0);
    let mut to = BoardBuilder::empty();
    let at = |square: usize| {
        let turned = square ^ turn;
        if diagonal { turned % 8 * 8 + turned / 8 } else { turned }
    };
    for (square, there) in from.board.iter().enumerate() {
        to.board[at(square)] = there.map(|(piece, c)| (piece, if flip { !c } else { c }));
    }
    to.side_to_move = if flip { !from.side_to_move } else { from.side_to_move };
    to.en_passant = from.en_passant.map(|square| Square::index(at(square as usize)));
    State::new(to.build().unwrap())
}

/// All mirror images of a position have its place, and are the same game.
#[test]
fn mirror_images_share_a_number() {
    let (game, mut rng) = (Chess::new(), Rng::new(2));
    for name in CLASSES {
        let class = class(name);
        let mut passing = 0;
        for index in numbers(class, 1_000, &mut rng) {
            let Some(s) = game.position(class, index) else { continue };
            passing += usize::from(s.0.en_passant().is_some());
            let pawns = !s.0.pieces(Piece::Pawn).is_empty();
            let mut images = vec![(false, 0, false), (false, 7, false), (true, 56, false)];
            images.push((true, 63, false));
            if !pawns {
                images.extend([56, 63].map(|turn| (false, turn, false)));
                images.extend([0, 7].map(|turn| (true, turn, false)));
                images.extend_from_within(..);
                images[8..].iter_mut().for_each(|image| image.2 = true);
            }
            let seen: BTreeSet<_> = images.iter().collect();
            assert_eq!(seen.len(), if pawns { 4 } else { 16 });
            for (flip, turn, diagonal) in images {
                let s = image(&s, flip, turn, diagonal);
                let place = game.place(&s).unwrap();
                let expected = Place { flip, ..Place::new(class, index) };
                assert_eq!(place, expected, "{name} {index} {}", game.position_text(&s));
                places_are_equivalent(&game, &s);
            }
        }
        assert_eq!(passing > 0, name[1..].split('K').all(|side| side.contains('P')), "{name}");
    }
}

#[test]
fn only_endings_of_ordinary_chess_have_a_place() {
    let place = |game: &Chess, fen| game.place(&game.read_position(fen).unwrap());
    let game = Chess::new();
    for fen in [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/ppp5/8/8/8/8/PP6/4K3 w - - 0 1",
    ] {
        assert_eq!(place(&game, fen), None, "{fen}");
    }
    let rook = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
    assert_eq!(place(&game, rook).map(|p| p.class), Some(class("KRK")));
    assert_eq!(place(&Chess::series(), rook), None);
    assert!(Chess::series().wanted("KRK").is_err());
    // What is no class has no positions.
    for class in [Class(1), Class(7 << 36), Class(u64::MAX), Class(1 << 40)] {
        assert_eq!((game.size(class), game.position(class, 0)), (0, None));
        assert!(game.leads_to(class).is_empty());
    }
}

#[test]
fn endings_are_named() {
    let game = Chess::new();
    let names = |text: &str| {
        let classes = game.wanted(text).unwrap();
        classes.iter().map(|&class| game.class_name(class)).collect::<Vec<_>>()
    };
    assert_eq!(names("KK"), ["KK"]);
    assert_eq!(names("KQKR"), ["KK", "KRK", "KQK", "KQKR"]);
    for other in ["KRKQ", "kqkr", "kqvkr", "KQvKR", "krVkq"] {
        assert_eq!(names(other), names("KQKR"), "{other}");
    }
    assert_eq!(names("KBNPKQ").last().unwrap(), "KBNPKQ");
    assert_eq!(names("kknbpq").last().unwrap(), "KQBNPK");
    let promotions: BTreeSet<String> = names("KPK").into_iter().collect();
    assert_eq!(promotions, ["KK", "KNK", "KBK", "KRK", "KQK", "KPK"].map(String::from).into());
    // All sets of three and four pieces, the kings alone beside them, and those of five.
    for (pieces, count) in [("2", 1), ("3", 1 + 5), ("4", 1 + 35), ("5", 1 + 35 + 110)] {
        let classes = game.wanted(pieces).unwrap();
        assert_eq!(classes.len(), count, "{pieces}");
        for (at, &class) in classes.iter().enumerate() {
            assert!(game.leads_to(class).iter().all(|below| classes[..at].contains(below)));
        }
    }
    assert!(game.wanted(&MOST.to_string()).is_ok());
}

#[test]
fn what_is_no_ending_is_told() {
    for (text, at, message) in [
        ("", 0..0, "KQKR"),
        ("7", 0..1, "2 to 6 pieces"),
        ("1", 0..1, "2 to 6 pieces"),
        ("+4", 0..1, "begins with K"),
        ("QKR", 0..1, "begins with K"),
        ("KQxKR", 2..3, "`x` is not a piece"),
        ("KQKé", 3..5, "`é` is not a piece"),
        ("KQvvKR", 2..3, "`v` is not a piece"),
        ("KQKRv", 4..5, "`v` is not a piece"),
        ("KQR", 0..3, "a king, too: KQRK"),
        ("KQKRK", 4..5, "one king"),
        ("KQQQQQK", 5..6, "up to 6 pieces"),
    ] {
        let error = Chess::new().wanted(text).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.span, at, "{text}");
    }
}
