//! `foregone check`: a formula asked of a position.
//!
//! The formula's evaluation game goes through the same sessions as any other game
//! ([`crate::session`]), so that its answer, too, was replayed by the checker before it is said.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use foregone_games::registry::{Visitor, with_logic};
use foregone_model::certificate;
use foregone_model::formula::{
    Asked as _, Check, Formula, Id, Language, Node, Part, Point, Proposition, Queries, Reading,
    Step, Text as _,
};
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Turn, Typed};
use foregone_search::drive::{Find, Inner, Nested, Order, OrderBy, Walk, alphabeta, df, dfs, tree};
use foregone_search::scheme::{Cost, LambdaPn, Mcts, Mps, Pn, Pp};
use foregone_search::{Init, Least, Leaves};
use serde::Serialize;

use crate::args::{AlgorithmWord, CheckArgs, CostWord};
use crate::draw;
use crate::failure::{Failure, read_file, suggest};
use crate::guidance::Guidance;
use crate::job::{Budget, Job, Question};
use crate::print::{ProofJson, grouped, proof_text};
use crate::run::{exit_code, say};
use crate::session::{self, Answer, bytes_text, short};

/// `check --json`: a contract.
#[derive(Debug, Serialize)]
struct CheckJson {
    game: String,
    position: String,
    formula: String,
    #[serde(rename = "as")]
    protagonist: String,
    algorithm: &'static str,
    status: &'static str,
    holds: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keys: Option<Vec<String>>,
    line: Vec<String>,
    nodes: u64,
    queries: QueriesJson,
    cost: Option<u64>,
    seconds: f64,
    stop: &'static str,
    proof: Option<ProofJson>,
}

#[derive(Debug, Serialize)]
struct QueriesJson {
    atomic: u64,
    listmoves: u64,
    play: u64,
}

/// Runs the command and returns the exit code.
pub fn run(args: CheckArgs, out: &mut dyn Write) -> Result<u8, Failure> {
    session::catch_interrupts();
    let definitions = match &args.define {
        Some(path) => read_file(path)?,
        None => String::new(),
    };
    let spec = args.game.clone();
    let asked = Asked { args, definitions, out };
    crate::run::warn(&foregone_games::files::Files::default(), &spec);
    with_logic(&spec, asked).map_err(|e| Failure::game(&spec, e))?
}

struct Asked<'a> {
    args: CheckArgs,
    definitions: String,
    out: &'a mut dyn Write,
}

impl Visitor for Asked<'_> {
    type Output = Result<u8, Failure>;

    fn visit<G: Guide + Notation + Send + 'static>(self, game: G) -> Result<u8, Failure> {
        let Asked { args, definitions, out } = self;
        let Some(batch) = &args.batch else {
            let Some(formula) = args.formula.clone() else {
                return Err(Failure::input("there is no formula")
                    .help("foregone check GAME FORMULA, or --batch FILE"));
            };
            return one(&game, &args, &definitions, &args.position, &formula, out);
        };
        let (mut code, file) = (0, batch.display().to_string());
        let mut worst = |c: u8| code = code.max(c);
        // By formula: how many there were, and how long they took.
        let mut summary: BTreeMap<String, (u32, f64, f64)> = BTreeMap::new();
        for (number, line) in lines(batch)?.enumerate() {
            let line =
                line.map_err(|e| Failure::input(format!("the file {file} can't be read: {e}")))?;
            if line.trim().is_empty() || line.starts_with("//") || line.starts_with("#fen") {
                continue;
            }
            let mut fields = line.split('\t');
            let (Some(position), Some(formula)) = (fields.next(), fields.next()) else {
                return Err(Failure::input(format!(
                    "{file}, line {}: expected a position, a tab \
                    and a formula",
                    number + 1
                ))
                .at(&file, &line, 0..line.len()));
            };
            let args = CheckArgs { json: true, ..args.clone() };
            let clock = Instant::now();
            match one(&game, &args, &definitions, position, formula, out) {
                Ok(c) => {
                    worst(c);
                    let row = summary.entry(formula.to_owned()).or_insert((0, 0.0, 0.0));
                    let seconds = clock.elapsed().as_secs_f64();
                    *row = (row.0 + 1, row.1 + seconds, f64::max(row.2, seconds));
                }
                Err(failure) => {
                    return Err(failure.before(&format!("{file}, line {}", number + 1)));
                }
            }
            if session::interrupted() {
                break;
            }
        }
        for (formula, (count, sum, longest)) in summary {
            let mean = sum / f64::from(count);
            let _ = writeln!(
                std::io::stderr(),
                "{formula}: {count} asked, mean {mean:.4} s, longest {longest:.4} s"
            );
        }
        Ok(code)
    }
}

