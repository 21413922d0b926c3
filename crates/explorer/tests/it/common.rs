//! Certificates to look at, and a reader of them that is as simple as can be.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use foregone_explorer::{Book, BookError, Kind, Node};
use foregone_games::erased::{AnyState, Erased};
use foregone_games::files::Files;
use foregone_games::registry::{self, Opened};
use foregone_model::certificate::{
    ByReason, Checksum, MAGIC, Reader, check, check_expected, check_formula, check_mixed,
    check_scores,
};
use foregone_model::{Game, Notation, Turn};

/// Proofs in turn, as the program wrote them.
pub(crate) const TREES: &[(&str, &str)] = &[
    ("breakthrough", include_str!("../data/breakthrough.txt")),
    ("connect-four", include_str!("../data/connect-four.txt")),
    ("domineering", include_str!("../data/domineering.txt")),
    ("for-second", include_str!("../data/for-second.txt")),
    ("keys", include_str!("../data/keys.txt")),
    ("ladder", include_str!("../data/ladder.txt")),
    ("mate", include_str!("../data/mate.txt")),
    ("steps", include_str!("../data/steps.txt")),
    ("three", include_str!("../data/three.txt")),
    ("tic-tac-toe", include_str!("../data/tic-tac-toe.txt")),
];

/// Certificates whose lines speak of positions.
pub(crate) const KEYED: &[(&str, &str)] = &[
    ("bear-off", include_str!("../data/bear-off.txt")),
    ("goofspiel", include_str!("../data/goofspiel.txt")),
    ("opponent", include_str!("../data/opponent.txt")),
    ("pig", include_str!("../data/pig.txt")),
    ("random-joint", include_str!("../data/random-joint.txt")),
    ("scores", include_str!("../data/scores.txt")),
];

/// A game whose proof, made without care, has thousands of claims.
pub(crate) const LARGE: &str = "nim:6,7,9,10";

/// A play may go round from `a` for ever.
pub(crate) const ROUND: &str = "max a -> b l\nmin b -> a w\nend w win\nend l loss\n";

pub(crate) fn files() -> Files {
    let nim = include_str!("../../../../rulesheets/three-player-nim.kif");
    Files::from_memory([("rulesheets/three-player-nim.kif", nim), ("round.game", ROUND)])
}

pub(crate) fn game_of(book: &Book) -> Opened {
    registry::open(&files(), &book.header(0).unwrap().game).unwrap()
}

pub(crate) fn in_turn(spec: &str) -> Erased {
    registry::open(&files(), spec).unwrap().require_in_turn(spec).unwrap()
}

/// A book that is indexed to its end.
pub(crate) fn indexed(text: &str) -> Book {
    let book = Book::new(Arc::new(text.to_owned()));
    while !book.index_more(1 << 20).unwrap() {}
    book
}

pub(crate) fn words(path: &[&str]) -> Vec<String> {
    path.iter().map(|&word| word.to_owned()).collect()
}

/// Everything that stands at a place.
pub(crate) fn node(book: &Book, game: &Opened, certificate: usize, path: &[String]) -> Node {
    book.node(game, certificate, path, 0, 10_000)
        .unwrap_or_else(|e| panic!("{}: {e}", path.join(" ")))
}

/// The same text with the checksum that belongs to it.
pub(crate) fn summed(body: &str, claims: usize) -> String {
    let mut sum = Checksum::EMPTY;
    sum.add(body.as_bytes());
    format!("{body}end {claims} {:016x}\n", sum.0)
}

/// Whether the checkers believe a file: tests of what is shown should rest on proofs.
pub(crate) fn believed(text: &str) -> Result<u64, String> {
    let mut reader = Reader::new(text.as_bytes());
    let mut claims = 0;
    while let Some(header) = reader.header().map_err(|e| e.to_string())? {
        let opened = registry::open(&files(), &header.game).map_err(|e| e.to_string())?;
        let count = match &opened {
            Opened::Joint(game) => check_mixed(game, &header, &mut reader).map(|p| p.claims),
            Opened::InTurn(game) if header.formula.is_some() => {
                check_formula(game, &header, &mut reader, &mut ByReason).map(|p| p.claims)
            }
            Opened::InTurn(game) if header.expected.is_some() => {
                check_expected(game, &header, &mut reader).map(|p| p.claims)
            }
            Opened::InTurn(game) if header.scores => {
                check_scores(game, &header, &mut reader).map(|p| p.claims)
            }
            Opened::InTurn(game) => {
                check(game, &header, &mut reader, &mut ByReason).map(|p| p.claims)
            }
        };
        claims += count.map_err(|e| e.to_string())?;
    }
    Ok(claims)
}

