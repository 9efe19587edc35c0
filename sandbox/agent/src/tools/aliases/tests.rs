use super::*;
use crate::tools::{ResolvedCall, all};
use protocol::model::ToolCall;
use protocol::tool_names::OTHER_NAMES;
use serde_json::json;
use std::collections::BTreeSet;

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
    memory_write memory_search memory_list set_context
    list_tools create_tool delete_tool update_self skill_write";

#[test]
fn every_known_name_resolves() {
    for name in KNOWN.split_whitespace() {
        assert!(find(name).is_some(), "{name}");
    }
}

#[test]
fn an_alias_hides_no_tool_and_has_one_habit() {
    for habit in HABITS {
        let is_tool = all().iter().any(|tool| tool.name == habit.name);
        assert_eq!(is_tool, habit.name == habit.tool, "{}", habit.name);
        assert!(all().iter().any(|tool| tool.name == habit.tool), "{}", habit.name);
        let same = HABITS.iter().filter(|other| other.name == habit.name).count();
        assert_eq!(same, 1, "{}", habit.name);
    }
}

#[test]
fn who_shows_a_call_knows_every_other_name_and_what_it_means() {
    let shown = OTHER_NAMES
        .iter()
        .flat_map(|&(tool, action, names)| names.iter().map(move |&name| (name, tool, action)));
    let action = |habit: &Habit| habit.sets.iter().find(|(part, _)| *part == "action").map(|&(_, to)| to);
    let habits = HABITS.iter().filter(|habit| habit.name != habit.tool);
    let done: BTreeSet<_> = habits.map(|habit| (habit.name, habit.tool, action(habit))).collect();
    assert_eq!(shown.clone().count(), done.len(), "a name stands there twice");
    assert_eq!(shown.collect::<BTreeSet<_>>(), done);
}

#[test]
fn what_an_argument_is_called_here_the_tool_has() {
    for habit in HABITS.iter().filter(|habit| habit.turn.is_none()) {
        let schema = find(habit.tool).unwrap().spec().input_schema;
        let is_there = |name: &str| schema["properties"].get(name).is_some();
        for (there, here) in habit.renames {
            assert!(is_there(here), "{}: {here}", habit.name);
            assert!(!is_there(there), "{}: {there} is an argument of its own", habit.name);
        }
        assert!(habit.sets.iter().all(|(part, _)| is_there(part)), "{}", habit.name);
    }
}

fn resolved(name: &str, input: Value) -> ResolvedCall {
    ResolvedCall::of(ToolCall { id: "a".into(), name: name.to_owned(), input })
}

/// The tool and what it is called with, which fits its schema.
#[track_caller]
fn check(name: &str, input: Value, tool: &str, expected: Value) {
    let call = resolved(name, input);
    assert_eq!((call.name(), call.input()), (tool, &expected), "{name}");
    let schema = call.tool().unwrap().spec().input_schema;
    if let Err(problem) = jsonschema::validate(&schema, call.input()) {
        panic!("{name}: {problem}");
    }
}

