//! Tools that agents make for themselves: a name, a schema, and code that runs where `runjs` runs.

mod renaming;
mod schema;

pub(crate) use renaming::rename_like_ours;
pub(crate) use schema::Bounded;

use crate::Hub;
use crate::access::Scoped;
use crate::engine::{EngineError, Fit, Unfit};
use crate::error::{Error, Result};
use crate::log::{Appending, EntryScope};
use crate::store::{FromRow, Json, Row, query};
use agent::tools;
use protocol::log::EntryBody;
use protocol::model::ToolSpec;
use protocol::view::MadeToolView;
use protocol::{AgentId, UserId};
use serde_json::Value;
use std::time::Duration;

/// Tools that the viewer's agents made for themselves.
#[derive(Clone, Copy, Debug)]
pub struct OwnMadeTools<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn made_tools(&self) -> OwnMadeTools<'a> {
        OwnMadeTools { scoped: *self }
    }
}

/// Tools that agents made for themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MadeTools<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn made_tools(&self) -> MadeTools<'_> {
        MadeTools { hub: self }
    }
}

/// Tools that an agent may have made.
const MAX_TOOLS_PER_AGENT: i64 = 50;
/// Longest code, description and schema, in bytes.
const CODE: usize = 64 * 1024;
const DESCRIPTION: usize = 4 * 1024;
const SCHEMA: usize = 16 * 1024;
/// How the name of each tool of an MCP server begins. No tool of ours begins so, and no agent makes one that does.
pub(crate) const OF_SERVERS: &str = "mcp_";
/// What checking an input may take.
const FITTING: Duration = Duration::from_secs(1);

/// A tool of an agent's own.
#[derive(Clone, Debug)]
pub(crate) struct MadeTool {
    pub(crate) spec: ToolSpec,
    pub(crate) code: String,
}

impl OwnMadeTools<'_> {
    /// What the agent made and still has, by name.
    pub async fn list(self, agent: &AgentId) -> Result<Vec<MadeToolView>> {
        self.scoped.require_agent(agent).await?;
        query(
            "SELECT version, made_at, spec, code FROM agent_tools
             WHERE agent_id = $1 AND deleted = 0 ORDER BY name",
            (agent,),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await
    }

    /// Takes one of them away. The log keeps its versions.
    pub async fn delete(self, agent: &AgentId, name: &str) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        let conversation = Some(self.scoped.hub.conversations().current(agent).await?);
        let place = EntryScope { agent: agent.clone(), conversation, run: None };
        self.scoped.hub.made_tools().delete(&place, name).await
    }
}

