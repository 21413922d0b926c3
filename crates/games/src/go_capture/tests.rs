//! Tests of hunts: rules, positions and records.

use std::collections::BTreeSet;
use std::path::Path;

use foregone_model::{Notation as _, Rng, Typed as _};

use super::record::read_file;
use super::*;
use crate::board;
use crate::files::FromDisk;
use crate::stones::testing::Slow;
use crate::testing;

type Point = (usize, usize);

/// Blocks and captures on a board of symbols, without bits; row 1 is the first.
struct Board(Vec<Vec<char>>);

impl Board {
    fn around(&self, (r, c): Point) -> Vec<Point> {
        let steps = [(r + 1, c), (r.wrapping_sub(1), c), (r, c + 1), (r, c.wrapping_sub(1))];
        let inside = |&(r, c): &Point| r < self.0.len() && c < self.0[0].len();
        steps.into_iter().filter(inside).collect()
    }

    fn at(&self, (r, c): Point) -> char {
        self.0[r][c]
    }

    /// The block of a stone and its liberties.
    fn block(&self, stone: Point) -> (BTreeSet<Point>, BTreeSet<Point>) {
        let (mut block, mut liberties) = (BTreeSet::from([stone]), BTreeSet::new());
        let mut todo = vec![stone];
        while let Some(p) = todo.pop() {
            for q in self.around(p) {
                if self.at(q) == '.' {
                    liberties.insert(q);
                } else if self.at(q) == self.at(stone) && block.insert(q) {
                    todo.push(q);
                }
            }
        }
        (block, liberties)
    }

    /// The board after a move and what it took; nothing if it is illegal, leaving ko aside.
    fn after(&self, colour: char, p: Point) -> Option<(Board, BTreeSet<Point>)> {
        let mut next = Board(self.0.clone());
        next.0[p.0][p.1] = colour;
        let mut taken = BTreeSet::new();
        for q in self.around(p) {
            if ![colour, '.'].contains(&self.at(q)) && next.block(q).1.is_empty() {
                taken.extend(next.block(q).0);
            }
        }
        for &(r, c) in &taken {
            next.0[r][c] = '.';
        }
        (!next.block(p).1.is_empty()).then_some((next, taken))
    }
}

