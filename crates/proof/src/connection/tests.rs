//! Derivations on small boards against brute force.

use std::collections::HashMap;

use super::*;

/// A little generator of numbers: an xorshift.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 16) % n.max(1) as u64) as usize
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.below(from.len())).copied()
    }
}

fn named(row: usize, column: usize) -> String {
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}

/// Hex on any rhombus, for who connects top (`@1`) and bottom (`@2`).
fn hex(rows: usize, columns: usize) -> Net {
    let at = |r: usize, c: usize| r * columns + c;
    let cells: Vec<_> = (0..rows * columns).map(|i| named(i / columns, i % columns)).collect();
    let mut net = Net::new(cells, 2);
    for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
        if c + 1 < columns {
            net.link(at(r, c), at(r, c + 1));
        }
        if r + 1 < rows {
            net.link(at(r, c), at(r + 1, c));
        }
        if r + 1 < rows && c > 0 {
            net.link(at(r, c), at(r + 1, c - 1));
        }
    }
    for c in 0..columns {
        net.link(at(0, c), rows * columns);
        net.link(at(rows - 1, c), rows * columns + 1);
    }
    net
}

/// Y: a triangle with its top first.
fn y(side: usize) -> Net {
    let at = |r: usize, i: usize| r * (r + 1) / 2 + i;
    let places: Vec<_> = (0..side).flat_map(|r| (0..=r).map(move |i| (r, i))).collect();
    let mut net = Net::new(places.iter().map(|&(r, i)| named(r, i)).collect(), 3);
    let n = places.len();
    for (r, i) in places {
        if i < r {
            net.link(at(r, i), at(r, i + 1));
        }
        if r + 1 < side {
            net.link(at(r, i), at(r + 1, i));
            net.link(at(r, i), at(r + 1, i + 1));
        }
        for (k, touches) in [i == 0, i == r, r + 1 == side].into_iter().enumerate() {
            if touches {
                net.link(at(r, i), n + k);
            }
        }
    }
    net
}

/// Any graph: nothing in the rules of derivations asks for a board.
fn graph(cells: usize, terminals: usize, dice: &mut Dice) -> Net {
    let mut net = Net::new((0..cells).map(|c| format!("v{c}")).collect(), terminals);
    let density = 20 + dice.below(40);
    for a in 0..cells {
        for b in a + 1..cells + terminals {
            if dice.percent(density) {
                net.link(a, b);
            }
        }
    }
    net
}

impl Net {
    /// Whether one group of these stones touches all terminals.
    fn joined(&self, stones: u128) -> bool {
        bits(stones).any(|stone| {
            let (mut group, mut touched) = (0, stone);
            while group != touched & stones {
                group = touched & stones;
                touched |= self.near(group);
            }
            touched & self.goal() == self.goal()
        })
    }
}

/// Whether P joins the terminals, by trying everything. Stones only, by cell.
fn won(net: &Net, own: u128, taken: u128, on_turn: bool, memo: &mut Memo) -> bool {
    let empty = ((1u128 << net.cells.len()) - 1) & !(own | taken);
    if net.joined(own) || !net.joined(own | empty) {
        return net.joined(own);
    }
    if let Some(&known) = memo.get(&(own, taken, on_turn)) {
        return known;
    }
    let mut cells = bits(empty);
    let value = match on_turn {
        true => cells.any(|cell| won(net, own | cell, taken, false, memo)),
        false => cells.all(|cell| won(net, own, taken | cell, true, memo)),
    };
    memo.insert((own, taken, on_turn), value);
    value
}

type Memo = HashMap<(u128, u128, bool), bool>;

/// Writes words of which most mean something where they stand.
struct Writer<'n, 'd> {
    reading: Reading<'n>,
    words: Vec<String>,
    dice: &'d mut Dice,
}

impl Writer<'_, '_> {
    fn say(&mut self, word: String) {
        assert!(self.reading.word(&word).is_some(), "{word}");
        self.words.push(word);
    }

    fn name(&self, node: u128) -> String {
        let at = node.trailing_zeros() as usize;
        let cells = &self.reading.net.cells;
        cells.get(at).cloned().unwrap_or_else(|| format!("@{}", at - cells.len() + 1))
    }

