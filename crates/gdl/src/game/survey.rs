//! What kind of game a rulesheet is, as far as random plays show.
//!
//! Each machine plays for itself: the compiled one when a rulesheet is loaded, the plain
//! interpreter before it checks a proof. Both play by one plan, moves being listed in the order of
//! their texts, so that they see the same states, and what they see has to be the same.

use std::collections::HashSet;

use foregone_model::Rng;
use foregone_model::number::counted;

use super::Kind;
use crate::machine::{Backend, Machine, MachineError, Move, View};
use crate::stop::StopCheck;

/// How many states random plays look at: enough to meet every kind of state of most games, and
/// little to wait for.
const STATES: usize = 2000;

/// The same where states are slow.
const SLOW_STATES: usize = 200;

/// Plays of more moves are given up.
pub(super) const MAX_MOVES: u32 = 2000;

/// How many states are looked at, and whether a play may be left in the middle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    states: usize,
    may_stop_midway: bool,
}

impl Plan {
    pub(super) fn of(machine: &Machine) -> Plan {
        let slow = machine.backend() != Backend::Gates;
        Plan { states: if slow { SLOW_STATES } else { STATES }, may_stop_midway: slow }
    }
}

/// Why a survey cannot be made.
pub(super) enum SurveyError {
    /// The machine gave no answer.
    Machine(MachineError),
    /// The rules are not those of a game.
    Rules(String),
}

impl From<MachineError> for SurveyError {
    fn from(error: MachineError) -> SurveyError {
        SurveyError::Machine(error)
    }
}

/// What random plays show.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// The role that is chance.
    chance: Option<usize>,
    /// Whether two players had a choice at the same time. Chance is not one.
    joint: bool,
    /// The texts of each role's moves in the beginning.
    first: Vec<Vec<String>>,
    /// The sum of the goals in the first end, and whether it was the same in all.
    sum: Option<i32>,
    same: bool,
    /// For each role the moves that it had while others chose.
    pub(super) waits: Vec<HashSet<String>>,
    /// How many ends and states there were.
    ends: usize,
    states: usize,
    /// Whether all states of the plan were looked at.
    pub(super) is_complete: bool,
}

impl Survey {
    /// Plays by the plan, until the machine has done this much.
    pub(super) fn new(
        machine: &mut Machine,
        plan: Plan,
        most_work: u64,
        stop: &StopCheck,
    ) -> Result<Survey, SurveyError> {
        let roles = machine.roles().len();
        let mut out = Survey {
            chance: machine.chance(),
            joint: false,
            first: Vec::new(),
            sum: None,
            same: true,
            waits: vec![HashSet::new(); roles],
            ends: 0,
            states: 0,
            is_complete: true,
        };
        let mut rng = Rng::new(1);
        let before = machine.work();
        let start = machine.initial()?;
        while out.states < plan.states {
            let mut state = start.clone();
            for step in 0..MAX_MOVES {
                if machine.work() - before > most_work {
                    out.is_complete = false;
                    return Ok(out);
                }
                stop.check().map_err(|_| MachineError::Stopped)?;
                let view = machine.view(&state)?;
                out.states += 1;
                if out.states == 1 {
                    let texts = |l: &Vec<Move>| l.iter().map(|&m| machine.show(m)).collect();
                    out.first = view.legal.iter().map(texts).collect();
                }
                if view.stuck() {
                    let role = view.legal.iter().position(Vec::is_empty).unwrap_or(0);
                    let name = &machine.roles()[role];
                    let moves = counted(step.into(), "move");
                    let message = format!("{name} has no legal move after {moves}");
                    return Err(SurveyError::Rules(message));
                }
                if view.terminal {
                    out.end(machine, &view, step)?;
                    break;
                }
                out.note(machine, &view);
                let moves = view.random_moves(&mut rng);
                state = machine.next(&state, &moves)?;
                if out.states >= plan.states && plan.may_stop_midway {
                    break;
                }
            }
        }
        Ok(out)
    }

    fn end(&mut self, machine: &Machine, view: &View, step: u32) -> Result<(), SurveyError> {
        let wrong = |role: usize, what: String| {
            let name = &machine.roles()[role];
            let moves = counted(step.into(), "move");
            SurveyError::Rules(format!("the game is over after {moves}, but {name} has {what}"))
        };
        for (role, goal) in self.played(&view.goals) {
            match goal {
                None => return Err(wrong(role, "no goal, or two".to_owned())),
                Some(goal) if !(0..=100).contains(goal) => {
                    return Err(wrong(role, format!("the goal {goal}, not one from 0 to 100")));
                }
                Some(_) => {}
            }
        }
        let sum = self.played(&view.goals).filter_map(|(_, &goal)| goal).sum();
        self.same &= *self.sum.get_or_insert(sum) == sum;
        self.ends += 1;
        Ok(())
    }

