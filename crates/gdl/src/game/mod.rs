//! A rulesheet as a game that every solver takes.
//!
//! A game automaton (thesis *Game Description Language Compilation*, section 2.1) is turn taking if
//! at most one player has more than one move in every state, and zero-sum if the goals of two add
//! up to the same in every end. Random plays show both first and say what kind of game this is.
//! Then every state that a search meets is held to it: where the rules turn out to be otherwise
//! there is a [`Game::rules_violation`] and no answer. More than two roles are agents of their own,
//! or one of them against all others (the *paranoid reduction* of the same section).
//!
//! The role `random` is chance, as in GDL-II (Thielscher 2010): it makes each of its legal moves
//! equally often. Where a player and chance have a choice at the same time, the player's move comes
//! first here and that of chance next. That is the same game: chance does not look at what the
//! player does, and the player moves before anybody sees the throw.

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
use crate::machine::CHANCE;
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
pub use text::word as move_word;

/// What a state means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// This role moves, and nobody else has a choice.
    Turn(u8),
    /// This role has a choice, and so has chance: the role moves first.
    Both(u8),
    /// Chance moves, and nobody else has a choice.
    Chance,
    /// Chance moves, after this role has chosen this move.
    Chosen(u8, u32),
    /// The game is over, with this outcome.
    Over(u16),
}

foregone_model::stored!(
    enum Status {
        Turn(role),
        Both(role),
        Chance,
        Chosen(role, chosen),
        Over(outcome),
    }
);

/// A position of a rulesheet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    words: Words,
    status: Status,
}

foregone_model::stored!(Position { words, status });

/// Whose goals count, by the number of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stakes {
    /// Those of one player, whatever the others get.
    One(usize),
    /// Those of this player; the other one gets the rest of this sum.
    Two(usize, i32),
    /// Everybody's: an outcome is a goal for each, or where these are too many the set of those who
    /// get most.
    All,
}

/// What kind of game a rulesheet is, as far as random plays show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One role. Here and below chance is not counted, and its moves are nobody's.
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
                let player = loaded.players.iter().position(|r| r == hero);
                Stakes::One(player.ok_or_else(|| match hero {
                    CHANCE if loaded.has_chance() => "`random` is chance and wants nothing".into(),
                    _ => format!("there is no role `{hero}`"),
                })?)
            }
            (None, Kind::Puzzle) => Stakes::One(0),
            (None, Kind::Turns) => Stakes::Two(loaded.first, loaded.sum),
            (None, Kind::Many) if loaded.players.len() > MAX_ROLES => {
                return Err(format!(
                    "there are {} roles, more than {MAX_ROLES}: ask for one of them",
                    loaded.players.len()
                ));
            }
            (None, Kind::Many) => Stakes::All,
            (_, Kind::Joint | Kind::ManyJoint) if loaded.has_chance() => {
                return Err(JOINT_AND_CHANCE.into());
            }
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
        let ends = Arc::new(Ends::new(stakes, loaded.players(), &loaded.goals));
        Ok(Sheet { base: Base::new(name, loaded), stakes, ends })
    }

    /// What to tell a person about the rulesheet, a line each; see [`Loaded::warnings`].
    pub fn warnings(&self) -> Vec<String> {
        self.base.loaded.warnings()
    }

    /// The text of the rulesheet.
    pub fn text(&self) -> &str {
        self.base.loaded.text()
    }

    /// Notes what the rules break. The game ends there, somehow: there will be no answer.
    fn report(&self, message: &str) -> Status {
        self.base.report(message);
        Status::Over(0)
    }

    /// What a state means.
    fn judge(&self, summary: &Summary) -> Status {
        if summary.terminal {
            return self.end(&summary.goals);
        }
        let loaded = &self.base.loaded;
        let has_choice = |role: usize| summary.moves[role].0 > 1;
        let mut choosing = loaded.seats.players.iter().filter(|&&role| has_choice(role));
        let chooses = choosing.next();
        if choosing.next().is_some() {
            return self.report("two roles have a choice at the same time in some state");
        }
        if let Some(role) = summary.moves.iter().position(|m| m.0 == 0) {
            let name = loaded.role_name(role);
            return self.report(&format!("{name} has no legal move in some state"));
        }
        match (chooses, loaded.seats.chance.is_some_and(has_choice)) {
            (Some(&role), false) => Status::Turn(role as u8),
            (Some(&role), true) => Status::Both(role as u8),
            (None, true) => Status::Chance,
            (None, false) => {
                let acts = |&role: &usize| {
                    let only = loaded.kernel.show(role, summary.moves[role].1);
                    !loaded.survey.waits[role].contains(&only)
                };
                match (0..summary.moves.len()).find(acts) {
                    Some(role) if loaded.seats.chance == Some(role) => Status::Chance,
                    Some(role) => Status::Turn(role as u8),
                    None => Status::Turn(loaded.seats.players[0] as u8),
                }
            }
        }
    }

    /// What an end means, by the goals of all roles.
    fn end(&self, goals: &[Option<i32>]) -> Status {
        let players = self.base.loaded.seats.players.iter();
        let goals: Option<Vec<i32>> = players.map(|&role| goals[role]).collect();
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

    /// The role that moves.
    fn role_of(&self, s: &Position) -> usize {
        match s.status {
            Status::Turn(role) | Status::Both(role) => usize::from(role),
            Status::Chance | Status::Chosen(..) => self.base.loaded.seats.chance.unwrap_or(0),
            Status::Over(_) => 0,
        }
    }

    /// The player whose goals Max wants.
    fn max(&self) -> usize {
        match self.stakes {
            Stakes::One(player) | Stakes::Two(player, _) => player,
            Stakes::All => 0,
        }
    }

    /// The position after `chosen` of a role and a move of chance at the same time.
    fn throw(&self, words: &Words, chosen: (u8, u32), thrown: u32) -> Result<Position, String> {
        let Loaded { kernel, seats, .. } = &*self.base.loaded;
        let summary = kernel.summary(words).map_err(|e| e.to_string())?;
        let mut joint: Vec<u32> = summary.moves.iter().map(|m| m.1).collect();
        let moves = [Some((usize::from(chosen.0), chosen.1)), seats.chance.map(|c| (c, thrown))];
        for (role, m) in moves.into_iter().flatten() {
            joint[role] = m;
        }
        Ok(self.position(kernel.play(words, &joint).map_err(|e| e.to_string())?))
    }

    /// The facts of a position. A move that was chosen and is not yet played stands behind them, as
    /// rules write it.
    fn facts(&self, s: &Position) -> Vec<String> {
        let loaded = &self.base.loaded;
        let mut facts = loaded.kernel.facts(&s.words);
        if let Status::Chosen(role, m) = s.status {
            let role = usize::from(role);
            let (name, m) = (loaded.role_name(role), loaded.kernel.show(role, m));
            facts.push(format!("(does {name} {m})"));
        }
        facts
    }
}

