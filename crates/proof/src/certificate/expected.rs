//! Certificates of games with chance: a strategy for every position that it can meet, checked by
//! sums and best responses in whole numbers.
//!
//! ```text
//! foregone certificate 2
//! game bear-off:0-1,2
//! rules 1
//! expected exact
//! position 0-1 0-1 first-rolls
//! claim first at-least 1
//!
//! ! 1/off @ 1-0 0-1 first-1-1-1
//! ! 2/1 @ 0-1 0-1 first-1-1-1-1
//! …
//! ? 3 @ 0-1 0-1 first-rolls
//! end 5 7490fe610f8ab70f
//! ```
//!
//! A line `! MOVE @ POSITION` says what the prover plays there. A line `? N @ POSITION` stands for all N
//! moves of the opponent, of whom the worst counts, or of chance, whose mean counts. Every position
//! that a line leads to must be over or stand on an earlier line, so no loop can prove itself. What the
//! position is worth at least (for Min: at most) follows; the last position is that of the claim.
//! `expected exact` sums up fractions; `expected BITS` rounds to multiples of 2^-BITS against the
//! prover, as mixed certificates do.
//!
//! **Loops.** `expected BITS leak N` is for games in which positions come up again. Each line then has
//! a bound of its own, in multiples of 2^-BITS payoffs: `! MOVE = BOUND @ POSITION`. Lines may stand
//! in any order, and each bound must follow from those of the positions that the line leads to, if at
//! every step the play is lost with the chance of 2^-N: it then ends in the worst payoff for the
//! prover. That loss is what makes a loop of bounds a proof. Let V be bounds with V ≤ (1-δ) T(V) + δL,
//! where T is one step of the game under the strategy and L the worst payoff. After n steps V is at
//! most what the strategy gets from plays that end by then, plus (1-δ)^n times a constant; so V is at
//! most what the strategy gets, whatever endless plays are worth.
//!
//! **A known opponent.** `claim MAX exactly VALUE` speaks of an opponent who plays as the file says: a
//! line `~ MOVE WEIGHT … @ POSITION` has the weights of its moves. `! MOVE` then is Max's best
//! response, and no other move may be better: the value is that of the best response, no more and no
//! less. These are always `expected exact`.
//!
//! `draw A/B` behind these words says what a draw is worth, where it is not half a point.

use std::collections::HashMap;
use std::fmt;
use std::io::BufRead;

use super::check::{OTHERS, UNTOLD_CHANCE, other_max, same_rules};
use super::mixed::{Arithmetic, Exact, Numbers, Rounded, worse};
use super::reader::{CheckError, Header, Reader, number, shown};
use crate::game::{Agent, Game, Outcome, Side, Turn, Viewpoint};
use crate::notation::Notation;
use crate::ratio::{Big, Ratio, fraction, whole};

/// How expected values are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// In fractions or rounded.
    pub arithmetic: Arithmetic,
    /// Whether bounds stand in the file, and a play is lost at each step with the chance of two to the
    /// minus this.
    pub leak: Option<u32>,
    /// What a draw is worth, as a fraction, where that is not half a point: contempt for an opponent
    /// who is weaker.
    pub draw: Option<(u32, u32)>,
}

/// The smallest chance that a play is lost at a step is two to the minus this.
pub const LEAST_LEAK: u32 = 60;

impl Expected {
    pub(super) fn read(text: &str) -> Option<Expected> {
        let (text, draw) = match text.split_once(" draw ") {
            None => (text, None),
            Some((text, draw)) => (text, Some(read_draw(draw)?)),
        };
        let (arithmetic, leak) = match text.split_once(" leak ") {
            None => (text, None),
            Some((arithmetic, leak)) => {
                let leak =
                    number(leak).filter(|leak| (1..=u64::from(LEAST_LEAK)).contains(leak))?;
                (arithmetic, Some(leak as u32))
            }
        };
        let arithmetic = Arithmetic::read(arithmetic)?;
        // Bounds that stand in the file are multiples of something.
        let fits = arithmetic != Arithmetic::Exact || leak.is_none();
        fits.then_some(Expected { arithmetic, leak, draw })
    }
}

