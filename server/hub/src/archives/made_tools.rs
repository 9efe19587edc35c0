//! `tools.json`: the tools that the agent made for itself. Only this product has them, so the file is one that
//! others pass over.

use crate::error::Result;
use crate::made_tools::{MadeTool, check};
use protocol::model::ToolSpec;
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
}

/// Those that an agent can have here, and a sentence about each of the others.
pub(super) fn checked(archived: Vec<ArchivedTool>) -> (Vec<MadeTool>, Vec<String>) {
    let (mut tools, mut lost) = (Vec::new(), Vec::new());
    for ArchivedTool { name, description, input_schema, code } in archived {
        let tool = MadeTool { spec: ToolSpec { name, description, input_schema, strict: false }, code };
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
    let archived = tools.iter().cloned().map(|MadeTool { spec, code }| {
        let ToolSpec { name, description, input_schema, strict: _ } = spec;
        ArchivedTool { name, description, input_schema, code }
    });
    Ok(serde_json::to_vec_pretty(&archived.collect::<Vec<_>>())?)
}
