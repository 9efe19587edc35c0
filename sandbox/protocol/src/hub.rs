//! The hub's socket: one per tab, multiplexed over agents and runs. JSON text frames.

use crate::frame::{Problem, SkinCommand, SkinDone, SkinPage};
use crate::log::{Entry, EntryBody, Outcome, Sender};
use crate::model::{BlockKind, Effort, ModelEvent, ModelRequest, ToolCall, ToolResult, ToolSpec, Usage};
use crate::view::{DeviceView, ProviderKind};
use crate::{AgentId, ConversationId, Failure, ProviderId, RunId, TabId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Tab to hub.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientFrame {
    /// Must come first.
    Hello {
        version: u32,
        tab: TabId,
    },
    /// Send entries with `seq > after`, then live ones.
    Subscribe {
        agent: AgentId,
        after: u64,
    },
    Unsubscribe {
        agent: AgentId,
    },
    /// Which agent's skin this tab shows, sent whenever that changes or the person acts in the tab.
    Active {
        showing: Option<AgentId>,
    },
    /// What this tab's device can do, and whether a person sees the tab.
    Able {
        abilities: Vec<Ability>,
        visible: bool,
    },
    /// This tab would perform a call that was offered to it. It does so after [`HubFrame::SkinGo`].
    SkinClaim {
        request: u64,
    },
    /// Answers [`HubFrame::SkinCall`].
    SkinDone {
        request: u64,
        done: SkinDone,
    },
    /// `flo.notify` from the agent's page.
    PageNotify {
        agent: AgentId,
        name: String,
        data: Value,
    },
    /// `flo.ask`; `id` is the tab's own, echoed in [`HubFrame::Answered`].
    PageAsk {
        agent: AgentId,
        id: u64,
        text: String,
    },
    /// `flo.state.set`; `null` removes the key.
    SetState {
        agent: AgentId,
        key: String,
        value: Value,
    },
    /// What went wrong in the agent's page.
    PageProblems {
        agent: AgentId,
        problems: Vec<Problem>,
    },
    /// `flo.emit` from the agent's page.
    PageEmit {
        agent: AgentId,
        name: String,
        data: Value,
    },
    /// `flo.callTool`; `id` is the tab's own, echoed in [`HubFrame::Answered`].
    PageCall {
        agent: AgentId,
        id: u64,
        name: String,
        input: Value,
    },
    /// What the page in this `version` made of itself.
    PageSnapshot {
        agent: AgentId,
        version: u64,
        page: SkinPage,
    },
    /// From the driver of a browser-home run. `received` counts the replies of the run that have come
    /// so far.
    Run {
        run: RunId,
        token: String,
        received: u64,
        ask: RunAsk,
    },
    /// After a new connection: this tab drove the run and wants to go on. Answered by
    /// [`HubFrame::Rejoined`], or by [`RunReply::Lost`].
    Rejoin {
        run: RunId,
        token: String,
        received: u64,
    },
    /// The page goes away for good: what it drove need not wait for it.
    Leave,
    Ping,
}

/// Hub to tab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HubFrame {
    Welcome {
        version: u32,
        device: DeviceView,
    },
    /// A committed entry.
    Entry {
        entry: Entry,
    },
    /// Everything up to `seq` has been sent; live from here.
    CaughtUp {
        agent: AgentId,
        seq: u64,
    },
    /// A block that is being streamed, as far as it goes: sent to a tab that joins late.
    Partial {
        agent: AgentId,
        run: RunId,
        turn: u32,
        index: u32,
        kind: BlockKind,
        text: String,
    },
    /// More of a block; `offset` is where `text` starts, in bytes of UTF-8. Not stored.
    Delta {
        agent: AgentId,
        run: RunId,
        turn: u32,
        index: u32,
        offset: u64,
        text: String,
    },
    /// The reply in `turn` was given up (stopped, failed): its partial blocks are void.
    Void {
        agent: AgentId,
        run: RunId,
        turn: u32,
    },
    /// A permitted call for the page of this agent in this tab. With `claim` it is an offer: the tab
    /// says that it is there, and performs nothing before it is told to.
    SkinCall {
        request: u64,
        agent: AgentId,
        command: SkinCommand,
        #[serde(default, skip_serializing_if = "is_false")]
        claim: bool,
    },
    /// The call that this tab claimed is its own to perform.
    SkinGo {
        request: u64,
    },
    /// The answer to [`ClientFrame::PageAsk`] or [`ClientFrame::PageCall`].
    Answered {
        id: u64,
        answer: crate::frame::Answer,
    },
    /// This tab drives a run now.
    Granted {
        token: String,
        grant: RunGrant,
    },
    /// For the driver of a browser-home run. `taken` counts the asks of the run that the hub has
    /// taken so far.
    Run {
        run: RunId,
        taken: u64,
        reply: RunReply,
    },
    /// The run goes on in this tab. Replies from `received` on follow; asks from `taken` on are due.
    Rejoined {
        run: RunId,
        taken: u64,
    },
    /// What the last frame got wrong; the socket stays open unless it says otherwise.
    Refused {
        failure: Failure,
    },
    /// This device was signed out; the socket closes.
    SignedOut,
    Pong,
}

