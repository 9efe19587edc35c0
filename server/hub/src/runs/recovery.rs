//! After a crash: runs that were under way are interrupted, those that wait for a person go on waiting,
//! and calls whose outcome nobody knows say so, as do those that were never made. Nothing is done twice.

use crate::error::Result;
use crate::log::{Appending, Place};
use crate::{Hub, approvals, gateway};
use protocol::log::{DeviceWait, EntryBody, Outcome};
use protocol::model::ToolResult;
use protocol::view::Home;
use protocol::{AgentId, CallId, ConversationId, RunId};
use sqlx::Row as _;

const UNKNOWN: &str =
    "outcome unknown: the hub stopped while this call was under way. Check before doing it again.";
const NOT_MADE: &str = "not run: the hub stopped while this call waited for a device, and none had it. Make it again if it is still wanted.";

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
                appending.close_open_calls(&place, &run).await?;
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
        appending.close_open_calls(&place, &run).await?;
        let why = "The hub stopped in the middle of this run.".to_owned();
        appending.append(&place, EntryBody::finished(Outcome::Interrupted { why })).await?;
        appending.end_run(&run, now).await?;
        self.commit(appending).await?;
        tracing::info!(run.id = %run, "run {run} was interrupted");
        Ok(())
    }
}

impl Appending {
    /// Calls of the run that were under way: nobody knows what came of them, unless they waited for a
    /// device and no device had them yet.
    async fn close_open_calls(&mut self, place: &Place, run: &RunId) -> Result<()> {
        let now = self.now();
        gateway::count_abandoned(&mut self.tx, run, now).await?;
        let open = sqlx::query(
            "UPDATE tool_calls
             SET finished_at = $2, outcome = CASE device_wait WHEN 1 THEN 'not_made' ELSE 'unknown' END
             WHERE run_id = $1 AND finished_at IS NULL RETURNING turn, call_id, name, device_wait",
        )
        .bind(&run.0)
        .bind(now)
        .fetch_all(&mut *self.tx)
        .await?;
        for row in open {
            let turn: i64 = row.try_get("turn")?;
            let turn = u32::try_from(turn).unwrap_or(u32::MAX);
            let call = CallId(row.try_get("call_id")?);
            let device_wait: i64 = row.try_get("device_wait")?;
            if device_wait > 0 {
                let wait = DeviceWait::Ended { by: None };
                self.append(place, EntryBody::DeviceWait { turn, call: call.clone(), wait }).await?;
            }
            let result = ToolResult {
                call,
                name: row.try_get("name")?,
                content: if device_wait == 1 { NOT_MADE } else { UNKNOWN }.to_owned(),
                media: Vec::new(),
                is_error: true,
            };
            self.append(place, EntryBody::ToolFinished { turn, result, millis: 0, denied: false }).await?;
        }
        self.go_on(&place.agent).await
    }
}
