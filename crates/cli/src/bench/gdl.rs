//! `foregone bench gdl`: rulesheets beside the figures of other reasoners, and beside the rules that
//! are built in.
//!
//! The rulesheets of others are not part of the project: they are looked for in the folder that
//! `FOREGONE_RULESHEETS` names, or in `../shared/data/gdl/rulesheets/gdl1`, and what is missing is
//! said.

use std::path::{Path, PathBuf};
use std::time::Instant;

use foregone::games::breakthrough::Breakthrough;
use foregone::games::connect_four::ConnectFour;
use foregone::games::registry::Opened;
use foregone::games::tic_tac_toe::TicTacToe;
use foregone::model::{Guide, Rng};
use foregone::{Error, Job, perft};
use foregone_gdl::{Backend, Machine, MachineError, Program, Sheet};

use super::{Bench, wrong};

/// Random plays per second of Sancho (a propositional network in Java), where it started, and of a
/// tabled Prolog, measured on a machine of this kind.
const OTHERS: [(&str, Option<f64>, f64); 19] = [
    ("ticTacToe", Some(101_491.0), 1_011.0),
    ("connectFour", Some(46_952.0), 286.0),
    ("breakthrough", Some(10_474.0), 24.0),
    ("breakthroughSmall", Some(26_081.0), 48.0),
    ("knightThrough", Some(25_278.0), 47.0),
    ("nineBoardTicTacToe", Some(19_350.0), 49.0),
    ("chineseCheckers3", Some(6_969.0), 81.0),
    ("chineseCheckers6", Some(6_845.0), 42.0),
    ("pentago", Some(6_214.0), 10.0),
    ("reversi", Some(1_099.0), 1.9),
    ("skirmish", Some(746.0), 2.6),
    ("biddingTicTacToe", Some(27_655.0), 266.0),
    ("sudokuGrade1", Some(15_433.0), 14.0),
    ("eightPuzzle", Some(3_460.0), 344.0),
    ("hanoi", Some(48_471.0), 127.0),
    ("hex", None, 23.0),
    ("checkers", None, 4.4),
    ("dotsAndBoxes", None, 51.0),
    ("speedChess", None, 6.8),
];

/// Games solved through quantified Boolean formulas (gdl2qbf with caqe): seconds.
const SOLVED: [(&str, f64); 5] = [
    ("break-through-4x4", 55.0),
    ("connect-4-5x4", 53.0),
    ("connect-4-5x5", 1516.0),
    ("dots-and-boxes-2x3", 128.0),
    ("connect-3-6x6", 130.0),
];

/// A measurement of a game: random plays per second, and a perft.
type Measurement = fn(u32) -> Speed;

/// Rulesheets of this project, the built-in games that are the same, and the depth of a perft.
const BUILT_IN: [(&str, Measurement, u32); 3] = [
    ("tic-tac-toe", |depth| Speed::of(&TicTacToe::new(), depth), 8),
    ("connect-four", |depth| Speed::of(&ConnectFour::<u64>::new(6, 7), depth), 8),
    ("breakthrough-6x6", |depth| Speed::of(&Breakthrough::<u64>::new(6, 6), depth), 5),
];

/// How long random plays are measured.
const SECONDS: f64 = 1.0;

impl Bench<'_, '_> {
    pub(super) fn gdl(&mut self) -> Result<(), Error> {
        let folder = std::env::var_os("FOREGONE_RULESHEETS").map(PathBuf::from);
        let folder = folder.unwrap_or_else(|| "../shared/data/gdl/rulesheets/gdl1".into());
        match folder.is_dir() {
            true => self.others(&folder)?,
            false => self.say(&format!(
                "gdl: {} rulesheets of others SKIPPED: there is no folder {}",
                OTHERS.len() + SOLVED.len(),
                folder.display()
            )),
        }
        self.beside_built_in()
    }

    fn others(&mut self, folder: &Path) -> Result<(), Error> {
        self.say("gdl: random plays per second, beside Sancho's and a tabled Prolog's");
        self.say(&format!(
            "  {:<20} {:>6} {:>7} {:>10} {:>11} {:>8} {:>7} {:>7}",
            "rulesheet", "by", "set-up", "plays/s", "states/s", "Sancho", "ratio", "Prolog"
        ));
        for (name, sancho, prolog) in OTHERS {
            let Some(program) = read(folder, name)? else {
                self.say(&format!("  {name:<20} SKIPPED: there is no such file"));
                continue;
            };
            let clock = Instant::now();
            let mut machine = Machine::new(&program, None).map_err(|t| wrong(t.to_string()))?;
            let set_up = clock.elapsed().as_secs_f64();
            let (plays, states) = speed(&mut machine)?;
            let (shown, ratio) = match sancho {
                Some(s) => (format!("{s:.0}"), format!("{:.1}x", plays / s)),
                None => ("-".to_owned(), "-".to_owned()),
            };
            self.say(&format!(
                "  {name:<20} {:>6} {set_up:>5.2} s {plays:>10.0} {states:>11.0} {shown:>8} {ratio:>7} {:>6.0}x",
                machine.backend().name(),
                plays / prolog
            ));
        }
        self.set_up(folder)?;
        self.say("gdl: solving, beside gdl2qbf with caqe");
        for (name, theirs) in SOLVED {
            let path = folder.join(name).with_extension("kif");
            if !path.is_file() {
                self.say(&format!("  {name:<20} SKIPPED: there is no such file"));
                continue;
            }
            let job = Job::new(format!("gdl:{}", path.display()));
            let clock = Instant::now();
            let finished = self.finish(&job)?;
            let took = clock.elapsed().as_secs_f64();
            let value = finished.answer.value().unwrap_or("nothing");
            let ratio = theirs / took;
            self.say(&format!(
                "  {name:<20} {value}, proof checked: {took:.2} s, theirs {theirs:.0} s, {ratio:.0}x"
            ));
        }
        Ok(())
    }

