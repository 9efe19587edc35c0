//! Servers, their tools and who may use them, in the store.

use super::lent::USABLE;
use super::oauth::Grant;
use super::offer::Offer;
use crate::error::Result;
use crate::store::{FromRow, Json, Row, Transaction, query};
use crate::vault::AssociatedData;
use protocol::view::{McpConnection, McpLent, McpPrompt, McpServerView, McpToolState, McpToolView};
use protocol::{AgentId, McpServerId};
use serde_json::json;
use sqlx::{Any, Executor};

/// What is kept for a server in the vault: its headers, and what follows the question mark in its address.
const HEADERS: &str = "mcp";
const QUERY: &str = "mcp_query";

pub(super) fn headers_place<'a>(owner: &'a str, id: &'a McpServerId, server: &'a str) -> AssociatedData<'a> {
    AssociatedData { user: owner, provider: &id.0, purpose: HEADERS, server: Some(server) }
}

pub(super) fn query_place<'a>(owner: &'a str, id: &'a McpServerId, server: &'a str) -> AssociatedData<'a> {
    AssociatedData { user: owner, provider: &id.0, purpose: QUERY, server: Some(server) }
}

const SERVERS: &str =
    "SELECT s.id, s.name, s.url, s.headers, s.looked_at, s.failure, s.left_out, s.wants_sign_in,
         s.sign_in_failure, s.lent_from,
         (SELECT o.name FROM lent_mcp_servers l JOIN users o ON o.id = l.owner_id
             WHERE l.server_id = s.lent_from AND l.user_id = s.user_id) AS lender, c.grant_of, c.connected_at, c.is_over,
         (SELECT COUNT(*) FROM mcp_tools t WHERE t.server_id = s.id AND t.problem IS NULL
             AND t.is_on = 1 AND t.digest = t.accepted_digest) AS tools_on,
         (SELECT COUNT(*) FROM mcp_tools t WHERE t.server_id = s.id AND t.problem IS NULL
             AND t.is_on = 0 AND t.is_new = 0) AS tools_off,
         (SELECT COUNT(*) FROM mcp_tools t WHERE t.server_id = s.id AND t.problem IS NULL
             AND t.is_new = 1) AS tools_new,
         (SELECT COUNT(*) FROM mcp_tools t WHERE t.server_id = s.id AND t.problem IS NULL
             AND t.is_on = 1 AND t.digest <> t.accepted_digest) AS tools_changed
     FROM mcp_servers s LEFT JOIN mcp_connections c ON c.server_id = s.id WHERE s.user_id = $1";

/// By name.
pub(super) async fn list(db: impl Executor<'_, Database = Any>, owner: &str) -> Result<Vec<McpServerView>> {
    query([SERVERS, "ORDER BY s.name"], (owner,)).fetch_all(db).await
}

pub(super) async fn find(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &McpServerId,
) -> Result<Option<McpServerView>> {
    query([SERVERS, "AND s.id = $2"], (owner, id)).fetch_optional(db).await
}

