//! Covered moves: `*: as K` says that what answers one move answers all others that have no block.
//! The checker replays the text of claim K behind each of them, so that nothing is taken on trust.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::HashMap;

use foregone_model::certificate::{
    CheckError, Checksum, Manner, Proved, Reader, RulesOnly, check, write, write_to,
};
use foregone_model::{
    Agent, Claim, Game, Guide, Line, Notation, Outcome, Rng, Side, TextError, Turn, WeakSolution,
};

/// Max and Min take cells in turn. Max wins who takes all cells of one of the sets.
struct Sets {
    cells: u8,
    sets: Vec<u16>,
}

/// The cells of both, and who is to move.
type Cells = (u16, u16, u8);

impl Sets {
    fn random(rng: &mut Rng) -> Sets {
        let cells = 5 + rng.below(4) as u8;
        let set = |rng: &mut Rng| {
            let size = 2 + rng.below(2);
            (0..size).fold(0, |set, _| set | 1 << rng.below(u32::from(cells)))
        };
        let count = 2 + rng.below(5);
        Sets { cells, sets: (0..count).map(|_| set(rng)).collect() }
    }
}

impl Game for Sets {
    type State = Cells;
    type Move = u8;

    fn start(&self) -> Cells {
        (0, 0, 0)
    }

    fn turn(&self, s: &Cells) -> Turn {
        let full = s.0 | s.1 == (1 << self.cells) - 1;
        let over = full || self.sets.iter().any(|set| s.0 & set == *set);
        if over { Turn::Over } else { Turn::Agent(Agent(s.2)) }
    }

    fn moves(&self, s: &Cells, _agent: Agent, out: &mut Vec<u8>) {
        out.extend((0..self.cells).filter(|c| (s.0 | s.1) >> c & 1 == 0));
    }

    fn play(&self, s: &mut Cells, agent: Agent, m: u8) {
        *(if agent.0 == 0 { &mut s.0 } else { &mut s.1 }) |= 1 << m;
        s.2 = 1 - agent.0;
    }

    fn outcome(&self, s: &Cells) -> Outcome {
        let won = self.sets.iter().any(|set| s.0 & set == *set);
        if won { Outcome::WIN } else { Outcome::LOSS }
    }
}

impl Guide for Sets {
    type Packed = Cells;

    fn pack(&self, s: &Cells) -> Cells {
        *s
    }

    fn on_cells(&self) -> bool {
        true
    }
}

impl Notation for Sets {
    fn name(&self) -> String {
        "sets".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        ["max", "min"]
    }

    fn write_move(&self, _: &Cells, m: u8, out: &mut String) {
        out.push(char::from(b'a' + m));
    }

    fn parse_move(&self, _: &Cells, text: &str) -> Option<u8> {
        let m = text.bytes().next().filter(|_| text.len() == 1)?;
        m.checked_sub(b'a').filter(|&m| m < self.cells)
    }

    fn write_position(&self, s: &Cells, out: &mut String) {
        out.push_str(&format!("{},{},{}", s.0, s.1, s.2));
    }

    fn read_position(&self, text: &str) -> Result<Cells, TextError> {
        let numbers: Vec<u16> = text.split(',').filter_map(|n| n.parse().ok()).collect();
        match numbers[..] {
            [max, min, turn @ 0..=1] => Ok((max, min, turn as u8)),
            _ => Err(TextError::new("not a position", 0..text.len())),
        }
    }
}

/// Whether Max wins, by trying everything.
fn max_wins(game: &Sets, s: &Cells, memo: &mut HashMap<Cells, bool>) -> bool {
    let Some(agent) = game.turn(s).mover() else { return game.outcome(s) == Outcome::WIN };
    if let Some(&known) = memo.get(s) {
        return known;
    }
    let won = next(game, s, agent).iter().any(|(_, t)| max_wins(game, t, memo) == (agent.0 == 0));
    let value = won == (agent.0 == 0);
    memo.insert(*s, value);
    value
}

fn next(game: &Sets, s: &Cells, agent: Agent) -> Vec<(u8, Cells)> {
    let mut moves = Vec::new();
    game.moves(s, agent, &mut moves);
    let after = |m| {
        let mut next = *s;
        game.play(&mut next, agent, m);
        (m, next)
    };
    moves.into_iter().map(after).collect()
}

