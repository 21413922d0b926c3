//! Random and mutated input for everything that reads text: certificates, positions, moves, game
//! files, game names, questions, budgets. Nothing may panic. Whatever is read must be consistent,
//! and whatever the checker accepts must be true.
//!
//! `FOREGONE_FUZZ_SECONDS` says how long it takes, 3 by default. The inputs are the same every
//! time; more seconds only try more of them.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::common::{boards, root, seal, solve_args};
use crate::hostile;
use clap::Parser;
use foregone::args::Cli;
use foregone::failure::Failure;
use foregone::job::{Job, Question};
use foregone::print::question_text;
use foregone::session;
use foregone::verify::Trust;
use foregone_games::explicit::Explicit;
use foregone_games::registry::{GameError, Visitor, with_game};
use foregone_model::certificate::{CheckError, Header, Proved, Reader, check};
use foregone_model::{
    Agent, Claim, Endless, Game, Guide, Notation, Outcome, Rng, Side, Turn, Typed,
};
use foregone_search::strong::{StrongSolution, Verdict};

/// Says which input it was, when one makes the program panic.
pub(crate) struct Trying<'a> {
    pub(crate) what: &'a str,
    pub(crate) input: &'a [u8],
}

impl Drop for Trying<'_> {
    #[expect(clippy::print_stdout, reason = "this is how a failed test shows its input")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("{}: {:?}", self.what, String::from_utf8_lossy(self.input));
        }
    }
}

/// The source of inputs, and how many there were.
pub(crate) struct Fuzz {
    pub(crate) rng: Rng,
    pub(crate) tried: u64,
    /// Those that were read, or accepted.
    pub(crate) taken: u64,
    until: Instant,
    /// Every loop goes round so often, however short the time.
    least: u32,
}

impl Fuzz {
    fn new(name: &str, time: Duration) -> Fuzz {
        let seed = name.bytes().fold(2013, |h: u64, b| h.wrapping_mul(31).wrapping_add(b.into()));
        Fuzz { rng: Rng::new(seed), tried: 0, taken: 0, until: Instant::now() + time, least: 20 }
    }

    pub(crate) fn goes_on(&mut self) -> bool {
        self.least = self.least.saturating_sub(1);
        self.least > 0 || Instant::now() < self.until
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u32) as usize
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }

    /// A character that means something somewhere, or one that hardly anything expects.
    fn character(&mut self) -> char {
        const PLAIN: &[u8] = b" .#xowb/,:-+=!?@_[]()'\"0123456789abcdehilmnrstvxyABXZ";
        const ODD: &[char] = &[
            'é', 'ß', '☃', '𝄞', '٣', 'İ', '\0', '\n', '\r', '\t', '\u{202e}', '\u{feff}', '\u{a0}',
            '\u{301}', '…', '×',
        ];
        if self.one_in(6) { *self.pick(ODD) } else { *self.pick(PLAIN) as char }
    }

    /// A text that differs from this one in some small ways; `others` are good for pieces.
    fn mutate(&mut self, text: &str, others: &[String]) -> String {
        const NUMBERS: &[&str] =
            &["", "0", "1", "-1", "00", "007", "+3", "255", "256", "65536", "4294967296", "1e9"];
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..1 + self.below(3) {
            let at = self.below(chars.len() + 1);
            let end = at + self.below((chars.len() - at).min(12) + 1);
            match self.below(10) {
                0 => chars.insert(at, self.character()),
                1 if at < chars.len() => chars[at] = self.character(),
                2 => drop(chars.drain(at..end)),
                3 => {
                    let copy = chars[at..end].to_vec();
                    chars.splice(at..at, copy);
                }
                4 if end > at => chars.swap(at, end - 1),
                5 if self.one_in(4) => chars.truncate(at),
                6 => {
                    let other: Vec<char> = self.pick(others).chars().collect();
                    let from = self.below(other.len() + 1);
                    let to = from + self.below(other.len() - from + 1);
                    chars.splice(at..end, other[from..to].iter().copied());
                }
                7 => {
                    let digit = |c: &char| c.is_ascii_digit();
                    let first = at + chars[at..].iter().take_while(|c| !digit(c)).count();
                    let last = first + chars[first..].iter().take_while(|c| digit(c)).count();
                    chars.splice(first..last, self.pick(NUMBERS).chars());
                }
                8 if self.one_in(20) => {
                    let long = vec![self.character(); 1 + self.below(3000)];
                    chars.splice(at..at, long);
                }
                _ => chars.push(self.character()),
            }
        }
        chars.into_iter().collect()
    }

    /// A text that has nothing to do with anything.
    fn noise(&mut self) -> String {
        (0..self.below(24)).map(|_| self.character()).collect()
    }

    /// One of the texts, as it is, mutated, or noise instead of it.
    fn input(&mut self, texts: &[String]) -> String {
        self.tried += 1;
        let text = self.pick(texts).clone();
        match self.below(16) {
            0 => text,
            1 => self.noise(),
            _ => self.mutate(&text, texts),
        }
    }

    /// An error in a text must point into it, and be one that can be shown.
    fn judge(&mut self, text: &str, error: foregone_model::TextError) {
        let (start, end) = (error.span.start, error.span.end);
        assert!(text.get(error.span.clone()).is_some(), "{start}..{end} of {text:?}");
        assert!(!error.message.is_empty());
        if self.one_in(32) {
            let report = miette::Report::new(Failure::text("input", text, error));
            assert!(!format!("{report:?}").is_empty());
        }
    }
}

