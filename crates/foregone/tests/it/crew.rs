//! Solves by several machines, simulated: the same answers, whatever goes wrong on the way.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use foregone::crew::simulate::{Cluster, Faults, Tally, crew};
use foregone::crew::{Crew, CrewNews, Setup, SharedCrew};
use foregone::{Cancel, Engine, Finished, Job};

use crate::common::{job, root, run, turn};

/// A job by simulated workers.
fn simulated(job: &Job, cluster: Cluster) -> (Finished, Tally) {
    let mut files = BTreeMap::new();
    if let Some((_, path)) = job.game.split_once(":/") {
        let path = format!("/{path}");
        files.insert(path.clone(), std::fs::read_to_string(&path).unwrap());
    }
    let (crew, tally) = crew(Setup { job: job.clone(), files }, cluster);
    let engine = Engine::default().with_crew(crew);
    let finished =
        engine.run(job, &mut (), &Cancel::new()).unwrap_or_else(|e| panic!("{job}: {e}"));
    let tally = tally.lock().unwrap().clone();
    (finished, tally)
}

fn jobs() -> Vec<Job> {
    let folder = root().display().to_string();
    [
        "domineering:4x4 inner_nodes=40 proof=always".to_owned(),
        "connect-four:3x4 inner_nodes=300 proof=always".to_owned(),
        "tic-tac-toe inner_nodes=30 proof=always".to_owned(),
        "breakthrough:4x4 inner_nodes=500 proof=always".to_owned(),
        "hex:3 inner_nodes=20 proof=always driver=tree scheme=pp".to_owned(),
        "kalah:2,2 inner_nodes=50 proof=always".to_owned(),
        "nim:1,3,5 inner_nodes=20 proof=always driver=dag scheme=pn".to_owned(),
        format!("explicit:{folder}/examples/figure-2-1a.game inner_nodes=2 proof=always"),
        format!("explicit:{folder}/examples/loop-draws.game inner_nodes=2 proof=always"),
        format!("gdl:{folder}/rulesheets/chomp.kif inner_nodes=30 proof=always"),
    ]
    .iter()
    .map(|text| job(text))
    .collect()
}

#[test]
fn workers_elsewhere_give_the_same_answers() {
    for job in jobs() {
        let alone = run(&Job { driver: None, scheme: None, ..job.clone() });
        for workers in [1, 2, 7] {
            let cluster = Cluster { workers, bytes: 8 << 20, ..Cluster::default() };
            let (finished, tally) = simulated(&job, cluster);
            println!("{job}: {tally:?}");
            assert_eq!(turn(&finished).value, turn(&alone).value, "{job}");
            let proof = turn(&finished).proof.as_ref();
            assert!(proof.is_some_and(|proof| proof.proved), "{job}");
            assert!(!finished.certificate.is_empty() && tally.refused == 0, "{job}: {tally:?}");
        }
    }
}

#[test]
fn a_formula_by_workers_elsewhere() {
    let text = "hex:3 question=\"formula omega(4)\" inner_nodes=10 proof=always algorithm=dfpn";
    let alone = run(&job(text));
    let (finished, tally) = simulated(&job(text), Cluster { workers: 3, ..Cluster::default() });
    let (foregone::Answer::Formula(one), foregone::Answer::Formula(other)) =
        (&alone.answer, &finished.answer)
    else {
        panic!("answers about a formula");
    };
    assert_eq!(one.holds, other.holds);
    assert!(other.holds.is_some() && !finished.certificate.is_empty() && tally.jobs > 1);
}

