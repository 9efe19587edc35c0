//! When a limit was raised: what it had stopped goes on.

use crate::Hub;
use crate::error::Result;
use protocol::{AgentId, UserId};
use sqlx::Row as _;

impl Hub {
    /// Of this person's agents, or of everybody's. Those for which the money still does not suffice
    /// stop again, and nothing is spent on them.
    pub(super) async fn resume_stopped(&self, owner: Option<&UserId>) -> Result<()> {
        let query = match owner {
            Some(owner) => sqlx::query(
                "SELECT id FROM agents WHERE status = 'waiting' AND user_id = $1 ORDER BY updated_at",
            )
            .bind(&owner.0),
            None => sqlx::query("SELECT id FROM agents WHERE status = 'waiting' ORDER BY updated_at"),
        };
        for row in query.fetch_all(self.store.read()).await? {
            self.start_run(&AgentId(row.try_get("id")?), None).await?;
        }
        Ok(())
    }
}
