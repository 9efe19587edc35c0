//! Servers of models on this machine, found at the ports that they are known for.

use super::Server;
use crate::Hub;
use crate::models::ask_models;
use crate::providers::OwnProviders;
use agent::providers::Wire;
use futures_util::future::join_all;
use protocol::agent::ProviderKind;
use protocol::view::{LocalEndpoint, Right};
use std::time::Duration;

const PROBE_TIMEOUT: Duration = Duration::from_millis(500);

const KNOWN: [(&str, ProviderKind); 3] = [
    ("Ollama", ProviderKind::Ollama),
    ("LM Studio", ProviderKind::LmStudio),
    ("llama.cpp", ProviderKind::LlamaCpp),
];

impl OwnProviders<'_> {
    /// The known servers that answer; none where the hub may not connect to its own machine, or for
    /// people who cannot save one.
    pub async fn local_endpoints(self) -> Vec<LocalEndpoint> {
        if self.scoped.require(Right::SaveProviders).is_err() || !self.scoped.hub.outbound().reach().loopback
        {
            return Vec::new();
        }
        join_all(KNOWN.map(|(name, kind)| look(self.scoped.hub, name, kind)))
            .await
            .into_iter()
            .flatten()
            .collect()
    }
}

async fn look(hub: &Hub, name: &str, kind: ProviderKind) -> Option<LocalEndpoint> {
    let wire = Wire::of(kind)?;
    let base_url = wire.default_base_url()?;
    let base = Some(base_url.to_owned());
    let server = Server { name: name.to_owned(), wire, base_url: base, key: None, lent: None };
    let asked = tokio::time::timeout(PROBE_TIMEOUT, ask_models(hub.outbound(), &server, hub.now())).await;
    let models = asked.ok()?.ok()?;
    Some(LocalEndpoint { name: name.to_owned(), kind, base_url: base_url.to_owned(), models })
}
