//! From the words of the command line to a job.

use clap::ValueEnum;
use foregone::expected::ExpectedSolver;
use foregone::formula::{Algorithm, Counted, Price};
use foregone::games::registry::Opened;
use foregone::joint::JointSolver;
use foregone::many::ManySolver;
use foregone::model::Game as _;
use foregone::{AnyGame, Error, Job, Outcomes, Proof, Question, Solver, suggest};
use foregone_search::drive::{OrderBy, Threats, Walk};
use foregone_search::joint::{Cells, Driver};
use foregone_search::scheme::{AnyScheme, OptionValue};
use foregone_search::{DriverSpec, SchemeSpec};
use std::path::Path;

use crate::args::{
    AlgorithmWord, CellsWord, CheckArgs, CostWord, OrderWord, OutcomesWord, SolveArgs, WalkWord,
    tables_of_environment,
};

/// Random plays by which `--order montecarlo` orders moves.
const ORDER_PLAYS: u32 = 100_000;

/// The job that the words behind `solve` mean for a game.
pub fn solve_job(game: &AnyGame, args: &SolveArgs) -> Result<Job, Error> {
    let mut job = Job {
        game: args.game.clone(),
        position: args.position.clone(),
        question: match &args.question {
            None => Question::Value,
            Some(text) => read_question(game, text)?,
        },
        player: args.player.clone(),
        moves: args.moves,
        outcomes: match args.outcomes {
            None | Some(OutcomesWord::Dichotomic) => Outcomes::Dichotomic,
            Some(OutcomesWord::Iterative) => Outcomes::Iterative,
            Some(OutcomesWord::Doubling) => Outcomes::Doubling,
        },
        budget: args.budget.budget(),
        seed: args.budget.seed,
        knowledge: !args.no_knowledge,
        symmetry: !args.no_symmetry,
        cover: !args.no_cover,
        proof: proof_wanted(args.proof.as_deref(), args.tree.is_some()),
        ..Job::default()
    };
    let named = args.scheme.filter(|scheme| scheme.turn.is_none()).and_then(|s| s.solver);
    if let Some(text) = &args.opponent {
        let (words, proof) = read_opponent(text)?;
        (job.opponent, job.opponent_proof) = (Some(words), proof);
    }
    job.contempt.clone_from(&args.contempt);
    let on_average = args.opponent.is_some() || args.contempt.is_some();
    match (game.opened(), named) {
        (Opened::InTurn(erased), _) if erased.has_chance() || on_average => {
            job.solver = expected_solver(args)?.map(Solver::Expected);
        }
        (Opened::InTurn(_), Some(Solver::Many(solver))) => {
            many_solver(&mut job, game, args, solver)?
        }
        (Opened::InTurn(_), Some(Solver::Expected(_))) => {
            job.solver = expected_solver(args)?.map(Solver::Expected);
        }
        (Opened::InTurn(_), None) => {
            guide(&mut job, game, args)?;
            // A folder that nobody names in the command need not be there.
            job.tables = tables_of_environment().filter(|dir| dir.is_dir()).map(path_text);
        }
        (opened, _) => {
            let solver = joint_solver(args)?;
            job.solver = Some(Solver::Joint(solver));
            if let Opened::InTurn(_) = opened {
                if job.question != Question::Value {
                    let help = "their strategies are mixed: the question is `value`".to_owned();
                    let with = format!("--scheme {}", solver.word());
                    return Err(does_not_go(&format!("--question {}", job.question), &with, help));
                }
                job.question = Question::Nash;
            }
        }
    }
    if let Some(dir) = &args.tables {
        job.tables = Some(path_text(dir.clone()));
    }
    Ok(job)
}

fn path_text(path: std::path::PathBuf) -> String {
    path.to_string_lossy().into_owned()
}

/// A question, with the outcomes of the game among the words that would have been right.
fn read_question(game: &AnyGame, text: &str) -> Result<Question, Error> {
    let question: Result<Question, Error> = text.parse();
    question.map_err(|error| {
        let Opened::InTurn(_) = game.opened() else {
            return Error::input(format!("`{text}` is not a question about joint moves"))
                .at("question", text, 0..text.len())
                .help("their strategies are mixed: the question is `value`");
        };
        let mut words = vec!["win".to_owned(), "value".to_owned()];
        let outcomes = game.describe().outcomes;
        words.extend(outcomes.iter().skip(1).map(|o| format!("at-least {o}")));
        error.help(suggest(text, &words).unwrap_or_default())
    })
}

