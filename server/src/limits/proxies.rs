//! Where a request really comes from. What a header says of it counts only from proxies that the
//! configuration names; from anybody else it is text.

use http::{HeaderMap, HeaderName};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The nearest address on the way that is not a trusted proxy's. Each proxy adds, at the end, whom it
/// has the request from.
pub fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let mut client = peer.to_canonical();
    let text: Vec<&str> =
        headers.get_all(FORWARDED_FOR).iter().map(|value| value.to_str().unwrap_or("?")).collect();
    for hop in text.join(",").rsplit(',') {
        if !trusted.iter().any(|proxy| proxy.contains(&client)) {
            break;
        }
        let Some(before) = address(hop.trim()) else { break };
        client = before.to_canonical();
    }
    client
}

/// Some proxies add the port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_counts_from_trusted_proxies_only() {
        for (peer, trusted, headers, expected) in [
            // Nobody is trusted: whatever is claimed.
            ("203.0.113.9", "", &["198.51.100.1"][..], "203.0.113.9"),
            ("127.0.0.1", "", &["198.51.100.1"], "127.0.0.1"),
            ("203.0.113.9", "10.0.0.0/8", &["198.51.100.1"], "203.0.113.9"),
            // One proxy.
            ("10.1.2.3", "10.0.0.0/8", &["198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", "10.0.0.0/8", &[], "10.1.2.3"),
            ("::ffff:10.1.2.3", "10.0.0.0/8", &["198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", "10.0.0.0/8", &["2001:db8::7"], "2001:db8::7"),
            ("10.1.2.3", "10.0.0.0/8", &["198.51.100.1:4711"], "198.51.100.1"),
            ("10.1.2.3", "10.0.0.0/8", &["[2001:db8::7]:4711"], "2001:db8::7"),
            ("fd00::1", "fd00::/8", &["198.51.100.1"], "198.51.100.1"),
            // What the client claimed stands before what the proxy added.
            ("10.1.2.3", "10.0.0.0/8", &["192.0.2.66, 198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", "10.0.0.0/8", &["192.0.2.66", "198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", "10.0.0.0/8", &["10.9.9.9, 198.51.100.1"], "198.51.100.1"),
            // Two proxies, and one that nobody named in between.
            ("10.1.2.3", "10.0.0.0/8", &["192.0.2.66, 198.51.100.1, 10.4.5.6"], "198.51.100.1"),
            ("10.1.2.3", "10.0.0.0/8", &["198.51.100.1, 172.16.0.1"], "172.16.0.1"),
            // Nonsense ends the way.
            ("10.1.2.3", "10.0.0.0/8", &["198.51.100.1, unknown"], "10.1.2.3"),
            ("10.1.2.3", "10.0.0.0/8", &[""], "10.1.2.3"),
            ("10.1.2.3", "10.0.0.0/8", &["198.51.100.1,"], "10.1.2.3"),
        ] {
            let mut map = HeaderMap::new();
            for value in headers {
                map.append(FORWARDED_FOR, value.parse().unwrap());
            }
            let trusted: Vec<IpNet> = trusted.parse().into_iter().collect();
            let found = client_address(peer.parse().unwrap(), &map, &trusted);
            assert_eq!(found.to_string(), expected, "{peer} trusts {trusted:?}: {headers:?}");
        }
    }
}
