//! What an agent may read of the audit: its own calls and those of its page.

use super::Caller;
use crate::error::Result;
use crate::store::{FromRow, Row, query};
use serde::Serialize;

/// One call, without what went into it and came of it.
#[derive(Debug, Serialize)]
pub(crate) struct OwnCall {
    pub(crate) at: i64,
    /// `model` or `page`.
    pub(crate) caller: String,
    pub(crate) tool: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) about: Option<String>,
    /// None: it is under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) outcome: Option<String>,
}

impl Caller<'_> {
    /// The newest first. An empty `by` stands for everybody.
    pub(crate) async fn own_calls(&self, by: &str, since: i64, limit: i64) -> Result<Vec<OwnCall>> {
        query(
            "SELECT started_at, caller, name, about, outcome FROM tool_calls
             WHERE user_id = $1 AND agent_id = $2 AND ($3 = '' OR caller = $3) AND started_at >= $4
             ORDER BY started_at DESC, call_id DESC LIMIT $5",
            (&self.owner, &self.agent, by, since, limit),
        )
        .fetch_all(self.hub.store().read())
        .await
    }
}

impl FromRow for OwnCall {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            at: row.get("started_at")?,
            caller: row.get("caller")?,
            tool: row.get("name")?,
            about: row.get("about")?,
            outcome: row.get("outcome")?,
        })
    }
}
