//! Whether a page may call a tool: by the tool's tier, by what the person allowed before, or by what
//! they say now. No answer is a no.

use super::caller::Caller;
use crate::Hub;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::live::TabLink;
use agent::tools::{PageTier, find};
use protocol::AgentId;
use protocol::hub::Decision;
use protocol::model::ToolCall;
use sqlx::Row as _;
use std::time::Duration;

/// How long the person has.
const PATIENCE: Duration = Duration::from_secs(60);

/// Who declared a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declared {
    Here,
    /// The agent made it. It runs in the page.
    ByAgent,
}

/// What nobody declared is not for pages.
fn tier(name: &str, declared: Declared) -> PageTier {
    match declared {
        Declared::Here => find(name).map_or(PageTier::Blocked, |tool| tool.page),
        Declared::ByAgent => PageTier::Ask,
    }
}

/// Why the page may not make this call, if it may not.
pub(super) async fn refused(
    caller: &Caller<'_>,
    tab: &TabLink,
    call: &ToolCall,
    declared: Declared,
) -> Result<Option<String>> {
    match tier(&call.name, declared) {
        PageTier::Immediate => return Ok(None),
        PageTier::Blocked => return Ok(Some(format!("A page may not call {}.", call.name))),
        PageTier::Ask => {}
    }
    if caller.hub.has_consent(caller.agent, &call.name).await? {
        return Ok(None);
    }
    let why = match caller.hub.live.ask_about_call(tab, caller.agent, call, PATIENCE).await {
        Some(Decision::Once) => return Ok(None),
        Some(Decision::Always) => {
            caller.hub.consent(caller.agent, &call.name).await?;
            return Ok(None);
        }
        Some(Decision::Deny) => "The person said no.",
        None => "Nobody said yes in time.",
    };
    Ok(Some(why.to_owned()))
}

impl Hub {
    async fn has_consent(&self, agent: &AgentId, tool: &str) -> Result<bool> {
        let row = sqlx::query("SELECT 1 FROM page_consents WHERE agent_id = $1 AND tool = $2")
            .bind(&agent.0)
            .bind(tool)
            .fetch_optional(self.store.read())
            .await?;
        Ok(row.is_some())
    }

    async fn consent(&self, agent: &AgentId, tool: &str) -> Result<()> {
        let mut tx = self.store.write().await?;
        sqlx::query(
            "INSERT INTO page_consents (agent_id, tool, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        )
        .bind(&agent.0)
        .bind(tool)
        .bind(self.now())
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }
}

impl Scoped<'_> {
    /// The tools that the agent's page may call without asking again.
    pub async fn page_consents(&self, agent: &AgentId) -> Result<Vec<String>> {
        self.require_agent(agent).await?;
        let rows = sqlx::query("SELECT tool FROM page_consents WHERE agent_id = $1 ORDER BY tool")
            .bind(&agent.0)
            .fetch_all(self.hub.store.read())
            .await?;
        Ok(rows.iter().map(|row| row.try_get("tool")).collect::<std::result::Result<_, _>>()?)
    }

    /// The page has to ask again.
    pub async fn forget_page_consent(&self, agent: &AgentId, tool: &str) -> Result<()> {
        self.require_agent(agent).await?;
        let mut tx = self.hub.store.write().await?;
        let gone = sqlx::query("DELETE FROM page_consents WHERE agent_id = $1 AND tool = $2")
            .bind(&agent.0)
            .bind(tool)
            .execute(&mut *tx)
            .await?;
        if gone.rows_affected() == 0 {
            return Err(Error::NotFound("permission"));
        }
        tx.commit().await?;
        Ok(())
    }
}
