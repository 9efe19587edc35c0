//! Starting a run: the lease and its first entry in one commit, then whoever is to drive it.

use super::Execution;
use super::beginning::Beginning;
use super::definition::{Definition, remembers};
use super::devices_told;
use super::hand_over::{Destination, NextDriver};
use super::lease::Driven;
use super::unread::{has_unread, unread_model};
use crate::agents::is_paused;
use crate::clock::{new_id, new_secret};
use crate::conversations::Branch;
use crate::delegations::{AskedChain, Chain, DelegatedTask};
use crate::error::{Error, Result};
use crate::ledger::forget_stop;
use crate::live::TabKey;
use crate::log::{EntryScope, Kinds, Lineage};
use crate::memories::Told;
use crate::runs::Runs;
use crate::schedules::Due;
use crate::skills::begin_with;
use crate::store::{Json, query};
use protocol::agent::Home;
use protocol::log::{EntryBody, Outcome, Sender};
use protocol::run::RunSpec;
use protocol::words;
use protocol::{AgentId, ConversationId, DelegationId, RunId, ScheduleId, TokenId};
use std::sync::Arc;

/// Messages that are looked at for who spoke last; pages may have told much.
const LOOK_BACK: usize = 50;
/// How often another model may be chosen while a run begins.
const MAX_OTHER_MODELS: u32 = 3;

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

/// Why a run is begun that no person asks for now.
enum Cause {
    Schedule(ScheduleId),
    Chain {
        chain: Chain,
        /// What the chain began with, a program said.
        by_program: bool,
    },
    Program,
    Other,
}

impl Definition {
    fn caused_by(self, cause: Cause) -> Self {
        match cause {
            Cause::Schedule(schedule) => Self { scheduled_by: Some(schedule), ..self },
            Cause::Chain { chain: Chain { begun_by, token, schedule }, by_program } => {
                Self { chain: Some(begun_by), asked_by: token, scheduled_by: schedule, by_program, ..self }
            }
            Cause::Program => Self { by_program: true, ..self },
            Cause::Other => self,
        }
    }
}

/// What became of an attempt to begin a run.
enum StartOutcome {
    /// The number of what the log said last before it.
    After(u64),
    /// Nothing is to be begun, or nobody is there who may.
    Not,
    /// Another run holds the agent.
    Held,
    /// What it would read is to be answered by another model.
    OtherModel(Option<String>),
}

/// A message, and the run that answers it.
pub(crate) struct MessageRun {
    pub(crate) seq: u64,
    pub(crate) run: RunId,
    pub(crate) conversation: ConversationId,
}

