//! A folder for files that nobody needs when the worker has ended.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// What names of such folders begin with.
const NAME: &str = "foregone-worker-";
/// A file in each, locked as long as its worker lives.
const LOCK: &str = "lock";

/// A folder of this process among the temporary ones, made when it is asked for.
#[derive(Default)]
pub(super) struct Scratch(Mutex<Option<(PathBuf, File)>>);

impl Scratch {
    fn inside(&self) -> MutexGuard<'_, Option<(PathBuf, File)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder. Those of workers that were killed are removed before it is made.
    pub(super) fn folder(&self) -> Result<PathBuf, String> {
        let mut inside = self.inside();
        if let Some((path, _)) = &*inside {
            return Ok(path.clone());
        }
        let all = std::env::temp_dir();
        for left in fs::read_dir(&all).into_iter().flatten().flatten() {
            if left.file_name().to_string_lossy().starts_with(NAME) {
                remove_if_dead(&left.path());
            }
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let path = all.join(format!("{NAME}{}-{:x}", std::process::id(), now.as_nanos()));
        let made = fs::create_dir(&path)
            .and_then(|()| File::create(path.join(LOCK)))
            .and_then(|lock| lock.lock().map(|()| lock));
        let lock =
            made.map_err(|e| format!("{} can't be made: {}", path.display(), foregone::plain(&e)))?;
        *inside = Some((path.clone(), lock));
        Ok(path)
    }

    /// Removes it with all that is in it.
    pub(super) fn remove(&self) {
        if let Some((path, _)) = self.inside().take() {
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// Removes a folder whose lock nobody holds.
fn remove_if_dead(path: &Path) {
    if File::open(path.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok()) {
        let _ = fs::remove_dir_all(path);
    }
}
