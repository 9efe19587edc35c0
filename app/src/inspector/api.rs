//! The server function of the context inspector.

use crate::AppError;
use leptos::prelude::*;
use leptos::server_fn::codec::GetUrl;
use protocol::AgentId;
use protocol::view::ContextView;

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// The next request of the run under way, or else the last one that was sent.
#[server(prefix = "/api", endpoint = "agents/context", input = GetUrl)]
pub async fn get_context(id: AgentId) -> Result<ContextView, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).context_of(&id).await?)
}
