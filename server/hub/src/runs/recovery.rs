//! After a crash: runs that were under way are interrupted, those that wait for a person go on waiting,
//! and calls whose outcome nobody knows say so. Nothing is done twice.

use crate::error::Result;
use crate::log::{Appending, Place};
use crate::{Hub, approvals};
use protocol::log::{EntryBody, Outcome};
use protocol::model::ToolResult;
use protocol::view::Home;
use protocol::{AgentId, CallId, ConversationId, RunId};
use sqlx::Row as _;

const UNKNOWN: &str =
    "outcome unknown: the hub stopped while this call was under way. Check before doing it again.";

impl Hub {
    pub(crate) async fn settle_abandoned_runs(&self) -> Result<()> {
        self.settle_holds().await?;
        let rows = sqlx::query("SELECT id, agent_id, conversation_id, home FROM runs WHERE running = 1")
            .fetch_all(self.store.read())
            .await?;
        for row in rows {
            let run = RunId(row.try_get("id")?);
            let place = Place {
                agent: AgentId(row.try_get("agent_id")?),
                conversation: Some(ConversationId(row.try_get("conversation_id")?)),
                run: Some(run.clone()),
            };
            if approvals::is_open(&self.store, &run).await? {
                let mut appending = self.appending().await?;
                appending.close_unknown(&place, &run).await?;
                self.commit(appending).await?;
                let home: String = row.try_get("home")?;
                self.take_up(&place.agent, &run, if home == "browser" { Home::Browser } else { Home::Hub })
                    .await?;
            } else {
                self.interrupt(place, run).await?;
            }
        }
        self.withdraw_questions_of_pages().await?;
        self.close_abandoned_page_calls().await
    }

    async fn interrupt(&self, place: Place, run: RunId) -> Result<()> {
        let now = self.now();
        let mut appending = self.appending().await?;
        appending.close_unknown(&place, &run).await?;
        let why = "The hub stopped in the middle of this run.".to_owned();
        appending.append(&place, EntryBody::RunFinished { outcome: Outcome::Interrupted { why } }).await?;
        appending.end_run(&run, now).await?;
        self.commit(appending).await?;
        tracing::info!(run.id = %run, "run {run} was interrupted");
        Ok(())
    }
}

impl Appending {
    /// Calls of the run that were under way: nobody knows what came of them.
    async fn close_unknown(&mut self, place: &Place, run: &RunId) -> Result<()> {
        let open = sqlx::query(
            "UPDATE tool_calls SET finished_at = $2, outcome = 'unknown'
             WHERE run_id = $1 AND finished_at IS NULL RETURNING turn, call_id, name",
        )
        .bind(&run.0)
        .bind(self.now())
        .fetch_all(&mut *self.tx)
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
            self.append(place, EntryBody::ToolFinished { turn, result, millis: 0, denied: false }).await?;
        }
        Ok(())
    }
}
