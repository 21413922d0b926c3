//! Tables that a crew builds elsewhere: each class is a job, and what comes back is not believed.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use foregone_tables::Unfinished;

use super::build::{Made, Makers, Site};
use super::check::{Progress, as_proof, check_table, damaged};
use super::listed::{Listed, NAME};
use super::make::header;
use super::share::{NotReceived, Piece, TableCrew, Task, most_bytes};
use super::table::{Shelf, Table};
use super::{Numbering, layouts, open_file};
use crate::crew::CrewNews;
use crate::error::{Error, ErrorKind};
use crate::observe::Context;

/// How long it is waited for news at a time.
const GLANCE: Duration = Duration::from_millis(100);
/// After so many jobs in a row whose file is not where it should be nothing is to be hoped for.
const MISSED: u32 = 50;

/// Has tables made by a crew.
pub(super) struct Elsewhere<'a> {
    site: &'a Site<'a>,
    crew: &'a mut dyn TableCrew,
    /// None as long as the positions of a game are not listed.
    numbering: Option<Numbering>,
    /// The tables that are finished.
    shelf: Shelf<'a>,
    /// Those that the crew can have, by step.
    offered: HashMap<usize, Piece>,
    /// The steps that the crew works on, and when each was handed out.
    open: BTreeMap<usize, Duration>,
    /// The steps that are not done.
    left: Vec<bool>,
    news: VecDeque<CrewNews>,
    missed: u32,
}

/// What became of a table that came.
enum Received {
    Good,
    /// The work was ended.
    Ended,
    /// It is not what the rules make it, or not what was asked for.
    Wrong(String),
    /// It is not there: nobody's lie.
    Missing(String),
}

