//! What depends on what: the graph of a rulesheet's relations, and its cycles (Tarjan 1972,
//! without recursion, for a rulesheet may be a chain of any length).

use std::collections::HashMap;
use std::ops::Range;

use crate::kif::Symbol;
use crate::rules::{Program, Relation};

/// One relation's rule uses another.
pub(crate) struct Edge {
    pub(crate) to: usize,
    pub(crate) negative: bool,
    /// Where the other is used.
    pub(crate) span: Range<usize>,
}

/// The graph: an edge leads from a rule's head to each relation of its body.
pub(crate) struct Graph {
    pub(crate) relations: Vec<Relation>,
    pub(crate) numbers: HashMap<Relation, usize>,
    pub(crate) edges: Vec<Vec<Edge>>,
    /// Two relations have the same number here exactly if each depends on the other.
    pub(crate) component: Vec<usize>,
}

impl Graph {
    pub(crate) fn new(program: &Program) -> Graph {
        let (relations, numbers, component) = (Vec::new(), HashMap::new(), Vec::new());
        let mut graph = Graph { relations, numbers, edges: Vec::new(), component };
        for rule in &program.rules {
            let head = graph.number(rule.head.relation());
            rule.atoms(&mut |atom, negative| {
                let to = graph.number(atom.relation());
                graph.edges[head].push(Edge { to, negative, span: atom.span.clone() });
            });
        }
        let edge = |node: usize, n: usize| graph.edges[node].get(n).map(|e| e.to);
        graph.component = components(graph.edges.len(), edge);
        graph
    }

    fn number(&mut self, relation: Relation) -> usize {
        let next = self.relations.len();
        let number = *self.numbers.entry(relation).or_insert(next);
        if number == next {
            self.relations.push(relation);
            self.edges.push(Vec::new());
        }
        number
    }

    /// Whether the two depend on each other.
    pub(crate) fn in_cycle(&self, a: Relation, b: Relation) -> bool {
        match (self.numbers.get(&a), self.numbers.get(&b)) {
            (Some(&a), Some(&b)) => self.component[a] == self.component[b],
            _ => false,
        }
    }

    /// The relations of this name.
    pub(crate) fn named(&self, name: Symbol) -> impl Iterator<Item = usize> {
        let all = self.relations.iter().enumerate();
        all.filter(move |(_, r)| r.name == name).map(|(n, _)| n)
    }

    /// Every relation that one of the given ones depends on, and they themselves.
    pub(crate) fn reached(&self, from: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut seen = vec![false; self.relations.len()];
        let mut todo: Vec<usize> = from.collect();
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                todo.extend(self.edges[node].iter().map(|e| e.to));
            }
        }
        seen
    }
}

/// The components of a graph, given the `n`th edge of a node. A component has a higher number than
/// those that its edges lead to.
pub(crate) fn components(
    count: usize,
    edge_of: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let mut order = vec![NEW; count];
    let mut low = vec![0; count];
    let mut component = vec![NEW; count];
    let (mut found, mut components) = (0, 0);
    let mut open: Vec<usize> = Vec::new();
    // The path from the root: a node and how many of its edges were followed.
    let mut path: Vec<(usize, usize)> = Vec::new();
    for root in 0..count {
        if order[root] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if *edge == 0 {
                order[node] = found;
                low[node] = found;
                found += 1;
                open.push(node);
            }
            if let Some(next) = edge_of(node, *edge) {
                *edge += 1;
                if order[next] == NEW {
                    path.push((next, 0));
                } else if component[next] == NEW {
                    low[node] = low[node].min(order[next]);
                }
                // An edge count of 0 means a node seen for the first time, and stays behind us.
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == order[node] {
                while let Some(member) = open.pop() {
                    component[member] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_chain_with_one_cycle() {
        let mut text = String::from("(<= p0 p9999) (<= p9999 p5000)");
        for n in 0..9999 {
            text.push_str(&format!("(<= p{n} p{})", n + 1));
        }
        text.push_str("(<= a p3) (<= b a)");
        let graph = Graph::new(&Program::read(&text).unwrap());
        let of = |name: &str| {
            let program = Program::read(&text).unwrap();
            let mut symbols = program.symbols;
            graph.component[graph.numbers[&Relation { name: symbols.intern(name), arity: 0 }]]
        };
        assert_eq!(of("p5000"), of("p9999"));
        assert_ne!(of("p4999"), of("p9999"));
        assert_ne!(of("a"), of("b"));
        assert_eq!(graph.reached(std::iter::once(0)).iter().filter(|&&b| b).count(), 10_000);
    }
}
