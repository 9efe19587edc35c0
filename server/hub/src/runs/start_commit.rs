//! The commit with which a run begins: what it takes for granted of the log, the lease and the first entry.

use super::definition::Definition;
use super::devices_told;
use super::lease::Driven;
use super::unread::{has_unread, unread_model};
use crate::conversations::Branch;
use crate::delegations::{AskedChain, DelegatedTask};
use crate::error::Result;
use crate::ledger::forget_stop;
use crate::log::EntryScope;
use crate::runs::Runs;
use crate::schedules::Due;
use crate::skills::begin_with;
use crate::store::{Json, query};
use protocol::hub::Noun;
use protocol::log::{EntryBody, Sender};
use protocol::{AgentId, RunId};

/// What a run that begins takes for granted of the agent's log.
pub(super) enum LogPrecondition {
    Any,
    /// Something in it was said and no run has read it.
    Unread,
    /// Nothing came after this entry.
    EndsAt(u64),
    /// This message is to be the last one in it.
    LastMessageIs {
        from: Sender,
        text: String,
        speaks: Speaks,
    },
    /// It goes on with what a schedule says, if that still waits.
    Continuable(Box<Due>),
    /// Another agent says this, if it still waits to be done and has its turn.
    Delegated(DelegatedTask),
    /// It is the first thing in this branch.
    Branched(Branch),
}

/// Where a program says what begins a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaks {
    /// Where others do.
    WithOthers,
    /// In a conversation of its own.
    Beside,
    /// The same, in one that is written with the run.
    Anew,
}

/// What became of an attempt to begin a run.
pub(super) enum StartOutcome {
    /// The number of what the log said last before it.
    After(u64),
    /// Nothing is to be begun, or nobody is there who may.
    Not,
    /// Another run holds the agent.
    Held,
    /// What it would read is to be answered by another model.
    OtherModel(Option<String>),
}

