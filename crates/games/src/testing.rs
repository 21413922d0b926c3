//! What the tests of several games share.

use std::collections::{HashMap, HashSet};

use foregone_model::guide::plain_playout;
use foregone_model::{
    Agent, Claim, Endless, Game, Guide, Joint, JointNotation, JointTyped, Notation, Outcome, Rng,
    Side, Turn,
};

use crate::chance_testing::weighed;

/// The value by trying everything.
pub(crate) fn solve<G: Game>(
    game: &G,
    s: &G::State,
    memo: &mut HashMap<G::State, Outcome>,
) -> Outcome {
    solve_up_to(game, s, game.scale().best(), memo)
}

fn solve_up_to<G: Game>(
    game: &G,
    s: &G::State,
    best: Outcome,
    memo: &mut HashMap<G::State, Outcome>,
) -> Outcome {
    if let Some(&known) = memo.get(s) {
        return known;
    }
    let value = match game.turn(s) {
        Turn::Over => game.outcome(s),
        Turn::Chance => unreachable!("chance has no value by minimax"),
        Turn::Agent(agent) => {
            let max = agent == Agent(0);
            let (mut value, goal) = if max { (Outcome(0), best) } else { (best, Outcome(0)) };
            for t in next_states(game, s, agent) {
                let found = solve_up_to(game, &t, best, memo);
                value = if max { value.max(found) } else { value.min(found) };
                if value == goal {
                    break;
                }
            }
            value
        }
    };
    memo.insert(s.clone(), value);
    value
}

/// The value by going backward from the final states, for games in which positions can come up
/// again: what is not decided after ever more moves is worth what endless play is worth.
pub(crate) fn solve_with_loops<G: Game>(game: &G, start: &G::State) -> Outcome {
    let Endless::Scores(endless) = game.endless() else {
        panic!("the rules say what endless play is worth");
    };
    assert!(!game.has_chance(), "chance has no value by minimax");
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let mut states = vec![start.clone()];
    // For each state who moves and where to; nobody at the end.
    let mut graph = Vec::new();
    let mut values = Vec::new();
    while let Some(s) = states.get(graph.len()).cloned() {
        let Some(agent) = game.turn(&s).mover() else {
            values.push(game.outcome(&s));
            graph.push((Agent(0), Vec::new()));
            continue;
        };
        values.push(endless);
        let mut next = Vec::new();
        for t in next_states(game, &s, agent) {
            let number = *numbers.entry(t.clone()).or_insert(states.len());
            if number == states.len() {
                states.push(t);
            }
            next.push(number);
        }
        graph.push((agent, next));
    }
    loop {
        let mut settled = true;
        for (state, (agent, next)) in graph.iter().enumerate() {
            let values_of_next = next.iter().map(|&n| values[n]);
            let value = match agent {
                Agent(0) => values_of_next.max(),
                _ => values_of_next.min(),
            };
            if let Some(value) = value
                && value != values[state]
            {
                values[state] = value;
                settled = false;
            }
        }
        if settled {
            return values[0];
        }
    }
}

/// How many sequences of `depth` moves there are.
pub(crate) fn perft<G: Game>(game: &G, s: &G::State, depth: u32) -> u64 {
    match game.turn(s).mover() {
        _ if depth == 0 => 1,
        None => 0,
        Some(agent) => next_states(game, s, agent).iter().map(|t| perft(game, t, depth - 1)).sum(),
    }
}

pub(crate) fn next_states<G: Game>(game: &G, s: &G::State, agent: Agent) -> Vec<G::State> {
    let mut moves = Vec::new();
    game.moves(s, agent, &mut moves);
    let play = |m: G::Move| {
        let mut t = s.clone();
        game.play(&mut t, agent, m);
        t
    };
    moves.into_iter().map(play).collect()
}

/// The states of one random play, the last one over, unless play can be endless and goes on for long.
pub(crate) fn random_play<G: Game>(game: &G, rng: &mut Rng) -> Vec<G::State> {
    let mut states = vec![game.start()];
    loop {
        let mut s = states[states.len() - 1].clone();
        if game.endless() != Endless::Impossible && states.len() > 10_000 {
            return states;
        }
        let Some(agent) = game.turn(&s).mover() else {
            return states;
        };
        let mut moves = Vec::new();
        game.moves(&s, agent, &mut moves);
        let m = moves[rng.below(moves.len() as u32) as usize];
        game.play(&mut s, agent, m);
        states.push(s);
    }
}

