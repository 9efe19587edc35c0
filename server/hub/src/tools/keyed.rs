//! `state` and `storage`: keys and JSON values. State is shared with the agent's page and shows in
//! the log; storage is the agent's own.

use super::ToolError;
use crate::gateway::Caller;
use crate::state::Rule;
use agent::tools::ResolvedCall;
use serde_json::{Value, json};

/// The tools' input, whose schema has been checked.
struct Keyed<'a> {
    action: &'a str,
    key: &'a str,
    value: Value,
}

impl<'a> Keyed<'a> {
    fn of(call: &'a ResolvedCall) -> Self {
        let text = |name| call.input().get(name).and_then(Value::as_str).unwrap_or_default();
        Self {
            action: text("action"),
            key: text("key"),
            value: call.input().get("value").cloned().unwrap_or(Value::Null),
        }
    }

    fn require_key(&self) -> Result<(), ToolError> {
        if self.key.is_empty() {
            return Err(ToolError(format!("{} needs a key.", self.action)));
        }
        Ok(())
    }
}

pub(super) async fn state(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let asked = Keyed::of(call);
    match asked.action {
        "list" => {
            let all = caller.hub.states().read(caller.agent).await?;
            Ok(json!(caller.listed(call, all).await?).to_string())
        }
        "get" => {
            asked.require_key()?;
            let all = caller.hub.states().read(caller.agent).await?;
            Ok(all.get(asked.key).cloned().unwrap_or(Value::Null).to_string())
        }
        "set" | "delete" => {
            asked.require_key()?;
            let value = if asked.action == "set" { asked.value } else { Value::Null };
            caller.hub.states().write(&caller.place(), asked.key.to_owned(), value).await?;
            Ok(json!({ "ok": true }).to_string())
        }
        "escalate" => {
            asked.require_key()?;
            let text = |name| call.input().get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            let rule = Rule { key: asked.key.to_owned(), when: text("when"), message: text("message") };
            caller.hub.states().set_rule(caller.agent, &rule).await?;
            Ok(json!({ "ok": true }).to_string())
        }
        "clear_rule" => {
            asked.require_key()?;
            let cleared = caller.hub.states().clear_rule(caller.agent, asked.key).await?;
            Ok(json!({ "ok": true, "cleared": cleared }).to_string())
        }
        "rules" => Ok(json!({ "rules": caller.hub.states().rules(caller.agent).await? }).to_string()),
        action => Err(ToolError(format!("state has no action {action}."))),
    }
}

pub(super) async fn storage(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let asked = Keyed::of(call);
    let (hub, agent) = (caller.hub, caller.agent);
    match asked.action {
        "list" => {
            let all = hub.states().storage_list(agent).await?;
            Ok(json!(caller.listed(call, all).await?).to_string())
        }
        "get" => {
            asked.require_key()?;
            Ok(hub.states().storage_get(agent, asked.key).await?.unwrap_or(Value::Null).to_string())
        }
        "set" => {
            asked.require_key()?;
            hub.states().storage_set(agent, asked.key, &asked.value).await?;
            Ok(json!({ "ok": true }).to_string())
        }
        "delete" => {
            asked.require_key()?;
            hub.states().storage_delete(agent, asked.key).await?;
            Ok(json!({ "ok": true }).to_string())
        }
        action => Err(ToolError(format!("storage has no action {action}."))),
    }
}
