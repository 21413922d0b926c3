//! Playouts as lines of text, to compare interpreters by: one JSON object per state.
//!
//! The first line has the game, its roles and who made the trace. Then one line per state: `p` the
//! playout, `s` the step, `state` the facts in the order of their texts, `terminal`, `legal` the
//! moves of each role (if the game is not over), `move` the moves made, `goals` what each role gets
//! (if it is over; `null` if that is not one number), `stuck` if a role has no legal move.

use foregone_model::Rng;

use crate::machine::{Machine, MachineError, Move, State, View};

/// The first line of a trace.
pub fn title(game: &Machine, name: &str, reference: &str) -> String {
    let mut out = String::from("{\"game\":");
    string(name, &mut out);
    out.push_str(",\"roles\":");
    list(game.roles(), &mut out, |r, out| string(r, out));
    out.push_str(",\"ref\":");
    string(reference, &mut out);
    out.push('}');
    out
}

/// The line of a state. `moves` are the moves made in it, if any are.
pub fn line(
    game: &Machine,
    playout: usize,
    step: usize,
    state: &State,
    view: &View,
    moves: Option<&[Move]>,
) -> String {
    let term = |&t: &Move, out: &mut String| string(&game.show(t), out);
    let mut out = format!("{{\"p\":{playout},\"s\":{step},\"state\":");
    list(&game.facts(state), &mut out, |f, out| string(f, out));
    out.push_str(&format!(",\"terminal\":{}", view.terminal));
    if view.terminal {
        out.push_str(",\"goals\":");
        list(&view.goals, &mut out, |goal, out| match goal {
            Some(value) => out.push_str(&value.to_string()),
            None => out.push_str("null"),
        });
    } else {
        out.push_str(",\"legal\":");
        list(&view.legal, &mut out, |moves, out| list(moves, out, term));
    }
    if let Some(moves) = moves {
        out.push_str(",\"move\":");
        list(moves, &mut out, term);
    }
    if view.stuck() {
        out.push_str(",\"stuck\":true");
    }
    out.push('}');
    out
}

/// The lines of one playout by random moves: equal seeds give equal playouts. It ends where the
/// game does, where a role has no move, or after `longest` moves.
pub fn playout(
    game: &mut Machine,
    playout: usize,
    seed: u64,
    longest: usize,
) -> Result<Vec<String>, MachineError> {
    let mut rng = Rng::new(seed);
    let mut state = game.initial()?;
    let mut lines = Vec::new();
    for step in 0.. {
        let view = game.view(&state)?;
        if view.terminal || view.stuck() || step == longest {
            lines.push(line(game, playout, step, &state, &view, None));
            break;
        }
        let moves = view.random_moves(&mut rng);
        lines.push(line(game, playout, step, &state, &view, Some(&moves)));
        state = game.next(&state, &moves)?;
    }
    Ok(lines)
}

/// The lines of the playout in which these joint moves are made, whether they are legal or not:
/// one more line than moves.
pub fn replay(
    game: &mut Machine,
    playout: usize,
    joint_moves: &[Vec<Move>],
) -> Result<Vec<String>, MachineError> {
    let mut state = game.initial()?;
    let mut lines = Vec::new();
    for (step, moves) in joint_moves.iter().enumerate() {
        let view = game.view(&state)?;
        lines.push(line(game, playout, step, &state, &view, Some(moves)));
        state = game.next(&state, moves)?;
    }
    let view = game.view(&state)?;
    lines.push(line(game, playout, joint_moves.len(), &state, &view, None));
    Ok(lines)
}

fn list<T>(items: &[T], out: &mut String, mut write: impl FnMut(&T, &mut String)) {
    out.push('[');
    for (n, item) in items.iter().enumerate() {
        if n > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
}

fn string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            _ => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
}
