//! Two stores of keys and values with the same actions: one shared with the page, one private.

use super::access::{Resource, ResourceUse};
use super::schema::{object, one_of};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use crate::rules::MAX_CONDITION_BYTES;
use serde_json::{Value, json};

const WRITING: &[&str] = &["set", "delete"];
/// Rules belong to their key.
const READING_STATE: &[&str] = &["get", "list", "rules"];
const WRITING_STATE: &[&str] = &["set", "delete", "escalate", "clear_rule"];
const LONGEST_KEY: usize = 200;

pub(super) const STATE: Tool = Tool {
    id: ToolId::State,
    name: "state",
    summary: "Read and write the state that it shares with its page",
    description: "\
Reads and writes the state that you share with your page: what is set here is in `flo.state` there, at once and on every device, and the other way round. It outlives reloads.

Actions: get gives the value of `key` (null if there is none), set stores `value` under `key`, delete removes `key`, list gives all keys with their values. escalate makes a rule about `key`: when `when` comes true, whoever wrote the value, you are woken with `message`. There is one rule for a key; clear_rule takes it away, rules gives all.

`when` is always, changed, or a comparison like `> 10`, `== \"done\"`, `.items.0.count >= 3`, joined by and, or, not and parentheses. A comparison wakes you when it comes true, not again while it stays true.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::Low,
    risk_by_input: None,
    page: PageTier::Immediate,
    uses: &[
        ResourceUse::reads(Resource::State).at("key").on(READING_STATE),
        ResourceUse::reads(Resource::State).on(&["list"]),
        ResourceUse::reads(Resource::Labels).on(&["rules"]),
        ResourceUse::writes(Resource::State).at("key").on(WRITING_STATE),
    ],
    concurrency: Concurrency::Parallel,
    per_second: 10,
    cache: None,
    query: None,
    schema: state_schema,
};

pub(super) const STORAGE: Tool = Tool {
    id: ToolId::Storage,
    name: "storage",
    summary: "Keep notes of its own, out of the page's reach",
    description: "\
Keeps values for you alone: your page cannot read them, and they stay from one conversation to the next. Use it to remember what you learned.

Actions: get gives the value of `key` (null if there is none), set stores `value` under `key`, delete removes `key`, list gives all keys with their values.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::Low,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[
        ResourceUse::reads(Resource::Storage).at("key").on(&["get"]),
        ResourceUse::reads(Resource::Storage).on(&["list"]),
        ResourceUse::writes(Resource::Storage).at("key").on(WRITING),
    ],
    concurrency: Concurrency::Parallel,
    per_second: 10,
    cache: None,
    query: None,
    schema,
};

fn state_schema() -> Value {
    let actions = ["get", "set", "delete", "list", "escalate", "rules", "clear_rule"];
    object(
        [
            ("action", one_of(&actions, "What to do.")),
            ("key", key("The name of the value (every action but list and rules, where it is needed).")),
            ("value", value()),
            ("when", short_text("The condition (escalate, where it is needed).")),
            ("message", short_text("What you are to be told (escalate, where it is needed).")),
        ],
        &["action"],
    )
}

fn schema() -> Value {
    object(
        [
            ("action", one_of(&["get", "set", "delete", "list"], "What to do.")),
            ("key", key("The name of the value (get, set, delete, where it is needed).")),
            ("value", value()),
        ],
        &["action"],
    )
}

fn key(description: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "description": description })
}

fn value() -> Value {
    json!({ "description": "Any JSON value but null (set, where it is needed)." })
}

fn short_text(description: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": MAX_CONDITION_BYTES, "description": description })
}
