//! How much somebody may take.

use super::settings::read;
use super::values::number;
use crate::limits::Allowance;
use crate::startup_error::StartupError;
use ipnet::IpNet;
use std::net::IpAddr;

pub(super) fn allowance() -> Result<Allowance, StartupError> {
    Ok(Allowance {
        person_requests: number("VIVARIUM_PERSON_REQUESTS", 50)?,
        address_requests: number("VIVARIUM_ADDRESS_REQUESTS", 10)?,
        person_sockets: number("VIVARIUM_PERSON_SOCKETS", 200)?,
        address_connections: number("VIVARIUM_ADDRESS_CONNECTIONS", 200)?,
        trusted_proxies: trusted_proxies()?,
    })
}

/// Absent: there is no limit.
pub(super) fn person_bytes() -> Result<Option<u64>, StartupError> {
    let megabytes = u64::from(number("VIVARIUM_PERSON_MEGABYTES", 4096)?);
    Ok((megabytes > 0).then_some(megabytes * 1024 * 1024))
}

/// Addresses and networks, apart by commas.
fn trusted_proxies() -> Result<Vec<IpNet>, StartupError> {
    let text = read("VIVARIUM_TRUSTED_PROXIES").unwrap_or_default();
    let network = |part: &str| match part.parse::<IpAddr>() {
        Ok(address) => Some(IpNet::from(address)),
        Err(_) => part.parse::<IpNet>().ok(),
    };
    text.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| {
            network(part).ok_or_else(|| {
                StartupError(format!(
                    "VIVARIUM_TRUSTED_PROXIES has {part}, which is no address or network like 10.0.0.0/8."
                ))
            })
        })
        .collect()
}
