//! Domineering for three players, on a board with three dimensions.
//!
//! Vertical, who moves first, Horizontal and Deep cover two empty cells in turn with a domino, each
//! along an axis of its own: Vertical two cells of a column, Horizontal two of a row, Deep the same
//! cell of two neighbouring layers. Who cannot move in its turn is out, and the others go on; who is
//! left at last has won. That is how the theory of partizan games goes on with more than two players
//! (A. Cincotti, *N-player partizan games*, 2010). With one layer it is Domineering (Göran Andersson,
//! about 1973).
//!
//! As cells are never freed, who cannot move now never will: who is out passes in every turn. And
//! the game is decided as soon as at most one player can move. That one is who will be left, or, if
//! nobody can move, who moved last.

use foregone_model::scene::{Glyph, Paint, Scene};
use foregone_model::{Agent, Game, Guide, Notation, OffTurn, Outcome, Scale, TextError, Turn};

use crate::board::{self, Mirror, Word, least};
use crate::options::{Options, Value};
use crate::picture::column_name;
use crate::registry::{Entry, GameError, Opened};

/// How the game is listed and opened.
pub const ENTRY: Entry = Entry::in_turn(
    "domineering-three",
    "ROWSxCOLUMNSxLAYERS (3x3x2)",
    "Three players place dominoes, each along an axis of its own; the last who can move wins",
    open,
);

fn open(options: &Options<'_>) -> Result<Opened, GameError> {
    let [rows, cols, layers] = read_size(options)?;
    if rows * cols * layers > MAX_CELLS {
        let message =
            format!("a board of {rows}x{cols}x{layers} is too large: at most {MAX_CELLS} cells");
        return Err(GameError::Spec(options.error(message)));
    }
    Ok(Opened::pictured(DomineeringThree::new(rows, cols, layers), DomineeringThree::scene))
}

/// Three numbers between `x`.
fn read_size(options: &Options<'_>) -> Result<[u32; 3], TextError> {
    let Some(text) = options.text() else { return Ok([3, 3, 2]) };
    let start = options.spec().len() - text.len();
    let split = |text: &str| text.split_once(['x', 'X', '×']).map(|(a, b)| (a.len(), b.len()));
    let parts = split(text).and_then(|(rows, rest)| {
        let (cols, layers) = split(&text[text.len() - rest..])?;
        Some([(0, rows), (text.len() - rest, cols), (text.len() - layers, layers)])
    });
    let Some(parts) = parts else {
        let message =
            format!("`{text}` is not a board size, expected ROWSxCOLUMNSxLAYERS such as 3x3x2");
        return Err(options.error(message));
    };
    let mut size = [0; 3];
    for (number, (at, length)) in size.iter_mut().zip(parts) {
        let value = Value { text: &text[at..at + length], at: start + at };
        *number = value.number(1, MAX_CELLS)?;
    }
    Ok(size)
}

/// Boards are words of 64 bits.
pub const MAX_CELLS: u32 = 64;

/// A move is the first cell of a domino, and this much more for each player before the one who makes
/// it.
const STEP: u8 = 64;
/// What a player does who is out.
const PASS: u8 = u8::MAX;
const PASS_WORD: &str = "pass";

const PLAYERS: usize = 3;
const NAMES: [&str; PLAYERS] = ["vertical", "horizontal", "deep"];
/// Where the win of each player stands in the scale.
const PLACES: [u16; PLAYERS] = [2, 0, 1];

/// Domineering for three players. The cell in row `r`, column `c` and layer `l`, all counted from 0,
/// is bit `(l * rows + r) * cols + c`.
#[derive(Clone, Debug)]
pub struct DomineeringThree {
    rows: u32,
    cols: u32,
    layers: u32,
    /// How far the two cells of each player's domino are apart, and where the first of them can be.
    strides: [u32; PLAYERS],
    firsts: [u64; PLAYERS],
    /// Columns, rows and layers in reverse.
    mirrors: [Mirror<u64>; 3],
}

