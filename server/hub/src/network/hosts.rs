//! A line of an allow-list: a host, or all below a name, perhaps with a port.

use std::fmt;
use url::{Host, Url};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// Whether it stands for all that ends in a dot and this host.
    below: bool,
    /// As addresses have it: lower case, ASCII.
    host: String,
    port: Option<u16>,
}

impl Pattern {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (below, rest) = match text.strip_prefix("*.") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let is_host = |c: char| c.is_alphanumeric() || "-._:[]".contains(c);
        if rest.is_empty() || !rest.chars().all(is_host) {
            return None;
        }
        let url = Url::parse(&format!("http://{rest}/")).ok()?;
        // Not from the address: it leaves out the port that goes without saying.
        let port = match rest.rsplit_once(':') {
            Some((_, port)) if !port.ends_with(']') => Some(port.parse().ok()?),
            Some(_) | None => None,
        };
        let host = match url.host()? {
            Host::Ipv4(_) | Host::Ipv6(_) if below => return None,
            Host::Domain(_) | Host::Ipv4(_) | Host::Ipv6(_) => host_of(&url)?,
        };
        (!host.is_empty()).then_some(Self { below, host, port })
    }

    pub(super) fn allows(&self, url: &Url, usual_ports: &[u16]) -> bool {
        let port = url.port_or_known_default();
        let is_port = match self.port {
            Some(own) => port == Some(own),
            None => port.is_some_and(|port| usual_ports.contains(&port)),
        };
        let is_host = match url.host() {
            Some(Host::Domain(name)) if self.below => plain(name)
                .strip_suffix(self.host.as_str())
                .is_some_and(|rest| rest.len() > 1 && rest.ends_with('.')),
            Some(Host::Domain(name)) => plain(name) == self.host,
            Some(Host::Ipv4(ip)) => !self.below && ip.to_string() == self.host,
            Some(Host::Ipv6(ip)) => !self.below && format!("[{ip}]") == self.host,
            None => false,
        };
        is_port && is_host
    }
}

/// The host of the address as it is compared.
pub(crate) fn host_of(url: &Url) -> Option<String> {
    Some(match url.host()? {
        Host::Domain(name) => plain(name).to_owned(),
        Host::Ipv4(ip) => ip.to_string(),
        Host::Ipv6(ip) => format!("[{ip}]"),
    })
}

/// The same of a host as a person writes it, in which `*` may stand for any characters. `None`: it is none.
pub(crate) fn host_named(text: &str) -> Option<String> {
    let is_host = |c: char| c.is_alphanumeric() || "*-._:[]".contains(c);
    if text.is_empty() || !text.chars().all(is_host) {
        return None;
    }
    let url = Url::parse(&format!("http://{text}/")).ok()?;
    host_of(&url).filter(|host| !host.is_empty())
}

/// A name without the dot that says that it is whole.
fn plain(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let below = if self.below { "*." } else { "" };
        write!(f, "{below}{}", self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}
