//! Who a passkey is for: the name under which people reach the hub. A passkey that was made under one
//! name is never offered under another.

use url::{Host, Url};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Party {
    /// The name alone.
    pub(super) id: String,
    /// Scheme, name and port.
    pub(super) origin: String,
}

impl Party {
    /// `door` is the address that the hub is configured with. Browsers make passkeys only for names, and
    /// only where nobody can listen.
    pub(super) fn of(door: &str) -> Option<Self> {
        let url = Url::parse(door).ok()?;
        let Host::Domain(name) = url.host()? else { return None };
        let safe = url.scheme() == "https" || (url.scheme() == "http" && is_local(name));
        safe.then(|| Self { id: name.to_owned(), origin: url.origin().ascii_serialization() })
    }

    /// Whether somebody who reached the hub under `origin` can reach it under this name too.
    pub(super) fn is_reachable_from(&self, origin: &str) -> bool {
        let url = Url::parse(origin).ok();
        let on_this_machine = match url.as_ref().and_then(Url::host) {
            Some(Host::Domain(name)) => is_local(name),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        !is_local(&self.id) || on_this_machine
    }
}

fn is_local(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::Party;

    #[test]
    fn passkeys_are_for_a_name_where_nobody_listens() {
        for (door, expected) in [
            ("https://vivarium.example.org", Some(("vivarium.example.org", "https://vivarium.example.org"))),
            ("https://Hub.Example:8443/", Some(("hub.example", "https://hub.example:8443"))),
            ("http://localhost:3000", Some(("localhost", "http://localhost:3000"))),
            ("http://127.0.0.1:3000", None),
            ("https://192.0.2.7", None),
            ("https://[::1]:3000", None),
            ("http://vivarium.lan", None),
            ("not an address", None),
        ] {
            let party = Party::of(door);
            let found = party.as_ref().map(|party| (party.id.as_str(), party.origin.as_str()));
            assert_eq!(found, expected, "{door}");
        }
    }

    #[test]
    fn localhost_is_this_machine_only() {
        for (door, origin, expected) in [
            ("http://localhost:3000", "http://127.0.0.1:3000", true),
            ("http://localhost:3000", "http://[::1]:3000", true),
            ("https://localhost:3000", "https://192.168.1.7:3000", false),
            ("https://hub.example", "https://192.168.1.7:3000", true),
        ] {
            let party = Party::of(door).unwrap();
            assert_eq!(party.is_reachable_from(origin), expected, "{door} {origin}");
        }
    }
}
