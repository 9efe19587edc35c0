//! The tools about tools: list them, find them, make them, take them away.

use super::access::{Resource, ResourceUse};
use super::found::{CREATE, DELETE, SEARCH};
use super::schema::{integer, object, text};
use super::{Cache, Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

pub(super) const LIST: Tool = Tool {
    id: ToolId::ListTools,
    name: "list_tools",
    summary: "See all tools it has",
    description: "Lists all your tools by name with one line each, also those that you have to find with tool_search before you can call them.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Immediate,
    uses: &[ResourceUse::reads(Resource::Tools)],
    concurrency: Concurrency::Parallel,
    per_second: 2,
    cache: Some(Cache { ttl_ms: 300_000, entries: 1 }),
    query: None,
    schema: nothing,
};

pub(super) const FIND: Tool = Tool {
    id: ToolId::ToolSearch,
    name: SEARCH,
    summary: "Find tools that are not in its prompt",
    description: "Finds tools by what they do. You see only some of your tools at first; those that this finds can be called from the next turn on.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Immediate,
    uses: &[ResourceUse::reads(Resource::Tools)],
    concurrency: Concurrency::Parallel,
    per_second: 2,
    cache: Some(Cache { ttl_ms: 300_000, entries: 100 }),
    query: Some("query"),
    schema: find,
};

pub(super) const MAKE: Tool = Tool {
    id: ToolId::CreateTool,
    name: CREATE,
    summary: "Make tools of its own",
    description: "\
Makes a tool that you can call from the next turn on, in every conversation. A name that you gave before gets a new version; the names of built-in tools are taken.

The code is the body of an async function with the parameter `input`, an object that fits `input_schema`. It runs where runjs runs, under the same limits, and `return` gives the result.",
    place: Executor::Hub,
    repeat: Repeat::Keyed,
    risk: Risk::Medium,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[ResourceUse::writes(Resource::Tools)],
    concurrency: Concurrency::Alone,
    per_second: 2,
    cache: None,
    query: None,
    schema: make,
};

pub(super) const TAKE_AWAY: Tool = Tool {
    id: ToolId::DeleteTool,
    name: DELETE,
    summary: "Take away tools that it made",
    description: "Takes away a tool that you made with create_tool. Its versions stay in the log.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::Low,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[ResourceUse::writes(Resource::Tools)],
    concurrency: Concurrency::Alone,
    per_second: 2,
    cache: None,
    query: None,
    schema: delete,
};

fn nothing() -> Value {
    object([], &[])
}

fn find() -> Value {
    object(
        [
            ("query", text("What the tool is to do, in a few words.")),
            ("limit", integer(1, 20, "At most so many tools. Default: 5.")),
        ],
        &["query"],
    )
}

fn make() -> Value {
    object(
        [
            ("name", name()),
            ("description", text("What the tool does and when to call it, as you want to read it later.")),
            (
                "input_schema",
                json!({ "type": "object", "description": "The JSON Schema of its input: type object, with properties." }),
            ),
            ("code", text("The body of an async function of `input`.")),
        ],
        &["name", "description", "input_schema", "code"],
    )
}

fn delete() -> Value {
    object([("name", name())], &["name"])
}

fn name() -> Value {
    json!({
        "type": "string",
        "pattern": "^[a-z][a-z0-9_]{1,63}$",
        "description": "Small letters, digits and underscores, a letter first.",
    })
}
