//! Resources of servers as files of an agent, read and never written.

use super::{given, water};
use crate::approvals::add_rule;
use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, FakeMcp, Mood, World, each_store};
use hub::FileListing;
use protocol::files::FilePreview;
use serde_json::{Value, json};

const TOOLS: [&str; 6] = ["read", "write", "edit", "glob", "grep", "files"];
const NORTH: &str = "garden://beds/north.md";

/// A server with a tool and these resources, of which two say something.
fn garden(resources: &[Value]) -> FakeMcp {
    let fake = FakeMcp::start(&[water()]);
    fake.declare(json!({ "tools": {}, "resources": {} }));
    offer(&fake, resources);
    fake
}

fn offer(fake: &FakeMcp, resources: &[Value]) {
    let texts = [(NORTH, "Moss grows.\n"), ("garden://beds/south.md", "Fern grows.\n")];
    fake.offer_resources(resources, &texts);
}

fn resource(uri: &str, name: &str) -> Value {
    json!({ "uri": uri, "name": name })
}

fn beds() -> Vec<Value> {
    vec![
        resource(NORTH, "North"),
        resource("garden://beds/south.md", "South"),
        resource("file:///../../etc/passwd", "../../agent/notes.md"),
        resource("drive:///a1", "Plan.md"),
        resource("drive:///a2", "Plan.md"),
    ]
}

fn files(action: &str, path: &str, to: &str) -> (&'static str, Value) {
    let mut input = json!({ "action": action, "path": path });
    if !to.is_empty() {
        input["to"] = to.into();
    }
    ("files", input)
}

fn read(path: &str) -> (&'static str, Value) {
    ("read", json!({ "path": path }))
}

#[track_caller]
fn said(result: &(bool, String), is_error: bool, part: &str) {
    assert!(result.0 == is_error && result.1.contains(part), "{result:?} does not say {part:?}");
}

#[tokio::test]
async fn what_a_server_has_to_read_is_a_folder_that_nothing_changes() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&view).tools(TOOLS).replace(&scoped, &view.id).await;
        let (id, servers) = (&view.id, scoped.mcp_servers());
        let talk = scoped.conversations().create(id).await.unwrap().id;
        let fake = garden(&beds());
        let server = servers.add("garden", &fake.url(), "", "").await.unwrap().id;
        let mounts = servers.mounts(id).await.unwrap();
        let names: Vec<_> = mounts.iter().map(|it| (&*it.name, it.is_mounted, it.has_resources)).collect();
        assert_eq!(names, [("garden", false, true)]);

        let north = "/mcp/garden/beds/north.md";
        let before =
            calls(&scoped, id, &talk, &[files("list", "/", ""), files("list", "/mcp", ""), read(north)])
                .await;
        assert!(!before[0].1.contains("/mcp"), "{before:?}");
        said(&before[1], true, "No server is mounted for you");
        said(&before[2], true, "There is no /mcp/garden");
        assert!(!fake.methods().iter().any(|method| method == "resources/read"), "nobody said that it may");

        servers.mount(&server, id).await.unwrap();
        let edit = json!({ "path": north, "old_string": "Moss", "new_string": "Fern" });
        let made = [
            files("list", "/", ""),
            files("list", "/mcp", ""),
            files("list", "/mcp/garden", ""),
            read(north),
            ("grep", json!({ "pattern": "grows", "path": "/mcp/garden", "output_mode": "content" })),
            ("glob", json!({ "pattern": "**/*.md", "path": "/mcp/garden" })),
            files("stat", north, ""),
            files("copy", north, "/agent/north.md"),
            ("write", json!({ "path": north, "content": "Fern." })),
            ("edit", edit),
            files("delete", north, ""),
            files("move", north, "/agent/moved.md"),
            files("mkdir", "/mcp/garden/new", ""),
            read("/mcp/garden/beds/west.md"),
            read("/mcp/shed/beds/north.md"),
        ];
        let results = calls(&scoped, id, &talk, &made).await;
        said(&results[0], false, "/mcp");
        said(&results[1], false, "/mcp/garden");
        for part in ["north.md", "..-..-agent-notes.md", "\"by\":\"others\"", "does not say how large"] {
            said(&results[2], false, part);
        }
        said(&results[3], false, "Moss grows.");
        said(&results[3], false, "\"by\":\"others\"");
        said(&results[4], false, "/mcp/garden/beds/south.md:1:Fern grows.");
        said(&results[4], false, "\"by\":\"others\"");
        said(&results[5], false, "\"total\":5");
        said(&results[6], false, "\"bytes\":12");
        said(&results[7], false, "\"ok\":true");
        for result in &results[8..12] {
            said(result, true, "can only be read");
        }
        said(&results[12], true, "No folder can be made");
        said(&results[13], true, "There is no file /mcp/garden/beds/west.md");
        said(&results[14], true, "There is no /mcp/shed");
        let kept = scoped.files().list(id, &FileListing::default()).await.unwrap();
        let kept: Vec<_> = kept.iter().map(|file| (&*file.path, file.untrusted)).collect();
        assert_eq!(kept, [("north.md", true)]);
        let fenced = |request: &Value| {
            let told = request["body"]["messages"].to_string();
            told.contains("Moss grows.") && told.contains("<words-of-strangers>")
        };
        assert!(endpoint.requests().await.iter().any(fenced), "a stranger's words stand behind the fence");
    })
    .await;
}

