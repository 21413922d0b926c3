//! The small parts of the program: numbers, tables and plots. They are tested here because the
//! library is compiled with every game and search in it, and once is enough.

use std::time::Duration;

use clap::CommandFactory;
use foregone::args::{BudgetArgs, Cli, FormatWord, bytes, count, duration};
use foregone::print::grouped;
use foregone::reproduce::{Cell, Ended, Mark, Measure, Plot, Point, Runner, Table};

#[test]
fn budgets_are_read() {
    assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
    assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
    assert_eq!(count("10M"), Ok(10_000_000));
    assert_eq!(count("12"), Ok(12));
    assert_eq!(bytes("4G"), Ok(4 << 30));
    assert_eq!(bytes("1.5KiB"), Ok(1536));
    assert!(duration("5 parsecs").is_err());
    assert!(count("-1").is_err());
    assert!(bytes("4X").is_err());
    assert!(count("NaN").is_err());
}

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn numbers_are_grouped() {
    assert_eq!(grouped(0), "0");
    assert_eq!(grouped(123), "123");
    assert_eq!(grouped(1234), "1,234");
    assert_eq!(grouped(1_234_567), "1,234,567");
}

fn table() -> Table {
    let words = |w: &[&str]| w.iter().map(|&s| s.to_owned()).collect::<Vec<_>>();
    Table {
        heads: words(&["who, what", "ours", "thesis"]),
        labels: 1,
        rows: vec![words(&["PP²", "1,234", "> 10^7"]), words(&["\"x\"", "> 1,000.5", ""])],
    }
}

#[test]
fn columns_stand_below_each_other() {
    let text = "who, what       ours  thesis\nPP²            1,234  > 10^7\n\
                \"x\"        > 1,000.5\n";
    assert_eq!(table().render(FormatWord::Text), text);
}

#[test]
fn markdown_has_a_rule_below_its_heads() {
    let text = table().render(FormatWord::Markdown);
    assert_eq!(text.lines().nth(1), Some("| --- | ---: | ---: |"));
    assert_eq!(text.lines().count(), 4);
}

#[test]
fn csv_is_quoted_where_it_must_be() {
    let text = "\"who, what\",ours,thesis\nPP²,1234,> 10^7\n\"\"\"x\"\"\",> 1000.5,\n";
    assert_eq!(table().render(FormatWord::Csv), text);
}

#[test]
fn equal_times_lie_on_the_diagonal() {
    let point = |x: f64, y: f64| Point { x, y, mark: Mark::Circle, faint: false };
    let plot = Plot {
        title: "a < b".to_owned(),
        x_name: "x".to_owned(),
        y_name: "y".to_owned(),
        legend: vec![],
        points: vec![point(0.001, 0.001), point(1.0, 1.0), point(0.1, 0.01)],
    };
    let svg = plot.svg();
    assert!(svg.contains("a &lt; b"));
    assert!(svg.contains("cx=\"70.0\" cy=\"520.0\""), "{svg}");
    assert!(svg.contains("cx=\"550.0\" cy=\"40.0\""), "{svg}");
    assert!(svg.contains("cx=\"390.0\" cy=\"360.0\""), "{svg}");
}

#[test]
fn an_empty_plot_is_a_frame() {
    let (title, x_name, y_name) = (String::new(), String::new(), String::new());
    let plot = Plot { title, x_name, y_name, legend: vec![], points: vec![] };
    assert!(!plot.svg().contains("NaN"));
}

fn runner() -> Runner {
    let (time, nodes, memory) = (None, Some(10_000), None);
    Runner::new(BudgetArgs { time, nodes, memory, threads: 1, seed: 0 })
}

fn cell(words: &str, measure: Measure, value: &str) -> Cell {
    Cell {
        words: vec![words.to_owned(), words.to_owned()],
        measure,
        value: Some(value.to_owned()),
        seed: String::new(),
        quick: true,
    }
}

#[test]
fn a_wrong_winner_is_a_failure() {
    let wrong = cell("nim:3 --driver dfs", Measure::Winner, "loss");
    match runner().cell(&wrong) {
        Err(Ended::Failed(failure)) => {
            assert_eq!(failure.code, foregone::failure::PROOF_REJECTED);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_out_of_budget_says_so() {
    let of = |words: &str, measure| runner().cell(&cell(words, measure, "win")).ok();
    let big = "domineering:8x8 --driver alphabeta";
    assert_eq!(of(big, Measure::Winner).as_deref(), Some("?"));
    assert_eq!(of(big, Measure::SpeedUp).as_deref(), Some("?"));
    assert_eq!(of(big, Measure::Nodes).as_deref(), Some("> 10,000"));
    assert_eq!(of("nim:3 --driver dfs", Measure::Winner).as_deref(), Some("1"));
    assert_eq!(of("nim:3 --driver dfs", Measure::SpeedUp).as_deref(), Some("1.00"));
}