/// What a device has that an agent may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ability {
    Screen,
    Touch,
    Camera,
    Microphone,
    Location,
    Clipboard,
    /// It understands speech.
    Listen,
    /// It reads text aloud.
    Speak,
}

impl Ability {
    pub const ALL: [Self; 8] = [
        Self::Screen,
        Self::Touch,
        Self::Camera,
        Self::Microphone,
        Self::Location,
        Self::Clipboard,
        Self::Listen,
        Self::Speak,
    ];

    /// As it is written on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Screen => "screen",
            Self::Touch => "touch",
            Self::Camera => "camera",
            Self::Microphone => "microphone",
            Self::Location => "location",
            Self::Clipboard => "clipboard",
            Self::Listen => "listen",
            Self::Speak => "speak",
        }
    }

    /// What a device has or does, after its name.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Screen => "with a screen",
            Self::Touch => "that can be touched",
            Self::Camera => "with a camera",
            Self::Microphone => "with a microphone",
            Self::Location => "that knows where it is",
            Self::Clipboard => "with a clipboard",
            Self::Listen => "that understands speech",
            Self::Speak => "that speaks",
        }
    }
}

/// What a driver in a browser needs to run the loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunGrant {
    pub agent: AgentId,
    pub conversation: ConversationId,
    pub run: RunId,
    pub spec: RunSpec,
    /// The conversation's entries, oldest first, those of this run included.
    pub transcript: Vec<Entry>,
}

/// The definition that a run executes, fixed when it starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSpec {
    pub name: String,
    pub instructions: String,
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
    /// How much the model is to think. `None` leaves it to the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
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

/// A model server that a browser calls by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnDevice {
    pub kind: ProviderKind,
    /// Where each of the run's requests goes, and nowhere else.
    pub address: String,
    /// Each request carries a key that the browser keeps, and may cost money: the hub is asked before
    /// it is made ([`RunAsk::Hold`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Box<KeySlot>>,
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

/// What a run does when the model has given its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Mode {
    /// It ends.
    #[default]
    Answering,
    /// It goes on by itself until the answer holds `done`, at most `turns` times.
    Autonomous { turns: u32, done: String },
    /// It ends. Nobody asked: the model thinks things over, and the run gives way to a person.
    Ambient,
}

impl Mode {
    pub fn is_answering(&self) -> bool {
        matches!(self, Self::Answering)
    }
}

