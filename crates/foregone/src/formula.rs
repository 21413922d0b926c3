//! A formula asked of a position.
//!
//! The formula's evaluation game goes through the same sessions as any other game
//! ([`crate::session`]), so that its answer, too, was replayed by the checker before it is said.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::str::FromStr;

use foregone_model::certificate::Header;
use foregone_model::formula::{
    Asked as _, Check, Formula, Id, KEYS, Language, Node, Part, Play, Point, Reading, Step,
    Stipulation, Text as _,
};
use foregone_model::{
    Agent, Game, Guide, Notation, OffTurn, Outcome, TextError, Turn, Typed, certificate,
};
use foregone_search::drive::{
    Find, Inner, Oracle, Order, OrderBy, Walk, alphabeta_exploring, df, dfs, squared, tree,
};
use foregone_search::scheme::{Cost, LambdaPn, Mcts, Mps, Pn, Pp};
use foregone_search::{Init, Leaves, Report};

use crate::answer::{Answer, Finished, FormulaAnswer, QueryCounts, Status};
use crate::certify::ProofTexts;
use crate::draw;
use crate::error::Error;
use crate::job::{Budget, Job, Outcomes, Proof};
use crate::observe::{Context, Event};
use crate::problem::Problem;
use crate::problem::explore::{Explorer, Wanted};
use crate::scale::agent_called;
use crate::session::{self, Replay, Run, Turnkey};
use crate::task::{Findings, Task};

/// How a formula is evaluated.
///
/// Its text is its word, with options that are not the default: `pnps(lambda)`,
/// `mps(cost=depth)`, `mps(atom=2,moves=1/3)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Depth first with a table and the game's order of moves.
    #[default]
    AlphaBeta,
    /// Depth first proof search.
    Dfps,
    /// Proof number proof search; with `lambda` by the λ variant of proof numbers.
    Pnps {
        /// Whether proof numbers are those of λ search.
        lambda: bool,
    },
    /// Monte Carlo proof search.
    Mcps,
    /// Minimal proof search.
    Mps(Price),
    /// The same, depth first.
    Dfmps(Price),
    /// Product propagation proof search.
    Ppps,
    /// Depth first proof number search.
    Dfpn,
    /// Proof number search whose leaves are valued by inner searches.
    Pn2,
}

/// What a minimal proof counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Price {
    /// What is counted.
    pub of: Counted,
    /// The cost of an atom, if it is not the usual one.
    pub atom: Option<u32>,
    /// The costs of moves: A's first, then those of the others in their order; the last one goes
    /// on.
    pub moves: Vec<u32>,
}

/// What the cost of a proof is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counted {
    /// Moves in a row.
    Depth,
    /// Atoms.
    Atoms,
    /// Questions to the game.
    #[default]
    Queries,
}

impl Algorithm {
    /// The words of all of them.
    pub const WORDS: [&str; 9] =
        ["alphabeta", "dfps", "pnps", "mcps", "mps", "dfmps", "ppps", "dfpn", "pn2"];

    /// The name in answers.
    pub fn name(&self) -> &'static str {
        match self {
            Algorithm::AlphaBeta => "alphabeta",
            Algorithm::Dfps => "dfps",
            Algorithm::Pnps { lambda: true } => "pnps-lambda",
            Algorithm::Pnps { lambda: false } => "pnps",
            Algorithm::Mcps => "mcps",
            Algorithm::Mps(_) => "mps",
            Algorithm::Dfmps(_) => "dfmps",
            Algorithm::Ppps => "ppps",
            Algorithm::Dfpn => "dfpn",
            Algorithm::Pn2 => "pn2",
        }
    }

    /// The price by which proofs are compared, where they are.
    fn price(&self) -> Option<&Price> {
        match self {
            Algorithm::Mps(price) | Algorithm::Dfmps(price) => Some(price),
            _ => None,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let price = match self {
            Algorithm::Pnps { lambda: true } => return f.write_str("pnps(lambda)"),
            Algorithm::Mps(price) | Algorithm::Dfmps(price) => price,
            other => return f.write_str(other.name()),
        };
        let mut options = Vec::new();
        match price.of {
            Counted::Queries => {}
            Counted::Depth => options.push("cost=depth".to_owned()),
            Counted::Atoms => options.push("cost=atoms".to_owned()),
        }
        options.extend(price.atom.map(|atom| format!("atom={atom}")));
        if !price.moves.is_empty() {
            let moves: Vec<String> = price.moves.iter().map(u32::to_string).collect();
            options.push(format!("moves={}", moves.join("/")));
        }
        match options.is_empty() {
            true => f.write_str(self.name()),
            false => write!(f, "{}({})", self.name(), options.join(",")),
        }
    }
}

