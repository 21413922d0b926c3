//! `foregone simulate-cluster`: how a solve grows with the number of workers, in virtual time.

use foregone::crew::Setup;
use foregone::crew::simulate::{Cluster, Faults, Tally, crew};
use foregone::text::grouped;
use foregone::{Error, Job};
use serde_json::json;

use super::files_of;
use crate::args::SimulateArgs;
use crate::program::{Program, exit_code};

/// Simulates, one number of workers after the other.
pub(crate) fn run(program: &mut Program<'_>, args: &SimulateArgs) -> Result<u8, Error> {
    program.catch_interrupts();
    let mut job: Job = crate::commands::job_text(&args.job).parse()?;
    job.budget.memory.get_or_insert_with(crate::memory::memory_to_use);
    let game = crate::commands::open(program, &job.game)?;
    super::can_be_spread(&game, &job)?;
    let files = files_of(&program.engine, &job.game)?;
    let percent = f64::from(args.faults) / 100.0;
    let (mut first, mut objects): (Option<(usize, Tally)>, _) = (None, Vec::new());
    let (mut value, mut stop) = (None, foregone::Stop::Solved);
    if !args.json {
        program.say(HEADER);
    }
    for workers in args.workers.iter().map(|&workers| workers as usize) {
        for seed in 0..u64::from(args.seeds) {
            let cluster = Cluster {
                workers,
                speed: args.speed as f64,
                latency: args.latency.as_secs_f64(),
                coordinator: 1.0 / args.messages as f64,
                bytes: args.memory,
                faults: Faults {
                    lost: percent,
                    late: percent,
                    double: percent,
                    wrong: percent,
                    dead: percent / 2.0,
                },
                seed,
                ..Cluster::default()
            };
            let setup = Setup { job: job.clone(), files: files.clone() };
            let (crew, tally) = crew(setup, cluster);
            let engine = program.engine.clone().with_crew(crew);
            let finished = engine.run(&job, &mut (), &program.cancel)?;
            let tally = tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
            stop = finished.answer.stop();
            if stop != foregone::Stop::Solved {
                return Ok(exit_code(stop));
            }
            let found = finished.answer.value().map(str::to_owned);
            if *value.get_or_insert_with(|| found.clone()) != found {
                let message = format!("seed {seed} with {workers} workers gave another answer");
                return Err(Error::proof(message));
            }
            let (base_workers, base) = first.get_or_insert_with(|| (workers, tally.clone()));
            let row = Row::new(workers, seed, &tally, *base_workers, base);
            match args.json {
                true => objects.push(row.json(&tally)),
                false => program.say(&row.text(&tally)),
            }
        }
    }
    if args.json {
        program.say(&(json!(objects).to_string() + "\n"));
    } else {
        let value = value.flatten().unwrap_or_default();
        program.say(&format!("\nvalue {value}, the same each time, each with a checked proof\n"));
    }
    Ok(exit_code(stop))
}

const HEADER: &str = "\
 workers   seed      time  speed-up  efficiency      jobs          nodes  in vain  messages/s  faults  refused
";

struct Row {
    workers: usize,
    seed: u64,
    speed_up: f64,
    efficiency: f64,
    in_vain: f64,
}

impl Row {
    /// Seen beside the first run.
    fn new(workers: usize, seed: u64, tally: &Tally, base_workers: usize, base: &Tally) -> Row {
        let speed_up = base.seconds / tally.seconds.max(1e-9) * base_workers as f64;
        let in_vain = (tally.nodes as f64 / (base.nodes as f64).max(1.0) - 1.0).max(0.0);
        Row { workers, seed, speed_up, efficiency: speed_up / workers as f64, in_vain }
    }

    fn text(&self, tally: &Tally) -> String {
        let Row { workers, seed, speed_up, efficiency, in_vain } = self;
        let rate = tally.messages as f64 / tally.seconds.max(1e-9);
        format!(
            "{workers:8} {seed:6} {:8.1}s {speed_up:9.2} {:10.0} % {:9} {:>14} {:6.0} % {rate:11.1} {:7} {:8}\n",
            tally.seconds,
            100.0 * efficiency,
            tally.jobs,
            grouped(tally.nodes),
            100.0 * in_vain,
            tally.faults,
            tally.refused,
        )
    }

    fn json(&self, tally: &Tally) -> serde_json::Value {
        json!({
            "workers": self.workers,
            "seed": self.seed,
            "speed_up": self.speed_up,
            "efficiency": self.efficiency,
            "in_vain": self.in_vain,
            "tally": tally,
        })
    }
}
