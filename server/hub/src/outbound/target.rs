//! An address on the web, checked as far as that goes without a look-up.

use super::address::{Zone, zone};
use super::{OutboundError, Reach};
use std::net::IpAddr;
use url::{Host, Url};

const LONGEST: usize = 2048;

/// A web address without user name, password or fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target(Url);

impl Target {
    pub(crate) fn parse(text: &str) -> Result<Self, OutboundError> {
        let text = text.trim();
        if text.len() > LONGEST {
            return Err(OutboundError::Url("it is too long"));
        }
        let url = Url::parse(text).map_err(|_| OutboundError::Url("write it like https://example.com/v1"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(OutboundError::Url("it has to start with http:// or https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(OutboundError::Url("leave out the user name and password"));
        }
        if url.fragment().is_some() {
            return Err(OutboundError::Url("leave out what follows the #"));
        }
        Ok(Self(url))
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    /// Scheme, host and port: where a request goes, and all that an error says of it.
    pub(crate) fn place(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Whether this is on the machine or in the network of whoever connects to it, in a form that a
    /// page's policy can name: it has no way to write an IPv6 address.
    pub(crate) fn is_near(&self) -> bool {
        match self.0.host() {
            Some(Host::Ipv4(ip)) => matches!(zone(ip.into()), Zone::Private | Zone::Loopback),
            Some(Host::Domain(name)) => is_local_name(name),
            Some(Host::Ipv6(_)) | None => false,
        }
    }

    /// Refuses an IP address that is out of reach. A name's addresses are checked when it is
    /// looked up, which does not happen for these.
    pub(crate) fn check(&self, reach: Reach) -> Result<(), OutboundError> {
        let ip: IpAddr = match self.0.host() {
            Some(Host::Ipv4(ip)) => ip.into(),
            Some(Host::Ipv6(ip)) => ip.into(),
            Some(Host::Domain(_)) => return Ok(()),
            None => return Err(OutboundError::Url("write it like https://example.com/v1")),
        };
        if reach.allows(ip) {
            return Ok(());
        }
        Err(OutboundError::NotAllowed { place: self.place() })
    }
}

/// Names that no public server has. A policy is a list of words: a name is let in only if it is one.
fn is_local_name(name: &str) -> bool {
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
    let suffixes = [".localhost", ".local", ".lan", ".internal", ".home.arpa"];
    is_word && (name == "localhost" || suffixes.iter().any(|suffix| name.ends_with(suffix)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOWHERE: Reach = Reach { private: false, loopback: false };

    #[test]
    fn an_address_is_recognised_in_every_spelling() {
        let table = [
            ("https://example.com/v1", "ok"),
            (" https://example.com./v1 ", "ok"),
            ("http://1.1.1.1", "ok"),
            ("http://127.0.0.1/", "not allowed"),
            ("http://127.0.0.1./", "not allowed"),
            ("http://127.1/", "not allowed"),
            ("http://2130706433/", "not allowed"),
            ("http://017700000001/", "not allowed"),
            ("http://0x7f000001/", "not allowed"),
            ("http://0x7f.0.0.1/", "not allowed"),
            ("http://0177.0.0.01:8080/", "not allowed"),
            ("http://①②⑦.0.0.1/", "not allowed"),
            ("http://%31%32%37.0.0.1/", "not allowed"),
            ("http://0/", "not allowed"),
            ("http://[::1]/", "not allowed"),
            ("http://[::ffff:127.0.0.1]/", "not allowed"),
            ("http://[::ffff:a9fe:a9fe]/", "not allowed"),
            ("http://[64:ff9b::7f00:1]/", "not allowed"),
            ("http://[::]/", "not allowed"),
            ("http://169.254.169.254/latest/meta-data", "not allowed"),
            ("http:\\\\10.0.0.1\\v1", "not allowed"),
            ("http://example.com@127.0.0.1/", "url"),
            ("http://user:pass@example.com/", "url"),
            ("http://example.com/#@127.0.0.1", "url"),
            ("ftp://example.com/", "url"),
            ("file:///etc/passwd", "url"),
            ("example.com/v1", "url"),
            ("localhost:11434", "url"),
            ("http://", "url"),
            ("http://[fe80::1%25eth0]/", "url"),
            ("http://256.0.0.1/", "url"),
            ("", "url"),
        ];
        for (text, expected) in table {
            let checked = Target::parse(text).and_then(|target| target.check(NOWHERE));
            let found = match checked {
                Ok(()) => "ok",
                Err(OutboundError::Url(_)) => "url",
                Err(OutboundError::NotAllowed { .. }) => "not allowed",
                Err(other) => panic!("{text}: {other}"),
            };
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn an_error_names_the_place_and_no_more() {
        let target = Target::parse("http://127.0.0.1:8080/v1/models?key=canary").expect("a web address");
        let error = target.check(NOWHERE).expect_err("out of reach");
        assert!(error.to_string().contains("http://127.0.0.1:8080 "), "{error}");
        assert!(!format!("{error} {error:?}").contains("canary"));
    }
}
