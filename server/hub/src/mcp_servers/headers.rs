//! Headers that carry a person's secrets to one server. They are kept in the vault as one text.

use crate::error::{Error, Result};
use crate::vault::Secret;
use redact::Needles;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use std::borrow::Cow;

const MOST_HEADERS: usize = 10;
/// Bytes of all of them.
const MOST_BYTES: usize = 8 * 1024;
/// Those that are the connection's or the protocol's own. So are those that begin with `mcp-`.
const NOT_SENT: &[&str] = &[
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "expect",
    "host",
    "keep-alive",
    "last-event-id",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

#[derive(Debug, Default)]
pub(super) struct SecretHeaders(Vec<(HeaderName, Secret)>);

impl SecretHeaders {
    pub(super) fn add(&mut self, name: &str, value: &str) -> Result<()> {
        // What stands here may be a secret, wherever it stands.
        let wrong = || {
            Error::invalid(
                "A header cannot be sent: its name or its value is empty, or has a character that headers do not have.",
            )
        };
        let header = HeaderName::try_from(name).map_err(|_| wrong())?;
        if header.as_str().starts_with("mcp-") || NOT_SENT.contains(&header.as_str()) {
            return Err(Error::invalid(format!("The header {header} is not yours to set. Leave it out.")));
        }
        let is_token = !value.is_empty()
            && value.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
            && (header.as_str() != "authorization" || value.split(' ').count() <= 2);
        if !is_token {
            return Err(wrong());
        }
        if self.0.iter().any(|(other, _)| *other == header) {
            return Err(Error::invalid(format!("The header {header} is there twice. Leave one out.")));
        }
        let bytes: usize =
            self.0.iter().map(|(name, value)| name.as_str().len() + value.expose().len()).sum();
        if self.0.len() >= MOST_HEADERS || bytes + name.len() + value.len() > MOST_BYTES {
            return Err(Error::invalid("A server has at most 10 headers of its own, and 8 KB of them."));
        }
        self.0.push((header, Secret::new(value.to_owned())));
        Ok(())
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.as_str().to_owned()).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As they are sealed: a line for each.
    pub(super) fn seal(&self) -> Secret {
        let lines: Vec<String> =
            self.0.iter().map(|(name, value)| format!("{name}: {}", value.expose())).collect();
        Secret::new(lines.join("\n"))
    }

    pub(super) fn opened(sealed: &Secret) -> Result<Self> {
        let mut headers = Self::default();
        for line in sealed.expose().lines() {
            let (name, value) = line.split_once(": ").unwrap_or((line, ""));
            headers.add(name, value)?;
        }
        Ok(headers)
    }

    pub(super) fn put(&self, map: &mut HeaderMap) {
        for (name, value) in &self.0 {
            if let Ok(mut value) = HeaderValue::from_str(value.expose()) {
                value.set_sensitive(true);
                map.insert(name, value);
            }
        }
    }

    /// The text without what any of them holds.
    pub(super) fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut hidden = Cow::Borrowed(text);
        let secrets = self.0.iter().flat_map(|(_, value)| value.expose().split(' '));
        for needles in secrets.filter_map(Needles::of) {
            if let Cow::Owned(clean) = needles.hide(&hidden) {
                hidden = Cow::Owned(clean);
            }
        }
        hidden
    }
}
