//! Why a run is begun: for whom it is, and who pays for it.

use super::definition::Definition;
use crate::delegations::Chain;
use crate::error::{Error, Result};
use crate::log::{Kinds, Lineage};
use crate::runs::Runs;
use crate::store::query;
use protocol::log::{EntryBody, Sender};
use protocol::{ConversationId, DelegationId, PipelineId, ScheduleId};

/// Messages that are looked at for who spoke last; pages may have told much.
const LOOK_BACK: usize = 50;

/// Why a run is begun that no person asks for now.
pub(super) enum Cause {
    Schedule(ScheduleId),
    Chain {
        chain: Chain,
        /// What the chain began with, a program said.
        by_program: bool,
    },
    /// What a run of this pipeline left behind.
    Pipeline(PipelineId),
    Program,
    Other,
}

impl Definition {
    pub(super) fn caused_by(self, cause: Cause) -> Self {
        match cause {
            Cause::Schedule(schedule) => Self { scheduled_by: Some(schedule), ..self },
            Cause::Chain { chain: Chain { begun_by, token, schedule, pipeline }, by_program } => Self {
                chain: Some(begun_by),
                asked_by: token,
                scheduled_by: schedule,
                pipeline,
                by_program,
                ..self
            },
            Cause::Pipeline(pipeline) => Self { pipeline: Some(pipeline), ..self },
            Cause::Program => Self { by_program: true, ..self },
            Cause::Other => self,
        }
    }
}

impl Runs<'_> {
    /// Who spoke last, if nobody did after them: of a schedule, a run that goes on with that is paid for by it
    /// too; of another agent, it is a part of the same chain.
    pub(super) async fn cause_in(self, conversation: &ConversationId) -> Result<Cause> {
        match self.last_speaker(conversation, u64::MAX).await? {
            Some(Sender::Schedule { schedule, .. }) => Ok(Cause::Schedule(schedule)),
            Some(Sender::Agent { delegation, .. }) => self.cause_of(&delegation, conversation).await,
            Some(Sender::Job { job, .. }) => {
                self.cause_in_chain(self.hub.external_jobs().chain_of(&job).await?).await
            }
            Some(Sender::Program { .. }) => Ok(Cause::Program),
            Some(Sender::PageErrors) => self.cause_of_errors(conversation).await,
            Some(
                Sender::Person
                | Sender::PageNotify { .. }
                | Sender::PageAsk
                | Sender::PageEmit { .. }
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

    /// Why there is in this conversation what another agent wants done, or says of what it did.
    pub(super) async fn cause_of(
        self,
        delegation: &DelegationId,
        conversation: &ConversationId,
    ) -> Result<Cause> {
        self.cause_in_chain(self.hub.delegations().chain_of(delegation, conversation).await?).await
    }

    /// Errors of a page come of what drew it: where that was a run of a pipeline, they are repaired under its budget.
    async fn cause_of_errors(self, conversation: &ConversationId) -> Result<Cause> {
        let pipeline: Option<Option<PipelineId>> = query(
            "SELECT r.pipeline_id FROM conversations c JOIN skins n ON n.agent_id = c.agent_id
             JOIN skins d ON d.agent_id = n.agent_id
                         AND d.version = CASE WHEN n.base > 0 THEN n.base ELSE n.version END
             JOIN runs r ON r.id = d.run_id
             WHERE c.id = $1 AND n.version = (SELECT MAX(m.version) FROM skins m WHERE m.agent_id = c.agent_id)",
            (conversation,),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        Ok(pipeline.flatten().map_or(Cause::Other, Cause::Pipeline))
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
    pub(super) async fn is_by_program(self, conversation: &ConversationId, before: u64) -> Result<bool> {
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
}
