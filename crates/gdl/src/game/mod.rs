//! A rulesheet as a game that every solver takes.
//!
//! A game automaton (thesis *Game Description Language Compilation*, section 2.1) is turn taking if
//! at most one player has more than one move in every state, and zero-sum if the goals of two add
//! up to the same in every end. Random plays show both first and say what kind of game this is.
//! Then every state that a search meets is held to it: where the rules turn out to be otherwise
//! there is a [`Game::rules_violation`] and no answer. More than two roles are agents of their own,
//! or one of them against all others (the *paranoid reduction* of the same section).

use std::cmp::Ordering;
use std::sync::Arc;

use foregone_model::scene::Scene;
use foregone_model::{
    Agent, Endless, Game, Guide, Notation, Outcome, Rng, Rules, Scale, TextError, Turn,
    rules_of_text,
};

use self::base::{Base, OfRulesheet};
use self::ends::Ends;
use self::kernel::{Summary, Words};
use self::survey::MAX_MOVES;
use crate::stop::StopCheck;

mod base;
mod ends;
mod joint;
mod kernel;
mod loaded;
mod survey;
mod text;

pub use joint::JointSheet;
pub use loaded::{LoadError, Loaded};

/// What a state means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// This role moves.
    Turn(u8),
    /// The game is over, with this outcome.
    Over(u16),
}

/// A position of a rulesheet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    words: Words,
    status: Status,
}

/// Whose goals count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stakes {
    /// Those of one role, whatever the others get.
    One(usize),
    /// Those of this role; the other one gets the rest of this sum.
    Two(usize, i32),
    /// Everybody's: an outcome is the set of those who get most.
    All,
}

/// What kind of game a rulesheet is, as far as random plays show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One role.
    Puzzle,
    /// Two roles move in turn, and what one gets the other loses.
    Turns,
    /// Two roles move at the same time, and what one gets the other loses.
    Joint,
    /// Roles move in turn, and there are more than two of them or their goals do not add up.
    Many,
    /// Roles move at the same time, and there are more than two of them or their goals do not add
    /// up.
    ManyJoint,
}

/// A rulesheet as a game in turn.
#[derive(Clone, Debug)]
pub struct Sheet {
    base: Base<Sheet>,
    stakes: Stakes,
    /// The outcomes of these stakes.
    ends: Arc<Ends>,
}

impl Sheet {
    /// The same game, which gives up making rules to check proofs with as soon as this says so: then
    /// nothing counts as proved.
    pub fn with_stop(mut self, stop: StopCheck) -> Sheet {
        self.base.stop = stop;
        self
    }

    /// The game of a rulesheet, by the name that the user typed; `hero` is the role whose goals
    /// alone count, against all others. The error says why there is none.
    pub fn new(name: &str, loaded: Arc<Loaded>, hero: Option<&str>) -> Result<Sheet, String> {
        let stakes = match (hero, loaded.kind) {
            (Some(hero), Kind::Puzzle | Kind::Turns | Kind::Many) => {
                let role = loaded.roles.iter().position(|r| r == hero);
                Stakes::One(role.ok_or_else(|| format!("there is no role `{hero}`"))?)
            }
            (None, Kind::Puzzle) => Stakes::One(0),
            (None, Kind::Turns) => Stakes::Two(loaded.first, loaded.sum),
            (None, Kind::Many) if loaded.roles.len() > MAX_ROLES => {
                return Err(format!(
                    "there are {} roles, more than {MAX_ROLES}: ask for one of them",
                    loaded.roles.len()
                ));
            }
            (None, Kind::Many) if loaded.roles.len() == 2 => {
                // A role that cares only about its own goals does not play against the other.
                return Err(
                    "the goals of the two roles do not add up to the same total in every final state: \
                     ask for one of them against the other"
                        .into(),
                );
            }
            (None, Kind::Many) => Stakes::All,
            (_, Kind::Joint) => {
                return Err(
                    "both players move at the same time, so this is not a game in turn".into()
                );
            }
            (_, Kind::ManyJoint) => {
                return Err("players move at the same time, but they are not two whose goals add \
                            up to the same total in every final state: no solver takes such a game"
                    .into());
            }
        };
        let ends = Arc::new(Ends::new(stakes, loaded.roles(), &loaded.goals));
        Ok(Sheet { base: Base::new(name, loaded), stakes, ends })
    }

    /// What to tell a person about the rulesheet, a line each; see [`Loaded::warnings`].
    pub fn warnings(&self) -> Vec<String> {
        self.base.loaded.warnings()
    }

