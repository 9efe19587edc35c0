//! The tools for files: what a model that calls them gets, and what is in the files afterwards.

use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Error, Outgoing, Scoped};
use protocol::approval::PolicyDraft;
use protocol::files::FileAuthor;
use protocol::view::AgentView;
use protocol::{AgentId, ConversationId};
use serde_json::{Value, json};
use std::time::Duration;

const DAYS_31: Duration = Duration::from_secs(31 * 24 * 60 * 60);

async fn conversation(scoped: &Scoped<'_>, agent: &AgentId) -> ConversationId {
    scoped.conversations().create(agent).await.unwrap().id
}

/// One with all tools for files.
async fn with_files(world: &World, endpoint: &Endpoint) -> (hub::Viewer, AgentView) {
    let (viewer, view) = ada(world, endpoint).await;
    let tools = ["read", "write", "edit", "glob", "grep", "files"];
    Definition::like(&view).tools(tools).replace(&world.hub.for_viewer(&viewer), &view.id).await;
    (viewer, view)
}

fn ok(result: &(bool, String)) -> Value {
    assert!(!result.0, "{result:?}");
    serde_json::from_str(&result.1).unwrap_or_else(|_| panic!("{result:?}"))
}

#[track_caller]
fn refused(result: &(bool, String), why: &str) {
    assert!(result.0 && result.1.contains(why), "{result:?} does not say {why:?}");
}

#[tokio::test]
async fn a_file_is_changed_once_it_was_read_and_every_change_is_kept() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = with_files(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let talk = conversation(&scoped, &agent.id).await;
        let edit = |old: &str, new: &str| json!({ "path": "plan.md", "old_string": old, "new_string": new });
        let results = calls(
            &scoped,
            &agent.id,
            &talk,
            &[
                ("write", json!({ "path": "plan.md", "content": "one\ntwo\n" })),
                ("edit", edit("two", "2")),
                ("fs_read", json!({ "path": "/agent/plan.md" })),
                ("write", json!({ "path": "plan.md", "content": "three\n", "append": true })),
                (
                    "edit",
                    json!({ "path": "plan.md", "edits": [
                    { "old_string": "one", "new_string": "1" },
                    { "old_string": "zebra", "new_string": "0" },
                ] }),
                ),
            ],
        )
        .await;
        assert_eq!(ok(&results[0])["created"], true);
        let edited = ok(&results[1]);
        assert_eq!(
            (&edited["version"], edited["diff"].as_str().unwrap()),
            (&json!(2), "@@ -1,2 +1,2 @@\n one\n-two\n+2")
        );
        assert_eq!(ok(&results[2])["text"], "1\tone\n2\t2\n");
        refused(&results[4], "Change 2: ");
        assert_eq!(scoped.files().read(&agent.id, "plan.md").await.unwrap(), b"one\n2\nthree\n");

        // Somebody else changes it.
        scoped.files().write(&agent.id, "plan.md", b"one\nby hand\n").await.unwrap();
        let results = calls(
            &scoped,
            &agent.id,
            &talk,
            &[
                ("edit", edit("one", "1")),
                ("read", json!({ "path": "plan.md", "offset": 2 })),
                ("edit", edit("by hand", "by me")),
            ],
        )
        .await;
        refused(&results[0], "has changed since you read it");
        assert_eq!(ok(&results[1])["text"], "2\tby hand\n");
        assert_eq!(ok(&results[2])["version"], 5);

        // What was read in one conversation was not in another.
        let other = conversation(&scoped, &agent.id).await;
        let results = calls(&scoped, &agent.id, &other, &[("edit", edit("one", "1"))]).await;
        refused(&results[0], "has not been read in this conversation");

        let versions = scoped.files().versions(&agent.id, "plan.md").await.unwrap();
        let by = |version: u64| versions.iter().find(|kept| kept.version == version).unwrap().author.clone();
        assert_eq!(versions.iter().map(|kept| kept.version).collect::<Vec<_>>(), [5, 4, 3, 2, 1]);
        assert_eq!(by(4), Some(FileAuthor::Person));
        let Some(FileAuthor::Agent { conversation, agent: writer, call: Some(_), name }) = by(5) else {
            panic!("{:?}", by(5))
        };
        assert_eq!(
            (conversation, writer, name),
            (talk.clone(), Some(agent.id.clone()), Some(agent.name.clone()))
        );

        let named = versions.iter().map(|kept| kept.conversation.as_ref().map(|named| named.id.clone()));
        assert_eq!(named.take(2).collect::<Vec<_>>(), [Some(talk.clone()), None]);
        // One press takes the last change back, and no other.
        assert!(matches!(scoped.files().undo(&agent.id, "plan.md", 4).await, Err(Error::Conflict(_))));
        scoped.files().undo(&agent.id, "plan.md", 5).await.unwrap();
        assert_eq!(scoped.files().read(&agent.id, "plan.md").await.unwrap(), b"one\nby hand\n");
        for version in [1, 3] {
            scoped.files().restore(&agent.id, "plan.md", version).await.unwrap();
        }
        assert_eq!(scoped.files().read(&agent.id, "plan.md").await.unwrap(), b"one\n2\nthree\n");
    })
    .await;
}

