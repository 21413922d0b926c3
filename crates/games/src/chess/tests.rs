//! Tests of the rules of chess.

use foregone_model::{Guide as _, Notation as _, Rng, Typed as _};

use super::*;

fn read(fen: &str) -> State {
    Chess::new().read_position(fen).unwrap()
}

/// Positions with castling, promotions and captures in passing.
const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "4k3/P6P/8/3pP3/8/8/p6p/R3K2R w KQ d6 0 1",
    "4R3/8/8/8/1b2K3/8/8/6k1 b - - 0 1",
];

#[test]
fn texts_read_back() {
    for fen in POSITIONS {
        assert_eq!(Chess::new().position_text(&read(fen)), fen);
    }
}

/// Only a check can mate, so a filter may keep nothing but checks, and must keep all of them.
#[test]
fn every_check_may_finish() {
    let (game, mut rng) = (Chess::new(), Rng::new(4));
    let (mut checks, mut kept, mut all) = (0, 0, 0);
    for fen in POSITIONS.iter().cycle().take(120) {
        let mut s = read(fen);
        for _ in 0..60 {
            let Some(on_turn) = game.turn(&s).mover() else { break };
            for who in [Agent(0), Agent(1)] {
                let (mut moves, mut finishing) = (Vec::new(), Vec::new());
                game.moves(&s, who, &mut moves);
                game.finishing(&s, who, &mut finishing);
                all += moves.len();
                kept += finishing.len();
                for m in moves {
                    let mut next = s.clone();
                    game.play(&mut next, who, m);
                    if !next.0.checkers().is_empty() {
                        checks += 1;
                        let text = game.position_text(&s);
                        assert!(finishing.contains(&m), "{text}: {m}");
                    }
                }
            }
            let mut moves = Vec::new();
            game.moves(&s, on_turn, &mut moves);
            let m = moves[rng.below(moves.len() as u32) as usize];
            game.play(&mut s, on_turn, m);
        }
    }
    assert!(checks > 5000 && kept * 4 < all, "{checks} {kept} {all}");
}

#[test]
fn each_move_has_one_text() {
    let (game, s) = (Chess::new(), read(POSITIONS[1]));
    // As certificates write it, and a legal one.
    let legal = |s: &State, text: &str| {
        let mut moves = Vec::new();
        game.moves(s, agent(s.0.side_to_move()), &mut moves);
        game.parse_move(s, text).filter(|m| moves.contains(m))
    };
    for (text, castles) in [("e1g1", "e1h1"), ("e1c1", "e1a1"), ("e2a6", "e2a6")] {
        let m = game.read_move(&s, text).unwrap();
        assert_eq!(m.to_string(), castles);
        assert_eq!(game.move_text(&s, m), text);
    }
    // As the rules write castling, as people do, and what their reader passes over.
    let others = ["e1h1", "e1a1", "O-O", "0-0", "Kh1", "Kxh1", "Kg1", "Ke1h1", "e1g1k"];
    for text in others.iter().chain(&["Bxa6", "e2a6k", "e2a6p", "E2A6", "e2a6q", "e2a6 "]) {
        assert_eq!(legal(&s, text), None, "{text}");
    }
    for text in ["e1e2", "e1h1x", "Nz9", "é", "e7e8q", "e1", "e1ég1", ""] {
        assert_eq!(legal(&s, text), None, "{text}");
    }
    // People may type algebraic notation.
    for (text, plain) in [("O-O", "e1g1"), ("Bxa6", "e2a6")] {
        assert_eq!(game.read_move(&s, text).ok(), legal(&s, plain), "{text}");
    }
    let s = read(POSITIONS[4]);
    assert!(legal(&s, "a7a8q").is_some());
    for text in ["a7a8", "a7a8k", "a7a8p", "a7a8qq", "a7a8Q", "a8=Q", "a7a8q#"] {
        assert_eq!(legal(&s, text), None, "{text}");
    }
    // Nor does a side that is not on turn castle otherwise.
    let s = read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(game.parse_move_of(&s, Agent(1), "e8h8"), None);
    let castles = game.parse_move_of(&s, Agent(1), "e8g8").unwrap();
    assert_eq!(castles.to_string(), "e8h8");
}

