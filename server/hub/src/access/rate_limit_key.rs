//! Which network addresses are one asker's.

use std::net::{IpAddr, Ipv6Addr};

/// The address by which somebody is counted: of IPv6 the first 64 bits, since whoever has those
/// chooses the rest.
pub fn rate_limit_key(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rate_limit_key;

    #[test]
    fn who_can_choose_an_address_is_counted_as_one() {
        for (address, expected) in [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ] {
            assert_eq!(rate_limit_key(address.parse().unwrap()).to_string(), expected, "{address}");
        }
    }
}
