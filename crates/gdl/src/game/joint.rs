//! A rulesheet as a game of joint moves: two roles, at the same time or in turn, whose goals add up
//! to the same in every end.

use std::sync::Arc;

use foregone_model::scene::Scene;
use foregone_model::{Joint, JointNotation, Rules, Side, TextError, rules_of_text};

use super::base::{self, Base, OfRulesheet};
use super::kernel::{Summary, Words};
use super::{JOINT_AND_CHANCE, Kind, Loaded, read_move, text};
use crate::stop::StopCheck;

/// A rulesheet as a game of joint moves.
#[derive(Clone, Debug)]
pub struct JointSheet {
    base: Base<JointSheet>,
}

/// A position, and what Max gets if the game is over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JointPosition {
    words: Words,
    payoff: Option<i64>,
}

impl JointSheet {
    /// The same game, which gives up making rules to check proofs with as soon as this says so: then
    /// nothing counts as proved.
    pub fn with_stop(mut self, stop: StopCheck) -> JointSheet {
        self.base.stop = stop;
        self
    }

    /// The game of a rulesheet, by the name that the user typed. The error says why there is none.
    pub fn new(name: &str, loaded: Arc<Loaded>) -> Result<JointSheet, String> {
        match loaded.kind {
            _ if loaded.has_chance() => Err(JOINT_AND_CHANCE.to_owned()),
            Kind::Joint | Kind::Turns => Ok(JointSheet { base: Base::new(name, loaded) }),
            Kind::Puzzle | Kind::Many | Kind::ManyJoint => {
                Err("joint moves are solved in games of two roles whose goals add up to the same \
                      total in every final state"
                    .to_owned())
            }
        }
    }

    /// What to tell a person about the rulesheet, a line each; see [`Loaded::warnings`].
    pub fn warnings(&self) -> Vec<String> {
        self.base.loaded.warnings()
    }

    fn position(&self, words: Words) -> JointPosition {
        let payoff = match self.base.loaded.kernel.summary(&words) {
            Ok(Summary { terminal: true, goals, .. }) => match goals.as_slice() {
                [Some(max), Some(min)] if *max < 0 || *min < 0 || max.max(min) > &100 => {
                    Some(self.report("some final state has a goal that is not from 0 to 100"))
                }
                [Some(max), Some(min)] if max + min == self.base.loaded.sum => {
                    Some(i64::from(*max))
                }
                _ => Some(
                    self.report("the goals do not add up to the same total in every final state"),
                ),
            },
            Ok(Summary { moves, .. }) if moves.iter().any(|m| m.0 == 0) => {
                Some(self.report("a role has no legal move in some state"))
            }
            Ok(_) => None,
            Err(error) => Some(self.report(&error.to_string())),
        };
        JointPosition { words, payoff }
    }

    /// Notes what the rules break. The game ends there, somehow: there will be no answer.
    fn report(&self, message: &str) -> i64 {
        self.base.report(message);
        0
    }
}

impl Joint for JointSheet {
    type State = JointPosition;
    type Move = u32;

    fn range(&self) -> (i64, i64) {
        (0, i64::from(self.base.loaded.sum))
    }

    fn start(&self) -> JointPosition {
        match self.base.loaded.kernel.start() {
            Ok(words) => self.position(words),
            Err(error) => {
                let payoff = Some(self.report(&error.to_string()));
                JointPosition { words: Words::Few([0; 4]), payoff }
            }
        }
    }

    fn payoff(&self, s: &JointPosition) -> Option<i64> {
        s.payoff
    }

    fn moves(&self, s: &JointPosition, side: Side, out: &mut Vec<u32>) {
        if let Err(error) = self.base.loaded.kernel.legal(&s.words, side.index(), out) {
            self.report(&error.to_string());
        }
    }

    fn play(&self, s: &mut JointPosition, max: u32, min: u32) {
        *s = match self.base.loaded.kernel.play(&s.words, &[max, min]) {
            Ok(words) => self.position(words),
            Err(error) => {
                let payoff = Some(self.report(&error.to_string()));
                JointPosition { words: s.words.clone(), payoff }
            }
        };
    }

    fn rules_violation(&self) -> Option<String> {
        self.base.violation()
    }
}

impl JointSheet {
    /// A picture of a position: facts with two coordinates as boards.
    pub fn scene(&self, s: &JointPosition) -> Scene {
        text::scene(&self.base.loaded.kernel.facts(&s.words))
    }
}

impl JointNotation for JointSheet {
    fn name(&self) -> String {
        self.base.name.clone()
    }

    fn players(&self) -> [&str; 2] {
        [&self.base.loaded.players[0], &self.base.loaded.players[1]]
    }

    fn write_move(&self, _s: &JointPosition, side: Side, m: u32, out: &mut String) {
        out.push_str(&text::word(&self.base.loaded.kernel.show(side.index(), m)));
    }

    fn parse_move(&self, _s: &JointPosition, side: Side, text: &str) -> Option<u32> {
        read_move(&self.base.loaded, side.index(), text)
    }

    fn write_position(&self, s: &JointPosition, out: &mut String) {
        out.push_str(&text::position(&self.base.loaded.kernel.facts(&s.words)));
    }

    fn read_position(&self, text: &str) -> Result<JointPosition, TextError> {
        base::read_position(self, text, JointSheet::position)
    }

    fn draw(&self, s: &JointPosition) -> String {
        text::draw(&self.base.loaded.kernel.facts(&s.words))
    }

    fn rules(&self) -> Rules {
        rules_of_text(self.base.loaded.text())
    }

    fn independent_rules(&self) -> Option<JointSheet> {
        Some(base::independent_rules(self))
    }
}

impl OfRulesheet for JointSheet {
    fn base(&self) -> &Base<JointSheet> {
        &self.base
    }

    fn with_base(&self, base: Base<JointSheet>) -> JointSheet {
        JointSheet { base }
    }

    fn of_machine(&self, loaded: Arc<Loaded>) -> Result<JointSheet, String> {
        JointSheet::new(&self.base.name, loaded)
    }
}
