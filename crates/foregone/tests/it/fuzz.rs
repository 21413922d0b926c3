//! Random and mutated input for everything that reads text: certificates, positions, moves, game
//! files, game names, jobs. Nothing may panic. Whatever is read must be consistent,
//! and whatever the checker accepts must be true.
//!
//! `FOREGONE_FUZZ_SECONDS` says how long it takes, 3 by default. The inputs are the same every
//! time; more seconds only try more of them.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::common::{boards, in_turn, job, root, run};
use crate::hostile;
use crate::inputs::{Fuzz, Trying};
use crate::seal::seal;
use foregone::games::explicit::Explicit;
use foregone::games::files::Files;
use foregone::games::registry::{self, GameError, Opened};
use foregone::games::sum::PLUS;
use foregone::model::certificate::{CheckError, Header, Proved, Reader, check};
use foregone::model::{Agent, Claim, Endless, Game, Guide, Notation, Side, TextError, Typed};
use foregone::search::strong::{StrongSolution, Verdict};
use foregone::{Error, ErrorKind, Job, Question, Trust};

/// An error in a text must point into it, and be one that can be shown.
fn judge(fuzz: &mut Fuzz, text: &str, error: TextError) {
    let (start, end) = (error.span.start, error.span.end);
    assert!(text.get(error.span.clone()).is_some(), "{start}..{end} of {text:?}");
    assert!(!error.message.is_empty());
    if fuzz.one_in(32) {
        let error = Error::text("input", text, error);
        assert_eq!(error.kind, ErrorKind::Input);
        assert!(error.help.is_none_or(|help| !help.is_empty()));
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
        let Some(agent) = game.turn(&s).mover() else {
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
fn texts<G: Guide + Notation>(game: &G, fuzz: &mut Fuzz) {
    // Step 1: good texts, out of some random plays.
    let name = game.name();
    let mut states = Vec::new();
    let mut positions = vec!["start".to_owned(), "moves:".to_owned()];
    let mut words = vec!["a1".to_owned()];
    for _ in 0..6 {
        let mut s = game.start();
        let mut play: Vec<String> = Vec::new();
        while let Some(agent) = game.turn(&s).mover()
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
                consistent(game, &s, fuzz);
            }
            Err(error) => judge(fuzz, &text, error),
        }
        drop(trying);

        let text = fuzz.input(&words);
        let trying = Trying { what: &format!("a move of {name}"), input: text.as_bytes() };
        let s = fuzz.pick(&states).clone();
        match game.read_move(&s, &text) {
            Ok(m) => {
                fuzz.taken += 1;
                let Some(agent) = game.turn(&s).mover() else { panic!("it is over") };
                if game.parse_move(&s, &text) == Some(m) {
                    assert_eq!(game.move_text(&s, m), text, "two texts for a move");
                }
                let mut next = s.clone();
                game.play(&mut next, agent, m);
                consistent(game, &next, fuzz);
            }
            Err(error) => judge(fuzz, &text, error),
        }
        drop(trying);
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

/// Certificates of a small game: those of a job, mutated in bytes, lines and blocks.
fn certificates(words: &str, fuzz: &mut Fuzz) {
    let job = job(words);
    let game = in_turn(&job.game);
    let start = game.read_position_or_moves(&job.position).unwrap();
    let text = run(&job).certificate;
    let mut pool = pool_of_lines(&game, &start, fuzz);
    pool.extend(text.lines().map(str::to_owned));
    let mut truths = HashMap::new();
    while fuzz.goes_on() {
        let bytes = mutate_certificate(&text, &pool, fuzz);
        let trying = Trying { what: words, input: &bytes };
        fuzz.tried += 1;
        for (header, checked) in replay(&game, &bytes, fuzz.one_in(2)).unwrap_or_default() {
            fuzz.taken += 1;
            let key = (header.position.clone(), checked.claim.at_least);
            let won = *truths.entry(key).or_insert_with(|| {
                let start = game.read_position(&header.position).unwrap();
                let at_least = checked.claim.at_least;
                let strong = StrongSolution::of(&game, start.clone(), at_least, 2_000_000).unwrap();
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
            let Some(agent) = game.turn(&s).mover() else { break };
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
        let Some(agent) = self.game.turn(&s).mover() else {
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
            Err(error) => judge(fuzz, &text, error),
        }
        drop(trying);
    }
}

/// The name of a game, and its start as text. There are no files.
fn name_and_start(spec: &str) -> Result<(String, String), GameError> {
    match registry::open(&Files::from_memory::<&str, &str>([]), spec)? {
        Opened::InTurn(game) => {
            let start = game.position_text(&game.start());
            assert_eq!(game.read_position(&start).as_ref(), Ok(&game.start()));
            Ok((game.name(), start))
        }
        Opened::Joint(game) => {
            use foregone::model::{Joint, JointNotation};
            let start = JointNotation::position_text(&game, &Joint::start(&game));
            let read = JointNotation::read_position(&game, &start);
            assert_eq!(read.as_ref(), Ok(&Joint::start(&game)));
            Ok((JointNotation::name(&game), start))
        }
    }
}

/// The numbers in a text, in their order.
fn numbers(text: &str) -> Vec<u64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect()
}

fn names_of_games(fuzz: &mut Fuzz) {
    // Never a path: what a file holds is another matter.
    let is_file = |spec: &str| {
        let name = spec.split(':').next();
        registry::GAMES.iter().any(|game| game.file.is_some() && Some(game.name) == name)
    };
    let specs: Vec<String> = boards().into_iter().filter(|b| !is_file(b)).collect();
    while fuzz.goes_on() {
        let spec = fuzz.input(&specs);
        if is_file(&spec) {
            continue;
        }
        let trying = Trying { what: "a game's name", input: spec.as_bytes() };
        match name_and_start(&spec) {
            Ok((name, start)) => {
                fuzz.taken += 1;
                // The game is the one that was asked for, with defaults for what was not said; in a sum each
                // part is.
                assert_eq!(name.split(PLUS).count(), spec.split(PLUS).count(), "{spec}: {name}");
                for (name, spec) in name.split(PLUS).zip(spec.split(PLUS)) {
                    assert!(numbers(name).starts_with(&numbers(spec)), "{spec} became {name}");
                }
                assert_eq!(name_and_start(&name).unwrap(), (name, start));
            }
            Err(GameError::Spec(error)) => judge(fuzz, &spec, error),
            Err(other) => panic!("{other}"),
        }
        drop(trying);
    }
}

fn jobs(fuzz: &mut Fuzz) {
    let game = "outcomes awful bad fair good\nmax a -> b c\nend b fair\nend c bad\n";
    let game = foregone::AnyGame::in_turn(Explicit::read("explicit:scale", game).unwrap());
    let questions = ["win", "value", "at-least fair", "at-least good", "at-least awful", "nash"]
        .map(str::to_owned)
        .to_vec();
    let texts = [
        "nim:1,2 nodes=10 time=1.5 memory=1000 threads=2 seed=7",
        "nim position=\"moves:1-1\" question=\"at-least win\" proof=drawn all=yes",
        "hex:3 scheme=mo(mcts(exploration=0.4)) driver=tree leaves=playout playouts=9",
        "chess algorithm=mps(cost=depth,moves=1/2) question=\"formula <A> w\" player=white",
        "goofspiel:4 solver=smab(tree,skip=2,cells=lexicographic) window=a..b",
        "nim driver=alphabeta(order=montecarlo,walk=deepen,plays=100) outcomes=doubling",
        "nim driver=squared(inner=pp) scheme=sbmcts(gamma=0.5,cuts=no) knowledge=no symmetry=no",
    ]
    .map(str::to_owned)
    .to_vec();
    while fuzz.goes_on() {
        let text = fuzz.input(&questions);
        let trying = Trying { what: "a question", input: text.as_bytes() };
        if let Ok(question) = text.parse::<Question>() {
            assert_eq!(question.to_string(), text);
            match crate::common::run_on(&game, &Job::default().ask(question)) {
                Ok(finished) => {
                    fuzz.taken += 1;
                    assert!(finished.answer.solved());
                }
                Err(error) => assert_eq!(error.kind, ErrorKind::Input),
            }
        }
        drop(trying);

        let text = fuzz.input(&texts);
        let trying = Trying { what: "a job", input: text.as_bytes() };
        match text.parse::<Job>() {
            Ok(job) => {
                fuzz.taken += 1;
                // What was read is written and read again as the same.
                assert_eq!(job.to_string().parse::<Job>().unwrap(), job);
                let json = serde_json::to_string(&job).unwrap();
                assert_eq!(serde_json::from_str::<Job>(&json).unwrap(), job);
            }
            Err(error) => {
                assert!(!error.message.is_empty());
                if let Some(place) = error.place {
                    assert!(place.text.get(place.span.clone()).is_some(), "{place:?}");
                }
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
    "tic-tac-toe position=moves:b2,a2 question=win",
    "domineering:3x4",
    "clobber:3x3",
    "clobber:2x4,impartial",
    "col:2x3",
    "cram:3x3",
    "snort:2x3",
    "kayles:3,2",
    "octal:0.77,2,4",
    "toads-and-frogs:xx.oo/x.o",
    "toppling-dominoes:xogo/ox",
    "connect-four:4x4 position=123432",
    "nogo:3x3",
    "amazons:3x3",
    "elephants:9",
    "fission:4x5",
    "hackenbush:0b1,1r2,0b3,3r4,0r5",
    "konane:4x4",
    "sheep:3x3,4",
    "atari-go:2x3",
    "hex:3",
    "y:3",
    "breakthrough:4x2",
    "race:12,3",
    "race:9,2,misere",
    "kalah:2,2",
    "left-right:4",
    "othello:4x4 position=moves:a2,a3,a4,c1,d1,a1",
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
        texts(&in_turn(board), &mut fuzz);
        (tried, taken) = (tried + fuzz.tried, taken + fuzz.taken);
    }
    tell("positions and moves", tried, taken);

    let (mut tried, mut taken) = (0, 0);
    for words in JOBS {
        let mut fuzz = Fuzz::new(words, share(0.15, JOBS.len()));
        certificates(words, &mut fuzz);
        (tried, taken) = (tried + fuzz.tried, taken + fuzz.taken);
    }
    tell("mutated certificates", tried, taken);

    type Part = (&'static str, fn(&mut Fuzz), f64);
    let parts: [Part; 8] = [
        ("invented certificates", invented_certificates, 0.15),
        ("game files", game_files, 0.05),
        ("names of games", names_of_games, 0.05),
        ("jobs", jobs, 0.05),
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
