//! Material symmetry: materials whose elements interact in the same way are worth the same, wherever the
//! elements stand.
//!
//! After A. Saffidine (*Solving Games and All That*, 2013, section 1.3.1): what can happen between the
//! elements of a game is a graph, and two sets of elements whose graphs are isomorphic stand for each
//! other. Here a graph has a label for each element and a type for each directed edge. Its canonical
//! form is the least one among the orders that refined classes of elements leave.

pub mod reduction;

/// A set of elements of a game, as far as they interact.
pub trait Material {
    /// How its elements interact. That must be all that the rules know of them.
    fn interactions(&self) -> Interactions;

    /// The normal form of the graph, with all orders of the elements that lead to it.
    fn canonical(&self) -> Canonical {
        self.interactions().canonical()
    }

    /// For each element the one of `other` that stands for it; nothing if there is no such renaming.
    fn renaming<M: Material>(&self, other: &M) -> Option<Vec<usize>> {
        let (own, theirs) = (self.canonical(), other.canonical());
        if own.form != theirs.form {
            return None;
        }
        let mut to = vec![0; own.groups.iter().map(Vec::len).sum()];
        for (from, into) in own.groups.iter().zip(&theirs.groups) {
            for (&a, &b) in from.iter().zip(into) {
                to[a] = b;
            }
        }
        Some(to)
    }
}

/// A graph of interactions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interactions {
    labels: Vec<u8>,
    /// The types of the edges from each element to each, itself included; 0 where there is none.
    edges: Vec<u8>,
}

impl Material for Interactions {
    fn interactions(&self) -> Interactions {
        self.clone()
    }

    fn canonical(&self) -> Canonical {
        Groups::of(self).canonical()
    }
}

impl Interactions {
    /// Elements with these labels, which do not interact so far. What tells elements apart beside
    /// their interactions is part of the label: the owner, or how many of a kind there are.
    pub fn new(labels: Vec<u8>) -> Interactions {
        let edges = vec![0; labels.len() * labels.len()];
        Interactions { labels, edges }
    }

    /// Adds bits to the type of an edge.
    pub fn connect(&mut self, from: usize, to: usize, kind: u8) {
        let at = from * self.labels.len() + to;
        self.edges[at] |= kind;
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    fn edge(&self, from: usize, to: usize) -> u8 {
        self.edges[from * self.labels.len() + to]
    }

    /// Whether two elements can change places without any difference.
    fn interchangeable(&self, a: usize, b: usize) -> bool {
        let others = (0..self.len()).filter(|&c| c != a && c != b);
        self.labels[a] == self.labels[b]
            && self.edge(a, a) == self.edge(b, b)
            && self.edge(a, b) == self.edge(b, a)
            && others
                .into_iter()
                .all(|c| self.edge(a, c) == self.edge(b, c) && self.edge(c, a) == self.edge(c, b))
    }
}

/// The normal form of a graph, and how its elements come to stand in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The same for two graphs if they are isomorphic, and only then.
    pub form: Vec<u8>,
    /// The elements in the order of the form: groups of such as can change places.
    pub groups: Vec<Vec<usize>>,
    /// All orders of these groups that make the same form, by their places in `groups`: the order as it
    /// is comes first.
    pub orders: Vec<Vec<usize>>,
}

impl Canonical {
    /// How many automorphisms the graph has.
    pub fn automorphisms(&self) -> u64 {
        let within = self.groups.iter().map(|group| (1..=group.len() as u64).product::<u64>());
        within.product::<u64>() * self.orders.len() as u64
    }
}

/// A graph of groups of elements that can change places.
struct Groups<'g> {
    graph: &'g Interactions,
    members: Vec<Vec<usize>>,
}

