//! `foregone bench tables`: how fast tables are built, verified and asked, and how large they are.
//!
//! Syzygy's generator is not part of the project: its figures were measured once, on a comparable machine.

use std::path::{Path, PathBuf};
use std::time::Instant;

use foregone::games::erased::Erased;
use foregone::games::registry::Opened;
use foregone::model::Rng;
use foregone::tables::{self, BuildSettings, Tables};
use foregone::text::{bytes_text, grouped, short};
use foregone::{AnyGame, Context, Error};

use super::{Bench, wrong};
use crate::memory::memory_to_use;

/// Endings of three sizes: as many positions a second at each means that the time grows like them. With
/// what Syzygy's generator took, without compression, where it was measured.
const ENDINGS: [(&str, u64, Option<f64>); 4] = [
    ("KRK", 50_015, None),
    ("KQKR", 2_467_122, Some(0.76)),
    ("KBNK", 3_067_466, Some(0.55)),
    ("KRPK", 9_063_318, None),
];

/// Other games, with a class each.
const OTHERS: [(&str, &str); 4] =
    [("awari", "10"), ("awari", "12"), ("dark-chess-ending", "2"), ("dark-chess-ending", "3")];

/// How many positions are looked up.
const PROBES: usize = 100_000;

/// A folder that is removed when all is measured.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let name = format!("foregone-bench-tables-{}", std::process::id());
        Folder(std::env::temp_dir().join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays there does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Bench<'_, '_> {
    /// Builds, verifies and asks tables.
    pub(super) fn tables(&mut self) -> Result<(), Error> {
        let threads = threads();
        self.say(&format!("tables: building and verifying, {threads} threads"));
        let folder = Folder::new();
        let chess = self.program.engine.open("chess")?;
        self.endings(&chess, &folder.0.join("one by one"))?;
        self.all_endings(&chess, &folder.0.join("all"))?;
        for (game, class) in OTHERS {
            let game = self.program.engine.open(game)?;
            self.other(&game, class, &folder.0)?;
        }
        Ok(())
    }

    /// Some endings, each with what it rests on built before.
    fn endings(&mut self, chess: &AnyGame, dir: &Path) -> Result<(), Error> {
        for (class, positions, syzygy) in ENDINGS {
            let Some(built) = self.build(chess, class, dir)? else { return Ok(()) };
            let Some(table) = built.tables.iter().find(|table| table.class == class) else {
                return Err(wrong(format!("{class} was not built")));
            };
            if table.positions != positions {
                let found = grouped(table.positions);
                return Err(wrong(format!("{class} has {found} positions")));
            }
            let seconds = table.seconds.unwrap_or_default().max(1e-9);
            let beside = syzygy.map(|seconds| format!("   Syzygy's generator {seconds} s"));
            self.say(&format!(
                "  chess {class:<5} {:>12} positions  {seconds:>7.3} s  {:>6}/s  {:.3} bytes a position{}",
                grouped(table.positions),
                short(table.positions as f64 / seconds),
                table.bytes as f64 / table.positions.max(1) as f64,
                beside.unwrap_or_default(),
            ));
        }
        Ok(())
    }

    /// All endings of three and four pieces, built, verified and asked.
    fn all_endings(&mut self, chess: &AnyGame, dir: &Path) -> Result<(), Error> {
        let Some(built) = self.build(chess, "4", dir)? else { return Ok(()) };
        let positions: u64 = built.tables.iter().map(|table| table.positions).sum();
        let bytes: u64 = built.tables.iter().map(|table| table.bytes).sum();
        self.say(&format!(
            "  chess 4     {:>12} positions  {:>7.1} s  {:>6}/s  {}, {:.3} bytes a position, {} sets",
            grouped(positions),
            built.seconds,
            short(positions as f64 / built.seconds.max(1e-9)),
            bytes_text(bytes),
            bytes as f64 / positions.max(1) as f64,
            built.tables.len() - 1,
        ));
        self.verified(chess, "4", dir)?;
        self.probes(chess, "KQKR", dir)
    }

    /// A class of another game with all below it.
    fn other(&mut self, game: &AnyGame, class: &str, dir: &Path) -> Result<(), Error> {
        let Some(built) = self.build(game, class, dir)? else { return Ok(()) };
        let new = built.tables.iter().filter(|table| table.seconds.is_some());
        let positions: u64 = new.clone().map(|table| table.positions).sum();
        let bytes: u64 = new.map(|table| table.bytes).sum();
        self.say(&format!(
            "  {} {class}: {} positions  {:.2} s  {}/s  {:.3} bytes a position",
            built.game,
            grouped(positions),
            built.seconds,
            short(positions as f64 / built.seconds.max(1e-9)),
            bytes as f64 / positions.max(1) as f64,
        ));
        self.verified(game, class, dir)
    }

    /// Builds a class. Nothing if somebody ended it.
    fn build(
        &mut self,
        game: &AnyGame,
        class: &str,
        dir: &Path,
    ) -> Result<Option<tables::BuildAnswer>, Error> {
        let settings = BuildSettings {
            dir: dir.to_owned(),
            threads: threads(),
            memory: memory_to_use(),
            ..BuildSettings::default()
        };
        let engine = self.program.engine.clone();
        let observer = &mut ();
        let mut context = Context::new(engine.clock(), observer, &self.program.cancel);
        let built = tables::build(game, class, &settings, &mut context)?;
        Ok(built.complete.then_some(built))
    }

    fn verified(&mut self, game: &AnyGame, class: &str, dir: &Path) -> Result<(), Error> {
        let engine = self.program.engine.clone();
        let observer = &mut ();
        let mut context = Context::new(engine.clock(), observer, &self.program.cancel);
        let checked = tables::check(game, dir, class, threads(), memory_to_use(), &mut context)?;
        let positions: u64 = checked.tables.iter().map(|table| table.positions).sum();
        self.say(&format!(
            "    verified  {:>12} positions  {:>7.1} s  {:>6}/s",
            grouped(positions),
            checked.seconds,
            short(positions as f64 / checked.seconds.max(1e-9)),
        ));
        Ok(())
    }

    /// How long it takes to look positions up: with all cells in memory, and out of compressed blocks.
    fn probes(&mut self, game: &AnyGame, class: &str, dir: &Path) -> Result<(), Error> {
        let Opened::InTurn(game) = game.opened() else { return Ok(()) };
        let states = positions(game, class)?;
        let mut sums = Vec::new();
        for (in_memory, what) in [(true, "from memory"), (false, "from compressed blocks")] {
            let Some(tables) = Tables::open(game, dir, in_memory)? else {
                return Err(wrong(format!("there are no tables of {class}")));
            };
            // Files are opened, and cells read, by the first question.
            tables.worth(&states[0])?;
            let clock = Instant::now();
            let mut sum = 0u64;
            for s in &states {
                let worth = tables.worth(s)?;
                sum += worth.map_or(0, |w| u64::from(w.moves.unwrap_or_default()));
            }
            let each = clock.elapsed().as_secs_f64() / states.len() as f64 * 1e6;
            self.say(&format!("    probe     {what}: {each:.2} microseconds"));
            sums.push(sum);
        }
        match sums[0] == sums[1] {
            true => Ok(()),
            false => Err(wrong("the two ways to look positions up disagree".to_owned())),
        }
    }
}

/// Random positions of a class.
fn positions(game: &Erased, class: &str) -> Result<Vec<foregone::games::erased::AnyState>, Error> {
    let missing = || wrong(format!("there is no class {class}"));
    let numbering = game.tables().ok_or_else(missing)?;
    let classes = numbering.wanted(class).map_err(|_| missing())?;
    let &class = classes.last().ok_or_else(missing)?;
    let (size, mut rng) = (numbering.size(class), Rng::new(1));
    let random = std::iter::repeat_with(|| numbering.position(class, rng.below_wide(size)));
    Ok(random.flatten().take(PROBES).collect())
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
