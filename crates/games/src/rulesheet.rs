//! Games that stand in a rulesheet of the Game Description Language: from `gdl:FILE` to a game.

use std::sync::{Arc, Mutex, PoisonError};

use foregone_gdl::{
    Backend, JointSheet, Kind, Limits, LoadError, Loaded, Sheet, file, line_and_column,
};
use foregone_model::TextError;

use crate::files::Files;
use crate::options::Options;
use crate::registry::{Entry, FileForm, GameError, Moves, Opened};

/// How rulesheets are listed and opened.
pub(crate) const ENTRY: Entry = Entry {
    name: "gdl",
    options: "FILE[,for=ROLE][,backend=NAME]",
    rules: "A rulesheet in the Game Description Language; ROLE against all others, if given",
    file: Some(FileForm {
        ending: ".kif",
        about: "Rules of the Game Description Language, as lists: (role R), (init F), (legal R M), \
                (next F),\nterminal and (goal R N), N from 0 to 100; (<= HEAD CONDITION …) is a rule, \
                ?x a variable, (true F)\na fact of the state, (does R M) a move, `distinct`, `not` \
                and `or` as they say. ; begins a comment.",
        example: "; Both name a coin in turn; equal coins are first's.\n\
                  (role first) (role second) (coin heads) (coin tails) (init (turn first))\n\
                  (<= (legal ?r ?c) (true (turn ?r)) (coin ?c))\n\
                  (<= (legal first wait) (true (turn second)))\n\
                  (<= (legal second wait) (true (turn first)))\n\
                  (<= (next (turn second)) (true (turn first)))\n\
                  (<= (next (said ?c)) (does first ?c) (coin ?c))\n\
                  (<= (next equal) (does second ?c) (true (said ?c)))\n\
                  (<= (next done) (true (turn second)))\n\
                  (<= terminal (true done))\n\
                  (<= (goal first 100) (true equal)) (<= (goal first 0) (not (true equal)))\n\
                  (<= (goal second 0) (true equal)) (<= (goal second 100) (not (true equal)))\n",
    }),
    knowledge: &[],
    moves: Moves::Either,
    open,
    warnings,
    quick: None,
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let parts = Parts::read(options)?;
    let loaded = parts.load()?;
    match (loaded.kind(), parts.hero) {
        (Kind::Joint, Some(_)) => {
            let message = "both players move at the same time: `for=ROLE` is for games in turn";
            Err(GameError::Spec(TextError::new(message, 0..options.spec().len())))
        }
        (Kind::Joint, None) => {
            let sheet = JointSheet::new(options.spec(), loaded);
            let sheet = sheet.map_err(|message| options.error(message))?;
            let sheet = sheet.with_stop(options.files().stop.clone());
            Ok(Opened::pictured_joint(sheet, JointSheet::scene))
        }
        (Kind::Puzzle | Kind::Turns | Kind::Many | Kind::ManyJoint, hero) => {
            let sheet = Sheet::new(options.spec(), loaded.clone(), hero);
            let sheet = sheet.map_err(|message| match hero {
                Some(hero) => {
                    options.error_about(hero, message).with_choices(loaded.players().to_vec())
                }
                None => options.error(message),
            })?;
            let sheet = sheet.with_stop(options.files().stop.clone());
            Ok(Opened::pictured(sheet, Sheet::scene))
        }
    }
}

/// Which demands of the language a rulesheet breaks. A rulesheet that cannot be loaded has none:
/// opening it says why.
fn warnings(options: &Options<'_>) -> Vec<String> {
    let Ok(parts) = Parts::read(options) else { return Vec::new() };
    let Ok(loaded) = parts.load() else { return Vec::new() };
    let mut warnings = loaded.warnings();
    if parts.hero.is_none() && loaded.tells_winners_only() {
        warnings.push(
            "the roles can have too many different goals to tell them all apart: here a role scores \
             1 if it gets most, and 0 otherwise"
                .to_owned(),
        );
    }
    warnings
}

/// The rulesheet that was loaded last: one command asks several times for the same one, and
/// compiling may take a second.
static LAST: Mutex<Option<(Arc<Loaded>, Option<Backend>)>> = Mutex::new(None);

/// What stands behind the colon.
struct Parts<'o> {
    path: &'o str,
    /// The role that is asked for.
    hero: Option<&'o str>,
    backend: Option<Backend>,
    /// How the file is found.
    files: &'o Files,
}

impl<'o> Parts<'o> {
    fn read(options: &Options<'o>) -> Result<Parts<'o>, GameError> {
        let Some(mut path) = options.text().filter(|path| !path.is_empty()) else {
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
                        let error = options.error_about(name, message);
                        return Err(GameError::Spec(error.with_choices(choices)));
                    };
                    backend = Some(found);
                }
                _ => break,
            }
            path = rest;
        }
        Ok(Parts { path, hero, backend, files: options.files() })
    }

    fn load(&self) -> Result<Arc<Loaded>, GameError> {
        let path = self.path.to_owned();
        let text = self.files.read(self.path)?;
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |l: &&(Arc<Loaded>, Option<Backend>)| l.0.text() == text && l.1 == self.backend;
        if let Some((loaded, _)) = last.as_ref().filter(same) {
            return Ok(loaded.clone());
        }
        let stop = &self.files.stop;
        let error = match Loaded::with_limits(&text, self.backend, Limits::default(), stop) {
            Ok(loaded) => return Ok(last.insert((Arc::new(loaded), self.backend)).0.clone()),
            Err(LoadError::Stopped) => return Err(GameError::Stopped { path }),
            Err(LoadError::Rulesheet(error)) => error,
        };
        match file::is_rulesheet(&text) {
            true => Err(GameError::File { path, text, error }),
            // The text may be private: only the place of the error is shown.
            false => {
                let (line, column) = line_and_column(&text, error.span.start);
                let message = format!("not a rulesheet: line {line}, column {column}: {error}");
                let error = std::io::Error::new(std::io::ErrorKind::InvalidData, message);
                Err(GameError::Unreadable { path, error })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::files::Files;
    use crate::registry::{GameError, open};

    #[test]
    fn files_that_are_no_rulesheets_are_refused_and_not_shown() {
        let folder = std::env::temp_dir();
        let file = |text: &str| {
            let number = text.len();
            let path = folder.join(format!("foregone-{}-{number}.kif", std::process::id()));
            std::fs::write(&path, text).unwrap();
            let error = open(&Files::from_disk(), &format!("gdl:{}", path.display())).err();
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
            let error = open(&Files::from_disk(), &format!("gdl:{path}")).err();
            let Some(GameError::Unreadable { error, .. }) = error else { panic!("{path}") };
            let message = error.to_string();
            let said = ["not a regular file", "a folder"].iter().any(|w| message.contains(w));
            assert!(said, "{message}");
        }
    }
}
