//! A newer file of a tool that the agent has: it lies beside it, and its person sees what it would change, until they
//! accept this very version.

use super::{MadeTool, MadeTools, OwnMadeTools};
use crate::Hub;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::policy;
use crate::store::{FromRow, Json, Row, Transaction, query};
use protocol::log::EntryBody;
use protocol::model::ToolSpec;
use protocol::view::{AuditAction, MadeToolView, OfferedTool, ToolAuthor, ToolReach};
use protocol::{AgentId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

#[derive(Clone, Deserialize, Serialize)]
struct Offer {
    spec: ToolSpec,
    code: String,
    reach: ToolReach,
}

impl Offer {
    fn digest(&self) -> Result<String> {
        Ok(data_encoding::HEXLOWER.encode(&Sha256::digest(serde_json::to_vec(self)?)))
    }

    async fn view(self, hub: &Hub, person: &UserId, over: &MadeToolView) -> Result<OfferedTool> {
        let digest = self.digest()?;
        let Self { spec: ToolSpec { description, input_schema, .. }, code, reach } = self;
        let before = text(&over.description, &over.input_schema, &over.code)?;
        let after = text(&description, &input_schema, &code)?;
        let changes = hub.0.differences.between(person, before, after).await?;
        Ok(OfferedTool { digest, description, input_schema, code, reach, changes })
    }
}

fn text(description: &str, schema: &Value, code: &str) -> Result<String> {
    Ok(format!("{description}\n\n{}\n\n{code}\n", serde_json::to_string_pretty(schema)?))
}

/// A tool as it stands in the list, and what would come in its place.
pub(super) struct Listed {
    view: MadeToolView,
    offer: Option<Offer>,
}

impl FromRow for Listed {
    fn from_row(row: &Row) -> Result<Self> {
        let offer = row.get::<Option<Json<Offer>>>("offered")?.map(|Json(offer)| offer);
        Ok(Self { view: MadeToolView::from_row(row)?, offer })
    }
}

impl Listed {
    pub(super) async fn whole(self, hub: &Hub, person: &UserId) -> Result<MadeToolView> {
        let Self { mut view, offer } = self;
        if let Some(offer) = offer {
            view.offered = Some(offer.view(hub, person, &view).await?);
        }
        Ok(view)
    }
}

/// Keeps the tool beside the one of this name that the agent has. False: it has none, or one that waits itself.
pub(super) async fn offer(tx: &mut Transaction, agent: &AgentId, tool: &MadeTool) -> Result<bool> {
    let has: Option<MadeTool> = query(
        "UPDATE agent_tools SET name = name WHERE agent_id = $1 AND name = $2 AND deleted = 0 AND waiting = 0
         RETURNING spec, code, author, reach",
        (agent, &tool.spec.name),
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(has) = has else { return Ok(false) };
    let MadeTool { spec, code, reach, author: _ } = tool;
    if (&has.spec, &has.code, &has.reach) == (spec, code, reach) {
        return Err(Error::Conflict(format!(
            "The agent has the tool {} already, letter for letter as in the file.",
            spec.name
        )));
    }
    let offer = Offer { spec: spec.clone(), code: code.clone(), reach: reach.clone() };
    query(
        "UPDATE agent_tools SET offered = $3 WHERE agent_id = $1 AND name = $2",
        (agent, &spec.name, Json(offer)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(true)
}

impl OwnMadeTools<'_> {
    /// Lets the agent have the newer version of this tool, if it is the one with this digest that lies there.
    pub async fn accept_offered(self, agent: &AgentId, name: &str, digest: &str) -> Result<()> {
        let place = self.place(agent).await?;
        let made = self.scoped.hub.made_tools();
        let mut appending = self.scoped.hub.log().appending().await?;
        let offered: Option<Option<Json<Offer>>> = query(
            "UPDATE agent_tools SET name = name WHERE agent_id = $1 AND name = $2 AND deleted = 0 AND waiting = 0
             RETURNING offered",
            (agent, name),
        )
        .fetch_optional(&mut *appending.tx)
        .await?;
        let conflict = || {
            Error::Conflict(format!(
                "The tool {name} does not wait as you saw it. Look at what is there now."
            ))
        };
        let Json(offer) = offered.flatten().ok_or_else(conflict)?;
        if offer.digest()? != digest {
            return Err(conflict());
        }
        let Offer { spec, code, reach } = offer;
        let version: u32 = query(
            "UPDATE agent_tools SET version = version + 1, spec = $3, code = $4, reach = $5, author = $6, made_at = $7,
                                    offered = NULL
             WHERE agent_id = $1 AND name = $2 RETURNING version",
            (agent, name, Json(&spec), &code, Json(&reach), ToolAuthor::File, self.scoped.hub.now()),
        )
        .fetch_one(&mut *appending.tx)
        .await?;
        // What comes in a file is somebody else's each time.
        policy::end_with_tool(self.scoped.hub, &mut appending.tx, agent, name).await?;
        let line = AuditEvent::done(AuditAction::ToolAccepted, self.scoped.viewer).object(name);
        self.scoped.hub.audit().note(&mut appending.tx, line).await?;
        made.conclude(appending, &place, EntryBody::ToolCreated { version, spec, code }).await
    }

    /// Lets go of what waits under this name, and of nothing that the agent has.
    pub async fn refuse(self, agent: &AgentId, name: &str) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        let made = self.scoped.hub.made_tools();
        match made.refuse(agent, name).await? || made.refuse_offered(agent, name).await? {
            true => Ok(()),
            false => Err(Error::NotFound("tool")),
        }
    }
}

impl MadeTools<'_> {
    async fn refuse_offered(self, agent: &AgentId, name: &str) -> Result<bool> {
        let mut tx = self.hub.store().write().await?;
        let gone = query(
            "UPDATE agent_tools SET offered = NULL
             WHERE agent_id = $1 AND name = $2 AND deleted = 0 AND offered IS NOT NULL",
            (agent, name),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(gone > 0)
    }
}
