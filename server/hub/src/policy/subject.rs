//! What a call is about, as rules look at it: a place on the web, a key, or what stands in its arguments.

use crate::network::host_of;
use crate::outbound::Target;
use agent::tools::Tool;
use protocol::model::ToolCall;
use serde_json::Value;

#[derive(Clone, Debug, Default)]
pub(crate) struct Subject {
    /// In the words of answers: a host, with its port if that is not the usual one, or the key that the call
    /// names.
    pub(super) text: Option<String>,
    pub(super) place: Option<Place>,
    /// The arguments of the call.
    pub(super) input: Value,
}

/// Where on the web, in the one spelling in which it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) host: String,
    pub(super) port: u16,
    /// Whether that port goes without saying.
    pub(super) is_usual_port: bool,
    pub(super) path: String,
    /// The same as servers read it that take what follows a `;` for a parameter.
    pub(super) bare_path: String,
}

impl Subject {
    pub(crate) fn of(tool: Option<&Tool>, call: &ToolCall) -> Self {
        let input = call.input.clone();
        let Some(tool) = tool else { return Self { input, ..Self::default() } };
        if !tool.is_of_the_web() {
            return Self { text: tool.about(&call.input).map(str::to_owned), place: None, input };
        }
        let target = call.input["url"].as_str().and_then(|url| Target::parse_without_fragment(url).ok());
        match target {
            Some(target) => Self { input, ..Self::at(&target) },
            None => Self { input, ..Self::default() },
        }
    }

    /// A request that leads there.
    pub(crate) fn at(target: &Target) -> Self {
        let Some(place) = Place::of(target) else { return Self::default() };
        let text = match place.is_usual_port {
            true => place.host.clone(),
            false => format!("{}:{}", place.host, place.port),
        };
        Self { text: Some(text), place: Some(place), input: Value::Null }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

impl Place {
    fn of(target: &Target) -> Option<Self> {
        let url = target.url();
        Some(Self {
            host: host_of(url)?,
            port: url.port_or_known_default()?,
            is_usual_port: url.port().is_none(),
            path: plain_path(url.path()),
            bare_path: bare_path(url.path()),
        })
    }
}

/// A path without the spellings in which servers see the same one: percent signs, doubled slashes, dots.
pub(super) fn plain_path(path: &str) -> String {
    joined(&fully_decoded(path), |part| part)
}

/// The same without what follows a `;` in each of its parts.
fn bare_path(path: &str) -> String {
    joined(&fully_decoded(path), |part| part.split(';').next().unwrap_or_default())
}

fn fully_decoded(path: &str) -> String {
    let mut path = path.to_owned();
    loop {
        let decoded = decoded(&path);
        if decoded == path {
            return path;
        }
        path = decoded;
    }
}

fn joined(path: &str, as_read: impl Fn(&str) -> &str) -> String {
    let mut parts = Vec::new();
    for part in path.split(['/', '\\']) {
        match as_read(part) {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// With each `%41` as the letter that it stands for. It is shorter then, or the same.
fn decoded(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digit = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push(u8::try_from(high * 16 + low).unwrap_or(byte));
                at += 3;
            }
            _ => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    // What is no text is some letter: the rest of the path is read all the same.
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{bare_path, plain_path};

    #[test]
    fn a_bare_path_has_no_parameters() {
        for (path, expected) in [
            ("/docs;a=1/b;c", "/docs/b"),
            ("/open/..;/docs", "/docs"),
            ("/open/..%3B/docs", "/docs"),
            ("/open;/../docs", "/docs"),
            ("/docs", "/docs"),
        ] {
            assert_eq!(bare_path(path), expected, "{path}");
        }
    }

    #[test]
    fn a_path_has_one_spelling() {
        for (path, expected) in [
            ("/", "/"),
            ("", "/"),
            ("/docs/", "/docs"),
            ("//docs//a", "/docs/a"),
            ("/d%6fcs", "/docs"),
            ("/d%256Fcs", "/docs"),
            ("/open/..%2fdocs", "/docs"),
            ("/open/%2e%2e/docs", "/docs"),
            ("/open/..%5Cdocs", "/docs"),
            ("/../../docs", "/docs"),
            ("/100%", "/100%"),
            ("/%ff", "/\u{fffd}"),
            ("/d%6fcs/%ff", "/docs/\u{fffd}"),
            ("/open/..;/docs", "/open/..;/docs"),
            ("/b%C3%BCcher", "/bücher"),
        ] {
            assert_eq!(plain_path(path), expected, "{path}");
        }
    }
}
