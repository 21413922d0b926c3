//! Opponents who are known, in words.

use std::fmt;
use std::str::FromStr;

use foregone_model::{Agent, Guide, Notation};
use foregone_search::chance::Opponent;
use foregone_search::chance::opponent::{Habit, Policy};

use super::script::Script;
use crate::error::{Error, suggest};

/// One or several opponents, each with a weight: at each of its moves one of them is drawn.
///
/// The text is a list: `random`, `ahead(2)`, `first:1,ahead(3):4`, `proof`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opponents(Vec<(Way, u32)>);

/// One way to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Habit(Habit),
    /// As the job's certificate says.
    Proof,
}

/// How far an opponent may look ahead.
const DEEPEST: u32 = 100;

impl Opponents {
    /// Their words, each with what it means.
    pub const WORDS: [(&'static str, &'static str); 4] = [
        ("random", "any move, each as often as the others"),
        ("first", "the first move in the order of the rules"),
        (
            "ahead(N)",
            "the move that looks best N moves ahead, by the game's evaluation at the leaves",
        ),
        ("proof", "the strategy of a certificate; any move where it has none"),
    ];

    /// What they play against this agent.
    pub(super) fn known<G: Guide + Notation>(
        &self,
        game: &G,
        max: Agent,
        proof: &str,
    ) -> Result<Known<G>, Error> {
        let mut known = Known { ways: Vec::new() };
        for &(way, weight) in &self.0 {
            let way = match way {
                Way::Habit(habit) => Plays::Habit(Policy { habits: vec![(habit, 1)] }),
                Way::Proof => Plays::Script(Script::read(game, proof, max)?),
            };
            known.ways.push((way, u64::from(weight)));
        }
        Ok(known)
    }
}

/// Opponents of a game.
pub(super) struct Known<G: Notation> {
    ways: Vec<(Plays<G>, u64)>,
}

enum Plays<G: Notation> {
    Habit(Policy),
    Script(Script<G>),
}

impl<G: Guide + Notation> Opponent<G> for Known<G> {
    fn weights(&self, game: &G, s: &G::State, agent: Agent, moves: &[G::Move]) -> Option<Vec<u64>> {
        // A random one of n moves is one of n parts.
        let parts = moves.len() as u64;
        let mut all = vec![0u64; moves.len()];
        for (way, weight) in &self.ways {
            let weights = match way {
                Plays::Habit(policy) => policy.weights(game, s, agent, moves)?,
                Plays::Script(script) => match script.get(s) {
                    Some(played) => moves.iter().map(|m| parts * u64::from(*m == played)).collect(),
                    None => vec![1; moves.len()],
                },
            };
            // Those of each way add up to as many parts as there are moves.
            for (sum, w) in all.iter_mut().zip(&weights) {
                *sum += weight * w;
            }
        }
        Some(all)
    }
}

impl fmt::Display for Opponents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (habit, weight)) in self.0.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { "," })?;
            match habit {
                Way::Habit(Habit::Random) => f.write_str("random"),
                Way::Habit(Habit::First) => f.write_str("first"),
                Way::Habit(Habit::Ahead(plies)) => write!(f, "ahead({plies})"),
                Way::Proof => f.write_str("proof"),
            }?;
            if self.0.len() > 1 || *weight != 1 {
                write!(f, ":{weight}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Opponents {
    type Err = Error;

    fn from_str(text: &str) -> Result<Opponents, Error> {
        let mut habits = Vec::new();
        let mut at = 0;
        for part in text.split(',') {
            let wrong = |message: String| {
                let words: Vec<String> = Opponents::WORDS.map(|(word, _)| word.to_owned()).to_vec();
                Error::input(message)
                    .at("opponent", text, at..at + part.len())
                    .help(suggest(part, &words).unwrap_or_default())
            };
            let (word, weight) = part.split_once(':').unwrap_or((part, "1"));
            let plain = weight.bytes().all(|b| b.is_ascii_digit());
            let weight = weight.parse().ok().filter(|w| plain && (1..=1_000_000).contains(w));
            let weight =
                weight.ok_or_else(|| wrong(format!("the weight of `{part}` is 1 to 1000000")))?;
            let ahead = word.strip_prefix("ahead(").and_then(|rest| rest.strip_suffix(')'));
            let habit = match (word, ahead) {
                ("random", _) => Way::Habit(Habit::Random),
                ("first", _) => Way::Habit(Habit::First),
                ("proof", _) => Way::Proof,
                (_, Some(plies)) => {
                    let plies = plies.parse().ok().filter(|plies| (1..=DEEPEST).contains(plies));
                    let form = || wrong(format!("an opponent looks 1 to {DEEPEST} moves ahead"));
                    Way::Habit(Habit::Ahead(plies.ok_or_else(form)?))
                }
                _ => return Err(wrong(format!("`{word}` is not an opponent"))),
            };
            habits.push((habit, weight));
            at += part.len() + 1;
        }
        Ok(Opponents(habits))
    }
}