/// A rule of the person's that is looked at on each `event`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hook {
    pub event: HookEvent,
    /// A tool's name, where `*` stands for any characters. Absent: every tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What the event's text must hold: the input of a call as JSON, a result, a message, an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<String>,
    pub action: HookAction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookEvent {
    PreToolUse,
    PostToolUse,
    UserPromptSubmit,
    Stop,
    AgentStart,
    /// A run has ended with a whole reply. What is added then is read by the next run.
    AgentEnd,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HookAction {
    /// It does not happen. Wins over every other action.
    Deny { reason: String },
    /// The model reads this.
    AddContext { text: String },
    /// The run does not end yet (on `stop`).
    Continue { text: String },
}

/// What the loop asks the world to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Effect {
    CallModel {
        turn: u32,
        request: ModelRequest,
    },
    /// Give up the model call in flight. Nothing more comes of it.
    AbortModel,
    /// These calls do not get in each other's way and may be performed at once. Answered by one
    /// [`RunReply::Tool`] per call, in any order.
    RunTools {
        turn: u32,
        calls: Vec<ToolCall>,
    },
    /// Calls that no model made, which only look and may fail or be missing. Answered by one
    /// [`RunReply::Prefetched`], at the latest after `deadline_ms`. [`Effect::AbortTools`] gives them
    /// up.
    Prefetch {
        turn: u32,
        calls: Vec<ToolCall>,
        deadline_ms: u64,
    },
    /// Give up the tool calls in flight; each is answered all the same, at once.
    AbortTools,
    /// `ordinal` counts the loop's own entries of this run from 0.
    Append {
        ordinal: u32,
        body: EntryBody,
    },
    /// Answered by [`RunReply::Timer`] once, at a moment that the driver picks by chance between
    /// the two. Void after `Finish`.
    Arm {
        /// The turn that waits for it.
        timer: u32,
        least_ms: u64,
        most_ms: u64,
    },
    /// A model call whose reply nobody is shown. Answered by one [`RunReply::Aside`], at the latest
    /// after `deadline_ms`. [`Effect::AbortModel`] gives it up.
    Aside {
        turn: u32,
        purpose: Purpose,
        request: ModelRequest,
        deadline_ms: u64,
    },
    /// The run is over. Its last effect.
    Finish {
        ordinal: u32,
        outcome: Outcome,
    },
}

/// What a model is asked for on the side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// A summary of what no longer fits into the context.
    Summary,
    /// What to do first, before a model without native tools is called.
    Plan,
}

/// What the driver of a browser-home run asks the hub for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RunAsk {
    Effect {
        effect: Effect,
    },
    /// `count` more events of the running model call may be sent.
    Credit {
        count: u32,
    },
    /// What the model on the device said in `turn`. Only in a run with [`RunSpec::on_device`].
    Told {
        turn: u32,
        event: ModelEvent,
    },
    /// What a call on the side used that the model on the device answered.
    AsideTold {
        turn: u32,
        purpose: Purpose,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// The shell is about to make a call with a key of its person's: how much the request holds at
    /// most. `aside` for a call on the side. Answered by one [`RunReply::Held`] with the same `call`.
    Hold {
        call: u64,
        tokens: u64,
        #[serde(default, skip_serializing_if = "is_false")]
        aside: bool,
    },
    /// The call waits until the person gives this browser the key.
    KeyWanted {
        lack: KeyLack,
    },
}

/// What the hub answers the driver of a run, wherever that is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RunReply {
    Model {
        turn: u32,
        event: ModelEvent,
    },
    Tool {
        turn: u32,
        result: ToolResult,
        /// A person or a policy said no.
        #[serde(default, skip_serializing_if = "is_false")]
        denied: bool,
    },
    /// What came of [`Effect::Prefetch`] in time.
    Prefetched {
        turn: u32,
        results: Vec<ToolResult>,
    },
    /// The message `seq` came while the run was under way: a person's, or what the hub says of devices.
    Steer {
        seq: u64,
        #[serde(default, skip_serializing_if = "Sender::is_person")]
        from: Sender,
        text: String,
    },
    /// The time of [`Effect::Arm`] has come.
    Timer {
        timer: u32,
    },
    /// The text of the reply to [`Effect::Aside`]; `None` when it failed or took too long.
    Aside {
        turn: u32,
        purpose: Purpose,
        text: Option<String>,
    },
    /// The answer to [`RunAsk::Hold`], for the shell: the call may be made, or `refused` says which
    /// limit it would pass.
    Held {
        call: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refused: Option<String>,
    },
    /// A person pressed Stop.
    Stop,
    /// The lease is gone; nothing more will be accepted.
    Lost,
}

fn is_false(value: &bool) -> bool {
    !*value
}
