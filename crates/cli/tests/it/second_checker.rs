//! Two checkers, one format: `problems/verify.py`, a program of its own in another language, and
//! `foregone verify --strict` agree on certificates of every scheme and driver, and on thousands of
//! changed ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cli::{PROGRAM, Scratch};
use crate::common::{root, solve_job};
use crate::seal::seal;
use clap::Parser;
use foregone::games::registry::Opened;
use foregone::model::{Guide, Rng};
use foregone::search::all_guidances;
use foregone::{Cancel, Engine, Job, Proof};
use foregone_cli::args::Cli;

/// Small positions of the games that both know, and what is asked of them.
const IN_TURN: [&str; 9] = [
    "tic-tac-toe --position moves:b2,a1,c1,a3",
    "nim:1,2,3",
    "nim:2,2",
    "domineering:3x4",
    "connect-four:4x4 --position 123432",
    "hex:3",
    "explicit:figure-2-1a.game",
    "explicit:figure-2-2.game",
    "explicit:loop-draws.game",
];

/// Sums that are won part by part.
const SUMS: [&str; 6] = [
    "domineering:2x2 + domineering:2x2",
    "nim:1,2,3",
    "domineering:2x3 + nim:2,1 + {1|-1} + -1/2",
    "domineering:3x3 + domineering:2x4 + *",
    "value:{2|*} + {0|{0|-2}} + *2",
    "{5|-5} + {4|-4} + {3|{2|0}} + {{2|1}|-3} + {0|*} + 1/2",
];

/// Games with mixed strategies, solved by words behind `solve`.
const JOINT: [&str; 5] = [
    "goofspiel:3",
    "goofspiel:3,points --scheme smab",
    "goofspiel:4 --scheme do",
    "matrix:rock-paper-scissors.csv",
    "joint:example-11.joint --scheme sequence",
];

/// Expected values, by words behind `solve`.
const EXPECTED: [&str; 6] = [
    "explicit:doubling.game",
    "explicit:doubling.game --for min",
    "explicit:coin-loop.game",
    "explicit:coin-loop.game --for min",
    "tic-tac-toe --position moves:b2,a1,c1 --opponent random",
    "tic-tac-toe --position moves:b2,a1,c1 --opponent first:1,random:2 --for o --contempt 1/4",
];

/// Scores by max^n, by words behind `solve`.
const SCORES: [&str; 6] = [
    "nim:1,2,3",
    "tic-tac-toe --position moves:b2,a1,c1",
    "domineering:3x3",
    "hex:2",
    "connect-four:4x4 --position 12343241",
    "explicit:numbers.game",
];

/// A graph without loops whose outcomes are numbers, and in which two moves are equally good.
const NUMBERS: &str = "outcomes -1 0 2\nmax s -> a b c\nmin a -> d w\nmin b -> d e\nmax e -> l w\n\
                       min c -> w l\nend w 2\nend l -1\nend d 0\n";

/// Formulas, by words behind `check`.
const FORMULAS: [[&str; 5]; 13] = [
    ["tic-tac-toe", "omega(2)", "-p", "moves:b2,a1,c1,a3", "--no-knowledge"],
    ["tic-tac-toe", "ladder(3)", "-p", "moves:b2,a1,c1", "--no-knowledge"],
    [
        "tic-tac-toe",
        "def f(0) = w; def f(n) = w | <A>[B] f(n-1); !f(1)",
        "-p",
        "moves:b2,a1",
        "--no-knowledge",
    ],
    // Exactly these keys.
    ["tic-tac-toe", "omega(2)", "-p", "xo./.x./..o x", "--all"],
    ["nim:1,2", "turn(A) & omega(2)", "-p", "start", "--all"],
    ["domineering:3x3", "omega(2)", "-p", "start", "--all"],
    ["hex:3", "PT(2)", "-p", "moves:b2", "--no-knowledge"],
    ["hex:2", "lambda(2,3)", "-p", "start", "--algorithm=mps"],
    ["nim:1,2", "APS(2) | zugzwang(omega(1))", "-p", "start", "--algorithm=pnps"],
    ["domineering:3x3", "omega(2)", "-p", "start", "--algorithm=dfpn"],
    ["domineering:2x3", "[B] <A> (w | over) -> turn(vertical)", "-p", "start", "--algorithm=dfmps"],
    ["connect-four:4x4", "omega(2)", "-p", "123432", "--no-knowledge"],
    [
        "explicit:figure-2-1a.game",
        "<max>[B] won(max) & atleast(win)",
        "-p",
        "start",
        "--algorithm=dfps",
    ],
];