/// Whoever gets to a position and however it is written: there is one text, and one state.
#[test]
fn each_position_has_one_text() {
    let game = Chess::new();
    for (fen, text) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w qQkK", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("  4k3/8/8/8/8/8/8/4K3\tb -  - 17 99\n", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        // Nobody stands beside the pawn; one does; one does that is pinned.
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"),
        ("3k4/8/8/8/3pP3/8/8/3RK3 b - e3", "3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1"),
        // The king is in check by that pawn, and only in the second it may be taken.
        ("8/8/8/3k4/4P3/8/8/4K3 b - e3", "8/8/8/3k4/4P3/8/8/4K3 b - - 0 1"),
        ("8/8/8/3k4/3pP3/8/8/4K3 b - e3", "8/8/8/3k4/3pP3/8/8/4K3 b - e3 0 1"),
    ] {
        let s = read(fen);
        assert_eq!(game.position_text(&s), text, "{fen}");
        assert_eq!(read(text), s, "{fen}");
        assert_eq!(game.pack(&read(text)), game.pack(&s), "{fen}");
    }
    let mut rng = Rng::new(7);
    let (mut plies, mut passing) = (0, 0);
    for fen in POSITIONS.iter().cycle().take(300) {
        let mut s = read(fen);
        for _ in 0..40 {
            let text = game.position_text(&s);
            assert_eq!(read(&text), s, "{text}");
            let mut moves = Vec::new();
            let who = Agent(u8::from(rng.below(2) == 0));
            game.moves(&s, who, &mut moves);
            if moves.is_empty() {
                continue;
            }
            let m = moves[rng.below(moves.len() as u32) as usize];
            game.play(&mut s, who, m);
            plies += 1;
            passing += u32::from(s.0.en_passant().is_some());
        }
    }
    assert!(plies > 5000 && passing > 10, "{plies} {passing}");
}

#[test]
fn propositions_say_what_stands_on_the_board() {
    let game = Chess::new();
    let holds = |fen: &str, text: &str| game.holds(&read(fen), game.read_atom(text).unwrap());
    assert!(holds(POSITIONS[2], "captured(q)") && !holds(POSITIONS[0], "captured(q)"));
    assert!(holds(POSITIONS[4], "on(P,a7)") && !holds(POSITIONS[4], "on(P,b7)"));
    assert!(holds(POSITIONS[2], "attacked(P)") && !holds(POSITIONS[0], "attacked(p)"));
    assert!(holds("k6R/8/1K6/8/8/8/8/8 b - - 0 1", "mate"));
    assert!(holds("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", "stalemate"));
    for text in ["captured()", "captured(x)", "on(P)", "on(P,z9)", "checks", "on(PP,a1)"] {
        assert_eq!(game.read_atom(text), None, "{text}");
    }
}

#[test]
fn who_is_not_on_turn_moves_unless_the_other_is_in_check() {
    let game = Chess::new();
    let count = |fen: &str, agent| {
        let mut moves = Vec::new();
        game.moves(&read(fen), Agent(agent), &mut moves);
        moves.len()
    };
    assert_eq!(count(POSITIONS[0], 1), 20);
    assert_eq!(count("4k3/8/8/8/8/8/8/K3R3 b - - 0 1", 0), 0);
    assert!(count("3k4/8/8/8/8/8/8/K3R3 b - - 0 1", 0) > 10);
}

/// Standard Algebraic Notation as players write it.
#[test]
fn moves_are_written_as_players_write_them() {
    let game = Chess::new();
    for (fen, coordinates, san) in [
        (POSITIONS[0], "g1f3", "Nf3"),
        (POSITIONS[0], "e2e4", "e4"),
        (POSITIONS[1], "e1g1", "O-O"),
        (POSITIONS[1], "e1c1", "O-O-O"),
        (POSITIONS[1], "d5e6", "dxe6"),
        (POSITIONS[1], "e5f7", "Nxf7"),
        (POSITIONS[4], "e5d6", "exd6"),
        (POSITIONS[4], "a7a8q", "a8=Q+"),
        (POSITIONS[4], "h7h8n", "h8=N"),
        // By the file, by the rank, by both; and not by what is pinned.
        ("6k1/8/8/8/R6R/8/8/K7 w - - 0 1", "a4d4", "Rad4"),
        ("R7/7k/8/8/8/8/8/R6K w - - 0 1", "a1a5", "R1a5"),
        ("6k1/8/8/8/Q2Q4/8/8/Q6K w - - 0 1", "a4d1", "Qa4d1"),
        ("4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a7", "Rxa7+"),
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "a1a8", "Ra8#"),
    ] {
        let s = read(fen);
        let m = game.read_move(&s, coordinates).unwrap_or_else(|e| panic!("{fen}: {e}"));
        let who = agent(s.0.side_to_move());
        assert_eq!(game.usual_text(&s, who, m).as_deref(), Some(san), "{fen}");
    }
    // Out of turn as after a null move.
    let s = read("6k1/5ppp/8/8/8/8/8/R6K b - - 0 1");
    let m = game.parse_move_of(&s, Agent(0), "a1a8").unwrap();
    assert_eq!(game.usual_text(&s, Agent(0), m).as_deref(), Some("Ra8#"));
}