#[tokio::test]
async fn a_short_call_cannot_ask_for_a_file_larger_than_any_may_be() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = with_files(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let talk = conversation(&scoped, &agent.id).await;
        let grow = json!({ "old_string": "a", "new_string": "a".repeat(1000), "replace_all": true });
        let results = calls(
            &scoped,
            &agent.id,
            &talk,
            &[
                ("write", json!({ "path": "a.txt", "content": "a" })),
                ("edit", json!({ "path": "a.txt", "edits": vec![grow.clone(); 4] })),
                ("edit", json!({ "path": "a.txt", "edits": [grow] })),
            ],
        )
        .await;
        refused(&results[1], "Change 3: The file would have 1000000000 bytes");
        assert_eq!(ok(&results[2])["bytes"], 1000);
    })
    .await;
}

#[tokio::test]
async fn what_was_deleted_comes_back_for_thirty_days() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = with_files(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let talk = conversation(&scoped, &agent.id).await;
        let files = |action: &str, path: &str| ("files", json!({ "action": action, "path": path }));
        let asked = [
            ("write", json!({ "path": "a.txt", "content": "moss" })),
            files("delete", "a.txt"),
            files("stat", "a.txt"),
            files("restore", "a.txt"),
            ("files", json!({ "action": "move", "path": "a.txt", "to": "b/c.txt" })),
            ("files", json!({ "action": "copy", "path": "b/c.txt", "to": "d.txt" })),
            ("files", json!({ "action": "copy", "path": "b/c.txt", "to": "d.txt" })),
            files("list", "/agent"),
            files("delete", "d.txt"),
        ];
        // A run has so many rounds and no more.
        let mut results = Vec::new();
        for some in asked.chunks(8) {
            results.extend(calls(&scoped, &agent.id, &talk, some).await);
        }
        refused(&results[2], "nothing at /agent/a.txt");
        ok(&results[3]);
        refused(&results[6], "There is a file /agent/d.txt already");
        assert_eq!(ok(&results[7])["tree"], "b/\n  c.txt (4 bytes)\nd.txt (4 bytes)\n");

        let deleted = async || -> Vec<(String, u64)> {
            let deleted = scoped.files().deleted(&agent.id, 10).await.unwrap();
            deleted.into_iter().map(|file| (file.path, file.size)).collect()
        };
        let mut bin = deleted().await;
        bin.sort();
        assert_eq!(bin, [("a.txt".to_owned(), 4), ("d.txt".to_owned(), 4)]);
        world.clock.advance(DAYS_31);
        assert_eq!(deleted().await, []);
        scoped.files().write(&agent.id, "new", b"x").await.unwrap();
        assert!(matches!(scoped.files().versions(&agent.id, "d.txt").await.as_deref(), Ok([])));
    })
    .await;
}

