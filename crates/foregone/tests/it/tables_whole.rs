//! Tables of all positions of a game, those included that no play reaches, against brute force.

use std::collections::HashMap;

use foregone::games::erased::{AnyState, Erased};
use foregone::model::{Game, Notation, Outcome, Rng, Side, Turn};
use foregone::tables::Tables;

use crate::tables::{Folder, build, erased, open, verify};

/// What positions are worth that were tried out: a winner and in how many moves, or nobody.
struct Tried {
    numbers: HashMap<AnyState, usize>,
    found: Vec<Option<(Side, u32)>>,
}

impl Tried {
    /// All of these positions, and what they lead to. A win is decided in the round of its distance, so
    /// what is not decided when nothing changes any more is decided by nobody.
    fn all(game: &Erased, mut states: Vec<AnyState>) -> Tried {
        let mut numbers: HashMap<AnyState, usize> =
            states.iter().cloned().enumerate().map(|(i, s)| (s, i)).collect();
        let (mut found, mut next) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < states.len() {
            let s = states[at].clone();
            let Turn::Agent(agent) = game.turn(&s) else {
                let best = game.scale().best();
                let winner = match game.outcome(&s) {
                    Outcome(0) => Some(Side::Min),
                    o => (o == best).then_some(Side::Max),
                };
                found.push(winner.map(|side| (side, 0)));
                next.push((Side::Max, Vec::new()));
                at += 1;
                continue;
            };
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            let after = |m| {
                let mut after = s.clone();
                game.play(&mut after, agent, m);
                after
            };
            let mut leads = Vec::new();
            for after in moves.into_iter().map(after) {
                let number = *numbers.entry(after.clone()).or_insert(states.len());
                if number == states.len() {
                    states.push(after);
                }
                leads.push(number);
            }
            found.push(None);
            next.push((Side::of(agent), leads));
            at += 1;
        }
        for distance in 1.. {
            let mut decided = Vec::new();
            for (number, (mover, leads)) in next.iter().enumerate() {
                if found[number].is_some() || leads.is_empty() {
                    continue;
                }
                let wins = |&n: &usize| found[n].is_some_and(|(winner, _)| winner == *mover);
                let loses = |&n: &usize| found[n].is_some_and(|(winner, _)| winner != *mover);
                if leads.iter().any(wins) {
                    decided.push((number, *mover));
                } else if leads.iter().all(loses) {
                    decided.push((number, mover.other()));
                }
            }
            if decided.is_empty() {
                break;
            }
            for (number, winner) in decided {
                found[number] = Some((winner, distance));
            }
        }
        Tried { numbers, found }
    }

    /// Compares tables with all positions. Says how many were won by either side, and by nobody.
    fn compare(&self, game: &Erased, tables: &Tables) -> [usize; 3] {
        let (best, mut counts) = (game.scale().best(), [0; 3]);
        for (s, &number) in &self.numbers {
            let text = || format!("{} {}", game.name(), game.position_text(s));
            let worth = tables.worth(s).unwrap().unwrap_or_else(|| panic!("{}", text()));
            let (value, moves) = match self.found[number] {
                Some((Side::Max, moves)) => (best, Some(moves)),
                Some((Side::Min, moves)) => (Outcome(0), Some(moves)),
                None => (Outcome(best.0 / 2), None),
            };
            counts[usize::from(value.0)] += 1;
            assert_eq!((worth.least, worth.most, worth.moves), (value, value, moves), "{}", text());
        }
        counts
    }
}

/// Texts of all boards that have pieces of these symbols on their squares, some of which may be empty.
fn boards(rows: usize, cols: usize, symbols: &str) -> Vec<String> {
    let symbols: Vec<char> = symbols.chars().collect();
    let mut boards = vec![String::new()];
    for square in 0..rows * cols {
        let line = if square > 0 && square % cols == 0 { "/" } else { "" };
        let longer =
            |b: &String| symbols.iter().map(|c| format!("{b}{line}{c}")).collect::<Vec<_>>();
        boards = boards.iter().flat_map(longer).collect();
    }
    boards
}

/// Texts of all boards with one `L`, one `l` and up to two other pieces of these symbols.
fn shogi_boards(symbols: &str) -> Vec<String> {
    let (mut boards, squares) = (Vec::new(), 0..12);
    let pieces: Vec<char> = symbols.chars().collect();
    let mut put = |places: &[(usize, char)]| {
        let mut board = ['.'; 12];
        for &(square, piece) in places {
            board[square] = piece;
        }
        let rows: Vec<String> = board.chunks(3).map(|row| row.iter().collect()).collect();
        let mut all: Vec<usize> = places.iter().map(|place| place.0).collect();
        all.sort_unstable();
        all.dedup();
        if all.len() == places.len() {
            boards.push(rows.join("/"));
        }
    };
    for own in squares.clone() {
        for other in squares.clone() {
            let lions = [(own, 'L'), (other, 'l')];
            put(&lions);
            for (first, a) in squares.clone().flat_map(|s| pieces.iter().map(move |&p| (s, p))) {
                put(&[lions[0], lions[1], (first, a)]);
                for (second, b) in (first + 1..12).flat_map(|s| pieces.iter().map(move |&p| (s, p)))
                {
                    put(&[lions[0], lions[1], (first, a), (second, b)]);
                }
            }
        }
    }
    boards
}

