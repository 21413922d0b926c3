//! README.md says nothing that is not so: its commands are run and its output compared, and its
//! tables name what the program has.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::cli::{PROGRAM, Scratch};
use crate::common::root;
use clap::ValueEnum;
use foregone::joint::JointSolver;
use foregone_cli::args::{AlgorithmWord, BenchPart};
use foregone_games::registry::GAMES;
use foregone_search::{DriverSpec, SchemeSpec};

fn read(name: &str) -> String {
    let path = root().join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The blocks of a text between fences that open with this word.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<Vec<&'t str>> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, Vec<&str>)> = None;
    for line in text.lines() {
        open = match (open, line.strip_prefix("```")) {
            (None, Some(word)) => Some((word, Vec::new())),
            (Some((word, lines)), Some(_)) => {
                if word == language {
                    blocks.push(lines);
                }
                None
            }
            (Some((word, mut lines)), None) => {
                lines.push(line);
                Some((word, lines))
            }
            (None, None) => None,
        };
    }
    assert!(open.is_none(), "a block is never closed");
    blocks
}

/// A command and what it prints.
struct Step {
    command: String,
    output: Vec<String>,
}

/// The commands of a console block, each with the lines below it.
fn steps(block: &[&str]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => {
                steps.push(Step { command: command.to_owned(), output: Vec::new() });
            }
            (None, Some(step)) => step.output.push((*line).to_owned()),
            (None, None) => panic!("a block begins with output: {line}"),
        }
    }
    for step in &mut steps {
        trim(&mut step.output);
    }
    steps
}

/// Blank lines at the end belong to the frame of a message, or to the layout of the page.
fn trim(lines: &mut Vec<String>) {
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
}

/// What a shell prints, command by command. Both streams, in the order in which they were
/// written, as on a terminal; `$?` is that of the command before, as there.
#[cfg(unix)]
fn run(steps: &[Step], folder: &Path) -> Vec<Vec<String>> {
    const MARK: &str = "-- end of a command --";
    let mut script = "exec 2>&1\n".to_owned();
    for step in steps {
        script += &format!("{}\n", step.command);
        script += &format!("code=$?; echo '{MARK}'; (exit $code)\n");
    }
    let programs = Path::new(PROGRAM).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&path)))
        .unwrap();
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut outputs = vec![Vec::new()];
    for line in text.lines() {
        if line == MARK {
            outputs.push(Vec::new());
        } else {
            outputs.last_mut().unwrap().push(line.to_owned());
        }
    }
    assert_eq!(outputs.pop(), Some(Vec::new()), "{text}");
    outputs
}

/// A line without what differs from run to run and from machine to machine: seconds, speeds and
/// bytes of memory. Counts stay: they are the same everywhere.
fn masked(line: &str) -> String {
    let mut line = line.to_owned();
    for key in ["\"seconds\":", "\"peak_bytes\":"] {
        if let Some(at) = line.find(key).map(|i| i + key.len()) {
            let end = at + line[at..].find([',', '}']).unwrap();
            line.replace_range(at..end, "_");
        }
    }
    let parts = line.split(", ").filter(|part| !part.ends_with(" nodes/s"));
    let masked = parts.map(|part| match part.split_once(' ') {
        Some((number, unit)) if number.parse::<f64>().is_ok() => match unit {
            "s" => "_ s",
            "kB" | "MB" | "GB" => "_ MB",
            _ => part,
        },
        _ => part,
    });
    masked.collect::<Vec<_>>().join(", ")
}

