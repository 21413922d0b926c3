//! Moves as one word, positions as a line and as a drawing, and names that roles may have.
//!
//! Lists of moves, certificates and shells want words without blanks and brackets: `(mark 1 3)` is
//! `mark.1.3`, and a function inside a function stands in square brackets, as in `put.[card.7].2`.

use std::collections::BTreeMap;

use foregone_model::scene::{Glyph, Paint, Scene, wrapped};

use crate::kif::{self, Shape, Symbol, Symbols, Tree};

/// Characters that mean something in a list of moves, in a certificate or in a word of this kind.
const ESCAPED: &str = ".[]%:,/()@#=\"";

/// Words that mean something where a certificate has a move: the pass of an agent and the parts of
/// a formula.
const TAKEN: [&str; 3] = ["stays", "1st", "2nd"];

/// Who plays against one role alone, and the outcome in which nobody gets anything.
pub(crate) const NOBODY: &str = "nobody";

/// Who plays against one of several roles.
pub(crate) const OTHERS: &str = "others";

/// What stands between the names of roles that win together.
pub(crate) const TOGETHER: &str = "+";

/// What stands between the goals of all roles.
pub(crate) const BESIDE: &str = "/";

/// Why a role cannot have this name, if so. A role is one word of a claim and of a formula, and
/// part of the names of outcomes.
pub(crate) fn odd_role(name: &str) -> Option<String> {
    if [NOBODY, OTHERS].contains(&name) {
        return Some(format!("a role cannot be called `{name}`: that name is taken"));
    }
    let odd = |c: &char| !c.is_alphanumeric() && !"_-".contains(*c);
    let odd = name.chars().find(odd)?;
    Some(format!(
        "the role `{name}` has a `{odd}` in its name: use letters, digits, `_` and `-` only"
    ))
}

/// The one-word form of a term in KIF.
pub fn word(kif: &str) -> String {
    if TAKEN.contains(&kif) {
        return format!("%{:02x}{}", kif.as_bytes()[0], &kif[1..]);
    }
    let mut out = String::with_capacity(kif.len());
    let mut depth = 0;
    for c in kif.chars() {
        match c {
            '(' => {
                if depth > 0 {
                    out.push('[');
                }
                depth += 1;
            }
            ')' => {
                depth -= 1;
                if depth > 0 {
                    out.push(']');
                }
            }
            ' ' => out.push('.'),
            c if ESCAPED.contains(c) || c.is_whitespace() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    out.push_str(&format!("%{byte:02x}"));
                }
            }
            c => out.push(c),
        }
    }
    out
}

/// The KIF of a word; none if it is not such a word.
pub(crate) fn kif(word: &str) -> Option<String> {
    let mut out: Vec<u8> = Vec::new();
    let has_args = word.contains('.');
    if has_args {
        out.push(b'(');
    }
    let mut depth = 0;
    let mut bytes = word.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'[' => {
                depth += 1;
                out.push(b'(');
            }
            b']' if depth > 0 => {
                depth -= 1;
                out.push(b')');
            }
            b']' => return None,
            b'.' => out.push(b' '),
            b'%' => {
                let digit = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16));
                let (high, low) = (digit(bytes.next())?, digit(bytes.next())?);
                out.push((high * 16 + low) as u8);
            }
            byte => out.push(byte),
        }
    }
    if has_args {
        out.push(b')');
    }
    String::from_utf8(out).ok().filter(|_| depth == 0)
}

/// The facts of a position on one line; `()` if there are none.
pub(crate) fn position(facts: &[String]) -> String {
    let text = facts.join(" ");
    match facts {
        [] => "()".to_owned(),
        // What stands for the starting position and for a list of moves is put in brackets, which
        // mean nothing around a constant.
        [first, rest @ ..] if text == "start" || text.starts_with("moves:") => {
            let rest: String = rest.iter().map(|f| format!(" {f}")).collect();
            format!("({first}){rest}")
        }
        _ => text,
    }
}

