//! Commands of agents: what they do with files, what becomes of that, what they may have, and what they cannot get at.

mod escapes;
mod jobs;
mod repositories;
mod sessions;
pub mod way_out;

use crate::approvals::{add_rule, until_asked};
use crate::runs::open;
use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store, on_sqlite};
use hub::{FileListing, Outgoing, Scoped, Setup, Viewer};
use protocol::view::{AgentView, FileRules};
use protocol::{AgentId, ConversationId};
use serde_json::{Value, json};
use std::time::Duration;

/// An agent that may run commands with nobody asked.
struct Scene {
    viewer: Viewer,
    agent: AgentView,
    talk: ConversationId,
    _endpoint: Endpoint,
}

impl Scene {
    async fn begin(world: &World) -> Self {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["terminal", "read", "edit"]).replace(&scoped, &agent.id).await;
        add_rule(&world.hub, &viewer, "allow", "terminal", "").await;
        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        Self { viewer, agent, talk, _endpoint: endpoint }
    }

    async fn run<const N: usize>(&self, scoped: &Scoped<'_>, commands: [&str; N]) -> [Value; N] {
        let orders: Vec<_> =
            commands.iter().map(|command| ("terminal", json!({ "command": command }))).collect();
        let results = calls(scoped, &self.agent.id, &self.talk, &orders).await;
        let told = results.into_iter().map(|(failed, told)| {
            assert!(!failed, "{told}");
            serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}"))
        });
        told.collect::<Vec<_>>().try_into().unwrap()
    }
}

async fn paths(scoped: &Scoped<'_>, agent: &AgentId) -> Vec<String> {
    scoped
        .files()
        .list(agent, &FileListing::default())
        .await
        .unwrap()
        .into_iter()
        .map(|file| file.path)
        .collect()
}

#[tokio::test]
async fn a_command_works_on_the_agent_s_files_and_each_change_is_a_version() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        scoped.files().write(agent, "data/ferns.csv", b"name,height\noak fern,30\n").await.unwrap();
        scoped.files().write(agent, "old.txt", b"old").await.unwrap();
        let [made, failed, later] = scene
            .run(
                &scoped,
                [
                    "sort data/ferns.csv > sorted.txt && rm old.txt && mkdir -p a/b && echo 1 > a/b/c && echo done",
                    "echo oops >&2; exit 3",
                    "ls; ls /tmp | wc -l; cat a/b/c",
                ],
            )
            .await;
        assert_eq!((&made["exit_code"], &made["output"]), (&json!(0), &json!("done\n")));
        let changed = json!([{ "path": "/agent/a/b/c", "version": 1 }, { "path": "/agent/sorted.txt", "version": 1 }]);
        assert_eq!((&made["changed"], &made["deleted"]), (&changed, &json!(["/agent/old.txt"])));
        assert_eq!((&failed["exit_code"], &failed["output"]), (&json!(3), &json!("oops\n")));
        assert!(failed.get("changed").is_none());
        assert_eq!(later["output"], "a\ndata\nsorted.txt\n0\n1\n");
        assert_eq!(paths(&scoped, agent).await, ["a/b/c", "data/ferns.csv", "sorted.txt"]);
        scoped.files().restore(agent, "old.txt", 1).await.unwrap();
        scoped.files().undo(agent, "sorted.txt", 1).await.unwrap();
        assert_eq!(paths(&scoped, agent).await, ["a/b/c", "data/ferns.csv", "old.txt"]);
    })
    .await;
}

#[tokio::test]
async fn what_was_changed_later_is_newer_for_a_command_whatever_its_name() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        let look = "[ source -nt built ] && echo build || echo fresh";
        scoped.files().write(agent, "source", b"1").await.unwrap();
        world.clock.advance(Duration::from_secs(5));
        let [built, before] = scene.run(&scoped, ["cp source built", look]).await;
        assert_eq!((&built["exit_code"], &before["output"]), (&json!(0), &json!("fresh\n")));
        world.clock.advance(Duration::from_secs(5));
        scoped.files().write(agent, "source", b"2").await.unwrap();
        world.clock.advance(Duration::from_secs(5));
        let [after, built, again] = scene.run(&scoped, [look, "cp source built", look]).await;
        assert_eq!((&after["output"], &built["exit_code"]), (&json!("build\n"), &json!(0)));
        assert_eq!(again["output"], "fresh\n");
    })
    .await;
}

