//! The files that pages load: scripts, styles, fonts, pictures and the worker. All of them lie under
//! one prefix that the digest of this build makes, so that what a browser keeps is never out of date.

use crate::encoding::Encoding;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use bundle::Embedded;
use http::{HeaderValue, StatusCode, Uri, header};
use sha2::{Digest, Sha256};
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::{env, fs, io};
use tower::ServiceExt;
use tower_http::services::ServeDir;

/// A year: the prefix changes with every build.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// For `cargo leptos watch`, which writes files anew under a program that goes on.
const ASKED_FOR_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

const WORKER_SCRIPT: &str = "sandbox/worker.js";
const WORKER_MODULE: &str = "sandbox/worker.wasm";

/// Bytes of the digest that stand in addresses.
const DIGEST: usize = 10;

#[derive(Clone, Debug)]
pub struct Assets {
    folder: PathBuf,
    build: String,
    caching: HeaderValue,
}

impl Assets {
    /// What lies in the folder, with the worker. Without a folder pages have their worker alone.
    pub fn read(folder: &FilePath) -> io::Result<Self> {
        let mut digest = Sha256::new();
        for path in files(folder)? {
            let name = path.strip_prefix(folder).unwrap_or(&path);
            digest.update(name.as_os_str().as_encoded_bytes());
            digest.update(fs::read(&path)?);
        }
        digest.update(bundle::WORKER_JS.plain);
        digest.update(bundle::WORKER_WASM.plain);
        let build = digest.finalize().iter().take(DIGEST).map(|byte| format!("{byte:02x}")).collect();
        let caching = if env::var_os("LEPTOS_WATCH").is_some() { ASKED_FOR_AGAIN } else { IMMUTABLE };
        Ok(Self { folder: folder.to_owned(), build, caching })
    }

    /// What stands before the path of each file.
    pub fn prefix(&self) -> String {
        format!("/b/{}", self.build)
    }

    async fn file(&self, request: Request) -> Option<Response> {
        let files = ServeDir::new(&self.folder)
            .append_index_html_on_directories(false)
            .precompressed_br()
            .precompressed_gzip();
        let response = files.oneshot(request).await.ok()?;
        let is_found = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
        is_found.then(|| response.map(Body::new))
    }
}

pub async fn serve(
    State(assets): State<Arc<Assets>>,
    Path((build, path)): Path<(String, String)>,
    request: Request,
) -> Response {
    let found = if build == assets.build { find(&assets, &path, request).await } else { None };
    let Some(mut response) = found else {
        return (StatusCode::NOT_FOUND, "There is no such file in this build. Reload the page.\n")
            .into_response();
    };
    response.headers_mut().insert(header::CACHE_CONTROL, assets.caching.clone());
    response
}

async fn find(assets: &Assets, path: &str, request: Request) -> Option<Response> {
    match path {
        WORKER_SCRIPT => Some(embedded(bundle::WORKER_JS, "text/javascript; charset=utf-8", &request)),
        WORKER_MODULE => Some(embedded(bundle::WORKER_WASM, "application/wasm", &request)),
        _ => {
            let mut asked = Request::new(Body::empty());
            *asked.method_mut() = request.method().clone();
            *asked.headers_mut() = request.headers().clone();
            let prefix = assets.prefix();
            *asked.uri_mut() = request.uri().path().strip_prefix(&prefix)?.parse::<Uri>().ok()?;
            let mut response = assets.file(asked).await?;
            response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
            Some(response)
        }
    }
}

/// A file of the program's own, as the request takes it.
pub fn embedded(file: Embedded, kind: &'static str, request: &Request) -> Response {
    let encoding = Encoding::of(request.headers());
    let bytes = match encoding {
        Encoding::Brotli => file.brotli,
        Encoding::Gzip => file.gzip,
        Encoding::Plain => file.plain,
    };
    let mut response = ([(header::CONTENT_TYPE, kind)], bytes).into_response();
    encoding.tell(response.headers_mut());
    response
}

/// The same as the file beside it, compressed.
fn is_squeezed(path: &FilePath) -> bool {
    path.extension().is_some_and(|ending| ending == "br" || ending == "gz")
}

/// Every file below, in an order that does not depend on the machine.
fn files(folder: &FilePath) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if !is_squeezed(&entry.path()) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}