/// A fraction from 0 to 1, written in lowest terms.
fn read_draw(text: &str) -> Option<(u32, u32)> {
    let (a, b) = text.split_once('/').unwrap_or((text, "1"));
    let (a, b) = (number(a)?, number(b)?);
    let fits = fraction(text).is_some() && a <= b && b <= 1_000_000;
    fits.then_some((a as u32, b as u32))
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.arithmetic {
            Arithmetic::Exact => write!(f, "exact"),
            Arithmetic::Rounded(bits) => write!(f, "{bits}"),
        }?;
        self.leak.map_or(Ok(()), |leak| write!(f, " leak {leak}"))?;
        match self.draw {
            None => Ok(()),
            Some((a, 1)) => write!(f, " draw {a}"),
            Some((a, b)) => write!(f, " draw {a}/{b}"),
        }
    }
}

/// What the outcomes are worth to an agent: whole numbers, of which so many make one point. Numbers
/// count as they are, and so do scores that a game gives to its words. Other words count from 0 for the worst to one point for the best, so that of loss and
/// win the expected value is the chance to win, and a draw is half a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worth {
    payoffs: Vec<i64>,
    unit: i64,
}

impl Worth {
    /// That of the outcomes of a game. Scores that are too far apart have none.
    pub fn new<G: Game + ?Sized>(game: &G, max: Agent) -> Option<Worth> {
        let scale = game.scale();
        let scores = (0..=scale.best().0).map(|o| game.score(Outcome(o), max));
        let scores: Vec<i64> = scores.collect();
        let (least, most) = (*scores.iter().min()?, *scores.iter().max()?);
        let spread = most.checked_sub(least)?;
        // Scores that a game gives itself count as they are; places in the scale count as parts of one.
        let places = |(o, &score): (usize, &i64)| score == scale.zero_sum(Outcome(o as u16), max);
        if scale.scores().is_some() || !scores.iter().enumerate().all(places) {
            return Some(Worth { payoffs: scores, unit: 1 });
        }
        let payoffs = scores.iter().map(|score| score - least).collect();
        Some(Worth { payoffs, unit: spread.max(1) })
    }

    /// The same where a draw, the second of three words, is worth this part of a point.
    pub fn with_draw(self, (a, b): (u32, u32)) -> Option<Worth> {
        let [a, b] = [i64::from(a), i64::from(b)];
        let payoffs = match (&self.payoffs[..], self.unit) {
            ([0, 1, 2], 2) => vec![0, a, b],
            ([2, 1, 0], 2) => vec![b, a, 0],
            _ => return None,
        };
        Some(Worth { payoffs, unit: b })
    }

    /// What an outcome pays.
    pub fn payoff(&self, o: Outcome) -> i64 {
        self.payoffs[usize::from(o.0)]
    }

    /// How many of these make one point.
    pub fn unit(&self) -> i64 {
        self.unit
    }

    /// The least and the largest payoff.
    pub fn range(&self) -> (i64, i64) {
        let [least, most] = [self.payoffs.iter().min(), self.payoffs.iter().max()];
        (least.copied().unwrap_or(0), most.copied().unwrap_or(0))
    }

    /// The worst payoff for a side.
    pub fn worst(&self, side: Side) -> i64 {
        if side == Side::Max { self.range().0 } else { self.range().1 }
    }
}

/// What a strategy was found to guarantee on average.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedExpected {
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// The agent that is Max.
    pub max: String,
    /// Whose strategy it is.
    pub prover: Side,
    /// Whether the claim is about an opponent who plays as the file says.
    pub opponent_known: bool,
    /// What a draw counts, where that is not half a point.
    pub draw: Option<(u32, u32)>,
    /// What the header claims, in points, and what therefore is proved.
    pub bound: Ratio,
    /// How many positions were replayed.
    pub claims: u64,
}

impl fmt::Display for ProvedExpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [position, game, max] = [&self.position, &self.game, &self.max].map(|s| shown(s));
        let bound = shown(&self.bound.to_string());
        write!(f, "{position} in {game}: on average, {max} ")?;
        match (self.opponent_known, self.prover) {
            (true, _) => write!(f, "gets exactly {bound} against the opponent of this file"),
            (false, Side::Max) => write!(f, "gets at least {bound}"),
            (false, Side::Min) => write!(f, "gets at most {bound}"),
        }?;
        match self.draw {
            None => Ok(()),
            Some((a, b)) => write!(f, ", where a draw counts {a}/{b}"),
        }
    }
}

