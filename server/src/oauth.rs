//! The hub as an authorization server, for programs: what it says of itself, and where they bring what a person gave
//! them. No cookie counts here, and none is read. What a person sees of it is a page (`/oauth/authorize`).

use crate::state::AppState;
use app::context::RequestFacts;
use app::status_of;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use http::{StatusCode, header};
use hub::{LARGEST_REGISTRATION, OAUTH_AGENTS, OAUTH_FILES, OAuthFailure};
use serde::Serialize;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;

/// The path of what a token is for, and of what describes it (RFC 9728, section 3.1).
const RESOURCE: &str = "/mcp";
const RESOURCE_METADATA: &str = "/.well-known/oauth-protected-resource/mcp";
/// Whose pages may read the answers.
const ANYBODY: &str = "*";
/// Bytes of a form, and the time in which it is whole.
const LARGEST_FORM: usize = 16 * 1024;
const WHOLE: Duration = Duration::from_secs(15);

/// Where a program reads how to get a token, as a challenge says it (RFC 9728, section 5.1).
pub fn metadata(origin: &str) -> String {
    format!("resource_metadata=\"{origin}{RESOURCE_METADATA}\"")
}

/// `GET /.well-known/oauth-protected-resource/mcp`.
pub async fn resource(Extension(facts): Extension<RequestFacts>) -> Response {
    let origin = facts.origin;
    described(json!({
        "resource": format!("{origin}{RESOURCE}"),
        "resource_name": "Vivarium",
        "authorization_servers": [origin],
        "scopes_supported": [OAUTH_AGENTS, OAUTH_FILES],
        "bearer_methods_supported": ["header"],
    }))
}

/// `GET /.well-known/oauth-authorization-server` (RFC 8414).
pub async fn server(Extension(facts): Extension<RequestFacts>) -> Response {
    let origin = facts.origin;
    described(json!({
        "issuer": origin,
        "authorization_endpoint": format!("{origin}/oauth/authorize"),
        "token_endpoint": format!("{origin}/oauth/token"),
        "revocation_endpoint": format!("{origin}/oauth/revoke"),
        "registration_endpoint": format!("{origin}/oauth/register"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "scopes_supported": [OAUTH_AGENTS, OAUTH_FILES],
        "client_id_metadata_document_supported": true,
        "authorization_response_iss_parameter_supported": true,
    }))
}

/// `POST /oauth/register`: JSON.
pub async fn register(State(state): State<AppState>, body: Body) -> Response {
    let registered = match read(body, LARGEST_REGISTRATION).await {
        Ok(said) => state.hub.oauth_server().register(&said),
        Err(failure) => Err(failure),
    };
    match registered {
        Ok(registered) => secret(StatusCode::CREATED, registered),
        Err(failure) => refused(failure),
    }
}

/// `POST /oauth/token`: a form.
pub async fn token(State(state): State<AppState>, body: Body) -> Response {
    let given = match read(body, LARGEST_FORM).await {
        Ok(form) => state.hub.oauth_server().exchange(&form).await,
        Err(failure) => Err(failure),
    };
    match given {
        Ok(tokens) => secret(StatusCode::OK, tokens),
        Err(failure) => refused(failure),
    }
}

/// `POST /oauth/revoke`: a form.
pub async fn revoke(State(state): State<AppState>, body: Body) -> Response {
    let ended = match read(body, LARGEST_FORM).await {
        Ok(form) => state.hub.oauth_server().revoke(&form).await,
        Err(failure) => Err(failure),
    };
    match ended {
        Ok(()) => secret(StatusCode::OK, json!({})),
        Err(failure) => refused(failure),
    }
}

async fn read(body: Body, limit: usize) -> Result<Vec<u8>, OAuthFailure> {
    match timeout(WHOLE, to_bytes(body, limit)).await {
        Ok(Ok(bytes)) => Ok(bytes.into()),
        Ok(Err(_)) => Err(OAuthFailure::Request("This is too long.")),
        Err(_) => Err(OAuthFailure::Request("The request did not come to its end in time.")),
    }
}

/// `OPTIONS` of all of them: a program in a page of another site may ask too, for no cookie counts.
pub async fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, ANYBODY),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "content-type, mcp-protocol-version"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

fn described(document: Value) -> Response {
    let headers =
        [(header::CACHE_CONTROL, "public, max-age=300"), (header::ACCESS_CONTROL_ALLOW_ORIGIN, ANYBODY)];
    (headers, Json(document)).into_response()
}

/// Nobody keeps it on its way.
fn secret(status: StatusCode, body: impl Serialize) -> Response {
    let headers = [(header::CACHE_CONTROL, "no-store"), (header::ACCESS_CONTROL_ALLOW_ORIGIN, ANYBODY)];
    (status, headers, Json(body)).into_response()
}

fn refused(failure: OAuthFailure) -> Response {
    let (status, code, message) = match failure {
        OAuthFailure::Hub(error) => {
            let failure = error.into_failure();
            (status_of(failure.kind), "server_error", failure.message)
        }
        OAuthFailure::Client(_) => (StatusCode::UNAUTHORIZED, failure.code(), failure.to_string()),
        _ => (StatusCode::BAD_REQUEST, failure.code(), failure.to_string()),
    };
    secret(status, json!({ "error": code, "error_description": message }))
}