#[test]
fn a_call_by_habit_is_one_in_the_tool_s_own_words() {
    let path = "/agent/a.md";
    for name in ["read", "Read", "read_file", "fs_read", "view", "view_file"] {
        check(name, json!({ "file_path": "a.md" }), "read", json!({ "path": path }));
        check(
            name,
            json!({ "path": "a.md", "view_range": [3, 5] }),
            "read",
            json!({ "path": path, "offset": 3, "limit": 3 }),
        );
        check(
            name,
            json!({ "path": "a.md", "view_range": [3, -1] }),
            "read",
            json!({ "path": path, "offset": 3 }),
        );
        check(
            name,
            json!({ "path": "a.md", "start_line": 2, "end_line": 4 }),
            "read",
            json!({ "path": path, "offset": 2, "limit": 3 }),
        );
    }
    for name in ["write", "Write", "write_file", "fs_write", "create_file"] {
        check(
            name,
            json!({ "file_path": "a.md", "file_text": "b" }),
            "write",
            json!({ "path": path, "content": "b" }),
        );
    }
    for (name, input, action) in [
        ("create_directory", json!({ "directory": "a.md" }), "mkdir"),
        ("filesystem", json!({ "operation": "create_directory", "path": "a.md" }), "mkdir"),
        ("filesystem", json!({ "command": "touch", "path": "a.md" }), "touch"),
        ("file_exists", json!({ "file_path": "a.md" }), "exists"),
    ] {
        check(name, input, "files", json!({ "action": action, "path": path }));
    }
    for (name, input, expected) in [
        (
            "LSP",
            json!({ "operation": "documentSymbol", "filePath": "a.md" }),
            json!({ "action": "outline", "path": path }),
        ),
        (
            "lsp",
            json!({ "method": "textDocument/references", "symbol": "moss" }),
            json!({ "action": "references", "name": "moss" }),
        ),
        (
            "lsp",
            json!({ "operation": "go_to_definition", "query": "moss" }),
            json!({ "action": "definitions", "name": "moss" }),
        ),
        ("document_symbols", json!({ "file_path": "a.md" }), json!({ "action": "outline", "path": path })),
        ("find_symbol", json!({ "symbol": "moss" }), json!({ "action": "definitions", "name": "moss" })),
        (
            "find_references",
            json!({ "symbol_name": "moss", "relative_path": "a.md" }),
            json!({ "action": "references", "name": "moss", "path": path }),
        ),
    ] {
        check(name, input, "symbols", expected);
    }
    let changed = json!({ "path": path, "old_string": "b", "new_string": "c" });
    for name in ["edit", "Edit", "edit_file", "str_replace", "search_replace", "multi_edit", "MultiEdit"] {
        check(name, json!({ "file_path": "a.md", "old_str": "b", "new_str": "c" }), "edit", changed.clone());
        check(
            name,
            json!({ "path": "a.md", "edits": [{ "oldText": "b", "newText": "c" }] }),
            "edit",
            json!({ "path": path, "edits": [{ "old_string": "b", "new_string": "c" }] }),
        );
    }
    for name in ["str_replace_based_edit_tool", "str_replace_editor"] {
        let call = |command: &str, mut input: Value| {
            input["command"] = command.into();
            input["path"] = "a.md".into();
            (name, input)
        };
        for ((name, input), tool, expected) in [
            (
                call("view", json!({ "view_range": [1, 2] })),
                "read",
                json!({ "path": path, "offset": 1, "limit": 2 }),
            ),
            (call("create", json!({ "file_text": "b" })), "write", json!({ "path": path, "content": "b" })),
            (call("str_replace", json!({ "old_str": "b", "new_str": "c" })), "edit", changed.clone()),
            (
                call("insert", json!({ "insert_line": 2, "insert_text": "b" })),
                "edit",
                json!({ "path": path, "insert_line": 2, "new_string": "b" }),
            ),
            (
                call("insert", json!({ "insert_line": 2, "new_str": "b" })),
                "edit",
                json!({ "path": path, "insert_line": 2, "new_string": "b" }),
            ),
            (call("undo_edit", json!({})), "files", json!({ "path": path, "action": "restore" })),
        ] {
            check(name, input, tool, expected);
        }
    }
    for name in ["terminal", "bash", "Bash", "shell", "exec_command", "run_terminal_cmd"] {
        check(
            name,
            json!({ "cmd": "ls", "timeout": 1500, "description": "Looks" }),
            "terminal",
            json!({ "command": "ls", "timeout_s": 2 }),
        );
        check(
            name,
            json!({ "command": ["bash", "-lc", "ls | wc"], "workdir": "/agent" }),
            "terminal",
            json!({ "command": "ls | wc", "path": "/agent" }),
        );
        check(
            name,
            json!({ "command": ["echo", "a b", "it's"], "timeout": 30 }),
            "terminal",
            json!({ "command": r"echo 'a b' 'it'\''s'", "timeout_s": 30 }),
        );
        for (time, seconds) in [(3600, 3600), (14_400, 14_400), (120_000, 120)] {
            check(
                name,
                json!({ "command": "ls", "background": true, "timeout": time }),
                "terminal",
                json!({ "command": "ls", "background": true, "timeout_s": seconds }),
            );
        }
    }
    for (name, input, tool, expected) in [
        (
            "Grep",
            json!({ "pattern": "b", "-i": true, "-C": 2, "-n": true, "head_limit": 9 }),
            "grep",
            json!({ "pattern": "b", "ignore_case": true, "context": 2, "limit": 9 }),
        ),
        (
            "fs_search",
            json!({ "query": "b", "directory": "notes", "case_sensitive": false }),
            "grep",
            json!({ "pattern": "b", "path": "/agent/notes", "ignore_case": true }),
        ),
        ("Glob", json!({ "pattern": "*.md" }), "glob", json!({ "pattern": "*.md" })),
        (
            "find_files",
            json!({ "query": "*.md", "dir": "notes" }),
            "glob",
            json!({ "pattern": "*.md", "path": "/agent/notes" }),
        ),
        (
            "list_directory",
            json!({ "directory": "notes" }),
            "files",
            json!({ "action": "list", "path": "/agent/notes" }),
        ),
        (
            "move_file",
            json!({ "source": "a.md", "destination": "b" }),
            "files",
            json!({ "action": "move", "path": path, "to": "/agent/b" }),
        ),
        ("delete_file", json!({ "file_path": "a.md" }), "files", json!({ "action": "delete", "path": path })),
        ("filesystem", json!({ "operation": "read", "path": "a.md" }), "read", json!({ "path": path })),
        (
            "filesystem",
            json!({ "action": "list", "path": "/" }),
            "files",
            json!({ "action": "list", "path": "/" }),
        ),
        ("parse_csv", json!({ "csv": "a,b" }), "convert", json!({ "text": "a,b", "from": "csv" })),
        (
            "convert_file",
            json!({ "input": "a.md", "target_format": "html", "output": "b.html" }),
            "convert",
            json!({ "path": path, "format": "html", "to": "/agent/b.html" }),
        ),
        ("open_file", json!({ "file": "a.md" }), "read", json!({ "path": path })),
        (
            "read_pdf",
            json!({ "file_path": "a.md", "page": 3 }),
            "read",
            json!({ "path": path, "pages": "3" }),
        ),
        (
            "read_document",
            json!({ "path": "a.md", "pages": [2, 3] }),
            "read",
            json!({ "path": path, "pages": "2-3" }),
        ),
        (
            "read_excel",
            json!({ "path": "a.md", "sheet_name": "Mosses", "cell_range": "A1:B2" }),
            "read",
            json!({ "path": path, "sheet": "Mosses", "range": "A1:B2" }),
        ),
        (
            "create_document",
            json!({ "filename": "a.docx", "markdown": "# b" }),
            "document",
            json!({ "path": "/agent/a.docx", "content": "# b" }),
        ),
        (
            "write_docx",
            json!({ "output_path": "a.docx", "text": "b" }),
            "document",
            json!({ "path": "/agent/a.docx", "format": "docx", "content": "b" }),
        ),
        (
            "create_presentation",
            json!({ "path": "a.pptx", "slides": [{ "title": "b" }] }),
            "document",
            json!({ "path": "/agent/a.pptx", "format": "pptx", "slides": [{ "title": "b" }] }),
        ),
        (
            "draw_chart",
            json!({ "chart_type": "column", "output": "a.png", "file_path": "a.md" }),
            "chart",
            json!({ "kind": "bar", "to": "/agent/a.png", "path": path }),
        ),
        (
            "write_stdin",
            json!({ "session_id": 3, "chars": "y\n", "yield_time_ms": 1000 }),
            "terminal",
            json!({ "action": "input", "job": 3, "text": "y\n", "wait_s": 1 }),
        ),
        ("BashOutput", json!({ "bash_id": "3" }), "terminal", json!({ "action": "output", "job": 3 })),
        (
            "TaskOutput",
            json!({ "task_id": "3", "block": true, "timeout": 600_000 }),
            "terminal",
            json!({ "action": "output", "job": 3, "wait_s": 60 }),
        ),
        (
            "TaskOutput",
            json!({ "task_id": "3", "block": false, "timeout": 30_000 }),
            "terminal",
            json!({ "action": "output", "job": 3 }),
        ),
        ("TaskStop", json!({ "task_id": "3" }), "terminal", json!({ "action": "stop", "job": 3 })),
        (
            "run_shell_command",
            json!({ "command": "ls", "description": "Looks", "dir_path": "notes", "is_background": true }),
            "terminal",
            json!({ "command": "ls", "path": "/agent/notes", "background": true }),
        ),
        ("read_many_files", json!({ "include": ["a.md"] }), "read", json!({ "path": path })),
        (
            "replace",
            json!({ "file_path": "a.md", "instruction": "Say c", "old_string": "b", "new_string": "c", "allow_multiple": true }),
            "edit",
            json!({ "path": path, "old_string": "b", "new_string": "c", "replace_all": true }),
        ),
        (
            "write_to_file",
            json!({ "path": "a.md", "content": "b" }),
            "write",
            json!({ "path": path, "content": "b" }),
        ),
        (
            "replace_in_file",
            json!({
                "path": "a.md",
                "diff": "------- SEARCH\nb\n c\n=======\nd\n+++++++ REPLACE\n\n<<<<<<< SEARCH\ne\n=======\n>>>>>>> REPLACE\n",
            }),
            "edit",
            json!({
                "path": path,
                "edits": [{ "old_string": "b\n c", "new_string": "d" }, { "old_string": "e\n", "new_string": "" }],
            }),
        ),
        ("KillShell", json!({ "shell_id": "3" }), "terminal", json!({ "action": "stop", "job": 3 })),
        (
            "WebFetch",
            json!({ "url": "https://a.example/", "prompt": "What?" }),
            "fetch",
            json!({ "url": "https://a.example/" }),
        ),
        (
            "TodoWrite",
            json!({ "todos": [{ "content": "b", "status": "completed", "activeForm": "c" }] }),
            "todo",
            json!({ "action": "replace", "tasks": [{ "text": "b", "state": "done" }] }),
        ),
        (
            "subagent",
            json!({ "prompt": "Find out what moss likes." }),
            "agent_spawn",
            json!({ "task": "Find out what moss likes.", "label": "Find out what moss" }),
        ),
        (
            "subagent",
            json!({ "prompt": "b", "description": "Moss" }),
            "agent_spawn",
            json!({ "task": "b", "label": "Moss" }),
        ),
        (
            "use_agent",
            json!({ "provider": "anthropic", "prompt": "b", "system_prompt": "You are moss." }),
            "agent_spawn",
            json!({ "task": "b", "label": "b", "instructions": "You are moss.", "wait_seconds": 300 }),
        ),
        (
            "use_agent",
            json!({ "agent": "Fern", "prompt": "b" }),
            "agent_ask",
            json!({ "agents": ["Fern"], "text": "b", "wait_seconds": 300 }),
        ),
        (
            "invoke_agent",
            json!({ "agent_id": "Fern", "message": "b", "wait_seconds": 5 }),
            "agent_ask",
            json!({ "agents": ["Fern"], "text": "b", "wait_seconds": 5 }),
        ),
        (
            "broadcast_to_agents",
            json!({ "message": "b" }),
            "agent_ask",
            json!({ "agents": ["all"], "text": "b", "wait_seconds": 300 }),
        ),
        (
            "invoke_remote_agent",
            json!({ "instance": "garden", "agent": "Fern", "message": "b" }),
            "agent_ask",
            json!({ "hub": "garden", "agents": ["Fern"], "text": "b", "wait_seconds": 300 }),
        ),
        (
            "worker_message",
            json!({ "worker_id": "w", "message": "b" }),
            "agent_send",
            json!({ "id": "w", "text": "b" }),
        ),
        ("list_agents", json!({}), "agent_list", json!({})),
        ("storage_get", json!({ "key": "a" }), "storage", json!({ "key": "a", "action": "get" })),
        (
            "extract_links",
            json!({ "uri": "https://a.example/" }),
            "fetch",
            json!({ "url": "https://a.example/", "format": "links" }),
        ),
        ("javascript_eval", json!({ "script": "1" }), "runjs", json!({ "code": "1" })),
    ] {
        check(name, input, tool, expected);
    }
}

