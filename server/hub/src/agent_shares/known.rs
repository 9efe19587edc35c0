//! Which agents of others a person's agents may ask.

use super::{AgentShares, OwnAgentShares};
use crate::error::{Error, Result};
use crate::store::{FromRow, Row, query};
use protocol::view::AskableAgentView;
use protocol::{AgentId, AgentShareId, TokenId, UserId};

/// Before a person's name: where a call leads that asks agents of theirs.
pub(crate) const OF_PERSON: &str = "person:";
/// Characters of what it is said to be.
const ABOUT: usize = 200;

/// An agent of somebody else, and the share by which it may be asked.
#[derive(Clone, Debug)]
pub(crate) struct AskableAgent {
    pub(crate) share: AgentShareId,
    pub(crate) token: TokenId,
    pub(crate) agent: AgentId,
    pub(crate) owner: UserId,
    /// Whose it is.
    pub(crate) person: String,
    pub(crate) name: String,
    /// The first line of its instructions.
    pub(crate) about: String,
}

impl OwnAgentShares<'_> {
    /// Agents of others that the viewer's agents may ask, by whose they are.
    pub async fn askable(self) -> Result<Vec<AskableAgentView>> {
        let agents = self.scoped.hub.agent_shares().askable(&self.scoped.viewer.me.id).await?;
        let seen = agents.into_iter().map(|agent| AskableAgentView {
            id: agent.share,
            name: agent.name,
            owner: agent.person,
            about: agent.about,
        });
        Ok(seen.collect())
    }
}

impl AgentShares<'_> {
    /// Those that this person's agents may ask. Of an agent that is shared with them and with a group of theirs, the
    /// share with themselves.
    pub(crate) async fn askable(self, person: &UserId) -> Result<Vec<AskableAgent>> {
        let mut agents: Vec<AskableAgent> = query(
            "SELECT s.id, s.token_id, s.agent_id, a.user_id, o.name AS person, a.name,
                    substr(a.instructions, 1, 2000) AS beginning
             FROM askable_agents v JOIN agent_shares s ON s.id = v.share_id
             JOIN agents a ON a.id = s.agent_id JOIN users o ON o.id = a.user_id
             WHERE v.user_id = $1 AND a.user_id <> $1 AND o.disabled = 0
             ORDER BY o.name, a.name, a.id, v.by_group, s.id",
            (person,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        agents.dedup_by(|next, kept| next.agent == kept.agent);
        Ok(agents)
    }

    /// Where the agents of this person are, if there is one that shares any with the asker.
    pub(crate) async fn place(self, asker: &UserId, person: &str) -> Result<Option<String>> {
        let agents = self.askable(asker).await?;
        let found = agents.into_iter().find(|agent| is_called(&agent.person, person));
        Ok(found.map(|agent| format!("{OF_PERSON}{}", agent.person)))
    }

    /// The agent of this name or id that this person shares with the asker.
    pub(crate) async fn meant(self, asker: &UserId, person: &str, agent: &str) -> Result<AskableAgent> {
        let is_meant = |one: &AskableAgent| {
            is_called(&one.person, person) && (one.share.0 == agent.trim() || is_called(&one.name, agent))
        };
        let mut found: Vec<AskableAgent> = self.askable(asker).await?.into_iter().filter(is_meant).collect();
        match (found.pop(), found.is_empty()) {
            (Some(one), true) => Ok(one),
            (Some(_), false) => Err(Error::invalid(format!(
                "Several agents of {person} are called {agent}. Use an id of agent_list."
            ))),
            (None, _) => Err(Error::invalid(format!(
                "There is no agent {agent} of {person} that you may ask. agent_list names those that there are."
            ))),
        }
    }

    /// Whether this person's agents may still ask by this share.
    pub(crate) async fn is_open(self, asker: &UserId, share: &str) -> Result<bool> {
        query(
            "SELECT 1 FROM askable_agents v JOIN agent_shares s ON s.id = v.share_id
             JOIN agents a ON a.id = s.agent_id JOIN users o ON o.id = a.user_id
             WHERE v.user_id = $1 AND v.share_id = $2 AND o.disabled = 0",
            (asker, share),
        )
        .exists(self.hub.store().read())
        .await
    }
}

fn is_called(name: &str, asked: &str) -> bool {
    name.to_lowercase() == asked.trim().to_lowercase()
}

impl FromRow for AskableAgent {
    fn from_row(row: &Row) -> Result<Self> {
        let beginning: String = row.get("beginning")?;
        let line = beginning.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        Ok(Self {
            share: row.get("id")?,
            token: row.get("token_id")?,
            agent: row.get("agent_id")?,
            owner: row.get("user_id")?,
            person: row.get("person")?,
            name: row.get("name")?,
            about: line.chars().take(ABOUT).collect(),
        })
    }
}