/// What holds for every position, however it was read.
fn consistent<G: Guide + Notation>(game: &G, s: &G::State, fuzz: &mut Fuzz) {
    let text = game.position_text(s);
    assert!(!text.contains('\n'), "{text}");
    assert_eq!(game.read_position(&text).as_ref(), Ok(s), "{text} is read otherwise");
    assert!(game.draw(s).ends_with('\n'), "{text}");
    let mut s = s.clone();
    let mut moves = Vec::new();
    for ply in 0..100_000 {
        let Turn::Agent(agent) = game.turn(&s) else {
            assert!(game.outcome(&s) <= game.scale().best(), "{text}");
            return;
        };
        moves.clear();
        game.moves(&s, agent, &mut moves);
        assert!(!moves.is_empty(), "{text}: no moves, and not over");
        if ply == 0 {
            for (i, &m) in moves.iter().enumerate() {
                assert!(!moves[..i].contains(&m), "{text}: {m:?} twice");
                let word = game.move_text(&s, m);
                assert_eq!(game.read_move(&s, &word), Ok(m), "{text}: {word}");
            }
            for who in [Agent(0), Agent(1)] {
                let mut theirs = Vec::new();
                game.moves(&s, who, &mut theirs);
                assert_eq!(game.mobility(&s, who) as usize, theirs.len(), "{text}");
            }
            if let Some(chance) = game.evaluate(&s) {
                assert!(chance > 0.0 && chance < 1.0, "{text}: {chance}");
            }
            if let Some(known) = game.known(&s) {
                assert!(known.at_least <= known.at_most, "{text}: {known:?}");
            }
            let mirror = game.canonical(&s);
            assert_eq!(game.canonical(&mirror), mirror, "{text}");
            assert_eq!(game.turn(&mirror), game.turn(&s), "{text}");
            let _ = game.playout(s.clone(), &mut fuzz.rng);
        }
        let m = moves[fuzz.below(moves.len())];
        game.play(&mut s, agent, m);
        if game.endless() != Endless::Impossible && ply > 50 {
            return;
        }
    }
    panic!("{text}: a play without end");
}

/// Positions, moves and lists of moves of one game.
struct Texts<'a>(&'a mut Fuzz);