impl MadeTools<'_> {
    /// What the agent made and can still use, by name.
    pub(crate) async fn list(self, agent: &AgentId) -> Result<Vec<MadeTool>> {
        let rows = query(
            "SELECT spec, code FROM agent_tools WHERE agent_id = $1 AND deleted = 0 ORDER BY name",
            (agent,),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        let mut tools = rows.iter().map(MadeTool::from_row).collect::<Result<Vec<_>>>()?;
        tools.retain(|tool| schema::within_bounds(&tool.spec.input_schema).is_ok());
        Ok(tools)
    }

    /// The tool of this name. Its schema has yet to be [`Bounded`].
    pub(crate) async fn find(self, agent: &AgentId, name: &str) -> Result<Option<MadeTool>> {
        query(
            "SELECT spec, code FROM agent_tools WHERE agent_id = $1 AND name = $2 AND deleted = 0",
            (agent, name),
        )
        .fetch_optional(self.hub.store().read())
        .await
    }

    /// Makes the tool, or its next version, and says which.
    pub(crate) async fn make(self, person: &UserId, place: &EntryScope, tool: MadeTool) -> Result<u32> {
        check(&tool)?;
        let fit = self.fits(person, &tool.spec.input_schema, None).await?;
        fit.map_err(|(Unfit::Schema(why) | Unfit::Input(why))| Error::invalid(why))?;
        let mut appending = self.hub.log().appending().await?;
        let others: i64 = query(
            "SELECT COUNT(*) FROM agent_tools WHERE agent_id = $1 AND name <> $2 AND deleted = 0",
            (&place.agent, &tool.spec.name),
        )
        .fetch_one(&mut *appending.tx)
        .await?;
        if others >= MAX_TOOLS_PER_AGENT {
            return Err(Error::Limit(format!(
                "An agent makes at most {MAX_TOOLS_PER_AGENT} tools. Take one away first."
            )));
        }
        let version: u32 = query(
            "INSERT INTO agent_tools (agent_id, name, version, spec, code, deleted, made_at)
             VALUES ($1, $2, 1, $3, $4, 0, $5)
             ON CONFLICT (agent_id, name) DO UPDATE
             SET version = agent_tools.version + 1, spec = excluded.spec, code = excluded.code, deleted = 0,
                 made_at = excluded.made_at
             RETURNING version",
            (&place.agent, &tool.spec.name, Json(&tool.spec), &tool.code, self.hub.now()),
        )
        .fetch_one(&mut *appending.tx)
        .await?;
        let body = EntryBody::ToolCreated { version, spec: tool.spec, code: tool.code };
        self.conclude(appending, place, body).await?;
        Ok(version)
    }

    /// Gives a tool to an agent that is being made of another one, as its first version.
    pub(crate) async fn bring(
        self,
        appending: &mut Appending,
        place: &EntryScope,
        tool: MadeTool,
    ) -> Result<()> {
        query(
            "INSERT INTO agent_tools (agent_id, name, version, spec, code, deleted, made_at)
             VALUES ($1, $2, 1, $3, $4, 0, $5)",
            (&place.agent, &tool.spec.name, Json(&tool.spec), &tool.code, self.hub.now()),
        )
        .execute(&mut *appending.tx)
        .await?;
        appending
            .append(place, EntryBody::ToolCreated { version: 1, spec: tool.spec, code: tool.code })
            .await?;
        Ok(())
    }

    /// Whether the schema is one, and whether the input fits it. The engine says so: patterns may take long.
    pub(crate) async fn fits(
        self,
        person: &UserId,
        schema: &Value,
        input: Option<&Value>,
    ) -> Result<std::result::Result<(), Unfit>> {
        // What is out of bounds is not even sent.
        if let Err(why) = schema::within_bounds(schema) {
            return Ok(Err(Unfit::Schema(why)));
        }
        let fit = Fit { schema: schema.clone(), input: input.cloned() };
        match self.hub.engine().perform(person, fit, FITTING).await {
            Ok(fits) => Ok(fits),
            Err(EngineError::TimedOut | EngineError::Died) => {
                Ok(Err(Unfit::Schema("Its patterns take too long. Write shorter ones.".to_owned())))
            }
            Err(EngineError::Busy) => {
                Err(Error::Limit("Too many of your agents' calls are being checked.".to_owned()))
            }
            Err(EngineError::NotStarted(error)) => Err(Error::internal(error)),
        }
    }

    pub(crate) async fn delete(self, place: &EntryScope, name: &str) -> Result<()> {
        let mut appending = self.hub.log().appending().await?;
        let gone = query(
            "UPDATE agent_tools SET deleted = 1 WHERE agent_id = $1 AND name = $2 AND deleted = 0",
            (&place.agent, name),
        )
        .execute(&mut *appending.tx)
        .await?;
        if gone == 0 {
            return Err(Error::NotFound("tool of your own"));
        }
        self.conclude(appending, place, EntryBody::ToolDeleted { name: name.to_owned() }).await
    }

    async fn conclude(self, mut appending: Appending, place: &EntryScope, body: EntryBody) -> Result<()> {
        appending.append(place, body).await?;
        self.hub.log().commit(appending).await?;
        Ok(())
    }
}

impl FromRow for MadeTool {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { spec: row.get::<Json<_>>("spec")?.0, code: row.get("code")? })
    }
}

impl FromRow for MadeToolView {
    fn from_row(row: &Row) -> Result<Self> {
        let MadeTool { spec: ToolSpec { name, description, input_schema, strict: _ }, code } =
            MadeTool::from_row(row)?;
        let version = row.get::<u32>("version")?;
        Ok(Self { name, description, version, made_at: row.get("made_at")?, input_schema, code })
    }
}

/// Whether an agent may have it.
pub(crate) fn check(tool: &MadeTool) -> Result<()> {
    let MadeTool { spec, code } = tool;
    if tools::find(&spec.name).is_some() {
        return Err(Error::invalid(format!("The name {} is taken by a built-in tool.", spec.name)));
    }
    if spec.name.starts_with(OF_SERVERS) {
        return Err(Error::invalid("Names that begin with mcp_ are those of tools of MCP servers."));
    }
    if code.len() > CODE || spec.description.len() > DESCRIPTION {
        return Err(Error::invalid("The code has at most 64 KB, the description at most 4 KB."));
    }
    if spec.input_schema.to_string().len() > SCHEMA {
        return Err(Error::invalid("The schema has at most 16 KB."));
    }
    if spec.input_schema["type"] != "object" {
        return Err(Error::invalid("The schema has to be of the type object."));
    }
    Ok(())
}
