//! Hackenbush (J. H. Conway): blue, red and green edges that hang together with the ground.
//!
//! Left removes a blue or a green edge, Right a red or a green one. What is not connected with the
//! ground any more falls off. A player who cannot move loses.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, NormalPlay, Notation, Outcome, Side, TextError, Turn};

use crate::board::read_mover;
use crate::options::{Options, Value};
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "hackenbush",
    "EDGE,EDGE,… (0b1,0g3,0r2,1r3,2b4,3g5,4r5)",
    "Remove an edge of your colour, and what hangs on it; a player who cannot move loses",
    open,
);

const USUAL: &str = "0b1,0g3,0r2,1r3,2b4,3g5,4r5";

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let game = match options.text() {
        None => Hackenbush::new(USUAL)?,
        Some(text) => Hackenbush::of(text, &options.values())?,
    };
    Ok(Opened::normal_play(game, Hackenbush::scene))
}

/// How many edges there can be.
pub const MOST_EDGES: usize = 32;

/// The highest number of a node.
const LAST_NODE: u16 = 31;

/// Hackenbush from a given picture.
#[derive(Clone, Debug)]
pub struct Hackenbush {
    start: Edges,
    /// The edges at the start as they were typed.
    typed: String,
}

/// An edge: the numbers of its nodes, the lower one first, and its colour. The ground is 0.
type Edge = u16;

/// Edges in the order of their nodes and colours, and [`NONE`] behind them.
type Edges = [Edge; MOST_EDGES];

const NONE: Edge = Edge::MAX;

/// The edges that are left, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    edges: Edges,
    turn: Side,
}

foregone_model::stored!(State { edges, turn });

const PLAYERS: [&str; 2] = ["left", "right"];

/// The letters of the colours; Left removes the first and the last, Right the others.
const COLOURS: [char; 3] = ['b', 'r', 'g'];
const GREEN: usize = 2;

fn edge(nodes: [u16; 2], colour: usize) -> Edge {
    let [one, other] = nodes;
    one.min(other) << 7 | one.max(other) << 2 | colour as u16
}

fn nodes(edge: Edge) -> [u16; 2] {
    [edge >> 7, edge >> 2 & LAST_NODE]
}

fn colour(edge: Edge) -> usize {
    usize::from(edge & 3)
}

fn text(edge: Edge) -> String {
    let [one, other] = nodes(edge);
    format!("{one}{}{other}", COLOURS[colour(edge)])
}

fn read_edge(text: &str) -> Option<Edge> {
    let colour = COLOURS.iter().position(|&letter| text.contains(letter))?;
    let (one, other) = text.split_once(COLOURS[colour])?;
    let number = |word: &str| {
        let n: u16 = word.parse().ok()?;
        (n <= LAST_NODE && n.to_string() == word).then_some(n)
    };
    Some(edge([number(one)?, number(other)?], colour))
}

