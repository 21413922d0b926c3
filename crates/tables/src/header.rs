//! The lines at the start of a table file.

use std::fmt::Write as _;

use crate::cells::Width;
use crate::error::{Part, Problem};

/// The version of the format.
pub(crate) const VERSION: &str = "1";

/// How every table starts, before its version.
pub(crate) const MAGIC: &str = "foregone table ";

/// No header is longer.
pub(crate) const LONGEST: usize = 1 << 24;

/// What a table says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game, with its options.
    pub game: String,
    /// Which rules of it.
    pub rules: String,
    /// The class of positions.
    pub class: String,
    /// How many cells a plane has.
    pub size: u64,
    /// How many bytes a cell has.
    pub width: Width,
    /// Of each plane the worst and the best outcome that it tells apart.
    pub planes: Vec<(u16, u16)>,
    /// What was counted, in words.
    pub counts: Vec<(String, u64)>,
    /// The lowest outcome of the class.
    pub least: u16,
    /// The classes whose tables this one was made from, and the digests of those.
    pub rests_on: Vec<(String, String)>,
    /// Whether there is a list of texts, one for each number.
    pub texts: bool,
}

impl Header {
    /// The lines, with their checksum.
    pub(crate) fn to_text(&self) -> Result<String, Problem> {
        let names = [&self.game, &self.rules, &self.class];
        let counted = self.counts.iter().map(|(name, _)| name);
        let rests_on = self.rests_on.iter().flat_map(|(class, digest)| [class, digest]);
        for name in names.into_iter().chain(counted).chain(rests_on) {
            if name.contains('\n') {
                return Err(Problem::Unfit(format!("{name:?} is more than one line")));
            }
        }
        if let Some((_, digest)) = self.rests_on.iter().find(|(_, digest)| digest.contains(' ')) {
            return Err(Problem::Unfit(format!("{digest:?} is not a digest")));
        }
        let mut text = format!("{MAGIC}{VERSION}\n");
        let width = self.width.bytes();
        // Writing to a string can't fail.
        let _ = writeln!(text, "game {}\nrules {}\nclass {}", self.game, self.rules, self.class);
        let _ = writeln!(text, "size {}\nwidth {width}\nleast {}", self.size, self.least);
        for (low, high) in &self.planes {
            let _ = writeln!(text, "plane {low} {high}");
        }
        for (name, count) in &self.counts {
            let _ = writeln!(text, "count {count} {name}");
        }
        for (class, digest) in &self.rests_on {
            let _ = writeln!(text, "rests-on {digest} {class}");
        }
        let _ = writeln!(text, "texts {}", if self.texts { "yes" } else { "no" });
        let _ = writeln!(text, "crc32 {:08x}", crc32fast::hash(text.as_bytes()));
        match text.len() > LONGEST {
            true => Err(Problem::Unfit("the header is too long".to_owned())),
            false => Ok(text),
        }
    }

    /// Reads the lines at the start of `bytes`, and says how long they are. Nothing if they go on
    /// beyond these bytes.
    pub(crate) fn read(bytes: &[u8]) -> Result<Option<(Header, usize)>, Problem> {
        let start = &bytes[..bytes.len().min(MAGIC.len())];
        if start != &MAGIC.as_bytes()[..start.len()] {
            return Err(Problem::NotATable);
        }
        let Some(first) = bytes.iter().position(|&b| b == b'\n') else { return Ok(None) };
        let version = String::from_utf8_lossy(&bytes[MAGIC.len()..first]);
        if version != VERSION {
            return Err(Problem::OtherVersion(version.into_owned()));
        }
        // The last line is the only one that starts with its word.
        let sum = b"\ncrc32 ";
        let Some(end) = bytes.windows(sum.len()).position(|window| window == sum) else {
            return Ok(None);
        };
        let length = end + sum.len() + 8 + 1;
        let Some(last) = bytes.get(end + sum.len()..length) else { return Ok(None) };
        let text = &bytes[..end + 1];
        if last != format!("{:08x}\n", crc32fast::hash(text)).as_bytes() {
            return Err(Problem::Damaged(Part::Header));
        }
        let header = std::str::from_utf8(text).ok().and_then(Header::parse);
        Ok(Some((header.ok_or(Problem::Damaged(Part::Header))?, length)))
    }

    /// The header of lines whose checksum is right; nothing if they make no sense.
    fn parse(text: &str) -> Option<Header> {
        let mut lines = text.split_terminator('\n').skip(1).peekable();
        let mut value = |word: &str| {
            let line = lines.next_if(|line| line.split(' ').next() == Some(word))?;
            Some(line[word.len()..].strip_prefix(' ')?.to_owned())
        };
        let game = value("game")?;
        let rules = value("rules")?;
        let class = value("class")?;
        let size = value("size")?.parse().ok()?;
        let width = match value("width")?.as_str() {
            "1" => Width::One,
            "2" => Width::Two,
            _ => return None,
        };
        let least = value("least")?.parse().ok()?;
        let mut planes = Vec::new();
        while let Some(plane) = value("plane") {
            let (low, high) = plane.split_once(' ')?;
            planes.push((low.parse().ok()?, high.parse().ok()?));
        }
        let mut counts = Vec::new();
        while let Some(count) = value("count") {
            let (count, name) = count.split_once(' ')?;
            counts.push((name.to_owned(), count.parse().ok()?));
        }
        let mut rests_on = Vec::new();
        while let Some(table) = value("rests-on") {
            let (digest, class) = table.split_once(' ')?;
            rests_on.push((class.to_owned(), digest.to_owned()));
        }
        let texts = match value("texts")?.as_str() {
            "yes" => true,
            "no" => false,
            _ => return None,
        };
        let header =
            Header { game, rules, class, size, width, planes, counts, least, rests_on, texts };
        lines.next().is_none().then_some(header)
    }
}
