//! A game graph that a person types: states, who moves, successors, outcomes.
//!
//! ```text
//! # Figure 2.1a of "Solving Games and All That"
//! start s0
//! max s0 -> s1 s2
//! min s1 -> s0 s3
//! end s2 loss
//! end s3 win
//! ```
//!
//! `outcomes loss draw win` names other outcomes, the worst for Max first (loss and win by
//! default); whole numbers that rise are numbers, and the expected value of a game with chance is
//! then about them. `chance s -> a:1 b:5` is a state in which chance goes to `b` five times as often
//! as to `a`; the weight 1 may be left out. A graph may have cycles: `endless OUTCOME` says what an endless play is worth, and
//! without that line the rules leave it open. `#` begins a comment. Where `start` is missing, the
//! first state defined is the start.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use foregone_model::formula::name_is_usable;
use foregone_model::scene::{Paint, Scene};
use foregone_model::{
    Agent, Endless, Game, Guide, Notation, Outcome, Rules, Scale, Side, TextError, Turn,
    rules_of_text,
};

use crate::options::Options;
use crate::picture::{GraphNode, graph};
use crate::registry::{Entry, FileForm, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    file: Some(FileForm {
        ending: ".game",
        about: "A line for each state: `max STATE -> STATE STATE …` and `min STATE -> …` where the \
                first\nor the second player moves, `chance STATE -> STATE:WEIGHT …` where chance does \
                (`STATE` alone has\nweight 1), `end STATE OUTCOME` where it is over. Lines that may \
                be left out: `start STATE` (else\nthe first one), `outcomes loss draw win` (the worst \
                for Max first; else loss and win; numbers\nthat rise are points), `endless OUTCOME` \
                (what a play without an end is worth; else nothing is\nsaid). # begins a comment.",
        example: "start s0\n\
                  max s0 -> s1 s2\n\
                  min s1 -> s0 s3\n\
                  end s2 loss\n\
                  end s3 win\n",
    }),
    quick: None,
    ..Entry::in_turn(
        "explicit",
        "FILE",
        "A game graph that you typed: states, who moves, successors, outcomes",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let game = options.file(looks_right, |name, text| Explicit::read(name, text))?;
    Ok(Opened::pictured(game, Explicit::scene))
}

/// A game given by its graph.
#[derive(Clone, Debug)]
pub struct Explicit {
    name: String,
    rules: Rules,
    scale: Scale,
    endless: Endless,
    start: u32,
    states: Vec<Node>,
    /// The number of each state's name.
    numbers: HashMap<String, u32>,
    /// How often chance goes from one state to another.
    weights: HashMap<(u32, u32), u64>,
}

#[derive(Clone, Debug)]
struct Node {
    name: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Choice(Mover, Vec<u32>),
    End(Outcome),
}

/// Who goes on from a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mover {
    Player(Side),
    Chance,
}

impl Mover {
    fn agent(self) -> Agent {
        match self {
            Mover::Player(side) => side.agent(),
            Mover::Chance => Agent::CHANCE,
        }
    }

    /// The word that its lines begin with.
    fn word(self) -> &'static str {
        match self {
            Mover::Player(side) => PLAYERS[side.index()],
            Mover::Chance => "chance",
        }
    }

    fn paint(self) -> Paint {
        match self {
            Mover::Player(side) => [Paint::PaleBlue, Paint::PaleRed][side.index()],
            Mover::Chance => Paint::Yellow,
        }
    }
}

/// Whether a line begins with one of these words.
pub(crate) fn looks_right(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| KEYWORDS.contains(&word))
}

/// A state, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State(u32);

foregone_model::stored!(State(number));

const PLAYERS: [&str; 2] = ["max", "min"];
/// The words that begin the lines of a file.
const KEYWORDS: &[&str] = &["start", "max", "min", "chance", "end", "outcomes", "endless"];

