//! Tests of words, grids and their text.

use std::collections::HashMap;

use super::*;

#[test]
fn a_grid_keeps_its_edges() {
    fn shifts<W: Word>() {
        for (rows, cols) in [(1, 1), (1, 20), (20, 1), (3, 4), (8, 8)] {
            let grid: Grid<W> = Grid::new(rows, cols);
            for cell in 0..rows * cols {
                let (r, c) = (cell / cols, cell % cols);
                let at = |ok: bool, cell: i64| if ok { W::bit(cell as u32) } else { W::ZERO };
                let (x, i, w) = (W::bit(cell), i64::from(cell), i64::from(cols));
                assert_eq!(grid.north(x), at(r + 1 < rows, i + w));
                assert_eq!(grid.south(x), at(r > 0, i - w));
                assert_eq!(grid.east(x), at(c + 1 < cols, i + 1));
                assert_eq!(grid.west(x), at(c > 0, i - 1));
            }
        }
    }
    shifts::<u64>();
    shifts::<u128>();
}

/// The set with each cell moved, one by one.
fn moved<W: Word>(grid: &Grid<W>, set: W, to: impl Fn(u32, u32) -> (u32, u32)) -> W {
    set.cells().fold(W::ZERO, |w, cell| {
        let (row, col) = to(cell / grid.cols, cell % grid.cols);
        w | W::bit(row * grid.cols + col)
    })
}

#[test]
fn mirror_images_agree_with_moving_cell_by_cell() {
    fn check<W: Word>(rng: &mut Rng) {
        for rows in 1..=W::BITS {
            for cols in 1..=W::BITS / rows {
                let grid: Grid<W> = Grid::new(rows, cols);
                for _ in 0..5 {
                    let bits = W::from(rng.bits()) << (W::BITS / 2) ^ W::from(rng.bits());
                    let set = bits & grid.full;
                    let by_columns = moved(&grid, set, |r, c| (r, cols - 1 - c));
                    let by_rows = moved(&grid, set, |r, c| (rows - 1 - r, c));
                    let by_both = moved(&grid, by_rows, |r, c| (r, cols - 1 - c));
                    let mut sets = [set; 2];
                    grid.mirror_columns(&mut sets);
                    assert_eq!(sets, [by_columns; 2], "{rows}x{cols}");
                    let mut sets = [set; 2];
                    grid.mirror_rows(&mut sets);
                    assert_eq!(sets, [by_rows; 2], "{rows}x{cols}");
                    let mut images = vec![set, by_columns, by_rows, by_both];
                    let least = images.iter().copied().min().unwrap();
                    assert_eq!(grid.least_upright([set]), [least]);
                    if rows == cols {
                        let mut sets = [set; 2];
                        grid.transpose(&mut sets);
                        assert_eq!(sets, [moved(&grid, set, |r, c| (c, r)); 2], "{rows}");
                        images
                            .extend(images.clone().iter().map(|&x| moved(&grid, x, |r, c| (c, r))));
                    }
                    // A second set decides among images whose first sets are equal.
                    let pairs = images.iter().map(|&x| [W::ZERO, x]);
                    assert_eq!(grid.least_image([W::ZERO, set]), pairs.min().unwrap());
                }
            }
        }
    }
    let mut rng = Rng::new(2);
    check::<u64>(&mut rng);
    check::<u128>(&mut rng);
}

#[test]
fn moves_of_one_rank_keep_their_order() {
    let mut rng = Rng::new(3);
    for n in 0..=200u8 {
        let mut moves: Vec<u8> = (0..n).collect();
        let ranks: Vec<i16> = moves.iter().map(|_| rng.below(7) as i16 - 3).collect();
        sort_by_rank(&mut moves, |m| ranks[usize::from(m)]);
        let key = |m: u8| (-ranks[usize::from(m)], m);
        assert!(moves.windows(2).all(|w| key(w[0]) < key(w[1])));
    }
}

#[test]
fn cell_names_round_trip() {
    for row in 0..128 {
        for col in 0..128 {
            let mut name = String::new();
            write_cell(row, col, &mut name);
            assert_eq!(parse_cell(&name), Some((row, col, "")), "{name}");
        }
    }
    for bad in ["", "a", "1", "a0", "a01", "A1", "aaa1", "a1000", "é1"] {
        assert_eq!(parse_cell(bad), None, "{bad}");
    }
}

#[test]
fn all_subsets_of_a_size_have_the_same_chance() {
    let mut rng = Rng::new(9);
    let whole: u64 = 0b1011_0001_0010;
    for size in 0..=5 {
        let mut found: HashMap<u64, u32> = HashMap::new();
        let n = 20_000;
        for _ in 0..n {
            let set = random_subset(whole, 5, size, 12, &mut rng);
            assert!(set & !whole == 0 && set.count() == size);
            *found.entry(set).or_default() += 1;
        }
        let sets = [1, 5, 10, 10, 5, 1][size as usize];
        assert_eq!(found.len(), sets);
        let p = 1.0 / sets as f64;
        let bound = 5.0 * (p * (1.0 - p) * f64::from(n)).sqrt() + 1e-9;
        for (set, times) in found {
            let off = (f64::from(times) - p * f64::from(n)).abs();
            assert!(off <= bound, "{set:b}: {times}");
        }
    }
}

#[test]
fn cells_of_large_subsets_have_the_same_chance() {
    let mut rng = Rng::new(10);
    let everything = u128::first(121);
    for whole in [everything, everything & !(u128::first(20) << 50), 0x5555 << 90] {
        let count = whole.count();
        for size in [count / 2, count.div_ceil(2), count / 3] {
            let n = 20_000;
            // How often each cell is in the set, and how often each pair of neighbours is.
            let (mut single, mut pair) = ([0u32; 121], [0u32; 121]);
            let cells: Vec<u32> = whole.cells().collect();
            for _ in 0..n {
                let set = random_subset(whole, count, size, 121, &mut rng);
                assert!(set & !whole == 0 && set.count() == size);
                for (i, &c) in cells.iter().enumerate() {
                    single[i] += u32::from(set.has(c));
                    let next = cells[(i + 1) % cells.len()];
                    pair[i] += u32::from(set.has(c) && set.has(next));
                }
            }
            let p = f64::from(size) / f64::from(count);
            let q = p * f64::from(size - 1) / f64::from(count - 1);
            for (times, p) in [(single, p), (pair, q)] {
                let bound = 5.0 * (p * (1.0 - p) * f64::from(n)).sqrt();
                for &t in &times[..cells.len()] {
                    let off = (f64::from(t) - p * f64::from(n)).abs();
                    assert!(off <= bound, "{t} against {}", p * f64::from(n));
                }
            }
        }
    }
}
