//! Look-up of names. What comes out has been checked, so that no name can lead to an address that
//! may not be connected to.

use super::Reach;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::SocketAddr;
use thiserror::Error;

#[derive(Debug)]
pub(super) struct Resolver {
    reach: Reach,
}

/// Every address of the name is out of reach.
#[derive(Debug, Error)]
#[error("no address of this name is allowed")]
pub(super) struct OutOfReach;

/// The name has no address.
#[derive(Debug, Error)]
#[error("this name has no address")]
pub(super) struct NoSuchName;

impl Resolver {
    pub(super) fn new(reach: Reach) -> Self {
        Self { reach }
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.reach;
        Box::pin(async move {
            let found: Vec<SocketAddr> =
                tokio::net::lookup_host((name.as_str(), 0)).await.map_err(|_| NoSuchName)?.collect();
            Ok(within(reach, found)?)
        })
    }
}

fn within(reach: Reach, mut found: Vec<SocketAddr>) -> Result<Addrs, OutOfReach> {
    found.retain(|address| reach.allows(address.ip()));
    if found.is_empty() {
        return Err(OutOfReach);
    }
    Ok(Box::new(found.into_iter()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_within_reach_come_out() {
        let public_only = Reach::default();
        let table = [
            ("93.184.216.34:0", Some("93.184.216.34:0")),
            ("127.0.0.1:0", None),
            ("169.254.169.254:0 10.0.0.1:0", None),
            ("127.0.0.1:0 93.184.216.34:0 [::1]:0", Some("93.184.216.34:0")),
        ];
        for (found, expected) in table {
            let addresses = found.split(' ').map(|address| address.parse().expect(address)).collect();
            let kept = within(public_only, addresses).ok();
            let kept = kept.map(|kept| kept.map(|address| address.to_string()).collect::<Vec<_>>().join(" "));
            assert_eq!(kept.as_deref(), expected, "{found}");
        }
    }
}