/// Compares moves and what they do with the slow board, for both colours.
fn agrees_with_the_slow_board<W: Word>(game: &GoCapture<W>, s: &State<W>) {
    let text = game.position_text(s);
    let cols = game.grid.cols as usize;
    let point = |m: u16| (usize::from(m) / cols, usize::from(m) % cols);
    let board = Board(Slow::read(&text.to_lowercase().replace('*', ".")).0);
    let (hunted, hunter) = if game.hunted == Side::Max { ('x', 'o') } else { ('o', 'x') };
    let target = point(s.target);
    let gone = board.at(target) != hunted;
    assert_eq!(game.holds(s, CAPTURED), gone, "{text}");
    if gone {
        assert_eq!(game.turn(s), Turn::Over, "{text}");
        assert_eq!(game.outcome(s), won_by(game.hunted.other()));
        return;
    }
    let (block, liberties) = board.block(target);
    for n in 0..=4 {
        let atom = game.read_atom(&format!("liberties({n})")).unwrap();
        assert_eq!(game.holds(s, atom), liberties.len() <= n, "{text}");
    }
    assert_eq!(game.holds(s, ATARI), liberties.len() == 1, "{text}");
    for side in [Side::Max, Side::Min] {
        let own = if side == game.hunted { hunted } else { hunter };
        let mut wanted = liberties.clone();
        if game.wide {
            for _ in 0..2 {
                let next = wanted.iter().flat_map(|&p| board.around(p));
                let next: Vec<Point> = next.filter(|&p| board.at(p) == '.').collect();
                wanted.extend(next);
            }
        }
        let beside = block.iter().flat_map(|&p| board.around(p));
        let weak = beside.filter(|&q| board.at(q) == hunter && board.block(q).1.len() <= 2);
        for q in weak.filter(|_| game.wide && own == hunter) {
            wanted.extend(board.block(q).1);
            for r in board.block(q).0.iter().flat_map(|&p| board.around(p)) {
                if board.at(r) == hunted && board.block(r).1.len() == 1 {
                    wanted.extend(board.block(r).1);
                }
            }
        }
        if own == hunted {
            for q in block.iter().flat_map(|&p| board.around(p)) {
                if board.at(q) == hunter && board.block(q).1.len() <= 2 {
                    wanted.extend(board.block(q).1);
                }
            }
        }
        if side == s.turn && s.ko != NOWHERE {
            wanted.remove(&point(s.ko));
        }
        wanted.retain(|&p| board.after(own, p).is_some());
        let mut moves = Vec::new();
        game.moves(s, side.agent(), &mut moves);
        assert_eq!(moves.last() == Some(&PASS), own == hunted, "{text}");
        let places: Vec<u16> = moves.iter().copied().filter(|&m| m != PASS).collect();
        let found: Vec<Point> = places.iter().map(|&m| point(m)).collect();
        assert_eq!(found, wanted.into_iter().collect::<Vec<_>>(), "{text}");
        if s.turn == side {
            let over =
                own == hunter && (liberties.len() >= game.escape as usize || places.is_empty());
            assert_eq!(game.turn(s) == Turn::Over, over, "{text}");
            assert!(!over || game.outcome(s) == won_by(game.hunted), "{text}");
        }
        for m in places {
            let mut next = *s;
            game.play(&mut next, side.agent(), m);
            let (after, taken) = board.after(own, point(m)).unwrap();
            let mut expected: Vec<Vec<char>> = after.0.clone();
            let (r, c) = target;
            expected[r][c] = match expected[r][c] {
                '.' => '*',
                stone => stone.to_ascii_uppercase(),
            };
            let mut expected = Slow(expected).text(PLAYERS[side.other().index()]);
            let (own_block, own_liberties) = after.block(point(m));
            if taken.len() == 1 && own_block.len() == 1 && own_liberties == taken {
                let &(r, c) = taken.first().unwrap();
                expected.push_str(" ko:");
                board::write_cell(r as u32, c as u32, &mut expected);
            }
            assert_eq!(game.position_text(&next), expected, "{text}");
            assert_eq!(game.read_position(&expected), Ok(next), "{text}");
        }
    }
}

/// A position of stones thrown at random, one of them marked, or nothing.
fn random_position<W: Word>(game: &GoCapture<W>, rng: &mut Rng) -> Option<State<W>> {
    let (rows, cols) = (game.grid.rows as usize, game.grid.cols as usize);
    let mut slow = Slow::random(rows, cols, rng);
    let own = if game.hunted == Side::Max { 'x' } else { 'o' };
    let stones: Vec<Point> =
        slow.points().into_iter().filter(|&(r, c)| slow.0[r][c] == own).collect();
    if stones.is_empty() {
        return None;
    }
    let (r, c) = stones[rng.below(stones.len() as u32) as usize];
    slow.0[r][c] = own.to_ascii_uppercase();
    game.read_position(&slow.text(PLAYERS[rng.below(2) as usize])).ok()
}

#[test]
fn moves_agree_with_a_board_without_bits() {
    fn check<W: Word>(sizes: &[(u32, u32)]) {
        let mut rng = Rng::new(1);
        let (mut seen, mut kos) = (0, 0);
        for (&(rows, cols), escape) in sizes.iter().zip([3, 2, 4, 3, 5]) {
            for hunted in [Side::Max, Side::Min] {
                let game: GoCapture<W> = GoCapture::new(rows, cols, escape, hunted);
                for round in 0..600 {
                    let game = if round < 400 { game.clone() } else { game.clone().widely() };
                    let Some(mut s) = random_position(&game, &mut rng) else { continue };
                    for _ in 0..12 {
                        agrees_with_the_slow_board(&game, &s);
                        seen += 1;
                        kos += u32::from(s.ko != NOWHERE);
                        let Some(agent) = game.turn(&s).mover() else { break };
                        let mut moves = Vec::new();
                        game.moves(&s, agent, &mut moves);
                        let m = moves[rng.below(moves.len() as u32) as usize];
                        game.play(&mut s, agent, m);
                    }
                }
            }
        }
        assert!(seen > 1000 && kos > 5, "{seen} {kos}");
    }
    check::<u64>(&[(2, 2), (3, 3), (4, 5), (7, 9)]);
    check::<u128>(&[(2, 7), (5, 5), (9, 9), (11, 11)]);
    check::<Wide>(&[(3, 4), (5, 5), (13, 13), (19, 19)]);
}

