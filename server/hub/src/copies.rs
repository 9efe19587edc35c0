//! A second agent like a first one.

use crate::access::Scoped;
use crate::agent_roles::copy_role;
use crate::error::Result;
use crate::ledger::copy_agent_caps;
use crate::log::EntryScope;
use crate::log::packed::Damaged;
use crate::mcp_servers::{copy_choice, copy_mounts};
use crate::network::{self, WebAccess};
use crate::person_context::copy_switches;
use crate::skills::copy_choices;
use crate::skins::{self, Drawing};
use crate::store::query;
use crate::{files, marks, policy, state, workspaces};
use protocol::AgentId;
use protocol::log::EntryBody;
use protocol::view::{AgentView, SkinOrigin};

/// Copies of the viewer's agents.
#[derive(Clone, Copy, Debug)]
pub struct Copies<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn copies(&self) -> Copies<'a> {
        Copies { scoped: *self }
    }
}

/// What a copy is told whose original had read what strangers wrote.
const KEPT_WORDS: &str = "The agent that this one is a copy of has read words of strangers. What it keeps may hold some: before anything private leaves, you are asked.";

impl Copies<'_> {
    /// A second agent with the same definition, page, state with its rules, storage, files, tools that it made,
    /// role, skills, limits, network policy, rules about its calls, MCP servers, workspace and schedules, which rest, and
    /// nothing said yet. What else stays is in [`Agents::left_behind`](crate::agents::Agents::left_behind).
    pub async fn make(self, id: &AgentId) -> Result<AgentView> {
        self.copy(id, false).await
    }

    /// The same with all that was said in its conversations, behind one in which nothing was. It is told which of them
    /// are damaged and stay.
    pub async fn make_with_conversations(self, id: &AgentId) -> Result<AgentView> {
        self.copy(id, true).await
    }

    async fn copy(self, id: &AgentId, with_conversations: bool) -> Result<AgentView> {
        let original = self.scoped.agents().get(id).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let now = self.scoped.hub.now();
        let access = WebAccess::of(&original);
        let state = self.scoped.hub.states().read(id).await?;
        let schedules = self.scoped.hub.schedules().archived_schedules(id).await?;
        let tools = self.scoped.hub.made_tools().list(id).await?;
        let mut appending = self.scoped.hub.log().appending().await?;
        let (place, name) = self.scoped.agents().insert_copy(&mut appending.tx, original).await?;
        if marks::of(&mut appending.tx, id).await?.untrusted {
            let notes = vec![KEPT_WORDS.to_owned()];
            appending.append(&place, EntryBody::Imported { name: name.clone(), notes }).await?;
        }
        let told = place;
        let place = EntryScope { conversation: None, ..told.clone() };
        let copy = place.agent.clone();
        if let Some(skin) = skins::newest(&mut appending.tx, id).await? {
            let drawing = Drawing::new(&skin.page, SkinOrigin::Copy);
            skins::store_next(&mut appending, &place, 0, drawing).await?;
        }
        for (key, value) in state {
            state::put_state(&mut appending.tx, &copy, &key, &value).await?;
            appending.append(&place, EntryBody::State { key, value, superseded: false }).await?;
        }
        network::store(&mut appending.tx, &copy, &access).await?;
        query(
            "INSERT INTO agent_storage (agent_id, key, value)
             SELECT $2, key, value FROM agent_storage WHERE agent_id = $1",
            (id, &copy),
        )
        .execute(&mut *appending.tx)
        .await?;
        query(
            "INSERT INTO agent_rules (agent_id, key, condition, message)
             SELECT $2, key, condition, message FROM agent_rules WHERE agent_id = $1",
            (id, &copy),
        )
        .execute(&mut *appending.tx)
        .await?;
        files::copy_all(&mut appending.tx, &id.into(), &(&copy).into(), now).await?;
        for tool in tools {
            self.scoped.hub.made_tools().bring(&mut appending, &told, tool).await?;
        }
        copy_role(&mut appending.tx, &self.scoped.viewer.me.id, id, &copy).await?;
        copy_choices(&mut appending.tx, id, &copy).await?;
        copy_agent_caps(&mut appending.tx, id, &copy).await?;
        copy_choice(&mut appending.tx, id, &copy).await?;
        copy_mounts(&mut appending.tx, id, &copy).await?;
        workspaces::copy_choice(&mut appending.tx, id, &copy).await?;
        copy_switches(&mut appending.tx, id, &copy).await?;
        policy::copy_lasting(&self.scoped, &mut appending.tx, id, &copy).await?;
        self.scoped.schedules().put_resting(&mut appending, &told, &schedules).await?;
        if with_conversations {
            let damaged = appending.copy_conversations(id, &copy).await?;
            if !damaged.is_empty() {
                let notes = damaged.iter().map(Damaged::in_words).collect();
                appending.append(&told, EntryBody::Imported { name, notes }).await?;
            }
        }
        self.scoped.hub.log().commit(appending).await?;
        self.scoped.agents().tell_pages();
        self.scoped.agents().get(&copy).await
    }
}
