//! Formulas as people type them: other spellings of signs, comments, stipulations of chess
//! problems, and who is A where nobody says.
//!
//! `∧ ∨ ¬ → ◇_A □_A` may be written for `& | ! -> <A> [A]`; `//` begins a comment. What was made of
//! a text is always shown in the canonical spelling.
//!
//! `foregone-proof` reads one text. Here definitions and a formula are joined to one, and errors are
//! shown where they were typed, with the words that would have been right.

use foregone_proof::formula::{Formula, LIBRARY, Language, PROPOSITIONS, read, statements};
use foregone_proof::{Agent, TextError};

use super::stipulation::Stipulation;

/// Which of the texts an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The definitions.
    Definitions,
    /// The formula.
    Formula,
}

/// A formula or a definition that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Which text.
    pub part: Part,
    /// What is wrong, and where.
    pub error: TextError,
}

/// Spellings of signs, and how the language has them.
const SPELLINGS: [(&str, &str); 9] = [
    ("→", "->"),
    ("=>", "->"),
    ("&&", "&"),
    ("∧", "&"),
    ("||", "|"),
    ("∨", "|"),
    ("¬", "!"),
    ("~", "!"),
    ("−", "-"),
];

/// A formula with its definitions in one spelling, on one line, without comments: what is printed
/// and what certificates hold. Reading it gives the same formula.
pub fn canonical(definitions: &str, text: &str) -> Result<String, ReadError> {
    Joined::new(definitions, text)?.canonical()
}

/// Definitions and a formula as one text of the language.
struct Joined<'t> {
    definitions: &'t str,
    formula: &'t str,
    whole: String,
    /// Where the formula begins.
    at: usize,
}

impl<'t> Joined<'t> {
    fn new(definitions: &'t str, formula: &'t str) -> Result<Joined<'t>, ReadError> {
        let own = plain(definitions);
        let mut whole = own.clone();
        if !own.is_empty() {
            whole.push(';');
        }
        let at = whole.len();
        whole.push_str(&match Stipulation::read(formula) {
            Some(stipulation) => stipulation.formula(),
            None => plain(formula),
        });
        let joined = Joined { definitions, formula, whole, at };
        // Definitions must be right without what follows them, and be nothing else.
        let fail = |error| joined.placed(Part::Definitions, error);
        let found = statements(&own).map_err(|e| fail(behind_library(&own, e)))?;
        if let Some((start, _)) = found.iter().find(|(_, text)| defined(text).is_none()) {
            let start = start - LIBRARY.len();
            let word = word(&own[start..]);
            let message = format!("expected `def NAME(…) = …`, found `{word}`");
            return Err(fail(TextError::new(message, start..start + word.len())));
        }
        Ok(joined)
    }

    fn canonical(&self) -> Result<String, ReadError> {
        let found = statements(&self.whole)
            .map_err(|e| self.placed_by_span(behind_library(&self.whole, e)))?;
        let fail =
            |message: String, span| Err(self.placed(Part::Formula, TextError::new(message, span)));
        let begins = LIBRARY.len() + self.at;
        let before = |name| found.iter().any(|(at, s)| *at < begins && defined(s) == Some(name));
        for (start, text) in found.iter().filter(|(start, _)| *start >= begins) {
            if let Some(name) = defined(text).filter(|name| before(name)) {
                let rest = &self.whole[start - LIBRARY.len()..];
                let def = rest.find("def").map_or(0, |def| def + "def".len());
                let place = start - LIBRARY.len() + def + rest[def..].find(name).unwrap_or(0);
                let message =
                    format!("`{name}` can't be defined: it is among the definitions already");
                return fail(message, place..place + name.len());
            }
        }
        if found.last().is_none_or(|(_, text)| defined(text).is_some()) {
            let end = self.whole.len();
            return fail("there is no formula here".to_owned(), end..end);
        }
        let texts: Vec<String> = found.into_iter().map(|(_, text)| text).collect();
        Ok(texts.join("; "))
    }

    /// An error at its place in what was typed.
    fn placed(&self, part: Part, mut error: TextError) -> ReadError {
        let span = &mut error.span;
        let typed = match part {
            Part::Definitions => self.definitions,
            Part::Formula => self.formula,
        };
        if part == Part::Formula {
            *span = span.start.saturating_sub(self.at)..span.end.saturating_sub(self.at);
            if Stipulation::read(self.formula).is_some() {
                // It stands for another text: all of it is at fault.
                *span = 0..typed.len();
            }
        }
        *span = span.start.min(typed.len())..span.end.min(typed.len());
        // A sign that was typed may be longer than that of the language.
        while !typed.is_char_boundary(span.start) {
            span.start -= 1;
        }
        while !typed.is_char_boundary(span.end) {
            span.end += 1;
        }
        ReadError { part, error }
    }

    /// The same for an error that may be about either text; what is about neither is shown at the
    /// beginning of the formula.
    fn placed_by_span(&self, error: TextError) -> ReadError {
        let definitions = error.span.start < self.at && error.span != (0..0);
        self.placed(if definitions { Part::Definitions } else { Part::Formula }, error)
    }

    /// The error with the words that would have been right. What is unknown is told by the
    /// message: the reader of formulas says only what is wrong.
    fn explained(
        &self,
        mut error: TextError,
        language: &Language<'_>,
        canonical: &str,
    ) -> TextError {
        let (start, message) = (error.span.start, error.message.as_str());
        let words = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        if message.starts_with("there is no proposition or class") {
            let written: String = self.whole[error.span.clone()].split_whitespace().collect();
            let name = written.split('(').next().unwrap_or_default();
            let mut classes: Vec<&str> =
                LIBRARY.split(';').chain(canonical.split("; ")).filter_map(defined).collect();
            classes.sort_unstable();
            classes.dedup();
            let mut choices = words(&PROPOSITIONS);
            choices.extend(language.forms.iter().cloned());
            choices.extend(words(&classes));
            if name == "not" {
                error.message = "`not` is written `!`".to_owned();
                return error;
            }
            error.message = match choices.iter().find(|c| c.split('(').next() == Some(name)) {
                Some(form) if form.contains('(') => {
                    error.message = format!("`{written}` is not of the form {form}");
                    error.span = start..start + name.len();
                    return error.with_choices(vec![form.clone()]);
                }
                _ => format!("there is no proposition or class called `{name}`"),
            };
            error.span = start..start + name.len();
            error.with_choices(choices)
        } else if message.ends_with("is not an agent of this game")
            || message.starts_with("there is no opponent")
        {
            let mut choices = language.agents.clone();
            choices.extend(words(&["A", "B"]));
            error.with_choices(choices)
        } else {
            error
        }
    }
}

