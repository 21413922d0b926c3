//! Tables by retrograde analysis against strong solutions by brute force, on random games with cycles,
//! several classes and players exchanged; and the checker of tables, which refuses every wrong entry.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering::Relaxed};

use foregone_model::cell::Layout;
use foregone_model::table::{Entries, Entry, Window, verify};
use foregone_model::tabled::{ClassMoves, PlainMoves, open_value};
use foregone_model::{
    Agent, Class, Endless, Game, Indexed, Outcome, Place, Rng, Scale, Side, Turn,
};
use foregone_search::retrograde::{
    Below, BuildWatch, Built, Cells, Finished, Problem, Reversed, Stage, build, layout, windows,
};
use foregone_search::strong::{StrongSolution, Verdict};

/// A random game. Nodes stand in classes; a move leads to the same class or to a smaller one. A state
/// is a node, whether the players are exchanged, and what was scored before.
#[derive(Clone, Debug)]
struct Graph {
    nodes: Vec<Node>,
    /// The first node of each class, and the number of all.
    starts: Vec<usize>,
    scale: Scale,
    endless: Endless,
    exchanges: bool,
}

#[derive(Clone, Debug)]
enum Node {
    End(u16),
    /// Who moves, and where to: a node, players exchanged, and points won by Max.
    Choice(Side, Vec<(usize, bool, i32)>),
    /// No position.
    Hole,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    node: usize,
    exchanged: bool,
    points: i32,
}

impl Graph {
    fn class_of(&self, node: usize) -> usize {
        self.starts.partition_point(|&start| start <= node) - 1
    }

    /// Words with classes; scores with points that are won on the way to smaller classes.
    fn random(rng: &mut Rng, scale: Scale, endless: Endless, exchanges: bool) -> Graph {
        let classes = 1 + rng.below(3) as usize;
        let mut starts = vec![0];
        for _ in 0..classes {
            starts.push(starts[starts.len() - 1] + 2 + rng.below(14) as usize);
        }
        let scores = scale.scores().is_some();
        let outcomes = u32::from(scale.best().0) + 1;
        let middle = i32::from(scale.best().0 / 2);
        let mut nodes = Vec::new();
        for class in 0..classes {
            for node in starts[class]..starts[class + 1] {
                let end = node == starts[class] || rng.below(5) == 0;
                nodes.push(match end {
                    // Scores at the ends are small: the points of other classes come on top.
                    true if scores => Node::End((middle - 1 + rng.below(3) as i32) as u16),
                    true => Node::End(rng.below(outcomes) as u16),
                    false if rng.below(8) == 0 => Node::Hole,
                    false => {
                        Node::Choice([Side::Max, Side::Min][rng.below(2) as usize], Vec::new())
                    }
                });
            }
        }
        let mut graph = Graph { nodes, starts, scale, endless, exchanges };
        for node in 0..graph.nodes.len() {
            let Node::Choice(side, _) = graph.nodes[node] else { continue };
            let class = graph.class_of(node);
            let first = if endless == Endless::Impossible { node } else { graph.starts[class + 1] };
            let mut next = Vec::new();
            while next.is_empty() {
                for _ in 0..1 + rng.below(3) {
                    let to = rng.below(first as u32) as usize;
                    if matches!(graph.nodes[to], Node::Hole) {
                        continue;
                    }
                    let flip = graph.exchanges && rng.below(2) == 0;
                    let leaves = graph.class_of(to) < class;
                    let points = if scores && leaves { rng.below(3) as i32 - 1 } else { 0 };
                    next.push((to, flip, points));
                }
            }
            graph.nodes[node] = Node::Choice(side, next);
        }
        graph
    }
}

impl Game for Graph {
    type State = State;
    type Move = usize;

    fn scale(&self) -> Scale {
        self.scale.clone()
    }

    fn endless(&self) -> Endless {
        self.endless
    }

    fn endless_from(&self, s: &State) -> Endless {
        match self.endless {
            Endless::Scores(o) => Endless::Scores(Outcome((i32::from(o.0) + s.points) as u16)),
            other => other,
        }
    }

    fn start(&self) -> State {
        State { node: 0, exchanged: false, points: 0 }
    }

    fn turn(&self, s: &State) -> Turn {
        match &self.nodes[s.node] {
            Node::Choice(side, _) => {
                Turn::Agent(if s.exchanged { side.other() } else { *side }.agent())
            }
            Node::End(_) | Node::Hole => Turn::Over,
        }
    }

    fn moves(&self, s: &State, _agent: Agent, out: &mut Vec<usize>) {
        if let Node::Choice(_, next) = &self.nodes[s.node] {
            out.extend(0..next.len());
        }
    }

