//! Can't Stop for two (S. Sackson, 1980), on boards of any size.
//!
//! There is a column for each sum of two dice. A player rolls four dice, makes two pairs of them, and
//! goes up by one in the column of each pair, with one of three runners. Both pairs are used where they
//! can be; where a runner is free for one of them only, the player chooses. Then the player stops, which
//! keeps what the runners have reached, or rolls again. Where no pair can be used the turn is over, and
//! all that it brought is lost. A column whose top a player keeps is closed to both, and the other one's
//! marker in it is taken away. Who tops the last column that is needed, runners included, has won at
//! once: to stop there is best.
//!
//! With dice of six sides and columns of 3, 5, 7, 9, 11 and 13 squares this is the game as it is sold,
//! but for its four players. A turn that is lost leads back to a position that was there before. No play
//! is endless but with probability zero, whatever the players do: any turn may win.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Agent, Endless, Game, Guide, Notation, Outcome, Side, TextError, Turn};

use crate::board::as_written;
use crate::options::{Options, Value};
use crate::picture::die;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry {
    quick: Some("cant-stop:2"),
    ..Entry::in_turn(
        "cant-stop",
        "SIDES[,COLUMNS[,SHORTEST[,STEP]]] (3,2,1,1)",
        "Roll four dice, go up in two columns, stop or risk it; the first to top COLUMNS wins",
        open,
    )
};

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let values = options.values();
    let sides = values.first().map_or(Ok(3), |value| value.number(2, 6))?;
    // With more, all columns could be closed and nobody have won.
    let most = sides.min(RUNNERS);
    let forms = [(3, 2, 6), (2, 1, most), (1, 1, 5), (1, 0, 2)];
    let [sides, columns, shortest, step] = options.numbers(forms)?;
    Ok(Opened::pictured(CantStop::new(sides, columns, shortest, step), CantStop::scene))
}

/// How many columns a player can go up in within a turn.
const RUNNERS: u32 = 3;
/// The most columns: those of dice with six sides.
const MOST_COLUMNS: usize = 11;

/// A board: dice, and the lengths of the columns.
#[derive(Clone, Debug)]
pub struct CantStop {
    sides: u32,
    /// How many columns win.
    needed: u32,
    shortest: u32,
    step: u32,
    /// The squares of each column, by its place.
    lengths: [u32; MOST_COLUMNS],
}

/// How far each column was climbed, four bits each, the lowest sum first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Climb(u64);

foregone_model::stored!(Climb(columns));

impl Climb {
    #[inline]
    fn at(self, column: usize) -> u32 {
        (self.0 >> (4 * column)) as u32 & 15
    }

    #[inline]
    fn raise(&mut self, column: usize) {
        self.0 += 1 << (4 * column);
    }

    #[inline]
    fn clear(&mut self, column: usize) {
        self.0 &= !(15 << (4 * column));
    }
}

/// What a player or chance does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// The dice roll.
    Rolls,
    /// The player makes pairs.
    Pairs,
    /// The player stops or rolls again.
    Decides,
}

foregone_model::stored!(
    enum Phase {
        Rolls,
        Pairs,
        Decides,
    }
);

/// What both have kept, what the player on turn has with the runners, and the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    kept: [Climb; 2],
    run: Climb,
    /// Four dice of three bits each, the smallest first; none unless pairs are to be made.
    dice: u16,
    phase: Phase,
    turn: Side,
}

foregone_model::stored!(State { kept, run, dice, phase, turn });

const PLAYERS: [&str; 2] = ["first", "second"];

/// Moves that are not columns. One or two columns are their sums, four bits each, the smaller first.
const ROLL: u16 = 0x100;
const STOP: u16 = 0x101;
/// Dice come with this bit.
const DICE: u16 = 0x1000;

/// The four dice of a move of chance or of a state.
#[inline]
fn faces(dice: u16) -> [u32; 4] {
    [9, 6, 3, 0].map(|shift| u32::from(dice >> shift & 7))
}

