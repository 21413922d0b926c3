//! Problems: keys, tries, set play and variations beside plain recursions that know no formula, and
//! proofs of "exactly these keys" that nobody can forge.

use foregone::games::chess::Chess;
use foregone::model::{Agent, Game, Notation, Outcome, Rng, Turn, Typed};
use foregone::problem::{Attack, Problem};
use foregone::{Engine, Job, Trust};

use crate::common::{accepted, formula, job, run};
use crate::seal::seal;

type State = <Chess as Game>::State;

/// A position, a stipulation, and what else is asked.
fn problem(fen: &str, stipulation: &str, words: &str) -> (Option<bool>, Vec<String>, Problem) {
    let text = format!("chess position={fen:?} question=\"formula {stipulation}\" all=yes {words}");
    let finished = run(&job(&text));
    let answer = formula(&finished);
    assert_eq!(answer.keys.is_some(), answer.problem.is_some());
    (answer.holds, answer.keys.clone().unwrap(), answer.problem.clone().unwrap())
}

/// Chess as problems see it, by the rules alone.
struct Plain {
    game: Chess,
}

impl Plain {
    /// The moves of a side, which may be out of turn, and what they lead to.
    fn after(&self, s: &State, side: Agent) -> Vec<(String, State)> {
        let mut moves = Vec::new();
        self.game.moves(s, side, &mut moves);
        let next = |&m: &<Chess as Game>::Move| {
            let (mut text, mut next) = (String::new(), s.clone());
            self.game.write_move_of(s, side, m, &mut text);
            self.game.play(&mut next, side, m);
            (text, next)
        };
        moves.iter().map(next).collect()
    }

    fn over(&self, s: &State) -> Option<Outcome> {
        (self.game.turn(s) == Turn::Over).then(|| self.game.outcome(s))
    }

    fn mated(&self, s: &State, by: Agent) -> bool {
        self.over(s).is_some_and(|o| self.game.won(o, by))
    }

    fn stalemated(&self, s: &State) -> bool {
        self.over(s).is_some_and(|o| !self.game.won(o, Agent(0)) && !self.game.won(o, Agent(1)))
    }

    fn check(&self, s: &State) -> bool {
        self.game.holds(s, self.game.read_atom("check").unwrap())
    }

    fn can_mate(&self, s: &State, side: Agent) -> bool {
        self.after(s, side).iter().any(|(_, next)| self.mated(next, side))
    }

    /// Whether the move of `side` that led here solves a problem in which `n` moves are left to it.
    fn solves(&self, kind: &str, s: &State, side: Agent, n: u32) -> bool {
        let other = Agent(1 - side.0);
        let again = |next: &State| !self.keys(kind, next, side, n).is_empty();
        match kind {
            "#" | "=" => {
                let done = if kind == "#" { self.mated(s, side) } else { self.stalemated(s) };
                done || n > 0
                    && self.over(s).is_none()
                    && self.after(s, other).iter().all(|(_, next)| again(next))
            }
            "s#" | "s=" => {
                let done = |next: &State| match kind {
                    "s#" => self.mated(next, other),
                    _ => self.stalemated(next),
                };
                let good = |next: &State| done(next) || n > 0 && again(next);
                self.over(s).is_none() && self.after(s, other).iter().all(|(_, next)| good(next))
            }
            "r#" => {
                let replies = self.after(s, other);
                self.can_mate(s, other)
                    || n > 0 && self.over(s).is_none() && replies.iter().all(|(_, s)| again(s))
            }
            _ => panic!("{kind}"),
        }
    }

    /// The first moves that solve a problem of `n` moves.
    fn keys(&self, kind: &str, s: &State, side: Agent, n: u32) -> Vec<String> {
        if kind == "r#" && self.can_mate(s, side) {
            return Vec::new();
        }
        let moves = self.after(s, side);
        let keys = moves.into_iter().filter(|(_, next)| self.solves(kind, next, side, n - 1));
        sorted(keys.map(|(text, _)| text))
    }