#[tokio::test]
async fn files_are_found_by_their_names_and_by_what_is_in_them_unless_a_rule_hides_them() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = with_files(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let talk = conversation(&scoped, &agent.id).await;
        for (path, content) in [
            ("notes/moss.md", "green\nMoss likes shade\n"),
            ("notes/fern.md", "Fern\n"),
            ("secret.md", "moss in secret\n"),
        ] {
            scoped.files().write(&agent.id, path, content.as_bytes()).await.unwrap();
        }
        scoped.files().write(&agent.id, "binary", &[0, 159, 1]).await.unwrap();
        let brought = scoped.attachments().take_in("list.txt", b"moss\n".to_vec()).await.unwrap();
        let message = Outgoing { text: "Look.", attachments: &[brought.id], key: None };
        scoped.runs().send(&agent.id, message, None).await.unwrap();
        let rule = PolicyDraft {
            verdict: "deny".to_owned(),
            tool: "read".to_owned(),
            about: "/agent/secret.md".to_owned(),
            ..PolicyDraft::default()
        };
        scoped.policies().add(&rule).await.unwrap();
        let asked = [
            ("glob", json!({ "pattern": "**/*.md" })),
            ("grep", json!({ "pattern": "moss", "ignore_case": true })),
            ("grep", json!({ "pattern": "moss", "path": "/", "output_mode": "content" })),
            ("grep", json!({ "pattern": "(" })),
            ("read", json!({ "path": "./secret.md" })),
            ("files", json!({ "action": "copy", "path": "secret.md", "to": "open.md" })),
            ("read", json!({ "path": "binary" })),
            ("read", json!({ "path": "/uploads/list.txt" })),
            ("write", json!({ "path": "/uploads/list.txt", "content": "" })),
            ("read", json!({ "path": "../agent/secret.md" })),
            ("read", json!({ "path": "/etc/passwd" })),
            ("read", json!({ "path": "notes" })),
            ("read", json!({ "path": "moss.md" })),
        ];
        // A run has so many rounds and no more.
        let mut results = Vec::new();
        for some in asked.chunks(8) {
            results.extend(calls(&scoped, &agent.id, &talk, some).await);
        }
        let mut paths: Vec<String> = serde_json::from_value(ok(&results[0])["paths"].clone()).unwrap();
        paths.sort();
        assert_eq!(paths, ["/agent/notes/fern.md", "/agent/notes/moss.md"]);
        assert_eq!(ok(&results[1])["paths"], json!(["/agent/notes/moss.md"]));
        assert_eq!(ok(&results[2])["lines"], json!(["/uploads/list.txt:1:moss"]));
        refused(&results[3], "The expression cannot be read");
        assert!(results[4].0, "{:?}", results[4]);
        refused(&results[5], "A rule of your person");
        refused(&results[6], "is no text. It is binary");
        assert_eq!(ok(&results[7])["text"], "1\tmoss\n");
        refused(&results[8], "belongs to your person");
        refused(&results[9], "leads up");
        refused(&results[10], "paths begin with /agent, /workspace, /uploads, /opfs, /local or /mcp");
        refused(&results[11], "is a folder");
        refused(&results[12], "There is /agent/notes/moss.md.");
    })
    .await;
}

#[tokio::test]
async fn where_nothing_is_a_search_says_so_and_what_it_did_not_look_into() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = with_files(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let talk = conversation(&scoped, &agent.id).await;
        for (path, content) in [
            ("garden/notes/moss.md", b"moss\n".as_slice()),
            ("report.pdf", b"%PDF-1.7 moss".as_slice()),
            ("binary", [0, 159, 1].as_slice()),
        ] {
            scoped.files().write(&agent.id, path, content).await.unwrap();
        }
        let asked = [
            ("glob", json!({ "pattern": "/agent/**/*.md" })),
            ("glob", json!({ "pattern": "*.md", "path": "/agent/notes" })),
            ("grep", json!({ "pattern": "moss", "path": "/agent/nots" })),
            ("files", json!({ "action": "list", "path": "/uploads/none" })),
            ("glob", json!({ "pattern": "*", "path": "/workspace" })),
            ("glob", json!({ "pattern": "/opfs/*" })),
            ("glob", json!({ "pattern": "*.none" })),
            ("grep", json!({ "pattern": "moss" })),
        ];
        // A run has so many rounds and no more.
        let mut results = Vec::new();
        for some in asked.chunks(8) {
            results.extend(calls(&scoped, &agent.id, &talk, some).await);
        }
        assert_eq!(ok(&results[0])["paths"], json!(["/agent/garden/notes/moss.md"]));
        refused(&results[1], "There is nothing at /agent/notes. There is /agent/garden/notes.");
        refused(&results[2], "There is nothing at /agent/nots.");
        refused(&results[3], "There is nothing at /uploads/none.");
        refused(&results[4], "You have no /workspace");
        refused(&results[5], "give a folder of it in path");
        assert_eq!(ok(&results[6])["total"], 0);
        let found = ok(&results[7]);
        assert_eq!(found["paths"], json!(["/agent/garden/notes/moss.md"]));
        let not =
            "1 documents were not searched, as /agent/report.pdf. Read them with read. 1 files are no texts.";
        assert_eq!(found["not_searched"], not);
    })
    .await;
}

