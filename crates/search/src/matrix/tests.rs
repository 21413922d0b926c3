//! Two solvers, a checker and a linear program of others' must agree, above all where matrices are
//! degenerate.

use foregone_model::{Rng, Side, TextError};

use super::*;

fn matrix(rows: &[&[f64]]) -> Matrix {
    Matrix::new(rows.len(), rows[0].len(), rows.concat()).unwrap()
}

fn ratio(text: &str) -> Ratio {
    foregone_model::number::read_number(text).unwrap()
}

fn range(matrix: &Matrix) -> f64 {
    let (low, high) = bounds(matrix);
    high - low
}

fn bounds(matrix: &Matrix) -> (f64, f64) {
    let fold = |f: fn(f64, f64) -> f64, x| matrix.payoffs.iter().copied().fold(x, f);
    (fold(f64::min, f64::INFINITY), fold(f64::max, f64::NEG_INFINITY))
}

/// Everything that holds of any matrix; its value is returned.
fn agree(matrix: &Matrix) -> Ratio {
    let exact = matrix.exact();
    assert_eq!(exact.rounded().as_ref(), Ok(matrix));
    let best = solve_exact(&exact);
    let value = best.value.clone();
    assert_eq!(
        check(&exact, &best.max, &best.min),
        Ok((value.clone(), value.clone())),
        "{matrix:?}"
    );

    let nash = solve(matrix);
    let near = 1e-9 * range(matrix);
    assert!((nash.value - value.as_f64()).abs() <= near, "{nash:?} for {value} in {matrix:?}");
    assert!((0.0..=near).contains(&nash.gap), "{nash:?} in {matrix:?}");
    for (strategy, expected) in [(&nash.max, matrix.rows()), (&nash.min, matrix.columns())] {
        assert_eq!(strategy.len(), expected);
        assert!(strategy.iter().all(|&p| (0.0..=1.0).contains(&p)), "{nash:?}");
        assert!((strategy.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{nash:?}");
    }
    // The gap is what the strategies say.
    let (_, most) = matrix.best_row(&nash.min);
    let (_, least) = matrix.best_column(&nash.max);
    assert_eq!(nash.gap, (most - least).max(0.0));
    value
}

/// The value by microlp, as the linear program in its plain form: Max has the largest v such that
/// each column pays at least v.
fn by_microlp(matrix: &Matrix) -> f64 {
    use microlp::{ComparisonOp, OptimizationDirection, Problem};
    let (low, high) = bounds(matrix);
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let v = problem.add_var(1.0, (low, high));
    let weights: Vec<_> = (0..matrix.rows()).map(|_| problem.add_var(0.0, (0.0, 1.0))).collect();
    problem.add_constraint(weights.iter().map(|&p| (p, 1.0)), ComparisonOp::Eq, 1.0);
    for j in 0..matrix.columns() {
        let terms = weights.iter().enumerate().map(|(i, &p)| (p, matrix.at(i, j)));
        problem.add_constraint(terms.chain([(v, -1.0)]), ComparisonOp::Ge, 0.0);
    }
    problem.solve().unwrap().into_solution().unwrap().objective()
}

/// A number from 0 to 1.
fn unit(rng: &mut Rng) -> f64 {
    (rng.bits() >> 11) as f64 / (1u64 << 53) as f64
}

/// The kinds of random payoffs.
const KINDS: [fn(&mut Rng) -> f64; 7] = [
    // Ternary, binary, and small whole numbers: ties everywhere.
    |rng| f64::from(rng.below(3)) - 1.0,
    |rng| f64::from(rng.below(2)),
    |rng| f64::from(rng.below(21)) - 10.0,
    // No ties at all.
    |rng| unit(rng) * 2.0 - 1.0,
    // Nearly ties.
    |rng| f64::from(rng.below(3)) - 1.0 + 1e-9 * unit(rng),
    // Ranges that no tolerance fits.
    |rng| (unit(rng) - 0.5) * 10f64.powi(rng.below(30) as i32 - 15),
    // Far from zero.
    |rng| 1e6 + f64::from(rng.below(5)),
];

fn random(rng: &mut Rng, rows: usize, columns: usize, payoff: fn(&mut Rng) -> f64) -> Matrix {
    let payoffs = (0..rows * columns).map(|_| payoff(rng)).collect();
    Matrix::new(rows, columns, payoffs).unwrap()
}

/// A matrix of this kind with up to 13 rows and columns.
fn any(rng: &mut Rng, kind: usize) -> Matrix {
    let (rows, columns) = (1 + rng.below(13) as usize, 1 + rng.below(13) as usize);
    random(rng, rows, columns, KINDS[kind])
}

/// A matrix solved in floating point alone, and whether that was good enough.
fn in_floats(matrix: &Matrix) -> (Nash, bool) {
    let mut solver = Solver::default();
    let (value, gap, narrow) = solver.in_floats(&matrix.grid());
    (Nash { value, max: solver.max, min: solver.min, gap }, narrow)
}

#[test]
fn known_games() {
    let value = |rows: &[&[f64]]| agree(&matrix(rows)).to_string();
    // Rock, paper, scissors; and with a well, which makes rock useless.
    let rps = matrix(&[&[0., -1., 1.], &[1., 0., -1.], &[-1., 1., 0.]]);
    assert_eq!(agree(&rps), Ratio::ZERO);
    let third = ratio("1/3");
    let best = solve_exact(&rps.exact());
    assert_eq!(best.max, vec![third.clone(); 3]);
    assert_eq!(best.min, vec![third; 3]);
    let well: [&[f64]; 4] =
        [&[0., -1., 1., -1.], &[1., 0., -1., 1.], &[-1., 1., 0., -1.], &[1., -1., 1., 0.]];
    let best = solve_exact(&matrix(&well).exact());
    assert_eq!(
        best.max.iter().map(Ratio::to_string).collect::<Vec<_>>(),
        ["0", "1/3", "1/3", "1/3"]
    );
    assert_eq!(value(&well), "0");
    // Matching pennies, Morra with two fingers (von Neumann's own kind of example), a 2 x 2 game
    // with a mixed value, a saddle point.
    assert_eq!(value(&[&[1., -1.], &[-1., 1.]]), "0");
    assert_eq!(value(&[&[2., -3.], &[-3., 4.]]), "-1/12");
    assert_eq!(value(&[&[3., -1.], &[-2., 1.]]), "1/7");
    assert_eq!(value(&[&[4., 2., 5.], &[0., 1., 7.]]), "2");
}

#[test]
fn degenerate_matrices() {
    let fill = |rows: usize, columns: usize, f: &dyn Fn(usize, usize) -> f64| {
        let cells = (0..rows).flat_map(|i| (0..columns).map(move |j| f(i, j)));
        Matrix::new(rows, columns, cells.collect()).unwrap()
    };
    for n in 1..=13 {
        for m in [1, 2, n] {
            assert_eq!(agree(&fill(m, n, &|_, _| 0.0)), Ratio::ZERO);
            assert_eq!(agree(&fill(m, n, &|_, _| -7.0)), Ratio::from(-7));
            assert_eq!(agree(&fill(1, n, &|_, j| j as f64)), Ratio::ZERO);
            assert_eq!(agree(&fill(n, 1, &|i, _| i as f64)), Ratio::from(n as i64 - 1));
        }
        // Guess the number: with n choices Max finds it once in n.
        let guess = agree(&fill(n, n, &|i, j| f64::from(i == j)));
        assert_eq!(guess, Ratio::new(1, n as i64).unwrap());
        assert_eq!(agree(&fill(n, n, &|i, j| f64::from(i >= j))), Ratio::ONE);
        // The longest chain of pivots and the smallest numbers.
        agree(&fill(n, n, &|i, j| if i == j { 2f64.powi(i as i32) } else { 0.0 }));
        agree(&fill(n, n, &|i, j| 1.0 / (1 + i + j) as f64));
        agree(&fill(n, n, &|i, j| if i == j { 1e15 } else { 1e-15 * (i + j) as f64 }));
        agree(&fill(n, n, &|i, j| f64::from(i == j) * Matrix::LARGEST));
        agree(&fill(n, n, &|i, j| f64::from(i == j) * f64::from_bits(1)));
    }
}

#[test]
fn skew_symmetric_matrices_are_worth_nothing() {
    let mut rng = Rng::new(1);
    for round in 0..700 {
        let n = 1 + rng.below(13) as usize;
        let half = random(&mut rng, n, n, KINDS[round % KINDS.len()]);
        let cells = (0..n * n).map(|at| half.at(at / n, at % n) - half.at(at % n, at / n));
        assert_eq!(agree(&Matrix::new(n, n, cells.collect()).unwrap()), Ratio::ZERO);
    }
}

#[test]
fn random_matrices_agree_with_the_exact_solver() {
    let mut rng = Rng::new(2);
    for round in 0..7000 {
        agree(&any(&mut rng, round % KINDS.len()));
    }
}

#[test]
fn random_matrices_agree_with_another_program() {
    let mut rng = Rng::new(3);
    // It has a tolerance of its own, so without the kinds that have no good scale.
    for round in 0..3000 {
        let matrix = any(&mut rng, round % 5);
        let (ours, theirs) = (solve(&matrix).value, by_microlp(&matrix));
        assert!((ours - theirs).abs() < 1e-6, "{ours}, they say {theirs}: {matrix:?}");
    }
}

/// Rows and columns that are copies, or worse than others, change nothing.
#[test]
fn useless_moves_change_no_value() {
    let mut rng = Rng::new(4);
    for round in 0..1000 {
        let matrix = any(&mut rng, round % 3);
        let value = agree(&matrix);
        let (rows, columns) = (matrix.rows(), matrix.columns());
        let mut wider: Vec<f64> = Vec::new();
        let copied = rng.below(columns as u32) as usize;
        let more = f64::from(rng.below(2));
        for i in 0..rows {
            wider.extend(matrix.row(i));
            wider.push(matrix.at(i, copied) + more);
        }
        let last = rng.below(rows as u32) as usize * (columns + 1);
        let worse: Vec<f64> = wider[last..][..=columns].iter().map(|x| x - more).collect();
        wider.extend(worse);
        assert_eq!(agree(&Matrix::new(rows + 1, columns + 1, wider).unwrap()), value);
    }
}

/// Changing the sides, moving and stretching the payoffs do what they must.
#[test]
fn values_move_with_payoffs() {
    let mut rng = Rng::new(5);
    for round in 0..600 {
        let matrix = any(&mut rng, round % 3);
        let (rows, columns) = (matrix.rows(), matrix.columns());
        let value = agree(&matrix);
        let turned = (0..rows * columns).map(|at| -matrix.at(at % rows, at / rows)).collect();
        let turned = agree(&Matrix::new(columns, rows, turned).unwrap());
        assert_eq!(turned, &Ratio::ZERO - &value);
        let moved = matrix.payoffs.iter().map(|x| 4.0 * x + 3.0).collect();
        let moved = agree(&Matrix::new(rows, columns, moved).unwrap());
        assert_eq!(moved, &(&Ratio::from(4) * &value) + &Ratio::from(3));
    }
}

/// A fine that nobody risks must not blur the payoffs that matter.
#[test]
fn huge_fines_leave_small_payoffs_exact() {
    let mut rng = Rng::new(10);
    for round in 0..600 {
        let small = any(&mut rng, [0, 2, 4][round % 3]);
        let (rows, columns) = (small.rows(), small.columns());
        let fine = 10f64.powi(6 + rng.below(20) as i32);
        let mut fined = vec![-fine; columns + 1];
        for i in 0..rows {
            fined.extend(small.row(i));
            fined.push(fine);
        }
        let fined = Matrix::new(rows + 1, columns + 1, fined).unwrap();
        let value = agree(&small);
        assert_eq!(agree(&fined), value);
        let nash = solve(&fined);
        let near = 1e-9 * range(&small);
        assert!((nash.value - value.as_f64()).abs() <= near, "{nash:?} in {fined:?}");
        assert!(nash.gap <= near, "{nash:?} in {fined:?}");
    }
}

/// Payoffs of very different sizes, all of them played.
#[test]
fn two_by_two_games_lose_no_digits() {
    let mut rng = Rng::new(11);
    for _ in 0..5000 {
        let matrix = random(&mut rng, 2, 2, KINDS[5]);
        agree(&matrix);
        let (exact, (nash, _)) = (solve_exact(&matrix.exact()), in_floats(&matrix));
        let weights = exact.max.iter().zip(&nash.max).chain(exact.min.iter().zip(&nash.min));
        for (exact, &weight) in weights {
            let exact = exact.as_f64();
            assert!((weight - exact).abs() <= 1e-15 * exact, "{nash:?} in {matrix:?}");
        }
    }
}

/// Exact pivoting is the last resort: what floating point leaves to it is counted here.
#[test]
fn nearly_all_matrices_are_solved_in_floating_point() {
    let mut rng = Rng::new(12);
    let left = |rng: &mut Rng, kind: usize| {
        let games = (0..2000).map(|_| any(rng, kind));
        games.filter(|game| !in_floats(game).1).count()
    };
    let counts: Vec<usize> = (0..KINDS.len()).map(|kind| left(&mut rng, kind)).collect();
    println!("{counts:?} of 2000 each");
    // Nearly ties need it at times, and ranges that no tolerance fits need it often.
    let limits = [10, 10, 10, 10, 60, 600, 10];
    assert!(counts.iter().zip(limits).all(|(&count, limit)| count <= limit), "{counts:?}");
    // So the way through it is tested, too.
    assert!(counts[5] > 0);
}

/// Both kinds of whole numbers pivot in the same way.
#[test]
fn large_numbers_take_over_where_small_ones_end() {
    let mut rng = Rng::new(6);
    let mut small = 0;
    for _ in 0..200 {
        let payoffs: Vec<i64> = (0..400).map(|_| i64::from(rng.below(3)) + 1).collect();
        small += usize::from(exact::fits_in_small_numbers(20, &payoffs));
        let matrix = ExactMatrix::new(20, 20, &payoffs, 3).unwrap();
        let best = solve_exact(&matrix);
        let value = best.value.clone();
        assert_eq!(check(&matrix, &best.max, &best.min), Ok((value.clone(), value)));
        assert!(exact::both_agree(20, &payoffs));
    }
    assert_eq!(small, 200, "20 x 20 ternary games stay in small numbers");
    // Nothing of 13 x 13 such payoffs fits.
    for _ in 0..10 {
        let payoffs: Vec<i64> = (0..169).map(|_| (rng.bits() >> 1) as i64).collect();
        assert!(!exact::fits_in_small_numbers(13, &payoffs));
        let matrix = ExactMatrix::new(13, 13, &payoffs, i64::MIN).unwrap();
        let best = solve_exact(&matrix);
        let value = best.value.clone();
        assert_eq!(check(&matrix, &best.max, &best.min), Ok((value.clone(), value)));
    }
}

#[test]
fn the_checker_refuses_what_is_no_strategy_and_bounds_what_is_not_optimal() {
    let pennies = ExactMatrix::new(2, 2, &[1, -1, -1, 1], 1).unwrap();
    let half = || vec![ratio("1/2"); 2];
    let list = |texts: [&str; 2]| texts.map(ratio).to_vec();
    assert_eq!(check(&pennies, &half(), &half()), Ok((Ratio::ZERO, Ratio::ZERO)));
    assert_eq!(
        check(&pennies, &list(["1/4", "3/4"]), &list(["2/3", "1/3"])),
        Ok((ratio("-1/2"), ratio("1/3")))
    );
    let error = |max: &[Ratio], min: &[Ratio]| check(&pennies, max, min).unwrap_err().to_string();
    assert_eq!(
        error(&half()[..1], &half()),
        "the strategy of Max has 1 probabilities, but 2 are needed"
    );
    assert_eq!(
        error(&half(), &vec![ratio("1/3"); 3]),
        "the strategy of Min has 3 probabilities, but 2 are needed"
    );
    assert_eq!(error(&half(), &list(["3/2", "-1/2"])), "probability 2 of Min is negative");
    assert_eq!(
        error(&list(["1/2", "1/3"]), &half()),
        "the probabilities of Max sum up to 5/6, not to 1"
    );

    // A little probability moved from a move to another never passes for better.
    let mut rng = Rng::new(7);
    for round in 0..500 {
        let matrix = any(&mut rng, round % 3).exact();
        let best = solve_exact(&matrix);
        let mut max = best.max.clone();
        let from = max.iter().position(|p| *p > Ratio::ZERO).unwrap();
        let to = rng.below(max.len() as u32) as usize;
        let some = &max[from] * &ratio("1/1000");
        max[from] = &max[from] - &some;
        max[to] = &max[to] + &some;
        let (least, most) = check(&matrix, &max, &best.min).unwrap();
        assert!(least <= best.value && most == best.value);
        max[to] = &max[to] + &ratio("1/1000000");
        assert!(matches!(
            check(&matrix, &max, &best.min),
            Err(StrategyError::Sum { side: Side::Max, .. })
        ));
    }
}

#[test]
fn matrices_are_read() {
    let text = "\u{feff}# payoffs of Max\n\n 1, -2.5 ,1/3 # a row\r\n\t0,+4e2,.5\n  \n";
    let matrix = Matrix::read(text).unwrap();
    assert_eq!((matrix.rows(), matrix.columns()), (2, 3));
    assert_eq!(matrix.payoffs, [1.0, -2.5, 1.0 / 3.0, 0.0, 400.0, 0.5]);
    let exact = ExactMatrix::read(text).unwrap();
    assert_eq!(exact.at(0, 2), ratio("1/3"));
    assert_eq!(exact.at(1, 1), Ratio::from(400));
    assert_eq!(ExactMatrix::read("0.1, 1e-20").unwrap().at(0, 0), ratio("1/10"));

    let error = |text: &str| {
        let TextError { message, span, .. } = Matrix::read(text).unwrap_err();
        assert_eq!(ExactMatrix::read(text).unwrap_err().message, message);
        (message, text[span].to_owned())
    };
    let says = |text: &str, message: &str, part: &str| {
        assert_eq!(error(text), (message.to_owned(), part.to_owned()));
    };
    says("", "a matrix needs at least one row, for example: 1, -1", "");
    says("# no\n", "a matrix needs at least one row, for example: 1, -1", "# no\n");
    says("1,2\n3,4,5 \n", "row 2, column 3: the row has 3 payoffs, the first one has 2", "3,4,5");
    says("1,2\n# x\n3\n", "row 2, column 2: the row has 1 payoff, the first one has 2", "3");
    says("1, ,2", "row 1, column 2: a payoff is missing", ",");
    says("1,2,", "row 1, column 3: a payoff is missing", ",");
    says("1,2\n3,\n5,6\n", "row 2, column 2: a payoff is missing", ",");
    says(", 1", "row 1, column 1: a payoff is missing", ",");
    says("1\n two", "row 2, column 1: `two` is not a number like 3, -0.25 or 1/3", "two");
    says("1/0", "row 1, column 1: `1/0` has the denominator 0", "1/0");
    says("0, 1e301", "row 1, column 2: `1e301` is too large: payoffs go up to 1e300", "1e301");
    says("1e999", "row 1, column 1: `1e999` has an exponent that is too large", "1e999");
    let long = "7".repeat(1001);
    says(&long, "row 1, column 1: the payoff has more than 1000 characters", &long);
    for bad in [
        "-", "+-1", "1.2.3", ".", "1/-2", "1/2/3", "1_0", "nan", "inf", "0x1", "1e", "e5", "1e+",
        "½", "1 2", "--1", "1/2e1", "1;2",
    ] {
        assert!(error(bad).0.contains("is not a number"), "{bad}");
    }
}

#[test]
fn denominators_that_have_nothing_in_common_are_refused_before_they_fill_the_memory() {
    let text: String = (0..2000).map(|n| format!("1/{}\n", 1_000_000_007 + 2 * n)).collect();
    let error = ExactMatrix::read(&text).unwrap_err();
    assert!(error.message.contains("no common multiple of 4096 bits"), "{error}");
    assert!(Matrix::read(&text).is_ok());
}

#[test]
fn mangled_matrices_never_panic() {
    let seeds = ["1, -2.5, 1/3\n0, 4e2, .5\n", "# x\n\n1,2\r\n3,4", "1e-400,9/7\n-0,1e300"];
    let letters: Vec<char> = "0123456789.,,,//--++eE#\n\n\r\t ½\u{feff}x_".chars().collect();
    let mut rng = Rng::new(8);
    let (mut good, mut bad) = (0, 0);
    for round in 0..30_000 {
        let mut text: Vec<char> = seeds[round % seeds.len()].chars().collect();
        for _ in 0..1 + rng.below(5) {
            let at = rng.below(text.len() as u32 + 1) as usize;
            let letter = letters[rng.below(letters.len() as u32) as usize];
            match rng.below(3) {
                0 => text.insert(at, letter),
                1 if at < text.len() => drop(text.remove(at)),
                _ if at < text.len() => text[at] = letter,
                _ => text.truncate(at / 2),
            }
        }
        let text: String = text.into_iter().collect();
        let (float, exact) = (Matrix::read(&text), ExactMatrix::read(&text));
        match (float, exact) {
            (Ok(float), Ok(exact)) => {
                good += 1;
                assert_eq!(exact.rounded().unwrap(), float, "{text:?}");
                let best = solve_exact(&exact);
                let value = best.value.clone();
                assert_eq!(check(&exact, &best.max, &best.min), Ok((value.clone(), value)));
                assert!(solve(&float).gap <= 1e-9 * range(&float));
            }
            (Err(float), Err(exact)) => {
                bad += 1;
                assert_eq!(float, exact);
                assert!(text.get(float.span.clone()).is_some(), "{text:?}: {float:?}");
            }
            (float, exact) => panic!("{text:?}: {float:?}, but {exact:?}"),
        }
    }
    assert!(good > 1000 && bad > 1000, "{good} good, {bad} bad");
}

#[test]
fn what_is_no_matrix_is_refused() {
    assert_eq!(Matrix::new(0, 3, vec![]), Err(MatrixError::Empty));
    assert_eq!(Matrix::new(3, 0, vec![]), Err(MatrixError::Empty));
    assert_eq!(Matrix::new(2, 2, vec![0.0; 3]), Err(MatrixError::Shape { found: 3 }));
    assert_eq!(Matrix::new(usize::MAX, 2, vec![0.0]), Err(MatrixError::Shape { found: 1 }));
    for bad in [f64::NAN, f64::INFINITY, -1e301] {
        let error = Matrix::new(1, 2, vec![0.0, bad]);
        assert_eq!(error, Err(MatrixError::Payoff { row: 0, column: 1 }));
    }
    assert_eq!(ExactMatrix::new(1, 1, &[1], 0), Err(MatrixError::Denominator));
    assert_eq!(ExactMatrix::new(1, 1, &[1], -2).unwrap().at(0, 0), ratio("-1/2"));
    assert!(ExactMatrix::from_ratios(1, 2, &[Ratio::ONE]).is_err());
}

#[test]
fn fractions_and_floating_point_numbers() {
    let mut rng = Rng::new(9);
    for _ in 0..20_000 {
        // All exponents, so the smallest and the largest numbers, too.
        let x = f64::from_bits(rng.bits());
        let Some(exact) = Ratio::from_f64(x) else {
            assert!(!x.is_finite());
            continue;
        };
        assert_eq!(exact.as_f64(), x);
        assert_eq!(exact.to_string().parse(), Ok(exact));
        // Reading and rounding is what everybody's reading does.
        let (a, b) = (rng.bits() as i64, (rng.bits() >> rng.below(60)) as i64 | 1);
        let text = format!("{}.{:018}", a % 1000, b.unsigned_abs() % 1_000_000_000_000_000_000);
        assert_eq!(ratio(&text).as_f64(), text.parse().unwrap(), "{text}");
        let (p, q) = (a >> 12, b >> 12 | 1);
        assert_eq!(Ratio::new(p, q).unwrap().as_f64(), p as f64 / q as f64, "{p}/{q}");
    }
    assert_eq!(Ratio::new(6, -4).unwrap().to_string(), "-3/2");
    assert_eq!(Ratio::new(0, -4), Some(Ratio::ZERO));
    assert_eq!(Ratio::new(1, 0), None);
    assert!(ratio("1/3") < ratio("0.34") && ratio("-1/3") > ratio("-0.34"));
}
