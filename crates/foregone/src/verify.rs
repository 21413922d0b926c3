//! `foregone verify`: every certificate of a file, replayed by the trusted crate, and what may be
//! believed beside it.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use foregone_games::files::Files;
use foregone_games::registry::{GameError, Visitor, with_game_from, with_logic_from};
use foregone_model::certificate::{
    Beyond, CheckError, Header, Proved, ProvedMixed, Reader, Standing, check, check_formula, shown,
};
use foregone_model::{Claim, Endless, Guide, Notation, Side, Turn};
use foregone_search::StopReason;
use serde_json::json;

use crate::args::VerifyArgs;
use crate::failure::{Failure, PROOF_REJECTED};
use crate::joint;
use crate::print::{counted, grouped};
use crate::run::{exit_code, say, warn};
use crate::session::{bytes_of_process, bytes_text, stopped};

/// What is believed beside the rules.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Nothing, not even reasons that are confirmed.
    pub rules_only: bool,
    /// Knowledge of any name, as far as the code that found it says so again.
    pub all: bool,
    /// Knowledge of these names.
    pub names: Vec<String>,
    /// Knowledge that a search by the rules alone proves.
    pub expand: Option<Expand>,
    /// The names of what was only recomputed.
    pub recomputed: BTreeSet<String>,
    /// Whether a search ran out of time or memory.
    pub ran_out: bool,
}

/// The limits of the searches that prove what knowledge says.
#[derive(Clone, Copy, Debug)]
pub struct Expand {
    clock: Instant,
    time: Option<Duration>,
    bytes: u64,
}

impl Trust {
    /// Whatever the game's own knowledge says: what `solve` replays its certificates with. The
    /// answer says what was only recomputed.
    pub fn everything() -> Trust {
        Trust { all: true, ..Trust::default() }
    }
}

impl<G: Guide + Notation> Beyond<G> for Trust {
    fn by_reason(&self) -> bool {
        !self.rules_only
    }

    fn vouch(&mut self, game: &G, s: &G::State, claim: Claim, rule: &str) -> Option<Standing> {
        if self.rules_only {
            return None;
        }
        if self.all || self.names.iter().any(|name| name == rule) {
            let says_so = game.known(s).is_some_and(|k| k.by == rule && k.meets(claim));
            if says_so {
                self.recomputed.insert(rule.to_owned());
                return Some(Standing::Recomputed);
            }
        }
        let expand = self.expand?;
        // By the rules alone a play that may never end cannot be followed to its end.
        if game.endless() != Endless::Impossible {
            return None;
        }
        let mut plain = Plain { game, claim, expand, found: HashMap::new(), asked: 0 };
        let holds = plain.holds(s, 0);
        self.ran_out = holds.is_none();
        holds?.then_some(Standing::Proved)
    }
}

/// The plainest search: all moves, by the rules alone, remembering positions. It shares nothing
/// with the searches whose proofs it replays.
struct Plain<'g, G: Notation> {
    game: &'g G,
    claim: Claim,
    expand: Expand,
    found: HashMap<G::State, bool>,
    asked: u64,
}

/// Plays longer than this are given up.
const DEEPEST: u32 = 5000;

impl<G: Guide + Notation> Plain<'_, G> {
    /// Whether the claim holds in `s`; nothing when time or memory runs out.
    fn holds(&mut self, s: &G::State, depth: u32) -> Option<bool> {
        let agent = match self.game.turn(s) {
            Turn::Over => return Some(self.claim.met_by(self.game.outcome(s))),
            Turn::Agent(agent) => agent,
        };
        if let Some(&holds) = self.found.get(s) {
            return Some(holds);
        }
        self.asked += 1;
        let late = self.asked.is_multiple_of(1024)
            && stopped(self.expand.clock, self.expand.time).is_some();
        let bytes = self.found.len() * (std::mem::size_of::<G::State>() + 16) * 2;
        if late || depth > DEEPEST || bytes as u64 > self.expand.bytes {
            return None;
        }
        let own = Side::of(agent) == self.claim.prover;
        let mut moves = Vec::new();
        self.game.in_order(s, agent, &mut moves);
        let mut holds = !own;
        for &m in &moves {
            let mut next = s.clone();
            self.game.play(&mut next, agent, m);
            if self.holds(&next, depth + 1)? == own {
                holds = own;
                break;
            }
        }
        self.found.insert(s.clone(), holds);
        Some(holds)
    }
}

