//! Tests of Chinese checkers.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use foregone_model::{Notation as _, Rng, Typed as _};

use super::*;
use crate::files::Files;
use crate::registry::open;
use crate::testing;

/// The rules in so many words, on a page: a cell is its distance from the middle line, in
/// half cells, and its row from the top. Nothing here looks at the tables of the game.
struct Page {
    size: i32,
    /// What stands on each cell.
    marks: BTreeMap<(i32, i32), char>,
    mover: String,
}

const NEAR: [(i32, i32); 6] = [(-2, 0), (2, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)];

impl Page {
    fn cells(size: i32) -> Vec<(i32, i32)> {
        let rows = (0..=4 * size).flat_map(|y| (-3 * size..=3 * size).map(move |x| (x, y)));
        // A triangle with its tip at the top, and one with its tip at the bottom.
        let upright = |x: i32, y: i32| y <= 3 * size && x.abs() <= y;
        let hanging = |x: i32, y: i32| y >= size && x.abs() <= 4 * size - y;
        rows.filter(|&(x, y)| (x + y) % 2 == 0 && (upright(x, y) || hanging(x, y))).collect()
    }

    fn read(size: i32, text: &str) -> Page {
        let (rows, mover) = text.split_once(' ').unwrap();
        let marks: Vec<char> = rows.chars().filter(|&c| c != '/').collect();
        let cells = Page::cells(size);
        assert_eq!(cells.len(), marks.len());
        Page { size, marks: cells.into_iter().zip(marks).collect(), mover: mover.to_owned() }
    }

    /// The number of the point that a cell is in, clockwise from the top.
    fn point(size: i32, (x, y): (i32, i32)) -> Option<usize> {
        [y < size, x > y, x > 4 * size - y, y > 3 * size, -x > 4 * size - y, -x > y]
            .into_iter()
            .position(|inside| inside)
    }

    /// Where a player begins.
    fn seat(players: usize, player: usize) -> usize {
        match players {
            2 => 3 * player,
            3 => 2 * player,
            4 => [0, 1, 3, 4][player],
            _ => player,
        }
    }

    fn empty(&self, cell: (i32, i32)) -> bool {
        self.marks.get(&cell) == Some(&'.')
    }

    fn hop(&self, from: (i32, i32), reached: &mut BTreeSet<(i32, i32)>) {
        for (dx, dy) in NEAR {
            let (over, to) = ((from.0 + dx, from.1 + dy), (from.0 + 2 * dx, from.1 + 2 * dy));
            let piece = self.marks.contains_key(&over) && !self.empty(over);
            if piece && self.empty(to) && reached.insert(to) {
                self.hop(to, reached);
            }
        }
    }

    /// The cells from which and to which a player can go.
    fn moves(&mut self, mark: char) -> BTreeSet<((i32, i32), (i32, i32))> {
        let own: Vec<_> = self.marks.keys().filter(|c| self.marks[c] == mark).copied().collect();
        let mut moves = BTreeSet::new();
        for from in own {
            self.marks.insert(from, '.');
            let mut reached: BTreeSet<_> =
                NEAR.iter().map(|(dx, dy)| (from.0 + dx, from.1 + dy)).collect();
            reached.retain(|&c| self.empty(c));
            self.hop(from, &mut reached);
            reached.remove(&from);
            self.marks.insert(from, mark);
            moves.extend(reached.into_iter().map(|to| (from, to)));
        }
        moves
    }

    fn fills(&self, players: usize, player: usize) -> bool {
        let goal = (Page::seat(players, player) + 3) % 6;
        let inside: Vec<char> = self
            .marks
            .iter()
            .filter(|&(&cell, _)| Page::point(self.size, cell) == Some(goal))
            .map(|(_, &mark)| mark)
            .collect();
        inside.contains(&SYMBOLS[player + 1]) && !inside.contains(&'.')
    }
}

fn moves<W: Word>(game: &ChineseCheckers<W>, s: &State<W>, agent: u8) -> Vec<FromTo> {
    let mut moves = Vec::new();
    game.moves(s, Agent(agent), &mut moves);
    moves
}

