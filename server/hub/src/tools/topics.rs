//! The tools of topics.

use super::ToolError;
use crate::gateway::Caller;
use agent::tools::ResolvedCall;
use protocol::view::{TopicMessage, TopicView};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Input {
    #[serde(default)]
    topic: String,
    #[serde(default)]
    text: String,
    when: Option<String>,
}

pub(super) async fn publish(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let Input { topic, text, .. } = Input::deserialize(call.input())?;
    let published = caller.hub.topics().publish(caller, &topic, &text).await?;
    Ok(json!({ "topic": topic, "told": published.told }).to_string())
}

pub(super) async fn subscribe(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let Input { topic, when, .. } = Input::deserialize(call.input())?;
    let when = when.as_deref().map(str::trim).filter(|when| !when.is_empty());
    caller.hub.topics().subscribe(caller.owner, caller.agent, &topic, when).await?;
    Ok(json!({ "topic": topic, "subscribed": true }).to_string())
}

pub(super) async fn unsubscribe(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let Input { topic, .. } = Input::deserialize(call.input())?;
    let was_there = caller.hub.topics().unsubscribe(caller.owner, caller.agent, &topic).await?;
    Ok(json!({ "topic": topic, "subscribed": false, "was": was_there }).to_string())
}

pub(super) async fn list(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let Input { topic, .. } = Input::deserialize(call.input())?;
    let topics = caller.hub.topics().list(caller.owner).await?;
    if topic.trim().is_empty() {
        let named: Vec<Value> = topics.iter().map(briefly).collect();
        return Ok(json!({ "topics": named }).to_string());
    }
    let found = topics.iter().find(|one| one.name == topic.trim());
    let found = found
        .ok_or_else(|| ToolError(format!("Nothing is published under {topic}, and nobody hears it.")))?;
    let mut told = briefly(found);
    told["lately"] = found.messages.iter().map(message).collect();
    Ok(told.to_string())
}

fn briefly(topic: &TopicView) -> Value {
    let hears: Vec<&str> = topic.subscribers.iter().map(|one| one.name.as_str()).collect();
    json!({ "topic": topic.name, "hears": hears })
}

fn message(message: &TopicMessage) -> Value {
    let mut told = json!({ "from": message.name, "text": message.text, "at": message.at });
    if message.untrusted {
        told["by"] = json!("others");
    }
    told
}
