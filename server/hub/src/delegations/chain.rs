//! The end of all that one word led to: nobody is woken with what came of it.

use super::Delegations;
use super::elsewhere::is_elsewhere;
use super::rows::{Changed, DELEGATIONS, Delegation, change};
use crate::error::Result;
use crate::store::{FromRow, Row, query};
use protocol::{AgentId, RunId, UserId, words};

/// A run of the chain that goes on.
struct AtWork {
    run: RunId,
    agent: AgentId,
}

impl Delegations<'_> {
    pub(super) async fn stop_chain(self, owner: &UserId, chain: &RunId) -> Result<()> {
        self.hub.pipelines().stop_of_chain(owner, chain).await?;
        let mut tx = self.hub.store().write().await?;
        query(
            "UPDATE delegations SET state = 'stopped', why = $3, finished_at = $4
             WHERE chain = $1 AND user_id = $2 AND state = 'queued'",
            (chain, owner, words!("Everything of its chain was stopped."), self.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        query(
            "UPDATE delegations SET delivered = 1 WHERE chain = $1 AND user_id = $2 AND delivered = 0",
            (chain, owner),
        )
        .execute(&mut *tx)
        .await?;
        change(&mut tx, Changed::OfChain(chain)).await?;
        tx.commit().await?;
        self.hub.delegations_changed().notify_waiters();
        let at_work: Vec<AtWork> = query(
            "SELECT r.id, r.agent_id FROM runs r JOIN agents a ON a.id = r.agent_id
             WHERE r.id = $1 AND r.running = 1 AND a.user_id = $2
             UNION SELECT r.id, r.agent_id FROM runs r JOIN agents a ON a.id = r.agent_id
             WHERE r.chain = $1 AND r.running = 1 AND a.user_id = $2",
            (chain, owner),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for AtWork { run, agent } in at_work {
            self.hub.runs().stop_only(&agent, &run).await?;
        }
        let running: Vec<Delegation> =
            query([DELEGATIONS, "d.chain = $1 AND d.user_id = $2 AND d.state = 'running'"], (chain, owner))
                .fetch_all(self.hub.store().read())
                .await?;
        for one in &running {
            if is_elsewhere(one) {
                self.stop_elsewhere(&one.id).await?;
            }
            if let Some(across) = &one.across {
                self.stop_across(one, across).await?;
            }
        }
        Ok(())
    }
}

impl FromRow for AtWork {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { run: row.get("id")?, agent: row.get("agent_id")? })
    }
}
