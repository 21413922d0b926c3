//! A numbering for any game in turn: a list of all positions that can be reached, in the order of
//! their texts. The list stands in the table's file.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use foregone_games::erased::{AnyMove, AnyState, AnyTabled, Erased};
use foregone_model::table::{Entries, TableError, Window, verify};
use foregone_model::tabled::{ClassMoves, Node, PlainMoves, Step, Unmove, open_value};
use foregone_model::{
    Agent, Class, Endless, Game, Indexed, Notation, Outcome, Place, Scale, Side, TextError, Turn,
};
use foregone_tables::{FileError, TableFile};

/// The only class of such a numbering.
pub(super) const CLASS: Class = Class(0);

/// Its name.
pub(super) const NAME: &str = "reachable";

/// The classes that a person means: there is one.
pub(super) fn wanted(text: &str) -> Result<Vec<Class>, TextError> {
    match text.is_empty() || text == NAME {
        true => Ok(vec![CLASS]),
        false => {
            let message = "the positions of this game have no classes: it has one table";
            let error = TextError::new(message, 0..text.len());
            Err(error.with_choices(vec![NAME.to_owned()]))
        }
    }
}

/// A game whose positions are listed.
pub(super) struct Listed {
    game: Erased,
    list: List,
}

enum List {
    /// All positions and the moves between them: what a table is built from.
    Graph(Graph),
    /// The texts in a table's file.
    File(Arc<TableFile>),
    /// These texts, which were read out of a file.
    Texts(Vec<String>),
}

/// Why there is no list.
pub(super) enum NotListed {
    /// There are too many positions.
    Memory(u64),
    /// Somebody ended it.
    Stopped,
    /// Two positions have the same text.
    SameText(String),
}

impl Listed {
    /// All positions that can be reached from the start, as long as they fit into so many bytes and
    /// `goes_on`, which is told how many were found, says so.
    pub(super) fn explore(
        game: &Erased,
        bytes: u64,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Listed, NotListed> {
        let graph = Graph::explore(game, bytes, goes_on)?;
        Ok(Listed { game: game.clone(), list: List::Graph(graph) })
    }

    /// The positions that a table's file lists.
    pub(super) fn in_file(game: &Erased, file: Arc<TableFile>) -> Listed {
        Listed { game: game.clone(), list: List::File(file) }
    }

    /// The same, all texts read, if they have no more bytes than this: quick where every position is asked
    /// about.
    pub(super) fn in_memory(&self, most: u64) -> Result<Listed, FileError> {
        let List::File(file) = &self.list else { unreachable!("only files are read") };
        Ok(Listed { game: self.game.clone(), list: List::Texts(file.all_texts(most)?) })
    }

    /// The texts, for the file.
    pub(super) fn texts(&self) -> Option<impl Iterator<Item = String> + '_> {
        match &self.list {
            List::Graph(graph) => Some(graph.states.iter().map(|s| self.game.position_text(s))),
            List::File(_) | List::Texts(_) => None,
        }
    }

    fn rules(&self) -> Rules<'_> {
        Rules { game: &self.game, list: &self.list }
    }
}

impl AnyTabled for Listed {
    fn wanted(&self, text: &str) -> Result<Vec<Class>, TextError> {
        wanted(text)
    }

    fn class_name(&self, _class: Class) -> String {
        NAME.to_owned()
    }

    fn size(&self, class: Class) -> u64 {
        self.rules().size(class)
    }

    fn leads_to(&self, _class: Class) -> Vec<Class> {
        Vec::new()
    }

    fn outcomes(&self, class: Class) -> (Outcome, Outcome) {
        self.rules().outcomes(class)
    }

    fn place(&self, s: &AnyState) -> Option<Place> {
        self.rules().place(s)
    }

    fn position(&self, class: Class, index: u64) -> Option<AnyState> {
        self.rules().position(class, index)
    }

    fn open_value(&self, class: Class, window: Window) -> Option<Outcome> {
        open_value(&self.rules(), class, window)
    }

