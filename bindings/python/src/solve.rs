//! Questions: a game and words in, an answer out.

use std::path::{Path, PathBuf};

use foregone::model::formula::Stipulation;
use foregone::problem::written::Style;
use foregone::text::{Asked, Layout};
use foregone::{Answer, Error, Finished, Job, Proof};
use foregone_cli::args::{CheckArgs, SolveArgs, read_words};
use foregone_cli::{Drawing, check_job, drawing_of, solve_job};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::attend::attend;
use crate::error::raised;
use crate::game::{Game, GameParts};
use crate::text;

/// What came of a question.
#[pyclass(frozen, module = "foregone._foregone")]
pub(crate) struct Found {
    finished: Finished,
    job: Job,
    game: GameParts,
    /// How moves are written for people.
    style: Style,
    /// Whether Ctrl-C ended it.
    #[pyo3(get)]
    interrupted: bool,
}

#[pymethods]
impl Found {
    /// The answer, as the program prints it with `--json`.
    #[getter]
    fn json(&self) -> PyResult<String> {
        text(&self.finished.answer)
    }

    /// The text of the certificates; empty where there is none.
    #[getter]
    fn certificate(&self) -> &str {
        &self.finished.certificate
    }

    /// The job in words.
    #[getter]
    fn job(&self) -> String {
        self.job.to_string()
    }

    /// The answer in words, as the program prints it; without the position if that is shown otherwise.
    fn text(&self, py: Python<'_>, drawn: bool) -> PyResult<String> {
        let asked = Asked {
            proof: matches!(self.job.proof, Proof::Always | Proof::Drawn),
            protagonist: self.job.player.is_some(),
            makes_proof: "proof=True makes one, however long it takes",
            keeps_proof: "answer.proof.save(path) writes it",
            keeps_text: "answer.proof.text is the certificate",
        };
        let mut shown = self.game.ask(py, |game| game.show(&self.job.position))?;
        if !drawn {
            shown.drawing.clear();
        }
        Ok(foregone::text::text(&shown, &self.finished.answer, self.style, asked))
    }

    /// What was found of a problem besides its keys, in the layout of problemists: set play, tries, the
    /// solution.
    fn problem(&self) -> Option<String> {
        let Answer::Formula(answer) = &self.finished.answer else { return None };
        let stipulation = Stipulation::read(&answer.formula);
        let layout = Layout { style: self.style, stipulation };
        let text = layout.text(answer.problem.as_ref()?, self.job.variations);
        (!text.is_empty()).then_some(text)
    }

    /// The position as a picture, with what the answer says on it.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        self.game.ask(py, |game| {
            Ok(game.svg(&game.scene_with(&self.job.position, &self.finished.answer)?))
        })
    }

    /// The proof as a tree of text, if it was drawn.
    fn tree(&self, depth: Option<u32>) -> Option<String> {
        self.finished.drawings.as_ref().map(|drawings| drawings.tree(depth))
    }

    /// The proof as a picture, if it was drawn.
    fn tree_svg(&self) -> Option<String> {
        self.finished.drawings.as_ref().map(|drawings| drawings.svg())
    }

    /// The proof for Graphviz, if it was drawn.
    fn tree_dot(&self) -> Option<String> {
        self.finished.drawings.as_ref().map(|drawings| drawings.dot())
    }

    /// The parts of the proof, if it was drawn, as JSON: trees of nodes.
    fn tree_json(&self) -> PyResult<Option<String>> {
        self.finished.drawings.as_ref().map(|drawings| text(&drawings.halves)).transpose()
    }
}

/// Solves a game; the words are those of `foregone solve`.
#[pyfunction]
pub(crate) fn solve(
    py: Python<'_>,
    game: &Game,
    words: Vec<String>,
    kept: bool,
    drawn: bool,
    listener: Option<Py<PyAny>>,
) -> PyResult<Found> {
    let args: SolveArgs = read(py, &game.game, words, &[])?;
    let job = game.game.ask(py, |any| solve_job(any, &args))?;
    let wanted = Wanted { kept, drawn, file: args.proof, style: args.notation.style() };
    run(py, &game.game, job, wanted, listener.as_ref())
}

/// Asks whether a formula holds; the words are those of `foregone check`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of one command")]
pub(crate) fn check(
    py: Python<'_>,
    game: &Game,
    formula: &str,
    definitions: &str,
    words: Vec<String>,
    kept: bool,
    drawn: bool,
    listener: Option<Py<PyAny>>,
) -> PyResult<Found> {
    let args: CheckArgs = read(py, &game.game, words, &[formula])?;
    let job = check_job(&args, definitions, &args.position, formula);
    let job = job.map_err(|error| raised(py, &error))?;
    let wanted = Wanted { kept, drawn, file: args.proof, style: args.notation.style() };
    run(py, &game.game, job, wanted, listener.as_ref())
}

/// What is to become of the proof, and of the answer.
struct Wanted {
    /// It is made, however long that takes.
    kept: bool,
    /// It is drawn, too.
    drawn: bool,
    /// It is written there.
    file: Option<PathBuf>,
    /// How moves are written.
    style: Style,
}

/// Reads the words of a command, whose game and further words without a name are these.
pub(crate) fn read<A: foregone_cli::args::Args>(
    py: Python<'_>,
    game: &GameParts,
    mut words: Vec<String>,
    more: &[&str],
) -> PyResult<A> {
    words.extend(["--".to_owned(), game.spec.clone()]);
    words.extend(more.iter().map(|&word| word.to_owned()));
    read_words(words).map_err(|error| raised(py, &error))
}

fn run(
    py: Python<'_>,
    game: &GameParts,
    mut job: Job,
    wanted: Wanted,
    listener: Option<&Py<PyAny>>,
) -> PyResult<Found> {
    if let Some(path) = &wanted.file {
        has_folder(py, path)?;
    }
    if wanted.drawn {
        job.proof = Proof::Drawn;
    } else if wanted.kept && job.proof != Proof::Drawn {
        job.proof = Proof::Always;
    }
    let engine = game.engine();
    let (ran, interrupted) = attend(py, listener, game.own(), |teller, cancel| {
        engine.run_on(&game.any, &job, teller, cancel)
    })?;
    let mut finished = ran.map_err(|error| raised(py, &error))?;
    if let Some(path) = &wanted.file {
        keep(py, &mut finished, path)?;
    }
    Ok(Found { finished, job, game: game.clone(), style: wanted.style, interrupted })
}

/// Refuses a file in a folder that is not there, before a search is made for it.
fn has_folder(py: Python<'_>, path: &Path) -> PyResult<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => {
            let (path, folder) = (path.display(), folder.display());
            let message = format!("{path} can't be written: there is no folder {folder}");
            Err(raised(py, &Error::input(message)))
        }
        _ => Ok(()),
    }
}

/// Writes the proof to a file, and lets the answer say so.
fn keep(py: Python<'_>, finished: &mut Finished, path: &Path) -> PyResult<()> {
    let Some(summary) = finished.answer.proof_mut() else { return Ok(()) };
    summary.file = Some(path.display().to_string());
    let text = match (drawing_of(path), &finished.drawings) {
        (Some(Drawing::Dot), Some(drawings)) => drawings.dot(),
        (Some(Drawing::Svg), Some(drawings)) => drawings.svg(),
        _ => finished.certificate.clone(),
    };
    py.detach(|| std::fs::write(path, text)).map_err(PyOSError::new_err)
}
