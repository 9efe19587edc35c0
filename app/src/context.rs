//! All that a server function or a page on the server may ask for.

use crate::AppError;
use crate::response::is_plain_form;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hub::{Hub, NewSession, PendingSignIn, RenewedSession, Viewer, Visitor};
use language::Language;
use leptos::WasmSplitManifest;
use leptos::prelude::{ArcStoredValue, provide_context, use_context};
use protocol::ConversationId;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

const PERMISSIONS_POLICY: http::HeaderName = http::HeaderName::from_static("permissions-policy");

/// Facts about the request, found by the transport.
#[derive(Clone, Debug)]
pub struct RequestFacts {
    /// What they chose, or else what their browser asks for.
    pub language: Language,
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
    /// The address that the hub is configured with, whatever the person typed.
    pub front_door: String,
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

/// Whether somebody is. Not so either where pages are only listed, without a request.
pub(crate) fn is_signed_in() -> bool {
    use_context::<RequestFacts>().is_some_and(|facts| facts.viewer.is_some())
}

/// Who asks.
pub fn viewer() -> Result<Viewer, AppError> {
    facts().viewer.ok_or_else(|| hub::Error::Unauthenticated.into())
}

/// Sends the browser on to a page of ours, once the form is done. What stands in the address may have come
/// with the request, and is made of letters that a header can carry.
pub(crate) fn redirect(page: &str) {
    #[expect(clippy::disallowed_methods, reason = "the one place that knows what a header can carry")]
    leptos_axum::redirect(&in_a_header(page));
}

fn in_a_header(page: &str) -> String {
    let mut address = String::new();
    for byte in page.bytes() {
        match byte {
            b'!'..=b'~' => address.push(char::from(byte)),
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

/// Puts the session into the person's browser, and by what it is known the next time.
pub(crate) fn set_session(session: &NewSession) {
    let facts = facts();
    set_cookie(&facts.cookie_name, &session.secret, hub::SESSION_SECONDS);
    set_cookie(&facts.known_cookie_name, &session.known, hub::TRUSTED_BROWSER_SECONDS);
    if facts.pending.is_some() {
        set_cookie(&facts.pending_cookie_name, "", 0);
    }
    if tried_name().is_some() {
        set_cookie(&tried_cookie(), "", 0);
    }
}

/// Puts the new secret of the session that goes on into the person's browser.
pub(crate) fn renew_session(session: &RenewedSession) {
    set_cookie(&facts().cookie_name, &session.secret, session.seconds);
}

/// Puts the first step of a sign-in into the person's browser.
pub(crate) fn set_pending(pending: &PendingSignIn) {
    set_cookie(&facts().pending_cookie_name, &pending.secret, hub::PENDING_SECONDS);
}

/// How long the name of an attempt is kept, in seconds: until the form is shown again.
const TRIED_SECONDS: i64 = 120;
/// Bytes of a name that are kept.
const TRIED: usize = 200;

/// Keeps the name that came with a form that was refused: these pages have no script that could.
pub(crate) fn keep_tried_name(name: &str) {
    if is_plain_form() && name.len() <= TRIED {
        set_cookie(&tried_cookie(), &as_kept_text(name), TRIED_SECONDS);
    }
}

pub(crate) fn tried_name() -> Option<String> {
    kept_text(&tried_cookie())
}

/// What a cookie can hold of any text.
pub(crate) fn as_kept_text(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(text)
}

/// What a cookie of ours holds that was written by [`as_kept_text`].
pub(crate) fn kept_text(wanted: &str) -> Option<String> {
    let parts = use_context::<http::request::Parts>()?;
    let cookies =
        parts.headers.get_all(http::header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let value = cookies.flat_map(|line| line.split(';')).find_map(|pair| {
        pair.trim().split_once('=').filter(|(name, _)| *name == wanted).map(|(_, value)| value)
    })?;
    String::from_utf8(URL_SAFE_NO_PAD.decode(value).ok()?).ok()
}

/// The page to which programs send people.
pub(crate) const AUTHORIZE: &str = "/oauth/authorize";
/// How long it is kept where somebody was on the way to, in seconds.
const ON_THE_WAY_SECONDS: i64 = 900;
/// Bytes of such an address: a browser keeps cookies of 4 KB.
const ON_THE_WAY: usize = 2800;

/// Keeps the page that somebody wanted who has to sign in first.
pub(crate) fn keep_on_the_way() {
    let Some(parts) = use_context::<http::request::Parts>() else { return };
    let page = parts.uri.path_and_query().map_or("/", |page| page.as_str());
    if parts.method == http::Method::GET && page != "/" && page.len() <= ON_THE_WAY {
        set_cookie(&on_the_way_cookie(), &as_kept_text(page), ON_THE_WAY_SECONDS);
    }
}

/// Leads somebody on who has signed in, once.
pub(crate) fn go_on_the_way() {
    let facts = facts();
    if facts.path != "/" || facts.viewer.is_none() {
        return;
    }
    let Some(page) = kept_text(&on_the_way_cookie()) else { return };
    set_cookie(&on_the_way_cookie(), "", 0);
    if is_on_this_hub(&page) {
        redirect(&page);
    }
}

/// Whether a browser takes it for a path of the hub, whoever wrote the cookie.
fn is_on_this_hub(page: &str) -> bool {
    page.strip_prefix('/').is_some_and(|rest| !rest.starts_with(['/', '\\']))
}

fn on_the_way_cookie() -> String {
    format!("{}-on-the-way", facts().cookie_name)
}

/// Where forms may lead: to the hub alone, but for the page whose form leads back to a program. Where that is the hub
/// has looked at, the browser cannot know, and redirects on from there count as well.
fn form_action() -> &'static str {
    if facts().path == AUTHORIZE { "" } else { "form-action 'self'; " }
}

fn tried_cookie() -> String {
    format!("{}-tried", facts().cookie_name)
}

/// Takes the session out of the person's browser, and where they wanted to go.
pub(crate) fn end_session() {
    set_cookie(&facts().cookie_name, "", 0);
    if kept_text(&on_the_way_cookie()).is_some() {
        set_cookie(&on_the_way_cookie(), "", 0);
    }
}

pub(crate) fn set_cookie(name: &str, value: &str, max_age: i64) {
    let options: leptos_axum::ResponseOptions =
        use_context().expect("server functions have response options");
    let secure = if name.starts_with("__Host-") { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={max_age}{secure}");
    let value = http::HeaderValue::from_str(&text).expect("cookie text is visible ASCII");
    options.append_header(http::header::SET_COOKIE, value);
}

/// Lets the page use what agents' pages may ask a person for, and pages of MCP servers. No frame has any of it that it
/// was not given by its `allow`. Every page with script has it, because each of them can become an agent's.
pub(crate) fn set_permissions_policy() {
    let Some(options) = use_context::<leptos_axum::ResponseOptions>() else { return };
    let policy =
        "camera=*, microphone=*, geolocation=*, display-capture=(self), usb=(), serial=(), payment=()";
    options.insert_header(PERMISSIONS_POLICY, http::HeaderValue::from_static(policy));
}

/// Scheme, host and port of each model server that the viewer's browser calls by itself.
#[derive(Clone, Debug, Default)]
pub struct DeviceOrigins(pub Arc<[String]>);

/// What stands before the path of every file that a page loads.
#[derive(Clone, Debug, Default)]
pub struct AssetPrefix(pub Arc<str>);

/// What a browser loads ahead for each part of the program, as `cargo leptos build --split` writes it.
#[derive(Clone, Debug)]
pub struct SplitManifest(pub Arc<HashMap<String, Vec<String>>>);

impl SplitManifest {
    /// As Leptos reads it from a folder, for a page whose files have this prefix. Its script is named
    /// by cargo-leptos.
    pub(crate) fn provide(self, prefix: &str) {
        let (preloads, script) =
            (self.0.as_ref().clone(), "__wasm_split.______________________.js".to_owned());
        provide_context(WasmSplitManifest(ArcStoredValue::new((format!("{prefix}/pkg"), preloads, script))));
    }
}

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
    let forms = form_action();
    let policy = format!(
        "default-src 'none'; script-src {nonce}; style-src 'self'; style-src-attr 'unsafe-inline'; \
         img-src 'self' data: blob:; font-src 'self'; connect-src 'self'{models}; manifest-src 'self'; \
         worker-src {origin}/service-worker.js; \
         frame-src {origin}/sandbox/skin {origin}/sandbox/loop {origin}/sandbox/still/ {origin}/sandbox/app/; \
         {forms}base-uri 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types default"
    );
    let value = http::HeaderValue::from_str(&policy).expect("accepted origins are visible ASCII");
    options.insert_header(http::header::CONTENT_SECURITY_POLICY, value);
}

/// The conversation that an argument names; an empty one names none.
pub fn conversation_named(conversation: String) -> Option<ConversationId> {
    (!conversation.is_empty()).then_some(ConversationId(conversation))
}

#[cfg(test)]
mod tests {
    use super::in_a_header;

    #[test]
    fn an_address_is_made_of_letters_that_a_header_can_carry() {
        for (page, expected) in [
            ("/agents/0197?done=1#key", "/agents/0197?done=1#key"),
            ("/providers?tested=a\r\nSet-Cookie: b", "/providers?tested=a%0D%0ASet-Cookie:%20b"),
            ("/agents/ü\u{0}", "/agents/%C3%BC%00"),
        ] {
            assert_eq!(in_a_header(page), expected);
        }
    }
}
