//! What is said to an agent elsewhere and what it answers: JSON-RPC over POST, through the one outbound client, with
//! the token that was entered for this server and for no other.

use super::failure::PeerFailure;
use super::updates::Updates;
use crate::Hub;
use crate::fair_queue::Permit;
use crate::outbound::{Answer, Target};
use crate::vault::Secret;
use protocol::UserId;
use redact::Needles;
use reqwest::Method;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;

pub(super) const MEGABYTE: usize = 1024 * 1024;
/// Bytes of an answer that is no stream.
const BODY: usize = 4 * MEGABYTE;
/// For an answer that is no stream, and for the head of any.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
/// Characters of an error of a peer's.
const TOLD: usize = 500;
const VERSION: HeaderName = HeaderName::from_static("a2a-version");
const EXTENSIONS: HeaderName = HeaderName::from_static("a2a-extensions");
/// Both that are spoken here.
const SPOKEN: &str = "urn:vivarium:a2a:messages-once, urn:vivarium:a2a:chain";

/// Somebody who asks one peer.
pub(crate) struct PeerClient {
    hub: Hub,
    target: Target,
    token: Option<Secret>,
    /// One of the requests that a person may have under way.
    turn: Permit<UserId>,
}

impl PeerClient {
    pub(super) fn new(hub: Hub, target: Target, token: Option<Secret>, turn: Permit<UserId>) -> Self {
        Self { hub, target, token, turn }
    }

    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    /// What stands there, as JSON.
    pub(super) async fn get(&self, target: &Target) -> Result<Value, PeerFailure> {
        let asked = async {
            let answer = self.hub.outbound().send(Method::GET, target, self.headers(), Vec::new()).await?;
            check(&answer)?;
            json_of(answer).await
        };
        timeout(PATIENCE, asked).await.unwrap_or(Err(PeerFailure::TooLate(PATIENCE.as_secs())))
    }

    /// What it answers to one question.
    pub(crate) async fn call(&self, url: &str, method: &str, params: Value) -> Result<Value, PeerFailure> {
        let asked = async {
            let answer = self.post(url, method, params).await?;
            result_of(json_of(answer).await?).map_err(|failure| self.hidden(failure))
        };
        timeout(PATIENCE, asked).await.unwrap_or(Err(PeerFailure::TooLate(PATIENCE.as_secs())))
    }

    /// What it tells from now on.
    pub(crate) async fn follow(self, url: &str, method: &str, params: Value) -> Result<Updates, PeerFailure> {
        let head = timeout(PATIENCE, self.post(url, method, params)).await;
        let answer = head.unwrap_or(Err(PeerFailure::TooLate(PATIENCE.as_secs())))?;
        let needles = self.needles();
        Ok(Updates::new(answer, needles, self.turn))
    }

    async fn post(&self, url: &str, method: &str, params: Value) -> Result<Answer, PeerFailure> {
        let target = Target::parse(url)?;
        // The token is for this server alone.
        if target.place() != self.target.place() {
            return Err(PeerFailure::Gone);
        }
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let body = body.to_string().into_bytes();
        let answer = self.hub.outbound().send(Method::POST, &target, self.headers(), body).await?;
        check(&answer)?;
        Ok(answer)
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        headers.insert(VERSION, HeaderValue::from_static("1.0"));
        headers.insert(EXTENSIONS, HeaderValue::from_static(SPOKEN));
        if let Some(token) = &self.token
            && let Ok(mut bearer) = HeaderValue::from_str(&format!("Bearer {}", token.expose()))
        {
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        headers
    }

    fn needles(&self) -> Option<Needles> {
        self.token.as_ref().and_then(|token| Needles::of(token.expose()))
    }

    fn hidden(&self, failure: PeerFailure) -> PeerFailure {
        without_token(failure, self.needles().as_ref())
    }

    /// The text without the token that was sent along.
    pub(crate) fn without_token(&self, text: &str) -> String {
        self.needles().map_or_else(|| text.to_owned(), |needles| needles.hide(text).into_owned())
    }
}

pub(super) fn without_token(failure: PeerFailure, needles: Option<&Needles>) -> PeerFailure {
    match (failure, needles) {
        (PeerFailure::Refused { code, words }, Some(needles)) => {
            PeerFailure::Refused { code, words: needles.hide(&words).into_owned() }
        }
        (failure, _) => failure,
    }
}

fn check(answer: &Answer) -> Result<(), PeerFailure> {
    match answer.status() {
        200..=299 => Ok(()),
        status @ 300..=399 => Err(PeerFailure::Moved(status)),
        401 => Err(PeerFailure::LoginNeeded),
        403 => Err(PeerFailure::Forbidden),
        429 => Err(PeerFailure::TooOften),
        status @ 500..=599 => Err(PeerFailure::Broken(status)),
        // An error of the protocol may come with one of these.
        400 | 409 | 415 if is_json(answer) => Ok(()),
        status => Err(PeerFailure::NotThere(status)),
    }
}

pub(super) fn kind_of(answer: &Answer) -> String {
    let kind = answer.header(CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
    kind.split(';').next().unwrap_or_default().trim().to_owned()
}

fn is_json(answer: &Answer) -> bool {
    let kind = kind_of(answer);
    kind == "application/json" || kind.ends_with("+json")
}

pub(super) async fn json_of(mut answer: Answer) -> Result<Value, PeerFailure> {
    if !is_json(&answer) {
        return Err(PeerFailure::NotA2a);
    }
    let mut body = Vec::new();
    while let Some(bytes) = answer.next().await? {
        if body.len() + bytes.len() > BODY {
            return Err(PeerFailure::TooMuch(BODY / MEGABYTE));
        }
        body.extend_from_slice(&bytes);
    }
    parsed(body).await
}

pub(super) async fn parsed(body: Vec<u8>) -> Result<Value, PeerFailure> {
    const SMALL: usize = 32 * 1024;
    if body.len() <= SMALL {
        return serde_json::from_slice(&body).map_err(|_| PeerFailure::NotA2a);
    }
    let parsing = tokio::task::spawn_blocking(move || serde_json::from_slice(&body));
    parsing.await.ok().and_then(Result::ok).ok_or(PeerFailure::NotA2a)
}

/// What stands in a message of JSON-RPC.
pub(super) fn result_of(mut message: Value) -> Result<Value, PeerFailure> {
    if let Some(error) = message.get("error").filter(|error| error.is_object()) {
        let words = error["message"].as_str().unwrap_or("nothing but that it failed.");
        let words = words.chars().filter(|letter| !letter.is_control()).take(TOLD).collect();
        return Err(PeerFailure::Refused { code: error["code"].as_i64().unwrap_or_default(), words });
    }
    match message.get_mut("result") {
        Some(result) => Ok(result.take()),
        None => Err(PeerFailure::NotA2a),
    }
}
