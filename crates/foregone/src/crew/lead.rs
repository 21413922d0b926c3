//! Who holds the outer tree: leaves go out as messages, and what comes back is checked.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use foregone_model::{Goal, Guide, Notation};
use foregone_search::drive::jobs::{InnerNodes, LeafJob, News, OpenLeaf, Workers, jobs};
use foregone_search::report::Counts;
use foregone_search::{Guidance, Init, Leaves, Report, StopReason};

use super::message::{self, Task, Terms};
use super::{Crew, CrewNews};
use crate::job::Job;
use crate::observe::Stop;
use crate::session::{Turnkey, shared_search};

/// The nodes of a job that travels: seconds of work, so that messages do not show.
const JOB: u64 = 1_000_000;
/// Who gets so many wrong results in a row will get no others.
const HOPELESS: u32 = 1000;
/// The watch of the search waits no longer than this.
const GLANCE: Duration = Duration::from_millis(20);

/// Searches by a crew. Searches beside the answer are done here.
pub(crate) fn search<'a, 'g, G: Guide + Notation + 'g>(
    job: &'a Job,
    guidance: Guidance,
    crew: &'a Mutex<Box<dyn Crew>>,
) -> impl Fn(&Goal<'g, G>, Turnkey<'_, G::Move>) -> Report<G::Move> + 'a {
    let searches = AtomicU32::new(0);
    let here = shared_search(guidance, job);
    move |goal, key| {
        if key.aside {
            return here(goal, key);
        }
        let number = searches.fetch_add(1, Ordering::Relaxed);
        let terms = Terms::of(goal, false);
        by_crew(goal, guidance, job, terms, number, crew, key)
    }
}

/// The same for a formula, whose root both ends know from the job.
pub(crate) fn search_formula<G: Guide + Notation>(
    goal: &Goal<'_, G>,
    job: &Job,
    guidance: Guidance,
    number: u32,
    crew: &Mutex<Box<dyn Crew>>,
    key: Turnkey<'_, G::Move>,
) -> Report<G::Move> {
    let terms = Terms::of(goal, true);
    by_crew(goal, guidance, job, terms, number, crew, key)
}

fn by_crew<G: Guide + Notation>(
    goal: &Goal<'_, G>,
    guidance: Guidance,
    job: &Job,
    terms: Terms,
    number: u32,
    crew: &Mutex<Box<dyn Crew>>,
    key: Turnkey<'_, G::Move>,
) -> Report<G::Move> {
    let mut crew = crew.lock().unwrap_or_else(PoisonError::into_inner);
    let mut lead = Lead {
        goal,
        terms,
        search: number,
        crew: &mut **crew,
        under_way: BTreeMap::new(),
        counts: Counts::default(),
        begins: true,
        replay: Vec::new(),
        refused: 0,
        most: job.budget.inner_nodes.unwrap_or(JOB).saturating_mul(8).saturating_add(JOB),
    };
    let scheme = guidance.outer_scheme(goal.best());
    let init = guidance.leaves().unwrap_or(Init::One);
    let leaves = &mut Leaves::new(init, job.seed);
    let inner = InnerNodes::Fixed(job.budget.inner_nodes.unwrap_or(JOB));
    let report = jobs(goal, &scheme, leaves, inner, key.limits, &mut lead, key.watch);
    for &number in lead.under_way.keys() {
        lead.crew.cancel(number);
    }
    report
}

struct Lead<'a, 'g, G: Guide> {
    goal: &'a Goal<'g, G>,
    terms: Terms,
    /// Which search of the job this is.
    search: u32,
    crew: &'a mut dyn Crew,
    /// Leaves by the numbers of their jobs.
    under_way: BTreeMap<u64, u32>,
    counts: Counts,
    /// Nothing was asked for yet.
    begins: bool,
    /// Results that were kept of this search and are to be taken again, the next one last.
    replay: Vec<(u64, Vec<u8>)>,
    /// Results in a row that did not hold.
    refused: u32,
    /// No job creates more nodes than this, its proofs included.
    most: u64,
}