/// The cells that are covered, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    covered: u64,
    turn: u8,
}

foregone_model::stored!(State { covered, turn });

impl DomineeringThree {
    /// A board of this size, with at most `MAX_CELLS` cells.
    pub fn new(rows: u32, cols: u32, layers: u32) -> DomineeringThree {
        assert!((1..=MAX_CELLS).contains(&(rows * cols * layers)), "the board fits its word");
        let cells = rows * cols * layers;
        let set = |keep: &dyn Fn(u32) -> bool| {
            (0..cells).filter(|&cell| keep(cell)).fold(0, |set, cell| set | 1u64 << cell)
        };
        let layer = rows * cols;
        DomineeringThree {
            rows,
            cols,
            layers,
            strides: [cols, 1, layer],
            firsts: [
                set(&|cell| cell / cols % rows + 1 < rows),
                set(&|cell| cell % cols + 1 < cols),
                set(&|cell| cell / layer + 1 < layers),
            ],
            mirrors: [
                Mirror::new(1, (0..rows * layers).map(|row| (row * cols, cols))),
                Mirror::new(cols, (0..cols * layers).map(|i| (i / cols * layer + i % cols, rows))),
                Mirror::new(layer, (0..layer).map(|cell| (cell, layers))),
            ],
        }
    }

    /// Where the first cell of a domino of a player can be.
    #[inline]
    fn places(&self, covered: u64, player: usize) -> u64 {
        let empty = !covered;
        // A domino may reach over the whole board, but then it has no place on it.
        let second = empty.checked_shr(self.strides[player]).unwrap_or(0);
        empty & second & self.firsts[player]
    }

    #[inline]
    fn can_move(&self, covered: u64, player: usize) -> bool {
        self.places(covered, player) != 0
    }

    /// Who has won, if the game is decided.
    #[inline]
    fn winner(&self, s: &State) -> Option<usize> {
        let mut able = (0..PLAYERS).filter(|&player| self.can_move(s.covered, player));
        match (able.next(), able.next()) {
            (Some(_), Some(_)) => None,
            (Some(left), None) => Some(left),
            // As long as two can move nobody wins, so that a domino was placed just now.
            (None, _) => Some((usize::from(s.turn) + PLAYERS - 1) % PLAYERS),
        }
    }

    /// The cells of a domino.
    #[inline]
    fn domino(&self, m: u8) -> [u32; 2] {
        let first = u32::from(m % STEP);
        [first, first + self.strides[usize::from(m / STEP)]]
    }

    /// `b1.2`: the second column, the first row, the second layer.
    fn write_cell(&self, cell: u32, out: &mut String) {
        board::write_cell(cell / self.cols % self.rows, cell % self.cols, out);
        out.push_str(&format!(".{}", cell / (self.rows * self.cols) + 1));
    }

    fn parse_cell(&self, text: &str) -> Option<u32> {
        let (row, col, rest) = board::parse_cell(text)?;
        let number = rest.strip_prefix('.')?;
        let layer =
            number.parse::<u32>().ok().filter(|n| n.to_string() == number)?.checked_sub(1)?;
        let inside = row < self.rows && col < self.cols && layer < self.layers;
        inside.then(|| (layer * self.rows + row) * self.cols + col)
    }

    /// The cells of each row: layer by layer, each from its highest row.
    fn rows_in_order(&self) -> impl Iterator<Item = std::ops::Range<u32>> + use<> {
        let (rows, cols) = (self.rows, self.cols);
        let row = move |n: u32| (n / rows * rows + (rows - 1 - n % rows)) * cols;
        (0..rows * self.layers).map(move |n| row(n)..row(n) + cols)
    }
}

impl Game for DomineeringThree {
    type State = State;
    type Move = u8;

    /// Who wins. To the first player the others are the same, but an outcome must tell them apart;
    /// which of them comes first means nothing.
    fn scale(&self) -> Scale {
        Scale::words([1, 2, 0].map(|player: usize| NAMES[player].to_owned()).to_vec())
    }

