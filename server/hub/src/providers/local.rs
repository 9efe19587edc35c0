//! Servers of models on this machine, found at the ports that they are known for.

use super::Server;
use crate::Hub;
use crate::access::Scoped;
use crate::models::ask_models;
use agent::providers::Wire;
use futures_util::future::join_all;
use protocol::view::LocalEndpoint;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_millis(500);

const KNOWN: [(&str, &str); 2] =
    [("Ollama", "http://127.0.0.1:11434/v1"), ("LM Studio", "http://127.0.0.1:1234/v1")];

impl Scoped<'_> {
    /// The known servers that answer; none where the hub may not connect to its own machine.
    pub async fn local_endpoints(&self) -> Vec<LocalEndpoint> {
        if !self.hub.outbound.reach().loopback {
            return Vec::new();
        }
        join_all(KNOWN.map(|(name, base_url)| look(self.hub, name, base_url)))
            .await
            .into_iter()
            .flatten()
            .collect()
    }
}

async fn look(hub: &Hub, name: &str, base_url: &str) -> Option<LocalEndpoint> {
    let server = Server {
        name: name.to_owned(),
        wire: Wire::OpenAiChat,
        base_url: Some(base_url.to_owned()),
        key: None,
    };
    let asked = tokio::time::timeout(PATIENCE, ask_models(&hub.outbound, &server)).await;
    let models = asked.ok()?.ok()?;
    Some(LocalEndpoint { name: name.to_owned(), base_url: base_url.to_owned(), models })
}