    /// All lines of `h#n`, `h=n` and `hs#n`: `side` is to move, and `half` leaves out its first move.
    fn lines(&self, kind: &str, s: &State, side: Agent, n: u32, half: bool) -> Vec<String> {
        let other = Agent(1 - side.0);
        let mut found = Vec::new();
        let join = |first: &str, rest: Vec<String>| {
            rest.into_iter().map(|line| format!("{first} {line}")).collect::<Vec<_>>()
        };
        if n == 0 {
            return found;
        }
        if half {
            // The other side's move, then the rest.
            for (text, next) in self.after(s, other) {
                let done = match kind {
                    "h#" => self.mated(&next, other),
                    _ => self.stalemated(&next),
                };
                if done {
                    found.push(text);
                } else if self.over(&next).is_none() {
                    found.extend(join(&text, self.lines(kind, &next, side, n - 1, false)));
                }
            }
            return sorted(found.into_iter());
        }
        for (text, next) in self.after(s, side) {
            if self.over(&next).is_some() {
                continue;
            }
            if kind == "hs#" {
                let replies = self.after(&next, other);
                if replies.iter().all(|(_, s)| self.mated(s, other)) {
                    found.extend(replies.iter().map(|(reply, _)| format!("{text} {reply}")));
                    continue;
                }
                for (reply, after) in replies.iter().filter(|(_, s)| self.over(s).is_none()) {
                    let rest = self.lines(kind, after, side, n - 1, false);
                    found.extend(join(&format!("{text} {reply}"), rest));
                }
                continue;
            }
            found.extend(join(&text, self.lines(kind, &next, side, n, true)));
        }
        sorted(found.into_iter())
    }

    /// All lines of a series of at most `n` moves. A side without a move is no hindrance.
    fn series(&self, kind: &str, s: &State, side: Agent, n: u32) -> Vec<String> {
        let other = Agent(1 - side.0);
        let mut found = Vec::new();
        if n == 0 || kind == "ser-r#" && self.can_mate(s, side) {
            return found;
        }
        for (text, next) in self.after(s, side) {
            let replies = self.after(&next, other);
            let mates = || replies.iter().filter(|(_, s)| self.mated(s, other));
            let ends: Vec<String> = mates().map(|(reply, _)| format!("{text} {reply}")).collect();
            let stops = match kind {
                "ser-#" if self.mated(&next, side) => {
                    found.push(text.clone());
                    true
                }
                "ser-#" => false,
                "ser-h#" => {
                    found.extend(ends);
                    false
                }
                "ser-s#" if !replies.is_empty() && ends.len() == replies.len() => {
                    found.extend(ends);
                    true
                }
                "ser-s#" => false,
                _ => {
                    found.extend(ends.iter().cloned());
                    !ends.is_empty()
                }
            };
            if !stops && !self.check(&next) {
                let rest = self.series(kind, &next, side, n - 1);
                found.extend(rest.into_iter().map(|line| format!("{text} {line}")));
            }
        }
        sorted(found.into_iter())
    }
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts.dedup();
    texts
}

/// Random positions with few men, in which neither side is in check.
fn positions(count: usize, men: u32, seed: u64) -> Vec<String> {
    let (game, mut rng, mut found) = (Chess::new(), Rng::new(seed), Vec::new());
    let check = game.read_atom("check").unwrap();
    while found.len() < count {
        let mut board = [b'.'; 64];
        let kinds = b"KkQqRrRrBbNnPpPpPp";
        for i in 0..2 + rng.below(men - 1) {
            let square = rng.below(64) as usize;
            let kind = if i < 2 { i } else { 2 + rng.below(kinds.len() as u32 - 2) };
            board[square] = kinds[kind as usize];
        }
        let rank = |rank: &[u8]| {
            let text: String = rank.iter().map(|&b| char::from(b)).collect();
            (1..=8).rev().fold(text, |t, n| t.replace(&".".repeat(n), &n.to_string()))
        };
        let board: Vec<String> = board.chunks(8).map(rank).collect();
        let both = ["w", "b"].map(|turn| format!("{} {turn} - - 0 1", board.join("/")));
        let states = both.clone().map(|fen| game.read_position(&fen).ok());
        let calm = |s: &Option<State>| {
            s.as_ref().is_some_and(|s| !game.holds(s, check) && game.turn(s) != Turn::Over)
        };
        if states.iter().all(calm) {
            found.push(both[rng.below(2) as usize].clone());
        }
    }
    found
}

