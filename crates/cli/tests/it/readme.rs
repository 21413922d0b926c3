//! README.md and the chapters in docs/ say nothing that is not so: their commands are run and the
//! output compared, their Rust is compiled elsewhere, and their tables name what the program has.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cli::{PROGRAM, Scratch};
use crate::common::root;
use clap::ValueEnum;
use foregone::joint::JointSolver;
use foregone_cli::args::{AlgorithmWord, BenchPart};
use foregone_games::registry::GAMES;
use foregone_search::{DriverSpec, SchemeSpec};

pub(crate) fn read(name: &str) -> String {
    let path = root().join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The names of the files of a folder that end like this, in order.
pub(crate) fn files(folder: &str, end: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let names = entries.map(|e| format!("{folder}/{}", e.unwrap().file_name().display()));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(end)).collect();
    names.sort();
    names
}

/// The pages whose commands are run.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned()];
    pages.extend(files("docs", ".md"));
    assert!(pages.len() > 10, "{pages:?}");
    pages
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

/// The commands of a console block, each with the lines below it. A text for a command's input
/// stands between `<<'END'` and a line `END`, as in a shell.
fn steps(block: &[&str]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut input = false;
    for line in block {
        if input {
            let command = &mut steps.last_mut().unwrap().command;
            *command = format!("{command}\n{line}");
            input = *line != "END";
            continue;
        }
        input = line.starts_with("$ ") && line.ends_with("<<'END'");
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => {
                steps.push(Step { command: command.to_owned(), output: Vec::new() });
            }
            (None, Some(step)) => step.output.push((*line).to_owned()),
            (None, None) => panic!("a block begins with output: {line}"),
        }
    }
    assert!(!input, "the input of a command is never ended");
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
        // Output need not end with a line break: blank lines at the end do not count.
        script += &format!("code=$?; echo; echo '{MARK}'; (exit $code)\n");
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
    // Whether a search takes long enough for this note depends on the machine and its load.
    for line in text.lines().filter(|line| !line.starts_with("note: no answer after ")) {
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
    let masked = parts.map(|part| match part.split(' ').collect::<Vec<_>>()[..] {
        [number, unit] if number.parse::<f64>().is_ok() => match unit {
            "s" => "_ s",
            "kB" | "MB" | "GB" => "_ MB",
            _ => part,
        },
        ["mean" | "longest" | "slowest", _, "s" | "ms"] => "_ s",
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
    let batch = "omega(3): 2 asked, mean 0.0022 s, longest 0.0040 s";
    assert_eq!(masked(batch), "omega(3): 2 asked, _ s, _ s");
    let json = r#"{"nodes":11,"seconds":0.000098957,"peak_bytes":5345280,"seed":0}"#;
    assert_eq!(masked(json), r#"{"nodes":11,"seconds":_,"peak_bytes":_,"seed":0}"#);
}

/// A folder of a page's own, with the files of the project that commands may name.
fn folder_for_a_page() -> Scratch {
    let scratch = Scratch::new();
    for folder in ["examples", "rulesheets"] {
        let copy = scratch.path().join(folder);
        fs::create_dir(&copy).unwrap();
        for file in fs::read_dir(root().join(folder)).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), copy.join(file.file_name())).unwrap();
        }
    }
    scratch
}

/// A page that was tried.
#[derive(Default)]
struct Tried {
    /// The page with what its commands print now.
    mended: String,
    commands: usize,
    /// What a command prints that the page does not show.
    differences: Vec<String>,
}

/// Runs the commands of a page, block by block in one folder: a block may use files of those before.
#[cfg(unix)]
fn try_page(text: &str) -> Tried {
    let scratch = folder_for_a_page();
    let mut tried = Tried { mended: text.to_owned(), ..Tried::default() };
    for block in blocks(text, "console") {
        let steps = steps(&block);
        let mut real = Vec::new();
        for (step, mut printed) in steps.iter().zip(run(&steps, scratch.path())) {
            trim(&mut printed);
            let mask = |lines: &[String]| lines.iter().map(|l| masked(l)).collect::<Vec<_>>();
            if mask(&step.output) == mask(&printed) {
                printed.clone_from(&step.output);
            } else {
                let difference = format!("`{}` prints:\n{}", step.command, printed.join("\n"));
                tried.differences.push(difference);
            }
            real.push(format!("$ {}", step.command));
            real.extend(printed);
            tried.commands += 1;
        }
        let fenced = |lines: &str| format!("```console\n{lines}\n```\n");
        let (shown, real) = (fenced(&block.join("\n")), fenced(&real.join("\n")));
        tried.mended = tried.mended.replacen(&shown, &real, 1);
    }
    tried
}

