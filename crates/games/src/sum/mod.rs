//! Sums of games under normal play: `domineering:4x4 + nim:1,3 + *2`.
//!
//! Who is to move picks one of the games and moves there; who cannot move anywhere has lost (J. H. Conway, *On
//! Numbers and Games*, 1976). Each part is a game of the list that is under normal play, or a value.

use foregone_model::stored::Stored;
use foregone_model::{
    Agent, Game, Guide, NormalPlay, Notation, Outcome, Rules, Scene, Side, Summand, TextError,
    Turn, sums,
};

use crate::board::read_mover;
use crate::erased::{AnyMove, AnyState, Erased};
use crate::files::Files;
use crate::registry::{Entry, GameError, Opened, open_among};
use crate::value::{self, Written};

mod arena;
mod facts;
pub mod parts;
mod search;
#[cfg(test)]
mod tests;
pub mod worth;

/// What stands between the parts, in names and positions.
pub const PLUS: &str = " + ";

/// So many parts fit into a sum.
pub const MOST_PARTS: usize = 200;

/// How a part is written of which nothing is left.
const NOTHING: &str = "-";

const PLAYERS: [&str; 2] = ["left", "right"];

/// A sum of games.
#[derive(Clone, Debug)]
pub struct Sum {
    games: Vec<Erased>,
    /// For each game, the first one that is the same.
    home: Vec<usize>,
}

/// What is left, Max to move there, each with the place of its game, which rise; and who is to move in the
/// sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    parts: Box<[(u32, AnyState)]>,
    turn: Side,
}

impl State {
    /// What is left of the game in this place.
    fn part(&self, place: usize) -> Option<&AnyState> {
        let at = self.parts.binary_search_by_key(&(place as u32), |part| part.0).ok()?;
        Some(&self.parts[at].1)
    }
}

/// In which part one moves, from 0, and the move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    part: u32,
    inner: AnyMove,
}

/// Whether this is how one names a sum.
pub fn is_sum(games: &[Entry], spec: &str) -> bool {
    // A path may have a plus in it.
    let file = |entry: &Entry| {
        let rest = spec.strip_prefix(entry.name);
        entry.file.is_some() && rest.is_some_and(|rest| rest.starts_with(':'))
    };
    spec.contains(PLUS) && !games.iter().any(file)
}

/// Opens a sum.
pub(crate) fn open(games: &[Entry], files: &Files, spec: &str) -> Result<Opened, GameError> {
    let mut opened = Vec::new();
    let mut at = 0;
    for part in spec.split(PLUS) {
        if part.trim().is_empty() {
            let message = "a part of the sum is missing";
            return Err(GameError::Spec(TextError::new(message, at..at + part.len())));
        }
        if opened.len() == MOST_PARTS {
            let message = format!("a sum has at most {MOST_PARTS} parts");
            return Err(GameError::Spec(TextError::new(message, at..spec.len())));
        }
        opened.push(open_part(games, files, part).map_err(|error| match error {
            GameError::Spec(e) => GameError::Spec(e.shifted(at)),
            other => other,
        })?);
        at += part.len() + PLUS.len();
    }
    Ok(Opened::normal_play(Sum::new(opened), Sum::scene))
}

/// Opens one part: a game, or a value.
fn open_part(games: &[Entry], files: &Files, spec: &str) -> Result<Erased, GameError> {
    if spec.starts_with(['{', '*', '-']) || spec.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(Erased::normal_play(Written::new(value::read(spec)?), Written::scene));
    }
    let game = open_among(games, files, spec)?.require_in_turn(spec)?;
    match game.parts() {
        Some(_) => Ok(game),
        None => {
            let name = game.name();
            let message = format!(
                "{name} can't be a part of a sum: it is not a game under normal play, in which who cannot \
                 move loses"
            );
            Err(GameError::Spec(TextError::new(message, 0..spec.len())))
        }
    }
}

impl Sum {
    /// The sum of these games, each of which has parts.
    fn new(games: Vec<Erased>) -> Sum {
        let names: Vec<String> = games.iter().map(Notation::name).collect();
        let home = |name| names.iter().position(|other| other == name).unwrap_or(0);
        let home = names.iter().map(home).collect();
        Sum { games, home }
    }