/// Positions in which problems of several kinds can be solved; random ones seldom have that.
const SOLVED: [&str; 8] = [
    "8/8/8/2p5/2R5/kp5P/p7/K7 w - - 0 1",
    "8/8/8/8/8/kp5R/p7/K7 w - - 0 1",
    "7k/8/5K2/8/8/8/8/R7 b - - 0 1",
    "7k/8/5K2/8/8/8/8/R7 w - - 0 1",
    "8/8/8/8/8/2K5/7Q/k7 b - - 0 1",
    "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1",
    "8/8/8/8/7p/5p1P/5K1p/7k w - - 0 1",
    "8/8/8/8/8/1K6/3Q4/k7 w - - 0 1",
];

fn positions_and_solved(count: usize, men: u32, seed: u64) -> Vec<String> {
    let mut all = positions(count, men, seed);
    all.extend(SOLVED.map(str::to_owned));
    all
}

#[test]
fn keys_are_those_of_a_plain_recursion() {
    let plain = Plain { game: Chess::new() };
    let mut solved = std::collections::BTreeMap::new();
    for (kind, n, count) in
        [("#", 2, 60), ("=", 2, 40), ("s#", 2, 40), ("s=", 2, 40), ("r#", 1, 60), ("r#", 2, 40)]
    {
        for fen in positions_and_solved(count, 7, u64::from(n)) {
            let s = plain.game.read_position_or_moves(&fen).unwrap();
            let Turn::Agent(side) = plain.game.turn(&s) else { panic!("{fen}") };
            let stipulation = format!("{kind}{n}");
            let expected = plain.keys(kind, &s, side, n);
            let (holds, keys, _) = problem(&fen, &stipulation, "");
            assert_eq!(keys, expected, "{stipulation} in {fen}");
            assert_eq!(holds, Some(!expected.is_empty()), "{stipulation} in {fen}");
            *solved.entry(kind).or_insert(0) += usize::from(!expected.is_empty());
        }
    }
    solved.remove("s=");
    assert!(solved.len() == 4 && solved.values().all(|&n| n > 0), "{solved:?}");
}

#[test]
fn lines_are_those_of_a_plain_recursion() {
    let plain = Plain { game: Chess::new() };
    let series = Plain { game: Chess::new() };
    let mut solved = std::collections::BTreeMap::new();
    for (kind, n, half, count) in [
        ("h#", 1, false, 60),
        ("h#", 2, true, 30),
        ("h=", 1, false, 60),
        ("h=", 2, true, 30),
        ("hs#", 2, false, 30),
        ("ser-#", 2, false, 40),
        ("ser-h#", 2, false, 40),
        ("ser-s#", 2, false, 40),
        ("ser-r#", 2, false, 60),
    ] {
        for fen in positions_and_solved(count, 6, u64::from(n) + kind.len() as u64) {
            let s = plain.game.read_position_or_moves(&fen).unwrap();
            let Turn::Agent(mover) = plain.game.turn(&s) else { panic!("{fen}") };
            let text = if half { format!("{kind}{}.5", n - 1) } else { format!("{kind}{n}") };
            let expected = match (kind.starts_with("ser"), half) {
                (true, _) => series.series(kind, &s, mover, n),
                (false, true) => plain.lines(kind, &s, Agent(1 - mover.0), n, true),
                (false, false) => plain.lines(kind, &s, mover, n, false),
            };
            let (holds, keys, _) = problem(&fen, &text, "");
            assert_eq!(keys, expected, "{text} in {fen}");
            assert_eq!(holds, Some(!expected.is_empty()), "{text} in {fen}");
            *solved.entry(kind).or_insert(0) += usize::from(!expected.is_empty());
        }
    }
    assert!(solved.len() == 7 && solved.values().all(|&n| n > 0), "{solved:?}");
}

/// A series goes on though the other side has no move in between.
#[test]
fn a_series_does_not_end_in_stalemate() {
    // After 1.Qc7 Black has no move, and White goes on.
    let fen = "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1";
    let (holds, lines, _) = problem(fen, "ser-#2", "");
    assert_eq!(holds, Some(true));
    assert!(lines.contains(&"c1c7 c7b7".to_owned()), "{lines:?}");
}

