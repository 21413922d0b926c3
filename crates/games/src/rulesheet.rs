//! Games that stand in a rulesheet of the Game Description Language: from `gdl:FILE` to a game.

use std::sync::{Arc, Mutex, PoisonError};

use foregone_gdl::{Backend, JointSheet, Kind, Loaded, Sheet, file, line_and_column};
use foregone_model::TextError;

use crate::files::Files;
use crate::options::Options;
use crate::registry::GameError;

/// The rulesheet that was loaded last: one command asks several times for the same one, and
/// compiling may take a second.
static LAST: Mutex<Option<(Arc<Loaded>, Option<Backend>)>> = Mutex::new(None);

/// What stands behind the colon.
struct Parts<'o> {
    path: &'o str,
    /// The role that is asked for.
    hero: Option<&'o str>,
    backend: Option<Backend>,
    /// Where the file is looked for.
    files: &'o Files,
}

impl<'o> Parts<'o> {
    fn read(spec: &str, options: &Options<'o>) -> Result<Parts<'o>, GameError> {
        let Some(mut path) = options.text() else {
            return Err(GameError::Spec(options.error("this game needs a file: gdl:FILE")));
        };
        let (mut hero, mut backend) = (None, None);
        // A path may have commas of its own.
        while let Some((rest, word)) = path.rsplit_once(',') {
            match word.split_once('=') {
                Some(("for", role)) => hero = Some(role),
                Some(("backend", name)) => {
                    let Some(found) = Backend::ALL.into_iter().find(|b| b.name() == name) else {
                        let message = format!("there is no back end called `{name}`");
                        let choices = Backend::ALL.iter().map(|b| b.name().to_owned()).collect();
                        let error = TextError::new(message, place(spec, name));
                        return Err(GameError::Spec(error.with_choices(choices)));
                    };
                    backend = Some(found);
                }
                _ => break,
            }
            path = rest;
        }
        Ok(Parts { path, hero, backend, files: options.files })
    }

    fn load(&self) -> Result<Arc<Loaded>, GameError> {
        let path = self.path.to_owned();
        let text = self.files.read(self.path)?;
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |l: &&(Arc<Loaded>, Option<Backend>)| l.0.text() == text && l.1 == self.backend;
        if let Some((loaded, _)) = last.as_ref().filter(same) {
            return Ok(loaded.clone());
        }
        match Loaded::new(&text, self.backend) {
            Ok(loaded) => Ok(last.insert((Arc::new(loaded), self.backend)).0.clone()),
            Err(error) if file::is_rulesheet(&text) => Err(GameError::File { path, text, error }),
            // The text may be nobody's business: only the place is told.
            Err(error) => {
                let (line, column) = line_and_column(&text, error.span.start);
                let message = format!("not a rulesheet: line {line}, column {column}: {error}");
                let error = std::io::Error::new(std::io::ErrorKind::InvalidData, message);
                Err(GameError::Unreadable { path, error })
            }
        }
    }
}

/// Where in a text a part of it stands.
fn place(text: &str, part: &str) -> std::ops::Range<usize> {
    let at = text.rfind(part).unwrap_or(0);
    at..at + part.len()
}

/// Whether the rulesheet's roles move at the same time; not if it cannot be had, which is said when
/// the game is asked for.
pub(crate) fn is_joint(spec: &str, options: &Options<'_>) -> bool {
    let loaded = Parts::read(spec, options).and_then(|parts| parts.load());
    loaded.is_ok_and(|loaded| loaded.kind() == Kind::Joint)
}

/// What is to be said about a rulesheet before an answer: which demands of the language it breaks.
pub(crate) fn warnings(spec: &str, options: &Options<'_>) -> Vec<String> {
    let loaded = Parts::read(spec, options).and_then(|parts| parts.load());
    loaded.map_or_else(|_| Vec::new(), |loaded| loaded.warnings())
}

/// The game in turn.
pub(crate) fn in_turn(spec: &str, options: &Options<'_>) -> Result<Sheet, GameError> {
    let parts = Parts::read(spec, options)?;
    let loaded = parts.load()?;
    Sheet::new(spec, loaded.clone(), parts.hero).map_err(|message| {
        GameError::Spec(match parts.hero {
            Some(hero) => {
                TextError::new(message, place(spec, hero)).with_choices(loaded.roles().to_vec())
            }
            None => options.error(message),
        })
    })
}

/// The game of joint moves.
pub(crate) fn joint(spec: &str, options: &Options<'_>) -> Result<JointSheet, GameError> {
    let parts = Parts::read(spec, options)?;
    if parts.hero.is_some() {
        let message = "both players move at the same time: a role cannot be asked for alone";
        return Err(GameError::Spec(TextError::new(message, 0..spec.len())));
    }
    JointSheet::new(spec, parts.load()?).map_err(|m| GameError::Spec(options.error(m)))
}

#[cfg(test)]
mod tests {
    use crate::registry::{GameError, erased};

    #[test]
    fn files_that_are_no_rulesheets_are_refused_and_not_shown() {
        let folder = std::env::temp_dir();
        let file = |text: &str| {
            let number = text.len();
            let path = folder.join(format!("foregone-{}-{number}.kif", std::process::id()));
            std::fs::write(&path, text).unwrap();
            let error = erased(&format!("gdl:{}", path.display())).err();
            std::fs::remove_file(&path).unwrap();
            error.unwrap()
        };
        for text in ["qzx:x:0:0\nqzx2 (", "qzx (qzx) (or qzx)", "(role qzx", "qzx"] {
            match file(text) {
                GameError::Unreadable { error, .. } => {
                    let message = error.to_string();
                    assert!(message.contains("line "), "{message}");
                    assert!(!message.contains("qz"), "{message}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        // Of a rulesheet the place is shown.
        assert!(matches!(file("(role a) (or)"), GameError::File { .. }));
    }

    #[test]
    fn only_regular_files_are_read() {
        for path in [std::env::temp_dir().display().to_string(), "/dev/zero".to_owned()] {
            let error = erased(&format!("gdl:{path}")).err();
            let Some(GameError::Unreadable { error, .. }) = error else { panic!("{path}") };
            let message = error.to_string();
            let said = ["not a regular file", "a folder"].iter().any(|w| message.contains(w));
            assert!(said, "{message}");
        }
    }
}
