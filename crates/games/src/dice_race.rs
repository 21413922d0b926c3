//! A race by one die, with a choice of tokens and a few rolls to spare.
//!
//! Both lead some tokens along the same squares, from the start behind square 1 to their home behind
//! the last one. A player rolls the die, and then moves one of the tokens that are not home by its
//! number, or spends a chip and rolls again. A token that comes to a square where a token of the other
//! player stands gets its player another turn; nothing is sent back. No exact number is needed to get
//! home. Who has all tokens home has won.
//!
//! Tokens only go forward and chips are only spent, so no position comes up again.

use foregone_model::scene::{Anchor, Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, Notation, Outcome, Side, TextError, Turn};

use crate::board::as_written;
use crate::options::{Options, Value};
use crate::picture::{counter, die};
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("dice-race:5"),
    ..Entry::in_turn(
        "dice-race",
        "SQUARES[,TOKENS[,SIDES[,CHIPS]]] (10,2,6,1)",
        "Roll a die, move one of your tokens or spend a chip to roll again; the first home wins",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let forms = [(10, 1, MOST_SQUARES), (2, 1, MOST_TOKENS), (6, 1, 20), (1, 0, 9)];
    let [squares, tokens, sides, chips] = options.numbers(forms)?.map(|n| n as u8);
    Ok(Opened::pictured(DiceRace { squares, tokens, sides, chips }, DiceRace::scene))
}

/// The most squares.
pub const MOST_SQUARES: u32 = 60;
/// The most tokens of a player.
pub const MOST_TOKENS: u32 = 4;

/// A race over some squares.
#[derive(Clone, Debug)]
pub struct DiceRace {
    squares: u8,
    tokens: u8,
    sides: u8,
    chips: u8,
}

/// Where the tokens are, the chips left, the number of the die, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The foremost first; 0 is the start. Tokens that the game does not have are home.
    tokens: [[u8; MOST_TOKENS as usize]; 2],
    chips: [u8; 2],
    /// 0 when it is to be rolled.
    die: u8,
    turn: Side,
}

foregone_model::stored!(State { tokens, chips, die, turn });

const PLAYERS: [&str; 2] = ["first", "second"];

/// Moves that do not name the square of a token.
const REROLL: u8 = 63;
/// Numbers of the die come behind this.
const ROLLS: u8 = 64;

impl DiceRace {
    /// The number of home.
    #[inline]
    fn home(&self) -> u8 {
        self.squares + 1
    }

    #[inline]
    fn is_home(&self, s: &State, player: usize) -> bool {
        s.tokens[player].iter().all(|&at| at == self.home())
    }

    /// Where a token comes to.
    #[inline]
    fn target(&self, s: &State, from: u8) -> u8 {
        (from + s.die).min(self.home())
    }

    fn place(&self, at: u8) -> String {
        if at == self.home() { "home".to_owned() } else { at.to_string() }
    }

    fn list(&self, s: &State, player: usize) -> String {
        let tokens = s.tokens[player].iter().rev().take(self.tokens.into()).rev();
        tokens.map(|&at| self.place(at)).collect::<Vec<_>>().join("-")
    }

    fn faces(&self) -> impl Iterator<Item = String> + use<> {
        (1..=self.sides).map(|face| face.to_string())
    }
}

impl Game for DiceRace {
    type State = State;
    /// The square of the token that moves, `REROLL`, or a number of the die behind `ROLLS`.
    type Move = u8;

    fn start(&self) -> State {
        let mut tokens = [self.home(); MOST_TOKENS as usize];
        tokens[MOST_TOKENS as usize - usize::from(self.tokens)..].fill(0);
        State { tokens: [tokens; 2], chips: [self.chips; 2], die: 0, turn: Side::Max }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if self.is_home(s, 0) || self.is_home(s, 1) {
            Turn::Over
        } else if s.die == 0 {
            Turn::Chance
        } else {
            Turn::Agent(s.turn.agent())
        }
    }

    #[inline]
    fn moves(&self, s: &State, _agent: Agent, out: &mut Vec<u8>) {
        if s.die == 0 {
            return out.extend((1..=self.sides).map(|face| ROLLS + face));
        }
        let own = s.tokens[s.turn.index()];
        for (i, &at) in own.iter().enumerate() {
            if at != self.home() && (i == 0 || own[i - 1] != at) {
                out.push(at);
            }
        }
        if s.chips[s.turn.index()] > 0 {
            out.push(REROLL);
        }
    }

    #[inline]
    fn play(&self, s: &mut State, _agent: Agent, m: u8) {
        let me = s.turn.index();
        match m {
            REROLL => {
                s.chips[me] -= 1;
                s.die = 0;
            }
            roll if roll > ROLLS => s.die = roll - ROLLS,
            from => {
                let to = self.target(s, from);
                let own = &mut s.tokens[me];
                if let Some(token) = own.iter_mut().find(|at| **at == from) {
                    *token = to;
                }
                own.sort_unstable_by(|a, b| b.cmp(a));
                s.die = 0;
                if to == self.home() || !s.tokens[1 - me].contains(&to) {
                    s.turn = s.turn.other();
                }
            }
        }
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        if self.is_home(s, 0) { Outcome::WIN } else { Outcome::LOSS }
    }