impl CantStop {
    /// Dice of 2 to 6 sides, as many columns to win as there are sides and runners at most, and the
    /// length of the outer columns and how much longer each next one is.
    pub fn new(sides: u32, needed: u32, shortest: u32, step: u32) -> CantStop {
        let fits = (2..=6).contains(&sides) && (1..=sides.min(RUNNERS)).contains(&needed);
        assert!(fits && shortest >= 1 && shortest + 5 * step <= 15, "a board that fits");
        let mut lengths = [0; MOST_COLUMNS];
        let columns = 2 * sides - 1;
        for column in 0..columns {
            lengths[column as usize] = shortest + step * column.min(columns - 1 - column);
        }
        CantStop { sides, needed, shortest, step, lengths }
    }

    fn columns(&self) -> usize {
        2 * self.sides as usize - 1
    }

    /// Whether a player has kept the top of a column.
    #[inline]
    fn closed(&self, s: &State, column: usize) -> bool {
        s.kept.iter().any(|kept| kept.at(column) == self.lengths[column])
    }

    /// How many columns were climbed to their top.
    #[inline]
    fn tops(&self, climb: Climb) -> u32 {
        (0..self.columns()).filter(|&c| climb.at(c) == self.lengths[c]).count() as u32
    }

    /// How many runners stand in columns.
    #[inline]
    fn runners(&self, s: &State) -> u32 {
        let kept = s.kept[s.turn.index()];
        (0..self.columns()).filter(|&c| s.run.at(c) != kept.at(c)).count() as u32
    }

    /// Goes up in a column, if the player can.
    #[inline]
    fn climb(&self, s: &mut State, column: usize) -> bool {
        let at = s.run.at(column);
        let here = at != s.kept[s.turn.index()].at(column);
        let can = at < self.lengths[column]
            && !self.closed(s, column)
            && (here || self.runners(s) < RUNNERS);
        if can {
            s.run.raise(column);
        }
        can
    }

    /// The ways to use the dice, as moves.
    fn pairs(&self, s: &State, out: &mut Vec<u16>) {
        let first = out.len();
        let [a, b, c, d] = faces(s.dice);
        let mut add = |m: u32| {
            if !out[first..].contains(&(m as u16)) {
                out.push(m as u16);
            }
        };
        for (x, y) in [(a + b, c + d), (a + c, b + d), (a + d, b + c)] {
            let (low, high) = (x.min(y), x.max(y));
            let can = |sums: &[u32]| {
                let mut after = *s;
                sums.iter().all(|&sum| self.climb(&mut after, sum as usize - 2))
            };
            if can(&[low, high]) {
                add(low << 4 | high);
                continue;
            }
            if can(&[low]) {
                add(low);
            }
            if high != low && can(&[high]) {
                add(high);
            }
        }
    }

    /// The other player's turn begins.
    #[inline]
    fn pass(&self, s: &mut State) {
        s.turn = s.turn.other();
        s.run = s.kept[s.turn.index()];
        s.dice = 0;
        s.phase = Phase::Rolls;
    }

    fn rolls(&self) -> impl Iterator<Item = u16> + use<> {
        let sides = self.sides as u16;
        (1..=sides).flat_map(move |a| {
            (a..=sides).flat_map(move |b| {
                (b..=sides).flat_map(move |c| {
                    (c..=sides).map(move |d| DICE | a << 9 | b << 6 | c << 3 | d)
                })
            })
        })
    }

    fn list(&self, climb: Climb) -> String {
        let levels = (0..self.columns()).map(|c| climb.at(c).to_string());
        levels.collect::<Vec<_>>().join("-")
    }
}

impl Game for CantStop {
    type State = State;
    /// One or two columns, `ROLL`, `STOP`, or four dice.
    type Move = u16;

    fn endless(&self) -> Endless {
        Endless::Undetermined
    }