/// Each text means one move, and people may type it.
#[test]
fn what_is_written_is_read() {
    let (game, mut rng) = (Chess::new(), Rng::new(9));
    let mut written = 0;
    for fen in POSITIONS.iter().cycle().take(60) {
        let mut s = read(fen);
        for _ in 0..40 {
            let Some(on_turn) = game.turn(&s).mover() else { break };
            let mut moves = Vec::new();
            game.moves(&s, on_turn, &mut moves);
            let mut texts = std::collections::BTreeSet::new();
            for &m in &moves {
                let san = game.usual_text(&s, on_turn, m).unwrap();
                assert_eq!(game.read_move(&s, &san), Ok(m), "{san} in {}", game.position_text(&s));
                written += 1;
                assert!(texts.insert(san.clone()), "{san} twice in {}", game.position_text(&s));
            }
            let m = moves[rng.below(moves.len() as u32) as usize];
            game.play(&mut s, on_turn, m);
        }
    }
    assert!(written > 10_000, "{written}");
    let s = read(POSITIONS[1]);
    for (typed, coordinates) in [
        ("0-0", "e1g1"),
        ("0-0-0", "e1c1"),
        ("♘xf7!", "e5f7"),
        ("Ne5xf7", "e5f7"),
        ("Ne5-c4", "e5c4"),
        ("d5xe6", "d5e6"),
        ("d5-d6", "d5d6"),
    ] {
        let m = game.read_move(&s, typed).unwrap_or_else(|e| panic!("{typed}: {e}"));
        assert_eq!(game.move_text(&s, m), coordinates, "{typed}");
    }
    assert!(game.read_move(&s, "♚h1").is_err());
}

/// Who has no move waits, and the other side goes on; mate ends the game all the same.
#[test]
fn in_a_series_a_side_without_a_move_passes() {
    let (chess, series) = (Chess::new(), Chess::series());
    assert_eq!((chess.name(), series.name()), ("chess".to_owned(), "chess:series".to_owned()));
    let s = read("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1");
    assert_eq!(chess.turn(&s), Turn::Over);
    assert_eq!(series.turn(&s), Turn::Agent(Agent(1)));
    let mut moves = Vec::new();
    series.moves(&s, Agent(1), &mut moves);
    let texts: Vec<String> = moves.iter().map(|&m| series.move_text(&s, m)).collect();
    assert_eq!(texts, ["pass"]);
    assert_eq!(series.parse_move(&s, "pass"), Some(moves[0]));
    let mut next = s.clone();
    series.play(&mut next, Agent(1), moves[0]);
    assert_eq!(series.position_text(&next), "k7/2Q5/1K6/8/8/8/8/8 w - - 0 1");
    let stalemate = series.read_atom("stalemate").unwrap();
    assert!(series.holds(&s, stalemate) && chess.holds(&s, stalemate));
    // White, out of turn, has its moves; and nobody passes who can move or is in check.
    moves.clear();
    series.moves(&s, Agent(0), &mut moves);
    assert!(moves.len() > 20);
    for fen in ["k7/8/1K6/8/8/8/8/2Q5 b - - 0 1", "k7/1Q6/2K5/8/8/8/8/8 b - - 0 1"] {
        let s = read(fen);
        moves.clear();
        series.moves(&s, Agent(1), &mut moves);
        assert!(moves.iter().all(|&m| series.move_text(&s, m) != "pass"), "{fen}");
    }
    assert_eq!(series.turn(&read("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1")), Turn::Over);
}

#[test]
fn twins_change_a_few_men() {
    let game = Chess::new();
    let s = read("r3k3/8/8/8/3n4/8/P7/4K2R w Kq - 0 1");
    for (edits, expected) in [
        ("Nd4-e5", "r3k3/8/8/4n3/8/8/P7/4K2R w Kq - 0 1"),
        ("d4-e5", "r3k3/8/8/4n3/8/8/P7/4K2R w Kq - 0 1"),
        ("-Pa2", "r3k3/8/8/8/3n4/8/8/4K2R w Kq - 0 1"),
        ("-a2, +wNb1", "r3k3/8/8/8/3n4/8/8/1N2K2R w Kq - 0 1"),
        ("+bBb1", "r3k3/8/8/8/3n4/8/P7/1b2K2R w Kq - 0 1"),
        ("Ke1-d1", "r3k3/8/8/8/3n4/8/P7/3K3R w q - 0 1"),
        ("a2<->d4", "r3k3/8/8/8/3P4/8/n7/4K2R w Kq - 0 1"),
        ("Rh1-g1 Ra8-b8", "1r2k3/8/8/8/3n4/8/P7/4K1R1 w - - 0 1"),
    ] {
        let twin = game.twin(&s, edits).unwrap_or_else(|e| panic!("{edits}: {e}"));
        assert_eq!(game.position_text(&twin), expected, "{edits}");
    }
    for (edits, message, at) in [
        ("", "expected", 0..0),
        ("Kd4-e5", "another man stands on d4", 0..6),
        ("-a2, -b2", "nothing stands on b2", 5..8),
        ("+wNa2", "something stands on a2", 0..5),
        ("a2-d4", "something stands on d4", 0..5),
        ("+Nb1", "whose man", 0..4),
        ("-Ke1", "no possible position", 0..4),
        ("Ke1-e7", "no possible position", 0..6),
        ("e5", "expected", 0..2),
        ("Xa2-a3", "expected", 0..6),
    ] {
        let error = game.twin(&s, edits).unwrap_err();
        assert!(error.message.contains(message), "{edits}: {error}");
        assert_eq!(error.span, at, "{edits}");
    }
}