fn lines(path: &Path) -> Result<impl Iterator<Item = std::io::Result<String>> + use<>, Failure> {
    let input: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(BufReader::new(std::io::stdin()))
    } else {
        let file = std::fs::File::open(path).map_err(|e| {
            Failure::input(format!("the file {} can't be read: {e}", path.display()))
        })?;
        Box::new(BufReader::new(file))
    };
    Ok(input.lines())
}

/// The formula that was asked of a position.
pub fn formula_of<G: Notation>(
    game: &G,
    start: &G::State,
    text: &str,
    definitions: &str,
    protagonist: Option<&str>,
) -> Result<Formula, Failure> {
    let protagonist = protagonist.map(|name| agent_called(game, name)).transpose()?;
    let turn = match game.turn(start) {
        Turn::Agent(agent) => agent,
        Turn::Over => Agent(0),
    };
    let reading = Reading { text, definitions, protagonist, turn };
    reading.read(&Language::of(game)).map_err(|e| match e.part {
        Part::Formula => Failure::text("formula", text, e.error),
        Part::Definitions => Failure::text("the definitions", definitions, e.error),
    })
}

fn agent_called<G: Notation>(game: &G, name: &str) -> Result<Agent, Failure> {
    let names: Vec<String> =
        (0..game.agents()).map(|a| game.agent_name(Agent(a)).to_owned()).collect();
    match names.iter().position(|n| n.eq_ignore_ascii_case(name)) {
        Some(i) => Ok(Agent(i as u8)),
        None => Err(Failure::input(format!("`{name}` does not play {}", game.name()))
            .at("--as", name, 0..name.len())
            .help(suggest(name, &names).unwrap_or_default())),
    }
}

/// One formula, one position.
fn one<G: Guide + Notation>(
    game: &G,
    args: &CheckArgs,
    definitions: &str,
    position: &str,
    text: &str,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    // Step 1: the question.
    let clock = Instant::now();
    let start = game
        .read_position_or_moves(position)
        .map_err(|e| Failure::text("position", position, e))?;
    let formula = formula_of(game, &start, text, definitions, args.protagonist.as_deref())?;
    if args.explain {
        say(out, &explain(game, &formula));
        return Ok(0);
    }
    let how = How::new(args, &formula)?;
    let mut check = Check::new(game, formula);
    if how.cost.is_some() {
        check = check.step_by_step();
    }
    let point = check.ask(start);

    // Step 2: the search, and the replay of its proof.
    let question = Question::AtLeast(Outcome::WIN);
    let mut job = Job::unlimited(point.clone(), question, Guidance::Dfs);
    job.budget = args.budget.budget();
    // What is known statically has no proof whose cost could be counted.
    job.knowledge = !args.no_knowledge && how.cost.is_none();
    job.proof = args.proof.clone();
    job.keeps_solution = args.tree || drawn(args);
    let find = match (args.all, check.formula().node(point.asked)) {
        (false, _) => Find::One,
        (true, _) if check.formula().is_path(point.asked) => Find::Lines,
        (true, Node::Diamond(..) | Node::Constant(_) | Node::Stuck(..)) => Find::Keys,
        (true, _) => {
            return Err(Failure::input("`--all` lists first moves, and this formula has none")
                .help("it goes with formulas that begin with a move that A may choose: <A> …"));
        }
    };
    let answer = how.run(&check, &job, find, !args.json)?;

    // Step 3: what is kept and what is said.
    if let Some(path) = &args.proof
        && answer.solved()
        && answer.proved
    {
        let text = match (&answer.solution, drawn(args)) {
            (Some(solution), true) => draw::dot(&check, &point, solution),
            _ => answer.certificates.clone(),
        };
        std::fs::write(path, text).map_err(|e| {
            Failure::input(format!("the file {} can't be written: {e}", path.display()))
        })?;
    }
    let found = Found { check: &check, point: &point, answer: &answer, name: how.name() };
    if args.json {
        let text = serde_json::to_string(&found.json(args, text, clock))
            .map_err(|e| Failure::input(format!("the answer can't be written: {e}")))?;
        say(out, &(text + "\n"));
    } else {
        say(out, &found.text(args, text, clock));
        if let (true, Some(solution)) = (args.tree, &answer.solution) {
            say(out, &format!("\n{}", draw::tree(&check, &point, solution)));
        }
    }
    Ok(exit_code(answer.stop))
}

