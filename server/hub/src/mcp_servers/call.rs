//! Calls of tools: which ones an agent has, and what one of them brings.

use super::McpServers;
use super::apps::Ui;
use super::asking::{Asking, Asks};
use super::client::{Asked, Client};
use super::failure::McpFailure;
use super::mirror::Mirrored;
use super::resources;
use super::result::Brought;
use super::rows::{self, CallableRow};
use crate::error::Result;
use crate::made_tools::OF_SERVERS;
use protocol::model::ToolSpec;
use protocol::{AgentId, McpServerId, UserId};
use serde_json::{Value, json};
use std::time::Duration;

/// Bytes of declarations that an agent has of servers' tools.
const MOST_BYTES: usize = 1024 * 1024;
/// For one call, without what its person is asked meanwhile.
const LIMIT: Duration = Duration::from_secs(120);
/// So long a server shall keep a task: for the longest call, and a person who thinks its questions over.
const KEPT_MS: u64 = 6 * 60 * 60 * 1000;

/// A tool that an agent may call, as its person said yes to it.
#[derive(Clone, Debug)]
pub(crate) struct McpTool {
    pub(crate) spec: ToolSpec,
    /// Where it is called.
    pub(crate) url: String,
    /// Its server's word, which is nobody's leave.
    pub(crate) says_it_only_looks: bool,
    pub(super) server: McpServerId,
    pub(super) server_name: String,
    /// As the server calls it.
    pub(super) name: String,
    digest: String,
    /// It is the one by which resources are read.
    reads_resources: bool,
    is_task: bool,
    pub(super) ui: Ui,
    /// Arguments that its server wants in headers too.
    mirrored: Mirrored,
}

impl McpTool {
    /// `None`: its schema is none that is taken any more.
    fn of(row: CallableRow) -> Option<Self> {
        let CallableRow { server, server_name, url, called, offered } = row;
        let schema = offered.schema().ok()?;
        let mirrored = Mirrored::of(&offered.input_schema).ok()?;
        let spec = offered.spec(&server_name, &called, schema);
        let (digest, reads_resources, is_task) =
            (offered.digest(), offered == resources::offer(), offered.is_task);
        let says_it_only_looks = offered.says_it_only_looks();
        let (name, ui) = (offered.name, offered.ui.unwrap_or_default());
        Some(Self {
            spec,
            url,
            says_it_only_looks,
            server,
            server_name,
            digest,
            reads_resources,
            is_task,
            mirrored,
            name,
            ui,
        })
    }

    /// A page of its server shows its calls.
    pub(crate) fn has_page(&self) -> bool {
        self.ui.has_page()
    }

    /// By the name that its person gave it.
    pub(crate) fn server_name(&self) -> &str {
        &self.server_name
    }

    /// Whether it is there for a model, or for the page of a tool of this server.
    pub(crate) fn is_for(&self, page_of: Option<&McpServerId>) -> bool {
        match page_of {
            None => self.ui.is_for_models(),
            Some(server) => self.server == *server && self.ui.is_for_pages(),
        }
    }
}

fn within_room(rows: Vec<CallableRow>) -> (Vec<ToolSpec>, Vec<McpServerId>) {
    let (mut room, mut told, mut untold) = (MOST_BYTES, Vec::new(), Vec::new());
    let tools = rows.into_iter().filter_map(McpTool::of).filter(|tool| tool.is_for(None));
    for McpTool { spec, server, .. } in tools {
        let bytes = spec.description.len() + spec.input_schema.to_string().len();
        room = room.saturating_sub(bytes);
        match room {
            0 => untold.push(server),
            _ => told.push(spec),
        }
    }
    (told, untold)
}

impl McpServers<'_> {
    /// What an agent may call, by name, as far as there is room for it in what a run is told.
    pub(crate) async fn tools_of(self, agent: &AgentId) -> Result<Vec<ToolSpec>> {
        Ok(within_room(rows::callable(self.hub.store().read(), agent).await?).0)
    }

    /// The servers of those tools that it may call and is not told of, for there is no room; one for each tool.
    pub(super) async fn untold(self, agent: &AgentId) -> Result<Vec<McpServerId>> {
        Ok(within_room(rows::callable(self.hub.store().read(), agent).await?).1)
    }

    pub(crate) async fn find(self, agent: &AgentId, called: &str) -> Result<Option<McpTool>> {
        if !called.starts_with(OF_SERVERS) {
            return Ok(None);
        }
        Ok(rows::callable_as(self.hub.store().read(), agent, called).await?.and_then(McpTool::of))
    }

    /// Calls the tool. Where it was not looked at lately, it is first, and has to be the one that its person said yes
    /// to. What the server asks meanwhile is put to `person`. Whoever stops waiting closes the request.
    pub(crate) async fn call(
        self,
        owner: &UserId,
        agent: &AgentId,
        tool: &McpTool,
        input: &Value,
        person: &dyn Asks,
    ) -> std::result::Result<Brought, McpFailure> {
        let asking = Asking::new(self, owner, &tool.server_name, person, LIMIT);
        asking.within_time(self.made(owner, agent, tool, input, &asking)).await
    }

    async fn made(
        self,
        owner: &UserId,
        agent: &AgentId,
        tool: &McpTool,
        input: &Value,
        asking: &Asking<'_>,
    ) -> std::result::Result<Brought, McpFailure> {
        asking.enter().await?;
        let mut client = self.client(owner, &tool.server, &tool.server_name, &tool.url).await?;
        client.set_asking(asking);
        match self.brought(owner, agent, tool, &client, input).await {
            Err(McpFailure::LoginNeeded) if self.signed_in_again(owner, &client).await? => {}
            other => return other,
        }
        match self.brought(owner, agent, tool, &client, input).await {
            Err(McpFailure::LoginNeeded) => Err(self.signed_out(owner, &client).await?),
            other => other,
        }
    }

    async fn brought(
        self,
        owner: &UserId,
        agent: &AgentId,
        tool: &McpTool,
        client: &Client<'_>,
        input: &Value,
    ) -> std::result::Result<Brought, McpFailure> {
        if !self.hub.0.mcp_servers.looked.is_fresh(&tool.server, self.hub.moment()) {
            self.look(owner, client).await?;
            let now = self.find(agent, &tool.spec.name).await?;
            if now.is_none_or(|now| now.digest != tool.digest) {
                return Err(McpFailure::Changed);
            }
        }
        if tool.reads_resources {
            let read = Brought::of(&resources::called(client, input).await?);
            return read.with_text(|text| client.without_secrets(text)).ok_or(McpFailure::NotMcp);
        }
        let mut params = json!({ "name": tool.name, "arguments": input });
        if tool.is_task && client.met().await?.tasks {
            params["task"] = json!({ "ttl": KEPT_MS });
        }
        let mirrored = tool.mirrored.filled(input);
        let asked = Asked { method: "tools/call", about: Some(&tool.name), params, mirrored };
        let result = client.ask(&asked).await?;
        Brought::of(&result).with_text(|text| client.without_secrets(text)).ok_or(McpFailure::NotMcp)
    }
}
