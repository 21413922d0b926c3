//! What a worker has of its browser: a clock, files, and a place to tell of a panic.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use foregone::Clock;
use js_sys::{ArrayBuffer, Function, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::blocks::Source;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn milliseconds() -> f64;

    /// A file of the visitor, or a text that was made here.
    #[derive(Clone, Debug)]
    pub type Blob;
    #[wasm_bindgen(method, getter)]
    fn size(this: &Blob) -> f64;
    #[wasm_bindgen(method)]
    fn slice(this: &Blob, from: f64, to: f64) -> Blob;

    // Workers may wait for a file; pages may not.
    type FileReaderSync;
    #[wasm_bindgen(constructor)]
    fn new() -> FileReaderSync;
    #[wasm_bindgen(method, catch, js_name = readAsArrayBuffer)]
    fn read_as_array_buffer(this: &FileReaderSync, blob: &Blob) -> Result<ArrayBuffer, JsValue>;
}

/// The time since the worker began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageClock;

impl Clock for PageClock {
    fn now(&self) -> Duration {
        Duration::from_secs_f64(milliseconds().max(0.0) / 1000.0)
    }
}

thread_local! {
    /// Files that are open. Nothing of JavaScript may go to another thread, so a text, which might,
    /// holds a number instead.
    static FILES: RefCell<BTreeMap<u64, Blob>> = const { RefCell::new(BTreeMap::new()) };
    static NEXT: Cell<u64> = const { Cell::new(0) };
}

/// A file of the visitor, which stays where it is.
#[derive(Debug)]
pub(crate) struct BlobSource {
    number: u64,
    bytes: u64,
}

impl BlobSource {
    pub(crate) fn new(file: Blob) -> BlobSource {
        let number = NEXT.get();
        NEXT.set(number + 1);
        let bytes = file.size() as u64;
        FILES.with_borrow_mut(|files| files.insert(number, file));
        BlobSource { number, bytes }
    }
}

impl Drop for BlobSource {
    fn drop(&mut self) {
        FILES.with_borrow_mut(|files| files.remove(&self.number));
    }
}

impl Source for BlobSource {
    fn len(&self) -> u64 {
        self.bytes
    }

    fn read(&self, from: u64, to: u64) -> io::Result<Vec<u8>> {
        let gone = || io::Error::other("the file can't be read any more");
        let file = FILES.with_borrow(|files| files.get(&self.number).cloned()).ok_or_else(gone)?;
        let part = file.slice(from as f64, to as f64);
        let read = FileReaderSync::new().read_as_array_buffer(&part).map_err(|_| gone())?;
        Ok(Uint8Array::new(&read).to_vec())
    }
}

/// Tells the message of a panic before the WebAssembly ends.
pub(crate) fn tell_panics(listener: Function) {
    thread_local! {
        static LISTENER: RefCell<Option<Function>> = const { RefCell::new(None) };
    }
    LISTENER.with_borrow_mut(|known| *known = Some(listener));
    std::panic::set_hook(Box::new(|panic| {
        let message = JsValue::from_str(&panic.to_string());
        LISTENER.with_borrow(|listener| {
            if let Some(listener) = listener {
                let _ = listener.call1(&JsValue::NULL, &message);
            }
        });
    }));
}