/// Searches could count more, but a best first search looks at all of them again each time that one
/// of them changes.
const MOST_SUCCESSORS: usize = 100_000;
/// All successors of a state together weigh less than 2^64.
const MOST_WEIGHT: u64 = 1_000_000_000;
/// The places of a scale are counted in sixteen bits; no one types more than this.
const MOST_OUTCOMES: usize = 10_000;

/// A word of the file and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    pub(crate) span: Range<usize>,
}

impl Word<'_> {
    pub(crate) fn error(&self, message: impl Into<String>) -> TextError {
        TextError::new(message, self.span.clone())
    }
}

/// The words of a line that begins at byte `offset`, up to a comment.
pub(crate) fn words<'t>(line: &'t str, offset: usize) -> Vec<Word<'t>> {
    let code = line.split('#').next().unwrap_or_default();
    let base = line.as_ptr() as usize;
    code.split_whitespace()
        .map(|text| {
            let at = offset + (text.as_ptr() as usize - base);
            Word { text, span: at..at + text.len() }
        })
        .collect()
}

/// What a file says, before names are looked up.
#[derive(Default)]
struct Draft<'t> {
    outcomes: Option<Vec<Word<'t>>>,
    endless: Option<Word<'t>>,
    start: Option<Word<'t>>,
    choices: Vec<Choice<'t>>,
    ends: Vec<(Word<'t>, Word<'t>)>,
}

/// A state in which somebody moves.
struct Choice<'t> {
    mover: Mover,
    state: Word<'t>,
    /// Each with its weight, which is 1 for players.
    successors: Vec<(Word<'t>, u64)>,
}

impl<'t> Draft<'t> {
    fn read(text: &'t str) -> Result<Draft<'t>, TextError> {
        let mut draft = Draft::default();
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            let found = words(line, offset);
            offset += line.len();
            let Some((keyword, rest)) = found.split_first() else {
                continue;
            };
            draft.statement(keyword, rest)?;
        }
        Ok(draft)
    }

    fn statement(&mut self, keyword: &Word<'t>, rest: &[Word<'t>]) -> Result<(), TextError> {
        match (keyword.text, rest) {
            ("start", [state]) => once(&mut self.start, keyword, state.clone()),
            ("endless", [outcome]) => once(&mut self.endless, keyword, outcome.clone()),
            ("outcomes", [_, _, ..]) => once(&mut self.outcomes, keyword, rest.to_vec()),
            ("end", [state, outcome]) => {
                self.ends.push((state.clone(), outcome.clone()));
                Ok(())
            }
            ("max" | "min" | "chance", [state, arrow, _, ..]) if arrow.text == "->" => {
                let mover = match keyword.text {
                    "max" => Mover::Player(Side::Max),
                    "min" => Mover::Player(Side::Min),
                    _ => Mover::Chance,
                };
                let successors = successors(mover, &rest[2..])?;
                self.choices.push(Choice { mover, state: state.clone(), successors });
                Ok(())
            }
            ("start", _) => Err(keyword.error("expected `start STATE`")),
            ("endless", _) => Err(keyword.error("expected `endless OUTCOME`")),
            ("outcomes", _) => Err(keyword.error("expected `outcomes WORST … BEST`, two or more")),
            ("end", _) => Err(keyword.error("expected `end STATE OUTCOME`")),
            ("max" | "min", _) => {
                let form = format!("expected `{} STATE -> SUCCESSOR …`", keyword.text);
                Err(keyword.error(form))
            }
            ("chance", _) => Err(keyword.error("expected `chance STATE -> SUCCESSOR:WEIGHT …`")),
            (word, _) => Err(keyword
                .error(format!("`{word}` does not begin a line of an explicit game"))
                .with_choices(KEYWORDS.iter().map(|&w| w.to_owned()).collect())),
        }
    }
}

