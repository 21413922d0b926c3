//! The checker: replays a certificate against the rules, as a stream.
//!
//! It keeps the states whose blocks are open, those of labelled claims, and the text of claims that
//! are marked for it, nothing else, so its memory does not grow with the file. It shares no code with any search, and it asks for itself
//! what could otherwise be forgotten: rules that are independent of those that searched, what
//! these rules find wrong with themselves, whether a state is over before anything else is asked.

use std::collections::HashMap;
use std::fmt;
use std::io::BufRead;

use super::kept::{Keep, Others, covers};
use super::reader::{CheckError, Header, Reader, number, shown};
use crate::connection;
use crate::formula::{Check, Language, read};
use crate::game::{Agent, Claim, Game, Outcome, Side, Turn, Viewpoint};
use crate::notation::Notation;
use crate::sums;

/// How a claim by static knowledge was found to hold, when its reason does not show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It was proved in another way, from the rules alone.
    Proved,
    /// The code that found it says so again: that is no proof.
    Recomputed,
}

/// What a claim by static knowledge rests on, the weakest last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ground {
    /// A connection, which the checker itself found to be one.
    Connection,
    /// Parts of a sum, which the checker itself added.
    Parts,
    /// Its reason.
    Reason,
    /// What else is believed.
    Beyond(Standing),
}

/// What else may be believed than the rules.
pub trait Beyond<G: Game> {
    /// Whether the reasons that knowledge states are looked at.
    fn by_reason(&self) -> bool {
        true
    }

    /// How it is known that the claim holds in `s`, which is not over, by the knowledge of this
    /// name, if at all.
    fn vouch(&mut self, _game: &G, _s: &G::State, _claim: Claim, _rule: &str) -> Option<Standing> {
        None
    }
}

/// Nothing but the rules is believed: no knowledge, whatever its reason.
pub struct RulesOnly;

impl<G: Game> Beyond<G> for RulesOnly {
    fn by_reason(&self) -> bool {
        false
    }
}

/// Knowledge counts where its stated reason is confirmed.
pub struct ByReason;

impl<G: Game> Beyond<G> for ByReason {}

/// What was proved, in the words of the game, and what that rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The game.
    pub game: String,
    /// The formula that was asked, and the name of the agent that it calls A.
    pub formula: Option<(String, String)>,
    /// The position.
    pub position: String,
    /// The agent that is Max.
    pub max: String,
    /// Who can force the claim.
    pub prover: String,
    /// The outcome that the claim speaks of.
    pub outcome: String,
    /// The claim itself.
    pub claim: Claim,
    /// Whether Max plays alone.
    pub one_player: bool,
    /// Whether several agents are Min together.
    pub against_others: bool,
    /// How many claims were replayed.
    pub claims: u64,
    /// How many of them rest on a connection. That takes no knowledge of the game's own.
    pub connections: u64,
    /// How many of them rest on parts of a sum. That takes no knowledge of the game's own, either.
    pub parts: u64,
    /// How many of them rest on a reason that was confirmed.
    pub by_reason: u64,
    /// How many of them rest on knowledge that was proved in another way.
    pub expanded: u64,
    /// How many of them rest on knowledge that was only recomputed: if there are any, this is not
    /// a proof.
    pub recomputed: u64,
}

impl Proved {
    /// Counts a claim by a connection or by static knowledge.
    pub(super) fn rests_on(&mut self, ground: Ground) {
        match ground {
            Ground::Connection => self.connections += 1,
            Ground::Parts => self.parts += 1,
            Ground::Reason => self.by_reason += 1,
            Ground::Beyond(Standing::Proved) => self.expanded += 1,
            Ground::Beyond(Standing::Recomputed) => self.recomputed += 1,
        }
    }
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}: ", shown(&self.position), shown(&self.game))?;
        let below = self.claim.prover == Side::Min;
        if let Some((formula, agent)) = &self.formula {
            let holds = if below { "does not hold" } else { "holds" };
            return write!(f, "{} {holds} for {}", shown(formula), shown(agent));
        }
        let [max, prover, outcome] = [&self.max, &self.prover, &self.outcome].map(|s| shown(s));
        match (below, self.against_others || self.claim.max != Agent::FIRST) {
            (true, true) => write!(f, "the others keep {max} from outcome {outcome} and better"),
            (false, true) => write!(f, "{max} gets outcome {outcome} or better"),
            (true, _) if self.one_player => write!(f, "the score stays below {outcome}"),
            (true, _) if outcome == "win" => write!(f, "{prover} keeps {max} from winning"),
            (true, _) => write!(f, "{max} stays below {outcome} against {prover}"),
            (false, _) if outcome == "win" => write!(f, "{max} wins"),
            (false, _) => write!(f, "{max} reaches at least {outcome}"),
        }?;
        f.write_str(if self.claim.or_endless { " or never ends the game" } else { "" })
    }
}

