//! Games that are written in Python.
//!
//! Positions have numbers ([`table`]), and Python is asked of each one once: searches, proofs and their replay
//! see numbers. What a game raises, and what it does against its own rules, is kept. From then on all that is not
//! known yet is over: so the game stays one that makes sense, whatever works comes to its end, and who waits
//! raises what was kept.

mod explore;
mod joint;
mod table;
mod turn;
mod value;

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use foregone::AnyGame;
use foregone::model::{Endless, Rules};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString, PyTuple};
use sha2::{Digest, Sha256};

use crate::error::broken;
use table::{Kind, Moves, NONE, Node, link};
use value::{Ends, Payoffs, Value, Values, number};

/// A game that is written in Python. Clones share its positions.
#[derive(Clone)]
pub(crate) struct Own(Arc<Inner>);

struct Inner {
    methods: Methods,
    name: String,
    players: Vec<String>,
    /// Whether players may move at the same time.
    simultaneous: bool,
    rules: Rules,
    loops: Loops,
    /// What endless play is worth: a number of [`ENDLESS`].
    endless: AtomicU8,
    /// Its outcome, where it has one.
    endless_value: u32,
    values: RwLock<Values>,
    /// Whether outcomes that nobody declared are added.
    open: AtomicBool,
    nodes: RwLock<Vec<Node>>,
    /// The numbers of positions.
    ids: Py<PyDict>,
    fault: Mutex<Option<PyErr>>,
    is_broken: AtomicBool,
    /// How many ask the game now.
    runs: Mutex<usize>,
    /// Whether a play was found to go round where that was not expected.
    goes_round: AtomicBool,
}

/// What Python's object can do.
struct Methods {
    start: Py<PyAny>,
    turn: Py<PyAny>,
    moves: Py<PyAny>,
    play: Py<PyAny>,
    outcome: Py<PyAny>,
    chances: Option<Py<PyAny>>,
    move_text: Option<Py<PyAny>>,
    move_texts: Option<Py<PyAny>>,
    position: Option<[Py<PyAny>; 2]>,
    draw: Option<Py<PyAny>>,
    expand: Option<Py<PyAny>>,
}

/// Whether plays may go round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loops {
    /// Nobody said, so that it is found out.
    Unsaid,
    /// They may not.
    Forbidden,
    /// They may.
    Allowed,
}

const IMPOSSIBLE: u8 = 0;
const UNDETERMINED: u8 = 1;
const SCORES: u8 = 2;

/// Words of [`Methods::turn`] that are not players.
const CHANCE: &str = "chance";
const BOTH: &str = "both";

/// A locked thing, whoever broke down while it was locked.
fn held<T>(lock: Result<T, PoisonError<T>>) -> T {
    lock.unwrap_or_else(PoisonError::into_inner)
}

/// An attribute that may be missing or None.
fn attribute<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(object.getattr_opt(name)?.filter(|found| !found.is_none()))
}

