//! `memory`: what an agent remembers of its person.

use super::ToolError;
use crate::gateway::Caller;
use crate::memories::{MemoryWords, Place, Scope};
use agent::tools::ResolvedCall;
use jiff::Timestamp;
use protocol::MemoryId;
use protocol::view::{Memory, MemoryKind};
use serde_json::{Value, json};

pub(super) async fn perform(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let text = |field| call.input().get(field).and_then(Value::as_str).unwrap_or_default();
    let memories = caller.hub.memories();
    match text("action") {
        "write" => write(caller, call.input()).await,
        "search" if text("text").is_empty() => Err(ToolError("search needs words in text.".to_owned())),
        action @ ("search" | "list") => {
            let found = memories.find(caller.owner, caller.agent, text("text")).await?;
            if let Some(run) = caller.run() {
                memories.note_found(caller.owner, run, &found, action == "search").await?;
            }
            Ok(json!({ "memories": told(&found) }).to_string())
        }
        "forget" if text("id").is_empty() => {
            Err(ToolError("forget needs the id of a memory, which search and list give.".to_owned()))
        }
        "forget" => {
            memories.forget(caller.owner, caller.agent, &MemoryId(text("id").to_owned())).await?;
            Ok(json!({ "ok": true }).to_string())
        }
        action => Err(ToolError(format!("memory has no action {action}."))),
    }
}

async fn write(caller: &Caller<'_>, input: &Value) -> Result<String, ToolError> {
    let kind: MemoryKind = match input.get("kind") {
        Some(kind) => serde_json::from_value(kind.clone())?,
        None => MemoryKind::default(),
    };
    let tags: Vec<String> = match input.get("tags") {
        Some(tags) => serde_json::from_value(tags.clone())?,
        None => Vec::new(),
    };
    let importance = input.get("importance").and_then(Value::as_u64).unwrap_or(3);
    let text = input.get("text").and_then(Value::as_str).unwrap_or_default();
    let words = MemoryWords::new(text, kind, &tags, u8::try_from(importance).unwrap_or(5))?;
    let scope = match input.get("scope").and_then(Value::as_str) {
        Some("agent") => Scope::Agent,
        Some("workspace") => Scope::Workspace,
        Some(_) | None => Scope::Person,
    };
    let at = Place { agent: caller.agent, conversation: caller.conversation, seq: None };
    let written = caller.hub.memories().write(caller.owner, at, scope, &words).await?;
    let mut answer = json!({ "ok": true, "id": written.id });
    if written.was_known {
        answer["note"] = "That was known already.".into();
    }
    if written.is_proposed {
        answer["waits"] = true.into();
        answer["note"] = "You have read words of strangers, so it waits for your person's yes on the page Memory. No agent is told of it before.".into();
    }
    if !written.close.is_empty() {
        answer["close_to"] = told(&written.close);
    }
    Ok(answer.to_string())
}

fn told(memories: &[Memory]) -> Value {
    let told = memories.iter().map(|memory| {
        let mut told = json!({ "id": memory.id, "text": memory.text, "on": day(memory.changed_at) });
        if !memory.tags.is_empty() {
            told["tags"] = json!(memory.tags);
        }
        if let Some(older) = &memory.against {
            told["may_disagree_with"] =
                json!({ "id": older.id, "text": older.text, "on": day(older.changed_at) });
        }
        told
    });
    told.collect()
}

fn day(at: i64) -> String {
    Timestamp::from_millisecond(at).unwrap_or_default().strftime("%Y-%m-%d").to_string()
}
