//! What kind of place an IP address is.

use super::Reach;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    Public,
    Private,
    Loopback,
    /// Link-local, cloud metadata, multicast, reserved, or a disguise of another address.
    Forbidden,
}

impl Reach {
    pub(super) fn allows(self, ip: IpAddr) -> bool {
        match zone(ip) {
            Zone::Public => true,
            Zone::Private => self.private,
            Zone::Loopback => self.loopback,
            Zone::Forbidden => false,
        }
    }
}

/// On this machine or in a private network.
pub(super) fn is_near(ip: IpAddr) -> bool {
    match zone(ip) {
        Zone::Loopback | Zone::Private => true,
        Zone::Public | Zone::Forbidden => false,
    }
}

pub(super) fn zone(ip: IpAddr) -> Zone {
    match ip {
        IpAddr::V4(ip) => zone_v4(ip),
        IpAddr::V6(ip) => zone_v6(ip),
    }
}

/// Clouds answer with credentials at these, which lie in ranges that are otherwise fine.
const METADATA_V4: [Ipv4Addr; 2] = [Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(168, 63, 129, 16)];
const METADATA_V6: [Ipv6Addr; 2] =
    [Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)];

fn zone_v4(ip: Ipv4Addr) -> Zone {
    if METADATA_V4.contains(&ip) {
        return Zone::Forbidden;
    }
    match ip.octets() {
        [127, ..] => Zone::Loopback,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] => Zone::Private,
        [0, ..]
        | [169, 254, ..]
        | [192, 0, 0 | 2, _]
        | [192, 88, 99, _]
        | [198, 18 | 19, ..]
        | [198, 51, 100, _]
        | [203, 0, 113, _]
        | [224..=255, ..] => Zone::Forbidden,
        _ => Zone::Public,
    }
}

fn zone_v6(ip: Ipv6Addr) -> Zone {
    if METADATA_V6.contains(&ip) {
        return Zone::Forbidden;
    }
    if let Some(ip) = ip.to_ipv4_mapped() {
        return zone_v4(ip);
    }
    match ip.segments() {
        [0, 0, 0, 0, 0, 0, 0, 1] => Zone::Loopback,
        [0xfc00..=0xfdff, ..] => Zone::Private,
        // NAT64: the gateway behind it connects to the embedded address.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            let [a, b] = high.to_be_bytes();
            let [c, d] = low.to_be_bytes();
            match zone_v4(Ipv4Addr::new(a, b, c, d)) {
                Zone::Public => Zone::Public,
                Zone::Private | Zone::Loopback | Zone::Forbidden => Zone::Forbidden,
            }
        }
        // Protocol assignments (Teredo among them), documentation, 6to4.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..=0xfff, ..] => {
            Zone::Forbidden
        }
        [0x2000..=0x3fff, ..] => Zone::Public,
        _ => Zone::Forbidden,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_has_its_zone() {
        let table = [
            (
                Zone::Public,
                "1.1.1.1 93.184.216.34 172.15.0.1 172.32.0.1 100.63.0.1 192.0.1.1 223.255.255.255",
            ),
            (Zone::Public, "2606:4700::1111 2a00:1450::1 ::ffff:1.1.1.1 64:ff9b::1.1.1.1 2001:200::1"),
            (
                Zone::Private,
                "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 ::ffff:10.0.0.1 fd12::1",
            ),
            (Zone::Loopback, "127.0.0.1 127.255.255.254 ::1 ::ffff:127.0.0.1"),
            (Zone::Forbidden, "0.0.0.0 0.1.2.3 169.254.169.254 169.254.0.1 100.100.100.200 168.63.129.16"),
            (Zone::Forbidden, "192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1"),
            (Zone::Forbidden, "224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255"),
            (Zone::Forbidden, ":: fe80::1 febf::1 fec0::1 ff02::1 100::1 2001::1 2001:db8::1 2002:7f00:1::"),
            (Zone::Forbidden, "::ffff:169.254.169.254 ::ffff:0.0.0.0 ::7f00:1 fd00:ec2::254 3fff::1 5f00::1"),
            (Zone::Forbidden, "64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b:1::1"),
        ];
        for (expected, addresses) in table {
            for address in addresses.split(' ') {
                assert_eq!(zone(address.parse().expect(address)), expected, "{address}");
            }
        }
    }

    #[test]
    fn private_and_loopback_are_opened_one_by_one() {
        let addresses = ["1.1.1.1", "10.0.0.1", "127.0.0.1", "169.254.169.254"];
        let table = [
            (Reach { private: false, loopback: false }, [true, false, false, false]),
            (Reach { private: true, loopback: false }, [true, true, false, false]),
            (Reach { private: false, loopback: true }, [true, false, true, false]),
            (Reach { private: true, loopback: true }, [true, true, true, false]),
        ];
        for (reach, expected) in table {
            let allowed = addresses.map(|ip| reach.allows(ip.parse().expect(ip)));
            assert_eq!(allowed, expected, "{reach:?}");
        }
    }
}
