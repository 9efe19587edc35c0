//! Requests to those who say who asks: small, bounded, and followed nowhere else.

use super::failure::SignInFailure;
use crate::Hub;
use crate::outbound::{Answer, Target};
use reqwest::Method;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::Value;
use std::time::Duration;
use tokio::time::timeout;

/// Bytes of an answer, and the time for one.
const BODY: usize = 256 * 1024;
const LIMIT: Duration = Duration::from_secs(15);

/// `None`: there is nothing.
pub(super) async fn get(hub: &Hub, target: &Target) -> Result<Option<Value>, SignInFailure> {
    let (status, body) = send(hub, Method::GET, target, HeaderMap::new(), Vec::new()).await?;
    match (status, body) {
        (200, Some(body)) => Ok(Some(body)),
        (200, None) => Err(SignInFailure::Garbled(target.place())),
        (400..=499, _) => Ok(None),
        _ => Err(SignInFailure::Garbled(target.place())),
    }
}

/// Status, and the body where it is JSON.
pub(super) async fn post(
    hub: &Hub,
    target: &Target,
    kind: &'static str,
    mut headers: HeaderMap,
    body: Vec<u8>,
) -> Result<(u16, Option<Value>), SignInFailure> {
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    send(hub, Method::POST, target, headers, body).await
}

async fn send(
    hub: &Hub,
    method: Method,
    target: &Target,
    mut headers: HeaderMap,
    body: Vec<u8>,
) -> Result<(u16, Option<Value>), SignInFailure> {
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let asked = async {
        let answer = hub.outbound().send(method, target, headers, body).await?;
        let status = answer.status();
        let body = whole(answer, target).await?;
        Ok((status, serde_json::from_slice(&body).ok()))
    };
    let late = || SignInFailure::TooLate(target.place(), LIMIT.as_secs());
    timeout(LIMIT, asked).await.unwrap_or_else(|_| Err(late()))
}

async fn whole(mut answer: Answer, target: &Target) -> Result<Vec<u8>, SignInFailure> {
    let mut body = Vec::new();
    while let Some(bytes) = answer.next().await? {
        if body.len() + bytes.len() > BODY {
            return Err(SignInFailure::TooMuch(target.place()));
        }
        body.extend_from_slice(&bytes);
    }
    Ok(body)
}
