//! Every table and figure of the source papers in its small version.

use std::collections::BTreeSet;

use clap::Parser;
use foregone::games::registry::Opened;
use foregone::{Engine, Job, Question};
use foregone_cli::args::Cli;
use foregone_cli::reproduce::names;
use foregone_cli::{bench, execute, exit_code_of, reproduce};

/// What `foregone reproduce` prints, and its exit code.
fn reproduced(words: &str) -> (u8, String) {
    let line = format!("foregone reproduce {words}");
    let mut out = Vec::new();
    let cli = Cli::try_parse_from(line.split_whitespace()).unwrap();
    let code = execute(cli, &mut out).unwrap_or_else(|error| exit_code_of(&error));
    (code, String::from_utf8(out).unwrap())
}

/// The cells of the small version of a table, heads first.
fn quick(name: &str) -> Vec<Vec<String>> {
    let (code, csv) = reproduced(&format!("{name} --quick --format csv"));
    assert_eq!(code, 0, "{name}");
    let rows: Vec<Vec<String>> = csv.lines().map(cells).collect();
    for row in &rows {
        assert_eq!(row.len(), rows[0].len(), "{csv}");
    }
    rows
}

/// The cells of a line of CSV, which may be quoted.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

/// A column by its head.
fn column<'r>(rows: &'r [Vec<String>], head: &str) -> Vec<&'r str> {
    let i = rows[0].iter().position(|h| h == head).unwrap_or_else(|| panic!("{head}"));
    rows[1..].iter().map(|r| r[i].as_str()).collect()
}

#[test]
fn the_list_names_every_table_of_the_source_papers() {
    let names = names().unwrap();
    let expected = [
        "figure-2.3",
        "figure-3.3",
        "figure-3.5",
        "figure-5.4",
        "figure-5.5",
        "figure-5.6",
        "joint-moves",
        "match-4.5",
        "slides-atarigo",
        "slides-breakthrough",
        "slides-domineering",
        "slides-nogo",
        "table-2.1",
        "table-2.2",
        "table-2.3",
        "table-2.4",
        "table-2.5",
        "table-3.1",
        "table-3.2",
        "table-3.3",
        "table-3.4",
        "table-4.1",
        "table-4.12",
        "table-4.13",
        "table-4.2",
        "table-4.3",
        "table-4.4",
        "table-4.5",
        "table-4.6",
        "table-4.7",
        "table-5.3",
        "table-5.4",
        "table-5.5",
        "table-5.6",
        "table-5.7",
        "table-5.8",
    ];
    assert_eq!(names, expected);
    let (code, text) = reproduced("");
    assert_eq!(code, 0);
    for name in expected {
        assert!(text.contains(name), "{text}");
    }
}

/// A job is its text, its game and position are there, and its driver takes its scheme.
fn assert_can_be_run(engine: &Engine, name: &str, job: &Job) {
    let text = job.to_string();
    assert_eq!(text.parse::<Job>().as_ref(), Ok(job), "{name}: {text}");
    let game = engine.open(&job.game).unwrap_or_else(|e| panic!("{name}: {text}: {e}"));
    if let Err(e) = game.show(&job.position) {
        panic!("{name}: {text}: {e}");
    }
    match (game.opened(), &job.question) {
        (Opened::InTurn(_), Question::Formula(formula)) => {
            if let Err(e) = game.explain(job, formula) {
                panic!("{name}: {text}: {e}");
            }
        }
        (Opened::InTurn(game), Question::Value) => {
            assert_eq!(job.solver, None, "{name}: {text}");
            if let Err(e) = foregone::pick(game, job) {
                panic!("{name}: {text}: {e}");
            }
        }
        (Opened::InTurn(_), Question::Nash) | (Opened::Joint(_), Question::Value) => {
            assert!(job.solver.is_some(), "{name}: {text}");
        }
        (_, other) => panic!("{name}: {text}: {other}"),
    }
}