/// As many seeds as there is time for: `FOREGONE_SEEDS` says how many.
#[test]
fn faults_make_no_answer_wrong_and_no_solve_stuck() {
    let seeds = std::env::var("FOREGONE_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let faults = Faults { lost: 0.1, late: 0.1, double: 0.1, wrong: 0.1, dead: 0.05 };
    let jobs = jobs();
    let alone: Vec<Option<String>> = jobs
        .iter()
        .map(|job| turn(&run(&Job { driver: None, scheme: None, ..job.clone() })).value.clone())
        .collect();
    let (mut drawn, mut refused) = (0, 0);
    for seed in 0..seeds {
        let at = seed as usize % jobs.len();
        let workers = 1 + seed as usize % 5;
        let cluster =
            Cluster { workers, bytes: 8 << 20, faults, seed, patience: 0.1, ..Cluster::default() };
        let (finished, tally) = simulated(&jobs[at], cluster);
        assert_eq!(turn(&finished).value, alone[at], "{} seed {seed}", jobs[at]);
        let proof = turn(&finished).proof.as_ref();
        assert!(proof.is_some_and(|proof| proof.proved), "{} seed {seed}", jobs[at]);
        (drawn, refused) = (drawn + tally.faults, refused + tally.refused);
    }
    println!("{seeds} seeds, {drawn} faults, {refused} results refused");
    assert!(drawn > seeds && refused > seeds / 20, "{drawn} faults, {refused} refused");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let job = job("breakthrough:4x4 inner_nodes=500 proof=always");
    let faults = Faults { lost: 0.1, late: 0.1, double: 0.1, wrong: 0.1, dead: 0.05 };
    let cluster = Cluster { workers: 4, faults, seed: 7, ..Cluster::default() };
    let [(one, first), (two, second)] = [(); 2].map(|()| simulated(&job, cluster));
    assert_eq!((one.certificate, first), (two.certificate, second));
}

/// Hands on what a crew says, but for the counts in its first result.
struct Boaster {
    crew: SharedCrew,
    lied: bool,
    refused: Arc<Mutex<Vec<String>>>,
}

impl Crew for Boaster {
    fn places(&mut self) -> usize {
        self.crew.lock().unwrap().places()
    }

    fn submit(&mut self, number: u64, task: Vec<u8>) {
        self.crew.lock().unwrap().submit(number, task);
    }

    fn wait(&mut self, within: Duration) -> Vec<CrewNews> {
        let mut news = self.crew.lock().unwrap().wait(within);
        for news in &mut news {
            if let CrewNews::Done { bytes, .. } = news
                && !std::mem::replace(&mut self.lied, true)
            {
                let key = b"\"nodes\":";
                let at = bytes.windows(key.len()).position(|part| part == key).unwrap() + key.len();
                let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                let boast = "4000000000000".to_owned();
                // The length of the head comes first.
                let head: [u8; 4] = bytes[..4].try_into().unwrap();
                let head = u32::from_le_bytes(head) + (boast.len() - digits) as u32;
                let _ = bytes.splice(at..at + digits, boast.into_bytes()).count();
                bytes[..4].copy_from_slice(&head.to_le_bytes());
            }
        }
        news
    }

    fn cancel(&mut self, number: u64) {
        self.crew.lock().unwrap().cancel(number);
    }

    fn refuse(&mut self, worker: &str, why: &str) {
        self.refused.lock().unwrap().push(why.to_owned());
        self.crew.lock().unwrap().refuse(worker, why);
    }

    fn keep(&mut self, number: u64, bytes: &[u8]) {
        self.crew.lock().unwrap().keep(number, bytes);
    }

    fn kept(&mut self, search: u32) -> Vec<(u64, Vec<u8>)> {
        self.crew.lock().unwrap().kept(search)
    }
}

/// A result that claims more nodes than a job may create used up the budget of the whole solve.
#[test]
fn counts_that_no_job_can_have_shut_a_worker_out() {
    let job = job("breakthrough:4x4 inner_nodes=500 proof=always nodes=1000000");
    let setup = Setup { job: job.clone(), files: BTreeMap::new() };
    let (crew, _) = crew(setup, Cluster { workers: 3, bytes: 8 << 20, ..Cluster::default() });
    let refused = Arc::new(Mutex::new(Vec::new()));
    let boaster = Boaster { crew, lied: false, refused: Arc::clone(&refused) };
    let engine = Engine::default().with_crew(Arc::new(Mutex::new(Box::new(boaster))));
    let finished = engine.run(&job, &mut (), &Cancel::new()).unwrap();
    assert!(finished.answer.solved() && finished.answer.nodes() < 1_000_000);
    assert_eq!(*refused.lock().unwrap(), ["counts that no job can have"]);
}
