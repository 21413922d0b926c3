//! A game of Python's whose players move in turn, with or without chance.

use foregone::model::{
    Agent, Endless, Game, Guide, Notation, Outcome, Rules, Scale, TextError, Turn, Typed,
};

use super::table::Kind;
use super::value::Ends;
use super::{Own, START};

/// The rules.
pub(crate) struct TurnRules {
    own: Own,
    ends: Ends,
    /// The names of Max and Min.
    sides: [String; 2],
}

/// Who holds in certificates of one player that more cannot be reached.
const NOBODY: &str = "nobody";
/// All players but one.
const OTHERS: &str = "others";

impl TurnRules {
    /// The rules of a game with these outcomes.
    pub(crate) fn new(own: Own, ends: Ends) -> TurnRules {
        let sides = match &own.0.players[..] {
            [first] => [first.clone(), NOBODY.to_owned()],
            [first, second] => [first.clone(), second.clone()],
            several => [several.first().cloned().unwrap_or_default(), OTHERS.to_owned()],
        };
        TurnRules { own, ends, sides }
    }
}

impl Game for TurnRules {
    type State = u32;
    type Move = u32;

    fn scale(&self) -> Scale {
        self.ends.scale.clone()
    }

    fn endless(&self) -> Endless {
        self.own.endless(|value| self.ends.outcome(value))
    }

    fn start(&self) -> u32 {
        0
    }

    fn turn(&self, s: &u32) -> Turn {
        match self.own.look(*s) {
            Kind::Player(player) => Turn::Agent(Agent(player)),
            Kind::Chance => Turn::Chance,
            Kind::Over(_) | Kind::New | Kind::Both => Turn::Over,
        }
    }

    fn moves(&self, s: &u32, _agent: Agent, out: &mut Vec<u32>) {
        out.extend(0..self.own.counts(*s)[0]);
    }

    fn play(&self, s: &mut u32, _agent: Agent, m: u32) {
        *s = self.own.follow(*s, m, 0);
    }

    fn outcome(&self, s: &u32) -> Outcome {
        match self.own.look(*s) {
            Kind::Over(value) => self.ends.outcome(value),
            _ => Outcome(0),
        }
    }

    fn has_chance(&self) -> bool {
        self.own.0.methods.chances.is_some()
    }

    fn weight(&self, s: &u32, m: u32) -> u64 {
        self.own.weight(*s, m)
    }

    fn agents(&self) -> u8 {
        self.own.0.players.len().max(2) as u8
    }

    fn score(&self, outcome: Outcome, agent: Agent) -> i64 {
        match self.ends.scores(outcome) {
            Some(scores) => scores.get(usize::from(agent.0)).copied().unwrap_or(0),
            None => self.ends.scale.zero_sum(outcome, agent),
        }
    }

    fn won(&self, outcome: Outcome, agent: Agent) -> bool {
        let scale = &self.ends.scale;
        if let Some(scores) = self.ends.scores(outcome) {
            let own = scores.get(usize::from(agent.0)).copied();
            let (most, least) = (scores.iter().max().copied(), scores.iter().min().copied());
            return own == most && most > least;
        }
        match (scale.score(outcome), agent == Agent::FIRST) {
            (Some(score), true) => score > 0,
            (Some(score), false) => score < 0,
            (None, true) => outcome == scale.best(),
            (None, false) => outcome == Outcome(0),
        }
    }

    fn rules_violation(&self) -> Option<String> {
        self.own.violation()
    }
}

impl Guide for TurnRules {
    type Packed = u32;

    fn pack(&self, s: &u32) -> u32 {
        *s
    }

    fn mobility(&self, s: &u32, _agent: Agent) -> u32 {
        self.own.counts(*s)[0]
    }
}

impl Notation for TurnRules {
    fn name(&self) -> String {
        self.own.0.name.clone()
    }

    fn players(&self) -> [&str; 2] {
        self.sides.each_ref().map(String::as_str)
    }

    fn agent_name(&self, agent: Agent) -> &str {
        match self.own.0.players.get(usize::from(agent.0)) {
            Some(name) => name,
            None if agent == Agent::CHANCE => super::CHANCE,
            None => &self.sides[1],
        }
    }

    fn one_player(&self) -> bool {
        self.own.0.players.len() == 1
    }

    fn write_move(&self, s: &u32, m: u32, out: &mut String) {
        if let Some(text) = self.own.texts(*s)[0].get(m as usize) {
            out.push_str(text);
        }
    }

    fn parse_move(&self, s: &u32, text: &str) -> Option<u32> {
        self.own.texts(*s)[0].iter().position(|t| t == text).map(|at| at as u32)
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
        for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let Some(m) = self.parse_move(&at, word) else { break };
            path.push((at, m));
            at = self.own.follow(at, m, 0);
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