pub(super) async fn insert(
    tx: &mut Transaction,
    owner: &str,
    server: &McpServerView,
    now: i64,
) -> Result<()> {
    query(
        "INSERT INTO mcp_servers (id, user_id, name, url, headers, left_out, created_at)
         VALUES ($1, $2, $3, $4, $5, 0, $6)",
        (&server.id, owner, &server.name, &server.url, Json(&server.headers), now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(super) async fn set_headers(tx: &mut Transaction, owner: &str, server: &McpServerView) -> Result<()> {
    query(
        "UPDATE mcp_servers SET headers = $3 WHERE user_id = $1 AND id = $2",
        (owner, &server.id, Json(&server.headers)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(super) async fn delete(tx: &mut Transaction, owner: &str, id: &McpServerId) -> Result<u64> {
    query("DELETE FROM mcp_servers WHERE user_id = $1 AND id = $2", (owner, id)).execute(&mut **tx).await
}

/// What came of asking it which tools and prompts it has. `None`: the prompts are those of before.
pub(super) async fn looked(
    tx: &mut Transaction,
    owner: &str,
    id: &McpServerId,
    (left_out, prompts): (usize, Option<&[McpPrompt]>),
    now: i64,
) -> Result<u64> {
    query(
        "UPDATE mcp_servers SET looked_at = $3, failure = NULL, wants_sign_in = 0, left_out = $4,
             prompts = COALESCE($5, prompts)
         WHERE user_id = $1 AND id = $2",
        (owner, id, now, left_out, prompts.map(Json)),
    )
    .execute(&mut **tx)
    .await
}

/// Why it did not say, and whether that is because it knows nobody who asks.
pub(super) async fn failed(
    tx: &mut Transaction,
    owner: &str,
    id: &McpServerId,
    why: &str,
    wants_sign_in: bool,
) -> Result<()> {
    query(
        "UPDATE mcp_servers SET failure = $3, wants_sign_in = $4 WHERE user_id = $1 AND id = $2",
        (owner, id, why, wants_sign_in),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A tool as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ToolRow {
    pub(super) called: String,
    pub(super) offered: Offer,
    pub(super) digest: String,
    pub(super) accepted: Option<Offer>,
    pub(super) accepted_digest: Option<String>,
    pub(super) is_on: bool,
    /// Its person has not said yet whether it is.
    pub(super) is_new: bool,
    pub(super) problem: Option<String>,
}

impl ToolRow {
    /// Whether it is the one that its person said yes to.
    pub(super) fn is_as_accepted(&self) -> bool {
        self.accepted_digest.as_ref() == Some(&self.digest)
    }

    /// With what changed, where something did.
    pub(super) fn view(self, difference: String) -> McpToolView {
        let (schema, bad) = match self.offered.schema() {
            Ok(schema) => (schema, None),
            Err(why) => (json!({}), Some(why)),
        };
        let state = match (self.problem.clone().or(bad), self.is_on) {
            (Some(why), _) => McpToolState::Unusable { why },
            (None, false) if self.is_new => McpToolState::New,
            (None, false) => McpToolState::Off,
            (None, true) if self.is_as_accepted() => McpToolState::On,
            (None, true) => McpToolState::Changed { difference },
        };
        McpToolView {
            name: self.offered.name.clone(),
            called: self.called,
            description: self.offered.shown_description(),
            input_schema: schema,
            digest: self.digest,
            is_destructive: self.offered.is_destructive(),
            state,
        }
    }
}

/// The tools of a server, by name.
pub(super) async fn tools(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &McpServerId,
) -> Result<Vec<ToolRow>> {
    query(
        "SELECT t.called, t.offered, t.digest, t.accepted, t.accepted_digest, t.is_on, t.is_new, t.problem
         FROM mcp_tools t JOIN mcp_servers s ON s.id = t.server_id
         WHERE s.user_id = $1 AND s.id = $2 ORDER BY t.name",
        (owner, id),
    )
    .fetch_all(db)
    .await
}

/// The prompts of a server, by name.
pub(super) async fn prompts(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &McpServerId,
) -> Result<Vec<McpPrompt>> {
    let prompts: Option<Json<Vec<McpPrompt>>> =
        query("SELECT prompts FROM mcp_servers WHERE user_id = $1 AND id = $2", (owner, id))
            .fetch_optional(db)
            .await?;
    Ok(prompts.map(|Json(prompts)| prompts).unwrap_or_default())
}

/// Those of all servers that an agent may use, by server and name.
pub(super) async fn commands(
    db: impl Executor<'_, Database = Any>,
    agent: &AgentId,
) -> Result<Vec<(McpServerId, String, Json<Vec<McpPrompt>>)>> {
    query(
        [
            "SELECT s.id, s.name, s.prompts FROM agent_mcp_servers c
             JOIN agents a ON a.id = c.agent_id
             JOIN mcp_servers s ON s.id = c.server_id AND s.user_id = a.user_id
             WHERE c.agent_id = $1 AND",
            USABLE,
            "ORDER BY s.name",
        ],
        (agent,),
    )
    .fetch_all(db)
    .await
}

/// The servers that an agent may use and that have this tool, by name.
pub(super) async fn with_tool(
    db: impl Executor<'_, Database = Any>,
    agent: &AgentId,
    tool: &str,
) -> Result<Vec<(McpServerId, String)>> {
    query(
        [
            "SELECT s.id, s.name FROM agent_mcp_servers c
             JOIN agents a ON a.id = c.agent_id
             JOIN mcp_servers s ON s.id = c.server_id AND s.user_id = a.user_id
             JOIN mcp_tools t ON t.server_id = s.id
             WHERE c.agent_id = $1 AND t.name = $2 AND",
            USABLE,
            "ORDER BY s.name",
        ],
        (agent, tool),
    )
    .fetch_all(db)
    .await
}

/// Puts a tool of a server that is known to be its person's.
pub(super) async fn put(tx: &mut Transaction, id: &McpServerId, tool: &ToolRow) -> Result<()> {
    query(
        "INSERT INTO mcp_tools (server_id, name, called, offered, digest, accepted, accepted_digest, is_on, problem, is_new)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (server_id, name) DO UPDATE
         SET called = excluded.called, offered = excluded.offered, digest = excluded.digest,
             accepted = excluded.accepted, accepted_digest = excluded.accepted_digest, is_on = excluded.is_on,
             problem = excluded.problem, is_new = excluded.is_new",
        (
            id,
            &tool.offered.name,
            &tool.called,
            Json(&tool.offered),
            &tool.digest,
            tool.accepted.as_ref().map(Json),
            tool.accepted_digest.as_deref(),
            tool.is_on,
            tool.problem.as_deref(),
            tool.is_new,
        ),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Forgets a tool of a server that is known to be its person's.
pub(super) async fn forget_tool(tx: &mut Transaction, id: &McpServerId, name: &str) -> Result<()> {
    query("DELETE FROM mcp_tools WHERE server_id = $1 AND name = $2", (id, name)).execute(&mut **tx).await?;
    Ok(())
}

/// A tool that an agent may call, and where.
#[derive(Debug)]
pub(super) struct CallableRow {
    pub(super) server: McpServerId,
    pub(super) server_name: String,
    pub(super) url: String,
    pub(super) called: String,
    pub(super) offered: Offer,
}

const CALLABLE: &str = "SELECT s.id, s.name, s.url, t.called, t.offered
     FROM agent_mcp_servers c
     JOIN agents a ON a.id = c.agent_id
     JOIN mcp_servers s ON s.id = c.server_id AND s.user_id = a.user_id
     JOIN mcp_tools t ON t.server_id = s.id
     WHERE c.agent_id = $1 AND t.is_on = 1 AND t.problem IS NULL AND t.digest = t.accepted_digest AND";

/// What an agent may call, by the names under which it does.
pub(super) async fn callable(
    db: impl Executor<'_, Database = Any>,
    agent: &AgentId,
) -> Result<Vec<CallableRow>> {
    query([CALLABLE, USABLE, "ORDER BY t.called"], (agent,)).fetch_all(db).await
}

pub(super) async fn callable_as(
    db: impl Executor<'_, Database = Any>,
    agent: &AgentId,
    called: &str,
) -> Result<Option<CallableRow>> {
    query([CALLABLE, USABLE, "AND t.called = $2"], (agent, called)).fetch_optional(db).await
}

impl FromRow for McpServerView {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            url: row.get("url")?,
            headers: row.get::<Json<_>>("headers")?.0,
            looked_at: row.get("looked_at")?,
            failure: row.get("failure")?,
            tools_on: row.get("tools_on")?,
            tools_off: row.get("tools_off")?,
            tools_changed: row.get("tools_changed")?,
            tools_new: row.get("tools_new")?,
            left_out: row.get("left_out")?,
            lent: lent(row)?,
            connection: connection(row)?,
            sign_in_failure: row.get("sign_in_failure")?,
        })
    }
}

fn lent(row: &Row) -> Result<Option<McpLent>> {
    let lender: Option<String> = row.get("lender")?;
    Ok(match (row.get::<Option<McpServerId>>("lent_from")?, lender) {
        (None, _) => None,
        (Some(_), Some(name)) => Some(McpLent::By { name }),
        (Some(_), None) => Some(McpLent::Over),
    })
}

fn connection(row: &Row) -> Result<McpConnection> {
    let Some(Json(grant)) = row.get::<Option<Json<Grant>>>("grant_of")? else {
        return Ok(match row.get("wants_sign_in")? {
            true => McpConnection::Wanted,
            false => McpConnection::None,
        });
    };
    let (place, scopes) = (grant.place(), grant.scopes());
    Ok(match row.get("is_over")? {
        true => McpConnection::Over { place },
        false => McpConnection::Connected { place, scopes, since: row.get("connected_at")? },
    })
}

impl FromRow for ToolRow {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            called: row.get("called")?,
            offered: row.get::<Json<_>>("offered")?.0,
            digest: row.get("digest")?,
            accepted: row.get::<Option<Json<_>>>("accepted")?.map(|Json(offer)| offer),
            accepted_digest: row.get("accepted_digest")?,
            is_on: row.get("is_on")?,
            is_new: row.get("is_new")?,
            problem: row.get("problem")?,
        })
    }
}

impl FromRow for CallableRow {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            server: row.get("id")?,
            server_name: row.get("name")?,
            url: row.get("url")?,
            called: row.get("called")?,
            offered: row.get::<Json<_>>("offered")?.0,
        })
    }
}
