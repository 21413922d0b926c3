//! `foregone bench play`: simulations a second of the Monte Carlo search for moves, beside OpenSpiel's
//! C++ bot on the same machine in the same minute.
//!
//! OpenSpiel is no part of the project. It is asked by `experiments/openspiel_mcts.py`, run by the
//! Python that `FOREGONE_OPENSPIEL` names, or by `python3`; where that has no OpenSpiel, it is said.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use foregone::Error;
use foregone::games::breakthrough::Breakthrough;
use foregone::games::connect_four::ConnectFour;
use foregone::games::hex::Hex;
use foregone::games::othello::Othello;
use foregone::model::Guide;
use foregone::search::MonteCarlo;
use foregone::search::monte_carlo::{Graph, Options};
use foregone::text::grouped;

use super::{Bench, wrong};

/// Simulations of one search.
const SIMULATIONS: u64 = 10_000;
/// How long each game is measured.
const SECONDS: f64 = 2.0;

/// Games that both have: by our name, and by OpenSpiel's.
const BOTH: [(&str, &str); 3] = [
    ("connect-four:6x7", "connect_four"),
    ("hex:5", "hex(board_size=5)"),
    ("breakthrough:6x6", "breakthrough(rows=6,columns=6)"),
];

impl Bench<'_, '_> {
    /// Simulations per second, and how long the searches take that matches are played against.
    pub(super) fn play(&mut self) -> Result<(), Error> {
        self.say(
            "play: plain UCT, the fastest search of 10,000 simulations from the start, one thread",
        );
        let theirs = match theirs() {
            Ok(speeds) => speeds,
            Err(missing) => {
                self.say(&format!("  OpenSpiel is not measured: {missing}"));
                Vec::new()
            }
        };
        for (name, _) in BOTH {
            let ours = match name {
                "connect-four:6x7" => speed(&ConnectFour::<u64>::new(6, 7))?,
                "hex:5" => speed(&Hex::<u64>::new(5))?,
                _ => speed(&Breakthrough::<u64>::new(6, 6))?,
            };
            let beside = theirs.iter().find(|(theirs, _)| *theirs == name).map(|(_, speed)| *speed);
            let beside = beside.map_or(String::new(), |speed| {
                let ratio = ours / speed;
                format!("   OpenSpiel {:>8}   ratio {ratio:>5.1}", grouped(speed as u64))
            });
            self.say(&format!("  {name:<18} {:>12} simulations/s{beside}", grouped(ours as u64)));
        }
        self.say("  10,000 simulations take:");
        for (name, speed) in [
            ("connect-four:6x7", speed(&ConnectFour::<u64>::new(6, 7))?),
            ("hex:7", speed(&Hex::<u64>::new(7))?),
            ("breakthrough:6x6", speed(&Breakthrough::<u64>::new(6, 6))?),
            ("othello:6x6", speed(&Othello::new(6, 6))?),
        ] {
            let milliseconds = 1000.0 * SIMULATIONS as f64 / speed;
            self.say(&format!("  {name:<18} {milliseconds:>8.1} ms"));
        }
        Ok(())
    }
}

/// Simulations a second of the fastest of many searches: others may use the machine, too.
fn speed<G: Guide>(game: &G) -> Result<f64, Error> {
    let options = Options::plain(Graph::Tree);
    let (mut fastest, mut seed, began) = (0.0f64, 0, Instant::now());
    while began.elapsed() < Duration::from_secs_f64(SECONDS) {
        let clock = Instant::now();
        let search = MonteCarlo::new(game, &game.start(), options, seed);
        let mut search = search.map_err(|e| wrong(e.to_string()))?;
        if search.run(SIMULATIONS) != SIMULATIONS || search.best().is_none() {
            return Err(wrong("a plain search ended early".to_owned()));
        }
        fastest = fastest.max(SIMULATIONS as f64 / clock.elapsed().as_secs_f64());
        seed += 1;
    }
    Ok(fastest)
}

/// The speeds of OpenSpiel by our names of games, or why there are none.
fn theirs() -> Result<Vec<(&'static str, f64)>, String> {
    let script = Path::new("experiments/openspiel_mcts.py");
    if !script.exists() {
        return Err(format!("{} is not here: run it in the project's folder", script.display()));
    }
    let python = std::env::var("FOREGONE_OPENSPIEL").unwrap_or_else(|_| "python3".to_owned());
    let words = [SIMULATIONS.to_string(), SECONDS.to_string()];
    let names = BOTH.iter().map(|(_, theirs)| *theirs);
    let run = Command::new(&python).arg(script).args(words).args(names).output();
    let run = run.map_err(|e| format!("`{python}` can't be run: {e}"))?;
    if !run.status.success() {
        let why = String::from_utf8_lossy(&run.stderr);
        let why = why.lines().last().unwrap_or("it failed").to_owned();
        return Err(format!(
            "{why}; FOREGONE_OPENSPIEL=PYTHON names a Python that has the wheel open_spiel"
        ));
    }
    let text = String::from_utf8_lossy(&run.stdout);
    let speeds = BOTH.iter().filter_map(|(ours, theirs)| {
        let line = text.lines().find_map(|line| line.strip_prefix(theirs)?.strip_prefix('\t'))?;
        Some((*ours, line.trim().parse().ok()?))
    });
    Ok(speeds.collect())
}