/// Checks the text of positions and moves along random plays, and the count of moves.
pub(crate) fn texts_round_trip<G: Guide + Notation>(game: &G, plays: u32) {
    let mut rng = Rng::new(3);
    for _ in 0..plays {
        for s in random_play(game, &mut rng) {
            let text = game.position_text(&s);
            assert_eq!(game.read_position(&text).as_ref(), Ok(&s), "{text}");
            let Some(agent) = game.turn(&s).mover() else {
                continue;
            };
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            assert!(!moves.is_empty(), "{text}");
            assert_eq!(game.mobility(&s, agent) as usize, moves.len(), "{text}");
            for m in moves {
                let name = game.move_text(&s, m);
                assert_eq!(game.parse_move(&s, &name), Some(m), "{text} {name}");
            }
        }
    }
}

/// Plays the same random moves in both games and compares what they say on the way.
pub(crate) fn same_game<G, H>(one: &G, two: &H, plays: u32)
where
    G: Guide + Notation,
    H: Guide + Notation<Move = G::Move>,
{
    let mut rng = Rng::new(4);
    for _ in 0..plays {
        let (mut s, mut t) = (one.start(), two.start());
        loop {
            assert_eq!(one.position_text(&s), two.position_text(&t));
            assert_eq!(one.draw(&s), two.draw(&t));
            assert_eq!(one.evaluate(&s), two.evaluate(&t));
            let seed = rng.bits();
            assert_eq!(
                one.playout(s.clone(), &mut Rng::new(seed)),
                two.playout(t.clone(), &mut Rng::new(seed))
            );
            assert_eq!(one.turn(&s), two.turn(&t));
            let Some(mover) = one.turn(&s).mover() else {
                assert_eq!(one.outcome(&s), two.outcome(&t));
                break;
            };
            let mut pick = None;
            for agent in [Agent(0), Agent(1)] {
                let (mut moves, mut same) = (Vec::new(), Vec::new());
                one.moves(&s, agent, &mut moves);
                two.moves(&t, agent, &mut same);
                assert_eq!(moves, same);
                if agent == mover {
                    pick = Some(moves[rng.below(moves.len() as u32) as usize]);
                }
            }
            let m = pick.unwrap();
            one.play(&mut s, mover, m);
            two.play(&mut t, mover, m);
        }
    }
}

/// Compares how often Max reaches each outcome in the game's own playouts and in plain ones, from
/// all states of a few random plays.
pub(crate) fn playouts_are_uniform<G: Guide>(game: &G, plays: u32) {
    let mut rng = Rng::new(5);
    let n = 4000;
    let best = usize::from(game.scale().best().0);
    for _ in 0..plays {
        for s in random_play(game, &mut rng) {
            // How much more often the game's own playouts ended with each outcome.
            let mut more = vec![0i32; best + 1];
            for _ in 0..n {
                let own = game.playout(s.clone(), &mut rng).unwrap();
                let plain = plain_playout(game, s.clone(), &mut rng).unwrap();
                more[usize::from(own.0)] += 1;
                more[usize::from(plain.0)] -= 1;
            }
            let mut reached = 0;
            for (outcome, more) in more.iter().enumerate().skip(1).rev() {
                reached += more;
                // Five standard deviations of a difference are at most 5 sqrt(n / 2) = 224.
                assert!(reached.abs() < 224, "{reached} of {n} at least {outcome}: {s:?}");
            }
        }
    }
}

/// The exact chance of each outcome under random play.
fn chances<G: Game>(game: &G, s: &G::State, memo: &mut HashMap<G::State, Vec<f64>>) -> Vec<f64> {
    if let Some(known) = memo.get(s) {
        return known.clone();
    }
    let mut sum = vec![0.0; usize::from(game.scale().best().0) + 1];
    match game.turn(s) {
        Turn::Over => sum[usize::from(game.outcome(s).0)] = 1.0,
        Turn::Chance => {
            let next = weighed(game, s);
            let weights: u64 = next.iter().map(|(weight, _)| weight).sum();
            for (weight, t) in &next {
                for (sum, chance) in sum.iter_mut().zip(chances(game, t, memo)) {
                    *sum += chance * *weight as f64 / weights as f64;
                }
            }
        }
        Turn::Agent(agent) => {
            let next = next_states(game, s, agent);
            for t in &next {
                for (sum, chance) in sum.iter_mut().zip(chances(game, t, memo)) {
                    *sum += chance / next.len() as f64;
                }
            }
        }
    }
    memo.insert(s.clone(), sum.clone());
    sum
}

