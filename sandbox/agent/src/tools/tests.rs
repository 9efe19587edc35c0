use super::*;
use protocol::model::ToolCall;
use serde_json::json;
use std::collections::BTreeSet;

#[test]
fn every_tool_is_declared_in_full() {
    let (mut names, mut ids) = (BTreeSet::new(), Vec::new());
    for tool in all() {
        let name = tool.name;
        assert!(!ids.contains(&tool.id), "{name} has the id of another one");
        ids.push(tool.id);
        let spec = tool.spec();
        assert!(names.insert(name), "{name} is there twice");
        assert_eq!(spec.name, name);
        assert!(
            (1..=60).contains(&tool.summary.len())
                && !tool.summary.contains('\n')
                && !tool.summary.ends_with('.'),
            "{name}: the summary is one short line"
        );
        assert!(spec.description.len() > 40, "{name} is described");

        let schema = &spec.input_schema;
        assert_eq!(schema["type"], "object", "{name}");
        assert_eq!(schema["additionalProperties"], false, "{name} is closed");
        let properties = schema["properties"].as_object().expect("properties");
        for (property, inner) in properties {
            let description = inner["description"].as_str().unwrap_or_default();
            assert!(description.ends_with('.'), "{name}.{property} is described");
        }
        for required in schema["required"].as_array().expect("a list of names") {
            let required = required.as_str().expect("a name");
            assert!(properties.contains_key(required), "{name}.{required}");
        }
        // Providers refuse these at the top of a tool's schema.
        for keyword in ["allOf", "anyOf", "oneOf", "not", "enum", "if"] {
            assert!(schema.get(keyword).is_none(), "{name} has {keyword}");
        }
        assert_eq!(find(name).map(|tool| tool.name), Some(name));
    }
    assert!(find("nobody").is_none());
}

#[test]
fn every_action_is_described() {
    for (tool, mark) in [("dom", "\n- {}: "), ("state", " {} "), ("storage", " {} ")] {
        let spec = find(tool).expect("a declared tool").spec();
        let actions = spec.input_schema["properties"]["action"]["enum"].clone();
        let actions: Vec<String> = serde_json::from_value(actions).expect("names");
        assert!(actions.len() >= 4);
        for action in actions {
            let line = mark.replace("{}", &action);
            assert!(spec.description.contains(&line), "{tool} {action}");
        }
    }
}

#[test]
fn every_tool_says_what_its_calls_do() {
    for tool in all() {
        let (name, schema) = (tool.name, tool.spec().input_schema);
        let has = |property: &str| schema["properties"].get(property).is_some();
        let writes = tool.uses.iter().any(|used| used.access == Access::Write);
        assert!(!tool.uses.is_empty(), "{name} reads or writes something");
        assert_eq!(tool.risk == Risk::None, !writes, "{name}: a tool that only looks has no risk");
        assert!(writes || tool.concurrency == Concurrency::Parallel, "{name} only looks");
        assert!(tool.cache.is_none() || !writes, "{name}: only what is read is cached");
        assert!(tool.uses.iter().filter_map(|used| used.key).all(has), "{name} names its keys");
        assert!(tool.query.is_none_or(has), "{name} names what it searches for");
        let expected = match (tool.place, name) {
            (Executor::Skin, _) => Repeat::Once,
            (Executor::Hub, "create_tool") => Repeat::Keyed,
            (
                Executor::Hub,
                "fetch" | "schedule" | "update_self" | "agent_respond" | "write" | "edit" | "document"
                | "files" | "terminal" | "todo" | "agent_spawn" | "agent_ask" | "agent_send" | "agent_stop"
                | "pipeline_create" | "pipeline_cancel" | "publish_topic" | "external_job" | "convert"
                | "chart" | "notify",
            ) => Repeat::Once,
            (Executor::Hub, _) => Repeat::Idempotent,
        };
        assert_eq!(tool.repeat, expected, "{name}");
    }
}

