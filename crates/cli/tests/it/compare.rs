//! `foregone compare`: the table, the files, and what happens when searches contradict each other.

use std::fs;

use clap::Parser;
use foregone_cli::Program;
use foregone_cli::args::Cli;
use serde_json::Value;

use crate::cli::{Run, Scratch, foregone};
use crate::liar::liar;

fn compare(words: &str) -> Run {
    foregone(&format!("compare {words}").split_whitespace().collect::<Vec<_>>())
}

#[test]
fn a_table_has_a_line_for_each_search() {
    let run = compare(
        "tic-tac-toe domineering:4x4 --schemes pn,mcts --drivers dag,df,alphabeta --nodes 1M --seeds 1..3",
    );
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines: Vec<Vec<&str>> =
        run.out.lines().map(|line| line.split_whitespace().collect()).collect();
    let heads = [
        "game",
        "search",
        "value",
        "status",
        "nodes",
        "expansions",
        "playouts",
        "seconds",
        "memory",
    ];
    assert_eq!(lines[0], heads);
    let searches: Vec<String> = lines[1..9].iter().map(|l| l[..l.len() - 8].join(" ")).collect();
    assert_eq!(searches[0], "tic-tac-toe pn + dag");
    assert!(searches.contains(&"domineering:4x4 alphabeta".to_owned()), "{searches:?}");
    assert!(lines[1..5].iter().all(|l| l.contains(&"draw") && l.contains(&"solved")), "{lines:?}");
    assert!(lines[5..9].iter().all(|l| l.contains(&"win") && l.contains(&"solved")), "{lines:?}");
    let end = run.out.lines().skip(9).collect::<Vec<_>>();
    assert_eq!(
        end,
        [
            "medians of 3 runs each",
            "left out: mcts + df: the driver `df` does not take the scheme `mcts`"
        ]
    );
}

#[test]
fn what_is_stopped_says_so_and_is_no_error() {
    let run = compare("hex:6 --drivers dfs --nodes 2k");
    assert_eq!(run.code, 0);
    let row = run.out.lines().nth(1).unwrap();
    assert!(row.contains("loss to win  out of nodes  > 2,000"), "{row}");
}

#[test]
fn files_hold_every_run_and_a_plot() {
    let scratch = Scratch::new();
    let (csv, svg) = (scratch.file("runs.csv"), scratch.file("plot.svg"));
    let words = "connect-four:3x3 hex:3 --schemes pn,mcts --drivers tree,dag --seeds 1,4 --repeat 2 --nodes 100k";
    for (plot, joined) in [("nodes", false), ("seconds", false), ("cactus", true)] {
        let run = compare(&format!("{words} --csv {csv} --svg {svg} --plot {plot}"));
        assert_eq!(run.code, 0, "{}", run.err);
        let text = fs::read_to_string(&svg).unwrap();
        assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"), "{plot}");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{plot}");
        // Of four searches the first has circles: one for each game, and one of the legend.
        assert_eq!(text.matches("<circle").count(), 3, "{plot}");
        for name in ["pn + tree", "pn + dag", "mcts + tree", "mcts + dag"] {
            assert_eq!(text.matches(&format!(">{name}</text>")).count(), 1, "{plot}");
        }
        assert_eq!(text.contains(">connect-four:3x3</text>"), !joined, "{plot}");
    }
    let text = fs::read_to_string(&csv).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 2 * 4 * 2 * 2);
    let heads: Vec<&str> = lines[0].split(',').collect();
    let column = |name: &str| heads.iter().position(|head| *head == name).unwrap();
    for line in &lines[1..] {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), heads.len(), "{line}");
        assert_eq!((cells[column("status")], cells[column("stop")]), ("solved", "solved"));
        assert!(cells[column("nodes")].parse::<u64>().unwrap() > 0);
        assert!(cells[column("seconds")].parse::<f64>().is_ok());
    }
    let seeds: Vec<&str> =
        lines[1..5].iter().map(|l| l.split(',').nth(column("seed")).unwrap()).collect();
    assert_eq!(seeds, ["1", "1", "4", "4"]);
    // A file that cannot be written fails before anything is searched.
    let run = compare(&format!("{words} --csv /no/such/folder/runs.csv"));
    assert_eq!((run.code, run.out.as_str()), (2, ""));
}

#[test]
fn json_has_all_of_it() {
    let run = compare("nim:1,2 --schemes pn,mcts --drivers dag,df --json");
    assert_eq!(run.code, 0);
    let json: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(run.out.lines().count(), 1);
    assert_eq!(json["rows"].as_array().unwrap().len(), 3);
    assert_eq!(json["runs"][0]["value"], "win");
    assert_eq!(json["misfits"][0]["search"], "mcts + df");
    assert_eq!(
        (&json["contradictions"], &json["interrupted"]),
        (&Value::from(Vec::<Value>::new()), &Value::from(false))
    );
}

#[test]
fn positions_come_from_words_and_from_files() {
    let scratch = Scratch::new();
    let file = scratch.file("positions.txt");
    fs::write(&file, "# two of one game\nmoves:b2\nxo./.../... x\n\n").unwrap();
    let run = compare(&format!("tic-tac-toe --positions {file} --drivers alphabeta"));
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.lines().next().unwrap().starts_with("game         position"), "{}", run.out);
    assert_eq!(run.out.lines().count(), 3, "{}", run.out);
    let words = ["compare", "hex:2", "hex:3", "-p", "moves:a1", "-p", "start"];
    assert_eq!(foregone(&words).out.lines().count(), 5);
    fs::write(&file, "hex:2\tmoves:a1\nnim:3\tstart\n").unwrap();
    let run = compare(&format!("--positions {file}"));
    assert_eq!((run.code, run.out.lines().count()), (0, 3), "{}", run.err);
    fs::write(&file, "moves:1\n").unwrap();
    for games in ["", "nim:3 nim:4"] {
        let run = compare(&format!("{games} --positions {file}"));
        assert_eq!(run.code, 2);
        assert!(run.message().contains("line 1"), "{}", run.message());
    }
    for words in ["", "nim:3 -p moves:9", "nim:3 --schemes pm", "goofspiel:3 --schemes pn"] {
        assert_eq!(compare(words).code, 2, "{words}");
    }
}

#[test]
fn a_contradiction_is_loud() {
    let mut out = Vec::new();
    let mut program = Program::new(&mut out);
    program.engine = program.engine.with_games([liar()]);
    let line = "foregone compare liar tic-tac-toe --schemes pn --drivers alphabeta,tree";
    let cli = Cli::try_parse_from(line.split_whitespace()).unwrap();
    let error = program.run(cli).unwrap_err();
    assert_eq!(foregone_cli::exit_code_of(&error), 3);
    let told = error.to_string();
    assert!(
        told.contains(
            "liar, position 2,0: pn + tree (seed 0) says win, but alphabeta (seed 0) says loss"
        ),
        "{told}"
    );
    assert!(!told.contains("tic-tac-toe"), "{told}");
    // The table is shown all the same.
    assert_eq!(String::from_utf8(out).unwrap().lines().count(), 5);
}
