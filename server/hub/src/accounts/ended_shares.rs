//! Shares of agents that end because something goes on which they hang: its rows take those of the share along, and
//! neither its token nor what was asked by it.

use super::Accounts;
use crate::access::Viewer;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::store::{Row, Transaction, query};
use protocol::hub::Noun;
use protocol::view::AuditAction;
use protocol::{AgentId, DelegationId, GroupId, TokenId, UserId, words};

/// What is about to be deleted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SharesOf<'a> {
    Agent(&'a AgentId),
    Group(&'a GroupId),
    /// Those with this person.
    Recipient(&'a UserId),
}

const SHARES: &str =
    "SELECT s.token_id, a.user_id, o.name AS owner_name, u.id AS person_id, u.name AS person_name
     FROM agent_shares s JOIN agents a ON a.id = s.agent_id JOIN users o ON o.id = a.user_id
     LEFT JOIN users u ON u.id = s.person_id WHERE";

impl Accounts<'_> {
    /// Ends them with their tokens and with what was asked by them. Nothing begins by them any more.
    pub(crate) async fn end_shares(self, of: SharesOf<'_>, viewer: &Viewer) -> Result<()> {
        let shares = match of {
            SharesOf::Agent(agent) => query([SHARES, "s.agent_id = $1"], (agent,)),
            SharesOf::Group(group) => query([SHARES, "s.group_id = $1"], (group,)),
            SharesOf::Recipient(person) => query([SHARES, "s.person_id = $1"], (person,)),
        };
        for share in shares.fetch_all::<Row>(self.hub.store().read()).await? {
            let (token, owner): (TokenId, String) = (share.get("token_id")?, share.get("user_id")?);
            let owner_name: String = share.get("owner_name")?;
            let person: Option<String> = share.get("person_id")?;
            let person_name = share.get::<Option<String>>("person_name")?.unwrap_or_default();
            let line = AuditEvent::done(AuditAction::AgentUnshared, viewer);
            let line = match (of, &person) {
                (SharesOf::Agent(_), Some(person)) => line.about(person, &person_name),
                (SharesOf::Agent(_), None) => line,
                (SharesOf::Group(_) | SharesOf::Recipient(_), _) => line.about(&owner, &owner_name),
            };
            match self.end_token(&owner, &token, line).await {
                // It was taken back meanwhile.
                Ok(()) | Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Ends what others asked of this agent, or of all agents of this owner, in the commit that deletes them with the runs
/// that would have ended it. Who asked is told after that.
pub(crate) async fn end_shared_tasks(
    tx: &mut Transaction,
    owner: &str,
    agent: Option<&AgentId>,
    now: i64,
) -> Result<Vec<DelegationId>> {
    let ended: Vec<(DelegationId, UserId)> = query(
        "UPDATE delegations SET state = 'stopped', why = $3, finished_at = $4
         WHERE state IN ('queued', 'running') AND id IN (
             SELECT delegation_id FROM shared_tasks WHERE owner_id = $1 AND ($2 = '' OR agent_id = $2))
         RETURNING id, user_id",
        (owner, agent.map_or("", |agent| &agent.0), words!("It was stopped there."), now),
    )
    .fetch_all(&mut **tx)
    .await?;
    for (_, asker) in &ended {
        tx.changes(asker, Noun::Delegations);
    }
    Ok(ended.into_iter().map(|(id, _)| id).collect())
}

/// Marks what agents of others do for this agent and its sub-agents, or for all agents of this person, in the commit
/// that deletes them: nobody waits for it any more, whatever became of the run that asked. Gives whose agents those are,
/// and the person where agents elsewhere are among them.
pub(crate) async fn leave_unwanted(
    tx: &mut Transaction,
    person: &str,
    agent: Option<&AgentId>,
) -> Result<Vec<UserId>> {
    query(
        "UPDATE runs SET unwanted = 1 WHERE running = 1 AND id IN (
             SELECT d.run_id FROM delegations d
             WHERE d.user_id = $1 AND d.state = 'running' AND d.state IN ('queued', 'running')
               AND ($2 = '' OR d.asker_id IN (SELECT a.id FROM agents a WHERE a.id = $2 OR a.root_id = $2)))",
        (person, agent.map_or("", |agent| &agent.0)),
    )
    .execute(&mut **tx)
    .await?;
    leave_unwanted_elsewhere(tx, person, agent).await?;
    query(
        "SELECT a.user_id FROM runs r JOIN agents a ON a.id = r.agent_id
         WHERE r.unwanted = 1 AND r.running = 1
         UNION SELECT t.user_id FROM unwanted_peer_tasks t WHERE t.user_id = $1",
        (person,),
    )
    .fetch_all(&mut **tx)
    .await
}

/// Keeps what it takes to have what agents elsewhere do for them cancelled there. Nothing is sent there for them
/// meanwhile.
pub(crate) async fn leave_unwanted_elsewhere(
    tx: &mut Transaction,
    person: &str,
    agent: Option<&AgentId>,
) -> Result<()> {
    let agent = agent.map_or("", |agent| &agent.0);
    query(
        "UPDATE peer_tasks SET sent = sent WHERE delegation_id IN (
             SELECT d.id FROM delegations d
             WHERE d.user_id = $1 AND d.kind = 'peer' AND d.state IN ('queued', 'running')
               AND ($2 = '' OR d.asker_id IN (SELECT a.id FROM agents a WHERE a.id = $2 OR a.root_id = $2)))",
        (person, agent),
    )
    .execute(&mut **tx)
    .await?;
    query(
        "INSERT INTO unwanted_peer_tasks (delegation_id, user_id, until, task, peer_id, url, task_id, context_id, asks,
                                          cause, depth)
         SELECT d.id, d.user_id, d.until, d.task, p.peer_id, p.url, p.task_id, p.context_id, p.asks, p.cause, d.depth
         FROM delegations d JOIN peer_tasks p ON p.delegation_id = d.id
         WHERE d.user_id = $1 AND d.kind = 'peer' AND d.state IN ('queued', 'running') AND p.sent = 1
           AND ($2 = '' OR d.asker_id IN (SELECT a.id FROM agents a WHERE a.id = $2 OR a.root_id = $2))
         ON CONFLICT DO NOTHING",
        (person, agent),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