impl FromStr for Algorithm {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Algorithm, TextError> {
        let (word, options) = match text.strip_suffix(')').and_then(|t| t.split_once('(')) {
            Some((word, options)) => (word, Some(options)),
            None => (text, None),
        };
        let wrong = |part: &str, message: String, choices: &[&str]| {
            let at = text.find(part).unwrap_or(0);
            TextError::new(message, at..at + part.len())
                .with_choices(choices.iter().map(|&c| c.to_owned()).collect())
        };
        let mut algorithm = match word {
            "alphabeta" => Algorithm::AlphaBeta,
            "dfps" => Algorithm::Dfps,
            "pnps" => Algorithm::Pnps { lambda: false },
            "mcps" => Algorithm::Mcps,
            "mps" => Algorithm::Mps(Price::default()),
            "dfmps" => Algorithm::Dfmps(Price::default()),
            "ppps" => Algorithm::Ppps,
            "dfpn" => Algorithm::Dfpn,
            "pn2" => Algorithm::Pn2,
            _ => {
                let message = format!("`{word}` is not an algorithm");
                return Err(wrong(word, message, &Algorithm::WORDS));
            }
        };
        for option in options.into_iter().flat_map(|options| options.split(',')) {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            let number = |text: &str| {
                let message = format!("`{text}` is not a whole number");
                text.parse::<u32>().map_err(|_| wrong(text, message, &[]))
            };
            match (&mut algorithm, key) {
                (Algorithm::Pnps { lambda }, "lambda") if value.is_empty() => *lambda = true,
                (Algorithm::Mps(price) | Algorithm::Dfmps(price), "cost") => {
                    price.of = match value {
                        "depth" => Counted::Depth,
                        "atoms" => Counted::Atoms,
                        "queries" => Counted::Queries,
                        _ => {
                            let message = format!("`{value}` is not counted");
                            return Err(wrong(value, message, &["depth", "atoms", "queries"]));
                        }
                    };
                }
                (Algorithm::Mps(price) | Algorithm::Dfmps(price), "atom") => {
                    price.atom = Some(number(value)?);
                }
                (Algorithm::Mps(price) | Algorithm::Dfmps(price), "moves") => {
                    price.moves = value.split('/').map(number).collect::<Result<_, _>>()?;
                }
                _ => {
                    let message = format!("`{option}` is not an option of {word}");
                    return Err(wrong(option, message, &["lambda", "cost=", "atom=", "moves="]));
                }
            }
        }
        Ok(algorithm)
    }
}

/// The formula that was asked of a position.
pub(crate) fn formula_of<G: Notation>(
    game: &G,
    start: &G::State,
    text: &str,
    definitions: &str,
    protagonist: Option<&str>,
) -> Result<Formula, Error> {
    let protagonist = protagonist.map(|name| agent_called(game, name, "player")).transpose()?;
    let turn = match game.turn(start) {
        Turn::Agent(agent) => agent,
        Turn::Over | Turn::Chance => Agent(0),
    };
    let reading = Reading { text, definitions, protagonist, turn };
    reading.read(&Language::of(game)).map_err(|e| match e.part {
        Part::Formula => Error::text("formula", text, e.error),
        Part::Definitions => Error::text("the definitions", definitions, e.error),
    })
}