/// A file that is given up when time or memory is over, or somebody pressed Ctrl-C.
struct Watched<'a> {
    input: BufReader<File>,
    clock: Instant,
    time: Option<Duration>,
    memory: Option<u64>,
    stop: &'a Cell<Option<StopReason>>,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }
}

impl BufRead for Watched<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.input.buffer().is_empty() {
            let full = self.memory.is_some_and(|most| bytes_of_process().is_some_and(|b| b > most));
            let stop = if full { Some(StopReason::Memory) } else { stopped(self.clock, self.time) };
            if let Some(reason) = stop {
                self.stop.set(Some(reason));
                return Err(io::Error::other(format!("stopped: {}", reason.word())));
            }
        }
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.input.consume(amount);
    }
}

/// Bytes that are read at once: as often it is looked at the clock.
const CHUNK: usize = 1 << 12;

/// One certificate that was replayed.
enum Replayed {
    Turn(Proved),
    Mixed(ProvedMixed),
}

/// Checks every certificate in a file.
pub fn run(args: &VerifyArgs, out: &mut dyn Write) -> Result<u8, Failure> {
    crate::session::catch_interrupts();
    let path = args.file.as_path();
    let file = path.display().to_string();
    let unreadable = |e: String| Failure::input(format!("the file {file} can't be read: {e}"));
    let kind = std::fs::metadata(path).map_err(|e| unreadable(e.to_string()))?;
    if !kind.is_file() {
        return Err(unreadable("it is not a regular file".to_owned()));
    }
    let input = File::open(path).map_err(|e| unreadable(e.to_string()))?;
    let stop = Cell::new(None);
    let clock = Instant::now();
    let (time, memory) = (args.time, args.memory);
    let input = BufReader::with_capacity(CHUNK, input);
    let mut reader = Reader::new(Watched { input, clock, time, memory, stop: &stop });
    let bytes = memory.unwrap_or_else(crate::session::memory_to_use);
    let mut trust = Trust {
        rules_only: args.strict,
        names: args.trust.clone(),
        expand: args.expand.then_some(Expand { clock, time, bytes }),
        ..Trust::default()
    };
    let mut proved = Vec::new();
    loop {
        let next = reader.header().map_err(Refused::Certificate).and_then(|header| match header {
            Some(header) => replay(args, &header, &mut reader, &mut trust).map(Some),
            None => Ok(None),
        });
        match (next, stop.get()) {
            (_, Some(reason)) => return Ok(undecided(&file, reason, args.json, out)),
            (Err(_), None) if trust.ran_out => {
                let reason = stopped(clock, time).unwrap_or(StopReason::Memory);
                return Ok(undecided(&file, reason, args.json, out));
            }
            (Ok(Some(one)), _) => proved.push(one),
            (Ok(None), _) if proved.is_empty() => {
                let nothing = reader.error("there is no certificate here");
                return rejected(&file, &nothing, args, out);
            }
            (Ok(None), _) => break,
            (Err(Refused::Certificate(e)), _) => return rejected(&file, &e, args, out),
            (Err(Refused::Game(failure)), _) => return Err(*failure),
        }
    }
    let text = match args.json {
        true => json_of(&file, args, &proved).to_string() + "\n",
        false => proved.iter().map(|one| sentence(one, &trust)).collect(),
    };
    say(out, &text);
    Ok(0)
}

/// Why a certificate was not replayed to its end.
enum Refused {
    Certificate(CheckError),
    /// Its game could not be opened.
    Game(Box<Failure>),
}

fn replay<R: BufRead>(
    args: &VerifyArgs,
    header: &Header,
    reader: &mut Reader<R>,
    trust: &mut Trust,
) -> Result<Replayed, Refused> {
    let files = Files {
        instead: args.rules.clone(),
        beside: args.file.parent().map(Path::to_owned),
        wanted: header.rules.digest.clone(),
    };
    warn(&files, &header.game);
    let replayed = if header.mixed.is_some() {
        let mixed = joint::replay(&files, header, &mut *reader);
        mixed.map(|checked| checked.map(Replayed::Mixed))
    } else {
        let replay = Replay { header, reader: &mut *reader, trust };
        let checked = match header.formula {
            Some(_) => with_logic_from(&files, &header.game, replay),
            None => with_game_from(&files, &header.game, replay),
        };
        checked.map(|checked| checked.map(Replayed::Turn))
    };
    match replayed {
        Ok(checked) => checked.map_err(Refused::Certificate),
        Err(GameError::Spec(e)) => {
            let problem = format!("the game can't be read: {}", shown(&e.to_string()));
            Err(Refused::Certificate(reader.error(problem)))
        }
        Err(GameError::OtherRules { wanted, found }) => {
            let found = format!("and the file has sha256:{found}");
            let problem = format!("the proof is about rules sha256:{wanted}, {found}");
            Err(Refused::Certificate(reader.error(problem)))
        }
        Err(e) => {
            let failure = Failure::game(&header.game, e);
            let help = "--rules FILE names the file with the rules, wherever it is";
            Err(Refused::Game(Box::new(failure.help(help))))
        }
    }
}