    /// What belongs to each role, without what belongs to chance.
    fn played<'a, T>(&self, all: &'a [T]) -> impl Iterator<Item = (usize, &'a T)> + use<'a, T> {
        let chance = self.chance;
        all.iter().enumerate().filter(move |&(role, _)| chance != Some(role))
    }

    fn note(&mut self, machine: &Machine, view: &View) {
        let choosing = self.played(&view.legal).filter(|(_, l)| l.len() > 1).count();
        let thrown = self.chance.is_some_and(|role| view.legal[role].len() > 1);
        self.joint |= choosing > 1;
        if choosing == 1 || (choosing == 0 && thrown) {
            for (role, moves) in view.legal.iter().enumerate() {
                if let [only] = moves.as_slice() {
                    self.waits[role].insert(machine.show(*only));
                }
            }
        }
    }

    /// The sum of goals, if it was always the same.
    pub(super) fn sum(&self) -> Option<i32> {
        self.sum.filter(|_| self.same)
    }

    /// How many states were looked at, if none of them was an end.
    pub(super) fn without_end(&self) -> Option<usize> {
        (self.ends == 0).then_some(self.states)
    }

    pub(super) fn kind(&self) -> Kind {
        match (self.played(&self.waits).count(), self.joint, self.sum()) {
            (1, _, _) => Kind::Puzzle,
            (2, false, Some(_)) => Kind::Turns,
            (2, true, Some(_)) => Kind::Joint,
            (_, false, _) => Kind::Many,
            (_, true, _) => Kind::ManyJoint,
        }
    }

    /// The player that moves first, by its number among the players: who has a choice, or else who
    /// does not wait. The first one if chance begins.
    pub(super) fn first(&self) -> usize {
        let chooses = self.played(&self.first).position(|(_, l)| l.len() > 1);
        let acts = || {
            let mut players = self.played(&self.first);
            players.position(|(role, l)| l.iter().any(|m| !self.waits[role].contains(m)))
        };
        chooses.or_else(acts).unwrap_or(0)
    }

    /// Holds what a machine saw against what another one saw by the same plan, which it did as a
    /// whole: the kind of game as both see it, or what they disagree about.
    ///
    /// Where this machine is too slow for the whole plan, it saw the beginning of it. Then nothing
    /// may contradict the other, whose kind is taken. That proves nothing wrong: in every state
    /// that a proof comes to, the rules that check it see for themselves whether just one role has
    /// a choice, whether each has a move, and in every end whether the goals are defined, are
    /// numbers from 0 to 100, and have the sum. What is left are the moves that count as waiting,
    /// and they only say by whose name a move is called where nobody has a choice.
    pub(super) fn reconciled(&self, other: &Survey) -> Result<Survey, &'static str> {
        let [joint, ends, sum, waits, states] = match self.is_complete {
            true => [
                self.joint == other.joint,
                self.ends == other.ends,
                (self.sum, self.same) == (other.sum, other.same),
                self.waits == other.waits,
                self.states == other.states,
            ],
            false => [
                self.joint <= other.joint,
                self.ends <= other.ends,
                self.sum.is_none_or(|s| other.sum == Some(s)) && self.same >= other.same,
                self.waits.iter().zip(&other.waits).all(|(own, others)| own.is_subset(others)),
                self.states <= other.states,
            ],
        };
        // A machine that was stopped before the first state has seen nothing.
        let first = self.states == 0 || self.first == other.first;
        let all = [
            (first, "the moves at the beginning"),
            (joint, "whether players move at the same time"),
            (states && ends, "when plays end"),
            (sum, "what the goals add up to"),
            (waits, "what players do who wait"),
        ];
        match all.iter().find(|(agree, _)| !agree) {
            Some(&(_, what)) => Err(what),
            None => Ok(if self.is_complete { self.clone() } else { other.clone() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Program;

    const GAME: &str = "(role a) (role b) (init (at 0)) (init (turn a)) (other a b) (other b a)
        (succ 0 1) (succ 1 2) (succ 2 3) (<= (legal ?p left) (true (turn ?p)))
        (<= (legal ?p right) (true (turn ?p))) (<= (legal ?p noop) (other ?p ?q) (true (turn ?q)))
        (<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y)) (<= terminal (true (at 3)))
        (<= (goal ?p 100) (true (turn ?p))) (<= (goal ?p 0) (other ?p ?q) (true (turn ?q)))";

    fn look(text: &str, backend: Backend, most: u64) -> Survey {
        let program = Program::read(text).unwrap();
        let mut machine = Machine::new(&program, Some(backend)).unwrap();
        let plan = Plan { states: 300, may_stop_midway: false };
        match Survey::new(&mut machine, plan, most, &StopCheck::NEVER) {
            Ok(survey) => survey,
            Err(_) => panic!("{text}"),
        }
    }

    #[test]
    fn machines_that_see_the_same_agree() {
        let compiled = look(GAME, Backend::Gates, u64::MAX);
        assert_eq!(
            (compiled.kind(), compiled.sum(), compiled.first()),
            (Kind::Turns, Some(100), 0)
        );
        let plain = look(GAME, Backend::Plain, u64::MAX);
        assert!(plain.is_complete && plain.reconciled(&compiled).is_ok());
        let slow = look(GAME, Backend::Plain, 300);
        assert!(!slow.is_complete && slow.states > 0 && slow.states < compiled.states);
        assert_eq!(slow.reconciled(&compiled).unwrap().states, compiled.states);
    }

    #[test]
    fn machines_that_see_another_game_disagree() {
        let compiled = look(GAME, Backend::Gates, u64::MAX);
        for (from, to, what) in [
            ("(legal ?p right)", "(legal ?p straight)", "the moves at the beginning"),
            ("(legal ?p noop)", "(legal ?p wait)", "the moves at the beginning"),
            ("(goal ?p 0)", "(goal ?p 30)", "what the goals add up to"),
            ("(true (at 3))", "(true (at 2))", "when plays end"),
        ] {
            let text = GAME.replace(from, to);
            assert_ne!(text, GAME);
            let other = look(&text, Backend::Plain, u64::MAX);
            assert_eq!(other.reconciled(&compiled).unwrap_err(), what, "{from}");
        }
        // Both choose from the second move on; a machine that looks at some states only finds out.
        let joint = format!("{GAME} (<= (legal ?p x) (role ?p) (true (at 1)))");
        let other = look(&joint, Backend::Plain, 1000);
        assert!(!other.is_complete);
        let what = other.reconciled(&compiled).unwrap_err();
        assert_eq!(what, "whether players move at the same time");
    }
}
