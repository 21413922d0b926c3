//! Work of several machines over NATS JetStream: `solve --cluster`, `table build --cluster`, `worker` and `cluster`.

mod crew;
mod scratch;
mod simulate;
mod tables;
mod worker;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use foregone::crew::{Crew, Setup};
use foregone::games::files::{Files, Loader};
use foregone::model::Game as _;
use foregone::problem::written::Style;
use foregone::tables::TableSetup;
use foregone::{AnyGame, Engine, Error, Job, Opened, Stop};
use foregone_cluster::{
    ClusterError, Commit, Connect, Coordinator, Options, Phase, SolveInfo, SolveStatus, Terms,
    metrics,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::crew::NatsCrew;
pub(crate) use self::simulate::run as simulate;
pub(crate) use self::tables::build as build_tables;
pub(crate) use self::worker::run as worker;
use crate::args::{ClusterArgs, ClusterCommand, ClusterResumeArgs, KeepArgs};
use crate::commands;
use crate::program::Program;

/// The version that coordinators and workers share. Another one might mean something else by a message.
pub(crate) const VERSION: &str = concat!("foregone ", env!("CARGO_PKG_VERSION"), " jobs 2");

pub(crate) fn failed(error: ClusterError) -> Error {
    Error::input(error.to_string())
}

/// What workers are set up for.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Assignment {
    /// To look into leaves.
    Leaves(Box<Setup>),
    /// To build classes of positions.
    Tables(TableSetup),
}

impl Assignment {
    fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        serde_json::to_vec(self).map_err(|e| Error::input(e.to_string()))
    }
}

/// What is known of a solve while it runs: for its status, for figures, for the live line.
#[derive(Default)]
pub(crate) struct View {
    /// Cores of workers, by their names.
    pub(crate) workers: BTreeMap<String, u32>,
    pub(crate) jobs_done: u64,
    pub(crate) jobs_lost: u64,
    pub(crate) jobs_per_second: f64,
    pub(crate) refused: Vec<String>,
    /// Somebody asked for its end: nobody is to go on with it.
    pub(crate) cancelled: bool,
    /// The last progress of the search.
    pub(crate) progress: Value,
}

impl View {
    fn json(&self) -> Value {
        json!({
            "workers": self.workers,
            "jobs_done": self.jobs_done,
            "jobs_lost": self.jobs_lost,
            "jobs_per_second": self.jobs_per_second,
            "refused": self.refused,
            "progress": self.progress,
        })
    }

    /// A few words for the live line.
    pub(crate) fn words(&self) -> String {
        let cores: u32 = self.workers.values().sum();
        let rate = self.jobs_per_second;
        format!("{} workers, {cores} cores, {rate:.1} jobs/s", self.workers.len())
    }

    fn figures(&self) -> String {
        let cores: u32 = self.workers.values().sum();
        let number = |key: &str| self.progress[key].as_f64().unwrap_or(0.0);
        metrics::Text::new()
            .gauge("foregone_workers", "Workers that are there", &[], self.workers.len() as f64)
            .gauge("foregone_cores", "Jobs that they work on at once", &[], f64::from(cores))
            .counter("foregone_jobs_done_total", "Jobs whose result counts", &[], self.jobs_done)
            .counter("foregone_jobs_lost_total", "Jobs without a result", &[], self.jobs_lost)
            .counter("foregone_refused_total", "Workers shut out", &[], self.refused.len() as u64)
            .counter("foregone_nodes_total", "Nodes of all jobs", &[], number("nodes") as u64)
            .gauge("foregone_outer_bytes", "Bytes of the outer tree", &[], number("bytes"))
            .finish()
    }
}

pub(crate) type SharedView = Arc<Mutex<View>>;

/// A solve that this process coordinates.
pub(crate) struct Coordinated {
    coordinator: Arc<Coordinator>,
    pub(crate) view: SharedView,
    url: String,
    id: String,
    _metrics: Option<metrics::Handle>,
}

