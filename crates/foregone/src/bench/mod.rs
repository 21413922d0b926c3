//! `foregone bench`: what this build does, in counts and in ratios.
//!
//! Every measurement checks its answer. Seconds vary with the machine and its load, so speeds are
//! shown beside a yardstick that ran in the same minute, and the signature counts nodes only.

mod bare;
mod gdl;
mod joint;

use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use foregone_games::breakthrough::Breakthrough;
use foregone_games::connect_four::ConnectFour;
use foregone_games::domineering::Domineering;
use foregone_games::hex::Hex;
use foregone_games::registry::{GAMES, Visitor, with_game};
use foregone_games::tic_tac_toe::TicTacToe;
use foregone_games::y::Y;
use foregone_model::{Game, Goal, Guide, Notation, Outcome, Rng, Side, WeakSolution, certificate};
use foregone_search::drive::{node_bytes, tree};
use foregone_search::report::Counts;
use foregone_search::scheme::{Mcts, MinMax, Pn, Pp};
use foregone_search::{Init, Leaves, Limits};

use crate::args::{AlgorithmWord, BenchPart, Cli, Command, SolveArgs};
use crate::check::{Asking, Counted};
use crate::failure::Failure;
use crate::job::{Budget, Job, positions_after};
use crate::print::grouped;
use crate::session::{self, bytes_text, peak_bytes_of_process, short};

/// Asks a formula, whose answer must be the known one.
fn ask(
    (game, position, formula, word, holds): (&str, &str, &str, AlgorithmWord, bool),
) -> Result<Counted, Failure> {
    let asking = Asking { game, position, formula, word, lambda: false };
    let found = asking.count(&Budget::UNLIMITED)?;
    match found.holds == Some(holds) {
        true => Ok(found),
        false => Err(wrong(format!("{formula} in {position}: {:?}", found.holds))),
    }
}

/// Runs the parts that were asked for, or all of them.
pub fn run(parts: &[BenchPart], out: &mut dyn Write) -> Result<u8, Failure> {
    use BenchPart::{Combat, Domineering, Formulas, Gdl, Joint, Memory, Playouts, Pns, Signature};
    let all = [Signature, Pns, Domineering, Formulas, Joint, Combat, Playouts, Gdl, Memory];
    let mut bench = Bench { out };
    for part in if parts.is_empty() { &all[..] } else { parts } {
        match part {
            Signature => bench.signature()?,
            Pns => bench.pns()?,
            Domineering => bench.domineering()?,
            Formulas => bench.formulas()?,
            Joint => bench.joint()?,
            Combat => bench.combat()?,
            Playouts => bench.playouts(),
            Gdl => bench.gdl()?,
            Memory => bench.memory()?,
        }
    }
    Ok(0)
}

/// The jobs of the signature: the words behind `solve`, and the value that must come out.
const JOBS: &[(&str, &str)] = &[
    ("tic-tac-toe --driver tree --scheme pn --init one", "draw"),
    ("tic-tac-toe --driver tree --scheme mcts", "draw"),
    ("tic-tac-toe --driver dfs", "draw"),
    ("nim:3,4,5 --driver tree --scheme pn --init mobility", "win"),
    ("nim:1,3,5 --driver tree --scheme minmax", "win"),
    ("race:30,3 --driver tree --scheme pp", "win"),
    ("domineering:5x5 --driver tree --scheme pp --init mobility", "loss"),
    ("domineering:5x4 --driver tree --scheme pn --init mobility", "loss"),
    ("domineering:4x5 --driver dfs", "win"),
    ("nogo:3x4 --driver tree --scheme pp --init mobility", "loss"),
    ("nogo:1x12 --driver tree --scheme pn --init one", "win"),
    ("atari-go:3x4 --driver tree --scheme pn --init mobility", "win"),
    ("y:4 --driver tree --scheme pp --init evaluation", "win"),
    ("y:4 --driver tree --scheme mcts --init evaluation", "win"),
    ("hex:3 --driver tree --scheme mcts --seed 1", "win"),
    ("hex:4 --driver tree --scheme pn --init mobility", "win"),
    ("breakthrough:5x3 --driver tree --scheme pn --init one", "loss"),
    ("connect-four:4x4 --driver tree --scheme minmax --init zero", "draw"),
    ("connect-four:5x4 --driver tree --scheme pn --init one", "draw"),
    ("domineering:6x6 --driver dag --scheme pp --init mobility --no-symmetry", "win"),
    ("nogo:1x16 --driver dag --scheme pp --init mobility", "win"),
    ("y:5 --driver dag --scheme pp --init evaluation", "win"),
    ("hex:4 --driver dag --scheme pn --init mobility", "win"),
    ("tic-tac-toe --driver dag --scheme mcts", "draw"),
    ("connect-four:5x5 --driver alphabeta", "draw"),
    ("domineering:6x6 --driver alphabeta --no-knowledge", "win"),
    ("atari-go:3x4 --driver alphabeta --order history --walk deepen", "win"),
    ("hex:4 --driver df --scheme pn --init mobility", "win"),
    ("nogo:1x14 --driver df --scheme pp --init mobility", "win"),
    ("connect-four:4x5 --driver df --scheme mo(pn) --init mobility", "draw"),
    ("connect-four:5x4 --driver tree --scheme mo(pn) --init one --no-knowledge", "draw"),
    ("seki:3,3 --driver tree --scheme sbmcts --rave 100", "draw"),
    ("domineering:5x6 --driver squared --scheme pp --no-knowledge", "loss"),
];