fn does_not_go(option: &str, with: &str, help: String) -> Error {
    Error::input(format!("`{option}` does not go with `{with}`")).help(help)
}

/// The same where the other word may be one that nobody typed: then it is said whose choice it was.
fn does_not_go_with(option: &str, with: &Chosen<'_>, help: String) -> Error {
    let Chosen { what, word, game } = with;
    match game {
        None => does_not_go(option, &format!("--{what} {word}"), help),
        Some(game) => {
            let message =
                format!("`{option}` does not go with `{word}`, the {what} that {game} gets");
            Error::input(message).help(help)
        }
    }
}

/// A scheme or a driver that was named, or picked for a game.
struct Chosen<'a> {
    what: &'static str,
    word: &'a str,
    /// The game, if its default was picked.
    game: Option<&'a str>,
}

/// The words for opponents, and the certificate that one of them follows: `proof:FILE` names it.
fn read_opponent(text: &str) -> Result<(String, String), Error> {
    let mut proof = String::new();
    let mut words = Vec::new();
    for part in text.split(',') {
        let Some(rest) = part.strip_prefix("proof:") else {
            words.push(part.to_owned());
            continue;
        };
        // A weight may stand behind the file.
        let (file, weight) = match rest.rsplit_once(':') {
            Some((file, weight)) if weight.bytes().all(|b| b.is_ascii_digit()) => {
                (file, format!(":{weight}"))
            }
            _ => (rest, String::new()),
        };
        if !proof.is_empty() {
            return Err(Error::input("one opponent may follow a certificate, not several"));
        }
        proof = std::fs::read_to_string(file)
            .map_err(|e| Error::input(format!("{file} can't be read: {e}")))?;
        words.push(format!("proof{weight}"));
    }
    Ok((words.join(","), proof))
}

