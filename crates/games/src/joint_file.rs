//! A game with joint moves that a person types: states, the moves of both sides and where each
//! pair of them leads, and final states with their payoffs.
//!
//! ```text
//! # Example 11 of "Solving Games and All That", less two of its states
//! start s
//! state s
//! min        1   2
//! max 1 ->  f10  f0
//! max 2 ->  f0   f10
//! end f0 0
//! end f10 10
//! ```
//!
//! Below a `state` line, the line `min` names the moves of Min; each line `max` names a move of
//! Max and the states that it leads to, one for each move of Min. A `-` stands for a combination
//! that leads nowhere: as in Remark 7 of the thesis, it leads to a final state with the least
//! payoff. A payoff is a whole number, a decimal or a fraction like `1/3`. `#` begins a comment.
//! Where `start` is missing, the first state defined is the start. No play may come back to a
//! state (section 5.1.1).

use std::collections::{HashMap, HashSet};

use foregone_model::number::counted;
use foregone_model::scene::Scene;
use foregone_model::{Joint, JointNotation, Rules, Side, TextError, rules_of_text};

use crate::explicit::{Word, once, usable, words};
use crate::options::Options;
use crate::payoffs::{self, Payoff};
use crate::picture::table;
use crate::registry::{Entry, FileForm, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    file: Some(FileForm {
        ending: ".joint",
        about: "`state STATE` begins a state: below it `min MOVE MOVE …` names the moves of Min, and \
                each line\n`max MOVE -> STATE STATE …` a move of Max and where it leads, a state for \
                each move of Min.\nA `-` leads nowhere: to the least payoff. `end STATE PAYOFF` is \
                a state where it is over; a payoff\nis a whole number, a decimal or a fraction like \
                1/3. `start STATE` may be left out (else the\nfirst one). No play may come back to a \
                state. # begins a comment.",
        example: "start s\n\
                  state s\n\
                  min       heads tails\n\
                  max heads -> won lost\n\
                  max tails -> lost won\n\
                  end won  1\n\
                  end lost -1\n",
    }),
    quick: None,
    ..Entry::joint(
        "joint",
        "FILE",
        "A game that you typed: states, moves of both sides, where pairs of them lead",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let game = options.file(looks_right, |name, text| JointFile::read(name, text))?;
    Ok(Opened::pictured_joint(game, JointFile::scene))
}

/// A game given by its transitions.
#[derive(Clone, Debug)]
pub struct JointFile {
    name: String,
    rules: Rules,
    unit: i64,
    range: (i64, i64),
    start: u32,
    states: Vec<Node>,
    /// The number of each state's name.
    numbers: HashMap<String, u32>,
}

#[derive(Clone, Debug)]
struct Node {
    name: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    End(i64),
    Choice {
        /// The names of the moves of Max and of Min.
        moves: [Vec<String>; 2],
        /// Where they lead, row by row.
        next: Vec<u32>,
    },
}

/// Whether a line begins with one of these words.
pub(crate) fn looks_right(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| KEYWORDS.contains(&word))
}

/// A state, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State(u32);

/// The words that begin the lines of a file.
const KEYWORDS: &[&str] = &["start", "state", "min", "max", "end"];

/// What a combination that leads nowhere is written as, and the name of the state it leads to.
const NOWHERE: &str = "-";

/// What a file says, before names are looked up.
#[derive(Default)]
struct Draft<'t> {
    start: Option<Word<'t>>,
    tables: Vec<Table<'t>>,
    ends: Vec<Word<'t>>,
    /// The payoff of each end.
    payoffs: Vec<Payoff>,
    /// Whether lines `min` and `max` belong to the last table.
    open: bool,
}

/// The transitions of a state.
struct Table<'t> {
    state: Word<'t>,
    min: Option<Vec<Word<'t>>>,
    max: Vec<Word<'t>>,
    /// The states that each move of Max leads to.
    rows: Vec<Vec<Word<'t>>>,
}

impl<'t> Draft<'t> {
    fn read(text: &'t str) -> Result<Draft<'t>, TextError> {
        let mut draft = Draft::default();
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            let found = words(line, offset);
            offset += line.len();
            if let Some((keyword, rest)) = found.split_first() {
                draft.statement(keyword, rest)?;
            }
        }
        draft.tables.iter().try_for_each(Table::check)?;
        Ok(draft)
    }

