//! Teams: agents that come from a file, `agents.yaml`, and go into one. What a role is stands in `agent_roles`.

mod export;
mod file;
mod plan;

use crate::access::Scoped;
use crate::agent_roles::{self, NewAgentRole};
use crate::error::{Error, Result};
use plan::{Plan, PlannedRole};
use protocol::view::{AgentDraft, InstructionsAuthor, NamedAgent, TeamReview};

/// What a kept file is called among uploads.
const FILE: &str = "agents.yaml";

/// Teams that the viewer brings or takes.
#[derive(Clone, Copy, Debug)]
pub struct OwnTeams<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn teams(&self) -> OwnTeams<'a> {
        OwnTeams { scoped: *self }
    }
}

impl OwnTeams<'_> {
    /// Keeps a file for a day, so that it can be looked at and made into agents. Gives the id for that.
    pub async fn bring(self, text: &str) -> Result<String> {
        if text.len() > file::BYTES {
            return Err(Error::Limit("The file of a team is at most 256 KB of text.".to_owned()));
        }
        // Browsers send line ends as CR LF.
        let text = text.replace("\r\n", "\n");
        Ok(self.scoped.archives().upload(FILE, text.as_bytes()).await?.archive)
    }

    /// What would be made of it, and what of it does not fit. Nothing is made yet.
    pub async fn review(self, id: &str) -> Result<TeamReview> {
        let Plan { team, roles } = self.plan(id).await?;
        let roles = roles.into_iter().map(|planned| planned.review).collect();
        Ok(TeamReview { file: id.to_owned(), team, roles })
    }

    /// Makes the agents and their roles, all of them or nothing.
    pub async fn make(self, id: &str) -> Result<Vec<NamedAgent>> {
        let owner = &self.scoped.viewer.me.id;
        self.scoped.hub.spaces().require(owner).await?;
        let Plan { roles, .. } = self.plan(id).await?;
        let thinks = |planned: &PlannedRole| planned.definition.loop_settings.ambient_after_minutes.is_some();
        if roles.iter().any(thinks) {
            self.scoped.require_counted().await?;
        }
        let now = self.scoped.hub.now();
        let mut tx = self.scoped.hub.store().write().await?;
        let mut made = Vec::new();
        for PlannedRole { review, definition } in roles {
            let role = NewAgentRole {
                name: &review.role,
                description: &review.description,
                definition: &definition,
                least: review.least,
                most: review.most,
            };
            let role = agent_roles::put(&mut tx, owner, role, now).await?;
            for name in review.makes {
                let draft = AgentDraft { name: name.clone(), ..definition.clone() };
                let place =
                    self.scoped.agents().insert_agent(&mut tx, draft, InstructionsAuthor::Copy).await?;
                agent_roles::give(&mut tx, owner, &place.agent, &role).await?;
                made.push(NamedAgent { id: place.agent, name });
            }
        }
        if !self.scoped.archives().forget_upload(&mut tx, id).await? {
            return Err(Error::NotFound("file"));
        }
        tx.commit().await?;
        self.scoped.agents().tell_pages();
        Ok(made)
    }

    async fn plan(self, id: &str) -> Result<Plan> {
        let bytes = self.scoped.archives().uploaded(id).await?.ok_or(Error::NotFound("file"))?;
        let text = String::from_utf8(bytes).map_err(|_| Error::invalid("The file is no text in UTF-8."))?;
        self.planned(file::read(&text)?).await
    }
}
