//! Failures that a form without script brings back in the address of its page. The page shows them as the
//! hub's own words, so an address carries the hub's seal: what stands in a link of somebody else's is taken
//! out before any page sees it.

use crate::state::AppState;
use app::context::RequestFacts;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderValue, Method, header};
use sha2::Sha256;
use std::sync::LazyLock;
use url::Url;

/// Which function failed, and how, as Leptos names them.
const FUNCTION: &str = "__path";
const FAILURE: &str = "__err";
const SEAL: &str = "__seal";
/// A browser follows at once. Whoever loads the page again later has read it.
const VALID_MS: i64 = 2 * 60 * 1000;

/// Good until the process ends.
static KEY: LazyLock<[u8; 32]> = LazyLock::new(hub::clock::random);

pub async fn keep(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let facts = request.extensions().get::<RequestFacts>().expect("the facts are found before").clone();
    let now = state.hub.now();
    if [Method::GET, Method::HEAD].contains(request.method())
        && let Some(address) = address(&facts, &request)
        && is_told(&address)
        && !is_sealed(&address, &facts, now)
    {
        return Redirect::to(without_words(&address).as_str()).into_response();
    }
    let mut response = next.run(request).await;
    if let Some(sealed) = leads_to(&response, &facts).and_then(|address| sealed(&address, &facts, now)) {
        response.headers_mut().insert(header::LOCATION, sealed);
    }
    response
}

fn address(facts: &RequestFacts, request: &Request) -> Option<Url> {
    Url::parse(&format!("{}{}", facts.origin, request.uri().path_and_query()?)).ok()
}

/// The page of ours to which it leads. What leads elsewhere is not ours to seal.
fn leads_to(response: &Response, facts: &RequestFacts) -> Option<Url> {
    let address = Url::parse(response.headers().get(header::LOCATION)?.to_str().ok()?).ok()?;
    (address.origin().ascii_serialization() == facts.origin).then_some(address)
}

fn is_told(address: &Url) -> bool {
    argument(address, FAILURE).is_some() || argument(address, FUNCTION).is_some()
}

/// The last one: a form that failed before has one of then in its address.
fn argument(address: &Url, name: &str) -> Option<String> {
    address.query_pairs().filter(|(own, _)| own == name).last().map(|(_, value)| value.into_owned())
}

/// The address without all that such a failure puts into it.
fn without_words(address: &Url) -> Url {
    let others =
        address.query_pairs().filter(|(name, _)| ![FUNCTION, FAILURE, SEAL].contains(&name.as_ref()));
    let others: Vec<_> = others.collect();
    let mut bare = address.clone();
    match others.is_empty() {
        true => bare.set_query(None),
        false => drop(bare.query_pairs_mut().clear().extend_pairs(others)),
    }
    bare
}

/// The address of a page with the seal that it needs, or without the one that it needs no more.
fn sealed(address: &Url, facts: &RequestFacts, now: i64) -> Option<HeaderValue> {
    let mut sealed = without_words(address);
    if let (Some(function), Some(failure)) = (argument(address, FUNCTION), argument(address, FAILURE)) {
        let until = now + VALID_MS;
        let seal = seal(address, facts, &function, &failure, until);
        let seal = format!("{until}.{}", URL_SAFE_NO_PAD.encode(seal.finalize().into_bytes()));
        let told = [(FUNCTION, function), (FAILURE, failure), (SEAL, seal)];
        sealed.query_pairs_mut().extend_pairs(told);
    } else {
        argument(address, SEAL)?;
    }
    HeaderValue::from_str(sealed.as_str()).ok()
}

fn is_sealed(address: &Url, facts: &RequestFacts, now: i64) -> bool {
    let named = |name| {
        let mut values = address.query_pairs().filter(|(own, _)| own == name);
        // What is there twice may be read as one or the other.
        values.next().filter(|_| values.next().is_none()).map(|(_, value)| value.into_owned())
    };
    let (Some(function), Some(failure), Some(given)) = (named(FUNCTION), named(FAILURE), named(SEAL)) else {
        return false;
    };
    let Some((until, given)) = given.split_once('.') else { return false };
    let (Ok(until), Ok(given)) = (until.parse::<i64>(), URL_SAFE_NO_PAD.decode(given)) else { return false };
    now <= until && seal(address, facts, &function, &failure, until).verify_slice(&given).is_ok()
}

/// For this page, of whoever sent the form: a person, or somebody at a network address.
fn seal(address: &Url, facts: &RequestFacts, function: &str, failure: &str, until: i64) -> Hmac<Sha256> {
    let who = match &facts.viewer {
        Some(viewer) => viewer.me.id.0.clone(),
        None => facts.address.to_string(),
    };
    let mut mac = Hmac::<Sha256>::new_from_slice(&*KEY).expect("any length is a key");
    for part in [who.as_str(), address.path(), function, failure, &until.to_string()] {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part.as_bytes());
    }
    mac
}