#[test]
fn what_varies_is_masked_and_nothing_else() {
    let line = "  search     pp + tree, 269 expansions, 1,027 nodes, 0.00 s, 6 MB";
    let other = "  search     pp + tree, 269 expansions, 1,027 nodes, 1.25 s, 4.5M nodes/s, 1.1 GB";
    assert_eq!(masked(line), masked(other));
    assert_ne!(masked(line), masked(&line.replace("269", "270")));
    assert_ne!(masked(line), masked(&line.replace("1,027", "1,028")));
    let json = r#"{"nodes":11,"seconds":0.000098957,"peak_bytes":5345280,"seed":0}"#;
    assert_eq!(masked(json), r#"{"nodes":11,"seconds":_,"peak_bytes":_,"seed":0}"#);
}

/// With `FOREGONE_WRITE_README` set, the page is mended instead.
#[cfg(unix)]
#[test]
fn every_command_of_the_readme_prints_what_it_shows() {
    let scratch = Scratch::new();
    for folder in ["examples", "rulesheets"] {
        let copy = scratch.path().join(folder);
        fs::create_dir(&copy).unwrap();
        for file in fs::read_dir(root().join(folder)).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), copy.join(file.file_name())).unwrap();
        }
    }
    let text = read("README.md");
    let write = std::env::var_os("FOREGONE_WRITE_README").is_some();
    let mut page = text.clone();
    let mut commands = 0;
    for block in blocks(&text, "console") {
        let steps = steps(&block);
        let mut real = Vec::new();
        for (step, mut printed) in steps.iter().zip(run(&steps, scratch.path())) {
            trim(&mut printed);
            let mask = |lines: &[String]| lines.iter().map(|l| masked(l)).collect::<Vec<_>>();
            if mask(&step.output) == mask(&printed) {
                printed.clone_from(&step.output);
            } else if !write {
                panic!("`{}` prints:\n{}", step.command, printed.join("\n"));
            }
            real.push(format!("$ {}", step.command));
            real.extend(printed);
            commands += 1;
        }
        let fenced = |lines: &str| format!("```console\n{lines}\n```\n");
        page = page.replacen(&fenced(&block.join("\n")), &fenced(&real.join("\n")), 1);
    }
    if write {
        fs::write(root().join("README.md"), page).unwrap();
    }
    assert!(commands >= 10, "{commands} commands");
    // No command hides where it is not run.
    let shown = text.lines().filter(|l| l.starts_with("$ ")).count();
    assert_eq!(shown, commands);
    for line in blocks(&text, "sh").concat() {
        assert!(line.starts_with("cargo ") || line.starts_with("# "), "{line} is never run");
    }
}

#[test]
fn the_tables_name_everything_there_is() {
    fn words<E: ValueEnum>() -> Vec<String> {
        let values = E::value_variants().iter().filter_map(E::to_possible_value);
        values.map(|v| v.get_name().to_owned()).collect()
    }
    let text = read("README.md");
    let rows: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("| `")).collect();
    let mut named: Vec<String> = GAMES.iter().map(|g| g.name.to_owned()).collect();
    named.extend(SchemeSpec::all().into_iter().map(SchemeSpec::word));
    named.extend(JointSolver::all().map(|solver| solver.word().to_owned()));
    named.extend(DriverSpec::ALL.map(|driver| driver.word().to_owned()));
    named.extend(words::<AlgorithmWord>());
    for name in &named {
        let is_row = |r: &&str| r.split('`').next() == Some(name.as_str());
        assert!(rows.iter().any(is_row), "no table of README.md has a row for `{name}`");
    }
    // And nothing that there is not.
    for row in rows {
        let name = row.split('`').next().unwrap();
        assert!(named.iter().any(|n| n == name), "README.md has a row for `{name}`");
    }
    // The files that it points to are there. Output of commands may look like links.
    let prose: String = text.split("```").step_by(2).collect();
    for (at, _) in prose.match_indices("](") {
        let target = prose[at + 2..].split(')').next().unwrap();
        assert!(root().join(target).exists(), "README.md points to {target}");
    }
    let measured = read("experiments/README.md");
    for part in words::<BenchPart>() {
        let command = format!("foregone bench {part}");
        assert!(measured.contains(&command), "experiments/README.md lacks `{command}`");
    }
}

/// The recipes name files that are there.
#[test]
fn contributing_names_files_that_exist() {
    let text = read("CONTRIBUTING.md");
    let named = text.split('`').skip(1).step_by(2);
    let files: Vec<&str> = named.filter(|word| word.starts_with("crates/")).collect();
    assert!(files.len() > 15, "{files:?}");
    for file in files {
        assert!(root().join(file).exists(), "CONTRIBUTING.md names {file}");
    }
}

#[test]
fn the_test_command_is_the_one_that_ci_runs() {
    let readme = read("README.md");
    let sh = blocks(&readme, "sh").concat();
    let command = sh.iter().find(|l| l.starts_with("cargo test")).unwrap();
    let ci = read(".ci/run");
    assert!(
        ci.lines().any(|line| line.trim().ends_with(command)),
        ".ci/run does not run `{command}`"
    );
}
