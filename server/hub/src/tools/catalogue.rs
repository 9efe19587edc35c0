//! The tools about tools, and the tools of an agent's own.

use super::{ToolError, skin};
use crate::gateway::Caller;
use crate::made_tools::MadeTool;
use agent::tools;
use agent::tools::ResolvedCall;
use protocol::model::ToolSpec;
use serde::Deserialize;
use serde_json::{Value, json};

const HITS: usize = 5;

#[derive(Deserialize)]
struct Making {
    #[serde(flatten)]
    spec: ToolSpec,
    code: String,
}

pub(super) async fn list(caller: &Caller<'_>) -> Result<String, ToolError> {
    let tools: Vec<_> = all(caller)
        .await?
        .into_iter()
        .map(|tool| {
            let line = tool.description.lines().next().unwrap_or_default().to_owned();
            json!({ "name": tool.name, "about": line })
        })
        .collect();
    Ok(json!({ "tools": tools }).to_string())
}

pub(super) async fn search(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let query = call.input()["query"].as_str().unwrap_or_default();
    let limit = call.input()["limit"].as_u64().and_then(|limit| usize::try_from(limit).ok()).unwrap_or(HITS);
    let all = all(caller).await?;
    let found = tools::search(&all, query, limit);
    Ok(json!({ "tools": found }).to_string())
}

pub(super) async fn make(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let Making { spec, code } = serde_json::from_value(call.input().clone())?;
    let name = spec.name.clone();
    let version =
        caller.hub.made_tools().make(caller.owner, &caller.place(), MadeTool::of_agent(spec, code)).await?;
    Ok(json!({ "ok": true, "name": name, "version": version }).to_string())
}

pub(super) async fn delete(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let name = call.input()["name"].as_str().unwrap_or_default();
    caller.hub.made_tools().delete_its_own(&caller.place(), name).await?;
    Ok(json!({ "ok": true }).to_string())
}

/// Runs a tool of the agent's own: its code is data until it is in the sealed page, or where there is nothing but what
/// it declared to reach.
pub(super) async fn run(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    tool: &MadeTool,
) -> Result<String, ToolError> {
    let code = format!("const input = {};\n{}", literal(call.input()), tool.code);
    if tool.reach.page {
        return skin::run(caller, call, code).await;
    }
    skin::run_apart(caller, code, &tool.reach).await
}

/// The input in JavaScript: the same as in JSON but for one name, which would set the prototype there, and the tool would
/// find below it what no schema was asked about.
fn literal(input: &Value) -> String {
    // A quotation mark right behind one of these begins a name, for those within texts have a backslash before them.
    input
        .to_string()
        .replace("{\"__proto__\":", "{[\"__proto__\"]:")
        .replace(",\"__proto__\":", ",[\"__proto__\"]:")
}

async fn all(caller: &Caller<'_>) -> Result<Vec<ToolSpec>, ToolError> {
    let made = caller.hub.made_tools().list(caller.root).await?;
    let mut all: Vec<ToolSpec> = caller.spec.given().cloned().collect();
    for tool in made {
        if !all.iter().any(|known| known.name == tool.spec.name) {
            all.push(tool.spec);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_in_an_input_sets_a_prototype() {
        for (input, expected) in [
            (json!({ "__proto__": { "a": 1 } }), r#"{["__proto__"]:{"a":1}}"#),
            (json!({ "A": [{ "__proto__": 2 }] }), r#"{"A":[{["__proto__"]:2}]}"#),
            (json!({ "A": 1, "__proto__": 2 }), r#"{"A":1,["__proto__"]:2}"#),
            (json!({ "a": "{\"__proto__\":1}" }), r#"{"a":"{\"__proto__\":1}"}"#),
            (json!({ "a,\"__proto__": "__proto__" }), r#"{"a,\"__proto__":"__proto__"}"#),
        ] {
            assert_eq!(literal(&input), expected);
        }
    }
}
