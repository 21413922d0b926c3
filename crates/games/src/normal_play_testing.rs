//! What a game under normal play has promised ([`NormalPlay`]), as tests.

use std::collections::BTreeSet;

use foregone_model::{Agent, Guide, NormalPlay, Outcome, Rng, Side, Turn};

use crate::testing::next_states;

/// A position as the texts of its parts, in order: equal for positions that are worth the same
/// because their parts are alike.
type Parts = Vec<String>;

const BOTH: [Agent; 2] = [Agent(0), Agent(1)];

/// Positions of a few plays from the start, each move by a player drawn at random: in a sum, one
/// player may move several times in one part.
pub(crate) fn random_positions<G: NormalPlay>(
    game: &G,
    plays: usize,
    rng: &mut Rng,
) -> Vec<G::State> {
    let mut positions = Vec::new();
    for _ in 0..plays {
        let mut s = game.start();
        loop {
            positions.push(s.clone());
            let side = [Side::Max, Side::Min][rng.below(2) as usize];
            let sides = [side, side.other()];
            let next = sides.iter().map(|side| next_states(game, &s, side.agent()));
            let Some(next) = next.into_iter().find(|next| !next.is_empty()) else { break };
            s = next[rng.below(next.len() as u32) as usize].clone();
        }
    }
    positions
}

/// Checks all laws in each of these positions.
pub(crate) fn laws<G: Guide + NormalPlay>(game: &G, positions: &[G::State]) {
    for s in positions {
        texts_are_plain(game, s);
        turns_are_apart(game, s);
        the_end_is_lost(game, s);
        parts_add_up(game, s);
        negatives_exchange_the_players(game, s);
        impartial_games_are_fair(game, s);
    }
}

/// The laws in positions of random plays.
pub(crate) fn laws_hold<G: Guide + NormalPlay>(game: &G, plays: usize) {
    laws(game, &random_positions(game, plays, &mut Rng::new(11)));
}

/// Whom the law is about, for the message of one that does not hold.
fn about<G: NormalPlay>(game: &G, s: &G::State, law: &str) -> String {
    format!("{}, {}: {law}", game.name(), game.position_text(s))
}

fn texts_are_plain<G: Guide + NormalPlay>(game: &G, s: &G::State) {
    let text = game.position_text(s);
    let about = |law| about(game, s, law);
    assert_eq!(game.read_position(&text).as_ref(), Ok(s), "{}", about("a position reads back"));
    let sum = text.contains(" + ") && !game.name().contains(" + ");
    let plain = !text.contains(['&', ';']) && !sum && !text.starts_with('=');
    assert!(plain, "{}", about("its text has no signs of a sum"));
    for (side, player) in [Side::Max, Side::Min].into_iter().zip(game.players()) {
        let turned = game.with_turn(s, side);
        let text = game.position_text(&turned);
        let law = "its text ends with a blank and the player's name";
        assert!(text.ends_with(&format!(" {player}")), "{}", about(law));
        let mut moves = Vec::new();
        game.moves(&turned, side.agent(), &mut moves);
        let counted = game.mobility(&turned, side.agent()) as usize;
        assert_eq!(counted, moves.len(), "{}", about("moves are counted rightly"));
        for m in moves {
            let name = game.move_text(&turned, m);
            let law = format!("the move {name} reads back");
            assert_eq!(game.parse_move(&turned, &name), Some(m), "{}", about(&law));
        }
    }
}

fn turns_are_apart<G: Guide + NormalPlay>(game: &G, s: &G::State) {
    let about = |law| about(game, s, law);
    let turned = [Side::Max, Side::Min].map(|side| game.with_turn(s, side));
    let law = "another turn changes nothing else";
    for (t, side) in turned.iter().zip([Side::Max, Side::Min]) {
        assert_eq!(&game.with_turn(t, side), t, "{}", about(law));
        assert_eq!(game.with_turn(&turned[0], side), *t, "{}", about(law));
        assert_eq!(game.with_turn(&turned[1], side), *t, "{}", about(law));
    }
    assert!(turned.contains(s), "{}", about("it is somebody's turn"));
    let texts = turned.each_ref().map(|t| game.position_text(t));
    let [one, two] = texts.each_ref().map(|t| t.rsplit_once(' ').map(|(rest, _)| rest));
    assert_eq!(one, two, "{}", about("only the last word tells whose turn it is"));
    for agent in BOTH {
        let [one, two] = turned.each_ref().map(|t| {
            let mut moves = Vec::new();
            game.moves(t, agent, &mut moves);
            moves
        });
        assert_eq!(one, two, "{}", about("moves do not depend on whose turn it is"));
        let [one, two] = turned.each_ref().map(|t| next_states(game, t, agent));
        let law = "positions behind moves do not depend on whose turn it is";
        assert_eq!(one, two, "{}", about(law));
        let other = Side::of(agent).other();
        let law = "after a move it is the other player's turn";
        assert!(one.iter().all(|t| game.with_turn(t, other) == *t), "{}", about(law));
    }
}

