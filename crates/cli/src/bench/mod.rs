//! `foregone bench`: what this build does, in counts and in ratios.
//!
//! Every measurement checks its answer. Seconds vary with the machine and its load, so speeds are
//! shown beside a yardstick that ran in the same minute, and the signature counts nodes only.

mod bare;
mod chance;
mod gdl;
mod joint;
mod play;
#[cfg(feature = "serve")]
mod serve;
mod tables;

use std::hint::black_box;
use std::time::{Duration, Instant};

use foregone::games::breakthrough::Breakthrough;
use foregone::games::connect_four::ConnectFour;
use foregone::games::domineering::Domineering;
use foregone::games::hex::Hex;
use foregone::games::registry::{Moves, Opened};
use foregone::games::tic_tac_toe::TicTacToe;
use foregone::games::y::Y;
use foregone::model::{Game, Goal, Guide, Outcome, Rng, Side, WeakSolution, certificate};
use foregone::search::drive::{node_bytes, tree};
use foregone::search::report::Counts;
use foregone::search::scheme::{Mcts, MinMax, Pn, Pp};
use foregone::search::{Init, Leaves, Limits};
use foregone::text::{bytes_text, grouped, short};
use foregone::{Answer, Budget, Error, Finished, Job};

use crate::Program;
use crate::args::BenchPart;
use crate::memory::{memory_to_use, peak_bytes_of_process};
use crate::reproduce::{command, positions_after};

/// Runs the parts that were asked for, or all of them.
pub fn run(program: &mut Program<'_>, parts: &[BenchPart]) -> Result<u8, Error> {
    use BenchPart::{
        Chance, Combat, Domineering, Formulas, Gdl, Joint, Memory, Play, Playouts, Pns, Serve,
        Signature, Tables,
    };
    let all = [
        Signature,
        Pns,
        Domineering,
        Formulas,
        Joint,
        Chance,
        Combat,
        Playouts,
        Play,
        Gdl,
        Tables,
        Serve,
        Memory,
    ];
    let mut bench = Bench { program };
    for part in if parts.is_empty() { &all[..] } else { parts } {
        let measured = match part {
            Signature => bench.signature(),
            Pns => bench.pns(),
            Domineering => bench.domineering(),
            Formulas => bench.formulas(),
            Joint => bench.joint(),
            Chance => bench.chance(),
            Combat => bench.combat(),
            Playouts => {
                bench.playouts();
                Ok(())
            }
            Play => bench.play(),
            Gdl => bench.gdl(),
            Tables => bench.tables(),
            Serve => bench.serve(),
            Memory => bench.memory(),
        };
        // What is wrong with an answer that was cut short does not matter.
        if bench.program.cancel.is_cancelled() {
            return Ok(crate::signals::exit_code());
        }
        measured?;
    }
    Ok(0)
}

