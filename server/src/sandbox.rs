//! Serves the two frame documents, each under its own policy, and the still picture of a skin. The policies are the wall: `docs/security.md` says what each line keeps in.

use crate::assets;
use crate::middleware::{FRAME_HEADERS, put};
use crate::state::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bundle::Embedded;
use http::header::{self, HeaderName, HeaderValue};
use http::{HeaderMap, StatusCode};
use hub::AppPage;
use protocol::AgentId;
use sha2::{Digest, Sha256};

const SKIN_POLICY: &str = "sandbox allow-scripts allow-forms; default-src 'none'; \
    script-src 'unsafe-inline' 'unsafe-eval' blob:; style-src 'unsafe-inline'; img-src data: blob:; \
    font-src data: blob:; media-src data: blob:; worker-src blob:; connect-src 'none'; frame-src 'none'; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

/// The policy of a skin, as far as a document may say it of itself: two of its lines count in headers alone.
pub fn skin_policy_in_markup() -> String {
    let is_said = |line: &&str| !line.starts_with("sandbox ") && !line.starts_with("frame-ancestors ");
    SKIN_POLICY.split("; ").filter(is_said).collect::<Vec<_>>().join("; ")
}

const STILL_POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

/// What a policy cannot close: Chromium closes WebRTC, lookups of names and navigation, Firefox the lookups
/// that links in a page ask for.
static ALONE: [(HeaderName, &str); 3] = [
    (HeaderName::from_static("connection-allowlist"), "()"),
    (HeaderName::from_static("x-dns-prefetch-control"), "off"),
    // Chromium gives such a document a process that it shares with no other.
    (HeaderName::from_static("document-isolation-policy"), "isolate-and-require-corp"),
];

/// What the page of a tool has only if its person said so, and never.
const FEATURES: [&str; 8] =
    ["camera", "microphone", "geolocation", "clipboard-write", "display-capture", "usb", "serial", "payment"];

pub async fn skin(request: Request) -> Response {
    document(bundle::SKIN_HTML, HeaderValue::from_static(SKIN_POLICY), &request)
}

pub async fn loop_frame(request: Request) -> Response {
    let policy = format!(
        "sandbox allow-scripts; default-src 'none'; script-src 'sha256-{}' 'wasm-unsafe-eval' blob:; \
         worker-src blob:; connect-src 'none'; frame-src 'none'; form-action 'none'; base-uri 'none'; \
         frame-ancestors 'self'",
        bundle::LOOP_SCRIPT_SHA256
    );
    let policy = HeaderValue::from_str(&policy).expect("a base64 hash is visible ASCII");
    document(bundle::LOOP_HTML, policy, &request)
}

/// A frame document. Browsers ask for it each time, because its headers are the wall, and keep its text
/// for as long as text and policy are the same.
fn document(html: Embedded, policy: HeaderValue, request: &Request) -> Response {
    let tag = tag(html.plain, &policy);
    let is_kept = request.headers().get_all(header::IF_NONE_MATCH).iter().any(|kept| *kept == tag);
    let mut response = assets::embedded(html, "text/html; charset=utf-8", request);
    if is_kept {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
    }
    wall(response.headers_mut(), policy);
    put(response.headers_mut(), &ALONE);
    response.headers_mut().insert(header::ETAG, tag);
    response
}

fn tag(html: &[u8], policy: &HeaderValue) -> HeaderValue {
    let digest = Sha256::new().chain_update(html).chain_update(policy).finalize();
    let tag = format!("W/\"{}\"", STANDARD.encode(digest));
    HeaderValue::from_str(&tag).expect("a base64 hash is visible ASCII")
}

#[derive(serde::Deserialize)]
pub struct VersionQuery {
    version: Option<u64>,
}

#[derive(serde::Deserialize)]
pub struct AppQuery {
    /// Of the page that was asked about.
    #[serde(default)]
    digest: String,
}

/// The page of a tool of an MCP server, behind a script of ours that is the first to run.
pub async fn app(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path((agent, tool)): Path<(String, String)>,
    Query(AppQuery { digest }): Query<AppQuery>,
) -> Response {
    let Some(viewer) = facts.viewer else { return StatusCode::UNAUTHORIZED.into_response() };
    match state.hub.for_viewer(&viewer).mcp_servers().app_page(&AgentId(agent), &tool, &digest).await {
        Ok(page) => app_frame(&page),
        Err(error) => app::status_of(error.into_failure().kind).into_response(),
    }
}

