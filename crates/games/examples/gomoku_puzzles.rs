//! Makes the puzzles of `problems/gomoku-puzzles.toml`: positions with a win by threats.
//!
//! ```sh
//! cargo run --release -p foregone-games --example gomoku_puzzles > problems/gomoku-puzzles.toml
//! ```
//!
//! Random play near the stones that are there leads to a middle position, by a seed. A search that
//! tries every four, and every three with every answer that can spoil it, then says whether the player
//! to move wins so, and in how many moves at least. Positions are kept that are won in 10 to 20 moves
//! of both: half of them by fours alone, half where fours alone do not win.

use foregone_games::board::Word as _;
use foregone_games::gomoku::Gomoku;
use foregone_games::gomoku::space::Search;
use foregone_games::wide::Quad;
use foregone_model::{Agent, Game, Notation, Rng, Side, Turn};

const SIZE: u32 = 15;
const EACH: usize = 15;
const MOVES: std::ops::RangeInclusive<u32> = 10..=20;

/// The shortest win by fours, in moves of both.
fn by_fours(game: &Gomoku<Quad>, own: Quad, other: Quad) -> Option<Option<u32>> {
    let mut search = Search::new(game, 50_000);
    if !search.fours(own, other)? {
        return Some(None);
    }
    for most in 0.. {
        if search.fours_within(own, other, most)? {
            return Some(Some(search.plies(own)));
        }
    }
    None
}

/// The shortest win by fours and threes found with few threats.
fn by_threes(game: &Gomoku<Quad>, own: Quad, other: Quad) -> Option<u32> {
    let mut search = Search::new(game, 30_000);
    (1..=7).find_map(|most| search.threes(own, other, most).flatten())
}

/// An empty cell at most two steps from a stone.
fn near(stones: Quad, rng: &mut Rng) -> u32 {
    loop {
        let cell = rng.below(SIZE * SIZE);
        let [row, col] = [cell / SIZE, cell % SIZE];
        let close = stones
            .cells()
            .any(|other| (other / SIZE).abs_diff(row) <= 2 && (other % SIZE).abs_diff(col) <= 2);
        if close && !stones.has(cell) {
            return cell;
        }
    }
}

#[allow(clippy::print_stdout, reason = "what it prints is the file")]
fn main() {
    let game: Gomoku<Quad> = Gomoku::new(SIZE, 5);
    println!(
        "# Puzzles of Gomoku: positions that the player to move wins by threats.\n# Made by \
         crates/games/examples/gomoku_puzzles.rs, which says how. `kind` is what it takes: fours\n\
         # alone, or threes as well. `moves` counts those of both sides until a line is complete."
    );
    let mut kept = [0; 2];
    for seed in 1.. {
        if kept == [EACH; 2] {
            break;
        }
        let mut rng = Rng::new(seed);
        let mut s = game.start();
        let centre = SIZE / 2 * SIZE + SIZE / 2;
        game.play(&mut s, Agent(0), centre as u16);
        let length = 14 + rng.below(30);
        for _ in 1..length {
            let Turn::Agent(agent) = game.turn(&s) else { break };
            let [black, white] = s.stones();
            game.play(&mut s, agent, near(black | white, &mut rng) as u16);
        }
        let Turn::Agent(mover) = game.turn(&s) else { continue };
        let side = Side::of(mover);
        let stones = s.stones();
        let (own, other) = (stones[side.index()], stones[side.other().index()]);
        let (kind, moves) = match by_fours(&game, own, other) {
            Some(Some(moves)) => ("fours", moves),
            Some(None) if kept[1] < EACH => match by_threes(&game, own, other) {
                Some(moves) => ("threes", moves),
                None => continue,
            },
            _ => continue,
        };
        let place = usize::from(kind == "threes");
        if !MOVES.contains(&moves) || kept[place] == EACH {
            continue;
        }
        kept[place] += 1;
        let value = if side == Side::Max { "win" } else { "loss" };
        println!(
            "\n[[puzzle]]\ngame = \"{}\"\nposition = \"{}\"\nwinner = \"{}\"\nvalue = \"{value}\"\n\
             kind = \"{kind}\"\nmoves = {moves}\nsource = \"crates/games/examples/gomoku_puzzles.rs, \
             seed {seed}\"",
            game.name(),
            game.position_text(&s),
            game.players()[side.index()],
        );
    }
}