fn the_end_is_lost<G: Guide + NormalPlay>(game: &G, s: &G::State) {
    for (side, lost) in [(Side::Max, Outcome::LOSS), (Side::Min, Outcome::WIN)] {
        let t = game.with_turn(s, side);
        let about = |law| about(game, &t, law);
        match next_states(game, &t, side.agent()).is_empty() {
            true => {
                let law = "a game is over when who is to move has no moves";
                assert_eq!(game.turn(&t), Turn::Over, "{}", about(law));
                assert_eq!(game.outcome(&t), lost, "{}", about("who cannot move has lost"));
            }
            false => {
                let law = "it is the turn of who is to move";
                assert_eq!(game.turn(&t), Turn::Agent(side.agent()), "{}", about(law));
            }
        }
    }
}

fn split<G: NormalPlay>(game: &G, s: &G::State) -> Vec<G::State> {
    let mut parts = Vec::new();
    game.split(s, &mut parts);
    parts
}

fn sorted<G: NormalPlay>(game: &G, parts: &[G::State]) -> Parts {
    let mut texts: Parts = parts.iter().map(|part| game.position_text(part)).collect();
    texts.sort();
    texts
}

/// The parts of the positions behind all moves of a player.
fn options<G: NormalPlay>(game: &G, s: &G::State, agent: Agent) -> BTreeSet<Parts> {
    next_states(game, s, agent).iter().map(|t| sorted(game, &split(game, t))).collect()
}

/// The same for a sum of parts: a move is made in one of them.
fn options_of_parts<G: NormalPlay>(game: &G, parts: &[G::State], agent: Agent) -> BTreeSet<Parts> {
    let mut all = BTreeSet::new();
    for (i, part) in parts.iter().enumerate() {
        let others = [&parts[..i], &parts[i + 1..]].concat();
        for t in next_states(game, part, agent) {
            let mut now = split(game, &t);
            now.extend(others.iter().cloned());
            all.insert(sorted(game, &now));
        }
    }
    all
}

fn parts_add_up<G: Guide + NormalPlay>(game: &G, s: &G::State) {
    let parts = split(game, s);
    for part in &parts {
        let about = |law| about(game, part, law);
        assert_eq!(&game.with_turn(part, Side::Max), part, "{}", about("parts have Max to move"));
        let law = "somebody can move in a part";
        assert!(BOTH.iter().any(|&a| !next_states(game, part, a).is_empty()), "{}", about(law));
        let law = "a part is its own only part";
        assert_eq!(split(game, part), std::slice::from_ref(part), "{}", about(law));
    }
    for agent in BOTH {
        let player = game.players()[usize::from(agent.0)];
        let law = format!("a move of {player} is a move in one of the parts {parts:?}");
        let (whole, of_parts) = (options(game, s, agent), options_of_parts(game, &parts, agent));
        assert_eq!(whole, of_parts, "{}", about(game, s, &law));
    }
}

fn negatives_exchange_the_players<G: Guide + NormalPlay>(game: &G, s: &G::State) {
    for part in split(game, s) {
        let about = |law| about(game, &part, law);
        let Some(negative) = game.negative(&part) else { continue };
        let law = "the negative of the negative is the part";
        assert_eq!(game.negative(&negative).as_ref(), Some(&part), "{}", about(law));
        let law = "a negative is a part";
        let itself = std::slice::from_ref(&negative);
        assert_eq!(split(game, &negative), itself, "{}", about(law));
        for agent in BOTH {
            // Where a part has no room for its negative, there is nothing to compare with.
            let negated: Option<BTreeSet<Parts>> = next_states(game, &part, agent)
                .iter()
                .map(|t| {
                    let parts: Option<Vec<G::State>> =
                        split(game, t).iter().map(|part| game.negative(part)).collect();
                    parts.map(|parts| sorted(game, &parts))
                })
                .collect();
            let law = "the parts of a part with a negative have negatives";
            let negated = negated.unwrap_or_else(|| panic!("{}", about(law)));
            let other = Side::of(agent).other().agent();
            let law = format!("Left and Right exchange their moves in {negative:?}");
            assert_eq!(options(game, &negative, other), negated, "{}", about(&law));
        }
    }
}

fn impartial_games_are_fair<G: Guide + NormalPlay>(game: &G, s: &G::State) {
    if !game.impartial() {
        return;
    }
    let about = |law| about(game, s, law);
    let behind = |agent| -> BTreeSet<String> {
        let next = next_states(game, s, agent);
        next.iter().map(|t| game.position_text(&game.with_turn(t, Side::Max))).collect()
    };
    let [one, two] = BOTH.map(behind);
    assert_eq!(one, two, "{}", about("both players have the same moves"));
    for part in split(game, s) {
        let law = "a part is its own negative";
        assert_eq!(game.negative(&part), Some(part), "{}", about(law));
    }
}
