//! What a rule says that a call must be about. A rule that restricts is read widely and one that permits
//! narrowly, so that a spelling that nobody thought of falls to the side of no.

use super::subject::{About, NormalizedUrl, Subject, is_here, plain_path};
use crate::files::FilePath;
use crate::network::host_named;
use agent::hooks::fits;
use protocol::approval::Verdict;
use serde_json::Value;

/// The argument of a call that names what goes along from the vault.
const SECRET: &str = "secret";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Wide,
    Narrow,
}

impl Reading {
    pub(super) fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Allow => Self::Narrow,
            Verdict::Ask | Verdict::Deny => Self::Wide,
        }
    }
}

/// `example.org`, `*.example.org`, `.example.org` (and all below), `example.org:8000`, `example.org/docs`,
/// `https://example.org`.
#[derive(Debug)]
struct PlacePattern {
    scheme: Option<&'static str>,
    /// Whether it stands for all that ends in a dot and this host as well.
    and_below: bool,
    host: String,
    port: PortPattern,
    path: Option<String>,
}

#[derive(Debug, PartialEq, Eq)]
enum PortPattern {
    Unnamed,
    Any,
    Number(u16),
}

/// Whether a call about this is meant.
pub(super) fn is_meant(pattern: &str, subject: &Subject, reading: Reading) -> bool {
    if let Some((name, value)) = argument(pattern)
        && has_argument(&subject.input, name, value, reading)
    {
        return true;
    }
    match &subject.about {
        About::Place(place) => {
            PlacePattern::parse(pattern).is_some_and(|pattern| pattern.includes(place, reading))
        }
        About::Key(key) => fits(&FilePath::spelled(pattern), key),
        About::Nothing => false,
    }
}

/// Whether it could ever mean a place on the web.
pub(super) fn is_place(pattern: &str) -> bool {
    PlacePattern::parse(pattern).is_some()
}

/// Whether it names one host, and no pattern of hosts.
pub(super) fn names_one_host(pattern: &str) -> bool {
    PlacePattern::parse(pattern)
        .is_some_and(|place| !place.and_below && !place.host.contains('*') && place.port != PortPattern::Any)
}

/// Whether it names one program that is an MCP server, or one person whose agents are asked.
pub(super) fn names_one_here(pattern: &str) -> bool {
    is_here(pattern) && !pattern.contains('*')
}

/// `to=*@example.org`: the argument and what it must be.
pub(super) fn argument(pattern: &str) -> Option<(&str, &str)> {
    let (name, value) = pattern.split_once('=')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (!name.is_empty() && name.chars().all(is_name)).then_some((name, value))
}

/// Whether it says which secrets go along.
pub(super) fn is_about_secrets(pattern: &str) -> bool {
    argument(pattern).is_some_and(|(name, _)| name == SECRET)
}

/// Whether it names this secret, and no pattern of secrets.
pub(super) fn names_secret(pattern: &str, secret: &str) -> bool {
    argument(pattern) == Some((SECRET, secret))
}

fn has_argument(input: &Value, name: &str, pattern: &str, reading: Reading) -> bool {
    let one = |value: &Value| match value {
        Value::String(text) => is_value(pattern, text, reading),
        other => is_value(pattern, &other.to_string(), reading),
    };
    match (input.get(name), reading) {
        (None | Some(Value::Null), _) => false,
        (Some(Value::Array(values)), Reading::Wide) => values.iter().any(one),
        (Some(Value::Array(values)), Reading::Narrow) => !values.is_empty() && values.iter().all(one),
        (Some(value), _) => one(value),
    }
}

/// Widely read, one of several in a line is enough, in large or small letters; narrowly, each of them has to.
fn is_value(pattern: &str, text: &str, reading: Reading) -> bool {
    match reading {
        Reading::Narrow => text.split([',', ';', '<', '>', '\n']).all(|part| fits(pattern, part.trim())),
        Reading::Wide => {
            let (pattern, text) = (pattern.to_lowercase(), text.trim().to_lowercase());
            let mut parts = text.split(|c: char| c.is_whitespace() || ",;<>\"'".contains(c));
            fits(&pattern, &text) || parts.any(|part| !part.is_empty() && fits(&pattern, part))
        }
    }
}

impl PlacePattern {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let named = ["https", "http"].into_iter().find_map(|scheme| {
            let (start, rest) = text.split_at_checked(scheme.len())?;
            let rest = rest.strip_prefix("://")?;
            start.eq_ignore_ascii_case(scheme).then_some((scheme, rest))
        });
        let (scheme, text) = match named {
            Some((scheme, rest)) => (Some(scheme), rest),
            None => (None, text),
        };
        let (authority, path) = match text.find('/') {
            Some(at) => (&text[..at], Some(&text[at..])),
            None => (text, None),
        };
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, "*")) => (host, PortPattern::Any),
            Some((host, port)) if !port.ends_with(']') => (host, PortPattern::Number(port.parse().ok()?)),
            Some(_) | None => (authority, PortPattern::Unnamed),
        };
        let (and_below, host) = match host.strip_prefix('.') {
            Some(host) => (true, host),
            None => (false, host),
        };
        let path = path.map(plain_path).filter(|path| path != "/");
        Some(Self { scheme, and_below, host: host_named(host)?, port, path })
    }

    fn includes(&self, place: &NormalizedUrl, reading: Reading) -> bool {
        let is_host = fits(&self.host, &place.host)
            || (self.and_below && fits(&format!("*.{}", self.host), &place.host));
        let is_scheme = reading == Reading::Wide || self.scheme.is_none_or(|scheme| scheme == place.scheme());
        let is_port = match self.port {
            PortPattern::Unnamed => reading == Reading::Wide || place.is_usual_port,
            PortPattern::Any => true,
            PortPattern::Number(port) => port == place.port,
        };
        is_scheme && is_host && is_port && self.path.as_ref().is_none_or(|path| is_path(path, place, reading))
    }
}

/// Widely read, one way in which a server may read it is enough, in large or small letters.
fn is_path(pattern: &str, place: &NormalizedUrl, reading: Reading) -> bool {
    let is_in = |pattern: &str, path: &str| fits(pattern, path) || fits(&format!("{pattern}/*"), path);
    match reading {
        Reading::Narrow => {
            !place.is_path_sealed && is_in(pattern, &place.path) && is_in(pattern, &place.bare_path)
        }
        Reading::Wide if place.is_path_sealed => true,
        Reading::Wide => {
            let pattern = pattern.to_lowercase();
            [&place.path, &place.bare_path].into_iter().any(|path| is_in(&pattern, &path.to_lowercase()))
        }
    }
}

#[cfg(test)]
mod tests;
