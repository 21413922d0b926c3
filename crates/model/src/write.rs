//! Writing a weak solution as a certificate.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write as _;

use foregone_proof::certificate::{Checksum, MAGIC, OTHERS};
use foregone_proof::{Agent, Claim, Endless, Notation, Outcome, Side, Turn, Viewpoint};

use crate::cover::Planner;
use crate::guide::Guide;
use crate::solution::{Line, WeakSolution};
use crate::write_covered::Covered;

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

/// How a certificate is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Whether moves of the opponent are covered by lines about others, where the game says that this
    /// is worth trying ([`Guide::on_cells`]).
    pub covers: bool,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { covers: true }
    }
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
/// and how many there are to do. Every line is gone through twice, or once more to find out which moves
/// can be covered.
pub fn write_while<G: Guide + Notation>(
    game: &G,
    start: &G::State,
    claim: Claim,
    solution: &WeakSolution<G::Move>,
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Option<Written> {
    let mut text = String::new();
    let mut take = |piece: &str| {
        text.push_str(piece);
        true
    };
    let manner = Manner::default();
    let Wrote { claims, peak_bytes } =
        write_to(game, start, claim, solution, manner, &mut take, goes_on)?;
    let peak_bytes = peak_bytes + text.capacity() as u64;
    Some(Written { text, claims, peak_bytes })
}

/// What came of a certificate whose text went elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Wrote {
    /// How many claims it holds.
    pub claims: u64,
    /// How many bytes making it took at its peak.
    pub peak_bytes: u64,
}

/// The same, but the text is not held: `take` gets it piece by piece, each of whole lines, and
/// writing ends when it says no.
pub fn write_to<G: Guide + Notation>(
    game: &G,
    start: &G::State,
    claim: Claim,
    solution: &WeakSolution<G::Move>,
    manner: Manner,
    take: &mut dyn FnMut(&str) -> bool,
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Option<Wrote> {
    let mut writer = Writer::new(game, solution);
    let lines = solution.lines.len() as u64;
    // Where endless play may meet the claim, lines refer to states that are still being proved.
    let tries = manner.covers && game.on_cells() && game.endless() == Endless::Impossible;
    let passes = if tries { 3 } else { 2 };
    let mut steps = 0u64;
    let mut pass = |at: usize, before: u64| {
        steps += 1;
        !steps.is_multiple_of(TICK) || goes_on(before * lines + at as u64, passes * lines)
    };
    writer.find_repeats(start, &mut |at| pass(at, 0))?;
    let entry = std::mem::size_of::<(G::State, u32)>() + 1;
    let mut peak = writer.first.capacity() * entry * 8 / 7
        + (writer.label.capacity() + writer.same.capacity()) * size_of::<u32>();

    let mut pieces = Pieces { text: String::new(), sum: Checksum::EMPTY, take };
    write_header(game, start, claim, &mut pieces.text);
    let covers = match tries {
        true => {
            writer.first = HashMap::new();
            let planner = Planner::new(game, claim, solution, &writer.same);
            let covers = planner.plan(start, &mut |at| pass(at, 1));
            // What is not needed is not looked at any more.
            covers.filter(|covers| !covers.replayed.is_empty())
        }
        false => None,
    };
    let covered = covers.as_ref().and_then(|covers| {
        let covered = Covered { game, claim, solution, same: &writer.same, covers };
        covered.labels().map(|labels| (covered, labels))
    });
    let mut last = |at: usize| pass(at, passes - 1);
    let claims = match &covered {
        Some((covered, labels)) => {
            peak = peak.max(lines as usize * covered.bytes_a_line()) + labels.bytes();
            covered.emit(start, labels, &mut pieces, &mut last)?
        }
        None => writer.emit(start, claim, &mut pieces, &mut last)?,
    };
    pieces.hand_on()?;
    let _ = writeln!(pieces.text, "end {claims} {:016x}", pieces.sum.0);
    pieces.hand_on()?;

    let peak_bytes = (peak + pieces.text.capacity()) as u64;
    Some(Wrote { claims, peak_bytes })
}

/// The lines before the claims.
fn write_header<G: Guide + Notation>(game: &G, start: &G::State, claim: Claim, text: &mut String) {
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
}

/// So many bytes of text are handed on at a time.
pub(crate) const PIECE: usize = 1 << 18;

/// The text of a certificate on its way.
pub(crate) struct Pieces<'a> {
    pub(crate) text: String,
    /// Of all that was handed on.
    sum: Checksum,
    take: &'a mut dyn FnMut(&str) -> bool,
}

impl Pieces<'_> {
    /// Hands on what there is; nothing if no more is wanted.
    pub(crate) fn hand_on(&mut self) -> Option<()> {
        self.sum.add(self.text.as_bytes());
        let wanted = (self.take)(&self.text);
        self.text.clear();
        wanted.then_some(())
    }
}

/// How many lines pass between two questions whether to go on.
const TICK: u64 = 256;

/// Where a walk over the lines stands: what is still to come.
enum Pending<S, M> {
    /// The block of a state, and the move of the opponent or of chance that led there, to be named
    /// in the file.
    Block(S, Option<M>),
    /// A block of one line about a move that the line below covers.
    Covered,
    /// A line about all moves that are not named: these words.
    Others(String),
}