/// Whether the proof is wanted as a picture.
fn drawn(args: &CheckArgs) -> bool {
    args.proof.as_ref().is_some_and(|p| p.extension().is_some_and(|e| e == "dot"))
}

/// A formula asked of a position by an algorithm, as experiments do.
pub(crate) struct Asking<'a> {
    pub(crate) game: &'a str,
    pub(crate) position: &'a str,
    pub(crate) formula: &'a str,
    pub(crate) word: AlgorithmWord,
    pub(crate) lambda: bool,
}

/// What an algorithm found and took.
pub(crate) struct Counted {
    pub(crate) holds: Option<bool>,
    pub(crate) nodes: u64,
    pub(crate) queries: Queries,
    /// How long it searched; the replay of the proof is not in it.
    pub(crate) time: Duration,
}

impl Asking<'_> {
    /// Asks, by the rules alone, and counts.
    pub(crate) fn count(&self, budget: &Budget) -> Result<Counted, Failure> {
        with_logic(self.game, Count { asking: self, budget: *budget })
            .map_err(|e| Failure::game(self.game, e))?
    }
}

struct Count<'a> {
    asking: &'a Asking<'a>,
    budget: Budget,
}

impl Visitor for Count<'_> {
    type Output = Result<Counted, Failure>;

    fn visit<G: Guide + Notation + Send + 'static>(self, game: G) -> Self::Output {
        let Asking { position, formula: text, word, lambda, .. } = *self.asking;
        let start = game
            .read_position_or_moves(position)
            .map_err(|e| Failure::text("position", position, e))?;
        let formula = formula_of(&game, &start, text, "", None)?;
        let minimal = matches!(word, AlgorithmWord::Mps | AlgorithmWord::Dfmps);
        let cost = minimal.then(|| Cost::queries(formula.agents));
        let how = How { word, lambda, cost };
        let mut check = Check::new(&game, formula);
        if minimal {
            check = check.step_by_step();
        }
        let point = check.ask(start);
        let mut job = Job::unlimited(point, Question::AtLeast(Outcome::WIN), Guidance::Dfs);
        (job.budget, job.knowledge) = (self.budget, false);
        let before = check.queries();
        // The replay asks the game, too: what the search asked is counted when it ends.
        let searched = std::cell::Cell::new(before);
        let answer =
            how.run_and(&check, &job, Find::One, false, &|| searched.set(check.queries()))?;
        let (after, (low, high)) = (searched.get(), answer.bounds);
        Ok(Counted {
            holds: (low == high).then_some(low == Outcome::WIN),
            nodes: answer.counts.nodes,
            queries: Queries {
                atomic: after.atomic - before.atomic,
                listmoves: after.listmoves - before.listmoves,
                play: after.play - before.play,
            },
            time: answer.time.saturating_sub(answer.check_time),
        })
    }
}

/// An algorithm, with what it needs to know.
struct How {
    word: AlgorithmWord,
    lambda: bool,
    cost: Option<Cost>,
}

impl How {
    fn new(args: &CheckArgs, formula: &Formula) -> Result<How, Failure> {
        use AlgorithmWord::{Alphabeta, Dfmps, Mps, Pnps};
        let word = args.algorithm.unwrap_or(Alphabeta);
        let refuse = |given: bool, option: &str, with: &str| match given {
            true => Err(Failure::input(format!("`{option}` does not go with this algorithm"))
                .help(format!("it goes with `--algorithm {with}`"))),
            false => Ok(()),
        };
        refuse(args.all && word != Alphabeta, "--all", "alphabeta, the default")?;
        refuse(args.lambda && word != Pnps, "--lambda", "pnps")?;
        let minimal = matches!(word, Mps | Dfmps);
        refuse(args.cost.is_some() && !minimal, "--cost", "mps")?;
        refuse(args.atom_cost.is_some() && !minimal, "--atom-cost", "mps")?;
        refuse(!args.move_cost.is_empty() && !minimal, "--move-cost", "mps")?;
        let cost = minimal.then(|| {
            let mut cost = match args.cost.unwrap_or(CostWord::Queries) {
                CostWord::Depth => Cost::depth(formula.agents),
                CostWord::Atoms => Cost::atoms(formula.agents),
                CostWord::Queries => Cost::queries(formula.agents),
            };
            cost.atom = args.atom_cost.unwrap_or(cost.atom);
            // A's first, then those of the others in their order; the last one goes on.
            if let Some(&last) = args.move_cost.last() {
                for i in 0..formula.agents {
                    let agent = if i == 0 { formula.protagonist } else { formula.opponent(i) };
                    let given = args.move_cost.get(usize::from(i)).copied();
                    cost.moves[usize::from(agent.0)] = given.unwrap_or(last);
                }
            }
            cost
        });
        Ok(How { word, lambda: args.lambda, cost })
    }