/// The jobs of the signature, and the value that must come out.
const JOBS: &[(&str, &str)] = &[
    ("tic-tac-toe scheme=pn driver=tree leaves=one", "draw"),
    ("tic-tac-toe scheme=mcts driver=tree leaves=playout", "draw"),
    ("tic-tac-toe driver=dfs", "draw"),
    ("nim:3,4,5 scheme=pn driver=tree leaves=mobility", "win"),
    ("nim:1,3,5 scheme=minmax driver=tree leaves=zero", "win"),
    ("race:30,3 scheme=pp driver=tree leaves=half", "win"),
    ("domineering:5x5 scheme=pp driver=tree leaves=mobility", "loss"),
    ("domineering:5x4 scheme=pn driver=tree leaves=mobility", "loss"),
    ("domineering:4x5 driver=dfs", "win"),
    ("nogo:3x4 scheme=pp driver=tree leaves=mobility", "loss"),
    ("nogo:1x12 scheme=pn driver=tree leaves=one", "win"),
    ("atari-go:3x4 scheme=pn driver=tree leaves=mobility", "win"),
    ("y:4 scheme=pp driver=tree leaves=evaluation", "win"),
    ("y:4 scheme=mcts driver=tree leaves=evaluation", "win"),
    ("hex:3 scheme=mcts driver=tree leaves=playout seed=1", "win"),
    ("hex:4 scheme=pn driver=tree leaves=mobility", "win"),
    ("breakthrough:5x3 scheme=pn driver=tree leaves=one", "loss"),
    ("connect-four:4x4 scheme=minmax driver=tree leaves=zero", "draw"),
    ("connect-four:5x4 scheme=pn driver=tree leaves=one", "draw"),
    ("domineering:6x6 scheme=pp driver=dag leaves=mobility symmetry=no", "win"),
    ("nogo:1x16 scheme=pp driver=dag leaves=mobility", "win"),
    ("y:5 scheme=pp driver=dag leaves=evaluation", "win"),
    ("hex:4 scheme=pn driver=dag leaves=mobility", "win"),
    ("tic-tac-toe scheme=mcts driver=dag leaves=playout", "draw"),
    ("connect-four:5x5 driver=alphabeta", "draw"),
    ("domineering:6x6 driver=alphabeta knowledge=no", "win"),
    ("atari-go:3x4 driver=alphabeta(order=history,walk=deepen)", "win"),
    ("hex:4 scheme=pn driver=df leaves=mobility", "win"),
    ("nogo:1x14 scheme=pp driver=df leaves=mobility", "win"),
    ("connect-four:4x5 scheme=mo(pn) driver=df leaves=mobility", "draw"),
    ("connect-four:5x4 scheme=mo(pn) driver=tree leaves=one knowledge=no", "draw"),
    ("seki:3,3 scheme=sbmcts(rave=100) driver=tree leaves=playout", "draw"),
    ("domineering:5x6 scheme=pp driver=squared leaves=mobility knowledge=no", "loss"),
    ("hex:4 driver=lambda", "win"),
    ("y:4 driver=lambda(order=4,zones=no)", "win"),
];

