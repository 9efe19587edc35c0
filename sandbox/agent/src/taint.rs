//! What a conversation holds: words of strangers, and what is its person's alone. Where both are, a
//! call that could carry the one out because the other said so needs the person. Read off the log and
//! nothing else, so that it is the same wherever the loop runs, after a crash, and after compaction.

use crate::context::{has_fence, outside_fences, search};
use crate::tools::access::Resource;
use crate::tools::{self, ResolvedCall, ToolId};
use protocol::log::{AgentEvent, CallEvent, Class, Entry, EntryBody, NoticeKind, Sender};
use protocol::model::{ToolCall, ToolResult};
use protocol::view::ToolGroup;
use protocol::{CallId, RunId};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// It holds words that neither the person nor the agent wrote.
    pub untrusted: bool,
    /// It holds what its person said.
    pub said: bool,
    /// It holds what else is not for others.
    pub private: bool,
}

/// What a call could carry out because strangers' words said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    Nothing,
    /// What the person said, and nothing that was read besides.
    Said,
    Private,
}

impl Marks {
    const NONE: Self = Self { untrusted: false, said: false, private: false };
    const SAID: Self = Self { said: true, ..Self::NONE };
    const BOTH: Self = Self { untrusted: true, private: true, ..Self::NONE };

    pub fn at_stake(self) -> Exposure {
        match self {
            Self { untrusted: false, .. } | Self { said: false, private: false, .. } => Exposure::Nothing,
            Self { private: true, .. } => Exposure::Private,
            Self { said: true, private: false, .. } => Exposure::Said,
        }
    }

    pub fn and(self, other: Self) -> Self {
        Self {
            untrusted: self.untrusted || other.untrusted,
            said: self.said || other.said,
            private: self.private || other.private,
        }
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
    /// Of an agent in whose prompts stood what is remembered of its person.
    pub fn beginning_with_memories() -> Self {
        Self { marks: Marks { private: true, ..Marks::NONE }, ..Self::default() }
    }

    pub fn marks(&self) -> Marks {
        self.marks
    }

    /// It holds words of strangers that are in no entry.
    pub fn mark_untrusted(&mut self) {
        self.marks.untrusted = true;
    }

    pub fn take(&mut self, entry: &Entry) {
        let marks = &mut self.marks;
        match entry.body.class() {
            // A person may hand on what others wrote: behind a fence in what they say, or as a file that came from there.
            Class::Said { from, text, attachments } => {
                *marks = marks.and(said_by(from));
                marks.untrusted |= has_fence(text) || attachments.iter().any(|file| file.server.is_some());
            }
            // What a provider's own search found, the model has read.
            Class::Agent(AgentEvent::Imported) | Class::HubNotice { kind: NoticeKind::Sources } => {
                marks.untrusted = true;
            }
            Class::Call(CallEvent::Started { turn, call }) => {
                let open = Open::of(call, &self.foreign);
                self.calls.insert((entry.run.clone(), turn, call.id.clone()), open);
            }
            Class::Call(CallEvent::Finished { turn, result, denied, .. }) => {
                let ended = self.calls.remove(&(entry.run.clone(), turn, result.call.clone()));
                if let Some(call) = ended.filter(|_| !denied) {
                    *marks = marks.and(call.brings);
                    marks.untrusted |= call.read_foreign || brings_others(&call.call, &result.content);
                }
            }
            Class::Agent(AgentEvent::State { key, value, superseded }) => {
                // What no run wrote came from the page, or along with a copy.
                let is_own = entry.run.is_some()
                    && self.calls.iter().any(|((run, ..), call)| *run == entry.run && call.writes(key));
                let is_removed = value.is_null() && !superseded;
                if is_removed || (is_own && !marks.untrusted) {
                    self.foreign.remove(key);
                } else if !is_own {
                    self.foreign.insert(key.to_owned());
                    self.calls.values_mut().for_each(|call| call.read_foreign |= call.reads(key));
                }
            }
            Class::Run(_)
            | Class::Reply(_)
            | Class::Call(
                CallEvent::DeviceWait { .. } | CallEvent::ApprovalAsked { .. } | CallEvent::ApprovalSettled,
            )
            | Class::Loop(_)
            | Class::Compaction(_)
            | Class::HubNotice { .. }
            | Class::Used { .. }
            | Class::Agent(
                AgentEvent::Skin { .. }
                | AgentEvent::ToolCreated
                | AgentEvent::ToolDeleted { .. }
                | AgentEvent::Permission
                | AgentEvent::PageErrors
                | AgentEvent::Schedule
                | AgentEvent::Todo,
            ) => {}
        }
    }
}

/// A call under way, in the words of its tool. Of a tool that an agent made nothing is declared.
#[derive(Debug)]
struct Open {
    brings: Marks,
    call: ResolvedCall,
    /// Whether it may have read state that a stranger's words stood in.
    read_foreign: bool,
}

impl Open {
    fn of(call: &ToolCall, foreign: &BTreeSet<String>) -> Self {
        let call = ResolvedCall::of(call.clone());
        let open = Self { brings: brought_by(&call), call, read_foreign: false };
        Self { read_foreign: foreign.iter().any(|key| open.reads(key)), ..open }
    }