fn method(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Py<PyAny>> {
    match attribute(object, name)? {
        Some(found) if found.is_callable() => Ok(found.unbind()),
        _ => {
            let class = object.get_type().name()?;
            Err(PyTypeError::new_err(format!(
                "{class} is not a game: it has no method `{name}` (a game has start, turn, moves, play and \
                 outcome)"
            )))
        }
    }
}

impl Methods {
    fn read(object: &Bound<'_, PyAny>) -> PyResult<Methods> {
        let may = |name: &str| Ok::<_, PyErr>(attribute(object, name)?.map(Bound::unbind));
        let position = match (may("position_text")?, may("read_position")?) {
            (Some(text), Some(read)) => Some([text, read]),
            (None, None) => None,
            _ => {
                return Err(PyTypeError::new_err(
                    "`position_text` and `read_position` go together: what one writes the other reads",
                ));
            }
        };
        Ok(Methods {
            start: method(object, "start")?,
            turn: method(object, "turn")?,
            moves: method(object, "moves")?,
            play: method(object, "play")?,
            outcome: method(object, "outcome")?,
            chances: may("chances")?,
            move_text: may("move_text")?,
            move_texts: may("move_texts")?,
            position,
            draw: may("draw")?,
            expand: may("expand")?,
        })
    }
}

/// The digest of the sources of a class and of those that it is made of, where Python has them.
fn digest(object: &Bound<'_, PyAny>) -> Option<String> {
    let inspect = object.py().import("inspect").ok()?;
    let classes = inspect.call_method1("getmro", (object.get_type(),)).ok()?;
    let mut hasher = Sha256::new();
    for class in classes.try_iter().ok()? {
        let class = class.ok()?;
        if class.getattr("__module__").ok()?.eq("builtins").ok()? {
            continue;
        }
        let source = inspect.call_method1("getsource", (class,)).ok()?;
        hasher.update(source.extract::<String>().ok()?.as_bytes());
    }
    Some(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The names of the players.
fn players(object: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let names = match attribute(object, "players")? {
        None => vec!["first".to_owned(), "second".to_owned()],
        Some(names) => names.extract::<Vec<String>>()?,
    };
    let wrong = |what: &str| Err(PyTypeError::new_err(format!("`players`: {what}")));
    let plain = |name: &String| {
        !name.is_empty() && !name.chars().any(|c| c.is_whitespace() || c.is_control())
    };
    match names.len() {
        0 => return wrong("there is none"),
        1..=200 => {}
        _ => return wrong("there are more than 200"),
    }
    if let Some(name) = names.iter().find(|name| !plain(name)) {
        return wrong(&format!("`{name}` is not one word"));
    }
    if let Some(name) = names.iter().find(|name| [CHANCE, BOTH].contains(&name.as_str())) {
        return wrong(&format!("`{name}` is not a name"));
    }
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() < names.len() { wrong("two have the same name") } else { Ok(names) }
}

/// The name of the game: what it says, or that of its class.
fn name(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let name = match attribute(object, "name")? {
        Some(name) => name.extract::<String>()?,
        None => object.get_type().name()?.to_string(),
    };
    let plain = |c: char| !c.is_whitespace() && !c.is_control();
    match !name.is_empty() && name.chars().all(plain) {
        true => Ok(format!("python:{name}")),
        false => Err(PyTypeError::new_err(format!("`name`: `{name}` is not one word"))),
    }
}

impl Own {
    /// The game that an object of Python is.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Own> {
        let py = object.py();
        let mut values = Values::default();
        let declared = attribute(object, "outcomes")?;
        for value in declared.iter().flat_map(|all| all.try_iter()).flatten() {
            let value = Value::read(&value?).map_err(|e| about(py, "outcomes", e))?;
            values.add(value);
        }
        let (loops, endless, endless_value) = endless(object, &mut values, declared.is_some())?;
        let own = Own(Arc::new(Inner {
            methods: Methods::read(object)?,
            name: name(object)?,
            players: players(object)?,
            simultaneous: match attribute(object, "simultaneous")? {
                Some(flag) => flag.is_truthy()?,
                None => false,
            },
            rules: Rules { version: 1, digest: digest(object) },
            loops,
            endless: AtomicU8::new(endless),
            endless_value,
            open: AtomicBool::new(declared.is_none()),
            values: RwLock::new(values),
            nodes: RwLock::new(Vec::new()),
            ids: PyDict::new(py).unbind(),
            fault: Mutex::new(None),
            is_broken: AtomicBool::new(false),
            runs: Mutex::new(0),
            goes_round: AtomicBool::new(false),
        }));
        if own.0.simultaneous && own.0.players.len() != 2 {
            return Err(PyTypeError::new_err("players who move at the same time are two"));
        }
        let start = own.0.methods.start.call0(py)?;
        own.number(py, start.bind(py), None).map_err(|e| about(py, "start", e))?;
        if declared.is_none() {
            own.find_outcomes(py)?;
        }
        Ok(own)
    }

    /// The game for the library.
    pub(crate) fn game(&self) -> Result<AnyGame, String> {
        let values = self.values();
        match self.0.simultaneous {
            true => {
                Ok(AnyGame::joint(joint::JointRules::new(self.clone(), Payoffs::new(&values)?)))
            }
            false => {
                let ends = Ends::new(&values, self.0.players.len())?;
                Ok(AnyGame::in_turn(turn::TurnRules::new(self.clone(), ends)))
            }
        }
    }

    /// Finds out which outcomes there are where nobody said it. One play tells whether they are the usual
    /// words; otherwise all positions are looked at.
    fn find_outcomes(&self, py: Python<'_>) -> PyResult<()> {
        let words = ["loss", "draw", "win"].map(|word| Value::Word(word.to_owned()));
        if self.first_play().is_none_or(|value| words.contains(&value)) && !self.0.simultaneous {
            let mut values = held(self.0.values.write());
            // Words stand in their order; those that one play showed came first.
            *values = Values::default();
            for word in words {
                values.add(word);
            }
            drop(values);
            self.forget();
        } else {
            self.walk(py)?;
        }
        self.0.open.store(false, Ordering::Relaxed);
        match self.fault() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Positions that are over are asked for their outcome again.
    fn forget(&self) {
        for node in self.nodes_mut().iter_mut() {
            if let Kind::Over(_) = node.kind {
                node.kind = Kind::New;
            }
        }
    }

    /// The outcome of a play in which everybody makes the first move, if it comes to one.
    fn first_play(&self) -> Option<Value> {
        /// Longer plays tell nothing.
        const LONGEST: u32 = 10_000;
        let mut at = 0;
        for _ in 0..LONGEST {
            match self.look(at) {
                Kind::Over(value) => return self.values().list().get(value as usize).cloned(),
                Kind::New => return None,
                _ => at = self.follow(at, 0, 0),
            }
        }
        None
    }

    /// Looks at every position that can be reached, one after the other.
    fn walk(&self, py: Python<'_>) -> PyResult<()> {
        let mut at = 0u32;
        while !self.is_broken() {
            if at as usize >= self.nodes().len() {
                break;
            }
            if at.is_multiple_of(256) {
                py.check_signals()?;
            }
            self.look(at);
            let [first, second] = self.counts(at);
            for a in 0..first {
                for b in 0..second {
                    self.follow(at, a, b);
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// How many positions came up.
    pub(crate) fn positions(&self) -> usize {
        self.nodes().len()
    }

    /// Whether the game broke down, or has to be looked at anew.
    pub(crate) fn is_broken(&self) -> bool {
        self.0.is_broken.load(Ordering::Relaxed)
    }

    /// What the game raised, or did against its own rules.
    pub(crate) fn fault(&self) -> Option<PyErr> {
        Python::attach(|py| self.fault_lock().as_ref().map(|error| error.clone_ref(py)))
    }

    /// Begins to ask the game, whatever went wrong before. What others find while it is broken does not count,
    /// so nobody begins as long as somebody is at it then.
    pub(crate) fn begin(&self) -> bool {
        let mut runs = held(self.0.runs.lock());
        if self.is_broken() {
            if *runs > 0 {
                return false;
            }
            let fault = self.fault_lock().take();
            if self.0.goes_round.swap(false, Ordering::Relaxed) {
                self.0.endless.store(UNDETERMINED, Ordering::Relaxed);
            }
            self.0.is_broken.store(false, Ordering::Relaxed);
            drop(fault);
        }
        *runs += 1;
        true
    }

    /// Ends what was begun, and says whether what was found counts; if not, and there is no fault, it is to be
    /// asked again, as plays turned out to go round.
    pub(crate) fn end_run(&self) -> bool {
        let mut runs = held(self.0.runs.lock());
        *runs -= 1;
        !self.is_broken()
    }

    /// Plays go round, and may from now on.
    fn loops_are_known(&self) {
        self.0.goes_round.store(false, Ordering::Relaxed);
        self.0.endless.store(UNDETERMINED, Ordering::Relaxed);
        self.0.is_broken.store(false, Ordering::Relaxed);
    }

    fn fault_lock(&self) -> MutexGuard<'_, Option<PyErr>> {
        held(self.0.fault.lock())
    }

    fn nodes(&self) -> RwLockReadGuard<'_, Vec<Node>> {
        held(self.0.nodes.read())
    }

    fn nodes_mut(&self) -> RwLockWriteGuard<'_, Vec<Node>> {
        held(self.0.nodes.write())
    }

    fn values(&self) -> RwLockReadGuard<'_, Values> {
        held(self.0.values.read())
    }

    /// Keeps what went wrong, if it is the first thing.
    fn fail(&self, error: PyErr) {
        // Python may do anything while it forgets an exception, so that is done without the lock.
        let mut error = Some(error);
        let mut fault = self.fault_lock();
        if fault.is_none() {
            *fault = error.take();
        }
        drop(fault);
        drop(error);
        self.0.is_broken.store(true, Ordering::Relaxed);
    }

    /// What endless play is worth.
    fn endless(&self, outcome: impl Fn(u32) -> foregone::model::Outcome) -> Endless {
        match self.0.endless.load(Ordering::Relaxed) {
            SCORES => Endless::Scores(outcome(self.0.endless_value)),
            UNDETERMINED => Endless::Undetermined,
            _ => Endless::Impossible,
        }
    }

    /// What is wrong with the game, for the library.
    fn violation(&self) -> Option<String> {
        self.is_broken().then(|| "the game raised an exception".to_owned())
    }

    /// The state behind a number.
    fn state<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Bound<'py, PyAny>> {
        let nodes = self.nodes();
        match nodes.get(id as usize) {
            Some(node) => Ok(node.state.bind(py).clone()),
            None => Err(broken(py, "there is no such position")),
        }
    }

    /// The number of a state; a new one gets one.
    fn number(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyAny>,
        from: Option<(u32, u32)>,
    ) -> PyResult<u32> {
        let ids = self.0.ids.bind(py);
        if let Some(id) = ids.get_item(state)? {
            return id.extract();
        }
        let mut nodes = self.nodes_mut();
        let id = nodes.len() as u32;
        if id == NONE {
            drop(nodes);
            return Err(broken(py, "the game has more than 2^32 positions"));
        }
        let level = from.and_then(|(from, _)| nodes.get(from as usize)).map_or(0, |n| n.level + 1);
        let state = state.clone();
        let (kind, kept) = (Kind::New, state.clone().unbind());
        nodes.push(Node { state: kept, kind, moves: None, from, level });
        drop(nodes);
        // Another thread may have been faster.
        ids.call_method1("setdefault", (state, id))?.extract()
    }

    /// What a position is.
    fn look(&self, id: u32) -> Kind {
        let kind = self.nodes().get(id as usize).map_or(Kind::Over(0), |node| node.kind);
        if kind != Kind::New {
            return kind;
        }
        if self.is_broken() {
            return Kind::Over(0);
        }
        let asked = Python::attach(|py| self.ask(py, id).map_err(|e| self.fail(e)));
        match asked {
            Ok(kind) => {
                if let Some(node) = self.nodes_mut().get_mut(id as usize) {
                    node.kind = kind;
                }
                kind
            }
            Err(()) => Kind::Over(0),
        }
    }

    /// Asks whose turn it is, and how it ended.
    fn ask(&self, py: Python<'_>, id: u32) -> PyResult<Kind> {
        let state = self.state(py, id)?;
        let turn = self.0.methods.turn.bind(py).call1((&state,))?;
        if turn.is_none() {
            let given = self.0.methods.outcome.bind(py).call1((&state,))?;
            return self.end(py, &state, &given).map(Kind::Over);
        }
        self.mover(py, &state, &turn)
    }

    /// Who moves in a state that is not over.
    fn mover(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyAny>,
        turn: &Bound<'_, PyAny>,
    ) -> PyResult<Kind> {
        let wrong = |what: String| {
            let text = format!("turn({}) gave {}: {what}", shown(state), shown(turn));
            Err(broken(py, &text))
        };
        if let Ok(word) = turn.cast::<PyString>() {
            return match &*word.to_cow()? {
                CHANCE if self.0.simultaneous => {
                    wrong("there is no chance where players move at the same time".to_owned())
                }
                CHANCE if self.0.methods.chances.is_none() => {
                    wrong("a game with chance has a method `chances`".to_owned())
                }
                CHANCE => Ok(Kind::Chance),
                BOTH if !self.0.simultaneous => wrong(
                    "where both move at the same time, the game says `simultaneous = True`"
                        .to_owned(),
                ),
                BOTH => Ok(Kind::Both),
                word => match self.0.players.iter().position(|name| name == word) {
                    Some(player) => Ok(Kind::Player(player as u8)),
                    None => wrong(format!("the players are {}", self.0.players.join(", "))),
                },
            };
        }
        let player = match turn.is_instance_of::<PyBool>() {
            true => None,
            false => turn.extract::<usize>().ok(),
        };
        match player {
            Some(player) if player < self.0.players.len() => Ok(Kind::Player(player as u8)),
            _ => wrong(format!(
                "expected the number of a player (0 to {}), a player's name or None when it is over",
                self.0.players.len() - 1
            )),
        }
    }

    /// The number of the outcome of a state that is over.
    fn end(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyAny>,
        given: &Bound<'_, PyAny>,
    ) -> PyResult<u32> {
        let wrong = |what: &str| {
            let text = format!("outcome({}) gave {}: {what}", shown(state), shown(given));
            Err(broken(py, &text))
        };
        let value = match Value::read(given) {
            Ok(value) => value,
            Err(error) => return wrong(&error.value(py).to_string()),
        };
        if self.0.open.load(Ordering::Relaxed) {
            return Ok(held(self.0.values.write()).add(value));
        }
        match self.values().find(&value) {
            Some(number) => Ok(number),
            None => {
                let known: Vec<String> = self.values().list().iter().map(Value::text).collect();
                let known = match known.len() {
                    0..=12 => known.join(", "),
                    n => format!("{}, … ({n} of them)", known[..6].join(", ")),
                };
                wrong(&format!(
                    "the outcomes are {known}; the game says which by `outcomes = [...]`"
                ))
            }
        }
    }

    /// How many moves who is to move has, and how many the other player, where both move at the same time:
    /// one where there is nothing to choose.
    fn counts(&self, id: u32) -> [u32; 2] {
        if matches!(self.look(id), Kind::Over(_) | Kind::New) {
            return [0, 0];
        }
        let count = |moves: &Moves| moves.lists.each_ref().map(|list| list.len().max(1) as u32);
        let known = self.nodes().get(id as usize).and_then(|node| node.moves.as_ref().map(count));
        if let Some(counts) = known {
            return counts;
        }
        if self.is_broken() {
            return [1, 1];
        }
        match Python::attach(|py| self.expand(py, id).map_err(|e| self.fail(e))) {
            Ok(moves) => {
                let counts = count(&moves);
                if let Some(node) = self.nodes_mut().get_mut(id as usize)
                    && node.moves.is_none()
                {
                    node.moves = Some(moves);
                }
                counts
            }
            // A move that leads to where everything ends.
            Err(()) => [1, 1],
        }
    }

    /// Asks for the moves of a position.
    fn expand(&self, py: Python<'_>, id: u32) -> PyResult<Moves> {
        let (state, kind) = (self.state(py, id)?, self.look(id));
        let methods = &self.0.methods;
        let mut weights = Vec::new();
        let lists = match kind {
            Kind::Chance => {
                let asked = methods.chances.as_ref().unwrap_or(&methods.moves);
                let given = asked.bind(py).call1((&state,))?;
                let (list, told) = chances(&state, &given)?;
                weights = told;
                [list, Vec::new()]
            }
            Kind::Both => {
                let given = methods.moves.bind(py).call1((&state,))?;
                let pair: Option<Vec<Bound<'_, PyAny>>> = given
                    .try_iter()
                    .and_then(Iterator::collect)
                    .ok()
                    .filter(|p: &Vec<_>| p.len() == 2);
                let Some(pair) = pair else {
                    return Err(broken(
                        py,
                        &format!(
                            "moves({}) gave {}: where both players move there are two lists",
                            shown(&state),
                            shown(&given)
                        ),
                    ));
                };
                [list(&state, &pair[0])?, list(&state, &pair[1])?]
            }
            _ => {
                let given = methods.moves.bind(py).call1((&state,))?;
                let own = list(&state, &given)?;
                match (self.0.simultaneous, kind) {
                    (true, Kind::Player(0)) => [own, vec![py.None()]],
                    (true, _) => [vec![py.None()], own],
                    _ => [own, Vec::new()],
                }
            }
        };
        let places = lists[0].len() * lists[1].len().max(1);
        let mut to = Vec::new();
        to.resize(places, NONE);
        Ok(Moves { lists, weights, to, texts: None })
    }

    /// How often chance makes a move, compared with others.
    fn weight(&self, id: u32, at: u32) -> u64 {
        self.counts(id);
        let nodes = self.nodes();
        let moves = nodes.get(id as usize).and_then(|node| node.moves.as_ref());
        moves.and_then(|moves| moves.weights.get(at as usize)).copied().unwrap_or(1)
    }

    /// The position behind a move, or a pair of moves.
    fn follow(&self, id: u32, first: u32, second: u32) -> u32 {
        let counts = self.counts(id);
        let known = {
            let nodes = self.nodes();
            let moves = nodes.get(id as usize).and_then(|node| node.moves.as_ref());
            moves.and_then(|moves| moves.to.get(moves.place(first, second)).copied())
        };
        match known {
            Some(NONE) if !self.is_broken() && first < counts[0] && second < counts[1] => {
                let made = Python::attach(|py| self.make(py, id, first, second));
                made.unwrap_or_else(|error| {
                    self.fail(error);
                    NONE
                })
            }
            Some(to) => to,
            None => NONE,
        }
    }

    /// Asks what a move leads to.
    fn make(&self, py: Python<'_>, id: u32, first: u32, second: u32) -> PyResult<u32> {
        let (state, kind) = (self.state(py, id)?, self.look(id));
        let (chosen, place) = {
            let nodes = self.nodes();
            let Some(moves) = nodes.get(id as usize).and_then(|node| node.moves.as_ref()) else {
                return Err(broken(py, "there is no such move"));
            };
            let one = |list: usize, at: u32| moves.lists[list][at as usize].bind(py).clone();
            let chosen = match (self.0.simultaneous, kind) {
                (true, Kind::Both) => PyTuple::new(py, [one(0, first), one(1, second)])?.into_any(),
                (true, Kind::Player(1)) => one(1, second),
                _ => one(0, first),
            };
            (chosen, moves.place(first, second))
        };
        let next = self.0.methods.play.bind(py).call1((&state, &chosen))?;
        let known = || format!("play({}, {})", shown(&state), shown(&chosen));
        if next.is_none() {
            let text = format!("{} gave None: it returns the next state", known());
            return Err(broken(py, &text));
        }
        let to = self.number(py, &next, Some((id, place as u32)));
        let to = to.map_err(|error| about(py, &known(), error))?;
        self.note(py, id, place, to, &next)
    }

    /// Notes what a move leads to, and whether plays go round since: then it leads nowhere.
    fn note(
        &self,
        py: Python<'_>,
        id: u32,
        place: usize,
        to: u32,
        next: &Bound<'_, PyAny>,
    ) -> PyResult<u32> {
        let may = self.0.endless.load(Ordering::Relaxed) != IMPOSSIBLE;
        let mut nodes = self.nodes_mut();
        if may {
            set(&mut nodes, id, place, to);
            return Ok(to);
        }
        let round = link(&mut nodes, id, place, to);
        // While outcomes are looked for nothing is lost.
        let open = self.0.open.load(Ordering::Relaxed);
        if round && !open {
            set(&mut nodes, id, place, NONE);
        }
        drop(nodes);
        match (round, self.0.loops) {
            (false, _) => Ok(to),
            (true, Loops::Unsaid) if !self.0.simultaneous && open => {
                self.0.endless.store(UNDETERMINED, Ordering::Relaxed);
                Ok(to)
            }
            (true, Loops::Unsaid) if !self.0.simultaneous => {
                self.0.goes_round.store(true, Ordering::Relaxed);
                self.0.is_broken.store(true, Ordering::Relaxed);
                Ok(NONE)
            }
            (true, Loops::Unsaid) => Err(broken(
                py,
                &format!(
                    "the position {} can come up again: where players move at the same time every play ends",
                    shown(next)
                ),
            )),
            (true, _) => Err(broken(
                py,
                &format!(
                    "the position {} can come up again, though the game says `endless = \"impossible\"`",
                    shown(next)
                ),
            )),
        }
    }

    /// The texts of the moves of a position.
    fn texts(&self, id: u32) -> [Vec<String>; 2] {
        self.counts(id);
        let known = |nodes: &[Node]| {
            nodes.get(id as usize).and_then(|node| node.moves.as_ref()?.texts.clone())
        };
        if let Some(texts) = known(&self.nodes()) {
            return texts;
        }
        let written = Python::attach(|py| self.write_moves(py, id).map_err(|e| self.fail(e)));
        let Ok(texts) = written else { return Default::default() };
        let mut nodes = self.nodes_mut();
        if let Some(moves) = nodes.get_mut(id as usize).and_then(|node| node.moves.as_mut()) {
            moves.texts = Some(texts.clone());
        }
        texts
    }

    fn write_moves(&self, py: Python<'_>, id: u32) -> PyResult<[Vec<String>; 2]> {
        let lists: [Vec<Bound<'_, PyAny>>; 2] = {
            let nodes = self.nodes();
            let Some(moves) = nodes.get(id as usize).and_then(|node| node.moves.as_ref()) else {
                return Ok(Default::default());
            };
            moves.lists.each_ref().map(|list| list.iter().map(|m| m.bind(py).clone()).collect())
        };
        let mut given = self.given_texts(py, id)?.into_iter();
        let mut texts: [Vec<String>; 2] = Default::default();
        for (list, out) in lists.iter().zip(&mut texts) {
            for m in list {
                let text = match (&self.0.methods.move_texts, &self.0.methods.move_text) {
                    _ if self.0.simultaneous && m.is_none() => WAITS.to_owned(),
                    (Some(_), _) => given.next().ok_or_else(|| {
                        broken(py, "move_texts gave fewer texts than there are moves")
                    })?,
                    (None, Some(write)) => write.bind(py).call1((m,))?.str()?.to_string(),
                    (None, None) => usual_text(m)?,
                };
                let text: String = text.trim().chars().map(word_char).collect();
                if text.is_empty() || out.contains(&text) {
                    let state = self.state(py, id)?;
                    return Err(broken(
                        py,
                        &format!(
                            "two moves of {} are written `{text}`: the game may have a method `move_text`",
                            shown(&state)
                        ),
                    ));
                }
                out.push(text);
            }
        }
        match given.next() {
            None => Ok(texts),
            Some(_) => Err(broken(py, "move_texts gave more texts than there are moves")),
        }
    }

    /// The texts of all moves, those of the first player first, if the game has a method for that.
    fn given_texts(&self, py: Python<'_>, id: u32) -> PyResult<Vec<String>> {
        match &self.0.methods.move_texts {
            Some(write) => write.bind(py).call1((self.state(py, id)?,))?.extract(),
            None => Ok(Vec::new()),
        }
    }

    /// The text of a position: the game's own, or the moves that lead to it.
    fn position_text(&self, id: u32) -> String {
        if let Some([write, read]) = &self.0.methods.position {
            let written = Python::attach(|py| -> PyResult<String> {
                let state = self.state(py, id)?;
                let text: String = write.bind(py).call1((&state,))?.extract()?;
                let plain = !text.is_empty() && text.trim() == text && !text.contains('\n');
                let back = read.bind(py).call1((&text,))?;
                if !plain || !back.eq(&state)? {
                    return Err(broken(
                        py,
                        &format!(
                            "position_text({}) gave {text:?}: it is one line, and read_position gives the state \
                         back",
                            shown(&state)
                        ),
                    ));
                }
                Ok(text)
            });
            return written.unwrap_or_else(|error| {
                self.fail(error);
                START.to_owned()
            });
        }
        let mut words = Vec::new();
        let mut at = id;
        loop {
            let from = self.nodes().get(at as usize).and_then(|node| node.from);
            let Some((from, place)) = from else { break };
            words.push(self.pair_text(from, place));
            at = from;
        }
        words.reverse();
        if words.is_empty() { START.to_owned() } else { format!("moves:{}", words.join(",")) }
    }

    /// The text of the move at a place, or of the pair.
    fn pair_text(&self, id: u32, place: u32) -> String {
        let texts = self.texts(id);
        let width = texts[1].len().max(1) as u32;
        let word = |list: usize, at: u32| texts[list].get(at as usize).cloned().unwrap_or_default();
        match self.0.simultaneous {
            true => format!("{}/{}", word(0, place / width), word(1, place % width)),
            false => word(0, place),
        }
    }

    /// The position that a text of the game's own means.
    fn read(&self, text: &str) -> Result<u32, String> {
        let Some([_, read]) = &self.0.methods.position else {
            return Err("a position is `start` or `moves:…`, the moves from the start".to_owned());
        };
        Python::attach(|py| {
            let state = read.bind(py).call1((text,)).map_err(|e| e.value(py).to_string())?;
            self.number(py, &state, None).map_err(|e| e.value(py).to_string())
        })
    }

    /// Lets a position be written by the moves by which it was just read. Then what is read is what would
    /// be written, whatever came up before.
    fn named_by(&self, path: &[(u32, u32)], id: u32) {
        let mut ids: Vec<u32> = path.iter().map(|(from, _)| *from).chain([id]).collect();
        let behind: Vec<u32> = ids[1..].to_vec();
        ids.sort_unstable();
        if ids.windows(2).any(|pair| pair[0] == pair[1]) || ids.contains(&NONE) {
            return;
        }
        let mut nodes = self.nodes_mut();
        for (&step, to) in path.iter().zip(behind) {
            if let Some(node) = nodes.get_mut(to as usize) {
                node.from = Some(step);
            }
        }
    }

    /// A drawing of a position.
    fn draw(&self, id: u32) -> String {
        let drawn = Python::attach(|py| -> PyResult<String> {
            let state = self.state(py, id)?;
            match &self.0.methods.draw {
                Some(draw) => Ok(draw.bind(py).call1((state,))?.str()?.to_string()),
                None => Ok(state.str()?.to_string()),
            }
        });
        match drawn {
            Ok(text) => text.trim_end().to_owned() + "\n",
            Err(error) => {
                self.fail(error);
                "\n".to_owned()
            }
        }
    }
}

/// Notes what a move leads to.
fn set(nodes: &mut [Node], id: u32, place: usize, to: u32) {
    if let Some(moves) = nodes.get_mut(id as usize).and_then(|node| node.moves.as_mut()) {
        moves.to[place] = to;
    }
}

/// What stands for a move of who waits.
const WAITS: &str = "-";
/// The text of the starting position.
const START: &str = "start";

/// Moves are one word each, and stand in lists.
fn word_char(c: char) -> char {
    if c.is_whitespace() || c.is_control() || matches!(c, ',' | ':' | '/' | '"') { '_' } else { c }
}

/// How a move is written where the game does not say.
fn usual_text(m: &Bound<'_, PyAny>) -> PyResult<String> {
    if m.is_instance_of::<PyTuple>() || m.is_instance_of::<PyList>() {
        let parts: Vec<String> =
            m.try_iter()?.map(|part| usual_text(&part?)).collect::<Result<_, _>>()?;
        return Ok(parts.join("-"));
    }
    Ok(m.str()?.to_string())
}

/// A state or a move for a message.
fn shown(value: &Bound<'_, PyAny>) -> String {
    /// Longer ones are cut.
    const LONGEST: usize = 80;
    let text = value.repr().map_or_else(|_| "…".to_owned(), |text| text.to_string());
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// An exception of Python's own about something, which then says what it is about.
fn about(py: Python<'_>, what: &str, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyTypeError>(py) {
        let message = error.value(py).to_string();
        return broken(py, &format!("{what}: {message}"));
    }
    error
}

/// The moves that a game gave.
fn list(state: &Bound<'_, PyAny>, given: &Bound<'_, PyAny>) -> PyResult<Vec<Py<PyAny>>> {
    let py = state.py();
    let moves: Vec<Py<PyAny>> = match given.try_iter() {
        Ok(moves) => moves.map(|m| m.map(Bound::unbind)).collect::<Result<_, _>>()?,
        Err(_) => {
            let text = format!("moves({}) gave {}, not a list", shown(state), shown(given));
            return Err(broken(py, &text));
        }
    };
    match moves.is_empty() {
        true => Err(broken(
            py,
            &format!(
                "moves({}) gave no move: turn says that somebody is to move there, and gives None where the game \
             is over",
                shown(state)
            ),
        )),
        false => Ok(moves),
    }
}

/// The moves of chance and their weights: whole numbers, or fractions over one denominator.
fn chances(
    state: &Bound<'_, PyAny>,
    given: &Bound<'_, PyAny>,
) -> PyResult<(Vec<Py<PyAny>>, Vec<u64>)> {
    let py = state.py();
    let wrong = |what: &str| broken(py, &format!("chances({}): {what}", shown(state)));
    let items = match given.cast::<PyDict>() {
        Ok(dict) => dict.items().into_any(),
        Err(_) => given.clone(),
    };
    let (mut moves, mut parts) = (Vec::new(), Vec::new());
    for item in items.try_iter().map_err(|_| wrong("expected pairs of a move and a weight"))? {
        let (m, weight): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
            item?.extract().map_err(|_| wrong("expected pairs of a move and a weight"))?;
        let float = !weight.is_instance_of::<PyInt>()
            && weight.hasattr("is_integer")?
            && !weight.hasattr("numerator")?;
        let part =
            number(&weight).map_err(|_| wrong(&format!("{} is not a weight", shown(&weight))))?;
        if float && part.1 > 1 {
            return Err(wrong(&format!(
                "the weight {} is rounded: write whole numbers, or Fraction(1, 6)",
                shown(&weight)
            )));
        }
        if part.0 < 1 {
            return Err(wrong(&format!("the weight {} is not above 0", shown(&weight))));
        }
        moves.push(m.unbind());
        parts.push((part.0 as u128, part.1 as u128));
    }
    if moves.is_empty() {
        return Err(wrong("nothing can happen"));
    }
    let common = parts.iter().try_fold(1u128, |all, (_, d)| (all / gcd(all, *d)).checked_mul(*d));
    let whole = |(n, d): &(u128, u128)| common.and_then(|all| n.checked_mul(all / d));
    let whole: Option<Vec<u128>> = parts.iter().map(whole).collect();
    let large = || wrong("the weights have too many digits: they add up to less than 2^64");
    let whole = whole.ok_or_else(large)?;
    let divisor = whole.iter().fold(0, |all, n| gcd(all, *n)).max(1);
    let sum = whole.iter().try_fold(0u128, |all, n| all.checked_add(n / divisor));
    match sum {
        Some(sum) if sum < 1 << 64 => {
            Ok((moves, whole.iter().map(|n| (n / divisor) as u64).collect()))
        }
        _ => Err(large()),
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What the game says of endless play.
fn endless(
    object: &Bound<'_, PyAny>,
    values: &mut Values,
    declared: bool,
) -> PyResult<(Loops, u8, u32)> {
    let py = object.py();
    let Some(said) = attribute(object, "endless")? else {
        return Ok((Loops::Unsaid, IMPOSSIBLE, 0));
    };
    let value = Value::read(&said).map_err(|e| about(py, "endless", e))?;
    match &value {
        Value::Word(word) if word == "impossible" => Ok((Loops::Forbidden, IMPOSSIBLE, 0)),
        Value::Word(word) if word == "undetermined" => Ok((Loops::Allowed, UNDETERMINED, 0)),
        _ if !declared => {
            for word in ["loss", "draw", "win"] {
                values.add(Value::Word(word.to_owned()));
            }
            scored(py, values, &value)
        }
        _ => scored(py, values, &value),
    }
}

fn scored(py: Python<'_>, values: &Values, value: &Value) -> PyResult<(Loops, u8, u32)> {
    match values.find(value) {
        Some(number) => Ok((Loops::Allowed, SCORES, number)),
        None => Err(broken(
            py,
            &format!(
                "`endless` is {}: expected \"impossible\", \"undetermined\" or one of `outcomes`",
                value.text()
            ),
        )),
    }
}