fn names<W: Word>(game: &ChineseCheckers<W>, s: &State<W>, agent: u8) -> String {
    let names: Vec<String> = moves(game, s, agent).iter().map(|&m| game.move_text(s, m)).collect();
    names.join(" ")
}

/// The states of one random play, cut off after so many: larger boards take for ever.
fn some_play<W: Word>(game: &ChineseCheckers<W>, longest: u32, rng: &mut Rng) -> Vec<State<W>> {
    let mut states = vec![game.start()];
    for _ in 0..longest {
        let mut s = states[states.len() - 1];
        let Some(agent) = game.turn(&s).mover() else {
            break;
        };
        let mut moves = moves(game, &s, agent.0);
        // Mostly ahead, so that pieces meet and goals are reached.
        let likely = moves.len() as u32;
        game.order(&s, agent, &mut moves);
        let pick = rng.below(likely).min(rng.below(likely));
        game.play(&mut s, agent, moves[pick as usize]);
        states.push(s);
    }
    states
}

#[test]
fn the_star_is_the_one_on_a_page() {
    for (size, count) in [(1, 13), (2, 37), (3, 73), (4, 121)] {
        let game: ChineseCheckers<u128> = ChineseCheckers::new(size, 6);
        let cells = Page::cells(size as i32);
        assert_eq!((cells.len(), ChineseCheckers::<u128>::cells(size)), (count, count as u32));
        let find = |x, y| cells.iter().position(|&c| c == (x, y)).map(|i| i as u32);
        for (cell, &(x, y)) in (0..).zip(&cells) {
            let near: BTreeSet<u32> =
                NEAR.iter().filter_map(|(dx, dy)| find(x + dx, y + dy)).collect();
            let steps: BTreeSet<u32> = game.steps[cell as usize].cells().collect();
            assert_eq!(steps, near, "{size} {x} {y}");
            let behind: BTreeSet<(u8, u8)> = NEAR
                .iter()
                .filter_map(|(dx, dy)| {
                    Some((find(x + dx, y + dy)? as u8, find(x + 2 * dx, y + 2 * dy)? as u8))
                })
                .collect();
            assert_eq!(game.hops[cell as usize].iter().copied().collect::<BTreeSet<_>>(), behind);
            let home = Page::point(size as i32, (x, y));
            assert_eq!(game.homes.iter().position(|home| home.has(cell)), home);
            let (row, column) = game.place(cell);
            let (indent, _) = game.rows[row as usize];
            assert_eq!((row as i32, (indent + 2 * column) as i32), (y, x + 3 * size as i32));
        }
        assert!(game.homes.iter().all(|home| home.count() == size * (size + 1) / 2));
        // The middle has six neighbours and the six tips have two each.
        assert_eq!(game.steps[cells.len() / 2].count(), 6);
        assert_eq!(game.steps.iter().filter(|near| near.count() == 2).count(), 6);
    }
}

#[test]
fn opposite_points_are_goals() {
    for players in PLAYERS {
        let game: ChineseCheckers<u64> = ChineseCheckers::new(2, players);
        let all: ChineseCheckers<u64> = ChineseCheckers::new(2, 6);
        for player in 0..players as usize {
            let seat = Page::seat(players as usize, player);
            assert_eq!(game.homes[player], all.homes[seat]);
            assert_eq!(game.goals[player], all.homes[(seat + 3) % 6]);
        }
        assert!(game.homes[players as usize..].iter().all(|home| home.is_empty()));
    }
}