impl Visitor for Texts<'_> {
    type Output = ();

    fn visit<G: Guide + Notation>(self, game: G) {
        let fuzz = self.0;
        // Step 1: good texts, out of some random plays.
        let name = game.name();
        let mut states = Vec::new();
        let mut positions = vec!["start".to_owned(), "moves:".to_owned()];
        let mut words = vec!["a1".to_owned()];
        for _ in 0..6 {
            let mut s = game.start();
            let mut play: Vec<String> = Vec::new();
            while let Turn::Agent(agent) = game.turn(&s)
                && play.len() < 60
            {
                states.push(s.clone());
                positions.push(game.position_text(&s));
                let mut moves = Vec::new();
                game.moves(&s, agent, &mut moves);
                let m = moves[fuzz.below(moves.len())];
                play.push(game.move_text(&s, m));
                game.play(&mut s, agent, m);
            }
            states.push(s.clone());
            positions.push(game.position_text(&s));
            positions.push(format!("moves:{}", play.join(",")));
            positions.push(play.concat());
            words.extend(play);
        }
        // Step 2: texts that may be good or not.
        while fuzz.goes_on() {
            let text = fuzz.input(&positions);
            let trying = Trying { what: &format!("a position of {name}"), input: text.as_bytes() };
            let read = match fuzz.one_in(2) {
                true => game.read_position(&text),
                false => game.read_position_or_moves(&text),
            };
            match read {
                Ok(s) => {
                    fuzz.taken += 1;
                    consistent(&game, &s, fuzz);
                }
                Err(error) => fuzz.judge(&text, error),
            }
            drop(trying);

            let text = fuzz.input(&words);
            let trying = Trying { what: &format!("a move of {name}"), input: text.as_bytes() };
            let s = fuzz.pick(&states).clone();
            match game.read_move(&s, &text) {
                Ok(m) => {
                    fuzz.taken += 1;
                    let Turn::Agent(agent) = game.turn(&s) else { panic!("it is over") };
                    if game.parse_move(&s, &text) == Some(m) {
                        assert_eq!(game.move_text(&s, m), text, "two texts for a move");
                    }
                    let mut next = s.clone();
                    game.play(&mut next, agent, m);
                    consistent(&game, &next, fuzz);
                }
                Err(error) => fuzz.judge(&text, error),
            }
            drop(trying);
        }
    }
}

/// Replays all certificates in some bytes, as `foregone verify` does, and hands over what each
/// of them proved. Those of other games are refused: there is but one game here.
fn replay<G: Guide + Notation>(
    game: &G,
    bytes: &[u8],
    strict: bool,
) -> Result<Vec<(Header, Proved)>, CheckError> {
    let mut trust = Trust { rules_only: strict, ..Trust::default() };
    let mut reader = Reader::new(bytes);
    let mut proved = Vec::new();
    while let Some(header) = reader.header()? {
        if header.game != game.name() {
            break;
        }
        let checked = check(game, &header, &mut reader, &mut trust)?;
        proved.push((header, checked));
    }
    Ok(proved)
}

/// Certificates of a small game: `solve`'s own, mutated in bytes, lines and blocks.
struct Certificates<'a> {
    words: &'a str,
    fuzz: &'a mut Fuzz,
}

impl Visitor for Certificates<'_> {
    type Output = ();

    fn visit<G: Guide + Notation>(self, game: G) {
        let fuzz = self.fuzz;
        let job = Job::new(&game, &solve_args(self.words)).unwrap();
        let text = session::solve(&game, &job, false).unwrap().certificates;
        let mut pool = pool_of_lines(&game, &job.start, fuzz);
        pool.extend(text.lines().map(str::to_owned));
        let mut truths = HashMap::new();
        while fuzz.goes_on() {
            let bytes = mutate_certificate(&text, &pool, fuzz);
            let trying = Trying { what: self.words, input: &bytes };
            fuzz.tried += 1;
            for (header, checked) in replay(&game, &bytes, fuzz.one_in(2)).unwrap_or_default() {
                fuzz.taken += 1;
                let key = (header.position.clone(), checked.claim.at_least);
                let won = *truths.entry(key).or_insert_with(|| {
                    let start = game.read_position(&header.position).unwrap();
                    let at_least = checked.claim.at_least;
                    let strong =
                        StrongSolution::of(&game, start.clone(), at_least, 2_000_000).unwrap();
                    strong.verdict(&start) == Some(Verdict::Won)
                });
                // A claim that leaves room for endless play says less. What loops may prove is
                // tested by certificates that are made up.
                let less = checked.claim.or_endless && game.endless() != Endless::Impossible;
                let true_claim = won == (checked.claim.prover == Side::Max);
                assert!(true_claim || less, "{header:?} was accepted and is false");
            }
            drop(trying);
        }
    }
}

