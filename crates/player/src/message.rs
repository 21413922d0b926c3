//! The messages of the GGP protocol (Genesereth and Thielscher 2014, chapter 3), as real game
//! managers send them: ggp-base asks `info` where newer texts say `ping`.
//!
//! ```text
//! (INFO)  (PREVIEW (rules) clock)  (START id role (rules) startclock playclock)
//! (PLAY id (moves))  (PLAY id NIL)  (STOP id (moves))  (ABORT id)
//! ```
//!
//! Keywords may be in upper or lower case. Clocks are whole seconds.

use std::time::Duration;

use foregone_gdl::kif::{self, Shape, Symbols, Tree};
use thiserror::Error;

/// A message that makes no sense, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct BadMessage {
    /// What is wrong.
    pub reason: String,
}

impl BadMessage {
    pub(crate) fn new(reason: impl Into<String>) -> BadMessage {
        BadMessage { reason: reason.into() }
    }
}

/// A message of a game manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// How are you?
    Info,
    /// These rules will be played.
    Preview {
        /// The text of the rules.
        rules: String,
        /// How long to look at them.
        clock: Duration,
    },
    /// A match begins.
    Start {
        /// The name of the match.
        id: String,
        /// The role to play, in lower case.
        role: String,
        /// The text of the rules.
        rules: String,
        /// How long to prepare.
        start: Duration,
        /// How long to think about each move.
        play: Duration,
    },
    /// These moves were made: what next?
    Play {
        /// The name of the match.
        id: String,
        /// A move for each role, in the order of the rules; none before the first move.
        moves: Option<Vec<String>>,
    },
    /// These moves were made, and the match is over.
    Stop {
        /// The name of the match.
        id: String,
        /// A move for each role.
        moves: Option<Vec<String>>,
    },
    /// The match is broken off.
    Abort {
        /// The name of the match.
        id: String,
    },
}

/// Nobody waits longer than a day for a move; longer clocks are read as this one.
const LONGEST: u64 = 24 * 60 * 60;
/// A message without rules is short. Longer ones are not worth reading.
const SHORT: usize = 1 << 16;

impl Message {
    /// Reads a message.
    pub fn read(text: &str) -> Result<Message, BadMessage> {
        // The keyword first: it takes much memory to read megabytes of junk into trees.
        let keyword = keyword(text)?;
        let has_rules = matches!(keyword.as_str(), "preview" | "start");
        if !has_rules && text.len() > SHORT {
            return Err(BadMessage::new(format!("`{keyword}` is too long: {} bytes", text.len())));
        }
        let mut symbols = Symbols::default();
        let trees = kif::read(text, &mut symbols).map_err(|e| BadMessage::new(e.message))?;
        let [Tree { shape: Shape::List(parts), .. }] = trees.as_slice() else {
            return Err(BadMessage::new("a message is one list"));
        };
        let reader = Reader { text, keyword: &keyword, parts };
        match keyword.as_str() {
            "info" | "ping" => Ok(Message::Info),
            "preview" => Ok(Message::Preview { rules: reader.rules(1)?, clock: reader.clock(2)? }),
            // More arguments may follow in future versions of the protocol.
            "start" => Ok(Message::Start {
                id: reader.word(1, "the name of a match")?,
                role: reader.word(2, "a role")?.to_lowercase(),
                rules: reader.rules(3)?,
                start: reader.clock(4)?,
                play: reader.clock(5)?,
            }),
            "play" => Ok(Message::Play {
                id: reader.word(1, "the name of a match")?,
                moves: reader.moves(2)?,
            }),
            "stop" => Ok(Message::Stop {
                id: reader.word(1, "the name of a match")?,
                moves: reader.moves(2)?,
            }),
            _ => Ok(Message::Abort { id: reader.word(1, "the name of a match")? }),
        }
    }
}

fn keyword(text: &str) -> Result<String, BadMessage> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let Some(inner) = text.strip_prefix('(') else {
        return Err(BadMessage::new("a message begins with `(`"));
    };
    let inner = inner.trim_start();
    let end = inner.find(|c: char| c.is_whitespace() || "();".contains(c)).unwrap_or(inner.len());
    // Cut before it is shown: junk may be long.
    let word: String = inner[..end].chars().take(20).collect::<String>().to_lowercase();
    match word.as_str() {
        "info" | "ping" | "preview" | "start" | "play" | "stop" | "abort" => Ok(word),
        _ => Err(BadMessage::new(format!("`{word}` is not a message of the protocol"))),
    }
}

struct Reader<'a> {
    text: &'a str,
    keyword: &'a str,
    parts: &'a [Tree],
}

