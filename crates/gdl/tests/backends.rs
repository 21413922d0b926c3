//! All ways to run a rulesheet say the same: gates, forward chaining and the plain interpreter play
//! the same random games, state by state, and random plays of many lanes at once have the same
//! results as plays of one state after the other.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "a test says what it skipped and how far it came")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use foregone_gdl::{Backend, Machine, MachineError, Move, Program, State, trace};
use foregone_model::Rng;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "kif"));
    files.sort();
    files
}

/// Plays in step until the states or the time are used up. How many states agreed, or where not.
fn in_step(program: &Program, states: usize, time: Duration) -> Result<usize, String> {
    let clock = Instant::now();
    let backends = Backend::ALL.into_iter();
    let machines = backends.filter_map(|b| Machine::new(program, Some(b)).ok());
    let mut machines: Vec<Machine> = machines.collect();
    let Some(reference) = machines.pop() else { return Ok(0) };
    assert_eq!(reference.backend(), Backend::Plain);
    machines.insert(0, reference);
    let mut rng = Rng::new(7);
    let mut done = 0;
    while done < states && (done == 0 || clock.elapsed() < time) {
        let mut here: Vec<State> = Vec::new();
        for machine in &mut machines {
            match machine.initial() {
                Ok(state) => here.push(state),
                Err(error) => return if done == 0 { Ok(0) } else { Err(error.to_string()) },
            }
        }
        for step in 0..100 {
            // The text of a state says everything about it.
            let mut lines = Vec::new();
            let mut over = false;
            let mut moves: Vec<String> = Vec::new();
            for (machine, state) in machines.iter_mut().zip(&here) {
                let view = match machine.view(state) {
                    Ok(view) => view,
                    // Rules that break GDL may give no answer; then none of the others counts.
                    Err(_) if machine.backend() == Backend::Plain => return Ok(done),
                    // Too large for this back end: the choice falls on another one.
                    Err(MachineError::Refused(_)) => return Ok(done),
                    Err(error) => return Err(error.to_string()),
                };
                lines.push(trace::line(machine, 0, step, state, &view, None));
                over = view.terminal || view.stuck();
                if moves.is_empty() && !over {
                    let pick = |l: &Vec<Move>| machine.show(l[rng.below(l.len() as u32) as usize]);
                    moves = view.legal.iter().map(pick).collect();
                }
            }
            for (line, machine) in lines.iter().zip(&machines) {
                if *line != lines[0] {
                    let name = machine.backend().name();
                    return Err(format!("plain: {}\n{name}: {line}", lines[0]));
                }
            }
            done += 1;
            if over || done >= states || clock.elapsed() > time {
                break;
            }
            for (machine, state) in machines.iter_mut().zip(&mut here) {
                let joint: Vec<Move> = moves.iter().map(|m| machine.read(m).unwrap()).collect();
                *state = machine.next(state, &joint).map_err(|t| t.to_string())?;
            }
        }
    }
    Ok(done)
}

