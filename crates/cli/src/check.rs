//! `foregone check`: formulas asked of positions, one or a file of them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use foregone::model::formula::CONCEPTS;
use foregone::{Error, suggest};

use crate::args::CheckArgs;
use crate::commands::{keep, open, say_answer};
use crate::program::{Program, exit_code};
use crate::report::read_file;
use crate::to_job::check_job;

/// Runs the command and returns the exit code.
pub(crate) fn run(program: &mut Program<'_>, args: CheckArgs) -> Result<u8, Error> {
    program.catch_interrupts();
    let definitions = match &args.define {
        Some(path) => read_file(path)?,
        None => String::new(),
    };
    let game = open(program, &args.game)?;
    let asked = Asked { game, args, definitions };
    match (&asked.args.batch, &asked.args.formula) {
        (Some(batch), _) => asked.batch(program, batch),
        (None, Some(formula)) => {
            let (position, json) = (&asked.args.position, asked.args.json);
            asked.one(program, position, formula, json)
        }
        (None, None) => Err(Error::input("there is no formula")
            .help("foregone check GAME FORMULA, or --batch FILE")),
    }
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
        let mut screen = program.observer(!json);
        let mut finished = program.engine.run_on(&self.game, &job, &mut screen, &program.cancel)?;
        keep(&mut finished, self.args.proof.as_deref())?;
        say_answer(program, &self.game, &job, &finished, json)?;
        if let (true, false, Some(drawings)) = (self.args.tree, json, &finished.drawings) {
            program.say(&format!("\n{}", drawings.tree));
        }
        Ok(exit_code(finished.answer.stop()))
    }

    /// A file with a position, a tab and a formula on each line.
    fn batch(&self, program: &mut Program<'_>, batch: &Path) -> Result<u8, Error> {
        let (mut code, file) = (0, batch.display().to_string());
        // By formula: how many there were, and how long they took.
        let mut summary: BTreeMap<String, (u32, f64, f64)> = BTreeMap::new();
        for (number, line) in lines(batch)?.enumerate() {
            let line =
                line.map_err(|e| Error::input(format!("the file {file} can't be read: {e}")))?;
            if line.trim().is_empty() || line.starts_with("//") || line.starts_with("#fen") {
                continue;
            }
            let place = format!("{file}, line {}", number + 1);
            let mut fields = line.split('\t');
            let (Some(position), Some(formula)) = (fields.next(), fields.next()) else {
                let message = format!("{place}: expected a position, a tab and a formula");
                return Err(Error::input(message).at(&file, &line, 0..line.len()));
            };
            let clock = program.engine.clock().now();
            let asked = self.one(program, position, formula, true);
            code = code.max(asked.map_err(|error| error.before(&place))?);
            let row = summary.entry(formula.to_owned()).or_insert((0, 0.0, 0.0));
            let seconds = program.engine.clock().now().saturating_sub(clock).as_secs_f64();
            *row = (row.0 + 1, row.1 + seconds, f64::max(row.2, seconds));
            if program.cancel.is_cancelled() {
                break;
            }
        }
        for (formula, (count, sum, longest)) in summary {
            let mean = sum / f64::from(count);
            let _ = writeln!(
                std::io::stderr(),
                "{formula}: {count} asked, mean {mean:.4} s, longest {longest:.4} s"
            );
        }
        Ok(code)
    }
}

fn lines(path: &Path) -> Result<impl Iterator<Item = std::io::Result<String>> + use<>, Error> {
    let input: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(BufReader::new(std::io::stdin()))
    } else {
        let file = std::fs::File::open(path)
            .map_err(|e| Error::input(format!("the file {} can't be read: {e}", path.display())))?;
        Box::new(BufReader::new(file))
    };
    Ok(input.lines())
}

/// Lists the classes of formulas.
pub(crate) fn concepts(program: &mut Program<'_>, name: Option<&str>) -> Result<u8, Error> {
    if let Some(name) = name {
        let Some(concept) = CONCEPTS.iter().find(|c| c.name() == name) else {
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
