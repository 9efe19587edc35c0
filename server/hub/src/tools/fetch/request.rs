//! What is sent: the model's request without what is not the model's to say.

use super::response::{PART, TEXT};
use super::{ToolError, has_body};
use crate::outbound::Target;
use crate::web_secrets::SentSecret;
use agent::tools::ResolvedCall;
use reqwest::Method;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

/// Headers that say who asks, or are the connection's own. So are those that begin as `BEGINNINGS` do.
const NOT_SENT: &[&str] = &[
    "accept-encoding",
    "authorization",
    "connection",
    "content-length",
    "cookie",
    "expect",
    "forwarded",
    "host",
    "keep-alive",
    "origin",
    "referer",
    "set-cookie",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
    "x-api-key",
    "x-real-ip",
];
const BEGINNINGS: [&str; 3] = ["proxy-", "sec-", "x-forwarded-"];

/// Bytes of all headers at most.
const HEADERS: usize = 16 * 1024;

#[derive(Debug)]
pub(super) struct FetchRequest {
    pub(super) method: Method,
    pub(super) target: Target,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
    /// Headers that were left out.
    pub(super) dropped: Vec<String>,
    /// What is wanted of HTML.
    pub(super) format: Format,
    /// What of a page is wanted, in the words of CSS; absent: its main text.
    pub(super) selector: Option<String>,
    /// The character of the text from which on it is told, or the link, counted from 0.
    pub(super) from: usize,
    /// Bytes of JSON of what a page says that are told at once.
    pub(super) most: usize,
    /// The name of the secret that is to be sent along.
    pub(super) secret_named: Option<String>,
    /// The secret itself, which the answer may give back.
    secret: Option<SentSecret>,
}

/// What is told of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    /// What it says to its readers.
    #[default]
    Readable,
    /// Its HTML.
    Source,
    /// Where it leads.
    Links,
    /// What it says of itself.
    Metadata,
}

impl Format {
    fn named(name: &str) -> Self {
        match name {
            "source" => Self::Source,
            "links" => Self::Links,
            "metadata" => Self::Metadata,
            _ => Self::Readable,
        }
    }
}

impl FetchRequest {
    pub(super) fn of(call: &ResolvedCall) -> Result<Self, ToolError> {
        let text = |name: &str| call.input().get(name).and_then(Value::as_str);
        let method = text("method").unwrap_or("GET");
        let method = Method::from_bytes(method.as_bytes())
            .map_err(|_| ToolError(format!("{method} is not a method.")))?;
        let target = Target::parse_without_fragment(text("url").unwrap_or_default())?;
        let body = text("body").unwrap_or_default().as_bytes().to_vec();
        if !body.is_empty() && !has_body(&method) {
            return Err(ToolError(format!("{method} has no body.")));
        }
        let from = call.input().get("from").and_then(Value::as_u64).unwrap_or_default();
        let mut asked = Self {
            method,
            target,
            headers: HeaderMap::new(),
            body,
            dropped: Vec::new(),
            format: Format::named(text("format").unwrap_or_default()),
            selector: text("selector").map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned),
            from: usize::try_from(from).unwrap_or(usize::MAX),
            most: PART,
            secret_named: text("secret").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned),
            secret: None,
        };
        for (name, value) in call.input().get("headers").and_then(Value::as_object).into_iter().flatten() {
            asked.add_header(name, value.as_str().unwrap_or_default())?;
        }
        let size: usize = asked.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
        if size > HEADERS {
            return Err(ToolError("The headers are larger than 16 KB.".to_owned()));
        }
        asked.headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        Ok(asked)
    }

    /// Of a page that is read as far as texts are at all.
    pub(super) fn whole(target: Target) -> Self {
        Self {
            method: Method::GET,
            target,
            headers: HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static("identity"))]),
            body: Vec::new(),
            dropped: Vec::new(),
            format: Format::Readable,
            selector: None,
            from: 0,
            most: TEXT,
            secret_named: None,
            secret: None,
        }
    }

    /// Sends it along, to the server that it is for.
    pub(super) fn send_along(&mut self, secret: SentSecret) {
        secret.put_into(&mut self.headers);
        self.secret = Some(secret);
    }

    /// What the server says, without the secret that it was sent.
    pub(super) async fn without_secret(&self, text: String) -> String {
        let Some(needles) = self.secret.as_ref().and_then(SentSecret::needles) else { return text };
        let hiding = tokio::task::spawn_blocking(move || needles.hide(&text).into_owned());
        hiding.await.unwrap_or_default()
    }

    /// Whether it has nothing but its address, so that the answer is the same for whoever asks.
    pub(super) fn is_plain(&self) -> bool {
        self.method == Method::GET && self.headers.len() == 1
    }

    fn add_header(&mut self, name: &str, value: &str) -> Result<(), ToolError> {
        let lower = name.to_ascii_lowercase();
        let begins = BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning));
        if begins || NOT_SENT.contains(&lower.as_str()) {
            self.dropped.push(lower);
            return Ok(());
        }
        let wrong = || {
            ToolError(format!(
                "The header {name:?} cannot be sent: name or value has a character that headers do not have."
            ))
        };
        let name = HeaderName::from_bytes(lower.as_bytes()).map_err(|_| wrong())?;
        self.headers.insert(name, HeaderValue::from_str(value).map_err(|_| wrong())?);
        Ok(())
    }

    /// The request that a redirect asks for. To another server nothing goes along that the model meant, and
    /// the person allowed, for this one.
    pub(super) fn redirected(mut self, status: u16, target: Target) -> Result<Self, ToolError> {
        let becomes_get = match status {
            301 | 302 => self.method == Method::POST,
            303 => has_body(&self.method),
            _ => false,
        };
        if becomes_get {
            self.method = Method::GET;
            self.body.clear();
            self.headers.remove(CONTENT_TYPE);
        }
        if target.place() != self.target.place() {
            if has_body(&self.method) {
                return Err(ToolError(format!(
                    "It leads to {} with what was to be sent, and was given up. Call that address itself if it is right.",
                    target.place()
                )));
            }
            self.headers.clear();
            self.headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        }
        Ok(Self { target, ..self })
    }
}
