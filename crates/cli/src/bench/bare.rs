//! The yardstick of the `pns` benchmark: proof number search written out for Connect Four with
//! five rows and four columns, and for nothing else. No traits, no limits, no proof.
//!
//! What a general driver should cost is measured against this loop: states are copied along the
//! path, links are 32 bits, the children of a node lie side by side, a node takes 24 bytes.

const ROWS: u32 = 5;
const COLS: u32 = 4;
const HEIGHT: u32 = ROWS + 1;
const INFINITE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Board {
    /// Stones of the side to move and of the other.
    own: u64,
    other: u64,
}

#[derive(Clone, Copy)]
struct Node {
    proof: u32,
    disproof: u32,
    first: u32,
    parent: u32,
    count: u32,
    column: u32,
}

fn four(x: u64) -> bool {
    [1, HEIGHT - 1, HEIGHT, HEIGHT + 1].iter().any(|d| {
        let pairs = x & (x >> d);
        pairs & (pairs >> (2 * d)) != 0
    })
}

const fn bottom() -> u64 {
    let (mut bits, mut c) = (0, 0);
    while c < COLS {
        bits |= 1 << (c * HEIGHT);
        c += 1;
    }
    bits
}

const BOTTOM: u64 = bottom();
const FULL: u64 = BOTTOM * ((1 << ROWS) - 1);

impl Board {
    fn landing(self) -> u64 {
        ((self.own | self.other) + BOTTOM) & FULL
    }

    fn drop(self, column: u32) -> Board {
        let stone = self.landing() & (((1 << ROWS) - 1) << (column * HEIGHT));
        Board { own: self.other, other: self.own | stone }
    }
}

/// Whether the first player wins (or at least draws) after these columns, and how many nodes the
/// search created.
pub(super) fn pns(columns: &[u8], draw_counts: bool) -> (bool, u64) {
    let mut root = Board { own: 0, other: 0 };
    for &c in columns {
        root = root.drop(u32::from(c));
    }
    let root_is_max = columns.len().is_multiple_of(2);
    let mut nodes = vec![Node { proof: 1, disproof: 1, first: 0, parent: 0, count: 0, column: 0 }];
    let mut path = vec![root];
    let mut at = 0usize;
    while nodes[0].proof != 0 && nodes[0].disproof != 0 {
        // Down.
        while nodes[at].count > 0 {
            let max = (path.len() % 2 == 1) == root_is_max;
            let (first, count) = (nodes[at].first as usize, nodes[at].count as usize);
            let mut best = first;
            for i in first + 1..first + count {
                let better = match max {
                    true => nodes[i].proof < nodes[best].proof,
                    false => nodes[i].disproof < nodes[best].disproof,
                };
                if better {
                    best = i;
                }
            }
            path.push(path[path.len() - 1].drop(nodes[best].column));
            at = best;
        }
        // Children.
        let board = path[path.len() - 1];
        let max = (path.len() % 2 == 1) == root_is_max;
        let landing = board.landing();
        let first = nodes.len() as u32;
        for column in 0..COLS {
            if landing & (((1 << ROWS) - 1) << (column * HEIGHT)) == 0 {
                continue;
            }
            let next = board.drop(column);
            let won = if four(next.other) {
                Some(max)
            } else if next.landing() == 0 {
                Some(draw_counts)
            } else {
                None
            };
            let (proof, disproof) = match won {
                Some(true) => (0, INFINITE),
                Some(false) => (INFINITE, 0),
                None => (1, 1),
            };
            nodes.push(Node { proof, disproof, first: 0, parent: at as u32, count: 0, column });
        }
        nodes[at].first = first;
        nodes[at].count = nodes.len() as u32 - first;
        // Up.
        loop {
            let max = (path.len() % 2 == 1) == root_is_max;
            let node = nodes[at];
            let (mut least, mut sum) = (INFINITE, 0u64);
            for child in &nodes[node.first as usize..(node.first + node.count) as usize] {
                let (own, other) =
                    if max { (child.proof, child.disproof) } else { (child.disproof, child.proof) };
                least = least.min(own);
                sum += u64::from(other);
            }
            let sum = if least == 0 { INFINITE } else { sum.min(u64::from(INFINITE - 1)) as u32 };
            let (proof, disproof) = if max { (least, sum) } else { (sum, least) };
            if proof == node.proof && disproof == node.disproof {
                break;
            }
            nodes[at].proof = proof;
            nodes[at].disproof = disproof;
            if at == 0 {
                break;
            }
            at = node.parent as usize;
            path.pop();
        }
    }
    (nodes[0].proof == 0, nodes.len() as u64)
}