/// The edges of a picture, all of which must be connected with the ground.
fn read_edges(words: &[Value<'_>]) -> Result<Edges, TextError> {
    let mut list = Vec::new();
    for word in words {
        let message = || {
            format!(
                "`{}` is not an edge, expected two nodes up to {LAST_NODE} with `b`, `r` or `g` \
                 between them, such as `0b1`; 0 is the ground",
                word.text
            )
        };
        list.push(read_edge(word.text).ok_or_else(|| word.error(message()))?);
    }
    if list.len() > MOST_EDGES {
        let message = format!("there are {} edges, at most {MOST_EDGES} fit", list.len());
        return Err(words[MOST_EDGES].error(message));
    }
    let held = grounded(&list);
    for (word, &edge) in words.iter().zip(&list) {
        if held >> nodes(edge)[0] & 1 == 0 {
            let message = format!("`{}` is not connected with the ground, 0", word.text);
            return Err(word.error(message));
        }
    }
    Ok(sorted(list))
}

fn sorted(mut list: Vec<Edge>) -> Edges {
    list.sort_unstable();
    let mut edges = [NONE; MOST_EDGES];
    edges[..list.len()].copy_from_slice(&list);
    edges
}

/// The nodes that are connected with the ground.
fn grounded(edges: &[Edge]) -> u32 {
    connected(1, edges, 0)
}

/// The nodes that edges connect with some of `from`, without going through one of `walls`.
fn connected(from: u32, edges: &[Edge], walls: u32) -> u32 {
    let mut reached = from;
    loop {
        let before = reached;
        for &edge in edges {
            let both = nodes(edge).iter().fold(0, |set, node| set | 1u32 << node);
            if both & reached & !walls != 0 {
                reached |= both;
            }
        }
        if reached == before {
            return reached;
        }
    }
}

impl State {
    fn list(&self) -> &[Edge] {
        let length = self.edges.iter().position(|&edge| edge == NONE).unwrap_or(MOST_EDGES);
        &self.edges[..length]
    }
}

/// The edges of a tree that stands on the ground by one edge, with its nodes numbered in an order in
/// which they come up and which depends on nothing but its form. Nothing where there is another way
/// round.
fn tree(list: &[Edge]) -> Option<Vec<Edge>> {
    let above = list
        .iter()
        .fold(0u32, |set, &edge| nodes(edge).iter().fold(set, |set, node| set | 1u32 << node))
        & !1;
    let on_ground = list.iter().filter(|&&edge| nodes(edge)[0] == 0).count();
    if on_ground != 1 || above.count_ones() as usize != list.len() {
        return None;
    }
    let mut numbered = Vec::new();
    number(&form(list, 0, None), 0, &mut numbered);
    Some(numbered)
}

/// What grows on a node: the colours of the edges up, and what grows on them, in order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Form(Vec<(usize, Form)>);

fn form(list: &[Edge], node: u16, below: Option<Edge>) -> Form {
    let mut branches = Vec::new();
    for &edge in list.iter().filter(|&&edge| Some(edge) != below) {
        let [one, other] = nodes(edge);
        if one == node || other == node {
            let next = if one == node { other } else { one };
            branches.push((colour(edge), form(list, next, Some(edge))));
        }
    }
    branches.sort();
    Form(branches)
}

/// Appends the edges of a form whose lowest node has this number.
fn number(form: &Form, node: u16, out: &mut Vec<Edge>) {
    for (colour, above) in &form.0 {
        // As many nodes above the ground as edges have come up.
        let next = out.len() as u16 + 1;
        out.push(edge([node, next], *colour));
        number(above, next, out);
    }
}

/// A part in a normal form: with the same numbers for trees that look alike, and otherwise without
/// gaps between the numbers.
fn part(list: &[Edge]) -> State {
    let edges = tree(list).unwrap_or_else(|| {
        let used = list.iter().flat_map(|&edge| nodes(edge)).fold(1u32, |set, n| set | 1 << n);
        let place = |node: u16| (used & ((1 << node) - 1)).count_ones() as u16;
        list.iter().map(|&e| edge(nodes(e).map(place), colour(e))).collect()
    });
    State { edges: sorted(edges), turn: Side::Max }
}

impl Hackenbush {
    /// A picture of the edges that a text lists, such as `0b1,1r2`.
    pub fn new(edges: &str) -> Result<Hackenbush, TextError> {
        Hackenbush::of(edges, &Value { text: edges, at: 0 }.split(','))
    }

    fn of(text: &str, words: &[Value<'_>]) -> Result<Hackenbush, TextError> {
        Ok(Hackenbush { start: read_edges(words)?, typed: text.to_owned() })
    }

    fn write_edges(list: &[Edge]) -> String {
        let words: Vec<String> = list.iter().map(|&edge| text(edge)).collect();
        words.join(",")
    }

    /// Where the nodes are drawn: as high as they are far from the ground, beside each other.
    fn places(list: &[Edge]) -> Vec<[f64; 2]> {
        let mut places = vec![[0.0, 0.0]; usize::from(LAST_NODE) + 1];
        let (mut reached, mut height) = (1u32, 0.0);
        loop {
            let touched = list.iter().flat_map(|&edge| {
                let [one, other] = nodes(edge);
                [(one, other), (other, one)]
            });
            let next: u32 = touched
                .filter(|(from, to)| reached >> from & 1 == 1 && reached >> to & 1 == 0)
                .fold(0, |set, (_, to)| set | 1 << to);
            if next == 0 {
                return places;
            }
            height += 1.0;
            let new = (0..=LAST_NODE).filter(|node| next >> node & 1 == 1);
            for (i, node) in new.enumerate() {
                let x = i as f64 - f64::from(next.count_ones() - 1) / 2.0;
                places[usize::from(node)] = [x * 1.6, -height * 1.4];
            }
            reached |= next;
        }
    }

    /// A picture of a position.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::new();
        let places = Self::places(s.list());
        let wide = places.iter().map(|[x, _]| x.abs()).fold(1.0, f64::max) + 0.8;
        scene.line([[-wide, 0.0], [wide, 0.0]], 0.08, Paint::Ink);
        scene.label([0.0, 0.4], "ground", 0.34, Paint::Faint);
        let mut last = None;
        let mut times = 0;
        for &edge in s.list() {
            times = if last == Some(nodes(edge)) { times + 1 } else { 0 };
            last = Some(nodes(edge));
            let [mut from, to] = nodes(edge).map(|node| places[usize::from(node)]);
            // The ground is wide: an edge stands on it below where it ends.
            if nodes(edge)[0] == 0 {
                from[0] = to[0];
            }
            // Edges between the same nodes, and one that comes back to where it began.
            let loops = if nodes(edge)[0] == nodes(edge)[1] { 0.6 } else { 0.0 };
            let aside = times as f64 * 0.5 + loops;
            let middle = [(from[0] + to[0]) / 2.0 + aside, (from[1] + to[1]) / 2.0 - loops];
            let paint = [Paint::Blue, Paint::Red, Paint::Green][colour(edge)];
            scene.line([from, middle, to], 0.1, paint);
            let name = format!("{}{}", text(edge), "'".repeat(times));
            let fresh = scene.named(&text(edge)).is_none();
            let cell = scene.rectangle(name, middle, [0.4, 0.4], Paint::None);
            scene.piece(cell, Glyph::Disc, paint);
            if fresh {
                let own = [PLAYERS[0], PLAYERS[1]];
                for (i, player) in own.into_iter().enumerate() {
                    if colour(edge) == i || colour(edge) == GREEN {
                        scene.touch(player, text(edge), [cell], false);
                    }
                }
            }
        }
        scene
    }
}

impl Game for Hackenbush {
    type State = State;
    type Move = u16;

    fn start(&self) -> State {
        State { edges: self.start, turn: Side::Max }
    }

    fn turn(&self, s: &State) -> Turn {
        match self.mobility(s, s.turn.agent()) {
            0 => Turn::Over,
            _ => Turn::Agent(s.turn.agent()),
        }
    }

    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<u16>) {
        let own = Side::of(agent).index();
        let mut last = NONE;
        for &edge in s.list() {
            // Of edges that are alike it makes no difference which one is removed.
            if edge != last && (colour(edge) == own || colour(edge) == GREEN) {
                out.push(edge);
            }
            last = edge;
        }
    }

    fn play(&self, s: &mut State, agent: Agent, m: u16) {
        let mut left = s.list().to_vec();
        if let Some(place) = left.iter().position(|&edge| edge == m) {
            left.remove(place);
        }
        let held = grounded(&left);
        left.retain(|&edge| held >> nodes(edge)[0] & 1 == 1);
        *s = State { edges: sorted(left), turn: Side::of(agent).other() };
    }

    fn outcome(&self, s: &State) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }
}

