//! Damaged and forged certificates must be refused.
//!
//! Damage is anything done to the bytes. A forgery also mends the count and the checksum at the
//! end, so that only the replay can find it out.

use std::collections::HashMap;

use crate::common::{in_turn, job, run};
use crate::seal::seal;
use foregone::games::explicit::Explicit;
use foregone::model::certificate::{CheckError, Proved, Reader, check};
use foregone::model::{Claim, Game, Guide, Notation, Outcome, Rng, Side, Turn, Typed};
use foregone::search::strong::{StrongSolution, Verdict};
use foregone::{Job, Trust};

const JOBS: &[&str] = &[
    "nim:1,2,3",
    "nim:2,3 position=moves:1-1",
    "tic-tac-toe position=moves:b2,a1,c1 question=win",
    "tic-tac-toe position=moves:b2,a2 question=win",
    "domineering:4x4",
    "domineering:3x4",
    "clobber:3x3",
    "col:2x3",
    "cram:3x3",
    "snort:2x3",
    "kayles:3,2",
    "octal:0.77,2,4",
    "toads-and-frogs:xx.oo/x.o",
    "toppling-dominoes:xogo/ox",
    "connect-four:4x4 position=123432 question=win",
    "nogo:3x3",
    "amazons:3x3",
    "elephants:8,impartial",
    "fission:4x5",
    "hackenbush:0b1,1r2,0b3,3r4,0r5",
    "konane:4x4",
    "sheep:3x3,4",
    "atari-go:3x3",
    "hex:3",
    "y:3",
    "breakthrough:4x3",
    "race:12,3",
    "kalah:2,2 question=win",
    "left-right:4 question=win",
    "othello:4x4 position=moves:a2,a3,a4,c1,d1,a1 question=win",
    "same-game:3x3,3,5 question=win",
    "seki:1,1 question=win",
    "seki:2,1 question=win",
    "woodpush:3,1 question=win",
    "woodpush:4,1 driver=alphabeta",
    "gdl:../../rulesheets/race-20-3.kif position=moves:add.1",
];

fn verify<G: Guide + Notation>(game: &G, text: &str) -> Result<Proved, CheckError> {
    let mut reader = Reader::new(text.as_bytes());
    let header = reader.header()?.ok_or(CheckError::new(1, "nothing"))?;
    let checked = check(game, &header, &mut reader, &mut Trust::everything())?;
    match reader.header()? {
        None => Ok(checked),
        Some(_) => Err(CheckError::new(0, "two certificates")),
    }
}

/// The state that each line speaks of, in certificates of games without loops.
fn states_of_lines<G: Notation>(game: &G, start: &G::State, body: &[String]) -> Vec<G::State> {
    fn block<G: Notation>(
        game: &G,
        s: &G::State,
        body: &[String],
        at: &mut usize,
        states: &mut Vec<G::State>,
    ) {
        let line = &body[*at];
        states.push(s.clone());
        *at += 1;
        let claim = line.rsplit(": ").next().unwrap();
        let claim = match claim.strip_prefix('#') {
            Some(rest) => rest.split_once(' ').unwrap().1,
            None => claim,
        };
        let next_state = |text: &str| {
            let Some(agent) = game.turn(s).mover() else { panic!("over at {line}") };
            let mut next = s.clone();
            game.play(&mut next, agent, game.read_move(s, text).unwrap());
            next
        };
        if let Some(m) = claim.strip_prefix("! ") {
            block(game, &next_state(m), body, at, states);
        } else if let Some(n) = claim.strip_prefix("? ") {
            for _ in 0..n.parse::<u32>().unwrap() {
                let reply = body[*at].split_once(": ").unwrap().0.to_owned();
                block(game, &next_state(&reply), body, at, states);
            }
        }
    }
    let mut states = Vec::new();
    block(game, start, body, &mut 0, &mut states);
    states
}

/// How many certificates of a job were damaged, and how many forged.
fn mutate(text: &str) -> (u32, u32) {
    // Rules only: every line of such a proof can be forged.
    let job = Job { knowledge: false, cover: false, ..job(text) };
    let game = in_turn(&job.game);
    let text = &run(&job).certificate;
    let checked = verify(&game, text).unwrap();
    let mut damaged = damage(&game, text);
    // With covered moves, other forgeries than these are still true: `model` has tests of its own.
    let covered = run(&Job { cover: true, ..job.clone() }).certificate;
    if covered != *text {
        let with = verify(&game, &covered).unwrap();
        assert!(with.claims < checked.claims && covered.contains("*: as "), "{covered}");
        assert_eq!(with.to_string(), checked.to_string());
        damaged += damage(&game, &covered);
    }
    let start = game.read_position_or_moves(&job.position).unwrap();
    let forged = forge(&game, &start, checked.claim, text);
    (damaged, forged)
}