#[test]
fn texts_round_trip() {
    for hunted in [Side::Max, Side::Min] {
        testing::texts_round_trip(&GoCapture::<u64>::new(2, 2, 3, hunted), 20);
        testing::texts_round_trip(&GoCapture::<u128>::new(9, 9, 3, hunted), 100);
        testing::texts_round_trip(&GoCapture::<Wide>::new(19, 19, 4, hunted), 100);
        testing::texts_round_trip(&GoCapture::<u64>::new(5, 5, 4, hunted).widely(), 10);
        testing::nonsense_is_refused(&GoCapture::<u64>::new(5, 5, 3, hunted));
    }
}

#[test]
fn all_words_play_the_same_game() {
    let small = GoCapture::<u64>::new(7, 8, 4, Side::Min);
    let middle = GoCapture::<u128>::new(7, 8, 4, Side::Min);
    let large = GoCapture::<Wide>::new(7, 8, 4, Side::Min);
    testing::same_game(&small, &middle, 50);
    testing::same_game(&small, &large, 50);
}

fn value<W: Word>(game: &GoCapture<W>, position: &str) -> Outcome {
    testing::solve_with_loops(game, &game.read_position(position).unwrap())
}

#[test]
fn small_hunts_by_hand() {
    let game: GoCapture<u64> = GoCapture::new(5, 5, 3, Side::Min);
    let (caught, escaped) = (Outcome::WIN, Outcome::LOSS);
    for (position, expected) in [
        // A stone in atari is taken, or runs into the open.
        ("...../..x../.xOx./...../..... black", caught),
        ("...../..x../.xOx./...../..... white", escaped),
        // Along the edge there is nowhere to run, unless the stone in the corner can be taken.
        ("...../...../...../xx.../xO... white", caught),
        ("...../...../...../.x.../xO... white", escaped),
        // The stone beside it can be taken first.
        ("...../...../oo.../.xx../xO... white", escaped),
    ] {
        assert_eq!(value(&game, position), expected, "{position}");
    }
    // The same with the colours exchanged.
    let game: GoCapture<u64> = GoCapture::new(5, 5, 3, Side::Max);
    assert_eq!(value(&game, "...../..o../.oXo./...../..... white"), Outcome::LOSS);
    assert_eq!(value(&game, "...../..o../.oXo./...../..... black"), Outcome::WIN);
}

/// Whether the hunter wins within so many moves.
fn caught_within<W: Word>(game: &GoCapture<W>, s: &State<W>, depth: u32) -> bool {
    let Some(agent) = game.turn(s).mover() else {
        return game.outcome(s) == won_by(game.hunted.other());
    };
    let next = testing::next_states(game, s, agent);
    depth > 0
        && match Side::of(agent) == game.hunted {
            true => next.iter().all(|t| caught_within(game, t, depth - 1)),
            false => next.iter().any(|t| caught_within(game, t, depth - 1)),
        }
}

#[test]
fn a_net_catches_what_a_ladder_does_not() {
    let game: GoCapture<u64> = GoCapture::new(6, 6, 3, Side::Min);
    let net = "....../....../....o./x...../xO..../.xx... black";
    assert_eq!(value(&game, net), Outcome::LOSS);
    let wide = game.clone().widely();
    let s = wide.read_position(net).unwrap();
    assert!(caught_within(&wide, &s, 5) && !caught_within(&wide, &s, 3));
    let mut after = s;
    let m = wide.read_move(&s, "c3").unwrap();
    wide.play(&mut after, Agent(0), m);
    assert!(caught_within(&wide, &after, 4));
    assert!(game.read_move(&s, "c3").is_err());
}