/// The successors of a state, each with its weight.
fn successors<'t>(mover: Mover, words: &[Word<'t>]) -> Result<Vec<(Word<'t>, u64)>, TextError> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for word in words {
        let (state, weight) = weighted(mover, word)?;
        if !seen.insert(state.text) {
            return Err(state.error(format!("`{}` is named twice here", state.text)));
        }
        if seen.len() > MOST_SUCCESSORS {
            let message = format!("a state has at most {MOST_SUCCESSORS} successors");
            return Err(state.error(message));
        }
        found.push((state, weight));
    }
    Ok(found)
}

/// A state and its weight: `a:5`, or `a` alone.
fn weighted<'t>(mover: Mover, word: &Word<'t>) -> Result<(Word<'t>, u64), TextError> {
    let Some((state, weight)) = word.text.split_once(':') else {
        return Ok((word.clone(), 1));
    };
    let colon = word.span.start + state.len();
    let weight = Word { text: weight, span: colon + 1..word.span.end };
    let state = Word { text: state, span: word.span.start..colon };
    if mover != Mover::Chance {
        let message = format!("`{}` chooses: only successors of chance have weights", mover.word());
        return Err(word.error(message));
    }
    // One text a number: no signs, no leading zeros.
    let number = weight.text.parse::<u64>().ok().filter(|n| n.to_string() == weight.text);
    match number {
        Some(n) if (1..=MOST_WEIGHT).contains(&n) => Ok((state, n)),
        _ => {
            let message = format!(
                "`{}` is not a weight, expected a whole number from 1 to {MOST_WEIGHT}",
                weight.text
            );
            // What is missing is shown by the word that lacks it.
            let at = if weight.text.is_empty() { word } else { &weight };
            Err(at.error(message))
        }
    }
}

/// Refuses names that would mean something else in a certificate or in a formula.
pub(crate) fn usable(word: &Word<'_>) -> Result<(), TextError> {
    let taken = ["->", "-", "start", "or-endless"].contains(&word.text);
    match name_is_usable(word.text) && !taken {
        true => Ok(()),
        false => Err(word.error(format!(
            "`{}` cannot be a name: it is a keyword, or has a character with a special meaning",
            word.text.escape_debug()
        ))),
    }
}

/// Fills a slot that a file may fill once.
pub(crate) fn once<T>(slot: &mut Option<T>, keyword: &Word<'_>, value: T) -> Result<(), TextError> {
    if slot.is_some() {
        return Err(keyword.error(format!("`{}` was already given", keyword.text)));
    }
    *slot = Some(value);
    Ok(())
}

/// The whole number that a name is, written as numbers are; a plus sign may stand before it. Scores
/// have a negative, so the least number of 64 bits is not one.
fn score(name: &str) -> Option<i64> {
    let plain = |n: &i64| name == n.to_string() || name == format!("{n:+}");
    name.parse().ok().filter(|n| plain(n) && *n != i64::MIN)
}

impl Explicit {
    /// Reads a game; `name` is what a person types to get it. Spans of errors are in `text`.
    pub fn read(name: impl Into<String>, text: &str) -> Result<Explicit, TextError> {
        let draft = Draft::read(text)?;

        // Step 1: the outcomes.
        let scale = match &draft.outcomes {
            None => Scale::two(),
            Some(words) => {
                let mut seen = HashSet::new();
                for w in words {
                    usable(w)?;
                    if !seen.insert(w.text) {
                        return Err(w.error(format!("the outcome `{}` is named twice", w.text)));
                    }
                    if seen.len() > MOST_OUTCOMES {
                        let message = format!("a game has at most {MOST_OUTCOMES} outcomes");
                        return Err(w.error(message));
                    }
                }
                let scores: Option<Vec<i64>> = words.iter().map(|w| score(w.text)).collect();
                let digits = |t: &str| {
                    let size = t.trim_start_matches(['+', '-']);
                    !size.is_empty() && size.bytes().all(|b| b.is_ascii_digit())
                };
                let odd = words.iter().find(|w| score(w.text).is_none());
                if let (true, Some(w)) = (words.iter().all(|w| digits(w.text)), odd) {
                    let message = "outcomes that are numbers must be whole, fit 64 bits and have no \
                                   leading zeros";
                    return Err(w.error(message));
                }
                let falls = scores.as_ref().and_then(|s| (1..s.len()).find(|&i| s[i] <= s[i - 1]));
                if let Some(i) = falls {
                    let message = "outcomes that are numbers must rise from the worst to the best";
                    return Err(words[i].error(message));
                }
                let names = words.iter().map(|w| w.text.to_owned());
                match scores {
                    Some(scores) => Scale::spelled(scores.into_iter().zip(names).collect()),
                    None => Scale::words(names.collect()),
                }
            }
        };
        let outcome = |w: &Word<'_>| {
            scale.find(w.text).ok_or_else(|| {
                w.error(format!("there is no outcome `{}`", w.text))
                    .with_choices(scale.names().map(str::to_owned).collect())
            })
        };