/// The line of a state that is final, or as good as that.
pub(crate) fn write_end<G: Guide + Notation>(
    game: &G,
    s: &G::State,
    claim: Claim,
    text: &mut String,
) {
    let known = match game.turn(s) {
        Turn::Over => None,
        Turn::Agent(_) | Turn::Chance => game.known(s),
    };
    match known {
        Some(known) => {
            let _ = write!(text, "by {} ", known.by);
            game.reason(s, claim, text);
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        None => text.push_str(".\n"),
    }
}

struct Writer<'a, G: Guide + Notation> {
    game: &'a G,
    solution: &'a WeakSolution<G::Move>,
    /// The line at which each state is proved.
    first: HashMap<G::State, u32>,
    /// For each line the one that speaks of its state first, or [`NONE`] if that is itself.
    same: Vec<u32>,
    /// For each line that is referred to, its label; 0 for the others.
    label: Vec<u32>,
    labels: u32,
}

/// No line.
pub(crate) const NONE: u32 = u32::MAX;

impl<'a, G: Guide + Notation> Writer<'a, G> {
    fn new(game: &'a G, solution: &'a WeakSolution<G::Move>) -> Writer<'a, G> {
        let lines = solution.lines.len();
        let (same, label) = (vec![NONE; lines], vec![0; lines]);
        Writer { game, solution, first: HashMap::new(), same, label, labels: 0 }
    }

    /// Says that a line speaks of the state of an earlier one.
    fn refer(&mut self, at: usize, earlier: u32) {
        self.same[at] = earlier;
        let label = &mut self.label[earlier as usize];
        if *label == 0 {
            self.labels += 1;
            *label = self.labels;
        }
    }

    /// First pass: which lines speak of a state that was proved before. Final states are not
    /// worth a reference.
    fn find_repeats(
        &mut self,
        start: &G::State,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Option<()> {
        // Who refers to lines has looked at the states. Looking again would take longer than writing.
        let is = |wanted: fn(&Line<G::Move>) -> bool| self.solution.lines.iter().any(wanted);
        if is(|line| matches!(line, Line::Same(_))) && !is(|line| matches!(line, Line::Repeats)) {
            for (at, &line) in self.solution.lines.iter().enumerate() {
                if !goes_on(at) {
                    return None;
                }
                if let Line::Same(earlier) = line {
                    self.refer(at, earlier);
                }
            }
            return Some(());
        }
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
                    let earlier = *earlier.get();
                    self.refer(at, earlier);
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
        pieces: &mut Pieces<'_>,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Option<u64> {
        let mut at = 0usize;
        let mut claims = 0u64;
        let mut moves = Vec::new();
        let mut todo = vec![Pending::Block(start.clone(), None)];
        // The state before such a move is needed to write that move.
        let mut before: Vec<(usize, G::State)> = Vec::new();
        while let Some(pending) = todo.pop() {
            if !goes_on(at) {
                return None;
            }
            if pieces.text.len() >= PIECE {
                pieces.hand_on()?;
            }
            let text = &mut pieces.text;
            while before.last().is_some_and(|(depth, _)| *depth > todo.len()) {
                before.pop();
            }
            let (mut s, by) = match pending {
                Pending::Block(s, by) => (s, by),
                Pending::Covered => {
                    at += 1;
                    continue;
                }
                Pending::Others(words) => {
                    let _ = writeln!(text, "*: {words}");
                    claims += 1;
                    continue;
                }
            };
            claims += 1;
            if let (Some(m), Some((_, parent))) = (by, before.last()) {
                self.game.write_move(parent, m, text);
                text.push_str(": ");
            }
            let line = self.solution.lines[at];
            if line == Line::Over {
                write_end(self.game, &s, claim, text);
                at += 1;
                continue;
            }
            if self.same[at] != NONE {
                let _ = writeln!(text, "= {}", self.label[self.same[at] as usize]);
                at = self.solution.end_of_block(at);
                continue;
            }
            if self.label[at] != 0 {
                let _ = write!(text, "#{} ", self.label[at]);
            }
            if let Some(agent) = self.game.turn(&s).mover() {
                match line {
                    Line::Plays(m) => {
                        text.push_str("! ");
                        self.game.write_move(&s, m, text);
                        text.push('\n');
                        self.game.play(&mut s, agent, m);
                        todo.push(Pending::Block(s, None));
                    }
                    Line::Replies(n) => {
                        let _ = writeln!(text, "? {n}");
                        moves.clear();
                        self.game.moves(&s, agent, &mut moves);
                        let depth = todo.len();
                        let mut covered = Vec::new();
                        if self.game.leaves_out()
                            && let Some(words) =
                                self.others(&s, agent, claim, at, &moves, &mut covered)
                        {
                            todo.push(Pending::Others(words));
                        }
                        for &m in moves.iter().rev() {
                            if covered.contains(&m) {
                                todo.push(Pending::Covered);
                                continue;
                            }
                            let mut next = s.clone();
                            self.game.play(&mut next, agent, m);
                            todo.push(Pending::Block(next, Some(m)));
                        }
                        before.push((depth, s));
                    }
                    Line::Over | Line::Repeats | Line::Same(_) => {}
                }
            }
            at += 1;
        }
        Some(claims)
    }

    /// Which moves of the opponent, at the line `at`, one line of knowledge covers, and its words.
    /// The states behind them are not looked at: knowledge may take long.
    fn others(
        &self,
        s: &G::State,
        agent: Agent,
        claim: Claim,
        at: usize,
        moves: &[G::Move],
        covered: &mut Vec<G::Move>,
    ) -> Option<String> {
        let mut promising = Vec::new();
        self.game.promising(s, agent, &mut promising);
        let mut block = at + 1;
        for &m in moves {
            if self.solution.lines[block] == Line::Over && !promising.contains(&m) {
                covered.push(m);
            }
            block = self.solution.end_of_block(block);
        }
        let mut words = String::from("by ");
        let covers = covered.len() > 1 && self.game.reason_for_others(s, claim, &mut words);
        if !covers {
            covered.clear();
            return None;
        }
        words.truncate(words.trim_end_matches(' ').len());
        Some(words)
    }
}
