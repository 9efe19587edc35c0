//! Files of a folder, as a build leaves it. They may be written anew meanwhile.

use super::is_squeezed;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use std::path::{Path, PathBuf};
use std::{fs, io};
use tower::ServiceExt;
use tower_http::services::ServeDir;

#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// It need not be there.
    pub(super) fn new(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// Names of all files below, compressed ones too.
    pub(super) fn names(&self) -> io::Result<Vec<PathBuf>> {
        let named = |path: &PathBuf| path.strip_prefix(&self.0).unwrap_or(path).to_owned();
        Ok(files(&self.0)?.iter().map(named).collect())
    }

    pub(super) fn each(&self, see: &mut impl FnMut(&[u8], &[u8])) -> io::Result<()> {
        for name in self.names()?.into_iter().filter(|name| !is_squeezed(name)) {
            see(name.as_os_str().as_encoded_bytes(), &fs::read(self.0.join(&name))?);
        }
        Ok(())
    }

    pub(super) fn whole(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.0.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// `path` is escaped and begins with a slash.
    pub(super) async fn answer(&self, path: &str, method: Method, headers: HeaderMap) -> Option<Response> {
        let mut asked = Request::new(Body::empty());
        *asked.method_mut() = method;
        *asked.headers_mut() = headers;
        *asked.uri_mut() = path.parse::<Uri>().ok()?;
        let files = ServeDir::new(&self.0)
            .append_index_html_on_directories(false)
            .precompressed_br()
            .precompressed_gzip();
        let response = files.oneshot(asked).await.ok()?;
        let is_found = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
        let mut response = is_found.then(|| response.map(Body::new))?;
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        Some(response)
    }
}

/// Every file below, in an order that does not depend on the machine.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
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
            } else {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}
