//! Connections: how many, and how long each may take to say something.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use crate::Patience;
use crate::patient::Patient;

/// Connections at a time; further ones wait until one is closed.
const MOST_CONNECTIONS: usize = 1100;
/// Lines of a request's head, and bytes of it.
const MOST_HEADERS: usize = 64;
const LONGEST_HEAD: usize = 32 << 10;
/// How long to wait when the system has no more connections to give.
const BREATH: Duration = Duration::from_millis(50);

/// Takes connections for ever.
pub(crate) async fn accept(listener: TcpListener, router: Router, patience: Patience) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let router = router.clone();
                tokio::spawn(async move {
                    serve(stream, router, patience).await;
                    drop(place);
                });
            }
            // A connection that broke before it began, or too many open files: others go on.
            Err(_) => tokio::time::sleep(BREATH).await,
        }
    }
}

/// Answers what comes on a connection.
async fn serve(stream: TcpStream, router: Router, patience: Patience) {
    // Events are small, and are to be seen at once.
    let _ = stream.set_nodelay(true);
    let stream = TokioIo::new(Patient::new(stream, patience.reading));
    // What goes wrong on a connection concerns nobody but the other end, and it is gone.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience.arrival)
        .max_headers(MOST_HEADERS)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(stream, TowerToHyperService::new(router))
        .await;
}