    /// Notes what the rules break. The game ends there, somehow: there will be no answer.
    fn report(&self, message: &str) -> Status {
        self.base.report(message);
        Status::Over(0)
    }

    /// What a state means.
    fn judge(&self, summary: &Summary) -> Status {
        if summary.terminal {
            return self.end(summary);
        }
        let choosing = summary.moves.iter().filter(|m| m.0 > 1).count();
        if choosing > 1 {
            return self.report("two roles have a choice at the same time in some state");
        }
        if let Some(role) = summary.moves.iter().position(|m| m.0 == 0) {
            let name = &self.base.loaded.roles[role];
            return self.report(&format!("{name} has no legal move in some state"));
        }
        let chooses = summary.moves.iter().position(|m| m.0 > 1);
        let acts = |role: usize, m: u32| {
            !self.base.loaded.survey.waits[role].contains(&self.base.loaded.kernel.show(role, m))
        };
        let role = chooses
            .or_else(|| (0..summary.moves.len()).find(|&r| acts(r, summary.moves[r].1)))
            .unwrap_or(0);
        Status::Turn(role as u8)
    }

    fn end(&self, summary: &Summary) -> Status {
        let goals: Option<Vec<i32>> = summary.goals.iter().copied().collect();
        let Some(goals) = goals else {
            return self.report("some final state gives a role no goal, or two");
        };
        match self.ends.outcome(self.stakes, &goals) {
            Ok(outcome) => Status::Over(outcome.0),
            Err(message) => self.report(&message),
        }
    }

    fn position(&self, words: Words) -> Position {
        let status = match self.base.loaded.kernel.summary(&words) {
            Ok(summary) => self.judge(&summary),
            Err(error) => self.report(&error.to_string()),
        };
        Position { words, status }
    }

    fn role_of(&self, s: &Position) -> usize {
        match s.status {
            Status::Turn(role) => usize::from(role),
            Status::Over(_) => 0,
        }
    }

    /// The role whose goals Max wants.
    fn max(&self) -> usize {
        match self.stakes {
            Stakes::One(role) | Stakes::Two(role, _) => role,
            Stakes::All => 0,
        }
    }
}

/// Sets of more roles have more outcomes than fit.
const MAX_ROLES: usize = 8;

impl Game for Sheet {
    type State = Position;
    type Move = u32;

    fn scale(&self) -> Scale {
        self.ends.scale().clone()
    }

    fn endless(&self) -> Endless {
        // Nothing in a rulesheet promises that a state does not come up again.
        Endless::Undetermined
    }

    fn start(&self) -> Position {
        match self.base.loaded.kernel.start() {
            Ok(words) => self.position(words),
            Err(error) => {
                let status = self.report(&error.to_string());
                Position { words: Words::Few([0; 4]), status }
            }
        }
    }

    fn turn(&self, s: &Position) -> Turn {
        match (s.status, self.stakes) {
            (Status::Over(_), _) => Turn::Over,
            (Status::Turn(role), Stakes::All) => Turn::Agent(Agent(role)),
            (Status::Turn(role), _) => {
                Turn::Agent(Agent(u8::from(usize::from(role) != self.max())))
            }
        }
    }

    fn moves(&self, s: &Position, agent: Agent, out: &mut Vec<u32>) {
        let role = match self.stakes {
            Stakes::All => usize::from(agent.0),
            _ => self.role_of(s),
        };
        if let Err(error) = self.base.loaded.kernel.legal(&s.words, role, out) {
            self.report(&error.to_string());
        }
    }

    fn play(&self, s: &mut Position, _agent: Agent, m: u32) {
        let role = self.role_of(s);
        match self.base.loaded.kernel.child(&s.words, role, m, &|summary| self.judge(summary)) {
            Ok((words, status)) => *s = Position { words, status },
            Err(error) => s.status = self.report(&error.to_string()),
        }
    }

    fn outcome(&self, s: &Position) -> Outcome {
        match s.status {
            Status::Over(outcome) => Outcome(outcome),
            Status::Turn(_) => Outcome(0),
        }
    }

    fn agents(&self) -> u8 {
        match self.stakes {
            Stakes::All => self.base.loaded.roles.len() as u8,
            _ => 2,
        }
    }

    fn score(&self, outcome: Outcome, agent: Agent) -> i64 {
        match self.stakes {
            Stakes::All => i64::from(self.won(outcome, agent)),
            Stakes::One(_) | Stakes::Two(..) => self.ends.scale().zero_sum(outcome, agent),
        }
    }