/// The error in a text that the library stands before.
fn behind_library(text: &str, mut error: TextError) -> TextError {
    let [start, end] =
        [error.span.start, error.span.end].map(|at| at.saturating_sub(LIBRARY.len()));
    error.span = start..end;
    if error.message.starts_with("there is no parameter called") {
        // Those of the definition at hand.
        let statement = text[..start].rsplit(';').next().unwrap_or_default();
        let head = statement.rsplit_once("def").and_then(|(_, head)| head.split_once('('));
        let list = head.and_then(|(_, list)| list.split_once(')')).map_or("", |(list, _)| list);
        let names = list.split(',').map(str::trim).filter(|p| p.starts_with(char::is_alphabetic));
        error.choices = names.map(str::to_owned).collect();
    } else if error.message == "expected `)`, but the text ends here" {
        // What is at fault stands where the bracket was opened.
        let at = unclosed(text).unwrap_or(start);
        return TextError::new("this bracket is never closed", at..at + 1);
    } else if error.message == "expected the end of the formula, found `)`" {
        error.message = "this bracket closes nothing".to_owned();
    } else if let Some((word, sign)) = WORDS.iter().find(|(word, _)| text[start..end] == **word) {
        error.message = format!("`{word}` is written `{sign}`");
    } else if error.message.ends_with("found `-`") {
        let digits = text[end..].find(|c: char| !c.is_ascii_digit());
        let number = &text[start..digits.map_or(text.len(), |digits| end + digits)];
        if number.len() > 1 {
            let message = format!("{number} is too small: it must be at least 0");
            return TextError::new(message, start..start + number.len());
        }
    }
    error
}

/// Words that people write for signs.
const WORDS: [(&str, &str); 3] = [("and", "&"), ("or", "|"), ("implies", "->")];

/// The last bracket that is opened and not closed.
fn unclosed(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' => open.push(at),
            ')' => drop(open.pop()),
            _ => {}
        }
    }
    open.pop()
}

/// A ladder of an even number of moves, which would end with the opponent's.
fn even_ladder(text: &str) -> Option<TextError> {
    text.match_indices("ladder").find_map(|(at, name)| {
        let list = text[at + name.len()..].trim_start().strip_prefix('(')?;
        let inside = list.split(')').next()?;
        let number: u32 = inside.trim().parse().ok().filter(|n| n % 2 == 0 && *n > 0)?;
        let (before, start) = (text[..at].chars().next_back(), text.len() - list.len());
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        let message = format!(
            "n must be odd in ladder(n), which counts the moves of both sides: {} or {}",
            number - 1,
            number + 1
        );
        Some(TextError::new(message, start..start + inside.len()))
    })
}

/// The class that a statement in canonical spelling defines, if it is a definition.
fn defined(statement: &str) -> Option<&str> {
    let text = statement.trim();
    let definition = text.strip_prefix("from B ").unwrap_or(text).strip_prefix("def ")?;
    definition.split(['(', ' ']).next()
}