    fn some(&mut self, set: u128) -> Option<u128> {
        self.dice.pick(&bits(set).collect::<Vec<_>>())
    }

    /// Gives cells away and captures pairs.
    fn prepare(&mut self) {
        for _ in 0..self.dice.below(4) {
            if self.dice.percent(10)
                && let Some(cell) = self.some(self.reading.context.empty)
            {
                self.say(format!("-{}", self.name(cell)));
            }
            let pairs = self.pairs();
            let Some((a, b)) = self.dice.pick(&pairs) else { continue };
            self.say(format!("{}&{}", self.name(a), self.name(b)));
        }
    }

    /// Pairs that would be captured, and some that would not.
    fn pairs(&mut self) -> Vec<(u128, u128)> {
        let (net, context) = (self.reading.net, &self.reading.context);
        let all = context.empty | net.taken;
        let mut found = Vec::new();
        for a in bits(all) {
            for b in bits(all & !a) {
                let fits = |c: u128| net.unneeded(c, context.own | (a | b) & !c, context.empty);
                let good = fits(a) && fits(b) && (a | b) & net.taken != a | b;
                if good || self.dice.percent(1) {
                    found.push((a, b));
                }
            }
        }
        found
    }

    /// Fills a context with items.
    fn items(&mut self, depth: usize, effort: usize) {
        if self.dice.percent(60) {
            self.prepare();
        }
        let net = self.reading.net;
        let present = self.reading.context.own | self.reading.context.empty;
        for x in bits(present) {
            for y in bits(net.near(x) & present & !(x | (x - 1))) {
                if self.dice.percent(80) {
                    self.say(format!("{}-{}", self.name(x), self.name(y)));
                }
            }
        }
        for _ in 0..effort {
            match self.dice.below(20) {
                0 if self.dice.percent(10) => self.prepare(),
                0 | 1 if depth > 0 => {
                    let Some(cell) = self.some(self.reading.context.empty) else { continue };
                    self.say(format!("({}", self.name(cell)));
                    self.items(depth - 1, effort / 2);
                    self.say(")".to_owned());
                }
                2..10 => self.combine('+'),
                _ => self.combine('|'),
            }
        }
    }

    /// A new item out of some of those that are there, mostly one that says more than they do.
    fn combine(&mut self, between: char) {
        for _ in 0..10 {
            let context = &self.reading.context;
            let there: Vec<usize> =
                (0..context.items.len()).filter(|&i| context.items[i].is_some()).collect();
            let Some(first) = self.dice.pick(&there) else { return };
            let ends = context.items[first].map_or(0, |item| item.ends);
            let [one, other] = [0; 2].map(|_| self.some(ends).unwrap_or(0));
            let (pair, context) = (one | other, &self.reading.context);
            let mut chosen = vec![first];
            let (from, most) = (self.dice.below(there.len()), 2 + self.dice.below(2));
            for &next in there[from..].iter().chain(&there[..from]).filter(|&&i| i != first) {
                let fits = match between {
                    '+' if chosen.len() >= most => break,
                    '+' => self.item(&[&chosen[..], &[next]].concat(), '+').is_some(),
                    _ => context.items[next].is_some_and(|i| i.ends & pair == pair && !i.strong),
                };
                if fits {
                    chosen.push(next);
                }
            }
            let item = self.item(&chosen, between);
            let known = |i: &Item| {
                item.is_some_and(|item| {
                    let covers = i.ends & item.ends == item.ends;
                    covers && i.strong >= item.strong && i.carrier & !item.carrier == 0
                })
            };
            let new = item.is_some() && !self.reading.context.items.iter().flatten().any(known);
            if new || self.dice.percent(1) {
                let numbers: Vec<_> = chosen.iter().map(|i| (i + 1).to_string()).collect();
                return self.say(numbers.join(&between.to_string()));
            }
        }
    }

    fn item(&self, numbers: &[usize], between: char) -> Option<Item> {
        let context = &self.reading.context;
        let operands: Vec<_> = numbers.iter().map(|&i| context.items[i]).collect();
        if between == '+' { context.all_of(self.reading.net, &operands) } else { any_of(&operands) }
    }
}