    fn has_chance(&self) -> bool {
        true
    }
}

impl Guide for DiceRace {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }
}

impl DiceRace {
    /// A picture of a position: the squares twice, once for each player.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::new();
        let (home, me) = (self.home(), s.turn.index());
        for (i, player) in PLAYERS.into_iter().enumerate() {
            let y = f64::from(i as u32) * 1.5;
            scene.anchored([-0.9, y], player, 0.36, Anchor::End, Paint::Ink);
            let mut cells = Vec::new();
            for at in 0..=home {
                let paint = match at {
                    0 => Paint::None,
                    _ if at == home => Paint::Yellow,
                    _ => [Paint::Light, Paint::Dark][usize::from(at) % 2],
                };
                let x = f64::from(at);
                let cell = scene.square(format!("{player} {}", self.place(at)), [x, y], paint);
                let own = &s.tokens[i][MOST_TOKENS as usize - usize::from(self.tokens)..];
                match own.iter().filter(|&&token| token == at).count() {
                    0 => {}
                    1 => scene.piece(cell, Glyph::Disc, [Paint::Blue, Paint::Red][i]),
                    n => scene.piece(cell, Glyph::Seeds(n as u32), [Paint::Blue, Paint::Red][i]),
                }
                cells.push(cell);
            }
            for from in (0..home).filter(|_| s.die > 0 && i == me) {
                let way = [cells[usize::from(from)], cells[usize::from(self.target(s, from))]];
                scene.touch(player, self.move_text(s, from), way, true);
            }
        }
        for at in 1..=self.squares {
            scene.label([f64::from(at), 0.75], at.to_string(), 0.3, Paint::Faint);
        }
        die(&mut scene, "die", [0.0, 3.2], (s.die > 0).then(|| s.die.into()), self.faces());
        for (i, player) in PLAYERS.into_iter().enumerate() {
            let (name, at) = (format!("{player}'s chips"), [2.5 + 2.4 * i as f64, 3.2]);
            let chips = counter(&mut scene, &name, at, 1.0, s.chips[i].to_string(), Paint::Plain);
            scene.touch(player, "reroll", [chips], false);
        }
        scene
    }
}