    fn won(&self, outcome: Outcome, agent: Agent) -> bool {
        match self.stakes {
            Stakes::All => {
                let last = self.base.loaded.roles.len() - 1;
                usize::from(outcome.0) >> (last - usize::from(agent.0)) & 1 == 1
            }
            _ => {
                let wanted = if agent.0 == 0 { Ordering::Greater } else { Ordering::Less };
                self.ends.ahead(outcome) == Some(wanted)
            }
        }
    }

    fn rules_violation(&self) -> Option<String> {
        self.base.violation()
    }
}

impl Guide for Sheet {
    type Packed = Words;

    const PACKS_TURN: bool = true;

    fn pack(&self, s: &Position) -> Words {
        s.words.clone()
    }

    fn playout(&self, s: Position, rng: &mut Rng) -> Option<Outcome> {
        if let Status::Over(outcome) = s.status {
            return Some(Outcome(outcome));
        }
        let tally = self.base.loaded.kernel.playouts(&s.words, 1, MAX_MOVES, rng);
        let goals = match tally {
            Ok(tally) if tally.plays == 1 => tally.goals.iter().map(|&g| Some(g as i32)).collect(),
            _ => return None,
        };
        match self.end(&Summary { terminal: true, goals, moves: Vec::new() }) {
            Status::Over(outcome) => Some(Outcome(outcome)),
            Status::Turn(_) => None,
        }
    }
}

impl Sheet {
    /// A picture of a position: facts with two coordinates as boards.
    pub fn scene(&self, s: &Position) -> Scene {
        text::scene(&self.base.loaded.kernel.facts(&s.words))
    }
}

impl Notation for Sheet {
    fn name(&self) -> String {
        self.base.name.clone()
    }

    fn players(&self) -> [&str; 2] {
        let roles = &self.base.loaded.roles;
        let max = self.max();
        match roles.as_slice() {
            [_] => [&roles[0], text::NOBODY],
            [a, b] => {
                if max == 0 {
                    [a, b]
                } else {
                    [b, a]
                }
            }
            _ => [&roles[max], text::OTHERS],
        }
    }

    fn agent_name(&self, agent: Agent) -> &str {
        match self.stakes {
            Stakes::All => &self.base.loaded.roles[usize::from(agent.0)],
            _ => self.players()[usize::from(agent.0 != 0)],
        }
    }

    fn one_player(&self) -> bool {
        self.base.loaded.roles.len() == 1
    }

    fn write_move(&self, s: &Position, m: u32, out: &mut String) {
        out.push_str(&text::word(&self.base.loaded.kernel.show(self.role_of(s), m)));
    }

    fn parse_move(&self, s: &Position, text: &str) -> Option<u32> {
        read_move(&self.base.loaded, self.role_of(s), text)
    }

    fn write_position(&self, s: &Position, out: &mut String) {
        out.push_str(&write_facts(&self.base.loaded, &s.words));
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        base::read_position(self, text, Sheet::position)
    }

    fn draw(&self, s: &Position) -> String {
        text::draw(&self.base.loaded.kernel.facts(&s.words))
    }

    fn rules(&self) -> Rules {
        rules_of_text(self.base.loaded.text())
    }

    fn independent_rules(&self) -> Option<Sheet> {
        Some(base::independent_rules(self))
    }
}

impl OfRulesheet for Sheet {
    fn base(&self) -> &Base<Sheet> {
        &self.base
    }

    fn with_base(&self, base: Base<Sheet>) -> Sheet {
        Sheet { base, ..self.clone() }
    }

    fn of_machine(&self, loaded: Arc<Loaded>) -> Result<Sheet, String> {
        // The outcomes are those of the kind of game that the machine finds.
        let hero = match self.stakes {
            Stakes::One(role) => self.base.loaded.roles.get(role).map(String::as_str),
            Stakes::Two(..) | Stakes::All => None,
        };
        Sheet::new(&self.base.name, loaded, hero)
    }
}

/// The move of a word. Every move has one word.
fn read_move(loaded: &Loaded, role: usize, word: &str) -> Option<u32> {
    let m = loaded.kernel.read(role, &text::kif(word)?)?;
    (text::word(&loaded.kernel.show(role, m)) == word).then_some(m)
}

/// The facts of a position on one line; `()` if there are none.
fn write_facts(loaded: &Loaded, words: &Words) -> String {
    text::position(&loaded.kernel.facts(words))
}