struct Replay<'a, R> {
    header: &'a Header,
    reader: &'a mut Reader<R>,
    trust: &'a mut Trust,
}

impl<R: BufRead> Visitor for Replay<'_, R> {
    type Output = Result<Proved, CheckError>;

    fn visit<G: Guide + Notation + Send + 'static>(self, game: G) -> Self::Output {
        match self.header.formula {
            None => check(&game, self.header, self.reader, self.trust),
            Some(_) => check_formula(&game, self.header, self.reader, self.trust),
        }
    }
}

/// What a certificate was found to show, for people.
fn sentence(one: &Replayed, trust: &Trust) -> String {
    match one {
        Replayed::Mixed(proved) => {
            format!("proved: {proved} ({})\n", counted(proved.claims, "claim"))
        }
        Replayed::Turn(proved) => {
            let mut rests = counted(proved.claims, "claim");
            for (count, how) in [
                (proved.by_reason, "by knowledge whose reason was checked"),
                (proved.expanded, "by knowledge that a search proved"),
                (proved.recomputed, "by knowledge that was recomputed, not proved"),
            ] {
                if count > 0 {
                    rests.push_str(&format!(", {} {how}", grouped(count)));
                }
            }
            match proved.recomputed {
                0 => format!("proved: {proved} ({rests})\n"),
                _ => {
                    let names: Vec<&str> = trust.recomputed.iter().map(String::as_str).collect();
                    format!("replayed, trusting {}: {proved} ({rests})\n", names.join(", "))
                }
            }
        }
    }
}

fn json_of(file: &str, args: &VerifyArgs, proved: &[Replayed]) -> serde_json::Value {
    let trusted = |one: &Replayed| matches!(one, Replayed::Turn(p) if p.recomputed > 0);
    let status = if proved.iter().any(trusted) { "replayed" } else { "proved" };
    let claims: Vec<serde_json::Value> = proved
        .iter()
        .map(|one| match one {
            Replayed::Turn(p) => json!({
                "game": p.game, "formula": p.formula.as_ref().map(|f| &f.0),
                "position": p.position, "prover": p.prover,
                "relation": if p.claim.prover == Side::Max { "at-least" } else { "below" },
                "outcome": p.outcome, "or_endless": p.claim.or_endless, "claims": p.claims,
                "by_reason": p.by_reason, "expanded": p.expanded, "recomputed": p.recomputed,
            }),
            Replayed::Mixed(p) => json!({
                "game": p.game, "formula": null, "position": p.position, "prover": p.name,
                "relation": if p.prover == Side::Max { "at-least" } else { "at-most" },
                "outcome": p.bound.to_string(), "or_endless": false, "claims": p.claims,
                "by_reason": 0, "expanded": 0, "recomputed": 0,
            }),
        })
        .collect();
    json!({ "file": file, "status": status, "strict": args.strict, "proved": claims })
}

fn undecided(file: &str, reason: StopReason, as_json: bool, out: &mut dyn Write) -> u8 {
    let text = match as_json {
        true => json!({ "file": file, "status": "undecided", "stop": reason.word() }).to_string(),
        false => format!(
            "undecided: {file} was not replayed to its end (stopped: {}, {} held)",
            reason.word(),
            bytes_text(bytes_of_process().unwrap_or(0))
        ),
    };
    say(out, &(text + "\n"));
    exit_code(reason)
}

fn rejected(
    file: &str,
    error: &CheckError,
    args: &VerifyArgs,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    if args.json {
        let object = json!({
            "file": file, "status": "rejected", "line": error.line, "reason": error.problem,
        });
        say(out, &(object.to_string() + "\n"));
        return Ok(PROOF_REJECTED);
    }
    let failure = Failure::proof(format!("{file}, {error}"));
    Err(match error.problem.contains("static knowledge") && !args.strict {
        true => failure.help(
            "--expand proves what knowledge says by a search; --trust NAME believes the knowledge \
             of this name",
        ),
        false => failure,
    })
}