impl Runs<'_> {
    /// Starts a run that reads what was said and no run has read, unless one is active: in the conversation
    /// where it was said first. `tab` sent the input.
    pub(crate) async fn begin_for(self, agent: &AgentId, tab: Option<TabKey>) -> Result<Option<RunId>> {
        let Some(conversation) = self.unread_conversation(agent).await? else { return Ok(None) };
        let own_model = unread_model(self.hub.store().read(), &conversation).await?;
        let definition = self.definition_with(agent, &conversation, own_model).await?;
        let cause = self.cause_in(&definition.conversation).await?;
        self.start(agent, definition.caused_by(cause), tab, LogPrecondition::Unread).await
    }

    /// Starts a run with what a schedule says.
    pub(crate) async fn start_due(self, agent: &AgentId, due: Due) -> Result<Option<RunId>> {
        let definition = self.definition(agent).await?;
        let scheduled_by = Some(due.schedule.clone());
        self.start(
            agent,
            Definition { scheduled_by, ..definition },
            None,
            LogPrecondition::Continuable(Box::new(due)),
        )
        .await
    }

    /// Starts a run with what another agent wants done, on the hub wherever its agent lives.
    pub(crate) async fn start_delegated(
        self,
        agent: &AgentId,
        conversation: &ConversationId,
        task: DelegatedTask,
    ) -> Result<Option<RunId>> {
        let definition = self.definition_in(agent, Some(conversation)).await?;
        if definition.spec.on_device.is_some() {
            return Err(Error::invalid(
                "Its model is on a device of your person's, where other agents cannot reach it.",
            ));
        }
        let cause = self.cause_of(&task.id).await?;
        let definition = Definition { home: Home::Hub, ..definition.caused_by(cause) };
        self.start(agent, definition, None, LogPrecondition::Delegated(task)).await
    }

    /// Who spoke last, if nobody did after them: of a schedule, a run that goes on with that is paid for by it
    /// too; of another agent, it is a part of the same chain.
    async fn cause_in(self, conversation: &ConversationId) -> Result<Cause> {
        match self.last_speaker(conversation, u64::MAX).await? {
            Some(Sender::Schedule { schedule, .. }) => Ok(Cause::Schedule(schedule)),
            Some(Sender::Agent { delegation, .. }) => self.cause_of(&delegation).await,
            Some(Sender::Job { job, .. }) => {
                self.cause_in_chain(self.hub.external_jobs().chain_of(&job).await?).await
            }
            Some(Sender::Program { .. }) => Ok(Cause::Program),
            Some(
                Sender::Person
                | Sender::PageNotify { .. }
                | Sender::PageAsk
                | Sender::PageEmit { .. }
                | Sender::PageErrors
                | Sender::Rule { .. }
                | Sender::Devices
                | Sender::Todo
                | Sender::Rating
                | Sender::Context { .. }
                | Sender::Trigger { .. },
            )
            | None => Ok(Cause::Other),
        }
    }

    /// Why there is what another agent wants done.
    async fn cause_of(self, delegation: &DelegationId) -> Result<Cause> {
        self.cause_in_chain(self.hub.delegations().chain_of(delegation).await?).await
    }

    async fn cause_in_chain(self, chain: Option<Chain>) -> Result<Cause> {
        let Some(chain) = chain else { return Ok(Cause::Other) };
        let begun: Option<(ConversationId, i64)> =
            query("SELECT conversation_id, began_after FROM runs WHERE id = $1", (&chain.begun_by,))
                .fetch_optional(self.hub.store().read())
                .await?;
        let by_program = match begun {
            Some((conversation, began_after)) => {
                let before = u64::try_from(began_after).map_err(Error::internal)?.saturating_add(1);
                self.is_by_program(&conversation, before).await?
            }
            None => false,
        };
        Ok(Cause::Chain { chain, by_program })
    }

    /// Whether a program spoke last before the entry `before`.
    async fn is_by_program(self, conversation: &ConversationId, before: u64) -> Result<bool> {
        Ok(matches!(self.last_speaker(conversation, before).await?, Some(Sender::Program { .. })))
    }

    /// Who spoke last before the entry `before`, but for what wakes nobody.
    async fn last_speaker(self, conversation: &ConversationId, mut before: u64) -> Result<Option<Sender>> {
        let lineage = Lineage::of(self.hub.store().read(), conversation).await?;
        // The first one nearly always says it.
        for look in [1, LOOK_BACK] {
            for entry in lineage.last(self.hub.store(), before, Kinds::Messages, look).await? {
                before = entry.seq;
                let EntryBody::Message { from, .. } = entry.body else { continue };
                match from {
                    Sender::PageEmit { .. }
                    | Sender::Devices
                    | Sender::Todo
                    | Sender::Rating
                    | Sender::Context { .. }
                    | Sender::Trigger { .. } => {}
                    Sender::Person
                    | Sender::PageNotify { .. }
                    | Sender::PageAsk
                    | Sender::PageErrors
                    | Sender::Program { .. }
                    | Sender::Schedule { .. }
                    | Sender::Agent { .. }
                    | Sender::Job { .. }
                    | Sender::Rule { .. } => return Ok(Some(from)),
                }
            }
        }
        Ok(None)
    }

    /// Starts a run that goes on with what the agent's last one was about.
    pub(crate) async fn continue_last_run(
        self,
        agent: &AgentId,
        tab: Option<TabKey>,
    ) -> Result<Option<RunId>> {
        let last: Option<ConversationId> = query(
            "SELECT r.conversation_id FROM runs r JOIN conversations c ON c.id = r.conversation_id
             WHERE r.agent_id = $1 AND c.deleted_at IS NULL
             ORDER BY r.began_after DESC, r.started_at DESC, r.id DESC LIMIT 1",
            (agent,),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        match last {
            Some(conversation) => self.continue_run(agent, conversation, tab).await,
            None => Ok(None),
        }
    }

    /// Starts a run that goes on with what the last one of this conversation was about: with the model that was
    /// chosen for it, and for the program that asked for it, if one did and its token is still there.
    pub(super) async fn continue_run(
        self,
        agent: &AgentId,
        conversation: ConversationId,
        tab: Option<TabKey>,
    ) -> Result<Option<RunId>> {
        let last: Option<(Option<TokenId>, Option<String>)> = query(
            "SELECT t.id, r.model FROM runs r LEFT JOIN tokens t ON t.id = r.asked_by
             WHERE r.conversation_id = $1 ORDER BY r.began_after DESC, r.started_at DESC, r.id DESC LIMIT 1",
            (&conversation,),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        let cause = self.cause_in(&conversation).await?;
        let (asked_by, own_model) = last.unwrap_or_default();
        let definition = self.definition_with(agent, &conversation, own_model).await?;
        let definition = definition.caused_by(cause);
        let definition = Definition { asked_by: asked_by.or(definition.asked_by.clone()), ..definition };
        self.start(agent, definition, tab, LogPrecondition::Any).await
    }

    /// Starts a run that is the first thing in this branch: it answers what was said last before it, with
    /// `own_model` if there is one.
    pub(super) async fn start_in_branch(
        self,
        agent: &AgentId,
        branch: Branch,
        own_model: Option<String>,
        tab: Option<TabKey>,
    ) -> Result<Option<RunId>> {
        let definition = self.definition_with(agent, &branch.of, own_model).await?;
        let by_program = self.is_by_program(&branch.of, u64::MAX).await?;
        let definition = Definition { conversation: branch.id.clone(), by_program, ..definition };
        self.start(agent, definition, tab, LogPrecondition::Branched(branch)).await
    }

    /// Starts a run of this definition, unless one is active or the log is another.
    pub(super) async fn start(
        self,
        agent: &AgentId,
        definition: Definition,
        tab: Option<TabKey>,
        log: LogPrecondition,
    ) -> Result<Option<RunId>> {
        Ok(self.start_after(agent, definition, tab, log).await?.map(|(run, _)| run))
    }

    /// Says this, and starts the run that answers it; neither if another run is active.
    pub(super) async fn start_saying(
        self,
        agent: &AgentId,
        definition: Definition,
        from: Sender,
        text: &str,
        speaks: Speaks,
    ) -> Result<Option<MessageRun>> {
        let conversation = definition.conversation.clone();
        let said = LogPrecondition::LastMessageIs { from, text: text.to_owned(), speaks };
        let started = self.start_after(agent, definition, None, said).await?;
        Ok(started.map(|(run, seq)| MessageRun { seq, run, conversation }))
    }

    /// Gives the run, and the number of what the log said last before it. It begins also if nobody waits for
    /// that any more: whoever asked may hang up when its beginning is on the disk.
    async fn start_after(
        self,
        agent: &AgentId,
        definition: Definition,
        tab: Option<TabKey>,
        log: LogPrecondition,
    ) -> Result<Option<(RunId, u64)>> {
        if is_paused(self.hub.store().read(), agent).await? {
            return Ok(None);
        }
        let (hub, agent) = (self.hub.clone(), agent.clone());
        let begun = self.hub.tasks().complete(async move {
            match hub.runs().turn_to_begin(&agent, &RunId(new_id())).await? {
                Some(beginning) => hub.runs().begin_and_drive(&agent, beginning, definition, tab, log).await,
                None => Ok(None),
            }
        });
        begun.await?
    }

    async fn begin_and_drive(
        self,
        agent: &AgentId,
        beginning: Beginning,
        mut definition: Definition,
        tab: Option<TabKey>,
        log: LogPrecondition,
    ) -> Result<Option<(RunId, u64)>> {
        if remembers(&definition.spec.tools) {
            let (owner, conversation) = (&definition.owner, &definition.conversation);
            let Told { text, memories } = self.hub.memories().for_run(owner, agent, conversation).await?;
            definition.spec.memories = text;
            definition.memories = memories;
        }
        let run = beginning.run().clone();
        let token = new_secret();
        let to = match definition.home {
            Home::Hub => Some(Destination::Hub),
            Home::Browser => {
                tab.or_else(|| self.hub.live().stage(agent).map(|tab| tab.key)).map(Destination::Tab)
            }
        };
        let (driven, link) = self.found_at(to).await?;
        let mut begun = self.begin(agent, &definition, &run, &token, &driven, &log).await?;
        let mut changes = 0;
        while let StartOutcome::OtherModel(own_model) = begun {
            // It was chosen meanwhile.
            changes += 1;
            if changes > MAX_OTHER_MODELS {
                return Ok(None);
            }
            let anew = self.definition_with(agent, &definition.conversation, own_model).await?;
            let memories = std::mem::take(&mut definition.spec.memories);
            definition.spec = RunSpec { memories, ..anew.spec };
            definition.own_model = anew.own_model;
            begun = self.begin(agent, &definition, &run, &token, &driven, &log).await?;
        }
        if matches!(begun, StartOutcome::Held) && self.end_lost_run_of(agent).await? {
            begun = self.begin(agent, &definition, &run, &token, &driven, &log).await?;
        }
        let StartOutcome::After(last) = begun else { return Ok(None) };
        self.were_read(agent, &definition.conversation, last);
        let (holder, taker) = NextDriver::seated(token.clone(), driven.home, link);
        let (conversation, spec) = (definition.conversation.clone(), definition.spec.clone());
        let execution = Execution::new(self.hub, agent, definition, &run, holder);
        beginning.ends_with(Arc::clone(&execution));
        execution.watch_devices();
        match self.transcript_behind(&conversation, &spec, last).await {
            Ok(transcript) => execution.begin(token, taker, transcript).await,
            Err(error) => {
                let why = words!("The hub could not read the conversation. Retry goes on.").to_owned();
                execution.force_finish(Outcome::Interrupted { why }).await;
                return Err(error);
            }
        }
        Ok(Some((run, last)))
    }

    /// Takes the lease. Nothing is begun if the log is another, the agent is paused, or the person is disabled or
    /// placed on another node.
    async fn begin(
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
                               model)
             SELECT $1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $10, CAST($11 AS BIGINT), agents.last_seq, $12, $13, $15, $16
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
            ),
        )
        .execute(&mut *appending.tx)
        .await?;
        if inserted == 0 {
            // What it met may not be on the disk yet.
            appending.give_up().await?;
            return Ok(StartOutcome::Held);
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
        begin_with(&mut appending.tx, run, agent, &definition.spec.skills).await?;
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
            LogPrecondition::EndsAt(_)
            | LogPrecondition::Continuable(_)
            | LogPrecondition::Delegated(_)
            | LogPrecondition::Branched(_)
            | LogPrecondition::Any
            | LogPrecondition::Unread
            | LogPrecondition::LastMessageIs { .. } => {}
        }
        self.hub.log().commit(appending).await?;
        Ok(StartOutcome::After(said.unwrap_or(seq - 1)))
    }
}
