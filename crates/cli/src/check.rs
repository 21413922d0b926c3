//! `foregone check`: formulas asked of positions, one or a file of them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use foregone::model::formula::{CONCEPTS, Stipulation};
use foregone::problem::written::Style;
use foregone::text::Layout;
use foregone::{Answer, AnyGame, Error, Finished, Job, Stop, suggest};
use serde_json::json;

use crate::args::{AlgorithmWord, CheckArgs};
use crate::attended::Attended;
use crate::commands::{
    has_folder, is_standard, keep, one_output, open_within, run_into, say_answer, say_tree,
};
use crate::program::{Program, exit_code};
use crate::proof_files::ProofFiles;
use crate::report::{Reported, exit_code_of, read_file, report, unreadable, write_file};
use crate::to_job::{check_job, drawing_of};
use crate::{budget, resume};
use foregone::text::counted;

/// Runs the command and returns the exit code.
pub(crate) fn run(program: &mut Program<'_>, args: CheckArgs) -> Result<u8, Error> {
    program.catch_interrupts();
    one_output(args.proof.as_deref(), args.json || args.batch.is_some())?;
    args.proof.as_deref().map_or(Ok(()), has_folder)?;
    if args.algorithm != Some(AlgorithmWord::Pn2) {
        budget::warn_of_threads(&args.budget, "formulas use one, but with `--algorithm pn2`");
    }
    let definitions = match &args.define {
        Some(path) => read_file(path)?,
        None => String::new(),
    };
    let mut args = args;
    let game = open_within(program, &args.game, &mut args.budget.time)?;
    let asked = Asked { game, args, definitions };
    let code = match (&asked.args.batch, &asked.args.formula) {
        (Some(batch), _) => asked.batch(program, batch),
        (None, Some(formula)) if asked.args.twin.is_empty() => {
            let (position, json) = (&asked.args.position, asked.args.json);
            asked.one(program, position, formula, json)
        }
        (None, Some(formula)) => asked.twins(program, formula),
        (None, None) => Err(Error::input("there is no formula")
            .help("foregone check GAME FORMULA, or --batch FILE")),
    };
    budget::warn_of_memory(&asked.args.budget);
    code
}

struct Asked {
    game: foregone::AnyGame,
    args: CheckArgs,
    definitions: String,
}

impl Asked {
    /// One formula, one position.
    fn one(
        &self,
        program: &mut Program<'_>,
        position: &str,
        formula: &str,
        json: bool,
    ) -> Result<u8, Error> {
        let job = check_job(&self.args, &self.definitions, position, formula)?;
        if self.args.explain {
            program.say(&self.game.explain(&job, formula)?);
            return Ok(0);
        }
        let proof = self.args.proof.as_deref();
        let screen = program.observer(json).within(job.budget);
        let args = &self.args.keep;
        let mut attended = resume::attend(program, screen, (&self.game, &job), proof, args, json)?;
        let coordinated = crate::cluster::begin(program, &self.game, &job, &self.args.cluster)?;
        if let Some(coordinated) = &coordinated {
            attended = attended.of_cluster(coordinated);
        }
        let files = ProofFiles::of(proof);
        let finished = run_into(program, &self.game, &job, files.as_ref(), &mut attended);
        if let Some(coordinated) = coordinated {
            let stop = finished.as_ref().ok().map(|finished| finished.answer.stop());
            coordinated.end(program, stop, serde_json::Value::Null);
        }
        let mut finished = finished?;
        keep(program, &mut finished, proof, files.as_deref())?;
        self.say(program, &job, &finished, json)?;
        attended.end(is_answered(program, &finished));
        if let Some(code) = files.and_then(|files| files.failure()) {
            return Ok(code);
        }
        Ok(exit_code(finished.answer.stop()))
    }

    fn run(&self, program: &mut Program<'_>, job: &Job, json: bool) -> Result<Finished, Error> {
        let mut screen = program.observer(json).within(job.budget);
        program.engine.run_on(&self.game, job, &mut screen, &program.cancel)
    }