/// Lines that may stand in certificates of a game: headers, claims, and nonsense.
fn pool_of_lines<G: Notation>(game: &G, start: &G::State, fuzz: &mut Fuzz) -> Vec<String> {
    let junk = ["", ".", "= 1", "= 0", "#1 = 1", "#9 .", "#9 ! a1", "? 0", "? 1", "? 99", "by x"];
    let mut pool: Vec<String> = junk.map(str::to_owned).to_vec();
    let [max, min] = game.players();
    for outcome in game.scale().names() {
        for endless in ["", " or-endless"] {
            pool.push(format!("claim {max} at-least {outcome}{endless}"));
            pool.push(format!("claim {min} below {outcome}{endless}"));
        }
    }
    for _ in 0..8 {
        let mut s = start.clone();
        for _ in 0..6 {
            pool.push(format!("position {}", game.position_text(&s)));
            let Turn::Agent(agent) = game.turn(&s) else { break };
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            let m = moves[fuzz.below(moves.len())];
            pool.push(format!("! {}", game.move_text(&s, m)));
            pool.push(format!("{}: .", game.move_text(&s, m)));
            game.play(&mut s, agent, m);
        }
    }
    pool
}

fn mutate_certificate(text: &str, pool: &[String], fuzz: &mut Fuzz) -> Vec<u8> {
    // Step 1: bytes, left as they are then, or lines.
    if fuzz.one_in(4) {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..fuzz.below(4) {
            let at = fuzz.below(bytes.len());
            match fuzz.below(4) {
                0 => bytes[at] ^= 1 << fuzz.below(8),
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, fuzz.below(256) as u8),
                _ => bytes.truncate(at),
            }
            if bytes.is_empty() {
                return bytes;
            }
        }
        if fuzz.one_in(50) {
            let at = fuzz.below(bytes.len());
            bytes.splice(at..at, vec![b'z'; 1 << 17]);
        }
        return bytes;
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.pop();
    for _ in 0..fuzz.below(3) {
        // Half of the changes are made to the header, which is short.
        let most = if fuzz.one_in(2) { lines.len().min(7) } else { lines.len() };
        let at = fuzz.below(most);
        match fuzz.below(8) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, fuzz.pick(pool).clone()),
            2 | 3 => lines[at] = fuzz.pick(pool).clone(),
            4 => {
                let other = fuzz.below(lines.len());
                lines.swap(at, other);
            }
            5 => lines[at] = fuzz.mutate(&lines[at].clone(), pool),
            _ => swap_answers(&mut lines, at),
        }
        if lines.is_empty() {
            break;
        }
    }
    // Step 2: most of them with an end that fits, so that only the replay can refuse them.
    let sealed = seal(&lines);
    if fuzz.one_in(8) { (sealed.clone() + &sealed).into_bytes() } else { sealed.into_bytes() }
}

/// Exchanges the first two answers behind a `? N`, which changes nothing that is claimed.
fn swap_answers(lines: &mut [String], from: usize) {
    let end = |lines: &[String], mut at: usize| {
        let mut open = 1i64;
        while open > 0 && at < lines.len() {
            let claim = lines[at].rsplit(": ").next().unwrap_or_default();
            open += match claim.split_once("? ").map(|(_, n)| n.parse::<i64>()) {
                Some(Ok(n)) => n.min(1000) - 1,
                _ if claim.contains("! ") => 0,
                _ => -1,
            };
            at += 1;
        }
        at
    };
    let Some(at) = (from..lines.len()).find(|&i| lines[i].contains("? ")) else { return };
    let second = end(lines, at + 1);
    let third = end(lines, second);
    if at + 1 < second && second < third {
        lines[at + 1..third].rotate_left(second - at - 1);
    }
}

/// A random graph: the line about endless play, if any, and the rest of the file.
fn random_graph(fuzz: &mut Fuzz) -> (String, String) {
    let two = fuzz.one_in(2);
    let outcomes: &[&str] = if two { &["loss", "win"] } else { &["low", "middle", "high"] };
    let endless = match fuzz.one_in(2) {
        true => format!("endless {}\n", fuzz.pick(outcomes)),
        false => String::new(),
    };
    let states = 2 + fuzz.below(6);
    let ends = 1 + fuzz.below(2);
    let acyclic = fuzz.one_in(3);
    let mut text = format!("outcomes {}\n", outcomes.join(" "));
    for s in 0..states + ends {
        if s >= states {
            text += &format!("end s{s} {}\n", fuzz.pick(outcomes));
            continue;
        }
        let lowest = if acyclic { s + 1 } else { 0 };
        let mut successors: Vec<String> = Vec::new();
        for _ in 0..1 + fuzz.below(3) {
            let name = format!("s{}", lowest + fuzz.below(states + ends - lowest));
            if !successors.contains(&name) {
                successors.push(name);
            }
        }
        text += &format!("{} s{s} -> {}\n", fuzz.pick(&["max", "min"]), successors.join(" "));
    }
    (endless, text)
}