/// Wins by connections: the header from the game on, and the claims.
const CONNECTIONS: [&str; 4] = [
    "game hex:2\nrules 1\nposition ../.. red\nclaim red at-least win\n\n\
     ! b1\n? 3\na2: ! b2\n.\n*: by connection a2&b2 @1-@2",
    "game hex:3\nrules 1\nposition .../.../... red\nclaim red at-least win\n\n\
     ! b2\n? 8\na1: by connection b2-b1+b1-@1 b2-c1+c1-@1 1|2 a3&b3 3\n\
     *: by connection b2-b1+b1-@1 b2-c1+c1-@1 1|2 b2-a3+a3-@2 b2-b3+b3-@2 4|5 3+6",
    "game hex:3\nrules 1\nposition .../.x./... blue\nclaim red at-least win\n\n\
     ? 8\nb1: ! c1\nby connection a3&b3 @1-@2\n*: by connection a3&b3 b1&c1 @1-@2 b2-a3+a3-@2",
    "game hex:4\nrules 1\nposition ..../..x./..../.... blue\nclaim red at-least win\n\n\
     by connection c1&d1 (b3 a4&b4 @1-@2 ) (d3 d3-d2+d2-c2 d3-c3+c3-c2 1|2 d3-c4+c4-@2 \
     d3-d4+d4-@2 4|5 3+6 ) (a1 (b4 ) ) 1|3|2",
];

/// Every certificate of the position, by every scheme and driver.
fn every_way(words: &str) -> Vec<String> {
    let (game, job) = solve_job(words);
    let Opened::InTurn(rules) = game.opened() else { panic!("{words}: not a game in turn") };
    let mut texts = Vec::new();
    for guidance in all_guidances(rules.evaluates()) {
        let job = Job {
            scheme: guidance.scheme(),
            driver: Some(guidance.driver()),
            leaves: guidance.leaves(),
            knowledge: false,
            proof: Proof::Always,
            ..job.clone()
        };
        let finished = Engine::default().run_on(&game, &job, &mut (), &Cancel::new()).unwrap();
        assert!(finished.answer.proof().is_some(), "{words} by {guidance:?}");
        texts.push(finished.certificate);
    }
    texts
}

/// Python of a version that the second checker needs, if it is there.
fn python() -> Option<&'static str> {
    let old = "import sys; sys.exit(sys.version_info < (3, 9))";
    let there = Command::new("python3").args(["-c", old]).status();
    there.is_ok_and(|status| status.success()).then_some("python3")
}

/// What the second checker says of these files: whether it accepts each.
fn second(python: &str, folder: &Path, files: &[PathBuf]) -> Vec<bool> {
    let list = folder.join("files.list");
    let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    fs::write(&list, names.join("\n")).unwrap();
    let output = Command::new(python)
        .arg(root().join("problems/verify.py"))
        .arg("--list")
        .arg(&list)
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let verdicts: Vec<bool> = said
        .lines()
        .map(|line| match line.split_once(' ') {
            Some(("accepted", _)) => true,
            Some(("refused", _)) => false,
            _ => panic!("{line}\n{errors}"),
        })
        .collect();
    assert_eq!(verdicts.len(), files.len(), "{errors}");
    verdicts
}

/// Whether `foregone verify --strict` accepts a file.
fn first(file: &Path) -> bool {
    let line = ["foregone", "verify", "--strict", "--json"];
    let words = line.iter().map(|w| (*w).to_owned()).chain([file.display().to_string()]);
    let cli = Cli::try_parse_from(words).unwrap();
    foregone_cli::execute(cli, &mut Vec::new()).is_ok_and(|code| code == 0)
}

fn write_all(folder: &Path, kind: &str, texts: &[String]) -> Vec<PathBuf> {
    let write = |(i, text): (usize, &String)| {
        let path = folder.join(format!("{kind}-{i}.txt"));
        fs::write(&path, text).unwrap();
        path
    };
    texts.iter().enumerate().map(write).collect()
}

/// All certificates: of games in turn by every scheme and driver, of joint moves, of formulas.
fn certificates(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for words in IN_TURN {
        let words = words.replace("explicit:", &format!("explicit:{}/", folder.display()));
        texts.extend(every_way(&words));
    }
    let mut by_program = |arguments: &[&str]| {
        let file = folder.join("proof.tmp");
        let output = Command::new(PROGRAM)
            .args(arguments)
            .arg("--proof")
            .arg(&file)
            .current_dir(folder)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
        texts.push(fs::read_to_string(&file).unwrap());
    };
    for words in JOINT.into_iter().chain(EXPECTED) {
        let words: Vec<&str> = words.split(' ').collect();
        by_program(&[&["solve"], &words[..]].concat());
    }
    for words in SCORES {
        let words: Vec<&str> = words.split(' ').collect();
        by_program(&[&["solve", "--scheme", "maxn"], &words[..]].concat());
    }
    for game in SUMS {
        by_program(&["solve", game, "--driver", "parts"]);
    }
    for words in FORMULAS {
        by_program(&[&["check"], &words[..]].concat());
    }
    for text in CONNECTIONS {
        let lines = ["foregone certificate 2"].into_iter().chain(text.lines());
        texts.push(seal(&lines.map(str::to_owned).collect::<Vec<_>>()));
    }
    texts.sort();
    texts.dedup();
    texts
}

