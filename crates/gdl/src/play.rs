//! Whether a rulesheet can be played, as far as random plays show: GDL wants every play to end, every
//! role to have a move until then, and every role to have one goal in the end (Love et al. 2006,
//! definitions of *playability* and *well-formedness*), and none of that can be seen in the text.

use std::collections::BTreeMap;

use foregone_model::Rng;

use crate::machine::{Machine, Move, Trouble};

/// What random plays met, each thing with how often, and the first play and step where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// How many plays there were.
    pub plays: u64,
    /// How many states were looked at.
    pub states: u64,
    /// What was wrong: the message, how often, in which play first, after how many moves.
    pub wrong: Vec<(String, u64, u64, usize)>,
    /// Whether goals added up to the same in all ends.
    pub constant_sum: bool,
    /// Whether two roles had a choice at the same time.
    pub simultaneous: bool,
}

/// Plays at random; equal seeds give equal plays.
pub fn play(
    machine: &mut Machine,
    plays: u64,
    longest: usize,
    seed: u64,
) -> Result<Played, Trouble> {
    let mut out = Played { constant_sum: true, ..Played::default() };
    let mut wrong: BTreeMap<String, (u64, u64, usize)> = BTreeMap::new();
    let mut sum = None;
    let start = machine.initial()?;
    for number in 0..plays {
        let mut rng = Rng::new(seed.wrapping_add(number));
        let mut state = start.clone();
        out.plays += 1;
        for step in 0.. {
            let view = machine.view(&state)?;
            out.states += 1;
            let mut note = |message: String| {
                wrong.entry(message).or_insert((0, number, step)).0 += 1;
            };
            let name = |role: usize| machine.roles()[role].clone();
            if view.terminal {
                for (role, goal) in view.goals.iter().enumerate() {
                    match goal {
                        None => note(format!("{} has no goal at the end, or two", name(role))),
                        Some(goal) if !(0..=100).contains(goal) => {
                            note(format!(
                                "{} has the goal {goal}, not one of 0 to 100",
                                name(role)
                            ));
                        }
                        Some(_) => {}
                    }
                }
                let all: Option<Vec<i32>> = view.goals.iter().copied().collect();
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
            out.simultaneous |= view.legal.iter().filter(|l| l.len() > 1).count() > 1;
            let pick = |l: &Vec<Move>| l[rng.below(l.len() as u32) as usize];
            let moves: Vec<Move> = view.legal.iter().map(pick).collect();
            state = machine.next(&state, &moves)?;
        }
    }
    out.wrong = wrong.into_iter().map(|(m, (count, play, step))| (m, count, play, step)).collect();
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
        assert_eq!((right.wrong, right.plays, right.states), (vec![], 3, 9));
        let message = |played: Played| played.wrong[0].0.clone();
        let stuck = game("(<= (legal a go) (true (n 0))) (goal a 50) (<= terminal (true (n 2)))");
        assert_eq!(message(stuck), "a has no legal move, and the game is not over");
        let endless = game("(legal a go) (goal a 50) (<= terminal (true (n 3)))");
        assert_eq!(message(endless), "the game is not over after 10 moves");
        let goals = game("(legal a go) (goal a 50) (goal a 40) (<= terminal (true (n 2)))");
        assert_eq!(message(goals), "a has no goal at the end, or two");
        let large = game("(legal a go) (goal a 500) (<= terminal (true (n 2)))");
        assert_eq!(message(large), "a has the goal 500, not one of 0 to 100");
    }
}