impl<'a> Reader<'a> {
    fn part(&self, at: usize, what: &str) -> Result<&'a Tree, BadMessage> {
        self.parts.get(at).ok_or_else(|| self.wrong(at, what))
    }

    fn wrong(&self, at: usize, what: &str) -> BadMessage {
        BadMessage::new(format!("`{}` expects {what} as argument {at}", self.keyword))
    }

    fn word(&self, at: usize, what: &str) -> Result<String, BadMessage> {
        match self.part(at, what)? {
            Tree { shape: Shape::Name(_), span } => Ok(self.text[span.clone()].to_owned()),
            _ => Err(self.wrong(at, what)),
        }
    }

    /// The rules without the brackets around all of them.
    fn rules(&self, at: usize) -> Result<String, BadMessage> {
        match self.part(at, "a list of rules")? {
            Tree { shape: Shape::List(_), span } => {
                Ok(self.text[span.start + 1..span.end - 1].to_owned())
            }
            _ => Err(self.wrong(at, "a list of rules")),
        }
    }

    fn clock(&self, at: usize) -> Result<Duration, BadMessage> {
        let what = "a number of seconds";
        let seconds: u64 = self.word(at, what)?.parse().map_err(|_| self.wrong(at, what))?;
        // A clock of nothing leaves no time to answer at all.
        Ok(Duration::from_secs(seconds.clamp(1, LONGEST)))
    }

    fn moves(&self, at: usize) -> Result<Option<Vec<String>>, BadMessage> {
        match &self.part(at, "moves or `nil`")?.shape {
            // `nil` is written before the first move, and an empty list by some.
            Shape::Name(_) => match self.word(at, "moves")?.eq_ignore_ascii_case("nil") {
                true => Ok(None),
                false => Err(self.wrong(at, "moves or `nil`")),
            },
            Shape::List(list) if list.is_empty() => Ok(None),
            Shape::List(list) => {
                Ok(Some(list.iter().map(|t| self.text[t.span.clone()].to_owned()).collect()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_is_read_in_both_cases() {
        let seconds = Duration::from_secs;
        let all = [
            ("( INFO )", Message::Info),
            ("(ping)", Message::Info),
            (
                "(PREVIEW ((role a) (role b)) 7)",
                Message::Preview { rules: "(role a) (role b)".into(), clock: seconds(7) },
            ),
            (
                "( Start M.1 WHITE ((role white)\n) 30 99999999999)",
                Message::Start {
                    id: "M.1".into(),
                    role: "white".into(),
                    rules: "(role white)\n".into(),
                    start: seconds(30),
                    play: seconds(LONGEST),
                },
            ),
            ("(PLAY m NIL)", Message::Play { id: "m".into(), moves: None }),
            ("(play m ())", Message::Play { id: "m".into(), moves: None }),
            (
                "(play m ((mark 1 2) noop))",
                Message::Play {
                    id: "m".into(),
                    moves: Some(vec!["(mark 1 2)".into(), "noop".into()]),
                },
            ),
            ("(STOP m (a))", Message::Stop { id: "m".into(), moves: Some(vec!["a".into()]) }),
            ("(abort m)", Message::Abort { id: "m".into() }),
        ];
        for (text, message) in all {
            assert_eq!(Message::read(text).unwrap(), message, "{text}");
            let other = match text.contains("M.1") || text.contains("role") {
                true => continue,
                false => [text.to_lowercase(), text.to_uppercase()],
            };
            for text in other {
                let read = Message::read(&text).unwrap();
                assert_eq!(std::mem::discriminant(&read), std::mem::discriminant(&message));
            }
        }
    }

    #[test]
    fn bad_messages_say_why() {
        for (text, why) in [
            ("", "begins with"),
            ("info", "begins with"),
            ("(dance)", "`dance` is not a message"),
            ("()", "is not a message"),
            ("(info", "never closed"),
            ("(info) (info)", "one list"),
            ("(start a b)", "list of rules"),
            ("(start (a) b () 1 1)", "name of a match"),
            ("(start a b rules 1 1)", "list of rules"),
            ("(start a b () x 1)", "number of seconds"),
            ("(start a b () -1 1)", "number of seconds"),
            ("(start a b () 1)", "number of seconds"),
            ("(play a)", "moves"),
            ("(play a b)", "moves"),
            ("(stop)", "name of a match"),
            ("(abort (x))", "name of a match"),
            ("(preview () (1))", "number of seconds"),
        ] {
            let reason = Message::read(text).unwrap_err().reason;
            assert!(reason.contains(why), "{text}: {reason}");
        }
        let long = format!("(play m ({}))", "a ".repeat(SHORT));
        assert!(Message::read(&long).unwrap_err().reason.contains("bytes"));
    }
}
