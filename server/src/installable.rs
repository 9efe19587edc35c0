//! What a browser asks for before it installs the hub as an app: a manifest, and icons at addresses that stay the
//! same from build to build, as a change of them is a change of the app.

use crate::middleware::accepted_language;
use app::ManifestWords;
use axum::extract::{Path, Query};
use axum::response::{IntoResponse, Redirect, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use protocol::Language;
use serde::Deserialize;
use serde_json::Value;

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

/// As the address of the manifest says it; browsers send no cookie with it.
#[derive(Deserialize)]
pub struct Reader {
    #[serde(default)]
    language: String,
}

pub async fn manifest(Query(reader): Query<Reader>, headers: HeaderMap) -> Response {
    let language = Language::of_tag(&reader.language).unwrap_or_else(|| accepted_language::of(&headers));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/manifest+json")),
        (header::CACHE_CONTROL, KEPT),
        (header::VARY, HeaderValue::from_static("accept-language")),
    ];
    (headers, manifest_in(language)).into_response()
}

fn manifest_in(language: Language) -> String {
    let ManifestWords { description, shortcuts } = app::manifest_words(language);
    let mut manifest: Value = serde_json::from_str(MANIFEST).expect("a test reads it");
    manifest["lang"] = language.tag().into();
    manifest["description"] = description.into();
    for (place, name) in shortcuts.into_iter().enumerate() {
        manifest["shortcuts"][place]["name"] = name.into();
    }
    manifest.to_string()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_speaks_the_language_of_its_reader() {
        for (language, about, names) in [
            (
                Language::English,
                "A home for AI agents that live in web pages.",
                ["New agent", "Search", "Notifications"],
            ),
            (
                Language::German,
                "Ein Zuhause für KI-Agenten, die in Webseiten leben.",
                ["Neuer Agent", "Suchen", "Mitteilungen"],
            ),
        ] {
            let manifest: Value = serde_json::from_str(&manifest_in(language)).expect("it is JSON");
            let shortcuts = manifest["shortcuts"].as_array().expect("it has some");
            let found: Vec<&Value> = shortcuts.iter().map(|shortcut| &shortcut["name"]).collect();
            assert_eq!(found, names);
            assert_eq!(manifest["lang"], language.tag());
            assert_eq!(manifest["description"], about);
        }
    }
}