/// A claim with all below it, read by recursion.
#[derive(Debug)]
pub(crate) struct Naive {
    pub(crate) line: u64,
    pub(crate) text: String,
    pub(crate) by: String,
    pub(crate) label: Option<u64>,
    pub(crate) says: String,
    pub(crate) below: Vec<Naive>,
}

impl Naive {
    pub(crate) fn size(&self) -> u64 {
        1 + self.below.iter().map(Naive::size).sum::<u64>()
    }

    /// The move that leads to the number-th claim below.
    pub(crate) fn way(&self, number: usize) -> String {
        match self.says.strip_prefix("! ") {
            Some(played) => played.to_owned(),
            None => self.below[number].by.clone(),
        }
    }

    /// Goes through all claims with the paths that lead to them.
    pub(crate) fn each(&self, path: &mut Vec<String>, visit: &mut dyn FnMut(&[String], &Naive)) {
        visit(path, self);
        for (number, below) in self.below.iter().enumerate() {
            path.push(self.way(number));
            below.each(path, visit);
            path.pop();
        }
    }
}

fn parse<'t>(lines: &mut impl Iterator<Item = (u64, &'t str)>, answers: bool) -> Naive {
    let (line, text) = lines.next().unwrap();
    let (mut by, mut rest, mut label) = (String::new(), text, None);
    if answers {
        let (played, after) = text.split_once(": ").unwrap();
        (by, rest) = (played.to_owned(), after);
    }
    if let Some(after) = rest.strip_prefix('#') {
        let (number, after) = after.split_once(' ').unwrap();
        (label, rest) = (Some(number.parse().unwrap()), after);
    }
    let below = match (rest.strip_prefix("? "), rest.starts_with("! ")) {
        (Some(count), _) => (0..count.parse().unwrap()).map(|_: u32| parse(lines, true)).collect(),
        (_, true) => vec![parse(lines, false)],
        _ => Vec::new(),
    };
    Naive { line, text: text.to_owned(), by, label, says: rest.to_owned(), below }
}

/// All proofs in turn of a file.
pub(crate) fn naive(text: &str) -> Vec<Naive> {
    let mut lines = (1..).zip(text.lines());
    let mut found = Vec::new();
    while let Some((_, first)) = lines.next() {
        assert_eq!(first, MAGIC);
        assert!(lines.any(|(_, line)| line.is_empty()));
        found.push(parse(&mut lines, false));
        assert!(lines.next().unwrap().1.starts_with("end "));
    }
    found
}

/// The claims with labels.
pub(crate) fn labels(naive: &Naive) -> HashMap<u64, (u64, u64)> {
    let mut found = HashMap::new();
    naive.each(&mut Vec::new(), &mut |_, claim| {
        if let Some(label) = claim.label {
            found.insert(label, (claim.line, claim.size()));
        }
    });
    found
}

/// A proof that the first player wins from the start, found without any care: large, with as many
/// references as there can be.
pub(crate) fn made(spec: &str) -> String {
    let game = in_turn(spec);
    let mut maker = Maker { game: &game, wins: HashMap::new(), labels: HashMap::new(), claims: 0 };
    let start = game.start();
    assert!(maker.wins(&start));
    let mut text = format!("{MAGIC}\ngame {}\nrules {}\n", game.name(), game.rules());
    let player = game.players()[0];
    let _ =
        write!(text, "position {}\nclaim {player} at-least win\n\n", game.position_text(&start));
    maker.write(&start, &mut text);
    summed(&text, maker.claims)
}

struct Maker<'g> {
    game: &'g Erased,
    wins: HashMap<AnyState, bool>,
    labels: HashMap<AnyState, usize>,
    claims: usize,
}

