//! What games with chance must keep, and what they are worth by trying everything: for tests.

use std::collections::HashMap;

use foregone_model::ratio::Ratio;
use foregone_model::{Agent, Endless, Game, Guide, Notation, Outcome, Rng, Side, Turn};

use crate::testing;

/// The moves of chance in `s`, each with its weight and where it leads.
pub(crate) fn weighed<G: Game>(game: &G, s: &G::State) -> Vec<(u64, G::State)> {
    let mut moves = Vec::new();
    game.moves(s, Agent::CHANCE, &mut moves);
    let play = |m: G::Move| {
        let mut next = s.clone();
        game.play(&mut next, Agent::CHANCE, m);
        (game.weight(s, m), next)
    };
    moves.into_iter().map(play).collect()
}

/// Random plays: positions and moves read back as they were written, chance has moves on its turn,
/// all different and with weights that can be added, and it comes up.
pub(crate) fn laws<G: Guide + Notation>(game: &G, plays: u32) {
    assert!(game.has_chance(), "{}", game.name());
    testing::texts_round_trip(game, plays);
    let mut rng = Rng::new(11);
    let mut thrown = 0;
    for _ in 0..plays {
        for s in testing::random_play(game, &mut rng) {
            let text = game.position_text(&s);
            assert!(game.draw(&s).ends_with('\n'), "{text}");
            match game.turn(&s) {
                Turn::Over => assert!(game.outcome(&s) <= game.scale().best(), "{text}"),
                Turn::Agent(agent) => {
                    assert!(agent.0 < game.agents(), "{text}");
                    assert!(agent == Agent::FIRST || !game.one_player(), "{text}");
                    distinct(game, &s, agent);
                }
                Turn::Chance => {
                    distinct(game, &s, Agent::CHANCE);
                    let next = weighed(game, &s);
                    assert!(next.iter().all(|(weight, _)| *weight >= 1), "{text}");
                    let sum = next.iter().try_fold(0u64, |sum, (w, _)| sum.checked_add(*w));
                    assert!(sum.is_some(), "{text}");
                    thrown += 1;
                }
            }
        }
    }
    assert!(thrown > 0, "{}: chance never moved", game.name());
}

/// The moves of who is on turn, and their texts, are all different.
fn distinct<G: Notation>(game: &G, s: &G::State, agent: Agent) {
    let mut moves = Vec::new();
    game.moves(s, agent, &mut moves);
    let mut words: Vec<String> = moves.iter().map(|&m| game.move_text(s, m)).collect();
    let plain = |w: &String| !w.is_empty() && !w.contains([':', ',', ' ']);
    assert!(words.iter().all(plain), "{words:?}");
    words.sort();
    words.dedup();
    assert_eq!(words.len(), moves.len(), "{}", game.position_text(s));
}

/// What an outcome counts: its number, or words from 0 to 1 in equal steps.
fn counts<G: Game>(game: &G, o: Outcome) -> Ratio {
    let scale = game.scale();
    match scale.score(o) {
        Some(score) => Ratio::from(score),
        None => Ratio::from(o.0) / Ratio::from(scale.best().0),
    }
}

/// The exact expected value of a position of a game without cycles, when both sides play best.
pub(crate) fn expected<G: Game>(
    game: &G,
    s: &G::State,
    memo: &mut HashMap<G::State, Ratio>,
) -> Ratio {
    if let Some(known) = memo.get(s) {
        return known.clone();
    }
    let value = match game.turn(s) {
        Turn::Over => counts(game, game.outcome(s)),
        Turn::Agent(agent) => {
            let next = testing::next_states(game, s, agent);
            let values = next.iter().map(|t| expected(game, t, memo));
            match Side::of(agent) {
                Side::Max => values.max(),
                Side::Min => values.min(),
            }
            .unwrap()
        }
        Turn::Chance => {
            let (mut sum, mut weights) = (Ratio::from(0), Ratio::from(0));
            for (weight, t) in weighed(game, s) {
                sum += Ratio::from(weight) * expected(game, &t, memo);
                weights += Ratio::from(weight);
            }
            sum / weights
        }
    };
    memo.insert(s.clone(), value.clone());
    value
}

/// The exact expected value at the start, as text: `7/12`.
pub(crate) fn value_at_start<G: Game>(game: &G) -> String {
    assert_eq!(game.endless(), Endless::Impossible);
    expected(game, &game.start(), &mut HashMap::new()).to_string()
}