    fn statement(&mut self, keyword: &Word<'t>, rest: &[Word<'t>]) -> Result<(), TextError> {
        let table = self.tables.last_mut().filter(|_| self.open);
        match (keyword.text, rest) {
            ("start", [state]) => {
                self.open = false;
                once(&mut self.start, keyword, state.clone())
            }
            ("end", [state, payoff]) => {
                self.open = false;
                name(state)?;
                self.ends.push(state.clone());
                self.payoffs.push(Payoff::read(payoff.text, payoff.span.start)?);
                Ok(())
            }
            ("state", [state]) => {
                name(state)?;
                let (state, max, rows) = (state.clone(), Vec::new(), Vec::new());
                self.tables.push(Table { state, min: None, max, rows });
                self.open = true;
                Ok(())
            }
            ("min", [_, ..]) | ("max", [_, _, _, ..]) => {
                let Some(table) = table else {
                    let message = format!("`{}` stands below a line `state STATE`", keyword.text);
                    return Err(keyword.error(message));
                };
                table.line(keyword, rest)
            }
            ("start", _) => Err(keyword.error("expected `start STATE`")),
            ("end", _) => Err(keyword.error("expected `end STATE PAYOFF`")),
            ("state", _) => Err(keyword.error("expected `state STATE`")),
            ("min", _) => Err(keyword.error("expected `min MOVE …`")),
            ("max", _) => Err(keyword.error("expected `max MOVE -> STATE …`")),
            (word, _) => Err(keyword
                .error(format!("`{word}` does not begin a line of a game with joint moves"))
                .with_choices(KEYWORDS.iter().map(|&w| w.to_owned()).collect())),
        }
    }
}

impl<'t> Table<'t> {
    /// A line `min` or `max`.
    fn line(&mut self, keyword: &Word<'t>, rest: &[Word<'t>]) -> Result<(), TextError> {
        if keyword.text == "min" {
            let mut seen = HashSet::new();
            for m in rest {
                name(m)?;
                if !seen.insert(m.text) {
                    return Err(m.error(format!("the move `{}` is named twice here", m.text)));
                }
            }
            return once(&mut self.min, keyword, rest.to_vec());
        }
        let Some(min) = &self.min else {
            return Err(keyword.error("the moves of Min come first: `min MOVE …`"));
        };
        let [m, arrow, states @ ..] = rest else { return Ok(()) };
        if arrow.text != "->" {
            return Err(arrow.error("expected `max MOVE -> STATE …`"));
        }
        name(m)?;
        if self.max.iter().any(|other| other.text == m.text) {
            return Err(m.error(format!("the move `{}` of Max is named twice", m.text)));
        }
        if states.len() != min.len() {
            let [found, moves] = [(states.len(), "state"), (min.len(), "move")]
                .map(|(n, word)| counted(n as u64, word));
            let message = format!("a row of {found} does not fit {moves} of Min");
            let last = states.last().unwrap_or(m);
            return Err(TextError::new(message, m.span.start..last.span.end));
        }
        self.max.push(m.clone());
        self.rows.push(states.to_vec());
        Ok(())
    }

    /// Both sides have moves, and each leads somewhere (Definition 41).
    fn check(&self) -> Result<(), TextError> {
        let min = match &self.min {
            Some(min) if !self.max.is_empty() => min,
            _ => {
                let message = format!(
                    "the state `{}` has no moves: expected lines `min` and `max` below",
                    self.state.text
                );
                return Err(self.state.error(message));
            }
        };
        let nowhere = |word: &Word<'t>| word.text == NOWHERE;
        let row = self.rows.iter().position(|row| row.iter().all(nowhere));
        let column = (0..min.len()).find(|&c| self.rows.iter().all(|row| nowhere(&row[c])));
        match row.map(|r| &self.max[r]).or(column.map(|c| &min[c])) {
            None => Ok(()),
            Some(m) => Err(m.error(format!("the move `{}` leads nowhere", m.text))),
        }
    }

    fn cells(&self) -> impl Iterator<Item = &Word<'t>> {
        self.rows.iter().flatten()
    }
}

/// Refuses names that could not be told from other parts of a text: a slash stands between moves.
fn name(word: &Word<'_>) -> Result<(), TextError> {
    usable(word)?;
    match word.text.contains('/') || word.text == NOWHERE {
        true => Err(word.error(format!("`{}` cannot be a name: it has a slash", word.text))),
        false => Ok(()),
    }
}

