//! Proofs to look at: as plain data, as a tree for a terminal and as a graph for Graphviz. The picture
//! of a tree stands in `tree_picture.rs`.

use std::fmt::Write as _;

use foregone_model::certificate::{OTHERS, Proved, shown};
use foregone_model::{Claim, Line, Notation, Side, WeakSolution};
use serde::{Deserialize, Serialize};

use crate::answer::Drawings;

/// So many claims of a proof are kept to be drawn; what is left out is counted.
const MOST_KEPT: usize = 5000;
/// A tree is kept this deep: drawing goes down by recursion.
const DEEPEST: u32 = 400;
/// A drawing has at most so many lines.
const MOST_LINES: usize = 200;
/// A graph has at most so many nodes.
const MOST_NODES: usize = 400;

/// What one side can force, as a tree of moves: all of a small proof, the upper part of a large one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofTree {
    /// What it proves, in the words of the checker.
    pub proves: String,
    /// Whether it is the proof of Max.
    pub of_max: bool,
    /// The position that it begins with, drawn in text.
    pub position: String,
    /// How many claims the proof has.
    pub claims: u64,
    /// The claims that are kept; each stands behind the one that it follows from.
    pub nodes: Vec<ProofNode>,
}

/// A claim of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofNode {
    /// The claim above, by its place in the list; the first one has none.
    pub parent: Option<usize>,
    /// How many moves lead here.
    pub depth: u32,
    /// The last of them.
    #[serde(rename = "move")]
    pub text: String,
    /// What is claimed.
    pub kind: NodeKind,
}

/// Why the prover reaches its goal in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NodeKind {
    /// The prover has a move, which follows.
    Plays,
    /// The other side moves: all its moves follow.
    Replies,
    /// It is over.
    Over,
    /// It is known without a search.
    Known,
    /// It came up before on the way here.
    Again,
    /// It is the position of an earlier claim.
    AsBefore,
    /// So many claims are left out here.
    Cut(u64),
}

/// The halves of a proof that are to be drawn, each with what it shows.
pub(crate) type Halves<M> = Vec<(Claim, WeakSolution<M>)>;

/// Adds a half. One of the same kind asked less, and says nothing any more.
pub(crate) fn add_half<M>(halves: &mut Halves<M>, claim: Claim, solution: WeakSolution<M>) {
    let kind = |claim: &Claim| (claim.prover, claim.or_endless);
    halves.retain(|(earlier, _)| kind(earlier) != kind(&claim));
    halves.push((claim, solution));
}

/// The drawings of a proof.
pub(crate) fn drawings<G: Notation>(
    game: &G,
    start: &G::State,
    outcome: impl Fn(Claim) -> String,
    halves: &Halves<G::Move>,
) -> Drawings {
    let tree = |(claim, solution): &(Claim, WeakSolution<G::Move>)| ProofTree {
        proves: sentence(game, *claim, outcome(*claim)),
        of_max: claim.prover == Side::Max,
        position: game.draw(start),
        claims: solution.lines.len() as u64,
        nodes: nodes(game, start, solution),
    };
    Drawings { halves: halves.iter().map(tree).collect() }
}

/// What a claim says, in the words of the checker.
fn sentence<G: Notation>(game: &G, claim: Claim, outcome: String) -> String {
    let proved = Proved {
        game: game.name(),
        formula: game.question(),
        position: String::new(),
        max: game.agent_name(claim.max).to_owned(),
        prover: game.players()[claim.prover.index()].to_owned(),
        outcome,
        claim,
        one_player: game.one_player(),
        against_others: game.players()[1] == OTHERS,
        claims: 0,
        connections: 0,
        parts: 0,
        by_reason: 0,
        expanded: 0,
        recomputed: 0,
    };
    // The position and the game stand in front.
    let (sentence, front) = (proved.to_string(), format!(" in {}: ", shown(&proved.game)));
    sentence.strip_prefix(&front).map(str::to_owned).unwrap_or(sentence)
}