/// A certificate made up on the way: moves at random, references and labels at random, and now
/// and then a lie. Many are accepted, so that this tests what loops and references may prove.
struct Inventor<'a> {
    game: &'a Explicit,
    prover: Side,
    labels: Vec<<Explicit as Game>::State>,
    lines: Vec<String>,
}

impl Inventor<'_> {
    fn block(&mut self, s: <Explicit as Game>::State, lead: String, fuzz: &mut Fuzz) {
        // Step 1: a reference, mostly to the same state, whether its block is complete or not.
        let same: Vec<usize> =
            (0..self.labels.len()).filter(|&k| self.labels[k] == s || fuzz.one_in(200)).collect();
        if !same.is_empty() && !fuzz.one_in(4) {
            self.lines.push(format!("{lead}= {}", fuzz.pick(&same)));
            return;
        }
        // Step 2: a label.
        let mut lead = lead;
        if !fuzz.one_in(3) {
            lead += &format!("#{} ", self.labels.len());
            self.labels.push(s);
        }
        // Step 3: what the rules say, or a lie.
        let Turn::Agent(agent) = self.game.turn(&s) else {
            self.lines.push(lead + ".");
            return;
        };
        let mut moves = Vec::new();
        self.game.moves(&s, agent, &mut moves);
        let lie = fuzz.one_in(60);
        if self.lines.len() > 40 || lie && fuzz.one_in(3) {
            self.lines.push(lead + ".");
        } else if (Side::of(agent) == self.prover) != lie {
            let m = *fuzz.pick(&moves);
            self.lines.push(format!("{lead}! {}", self.game.move_text(&s, m)));
            self.after(s, agent, m, String::new(), fuzz);
        } else {
            if lie || fuzz.one_in(60) {
                moves.pop();
            }
            self.lines.push(format!("{lead}? {}", moves.len()));
            while !moves.is_empty() {
                let m = moves.remove(fuzz.below(moves.len()));
                let lead = format!("{}: ", self.game.move_text(&s, m));
                self.after(s, agent, m, lead, fuzz);
            }
        }
    }

    fn after(
        &mut self,
        mut s: <Explicit as Game>::State,
        agent: Agent,
        m: u32,
        lead: String,
        fuzz: &mut Fuzz,
    ) {
        self.game.play(&mut s, agent, m);
        self.block(s, lead, fuzz);
    }
}

/// Whether a claim is true of a state: by what either side can force to an end, and by what
/// endless play is worth to the claim. `open` is the game without the line about endless play.
fn is_true(game: &Explicit, open: &Explicit, s: <Explicit as Game>::State, claim: Claim) -> bool {
    let strong = StrongSolution::of(open, s, claim.at_least, 1000).unwrap();
    let verdict = strong.verdict(&s).unwrap();
    let (good, bad) = match claim.prover {
        Side::Max => (Verdict::Won, Verdict::Lost),
        Side::Min => (Verdict::Lost, Verdict::Won),
    };
    let endless_is_good = match game.endless() {
        Endless::Scores(o) => (o >= claim.at_least) == (claim.prover == Side::Max),
        Endless::Impossible | Endless::Undetermined => false,
    };
    if claim.or_endless || endless_is_good { verdict != bad } else { verdict == good }
}

