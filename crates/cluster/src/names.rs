//! Names of streams, subjects, buckets and keys of a solve. All of them begin with one prefix.

use sha2::{Digest, Sha256};

use crate::{ClusterError, Result};

/// The bucket of all solves under a prefix, and keys in it.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    prefix: String,
}

/// The names of one solve.
#[derive(Clone, Debug)]
pub(crate) struct SolveNames {
    prefix: String,
    id: String,
}

impl Names {
    pub(crate) fn new(prefix: &str) -> Result<Self> {
        check(prefix)?;
        Ok(Self { prefix: prefix.to_owned() })
    }

    /// The names of one solve.
    pub(crate) fn solve(&self, id: &str) -> Result<SolveNames> {
        check(id)?;
        Ok(SolveNames { prefix: self.prefix.clone(), id: id.to_owned() })
    }

    /// The key-value bucket of all solves.
    pub(crate) fn bucket(&self) -> String {
        self.prefix.clone()
    }

    /// What the subjects of the keys of one kind begin with, in the bucket's stream.
    pub(crate) fn keys(&self, kind: &str) -> String {
        format!("$KV.{}.{kind}.", self.prefix)
    }
}

impl SolveNames {
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn jobs_stream(&self, epoch: u64) -> String {
        format!("{}_{}_jobs_{epoch}", self.prefix, self.id)
    }

    pub(crate) fn jobs_subjects(&self, epoch: u64) -> String {
        format!("{}.{}.jobs.{epoch}.", self.prefix, self.id)
    }

    pub(crate) fn job(&self, epoch: u64, job: u64) -> String {
        format!("{}{job}", self.jobs_subjects(epoch))
    }

    pub(crate) fn results_stream(&self) -> String {
        format!("{}_{}_results", self.prefix, self.id)
    }

    pub(crate) fn results(&self) -> String {
        format!("{}.{}.results", self.prefix, self.id)
    }

    /// Plain messages of workers to the coordinator.
    pub(crate) fn news(&self) -> String {
        format!("{}.{}.news", self.prefix, self.id)
    }

    /// Plain messages of the coordinator to workers.
    pub(crate) fn control(&self) -> String {
        format!("{}.{}.control", self.prefix, self.id)
    }

    /// Where a live coordinator answers.
    pub(crate) fn ping(&self) -> String {
        format!("{}.{}.ping", self.prefix, self.id)
    }

    /// The object store of the solve.
    pub(crate) fn blobs(&self) -> String {
        format!("{}_{}", self.prefix, self.id)
    }

    /// A key of the bucket: `live`, `lease`, `status`, `cancel` or `done`.
    pub(crate) fn key(&self, kind: &str) -> String {
        format!("{kind}.{}", self.id)
    }

    /// The subject of that key.
    pub(crate) fn key_subject(&self, kind: &str) -> String {
        format!("$KV.{}.{kind}.{}", self.prefix, self.id)
    }
}

/// The consumer that all workers share.
pub(crate) const CONSUMER: &str = "workers";

/// Names become parts of subjects, file names and stream names.
fn check(id: &str) -> Result<()> {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match !id.is_empty() && id.len() <= 64 && id.chars().all(good) {
        true => Ok(()),
        false => Err(ClusterError::BadId { id: id.chars().take(80).collect() }),
    }
}

/// A number that tells contents apart.
pub(crate) fn digest(payload: &[u8]) -> u64 {
    let hash = Sha256::digest(payload);
    hash.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// A name that nobody else has; no secret.
pub(crate) fn unique() -> String {
    use std::hash::{BuildHasher, Hasher};
    let number = || std::hash::RandomState::new().build_hasher().finish();
    format!("{:08x}{:08x}", number() >> 32, std::process::id() ^ (number() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leaves_its_place() {
        let names = Names::new("foregone").unwrap();
        for bad in ["", "a.b", "a b", "*", ">", "a/b", "ä", &"x".repeat(65)] {
            assert!(names.solve(bad).is_err(), "{bad:?}");
        }
        assert_eq!(names.solve("c4-7x6").unwrap().job(3, 17), "foregone.c4-7x6.jobs.3.17");
        assert_ne!(unique(), unique());
        assert_ne!(digest(b"a"), digest(b"b"));
    }
}