/// How deep claims can be kept so that there are not too many of them.
fn depth_that_fits<M>(solution: &WeakSolution<M>) -> u32 {
    let mut at_depth = vec![0usize; DEEPEST as usize + 1];
    // The blocks that are still to come, by the depth of their first claims.
    let mut open: Vec<(u32, u32)> = vec![(0, 1)];
    for line in &solution.lines {
        let Some((depth, left)) = open.last_mut() else { break };
        let depth = *depth;
        *left -= 1;
        if *left == 0 {
            open.pop();
        }
        if let Some(count) = at_depth.get_mut(depth as usize) {
            *count += 1;
        }
        match line {
            Line::Plays(_) => open.push((depth + 1, 1)),
            Line::Replies(n) if *n > 0 => open.push((depth + 1, *n)),
            _ => {}
        }
    }
    let mut sum = 0;
    let fits = at_depth.iter().take_while(|&&count| {
        sum += count;
        count > 0 && sum <= MOST_KEPT
    });
    (fits.count() as u32).saturating_sub(1).max(1)
}

fn nodes<G: Notation>(
    game: &G,
    start: &G::State,
    solution: &WeakSolution<G::Move>,
) -> Vec<ProofNode> {
    let deepest = depth_that_fits(solution);
    let mut nodes: Vec<ProofNode> = Vec::new();
    let mut todo = vec![(start.clone(), None::<usize>, 0, String::new())];
    let mut at = 0;
    while let Some((s, parent, depth, text)) = todo.pop() {
        if depth > deepest || nodes.len() >= MOST_KEPT {
            let end = solution.end_of_block(at);
            let cut = (end - at) as u64;
            at = end;
            // Neighbours that are left out are left out together.
            match nodes.last_mut() {
                Some(ProofNode { parent: same, kind: NodeKind::Cut(n), .. }) if *same == parent => {
                    *n += cut;
                }
                _ => nodes.push(ProofNode { parent, depth, text, kind: NodeKind::Cut(cut) }),
            }
            continue;
        }
        let (line, number) = (solution.lines[at], nodes.len());
        at += 1;
        let mover = game.turn(&s).mover();
        let kind = match line {
            _ if mover.is_none() => NodeKind::Over,
            Line::Plays(_) => NodeKind::Plays,
            Line::Replies(_) => NodeKind::Replies,
            Line::Over => NodeKind::Known,
            Line::Repeats => NodeKind::Again,
            Line::Same(_) => NodeKind::AsBefore,
        };
        nodes.push(ProofNode { parent, depth, text, kind });
        let Some(agent) = mover else { continue };
        let after = |m: G::Move| {
            let mut next = s.clone();
            game.play(&mut next, agent, m);
            (next, Some(number), depth + 1, game.move_text(&s, m))
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
    nodes
}

/// What the prover plays from a position on until the other side has a choice, and how each of its
/// replies is answered. Replies that are answered in the same way stand together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Branch {
    /// The replies that lead here; none at the top.
    pub(crate) replies: Vec<String>,
    pub(crate) answer: Answered,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answered {
    /// The moves of the prover.
    pub(crate) plays: Vec<String>,
    /// How it ends, where it does.
    pub(crate) end: Option<NodeKind>,
    /// The replies, the most common answer last, as in a problemist's solution.
    pub(crate) branches: Vec<Branch>,
}

/// A tree cut at a depth.
pub(crate) struct Outline {
    pub(crate) top: Answered,
    /// How many claims are left out.
    pub(crate) hidden: u64,
}

impl ProofTree {
    /// How deep the kept tree is.
    fn depth(&self) -> u32 {
        self.nodes.iter().map(|node| node.depth).max().unwrap_or(0)
    }

    /// The tree down to so many moves.
    pub(crate) fn outline(&self, deepest: u32) -> Outline {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(number);
            }
        }
        let seen = self.nodes.iter().filter(|n| n.depth <= deepest);
        let seen = seen.filter(|n| !matches!(n.kind, NodeKind::Cut(_))).count();
        Outline {
            top: self.answered(0, &children, deepest),
            hidden: self.claims.saturating_sub(seen as u64),
        }
    }

    fn answered(&self, mut number: usize, children: &[Vec<usize>], deepest: u32) -> Answered {
        let mut plays = Vec::new();
        loop {
            let node = &self.nodes[number];
            let below = &children[number];
            let cut = below.first().is_some_and(|&child| self.nodes[child].depth > deepest);
            match (node.kind, below.first()) {
                (NodeKind::Plays | NodeKind::Replies, _) if cut => {
                    let end = Some(NodeKind::Cut(0));
                    return Answered { plays, end, branches: Vec::new() };
                }
                (NodeKind::Plays, Some(&child)) => {
                    plays.push(self.nodes[child].text.clone());
                    number = child;
                }
                (NodeKind::Replies, _) => {
                    let branches = self.branches(below, children, deepest);
                    return Answered { plays, end: None, branches };
                }
                (kind, _) => {
                    // A move whose answer is left out is not named: the cut stands for several.
                    if matches!(kind, NodeKind::Cut(_)) {
                        plays.pop();
                    }
                    return Answered { plays, end: Some(kind), branches: Vec::new() };
                }
            }
        }
    }

    fn branches(&self, below: &[usize], children: &[Vec<usize>], deepest: u32) -> Vec<Branch> {
        let mut branches: Vec<Branch> = Vec::new();
        for &child in below {
            let answer = self.answered(child, children, deepest);
            let reply = match self.nodes[child].kind {
                NodeKind::Cut(_) => "…".to_owned(),
                _ => self.nodes[child].text.clone(),
            };
            match branches.iter_mut().find(|branch| branch.answer == answer) {
                Some(branch) => branch.replies.push(reply),
                None => branches.push(Branch { replies: vec![reply], answer }),
            }
        }
        branches.sort_by_key(|branch| branch.replies.len());
        branches
    }

    /// The deepest outline for which this holds; the shortest there is if it holds for none.
    pub(crate) fn outline_that(&self, fits: impl Fn(&Outline) -> bool) -> Outline {
        let mut outline = self.outline(self.depth());
        for deepest in (1..self.depth()).rev() {
            if fits(&outline) {
                break;
            }
            outline = self.outline(deepest);
        }
        outline
    }

    /// The tree in lines of text, down to so many moves, or as deep as a screen or two can hold.
    fn text(&self, depth: Option<u32>) -> String {
        let outline = match depth {
            Some(depth) => self.outline(depth),
            None => self.outline_that(|outline| lines(&outline.top).len() <= MOST_LINES),
        };
        let mut all = lines(&outline.top);
        // Where the other side begins, its replies stand at the margin.
        if all.first().is_some_and(String::is_empty) {
            all.remove(0);
            all.iter_mut().for_each(|line| *line = line.split_off(2));
        }
        let most = if depth.is_some() { all.len() } else { MOST_LINES };
        let mut out: String = all.iter().take(most).map(|line| format!("{line}\n")).collect();
        if all.len() > most {
            let _ = writeln!(out, "… and {} more lines", all.len() - most);
        }
        if outline.hidden > 0 {
            let _ = writeln!(out, "… {} of {} claims are not shown", outline.hidden, self.claims);
        }
        out
    }

    /// How many claims stand below each node, itself included.
    fn sizes(&self) -> Vec<u64> {
        let own = |node: &ProofNode| match node.kind {
            NodeKind::Cut(claims) => claims,
            _ => 1,
        };
        let mut sizes: Vec<u64> = self.nodes.iter().map(own).collect();
        for number in (0..sizes.len()).rev() {
            if let Some(parent) = self.nodes[number].parent {
                sizes[parent] += sizes[number];
            }
        }
        sizes
    }

    /// The nodes and edges of a graph in the language of Graphviz; the names of nodes begin with this
    /// letter.
    fn dot(&self, letter: char) -> String {
        let deepest = (1..=self.depth())
            .take_while(|&d| self.nodes.iter().filter(|n| n.depth <= d).count() <= MOST_NODES)
            .last()
            .unwrap_or(1);
        let sizes = self.sizes();
        let mut out = String::new();
        for (number, node) in self.nodes.iter().enumerate().filter(|(_, n)| n.depth <= deepest) {
            let (shape, label) = match node.kind {
                // The position is worth a picture where it is asked about.
                _ if number == 0 => ("box", self.position.clone()),
                NodeKind::Plays => ("box", String::new()),
                NodeKind::Replies => ("circle", String::new()),
                NodeKind::Over => ("doublecircle", String::new()),
                NodeKind::Known => ("doublecircle", "known".to_owned()),
                NodeKind::Again => ("plaintext", "again".to_owned()),
                NodeKind::AsBefore => ("plaintext", "as before".to_owned()),
                NodeKind::Cut(claims) => ("plaintext", left_out(claims)),
            };
            let label = quoted(&label);
            let _ = writeln!(out, "  {letter}{number} [shape={shape} label=\"{label}\"];");
            if let Some(parent) = node.parent {
                let text = quoted(&node.text);
                let _ = writeln!(out, "  {letter}{parent} -> {letter}{number} [label=\"{text}\"];");
            }
            if node.depth == deepest && sizes[number] > 1 && !matches!(node.kind, NodeKind::Cut(_))
            {
                let label = left_out(sizes[number] - 1);
                let _ = writeln!(out, "  {letter}c{number} [shape=plaintext label=\"{label}\"];");
                let _ = writeln!(out, "  {letter}{number} -> {letter}c{number};");
            }
        }
        out
    }
}