/// Begins a solve by workers elsewhere: the engine's searches go through them from now on.
pub(crate) fn begin(
    program: &mut Program<'_>,
    game: &AnyGame,
    job: &Job,
    args: &ClusterArgs,
) -> Result<Option<Coordinated>, Error> {
    let Some(url) = &args.cluster else { return Ok(None) };
    can_be_spread(game, job)?;
    let connect = Connect::from_environment(url);
    let id = args.name.clone().unwrap_or_else(some_name);
    let setup = Setup { job: job.clone(), files: files_of(&program.engine, &job.game)? };
    let setup = Assignment::Leaves(Box::new(setup)).to_bytes()?;
    let info = SolveInfo { id: id.clone(), version: VERSION.to_owned(), title: job.to_string() };
    // What can fail comes before the server hears of the solve.
    let view = SharedView::default();
    let figures =
        args.metrics.as_deref().map(|address| serve_figures(address, &view)).transpose()?;
    let options = options(args);
    let coordinator = Coordinator::create(&connect, info, setup, options).map_err(failed)?;
    Ok(Some(coordinate(program, coordinator, connect.shown(), id, view, figures)))
}

/// Refuses what is not solved by an outer tree.
fn can_be_spread(game: &AnyGame, job: &Job) -> Result<(), Error> {
    let message = match game.opened() {
        Opened::Joint(_) => "games with joint moves are not solved by workers elsewhere",
        Opened::InTurn(game) if game.has_chance() => {
            "games with chance are not solved by workers elsewhere"
        }
        Opened::InTurn(game) if game.agents() > 2 && job.player.is_none() => {
            "games of many players are not solved by workers elsewhere"
        }
        Opened::InTurn(_) => return Ok(()),
    };
    Err(Error::input(message).help("leave out --cluster"))
}

/// Serves figures of a solve at an address.
fn serve_figures(address: &str, view: &SharedView) -> Result<metrics::Handle, Error> {
    let view = Arc::clone(view);
    let source = move || view.lock().unwrap_or_else(PoisonError::into_inner).figures();
    let handle = metrics::serve(address, Arc::new(source)).map_err(failed)?;
    crate::screen::say(&format!("figures: http://{}/metrics", handle.address()));
    Ok(handle)
}

/// How this process coordinates.
fn options(args: &ClusterArgs) -> Options {
    let terms = Terms::default();
    let terms = match args.silence {
        Some(silence) => Terms { ack_wait: silence, lease: silence / 2, ..terms },
        None => terms,
    };
    Options { commit: Commit::Manual, terms, ..Options::default() }
}

fn coordinate(
    program: &mut Program<'_>,
    coordinator: Coordinator,
    url: String,
    id: String,
    view: SharedView,
    figures: Option<metrics::Handle>,
) -> Coordinated {
    let coordinated = Coordinated::new(coordinator, url, id, view, figures);
    let crew: Box<dyn Crew> = Box::new(coordinated.crew());
    program.engine = program.engine.clone().with_crew(Arc::new(Mutex::new(crew)));
    coordinated
}

impl Coordinated {
    fn new(
        coordinator: Coordinator,
        url: String,
        id: String,
        view: SharedView,
        figures: Option<metrics::Handle>,
    ) -> Coordinated {
        crate::screen::say(&format!(
            "solve {id}: workers join with `foregone worker {url}`, `foregone cluster status {url} {id}` \
             tells how far it is"
        ));
        Coordinated { coordinator: Arc::new(coordinator), view, url, id, _metrics: figures }
    }

    fn crew(&self) -> NatsCrew {
        NatsCrew::new(Arc::clone(&self.coordinator), Arc::clone(&self.view))
    }
}

