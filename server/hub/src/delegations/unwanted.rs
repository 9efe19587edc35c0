//! The end of what nobody waits for any more: somebody else's agent ended its wait, or whoever asked was deleted.

use super::Delegations;
use crate::error::Result;
use crate::log::{Appending, EntryScope};
use crate::store::query;
use protocol::log::{EntryBody, NoticeKind, Outcome};
use protocol::{AgentId, RunId, UserId, words};

/// For the person of the agent that was asked.
const ASKER_DELETED: &str =
    words!("The agent that asked for this was deleted, so nobody waits for it any more.");

impl Delegations<'_> {
    /// Ends what agents of these people do for agents that were deleted.
    pub(crate) async fn stop_unwanted_of(self, people: &[UserId]) -> Result<()> {
        for person in people {
            match self.hub.cluster().has(person) {
                true => self.stop_unwanted(person).await?,
                false => self.tell_node_of(person).await,
            }
        }
        Ok(())
    }

    /// Ends what agents of this person's do for others who do not wait for it any more, and what others elsewhere do for
    /// agents of theirs that were deleted.
    pub(super) async fn stop_unwanted(self, owner: &UserId) -> Result<()> {
        self.cancel_unwanted(owner).await?;
        // From the few runs that are under way, not from all that was ever asked.
        let unwanted: Vec<(AgentId, RunId)> = query(
            "SELECT r.agent_id, r.id FROM agents a CROSS JOIN runs r LEFT JOIN delegations d ON d.run_id = r.id
             LEFT JOIN shared_tasks s ON s.delegation_id = d.id
             WHERE a.user_id = $1 AND r.agent_id = a.id AND r.running = 1
               AND (r.unwanted = 1
                    OR (s.delegation_id IS NOT NULL AND d.state NOT IN ('queued', 'running')))",
            (owner,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for (agent, run) in &unwanted {
            self.hub.runs().stop_only(agent, run).await?;
        }
        Ok(())
    }

    /// Whose agents are at work for agents that were deleted, and who had those for which others elsewhere are.
    pub(super) async fn with_unwanted(self) -> Result<Vec<UserId>> {
        query(
            "SELECT a.user_id FROM runs r JOIN agents a ON a.id = r.agent_id
             WHERE r.unwanted = 1 AND r.running = 1
             UNION SELECT t.user_id FROM unwanted_peer_tasks t",
            (),
        )
        .fetch_all(self.hub.store().read())
        .await
    }
}

impl Appending {
    /// Says in the conversation of a run that ends why it was stopped, if nobody waits for it any more.
    pub(crate) async fn tell_unwanted(
        &mut self,
        place: &EntryScope,
        run: &RunId,
        outcome: &Outcome,
    ) -> Result<()> {
        if *outcome != Outcome::Stopped {
            return Ok(());
        }
        let is_unwanted =
            query("SELECT 1 FROM runs WHERE id = $1 AND unwanted = 1", (run,)).exists(&mut *self.tx).await?;
        if is_unwanted {
            let (kind, text) = (NoticeKind::GivenUp, ASKER_DELETED.to_owned());
            self.append(place, EntryBody::Notice { turn: 0, kind, text }).await?;
        }
        Ok(())
    }
}