/// Runs a job that asks a formula of this game.
pub fn check<G: Guide + Notation>(
    game: &G,
    job: &Job,
    text: &str,
    context: &mut Context<'_>,
) -> Result<Finished, Error> {
    // Step 1: the question.
    if game.has_chance() {
        let message =
            format!("formulas are not asked of games with chance, and {} has it", game.name());
        return Err(Error::input(message));
    }
    let start = game
        .read_position_or_moves(&job.position)
        .map_err(|e| Error::text("position", &job.position, e))?;
    let formula = formula_of(game, &start, text, &job.definitions, job.player.as_deref())?;
    let algorithm = match (&job.algorithm, context.crew) {
        // The usual algorithm has no outer tree.
        (None | Some(Algorithm::AlphaBeta), Some(_)) => Algorithm::Dfpn,
        (Some(other), Some(_)) if *other != Algorithm::Dfpn => {
            let message = format!("the algorithm `{other}` does not go with workers elsewhere");
            return Err(Error::input(message).help("`dfpn` does"));
        }
        (algorithm, _) => algorithm.clone().unwrap_or_default(),
    };
    let cost = algorithm.price().map(|price| cost(price, &formula));
    let mut check = Check::new(game, formula);
    if cost.is_some() {
        check = check.step_by_step();
    }
    let point = check.ask(start);
    let all = job.all || job.tries > 0 || job.set_play || job.variations;
    let stipulation = Stipulation::read(text);
    let find = find(&check, &point, all, stipulation, &algorithm)?;

    session::can_be_kept(game, job, context)?;

    // Step 2: the search, and the replay of its proof.
    context.observer.event(&Event::Started {
        game: game.name(),
        position: game.position_text(&point.state),
        question: format!("formula {text}"),
        scheme: None,
        driver: algorithm.name().to_owned(),
    });
    let task = Task {
        start: point,
        at_least: Some(Outcome::WIN),
        max: Agent::FIRST,
        window: None,
        many_outcomes: false,
        outcomes: Outcomes::Dichotomic,
        budget: job.budget,
        // What is known statically has no proof whose cost could be counted.
        knowledge: job.knowledge && cost.is_none(),
        symmetry: job.symmetry,
        proof: job.proof,
        cover: job.cover,
        wants_line: true,
        extends_line: false,
        keeps_strategies: false,
        asks_more: all,
    };
    let before = check.queries();
    // The replay asks the game, too: what the search asked is counted when it ends.
    let asked = Cell::new(before);
    let search = Search { algorithm: &algorithm, cost: cost.as_ref(), find, job };
    let wanted = Wanted {
        lines: (find == Find::Lines).then(|| stipulation.is_some_and(|s| s.is_forced())),
        tries: job.tries,
        set_play: job.set_play,
        complete_set_play: stipulation
            .is_some_and(|s| matches!(s.play, Play::Selfmate | Play::HelpSelf)),
        variations: job.variations,
    };
    let explored = RefCell::new(None);
    let explore = |found: &[Vec<_>], oracle: &mut dyn Oracle<_, _>| {
        let problem = Explorer::new(&check, wanted).explore(&task.start, found, oracle);
        explored.replace(all.then_some(problem));
    };
    let searched = || asked.set(check.queries());
    let mut findings = search.run(&check, &task, context, &explore, &searched)?;
    let found = || Explorer::new(&check, wanted).found(&task.start, &findings.found);
    let problem = explored.take().or_else(|| all.then(found));
    let exactly = problem.as_ref().filter(|_| findings.found_all).map(Problem::first_moves);
    let keys_proved = match (exactly, job.proof) {
        (Some(keys), Proof::Always | Proof::Drawn) if !keys.is_empty() => {
            prove_keys(&search, &check, &task, &keys, &mut findings, context)?
        }
        _ => false,
    };

    // Step 3: the answer.
    let drawings = findings
        .solution
        .take()
        .map(|halves| draw::drawings(&check, &task.start, |_| String::new(), &halves));
    let (after, (low, high)) = (asked.get(), findings.bounds);
    let (line, line_san) = play(&check, &task.start, &findings.line);
    let holds = (low == high).then_some(low == Outcome::WIN);
    let answer = FormulaAnswer {
        game: game.name(),
        position: game.position_text(&task.start.state),
        formula: text.to_owned(),
        protagonist: game.agent_name(check.formula().protagonist).to_owned(),
        algorithm: algorithm.name().to_owned(),
        status: Status::of(findings.solved()),
        holds,
        keys: problem.as_ref().map(Problem::key_texts),
        more_keys: all && !findings.found_all,
        problem,
        keys_proved,
        holds_for_other_side: match holds {
            Some(false) => other_side(&check, job, text, &task, findings.counts.nodes, context)?,
            _ => None,
        },
        line,
        line_san,
        nodes: findings.counts.nodes,
        queries: QueryCounts {
            atomic: after.atomic - before.atomic,
            listmoves: after.listmoves - before.listmoves,
            play: after.play - before.play,
        },
        cost: findings.cost,
        seconds: findings.time.as_secs_f64(),
        peak_bytes: findings.counts.peak_bytes,
        stop: findings.stop.into(),
        proof: findings.proof(),
    };
    let ProofTexts { held, archived } = findings.certificate();
    Ok(Finished {
        certificate: held,
        archived,
        check_time: findings.check_time,
        drawings,
        answer: Answer::Formula(answer),
    })
}

