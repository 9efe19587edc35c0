//! The tool with which an agent keeps a list of what there is to do, in sight of its person.

use super::access::{Resource, ResourceUse};
use super::schema::{integer, object, one_of, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

const STATES: &[&str] = &["pending", "in_progress", "done", "cancelled"];

pub(super) const TOOL: Tool = Tool {
    id: ToolId::Todo,
    name: "todo",
    summary: "Keep a list of tasks that you see and can tick",
    description: "\
Keeps the list of tasks of this conversation. Your person sees it beside what you say and can add, tick and strike tasks; you are told before your next turn. Use it for work of three steps or more: write the list before you begin, mark a task as in_progress when you take it up and as done as soon as it is, one at a time.

Actions: list gives the tasks with their ids. replace puts `tasks` in the place of all. add puts `text` at the end. change gives the task `id` another `state` or `text`. complete marks the task `id` as done. Each answers with the whole list. It holds 50 tasks, each of 200 characters.",
    place: Executor::Hub,
    repeat: Repeat::Once,
    risk: Risk::Low,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[
        ResourceUse::reads(Resource::Todo).on(&["list"]),
        ResourceUse::writes(Resource::Todo).on(&["replace", "add", "change", "complete"]),
    ],
    concurrency: Concurrency::Parallel,
    per_second: 2,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object(
        [
            ("action", one_of(&["list", "replace", "add", "change", "complete"], "What to do.")),
            (
                "tasks",
                json!({
                    "type": "array",
                    "maxItems": 50,
                    "items": object(
                        [
                            ("text", text("What is to be done.")),
                            ("state", one_of(STATES, "How far it is. Default: pending.")),
                        ],
                        &["text"],
                    ),
                    "description": "All tasks, in their order (replace).",
                }),
            ),
            ("text", text("What is to be done (add, change).")),
            ("id", integer(1, 1_000_000, "The task, as list names it (change, complete).")),
            ("state", one_of(STATES, "How far it is (change).")),
        ],
        &["action"],
    )
}