#[test]
fn every_job_can_be_run() {
    let engine = Engine::default();
    let jobs = reproduce::jobs().unwrap();
    for (name, job) in &jobs {
        assert_can_be_run(&engine, name, job);
    }
    // Chances are computed, and battles are fought.
    let with_jobs: BTreeSet<&str> = jobs.iter().map(|(name, _)| name.as_str()).collect();
    let all = names().unwrap();
    let without: Vec<&str> =
        all.iter().map(String::as_str).filter(|name| !with_jobs.contains(name)).collect();
    assert_eq!(
        without,
        [
            "figure-5.4",
            "figure-5.5",
            "figure-5.6",
            "table-4.1",
            "table-4.2",
            "table-5.6",
            "table-5.7",
            "table-5.8"
        ]
    );
    let jobs = bench::jobs().unwrap();
    assert_eq!(jobs.len(), 57);
    for job in &jobs {
        assert_can_be_run(&engine, "bench", job);
    }
}

#[test]
fn the_searches_are_those_of_the_source_papers() {
    let jobs = reproduce::jobs().unwrap();
    let first = |name: &str| {
        let found = jobs.iter().find(|(of, _)| of == name);
        found.unwrap_or_else(|| panic!("{name}")).1.to_string()
    };
    for (name, text) in [
        ("table-2.2", "domineering:7x6 driver=alphabeta(order=history) knowledge=no symmetry=no"),
        ("table-2.1", "y:6 scheme=pp driver=tree leaves=evaluation knowledge=no symmetry=no"),
        ("table-4.3", "seki:1,1"),
        (
            "table-4.6",
            "seki:1,1 scheme=sbmcts(delta=10000,rave=1000,expand=one) driver=tree leaves=playout \
             knowledge=no symmetry=no",
        ),
        ("table-5.5", "goofspiel:4 solver=smab(tree,skip=0) knowledge=no proof=never"),
        (
            "table-4.12",
            "chess position=\"8/8/4P3/7p/5K1k/1p3P2/6P1/8 w - - 0 1\" question=\"formula PT(3)\" \
             algorithm=dfps knowledge=no",
        ),
    ] {
        assert_eq!(first(name), text, "{name}");
    }
    // The λ variant of proof numbers is for λ search alone.
    let lambda = |job: &Job| job.to_string().contains("algorithm=pnps(lambda)");
    for (_, job) in jobs.iter().filter(|(name, _)| name == "table-4.13") {
        let text = job.to_string();
        let pnps = text.contains("algorithm=pnps");
        assert_eq!(lambda(job), pnps && text.contains("formula lambda("), "{text}");
    }
}

#[test]
fn the_source_is_named() {
    let (code, text) = reproduced("table-4.1 --quick");
    assert_eq!(code, 0);
    assert!(text.contains("source: A. Saffidine, Some Improvements"), "{text}");
    let (_, text) = reproduced("table-4.1 --quick --format markdown");
    assert!(text.contains("Source: A. Saffidine, Some Improvements"), "{text}");
}

#[test]
fn progress_trees_and_strategies_are_counted() {
    let rows = quick("table-4.12");
    assert_eq!(column(&rows, "formula"), ["PT(3)", "omega(3)"]);
    assert_eq!(column(&rows, "atomic thesis"), ["6040", "11172"]);
    // By the rules alone, so these are the same on every machine.
    assert_eq!(column(&rows, "atomic ours"), ["243", "254"]);
    assert_eq!(column(&rows, "listmoves ours"), ["31", "50"]);
    assert_eq!(column(&rows, "play ours"), ["239", "277"]);
}

#[test]
fn every_class_is_searched_by_every_algorithm() {
    let rows = quick("table-4.13");
    let classes = column(&rows, "formula");
    assert_eq!(classes.len(), 6);
    for algorithm in ["dfps", "pnps", "mcps", "mps"] {
        for cell in column(&rows, &format!("{algorithm} nodes")) {
            let number: String = cell.chars().filter(char::is_ascii_digit).collect();
            assert!(number.parse::<u64>().is_ok_and(|n| n > 0), "{algorithm}: {cell}");
        }
    }
    // Eight cells have no name in the thesis.
    let stars = rows.iter().flatten().filter(|c| c.ends_with('*')).count();
    assert_eq!(stars, 8);
}

