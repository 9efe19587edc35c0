//! Pipelines that an agent makes: a part of what it was asked itself, under the same limits, and it hears how they end.

use super::Pipelines;
use super::advance::StopReason;
use super::draft::check;
use super::own::MadeBy;
use super::rows::{PIPELINES, Pipeline, Task, tasks_of};
use super::view::{activity, cards_of, view_of};
use crate::error::{Error, Result};
use crate::gateway::Caller;
use crate::log::{Appending, EntryScope};
use crate::notifications::News;
use crate::store::query;
use protocol::log::Sender;
use protocol::view::{PipelineCard, PipelineDraft, PipelineState, PipelineView, TaskBy, TaskState};
use protocol::{AgentId, ConversationId, PipelineId, RunId, UserId};

/// Another hub on the same database may have noted the end: so often this one looks.
const LOOKS_MS: i64 = 5_000;

/// How one stands, for the agent that leads it.
pub(crate) struct PipelineStatus {
    pub(crate) view: PipelineView,
    /// An agent of its tasks had read words of strangers.
    pub(crate) untrusted: bool,
}

impl Pipelines<'_> {
    /// Makes one that the caller leads, and starts it.
    pub(crate) async fn make_for(self, caller: &Caller<'_>, draft: PipelineDraft) -> Result<PipelineId> {
        let run = caller.run().ok_or_else(|| Error::invalid("Only a run can make a pipeline."))?;
        if caller.spec.on_device.is_some() {
            return Err(Error::invalid(
                "Your model is on a device of your person's, where no sub-agent can call it.",
            ));
        }
        let (chain, depth) = self.hub.delegations().chain_below(run).await?;
        self.hub.spaces().require_for(caller.agent).await?;
        let checked = check(draft, &self.known(caller.owner).await?)?;
        if checked.tasks.iter().all(|task| task.by == TaskBy::Person) {
            return Err(Error::invalid(
                "None of its tasks is for an agent. To ask your person, use ask_user.",
            ));
        }
        let by = MadeBy { run, conversation: caller.conversation, chain: &chain, depth };
        let id = self.insert(caller.owner, caller.agent, checked, Some(by)).await?;
        self.advance(&id).await?;
        Ok(id)
    }

    /// Waits at most so long for its end.
    pub(crate) async fn status(
        self,
        lead: &AgentId,
        id: &PipelineId,
        seconds: i64,
    ) -> Result<PipelineStatus> {
        let end = self.hub.moment().plus_ms(seconds.saturating_mul(1000));
        loop {
            let heard = self.hub.pipelines_changed().notified();
            tokio::pin!(heard);
            heard.as_mut().enable();
            let pipeline = self.led(lead, id).await?;
            if pipeline.state != PipelineState::Running || self.hub.moment() >= end {
                break;
            }
            let next = self.hub.moment().plus_ms(LOOKS_MS).min(end);
            tokio::select! {
                biased;
                () = &mut heard => {}
                () = self.hub.clock().until(next) => {}
            }
        }
        let untrusted = tasks_of(self.hub.store().read(), id).await?.iter().any(|task| task.untrusted);
        Ok(PipelineStatus { view: view_of(self.hub, id).await?, untrusted })
    }

    pub(crate) async fn led_by(self, owner: &UserId, lead: &AgentId) -> Result<Vec<PipelineCard>> {
        let mut cards = cards_of(self.hub, owner).await?;
        cards.retain(|card| card.agent == *lead);
        Ok(cards)
    }

    pub(crate) async fn cancel(self, lead: &AgentId, id: &PipelineId) -> Result<()> {
        let pipeline = self.led(lead, id).await?;
        self.stop(&pipeline, StopReason::Agent).await
    }

    /// What a run made stops with it.
    pub(crate) async fn stop_made_by(self, run: &RunId) -> Result<()> {
        let made: Vec<Pipeline> = query([PIPELINES, "state = 'running' AND made_by_run = $1"], (run,))
            .fetch_all(self.hub.store().read())
            .await?;
        for pipeline in made {
            self.stop(&pipeline, StopReason::Maker).await?;
        }
        Ok(())
    }

    /// What a chain began with, or led to, stops with it.
    pub(crate) async fn stop_of_chain(self, owner: &UserId, chain: &RunId) -> Result<()> {
        let of_chain: Vec<Pipeline> = query(
            [PIPELINES, "user_id = $1 AND state = 'running' AND COALESCE(begun_by, chain) = $2"],
            (owner, chain),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for pipeline in of_chain {
            self.stop(&pipeline, StopReason::Person).await?;
        }
        Ok(())
    }

    /// Commits the end, and tells the agent that made it, or its person where that cannot be woken with it.
    pub(super) async fn commit_and_tell(
        self,
        mut appending: Appending,
        pipeline: &Pipeline,
        state: PipelineState,
        tasks: &[Task],
    ) -> Result<()> {
        let conversation = told_in(&mut appending, pipeline).await?;
        // Without any, no agent began, and it can be told of none.
        let last = tasks.iter().rev().find_map(|task| task.delegation.clone());
        let (Some(conversation), Some(delegation)) = (conversation, last) else {
            return self.commit_and_tell_person(appending, pipeline, state, tasks).await;
        };
        if !self.hub.delegations().may_wake(&mut appending, &delegation).await? {
            return self.commit_and_tell_person(appending, pipeline, state, tasks).await;
        }
        let place = EntryScope { agent: pipeline.lead.clone(), conversation: Some(conversation), run: None };
        let from = Sender::Agent {
            agent: pipeline.lead.clone(),
            name: pipeline.title.clone(),
            delegation,
            untrusted: tasks.iter().any(|task| task.untrusted),
            private: true,
        };
        let lines: Vec<String> =
            tasks.iter().map(|task| format!("- {} ({}): {}", task.title, task.id, activity(task))).collect();
        let text = format!(
            "The pipeline {} is over. pipeline_status has what came of each task.\n\n{}",
            pipeline.id,
            lines.join("\n")
        );
        self.hub.runs().say_for_agent(appending, &place, from, text).await
    }

    async fn commit_and_tell_person(
        self,
        mut appending: Appending,
        pipeline: &Pipeline,
        state: PipelineState,
        tasks: &[Task],
    ) -> Result<()> {
        let news = News::PipelineOver {
            pipeline: &pipeline.id,
            title: &pipeline.title,
            state,
            done: tasks.iter().filter(|task| task.state == TaskState::Completed).count(),
            tasks: tasks.len(),
        };
        self.hub.notifications().note(&mut appending.tx, &pipeline.lead, None, news).await?;
        self.hub.log().commit(appending).await?;
        self.hub.notifications().wake();
        Ok(())
    }

    async fn led(self, lead: &AgentId, id: &PipelineId) -> Result<Pipeline> {
        query([PIPELINES, "id = $1 AND agent_id = $2"], (id, lead))
            .fetch_optional(self.hub.store().read())
            .await?
            .ok_or_else(|| {
                Error::invalid(format!(
                    "You lead no pipeline {id}. pipeline_status without an id lists yours."
                ))
            })
    }
}

/// Where the agent that made it is told of its end, if that is there still.
async fn told_in(appending: &mut Appending, pipeline: &Pipeline) -> Result<Option<ConversationId>> {
    query(
        "SELECT id FROM conversations WHERE id = $1 AND agent_id = $2 AND deleted_at IS NULL",
        (&pipeline.told_in, &pipeline.lead),
    )
    .fetch_optional(&mut *appending.tx)
    .await
}
