//! Solver, checker and proof explorer in a browser's worker: the requests of `foregone-desk`, carried
//! by calls from JavaScript instead of HTTP. `web/src/backend/worker-main.ts` is what calls, and
//! `cargo xtask site` makes a site of it.
//!
//! Nothing runs beside anything else here: a call ends before the next one begins, and long work tells
//! what happens by a function that it is handed. It is ended by ending the worker.
//!
//! Certificate files are never held in memory. They are read where they are, a block at a time
//! ([`Blocks`]), as large as they may be.

mod blocks;
mod browser;
mod site;

pub use blocks::{Blocks, Source};
pub use site::{Role, Site};

use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use browser::{Blob, BlobSource, PageClock};
use foregone_desk::Failure;

thread_local! {
    static SITE: std::cell::OnceCell<Site> = const { std::cell::OnceCell::new() };
}

/// Does something with the site of this worker.
fn with_site<T>(take: impl FnOnce(&Site) -> T) -> T {
    SITE.with(|site| take(site.get_or_init(|| Site::new(PageClock, Role::Answers))))
}

/// Begins: says what this worker is for (`answers` or `work`), and which function hears the message of a
/// panic. Nothing can be asked any more after one.
#[wasm_bindgen]
pub fn start(role: &str, on_panic: Function) {
    browser::tell_panics(on_panic);
    let role = if role == "work" { Role::Work } else { Role::Answers };
    SITE.with(|site| {
        // A worker starts once. If it is told twice, the first word counts.
        let _ = site.set(Site::new(PageClock, role));
    });
}

/// Answers a short request, JSON in and out. A failure is thrown as JSON.
#[wasm_bindgen]
pub fn answer(name: &str, body: &str) -> Result<String, JsValue> {
    with_site(|site| site.answer(name, body)).map_err(|failure| thrown(&failure))
}

/// Does long work, which is JSON. Each event is told as JSON; after the last one it returns.
#[wasm_bindgen]
pub fn work(work: &str, on_event: &Function) {
    with_site(|site| {
        site.work(work, &mut |event| {
            // A page that fails to hear of an event does not end the work.
            let _ = on_event.call1(&JsValue::NULL, &JsValue::from_str(&event));
        });
    });
}

/// Opens a certificate file, which stays where it is: its handle, as JSON.
#[wasm_bindgen]
pub fn open_proof(file: Blob) -> Result<String, JsValue> {
    with_site(|site| site.open(BlobSource::new(file))).map_err(|failure| thrown(&failure))
}

/// Goes on with the index of a proof for about so many bytes; whether it is complete.
#[wasm_bindgen]
pub fn index_more(proof: &str, bytes: u32) -> Result<bool, JsValue> {
    with_site(|site| site.index_more(proof, bytes.into())).map_err(|failure| thrown(&failure))
}

/// A part of a proof's text from this byte on, some megabytes at most; nothing behind its end.
#[wasm_bindgen]
pub fn proof_part(proof: &str, from: f64) -> Result<Vec<u8>, JsValue> {
    with_site(|site| site.part(proof, from as u64)).map_err(|failure| thrown(&failure))
}

fn thrown(failure: &Failure) -> JsValue {
    JsValue::from_str(&site::written(failure))
}
