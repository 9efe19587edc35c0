//! A tool as a file: what it declares, and its code, as JSON.

use super::MadeTool;
use crate::error::{Error, Result};
use crate::nodes;
use protocol::model::ToolSpec;
use protocol::view::{ToolAuthor, ToolReach};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Bytes of a file: code, description and schema at their longest, with what JSON puts before some letters.
const FILE: usize = 256 * 1024;
/// Values in it, more than a schema has.
const VALUES: usize = 2_000;
/// How files of this form begin.
const FORM: u32 = 1;

/// A tool to be kept as a file.
#[derive(Debug)]
pub struct ToolFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Only what a tool declares counts: without a `reach` it reaches nothing.
#[derive(Deserialize, Serialize)]
struct Manifest {
    vivarium_tool: u32,
    name: String,
    description: String,
    input_schema: Value,
    #[serde(default)]
    reach: ToolReach,
    code: String,
}

pub(super) fn read(bytes: &[u8]) -> Result<MadeTool> {
    if bytes.len() > FILE {
        return Err(Error::Limit("The file of a tool has at most 256 KB.".to_owned()));
    }
    if nodes::count(bytes) > VALUES {
        return Err(Error::invalid("The file holds more values than that of a tool has."));
    }
    let manifest: Manifest = serde_json::from_slice(bytes)
        .map_err(|error| Error::invalid(format!("The file is not that of a tool: {error}")))?;
    let Manifest { vivarium_tool, name, description, input_schema, reach, code } = manifest;
    if vivarium_tool != FORM {
        return Err(Error::invalid("The file is of a later form than this hub reads."));
    }
    let spec = ToolSpec { name, description, input_schema, strict: false };
    Ok(MadeTool { spec, code, author: ToolAuthor::File, reach })
}

pub(super) fn write(tool: MadeTool) -> Result<ToolFile> {
    let MadeTool { spec, code, author: _, reach } = tool;
    let ToolSpec { name, description, input_schema, strict: _ } = spec;
    let manifest =
        Manifest { vivarium_tool: FORM, name: name.clone(), description, input_schema, reach, code };
    Ok(ToolFile { name: format!("{name}.tool.json"), bytes: serde_json::to_vec_pretty(&manifest)? })
}