    fn start(&self) -> State {
        let none = Climb(0);
        State { kept: [none; 2], run: none, dice: 0, phase: Phase::Rolls, turn: Side::Max }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::Rolls => Turn::Chance,
            Phase::Decides if self.tops(s.run) >= self.needed => Turn::Over,
            Phase::Decides | Phase::Pairs => Turn::Agent(s.turn.agent()),
        }
    }

    fn moves(&self, s: &State, _agent: Agent, out: &mut Vec<u16>) {
        match s.phase {
            Phase::Rolls => out.extend(self.rolls()),
            Phase::Pairs => self.pairs(s, out),
            Phase::Decides => out.extend([ROLL, STOP]),
        }
    }

    fn play(&self, s: &mut State, _agent: Agent, m: u16) {
        match m {
            ROLL => s.phase = Phase::Rolls,
            STOP => {
                let (me, run) = (s.turn.index(), s.run);
                s.kept[me] = run;
                for column in (0..self.columns()).filter(|&c| run.at(c) == self.lengths[c]) {
                    s.kept[1 - me].clear(column);
                }
                self.pass(s);
            }
            dice if dice & DICE != 0 => {
                s.dice = dice & !DICE;
                s.phase = Phase::Pairs;
                let mut pairs = Vec::new();
                self.pairs(s, &mut pairs);
                if pairs.is_empty() {
                    self.pass(s);
                }
            }
            sums => {
                for sum in [sums >> 4 & 15, sums & 15].into_iter().filter(|&sum| sum > 0) {
                    s.run.raise(usize::from(sum) - 2);
                }
                s.dice = 0;
                s.phase = Phase::Decides;
            }
        }
    }

    fn outcome(&self, s: &State) -> Outcome {
        if s.turn == Side::Max { Outcome::WIN } else { Outcome::LOSS }
    }

    fn has_chance(&self) -> bool {
        true
    }

    /// The orders in which these dice may fall.
    fn weight(&self, _s: &State, m: u16) -> u64 {
        let dice = faces(m & !DICE);
        let mut ways = 24;
        for face in 1..=self.sides {
            ways /= [1, 1, 2, 6, 24][dice.iter().filter(|&&d| d == face).count()];
        }
        ways
    }
}

impl Guide for CantStop {
    type Packed = Self::State;

    foregone_model::stored_by_parts!();

    #[inline]
    fn pack(&self, s: &Self::State) -> Self::State {
        *s
    }
}

impl CantStop {
    /// A picture of a position: the columns with the markers of both as a disc and a ring, and runners
    /// as crosses.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::new();
        let longest = self.lengths.iter().max().map_or(0, |&n| n);
        let (mut above, mut runners) = (Vec::new(), Vec::new());
        for column in 0..self.columns() {
            let (x, sum) = (column as f64 * 1.3, column + 2);
            scene.label([x, f64::from(longest) + 0.8], sum.to_string(), 0.4, Paint::Ink);
            let paint = match s.kept.map(|kept| kept.at(column) == self.lengths[column]) {
                [true, _] => Paint::PaleBlue,
                [_, true] => Paint::PaleRed,
                _ => Paint::Plain,
            };
            let mut next = None;
            for level in 1..=self.lengths[column] {
                let at = [x, f64::from(longest - level)];
                let cell = scene.square(format!("{sum}.{level}"), at, paint);
                if s.kept[0].at(column) == level {
                    scene.piece(cell, Glyph::Disc, Paint::Blue);
                }
                if s.kept[1].at(column) == level {
                    scene.piece(cell, Glyph::Ring, Paint::Red);
                }
                if s.run.at(column) == level
                    && s.run.at(column) != s.kept[s.turn.index()].at(column)
                {
                    scene.piece(cell, Glyph::Cross, Paint::Orange);
                    runners.push(cell);
                }
                if level == s.run.at(column) + 1 {
                    next = Some(cell);
                }
            }
            above.push(next);
        }
        let player = PLAYERS[s.turn.index()];
        scene.touch(player, "stop", runners, false);
        let mut moves = Vec::new();
        if s.phase == Phase::Pairs {
            self.pairs(s, &mut moves);
        }
        for m in moves {
            let columns = [m >> 4 & 15, m & 15].into_iter().filter(|&sum| sum > 0);
            let mut cells: Vec<usize> =
                columns.filter_map(|sum| above[usize::from(sum) - 2]).collect();
            // A pair of the same sum goes up twice in one column.
            cells.dedup();
            scene.touch(player, self.move_text(s, m), cells, false);
        }
        let shown = faces(s.dice).map(|face| (face > 0).then_some(face));
        for (i, face) in shown.into_iter().enumerate() {
            let (name, at) = (format!("die {}", i + 1), [i as f64, f64::from(longest) + 2.0]);
            let rolls: Vec<String> = self.rolls().map(|m| self.move_text(s, m)).collect();
            let cell = die(&mut scene, &name, at, face, rolls);
            if i == 0 {
                scene.touch(player, "roll", [cell], false);
            }
        }
        scene
    }
}