    /// The value that a part is, if it is one and nothing else.
    fn written<'s>(&self, s: &'s State) -> Option<&'s sums::Value> {
        let [(place, part)] = &*s.parts else { return None };
        self.games[*place as usize].get::<Written>()?;
        Some(part.get::<value::State>().value())
    }

    /// Whether both sides have the same moves in all that is left.
    fn is_impartial(&self, s: &State) -> bool {
        self.left(s).all(|(i, ..)| self.parts_of(i).impartial())
    }

    /// What adds and splits positions of a part.
    fn parts_of(&self, part: usize) -> &dyn Summand<AnyState> {
        self.games[part].parts().expect("only games with parts are added")
    }

    /// The parts of which something is left.
    fn left<'s>(&'s self, s: &'s State) -> impl Iterator<Item = (usize, &'s Erased, &'s AnyState)> {
        s.parts.iter().map(|(i, part)| (*i as usize, &self.games[*i as usize], part))
    }

    /// What is left, side by side; cells and moves have the number of the part in front.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::new();
        for (i, game, part) in self.left(s) {
            let mut inner = game.scene(&self.parts_of(i).with_turn(part, s.turn));
            for touch in &mut inner.moves {
                touch.player = PLAYERS[s.turn.index()].to_owned();
            }
            scene.add_beside(inner, &format!("{}.", i + 1));
        }
        match scene.cells.is_empty() && scene.labels.is_empty() {
            true => Scene::of_text(&self.draw(s)),
            false => scene,
        }
    }

    /// Only this part is left.
    fn alone(&self, part: usize, inner: AnyState) -> State {
        State { parts: Box::new([(part as u32, inner)]), turn: Side::Max }
    }

    /// The text of a part, who is to move left out.
    fn part_text(&self, part: usize, inner: &AnyState) -> String {
        let mut text = self.games[part].position_text(inner);
        text.truncate(text.rfind(' ').unwrap_or(0));
        text
    }
}

impl Game for Sum {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        let start = |(i, game): (usize, &Erased)| {
            (i as u32, self.parts_of(i).with_turn(&game.start(), Side::Max))
        };
        State { parts: self.games.iter().enumerate().map(start).collect(), turn: Side::Max }
    }

    fn turn(&self, s: &State) -> Turn {
        let agent = s.turn.agent();
        let moves = self.left(s).any(|(_, game, part)| game.mobility(part, agent) > 0);
        if moves { Turn::Agent(agent) } else { Turn::Over }
    }

    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<Move>) {
        let mut inner = Vec::new();
        for (i, game, part) in self.left(s) {
            inner.clear();
            game.moves(part, agent, &mut inner);
            out.extend(inner.iter().map(|&inner| Move { part: i as u32, inner }));
        }
    }

    fn play(&self, s: &mut State, agent: Agent, m: Move) {
        let i = m.part as usize;
        if let Some((_, part)) = s.parts.iter_mut().find(|part| part.0 == m.part) {
            let side = Side::of(agent);
            *part = self.parts_of(i).with_turn(part, side);
            self.games[i].play(part, agent, m.inner);
            *part = self.parts_of(i).with_turn(part, Side::Max);
        }
        s.turn = Side::of(agent).other();
    }

    fn outcome(&self, s: &State) -> Outcome {
        if s.turn == Side::Max { Outcome::LOSS } else { Outcome::WIN }
    }

    fn rules_violation(&self) -> Option<String> {
        self.games.iter().find_map(Game::rules_violation)
    }
}

impl Guide for Sum {
    type Packed = State;

    const PACKS_TURN: bool = true;

    fn pack(&self, s: &State) -> State {
        s.clone()
    }

    fn mobility(&self, s: &State, agent: Agent) -> u32 {
        self.left(s).map(|(_, game, part)| game.mobility(part, agent)).sum()
    }

    fn stores(&self) -> bool {
        self.games.iter().all(Guide::stores)
    }

    fn store_state(&self, s: &State, out: &mut Vec<u8>) {
        (s.parts.len() as u32).store(out);
        for (i, game, part) in self.left(s) {
            (i as u32).store(out);
            game.store_state(part, out);
        }
        s.turn.store(out);
    }

    fn restore_state(&self, from: &mut &[u8]) -> Option<State> {
        let mut parts: Vec<(u32, AnyState)> = Vec::new();
        for _ in 0..u32::restore(from)? {
            let place = u32::restore(from)?;
            let game = self.games.get(place as usize)?;
            if parts.last().is_some_and(|last| last.0 >= place) {
                return None;
            }
            parts.push((place, game.restore_state(from)?));
        }
        Some(State { parts: parts.into(), turn: Side::restore(from)? })
    }

    fn store_move(&self, m: Move, out: &mut Vec<u8>) {
        m.part.store(out);
        self.games[m.part as usize].store_move(m.inner, out);
    }

    fn restore_move(&self, from: &mut &[u8]) -> Option<Move> {
        let part = u32::restore(from)?;
        Some(Move { part, inner: self.games.get(part as usize)?.restore_move(from)? })
    }

    fn store_packed(&self, p: &State, out: &mut Vec<u8>) {
        self.store_state(p, out);
    }