#[test]
fn a_new_agent_has_its_page_and_its_memory() {
    let usual: Vec<&str> = all().iter().filter(|tool| tool.is_usual()).map(|tool| tool.name).collect();
    let expected = [
        "dom",
        "runjs",
        "skins",
        "render_ui",
        "state",
        "storage",
        "capabilities",
        "datetime",
        "calc",
        "read",
        "write",
        "edit",
        "document",
        "convert",
        "chart",
        "glob",
        "grep",
        "diagnostics",
        "files",
        "context_search",
        "memory",
        "list_skills",
        "get_skill",
        "schedule",
        "ask_user",
        "notify",
        "todo",
    ];
    assert_eq!(usual, expected);
}

#[test]
fn every_action_reads_or_writes() {
    for tool in all() {
        let actions: Vec<String> =
            serde_json::from_value(tool.spec().input_schema["properties"]["action"]["enum"].clone())
                .unwrap_or_default();
        let declared: BTreeSet<&str> = tool.uses.iter().flat_map(|used| used.actions).copied().collect();
        assert_eq!(declared, actions.iter().map(String::as_str).collect(), "{}", tool.name);
    }
}

#[test]
fn calls_that_may_get_in_each_other_s_way_are_known() {
    for (writer, other, expected) in [
        (
            call("state", json!({ "action": "set", "key": "a" })),
            call("state", json!({ "action": "get", "key": "a" })),
            true,
        ),
        (
            call("state", json!({ "action": "set", "key": "a" })),
            call("state", json!({ "action": "get", "key": "b" })),
            false,
        ),
        (
            call("state", json!({ "action": "set", "key": "a" })),
            call("state", json!({ "action": "list" })),
            true,
        ),
        (
            call("state", json!({ "action": "set", "key": "a" })),
            call("state", json!({ "action": "list", "key": "b" })),
            true,
        ),
        (
            call("state", json!({ "action": "set", "key": "a" })),
            call("storage", json!({ "action": "get", "key": "a" })),
            false,
        ),
        (
            call("state", json!({ "action": "get", "key": "a" })),
            call("state", json!({ "action": "get", "key": "a" })),
            false,
        ),
        (call("runjs", json!({})), call("dom", json!({ "action": "query" })), true),
        (call("runjs", json!({})), call("datetime", json!({})), false),
        (call("dom", json!({ "action": "query" })), call("dom", json!({ "action": "create" })), false),
        (call("unknown", json!({})), call("datetime", json!({})), true),
        (call("datetime", json!({})), call("unknown", json!({})), false),
    ] {
        assert_eq!(writer.may_change(&other), expected, "{writer:?} {other:?}");
    }
}

#[test]
fn what_a_call_reads_is_known_part_by_part() {
    for (name, input, of, part, expected) in [
        ("state", json!({ "action": "get", "key": "a" }), Resource::State, Some("a"), true),
        ("state", json!({ "action": "get", "key": "a" }), Resource::State, Some("b"), false),
        ("state", json!({ "action": "get", "key": "a" }), Resource::State, None, true),
        ("state", json!({ "action": "list" }), Resource::State, Some("b"), true),
        ("state", json!({ "action": "set", "key": "a" }), Resource::State, Some("a"), false),
        ("state", json!({ "action": "get", "key": "a" }), Resource::Storage, Some("a"), false),
        ("list_tools", json!({}), Resource::Tools, None, true),
    ] {
        assert_eq!(call(name, input.clone()).reads(of, part), expected, "{name} {input} {of:?} {part:?}");
    }
}

#[test]
fn specs_have_one_order_and_skip_unknown_names() {
    let names = ["datetime", "nothing", "dom", "datetime"].map(str::to_owned);
    let found: Vec<String> = specs(&names).into_iter().map(|spec| spec.name).collect();
    assert_eq!(found, ["dom", "datetime"]);
}

fn call(name: &str, input: Value) -> ResolvedCall {
    ResolvedCall::of(ToolCall { id: "c".into(), name: name.to_owned(), input })
}