/// With `FOREGONE_WRITE_README` set, the pages are mended instead.
#[cfg(unix)]
#[test]
fn every_command_of_readme_and_book_prints_what_it_shows() {
    let pages = pages();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.push((page, try_page(&read(page))));
        }
        found
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let tried: Vec<(&String, Tried)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert_eq!(tried.len(), pages.len());
    let mut differences = Vec::new();
    for (page, tried) in &tried {
        if std::env::var_os("FOREGONE_WRITE_README").is_some() {
            fs::write(root().join(page), &tried.mended).unwrap();
        } else {
            differences.extend(tried.differences.iter().map(|d| format!("{page}: {d}")));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
    let commands: usize = tried.iter().map(|(_, tried)| tried.commands).sum();
    assert!(commands >= 60, "{commands} commands");
}

/// No command hides where it is not run, and no Rust where it is not compiled.
#[test]
fn every_block_of_readme_and_book_is_tried_somewhere() {
    let mut examples = files("crates/foregone/examples", ".rs");
    examples.extend(files("crates/cli/examples", ".rs"));
    let compiled: Vec<String> = examples.iter().map(|file| read(file)).collect();
    for page in pages() {
        let text = read(&page);
        let shown = text.lines().filter(|l| l.starts_with("$ ")).count();
        let run: usize = blocks(&text, "console").iter().map(|block| steps(block).len()).sum();
        assert_eq!(shown, run, "{page} has commands outside of console blocks");
        // What builds the program or needs more than it stands in blocks of another kind.
        for line in blocks(&text, "sh").concat() {
            let words = [
                "cargo ",
                "git clone ",
                "cd ",
                "mdbook ",
                "pip install ",
                "jupyter lab ",
                "python3 problems/",
                "# ",
            ];
            let known = words.iter().any(|word| line.starts_with(word));
            assert!(known, "{page}: `{line}` is never run");
        }
        for block in blocks(&text, "rust") {
            let excerpt = block.join("\n");
            let known = compiled.iter().any(|text| text.contains(&excerpt));
            assert!(known, "{page} has Rust that no file in examples/ has:\n{excerpt}");
        }
        // Those are run by bindings/python/tests/test_pages.py, which takes all pages.
        for block in blocks(&text, "python") {
            assert!(
                block.iter().any(|line| line.starts_with(">>> ")),
                "{page}: Python that is not run"
            );
        }
        for language in text.lines().filter_map(|line| line.strip_prefix("```")) {
            let known = ["", "console", "sh", "rust", "python", "text"].contains(&language);
            assert!(known, "{page}: nothing tries blocks of `{language}`");
        }
    }
}

/// The names in the first column of the tables of a page whose first column has this title.
fn column(text: &str, title: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut inside = false;
    for line in text.lines() {
        inside = line.starts_with(&format!("| {title} |")) || (inside && line.starts_with('|'));
        if inside && let Some(row) = line.strip_prefix("| `") {
            let name = row.split('`').next().unwrap().to_owned();
            assert!(names.insert(name.clone()), "two rows for `{name}`");
        }
    }
    names
}

#[test]
fn the_tables_name_everything_there_is_and_nothing_else() {
    fn words<E: ValueEnum>() -> Vec<String> {
        let values = E::value_variants().iter().filter_map(E::to_possible_value);
        values.map(|v| v.get_name().to_owned()).collect()
    }
    let mut schemes: Vec<String> = SchemeSpec::all().into_iter().map(SchemeSpec::word).collect();
    schemes.extend(JointSolver::all().map(|solver| solver.word().to_owned()));
    let tables = [
        ("docs/games.md", "game", GAMES.iter().map(|g| g.name.to_owned()).collect()),
        ("docs/schemes-and-drivers.md", "scheme", schemes),
        (
            "docs/schemes-and-drivers.md",
            "driver",
            DriverSpec::ALL.map(|driver| driver.word().to_owned()).to_vec(),
        ),
        ("docs/logic.md", "algorithm", words::<AlgorithmWord>()),
    ];
    for (page, title, names) in tables {
        let names: BTreeSet<String> = names.into_iter().collect();
        assert_eq!(column(&read(page), title), names, "the table `{title}` of {page}");
    }
    let measured = read("experiments/README.md");
    for part in words::<BenchPart>() {
        let command = format!("foregone bench {part}");
        assert!(measured.contains(&command), "experiments/README.md lacks `{command}`");
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