    fn play(&self, s: &mut State, _agent: Agent, m: usize) {
        let Node::Choice(_, next) = &self.nodes[s.node] else { return };
        let (node, flip, points) = next[m];
        let points = if s.exchanged { -points } else { points };
        *s = State { node, exchanged: s.exchanged != flip, points: s.points + points };
    }

    fn outcome(&self, s: &State) -> Outcome {
        let Node::End(o) = self.nodes[s.node] else { return Outcome(0) };
        let best = i32::from(self.scale.best().0);
        let o = if s.exchanged { best - i32::from(o) } else { i32::from(o) };
        Outcome((o + s.points).clamp(0, best) as u16)
    }
}

impl Indexed for Graph {
    fn class_name(&self, class: Class) -> String {
        class.0.to_string()
    }

    fn size(&self, class: Class) -> u64 {
        let class = class.0 as usize;
        (self.starts[class + 1] - self.starts[class]) as u64
    }

    fn leads_to(&self, class: Class) -> Vec<Class> {
        (0..class.0).map(Class).collect()
    }

    fn place(&self, s: &State) -> Option<Place> {
        let class = self.class_of(s.node);
        let index = (s.node - self.starts[class]) as u64;
        let (flip, shift) = (s.exchanged, s.points);
        Some(Place { class: Class(class as u64), index, flip, shift })
    }

    fn position(&self, class: Class, index: u64) -> Option<State> {
        let node = self.starts[class.0 as usize] + index as usize;
        let hole = matches!(self.nodes[node], Node::Hole);
        (!hole).then_some(State { node, exchanged: false, points: 0 })
    }
}

/// A watch that stops after so many calls, and remembers the stage reached last.
struct Until {
    left: AtomicU32,
    stage: Mutex<Stage>,
}

impl Until {
    fn new(calls: u32) -> Until {
        Until { left: AtomicU32::new(calls), stage: Mutex::new(Stage::Looking(0)) }
    }

    fn tick(&self) -> bool {
        let ended = |left: u32| left.checked_sub(1);
        self.left.fetch_update(Relaxed, Relaxed, ended).is_ok()
    }
}

impl BuildWatch for Until {
    fn goes_on(&self, _cells: u64) -> bool {
        self.tick()
    }

    fn reached(&self, stage: Stage) -> bool {
        *self.stage.lock().expect("no thread panicked") = stage;
        self.tick()
    }
}

/// How a build is done.
#[derive(Clone, Copy)]
struct How {
    wide: bool,
    backwards: bool,
    /// After how many calls the watch stops it, each time.
    interrupted: Option<u32>,
}

/// The tables of all classes by one window.
struct Tables<'g> {
    game: &'g Graph,
    window: Window,
    layouts: Vec<Layout>,
    cells: Vec<Vec<u16>>,
}

impl Tables<'_> {
    fn build(game: &Graph, window: Window, how: How) -> Tables<'_> {
        let mut tables = Tables { game, window, layouts: Vec::new(), cells: Vec::new() };
        for class in 0..game.starts.len() - 1 {
            tables.add(Class(class as u64), how);
        }
        tables
    }

    fn add(&mut self, class: Class, how: How) {
        let (game, window) = (self.game, self.window);
        let (least, _) = game.outcomes(class);
        let own = layout(&game.scale, window, least);
        let below: Vec<Below<'_>> = (0..class.0 as usize)
            .map(|below| Below {
                layout: self.layouts[below],
                open: open_value(game, Class(below as u64), window),
                cells: Finished::Two(&self.cells[below]),
            })
            .collect();
        let plain = PlainMoves::new(game, class);
        let reversed = Reversed::new(&plain, 1 << 20, &mut |_| true).expect("small graphs fit");
        let scores = matches!(own, Layout::Scores(_));
        let moves: &dyn ClassMoves = if how.backwards || scores { &reversed } else { &plain };
        let open = open_value(game, class, window);
        let best = game.scale.best();
        let problem = Problem { moves, layout: own, open, best, below: &below, threads: 1 };
        let size = game.size(class);
        let one: Vec<AtomicU8> = (0..size).map(|_| AtomicU8::new(0)).collect();
        let two: Vec<AtomicU16> = (0..size).map(|_| AtomicU16::new(0)).collect();
        let wide = how.wide || scores;
        let mut stage = Stage::Looking(0);
        loop {
            let watch = Until::new(how.interrupted.unwrap_or(u32::MAX));
            let cells = if wide { Cells::Two(&two) } else { Cells::One(&one) };
            let built = build(&problem, cells, stage, &watch);
            match built {
                Built::Done => break,
                // Whole work is taken up where it stood, or at the beginning.
                Built::Stopped => {
                    assert!(how.interrupted.is_some());
                    let reached = *watch.stage.lock().expect("no thread panicked");
                    stage = if reached == stage { Stage::Looking(0) } else { reached };
                    if stage == Stage::Looking(0) {
                        let end = build(&problem, cells, stage, &Until::new(u32::MAX));
                        assert_eq!(end, Built::Done);
                        break;
                    }
                }
                Built::TooNarrow => panic!("distances of small graphs are small"),
            }
        }
        self.layouts.push(own);
        self.cells.push(match wide {
            true => two.iter().map(|cell| cell.load(Relaxed)).collect(),
            false => one.iter().map(|cell| cell.load(Relaxed).into()).collect(),
        });
    }

    fn verify(&self) -> Result<u64, String> {
        let mut positions = 0;
        for class in 0..self.cells.len() {
            let class = Class(class as u64);
            let all = 0..self.game.size(class);
            let checked = verify(self.game, class, self.window, self, all);
            positions += checked.map_err(|e| format!("{e:?}"))?;
        }
        Ok(positions)
    }
}

