//! Agents: their definitions, and the cards and pages that show them. What they did stands in the
//! log, whose appends keep the cards' figures up to date.

mod commands;
mod draft;
mod left_behind;
mod loop_settings;
mod mounts;
mod pause;
mod rows;
mod sampling;
mod sub_agents;

pub(crate) use draft::{NAME, check_instructions, check_model, tidied};
pub(crate) use mounts::Mounts;
pub(crate) use pause::{is_paused, require_not_paused};
pub(crate) use rows::{fallback_of, hooks_of, instructions_of, loop_settings_of, put_instructions};
pub(crate) use sub_agents::{RoleOfSubAgent, SubAgent, insert_sub_agent, level_of};

use crate::access::Scoped;
use crate::accounts::{SharesOf, end_shared_tasks, leave_unwanted};
use crate::attachments;
use crate::audit::AuditEvent;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::instructions::{self, Written};
use crate::log::EntryScope;
use crate::person_context::forget_unheard;
use crate::providers::forget_agent_keys;
use crate::store::{Transaction, query};
use crate::vault::{Vault, mailbox_purpose};
use crate::web_secrets;
use agent::providers::Wire;
use agent::tools;
use draft::Checked;
use protocol::view::{AgentCard, AgentDraft, AgentView, AuditAction, InstructionsAuthor, ToolView};
use protocol::{AgentId, ConversationId, ProviderId};

/// The agents of the viewer.
#[derive(Clone, Copy, Debug)]
pub struct Agents<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn agents(&self) -> Agents<'a> {
        Agents { scoped: *self }
    }
}

