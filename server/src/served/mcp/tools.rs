//! Agents as tools.

use super::super::rpc::RpcError;
use super::Asker;
use hub::OfferedAgent;
use serde_json::{Value, json};

impl Asker {
    pub(super) async fn tools(&self) -> Result<Value, RpcError> {
        let agents = self.state.hub.program_runs(&self.program).agents().await?;
        let tools: Vec<Value> = agents.iter().map(tool).collect();
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
            "properties": { "answer": { "type": "string" }, "conversation": { "type": "string" } },
            "required": ["answer", "conversation"],
        },
        "annotations": { "title": name, "openWorldHint": true },
    })
}
