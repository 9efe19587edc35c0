//! What a hub of several nodes is told of the others.

use super::values::secret;
use crate::startup_error::StartupError;
use hub::NatsAddress;
use url::Url;

/// Where they meet, with all that they need besides. It may hold a password, so it is a secret. What could not be read
/// of the rest is told of where it is read.
pub(super) fn nats(
    public_url: Option<&Option<Url>>,
    database_url: Option<&Option<String>>,
) -> Result<Option<NatsAddress>, StartupError> {
    let Some(text) = secret("VIVARIUM_NATS_URL")? else { return Ok(None) };
    let url = Url::parse(&text).ok().filter(|url| matches!(url.scheme(), "nats" | "tls") && url.has_host());
    let mut lacks = Vec::new();
    if url.is_none() {
        lacks.push("VIVARIUM_NATS_URL is not an address like nats://nats.example.org:4222.");
    }
    let is_shared = |url: &Option<String>| url.as_ref().is_some_and(|url| url.starts_with("postgres"));
    if !database_url.is_none_or(is_shared) {
        lacks.push(
            "VIVARIUM_NATS_URL is for a hub of several nodes, which share a PostgreSQL: set DATABASE_URL.",
        );
    }
    if matches!(public_url, Some(None)) {
        lacks.push(
            "VIVARIUM_NATS_URL is for a hub of several nodes behind one address: set VIVARIUM_PUBLIC_URL to it.",
        );
    }
    match (url, lacks.is_empty()) {
        (Some(url), true) => Ok(Some(NatsAddress(url))),
        _ => Err(StartupError(lacks.join("\n"))),
    }
}
