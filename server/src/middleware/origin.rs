//! No change by cookie without our own Origin. A bearer token needs none, but a foreign one is
//! refused all the same.

use super::facts::ByToken;
use app::context::RequestFacts;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, Method, StatusCode, header};

pub async fn guard(request: Request, next: Next) -> Response {
    let facts = request.extensions().get::<RequestFacts>().expect("the facts are found before");
    let by_token = request.extensions().get::<ByToken>().is_some_and(|by| by.0)
        || is_for_tokens_alone(request.uri().path());
    if changes(request.method(), request.headers()) && !allowed(request.headers(), &facts.origin, by_token) {
        return (StatusCode::FORBIDDEN, "403 This request comes from another site.\n").into_response();
    }
    next.run(request).await
}

/// Where a cookie opens nothing: whoever comes without a token is told that they need one.
fn is_for_tokens_alone(path: &str) -> bool {
    path == "/mcp" || path.starts_with("/a2a/")
}

/// Everything but plain reading: upgrades count as changes.
fn changes(method: &Method, headers: &HeaderMap) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) || headers.contains_key(header::UPGRADE)
}

fn allowed(headers: &HeaderMap, own: &str, by_token: bool) -> bool {
    let origin = headers.get(header::ORIGIN).map(|value| value.to_str().unwrap_or("null"));
    let origin_fits = match origin {
        Some(origin) => origin == own,
        None => by_token,
    };
    let site = headers.get("sec-fetch-site").map(|value| value.to_str().unwrap_or("cross-site"));
    let site_fits = matches!(site, None | Some("same-origin" | "none"));
    origin_fits && site_fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_origin_may_change_anything() {
        let own = "https://hub.example";
        for (origin, site, by_token, expect) in [
            (Some(own), None, false, true),
            (Some(own), Some("same-origin"), false, true),
            (Some(own), Some("same-site"), false, false),
            (Some(own), Some("cross-site"), false, false),
            (None, None, false, false),
            (None, Some("same-origin"), false, false),
            (Some("null"), None, false, false),
            (Some("https://evil.example"), None, false, false),
            (Some("http://hub.example"), None, false, false),
            (Some("https://hub.example:8443"), None, false, false),
            (Some("https://hub.example.evil.example"), None, false, false),
            (None, None, true, true),
            (Some(own), None, true, true),
            (Some("https://evil.example"), None, true, false),
            (Some("null"), None, true, false),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, origin.parse().unwrap());
            }
            if let Some(site) = site {
                headers.insert("sec-fetch-site", site.parse().unwrap());
            }
            assert_eq!(allowed(&headers, own, by_token), expect, "{origin:?} {site:?} token {by_token}");
        }
    }
}