#[test]
fn openings_are_those_counted_by_hand() {
    // The first row of pieces steps, each to two cells, and the second hops over it, each to
    // two cells. On the usual board these are the well-known 14 moves.
    for size in 1..=MOST_SIZE {
        for players in PLAYERS {
            let game: ChineseCheckers<u128> = ChineseCheckers::new(size, players);
            for agent in 0..game.agents() {
                let count = moves(&game, &game.start(), agent).len() as u32;
                assert_eq!(count, 4 * size - 2, "{} {agent}", game.name());
            }
        }
    }
    let game: ChineseCheckers<u64> = ChineseCheckers::new(2, 2);
    assert_eq!(names(&game, &game.start(), 0), "a1c3 a1e3 a2c3 a2d3 b2d3 b2e3");
    assert_eq!(names(&game, &game.start(), 1), "a8c7 a8d7 b8d7 b8e7 a9c7 a9e7");
    assert_eq!(testing::perft(&game, &game.start(), 2), 36);
    let game: ChineseCheckers<u64> = ChineseCheckers::new(1, 3);
    assert_eq!(names(&game, &game.start(), 0), "a1b2 a1c2");
    assert_eq!(names(&game, &game.start(), 1), "d4c3 d4c4");
    assert_eq!(names(&game, &game.start(), 2), "a4a3 a4b4");
}

#[test]
fn sequences_of_moves_are_counted() {
    // By problems/oracle.py, which knows nothing of this file.
    fn check<W: Word>(size: u32, players: u32, counts: &[u64]) {
        let game: ChineseCheckers<W> = ChineseCheckers::new(size, players);
        for (depth, &count) in (1..).zip(counts) {
            let found = testing::perft(&game, &game.start(), depth);
            assert_eq!(found, count, "{} {depth}", game.name());
        }
    }
    check::<u64>(1, 2, &[2, 4, 20, 100, 384, 1422, 6002]);
    check::<u64>(1, 3, &[2, 4, 8, 40, 199, 958, 3385]);
    check::<u64>(1, 4, &[2, 4, 8, 19, 92, 448, 2150]);
    check::<u64>(1, 6, &[2, 4, 7, 16, 25, 28, 105, 457, 1825]);
    check::<u64>(2, 2, &[6, 36, 396, 4356]);
    check::<u64>(2, 3, &[6, 36, 216, 2388]);
    check::<u128>(2, 6, &[6, 37, 236, 1534, 10080]);
    check::<u128>(3, 3, &[10, 100, 1000, 18000]);
    check::<u128>(4, 2, &[14, 196, 4760]);
    // And from the middle of a play, where pieces have met.
    let game: ChineseCheckers<u64> = ChineseCheckers::new(2, 3);
    let play = "moves:a1c3,f7e7,a6b6,c3b4,e7b8,a7c3,b2e3,f6f7,c3c7,a2b2,b8a8,b7a6,b4b3,g7f6,\
                c7b7,e3d4,f6e6";
    let s = game.read_position_or_moves(play).unwrap();
    let counts = [1, 2, 3].map(|depth| testing::perft(&game, &s, depth));
    assert_eq!(counts, [10, 140, 1909]);
}

#[test]
fn hops_go_on_in_any_direction() {
    let game: ChineseCheckers<u64> = ChineseCheckers::new(2, 2);
    let s = game.read_position("r/r./......./..gr../...../..gg../......./../. red").unwrap();
    // From the tip over a2 to c3 and over c4 to c5, from there down over c6 or d6, and up
    // again over d4. The step to b2 is the only one, and it ends the move.
    let tip: Vec<String> =
        moves(&game, &s, 0).iter().filter(|m| m.0 == 0).map(|&m| game.move_text(&s, m)).collect();
    assert_eq!(tip, ["a1b2", "a1c3", "a1e3", "a1c5", "a1c7", "a1e7"]);
}