impl Notation for CantStop {
    fn name(&self) -> String {
        let CantStop { sides, needed, shortest, step, .. } = self;
        format!("cant-stop:{sides},{needed},{shortest},{step}")
    }

    fn players(&self) -> [&str; 2] {
        PLAYERS
    }

    /// The columns, `5+9` or `7`; `roll` and `stop`; the dice, the smallest first: `1136`.
    fn write_move(&self, _s: &State, m: u16, out: &mut String) {
        out.push_str(&match m {
            ROLL => "roll".to_owned(),
            STOP => "stop".to_owned(),
            dice if dice & DICE != 0 => faces(dice & !DICE).map(|d| d.to_string()).concat(),
            pair if pair >> 4 > 0 => format!("{}+{}", pair >> 4, pair & 15),
            single => single.to_string(),
        });
    }

    fn parse_move(&self, s: &State, text: &str) -> Option<u16> {
        let sums = 2..=2 * self.sides as u16;
        let pairs = sums.clone().flat_map(|a| (a..=2 * self.sides as u16).map(move |b| a << 4 | b));
        let all = [ROLL, STOP].into_iter().chain(sums).chain(pairs).chain(self.rolls());
        all.into_iter().find(|&m| self.move_text(s, m) == text)
    }

    /// Dice may be typed in any order.
    fn parse_typed(&self, s: &State, text: &str) -> Option<u16> {
        let sorted = || {
            let mut dice: Vec<char> = text.chars().collect();
            dice.sort_unstable();
            self.parse_move(s, &dice.into_iter().collect::<String>())
        };
        self.parse_move(s, text).or_else(sorted)
    }

    /// How far both have climbed, a number for each column, how far the player on turn has with the
    /// runners, and what that one does: `0-2-0 0-0-0 1-2-0 first`, `… first-rolls`, `… first-1122`.
    fn write_position(&self, s: &State, out: &mut String) {
        for climb in [s.kept[0], s.kept[1], s.run] {
            out.push_str(&self.list(climb));
            out.push(' ');
        }
        out.push_str(PLAYERS[s.turn.index()]);
        match s.phase {
            Phase::Rolls => out.push_str("-rolls"),
            Phase::Pairs => {
                out.push_str(&format!("-{}", faces(s.dice).map(|d| d.to_string()).concat()))
            }
            Phase::Decides => {}
        }
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let words = Value { text, at: 0 }.split(' ');
        let [first, second, run, mover] = words[..] else {
            let message = "expected how far both have climbed, how far with the runners, and who is to \
                           move, as `foregone show` writes them";
            return Err(TextError::new(message, 0..text.len()));
        };
        let mut s = self.start();
        s.kept = [self.read_climb(&first)?, self.read_climb(&second)?];
        s.run = self.read_climb(&run)?;
        let parts = mover.split('-');
        let Some(turn) = PLAYERS.iter().position(|name| *name == parts[0].text) else {
            let message =
                format!("`{}` is not a player, expected `first` or `second`", parts[0].text);
            return Err(parts[0].not_among(&PLAYERS, message));
        };
        s.turn = [Side::Max, Side::Min][turn];
        s.phase = match parts[..] {
            [_] => Phase::Decides,
            [_, does] if does.text == "rolls" => Phase::Rolls,
            [_, dice] => {
                let roll = self.rolls().find(|&m| self.move_text(&s, m) == dice.text);
                let message = "expected `rolls` or four dice, the smallest first";
                s.dice = roll.ok_or_else(|| dice.error(message))? & !DICE;
                Phase::Pairs
            }
            _ => return Err(mover.error("expected a player, and `-rolls` or `-` and four dice")),
        };
        self.check(&s, [&first, &second, &run, &mover])?;
        as_written(self, s, text)
    }

