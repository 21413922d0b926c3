//! Tests of canonical forms, and of all numbers of the table of reduction factors.

use foregone_model::Rng;

use super::reduction::{BoneClasses, DarkChessCount, DominoesCount, Left, dark_chess, dominoes};
use super::*;

/// A random graph. Every second one has one label and edges in both directions only, so that there are
/// symmetries.
fn random(elements: usize, rng: &mut Rng) -> Interactions {
    let plain = rng.below(2) == 0;
    let label = |rng: &mut Rng| if plain { 0 } else { rng.below(2) as u8 };
    let mut graph = Interactions::new((0..elements).map(|_| label(rng)).collect());
    for from in 0..elements {
        for to in 0..elements {
            match plain {
                true if from < to && rng.below(2) == 0 => {
                    graph.connect(from, to, 1);
                    graph.connect(to, from, 1);
                }
                false if rng.below(3) == 0 => graph.connect(from, to, 1 + rng.below(2) as u8),
                _ => {}
            }
        }
    }
    graph
}

fn renamed(graph: &Interactions, to: &[usize]) -> Interactions {
    let mut labels = vec![0; graph.len()];
    for (element, &there) in to.iter().enumerate() {
        labels[there] = graph.labels[element];
    }
    let mut other = Interactions::new(labels);
    for from in 0..graph.len() {
        for into in 0..graph.len() {
            other.connect(to[from], to[into], graph.edge(from, into));
        }
    }
    other
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    match n {
        0 => vec![Vec::new()],
        _ => {
            let mut out = Vec::new();
            for shorter in permutations(n - 1) {
                for at in 0..n {
                    let mut longer = shorter.clone();
                    longer.insert(at, n - 1);
                    out.push(longer);
                }
            }
            out
        }
    }
}

/// Forms are the same where one of all permutations is an isomorphism, and nowhere else; automorphisms
/// are counted by trying all.
#[test]
fn forms_are_the_same_for_isomorphic_graphs_only() {
    let mut rng = Rng::new(1);
    let all = permutations(4);
    let mut same = 0;
    let mut orders = 0;
    for _ in 0..300 {
        let graph = random(4, &mut rng);
        let canonical = graph.canonical();
        let automorphisms = all.iter().filter(|to| renamed(&graph, to) == graph).count() as u64;
        assert_eq!(canonical.automorphisms(), automorphisms, "{graph:?}");
        orders += u32::from(canonical.orders.len() > 1);
        for _ in 0..20 {
            let other = random(4, &mut rng);
            let isomorphic = all.iter().any(|to| renamed(&graph, to) == other);
            assert_eq!(canonical.form == other.canonical().form, isomorphic);
            same += u32::from(isomorphic);
        }
        for to in all.iter().step_by(5) {
            let image = renamed(&graph, to);
            assert_eq!(image.canonical().form, canonical.form);
            let found = graph.renaming(&image).unwrap();
            assert_eq!(renamed(&graph, &found), image);
        }
    }
    // Isomorphic graphs came up, and symmetries that are not exchanges of two elements.
    assert!(same > 100 && orders > 10, "{same} {orders}");
}

#[test]
fn every_order_makes_the_form() {
    // A cycle of six: no two elements can change places alone, and there are six turns of it.
    let mut cycle = Interactions::new(vec![0; 6]);
    (0..6).for_each(|at| cycle.connect(at, (at + 1) % 6, 1));
    let canonical = cycle.canonical();
    assert_eq!((canonical.groups.len(), canonical.orders.len()), (6, 6));
    assert_eq!(canonical.orders[0], [0, 1, 2, 3, 4, 5]);
    for order in &canonical.orders {
        let mut to = vec![0; 6];
        for (place, &group) in order.iter().enumerate() {
            to[canonical.groups[group][0]] = canonical.groups[place][0];
        }
        assert_eq!(renamed(&cycle, &to), cycle, "{order:?}");
    }
    let mut empty = Interactions::new(vec![3; 5]);
    assert_eq!(empty.canonical().automorphisms(), 120);
    empty.connect(2, 2, 1);
    assert_eq!(empty.canonical().automorphisms(), 24);
    assert!(Interactions::new(Vec::new()).is_empty());
}

/// The corrected table of the slides, and what is left modulo automorphisms.
#[test]
fn endings_of_dark_chess_are_counted() {
    let expected = [
        (48_608, 8, 7_936, 8, 7_936),
        (9_999_360, 46, 1_130_880, 40, 952_320),
        (1_139_500_480, 186, 114_208_960, 144, 81_269_600),
        (90_355_397_440, 672, 10_129_212_800, 466, 6_103_706_560),
        (5_439_964_819_968, 2_240, 800_220_095_136, 1_406, 412_924_508_640),
        (260_079_235_363_584, 6_694, 52_469_056_890_432, 3_996, 25_079_733_544_320),
        (10_135_324_552_789_800, 17_662, 2_755_883_437_561_800, 10_672, 1_344_382_903_819_800),
    ];
    for (pieces, (total, kinds, by_kind, of_pieces, by_piece)) in (2..).zip(expected) {
        let expected = DarkChessCount {
            total,
            by_kind: Left { classes: kinds, positions: by_kind },
            by_piece: Left { classes: of_pieces, positions: by_piece },
        };
        assert_eq!(dark_chess(pieces), expected, "{pieces}");
    }
}

/// By bones as printed, and by numbers, which is sound: classes of sets and of sets with a mark, and positions.
#[test]
fn dominoes_are_counted() {
    let expected = [
        (0, (5, 2, 0), (5, 2, 0)),
        (21_168, (13, 7, 92), (14, 7, 98)),
        (550_368, (35, 26, 996), (37, 27, 1_050)),
        (8_026_200, (94, 91, 7_854), (98, 96, 8_204)),
        (82_555_200, (246, 317, 53_790), (252, 329, 55_230)),
    ];
    for (elements, (total, by_bone, by_value)) in (2..).zip(expected) {
        let classes = |(sets, marked, positions)| BoneClasses { sets, marked, positions };
        let found = dominoes(elements);
        let renamed = found.renamed;
        let (by_bone, by_value) = (classes(by_bone), classes(by_value));
        assert_eq!(found, DominoesCount { total, by_bone, by_value, renamed }, "{elements}");
        assert!(renamed <= by_value.positions, "{elements}: {renamed}");
        assert_eq!(renamed < by_value.positions, elements > 2, "{elements}: {renamed}");
    }
}
