//! Starting a run: the lease and its first entry in one commit, then whoever is to drive it.

use super::Execution;
use super::beginning::Beginning;
use super::definition::{Definition, remembers};
use super::hand_over::{Destination, NextDriver};
use super::start_commit::{LogPrecondition, Speaks, StartOutcome};
use super::unread::unread_model;
use crate::agents::is_paused;
use crate::clock::{new_id, new_secret};
use crate::conversations::Branch;
use crate::delegations::DelegatedTask;
use crate::error::{Error, Result};
use crate::live::TabKey;
use crate::memories::Told;
use crate::runs::Runs;
use crate::schedules::Due;
use crate::store::query;
use protocol::agent::Home;
use protocol::log::{Outcome, Sender};
use protocol::run::RunSpec;
use protocol::words;
use protocol::{AgentId, ConversationId, RunId, TokenId};
use std::sync::Arc;

/// How often another model may be chosen while a run begins.
const MAX_OTHER_MODELS: u32 = 3;

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
        let cause = self.cause_of(&task.id, conversation).await?;
        let definition = Definition { home: Home::Hub, ..definition.caused_by(cause) };
        self.start(agent, definition, None, LogPrecondition::Delegated(task)).await
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
}