    fn start(&self) -> State {
        State { covered: 0, turn: 0 }
    }

    fn agents(&self) -> u8 {
        PLAYERS as u8
    }

    fn off_turn(&self) -> OffTurn {
        OffTurn::Moves
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match self.winner(s) {
            Some(_) => Turn::Over,
            None => Turn::Agent(Agent(s.turn)),
        }
    }

    #[inline]
    fn moves(&self, s: &State, agent: Agent, out: &mut Vec<u8>) {
        let places = self.places(s.covered, usize::from(agent.0));
        out.extend(places.cells().map(|cell| agent.0 * STEP + cell as u8));
        if places == 0 {
            out.push(PASS);
        }
    }

    #[inline]
    fn play(&self, s: &mut State, agent: Agent, m: u8) {
        if m != PASS {
            let [first, second] = self.domino(m);
            s.covered |= 1 << first | 1 << second;
        }
        s.turn = (agent.0 + 1) % PLAYERS as u8;
    }

    #[inline]
    fn outcome(&self, s: &State) -> Outcome {
        Outcome(PLACES[self.winner(s).unwrap_or(0)])
    }

    fn score(&self, outcome: Outcome, agent: Agent) -> i64 {
        i64::from(self.won(outcome, agent))
    }

    fn won(&self, outcome: Outcome, agent: Agent) -> bool {
        outcome.0 == PLACES[usize::from(agent.0)]
    }
}

impl Guide for DomineeringThree {
    type Packed = State;

    foregone_model::stored_by_parts!();

    const PACKS_TURN: bool = true;

    #[inline]
    fn pack(&self, s: &State) -> State {
        *s
    }

    #[inline]
    fn mobility(&self, s: &State, agent: Agent) -> u32 {
        self.places(s.covered, usize::from(agent.0)).count().max(1)
    }

    /// Each of the three axes may be reversed.
    #[inline]
    fn canonical(&self, s: &State) -> State {
        let mut images = [[s.covered]; 8];
        for (axis, mirror) in self.mirrors.iter().enumerate() {
            for (number, image) in images.iter_mut().enumerate() {
                if number >> axis & 1 == 1 {
                    mirror.apply(image);
                }
            }
        }
        State { covered: least(images)[0], turn: s.turn }
    }

    fn move_class(&self, _s: &State, _agent: Agent, m: u8) -> Option<u16> {
        Some(u16::from(m))
    }
}

impl DomineeringThree {
    /// A picture of a position: the layers side by side.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::new();
        for layer in 0..self.layers {
            let left = f64::from(layer * (self.cols + 1));
            let down = |row: u32| f64::from(self.rows - 1 - row);
            for row in 0..self.rows {
                for col in 0..self.cols {
                    let cell = (layer * self.rows + row) * self.cols + col;
                    let mut name = String::new();
                    self.write_cell(cell, &mut name);
                    let number =
                        scene.square(name, [left + f64::from(col), down(row)], Paint::Plain);
                    if s.covered.has(cell) {
                        scene.piece(number, Glyph::Block, Paint::Wall);
                    }
                }
                if layer == 0 {
                    scene.label([-0.78, down(row)], (row + 1).to_string(), 0.34, Paint::Faint);
                }
            }
            for col in 0..self.cols {
                let at = [left + f64::from(col), f64::from(self.rows) - 0.22];
                scene.label(at, column_name(col), 0.34, Paint::Faint);
            }
            let middle = [left + f64::from(self.cols - 1) / 2.0, f64::from(self.rows) + 0.3];
            scene.label(middle, format!("layer {}", layer + 1), 0.34, Paint::Faint);
        }
        if let Some(agent) = self.turn(s).mover() {
            let mut moves = Vec::new();
            self.moves(s, agent, &mut moves);
            for m in moves.into_iter().filter(|&m| m != PASS) {
                // Cells of the picture stand in the order of the bits.
                let cells = self.domino(m).map(|cell| cell as usize);
                scene.touch(NAMES[usize::from(agent.0)], self.move_text(s, m), cells, false);
            }
        }
        scene
    }
}