impl JointFile {
    /// Reads a game; `name` is what a person types to get it. Spans of errors are in `text`.
    pub fn read(name: impl Into<String>, text: &str) -> Result<JointFile, TextError> {
        let Draft { start, tables, ends, payoffs, .. } = Draft::read(text)?;

        // Step 1: the states, numbered in the order of their definitions.
        let mut defined: Vec<&Word<'_>> = tables.iter().map(|t| &t.state).collect();
        defined.extend(&ends);
        defined.sort_by_key(|w| w.span.start);
        let mut numbers = HashMap::new();
        for (i, state) in defined.iter().enumerate() {
            if numbers.insert(state.text.to_owned(), i as u32).is_some() {
                return Err(state.error(format!("the state `{}` is already defined", state.text)));
            }
        }
        let Some(first) = defined.first() else {
            return Err(TextError::new("there are no states", 0..text.len()));
        };
        // One more state, for what leads nowhere.
        let nowhere = defined.len() as u32;
        let number = |w: &Word<'_>| {
            if w.text == NOWHERE {
                return Ok(nowhere);
            }
            numbers.get(w.text).copied().ok_or_else(|| {
                w.error(format!("the state `{}` is never defined", w.text))
                    .with_choices(defined.iter().map(|d| d.text.to_owned()).collect())
            })
        };

        // Step 2: payoffs.
        let (unit, payoffs) = payoffs::numerators(&payoffs)?;
        // Without final states there is a cycle, which is refused below.
        let least = payoffs.iter().min().copied().unwrap_or(0);
        let range = (least, payoffs.iter().max().copied().unwrap_or(0));

        // Step 3: what the states are.
        let end = |name: &str| Node { name: name.to_owned(), kind: Kind::End(least) };
        let mut states: Vec<Node> = defined.iter().map(|d| end(d.text)).collect();
        states.push(end(NOWHERE));
        for (state, payoff) in ends.iter().zip(payoffs) {
            states[number(state)? as usize].kind = Kind::End(payoff);
        }
        let mut table_of = vec![None; states.len()];
        for table in &tables {
            let names = |moves: &[Word<'_>]| moves.iter().map(|m| m.text.to_owned()).collect();
            let min = table.min.as_deref().unwrap_or_default();
            let next = table.cells().map(&number).collect::<Result<_, _>>()?;
            let state = number(&table.state)? as usize;
            states[state].kind = Kind::Choice { moves: [names(&table.max), names(min)], next };
            table_of[state] = Some(table);
        }
        let start = match &start {
            Some(w) if w.text != NOWHERE => number(w)?,
            Some(w) => return Err(w.error("a game cannot start nowhere")),
            None => number(first)?,
        };

        // Step 4: no cycles.
        if let Some((state, cell)) = cycle(&states)
            && let Some(word) = table_of[state].and_then(|table| table.cells().nth(cell))
        {
            let message = format!("a play can come back to `{}`: games must end", word.text);
            return Err(word.error(message));
        }
        numbers.insert(NOWHERE.to_owned(), nowhere);
        let rules = rules_of_text(text);
        Ok(JointFile { name: name.into(), rules, unit, range, start, states, numbers })
    }

    fn node(&self, s: State) -> &Node {
        &self.states[s.0 as usize]
    }
}

/// A state and the place of a successor from which it can be reached, if there is a cycle: depth
/// first, a cycle comes back to a state of the path.
fn cycle(states: &[Node]) -> Option<(usize, usize)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Never,
        OnPath,
        Done,
    }
    let mut seen = vec![Seen::Never; states.len()];
    for root in 0..states.len() {
        if seen[root] != Seen::Never {
            continue;
        }
        seen[root] = Seen::OnPath;
        let mut path = vec![(root, 0)];
        while let Some((state, place)) = path.last_mut() {
            let next = match &states[*state].kind {
                Kind::Choice { next, .. } => next.get(*place),
                Kind::End(_) => None,
            };
            let Some(&next) = next else {
                seen[*state] = Seen::Done;
                path.pop();
                continue;
            };
            if seen[next as usize] == Seen::OnPath {
                return Some((*state, *place));
            }
            *place += 1;
            if seen[next as usize] == Seen::Never {
                seen[next as usize] = Seen::OnPath;
                path.push((next as usize, 0));
            }
        }
    }
    None
}

impl Joint for JointFile {
    type State = State;
    /// The number of a move in its state.
    type Move = u32;

