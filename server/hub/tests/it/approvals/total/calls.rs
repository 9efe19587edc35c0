//! How each tool is called, and where what it does shows.

use super::HEARD;
use crate::world::Sink;
use agent::tools::{self, Access, PageTier};
use serde_json::{Value, json};

/// A call of the tool with an effect that can be counted, if it has any.
pub fn call_of(name: &str, sink: &Sink) -> Value {
    let input = match name {
        "dom" => json!({ "action": "create", "html": "<p>moss</p>" }),
        "runjs" => json!({ "code": "document.body.textContent = 1" }),
        "skins" => json!({ "action": "save", "name": "evening" }),
        "state" | "storage" => json!({ "action": "set", "key": "a", "value": 1 }),
        "fetch" => json!({ "url": sink.url("/"), "method": "POST", "body": "moss" }),
        "context_search" | "tool_search" | "web_search" | "research_topic" => json!({ "query": "moss" }),
        "read" => json!({ "path": "moss.md" }),
        "write" => json!({ "path": "moss.md", "content": "moss" }),
        "document" => json!({ "path": "moss.docx", "content": "# Moss" }),
        "edit" => json!({ "path": "moss.md", "old_string": "moss", "new_string": "fern" }),
        "glob" => json!({ "pattern": "*.md" }),
        "diagnostics" => json!({ "path": "/agent" }),
        "symbols" => json!({ "action": "outline" }),
        "grep" => json!({ "pattern": "moss" }),
        "files" => json!({ "action": "copy", "path": "moss.md", "to": "fern.md" }),
        "create_tool" => made("triple"),
        "delete_tool" => json!({ "name": "double" }),
        "render_ui" => json!({ "html": "<p>moss</p>", "title": "Moss" }),
        "get_skill" => json!({ "name": "page-api" }),
        "skill_write" => json!({ "name": "moss", "description": "Knows moss.", "text": "Water it." }),
        "schedule" => json!({
            "action": "create", "kind": "every", "minutes": 500_000, "name": "Moss", "message": "Water it.",
        }),
        "update_self" => json!({ "action": "append", "text": "Water the moss." }),
        "terminal" => json!({ "command": "echo moss > shell.md" }),
        "memory" => json!({ "action": "write", "text": "They like moss." }),
        "set_context" => json!({ "name": "moss", "value": "wet" }),
        "todo" => json!({ "action": "add", "text": "Water the moss" }),
        "agent_spawn" => json!({ "label": "Moss", "task": "Say moss.", "wait_seconds": 60 }),
        "agent_ask" => json!({ "agents": ["Beside"], "text": "Say moss.", "wait_seconds": 60 }),
        "pipeline_create" => json!({
            "title": "Moss",
            "tasks": [
                { "id": "yours", "title": "Yours", "approval": true },
                { "id": "moss", "title": "Moss", "instruction": "Say moss.", "depends_on": ["yours"] },
            ],
        }),
        "external_job" => json!({ "action": "start", "service": "ci", "job": "moss" }),
        "publish_topic" => json!({ "topic": "moss", "text": "Say moss." }),
        "subscribe_topic" => json!({ "topic": "moss" }),
        "unsubscribe_topic" => json!({ "topic": HEARD }),
        "agent_respond" => json!({ "result": { "moss": 1 } }),
        "view_state" => json!({ "state": "max" }),
        "chart" => json!({ "kind": "bar", "to": "a.svg", "columns": ["a", "b"], "rows": [["c", 1]] }),
        "convert" => json!({ "text": "a\n1\n", "from": "csv", "to": "a.json" }),
        "notify" => json!({ "text": "Moss." }),
        "location" => json!({}),
        "clipboard" => json!({ "action": "write", "text": "moss" }),
        "calc" => json!({ "expression": "1 + 1" }),
        "weather" => json!({ "place": "Berlin" }),
        "exchange_rates" => json!({ "base": "EUR" }),
        "capabilities" | "datetime" | "list_tools" | "list_skills" | "audit_log" | "agent_list"
        | "pipeline_status" | "list_topics" | "double" => json!({}),
        name => panic!("say how to call {name} so that its effect can be counted"),
    };
    json!({ "tool": name, "input": input })
}

pub fn made(name: &str) -> Value {
    json!({
        "name": name,
        "description": "Multiplies.",
        "input_schema": { "type": "object", "properties": {} },
        "code": "return 1",
    })
}

/// All tools there are, one that the agent made among them, before that one is taken away. A call of `ask_user` is
/// a question itself, and waits for an answer whatever is allowed. Those that name what was asked before have a story
/// in `delegations`.
pub fn names() -> Vec<&'static str> {
    let mut names = vec!["double"];
    let others = ["ask_user", "agent_wait", "agent_result", "agent_send", "agent_stop", "pipeline_cancel"];
    names.extend(tools::all().iter().map(|tool| tool.name).filter(|name| !others.contains(name)));
    names
}

/// Whether a call that may be made does something.
fn writes(name: &str) -> bool {
    tools::find(name).is_none_or(|tool| tool.uses.iter().any(|used| used.access == Access::Write))
}

/// Where the effect of a call of the tool shows.
pub fn effect_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "dom" | "runjs" | "view_state" | "double" => "page",
        "skins" | "write" | "document" | "convert" | "chart" | "files" | "terminal" => "files",
        "edit" => "version",
        "state" => "state",
        "storage" => "storage",
        "fetch" | "web_search" | "research_topic" | "external_job" => "web",
        "create_tool" => "tool made",
        "delete_tool" => "tool deleted",
        "render_ui" => "shown",
        "schedule" => "schedule",
        "todo" => "todo",
        "agent_spawn" | "agent_ask" => "delegation",
        "pipeline_create" => "pipeline",
        "publish_topic" => "published",
        "subscribe_topic" => "subscribed",
        "unsubscribe_topic" => "unsubscribed",
        "update_self" => "instructions",
        "memory" => "memory",
        "set_context" => "context",
        "notify" => "notified",
        "location" | "clipboard" => "device",
        "skill_write" => "skill",
        name => {
            assert!(!writes(name), "say where the effect of {name} shows");
            return None;
        }
    })
}

pub fn is_of_the_web(name: &str) -> bool {
    tools::find(name).is_some_and(tools::Tool::is_of_the_web)
}

pub fn is_for_pages(name: &str) -> bool {
    tools::find(name).is_none_or(|tool| tool.page != PageTier::Blocked)
}
