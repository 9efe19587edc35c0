//! MCP servers, and what their tools are to the person whose agents call them.

use crate::McpServerId;
use crate::view::{GivenAgent, GroupView};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A server whose tools a person's agents may be given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpServerView {
    pub id: McpServerId,
    /// With it the names of its tools begin, after `mcp_`.
    pub name: String,
    /// Of what follows the question mark only the names, each with a `*` for its value.
    pub url: String,
    /// The headers that carry secrets, by their names.
    pub headers: Vec<String>,
    /// When it last said which tools it has.
    pub looked_at: Option<i64>,
    /// Why it did not say so the last time it was asked.
    pub failure: Option<String>,
    pub tools_on: u32,
    /// Those that can be switched on.
    pub tools_off: u32,
    /// Those that are off until their person saw what changed.
    pub tools_changed: u32,
    /// Those that came later than the server, and are off until their person said whether they are on.
    #[serde(default)]
    pub tools_new: u32,
    /// Tools that it offers beyond those that are kept.
    pub left_out: u32,
    pub connection: McpConnection,
    /// Why the last sign-in came to nothing.
    pub sign_in_failure: Option<String>,
    /// None: it is its person's own.
    pub lent: Option<McpLent>,
}

/// Who lends a server, and sees to what is sent along.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum McpLent {
    By {
        name: String,
    },
    /// It is lent to its person no more, and nothing of it can be called.
    Over,
}

/// A server that an administrator lends to the viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedMcpServer {
    pub id: McpServerId,
    pub name: String,
    pub url: String,
    /// Who lends it.
    pub by: String,
    /// The viewer's own row of it, where they use it.
    pub used_as: Option<McpServerId>,
}

/// With whom an administrator shares a server of theirs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpSharing {
    pub everyone: bool,
    /// All groups that there are, and whether it is shared with them.
    pub groups: Vec<(GroupView, bool)>,
}

/// Whether its person is signed in there by OAuth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum McpConnection {
    None,
    /// It wants to know who asks.
    Wanted,
    Connected {
        /// Where they signed in: scheme, host and port.
        place: String,
        scopes: Vec<String>,
        since: i64,
    },
    /// They have to sign in once more.
    Over {
        place: String,
    },
}

/// A sign-in that waits for its person to go there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpSignIn {
    /// Scheme, host and port.
    pub place: String,
    /// What the server is to be allowed.
    pub scopes: Vec<String>,
    /// Where the browser goes.
    pub address: String,
}

/// One server with its tools.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct McpServerDetail {
    pub server: McpServerView,
    /// By name.
    pub tools: Vec<McpToolView>,
    /// By name.
    pub prompts: Vec<McpPrompt>,
    /// One that was begun in this browser.
    pub sign_in: Option<McpSignIn>,
    /// For an administrator, of a server of their own.
    pub sharing: Option<McpSharing>,
    /// What its pages wanted to reach, and what was said to that.
    pub app_hosts: Vec<McpAppHost>,
    /// What it said of what it does since the hub was started, the newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<McpLogLine>,
    /// The person's agents, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<GivenAgent>,
}

/// A line of a server, in its own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpLogLine {
    pub at: i64,
    pub kind: McpLogKind,
    pub words: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum McpLogKind {
    Debug,
    Info,
    Warning,
    Error,
    /// A program wrote it beside its answers.
    Output,
}

/// A host about which the person was asked, for the pages of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpAppHost {
    /// `https://host` or `wss://host`, or the name of an [`AppPermission`].
    pub host: String,
    pub allowed: bool,
}

/// What of the person's device a page of a server may use, if they allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AppPermission {
    Camera,
    Microphone,
    Geolocation,
    ClipboardWrite,
}

impl AppPermission {
    pub const ALL: [Self; 4] = [Self::Camera, Self::Microphone, Self::Geolocation, Self::ClipboardWrite];

    /// As pages name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Camera => "camera",
            Self::Microphone => "microphone",
            Self::Geolocation => "geolocation",
            Self::ClipboardWrite => "clipboardWrite",
        }
    }

    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|permission| permission.name() == name)
    }

    /// As policies of browsers name it.
    pub fn feature(self) -> &'static str {
        match self {
            Self::Camera => "camera",
            Self::Microphone => "microphone",
            Self::Geolocation => "geolocation",
            Self::ClipboardWrite => "clipboard-write",
        }
    }
}

/// One tool, in the words of its server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct McpToolView {
    pub name: String,
    /// As agents call it.
    pub called: String,
    pub description: String,
    pub input_schema: Value,
    /// What its person says yes to.
    pub digest: String,
    /// The server says itself that calls may destroy something.
    pub is_destructive: bool,
    pub state: McpToolState,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum McpToolState {
    On,
    Off,
    /// It came later than its server, and is not called before its person says so.
    New,
    /// It is another one than its person said yes to, and is not called.
    Changed {
        difference: String,
    },
    Unusable {
        why: String,
    },
}

/// A server that an agent may be given, and whether it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpChoice {
    pub server: McpServerView,
    pub is_chosen: bool,
    /// Tools that are on and that it is not told of: those of all its servers say too much of themselves together.
    pub untold: usize,
}

/// A text that a server keeps for people to have their agents follow, in its own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpPrompt {
    pub name: String,
    pub title: String,
    pub description: String,
    pub arguments: Vec<McpPromptArgument>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpPromptArgument {
    pub name: String,
    pub description: String,
    pub is_required: bool,
}

/// A prompt that a person can use in a conversation with an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpCommand {
    pub server: McpServerId,
    pub server_name: String,
    pub prompt: McpPrompt,
}

/// What a person says that an argument is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpPromptValue {
    pub name: String,
    pub value: String,
}

/// Something that a server has to read, in its own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpResource {
    pub uri: String,
    pub name: String,
    pub description: String,
    /// Values take the place of what stands in braces.
    pub is_template: bool,
}

/// The page of a tool of a server, which shows its calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct McpApp {
    /// The tool, as its server calls it.
    pub name: String,
    pub input_schema: Value,
    pub server: McpServerId,
    pub server_name: String,
    /// Names the page with what it may reach.
    pub digest: String,
    pub is_bordered: bool,
    /// Hosts that it names and the person allowed: to speak with, and to have pictures, fonts, styles and scripts from.
    pub connect: Vec<String>,
    pub load: Vec<String>,
    /// Hosts that it wants to reach and that the person was not asked about: scheme, host and port.
    pub wanted: Vec<String>,
    /// What it names of the device and the person allowed, and what of that they were not asked about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<AppPermission>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wants_to_use: Vec<AppPermission>,
}

/// What the servers that an agent may use add to a conversation with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpCommands {
    pub prompts: Vec<McpCommand>,
    /// Id and name of the servers that have something to read.
    pub with_resources: Vec<(McpServerId, String)>,
}
