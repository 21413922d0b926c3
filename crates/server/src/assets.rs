//! The files of the page. They are in the program: nothing is read from a disk.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::Write;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Paths, kinds and bytes.
const FILES: [(&str, &str, &[u8]); 5] = [
    ("/", "text/html; charset=utf-8", include_bytes!("../assets/index.html")),
    ("/app.js", "text/javascript; charset=utf-8", include_bytes!("../assets/app.js")),
    ("/app.css", "text/css; charset=utf-8", include_bytes!("../assets/app.css")),
    ("/samples.json", "application/json", include_bytes!("../assets/samples.json")),
    ("/favicon.svg", "image/svg+xml", include_bytes!("../assets/favicon.svg")),
];

/// A file of the page.
struct Asset {
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
    /// The same in a third of the bytes, made once.
    packed: Bytes,
    tag: HeaderValue,
}

/// The files of the page.
pub(crate) struct Assets(Vec<Asset>);

impl Assets {
    pub(crate) fn new() -> Assets {
        let assets = FILES.iter().map(|&(path, kind, bytes)| {
            let mut hasher = DefaultHasher::new();
            bytes.hash(&mut hasher);
            let tag = format!("\"{:016x}\"", hasher.finish());
            let tag = HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\""));
            Asset { path, kind, bytes, packed: packed(bytes), tag }
        });
        Assets(assets.collect())
    }

    /// The file of this path, or only that it is still the same.
    pub(crate) fn answer(&self, path: &str, asked: &HeaderMap) -> Option<Response> {
        let path = if path == "/index.html" { "/" } else { path };
        let asset = self.0.iter().find(|asset| asset.path == path)?;
        let known = asked.get(header::IF_NONE_MATCH).is_some_and(|tag| tag == asset.tag);
        let packs = asked.get_all(header::ACCEPT_ENCODING).iter().any(|value| {
            let mut words = value.to_str().unwrap_or_default().split(',').map(str::trim);
            words.any(|word| word == "gzip")
        });
        let packs = packs && !asset.packed.is_empty();
        let mut response = match (known, packs) {
            (true, _) => Response::new(Body::empty()),
            (false, true) => Response::new(Body::from(asset.packed.clone())),
            (false, false) => Response::new(Body::from(asset.bytes)),
        };
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let headers = response.headers_mut();
        headers.insert(header::ETAG, asset.tag.clone());
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if packs && !known {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        Some(response)
    }
}

/// A file as browsers unpack it; nothing where that can't be made.
fn packed(bytes: &[u8]) -> Bytes {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let packed = packer.write_all(bytes).and_then(|()| packer.finish());
    packed.map(Bytes::from).unwrap_or_default()
}