#[tokio::test]
async fn a_line_longer_than_an_answer_is_found_in_and_read_to_its_end() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = with_files(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let talk = conversation(&scoped, &agent.id).await;
        let (head, tail) = ("x".repeat(3000), "y".repeat(3000));
        scoped.files().write(&agent.id, "one.json", format!("{head}moss{tail}").as_bytes()).await.unwrap();
        let read = |from: usize| ("read", json!({ "path": "one.json", "offset": 1, "from_char": from }));
        let asked = [
            ("read", json!({ "path": "one.json" })),
            ("grep", json!({ "pattern": "moss", "output_mode": "content" })),
            read(2901),
            read(6005),
        ];
        // A run has so many rounds and no more.
        let mut results = Vec::new();
        for some in asked.chunks(8) {
            results.extend(calls(&scoped, &agent.id, &talk, some).await);
        }
        let first = ok(&results[0]);
        assert_eq!(first["more"], "Line 1 goes on. Read it on with offset 1 and from_char 2001.");
        let found = ok(&results[1])["lines"][0].as_str().unwrap().to_owned();
        assert!(found.starts_with("/agent/one.json:1:[from character 2901] x"), "{found}");
        assert!(found.contains("xmossy"), "{found}");
        let rest = ok(&results[2]);
        assert_eq!(rest["text"], format!("1\t{}moss{tail}\n", &head[..100]));
        assert_eq!(rest.get("more"), None);
        refused(&results[3], "Line 1 has 6004 characters");
    })
    .await;
}

#[tokio::test]
async fn versions_are_kept_within_bounds_and_what_is_the_same_makes_none() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = Definition::named("Fern").create(&scoped).await.id;
        for n in 0..60 {
            scoped.files().write(&agent, "a", n.to_string().as_bytes()).await.unwrap();
            scoped.files().write(&agent, "a", n.to_string().as_bytes()).await.unwrap();
        }
        let versions = scoped.files().versions(&agent, "a").await.unwrap();
        assert_eq!((versions.len(), versions[0].version, versions[50].version), (51, 60, 10));
        let five = vec![7; 5 * 1024 * 1024];
        for n in 0..12_u8 {
            let mut bytes = five.clone();
            bytes[0] = n;
            scoped.files().write(&agent, "large", &bytes).await.unwrap();
        }
        let large = scoped.files().versions(&agent, "large").await.unwrap();
        assert_eq!(large.len(), 11, "the newest, and fifty megabytes of what it was");
        assert_eq!(scoped.files().versions(&agent, "a").await.unwrap().len(), 1, "the oldest go first");
        let error = scoped.files().undo(&agent, "a", 60).await.unwrap_err();
        assert!(error.to_string().contains("not kept any more"), "{error}");
        assert_eq!(scoped.files().read(&agent, "a").await.unwrap(), b"59");
    })
    .await;
}

#[tokio::test]
async fn what_is_made_with_nothing_in_it_is_there_until_it_is_deleted() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = with_files(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let talk = conversation(&scoped, &agent.id).await;
        scoped.files().write(&agent.id, "moss.md", b"moss").await.unwrap();
        let files = |action: &str, path: &str| ("files", json!({ "action": action, "path": path }));
        let asked = [
            files("exists", "beds"),
            files("mkdir", "beds/north"),
            files("mkdir", "beds/north"),
            files("exists", "beds"),
            files("list", "/agent"),
            files("stat", "beds"),
            files("touch", "beds/north/fern.md"),
            files("touch", "moss.md"),
            files("exists", "beds/north/fern.md"),
            files("mkdir", "moss.md/below"),
            files("mkdir", "/uploads/beds"),
            files("delete", "beds/north/fern.md"),
            ("files", json!({ "action": "move", "path": "beds", "to": "garden" })),
            files("exists", "garden/north"),
            files("delete", "garden"),
            files("exists", "garden"),
        ];
        // A run has so many rounds and no more.
        let mut results = Vec::new();
        for some in asked.chunks(8) {
            results.extend(calls(&scoped, &agent.id, &talk, some).await);
        }
        assert_eq!(ok(&results[0]), json!({ "path": "/agent/beds", "exists": false }));
        assert_eq!(ok(&results[1]), json!({ "ok": true, "path": "/agent/beds/north" }));
        assert_eq!(ok(&results[2])["was_there"], true);
        assert_eq!(ok(&results[3])["kind"], "folder");
        assert_eq!(ok(&results[4])["empty_folders"], json!(["/agent/beds/north"]));
        assert_eq!((&ok(&results[5])["kind"], &ok(&results[5])["files"]), (&json!("folder"), &json!(0)));
        assert_eq!(ok(&results[6])["version"], 1);
        assert_eq!(ok(&results[7])["was_there"], true);
        assert_eq!(ok(&results[8])["kind"], "file");
        refused(&results[9], "There is a file /agent/moss.md");
        refused(&results[10], "No folder can be made at /uploads/beds");
        ok(&results[11]);
        assert_eq!(ok(&results[12])["path"], "/agent/garden");
        assert_eq!(ok(&results[13])["kind"], "folder");
        ok(&results[14]);
        assert_eq!(ok(&results[15])["exists"], false);
        assert_eq!(scoped.files().read(&agent.id, "moss.md").await.unwrap(), b"moss");
    })
    .await;
}