#[test]
fn the_page_agrees() {
    fn check<W: Word>(size: u32, players: u32, plays: u32, rng: &mut Rng) -> u32 {
        let game: ChineseCheckers<W> = ChineseCheckers::new(size, players);
        let cells = Page::cells(size as i32);
        let mut ended = 0;
        for _ in 0..plays {
            for s in some_play(&game, 150, rng) {
                let text = game.position_text(&s);
                let mut page = Page::read(size as i32, &text);
                let mover = NAMES.iter().position(|&n| n == page.mover).unwrap();
                let last = (mover + players as usize - 1) % players as usize;
                assert_eq!(
                    game.turn(&s) == Turn::Over,
                    page.fills(players as usize, last),
                    "{text}"
                );
                if game.turn(&s) == Turn::Over {
                    let outcome = game.outcome(&s);
                    assert_eq!(game.scale().name(outcome), NAMES[last], "{text}");
                    for agent in 0..game.agents() {
                        let won = usize::from(agent) == last;
                        assert_eq!(game.won(outcome, Agent(agent)), won, "{text}");
                    }
                    ended += 1;
                    continue;
                }
                assert_eq!(game.turn(&s), Turn::Agent(Agent(mover as u8)), "{text}");
                for agent in 0..game.agents() {
                    let found = moves(&game, &s, agent);
                    assert_eq!(game.mobility(&s, Agent(agent)) as usize, found.len());
                    assert!(found.is_sorted(), "{text}");
                    let slow = page.moves(SYMBOLS[usize::from(agent) + 1]);
                    if found == [PASS] {
                        assert!(slow.is_empty(), "{text}");
                        continue;
                    }
                    let place = |cell: u8| cells[usize::from(cell)];
                    let fast: BTreeSet<_> =
                        found.iter().map(|&(from, to)| (place(from), place(to))).collect();
                    assert_eq!(fast.len(), found.len(), "{text}");
                    assert_eq!(fast, slow, "{text} {}", NAMES[usize::from(agent)]);
                }
            }
        }
        ended
    }
    let mut rng = Rng::new(8);
    for players in PLAYERS {
        assert!(check::<u64>(1, players, 60, &mut rng) > 50, "{players}");
        check::<u64>(2, players, 15, &mut rng);
        check::<u128>(2, players, 3, &mut rng);
        check::<u128>(3, players, 4, &mut rng);
        check::<u128>(4, players, 2, &mut rng);
    }
}

#[test]
fn a_full_goal_with_an_own_piece_wins() {
    let game: ChineseCheckers<u64> = ChineseCheckers::new(2, 2);
    // Two of green's pieces stay at home. Red enters between them and has won.
    let mut s = game.read_position("r/../......./r...../g..../....../...r.../.g/g red").unwrap();
    let enter = game.read_move(&s, "d7a8").unwrap();
    game.play(&mut s, Agent(0), enter);
    assert_eq!(game.position_text(&s), "r/../......./r...../g..../....../......./rg/g green");
    assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, Outcome(2)));
    assert_eq!(game.scale().name(Outcome(2)), "red");
    // The same pieces with red to move: green came back to block, and red wins by any move
    // that leaves its goal full, but not before it has moved.
    let mut s = game.read_position("r/../......./r...../g..../....../......./rg/g red").unwrap();
    assert_eq!(game.turn(&s), Turn::Agent(Agent(0)));
    let elsewhere = game.read_move(&s, "a1a2").unwrap();
    game.play(&mut s, Agent(0), elsewhere);
    assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, Outcome(2)));
    // A goal that is full of the opponent's pieces alone is no win, whoever came last.
    let s = game.read_position("r/rr/......./....../...../....../......./gg/g green").unwrap();
    assert_eq!(game.turn(&s), Turn::Agent(Agent(1)));
    assert_eq!(game.turn(&game.start()), Turn::Agent(Agent(0)));
    // Green fills the top.
    let s = game.read_position("g/gg/......./r...../...../....../...r.../r./. red").unwrap();
    assert_eq!((game.turn(&s), game.outcome(&s)), (Turn::Over, Outcome(0)));
}

#[test]
fn who_cannot_move_passes() {
    let game: ChineseCheckers<u64> = ChineseCheckers::new(1, 6);
    let mut s = game.read_position("r/.gb./y.o/.v../. red").unwrap();
    assert_eq!(names(&game, &s, 0), "pass");
    assert_eq!(game.mobility(&s, Agent(0)), 1);
    let pieces = s.pieces;
    let pass = game.read_move(&s, "pass").unwrap();
    game.play(&mut s, Agent(0), pass);
    assert_eq!((s.pieces, game.turn(&s)), (pieces, Turn::Agent(Agent(1))));
    // Who can move must.
    assert!(game.read_move(&s, "pass").is_err());
}

