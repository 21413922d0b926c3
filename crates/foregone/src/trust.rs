//! What a replay believes beside the rules.

use std::collections::{BTreeSet, HashMap};

use foregone_games::registry::Entry;
use foregone_model::certificate::{Beyond, Standing};
use foregone_model::{Agent, Claim, Endless, Guide, Notation, Side, Turn};

use crate::error::{Error, suggest};

/// What is believed beside the rules.
#[derive(Default)]
pub struct Trust<'a> {
    /// Nothing, not even reasons that are confirmed.
    pub rules_only: bool,
    /// Knowledge of any name, as far as the code that found it says so again.
    pub all: bool,
    /// Knowledge of these names.
    pub names: Vec<String>,
    /// Knowledge that a search by the rules alone proves.
    pub expand: Option<Expand<'a>>,
    /// The names of what was only recomputed.
    pub recomputed: BTreeSet<String>,
    /// Whether a search ran out of time or memory.
    pub ran_out: bool,
}

/// The limits of the searches that prove what knowledge says.
#[derive(Clone, Copy)]
pub struct Expand<'a> {
    /// Asked now and then: whether time is over.
    pub late: &'a dyn Fn() -> bool,
    /// Bytes that a search may hold.
    pub bytes: u64,
}

impl Trust<'_> {
    /// Refuses names that no knowledge of these games has.
    pub fn check_names(&self, games: &[Entry]) -> Result<(), Error> {
        let known: BTreeSet<&str> = games.iter().flat_map(|game| game.knowledge).copied().collect();
        match self.names.iter().find(|name| !known.contains(name.as_str())) {
            None => Ok(()),
            Some(name) => {
                let names: Vec<String> = known.into_iter().map(str::to_owned).collect();
                Err(Error::input(format!("there is no knowledge called `{name}`"))
                    .at("trust", name, 0..name.len())
                    .help(suggest(name, &names).unwrap_or_default()))
            }
        }
    }

    /// Whatever the game's own knowledge says: what `solve` replays its certificates with. The
    /// answer says what was only recomputed.
    pub fn everything() -> Trust<'static> {
        Trust { all: true, ..Trust::default() }
    }
}

impl<G: Guide + Notation> Beyond<G> for Trust<'_> {
    fn by_reason(&self) -> bool {
        !self.rules_only
    }

    fn vouch(&mut self, game: &G, s: &G::State, claim: Claim, rule: &str) -> Option<Standing> {
        if self.rules_only {
            return None;
        }
        if self.all || self.names.iter().any(|name| name == rule) {
            let says_so = game.known(s).is_some_and(|k| k.by == rule && k.meets(claim));
            if says_so {
                self.recomputed.insert(rule.to_owned());
                return Some(Standing::Recomputed);
            }
        }
        let expand = self.expand?;
        // By the rules alone a play that may never end cannot be followed to its end.
        if game.endless() != Endless::Impossible {
            return None;
        }
        let mut plain = Plain { game, claim, expand, found: HashMap::new(), asked: 0 };
        let holds = plain.holds(s, 0);
        self.ran_out = holds.is_none();
        holds?.then_some(Standing::Proved)
    }
}

/// The plainest search: all moves, by the rules alone, remembering positions. It shares nothing
/// with the searches whose proofs it replays.
struct Plain<'g, 'a, G: Notation> {
    game: &'g G,
    claim: Claim,
    expand: Expand<'a>,
    found: HashMap<G::State, bool>,
    asked: u64,
}

/// Plays longer than this are given up.
const DEEPEST: u32 = 5000;

impl<G: Guide + Notation> Plain<'_, '_, G> {
    /// Whether the claim holds in `s`; nothing when time or memory runs out.
    fn holds(&mut self, s: &G::State, depth: u32) -> Option<bool> {
        // What is claimed is sure: chance is on nobody's side.
        let (agent, own) = match self.game.turn(s) {
            Turn::Over => return Some(self.claim.met_by(self.game.outcome(s))),
            Turn::Agent(agent) => (agent, Side::of(agent) == self.claim.prover),
            Turn::Chance => (Agent::CHANCE, false),
        };
        if let Some(&holds) = self.found.get(s) {
            return Some(holds);
        }
        self.asked += 1;
        let late = self.asked.is_multiple_of(64) && (self.expand.late)();
        let bytes = self.found.len() * (std::mem::size_of::<G::State>() + 16) * 2;
        if late || depth > DEEPEST || bytes as u64 > self.expand.bytes {
            return None;
        }
        let mut moves = Vec::new();
        self.game.in_order(s, agent, &mut moves);
        let mut holds = !own;
        for &m in &moves {
            let mut next = s.clone();
            self.game.play(&mut next, agent, m);
            if self.holds(&next, depth + 1)? == own {
                holds = own;
                break;
            }
        }
        self.found.insert(s.clone(), holds);
        Some(holds)
    }
}