/// Bytes changed, lost, doubled, exchanged: every one of them must be noticed.
fn damage<G: Guide + Notation>(game: &G, text: &str) -> u32 {
    let mut rng = Rng::new(7);
    let mut tried = 0;
    let mut refuse = |damaged: &[u8], what: &str| {
        if damaged != text.as_bytes() {
            let mut reader = Reader::new(damaged);
            let result = reader.header().map(|h| {
                h.ok_or(CheckError::new(1, "nothing"))
                    .and_then(|h| match with_name(game, &h.game) {
                        true => check(game, &h, &mut reader, &mut Trust::everything()),
                        false => Err(CheckError::new(2, "another game")),
                    })
                    .and_then(|c| match reader.header() {
                        Ok(None) => Ok(c),
                        Ok(Some(_)) => Err(CheckError::new(0, "two certificates")),
                        Err(e) => Err(e),
                    })
            });
            assert!(!matches!(result, Ok(Ok(_))), "{what} was accepted:\n{text}");
            tried += 1;
        }
    };
    let bytes = text.as_bytes();
    for _ in 0..400 {
        let at = rng.below(bytes.len() as u32) as usize;
        let mut changed = bytes.to_vec();
        changed[at] ^= 1 << rng.below(8);
        refuse(&changed, "a flipped bit");
        refuse(&bytes[..at], "a truncated file");
        let mut shorter = bytes.to_vec();
        shorter.remove(at);
        refuse(&shorter, "a lost byte");
        let mut longer = bytes.to_vec();
        longer.insert(at, b" #=?!.:@*0a\n"[rng.below(12) as usize]);
        refuse(&longer, "an added byte");
    }
    let lines: Vec<&str> = text.lines().collect();
    for i in 0..lines.len() {
        let join = |l: Vec<&str>| (l.join("\n") + "\n").into_bytes();
        let mut without = lines.clone();
        without.remove(i);
        refuse(&join(without), "a lost line");
        let mut twice = lines.clone();
        twice.insert(i, lines[i]);
        refuse(&join(twice), "a doubled line");
        if i + 1 < lines.len() {
            let mut swapped = lines.clone();
            swapped.swap(i, i + 1);
            refuse(&join(swapped), "two exchanged lines");
        }
    }
    tried
}

fn with_name<G: Notation>(game: &G, name: &str) -> bool {
    game.name() == name
}

/// One step of the proof changed, and the end made to fit.
fn forge<G: Guide + Notation>(game: &G, start: &G::State, claim: Claim, text: &str) -> u32 {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let lines = &lines[..lines.len() - 1];
    assert_eq!(seal(lines), text, "the test seals as the writer does");
    let (header, body) = lines.split_at(6);
    let states = states_of_lines(game, start, body);
    assert_eq!(states.len(), body.len());
    let mut tried = 0;
    let mut refuse = |changed: Vec<String>, what: &str| {
        let forged = seal(&changed);
        assert!(verify(game, &forged).is_err(), "{what} was accepted:\n{forged}");
        tried += 1;
    };
    let with = |i: usize, line: String| {
        let mut changed = lines.to_vec();
        changed[i + 6] = line;
        changed
    };

    // The header claims something else: the other side, another outcome.
    let scale = game.scale();
    let [max, min] = game.players();
    for outcome in scale.names() {
        for claimed in [format!("{max} at-least {outcome}"), format!("{min} below {outcome}")] {
            let mut changed = lines.to_vec();
            changed[4] = format!("claim {claimed}");
            if changed[4] != header[4] && (claimed.contains(min) != (claim.prover == Side::Min)) {
                refuse(changed, "a claim of the other side");
            }
        }
        let mut changed = lines.to_vec();
        changed[4] = format!("claim {max} below {outcome}");
        refuse(changed, "a claim in the wrong words");
    }

    let mut strong = Strong { game, claim, known: HashMap::new() };
    for (i, line) in body.iter().enumerate() {
        let s = &states[i];
        let (lead, claimed) = split_lead(line);
        // A wrong move: every other legal move that does not win, and moves that are not legal.
        if claimed.starts_with("! ") {
            let Some(agent) = game.turn(s).mover() else { panic!("over at {line}") };
            let mut moves = Vec::new();
            game.moves(s, agent, &mut moves);
            for m in moves {
                let name = game.move_text(s, m);
                let mut next = s.clone();
                game.play(&mut next, agent, m);
                if !strong.holds(&next) {
                    refuse(with(i, format!("{lead}! {name}")), "a losing move");
                }
            }
            refuse(with(i, format!("{lead}! z99z99")), "a move that is none");
            refuse(with(i, format!("{lead}.")), "an end that is none");
            refuse(with(i, format!("{lead}? 1")), "the wrong side's choice");
        }
        // A missing claim: one block of an answer taken out, with its count.
        if let Some(n) = claimed.strip_prefix("? ") {
            let n: usize = n.parse().unwrap();
            let end = end_of_block(body, i + 1);
            let mut changed = lines.to_vec();
            changed.drain(i + 1 + 6..end + 6);
            refuse(changed.clone(), "a missing answer");
            changed[i + 6] = format!("{lead}? {}", n - 1);
            refuse(changed, "a missing answer with a smaller count");
            // An answer given to another move twice.
            if n > 1 {
                let first = body[i + 1].split_once(": ").unwrap().0;
                let second = body[end].split_once(": ").unwrap();
                refuse(with(end, format!("{first}: {}", second.1)), "a move answered twice");
            }
            refuse(with(i, format!("{lead}.")), "an end that is none");
        }
        if claimed == "." {
            refuse(with(i, format!("{lead}! a1")), "a move after the end");
            refuse(with(i, format!("{lead}? 1")), "an answer after the end");
        }
        // Loops: a claim that refers to itself, and one that refers to a claim still open.
        if lead.is_empty() || lead.ends_with(": ") {
            refuse(with(i, format!("{lead}#900 = 900")), "a claim that proves itself");
        }
        refuse(with(i, format!("{lead}= 901")), "a claim that nobody made");
        refuse(with(i, format!("{lead}by magic")), "static knowledge that there is none of");
        for rule in ["safe-moves", "race-pattern", "threats", "follow-up", "stores"] {
            if game.turn(s) == Turn::Over || !strong.holds(s) {
                refuse(with(i, format!("{lead}by {rule}")), "static knowledge that is not true");
            }
        }
    }
    // An end in the wrong state: the outcome swapped by letting the other player move.
    let mut changed = lines.to_vec();
    let position = &header[3];
    if let Some((rest, mover)) = position["position ".len()..].rsplit_once(' ') {
        let other = if mover == max { min } else { max };
        changed[3] = format!("position {rest} {other}");
        refuse(changed, "another player to move");
    }
    tried
}