/// The name, the number or the sign at the beginning of a text.
fn word(text: &str) -> &str {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    let end = text.find(|c| !letter(c)).unwrap_or(text.len());
    let sign = text.chars().next().map_or(0, char::len_utf8);
    &text[..end.max(sign)]
}

/// What was asked of a position, in words.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'t> {
    /// The formula, or a chess stipulation.
    pub text: &'t str,
    /// Definitions of the asker's own.
    pub definitions: &'t str,
    /// Who is A, if that was said.
    pub protagonist: Option<Agent>,
    /// Whose turn it is.
    pub turn: Agent,
}

impl Reading<'_> {
    /// Reads the formula. A is the side to move, unless the formula begins with a class in which
    /// B is.
    pub fn read(&self, language: &Language<'_>) -> Result<Formula, ReadError> {
        let joined = Joined::new(self.definitions, self.text)?;
        let canonical = joined.canonical()?;
        if let Some(error) = even_ladder(&joined.whole) {
            return Err(joined.placed_by_span(error));
        }
        let protagonist = match self.protagonist {
            Some(agent) => agent,
            None if begins_with_b(&canonical) => {
                // With more than two agents B is B1, who moves before all other opponents.
                let agents = language.agents.len();
                Agent(((usize::from(self.turn.0) + agents - 1) % agents) as u8)
            }
            None => self.turn,
        };
        read(language, &joined.whole, protagonist).map_err(|e| {
            joined.placed_by_span(joined.explained(
                behind_library(&joined.whole, e),
                language,
                &canonical,
            ))
        })
    }
}

/// A text in the signs of the language, every part at its old place: what gets shorter is filled
/// up with spaces.
fn plain(text: &str) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let sign = SPELLINGS.iter().find(|(typed, _)| rest.starts_with(typed));
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if let Some((typed, plain)) = sign {
            at += typed.len();
            out.push_str(plain);
        } else if matches!(c, '◇' | '□')
            && let Some(length) = agent_length(&rest[c.len_utf8()..])
        {
            let agent = &rest[c.len_utf8()..][..length];
            let (open, close) = if c == '□' { ('[', ']') } else { ('<', '>') };
            at += c.len_utf8() + length;
            out.push(open);
            out.push_str(agent.trim_start_matches('_'));
            out.push(close);
        } else {
            at += c.len_utf8();
            out.push(c);
        }
        out.extend(std::iter::repeat_n(' ', at - out.len()));
    }
    out
}

/// The length of the agent behind ◇ or □, if there is one: `_A`, `B1`, `_B*`, `_B(n-1)`.
fn agent_length(text: &str) -> Option<usize> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    match rest.chars().next() {
        _ if name.trim_start_matches('_').is_empty() => None,
        Some('*' | '?') => Some(end + 1),
        Some('(') if name.trim_start_matches('_') == "B" => Some(end + rest.find(')')? + 1),
        _ => Some(end),
    }
}

/// Whether a formula in canonical spelling names a class in which B moves first before anybody
/// has moved.
fn begins_with_b(canonical: &str) -> bool {
    let from_b = |name: &str| {
        let is = |s: &str| {
            let head = s.trim().strip_prefix("from B def ");
            head.and_then(|h| h.split(['(', ' ']).next()) == Some(name)
        };
        LIBRARY.split(';').any(is) || canonical.split("; ").any(is)
    };
    let formula = canonical.rsplit("; ").next().unwrap_or_default();
    let (mut words, mut word) = (Vec::new(), String::new());
    for c in formula.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        words.push(c.to_string());
    }
    // How many brackets are open, those of the agent's moves and of arguments being skipped.
    let (mut at, mut skip) = (0, false);
    while at < words.len() {
        let word = words[at].as_str();
        let next = words.get(at + 1).map_or("", String::as_str);
        at += 1;
        match word {
            "<" | "[" => {
                let close = if word == "<" { ">" } else { "]" };
                at += words[at..].iter().position(|w| w == close).map_or(0, |n| n + 1);
                skip = true;
            }
            "(" if skip => {
                at = closed(&words, at - 1);
                skip = false;
            }
            _ if word.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                if !skip && from_b(word) {
                    return true;
                }
                if next == "(" {
                    at = closed(&words, at);
                }
                skip = false;
            }
            _ => {}
        }
    }
    false
}

/// The place behind the bracket that closes the one here.
fn closed(words: &[String], open: usize) -> usize {
    let mut depth = 0i32;
    for (i, word) in words.iter().enumerate().skip(open) {
        depth += i32::from(word == "(") - i32::from(word == ")");
        if depth == 0 {
            return i + 1;
        }
    }
    words.len()
}