#[tokio::test]
async fn what_a_rule_keeps_from_tools_a_command_neither_sees_nor_changes() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        for path in ["secret.txt", "fixed.txt", "free.txt"] {
            scoped.files().write(agent, path, b"moss").await.unwrap();
        }
        add_rule(&world.hub, &scene.viewer, "deny", "read", "/agent/secret.txt").await;
        add_rule(&world.hub, &scene.viewer, "deny", "write", "/agent/fixed.txt").await;
        let [ran] = scene.run(&scoped, ["ls; echo fern > fixed.txt; echo fern > free.txt"]).await;
        assert_eq!(ran["output"], "fixed.txt\nfree.txt\n");
        assert_eq!(ran["changed"], json!([{ "path": "/agent/free.txt", "version": 2 }]));
        assert_eq!(
            ran["not_kept"],
            json!([{ "path": "/agent/fixed.txt", "why": "a rule of your person's or a skill says so" }])
        );
        assert_eq!(scoped.files().read(agent, "fixed.txt").await.unwrap(), b"moss");
        assert_eq!(scoped.files().read(agent, "secret.txt").await.unwrap(), b"moss");
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_a_file_is_named_and_what_a_command_changed_is_read_anew() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        scoped.files().write(agent, "notes.md", b"one\n").await.unwrap();
        let [ran] = scene
            .run(
                &scoped,
                ["ln -s /etc/passwd link; mkfifo pipe; head -c 6000000 /dev/zero > large; touch $'a\\nb'; \
                  long=$(printf 'x%.0s' $(seq 250)); deep=$(printf 'd/%.0s' $(seq 32)); mkdir -p $long/$long $deep; \
                  touch $long/$long/twelve-bytes ${deep}f; \
                  touch shut; chmod 000 shut; mkdir closed; touch closed/in; chmod 000 closed; truncate -s 1T sparse; \
                  echo two > notes.md"],
            )
            .await;
        let not_kept = ran["not_kept"].as_array().unwrap();
        let mut why: Vec<_> = not_kept.iter().map(|one| one["why"].as_str().unwrap()).collect();
        why.sort_unstable();
        why.dedup();
        assert_eq!(why, ["it is a link or no file", "it is larger than 5 MB", "its path cannot be one here"]);
        assert_eq!(paths(&scoped, agent).await, ["closed/in", "notes.md", "shut", "sparse"]);
        let results = calls(
            &scoped,
            agent,
            &scene.talk,
            &[
                ("read", json!({ "path": "notes.md" })),
                ("bash", json!({ "command": "echo three > notes.md" })),
                ("edit", json!({ "path": "notes.md", "old_string": "two", "new_string": "four" })),
                ("terminal", json!({ "command": "pwd", "path": "/agent/new folder" })),
                ("terminal", json!({ "command": "pwd", "path": "/etc" })),
                ("terminal", json!({ "command": "sleep 60", "timeout_s": 1 })),
            ],
        )
        .await;
        assert!(results[2].0 && results[2].1.contains("has changed since you read it"), "{}", results[2].1);
        assert!(results[3].1.contains("/agent/new folder\\n"), "{}", results[3].1);
        assert!(results[4].0 && results[4].1.contains("begins in a folder of /agent"), "{}", results[4].1);
        assert!(results[5].1.contains("its time was over"), "{}", results[5].1);
    })
    .await;
}

#[tokio::test]
async fn a_command_that_changes_much_says_so_within_what_a_model_is_told() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        let [many, long] = scene.run(&scoped, ["touch $(seq 600)", "seq 100000; echo end"]).await;
        let count = |field: &str| many[field].as_array().map(Vec::len);
        assert_eq!((count("changed"), &many["changed_besides"]), (Some(15), &json!(585)));
        assert_eq!(paths(&scoped, agent).await.len(), 601, "with what the second one said");
        let output = long["output"].as_str().unwrap();
        assert!(output.starts_with("1\n2\n") && output.ends_with("100000\nend\n"), "{output}");
        assert!(long["left_out"].as_str().unwrap().contains("in the middle of the output"), "{long}");
    })
    .await;
}