/// Compares how often playouts, the game's own and plain ones, reach each outcome with the exact
/// chances.
pub(crate) fn playouts_have_exact_chances<G: Guide + Notation>(game: &G, text: &str) {
    let mut rng = Rng::new(8);
    let s = game.read_position(text).unwrap();
    let exact = chances(game, &s, &mut HashMap::new());
    for fast in [true, false] {
        let n = if fast { 200_000 } else { 50_000 };
        let mut found = vec![0; exact.len()];
        for _ in 0..n {
            let end = match fast {
                true => game.playout(s.clone(), &mut rng),
                false => plain_playout(game, s.clone(), &mut rng),
            };
            found[usize::from(end.unwrap().0)] += 1;
        }
        for (p, found) in exact.iter().zip(found) {
            let sigma = (p * (1.0 - p) / f64::from(n)).sqrt();
            let off = (f64::from(found) / f64::from(n) - p).abs();
            assert!(off <= 5.0 * sigma + 1e-9, "{text}: {found} against {p}");
        }
    }
}

/// The rows of a position's text.
type Rows = Vec<Vec<char>>;

/// An image of a position, made from its text.
pub(crate) type Image = fn(&Rows) -> Rows;

/// Left and right exchanged.
pub(crate) const COLUMNS: Image =
    |rows| rows.iter().map(|row| row.iter().rev().copied().collect()).collect();

/// Top and bottom exchanged.
pub(crate) const ROWS: Image = |rows| rows.iter().rev().cloned().collect();

/// Rows and columns exchanged.
pub(crate) const DIAGONAL: Image =
    |rows| (0..rows[0].len()).map(|c| rows.iter().map(|row| row[c]).collect()).collect();

/// A triangle turned by a third.
pub(crate) const THIRD: Image = |rows| {
    let n = rows.len();
    (0..n).map(|r| (0..=r).map(|i| rows[n - 1 - i][r - i]).collect()).collect()
};

/// Checks, along random plays, that `canonical` picks one of the position's images, the same for
/// all of them, and that moves, values and results are those of the position; and that `order`
/// only changes the order. All images are made by repeating `images`, and `most` is how many of
/// one position there should be. Values are found by trying everything if `solved`.
pub(crate) fn images_are_alike<G: Guide + Notation>(
    game: &G,
    plays: u32,
    images: &[Image],
    most: usize,
    solved: bool,
) {
    let mut rng = Rng::new(6);
    let mut memo = HashMap::new();
    let mut seen = 0;
    for _ in 0..plays {
        for s in random_play(game, &mut rng) {
            let text = game.position_text(&s);
            let canonical = game.canonical(&s);
            let all = all_images(&text, images);
            seen = seen.max(all.len());
            for image in &all {
                let image = game.read_position(image).unwrap();
                assert_eq!(game.canonical(&image), canonical, "{text}");
            }
            assert!(all.contains(&game.position_text(&canonical)), "{text}");
            if solved {
                let value = solve(game, &s, &mut memo);
                assert_eq!(solve(game, &canonical, &mut memo), value, "{text}");
            }
            let turn = game.turn(&s);
            assert_eq!(game.turn(&canonical), turn, "{text}");
            let Some(mover) = turn.mover() else {
                assert_eq!(game.outcome(&canonical), game.outcome(&s), "{text}");
                continue;
            };
            let after = |s: &G::State| -> HashSet<G::State> {
                next_states(game, s, mover).iter().map(|t| game.canonical(t)).collect()
            };
            assert_eq!(after(&s), after(&canonical), "{text}");
            for agent in [Agent(0), Agent(1)] {
                assert_eq!(game.mobility(&s, agent), game.mobility(&canonical, agent), "{text}");
                order_keeps_the_moves(game, &s, agent);
            }
        }
    }
    assert_eq!(seen, most, "images of {}", game.name());
}