/// The move behind the facts of a position that a role has chosen and that is not yet played: where
/// it begins, who chose, and what.
pub(crate) fn chosen(text: &str) -> Option<(usize, [String; 2])> {
    let mut symbols = Symbols::default();
    let trees = kif::read(text, &mut symbols).ok()?;
    let last = trees.last()?;
    let Shape::List(list) = &last.shape else { return None };
    let [does, role, m] = list.as_slice() else { return None };
    let part = |tree: &Tree| text[tree.span.clone()].to_owned();
    let is_move = does.shape == Shape::Name(Symbol::DOES);
    is_move.then(|| (last.span.start, [part(role), part(m)]))
}

/// What stands where.
type Cell<'t> = (Place, Place, &'t str);

/// The cell of a fact, and the name of its board: two coordinates and something there, in either
/// order, or a letter and a number alone.
fn cell<'t>(words: &[&'t str]) -> Option<(&'t str, Cell<'t>)> {
    // Two letters may as well be pieces.
    let places = |x: &str, y: &str| match (Place::read(x)?, Place::read(y)?) {
        (Place::Letter(_), Place::Letter(_)) => None,
        both => Some(both),
    };
    match *words {
        [name, x, y, what] if places(x, y).is_some() => {
            places(x, y).map(|(x, y)| (name, (x, y, what)))
        }
        [name, what, x, y] => places(x, y).map(|(x, y)| (name, (x, y, what))),
        [name, x, y] => match places(x, y)? {
            (x @ Place::Letter(_), y @ Place::Number(_)) => Some((name, (x, y, "#"))),
            _ => None,
        },
        _ => None,
    }
}

/// The boards among the facts of a position, each with its name, and all other facts.
fn boards(facts: &[String]) -> (Vec<(&str, Vec<Cell<'_>>)>, Vec<&str>) {
    let mut boards: BTreeMap<&str, Vec<(Cell<'_>, &String)>> = BTreeMap::new();
    let mut rest = Vec::new();
    for fact in facts {
        let inner = fact.strip_prefix('(').and_then(|f| f.strip_suffix(')'));
        let words: Vec<&str> = match inner {
            Some(inner) if !inner.contains('(') => inner.split(' ').collect(),
            _ => Vec::new(),
        };
        match cell(&words) {
            Some((name, cell)) => boards.entry(name).or_default().push((cell, fact)),
            None => rest.push(fact.as_str()),
        }
    }
    let mut found = Vec::new();
    for (name, cells) in boards {
        // A few facts do not make a board.
        if cells.len() < 4 {
            rest.extend(cells.iter().map(|c| c.1.as_str()));
        } else {
            found.push((name, cells.iter().map(|c| c.0).collect()));
        }
    }
    (found, rest)
}

/// A drawing: facts with two coordinates as boards, all others as a list.
pub(crate) fn draw(facts: &[String]) -> String {
    let (boards, rest) = boards(facts);
    let mut out = String::new();
    for (_, cells) in boards {
        board(&cells, &mut out);
    }
    if !rest.is_empty() || out.is_empty() {
        let list = if facts.is_empty() { "()".to_owned() } else { rest.join(" ") };
        out.push_str(&list);
        out.push('\n');
    }
    out
}

/// A coordinate: a number or a letter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Number(u32),
    Letter(char),
}

impl Place {
    fn read(word: &str) -> Option<Place> {
        let mut chars = word.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) if c.is_ascii_lowercase() => Some(Place::Letter(c)),
            _ => word.parse().ok().filter(|&n| n < 1000).map(Place::Number),
        }
    }

    fn text(self) -> String {
        match self {
            Place::Number(n) => n.to_string(),
            Place::Letter(c) => c.to_string(),
        }
    }
}

