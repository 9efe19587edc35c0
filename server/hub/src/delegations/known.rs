//! Whom an agent can ask.

use super::Delegations;
use crate::error::Result;
use crate::store::{FromRow, Row, query};
use protocol::agent::Home;
use protocol::view::Status;
use protocol::{AgentId, UserId};

/// Of an agent's instructions, in characters: what it is for.
const ABOUT: usize = 200;

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