/// Options that only schemes and drivers have, and whether they were given.
fn of_schemes(args: &SolveArgs) -> [(bool, &'static str); 12] {
    [
        (args.init.is_some(), "--init"),
        (args.outcomes.is_some(), "--outcomes"),
        (args.exploration.is_some(), "--exploration"),
        (args.gamma.is_some(), "--gamma"),
        (args.delta.is_some(), "--delta"),
        (args.no_cuts, "--no-cuts"),
        (args.rave.is_some(), "--rave"),
        (args.inner.is_some(), "--inner"),
        (args.order.is_some(), "--order"),
        (args.walk.is_some(), "--walk"),
        (args.threats.is_some(), "--threats"),
        (args.no_zones, "--no-zones"),
    ]
}

/// How an expected value is found; nothing where nothing is said.
fn expected_solver(args: &SolveArgs) -> Result<Option<ExpectedSolver>, Error> {
    let what = match (&args.opponent, &args.contempt) {
        (Some(opponent), _) => format!("`--opponent {opponent}`"),
        (None, Some(contempt)) => format!("`--contempt {contempt}`"),
        (None, None) => format!("chance, and {} has it", args.game),
    };
    let words = ExpectedSolver::ALL.map(ExpectedSolver::word).join(", ");
    let named = match args.scheme {
        None => None,
        Some(scheme) => match scheme.solver {
            Some(Solver::Expected(solver)) => Some(solver),
            _ => {
                return Err(Error::input(format!("`--scheme {scheme}` does not take {what}"))
                    .help(format!("these do: {words}")));
            }
        },
    };
    let of_smab = [(args.skip.is_some(), "--skip"), (args.cells.is_some(), "--cells")];
    if let Some((_, option)) = of_schemes(args).into_iter().chain(of_smab).find(|(given, _)| *given)
    {
        return Err(Error::input(format!("`{option}` does not take {what}"))
            .help("for expected values: --scheme, --driver, --for, --moves"));
    }
    let solver = named.unwrap_or(ExpectedSolver::Iterate);
    let table = match args.driver {
        None => return Ok(named),
        Some(DriverSpec::Dag) => Some(true),
        Some(DriverSpec::Tree) => Some(false),
        Some(_) => None,
    };
    match table.and_then(|table| solver.with_table(table)) {
        Some(solver) => Ok(Some(solver)),
        None => {
            let driver = args.driver.map_or("", DriverSpec::word);
            let takes = [(true, "dag"), (false, "tree")];
            let takes = takes.iter().filter(|(table, _)| solver.with_table(*table).is_some());
            let takes: Vec<&str> = takes.map(|(_, word)| *word).collect();
            let message = format!("the driver `{driver}` does not take {what}");
            Err(Error::input(message).help(format!(
                "`{}` goes with {}",
                solver.word(),
                takes.join(" and ")
            )))
        }
    }
}

/// A solver of many players. Those that ask what one player can force are guided like any other
/// search.
fn many_solver(
    job: &mut Job,
    game: &AnyGame,
    args: &SolveArgs,
    solver: ManySolver,
) -> Result<(), Error> {
    job.solver = Some(Solver::Many(solver));
    if solver.guided() {
        return guide(job, game, &SolveArgs { scheme: None, ..args.clone() });
    }
    let others = [
        (args.player.is_some(), "--for"),
        (args.moves, "--moves"),
        (args.driver.is_some(), "--driver"),
        (args.skip.is_some(), "--skip"),
        (args.cells.is_some(), "--cells"),
        (args.tree.is_some(), "--tree"),
    ];
    match of_schemes(args).into_iter().chain(others).find(|(given, _)| *given) {
        None => Ok(()),
        Some((_, option)) => {
            let help =
                format!("{} tells what every player gets, and has no such option", solver.word());
            Err(does_not_go(option, &format!("--scheme {solver}"), help))
        }
    }
}

/// How a game with joint moves is solved.
fn joint_solver(args: &SolveArgs) -> Result<JointSolver, Error> {
    let named = args.scheme.map(|scheme| (scheme, scheme.solver));
    let solver = match named {
        None => JointSolver::default(),
        Some((_, Some(Solver::Joint(solver)))) => solver,
        Some((scheme, _)) => {
            let words = JointSolver::all().map(JointSolver::word).join(", ");
            return Err(Error::input(format!(
                "`--scheme {scheme}` is not for players who move at the same time"
            ))
            .help(format!("for joint moves: {words}")));
        }
    };
    if args.player.is_some() {
        return Err(Error::input("`--for` goes with players who move in turn only"));
    }
    if args.moves {
        return Err(Error::input("`--moves` goes with players who move in turn only")
            .help("of joint moves, the answer shows what both sides play and how often"));
    }
    let game = args.scheme.is_none().then_some(args.game.as_str());
    let with = Chosen { what: "scheme", word: solver.word(), game };
    let smab = matches!(solver, JointSolver::Smab { .. });
    let of_smab =
        [(args.skip.is_some() && !smab, "--skip"), (args.cells.is_some() && !smab, "--cells")];
    let others = of_schemes(args).into_iter().chain(of_smab);
    if let Some((_, option)) = others.into_iter().find(|(given, _)| *given) {
        let help = "for joint moves: --scheme, --driver, and --skip and --cells with smab";
        return Err(does_not_go_with(option, &with, help.to_owned()));
    }
    let driver = match args.driver {
        None => Ok(None),
        Some(DriverSpec::Tree) => Ok(Some(Driver::Tree)),
        Some(DriverSpec::Dag) => Ok(Some(Driver::Dag)),
        Some(other) => Err(other),
    };
    let by = driver.and_then(|driver| match driver {
        None => Ok(solver),
        Some(of) => solver.by(of).ok_or(DriverSpec::Dag),
    });
    let mut solver = by.map_err(|driver| {
        let takes = if solver.by(Driver::Dag).is_some() { "one of tree, dag" } else { "tree" };
        let option = format!("--driver {}", driver.word());
        does_not_go_with(&option, &with, format!("of joint moves: {takes}"))
    })?;
    if let JointSolver::Smab { skip, cells, .. } = &mut solver {
        *skip = args.skip.unwrap_or(*skip);
        match args.cells {
            None => {}
            Some(CellsWord::LShaped) => *cells = Cells::LShaped,
            Some(CellsWord::Lexicographic) => *cells = Cells::Lexicographic,
        }
    }
    Ok(solver)
}

/// Driver, scheme and leaves of a search of a game in turn. Options that do not go together are
/// refused by their names here; the library refuses specs.
fn guide(job: &mut Job, game: &AnyGame, args: &SolveArgs) -> Result<(), Error> {
    let Opened::InTurn(game) = game.opened() else { return Ok(()) };
    for (given, option) in [(args.skip.is_some(), "--skip"), (args.cells.is_some(), "--cells")] {
        if given {
            return Err(Error::input(format!("`{option}` goes with joint moves only"))
                .help("it is an option of `--scheme smab`"));
        }
    }
    // 1. Options that the driver does not have.
    job.scheme = args.scheme.and_then(|scheme| scheme.turn);
    let open = Job { leaves: args.init, driver: args.driver, ..job.clone() };
    let driver = match args.driver {
        Some(driver) => driver,
        None => foregone::default_driver(game, &open),
    };
    let refuse = |given: bool, option: &str, takes: &dyn Fn(DriverSpec) -> bool| {
        if given && !takes(driver) {
            let names = DriverSpec::ALL.into_iter().filter(|&d| takes(d)).map(DriverSpec::word);
            let names: Vec<String> = names.map(|name| format!("`--driver {name}`")).collect();
            let help = format!("it goes with {}", names.join(", "));
            let game = args.driver.is_none().then_some(args.game.as_str());
            let with = Chosen { what: "driver", word: driver.word(), game };
            return Err(does_not_go_with(option, &with, help));
        }
        Ok(())
    };
    let alphabeta = |d: DriverSpec| matches!(d, DriverSpec::AlphaBeta { .. });
    refuse(args.order.is_some(), "--order", &alphabeta)?;
    refuse(args.walk.is_some(), "--walk", &alphabeta)?;
    let lambda = |d: DriverSpec| matches!(d, DriverSpec::Lambda(_));
    refuse(args.threats.is_some(), "--threats", &lambda)?;
    refuse(args.no_zones, "--no-zones", &lambda)?;
    refuse(args.inner.is_some(), "--inner", &|d| matches!(d, DriverSpec::Squared { .. }))?;
    refuse(args.scheme.is_some(), "--scheme", &DriverSpec::takes_scheme)?;
    refuse(args.init.is_some(), "--init", &DriverSpec::takes_scheme)?;
    refuse(args.gamma.is_some(), "--gamma", &DriverSpec::takes_scheme)?;
    refuse(args.delta.is_some(), "--delta", &DriverSpec::takes_scheme)?;
    refuse(args.exploration.is_some(), "--exploration", &|d| {
        d.takes_scheme() && d != DriverSpec::Df
    })?;
    refuse(args.rave.is_some(), "--rave", &|d| matches!(d, DriverSpec::Tree | DriverSpec::Dag))?;

    // 2. The driver with its own options, the scheme with its.
    if let Some(inner) = args.inner.filter(|inner| inner.many_outcomes()) {
        let two = SchemeSpec::all().into_iter().filter(|scheme| !scheme.many_outcomes());
        let names: Vec<String> = two.map(SchemeSpec::word).collect();
        return Err(Error::input(format!("`--inner {inner}` is not a scheme for two outcomes"))
            .help(format!("one of {}", names.join(", "))));
    }
    let mut inner = args.inner.map(SchemeSpec::scheme);
    let mut used = job.scheme;
    if driver.takes_scheme() {
        let scheme = job.scheme.unwrap_or_else(|| foregone::default_scheme(game));
        if !driver.takes(scheme) {
            let takes = SchemeSpec::all().into_iter().filter(|&s| driver.takes(s));
            let names: Vec<String> = takes.map(SchemeSpec::word).collect();
            let option = format!("--driver {}", driver.word());
            let help = format!("{} takes {}", driver.word(), names.join(", "));
            let game = args.scheme.is_none().then_some(args.game.as_str());
            let with = Chosen { what: "scheme", word: &scheme.word(), game };
            return Err(does_not_go_with(&option, &with, help));
        }
        if args.outcomes.is_some() && scheme.many_outcomes() {
            let help = "it finds all outcomes in one search".to_owned();
            let game = args.scheme.is_none().then_some(args.game.as_str());
            let with = Chosen { what: "scheme", word: &scheme.word(), game };
            return Err(does_not_go_with("--outcomes", &with, help));
        }
        // What nobody named is left to the library, which may pick otherwise for several threads or workers.
        let chosen = scheme_with_options(scheme, inner.as_mut(), args)?;
        if args.scheme.is_some() || chosen != scheme {
            job.scheme = Some(chosen);
        }
        used = Some(chosen);
    }
    let chosen = with_options(driver, inner, args);
    let scheme_alone = job.scheme.is_some() && args.scheme.is_none();
    if args.driver.is_some() || chosen != driver || scheme_alone {
        job.driver = Some(chosen);
    }
    // 3. What leaves are worth.
    job.leaves = args.init;
    if let Some(init) = args.init {
        let valued = args.inner.or(used);
        if let Some(scheme) = valued.filter(|scheme| !scheme.leaves().contains(&init)) {
            let names: Vec<String> = scheme.leaves().iter().map(ToString::to_string).collect();
            let option = format!("--init {init}");
            let help = format!("one of {}", names.join(", "));
            let game = args.inner.is_none() && args.scheme.is_none();
            let game = game.then_some(args.game.as_str());
            let with = Chosen { what: "scheme", word: &scheme.word(), game };
            return Err(does_not_go_with(&option, &with, help));
        }
    }
    Ok(())
}

/// A driver with the options that are its own.
fn with_options(driver: DriverSpec, chosen: Option<AnyScheme>, args: &SolveArgs) -> DriverSpec {
    match driver {
        DriverSpec::AlphaBeta { by, walk } => DriverSpec::AlphaBeta {
            by: match args.order {
                None => by,
                Some(OrderWord::Rules) => OrderBy::Rules,
                Some(OrderWord::Game) => OrderBy::Game,
                Some(OrderWord::History) => OrderBy::History,
                Some(OrderWord::Montecarlo) => OrderBy::MonteCarlo(ORDER_PLAYS),
            },
            walk: match args.walk {
                None => walk,
                Some(WalkWord::Null) => Walk::Null,
                Some(WalkWord::Full) => Walk::Full,
                Some(WalkWord::Deepen) => Walk::Deepen,
                Some(WalkWord::Minimax) => Walk::Minimax,
            },
        },
        DriverSpec::Squared { inner } => DriverSpec::Squared { inner: chosen.or(inner) },
        DriverSpec::Lambda(threats) => DriverSpec::Lambda(Threats {
            order: args.threats.unwrap_or(threats.order),
            zones: threats.zones && !args.no_zones,
        }),
        DriverSpec::Tree
        | DriverSpec::Dag
        | DriverSpec::Dfs
        | DriverSpec::Df
        | DriverSpec::Own(_) => driver,
    }
}

/// A scheme with the options that were given. It must have them, or the scheme of inner searches.
fn scheme_with_options(
    scheme: SchemeSpec,
    mut inner: Option<&mut AnyScheme>,
    args: &SolveArgs,
) -> Result<SchemeSpec, Error> {
    let mut chosen: AnyScheme = scheme.scheme();
    let given: [(&str, &str, Option<Given>); 5] = [
        ("--exploration", "exploration", args.exploration.map(Given::Number)),
        ("--gamma", "gamma", args.gamma.map(Given::Number)),
        ("--delta", "delta", args.delta.map(Given::Number)),
        ("--rave", "rave", args.rave.map(Given::Number)),
        ("--no-cuts", "cuts", args.no_cuts.then_some(Given::No)),
    ];
    for (option, name, value) in given {
        let Some(value) = value else { continue };
        let has = |s: &AnyScheme| s.clone().options().iter().any(|(n, _)| *n == name);
        let mut options = match &mut inner {
            Some(inner) if !has(&chosen) => inner.options(),
            _ => chosen.options(),
        };
        let Some((_, place)) = options.iter_mut().find(|(n, _)| *n == name) else {
            let schemes = AnyScheme::all().into_iter().filter(has);
            let names: Vec<&str> = schemes.map(AnyScheme::word).collect();
            let help = format!("it is an option of {}", names.join(", "));
            let game = args.scheme.is_none().then_some(args.game.as_str());
            let with = Chosen { what: "scheme", word: &scheme.word(), game };
            return Err(does_not_go_with(option, &with, help));
        };
        match (place, value) {
            (OptionValue::Number(place, _), Given::Number(number)) => **place = number,
            (OptionValue::Switch(place), Given::No) => **place = false,
            (OptionValue::Number(..), Given::No)
            | (OptionValue::Switch(_), Given::Number(_))
            | (OptionValue::Choice(..), _) => {}
        }
    }
    Ok(if scheme.multized() { SchemeSpec::mo(chosen) } else { SchemeSpec::new(chosen) })
}

/// The value of an option of a scheme.
enum Given {
    Number(f64),
    No,
}

/// Whether a proof is wanted that is written to this file, and drawn as a tree or not.
pub(crate) fn proof_wanted(file: Option<&Path>, tree: bool) -> Proof {
    match file {
        _ if tree => Proof::Drawn,
        Some(path) if drawing_of(path).is_some() => Proof::Drawn,
        Some(_) => Proof::Always,
        None => Proof::IfCheap,
    }
}

/// How a proof is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// For Graphviz.
    Dot,
    /// As a picture.
    Svg,
}