impl Notation for DomineeringThree {
    fn name(&self) -> String {
        format!("domineering-three:{}x{}x{}", self.rows, self.cols, self.layers)
    }

    fn players(&self) -> [&str; 2] {
        [NAMES[0], "others"]
    }

    fn agent_name(&self, agent: Agent) -> &str {
        NAMES[usize::from(agent.0)]
    }

    /// The two cells of the domino.
    fn write_move(&self, _s: &State, m: u8, out: &mut String) {
        if m == PASS {
            return out.push_str(PASS_WORD);
        }
        let [first, second] = self.domino(m);
        self.write_cell(first, out);
        out.push('-');
        self.write_cell(second, out);
    }

    fn parse_move(&self, _s: &State, text: &str) -> Option<u8> {
        if text == PASS_WORD {
            return Some(PASS);
        }
        let (first, second) = text.split_once('-')?;
        let cells = [self.parse_cell(first)?, self.parse_cell(second)?];
        // Whose domino it is follows from the axis.
        let player = (0..PLAYERS).find(|&player| {
            self.firsts[player].has(cells[0]) && cells[1] == cells[0] + self.strides[player]
        })?;
        Some(player as u8 * STEP + cells[0] as u8)
    }

    fn write_position(&self, s: &State, out: &mut String) {
        let symbol = |cell: u32| if s.covered.has(cell) { '#' } else { '.' };
        board::write_board(self.rows_in_order(), symbol, out);
        out.push(' ');
        out.push_str(NAMES[usize::from(s.turn)]);
    }

    fn read_position(&self, text: &str) -> Result<State, TextError> {
        let (sets, mover) =
            board::read_board::<u64>(text, self.rows_in_order(), &['.', '#'], &NAMES)?;
        Ok(State { covered: sets[1], turn: mover as u8 })
    }