/// Formulas of the signature: game, position, formula, algorithm, and whether it holds.
const QUESTIONS: &[(&str, &str, &str, AlgorithmWord, bool)] = &[
    ("chess", MORPHY, "#2", AlgorithmWord::Alphabeta, true),
    ("chess", MORPHY, "#2", AlgorithmWord::Dfmps, true),
    ("chess", PROMOTION, "PT(4)", AlgorithmWord::Dfps, true),
    ("chess", PROMOTION, "omega(4)", AlgorithmWord::Pnps, true),
    ("hex:4", "start", "APS(3)", AlgorithmWord::Pn2, false),
    ("hex:4", "start", "lambda(3,5)", AlgorithmWord::Dfpn, false),
    ("chinese-checkers:1,3", "start", "PA(9)", AlgorithmWord::Mcps, false),
    ("gomoku:5,4", "start", "omega(2)", AlgorithmWord::Mps, false),
];

/// P. Morphy, 1856: a mate in two.
const MORPHY: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
/// S. Loyd's Excelsior, 1861: a mate in five.
const EXCELSIOR: &str = "n1rb4/1p3p1p/1p6/1R5K/8/p3p1PN/1PP1R3/N6k w - - 0 1";
/// A pawn promotes and the queen mates: the positions of table-4.12 with four and six moves to go.
const PROMOTION: &str = "8/8/8/4P2p/1p3K1k/5P2/6P1/8 w - - 0 1";
const PROMOTION_IN_SIX: &str = "8/8/1p6/7p/5K1k/4PP2/6P1/8 w - - 0 1";

struct Bench<'a> {
    out: &'a mut dyn Write,
}