/// The drawing that a file with this name holds; other files hold certificates.
pub fn drawing_of(path: &Path) -> Option<Drawing> {
    match path.extension()?.to_str()? {
        "dot" => Some(Drawing::Dot),
        "svg" => Some(Drawing::Svg),
        _ => None,
    }
}

/// The job that the words behind `check` mean for a formula in a position.
pub fn check_job(
    args: &CheckArgs,
    definitions: &str,
    position: &str,
    formula: &str,
) -> Result<Job, Error> {
    Ok(Job {
        game: args.game.clone(),
        position: position.to_owned(),
        question: Question::Formula(formula.to_owned()),
        player: args.protagonist.clone(),
        definitions: definitions.to_owned(),
        all: args.all,
        tries: args.tries.unwrap_or(0),
        set_play: args.set_play,
        variations: args.tree.is_some() && wants_problem(args),
        algorithm: Some(algorithm(args)?),
        budget: args.budget.budget(),
        seed: args.budget.seed,
        knowledge: !args.no_knowledge,
        proof: proof_wanted(args.proof.as_deref(), args.tree.is_some() && !wants_problem(args)),
        ..Job::default()
    })
}

/// Whether all first moves are asked for, and so a tree is that of their variations.
fn wants_problem(args: &CheckArgs) -> bool {
    args.all || args.set_play || args.tries.is_some_and(|n| n > 0)
}