    fn draw(&self, s: &State) -> String {
        let mut out = String::new();
        let line = |text: &mut String, head: String, parts: Vec<String>| {
            text.push_str(format!("{head:>3}  {}", parts.join("   ")).trim_end());
            text.push('\n');
        };
        let width = 2 * self.cols as usize - 1;
        let layers = || 0..self.layers;
        for row in (0..self.rows).rev() {
            let cells = |layer: u32| {
                let cell = |col| (layer * self.rows + row) * self.cols + col;
                let symbol = |col| if s.covered.has(cell(col)) { "#" } else { "." };
                (0..self.cols).map(symbol).collect::<Vec<_>>().join(" ")
            };
            line(&mut out, (row + 1).to_string(), layers().map(cells).collect());
        }
        let letters = (0..self.cols).map(column_name).collect::<Vec<_>>().join(" ");
        line(&mut out, String::new(), layers().map(|_| letters.clone()).collect());
        let numbers = layers().map(|layer| format!("{:<width$}", format!(".{}", layer + 1)));
        line(&mut out, String::new(), numbers.collect());
        out
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use foregone_model::{Rng, Typed as _};

    use super::*;
    use crate::domineering::Domineering;
    use crate::testing::{self, COLUMNS, Image};

    /// The rules in so many words: cells by their coordinates, and a list of those who are not out.
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Slow {
        size: [u32; 3],
        covered: Vec<[u32; 3]>,
        /// Those who are not out, the one to move first.
        left: Vec<usize>,
    }

    impl Slow {
        fn new(game: &DomineeringThree) -> Slow {
            Slow {
                size: [game.rows, game.cols, game.layers],
                covered: Vec::new(),
                left: vec![0, 1, 2],
            }
        }

        fn dominoes(&self, axis: usize) -> Vec<[[u32; 3]; 2]> {
            let [rows, cols, layers] = self.size;
            let mut out = Vec::new();
            for cell in 0..rows * cols * layers {
                let one = [cell / cols % rows, cell % cols, cell / (rows * cols)];
                let mut two = one;
                two[axis] += 1;
                if two[axis] < self.size[axis]
                    && !self.covered.contains(&one)
                    && !self.covered.contains(&two)
                {
                    out.push([one, two]);
                }
            }
            out
        }

        /// Puts those out who are to move and cannot, until somebody can or is alone.
        fn settled(mut self) -> Slow {
            while self.left.len() > 1 && self.dominoes(self.left[0]).is_empty() {
                self.left.remove(0);
            }
            self
        }

        fn after(&self, domino: [[u32; 3]; 2]) -> Slow {
            let mut next = self.clone();
            next.covered.extend(domino);
            next.covered.sort_unstable();
            next.left.rotate_left(1);
            next.settled()
        }

        /// Whether the first player can be left at last, against both others.
        fn first_wins(&self, memo: &mut HashMap<Slow, bool>) -> bool {
            if self.left.len() == 1 {
                return self.left[0] == 0;
            }
            if let Some(&known) = memo.get(self) {
                return known;
            }
            let mut next = self.dominoes(self.left[0]).into_iter().map(|d| self.after(d));
            let wins = match self.left[0] {
                0 => next.any(|s| s.first_wins(memo)),
                _ => next.all(|s| s.first_wins(memo)),
            };
            memo.insert(self.clone(), wins);
            wins
        }
    }

    const SIZES: [[u32; 3]; 10] = [
        [1, 1, 1],
        [1, 2, 1],
        [1, 1, 3],
        [2, 2, 1],
        [3, 3, 1],
        [2, 2, 2],
        [1, 3, 3],
        [3, 2, 2],
        [2, 3, 2],
        [2, 2, 3],
    ];

    fn game([rows, cols, layers]: [u32; 3]) -> DomineeringThree {
        DomineeringThree::new(rows, cols, layers)
    }

    #[test]
    fn plays_follow_the_rules_in_words() {
        let mut rng = Rng::new(1);
        for size in SIZES.into_iter().chain([[3, 3, 3], [4, 4, 4], [8, 8, 1], [1, 64, 1]]) {
            let game = game(size);
            for _ in 0..20 {
                let mut slow = Slow::new(&game).settled();
                let mut s = game.start();
                while let Some(agent) = game.turn(&s).mover() {
                    let mut moves = Vec::new();
                    game.moves(&s, agent, &mut moves);
                    if moves == [PASS] {
                        assert!(!slow.left.contains(&usize::from(agent.0)));
                        game.play(&mut s, agent, PASS);
                        continue;
                    }
                    assert_eq!(usize::from(agent.0), slow.left[0]);
                    let dominoes = slow.dominoes(slow.left[0]);
                    assert_eq!(moves.len(), dominoes.len());
                    let pick = rng.below(moves.len() as u32) as usize;
                    game.play(&mut s, agent, moves[pick]);
                    slow = slow.after(dominoes[pick]);
                }
                // Who is left is settled, though moves may be left as well.
                while slow.left.len() > 1 {
                    let domino = slow.dominoes(slow.left[0])[0];
                    slow = slow.after(domino);
                }
                let end = game.outcome(&s);
                let won: Vec<bool> = (0..3).map(|n| game.won(end, Agent(n))).collect();
                let left: Vec<bool> = (0..3).map(|n| slow.left == [n]).collect();
                assert_eq!(won, left, "{}", game.position_text(&s));
                assert_eq!(game.scale().name(end), NAMES[slow.left[0]]);
                let scores: i64 = (0..3).map(|n| game.score(end, Agent(n))).sum();
                assert_eq!(scores, 1);
            }
        }
    }

    #[test]
    fn small_boards_have_their_values() {
        for size in SIZES {
            let game = game(size);
            let value = testing::solve(&game, &game.start(), &mut HashMap::new());
            let wins = Slow::new(&game).settled().first_wins(&mut HashMap::new());
            assert_eq!(value == game.scale().best(), wins, "{size:?}");
        }
    }

    /// With one layer the third player is out at once, and the other two play Domineering.
    #[test]
    fn one_layer_is_domineering() {
        for (rows, cols) in [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 3), (4, 4)] {
            let (three, two) = (game([rows, cols, 1]), Domineering::<u64>::new(rows, cols));
            let value = testing::solve(&three, &three.start(), &mut HashMap::new());
            let winner = testing::solve(&two, &two.start(), &mut HashMap::new());
            assert_eq!(value == three.scale().best(), winner == two.scale().best());
        }
    }