    fn draw(&self, s: &State) -> String {
        let mut out = String::from("column ");
        (0..self.columns()).for_each(|c| out.push_str(&format!("{:>3}", c + 2)));
        let rows = [("length", None), ("first", Some(s.kept[0])), ("second", Some(s.kept[1]))];
        for (name, climb) in rows.into_iter().chain([("runners", Some(s.run))]) {
            out.push_str(&format!("\n{name:<7}"));
            for column in 0..self.columns() {
                let level = climb.map_or(self.lengths[column], |climb| climb.at(column));
                let kept = name == "runners" && level == s.kept[s.turn.index()].at(column);
                let word = if kept { ".".to_owned() } else { level.to_string() };
                out.push_str(&format!("{word:>3}"));
            }
        }
        out.push('\n');
        match s.phase {
            Phase::Rolls => out.push_str("the dice roll\n"),
            Phase::Pairs => {
                let dice = faces(s.dice).map(|d| d.to_string()).join(" ");
                out.push_str(&format!("dice {dice}\n"));
            }
            Phase::Decides => {}
        }
        out
    }
}

impl CantStop {
    fn read_climb(&self, word: &Value<'_>) -> Result<Climb, TextError> {
        let levels = word.split('-');
        if levels.len() != self.columns() {
            let message = format!("expected {} columns, found {}", self.columns(), levels.len());
            return Err(word.error(message));
        }
        let mut climb = Climb(0);
        for (column, level) in levels.iter().enumerate() {
            climb.0 |= u64::from(level.number(0, self.lengths[column])?) << (4 * column);
        }
        Ok(climb)
    }

