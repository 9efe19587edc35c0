//! After a crash: runs that were under way are interrupted, and calls whose outcome nobody knows
//! say so. Nothing is done twice.

use crate::Hub;
use crate::error::Result;
use crate::log::Place;
use protocol::log::{EntryBody, Outcome};
use protocol::model::ToolResult;
use protocol::{AgentId, CallId, ConversationId, RunId};
use sqlx::Row as _;

const UNKNOWN: &str =
    "outcome unknown: the hub stopped while this call was under way. Check before doing it again.";

impl Hub {
    pub(crate) async fn interrupt_abandoned_runs(&self) -> Result<()> {
        let rows = sqlx::query("SELECT id, agent_id, conversation_id FROM runs WHERE running = 1")
            .fetch_all(self.store.read())
            .await?;
        for row in rows {
            let place = Place {
                agent: AgentId(row.try_get("agent_id")?),
                conversation: Some(ConversationId(row.try_get("conversation_id")?)),
                run: None,
            };
            self.interrupt(place, RunId(row.try_get("id")?)).await?;
        }
        self.release_abandoned().await?;
        self.close_abandoned_page_calls().await
    }

    async fn interrupt(&self, place: Place, run: RunId) -> Result<()> {
        let now = self.now();
        let place = Place { run: Some(run.clone()), ..place };
        let mut appending = self.appending().await?;
        let open = sqlx::query(
            "UPDATE tool_calls SET finished_at = $2, outcome = 'unknown'
             WHERE run_id = $1 AND finished_at IS NULL RETURNING turn, call_id, name",
        )
        .bind(&run.0)
        .bind(now)
        .fetch_all(&mut *appending.tx)
        .await?;
        for call in open {
            let turn: i64 = call.try_get("turn")?;
            let result = ToolResult {
                call: CallId(call.try_get("call_id")?),
                name: call.try_get("name")?,
                content: UNKNOWN.to_owned(),
                media: Vec::new(),
                is_error: true,
            };
            let turn = u32::try_from(turn).unwrap_or(u32::MAX);
            appending
                .append(&place, EntryBody::ToolFinished { turn, result, millis: 0, denied: false })
                .await?;
        }
        let why = "The hub stopped in the middle of this run.".to_owned();
        appending.append(&place, EntryBody::RunFinished { outcome: Outcome::Interrupted { why } }).await?;
        appending.end_run(&run, now).await?;
        self.commit(appending).await?;
        tracing::info!(run.id = %run, "run {run} was interrupted");
        Ok(())
    }
}