    fn name(&self) -> &'static str {
        match self.word {
            AlgorithmWord::Alphabeta => "alphabeta",
            AlgorithmWord::Dfps => "dfps",
            AlgorithmWord::Pnps if self.lambda => "pnps-lambda",
            AlgorithmWord::Pnps => "pnps",
            AlgorithmWord::Mcps => "mcps",
            AlgorithmWord::Mps => "mps",
            AlgorithmWord::Dfmps => "dfmps",
            AlgorithmWord::Ppps => "ppps",
            AlgorithmWord::Dfpn => "dfpn",
            AlgorithmWord::Pn2 => "pn2",
        }
    }

    fn run<G: Guide + Notation>(
        &self,
        check: &Check<'_, G>,
        job: &Job<Point<G::State>>,
        find: Find,
        show: bool,
    ) -> Result<Answer<Step<G::Move>>, Failure> {
        self.run_and(check, job, find, show, &|| {})
    }

    /// The same, with something to be done between the search and the replay of its proof.
    fn run_and<G: Guide + Notation>(
        &self,
        check: &Check<'_, G>,
        job: &Job<Point<G::State>>,
        find: Find,
        show: bool,
        searched: &dyn Fn(),
    ) -> Result<Answer<Step<G::Move>>, Failure> {
        let formula = check.formula();
        let mps = self.cost.as_ref().map(|cost| Mps::new(formula, cost));
        let seed = job.budget.seed;
        let search: &session::Run<'_, '_, _> = &|goal, limits, proof_nodes, watch, stop_check| {
            let leaves = |init| Leaves::new(init, seed);
            let report = match (self.word, &mps) {
                (AlgorithmWord::Mps, Some(mps)) => tree(goal, mps, &mut Least(mps), limits, watch),
                (AlgorithmWord::Dfmps, Some(mps)) => {
                    df(goal, mps, &mut Least(mps), limits, proof_nodes, watch)
                }
                (AlgorithmWord::Dfps, _) => dfs(goal, limits, watch),
                (AlgorithmWord::Pnps, _) if self.lambda => {
                    let part = |i| matches!(formula.node(Id(i)), Node::And(..) | Node::Or(..));
                    let scheme = LambdaPn { parts: (0..formula.len() as u32).map(part).collect() };
                    tree(goal, &scheme, &mut leaves(Init::Constant), limits, watch)
                }
                (AlgorithmWord::Pnps, _) => {
                    tree(goal, &Pn, &mut leaves(Init::Constant), limits, watch)
                }
                (AlgorithmWord::Mcps, _) => {
                    let scheme = Mcts { exploration: Mcts::EXPLORATION };
                    tree(goal, &scheme, &mut leaves(Init::Playout), limits, watch)
                }
                (AlgorithmWord::Ppps, _) => {
                    tree(goal, &Pp, &mut leaves(Init::Mobility), limits, watch)
                }
                (AlgorithmWord::Dfpn, _) => {
                    df(goal, &Pn, &mut leaves(Init::Mobility), limits, proof_nodes, watch)
                }
                (AlgorithmWord::Pn2, _) => {
                    let nested =
                        &mut Nested::new(Inner::Pn, Init::Mobility, seed, limits, stop_check)
                            .with_threads(job.budget.threads as usize);
                    tree(goal, &Pn, nested, limits, watch)
                }
                _ => {
                    let order = Order { by: OrderBy::Game, walk: Walk::Null, seed, find };
                    alphabeta(goal, order, limits, proof_nodes, watch)
                }
            };
            searched();
            report
        };
        session::solve_by(check, job, show, search, &|text, trust| {
            let game = check.game();
            session::replay(text, |header, reader| {
                certificate::check_formula(game, header, reader, trust)
            })
        })
    }
}

