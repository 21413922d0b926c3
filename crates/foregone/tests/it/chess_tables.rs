//! Tables of chess endings by rows of positions: against those by the rules alone, against published
//! figures, and stopped and taken up again.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use foregone::games::chess::Chess;
use foregone::model::cell::{HOLE, Layout, OPEN};
use foregone::model::table::Window;
use foregone::model::tabled::{ClassMoves, PlainMoves, open_value};
use foregone::model::{Class, Game, Indexed, Side, Tabled};
use foregone::search::retrograde::{
    Below, BuildWatch, Built, Cells, Finished, Problem, Reversed, Stage, build,
};

/// Stops after so many calls, and knows the stage reached last.
struct Until {
    left: AtomicU32,
    stage: Mutex<Stage>,
}

impl Until {
    fn new(calls: u32, stage: Stage) -> Until {
        Until { left: AtomicU32::new(calls), stage: Mutex::new(stage) }
    }
}

impl BuildWatch for Until {
    fn goes_on(&self, _cells: u64) -> bool {
        self.left.fetch_update(Relaxed, Relaxed, |left: u32| left.checked_sub(1)).is_ok()
    }

    fn reached(&self, stage: Stage) -> bool {
        *self.stage.lock().unwrap() = stage;
        self.goes_on(0)
    }
}

#[derive(Default)]
struct Tables {
    game: Chess,
    done: HashMap<Class, Vec<u8>>,
}

/// How a table is built: by rows or by the rules, by how many threads, and after how many calls the
/// watch stops it, again and again.
struct How {
    rows: bool,
    threads: usize,
    stops: u32,
}

const BY_ROWS: How = How { rows: true, threads: 1, stops: u32::MAX };

impl Tables {
    fn cells(&self, class: Class, how: &How) -> Vec<u8> {
        let game = &self.game;
        let window = Window::whole(game);
        let open = |class| open_value(game, class, window);
        let layout = Layout::Ends(window);
        let below: Vec<Below<'_>> = game
            .leads_to(class)
            .iter()
            .map(|c| Below { layout, open: open(*c), cells: Finished::One(&self.done[c]) })
            .collect();
        let (own, plain) = (game.class_moves(class), PlainMoves::new(game, class));
        let reversed = match how.rows && own.by_rows().is_some() {
            true => None,
            false => Some(Reversed::new(&plain, 1 << 30, &mut |_| true).unwrap()),
        };
        let moves = reversed.as_ref().map_or(&*own, |reversed| reversed as &dyn ClassMoves);
        let best = game.scale().best();
        let (open, threads) = (open(class), how.threads);
        let problem = Problem { moves, layout, open, best, below: &below, threads };
        let cells: Vec<AtomicU8> = (0..game.size(class)).map(|_| AtomicU8::new(0)).collect();
        let mut stage = Stage::Looking(0);
        let mut calls = how.stops;
        loop {
            let watch = Until::new(calls, stage);
            match build(&problem, Cells::One(&cells), stage, &watch) {
                Built::Done => break,
                Built::TooNarrow => panic!("the longest win is too long"),
                Built::Stopped => {
                    // The first look begins anew, so it must be allowed to end some time.
                    calls = calls.saturating_add(7);
                    stage = *watch.stage.lock().unwrap();
                }
            }
        }
        cells.iter().map(|cell| cell.load(Relaxed)).collect()
    }

    /// Builds a class with all that it leads to.
    fn add(&mut self, name: &str) -> Class {
        let classes = self.game.wanted(name).unwrap();
        for &class in &classes {
            if !self.done.contains_key(&class) {
                self.done.insert(class, self.cells(class, &BY_ROWS));
            }
        }
        *classes.last().unwrap()
    }
}

#[test]
fn tables_by_rows_are_those_by_the_rules() {
    let mut tables = Tables::default();
    for name in ["KQK", "KRK", "KBK", "KNK", "KPK"] {
        let class = tables.add(name);
        let by_rules = tables.cells(class, &How { rows: false, ..BY_ROWS });
        assert!(tables.done[&class] == by_rules, "{name}");
    }
}

#[test]
fn tables_do_not_depend_on_threads_or_stops() {
    let mut tables = Tables::default();
    let small = tables.add("KPK");
    for stops in [1, 2, 5, 14, 30, 40, 77] {
        let how = How { stops, ..BY_ROWS };
        assert!(tables.cells(small, &how) == tables.done[&small], "{stops}");
    }
    let large = tables.add("KQKR");
    for (threads, stops) in [(2, u32::MAX), (3, 900)] {
        let how = How { threads, stops, ..BY_ROWS };
        assert!(tables.cells(large, &how) == tables.done[&large], "{threads} threads");
    }
}

/// Wins, draws and losses for White, White to move and Black to move, and plies of the longest mate.
#[test]
fn four_pieces_have_the_figures_that_are_known() {
    let mut tables = Tables::default();
    for (name, counts, longest) in [
        ("KBNK", Some([[1_352_913, 6_665, 0], [1_398_741, 309_147, 0]]), 66),
        ("KQKR", Some([[1_108_111, 8_963, 2_142], [883_075, 78_518, 386_313]]), 70),
        ("KBBK", None, 38),
    ] {
        let class = tables.add(name);
        let (cells, moves) = (&tables.done[&class], tables.game.class_moves(class));
        let mut found = [[0; 3]; 2];
        for (index, &cell) in cells.iter().enumerate().filter(|c| u16::from(*c.1) != HOLE) {
            let mover = usize::from(moves.mover(index as u64) == Side::Min);
            let outcome = match u16::from(cell) {
                OPEN => 1,
                cell => 2 * usize::from(cell % 2),
            };
            found[mover][outcome] += 1;
        }
        assert_eq!(found, counts.unwrap_or(found), "{name}");
        let distances = cells.iter().filter(|&&cell| u16::from(cell) > OPEN);
        assert_eq!(distances.map(|cell| (cell - 2) / 2).max(), Some(longest), "{name}");
    }
}
