//! Tools that agents of flo.monster call and ours can do without: those who come from there have them, a new
//! agent only if its person chooses them.

use super::access::{Resource, ResourceUse};
use super::schema::{integer, object, one_of, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

/// It says to the page what the run's last words would say, so nobody is asked.
pub(super) const RESPOND: Tool = Tool {
    id: ToolId::AgentRespond,
    name: "agent_respond",
    summary: "Answer its page at once",
    description: "Answers the flo.ask of your page that this run is for, at once: with `result`, any JSON value, or with `error`, which the page gets as a failure. Without this call the page gets what you say last.",
    place: Executor::Hub,
    repeat: Repeat::Once,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[ResourceUse::reads(Resource::Place)],
    concurrency: Concurrency::Parallel,
    per_second: 10,
    cache: None,
    query: None,
    schema: respond,
};

pub(super) const VIEW: Tool = Tool {
    id: ToolId::ViewState,
    name: "view_state",
    summary: "Offer another view of its page",
    description: "Offers your person another view: `max` shows your page and the conversation, `ui-only` the page alone, `chat-only` the conversation alone, `min` the page in small. They decide. Your page has to be open.",
    place: Executor::Skin,
    repeat: Repeat::Once,
    risk: Risk::Low,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[ResourceUse::writes(Resource::Page)],
    concurrency: Concurrency::Alone,
    per_second: 1,
    cache: None,
    query: None,
    schema: view,
};

pub(super) const AUDIT: Tool = Tool {
    id: ToolId::AuditLog,
    name: "audit_log",
    summary: "See which tools it called",
    description: "Lists the calls of your tools, the newest first: when, by you or by your page, which tool, what it was about and what became of it.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Ask,
    uses: &[ResourceUse::reads(Resource::Log), ResourceUse::reads(Resource::Labels)],
    concurrency: Concurrency::Parallel,
    per_second: 2,
    cache: None,
    query: None,
    schema: audit,
};

pub(super) fn is_guest(tool: &Tool) -> bool {
    [RESPOND, VIEW, AUDIT].iter().any(|guest| guest.name == tool.name)
}

fn respond() -> Value {
    object(
        [
            ("result", json!({ "description": "What the page gets." })),
            ("error", text("Why there is no result, in words.")),
        ],
        &[],
    )
}

fn view() -> Value {
    object([("state", one_of(&["max", "ui-only", "chat-only", "min"], "The view."))], &["state"])
}

fn audit() -> Value {
    object(
        [
            ("source", one_of(&["agent", "srcdoc"], "Only calls of yours (agent) or of your page (srcdoc).")),
            ("since", integer(0, i64::MAX, "Only calls since then, in Unix milliseconds.")),
            ("limit", integer(1, 100, "At most so many calls. Default: 100.")),
            ("format", one_of(&["summary", "json", "jsonl"], "Lines of text, or JSON. Default: summary.")),
        ],
        &[],
    )
}
