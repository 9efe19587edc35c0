//! All that a server function or a page on the server may ask for.

use crate::{AppError, status_of};
use hub::{Hub, NewSession, PendingSignIn, Viewer, Visitor};
use leptos::prelude::use_context;
use protocol::FailureKind;
use std::net::IpAddr;
use std::sync::Arc;

const PERMISSIONS_POLICY: http::HeaderName = http::HeaderName::from_static("permissions-policy");

/// Facts about the request, found by the transport.
#[derive(Clone, Debug)]
pub struct RequestFacts {
    pub viewer: Option<Viewer>,
    /// Where the request came from.
    pub address: IpAddr,
    /// What the browser kept from the last time that somebody signed in from it.
    pub known: Option<String>,
    /// What it kept from the first step of a sign-in that still owes a code.
    pub pending: Option<String>,
    pub path: String,
    pub user_agent: String,
    /// Scheme, host and port under which the person reached the hub; one that the hub accepts.
    pub origin: String,
    /// A page of ours sent the browser here, not another site and not a typed address.
    pub from_here: bool,
    /// Neither encrypted nor from this machine.
    pub insecure: bool,
    /// Name of the session cookie on this connection; `__Host-…` ones are also `Secure`.
    pub cookie_name: String,
    pub known_cookie_name: String,
    pub pending_cookie_name: String,
}

impl RequestFacts {
    /// Whoever asks, before they are signed in.
    pub fn visitor(&self) -> Visitor<'_> {
        Visitor { user_agent: &self.user_agent, address: Some(self.address), known: self.known.as_deref() }
    }

    /// The name under which the person reached the hub, with the port if it is not the usual one.
    pub fn host(&self) -> &str {
        self.origin.split_once("://").map_or(&self.origin, |(_, host)| host)
    }
}

pub fn hub() -> Hub {
    use_context().expect("every route and server function gets the hub as context")
}

pub fn facts() -> RequestFacts {
    use_context().expect("every route and server function gets the request's facts as context")
}

/// Who asks.
pub fn viewer() -> Result<Viewer, AppError> {
    facts().viewer.ok_or_else(|| hub::Error::Unauthenticated.into())
}

/// Whether the answer goes to a browser without script, which follows a redirect and sees nothing else
/// of it.
pub(crate) fn is_plain_form() -> bool {
    let Some(parts) = use_context::<http::request::Parts>() else { return false };
    let accept = parts.headers.get(http::header::ACCEPT).and_then(|accept| accept.to_str().ok());
    parts.method == http::Method::POST && accept.is_some_and(|accept| accept.contains("text/html"))
}

/// The status of an answer that is read: a redirect keeps its own.
pub(crate) fn set_status(kind: FailureKind) {
    if is_plain_form() {
        return;
    }
    if let Some(options) = use_context::<leptos_axum::ResponseOptions>() {
        options.set_status(status_of(kind));
    }
}

/// Says when the same would work.
pub(crate) fn set_retry_after(seconds: u64) {
    if let Some(options) = use_context::<leptos_axum::ResponseOptions>() {
        options.insert_header(http::header::RETRY_AFTER, http::HeaderValue::from(seconds));
    }
}

/// Puts the session into the person's browser, and by what it is known the next time.
pub(crate) fn set_session(session: &NewSession) {
    let facts = facts();
    set_cookie(&facts.cookie_name, &session.secret, hub::SESSION_SECONDS);
    set_cookie(&facts.known_cookie_name, &session.known, hub::KNOWN_SECONDS);
    if facts.pending.is_some() {
        set_cookie(&facts.pending_cookie_name, "", 0);
    }
}

/// Puts the first step of a sign-in into the person's browser.
pub(crate) fn set_pending(pending: &PendingSignIn) {
    set_cookie(&facts().pending_cookie_name, &pending.secret, hub::PENDING_SECONDS);
}

/// Takes the session out of the person's browser.
pub(crate) fn end_session() {
    set_cookie(&facts().cookie_name, "", 0);
}

fn set_cookie(name: &str, value: &str, max_age: i64) {
    let options: leptos_axum::ResponseOptions =
        use_context().expect("server functions have response options");
    let secure = if name.starts_with("__Host-") { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={max_age}{secure}");
    let value = http::HeaderValue::from_str(&text).expect("cookie text is visible ASCII");
    options.append_header(http::header::SET_COOKIE, value);
}

/// Lets the page use what agents' pages may ask a person for. The page alone: no frame is given any
/// of it. Every page with script has it, because each of them can become an agent's.
pub(crate) fn set_permissions_policy() {
    let Some(options) = use_context::<leptos_axum::ResponseOptions>() else { return };
    let policy = "camera=(self), microphone=(self), geolocation=(self), display-capture=(self), usb=(), serial=(), payment=()";
    options.insert_header(PERMISSIONS_POLICY, http::HeaderValue::from_static(policy));
}

/// Scheme, host and port of each model server that the viewer's browser calls by itself.
#[derive(Clone, Debug, Default)]
pub struct DeviceOrigins(pub Arc<[String]>);

/// Lets the page run the hub's own scripts, show the two frame documents, and call the models on this
/// person's devices, and nothing else.
pub(crate) fn set_content_security_policy(origin: &str) {
    let Some(options) = use_context::<leptos_axum::ResponseOptions>() else { return };
    let DeviceOrigins(models) = use_context().unwrap_or_default();
    let models: String = models.iter().map(|origin| format!(" {origin}")).collect();
    let nonce = leptos::nonce::use_nonce().map_or_else(
        || "'none'".to_owned(),
        |nonce| format!("'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'"),
    );
    let policy = format!(
        "default-src 'none'; script-src {nonce}; style-src 'self'; style-src-attr 'unsafe-inline'; \
         img-src 'self' data: blob:; font-src 'self'; connect-src 'self'{models}; manifest-src 'self'; \
         frame-src {origin}/sandbox/skin {origin}/sandbox/loop {origin}/sandbox/still/; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    let value = http::HeaderValue::from_str(&policy).expect("accepted origins are visible ASCII");
    options.insert_header(http::header::CONTENT_SECURITY_POLICY, value);
}
