//! Laws of numberings: what a game must keep for its tables to be right.

use std::collections::{BTreeSet, HashSet};

use foregone_model::rows::{Exit, Plane, RowMoves};
use foregone_model::tabled::{PlainMoves, Unmove};
use foregone_model::{Class, ClassMoves, Node, Outcome, Place, Side, Step, Tabled, Turn};

type StepKey = (u16, bool, i16, u64);

fn key(step: &Step) -> StepKey {
    (step.slot, step.flip, step.shift, step.index)
}

/// A number stands for one position, the quick moves are those of the rules, and moves taken back are
/// moves. `numbers` are the numbers that are looked at; taking back is tested where these are all.
pub(crate) fn numbers_are_positions<G: Tabled>(
    game: &G,
    class: Class,
    numbers: impl Iterator<Item = u64>,
) {
    let name = game.class_name(class);
    let (plain, quick) = (PlainMoves::new(game, class), game.class_moves(class));
    assert_eq!(quick.size(), game.size(class), "{name}");
    let (mut looked, mut back) = (0, HashSet::new());
    let (mut by_rules, mut by_numbers) = (Vec::new(), Vec::new());
    for index in numbers {
        looked += 1;
        if let Some(s) = game.position(class, index) {
            assert_eq!(game.place(&s), Some(Place::new(class, index)), "{name} {index} {s:?}");
        }
        by_rules.clear();
        by_numbers.clear();
        let node = plain.look(index, &mut by_rules);
        assert_eq!(quick.look(index, &mut by_numbers), node, "{name} {index}");
        let sets = [&by_rules, &by_numbers].map(|s| s.iter().map(key).collect::<BTreeSet<_>>());
        assert_eq!(sets[0], sets[1], "{name} {index} {:?}", game.position(class, index));
        if let Node::Choice(side) = node {
            assert_eq!(quick.mover(index), side, "{name} {index}");
        }
        by_numbers.clear();
        let (again, within) = quick.exits(index, &mut by_numbers);
        assert_eq!(again, node, "{name} {index}");
        assert_eq!(within, sets[0].iter().any(|step| step.0 == 0), "{name} {index}");
        let exits: BTreeSet<StepKey> = by_numbers.iter().map(key).collect();
        assert_eq!(exits, sets[0].iter().copied().filter(|step| step.0 != 0).collect());
        for step in by_rules.iter().filter(|step| step.slot == 0) {
            // Nothing is scored within a class.
            assert_eq!(step.shift, 0, "{name} {index}");
            back.insert((step.index, index, step.flip));
        }
    }
    if quick.takes_back() && looked == game.size(class) {
        let mut found = HashSet::new();
        let mut unmoves: Vec<Unmove> = Vec::new();
        for index in 0..game.size(class) {
            if game.position(class, index).is_some() {
                unmoves.clear();
                quick.predecessors(index, &mut unmoves);
                found.extend(unmoves.iter().map(|m| (index, m.index, m.flip)));
            }
        }
        let mut wrong: Vec<_> = found.symmetric_difference(&back).copied().collect();
        wrong.sort_unstable();
        assert!(wrong.is_empty(), "{name}: {} of {}: {:?}", wrong.len(), back.len(), wrong[0]);
    }
}

/// Moves by rows are those of the rules: to other classes, within the class to any position of a set,
/// and taken back from such a set. Of all rows, one in `every` is compared; the rest are worked on,
/// too.
pub(crate) fn rows_are_moves<G: Tabled>(game: &G, class: Class, every: u64) {
    let name = game.class_name(class);
    let (plain, quick) = (PlainMoves::new(game, class), game.class_moves(class));
    let rows = quick.by_rows().unwrap_or_else(|| panic!("{name} has no rows"));
    let mut seen = HashSet::new();
    // Sets that are thin, so that most moves lead elsewhere, and thick.
    for (turn, one_in) in [23, 2].into_iter().enumerate() {
        let chosen = |index: u64| {
            ((index ^ 5).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32).is_multiple_of(one_in)
        };
        let [all, some, before] = [(); 3].map(|()| Plane::new(rows.rows()));
        let mut numbers = [0; 64];
        for row in 0..rows.rows() {
            let set = rows.positions(row);
            rows.numbers(row, set, &mut numbers);
            all.set(row, set);
            some.set(row, places(set).filter(|&at| chosen(numbers[at])).map(|at| 1 << at).sum());
            if every == 1 {
                seen.extend(places(set).map(|at| numbers[at]));
            }
        }
        for row in 0..rows.rows() {
            rows.add_before(row, some.get(row), &all, &before);
        }
        let mut steps = Vec::new();
        for row in (turn as u64 * every / 2..rows.rows()).step_by(every as usize) {
            let set = all.get(row);
            rows.numbers(row, set, &mut numbers);
            let mut leading = 0;
            for at in places(set) {
                steps.clear();
                let node = plain.look(numbers[at], &mut steps);
                row_agrees(game, class, rows, (row, at), node, &steps);
                if steps.iter().any(|step| step.slot == 0 && chosen(step.index)) {
                    leading |= 1 << at;
                }
            }
            assert_eq!(rows.leading_to(row, set, &some), leading, "{name} row {row}");
            assert_eq!(before.get(row), leading, "{name} row {row}, taken back");
            // Asked of some positions only, it answers of these only.
            let part = set & 0x5555_3333_0f0f_00ff;
            assert_eq!(rows.leading_to(row, part, &some), leading & part, "{name} row {row}");
        }
    }
    if every == 1 {
        let positions = (0..game.size(class)).filter(|&i| game.position(class, i).is_some());
        assert_eq!(seen, positions.collect(), "{name}");
    }
}