#[test]
fn plays_are_counted() {
    // The counts of problems/oracle.py.
    fn check<W: Word>(game: &GoCapture<W>, position: &str, counts: &[u64]) {
        let s = game.read_position_or_moves(position).unwrap();
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(testing::perft(game, &s, depth), count, "{}", game.name());
        }
    }
    let ko = ".xo../x.xo./.xO../...../..... white";
    check(&GoCapture::<u64>::new(5, 5, 3, Side::Min), ko, &[4, 2, 8, 6, 12, 14, 32, 32]);
    let (start, nine) = ("start", GoCapture::<u128>::new(9, 9, 3, Side::Min));
    check(&nine, start, &[2, 10, 10, 10, 12, 21, 23, 31]);
    let nine = GoCapture::<Wide>::new(9, 9, 3, Side::Max);
    check(&nine, start, &[5, 6, 28, 28, 47, 57, 115]);
    check(&GoCapture::<u64>::new(7, 9, 4, Side::Min), start, &[2, 10, 13, 23, 38, 117]);
    check(&GoCapture::<Wide>::new(19, 19, 3, Side::Min), start, &[2, 10, 10, 10, 12, 21]);
}

#[test]
fn a_ko_is_closed_for_one_move() {
    let game: GoCapture<u64> = GoCapture::new(3, 4, 3, Side::Min);
    let mut s = game.read_position(".xo./x.Xo/.xo. white");
    assert!(s.is_err(), "the target is white");
    s = game.read_position(".xo./xO.o/.xo. black");
    let mut s = s.unwrap();
    let m = game.read_move(&s, "c2").unwrap();
    game.play(&mut s, Agent(0), m);
    assert_eq!(game.position_text(&s), ".xo./x*xo/.xo. white ko:b2");
    assert_eq!(game.turn(&s), Turn::Over);
    // A ko beside the target: White takes, and Black may not take back at once.
    let game: GoCapture<u64> = GoCapture::new(3, 5, 3, Side::Min);
    let mut s = game.read_position(".xo../x.xo./.xO.. white").unwrap();
    let m = game.read_move(&s, "b2").unwrap();
    game.play(&mut s, Agent(1), m);
    assert_eq!(game.position_text(&s), ".xo../xo.o./.xO.. black ko:c2");
    assert!(game.read_move(&s, "c2").is_err());
    assert!(game.read_move(&s, "d1").is_ok());
    // Without the ko there is no such ban. Out of turn White may fill it.
    let open = game.read_position(".xo../xo.o./.xO.. black").unwrap();
    assert!(game.read_move(&open, "c2").is_ok());
    let mut moves = Vec::new();
    game.moves(&s, Agent(1), &mut moves);
    assert!(moves.contains(&game.parse_move(&s, "c2").unwrap()));
    for bad in ["ko:a3", "ko:b2", "ko:z9", "ko:", "ko:c2 ", "ko"] {
        let text = format!(".xo../xo.o./.xO.. black {bad}");
        let error = game.read_position(&text).unwrap_err();
        assert!(text.get(error.span).is_some(), "{text}");
    }
}

#[test]
fn positions_that_are_none_are_refused() {
    let game: GoCapture<u64> = GoCapture::new(2, 3, 3, Side::Min);
    for (text, at) in [
        (".../.o. black", 0..7),
        ("..O/.O. black", 0..7),
        ("..O/.X. black", 0..7),
        ("..O/*.. black", 0..7),
        (".../.X. black", 0..7),
        ("Ox./x.. black", 0..1),
        ("O../.x. black ko:b1", 14..19),
    ] {
        assert_eq!(game.read_position(text).unwrap_err().span, at, "{text}");
    }
    let s = game.read_position("x../.O. white").unwrap();
    assert_eq!(game.draw(&s), "  2  x . .\n  1  . O .\n     a b c\n");
}