impl Guide for Hackenbush {
    type Packed = State;

    foregone_model::stored_by_parts!();

    fn pack(&self, s: &State) -> State {
        *s
    }
}

impl Notation for Hackenbush {
    fn name(&self) -> String {
        format!("hackenbush:{}", self.typed)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    fn write_move(&self, _s: &State, m: u16, out: &mut String) {
        out.push_str(&text(m));
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<u16> {
        read_edge(text).filter(|&m| self.move_text(s, m) == text)
    }

    fn write_position(&self, s: &State, out: &mut String) {
        match s.list() {
            [] => out.push('-'),
            list => out.push_str(&Self::write_edges(list)),
        }
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (list, mover) = read_mover(text, &PLAYERS)?;
        let edges = match list {
            "-" => [NONE; MOST_EDGES],
            _ => read_edges(&Value { text: list, at: 0 }.split(','))?,
        };
        Ok(State { edges, turn: [Side::Max, Side::Min][mover] })
    }

    fn draw(&self, s: &State) -> String {
        s.list().iter().fold("  ground: 0\n".to_owned(), |out, &edge| {
            let [one, other] = nodes(edge);
            let colour = ["blue", "red", "green"][colour(edge)];
            format!("{out}  {one:>2} - {other:<2} {colour}\n")
        })
    }
}

impl NormalPlay for Hackenbush {
    fn with_turn(&self, s: &State, side: Side) -> State {
        State { turn: side, ..*s }
    }

    /// Edges that hang together without the ground.
    fn split(&self, s: &State, out: &mut Vec<State>) {
        let mut rest = s.list().to_vec();
        while let Some(&first) = rest.first() {
            let above = nodes(first).iter().fold(0u32, |set, node| set | 1 << node) & !1;
            if above == 0 {
                out.push(part(&[first]));
                rest.remove(0);
                continue;
            }
            let reached = connected(above, &rest, 1) & !1;
            let together = |edge: &Edge| nodes(*edge).iter().any(|node| reached >> node & 1 == 1);
            let (own, others) = rest.into_iter().partition::<Vec<Edge>, _>(together);
            out.push(part(&own));
            rest = others;
        }
    }

    /// Blue and red are exchanged.
    fn negative(&self, s: &State) -> Option<State> {
        let exchanged = s.list().iter().map(|&e| edge(nodes(e), [1, 0, GREEN][colour(e)]));
        Some(part(&exchanged.collect::<Vec<_>>()))
    }
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;

    use super::*;
    use crate::normal_play_testing::{laws, laws_hold};
    use crate::testing;

    fn split(text: &str) -> Vec<String> {
        let game = Hackenbush::new("0b1").unwrap();
        let mut parts = Vec::new();
        game.split(&game.read_position(text).unwrap(), &mut parts);
        parts.iter().map(|part| game.position_text(part)).collect()
    }

    #[test]
    fn parts_add_up() {
        laws_hold(&Hackenbush::new(USUAL).unwrap(), 20);
        let game = Hackenbush::new("0b1").unwrap();
        let mut rng = Rng::new(3);
        let mut positions = Vec::new();
        for i in 0..400 {
            // Trees and other pictures.
            let words: Vec<String> = (1..2 + rng.below(9))
                .map(|node| {
                    let other = if i % 2 == 0 { node } else { rng.below(6) };
                    let colour = COLOURS[rng.below(3) as usize];
                    format!("{}{colour}{other}", rng.below(if i % 2 == 0 { node } else { 6 }))
                })
                .collect();
            positions.extend(game.read_position(&format!("{} left", words.join(","))));
        }
        assert!(positions.len() > 200, "{}", positions.len());
        laws(&game, &positions);
    }

    #[test]
    fn pictures_fall_apart_at_the_ground() {
        assert_eq!(split("0b1,1r2,0b3,3r4,3g5 right"), ["0b1,1r2 left", "0b1,1r2,1g3 left"]);
        // Trees that look alike are equal, however they are numbered.
        assert_eq!(split("0r7,5b7,5g9,7b8 left"), split("0r1,1b2,1b3,3g4 left"));
        // Two edges on the ground hold one picture.
        assert_eq!(split("0b1,0b2,1g2,0g0 left"), ["0g0 left", "0b1,0b2,1g2 left"]);
        assert_eq!(split("- right"), [""; 0]);
    }

    #[test]
    fn what_hangs_in_the_air_falls_off() {
        let game = Hackenbush::new("0b1,1r2,1g3,0r3").unwrap();
        assert_eq!(game.name(), "hackenbush:0b1,1r2,1g3,0r3");
        let mut s = game.start();
        let mut moves = Vec::new();
        game.moves(&s, Agent(0), &mut moves);
        let texts: Vec<String> = moves.iter().map(|&m| game.move_text(&s, m)).collect();
        assert_eq!(texts, ["0b1", "1g3"]);
        game.play(&mut s, Agent(0), moves[1]);
        assert_eq!(game.position_text(&s), "0b1,0r3,1r2 right");
        game.play(&mut s, Agent(0), moves[0]);
        assert_eq!(game.position_text(&s), "0r3 right");
    }

    #[test]
    fn pictures_that_are_wrong_are_shown() {
        for (text, at) in [
            ("0b1,2r3", 4..7),
            ("0b1,1x2", 4..7),
            ("0b1,1r", 4..6),
            ("0b1,01r2", 4..8),
            ("0b32", 0..4),
            ("", 0..0),
        ] {
            assert_eq!(Hackenbush::new(text).unwrap_err().span, at, "{text}");
        }
        let long = vec!["0b1"; MOST_EDGES + 1].join(",");
        assert_eq!(Hackenbush::new(&long).unwrap_err().span, 128..131);
    }

    #[test]
    fn texts_round_trip() {
        testing::texts_round_trip(&Hackenbush::new(USUAL).unwrap(), 20);
        testing::texts_round_trip(&Hackenbush::new("0g1,0g1,0b0").unwrap(), 20);
    }
}
