//! The process as the operating system sees it: memory above all.

use std::path::Path;

/// What stands behind a key of a file of the proc file system.
fn entry(file: &str, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(Path::new(file)).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(key))?;
    Some(line.trim().to_owned())
}

/// The number of kilobytes behind a key.
fn kilobytes(file: &str, key: &str) -> Option<u64> {
    entry(file, key)?.strip_suffix("kB")?.trim().parse().ok()
}

/// What the operating system says of the process behind a key, where it tells.
#[cfg(unix)]
pub(crate) fn status_of_process(key: &str) -> Option<String> {
    entry("/proc/self/status", key)
}

/// The most memory that the process held, as the operating system sees it, where it tells.
pub(crate) fn peak_bytes_of_process() -> Option<u64> {
    kilobytes("/proc/self/status", "VmHWM:").map(|k| k * 1024)
}

/// The memory that the process holds, as the operating system sees it, where it tells.
pub(crate) fn bytes_of_process() -> Option<u64> {
    kilobytes("/proc/self/status", "VmRSS:").map(|k| k * 1024)
}

/// The memory that is free, where the operating system tells.
pub(crate) fn free_bytes() -> Option<u64> {
    kilobytes("/proc/meminfo", "MemAvailable:").map(|k| k * 1024)
}

/// Three quarters of the memory that is free; a modest guess where the system does not tell.
pub fn memory_to_use() -> u64 {
    free_bytes().map_or(2 << 30, |free| free / 4 * 3)
}

/// The time that the processor has spent on this process, where the operating system tells.
#[cfg(feature = "serve")]
pub(crate) fn cpu_time() -> Option<std::time::Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program stands in brackets and may hold anything.
    let (_, behind) = text.rsplit_once(')')?;
    let ticks = |at: usize| behind.split_whitespace().nth(at)?.parse::<u64>().ok();
    // A tick is a hundredth of a second wherever Linux runs.
    Some(std::time::Duration::from_millis((ticks(11)? + ticks(12)?) * 10))
}
