//! What an agent's model is sent, for the person who wants to see it.

use crate::error::{Error, Result};
use crate::log::{Kinds, Lineage};
use crate::runs::OwnRuns;
use crate::store::Store;
use agent::context::{compaction_in, report, room};
use protocol::view::{ContextStep, ContextView};
use protocol::{AgentId, RunId};

/// Steps of compaction that are told of, the last ones.
const STEPS: usize = 100;

impl OwnRuns<'_> {
    /// Of the conversation the next request of the run under way, or else the last one that was sent, both with
    /// the definition that the agent has now.
    pub async fn context_of(self, id: &AgentId) -> Result<ContextView> {
        self.scoped.require_agent(id).await?;
        let conversation = self.scoped.conversations().meant(id, self.conversation).await?;
        let definition = self.scoped.hub.runs().definition_in(id, Some(&conversation)).await?;
        let active = self.scoped.hub.active_runs().active(id);
        let active = active.filter(|execution| *execution.conversation() == conversation);
        let running = active.is_some();
        let store = self.scoped.hub.store();
        let of = &Lineage::of(store.read(), &conversation).await?;
        let run = match &active {
            Some(execution) => execution.run.clone(),
            None => last_run(store, of).await?.unwrap_or_else(|| RunId("next".to_owned())),
        };
        let (past, entries) = self.scoped.hub.runs().past_and_since(&conversation, &definition.spec).await?;
        let report = report(&definition.spec, &run, past, &entries);
        let finished = of.finished_turns(store).await?;
        Ok(ContextView {
            agent: id.clone(),
            running,
            sections: report.sections,
            tokens: report.tokens,
            room: room(&definition.spec),
            steps: steps(store, of).await?,
            summarised: finished.saturating_sub(u64::try_from(report.whole_turns).map_err(Error::internal)?),
            name: definition.spec.name,
            model: definition.spec.model,
        })
    }
}

/// The run that ended last, unless something was said since.
async fn last_run(store: &Store, of: &Lineage) -> Result<Option<RunId>> {
    Ok(of.last(store, u64::MAX, Kinds::Latest, 1).await?.pop().and_then(|last| last.run))
}

/// Oldest first.
async fn steps(store: &Store, of: &Lineage) -> Result<Vec<ContextStep>> {
    let entries = of.last(store, u64::MAX, Kinds::Compaction, STEPS).await?;
    Ok(entries.iter().rev().filter_map(|entry| compaction_in(&entry.body)).collect())
}
