//! The hub's socket: one per tab, multiplexed over agents and runs. JSON text frames.

use crate::agent::Ability;
use crate::device::{DeviceAnswer, DeviceAsk};
use crate::log::Entry;
use crate::model::BlockKind;
use crate::page::{Answer, PageError, SkinCommand, SkinDone, SkinPage};
use crate::run::{RunAsk, RunGrant, RunReply};
use crate::view::{DelegationKind, DelegationState, DeviceView};
use crate::{AgentId, CallId, ConversationId, DelegationId, Failure, RunId, TabId};
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
    /// Answers [`HubFrame::DeviceCall`].
    DeviceDone {
        request: u64,
        answer: DeviceAnswer,
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
        problems: Vec<PageError>,
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
    /// `tools/call` from the page of a tool of an MCP server: `app` is that tool as agents call it, `name` another one of
    /// the same server as that calls it. `id` is the tab's own, echoed in [`HubFrame::Answered`].
    AppCall {
        agent: AgentId,
        id: u64,
        app: String,
        name: String,
        input: Value,
    },
    /// `flo.files.read`; `id` is the tab's own, echoed in [`HubFrame::Answered`] with an address.
    PageFile {
        agent: AgentId,
        id: u64,
        path: String,
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

/// How far whoever performs a call says that it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallProgress {
    /// Of whatever it counts.
    pub done: f64,
    /// Absent: nobody knows how much there is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// A stranger's words: one line of plain text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// Whom it has work for it, and waits for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<AskedProgress>,
}

/// How one of those stands that a call waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedProgress {
    pub id: DelegationId,
    pub kind: DelegationKind,
    pub name: String,
    /// Of somebody elsewhere and of somebody else's, this and the conversation are the asker's.
    pub agent: AgentId,
    pub conversation: ConversationId,
    pub state: DelegationState,
    /// The end of what it said last, in one line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub latest: String,
}

/// Of what a person's pages show something else than before: see [`HubFrame::NounChanged`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Noun {
    /// How agents stand: at work or waiting, and what they used. Sub-agents as well, whose feeds nobody follows.
    Agents,
    Delegations,
    Pipelines,
    Topics,
    Memories,
    TerminalJobs,
    ExternalJobs,
    PersonContext,
    /// What is in the library, and which agents have it.
    Skills,
    McpServers,
    Peers,
    Providers,
}

/// Hub to tab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HubFrame {
    Welcome {
        version: u32,
        device: DeviceView,
    },
    /// The feed of an agent begins here, with the entry after `after`: what comes before this frame belongs to an
    /// earlier one, and something may be missing between the two.
    Subscribed {
        agent: AgentId,
        after: u64,
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
    /// Of the agent something is other than it was that stands in no entry: the names of its conversations, what
    /// of them was read, which model they are held with, where they are kept, whether it is paused, or what its person did with its files. Not stored: who was away asks again.
    Changed {
        agent: AgentId,
    },
    /// Of what is the person's something is other than it was that no agent's feed tells: which agents there are and what
    /// they are called, or what of their notifications was read. Every page of theirs is told, whatever it follows, and
    /// no program. Not stored: who was away asks again.
    PersonChanged,
    /// Of what this noun has for the person something is other than it was. Once for all that changes within a short
    /// while. Their pages are told, and no program. Not stored: who was away asks again.
    NounChanged {
        noun: Noun,
    },
    /// What the person is writing in this conversation is other than it was, on another device maybe. Their pages are told,
    /// and no program. Not stored: who was away asks again.
    DraftChanged {
        agent: AgentId,
        conversation: ConversationId,
        version: u64,
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
    /// How far a call of a tool is. Not stored, and over when the call is.
    Progress {
        agent: AgentId,
        run: RunId,
        call: CallId,
        progress: CallProgress,
    },
    /// A permitted call for the page of this agent in this tab. With `claim` it is an offer: the tab
    /// says that it is there, and performs nothing before it is told to.
    SkinCall {
        request: u64,
        agent: AgentId,
        command: SkinCommand,
        #[serde(default, skip_serializing_if = "crate::is_false")]
        claim: bool,
    },
    /// The same for something of the device itself, beside that page.
    DeviceCall {
        request: u64,
        agent: AgentId,
        ask: DeviceAsk,
        #[serde(default, skip_serializing_if = "crate::is_false")]
        claim: bool,
    },
    /// The call that this tab claimed is its own to perform.
    SkinGo {
        request: u64,
    },
    /// The answer to [`ClientFrame::PageAsk`], [`ClientFrame::PageCall`], [`ClientFrame::AppCall`] or [`ClientFrame::PageFile`].
    Answered {
        id: u64,
        answer: Answer,
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
    /// What the last frame got wrong, or what of the agent that it asked to follow is damaged and left out; the socket stays
    /// open unless it says otherwise.
    Refused {
        failure: Failure,
    },
    /// This device was signed out; the socket closes.
    SignedOut,
    Pong,
}
