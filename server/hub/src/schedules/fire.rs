//! The clock of schedules. What is due is taken in one commit, which moves the schedule on: of two hubs
//! on one database one has it. Then it waits in a row of its own until its agent is free, and leaves that
//! row in the commit that begins the run. So nothing is lost or done twice wherever the process dies.

use super::due::DueCheck;
use super::firings::{queue, queue_behind, remember};
use super::looking::Looks;
use super::mail;
use super::rows::{self, ScheduleRow};
use super::webhooks::Rates;
use crate::agents;
use crate::error::{Error, Result};
use crate::log::{Appending, EntryScope};
use crate::schedules::Schedules;
use crate::store::{FromRow, Row, query};
use futures_util::{StreamExt, stream};
use protocol::agent::Home;
use protocol::log::{EntryBody, Sender};
use protocol::schedule::{FiringCause, Overlap, ScheduleEvent};
use protocol::{AgentId, RunId, ScheduleId};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tracing::instrument;

/// Clockwork that are taken in one commit.
const FIRINGS_PER_COMMIT: i64 = 200;
/// Runs that are begun at once.
const CONCURRENT_FIRINGS: usize = 16;
/// Another hub on the same database may have made a schedule, and the machine's clock may be set: so often
/// this one looks.
const LOOKS_MS: i64 = 30_000;
/// Steps back of the machine's clock that are nothing: it is kept right in small ones.
const STEP_MS: i64 = 1_000;
/// After a look that failed.
const AGAIN_MS: i64 = 1_000;
/// Where people are placed on several nodes, each looks after its own.
pub(super) const OF_THIS_NODE: &str = "(CAST($1 AS TEXT) IS NULL OR u.id IN (SELECT user_id FROM placements WHERE node_id = $1 AND taken_on = 1))";
const FULL: &str = "There is no room left for what your agents keep.";
const OVER_LIMIT: &str = "A limit on what may be spent stands in its way.";
/// From one look to the next at least.
const SOON_MS: i64 = 10;

#[derive(Default)]
pub(crate) struct Clockwork {
    pub(super) rates: Rates,
    pub(super) mail: mail::InMemory,
    pub(super) feeds: Looks,
    changed: Notify,
    closing: CancellationToken,
}

/// A time that a schedule was due, with what its agent is told.
pub(crate) struct Due {
    pub(crate) schedule: ScheduleId,
    at: i64,
    /// What made it due, where that was no time. It is said first.
    event: Option<EntryBody>,
    message: EntryBody,
}

impl Clockwork {
    /// Some schedule may be due at another time than before.
    pub(super) fn changed(&self) {
        self.changed.notify_one();
    }

    fn close(&self) {
        self.closing.cancel();
    }
}