    /// Whether it reads this key of the state.
    fn reads(&self, key: &str) -> bool {
        self.call.reads(Resource::State, Some(key))
    }

    /// Whether it is about this key of the state, and what it says is written there.
    fn writes(&self, key: &str) -> bool {
        self.call.writes_part(Resource::State, key)
    }
}

/// What the result of this call brings. Of a tool that an agent made everything is expected.
fn brought_by(call: &ResolvedCall) -> Marks {
    if call.tool().is_none() {
        return Marks::BOTH;
    }
    let private = call.reads_private() || hears_agents(call) || is_let_in(call);
    Marks { untrusted: call.reads_foreign(), private, ..Marks::NONE }
}

/// Whether strangers may have written the result, as a model is to be told: what the web brought, what
/// stands in the page or comes of its scripts, texts that it shares with the page, what was found of theirs in
/// the log, skills that its person does not stand by, and whatever a tool says that an agent made. Errors are our own words, but for what a script threw:
/// that comes as an object.
pub(crate) fn is_foreign(call: &ToolCall, result: &ToolResult) -> bool {
    let call = &ResolvedCall::of(call.clone());
    if result.is_error {
        return brought_by(call).untrusted && result.content.starts_with('{');
    }
    brought_by(call).untrusted || quotes(call, &result.content)
}

/// Whether words of strangers stand among the agent's own and its person's.
fn quotes(call: &ResolvedCall, content: &str) -> bool {
    // Numbers say nothing to a model.
    call.reads(Resource::State, None) && content.contains('"')
        || call.reads(Resource::Log, None) && search::quotes_strangers(content)
        || brings_others(call, content)
}

/// Whether a skill that its person does not stand by is in the result, or words of an agent that had read
/// strangers': what it said, or wrote into a file that several share.
fn brings_others(call: &ResolvedCall, content: &str) -> bool {
    let may = call.reads(Resource::Skills, None) || call.touches(Resource::Files) || hears_agents(call);
    may && tools::quotes_strangers(content)
}

/// Whether a server lets it in as its person: what it brings may be theirs alone.
fn is_let_in(call: &ResolvedCall) -> bool {
    call.tool().is_some_and(|tool| tool.id == ToolId::Fetch) && tools::sends_secret(call.input())
}

/// Whether other agents may have said what is in the result.
fn hears_agents(call: &ResolvedCall) -> bool {
    call.tool().is_some_and(|tool| tool.group() == ToolGroup::Agents)
}

/// Whether the request is made to look at something: what it brings there stands in its address and headers.
pub fn only_looks(input: &Value) -> bool {
    input.get("body").is_none()
        && input.get("method").and_then(Value::as_str).is_none_or(|method| ["GET", "HEAD"].contains(&method))
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
        EntryBody::Message { from: Sender::Person, text, .. } => {
            outside_fences(text).split_whitespace().any(|word| word == url)
        }
        _ => false,
    }
}

/// The words in which the person may name where the agent is to look.
pub fn said_to_the_agent(entry: &Entry) -> Option<Cow<'_, str>> {
    match &entry.body {
        // What an agent tells itself by a schedule, its person agreed to. What a program sends nobody read
        // before.
        EntryBody::Message { from: Sender::Person | Sender::Schedule { .. }, text, .. } => {
            Some(outside_fences(text))
        }
        _ => None,
    }
}

fn said_by(from: &Sender) -> Marks {
    match from {
        Sender::Person
        | Sender::Program { relays: false, .. }
        | Sender::Schedule { .. }
        | Sender::Todo
        | Sender::Rating => Marks::SAID,
        Sender::Devices => Marks::NONE,
        // What a person lets it know of them is theirs.
        Sender::Context { untrusted, .. } => Marks { untrusted: *untrusted, private: true, ..Marks::NONE },
        Sender::Program { relays: true, .. } => Marks { untrusted: true, ..Marks::NONE },
        Sender::Agent { untrusted, private, .. } => {
            Marks { untrusted: *untrusted, private: *private, ..Marks::SAID }
        }
        Sender::PageNotify { .. }
        | Sender::PageAsk
        | Sender::PageEmit { .. }
        | Sender::PageErrors
        | Sender::Rule { .. }
        | Sender::Job { .. }
        | Sender::Trigger { .. } => Marks::BOTH,
    }
}

#[cfg(test)]
mod tests;