#[tokio::test]
async fn a_mounted_server_that_changes_or_is_gone_is_told_of_in_words() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&view).tools(TOOLS).replace(&scoped, &view.id).await;
        let (id, servers) = (&view.id, scoped.mcp_servers());
        let talk = scoped.conversations().create(id).await.unwrap().id;
        let fake = garden(&beds());
        let server = given(&scoped, id, "garden", &fake).await.id;
        add_rule(&world.hub, &viewer, "allow", "mcp_*", &fake.host()).await;
        let refused = servers.mounted_files(&server, id).await.unwrap_err().to_string();
        assert!(refused.contains("Mount them first"), "{refused}");
        servers.mount(&server, id).await.unwrap();

        let shown = servers.mounted_file(&server, id, "beds/north.md").await.unwrap();
        let text = FilePreview::Text { text: "Moss grows.\n".to_owned(), whole: true };
        assert_eq!((shown.preview, shown.size), (text, 12));

        // What was listed is asked for again once the server says that it has others.
        let many: Vec<Value> = (0..600).map(|nth| resource(&format!("garden://{nth}.md"), "")).collect();
        offer(&fake, &many);
        fake.say_before(&[json!({ "jsonrpc": "2.0", "method": "notifications/resources/list_changed" })]);
        let watered = calls(&scoped, id, &talk, &[("mcp_garden_water", json!({}))]).await;
        said(&watered[0], false, "Watered.");
        let listed = servers.mounted_files(&server, id).await.unwrap();
        assert_eq!((listed.files.len(), listed.more), (500, true));
        said(&calls(&scoped, id, &talk, &[files("list", "/mcp/garden", "")]).await[0], false, "not_all");

        fake.refuse("resources/read", "200 OK", -32_002);
        let gone = calls(&scoped, id, &talk, &[read("/mcp/garden/7.md")]).await;
        said(&gone[0], true, "It may be gone there");
        assert!(!gone[0].1.contains("No."), "an error is no place for its words: {gone:?}");
        fake.mood(Mood::Status("503 Service Unavailable", ""));
        let off =
            calls(&scoped, id, &talk, &[read("/mcp/garden/7.md"), files("list", "/mcp/garden", "")]).await;
        for result in &off {
            said(result, true, "/mcp/garden: It answered with an error of its own (status 503).");
        }
        let off = servers.mounted_files(&server, id).await.unwrap_err().to_string();
        assert!(off.starts_with("garden: It answered with an error"), "{off}");

        servers.unmount(&server, id).await.unwrap();
        said(
            &calls(&scoped, id, &talk, &[read("/mcp/garden/7.md")]).await[0],
            true,
            "There is no /mcp/garden",
        );
    })
    .await;
}
