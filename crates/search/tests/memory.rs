//! Searches keep to the memory that they are given, by what the system says. It counts
//! what a whole process holds, so each search is run in a process of its own.

use foregone_model::{Agent, Game, Goal, Guide, Outcome, Side, Turn};
use foregone_search::drive::{Find, Order, OrderBy, Walk, alphabeta, dag, df, tree};
use foregone_search::scheme::{Mcts, Pn};
use foregone_search::{Init, Leaves, Limits, Report, StopReason};

/// A game without an end in sight: three moves in each state, no state comes up again.
struct Large;

impl Game for Large {
    type State = (u64, u32);
    type Move = u8;

    fn start(&self) -> (u64, u32) {
        (0, 0)
    }

    fn turn(&self, s: &(u64, u32)) -> Turn {
        if s.1 == 60 { Turn::Over } else { Turn::Agent(Agent((s.1 % 2) as u8)) }
    }

    fn moves(&self, _s: &(u64, u32), _agent: Agent, out: &mut Vec<u8>) {
        out.extend([0, 1, 2]);
    }

    fn play(&self, s: &mut (u64, u32), _agent: Agent, m: u8) {
        let word = (s.0 ^ u64::from(m)).wrapping_add(0x9e37_79b9_7f4a_7c15);
        *s = (word.wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(29), s.1 + 1);
    }

    fn outcome(&self, s: &(u64, u32)) -> Outcome {
        if s.0 & 1 == 0 { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl Guide for Large {
    type Packed = (u64, u32);

    fn pack(&self, s: &(u64, u32)) -> (u64, u32) {
        *s
    }
}

/// A line of what the system says of this process, in bytes.
fn system(key: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

fn search(way: &str, bytes: u64) -> Report<u8> {
    let goal = Goal::new(&Large, (0, 0), Outcome::WIN, Side::Min);
    let limits = Limits { nodes: u64::MAX, bytes };
    // Drivers with a table never run out of memory.
    let table = Limits { nodes: 3_000_000, bytes };
    let constant = &mut Leaves::new(Init::One, 0);
    let mcts = Mcts::PLAIN;
    let threads = if way == "threads" { 3 } else { 1 };
    let order = Order { by: OrderBy::Rules, walk: Walk::Full, seed: 0, find: Find::One, threads };
    match way {
        "tree pn" => tree(&goal, &Pn, constant, limits, &mut ()),
        "dag pn" => dag(&goal, &Pn, constant, limits, &mut ()),
        "dag mcts" => dag(&goal, &mcts, constant, limits, &mut ()),
        "df pn" => df(&goal, &Pn, constant, table, 0, &mut ()),
        _ => alphabeta(&goal, order, table, 0, &mut ()),
    }
}

/// One search, in a process of its own: what the last one left behind would count, too.
#[test]
#[ignore = "the test below runs it"]
fn one_search() {
    let Ok(text) = std::env::var("FOREGONE_TEST_SEARCH") else { return };
    let (limit, way) = text.split_once(' ').unwrap();
    let limit: u64 = limit.parse().unwrap();
    let before = system("VmRSS:").unwrap();
    let report = search(way, limit);
    let held = system("VmHWM:").unwrap() - before;
    let counted = report.counts.peak_bytes;
    println!("{way}: {held} of {limit}, {counted} by its own count, {:?}", report.stop);
    if way.starts_with("dag") || way.starts_with("tree") {
        assert_eq!(report.stop, StopReason::Memory, "{way}");
        assert!(held > limit / 2, "{way}: {held} of {limit}");
    }
    // The program itself and its buffers take a little.
    assert!(held < limit / 100 * 105 + (1 << 20), "{way}: {held} of {limit}");
}

#[test]
fn memory_is_kept_to_as_the_system_sees_it() {
    if system("VmHWM:").is_none() {
        println!("skipped: this system does not tell the peak of a process's memory");
        return;
    }
    for way in ["dag pn", "dag mcts", "tree pn", "df pn", "alphabeta", "threads"] {
        // Steps of a third: wherever a map or a list doubles, one of them is just before it.
        for limit in [24 << 20, 32 << 20, 43 << 20, 57 << 20, 76 << 20u64] {
            let done = std::process::Command::new(std::env::current_exe().unwrap())
                .args(["--ignored", "--exact", "one_search", "--nocapture"])
                .env("FOREGONE_TEST_SEARCH", format!("{limit} {way}"))
                .output()
                .unwrap();
            let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
            print!("{}", text(&done.stdout));
            assert!(done.status.success(), "{}", text(&done.stderr));
        }
    }
}
