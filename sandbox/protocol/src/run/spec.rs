//! What a run is made of: its definition, fixed when it starts, and what goes to whoever drives it.

use crate::agent::{Hook, Mode, ProviderKind};
use crate::log::Entry;
use crate::model::{Effort, Sampling, ToolSpec};
use crate::{AgentId, ConversationId, ProviderId, RunId};
use serde::{Deserialize, Serialize};

/// What a driver in a browser needs to run the loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunGrant {
    pub agent: AgentId,
    pub conversation: ConversationId,
    pub run: RunId,
    pub spec: RunSpec,
    /// What came before the transcript, kept in the loop's own words. Absent: nothing did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub past: Option<String>,
    /// The conversation's entries since, oldest first, those of this run included.
    pub transcript: Vec<Entry>,
}

/// The definition that a run executes, fixed when it starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSpec {
    pub name: String,
    pub instructions: String,
    /// What its person says of its files, in `AGENTS.md`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub agents_md: String,
    /// The same of the files of its workspace.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub workspace_md: String,
    /// What the agent remembers of its person: a line each, in the order in which they stand in its prompt.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub memories: String,
    pub model: String,
    pub tools: Vec<ToolSpec>,
    /// Tools that the model is not told of until it finds them with `tool_search`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deferred: Vec<ToolSpec>,
    pub max_output_tokens: u32,
    /// Rounds at most; the loop takes a number from 1 to 50.
    pub round_limit: u32,
    /// Tokens that fit into a request and its reply together.
    pub context_tokens: u32,
    /// Whether the model calls tools by itself. Those that do not are helped.
    pub native_tools: bool,
    /// A model that calls no tools by itself makes a plan before its first reply.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub plan: bool,
    /// How much the model is to think. `None` leaves it to the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    #[serde(default, skip_serializing_if = "Sampling::is_left_out")]
    pub sampling: Box<Sampling>,
    /// Skills that stand in the prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<PromptSkill>,
    /// Skills that the agent reads when it needs them, by name: of each a line stands in the prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listed_skills: Vec<ListedSkill>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<Hook>,
    #[serde(default, skip_serializing_if = "Mode::is_answering")]
    pub mode: Mode,
    /// A message that comes when nothing has happened for so long begins with an empty context.
    /// Absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clear_after_ms: Option<u64>,
    /// The model is on the person's device, and the browser that drives the run calls it. Absent: the
    /// hub does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_device: Option<OnDevice>,
}

impl RunSpec {
    /// All tools that the agent has, told or to be found.
    pub fn given(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.iter().chain(&self.deferred)
    }
}

/// A skill that an agent is told with every request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptSkill {
    pub name: String,
    pub text: String,
    /// Its person does not stand by every word of it.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub foreign: bool,
    /// The tools to which it keeps a run. Absent: to none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_tools: Option<Vec<String>>,
    /// The hosts to which it keeps a run, and the folders and files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hosts: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mounts: Option<Vec<String>>,
}

/// A skill that an agent reads when it needs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedSkill {
    pub name: String,
    /// What it is for, in its own words.
    pub about: String,
    /// Its person does not stand by every word of it.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub foreign: bool,
}

/// A model server that a browser calls by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnDevice {
    pub kind: ProviderKind,
    /// Where each of the run's requests goes, and nowhere else.
    pub address: String,
    /// Each request carries a key that the browser keeps, and may cost money: the hub is asked before
    /// it is made ([`RunAsk::Hold`](super::RunAsk::Hold)).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Box<KeySlot>>,
    /// The model looks at pictures, as far as is known.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub sees: bool,
}

/// Where a key goes that is kept on a device. It never holds one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeySlot {
    pub provider: ProviderId,
    /// What the person calls it.
    pub name: String,
    /// Scheme, host and port of the one server that the key is for.
    pub place: String,
    /// The header that carries it.
    pub header: String,
    /// What stands before it there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub before: String,
    /// What else each request carries, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
}

/// Why a browser has no key for a call that it is to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyLack {
    /// It has one, and its person has to unlock it.
    Locked,
    /// None is kept there.
    Missing,
}