        // Step 2: the states, numbered in the order of their definitions.
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut defined: Vec<&Word<'_>> =
            draft.choices.iter().map(|choice| &choice.state).collect();
        defined.extend(draft.ends.iter().map(|(s, _)| s));
        defined.sort_by_key(|w| w.span.start);
        for (i, state) in defined.iter().enumerate() {
            usable(state)?;
            if numbers.insert(state.text.to_owned(), i as u32).is_some() {
                return Err(state.error(format!("the state `{}` is already defined", state.text)));
            }
        }
        let Some(first) = defined.first() else {
            return Err(TextError::new("there are no states", 0..text.len()));
        };
        let number = |w: &Word<'_>| {
            numbers.get(w.text).copied().ok_or_else(|| {
                w.error(format!("the state `{}` is never defined", w.text))
                    .with_choices(defined.iter().map(|d| d.text.to_owned()).collect())
            })
        };

        // Step 3: what the states are.
        let mut states: Vec<Node> = defined
            .iter()
            .map(|d| Node { name: d.text.to_owned(), kind: Kind::End(Outcome(0)) })
            .collect();
        let mut weights = HashMap::new();
        for Choice { mover, state, successors } in &draft.choices {
            let from = number(state)?;
            let mut next = Vec::with_capacity(successors.len());
            for (successor, weight) in successors {
                let to = number(successor)?;
                next.push(to);
                if *mover == Mover::Chance {
                    weights.insert((from, to), *weight);
                }
            }
            states[from as usize].kind = Kind::Choice(*mover, next);
        }
        for (state, o) in &draft.ends {
            states[number(state)? as usize].kind = Kind::End(outcome(o)?);
        }
        let start = number(draft.start.as_ref().unwrap_or(first))?;

        // Step 4: endless play.
        let endless = match (&draft.endless, has_cycle(&states)) {
            (Some(w), cyclic) => {
                let o = outcome(w)?;
                if cyclic { Endless::Scores(o) } else { Endless::Impossible }
            }
            (None, true) => Endless::Undetermined,
            (None, false) => Endless::Impossible,
        };
        let rules = rules_of_text(text);
        Ok(Explicit { name: name.into(), rules, scale, endless, start, states, numbers, weights })
    }

    fn node(&self, s: State) -> &Node {
        &self.states[s.0 as usize]
    }
}

/// Whether the graph has a cycle: states are taken away as long as some state has no successor
/// left (Kahn's algorithm); what stays lies on or before a cycle.
fn has_cycle(states: &[Node]) -> bool {
    let mut left = vec![0usize; states.len()];
    let mut parents: Vec<Vec<u32>> = vec![Vec::new(); states.len()];
    for (i, node) in states.iter().enumerate() {
        if let Kind::Choice(_, successors) = &node.kind {
            left[i] = successors.len();
            for &s in successors {
                parents[s as usize].push(i as u32);
            }
        }
    }
    let mut ready: Vec<usize> = (0..states.len()).filter(|&i| left[i] == 0).collect();
    let mut taken = 0;
    while let Some(i) = ready.pop() {
        taken += 1;
        for &p in &parents[i] {
            left[p as usize] -= 1;
            if left[p as usize] == 0 {
                ready.push(p as usize);
            }
        }
    }
    taken < states.len()
}

