//! After a crash: runs that were under way are interrupted, those that wait for a person go on waiting,
//! and calls whose outcome nobody knows say so, as do those that were never made. Nothing is done twice.

use crate::error::Result;
use crate::log::{Appending, EntryScope};
use crate::runs::Runs;
use crate::store::{Row, query};
use crate::{approvals, gateway};
use protocol::agent::Home;
use protocol::log::{DeviceWait, EntryBody, Outcome};
use protocol::model::ToolResult;
use protocol::{AgentId, CallId, ConversationId, RunId};

const STOPPED: &str = "The hub stopped in the middle of this run.";
const UNKNOWN: &str = "outcome unknown: the hub stopped, or had no database, while this call was under way. Check before doing it again.";
const NOT_MADE: &str = "not run: the hub stopped while this call waited for a device, and none had it. Make it again if it is still wanted.";

impl Runs<'_> {
    pub(crate) async fn recover(self) -> Result<()> {
        self.hub.ledger().settle_holds().await?;
        let runs: Vec<(RunId, AgentId, ConversationId, Home)> =
            query("SELECT id, agent_id, conversation_id, home FROM runs WHERE running = 1", ())
                .fetch_all(self.hub.store().read())
                .await?;
        for (run, agent, conversation, home) in runs {
            let place = EntryScope { agent, conversation: Some(conversation), run: Some(run.clone()) };
            if approvals::is_open(self.hub.store(), &run).await? {
                let mut appending = self.hub.log().appending().await?;
                appending.close_open_calls(&place, &run).await?;
                self.hub.log().commit(appending).await?;
                self.take_up(&place.agent, &run, home).await?;
            } else {
                self.interrupt(&place, &run, STOPPED).await?;
            }
        }
        self.hub.approvals().withdraw_questions_of_pages().await?;
        self.hub.gateway().close_abandoned_page_calls().await
    }

    /// Ends a run that nobody looks after; `false`: somebody else has.
    pub(super) async fn interrupt(self, place: &EntryScope, run: &RunId, why: &str) -> Result<bool> {
        let now = self.hub.now();
        let mut appending = self.hub.log().appending().await?;
        appending.close_open_calls(place, run).await?;
        appending.withdraw_questions_of(run).await?;
        appending.append(place, EntryBody::finished(Outcome::Interrupted { why: why.to_owned() })).await?;
        if !appending.is_running(run).await? {
            appending.give_up().await?;
            return Ok(false);
        }
        appending.end_run(run, now).await?;
        self.hub.log().commit(appending).await?;
        tracing::info!(run.id = %run, "run {run} was interrupted");
        Ok(true)
    }
}

impl Appending {
    /// Calls of the run that were under way: nobody knows what came of them, unless they waited for a
    /// device and no device had them yet.
    pub(super) async fn close_open_calls(&mut self, place: &EntryScope, run: &RunId) -> Result<()> {
        let now = self.now();
        gateway::count_abandoned(&mut self.tx, run, now).await?;
        let open = query(
            "UPDATE tool_calls
             SET finished_at = $2, outcome = CASE device_wait WHEN 1 THEN 'not_made' ELSE 'unknown' END
             WHERE run_id = $1 AND finished_at IS NULL RETURNING turn, call_id, name, device_wait",
            (run, now),
        )
        .fetch_all::<Row>(&mut *self.tx)
        .await?;
        for row in open {
            let turn: i64 = row.get("turn")?;
            let turn = u32::try_from(turn).unwrap_or(u32::MAX);
            let call: CallId = row.get("call_id")?;
            let device_wait: i64 = row.get("device_wait")?;
            if device_wait > 0 {
                let wait = DeviceWait::Ended { by: None };
                self.append(place, EntryBody::DeviceWait { turn, call: call.clone(), wait }).await?;
            }
            let result = ToolResult {
                call,
                name: row.get("name")?,
                content: if device_wait == 1 { NOT_MADE } else { UNKNOWN }.to_owned(),
                media: Vec::new(),
                is_error: true,
            };
            self.append(place, EntryBody::ToolFinished { turn, result, millis: 0, denied: false }).await?;
        }
        self.mark_working(&place.agent).await
    }
}
