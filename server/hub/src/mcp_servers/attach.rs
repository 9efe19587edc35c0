//! Resources for a person: looked through, and attached to a message.

use super::failure::McpFailure;
use super::resources::Wanted;
use super::visible::visible;
use super::{McpServers, OwnMcpServers, resources};
use crate::error::{Error, Result};
use protocol::view::{McpResource, McpServerView};
use protocol::{AgentId, Attachment, McpServerId, UserId};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;

/// For one look.
const LIMIT: Duration = Duration::from_secs(30);
/// Characters of a name, and of what is said of it.
const WORDS: usize = 300;

impl OwnMcpServers<'_> {
    /// What there is to read at a server that the agent may use: resources, then templates.
    pub async fn resources(self, id: &McpServerId, agent: &AgentId) -> Result<Vec<McpResource>> {
        let server = self.given(id, agent).await?;
        let listed = self.read_for(&server, &json!({})).await?;
        let blocks = listed.get("content").and_then(Value::as_array).cloned().unwrap_or_default();
        let resources = blocks.iter().map(|block| {
            let text =
                |field: &str| visible(block.get(field).and_then(Value::as_str).unwrap_or_default(), WORDS);
            let uri = block.get("uri").and_then(Value::as_str).unwrap_or_default().to_owned();
            let is_template = block.get("is_template") == Some(&Value::Bool(true));
            McpResource { uri, name: text("name"), description: text("description"), is_template }
        });
        Ok(resources.collect())
    }

    /// Keeps what stands at this address, so that a message to the agent can have it like a file that was uploaded.
    pub async fn attach(self, id: &McpServerId, agent: &AgentId, uri: &str) -> Result<Attachment> {
        let server = self.given(id, agent).await?;
        if uri.is_empty() || uri.len() > resources::ADDRESS {
            return Err(Error::invalid("Say which resource by its address."));
        }
        let read = self.read_for(&server, &json!({ "uri": uri })).await?;
        let bytes = resources::first(&read).map_err(|failure| failed(&server.name, &failure))?;
        let path = uri.split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or("resource");
        self.scoped.attachments().take_in_of(Some(&server.name), name, bytes).await
    }

    /// What a call of the tool would bring.
    async fn read_for(self, server: &McpServerView, input: &Value) -> Result<Value> {
        let (servers, owner) = (self.scoped.hub.mcp_servers(), &self.scoped.viewer.me.id);
        let read = servers.read(owner, (&server.id, &server.name, &server.url), Wanted::Call(input)).await;
        read.map_err(|failure| failed(&server.name, &failure))
    }
}

pub(super) fn failed(server: &str, failure: &McpFailure) -> Error {
    Error::Upstream(format!("{server}: {failure}"))
}

impl McpServers<'_> {
    /// What the server with this id, name and address says, within its time.
    pub(super) async fn read(
        self,
        owner: &UserId,
        server: (&McpServerId, &str, &str),
        wanted: Wanted<'_>,
    ) -> std::result::Result<Value, McpFailure> {
        let read = timeout(LIMIT, self.said(owner, server, wanted)).await;
        read.unwrap_or(Err(McpFailure::TooLate(LIMIT.as_secs())))
    }

    async fn said(
        self,
        owner: &UserId,
        (id, name, url): (&McpServerId, &str, &str),
        wanted: Wanted<'_>,
    ) -> std::result::Result<Value, McpFailure> {
        let _turn = self.turn(owner).await?;
        let client = self.client(owner, id, name, url).await?;
        let read = match wanted.of(&client).await {
            Err(McpFailure::LoginNeeded) if self.signed_in_again(owner, &client).await? => {
                wanted.of(&client).await
            }
            other => other,
        };
        match read {
            Err(McpFailure::LoginNeeded) => Err(self.signed_out(owner, &client).await?),
            Err(other) => Err(other),
            Ok(read) => serde_json::from_str(&client.without_secrets(&read.to_string()))
                .map_err(|_| McpFailure::NotMcp),
        }
    }
}