impl Game for Explicit {
    type State = State;
    /// The successor's number.
    type Move = u32;

    fn scale(&self) -> Scale {
        self.scale.clone()
    }

    fn endless(&self) -> Endless {
        self.endless
    }

    fn start(&self) -> State {
        State(self.start)
    }

    fn turn(&self, s: &State) -> Turn {
        match &self.node(*s).kind {
            Kind::Choice(Mover::Player(side), _) => Turn::Agent(side.agent()),
            Kind::Choice(Mover::Chance, _) => Turn::Chance,
            Kind::End(_) => Turn::Over,
        }
    }

    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<u32>) {
        // Only the player on turn has transitions (Definition 2).
        if let Kind::Choice(mover, successors) = &self.node(*s).kind
            && mover.agent() == agent
        {
            out.extend(successors);
        }
    }

    fn play(&self, s: &mut State, _agent: Agent, m: u32) {
        *s = State(m);
    }

    fn outcome(&self, s: &State) -> Outcome {
        match self.node(*s).kind {
            Kind::End(o) => o,
            Kind::Choice(..) => Outcome(0),
        }
    }

    fn has_chance(&self) -> bool {
        !self.weights.is_empty()
    }

    fn weight(&self, s: &State, m: u32) -> u64 {
        self.weights.get(&(s.0, m)).copied().unwrap_or(1)
    }
}

impl Guide for Explicit {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }
}

impl Explicit {
    /// A picture of the states that can be reached from this one.
    fn scene(&self, s: &State) -> Scene {
        // All that can be reached, or as much of it as can be seen.
        const MOST: usize = 60;
        let mut found = vec![s.0];
        let mut places = HashMap::from([(s.0, 0)]);
        let mut cut = false;
        let mut at = 0;
        while let Some(&number) = found.get(at) {
            at += 1;
            let Kind::Choice(_, successors) = &self.node(State(number)).kind else { continue };
            for &next in successors {
                if found.len() == MOST && !places.contains_key(&next) {
                    cut = true;
                } else if let std::collections::hash_map::Entry::Vacant(slot) = places.entry(next) {
                    slot.insert(found.len());
                    found.push(next);
                }
            }
        }
        let nodes: Vec<GraphNode> = found.iter().map(|&n| self.graph_node(n, &places)).collect();
        let mut scene = graph(&nodes);
        if let Kind::Choice(mover, successors) = &self.node(*s).kind {
            for next in successors {
                let name = &self.node(State(*next)).name;
                let cell = places.get(next).copied();
                scene.touch(mover.word(), name, cell, false);
            }
        }
        if cut {
            scene.notes.push(format!("{MOST} of {} states", self.states.len()));
        }
        scene
    }

    fn graph_node(&self, number: u32, places: &HashMap<u32, usize>) -> GraphNode {
        let node = self.node(State(number));
        let (next, paint, caption) = match &node.kind {
            Kind::End(o) => (Vec::new(), Paint::Plain, self.scale.name(*o)),
            Kind::Choice(mover, successors) => {
                let edge = |n: &u32| {
                    let weight = self.weights.get(&(number, *n)).map(u64::to_string);
                    places.get(n).map(|&place| (place, weight.unwrap_or_default()))
                };
                (successors.iter().filter_map(edge).collect(), mover.paint(), mover.word())
            }
        };
        GraphNode { name: node.name.clone(), next, paint, caption: caption.to_owned() }
    }
}

impl Notation for Explicit {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn rules(&self) -> Rules {
        self.rules.clone()
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State, m: u32, out: &mut String) {
        out.push_str(&self.node(State(m)).name);
    }

    fn parse_move(&self, _s: &State, text: &str) -> Option<u32> {
        self.numbers.get(text).copied()
    }

