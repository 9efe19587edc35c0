//! Starting a run: the lease and its first entry in one commit, then whoever is to drive it.

use super::Execution;
use super::definition::Definition;
use super::devices_told;
use super::hand_over::{Destination, Taker};
use super::lease::Driven;
use crate::Hub;
use crate::clock::{new_id, new_secret};
use crate::error::Result;
use crate::ledger::forget_stop;
use crate::live::TabKey;
use crate::log::{Place, conversation_entries};
use crate::schedules::Due;
use futures_util::TryStreamExt;
use protocol::log::{EntryBody, Sender};
use protocol::view::Home;
use protocol::{AgentId, ConversationId, RunId, ScheduleId, TokenId};
use sqlx::Row as _;
use std::sync::Arc;

/// Messages that are looked at for who spoke last; pages may have told much.
const LOOK_BACK: i64 = 50;

/// What a run that begins takes for granted of the agent's log.
pub(super) enum Log<'a> {
    Whatever,
    /// Nothing came after this entry.
    EndsAt(u64),
    /// This message is to be the last one in it.
    Says {
        from: Sender,
        text: &'a str,
    },
    /// It goes on with what a schedule says, if that still waits.
    GoesOn(&'a Due),
}

/// A message, and the run that answers it.
pub(crate) struct Asked {
    pub(crate) seq: u64,
    pub(crate) run: RunId,
}

impl Hub {
    /// Starts a run of this agent unless one is active. `tab` sent the input.
    pub(crate) async fn start_run(&self, agent: &AgentId, tab: Option<TabKey>) -> Result<Option<RunId>> {
        let definition = self.definition(agent).await?;
        let scheduled_by = self.scheduled_in(&definition.conversation).await?;
        self.start(agent, Definition { scheduled_by, ..definition }, tab, Log::Whatever).await
    }

    /// Starts a run with what a schedule says.
    pub(crate) async fn start_due(&self, agent: &AgentId, due: &Due) -> Result<Option<RunId>> {
        let definition = self.definition(agent).await?;
        let scheduled_by = Some(due.schedule.clone());
        self.start(agent, Definition { scheduled_by, ..definition }, None, Log::GoesOn(due)).await
    }