/// What is looked for besides an answer.
fn find<G: Guide + Notation>(
    check: &Check<'_, G>,
    point: &Point<G::State>,
    all: bool,
    stipulation: Option<Stipulation>,
    algorithm: &Algorithm,
) -> Result<Find, Error> {
    if all && *algorithm != Algorithm::AlphaBeta {
        let name = algorithm.name();
        return Err(Error::input(format!("{name} does not find all first moves"))
            .help("alphabeta does, the algorithm that is used when none is named"));
    }
    let is_choice = |second| {
        let mut part = point.clone();
        check.play(&mut part, Agent::FIRST, Step::Part(second));
        matches!(check.formula().node(part.asked), Node::Diamond(..))
    };
    match (all, check.formula().node(point.asked)) {
        (false, _) => Ok(Find::One),
        (true, Node::Diamond(_, f)) if check.formula().is_literal(f) => Ok(Find::Keys),
        (true, _) if check.formula().is_path(point.asked) => Ok(Find::Lines),
        (true, _) if stipulation.is_some_and(|s| s.has_lines()) => Ok(Find::Lines),
        (true, Node::Diamond(..) | Node::Constant(_) | Node::Stuck(..)) => Ok(Find::Keys),
        (true, Node::And(..)) if is_choice(false) != is_choice(true) => Ok(Find::Keys),
        (true, _) => Err(Error::input("all first moves were asked for, and this formula has none")
            .help("formulas have them that begin with a move that A may choose: <A> …")),
    }
}

/// A proof that these are the first moves, and no others: it takes the place of the one that there is
/// a first move. Whether there is one.
fn prove_keys<G: Guide + Notation>(
    search: &Search<'_>,
    check: &Check<'_, G>,
    task: &Task<Point<G::State>>,
    keys: &[String],
    findings: &mut Findings<Step<G::Move>>,
    context: &mut Context<'_>,
) -> Result<bool, Error> {
    let game = check.game();
    let header = Header {
        game: game.name(),
        rules: game.rules(),
        formula: None,
        mixed: None,
        expected: None,
        scores: false,
        max: None,
        position: game.position_text(&task.start.state),
        prover: String::new(),
        relation: "at-least".to_owned(),
        outcome: String::new(),
        or_endless: false,
    };
    let how = format!("{KEYS}{}", keys.join(" "));
    // Where nobody chooses at first, there is nothing to list.
    let Ok(keyed) = Check::new(game, check.formula().clone()).asked_how(&how, &header) else {
        return Ok(false);
    };
    let mut task = Task { start: keyed.ask(task.start.state.clone()), ..task.clone() };
    let left = task.budget.time.map(|time| time.saturating_sub(findings.time));
    task.budget.time = left;
    task.proof = Proof::Always;
    let one = Search { find: Find::One, ..*search };
    let proved = one.run(&keyed, &task, context, &|_, _| {}, &|| {})?;
    findings.time += proved.time;
    findings.counts.nodes += proved.counts.nodes;
    findings.counts.peak_bytes = findings.counts.peak_bytes.max(proved.counts.peak_bytes);
    if !proved.solved() || !proved.proved {
        return Ok(false);
    }
    if proved.bounds.0 != Outcome::WIN {
        return Err(Error::proof("two searches do not agree about the first moves"));
    }
    findings.check_time += proved.check_time;
    (findings.certificates, findings.summary) = (proved.certificates, proved.summary);
    findings.proved = true;
    Ok(true)
}