impl Coordinated {
    /// The solve is over, or is left as it is for another coordinator. Without a reason to stop it failed.
    pub(crate) fn end(self, program: &mut Program<'_>, stop: Option<Stop>, outcome: Value) {
        // The crew holds the coordinator, too.
        program.engine = program.engine.clone().without_crew();
        let cancelled = self.view.lock().unwrap_or_else(PoisonError::into_inner).cancelled;
        let Ok(coordinator) = Arc::try_unwrap(self.coordinator) else { return };
        if cancelled || matches!(stop, None | Some(Stop::Solved)) {
            if let Err(error) = coordinator.finish(outcome) {
                commands::warn(&error.to_string());
            }
            return;
        }
        if coordinator.detach().is_ok() {
            crate::screen::say(&format!(
                "foregone cluster resume {} {} goes on",
                self.url, self.id
            ));
        }
    }
}

/// Solves on a server.
pub(crate) fn run(program: &mut Program<'_>, command: ClusterCommand) -> Result<u8, Error> {
    match command {
        ClusterCommand::List { url, json } => {
            let all = foregone_cluster::list(&Connect::from_environment(url)).map_err(failed)?;
            let text = match json {
                true => json!(all).to_string() + "\n",
                false if all.is_empty() => "no solves\n".to_owned(),
                false => all.iter().map(line).collect(),
            };
            program.say(&text);
            Ok(0)
        }
        ClusterCommand::Status { url, name, json } => status(program, &url, name, json),
        ClusterCommand::Cancel { url, name } => {
            let connect = Connect::from_environment(url);
            let status = foregone_cluster::status(&connect, &name).map_err(failed)?;
            match status.phase {
                Phase::Running => {
                    foregone_cluster::request_cancel(&connect, &name).map_err(failed)?;
                    program.say(&format!("{name} is asked to end\n"));
                }
                // Nobody is there to be asked.
                Phase::Orphaned | Phase::Finished => {
                    foregone_cluster::remove(&connect, &name).map_err(failed)?;
                    program.say(&format!("{name}, {}, is removed\n", phase(status.phase)));
                }
            }
            Ok(0)
        }
        ClusterCommand::Resume(args) => resume(program, &args),
    }
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Running => "running",
        Phase::Orphaned => "without a coordinator",
        Phase::Finished => "finished",
    }
}

fn line(status: &SolveStatus) -> String {
    format!("{:24}  {:22}  {}\n", status.info.id, phase(status.phase), status.info.title)
}

fn status(
    program: &mut Program<'_>,
    url: &str,
    name: Option<String>,
    json: bool,
) -> Result<u8, Error> {
    let connect = Connect::from_environment(url);
    let status = match name {
        Some(name) => foregone_cluster::status(&connect, &name).map_err(failed)?,
        None => {
            let mut all = foregone_cluster::list(&connect).map_err(failed)?;
            match (all.pop(), all.len()) {
                (Some(one), 0) => one,
                (None, _) => return Err(Error::input("there are no solves on this server")),
                (Some(_), more) => {
                    let message = format!("there are {} solves on this server", more + 1);
                    return Err(
                        Error::input(message).help("name one: `foregone cluster list` lists them")
                    );
                }
            }
        }
    };
    if json {
        program.say(&(json!(status).to_string() + "\n"));
        return Ok(0);
    }
    let mut text = line(&status);
    let told = &status.status;
    if let Some(workers) = told["workers"].as_object() {
        text += &format!("  workers    {}\n", workers.len());
        for (name, cores) in workers {
            text += &format!("             {name}, {cores} at a time\n");
        }
        let [done, rate] = ["jobs_done", "jobs_per_second"].map(|key| told[key].as_f64());
        text += &format!(
            "  jobs       {} done, {:.1} a second\n",
            done.unwrap_or(0.0),
            rate.unwrap_or(0.0)
        );
        for worker in told["refused"].as_array().into_iter().flatten() {
            text += &format!("  shut out   {}\n", worker.as_str().unwrap_or_default());
        }
        let progress = &told["progress"];
        if let Some(share) = progress["share"].as_f64() {
            text += &format!("  tables     {:.0} %\n", 100.0 * share);
        }
        if let Some(root) = progress["root"].as_str() {
            text += &format!("  root       {root}\n");
        }
        for told in progress["moves"].as_array().into_iter().flatten() {
            let [name, value] = ["text", "value"].map(|key| told[key].as_str().unwrap_or_default());
            text += &format!("             {name:12} {value}\n");
        }
    } else if !told.is_null() {
        text += &format!("  outcome    {told}\n");
    }
    program.say(&text);
    Ok(0)
}

