//! Writing a weak solution as a certificate.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write as _;

use foregone_proof::certificate::{Checksum, MAGIC, OTHERS};
use foregone_proof::{Agent, Claim, Notation, Outcome, Side, Turn, Viewpoint};

use crate::guide::Guide;
use crate::solution::{Line, WeakSolution};

/// A certificate in memory.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text of the file.
    pub text: String,
    /// How many claims it holds.
    pub claims: u64,
    /// How many bytes making it took at its peak, the text included.
    pub peak_bytes: u64,
}

/// Writes the certificate of `solution`: that from `start` its prover can force `claim`.
///
/// A state that comes up again is referred to instead of being proved again. Lines that do not
/// fit the rules make a certificate that the checker refuses; they do not make this panic unless
/// they end too early.
pub fn write<G: Guide + Notation>(
    game: &G,
    start: &G::State,
    claim: Claim,
    solution: &WeakSolution<G::Move>,
) -> Written {
    match write_while(game, start, claim, solution, &mut |_, _| true) {
        Some(written) => written,
        None => unreachable!("nobody ends it"),
    }
}

/// The same as long as `goes_on` says so, which is asked now and then with how many lines are done,
/// and how many there are to do. Every line is gone through twice.
pub fn write_while<G: Guide + Notation>(
    game: &G,
    start: &G::State,
    claim: Claim,
    solution: &WeakSolution<G::Move>,
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Option<Written> {
    let mut writer = Writer::new(game, solution);
    let lines = solution.lines.len() as u64;
    let mut steps = 0u64;
    let mut pass = |at: usize, before: u64| {
        steps += 1;
        !steps.is_multiple_of(TICK) || goes_on(before + at as u64, 2 * lines)
    };
    writer.find_repeats(start, &mut |at| pass(at, 0))?;

    let mut text = String::new();
    let scale = game.scale();
    let word = match claim.prover {
        Side::Max => "at-least",
        Side::Min => "below",
    };
    let _ = writeln!(text, "{MAGIC}\ngame {}\nrules {}", game.name(), game.rules());
    if let Some((formula, agent)) = game.question() {
        let _ = writeln!(text, "formula {formula}\nas {agent}");
    }
    let mut players = game.players();
    if claim.max != Agent::FIRST {
        players = [game.agent_name(claim.max), OTHERS];
        let _ = writeln!(text, "max {}", players[0]);
    }
    let _ = writeln!(text, "position {}", game.position_text(start));
    let prover = players[claim.prover.index()];
    let endless = if claim.or_endless { " or-endless" } else { "" };
    // Of the outcomes that are the same to Max, the first one stands for all.
    let view = Viewpoint::new(game, claim.max);
    let mut outcomes = (0..=scale.best().0).map(Outcome);
    let at_least = outcomes.find(|&o| view.rank(o) == claim.at_least).unwrap_or(scale.best());
    let _ = writeln!(text, "claim {prover} {word} {}{endless}\n", scale.name(at_least));

    let claims = writer.emit(start, claim, &mut text, &mut |at| pass(at, lines))?;
    let mut sum = Checksum::EMPTY;
    sum.add(text.as_bytes());
    let _ = writeln!(text, "end {claims} {:016x}", sum.0);

    let entry = std::mem::size_of::<(G::State, u32)>() + 1;
    let peak_bytes = (writer.first.capacity() * entry * 8 / 7
        + writer.label.capacity() * 9
        + text.capacity()) as u64;
    Some(Written { text, claims, peak_bytes })
}

/// How many lines pass between two questions whether to go on.
const TICK: u64 = 256;

/// Where a walk over the lines stands: the states whose blocks are still to come.
struct Pending<S, M> {
    state: S,
    /// The move of the opponent or of chance that led here, to be named in the file.
    by: Option<M>,
}

struct Writer<'a, G: Guide + Notation> {
    game: &'a G,
    solution: &'a WeakSolution<G::Move>,
    /// The line at which each state is proved.
    first: HashMap<G::State, u32>,
    /// For each line that is referred to, its label.
    label: HashMap<u32, u32>,
}

