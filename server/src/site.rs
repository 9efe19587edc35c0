//! Under which names people reach the hub. Decided from the configuration: a Host header only
//! chooses among what is accepted.

use crate::config::Config;
use std::net::{IpAddr, Ipv6Addr};
use url::Url;

/// How a person reached the hub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Scheme, host and port.
    pub origin: String,
    /// What is sent can be read on the way.
    pub insecure: bool,
    pub cookie_name: String,
    /// Of the cookie by which a browser is known from which somebody signed in.
    pub known_cookie_name: String,
    /// Of the cookie of a sign-in that still owes a code.
    pub pending_cookie_name: String,
}

#[derive(Clone, Debug)]
pub struct Site {
    public: Option<Url>,
    port: u16,
    tls: bool,
}

impl Site {
    /// `port` is the one that is really listened on.
    pub fn new(config: &Config, port: u16) -> Self {
        Self { public: config.public_url.clone(), port, tls: config.tls.is_some() }
    }

    /// `None`: not a name of this hub.
    pub fn reached(&self, host: &str) -> Option<Reached> {
        if let Some(public) =
            self.public.as_ref().filter(|public| authority(public) == host.to_ascii_lowercase())
        {
            let loopback =
                local_name(public.host_str().unwrap_or_default()).is_some_and(|(_, loopback)| loopback);
            return Some(self.describe(
                public.origin().ascii_serialization(),
                public.scheme() == "https",
                loopback,
            ));
        }
        let (name, port) = split_port(host)?;
        if port.unwrap_or(if self.tls { 443 } else { 80 }) != self.port {
            return None;
        }
        let (name, loopback) = local_name(name)?;
        let scheme = if self.tls { "https" } else { "http" };
        let origin = match port {
            Some(port) => format!("{scheme}://{name}:{port}"),
            None => format!("{scheme}://{name}"),
        };
        Some(self.describe(origin, self.tls, loopback))
    }

    /// Where a person at this machine goes first.
    pub fn front_door(&self) -> String {
        match &self.public {
            Some(public) => public.origin().ascii_serialization(),
            None => format!("{}://localhost:{}", if self.tls { "https" } else { "http" }, self.port),
        }
    }

    fn describe(&self, origin: String, encrypted: bool, loopback: bool) -> Reached {
        let trusted = encrypted || loopback;
        let cookie_name =
            if trusted { "__Host-vivarium".to_owned() } else { format!("vivarium_{}", self.port) };
        let known_cookie_name = format!("{cookie_name}-known");
        let pending_cookie_name = format!("{cookie_name}-code");
        Reached { origin, insecure: !trusted, cookie_name, known_cookie_name, pending_cookie_name }
    }
}

fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

fn split_port(host: &str) -> Option<(&str, Option<u16>)> {
    let after_name = host.rfind(']').map_or(0, |end| end + 1);
    match host[after_name..].rfind(':') {
        Some(colon) => {
            let (name, port) = host.split_at(after_name + colon);
            Some((name, Some(port[1..].parse().ok()?)))
        }
        None => Some((host, None)),
    }
}

/// Loopback names and IP literals, which no foreign name server can point here, in the one form
/// that browsers write; and whether it is this machine.
fn local_name(name: &str) -> Option<(String, bool)> {
    if name.eq_ignore_ascii_case("localhost") {
        return Some(("localhost".to_owned(), true));
    }
    if let Some(literal) = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let ip: Ipv6Addr = literal.parse().ok()?;
        return Some((format!("[{ip}]"), ip.is_loopback()));
    }
    let ip: IpAddr = name.parse().ok()?;
    ip.is_ipv4().then(|| (ip.to_string(), ip.is_loopback()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tls: bool, public: Option<&str>, host: &str, expect: Option<(&str, bool, &str)>) {
        let site = Site { public: public.map(|url| Url::parse(url).expect("a URL")), port: 3000, tls };
        let reached = site.reached(host);
        let found = reached.as_ref().map(|it| (it.origin.as_str(), it.insecure, it.cookie_name.as_str()));
        assert_eq!(found, expect, "{host}");
    }

    #[test]
    fn only_names_of_this_hub_are_accepted() {
        let home = "__Host-vivarium";
        check(false, None, "localhost:3000", Some(("http://localhost:3000", false, home)));
        check(false, None, "LOCALHOST:3000", Some(("http://localhost:3000", false, home)));
        check(false, None, "127.0.0.1:3000", Some(("http://127.0.0.1:3000", false, home)));
        check(false, None, "[::1]:3000", Some(("http://[::1]:3000", false, home)));
        check(false, None, "192.168.1.7:3000", Some(("http://192.168.1.7:3000", true, "vivarium_3000")));
        check(true, None, "192.168.1.7:3000", Some(("https://192.168.1.7:3000", false, home)));
        check(false, None, "192.168.1.7:3001", None);
        check(false, None, "evil.example:3000", None);
        check(false, None, "localhost.evil.example:3000", None);
        check(false, None, "localhost", None);
        check(false, None, "", None);
        check(false, None, "[::1", None);
        let public = Some("https://vivarium.example.org");
        check(false, public, "vivarium.example.org", Some(("https://vivarium.example.org", false, home)));
        check(false, public, "Vivarium.Example.org", Some(("https://vivarium.example.org", false, home)));
        check(false, public, "vivarium.example.org:8080", None);
        let here = Some("http://127.0.0.1:8080");
        check(false, here, "127.0.0.1:8080", Some(("http://127.0.0.1:8080", false, home)));
        let plain = Some("http://vivarium.lan");
        check(false, plain, "vivarium.lan", Some(("http://vivarium.lan", true, "vivarium_3000")));
    }
}
