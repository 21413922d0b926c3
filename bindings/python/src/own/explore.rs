//! All positions of a game at once: layer by layer, each layer in a few calls, for games that can say of thousands of
//! states at a time what is to be known of them.

use pyo3::prelude::*;
use pyo3::types::{PyList, PySequence};

use super::table::{Kind, Moves, NONE};
use super::{Own, chances, list, set, shown};
use crate::error::broken;

/// So many states are asked about at a time.
const CHUNK: usize = 1 << 14;

impl Own {
    /// Looks at every position that can be reached.
    pub(crate) fn explore(&self, py: Python<'_>) -> PyResult<()> {
        let Some(expand) = self.0.methods.expand.as_ref().filter(|_| !self.0.simultaneous) else {
            return self.walk_again(py);
        };
        let mut next = 0u32;
        loop {
            let chunk: Vec<u32> = {
                let nodes = self.nodes();
                let last = nodes.len().min(next as usize + CHUNK) as u32;
                let chunk = (next..last).filter(|&id| {
                    let node = &nodes[id as usize];
                    !matches!(node.kind, Kind::Over(_)) && node.moves.is_none()
                });
                let chunk = chunk.collect();
                next = last;
                chunk
            };
            py.check_signals()?;
            if !chunk.is_empty() {
                self.explore_chunk(py, expand, &chunk)?;
            } else if next as usize >= self.positions() {
                break;
            }
        }
        // Positions that a search had begun with are left.
        self.walk_again(py)
    }

    /// The same one by one: plays may turn out to go round on the way.
    fn walk_again(&self, py: Python<'_>) -> PyResult<()> {
        loop {
            self.walk(py)?;
            if !self.is_broken() || self.fault().is_some() {
                return Ok(());
            }
            self.loops_are_known();
        }
    }

    fn explore_chunk(&self, py: Python<'_>, expand: &Py<PyAny>, ids: &[u32]) -> PyResult<()> {
        let states: Vec<Bound<'_, PyAny>> =
            ids.iter().map(|&id| self.state(py, id)).collect::<Result<_, _>>()?;
        let given = expand.bind(py).call1((PyList::new(py, &states)?,))?;
        let mut told = given.try_iter()?;
        for (&id, state) in ids.iter().zip(&states) {
            let Some(one) = told.next() else {
                return Err(broken(py, &format!("expand gave less than {} answers", ids.len())));
            };
            self.learn(py, id, state, &one?)?;
        }
        match told.next() {
            Some(_) => Err(broken(py, &format!("expand gave more than {} answers", ids.len()))),
            None => Ok(()),
        }
    }

    /// Notes what is said of a state.
    fn learn(
        &self,
        py: Python<'_>,
        id: u32,
        state: &Bound<'_, PyAny>,
        told: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let wrong = || {
            broken(
                py,
                &format!(
                    "expand said {} of {}: expected (turn, moves, next states), or (None, outcome)",
                    shown(told),
                    shown(state)
                ),
            )
        };
        let parts = told.cast::<PySequence>().map_err(|_| wrong())?;
        let (turn, second) = match parts.len()? {
            2 | 3 => (parts.get_item(0)?, parts.get_item(1)?),
            _ => return Err(wrong()),
        };
        if turn.is_none() {
            let kind = Kind::Over(self.end(py, state, &second)?);
            self.set_kind(id, kind);
            return Ok(());
        }
        if parts.len()? != 3 {
            return Err(wrong());
        }
        let kind = self.mover(py, state, &turn)?;
        let (moves, weights) = match kind {
            Kind::Chance => chances(state, &second)?,
            _ => (list(state, &second)?, Vec::new()),
        };
        let nexts: Vec<Bound<'_, PyAny>> =
            parts.get_item(2)?.try_iter()?.collect::<Result<_, _>>()?;
        if nexts.len() != moves.len() {
            return Err(wrong());
        }
        let to = vec![NONE; moves.len()];
        self.set_kind(id, kind);
        if let Some(node) = self.nodes_mut().get_mut(id as usize)
            && node.moves.is_none()
        {
            node.moves = Some(Moves { lists: [moves, Vec::new()], weights, to, texts: None });
        }
        for (place, next) in nexts.iter().enumerate() {
            let to = self.number(py, next, Some((id, place as u32)))?;
            self.note(py, id, place, to, next)?;
            if self.is_broken() && self.fault().is_none() {
                // Nothing was searched yet, so that it is enough to know it from here on.
                self.loops_are_known();
                set(&mut self.nodes_mut(), id, place, to);
            }
        }
        Ok(())
    }

    fn set_kind(&self, id: u32, kind: Kind) {
        if let Some(node) = self.nodes_mut().get_mut(id as usize) {
            node.kind = kind;
        }
    }
}