impl<'g> Groups<'g> {
    fn of(graph: &'g Interactions) -> Groups<'g> {
        let mut members: Vec<Vec<usize>> = Vec::new();
        for element in 0..graph.len() {
            match members.iter_mut().find(|group| graph.interchangeable(group[0], element)) {
                Some(group) => group.push(element),
                None => members.push(vec![element]),
            }
        }
        Groups { graph, members }
    }

    fn edge(&self, from: usize, to: usize) -> u8 {
        self.graph.edge(self.members[from][0], self.members[to][0])
    }

    /// What a group is by itself.
    fn own(&self, group: usize) -> [u8; 4] {
        let members = &self.members[group];
        let first = members[0];
        let within = members.get(1).map_or(0, |&second| self.graph.edge(first, second));
        [self.graph.labels[first], members.len() as u8, self.graph.edge(first, first), within]
    }

    /// A class for each group, so that groups of different classes are different: by what they are,
    /// and by the classes that they interact with, until that tells no more of them apart.
    fn refined(&self) -> Vec<usize> {
        let count = self.members.len();
        let (mut classes, mut known) =
            numbered(&(0..count).map(|g| self.own(g)).collect::<Vec<_>>());
        loop {
            let sees = |group: usize| {
                let others = (0..count).filter(|&other| other != group);
                let mut seen: Vec<(u8, u8, usize)> = others
                    .map(|other| (self.edge(group, other), self.edge(other, group), classes[other]))
                    .collect();
                seen.sort_unstable();
                (classes[group], seen)
            };
            let (finer, found) = numbered(&(0..count).map(sees).collect::<Vec<_>>());
            if found == known {
                return classes;
            }
            (classes, known) = (finer, found);
        }
    }

    fn canonical(&self) -> Canonical {
        let classes = self.refined();
        let count = self.members.len();
        // Places of the form belong to the classes in their order.
        let mut places = classes.clone();
        places.sort_unstable();
        let mut search = Search {
            groups: self,
            classes: &classes,
            places: &places,
            order: Vec::with_capacity(count),
            least: Vec::new(),
            orders: Vec::new(),
        };
        search.extend();
        let Search { least, orders, .. } = search;
        let first = &orders[0];
        let mut form = vec![count as u8];
        form.extend(first.iter().flat_map(|&group| self.own(group)));
        form.extend(least);
        let place = |group: usize| first.iter().position(|&g| g == group).unwrap_or(0);
        Canonical {
            form,
            groups: first.iter().map(|&group| self.members[group].clone()).collect(),
            orders: orders
                .iter()
                .map(|order| order.iter().map(|&group| place(group)).collect())
                .collect(),
        }
    }
}

/// The orders of groups that respect their classes, and those among them with the least edges.
struct Search<'a> {
    groups: &'a Groups<'a>,
    classes: &'a [usize],
    places: &'a [usize],
    order: Vec<usize>,
    least: Vec<u8>,
    orders: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn extend(&mut self) {
        let at = self.order.len();
        if at == self.places.len() {
            return self.weigh();
        }
        for group in 0..self.places.len() {
            if self.classes[group] == self.places[at] && !self.order.contains(&group) {
                self.order.push(group);
                self.extend();
                self.order.pop();
            }
        }
    }

    fn weigh(&mut self) {
        let order = &self.order;
        let pairs = order.iter().flat_map(|&a| order.iter().map(move |&b| (a, b)));
        let edges: Vec<u8> =
            pairs.filter(|(a, b)| a != b).map(|(a, b)| self.groups.edge(a, b)).collect();
        if self.orders.is_empty() || edges < self.least {
            self.least = edges;
            self.orders = vec![order.clone()];
        } else if edges == self.least {
            self.orders.push(order.clone());
        }
    }
}

/// Numbers for keys, in the order of the keys, and how many different ones there are.
fn numbered<K: Ord>(keys: &[K]) -> (Vec<usize>, usize) {
    let mut sorted: Vec<&K> = keys.iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    let number = |key: &K| sorted.partition_point(|&k| k < key);
    (keys.iter().map(number).collect(), sorted.len())
}

#[cfg(test)]
mod tests;
