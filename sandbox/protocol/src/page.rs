//! The page that an agent draws: as it is kept, what a tool does to it, and what comes of that.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The serialised page of an agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SkinPage {
    /// Inner HTML of `head`, without the bootstrap.
    pub head: String,
    /// Inner HTML of `body`.
    pub body: String,
    /// Attributes of the root element.
    #[serde(default)]
    pub html_attributes: BTreeMap<String, String>,
    #[serde(default)]
    pub body_attributes: BTreeMap<String, String>,
    /// Listeners made with the `dom` tool, which HTML cannot carry.
    #[serde(default)]
    pub listeners: Vec<Listener>,
}

/// An event that the agent listens to: it wakes the agent like `flo.notify(event, …)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Listener {
    /// A CSS selector.
    pub selector: String,
    /// A DOM event type, `click` for instance.
    pub event: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SkinCommand {
    /// Input of the `dom` tool, already checked against its schema.
    Dom { input: Value },
    /// The body of an async function.
    RunJs {
        code: String,
        timeout_ms: u32,
        #[serde(default, skip_serializing_if = "ScriptContext::is_page")]
        context: ScriptContext,
    },
}

/// Where a script runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScriptContext {
    #[default]
    Page,
    /// A worker of its own, without the page, that is ended when the script is done or out of time.
    Worker,
}

impl ScriptContext {
    pub fn is_page(&self) -> bool {
        *self == Self::Page
    }
}

/// What came of a [`SkinCommand`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkinDone {
    /// JSON for the model.
    pub result: Value,
    #[serde(default)]
    pub is_error: bool,
    /// The whole page after the call.
    pub page: SkinPage,
}

/// Something that went wrong in a page, as often as it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageError {
    pub kind: PageErrorKind,
    pub message: String,
    /// Where, if the browser says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    pub count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageErrorKind {
    /// `console.error`.
    Logged,
    /// An exception that nobody caught.
    Exception,
    /// A promise that was rejected, and nobody minded.
    Rejection,
    /// A picture, a sound or the like that did not load.
    Resource,
    /// The frame's policy said no.
    Blocked,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    Text {
        text: String,
    },
    /// A file, to be had at a signed address of the hub.
    File {
        address: String,
        media_type: String,
    },
    Error {
        message: String,
    },
}
