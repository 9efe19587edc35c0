//! Workspaces: folders that agents of one person share, with what each of them may do there, and what it then counts
//! as having read.

use crate::approvals::add_rule;
use crate::runs::agent;
use crate::talk::calls;
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Error, FileListing, Scoped, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::files::{FileAuthor, FolderKind};
use protocol::{AgentId, ConversationId, FolderId, TabId};
use serde_json::{Value, json};

/// Two agents of Ada's with one workspace.
struct Scene {
    viewer: Viewer,
    workspace: FolderId,
    moss: (AgentId, ConversationId),
    fern: (AgentId, ConversationId),
    endpoint: Endpoint,
}

impl Scene {
    async fn begin(world: &World) -> Self {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let workspace = scoped.workspaces().create("Garden").await.unwrap();
        let moss = with_files(world, &viewer, &endpoint).await;
        let fern = with_files(world, &viewer, &endpoint).await;
        for (agent, _) in [&moss, &fern] {
            scoped.workspaces().give(agent, Some(&workspace)).await.unwrap();
        }
        Self { viewer, workspace, moss, fern, endpoint }
    }
}

async fn with_files(world: &World, viewer: &Viewer, endpoint: &Endpoint) -> (AgentId, ConversationId) {
    let scoped = world.hub.for_viewer(viewer);
    let view = agent(world, viewer, endpoint, ProviderKind::Anthropic, Home::Hub).await;
    let tools = ["read", "write", "edit", "glob", "grep", "files", "state", "terminal"];
    Definition::like(&view).tools(tools).replace(&scoped, &view.id).await;
    let talk = scoped.conversations().create(&view.id).await.unwrap().id;
    (view.id, talk)
}

/// One call of an agent's.
async fn call(
    scoped: &Scoped<'_>,
    (agent, talk): &(AgentId, ConversationId),
    tool: &str,
    input: Value,
) -> (bool, String) {
    calls(scoped, agent, talk, &[(tool, input)]).await.remove(0)
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
async fn what_one_agent_writes_the_other_reads_and_neither_writes_over_what_it_has_not_seen() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let Scene { workspace, moss, fern, .. } = &scene;
        let path = "/workspace/plan.md";
        let edit = |old: &str, new: &str| json!({ "path": path, "old_string": old, "new_string": new });
        let written =
            ok(&call(&scoped, moss, "write", json!({ "path": path, "content": "one\ntwo\n" })).await);
        assert_eq!((&written["version"], &written["workspace"]), (&json!(1), &json!(workspace.0)));
        refused(&call(&scoped, fern, "edit", edit("two", "2")).await, "has not been read");
        assert_eq!(
            ok(&call(&scoped, fern, "read", json!({ "path": path })).await)["text"],
            "1\tone\n2\ttwo\n"
        );
        assert_eq!(ok(&call(&scoped, fern, "edit", edit("two", "2")).await)["version"], 2);
        refused(&call(&scoped, moss, "edit", edit("one", "1")).await, "has changed since you read it");
        refused(
            &call(&scoped, moss, "write", json!({ "path": path, "content": "" })).await,
            "has changed since",
        );

        // Each version says whose it is, to the person and to either agent.
        let versions = scoped.files().versions(workspace, "plan.md").await.unwrap();
        let by: Vec<_> = versions
            .iter()
            .map(|version| match &version.author {
                Some(FileAuthor::Agent { agent: Some(agent), call: Some(_), name: Some(_), .. }) => agent,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(by, [&fern.0, &moss.0]);
        let told = ok(&call(&scoped, moss, "files", json!({ "action": "versions", "path": path })).await);
        assert_eq!(told["versions"][0]["by"], "another agent of your person's");
        assert_eq!(told["versions"][1]["by"], "you");
        let diff = ok(&call(&scoped, moss, "files", json!({ "action": "diff", "path": path })).await);
        assert_eq!(diff["diff"], "@@ -1,2 +1,2 @@\n one\n-two\n+2");

        scoped.files().undo(workspace, "plan.md", 2).await.unwrap();
        assert_eq!(scoped.files().read(workspace, "plan.md").await.unwrap(), b"one\ntwo\n");
        assert!(
            scoped.files().list(&moss.0, &FileListing::default()).await.unwrap().is_empty(),
            "its own files are others"
        );
    })
    .await;
}

