//! `tools.json`: the tools of the agent's own. Only this product has them, so the file is one that others pass over.

use crate::error::Result;
use crate::made_tools::{MAX_TOOLS_PER_AGENT, MadeTool, check};
use protocol::model::ToolSpec;
use protocol::view::{ToolAuthor, ToolReach};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(super) const FILE: &str = "tools.json";

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ArchivedTool {
    name: String,
    description: String,
    input_schema: Value,
    code: String,
    /// Those that only made tools for the page did not say so.
    reach: Option<ToolReach>,
}

/// Those that an agent can have here, and a sentence about each of the others.
pub(super) fn checked(archived: Vec<ArchivedTool>) -> (Vec<MadeTool>, Vec<String>) {
    let (mut tools, mut lost) = (Vec::new(), Vec::new());
    for ArchivedTool { name, description, input_schema, code, reach } in archived {
        let tool = MadeTool {
            spec: ToolSpec { name, description, input_schema, strict: false },
            code,
            // Whoever wrote it there, an agent or its person, is somebody else here.
            author: ToolAuthor::File,
            reach: reach.unwrap_or_else(ToolReach::page),
        };
        match check(&tool) {
            Ok(()) if tools.len() < MAX_TOOLS_PER_AGENT => tools.push(tool),
            Ok(()) => lost.push(format!(
                "It has the tool {}, which is left out: an agent has at most {MAX_TOOLS_PER_AGENT}.",
                tool.spec.name
            )),
            Err(error) => {
                lost.push(format!("It made the tool {}, which is left out: {error}", tool.spec.name))
            }
        }
    }
    (tools, lost)
}

pub(super) fn write(tools: &[MadeTool]) -> Result<Vec<u8>> {
    let archived = tools.iter().cloned().map(|MadeTool { spec, code, author: _, reach }| {
        let ToolSpec { name, description, input_schema, strict: _ } = spec;
        ArchivedTool { name, description, input_schema, code, reach: Some(reach) }
    });
    Ok(serde_json::to_vec_pretty(&archived.collect::<Vec<_>>())?)
}
