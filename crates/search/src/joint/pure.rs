//! Strategies of games in turn that are solved like games with joint moves.

use std::collections::HashMap;

use foregone_model::certificate::Mixed;
use foregone_model::{Game, Line, Side, Turn, WeakSolution};

/// A strategy that mixes nothing, as a weak solution.
pub fn pure<G: Game>(
    game: &G,
    start: &G::State,
    strategy: &Mixed<G::State, Option<G::Move>>,
) -> WeakSolution<G::Move> {
    let chosen: HashMap<&G::State, G::Move> = strategy
        .lines
        .iter()
        .filter_map(|(s, mix)| Some((s, mix.iter().find_map(|(m, _)| *m)?)))
        .collect();
    let mut lines = Vec::new();
    let mut seen: HashMap<G::State, u32> = HashMap::new();
    let mut moves = Vec::new();
    let mut todo = vec![start.clone()];
    while let Some(mut s) = todo.pop() {
        let agent = match game.turn(&s) {
            Turn::Agent(agent) => agent,
            // A game with chance is not one of joint moves (`Sequential`).
            Turn::Over | Turn::Chance => {
                lines.push(Line::Over);
                continue;
            }
        };
        if let Some(&line) = seen.get(&s) {
            lines.push(Line::Same(line));
            continue;
        }
        seen.insert(s.clone(), lines.len() as u32);
        match chosen.get(&s) {
            Some(&m) if Side::of(agent) == strategy.prover => {
                lines.push(Line::Plays(m));
                game.play(&mut s, agent, m);
                todo.push(s);
            }
            _ => {
                moves.clear();
                game.moves(&s, agent, &mut moves);
                lines.push(Line::Replies(moves.len() as u32));
                for &m in moves.iter().rev() {
                    let mut next = s.clone();
                    game.play(&mut next, agent, m);
                    todo.push(next);
                }
            }
        }
    }
    WeakSolution { prover: strategy.prover, lines }
}