/// Replays the certificate whose header was just read: nothing is believed but the rules, which are
/// independent of those that searched where the game has such.
pub fn check_expected<G: Notation, R: BufRead>(
    game: &G,
    header: &Header,
    reader: &mut Reader<R>,
) -> Result<ProvedExpected, CheckError> {
    let independent = game.independent_rules();
    let game = independent.as_ref().unwrap_or(game);
    same_rules(game, header).map_err(|problem| reader.error(problem))?;
    let expected = header.expected.ok_or_else(|| reader.error("expected `expected …`"))?;
    let claim = understand(game, header).map_err(|problem| reader.error(problem))?;
    let proved = match (expected.arithmetic, expected.leak) {
        (Arithmetic::Exact, _) => Checker { game, claim, numbers: Exact }.in_order(header, reader),
        (Arithmetic::Rounded(bits), None) => {
            Checker { game, claim, numbers: Rounded(bits) }.in_order(header, reader)
        }
        (Arithmetic::Rounded(bits), Some(leak)) => {
            Checker { game, claim, numbers: Rounded(bits) }.with_loops(header, reader, leak)
        }
    };
    reader.rules_hold(game.rules_violation())?;
    proved
}

/// The header in the game's own words.
struct Claimed<S> {
    view: Viewpoint,
    worth: Worth,
    prover: Side,
    opponent_known: bool,
    bound: Ratio,
    start: S,
    max: String,
}

fn understand<G: Notation>(game: &G, header: &Header) -> Result<Claimed<G::State>, String> {
    if header.formula.is_some() || header.mixed.is_some() || header.or_endless {
        return Err("expected no formula, `mixed` or `or-endless` beside `expected`".to_owned());
    }
    let (agent, players) = match &header.max {
        None => (Agent::FIRST, game.players()),
        Some(name) => (other_max(game, name)?, [name.as_str(), OTHERS]),
    };
    let exact = header.expected.is_some_and(|e| e.arithmetic == Arithmetic::Exact);
    let (prover, opponent_known) = match header.relation.as_str() {
        "at-least" => (Side::Max, false),
        "at-most" => (Side::Min, false),
        "exactly" if exact => (Side::Max, true),
        _ => return Err("expected `at-least`, `at-most`, or `exactly` in fractions".to_owned()),
    };
    if header.prover != players[prover.index()] {
        return Err("`at-least` and `exactly` are of Max, `at-most` is of the other".to_owned());
    }
    let bound = fraction(&header.outcome);
    let bound = bound.ok_or_else(|| format!("`{}` is not a number", shown(&header.outcome)))?;
    let mut worth = Worth::new(game, agent).ok_or("the scores are too large")?;
    if let Some(draw) = header.expected.and_then(|e| e.draw) {
        worth =
            worth.with_draw(draw).ok_or("expected no `draw` where outcomes are not three words")?;
    }
    let start = position(game, &header.position)?;
    let max = players[0].to_owned();
    let view = Viewpoint::new(game, agent);
    Ok(Claimed { view, worth, prover, opponent_known, bound, start, max })
}

pub(super) fn position<G: Notation>(game: &G, text: &str) -> Result<G::State, String> {
    let read = game.read_position(text);
    let s = read.map_err(|e| format!("the position can't be read: {}", shown(&e.message)))?;
    match game.position_text(&s) {
        written if written == text => Ok(s),
        written => Err(format!("the position is written `{}`", shown(&written))),
    }
}

struct Checker<'g, G: Notation, N> {
    game: &'g G,
    claim: Claimed<G::State>,
    numbers: N,
}

/// What a line says of a position: a move of the prover, or weights of all moves that lead on.
enum Says<M> {
    /// The prover's move.
    Plays(M),
    /// The worst of the opponent's moves counts.
    Worst,
    /// The mean of these counts: chance, or an opponent whose weights are known.
    Mean(Vec<(M, Big)>),
}

