//! What a conversation holds: words of strangers, and what is its person's alone. Where both are, a
//! call that could carry the one out because the other said so needs the person. Read off the log and
//! nothing else, so that it is the same wherever the loop runs, after a crash, and after compaction.

use crate::tools::access::Resource;
use crate::tools::{self, Tool, access};
use protocol::log::{Entry, EntryBody, Sender};
use protocol::model::{ToolCall, ToolResult};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

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
    let mut calls: BTreeMap<(&str, u32, &str), Open> = BTreeMap::new();
    let mut marks = Marks::NONE;
    // Keys of the state whose value neither the person nor the agent wrote.
    let mut foreign: BTreeSet<&str> = BTreeSet::new();
    for entry in entries {
        let run = entry.run.as_ref().map_or("", |run| run.0.as_str());
        match &entry.body {
            EntryBody::Message { from, .. } => marks = marks.and(said_by(from)),
            EntryBody::Imported { .. } => marks.untrusted = true,
            EntryBody::ToolStarted { turn, call } => {
                let mut open = Open::of(call);
                open.read_foreign = foreign.iter().any(|key| open.reads(key));
                calls.insert((run, *turn, &call.id.0), open);
            }
            EntryBody::ToolFinished { turn, result, denied, .. } => {
                let ended = calls.remove(&(run, *turn, result.call.0.as_str()));
                if let Some(call) = ended.filter(|_| !denied) {
                    marks = marks.and(brought_by(call.call));
                    marks.untrusted |= call.read_foreign;
                }
            }
            EntryBody::State { key, value } => {
                // What no run wrote came from the page, or along with a copy.
                let of_run = |(whose, _, _): &(&str, u32, &str)| entry.run.is_some() && *whose == run;
                let is_own = calls.iter().any(|(name, call)| of_run(name) && call.writes(key));
                if value.is_null() || (is_own && !marks.untrusted) {
                    foreign.remove(key.as_str());
                } else if !is_own {
                    foreign.insert(key);
                    calls.values_mut().for_each(|call| call.read_foreign |= call.reads(key));
                }
            }
            EntryBody::RunStarted { .. }
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
            | EntryBody::ToolCreated { .. }
            | EntryBody::ToolDeleted { .. }
            | EntryBody::Permission { .. }
            | EntryBody::DeviceWait { .. }
            | EntryBody::ApprovalAsked { .. }
            | EntryBody::ApprovalSettled { .. }
            | EntryBody::PageErrors { .. } => {}
        }
    }
    marks
}

/// A call under way, in the words of its tool. Of a tool that an agent made nothing is declared.
struct Open<'a> {
    call: &'a ToolCall,
    declared: Option<(&'static Tool, Value)>,
    /// Whether it may have read state that a stranger's words stood in.
    read_foreign: bool,
}

impl<'a> Open<'a> {
    fn of(call: &'a ToolCall) -> Self {
        Self { call, declared: tools::resolve(&call.name, &call.input), read_foreign: false }
    }

    /// Whether it reads this key of the state.
    fn reads(&self, key: &str) -> bool {
        let declared = self.declared.as_ref();
        declared.is_some_and(|(tool, input)| access::reads(tool, input, Resource::State, Some(key)))
    }

    /// Whether it is about this key of the state, and what it says is written there.
    fn writes(&self, key: &str) -> bool {
        let declared = self.declared.as_ref();
        declared.is_some_and(|(tool, input)| access::writes_part(tool, input, Resource::State, key))
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
        Sender::Person | Sender::Devices => Marks::NONE,
        Sender::PageNotify { .. }
        | Sender::PageAsk
        | Sender::PageEmit { .. }
        | Sender::PageErrors
        | Sender::Rule { .. } => Marks::BOTH,
    }
}

#[cfg(test)]
mod tests;
