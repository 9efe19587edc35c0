//! The server function of search.

use crate::AppError;
use crate::prelude::*;
use crate::transport::Queried;
use protocol::view::SearchResults;

#[cfg(feature = "ssr")]
use crate::context::{conversation_named, hub, viewer};
#[cfg(feature = "ssr")]
use protocol::AgentId;
#[cfg(feature = "ssr")]
use protocol::view::SearchQuery;

/// Messages and answers that have all of these words, or words that begin with them, newest first: 20 at a time,
/// `page` counted from 0. An empty `agent` or `conversation` is any.
#[server(prefix = "/api", endpoint = "search/find", protocol = Queried)]
pub async fn find(
    text: String,
    #[server(default)] agent: String,
    #[server(default)] conversation: String,
    #[server(default)] page: u32,
) -> Result<SearchResults, AppError> {
    let viewer = viewer()?;
    let agent = (!agent.is_empty()).then_some(AgentId(agent));
    let wanted = SearchQuery { text, agent, conversation: conversation_named(conversation), page };
    Ok(hub().for_viewer(&viewer).search().find(&wanted).await?)
}
