//! The files that pages load: scripts, styles, fonts, pictures and the worker. All of them lie under
//! one prefix that the digest of this build makes, so that what a browser keeps is never out of date.
//! They come from a folder, or from the end of the program itself.

mod carried;
mod folder;

pub use carried::pack;

use crate::encoding::Encoding;
use app::context::SplitManifest;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use bundle::Embedded;
use carried::Carried;
use folder::Folder;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use sha2::{Digest, Sha256};
use std::path::Path as FilePath;
use std::sync::Arc;
use std::{env, io};

/// A year: the prefix changes with every build.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// For `cargo leptos watch`, which writes files anew under a program that goes on.
const ASKED_FOR_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

const WORKER_SCRIPT: &str = "sandbox/worker.js";
const WORKER_MODULE: &str = "sandbox/worker.wasm";

/// Bytes of the digest that stand in addresses.
const DIGEST: usize = 10;

/// Where the parts of the browser's program are listed that pages load when they need them.
const SPLIT_MANIFEST: &str = "pkg/__wasm_split_manifest.json";

#[derive(Debug)]
pub struct Assets {
    files: Files,
    build: String,
    caching: HeaderValue,
    parts: Option<SplitManifest>,
}

#[derive(Debug)]
enum Files {
    Folder(Folder),
    Carried(Carried),
}

impl Assets {
    /// What lies in the folder, or else what the program carries, or else what a build left here; and
    /// the worker. Without any of them pages have their worker alone.
    pub fn find(folder: Option<&FilePath>) -> io::Result<Self> {
        let carried = if folder.is_none() { Carried::read(&env::current_exe()?)? } else { None };
        let files = match carried {
            Some(carried) => Files::Carried(carried),
            None => Files::Folder(Folder::new(folder.unwrap_or(FilePath::new("target/site")))),
        };
        let mut digest = Sha256::new();
        files.each(&mut |name, bytes| {
            digest.update(name);
            digest.update(bytes);
        })?;
        digest.update(bundle::WORKER_JS.plain);
        digest.update(bundle::WORKER_WASM.plain);
        let build = digest.finalize().iter().take(DIGEST).map(|byte| format!("{byte:02x}")).collect();
        let caching = if env::var_os("LEPTOS_WATCH").is_some() { ASKED_FOR_AGAIN } else { IMMUTABLE };
        let parts = files.whole(SPLIT_MANIFEST)?;
        let parts = parts.map(|json| serde_json::from_slice(&json).map(Arc::new)).transpose()?;
        Ok(Self { files, build, caching, parts: parts.map(SplitManifest) })
    }

    /// The name of this build: a digest of its files.
    pub fn build(&self) -> &str {
        &self.build
    }

    /// The build whose file this is the path of, if it may be another one than this.
    pub fn other_build<'p>(&self, path: &'p str) -> Option<&'p str> {
        let (build, _) = path.strip_prefix("/b/")?.split_once('/')?;
        let is_name = build.len() == 2 * DIGEST && build.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_name && build != self.build).then_some(build)
    }

    /// What stands before the path of each file.
    pub fn prefix(&self) -> String {
        format!("/b/{}", self.build)
    }

    /// The parts that the browser's program comes in, if this build has any.
    pub fn parts(&self) -> Option<SplitManifest> {
        self.parts.clone()
    }
}

impl Files {
    /// Names and bytes of all of them but for what is another one compressed, in an order that does not
    /// depend on the machine.
    fn each(&self, see: &mut impl FnMut(&[u8], &[u8])) -> io::Result<()> {
        match self {
            Self::Folder(folder) => folder.each(see),
            Self::Carried(carried) => {
                carried.each(see);
                Ok(())
            }
        }
    }

    fn whole(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match self {
            Self::Folder(folder) => folder.whole(name),
            Self::Carried(carried) => Ok(carried.whole(name)),
        }
    }

    async fn answer(&self, path: &str, method: Method, headers: HeaderMap) -> Option<Response> {
        match self {
            Self::Folder(folder) => folder.answer(path, method, headers).await,
            Self::Carried(carried) => carried.answer(path, &headers),
        }
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
        // As it was asked for, with what is escaped in it.
        _ => {
            let (parts, _) = request.into_parts();
            let path = parts.uri.path().strip_prefix(&assets.prefix())?;
            assets.files.answer(path, parts.method, parts.headers).await
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
fn is_squeezed(name: &FilePath) -> bool {
    name.extension().is_some_and(|ending| ending == "br" || ending == "gz")
}
