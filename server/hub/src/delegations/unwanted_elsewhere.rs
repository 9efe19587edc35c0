//! Cancelling what agents elsewhere do for agents that were deleted. The row of the task goes with who asked; what it
//! takes to find it there stays in the commit that deletes, until it is cancelled, also over a crash.

use super::Delegations;
use super::elsewhere::PeerTask;
use super::following::{LONGEST_PAUSE_MS, PARTING, SHORTEST_PAUSE_MS, cancel};
use crate::accounts::leave_unwanted_elsewhere;
use crate::error::Result;
use crate::peers::Told;
use crate::store::{FromRow, Row, query};
use futures_util::future::join_all;
use protocol::hub::Noun;
use protocol::{DelegationId, UserId};
use tokio::time::timeout;

struct Unwanted {
    id: DelegationId,
    task: PeerTask,
    /// After that nobody tries once more.
    until: i64,
}

impl Delegations<'_> {
    /// Has what agents elsewhere do for agents of this person's that were deleted cancelled there.
    pub(super) async fn cancel_unwanted(self, owner: &UserId) -> Result<()> {
        let all: Vec<Unwanted> = query(
            "SELECT delegation_id, until, user_id, task, peer_id, url, CAST(1 AS BIGINT) AS sent, task_id, context_id,
                    asks, cause, depth
             FROM unwanted_peer_tasks WHERE user_id = $1",
            (owner,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for unwanted in all {
            if self.hub.0.delegations.cancelled.begin(&unwanted.id).is_none() {
                continue;
            }
            let hub = self.hub.clone();
            self.hub.tasks().spawn(async move {
                let cancelled = tokio::select! {
                    biased;
                    () = hub.tasks().closing() => Ok(()),
                    cancelled = hub.delegations().cancel_one(&unwanted) => cancelled,
                };
                if let Err(error) = cancelled {
                    let failure = error.into_failure();
                    tracing::warn!("what an agent elsewhere was asked could not be cancelled: {failure}");
                }
                hub.0.delegations.cancelled.end(&unwanted.id);
            });
        }
        Ok(())
    }

    async fn cancel_one(self, Unwanted { id, task, until }: &Unwanted) -> Result<()> {
        let followed = &self.hub.0.delegations.followed;
        followed.stop(id);
        followed.ended(id).await;
        let manner = self.hub.peers().manner(&task.owner, &task.peer, &task.url).await?;
        let mut told = Told::of(task.task.clone(), task.context.clone());
        let mut pause_ms = SHORTEST_PAUSE_MS;
        loop {
            match timeout(PARTING, cancel(self.hub, id, task, &manner, &mut told)).await {
                Ok(Err(failure)) if failure.is_passing() => {
                    tracing::debug!("an agent elsewhere does not hear that nobody waits for it: {failure}");
                }
                Err(_) => {}
                Ok(Ok(()) | Err(_)) => break,
            }
            if *until <= self.hub.now() {
                break;
            }
            self.hub.clock().until(self.hub.moment().plus_ms(pause_ms)).await;
            pause_ms = (pause_ms * 2).min(LONGEST_PAUSE_MS);
        }
        let mut tx = self.hub.store().write().await?;
        query("DELETE FROM unwanted_peer_tasks WHERE delegation_id = $1", (id,)).execute(&mut *tx).await?;
        tx.commit().await
    }

    /// Ends what agents elsewhere do for this person, who is about to be deleted with the keys that open their peers,
    /// and waits a while until it is cancelled there.
    pub(crate) async fn give_up_elsewhere(self, person: &UserId) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        leave_unwanted_elsewhere(&mut tx, &person.0, None).await?;
        let ended: Vec<DelegationId> = query(
            "UPDATE delegations SET state = 'stopped', finished_at = $2
             WHERE user_id = $1 AND kind = 'peer' AND state IN ('queued', 'running') RETURNING id",
            (person, self.hub.now()),
        )
        .fetch_all(&mut *tx)
        .await?;
        tx.changes(person, Noun::Delegations);
        tx.commit().await?;
        for id in &ended {
            self.hub.0.delegations.followed.stop(id);
        }
        self.cancel_unwanted(person).await?;
        let cancelled = &self.hub.0.delegations.cancelled;
        join_all(ended.iter().map(|id| timeout(PARTING, cancelled.ended(id)))).await;
        Ok(())
    }

    /// Whether it is cancelled there by who deleted its asker.
    pub(super) async fn is_unwanted_elsewhere(self, id: &DelegationId) -> Result<bool> {
        query("SELECT 1 FROM unwanted_peer_tasks WHERE delegation_id = $1", (id,))
            .exists(self.hub.store().read())
            .await
    }
}

impl FromRow for Unwanted {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { id: row.get("delegation_id")?, task: PeerTask::from_row(row)?, until: row.get("until")? })
    }
}
