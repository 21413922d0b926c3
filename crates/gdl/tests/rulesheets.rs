//! The rulesheets of this project are right: they satisfy GDL, plays end with goals, they are the
//! same games as the built-in ones, and the small ones have the values that are known.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use foregone_games::erased::{AnyMove, AnyState, Erased};
use foregone_games::files::Files;
use foregone_games::registry::{Opened, open};
use foregone_gdl::machine::State;
use foregone_gdl::{Machine, Move, Program, check};
use foregone_model::{Agent, Game, JointNotation, Notation, Rng, Side};

/// What is known about a rulesheet.
struct Sheet {
    /// The file without its ending.
    name: &'static str,
    /// Whether the goals of the two roles sum to 100.
    zero_sum: bool,
    /// The built-in game that it equals, and the longest sequences of moves that are counted: few
    /// enough for the plain interpreter.
    twin: Option<(&'static str, u32)>,
    /// Where there is no such game: the number of move sequences of each length, and the sum of what
    /// the first role gets after shorter ones that end. By hand, or by a program in Python that
    /// plays by the same rules and shares nothing with this one.
    counts: Option<(&'static [u64], i64)>,
    /// What the roles get if each plays best for itself, of a game in turn that is small.
    value: Option<&'static [i32]>,
}

const SHEETS: &[Sheet] = &[
    two("bidding-tic-tac-toe").equal("bidding-tic-tac-toe:2", 2),
    two("breakthrough").equal("breakthrough:5x4", 5),
    two("breakthrough-6x6").equal("breakthrough:6x6", 4),
    two("chomp").counts(&[20, 250, 2300, 16_600, 97_184], 208_800).worth(&[100, 0]),
    two("connect-four").equal("connect-four:6x7", 6),
    two("connect-four-5x4").equal("connect-four:5x4", 7),
    two("cyclic-ring").counts(&[2, 4, 8, 12, 24, 36, 72, 108, 216], 1300),
    two("domineering").equal("domineering:6x6", 4),
    two("domineering-4x4").equal("domineering:4x4", 6).worth(&[100, 0]),
    two("dice-race").counts(&[2, 6, 14, 38, 94, 244, 600, 1438, 3054], 27_700),
    other("eight-puzzle").counts(&[2, 6, 16, 48, 128, 384, 1024, 3072], 0).worth(&[100]),
    other("falling-balls").counts(&[9, 63, 459, 3321, 8019, 0], 267_300),
    two("goofspiel-4").equal("goofspiel:4", 4),
    other("hanoi").counts(&[2, 6, 16, 46, 130, 376, 1086, 3164, 9230], 0).worth(&[100]),
    two("hex").equal("hex:4", 4),
    other("left-right").equal("left-right:20", 13).worth(&[100]),
    two("matching-pennies").counts(&[4, 0], 200),
    two("nim").equal("nim:1,3,5,7", 5).worth(&[0, 100]),
    two("oshi-zumo-4-1-1").equal("oshi-zumo:4,1,1", 5),
    two("othello").equal("othello:4x4", 8),
    other("prisoners-dilemma").counts(&[4, 0], 190),
    two("race-10-3-terms").equal("race:10,3", 10).worth(&[100, 0]),
    two("race-20-3").equal("race:20,3", 10).worth(&[0, 100]),
    two("rock-paper-scissors").equal("rock-paper-scissors", 2),
    other("shunting").counts(&[1, 2, 3, 6, 10, 19, 28, 42, 42, 42, 0], 100).worth(&[100]),
    other("three-player-nim").counts(&[6, 26, 76, 138, 140, 60, 0], 7600).worth(&[50, 100, 0]),
    other("three-player-tic-tac-toe").counts(&[16, 240, 3360, 43_680], 0),
    two("tic-tac-toe").equal("tic-tac-toe", 6).worth(&[50, 50]),
    two("tron").equal("tron:5x5", 7),
    two("tron-3x4").equal("tron:3x4", 6),
];

/// A game of two players, of whom one gets what the other does not.
const fn two(name: &'static str) -> Sheet {
    Sheet { name, zero_sum: true, twin: None, counts: None, value: None }
}

/// A puzzle, a game of more players, or one whose goals have no constant sum.
const fn other(name: &'static str) -> Sheet {
    Sheet { zero_sum: false, ..two(name) }
}

impl Sheet {
    const fn equal(self, spec: &'static str, depth: u32) -> Sheet {
        Sheet { twin: Some((spec, depth)), ..self }
    }

    const fn counts(self, sequences: &'static [u64], sum: i64) -> Sheet {
        Sheet { counts: Some((sequences, sum)), ..self }
    }

    const fn worth(self, value: &'static [i32]) -> Sheet {
        Sheet { value: Some(value), ..self }
    }

    fn text(&self) -> String {
        std::fs::read_to_string(folder().join(self.name).with_extension("kif")).unwrap()
    }

    fn machine(&self) -> Machine {
        Machine::new(&Program::read(&self.text()).unwrap(), None).unwrap()
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../rulesheets")
}

#[test]
fn every_file_is_in_the_table_and_in_the_readme() {
    let entries = std::fs::read_dir(folder()).unwrap();
    let paths = entries.map(|e| e.unwrap().path());
    let sheets = paths.filter(|p| p.extension().is_some_and(|e| e == "kif"));
    let files: BTreeSet<String> =
        sheets.map(|p| p.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    let table: BTreeSet<String> = SHEETS.iter().map(|s| s.name.to_owned()).collect();
    assert_eq!(files, table);
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let rows: Vec<Vec<&str>> =
        readme.lines().map(|l| l.split('|').map(str::trim).collect()).collect();
    for sheet in SHEETS {
        let file = format!("`{}.kif`", sheet.name);
        let row = rows.iter().find(|row| row.get(1) == Some(&file.as_str())).expect(&file);
        let twin = sheet.twin.map_or(String::new(), |(spec, _)| format!("`{spec}`"));
        assert_eq!(row[4], twin, "{file}");
        if let Some(value) = sheet.value {
            let value: Vec<String> = value.iter().map(i32::to_string).collect();
            assert_eq!(row[5], value.join(" "), "{file}");
        }
        let program = Program::read(&sheet.text()).unwrap();
        assert_eq!(row[3], program.roles().len().to_string(), "{file}");
        // The text says the same.
        let said = sheet.twin.map_or("no such built-in game".to_owned(), |(spec, _)| {
            format!("Equal to the built-in game {spec}")
        });
        assert!(sheet.text().contains(&said), "{file}");
    }
}

#[test]
fn every_rulesheet_satisfies_gdl() {
    for sheet in SHEETS {
        assert_eq!(check(&Program::read(&sheet.text()).unwrap()), [], "{}", sheet.name);
    }
}

/// Random plays end, nobody is ever stuck, and everybody has a goal. Where a rulesheet says which
/// facts and moves there are, no others come up.
#[test]
fn plays_end_with_goals() {
    for sheet in SHEETS {
        let name = sheet.name;
        // What the rulesheet says of facts and moves becomes part of the initial state.
        let probe = "(<= (init (known-fact ?f)) (base ?f))
                     (<= (init (known-move ?p ?m)) (input ?p ?m))";
        let program = Program::read(&(sheet.text() + probe)).unwrap();
        let mut probed = Machine::new(&program, None).unwrap();
        let start = probed.initial().unwrap();
        let known: BTreeSet<String> = probed.facts(&start).into_iter().collect();
        let declares = |what: &str| known.iter().any(|f| f.starts_with(&format!("({what} ")));
        let (facts, moves) = (declares("known-fact"), declares("known-move"));

        let mut game = sheet.machine();
        let mut rng = Rng::new(1);
        for _ in 0..20 {
            let mut state = game.initial().unwrap();
            for step in 0.. {
                assert!(step < 1000, "{name}: no end");
                for fact in game.facts(&state) {
                    let said = known.contains(&format!("(known-fact {fact})"));
                    assert!(said || !facts, "{name}: {fact} is no base fact");
                }
                let view = game.view(&state).unwrap();
                if view.terminal {
                    let chance = game.chance();
                    assert_eq!(view.goals.len(), game.roles().len(), "{name}");
                    let goals = view.goals.iter().enumerate().filter(|g| chance != Some(g.0));
                    let goals: Vec<i32> = goals.map(|(_, g)| g.expect(name)).collect();
                    assert!(goals.iter().all(|g| (0..=100).contains(g)), "{name}");
                    if sheet.zero_sum {
                        assert_eq!((goals.len(), goals.iter().sum::<i32>()), (2, 100), "{name}");
                    }
                    break;
                }
                assert!(!view.stuck(), "{name}: stuck at {:?}", game.facts(&state));
                for (role, legal) in view.legal.iter().enumerate() {
                    for &m in legal {
                        let said = format!("(known-move {} {})", game.roles()[role], game.show(m));
                        assert!(known.contains(&said) || !moves, "{name}: {said} is no input");
                    }
                }
                let picked = view.random_moves(&mut rng);
                state = game.next(&state, &picked).unwrap();
            }
        }
    }
}

/// What there is to do in a state.
enum Look<M> {
    /// The game is over, and the first role gets this.
    Over(i32),
    /// The moves of each role; who is not on turn has none or one that says so.
    Moves(Vec<Vec<M>>),
}

/// A rulesheet or a built-in game: both are counted and compared by the same code.
trait Rules {
    type State;
    type Move: Copy;

    fn start(&mut self) -> Self::State;
    fn look(&mut self, s: &Self::State) -> Look<Self::Move>;
    fn play(&mut self, s: &Self::State, moves: &[Self::Move]) -> Self::State;
    /// A name that is the same in both worlds.
    fn name(&self, s: &Self::State, role: usize, m: Self::Move) -> String;
}

impl Rules for Machine {
    type State = State;
    type Move = Move;

    fn start(&mut self) -> State {
        self.initial().unwrap()
    }

    fn look(&mut self, s: &State) -> Look<Move> {
        let view = self.view(s).unwrap();
        if view.terminal { Look::Over(view.goals[0].unwrap()) } else { Look::Moves(view.legal) }
    }

    fn play(&mut self, s: &State, moves: &[Move]) -> State {
        self.next(s, moves).unwrap()
    }

    /// `(mark b 2)` is `b2`.
    fn name(&self, _s: &State, _role: usize, m: Move) -> String {
        let text = self.show(m);
        match text.split_once(' ') {
            Some((_, args)) => args.replace([' ', ')'], ""),
            None => text,
        }
    }
}

/// The name of a move of a built-in game without the signs between its parts.
fn bare(text: &str) -> String {
    text.replace(['-', '@', 'x'], "")
}

const NOOP: &str = "noop";

/// A built-in game in turn. A move is none for who is not on turn.
struct InTurn(Erased);

impl Rules for InTurn {
    type State = AnyState;
    type Move = Option<AnyMove>;

    fn start(&mut self) -> AnyState {
        self.0.start()
    }

    fn look(&mut self, s: &AnyState) -> Look<Option<AnyMove>> {
        let Some(agent) = self.0.turn(s).mover() else {
            let scale = self.0.scale();
            return Look::Over(match scale.name(self.0.outcome(s)) {
                "loss" => 0,
                "draw" => 50,
                "win" => 100,
                score => {
                    let score: i32 = score.parse().unwrap();
                    if self.0.one_player() { 5 * score } else { 50 + 3 * score }
                }
            });
        };
        let mut moves = Vec::new();
        self.0.moves(s, agent, &mut moves);
        let roles = if self.0.one_player() { 1 } else { 2 };
        let mut all = vec![vec![None]; roles];
        all[usize::from(agent.0)] = moves.into_iter().map(Some).collect();
        Look::Moves(all)
    }

    fn play(&mut self, s: &AnyState, moves: &[Option<AnyMove>]) -> AnyState {
        let agent = moves.iter().position(Option::is_some).unwrap();
        let mut next = s.clone();
        self.0.play(&mut next, Agent(agent as u8), moves[agent].unwrap());
        next
    }

    fn name(&self, s: &AnyState, _role: usize, m: Option<AnyMove>) -> String {
        m.map_or(NOOP.to_owned(), |m| bare(&self.0.move_text(s, m)))
    }
}

/// A built-in game with joint moves.
struct AtOnce<J>(J);

impl<J: JointNotation> Rules for AtOnce<J> {
    type State = J::State;
    type Move = J::Move;

    fn start(&mut self) -> J::State {
        self.0.start()
    }

    fn look(&mut self, s: &J::State) -> Look<J::Move> {
        if let Some(payoff) = self.0.payoff(s) {
            return Look::Over(50 + 50 * payoff as i32);
        }
        Look::Moves(Vec::from([Side::Max, Side::Min].map(|side| {
            let mut moves = Vec::new();
            self.0.moves(s, side, &mut moves);
            moves
        })))
    }

    fn play(&mut self, s: &J::State, moves: &[J::Move]) -> J::State {
        let mut next = s.clone();
        self.0.play(&mut next, moves[0], moves[1]);
        next
    }

    fn name(&self, s: &J::State, role: usize, m: J::Move) -> String {
        bare(&self.0.move_text(s, [Side::Max, Side::Min][role], m))
    }
}

/// The number of move sequences of each length up to a depth, and of those shorter than that after
/// which the game is over, by what the first role gets.
#[derive(Debug, PartialEq, Eq)]
struct Perft {
    sequences: Vec<u64>,
    ends: BTreeMap<(u32, i32), u64>,
}

impl Perft {
    fn new<R: Rules>(rules: &mut R, depth: u32) -> Perft {
        let mut perft = Perft { sequences: vec![0; depth as usize], ends: BTreeMap::new() };
        let start = rules.start();
        perft.count(rules, &start, 0);
        perft
    }

    fn count<R: Rules>(&mut self, rules: &mut R, s: &R::State, played: u32) {
        let moves = match rules.look(s) {
            Look::Over(goal) => {
                *self.ends.entry((played, goal)).or_default() += 1;
                return;
            }
            Look::Moves(moves) => moves,
        };
        let all = products(&moves);
        self.sequences[played as usize] += all.len() as u64;
        if (played as usize) + 1 == self.sequences.len() {
            return;
        }
        for moves in all {
            let next = rules.play(s, &moves);
            self.count(rules, &next, played + 1);
        }
    }
}

/// All ways to take one of each list.
fn products<M: Copy>(lists: &[Vec<M>]) -> Vec<Vec<M>> {
    let mut all = vec![Vec::new()];
    for list in lists {
        let longer = |start: &Vec<M>| {
            let start = start.clone();
            list.iter().map(move |&m| start.iter().copied().chain([m]).collect())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Plays at random by both rules at once: the moves have the same names in each state, and the ends
/// the same goals. Sequences are counted near the beginning only, this looks at whole plays.
fn play_in_step<R: Rules>(name: &str, sheet: &mut Machine, twin: &mut R, rng: &mut Rng) {
    let (mut here, mut there) = (sheet.start(), twin.start());
    loop {
        let (own, other) = match (sheet.look(&here), twin.look(&there)) {
            (Look::Moves(own), Look::Moves(other)) => (own, other),
            (Look::Over(own), Look::Over(other)) => {
                assert_eq!(own, other, "{name}: {:?}", sheet.facts(&here));
                return;
            }
            _ => panic!("{name}: only one is over: {:?}", sheet.facts(&here)),
        };
        assert_eq!(own.len(), other.len(), "{name}");
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        for role in 0..own.len() {
            let named = |m: &Move| (sheet.name(&here, role, *m), *m);
            let own: BTreeMap<String, Move> = own[role].iter().map(named).collect();
            let named = |m: &R::Move| (twin.name(&there, role, *m), *m);
            let other: BTreeMap<String, R::Move> = other[role].iter().map(named).collect();
            assert!(own.keys().eq(other.keys()), "{name}: {:?}, {:?}", own.keys(), other.keys());
            let picked = rng.below(own.len() as u32) as usize;
            mine.extend(own.values().nth(picked));
            theirs.extend(other.values().nth(picked));
        }
        here = sheet.play(&here, &mine);
        there = twin.play(&there, &theirs);
    }
}

/// Compares a rulesheet with the built-in game that it equals.
struct Compare<'a>(&'a Sheet, u32);

impl Compare<'_> {
    fn with<R: Rules>(self, mut twin: R) {
        let Compare(sheet, depth) = self;
        let mut game = sheet.machine();
        let counts = Perft::new(&mut game, depth);
        assert_eq!(counts, Perft::new(&mut twin, depth), "{}", sheet.name);
        let mut rng = Rng::new(2);
        for _ in 0..100 {
            play_in_step(sheet.name, &mut game, &mut twin, &mut rng);
        }
    }
}

#[test]
fn rulesheets_equal_built_in_games() {
    for sheet in SHEETS {
        let Some((spec, depth)) = sheet.twin else { continue };
        let compare = Compare(sheet, depth);
        match open(&Files::from_disk(), spec).unwrap() {
            Opened::InTurn(game) => compare.with(InTurn(game)),
            Opened::Joint(game) => compare.with(AtOnce(game)),
        }
    }
}

#[test]
fn rulesheets_without_a_built_in_game_are_counted() {
    for sheet in SHEETS {
        assert!(sheet.twin.is_some() != sheet.counts.is_some(), "{}", sheet.name);
        let Some((sequences, sum)) = sheet.counts else { continue };
        let perft = Perft::new(&mut sheet.machine(), sequences.len() as u32);
        assert_eq!(perft.sequences, sequences, "{}", sheet.name);
        let ends = perft.ends.iter().map(|(&(_, goal), &count)| i64::from(goal) * count as i64);
        assert_eq!(ends.sum::<i64>(), sum, "{}", sheet.name);
    }
}

/// Counting does not come as far as the first line of three here, so the ends of plays are compared
/// with the lines that are seen on the board.
#[test]
fn three_players_end_with_a_line_of_three() {
    let mut game = other("three-player-tic-tac-toe").machine();
    let mut rng = Rng::new(3);
    for _ in 0..100 {
        let mut s = game.initial().unwrap();
        for marks in 0.. {
            let mut cells = HashMap::new();
            for fact in game.facts(&s) {
                let words: Vec<&str> = fact.trim_matches(['(', ')']).split(' ').collect();
                if let ["cell", column, row, mark @ ("x" | "o" | "z")] = words[..] {
                    let column = i32::from(column.as_bytes()[0] - b'a');
                    cells.insert((column, row.parse::<i32>().unwrap()), mark.to_owned());
                }
            }
            assert_eq!(cells.len(), marks);
            let lined = |role: &String| {
                let own = |c, r| cells.get(&(c, r)) == Some(role);
                let ways = [(1, 0), (0, 1), (1, 1), (1, -1)];
                let line =
                    |&(c, r): &(i32, i32), (dc, dr)| (0..3).all(|n| own(c + n * dc, r + n * dr));
                cells.keys().any(|cell| ways.iter().any(|&way| line(cell, way)))
            };
            let lines: Vec<bool> = game.roles().iter().map(lined).collect();
            let decided = lines.contains(&true);
            let view = game.view(&s).unwrap();
            assert_eq!(view.terminal, decided || marks == 16);
            if view.terminal {
                let goal = |&line: &bool| {
                    Some(if !decided {
                        33
                    } else if line {
                        100
                    } else {
                        0
                    })
                };
                assert_eq!(view.goals, lines.iter().map(goal).collect::<Vec<_>>());
                break;
            }
            let picked = view.random_moves(&mut rng);
            s = game.next(&s, &picked).unwrap();
        }
    }
}

/// What each role gets if all play best for themselves. One role at a time has a choice, and what
/// it gets decides what the others get, so that it does not matter which of the best moves it takes.
fn solve(game: &mut Machine, s: &State, known: &mut HashMap<State, Vec<i32>>) -> Vec<i32> {
    if let Some(value) = known.get(s) {
        return value.clone();
    }
    let view = game.view(s).unwrap();
    let mut best: Option<Vec<i32>> = None;
    if view.terminal {
        best = Some(view.goals.into_iter().map(Option::unwrap).collect());
    } else {
        let idle = |l: &&Vec<Move>| matches!(l[..], [m] if game.show(m) == NOOP);
        let movers = view.legal.iter().filter(|l| !idle(l)).count();
        assert_eq!(movers, 1, "a game in turn");
        let mover = view.legal.iter().position(|l| !idle(&l)).unwrap();
        for moves in products(&view.legal) {
            let next = game.next(s, &moves).unwrap();
            let value = solve(game, &next, known);
            if best.as_ref().is_none_or(|b| b[mover] < value[mover]) {
                best = Some(value);
            }
            if best.as_ref().is_some_and(|b| b[mover] == 100) {
                break;
            }
        }
    }
    let best = best.unwrap();
    known.insert(s.clone(), best.clone());
    best
}

#[test]
fn small_games_have_their_known_values() {
    for sheet in SHEETS {
        let Some(value) = sheet.value else { continue };
        let mut game = sheet.machine();
        let start = game.initial().unwrap();
        assert_eq!(solve(&mut game, &start, &mut HashMap::new()), value, "{}", sheet.name);
    }
}

/// The puzzles with a limit on the moves need all of them.
#[test]
fn one_move_fewer_is_not_enough() {
    for (name, limit, fewer) in [
        ("eight-puzzle", "(<= terminal (true (step 16)))", "(<= terminal (true (step 15)))"),
        ("hanoi", "(<= terminal (true (step 15)))", "(<= terminal (true (step 14)))"),
    ] {
        let text = other(name).text();
        assert_eq!(text.matches(limit).count(), 1, "{name}");
        let program = Program::read(&text.replace(limit, fewer)).unwrap();
        let mut game = Machine::new(&program, None).unwrap();
        let start = game.initial().unwrap();
        assert_eq!(solve(&mut game, &start, &mut HashMap::new()), [0], "{name}");
    }
}

/// Some ends are too rare on a large board for random plays to meet them: the rules there are those
/// of the small board, but for the facts that say how large it is.
#[test]
fn boards_of_two_sizes_have_the_same_rules() {
    for [large, small] in [
        ["breakthrough-6x6", "breakthrough"],
        ["connect-four", "connect-four-5x4"],
        ["domineering", "domineering-4x4"],
        ["tron", "tron-3x4"],
    ] {
        let rules = |name| {
            let sizes = [";", "(right ", "(above ", "(home ", "(far ", "(start "];
            let text = two(name).text();
            let lines = text.lines().filter(|l| !sizes.iter().any(|s| l.starts_with(s)));
            lines.collect::<Vec<_>>().join("\n")
        };
        assert_eq!(rules(large), rules(small));
    }
}

/// Positions come up again in the one game that is named so, after a move there and back.
#[test]
fn the_cyclic_game_is_cyclic() {
    let mut game = two("cyclic-ring").machine();
    let start = game.initial().unwrap();
    let mut s = start.clone();
    for moves in [["on", "noop"], ["noop", "back"]] {
        let moves: Vec<Move> = moves.iter().map(|m| game.read(m).unwrap()).collect();
        s = game.next(&s, &moves).unwrap();
    }
    assert_eq!(s, start);
}