    fn unit(&self) -> i64 {
        self.unit
    }

    fn range(&self) -> (i64, i64) {
        self.range
    }

    fn start(&self) -> State {
        State(self.start)
    }

    fn payoff(&self, s: &State) -> Option<i64> {
        match self.node(*s).kind {
            Kind::End(payoff) => Some(payoff),
            Kind::Choice { .. } => None,
        }
    }

    fn moves(&self, s: &State, side: Side, out: &mut Vec<u32>) {
        if let Kind::Choice { moves, .. } = &self.node(*s).kind {
            out.extend(0..moves[side.index()].len() as u32);
        }
    }

    fn play(&self, s: &mut State, max: u32, min: u32) {
        if let Kind::Choice { moves, next } = &self.node(*s).kind {
            *s = State(next[max as usize * moves[1].len() + min as usize]);
        }
    }
}

impl JointFile {
    /// A picture of a state: where pairs of moves lead, or what they bring.
    fn scene(&self, s: &State) -> Scene {
        let node = self.node(*s);
        let name = |n: u32| match &self.node(State(n)).kind {
            Kind::End(payoff) => payoffs::text(*payoff, self.unit),
            Kind::Choice { .. } => self.node(State(n)).name.clone(),
        };
        match &node.kind {
            Kind::End(_) => Scene::of_text(&self.draw(s)),
            Kind::Choice { moves: [max, min], next } => {
                let mut scene =
                    table([max, min], |r, c| name(next[r * min.len() + c]), self.players());
                scene.notes.push(format!("state {}", node.name));
                scene
            }
        }
    }
}

impl JointNotation for JointFile {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn rules(&self) -> Rules {
        self.rules.clone()
    }

    fn players(&self) -> [&str; 2] {
        ["Max", "Min"]
    }

    fn write_move(&self, s: &State, side: Side, m: u32, out: &mut String) {
        if let Kind::Choice { moves, .. } = &self.node(*s).kind {
            out.push_str(&moves[side.index()][m as usize]);
        }
    }

    fn parse_move(&self, s: &State, side: Side, text: &str) -> Option<u32> {
        match &self.node(*s).kind {
            Kind::End(_) => None,
            Kind::Choice { moves, .. } => {
                moves[side.index()].iter().position(|name| name == text).map(|m| m as u32)
            }
        }
    }

    fn write_position(&self, s: &State, out: &mut String) {
        out.push_str(&self.node(*s).name);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        self.numbers.get(text).map(|&n| State(n)).ok_or_else(|| {
            let message = format!("there is no state `{text}` in {}", self.name);
            let choices = self.states.iter().map(|n| n.name.clone()).collect();
            TextError::new(message, 0..text.len()).with_choices(choices)
        })
    }