#[test]
fn anybody_can_be_asked() {
    let game: ChineseCheckers<u64> = ChineseCheckers::new(1, 3);
    assert_eq!((game.agents(), game.off_turn()), (3, OffTurn::Moves));
    let mut s = game.start();
    // Blue answers red, and red is to move again: green has been left out.
    let first = moves(&game, &s, 0)[0];
    game.play(&mut s, Agent(0), first);
    assert_eq!(game.turn(&s), Turn::Agent(Agent(1)));
    let answer = moves(&game, &s, 2)[0];
    game.play(&mut s, Agent(2), answer);
    assert_eq!(game.position_text(&s), "./.r../b../...g/. red");
    assert_eq!(game.turn(&s), Turn::Agent(Agent(0)));
    // Green moves in red's place, then it is blue's turn. Its goal is the upper left point.
    let s = game.read_position("./.r../gb./..../. red").unwrap();
    let mut won = s;
    game.play(&mut won, Agent(1), game.parse_move(&s, "a3a2").unwrap());
    assert_eq!((game.turn(&won), game.outcome(&won)), (Turn::Over, Outcome(0)));
    assert!(game.won(Outcome(0), Agent(1)) && !game.won(Outcome(0), Agent(2)));
}

#[test]
fn outcomes_are_winners() {
    let game: ChineseCheckers<u64> = ChineseCheckers::new(1, 4);
    let scale = game.scale();
    let all: Vec<&str> = scale.names().collect();
    assert_eq!(all, ["green", "blue", "yellow", "nobody", "red"]);
    assert_eq!(game.endless(), Endless::Scores(Outcome(3)));
    for (outcome, name) in (0..).zip(all) {
        for agent in 0..4 {
            let winner = game.agent_name(Agent(agent)) == name;
            assert_eq!(game.won(Outcome(outcome), Agent(agent)), winner, "{name} {agent}");
        }
    }
    assert_eq!(game.players(), ["red", "others"]);
    let two: ChineseCheckers<u64> = ChineseCheckers::new(1, 2);
    assert_eq!(two.players(), ["red", "green"]);
}

#[test]
fn what_the_first_player_can_force() {
    // Alone against all the others red loses; problems/oracle.py agrees.
    for (players, value) in [(2, "red"), (3, "green"), (4, "green")] {
        let game: ChineseCheckers<u64> = ChineseCheckers::new(1, players);
        let found = testing::solve_with_loops(&game, &game.start());
        assert_eq!(game.scale().name(found), value, "{players}");
    }
}

#[test]
fn atoms_count_pieces_at_the_goal() {
    let game: ChineseCheckers<u64> = ChineseCheckers::new(2, 2);
    let s = game.read_position("g/../......./r...../g..../....../......./rg/r red").unwrap();
    for (text, holds) in [
        ("home(red,1)", true),
        ("home(red,2)", true),
        ("home(red,3)", false),
        ("home(green,1)", true),
        ("home(green,2)", false),
    ] {
        let atom = game.read_atom(text).unwrap();
        assert_eq!(game.holds(&s, atom), holds, "{text}");
    }
    for text in ["", "home", "home()", "home(red)", "home(red,0)", "home(red,4)", "home(red,01)"]
        .iter()
        .chain(&["home(blue,1)", "home(red,+1)", "home(é,1)", "home(red,1", "home(red,99999999)"])
    {
        assert_eq!(game.read_atom(text), None, "{text}");
    }
    assert_eq!(game.atoms()[0].0, "home(PLAYER,N)");
    // The largest board has a number for every atom.
    let game: ChineseCheckers<u128> = ChineseCheckers::new(4, 6);
    let mut seen = BTreeSet::new();
    for name in NAMES {
        for n in 1..=10 {
            assert!(seen.insert(game.read_atom(&format!("home({name},{n})")).unwrap().0));
        }
    }
    assert!(seen.iter().all(|&atom| !game.holds(&game.start(), Atom(atom))));
}

