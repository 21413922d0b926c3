//! Positions that plays from the start lead to.

use foregone::model::Game;

/// All plays of so many moves, in the order of the rules, and where they lead. A position that
/// several plays lead to is there several times.
pub(crate) fn positions_after<G: Game>(game: &G, moves: u32) -> Vec<(Vec<G::Move>, G::State)> {
    let mut all = vec![(Vec::new(), game.start())];
    for _ in 0..moves {
        let mut next = Vec::new();
        for (played, s) in &all {
            let Some(agent) = game.turn(s).mover() else {
                continue;
            };
            let mut legal = Vec::new();
            game.moves(s, agent, &mut legal);
            for m in legal {
                let (mut played, mut after) = (played.clone(), s.clone());
                played.push(m);
                game.play(&mut after, agent, m);
                next.push((played, after));
            }
        }
        all = next;
    }
    all
}
