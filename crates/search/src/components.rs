//! Strongly connected components (R. Tarjan, 1972): the places where a play can go round.

/// The components of what can be reached from `start`, each behind all that it leads to. `next` lists
/// where a node leads to; nodes are below `nodes`.
pub(crate) fn components(
    nodes: usize,
    starts: impl IntoIterator<Item = u32>,
    mut next: impl FnMut(u32, &mut Vec<u32>),
) -> Vec<Vec<u32>> {
    // When a node was found, from 1 on, and the first one found that it leads back to.
    let (mut found, mut back) = (vec![0u32; nodes], vec![0u32; nodes]);
    let (mut time, mut open) = (0, Vec::new());
    let (mut path, mut steps): (Vec<(u32, usize)>, Vec<u32>) = (Vec::new(), Vec::new());
    let mut all = Vec::new();
    for start in starts {
        let mut entered = (found[start as usize] == 0).then_some(start);
        while entered.is_some() || !path.is_empty() {
            if let Some(node) = entered.take() {
                time += 1;
                (found[node as usize], back[node as usize]) = (time, time);
                open.push(node);
                path.push((node, steps.len()));
                next(node, &mut steps);
            }
            let (node, first) = path[path.len() - 1];
            if steps.len() > first {
                let child = steps.pop().unwrap_or(node);
                match found[child as usize] {
                    0 => entered = Some(child),
                    // Nodes of finished components lead nowhere back.
                    when => {
                        if back[child as usize] > 0 {
                            back[node as usize] = back[node as usize].min(when);
                        }
                    }
                }
                continue;
            }
            path.pop();
            let own = back[node as usize];
            if let Some(&(parent, _)) = path.last() {
                back[parent as usize] = back[parent as usize].min(own);
            }
            if own == found[node as usize] {
                let at = open.iter().rposition(|&n| n == node).unwrap_or(0);
                let component = open.split_off(at);
                component.iter().for_each(|&n| back[n as usize] = 0);
                all.push(component);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use foregone_model::Rng;

    use super::*;

    #[test]
    fn components_are_what_can_reach_each_other() {
        let mut rng = Rng::new(1);
        let mut several = 0;
        for _ in 0..500 {
            let nodes = 1 + rng.below(12);
            let edges: Vec<(u32, u32)> =
                (0..rng.below(3 * nodes)).map(|_| (rng.below(nodes), rng.below(nodes))).collect();
            let mut reaches = vec![vec![false; nodes as usize]; nodes as usize];
            for (n, from_n) in reaches.iter_mut().enumerate() {
                from_n[n] = true;
            }
            for _ in 0..nodes {
                for &(from, to) in &edges {
                    for from_n in &mut reaches {
                        from_n[to as usize] |= from_n[from as usize];
                    }
                }
            }
            let found = components(nodes as usize, 0..nodes, |n, out| {
                out.extend(edges.iter().filter(|e| e.0 == n).map(|e| e.1));
            });
            assert_eq!(found.iter().map(Vec::len).sum::<usize>(), nodes as usize);
            for (at, one) in found.iter().enumerate() {
                for (other, two) in found.iter().enumerate() {
                    for (&n, &m) in one.iter().flat_map(|n| two.iter().map(move |m| (n, m))) {
                        let both =
                            reaches[n as usize][m as usize] && reaches[m as usize][n as usize];
                        assert_eq!(both, at == other, "{edges:?}");
                        // What a component leads to stands before it.
                        assert!(!reaches[n as usize][m as usize] || other <= at, "{edges:?}");
                    }
                }
                several += u32::from(one.len() > 1);
            }
        }
        assert!(several > 100, "{several}");
    }
}
