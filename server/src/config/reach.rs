//! Which addresses providers and agents may reach beside public ones.

use super::values::switch;
use crate::startup_error::StartupError;
use hub::Reach;
use url::{Host, Url};

/// Who can get to the hub, as far as the configuration shows.
pub(super) struct Situation<'a> {
    /// It listens on an address of this machine.
    pub(super) listens_here: bool,
    pub(super) public_url: Option<&'a Url>,
    pub(super) is_behind_proxy: bool,
}

impl Situation<'_> {
    /// Nobody but people at this machine. A proxy lets others in, whatever the hub listens on.
    pub(super) fn is_private(&self) -> bool {
        let is_published = self.public_url.is_some_and(|url| match url.host() {
            Some(Host::Domain(name)) => !name.eq_ignore_ascii_case("localhost"),
            Some(Host::Ipv4(ip)) => !ip.is_loopback(),
            Some(Host::Ipv6(ip)) => !ip.is_loopback(),
            None => true,
        });
        self.listens_here && !is_published && !self.is_behind_proxy
    }
}

/// Providers may have private addresses when the hub itself is only for this machine, or when the
/// administrator says so.
pub(super) fn reach(is_private: bool) -> Result<Reach, StartupError> {
    let local = switch("VIVARIUM_PRIVATE_ADDRESSES")?.unwrap_or(is_private);
    Ok(Reach { private: local, loopback: local })
}

/// Agents reach public addresses and no others, unless the administrator lets their people list others.
pub(super) fn listed() -> Result<Reach, StartupError> {
    let local = switch("VIVARIUM_PRIVATE_WEB")?.unwrap_or(false);
    Ok(Reach { private: local, loopback: local })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hub_that_others_can_get_to_is_not_private_whatever_it_listens_on() {
        for (listens_here, public_url, is_behind_proxy, expected) in [
            (true, None, false, true),
            (true, Some("http://localhost:8080"), false, true),
            (true, Some("https://127.0.0.1"), false, true),
            (true, Some("http://[::1]:3000"), false, true),
            (true, Some("https://vivarium.example.org"), false, false),
            (true, Some("http://192.168.1.7"), false, false),
            (true, None, true, false),
            (true, Some("http://localhost"), true, false),
            (false, None, false, false),
            (false, Some("http://localhost"), false, false),
        ] {
            let url = public_url.map(|url| Url::parse(url).unwrap());
            let situation = Situation { listens_here, public_url: url.as_ref(), is_behind_proxy };
            assert_eq!(situation.is_private(), expected, "{listens_here} {public_url:?} {is_behind_proxy}");
        }
    }
}
