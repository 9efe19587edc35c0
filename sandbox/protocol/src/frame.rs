//! The frame ports. Whatever a frame says is hostile input: the shell checks every message against
//! these shapes, and the hub decides.

mod want;

pub use want::*;

use crate::AttachmentId;
use crate::model::{ModelEvent, ModelFailure};
use crate::page::{Answer, PageError, SkinCommand, SkinDone, SkinPage};
use crate::run::{RunAsk, RunGrant, RunReply};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Shell to skin frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToSkin {
    /// First message: show this page, with this state.
    Show {
        version: u64,
        page: SkinPage,
        state: BTreeMap<String, Value>,
        /// What the person had typed into the document that this one takes the place of.
        #[serde(default)]
        typed: Vec<TypedField>,
    },
    /// Perform a permitted tool call.
    Perform {
        request: u64,
        command: SkinCommand,
    },
    State {
        key: String,
        value: Value,
    },
    /// The answer to an `Ask` with this id.
    Answered {
        id: u64,
        answer: Answer,
    },
    /// What came of the `Request` with this id.
    Reply {
        id: u64,
        reply: Reply,
    },
    /// To the page of an MCP server: a message of its protocol, as JSON.
    Rpc {
        text: String,
    },
    /// The page may have the keyboard. Answers [`FromSkin::Focused`].
    Keyboard,
    /// Answered by `Pong` at once, unless a script keeps the page busy.
    Ping,
    /// There is a newer page. Answered by `Typed`.
    Part,
}

/// A field into which a person has typed, and what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedField {
    /// Names the field in one page as in the next.
    pub field: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Which options are chosen; for something to tick, 0 if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Vec<u32>>,
    /// Where in the text the person is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caret: Option<u32>,
    pub focused: bool,
}

/// Skin frame to shell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromSkin {
    Ready,
    Performed {
        request: u64,
        done: SkinDone,
    },
    Notify {
        name: String,
        data: Value,
    },
    /// `id` is the frame's own, echoed in [`ToSkin::Answered`].
    Ask {
        id: u64,
        text: String,
    },
    SetState {
        key: String,
        value: Value,
    },
    /// `id` is the frame's own, never used twice by one document.
    Request {
        id: u64,
        want: Want,
    },
    /// Ends a request that has no last reply yet. It gets none then.
    Withdraw {
        id: u64,
    },
    /// The page has taken in the last picture or sound of this request, and can take another.
    Taken {
        id: u64,
    },
    /// What went wrong in the page since the last batch, outside of a call.
    Problems {
        problems: Vec<PageError>,
    },
    /// Tells the agent something without waking it.
    Emit {
        name: String,
        data: Value,
    },
    /// `flo.callTool`; `id` is the frame's own, echoed in [`ToSkin::Answered`].
    CallTool {
        id: u64,
        name: String,
        input: Value,
    },
    /// `flo.files.read`; `id` is the frame's own. Answered by the file itself, as an object `{ file: id, blob }`, or by
    /// [`ToSkin::Answered`] with why there is none.
    ReadFile {
        id: u64,
        path: String,
    },
    /// From the page of an MCP server: a message of its protocol.
    Rpc {
        message: Value,
    },
    /// What the page made of itself while a person used it.
    Snapshot {
        page: SkinPage,
    },
    /// The person pressed something in the page, so many milliseconds ago.
    Pressed {
        ago_ms: u64,
    },
    /// The page has the focus, and nobody pressed anything in it.
    Focused,
    /// A key that came to the page while the keyboard was not its.
    Stray {
        key: String,
    },
    /// A script put another document in place of the page's: it has to be made anew.
    Erased,
    /// Answers [`ToSkin::Ping`].
    Pong,
    /// Answers [`ToSkin::Part`]; `typing`: the person is at it this moment.
    Typed {
        fields: Vec<TypedField>,
        typing: bool,
    },
}

/// Shell to the worker in the loop frame (after the bootstrap's own start message).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToWorker {
    /// Drive this run. `now` is the shell's clock in Unix milliseconds, here and below.
    Start {
        now: i64,
        grant: Box<RunGrant>,
    },
    Reply {
        now: i64,
        reply: RunReply,
    },
    /// More of the answer to the `Fetch` with this `call`.
    Fetched {
        now: i64,
        call: u64,
        part: FetchPart,
    },
    /// What the `Decoded` with this `call` said, without the key.
    Cleared {
        now: i64,
        call: u64,
        events: Vec<ModelEvent>,
    },
}

/// A part of a model server's answer, in order: `head`, any number of `text`, `end`. `failed` may
/// come in place of any of them and is the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FetchPart {
    Head {
        status: u16,
        /// The header of this name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after: Option<String>,
    },
    Text {
        text: String,
    },
    End,
    Failed {
        failure: ModelFailure,
    },
}

/// Worker to shell. The shell adds run and lease token, which the frame never sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromWorker {
    Ready,
    Ask {
        ask: RunAsk,
    },
    /// Send `body` to the model on the device. The address is the grant's; one call at a time.
    Fetch {
        call: u64,
        /// JSON.
        body: String,
        /// How much the request holds at most, for whoever pays.
        tokens: u64,
        /// Give up after so long, whatever has come.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline_ms: Option<u64>,
        /// Pictures of the conversation whose bytes the shell puts in where [`picture_mark`] stands. The frame never has
        /// them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pictures: Vec<AttachmentId>,
        /// What other files of the conversation say, which the shell puts in where [`text_mark`] stands.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        texts: Vec<WantedText>,
    },
    /// What a model with a key of the device said in the last part. The run takes in what comes back as `Cleared`.
    Decoded {
        call: u64,
        events: Vec<ModelEvent>,
    },
    /// The last part was taken in; another may come.
    More {
        call: u64,
    },
    /// Give the call up. Nothing more comes of it.
    AbortFetch {
        call: u64,
    },
    /// The worker cannot go on.
    Broken {
        message: String,
    },
}

/// Stands in the body of [`FromWorker::Fetch`] where the Base64 of a picture goes: as a text of its own, or at the end of
/// one behind `;base64,`.
pub fn picture_mark(id: &AttachmentId) -> String {
    format!("attachment:{id}")
}

/// A file of the conversation, as the hub tells models of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WantedText {
    pub id: AttachmentId,
    /// Bytes of it at most.
    pub most: u32,
    /// The model has the tool for the rest of it.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub reads: bool,
}

/// Stands within a text of the body of [`FromWorker::Fetch`] where what a file says goes.
pub fn text_mark(id: &AttachmentId) -> String {
    format!("[attachment-text:{id}]")
}

/// Shell to a loop frame that has no loop and runs scripts (after the bootstrap's own start message).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToScripts {
    /// Run `code` in a worker of its own; `state` is what the script may read.
    Run { request: u64, code: String, timeout_ms: u32, state: BTreeMap<String, Value> },
}

/// A loop frame that runs scripts, to the shell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromScripts {
    Ready,
    /// What came of the script with this `request`: JSON for the model.
    Ran {
        request: u64,
        result: Value,
        #[serde(default)]
        is_error: bool,
    },
}