#[test]
fn texts_round_trip() {
    for players in PLAYERS {
        testing::texts_round_trip(&ChineseCheckers::<u64>::new(1, players), 20);
        testing::nonsense_is_refused(&ChineseCheckers::<u64>::new(1, players));
        testing::nonsense_is_refused(&ChineseCheckers::<u64>::new(2, players));
        testing::nonsense_is_refused(&ChineseCheckers::<u128>::new(4, players));
    }
    let mut rng = Rng::new(9);
    for (size, players) in [(2, 3), (3, 4), (4, 6), (4, 2)] {
        let game: ChineseCheckers<u128> = ChineseCheckers::new(size, players);
        for s in some_play(&game, 200, &mut rng) {
            let text = game.position_text(&s);
            assert_eq!(game.read_position(&text), Ok(s), "{text}");
            for agent in 0..game.agents() {
                for m in moves(&game, &s, agent) {
                    assert_eq!(game.parse_move(&s, &game.move_text(&s, m)), Some(m), "{text}");
                }
            }
        }
    }
}

#[test]
fn wrong_positions_are_refused() {
    let game: ChineseCheckers<u64> = ChineseCheckers::new(1, 3);
    assert_eq!(game.position_text(&game.start()), "r/..../.../b..g/. red");
    for (text, span) in [
        ("r/..../.../b..g/. yellow", 18..24),
        ("r/..../.../b..g/.", 17..17),
        ("r/..../../b..g/. red", 7..9),
        ("r/..../.../b..g red", 0..15),
        ("r/..../.../b..y/. red", 14..15),
        ("r/..../.../b..r/. red", 0..17),
        ("r/..../.../b.../. red", 0..17),
        ("r/.g../.../b..g/. red", 0..17),
    ] {
        assert_eq!(game.read_position(text).unwrap_err().span, span, "{text}");
    }
    for text in ["a1", "a1b1", "b1a1", "a1e2", "a1b2c3", "a1b6", "a1 b2", "PASS", "a01b2"] {
        assert_eq!(game.parse_move(&game.start(), text), None, "{text}");
    }
}

#[test]
fn tables_tell_positions_apart() {
    fn check<W: Word>(size: u32, players: u32, rng: &mut Rng) {
        let game: ChineseCheckers<W> = ChineseCheckers::new(size, players);
        let mut seen = HashMap::new();
        for _ in 0..10 {
            for mut s in some_play(&game, 100, rng) {
                for turn in 0..game.agents() {
                    s.turn = turn;
                    assert_eq!(*seen.entry(game.pack(&s)).or_insert(s), s);
                }
            }
        }
    }
    let mut rng = Rng::new(10);
    for players in PLAYERS {
        check::<u64>(1, players, &mut rng);
        check::<u64>(2, players, &mut rng);
        check::<u128>(4, players, &mut rng);
    }
}

#[test]
fn long_hops_come_first() {
    let game: ChineseCheckers<u64> = ChineseCheckers::new(2, 2);
    let s = game.start();
    let order = testing::ordered_names(&game, &s);
    assert_eq!(order, ["a1c3", "a1e3", "a2c3", "a2d3", "b2d3", "b2e3"]);
    let mut back = moves(&game, &s, 1);
    game.order(&s, Agent(1), &mut back);
    assert_eq!(game.move_text(&s, back[0]), "a9c7");
}

#[test]
fn the_star_is_drawn() {
    let game: ChineseCheckers<u64> = ChineseCheckers::new(1, 6);
    let lines = ["  1      r", "  2   v . . g", "  3    . . .", "  4   o . . b", "  5      y"];
    assert_eq!(game.draw(&game.start()), lines.join("\n") + "\n");
}

#[test]
fn options_are_size_and_players() {
    let files = Files::from_disk();
    for (spec, name) in [
        ("chinese-checkers", "chinese-checkers:1,3"),
        ("chinese-checkers:2", "chinese-checkers:2,3"),
        ("chinese-checkers:4,6", "chinese-checkers:4,6"),
    ] {
        assert_eq!(open(&files, spec).unwrap().name(), name);
    }
    for options in ["0", "5", "1,1", "1,5", "1,7", "", "1,", "1,2,3", "x"] {
        assert!(open(&files, &format!("chinese-checkers:{options}")).is_err(), "{options}");
    }
}
