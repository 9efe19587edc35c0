//! What a store that was away left undone: ends that could not be written, runs that nobody looks after,
//! messages that no run read, tasks that never came to their turn, pipelines that stand still. Done as soon as it
//! answers, whoever comes or does not come.

use crate::error::Result;
use crate::log::EntryScope;
use crate::runs::Runs;
use crate::store::{Row, query};
use futures_util::{StreamExt, stream};
use protocol::{AgentId, RunId, words};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

/// Between two looks while all is well.
const LOOKS: Duration = Duration::from_secs(5);
/// After a look that failed: at first, and at most.
const SOON: Duration = Duration::from_millis(500);
const LATER: Duration = Duration::from_secs(2);
/// Ends that are tried at once.
const CONCURRENT_ENDS: usize = 16;

const LOST: &str =
    words!("The hub lost this run while its database was away. Retry goes on from what it had done.");

#[derive(Default)]
pub(super) struct Keeper {
    left_undone: Notify,
}

impl Keeper {
    /// Something could not be written, and has to be.
    pub(super) fn left_undone(&self) {
        self.left_undone.notify_one();
    }
}

impl Runs<'_> {
    /// Begins to look, what the last process left unread first.
    pub(crate) fn keep_runs(self) {
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            let mut again = SOON;
            loop {
                let pause = match hub.runs().catch_up().await {
                    Ok(()) => {
                        again = SOON;
                        LOOKS
                    }
                    Err(error) => {
                        tracing::warn!(error = ?error, "what was left undone waits for the database");
                        let pause = again;
                        again = LATER.min(2 * again);
                        pause
                    }
                };
                // Nobody says that the database is back, so it is asked.
                let next = async {
                    if timeout(pause, hub.active_runs().keeper.left_undone.notified()).await.is_ok() {
                        sleep(again).await;
                    }
                };
                tokio::select! {
                    () = hub.tasks().closing() => return,
                    () = next => {}
                }
            }
        });
    }

    /// The trouble of one agent keeps no other waiting.
    async fn catch_up(self) -> Result<()> {
        let unended = self.hub.active_runs().all().into_iter().filter(|execution| execution.is_finishing());
        let ends = stream::iter(unended).map(async |execution| execution.end_now().await);
        let mut outcomes: Vec<Result<()>> = ends.buffer_unordered(CONCURRENT_ENDS).collect().await;
        outcomes.push(self.end_lost_runs().await);
        outcomes.push(self.answer_unread().await);
        outcomes.push(self.wake_all().await);
        outcomes.push(self.hub.conversations().remove_temporary().await);
        outcomes.push(self.hub.delegations().end_overdue().await);
        outcomes.push(self.hub.pipelines().catch_up().await);
        self.hub.conversations().let_go_of_old();
        self.hub.conversations().pack_old();
        outcomes.into_iter().collect()
    }

    async fn end_lost_runs(self) -> Result<()> {
        let rows =
            query("SELECT agent_id FROM runs WHERE running = 1 AND process = $1", (&self.hub.process(),))
                .fetch_all::<Row>(self.hub.store().read())
                .await?;
        let mut outcome = Ok(());
        for row in rows {
            let ended = self.end_lost_run_of(&row.get(0)?).await;
            outcome = outcome.and(ended.map(|_| ()));
        }
        outcome
    }

    /// Ends the agent's run if it is this process's and nobody here knows it any more. One of another
    /// process is left alone.
    pub(super) async fn end_lost_run_of(self, agent: &AgentId) -> Result<bool> {
        let row = query(
            "SELECT id, conversation_id FROM runs WHERE agent_id = $1 AND running = 1 AND process = $2",
            (agent, &self.hub.process()),
        )
        .fetch_optional::<Row>(self.hub.store().read())
        .await?;
        let Some(row) = row else { return Ok(false) };
        let run: RunId = row.get("id")?;
        if self.hub.active_runs().knows(agent, &run) {
            return Ok(false);
        }
        let place = EntryScope {
            agent: agent.clone(),
            conversation: Some(row.get("conversation_id")?),
            run: Some(run.clone()),
        };
        self.interrupt(&place, &run, LOST).await
    }

    /// Ends what of the agent's is over and holds it all the same.
    pub(super) async fn end_what_is_over(self, agent: &AgentId) -> Result<()> {
        match self.hub.active_runs().active(agent) {
            Some(execution) if execution.is_finishing() => execution.end_now().await,
            Some(_) => Ok(()),
            None => self.end_lost_run_of(agent).await.map(|_| ()),
        }
    }
}
