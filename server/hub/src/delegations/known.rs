//! Whom an agent can ask.

use super::{Delegations, rows};
use crate::error::{Error, Result};
use crate::gateway::Caller;
use crate::store::{FromRow, Row, query};
use protocol::agent::Home;
use protocol::view::Status;
use protocol::{AgentId, UserId};

/// Of an agent's instructions, in characters: what it is for.
const ABOUT: usize = 200;
/// As many as can be named.
const ASKED_AT_ONCE: usize = 20;

/// An agent that its person has beside another one.
pub(crate) struct KnownAgent {
    pub(crate) id: AgentId,
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) home: Home,
    pub(crate) is_at_work: bool,
}

impl Delegations<'_> {
    /// The agents of this person but this one, by name.
    pub(crate) async fn beside(self, owner: &UserId, agent: &AgentId) -> Result<Vec<KnownAgent>> {
        query(
            "SELECT id, name, instructions, home, status FROM agents
             WHERE user_id = $1 AND parent_id IS NULL AND id <> $2 ORDER BY name, id",
            (owner, agent),
        )
        .fetch_all(self.hub.store().read())
        .await
    }

    /// The ids of those beside the caller that hear what is said to everybody: whoever is paused takes nothing up, and who
    /// waits in the same chain waits for the caller.
    pub(crate) async fn everybody(self, caller: &Caller<'_>) -> Result<Vec<String>> {
        let run = caller.run().ok_or_else(|| Error::invalid("Only a run can ask other agents."))?;
        let mut connection = self.hub.store().reader().await?;
        let (chain, _) = rows::chain_of(&mut connection, run).await?;
        let all: Vec<String> = query(
            "SELECT id FROM agents a
             WHERE user_id = $1 AND parent_id IS NULL AND id <> $2 AND paused_at IS NULL AND NOT EXISTS (
                 SELECT 1 FROM delegations d WHERE d.chain = $3 AND d.asker_id = a.id AND d.state = 'running')
             ORDER BY name, id",
            (caller.owner, caller.agent, &chain),
        )
        .fetch_all(&mut connection)
        .await?;
        match all.len() {
            0 => Err(Error::invalid("There is no other agent that takes something up.")),
            1..=ASKED_AT_ONCE => Ok(all),
            many => Err(Error::invalid(format!(
                "There are {many} of them, and {ASKED_AT_ONCE} are asked at once at most. Name those that you mean."
            ))),
        }
    }
}

impl FromRow for KnownAgent {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            about: row.get::<String>("instructions")?.chars().take(ABOUT).collect(),
            home: row.get("home")?,
            is_at_work: row.get::<Status>("status")? != Status::Idle,
        })
    }
}
