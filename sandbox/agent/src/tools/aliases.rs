//! Other names of our tools: those that models and earlier products know them by.

use super::files::with_whole_paths;
use super::{Tool, find};
use serde_json::Value;

struct Alias {
    name: &'static str,
    tool: &'static str,
    /// What a part of the input is, if the other name says it.
    sets: Option<(&'static str, &'static str)>,
}

const ALIASES: &[Alias] = &[
    Alias { name: "javascript_eval", tool: "runjs", sets: None },
    Alias { name: "fetch_url", tool: "fetch", sets: None },
    Alias { name: "http_fetch", tool: "fetch", sets: None },
    Alias { name: "web_fetch", tool: "fetch", sets: None },
    Alias { name: "read_page", tool: "fetch", sets: None },
    Alias { name: "extract_links", tool: "fetch", sets: Some(("format", "links")) },
    Alias { name: "page_metadata", tool: "fetch", sets: Some(("format", "metadata")) },
    Alias { name: "fs_read", tool: "read", sets: None },
    Alias { name: "read_file", tool: "read", sets: None },
    Alias { name: "fs_write", tool: "write", sets: None },
    Alias { name: "write_file", tool: "write", sets: None },
    Alias { name: "multi_edit", tool: "edit", sets: None },
    Alias { name: "fs_search", tool: "grep", sets: None },
    Alias { name: "filesystem", tool: "files", sets: None },
    Alias { name: "fs_roots", tool: "files", sets: Some(("action", "list")) },
    Alias { name: "fs_tree", tool: "files", sets: Some(("action", "list")) },
    Alias { name: "fs_walk", tool: "files", sets: Some(("action", "list")) },
    Alias { name: "fs_stat", tool: "files", sets: Some(("action", "stat")) },
    Alias { name: "fs_copy", tool: "files", sets: Some(("action", "copy")) },
    Alias { name: "fs_move", tool: "files", sets: Some(("action", "move")) },
    Alias { name: "fs_delete", tool: "files", sets: Some(("action", "delete")) },
    Alias { name: "create_pdf", tool: "document", sets: Some(("format", "pdf")) },
    Alias { name: "create_chart", tool: "chart", sets: None },
    Alias { name: "parse_csv", tool: "convert", sets: Some(("from", "csv")) },
    Alias { name: "parse_json", tool: "convert", sets: Some(("from", "json")) },
    Alias { name: "get_diagnostics", tool: "diagnostics", sets: None },
    Alias { name: "bash", tool: "terminal", sets: None },
    Alias { name: "terminal_output", tool: "terminal", sets: Some(("action", "output")) },
    Alias { name: "bash_output", tool: "terminal", sets: Some(("action", "output")) },
    Alias { name: "terminal_input", tool: "terminal", sets: Some(("action", "input")) },
    Alias { name: "write_stdin", tool: "terminal", sets: Some(("action", "input")) },
    Alias { name: "terminal_stop", tool: "terminal", sets: Some(("action", "stop")) },
    Alias { name: "kill_shell", tool: "terminal", sets: Some(("action", "stop")) },
    Alias { name: "terminal_list", tool: "terminal", sets: Some(("action", "list")) },
    Alias { name: "scheduler", tool: "schedule", sets: None },
    Alias { name: "memory_write", tool: "memory", sets: Some(("action", "write")) },
    Alias { name: "memory_search", tool: "memory", sets: Some(("action", "search")) },
    Alias { name: "memory_list", tool: "memory", sets: Some(("action", "list")) },
    Alias { name: "memory_forget", tool: "memory", sets: Some(("action", "forget")) },
    Alias { name: "get_location", tool: "location", sets: None },
    Alias { name: "clipboard_read", tool: "clipboard", sets: Some(("action", "read")) },
    Alias { name: "clipboard_write", tool: "clipboard", sets: Some(("action", "write")) },
    Alias { name: "get_datetime", tool: "datetime", sets: None },
    Alias { name: "get_weather", tool: "weather", sets: None },
    Alias { name: "exchange_rate", tool: "exchange_rates", sets: None },
    Alias { name: "get_exchange_rates", tool: "exchange_rates", sets: None },
    Alias { name: "convert_currency", tool: "exchange_rates", sets: None },
    Alias { name: "subagent", tool: "agent_spawn", sets: None },
    Alias { name: "use_agent", tool: "agent_ask", sets: None },
    Alias { name: "invoke_agent", tool: "agent_ask", sets: None },
    Alias { name: "invoke_remote_agent", tool: "agent_ask", sets: None },
    Alias { name: "broadcast_to_agents", tool: "agent_ask", sets: None },
    Alias { name: "worker_message", tool: "agent_send", sets: None },
    Alias { name: "list_agents", tool: "agent_list", sets: None },
    Alias { name: "ask_question", tool: "ask_user", sets: None },
    Alias { name: "todo_add", tool: "todo", sets: Some(("action", "add")) },
    Alias { name: "todo_complete", tool: "todo", sets: Some(("action", "complete")) },
    Alias { name: "todo_list", tool: "todo", sets: Some(("action", "list")) },
    Alias { name: "storage_get", tool: "storage", sets: Some(("action", "get")) },
    Alias { name: "storage_set", tool: "storage", sets: Some(("action", "set")) },
];

