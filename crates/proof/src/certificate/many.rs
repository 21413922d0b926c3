//! Certificates of max^n: what every player gets if each goes for its own score, checked by
//! backward induction.
//!
//! After C. A. Luckhardt and K. B. Irani, *An Algorithmic Solution of N-Person Games* (1986). Who
//! is to move picks the successor that gives it most, whatever the others get; of equally good
//! moves the first one in the order of the rules. The scores that follow are one vector, and with
//! another way to break ties they may be another one, so the certificate names the rule.
//!
//! ```text
//! foregone certificate 2
//! game three-piles:1,2
//! rules 1
//! scores first-best
//! position 1,2 first
//! claim scores 0 100 50
//!
//! 1-1 @ 1,0 second
//! 2-1 @ 0,1 second
//! …
//! end 4 0123456789abcdef
//! ```
//!
//! A line `MOVE @ POSITION` says what is played in this position. Every position that any of its
//! moves leads to must be over or stand on an earlier line, so no loop can prove itself. The
//! checker finds for itself which move is best there, and refuses another one. The last position
//! is the one that the claim is about, and the claim holds a score for every agent, in their order.

use std::collections::HashMap;
use std::fmt;
use std::io::BufRead;

use super::check::{UNTOLD_CHANCE, same_rules};
use super::expected::position;
use super::reader::{CheckError, Header, Reader, shown};
use crate::game::{Agent, Game, Outcome, Turn};
use crate::notation::Notation;

/// What was found to be every agent's score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedScores {
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// The agents and their scores.
    pub scores: Vec<(String, i64)>,
    /// How many positions were replayed.
    pub claims: u64,
}

impl fmt::Display for ProvedScores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scores = self.scores.iter().map(|(name, score)| format!("{} {score}", shown(name)));
        let scores = scores.collect::<Vec<_>>().join(", ");
        let (position, game) = (shown(&self.position), shown(&self.game));
        write!(f, "{position} in {game}: {scores} by max^n, the first of equally good moves")
    }
}

/// What an outcome is worth to each agent, in their order.
pub fn scores_of<G: Game>(game: &G, outcome: Outcome) -> Vec<i64> {
    (0..game.agents()).map(|agent| game.score(outcome, Agent(agent))).collect()
}

/// Replays the certificate whose header was just read: nothing is believed but the rules, which
/// are independent of those that searched where the game has such.
pub fn check_scores<G: Notation, R: BufRead>(
    game: &G,
    header: &Header,
    reader: &mut Reader<R>,
) -> Result<ProvedScores, CheckError> {
    if !header.scores || game.question().is_some() {
        return Err(reader.error("expected a certificate of every player's score"));
    }
    let independent = game.independent_rules();
    let game = independent.as_ref().unwrap_or(game);
    let proved = replay(game, header, reader);
    reader.rules_hold(game.rules_violation())?;
    proved
}

fn replay<G: Notation, R: BufRead>(
    game: &G,
    header: &Header,
    reader: &mut Reader<R>,
) -> Result<ProvedScores, CheckError> {
    // Step 1: the header in the game's own words.
    same_rules(game, header).map_err(|problem| reader.error(problem))?;
    let Header { formula, mixed, expected, max, .. } = header;
    if formula.is_some() || mixed.is_some() || expected.is_some() || max.is_some() {
        return Err(
            reader.error("expected no formula, `mixed`, `expected` or `max` beside `scores`")
        );
    }
    let start = position(game, &header.position).map_err(|problem| reader.error(problem))?;

    // Step 2: the positions, one after the other, each behind those that it leads to.
    let mut proved: HashMap<G::State, Outcome> = HashMap::new();
    let (mut last, mut claims) = (None, 0);
    loop {
        let at = reader.next_number();
        let fail = |problem: String| CheckError::new(at, problem);
        let text = reader.need_line()?;
        // A move may be called `end`.
        let Some((played, place)) = text.split_once(" @ ") else {
            reader.end(claims)?;
            break;
        };
        let s = position(game, place).map_err(fail)?;
        if game.turn(&s) == Turn::Chance && !game.has_chance() {
            return Err(CheckError::rules_broken(at, UNTOLD_CHANCE));
        }
        let outcome = choice(game, &s, played, &proved).map_err(fail)?;
        claims += 1;
        if proved.insert(s.clone(), outcome).is_some() {
            return Err(fail("an earlier line speaks of this position".to_owned()));
        }
        last = Some((s, outcome));
    }

    // Step 3: what the last one shows. A position that is over needs no line.
    let outcome = match (game.turn(&start), last) {
        (Turn::Over, None) => game.outcome(&start),
        (Turn::Agent(_), Some((s, outcome))) if s == start => outcome,
        _ => return Err(reader.error("the last line is not about the position of the claim")),
    };
    let scores = scores_of(game, outcome);
    let written = scores.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    if written != header.outcome {
        return Err(reader.error(format!("the scores are {written}, against the claim")));
    }
    let name = |(agent, score)| (game.agent_name(Agent(agent)).to_owned(), score);
    let scores = (0..).zip(scores).map(name).collect();
    let Header { game, position, .. } = header.clone();
    Ok(ProvedScores { game, position, scores, claims })
}

/// The outcome that a position comes to, where this move is the first of the best ones.
fn choice<G: Notation>(
    game: &G,
    s: &G::State,
    played: &str,
    proved: &HashMap<G::State, Outcome>,
) -> Result<Outcome, String> {
    let agent = match game.turn(s) {
        Turn::Agent(agent) => agent,
        Turn::Chance => return Err("chance is to move here, and max^n has no chance".to_owned()),
        Turn::Over => return Err("the game is over here, nobody moves".to_owned()),
    };
    let mut moves = Vec::new();
    game.moves(s, agent, &mut moves);
    let mut best: Option<(i64, G::Move, Outcome)> = None;
    for &m in &moves {
        let mut next = s.clone();
        game.play(&mut next, agent, m);
        let outcome = match game.turn(&next) {
            Turn::Over => Some(game.outcome(&next)),
            Turn::Agent(_) | Turn::Chance => proved.get(&next).copied(),
        };
        let place = || shown(&game.position_text(&next));
        let outcome =
            outcome.ok_or_else(|| format!("no line before this one speaks of {}", place()))?;
        let score = game.score(outcome, agent);
        // Of equally good moves the first one stays.
        if best.is_none_or(|(most, ..)| score > most) {
            best = Some((score, m, outcome));
        }
    }
    let (_, best, outcome) = best.ok_or("nobody has a move here")?;
    match game.move_text(s, best) {
        text if text == played => Ok(outcome),
        text => Err(format!("the first of the best moves is `{}` here", shown(&text))),
    }
}
