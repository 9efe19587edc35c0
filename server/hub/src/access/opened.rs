//! Which of its person's agents a token opens.

use super::Scoped;
use crate::error::{Error, Result};
use crate::store::Json;
use protocol::AgentId;

/// An agent that it does not open is for its program as one that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenedAgents {
    /// Also those to come.
    All,
    These(Vec<AgentId>),
}

impl OpenedAgents {
    /// What a form says, in which agents are ticked. What it could have meant otherwise is no choice.
    pub fn chosen(chosen: bool, ticked: Vec<AgentId>) -> Result<Self> {
        match (chosen, ticked.is_empty()) {
            (false, true) => Ok(Self::All),
            (true, false) => Ok(Self::These(ticked)),
            (true, true) => Err(Error::invalid("Tick the agents that it opens, or let it open all of them.")),
            (false, false) => Err(Error::invalid(
                "Agents are ticked, and it would open all of them. Choose only those that are ticked, or tick none.",
            )),
        }
    }

    pub(crate) fn has(&self, agent: &AgentId) -> bool {
        match self {
            Self::All => true,
            Self::These(agents) => agents.contains(agent),
        }
    }

    pub(crate) fn of_column(stored: Option<Json<Vec<AgentId>>>) -> Self {
        stored.map_or(Self::All, |Json(agents)| Self::These(agents))
    }

    pub(crate) fn column(&self) -> Option<Json<&[AgentId]>> {
        match self {
            Self::All => None,
            Self::These(agents) => Some(Json(agents.as_slice())),
        }
    }
}

impl Scoped<'_> {
    /// Fails unless all of them are the viewer's.
    pub(crate) async fn require_opened(&self, opened: &OpenedAgents) -> Result<()> {
        if let OpenedAgents::These(agents) = opened {
            for agent in agents {
                self.require_agent(agent).await?;
            }
        }
        Ok(())
    }
}
