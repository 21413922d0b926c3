//! Proofs that go on with what tables say: a certificate names no table, so it needs none.

use std::collections::HashMap;

use foregone_proof::{Claim, Game, Turn};

use crate::guide::{Guide, TableMove};
use crate::solution::{Line, WeakSolution};

/// A state whose lines are to come.
enum Pending<S> {
    /// The next lines of the solution speak of it.
    Solved(S),
    /// Tables speak of it.
    ByTable(S),
}

/// A solution in which states that are known by tables are played on to the end of the game, or until
/// they come up again. Nothing if that takes more than so many lines, or if `goes_on`, which hears how
/// many there are, ends it.
pub fn played_on<G: Guide>(
    game: &G,
    start: &G::State,
    claim: Claim,
    solution: &WeakSolution<G::Move>,
    most: u64,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Option<WeakSolution<G::Move>> {
    let mut lines = Vec::new();
    // Where each line of the solution stands now.
    let mut places = Vec::with_capacity(solution.lines.len());
    let mut first: HashMap<G::State, u32> = HashMap::new();
    let mut moves = Vec::new();
    let mut todo = vec![Pending::Solved(start.clone())];
    while let Some(pending) = todo.pop() {
        if lines.len() as u64 >= most || lines.len() % 1024 == 1023 && !goes_on(lines.len() as u64)
        {
            return None;
        }
        let here = lines.len() as u32;
        let s = match pending {
            Pending::Solved(s) => {
                let line = *solution.lines.get(places.len())?;
                places.push(here);
                let by_table = matches!(line, Line::Over)
                    && game.turn(&s) != Turn::Over
                    && game.table_move(&s, claim).is_some();
                if !by_table {
                    lines.push(match line {
                        Line::Same(at) => Line::Same(places[at as usize]),
                        other => other,
                    });
                    match line {
                        Line::Plays(m) => todo.push(Pending::Solved(after(game, &s, m))),
                        Line::Replies(_) => {
                            let all = replies(game, &s, &mut moves);
                            todo.extend(all.into_iter().rev().map(Pending::Solved));
                        }
                        Line::Over | Line::Repeats | Line::Same(_) => {}
                    }
                    continue;
                }
                s
            }
            Pending::ByTable(s) => s,
        };
        if game.turn(&s) == Turn::Over {
            lines.push(Line::Over);
            continue;
        }
        if let Some(&at) = first.get(&s) {
            lines.push(Line::Same(at));
            continue;
        }
        match game.table_move(&s, claim) {
            Some(TableMove::Plays(m)) => {
                lines.push(Line::Plays(m));
                todo.push(Pending::ByTable(after(game, &s, m)));
            }
            Some(TableMove::Replies) => {
                let all = replies(game, &s, &mut moves);
                lines.push(Line::Replies(all.len() as u32));
                todo.extend(all.into_iter().rev().map(Pending::ByTable));
            }
            // Known in another way.
            None => lines.push(Line::Over),
        }
        first.insert(s, here);
    }
    Some(WeakSolution { prover: solution.prover, lines })
}

fn after<G: Game>(game: &G, s: &G::State, m: G::Move) -> G::State {
    let mut next = s.clone();
    if let Some(agent) = game.turn(s).mover() {
        game.play(&mut next, agent, m);
    }
    next
}

/// The states after all moves, in the order of the rules.
fn replies<G: Game>(game: &G, s: &G::State, moves: &mut Vec<G::Move>) -> Vec<G::State> {
    moves.clear();
    if let Some(agent) = game.turn(s).mover() {
        game.moves(s, agent, moves);
    }
    moves.iter().map(|&m| after(game, s, m)).collect()
}