/// A change that a forger would make, sealed again so that only the replay can find it out.
fn changed(text: &str, others: &[String], rng: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // One certificate of several is enough, and its last line is made to fit.
    let end = lines.iter().position(|l| l.starts_with("end ")).unwrap();
    lines.truncate(end);
    let pick = |rng: &mut Rng, n: usize| rng.below(n as u32) as usize;
    for _ in 0..=rng.below(2) {
        let at = pick(rng, lines.len());
        let other = pick(rng, lines.len());
        match rng.below(12) {
            0 => {
                lines.remove(at);
            }
            1 => lines.insert(at, lines[other].clone()),
            2 => lines.swap(at, other),
            3 => {
                let strange = &others[pick(rng, others.len())];
                let strange: Vec<&str> = strange.lines().collect();
                lines[at] = strange[pick(rng, strange.len())].to_owned();
            }
            4 => lines[at] = lines[at].replacen("? ", "? 1", 1),
            5 => lines[at] = lines[at].replace("! ", "? "),
            6 => {
                let sign = if rng.below(2) == 0 { '#' } else { '@' };
                lines[at] = format!("{sign}{} {}", rng.below(4), lines[at]);
            }
            10 => lines[at] = format!("*: as {}", rng.below(5)),
            11 => lines[at] = lines[at].replace(": #", ": @").replace(": = ", ": @9 = "),
            7 => {
                let k = rng.below(5);
                let lead = lines[at].split_once(": ").map_or("", |(m, _)| m).to_owned();
                lines[at] =
                    if lead.is_empty() { format!("= {k}") } else { format!("{lead}: = {k}") };
            }
            8 => {
                let words = ["at-least", "below", "at-most", "win", "loss", "0", "1", "or-endless"];
                let word = words[pick(rng, words.len())];
                let mut parts: Vec<&str> = lines[at].split(' ').collect();
                let part = pick(rng, parts.len());
                parts[part] = word;
                lines[at] = parts.join(" ");
            }
            _ => {
                // A letter or a digit becomes another one.
                let mut bytes = lines[at].clone().into_bytes();
                if !bytes.is_empty() {
                    let byte = pick(rng, bytes.len());
                    bytes[byte] = b"0123456789abcxy#=?!.:@ /"[pick(rng, 24)];
                }
                lines[at] = String::from_utf8_lossy(&bytes).into_owned();
            }
        }
        if lines.is_empty() {
            break;
        }
    }
    seal(&lines)
}

#[test]
fn both_checkers_agree_on_certificates_of_every_kind_and_on_changed_ones() {
    let Some(python) = python() else {
        println!("SKIPPED: problems/verify.py needs Python 3.9 or later, as python3");
        return;
    };
    let scratch = Scratch::new();
    let folder = scratch.path();
    for file in fs::read_dir(root().join("examples")).unwrap() {
        let file = file.unwrap().path();
        fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
    }
    fs::write(folder.join("numbers.game"), NUMBERS).unwrap();
    let texts = certificates(folder);
    assert!(texts.len() > 60, "{} certificates", texts.len());
    let covered = texts.iter().filter(|text| text.contains("\n*: as ")).count();
    assert!(covered > 5, "{covered} with covered moves");
    let files = write_all(folder, "whole", &texts);
    for (file, accepted) in files.iter().zip(second(python, folder, &files)) {
        assert!(first(file), "{}", file.display());
        assert!(accepted, "{} is refused by the second checker", fs::read_to_string(file).unwrap());
    }

    let mut rng = Rng::new(15);
    let mut forged = Vec::new();
    while forged.len() < 3000 {
        let text = &texts[rng.below(texts.len() as u32) as usize];
        forged.push(changed(text, &texts, &mut rng));
    }
    let files = write_all(folder, "changed", &forged);
    let mut both = 0;
    for (file, accepted) in files.iter().zip(second(python, folder, &files)) {
        let text = fs::read_to_string(file).unwrap();
        assert_eq!(first(file), accepted, "only one checker accepts {}\n{text}", file.display());
        both += u32::from(accepted);
    }
    // Some changes change nothing, such as another label; most are found out.
    println!(
        "{} certificates, {} changed ones, {both} of those still hold",
        texts.len(),
        forged.len()
    );
    assert!((1..1000).contains(&both), "{both}");
}