#[tokio::test]
async fn what_two_agents_add_to_a_file_at_the_same_moments_is_all_there() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let line = |name: &str, at: usize| {
            json!({ "path": "/workspace/log", "content": format!("{name} {at}\n"), "append": true })
        };
        let lines = |name: &str| (0..10).map(|at| ("write", line(name, at))).collect::<Vec<_>>();
        let (moss, fern) = (lines("moss"), lines("fern"));
        let (by_moss, by_fern) = tokio::join!(
            calls(&scoped, &scene.moss.0, &scene.moss.1, &moss),
            calls(&scoped, &scene.fern.0, &scene.fern.1, &fern),
        );
        by_moss.iter().chain(&by_fern).for_each(|result| drop(ok(result)));
        let log = scoped.files().read(&scene.workspace, "log").await.unwrap();
        let mut added: Vec<_> = std::str::from_utf8(&log).unwrap().lines().collect();
        added.sort_unstable();
        let each = ["fern", "moss"].map(|name| (0..10).map(|at| format!("{name} {at}")).collect::<Vec<_>>());
        assert_eq!(added, each.concat());
    })
    .await;
}

#[tokio::test]
async fn a_file_goes_from_one_mount_to_the_other_and_comes_back_from_the_bin() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let Scene { workspace, moss, fern, .. } = &scene;
        scoped.files().write(&moss.0, "own.txt", b"fern").await.unwrap();
        let act = |action: &str, path: &str, to: &str| json!({ "action": action, "path": path, "to": to });
        ok(&call(&scoped, moss, "files", act("move", "own.txt", "/workspace/shared.txt")).await);
        ok(&call(&scoped, fern, "files", act("copy", "/workspace/shared.txt", "/agent/mine.txt")).await);
        assert_eq!(scoped.files().read(&fern.0, "mine.txt").await.unwrap(), b"fern");
        assert!(scoped.files().list(&moss.0, &FileListing::default()).await.unwrap().is_empty());
        let found = ok(&call(&scoped, fern, "grep", json!({ "pattern": "fern", "path": "/" })).await);
        assert_eq!(found["paths"], json!(["/agent/mine.txt", "/workspace/shared.txt"]));
        let delete = json!({ "action": "delete", "path": "/workspace/shared.txt" });
        ok(&call(&scoped, fern, "files", delete).await);
        assert_eq!(scoped.files().deleted(workspace, 10).await.unwrap()[0].path, "shared.txt");
        ok(&call(&scoped, moss, "files", json!({ "action": "restore", "path": "/workspace/shared.txt" }))
            .await);
        assert_eq!(scoped.files().read(workspace, "shared.txt").await.unwrap(), b"fern");

        // A patch of several files says of each in which folder it is, so that each can be shown and taken back.
        let add = |path: &str| format!("*** Add File: {path}\n+moss\n");
        let patch =
            format!("*** Begin Patch\n{}{}*** End Patch", add("/workspace/new.md"), add("/agent/new.md"));
        let patched = ok(&call(&scoped, moss, "apply_patch", json!({ "input": patch })).await);
        assert_eq!(
            patched["files"],
            json!([
                { "path": "/workspace/new.md", "did": "created", "version": 1, "workspace": workspace.0 },
                { "path": "/agent/new.md", "did": "created", "version": 1 },
            ])
        );

        // A rule of the person's holds there like anywhere, and is not got round by another path.
        add_rule(&world.hub, &scene.viewer, "deny", "read", "/workspace/shared.txt").await;
        for (action, to) in [("copy", "/agent/a"), ("move", "/agent/a")] {
            refused(
                &call(&scoped, fern, "files", act(action, "/workspace/shared.txt", to)).await,
                "ule of your",
            );
        }
    })
    .await;
}

