//! The stretches of a row in Toads and Frogs that have nothing to do with each other.
//!
//! Animals that can never move again are walls if nothing can jump over them. Frogs to the left of all
//! toads never meet them. Squares behind all animals are never reached.

use super::Rules;

/// The row seen from the other side, toads for frogs.
pub(super) fn mirrored(row: &[char]) -> Vec<char> {
    let other = |&symbol: &char| match symbol {
        'x' => 'o',
        'o' => 'x',
        empty => empty,
    };
    row.iter().rev().map(other).collect()
}

/// The stretches of a row of `.`, `x` and `o` between two walls.
pub(super) fn of(row: &[char], rules: &Rules) -> Vec<Vec<char>> {
    let mut parts = Vec::new();
    let mut todo = vec![row.to_vec()];
    while let Some(row) = todo.pop() {
        let pieces = once(&row, rules);
        match &pieces[..] {
            [piece] if *piece == row => parts.push(row),
            _ => todo.extend(pieces.into_iter().filter(|piece| !piece.is_empty())),
        }
    }
    parts
}

/// One step: the row itself, or what it falls into.
fn once(row: &[char], rules: &Rules) -> Vec<Vec<char>> {
    let walls = walls(row, rules);
    if walls.contains(&true) {
        let cells: Vec<(char, bool)> = row.iter().copied().zip(walls).collect();
        let pieces = cells.split(|&(_, wall)| wall);
        return pieces.map(|piece| piece.iter().map(|&(symbol, _)| symbol).collect()).collect();
    }
    let first_toad = row.iter().position(|&symbol| symbol == 'x');
    let last_frog = row.iter().rposition(|&symbol| symbol == 'o');
    match (first_toad, last_frog) {
        (None, None) => Vec::new(),
        (Some(toad), None) => vec![row[toad..].to_vec()],
        (None, Some(frog)) => vec![row[..=frog].to_vec()],
        (Some(toad), Some(frog)) if frog < toad => {
            vec![row[..=frog].to_vec(), row[toad..].to_vec()]
        }
        _ => vec![row.to_vec()],
    }
}

/// The animals that never move again and that nothing ever jumps over.
fn walls(row: &[char], rules: &Rules) -> Vec<bool> {
    let mut stuck: Vec<bool> = row.iter().map(|&symbol| symbol != '.').collect();
    // All that stand may be stuck, but for those that can get away if the others stay.
    loop {
        let before = stuck.clone();
        for at in 0..row.len() {
            stuck[at] = before[at] && !may_move(row, &before, at, rules);
        }
        if stuck == before {
            break;
        }
    }
    let mut walls = stuck.clone();
    let mut start = 0;
    while start < row.len() {
        if !stuck[start] {
            start += 1;
            continue;
        }
        let length = stuck[start..].iter().take_while(|&&stuck| stuck).count();
        let end = start + length;
        let crossed = start > 0
            && end < row.len()
            && ['x', 'o'].iter().any(|&kind| may_cross(&row[start..end], kind, rules));
        walls[start..end].fill(!crossed);
        start = end;
    }
    walls
}

/// Whether an animal can ever move while those that are stuck stay where they are: what is not stuck
/// may be anywhere, or gone.
fn may_move(row: &[char], stuck: &[bool], at: usize, rules: &Rules) -> bool {
    let ahead: Vec<usize> = match row[at] {
        'x' => (at + 1..row.len()).collect(),
        _ => (0..at).rev().collect(),
    };
    let run: Vec<char> =
        ahead.iter().take_while(|&&square| stuck[square]).map(|&square| row[square]).collect();
    run.len() < ahead.len() && (run.is_empty() || may_cross(&run, row[at], rules))
}

/// Whether an animal of a kind may jump over these, or over them and others.
fn may_cross(stuck: &[char], kind: char, rules: &Rules) -> bool {
    stuck.len() <= rules.jump as usize && (rules.friendly || !stuck.contains(&kind))
}