/// The texts of all images of a position, itself included.
fn all_images(text: &str, images: &[Image]) -> Vec<String> {
    let (board, mover) = text.rsplit_once(' ').unwrap();
    let mut all = vec![board.to_owned()];
    let mut next = 0;
    while next < all.len() {
        let rows: Rows = all[next].split('/').map(|row| row.chars().collect()).collect();
        for image in images {
            let rows: Vec<String> = image(&rows).iter().map(|row| row.iter().collect()).collect();
            let board = rows.join("/");
            if !all.contains(&board) {
                all.push(board);
            }
        }
        next += 1;
    }
    all.iter().map(|board| format!("{board} {mover}")).collect()
}

/// Moves that are not worth trying lose at once, as the game itself says.
pub(crate) fn left_out_is_lost<G: Guide + Notation>(game: &G, s: &G::State) {
    let Some(agent) = game.turn(s).mover() else { return };
    if game.known(s).is_some_and(|k| k.at_least == k.at_most) {
        return;
    }
    let (mut all, mut tried) = (Vec::new(), Vec::new());
    game.moves(s, agent, &mut all);
    game.promising(s, agent, &mut tried);
    assert!(tried.iter().all(|m| all.contains(m)), "{}", game.position_text(s));
    // A forced move is the only one worth trying.
    if let Some(forced) = game.forced(s, agent) {
        assert_eq!(tried, [forced], "{}", game.position_text(s));
    }
    let (worst, prover, at_least) = match Side::of(agent) {
        Side::Max => (Outcome(0), Side::Min, Outcome(1)),
        Side::Min => (game.scale().best(), Side::Max, game.scale().best()),
    };
    // What is said of all of them is confirmed after each.
    let claim = Claim { max: Agent::FIRST, prover, at_least, or_endless: false };
    let mut words = String::new();
    let said = game.leaves_out() && game.reason_for_others(s, claim, &mut words);
    let (rule, reason) = words.split_once(' ').unwrap_or((&words, ""));
    for &m in all.iter().filter(|m| !tried.contains(m)) {
        let mut next = s.clone();
        game.play(&mut next, agent, m);
        let known = game.known(&next).map(|k| (k.at_least, k.at_most));
        assert_eq!(known, Some((worst, worst)), "{}", game.position_text(s));
        let confirmed = !said || game.confirms(&next, claim, rule, reason.trim_end());
        assert!(confirmed, "{words}: {}", game.position_text(&next));
    }
}

fn order_keeps_the_moves<G: Guide>(game: &G, s: &G::State, agent: Agent) {
    let mut moves = Vec::new();
    game.moves(s, agent, &mut moves);
    let mut ordered = moves.clone();
    game.order(s, agent, &mut ordered);
    assert_eq!(ordered.len(), moves.len(), "{s:?}");
    // Moves are all different, so none is missing when each is there.
    assert!(moves.iter().all(|m| ordered.contains(m)), "{s:?}");
    let mut again = moves;
    game.order(s, agent, &mut again);
    assert_eq!(again, ordered, "{s:?}");
}

/// The names of the moves of the player to move, in the order of `order`.
pub(crate) fn ordered_names<G: Guide + Notation>(game: &G, s: &G::State) -> Vec<String> {
    let Some(agent) = game.turn(s).mover() else {
        return Vec::new();
    };
    let mut moves = Vec::new();
    game.moves(s, agent, &mut moves);
    game.order(s, agent, &mut moves);
    moves.iter().map(|&m| game.move_text(s, m)).collect()
}

/// Checks that moves stand in the order of own mobility less the opponent's after the move.
pub(crate) fn orders_by_mobility<G: Guide>(game: &G, plays: u32) {
    let mut rng = Rng::new(7);
    for _ in 0..plays {
        for s in random_play(game, &mut rng) {
            let Some(agent) = game.turn(&s).mover() else {
                continue;
            };
            let mut moves = Vec::new();
            game.moves(&s, agent, &mut moves);
            game.order(&s, agent, &mut moves);
            let rank = |&m: &G::Move| {
                let mut after = s.clone();
                game.play(&mut after, agent, m);
                let count = |agent| i64::from(game.mobility(&after, agent));
                count(agent) - count(Agent(1 - agent.0))
            };
            assert!(moves.iter().map(rank).is_sorted_by(|a, b| a >= b), "{s:?}");
        }
    }
}