fn invented_certificates(fuzz: &mut Fuzz) {
    while fuzz.goes_on() {
        let (endless, text) = random_graph(fuzz);
        let open = Explicit::read("explicit:random", &text).unwrap();
        let game = Explicit::read("explicit:random", &format!("{endless}{text}")).unwrap();
        let prover = *fuzz.pick(&[Side::Max, Side::Min]);
        let relation = ["at-least", "below"][prover.index()];
        let names: Vec<String> = game.scale().names().skip(1).map(str::to_owned).collect();
        let or_endless = if fuzz.one_in(3) { " or-endless" } else { "" };
        let player = game.players()[prover.index()];
        let claim = format!("claim {player} {relation} {}{or_endless}", fuzz.pick(&names));
        for _ in 0..6 {
            let mut inventor = Inventor {
                game: &game,
                prover,
                labels: Vec::new(),
                lines: vec![
                    "foregone certificate 2".to_owned(),
                    "game explicit:random".to_owned(),
                    format!("rules {}", game.rules()),
                    format!("position {}", game.position_text(&game.start())),
                    claim.clone(),
                    String::new(),
                ],
            };
            inventor.block(game.start(), String::new(), fuzz);
            let file = seal(&inventor.lines);
            let what = format!("a certificate of\n{endless}{text}");
            let trying = Trying { what: &what, input: file.as_bytes() };
            fuzz.tried += 1;
            for (header, checked) in replay(&game, file.as_bytes(), true).unwrap_or_default() {
                fuzz.taken += 1;
                let holds = is_true(&game, &open, game.start(), checked.claim);
                assert!(holds, "{header:?} was accepted and is false");
            }
            drop(trying);
        }
    }
}

fn game_files(fuzz: &mut Fuzz) {
    let mut texts: Vec<String> = ["figure-2-1a", "figure-2-1b", "figure-2-2"]
        .map(|f| std::fs::read_to_string(root().join(format!("examples/{f}.game"))).unwrap())
        .to_vec();
    for _ in 0..8 {
        let (endless, text) = random_graph(fuzz);
        texts.push(endless + &text);
    }
    let words = ["start", "max", "min", "end", "outcomes", "endless", "->", "s0", "win", "#", "\n"];
    while fuzz.goes_on() {
        let text = match fuzz.one_in(5) {
            true => {
                fuzz.tried += 1;
                let soup: Vec<&str> = (0..fuzz.below(30)).map(|_| *fuzz.pick(&words)).collect();
                soup.join(" ")
            }
            false => fuzz.input(&texts),
        };
        let trying = Trying { what: "a game file", input: text.as_bytes() };
        match Explicit::read("explicit:fuzz", &text) {
            Ok(game) => {
                fuzz.taken += 1;
                consistent(&game, &game.start(), fuzz);
            }
            Err(error) => fuzz.judge(&text, error),
        }
        drop(trying);
    }
}

/// The name of a game, and its start as text.
struct Name;

impl Visitor for Name {
    type Output = (String, String);

    fn visit<G: Guide + Notation>(self, game: G) -> (String, String) {
        let start = game.position_text(&game.start());
        assert_eq!(game.read_position(&start).as_ref(), Ok(&game.start()));
        (game.name(), start)
    }
}

/// The numbers in a text, in their order.
fn numbers(text: &str) -> Vec<u64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect()
}

fn names_of_games(fuzz: &mut Fuzz) {
    // Never a path: what a file holds is another matter.
    let is_file = |spec: &str| ["explicit", "gdl"].contains(&spec.split(':').next().unwrap_or(""));
    let specs: Vec<String> = boards().into_iter().filter(|b| !is_file(b)).collect();
    while fuzz.goes_on() {
        let spec = fuzz.input(&specs);
        if is_file(&spec) {
            continue;
        }
        let trying = Trying { what: "a game's name", input: spec.as_bytes() };
        match with_game(&spec, Name) {
            Ok((name, start)) => {
                fuzz.taken += 1;
                // The game is the one that was asked for, with defaults for what was not said.
                assert!(numbers(&name).starts_with(&numbers(&spec)), "{spec} became {name}");
                assert_eq!(with_game(&name, Name).unwrap(), (name, start));
            }
            Err(GameError::Spec(error)) => fuzz.judge(&spec, error),
            Err(other) => panic!("{other}"),
        }
        drop(trying);
    }
}

