//! Models as bytes.

use super::row::{Row, Step};
use super::{ABSENT, ESCAPE, FAR, LEVELS, Level, Model, Part, REGION, STRIDES, SYMBOLS};
use crate::cells::Width;

/// No model is longer before it is compressed.
const LONGEST: usize = 1 << 20;

/// The symbols of all bytes, where these have symbols.
pub(super) fn symbols_of(values: &[u8]) -> [u8; SYMBOLS] {
    let mut symbols = [ESCAPE; SYMBOLS];
    for (symbol, &byte) in values.iter().enumerate() {
        symbols[usize::from(byte)] = symbol as u8;
    }
    symbols
}

/// All symbols of a context where so many bytes have symbols.
fn alphabet(values: usize) -> impl Iterator<Item = usize> {
    (0..values).chain([usize::from(ESCAPE), usize::from(ABSENT)])
}

impl Part {
    pub(super) fn new(
        values: &[u8],
        strides: Vec<u16>,
        levels: [Level; LEVELS],
        rows: Vec<Row>,
        references: Row,
    ) -> Part {
        let mut bytes = [0; SYMBOLS];
        bytes[..values.len()].copy_from_slice(values);
        let symbols = symbols_of(values);
        Part { known: values.len(), values: bytes, symbols, strides, levels, rows, references }
    }
}

impl Model {
    /// The model as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for part in &self.parts {
            bytes.push(part.known as u8);
            bytes.extend_from_slice(&part.values[..part.known]);
            bytes.push(part.strides.len() as u8);
            part.strides.iter().for_each(|stride| bytes.extend_from_slice(&stride.to_le_bytes()));
            for level in &part.levels {
                bytes.extend_from_slice(&(level.back as u16).to_le_bytes());
                let most = level.map.iter().flatten().max();
                bytes.push(most.map_or(0, |&class| class));
                let values = self.values_of(level.back, part);
                for classes in &level.map {
                    bytes.extend(alphabet(values).map(|symbol| classes[symbol]));
                }
            }
            for row in &part.rows {
                let symbols = (0..part.known).chain([usize::from(ESCAPE)]);
                symbols.for_each(|symbol| put(&mut bytes, row.steps[symbol]));
            }
            let references = &part.references.steps[..part.strides.len()];
            references.iter().for_each(|&step| put(&mut bytes, step));
        }
        miniz_oxide::deflate::compress_to_vec(&bytes, 9)
    }

    /// How many bytes have symbols where a level of a part looks.
    fn values_of(&self, back: usize, part: &Part) -> usize {
        if back == REGION { self.parts[0].known } else { part.known }
    }

    /// The model of such bytes, if they are one.
    pub(crate) fn from_bytes(bytes: &[u8], width: Width) -> Option<Model> {
        let plain = miniz_oxide::inflate::decompress_to_vec_with_limit(bytes, LONGEST).ok()?;
        let mut reader = Reader(&plain);
        let mut model = Model { width, parts: Vec::new() };
        for _ in 0..width.bytes() {
            let part = reader.part(model.parts.first())?;
            model.parts.push(part);
        }
        reader.0.is_empty().then_some(model)
    }
}

/// Appends how many slots a symbol has.
fn put(bytes: &mut Vec<u8>, step: Step) {
    match step.slots {
        slots @ ..128 => bytes.push(slots as u8),
        slots => bytes.extend_from_slice(&[slots as u8 | 128, (slots >> 7) as u8]),
    }
}

/// What is still to be read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    fn word(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }

    fn slots(&mut self) -> Option<u16> {
        match self.byte()? {
            low @ ..128 => Some(u16::from(low)),
            low => Some(u16::from(low & 127) | u16::from(self.byte()?) << 7),
        }
    }

    /// A part, behind this one if it is the second.
    fn part(&mut self, high: Option<&Part>) -> Option<Part> {
        let values = usize::from(self.byte()?);
        let values = self.take(values)?;
        if values.len() > usize::from(ESCAPE) || !values.is_sorted_by(|a, b| a < b) {
            return None;
        }
        let count = usize::from(self.byte()?);
        let strides = (0..count).map(|_| self.word()).collect::<Option<Vec<u16>>>()?;
        let fits = |&stride: &u16| (1..=FAR).contains(&usize::from(stride));
        if !(1..=STRIDES).contains(&count) || !strides.iter().all(fits) {
            return None;
        }
        let mut classes = 1;
        let mut levels = Vec::new();
        for number in 0..LEVELS {
            let (level, after) = self.level(number, classes, values.len(), high)?;
            levels.push(level);
            classes = after;
        }
        let rows = (0..classes).map(|_| self.row(values.len(), true));
        let rows = rows.collect::<Option<Vec<Row>>>()?;
        let references = self.row(count, false)?;
        Some(Part::new(values, strides, levels.try_into().ok()?, rows, references))
    }

    /// A row of so many symbols, and perhaps of escapes.
    fn row(&mut self, symbols: usize, escape: bool) -> Option<Row> {
        let mut shares = [0; SYMBOLS];
        for share in &mut shares[..symbols] {
            *share = self.slots()?;
        }
        if escape {
            shares[usize::from(ESCAPE)] = self.slots()?;
        }
        Row::of(&shares)
    }

    /// A level behind so many classes, and how many come from it.
    fn level(
        &mut self,
        number: usize,
        before: usize,
        values: usize,
        high: Option<&Part>,
    ) -> Option<(Level, usize)> {
        let back = usize::from(self.word()?);
        let values = match (back, high) {
            (0, _) if number == 0 => values,
            (1..=FAR, _) if number > 0 => values,
            (REGION, Some(high)) if number > 0 => high.known,
            _ => return None,
        };
        let most = self.byte()?;
        let mut map = vec![[0; SYMBOLS]; before];
        for classes in &mut map {
            for symbol in alphabet(values) {
                classes[symbol] = self.byte().filter(|&class| class <= most)?;
            }
        }
        Some((Level { back, map }, usize::from(most) + 1))
    }
}
