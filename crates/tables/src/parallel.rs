//! Work that is spread over threads.

use std::ops::Range;

/// As many threads as the machine has cores, one where there are no threads.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The results of `f` for all numbers of a range, in order, by so many threads: each takes a range.
pub(crate) fn map<T: Send>(
    threads: usize,
    range: Range<u64>,
    f: impl Fn(u64) -> T + Sync,
) -> Vec<T> {
    let share = (range.end - range.start).div_ceil(threads as u64).max(1);
    let part = |thread: u64| {
        let from = (range.start + thread * share).min(range.end);
        (from..(from + share).min(range.end)).map(&f).collect::<Vec<T>>()
    };
    std::thread::scope(|scope| {
        let part = &part;
        let others: Vec<_> =
            (1..threads as u64).map(|thread| scope.spawn(move || part(thread))).collect();
        let mut results = part(0);
        for other in others {
            match other.join() {
                Ok(part) => results.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}
