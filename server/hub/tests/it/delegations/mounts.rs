//! Which folders of its maker's a sub-agent has.

use super::{TOOLS, all, answer, log, results, says, spawn, wait};
use crate::talk::{ada, ask, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use serde_json::{Value, json};

fn among(mounts: &[&str], label: &str, task: &str) -> Value {
    let mut call = spawn(label, task);
    call["input"]["mounts"] = json!(mounts);
    call
}

#[tokio::test]
async fn a_sub_agent_has_the_folders_that_it_was_left_and_leaves_no_more_to_others() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let tools = TOOLS.into_iter().chain(["glob"]);
        let leader =
            scoped.agents().edit(&view.id, Definition::like(&view).tools(tools).draft()).await.unwrap();
        let write = |path: &str| ("write", json!({ "path": path, "content": "Green." }));
        let files = [write("/agent/moss/a.md"), write("/agent/fern/b.md")];
        calls(&scoped, &leader.id, &leader.conversation, &files).await;
        let one = |tool: &str, input: Value| json!([{ "tool": tool, "input": input }]);
        let below = says(json!([
            one("read", json!({ "path": "/agent/moss/a.md" })),
            one("read", json!({ "path": "/agent/fern/b.md" })),
            [{ "text": "Done." }],
        ]));
        let task = says(json!([
            one("read", json!({ "path": "/agent/moss/a.md" })),
            one("read", json!({ "path": "/agent/fern/b.md" })),
            one("write", json!({ "path": "/agent/fern/c.md", "content": "Brown." })),
            one("write", json!({ "path": "/agent/moss/c.md", "content": "Brown." })),
            one("glob", json!({ "pattern": "**/*.md" })),
            [among(&["/agent"], "Wide", "Say fern.")],
            [spawn("Lichen", &below)],
            [wait()],
            [{ "text": "Done." }],
        ]));
        let text = says(json!([[among(&["/agent/moss"], "Moss", &task)], [wait()], answer()]));
        ask(&scoped, &leader.id, &leader.conversation, &text).await;
        let made = all(&scoped).await;
        let log_of = |name: &str| made.iter().find(|one| one.name == name).unwrap().agent.clone();
        let told = results(&log(&scoped, &log_of("Ada › Moss")).await);
        let left = "who made you left you the files under /agent/moss alone";
        for ((is_error, said), (fails, part)) in told.iter().zip([
            (false, "Green."),
            (true, left),
            (true, left),
            (false, "/agent/moss/c.md"),
            (false, "/agent/moss/a.md"),
            (true, "You do not have /agent yourself"),
        ]) {
            assert!(*is_error == fails && said.contains(part), "{part}: {said}");
        }
        assert!(!told[4].1.contains("fern"), "what it was not left is not listed: {}", told[4].1);
        // One below has them too, with nobody saying so.
        let told = results(&log(&scoped, &log_of("Ada › Moss › Lichen")).await);
        assert!(!told[0].0 && told[1].0 && told[1].1.contains(left), "{told:?}");
    })
    .await;
}
