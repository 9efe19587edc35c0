//! Tools that agents make for themselves, and those that people write for them or bring in files: a name, a schema, what
//! they may reach, and code that runs there.

mod file;
mod of_people;
mod offered;
mod reach;
mod refused;
mod renaming;
mod schema;

pub use file::ToolFile;
pub use of_people::WrittenTool;
pub(crate) use refused::InMemory;
pub(crate) use renaming::rename_like_ours;
pub(crate) use schema::Bounded;

use crate::Hub;
use crate::access::Scoped;
use crate::engine::{EngineError, Fit, Unfit};
use crate::error::{Error, Result};
use crate::log::{Appending, EntryScope};
use crate::policy;
use crate::store::{FromRow, Json, Row, Transaction, query};
use agent::tools;
use offered::Listed;
use protocol::log::EntryBody;
use protocol::model::ToolSpec;
use protocol::view::{MadeToolView, ToolAuthor, ToolReach};
use protocol::{AgentId, UserId};
use serde_json::Value;
use std::time::Duration;

/// Tools that the viewer's agents made for themselves, or got from the viewer.
#[derive(Clone, Copy, Debug)]
pub struct OwnMadeTools<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn made_tools(&self) -> OwnMadeTools<'a> {
        OwnMadeTools { scoped: *self }
    }
}

/// Tools that agents made for themselves, or got from their people.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MadeTools<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn made_tools(&self) -> MadeTools<'_> {
        MadeTools { hub: self }
    }
}

/// Tools of an agent's own, whoever made them.
pub(crate) const MAX_TOOLS_PER_AGENT: usize = 50;
/// Longest code, description and schema, in bytes.
const CODE: usize = 64 * 1024;
const DESCRIPTION: usize = 4 * 1024;
const SCHEMA: usize = 16 * 1024;
const NAME: usize = 64;
/// How the name of each tool of an MCP server begins. No tool of ours begins so, and no agent makes one that does.
pub(crate) const OF_SERVERS: &str = "mcp_";
/// What checking an input may take.
const FITTING: Duration = Duration::from_secs(1);

/// A tool of an agent's own.
#[derive(Clone, Debug)]
pub(crate) struct MadeTool {
    pub(crate) spec: ToolSpec,
    pub(crate) code: String,
    pub(crate) author: ToolAuthor,
    pub(crate) reach: ToolReach,
}

impl MadeTool {
    /// As an agent makes one for itself.
    pub(crate) fn of_agent(spec: ToolSpec, code: String) -> Self {
        Self { spec, code, author: ToolAuthor::Agent, reach: ToolReach::page() }
    }
}

/// What a new version may stand in place of.
#[derive(Clone, Copy)]
enum Over {
    /// Whatever the agent made of that name.
    ItsOwn,
    /// The version that its person looked at; 0: none.
    Seen(u32),
    /// Nothing, or what came in a file and was not accepted.
    Waiting,
}

impl OwnMadeTools<'_> {
    /// What the agent has, by name, with what waits for its person.
    pub async fn list(self, agent: &AgentId) -> Result<Vec<MadeToolView>> {
        self.scoped.require_agent(agent).await?;
        let listed: Vec<Listed> = query(
            "SELECT version, made_at, waiting, spec, code, author, reach, offered FROM agent_tools
             WHERE agent_id = $1 AND deleted = 0 ORDER BY name",
            (agent,),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        let person = &self.scoped.viewer.me.id;
        let mut tools = Vec::with_capacity(listed.len());
        for tool in listed {
            tools.push(tool.whole(self.scoped.hub, person).await?);
        }
        Ok(tools)
    }

    /// Takes one of them away. The log keeps its versions, but of one that was never accepted.
    pub async fn delete(self, agent: &AgentId, name: &str) -> Result<()> {
        let place = self.place(agent).await?;
        let made = self.scoped.hub.made_tools();
        if made.refuse(agent, name).await? {
            Ok(())
        } else {
            made.delete(&place, name, ToolAuthor::Person).await
        }
    }

    /// Where the log tells what the viewer does with them.
    async fn place(self, agent: &AgentId) -> Result<EntryScope> {
        self.scoped.require_agent(agent).await?;
        let conversation = Some(self.scoped.hub.conversations().current(agent).await?);
        Ok(EntryScope { agent: agent.clone(), conversation, run: None })
    }
}

