//! Files by path: read, found, changed, and handled as a whole. What an agent keeps is under `/agent`, what it
//! shares with others under `/workspace`, and what its person attached under `/uploads`, where nothing can be changed.
//! `/opfs` and `/local` are on the device that shows its page, `/mcp` with MCP servers.

mod address;
mod change;
mod chart;
mod composed;
mod convert;
mod device;
mod diagnostics;
mod document;
mod drawn;
mod edit;
mod ends;
mod find;
mod folder;
mod grep;
mod lines;
mod made;
mod manage;
mod mounted;
mod mounts;
mod pages;
mod patch;
mod pictures;
mod room;
mod server;
mod shown;
mod symbols;
mod tree;
mod unpack;
mod whole_patch;

pub(super) use change::write;
pub(super) use chart::chart;
pub(super) use convert::convert;
pub(super) use diagnostics::diagnostics;
pub(super) use document::document;
pub(super) use find::{glob, grep};
pub(super) use lines::read;
pub(super) use manage::perform;
pub(super) use room::{InRoom, fill};
pub(super) use symbols::symbols;
pub(super) use whole_patch::edit;

pub(super) use agent::tools::OWN_FILES;
pub(super) use mounts::{UPLOADS, folder_of};

use super::ToolError;
use crate::files::{Mount, Written, kind_of_content};
use crate::gateway::{Beginner, Caller};
use crate::terminal::TerminalError;
use agent::tools::ResolvedCall;
use protocol::CallId;
use protocol::files::FileAuthor;
use serde_json::Value;

/// Bytes of a result that are not cut on the way to a model, with room for what is around a text.
const ROOM: usize = agent::context::RESULT_CHARS - 1000;
/// Folders in which others' code lies.
const OF_OTHERS: [&str; 6] = [".git", ".venv", "__pycache__", "node_modules", "target", "vendor"];

fn text<'c>(call: &'c ResolvedCall, name: &str) -> &'c str {
    call.input().get(name).and_then(Value::as_str).unwrap_or_default()
}

fn flag(call: &ResolvedCall, name: &str) -> bool {
    call.input().get(name).and_then(Value::as_bool).unwrap_or_default()
}

fn number(call: &ResolvedCall, name: &str) -> Option<usize> {
    call.input().get(name).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok())
}

pub(super) fn author(caller: &Caller<'_>, call: &ResolvedCall) -> FileAuthor {
    FileAuthor::Agent {
        conversation: caller.conversation.clone(),
        agent: Some(caller.agent.clone()),
        call: Some(call.id().clone()),
        name: None,
    }
}

/// How what this call does in the mount is noted. What an agent that read strangers' words writes is marked where
/// others read it; its own files mark nobody but itself, and it is marked already.
pub(super) async fn written(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    mount: Mount,
) -> Result<Written, ToolError> {
    written_by(&caller.beginner(), call.id(), mount).await
}

/// The same for what a call began.
pub(super) async fn written_by(
    beginner: &Beginner,
    call: &CallId,
    mount: Mount,
) -> Result<Written, ToolError> {
    let untrusted = match mount {
        Mount::Agent => false,
        Mount::Workspace => beginner.has_read_strangers().await?,
    };
    let author = FileAuthor::Agent {
        conversation: beginner.conversation.clone(),
        agent: Some(beginner.agent.clone()),
        call: Some(call.clone()),
        name: None,
    };
    Ok(Written::by(author, beginner.hub.now()).made_of(untrusted))
}

/// Says in the answer whether strangers may have written what is in it.
pub(super) fn mark(answer: &mut Value, untrusted: bool) {
    if untrusted {
        answer["by"] = agent::tools::OTHERS.into();
    }
}

pub(super) fn not_run(error: TerminalError) -> ToolError {
    ToolError(format!("The command was not run: {error}."))
}

/// Says of what is no text what it is instead.
fn not_text(path: &str, bytes: &[u8]) -> ToolError {
    let what = match kind_of_content(bytes) {
        Some(kind) => format!("It is {kind}"),
        None => "It is binary, of no kind that is known here".to_owned(),
    };
    ToolError(format!("{path} is no text. {what}, with {} bytes.", bytes.len()))
}
