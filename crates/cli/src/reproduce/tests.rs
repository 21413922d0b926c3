//! Tables, plots and cells of tables.

use foregone::Job;

use super::definition::Measure;
use super::experiment::Cell;
use super::measure::{Ended, Runner};
use crate::Program;
use crate::args::{BudgetArgs, FormatWord};
use crate::plot::{Axis, Plot, Point, Series};
use crate::table::Table;

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
    let point = |x: f64, y: f64| Point { x, y, faint: false };
    let points = vec![point(0.001, 0.001), point(1.0, 1.0), point(0.1, 0.01)];
    let plot = Plot {
        title: "a < b".to_owned(),
        x: Axis::decades("x"),
        y: Axis::decades("y"),
        series: vec![Series { name: "times".to_owned(), points, joined: false }],
        square: true,
    };
    let svg = plot.svg();
    assert!(svg.contains("a &lt; b"));
    assert!(svg.contains("cx=\"70.0\" cy=\"520.0\""), "{svg}");
    assert!(svg.contains("cx=\"550.0\" cy=\"40.0\""), "{svg}");
    assert!(svg.contains("cx=\"390.0\" cy=\"360.0\""), "{svg}");
}

#[test]
fn an_empty_plot_is_a_frame() {
    for square in [true, false] {
        let (x, y) = (Axis::decades(""), Axis::decades(""));
        let plot = Plot { title: String::new(), x, y, series: vec![], square };
        assert!(!plot.svg().contains("NaN"));
    }
}

/// What a cell shows: by two searches of this job, within 10,000 nodes, with this known value.
fn shown(job: &str, measure: Measure, value: &str) -> Result<String, Ended> {
    let job: Job = job.parse().expect("a job");
    let value = Some(value.to_owned());
    let cell =
        Cell { jobs: vec![job.clone(), job], measure, value, theirs: String::new(), quick: true };
    let mut out = Vec::new();
    let program = Program::new(&mut out);
    let (time, nodes, memory) = (None, Some(10_000), None);
    let budget = BudgetArgs { time, nodes, memory, threads: 1, inner_nodes: None, seed: 0 };
    Runner::new(&program, &budget).cell(&cell)
}

#[test]
fn a_wrong_winner_is_a_failure() {
    match shown("nim:3 driver=dfs", Measure::Winner, "loss") {
        Err(Ended::Failed(failure)) => assert_eq!(failure.kind, foregone::ErrorKind::Proof),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_out_of_budget_says_so() {
    let of = |job: &str, measure| shown(job, measure, "win").ok();
    let big = "domineering:8x8 driver=alphabeta";
    assert_eq!(of(big, Measure::Winner).as_deref(), Some("?"));
    assert_eq!(of(big, Measure::SpeedUp).as_deref(), Some("?"));
    assert_eq!(of(big, Measure::Nodes).as_deref(), Some("> 10,000"));
    assert_eq!(of("nim:3 driver=dfs", Measure::Winner).as_deref(), Some("1"));
    assert_eq!(of("nim:3 driver=dfs", Measure::SpeedUp).as_deref(), Some("1.00"));
}