fn compare(files: &[PathBuf], states: usize, time: Duration) {
    let (mut agreed, mut total, mut wrong) = (0, 0, Vec::new());
    for file in files {
        let program = Program::read(&std::fs::read_to_string(file).unwrap()).unwrap();
        match in_step(&program, states, time) {
            Ok(states) => {
                agreed += 1;
                total += states;
            }
            Err(difference) => wrong.push(format!("{}: {difference}", file.display())),
        }
    }
    println!("{agreed} of {} rulesheets agree in {total} states", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn back_ends_agree_on_the_rulesheets_of_the_project() {
    compare(&files(&root().join("rulesheets")), 60, Duration::from_secs(2));
}

fn others() -> Option<Vec<PathBuf>> {
    let folder = root().join("../shared/data/gdl/rulesheets");
    if !folder.is_dir() {
        println!("SKIPPED: 675 rulesheets, for the data is not beside the project");
        return None;
    }
    let mut all = files(&folder.join("gdl1"));
    all.extend(files(&folder.join("gdl2")));
    Some(all)
}

/// Every so many rulesheets of others; all of them take minutes.
const EVERY: usize = 12;

#[test]
fn back_ends_agree_on_some_rulesheets_of_others() {
    if let Some(all) = others() {
        let some: Vec<PathBuf> = all.into_iter().step_by(EVERY).collect();
        println!("one in {EVERY} rulesheets; the others take --ignored");
        compare(&some, 12, Duration::from_millis(300));
    }
}

#[test]
#[ignore = "takes minutes: all rulesheets"]
fn back_ends_agree_on_all_rulesheets() {
    if let Some(all) = others() {
        compare(&all, 40, Duration::from_secs(2));
    }
}

/// Random plays in lanes are random plays: their mean results are those of plays one by one.
#[test]
fn plays_in_lanes_have_the_results_of_single_plays() {
    for name in ["tic-tac-toe", "connect-four-5x4", "breakthrough", "hex", "othello", "hanoi"] {
        let path = root().join("rulesheets").join(name).with_extension("kif");
        let program = Program::read(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut gates = Machine::new(&program, Some(Backend::Gates)).unwrap();
        let start = gates.initial().unwrap();
        let mut rng = Rng::new(5);
        // More plays than lanes, so that lanes are filled again.
        let lanes = gates.playouts(&start, 4000, 500, &mut rng).unwrap();
        assert_eq!((lanes.plays, lanes.lost), (4000, 0), "{name}");
        let (mut sum, mut squares, mut length) = (0.0, 0.0, 0);
        let plays = 400;
        for _ in 0..plays {
            let mut state = start.clone();
            loop {
                let view = gates.view(&state).unwrap();
                length += 1;
                if view.terminal {
                    let goal = f64::from(view.goals[0].unwrap());
                    sum += goal;
                    squares += goal * goal;
                    break;
                }
                let moves = view.random_moves(&mut rng);
                state = gates.next(&state, &moves).unwrap();
            }
        }
        let mean = sum / f64::from(plays);
        let deviation = (squares / f64::from(plays) - mean * mean).max(1.0).sqrt();
        let wanted = lanes.goals[0] / 4000.0;
        let error = deviation * (1.0 / f64::from(plays) + 1.0 / 4000.0).sqrt();
        assert!((mean - wanted).abs() < 4.0 * error, "{name}: {mean} and {wanted}");
        let (one, many) = (f64::from(length) / f64::from(plays), lanes.states as f64 / 4000.0);
        assert!((one - many).abs() < 0.2 * many, "{name}: {one} and {many} states a play");
        // Small numbers of plays use narrow lanes; the same seed gives the same plays.
        let few = gates.playouts(&start, 10, 500, &mut Rng::new(9)).unwrap();
        assert_eq!(few, gates.playouts(&start, 10, 500, &mut Rng::new(9)).unwrap());
        assert_eq!(few.plays, 10);
    }
}

/// Plays end at different times, and lanes wait for each other: an end must stay as it was, though
/// its facts would not outlive another step.
#[test]
fn ends_in_lanes_are_kept_until_they_are_counted() {
    let text = "(role a) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
        (legal a on) (legal a stop) (legal a wait)
        (<= (next (n ?y)) (does a on) (true (n ?x)) (succ ?x ?y))
        (<= (next (n ?x)) (does a wait) (true (n ?x)))
        (<= (next (stopped ?x)) (does a stop) (true (n ?x)))
        (<= terminal (true (stopped ?x))) (<= terminal (true (n 4)))
        (<= (goal a 10) (true (stopped ?x))) (<= (goal a 50) (true (n 4)))";
    let program = Program::read(text).unwrap();
    let mut gates = Machine::new(&program, Some(Backend::Gates)).unwrap();
    let start = gates.initial().unwrap();
    for count in [64, 5000] {
        let tally = gates.playouts(&start, count, 500, &mut Rng::new(3)).unwrap();
        assert_eq!((tally.plays, tally.lost), (count, 0));
    }
    // Four steps on before the first stop: one play in sixteen.
    let tally = gates.playouts(&start, 16_000, 500, &mut Rng::new(4)).unwrap();
    let mean = tally.goals[0] / 16_000.0;
    assert!((mean - 12.5).abs() < 0.4, "{mean}");
}
