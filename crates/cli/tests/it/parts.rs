//! The small parts of the program: numbers and words.

use std::time::Duration;

use clap::CommandFactory;
use foregone::text::grouped;
use foregone_cli::args::{Cli, bytes, count, duration};

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