impl<G: Guide + Notation> Lead<'_, '_, G> {
    /// Takes a result. Whether it holds is found out here.
    fn take(
        &mut self,
        number: u64,
        bytes: &[u8],
        open: &OpenLeaf<'_, Goal<'_, G>>,
        news: &mut Vec<News<G::Move>>,
    ) -> Result<bool, &'static str> {
        let leaf = number as u32;
        if (number >> 32) as u32 != self.search {
            return Ok(false);
        }
        let Some((state, side)) = open(leaf) else { return Ok(false) };
        let (done, counts) = message::read(self.goal, leaf, (&state, side), bytes)?;
        if [counts.nodes, counts.expansions, counts.playouts].iter().any(|&n| n > self.most) {
            return Err("counts that no job can have");
        }
        self.counts.expansions += counts.expansions;
        self.counts.nodes += counts.nodes;
        self.counts.playouts += counts.playouts;
        news.push(News::Done(done));
        Ok(true)
    }
}

impl<'g, G: Guide + Notation> Workers<Goal<'g, G>> for Lead<'_, 'g, G> {
    fn places(&mut self) -> usize {
        if self.begins || !self.replay.is_empty() { 0 } else { self.crew.places() }
    }

    fn submit(&mut self, job: LeafJob<G::State>, nodes: u64) {
        let number = u64::from(self.search) << 32 | u64::from(job.leaf);
        let LeafJob { leaf, path, question, .. } = job;
        let task = Task { terms: self.terms.clone(), path, question, nodes };
        self.under_way.insert(number, leaf);
        self.crew.submit(number, serde_json::to_vec(&task).unwrap_or_default());
    }

    fn wait(&mut self, open: &OpenLeaf<'_, Goal<'g, G>>, news: &mut Vec<News<G::Move>>) {
        if std::mem::take(&mut self.begins) {
            self.replay = self.crew.kept(self.search);
            self.replay.reverse();
        }
        // One at a time: a result may be about a leaf that an earlier one made.
        if let Some((number, bytes)) = self.replay.pop() {
            // What was kept was checked then, and is checked again.
            let _ = self.take(number, &bytes, open, news);
            return;
        }
        for heard in self.crew.wait(GLANCE) {
            match heard {
                CrewNews::Partial { number, bytes } => {
                    let leaf = self.under_way.get(&number);
                    let found = message::read_partial(self.goal.best(), &bytes);
                    if let (Some(&leaf), Some(found)) = (leaf, found) {
                        news.push(News::Partial { leaf, found });
                    }
                }
                CrewNews::Done { number, worker, bytes } => {
                    match self.take(number, &bytes, open, news) {
                        Ok(true) => {
                            self.refused = 0;
                            self.under_way.remove(&number);
                            self.crew.keep(number, &bytes);
                        }
                        Ok(false) => {}
                        Err(why) => {
                            self.crew.refuse(&worker, why);
                            self.refused += 1;
                            if self.refused >= HOPELESS {
                                news.push(News::Stop(StopReason::Interrupted));
                            }
                            if let Some(leaf) = self.under_way.remove(&number) {
                                news.push(News::Lost { leaf });
                            }
                        }
                    }
                }
                CrewNews::Lost { number } => {
                    if let Some(leaf) = self.under_way.remove(&number) {
                        news.push(News::Lost { leaf });
                    }
                }
                CrewNews::Stop(stop) => news.push(News::Stop(match stop {
                    Stop::Time => StopReason::Time,
                    Stop::Memory => StopReason::Memory,
                    Stop::Nodes => StopReason::Nodes,
                    Stop::Solved | Stop::Interrupted | Stop::Orders => StopReason::Interrupted,
                })),
            }
        }
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}