#[test]
fn a_patch_of_one_file_is_what_it_does_to_that_and_one_of_several_stays_whole() {
    let patch = |text: &str| json!({ "input": format!("*** Begin Patch\n{text}\n*** End Patch\n") });
    let path = "/agent/a.md";
    for (input, tool, expected) in [
        (patch("*** Add File: a.md\n+b\n+\n+c"), "write", json!({ "path": path, "content": "b\n\nc\n" })),
        (
            patch("*** Update File: a.md\n@@ d\n-b\n+c"),
            "edit",
            json!({ "path": path, "patch": "@@ d\n-b\n+c" }),
        ),
        (patch("*** Delete File: a.md"), "files", json!({ "path": path, "action": "delete" })),
        (
            json!({ "type": "update_file", "path": "a.md", "diff": "@@\n-b\n+c" }),
            "edit",
            json!({ "path": path, "patch": "@@\n-b\n+c" }),
        ),
        (
            json!({ "operation": { "type": "delete_file", "path": "a.md" } }),
            "files",
            json!({ "path": path, "action": "delete" }),
        ),
    ] {
        check("apply_patch", input, tool, expected);
    }
    for text in [
        "*** Delete File: a.md\n*** Delete File: b.md",
        "*** Update File: a.md\n*** Move to: b.md\n@@\n-b\n+c",
    ] {
        let whole = patch(text);
        check("apply_patch", whole.clone(), "edit", json!({ "path": path, "patch": whole["input"] }));
    }
}

#[test]
fn what_nobody_knows_stays_and_own_words_come_first() {
    for (name, input) in [
        ("read", json!({ "path": "/agent/a", "colour": "green" })),
        ("read", json!({ "path": "/agent/a", "file_path": "/agent/b" })),
        ("dom", json!("{broken")),
        ("replace_in_file", json!({ "path": "/agent/a", "diff": "------- SEARCH\nb\n=======\nc" })),
        ("read_many_files", json!({ "paths": ["*.md"] })),
        ("bash", json!({ "command": "ls", "sudo": true })),
    ] {
        assert_eq!(resolved(name, input.clone()).input(), &input, "{name}");
    }
    assert!(resolved("nobody", json!({})).tool().is_none());
}
