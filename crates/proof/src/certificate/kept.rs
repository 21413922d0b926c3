//! Lines about all moves that have no block, and claims whose text is kept, so that it can be
//! replayed behind such moves: `*: as K`.
//!
//! The idea is Kawano's simulation (1996): what answers one move of the opponent often answers
//! others, too. Here nothing is taken on trust: the text is gone through again behind each of them.
//!
//! A replay ends. A claim that is gone on with is a part of the one at hand, or its block became
//! complete before the line at hand, so the order in which blocks become complete falls.

use std::collections::{HashMap, HashSet};

use super::check::{Beyond, Labelled, Proved, UNTOLD_CHANCE, by_knowledge, turn_of};
use super::reader::{CheckError, number};
use crate::game::{Agent, Claim, Turn, Viewpoint};
use crate::notation::Notation;

/// One line of a block that is kept. The line behind `! MOVE` is the next one.
enum Kept {
    /// `.`
    End,
    /// `! MOVE`
    Plays(Box<str>),
    /// `? N`: the moves with the lines that answer them. A move that none of them names is answered
    /// by the last one; that of `*:` names none.
    Replies(Vec<(Option<Box<str>>, usize)>),
    /// `= K`: the line of K, unless K was open then, or is not kept.
    Same(Option<usize>),
    /// `by RULE REASON`
    By(Box<str>),
}

/// All lines that are kept.
pub(super) struct Keep<S> {
    lines: Vec<Kept>,
    /// How many marked blocks are not complete: as long as there are some, lines are kept.
    pub(super) open: u32,
    /// The lines that were replayed by their label, and in which state; some of them.
    seen: HashSet<(usize, S)>,
    /// How many lines were replayed.
    steps: u64,
}

/// So many replayed lines are remembered at a time.
const MOST_SEEN: usize = 1 << 16;

/// Whether knowledge is accepted in a state.
type Knows<'a, S> = dyn FnMut(&S, &str) -> Result<(), String> + 'a;

impl<S> Keep<S> {
    pub(super) fn new() -> Keep<S> {
        Keep { lines: Vec::new(), open: 0, seen: HashSet::new(), steps: 0 }
    }

    /// The number of the next line, if it is kept.
    pub(super) fn next(&self) -> Option<usize> {
        (self.open > 0).then_some(self.lines.len())
    }

    /// Keeps a line; `referred` is where the claim stands that it refers to. What is none is refused
    /// by who reads it.
    pub(super) fn keep(&mut self, text: &str, referred: Option<usize>) {
        if self.open > 0 {
            self.lines.push(match text.split_once(' ') {
                Some(("!", name)) => Kept::Plays(name.into()),
                Some(("?", _)) => Kept::Replies(Vec::new()),
                Some(("by", words)) => Kept::By(words.into()),
                Some(_) => Kept::Same(referred),
                None => Kept::End,
            });
        }
    }

    /// The next line answers this move, or all others, at a line that is kept.
    pub(super) fn answer(&mut self, at: Option<usize>, name: Option<&str>) {
        let next = self.lines.len();
        if let Some(Kept::Replies(answers)) = at.and_then(|at| self.lines.get_mut(at)) {
            answers.push((name.map(Box::from), next));
        }
    }
}

/// Whether the answer to `*` is one to all moves that are left, and not to a move of that name.
pub(super) fn covers<G: Notation>(
    game: &G,
    s: &G::State,
    answer: &str,
    pending: &[G::Move],
) -> bool {
    let named = game.parse_move(s, "*").is_some_and(|m| pending.contains(&m));
    !named && (answer.starts_with("by ") || answer.starts_with("as "))
}

/// A line about all moves that have no block: `*: by RULE REASON` or `*: as K`.
pub(super) struct Others<'a> {
    line: u64,
    words: &'a str,
    /// Where the text of K is kept.
    claim: Option<usize>,
}

/// A certificate of so many lines has so many lines replayed at most: as many as this for each line
/// read so far, and these.
const REPLAYED: (u64, u64) = (1 << 12, 1 << 20);