/// Goes on with a solve whose coordinator is gone, by what it kept.
fn resume(program: &mut Program<'_>, args: &ClusterResumeArgs) -> Result<u8, Error> {
    let ClusterResumeArgs { url, name, proof, wait, json, .. } = args;
    let (proof, json) = (proof.as_deref(), *json);
    program.catch_interrupts();
    let connect = Connect::from_environment(url);
    let options = options(&ClusterArgs::default());
    let wait = wait.unwrap_or(Duration::ZERO);
    let (coordinator, info, setup) =
        Coordinator::take_over(&connect, name, wait, options).map_err(failed)?;
    if info.version != VERSION {
        let message = format!("{name} was begun by `{}`, and this is `{VERSION}`", info.version);
        return Err(Error::input(message));
    }
    let setup: Assignment = serde_json::from_slice(&setup)
        .map_err(|e| Error::input(format!("what {name} asks can't be read: {e}")))?;
    let Setup { mut job, files } = match setup {
        Assignment::Leaves(setup) => *setup,
        Assignment::Tables(_) => {
            // Whose folder it is goes on.
            let _ = coordinator.detach();
            return Err(Error::input(format!("{name} builds tables in a folder"))
                .help("give the command `foregone table build` again that began it"));
        }
    };
    (job.budget.time, job.budget.nodes) = (args.time, args.nodes);
    job.budget.memory = args.memory.or(job.budget.memory);
    if proof.is_some() {
        job.proof = crate::to_job::proof_wanted(proof, false);
    }
    let engine = std::mem::replace(&mut program.engine, Engine::bare());
    let files = Files { loader: Files::from_memory(files).loader, ..engine.files().clone() };
    program.engine = engine.with_files(files);
    let (shown, view) = (connect.shown(), SharedView::default());
    let coordinated = coordinate(program, coordinator, shown, name.to_owned(), view, None);
    let game = commands::open(program, &job.game)?;
    let attended = commands::attended(program, &game, &job, proof, &KeepArgs::default(), json)?;
    let mut attended = attended.of_cluster(&coordinated);
    commands::cluster_answer(
        program,
        &game,
        &job,
        proof,
        Style::default(),
        json,
        &mut attended,
        coordinated,
    )
}

/// A name that is hardly taken.
fn some_name() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("solve-{:x}-{:x}", now.as_secs(), std::process::id())
}

/// Remembers what it read.
#[derive(Debug)]
struct Recorder {
    loader: Arc<dyn Loader>,
    texts: Arc<Mutex<BTreeMap<String, String>>>,
}

impl Loader for Recorder {
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let bytes = self.loader.read(path, most)?;
        if let (Some(path), Ok(text)) = (path.to_str(), std::str::from_utf8(&bytes)) {
            let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
            texts.insert(path.to_owned(), text.to_owned());
        }
        Ok(bytes)
    }
}

/// The texts of the files that a game names.
fn files_of(engine: &Engine, game: &str) -> Result<BTreeMap<String, String>, Error> {
    let texts = Arc::new(Mutex::new(BTreeMap::new()));
    let loader = Arc::clone(&engine.files().loader);
    let recorder = Recorder { loader, texts: Arc::clone(&texts) };
    let files = Files { loader: Arc::new(recorder), ..engine.files().clone() };
    engine.open_from(&files, game).map_err(|e| Error::input(e.to_string()))?;
    let texts = texts.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(texts)
}
