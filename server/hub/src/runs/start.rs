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
use protocol::log::{EntryBody, Sender};
use protocol::view::Home;
use protocol::{AgentId, RunId, TokenId};
use sqlx::Row as _;
use std::sync::Arc;

/// What a run that begins takes for granted of the agent's log.
pub(super) enum Log {
    Whatever,
    /// Nothing came after this entry.
    EndsAt(u64),
    /// This message is to be the last one in it.
    Says {
        from: Sender,
        text: String,
    },
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
        self.start(agent, definition, tab, Log::Whatever).await
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
        let definition = Definition { asked_by: asked_by.map(TokenId), ..self.definition(agent).await? };
        self.start(agent, definition, tab, Log::Whatever).await
    }

    /// Starts a run of this definition, unless one is active or the log is another.
    pub(super) async fn start(
        &self,
        agent: &AgentId,
        definition: Definition,
        tab: Option<TabKey>,
        log: Log,
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
        let log = Log::Says { from, text: text.to_owned() };
        let started = self.start_after(agent, definition, None, log).await?;
        Ok(started.map(|(run, seq)| Asked { seq, run }))
    }

    /// Gives the run, and the number of what the log said last before it.
    async fn start_after(
        &self,
        agent: &AgentId,
        definition: Definition,
        tab: Option<TabKey>,
        log: Log,
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
        log: Log,
    ) -> Result<Option<u64>> {
        if self.runs.is_active(agent) {
            return Ok(None);
        }
        let devices = match log {
            Log::Whatever | Log::Says { .. } if devices_told::matter(&definition.spec) => {
                let (here, _) = self.live.here(agent, self.now());
                Some(self.known_devices(&here).await?)
            }
            Log::Whatever | Log::Says { .. } | Log::EndsAt(_) => None,
        };
        let mut appending = self.appending().await?;
        let inserted = sqlx::query(
            "INSERT INTO runs (id, agent_id, conversation_id, home, owner, token, running, started_at, asked_by)
             SELECT $1, $2, $3, $4, $5, $6, 1, $7, $8 FROM agents JOIN users ON users.id = agents.user_id
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
        .execute(&mut *appending.tx)
        .await?;
        if inserted.rows_affected() == 0 {
            return Ok(None);
        }
        let mut said = None;
        if let Log::Says { from, text } = &log {
            let conversation = Some(definition.conversation.clone());
            let place = Place { agent: agent.clone(), conversation, run: None };
            let body = EntryBody::Message { from: from.clone(), text: text.clone() };
            said = Some(appending.append(&place, body).await?);
        }
        forget_stop(&mut appending.tx, agent).await?;
        let place = Place {
            agent: agent.clone(),
            conversation: Some(definition.conversation.clone()),
            run: Some(run.clone()),
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
            Log::EndsAt(_) | Log::Whatever | Log::Says { .. } => {}
        }
        self.commit(appending).await?;
        Ok(Some(said.unwrap_or(seq - 1)))
    }
}
