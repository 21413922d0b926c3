//! The strongly connected components of a graph, those that lead nowhere else first (R. Tarjan, 1972),
//! without a stack of calls: plays may be long.

/// Edges of nodes that are numbered from 0: those of node n go to `targets[first[n]..first[n + 1]]`.
#[derive(Clone, Copy)]
pub(super) struct Edges<'a> {
    pub(super) first: &'a [u32],
    pub(super) targets: &'a [u32],
}

impl<'a> Edges<'a> {
    pub(super) fn of(self, node: u32) -> &'a [u32] {
        let node = node as usize;
        &self.targets[self.first[node] as usize..self.first[node + 1] as usize]
    }
}

/// The nodes in the order of their components, and where each component ends. A component leads to
/// itself and to earlier ones only.
pub(super) struct Components {
    pub(super) nodes: Vec<u32>,
    pub(super) ends: Vec<u32>,
}

impl Components {
    /// The nodes of each component.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.nodes[begin as usize..end as usize])
    }
}

const NEW: u32 = u32::MAX;

pub(super) fn components(edges: Edges<'_>) -> Components {
    let count = edges.first.len() - 1;
    let mut found = Components { nodes: Vec::with_capacity(count), ends: Vec::new() };
    // When a node was met, and the earliest node that it leads back to. Nodes of finished components
    // count as met last of all.
    let (mut met, mut back) = (vec![NEW; count], vec![NEW; count]);
    let mut time = 0;
    let mut open: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, u32)> = Vec::new();
    for root in 0..count as u32 {
        if met[root as usize] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((node, at)) = path.pop() {
            let n = node as usize;
            if at == 0 {
                (met[n], back[n]) = (time, time);
                time += 1;
                open.push(node);
            }
            let next = edges.of(node).get(at as usize).copied();
            if at > 0 {
                let child = edges.of(node)[at as usize - 1] as usize;
                back[n] = back[n].min(back[child]);
            }
            match next {
                Some(child) => {
                    path.push((node, at + 1));
                    if met[child as usize] == NEW {
                        path.push((child, 0));
                    }
                }
                None if back[n] == met[n] => {
                    while let Some(member) = open.pop() {
                        // What is finished leads nowhere back.
                        back[member as usize] = NEW;
                        found.nodes.push(member);
                        if member == node {
                            break;
                        }
                    }
                    found.ends.push(found.nodes.len() as u32);
                }
                None => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use foregone_model::Rng;

    #[test]
    fn components_are_those_of_the_definition() {
        let mut rng = Rng::new(5);
        for _ in 0..300 {
            let count = 1 + rng.below(9);
            let (mut first, mut targets) = (vec![0], Vec::new());
            for _ in 0..count {
                for _ in 0..rng.below(3) {
                    targets.push(rng.below(count));
                }
                first.push(targets.len() as u32);
            }
            let edges = Edges { first: &first, targets: &targets };
            let mut reach = vec![vec![false; count as usize]; count as usize];
            for n in 0..count {
                let mut todo = vec![n];
                while let Some(node) = todo.pop() {
                    if !std::mem::replace(&mut reach[n as usize][node as usize], true) {
                        todo.extend(edges.of(node));
                    }
                }
            }
            let both =
                |a: u32, b: u32| reach[a as usize][b as usize] && reach[b as usize][a as usize];
            let found = components(edges);
            let mut done: Vec<u32> = Vec::new();
            for part in found.iter() {
                for &a in part {
                    assert!((0..count).all(|b| both(a, b) == part.contains(&b)));
                    let leads = edges.of(a).iter().all(|t| part.contains(t) || done.contains(t));
                    assert!(leads, "a component stands behind what it leads to");
                }
                done.extend(part);
            }
            done.sort_unstable();
            assert_eq!(done, (0..count).collect::<Vec<u32>>());
        }
    }
}