impl Runs<'_> {
    /// Takes the lease. Nothing is begun if the log is another, the agent is paused, or the person is disabled or
    /// placed on another node.
    pub(super) async fn begin(
        self,
        agent: &AgentId,
        definition: &Definition,
        run: &RunId,
        token: &str,
        driven: &Driven,
        log: &LogPrecondition,
    ) -> Result<StartOutcome> {
        // What the loop thinks over by itself is told nothing.
        let is_spoken_to = !matches!(log, LogPrecondition::EndsAt(_));
        let devices = match is_spoken_to && devices_told::matter(&definition.spec) {
            true => {
                let (here, _) = self.hub.live().here(agent, self.hub.moment());
                Some(self.known_devices(&here).await?)
            }
            false => None,
        };
        // Nor are programs, which may pass on what others want to know, and sub-agents.
        let is_theirs = definition.asked_by.is_none() && !definition.by_program && definition.root == *agent;
        let around = match is_spoken_to && is_theirs {
            true => Some(self.hub.person_contexts().around(&definition.owner, agent).await?),
            false => None,
        };
        let mut appending = self.hub.log().appending().await?;
        // Before any other row, so that nobody who hands several over waits in a circle.
        self.hub.cluster().keep_here(&mut appending.tx, &definition.owner).await?;
        if let LogPrecondition::Branched(branch) = log {
            appending.insert_branch(branch).await?;
        }
        if let LogPrecondition::LastMessageIs { speaks: Speaks::Anew, .. } = log {
            let told_memories = !definition.memories.is_empty();
            appending.insert_for_program(agent, &definition.conversation, told_memories).await?;
        }
        let inserted = query(
            "INSERT INTO runs (id, agent_id, conversation_id, home, owner, token, running, started_at,
                               asked_by, schedule_id, process, ambient, began_after, chain, asked_as, memories,
                               model, pipeline_id)
             SELECT $1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $10, CAST($11 AS BIGINT), agents.last_seq, $12, $13, $15, $16,
                    $17
             FROM agents
             JOIN users ON users.id = agents.user_id
             JOIN agents root ON root.id = COALESCE(agents.root_id, agents.id)
             WHERE agents.id = $2 AND users.disabled = 0 AND root.paused_at IS NULL
               AND (CAST($14 AS TEXT) IS NULL OR users.id IN (SELECT p.user_id FROM placements p JOIN nodes n
                    ON n.id = p.node_id WHERE p.node_id = $14 AND p.taken_on = 1))
             ON CONFLICT DO NOTHING",
            (
                run,
                agent,
                &definition.conversation,
                driven.home,
                driven.owner(),
                token,
                self.hub.now(),
                &definition.asked_by,
                &definition.scheduled_by,
                &self.hub.process(),
                i64::from(matches!(log, LogPrecondition::EndsAt(_))),
                &definition.chain,
                definition.asked_as.as_deref(),
                self.hub.cluster().own_id(),
                (!definition.memories.is_empty()).then_some(Json(&definition.memories)),
                &definition.own_model,
                &definition.pipeline,
            ),
        )
        .execute(&mut *appending.tx)
        .await?;
        if inserted == 0 {
            // What it met may not be on the disk yet.
            appending.give_up().await?;
            return Ok(StartOutcome::Held);
        }
        if !definition.memories.is_empty() {
            appending.tx.changes(&definition.owner, Noun::Memories);
        }
        if let Some(AskedChain { cause, depth }) = &definition.asked_in {
            query("UPDATE runs SET asked_cause = $2, asked_depth = $3 WHERE id = $1", (run, cause, *depth))
                .execute(&mut *appending.tx)
                .await?;
        }
        if matches!(log, LogPrecondition::Unread)
            && !has_unread(&mut *appending.tx, &definition.conversation).await?
        {
            appending.give_up().await?;
            return Ok(StartOutcome::Not);
        }
        let waits_with = unread_model(&mut *appending.tx, &definition.conversation).await?;
        let other = match log {
            LogPrecondition::Unread => (waits_with != definition.own_model).then_some(waits_with),
            LogPrecondition::Any if waits_with.is_some() && waits_with != definition.own_model => {
                Some(waits_with)
            }
            // What waits for a model of its own has its turn first.
            LogPrecondition::Continuable(_) | LogPrecondition::LastMessageIs { .. }
                if waits_with.is_some() =>
            {
                appending.give_up().await?;
                return Ok(StartOutcome::Not);
            }
            LogPrecondition::Any
            | LogPrecondition::Continuable(_)
            | LogPrecondition::LastMessageIs { .. }
            | LogPrecondition::Delegated(_)
            | LogPrecondition::EndsAt(_)
            | LogPrecondition::Branched(_) => None,
        };
        if let Some(own_model) = other {
            appending.give_up().await?;
            return Ok(StartOutcome::OtherModel(own_model));
        }
        forget_stop(&mut appending.tx, agent).await?;
        begin_with(&mut appending.tx, run, agent, &definition.spec).await?;
        let conversation = Some(definition.conversation.clone());
        let place = EntryScope { agent: agent.clone(), conversation, run: Some(run.clone()) };
        let before = EntryScope { run: None, ..place.clone() };
        let said = match log {
            LogPrecondition::LastMessageIs { from, text, speaks } => {
                let body = EntryBody::said(from.clone(), text.clone());
                // The agent's row first, as everywhere: two that wait for each other are both turned away.
                let seq = appending.append(&before, body).await?;
                let conversation = &definition.conversation;
                match speaks {
                    Speaks::WithOthers => appending.use_conversation(conversation, text).await?,
                    Speaks::Beside | Speaks::Anew => {
                        appending.use_conversation_beside(agent, conversation, text).await?;
                    }
                }
                Some(seq)
            }
            LogPrecondition::Continuable(due) => {
                if !appending.begin_due(due, &before, run).await? {
                    return Ok(StartOutcome::Not);
                }
                None
            }
            LogPrecondition::Delegated(task) => {
                if !appending.begin_delegated(task, &before, run).await? {
                    appending.give_up().await?;
                    return Ok(StartOutcome::Not);
                }
                None
            }
            LogPrecondition::Any
            | LogPrecondition::Unread
            | LogPrecondition::EndsAt(_)
            | LogPrecondition::Branched(_) => None,
        };
        appending.append_page_emits(agent, &definition.conversation).await?;
        if let Some(devices) = devices {
            appending.append_devices(agent, &definition.conversation, &devices).await?;
        }
        if is_spoken_to {
            appending.append_notes(agent, &definition.conversation).await?;
        }
        if let Some(around) = around {
            let forgets_after_ms = definition.spec.clear_after_ms;
            appending.append_context(agent, &definition.conversation, &around, forgets_after_ms).await?;
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
            LogPrecondition::EndsAt(last) if seq != last + 1 => return Ok(StartOutcome::Not),
            LogPrecondition::Any | LogPrecondition::Continuable(_) => {
                appending.note_use(&definition.conversation).await?;
            }
            LogPrecondition::EndsAt(_)
            | LogPrecondition::Delegated(_)
            | LogPrecondition::Branched(_)
            | LogPrecondition::Unread
            | LogPrecondition::LastMessageIs { .. } => {}
        }
        self.hub.log().commit(appending).await?;
        Ok(StartOutcome::After(said.unwrap_or(seq - 1)))
    }
}
