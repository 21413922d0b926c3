//! Certificates, replayed by the trusted crate, each with the rules of the game that it names.

use std::io::{self, BufRead, Read};

use foregone_games::files::Files;
use foregone_games::registry::GameError;
use foregone_model::Side;
use foregone_model::certificate::{CheckError, Reader, shown};
use serde_json::json;

use crate::engine::Engine;
use crate::error::Error;
use crate::game::Replayed;
use crate::trust::Trust;

/// Why certificates were not replayed to their end.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// One of them is wrong.
    #[error("{0}")]
    Certificate(CheckError),
    /// The game of one of them could not be opened.
    #[error("{0}")]
    Game(Box<Error>),
}

/// Replays all certificates of a text, one after the other; `told` hears of each.
pub(crate) fn verify(
    engine: &Engine,
    text: &mut dyn BufRead,
    files: &Files,
    trust: &mut Trust<'_>,
    warn: &mut dyn FnMut(&str),
) -> Result<Vec<Replayed>, Refused> {
    let mut reader = Reader::new(text);
    let mut replayed = Vec::new();
    while let Some(header) = reader.header().map_err(Refused::Certificate)? {
        let files = Files { wanted: header.rules.digest.clone(), ..files.clone() };
        for warning in engine.warnings_from(&files, &header.game) {
            warn(&shown(&warning));
        }
        let game = match engine.open_from(&files, &header.game) {
            Ok(game) => game,
            Err(GameError::Spec(e)) => {
                let problem = format!("the game can't be read: {}", shown(&e.to_string()));
                return Err(Refused::Certificate(reader.error(problem)));
            }
            Err(GameError::OtherRules { wanted, found }) => {
                let found = format!("and the file has sha256:{found}");
                let problem = format!("the proof is about rules sha256:{wanted}, {found}");
                return Err(Refused::Certificate(reader.error(problem)));
            }
            Err(e) => {
                return Err(Refused::Game(Box::new(Error::game(&header.game, e))));
            }
        };
        let one = game.replay(&header, &mut reader, trust).map_err(Refused::Certificate)?;
        replayed.push(one);
    }
    if replayed.is_empty() {
        return Err(Refused::Certificate(reader.error("there is no certificate here")));
    }
    Ok(replayed)
}

/// What the certificates of a file prove, as `verify --json` prints it.
pub fn verified_json(file: &str, strict: bool, proved: &[Replayed]) -> serde_json::Value {
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
                "connections": p.connections, "parts": p.parts,
                "by_reason": p.by_reason, "expanded": p.expanded, "recomputed": p.recomputed,
            }),
            Replayed::Expected(p) => json!({
                "game": p.game, "formula": null, "position": p.position, "max": p.max,
                "relation": match (p.opponent_known, p.prover) {
                    (true, _) => "exactly",
                    (false, Side::Max) => "at-least",
                    (false, Side::Min) => "at-most",
                },
                "outcome": p.bound.to_string(), "on_average": true,
                "draw": p.draw.map(|(a, b)| format!("{a}/{b}")),
                "or_endless": false, "claims": p.claims,
                "connections": 0, "parts": 0, "by_reason": 0, "expanded": 0, "recomputed": 0,
            }),
            Replayed::Mixed(p) => json!({
                "game": p.game, "formula": null, "position": p.position, "prover": p.name,
                "relation": if p.prover == Side::Max { "at-least" } else { "at-most" },
                "outcome": p.bound.to_string(), "or_endless": false, "claims": p.claims,
                "connections": 0, "parts": 0, "by_reason": 0, "expanded": 0, "recomputed": 0,
            }),
            Replayed::Scores(p) => {
                let one =
                    |(player, score): &(String, i64)| json!({ "player": player, "score": score });
                let scores: Vec<serde_json::Value> = p.scores.iter().map(one).collect();
                json!({
                    "game": p.game, "formula": null, "position": p.position, "prover": null,
                    "relation": "scores", "outcome": null, "scores": scores, "or_endless": false,
                    "claims": p.claims, "connections": 0, "parts": 0, "by_reason": 0, "expanded": 0, "recomputed": 0,
                })
            }
        })
        .collect();
    json!({ "file": file, "status": status, "strict": strict, "proved": claims })
}

/// A text that is no longer read once somebody says so: the way to end a replay, whose checker knows
/// nothing of clocks.
pub struct Watched<'a, R> {
    input: R,
    /// Bytes that were read, and that may be read before it is asked again.
    read: u64,
    left: usize,
    goes_on: &'a mut dyn FnMut(u64) -> bool,
    stopped: bool,
}

/// Bytes between two questions whether to go on: some ten claims. What an interpreter of rules needs
/// for them is within a tenth of a second.
const CHUNK: usize = 1 << 9;

impl<'a, R: BufRead> Watched<'a, R> {
    /// A text; `goes_on` is asked now and then, with the number of bytes that were read.
    pub fn new(input: R, goes_on: &'a mut dyn FnMut(u64) -> bool) -> Watched<'a, R> {
        Watched { input, read: 0, left: 0, goes_on, stopped: false }
    }

    /// Whether reading was ended.
    pub fn stopped(&self) -> bool {
        self.stopped
    }
}

impl<R: BufRead> BufRead for Watched<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            self.stopped |= !(self.goes_on)(self.read);
            self.left = CHUNK;
        }
        if self.stopped {
            return Err(io::Error::other("reading was stopped"));
        }
        let buffer = self.input.fill_buf()?;
        Ok(&buffer[..buffer.len().min(self.left)])
    }

    fn consume(&mut self, amount: usize) {
        self.input.consume(amount);
        self.read += amount as u64;
        self.left -= amount.min(self.left);
    }
}

impl<R: BufRead> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let amount = self.fill_buf()?.read(buffer)?;
        self.consume(amount);
        Ok(amount)
    }
}
