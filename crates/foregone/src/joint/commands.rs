//! The small commands for games with joint moves: describe, show, count, and check a certificate.

use std::io::{BufRead, Write};

use foregone_games::files::Files;
use foregone_games::joint_registry::JointVisitor;
use foregone_model::certificate::{CheckError, Header, ProvedMixed, Reader, check_mixed};
use foregone_model::{Joint, JointNotation, JointTyped, Side};
use serde_json::json;

use super::{with_any, with_named};
use crate::failure::Failure;
use crate::print::grouped;
use crate::run::say;

fn position<J: JointNotation>(game: &J, text: &str) -> Result<J::State, Failure> {
    game.read_position_or_moves(text).map_err(|e| Failure::text("position", text, e))
}

/// A payoff in points.
fn points<J: Joint>(game: &J, payoff: i64) -> String {
    super::print::decimal(payoff as f64 / game.unit() as f64)
}

/// Players, payoffs and the start of a game.
pub(crate) fn describe(spec: &str, out: &mut dyn Write) -> Result<u8, Failure> {
    struct Describe<'a>(&'a mut dyn Write);

    impl JointVisitor for Describe<'_> {
        type Output = u8;

        fn visit<J: JointNotation>(self, game: J) -> u8 {
            let [max, min] = game.players();
            let (low, high) = game.range();
            let start = game.start();
            let mut text = format!(
                "players: {max} (Max) and {min} (Min), at the same time\npayoffs for {max}: {} to {}\n\
                 start of {}: {}\n",
                points(&game, low),
                points(&game, high),
                game.name(),
                game.position_text(&start),
            );
            for side in [Side::Max, Side::Min] {
                let mut moves = Vec::new();
                if game.payoff(&start).is_none() {
                    game.moves(&start, side, &mut moves);
                }
                let shown: Vec<String> =
                    moves.iter().take(8).map(|&m| game.move_text(&start, side, m)).collect();
                let more = if moves.len() > shown.len() { " …" } else { "" };
                let player = game.players()[side.index()];
                text.push_str(&format!("first moves of {player}: {}{more}\n", shown.join(" ")));
            }
            text.push_str(&game.draw(&start));
            say(self.0, &text);
            0
        }
    }

    with_any(spec, Describe(out))
}

/// Draws a position.
pub(crate) fn show(spec: &str, text: &str, out: &mut dyn Write) -> Result<u8, Failure> {
    struct Show<'a>(&'a str, &'a mut dyn Write);

    impl JointVisitor for Show<'_> {
        type Output = Result<u8, Failure>;

        fn visit<J: JointNotation>(self, game: J) -> Result<u8, Failure> {
            let s = position(&game, self.0)?;
            let over = match game.payoff(&s) {
                Some(payoff) => {
                    format!("over: {} for {}\n", points(&game, payoff), game.players()[0])
                }
                None => String::new(),
            };
            let text = game.position_text(&s);
            say(self.1, &format!("{}\n{over}position: {text}\n", game.draw(&s)));
            Ok(0)
        }
    }

    with_any(spec, Show(text, out))?
}

/// Counts sequences of pairs of moves.
pub(crate) fn perft(
    spec: &str,
    depth: u32,
    text: &str,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    struct Perft<'a>(u32, &'a str, bool, &'a mut dyn Write);

    impl JointVisitor for Perft<'_> {
        type Output = Result<u8, Failure>;

        fn visit<J: JointNotation>(self, game: J) -> Result<u8, Failure> {
            let Perft(depth, text, as_json, out) = self;
            let s = position(&game, text)?;
            let mut counts = Vec::new();
            for depth in 1..=depth {
                let count = sequences(&game, &s, depth);
                if !as_json {
                    say(out, &format!("{depth:>3}  {}\n", grouped(count)));
                }
                counts.push(count);
            }
            if as_json {
                let position = game.position_text(&s);
                let object = json!({ "game": game.name(), "position": position, "counts": counts });
                say(out, &(object.to_string() + "\n"));
            }
            Ok(0)
        }
    }

    with_any(spec, Perft(depth, text, as_json, out))?
}

/// The number of sequences of so many pairs of moves.
fn sequences<J: Joint>(game: &J, s: &J::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.payoff(s).is_some() {
        return 0;
    }
    let (mut max, mut min) = (Vec::new(), Vec::new());
    game.moves(s, Side::Max, &mut max);
    game.moves(s, Side::Min, &mut min);
    if depth == 1 {
        return (max.len() * min.len()) as u64;
    }
    let mut count = 0;
    for &a in &max {
        for &b in &min {
            let mut next = s.clone();
            game.play(&mut next, a, b);
            count += sequences(game, &next, depth - 1);
        }
    }
    count
}

/// Replays a certificate whose header names a game with joint moves.
pub(crate) fn replay<R: BufRead>(
    files: &Files,
    header: &Header,
    reader: &mut Reader<R>,
) -> Result<Result<ProvedMixed, CheckError>, foregone_games::registry::GameError> {
    struct Replay<'a, R>(&'a Header, &'a mut Reader<R>);

    impl<R: BufRead> JointVisitor for Replay<'_, R> {
        type Output = Result<ProvedMixed, CheckError>;

        fn visit<J: JointNotation>(self, game: J) -> Self::Output {
            check_mixed(&game, self.0, self.1)
        }
    }

    let replayed = with_named(files, &header.game, Replay(header, &mut *reader))?;
    Ok(replayed.unwrap_or_else(|| {
        Err(reader.error("in this game players move in turn: its certificates are not mixed"))
    }))
}