    /// How long it takes until the first state, over all rulesheets.
    fn set_up(&mut self, folder: &Path) -> Result<(), Error> {
        let unreadable = |e: std::io::Error| wrong(e.to_string());
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            files.push(entry.map_err(unreadable)?.path());
        }
        files.sort();
        let mut times = Vec::new();
        let mut by = [0; 3];
        let mut slowest = (0.0, String::new());
        for path in &files {
            let text = std::fs::read_to_string(path).map_err(unreadable)?;
            let Ok(program) = Program::read(&text) else { continue };
            let clock = Instant::now();
            let machine = Machine::new(&program, None).map_err(|t| wrong(t.to_string()))?;
            let took = clock.elapsed().as_secs_f64();
            times.push(took);
            by[Backend::ALL.iter().position(|&b| b == machine.backend()).unwrap_or(0)] += 1;
            if took > slowest.0 {
                let name = path.file_stem().map(|s| s.to_string_lossy().into_owned());
                slowest = (took, name.unwrap_or_default());
            }
        }
        times.sort_by(f64::total_cmp);
        let quick = times.iter().filter(|&&t| t < 2.0).count();
        let at = |part: f64| times.get((times.len() as f64 * part) as usize).unwrap_or(&0.0);
        self.say(&format!(
            "gdl: set-up of {} rulesheets ({} gates, {} chain, {} plain): below 2 s for {quick} \
             ({:.1} %); median {:.3} s, nine in ten below {:.2} s, slowest {} {:.1} s",
            times.len(),
            by[0],
            by[1],
            by[2],
            100.0 * quick as f64 / times.len().max(1) as f64,
            at(0.5),
            at(0.9),
            slowest.1,
            slowest.0
        ));
        Ok(())
    }

    fn beside_built_in(&mut self) -> Result<(), Error> {
        let folder = Path::new("rulesheets");
        if !folder.is_dir() {
            self.say("gdl: built-in games SKIPPED: run this where the folder rulesheets is");
            return Ok(());
        }
        self.say("gdl: beside the rules that are built in");
        for (name, built_in, depth) in BUILT_IN {
            let Some(program) = read(folder, name)? else {
                return Err(wrong(format!("rulesheets/{name}.kif is missing")));
            };
            let mut machine = Machine::new(&program, None).map_err(|t| wrong(t.to_string()))?;
            let (plays, _) = speed(&mut machine)?;
            let built_in = built_in(depth);
            let sheet = self.sheet(&format!("gdl:rulesheets/{name}.kif"), depth)?;
            if sheet.nodes != built_in.nodes {
                return Err(wrong(format!("{name}: perft {} and {}", sheet.nodes, built_in.nodes)));
            }
            let (nodes, built_nodes) = (sheet.nodes_per_second(), built_in.nodes_per_second());
            self.say(&format!(
                "  {name:<18} plays/s {plays:>9.0} of {:>9.0} (1/{:.1}), perft {depth} \
                 nodes/s {nodes:>10.0} of {built_nodes:>10.0} (1/{:.1})",
                built_in.plays,
                built_in.plays / plays,
                built_nodes / nodes
            ));
        }
        Ok(())
    }

    /// How fast the rules of a rulesheet are, as a game in turn.
    fn sheet(&self, game: &str, depth: u32) -> Result<Speed, Error> {
        match self.program.engine.open(game)?.opened() {
            Opened::InTurn(erased) => Ok(match erased.get::<Sheet>() {
                Some(sheet) => Speed::of(sheet, depth),
                None => Speed::of(erased, depth),
            }),
            Opened::Joint(_) => Err(wrong(format!("{game} is not a game in turn"))),
        }
    }
}

fn read(folder: &Path, name: &str) -> Result<Option<Program>, Error> {
    let Ok(text) = std::fs::read_to_string(folder.join(name).with_extension("kif")) else {
        return Ok(None);
    };
    Program::read(&text).map(Some).map_err(|e| wrong(e.to_string()))
}

/// Random plays and states per second. Plays that end without goals for all count: they were played.
fn speed(machine: &mut Machine) -> Result<(f64, f64), Error> {
    let refused = |e: MachineError| wrong(e.to_string());
    let start = machine.initial().map_err(refused)?;
    let mut rng = Rng::new(1);
    let mut count = if machine.backend() == Backend::Gates { 1024 } else { 1 };
    let clock = Instant::now();
    let (mut plays, mut states) = (0, 0);
    while clock.elapsed().as_secs_f64() < SECONDS {
        let tally = machine.playouts(&start, count, 1000, &mut rng).map_err(refused)?;
        plays += tally.plays + tally.lost;
        states += tally.states;
        count = (count * 2).min(1 << 18);
    }
    let seconds = clock.elapsed().as_secs_f64();
    Ok((plays as f64 / seconds, states as f64 / seconds))
}

/// Random plays per second, and the nodes of a perft with how long it took.
struct Speed {
    plays: f64,
    nodes: u64,
    seconds: f64,
}

impl Speed {
    fn of<G: Guide>(game: &G, depth: u32) -> Speed {
        let mut rng = Rng::new(1);
        let clock = Instant::now();
        let mut plays = 0;
        while clock.elapsed().as_secs_f64() < SECONDS {
            for _ in 0..100 {
                game.playout(game.start(), &mut rng);
            }
            plays += 100;
        }
        let plays = f64::from(plays) / clock.elapsed().as_secs_f64();
        let clock = Instant::now();
        let nodes = perft(game, &game.start(), depth);
        Speed { plays, nodes, seconds: clock.elapsed().as_secs_f64() }
    }

    fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.seconds
    }
}