    /// Refuses what no play leads to and the rules could not go on from.
    fn check(
        &self,
        s: &State,
        [first, second, run, mover]: [&Value<'_>; 4],
    ) -> Result<(), TextError> {
        let top = |climb: Climb, c: usize| climb.at(c) == self.lengths[c];
        let columns = 0..self.columns();
        if columns.clone().any(|c| top(s.kept[0], c) && s.kept[1].at(c) > 0) {
            return Err(second.error("the first player has closed a column that the second is in"));
        }
        if columns.clone().any(|c| top(s.kept[1], c) && s.kept[0].at(c) > 0) {
            return Err(first.error("the second player has closed a column that the first is in"));
        }
        for (kept, word) in s.kept.iter().zip([first, second]) {
            if self.tops(*kept) >= self.needed {
                return Err(word.error("this player has stopped, and won before"));
            }
        }
        let kept = s.kept[s.turn.index()];
        if columns
            .clone()
            .any(|c| s.run.at(c) < kept.at(c) || s.run.at(c) > kept.at(c) && self.closed(s, c))
        {
            return Err(run.error("a runner is above what was kept, and in a column that is open"));
        }
        if self.runners(s) > RUNNERS {
            return Err(run.error(format!("there are {RUNNERS} runners")));
        }
        if s.phase == Phase::Decides && self.runners(s) == 0 {
            return Err(mover.error("a turn begins with a roll"));
        }
        if s.phase != Phase::Decides && self.tops(s.run) >= self.needed {
            return Err(mover.error("who has topped the last column does not roll"));
        }
        let mut pairs = Vec::new();
        if s.phase == Phase::Pairs {
            self.pairs(s, &mut pairs);
            if pairs.is_empty() {
                return Err(mover.error("none of these pairs can be used: the turn is over"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance_testing::{after, end, iterated, laws, listed};
    use crate::{chance_testing, testing};

    #[test]
    fn positions_keep_the_laws_of_chance() {
        for (sides, needed, shortest, step) in
            [(2, 1, 1, 0), (2, 2, 2, 1), (3, 2, 1, 1), (6, 3, 3, 2)]
        {
            laws(&CantStop::new(sides, needed, shortest, step), 5);
        }
        let cases = [
            ("0-0-0 0-0-0 0-0-0", 0..17),
            ("0-0 0-0-0 0-0-0 first-rolls", 0..3),
            ("0-0-0 0-3-0 0-0-0 first-rolls", 8..9),
            ("0-0-0 0-0-0 0-0-0 third-rolls", 18..23),
            ("0-0-0 0-0-0 0-0-0 first-2111", 24..28),
            ("0-0-0 0-0-0 0-0-0 first", 18..23),
            ("1-0-0 1-0-0 0-0-0 first-rolls", 6..11),
            ("1-2-0 0-0-0 1-2-0 first-rolls", 0..5),
            ("0-1-0 0-0-0 0-0-0 first-rolls", 12..17),
            ("0-1-0 0-2-0 0-1-0 first-rolls", 0..5),
            ("0-0-0 1-0-0 1-0-0 first-rolls", 12..17),
            ("0-0-0 0-0-0 1-2-0 first-rolls", 18..29),
            ("0-0-0 1-0-0 0-0-0 first-1111", 18..28),
            ("0-0-0 0-0-0 0-0-00 first-rolls", 0..30),
        ];
        chance_testing::mistakes_show_their_place(&CantStop::new(2, 2, 1, 1), &cases);
    }

    #[test]
    fn turns_are_played_by_the_rules() {
        let game = CantStop::new(2, 2, 1, 1);
        let start = "0-0-0 0-0-0 0-0-0 first-rolls";
        assert_eq!(listed(&game, start), "1111x1 1112x4 1122x6 1222x4 2222x1");
        // Pairs of the same sum go up twice where the column is long enough.
        assert_eq!(listed(&game, "0-0-0 0-0-0 0-0-0 first-1111"), "2");
        assert_eq!(listed(&game, "0-0-0 0-0-0 0-0-0 first-1122"), "2+4 3+3");
        assert_eq!(after(&game, start, "2211 3+3"), "0-0-0 0-0-0 0-2-0 first");
        assert_eq!(after(&game, start, "1122 3+3 stop"), "0-2-0 0-0-0 0-0-0 second-rolls");
        assert_eq!(after(&game, start, "1122 3+3 roll"), "0-0-0 0-0-0 0-2-0 first-rolls");
        assert_eq!(end(&game, start, "1122 2+4"), "win");
        assert_eq!(end(&game, "1-0-0 0-1-1 0-1-1 second-rolls", "1112 3"), "loss");
        // A turn without a use for the dice is lost; a column that is topped is cleared.
        assert_eq!(
            after(&game, "0-0-0 0-0-0 1-0-0 first-rolls", "1111"),
            start.replace("first", "second")
        );
        assert_eq!(
            after(&game, "0-1-0 0-1-0 0-2-0 first", "stop"),
            "0-2-0 0-0-0 0-0-0 second-rolls"
        );
    }

    #[test]
    fn runners_are_three() {
        let game = CantStop::new(6, 3, 3, 2);
        assert_eq!(game.lengths, [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3]);
        let run = "0-0-0-0-0-0-0-0-0-0-0 0-0-0-0-0-0-0-0-0-0-0 1-1-0-0-0-0-0-0-0-0-0";
        // One runner is free: 3+4 cannot both be used, 2 and 5 neither; 7 and 7 can.
        assert_eq!(listed(&game, &format!("{run} first-1134")), "2+7 4 5");
        assert_eq!(listed(&game, &format!("{run} first-3344")), "6 8 7+7");
        let weights: u64 = game.rolls().map(|m| game.weight(&game.start(), m)).sum();
        assert_eq!((game.rolls().count(), weights), (126, 1296));
    }

    /// The values of problems/chance.py.
    #[test]
    fn boards_are_worth_what_they_were() {
        for (sides, needed, shortest, step, value) in [
            (2, 1, 1, 0, 1.0),
            (2, 1, 2, 0, 1.0),
            (2, 2, 1, 1, 0.960_600_375_234_521_6),
            (2, 2, 2, 1, 0.967_863_894_139_886_6),
            (3, 2, 1, 1, 0.977_922_318_497_998_4),
        ] {
            let game = CantStop::new(sides, needed, shortest, step);
            let (found, _) = iterated(&game);
            assert!((found - value).abs() < 1e-9, "{}: {found}", game.name());
        }
        let game = CantStop::new(3, 2, 1, 1);
        let counts = [1, 2, 3, 4].map(|n| testing::perft(&game, &game.start(), n));
        assert_eq!(counts, [15, 21, 40, 600]);
    }
}
