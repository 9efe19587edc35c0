//! `skins`: pages put aside under a name, and brought back.

use super::ToolError;
use super::files::author;
use crate::gateway::Caller;
use agent::tools::ResolvedCall;
use serde_json::{Value, json};

pub(super) async fn perform(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let (hub, agent) = (caller.hub, caller.agent);
    let text = |field| call.input().get(field).and_then(Value::as_str).unwrap_or_default();
    let name = text("name");
    let author = author(caller, call);
    match text("action") {
        "list" => {
            let names: Vec<_> = hub.skins().saved(agent).await?.into_iter().map(|skin| skin.name).collect();
            Ok(json!({ "skins": names }).to_string())
        }
        "save" => {
            hub.skins().save(agent, name, &author).await?;
            Ok(json!({ "ok": true }).to_string())
        }
        "load" => {
            let version = hub.skins().load(caller.owner, &caller.place(), name).await?;
            Ok(json!({ "ok": true, "version": version }).to_string())
        }
        "delete" => {
            hub.skins().delete(agent, name, &author).await?;
            Ok(json!({ "ok": true }).to_string())
        }
        action => Err(ToolError(format!("skins has no action {action}."))),
    }
}