/// Replays the certificate whose header was just read. Nothing is believed but the rules, the
/// reasons that they confirm, and what `beyond` vouches for.
pub fn check<G: Notation, R: BufRead>(
    game: &G,
    header: &Header,
    reader: &mut Reader<R>,
    beyond: &mut dyn Beyond<G>,
) -> Result<Proved, CheckError> {
    // A proof about a formula is not a proof about the game, and the other way round.
    if header.formula.is_some() || game.question().is_some() {
        return Err(reader.error("expected a certificate about a game, not about a formula"));
    }
    let independent = game.independent_rules();
    let game = independent.as_ref().unwrap_or(game);
    same_rules(game, header).map_err(|problem| reader.error(problem))?;
    let proved = read_claims(game, header, reader, beyond);
    reader.rules_hold(game.rules_violation())?;
    proved
}

/// The same for a certificate about a formula on the game.
pub fn check_formula<G: Notation, R: BufRead, B>(
    game: &G,
    header: &Header,
    reader: &mut Reader<R>,
    beyond: &mut B,
) -> Result<Proved, CheckError>
where
    B: for<'g> Beyond<Check<'g, G>>,
{
    let independent = game.independent_rules();
    let game = independent.as_ref().unwrap_or(game);
    same_rules(game, header).map_err(|problem| reader.error(problem))?;
    let question = formula_of(game, header).map_err(|problem| reader.error(problem))?;
    let proved = read_claims(&question, header, reader, beyond);
    reader.rules_hold(question.rules_violation())?;
    proved
}

/// Whether the game is the one that the header names, as it writes itself, with the same rules.
pub(super) fn same_rules<G: Notation>(game: &G, header: &Header) -> Result<(), String> {
    if game.name() != header.game {
        let (name, written) = (shown(&game.name()), shown(&header.game));
        return Err(format!("the game `{written}` is written `{name}`"));
    }
    let rules = game.rules();
    match rules == header.rules {
        true => Ok(()),
        false => Err(other_rules(&rules.to_string(), header)),
    }
}

/// The message for a certificate of other rules.
pub(super) fn other_rules(rules: &str, header: &Header) -> String {
    format!("the proof is about rules {}, and these are rules {rules}", header.rules)
}

/// The evaluation game that the header of a certificate speaks of.
pub fn formula_of<'g, G: Notation>(game: &'g G, header: &Header) -> Result<Check<'g, G>, String> {
    let Some((text, agent)) = &header.formula else {
        return Err("expected a certificate about a formula".to_owned());
    };
    let (name, how) = agent.split_at(agent.find(',').unwrap_or(agent.len()));
    let found = (0..game.agents()).find(|&a| game.agent_name(Agent(a)) == name);
    let protagonist = found.ok_or_else(|| format!("`{}` is not an agent here", shown(name)))?;
    let formula = read(&Language::of(game), text, Agent(protagonist))
        .map_err(|e| format!("the formula can't be read: {}", shown(&e.message)))?;
    if formula.source() != text {
        return Err(format!("the formula is written `{}`", shown(formula.source())));
    }
    Check::new(game, formula).asked_how(how, header).map_err(|e| shown(&e))
}

/// One state whose block is still to be read or to be finished.
enum Task<S, M> {
    /// The next line must prove this state.
    Prove(S),
    /// The following blocks must answer these moves of the opponent, or of chance, in this state,
    /// whose line is kept as the one of this number.
    Answer(S, Vec<M>, Option<usize>),
    /// The block of this labelled claim is complete, and it was one to keep.
    Finish(u64, bool),
}

type TaskOf<G> = Task<<G as Game>::State, <G as Game>::Move>;

pub(super) struct Labelled<S> {
    state: S,
    pub(super) finished: bool,
    /// Where its text is kept.
    pub(super) kept: Option<usize>,
}

