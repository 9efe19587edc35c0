//! Serves files under signed addresses. The address is all that is believed: who asks is
//! not looked at. Nothing in a file runs, whatever it is. Whose files they are saves several at once.

use crate::forms::refuse;

use crate::middleware::put;
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::{Path, Query, RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::header::{self, HeaderName, HeaderValue};
use hub::{Download, Error, Opened, PagePicture, SignedLink};
use protocol::{FolderId, GivenLinkId};
use serde::Deserialize;

pub static FILE_HEADERS: [(HeaderName, &str); 1] = [(
    header::CONTENT_SECURITY_POLICY,
    "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
)];

#[derive(Debug, Deserialize)]
pub struct Signature {
    until: i64,
    mac: String,
    given: Option<GivenLinkId>,
}

pub async fn open(
    State(state): State<AppState>,
    Path((folder, path)): Path<(String, String)>,
    Query(Signature { until, mac, given }): Query<Signature>,
) -> Response {
    let link = SignedLink { folder: FolderId(folder), path, until, mac, given };
    match state.hub.files().open_link(&link).await {
        Ok(Opened { bytes, name, picture }) => {
            let (disposition, kind) = match picture {
                Some(kind) => ("inline", kind),
                None => ("attachment", "application/octet-stream"),
            };
            let headers = [(header::CONTENT_TYPE, HeaderValue::from_static(kind))];
            let mut response = (headers, bytes).into_response();
            response.headers_mut().insert(header::CONTENT_DISPOSITION, disposed(disposition, &name));
            put(response.headers_mut(), &FILE_HEADERS);
            response
        }
        Err(error) => {
            let failure = error.into_failure();
            (app::status_of(failure.kind), axum::Json(failure)).into_response()
        }
    }
}

/// `GET /folders/{folder}/download?path=…&path=…`: a file, or a zip archive of several and of folders (paths that end
/// with `/`), for whose folder it is. Without a path it is an archive of all.
pub async fn download(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path(folder): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    let fields = url::form_urlencoded::parse(query.as_deref().unwrap_or_default().as_bytes());
    // A form without script names the boxes that were ticked.
    let paths: Vec<String> = fields
        .filter(|(name, _)| matches!(name.as_ref(), "path" | "paths[]"))
        .map(|(_, path)| path.into_owned())
        .collect();
    match state.hub.for_viewer(&viewer).files().download(FolderId(folder), &paths).await {
        Ok(Download { name, bytes, is_archive }) => {
            let kind = if is_archive { "application/zip" } else { "application/octet-stream" };
            let headers = [(header::CONTENT_TYPE, HeaderValue::from_static(kind))];
            let mut response = (headers, bytes).into_response();
            response.headers_mut().insert(header::CONTENT_DISPOSITION, disposed("attachment", &name));
            put(response.headers_mut(), &FILE_HEADERS);
            response
        }
        Err(error) => refuse(error),
    }
}

#[derive(Debug, Deserialize)]
pub struct PageQuery {
    #[serde(default)]
    path: String,
    #[serde(default = "first")]
    number: usize,
}

const fn first() -> usize {
    1
}

/// `GET /folders/{folder}/page?path=…&number=…`: a page of a PDF as it looks, for whose folder it is.
pub async fn page(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path(folder): Path<String>,
    Query(PageQuery { path, number }): Query<PageQuery>,
) -> Response {
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    match state.hub.for_viewer(&viewer).files().draw_page(FolderId(folder), &path, number).await {
        Ok(PagePicture { bytes, mime }) => {
            let headers = [(header::CONTENT_TYPE, HeaderValue::from_static(mime))];
            let mut response = (headers, bytes).into_response();
            put(response.headers_mut(), &FILE_HEADERS);
            response
        }
        Err(error) => refuse(error),
    }
}

/// How a browser takes the file, and under which name.
pub fn disposed(how: &str, name: &str) -> HeaderValue {
    use std::fmt::Write;
    let mut text = format!("{how}; filename*=UTF-8''");
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.') {
            text.push(char::from(byte));
        } else {
            write!(text, "%{byte:02X}").expect("writing to a text cannot fail");
        }
    }
    HeaderValue::from_str(&text).expect("it is visible ASCII")
}

#[cfg(test)]
mod tests {
    use super::disposed;

    #[test]
    fn a_name_cannot_leave_its_place() {
        assert_eq!(disposed("attachment", "a-1.txt"), "attachment; filename*=UTF-8''a-1.txt");
        let odd = disposed("inline", "a\"; ä\r\n");
        assert_eq!(odd, "inline; filename*=UTF-8''a%22%3B%20%C3%A4%0D%0A");
    }
}