    /// The schedule that spoke last, if nobody did after it: a run that goes on with that is paid for by
    /// the schedule too.
    async fn scheduled_in(&self, conversation: &ConversationId) -> Result<Option<ScheduleId>> {
        let mut rows = sqlx::query(
            "SELECT body FROM entries WHERE conversation_id = $1 AND kind = 'message' ORDER BY seq DESC LIMIT $2",
        )
        .bind(&conversation.0)
        .bind(LOOK_BACK)
        .fetch(self.store.read());
        // The first one nearly always says it.
        while let Some(row) = rows.try_next().await? {
            let body: EntryBody = serde_json::from_str(&row.try_get::<String, _>(0)?)?;
            let EntryBody::Message { from, .. } = body else { continue };
            match from {
                Sender::PageEmit { .. } | Sender::Devices => {}
                Sender::Schedule { schedule, .. } => return Ok(Some(schedule)),
                Sender::Person
                | Sender::PageNotify { .. }
                | Sender::PageAsk
                | Sender::PageErrors
                | Sender::Program { .. }
                | Sender::Rule { .. } => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Starts a run that goes on with what the last one was about, for the program that asked for it, if one
    /// did and its token is still there.
    pub(crate) async fn go_on(&self, agent: &AgentId, tab: Option<TabKey>) -> Result<Option<RunId>> {
        let row = sqlx::query(
            "SELECT t.id FROM runs r LEFT JOIN tokens t ON t.id = r.asked_by
             WHERE r.agent_id = $1 ORDER BY r.started_at DESC, r.id DESC LIMIT 1",
        )
        .bind(&agent.0)
        .fetch_optional(self.store.read())
        .await?;
        let asked_by = row.map(|row| row.try_get::<Option<String>, _>("id")).transpose()?.flatten();
        let definition = self.definition(agent).await?;
        let scheduled_by = self.scheduled_in(&definition.conversation).await?;
        let definition = Definition { asked_by: asked_by.map(TokenId), scheduled_by, ..definition };
        self.start(agent, definition, tab, Log::Whatever).await
    }

    /// Starts a run of this definition, unless one is active or the log is another.
    pub(super) async fn start(
        &self,
        agent: &AgentId,
        definition: Definition,
        tab: Option<TabKey>,
        log: Log<'_>,
    ) -> Result<Option<RunId>> {
        Ok(self.start_after(agent, definition, tab, log).await?.map(|(run, _)| run))
    }

    /// Says this, and starts the run that answers it; neither if another run is active.
    pub(super) async fn start_saying(
        &self,
        agent: &AgentId,
        definition: Definition,
        from: Sender,
        text: &str,
    ) -> Result<Option<Asked>> {
        let started = self.start_after(agent, definition, None, Log::Says { from, text }).await?;
        Ok(started.map(|(run, seq)| Asked { seq, run }))
    }

    /// Gives the run, and the number of what the log said last before it.
    async fn start_after(
        &self,
        agent: &AgentId,
        definition: Definition,
        tab: Option<TabKey>,
        log: Log<'_>,
    ) -> Result<Option<(RunId, u64)>> {
        let run = RunId(new_id());
        let token = new_secret();
        let to = match definition.home {
            Home::Hub => Some(Destination::Hub),
            Home::Browser => tab.or_else(|| self.live.stage(agent).map(|tab| tab.key)).map(Destination::Tab),
        };
        let (driven, link) = self.found_at(to).await?;
        let Some(last) = self.begin(agent, &definition, &run, &token, &driven, log).await? else {
            return Ok(None);
        };
        self.were_read(agent, last);
        let (seat, taker) = Taker::seated(token.clone(), driven.home, link);
        let conversation = definition.conversation.clone();
        let execution = Execution::new(self, agent, definition, &run, seat);
        self.runs.insert(Arc::clone(&execution));
        execution.watch_devices();
        let transcript = conversation_entries(&self.store, &conversation).await?;
        execution.begin(token, taker, transcript).await;
        Ok(Some((run, last)))
    }

    /// Takes the lease and gives the number of the last entry before the run; nothing if another run holds
    /// it, the log is another, or the person is disabled.
    async fn begin(
        &self,
        agent: &AgentId,
        definition: &Definition,
        run: &RunId,
        token: &str,
        driven: &Driven,
        log: Log<'_>,
    ) -> Result<Option<u64>> {
        if self.runs.is_active(agent) {
            return Ok(None);
        }
        let devices = match &log {
            Log::Whatever | Log::Says { .. } | Log::GoesOn(_) if devices_told::matter(&definition.spec) => {
                let (here, _) = self.live.here(agent, self.now());
                Some(self.known_devices(&here).await?)
            }
            Log::Whatever | Log::Says { .. } | Log::GoesOn(_) | Log::EndsAt(_) => None,
        };
        let mut appending = self.appending().await?;
        let inserted = sqlx::query(
            "INSERT INTO runs (id, agent_id, conversation_id, home, owner, token, running, started_at, asked_by,
                               schedule_id)
             SELECT $1, $2, $3, $4, $5, $6, 1, $7, $8, $9 FROM agents JOIN users ON users.id = agents.user_id
             WHERE agents.id = $2 AND users.disabled = 0 ON CONFLICT DO NOTHING",
        )
        .bind(&run.0)
        .bind(&agent.0)
        .bind(&definition.conversation.0)
        .bind(driven.home_name())
        .bind(driven.owner())
        .bind(token)
        .bind(self.now())
        .bind(definition.asked_by.as_ref().map(|token| &token.0))
        .bind(definition.scheduled_by.as_ref().map(|schedule| &schedule.0))
        .execute(&mut *appending.tx)
        .await?;
        if inserted.rows_affected() == 0 {
            return Ok(None);
        }
        forget_stop(&mut appending.tx, agent).await?;
        let conversation = Some(definition.conversation.clone());
        let place = Place { agent: agent.clone(), conversation, run: Some(run.clone()) };
        let before = Place { run: None, ..place.clone() };
        let said = match &log {
            Log::Says { from, text } => {
                let body = EntryBody::Message { from: from.clone(), text: (*text).to_owned() };
                Some(appending.append(&before, body).await?)
            }
            Log::GoesOn(due) => {
                if !appending.begin_due(due, &before, run).await? {
                    return Ok(None);
                }
                None
            }
            Log::Whatever | Log::EndsAt(_) => None,
        };
        appending.append_page_emits(agent, &definition.conversation).await?;
        if let Some(devices) = devices {
            appending.append_devices(agent, &definition.conversation, &devices).await?;
        }
        let started = EntryBody::RunStarted {
            home: definition.home,
            model: Some(definition.spec.model.clone()),
            rounds: Some(definition.spec.round_limit),
            driver: driven.by.clone(),
            unverified: definition.spec.on_device.is_some(),
        };
        let seq = appending.append(&place, started).await?;
        match log {
            Log::EndsAt(last) if seq != last + 1 => return Ok(None),
            Log::EndsAt(_) | Log::GoesOn(_) | Log::Whatever | Log::Says { .. } => {}
        }
        self.commit(appending).await?;
        Ok(Some(said.unwrap_or(seq - 1)))
    }
}