fn read_claims<G: Notation, R: BufRead>(
    game: &G,
    header: &Header,
    reader: &mut Reader<R>,
    beyond: &mut dyn Beyond<G>,
) -> Result<Proved, CheckError> {
    // Step 1: the header in the game's own words.
    let (mut proved, start) = understand(game, header).map_err(|problem| reader.error(problem))?;
    let (view, proved_claim) = (Viewpoint::new(game, proved.claim.max), proved.claim);

    // A play that goes round for ever comes back to states that are still being proved, all of which
    // endless play is worth the same in.
    let loops_meet = |s: &G::State| proved_claim.met_by_endless(view.endless(game.endless_from(s)));

    // Step 2: the claims.
    let mut labels: HashMap<u64, Labelled<G::State>> = HashMap::new();
    let mut keep = Keep::new();
    let mut spare: Vec<Vec<G::Move>> = Vec::new();
    let mut todo = vec![Task::Prove(start)];
    while let Some(task) = todo.pop() {
        let (state, by) = match task {
            Task::Finish(k, keeps) => {
                if let Some(l) = labels.get_mut(&k) {
                    l.finished = true;
                }
                keep.open -= u32::from(keeps);
                continue;
            }
            Task::Answer(_, pending, _) if pending.is_empty() => {
                spare.push(pending);
                continue;
            }
            Task::Prove(state) => (state, None),
            Task::Answer(state, pending, kept) => (state, Some((pending, kept))),
        };
        proved.claims += 1;
        let line = reader.next_number();
        let fail = |problem: String| CheckError::new(line, problem);
        let mut text = reader.need_line()?;

        // Step 3: which move of the opponent or of chance the block answers, or that it answers all.
        let state = match by {
            None => state,
            Some((mut pending, kept)) => {
                // Moves have no colon: one byte to look for is quicker than two.
                let answer =
                    text.split_once(':').and_then(|(m, r)| Some((m, r.strip_prefix(' ')?)));
                let (name, rest) =
                    answer.ok_or_else(|| fail("expected `MOVE: …`, an answer".to_owned()))?;
                if name == "*" && covers(game, &state, rest, &pending) {
                    let others = Others::read(line, rest, &labels)?;
                    others.keep(&mut keep, kept);
                    let behind = pending.drain(..).rev().map(|m| after(game, &state, m));
                    let behind = behind.collect::<Result<Vec<_>, _>>().map_err(fail)?;
                    others.hold((game, &view), behind, &mut keep, beyond, &mut proved)?;
                    spare.push(pending);
                    continue;
                }
                let next = reply(game, &state, name, &mut pending).map_err(fail)?;
                keep.answer(kept, Some(name));
                todo.push(Task::Answer(state, pending, kept));
                text = rest;
                next
            }
        };

        // Step 4: a label makes the claim one to remember, the sign `@` its text, too.
        let mut label = None;
        if let Some((k, rest)) =
            text.strip_prefix(['#', '@']).map(|t| t.split_once(' ').unwrap_or((t, "")))
        {
            let k = number(k).ok_or_else(|| fail("expected a number behind `#`".to_owned()))?;
            let keeps = text.starts_with('@');
            keep.open += u32::from(keeps);
            let kept = keep.next();
            let labelled = Labelled { state: state.clone(), finished: false, kept };
            if labels.insert(k, labelled).is_some() {
                return Err(fail(format!("the label #{k} was given before")));
            }
            todo.push(Task::Finish(k, keeps));
            (label, text) = (Some(k), rest);
        }

        // Step 5: the claim itself.
        let kept = keep.next();
        if let Some(k) = text.strip_prefix("= ") {
            let k = number(k).ok_or_else(|| fail("expected a number behind `=`".to_owned()))?;
            match labels.get(&k) {
                None => return Err(fail(format!("there is no claim #{k} before this line"))),
                Some(l) if l.state != state => {
                    return Err(fail(format!("claim #{k} is about another position")));
                }
                // A claim that is nothing but a reference to itself says nothing.
                Some(l) if !l.finished && !loops_meet(&state) || label == Some(k) => {
                    let problem = "is still being proved: the proof goes in a circle";
                    return Err(fail(format!("claim #{k} {problem}")));
                }
                Some(l) => keep.keep(text, l.kept.filter(|_| l.finished)),
            }
            continue;
        }
        keep.keep(text, None);
        let turn = turn_of(game, &state, line)?;
        if let Some(words) = text.strip_prefix("by ") {
            let ground = by_knowledge(game, &state, turn, words, beyond, proved.claim);
            proved.rests_on(ground.map_err(fail)?);
        } else {
            let asked = (&view, proved.claim, kept);
            todo.extend(by_rules(game, state, turn, text, asked, &mut spare).map_err(fail)?);
        }
    }

    // Step 6: nothing missing, nothing damaged.
    reader.need_line()?;
    reader.end(proved.claims)?;
    Ok(proved)
}

