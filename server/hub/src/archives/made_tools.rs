//! `tools.json`: the tools of the agent's own. Only this product has them, so the file is one that others pass over.

use crate::error::Result;
use crate::made_tools::{MadeTool, check};
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
    author: ToolAuthor,
    /// Those that only made tools for the page did not say so.
    reach: Option<ToolReach>,
}

/// Those that an agent can have here, and a sentence about each of the others.
pub(super) fn checked(archived: Vec<ArchivedTool>) -> (Vec<MadeTool>, Vec<String>) {
    let (mut tools, mut lost) = (Vec::new(), Vec::new());
    for ArchivedTool { name, description, input_schema, code, author, reach } in archived {
        let tool = MadeTool {
            spec: ToolSpec { name, description, input_schema, strict: false },
            code,
            author: match author {
                ToolAuthor::Agent => ToolAuthor::Agent,
                // Who wrote it there is somebody else here.
                ToolAuthor::Person | ToolAuthor::File => ToolAuthor::File,
            },
            reach: reach.unwrap_or_else(ToolReach::page),
        };
        match check(&tool) {
            Ok(()) => tools.push(tool),
            Err(error) => {
                lost.push(format!("It made the tool {}, which is left out: {error}", tool.spec.name))
            }
        }
    }
    (tools, lost)
}

pub(super) fn write(tools: &[MadeTool]) -> Result<Vec<u8>> {
    let archived = tools.iter().cloned().map(|MadeTool { spec, code, author, reach }| {
        let ToolSpec { name, description, input_schema, strict: _ } = spec;
        ArchivedTool { name, description, input_schema, code, author, reach: Some(reach) }
    });
    Ok(serde_json::to_vec_pretty(&archived.collect::<Vec<_>>())?)
}
