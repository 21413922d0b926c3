//! Random and mutated words of the command line. Nothing may panic, and what is wrong can be shown.
//! `crates/foregone/tests/it/fuzz.rs` does the same with all other texts.
//!
//! `FOREGONE_FUZZ_SECONDS` says how long it takes, 3 by default. The inputs are the same every
//! time; more seconds only try more of them.

use std::time::Duration;

use clap::Parser;
use foregone::games::explicit::Explicit;
use foregone::{AnyGame, Cancel, Engine, ErrorKind};
use foregone_cli::args::Cli;

use crate::common::solve_args;
use crate::inputs::{Fuzz, Trying};

fn words_of_the_command_line(fuzz: &mut Fuzz) {
    let scales = "outcomes awful bad fair good\nmax a -> b c\nend b fair\nend c bad\n";
    let game = AnyGame::in_turn(Explicit::read("explicit:scale", scales).unwrap());
    let engine = Engine::default();
    let questions = ["win", "value", "at-least fair", "at-least good", "at-least awful"]
        .map(str::to_owned)
        .to_vec();
    let amounts =
        ["500ms", "1.5m", "60s", "10M", "2G", "1.5KiB", "1e3"].map(str::to_owned).to_vec();
    while fuzz.goes_on() {
        let text = fuzz.input(&questions);
        let trying = Trying { what: "a question", input: text.as_bytes() };
        let mut args = solve_args("explicit:scale");
        args.question = Some(text.clone());
        let job = foregone_cli::solve_job(&game, &args);
        let answered = job.and_then(|job| {
            // The question is written as it was read.
            args.question = Some(job.question.to_string());
            assert_eq!(foregone_cli::solve_job(&game, &args).unwrap().question, job.question);
            engine.run_on(&game, &job, &mut (), &Cancel::new())
        });
        match answered {
            Ok(finished) => {
                fuzz.taken += 1;
                assert!(finished.answer.solved(), "{text}");
            }
            Err(error) => assert_eq!(error.kind, ErrorKind::Input, "{text}"),
        }
        drop(trying);

        let text = fuzz.input(&amounts);
        let trying = Trying { what: "a budget", input: text.as_bytes() };
        for option in ["time", "nodes", "memory", "seed", "exploration", "scheme", "driver"] {
            let words = ["foregone", "solve", "nim", &format!("--{option}={text}")];
            match Cli::try_parse_from(words) {
                Ok(_) => fuzz.taken += 1,
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        drop(trying);
    }
}

#[test]
fn no_word_makes_it_panic() {
    let seconds = match std::env::var("FOREGONE_FUZZ_SECONDS") {
        Ok(text) => text.parse().expect("FOREGONE_FUZZ_SECONDS is a number of seconds"),
        Err(_) => 3.0,
    };
    let time = Duration::from_secs_f64(seconds * 0.05);
    let mut fuzz = Fuzz::new("words of the command line", time);
    words_of_the_command_line(&mut fuzz);
    println!("{} inputs tried, {} of them taken", fuzz.tried, fuzz.taken);
    assert!(fuzz.tried > 0 && fuzz.taken > 0, "nothing was taken: the inputs are no good");
}
