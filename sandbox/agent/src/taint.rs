//! What a conversation holds: words of strangers, and what is its person's alone. Where both are, a
//! call that could carry the one out because the other said so needs the person. Read off the log and
//! nothing else, so that it is the same wherever the loop runs, after a crash, and after compaction.

use crate::tools::access::Resource;
use crate::tools::{self, Tool, access};
use protocol::log::{Entry, EntryBody, Sender};
use protocol::model::{ToolCall, ToolResult};
use protocol::{CallId, RunId};
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

/// What the conversation holds whose entries it takes, oldest first. It keeps no words of them.
#[derive(Debug, Default)]
pub struct Marking {
    marks: Marks,
    /// What the calls that have no result yet will bring, and whether they read the state.
    calls: BTreeMap<(Option<RunId>, u32, CallId), (Marks, bool)>,
    page_wrote_state: bool,
}

impl Marking {
    pub fn marks(&self) -> Marks {
        self.marks
    }

    /// Somebody wrote state before what comes next, and no run did: the page, or whoever made the copy.
    pub fn page_wrote_state(&mut self) {
        self.page_wrote_state = true;
    }

    pub fn take(&mut self, entry: &Entry) {
        let marks = &mut self.marks;
        match &entry.body {
            EntryBody::Message { from, .. } => *marks = marks.and(said_by(from)),
            EntryBody::Imported { .. } => marks.untrusted = true,
            EntryBody::ToolStarted { turn, call } => {
                let key = (entry.run.clone(), *turn, call.id.clone());
                self.calls.insert(key, (brought_by(call), reads_state(call)));
            }
            EntryBody::ToolFinished { turn, result, denied: false, .. } => {
                let key = (entry.run.clone(), *turn, result.call.clone());
                if let Some((brought, reads_state)) = self.calls.remove(&key) {
                    *marks = marks.and(brought);
                    marks.untrusted |= self.page_wrote_state && reads_state;
                }
            }
            EntryBody::State { .. } if entry.run.is_none() => self.page_wrote_state = true,
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
            | EntryBody::PageErrors { .. } => {}
        }
    }
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

/// The address of a request with which nothing else leaves. Where the person wrote it, it says nothing
/// that they did not say themselves.
pub fn bare_address(input: &Value) -> Option<&str> {
    let is_bare = ["body", "headers"].iter().all(|part| input.get(part).is_none());
    let looks = input.get("method").and_then(Value::as_str).is_none_or(|method| method == "GET");
    input.get("url").and_then(Value::as_str).filter(|_| is_bare && looks)
}

/// Whether this is the person writing the address. What a program sends nobody read before.
pub fn writes_address(entry: &Entry, url: &str) -> bool {
    match &entry.body {
        EntryBody::Message { from: Sender::Person, text } => text.split_whitespace().any(|word| word == url),
        _ => false,
    }
}

fn said_by(from: &Sender) -> Marks {
    match from {
        Sender::Person | Sender::Program { relays: false, .. } | Sender::Devices => Marks::NONE,
        Sender::Program { relays: true, .. } => Marks { untrusted: true, private: false },
        Sender::PageNotify { .. }
        | Sender::PageAsk
        | Sender::PageEmit { .. }
        | Sender::PageErrors
        | Sender::Rule { .. } => Marks::BOTH,
    }
}

#[cfg(test)]
mod tests;
