//! What a conversation holds: words of strangers, and what is its person's alone. Where both are, a
//! call that could carry the one out because the other said so needs the person. Read off the log and
//! nothing else, so that it is the same wherever the loop runs, after a crash, and after compaction.

use crate::tools::access::Resource;
use crate::tools::{self, Tool, access};
use protocol::log::{Entry, EntryBody, Sender};
use protocol::model::{ToolCall, ToolResult};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// It holds words that neither the person nor the agent wrote.
    pub untrusted: bool,
    /// It holds what is not for others.
    pub private: bool,
}

impl Marks {
    const NONE: Self = Self { untrusted: false, private: false };
    const BOTH: Self = Self { untrusted: true, private: true };

    pub fn both(self) -> bool {
        self == Self::BOTH
    }

    fn and(self, other: Self) -> Self {
        Self { untrusted: self.untrusted || other.untrusted, private: self.private || other.private }
    }
}

/// What the conversation with these entries holds.
pub fn of(entries: &[Entry]) -> Marks {
    let mut calls: BTreeMap<(&str, u32, &str), &ToolCall> = BTreeMap::new();
    let mut marks = Marks::NONE;
    let mut page_wrote_state = false;
    for entry in entries {
        let run = entry.run.as_ref().map_or("", |run| run.0.as_str());
        match &entry.body {
            EntryBody::Message { from, .. } => marks = marks.and(said_by(from)),
            EntryBody::Imported { .. } => marks.untrusted = true,
            EntryBody::ToolStarted { turn, call } => {
                calls.insert((run, *turn, &call.id.0), call);
            }
            EntryBody::ToolFinished { turn, result, denied: false, .. } => {
                if let Some(call) = calls.remove(&(run, *turn, result.call.0.as_str())) {
                    marks = marks.and(brought_by(call));
                    marks.untrusted |= page_wrote_state && reads_state(call);
                }
            }
            // What no run wrote came from the page, or along with a copy.
            EntryBody::State { .. } if entry.run.is_none() => page_wrote_state = true,
            EntryBody::ToolFinished { denied: true, .. }
            | EntryBody::RunStarted { .. }
            | EntryBody::Moved { .. }
            | EntryBody::Block { .. }
            | EntryBody::TurnFinished { .. }
            | EntryBody::NotRun { .. }
            | EntryBody::Notice { .. }
            | EntryBody::Steered { .. }
            | EntryBody::Retrying { .. }
            | EntryBody::Digested { .. }
            | EntryBody::Clipped { .. }
            | EntryBody::Summary { .. }
            | EntryBody::Used { .. }
            | EntryBody::RunFinished { .. }
            | EntryBody::Skin { .. }
            | EntryBody::State { .. }
            | EntryBody::ToolCreated { .. }
            | EntryBody::ToolDeleted { .. }
            | EntryBody::Permission { .. }
            | EntryBody::DeviceWait { .. }
            | EntryBody::ApprovalAsked { .. }
            | EntryBody::ApprovalSettled { .. }
            | EntryBody::Schedule { .. }
            | EntryBody::PageErrors { .. } => {}
        }
    }
    marks
}

/// What the result of this call brings. Of a tool that an agent made everything is expected.
pub fn brought_by(call: &ToolCall) -> Marks {
    match tools::resolve(&call.name, &call.input) {
        Some((tool, input)) => Marks {
            untrusted: access::reads_foreign(tool, &input),
            private: access::reads_private(tool, &input),
        },
        None => Marks::BOTH,
    }
}

fn reads_state(call: &ToolCall) -> bool {
    tools::resolve(&call.name, &call.input)
        .is_some_and(|(tool, input)| access::reads(tool, &input, Resource::State, None))
}

/// Whether strangers may have written the result, as a model is to be told: what the web brought, what
/// stands in the page or comes of its scripts, and whatever a tool says that an agent made. Errors of
/// tools of ours are our own words.
pub(crate) fn is_foreign(call: &ToolCall, result: &ToolResult) -> bool {
    !result.is_error && brought_by(call).untrusted
}

/// Whether a call could carry words out.
pub fn is_way_out(tool: Option<&Tool>) -> bool {
    tool.is_some_and(Tool::is_of_the_web)
}

/// Whether nothing leaves with this request but an address that the person wrote: then it says nothing
/// that they did not say themselves.
pub fn was_written_by_the_person(input: &Value, entries: &[Entry]) -> bool {
    let Some(url) = input.get("url").and_then(Value::as_str) else {
        return false;
    };
    let is_bare = ["body", "headers"].iter().all(|part| input.get(part).is_none());
    let looks = input.get("method").and_then(Value::as_str).is_none_or(|method| method == "GET");
    is_bare
        && looks
        && entries.iter().any(|entry| match &entry.body {
            EntryBody::Message { from: Sender::Person, text } => {
                text.split_whitespace().any(|word| word == url)
            }
            _ => false,
        })
}

fn said_by(from: &Sender) -> Marks {
    match from {
        // What an agent tells itself by a schedule, its person agreed to.
        Sender::Person | Sender::Devices | Sender::Schedule { .. } => Marks::NONE,
        Sender::PageNotify { .. }
        | Sender::PageAsk
        | Sender::PageEmit { .. }
        | Sender::PageErrors
        | Sender::Rule { .. } => Marks::BOTH,
    }
}

#[cfg(test)]
mod tests;