    #[test]
    fn plays_are_counted() {
        // The counts of problems/oracle.py.
        let counts: [([u32; 3], &[u64]); 4] = [
            ([3, 3, 1], &[6, 20, 12, 28, 8]),
            ([2, 2, 2], &[4, 8, 8, 0]),
            ([3, 3, 2], &[12, 112, 592, 3232, 12_240]),
            ([2, 3, 3], &[9, 84, 592, 2560]),
        ];
        for (size, counts) in counts {
            let game = game(size);
            for (depth, &count) in (1..).zip(counts) {
                assert_eq!(testing::perft(&game, &game.start(), depth), count, "{size:?} {depth}");
            }
        }
    }

    #[test]
    fn texts_are_read_back() {
        for size in SIZES.into_iter().chain([[3, 3, 3], [4, 4, 4], [2, 2, 16]]) {
            testing::texts_round_trip(&game(size), 5);
        }
        let game = game([2, 3, 2]);
        testing::nonsense_is_refused(&game);
        let s = game.read_position_or_moves("moves:a1.1-a2.1,b1.1-c1.1,c2.1-c2.2").unwrap();
        assert_eq!(game.position_text(&s), "#.#/###/..#/... vertical");
        assert_eq!(
            game.draw(&s),
            "  2  # . #   . . #\n  1  # # #   . . .\n     a b c   a b c\n     .1      .2\n"
        );
        for text in ["a1.1-b2.1", "a2.1-a1.1", "a1.1-a1.3", "a1.01-a2.1", "a1-a2", "a1.0-a2.0"] {
            assert_eq!(game.parse_move(&s, text), None, "{text}");
        }
        // Vertical has no room, and passes; there is nothing else that it could do.
        let out = game.read_position("..#/###/..#/### vertical").unwrap();
        let mut moves = Vec::new();
        game.moves(&out, Agent(0), &mut moves);
        assert_eq!((moves, game.parse_move(&out, "pass")), (vec![PASS], Some(PASS)));
        let full = game.read_position("###/###/###/### deep").unwrap();
        let winner = game.scale().name(game.outcome(&full)).to_owned();
        assert_eq!((game.turn(&full), winner.as_str()), (Turn::Over, "horizontal"));
    }

    #[test]
    fn images_are_alike() {
        const HALVES: Image = |rows| [&rows[3..], &rows[..3]].concat();
        const UP: Image =
            |rows| [0, 1, 2, 3, 4, 5].map(|i| rows[i / 3 * 3 + 2 - i % 3].clone()).to_vec();
        testing::images_are_alike(&game([3, 3, 2]), 10, &[COLUMNS, HALVES, UP], 8, false);
        testing::images_are_alike(&game([3, 2, 2]), 10, &[COLUMNS, HALVES, UP], 8, true);
    }

    #[test]
    fn wrong_sizes_are_shown() {
        let files = crate::files::Files::from_disk();
        let open = |spec: &str| crate::registry::open(&files, spec);
        assert_eq!(open("domineering-three").unwrap().name(), "domineering-three:3x3x2");
        assert_eq!(open("domineering-three:4X4x4").unwrap().name(), "domineering-three:4x4x4");
        for (options, at) in
            [("3x3", 18..21), ("3x0x2", 20..21), ("5x5x3", 18..23), ("2xx2", 20..20)]
        {
            match open(&format!("domineering-three:{options}")) {
                Err(GameError::Spec(error)) => assert_eq!(error.span, at, "{options}"),
                other => panic!("{options}: {other:?}"),
            }
        }
    }
}