/// What stands where claims are left out.
fn left_out(claims: u64) -> String {
    format!("… {claims} {}", if claims == 1 { "claim" } else { "claims" })
}

/// A text between quotes in the language of Graphviz.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l")
}

impl Drawings {
    /// The proof as a tree of moves, a line each, down to so many moves, or as deep as fits a page
    /// or two. What is left out is said.
    pub fn tree(&self, depth: Option<u32>) -> String {
        match &self.halves[..] {
            [half] => half.text(depth),
            halves => {
                let part = |half: &ProofTree| {
                    let lines = half.text(depth);
                    let lines: String = lines.lines().map(|line| format!("  {line}\n")).collect();
                    format!("{}:\n{lines}", half.proves)
                };
                halves.iter().map(part).collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// The proof as a graph for Graphviz: boxes where the prover chooses, circles where all moves are
    /// answered.
    pub fn dot(&self) -> String {
        let mut out = "digraph proof {\n  node [fontname=\"monospace\"];\n".to_owned();
        match &self.halves[..] {
            [half] => out.push_str(&half.dot('n')),
            halves => {
                for (letter, half) in ('a'..='z').zip(halves) {
                    let heading = quoted(&half.proves);
                    let _ = writeln!(out, "  subgraph cluster_{letter} {{ label=\"{heading}\";");
                    out.push_str(&half.dot(letter));
                    out.push_str("  }\n");
                }
            }
        }
        out + "}\n"
    }
}

/// The lines of an outline.
fn lines(answered: &Answered) -> Vec<String> {
    let mut head = answered.plays.clone();
    head.extend(answered.end.map(|end| end_text(end).to_owned()).filter(|end| !end.is_empty()));
    let mut out = vec![head.join(" ")];
    for Branch { replies, answer } in &answered.branches {
        let mut below = lines(answer).into_iter();
        out.push(format!("  {}: {}", names(replies), below.next().unwrap_or_default()));
        out.extend(below.map(|line| format!("  {line}")));
    }
    out
}

/// How a branch ends.
pub(crate) fn end_text(end: NodeKind) -> &'static str {
    match end {
        NodeKind::Over => ".",
        NodeKind::Known => "known",
        NodeKind::Again => "comes round again",
        NodeKind::AsBefore => "as before",
        NodeKind::Cut(_) => "…",
        NodeKind::Plays | NodeKind::Replies => "",
    }
}

/// Replies that are answered in the same way, the first of them by name.
pub(crate) fn names(replies: &[String]) -> String {
    const SHOWN: usize = 6;
    let mut names = replies.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if replies.len() > SHOWN {
        let _ = write!(names, ", … ({} moves)", replies.len());
    }
    names
}