    fn class_moves(&self, _class: Class) -> Box<dyn ClassMoves + '_> {
        match &self.list {
            List::Graph(graph) => Box::new(graph),
            List::File(_) | List::Texts(_) => Box::new(FileMoves(self)),
        }
    }

    fn verify(
        &self,
        class: Class,
        window: Window,
        entries: &dyn Entries,
        range: Range<u64>,
    ) -> Result<u64, TableError> {
        // A mistake in rules that are compiled cannot prove anything.
        let independent = self.game.independent_rules();
        let game = independent.as_ref().unwrap_or(&self.game);
        let checked = verify(&Rules { game, list: &self.list }, class, window, entries, range);
        let broken = game.rules_violation();
        let broken = broken.map(|problem| TableError { class, index: 0, problem });
        broken.map_or(checked, Err)
    }
}

/// The moves of a class by the rules and the list in a file.
struct FileMoves<'a>(&'a Listed);

impl ClassMoves for FileMoves<'_> {
    fn size(&self) -> u64 {
        self.0.size(CLASS)
    }

    fn look(&self, index: u64, out: &mut Vec<Step>) -> Node {
        PlainMoves::new(&self.0.rules(), CLASS).look(index, out)
    }
}

/// The rules with the numbers of the list.
struct Rules<'a> {
    game: &'a Erased,
    list: &'a List,
}

impl Game for Rules<'_> {
    type State = AnyState;
    type Move = AnyMove;

    fn scale(&self) -> Scale {
        self.game.scale()
    }

    fn endless(&self) -> Endless {
        self.game.endless()
    }

    fn endless_from(&self, s: &AnyState) -> Endless {
        self.game.endless_from(s)
    }

    fn start(&self) -> AnyState {
        self.game.start()
    }

    fn turn(&self, s: &AnyState) -> Turn {
        self.game.turn(s)
    }

    fn moves(&self, s: &AnyState, agent: Agent, out: &mut Vec<AnyMove>) {
        self.game.moves(s, agent, out);
    }

    fn play(&self, s: &mut AnyState, agent: Agent, m: AnyMove) {
        self.game.play(s, agent, m);
    }

    fn outcome(&self, s: &AnyState) -> Outcome {
        self.game.outcome(s)
    }
}

impl Indexed for Rules<'_> {
    fn class_name(&self, _class: Class) -> String {
        NAME.to_owned()
    }

    fn size(&self, _class: Class) -> u64 {
        match self.list {
            List::Graph(graph) => graph.states.len() as u64,
            List::File(file) => file.header().size,
            List::Texts(texts) => texts.len() as u64,
        }
    }

    fn leads_to(&self, _class: Class) -> Vec<Class> {
        Vec::new()
    }

    fn place(&self, s: &AnyState) -> Option<Place> {
        let index = match self.list {
            List::Graph(graph) => graph.find(self.game, s),
            List::File(file) => file.find(&self.game.position_text(s)).ok()?,
            List::Texts(texts) => {
                let found = texts.binary_search(&self.game.position_text(s)).ok();
                found.map(|index| index as u64)
            }
        };
        index.map(|index| Place::new(CLASS, index))
    }

    fn position(&self, _class: Class, index: u64) -> Option<AnyState> {
        match self.list {
            List::Graph(graph) => graph.states.get(index as usize).cloned(),
            List::File(file) => self.game.read_position(&file.text(index).ok()?).ok(),
            List::Texts(texts) => self.game.read_position(texts.get(index as usize)?).ok(),
        }
    }
}

/// All positions that can be reached, in the order of their texts, and the moves between them.
struct Graph {
    states: Vec<AnyState>,
    nodes: Vec<Node>,
    /// Where the moves of each position begin, and where they lead.
    first: Vec<u32>,
    to: Vec<u32>,
    /// The same backwards.
    first_back: Vec<u32>,
    from: Vec<u32>,
}

