//! What an agent is to be. A test says what is particular about its own; the rest is as usual.

use super::Endpoint;
use hub::Scoped;
use protocol::agent::{Home, ProviderKind};
use protocol::view::{AgentDraft, AgentView, LoopSettings};
use protocol::{AgentId, ProviderId};

/// By itself: at home in the hub, without a model and without tools.
#[derive(Clone)]
pub struct Definition(AgentDraft);

impl Definition {
    pub fn named(name: &str) -> Self {
        Self(AgentDraft { name: name.to_owned(), colour: "#3a7d44".to_owned(), ..AgentDraft::default() })
    }

    /// Ada, on a model of this provider.
    pub fn on(provider: &ProviderId, model: &str) -> Self {
        Self::named("Ada").model(provider, model)
    }

    /// Name, colour and model of an agent that there is, and nothing else of it.
    pub fn like(agent: &AgentView) -> Self {
        let provider = agent.provider.clone().map(|id| id.0).unwrap_or_default();
        let (name, colour, model) = (agent.name.clone(), agent.colour.clone(), agent.model.clone());
        Self(AgentDraft { name, colour, provider, model, ..AgentDraft::default() })
    }

    pub fn model(self, provider: &ProviderId, model: &str) -> Self {
        Self(AgentDraft { provider: provider.0.clone(), model: model.to_owned(), ..self.0 })
    }

    pub fn tools<T: Into<String>>(self, tools: impl IntoIterator<Item = T>) -> Self {
        Self(AgentDraft { tools: tools.into_iter().map(Into::into).collect(), ..self.0 })
    }

    pub fn output(self, most_tokens: u32) -> Self {
        Self(AgentDraft { max_output_tokens: most_tokens, ..self.0 })
    }

    pub fn home(self, home: Home) -> Self {
        Self(AgentDraft { home, ..self.0 })
    }

    pub fn settings(self, loop_settings: LoopSettings) -> Self {
        Self(AgentDraft { loop_settings, ..self.0 })
    }

    pub fn draft(self) -> AgentDraft {
        self.0
    }

    pub async fn create(self, scoped: &Scoped<'_>) -> AgentView {
        scoped.agents().create(self.0).await.expect("an agent can be like this")
    }

    /// Makes this of an agent that there is.
    pub async fn replace(self, scoped: &Scoped<'_>, agent: &AgentId) -> AgentView {
        scoped.agents().edit(agent, self.0).await.expect("an agent can become this")
    }
}

impl Endpoint {
    /// Adds it to somebody's providers, with a key that it accepts.
    pub async fn provider(&self, scoped: &Scoped<'_>, kind: ProviderKind) -> ProviderId {
        let saved = scoped.providers().save(None, "Test", kind, Some(&self.url), Some("key-good")).await;
        saved.expect("providers on this machine are let in").id
    }
}
