//! Agents: their definitions, and the cards and pages that show them. What they did stands in the
//! log, whose appends keep the cards' figures up to date.

mod context;
mod draft;
mod loop_settings;
mod rows;

pub(crate) use rows::{fallback_of, hooks_of, loop_settings_of};

use crate::access::Scoped;
use crate::audit::Line;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::gateway::forget_inputs;
use crate::log::{Place, conversation_entries};
use crate::marks;
use crate::permissions::permissions_of;
use crate::providers::forget_agent_keys;
use crate::skins::{self, Drawing};
use crate::store::Transaction;
use crate::{network, state};
use agent::context as agent_context;
use agent::tools;
use draft::Checked;
use protocol::log::EntryBody;
use protocol::view::{AgentCard, AgentDraft, AgentPage, AgentView, AuditAction, SkinOrigin, ToolView};
use protocol::{AgentId, ConversationId, ProviderId};
use sqlx::Row as _;

/// Agents of one person.
const MOST: i64 = 500;
/// What a copy is told whose original had read what strangers wrote.
const KEPT_WORDS: &str = "The agent that this one is a copy of has read words of strangers. What it keeps may hold some: before anything private leaves, you are asked.";

impl Scoped<'_> {
    /// The newest activity first.
    pub async fn agents(&self) -> Result<Vec<AgentCard>> {
        rows::cards(self.hub.store.read(), self.owner(), self.hub.now()).await
    }

    pub async fn agent(&self, id: &AgentId) -> Result<AgentView> {
        rows::view(self.hub.store.read(), self.owner(), id).await?.ok_or(Error::NotFound("agent"))
    }

    pub async fn agent_page(&self, id: &AgentId) -> Result<AgentPage> {
        let store = &self.hub.store;
        let agent = self.agent(id).await?;
        let (card, seq) = self.card(id).await?;
        let provider = match &agent.provider {
            Some(provider) => self.hub.usable(&self.viewer.me.id, provider).await?,
            None => None,
        };
        let provider = provider.map(|usable| usable.provider);
        // Later entries arrive over the socket, which is asked for those after `seq`.
        let mut entries = conversation_entries(store, &agent.conversation).await?;
        entries.retain(|entry| entry.seq <= seq);
        let room = agent_context::room(&self.hub.definition(id).await?.spec);
        Ok(AgentPage {
            card,
            provider_name: provider.as_ref().map(|provider| provider.name.clone()),
            provider_kind: provider.map(|provider| provider.kind),
            agent,
            room,
            entries,
            permissions: permissions_of(store, id).await?,
            seq,
        })
    }

    /// How many messages the agent's conversation has, from both sides.
    pub async fn message_count(&self, id: &AgentId) -> Result<u64> {
        let (card, _) = self.card(id).await?;
        Ok(card.message_count)
    }

    async fn card(&self, id: &AgentId) -> Result<(AgentCard, u64)> {
        let (store, now) = (self.hub.store.read(), self.hub.now());
        rows::card(store, self.owner(), id, now).await?.ok_or(Error::NotFound("agent"))
    }

    /// Makes an agent with an empty conversation.
    pub async fn create_agent(&self, draft: AgentDraft) -> Result<AgentView> {
        let mut tx = self.hub.store.write().await?;
        let place = self.insert_agent(&mut tx, draft).await?;
        tx.commit().await?;
        self.agent(&place.agent).await
    }

    /// The same inside a transaction that gives the agent more than its definition.
    pub(crate) async fn insert_agent(&self, tx: &mut Transaction, draft: AgentDraft) -> Result<Place> {
        self.insert(tx, &draft::check(draft)?).await
    }

    /// A run that is under way goes on with the definition that it started with.
    pub async fn edit_agent(&self, id: &AgentId, draft: AgentDraft) -> Result<AgentView> {
        let checked = draft::check(draft)?;
        let mut tx = self.hub.store.write().await?;
        self.require_providers(&mut tx, &checked).await?;
        let now = self.hub.now();
        if !rows::update(&mut tx, self.owner(), id, &checked, now).await? {
            return Err(Error::NotFound("agent"));
        }
        tx.commit().await?;
        self.hub.arm_ambient_run(id).await?;
        self.agent(id).await
    }

    /// A second agent with the same definition, page, state with its rules, storage, files and schedules, which
    /// rest, and nothing said yet.
    pub async fn duplicate_agent(&self, id: &AgentId) -> Result<AgentView> {
        let original = self.agent(id).await?;
        let network = original.network.clone();
        let checked = draft::copy_of(original);
        let state = self.hub.state_of(id).await?;
        let schedules = self.hub.archived_schedules(id).await?;
        let conversation = self.hub.conversation_of(id).await?;
        let mut appending = self.hub.appending().await?;
        let place = self.insert(&mut appending.tx, &checked).await?;
        if marks::of(&mut appending.tx, id, &conversation).await?.untrusted {
            let (name, notes) = (checked.name.clone(), vec![KEPT_WORDS.to_owned()]);
            appending.append(&place, EntryBody::Imported { name, notes }).await?;
        }
        let told = place;
        let place = Place { conversation: None, ..told.clone() };
        let copy = place.agent.clone();
        if let Some(skin) = skins::newest(&mut appending.tx, id).await? {
            let drawing = Drawing::new(&skin.page, SkinOrigin::Copy);
            skins::store_next(&mut appending, &place, 0, drawing).await?;
        }
        for (key, value) in state {
            state::put_state(&mut appending.tx, &copy, &key, &value).await?;
            appending.append(&place, EntryBody::State { key, value, superseded: false }).await?;
        }
        network::store(&mut appending.tx, &copy, &network).await?;
        sqlx::query(
            "INSERT INTO agent_storage (agent_id, key, value)
             SELECT $2, key, value FROM agent_storage WHERE agent_id = $1",
        )
        .bind(&id.0)
        .bind(&copy.0)
        .execute(&mut *appending.tx)
        .await?;
        sqlx::query(
            "INSERT INTO agent_rules (agent_id, key, condition, message)
             SELECT $2, key, condition, message FROM agent_rules WHERE agent_id = $1",
        )
        .bind(&id.0)
        .bind(&copy.0)
        .execute(&mut *appending.tx)
        .await?;
        sqlx::query(
            "INSERT INTO agent_files (agent_id, path, bytes, size, digest, at)
             SELECT $2, path, bytes, size, digest, at FROM agent_files WHERE agent_id = $1",
        )
        .bind(&id.0)
        .bind(&copy.0)
        .execute(&mut *appending.tx)
        .await?;
        self.put_resting(&mut appending, &told, &schedules).await?;
        self.hub.commit(appending).await?;
        self.agent(&copy).await
    }

    /// Deletes the agent with everything it said, drew and kept. Its run is stopped first.
    pub async fn delete_agent(&self, id: &AgentId) -> Result<()> {
        let name = self.agent(id).await?.name;
        self.hub.stop_run(id).await;
        let mut tx = self.hub.store.write().await?;
        let deleted = sqlx::query("DELETE FROM agents WHERE id = $1 AND user_id = $2")
            .bind(&id.0)
            .bind(self.owner())
            .execute(&mut *tx)
            .await?;
        if deleted.rows_affected() == 0 {
            return Err(Error::NotFound("agent"));
        }
        forget_agent_keys(&mut tx, self.owner(), id).await?;
        forget_inputs(&mut tx, id).await?;
        self.hub.note(&mut tx, Line::done(AuditAction::AgentDeleted, self.viewer).object(&name)).await?;
        tx.commit().await?;
        // A message that waited may have started another run in between.
        self.hub.stop_run(id).await;
        self.hub.arm_ambient_run(id).await?;
        Ok(())
    }

    /// The tools that an agent can be given, one by one.
    pub fn tool_views(&self) -> Vec<ToolView> {
        let view = |tool: &tools::Tool| ToolView {
            name: tool.name.to_owned(),
            summary: tool.summary.to_owned(),
            group: tool.group(),
            risk: tool.risk,
            usual: tool.is_usual(),
        };
        tools::all().iter().filter(|tool| !tool.is_of_the_web()).map(view).collect()
    }

    async fn insert(&self, tx: &mut Transaction, checked: &Checked) -> Result<Place> {
        self.require_providers(tx, checked).await?;
        if rows::count(tx, self.owner()).await? >= MOST {
            return Err(Error::Limit(format!("You have {MOST} agents. Delete one first.")));
        }
        let id = AgentId(new_id());
        let conversation = ConversationId(new_id());
        rows::insert(tx, self.owner(), &id, checked, &conversation, self.hub.now()).await?;
        Ok(Place { agent: id, conversation: Some(conversation), run: None })
    }

    async fn require_providers(&self, tx: &mut Transaction, checked: &Checked) -> Result<()> {
        self.require_provider(tx, checked.provider.as_ref()).await?;
        self.require_provider(tx, checked.fallback.as_ref().map(|fallback| &fallback.provider)).await
    }

    async fn require_provider(&self, tx: &mut Transaction, provider: Option<&ProviderId>) -> Result<()> {
        let Some(provider) = provider else { return Ok(()) };
        let row =
            sqlx::query("SELECT COUNT(*) FROM usable_providers WHERE provider_id = $1 AND user_id = $2")
                .bind(&provider.0)
                .bind(self.owner())
                .fetch_one(&mut **tx)
                .await?;
        if row.try_get::<i64, _>(0)? == 0 {
            return Err(Error::NotFound("provider"));
        }
        Ok(())
    }
}
