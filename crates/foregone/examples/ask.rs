//! Asks the library: a job, an observer that hears how it goes, an answer as data and as JSON.

use std::time::Duration;

use foregone::{Answer, Budget, Cancel, Engine, Event, Job, Question};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::default();

    // A job is plain data. What is left open is picked for the game.
    let job = Job {
        question: Question::AtLeast("draw".to_owned()),
        budget: Budget { time: Some(Duration::from_secs(10)), ..Budget::default() },
        ..Job::new("connect-four:4x4")
    };

    // The observer hears of the search while it runs. Another thread may call `cancel.cancel()`.
    let cancel = Cancel::new();
    let mut replayed = 0;
    let mut observer = |event: &Event| {
        if let Event::ProofChecked { claims } = event {
            replayed += claims;
        }
    };
    let finished = engine.run(&job, &mut observer, &cancel)?;

    // The answer is data, too: these are the fields that `--json` prints.
    let Answer::Turn(answer) = &finished.answer else { unreachable!("a game in turn") };
    assert_eq!(answer.holds, Some(true));
    assert_eq!(answer.proof.as_ref().map(|proof| proof.claims), Some(replayed));
    assert!(serde_json::to_string(answer)?.starts_with(r#"{"game":"connect-four:4x4""#));
    Ok(())
}