/// The weak solution of who wins, in which states that come up again are referred to, or not.
fn solution(game: &Sets, start: &Cells, refers: bool) -> WeakSolution<u8> {
    let mut memo = HashMap::new();
    let max = max_wins(game, start, &mut memo);
    let prover = if max { Side::Max } else { Side::Min };
    let (mut lines, mut first) = (Vec::new(), HashMap::new());
    let mut todo = vec![*start];
    while let Some(s) = todo.pop() {
        let Some(agent) = game.turn(&s).mover() else {
            lines.push(Line::Over);
            continue;
        };
        if let Some(&line) = first.get(&s)
            && refers
        {
            lines.push(Line::Same(line));
            continue;
        }
        first.insert(s, lines.len() as u32);
        let next = next(game, &s, agent);
        if Side::of(agent) == prover {
            let (m, t) =
                next.into_iter().find(|(_, t)| max_wins(game, t, &mut memo) == max).unwrap();
            lines.push(Line::Plays(m));
            todo.push(t);
        } else {
            lines.push(Line::Replies(next.len() as u32));
            todo.extend(next.iter().rev().map(|(_, t)| *t));
        }
    }
    WeakSolution { prover, lines }
}

fn claim(prover: Side) -> Claim {
    Claim { max: Agent::FIRST, prover, at_least: Outcome::WIN, or_endless: false }
}

fn text_of<G: Guide + Notation>(
    game: &G,
    start: &G::State,
    solution: &WeakSolution<G::Move>,
    covers: bool,
) -> String {
    let mut text = String::new();
    let mut take = |piece: &str| {
        text.push_str(piece);
        true
    };
    let (claim, manner) = (claim(solution.prover), Manner { covers });
    write_to(game, start, claim, solution, manner, &mut take, &mut |_, _| true).unwrap();
    text
}

/// By the rules alone, as `verify --strict` does.
fn strictly<G: Notation>(game: &G, text: &str) -> Result<Proved, CheckError> {
    let mut reader = Reader::new(text.as_bytes());
    let header = reader.header()?.ok_or(CheckError::new(1, "nothing"))?;
    check(game, &header, &mut reader, &mut RulesOnly)
}

/// A certificate with these claims, whose count and checksum are right.
fn sealed(head: &str, claims: &[&str]) -> String {
    let mut text = format!("{head}\n\n");
    for claim in claims {
        text.push_str(claim);
        text.push('\n');
    }
    let mut sum = Checksum::EMPTY;
    sum.add(text.as_bytes());
    format!("{text}end {} {:016x}\n", claims.len(), sum.0)
}

/// The head of a certificate, and its claims.
fn parts(text: &str) -> (&str, Vec<&str>) {
    let (head, body) = text.split_once("\n\n").unwrap();
    let mut claims: Vec<&str> = body.lines().collect();
    claims.pop();
    (head, claims)
}

#[test]
fn with_covered_moves_the_same_is_proved_by_fewer_claims() {
    let mut rng = Rng::new(1);
    let (mut plain, mut covered, mut lines) = (0, 0, 0);
    for _ in 0..300 {
        let game = Sets::random(&mut rng);
        for refers in [true, false] {
            let solution = solution(&game, &game.start(), refers);
            let [with, without] =
                [true, false].map(|covers| text_of(&game, &game.start(), &solution, covers));
            assert!(!without.contains('*') && !without.contains('@'));
            assert_eq!(write(&game, &game.start(), claim(solution.prover), &solution).text, with);
            let [with_proved, without_proved] =
                [&with, &without].map(|text| strictly(&game, text).expect(text));
            assert_eq!(with_proved.to_string(), without_proved.to_string());
            assert!(with_proved.claims <= without_proved.claims, "{with}{without}");
            (plain, covered) = (plain + without_proved.claims, covered + with_proved.claims);
            lines += with.matches("*: as ").count();
        }
    }
    assert!(lines > 1000 && covered * 10 < plain * 8, "{lines}: {covered} of {plain}");
}

#[test]
fn no_change_of_one_line_proves_what_is_false() {
    let mut rng = Rng::new(2);
    let (mut tried, mut still) = (0, 0);
    for _ in 0..60 {
        let game = Sets::random(&mut rng);
        let solution = solution(&game, &game.start(), true);
        let text = text_of(&game, &game.start(), &solution, true);
        let (head, claims) = parts(&text);
        // In these games the same claim is false, or true for another reason.
        let others: Vec<Sets> = (0..4).map(|_| Sets::random(&mut rng)).collect();
        let is_true = |game: &Sets| {
            max_wins(game, &game.start(), &mut HashMap::new()) == (solution.prover == Side::Max)
        };
        for at in 0..claims.len() {
            for _ in 0..4 {
                let mut changed: Vec<String> = claims.iter().map(|&c| c.to_owned()).collect();
                mutate(&mut changed, at, &mut rng);
                let changed: Vec<&str> = changed.iter().map(String::as_str).collect();
                let forged = sealed(head, &changed);
                for game in others.iter().chain([&game]) {
                    tried += 1;
                    if strictly(game, &forged).is_ok() {
                        assert!(is_true(game), "{forged}");
                        still += 1;
                    }
                }
            }
        }
    }
    // Most changes break the proof; a few only say the same thing in other words.
    assert!(tried > 20_000 && still * 3 < tried, "{still} of {tried}");
}

