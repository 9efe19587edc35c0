//! Who is told of a memory.

use super::OwnMemories;
use crate::error::{Error, Result};
use crate::store::query;
use protocol::view::MemoryDraft;
use protocol::{AgentId, FolderId};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Audience {
    /// All agents of the person that have a memory.
    #[default]
    All,
    Agent(AgentId),
    /// Those that have this workspace, for as long as they do.
    Workspace(FolderId),
}

impl Audience {
    pub(super) fn agent(&self) -> Option<&AgentId> {
        match self {
            Self::Agent(agent) => Some(agent),
            Self::All | Self::Workspace(_) => None,
        }
    }

    pub(super) fn workspace(&self) -> Option<&FolderId> {
        match self {
            Self::Workspace(workspace) => Some(workspace),
            Self::All | Self::Agent(_) => None,
        }
    }
}

impl OwnMemories<'_> {
    /// Whom a person named, if it is theirs.
    pub(super) async fn audience(self, draft: &MemoryDraft) -> Result<Audience> {
        match (draft.agent.as_str(), draft.workspace.as_str()) {
            ("", "") => Ok(Audience::All),
            (agent, "") => {
                let agent = AgentId(agent.to_owned());
                self.scoped.require_agent(&agent).await?;
                Ok(Audience::Agent(agent))
            }
            ("", workspace) => {
                let is_theirs = query(
                    "SELECT 1 FROM folders WHERE id = $1 AND user_id = $2 AND agent_id IS NULL",
                    (workspace, self.scoped.owner()),
                )
                .exists(self.scoped.hub.store().read())
                .await?;
                match is_theirs {
                    true => Ok(Audience::Workspace(FolderId(workspace.to_owned()))),
                    false => Err(Error::NotFound("workspace")),
                }
            }
            (_, _) => Err(Error::invalid(
                "Choose one agent or a workspace, not both: a memory has one of them, or neither.",
            )),
        }
    }
}