    fn restore_packed(&self, from: &mut &[u8]) -> Option<State> {
        self.restore_state(from)
    }
}

impl Notation for Sum {
    fn name(&self) -> String {
        let names: Vec<String> = self.games.iter().map(Notation::name).collect();
        names.join(PLUS)
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// The number of the part, from 1, and the move there: `2.a1b1`.
    fn write_move(&self, s: &State, m: Move, out: &mut String) {
        self.write_move_of(s, s.turn.agent(), m, out);
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<Move> {
        self.parse_move_of(s, s.turn.agent(), text)
    }

    fn write_move_of(&self, s: &State, agent: Agent, m: Move, out: &mut String) {
        let i = m.part as usize;
        out.push_str(&format!("{}.", i + 1));
        if let Some(part) = s.part(i) {
            let part = self.parts_of(i).with_turn(part, Side::of(agent));
            self.games[i].write_move_of(&part, agent, m.inner, out);
        }
    }

    fn parse_move_of(&self, s: &State, agent: Agent, text: &str) -> Option<Move> {
        let (part, inner) = text.split_once('.')?;
        let plain = part.bytes().all(|b| b.is_ascii_digit()) && !part.starts_with('0');
        let i = if plain { part.parse::<usize>().ok()?.checked_sub(1)? } else { return None };
        let there = self.parts_of_if(i)?.with_turn(s.part(i)?, Side::of(agent));
        let inner = self.games[i].parse_move_of(&there, agent, inner)?;
        Some(Move { part: i as u32, inner })
    }

    fn write_position(&self, s: &State, out: &mut String) {
        for i in 0..self.games.len() {
            if i > 0 {
                out.push_str(PLUS);
            }
            match s.part(i) {
                Some(part) => out.push_str(&self.part_text(i, part)),
                None => out.push_str(NOTHING),
            }
        }
        out.push(' ');
        out.push_str(PLAYERS[s.turn.index()]);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (list, turn) = read_mover(text, &PLAYERS)?;
        let texts: Vec<&str> = list.split(PLUS).collect();
        if texts.len() != self.games.len() {
            let (wanted, found) = (self.games.len(), texts.len());
            let message =
                format!("expected a position for each of the {wanted} games, found {found}");
            return Err(TextError::new(message, 0..list.len()));
        }
        let mut parts = Vec::new();
        let mut at = 0;
        for (i, (game, part)) in self.games.iter().zip(texts).enumerate() {
            match part {
                NOTHING => {}
                _ => {
                    let whole = format!("{part} {}", game.players()[0]);
                    let read = game.read_position(&whole).map_err(|mut e| {
                        let end = e.span.end.min(part.len());
                        e.span = e.span.start.min(end)..end;
                        e.shifted(at)
                    })?;
                    parts.push((i as u32, self.parts_of(i).with_turn(&read, Side::Max)));
                }
            }
            at += part.len() + PLUS.len();
        }
        Ok(State { parts: parts.into(), turn: [Side::Max, Side::Min][turn] })
    }

    fn draw(&self, s: &State) -> String {
        let mut out = String::new();
        for (i, game, part) in self.left(s) {
            out.push_str(&format!("{}: {}\n", i + 1, game.name()));
            out.push_str(&game.draw(part));
        }
        if out.is_empty() {
            out.push_str("nothing is left\n");
        }
        out
    }

    /// Those of the games, put together: another version of one of them is another version of the sum.
    fn rules(&self) -> Rules {
        let versions = self.games.iter().map(|game| game.rules().version);
        // Each version counts from 1.
        Rules { version: versions.map(|version| version - 1).sum::<u32>() + 1, digest: None }
    }

    fn summand(&self) -> Option<&dyn Summand<State>> {
        Some(self)
    }
}

impl Sum {
    fn parts_of_if(&self, part: usize) -> Option<&dyn Summand<AnyState>> {
        self.games.get(part)?.parts()
    }
}

impl NormalPlay for Sum {
    fn with_turn(&self, s: &State, side: Side) -> State {
        State { parts: s.parts.clone(), turn: side }
    }

    /// Those of each game, in the place of the first game that is the same.
    fn split(&self, s: &State, out: &mut Vec<State>) {
        let mut inner = Vec::new();
        for (i, _, part) in self.left(s) {
            self.parts_of(i).split(part, &mut inner);
            out.extend(inner.drain(..).map(|part| self.alone(self.home[i], part)));
        }
    }

    fn negative(&self, part: &State) -> Option<State> {
        let (i, _, inner) = self.left(part).next()?;
        Some(self.alone(i, self.parts_of(i).negative(inner)?))
    }

    fn impartial(&self) -> bool {
        (0..self.games.len()).all(|i| self.parts_of(i).impartial())
    }
}