#[test]
fn records_are_read() {
    let game: GoCapture<u64> = GoCapture::new(3, 4, 3, Side::Min);
    let text = "(;SZ[4:3]AB[aa:bb]AE[ba]AW[cc]PL[W];W[db];B[ca](;W[];B[cb])(;W[cb]))";
    for (suffix, position) in [
        ("@C1", "x.x./xxxo/..O. white"),
        ("@c1#1", "x.../xx../..O. white"),
        ("@C1#2", "x.../xx.o/..O. black"),
        ("@D2#3", "x.x./xx.O/..o. white"),
        ("@D2#4", "x.x./xx.O/..o. black"),
        ("@D2#5", "x.x./xxxO/..o. white"),
    ] {
        let s = game.read_position(&format!("{text}{suffix}")).unwrap();
        assert_eq!(game.position_text(&s), position, "{suffix}");
    }
    // Captures are made, and a ko is seen.
    let ko = "(;SZ[4:3]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb])@C3";
    let s = game.read_position(ko).unwrap();
    assert_eq!(game.position_text(&s), ".xO./x.xo/.xo. white ko:b2");
    for bad in [
        "(;SZ[4:3]AW[aa])",
        "(;SZ[4:3]AW[aa])@",
        "(;SZ[4:3]AW[aa])@E3",
        "(;SZ[4:3]AW[aa])@A4",
        "(;SZ[4:3]AW[aa])@A03",
        "(;SZ[4:3]AW[aa])@A3#",
        "(;SZ[4:3]AW[aa])@A3#0",
        "(;SZ[4:3]AW[aa])@A3#2",
        "(;SZ[4:3]AW[aa])@A1",
        "(;SZ[4:3]AB[aa])@A3",
        "(;SZ[4:3]AW[aa];B[aa])@A3",
        "(;SZ[4:3]AW[aa]AB[ba][ab])@A3",
        "(;SZ[4:3]AW[ba][ab]AB[dc];B[aa])@B3",
        "(;AW[aa])@A19",
        "sgf:@A1",
        "sgf:no/such/file.sgf@A1",
        "sgf:no/such/file.sgf",
    ] {
        let error = game.read_position(bad).unwrap_err();
        assert!(bad.get(error.span).is_some() && !error.message.is_empty(), "{bad}");
    }
    let error = game.read_position("(;SZ[9]AW[aa])@A9").unwrap_err();
    assert!(error.message.ends_with("type go-capture:9x9,3,white"), "{error}");
    assert_eq!(error.span, 5..6);
    let error = game.read_position("(;SZ[4:3]AB[aa])@A3").unwrap_err();
    assert!(error.message.contains("go-capture:3x4,3,black hunts"), "{error}");
    // A file, whose comments may be in any encoding, and whose name may have an `@`.
    let file = std::env::temp_dir().join(format!("foregone@{}.sgf", std::process::id()));
    let path = file.display();
    let game = game.with_loader(Arc::new(FromDisk));
    std::fs::write(&file, b"(;SZ[4:3]C[\xe9]AB[aa:bb]AW[cc];B[ca];W[db])").unwrap();
    let s = game.read_position(&format!("sgf:{path}@C1#2")).unwrap();
    assert_eq!(game.position_text(&s), "xxx./xx../..O. white");
    std::fs::write(&file, "(;SZ[4:3]AW[cc];B[cc])").unwrap();
    let text = format!("sgf:{path}@C1");
    let error = game.read_position(&text).unwrap_err();
    assert_eq!(text[error.span.clone()], path.to_string(), "{error}");
    std::fs::remove_file(&file).unwrap();
    let wide: GoCapture<Wide> = GoCapture::new(19, 19, 3, Side::Min);
    let s = wide.read_position("(;FF[4]AB[bs]AW[cs]PL[B])@C1").unwrap();
    assert!(wide.position_text(&s).ends_with("/.xO................ black"));
}

#[test]
fn mangled_texts_are_no_harm() {
    let game: GoCapture<u128> = GoCapture::new(9, 9, 3, Side::Min);
    let start = game.position_text(&game.start());
    let good = [
        start.as_str(),
        "(;FF[4]SZ[9]C[a\\]b]AB[ba:bc]AW[aa];B[ee];W[];B[cc](;W[dd])(;W[ee]))@A9#3",
        "sgf:no/such/file@A1#2",
    ];
    let bits: Vec<char> = "()[];:\\@#aAiI109xXoO*./ ékB".chars().collect();
    let mut rng = Rng::new(4);
    let mut read = 0;
    for i in 0..30_000 {
        let mut text: Vec<char> = good[i % good.len()].chars().collect();
        for _ in 0..=rng.below(3) {
            let at = rng.below(text.len() as u32 + 1) as usize;
            let new = bits[rng.below(bits.len() as u32) as usize];
            match rng.below(4) {
                0 => text.insert(at, new),
                1 if at < text.len() => text[at] = new,
                2 if at < text.len() => drop(text.remove(at)),
                _ => text.truncate(at.max(1)),
            }
            if text.is_empty() {
                text.push(new);
            }
        }
        let text: String = text.into_iter().collect();
        match game.read_position(&text) {
            Err(error) => assert!(text.get(error.span).is_some(), "{text}"),
            Ok(s) => {
                read += 1;
                let written = game.position_text(&s);
                assert_eq!(game.read_position(&written), Ok(s), "{text}");
                if let Some(agent) = game.turn(&s).mover() {
                    let mut moves = Vec::new();
                    game.moves(&s, agent, &mut moves);
                    assert!(!moves.is_empty(), "{text}");
                }
            }
        }
        let _ = (game.parse_move(&game.start(), &text), game.read_atom(&text));
    }
    assert!(read > 500, "{read}");
}

