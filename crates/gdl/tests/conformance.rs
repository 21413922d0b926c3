//! Real rulesheets and the traces that a tabled Prolog made of them, from the data beside the
//! project: every state's facts, legal moves, end and goals must be the same, line by line.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "a test says what it skipped and how far it came")]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use foregone_gdl::check::{ProblemKind, check};
use foregone_gdl::trace::{line, title};
use foregone_gdl::{Backend, Machine, MachineError, Program, line_and_column};
use serde_json::Value;

fn data() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gdl");
    path.is_dir().then_some(path)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    files.sort();
    files
}

fn rulesheets(data: &Path) -> Vec<(String, String)> {
    let folders = ["gdl1", "gdl2"].map(|f| data.join("rulesheets").join(f));
    let files = folders.iter().flat_map(|f| files(f));
    files
        .map(|p| {
            let name = p.file_stem().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&p).unwrap())
        })
        .collect()
}

/// How the replay of a trace went.
struct Replay {
    states: usize,
    checked: usize,
    seconds: f64,
    disagreement: Option<String>,
    refused: bool,
}

/// Replays a trace until it ends, time runs out or something differs.
fn replay(text: &str, trace: &str, backend: Option<Backend>, budget: Duration) -> Replay {
    let begin = Instant::now();
    let program = Program::read(text).unwrap();
    let Ok(mut game) = Machine::new(&program, backend) else {
        return Replay { states: 0, checked: 0, seconds: 0.0, disagreement: None, refused: true };
    };
    let lines: Vec<&str> = trace.lines().collect();
    let mut out = Replay {
        states: lines.len() - 1,
        checked: 0,
        seconds: 0.0,
        disagreement: None,
        refused: false,
    };
    let first: Value = serde_json::from_str(lines[0]).unwrap();
    let word = |key: &str| first[key].as_str().unwrap().to_owned();
    assert_eq!(title(&game, &word("game"), &word("ref")), lines[0]);
    let mut state = None;
    for &wanted in &lines[1..] {
        if begin.elapsed() > budget {
            break;
        }
        let json: Value = serde_json::from_str(wanted).unwrap();
        let number = |key: &str| json[key].as_u64().unwrap() as usize;
        let step = number("s");
        let moves: Option<Vec<_>> = json.get("move").map(|moves| {
            let moves = moves.as_array().unwrap().iter();
            moves.map(|m| game.read(m.as_str().unwrap()).unwrap()).collect()
        });
        let mut one = || -> Result<String, MachineError> {
            let here = match state.take() {
                Some(state) if step > 0 => state,
                _ => game.initial()?,
            };
            let view = game.view(&here)?;
            let got = line(&game, number("p"), step, &here, &view, moves.as_deref());
            if let Some(moves) = &moves {
                state = Some(game.next(&here, moves)?);
            }
            Ok(got)
        };
        match one() {
            Ok(got) if got == wanted => out.checked += 1,
            Ok(got) => {
                out.disagreement = Some(format!("wanted {wanted}\n   got {got}"));
                break;
            }
            Err(fault) => {
                out.disagreement = Some(format!("step {step}: {fault:?}"));
                break;
            }
        }
    }
    out.seconds = begin.elapsed().as_secs_f64();
    out
}

fn conformance(backend: Option<Backend>, budget: Duration) {
    let Some(data) = data() else {
        println!("SKIPPED: 160 traces, for the data is not beside the project");
        return;
    };
    let sheets = rulesheets(&data);
    let (mut whole, mut part, mut refused, mut states, mut checked) = (0, 0, 0, 0, 0);
    let mut failures = Vec::new();
    for path in files(&data.join("traces")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let name = name.trim_end_matches(".jsonl.gz");
        let (_, text) = sheets.iter().find(|(n, _)| n == name).expect("a trace has its rulesheet");
        let mut trace = String::new();
        let file = std::fs::File::open(&path).unwrap();
        flate2::read::GzDecoder::new(file).read_to_string(&mut trace).unwrap();
        let replay = replay(text, &trace, backend, budget);
        states += replay.states;
        checked += replay.checked;
        if replay.seconds > 0.5 {
            let Replay { states, checked, seconds, .. } = replay;
            println!("{name}: {checked} of {states} states in {seconds:.2} s");
        }
        match replay.disagreement {
            Some(reason) => failures.push(format!("{name}: {}", &reason)),
            None if replay.refused => refused += 1,
            None if replay.checked == replay.states => whole += 1,
            None => part += 1,
        }
    }
    let name = backend.map_or("the choice", Backend::name);
    println!(
        "{name}: {whole} traces agree, {part} as far as checked, {refused} are not taken; \
         {checked} of {states} states"
    );
    // A back end that takes hardly anything would agree with everything.
    assert!(whole > 140, "only {whole} traces");
    assert!(failures.is_empty(), "{} traces differ:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn traces_agree_within_a_time_for_each() {
    conformance(None, Duration::from_secs(3));
}

#[test]
fn traces_agree_by_interpreting() {
    conformance(Some(Backend::Plain), Duration::from_secs(3));
}

#[test]
fn traces_agree_by_chaining() {
    conformance(Some(Backend::Chain), Duration::from_secs(3));
}

#[test]
#[ignore = "takes minutes: every state of every trace"]
fn traces_agree() {
    conformance(None, Duration::MAX);
}

#[test]
fn all_rulesheets_are_read_and_checked() {
    let Some(data) = data() else {
        println!("SKIPPED: 675 rulesheets, for the data is not beside the project");
        return;
    };
    let (mut right, mut gdl2, mut unread) = (0, 0, Vec::new());
    let mut reasons: BTreeMap<ProblemKind, usize> = BTreeMap::new();
    let sheets = rulesheets(&data);
    for (name, text) in &sheets {
        let program = match Program::read(text) {
            Ok(program) => program,
            Err(error) => {
                let (line, column) = line_and_column(text, error.span.start);
                unread.push(format!("{name}:{line}:{column}: {error}"));
                continue;
            }
        };
        gdl2 += usize::from(program.is_gdl2());
        let problems = check(&program);
        right += usize::from(problems.is_empty());
        let kinds: BTreeSet<ProblemKind> = problems.iter().map(|p| p.kind).collect();
        for kind in kinds {
            *reasons.entry(kind).or_default() += 1;
        }
        // The same text has the same problems, and each at a place of the text.
        assert_eq!(problems, check(&program), "{name}");
        assert!(problems.iter().all(|p| text.get(p.span.clone()).is_some()), "{name}");
    }
    println!("{right} of {} rulesheets satisfy GDL, {gdl2} are GDL-II", sheets.len());
    println!("rulesheets by what they break: {reasons:?}");
    assert!(unread.is_empty(), "{} unread:\n{}", unread.len(), unread.join("\n"));
}