fn texts(attacks: &[Attack]) -> Vec<&str> {
    attacks.iter().map(|a| a.ply.text.as_str()).collect()
}

#[test]
fn tries_fail_to_as_many_defences_as_was_said() {
    let plain = Plain { game: Chess::new() };
    let (mut tries, mut none) = (0, 0);
    for fen in positions(25, 7, 77) {
        for most in [1, 2] {
            let s = plain.game.read_position_or_moves(&fen).unwrap();
            let Turn::Agent(side) = plain.game.turn(&s) else { panic!("{fen}") };
            let mut expected = Vec::new();
            for (text, next) in plain.after(&s, side) {
                let replies = plain.after(&next, Agent(1 - side.0));
                let failing =
                    replies.iter().filter(|(_, s)| plain.keys("#", s, side, 1).is_empty());
                let refutations = sorted(failing.map(|(reply, _)| reply.clone()));
                if plain.over(&next).is_none() && (1..=most).contains(&refutations.len()) {
                    expected.push((text, refutations));
                }
            }
            let (_, keys, found) = problem(&fen, "#2", &format!("tries={most}"));
            let found = found.tries.unwrap();
            let mut found: Vec<(String, Vec<String>)> = found
                .iter()
                .map(|a| (a.ply.text.clone(), sorted(a.refutations.iter().map(|p| p.text.clone()))))
                .collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{fen}");
            assert!(found.iter().all(|(text, _)| !keys.contains(text)));
            tries += found.len();
            none += usize::from(found.is_empty());
        }
    }
    assert!(tries > 10 && none > 0, "{tries} {none}");
}

