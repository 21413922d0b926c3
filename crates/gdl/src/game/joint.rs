//! A rulesheet as a game of joint moves: two roles, at the same time or in turn, whose goals add up
//! to the same in every end.

use std::sync::{Arc, OnceLock};

use foregone_model::{Joint, JointNotation, Rules, Side, TextError, rules_of_text};

use super::kernel::{Seen, Words};
use super::{Kind, Loaded, read_facts, read_move, text, write_facts};

/// A rulesheet as a game of joint moves.
#[derive(Clone, Debug)]
pub struct JointSheet {
    name: String,
    loaded: Arc<Loaded>,
    trouble: Arc<OnceLock<String>>,
    /// The same by other rules, once it was asked for.
    independent: Arc<OnceLock<Box<JointSheet>>>,
}

/// A position, and what Max gets if the game is over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JointPosition {
    words: Words,
    payoff: Option<i64>,
}

impl JointSheet {
    /// The game of a rulesheet, by the name that one typed. The error says why there is none.
    pub fn new(name: &str, loaded: Arc<Loaded>) -> Result<JointSheet, String> {
        match loaded.kind {
            Kind::Joint | Kind::Turns => Ok(JointSheet {
                name: name.to_owned(),
                loaded,
                trouble: Arc::default(),
                independent: Arc::default(),
            }),
            _ => {
                Err("joint moves are solved in games of two roles whose goals add up to the same \
                      in every end"
                    .to_owned())
            }
        }
    }

    /// What is to be said about the rulesheet, a line each; see [`Loaded::warnings`].
    pub fn warnings(&self) -> Vec<String> {
        self.loaded.warnings()
    }

    fn position(&self, words: Words) -> JointPosition {
        let payoff = match self.loaded.kernel.see(&words) {
            Ok(Seen { terminal: true, goals, .. }) => match goals.as_slice() {
                [Some(max), Some(min)] if *max < 0 || *min < 0 || max.max(min) > &100 => {
                    Some(self.complain("the goals of some end do not go from 0 to 100"))
                }
                [Some(max), Some(min)] if max + min == self.loaded.sum => Some(i64::from(*max)),
                _ => Some(self.complain("the goals do not add up to the same in every end")),
            },
            Ok(Seen { moves, .. }) if moves.iter().any(|m| m.0 == 0) => {
                Some(self.complain("a role has no legal move in some state"))
            }
            Ok(_) => None,
            Err(trouble) => Some(self.complain(&trouble.to_string())),
        };
        JointPosition { words, payoff }
    }

    fn complain(&self, message: &str) -> i64 {
        // The first one is told.
        let _ = self.trouble.set(message.to_owned());
        0
    }
}

impl Joint for JointSheet {
    type State = JointPosition;
    type Move = u32;

    fn range(&self) -> (i64, i64) {
        (0, i64::from(self.loaded.sum))
    }

    fn start(&self) -> JointPosition {
        match self.loaded.kernel.start() {
            Ok(words) => self.position(words),
            Err(trouble) => {
                let payoff = Some(self.complain(&trouble.to_string()));
                JointPosition { words: Words::Few([0; 4]), payoff }
            }
        }
    }

    fn payoff(&self, s: &JointPosition) -> Option<i64> {
        s.payoff
    }

    fn moves(&self, s: &JointPosition, side: Side, out: &mut Vec<u32>) {
        if let Err(trouble) = self.loaded.kernel.legal(&s.words, side.index(), out) {
            self.complain(&trouble.to_string());
        }
    }

    fn play(&self, s: &mut JointPosition, max: u32, min: u32) {
        *s = match self.loaded.kernel.play(&s.words, &[max, min]) {
            Ok(words) => self.position(words),
            Err(trouble) => {
                let payoff = Some(self.complain(&trouble.to_string()));
                JointPosition { words: s.words.clone(), payoff }
            }
        };
    }

    fn rules_violation(&self) -> Option<String> {
        self.trouble.get().cloned()
    }
}

impl JointNotation for JointSheet {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn players(&self) -> [&str; 2] {
        [&self.loaded.roles[0], &self.loaded.roles[1]]
    }

    fn write_move(&self, _s: &JointPosition, side: Side, m: u32, out: &mut String) {
        out.push_str(&text::word(&self.loaded.kernel.show(side.index(), m)));
    }

    fn parse_move(&self, _s: &JointPosition, side: Side, text: &str) -> Option<u32> {
        read_move(&self.loaded, side.index(), text)
    }

    fn write_position(&self, s: &JointPosition, out: &mut String) {
        out.push_str(&write_facts(&self.loaded, &s.words));
    }

    fn read_position(&self, text: &str) -> Result<JointPosition, TextError> {
        // A position that somebody typed says nothing about the others.
        let fresh = JointSheet { trouble: Arc::default(), ..self.clone() };
        let position = fresh.position(read_facts(&self.loaded, text)?);
        match fresh.rules_violation() {
            Some(message) => Err(TextError::new(message, 0..text.len())),
            None => Ok(position),
        }
    }

    fn draw(&self, s: &JointPosition) -> String {
        text::draw(&self.loaded.kernel.facts(&s.words))
    }

    fn rules(&self) -> Rules {
        rules_of_text(self.loaded.text())
    }

    fn independent_rules(&self) -> Option<JointSheet> {
        let sheet = self.independent.get_or_init(|| Box::new(self.by_interpreter()));
        // What one proof finds wrong is no matter of the next one.
        Some(JointSheet { trouble: Arc::new((*sheet.trouble).clone()), ..(**sheet).clone() })
    }
}

impl JointSheet {
    /// The same rulesheet by the interpreter, which finds out for itself what kind of game it is.
    fn by_interpreter(&self) -> JointSheet {
        let (loaded, wrong) = self.loaded.apart();
        let loaded = Arc::new(loaded);
        let found = JointSheet::new(&self.name, loaded.clone());
        let wrong = wrong.or_else(|| found.as_ref().err().cloned());
        let sheet = found.unwrap_or_else(|_| JointSheet {
            loaded,
            trouble: Arc::default(),
            ..self.clone()
        });
        if let Some(wrong) = wrong {
            sheet.complain(&wrong);
        }
        sheet
    }
}
