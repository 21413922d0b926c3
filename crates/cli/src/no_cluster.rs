//! Solves by several machines in a program that was built without them.

use std::sync::{Arc, Mutex};

use foregone::tables::{BuildAnswer, BuildSettings};
use foregone::{AnyGame, Error, Job, Stop};
use serde_json::Value;

use crate::Program;
use crate::args::{ClusterArgs, ClusterCommand, SimulateArgs, WorkerArgs};

/// What is known of a solve while it runs: nothing here.
#[derive(Default)]
pub(crate) struct View {
    pub(crate) progress: Value,
}

impl View {
    pub(crate) fn words(&self) -> String {
        String::new()
    }
}

pub(crate) type SharedView = Arc<Mutex<View>>;

/// A solve that this process coordinates: there are none.
pub(crate) struct Coordinated {
    pub(crate) view: SharedView,
}

impl Coordinated {
    pub(crate) fn end(self, _: &mut Program<'_>, _: Option<Stop>, _: Value) {}
}

fn missing() -> Error {
    Error::input("this program was built without `cluster`")
        .help("build it with the feature `cluster`, which is on by default")
}

pub(crate) fn begin(
    _: &mut Program<'_>,
    _: &AnyGame,
    _: &Job,
    args: &ClusterArgs,
) -> Result<Option<Coordinated>, Error> {
    args.cluster.as_ref().map_or(Ok(None), |_| Err(missing()))
}

pub(crate) fn build_tables(
    _: &mut Program<'_>,
    _: (&AnyGame, &str),
    _: &str,
    _: &BuildSettings,
    _: &ClusterArgs,
    _: bool,
) -> Result<BuildAnswer, Error> {
    Err(missing())
}

pub(crate) fn run(_: &mut Program<'_>, _: ClusterCommand) -> Result<u8, Error> {
    Err(missing())
}

pub(crate) fn worker(_: &mut Program<'_>, _: &WorkerArgs) -> Result<u8, Error> {
    Err(missing())
}

pub(crate) fn simulate(_: &mut Program<'_>, _: &SimulateArgs) -> Result<u8, Error> {
    Err(missing())
}