/// What is wrong with rules in which chance moves though they deny it.
pub(crate) const UNTOLD_CHANCE: &str = "chance is to move, in a game that says it has none";

/// Who is on turn, by rules that do not contradict themselves.
pub(super) fn turn_of<G: Notation>(game: &G, s: &G::State, line: u64) -> Result<Turn, CheckError> {
    match game.turn(s) {
        Turn::Chance if !game.has_chance() => Err(CheckError::rules_broken(line, UNTOLD_CHANCE)),
        turn => Ok(turn),
    }
}

/// The state after a move of who is on turn.
fn after<G: Notation>(game: &G, s: &G::State, m: G::Move) -> Result<G::State, String> {
    let agent = game.turn(s).mover().ok_or("the game is over here, nobody moves")?;
    let mut next = s.clone();
    game.play(&mut next, agent, m);
    Ok(next)
}

/// The state after a move of the opponent or of chance, which is taken off the list of those to be
/// answered.
fn reply<G: Notation>(
    game: &G,
    state: &G::State,
    name: &str,
    pending: &mut Vec<G::Move>,
) -> Result<G::State, String> {
    let m = game.parse_move(state, name);
    // Answers usually come in the order of the rules, so the next one is at the end of the list.
    match m.and_then(|m| pending.iter().rposition(|&p| p == m)) {
        Some(i) => after(game, state, pending.swap_remove(i)),
        None => {
            let name = shown(name);
            Err(format!("`{name}` is not a move of the opponent that is still to be answered"))
        }
    }
}

/// A claim that the rules show: the end of the game, or a choice. What is to be proved after it.
fn by_rules<G: Notation>(
    game: &G,
    mut state: G::State,
    turn: Turn,
    text: &str,
    (view, claim, kept): (&Viewpoint, Claim, Option<usize>),
    spare: &mut Vec<Vec<G::Move>>,
) -> Result<Option<TaskOf<G>>, String> {
    // What a side can force it can force whatever happens: chance is the prover's opponent, too.
    let (agent, own) = match (turn, text) {
        (Turn::Over, ".") => {
            let outcome = game.outcome(&state);
            return match claim.met_by(view.rank(outcome)) {
                true => Ok(None),
                false => {
                    let name = game.scale().name(outcome).to_owned();
                    Err(format!("the game ends in a {name} here, against the claim"))
                }
            };
        }
        (Turn::Agent(_) | Turn::Chance, ".") => return Err("the game is not over here".to_owned()),
        (Turn::Over, _) => return Err("the game is over here, nobody moves".to_owned()),
        (Turn::Agent(agent), _) => (agent, view.side(agent) == claim.prover),
        (Turn::Chance, _) => (Agent::CHANCE, false),
    };
    let mut moves = spare.pop().unwrap_or_default();
    moves.clear();
    game.moves(&state, agent, &mut moves);
    match (text.strip_prefix("! "), text.strip_prefix("? ")) {
        (Some(_), _) if turn == Turn::Chance => Err("chance is to move here".to_owned()),
        (Some(_), _) if !own => Err("the other side is to move here".to_owned()),
        (_, Some(_)) if own => Err("the other side is to move here".to_owned()),
        (Some(name), _) => match game.parse_move(&state, name).filter(|m| moves.contains(m)) {
            None => Err(format!("`{}` is not a legal move here", shown(name))),
            Some(m) => {
                spare.push(moves);
                game.play(&mut state, agent, m);
                Ok(Some(Task::Prove(state)))
            }
        },
        (_, Some(n)) if number(n) != Some(moves.len() as u64) || moves.is_empty() => {
            let who = if turn == Turn::Chance { "chance" } else { "the opponent" };
            Err(format!("expected `? {}`, as many as {who} has moves", moves.len()))
        }
        (_, Some(_)) => {
            moves.reverse();
            Ok(Some(Task::Answer(state, moves, kept)))
        }
        _ => Err("expected `.`, `! MOVE`, `? N`, `= K` or `by RULE REASON`".to_owned()),
    }
}