    /// Says an answer, and what else was found.
    fn say(
        &self,
        program: &mut Program<'_>,
        job: &Job,
        finished: &Finished,
        json: bool,
    ) -> Result<(), Error> {
        let style = self.args.notation.style();
        say_found(program, &self.game, job, finished, style, json, self.args.tree)
    }

    /// The position and its twins, one after the other. Each twin changes the position that was given,
    /// or asks another stipulation of it.
    fn twins(&self, program: &mut Program<'_>, formula: &str) -> Result<u8, Error> {
        let position = &self.args.position;
        let proof = self.args.proof.as_deref();
        if proof.is_some_and(|path| drawing_of(path).is_some()) {
            return Err(Error::input("the proofs of twins are not drawn")
                .help("write their certificates to a file: --proof proof.txt"));
        }
        if self.args.twin.len() > 25 {
            return Err(Error::input("there are letters for 25 twins beside the diagram"));
        }
        let mut asked = vec![(String::new(), position.clone(), formula.to_owned())];
        for twin in &self.args.twin {
            asked.push(match Stipulation::read(twin) {
                Some(stipulation) => (twin.clone(), position.clone(), stipulation.to_string()),
                None => (twin.clone(), self.game.twin(position, twin)?, formula.to_owned()),
            });
        }
        let (mut code, mut answers, mut certificates) = (0, Vec::new(), String::new());
        for (letter, (changes, position, formula)) in ('a'..='z').zip(asked) {
            let job = check_job(&self.args, &self.definitions, &position, &formula)?;
            let mut finished = self.run(program, &job, self.args.json)?;
            keep(program, &mut finished, None, None)?;
            certificates.push_str(&finished.certificate);
            if let (Some(path), Some(summary)) = (proof, finished.answer.proof_mut()) {
                summary.file = Some(path.display().to_string());
            }
            code = code.max(exit_code(finished.answer.stop()));
            if !self.args.json {
                program.say(&format!(
                    "{letter}) {}\n",
                    if letter == 'a' { "diagram" } else { &changes }
                ));
                self.say(program, &job, &finished, false)?;
                program.say("\n");
            }
            answers.push(json!({ "twin": letter, "changes": changes, "answer": finished.answer }));
            if program.cancel.is_cancelled() {
                break;
            }
        }
        match &self.args.proof {
            Some(path) if is_standard(path) => program.say(&certificates),
            Some(path) => write_file(path, &certificates)?,
            None => {}
        }
        if self.args.json {
            program.say(&format!("{}\n", json!({ "twins": answers })));
        }
        Ok(code)
    }

    /// A file with a position, a tab and a formula on each line.
    fn batch(&self, program: &mut Program<'_>, batch: &Path) -> Result<u8, Error> {
        let (mut code, file) = (0, batch.display().to_string());
        let (mut asked, mut wrong) = (0, 0);
        // By formula: how many there were, and how long they took.
        let mut summary: BTreeMap<String, (u32, f64, f64)> = BTreeMap::new();
        for (number, line) in lines(batch)?.enumerate() {
            let line = line.map_err(|e| unreadable(batch, &e))?;
            if line.trim().is_empty() || line.starts_with("//") || line.starts_with("#fen") {
                continue;
            }
            asked += 1;
            let clock = program.engine.clock().now();
            let mut fields = line.split('\t');
            let (answer, formula) = match (fields.next(), fields.next()) {
                (Some(position), Some(formula)) => {
                    (self.one(program, position, formula, true), formula)
                }
                _ => (Err(Error::input("expected a position, a tab and a formula")), ""),
            };
            match answer {
                Ok(answered) => code = code.max(answered),
                // The lines behind it are not to blame.
                Err(error) => {
                    wrong += 1;
                    code = code.max(exit_code_of(&error));
                    let line = Some(number + 1);
                    program.say(&Reported { line, error: &error }.text());
                    let place = format!("{file}, line {}", number + 1);
                    let _ = writeln!(std::io::stderr(), "{:?}", report(error.before(&place)));
                    continue;
                }
            }
            let row = summary.entry(formula.to_owned()).or_insert((0, 0.0, 0.0));
            let seconds = program.engine.clock().now().saturating_sub(clock).as_secs_f64();
            *row = (row.0 + 1, row.1 + seconds, f64::max(row.2, seconds));
            if program.cancel.is_cancelled() || program.is_unheard() {
                break;
            }
        }
        if program.cancel.is_cancelled() {
            code = exit_code(Stop::Interrupted);
            let lines = counted(asked, "line");
            let _ = writeln!(
                std::io::stderr(),
                "interrupted behind {lines}: the others were not asked"
            );
        }
        for (formula, (count, sum, longest)) in summary {
            let mean = sum / f64::from(count);
            let _ = writeln!(
                std::io::stderr(),
                "{formula}: {count} asked, mean {mean:.4} s, longest {longest:.4} s"
            );
        }
        if wrong > 0 {
            let lines = counted(asked, "line");
            let _ = writeln!(std::io::stderr(), "{wrong} of {lines} could not be asked");
        }
        Ok(code)
    }
}