/// The words with something changed. They may be none any more.
fn changed(words: &[String], net: &Net, dice: &mut Dice) -> Vec<String> {
    let mut words = words.to_vec();
    words.push("@1-@2".to_owned());
    for _ in 0..=dice.below(3) {
        let (at, other) = (dice.below(words.len()), dice.below(words.len()));
        match dice.below(6) {
            0 if words.len() > 1 => drop(words.remove(at)),
            1 => words.swap(at, other),
            2 => words.insert(at, words[other].clone()),
            3 => words[at] = words[at].replace('+', "|"),
            4 => words[at] = words[at].replace('|', "+"),
            _ => {
                let [a, b] = [0; 2].map(|_| dice.below(net.cells.len()));
                words[at] = words[at].replace(&net.cells[a], &net.cells[b]);
            }
        }
    }
    words
}

/// Puts stones on a net at random.
fn scatter(net: &mut Net, dice: &mut Dice) {
    let (own, taken) = (dice.below(35), dice.below(25));
    for cell in 0..net.cells.len() {
        match dice.below(100) {
            n if n < own => net.own |= 1 << cell,
            n if n < own + taken => net.taken |= 1 << cell,
            _ => {}
        }
    }
}

/// Reads random derivations in random positions, as they are, damaged, and after one stone more.
/// How many were read, and how many showed a win.
fn against_brute_force(empty: Net, rounds: usize, dice: &mut Dice) -> [usize; 2] {
    let (mut memo, mut counts) = (Memo::new(), [0; 2]);
    let all = (1u128 << empty.cells.len()) - 1;
    for _ in 0..rounds {
        let mut net = empty.clone();
        scatter(&mut net, dice);
        if net.joined(net.own) || !net.joined(all & !net.taken) {
            continue;
        }
        let on_turn = dice.percent(40);
        let reading = Reading::new(&net, on_turn);
        let mut writer = Writer { reading, words: Vec::new(), dice };
        let effort = 10 + writer.dice.below(60);
        writer.items(2, effort);
        let words = writer.words;
        for variant in 0..6 {
            let (mut here, mut turn) = (net.clone(), on_turn);
            let free: Vec<_> = bits(all & !(net.own | net.taken)).collect();
            if variant % 2 == 1
                && let Some(cell) = dice.pick(&free)
            {
                // One stone more, and the other side's turn.
                *(if on_turn { &mut here.own } else { &mut here.taken }) |= cell;
                turn = !on_turn;
            }
            let text = match variant {
                0 | 1 => words.join(" "),
                _ => changed(&words, &net, dice).join(" "),
            };
            counts[0] += 1;
            if shows(&here, turn, &text) {
                counts[1] += 1;
                let (own, taken) = (here.own, here.taken);
                let won = won(&empty, own, taken, turn, &mut memo);
                assert!(won, "own {own:b} taken {taken:b} on turn {turn}: {text}\n{empty:?}");
            }
        }
    }
    counts
}

