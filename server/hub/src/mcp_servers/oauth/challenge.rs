//! What a server says to somebody who did not say who they are, or who may not do what they asked for (RFC 6750 and
//! 9728).

use super::metadata;
use protocol::McpServerId;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of one that is kept.
const LONGEST: usize = 4 * 1024;
/// So many are kept at once.
const MOST_KEPT: usize = 10_000;
const INSUFFICIENT: &str = "insufficient_scope";

/// What servers said last, until their people signed in.
#[derive(Debug, Default)]
pub(in super::super) struct Challenges(Mutex<HashMap<McpServerId, String>>);

impl Challenges {
    /// What is wanted besides stays until its person has signed in. Where too many are kept, all are forgotten: a
    /// server says it again.
    pub(in super::super) fn keep(&self, server: &McpServerId, header: &str) {
        let mut kept = self.kept();
        let says_more = kept.get(server).is_some_and(|before| more_scopes(before).is_some());
        if header.len() > LONGEST || (says_more && more_scopes(header).is_none()) {
            return;
        }
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(server.clone(), header.to_owned());
    }

    pub(super) fn find(&self, server: &McpServerId) -> Option<String> {
        self.kept().get(server).cloned()
    }

    pub(in super::super) fn forget(&self, server: &McpServerId) {
        self.kept().remove(server);
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<McpServerId, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The scopes that a token has to have besides its own, if that is what this says.
pub(in super::super) fn more_scopes(header: &str) -> Option<String> {
    let challenge = Challenge::parse(header);
    let scopes = challenge.scope.filter(|_| challenge.error.as_deref() == Some(INSUFFICIENT))?;
    Some(metadata::scopes(scopes.split(' '))).filter(|scopes| !scopes.is_empty())
}

/// What of it counts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Challenge {
    /// Where it is written who says who asks.
    pub(super) resource_metadata: Option<String>,
    pub(super) scope: Option<String>,
    error: Option<String>,
}

impl Challenge {
    /// Of several schemes only `Bearer` counts.
    pub(super) fn parse(header: &str) -> Self {
        let mut challenge = Self::default();
        let mut rest = header;
        let mut is_bearer = false;
        loop {
            rest = rest.trim_start_matches([' ', ',', '\t']);
            let end = rest.find(['=', ' ', ',']).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            if name.is_empty() && after.is_empty() {
                return challenge;
            }
            let Some(value) = after.strip_prefix('=') else {
                is_bearer = name.eq_ignore_ascii_case("bearer");
                // What stands here alone is skipped with its separator.
                rest = after.get(1..).unwrap_or_default();
                continue;
            };
            let (value, after) = value_of(value);
            rest = after;
            let slot = match name.to_ascii_lowercase().as_str() {
                "resource_metadata" if is_bearer => &mut challenge.resource_metadata,
                "scope" if is_bearer => &mut challenge.scope,
                "error" if is_bearer => &mut challenge.error,
                _ => continue,
            };
            slot.get_or_insert(value);
        }
    }
}

/// A token or a quoted text, and what comes after it.
fn value_of(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', ' ']).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let (mut value, mut escaped) = (String::new(), false);
    for (at, char) in quoted.char_indices() {
        match char {
            _ if escaped => {
                value.push(char);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return (value, &quoted[at + 1..]),
            _ => value.push(char),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_challenge_only_what_bearer_says_counts() {
        for (header, metadata, scope) in [
            ("", None, None),
            ("Bearer", None, None),
            (
                "Bearer error=\"invalid_token\", resource_metadata=\"https://a.example/x\"",
                Some("https://a.example/x"),
                None,
            ),
            (
                "bearer scope=\"read write\",resource_metadata=https://a.example/y",
                Some("https://a.example/y"),
                Some("read write"),
            ),
            ("Basic realm=\"a, b=c\", Bearer scope=read", None, Some("read")),
            ("Bearer scope=one, DPoP scope=two", None, Some("one")),
            ("Basic scope=\"x\"", None, None),
            ("Bearer scope=\"a\\\"b", None, Some("a\"b")),
            ("=,=,\"", None, None),
        ] {
            let found = Challenge::parse(header);
            let found = (found.resource_metadata.as_deref(), found.scope.as_deref());
            assert_eq!(found, (metadata, scope), "{header}");
        }
    }

    #[test]
    fn more_is_wanted_where_the_server_says_so_and_names_it() {
        for (header, more) in [
            ("Bearer error=\"insufficient_scope\", scope=\"write write b\\\\\"", Some("write")),
            ("Bearer scope=\"write\", error=insufficient_scope", Some("write")),
            ("Bearer error=\"insufficient_scope\"", None),
            ("Bearer error=\"insufficient_scope\", scope=\"\"", None),
            ("Bearer error=\"invalid_token\", scope=\"write\"", None),
            ("Basic error=\"insufficient_scope\", scope=\"write\"", None),
        ] {
            assert_eq!(more_scopes(header).as_deref(), more, "{header}");
        }
    }
}