#[tokio::test]
async fn what_a_command_said_beyond_what_is_told_is_a_file_to_be_read_on_and_the_oldest_of_these_go() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        scoped.files().write(agent, ".outputs/mine.txt", b"mine").await.unwrap();
        let [short, long] = scene.run(&scoped, ["seq 5000", "seq 100000"]).await;
        assert_eq!(short.get("output_file"), None);
        let file = &long["output_file"];
        assert_eq!((&file["is_all"], &file["has"]), (&json!(true), &json!("all of it, for a day")));
        let path = file["path"].as_str().unwrap();
        let own = path.strip_prefix("/agent/").unwrap();
        let said: String = (1..=100_000).map(|n| format!("{n}\n")).collect();
        assert_eq!(scoped.files().read(agent, own).await.unwrap(), said.as_bytes());
        let on = [
            ("read", json!({ "path": path, "offset": 50_000, "limit": 1 })),
            ("terminal", json!({ "command": format!("tail -n 1 {path} || echo none") })),
        ];
        let results = calls(&scoped, agent, &scene.talk, &on).await;
        assert!(results[0].1.contains("50000") && results[1].1.contains("none"), "{results:?}");
        for _ in 0..5 {
            world.clock.advance(Duration::from_secs(60));
            scene.run(&scoped, ["seq 10000"]).await;
        }
        let kept = paths(&scoped, agent).await;
        assert!(kept.len() == 6 && !kept.iter().any(|path| path == own), "{kept:?}");
        assert!(scoped.files().deleted(agent, 10).await.unwrap().is_empty());
        world.clock.advance(Duration::from_secs(25 * 60 * 60));
        scoped.files().write(agent, "moss.md", b"moss").await.unwrap();
        assert_eq!(paths(&scoped, agent).await.len(), 2, "their day is over");
        let [endless] = scene.run(&scoped, ["head -c 3000000 /dev/zero | tr '\\0' a"]).await;
        assert_eq!(endless["output_file"]["has"], "its first 2 MB, for a day");
        assert_eq!(paths(&scoped, agent).await.len(), 3);
        let root = world.admin("root").await;
        let rules = FileRules { file_mb: Some(1), folder_mb: None };
        world.hub.as_admin(&root).unwrap().files().set(rules).await.unwrap();
        let [cut] = scene.run(&scoped, ["head -c 1500000 /dev/zero | tr '\\0' a"]).await;
        let file = &cut["output_file"];
        assert_eq!((&file["is_all"], &file["has"]), (&json!(false), &json!("its first 1 MB, for a day")));
        add_rule(&world.hub, &scene.viewer, "deny", "write", "/agent/.outputs/*").await;
        let [denied] = scene.run(&scoped, ["seq 100000"]).await;
        assert_eq!(denied["output_file"], json!({ "not_kept": "a rule of your person's says so" }));
    })
    .await;
}

#[tokio::test]
async fn what_was_attached_last_is_in_the_room_and_what_has_no_place_is_named() {
    on_sqlite(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        for name in ["a.pdf", "b.pdf", "c.pdf"] {
            let bytes = [b"%PDF-1.7\n".as_slice(), name.as_bytes(), &vec![0; 18 * 1024 * 1024]].concat();
            let brought = scoped.attachments().take_in(name, bytes).await.unwrap();
            let message = Outgoing { text: "Look.", attachments: &[brought.id], key: None };
            scoped.runs().send(agent, message, None).await.unwrap();
            world.clock.advance(Duration::from_secs(1));
        }
        let [told] = scene.run(&scoped, ["ls /uploads"]).await;
        assert_eq!(told["output"], "b.pdf\nc.pdf\n");
        let left_out = told["uploads_left_out"].as_str().unwrap();
        assert!(left_out.contains("These are not in it: /uploads/a.pdf. Read them"), "{left_out}");
    })
    .await;
}

#[tokio::test]
async fn a_command_is_asked_about_as_it_is() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["terminal"]).replace(&scoped, &agent.id).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        let order = json!([[{ "tool": "bash", "input": { "command": "echo moss" } }], [{ "text": "Done." }]]);
        scoped.runs().send_message(&agent.id, &format!("turns: {order}"), None, None).await.unwrap();
        let asked = until_asked(&mut tab).await;
        let call = asked.call;
        assert_eq!((call.name.as_str(), &call.input["command"]), ("terminal", &json!("echo moss")));
    })
    .await;
}

#[tokio::test]
async fn where_a_room_is_not_as_it_has_to_be_there_is_no_terminal_and_no_command_runs() {
    on_sqlite(async |world: World| {
        let scene = Scene::begin(&world).await;
        // What ends in the room is not what makes it safe there.
        let world = world.with(|setup| Setup { engine: "/usr/bin/false".into(), ..setup }).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let why = world.hub.examine_terminal().await.unwrap_err();
        assert!(why.contains("a room was tried"), "{why}");
        let settings = world.hub.as_admin(&scene.viewer).unwrap().terminal().read().await.unwrap();
        assert_eq!(settings.not_here, Some(why));
        assert!(scoped.agents().tools().await.unwrap().iter().all(|tool| tool.name != "terminal"));
        for name in ["terminal", "bash"] {
            let order = (name, json!({ "command": "echo moss > moss" }));
            let (failed, told) = calls(&scoped, &scene.agent.id, &scene.talk, &[order]).await.remove(0);
            assert!(failed, "{told}");
        }
        assert!(paths(&scoped, &scene.agent.id).await.is_empty());
    })
    .await;
}