/// `ROUNDS` multiplies the work.
fn rounds(n: usize) -> usize {
    n * std::env::var("ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

fn seed() -> u64 {
    std::env::var("SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0x9e37_79b9_7f4a_7c15)
}

#[test]
fn what_is_shown_is_won_on_boards() {
    let mut dice = Dice(seed());
    for (net, n) in [
        (hex(2, 2), 1000),
        (hex(3, 2), 1000),
        (hex(3, 3), 2000),
        (hex(3, 4), 500),
        (y(3), 2000),
        (y(4), 1000),
    ] {
        let [read, shown] = against_brute_force(net.clone(), rounds(n), &mut dice);
        println!("{} cells, {} terminals: {shown} of {read}", net.cells.len(), net.terminals);
        assert!(shown * 10 > read, "{shown} of {read}: too few show anything");
    }
}

#[test]
fn what_is_shown_is_won_on_any_graph() {
    let (mut dice, mut sums) = (Dice(seed()), [0; 2]);
    for _ in 0..rounds(400) {
        let (cells, terminals) = (4 + dice.below(6), 2 + dice.below(2));
        let net = graph(cells, terminals, &mut dice);
        let counts = against_brute_force(net, 10, &mut dice);
        (sums[0], sums[1]) = (sums[0] + counts[0], sums[1] + counts[1]);
    }
    println!("graphs: {} of {}", sums[1], sums[0]);
    assert!(sums[1] * 8 > sums[0], "{sums:?}: too few show anything");
}

/// A rhombus with stones: `x` is P's, `o` is O's.
fn board(text: &str) -> Net {
    let rows: Vec<&str> = text.split('/').collect();
    let mut net = hex(rows.len(), rows[0].len());
    for (cell, symbol) in rows.concat().chars().enumerate() {
        match symbol {
            'x' => net.own |= 1 << cell,
            'o' => net.taken |= 1 << cell,
            _ => {}
        }
    }
    net
}

/// A net of two terminals by its links; cells are letters, and P has those in `own`.
fn net(links: &str, own: &str) -> Net {
    let mut cells: Vec<&str> = links.split([' ', '-']).filter(|w| !w.starts_with('@')).collect();
    cells.sort_unstable();
    cells.dedup();
    let mut net = Net::new(cells.iter().map(|&c| c.to_owned()).collect(), 2);
    let node = |name: &str| match name.strip_prefix('@') {
        Some(digit) => cells.len() + digit.parse::<usize>().unwrap() - 1,
        None => cells.iter().position(|&c| c == name).unwrap(),
    };
    for (a, b) in links.split(' ').filter_map(|link| link.split_once('-')) {
        net.link(node(a), node(b));
    }
    net.own = own.chars().fold(0, |set, c| set | 1 << node(&c.to_string()));
    net
}

/// Whether words show a win when O is on turn, and when P is; never one that is none.
fn shown(net: &Net, words: &str) -> [bool; 2] {
    [false, true].map(|on_turn| {
        let shown = shows(net, on_turn, words);
        let won = won(net, net.own, net.taken, on_turn, &mut Memo::new());
        assert!(won || !shown, "{words} on turn: {on_turn}");
        shown
    })
}

#[test]
fn links_and_bridges() {
    let stone = board(".x/..");
    assert_eq!(shown(&stone, "b1-a2+a2-@2"), [false, true]);
    let bridge = "b1-a2+a2-@2 b1-b2+b2-@2 1|2";
    assert_eq!(shown(&stone, bridge), [true, true]);
    // One way of the two is enough for P on turn.
    assert_eq!(shown(&board(".x/o."), bridge), [false, true]);
    assert_eq!(shown(&board(".x/oo"), bridge), [false, false]);
    assert_eq!(shown(&board("x./.."), "a1-a2+a2-@2"), [false, true]);
    assert_eq!(shown(&board("x./.."), "a1-b2+b2-@2"), [false, false]);
    assert_eq!(shown(&board("x./x."), "@1-@2"), [true, true]);
    // The empty board, through a cell and through brackets.
    let both = "@1-b1+1+2+3";
    assert_eq!(shown(&board("../.."), both), [false; 2]);
    let through = "a2-@2+b1-a2 b2-@2+b1-b2 1|2 b1-@1+3";
    assert_eq!(shown(&board("../.."), through), [false, true]);
    let bracket = format!("(b1 {bridge} )");
    assert_eq!(shown(&board("../.."), &bracket), [false, true]);
    assert_eq!(shown(&board("o./.."), &bracket), [false, true]);
    assert_eq!(shown(&board(".o/.."), &bracket), [false, false]);
    let all_three = y(2);
    assert!(shows(&all_three, true, "(a1 a1-a2+a2-@3 a1-b2+b2-@3 1|2 )"));
    assert!(!shows(&all_three, false, "(a1 a1-a2+a2-@3 a1-b2+b2-@3 1|2 )"));
    assert!(!shows(&all_three, true, "(a2 a2-@1+a2-@3 )"));
    // Stones at one side of three are not a group: a1 at @1 and @2, a3 and b4 at @1 and @3.
    let apart = Net { own: 1 | 1 << 3 | 1 << 7, taken: 1 << 2 | 1 << 4, ..y(4) };
    for words in ["a1-a3", "a1-@1+a3-@1", "@1-@2", "a1-@2 a3-@3 1+2", "a1-@1+@1-a3", "b2&b3 @1-@3"]
    {
        assert!(!shows(&apart, true, words), "{words}");
    }
    assert!(shows(&apart, true, "a1-a2+a2-a3"));
}

/// A stone on the third row, four cells wide below it.
#[test]
fn an_edge_template() {
    let words = "(b2 b2-a3+a3-@2 b2-b3+b3-@2 1|2 ) (d2 d2-d1+d1-c1 d2-c2+c2-c1 1|2 d2-c3+c3-@2 \
                 d2-d3+d3-@2 4|5 3+6 ) 1|2";
    let template = board("..x./..../....");
    assert_eq!(shown(&template, words), [true, true]);
    // The same words behind every move of O's, and not where it has had two.
    for (cell, name) in template.cells.iter().enumerate().filter(|&(cell, _)| cell != 2) {
        let mut here = template.clone();
        here.taken |= 1 << cell;
        assert!(shown(&here, words)[1], "{name}");
    }
    assert_eq!(shown(&board("..x./.o../..o."), words), [false, false]);
    // Without brackets.
    let words = "b2-a3+a3-@2 b2-b3+b3-@2 1|2 3+b2-c1 d2-d1+d1-c1 d2-c2+c2-c1 5|6 d2-c3+c3-@2 \
                 d2-d3+d3-@2 8|9 7+10 4|11";
    assert_eq!(shown(&template, words), [true, true]);
    assert_eq!(shown(&board("..x./.o../...."), words), [false, true]);
}

#[test]
fn captured_pairs() {
    assert_eq!(shown(&board(".x/.."), "a2&b2 @1-@2"), [true, true]);
    // P answers a stone in the pair, once, on its turn and outside brackets only.
    assert_eq!(shown(&board(".x/o."), "a2&b2 @1-@2"), [false, true]);
    assert_eq!(shown(&board(".x/.o"), "a2&b2 a2-@1+a2-@2"), [false, true]);
    assert_eq!(shown(&board(".x/oo"), "a2&b2 @1-@2"), [false, false]);
    assert_eq!(shown(&board("../o."), "(b1 a2&b2 @1-@2 )"), [false, false]);
    let words = "(a1 a2&b2 @1-@2 ) b1-b2+b2-@2";
    assert_eq!(shown(&board(".x/o."), words), [false, true]);
    // A stone of P's in the pair is no stone to answer.
    assert_eq!(shown(&board(".x/.."), "a2&b1 @1-@2"), [false, false]);
    // A pair that is none: who has one cell needs the other.
    assert_eq!(shown(&board("x./.."), "a2&b2 @1-@2"), [false, false]);
    assert_eq!(shown(&board("x./o."), "a2&b2 @1-@2"), [false, false]);
    // A turn is used up once: two pairs with a stone of O's in each.
    let words = "a2&b2 d2&e2 b3-@2+b3-a2 d3-@2+d3-c2";
    assert_eq!(shown(&board(".x..x/o..o./....."), words), [false, false]);
    let two = net("@1-s s-a s-b a-t b-t t-c t-d c-@2 d-@2", "st");
    assert_eq!(shown(&two, "a&b c&d @1-@2"), [true, true]);
    let taken = |cells: u128| Net { taken: cells, ..two.clone() };
    assert_eq!(shown(&taken(0b0001), "a&b c&d @1-@2"), [false, true]);
    assert_eq!(shown(&taken(0b0101), "a&b c&d @1-@2"), [false, false]);
    // A pair is taken out of what was there before it, and a cell of O's voids that.
    assert_eq!(shown(&two, "s-a+a-t s-b+b-t 1|2 a&b 3+t-c+c-@2"), [false, false]);
    assert_eq!(shown(&two, "t-c+c-@2 a&b"), [false, true]);
    assert_eq!(shown(&two, "t-c+c-@2 a&b -c"), [false, false]);
    assert_eq!(shown(&two, "s-a+a-t a&b 1 t-c+c-@2 2+3"), [false, true]);
}

#[test]
fn every_condition_matters() {
    for (links, own, words, expected) in [
        // Two weak ones in one cell; the same cell in two carriers.
        ("@1-c c-@2", "", "@1-c+c-@2 1|1", [false, true]),
        (
            "s-u s-v s-w u-@1 v-@1 v-@2 w-@2",
            "s",
            "s-u+u-@1 s-v+v-@1 1|2 s-v+v-@2 s-w+w-@2 4|5 3+6",
            [false, false],
        ),
        // At most one weak one, and then the whole is weak.
        ("@1-a a-s s-b b-@2", "s", "@1-a+a-s s-b+b-@2 1+2", [false, false]),
        ("@1-a a-s s-@2", "s", "@1-a+a-s 1+s-@2", [false, true]),
        // Only strong ones through an empty cell.
        ("@1-a a-z z-@2", "", "@1-a+a-z 1+z-@2", [false, false]),
        ("@1-a a-z z-@2", "", "(z @1-a+a-z )", [false, false]),
        // No shared end; two empty ones; an end in the carrier of another.
        ("@1-a b-@2", "", "@1-a+b-@2", [false, false]),
        ("@1-a a-b b-@2", "", "@1-a+a-b a-b+b-@2 1+2", [false, false]),
        ("@1-a a-z z-@2", "", "@1-a+a-z z-@2 1+2 @1-z+2", [false, false]),
        // Ends are those of all alternatives.
        ("@1-a a-s @2-b b-s", "s", "@1-a+a-s @2-b+b-s 1|2", [false, false]),
        // Cells that are not beside each other, and cells of O's.
        ("@1-a b-@2", "", "@1-@2", [false, false]),
        ("@1-a a-@2", "", "-a @1-a+a-@2", [false, false]),
        // What was played in brackets is empty outside.
        ("@1-a a-b b-@2", "", "(a a-b+b-@2 a-@1 ) (a @1-a ) 2+a-b", [false, false]),
        ("@1-a a-b b-@2", "", "(a @1-a ) 1+a-b+b-@2", [false, false]),
        ("@1-a a-s s-b s-c b-@2 c-@2", "s", "(a @1-s ) s-b+b-@2 s-c+c-@2 2|3 1+4", [false, true]),
        ("@1-a a-s s-b s-c b-@2 c-@2", "s", "@1-a+a-s s-b+b-@2 s-c+c-@2 2|3 1+4", [false, true]),
        // A captured cell is no part of a carrier any more.
        ("@1-s s-a s-b a-t b-t t-@2", "st", "s-a+a-t a&b 1", [true, true]),
    ] {
        assert_eq!(shown(&net(links, own), words), expected, "{links}: {words}");
    }
}

#[test]
fn hostile_words_are_refused() {
    let net = board("../..");
    let good = "(b1 b1-a2+a2-@2 b1-b2+b2-@2 1|2 )";
    assert!(shows(&net, true, good));
    for damage in [
        "",
        " ",
        ")",
        "(",
        "(a9",
        "-",
        "--a1",
        "a1",
        "-@1",
        "(@1",
        "a1&",
        "&",
        "a1&a1",
        "a1&@1",
        "a1&b1&a2",
        "a1-",
        "-a1-b1",
        "a1-b1-a2",
        "@0-a1",
        "@3-a1",
        "@01-a1",
        "@+1-a1",
        "@-a1",
        "0",
        "01",
        "+1",
        "2",
        "18446744073709551616",
        "1+",
        "1|",
        "1|1+1",
        "1+1|1",
        "|",
        "+",
        "é-a1",
        "a1 -b1\t",
        "A1-b1",
        "(a1",
        "(b1 b1-@1",
        "\0",
    ] {
        assert!(!shows(&net, true, damage), "{damage}");
        for words in [format!("{damage} {good}"), format!("{good} {damage}")] {
            // A cell may be given away.
            assert!(!shows(&net, true, &words), "{words}");
        }
    }
    assert!(!shows(&net, true, &format!("{good} ")) && !shows(&net, true, &format!(" {good}")));
    let deep = |n: usize| format!("{}{}{good}", "(a1 ".repeat(n), ") ".repeat(n));
    assert!(shows(&net, true, &deep(4)) && !shows(&net, true, &deep(5)));
    assert!(!shows(&net, true, &"(a1 ".repeat(16_000)));
    let mut dice = Dice(seed());
    for _ in 0..rounds(20_000) {
        const SIGNS: &[u8] = b"ab12@@--+|&() ()12 ab0";
        let length = dice.below(60);
        let words: String = (0..length).filter_map(|_| dice.pick(SIGNS)).map(char::from).collect();
        let _ = shown(&net, &words);
    }
}
