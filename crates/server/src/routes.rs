//! Which request goes where.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{get, post};
use foregone_desk::{Failure, More, Work};

use crate::refusal::{Refusal, json};
use crate::short::Weight;
use crate::{Shared, events, guard, proofs};

/// Bytes of a request: rules of 8 MiB, and what stands around them.
const LONGEST_REQUEST: u64 = 9 << 20;

/// All routes.
pub(crate) fn router(shared: &Arc<Shared>) -> Router {
    Router::new()
        .route("/api/{name}", post(answer))
        .route("/api/work", post(work))
        .route("/api/work/{id}/events", get(listen))
        .route("/api/work/{id}/stop", post(stop))
        .route("/api/work/{id}/more", post(more))
        .route("/api/proofs", post(proofs::upload))
        .route("/api/proofs/{proof}", get(proofs::download))
        .fallback(asset)
        .method_not_allowed_fallback(wrong_method)
        // Bodies are read here, with limits of their own.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(Arc::clone(shared), guard::watch))
        .with_state(Arc::clone(shared))
}

/// A file of the page.
async fn asset(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let found = shared.assets.answer(uri.path(), &headers);
    let found = found.ok_or_else(|| Failure::gone("there is nothing of that name here"))?;
    match method == Method::GET || method == Method::HEAD {
        true => Ok(found),
        false => Err(wrong_method().await),
    }
}

async fn wrong_method() -> Refusal {
    let failure = Failure::input("this is not asked in that way");
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, failure)
}

/// The text of a request.
async fn text(shared: &Shared, headers: &HeaderMap, body: Body) -> Result<String, Refusal> {
    if proofs::announced(headers) > LONGEST_REQUEST {
        return Err(Refusal::too_large(LONGEST_REQUEST));
    }
    let patience = shared.patience.arrival;
    let mut held = shared.bodies.hold();
    let take = |bytes| held.take(bytes);
    let bytes = proofs::collected(body, LONGEST_REQUEST, patience, patience, take).await?;
    String::from_utf8(bytes).map_err(|_| Failure::input("the request is not text").into())
}

/// A request in JSON.
fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Refusal> {
    serde_json::from_str(text).map_err(|error| Failure::from(error).into())
}

/// A short request.
async fn answer(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    let text = text(&shared, &headers, body).await?;
    let desk = Arc::clone(&shared.desk);
    let weight = Weight::of(&name);
    Ok(json(shared.short.run(weight, move || desk.answer(&name, &text)).await??))
}

/// Long work.
async fn work(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    let text = text(&shared, &headers, body).await?;
    let work: Work = read(&text)?;
    let id = shared.jobs.begin(work)?;
    Ok(json(serde_json::json!({ "id": id }).to_string()))
}

async fn listen(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let mailbox = shared.jobs.find(&id)?;
    Ok(events::stream(&mailbox, &headers, shared.patience.silence))
}

async fn stop(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let mailbox = shared.jobs.find(&id)?;
    shared.jobs.stop(&mailbox);
    Ok(json("{}".to_owned()))
}

async fn more(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    let text = text(&shared, &headers, body).await?;
    let more: More = read(&text)?;
    shared.jobs.find(&id)?.more(more);
    Ok(json("{}".to_owned()))
}