/// The columns and rows of a board, in order.
fn coordinates(cells: &[Cell<'_>]) -> [Vec<Place>; 2] {
    let sorted = |f: fn(&Cell<'_>) -> Place| {
        let mut all: Vec<Place> = cells.iter().map(f).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    [sorted(|c| c.0), sorted(|c| c.1)]
}

/// The coordinates with those between them that no fact names, unless they lie far apart.
fn filled(places: Vec<Place>) -> Vec<Place> {
    const FAR: u32 = 40;
    match (places.first(), places.last()) {
        (Some(&Place::Number(first)), Some(&Place::Number(last))) if last - first < FAR => {
            (first..=last).map(Place::Number).collect()
        }
        (Some(&Place::Letter(first)), Some(&Place::Letter(last))) => {
            (first..=last).map(Place::Letter).collect()
        }
        _ => places,
    }
}

/// Whether a word stands for nothing.
fn is_empty(what: &str) -> bool {
    ["b", "blank", "empty", "dirt"].contains(&what)
}

/// A picture of the same: boards side by side, all other facts below.
pub(crate) fn scene(facts: &[String]) -> Scene {
    let (boards, rest) = boards(facts);
    if boards.is_empty() {
        return Scene::of_text(&draw(facts));
    }
    let mut scene = Scene::new();
    let mut left = 0.0;
    for (number, (name, cells)) in boards.iter().enumerate() {
        let [columns, rows] = coordinates(cells).map(filled);
        let at = |c: usize, r: usize| [left + c as f64, (rows.len() - 1 - r) as f64];
        for (r, row) in rows.iter().enumerate() {
            for (c, column) in columns.iter().enumerate() {
                // As moves spell it: `mark.1.3` touches the cell `1.3`.
                let place = format!("{}.{}", column.text(), row.text());
                let place = if number == 0 { place } else { format!("{name} {place}") };
                let cell = scene.square(place, at(c, r), Paint::Plain);
                let here = cells.iter().filter(|c| c.0 == *column && c.1 == *row && !is_empty(c.2));
                for &(_, _, what) in here {
                    // A fact that names only a place says something of it by its own name.
                    let (glyph, paint) = glyph(if what == "#" { name } else { what });
                    scene.piece(cell, glyph, paint);
                }
            }
            scene.label([left - 0.78, at(0, r)[1]], row.text(), 0.34, Paint::Faint);
        }
        for (c, column) in columns.iter().enumerate() {
            scene.label([at(c, 0)[0], rows.len() as f64 - 0.22], column.text(), 0.34, Paint::Faint);
        }
        left += columns.len() as f64 + 1.2;
    }
    scene.notes.extend(wrapped(&rest.join(" "), 60).into_iter().filter(|line| !line.is_empty()));
    scene
}

/// What a word on a board looks like.
fn glyph(what: &str) -> (Glyph, Paint) {
    match what {
        "x" => (Glyph::Cross, Paint::Blue),
        "o" => (Glyph::Ring, Paint::Red),
        "white" | "w" => (Glyph::Disc, Paint::White),
        "black" => (Glyph::Disc, Paint::Black),
        "red" => (Glyph::Disc, Paint::Red),
        "blue" => (Glyph::Disc, Paint::Blue),
        "green" => (Glyph::Disc, Paint::Green),
        "yellow" => (Glyph::Disc, Paint::Yellow),
        what => (Glyph::Word(what.to_owned()), Paint::Ink),
    }
}

/// The first coordinate goes from left to right, the second one upwards.
fn board(cells: &[Cell<'_>], out: &mut String) {
    let [columns, rows] = coordinates(cells);
    let shown = |what: &str| if is_empty(what) { ".".to_owned() } else { what.to_owned() };
    let width =
        cells.iter().map(|c| shown(c.2).len()).chain(columns.iter().map(|c| c.text().len()));
    let width = width.max().unwrap_or(1);
    let margin = rows.iter().map(|r| r.text().len()).max().unwrap_or(1);
    for row in rows.iter().rev() {
        let mut line = format!("{:>margin$}", row.text());
        for column in &columns {
            let here: Vec<String> = cells
                .iter()
                .filter(|c| c.0 == *column && c.1 == *row)
                .map(|c| shown(c.2))
                .collect();
            let here = if here.is_empty() { ".".to_owned() } else { here.join("+") };
            line.push_str(&format!(" {here:<width$}"));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    let names: Vec<String> = columns.iter().map(|c| format!("{:<width$}", c.text())).collect();
    out.push_str(format!("{:margin$} {}", "", names.join(" ")).trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_words_and_words_are_terms() {
        for (term, text) in [
            ("noop", "noop"),
            ("(mark 1 3)", "mark.1.3"),
            ("(put (card 7) 2)", "put.[card.7].2"),
            ("(a (b (c d) e))", "a.[b.[c.d].e]"),
            ("(x 1.5 a/b)", "x.1%2e5.a%2fb"),
            ("@", "%40"),
            ("(put # a:b x,y =)", "put.%23.a%3ab.x%2cy.%3d"),
            ("stays", "%73tays"),
            ("2nd", "%32nd"),
            ("(stays 1st)", "stays.1st"),
            ("größe!", "größe!"),
        ] {
            assert_eq!(word(term), text);
            assert_eq!(kif(text).as_deref(), Some(term));
        }
        assert_eq!(kif("a].b"), None);
        assert_eq!(kif("%e9"), None, "half a character");
        assert_eq!(kif("%c3%a9").as_deref(), Some("é"));
        assert_eq!((kif("%4"), kif("%+4")), (None, None));
    }

    #[test]
    fn positions_are_told_from_other_words() {
        let line =
            |facts: &[&str]| position(&facts.iter().map(|f| f.to_string()).collect::<Vec<_>>());
        assert_eq!(line(&[]), "()");
        assert_eq!(line(&["start"]), "(start)");
        assert_eq!(line(&["start", "turn"]), "start turn");
        assert_eq!(line(&["moves:a", "x"]), "(moves:a) x");
        assert_eq!(line(&["(moves: a)"]), "(moves: a)");
    }

    #[test]
    fn roles_have_names_that_can_be_told_apart() {
        for name in ["white", "player_2", "ü-1", "7"] {
            assert_eq!(odd_role(name), None, "{name}");
        }
        for name in ["a+b", "others", "nobody", "a:b", "a,b", "#1", "@", "\"", "a.b", "a%b", "a=b"]
        {
            assert!(odd_role(name).unwrap().contains(name), "{name}");
        }
    }

    #[test]
    fn boards_are_drawn() {
        let facts = ["(cell 1 1 x)", "(cell 1 2 b)", "(cell 2 1 b)", "(cell 2 2 o)", "(control a)"];
        let facts = facts.map(str::to_owned);
        assert_eq!(draw(&facts), "2 . o\n1 x .\n  1 2\n(control a)\n");
        let facts = ["(man w a 1)", "(man w b 1)", "(man k a 2)", "(man k c 1)"].map(str::to_owned);
        assert_eq!(draw(&facts), "2 k . .\n1 w w k\n  a b c\n");
        let facts = ["(at a 1)", "(at a 2)", "(at b 1)", "(at c 2)"].map(str::to_owned);
        assert_eq!(draw(&facts), "2 # . #\n1 # # .\n  a b c\n");
        let few = ["(cell 1 1 x)", "(heap 1 3)"].map(str::to_owned);
        assert_eq!(draw(&few), "(heap 1 3) (cell 1 1 x)\n");
    }

    #[test]
    fn boards_are_pictured() {
        let facts = ["(man w a 1)", "(man w b 1)", "(man k a 4)", "(man b b 1)", "(control x)"];
        let board = scene(&facts.map(str::to_owned));
        let names: Vec<&str> = board.cells.iter().map(|c| c.name.as_str()).collect();
        // Rows that no fact names are there, too.
        assert_eq!(names, ["a.1", "b.1", "a.2", "b.2", "a.3", "b.3", "a.4", "b.4"]);
        let pieces: Vec<usize> = board.pieces.iter().map(|p| p.cell).collect();
        assert_eq!((pieces, board.notes), (vec![0, 1, 6], vec!["(control x)".to_owned()]));
        // A fact that is only a place is told by its name.
        let free = ["(free a 1)", "(free a 2)", "(free b 1)", "(free c 2)"].map(str::to_owned);
        let board = scene(&free);
        assert!(board.pieces.iter().all(|p| p.glyph == Glyph::Word("free".to_owned())));
        assert_eq!((board.cells.len(), board.pieces.len()), (6, 4));
        // Without coordinates there is the text.
        let text = scene(&["(heap 1 3)".to_owned()]);
        assert_eq!((text.cells.len(), text.labels[0].text.as_str()), (0, "(heap 1 3)"));
    }
}