/// Formulas of the signature, and whether they hold. The first position is P. Morphy's mate in two
/// of 1856; in the second a pawn promotes and the queen mates, as in table-4.12.
const QUESTIONS: &[(&str, &str)] = &[
    (
        r#"chess position="kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1" question="formula #2" algorithm=alphabeta knowledge=no"#,
        "true",
    ),
    (
        r#"chess position="kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1" question="formula #2" algorithm=dfmps knowledge=no"#,
        "true",
    ),
    (
        r#"chess position="8/8/8/4P2p/1p3K1k/5P2/6P1/8 w - - 0 1" question="formula PT(4)" algorithm=dfps knowledge=no"#,
        "true",
    ),
    (
        r#"chess position="8/8/8/4P2p/1p3K1k/5P2/6P1/8 w - - 0 1" question="formula omega(4)" algorithm=pnps knowledge=no"#,
        "true",
    ),
    (r#"hex:4 question="formula APS(3)" algorithm=pn2 knowledge=no"#, "false"),
    (r#"hex:4 question="formula lambda(3,5)" algorithm=dfpn knowledge=no"#, "false"),
    (r#"chinese-checkers:1,3 question="formula PA(9)" algorithm=mcps knowledge=no"#, "false"),
    (r#"gomoku:5,4 question="formula omega(2)" algorithm=mps knowledge=no"#, "false"),
];

/// Formulas that are timed, all of which hold: a pawn promotes and the queen mates, with six moves
/// to go, and S. Loyd's Excelsior of 1861, a mate in five.
const TIMED: [&str; 3] = [
    r#"chess position="8/8/1p6/7p/5K1k/4PP2/6P1/8 w - - 0 1" question="formula PT(6)" algorithm=dfps knowledge=no"#,
    r#"chess position="8/8/1p6/7p/5K1k/4PP2/6P1/8 w - - 0 1" question="formula omega(6)" algorithm=dfps knowledge=no"#,
    r#"chess position="n1rb4/1p3p1p/1p6/1R5K/8/p3p1PN/1PP1R3/N6k w - - 0 1" question="formula #5" algorithm=alphabeta knowledge=no"#,
];

/// The jobs of the signature, and those of formulas that are timed.
pub fn jobs() -> Result<Vec<Job>, Error> {
    let texts = JOBS.iter().map(|job| job.0).chain(QUESTIONS.iter().map(|job| job.0)).chain(TIMED);
    let jobs = texts.map(str::parse).collect::<Result<Vec<Job>, Error>>()?;
    Ok([jobs, joint::jobs()?].concat())
}

struct Bench<'p, 'o> {
    program: &'p mut Program<'o>,
}

impl Bench<'_, '_> {
    /// Prints a line.
    fn say(&mut self, text: &str) {
        self.program.say(&format!("{text}\n"));
    }

    /// Runs a job, with the memory that is free.
    fn finish(&self, job: &Job) -> Result<Finished, Error> {
        let budget = Budget { memory: Some(memory_to_use()), ..job.budget };
        let job = Job { budget, ..job.clone() };
        self.program.engine.run(&job, &mut (), &self.program.cancel)
    }

    /// Runs a job whose value must be this one.
    fn solve(&self, job: &Job, value: &str) -> Result<Finished, Error> {
        let finished = self.finish(job)?;
        match finished.answer.value() {
            Some(found) if found == value => Ok(finished),
            found => {
                let found = found.unwrap_or("nothing");
                Err(wrong(format!("`{}` gave {found}, expected {value}", command(job))))
            }
        }
    }

    /// Node counts over a fixed list of jobs: they change exactly when the search does.
    fn signature(&mut self) -> Result<(), Error> {
        self.say("signature: nodes of a fixed list of jobs");
        let mut total = 0;
        for (text, value) in JOBS.iter().chain(QUESTIONS) {
            let job: Job = text.parse()?;
            let nodes = self.solve(&job, value)?.answer.nodes();
            self.say(&format!("  {:>12}  {}", grouped(nodes), command(&job)));
            total += nodes;
        }
        total += self.joint_signature()?;
        self.say(&format!("Bench: {total}"));
        Ok(())
    }

    /// Formulas on chess: how fast the game is asked, and a problem that takes a search.
    fn formulas(&mut self) -> Result<(), Error> {
        self.say("formulas: chess, by the rules alone; the thesis asks 55,000 atoms/s");
        for text in TIMED {
            let finished = self.solve(&text.parse()?, "true")?;
            let seconds = finished.search_time().as_secs_f64();
            let Answer::Formula(found) = finished.answer else {
                return Err(wrong(format!("`{text}` does not ask a formula")));
            };
            self.say(&format!(
                "  {:<9} {:<10} {:>9} atoms, {:>9} moves, {seconds:.4} s, {} atoms/s",
                found.formula,
                found.algorithm,
                grouped(found.queries.atomic),
                grouped(found.queries.play),
                short(found.queries.atomic as f64 / seconds.max(1e-9)),
            ));
        }
        Ok(())
    }

    /// Thesis section 3.8.1 by two-outcome questions: 256 positions, both questions for each.
    fn pns(&mut self) -> Result<(), Error> {
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
                let mut leaves = Leaves::new(Init::One, 0);
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
    fn domineering(&mut self) -> Result<(), Error> {
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
    ) -> Result<(Counts, WeakSolution<u8>), Error> {
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
    fn memory(&mut self) -> Result<(), Error> {
        self.say("memory: bytes of a node of the tree driver (minmax, pn, pp, mcts)");
        let games = self.program.engine.games().to_vec();
        for entry in games.iter().filter(|g| g.file.is_none() && g.moves == Moves::InTurn) {
            let opened = self.program.engine.open(entry.name)?.opened().clone();
            // The tree driver has no nodes of chance.
            if let Opened::InTurn(game) = opened
                && !game.has_chance()
            {
                self.say(&format!("  {:<20} {:?}", entry.name, bytes_of_nodes(&game)));
            }
        }
        let game = ConnectFour::<u64>::new(5, 5);
        let goal = Goal::new(&game, game.start(), Outcome(2), Side::Min).with_knowledge(false);
        let mut leaves = Leaves::new(Init::One, 0);
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

#[cfg(not(feature = "serve"))]
impl Bench<'_, '_> {
    fn serve(&mut self) -> Result<(), Error> {
        self.say("serve: this program was built without it");
        Ok(())
    }
}

fn wrong(message: String) -> Error {
    Error::proof(message).help("the benchmark stops: its answers must be right")
}

/// The bytes of a node for each scheme.
fn bytes_of_nodes<G: Guide>(game: &G) -> [usize; 4] {
    let goal = Goal::new(game, game.start(), game.scale().best(), Side::Min);
    [
        node_bytes(&goal, &MinMax),
        node_bytes(&goal, &Pn),
        node_bytes(&goal, &Pp),
        node_bytes(&goal, &Mcts::default()),
    ]
}
