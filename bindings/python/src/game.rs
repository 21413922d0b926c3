//! Games as objects of Python.

use std::sync::Arc;

use foregone::games::files::StopCheck;
use foregone::{AnyGame, Context, Engine, Error};
use pyo3::prelude::*;

use crate::attend::{attend, begin};
use crate::error::{broken, raised};
use crate::own::Own;
use crate::text;

/// A game that was opened.
#[pyclass(frozen, module = "foregone._foregone")]
pub(crate) struct Game {
    pub(crate) game: GameParts,
}

/// What a game is made of. A game of Python's whose plays turned out to go round is made anew.
#[derive(Clone)]
pub(crate) struct GameParts {
    pub(crate) spec: String,
    pub(crate) any: AnyGame,
    pub(crate) own: Option<Own>,
    pub(crate) warnings: Arc<[String]>,
}

impl GameParts {
    /// The engine that knows this game, too.
    pub(crate) fn engine(&self) -> Engine {
        match &self.own {
            Some(_) => Engine::default().with_open(self.any.clone()),
            None => Engine::default(),
        }
    }

    /// The game, if it is written in Python.
    pub(crate) fn own(&self) -> &[Own] {
        self.own.as_slice()
    }

    /// Asks the game something that is quickly answered, and raises what it raises.
    pub(crate) fn ask<T>(
        &self,
        py: Python<'_>,
        question: impl Fn(&AnyGame) -> Result<T, Error>,
    ) -> PyResult<T> {
        loop {
            begin(py, self.own())?;
            let answer = question(&self.any);
            let fault = self.own().iter().find_map(Own::fault);
            let mut counts = true;
            self.own().iter().for_each(|own| counts &= own.end_run());
            match fault {
                Some(fault) => return Err(fault),
                None if counts => return answer.map_err(|error| raised(py, &error)),
                None => {}
            }
        }
    }
}

#[pymethods]
impl Game {
    /// Opens a game by its name.
    #[staticmethod]
    fn open(py: Python<'_>, spec: String) -> PyResult<Game> {
        let (opened, _) = attend(py, None, &[], |_, cancel| {
            let stop = cancel.clone();
            let engine = Engine::default().with_stop(StopCheck::new(move || stop.is_cancelled()));
            let warnings: Arc<[String]> = engine.warnings(&spec).into();
            engine.open(&spec).map(|any| (any, warnings))
        })?;
        let (any, warnings) = opened.map_err(|error| raised(py, &error))?;
        Ok(Game { game: GameParts { spec, any, own: None, warnings } })
    }

    /// The game that an object is.
    #[staticmethod]
    fn own(py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<Game> {
        let own = Own::new(object)?;
        let any = own.game().map_err(|message| broken(py, &message))?;
        let (spec, warnings) = (any.name(), Arc::new([]));
        Ok(Game { game: GameParts { spec, any, own: Some(own), warnings } })
    }

    /// The name in full.
    #[getter]
    fn name(&self) -> String {
        self.game.any.name()
    }

    /// What should be known about the rules before an answer.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.game.warnings.to_vec()
    }

    /// How many positions of a game of Python's were looked at.
    #[getter]
    fn positions(&self) -> Option<usize> {
        self.game.own.as_ref().map(Own::positions)
    }

    /// Looks at all positions of a game of Python's, many at a time where it has a method for that.
    fn explore(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        let Some(own) = &self.game.own else { return Ok(None) };
        begin(py, self.game.own())?;
        let explored = own.explore(py);
        let fault = own.fault();
        own.end_run();
        match fault {
            Some(fault) => Err(fault),
            None => explored.map(|()| Some(own.positions())),
        }
    }

    /// What there is to know of the game, as JSON.
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let description = self.game.ask(py, |game| Ok(game.describe()))?;
        text(&description)
    }

    /// A position, as JSON.
    fn show(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        text(&self.game.ask(py, |game| game.show(position))?)
    }

    /// The position behind some moves.
    fn after(&self, py: Python<'_>, position: &str, moves: Vec<String>) -> PyResult<String> {
        self.game.ask(py, |game| game.after(position, &moves))
    }

    /// A picture of a position.
    fn svg(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        self.game.ask(py, |game| game.scene(position).map(|scene| game.svg(&scene)))
    }

    /// The numbers of sequences of moves.
    fn perft(&self, py: Python<'_>, position: &str, depth: u32) -> PyResult<Vec<u64>> {
        let engine = self.game.engine();
        let (counted, _) = attend(py, None, self.game.own(), |teller, cancel| {
            let mut context = Context::new(engine.clock(), teller, cancel);
            self.game.any.perft(position, depth, None, &mut context, |_, _| {})
        })?;
        counted.map(|(counts, _)| counts).map_err(|error| raised(py, &error))
    }
}
