//! Writing every player's score by max^n as a certificate.

use std::fmt::Write as _;

use foregone_proof::certificate::{Checksum, MAGIC, SCORES, scores_of};
use foregone_proof::{Notation, Outcome};

use crate::write::Written;

/// Writes the certificate that `start` comes to this outcome. For each position that can be reached
/// from there and is not over, `lines` has what is played, in an order in which a position stands
/// behind all that its moves lead to. `goes_on` is asked now and then with how many positions are
/// done, and how many there are; nothing where it says no.
///
/// Lines that do not fit the rules make a certificate that the checker refuses.
pub fn write_scores_while<G: Notation>(
    game: &G,
    start: &G::State,
    outcome: Outcome,
    lines: &[(G::State, G::Move)],
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Option<Written> {
    let mut text = String::new();
    let scores: Vec<String> = scores_of(game, outcome).iter().map(i64::to_string).collect();
    let _ = writeln!(text, "{MAGIC}\ngame {}\nrules {}\n{SCORES}", game.name(), game.rules());
    let _ = writeln!(text, "position {}", game.position_text(start));
    let _ = writeln!(text, "claim scores {}\n", scores.join(" "));
    let claims = lines.len() as u64;
    for (at, (s, m)) in lines.iter().enumerate() {
        if at.is_multiple_of(TICK) && !goes_on(at as u64, claims) {
            return None;
        }
        game.write_move(s, *m, &mut text);
        text.push_str(" @ ");
        game.write_position(s, &mut text);
        text.push('\n');
    }
    let mut sum = Checksum::EMPTY;
    sum.add(text.as_bytes());
    let _ = writeln!(text, "end {claims} {:016x}", sum.0);
    let peak_bytes = text.capacity() as u64;
    Some(Written { text, claims, peak_bytes })
}

/// How many lines pass between two questions whether to go on.
const TICK: usize = 256;