impl Entries for Tables<'_> {
    fn entry(&self, class: Class, index: u64) -> Result<Entry, String> {
        let class = class.0 as usize;
        Ok(self.layouts[class].entry(self.cells[class][index as usize]))
    }
}

/// Whether a table says what brute force says of every position. How many distances were compared.
fn agrees_with_brute_force(game: &Graph, tables: &[Tables<'_>]) -> u64 {
    let mut distances = 0;
    let best = game.scale.best();
    for (node, kind) in game.nodes.iter().enumerate() {
        if matches!(kind, Node::Hole) {
            continue;
        }
        let class = game.class_of(node);
        let index = node - game.starts[class];
        let s = State { node, exchanged: false, points: 0 };
        for at_least in (1..=best.0).map(Outcome) {
            let strong = StrongSolution::of(game, s, at_least, 100_000).expect("small graphs fit");
            let verdict = strong.verdict(&s).expect("it was reached");
            let table =
                tables.iter().find(|t| t.window.low < at_least && at_least <= t.window.high);
            let table = table.expect("windows cover all outcomes");
            let open = open_value(game, Class(class as u64), table.window);
            let entry = table.entry(Class(class as u64), index as u64).expect("it has an entry");
            let says = match (entry, open) {
                (Entry::Forced(o, _), _) | (Entry::Open, Some(o)) if o >= at_least => Verdict::Won,
                (Entry::Forced(..), _) | (Entry::Open, Some(_)) => Verdict::Lost,
                (Entry::Open, None) => Verdict::Undetermined,
                (Entry::Hole, _) => panic!("{node} is a position"),
            };
            assert_eq!(says, verdict, "{game:?} node {node} at least {at_least:?}: {entry:?}");
            // The distance is that to the end, of whom forces the entry.
            if let Entry::Forced(o, moves) = entry
                && match o == table.window.high {
                    true => at_least == table.window.high,
                    false => at_least.0 == table.window.low.0 + 1,
                }
            {
                assert_eq!(strong.distance(&s), Some(moves), "{game:?} {node} {entry:?}");
                distances += 1;
            }
        }
    }
    distances
}

fn all_kinds(rng: &mut Rng) -> Vec<Graph> {
    let words = |n: usize| Scale::words((0..n).map(|i| format!("o{i}")).collect());
    let mut graphs = Vec::new();
    for scale in [Scale::two(), Scale::three(), words(4)] {
        let whole = scale.best().0 < 3;
        let ends = [Endless::Impossible, Endless::Undetermined];
        let scored = (0..=scale.best().0).map(|o| Endless::Scores(Outcome(o)));
        for endless in ends.into_iter().chain(scored) {
            // Players can be exchanged where endless play is the same to both.
            let even = match endless {
                Endless::Impossible => true,
                Endless::Scores(o) => 2 * o.0 == scale.best().0,
                Endless::Undetermined => scale.best().0 == 1,
            };
            graphs.push(Graph::random(rng, scale.clone(), endless, whole && even));
            graphs.push(Graph::random(rng, scale.clone(), endless, false));
        }
    }
    graphs
}

#[test]
fn tables_are_what_brute_force_finds() {
    let mut rng = Rng::new(19);
    let (mut checked, mut distances) = (0, 0);
    for round in 0..60 {
        for game in all_kinds(&mut rng) {
            let planes = windows(&game.scale, game.endless);
            let interrupted = (round % 3 == 0).then_some(1 + round);
            let how = How { wide: round % 2 == 0, backwards: round % 5 != 0, interrupted };
            let tables: Vec<Tables<'_>> =
                planes.iter().map(|&window| Tables::build(&game, window, how)).collect();
            for table in &tables {
                checked += table.verify().unwrap_or_else(|e| panic!("{e}: {game:?}"));
            }
            distances += agrees_with_brute_force(&game, &tables);
        }
    }
    assert!(checked > 20_000 && distances > 20_000, "{checked} {distances}");
}

/// Which positions Max can bring to this score, those of smaller classes first: as many times over the
/// positions of a class as anything changes. What is lost for endless play is won only if it is shown,
/// what is won for it is lost only if that is shown.
fn scores_by_brute_force(game: &Graph, at_least: i32) -> HashMap<State, bool> {
    let mut won: HashMap<State, bool> = HashMap::new();
    let even = match game.endless {
        Endless::Scores(o) => i32::from(o.0),
        Endless::Impossible | Endless::Undetermined => 0,
    };
    for class in 0..game.starts.len() - 1 {
        let states: Vec<State> = (game.starts[class]..game.starts[class + 1])
            .filter(|&node| !matches!(game.nodes[node], Node::Hole))
            .flat_map(|node| {
                let points = -4..=4;
                points.flat_map(move |points| {
                    [false, true].map(|exchanged| State { node, exchanged, points })
                })
            })
            .collect();
        for s in &states {
            let reached = match game.turn(s) {
                Turn::Over => i32::from(game.outcome(s).0) >= at_least,
                _ => even + s.points >= at_least,
            };
            won.insert(*s, reached);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for s in &states {
                let Turn::Agent(agent) = game.turn(s) else { continue };
                let mut moves = Vec::new();
                game.moves(s, agent, &mut moves);
                let mut after = moves.iter().map(|&m| {
                    let mut next = *s;
                    game.play(&mut next, agent, m);
                    // Beyond the points that are looked at nobody asks.
                    won.get(&next).copied().unwrap_or(false)
                });
                let now = match Side::of(agent) {
                    Side::Max => after.any(|won| won),
                    Side::Min => after.all(|won| won),
                };
                changed |= won.insert(*s, now) != Some(now);
            }
        }
    }
    won
}

#[test]
fn scores_are_what_brute_force_finds() {
    let mut rng = Rng::new(20);
    let (mut checked, mut open) = (0, 0);
    for round in 0..300 {
        let endless = [Endless::Scores(Outcome(6)), Endless::Impossible][round % 2];
        let scale = Scale::numbers((-6..=6).collect());
        let game = Graph::random(&mut rng, scale, endless, round % 4 < 2);
        let [window] = windows(&game.scale, endless)[..] else { panic!("one window") };
        let interrupted = (round % 3 == 0).then_some(1 + round as u32 / 6);
        let table = Tables::build(&game, window, How { wide: true, backwards: true, interrupted });
        checked += table.verify().unwrap_or_else(|e| panic!("{e}: {game:?}"));
        for at_least in 1..=12 {
            let won = scores_by_brute_force(&game, at_least);
            for (&State { node, exchanged, points }, &won) in &won {
                if exchanged || points != 0 {
                    continue;
                }
                let class = game.class_of(node);
                let index = (node - game.starts[class]) as u64;
                let entry = table.entry(Class(class as u64), index).unwrap();
                let value = match entry {
                    Entry::Forced(o, _) => o,
                    Entry::Open => Outcome(6),
                    Entry::Hole => panic!("{node} is a position"),
                };
                open += u32::from(entry == Entry::Open);
                assert_eq!(i32::from(value.0) >= at_least, won, "{game:?} {node} {entry:?}");
            }
        }
    }
    assert!(checked > 3_000 && open > 3_000, "{checked} {open}");
}

#[test]
fn every_wrong_entry_is_refused() {
    let mut rng = Rng::new(21);
    let mut refused = 0;
    let numbers = || Scale::numbers((-6..=6).collect());
    for round in 0..40 {
        let mut games = all_kinds(&mut rng);
        games.push(Graph::random(&mut rng, numbers(), Endless::Scores(Outcome(6)), true));
        games.push(Graph::random(&mut rng, numbers(), Endless::Impossible, false));
        for game in games {
            let planes = windows(&game.scale, game.endless);
            let window = planes[round % planes.len()];
            let how = How { wide: true, backwards: true, interrupted: None };
            let mut table = Tables::build(&game, window, how);
            let class = rng.below(table.cells.len() as u32) as usize;
            let index = rng.below(table.cells[class].len() as u32) as usize;
            let right = table.cells[class][index];
            for _ in 0..10 {
                let wrong = match rng.below(3) {
                    0 => rng.below(4) as u16,
                    1 => right ^ (1 << rng.below(4)),
                    _ => rng.below(1 << 12) as u16,
                };
                table.cells[class][index] = wrong;
                let layout = table.layouts[class];
                let same = layout.entry(wrong) == layout.entry(right);
                assert_eq!(
                    table.verify().is_ok(),
                    same,
                    "{game:?} {class} {index} {right} {wrong}"
                );
                refused += u32::from(!same);
            }
        }
    }
    assert!(refused > 5_000, "{refused}");
}
