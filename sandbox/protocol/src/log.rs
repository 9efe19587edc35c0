//! Entries of an agent's log: the one history from which everything can be rebuilt.

mod class;

pub use class::{AgentEvent, CallEvent, Class, CompactionEvent, LoopEvent, ReplyEvent, RunEvent};

use crate::agent::{Ability, Home};
use crate::approval::{Approval, ApprovalOutcome};
use crate::model::{Block, ModelFailure, Purpose, StopReason, ToolCall, ToolResult, ToolSpec, Usage};
use crate::page::SkinPage;
use crate::schedule::{Author, ScheduleEvent};
use crate::todo::TodoList;
use crate::{
    AgentId, ApprovalId, Attachment, CallId, ContextSource, ConversationId, DelegationId, ExternalJobId,
    LimitOf, Micros, Permission, RunId, ScheduleId, TabId, told, words,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One committed entry. `seq` is per agent, starts at 1 and has no gap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub agent: AgentId,
    pub seq: u64,
    /// Unix milliseconds, by the hub's clock.
    pub at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    pub body: EntryBody,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EntryBody {
    /// What a person, or the agent's page, said.
    Message {
        from: Sender,
        /// May be empty where something is attached.
        text: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attachments: Vec<Attachment>,
    },
    RunStarted {
        home: Home,
        /// The provider's name of the model that the run calls.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// How many rounds the run has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rounds: Option<u32>,
        /// The tab that drives it; absent when the hub does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        driver: Option<Driver>,
        /// The model is on a device, and the hub knows what it said from that browser alone.
        #[serde(default, skip_serializing_if = "crate::is_false")]
        unverified: bool,
    },
    /// The agent lives at `home` from here on. Within a run: that run is driven there from here on,
    /// as far as it had come.
    Moved {
        home: Home,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        driver: Option<Driver>,
        /// The run alone is driven there: the agent lives on where it did.
        #[serde(default, skip_serializing_if = "crate::is_false")]
        only_run: bool,
    },
    /// A finished block of the reply in `turn` (counted from 0 within the run).
    Block {
        turn: u32,
        index: u32,
        block: Block,
    },
    /// The reply in `turn` is whole. Blocks of a turn without this entry were cut off.
    TurnFinished {
        turn: u32,
        stop: StopReason,
    },
    /// The gateway let this call through and is about to act.
    ToolStarted {
        turn: u32,
        call: ToolCall,
    },
    ToolFinished {
        turn: u32,
        result: ToolResult,
        millis: u64,
        /// A person or a policy said no to this call.
        #[serde(default, skip_serializing_if = "crate::is_false")]
        denied: bool,
    },
    /// The loop kept this call of the model's from the gateway; `text` stands for its result.
    NotRun {
        turn: u32,
        call: CallId,
        why: NoticeKind,
        text: String,
    },
    /// The loop's own words. Most kinds are told to the model before the call of `turn`.
    Notice {
        turn: u32,
        kind: NoticeKind,
        text: String,
    },
    /// From the call of `turn` on the run reads the person's message `seq`, which came while it was
    /// under way. A message that no run read this way waits for the next one.
    Steered {
        turn: u32,
        seq: u64,
    },
    /// The model call of `turn` failed before it said a word, or said nothing that can be read, and
    /// is made again.
    Retrying {
        turn: u32,
        failure: ModelFailure,
    },
    /// From the call of `turn` on the results of tools before `upto` are sent as digests.
    Digested {
        turn: u32,
        upto: Mark,
    },
    /// From the call of `turn` on no text of more than `longest` bytes is sent whole.
    Clipped {
        turn: u32,
        longest: u32,
    },
    /// From the call of `turn` on `text` is sent in place of what was said before `upto`, except for
    /// the message that the run of `upto` answers.
    Summary {
        turn: u32,
        by: Summariser,
        upto: Mark,
        text: String,
    },
    /// What the call in `turn` used. `cost` is absent while the model's price is unknown.
    Used {
        turn: u32,
        model: String,
        usage: Usage,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<Micros>,
        /// Set for a call on the side, which is no turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        aside: Option<Purpose>,
    },
    RunFinished {
        outcome: Outcome,
        /// Whose limit on spending stopped it, if one did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stopped_by: Option<LimitOf>,
    },
    /// The page changed; `version` counts from 1. The tab that drew it (`by`) shows it already.
    Skin {
        version: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<TabId>,
    },
    /// A key of `flo.state`; `null` removes it.
    State {
        key: String,
        value: Value,
        /// A later entry says what the key holds, and this one has let go of its `value`: it changes
        /// nothing.
        #[serde(default, skip_serializing_if = "crate::is_false")]
        superseded: bool,
    },
    /// The agent made itself a tool, or a new `version` of one (counted from 1); outside of a run its person gave it
    /// one. `code` is the body of an async function of `input`.
    ToolCreated {
        version: u32,
        spec: ToolSpec,
        code: String,
    },
    ToolDeleted {
        name: String,
    },
    /// The agent was made from an archive, `name`, or where it stands in a conversation, what follows came from
    /// the product of that name; `notes` are what a person should know of that, a sentence each.
    Imported {
        name: String,
        notes: Vec<String>,
    },
    /// The person decided what the agent's page may do; without `allowed` they will be asked again.
    Permission {
        permission: Permission,
        /// The one host that a decision about links is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        host: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        allowed: Option<bool>,
    },
    /// The page has errors, and nobody was woken for them.
    PageErrors {
        text: String,
    },
    /// A call of the run to the page waits for a device that can perform it, or waits no more.
    DeviceWait {
        turn: u32,
        call: CallId,
        wait: DeviceWait,
    },
    /// A call waits for a person: no tool is run for it before they say so.
    ApprovalAsked {
        approval: Approval,
    },
    ApprovalSettled {
        approval: ApprovalId,
        settled: ApprovalOutcome,
    },
    /// Something happened with a schedule of the agent's.
    Schedule {
        schedule: ScheduleId,
        name: String,
        news: ScheduleEvent,
    },
    /// What there is to do in the conversation, whole, after `by` changed it.
    Todo {
        by: Author,
        list: TodoList,
    },
}

impl EntryBody {
    /// Words with nothing attached.
    pub fn said(from: Sender, text: String) -> Self {
        Self::Message { from, text, attachments: Vec::new() }
    }

    /// The end of a run that no limit stopped.
    pub fn finished(outcome: Outcome) -> Self {
        Self::RunFinished { outcome, stopped_by: None }
    }
}

/// How a call waits for a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DeviceWait {
    Begun {
        wanted: DeviceWanted,
        /// Unix milliseconds: it waits no longer than this.
        until: i64,
    },
    /// `by` performed it; without, none came in time or the run was stopped, and nothing was done.
    Ended {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
}

/// The device that a call asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceWanted {
    /// Its name or id. Absent: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs: Option<Ability>,
}