impl<'a> Elsewhere<'a> {
    pub(super) fn new(
        site: &'a Site<'a>,
        numbering: Option<Numbering>,
        crew: &'a mut dyn TableCrew,
    ) -> Elsewhere<'a> {
        let left = site.plan.steps.iter().map(|step| !site.folder.table(&step.name).exists());
        Elsewhere {
            site,
            crew,
            numbering,
            shelf: Shelf::new(site.game, site.folder, site.settings.memory / 2),
            offered: HashMap::new(),
            open: BTreeMap::new(),
            left: left.collect(),
            news: VecDeque::new(),
            missed: 0,
        }
    }

    /// Hands out a class.
    fn submit(&mut self, at: usize) -> Result<(), Error> {
        let step = &self.site.plan.steps[at];
        let below = step.below.iter().map(|&below| self.offer(below)).collect::<Result<_, _>>()?;
        let task = Task { class: step.name.clone(), below };
        let task = serde_json::to_vec(&task).map_err(|e| Error::input(e.to_string()))?;
        self.crew.submit(at as u64, task);
        Ok(())
    }

    /// Puts a finished table where the crew finds it.
    fn offer(&mut self, at: usize) -> Result<Piece, Error> {
        if let Some(piece) = self.offered.get(&at) {
            return Ok(piece.clone());
        }
        let Site { game, folder, plan, .. } = *self.site;
        let name = &plan.steps[at].name;
        let path = folder.table(name);
        let piece = Piece::of(&open_file(&path, game, name)?);
        let crew = &mut *self.crew;
        piece.send(&path, |name, bytes| crew.offer(name, bytes)).map_err(Error::input)?;
        self.offered.insert(at, piece.clone());
        Ok(piece)
    }

    /// A class is done: tables that nothing rests on any more need not be offered.
    fn done(&mut self, at: usize) {
        self.left[at] = false;
        let Elsewhere { site, left, offered, crew, .. } = self;
        let steps = &site.plan.steps;
        offered.retain(|at, piece| {
            let needed =
                steps.iter().zip(&*left).any(|(step, left)| *left && step.below.contains(at));
            if !needed {
                piece.parts().for_each(|(name, _)| crew.withdraw(&name));
            }
            needed
        });
    }

    /// Takes the table of a class that a worker says it has made: not before every entry was verified.
    fn take(
        &mut self,
        at: usize,
        worker: &str,
        said: &[u8],
        context: &mut Context<'_>,
    ) -> Result<Received, Error> {
        let Site { game, settings, folder, plan, .. } = *self.site;
        let step = &plan.steps[at];
        let piece = serde_json::from_slice::<Piece>(said).ok();
        let Some(piece) = piece.filter(|piece| piece.class == step.name) else {
            return Ok(Received::Wrong("a result that can't be read".to_owned()));
        };
        let tabled = self.numbering.as_ref().map(Numbering::get);
        let planes = tabled.map_or(0, |tabled| layouts(game, tabled, step.class).len());
        if piece.bytes > most_bytes(game, step, planes, settings.memory) {
            return Ok(Received::Wrong(format!("a table of {} bytes", piece.bytes)));
        }
        let crew = &mut *self.crew;
        let received =
            piece.receive(&folder.table(&step.name), |name, most| crew.collect(worker, name, most));
        let file = match received {
            Ok(file) => file,
            Err(NotReceived::Here(error)) => return Err(error),
            Err(NotReceived::There(message)) => return Ok(Received::Missing(message)),
        };
        let received = self.verified(at, &file, context);
        for (name, _) in piece.parts() {
            self.crew.discard(worker, &name);
        }
        match received {
            Ok(Received::Good) => {
                file.keep().map_err(super::unreadable)?;
                Ok(Received::Good)
            }
            Err(error) if error.kind == ErrorKind::Proof => Ok(Received::Wrong(error.message)),
            received => received,
        }
    }

    /// Verifies a table that came, by the trusted checker. What is wrong with it is an error about a proof.
    fn verified(
        &mut self,
        at: usize,
        file: &Unfinished,
        context: &mut Context<'_>,
    ) -> Result<Received, Error> {
        let Site { game, settings, plan, began, .. } = *self.site;
        let (step, path) = (&plan.steps[at], file.temporary());
        let numbering = match &self.numbering {
            Some(numbering) => numbering.clone(),
            None => self.listed(file)?,
        };
        let tabled = numbering.get();
        let table = Table::in_file(game, path, tabled, step.class).map_err(as_proof)?;
        let below = self.shelf.get(tabled, &tabled.leads_to(step.class))?;
        for table in &below {
            // One of ours that is damaged is nobody else's fault.
            table.cells()?;
        }
        let tables: Vec<Arc<Table>> =
            [Arc::new(table.within(settings.memory / 2))].into_iter().chain(below).collect();
        let steps = plan.steps.iter().zip(&self.left);
        let before = steps.filter(|(_, left)| !**left).map(|(step, _)| step.size).sum();
        let progress = Progress { before, all: plan.size().max(1), began };
        let checked = check_table(game, tabled, &tables, settings.threads, progress, context)?;
        if checked.is_none() {
            return Ok(Received::Ended);
        }
        let cells: Vec<_> = tables[0].cells()?.iter().map(|plane| plane.finished()).collect();
        let expected = header(game, tabled, step.class, &cells, &tables[1..]);
        match *tables[0].file.header() == expected {
            true => Ok(Received::Good),
            false => Err(Error::proof("a table that says of itself what is not so")),
        }
    }

    /// The list of positions in a table that came. It must hold the start of the game; that it holds all that
    /// can be reached from there is part of the check.
    fn listed(&self, file: &Unfinished) -> Result<Numbering, Error> {
        let Site { game, settings, .. } = *self.site;
        let table = open_file(file.temporary(), game, NAME).map_err(as_proof)?;
        if table.header().size > settings.memory / 2 {
            return Err(Error::proof("a list of more positions than fit into memory"));
        }
        let listed = Listed::in_file(game, Arc::new(table));
        let listed = listed.in_memory(settings.memory / 2).map_err(damaged)?;
        let numbering = Numbering::Listed(Arc::new(listed));
        match numbering.get().place(&foregone_model::Game::start(game)) {
            Some(_) => Ok(numbering),
            None => Err(Error::proof("a list without the start of the game")),
        }
    }

    /// Hears what the crew has to say. Says which class is done, if one is.
    fn heard(&mut self, news: CrewNews, context: &mut Context<'_>) -> Result<Option<Heard>, Error> {
        let (number, worker, bytes) = match news {
            CrewNews::Done { number, worker, bytes } => (number, worker, bytes),
            CrewNews::Lost { number } => {
                if let Some(at) = self.is_open(number) {
                    self.submit(at)?;
                }
                return Ok(None);
            }
            CrewNews::Stop(_) => return Ok(Some(Heard::Ended)),
            CrewNews::Partial { .. } => return Ok(None),
        };
        let Some(at) = self.is_open(number) else { return Ok(None) };
        match self.take(at, &worker, &bytes, context)? {
            Received::Good => {
                self.missed = 0;
                self.crew.keep(number, &[]);
                return Ok(Some(Heard::Done(at)));
            }
            Received::Ended => return Ok(Some(Heard::Ended)),
            Received::Wrong(why) => self.crew.refuse(&worker, &why),
            Received::Missing(message) => {
                self.missed += 1;
                if self.missed >= MISSED {
                    return Err(Error::input(format!("no table arrives: {message}")));
                }
            }
        }
        self.submit(at)?;
        Ok(None)
    }

    fn is_open(&self, number: u64) -> Option<usize> {
        usize::try_from(number).ok().filter(|at| self.open.contains_key(at))
    }
}

/// What news come to.
enum Heard {
    Done(usize),
    Ended,
}

impl Makers for Elsewhere<'_> {
    fn begin(&mut self, at: usize, context: &mut Context<'_>) -> Result<(), Error> {
        self.open.insert(at, context.clock.now());
        self.submit(at)
    }

    fn next(&mut self, context: &mut Context<'_>) -> Result<Option<Made>, Error> {
        loop {
            if context.cancel.is_cancelled() {
                return Ok(None);
            }
            let Some(news) = self.news.pop_front() else {
                self.news.extend(self.crew.wait(GLANCE));
                let steps = self.site.plan.steps.iter().zip(&self.left);
                let done: u64 = steps.filter(|(_, left)| !**left).map(|(step, _)| step.size).sum();
                let share = done as f64 / self.site.plan.size().max(1) as f64;
                self.site.tell(done, share, context);
                continue;
            };
            match self.heard(news, context)? {
                Some(Heard::Done(at)) => {
                    let begun = self.open.remove(&at).unwrap_or_default();
                    self.done(at);
                    let seconds = context.clock.now().saturating_sub(begun).as_secs_f64();
                    return Ok(Some(Made { at, seconds, resumed: false }));
                }
                Some(Heard::Ended) => return Ok(None),
                None => {}
            }
        }
    }
}
