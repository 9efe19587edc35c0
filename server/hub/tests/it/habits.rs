//! Tools by other names and with other arguments: what models and other products call them by does what it says.

use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use serde_json::{Value, json};

/// What is called, with what, and what the answer or the refusal says.
struct Case(&'static str, Value, Result<&'static str, &'static str>);

fn patch(of: &str) -> Value {
    json!({ "input": format!("*** Begin Patch\n{of}\n*** End Patch") })
}

/// One after the other, each on the files that those before left.
fn cases() -> Vec<Case> {
    vec![
        Case("write_file", json!({ "file_path": "a.md", "file_text": "one\ntwo\nthree\n" }), Ok("created")),
        Case("Read", json!({ "file_path": "a.md", "offset": 2, "limit": 1 }), Ok("2\\ttwo")),
        Case("view", json!({ "path": "a.md", "view_range": [2, 3] }), Ok("2\\ttwo\\n3\\tthree")),
        Case("fs_read", json!({ "filename": "a.md", "start_line": 3, "end_line": 3 }), Ok("3\\tthree")),
        Case("str_replace", json!({ "path": "a.md", "old_str": "two", "new_str": "2" }), Ok("+2")),
        Case("Edit", json!({ "file_path": "a.md", "old_string": "2", "new_string": "zwei" }), Ok("+zwei")),
        Case(
            "edit_file",
            json!({ "path": "a.md", "edits": [{ "oldText": "one", "newText": "eins" }] }),
            Ok("+eins"),
        ),
        Case(
            "str_replace_based_edit_tool",
            json!({ "command": "insert", "path": "a.md", "insert_line": 1, "insert_text": "between" }),
            Ok("+between"),
        ),
        Case(
            "str_replace_editor",
            json!({ "command": "view", "path": "a.md" }),
            Ok("2\\tbetween\\n3\\tzwei"),
        ),
        Case("str_replace_editor", json!({ "command": "undo_edit", "path": "a.md" }), Ok("restored")),
        Case("read", json!({ "path": "a.md" }), Ok("1\\teins\\n2\\tzwei\\n3\\tthree")),
        Case(
            "apply_patch",
            patch("*** Update File: a.md\n@@ eins\n-zwei\n+deux\n three"),
            Ok("-zwei\\n+deux"),
        ),
        Case("apply_patch", patch("*** Add File: b/c.md\n+moss\n+fern"), Ok("created")),
        Case(
            "apply_patch",
            patch("*** Delete File: b/c.md\n*** Update File: a.md\n@@\n-zwei\n+2"),
            Err("/agent/a.md: What it is about is not there"),
        ),
        Case(
            "apply_patch",
            patch("*** Update File: a.md\n*** Move to: g.md\n@@\n-deux\n+2\n\n*** Add File: h.md\n+new"),
            Ok("\"did\":\"moved\""),
        ),
        Case("read", json!({ "path": "g.md" }), Ok("1\\teins\\n2\\t2\\n3\\tthree")),
        Case(
            "apply_patch",
            patch("*** Update File: g.md\n*** Move to: h.md\n*** Delete File: b/c.md"),
            Err("already. Choose another path. Nothing of the patch was applied."),
        ),
        Case(
            "apply_patch",
            patch("*** Update File: g.md\n@@\n-2\n+zwei\n*** Update File: h.md\n@@\n-new\n+neu"),
            Ok("-new\\n+neu"),
        ),
        Case("apply_patch", patch("*** Delete File: g.md\n*** Delete File: h.md"), Ok("\"did\":\"deleted\"")),
        Case(
            "Grep",
            json!({ "pattern": "MOSS", "-i": true, "-A": 1, "output_mode": "content", "type": "md" }),
            Ok("c.md-2-fern"),
        ),
        Case("fs_search", json!({ "query": "fern", "directory": "b" }), Ok("/agent/b/c.md")),
        Case("Glob", json!({ "pattern": "**/*.md" }), Ok("/agent/b/c.md")),
        Case("LS", json!({ "dir": "b" }), Ok("c.md (10 bytes)")),
        Case("fs_tree", json!({ "path": "/agent" }), Ok("c.md (10 bytes)")),
        Case("filesystem", json!({ "operation": "read", "path": "b/c.md" }), Ok("1\\tmoss")),
        Case("filesystem", json!({ "action": "write", "path": "d.md", "content": "new" }), Ok("created")),
        Case("fs_copy", json!({ "source": "d.md", "destination": "e.md" }), Ok("/agent/e.md")),
        Case("move_file", json!({ "source": "e.md", "destination": "f.md" }), Ok("/agent/f.md")),
        Case("fs_stat", json!({ "file_path": "f.md" }), Ok("\"lines\":1")),
        Case("delete_file", json!({ "path": "f.md" }), Ok("in_the_bin")),
        Case("apply_patch", patch("*** Delete File: b"), Err("is for one file")),
        Case("apply_patch", patch("*** Delete File: d.md"), Ok("in_the_bin")),
        Case("parse_csv", json!({ "csv": "a;b\n1;2\n" }), Ok("\\\"a\\\": \\\"1\\\"")),
        Case(
            "TodoWrite",
            json!({ "todos": [{ "content": "water", "status": "completed", "activeForm": "watering" }] }),
            Ok("water"),
        ),
        Case("storage_set", json!({ "key": "k", "value": 3 }), Ok("")),
        Case("storage_get", json!({ "key": "k" }), Ok("3")),
        Case("get_datetime", json!({ "tz": "Europe/Berlin" }), Ok("Berlin")),
        // What nobody knows is told, and own words are not guessed at.
        Case("Read", json!({ "file_path": "b/c.md", "colour": "green" }), Err("colour")),
        Case("read", json!({ "file_path": "b/c.md", "path": "d.md" }), Err("file_path")),
        Case("str_replace", json!({ "path": "b/c.md", "old_str": "moss" }), Err("new_string")),
        Case("str_replace_editor", json!({ "command": "destroy", "path": "b/c.md" }), Err("command")),
    ]
}

#[tokio::test]
async fn a_call_by_habit_does_what_it_says() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let tools =
            ["read", "write", "edit", "glob", "grep", "files", "convert", "todo", "storage", "datetime"];
        Definition::like(&agent).tools(tools).replace(&scoped, &agent.id).await;
        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        let cases = cases();
        let asked: Vec<(&str, Value)> =
            cases.iter().map(|Case(name, input, _)| (*name, input.clone())).collect();
        // A run has so many rounds and no more.
        let mut told = Vec::new();
        for some in asked.chunks(12) {
            told.extend(calls(&scoped, &agent.id, &talk, some).await);
        }
        for (Case(name, input, expected), (failed, said)) in cases.iter().zip(&told) {
            let (Ok(part) | Err(part)) = expected;
            assert!(*failed == expected.is_err() && said.contains(part), "{name} {input}: {said}");
        }
    })
    .await;
}