/// Changes a line, or leaves it out, or puts another one beside it.
fn mutate(claims: &mut Vec<String>, at: usize, rng: &mut Rng) {
    let other = claims[rng.below(claims.len() as u32) as usize].clone();
    let label = rng.below(9).to_string();
    let cell = char::from(b'a' + rng.below(8) as u8).to_string();
    match rng.below(9) {
        0 => drop(claims.remove(at)),
        1 => claims.insert(at, other),
        2 => claims[at] = other,
        3 => claims[at] = format!("*: as {label}"),
        4 => claims[at] = claims[at].replace('@', "#"),
        5 => claims[at] = claims[at].replace('#', "@"),
        6 => claims[at] = format!("{cell}: {}", claims[at].rsplit(": ").next().unwrap_or("")),
        7 => claims[at] = format!("{cell}: = {label}"),
        _ => {
            let front = claims[at].rsplit_once(' ').map_or("!", |(front, _)| front).to_owned();
            claims[at] = format!("{front} {cell}");
        }
    }
}

/// Max takes `a`, and then needs `b` or `c`.
fn pairs() -> (Sets, &'static str) {
    let game = Sets { cells: 6, sets: vec![0b00_0011, 0b00_0101] };
    (game, "foregone certificate 2\ngame sets\nrules 1\nposition 0,0,0\nclaim max at-least win")
}

#[test]
fn a_line_about_all_other_moves_is_checked_behind_each() {
    let (game, head) = pairs();
    let whole = ["! a", "? 5", "b: ! c", ".", "c: @1 ! b", ".", "*: as 1"];
    let proved = strictly(&game, &sealed(head, &whole)).unwrap();
    assert_eq!((proved.claims, proved.by_reason), (7, 0));
    // The line may stand for a label that lies inside a block that is kept.
    let inside = ["@9 ! a", "? 5", "b: ! c", ".", "c: #1 ! b", ".", "*: as 1"];
    assert!(strictly(&game, &sealed(head, &inside)).is_ok());
    for (claims, problem) in [
        // False: a move that is covered takes what is to be played then.
        (&["! a", "? 5", "d: @1 ! b", ".", "*: as 1"][..], "not a legal move"),
        (&["! a", "? 5", "b: ! c", ".", "d: @1 ! c", ".", "*: as 1"], "not a legal move"),
        // Not the last one, and twice.
        (&["! a", "? 5", "c: @1 ! b", ".", "*: as 1", "b: ! c", "."], "not a legal move"),
        (&["! a", "? 5", "b: ! c", ".", "c: @1 ! b", ".", "*: as 1", "*: as 1"], "expected `end"),
        // It covers nothing.
        (
            &[
                "! a",
                "? 5",
                "b: ! c",
                ".",
                "c: @1 ! b",
                ".",
                "d: ! b",
                ".",
                "e: ! b",
                ".",
                "f: ! b",
                ".",
                "*: as 1",
            ],
            "expected `end",
        ),
        (&["! a", "? 5", "b: ! c", ".", "c: @1 ! b", ".", "*: as 2"], "there is no claim #2"),
        (&["! a", "@2 ? 5", "b: ! c", ".", "c: ! b", ".", "*: as 2"], "still being proved"),
        (&["! a", "? 5", "b: ! c", ".", "c: #1 ! b", ".", "*: as 1"], "not kept"),
        (&["! a", "? 5", "b: ! c", ".", "c: @1 ! b", ".", "*: as x"], "expected a number"),
        (&["! a", "? 5", "b: ! c", ".", "c: @1 ! b", ".", "*: as"], "not a move"),
        (&["! a", "? 5", "b: ! c", ".", "c: @1 ! b", ".", "*: = 1"], "not a move"),
        (&["! a", "? 5", "b: ! c", ".", "c: @1 ! b", ".", "*: #2 as 1"], "not a move"),
        (&["! a", "? 5", "*: as 1"], "there is no claim #1"),
        (&["@1 ! a", "? 5", "*: as 1"], "still being proved"),
        (&["*: as 1"], "expected `.`"),
        (&["as 1"], "expected `.`"),
        (&["! a", "? 5", "b: ! c", ".", "c: @1 ! b", ".", "d: as 1"], "expected `.`"),
        // The number of moves stays that of all.
        (&["! a", "? 3", "b: ! c", ".", "c: @1 ! b", ".", "*: as 1"], "expected `? 5`"),
    ] {
        let refused = strictly(&game, &sealed(head, claims)).unwrap_err();
        assert!(refused.problem.contains(problem), "{claims:?}: {refused}");
    }
}