impl<G: Notation, N: Numbers> Checker<'_, G, N> {
    /// Lines that each stand behind those that they lead to.
    fn in_order<R: BufRead>(
        self,
        header: &Header,
        reader: &mut Reader<R>,
    ) -> Result<ProvedExpected, CheckError> {
        let mut known: HashMap<G::State, N::Bound> = HashMap::new();
        let (mut last, mut claims) = (None, 0);
        loop {
            let at = reader.next_number();
            let fail = |problem: String| CheckError::new(at, problem);
            let Some((says, place)) = reader.need_line()?.split_once(" @ ") else {
                reader.end(claims)?;
                break;
            };
            let s = position(self.game, place).map_err(fail)?;
            let agent = self.mover(&s).map_err(fail)?;
            let says = self.read(&s, agent, says).map_err(fail)?;
            let bound = self.bound(&s, agent, &says, &|next| known.get(next).cloned());
            let bound = bound.map_err(fail)?;
            claims += 1;
            last = Some((s.clone(), bound.clone()));
            if known.insert(s, bound).is_some() {
                return Err(fail("an earlier line speaks of this position".to_owned()));
            }
        }
        let found = match (self.over(&self.claim.start), last) {
            (Some(bound), None) => bound,
            (None, Some((s, bound))) if s == self.claim.start => bound,
            _ => return Err(reader.error("the last line is not about the position of the claim")),
        };
        self.conclude(header, reader, found, claims)
    }

    /// What follows if the start is worth this bound at least.
    fn conclude<R: BufRead>(
        self,
        header: &Header,
        reader: &Reader<R>,
        found: N::Bound,
        claims: u64,
    ) -> Result<ProvedExpected, CheckError> {
        let Claimed { worth, prover, opponent_known, bound, max, .. } = self.claim;
        let found = self.numbers.points(&found, worth.unit());
        if worse(prover, &found, &bound) || opponent_known && found != bound {
            let found = shown(&found.to_string());
            return Err(reader.error(format!("the lines show {found}, against the claim")));
        }
        let Header { game, position, .. } = header.clone();
        let draw = header.expected.and_then(|e| e.draw);
        Ok(ProvedExpected { game, position, max, prover, opponent_known, draw, bound, claims })
    }

    /// What a state is worth that is over.
    fn over(&self, s: &G::State) -> Option<N::Bound> {
        let over = self.game.turn(s) == Turn::Over;
        over.then(|| self.numbers.payoff(self.claim.worth.payoff(self.game.outcome(s))))
    }

    /// Whose moves lead on from a state that a line speaks of.
    fn mover(&self, s: &G::State) -> Result<Agent, String> {
        match self.game.turn(s) {
            Turn::Over => Err("the game is over here, nobody moves".to_owned()),
            Turn::Chance if !self.game.has_chance() => Err(UNTOLD_CHANCE.to_owned()),
            Turn::Chance => Ok(Agent::CHANCE),
            Turn::Agent(agent) => Ok(agent),
        }
    }

    /// What a line says, if it fits whose turn it is.
    fn read(&self, s: &G::State, agent: Agent, text: &str) -> Result<Says<G::Move>, String> {
        let game = self.game;
        let mut moves = Vec::new();
        game.moves(s, agent, &mut moves);
        let legal = |name: &str| {
            let m = game.parse_move(s, name).filter(|m| moves.contains(m));
            let m = m.filter(|&m| game.move_text(s, m) == name);
            m.ok_or_else(|| format!("`{}` is not a legal move here", shown(name)))
        };
        let own = agent != Agent::CHANCE && self.claim.view.side(agent) == self.claim.prover;
        let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
        match kind {
            "!" if own => legal(rest).map(Says::Plays),
            "?" if !own && (agent == Agent::CHANCE || !self.claim.opponent_known) => {
                if number(rest) != Some(moves.len() as u64) || moves.is_empty() {
                    return Err(format!(
                        "expected `? {}`, as many as there are moves",
                        moves.len()
                    ));
                }
                match agent {
                    Agent::CHANCE => {
                        let weigh = |&m: &G::Move| (m, Big::from(game.weight(s, m)));
                        Ok(Says::Mean(moves.iter().map(weigh).collect()))
                    }
                    _ => Ok(Says::Worst),
                }
            }
            "~" if !own && agent != Agent::CHANCE && self.claim.opponent_known => {
                let mut weights: Vec<(G::Move, Big)> = Vec::new();
                let mut words = rest.split(' ');
                while let Some(word) = words.next() {
                    let m = legal(word)?;
                    let plain = |text: &&str| text.len() <= 20 && !text.starts_with('0');
                    let weight = words.next().filter(plain).and_then(whole);
                    let weight = weight.ok_or("expected a weight above 0 of at most 20 digits")?;
                    if weights.iter().any(|(other, _)| *other == m) {
                        return Err(format!("`{}` has a weight already", shown(word)));
                    }
                    weights.push((m, weight));
                }
                Ok(Says::Mean(weights))
            }
            _ => Err("this line does not fit who is to move here".to_owned()),
        }
    }

    /// What a line shows of its position, if that much is known of where it leads to.
    fn bound(
        &self,
        s: &G::State,
        agent: Agent,
        says: &Says<G::Move>,
        known: &dyn Fn(&G::State) -> Option<N::Bound>,
    ) -> Result<N::Bound, String> {
        let (game, prover) = (self.game, self.claim.prover);
        let after = |m: G::Move| {
            let mut next = s.clone();
            game.play(&mut next, agent, m);
            let bound = self.over(&next).or_else(|| known(&next));
            let place = || shown(&game.position_text(&next));
            bound.ok_or_else(|| format!("no line before this one speaks of {}", place()))
        };
        let mut moves = Vec::new();
        match says {
            Says::Plays(m) => {
                let bound = after(*m)?;
                if self.claim.opponent_known {
                    game.moves(s, agent, &mut moves);
                    for &other in &moves {
                        if worse(prover, &bound, &after(other)?) {
                            let better = shown(&game.move_text(s, other));
                            return Err(format!("`{better}` is a better response"));
                        }
                    }
                }
                Ok(bound)
            }
            Says::Worst => {
                game.moves(s, agent, &mut moves);
                let bounds: Result<Vec<N::Bound>, String> =
                    moves.iter().map(|&m| after(m)).collect();
                let worst =
                    bounds?.into_iter().reduce(|a, b| if worse(prover, &b, &a) { b } else { a });
                worst.ok_or_else(|| "the opponent has no moves here".to_owned())
            }
            Says::Mean(weights) => {
                let weigh = |(m, weight): &(G::Move, Big)| {
                    let weight = self.numbers.weight(weight).ok_or(N::TOO_LARGE)?;
                    Ok::<_, String>((weight, after(*m)?))
                };
                let terms: Result<Vec<_>, String> = weights.iter().map(weigh).collect();
                let terms = terms?;
                let terms: Vec<_> = terms.iter().map(|(w, bound)| (w, bound.clone())).collect();
                Ok(self.numbers.mean(prover, &terms).ok_or(N::TOO_LARGE)?)
            }
        }
    }
}

