//! Every table and figure of the seeds in its small version.

use clap::Parser;
use foregone::args::Cli;
use foregone::reproduce::names;

/// What `foregone reproduce` prints, and its exit code.
fn reproduce(words: &str) -> (u8, String) {
    let line = format!("foregone reproduce {words}");
    let mut out = Vec::new();
    let code =
        match foregone::run::run(Cli::try_parse_from(line.split_whitespace()).unwrap(), &mut out) {
            Ok(code) => code,
            Err(failure) => failure.code,
        };
    (code, String::from_utf8(out).unwrap())
}

/// The cells of the small version of a table, heads first.
fn quick(name: &str) -> Vec<Vec<String>> {
    let (code, csv) = reproduce(&format!("{name} --quick --format csv"));
    assert_eq!(code, 0, "{name}");
    let rows: Vec<Vec<String>> =
        csv.lines().map(|l| l.split(',').map(str::to_owned).collect()).collect();
    for row in &rows {
        assert_eq!(row.len(), rows[0].len(), "{csv}");
    }
    rows
}

/// A column by its head.
fn column<'r>(rows: &'r [Vec<String>], head: &str) -> Vec<&'r str> {
    let i = rows[0].iter().position(|h| h == head).unwrap_or_else(|| panic!("{head}"));
    rows[1..].iter().map(|r| r[i].as_str()).collect()
}

#[test]
fn the_list_names_every_table_of_the_seeds() {
    let names = names().unwrap();
    let expected = [
        "figure-2.3",
        "slides-atarigo",
        "slides-breakthrough",
        "slides-domineering",
        "slides-nogo",
        "table-2.1",
        "table-2.2",
        "table-2.3",
        "table-2.4",
        "table-2.5",
    ];
    assert_eq!(names, expected);
    let (code, text) = reproduce("");
    assert_eq!(code, 0);
    for name in expected {
        assert!(text.contains(name), "{text}");
    }
}

#[test]
fn grids_show_ours_beside_the_seeds() {
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
    let (code, text) = reproduce(&words);
    assert_eq!(code, 0);
    let svg = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    // Four positions and the legend.
    assert_eq!(svg.matches("<circle").count(), 5);
    assert!(text.contains("PP s"), "{text}");
}

#[test]
fn the_same_seed_gives_the_same_positions() {
    let points = |seed: u32| {
        let words = format!("figure-2.3 --sample 5 --nodes 1k --seed {seed} --format csv");
        let csv = reproduce(&words).1;
        csv.lines().map(|l| l.split("\",").next().unwrap_or(l).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(points(1), points(1));
    assert_ne!(points(1), points(2));
}

#[test]
fn bad_words_are_refused() {
    assert_eq!(reproduce("table-2.9").0, 2);
    assert_eq!(reproduce("table-2.2 --sample 5").0, 2);
    assert_eq!(reproduce("table-2.2 --quick --out /nowhere/at/all").0, 2);
}