#[test]
fn grids_show_ours_beside_the_source_papers() {
    let grids = [
        ("table-2.2", "5x6", "thesis", "701559"),
        ("table-2.3", "5x6", "thesis", "0.87"),
        ("table-2.4", "1x18", "thesis", "4444384"),
        ("table-2.5", "1x18", "thesis", "10.43"),
        ("slides-domineering", "5x6", "slides", "701559"),
    ];
    for (name, board, by, dfs) in grids {
        let rows = quick(name);
        let algorithms = ["DFS", "PNT", "PN²", "PP", "PPT", "PP²"];
        assert_eq!(column(&rows, "algorithm"), algorithms, "{name}");
        assert_eq!(column(&rows, &format!("{board} {by}"))[0], dfs, "{name}");
        let ours = column(&rows, &format!("{board} ours"));
        for (i, cell) in ours.iter().enumerate() {
            let number = cell.strip_prefix("> ").unwrap_or(cell);
            assert!(number.parse::<f64>().is_ok_and(|n| n >= 0.0), "{name}: {cell}");
            // A wrong winner would have ended the run; these two are solved even so quickly.
            let solved = !cell.starts_with('>');
            assert!(solved || ![0, 4].contains(&i), "{name}: {cell} by {}", algorithms[i]);
        }
    }
}

#[test]
fn slides_of_small_boards_are_solved_with_the_right_winners() {
    for name in ["slides-nogo", "slides-atarigo"] {
        let rows = quick(name);
        assert_eq!(rows.len(), 18, "{name}");
        assert_eq!(column(&rows, "winner ours"), column(&rows, "winner slides"), "{name}");
        for head in ["nodes ours", "speed-up ours"] {
            for cell in column(&rows, head) {
                assert!(cell.parse::<f64>().is_ok_and(|n| n > 0.0), "{name}: {cell}");
            }
        }
    }
}

#[test]
fn race_patterns_help_in_breakthrough() {
    let rows = quick("slides-breakthrough");
    assert_eq!(column(&rows, "patterns"), ["no", "yes"]);
    let number = |cell: &str| cell.trim_start_matches("> ").parse::<u64>().unwrap();
    let ours = column(&rows, "expanded ours");
    assert!(number(ours[1]) < number(ours[0]), "{ours:?}");
    assert!(!ours[1].starts_with('>'), "{ours:?}");
}

#[test]
fn positions_are_solved_alike_by_all_algorithms() {
    let rows = quick("table-2.1");
    assert_eq!(rows.len(), 8);
    assert_eq!(column(&rows, "PP ours")[0], "10");
    assert_eq!(column(&rows, "PP thesis")[1], "77010");
    // Each position is the best one's of at most one algorithm.
    for row in [3, 5] {
        let sum: u32 = [1, 3, 5].iter().map(|&c| rows[row + 1][c].parse::<u32>().unwrap()).sum();
        assert!(sum <= 10, "{rows:?}");
    }
}

#[test]
fn the_figure_is_an_image_with_its_points() {
    let path = std::env::temp_dir().join(format!("foregone-figure-{}.svg", std::process::id()));
    let words = format!("figure-2.3 --quick --sample 4 --nodes 20k --out {}", path.display());
    let (code, text) = reproduced(&words);
    assert_eq!(code, 0);
    let svg = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    // Four positions and the legend.
    assert_eq!(svg.matches("<circle").count(), 5);
    assert!(text.contains("PP s"), "{text}");
}

