//! Certificates, replayed by the trusted crate, each with the rules of the game that it names.

use std::io::BufRead;

use foregone_games::files::Files;
use foregone_games::registry::GameError;
use foregone_model::certificate::{CheckError, Reader, shown};

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
