//! The server function of the context inspector.

use crate::AppError;
use crate::prelude::*;
use crate::transport::Queried;
use protocol::AgentId;
use protocol::view::ContextView;

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// Of this conversation the next request of the run under way, or else the last one that was sent. An empty one is
/// the one that was used last.
#[server(prefix = "/api", endpoint = "agents/context", protocol = Queried)]
pub async fn get_context(
    id: AgentId,
    #[server(default)] conversation: String,
) -> Result<ContextView, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let conversation = crate::context::conversation_named(conversation);
    let runs = hub.for_viewer(&viewer).runs().of_conversation(conversation.as_ref());
    Ok(runs.context_of(&id).await?)
}
