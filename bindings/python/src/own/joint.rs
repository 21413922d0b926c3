//! A game of Python's whose two players move at the same time, now and then or always.

use foregone::model::{Joint, JointNotation, JointTyped, Rules, Side, TextError};

use super::table::Kind;
use super::value::Payoffs;
use super::{Own, START};

/// The rules.
pub(crate) struct JointRules {
    own: Own,
    payoffs: Payoffs,
}

impl JointRules {
    /// The rules of a game with these payoffs.
    pub(crate) fn new(own: Own, payoffs: Payoffs) -> JointRules {
        JointRules { own, payoffs }
    }
}

impl Joint for JointRules {
    type State = u32;
    type Move = u32;

    fn unit(&self) -> i64 {
        self.payoffs.unit
    }

    fn range(&self) -> (i64, i64) {
        self.payoffs.range
    }

    fn start(&self) -> u32 {
        0
    }

    fn payoff(&self, s: &u32) -> Option<i64> {
        match self.own.look(*s) {
            Kind::Over(value) => {
                Some(self.payoffs.list.get(value as usize).copied().unwrap_or(self.payoffs.range.0))
            }
            _ => None,
        }
    }

    fn moves(&self, s: &u32, side: Side, out: &mut Vec<u32>) {
        out.extend(0..self.own.counts(*s)[side.index()]);
    }

    fn play(&self, s: &mut u32, max: u32, min: u32) {
        *s = self.own.follow(*s, max, min);
    }

    fn rules_violation(&self) -> Option<String> {
        self.own.violation()
    }
}

impl JointNotation for JointRules {
    fn name(&self) -> String {
        self.own.0.name.clone()
    }

    fn players(&self) -> [&str; 2] {
        [0, 1].map(|at| self.own.0.players.get(at).map_or("", String::as_str))
    }

    fn write_move(&self, s: &u32, side: Side, m: u32, out: &mut String) {
        if let Some(text) = self.own.texts(*s)[side.index()].get(m as usize) {
            out.push_str(text);
        }
    }

    fn parse_move(&self, s: &u32, side: Side, text: &str) -> Option<u32> {
        self.own.texts(*s)[side.index()].iter().position(|t| t == text).map(|at| at as u32)
    }

    fn write_position(&self, s: &u32, out: &mut String) {
        out.push_str(&self.own.position_text(*s));
    }

    fn read_position(&self, text: &str) -> Result<u32, TextError> {
        if self.own.0.methods.position.is_some() || !(text == START || text.starts_with("moves:")) {
            return self.own.read(text).map_err(|e| TextError::new(e, 0..text.len()));
        }
        let id = self.read_position_or_moves(text)?;
        let mut path = Vec::new();
        let mut at = 0;
        let words = text.strip_prefix("moves:").unwrap_or_default();
        for word in words.split(',').filter(|word| !word.trim().is_empty()) {
            let Ok((max, min)) = self.read_pair(&at, word) else { break };
            let width = self.own.counts(at)[1];
            path.push((at, max * width + min));
            at = self.own.follow(at, max, min);
        }
        self.own.named_by(&path, id);
        Ok(id)
    }

    fn draw(&self, s: &u32) -> String {
        self.own.draw(*s)
    }

    fn rules(&self) -> Rules {
        self.own.0.rules.clone()
    }
}
