//! What a run needs to know of its agent, and what the inspector shows of it.

use super::answering::Model;
use crate::Hub;
use crate::agents::{fallback_of, loop_settings_of};
use crate::error::{Error, Result};
use crate::providers::on_device_of;
use agent::providers::in_browser;
use agent::tools;
use protocol::hub::{OnDevice, RunSpec};
use protocol::view::{Fallback, Home, LoopSettings, Network, ProviderKind};
use protocol::{AgentId, ConversationId, ProviderId, ScheduleId, TokenId, UserId};
use sqlx::Row as _;

const MINUTE_MS: u64 = 60_000;

/// Fixed when a run starts.
pub(crate) struct Definition {
    pub(crate) owner: UserId,
    pub(crate) conversation: ConversationId,
    pub(crate) provider: Option<ProviderId>,
    /// Who answers when a local provider does not.
    pub(crate) reserve: Option<Model>,
    pub(crate) home: Home,
    pub(crate) spec: RunSpec,
    /// The token of the program that the run answers.
    pub(crate) asked_by: Option<TokenId>,
    /// The schedule whose words the run answers.
    pub(crate) scheduled_by: Option<ScheduleId>,
}

impl Hub {
    pub(crate) async fn definition(&self, agent: &AgentId) -> Result<Definition> {
        let row = sqlx::query(
            "SELECT a.user_id, a.name, a.instructions, a.provider_id, a.model, a.tools, a.max_output_tokens, a.home,
                    a.loop_settings, a.network, a.fallback_provider_id, a.fallback_model,
                    p.reach, p.name AS provider_name, p.kind AS provider_kind, p.base_url,
                    (SELECT c.id FROM conversations c WHERE c.agent_id = a.id ORDER BY c.created_at DESC LIMIT 1) AS conversation_id
             FROM agents a LEFT JOIN providers p ON p.id = a.provider_id AND p.user_id = a.user_id
             WHERE a.id = $1",
        )
        .bind(&agent.0)
        .fetch_optional(self.store.read())
        .await?
        .ok_or(Error::NotFound("agent"))?;
        let mut names: Vec<String> = serde_json::from_str(&row.try_get::<String, _>("tools")?)?;
        match serde_json::from_str(&row.try_get::<String, _>("network")?)? {
            Network::Off => {}
            Network::AllowList { .. } | Network::Public => names.push("fetch".to_owned()),
        }
        let on_device = on_device_of(&row)?;
        let model: String = match &on_device {
            // A browser has one, and does not say which.
            Some(OnDevice { kind: ProviderKind::InBrowser, .. }) => in_browser::MODEL.to_owned(),
            Some(_) | None => row.try_get("model")?,
        };
        let facts = self.facts.of(&model);
        let home: String = row.try_get("home")?;
        let mut tools = tools::specs(&names);
        tools.extend(self.made_tools(agent).await?.into_iter().map(|tool| tool.spec));
        let settings = loop_settings_of(&row)?;
        let LoopSettings {
            effort,
            rounds,
            hooks,
            mode,
            clear_after_minutes,
            ambient_after_minutes: _,
            repairs: _,
        } = settings;
        Ok(Definition {
            owner: UserId(row.try_get("user_id")?),
            conversation: ConversationId(row.try_get("conversation_id")?),
            provider: row.try_get::<Option<String>, _>("provider_id")?.map(ProviderId),
            reserve: fallback_of(&row)?
                .map(|Fallback { provider, model }| Model { provider: Some(provider), name: model }),
            home: if home == "browser" { Home::Browser } else { Home::Hub },
            spec: RunSpec {
                name: row.try_get("name")?,
                instructions: row.try_get("instructions")?,
                model,
                tools,
                deferred: Vec::new(),
                max_output_tokens: u32::try_from(row.try_get::<i64, _>("max_output_tokens")?).unwrap_or(4096),
                round_limit: rounds,
                context_tokens: facts.context,
                native_tools: facts.native_tools,
                effort,
                clear_after_ms: clear_after_minutes.map(|minutes| u64::from(minutes) * MINUTE_MS),
                on_device,
                hooks,
                mode,
            },
            asked_by: None,
            scheduled_by: None,
        })
    }
}
