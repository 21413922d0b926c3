//! The runtime that does the waiting, so that callers stay synchronous.

use std::future::Future;
use std::sync::mpsc;
use std::time::Duration;

use crate::{ClusterError, Result};

/// A runtime in threads of its own. It may be used and dropped anywhere, in tasks of another runtime, too.
pub(crate) struct Engine {
    runtime: Option<tokio::runtime::Runtime>,
}

impl Engine {
    pub(crate) fn start() -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("cluster")
            .enable_all()
            .build()
            .map_err(|error| ClusterError::server("starting threads for the network", error))?;
        Ok(Self { runtime: Some(runtime) })
    }

    /// Lets something run until the engine is dropped.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.runtime {
            runtime.spawn(task);
        }
    }

    /// For who calls from a thread that may outlive the engine.
    pub(crate) fn caller(&self) -> Option<Caller> {
        self.runtime.as_ref().map(|runtime| Caller(runtime.handle().clone()))
    }

    /// Runs something to its end, but not longer than the limit.
    pub(crate) fn call<T: Send + 'static>(
        &self,
        what: &str,
        limit: Duration,
        task: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        match self.caller() {
            Some(caller) => caller.call(what, limit, task),
            None => Err(late(what, limit)),
        }
    }
}

fn late(what: &str, limit: Duration) -> ClusterError {
    ClusterError::Timeout { what: what.to_owned(), seconds: limit.as_secs() }
}

/// Runs things in an engine. When that is gone, nothing comes of them.
#[derive(Clone)]
pub(crate) struct Caller(tokio::runtime::Handle);

impl Caller {
    /// Runs something to its end, but not longer than the limit.
    pub(crate) fn call<T: Send + 'static>(
        &self,
        what: &str,
        limit: Duration,
        task: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        let (sender, receiver) = mpsc::sync_channel(1);
        self.0.spawn(async move {
            // Nobody listens any more if the caller's own limit came first.
            let _ = sender.send(tokio::time::timeout(limit, task).await);
        });
        match receiver.recv_timeout(limit + Duration::from_secs(2)) {
            Ok(Ok(result)) => result,
            _ => Err(late(what, limit)),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