impl DeviceWanted {
    /// "a device with a camera"
    pub fn in_words(&self) -> String {
        match (&self.device, self.needs) {
            (None, None) => words!("a device").to_owned(),
            (None, Some(needs)) => told!("a device {}", needs.in_words()),
            (Some(device), None) => device.clone(),
            (Some(device), Some(needs)) => format!("{device} {}", needs.in_words()),
        }
    }
}

/// A tab that drives a run, and the name of the device it is on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Driver {
    pub tab: TabId,
    pub device: String,
}

/// A place in a conversation: before the call of `turn` in `run`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    pub run: RunId,
    pub turn: u32,
}

/// Who wrote a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Summariser {
    Model,
    /// The loop: one line per turn, taken from the log.
    Log,
}

/// Which rule of the loop speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// The last round: the model is asked for its answer.
    FinalAnswer,
    /// A reply without words and calls, asked for again.
    Empty,
    /// A reply that announces an action and calls nothing.
    Inaction,
    /// A reply that reached the output limit goes on.
    OutputLimit,
    /// An answer that reached the output limit twice stays as it is.
    CutShort,
    /// The run ends without words after its last results: what those were.
    Unanswered,
    /// More calls in one reply than are run.
    CallLimit,
    /// The same call twice in one reply.
    Duplicate,
    /// The same call for the third time in one run.
    Repeated,
    /// A call that failed twice is disabled for the run.
    Disabled,
    /// A search for the same words in another order or spelling.
    RepeatedSearch,
    /// Somebody said no to a call.
    Denied,
    /// A call in text that could not be read, asked for again.
    Malformed,
    /// A result of a tool speaks to the model.
    Injection,
    /// The conversation was shortened to fit.
    Context,
    /// A summary could not be had.
    NoSummary,
    /// A hook added words.
    Hook,
    /// A hook asks the run to go on.
    Continue,
    /// Hints drawn from the person's message.
    Hint,
    /// A plan for the first call; without text if there was none.
    Plan,
    /// What was looked up before the first call; without text if that was nothing.
    Prefetch,
    /// The loop goes on by itself.
    Autonomous,
    /// The loop thinks things over while nobody asks.
    Ambient,
    /// The hub's own: most of a limit on spending is used up.
    Limit,
    /// The hub's own: what a limit had stopped does not go on, because nobody wants it any more.
    GivenUp,
    /// The hub's own: a local model did not answer, and another one does.
    Fallback,
    /// The hub's own: the run waits for a key that its person keeps on their devices.
    KeyWanted,
    /// The hub's own: pages that the provider's own search found for a reply, as links in Markdown.
    Sources,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Sender {
    #[default]
    Person,
    /// A program of the person's, with the token of this name. Where it `relays`, the words are not theirs.
    Program {
        name: String,
        #[serde(default, skip_serializing_if = "crate::is_false")]
        relays: bool,
    },
    /// `flo.notify(name, …)`.
    PageNotify { name: String },
    /// `flo.ask(…)`.
    PageAsk,
    /// `flo.emit(name, …)`: it woke nobody, and the run that starts next reads it.
    PageEmit { name: String },
    /// What went wrong in the page.
    PageErrors,
    /// A rule about this key of `flo.state` came true.
    Rule { key: String },
    /// The hub: devices came to show the page, or went. It wakes nobody.
    Devices,
    /// The hub: the person changed what there is to do. It wakes nobody.
    Todo,
    /// The hub: what the person noted on answers. It wakes nobody.
    Rating,
    /// The hub: what the person lets the agent know around what they say. It wakes nobody.
    Context {
        source: ContextSource,
        /// Strangers may have had a part in it.
        #[serde(default, skip_serializing_if = "crate::is_false")]
        untrusted: bool,
    },
    /// A schedule of this name is due; the words are those of who made it.
    Schedule { schedule: ScheduleId, name: String, by: Author },
    /// Another agent of the person's, of this name: what it wants done, or what came of what it was asked to do.
    Agent {
        agent: AgentId,
        name: String,
        delegation: DelegationId,
        /// It had read words of strangers.
        #[serde(default, skip_serializing_if = "crate::is_false")]
        untrusted: bool,
        /// It knew what else is not for others.
        #[serde(default, skip_serializing_if = "crate::is_false")]
        private: bool,
    },
    /// A job that the agent started elsewhere has ended: how, and what it says. Strangers may have had a part in it.
    Job { job: ExternalJobId, name: String },
    /// What made a schedule of this name due, as somebody elsewhere wrote it. The schedule speaks after it.
    Trigger { schedule: ScheduleId, name: String },
}

impl Sender {
    pub fn is_person(&self) -> bool {
        *self == Self::Person
    }

    /// A person, or a program that says what its person would.
    pub fn speaks_for_person(&self) -> bool {
        matches!(self, Self::Person | Self::Program { relays: false, .. })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Outcome {
    Completed,
    /// A person pressed Stop.
    Stopped,
    /// The hard cap on rounds was reached.
    RoundLimit,
    Failed {
        failure: ModelFailure,
    },
    /// Whoever drove the run is gone: the hub restarted or the tab closed.
    Interrupted {
        why: String,
    },
}

impl Outcome {
    /// Whether a Retry makes sense: the person's last message has no full answer.
    pub fn can_retry(&self) -> bool {
        match self {
            Self::Completed => false,
            Self::Stopped | Self::RoundLimit | Self::Failed { .. } | Self::Interrupted { .. } => true,
        }
    }
}

/// A stored page of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skin {
    pub version: u64,
    pub page: SkinPage,
}