/// Whether a problem in which both sides help could be solved if the other side began; nothing is
/// looked at elsewhere, or for longer than the answer took.
fn other_side<G: Guide + Notation>(
    check: &Check<'_, G>,
    job: &Job,
    text: &str,
    task: &Task<Point<G::State>>,
    nodes: u64,
    context: &mut Context<'_>,
) -> Result<Option<bool>, Error> {
    let helps = Stipulation::read(text).is_some_and(|s| s.begins_with_help());
    let game = check.game();
    if !helps || job.player.is_some() || game.agents() != 2 || game.off_turn() != OffTurn::Moves {
        return Ok(None);
    }
    let other = check.formula().opponent(1);
    let start = &task.start.state;
    let name = game.agent_name(other);
    let check = Check::new(game, formula_of(game, start, text, &job.definitions, Some(name))?);
    let budget = Budget { nodes: Some(2 * nodes + 100_000), ..job.budget };
    let proof = Proof::Never;
    let task = Task { start: check.ask(start.clone()), budget, proof, ..task.clone() };
    let search = Search { algorithm: &Algorithm::AlphaBeta, cost: None, find: Find::One, job };
    let findings = search.run(&check, &task, context, &|_, _| {}, &|| {})?;
    // Who is to move may stand in a check that the other side could not leave it in.
    let swapped = match game.position_text(start) {
        text if text.contains(" w ") => text.replacen(" w ", " b ", 1),
        text => text.replacen(" b ", " w ", 1),
    };
    let possible = game.read_position(&swapped).is_ok();
    Ok((findings.solved() && possible).then_some(findings.bounds.0 == Outcome::WIN))
}

/// The costs that a price means for a formula.
fn cost(price: &Price, formula: &Formula) -> Cost {
    let mut cost = match price.of {
        Counted::Depth => Cost::depth(formula.agents),
        Counted::Atoms => Cost::atoms(formula.agents),
        Counted::Queries => Cost::queries(formula.agents),
    };
    cost.atom = price.atom.unwrap_or(cost.atom);
    if let Some(&last) = price.moves.last() {
        for i in 0..formula.agents {
            let agent = if i == 0 { formula.protagonist } else { formula.opponent(i) };
            let given = price.moves.get(usize::from(i)).copied();
            cost.moves[usize::from(agent.0)] = given.unwrap_or(last);
        }
    }
    cost
}

/// Who asks more about a formula than whether it holds.
type Explore<'a, G> = dyn Fn(
        &[Vec<Step<<G as Game>::Move>>],
        &mut dyn Oracle<Point<<G as Game>::State>, Step<<G as Game>::Move>>,
    ) + 'a;

/// An algorithm with all that it needs.
#[derive(Clone, Copy)]
struct Search<'a> {
    algorithm: &'a Algorithm,
    cost: Option<&'a Cost>,
    find: Find,
    job: &'a Job,
}

