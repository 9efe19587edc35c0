//! What an agent's model is sent, for the person who wants to see it.

use crate::access::Scoped;
use crate::error::Result;
use crate::log::conversation_entries;
use agent::context::{report, room};
use protocol::log::{Entry, EntryBody};
use protocol::view::ContextView;
use protocol::{AgentId, RunId};

impl Scoped<'_> {
    /// The next request of the run under way, or else the last one that was sent, both with the
    /// definition that the agent has now.
    pub async fn context_of(&self, id: &AgentId) -> Result<ContextView> {
        self.require_agent(id).await?;
        let definition = self.hub.definition(id).await?;
        let entries = conversation_entries(&self.hub.store, &definition.conversation).await?;
        let active = self.hub.runs.active(id).map(|execution| execution.run.clone());
        let running = active.is_some();
        let run = active.or_else(|| last_run(&entries)).unwrap_or_else(|| RunId("next".to_owned()));
        let report = report(&definition.spec, &run, &entries);
        Ok(ContextView {
            agent: id.clone(),
            running,
            sections: report.sections,
            tokens: report.tokens,
            room: room(&definition.spec),
            steps: report.steps,
            summarised: u64::try_from(report.summarised).unwrap_or(u64::MAX),
            name: definition.spec.name,
            model: definition.spec.model,
        })
    }
}

/// The run that ended last, unless something was said since.
fn last_run(entries: &[Entry]) -> Option<RunId> {
    let run_or_message = |entry: &&Entry| {
        matches!(
            entry.body,
            EntryBody::Message { .. } | EntryBody::RunStarted { .. } | EntryBody::RunFinished { .. }
        )
    };
    entries.iter().rev().find(run_or_message).and_then(|entry| entry.run.clone())
}