fn read_facts(loaded: &Loaded, text: &str) -> Result<Words, TextError> {
    let mut symbols = loaded.symbols();
    if text.trim() == "()" {
        return loaded.kernel.state(&[]);
    }
    let trees = crate::kif::read(text, &mut symbols)?;
    let facts: Vec<(String, usize)> =
        trees.iter().map(|t| (text[t.span.clone()].to_owned(), t.span.start)).collect();
    loaded.kernel.state(&facts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two roles walk down a corridor by turns; who leaves it ends the game. Only at its very end,
    /// which random plays hardly ever reach, the rules are `last`.
    fn corridor(last: &str) -> Sheet {
        let mut text = String::from(
            "(role a) (role b) (other a b) (other b a) (init (at 0)) (init (turn a))
             (<= (legal ?p on) (true (turn ?p)) (not end))
             (<= (legal ?p out) (true (turn ?p)) (not end))
             (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
             (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does ?p on))
             (<= (next left) (does ?p out))
             (<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
             (<= terminal (true left)) (<= (goal ?p 100) (true left) (true (turn ?p)))
             (<= (goal ?p 0) (true left) (other ?p ?q) (true (turn ?q)))
             (<= end (true (at 24)))",
        );
        (0..24).for_each(|n| text.push_str(&format!("(succ {n} {})", n + 1)));
        text.push_str(last);
        let loaded = Loaded::new(&text, None).unwrap();
        assert_eq!(loaded.kind(), Kind::Turns);
        Sheet::new("gdl:corridor", Arc::new(loaded), None).unwrap()
    }

    /// Walks to the end of the corridor.
    fn walk(game: &Sheet) -> Position {
        let mut s = game.start();
        for _ in 0..24 {
            assert_eq!(game.rules_violation(), None);
            let Some(agent) = game.turn(&s).mover() else { panic!("{s:?}") };
            let on = game.parse_move(&s, "on").unwrap();
            game.play(&mut s, agent, on);
        }
        s
    }

    #[test]
    fn rules_that_turn_out_to_be_otherwise_are_violations() {
        for (last, said) in [
            ("", "a has no legal move in some state"),
            (
                "(<= (legal ?p x) (role ?p) end) (<= (legal ?p y) (role ?p) end)",
                "two roles have a choice",
            ),
            ("(<= terminal end) (<= (goal ?p 100) (role ?p) end)", "do not add up"),
            ("(<= terminal end)", "gives a role no goal, or two"),
            (
                "(<= terminal end) (<= (goal ?p ?n) end (value ?p ?n)) (value a 170) (value b -70)",
                "the goal 170",
            ),
        ] {
            let game = corridor(last);
            walk(&game);
            let violation = game.rules_violation().unwrap();
            assert!(violation.contains(said), "{last}: {violation}");
            // The interpreter that checks proofs sees it, too.
            let independent = game.independent_rules().unwrap();
            walk(&independent);
            assert_eq!(independent.rules_violation(), Some(violation));
        }
        let game = corridor("(<= terminal end) (<= (goal a 100) end) (<= (goal b 0) end)");
        let end = walk(&game);
        assert_eq!((game.turn(&end), game.rules_violation()), (Turn::Over, None));
    }

    #[test]
    fn what_cannot_be_solved_is_refused_with_a_reason() {
        let kind = |text: &str| Loaded::new(text, None).map(|l| l.kind()).map_err(|e| e.message);
        assert!(kind("(role random)").unwrap_err().contains("GDL-II"));
        assert!(kind("(legal a b)").unwrap_err().contains("nobody plays"));
        assert!(kind("(role a) (init x)").unwrap_err().contains("no legal move"));
        let ends = "(init x) (<= terminal (not (true x)))";
        let game = |rest: &str| kind(&format!("{ends} {rest}"));
        assert!(game("(role a) (legal a b)").unwrap_err().contains("no goal"));
        assert_eq!(game("(role a) (legal a b) (goal a 7)"), Ok(Kind::Puzzle));
        let two = "(role a) (role b) (<= (legal ?r 1) (role ?r)) (<= (legal ?r 2) (role ?r))";
        assert_eq!(game(&format!("{two} (goal a 40) (goal b 60)")), Ok(Kind::Joint));
        let chance =
            "(<= (next y) (does a 1)) (<= (goal a 50) (true y)) (<= (goal a 9) (not (true y)))";
        assert_eq!(game(&format!("{two} {chance} (goal b 50)")), Ok(Kind::ManyJoint));
    }
}
