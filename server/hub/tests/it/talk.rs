//! A person with an agent, and what they say to it.

use crate::runs::agent;
use crate::world::{Endpoint, World};
use hub::{Scoped, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::view::AgentView;
use protocol::{AgentId, ConversationId};
use std::time::Duration;

pub const PATIENCE: Duration = Duration::from_secs(30);
/// A message of which the first words of the answer come at once, the others when the gate is opened.
pub const GATED: &str = r#"turns: [[{"text":"some words gate b","gate":"gate"}]]"#;

pub async fn ada(world: &World, endpoint: &Endpoint) -> (Viewer, AgentView) {
    let viewer = world.person("ada").await;
    let agent = agent(world, &viewer, endpoint, ProviderKind::Anthropic, Home::Hub).await;
    (viewer, agent)
}

/// Says it, and waits for the answer.
pub async fn ask(scoped: &Scoped<'_>, agent: &AgentId, conversation: &ConversationId, text: &str) -> String {
    let runs = scoped.runs().of_conversation(Some(conversation));
    runs.ask(agent, text, None, PATIENCE).await.unwrap().text
}
