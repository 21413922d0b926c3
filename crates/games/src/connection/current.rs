//! Which cells matter most: those through which most of the current flows.
//!
//! After C. Shannon's machine and V. Anshelevich (2002): the board is a network of resistors for each
//! side, in which stones of the side conduct, empty cells resist and other cells insulate, and cells
//! that are linked strongly count as neighbours. A voltage between the side's borders makes a current
//! flow; a cell through which a large part of it flows is one that both sides want.

use super::Board;
use super::links::Links;
use crate::board::Word;

/// Networks that were solved; buffers are kept from one to the next.
#[derive(Debug, Default)]
pub(super) struct Currents {
    /// The row of each node in the system of equations.
    rows: Vec<u8>,
    /// The equations of the potentials, the right side last.
    system: Vec<f64>,
    potentials: Vec<f64>,
}

/// No row: a border, where the potential is given.
const SOURCE: u8 = u8::MAX;
const SINK: u8 = u8::MAX - 1;

impl Currents {
    /// Adds to each cell's weight the part of the currents of a side that flows through it: from each
    /// of its borders to the others, or only from one where there are two. The links are those of
    /// this side.
    pub(super) fn add<W: Word>(&mut self, board: &Board<W>, links: &Links<W>, weights: &mut [f64]) {
        let nodes = links.linked();
        let borders = board.borders[0].len();
        for source in 0..if borders > 2 { borders } else { 1 } {
            self.flow(links, &nodes, source, weights);
        }
    }

    fn flow<W: Word>(
        &mut self,
        links: &Links<W>,
        nodes: &[(u8, u128)],
        source: usize,
        weights: &mut [f64],
    ) {
        // Step 1: the equations. What flows into a node flows out of it.
        self.rows.clear();
        self.rows.resize(128, 0);
        let mut unknown = 0;
        for &(node, _) in nodes {
            self.rows[usize::from(node)] = match links.border_of(node) {
                Some(border) if border == source => SOURCE,
                Some(_) => SINK,
                None => {
                    unknown += 1;
                    unknown as u8 - 1
                }
            };
        }
        let width = unknown + 1;
        self.system.clear();
        self.system.resize(unknown * width, 0.0);
        for &(node, partners) in nodes {
            let row = self.rows[usize::from(node)];
            if row >= SINK {
                continue;
            }
            let at = usize::from(row) * width;
            let mut left = partners;
            while left != 0 {
                let other = left.trailing_zeros() as u8;
                left &= left - 1;
                let conducts = conductance(links, node, other);
                self.system[at + usize::from(row)] += conducts;
                match self.rows[usize::from(other)] {
                    SOURCE => self.system[at + unknown] += conducts,
                    SINK => {}
                    column => self.system[at + usize::from(column)] -= conducts,
                }
            }
        }
        self.solve(unknown);
        // Step 2: what flows through each cell is half of what flows at its sides.
        let potential = |rows: &[u8], potentials: &[f64], node: u8| match rows[usize::from(node)] {
            SOURCE => 1.0,
            SINK => 0.0,
            row => potentials[usize::from(row)],
        };
        let mut total = 0.0;
        let mut through = Vec::with_capacity(nodes.len());
        for &(node, partners) in nodes {
            let here = potential(&self.rows, &self.potentials, node);
            let (mut left, mut flow) = (partners, 0.0);
            while left != 0 {
                let other = left.trailing_zeros() as u8;
                left &= left - 1;
                let there = potential(&self.rows, &self.potentials, other);
                flow += conductance(links, node, other) * (here - there).abs();
            }
            if self.rows[usize::from(node)] == SOURCE {
                total += flow;
            } else if !links.is_chain(node) {
                through.push((node, flow / 2.0));
            }
        }
        if total > 0.0 {
            for (node, flow) in through {
                weights[usize::from(node)] += (flow / total).sqrt();
            }
        }
    }

    /// Solves the equations by elimination. They are those of a network, so the diagonal is largest.
    fn solve(&mut self, unknown: usize) {
        let width = unknown + 1;
        for k in 0..unknown {
            let pivot = self.system[k * width + k];
            if pivot <= 1e-12 {
                continue;
            }
            let (above, below) = self.system.split_at_mut((k + 1) * width);
            let first = &above[k * width..];
            for row in below.chunks_exact_mut(width) {
                let factor = row[k] / pivot;
                if factor != 0.0 {
                    for (x, y) in row[k..].iter_mut().zip(&first[k..]) {
                        *x -= factor * y;
                    }
                }
            }
        }
        self.potentials.clear();
        self.potentials.resize(unknown, 0.0);
        for k in (0..unknown).rev() {
            let row = &self.system[k * width..(k + 1) * width];
            let known: f64 = (k + 1..unknown).map(|j| row[j] * self.potentials[j]).sum();
            let pivot = row[k];
            self.potentials[k] = if pivot <= 1e-12 { 0.0 } else { (row[unknown] - known) / pivot };
        }
    }
}

/// How well two linked nodes conduct: each empty cell resists.
fn conductance<W: Word>(links: &Links<W>, a: u8, b: u8) -> f64 {
    match (links.is_chain(a), links.is_chain(b)) {
        (false, false) => 0.5,
        (true, true) => 8.0,
        _ => 1.0,
    }
}
