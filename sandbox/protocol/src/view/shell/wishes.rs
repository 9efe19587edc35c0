//! What an agent's page wants of the person: one question at a time, notices, and what is in use.

use crate::Permission;
use crate::frame::ViewState;

/// A question to the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    pub id: u64,
    pub matter: PromptSubject,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PromptSubject {
    Permission(Permission),
    Link {
        host: String,
        url: String,
    },
    View(ViewState),
    /// One of this device, which the person opened for the agent once.
    Folder {
        name: String,
    },
}

/// What a person answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptAnswer {
    /// Until the page is closed or loaded anew.
    Once,
    Always,
    /// Until the person comes back to this agent.
    Deny,
    Never,
}

/// What the page told the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub id: u64,
    pub title: Option<String>,
    pub text: String,
}

/// Something that is in use right now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActiveUse {
    /// The request's.
    pub id: u64,
    pub what: UseKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseKind {
    Permission(Permission),
    Voice,
}
