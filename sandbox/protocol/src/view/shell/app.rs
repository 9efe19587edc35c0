//! Pages of tools of MCP servers.

use crate::AgentId;
use crate::view::McpApp;
use serde_json::Value;

/// What is shown, and of which call.
#[derive(Clone, Debug, PartialEq)]
pub struct AppStart {
    pub agent: AgentId,
    /// The tool as the agent calls it.
    pub tool: String,
    pub app: McpApp,
    pub input: Value,
}

/// What such a page wants that only its person can say yes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppWish {
    /// To have this opened beside the page.
    Link {
        host: String,
        /// As the browser reads it.
        url: String,
    },
    /// To say this to the agent.
    Say { text: String },
    /// To have this saved as a file of theirs.
    Save { name: String, bytes: Vec<u8> },
}
