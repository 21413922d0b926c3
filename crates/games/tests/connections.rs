//! Connections in certificates: the nets of games are true to their rules, and the checker of
//! certificates reads derivations on them, however strict it is.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use foregone_games::hex::Hex;
use foregone_games::y::Y;
use foregone_model::certificate::{
    ByReason, CheckError, Checksum, Proved, Reader, RulesOnly, check, check_formula,
};
use foregone_model::{Net, Notation, Rng, Side, Turn};

/// Whether one group of the side's stones touches all terminals.
fn joined(net: &Net) -> bool {
    let cells = |set: u128| (0..net.cells.len()).filter(move |cell| set >> cell & 1 == 1);
    cells(net.own).any(|stone| {
        let (mut group, mut touched) = (0, 1 << stone);
        while group != touched & net.own {
            group = touched & net.own;
            touched = cells(group).fold(touched, |set, cell| set | net.neighbours[cell]);
        }
        touched & net.goal() == net.goal()
    })
}

/// Nets along random plays: their stones, their empty cells by name, and who has won.
fn net_is_true<G: Notation>(game: &G, terminals: usize, rng: &mut Rng) {
    let mut s = game.start();
    loop {
        let nets = [Side::Max, Side::Min].map(|side| game.net(&s, side).unwrap());
        for (net, other) in [(&nets[0], &nets[1]), (&nets[1], &nets[0])] {
            assert_eq!((net.own, net.taken), (other.taken, other.own));
            assert_eq!((&net.cells, net.terminals), (&other.cells, terminals));
            let (cells, nodes) = (net.cells.len(), net.neighbours.len());
            assert_eq!(nodes, cells + terminals);
            for (a, b) in (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))) {
                let [there, back] = [(a, b), (b, a)].map(|(a, b)| net.neighbours[a] >> b & 1);
                assert!(there == back && (a != b || there == 0), "{a} {b}");
                assert!(a < cells || b < cells || there == 0, "terminals are apart");
                // Cells are neighbours for both sides.
                assert!(a >= cells || b >= cells || other.neighbours[a] >> b & 1 == there);
            }
            let named = |cell: usize| game.parse_move(&s, &net.cells[cell]).unwrap();
            let free = (0..cells).filter(|cell| (net.own | net.taken) >> cell & 1 == 0);
            let mut moves = Vec::new();
            if let Turn::Agent(agent) = game.turn(&s) {
                game.moves(&s, agent, &mut moves);
                assert_eq!(moves, free.map(named).collect::<Vec<_>>());
            }
        }
        let Turn::Agent(agent) = game.turn(&s) else {
            let won = game.outcome(&s) == game.scale().best();
            assert_eq!(nets.each_ref().map(joined), [won, !won], "{}", game.position_text(&s));
            return;
        };
        assert_eq!(nets.each_ref().map(joined), [false; 2], "{}", game.position_text(&s));
        let mut moves = Vec::new();
        game.moves(&s, agent, &mut moves);
        game.play(&mut s, agent, moves[rng.below(moves.len() as u32) as usize]);
    }
}

#[test]
fn nets_are_true_to_the_rules() {
    let mut rng = Rng::new(22);
    for round in 0..30 {
        (1..=8).for_each(|size| net_is_true(&Hex::<u64>::new(size), 2, &mut rng));
        (1..=8).for_each(|side| net_is_true(&Y::<u64>::new(side), 3, &mut rng));
        if round < 5 {
            (9..=11).for_each(|size| net_is_true(&Hex::<u128>::new(size), 2, &mut rng));
            (9..=11).for_each(|side| net_is_true(&Y::<u128>::new(side), 3, &mut rng));
        }
    }
}

fn checked<G: Notation>(game: &G, text: &str, strict: bool) -> Result<Proved, CheckError> {
    let mut reader = Reader::new(text.as_bytes());
    let header = reader.header()?.unwrap();
    match strict {
        true => check(game, &header, &mut reader, &mut RulesOnly),
        false => check(game, &header, &mut reader, &mut ByReason),
    }
}

fn sealed(header: &str, claims: &[&str]) -> String {
    let mut text = format!("foregone certificate 2\n{header}\n\n");
    for claim in claims {
        text.push_str(claim);
        text.push('\n');
    }
    let mut sum = Checksum::EMPTY;
    sum.add(text.as_bytes());
    format!("{text}end {} {:016x}\n", claims.len(), sum.0)
}

/// A stone in the centre of 3x3, with a bridge to either side.
const CENTRE: &str = "b2-b1+b1-@1 b2-c1+c1-@1 1|2 b2-a3+a3-@2 b2-b3+b3-@2 4|5 3+6";
const HEX: &str = "game hex:3\nrules 1\nposition .../.../... red\nclaim red at-least win";

