//! Files by path: read, found, changed, and handled as a whole. What an agent keeps is under `/agent`, what its
//! person attached under `/uploads`, where nothing can be changed.

mod change;
mod document;
mod edit;
mod find;
mod grep;
mod lines;
mod manage;
mod mounts;
mod pages;
mod room;
mod tree;

pub(super) use change::{edit, write};
pub(super) use document::document;
pub(super) use find::{glob, grep};
pub(super) use lines::read;
pub(super) use manage::perform;
pub(super) use room::in_room;

pub(super) use agent::tools::OWN_FILES;
pub(super) use mounts::UPLOADS;

use super::ToolError;
use crate::gateway::Caller;
use agent::tools::ResolvedCall;
use protocol::files::FileAuthor;
use serde_json::Value;

/// Bytes of a result that are not cut on the way to a model, with room for what is around a text.
const ROOM: usize = agent::context::RESULT_CHARS - 1000;

fn text<'c>(call: &'c ResolvedCall, name: &str) -> &'c str {
    call.input().get(name).and_then(Value::as_str).unwrap_or_default()
}

fn flag(call: &ResolvedCall, name: &str) -> bool {
    call.input().get(name).and_then(Value::as_bool).unwrap_or_default()
}

fn number(call: &ResolvedCall, name: &str) -> Option<usize> {
    call.input().get(name).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok())
}

pub(super) fn author(caller: &Caller<'_>) -> FileAuthor {
    FileAuthor::Agent { conversation: caller.conversation.clone() }
}

fn not_text(path: &str) -> ToolError {
    ToolError(format!("{path} is no text in UTF-8, so its lines cannot be read."))
}