/// The one name that a tool has here; other names are given back as they are.
pub fn canonical(name: &str) -> &str {
    alias(name).map_or(name, |alias| alias.tool)
}

/// The tool that a call means, and its input in that tool's words where those are others.
pub(super) fn resolve(name: &str, input: &Value) -> (Option<&'static Tool>, Option<Value>) {
    let sets = alias(name).and_then(|alias| alias.sets).filter(|_| input.is_object());
    let completed = sets.map(|(part, value)| {
        let mut input = input.clone();
        input[part] = Value::from(value);
        input
    });
    let tool = find(name);
    let read = completed.as_ref().unwrap_or(input);
    let whole = tool.and_then(|tool| with_whole_paths(tool.id, read));
    (tool, whole.or(completed))
}

fn alias(name: &str) -> Option<&'static Alias> {
    ALIASES.iter().find(|alias| alias.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::{ResolvedCall, all};
    use protocol::model::ToolCall;
    use serde_json::json;

    /// Every name of a tool in the four products that this one follows.
    const KNOWN: &str = "
        dom runjs state storage capabilities fetch files subagent web_fetch web_search context_search
        list_skills get_skill bash filesystem schedule view_state agent_respond worker_message audit_log
        render_ui javascript_eval storage_get storage_set fetch_url notify use_agent scheduler
        invoke_agent broadcast_to_agents list_agents invoke_remote_agent subscribe_topic publish_topic
        http_fetch read_page extract_links page_metadata
        fs_roots fs_tree fs_read fs_write fs_search fs_stat fs_copy fs_move fs_delete fs_walk
        parse_json parse_csv todo_list todo_add todo_complete ask_user tool_search
        get_datetime get_location get_weather clipboard_read clipboard_write
        memory_write memory_search memory_list
        list_tools create_tool delete_tool update_self skill_write";

    #[test]
    fn every_known_name_resolves() {
        for name in KNOWN.split_whitespace() {
            assert!(find(name).is_some(), "{name}");
        }
    }

    #[test]
    fn an_alias_hides_no_tool() {
        for alias in ALIASES {
            assert!(all().iter().all(|tool| tool.name != alias.name), "{}", alias.name);
            assert!(all().iter().any(|tool| tool.name == alias.tool), "{}", alias.name);
        }
    }

    #[test]
    fn an_alias_brings_the_part_of_the_input_that_it_says() {
        for (name, input, tool, expected) in [
            ("storage_get", json!({ "key": "a" }), "storage", json!({ "key": "a", "action": "get" })),
            ("extract_links", json!({ "url": "a" }), "fetch", json!({ "url": "a", "format": "links" })),
            ("javascript_eval", json!({ "code": "1" }), "runjs", json!({ "code": "1" })),
            ("dom", json!("{broken"), "dom", json!("{broken")),
        ] {
            let call = resolved(name, input);
            assert_eq!((call.name(), call.input()), (tool, &expected));
        }
        assert!(resolved("nobody", json!({})).tool().is_none());
    }

    fn resolved(name: &str, input: Value) -> ResolvedCall {
        ResolvedCall::of(ToolCall { id: "a".into(), name: name.to_owned(), input })
    }
}