#[test]
fn strict_checkers_accept_connections() {
    let game = Hex::<u64>::new(3);
    let by = format!("by connection {CENTRE}");
    let bracket = format!("by connection (b2 {CENTRE} )");
    let covered = format!("*: {by}");
    let named = format!("b1: {by}");
    for claims in [
        &[bracket.as_str()][..],
        // Red is to move, and moves to b2.
        &[&by],
        &["! b2", &by],
        &["! b2", "? 8", &covered],
        &["! b2", "? 8", &named, &covered],
        &["#1 ! b2", "? 8", "b1: ! c1", &format!("#2 {by}"), &covered],
    ] {
        for strict in [true, false] {
            let proved = checked(&game, &sealed(HEX, claims), strict).unwrap();
            let connections = claims.iter().filter(|claim| claim.contains("by ")).count();
            assert_eq!(proved.claims, claims.len() as u64);
            assert_eq!(proved.connections, connections as u64);
            assert_eq!((proved.by_reason, proved.expanded, proved.recomputed), (0, 0, 0));
        }
    }
}

#[test]
fn damaged_connections_are_refused() {
    let game = Hex::<u64>::new(3);
    let words: Vec<&str> = CENTRE.split(' ').collect();
    let refused = |claims: &[&str]| {
        for strict in [true, false] {
            let problem = checked(&game, &sealed(HEX, claims), strict).unwrap_err().problem;
            let expected = ["do not show", "not accepted", "is over", "expected"];
            assert!(expected.iter().any(|e| problem.contains(e)), "{claims:?}: {problem}");
        }
    };
    // Without any of its words it shows nothing, neither at once nor behind every move.
    for at in 0..words.len() {
        let mut fewer = words.clone();
        fewer.remove(at);
        let fewer = fewer.join(" ");
        refused(&["! b2", &format!("by connection {fewer}")]);
        refused(&["! b2", "? 8", &format!("*: by connection {fewer}")]);
    }
    // A move by which red has not connected to both sides, and nothing at all.
    refused(&["! a1", &format!("by connection {CENTRE}")]);
    refused(&["! a1", "? 8", &format!("*: by connection {CENTRE}")]);
    refused(&["! b2", "by connection"]);
    refused(&["! b2", "by connection "]);
    refused(&["! b2", &format!("by connections {CENTRE}")]);
    refused(&["! b2", &format!("by Connection {CENTRE}")]);
    refused(&["! b2", &format!("by connection  {CENTRE}")]);
    // True, but not of the side that proves.
    let blue = "game hex:3\nrules 1\nposition .../.x./... blue\nclaim blue below win";
    let text = sealed(blue, &[&format!("by connection {CENTRE}")]);
    assert!(checked(&game, &text, false).is_err());
    // Nor of one for whom it stands the other way round.
    let blue = "game hex:3\nrules 1\nposition .../.o./... red\nclaim blue below win";
    assert!(checked(&game, &sealed(blue, &[&format!("by connection {CENTRE}")]), true).is_err());
    let turned = "b2-a2+a2-@1 b2-a3+a3-@1 1|2 b2-c2+c2-@2 b2-c1+c1-@2 4|5 3+6";
    assert!(checked(&game, &sealed(blue, &[&format!("by connection {turned}")]), true).is_ok());
    // Another Max, and a game that is over.
    let others =
        "game hex:3\nrules 1\nmax blue\nposition .../.o./... red\nclaim blue at-least loss";
    let text = sealed(others, &[&format!("by connection {turned}")]);
    let problem = checked(&game, &text, true).unwrap_err().problem;
    assert!(problem.contains("first agent as Max"), "{problem}");
    let over = "game hex:3\nrules 1\nposition .x./.x./.x. blue\nclaim red at-least win";
    assert!(checked(&game, &sealed(over, &["by connection @1-@2"]), true).is_err());
    // A formula is about another game.
    let formula = "game hex:3\nrules 1\nformula omega(3)\nas red\nposition .../.x./... blue\n\
                   claim verifier at-least win";
    let text = sealed(formula, &[&format!("by connection {CENTRE}")]);
    let mut reader = Reader::new(text.as_bytes());
    let header = reader.header().unwrap().unwrap();
    assert!(check_formula(&game, &header, &mut reader, &mut ByReason).is_err());
}

#[test]
fn all_three_sides_of_y() {
    let game = Y::<u64>::new(3);
    let header = "game y:3\nrules 1\nposition ./../... black\nclaim black at-least win";
    // b2 is at the right side; to the left by a1 or a2, down by b3 or c3.
    let words = "b2-a2+a2-@1 b2-a1+a1-@1 1|2 b2-b3+b3-@3 b2-c3+c3-@3 4|5 3+6";
    let claims = ["! b2", "? 5", &format!("*: by connection {words}")];
    assert_eq!(checked(&game, &sealed(header, &claims), true).unwrap().connections, 1);
    let claims = [&format!("by connection (b2 {words} )")[..]];
    assert!(checked(&game, &sealed(header, &claims), true).is_ok());
    for part in ["1|2", "4|5", "3+6"] {
        let claims = [&format!("by connection (b2 {} )", words.replace(part, "1"))[..]];
        assert!(checked(&game, &sealed(header, &claims), true).is_err(), "{part}");
    }
}
