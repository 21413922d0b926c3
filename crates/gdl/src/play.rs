//! Whether a rulesheet can be played, as far as random plays show: GDL requires that every play
//! ends, that every role has a move until then, and that every role has one goal in the end (Love
//! et al. 2006, definitions of *playability* and *well-formedness*). The text shows none of that.

use std::collections::BTreeMap;

use foregone_model::Rng;

use crate::machine::{Machine, MachineError};

/// What random plays show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayReport {
    /// How many plays there were.
    pub plays: u64,
    /// How many states were looked at.
    pub states: u64,
    /// What was wrong, in the order of the messages.
    pub findings: Vec<Finding>,
    /// Whether goals added up to the same in all ends, those of chance not counted.
    pub constant_sum: bool,
    /// Whether two roles had a choice at the same time, chance not counted.
    pub simultaneous: bool,
}

/// Something that is wrong with a rulesheet, as random plays show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub message: String,
    /// How often that was met.
    pub count: u64,
    /// The first play in which it was met, from 0, …
    pub play: u64,
    /// … and after how many moves.
    pub step: usize,
}

/// Plays at random; equal seeds give equal plays.
pub fn play(
    machine: &mut Machine,
    plays: u64,
    longest: usize,
    seed: u64,
) -> Result<PlayReport, MachineError> {
    let mut out = PlayReport { constant_sum: true, ..PlayReport::default() };
    let mut found: BTreeMap<String, (u64, u64, usize)> = BTreeMap::new();
    let mut sum = None;
    let start = machine.initial()?;
    let chance = machine.chance();
    for number in 0..plays {
        let mut rng = Rng::new(seed.wrapping_add(number));
        let mut state = start.clone();
        out.plays += 1;
        for step in 0.. {
            let view = machine.view(&state)?;
            out.states += 1;
            let mut note = |message: String| {
                found.entry(message).or_insert((0, number, step)).0 += 1;
            };
            let name = |role: usize| machine.roles()[role].clone();
            if view.terminal {
                let goals = view.goals.iter().enumerate();
                let goals = goals.filter(|(role, _)| chance != Some(*role));
                for (role, goal) in goals.clone() {
                    match goal {
                        None => note(format!("{} has no goal, or two, at the end", name(role))),
                        Some(goal) if !(0..=100).contains(goal) => {
                            note(format!(
                                "{} has the goal {goal}, not one from 0 to 100",
                                name(role)
                            ));
                        }
                        Some(_) => {}
                    }
                }
                let all: Option<Vec<i32>> = goals.map(|(_, goal)| *goal).collect();
                if let Some(goals) = all {
                    let goals = goals.iter().sum::<i32>();
                    out.constant_sum &= sum.is_none_or(|s| s == goals);
                    sum = Some(goals);
                }
                break;
            }
            if let Some(role) = view.legal.iter().position(Vec::is_empty) {
                note(format!("{} has no legal move, and the game is not over", name(role)));
                break;
            }
            if step == longest {
                note(format!("the game is not over after {longest} moves"));
                break;
            }
            let choosing = view.legal.iter().enumerate();
            let choosing = choosing.filter(|(role, l)| l.len() > 1 && chance != Some(*role));
            out.simultaneous |= choosing.count() > 1;
            let moves = view.random_moves(&mut rng);
            state = machine.next(&state, &moves)?;
        }
    }
    let finding = |(message, (count, play, step))| Finding { message, count, play, step };
    out.findings = found.into_iter().map(finding).collect();
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Program;

    #[test]
    fn what_cannot_be_played_is_found() {
        let game = |rest: &str| {
            let text = format!(
                "(role a) (init (n 0)) (succ 0 1) (succ 1 2)
                 (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) {rest}"
            );
            let program = Program::read(&text).unwrap();
            play(&mut Machine::new(&program, None).unwrap(), 3, 10, 1).unwrap()
        };
        let right = game("(legal a go) (goal a 50) (<= terminal (true (n 2)))");
        assert_eq!((right.findings, right.plays, right.states), (vec![], 3, 9));
        let message = |played: PlayReport| played.findings[0].message.clone();
        let stuck = game("(<= (legal a go) (true (n 0))) (goal a 50) (<= terminal (true (n 2)))");
        assert_eq!(message(stuck), "a has no legal move, and the game is not over");
        let endless = game("(legal a go) (goal a 50) (<= terminal (true (n 3)))");
        assert_eq!(message(endless), "the game is not over after 10 moves");
        let goals = game("(legal a go) (goal a 50) (goal a 40) (<= terminal (true (n 2)))");
        assert_eq!(message(goals), "a has no goal, or two, at the end");
        let large = game("(legal a go) (goal a 500) (<= terminal (true (n 2)))");
        assert_eq!(message(large), "a has the goal 500, not one from 0 to 100");
    }
}
