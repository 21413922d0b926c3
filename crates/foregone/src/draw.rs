//! Drawings of proofs: a tree for a terminal, a graph for Graphviz.

use std::fmt::Write as _;

use foregone_model::{Line, Notation, WeakSolution};

/// A drawing has at most so many lines; what is left out is counted.
const MOST_LINES: usize = 200;
/// A graph has at most so many nodes.
const MOST_NODES: usize = 400;

/// A proof as a tree of moves. Replies that are answered in the same way stand together.
pub(crate) fn tree<G: Notation>(
    game: &G,
    start: &G::State,
    proof: &WeakSolution<G::Move>,
) -> String {
    let mut tree = Tree { game, proof, left: MOST_LINES * 8 };
    let mut out = String::new();
    let lines = tree.block(start.clone(), 0).0;
    for line in lines.iter().take(MOST_LINES) {
        let _ = writeln!(out, "{line}");
    }
    if lines.len() > MOST_LINES {
        let more = proof.lines.len().saturating_sub(MOST_LINES);
        let _ = writeln!(out, "… of {} claims in all, {more} not shown", proof.lines.len());
    }
    out
}

struct Tree<'a, G: Notation> {
    game: &'a G,
    proof: &'a WeakSolution<G::Move>,
    /// How many lines may still be made.
    left: usize,
}

impl<G: Notation> Tree<'_, G> {
    /// The drawing of the block of claims that begins at a line, and where it ends.
    fn block(&mut self, mut s: G::State, mut at: usize) -> (Vec<String>, usize) {
        let mut head = Vec::new();
        loop {
            let line = self.proof.lines[at];
            let Some(agent) = self.game.turn(&s).mover() else {
                return (finished(head, "."), at + 1);
            };
            match line {
                Line::Plays(m) => {
                    head.push(self.game.move_text(&s, m));
                    self.game.play(&mut s, agent, m);
                    at += 1;
                }
                Line::Replies(_) => return self.replies(s, at, head),
                Line::Over => return (finished(head, "known"), at + 1),
                Line::Repeats => return (finished(head, "comes round again"), at + 1),
                Line::Same(_) => return (finished(head, "as before"), at + 1),
            }
        }
    }

    fn replies(&mut self, s: G::State, at: usize, head: Vec<String>) -> (Vec<String>, usize) {
        let Some(agent) = self.game.turn(&s).mover() else { return (head, at + 1) };
        let mut moves = Vec::new();
        self.game.moves(&s, agent, &mut moves);
        let mut next = at + 1;
        let mut groups: Vec<(Vec<String>, Vec<String>)> = Vec::new();
        for m in moves {
            if self.left == 0 {
                next = self.proof.end_of_block(next);
                continue;
            }
            let mut state = s.clone();
            self.game.play(&mut state, agent, m);
            let (lines, end) = self.block(state, next);
            next = end;
            self.left = self.left.saturating_sub(lines.len());
            let name = self.game.move_text(&s, m);
            match groups.iter_mut().find(|(_, l)| *l == lines) {
                Some((names, _)) => names.push(name),
                None => groups.push((vec![name], lines)),
            }
        }
        // The most common answer comes last, as in a problemist's solution.
        groups.sort_by_key(|(names, _)| names.len());
        let mut out = finished(head, "");
        for (names, lines) in groups {
            const SHOWN: usize = 6;
            let mut name = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
            if names.len() > SHOWN {
                name.push_str(&format!(", … ({} moves)", names.len()));
            }
            let mut lines = lines.into_iter();
            let first = lines.next().unwrap_or_default();
            out.push(format!("  {name}: {first}"));
            out.extend(lines.map(|l| format!("  {l}")));
        }
        (out, next)
    }
}

fn finished(mut head: Vec<String>, end: &str) -> Vec<String> {
    if !end.is_empty() {
        head.push(end.to_owned());
    }
    vec![head.join(" ")]
}

/// A proof as a graph for Graphviz: boxes where the prover chooses, circles where all moves are
/// answered.
pub(crate) fn dot<G: Notation>(
    game: &G,
    start: &G::State,
    proof: &WeakSolution<G::Move>,
) -> String {
    let mut out = "digraph proof {\n  node [fontname=\"monospace\"];\n".to_owned();
    let mut todo = vec![(start.clone(), None::<(usize, String)>)];
    let (mut at, mut shown) = (0, 0);
    while let Some((s, from)) = todo.pop() {
        let line = proof.lines[at];
        let number = at;
        if shown >= MOST_NODES {
            at = proof.end_of_block(at);
            if let Some((parent, _)) = from {
                let _ = writeln!(
                    out,
                    "  f{number} [label=\"… {} claims\" shape=plaintext];",
                    at - number
                );
                let _ = writeln!(out, "  n{parent} -> f{number};");
            }
            continue;
        }
        shown += 1;
        let (shape, label) = match line {
            // The position is worth a picture where it is asked about, and at the ends.
            _ if number == 0 => ("box", game.draw(&s)),
            Line::Plays(_) => ("box", String::new()),
            Line::Replies(n) => ("circle", n.to_string()),
            Line::Over => ("doublecircle", String::new()),
            Line::Repeats => ("plaintext", "again".to_owned()),
            Line::Same(k) => ("plaintext", format!("as n{k}")),
        };
        let label = label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l");
        let _ = writeln!(out, "  n{number} [shape={shape} label=\"{label}\"];");
        if let Some((parent, name)) = from {
            let _ = writeln!(out, "  n{parent} -> n{number} [label=\"{name}\"];");
        }
        at += 1;
        let Some(agent) = game.turn(&s).mover() else { continue };
        let after = |m: G::Move| {
            let mut next = s.clone();
            game.play(&mut next, agent, m);
            (next, Some((number, game.move_text(&s, m))))
        };
        match line {
            Line::Plays(m) => todo.push(after(m)),
            Line::Replies(_) => {
                let mut moves = Vec::new();
                game.moves(&s, agent, &mut moves);
                todo.extend(moves.into_iter().rev().map(after));
            }
            Line::Over | Line::Repeats | Line::Same(_) => {}
        }
    }
    out.push_str("}\n");
    out
}