#[test]
fn one_search_for_three_outcomes_beats_two_searches() {
    let rows = quick("table-3.1");
    assert_eq!(column(&rows, "MOPNS thesis")[2], "16947536");
    let ours = |name: &str| {
        let cells = column(&rows, &format!("{name} ours"));
        [cells[0], cells[2], cells[4]].map(|c| c.parse::<u64>().unwrap())
    };
    for (many, two) in [("MOPNS", "PNS"), ("MO-PP", "PP")] {
        let ([solved, _, fewer], [solved_too, _, others]) = (ours(many), ours(two));
        assert_eq!((solved, solved_too), (16, 16));
        assert!(fewer + others <= 16, "{rows:?}");
    }
    assert!(ours("MOPNS")[1] < ours("PNS")[1], "{rows:?}");
}

#[test]
fn scores_are_found_in_one_search_and_proved_in_two() {
    let rows = quick("table-3.2");
    for name in ["MOPNS", "PNS"] {
        assert_eq!(column(&rows, &format!("{name} ours"))[0], "4", "{rows:?}");
    }
}

#[test]
fn figures_show_a_mark_for_each_position() {
    let path = std::env::temp_dir().join(format!("foregone-nodes-{}.svg", std::process::id()));
    for (name, positions) in [("figure-3.3", 16), ("figure-3.5", 4)] {
        let (code, text) = reproduced(&format!("{name} --quick --out {}", path.display()));
        assert_eq!(code, 0, "{name}");
        let svg = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        // The positions and the legend.
        assert_eq!(svg.matches("<circle").count(), positions + 1, "{name}");
        assert!(text.contains(&format!("of {positions} positions")), "{text}");
    }
}

#[test]
fn one_problem_has_one_value_however_it_is_asked() {
    let rows = quick("table-3.3");
    let answers = column(&rows, "result ours");
    let reached = answers.iter().take_while(|&&a| a == "true").count();
    assert!(0 < reached && reached < answers.len(), "{answers:?}");
    assert!(answers[reached..].iter().all(|&a| a == "false"), "{answers:?}");
    let value = column(&rows, "at least")[reached - 1].to_owned();
    let rows = quick("table-3.4");
    assert_eq!(column(&rows, "result ours"), [value.as_str(); 4]);
}

#[test]
fn semeais_and_sekis_are_as_printed() {
    for name in ["table-4.1", "table-4.2"] {
        let rows = quick(name);
        assert_eq!(column(&rows, "2 ours"), ["0.000", "0.500", "0.700"], "{name}");
    }
    let rows = quick("table-4.3");
    for i in 1..=3 {
        let [ours, theirs] =
            ["ours", "master thesis"].map(|by| column(&rows, &format!("{i} {by}")));
        assert_eq!(ours, theirs);
    }
}

#[test]
fn playouts_are_counted_until_the_value_is_known() {
    let mut bounded = Vec::new();
    for (name, head) in
        [("table-4.4", "2"), ("table-4.5", "2"), ("table-4.6", "2"), ("table-4.7", "3x3")]
    {
        let rows = quick(name);
        let ours = column(&rows, &format!("{head} ours"));
        let numbers: Vec<u64> = ours.iter().map(|c| c.parse().unwrap()).collect();
        assert!(numbers.iter().all(|&n| n > 0), "{name}: {numbers:?}");
        bounded.push(numbers[1]);
    }
    // The bias helps where there is something to gain.
    assert!(bounded[2] < bounded[1], "{bounded:?}");
}

#[test]
fn a_match_gives_every_point_to_somebody() {
    let rows = quick("match-4.5");
    assert_eq!(column(&rows, "player"), ["cuts", "no cuts"]);
    let points: f64 = column(&rows, "points ours").iter().map(|p| p.parse::<f64>().unwrap()).sum();
    assert_eq!(points, 2.0, "{rows:?}");
    let [wins, losses] = ["wins", "losses"].map(|head| column(&rows, head));
    assert_eq!((wins[0], wins[1]), (losses[1], losses[0]));
}