/// Agents of one person.
const MAX_AGENTS_PER_PERSON: i64 = 500;
impl Agents<'_> {
    /// Pinned ones first, then the newest activity.
    pub async fn list(self) -> Result<Vec<AgentCard>> {
        rows::cards(self.scoped.hub.store().read(), self.scoped.owner(), self.scoped.hub.now()).await
    }

    pub async fn get(self, id: &AgentId) -> Result<AgentView> {
        rows::view(self.scoped.hub.store().read(), self.scoped.owner(), id)
            .await?
            .ok_or(Error::NotFound("agent"))
    }

    /// How many messages the agent's conversation has, from both sides.
    pub async fn message_count(self, id: &AgentId) -> Result<u64> {
        let (card, _) = self.card(id).await?;
        Ok(card.message_count)
    }

    /// The agent in short, and the newest entry that this knows.
    pub(crate) async fn card(self, id: &AgentId) -> Result<(AgentCard, u64)> {
        let (store, now) = (self.scoped.hub.store().read(), self.scoped.hub.now());
        rows::card(store, self.scoped.owner(), id, now).await?.ok_or(Error::NotFound("agent"))
    }

    /// Makes an agent with an empty conversation.
    pub async fn create(self, draft: AgentDraft) -> Result<AgentView> {
        self.require_counted_thoughts(&draft).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        let place = self.insert_agent(&mut tx, draft, InstructionsAuthor::Person).await?;
        tx.commit().await?;
        self.tell_pages();
        self.get(&place.agent).await
    }

    /// Which agents there are, or what they are called, is other than it was: for whoever changed that, once it is
    /// committed.
    pub(crate) fn tell_pages(self) {
        self.scoped.hub.live().changed_beside_agents(&self.scoped.viewer.me.id);
    }

    /// The same as [`Self::create`] inside a transaction that gives the agent more than its definition.
    pub(crate) async fn insert_agent(
        self,
        tx: &mut Transaction,
        draft: AgentDraft,
        author: InstructionsAuthor,
    ) -> Result<EntryScope> {
        self.insert(tx, &draft::check(draft)?, author).await
    }

    /// A second agent with the definition of this one.
    pub(crate) async fn insert_copy(
        self,
        tx: &mut Transaction,
        original: AgentView,
    ) -> Result<(EntryScope, String)> {
        let checked = draft::copy_of(original);
        let place = self.insert(tx, &checked, InstructionsAuthor::Copy).await?;
        Ok((place, checked.name))
    }

    /// A run that is under way goes on with the definition that it started with.
    pub async fn edit(self, id: &AgentId, draft: AgentDraft) -> Result<AgentView> {
        self.require_counted_thoughts(&draft).await?;
        let checked = draft::check(draft)?;
        if self.get(id).await?.instructions != checked.instructions {
            self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        }
        let mut tx = self.scoped.hub.store().write().await?;
        self.require_providers(&mut tx, &checked).await?;
        let now = self.scoped.hub.now();
        lock(&mut tx, id).await?;
        // Another provider has other models.
        query(
            "UPDATE conversations SET model = '' WHERE agent_id = $1 AND EXISTS (
                 SELECT 1 FROM agents a WHERE a.id = $1 AND a.user_id = $2
                 AND COALESCE(a.provider_id, '') <> COALESCE($3, ''))",
            (id, self.scoped.owner(), &checked.provider),
        )
        .execute(&mut *tx)
        .await?;
        if !rows::update(&mut tx, self.scoped.owner(), id, &checked, now).await? {
            return Err(Error::NotFound("agent"));
        }
        let written = Written::now(InstructionsAuthor::Person, now);
        instructions::keep(&mut tx, id, &checked.instructions, written).await?;
        tx.commit().await?;
        self.scoped.hub.live().changed_beside_the_log(id);
        self.tell_pages();
        self.scoped.hub.running().arm_ambient_run(self.scoped.hub, id).await?;
        self.get(id).await
    }

    /// Lets it stand before the others, or no longer.
    pub async fn pin(self, id: &AgentId, pinned: bool) -> Result<()> {
        self.scoped.require_agent(id).await?;
        let at = pinned.then(|| self.scoped.hub.now());
        let mut tx = self.scoped.hub.store().write().await?;
        query("UPDATE agents SET pinned_at = $2 WHERE id = $1", (id, at)).execute(&mut *tx).await?;
        tx.commit().await?;
        self.scoped.hub.live().changed_beside_the_log(id);
        Ok(())
    }

    /// Fails for a program with a limit if the agent is to think by itself.
    async fn require_counted_thoughts(self, draft: &AgentDraft) -> Result<()> {
        match draft.loop_settings.ambient_after_minutes {
            Some(_) => self.scoped.require_counted().await,
            None => Ok(()),
        }
    }

    /// Deletes the agent with everything it said, drew and kept. Its run is stopped first.
    pub async fn delete(self, id: &AgentId) -> Result<()> {
        let name = self.get(id).await?.name;
        self.scoped.hub.accounts().end_shares(SharesOf::Agent(id), self.scoped.viewer).await?;
        self.scoped.hub.running().stop(self.scoped.hub, id).await?;
        let sub_agents = sub_agents::below(self.scoped.hub.store(), id).await?;
        for sub_agent in &sub_agents {
            self.scoped.hub.running().stop(self.scoped.hub, sub_agent).await?;
        }
        let mut tx = self.scoped.hub.store().write().await?;
        let unwanted_by = leave_unwanted(&mut tx, self.scoped.owner(), Some(id)).await?;
        let deleted = query("DELETE FROM agents WHERE id = $1 AND user_id = $2", (id, self.scoped.owner()))
            .execute(&mut *tx)
            .await?;
        if deleted == 0 {
            return Err(Error::NotFound("agent"));
        }
        let unanswered =
            end_shared_tasks(&mut tx, self.scoped.owner(), Some(id), self.scoped.hub.now()).await?;
        forget_agent_keys(&mut tx, self.scoped.owner(), id).await?;
        Vault::forget_purpose(&mut tx, self.scoped.owner(), &mailbox_purpose(id)).await?;
        web_secrets::forget(&mut tx, self.scoped.owner(), id).await?;
        forget_inputs(&mut tx, id).await?;
        for sub_agent in &sub_agents {
            forget_inputs(&mut tx, sub_agent).await?;
            query("DELETE FROM agents WHERE id = $1", (sub_agent,)).execute(&mut *tx).await?;
        }
        query("DELETE FROM agents WHERE root_id = $1", (id,)).execute(&mut *tx).await?;
        forget_unheard(&mut tx, &self.scoped.viewer.me.id).await?;
        attachments::sweep(&mut tx, self.scoped.owner(), self.scoped.hub.now()).await?;
        self.scoped
            .hub
            .audit()
            .note(&mut tx, AuditEvent::done(AuditAction::AgentDeleted, self.scoped.viewer).object(&name))
            .await?;
        tx.commit().await?;
        self.tell_pages();
        self.scoped.hub.running().shared_tasks_ended(self.scoped.hub, &unanswered).await?;
        self.scoped.hub.running().stop_unwanted_runs(self.scoped.hub, &unwanted_by).await?;
        self.scoped.hub.terminal_jobs().end_of(id);
        // A message that waited may have started another run in between.
        self.scoped.hub.running().stop(self.scoped.hub, id).await?;
        self.scoped.hub.running().arm_ambient_run(self.scoped.hub, id).await?;
        Ok(())
    }

    /// The tools that an agent of the viewer's can be given, one by one.
    pub async fn tools(self) -> Result<Vec<ToolView>> {
        let has_terminal = self.scoped.hub.terminal_allowance().is_for(self.scoped.viewer.me.role).await?;
        let view = |tool: &tools::Tool| ToolView {
            name: tool.name.to_owned(),
            summary: tool.summary.to_owned(),
            group: tool.group(),
            risk: tool.risk,
            usual: tool.is_usual(),
            sets: tools::sets_of(tool),
        };
        let offered =
            |tool: &&tools::Tool| !tool.is_of_the_web() && (has_terminal || tool.name != tools::TERMINAL);
        Ok(tools::all().iter().filter(offered).map(view).collect())
    }

    async fn insert(
        self,
        tx: &mut Transaction,
        checked: &Checked,
        author: InstructionsAuthor,
    ) -> Result<EntryScope> {
        self.require_providers(tx, checked).await?;
        if rows::count(tx, self.scoped.owner()).await? >= MAX_AGENTS_PER_PERSON {
            return Err(Error::Limit(format!("You have {MAX_AGENTS_PER_PERSON} agents. Delete one first.")));
        }
        let id = AgentId(new_id());
        let conversation = ConversationId(new_id());
        let now = self.scoped.hub.now();
        rows::insert(tx, self.scoped.owner(), &id, checked, &conversation, now).await?;
        instructions::keep(tx, &id, &checked.instructions, Written::now(author, now)).await?;
        Ok(EntryScope { agent: id, conversation: Some(conversation), run: None })
    }

    async fn require_providers(self, tx: &mut Transaction, checked: &Checked) -> Result<()> {
        self.require_provider(tx, checked.provider.as_ref()).await?;
        self.require_place_for_extra(checked).await?;
        self.require_provider(tx, checked.fallback.as_ref().map(|fallback| &fallback.provider)).await
    }

    /// Fails if there are fields for a provider that takes none.
    async fn require_place_for_extra(self, checked: &Checked) -> Result<()> {
        let (Some(provider), Some(_)) = (&checked.provider, &checked.loop_settings.sampling.extra) else {
            return Ok(());
        };
        let Some(usable) = self.scoped.hub.providers().usable(&self.scoped.viewer.me.id, provider).await?
        else {
            return Err(Error::NotFound("provider"));
        };
        let name = &usable.provider.name;
        if usable.lent.is_some() {
            return Err(Error::invalid(format!(
                "{name} is shared with you, and takes no extra fields: somebody else pays for what they do."
            )));
        }
        match Wire::of(usable.provider.kind) {
            Some(_) => Ok(()),
            None => Err(Error::invalid(format!("{name} is no server, and takes no extra fields."))),
        }
    }

    async fn require_provider(self, tx: &mut Transaction, provider: Option<&ProviderId>) -> Result<()> {
        let Some(provider) = provider else { return Ok(()) };
        let is_usable = query(
            "SELECT 1 FROM usable_providers WHERE provider_id = $1 AND user_id = $2",
            (provider, self.scoped.owner()),
        )
        .exists(&mut **tx)
        .await?;
        if is_usable { Ok(()) } else { Err(Error::NotFound("provider")) }
    }
}

/// Lets nobody else change what is the agent's before the commit. Whoever changes rows beside the agent's own takes
/// this first: two that take them the other way round wait for each other, and one is turned away.
pub(crate) async fn lock(tx: &mut Transaction, agent: &AgentId) -> Result<()> {
    query("UPDATE agents SET id = id WHERE id = $1", (agent,)).execute(&mut **tx).await?;
    Ok(())
}

/// The agent at the top: of a sub-agent the one whose files, tools, rules and money it has, else itself.
pub(crate) async fn root_of(tx: &mut Transaction, agent: &AgentId) -> Result<AgentId> {
    query("SELECT COALESCE(root_id, id) FROM agents WHERE id = $1", (agent,))
        .fetch_optional(&mut **tx)
        .await?
        .ok_or(Error::NotFound("agent"))
}

/// That an agent called something stays; with what is deleted with everything else that it said.
async fn forget_inputs(tx: &mut Transaction, agent: &AgentId) -> Result<()> {
    query("UPDATE tool_calls SET input = '', about = NULL WHERE agent_id = $1", (agent,))
        .execute(&mut **tx)
        .await?;
    Ok(())
}
