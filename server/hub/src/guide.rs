//! The guide: a provider that is a script and says so. It shows a newcomer how an agent lives,
//! before any model is connected.

mod play;
mod script;

pub(crate) use play::{PACE, stream};

use crate::access::Scoped;
use crate::error::Result;
use protocol::view::{AgentDraft, Home, LoopSettings};
use protocol::{AgentId, ProviderId};
use sqlx::Row;

const TOOLS: [&str; 6] = ["dom", "runjs", "state", "storage", "capabilities", "datetime"];

impl Scoped<'_> {
    /// Makes the guide's agent and greets it. Who has one already gets that one.
    pub async fn start_guide(&self) -> Result<AgentId> {
        let provider = self.guide_provider().await?;
        if let Some(fern) = self.oldest_agent_of(&provider).await? {
            return Ok(fern);
        }
        let fern = self
            .create_agent(AgentDraft {
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
        self.send_message(&fern.id, "Hello", None, None).await?;
        Ok(fern.id)
    }

    async fn oldest_agent_of(&self, provider: &ProviderId) -> Result<Option<AgentId>> {
        let row = sqlx::query(
            "SELECT id FROM agents WHERE user_id = $1 AND provider_id = $2 ORDER BY created_at, id LIMIT 1",
        )
        .bind(self.owner())
        .bind(&provider.0)
        .fetch_optional(self.hub.store.read())
        .await?;
        Ok(row.map(|row| row.try_get("id")).transpose()?.map(AgentId))
    }
}