fn places(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |at| set >> at & 1 == 1)
}

/// A place of a row is what the rules make it: its exits, and its outcome if it has no moves.
pub(crate) fn row_agrees<G: Tabled>(
    game: &G,
    class: Class,
    rows: &dyn RowMoves,
    (row, at): (u64, usize),
    node: Node,
    steps: &[Step],
) {
    let name = game.class_name(class);
    let below = game.leads_to(class);
    let mover = rows.mover(row);
    match node {
        Node::Hole => panic!("{name} row {row} place {at}: a hole"),
        Node::Choice(side) => assert_eq!(side, mover, "{name} row {row}"),
        Node::Over(outcome) => {
            let lost = if mover == Side::Max { Outcome(0) } else { game.scale().best() };
            let is_lost = rows.lost_without_move(row, 1 << at) != 0;
            assert_eq!(is_lost, outcome == lost, "{name} row {row} place {at}");
        }
    }
    let mut found = BTreeSet::new();
    rows.exits(row, 1 << at, &mut |exit: Exit| {
        assert_eq!(exit.positions, 1 << at);
        if game.position(below[usize::from(exit.slot) - 1], exit.index).is_some() {
            found.insert((exit.slot, exit.index, exit.mover == Side::Max));
        }
    });
    let exits = steps.iter().filter(|step| step.slot != 0);
    let expected: BTreeSet<_> =
        exits.map(|s| (s.slot, s.index, (mover == Side::Max) != s.flip)).collect();
    assert_eq!(found, expected, "{name} row {row} place {at}");
}

/// A position and the one in the table that stands for it are the same game: who moves, the outcome
/// and where the moves lead are the same, players exchanged and outcomes shifted as the place says.
pub(crate) fn places_are_equivalent<G: Tabled>(game: &G, s: &G::State) {
    let place = game.place(s).unwrap_or_else(|| panic!("{s:?} is in no class"));
    let there = game.position(place.class, place.index);
    let there = there.unwrap_or_else(|| panic!("{s:?} stands at a hole, {place:?}"));
    let best = game.scale().best();
    match (game.turn(s), game.turn(&there)) {
        (Turn::Over, Turn::Over) => {
            assert_eq!(Some(game.outcome(s)), place.outcome(game.outcome(&there), best), "{s:?}");
        }
        (Turn::Agent(here), Turn::Agent(other)) => {
            assert_eq!(Side::of(here) != Side::of(other), place.flip, "{s:?}");
            let leads = |s: &G::State, agent| {
                let mut moves = Vec::new();
                game.moves(s, agent, &mut moves);
                let after = |m| {
                    let mut next = s.clone();
                    game.play(&mut next, agent, m);
                    game.place(&next).unwrap_or_else(|| panic!("{next:?} is in no class"))
                };
                moves.into_iter().map(after).collect::<Vec<Place>>()
            };
            // A move there, seen from here.
            let seen = |p: Place| {
                let shift = if place.flip { -p.shift } else { p.shift } + place.shift;
                (p.class, p.index, p.flip != place.flip, shift)
            };
            let here: BTreeSet<_> =
                leads(s, here).iter().map(|p| (p.class, p.index, p.flip, p.shift)).collect();
            let there: BTreeSet<_> = leads(&there, other).into_iter().map(seen).collect();
            assert_eq!(here, there, "{s:?} {place:?}");
        }
        turns => panic!("{s:?}: {turns:?}"),
    }
}
