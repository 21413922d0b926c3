//! Memory as the operating system sees it.

use std::path::Path;

/// The number of kilobytes behind a key of a file of the proc file system.
fn kilobytes(file: &str, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(Path::new(file)).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(key))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The most memory that the process held, as the operating system sees it, where it tells.
pub(crate) fn peak_bytes_of_process() -> Option<u64> {
    kilobytes("/proc/self/status", "VmHWM:").map(|k| k * 1024)
}

/// The memory that the process holds, as the operating system sees it, where it tells.
pub(crate) fn bytes_of_process() -> Option<u64> {
    kilobytes("/proc/self/status", "VmRSS:").map(|k| k * 1024)
}

/// Three quarters of the memory that is free; a modest guess where the system does not tell.
pub(crate) fn memory_to_use() -> u64 {
    kilobytes("/proc/meminfo", "MemAvailable:").map_or(2 << 30, |k| k * 1024 / 4 * 3)
}