impl Graph {
    fn explore(
        game: &Erased,
        bytes: u64,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Graph, NotListed> {
        // Step 1: all positions, numbered as they are found.
        let start = game.start();
        let mut numbers: HashMap<AnyState, u32> = HashMap::from([(start.clone(), 0)]);
        let mut states = vec![start];
        let (mut nodes, mut first, mut to) = (Vec::new(), vec![0u32], Vec::new());
        let mut moves = Vec::new();
        let each = 3 * std::mem::size_of::<AnyState>() as u64 + 32;
        while nodes.len() < states.len() {
            let s = states[nodes.len()].clone();
            match game.turn(&s) {
                Turn::Over => nodes.push(Node::Over(game.outcome(&s))),
                Turn::Chance => return Err(NotListed::Stopped),
                Turn::Agent(agent) => {
                    moves.clear();
                    game.moves(&s, agent, &mut moves);
                    for &m in &moves {
                        let mut next = s.clone();
                        game.play(&mut next, agent, m);
                        let number = *numbers.entry(next.clone()).or_insert_with(|| {
                            states.push(next);
                            states.len() as u32 - 1
                        });
                        to.push(number);
                    }
                    nodes.push(Node::Choice(Side::of(agent)));
                }
            }
            first.push(to.len() as u32);
            let found = states.len() as u64;
            if found * each + to.len() as u64 * 8 > bytes || found + to.len() as u64 > 1 << 31 {
                return Err(NotListed::Memory(found));
            }
            if nodes.len() % 4096 == 0 && !goes_on(found) {
                return Err(NotListed::Stopped);
            }
        }
        drop(numbers);
        // Step 2: numbers in the order of the texts.
        let mut texts: Vec<(String, u32)> = Vec::with_capacity(states.len());
        for (number, s) in states.iter().enumerate() {
            if number % 4096 == 0 && !goes_on(states.len() as u64) {
                return Err(NotListed::Stopped);
            }
            texts.push((game.position_text(s), number as u32));
        }
        texts.sort_unstable();
        if let Some(pair) = texts.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(NotListed::SameText(pair[0].0.clone()));
        }
        let mut new = vec![0u32; states.len()];
        for (index, (_, number)) in texts.iter().enumerate() {
            new[*number as usize] = index as u32;
        }
        let order: Vec<u32> = texts.into_iter().map(|(_, number)| number).collect();
        let edges = |number: u32| {
            let [a, b] = [number, number + 1].map(|n| first[n as usize] as usize);
            &to[a..b]
        };
        let (mut sorted_first, mut sorted_to) = (vec![0u32], Vec::with_capacity(to.len()));
        for &number in &order {
            sorted_to.extend(edges(number).iter().map(|&next| new[next as usize]));
            sorted_first.push(sorted_to.len() as u32);
        }
        let states = order.iter().map(|&number| states[number as usize].clone()).collect();
        let nodes = order.iter().map(|&number| nodes[number as usize]).collect();
        // Step 3: the moves backwards.
        let (first_back, from) = reverse(&sorted_first, &sorted_to);
        Ok(Graph { states, nodes, first: sorted_first, to: sorted_to, first_back, from })
    }

    /// The number of a position, by its text.
    fn find(&self, game: &Erased, s: &AnyState) -> Option<u64> {
        let text = game.position_text(s);
        let found = self.states.binary_search_by(|other| game.position_text(other).cmp(&text));
        found.ok().map(|index| index as u64)
    }
}

/// The moves of a graph backwards.
fn reverse(first: &[u32], to: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut ends = vec![0u32; first.len()];
    for &next in to {
        ends[next as usize + 1] += 1;
    }
    for at in 1..ends.len() {
        ends[at] += ends[at - 1];
    }
    let mut free = ends.clone();
    let mut from = vec![0u32; to.len()];
    for (number, pair) in first.windows(2).enumerate() {
        for &next in &to[pair[0] as usize..pair[1] as usize] {
            from[free[next as usize] as usize] = number as u32;
            free[next as usize] += 1;
        }
    }
    (ends, from)
}

impl ClassMoves for &Graph {
    fn size(&self) -> u64 {
        self.states.len() as u64
    }

    fn look(&self, index: u64, out: &mut Vec<Step>) -> Node {
        let [a, b] = [index, index + 1].map(|at| self.first[at as usize] as usize);
        let step = |&to: &u32| Step { slot: 0, flip: false, shift: 0, index: to.into() };
        out.extend(self.to[a..b].iter().map(step));
        self.nodes[index as usize]
    }

    fn mover(&self, index: u64) -> Side {
        match self.nodes[index as usize] {
            Node::Choice(side) => side,
            Node::Hole | Node::Over(_) => Side::Max,
        }
    }

    fn takes_back(&self) -> bool {
        true
    }

    fn predecessors(&self, index: u64, out: &mut Vec<Unmove>) {
        let [a, b] = [index, index + 1].map(|at| self.first_back[at as usize] as usize);
        let unmove = |&from: &u32| Unmove { index: from.into(), flip: false };
        out.extend(self.from[a..b].iter().map(unmove));
    }
}