#[tokio::test]
async fn who_reads_what_an_agent_wrote_that_had_read_strangers_counts_as_having_read_them() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let Scene { viewer, workspace, moss, fern, endpoint } = &scene;
        ok(&call(&scoped, fern, "write", json!({ "path": "/workspace/clean.md", "content": "fern" })).await);
        // Its page may say anything.
        let tab = world.hub.open_tab(viewer.clone(), TabId::from("t")).unwrap();
        tab.set_state(&moss.0, "said".to_owned(), json!("Obey.")).await.unwrap();
        ok(&call(&scoped, moss, "state", json!({ "action": "get", "key": "said" })).await);
        ok(&call(&scoped, moss, "write", json!({ "path": "/workspace/told.md", "content": "Obey." })).await);
        ok(&call(&scoped, moss, "write", json!({ "path": "own.md", "content": "Obey." })).await);
        let marked = |folder: FolderId| {
            let scoped = &scoped;
            async move {
                let files = scoped.files().list(&folder, &FileListing::default()).await.unwrap();
                files.into_iter().filter(|file| file.untrusted).map(|file| file.path).collect::<Vec<_>>()
            }
        };
        assert_eq!(marked(workspace.clone()).await, ["told.md"]);

        let clean = ok(&call(&scoped, fern, "read", json!({ "path": "/workspace/clean.md" })).await);
        let found =
            ok(&call(&scoped, fern, "grep", json!({ "pattern": "fern", "path": "/workspace" })).await);
        assert!(clean.get("by").is_none() && found.get("by").is_none(), "{clean} {found}");
        ok(&call(&scoped, fern, "write", json!({ "path": "/workspace/before.md", "content": "-" })).await);
        assert_eq!(marked(workspace.clone()).await, ["told.md"]);

        // The mark goes along wherever the words do, and onto what this one writes from now on.
        let told = ok(&call(&scoped, fern, "read", json!({ "path": "/workspace/told.md" })).await);
        assert_eq!(told["by"], "others");
        let system = endpoint.requests().await.last().unwrap().to_string();
        assert!(system.contains("<words-of-strangers>"), "the model is told so");
        let copy = json!({ "action": "copy", "path": "/workspace/told.md", "to": "/agent/copy.md" });
        ok(&call(&scoped, fern, "files", copy).await);
        assert_eq!(marked((&fern.0).into()).await, ["copy.md"]);
        ok(&call(&scoped, fern, "write", json!({ "path": "/workspace/after.md", "content": "-" })).await);
        assert_eq!(marked(workspace.clone()).await, ["after.md", "told.md"]);
        for (tool, input) in [
            ("glob", json!({ "pattern": "**/*.md", "path": "/workspace" })),
            ("grep", json!({ "pattern": "Obey", "path": "/workspace" })),
            ("files", json!({ "action": "list", "path": "/workspace" })),
        ] {
            assert_eq!(ok(&call(&scoped, fern, tool, input).await)["by"], "others", "{tool}");
        }

        // Its person stands by what they bring themselves, and by no earlier version that they restore.
        scoped.files().write(workspace, "told.md", b"Obey.").await.unwrap();
        assert_eq!(marked(workspace.clone()).await, ["after.md"]);
        scoped.files().write(workspace, "after.md", b"by hand").await.unwrap();
        assert!(marked(workspace.clone()).await.is_empty());
        scoped.files().restore(workspace, "after.md", 1).await.unwrap();
        assert_eq!(marked(workspace.clone()).await, ["after.md"]);
    })
    .await;
}

#[tokio::test]
async fn a_command_works_on_the_workspace() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let Scene { viewer, workspace, moss, .. } = &scene;
        add_rule(&world.hub, viewer, "allow", "terminal", "").await;
        scoped.files().write(workspace, "list.txt", b"moss\nfern\n").await.unwrap();
        let command = json!({ "command": "sort list.txt > sorted.txt; rm list.txt", "path": "/workspace" });
        let ran = ok(&call(&scoped, moss, "terminal", command).await);
        let sorted = json!([{ "path": "/workspace/sorted.txt", "version": 1, "workspace": workspace.0 }]);
        assert_eq!((&ran["changed"], &ran["deleted"]), (&sorted, &json!(["/workspace/list.txt"])));
        assert_eq!(scoped.files().read(workspace, "sorted.txt").await.unwrap(), b"fern\nmoss\n");
        scoped.workspaces().give(&moss.0, None).await.unwrap();
        let without =
            ok(&call(&scoped, moss, "terminal", json!({ "command": "ls -d /workspace || true" })).await);
        assert!(without["output"].as_str().unwrap().contains("No such file"), "{without}");
    })
    .await;
}

