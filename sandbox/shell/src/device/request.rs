//! One request to a model server, and a look at why it failed.

use super::{ConnectError, Endpoint};
use js_sys::{Object, Reflect};
use protocol::agent::ProviderKind;
use protocol::run::KeySlot;
use std::cell::RefCell;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortSignal, Event, ReferrerPolicy, RequestCache, RequestCredentials, RequestInit, RequestMode,
    RequestRedirect, Response, Url,
};

thread_local! {
    /// Origins that this page's policy kept it from calling.
    static BLOCKED: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Sends a request to this address and no further: without cookies, and an answer that leads elsewhere
/// is an error. With a body it is a POST of JSON.
pub async fn send(
    address: &str,
    body: Option<&str>,
    headers: &[(String, String)],
    signal: &AbortSignal,
) -> Result<Response, JsValue> {
    watch_policy();
    let how = RequestInit::new();
    how.set_mode(RequestMode::Cors);
    how.set_credentials(RequestCredentials::Omit);
    how.set_redirect(RequestRedirect::Error);
    how.set_cache(RequestCache::NoStore);
    how.set_referrer_policy(ReferrerPolicy::NoReferrer);
    how.set_signal(Some(signal));
    let fields = Object::new();
    for (name, value) in headers {
        Reflect::set(&fields, &name.into(), &value.into())?;
    }
    if let Some(body) = body {
        how.set_method("POST");
        how.set_body(&JsValue::from_str(body));
        Reflect::set(&fields, &"content-type".into(), &"application/json".into())?;
    }
    how.set_headers(&fields);
    fetch(address, &how).await
}

/// What a request carries besides, with this key in its place. `None` if the key is not for that
/// server.
pub fn headers_with(slot: &KeySlot, key: &str, address: &str) -> Option<Vec<(String, String)>> {
    if origin_of(address)? != slot.place {
        return None;
    }
    let mut headers = slot.headers.clone();
    headers.push((slot.header.clone(), format!("{}{key}", slot.before)));
    Some(headers)
}

/// Why a request to this address came to nothing, in words of which `text` gives each by the English.
pub async fn diagnose(kind: ProviderKind, address: &str) -> (ConnectError, String) {
    let server = origin_of(address).unwrap_or_default();
    let page = web_sys::window().and_then(|window| window.location().origin().ok()).unwrap_or_default();
    let is_there = answers(&server).await;
    let is_blocked = BLOCKED.with_borrow(|blocked| blocked.as_ref().is_some_and(|all| all.contains(&server)));
    let place = Endpoint { kind, server: &server, page: &page };
    let trouble = ConnectError::of(is_there, is_blocked, &place);
    (trouble, trouble.words(&place))
}

/// Whether anything is there, by a request whose answer this page cannot read.
async fn answers(server: &str) -> bool {
    let how = RequestInit::new();
    how.set_mode(RequestMode::NoCors);
    how.set_credentials(RequestCredentials::Omit);
    how.set_cache(RequestCache::NoStore);
    how.set_referrer_policy(ReferrerPolicy::NoReferrer);
    fetch(server, &how).await.is_ok()
}

async fn fetch(address: &str, how: &RequestInit) -> Result<Response, JsValue> {
    let window = web_sys::window().ok_or("no window")?;
    JsFuture::from(window.fetch_with_str_and_init(address, how)).await?.dyn_into()
}

fn origin_of(address: &str) -> Option<String> {
    Some(Url::new(address).ok()?.origin())
}

/// From the first request on, notes what the page's policy blocks.
fn watch_policy() {
    if BLOCKED.with_borrow(Option::is_some) {
        return;
    }
    BLOCKED.set(Some(Vec::new()));
    let hear = Closure::<dyn FnMut(Event)>::new(|event: Event| {
        let uri = Reflect::get(&event, &"blockedURI".into()).ok().and_then(|uri| uri.as_string());
        if let Some(origin) = uri.and_then(|uri| origin_of(&uri)) {
            BLOCKED.with_borrow_mut(|blocked| blocked.get_or_insert_default().push(origin));
        }
    });
    if let Some(document) = web_sys::window().and_then(|window| window.document()) {
        // A document takes a listener of any name.
        let _ = document
            .add_event_listener_with_callback("securitypolicyviolation", hear.as_ref().unchecked_ref());
    }
    hear.forget();
}