#[test]
fn the_best_liberties_come_first() {
    let game: GoCapture<u64> = GoCapture::new(5, 5, 3, Side::Min);
    let s = game.read_position("...../..x../.xOx./...../..... white").unwrap();
    assert_eq!(testing::ordered_names(&game, &s), ["c2", "pass"]);
    let s = game.read_position("...../...../.x.../xO.../..... black").unwrap();
    assert_eq!(testing::ordered_names(&game, &s), ["c2", "b1"]);
    for text in ["", "liberties", "liberties()", "liberties(x)", "liberties(26)", "Atari"] {
        assert_eq!(game.read_atom(text), None, "{text}");
    }
}

/// What is asked of a position of the ladder tests.
struct Question {
    number: String,
    point: String,
    answer: String,
}

/// Whether the hunter captures the stone on a point of a record when this side moves first.
fn ladder(record: &str, point: &str, plays: &[String], hunter_first: bool) -> bool {
    let (path, number) = record.split_once('@').unwrap_or((record, ""));
    let (rows, cols) = sgf::read(&read_file(&FromDisk, path).unwrap()).unwrap().size;
    let read = |hunted| {
        let game: GoCapture<Wide> =
            GoCapture::new(rows, cols, 3, hunted).with_loader(Arc::new(FromDisk));
        let s = game.read_position(&format!("sgf:{path}@{point}{number}"));
        s.map(|s| (game, s))
    };
    let (game, mut s) = read(Side::Max).or_else(|_| read(Side::Min)).unwrap();
    for play in plays {
        let (colour, point) = play.split_once(' ').unwrap();
        let side = if colour == "b" { Side::Max } else { Side::Min };
        let point = game.gtp_point(point).unwrap();
        game.place(&mut s, side, u32::from(point));
    }
    let turn = if hunter_first { game.hunted.other() } else { game.hunted };
    if s.turn != turn {
        s.turn = turn;
        s.ko = NOWHERE;
    }
    testing::solve_with_loops(&game, &s) == won_by(game.hunted.other())
}

/// The ladder tests of the program Fuego, if they are there. Each position is asked twice,
/// as either side may move first. Test 100 is why the hunted side may also threaten a block:
/// with captures alone it has no defence there.
#[test]
fn ladders_have_their_known_answers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/go/regression");
    let Ok(tests) = std::fs::read_to_string(folder.join("ladder.tst")) else {
        eprintln!("skipped: all ladder tests, there is no {}", folder.display());
        return;
    };
    let (mut record, mut plays) = (String::new(), Vec::new());
    let mut open: Option<Question> = None;
    let (mut right, mut skipped) = (0, 0);
    for line in tests.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["loadsgf", path] => {
                record = folder.join(path).display().to_string();
                plays.clear();
            }
            ["loadsgf", path, number] => {
                record = format!("{}@#{number}", folder.join(path).display());
                plays.clear();
            }
            ["play", colour, point] => plays.push(format!("{colour} {point}")),
            [number, "go_ladder" | "go_static_ladder", point] => {
                let (number, point) = (number.to_owned(), point.to_owned());
                open = Some(Question { number, point, answer: String::new() });
            }
            ["#?", answer] => {
                let Some(mut question) = open.take() else {
                    skipped += 1;
                    continue;
                };
                question.answer = answer.trim_matches(['[', ']']).to_owned();
                let first = ladder(&record, &question.point, &plays, true);
                let second = ladder(&record, &question.point, &plays, false);
                let found = match (first, second) {
                    (true, true) => "captured",
                    (true, false) => "unsettled",
                    _ => "escaped",
                };
                assert_eq!(found, question.answer, "test {} of {record}", question.number);
                right += 1;
            }
            _ => {}
        }
    }
    eprintln!("{right} ladder tests right, {skipped} skipped");
    assert!(right >= 10, "{right}");
}
