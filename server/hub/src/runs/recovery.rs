//! After a crash or a stop: runs that were under way go on by themselves. What only looks is done again; of
//! a call that may have changed something, its run is told that nobody knows what came of it.

use crate::approvals;
use crate::error::Result;
use crate::log::{Appending, EntryScope};
use crate::notifications::News;
use crate::runs::Runs;
use crate::store::{Row, query};
use futures_util::{StreamExt, stream};
use protocol::agent::Home;
use protocol::log::{EntryBody, Outcome};
use protocol::words;
use protocol::{AgentId, ConversationId, PipelineId, RunId, ScheduleId, TokenId, UserId};
use tracing::{Instrument, info_span};

/// Runs that are taken up at once.
const CONCURRENT: usize = 16;
/// How often a run goes on after its hub crashed, within an hour of the crash before.
const MOST_CRASHES: i64 = 3;
const HOUR_MS: i64 = 60 * 60 * 1000;

const CRASHED: &str = words!(
    "The hub crashed again and again while this run was under way, so it does not go on by itself. Retry goes on from what it had done."
);
const DISABLED: &str = words!("The account of this agent's person was disabled.");
const NOT_TAKEN_UP: &str =
    words!("The hub could not go on with this run. Retry goes on from what it had done.");

/// A run that the last process left, as its row has it.
pub(super) struct LeftRun {
    pub(super) run: RunId,
    pub(super) agent: AgentId,
    pub(super) conversation: ConversationId,
    pub(super) home: Home,
    pub(super) asked_by: Option<TokenId>,
    pub(super) scheduled_by: Option<ScheduleId>,
    pub(super) pipeline: Option<PipelineId>,
    pub(super) chain: Option<RunId>,
    /// The model that was chosen for it alone.
    pub(super) own_model: Option<String>,
    pub(super) is_ambient: bool,
    /// Since when no browser drives what is at home in one.
    pub(super) undriven_since: Option<i64>,
    pub(super) crashes: Crashes,
}

/// How often a hub crashed while the run did something, each time within an hour of the time before, and when
/// it last did.
#[derive(Clone, Copy)]
pub(super) struct Crashes {
    pub(super) count: i64,
    pub(super) last_at: i64,
}

impl LeftRun {
    fn read(row: &Row, crashes: Crashes) -> Result<Self> {
        Ok(Self {
            run: row.get("id")?,
            agent: row.get("agent_id")?,
            conversation: row.get("conversation_id")?,
            home: row.get("home")?,
            asked_by: row.get("asked_by")?,
            scheduled_by: row.get("schedule_id")?,
            pipeline: row.get("pipeline_id")?,
            chain: row.get("chain")?,
            own_model: row.get("model")?,
            is_ambient: row.get::<i64>("ambient")? == 1,
            undriven_since: row.get("undriven_since")?,
            crashes,
        })
    }

    fn place(&self) -> EntryScope {
        EntryScope {
            agent: self.agent.clone(),
            conversation: Some(self.conversation.clone()),
            run: Some(self.run.clone()),
        }
    }
}

impl Crashes {
    fn read(row: &Row) -> Result<Self> {
        Ok(Self { count: row.get("crashes")?, last_at: row.get("crashed_at")? })
    }

    fn and_one(self, now: i64) -> Self {
        let is_recent = now.saturating_sub(self.last_at) < HOUR_MS;
        Self { count: if is_recent { self.count + 1 } else { 1 }, last_at: now }
    }
}

