//! The tool with which an agent notes something of its person's context.

use super::access::{Resource, ResourceUse};
use super::schema::object;
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

pub const SET_CONTEXT: &str = "set_context";
/// Longest name and longest value of a key, in characters.
pub const LONGEST_KEY: usize = 40;
pub const LONGEST_KEY_VALUE: usize = 200;

/// What is written is told to other agents of the same person, too.
pub(super) const TOOL: Tool = Tool {
    id: ToolId::SetContext,
    name: SET_CONTEXT,
    summary: "Note keys of your context, which your agents are told",
    description: "\
Keeps `value` under `name` in your person's context: what holds for now and all their agents are to know (\"travelling\": \"in Lisbon until Friday\"). It is told from the next run on, until it is changed; an empty `value` removes it. Your person sees every key. What lasts belongs into `memory`; no keys and passwords.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::Low,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[ResourceUse::writes(Resource::Memory)],
    concurrency: Concurrency::Alone,
    per_second: 2,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    let name = json!({ "type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "description": "What it is about." });
    let value = json!({ "type": "string", "maxLength": LONGEST_KEY_VALUE, "description": "What holds now. Empty: nothing." });
    object([("name", name), ("value", value)], &["name", "value"])
}