const NONSENSE: &str = "| |/|x|é|a|1|a0|a1 |a1é|é1|A1|a999|zz9|a1a1|a1-|a1x|-|0 |\u{0}|☃ black|\
    x black|///// white|. purple";

/// Reads texts that are neither moves nor positions, and the starting position with one character
/// changed, which may still be a position.
pub(crate) fn nonsense_is_refused<G: Notation>(game: &G) {
    for text in NONSENSE.split('|') {
        assert_eq!(game.parse_move(&game.start(), text), None, "{text}");
    }
    nonsense_positions_are_refused(game);
}

/// The same for positions only: a game may have one of these texts for a move.
pub(crate) fn nonsense_positions_are_refused<G: Notation>(game: &G) {
    for text in NONSENSE.split('|') {
        let error = game.read_position(text).unwrap_err();
        assert!(text.get(error.span).is_some(), "{text}");
    }
    let start = game.position_text(&game.start());
    for (at, c) in start.char_indices() {
        for change in ["", " ", "/", "é", "☃", "x", "o", "w", "b"] {
            let (head, tail) = (&start[..at], &start[at + c.len_utf8()..]);
            let text = format!("{head}{change}{tail}");
            match game.read_position(&text) {
                Ok(read) => assert_eq!(game.position_text(&read), text),
                Err(error) => assert!(text.get(error.span).is_some(), "{text}"),
            }
        }
    }
}

/// The positions that a pair of moves leads to, each with the pair.
pub(crate) fn joint_moves<J: Joint>(game: &J, s: &J::State) -> Vec<(J::Move, J::Move, J::State)> {
    let (mut max, mut min) = (Vec::new(), Vec::new());
    game.moves(s, Side::Max, &mut max);
    game.moves(s, Side::Min, &mut min);
    assert!(!max.is_empty() && !min.is_empty(), "both have moves in {s:?}");
    let mut all = Vec::new();
    for &a in &max {
        for &b in &min {
            let mut next = s.clone();
            game.play(&mut next, a, b);
            all.push((a, b, next));
        }
    }
    all
}

/// How many positions of the tree below `s` are not over; with a set, each is counted once.
pub(crate) fn joint_tree<J: Joint>(
    game: &J,
    s: &J::State,
    mut seen: Option<&mut HashSet<J::State>>,
) -> u64 {
    if game.payoff(s).is_some() || seen.as_mut().is_some_and(|seen| !seen.insert(s.clone())) {
        return 0;
    }
    let next = joint_moves(game, s);
    1 + next.iter().map(|(_, _, t)| joint_tree(game, t, seen.as_deref_mut())).sum::<u64>()
}

/// Random plays: positions and moves are read back as they were written, payoffs lie within the
/// range, and plays end.
pub(crate) fn joint_texts_round_trip<J: JointNotation>(game: &J) {
    let mut rng = Rng::new(5);
    for _ in 0..50 {
        let mut s = game.start();
        let mut played = Vec::new();
        for step in 0.. {
            assert!(step < 1000, "{} does not end", game.name());
            let text = game.position_text(&s);
            assert_eq!(game.read_position(&text).as_ref(), Ok(&s), "{text}");
            assert!(game.draw(&s).ends_with('\n'));
            if let Some(payoff) = game.payoff(&s) {
                let (low, high) = game.range();
                assert!((low..=high).contains(&payoff), "{payoff} is out of {low} to {high}");
                break;
            }
            let next = joint_moves(game, &s);
            for &(a, b, _) in &next {
                for (side, m) in [(Side::Max, a), (Side::Min, b)] {
                    let text = game.move_text(&s, side, m);
                    let plain = |c: char| !c.is_whitespace() && c != ',' && c != '/';
                    assert!(!text.is_empty() && text.chars().all(plain), "`{text}`");
                    assert_eq!(game.parse_move(&s, side, &text), Some(m), "{text}");
                }
            }
            let (a, b, t) = next[rng.below(next.len() as u32) as usize].clone();
            played.push(format!(
                "{}/{}",
                game.move_text(&s, Side::Max, a),
                game.move_text(&s, Side::Min, b)
            ));
            s = t;
        }
        let text = format!("moves:{}", played.join(","));
        assert_eq!(game.read_position_or_moves(&text), Ok(s), "{text}");
    }
}