impl Runs<'_> {
    /// Goes on with what another process left of one person's, or of everybody's.
    pub(crate) async fn recover(self, person: Option<&UserId>) -> Result<()> {
        self.hub.ledger().settle_holds(person).await?;
        let rows = query(
            "SELECT r.id, r.agent_id, r.conversation_id, r.home, r.asked_by, r.schedule_id, r.pipeline_id, r.ambient, r.process, r.chain, r.model,
                    r.crashes, r.crashed_at, r.undriven_since, u.disabled
             FROM runs r JOIN agents a ON a.id = r.agent_id JOIN users u ON u.id = a.user_id
             WHERE r.running = 1 AND (CAST($1 AS TEXT) IS NULL OR a.user_id = $1)
               AND (r.process IS NULL OR r.process <> $2) ORDER BY r.started_at, r.id",
            (person, self.hub.process()),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        let recovered = stream::iter(rows).map(async |row| self.recover_one(&row).await);
        let outcomes: Vec<Result<()>> = recovered.buffer_unordered(CONCURRENT).collect().await;
        outcomes.into_iter().collect::<Result<()>>()?;
        self.hub.approvals().withdraw_questions_of_pages(person).await?;
        self.hub.gateway().close_abandoned_page_calls(person).await
    }

    async fn recover_one(self, row: &Row) -> Result<()> {
        let mut crashes = Crashes::read(row)?;
        let was_left_in_order = row.get::<Option<String>>("process")?.is_none();
        let has_driver = row.get::<Option<i64>>("undriven_since")?.is_none();
        // Who waits for a person or a browser does nothing that could make a hub crash.
        if !was_left_in_order && has_driver && !approvals::is_open(self.hub.store(), &row.get("id")?).await? {
            crashes = crashes.and_one(self.hub.now());
        }
        let left = LeftRun::read(row, crashes)?;
        let (place, run) = (left.place(), left.run.clone());
        if row.get::<i64>("disabled")? == 1 {
            return self.interrupt(&place, &run, DISABLED).await.map(|_| ());
        }
        if crashes.count > MOST_CRASHES {
            return self.interrupt(&place, &run, CRASHED).await.map(|_| ());
        }
        let mut appending = self.hub.log().appending().await?;
        appending.reopen_calls(&place, &run, left.home).await?;
        self.hub.log().commit(appending).await?;
        // One that cannot go on keeps no other from it.
        if let Err(error) = self.take_up(left).await {
            tracing::warn!(run.id = %run, error = ?error, "run {run} could not be taken up");
            self.interrupt(&place, &run, NOT_TAKEN_UP).await?;
        }
        Ok(())
    }

    /// Ends a run that nobody looks after; `false`: somebody else has.
    pub(super) async fn interrupt(self, place: &EntryScope, run: &RunId, why: &str) -> Result<bool> {
        let now = self.hub.now();
        let outcome = Outcome::Interrupted { why: why.to_owned() };
        let awaited = self.hub.schedules().news_of_end(run, &outcome).await?;
        let mut appending = self.hub.log().appending().await?;
        appending.close_open_calls(place, run).await?;
        appending.withdraw_questions_of(run).await?;
        let seq = appending.append(place, EntryBody::finished(outcome.clone())).await?;
        let Some(Ended { scheduled_by, is_for_a_person }) = appending.ended(run).await? else {
            appending.give_up().await?;
            return Ok(false);
        };
        if let (true, Some(conversation)) = (is_for_a_person, &place.conversation) {
            let news = News::Ended(&outcome);
            self.hub.notifications().note(&mut appending.tx, &place.agent, Some(conversation), news).await?;
            appending.note_unseen_end(conversation, seq).await?;
        }
        appending.end_run(run, &outcome, now).await?;
        appending.settle_delegation(run, &outcome).await?;
        if let Some(news) = &awaited {
            appending.tell_end(run, news, now).await?;
        }
        self.hub.log().commit(appending).await?;
        if awaited.is_some() {
            self.hub.schedules().look_soon();
        }
        tracing::info!(run.id = %run, "run {run} was interrupted");
        if is_for_a_person {
            self.hub.live().changed_beside_the_log(&place.agent);
        }
        self.let_schedules_run_after(run, &place.agent, scheduled_by);
        Ok(true)
    }

    /// What waited for the agent begins, and a schedule that began the run hears of its end.
    fn let_schedules_run_after(self, run: &RunId, agent: &AgentId, begun_by: Option<ScheduleId>) {
        let (hub, agent) = (self.hub.clone(), agent.clone());
        // Not within what found the run: that goes on.
        let span = info_span!(parent: None, "after_run", run.id = %run, agent.id = %agent);
        let go_on = async move {
            if let Err(error) = hub.schedules().let_schedules_run(&agent, begun_by.as_ref()).await {
                let failure = error.into_failure();
                tracing::warn!(agent.id = %agent, "schedules of agent {agent} wait on: {failure}");
            }
        };
        self.hub.tasks().spawn(go_on.instrument(span));
    }
}

/// Who is told of the end of a run that nobody looks after.
struct Ended {
    scheduled_by: Option<ScheduleId>,
    /// No program gets its answer, no other agent hears of it, and it was not the agent's own idea.
    is_for_a_person: bool,
}

impl Appending {
    /// `None`: the run is over. Call it after the append.
    async fn ended(&mut self, run: &RunId) -> Result<Option<Ended>> {
        let row: Option<Row> = query(
            "SELECT r.schedule_id, r.asked_by, r.ambient, a.root_id
             FROM runs r JOIN agents a ON a.id = r.agent_id WHERE r.id = $1 AND r.running = 1",
            (run,),
        )
        .fetch_optional(&mut *self.tx)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let is_told_to_others = row.get::<Option<TokenId>>("asked_by")?.is_some()
            || row.get::<Option<AgentId>>("root_id")?.is_some()
            || row.get::<i64>("ambient")? == 1;
        Ok(Some(Ended { scheduled_by: row.get("schedule_id")?, is_for_a_person: !is_told_to_others }))
    }
}