/// A claim that a connection or the parts of a sum show, or that static knowledge makes, for a reason.
pub(super) fn by_knowledge<G: Notation>(
    game: &G,
    state: &G::State,
    turn: Turn,
    words: &str,
    beyond: &mut dyn Beyond<G>,
    claim: Claim,
) -> Result<Ground, String> {
    if turn == Turn::Over {
        return Err("the game is over here, knowledge is not asked".to_owned());
    }
    if claim.max != Agent::FIRST {
        return Err("static knowledge is about the first agent as Max".to_owned());
    }
    let (rule, reason) = words.split_once(' ').unwrap_or((words, ""));
    let prover = claim.prover;
    if rule == connection::RULE
        && let Some(net) = game.net(state, prover)
    {
        return match connection::shows(&net, turn == Turn::Agent(prover.agent()), reason) {
            true => Ok(Ground::Connection),
            false => Err("the words do not show a connection here".to_owned()),
        };
    }
    if rule == sums::RULE
        && let Some(summand) = game.summand()
    {
        if turn != Turn::Agent(prover.other().agent()) {
            return Err("parts are added where the opponent is to move".to_owned());
        }
        return match sums::shows(game, summand, state, prover, reason) {
            Ok(()) => Ok(Ground::Parts),
            Err(problem) => Err(shown(&problem)),
        };
    }
    if beyond.by_reason() && game.confirms(state, claim, rule, reason) {
        return Ok(Ground::Reason);
    }
    match beyond.vouch(game, state, claim, rule) {
        Some(standing) => Ok(Ground::Beyond(standing)),
        None => Err(format!("static knowledge `{}` is not accepted here", shown(words))),
    }
}

/// Who proves `below` where another agent than the first is Max, or where all others are Min.
pub const OTHERS: &str = "others";

/// The agent of this name as Max. The first one is Max without being named; the sides of a formula
/// are always Verifier and Falsifier.
pub(super) fn other_max<G: Notation>(game: &G, name: &str) -> Result<Agent, String> {
    let mut agents = (1..game.agents()).map(Agent);
    let found = agents.find(|&agent| game.agent_name(agent) == name);
    found.filter(|_| game.question().is_none()).ok_or_else(|| {
        format!("expected no `max`, or one of the agents behind the first, not `{}`", shown(name))
    })
}

/// The claim and the position that a header states.
fn understand<G: Notation>(game: &G, header: &Header) -> Result<(Proved, G::State), String> {
    if header.mixed.is_some() || header.expected.is_some() {
        return Err(
            "expected neither `mixed` nor `expected` where an outcome is claimed".to_owned()
        );
    }
    if game.question() != header.formula {
        return Err("the formula is not the one that is being checked".to_owned());
    }
    let position = game.read_position(&header.position);
    let start =
        position.map_err(|e| format!("the position can't be read: {}", shown(&e.message)))?;
    let written = game.position_text(&start);
    if written != header.position {
        return Err(format!("the position is written `{}`", shown(&written)));
    }
    let (max, players) = match &header.max {
        None => (Agent::FIRST, game.players()),
        Some(name) => (other_max(game, name)?, [name.as_str(), OTHERS]),
    };
    if !players.contains(&header.prover.as_str()) {
        return Err(format!("`{}` is not a player of this game", shown(&header.prover)));
    }
    let prover = if header.relation == "at-least" { Side::Max } else { Side::Min };
    let words = [players[prover.index()], ["at-least", "below"][prover.index()]];
    if words != [&header.prover, &header.relation] {
        return Err("expected `at-least` for the first player, `below` for the other".to_owned());
    }
    let outcome = shown(&header.outcome);
    let (view, named) = (Viewpoint::new(game, max), game.scale().find(&header.outcome));
    // Everybody reaches the worst outcome: claiming it would prove nothing.
    let Some(at_least) = named.map(|o| view.rank(o)).filter(|&o| o > Outcome(0)) else {
        return Err(format!("`{outcome}` is not an outcome that can be claimed here"));
    };
    let proved = Proved {
        game: game.name(),
        formula: game.question(),
        position: written,
        max: players[0].to_owned(),
        prover: header.prover.clone(),
        outcome: header.outcome.clone(),
        claim: Claim { max, prover, at_least, or_endless: header.or_endless },
        one_player: game.one_player(),
        against_others: players[1] == OTHERS,
        claims: 0,
        connections: 0,
        parts: 0,
        by_reason: 0,
        expanded: 0,
        recomputed: 0,
    };
    Ok((proved, start))
}