/// A line of a certificate with loops.
struct Line<M> {
    at: u64,
    says: Says<M>,
    bound: i128,
}

impl<G: Notation> Checker<'_, G, Rounded> {
    /// Lines in any order, each with a bound that follows from those that it leads to.
    fn with_loops<R: BufRead>(
        self,
        header: &Header,
        reader: &mut Reader<R>,
        leak: u32,
    ) -> Result<ProvedExpected, CheckError> {
        let mut lines: HashMap<G::State, Line<G::Move>> = HashMap::new();
        loop {
            let at = reader.next_number();
            let fail = |problem: String| CheckError::new(at, problem);
            let Some((text, place)) = reader.need_line()?.split_once(" @ ") else {
                reader.end(lines.len() as u64)?;
                break;
            };
            let (says, bound) = text
                .rsplit_once(" = ")
                .and_then(|(says, bound)| Some((says, typed_bound(bound)?)))
                .ok_or_else(|| fail("expected a bound, `= NUMBER @ POSITION`".to_owned()))?;
            let s = position(self.game, place).map_err(fail)?;
            let agent = self.mover(&s).map_err(fail)?;
            let says = self.read(&s, agent, says).map_err(fail)?;
            if lines.insert(s, Line { at, says, bound }).is_some() {
                return Err(fail("an earlier line speaks of this position".to_owned()));
            }
        }
        let worst = self.numbers.payoff(self.claim.worth.worst(self.claim.prover));
        // The first line that is wrong is the one that is told.
        let mut in_file: Vec<_> = lines.iter().collect();
        in_file.sort_unstable_by_key(|(_, line)| line.at);
        for (s, line) in in_file {
            let fail = |problem: String| CheckError::new(line.at, problem);
            let agent = self.mover(s).map_err(fail)?;
            let known = |next: &G::State| lines.get(next).map(|line| line.bound);
            let found = self.bound(s, agent, &line.says, &known).map_err(fail)?;
            // A part of 2^-leak of it is lost, rounded against the prover.
            let distance = found.abs_diff(worst);
            let lost = (distance >> leak) as i128 + i128::from(distance & ((1 << leak) - 1) != 0);
            let left = if found > worst { found - lost } else { found + lost };
            if worse(self.claim.prover, &left, &line.bound) {
                return Err(fail(format!("no more than {left} follows here")));
            }
        }
        let found = match (self.over(&self.claim.start), lines.get(&self.claim.start)) {
            (Some(bound), None) if lines.is_empty() => bound,
            (None, Some(line)) => line.bound,
            _ => return Err(reader.error("no line is about the position of the claim")),
        };
        self.conclude(header, reader, found, lines.len() as u64)
    }
}

/// A bound as it is written: digits with at most a minus sign, not longer than sums can hold.
fn typed_bound(text: &str) -> Option<i128> {
    let bound: i128 = text.parse().ok()?;
    (bound.to_string() == text && bound.unsigned_abs() < 1 << 124).then_some(bound)
}