/// `MOVE: ` and `#K ` before a claim, and the claim.
fn split_lead(line: &str) -> (String, &str) {
    let after = line.find(": ").map_or(0, |i| i + 2);
    let rest = &line[after..];
    let label = if rest.starts_with('#') { rest.find(' ').unwrap() + 1 } else { 0 };
    (line[..after + label].to_owned(), &rest[label..])
}

fn end_of_block(body: &[String], mut at: usize) -> usize {
    let mut open = 1;
    while open > 0 {
        let claim = split_lead(&body[at]).1.to_owned();
        match claim.split(' ').next() {
            Some("!") => {}
            Some("?") => open += claim[2..].parse::<i64>().unwrap() - 1,
            _ => open -= 1,
        }
        at += 1;
    }
    at
}

/// Whether the claim is true of a state, by brute force.
struct Strong<'g, G: Game> {
    game: &'g G,
    claim: Claim,
    known: HashMap<G::State, bool>,
}

impl<G: Game> Strong<'_, G> {
    fn holds(&mut self, s: &G::State) -> bool {
        if let Some(&known) = self.known.get(s) {
            return known;
        }
        let strong = StrongSolution::of(self.game, s.clone(), self.claim.at_least, 1_000_000);
        let won = strong.unwrap().verdict(s).unwrap() == Verdict::Won;
        let holds = won == (self.claim.prover == Side::Max);
        self.known.insert(s.clone(), holds);
        holds
    }
}

#[test]
fn damaged_and_forged_certificates_are_refused() {
    let (mut damaged, mut forged) = (0, 0);
    for job in JOBS {
        let (d, f) = mutate(job);
        damaged += d;
        forged += f;
    }
    assert!(damaged > 10_000 && forged > 1000, "{damaged} damaged, {forged} forged");
}

#[test]
fn a_loop_proves_nothing_unless_endless_play_does() {
    let graph = |endless: &str| {
        let text = format!("{endless}max s0 -> s1 s2\nmin s1 -> s0 s3\nend s2 loss\nend s3 win\n");
        Explicit::read("explicit:loop", &text).unwrap()
    };
    let certificate = |game: &Explicit, claim: &str| {
        let text = format!(
            "foregone certificate 2\ngame explicit:loop\nrules {}\nposition s0\nclaim {claim}\n\n\
             #1 ! s1\n? 2\ns0: = 1\ns3: .",
            game.rules()
        );
        seal(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    };
    let open = graph("");
    let circular = verify(&open, &certificate(&open, "max at-least win")).unwrap_err();
    assert_eq!(circular.line, 9);
    assert!(circular.problem.contains("in a circle"), "{circular}");
    // The weaker claim is true, and proved by the same lines.
    let weaker = verify(&open, &certificate(&open, "max at-least win or-endless")).unwrap();
    assert_eq!(weaker.claim.at_least, Outcome::WIN);
    assert!(weaker.claim.or_endless);
    // Where endless play is a win, so is the stronger one; where it is a loss, it is not.
    let won = graph("endless win\n");
    assert!(verify(&won, &certificate(&won, "max at-least win")).is_ok());
    let lost = graph("endless loss\n");
    let refused = verify(&lost, &certificate(&lost, "max at-least win")).unwrap_err();
    assert!(refused.problem.contains("in a circle"), "{refused}");
    // The same lines say nothing about the same name with other rules.
    let other = verify(&won, &certificate(&lost, "max at-least win")).unwrap_err();
    assert!(other.problem.contains("about rules"), "{other}");
}