    fn draw(&self, s: &State) -> String {
        let node = self.node(*s);
        let (moves, next) = match &node.kind {
            Kind::End(payoff) => {
                return format!("{}: {}\n", node.name, payoffs::text(*payoff, self.unit));
            }
            Kind::Choice { moves, next } => (moves, next),
        };
        let [max, min] = moves;
        let mut table = vec![vec![node.name.clone()]];
        table[0].extend_from_slice(min);
        for (m, row) in max.iter().zip(next.chunks(min.len())) {
            let mut line = vec![m.clone()];
            line.extend(row.iter().map(|&n| self.node(State(n)).name.clone()));
            table.push(line);
        }
        payoffs::table(&table)
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::JointTyped as _;
    use std::collections::HashMap;

    use super::*;
    use crate::joint_testing::{close, joint_value};
    use crate::testing::{joint_texts_round_trip, joint_tree};

    const EXAMPLE_11: &str = include_str!("../../../examples/example-11.joint");

    fn read(text: &str) -> Result<JointFile, TextError> {
        JointFile::read("joint:test", text)
    }

    #[test]
    fn example_11_is_worth_5_everywhere() {
        let game = read(EXAMPLE_11).unwrap();
        assert_eq!(game.range(), (0, 10));
        assert_eq!(joint_tree(&game, &game.start(), Some(&mut HashSet::new())), 3);
        // s3: 10 and 0 crosswise. s2: (5, 6; 0, 2), where the first row and the first column are
        // best. s1: (5, 6; 2, 5), the same.
        for state in ["s1", "s2", "s3"] {
            let s = game.read_position(state).unwrap();
            assert!(close(joint_value(&game, &s, &mut HashMap::new()), 5.0), "{state}");
        }
        assert_eq!(game.draw(&game.start()), "  s1   1   2\n   1  s3  f6\n   2  f2  s2\n");
    }

    #[test]
    fn texts_are_read_back() {
        joint_texts_round_trip(&read(EXAMPLE_11).unwrap());
        let text = "end won 3/2\nend lost -0.25\nstart a\nstate a\nmin left right\n\
            max up -> b -\nmax down -> lost won\nstate b\nmin x\nmax y -> won\n";
        joint_texts_round_trip(&read(text).unwrap());
    }

    #[test]
    fn what_leads_nowhere_has_the_least_payoff() {
        let game =
            read("state a\nmin l r\nmax u -> b -\nmax d -> - c\nend b 1/2\nend c -1/3\n").unwrap();
        assert_eq!((game.unit(), game.range()), (6, (-2, 3)));
        let payoff = |text| game.payoff(&game.read_position_or_moves(text).unwrap());
        assert_eq!(payoff("moves:u/l"), Some(3));
        assert_eq!(payoff("moves:u/r"), Some(-2));
        assert_eq!(payoff("-"), Some(-2));
        assert_eq!(game.draw(&State(3)), "-: -1/3\n");
    }

    #[test]
    fn mistakes_show_their_place() {
        let cases = [
            ("# nothing\n", "# nothing\n", "no states"),
            ("sate a\n", "sate", "does not begin"),
            ("state a b\n", "state", "expected `state STATE`"),
            ("end a\n", "end", "expected `end STATE PAYOFF`"),
            ("end a x\n", "x", "is not a number"),
            ("end a 1e30\n", "1e30", "too large"),
            ("end a/b 1\n", "a/b", "cannot be a name"),
            ("end start 1\n", "start", "cannot be a name"),
            ("end a 1\nend a 2\n", "a", "already defined"),
            ("start a\nstart a\nend a 1\n", "start", "already given"),
            ("start b\nend a 1\n", "b", "never defined"),
            ("start -\nend a 1\n", "-", "cannot start nowhere"),
            ("min 1 2\n", "min", "below a line `state STATE`"),
            ("state a\nend b 0\nmin 1\n", "min", "below a line `state STATE`"),
            ("state a\nmin 1\nmin 2\n", "min", "already given"),
            ("state a\nmin 1 1\n", "1", "named twice"),
            ("state a\nmin\n", "min", "expected `min MOVE …`"),
            ("state a\nmax 1 -> b\n", "max", "Min come first"),
            ("state a\nmin 1\nmax 1 b\n", "max", "expected `max MOVE -> STATE …`"),
            ("state a\nmin 1\nmax 1 b c\n", "b", "expected `max MOVE -> STATE …`"),
            ("state a\nmin 1\nmax 1 -> b\nmax 1 -> b\n", "1", "is named twice"),
            (
                "state a\nmin 1 2\nmax 1 -> b\n",
                "1 -> b",
                "a row of 1 state does not fit 2 moves of Min",
            ),
            ("state a\n", "a", "has no moves"),
            ("state a\nmin 1\n", "a", "has no moves"),
            ("state a\nmin 1\nmax up -> b\nmax d -> -\nend b 1\n", "d", "leads nowhere"),
            ("state a\nmin 1 r\nmax u -> b -\nend b 1\n", "r", "leads nowhere"),
            ("state a\nmin 1\nmax u -> bb\nend b 1\n", "bb", "never defined"),
            ("state a\nmin 1\nmax u -> a\nend b 1\n", "a", "come back to `a`"),
        ];
        for (text, at, message) in cases {
            let error = read(text).unwrap_err();
            assert_eq!(&text[error.span.clone()], at, "{text}");
            assert!(error.message.contains(message), "{}: {}", text, error.message);
        }
    }

    #[test]
    fn cycles_are_shown_where_they_close() {
        let text = "state a\nmin 1 2\nmax 1 -> b c\nstate b\nmin 1\nmax 1 -> c\n\
            state c\nmin 1 2\nmax 1 -> d a\nend d 0\n";
        let error = read(text).unwrap_err();
        assert_eq!(error.span, text.rfind("a\nend").map(|at| at..at + 1).unwrap());
        // Two ways to one state are no cycle.
        assert!(read(&text.replace("d a", "d d")).is_ok());
    }
}
