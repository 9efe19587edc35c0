//! What is remembered of a person from one conversation to the next.

use crate::{AgentId, ConversationId, FolderId, MemoryId, ProviderId, RunId};
use serde::{Deserialize, Serialize};

/// What kind of thing it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    #[default]
    Fact,
    Preference,
    /// Something that happened, or will.
    Event,
    /// How something is to be done.
    Procedure,
}

impl MemoryKind {
    pub const ALL: [Self; 4] = [Self::Fact, Self::Preference, Self::Event, Self::Procedure];

    /// As it stands on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Preference => "preference",
            Self::Event => "event",
            Self::Procedure => "procedure",
        }
    }
}

/// Who wrote a memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryAuthor {
    #[default]
    Person,
    Agent,
    /// Nobody wrote it: after an answer it was found worth remembering of what the person had said.
    Background,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryState {
    /// Agents are told of it.
    Kept,
    /// An agent that had read words of strangers wrote it. No agent is told of it before its person agrees.
    Proposed,
    /// Gone for all agents, and brought back with one press for thirty days.
    Forgotten,
}

/// Something that is remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    pub id: MemoryId,
    /// One line.
    pub text: String,
    pub kind: MemoryKind,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// From 1 to 5, the most important.
    pub importance: u8,
    pub state: MemoryState,
    pub author: MemoryAuthor,
    /// The one agent that is told of it. Absent: all of the person's that have a memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_name: Option<String>,
    /// The workspace whose agents are told of it, where that is neither one agent nor all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<FolderId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace_name: Option<String>,
    /// The agent that wrote it, or to which it was said, if there is one and it is still there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writer: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writer_name: Option<String>,
    /// In which it was written or said, if that is known and the conversation is still there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationId>,
    /// The agent whose conversation that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talked_with: Option<AgentId>,
    /// The entry of its log that it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// Words of strangers had a part in it, also once its person kept it.
    #[serde(default)]
    pub strangers: bool,
    /// The address of the page that its agent had read last, where strangers had a part in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// An older one beside which it may not be true. Its person is asked which holds, and prompts have this one alone
    /// until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<OlderMemory>,
    /// Unix milliseconds.
    pub changed_at: i64,
}

/// What a newer memory may speak against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OlderMemory {
    pub id: MemoryId,
    pub text: String,
    /// Unix milliseconds.
    pub changed_at: i64,
}

/// Which of two memories holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryChoice {
    Newer,
    Older,
    Both,
}

/// What a person has to say about a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryDraft {
    pub text: String,
    #[serde(default)]
    pub kind: MemoryKind,
    /// From 1 to 5.
    pub importance: u8,
    /// With commas between, five at most.
    #[serde(default)]
    pub tags: String,
    /// The one agent that is to be told of it. Empty: all.
    #[serde(default)]
    pub agent: String,
    /// The workspace whose agents are to be told of it. Empty: it is not of one.
    #[serde(default)]
    pub workspace: String,
}

/// What was said that a person wants to be remembered: the entry `message` of the agent's log, or else what the agent
/// said last in `run`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaidAt {
    pub agent: AgentId,
    pub message: Option<u64>,
    pub run: RunId,
}

/// What is remembered of the viewer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryList {
    /// What waits for a yes, however it was searched.
    pub proposed: Vec<Memory>,
    /// Those that are kept and may not be true beside an older one, however they were searched, and 20 at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disagreeing: Vec<Memory>,
    /// The best fitting first if something was searched, else those that changed last.
    pub kept: Vec<Memory>,
    /// Those forgotten last first; none if something was searched.
    pub forgotten: Vec<Memory>,
    /// All that are kept, shown or not.
    pub total: u32,
    pub more: bool,
    /// Of those that are kept and shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<MemoryUse>,
}

/// Into which answers a memory went, of the last 300 that any went into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryUse {
    pub memory: MemoryId,
    pub answers: u32,
    /// The last three conversations, the newest first.
    pub last: Vec<MemoryAnswer>,
}

/// An answer that an agent gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryAnswer {
    pub agent: AgentId,
    pub agent_name: String,
    pub conversation: ConversationId,
    /// The last entry of the log that the agent said in it. Absent: it said nothing, or it was packed long ago.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// Unix milliseconds.
    pub at: i64,
}

/// Memories on their way to another hub, or to a drawer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedMemories {
    /// [`CarriedMemories::FORMAT`].
    pub format: String,
    pub memories: Vec<CarriedMemory>,
}

impl CarriedMemories {
    /// Changes when a file of before can no longer be read.
    pub const FORMAT: &'static str = "vivarium.memories.1";
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedMemory {
    pub text: String,
    #[serde(default)]
    pub kind: MemoryKind,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// From 1 to 5.
    pub importance: u8,
    /// The name of the one agent that is told of it. Absent: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The name of the workspace whose agents are told of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    #[serde(default)]
    pub author: MemoryAuthor,
    /// The name of the agent that wrote it, or to which it was said, if there was one and it was still there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writer: Option<String>,
    /// Words of strangers had a part in it.
    #[serde(default)]
    pub strangers: bool,
    /// Unix milliseconds. 0: nobody knows.
    #[serde(default)]
    pub written_at: i64,
    /// Unix milliseconds. Absent: it says what it said at first.
    #[serde(default)]
    pub changed_at: Option<i64>,
}

/// What became of memories that were brought along.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryImport {
    pub added: u32,
    /// They were there already.
    pub known: u32,
    pub refused: Vec<RefusedMemory>,
}

/// A memory that was not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedMemory {
    /// Its beginning.
    pub text: String,
    /// In words for the person.
    pub why: String,
}

/// By which model memories are found by their meaning, and how far that has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryMeaning {
    /// `None`: they are found by their words alone.
    pub provider: Option<ProviderId>,
    pub model: String,
    /// Memories that are kept and found by their words alone until now.
    pub waiting: u32,
    /// Why it did not come further. Empty: nothing is in the way.
    pub failure: String,
}
