//! What the page of an agent shows at first. What comes later arrives as entries.

use crate::access::Scoped;
use crate::conversations::Window;
use crate::error::Result;
use crate::log::Lineage;
use crate::permissions::permissions_of;
use agent::context::room;
use agent::providers::Wire;
use protocol::view::{AgentPage, ProviderReach, ProviderView};
use protocol::{AgentId, ConversationId};

/// The pages of the viewer's agents.
#[derive(Clone, Copy, Debug)]
pub struct Pages<'a> {
    scoped: Scoped<'a>,
    /// Absent: the one of the agent that was used last.
    conversation: Option<&'a ConversationId>,
}

impl<'a> Scoped<'a> {
    pub fn pages(&self) -> Pages<'a> {
        Pages { scoped: *self, conversation: None }
    }
}

impl<'a> Pages<'a> {
    /// With this conversation, or without one with that which was used last.
    pub fn of_conversation(self, conversation: Option<&'a ConversationId>) -> Self {
        Self { conversation, ..self }
    }

    /// The agent with the end of the conversation.
    pub async fn latest(self, id: &AgentId) -> Result<AgentPage> {
        self.page(id, None).await
    }

    /// The agent with what stands before this entry of the conversation.
    pub async fn before(self, id: &AgentId, entry: u64) -> Result<AgentPage> {
        self.page(id, Some(entry)).await
    }

    async fn page(self, id: &AgentId, before: Option<u64>) -> Result<AgentPage> {
        let store = self.scoped.hub.store();
        let agent = self.scoped.agents().get(id).await?;
        let shown = self.scoped.conversations().meant(id, self.conversation).await?;
        let (card, seq) = self.scoped.agents().card(id).await?;
        let provider = match &agent.provider {
            Some(provider) => self.scoped.hub.providers().usable(&self.scoped.viewer.me.id, provider).await?,
            None => None,
        };
        let provider = provider.map(|usable| usable.provider);
        let calls = provider.as_ref().filter(|provider| is_called_here(provider));
        let wire = calls.and_then(|provider| Some((Wire::of(provider.kind)?, provider.base_url.as_deref())));
        // Later entries arrive over the socket, which is asked for those after `seq`.
        let end = before.unwrap_or(u64::MAX).min(seq + 1);
        let lineage = Lineage::of(store.read(), &shown).await?;
        let mut window = Window::before(store, &lineage, end).await?;
        if before.is_none() {
            window.know_of_before(store, id, &lineage, self.scoped.hub.now()).await?;
        }
        let Window { entries, earlier, cut } = window;
        let elsewhere = match self.scoped.hub.runs().conversation_at_work(id) {
            Some(other) if other != shown => Some(self.scoped.conversations().get(&other).await?),
            Some(_) | None => None,
        };
        let room = room(&self.scoped.hub.runs().definition_in(id, Some(&shown)).await?.spec);
        Ok(AgentPage {
            card,
            provider_name: provider.as_ref().map(|provider| provider.name.clone()),
            takes_pdf: wire.is_some_and(|(wire, base_url)| wire.takes_pdf(base_url)),
            provider_kind: provider.as_ref().map(|provider| provider.kind),
            provider_reach: provider.as_ref().map(|provider| provider.reach),
            agent,
            conversation: self.scoped.conversations().get(&shown).await?,
            elsewhere,
            room,
            entries,
            earlier,
            cut,
            permissions: permissions_of(store, id).await?,
            seq,
            branches: self.scoped.conversations().branch_points(&lineage).await?,
            ratings: self.scoped.conversations().ratings_in(&lineage).await?,
            speech: self.scoped.speech().here().await?,
        })
    }
}

fn is_called_here(provider: &ProviderView) -> bool {
    provider.reach == ProviderReach::Hub
}