impl<'a, G: Guide + Notation> Writer<'a, G> {
    fn new(game: &'a G, solution: &'a WeakSolution<G::Move>) -> Writer<'a, G> {
        Writer { game, solution, first: HashMap::new(), label: HashMap::new() }
    }

    /// First pass: which lines speak of a state that was proved before. Final states are not
    /// worth a reference.
    fn find_repeats(
        &mut self,
        start: &G::State,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Option<()> {
        let mut at = 0usize;
        let mut moves = Vec::new();
        let mut todo = vec![start.clone()];
        while let Some(mut s) = todo.pop() {
            if !goes_on(at) {
                return None;
            }
            if self.solution.lines[at] == Line::Over {
                at += 1;
                continue;
            }
            match self.first.entry(s.clone()) {
                Entry::Occupied(earlier) => {
                    let line = *earlier.get();
                    let next = self.label.len() as u32 + 1;
                    self.label.entry(line).or_insert(next);
                    at = self.solution.end_of_block(at);
                    continue;
                }
                Entry::Vacant(slot) => {
                    slot.insert(at as u32);
                }
            }
            if let Some(agent) = self.game.turn(&s).mover() {
                match self.solution.lines[at] {
                    Line::Plays(m) => {
                        self.game.play(&mut s, agent, m);
                        todo.push(s);
                    }
                    Line::Replies(_) => {
                        moves.clear();
                        self.game.moves(&s, agent, &mut moves);
                        for &m in moves.iter().rev() {
                            let mut next = s.clone();
                            self.game.play(&mut next, agent, m);
                            todo.push(next);
                        }
                    }
                    Line::Over | Line::Repeats | Line::Same(_) => {}
                }
            }
            at += 1;
        }
        Some(())
    }

    /// Second pass: the text of the claims. Returns how many there are.
    fn emit(
        &self,
        start: &G::State,
        claim: Claim,
        text: &mut String,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Option<u64> {
        let mut at = 0usize;
        let mut claims = 0u64;
        let mut moves = Vec::new();
        let mut todo = vec![Pending { state: start.clone(), by: None }];
        // The state before such a move is needed to write that move.
        let mut before: Vec<(usize, G::State)> = Vec::new();
        while let Some(Pending { state: mut s, by }) = todo.pop() {
            if !goes_on(at) {
                return None;
            }
            while before.last().is_some_and(|(depth, _)| *depth > todo.len()) {
                before.pop();
            }
            claims += 1;
            if let (Some(m), Some((_, parent))) = (by, before.last()) {
                self.game.write_move(parent, m, text);
                text.push_str(": ");
            }
            let line = self.solution.lines[at];
            if line == Line::Over {
                let known = match self.game.turn(&s) {
                    Turn::Over => None,
                    Turn::Agent(_) | Turn::Chance => self.game.known(&s),
                };
                match known {
                    Some(known) => {
                        let _ = write!(text, "by {} ", known.by);
                        self.game.reason(&s, claim, text);
                        text.truncate(text.trim_end_matches(' ').len());
                        text.push('\n');
                    }
                    None => text.push_str(".\n"),
                }
                at += 1;
                continue;
            }
            let proved_at = self.first[&s];
            let label = self.label.get(&proved_at);
            if let Some(k) = label
                && proved_at != at as u32
            {
                let _ = writeln!(text, "= {k}");
                at = self.solution.end_of_block(at);
                continue;
            }
            if let Some(k) = label {
                let _ = write!(text, "#{k} ");
            }
            if let Some(agent) = self.game.turn(&s).mover() {
                match line {
                    Line::Plays(m) => {
                        text.push_str("! ");
                        self.game.write_move(&s, m, text);
                        text.push('\n');
                        self.game.play(&mut s, agent, m);
                        todo.push(Pending { state: s, by: None });
                    }
                    Line::Replies(n) => {
                        let _ = writeln!(text, "? {n}");
                        moves.clear();
                        self.game.moves(&s, agent, &mut moves);
                        for &m in moves.iter().rev() {
                            let mut next = s.clone();
                            self.game.play(&mut next, agent, m);
                            todo.push(Pending { state: next, by: Some(m) });
                        }
                        before.push((todo.len() - moves.len(), s));
                    }
                    Line::Over | Line::Repeats | Line::Same(_) => {}
                }
            }
            at += 1;
        }
        Some(claims)
    }
}