impl<'a> Others<'a> {
    /// The line with these words behind `*: `.
    pub(super) fn read<S>(
        line: u64,
        words: &'a str,
        labels: &HashMap<u64, Labelled<S>>,
    ) -> Result<Others<'a>, CheckError> {
        let claim = words.strip_prefix("as ").map(|k| complete(labels, k)).transpose();
        let claim = claim.map_err(|problem| CheckError::new(line, problem))?;
        Ok(Others { line, words, claim })
    }

    /// Keeps the line, as the last block of one that is kept.
    pub(super) fn keep<S>(&self, keep: &mut Keep<S>, at: Option<usize>) {
        keep.answer(at, None);
        keep.keep(self.words, self.claim);
    }

    /// Whether the line holds in all states behind these moves. It is one claim, which rests on the
    /// weakest ground of all.
    pub(super) fn hold<G: Notation>(
        &self,
        (game, view): (&G, &Viewpoint),
        behind: Vec<G::State>,
        keep: &mut Keep<G::State>,
        beyond: &mut dyn Beyond<G>,
        proved: &mut Proved,
    ) -> Result<(), CheckError> {
        let (claim, most) = (proved.claim, self.line * REPLAYED.0 + REPLAYED.1);
        let mut weakest = None;
        let mut knows = |s: &G::State, words: &str| {
            let ground = by_knowledge(game, s, game.turn(s), words, beyond, claim)?;
            weakest = weakest.max(Some(ground));
            Ok(())
        };
        for s in behind {
            turn_of(game, &s, self.line)?;
            let held = match self.claim {
                Some(kept) => replay((game, view, claim), keep, (kept, s), most, &mut knows),
                None => knows(&s, self.words.strip_prefix("by ").unwrap_or_default()),
            };
            held.map_err(|problem| CheckError::new(self.line, problem))?;
        }
        if let Some(ground) = weakest {
            proved.rests_on(ground);
        }
        Ok(())
    }
}

/// Where the text of a claim is kept whose block is complete.
fn complete<S>(labels: &HashMap<u64, Labelled<S>>, k: &str) -> Result<usize, String> {
    let number = number(k).ok_or("expected a number behind `as`")?;
    let labelled = labels.get(&number);
    let labelled =
        labelled.ok_or_else(|| format!("there is no claim #{number} before this line"))?;
    if !labelled.finished {
        return Err(format!("claim #{number} is still being proved"));
    }
    labelled
        .kept
        .ok_or_else(|| format!("claim #{number} is not kept: its label is not `@{number}`"))
}

/// Goes through the block of a line that is kept, in another state, in which the claim is to hold.
/// No more than `most` lines are replayed in all.
fn replay<G: Notation>(
    (game, view, claim): (&G, &Viewpoint, Claim),
    keep: &mut Keep<G::State>,
    (line, state): (usize, G::State),
    most: u64,
    knows: &mut Knows<'_, G::State>,
) -> Result<(), String> {
    let mut moves = Vec::new();
    let mut todo = vec![(line, state)];
    while let Some((at, mut s)) = todo.pop() {
        // Long words take long to read.
        keep.steps += 1 + match &keep.lines[at] {
            Kept::By(words) => words.len() as u64 / 16,
            _ => 0,
        };
        if keep.steps > most {
            return Err(format!("more than {most} lines are replayed up to here"));
        }
        let turn = game.turn(&s);
        let (agent, own) = match turn {
            Turn::Over if claim.met_by(view.rank(game.outcome(&s))) => continue,
            Turn::Over => return Err("the game ends against the claim".to_owned()),
            Turn::Agent(agent) => (agent, view.side(agent) == claim.prover),
            Turn::Chance if game.has_chance() => (Agent::CHANCE, false),
            Turn::Chance => return Err(UNTOLD_CHANCE.to_owned()),
        };
        match &keep.lines[at] {
            Kept::End => return Err("the game is not over where it should be".to_owned()),
            Kept::Same(None) => return Err("a claim is not kept, or was open".to_owned()),
            &Kept::Same(Some(earlier)) => {
                if keep.seen.len() >= MOST_SEEN {
                    keep.seen.clear();
                }
                if keep.seen.insert((earlier, s.clone())) {
                    todo.push((earlier, s));
                }
            }
            Kept::By(words) => knows(&s, words)?,
            Kept::Plays(name) if own => {
                moves.clear();
                game.moves(&s, agent, &mut moves);
                let m = game.parse_move(&s, name).filter(|m| moves.contains(m));
                game.play(&mut s, agent, m.ok_or(format!("`{name}` is not a legal move"))?);
                todo.push((at + 1, s));
            }
            Kept::Replies(answers) if !own => {
                moves.clear();
                game.moves(&s, agent, &mut moves);
                let parse = |(name, line): &(Option<Box<str>>, usize)| {
                    (name.as_ref().and_then(|name| game.parse_move(&s, name)), *line)
                };
                let named: Vec<(Option<G::Move>, usize)> = answers.iter().map(parse).collect();
                for &m in &moves {
                    let line = named.iter().find(|a| a.0 == Some(m)).or(named.last());
                    let &(_, line) = line.ok_or("a move has no answer")?;
                    let mut next = s.clone();
                    game.play(&mut next, agent, m);
                    todo.push((line, next));
                }
            }
            Kept::Plays(_) | Kept::Replies(_) => return Err("the other side is to move".to_owned()),
        }
    }
    Ok(())
}
