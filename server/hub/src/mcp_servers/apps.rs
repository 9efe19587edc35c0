//! Pages of tools (MCP Apps): which tools have one, what it is, which hosts it may reach and what of the device it
//! uses. A server writes such a page; it is shown sealed, and has of its person what they were asked about.

mod hosts;
mod page;
mod pages;
mod ui;

pub use page::AppPage;
pub(super) use pages::Pages;
pub(super) use ui::Ui;

use super::call::McpTool;
use super::client::{Asked, Client};
use super::failure::McpFailure;
use super::{McpServers, OwnMcpServers, resources, rows};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::store::{Json, query};
use hosts::Asked as AskedHosts;
use page::Whole;
use protocol::hub::Noun;
use protocol::view::{AuditAction, McpApp};
use protocol::{AgentId, McpServerId, UserId};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The kind of resource that such a page is.
pub(super) const PAGE: &str = "text/html;profile=mcp-app";
/// For reading one.
const LIMIT: Duration = Duration::from_secs(30);

/// The server that a page of a tool comes from.
#[derive(Clone, Debug)]
pub(crate) struct PageOwner {
    pub(crate) server: McpServerId,
    pub(crate) name: String,
}

impl OwnMcpServers<'_> {
    /// The tools that the agent may call and that have a page, by the names under which it calls them.
    pub async fn apps(self, agent: &AgentId) -> Result<Vec<String>> {
        self.scoped.require_agent(agent).await?;
        let rows = rows::callable(self.scoped.hub.store().read(), agent).await?;
        let with_page = rows.into_iter().filter(|row| row.offered.ui.as_ref().is_some_and(Ui::has_page));
        Ok(with_page.map(|row| row.called).collect())
    }

    /// The page of a tool: what it is to be told, and what it wants to reach.
    pub async fn app(self, agent: &AgentId, tool: &str) -> Result<McpApp> {
        let (tool, page) = self.app_of(agent, tool).await?;
        let asked = self.asked_hosts(&tool.server).await?;
        let AppPage { connect, load, uses, .. } = page.with(&asked);
        Ok(McpApp {
            name: tool.name,
            input_schema: tool.spec.input_schema,
            server: tool.server,
            server_name: tool.server_name,
            digest: page.seal(&asked),
            is_bordered: page.is_bordered,
            connect,
            load,
            wanted: asked.open(&page),
            uses,
            wants_to_use: asked.open_permissions(&page),
        })
    }

    /// The page with this digest, and no other.
    pub async fn app_page(self, agent: &AgentId, tool: &str, digest: &str) -> Result<AppPage> {
        let (tool, page) = self.app_of(agent, tool).await?;
        let asked = self.asked_hosts(&tool.server).await?;
        if page.seal(&asked) != digest {
            return Err(Error::Conflict("The page is another one by now. Load it again.".to_owned()));
        }
        Ok(page.with(&asked))
    }

    /// Lets pages of a server reach these hosts and use these of the device, or not. Nobody is asked about them again.
    pub async fn answer_app_hosts(self, id: &McpServerId, hosts: &[String], allow: bool) -> Result<()> {
        let server = self.found(id).await?;
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let mut tx = hub.store().write().await?;
        // Two answers at once would be made to the same state, and the later one would take the earlier one back.
        let asked: Option<Json<AskedHosts>> = query(
            "UPDATE mcp_servers SET id = id WHERE user_id = $1 AND id = $2 RETURNING app_hosts",
            (owner, id),
        )
        .fetch_optional(&mut *tx)
        .await?;
        let mut asked = asked.map(|Json(asked)| asked).unwrap_or_default();
        asked.answer(hosts, allow)?;
        query(
            "UPDATE mcp_servers SET app_hosts = $3 WHERE user_id = $1 AND id = $2",
            (owner, id, Json(&asked)),
        )
        .execute(&mut *tx)
        .await?;
        let line = AuditEvent::done(AuditAction::McpAppHostsAnswered, self.scoped.viewer);
        let verb = if allow { "allowed" } else { "refused" };
        let object = format!("{}: {} {verb}", server.name, hosts.join(", "));
        hub.audit().note(&mut tx, line.object(&object)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
        tx.commit().await
    }

    async fn app_of(self, agent: &AgentId, tool: &str) -> Result<(McpTool, Arc<Whole>)> {
        self.scoped.require_agent(agent).await?;
        let (servers, owner) = (self.scoped.hub.mcp_servers(), &self.scoped.viewer.me.id);
        let tool = servers.find(agent, tool).await?.ok_or(Error::NotFound("tool"))?;
        let reading = servers.page_of(owner, &tool);
        let page = timeout(LIMIT, reading).await.unwrap_or(Err(McpFailure::TooLate(LIMIT.as_secs())));
        let page = page.map_err(|failure| Error::Upstream(format!("{}: {failure}", tool.server_name)))?;
        Ok((tool, page))
    }

    pub(super) async fn asked_hosts(self, id: &McpServerId) -> Result<AskedHosts> {
        let asked: Option<Json<AskedHosts>> = query(
            "SELECT app_hosts FROM mcp_servers WHERE user_id = $1 AND id = $2",
            (self.scoped.owner(), id),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await?;
        Ok(asked.map(|Json(asked)| asked).unwrap_or_default())
    }
}

impl McpServers<'_> {
    /// Whose page that of a tool is, and what agents call another tool of its server that this page names.
    pub(crate) async fn beside(self, agent: &AgentId, app: &str, name: &str) -> Result<(PageOwner, String)> {
        let app = self.find(agent, app).await?.filter(|app| app.ui.has_page());
        let McpTool { server, server_name, .. } = app.ok_or(Error::NotFound("page"))?;
        let rows = rows::callable(self.hub.store().read(), agent).await?;
        let found = rows.into_iter().find(|row| row.server == server && row.offered.name == name);
        let found = found.filter(|row| row.offered.ui.as_ref().is_none_or(Ui::is_for_pages));
        let called =
            found.ok_or_else(|| Error::invalid("This server has no such tool for its page."))?.called;
        Ok((PageOwner { server, name: server_name }, called))
    }

    async fn page_of(self, owner: &UserId, tool: &McpTool) -> std::result::Result<Arc<Whole>, McpFailure> {
        let uri = tool.ui.page().ok_or(McpFailure::Empty)?;
        let pages = &self.hub.0.mcp_servers.pages;
        let key = (owner.clone(), tool.server.clone(), uri.to_owned());
        if let Some(known) = pages.find(&key, self.hub.moment()) {
            return Ok(known);
        }
        let _turn = self.turn(owner).await?;
        let client = self.client(owner, &tool.server, &tool.server_name, &tool.url).await?;
        let page = match read(&client, uri).await {
            Err(McpFailure::LoginNeeded) if self.signed_in_again(owner, &client).await? => {
                read(&client, uri).await
            }
            other => other,
        };
        let page = match page {
            Err(McpFailure::LoginNeeded) => return Err(self.signed_out(owner, &client).await?),
            other => Arc::new(other?),
        };
        pages.keep(key, Arc::clone(&page), self.hub.moment());
        Ok(page)
    }
}

async fn read(client: &Client<'_>, uri: &str) -> std::result::Result<Whole, McpFailure> {
    let params = json!({ "uri": uri });
    let asked = Asked { method: "resources/read", about: Some(uri), params, mirrored: Vec::new() };
    let result = client.ask(&asked).await?;
    let listed = match page::tells_of_itself(&result) {
        true => None,
        // What the list says of it holds then; without an answer it names nothing.
        false => resources::listed(client, uri).await.unwrap_or_default(),
    };
    Whole::of(&result, listed.as_ref(), |text| client.without_secrets(text)).ok_or(McpFailure::NoPage)
}
