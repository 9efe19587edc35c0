//! What a call is about, as rules look at it: a place on the web, a key, or what stands in its arguments.

use crate::agent_shares::OF_PERSON;
use crate::files::FilePath;
use crate::network::host_of;
use crate::outbound::{OutboundError, Target};
use agent::tools::{ResolvedCall, ToolId};
use protocol::view::STDIO;
use serde_json::Value;

#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(super) about: About,
    /// The arguments of the call.
    pub(super) input: Value,
    /// The name of the secret that goes along.
    pub(super) secret: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) enum About {
    Nothing,
    /// The part of a resource that the call names.
    Key(String),
    /// Whatever is of the web has one: a yes to a call of it is a yes to that place.
    Place(NormalizedUrl),
}

/// Where on the web, in the one spelling in which it is compared.
#[derive(Clone, Debug)]
pub(super) struct NormalizedUrl {
    target: Target,
    /// In the words of answers: the host, with its port if that is not the usual one, the scheme unless that is
    /// `https`, and the secret that goes there.
    text: String,
    pub(super) host: String,
    pub(super) port: u16,
    /// Whether that port goes without saying.
    pub(super) is_usual_port: bool,
    pub(super) path: String,
    /// The same as servers read it that take what follows a `;` for a parameter.
    pub(super) bare_path: String,
    /// Nobody but the server sees which path it is.
    pub(super) is_path_sealed: bool,
}

impl Subject {
    /// An error if the call is of the web and its address is none.
    pub(crate) fn of(call: &ResolvedCall) -> Result<Self, OutboundError> {
        let mut about = if let Some(program) = call.elsewhere().filter(|address| is_here(address)) {
            // A program that runs here, or somebody else's agents: reached past no network.
            About::Key(program.to_owned())
        } else if let Some(address) = call.elsewhere() {
            About::Place(NormalizedUrl::of(Target::parse(address)?)?)
        } else if call.names_a_place() {
            let url = call.input()["url"].as_str().unwrap_or_default();
            About::Place(NormalizedUrl::of(Target::parse_without_fragment(url)?)?)
        } else {
            // Whichever way a path is spelled, the same rules hold for it.
            call.about().map_or(About::Nothing, |key| About::Key(FilePath::spelled(key)))
        };
        let secret = secret_of(call);
        if let (About::Place(place), Some(secret)) = (&mut about, &secret) {
            place.text = format!("{} with the secret {secret}", place.text);
        }
        Ok(Self { about, input: call.input().clone(), secret })
    }

    /// The same of a connection to a place, of which host and port alone are seen.
    pub(crate) fn of_sealed(call: &ResolvedCall) -> Result<Self, OutboundError> {
        let mut subject = Self::of(call)?;
        if let About::Place(place) = &mut subject.about {
            place.is_path_sealed = true;
        }
        Ok(subject)
    }

    /// The key that the call names, or where it leads, in the words of answers.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.about {
            About::Nothing => None,
            About::Key(key) => Some(key),
            About::Place(place) => Some(&place.text),
        }
    }

    /// Where a call of the web leads.
    pub(crate) fn target(&self) -> Option<&Target> {
        match &self.about {
            About::Nothing | About::Key(_) => None,
            About::Place(place) => Some(&place.target),
        }
    }
}

/// As [`ToolId::Fetch`] reads it.
fn secret_of(call: &ResolvedCall) -> Option<String> {
    call.tool().filter(|tool| tool.id == ToolId::Fetch)?;
    let name = call.input().get("secret")?.as_str()?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Whether what a call leads to is on this hub.
pub(super) fn is_here(address: &str) -> bool {
    address.starts_with(STDIO) || address.starts_with(OF_PERSON)
}

impl NormalizedUrl {
    fn of(target: Target) -> Result<Self, OutboundError> {
        const NO_HOST: OutboundError = OutboundError::Url("it names no host");
        let url = target.url();
        let host = host_of(url).ok_or(NO_HOST)?;
        let port = url.port_or_known_default().ok_or(NO_HOST)?;
        let is_usual_port = url.port().is_none();
        let over = if url.scheme() == "https" { "" } else { " over http" };
        let text = match is_usual_port {
            true => format!("{host}{over}"),
            false => format!("{host}:{port}{over}"),
        };
        let (path, bare_path) = (plain_path(url.path()), bare_path(url.path()));
        Ok(Self { text, host, port, is_usual_port, path, bare_path, is_path_sealed: false, target })
    }

    pub(super) fn scheme(&self) -> &str {
        self.target.url().scheme()
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
