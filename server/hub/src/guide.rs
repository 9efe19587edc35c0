//! The guide: an agent whose model is a script and says so (`models/scripted.rs`). It shows a newcomer how
//! an agent lives, before any model is connected.

use crate::access::Scoped;
use crate::error::Result;
use crate::store::query;
use protocol::agent::Home;
use protocol::view::{AgentDraft, LoopSettings};
use protocol::{AgentId, ProviderId};

/// The tour.
#[derive(Clone, Copy, Debug)]
pub struct Guide<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn guide(&self) -> Guide<'a> {
        Guide { scoped: *self }
    }
}

const TOOLS: [&str; 6] = ["dom", "runjs", "state", "storage", "capabilities", "datetime"];

impl Guide<'_> {
    /// Makes the guide's agent and greets it. Who has one already gets that one.
    pub async fn start(self) -> Result<AgentId> {
        let provider = self.scoped.providers().guide_provider().await?;
        if let Some(fern) = self.oldest_agent_of(&provider).await? {
            return Ok(fern);
        }
        let fern = self
            .scoped
            .agents()
            .create(AgentDraft {
                name: "Fern".to_owned(),
                colour: "#3d9a5d".to_owned(),
                instructions: "A scripted guide. It follows no instructions.".to_owned(),
                provider: provider.0,
                model: "guide".to_owned(),
                fallback_provider: String::new(),
                fallback_model: String::new(),
                tools: TOOLS.map(str::to_owned).to_vec(),
                max_output_tokens: 4096,
                home: Home::Hub,
                loop_settings: LoopSettings::default(),
            })
            .await?;
        self.scoped.runs().send_message(&fern.id, "Hello", None, None).await?;
        Ok(fern.id)
    }

    async fn oldest_agent_of(self, provider: &ProviderId) -> Result<Option<AgentId>> {
        query(
            "SELECT id FROM agents WHERE user_id = $1 AND provider_id = $2 ORDER BY created_at, id LIMIT 1",
            (self.scoped.owner(), provider),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await
    }
}
