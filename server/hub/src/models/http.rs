//! A codec's request on its way to a server: the key goes in here, and nowhere else.

use super::{redact, sigv4};
use crate::nodes;
use crate::outbound::{Answer, Outbound, OutboundError, Target};
use crate::providers::Server;
use crate::vault::Secret;
use agent::providers::{Auth, HttpRequest, Method};
use protocol::model::{ModelFailure, ModelFailureKind};
use protocol::{told, words};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};

const ERROR_LIMIT: usize = 64 * 1024;
const MODELS_LIMIT: usize = 8 * 1024 * 1024;
/// Values in a list of models, counted before any is made.
const MODELS_VALUES: usize = 200_000;
const DOCUMENT_LIMIT: usize = 32 * 1024 * 1024;

/// Sends the request. An answer with an error status is a failure, in the server's words where it
/// has any.
pub(super) async fn send(
    outbound: &Outbound,
    server: &Server,
    request: HttpRequest,
    now: i64,
) -> Result<Answer, ModelFailure> {
    let target = Target::parse(&request.url).map_err(describe)?;
    let headers = headers(server, &request, now)?;
    let answer =
        outbound.send(method(request.method), &target, headers, request.body).await.map_err(describe)?;
    if answer.is_success() {
        return Ok(answer);
    }
    let status = answer.status();
    let retry_after = answer.header(RETRY_AFTER).map(str::to_owned);
    let body = answer.start_of_body(ERROR_LIMIT).await;
    Err(server.wire.decode_error(status, retry_after.as_deref(), &body))
}

/// The names of the models that the server has.
pub(crate) async fn ask_models(
    outbound: &Outbound,
    server: &Server,
    now: i64,
) -> Result<Vec<String>, ModelFailure> {
    let asked = async {
        let request = server.wire.list_models(server.base_url.as_deref());
        let body = send(outbound, server, request, now).await?.start_of_body(MODELS_LIMIT).await;
        if nodes::count(&body) > MODELS_VALUES {
            let message = words!("The server's list of models is too large to be read.").to_owned();
            return Err(failure(ModelFailureKind::Malformed, message));
        }
        server.wire.decode_models(&body)
    };
    match asked.await {
        Ok(models) => Ok(models.into_iter().map(|name| redact::text(name, server.key.as_ref())).collect()),
        Err(failure) => Err(redact::failure(failure, server.key.as_ref())),
    }
}

/// A public document, without a key.
pub(crate) async fn fetch(outbound: &Outbound, url: &str) -> Result<Vec<u8>, ModelFailure> {
    let target = Target::parse(url).map_err(describe)?;
    let answer =
        outbound.send(reqwest::Method::GET, &target, HeaderMap::new(), Vec::new()).await.map_err(describe)?;
    if !answer.is_success() {
        let message = told!(
            "{place} answered with the status {status}.",
            place = target.place(),
            status = answer.status()
        );
        return Err(failure(ModelFailureKind::Server, message));
    }
    Ok(answer.start_of_body(DOCUMENT_LIMIT).await)
}

fn describe(error: OutboundError) -> ModelFailure {
    let kind = match error {
        OutboundError::Url(_)
        | OutboundError::NotAllowed { .. }
        | OutboundError::NoSuchName { .. }
        | OutboundError::NoAnswer { .. }
        | OutboundError::Insecure { .. } => ModelFailureKind::Unreachable,
        OutboundError::Timeout { .. } => ModelFailureKind::Timeout,
        OutboundError::Cut { .. } => ModelFailureKind::Cut,
    };
    failure(kind, error.to_string())
}

fn headers(server: &Server, request: &HttpRequest, now: i64) -> Result<HeaderMap, ModelFailure> {
    let mut headers = HeaderMap::new();
    for (name, value) in &request.headers {
        let value = HeaderValue::from_str(value).map_err(|_| unsendable())?;
        headers.insert(HeaderName::from_static(name), value);
    }
    let Some(key) = server.key.as_ref() else {
        // A server of one's own may need no key; the kind's own server does, if it wants any.
        return match (&server.base_url, &request.auth) {
            (Some(_), _) | (None, Auth::None) => Ok(headers),
            (None, Auth::Bearer | Auth::Header(_) | Auth::SigV4 { .. }) => Err(failure(
                ModelFailureKind::NotConfigured,
                told!("{name} has no key yet. Enter one under Providers.", name = server.name),
            )),
        };
    };
    match &request.auth {
        Auth::None => {}
        Auth::Bearer => {
            headers.insert(AUTHORIZATION, sensitive("Bearer ", key)?);
        }
        Auth::Header(name) => {
            headers.insert(HeaderName::from_static(name), sensitive("", key)?);
        }
        Auth::SigV4 { service, region } => match sigv4::access_key(key) {
            Some(credentials) => {
                let method = method(request.method);
                sigv4::add(&mut headers, credentials, request, method.as_str(), (service, region), now)?;
            }
            None => {
                headers.insert(AUTHORIZATION, sensitive("Bearer ", key)?);
            }
        },
    }
    Ok(headers)
}

fn method(method: Method) -> reqwest::Method {
    match method {
        Method::Get => reqwest::Method::GET,
        Method::Post => reqwest::Method::POST,
    }
}

fn sensitive(prefix: &str, key: &Secret) -> Result<HeaderValue, ModelFailure> {
    let mut value = HeaderValue::from_str(&format!("{prefix}{}", key.expose())).map_err(|_| unsendable())?;
    value.set_sensitive(true);
    Ok(value)
}

pub(super) fn unsendable() -> ModelFailure {
    failure(
        ModelFailureKind::NotConfigured,
        words!("The key cannot be sent to this provider. Enter it again.").to_owned(),
    )
}

fn failure(kind: ModelFailureKind, message: String) -> ModelFailure {
    ModelFailure { kind, message, retry_after_ms: None }
}