#[test]
fn small_games_of_dobutsu_shogi_are_what_brute_force_finds() {
    for (spec, symbols, least) in [
        ("dobutsu-shogi:L", "", 10),
        ("dobutsu-shogi:LG", "Gg", 2_000),
        ("dobutsu-shogi:LC", "CHch", 5_000),
    ] {
        let (folder, game) = (Folder::new(), open(spec));
        build(&game, "", folder.path()).unwrap();
        verify(&game, "", folder.path()).unwrap();
        let game = erased(&game);
        let tables = Tables::open(game, folder.path(), true).unwrap().unwrap();
        let mut states = Vec::new();
        for board in shogi_boards(symbols) {
            let letters = symbols.chars().find(char::is_ascii_uppercase).into_iter();
            let kind: String =
                letters.chain(symbols.chars().find(char::is_ascii_lowercase)).collect();
            let on_board = board.chars().filter(|c| symbols.contains(*c)).count();
            let hands: Vec<String> = match (kind.as_str(), 2 - on_board.min(2)) {
                ("", _) | (_, 0) => vec!["-".to_owned()],
                (kind, 1) => kind.chars().map(String::from).collect(),
                (kind, _) => {
                    let (own, other) = kind.split_at(1);
                    vec![own.repeat(2), kind.to_owned(), other.repeat(2)]
                }
            };
            for hands in hands {
                for mover in ["sente", "gote"] {
                    states.extend(game.read_position(&format!("{board} {hands} {mover}")));
                }
            }
        }
        let [losses, draws, wins] = Tried::all(game, states).compare(game, &tables);
        assert_eq!(losses, wins, "{spec}: players are exchanged");
        assert!(losses > least && (draws > 0 || symbols.is_empty()), "{spec}: {losses} {draws}");
    }
}

/// Whether the side to move wins within so many moves, or else loses within them, by trying everything.
fn ends_within(game: &Erased, s: &AnyState, moves: u32) -> Option<Side> {
    let agent = match game.turn(s) {
        Turn::Agent(agent) => agent,
        _ => return Some(if game.outcome(s) == Outcome(0) { Side::Min } else { Side::Max }),
    };
    if moves == 0 {
        return None;
    }
    let mut all = Vec::new();
    game.moves(s, agent, &mut all);
    let mut lost = true;
    for m in all {
        let mut next = s.clone();
        game.play(&mut next, agent, m);
        match ends_within(game, &next, moves - 1) {
            Some(winner) if winner == Side::of(agent) => return Some(winner),
            Some(_) => {}
            None => lost = false,
        }
    }
    lost.then(|| Side::of(agent).other())
}

/// Positions of random plays are worth what a search to some depth finds.
#[test]
fn probing_dobutsu_shogi_agrees_with_searches() {
    let (folder, game) = (Folder::new(), open("dobutsu-shogi:LGE"));
    build(&game, "", folder.path()).unwrap();
    let game = erased(&game);
    let tables = Tables::open(game, folder.path(), true).unwrap().unwrap();
    let (mut rng, mut ended, mut open) = (Rng::new(7), 0, 0);
    for _ in 0..60 {
        let mut s = game.start();
        for _ in 0..30 {
            let Turn::Agent(agent) = game.turn(&s) else { break };
            let worth = tables.worth(&s).unwrap().unwrap();
            let within = worth.moves.filter(|&moves| moves <= 4);
            let winner = [Some(Side::Min), None, Some(Side::Max)][usize::from(worth.least.0)];
            match within {
                Some(moves) => {
                    ended += 1;
                    assert_eq!(ends_within(game, &s, moves), winner, "{}", game.position_text(&s));
                    let sooner = ends_within(game, &s, moves - 1);
                    assert_eq!(sooner, None, "{}", game.position_text(&s));
                }
                None => {
                    open += 1;
                    assert_eq!(ends_within(game, &s, 4), None, "{}", game.position_text(&s));
                }
            }
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            let m = moves[rng.below(moves.len() as u32) as usize];
            game.play(&mut s, agent, m);
        }
    }
    assert!(ended > 50 && open > 20, "{ended} {open}");
}

#[test]
fn breakthrough_has_tables_of_all_positions() {
    for (spec, rows, cols) in [("breakthrough:4x2", 4, 2), ("breakthrough:5x1", 5, 1)] {
        let (folder, game) = (Folder::new(), open(spec));
        build(&game, "", folder.path()).unwrap();
        verify(&game, "", folder.path()).unwrap();
        let game = erased(&game);
        let tables = Tables::open(game, folder.path(), true).unwrap().unwrap();
        let mut states = Vec::new();
        for board in boards(rows, cols, ".wb") {
            let few = |piece| board.matches(piece).count() <= 2 * cols;
            if few('w') && few('b') {
                for mover in ["white", "black"] {
                    states.extend(game.read_position(&format!("{board} {mover}")));
                }
            }
        }
        let [losses, wins, _] = Tried::all(game, states).compare(game, &tables);
        assert_eq!(losses, wins, "{spec}: players are exchanged");
        assert!(wins > 20, "{spec}: {wins}");
    }
}

/// Every position of a larger board that a random play goes through.
#[test]
fn probing_breakthrough_agrees_with_brute_force() {
    let (folder, game) = (Folder::new(), open("breakthrough:4x4"));
    build(&game, "5-5", folder.path()).unwrap();
    verify(&game, "4-3", folder.path()).unwrap();
    let game = erased(&game);
    let tables = Tables::open(game, folder.path(), true).unwrap().unwrap();
    let (mut rng, mut compared) = (Rng::new(9), 0);
    while compared < 60 {
        let mut s = game.start();
        while let Turn::Agent(agent) = game.turn(&s) {
            // What has fewer pieces than the start has is in the tables.
            if tables.worth(&s).unwrap().is_some() {
                Tried::all(game, vec![s.clone()]).compare(game, &tables);
                compared += 1;
                break;
            }
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            let m = moves[rng.below(moves.len() as u32) as usize];
            game.play(&mut s, agent, m);
        }
    }
}