/// The exact expected value of a position that is typed.
pub(crate) fn value_of<G: Notation>(game: &G, position: &str) -> String {
    let s = game.read_position(position).unwrap_or_else(|e| panic!("{position}: {e}"));
    expected(game, &s, &mut HashMap::new()).to_string()
}

/// A state of the table of [`iterated`]: who moves, and where to, with weights that add up to 1.
struct Row {
    turn: Turn,
    next: Vec<(usize, f64)>,
}

/// The expected value of the start by value iteration, for games in which positions come up again,
/// and how many positions there are. It goes on until no value changes by more than 1e-13.
pub(crate) fn iterated<G: Game>(game: &G) -> (f64, usize) {
    let mut numbers = HashMap::from([(game.start(), 0)]);
    let mut states = vec![game.start()];
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    while let Some(s) = states.get(rows.len()).cloned() {
        let turn = game.turn(&s);
        let next: Vec<(u64, G::State)> = match turn {
            Turn::Over => Vec::new(),
            Turn::Chance => weighed(game, &s),
            Turn::Agent(a) => {
                testing::next_states(game, &s, a).into_iter().map(|t| (1, t)).collect()
            }
        };
        values.push(match turn {
            Turn::Over => counts(game, game.outcome(&s)).to_f64().value(),
            Turn::Agent(_) | Turn::Chance => 0.0,
        });
        let sum: u64 = next.iter().map(|(weight, _)| weight).sum();
        let mut row = Vec::with_capacity(next.len());
        for (weight, t) in next {
            let number = *numbers.entry(t.clone()).or_insert(states.len());
            if number == states.len() {
                states.push(t);
            }
            row.push((number, weight as f64 / sum as f64));
        }
        rows.push(Row { turn, next: row });
    }
    loop {
        let mut change = 0.0f64;
        // Backward, so that most rows see what is behind them as it is now.
        for (state, Row { turn, next }) in rows.iter().enumerate().rev() {
            let behind = next.iter().map(|&(n, _)| values[n]);
            let value = match turn {
                Turn::Over => continue,
                Turn::Chance => next.iter().map(|&(n, p)| p * values[n]).sum(),
                Turn::Agent(agent) => match Side::of(*agent) {
                    Side::Max => behind.fold(f64::NEG_INFINITY, f64::max),
                    Side::Min => behind.fold(f64::INFINITY, f64::min),
                },
            };
            change = change.max((value - values[state]).abs());
            values[state] = value;
        }
        if change < 1e-13 {
            return (values[0], states.len());
        }
    }
}

/// The position behind some moves, which must be legal, those of chance among them.
pub(crate) fn played<G: Notation>(game: &G, position: &str, words: &str) -> G::State {
    let mut s = game.read_position(position).unwrap_or_else(|e| panic!("{position}: {e}"));
    for word in words.split(' ') {
        let agent = game.turn(&s).mover().unwrap();
        let m = game.parse_typed(&s, word).unwrap_or_else(|| panic!("{word}"));
        let mut moves = Vec::new();
        game.moves(&s, agent, &mut moves);
        assert!(moves.contains(&m), "{word} in {}", game.position_text(&s));
        game.play(&mut s, agent, m);
    }
    s
}

/// The text of that position.
pub(crate) fn after<G: Notation>(game: &G, position: &str, words: &str) -> String {
    game.position_text(&played(game, position, words))
}

/// How a game ends that is over behind some moves.
pub(crate) fn end<G: Notation>(game: &G, position: &str, words: &str) -> String {
    let s = played(game, position, words);
    assert_eq!(game.turn(&s), Turn::Over, "{}", game.position_text(&s));
    game.scale().name(game.outcome(&s)).to_owned()
}

/// The moves in a position; those of chance with their weights, `6-5x2`.
pub(crate) fn listed<G: Notation>(game: &G, position: &str) -> String {
    let s = game.read_position(position).unwrap_or_else(|e| panic!("{position}: {e}"));
    let agent = game.turn(&s).mover().unwrap();
    let mut moves = Vec::new();
    game.moves(&s, agent, &mut moves);
    let word = |&m: &G::Move| match agent {
        Agent::CHANCE => format!("{}x{}", game.move_text(&s, m), game.weight(&s, m)),
        _ => game.move_text(&s, m),
    };
    moves.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Texts that are not positions, each with the place of the mistake.
pub(crate) fn mistakes_show_their_place<G: Notation>(
    game: &G,
    cases: &[(&str, std::ops::Range<usize>)],
) {
    testing::nonsense_positions_are_refused(game);
    for (text, span) in cases {
        assert_eq!(game.read_position(text).unwrap_err().span, *span, "{text}");
    }
}