/// An answer with all that is needed to say it.
struct Found<'a, 'g, G: Guide + Notation> {
    check: &'a Check<'g, G>,
    point: &'a Point<G::State>,
    answer: &'a Answer<Step<G::Move>>,
    name: &'static str,
}

impl<G: Guide + Notation> Found<'_, '_, G> {
    fn holds(&self) -> Option<bool> {
        let (low, high) = self.answer.bounds;
        (low == high).then_some(low == Outcome::WIN)
    }

    /// The moves of a play, without the choices between parts of the formula.
    fn play(&self, steps: &[Step<G::Move>]) -> Vec<String> {
        let mut s = self.point.clone();
        let mut texts = Vec::new();
        for &step in steps {
            let Turn::Agent(side) = self.check.turn(&s) else { break };
            if let Step::Move(_) = step {
                texts.push(self.check.move_text(&s, step));
            }
            self.check.play(&mut s, side, step);
        }
        texts
    }

    fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> =
            self.answer.found.iter().map(|play| self.play(play).join(" ")).collect();
        keys.sort();
        keys.dedup();
        keys
    }

    fn json(&self, args: &CheckArgs, text: &str, clock: Instant) -> CheckJson {
        let queries = self.check.queries();
        let game = self.check.game();
        CheckJson {
            game: game.name(),
            position: game.position_text(&self.point.state),
            formula: text.to_owned(),
            protagonist: game.agent_name(self.check.formula().protagonist).to_owned(),
            algorithm: self.name,
            status: if self.answer.solved() { "solved" } else { "undecided" },
            holds: self.holds(),
            keys: args.all.then(|| self.keys()),
            line: self.play(&self.answer.line),
            nodes: self.answer.counts.nodes,
            queries: QueriesJson {
                atomic: queries.atomic,
                listmoves: queries.listmoves,
                play: queries.play,
            },
            cost: self.answer.cost,
            seconds: clock.elapsed().as_secs_f64(),
            stop: self.answer.stop.word(),
            proof: ProofJson::of(self.answer, args.proof.as_deref()),
        }
    }

    fn text(&self, args: &CheckArgs, text: &str, clock: Instant) -> String {
        let game = self.check.game();
        let mut out = game.draw(&self.point.state);
        let a = game.agent_name(self.check.formula().protagonist);
        let turn = crate::print::whose_turn(game, &self.point.state);
        let turn = turn.map_or(String::new(), |t| format!(", {t}"));
        let said = match self.holds() {
            Some(true) => format!("holds for {a}"),
            Some(false) => format!("does not hold for {a}"),
            None => format!("is undecided for {a} (stopped: {})", self.answer.stop.word()),
        };
        out.push_str(&format!("\n{}{turn}: {} {said}.\n", game.name(), text.trim()));
        let mut row = |key: &str, text: String| out.push_str(&format!("  {key:<10} {text}\n"));
        if args.all {
            let keys = self.keys();
            let more = match self.answer.found_all {
                true => "",
                false => " and perhaps more",
            };
            let lines = keys.iter().any(|k| k.contains(' '));
            let word = if lines { "lines" } else { "keys" };
            let sign = if lines { ", " } else { " " };
            row(
                word,
                format!(
                    "{}{more}",
                    if keys.is_empty() { "none".to_owned() } else { keys.join(sign) }
                ),
            );
        } else {
            let line = self.play(&self.answer.line);
            if !line.is_empty() {
                row("line", line.join(" "));
            }
        }
        if let Some(cost) = self.answer.cost {
            row("cost", format!("{cost}, and no proof costs less"));
        }
        if self.answer.solved() {
            row("proof", proof_text(self.answer, args.proof.as_deref()));
        }
        let queries = self.check.queries();
        let seconds = clock.elapsed().as_secs_f64();
        let speed = match seconds > 0.1 {
            true => format!(", {} asked/s", short(queries.atomic as f64 / seconds)),
            false => String::new(),
        };
        row(
            "search",
            format!(
                "{}, {} nodes, {} atoms, {} lists, {} moves, {seconds:.3} s{speed}, {}",
                self.name,
                grouped(self.answer.counts.nodes),
                grouped(queries.atomic),
                grouped(queries.listmoves),
                grouped(queries.play),
                bytes_text(self.answer.counts.peak_bytes),
            ),
        );
        out
    }
}

