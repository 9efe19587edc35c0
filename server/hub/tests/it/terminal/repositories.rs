//! What a repository needs is there for the next command.

use super::{Scene, paths};
use crate::approvals::add_rule;
use crate::world::{World, each_store};
use serde_json::json;

const BEGIN: &str = "cd garden && git init -q && git config user.name Fern && git config user.email fern@garden.example \
                     && mkdir -p build/deep && echo begun";

#[tokio::test]
async fn a_repository_is_one_from_one_command_to_the_next() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        scoped.files().write(agent, "garden/plan.md", b"moss\n").await.unwrap();
        let [begun, kept, clean, packed] = scene
            .run(
                &scoped,
                [
                    BEGIN,
                    "cd garden && git add . && git commit -qm Begin && echo kept",
                    "cd garden && git status --porcelain && git log --format=%s && ls -d .git/refs/tags build/deep && git gc -q",
                    "cd garden && git status --porcelain && git log --format=%s && rmdir -p build/deep",
                ],
            )
            .await;
        assert_eq!(begun["output"], "begun\n");
        assert_eq!((&kept["output"], kept.get("not_kept")), (&json!("kept\n"), None));
        assert_eq!(clean["output"], "Begin\n.git/refs/tags\nbuild/deep\n");
        assert_eq!((&packed["output"], &packed["exit_code"]), (&json!("Begin\n"), &json!(0)));

        // Once more where it was moved, and nothing of it is left where it is deleted.
        let chosen = |name: &str| vec![name.to_owned()];
        scoped.files().move_chosen(agent, &chosen("garden/"), "", Some("moss")).await.unwrap();
        let [moved] =
            scene.run(&scoped, ["ls && cd moss && git status --porcelain && ls -d .git/refs/heads build 2>/dev/null"]).await;
        assert_eq!(moved["output"], "moss\n.git/refs/heads\n");
        assert_ne!(moved["exit_code"], 0, "what a command removed stays away");
        scoped.files().delete_chosen(agent, &chosen("moss/")).await.unwrap();
        let [left] = scene.run(&scoped, ["ls -A | wc -l"]).await;
        assert_eq!(left["output"], "0\n");
        assert!(paths(&scoped, agent).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_folder_with_nothing_in_it_gives_way_to_a_file_of_its_name_and_to_rules() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        add_rule(&world.hub, &scene.viewer, "deny", "write", "/agent/fixed").await;
        let [made] = scene
            .run(&scoped, ["mkdir -p build/out fixed hidden many && touch many/$(seq -s ' many/' 3)"])
            .await;
        let not_kept =
            json!([{ "path": "/agent/fixed", "why": "a rule of your person's or a skill says so" }]);
        assert_eq!(made["not_kept"], not_kept);
        add_rule(&world.hub, &scene.viewer, "deny", "read", "/agent/hidden").await;
        let [seen] = scene.run(&scoped, ["find . -type d | sort"]).await;
        assert_eq!(seen["output"], ".\n./build\n./build/out\n./many\n");
        scoped.files().write(agent, "build", b"moss").await.unwrap();
        let [seen] = scene.run(&scoped, ["cat build; find . -type d | sort"]).await;
        assert_eq!(seen["output"], "moss.\n./many\n");
    })
    .await;
}
