//! Backward induction written down and read back: the values of the positions that are done, each with
//! its text. Positions that are open are begun anew, which takes as many looks at the table as they have
//! pairs of moves.

use std::io;

use foregone_model::{JointNotation, Side};

use super::{JointCounts, JointReport, Table};
use crate::report::StopReason;
use crate::saved::{Reader, Writer};

foregone_model::stored!(JointCounts { plain, lp_calls, pure });

/// What was read back.
pub(super) enum Saved<M> {
    /// An induction that was under way, and what it had done.
    Running(JointCounts),
    /// One that was over.
    Over(JointReport<M>),
}

/// Writes an induction down that is under way.
pub(super) fn save<J: JointNotation>(
    game: &J,
    counts: JointCounts,
    table: &Table<J::State, f64>,
    out: &mut Writer<'_>,
) -> io::Result<()> {
    out.put(&false)?;
    out.put(&counts)?;
    out.put(&table.len())?;
    let mut text = String::new();
    for (state, value) in table {
        text.clear();
        game.write_position(state, &mut text);
        let bytes = out.room()?;
        bytes.extend_from_slice(&(text.len() as u16).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    Ok(())
}

/// Writes one down that is over.
pub fn save_report<J: JointNotation>(
    game: &J,
    start: &J::State,
    report: &JointReport<J::Move>,
    out: &mut Writer<'_>,
) -> io::Result<()> {
    out.put(&true)?;
    out.put(&(report.stop, report.value, report.counts))?;
    for (side, mix) in [(Side::Max, &report.max), (Side::Min, &report.min)] {
        let mut moves = Vec::new();
        if game.payoff(start).is_none() {
            game.moves(start, side, &mut moves);
        }
        out.put(&mix.len())?;
        for (m, weight) in mix {
            out.put(&(moves.iter().position(|other| other == m).unwrap_or(0), *weight))?;
        }
    }
    Ok(())
}

/// Reads either back; values go into the table. Nothing if it is damaged.
pub(super) fn restore<J: JointNotation>(
    game: &J,
    start: &J::State,
    from: &mut Reader<'_>,
    table: Option<&mut Table<J::State, f64>>,
) -> Option<Saved<J::Move>> {
    if from.get::<bool>()? {
        let (stop, value, counts) = from.get()?;
        let mut mix = |side| {
            let mut moves = Vec::new();
            if game.payoff(start).is_none() {
                game.moves(start, side, &mut moves);
            }
            let mut mix = Vec::new();
            for _ in 0..from.count(moves.len())? {
                let (at, weight) = from.get::<(usize, f64)>()?;
                mix.push((*moves.get(at)?, weight));
            }
            Some(mix)
        };
        let (max, min) = (mix(Side::Max)?, mix(Side::Min)?);
        let solved = stop == StopReason::Solved;
        return solved.then_some(Saved::Over(JointReport { stop, value, max, min, counts }));
    }
    let counts = from.get()?;
    let table = table?;
    for _ in 0..from.get::<usize>()? {
        let (state, value) = from.next(|bytes| {
            let length = foregone_model::stored::take(bytes).map(u16::from_le_bytes)?;
            let (text, rest) = bytes.split_at_checked(usize::from(length))?;
            *bytes = rest;
            let state = game.read_position(std::str::from_utf8(text).ok()?).ok()?;
            Some((state, foregone_model::stored::take(bytes).map(f64::from_le_bytes)?))
        })?;
        table.insert(state, value);
    }
    Some(Saved::Running(counts))
}