impl Bench<'_> {
    fn say(&mut self, text: &str) {
        let _ = writeln!(self.out, "{text}").and_then(|()| self.out.flush());
    }

    /// Node counts over a fixed list of jobs: they change exactly when the search does.
    fn signature(&mut self) -> Result<(), Failure> {
        self.say("signature: nodes of a fixed list of jobs");
        let mut total = 0;
        for (words, value) in JOBS {
            let line = format!("foregone solve {words}");
            let Ok(Cli { command: Command::Solve(args) }) =
                Cli::try_parse_from(line.split_whitespace())
            else {
                return Err(wrong(format!("`{line}` is no command")));
            };
            let game = args.game.clone();
            let (found, counts) =
                with_game(&game, Solve(args)).map_err(|e| Failure::game(&game, e))??;
            if found != *value {
                return Err(wrong(format!("`{line}` gave {found}, expected {value}")));
            }
            self.say(&format!("  {:>12}  {line}", grouped(counts.nodes)));
            total += counts.nodes;
        }
        for &question in QUESTIONS {
            let (game, position, formula, word, _) = question;
            let nodes = ask(question)?.nodes;
            let name = word.to_possible_value().map(|v| v.get_name().to_owned());
            let name = name.unwrap_or_default();
            self.say(&format!(
                "  {:>12}  foregone check {game} '{formula}' -p '{position}' --algorithm {name}",
                grouped(nodes)
            ));
            total += nodes;
        }
        total += self.joint_signature()?;
        self.say(&format!("Bench: {total}"));
        Ok(())
    }

    /// Formulas on chess: how fast the game is asked, and a problem that takes a search.
    fn formulas(&mut self) -> Result<(), Failure> {
        self.say("formulas: chess, by the rules alone; the thesis asks 55,000 atoms/s");
        for (position, formula, word, name) in [
            (PROMOTION_IN_SIX, "PT(6)", AlgorithmWord::Dfps, "dfps"),
            (PROMOTION_IN_SIX, "omega(6)", AlgorithmWord::Dfps, "dfps"),
            (EXCELSIOR, "#5", AlgorithmWord::Alphabeta, "alphabeta"),
        ] {
            let found = ask(("chess", position, formula, word, true))?;
            let seconds = found.time.as_secs_f64();
            self.say(&format!(
                "  {formula:<9} {name:<10} {:>9} atoms, {:>9} moves, {seconds:.4} s, {} atoms/s",
                grouped(found.queries.atomic),
                grouped(found.queries.play),
                short(found.queries.atomic as f64 / seconds.max(1e-9)),
            ));
        }
        Ok(())
    }

    /// Thesis section 3.8.1 by two-outcome questions: 256 positions, both questions for each.
    fn pns(&mut self) -> Result<(), Failure> {
        self.say(
            "pns: connect-four:5x4, 256 positions after 4 moves, questions win and at-least draw",
        );
        let game = ConnectFour::<u64>::new(5, 4);
        let positions = positions_after(&game, 4);
        let (mut nodes, mut bare_nodes) = (0u64, 0u64);
        let (mut time, mut bare_time) = (Duration::ZERO, Duration::ZERO);
        let mut values = [0u32; 3];
        for (columns, start) in &positions {
            let mut reached = 0;
            for at_least in [Outcome(2), Outcome(1)] {
                // The two loops take turns, so that a busy machine slows both alike.
                let clock = Instant::now();
                let goal = Goal::new(&game, *start, at_least, Side::Min).with_knowledge(false);
                let mut leaves = Leaves::new(Init::Constant, 0);
                let report = tree(&goal, &Pn, &mut leaves, Limits::NONE, &mut ());
                time += clock.elapsed();
                nodes += report.counts.nodes;
                reached += usize::from(report.value() == Some(Outcome::WIN));

                let clock = Instant::now();
                let (won, created) = bare::pns(columns, at_least == Outcome(1));
                bare_time += clock.elapsed();
                bare_nodes += created;
                if won != (report.value() == Some(Outcome::WIN)) {
                    return Err(wrong(format!("the bare loop disagrees after {columns:?}")));
                }
            }
            values[reached] += 1;
        }
        if values != [18, 222, 16] {
            return Err(wrong(format!("{values:?} losses, draws and wins, expected 18, 222, 16")));
        }
        let speed = nodes as f64 / time.as_secs_f64();
        let bare_speed = bare_nodes as f64 / bare_time.as_secs_f64();
        self.say("  values      16 win, 222 draw, 18 loss, as in the thesis");
        self.say(&format!("  nodes       {} (thesis: 20,175,238)", grouped(nodes)));
        self.say(&format!("  speed       {} nodes/s, the weak solution included", short(speed)));
        self.say(&format!(
            "  bare loop   {} nodes, {} nodes/s; ratio {:.2}",
            grouped(bare_nodes),
            short(bare_speed),
            speed / bare_speed
        ));
        Ok(())
    }

    /// Thesis table 2.2, PP on the board of six by six, and the replay of its certificate.
    fn domineering(&mut self) -> Result<(), Failure> {
        self.say("domineering: 6x6 by pp + tree, mobility at the leaves");
        let game = Domineering::<u64>::new(6, 6);
        let clock = Instant::now();
        let (counts, solution) = self.pp_domineering(&game)?;
        let search = clock.elapsed();
        let clock = Instant::now();
        let goal = Goal::new(&game, game.start(), Outcome::WIN, Side::Min);
        let claim = goal.claim(Side::Max, Outcome::WIN);
        let written = certificate::write(&game, &game.start(), claim, &solution);
        let writing = clock.elapsed();
        let clock = Instant::now();
        let mut reader = certificate::Reader::new(written.text.as_bytes());
        let checked = reader.header().and_then(|header| match header {
            Some(header) => {
                certificate::check(&game, &header, &mut reader, &mut certificate::RulesOnly)
                    .map(Some)
            }
            None => Ok(None),
        });
        let checking = clock.elapsed();
        match checked {
            Ok(Some(checked)) if checked.claim == claim => {}
            other => return Err(wrong(format!("the certificate was refused: {other:?}"))),
        }
        self.say(&format!(
            "  expansions  {} (thesis: 5,312,292), {:.2} s",
            grouped(counts.expansions),
            search.as_secs_f64()
        ));
        self.say(&format!(
            "  certificate {} claims, {}, written in {:.2} s, replayed in {:.2} s: {:.2} of the search",
            grouped(written.claims),
            bytes_text(written.text.len() as u64),
            writing.as_secs_f64(),
            checking.as_secs_f64(),
            checking.as_secs_f64() / search.as_secs_f64()
        ));
        Ok(())
    }

    fn pp_domineering(
        &mut self,
        game: &Domineering<u64>,
    ) -> Result<(Counts, WeakSolution<u8>), Failure> {
        // As in the thesis: rules and mobility, no other knowledge.
        let goal = Goal::new(game, game.start(), Outcome::WIN, Side::Min).with_knowledge(false);
        let mut leaves = Leaves::new(Init::Mobility, 0);
        let report = tree(&goal, &Pp, &mut leaves, Limits::NONE, &mut ());
        match (report.value(), report.solutions.into_iter().next()) {
            (Some(Outcome::WIN), Some(solution)) => Ok((report.counts, solution.weak)),
            (value, _) => Err(wrong(format!("domineering 6x6 gave {value:?}, expected a win"))),
        }
    }

    /// Random plays per second, beside those of OpenSpiel.
    fn playouts(&mut self) {
        self.say("playouts: random plays per second, one thread");
        self.say("  OpenSpiel 2.0.2's C++ rollouts as measured on a comparable machine");
        self.playout("tic-tac-toe", &TicTacToe::new(), 630_846);
        self.playout("connect-four:6x7", &ConnectFour::<u64>::new(6, 7), 71_246);
        self.playout("hex:5", &Hex::<u64>::new(5), 99_644);
        self.playout("hex:7", &Hex::<u64>::new(7), 39_314);
        self.playout("hex:11", &Hex::<u128>::new(11), 12_836);
        self.playout("y:6", &Y::<u64>::new(6), 234_221);
        self.playout("breakthrough:6x6", &Breakthrough::<u64>::new(6, 6), 32_141);
        self.playout("breakthrough:8x8", &Breakthrough::<u64>::new(8, 8), 11_898);
    }

    fn playout<G: Guide>(&mut self, name: &str, game: &G, theirs: u64) {
        let mut rng = Rng::new(1);
        let (mut count, clock) = (0u64, Instant::now());
        while clock.elapsed() < Duration::from_millis(800) {
            for _ in 0..1000 {
                black_box(game.playout(game.start(), &mut rng));
            }
            count += 1000;
        }
        let ours = count as f64 / clock.elapsed().as_secs_f64();
        self.say(&format!(
            "  {name:<18} {:>12}   OpenSpiel {:>8}   ratio {:>5.1}",
            grouped(ours as u64),
            grouped(theirs),
            ours / theirs as f64
        ));
    }

    /// The bytes of nodes, and whether what a search counts is what the system sees.
    fn memory(&mut self) -> Result<(), Failure> {
        self.say("memory: bytes of a node of the tree driver (minmax, pn, pp, mcts)");
        for game in GAMES.iter().filter(|g| !g.needs_file) {
            let bytes = with_game(game.name, NodeBytes).map_err(|e| Failure::game(game.name, e))?;
            self.say(&format!("  {:<14} {bytes:?}", game.name));
        }
        let game = ConnectFour::<u64>::new(5, 5);
        let goal = Goal::new(&game, game.start(), Outcome(2), Side::Min).with_knowledge(false);
        let mut leaves = Leaves::new(Init::Constant, 0);
        let limits = Limits { bytes: 600 << 20, ..Limits::NONE };
        let before = peak_bytes_of_process();
        let report = tree(&goal, &Pn, &mut leaves, limits, &mut ());
        let counted = report.counts.peak_bytes;
        match (before, peak_bytes_of_process()) {
            (Some(before), Some(after)) => self.say(&format!(
                "  a search that counted {}: the system saw the process at {}, {} before it",
                bytes_text(counted),
                bytes_text(after),
                bytes_text(before)
            )),
            _ => self.say("  this system does not tell how much memory a process uses"),
        }
        Ok(())
    }
}

fn wrong(message: String) -> Failure {
    Failure::proof(message).help("the benchmark stops: its answers must be right")
}

/// Solves a job and returns the value's name.
struct Solve(SolveArgs);

impl Visitor for Solve {
    type Output = Result<(String, Counts), Failure>;

    fn visit<G: Guide + Notation>(self, game: G) -> Self::Output {
        let job = Job::new(&game, &self.0)?;
        let answer = session::solve(&game, &job, false)?;
        let value = match answer.bounds {
            (low, high) if low == high => game.scale().name(low).to_owned(),
            _ => "nothing".to_owned(),
        };
        Ok((value, answer.counts))
    }
}

/// The bytes of a node for each scheme.
struct NodeBytes;

impl Visitor for NodeBytes {
    type Output = [usize; 4];

    fn visit<G: Guide + Notation>(self, game: G) -> [usize; 4] {
        let goal = Goal::new(&game, game.start(), game.scale().best(), Side::Min);
        let mcts = Mcts { exploration: Mcts::EXPLORATION };
        [
            node_bytes(&goal, &MinMax),
            node_bytes(&goal, &Pn),
            node_bytes(&goal, &Pp),
            node_bytes(&goal, &mcts),
        ]
    }
}