/// A problem with all that there can be, looked at by hand and by Popeye.
#[test]
fn threats_variations_duals_and_set_play_are_told() {
    let fen = "8/8/8/8/8/1K6/3Q4/k7 w - - 0 1";
    let (_, keys, found) = problem(fen, "#2", "variations=yes set_play=yes tries=1");
    assert_eq!(found.keys.len(), keys.len());
    let key = |text: &str| found.keys.iter().find(|k| k.ply.text == text).unwrap();
    let h6 = key("d2h6");
    assert_eq!(texts(&h6.threats), ["h6c1", "h6h1"]);
    assert_eq!(h6.variations.len(), 1);
    // One of the two threats goes on to work; the defence is one all the same.
    assert_eq!(h6.variations[0].ply.san.as_deref(), Some("Kb1"));
    assert_eq!(texts(&h6.variations[0].continuations), ["h6h1"]);
    assert!(!h6.variations[0].dual && !h6.zugzwang);
    // So is one that meets only the fourth of five threats.
    assert_eq!((key("d2e2").threats.len(), key("d2e2").variations.len()), (5, 1));
    assert!(key("d2e2").variations[0].dual);
    // The only defence lets the threat pass.
    assert_eq!(texts(&key("d2b4").threats), ["b4e1"]);
    assert!(key("d2b4").variations.is_empty());
    // A check threatens nothing.
    let check = key("d2c3");
    assert!(check.threats.is_empty() && !check.zugzwang && check.variations[0].dual);
    // A mate at once has nothing behind it.
    assert!(key("d2c1").variations.is_empty() && !key("d2c1").zugzwang);
    let tries = found.tries.unwrap();
    assert_eq!(texts(&tries), ["b3a4", "b3b4", "b3c4"]);
    assert!(tries.iter().all(|t| t.refutations.len() == 1 && t.refutations[0].text == "a1b1"));
    let set_play = found.set_play.unwrap();
    assert_eq!(set_play.variations.len(), 1);
    assert_eq!(set_play.variations[0].ply.text, "a1b1");
    let mut mates = texts(&set_play.variations[0].continuations);
    mates.sort_unstable();
    assert_eq!(mates, ["d2b2", "d2d1", "d2e1"]);
    assert!(!found.incomplete);
    // Zugzwang: every move of Black is a mistake, and White threatens nothing.
    let (_, _, found) = problem("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "#2", "variations=yes");
    assert!(found.keys[0].zugzwang && found.keys[0].threats.is_empty());
    assert!(found.keys[0].variations.len() > 3);
}

#[test]
fn set_play_of_helpmates_begins_with_the_other_side() {
    let fen = "7k/8/5K2/8/8/8/8/R7 b - - 0 1";
    let (_, lines, found) = problem(fen, "h#2", "set_play=yes");
    assert_eq!(lines.len(), 22);
    let set_play = found.set_play.unwrap();
    let set: Vec<Vec<&str>> = set_play
        .lines
        .iter()
        .map(|line| line.moves.iter().map(|p| p.text.as_str()).collect())
        .collect();
    assert_eq!(set.len(), 2);
    assert!(set.contains(&vec!["f6f7", "h8h7", "a1h1"]), "{set:?}");
    assert!(set.contains(&vec!["f6g6", "h8g8", "a1a8"]), "{set:?}");
}

/// Keys, tries and variations of any game; threats need a side that may move out of turn.
#[test]
fn other_games_have_keys_and_tries_too() {
    let text = "tic-tac-toe position=\"xo./.x./..o x\" question=\"formula omega(2)\" tries=1 \
                variations=yes set_play=yes";
    let finished = run(&job(text));
    let answer = formula(&finished);
    let found = answer.problem.clone().unwrap();
    assert_eq!(answer.holds, Some(true));
    assert!(!found.keys.is_empty() && found.keys.iter().all(|k| k.ply.san.is_none()));
    assert!(found.keys.iter().all(|k| !k.threats.is_empty() || !k.variations.is_empty()));
    assert!(found.tries.is_some());
    // In Nim nobody moves out of turn, so nothing is threatened, and there is no set play.
    let text = "nim:1,2 question=\"formula omega(2)\" variations=yes set_play=yes";
    let finished = run(&job(text));
    let found = formula(&finished).problem.clone().unwrap();
    assert_eq!(found.set_play, Some(Default::default()));
    assert_eq!(texts(&found.keys), ["2-1"]);
    assert!(found.keys[0].threats.is_empty() && found.keys[0].variations.len() == 2);
    assert!(found.keys[0].variations.iter().all(|v| v.continuations.len() == 1));
}

/// The certificate of "exactly these keys".
fn exactly(text: &str) -> (String, Vec<String>) {
    let finished = run(&Job { proof: foregone::Proof::Always, ..job(text) });
    let answer = formula(&finished);
    assert!(answer.keys_proved, "{text}");
    (finished.certificate.clone(), answer.keys.clone().unwrap())
}

const KEYED: [&str; 6] = [
    "chess position=\"8/8/8/8/8/1K6/3Q4/k7 w - - 0 1\" question=\"formula #2\" all=yes",
    "chess position=\"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1\" question=\"formula #2\" all=yes",
    "chess position=\"8/8/8/2p5/2R5/kp5P/p7/K7 w - - 0 1\" question=\"formula r#2\" all=yes",
    "chess position=\"8/8/8/2p5/2R5/kp5P/p7/K7 w - - 0 1\" question=\"formula s#2\" all=yes",
    "chess position=\"7k/8/5K2/8/8/8/8/R7 b - - 0 1\" question=\"formula h#2\" all=yes",
    "tic-tac-toe position=\"xo./.x./..o x\" question=\"formula omega(2)\" all=yes",
];

#[test]
fn exactly_these_keys_is_proved_and_verified() {
    for text in KEYED {
        for knowledge in ["yes", "no"] {
            let (certificate, keys) = exactly(&format!("{text} knowledge={knowledge}"));
            let proved = Engine::default()
                .verify(&mut certificate.as_bytes(), &mut Trust::default())
                .unwrap_or_else(|e| panic!("{text}: {e}\n{certificate}"));
            let foregone::Replayed::Turn(proved) = &proved[0] else { panic!() };
            let mut first: Vec<&str> =
                keys.iter().map(|key| key.split(' ').next().unwrap()).collect();
            first.dedup();
            let said = proved.to_string();
            assert!(said.ends_with(&format!("exactly these keys: {}", first.join(" "))), "{said}");
        }
    }
}

/// Somebody who leaves out a key, adds one, or leaves out a move, is found out.
#[test]
fn forged_keys_are_refused() {
    let engine = Engine::default();
    let mut forged = 0;
    for text in KEYED {
        let (certificate, _) = exactly(&format!("{text} knowledge=no"));
        assert!(accepted(&engine, &certificate));
        let lines: Vec<String> = certificate.lines().map(str::to_owned).collect();
        let at = lines.iter().position(|l| l.starts_with("as ")).unwrap();
        let (agent, keys) = lines[at].split_once(", exactly these keys: ").unwrap();
        let keys: Vec<&str> = keys.split(' ').collect();
        let mut refuse = |as_line: String, lines: &[String], what: &str| {
            let mut lines = lines.to_vec();
            lines[at] = as_line;
            let forgery = seal(&lines[..lines.len() - 1]);
            assert_ne!(forgery, certificate);
            assert!(!accepted(&engine, &forgery), "{what}:\n{forgery}");
            forged += 1;
        };
        let listed = |keys: &[&str]| format!("{agent}, exactly these keys: {}", keys.join(" "));
        // A key less; for the last one, the formula would not hold at all.
        for i in 0..keys.len() {
            let fewer: Vec<&str> =
                keys.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, k)| *k).collect();
            refuse(listed(&fewer), &lines, "a key is left out");
        }
        // A key more: every other first move that the certificate answers, and some that are none.
        let body = lines.iter().position(|l| l.starts_with("? ")).unwrap();
        let first_moves: Vec<&str> =
            lines[body..].iter().filter_map(|l| Some(l.split_once(": ")?.0)).collect();
        let others = first_moves.iter().filter(|m| !keys.contains(m));
        for other in others.take(20).chain(&["a1a1", "pass", "1st", "", "e9"]) {
            refuse(listed(&[&keys[..], &[other]].concat()), &lines, "a key is added");
        }
        // The words without keys, and other words.
        refuse(agent.to_owned(), &lines, "no keys");
        refuse(format!("{agent}, step by step"), &lines, "step by step");
        refuse(format!("{agent}, exactly these keys:"), &lines, "no key");
        refuse(format!("{agent}, these keys: {}", keys.join(" ")), &lines, "other words");
        // That these are not the keys cannot be claimed.
        let mut below = lines.clone();
        let claim = below.iter().position(|l| l.starts_with("claim ")).unwrap();
        below[claim] = "claim falsifier below win".to_owned();
        refuse(listed(&keys), &below, "the other side claims");
        refuse(listed(&[first_moves[0]]), &below, "the other side claims a false list");
        // A move less is answered.
        let answers: Vec<usize> =
            (body..lines.len()).filter(|&i| lines[i].contains(": ")).collect();
        for &i in answers.iter().take(30) {
            let mut fewer = lines.clone();
            fewer.remove(i);
            refuse(listed(&keys), &fewer, "a move is not answered");
            let mut fewer = lines.clone();
            fewer.remove(i);
            let count: u64 = fewer[body][2..].parse().unwrap_or(0);
            fewer[body] = format!("? {}", count.saturating_sub(1));
            refuse(listed(&keys), &fewer, "a move is not answered, nor counted");
        }
    }
    assert!(forged > 200, "{forged}");
}

/// The side to move of a helpmate may be written down wrong: that is said.
#[test]
fn a_helpmate_with_the_wrong_side_to_move_is_noticed() {
    let asked = |fen: &str, text: &str| {
        let finished = run(&job(&format!("chess position={fen:?} question=\"formula {text}\"")));
        let answer = formula(&finished);
        (answer.holds, answer.holds_for_other_side)
    };
    assert_eq!(asked("7k/8/5K2/8/8/8/8/R7 b - - 0 1", "h#1.5"), (Some(false), Some(true)));
    assert_eq!(asked("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "h#1.5"), (Some(true), None));
    assert_eq!(asked("7k/8/8/8/8/8/8/K7 w - - 0 1", "h#1.5"), (Some(false), Some(false)));
    assert_eq!(asked("7k/8/5K2/8/8/8/8/R7 b - - 0 1", "#1"), (Some(false), None));
}