#[test]
fn a_replay_goes_by_the_text_behind_every_move() {
    // Max needs one of `a` and `b`, and with it one of `c`, `d`, `e`.
    let game = Sets { cells: 7, sets: vec![0b101, 0b1001, 0b1_0001, 0b110, 0b1010, 0b1_0010] };
    let head = "foregone certificate 2\ngame sets\nrules 1\nposition 0,0,1\nclaim max at-least win";
    let block = ["g: @1 ! a", "? 5", "c: ! d", ".", "d: @2 ! c", ".", "*: as 2"];
    // The same with a line for each move: the last one answers those that none names.
    let plain = [
        "g: @1 ! a",
        "? 5",
        "b: ! c",
        ".",
        "e: ! c",
        ".",
        "f: ! c",
        ".",
        "c: ! d",
        ".",
        "d: @2 ! c",
        ".",
    ];
    let a = ["a: ! b", "? 5", "c: ! d", ".", "*: as 2"];
    let c = ["c: ! a", "? 5", "d: ! e", ".", "e: @3 ! d", ".", "*: as 3"];
    let d = ["d: ! a", "? 5", "c: ! e", ".", "e: ! c", ".", "*: as 2"];
    for block in [&block[..], &plain] {
        let accepts = |parts: &[&[&str]]| {
            let claims = [&["? 7"][..], block, &parts.concat(), &["*: as 1"]].concat();
            strictly(&game, &sealed(head, &claims)).is_ok()
        };
        // `b`, `e` and `f` are covered. There `g` is a move, which the block does not know, and one that it
        // knows is not legal.
        assert!(accepts(&[&a, &c, &d]));
        for others in [&[&c[..], &d][..], &[&a, &d], &[&a, &c]] {
            assert!(!accepts(others), "{others:?}");
        }
    }
}

/// The opponent has so many moves, the prover one, and so often: then the prover has won. States are
/// all that was played, or only how much.
struct Free {
    moves: u8,
    rounds: usize,
    remembers: bool,
    /// The opponent makes no move twice, and has won who makes the last one second.
    trap: bool,
}

impl Game for Free {
    type State = Vec<u8>;
    type Move = u8;

    fn start(&self) -> Vec<u8> {
        Vec::new()
    }

    fn turn(&self, s: &Vec<u8>) -> Turn {
        let agent = Agent(1 - (s.len() % 2) as u8);
        if s.len() == 2 * self.rounds { Turn::Over } else { Turn::Agent(agent) }
    }

    fn moves(&self, s: &Vec<u8>, agent: Agent, out: &mut Vec<u8>) {
        let free = |m: &u8| !self.trap || agent.0 == 0 || s.iter().step_by(2).all(|o| o != m);
        out.extend((0..if agent.0 == 0 { 1 } else { self.moves }).filter(free));
    }

    fn play(&self, s: &mut Vec<u8>, _: Agent, m: u8) {
        s.push(if self.remembers { m } else { 0 });
    }