impl Maker<'_> {
    fn after(&self, s: &AnyState) -> Vec<(String, AnyState)> {
        let mut moves = Vec::new();
        let Some(agent) = self.game.turn(s).mover() else { return Vec::new() };
        self.game.moves(s, agent, &mut moves);
        let play = |&m: &_| {
            let mut next = s.clone();
            self.game.play(&mut next, agent, m);
            (self.game.move_text(s, m), next)
        };
        moves.iter().map(play).collect()
    }

    fn own(&self, s: &AnyState) -> bool {
        self.game.turn(s) == Turn::Agent(foregone_model::Agent::FIRST)
    }

    fn wins(&mut self, s: &AnyState) -> bool {
        if let Some(&known) = self.wins.get(s) {
            return known;
        }
        let wins = match self.game.turn(s) {
            Turn::Over => self.game.outcome(s) == self.game.scale().best(),
            _ if self.own(s) => self.after(s).iter().any(|(_, next)| self.wins(next)),
            _ => self.after(s).iter().all(|(_, next)| self.wins(next)),
        };
        self.wins.insert(s.clone(), wins);
        wins
    }

    fn write(&mut self, s: &AnyState, text: &mut String) {
        self.claims += 1;
        if self.game.turn(s) == Turn::Over {
            text.push_str(".\n");
            return;
        }
        if let Some(label) = self.labels.get(s) {
            let _ = writeln!(text, "= {label}");
            return;
        }
        let _ = write!(text, "#{} ", self.labels.len() + 1);
        self.labels.insert(s.clone(), self.labels.len() + 1);
        let after = self.after(s);
        if self.own(s) {
            let winning = after.iter().find(|(_, next)| self.wins[next]).unwrap();
            let _ = writeln!(text, "! {}", winning.0);
            self.write(&winning.1, text);
            return;
        }
        let _ = writeln!(text, "? {}", after.len());
        for (played, next) in after {
            let _ = write!(text, "{played}: ");
            self.write(&next, text);
        }
    }
}

#[test]
fn the_certificates_of_these_tests_are_proofs() {
    for (name, text) in TREES.iter().chain(KEYED) {
        let claims = believed(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(indexed(text).outline().unwrap().claims, Some(claims), "{name}");
    }
    assert!(believed(&made("nim:3,4,5")).unwrap() > 50);
}

#[test]
fn the_outline_tells_what_is_claimed() {
    let said = |text: &str| {
        let outline = indexed(text).outline().unwrap();
        assert_eq!((outline.indexed, outline.problem), (1.0, None));
        let said = outline.certificates.into_iter();
        said.map(|c| (c.kind, c.claims_that, c.claims.unwrap())).collect::<Vec<_>>()
    };
    let find = |name| TREES.iter().chain(KEYED).find(|(n, _)| *n == name).unwrap().1;
    let tell = |kind, text: &str, claims| (kind, text.to_owned(), claims);
    assert_eq!(
        said(find("connect-four")),
        [
            tell(Kind::InTurn, "red reaches at least draw", 227),
            tell(Kind::InTurn, "yellow keeps the opponent from winning", 194)
        ]
    );
    let keys = "omega(2) holds for white, exactly these keys: h1h8";
    assert_eq!(said(find("keys")), [tell(Kind::Formula, keys, 389)]);
    assert_eq!(said(find("goofspiel"))[1], tell(Kind::Mixed, "Min pays at most 0", 18));
    let scores = "the scores of the players are 50 100 0, by max^n";
    assert_eq!(said(find("scores")), [tell(Kind::Scores, scores, 45)]);
    let others = said(find("three")).into_iter().map(|(_, said, _)| said);
    assert_eq!(
        others.collect::<Vec<_>>(),
        [
            "first reaches at least 50/0/0",
            "the others keep the first player from outcome 100/0/0 and better"
        ]
    );
    // Before the index has come anywhere, the first certificate is there.
    let book = Book::new(Arc::new(find("connect-four").to_owned()));
    let outline = book.outline().unwrap();
    assert_eq!((outline.indexed, outline.claims, outline.certificates.len()), (0.0, None, 1));
    assert_eq!(book.header(1), Err(BookError::NotYet));
}
