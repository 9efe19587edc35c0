//! A person with an agent, and what they say to it.

use crate::runs::agent;
use crate::world::{Endpoint, World};
use hub::{Hub, Scoped, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::log::EntryBody;
use protocol::view::{AgentView, SideCallSettings};
use protocol::{AgentId, ConversationId};
use serde_json::{Value, json};
use std::time::Duration;

pub const PATIENCE: Duration = Duration::from_secs(180);
/// A message of which the first words of the answer come at once, the others when the gate is opened.
pub const GATED: &str = r#"turns: [[{"text":"some words gate b","gate":"gate"}]]"#;

/// Between two looks: what is looked at has the processor meanwhile.
pub async fn a_moment() {
    tokio::time::sleep(Duration::from_millis(5)).await;
}

/// Waits until it is so.
pub async fn until(is_so: impl AsyncFn() -> bool) {
    let look = async {
        while !is_so().await {
            a_moment().await;
        }
    };
    tokio::time::timeout(PATIENCE, look).await.expect("it comes to be so");
}

/// Statements that are run while so many settings are saved.
pub async fn statements_while_saving(hub: &Hub, scoped: &Scoped<'_>, saved: u64) -> u64 {
    let before = hub.written().await.statements;
    for _ in 0..saved {
        scoped.side_calls().set(SideCallSettings { titles: false, memories: false }).await.unwrap();
    }
    hub.written().await.statements - before
}

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

/// Has the model make these calls, one after the other, and gives their results: whether they failed, and what
/// they say.
pub async fn calls(
    scoped: &Scoped<'_>,
    agent: &AgentId,
    conversation: &ConversationId,
    calls: &[(&str, Value)],
) -> Vec<(bool, String)> {
    let mut turns: Vec<Value> =
        calls.iter().map(|(tool, input)| json!([{ "tool": tool, "input": input }])).collect();
    turns.push(json!([{ "text": "Done." }]));
    let said = format!("turns: {}", Value::from(turns));
    let after = scoped.pages().latest(agent).await.unwrap().seq;
    scoped.runs().of_conversation(Some(conversation)).ask(agent, &said, None, PATIENCE).await.unwrap();
    let entries = scoped.conversations().entries(agent, after).await.unwrap();
    let results: Vec<(bool, String)> = entries
        .iter()
        .filter_map(|entry| match &entry.body {
            EntryBody::ToolFinished { result, .. } => Some((result.is_error, result.content.clone())),
            _ => None,
        })
        .collect();
    assert_eq!(results.len(), calls.len(), "{results:?}");
    results
}