impl MadeTools<'_> {
    /// What the agent can use of them, by name.
    pub(crate) async fn list(self, agent: &AgentId) -> Result<Vec<MadeTool>> {
        let rows = query(
            "SELECT spec, code, author, reach FROM agent_tools
             WHERE agent_id = $1 AND deleted = 0 AND waiting = 0 ORDER BY name",
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
            "SELECT spec, code, author, reach FROM agent_tools
             WHERE agent_id = $1 AND name = $2 AND deleted = 0 AND waiting = 0",
            (agent, name),
        )
        .fetch_optional(self.hub.store().read())
        .await
    }

    /// Makes the agent's tool, or its next version, and says which.
    pub(crate) async fn make(self, person: &UserId, place: &EntryScope, tool: MadeTool) -> Result<u32> {
        self.check_whole(person, &tool).await?;
        let mut appending = self.hub.log().appending().await?;
        let version = self.put(&mut appending.tx, &place.agent, &tool, Over::ItsOwn, false).await?;
        let body = EntryBody::ToolCreated { version, spec: tool.spec, code: tool.code };
        self.conclude(appending, place, body).await?;
        Ok(version)
    }

    /// Whether an agent may have it, with its schema.
    async fn check_whole(self, person: &UserId, tool: &MadeTool) -> Result<()> {
        check(tool)?;
        let fit = self.fits(person, &tool.spec.input_schema, None).await?;
        fit.map_err(|(Unfit::Schema(why) | Unfit::Input(why))| Error::invalid(why))
    }

    /// Writes the row, and says which version it is.
    async fn put(
        self,
        tx: &mut Transaction,
        agent: &AgentId,
        tool: &MadeTool,
        over: Over,
        waiting: bool,
    ) -> Result<u32> {
        let MadeTool { spec, code, author, reach } = tool;
        let others: usize = query(
            "SELECT COUNT(*) FROM agent_tools WHERE agent_id = $1 AND name <> $2 AND deleted = 0",
            (agent, &spec.name),
        )
        .fetch_one(&mut **tx)
        .await?;
        if others >= MAX_TOOLS_PER_AGENT {
            return Err(Error::Limit(format!(
                "An agent has at most {MAX_TOOLS_PER_AGENT} tools of its own. Take one away first."
            )));
        }
        let before: Option<ToolAuthor> = query(
            "SELECT author FROM agent_tools WHERE agent_id = $1 AND name = $2 AND deleted = 0 AND waiting = 0",
            (agent, &spec.name),
        )
        .fetch_optional(&mut **tx)
        .await?;
        let (its_own, seen, over_waiting) = match over {
            Over::ItsOwn => (true, 0, false),
            Over::Seen(version) => (false, version, false),
            Over::Waiting => (false, 0, true),
        };
        let version = query(
            "INSERT INTO agent_tools (agent_id, name, version, spec, code, deleted, made_at, author, reach, waiting)
             VALUES ($1, $2, 1, $3, $4, 0, $5, $6, $7, $8)
             ON CONFLICT (agent_id, name) DO UPDATE
             SET version = agent_tools.version + 1, spec = excluded.spec, code = excluded.code, deleted = 0,
                 made_at = excluded.made_at, author = excluded.author, reach = excluded.reach,
                 waiting = excluded.waiting
             WHERE agent_tools.deleted = 1
                OR ($9 = 1 AND agent_tools.author = 'agent')
                OR ($9 = 0 AND agent_tools.waiting = 0 AND agent_tools.version = $10)
                OR ($11 = 1 AND agent_tools.waiting = 1)
             RETURNING version",
            (
                agent,
                &spec.name,
                Json(spec),
                code,
                self.hub.now(),
                *author,
                Json(reach),
                waiting,
                its_own,
                seen,
                over_waiting,
            ),
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| match over {
            Over::ItsOwn => Error::Conflict(format!(
                "The name {} is that of a tool that your person added. Choose another one.",
                spec.name
            )),
            Over::Seen(0) => Error::Conflict(format!(
                "The agent has a tool {} already. Change or delete that one, or choose another name.",
                spec.name
            )),
            Over::Seen(_) | Over::Waiting => Error::Conflict(format!(
                "The tool {} was changed while you looked at it. Look at it as it is now.",
                spec.name
            )),
        })?;
        if before.is_some_and(|before| before != *author) {
            policy::end_with_tool(self.hub, tx, agent, &spec.name).await?;
        }
        Ok(version)
    }

    /// Gives a tool to an agent that is being made of another one, as its first version.
    pub(crate) async fn bring(
        self,
        appending: &mut Appending,
        place: &EntryScope,
        tool: MadeTool,
    ) -> Result<()> {
        let MadeTool { spec, code, author, reach } = tool;
        query(
            "INSERT INTO agent_tools (agent_id, name, version, spec, code, deleted, made_at, author, reach)
             VALUES ($1, $2, 1, $3, $4, 0, $5, $6, $7)",
            (&place.agent, &spec.name, Json(&spec), &code, self.hub.now(), author, Json(&reach)),
        )
        .execute(&mut *appending.tx)
        .await?;
        appending.append(place, EntryBody::ToolCreated { version: 1, spec, code }).await?;
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

    /// Takes away what the agent made for itself.
    pub(crate) async fn delete_its_own(self, place: &EntryScope, name: &str) -> Result<()> {
        self.delete(place, name, ToolAuthor::Agent).await
    }

    async fn delete(self, place: &EntryScope, name: &str, by: ToolAuthor) -> Result<()> {
        let mut appending = self.hub.log().appending().await?;
        let gone = query(
            "UPDATE agent_tools SET deleted = 1, offered = NULL
             WHERE agent_id = $1 AND name = $2 AND deleted = 0 AND waiting = 0
               AND (author = 'agent' OR $3 = 'person')",
            (&place.agent, name, by),
        )
        .execute(&mut *appending.tx)
        .await?;
        if gone == 0 {
            return Err(Error::NotFound("tool of your own"));
        }
        policy::end_with_tool(self.hub, &mut appending.tx, &place.agent, name).await?;
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
        Ok(Self {
            spec: row.get::<Json<_>>("spec")?.0,
            code: row.get("code")?,
            author: row.get("author")?,
            reach: row.get::<Json<_>>("reach")?.0,
        })
    }
}

impl FromRow for MadeToolView {
    fn from_row(row: &Row) -> Result<Self> {
        let MadeTool { spec, code, author, reach } = MadeTool::from_row(row)?;
        let ToolSpec { name, description, input_schema, strict: _ } = spec;
        Ok(Self {
            name,
            description,
            version: row.get("version")?,
            made_at: row.get("made_at")?,
            input_schema,
            code,
            author,
            reach,
            waiting: row.get("waiting")?,
            offered: None,
        })
    }
}

/// Whether an agent may have it.
pub(crate) fn check(tool: &MadeTool) -> Result<()> {
    let MadeTool { spec, code, author: _, reach } = tool;
    if !is_name(&spec.name) {
        return Err(Error::invalid(
            "The name has small letters, digits and underscores, a letter first, and 64 of them at most.",
        ));
    }
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
    reach::check(reach)
}

/// As `create_tool` asks for it.
fn is_name(name: &str) -> bool {
    let may_follow = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    (2..=NAME).contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(may_follow)
}