fn algorithm(args: &CheckArgs) -> Result<Algorithm, Error> {
    use AlgorithmWord as W;
    let word = args.algorithm.unwrap_or(W::Alphabeta);
    let refuse = |given: bool, option: &str, takes: &[W]| match given && !takes.contains(&word) {
        true => {
            let name = |w: &W| w.to_possible_value().map(|v| v.get_name().to_owned());
            let names: Vec<String> = takes.iter().filter_map(name).collect();
            let own = name(&word).unwrap_or_default();
            let usual = if args.algorithm.is_none() { ", the usual algorithm" } else { "" };
            Err(Error::input(format!("`{option}` does not go with `{own}`{usual}"))
                .help(format!("it goes with `--algorithm {}`", names.join("` or `"))))
        }
        false => Ok(()),
    };
    refuse(args.all, "--all", &[W::Alphabeta])?;
    refuse(args.tries.is_some(), "--tries", &[W::Alphabeta])?;
    refuse(args.set_play, "--set-play", &[W::Alphabeta])?;
    refuse(args.lambda, "--lambda", &[W::Pnps])?;
    let minimal = &[W::Mps, W::Dfmps];
    refuse(args.cost.is_some(), "--cost", minimal)?;
    refuse(args.atom_cost.is_some(), "--atom-cost", minimal)?;
    refuse(!args.move_cost.is_empty(), "--move-cost", minimal)?;
    let price = || Price {
        of: match args.cost {
            None | Some(CostWord::Queries) => Counted::Queries,
            Some(CostWord::Depth) => Counted::Depth,
            Some(CostWord::Atoms) => Counted::Atoms,
        },
        atom: args.atom_cost,
        moves: args.move_cost.clone(),
    };
    Ok(match word {
        W::Alphabeta => Algorithm::AlphaBeta,
        W::Dfps => Algorithm::Dfps,
        W::Pnps => Algorithm::Pnps { lambda: args.lambda },
        W::Mcps => Algorithm::Mcps,
        W::Mps => Algorithm::Mps(price()),
        W::Dfmps => Algorithm::Dfmps(price()),
        W::Ppps => Algorithm::Ppps,
        W::Dfpn => Algorithm::Dfpn,
        W::Pn2 => Algorithm::Pn2,
    })
}