/// What a formula says: written out, class by class, and in words.
fn explain<G: Notation>(game: &G, formula: &Formula) -> String {
    let mut out = String::new();
    let name = |agent: Agent| game.agent_name(agent).to_owned();
    out.push_str(&format!("A is {}", name(formula.protagonist)));
    for i in 1..formula.agents {
        let b = formula.opponent(i);
        out.push_str(&format!(", {} is {}", formula.letter(b), name(b)));
    }
    out.push_str(&format!("\n\n{}\n", formula.text(formula.root, true, 2000)));
    let classes = formula.classes();
    if !classes.is_empty() {
        out.push_str("\nclass by class:\n");
        for (id, class) in classes {
            out.push_str(&format!("  {class} = {}\n", formula.text(id, false, 500)));
        }
    }
    out.push_str("\nin words:\n");
    out.push_str(&format!("  {}\n", words(formula, formula.root, &name, true)));
    out.push_str(match game.off_turn() {
        foregone_model::OffTurn::Moves => {
            "\nAn agent that is asked to move out of turn moves as if it were its turn, or passes \
             where it has no move.\n"
        }
        foregone_model::OffTurn::Passes => {
            "\nAn agent that is asked to move out of turn passes: the position stays.\n"
        }
    });
    out.push_str(
        "In a final position that A has not won, A has no move and all others pass; in one that \
         A has won, nobody moves.\n",
    );
    out
}

/// A subformula in words; members of classes below the first level stay names.
fn words(formula: &Formula, id: Id, name: &impl Fn(Agent) -> String, top: bool) -> String {
    if let Some(class) = formula.name_of(id).filter(|_| !top) {
        return class;
    }
    let inside = |id: Id| words(formula, id, name, false);
    match formula.node(id) {
        Node::Constant(value) | Node::Stuck(_, value) => value.to_string(),
        Node::Literal(p, holds) => {
            let not = if holds { "" } else { " not" };
            match p {
                Proposition::Won(a) => format!("{} has{not} won", name(a)),
                Proposition::Lost(a) if holds => {
                    format!("the game is over and {} has not won", name(a))
                }
                Proposition::Lost(a) => format!("the game goes on or {} has won", name(a)),
                Proposition::Over => format!("the game is{not} over"),
                Proposition::Draw => format!("the game is{not} drawn"),
                Proposition::Turn(a) => format!("it is{not} the turn of {}", name(a)),
                Proposition::AtLeast(_) | Proposition::Game(_) => {
                    let text = formula.text(id, false, usize::MAX);
                    format!("{} is{not} true", text.trim_start_matches('!'))
                }
            }
        }
        Node::And(a, b) => format!("({}) and ({})", inside(a), inside(b)),
        Node::Or(a, b) => format!("{}, or {}", inside(a), inside(b)),
        Node::Box(agent, f) => format!("whatever {} plays, {}", name(agent), inside(f)),
        Node::Diamond(agent, f) => format!("{} has a move after which {}", name(agent), inside(f)),
    }
}

/// Lists the library.
pub fn concepts(name: Option<&str>, out: &mut dyn Write) -> Result<u8, Failure> {
    use foregone_model::formula::CONCEPTS;
    if let Some(name) = name {
        let Some(concept) = CONCEPTS.iter().find(|c| c.name() == name) else {
            let names: Vec<String> = CONCEPTS.iter().map(|c| c.name().to_owned()).collect();
            return Err(Failure::input(format!("there is no concept called `{name}`"))
                .at("concept", name, 0..name.len())
                .help(suggest(name, &names).unwrap_or_default()));
        };
        say(out, &format!("{} ({}): {}\n", concept.form, concept.source, concept.meaning));
        for clause in concept.definition() {
            say(out, &format!("  {clause}\n"));
        }
        return Ok(0);
    }
    let width = CONCEPTS.iter().map(|c| c.form.len()).max().unwrap_or(0);
    for concept in CONCEPTS {
        say(out, &format!("{:<width$}  {}\n", concept.form, concept.meaning));
        say(out, &format!("{:width$}    {}\n", "", concept.source));
    }
    Ok(0)
}