impl Search<'_> {
    /// Searches and replays the proof; `explore` may ask more as soon as the answer is known, and
    /// `searched` is called before the replay.
    fn run<G: Guide + Notation>(
        &self,
        check: &Check<'_, G>,
        task: &Task<Point<G::State>>,
        context: &mut Context<'_>,
        explore: &Explore<'_, G>,
        searched: &dyn Fn(),
    ) -> Result<Findings<Step<G::Move>>, Error> {
        let formula = check.formula();
        let mps = self.cost.map(|cost| Mps::new(formula, cost));
        let crew = context.crew.filter(|_| *self.algorithm == Algorithm::Dfpn);
        let searches = Cell::new(0);
        let run: &Run<'_, '_, _> = &|goal, key| {
            let report = match crew {
                Some(crew) if !key.aside => {
                    let number = searches.replace(searches.get() + 1);
                    let guidance = crate::crew::of_formulas();
                    crate::crew::search_formula(goal, self.job, guidance, number, crew, key)
                }
                _ => self.search(goal, formula, mps.as_ref(), key, explore),
            };
            searched();
            report
        };
        let replay: &Replay<'_> = &|text, trust| {
            let game = check.game();
            session::replay(text, |header, reader| {
                certificate::check_formula(game, header, reader, trust)
            })
        };
        session::solve_by(check, task, context, run, replay)
    }

    /// Where a formula meets an algorithm.
    fn search<'g, 'f, G: Guide + Notation>(
        &self,
        goal: &foregone_model::Goal<'g, Check<'f, G>>,
        formula: &Formula,
        mps: Option<&Mps>,
        key: Turnkey<'_, Step<G::Move>>,
        explore: &Explore<'_, G>,
    ) -> Report<Step<G::Move>> {
        let Turnkey { limits, proof_nodes, watch, stop_check, .. } = key;
        let seed = self.job.seed;
        let leaves = |init| Leaves::new(init, seed);
        match (self.algorithm, mps) {
            (Algorithm::Mps(_), Some(mps)) => {
                tree(goal, mps, &mut Leaves::new(Init::One, seed), limits, watch)
            }
            (Algorithm::Dfmps(_), Some(mps)) => {
                df(goal, mps, &mut Leaves::new(Init::One, seed), limits, proof_nodes, watch)
            }
            (Algorithm::Dfps, _) => dfs(goal, limits, watch),
            (Algorithm::Pnps { lambda: true }, _) => {
                let part = |i| matches!(formula.node(Id(i)), Node::And(..) | Node::Or(..));
                let scheme = LambdaPn { parts: (0..formula.len() as u32).map(part).collect() };
                tree(goal, &scheme, &mut leaves(Init::One), limits, watch)
            }
            (Algorithm::Pnps { lambda: false }, _) => {
                tree(goal, &Pn, &mut leaves(Init::One), limits, watch)
            }
            (Algorithm::Mcps, _) => {
                tree(goal, &Mcts::default(), &mut leaves(Init::Playout), limits, watch)
            }
            (Algorithm::Ppps, _) => tree(goal, &Pp, &mut leaves(Init::Mobility), limits, watch),
            (Algorithm::Dfpn, _) => {
                df(goal, &Pn, &mut leaves(Init::Mobility), limits, proof_nodes, watch)
            }
            (Algorithm::Pn2, _) => {
                let threads = self.job.budget.threads as usize;
                let inner = Inner {
                    scheme: Pn.into(),
                    init: Init::Mobility,
                    seed,
                    threads,
                    inner_nodes: self.job.budget.inner_nodes,
                    stop_check,
                };
                squared(goal, &Pn.into(), inner, limits, watch)
            }
            // Minimal proofs always come with their costs.
            (Algorithm::AlphaBeta | Algorithm::Mps(_) | Algorithm::Dfmps(_), _) => {
                let order = Order {
                    by: OrderBy::Game,
                    walk: Walk::Null,
                    seed,
                    find: self.find,
                    threads: 1,
                };
                let mut explore =
                    |found: &[_], oracle: &mut dyn Oracle<_, _>| explore(found, oracle);
                alphabeta_exploring(goal, order, limits, proof_nodes, watch, &mut explore)
            }
        }
    }
}

/// The moves of a play, without the choices between parts of the formula; and as people who know the
/// game write them, where that is something else.
fn play<G: Guide + Notation>(
    check: &Check<'_, G>,
    start: &Point<G::State>,
    steps: &[Step<G::Move>],
) -> (Vec<String>, Vec<String>) {
    let mut s = start.clone();
    let (mut texts, mut usual) = (Vec::new(), Vec::new());
    for &step in steps {
        let side = match check.turn(&s) {
            Turn::Agent(side) => side,
            Turn::Over | Turn::Chance => break,
        };
        if let Step::Move(_) = step {
            texts.push(check.move_text(&s, step));
            usual.extend(check.usual_text(&s, side, step));
        }
        check.play(&mut s, side, step);
    }
    (texts, usual)
}
