//! Everything of a person as a download, and as a file of the command line.

use crate::files::disposed;
use crate::forms::refuse;
use crate::startup_error::StartupError;
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use http::header::{self, HeaderValue};
use hub::{Error, Hub};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// `GET /account/export`: a zip file, written while it is read.
pub async fn download(State(state): State<AppState>, Extension(facts): Extension<RequestFacts>) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    let takeout = match state.hub.for_viewer(&viewer).take_out().await {
        Ok(takeout) => takeout,
        Err(error) => return refuse(error),
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/zip")),
        (header::CONTENT_DISPOSITION, disposed("attachment", &takeout.file_name)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    // A part that cannot be written ends the download: a file that looks whole and is not would be worse.
    let parts = unfold(takeout, |mut takeout| async move {
        let part = takeout.next().await?;
        Some((part.map_err(|error| std::io::Error::other(error.into_failure())), takeout))
    });
    (headers, Body::from_stream(parts)).into_response()
}

/// Writes it into a file that is not there yet and that only its owner reads.
pub async fn save(hub: &Hub, name: &str, to: &Path) -> Result<u64, StartupError> {
    let viewer = hub
        .accounts()
        .viewer_named(name)
        .await?
        .ok_or_else(|| StartupError(format!("Nobody here is called {name}.")))?;
    let wrong = |error: std::io::Error| StartupError(format!("{}: {error}", to.display()));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to).map_err(wrong)?;
    let written = async {
        let mut takeout = hub.for_viewer(&viewer).take_out().await?;
        let mut bytes = 0;
        while let Some(part) = takeout.next().await {
            let part = part?;
            bytes += part.len() as u64;
            file.write_all(&part).map_err(wrong)?;
        }
        file.sync_all().map_err(wrong)?;
        Ok(bytes)
    };
    let written: Result<u64, StartupError> = written.await;
    if written.is_err() {
        // Half a file would look like a whole one.
        let _ = fs::remove_file(to);
    }
    written
}