    fn outcome(&self, s: &Vec<u8>) -> Outcome {
        let trapped = self.trap && s.get(2) == Some(&(self.moves - 1));
        if trapped { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl Notation for Free {
    fn name(&self) -> String {
        "free".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        ["max", "min"]
    }

    fn write_move(&self, _: &Vec<u8>, m: u8, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _: &Vec<u8>, text: &str) -> Option<u8> {
        text.parse().ok()
    }

    fn write_position(&self, _: &Vec<u8>, out: &mut String) {
        out.push('.');
    }

    fn read_position(&self, _: &str) -> Result<Vec<u8>, TextError> {
        Ok(Vec::new())
    }
}

#[test]
fn replays_have_a_limit_that_no_clock_decides() {
    let head = "foregone certificate 2\ngame free\nrules 1\nposition .\nclaim max at-least win";
    for (rounds, remembers, accepted) in [(4, true, true), (8, true, false), (8, false, true)] {
        let game = Free { moves: 10, rounds, remembers, trap: false };
        let mut claims: Vec<String> = vec!["? 10".to_owned()];
        for round in 1..rounds {
            claims.extend([format!("0: @{round} ! 0"), "? 10".to_owned()]);
        }
        claims.extend([format!("0: @{rounds} ! 0"), ".".to_owned()]);
        claims.extend((1..=rounds).rev().map(|round| format!("*: as {round}")));
        let claims: Vec<&str> = claims.iter().map(String::as_str).collect();
        match strictly(&game, &sealed(head, &claims)) {
            Ok(_) => assert!(accepted, "{rounds}"),
            Err(refused) => {
                assert!(!accepted && refused.problem.contains("lines are replayed"), "{refused}");
            }
        }
    }
}

#[test]
fn a_move_that_the_text_does_not_name_is_answered_too() {
    // Whoever begins with the last move has nothing left to win with. The text of that block names
    // all moves but this one, which wins behind every other.
    let game = Free { moves: 4, rounds: 2, remembers: true, trap: true };
    let head = "foregone certificate 2\ngame free\nrules 1\nposition .\nclaim max at-least win";
    let inner = ["3: @1 ! 0", "? 3", "0: ! 0", ".", "1: ! 0", ".", "2: @2 ! 0", "."];
    let covered = ["3: @1 ! 0", "? 3", "2: @2 ! 0", ".", "*: as 2"];
    for block in [&inner[..], &covered] {
        let claims = [&["? 4"][..], block, &["*: as 1"]].concat();
        let refused = strictly(&game, &sealed(head, &claims)).unwrap_err();
        assert!(refused.problem.contains("against the claim"), "{refused}");
    }
}

/// A graph with a circle, in which endless play is worth a win to Max.
struct Circle;

impl Game for Circle {
    /// Where, and whose turn.
    type State = (u8, u8);
    type Move = u8;

    fn endless(&self) -> foregone_model::Endless {
        foregone_model::Endless::Scores(Outcome::WIN)
    }

    fn start(&self) -> (u8, u8) {
        (0, 1)
    }

    fn turn(&self, s: &(u8, u8)) -> Turn {
        if s.0 == 9 { Turn::Over } else { Turn::Agent(Agent(s.1)) }
    }

    /// Min goes to one of three places, Max goes back; from the third one only to the end.
    fn moves(&self, s: &(u8, u8), agent: Agent, out: &mut Vec<u8>) {
        match (agent.0, s.0) {
            (1, _) => out.extend([1, 2, 3]),
            (_, 3) => out.push(9),
            _ => out.push(0),
        }
    }

    fn play(&self, s: &mut (u8, u8), agent: Agent, m: u8) {
        *s = (m, 1 - agent.0);
    }

    fn outcome(&self, _: &(u8, u8)) -> Outcome {
        Outcome::LOSS
    }
}

impl Notation for Circle {
    fn name(&self) -> String {
        "circle".to_owned()
    }

    fn players(&self) -> [&str; 2] {
        ["max", "min"]
    }

    fn write_move(&self, _: &(u8, u8), m: u8, out: &mut String) {
        out.push_str(&m.to_string());
    }

    fn parse_move(&self, _: &(u8, u8), text: &str) -> Option<u8> {
        text.parse().ok()
    }

    fn write_position(&self, _: &(u8, u8), out: &mut String) {
        out.push('.');
    }

    fn read_position(&self, _: &str) -> Result<(u8, u8), TextError> {
        Ok((0, 1))
    }
}

#[test]
fn what_refers_to_an_open_claim_is_not_replayed() {
    let head = "foregone certificate 2\ngame circle\nrules 1\nposition .\nclaim max at-least win";
    // At the third place Max loses: nothing of this is true. At the second one the text would hold, but it
    // refers to a claim that is not proved then.
    let claims = ["@1 ? 3", "1: @2 ! 0", "= 1", "*: as 2"];
    let refused = strictly(&Circle, &sealed(head, &claims)).unwrap_err();
    assert!(refused.problem.contains("was open"), "{refused}");
    let claims = ["@1 ? 3", "1: ! 0", "= 1", "2: ! 0", "= 1", "*: as 1"];
    let refused = strictly(&Circle, &sealed(head, &claims)).unwrap_err();
    assert!(refused.problem.contains("still being proved"), "{refused}");
}
