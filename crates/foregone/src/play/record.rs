//! Games as text: PGN for chess, SGF for games whose moves are stones on points, and else a list of
//! moves that `--position` reads.
//!
//! PGN is S. Edwards' Portable Game Notation of 1994, its export format; SGF is A. Hollosi's Smart
//! Game Format, FF[4], in which each game has a number and Go counts rows from the top.

use foregone_games::chess::Chess;
use foregone_model::{Agent, Game, Notation};

use super::course::{Course, Made};

/// How games are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Chess.
    Pgn,
    /// Stones on points, with the number that SGF has for the game.
    Sgf(u32),
    /// A list of moves.
    Moves,
}

impl Format {
    /// How the names of such files end by custom.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Sgf(_) => "sgf",
            Format::Moves => "txt",
        }
    }
}

/// What a record says beside the moves.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    /// Which of several games it is, from 1.
    pub round: u32,
    /// Who played, in the order of the agents.
    pub players: Vec<String>,
    /// How it ended, in words.
    pub end: String,
    /// Who won, if somebody did, and whether it ended at all.
    pub result: Ending,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// It did not.
    #[default]
    Open,
    /// Nobody won.
    Draw,
    /// This agent won.
    Won(Agent),
}

/// The numbers that SGF has for games here that begin on an empty board and whose moves are points.
const SGF: [(&str, u32); 4] = [("atari-go", 1), ("gomoku", 4), ("hex", 11), ("nogo", 1)];
/// Games whose points are written as people write them, not counted from the top left.
const HEX: u32 = 11;

/// How a play is written down. SGF has no text for positions, so a play that began elsewhere is a list
/// of moves.
pub fn format_of(course: &Course) -> Format {
    let game = course.game();
    let name = game.name();
    let sgf = SGF.iter().find(|(known, _)| name.split(':').next() == Some(known));
    match sgf {
        _ if game.get::<Chess>().is_some_and(|chess| !chess.is_series()) => Format::Pgn,
        Some(&(_, number)) if course.start() == &game.start() && board(&name).is_some() => {
            Format::Sgf(number)
        }
        _ => Format::Moves,
    }
}

/// A play as text, ending in an empty line.
pub fn written(course: &Course, meta: &Meta) -> String {
    match format_of(course) {
        Format::Pgn => pgn(course, meta),
        Format::Sgf(number) => sgf(course, meta, number),
        Format::Moves => list(course, meta),
    }
}

/// Rows and columns, out of the full name of a game with one board: `hex:5`, `nogo:3x4`.
fn board(name: &str) -> Option<(u32, u32)> {
    let size = name.split_once(':')?.1.split(',').next()?;
    let (rows, columns) = size.split_once('x').unwrap_or((size, size));
    let (rows, columns) = (rows.parse().ok()?, columns.parse().ok()?);
    (rows <= 26 && columns <= 26).then_some((rows, columns))
}

fn player(meta: &Meta, agent: usize) -> &str {
    meta.players.get(agent).map_or("?", String::as_str)
}

fn pgn(course: &Course, meta: &Meta) -> String {
    let result = match meta.result {
        Ending::Open => "*",
        Ending::Draw => "1/2-1/2",
        Ending::Won(Agent::FIRST) => "1-0",
        Ending::Won(_) => "0-1",
    };
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        out.push_str(&format!("[{name} \"{value}\"]\n"));
    };
    tag("Event", "foregone match");
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", &meta.round.to_string());
    tag("White", player(meta, 0));
    tag("Black", player(meta, 1));
    tag("Result", result);
    let game = course.game();
    let start = game.position_text(course.start());
    if course.start() != &game.start() {
        tag("SetUp", "1");
        tag("FEN", &start);
    }
    // The number of the first move and who makes it stand in the FEN.
    let fields: Vec<&str> = start.split(' ').collect();
    let black = fields.get(1) == Some(&"b");
    let first: u32 = fields.last().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut words = Vec::new();
    for (at, made) in course.made().iter().enumerate() {
        let half = at as u32 + u32::from(black);
        match (half % 2, at) {
            (0, _) => words.push(format!("{}.", first + half / 2)),
            (_, 0) => words.push(format!("{first}...")),
            _ => {}
        }
        words.push(made.usual.clone().unwrap_or_else(|| made.text.clone()));
    }
    if !meta.end.is_empty() {
        words.push(format!("{{{}}}", meta.end.replace(['{', '}'], "")));
    }
    words.push(result.to_owned());
    out + "\n" + &wrapped(&words) + "\n"
}

/// Words in lines of less than 80 characters.
fn wrapped(words: &[String]) -> String {
    let (mut out, mut column) = (String::new(), 0);
    for word in words {
        let length = word.chars().count();
        if column > 0 {
            let fits = column + 1 + length < 80;
            out.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
    out
}

fn sgf(course: &Course, meta: &Meta, number: u32) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace(']', "\\]");
    let game = course.game();
    let name = game.name();
    let (rows, columns) = board(&name).unwrap_or((1, 1));
    let size = match rows == columns {
        true => rows.to_string(),
        false => format!("{columns}:{rows}"),
    };
    let result = match meta.result {
        Ending::Open => "?",
        Ending::Draw => "0",
        Ending::Won(Agent::FIRST) => "B+",
        Ending::Won(_) => "W+",
    };
    let mut out = format!(
        "(;FF[4]GM[{number}]CA[UTF-8]AP[foregone]SZ[{size}]GN[{} game {}]PB[{}]PW[{}]RE[{result}]",
        escaped(&name),
        meta.round,
        escaped(player(meta, 0)),
        escaped(player(meta, 1)),
    );
    if !meta.end.is_empty() {
        out.push_str(&format!("GC[{}]", escaped(&meta.end)));
    }
    for (at, made) in course.made().iter().enumerate() {
        out.push_str(if at % 10 == 0 { "\n;" } else { ";" });
        let colour = if made.agent == Agent::FIRST { 'B' } else { 'W' };
        out.push_str(&format!("{colour}[{}]", sgf_point(&made.text, rows, number)));
    }
    out + ")\n\n"
}

/// A move as SGF writes it. Games other than Hex count columns and rows from the top left, and a pass
/// is nothing.
fn sgf_point(text: &str, rows: u32, number: u32) -> String {
    if number == HEX {
        return text.to_owned();
    }
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    match (letters.len(), text[letters.len()..].parse::<u32>()) {
        (1, Ok(row)) if (1..=rows).contains(&row) => {
            format!("{letters}{}", char::from(b'a' + (rows - row) as u8))
        }
        _ => String::new(),
    }
}

fn list(course: &Course, meta: &Meta) -> String {
    let game = course.game();
    let mut out = format!("game     {}\nround    {}\n", game.name(), meta.round);
    if course.start() != &game.start() {
        out.push_str(&format!("position {}\n", game.position_text(course.start())));
    }
    for (agent, player) in meta.players.iter().enumerate() {
        out.push_str(&format!("{:<8} {player}\n", game.agent_name(Agent(agent as u8))));
    }
    let moves: Vec<&str> = course.made().iter().map(|made: &Made| made.text.as_str()).collect();
    out.push_str(&format!("moves    {}\nend      {}\n\n", moves.join(","), meta.end));
    out
}
