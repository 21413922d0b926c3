//! Lists of texts in strictly ascending order: each text is what it has in common with the one
//! before, and the rest.

/// How many texts a block has; the last one may have fewer.
pub(crate) const BLOCK: usize = 256;

/// Makes a block.
#[derive(Debug, Default)]
pub(crate) struct Coder {
    bytes: Vec<u8>,
    last: String,
    count: usize,
}

impl Coder {
    /// Adds a text.
    pub(crate) fn push(&mut self, text: String) {
        let common = text.bytes().zip(self.last.bytes()).take_while(|(a, b)| a == b).count();
        put(&mut self.bytes, common);
        put(&mut self.bytes, text.len() - common);
        self.bytes.extend_from_slice(&text.as_bytes()[common..]);
        self.last = text;
        self.count += 1;
    }

    /// How many texts there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The block, and room for the next.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(self).bytes
    }
}

/// All texts of a block, if it is one. Nobody writes few bytes that stand for very many.
pub(crate) fn decode(mut bytes: &[u8]) -> Option<Vec<String>> {
    let mut texts: Vec<String> = Vec::new();
    let mut room = bytes.len().saturating_mul(64).max(64 << 20);
    while !bytes.is_empty() {
        let common = get(&mut bytes)?;
        let length = get(&mut bytes)?;
        let (rest, others) = bytes.split_at_checked(length)?;
        bytes = others;
        let before = texts.last().map_or("", String::as_str).as_bytes();
        let text = [before.get(..common)?, rest].concat();
        room = room.checked_sub(text.len())?;
        texts.push(String::from_utf8(text).ok()?);
    }
    Some(texts)
}

/// Appends a number, seven bits a byte.
fn put(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the start.
fn get(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for shift in (0..28).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}