/// Goes on with a job that asks a formula.
pub(crate) fn resumed(
    program: &mut Program<'_>,
    game: &AnyGame,
    job: &Job,
    proof: Option<&Path>,
    style: Style,
    json: bool,
    attended: &mut Attended,
) -> Result<u8, Error> {
    one_output(proof, json)?;
    proof.map_or(Ok(()), has_folder)?;
    let files = ProofFiles::of(proof);
    let mut finished = run_into(program, game, job, files.as_ref(), attended)?;
    keep(program, &mut finished, proof, files.as_deref())?;
    say_found(program, game, job, &finished, style, json, None)?;
    attended.end(is_answered(program, &finished));
    if let Some(code) = files.and_then(|files| files.failure()) {
        return Ok(code);
    }
    Ok(exit_code(finished.answer.stop()))
}

/// Whether there is nothing left to do for an answer.
fn is_answered(program: &Program<'_>, finished: &Finished) -> bool {
    finished.answer.stop() == Stop::Solved && !program.cancel.is_cancelled()
}

/// Says an answer, and what else was found.
fn say_found(
    program: &mut Program<'_>,
    game: &AnyGame,
    job: &Job,
    finished: &Finished,
    style: Style,
    json: bool,
    tree: Option<Option<u32>>,
) -> Result<(), Error> {
    say_answer(program, game, job, finished, style, json)?;
    let Answer::Formula(answer) = &finished.answer else { return Ok(()) };
    if json {
        return Ok(());
    }
    if let Some(problem) = &answer.problem {
        let layout = Layout { style, stipulation: Stipulation::read(&answer.formula) };
        let text = layout.text(problem, job.variations);
        if !text.is_empty() {
            program.say(&format!("\n{text}\n"));
        }
    } else {
        say_tree(program, finished, tree);
    }
    Ok(())
}

fn lines(path: &Path) -> Result<impl Iterator<Item = std::io::Result<String>> + use<>, Error> {
    let input: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(BufReader::new(std::io::stdin()))
    } else {
        let file = std::fs::File::open(path).map_err(|e| unreadable(path, &e))?;
        Box::new(BufReader::new(file))
    };
    Ok(input.lines())
}

/// Lists the classes of formulas.
pub(crate) fn concepts(program: &mut Program<'_>, name: Option<&str>) -> Result<u8, Error> {
    if let Some(name) = name {
        let Some(concept) = CONCEPTS.iter().find(|c| c.name().eq_ignore_ascii_case(name)) else {
            let names: Vec<String> = CONCEPTS.iter().map(|c| c.name().to_owned()).collect();
            return Err(Error::input(format!("there is no concept called `{name}`"))
                .at("concept", name, 0..name.len())
                .help(suggest(name, &names).unwrap_or_default()));
        };
        program.say(&format!("{} ({}): {}\n", concept.form, concept.source, concept.meaning));
        for clause in concept.definition() {
            program.say(&format!("  {clause}\n"));
        }
        return Ok(0);
    }
    let width = CONCEPTS.iter().map(|c| c.form.len()).max().unwrap_or(0);
    for concept in CONCEPTS {
        program.say(&format!("{:<width$}  {}\n", concept.form, concept.meaning));
        program.say(&format!("{:width$}    {}\n", "", concept.source));
    }
    Ok(0)
}