    fn write_position(&self, s: &State, out: &mut String) {
        out.push_str(&self.node(*s).name);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        match self.numbers.get(text) {
            Some(&n) => Ok(State(n)),
            None => {
                let message = format!("there is no state `{text}` in {}", self.name);
                let choices = self.states.iter().map(|n| n.name.clone()).collect();
                Err(TextError::new(message, 0..text.len()).with_choices(choices))
            }
        }
    }

    fn draw(&self, s: &State) -> String {
        let node = self.node(*s);
        match &node.kind {
            Kind::End(o) => format!("{}: {}\n", node.name, self.scale.name(*o)),
            Kind::Choice(_, successors) => {
                let written = |&n: &u32| {
                    let name = &self.node(State(n)).name;
                    match self.weights.get(&(s.0, n)) {
                        None => name.clone(),
                        Some(weight) => format!("{name}:{weight}"),
                    }
                };
                let names: Vec<String> = successors.iter().map(written).collect();
                format!("{} -> {}\n", node.name, names.join(" "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chance_testing, testing};

    const DICE: &str = "outcomes -1 0 3\n\
                        max a -> b c\n\
                        chance b -> low mid:2 high:3\n\
                        min c -> d mid\n\
                        chance d -> low:1 high:1000000000\n\
                        end low -1\n\
                        end mid 0\n\
                        end high 3\n";

    #[test]
    fn chance_has_weights() {
        let game = Explicit::read("explicit:test", DICE).unwrap();
        chance_testing::laws(&game, 40);
        let s = game.read_position("b").unwrap();
        assert_eq!(game.turn(&s), Turn::Chance);
        let next = chance_testing::weighed(&game, &s);
        let name = |s: &State| game.position_text(s);
        let found: Vec<_> = next.iter().map(|(w, t)| (*w, name(t))).collect();
        assert_eq!(found, [(1, "low".into()), (2, "mid".into()), (3, "high".into())]);
        assert_eq!(game.draw(&s), "b -> low:1 mid:2 high:3\n");
        assert_eq!(game.draw(&game.start()), "a -> b c\n");
        assert_eq!([1, 2, 3].map(|n| testing::perft(&game, &game.start(), n)), [2, 5, 2]);
        // (-1 + 0 + 3 * 3) / 6; and Min has 0.
        assert_eq!(chance_testing::value_at_start(&game), "4/3");
        assert_eq!(chance_testing::value_of(&game, "c"), "0");
        assert_eq!(chance_testing::value_of(&game, "d"), "2999999999/1000000001");
        // Nobody else moves there, and a graph without the word has no chance.
        for agent in [Agent(0), Agent(1)] {
            assert!(testing::next_states(&game, &s, agent).is_empty());
        }
        assert!(!Explicit::read("explicit:test", "end a win\n").unwrap().has_chance());
        // One successor is chance, too.
        let sure = Explicit::read("explicit:test", "chance a -> b\nend b win\n").unwrap();
        assert!(sure.has_chance() && sure.turn(&sure.start()) == Turn::Chance);
    }

    #[test]
    fn chance_may_lead_round() {
        let text = "max a -> b c\nchance b -> a:3 w:2 l\nend c loss\nend w win\nend l loss\n";
        let game = Explicit::read("explicit:test", text).unwrap();
        assert_eq!(game.endless(), Endless::Undetermined);
        let (value, states) = chance_testing::iterated(&game);
        assert!((value - 2.0 / 3.0).abs() < 1e-9 && states == 5, "{value} {states}");
    }

    #[test]
    fn pictures_show_weights() {
        let game = Explicit::read("explicit:test", DICE).unwrap();
        let scene = game.scene(&game.read_position("b").unwrap());
        let words: Vec<&str> = scene.labels.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(words, ["1", "2", "3", "chance", "-1", "0", "3"]);
        let touched = scene.touched(Some("chance"), "mid").unwrap();
        assert_eq!(touched, (vec!["mid"], false));
        assert_eq!(scene.cells[0].paint, Paint::Yellow);
    }

    #[test]
    fn mistakes_show_their_place() {
        let cases = [
            ("max a -> b\nend b wim\n", "wim", "no outcome"),
            ("max a -> b c\nend b win\n", "c", "never defined"),
            ("max a -> b b\nend b win\n", "b", "named twice"),
            ("max a -> b\nend b win\nend b loss\n", "b", "already defined"),
            ("chance a -> b:0\nend b win\n", "0", "is not a weight"),
            ("chance a -> b:-1\nend b win\n", "-1", "is not a weight"),
            ("chance a -> b:1.5\nend b win\n", "1.5", "is not a weight"),
            ("chance a -> b:02\nend b win\n", "02", "is not a weight"),
            ("chance a -> b:1000000001\nend b win\n", "1000000001", "from 1 to 1000000000"),
            ("chance a -> b:\nend b win\n", "b:", "is not a weight"),
            ("chance a -> b:1:2\nend b win\n", "1:2", "is not a weight"),
            ("chance a -> :2\nend b win\n", "", "never defined"),
            ("chance a -> b:1 b:2\nend b win\n", "b", "named twice"),
            ("chance a -> c:2\nend b win\n", "c", "never defined"),
            ("chance a b\n", "chance", "expected `chance STATE ->"),
            ("max a -> b:2\nend b win\n", "b:2", "only successors of chance"),
            ("mx a -> b\n", "mx", "does not begin"),
            ("max a b\n", "max", "expected `max STATE ->"),
            ("start q\nend a win\n", "q", "never defined"),
            ("start a\nstart a\nend a win\n", "start", "already given"),
            ("end a:b win\n", "a:b", "cannot be a name"),
            ("end stays win\n", "stays", "cannot be a name"),
            ("end @ win\n", "@", "cannot be a name"),
            ("end a\u{1b}[2K win\n", "a\u{1b}[2K", "cannot be a name"),
            ("outcomes loss or-endless\nend a loss\n", "or-endless", "cannot be a name"),
            ("outcomes x x\nend a x\n", "x", "named twice"),
            ("# nothing\n", "# nothing\n", "no states"),
            ("outcomes 5 3 1\nend a 3\n", "3", "rise from the worst"),
            ("outcomes 99999999999999999999 5 1\nend a 1\n", "99999999999999999999", "64 bits"),
            ("outcomes 01 02\nend a 01\n", "01", "leading zeros"),
        ];
        for (text, at, message) in cases {
            let error = Explicit::read("explicit:test", text).unwrap_err();
            assert_eq!(&text[error.span.clone()], at, "{text}");
            assert!(error.message.contains(message), "{}: {}", text, error.message);
        }
    }

    #[test]
    fn what_no_search_can_count_is_refused() {
        let names = |n: usize| (0..n).map(|i| format!(" s{i}")).collect::<String>();
        let wide = |n: usize| {
            let ends: String = (0..n).map(|i| format!("end s{i} win\n")).collect();
            Explicit::read("explicit:test", &format!("max a ->{}\n{ends}", names(n)))
        };
        assert!(wide(MOST_SUCCESSORS).is_ok());
        assert!(wide(MOST_SUCCESSORS + 1).unwrap_err().message.contains("at most 100000"));
        let long = format!("outcomes{}\nend a s1\n", names(MOST_OUTCOMES + 1));
        let error = Explicit::read("explicit:test", &long).unwrap_err();
        assert_eq!(&long[error.span], "s10000");
    }

    #[test]
    fn cycles_are_found() {
        let read = |text| Explicit::read("explicit:test", text).unwrap().endless();
        assert_eq!(read("max a -> b c\nmin b -> c\nend c win\n"), Endless::Impossible);
        assert_eq!(read("max a -> b c\nmin b -> a\nend c win\n"), Endless::Undetermined);
        let draws = "outcomes loss draw win\nendless draw\nmax a -> a b\nend b win\n";
        assert_eq!(read(draws), Endless::Scores(Outcome(1)));
        assert_eq!(read("endless win\nend b win\n"), Endless::Impossible);
    }
}
