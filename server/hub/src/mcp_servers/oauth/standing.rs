//! What goes to the server that gives tokens, and nowhere else: the token for the next token, and the client's secret.

use super::grant::{self, Grant};
use crate::error::{Error, Result};
use crate::mcp_servers::OwnMcpServers;
use crate::vault::Secret;
use protocol::McpServerId;
use serde::{Deserialize, Serialize};

#[derive(Default, Serialize, Deserialize)]
pub(super) struct Standing {
    refresh: Option<String>,
    client_secret: Option<String>,
}

impl Standing {
    pub(super) fn new(client_secret: Option<String>) -> Self {
        Self { refresh: None, client_secret }
    }

    /// A new token in place of the one before; where none is given the one before goes on.
    pub(super) fn keep(&mut self, refresh: Option<Secret>) {
        if let Some(refresh) = refresh {
            self.refresh = Some(refresh.expose().to_owned());
        }
    }

    pub(super) fn refresh(&self) -> Option<Secret> {
        self.refresh.clone().map(Secret::new)
    }

    pub(super) fn client_secret(&self) -> Option<Secret> {
        self.client_secret.clone().map(Secret::new)
    }

    pub(super) fn seal(&self) -> Result<Secret> {
        Ok(Secret::new(serde_json::to_string(self).map_err(Error::internal)?))
    }

    pub(super) fn opened(sealed: Option<&Secret>) -> Self {
        sealed.and_then(|sealed| serde_json::from_str(sealed.expose()).ok()).unwrap_or_default()
    }
}

impl OwnMcpServers<'_> {
    pub(super) async fn standing(self, id: &McpServerId, of: &Grant) -> Result<Standing> {
        let (hub, giver) = (self.scoped.hub, of.giver());
        let place = grant::standing(self.scoped.owner(), id, &giver);
        Ok(Standing::opened(hub.vault().read(hub.store(), place).await?.as_ref()))
    }
}
