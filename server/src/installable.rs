//! What a browser asks for before it installs the hub as an app: a manifest, and icons at addresses that stay the
//! same from build to build, as a change of them is a change of the app.

use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use http::{HeaderValue, StatusCode, header};

/// As <https://www.w3.org/TR/appmanifest/> has it. `share_target` and `shortcuts` lead to pages of the dashboard.
const MANIFEST: &str = include_str!("installable/manifest.json");

/// Square, their sides in pixels. In `maskable` all that matters stands within the circle that each mask leaves.
const ICONS: [(&str, &[u8]); 4] = [
    ("180.png", include_bytes!("installable/180.png")),
    ("192.png", include_bytes!("installable/192.png")),
    ("512.png", include_bytes!("installable/512.png")),
    ("maskable-512.png", include_bytes!("installable/maskable-512.png")),
];

/// A day.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=86400");

pub async fn manifest() -> Response {
    let kind = HeaderValue::from_static("application/manifest+json");
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, KEPT)], MANIFEST).into_response()
}

/// What another app shares goes to the worker beside the pages, which keeps it on the device. It comes here where there
/// is no worker yet: nothing of it is read, and the page says how it arrives.
pub async fn share() -> Redirect {
    Redirect::to("/share-target?missed=1")
}

pub async fn icon(Path(name): Path<String>) -> Response {
    match ICONS.iter().find(|(icon, _)| *icon == name) {
        Some((_, bytes)) => {
            let kind = HeaderValue::from_static("image/png");
            ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, KEPT)], *bytes).into_response()
        }
        None => (StatusCode::NOT_FOUND, "There is no such icon.\n").into_response(),
    }
}
