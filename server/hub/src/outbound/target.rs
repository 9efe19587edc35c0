//! An address on the web, checked as far as that goes without a look-up.

use super::{OutboundError, Reach, address};
use std::net::IpAddr;
use url::{Host, Url};

const MAX_URL_BYTES: usize = 2048;
/// How names end that mean nothing on the public web. A name of one word means nothing there either.
const LOCAL_NAMES: [&str; 5] = [".localhost", ".local", ".lan", ".internal", ".home.arpa"];

/// A web address without user name, password or fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target(Url);

impl Target {
    pub(crate) fn parse(text: &str) -> Result<Self, OutboundError> {
        let text = text.trim();
        if text.len() > MAX_URL_BYTES {
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

    /// Like [`Self::parse`]; what follows a `#` is for whoever reads the answer.
    pub(crate) fn parse_without_fragment(text: &str) -> Result<Self, OutboundError> {
        Self::parse(text.split_once('#').map_or(text, |(address, _)| address))
    }

    /// Where a redirect leads from here.
    pub(crate) fn join(&self, location: &str) -> Result<Self, OutboundError> {
        let url = self.0.join(location).map_err(|_| OutboundError::Url("it leads nowhere"))?;
        Self::parse_without_fragment(url.as_str())
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    /// The same address with this behind its question mark.
    pub(crate) fn with_query(&self, query: Option<&str>) -> Self {
        let mut url = self.0.clone();
        url.set_query(query);
        Self(url)
    }

    /// Scheme, host and port: where a request goes, and all that an error says of it.
    pub(crate) fn place(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Whether the other address is on the same server, and as well sealed on the way there. That a server
    /// of the usual port is asked by `https` after `http` makes it no other one.
    pub(crate) fn is_server_of(&self, other: &Self) -> bool {
        let is_usual = |target: &Self| target.0.port().is_none();
        let is_port = self.0.port_or_known_default() == other.0.port_or_known_default()
            || is_usual(self) && is_usual(other);
        self.0.host() == other.0.host()
            && is_port
            && (other.0.scheme() == "https" || self.0.scheme() == other.0.scheme())
    }

    /// The same address under the name to which people add `www.` or not.
    pub(crate) fn without_www(&self) -> Self {
        let mut url = self.0.clone();
        let name = self.0.host_str().and_then(|host| host.strip_prefix("www."));
        if let Some(name) = name.filter(|name| name.contains('.')) {
            // What is no host without it keeps it.
            let _ = url.set_host(Some(name));
        }
        Self(url)
    }

    /// Whether it is on this machine or in the network around it, as far as that shows without a
    /// look-up.
    pub(crate) fn is_local(&self) -> bool {
        match self.0.host() {
            Some(Host::Ipv4(ip)) => address::is_near(ip.into()),
            Some(Host::Ipv6(ip)) => address::is_near(ip.into()),
            Some(Host::Domain(name)) => {
                let name = name.trim_end_matches('.');
                !name.contains('.') || LOCAL_NAMES.iter().any(|end| name.ends_with(end))
            }
            None => false,
        }
    }

    /// The same, in a form that a page's policy can name: a list of words, which has no way to write an
    /// IPv6 address.
    pub(crate) fn is_local_to_a_page(&self) -> bool {
        match self.0.host() {
            Some(Host::Ipv4(ip)) => address::is_near(ip.into()),
            Some(Host::Domain(name)) => is_local_word(name),
            Some(Host::Ipv6(_)) | None => false,
        }
    }

    /// Whether a page may send a key there: sealed on the way, or no way at all. And a page's policy
    /// can name it.
    pub(crate) fn is_fit_for_a_key_of_a_page(&self) -> bool {
        let is_named = match self.0.host() {
            Some(Host::Ipv4(_)) => true,
            Some(Host::Domain(name)) => is_word(name),
            Some(Host::Ipv6(_)) | None => false,
        };
        is_named && (self.0.scheme() == "https" || self.is_local_to_a_page())
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

/// Whether no public server has this name, and a policy can be made of it.
fn is_local_word(name: &str) -> bool {
    is_word(name) && (name == "localhost" || LOCAL_NAMES.iter().any(|end| name.ends_with(end)))
}

fn is_word(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOWHERE: Reach = Reach { private: false, loopback: false };

    #[test]
    fn a_place_near_by_is_known() {
        for (near, addresses) in [
            (
                true,
                "http://127.0.0.1:11434 http://[::1]/v1 http://192.168.1.5 http://10.0.0.2/ http://100.64.0.1",
            ),
            (
                true,
                "http://localhost:1234/v1 http://box/ http://LLM.local http://gpu.home.arpa. http://a.internal",
            ),
            (
                false,
                "https://api.openai.com/v1 http://1.1.1.1 http://169.254.169.254 https://local.example.com",
            ),
            (false, "https://notlocal.com http://evil-lan.org"),
        ] {
            for address in addresses.split(' ') {
                assert_eq!(Target::parse(address).expect(address).is_local(), near, "{address}");
            }
        }
    }

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
    fn an_address_is_on_the_same_server_if_nobody_more_hears_of_it_there() {
        for (first, then, expected) in [
            ("https://a.example/x", "https://a.example:443/y?z", true),
            ("http://a.example/", "https://a.example/", true),
            ("https://a.example/", "http://a.example/", false),
            ("https://a.example/", "https://a.example:8443/", false),
            ("https://a.example/", "https://b.a.example/", false),
            ("http://a.example:8080/", "http://a.example:8080/y", true),
            ("http://a.example:8080/", "http://a.example/", false),
        ] {
            let [first, then] = [first, then].map(|url| Target::parse(url).expect(url));
            assert_eq!(first.is_server_of(&then), expected, "{first:?} {then:?}");
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