#[tokio::test]
async fn a_workspace_is_its_person_s_and_no_one_else_s() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let eve = world.person("eve").await;
        let (scoped, eves) = (world.hub.for_viewer(&scene.viewer), world.hub.for_viewer(&eve));
        let Scene { workspace, moss, endpoint, .. } = &scene;
        let (hers, talk) = with_files(&world, &eve, endpoint).await;
        let missing =
            |result: hub::Result<()>| assert!(matches!(result, Err(Error::NotFound(_))), "{result:?}");
        missing(eves.workspaces().give(&hers, Some(workspace)).await);
        missing(eves.workspaces().give(&moss.0, None).await);
        missing(eves.workspaces().rename(workspace, "Eve's").await);
        missing(eves.workspaces().delete(workspace).await);
        missing(eves.files().list(workspace, &FileListing::default()).await.map(|_| ()));
        missing(eves.files().write(workspace, "a", b"x").await);
        // The folder of an agent is none that can be given.
        missing(scoped.workspaces().give(&moss.0, Some(&FolderId::from(&moss.0))).await);
        missing(scoped.workspaces().delete(&FolderId::from(&moss.0)).await);
        assert!(eves.workspaces().list().await.unwrap().is_empty());
        refused(
            &call(&eves, &(hers, talk), "write", json!({ "path": "/workspace/a", "content": "x" })).await,
            "You have no /workspace",
        );
    })
    .await;
}

#[tokio::test]
async fn a_workspace_is_named_given_to_several_and_deleted_with_what_is_in_it() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let Scene { workspace, moss, fern, .. } = &scene;
        assert!(matches!(scoped.workspaces().create(" Garden ").await, Err(Error::Conflict(_))));
        for name in ["", " ", "a\nb", &"x".repeat(61)] {
            assert!(matches!(scoped.workspaces().create(name).await, Err(Error::Invalid(_))), "{name:?}");
        }
        scoped.workspaces().rename(workspace, "Moss garden").await.unwrap();
        scoped.files().write(workspace, "a.txt", b"moss").await.unwrap();
        let listed = scoped.workspaces().list().await.unwrap();
        assert_eq!((listed[0].name.as_str(), listed[0].files, listed[0].size), ("Moss garden", 1, 4));
        assert_eq!(listed[0].agents.len(), 2);
        assert_eq!(scoped.files().folder(workspace).await.unwrap().kind, FolderKind::Workspace);
        assert_eq!(scoped.files().folder(&moss.0).await.unwrap().kind, FolderKind::Agent);

        // It counts in what its person keeps, once.
        let before = scoped.space().read().await.unwrap().kept;
        scoped.files().write(workspace, "b.txt", &[7; 1000]).await.unwrap();
        assert_eq!(scoped.space().read().await.unwrap().kept, before + 1000 + 256);

        scoped.agents().delete(&fern.0).await.unwrap();
        assert_eq!(
            scoped.files().list(workspace, &FileListing::default()).await.unwrap().len(),
            2,
            "an agent that goes takes nothing along"
        );
        scoped.workspaces().delete(workspace).await.unwrap();
        assert_eq!(scoped.space().read().await.unwrap().kept, before - 4 - 256);
        assert_eq!(scoped.workspaces().of_agent(&moss.0).await.unwrap(), None);
        let listed = ok(&call(&scoped, moss, "files", json!({ "action": "list" })).await);
        let mounts: Vec<_> =
            listed["mounts"].as_array().unwrap().iter().map(|mount| &mount["path"]).collect();
        assert_eq!(mounts, ["/agent", "/uploads"]);
        for n in 0..20 {
            scoped.workspaces().create(&n.to_string()).await.unwrap();
        }
        assert!(matches!(scoped.workspaces().create("one more").await, Err(Error::Limit(_))));
    })
    .await;
}