#[test]
fn the_same_seed_gives_the_same_positions() {
    let points = |seed: u32| {
        let words = format!("figure-2.3 --sample 5 --nodes 1k --seed {seed} --format csv");
        let csv = reproduced(&words).1;
        csv.lines().map(|l| l.split("\",").next().unwrap_or(l).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(points(1), points(1));
    assert_ne!(points(1), points(2));
}

#[test]
fn bad_words_are_refused() {
    assert_eq!(reproduced("table-2.9").0, 2);
    for name in ["table-2.2", "table-3.3", "table-4.1", "table-4.3"] {
        assert_eq!(reproduced(&format!("{name} --sample 5")).0, 2, "{name}");
    }
    assert_eq!(reproduced("table-2.2 --quick --out /nowhere/at/all").0, 2);
}

#[test]
fn tables_of_joint_moves_have_the_thesis_counts() {
    // Other counts than the thesis' would have ended the run.
    let rows = quick("table-5.3");
    assert_eq!(column(&rows, "nodes ours"), ["109", "1926", "58173"]);
    assert_eq!(column(&rows, "nodes ours"), column(&rows, "nodes thesis"));
    let rows = quick("table-5.5");
    let counts =
        |head| column(&rows, head).iter().map(|n| n.parse().unwrap()).collect::<Vec<u64>>();
    for (ours, theirs) in counts("nodes ours").into_iter().zip(counts("nodes thesis")) {
        assert!(ours <= theirs, "{ours} {theirs}");
    }
    assert_eq!(quick("table-5.4").len(), 2);
    assert_eq!(quick("joint-moves").len(), 7);
}

#[test]
fn tables_of_battles_are_fought() {
    for (name, lines, columns) in [("table-5.6", 9, 11), ("table-5.7", 5, 7), ("table-5.8", 9, 3)] {
        let rows = quick(name);
        assert_eq!((rows.len(), rows[0].len()), (lines, columns), "{name}");
        for row in &rows[1..] {
            for cell in row[1..].iter().step_by(2).filter(|cell| !cell.is_empty()) {
                let score: f64 = cell.parse().unwrap();
                assert!((0.0..=1.0).contains(&score), "{name} {row:?}");
            }
        }
    }
    // Without a clock the same battles come out the same.
    assert_eq!(quick("table-5.8"), quick("table-5.8"));
}

/// What a search scored, in percent.
fn played(rows: &[Vec<String>], search: &str) -> f64 {
    let row = rows.iter().find(|row| row[0] == search).unwrap_or_else(|| panic!("{search}"));
    row[1].parse().unwrap()
}

/// Section 5.4 of the master thesis: looking deeper below an edge helps, and so does counting there.
#[test]
fn searches_on_graphs_go_left() {
    let rows = quick("figure-5.4");
    let score = |search: &str| played(&rows, search);
    assert!((79.0..=84.0).contains(&score("uct")), "{rows:?}");
    assert!(score("ucd(inf,0,1)") >= 99.0, "{rows:?}");
    for d1 in ["0", "1", "inf"] {
        let of = |d3: u8| score(&format!("ucd({d1},0,{d3})"));
        assert!(of(0) < of(1), "{rows:?}");
    }
    for d3 in [0, 1] {
        let of = |d1: &str| score(&format!("ucd({d1},0,{d3})"));
        // Two games a line: equal within a step or two.
        assert!(of("0") <= of("1") + 1.0 && of("1") <= of("inf") + 1.0, "{rows:?}");
    }
}

/// Every game has its own seeds, so threads change nothing.
#[test]
fn games_are_the_same_for_any_number_of_threads() {
    let (code, one) = reproduced("figure-5.6 --quick --sample 12");
    assert_eq!(code, 0);
    let (_, three) = reproduced("figure-5.6 --quick --sample 12 --threads 3");
    let command = "--sample 12\n";
    assert!(one.contains(command), "{one}");
    assert_eq!(one.replace(command, "--sample 12 --threads 3\n"), three);
    let (_, other) = reproduced("figure-5.6 --quick --sample 12 --seed 1");
    assert_ne!(one.replace(command, "--sample 12 --seed 1\n"), other, "other seeds, other games");
}
