//! The agent that conversations become those of: one that is there, or a new one with what new ones begin with.

use crate::AppError;
use crate::agents::{first_model, usual};
use hub::{ImportTarget, Scoped};
use protocol::AgentId;
use protocol::view::AgentDraft;

pub(super) async fn target(
    scoped: &Scoped<'_>,
    agent: String,
    name: String,
) -> Result<ImportTarget, AppError> {
    if !agent.is_empty() {
        return Ok(ImportTarget::Agent(AgentId(agent)));
    }
    let providers = scoped.providers().list().await?;
    let model = match usual::provider(&providers) {
        Some(provider) => first_model(scoped, provider).await,
        None => String::new(),
    };
    let draft = usual::draft(&providers, &scoped.agents().tools().await?);
    Ok(ImportTarget::New(Box::new(AgentDraft { name, model, ..draft })))
}
