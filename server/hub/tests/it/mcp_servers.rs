//! MCP servers: those of others, as they come, and some that lie, and what an agent and its person get of them.

mod apps;
mod asked_back;
mod calls;
mod failures;
mod hostile;
mod lent;
mod mounted;
mod offers;
mod own_stream;
mod programs;
mod progress;
mod prompts;
mod resources;
mod sent_along;
mod sessions;
mod sign_in;
mod taken_up;
mod tasks;

use crate::talk::calls;
use crate::world::FakeMcp;
use hub::{OwnMcpServers, Scoped};
use protocol::view::{McpServerView, McpToolState};
use protocol::{AgentId, McpServerId};
use serde_json::{Value, json};
use std::time::Duration;

const TOKEN: &str = "mcp-token-canary";
/// After so long the hub asks once more which tools there are.
const STALE: Duration = Duration::from_secs(6 * 60);

pub fn water() -> Value {
    tool("water", "Waters the moss.")
}

fn tool(name: &str, description: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { "litres": { "type": "integer" } } });
    json!({ "name": name, "description": description, "inputSchema": schema })
}

/// Adds the server, and gives it to the agent.
pub async fn given(scoped: &Scoped<'_>, agent: &AgentId, name: &str, fake: &FakeMcp) -> McpServerView {
    let server = scoped.mcp_servers().add(name, &fake.url(), "", "").await.unwrap();
    scoped.mcp_servers().choose(agent, std::slice::from_ref(&server.id)).await.unwrap();
    server
}

/// Name, digest and state of each tool.
async fn read(servers: &OwnMcpServers<'_>, id: &McpServerId) -> Vec<(String, String, McpToolState)> {
    let tools = servers.read(id).await.unwrap().tools;
    tools.into_iter().map(|tool| (tool.name, tool.digest, tool.state)).collect()
}

/// Lets the model call it once, and waits for nothing.
async fn say(scoped: &Scoped<'_>, agent: &AgentId, tool: &str) {
    let turns = json!([[{ "tool": tool, "input": {} }], [{ "text": "Done." }]]);
    scoped.runs().send_message(agent, &format!("turns: {turns}"), None, None).await.unwrap();
}

/// What the agent is told when it calls it in a conversation of its own.
async fn called(scoped: &Scoped<'_>, agent: &AgentId, tool: &str, input: Value) -> Result<String, String> {
    let conversation = scoped.conversations().create(agent).await.unwrap().id;
    let (is_error, told) = calls(scoped, agent, &conversation, &[(tool, input)]).await.remove(0);
    if is_error { Err(told) } else { Ok(told) }
}
