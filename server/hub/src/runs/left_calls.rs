//! Calls that were under way when their driver or their hub went. Nobody knows what came of them.

use crate::approvals::AFTERWARDS;
use crate::error::Result;
use crate::gateway;
use crate::log::{Appending, EntryScope};
use crate::made_tools::OF_SERVERS;
use crate::store::{Row, query};
use agent::tools::{ResolvedCall, Risk};
use protocol::agent::Home;
use protocol::log::{DeviceWait, EntryBody};
use protocol::model::{ToolCall, ToolResult};
use protocol::{CallId, RunId};
use std::ops::RangeInclusive;

pub(crate) const OUTCOME_UNKNOWN: &str = "outcome unknown: the hub stopped, or had no database, while this call was under way. Check before doing it again.";
const NOT_MADE: &str = "not run: the hub stopped while this call waited for a device, and none had it. Make it again if it is still wanted.";

/// Of what `tool_calls.unsure` says: which calls are meant.
const SURE: RangeInclusive<i64> = 0..=0;
const UNSURE: RangeInclusive<i64> = 1..=1;
const ALL: RangeInclusive<i64> = 0..=1;

/// A call of a run, and how far it was with a device: 1 is waiting for one, 2 is with one.
struct OpenCall {
    turn: u32,
    call: ToolCall,
    device_wait: i64,
}

impl OpenCall {
    fn read(row: &Row) -> Result<Self> {
        let turn = u32::try_from(row.get::<i64>("turn")?).unwrap_or(u32::MAX);
        let call = ToolCall {
            id: row.get("call_id")?,
            name: row.get("name")?,
            input: serde_json::from_str(&row.get::<String>("input")?)?,
        };
        Ok(Self { turn, call, device_wait: row.get("device_wait")? })
    }

    /// Whether it can be made again as if it had not been: it only looks, or nobody had it yet.
    fn may_be_repeated(&self) -> bool {
        self.device_wait == 1 || ResolvedCall::of(self.call.clone()).is_read_only()
    }

    /// Whether it may have changed something where nobody here can look.
    fn may_have_acted_elsewhere(&self) -> bool {
        let call = ResolvedCall::of(self.call.clone());
        call.name().starts_with(OF_SERVERS) || (call.names_a_place() && call.risk() == Risk::High)
    }
}

impl Appending {
    /// Lets the run make those calls again that can be, with the consent that they had, and ask its person about those
    /// that may have acted elsewhere. Closes the others: all of them at home in a browser, which may never come back to
    /// ask.
    pub(super) async fn reopen_calls(&mut self, place: &EntryScope, run: &RunId, home: Home) -> Result<()> {
        let open = query(
            "SELECT turn, call_id, name, input, device_wait FROM tool_calls
             WHERE run_id = $1 AND finished_at IS NULL",
            (run,),
        )
        .fetch_all::<Row>(&mut *self.tx)
        .await?;
        for row in &open {
            let open = OpenCall::read(row)?;
            if open.may_be_repeated() {
                self.end_device_wait(place, &open).await?;
                self.reopen_call(run, open.turn, &open.call.id).await?;
            } else if home == Home::Hub && open.may_have_acted_elsewhere() {
                query(
                    "UPDATE tool_calls SET unsure = 1 WHERE run_id = $1 AND turn = $2 AND call_id = $3",
                    (run, open.turn, &open.call.id),
                )
                .execute(&mut *self.tx)
                .await?;
            }
        }
        self.close_calls(place, run, SURE).await
    }

    /// The run ends, and nobody is asked any more what came of its calls.
    pub(super) async fn close_unsure_calls(&mut self, place: &EntryScope, run: &RunId) -> Result<()> {
        let are_there = query(
            "SELECT 1 FROM tool_calls WHERE run_id = $1 AND unsure = 1 AND finished_at IS NULL",
            (run,),
        )
        .exists(&mut *self.tx)
        .await?;
        if are_there { self.close_calls(place, run, UNSURE).await } else { Ok(()) }
    }

    /// Lets the run make the call as if it had not been made, with the consent that it had.
    pub(crate) async fn reopen_call(&mut self, run: &RunId, turn: u32, call: &CallId) -> Result<()> {
        query("DELETE FROM tool_calls WHERE run_id = $1 AND turn = $2 AND call_id = $3", (run, turn, call))
            .execute(&mut *self.tx)
            .await?;
        query(
            "UPDATE approvals SET taken_at = NULL
             WHERE run_id = $1 AND turn = $2 AND call_id = $3 AND nth = 0",
            (run, turn, call),
        )
        .execute(&mut *self.tx)
        .await?;
        // What it asked while it was under way it asks anew.
        query(
            "DELETE FROM approvals
             WHERE run_id = $1 AND turn = $2 AND call_id = $3 AND nth > 0 AND nth < $4",
            (run, turn, call, AFTERWARDS),
        )
        .execute(&mut *self.tx)
        .await?;
        Ok(())
    }

    /// Nobody knows what came of them, unless they waited for a device and no device had them yet.
    pub(super) async fn close_open_calls(&mut self, place: &EntryScope, run: &RunId) -> Result<()> {
        self.close_calls(place, run, ALL).await
    }

    async fn close_calls(
        &mut self,
        place: &EntryScope,
        run: &RunId,
        unsure: RangeInclusive<i64>,
    ) -> Result<()> {
        let now = self.now();
        self.withdraw_questions_during_calls(run).await?;
        gateway::count_abandoned(&mut self.tx, run, &unsure, now).await?;
        let open = query(
            "UPDATE tool_calls
             SET finished_at = $2, outcome = CASE device_wait WHEN 1 THEN 'not_made' ELSE 'unknown' END
             WHERE run_id = $1 AND finished_at IS NULL AND unsure BETWEEN $3 AND $4
             RETURNING turn, call_id, name, input, device_wait",
            (run, now, *unsure.start(), *unsure.end()),
        )
        .fetch_all::<Row>(&mut *self.tx)
        .await?;
        for row in &open {
            let open = OpenCall::read(row)?;
            self.end_device_wait(place, &open).await?;
            let OpenCall { turn, call, device_wait } = open;
            let result = ToolResult {
                call: call.id,
                name: call.name,
                content: if device_wait == 1 { NOT_MADE } else { OUTCOME_UNKNOWN }.to_owned(),
                media: Vec::new(),
                is_error: true,
            };
            self.append(place, EntryBody::ToolFinished { turn, result, millis: 0, denied: false }).await?;
        }
        self.mark_working(&place.agent).await
    }

    async fn end_device_wait(&mut self, place: &EntryScope, open: &OpenCall) -> Result<()> {
        if open.device_wait > 0 {
            let (turn, call) = (open.turn, open.call.id.clone());
            let wait = DeviceWait::Ended { by: None };
            self.append(place, EntryBody::DeviceWait { turn, call, wait }).await?;
        }
        Ok(())
    }
}