impl Notation for DiceRace {
    fn name(&self) -> String {
        let DiceRace { squares, tokens, sides, chips } = self;
        format!("dice-race:{squares},{tokens},{sides},{chips}")
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// Where a token is and where it comes to, `3-7` or `8-home`; `reroll`; a number of the die.
    fn write_move(&self, s: &State, m: u8, out: &mut String) {
        out.push_str(&match m {
            REROLL => "reroll".to_owned(),
            roll if roll > ROLLS => (roll - ROLLS).to_string(),
            from => format!("{from}-{}", self.place(self.target(s, from))),
        });
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<u8> {
        let faces = (1..=self.sides).map(|face| ROLLS + face);
        let tokens = (0..self.home()).filter(|_| s.die > 0);
        tokens.chain([REROLL]).chain(faces).find(|&m| self.move_text(s, m) == text)
    }

    /// For both where the tokens are, the foremost first, and the chips left; then who is to roll or
    /// has rolled which number: `home-3,1 5-0,0 first-rolls`, `… second-4`.
    fn write_position(&self, s: &State, out: &mut String) {
        for player in [0, 1] {
            out.push_str(&format!("{},{} ", self.list(s, player), s.chips[player]));
        }
        out.push_str(PLAYERS[s.turn.index()]);
        match s.die {
            0 => out.push_str("-rolls"),
            die => out.push_str(&format!("-{die}")),
        }
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let words = Value { text, at: 0 }.split(' ');
        let [first, second, mover] = words[..] else {
            let message = "expected the tokens and chips of both and who is to move, such as \
                           `3-0,1 5-0,0 first-rolls`";
            return Err(TextError::new(message, 0..text.len()));
        };
        let mut s = self.start();
        for (player, word) in [first, second].into_iter().enumerate() {
            let [tokens, chips] = word.split(',')[..] else {
                return Err(word.error("expected tokens, a comma and chips, such as `3-0,1`"));
            };
            s.chips[player] = chips.number(0, self.chips.into())? as u8;
            let places = tokens.split('-');
            if places.len() != usize::from(self.tokens) {
                let message = format!("expected {} tokens, found {}", self.tokens, places.len());
                return Err(tokens.error(message));
            }
            let own = &mut s.tokens[player];
            let absent = own.len() - places.len();
            for (at, place) in own[absent..].iter_mut().zip(&places) {
                *at = match place.text {
                    "home" => self.home(),
                    _ => place.number(0, self.squares.into())? as u8,
                };
            }
            own.sort_unstable_by(|a, b| b.cmp(a));
        }
        if self.is_home(&s, 0) && self.is_home(&s, 1) {
            let message = "one of the players is not home yet";
            return Err(TextError::new(message, 0..mover.at - 1));
        }
        let [player, die] = mover.split('-')[..] else {
            return Err(mover.error("expected who is to move, such as `first-rolls` or `first-4`"));
        };
        let Some(turn) = PLAYERS.iter().position(|name| *name == player.text) else {
            let message =
                format!("`{}` is not a player, expected `first` or `second`", player.text);
            return Err(player.not_among(&PLAYERS, message));
        };
        s.turn = [Side::Max, Side::Min][turn];
        s.die = if die.text == "rolls" { 0 } else { die.number(1, self.sides.into())? as u8 };
        as_written(self, s, text)
    }

    fn draw(&self, s: &State) -> String {
        let mut out = String::new();
        for (i, player) in PLAYERS.into_iter().enumerate() {
            let (tokens, chips) = (self.list(s, i).replace('-', " "), s.chips[i]);
            out.push_str(&format!("{player:<6} tokens {tokens}, chips {chips}\n"));
        }
        match s.die {
            0 => out.push_str("the die rolls\n"),
            die => out.push_str(&format!("die {die}\n")),
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance_testing::{after, end, laws, listed, value_at_start};
    use crate::{chance_testing, testing};

    fn game(squares: u8, tokens: u8, sides: u8, chips: u8) -> DiceRace {
        DiceRace { squares, tokens, sides, chips }
    }

    #[test]
    fn positions_keep_the_laws_of_chance() {
        for (squares, tokens, sides, chips) in [(1, 1, 1, 0), (10, 2, 6, 1), (60, 4, 20, 9)] {
            laws(&game(squares, tokens, sides, chips), 20);
        }
        let cases = [
            ("0-0,1 0-0,1", 0..11),
            ("0-0 0-0,1 first-rolls", 0..3),
            ("0,1 0-0,1 first-rolls", 0..1),
            ("0-0,2 0-0,1 first-rolls", 4..5),
            ("0-0,1 7-0,1 first-rolls", 6..7),
            ("0-1,1 0-0,1 first-rolls", 0..23),
            ("home-home,1 home-home,1 first-rolls", 0..23),
            ("0-0,1 0-0,1 first", 12..17),
            ("0-0,1 0-0,1 third-1", 12..17),
            ("0-0,1 0-0,1 first-5", 18..19),
        ];
        chance_testing::mistakes_show_their_place(&game(6, 2, 4, 1), &cases);
    }

    #[test]
    fn turns_are_played_by_the_rules() {
        let game = game(6, 2, 4, 1);
        let start = "0-0,1 0-0,1 first-rolls";
        assert_eq!(listed(&game, start), "1x1 2x1 3x1 4x1");
        assert_eq!(listed(&game, "5-2,1 3-0,0 first-2"), "5-home 2-4 reroll");
        assert_eq!(listed(&game, "5-2,1 3-0,0 second-2"), "3-5 0-2");
        assert_eq!(listed(&game, "2-2,0 3-0,0 first-4"), "2-6");
        assert_eq!(after(&game, start, "4 0-4"), "4-0,1 0-0,1 second-rolls");
        assert_eq!(after(&game, start, "4 reroll"), "0-0,0 0-0,1 first-rolls");
        // Another turn on a square of the other player, but not at the start or at home.
        assert_eq!(after(&game, "2-0,0 4-0,0 first-2", "2-4"), "4-0,0 4-0,0 first-rolls");
        assert_eq!(
            after(&game, "5-0,0 home-0,0 first-2", "5-home"),
            "home-0,0 home-0,0 second-rolls"
        );
        assert_eq!(end(&game, "home-6,0 home-5,0 first-1", "6-home"), "win");
        assert_eq!(end(&game, "home-6,0 home-5,0 second-2", "5-home"), "loss");
    }

    #[test]
    fn races_are_worth_what_they_were() {
        // With a die of one side the second token comes to square 1 and goes on at once. The others
        // are those of problems/chance.py.
        for (squares, tokens, sides, chips, value) in [
            (1, 1, 1, 0, "0"),
            (1, 1, 2, 0, "1/2"),
            (4, 1, 3, 1, "3463/6561"),
            (3, 2, 2, 1, "9253/16384"),
            (4, 2, 3, 0, "25156271/43046721"),
        ] {
            let game = game(squares, tokens, sides, chips);
            assert_eq!(value_at_start(&game), value, "{}", game.name());
        }
        let game = game(10, 2, 6, 1);
        let counts = [1, 2, 3, 4, 5].map(|n| testing::perft(&game, &game.start(), n));
        assert_eq!(counts, [6, 12, 72, 108, 648]);
    }
}
