//! What an agent's model is sent, for the person who wants to see it.

use crate::error::{Error, Result};
use crate::runs::OwnRuns;
use crate::store::{Json, Row, Store, query};
use agent::context::{compaction_in, report, room};
use protocol::log::EntryBody;
use protocol::view::{ContextStep, ContextView};
use protocol::{AgentId, ConversationId, RunId};

/// Steps of compaction that are told of, the last ones.
const STEPS: i64 = 100;

impl OwnRuns<'_> {
    /// Of the conversation the next request of the run under way, or else the last one that was sent, both with
    /// the definition that the agent has now.
    pub async fn context_of(self, id: &AgentId) -> Result<ContextView> {
        self.scoped.require_agent(id).await?;
        let conversation = self.scoped.conversations().meant(id, self.conversation).await?;
        let definition = self.scoped.hub.runs().definition(id).await?;
        let active = self.scoped.hub.active_runs().active(id);
        let active = active.filter(|execution| *execution.conversation() == conversation);
        let running = active.is_some();
        let (store, of) = (self.scoped.hub.store(), &conversation);
        let run = match &active {
            Some(execution) => execution.run.clone(),
            None => last_run(store, of).await?.unwrap_or_else(|| RunId("next".to_owned())),
        };
        let (past, entries) = self.scoped.hub.runs().past_and_since(of, &definition.spec).await?;
        let report = report(&definition.spec, &run, past, &entries);
        let finished = finished_turns(store, of).await?;
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
async fn last_run(store: &Store, of: &ConversationId) -> Result<Option<RunId>> {
    let run: Option<Option<RunId>> = query(
        "SELECT run_id FROM entries
         WHERE conversation_id = $1 AND kind IN ('message', 'run_started', 'run_finished')
         ORDER BY seq DESC LIMIT 1",
        (of,),
    )
    .fetch_optional(store.read())
    .await?;
    Ok(run.flatten())
}

async fn finished_turns(store: &Store, of: &ConversationId) -> Result<u64> {
    query("SELECT COUNT(*) FROM entries WHERE conversation_id = $1 AND kind = 'turn_finished'", (of,))
        .fetch_one(store.read())
        .await
}

/// Oldest first.
async fn steps(store: &Store, of: &ConversationId) -> Result<Vec<ContextStep>> {
    let rows = query(
        "SELECT body FROM entries WHERE conversation_id = $1 AND kind IN ('digested', 'clipped', 'summary')
         ORDER BY seq DESC LIMIT $2",
        (of, STEPS),
    )
    .fetch_all::<Row>(store.read())
    .await?;
    store.has_read(rows.len());
    let mut steps = Vec::new();
    for row in rows.iter().rev() {
        let body: EntryBody = row.get::<Json<_>>(0)?.0;
        steps.extend(compaction_in(&body));
    }
    Ok(steps)
}
