//! What a conversation holds: words of strangers, and what is its person's alone. Where both are, a
//! call that could carry the one out because the other said so needs the person. Read off the log and
//! nothing else, so that it is the same wherever the loop runs, after a crash, and after compaction.

use crate::context::search;
use crate::tools::access::Resource;
use crate::tools::{self, Tool, access};
use protocol::log::{Entry, EntryBody, Sender};
use protocol::model::{ToolCall, ToolResult};
use protocol::{CallId, RunId};
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

/// What the conversation holds whose entries it takes, oldest first, with what happened to its agent outside
/// of any: its page writing state. Of words it keeps those of calls under way.
#[derive(Debug, Default)]
pub struct Marking {
    marks: Marks,
    calls: BTreeMap<(Option<RunId>, u32, CallId), Open>,
    /// Keys of the state whose value neither the person nor the agent wrote.
    foreign: BTreeSet<String>,
}

impl Marking {
    pub fn marks(&self) -> Marks {
        self.marks
    }

    pub fn take(&mut self, entry: &Entry) {
        let marks = &mut self.marks;
        match &entry.body {
            EntryBody::Message { from, .. } => *marks = marks.and(said_by(from)),
            EntryBody::Imported { .. } => marks.untrusted = true,
            EntryBody::ToolStarted { turn, call } => {
                let open = Open::of(call, &self.foreign);
                self.calls.insert((entry.run.clone(), *turn, call.id.clone()), open);
            }
            EntryBody::ToolFinished { turn, result, denied, .. } => {
                let ended = self.calls.remove(&(entry.run.clone(), *turn, result.call.clone()));
                if let Some(call) = ended.filter(|_| !denied) {
                    *marks = marks.and(call.brings);
                    marks.untrusted |= call.read_foreign;
                }
            }
            EntryBody::State { key, value, superseded } => {
                // What no run wrote came from the page, or along with a copy.
                let is_own = entry.run.is_some()
                    && self.calls.iter().any(|((run, ..), call)| *run == entry.run && call.writes(key));
                let is_removed = value.is_null() && !superseded;
                if is_removed || (is_own && !marks.untrusted) {
                    self.foreign.remove(key);
                } else if !is_own {
                    self.foreign.insert(key.clone());
                    self.calls.values_mut().for_each(|call| call.read_foreign |= call.reads(key));
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
            | EntryBody::Schedule { .. }
            | EntryBody::PageErrors { .. } => {}
        }
    }
}

/// A call under way, in the words of its tool. Of a tool that an agent made nothing is declared.
#[derive(Debug)]
struct Open {
    brings: Marks,
    declared: Option<(&'static Tool, Value)>,
    /// Whether it may have read state that a stranger's words stood in.
    read_foreign: bool,
}

impl Open {
    fn of(call: &ToolCall, foreign: &BTreeSet<String>) -> Self {
        let declared = tools::resolve(&call.name, &call.input);
        let open = Self { brings: brought_by(call), declared, read_foreign: false };
        Self { read_foreign: foreign.iter().any(|key| open.reads(key)), ..open }
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
/// stands in the page or comes of its scripts, texts that it shares with the page, what was found of theirs in
/// the log, and whatever a tool says that an agent made. Errors are our own words, but for what a script threw:
/// that comes as an object.
pub(crate) fn is_foreign(call: &ToolCall, result: &ToolResult) -> bool {
    if result.is_error {
        return brought_by(call).untrusted && result.content.starts_with('{');
    }
    brought_by(call).untrusted || quotes(call, &result.content)
}

/// Whether words of strangers stand among the agent's own and its person's.
fn quotes(call: &ToolCall, content: &str) -> bool {
    let Some((tool, input)) = tools::resolve(&call.name, &call.input) else { return false };
    // Numbers say nothing to a model.
    access::reads(tool, &input, Resource::State, None) && content.contains('"')
        || access::reads(tool, &input, Resource::Log, None) && search::quotes_strangers(content)
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
        // What an agent tells itself by a schedule, its person agreed to.
        Sender::Person
        | Sender::Program { relays: false, .. }
        | Sender::Devices
        | Sender::Schedule { .. } => Marks::NONE,
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
