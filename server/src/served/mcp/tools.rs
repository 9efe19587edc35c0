//! Agents as tools.

use super::super::rpc::RpcError;
use super::{Asker, pages, says};
use hub::OfferedAgent;
use serde_json::{Value, json};

impl Asker {
    pub(super) async fn tools(&self) -> Result<Value, RpcError> {
        let agents = self.state.hub.program_runs(&self.program).agents().await?;
        let mut tools: Vec<Value> = agents.iter().map(tool).collect();
        if self.shows_pages() {
            for tool in &mut tools {
                tool["_meta"] = pages::meta();
            }
            tools.push(pages::tool());
            tools.extend(says::tools());
        }
        Ok(json!({ "tools": tools }))
    }
}

fn tool(agent: &OfferedAgent) -> Value {
    let OfferedAgent { id: _, name, purpose } = agent;
    json!({
        "name": agent.slug(),
        "title": name,
        "description": format!("Asks {name}, an agent with tools, files and a memory of its own, and waits for its answer. {purpose}").trim_end(),
        "inputSchema": {
            "type": "object",
            "properties": {
                "message": { "type": "string", "description": "What to say. It knows nothing else of what you know." },
                "conversation": {
                    "type": "string",
                    "description": "The conversation to go on with, as an earlier answer names it. Without it a new one begins.",
                },
            },
            "required": ["message"],
            "additionalProperties": false,
        },
        "outputSchema": {
            "type": "object",
            "properties": {
                "answer": { "type": "string" },
                "conversation": { "type": "string" },
                "agent": { "type": "string", "description": "The tool that was called." },
            },
            "required": ["answer", "conversation", "agent"],
        },
        "annotations": { "title": name, "openWorldHint": true },
    })
}
