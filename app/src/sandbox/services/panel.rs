//! What the shell shows of a page's wishes: one question at a time, notices, and what is in use.

use leptos::prelude::*;
use protocol::Permission;
use protocol::frame::ViewState;

/// Nothing of it is ever shown without script.
#[derive(Clone, Copy, Default)]
pub struct Panel {
    pub(super) card: RwSignal<Option<Card>>,
    pub(super) notices: RwSignal<Vec<Notice>>,
    pub(super) uses: RwSignal<Vec<Use>>,
}

/// A question to the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Card {
    pub id: u64,
    pub matter: Matter,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Matter {
    Permission(Permission),
    Link { host: String, url: String },
    View(ViewState),
}

/// What a person answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Until the page is closed or loaded anew.
    Once,
    Always,
    /// Until the person comes back to this agent.
    Deny,
    Never,
}

/// What the page told the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Notice {
    pub id: u64,
    pub title: Option<String>,
    pub text: String,
}

/// Something that is in use right now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Use {
    /// The request's.
    pub id: u64,
    pub what: Using,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Using {
    Permission(Permission),
    Voice,
}