/// Sets of more roles have more outcomes than fit.
const MAX_ROLES: usize = 8;

/// Why two players and chance together are refused.
const JOINT_AND_CHANCE: &str = "players move at the same time, and the role `random` is chance: \
                                joint moves with chance are not supported";

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
            (Status::Chance | Status::Chosen(..), _) => Turn::Chance,
            (Status::Turn(role) | Status::Both(role), stakes) => {
                let seats = &self.base.loaded.seats.players;
                let player = seats.partition_point(|&seat| seat < usize::from(role));
                Turn::Agent(Agent(match stakes {
                    Stakes::All => player as u8,
                    Stakes::One(_) | Stakes::Two(..) => u8::from(player != self.max()),
                }))
            }
        }
    }

    fn moves(&self, s: &Position, agent: Agent, out: &mut Vec<u32>) {
        let role = match self.stakes {
            Stakes::All if agent != Agent::CHANCE => {
                self.base.loaded.seats.players[usize::from(agent.0)]
            }
            _ => self.role_of(s),
        };
        if let Err(error) = self.base.loaded.kernel.legal(&s.words, role, out) {
            self.report(&error.to_string());
        }
    }

    fn play(&self, s: &mut Position, _agent: Agent, m: u32) {
        let kernel = &self.base.loaded.kernel;
        let next = match s.status {
            Status::Both(role) => {
                s.status = Status::Chosen(role, m);
                return;
            }
            Status::Chosen(role, chosen) => self.throw(&s.words, (role, chosen), m),
            Status::Turn(_) | Status::Chance | Status::Over(_) => kernel
                .child(&s.words, self.role_of(s), m, &|summary| self.judge(summary))
                .map(|(words, status)| Position { words, status })
                .map_err(|error| error.to_string()),
        };
        match next {
            Ok(next) => *s = next,
            Err(message) => s.status = self.report(&message),
        }
    }

    fn outcome(&self, s: &Position) -> Outcome {
        match s.status {
            Status::Over(outcome) => Outcome(outcome),
            _ => Outcome(0),
        }
    }

    fn has_chance(&self) -> bool {
        self.base.loaded.has_chance()
    }

    fn agents(&self) -> u8 {
        match self.stakes {
            Stakes::All => self.base.loaded.players.len() as u8,
            _ => 2,
        }
    }

    fn score(&self, outcome: Outcome, agent: Agent) -> i64 {
        match self.stakes {
            Stakes::All => i64::from(self.ends.score(outcome, usize::from(agent.0))),
            Stakes::One(_) | Stakes::Two(..) => self.ends.scale().zero_sum(outcome, agent),
        }
    }

    fn won(&self, outcome: Outcome, agent: Agent) -> bool {
        match self.stakes {
            Stakes::All => self.ends.gets_most(outcome, usize::from(agent.0)),
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

    foregone_model::stored_by_parts!(if stored);

    fn stores(&self) -> bool {
        self.base.loaded.kernel.is_numbered()
    }

    const PACKS_TURN: bool = true;

    fn pack(&self, s: &Position) -> Words {
        match s.status {
            Status::Chosen(role, m) => s.words.with_move(role, m),
            _ => s.words.clone(),
        }
    }

    fn playout(&self, mut s: Position, rng: &mut Rng) -> Option<Outcome> {
        if let Status::Chosen(..) = s.status {
            let mut moves = Vec::new();
            self.moves(&s, Agent::CHANCE, &mut moves);
            let thrown = moves.get(rng.below(moves.len().max(1) as u32) as usize)?;
            self.play(&mut s, Agent::CHANCE, *thrown);
        }
        if let Status::Over(outcome) = s.status {
            return Some(Outcome(outcome));
        }
        let tally = self.base.loaded.kernel.playouts(&s.words, 1, MAX_MOVES, rng);
        let goals: Vec<Option<i32>> = match tally {
            Ok(tally) if tally.plays == 1 => tally.goals.iter().map(|&g| Some(g as i32)).collect(),
            _ => return None,
        };
        match self.end(&goals) {
            Status::Over(outcome) => Some(Outcome(outcome)),
            _ => None,
        }
    }
}

impl Sheet {
    /// A picture of a position: facts with two coordinates as boards.
    pub fn scene(&self, s: &Position) -> Scene {
        text::scene(&self.facts(s))
    }
}

impl Notation for Sheet {
    fn name(&self) -> String {
        self.base.name.clone()
    }

    fn players(&self) -> [&str; 2] {
        let players = &self.base.loaded.players;
        let max = self.max();
        match players.as_slice() {
            [only] => [only, text::NOBODY],
            [a, b] => {
                if max == 0 {
                    [a, b]
                } else {
                    [b, a]
                }
            }
            _ => [&players[max], text::OTHERS],
        }
    }

    fn agent_name(&self, agent: Agent) -> &str {
        match self.stakes {
            _ if agent == Agent::CHANCE => CHANCE,
            Stakes::All => &self.base.loaded.players[usize::from(agent.0)],
            _ => self.players()[usize::from(agent.0 != 0)],
        }
    }

    fn one_player(&self) -> bool {
        self.base.loaded.players.len() == 1
    }

    fn write_move(&self, s: &Position, m: u32, out: &mut String) {
        out.push_str(&text::word(&self.base.loaded.kernel.show(self.role_of(s), m)));
    }

    fn parse_move(&self, s: &Position, text: &str) -> Option<u32> {
        read_move(&self.base.loaded, self.role_of(s), text)
    }

    fn write_position(&self, s: &Position, out: &mut String) {
        out.push_str(&text::position(&self.facts(s)));
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        let chosen = if self.has_chance() { text::chosen(text) } else { None };
        let Some((place, [role, m])) = chosen else {
            return base::read_position(self, text, Sheet::position);
        };
        let facts = &text[..place];
        let Position { words, status } = base::read_position(self, facts, Sheet::position)?;
        let Status::Both(mover) = status else {
            let message = "chance and a player do not choose at the same time here";
            return Err(TextError::new(message, place..text.len()));
        };
        let (loaded, seat) = (&self.base.loaded, usize::from(mover));
        let wrong = |message: String| TextError::new(message, place..text.len());
        let mut legal = Vec::new();
        loaded.kernel.legal(&words, seat, &mut legal).map_err(|e| wrong(e.to_string()))?;
        let own = loaded.role_name(seat).eq_ignore_ascii_case(&role);
        let read = loaded.kernel.read(seat, &m).filter(|m| own && legal.contains(m));
        let m =
            read.ok_or_else(|| wrong(format!("`{m}` is not a move that {role} can choose here")))?;
        Ok(Position { words, status: Status::Chosen(mover, m) })
    }

    fn draw(&self, s: &Position) -> String {
        text::draw(&self.facts(s))
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
            Stakes::One(player) => self.base.loaded.players.get(player).map(String::as_str),
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
        assert!(kind("(role random)").unwrap_err().contains("nobody plays"));
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
