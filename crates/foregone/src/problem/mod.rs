//! Problems as problemists know them: keys, tries with their refutations, set play, variations by
//! threat, duals. Plain data; `explore.rs` finds it out.
//!
//! The words are those of chess problems. They mean something in every game: a formula begins with a
//! choice of one side, the attack, and what follows is either forced on the other side, the defence,
//! or helped by it.

use serde::{Deserialize, Serialize};

pub(crate) mod explore;
pub mod written;

/// A move.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Ply {
    /// As certificates write it; coordinates in chess.
    #[serde(rename = "move")]
    pub text: String,
    /// As people who know the game write it, where that is something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
}

/// What was found about a problem besides whether it can be solved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The first moves that solve it, where the other side defends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<Attack>,
    /// All solutions, where both sides help or one side moves alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Line>,
    /// The first moves that fail to few defences, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tries: Option<Vec<Attack>>,
    /// What would happen if the other side began, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_play: Option<SetPlay>,
    /// Whether the budget, or a limit on what is written down, ended this before everything was found.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}

/// A move of the attack, and what it leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attack {
    /// The move.
    #[serde(flatten)]
    pub ply: Ply,
    /// What the attack does next if nothing is done about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threats: Vec<Attack>,
    /// Whether nothing is threatened, and every move of the defence is a mistake.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub zugzwang: bool,
    /// The defences and what follows them. Those that let all threats pass are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
    /// The defences to which a try fails.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refutations: Vec<Ply>,
}

/// A move of the defence, and what follows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variation {
    /// The move.
    #[serde(flatten)]
    pub ply: Ply,
    /// The shortest ways on, all of them. None where this move was the end that was wanted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub continuations: Vec<Attack>,
    /// Whether there is more than one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dual: bool,
}

/// A solution that is a line of play.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Line {
    /// The moves.
    pub moves: Vec<Ply>,
}

/// What would happen if the other side began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetPlay {
    /// The moves of the defence that have an answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
    /// The lines, where both sides help.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Line>,
}

impl Problem {
    /// The keys or lines as texts of certificates, sorted.
    pub fn key_texts(&self) -> Vec<String> {
        let line = |line: &Line| {
            let moves: Vec<&str> = line.moves.iter().map(|ply| ply.text.as_str()).collect();
            moves.join(" ")
        };
        let keys = self.keys.iter().map(|key| key.ply.text.clone());
        let mut texts: Vec<String> = keys.chain(self.lines.iter().map(line)).collect();
        texts.sort();
        texts.dedup();
        texts
    }

    /// The first moves of all solutions as texts of certificates, sorted.
    pub fn first_moves(&self) -> Vec<String> {
        let lines = self.lines.iter().filter_map(|line| line.moves.first());
        let keys = self.keys.iter().map(|key| &key.ply).chain(lines);
        let mut texts: Vec<String> = keys.map(|ply| ply.text.clone()).collect();
        texts.sort();
        texts.dedup();
        texts
    }
}
