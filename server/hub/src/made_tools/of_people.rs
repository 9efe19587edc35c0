//! What people do with tools of their agents: write and change them, bring them in as files, accept those, and give
//! them out.

use super::offered::offer;
use super::{MadeTool, MadeTools, Over, OwnMadeTools, file};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::policy;
use crate::store::{Transaction, query};
use protocol::AgentId;
use protocol::log::EntryBody;
use protocol::model::ToolSpec;
use protocol::view::{AuditAction, ToolAuthor, ToolReach};

/// A tool as a person writes it into a form.
#[derive(Clone, Debug, Default)]
pub struct WrittenTool {
    pub name: String,
    pub description: String,
    /// JSON.
    pub input_schema: String,
    pub code: String,
    /// Whether it reaches the page.
    pub page: bool,
    /// Keys of the state that it reads and sets, one a line.
    pub reads: String,
    pub writes: String,
}

impl WrittenTool {
    fn read(self) -> Result<MadeTool> {
        let Self { name, description, input_schema, code, page, reads, writes } = self;
        let input_schema = serde_json::from_str(&input_schema)
            .map_err(|error| Error::invalid(format!("The input schema is no JSON: {error}")))?;
        let spec = ToolSpec {
            name: name.trim().to_owned(),
            description: with_plain_ends(&description),
            input_schema,
            strict: false,
        };
        let reach = ToolReach { page, reads: keys(&reads), writes: keys(&writes) };
        Ok(MadeTool { spec, code: with_plain_ends(&code), author: ToolAuthor::Person, reach })
    }
}

/// Forms end each line with two characters.
fn with_plain_ends(text: &str) -> String {
    text.replace("\r\n", "\n")
}

fn keys(text: &str) -> Vec<String> {
    let mut keys: Vec<String> =
        text.lines().map(str::trim).filter(|key| !key.is_empty()).map(str::to_owned).collect();
    keys.sort();
    keys.dedup();
    keys
}

impl OwnMadeTools<'_> {
    /// Gives the agent a tool, or the next version of one. `seen`: the version that the person looked at; 0: they are
    /// writing a new one.
    pub async fn write(self, agent: &AgentId, written: WrittenTool, seen: u32) -> Result<u32> {
        let place = self.place(agent).await?;
        let (tool, made) = (written.read()?, self.scoped.hub.made_tools());
        made.check_whole(&self.scoped.viewer.me.id, &tool).await?;
        let mut appending = self.scoped.hub.log().appending().await?;
        let version = made.put(&mut appending.tx, agent, &tool, Over::Seen(seen), false).await?;
        let body = EntryBody::ToolCreated { version, spec: tool.spec, code: tool.code };
        made.conclude(appending, &place, body).await?;
        self.forget_refused();
        Ok(version)
    }

    /// Takes a tool in from a file, and gives its name. It waits for [`Self::accept`], or, where the agent has one of
    /// this name, beside that for [`Self::accept_offered`].
    pub async fn bring(self, agent: &AgentId, bytes: &[u8]) -> Result<String> {
        self.scoped.require_agent(agent).await?;
        let (tool, made) = (file::read(bytes)?, self.scoped.hub.made_tools());
        made.check_whole(&self.scoped.viewer.me.id, &tool).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        if !offer(&mut tx, agent, &tool).await? {
            made.bring_waiting(&mut tx, agent, &tool).await?;
        }
        tx.commit().await?;
        Ok(tool.spec.name)
    }

    /// Lets the agent have the tool that waits, if it is this version.
    pub async fn accept(self, agent: &AgentId, name: &str, version: u32) -> Result<()> {
        let place = self.place(agent).await?;
        let made = self.scoped.hub.made_tools();
        let mut appending = self.scoped.hub.log().appending().await?;
        let tool: MadeTool = query(
            "UPDATE agent_tools SET waiting = 0
             WHERE agent_id = $1 AND name = $2 AND version = $3 AND deleted = 0 AND waiting = 1
             RETURNING spec, code, author, reach",
            (agent, name, version),
        )
        .fetch_optional(&mut *appending.tx)
        .await?
        .ok_or_else(|| {
            Error::Conflict(format!(
                "The tool {name} does not wait as you saw it. Look at what is there now."
            ))
        })?;
        let line = AuditEvent::done(AuditAction::ToolAccepted, self.scoped.viewer).object(name);
        self.scoped.hub.audit().note(&mut appending.tx, line).await?;
        let body = EntryBody::ToolCreated { version, spec: tool.spec, code: tool.code };
        made.conclude(appending, &place, body).await
    }

    /// The tool as a file that [`Self::bring`] takes in.
    pub async fn export(self, agent: &AgentId, name: &str) -> Result<file::ToolFile> {
        self.scoped.require_agent(agent).await?;
        let found = self.scoped.hub.made_tools().find(agent, name).await?;
        file::write(found.ok_or(Error::NotFound("tool"))?)
    }
}

impl MadeTools<'_> {
    /// Keeps a tool from somebody else until its person accepts it. One of this name that waits goes.
    pub(crate) async fn bring_waiting(
        self,
        tx: &mut Transaction,
        agent: &AgentId,
        tool: &MadeTool,
    ) -> Result<()> {
        self.put(tx, agent, tool, Over::Waiting, true).await.map(drop)
    }

    /// Lets go of a tool that waits, of which the log knows nothing. False: none of this name does.
    pub(super) async fn refuse(self, agent: &AgentId, name: &str) -> Result<bool> {
        let mut tx = self.hub.store().write().await?;
        let gone = query(
            "UPDATE agent_tools SET deleted = 1, waiting = 0
             WHERE agent_id = $1 AND name = $2 AND deleted = 0 AND waiting = 1",
            (agent, name),
        )
        .execute(&mut *tx)
        .await?;
        if gone > 0 {
            policy::end_with_tool(self.hub, &mut tx, agent, name).await?;
        }
        tx.commit().await?;
        Ok(gone > 0)
    }
}