impl Schedules<'_> {
    /// Something may be due that this process has not heard of.
    pub(crate) fn look_soon(self) {
        self.hub.clockwork().changed();
        self.hub.clockwork().mail.changed();
        self.hub.clockwork().feeds.changed();
    }

    /// No schedule begins anything from now on.
    pub(crate) fn close(self) {
        self.hub.clockwork().close();
    }

    /// Lets schedules run, what the last process left waiting first.
    pub(crate) fn keep_schedules(self) {
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            let mut seen = None;
            loop {
                let pause_ms = match hub.schedules().look(&mut seen).await {
                    // It may have come to be due just now.
                    Ok(next) => next.unwrap_or(i64::MAX).saturating_sub(hub.now()).clamp(SOON_MS, LOOKS_MS),
                    Err(error) => {
                        let failure = error.into_failure();
                        tracing::warn!("schedules could not be looked at: {failure}");
                        AGAIN_MS
                    }
                };
                tokio::select! {
                    () = hub.clockwork().closing.cancelled() => return,
                    () = hub.clockwork().changed.notified() => {}
                    () = hub.clock().until(hub.moment().plus_ms(pause_ms)) => {}
                }
            }
        });
    }

    /// Lets run what is due. `seen` is when the clock began, by what it said at the last look: where that went
    /// back, the clock did, and the next times are not the next ones any more.
    async fn look(self, seen: &mut Option<i64>) -> Result<Option<i64>> {
        let began = self.hub.now().saturating_sub(self.hub.moment().0);
        if seen.is_none_or(|seen| began < seen - STEP_MS) {
            self.count_next_times_anew().await?;
        }
        *seen = Some(began);
        self.let_due_run().await
    }

    /// Takes what is due and begins what waits, a number of them and then the next. Gives the next time that something
    /// is due: what cannot be read is for the next look.
    async fn let_due_run(self) -> Result<Option<i64>> {
        let now = loop {
            let now = self.hub.now();
            let is_more = self.take_due(now).await?;
            self.begin_waiting_here().await?;
            if !is_more {
                break now;
            }
        };
        if self.take_events().await {
            self.begin_waiting_here().await?;
        }
        query(
            [
                "SELECT MIN(s.next_at) FROM schedules s JOIN agents a ON a.id = s.agent_id
                 JOIN users u ON u.id = a.user_id WHERE s.paused = 0 AND s.next_at > $2 AND u.disabled = 0 AND",
                OF_THIS_NODE,
            ],
            (self.hub.cluster().own_id(), now),
        )
        .fetch_one(self.hub.store().read())
        .await
    }

    /// Takes what no time makes due: files that changed, and people who came. Whether there was any. Nothing of it
    /// holds up what is due by the clock.
    async fn take_events(self) -> bool {
        let mut is_any = false;
        for taken in [self.take_changed_files().await, self.take_devices().await] {
            match taken {
                Ok(is_one) => is_any |= is_one,
                Err(error) => {
                    let failure = error.into_failure();
                    tracing::warn!(
                        "what makes schedules due besides times could not be looked at: {failure}"
                    );
                }
            }
        }
        is_any
    }

    /// Begins what waits where it may begin: the first of each person before the second of anybody.
    async fn begin_waiting_here(self) -> Result<()> {
        let waiting: Vec<(ScheduleId, AgentId, Home)> = query(
            [
                "SELECT s.id, a.id, a.home FROM schedules s JOIN agents a ON a.id = s.agent_id
                 JOIN agents t ON t.id = COALESCE(a.root_id, a.id) JOIN users u ON u.id = a.user_id
                 WHERE u.disabled = 0 AND t.paused_at IS NULL
                   AND s.id IN (SELECT f.schedule_id FROM schedule_firings f WHERE f.state = 'waiting') AND",
                OF_THIS_NODE,
                "ORDER BY ROW_NUMBER() OVER (PARTITION BY u.id ORDER BY s.id), s.id",
            ],
            (self.hub.cluster().own_id(),),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let may_begin = waiting.into_iter().filter(|(_, agent, home)| {
            *home == Home::Hub || self.hub.runs().is_active(agent) || self.hub.live().stage(agent).is_some()
        });
        let may_begin: Vec<_> = may_begin.collect();
        stream::iter(may_begin)
            .for_each_concurrent(CONCURRENT_FIRINGS, async |(id, agent, _)| {
                let row = query([rows::SCHEDULES, "s.id = $1"], (&id,))
                    .fetch_optional::<Row>(self.hub.store().read())
                    .await;
                match row {
                    Ok(row) => self.begin_all(readable(row.as_slice())).await,
                    Err(error) => {
                        let failure = error.into_failure();
                        tracing::warn!(schedule.id = %id, agent.id = %agent, "schedule {id} waits on: {failure}");
                    }
                }
            })
            .await;
        Ok(())
    }

    /// The agent is free, or a page of it was opened: what waited for that begins.
    pub(crate) async fn fire_waiting_of(self, agent: &AgentId) -> Result<()> {
        let waiting = query(
            [
                rows::SCHEDULES,
                "u.disabled = 0 AND s.agent_id = $1
             AND s.id IN (SELECT f.schedule_id FROM schedule_firings f WHERE f.state = 'waiting')",
            ],
            (agent,),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        self.begin_all(readable(&waiting)).await;
        Ok(())
    }

    /// A run of the agent has ended, which this schedule began, if one did.
    pub(crate) async fn let_schedules_run(
        self,
        agent: &AgentId,
        begun_by: Option<&ScheduleId>,
    ) -> Result<()> {
        if let Some(schedule) = begun_by {
            self.note_idle(schedule).await?;
            self.break_after_failures(schedule).await?;
        }
        self.fire_waiting_of(agent).await
    }

    /// Moves on a number of those that are due, in which everybody has a share. `false`: no more are.
    async fn take_due(self, now: i64) -> Result<bool> {
        let rows = query(
            [
                rows::SCHEDULES,
                "s.id IN (SELECT q.id FROM (
                     SELECT s.id, s.next_at, ROW_NUMBER() OVER (PARTITION BY u.id ORDER BY s.next_at, s.id) AS place
                     FROM schedules s JOIN agents a ON a.id = s.agent_id JOIN users u ON u.id = a.user_id
                     WHERE s.paused = 0 AND s.next_at <= $2 AND u.disabled = 0 AND",
                OF_THIS_NODE,
                ") q ORDER BY q.place, q.next_at, q.id LIMIT $3)",
            ],
            (self.hub.cluster().own_id(), now, FIRINGS_PER_COMMIT),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        let known = readable(&rows);
        if known.is_empty() {
            return Ok(false);
        }
        let mut appending = self.hub.log().appending().await?;
        for known in known {
            appending.take(known, now).await?;
        }
        self.hub.log().commit(appending).await?;
        Ok(i64::try_from(rows.len()).is_ok_and(|count| count >= FIRINGS_PER_COMMIT))
    }

    async fn begin_all(self, known: Vec<ScheduleRow>) {
        stream::iter(known)
            .for_each_concurrent(CONCURRENT_FIRINGS, async |known| {
                let (id, agent) = (known.id.clone(), known.place.agent.clone());
                if let Err(error) = self.begin_waiting(known).await {
                    let failure = error.into_failure();
                    tracing::warn!(schedule.id = %id, agent.id = %agent, "schedule {id} waits on: {failure}");
                }
            })
            .await;
    }

    #[instrument(name = "schedule_firing", skip_all, fields(schedule.id = %known.id, agent.id = %known.place.agent))]
    async fn begin_waiting(self, known: ScheduleRow) -> Result<()> {
        let agent = &known.place.agent;
        // A hub that closes leaves it to the next one.
        if self.hub.clockwork().closing.is_cancelled() {
            return Ok(());
        }
        // It waits for its person, like whatever is said.
        if agents::is_paused(self.hub.store().read(), agent).await? {
            return Ok(());
        }
        let overlap = known.rules.overlap;
        if self.hub.runs().is_active(agent) {
            if overlap == Overlap::Skip {
                self.leave_out(&known.id, "skipped", "AND cause <> 'person'").await?;
            }
            return Ok(());
        }
        if known.in_browser && self.hub.live().stage(agent).is_none() {
            return Ok(());
        }
        let due = query(
            "SELECT due, cause, event FROM schedule_firings WHERE schedule_id = $1 AND state = 'waiting'
             ORDER BY due LIMIT 1",
            (&known.id,),
        );
        let due: Option<(i64, FiringCause, Option<String>)> =
            due.fetch_optional(self.hub.store().read()).await?;
        let Some((at, cause, event)) = due else { return Ok(()) };
        let is_full = matches!(self.hub.spaces().require_for(agent).await, Err(Error::Limit(_)));
        if is_full || self.is_stopped_today(agent, &known.id).await? {
            // What is to be answered each, waits until it can be.
            if overlap == Overlap::Each {
                return Ok(());
            }
            let why = if is_full { FULL } else { OVER_LIMIT };
            return self.leave_out_over_limit(&known, why).await;
        }
        if cause != FiringCause::Person && self.condition_holds(&known).await? == Some(false) {
            return self.leave_out_one(&known.id, at).await;
        }
        let event = event.map(|event| EntryBody::said(known.trigger(), event));
        let due = Due { schedule: known.id.clone(), at, event, message: known.words() };
        if self.hub.runs().start_due(agent, due).await?.is_some() && self.hub.live().stage(agent).is_some() {
            self.was_seen(agent).await?;
        }
        Ok(())
    }
}

impl Appending {
    /// Takes what a schedule is due for, unless somebody else has.
    async fn take(&mut self, known: ScheduleRow, now: i64) -> Result<()> {
        let ScheduleRow { id, place, name, times, missed, rules, next_at, .. } = known;
        let Some(due) = next_at else { return Ok(()) };
        let turn = times.turn(due, now, missed);
        let taken = query(
            "UPDATE schedules SET next_at = $3 WHERE id = $1 AND next_at = $2 AND paused = 0",
            (&id, due, turn.next),
        )
        .execute(&mut *self.tx)
        .await?;
        if taken == 0 {
            return Ok(());
        }
        let DueCheck { fires, missed, .. } = turn;
        match (fires, missed) {
            (Some(at), _) if rules.overlap == Overlap::Each => {
                queue_behind(&mut self.tx, &id, at, FiringCause::Time).await?;
            }
            (Some(at), _) => queue(&mut self.tx, &id, at, FiringCause::Time).await?,
            (None, Some(at)) => remember(&mut self.tx, &id, at, FiringCause::Time, "missed").await?,
            (None, None) => {}
        }
        if let Some(due) = missed {
            tracing::info!(schedule.id = %id, due, "schedule {id} was due while the hub was off");
            let news = ScheduleEvent::Missed { due };
            self.append(&place, EntryBody::Schedule { schedule: id, name, news }).await?;
        }
        Ok(())
    }

    /// Says to the agent what it is due for, in the commit that begins the run; `false`: another run did.
    pub(crate) async fn begin_due(&mut self, due: &Due, place: &EntryScope, run: &RunId) -> Result<bool> {
        let begun = query(
            "UPDATE schedule_firings SET state = 'begun', run_id = $3, event = NULL
             WHERE schedule_id = $1 AND due = $2 AND state = 'waiting'",
            (&due.schedule, due.at, run),
        )
        .execute(&mut *self.tx)
        .await?;
        if begun == 0 {
            return Ok(false);
        }
        tracing::debug!(schedule.id = %due.schedule, run.id = %run, "schedule {} begins", due.schedule);
        if let Some(event) = due.event.clone() {
            self.append(place, event).await?;
        }
        self.append(place, due.message.clone()).await?;
        Ok(true)
    }
}

/// One that cannot be read, as when a newer program wrote it, holds up no other.
pub(super) fn readable(rows: &[Row]) -> Vec<ScheduleRow> {
    let known = |row| match ScheduleRow::from_row(row) {
        Ok(known) => Some(known),
        Err(error) => {
            let failure = error.into_failure();
            tracing::warn!("a schedule cannot be read: {failure}");
            None
        }
    };
    rows.iter().filter_map(known).collect()
}

impl ScheduleRow {
    /// As its agent hears it.
    pub(super) fn words(&self) -> EntryBody {
        EntryBody::said(self.sender(), self.message.clone())
    }

    fn trigger(&self) -> Sender {
        Sender::Trigger { schedule: self.id.clone(), name: self.name.clone() }
    }

    pub(super) fn sender(&self) -> Sender {
        Sender::Schedule { schedule: self.id.clone(), name: self.name.clone(), by: self.by }
    }
}
