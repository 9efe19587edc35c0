//! Tools that agents make for themselves: a name, a schema, and code that runs where `runjs` runs.

mod schema;

pub(crate) use schema::Bounded;

use crate::Hub;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::log::{Appending, Place};
use crate::store::Row;
use agent::tools;
use protocol::AgentId;
use protocol::log::EntryBody;
use protocol::model::ToolSpec;
use protocol::view::MadeToolView;
use sqlx::Row as _;

/// Tools that an agent may have made.
const MOST: i64 = 50;
/// Longest code, description and schema, in bytes.
const CODE: usize = 64 * 1024;
const DESCRIPTION: usize = 4 * 1024;
const SCHEMA: usize = 16 * 1024;

/// A tool of an agent's own.
#[derive(Clone, Debug)]
pub(crate) struct MadeTool {
    pub(crate) spec: ToolSpec,
    pub(crate) code: String,
}

impl Scoped<'_> {
    /// What the agent made and still has, by name.
    pub async fn made_tools(&self, agent: &AgentId) -> Result<Vec<MadeToolView>> {
        self.require_agent(agent).await?;
        let rows = sqlx::query(
            "SELECT version, made_at, spec, code FROM agent_tools
             WHERE agent_id = $1 AND deleted = 0 ORDER BY name",
        )
        .bind(&agent.0)
        .fetch_all(self.hub.store.read())
        .await?;
        rows.iter().map(view).collect()
    }

    /// Takes one of them away. The log keeps its versions.
    pub async fn delete_made_tool(&self, agent: &AgentId, name: &str) -> Result<()> {
        self.require_agent(agent).await?;
        let conversation = Some(self.hub.conversation_of(agent).await?);
        let place = Place { agent: agent.clone(), conversation, run: None };
        self.hub.delete_made_tool(&place, name).await
    }
}

impl Hub {
    /// What the agent made and can still use, by name.
    pub(crate) async fn made_tools(&self, agent: &AgentId) -> Result<Vec<MadeTool>> {
        let rows = sqlx::query(
            "SELECT spec, code FROM agent_tools WHERE agent_id = $1 AND deleted = 0 ORDER BY name",
        )
        .bind(&agent.0)
        .fetch_all(self.store.read())
        .await?;
        let mut tools = rows.iter().map(made).collect::<Result<Vec<_>>>()?;
        tools.retain(|tool| schema::within_bounds(&tool.spec.input_schema).is_ok());
        Ok(tools)
    }

    /// The tool of this name. Its schema has yet to be [`Bounded`].
    pub(crate) async fn made_tool(&self, agent: &AgentId, name: &str) -> Result<Option<MadeTool>> {
        let row = sqlx::query(
            "SELECT spec, code FROM agent_tools WHERE agent_id = $1 AND name = $2 AND deleted = 0",
        )
        .bind(&agent.0)
        .bind(name)
        .fetch_optional(self.store.read())
        .await?;
        row.as_ref().map(made).transpose()
    }

    /// Makes the tool, or its next version, and says which.
    pub(crate) async fn make_tool(&self, place: &Place, tool: MadeTool) -> Result<u32> {
        let tool = tokio::task::spawn_blocking(move || check(&tool).map(|()| tool))
            .await
            .map_err(Error::internal)??;
        let mut appending = self.appending().await?;
        let others = sqlx::query(
            "SELECT COUNT(*) FROM agent_tools WHERE agent_id = $1 AND name <> $2 AND deleted = 0",
        )
        .bind(&place.agent.0)
        .bind(&tool.spec.name)
        .fetch_one(&mut *appending.tx)
        .await?;
        if others.try_get::<i64, _>(0)? >= MOST {
            return Err(Error::Limit(format!("An agent makes at most {MOST} tools. Take one away first.")));
        }
        let row = sqlx::query(
            "INSERT INTO agent_tools (agent_id, name, version, spec, code, deleted, made_at)
             VALUES ($1, $2, 1, $3, $4, 0, $5)
             ON CONFLICT (agent_id, name) DO UPDATE
             SET version = agent_tools.version + 1, spec = excluded.spec, code = excluded.code, deleted = 0,
                 made_at = excluded.made_at
             RETURNING version",
        )
        .bind(&place.agent.0)
        .bind(&tool.spec.name)
        .bind(serde_json::to_string(&tool.spec)?)
        .bind(&tool.code)
        .bind(self.now())
        .fetch_one(&mut *appending.tx)
        .await?;
        let version = u32::try_from(row.try_get::<i64, _>(0)?).map_err(Error::internal)?;
        let body = EntryBody::ToolCreated { version, spec: tool.spec, code: tool.code };
        self.conclude(appending, place, body).await?;
        Ok(version)
    }

    pub(crate) async fn delete_made_tool(&self, place: &Place, name: &str) -> Result<()> {
        let mut appending = self.appending().await?;
        let gone = sqlx::query(
            "UPDATE agent_tools SET deleted = 1 WHERE agent_id = $1 AND name = $2 AND deleted = 0",
        )
        .bind(&place.agent.0)
        .bind(name)
        .execute(&mut *appending.tx)
        .await?;
        if gone.rows_affected() == 0 {
            return Err(Error::NotFound("tool of your own"));
        }
        self.conclude(appending, place, EntryBody::ToolDeleted { name: name.to_owned() }).await
    }

    async fn conclude(&self, mut appending: Appending, place: &Place, body: EntryBody) -> Result<()> {
        appending.append(place, body).await?;
        self.commit(appending).await?;
        Ok(())
    }
}

fn made(row: &Row) -> Result<MadeTool> {
    Ok(MadeTool {
        spec: serde_json::from_str(&row.try_get::<String, _>("spec")?)?,
        code: row.try_get("code")?,
    })
}

fn view(row: &Row) -> Result<MadeToolView> {
    let MadeTool { spec: ToolSpec { name, description, input_schema }, code } = made(row)?;
    let version = u32::try_from(row.try_get::<i64, _>("version")?).map_err(Error::internal)?;
    Ok(MadeToolView { name, description, version, made_at: row.try_get("made_at")?, input_schema, code })
}

fn check(tool: &MadeTool) -> Result<()> {
    let MadeTool { spec, code } = tool;
    if tools::find(&spec.name).is_some() || tools::NOT_YET.contains(&spec.name.as_str()) {
        return Err(Error::invalid(format!("The name {} is taken by a built-in tool.", spec.name)));
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
    Bounded::of(&spec.input_schema).map(|_| ()).map_err(Error::invalid)
}
