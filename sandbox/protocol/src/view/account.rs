//! The person who is signed in, and the ways into the hub.

use super::DiskRoom;
use super::{NamedAgent, NewChannel, NewReset, RecoveryCodes};
use crate::{ContextSource, DeviceId, Language, Micros, TokenId, UserId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Admin,
    Member,
    /// Works with what others share, and brings nothing in.
    Guest,
}

/// What not every role may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Right {
    /// Bring in servers for models and keys for them, and have the hub look for some.
    SaveProviders,
    MakeTokens,
    /// Invite and manage people, limit what they spend, enter what is known of models, read the
    /// audit.
    RunTheHub,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignUpMode {
    Invite,
    Open,
    Closed,
}

/// The signed-in person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Me {
    pub id: UserId,
    pub name: String,
    pub role: Role,
    #[serde(default)]
    pub rights: Vec<Right>,
    /// Notifications that they have not read, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<u32>,
    /// For who runs the hub, where its disk has not enough room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk: Option<DiskRoom>,
    /// What they chose. Absent: what their browser asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// What of their context their browsers report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<ContextSource>,
}

/// What a person's agents keep: logs, versions of pages and files, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Space {
    pub kept: u64,
    /// What they may. Absent: there is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<u64>,
}

/// What of a person's conversations is packed because nobody has used it for long, and when that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedConversations {
    /// After how many days without use; 0: never. Absent: as an administrator says for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<u32>,
    /// What an administrator says for all. Absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usual: Option<u32>,
    /// How many are packed, branches among them.
    pub conversations: u64,
    /// What was said in them, in bytes, as it counts for the person.
    pub bytes: u64,
    /// What they take.
    pub stored: u64,
}

/// What a visitor who is not signed in may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// No account exists: the set-up link makes the first one.
    pub needs_setup: bool,
    pub sign_up: SignUpMode,
    /// The connection is neither encrypted nor local: what is typed can be read on the way.
    pub insecure: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceView {
    pub id: DeviceId,
    /// From the user agent: "Firefox on Linux".
    pub name: String,
    pub created_at: i64,
    pub last_seen_at: i64,
    /// The device that asks.
    pub current: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenView {
    pub id: TokenId,
    pub name: String,
    #[serde(default)]
    pub scope: TokenScope,
    /// The program passes on what others wrote.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub relays: bool,
    /// The agents that it opens, but for those that are gone; absent: all of its person's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agents: Option<Vec<NamedAgent>>,
    /// What may be spent with it in a month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_month: Option<Micros>,
    pub created_at: i64,
    pub last_used_at: Option<i64>,
    /// Set where a program was let in by OAuth: its token is good for MCP alone, and ends at this time if the program
    /// stays away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<i64>,
}

/// What a program may do with a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenScope {
    /// What its person can do.
    #[default]
    Everything,
    /// Call models, and speak with agents, which do whatever they may.
    Agents,
    /// Call models, and nothing else.
    Models,
}

/// A program that asks a person for a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramAsks {
    /// Its own word for itself.
    pub client: String,
    /// The host that vouches for it; absent: none.
    pub host: Option<String>,
    /// The host, or the scheme of a program, to which the answer goes.
    pub goes_to: String,
    /// The answer stays on the person's own device.
    pub is_here: bool,
    pub scope: TokenScope,
}

/// What a person says to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantAnswer {
    Allow,
    Deny,
}

/// Shown once, when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewToken {
    pub token: String,
    pub view: TokenView,
}

/// Shown once, when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewInvite {
    /// Path of the sign-up page with the code: `/sign-up?invite=…`.
    pub path: String,
    pub expires_at: i64,
}

/// A one-time answer that a page without script fetches after the form's redirect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OneTime {
    Token(NewToken),
    Invite(NewInvite),
    Reset(NewReset),
    RecoveryCodes(RecoveryCodes),
    Channel(NewChannel),
    WebhookSecret(String),
}

/// Which model calls are made for a person in the background, after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideCallSettings {
    /// A conversation is named after its first answer.
    pub titles: bool,
    /// What is worth remembering of what a person said is put into what agents remember.
    pub memories: bool,
}
