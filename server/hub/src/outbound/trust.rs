//! Which servers are believed to be who they say they are: what the machine trusts, read once.

use rustls::ClientConfig;
use rustls::client::Resumption;
use rustls_platform_verifier::ConfigVerifierExt;
use std::sync::{Arc, OnceLock};

/// None: the machine has no certificates that can be read.
pub(super) fn trusted() -> Option<Arc<ClientConfig>> {
    static CONFIG: OnceLock<Option<Arc<ClientConfig>>> = OnceLock::new();
    let read = || {
        ClientConfig::with_platform_verifier().inspect_err(|error| {
            tracing::warn!("no trusted certificates were found, so https does not work: {error:?}");
        })
    };
    CONFIG.get_or_init(|| read().ok().map(Arc::new)).clone()
}

/// The same for a client of HTTP, whose sessions no other client takes up.
pub(super) fn trusted_for_http() -> Option<ClientConfig> {
    let mut config = Arc::unwrap_or_clone(trusted()?);
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    config.resumption = Resumption::default();
    Some(config)
}