fn app_frame(page: &AppPage) -> Response {
    let html = format!("<!doctype html><script>{}</script>{}", bundle::APP_SCRIPT, page.html);
    let Ok(policy) = HeaderValue::from_str(&app_policy(page)) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut response = frame(html, policy);
    put(response.headers_mut(), &ALONE);
    if let Ok(features) = HeaderValue::from_str(&features(page)) {
        response.headers_mut().insert("permissions-policy", features);
    }
    if !page.connect.is_empty() || !page.load.is_empty() {
        let reached = page.connect.iter().chain(&page.load).map(|host| format!("\"{host}\""));
        let reached = format!("({})", reached.collect::<Vec<_>>().join(" "));
        if let Ok(reached) = HeaderValue::from_str(&reached) {
            response.headers_mut().insert("connection-allowlist", reached);
        }
        // What comes from there need not say that anybody may have it; it comes without the person's cookies.
        let alone = HeaderValue::from_static("isolate-and-credentialless");
        response.headers_mut().insert("document-isolation-policy", alone);
    }
    response
}

/// What its person allowed of the device: a document without an origin has it only where everybody may.
fn features(page: &AppPage) -> String {
    let given = |feature: &str| page.uses.iter().any(|permission| permission.feature() == feature);
    let line = |feature: &&str| if given(feature) { format!("{feature}=*") } else { format!("{feature}=()") };
    FEATURES.iter().map(line).collect::<Vec<_>>().join(", ")
}

/// That of a skin, and the hosts that its person allowed.
fn app_policy(page: &AppPage) -> String {
    let connect = match page.connect.as_slice() {
        [] => "'none'".to_owned(),
        hosts => hosts.join(" "),
    };
    let load = page.load.iter().fold(String::new(), |load, host| load + " " + host);
    format!(
        "sandbox allow-scripts allow-forms; default-src 'none'; \
         script-src 'unsafe-inline' 'unsafe-eval' blob:{load}; style-src 'unsafe-inline'{load}; \
         img-src data: blob:{load}; font-src data: blob:{load}; media-src data: blob:{load}; worker-src blob:; \
         connect-src {connect}; frame-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
    )
}

/// The stored page without scripts, for cards and lists of versions.
pub async fn still(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path(agent): Path<String>,
    Query(VersionQuery { version }): Query<VersionQuery>,
) -> Response {
    let Some(viewer) = facts.viewer else { return StatusCode::UNAUTHORIZED.into_response() };
    still_of(state.hub.for_viewer(&viewer).skins().still(&AgentId(agent), version).await)
}

/// The page of an archive, or of a template, without scripts.
pub async fn archive_still(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Path(archive): Path<String>,
) -> Response {
    let Some(viewer) = facts.viewer else { return StatusCode::UNAUTHORIZED.into_response() };
    still_of(state.hub.for_viewer(&viewer).archives().still(&archive).await)
}

fn still_of(html: hub::Result<Option<String>>) -> Response {
    match html {
        Ok(Some(html)) => {
            let mut response = frame(html, HeaderValue::from_static(STILL_POLICY));
            put(response.headers_mut(), &ALONE);
            response
        }
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(error) => app::status_of(error.into_failure().kind).into_response(),
    }
}

fn frame(html: String, policy: HeaderValue) -> Response {
    let mut response = Html(html).into_response();
    wall(response.headers_mut(), policy);
    response
}

fn wall(headers: &mut HeaderMap, policy: HeaderValue) {
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    put(headers, &FRAME_HEADERS);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_document_says_of_itself_lacks_only_what_headers_alone_say() {
        let policy = skin_policy_in_markup();
        assert!(policy.starts_with("default-src 'none'; script-src "), "{policy}");
        assert!(policy.ends_with("frame-src 'none'; form-action 'none'; base-uri 'none'"), "{policy}");
    }

    #[test]
    fn the_page_of_a_tool_has_the_policy_of_a_skin_and_the_hosts_that_were_allowed() {
        let page = |hosts: &[&str]| {
            let hosts: Vec<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
            AppPage { html: String::new(), connect: hosts.clone(), load: hosts, uses: Vec::new() }
        };
        let words = |policy: &str| policy.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&app_policy(&page(&[]))), words(SKIN_POLICY));
        let policy = app_policy(&page(&["https://a.example", "https://b.example:8443"]));
        assert!(policy.contains("connect-src https://a.example https://b.example:8443; "), "{policy}");
        assert!(
            policy.contains("img-src data: blob: https://a.example https://b.example:8443; "),
            "{policy}"
        );
        assert!(policy.contains("frame-src 'none'; form-action 'none'"), "{policy}");
    }

    #[test]
    fn the_page_of_a_tool_has_of_the_device_what_was_allowed() {
        use protocol::view::AppPermission::{Camera, ClipboardWrite};
        let page = |uses| AppPage { html: String::new(), connect: Vec::new(), load: Vec::new(), uses };
        let none = "camera=(), microphone=(), geolocation=(), clipboard-write=(), display-capture=(), usb=(), \
                    serial=(), payment=()";
        assert_eq!(features(&page(Vec::new())), none);
        let some = none.replace("camera=()", "camera=*").replace("clipboard-write=()", "clipboard-write=*");
        assert_eq!(features(&page(vec![Camera, ClipboardWrite])), some);
    }
}