fn words_of_the_command_line(fuzz: &mut Fuzz) {
    let scales = "outcomes awful bad fair good\nmax a -> b c\nend b fair\nend c bad\n";
    let game = Explicit::read("explicit:scale", scales).unwrap();
    let questions = ["win", "value", "at-least fair", "at-least good", "at-least awful"]
        .map(str::to_owned)
        .to_vec();
    let amounts =
        ["500ms", "1.5m", "60s", "10M", "2G", "1.5KiB", "1e3"].map(str::to_owned).to_vec();
    while fuzz.goes_on() {
        let text = fuzz.input(&questions);
        let trying = Trying { what: "a question", input: text.as_bytes() };
        let mut args = solve_args("explicit:scale");
        args.question = Some(text.clone());
        match Job::new(&game, &args) {
            Ok(job) => {
                fuzz.taken += 1;
                assert_ne!(job.question, Question::AtLeast(Outcome(0)));
                args.question = Some(question_text(&game.scale(), job.question));
                assert_eq!(Job::new(&game, &args).unwrap().question, job.question);
            }
            Err(failure) => {
                assert_eq!(failure.code, 2);
                assert!(!format!("{:?}", miette::Report::new(failure)).is_empty());
            }
        }
        drop(trying);

        let text = fuzz.input(&amounts);
        let trying = Trying { what: "a budget", input: text.as_bytes() };
        for option in ["time", "nodes", "memory", "seed", "exploration", "scheme", "driver"] {
            let words = ["foregone", "solve", "nim", &format!("--{option}={text}")];
            match Cli::try_parse_from(words) {
                Ok(_) => fuzz.taken += 1,
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        drop(trying);
    }
}

/// Small enough for brute force from every position in them.
const JOBS: &[&str] = &[
    "nim:1,2,3",
    "nim:2,3",
    "tic-tac-toe",
    "tic-tac-toe --position moves:b2,a2 --question win",
    "domineering:3x4",
    "connect-four:4x4 --position 123432",
    "nogo:3x3",
    "atari-go:2x3",
    "hex:3",
    "y:3",
    "breakthrough:4x2",
    "race:12,3",
    "race:9,2,misere",
    "kalah:2,2",
    "left-right:4",
    "othello:4x4 --position moves:a2,a3,a4,c1,d1,a1",
    "same-game:3x3,3,5",
    "seki:1,1",
    "woodpush:4,2",
];

#[test]
fn no_input_makes_it_panic_and_no_lie_is_accepted() {
    let seconds = match std::env::var("FOREGONE_FUZZ_SECONDS") {
        Ok(text) => text.parse().expect("FOREGONE_FUZZ_SECONDS is a number of seconds"),
        Err(_) => 3.0,
    };
    let share = |part: f64, of: usize| Duration::from_secs_f64(seconds * part / of as f64);
    let clock = Instant::now();
    let mut total = 0;
    let mut tell = |what: &str, tried: u64, taken: u64| {
        total += tried;
        println!("{what}: {tried} inputs tried, {taken} of them taken");
        assert!(tried > 0 && taken > 0, "nothing was taken: the inputs are no good");
    };

    let boards = boards();
    let (mut tried, mut taken) = (0, 0);
    for board in &boards {
        let mut fuzz = Fuzz::new(board, share(0.15, boards.len()));
        with_game(board, Texts(&mut fuzz)).unwrap();
        (tried, taken) = (tried + fuzz.tried, taken + fuzz.taken);
    }
    tell("positions and moves", tried, taken);

    let (mut tried, mut taken) = (0, 0);
    for words in JOBS {
        let mut fuzz = Fuzz::new(words, share(0.15, JOBS.len()));
        let game = words.split(' ').next().unwrap();
        with_game(game, Certificates { words, fuzz: &mut fuzz }).unwrap();
        (tried, taken) = (tried + fuzz.tried, taken + fuzz.taken);
    }
    tell("mutated certificates", tried, taken);

    type Part = (&'static str, fn(&mut Fuzz), f64);
    let parts: [Part; 8] = [
        ("invented certificates", invented_certificates, 0.15),
        ("game files", game_files, 0.05),
        ("names of games", names_of_games, 0.05),
        ("words of the command line", words_of_the_command_line, 0.05),
        ("formulas on positions", hostile::formulas_on_positions, 0.25),
        ("mixed strategies", hostile::mixed_strategies, 0.05),
        ("scales of typed graphs", hostile::scales_of_graphs, 0.05),
        ("goals and roles of rulesheets", hostile::goals_and_roles, 0.1),
    ];
    for (what, run, part) in parts {
        let mut fuzz = Fuzz::new(what, share(part, 1));
        run(&mut fuzz);
        tell(what, fuzz.tried, fuzz.taken);
    }
    println!("{total} inputs in {:.1} s", clock.elapsed().as_secs_f64());
}
